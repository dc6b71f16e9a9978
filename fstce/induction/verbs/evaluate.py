"""``fstce induction evaluate``: the unlabelled brackets of an induced grammar against a treebank."""

from __future__ import annotations

import json

from fstce.console.models import load
from fstce.console.options import AsJson, Corpus, FormatOption, Model, helped
from fstce.console.phrases import read_trees
from fstce.induction.verbs.report import scores, show_scores


@helped("""Score induced constituents on a treebank.

Brackets without labels; punctuation, brackets of single words and of whole sentences are left
out. Beside them trees that branch to the left and to the right. The recall of a category
is the share of its phrases that are found.

\b
Examples:
  fstce induction evaluate model nltk:treebank
  fstce induction evaluate model test.mrg --json
""")
def evaluate(model: Model, corpus: Corpus, format: FormatOption = None, as_json: AsJson = False) -> None:
    scored = scores(load(model, "induction"), read_trees(corpus, format))
    if scored is None:
        return
    if as_json:
        print(json.dumps(scored.record(), ensure_ascii=False))
    else:
        show_scores(scored)
