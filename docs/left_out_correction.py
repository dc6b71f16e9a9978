"""What a corrector does to text of a kind that it was not trained on, with and without looking at the text.

It is trained on the first sentences of the Brown corpus (news, editorials) with a list of English words,
and corrects the first of other genres and corpora, as they are and with random edits. With ``--own`` each
corpus stands for itself: trained on its beginning, tried on its end.

    python docs/left_out_correction.py nltk:treebank craft.mrg
    python docs/left_out_correction.py --own french fr_sequoia-ud-train.conllu
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from nltk.corpus import brown

from fstce import Corrector, read_corpus
from fstce.correction.lexicons import read_lexicon
from fstce.correction.mistakes.corruption import random_edits
from fstce.evaluation.correction import correction_scores

GENRES = ("learned", "mystery", "government", "science_fiction", "religion")
TRAINED, TESTED, RATE = 6000, 150, 0.1
Row = list[str]


def tell(name: str, corrector: Corrector, rows: Sequence[Row]) -> None:
    """A row of the table: damage to clean words; recall and precision of detection, word error rate."""
    for adapt in (False, True):
        corrector.set_params(adapt=adapt)
        clean = correction_scores(rows, rows, corrector.predict(rows)).damage_rate
        typed = [list(row.typed) for row in random_edits(rows, 1, RATE)]
        found = correction_scores(typed, rows, corrector.predict(typed))
        detection = f"{100 * found.detection.precision:.1f} | {100 * found.detection.recall:.1f}"
        rates = f"{found.error_rate_before:.2f} | {found.error_rate:.2f}"
        print(f"| {name} | {'yes' if adapt else 'no'} | {clean:.2f} | {detection} | {rates} |", flush=True)


def main() -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", nargs="*")
    parser.add_argument("--own", metavar="LEXICON", help="none, or as --lexicon of fstce corrector train")
    options = parser.parse_args()
    if not options.own:
        trained = [list(sentence) for sentence in brown.sents()[:TRAINED]]
        corrector = Corrector(criterion="none").fit(trained, lexicon=read_lexicon("english"))
        for genre in GENRES:
            tell(f"Brown, {genre}", corrector, [list(s) for s in brown.sents(categories=genre)[:TESTED]])
    for corpus in options.corpora:
        rows = [list(sentence.words) for sentence in read_corpus(corpus)]
        if options.own:
            lexicon = None if options.own == "none" else read_lexicon(options.own)
            corrector = Corrector(criterion="none").fit(rows[:-TESTED][:TRAINED], lexicon=lexicon)
        tell(corpus, corrector, rows[-TESTED:] if options.own else rows[:TESTED])


if __name__ == "__main__":
    main()
