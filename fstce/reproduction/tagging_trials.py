"""The trials of the tagging paper: for each condition and criterion, a grid of priors or λ."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from fstce.errors import ParameterError
from fstce.evaluation import tagging_accuracy
from fstce.evaluation.tagging import accuracy_by_listing
from fstce.neighborhoods.registry import neighborhood
from fstce.parameters.rules import COUNT, FLAG, POSITIVE, Rule, Table, integer, sequence
from fstce.parameters.tables import WORDS
from fstce.processes.trial_log import Result, Settings
from fstce.processes.trials import Group
from fstce.reproduction.material import FULL, Material, Tags, dilution, material
from fstce.reproduction.run import GRIDS, Plan, Trial, course, grid, name_of_file
from fstce.storage.atomic import replacing
from fstce.tagging.criteria import LOCAL, SUPERVISED, is_auto
from fstce.tagging.tagger import Tagger
from fstce.wfsa.decoder import Decoder
from fstce.wfsa.terms import LatticeSum

Condition = tuple[str, int, bool, str, bool, str]

# What the trials of one grid share, in the order of a Condition.
CONDITION = ("table", "words", "coarse", "dictionary", "spelling", "criterion")
TEXT = (*CONDITION[1:4], "held_out", "tag_column", "draw", "lexicon")  # what a text depends on
PARAMETERS = (
    *("order", "spelling", "listed_only", "tolerance", "max_iterations"),
    *("sigma2", "smoothing", "start", "seed"),
)
OOV = "-oov"
FIGURE2 = (
    "conditional",
    "joint",
    "length",
    "length-oov",
    "delortrans1",
    "trans1",
    "em",
    "del1word",
    "del1subseq",
)
TABLE3 = ("delortrans1", "trans1", "length", "em")
DILUTED = (FULL, "first:500", "count:2", "count:3")


@dataclass(frozen=True)
class TaggingPlan(Plan):
    """The rows of Figure 2 and of Table 3 that are redrawn, and the corpus."""

    rules: ClassVar[Table] = {
        "words": sequence(POSITIVE, least=1).says("Amounts of text, as 12000,24000,48000,96000."),
        "held_out": POSITIVE.says("Words at the end of the corpus on which models are chosen."),
        "criteria": WORDS.says(
            "Figure 2's rows, and those of Table 3 that are among them: em, joint, conditional, or "
            "neighborhoods; none for Table 3 alone."
        ),
        "dictionaries": WORDS.says(
            "Table 3's dictionaries, as full,first:500,count:2,count:3; or none."
        ),
        "draw": COUNT.or_none().says(
            "A seed by which sentences are drawn at random; by default they come in their order."
        ),
        "lexicon": Rule("text")
        .or_none()
        .says("A dictionary file whose tags the words may have besides."),
        "listed_only": FLAG.says(
            "With spelling features only listed words have weights of their own (Table 3)."
        ),
        "order": integer(1, 3).says("The length of a tag n-gram."),
        **GRIDS,
    }
    corpus: str = "nltk:treebank"
    words: tuple[int, ...] = (24_000,)
    held_out: int = 5_000
    tag_column: str | None = None
    draw: int | None = None
    lexicon: str | None = None
    listed_only: bool = False
    criteria: tuple[str, ...] = FIGURE2
    dictionaries: tuple[str, ...] = DILUTED
    sigma2: tuple[float | None, ...] = (0.1, 1.0, 10.0, 100.0, None)
    smoothing: tuple[float, ...] = (0.0, 0.01, 0.1, 1.0, 10.0)
    order: int = 3
    tolerance: float = 1e-4
    max_iterations: int = 200

    def __post_init__(self) -> None:
        super().__post_init__()
        for criterion in self.criteria:
            parameters(criterion)
        for dictionary in self.dictionaries:
            dilution(dictionary)

    @property
    def main(self) -> int:
        """The size nearest to the papers' 24,000 words."""
        return min(self.words, key=lambda n: abs(n - 24_000))

    @property
    def rows_of_table3(self) -> list[str]:
        """The criteria of Table 3 that are run: all of them where Figure 2 is not."""
        return [name for name in TABLE3 if name in (self.criteria or TABLE3)]

    def figure2(self, criterion: str, words: int | None = None) -> Condition:
        """The grid of a criterion in Figure 2, by default at the main size."""
        return "figure2", words or self.main, False, FULL, False, criterion

    def table3(self, criterion: str, dictionary: str, spelling: bool) -> Condition:
        """The grid of a criterion in Table 3."""
        return "table3", self.main, True, dictionary, spelling, criterion


