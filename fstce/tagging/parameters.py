"""What the parameters of taggers may be and what each is.

For the estimators and the command line.
"""

from __future__ import annotations

from math import inf

from fstce.parameters.rules import (
    COUNT,
    FLAG,
    Rule,
    Table,
    choice,
    instance,
    integer,
    mapping,
    real,
    sequence,
)
from fstce.parameters.tables import (
    ABOVE_ZERO,
    BETAS,
    JOBS,
    NEIGHBORHOOD,
    NOT_NEGATIVE,
    TRAINING,
    VARIANCE,
)

PARTS = Rule("text") | mapping(sequence(Rule("text")))
KINDS_OF_FEATURES = ("ngram", "word", "spelling")
TAGGER: Table = {
    **TRAINING,
    "neighborhood": NEIGHBORHOOD.says(
        "What each sentence is contrasted with: a name, an expression, a file of yours, or "
        "``auto``: the mean of the weights of ``sub1band`` and, counted half each, of ``trans1`` "
        "and an HMM, the former two with spelling features; where the dictionary lists less than "
        "half of the text, the HMM counts as much as both."
    ),
    "order": integer(1, 3).says("The length of a tag n-gram."),
    "parts": PARTS.or_none().says(
        "What parts tags have, such as category, case and number: what stands between them (``|`` "
        "in ``NOUN|Case=Gen``), or in Python a mapping from a tag. Bigrams of tags "
        "then weigh what pairs of their parts do, so that tagsets of a thousand are learned; for "
        "order 2, and not for an HMM. Their variance is a tenth of `sigma2`, and ``auto`` is "
        "``length``."
    ),
    "reading_tags": (choice("first", "full") | mapping(Rule("text"))).says(
        "The tag of a reading, where the text is a stream of an analyser's: its ``first`` symbol, "
        "or the ``full`` reading, its symbols joined by points, which are its `parts`; or in "
        "Python a mapping from first symbols to tags, which the command line makes of "
        "``--tag-map``. Without it the command line multiplies a tagger of ``full`` readings and "
        "one of their first symbols, as mapped."
    ),
    "sigma2": (VARIANCE | mapping(real(0, inf, above=True), *KINDS_OF_FEATURES, least=1)).says(
        "The variance of the Gaussian prior on the weights, or in Python that of each kind of "
        "feature (``ngram``, ``word``, ``spelling``; 1 where one is left out); None for no prior."
    ),
    "spelling": FLAG.says("Whether spelling features (§5.2) are added."),
    "listed_only": FLAG.says(
        "Whether words that the dictionary does not list have no weights of their own (but those "
        "of `oov`), and spellings none with a tag that no listed word of such a spelling may have."
    ),
    "features": sequence(choice("form", "context")).says(
        "Features of tokens, of a conditional random field's grade: ``form`` (affixes of 1 to 5 "
        "characters, shape), ``context`` (the words around; for ``conditional`` alone)."
    ),
    "gazetteer": instance("a mapping from words to names of lists", "dict", "TagDictionary")
    .or_none()
    .says(
        "Words and the lists on which they stand, each a feature; in a file a line is word, tab, "
        "names."
    ),
    "criterion": choice("contrastive", "em", "joint", "conditional", "supervised-contrastive").says(
        "What is maximized. ``contrastive`` and ``em`` learn from raw text; ``joint`` (counting), "
        "``conditional`` (CRF) and ``supervised-contrastive`` from tags. ``em`` and ``joint`` "
        "train an HMM."
    ),
    "smoothing": NOT_NEGATIVE.says("λ, added to every count of an HMM."),
    "alpha": ABOVE_ZERO.says("The weight of raw sentences against labeled ones."),
    "annealing": BETAS.or_none().says(
        "Inverse temperatures that rise to 1, for deterministic annealing; None for none."
    ),
    "oov": FLAG.says(
        "Whether unknown words share the weights of a symbol of their own (an HMM always has one)."
    ),
    "rare": COUNT.says(
        "With `oov`, words of the training text that occur at most so often count as unknown, so "
        "that it is learned what unknown words are like. Where a supervised criterion learns "
        "`features` of tokens, they may take all open classes while it does: by default those that "
        "occur at most four times."
    ),
    "unknown_word_model": FLAG.says(
        "Whether the tags of words that the dictionary does not list are predicted, from the form "
        "of the listed ones and what stands next to them; else they take all tags that the "
        "dictionary allows them."
    ),
    "start": choice("uniform", "random").says(
        "All weights zero, or moved by normal noise of standard deviation 0.1. Whole readings "
        "that are contrasted start with what a tagger of their first symbols has learned."
    ),
    "decoder": choice("viterbi", "posterior").says(
        "The best tag sequence, or the most probable tag of every word."
    ),
    "jobs": JOBS.or_none().says(
        "Processes that build automata and threads that add up; None for one, −1 for one a core. "
        "More pay from some 50,000 words on, where cores are idle. No number changes a bit of what "
        "is learned."
    ),
}
TAGGER_PRODUCT: Table = {
    "taggers": sequence(instance("a Tagger", "Tagger"), least=1).says(
        "Trained. A member believes of a tag that it lacks what the others do."
    ),
}
