"""The verbs of ``fstce reproduce``: a paper's experiment each."""

from __future__ import annotations

from fstce.console.parameters import Given
from fstce.reproduction.verbs.experiment import experiment

TAGGING_QUICK: Given = {
    "corpus": "sample",
    "words": (2_000, 8_000),
    "held_out": 1_000,
    "sigma2": (0.1, 1.0, 10.0),
    "smoothing": (0.01, 0.1, 1.0),
    "dictionaries": ("full", "count:2"),
}
tagging = experiment(
    "tagging",
    "tagging_trials.TaggingPlan",
    TAGGING_QUICK,
    """Redraw Figures 2 and 3 and Table 3 of Smith & Eisner (ACL 2005).

Models are chosen on held-out text without labels (sel.) and by accuracy (oracle); both
are shown.""",
    (
        "nltk:treebank --words 12000,96000 -o report",
        "nltk:brown --criteria em,trans1,del1word -o brown",
    ),
)

LANDSCAPE_QUICK: Given = {
    "corpus": "sample",
    "words": 2_000,
    "held_out": 1_000,
    "starts": 3,
    "order": 2,
}
landscape = experiment(
    "landscape",
    "landscape.LandscapePlan",
    LANDSCAPE_QUICK,
    """Train each criterion from many starts.

Smith & Eisner, ACL 2005, footnote 7: shows how far objective and accuracy spread, whether they
go together, and how good the start is that the criterion itself would choose.""",
    ("nltk:treebank --starts 20 -o report", "ud/train.conllu --criteria trans1,em -o ud"),
)

DEPENDENCIES_QUICK: Given = {
    "corpus": "sample",
    "folds": 3,
    "sigma2": (0.1, 1.0, 10.0),
    "smoothing": (10.0, 1.0, 0.1),
}
dependencies = experiment(
    "dependencies",
    "dependency_trials.DependencyPlan",
    DEPENDENCIES_QUICK,
    """Redraw Table 2 of Smith & Eisner (IJCAI workshop 2005).

Of ten folds eight are trained on, one is for development, one for the test. σ² and λ are
chosen on the development fold without trees (sel.).""",
    (
        "nltk:dependency_treebank -o report",
        "ud/train.conllu --criteria em,trans1 -o ud",
        "train.conllu --tag-column upos",
    ),
)

DISTRIBUTION_QUICK: Given = {"corpus": "sample", "iterations": 100}
distribution = experiment(
    "distribution",
    "distribution_trials.DistributionPlan",
    DISTRIBUTION_QUICK,
    """Redraw Tables 1 to 6 of Brooks (CoNLL 2006) on a treebank.

The systems see words without punctuation; the trees serve for scores alone.""",
    ("nltk:treebank -o report", "trees.mrg --systems fwb,da-stop -o small"),
)

PRODUCTS_QUICK: Given = {
    "corpus": "sample",
    "cycles": 2,
    "grammars": 3,
    "iterations": (20, 10, 5),
}


products = experiment(
    "products",
    "products_trials.ProductsPlan",
    PRODUCTS_QUICK,
    """Redraw Petrov (NAACL 2010): products of random latent grammars.

Grammars of several seeds are trained, kept in the folder, and parse development and test
sentences alone, multiplied and added.""",
    ("nltk:treebank --jobs 2 -o report", "wsj.mrg --grammars 4 --products 2,4 -o wsj"),
)
