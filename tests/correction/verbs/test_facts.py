"""What is said of a corrector: its exponents, and what they were learned from."""

from __future__ import annotations

from fstce import Corrector
from fstce.corpora import sample
from fstce.correction.verbs.facts import learned, reported

TEXT = [sentence.words for sentence in sample()[:120]]


def test_exponents_and_what_they_were_learned_from() -> None:
    corrector = Corrector(ngrams=2, spell=1).fit(TEXT)
    facts = dict(learned(corrector))
    assert set(facts) == {"exponents", "learned from"}
    for name, value in corrector.exponents_.items():
        assert f"{name} {value:.3g}" in facts["exponents"]
    tuning = corrector.tuning_
    assert facts["learned from"].startswith(f"{tuning.mistakes} mistakes in {tuning.sentences} ")
    assert reported(corrector) == [((), learned(corrector))]


def test_where_nothing_was_held_out_nothing_is_said_of_it() -> None:
    assert [name for name, _ in learned(Corrector(held_out=0).fit(TEXT[:9]))] == ["exponents"]
