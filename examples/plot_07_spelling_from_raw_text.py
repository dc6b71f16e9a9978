"""A speller and a punctuator from clean raw text: no annotation, no list of mistakes.

Both are trained on the first sentences of the sample. SPELL≤1 holds the words that each
word may have been meant to be, PUNC≤1 the commas that may have been left out; training
moves probability to what was written, correction chooses the best sentence of the
neighbourhood of what was typed. The threshold trades precision for recall.

Run: python examples/plot_07_spelling_from_raw_text.py [FOLDER]
"""

from __future__ import annotations

import sys
from pathlib import Path

import fstce
from fstce.correction.corrector import Corrector
from fstce.correction.mistakes.channel import Channel
from fstce.correction.mistakes.corruption import drop_marks, random_edits
from fstce.evaluation.correction import correction_scores, punctuation_scores
from fstce.machines import write_drawing

TRAIN = 600
THRESHOLDS = (0.0, 0.5, 0.8)


def main(folder: Path) -> None:
    """Train, draw a neighbourhood, correct held-out text at several thresholds."""
    folder.mkdir(parents=True, exist_ok=True)
    text = [list(sentence.words) for sentence in fstce.corpora.sample()]
    train, test = text[:TRAIN], text[TRAIN:]

    speller = Corrector().fit(train)
    exponents = ", ".join(f"{name} {value:.2f}" for name, value in speller.exponents_.items())
    print(f"exponents learnt from mistakes made on purpose: {exponents}")
    lattice = speller.neighborhood()(["the", "odl", "clok"])
    write_drawing(lattice.to_fst(), folder / "spell.svg")
    print(f"drawn: {folder / 'spell.svg'}, {lattice.count()} sentences that may have been meant")

    typed = [found.typed for found in random_edits(test, seed=1)]
    for threshold in THRESHOLDS:
        scores = correction_scores(typed, test, speller.set_params(threshold=threshold).predict(typed))
        ratio = scores.correction
        print(
            f"threshold {threshold:.2f}: precision {100 * ratio.precision:5.1f}, "
            f"recall {100 * ratio.recall:5.1f}, "
            f"word error rate {scores.error_rate_before:.2f} to {scores.error_rate:.2f} %"
        )

    # Of marks only commas are left out; the channel says that nothing else is done to them.
    only_left_out = Channel(substitution=8.0, insertion=8.0)
    punctuator = Corrector(
        spell=0,
        punctuation=1,
        marks=[","],
        channel=only_left_out,
        rate=0.5,
        threshold=0.25,
    ).fit(train)
    bare = [found.typed for found in drop_marks(test, [","], seed=1)]
    found = punctuation_scores(bare, test, punctuator.predict(bare), [","]).ratio
    print(f"commas: precision {100 * found.precision:.1f}, recall {100 * found.recall:.1f}")
    speller.save(folder / "speller")
    print(f'saved; try: echo "the odl clok stopped ." | fstce corrector correct {folder / "speller"} --diff')


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "speller"))