def parameters(criterion: str) -> Settings:
    """The tagger's parameters that a row's name stands for: a criterion, or a neighborhood."""
    if criterion in (*LOCAL, *SUPERVISED):
        return {"criterion": criterion}
    name = criterion.removesuffix(OOV)
    if not is_auto(name):
        neighborhood(name)
    return {"criterion": "contrastive", "neighborhood": name, "oov": criterion.endswith(OOV)}


def groups(plan: TaggingPlan) -> list[Group]:
    """All trials of a plan, those of one condition and criterion together."""
    conditions = [
        plan.figure2(criterion, words) for words in plan.words for criterion in plan.criteria
    ]

    conditions += [
        plan.table3(criterion, dictionary, spelling)
        for dictionary in plan.dictionaries
        for spelling in (False, True)
        for criterion in plan.rows_of_table3
        if not (spelling and criterion in LOCAL)
    ]

    result = []
    for condition in conditions:
        _, words, _, dictionary, _, criterion = condition
        # Where rare words may have any tag, automata are some ten times as large.
        cost = words if dictionary == FULL else 10 * words
        trials = grid(plan, criterion in LOCAL)
        result.append(Group(shared_of(plan, condition), trials, cost))
    return result


def shared_of(plan: TaggingPlan, condition: Condition) -> Settings:
    """The settings that the trials of a grid have in common."""
    settings: dict[str, Any] = dict(zip(CONDITION, condition, strict=True))
    for name in ("corpus", "order", "tolerance", "max_iterations", *TEXT[3:]):
        settings[name] = getattr(plan, name)
    settings["listed_only"] = plan.listed_only and settings["spelling"]
    return settings


def text_of(settings: Settings) -> Material:
    """The material of a trial's condition."""
    return material(
        settings["corpus"], **{name: settings[name] for name in TEXT if name in settings}
    )


def tagger_of(settings: Settings) -> Tagger:
    """The untrained tagger of a trial; words out of the dictionary take all tags alike."""
    return Tagger(
        **parameters(settings["criterion"]),
        **{name: settings[name] for name in PARAMETERS if name in settings},
        unknown_word_model=False,
    )


def gold_of(tagger: Tagger, text: Material) -> tuple[Tags | None, Tags | None]:
    """The tags of the training and of the held-out text, where the criterion learns from them."""
    if tagger.criterion in SUPERVISED:
        return text.gold, text.held_out_gold
    return None, None


def weights_file(settings: Settings) -> Path:
    """Where in the folder a trial's weights are kept."""
    return Path("weights", f"{name_of_file(settings)}.npy")


def prepare(folder: Path, shared: Settings) -> Trial:
    """Compile a condition's automata; the result trains, scores and keeps a trial."""
    text = text_of(shared)
    tagger = tagger_of(shared)
    gold, held_out = gold_of(tagger, text)
    objective = tagger.compile(text.train, gold, dictionary=text.dictionary)
    measuring = copy(tagger)  # whose automata of the held-out text are built once for the grid

    def run(trial: Settings) -> Result:
        tagger.set_params(**trial)
        # Sums are kept in range by an earlier evaluation, here never one of an earlier trial.
        for term in objective.terms:
            if isinstance(term, LatticeSum):
                term.refresh(range(len(term.batches)), tagger.initial_weights())

        settings = {"sigma2": 1.0, "smoothing": 1.0, **shared, **trial}
        objective.smooth(sigma2=settings["sigma2"], smoothing=settings["smoothing"])
        tagger.train(objective)

        path = folder / weights_file({**shared, **trial})
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path, ParameterError) as temporary:
            np.save(temporary, tagger.theta_)

        measuring.theta_ = tagger.theta_
        return {
            **course(tagger.training_),
            "held_out": measuring.measure(text.held_out, held_out) / len(text.held_out),
            **scores(tagger, text),
        }

    return run


def scores(tagger: Tagger, text: Material) -> Result:
    """Accuracies of the training text's tags, in percent."""
    decoder = Decoder(tagger.features_, tagger.theta_, text.dictionary)
    predicted = [list(map(tagger.tags_.__getitem__, row)) for row in decoder.viterbi(text.train)]
    words = [sentence.words for sentence in text.train]

    right = tagging_accuracy(words, text.gold, predicted, text.dictionary)
    by_listing = accuracy_by_listing(words, text.gold, predicted, text.dictionary)
    result = {"ambiguous": right.ambiguous, "all": right.all}
    if by_listing["OOV"].n:
        result |= {"listed": by_listing["listed"].model, "rare": by_listing["OOV"].model}
    return result
