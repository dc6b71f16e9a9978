"""The conventions that a corpus shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from fstce.corpora import Sentence, TextReader, read_corpus
from fstce.corpora.conventions import SPACES, Conventions
from fstce.corpora.recognition import recognize
from fstce.corpora.running_text import placed, tokenize

CONLLU = """# text = L'eau du lac qu’il vit aujourd'hui.
1\tL'\tle\tDET\t_\t_\t2\tdet\t_\tSpaceAfter=No
2\teau\teau\tNOUN\t_\t_\t0\troot\t_\t_
3-4\tdu\t_\t_\t_\t_\t_\t_\t_\t_
3\tde\tde\tADP\t_\t_\t5\tcase\t_\t_
4\tle\tle\tDET\t_\t_\t5\tdet\t_\t_
5\tlac\tlac\tNOUN\t_\t_\t2\tnmod\t_\t_
6\tqu’\tque\tPRON\t_\t_\t8\tobj\t_\tSpaceAfter=No
7\til\til\tPRON\t_\t_\t8\tnsubj\t_\t_
8\tvit\tvoir\tVERB\t_\t_\t5\tacl:relcl\t_\t_
9\taujourd'hui\taujourd'hui\tADV\t_\t_\t8\tadvmod\t_\tSpaceAfter=No
10\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_

"""


def test_a_treebank_tells_its_conventions(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_text(CONLLU, encoding="utf-8")
    (gold,) = read_corpus(path)
    assert gold.text == "L'eau du lac qu’il vit aujourd'hui."
    found = recognize([gold])
    assert (found.name, found.beginnings, found.together) == (
        "ud",
        ("l'", "qu'"),
        (("du", ("de", "le")),),
    )
    (again,) = TextReader(found, raw=True).sentences(gold.text, "a:1")
    assert (again.words, again.spans) == (gold.words, gold.spans)
    assert Conventions.from_dict(found.to_dict()) == found
    assert "Universal Dependencies" in str(found)


def test_trees_with_escapes_are_recognized_as_penn() -> None:
    rows = ["`` It 's so , '' he -LRB- did n't -RRB- say to Mr. Fox .", "I do n't , it 's late ."]
    found = recognize([Sentence(row.split()) for row in rows])
    assert (found.name, found.brackets, found.quotes, found.straight) == ("penn", True, True, True)
    assert {"'s", "n't"} <= set(found.endings)
    assert "mr." in found.whole


def test_text_cut_at_blanks_only_is_recognized() -> None:
    assert recognize([Sentence(["Well,", "yes:", "no!", "he", "said."])]) == SPACES


@pytest.mark.parametrize("laid_out", [False, True])
def test_one_noisy_token_is_no_exception(laid_out: bool) -> None:
    """Of 458 rightly cut, one ``it's/PRP$`` made the tokenizer never cut it's."""

    def sentence(row: str) -> Sentence:
        words = row.split()
        if not laid_out:
            return Sentence(words)
        text = row.replace(" '", "'")
        return Sentence(words, text=text, spans=[token[1:] for token in placed(text, words) or ()])

    rows = ["it 's late"] * 5 + ["It 's it's let's go"]
    conventions = recognize(map(sentence, rows))
    assert "it's" not in conventions.whole and "let's" in conventions.whole
    assert [token.text for token in tokenize("It's late", split=True, conventions=conventions)][
        :2
    ] == [
        "It",
        "'s",
    ]
