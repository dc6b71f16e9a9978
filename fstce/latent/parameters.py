"""What the parameters of latent grammars may be and what each is."""

from __future__ import annotations

from fstce.parameters.rules import (
    COUNT,
    FLAG,
    POSITIVE,
    SEED,
    SHARE,
    Table,
    choice,
    instance,
    integer,
    sequence,
)
from fstce.parameters.tables import JOBS

LONGEST = POSITIVE.says("Longer sentences are given a flat tree.")
LATENT_GRAMMAR: Table = {
    "max_length": LONGEST,
    "cycles": COUNT.says(
        "Rounds of split, merge, smooth; 0 leaves the X-bar grammar of the treebank."
    ),
    "split_iterations": COUNT.says("EM iterations after each split."),
    "merge_iterations": COUNT.says("EM iterations after each merge."),
    "smooth_iterations": COUNT.says("EM iterations with smoothing."),
    "rule_smoothing": SHARE.says("α of the mean over a symbol's subcategories in rules."),
    "lexicon_smoothing": SHARE.says("α of the mean over a tag's subcategories in words."),
    "seed": SEED.says("Of the noise that breaks the symmetry of twins: one seed, one grammar."),
    "unknown_word_model": FLAG.says(
        "Whether forms of words (affixes, signs, length) say how rare and unknown words are "
        "tagged; otherwise signatures alone do so of unknown ones, as in the paper."
    ),
    "jobs": JOBS.or_none().says(
        "Threads that share EM's passes over the trees, with the same bits for any number; −1 for "
        "one a core."
    ),
}
GRAMMAR_PRODUCT: Table = {
    "max_length": LONGEST,
    "grammars": (
        integer(1, 1000) | sequence(instance("a LatentGrammar", "LatentGrammar"), least=1)
    ).says(
        "How many of the default parameters, with seeds from 0; or the members, which must be "
        "learned from the same trees. Members that are trained need no ``fit``."
    ),
    "combination": choice("product", "sum").says("Of the posteriors of single rule instances."),
    "jobs": JOBS.says(
        "Processes that train; −1 for one a core. Each works on a core of its own if the "
        "environment has "
        "``OPENBLAS_NUM_THREADS=1`` before Python starts, as the command line sees to."
    ),
}
