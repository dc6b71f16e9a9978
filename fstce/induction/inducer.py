"""The constituent inducer: Brooks' distribution and attachment as an estimator.

Raw text in, trees out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache, partial
from itertools import compress, count
from pathlib import Path
from typing import Any, ClassVar

from fstce.corpora import Sentence
from fstce.corpora.tables import bundled_rows
from fstce.corpora.trees import Tree
from fstce.corpora.words import checked_sentences, instances
from fstce.errors import CorpusError
from fstce.estimation.estimator import Estimator, check_begun
from fstce.evaluation.bracket_scores import PUNCTUATION
from fstce.evaluation.unlabelled import unlabelled_scores
from fstce.induction.grammar import Grammar, InductionStep, Span, read, spans_of, tree_of, write
from fstce.induction.learner import Induction, InductionMonitor
from fstce.induction.parameters import DIRECTED_ALIGNMENT, Options
from fstce.numeric.types import Ints32, PathName, Rows, Sentences
from fstce.parameters.rules import Table
from fstce.parameters.tables import check_arguments
from fstce.storage.folder import check_place
from fstce.storage.state import State, text_file

KIND = "constituent grammar"
GRAMMAR = "grammar.npz"
RULES = "rules.txt"
PAUSE = 10.0  # seconds of work between two checkpoints, at least
SHARE = 0.05  # of the time that saving may take


@cache
def english_marks() -> frozenset[str]:
    """The marks of ``grammars/punctuation.tsv``."""
    return frozenset(row[0] for row in bundled_rows("punctuation.tsv"))


def is_no_punctuation(words: Sequence[str], punctuation: str | Collection[str]) -> list[bool]:
    """Whether each word of a sentence is kept; `punctuation` as of :class:`DirectedAlignment`.

    Treebanks say by tags what punctuation is, raw text by its spelling alone.
    """
    if not isinstance(punctuation, str):
        return [word not in punctuation for word in words]
    if punctuation == "none":
        return [True] * len(words)
    marks = english_marks()
    if not isinstance(words, Sentence) or words.tags is None:
        return [word not in marks for word in words]
    # Some tagsets, as Brown's, call a mark by its own name.
    return [tag not in PUNCTUATION and tag not in marks for tag in words.tags]


def over_all_words(spans: Iterable[Span], is_counted: Iterable[bool]) -> list[Span]:
    """The spans over all words of a sentence, of spans over those that are counted."""
    places = list(compress(count(), is_counted))
    return [(label, places[start], places[end - 1] + 1) for label, start, end in spans]


def checkpoints(
    save: Callable[[], None], monitor: InductionMonitor | None = None
) -> InductionMonitor:
    """A monitor that saves: after ten seconds, or later where saving takes a twentieth of the time.

    ``save``: saves what there is after an iteration. ``monitor``: called after every iteration,
    before saving.
    """
    due = time.monotonic() + PAUSE

    def keep(iteration: int, step: InductionStep) -> None:
        nonlocal due
        if monitor is not None:
            monitor(iteration, step)
        began = time.monotonic()
        if began >= due:
            save()
            ended = time.monotonic()
            due = ended + max(PAUSE, (ended - began) / SHARE)

    return keep


_OPTIONS = ("context_fraction", "refresh", "max_length", "min_count", "preference_threshold")


@dataclass(eq=False, repr=False)
class DirectedAlignment(Estimator):
    """Constituents of raw text by what stands between frequent words (Brooks 2006).

    :class:`fstce.induction.parameters.Options` has all that the paper leaves open, with the reasons
    of the values that are taken here.

    Attributes
    ----------
    grammar_ : Grammar
        What was learned: ``print(inducer.grammar_)`` shows it as rules.
    text_ : ndarray of int
        The text as units, from which an induction goes on.
    stopped_ : {"iterations", "no pattern", "monitor", "interrupted"}
        Why the induction ended.

    Examples
    --------
    >>> from fstce import DirectedAlignment
    >>> text = [s.split() for s in ("the dog of the man", "the cat of the girl")]
    >>> inducer = DirectedAlignment(context_fraction=0.2).fit(text)
    >>> print(inducer.grammar_)
    C1 → the cat of C1 1 | the dog of C1 1 | the girl 1 | the man 1    in [the _] </s>
    C2 → C1 2    in <s> [_] </s>
    """

    rules: ClassVar[Table] = DIRECTED_ALIGNMENT
    KIND: ClassVar[str] = KIND
    SIZES: ClassVar[Mapping[str, str]] = {
        "grammar_.classes": "classes",
        "grammar_.steps": "patterns",
    }

    system: str = "da-stop"
    iterations: int = 500
    punctuation: str | Collection[str] = "auto"
    context_fraction: float = 0.01
    refresh: bool = True
    max_length: int = 5
    min_count: int = 2
    preference_threshold: float = 0.0

    grammar_: Grammar = field(init=False)
    text_: Ints32 = field(init=False)
    stopped_: str = field(init=False)
    _induction: Induction = field(init=False)

    def options(self) -> Options:
        """The parameters as the induction takes them."""
        self._check_parameters()
        return Options.of_system(self.system, **{name: getattr(self, name) for name in _OPTIONS})

    def fit(
        self,
        sentences: Sentences,
        trees: Iterable[Tree] | None = None,
        *,
        monitor: InductionMonitor | None = None,
        checkpoint: PathName | None = None,
    ) -> DirectedAlignment:
        """Learn from raw text.

        Parameters
        ----------
        sentences : iterable of sequences of str
            A sentence is a list of words, or a :class:`~fstce.corpora.Sentence`, whose tags say
            what is punctuation and nothing else.
        trees : iterable of Tree, optional
            Not looked at; scikit-learn gives them.
        monitor : InductionMonitor, optional
            Called with the number and the step of every iteration; StopIteration ends the run.
        checkpoint : path, optional
            A folder where the model is saved every ten seconds or so, and at the end.

        Returns
        -------
        This estimator, trained.

        Raises
        ------
        CorpusError, ParameterError
            Naming the sentence or the parameter.
        ModelFileError
            The checkpoint cannot be saved.
        KeyboardInterrupt
            On Ctrl-C; what has been learned stays in `grammar_`, and `resume` goes on.

        Examples
        --------
        >>> from fstce import DirectedAlignment
        >>> text = [s.split() for s in ("the dog of the man", "the cat of the girl")]
        >>> inducer = DirectedAlignment(context_fraction=0.2).fit(text)
        >>> inducer.stopped_
        'no pattern'
        """
        return self.begin(sentences).resume(monitor=monitor, checkpoint=checkpoint)

    def begin(self, sentences: Sentences) -> DirectedAlignment:
        """Read the text, and forget what was learned before; `resume` then learns."""
        options = self.options()
        rows = checked_sentences(sentences)
        self._record_tokenization(rows)
        text, _ = self._without_punctuation(rows)
        if not any(text):
            raise CorpusError(
                f"there is nothing but punctuation in {len(rows):,} sentences; nothing to learn"
            )
        self._induction = Induction([words for words in text if words], options)
        self._take(self._induction, "iterations")
        return self

    def resume(
        self,
        *,
        monitor: InductionMonitor | None = None,
        checkpoint: PathName | None = None,
    ) -> DirectedAlignment:
        """Go on until there are `iterations` in all, also after `load`.

        The arguments are those of :meth:`fit`. Raises NotFittedError where there is no text (call
        `fit`, `begin` or `load` first), ParameterError where a parameter of the grammar has
        changed, or where there are more iterations already.
        """
        check_arguments(monitor=monitor, checkpoint=checkpoint)
        self.check_resumable()
        if not hasattr(self, "_induction"):
            self._induction = Induction.of(self.grammar_, self.text_)
        induction = self._induction
        if checkpoint is not None:
            check_place(checkpoint, self.KIND)
            monitor = checkpoints(partial(self._keep, induction, checkpoint), monitor)

        stopped = "interrupted"
        try:
            stopped = induction.run(self.iterations - len(induction.steps), monitor)
        finally:
            self._take(induction, stopped)
        if checkpoint is not None:
            self.save(checkpoint)
        return self

    def check_resumable(self) -> None:
        """Raise NotFittedError or ParameterError where `resume` cannot go on."""
        self._check_fitted("grammar_")
        self._check_parameters()
        now = {**self.get_params(), **asdict(self.options())}
        fixed = (*_OPTIONS, "alignment", "attachment")
        then = {name: getattr(self.grammar_.options, name) for name in fixed}
        check_begun("iterations", len(self.grammar_.steps), then, now)

    def predict(self, sentences: Sentences) -> list[Tree]:
        """A tree a sentence, over all its words.

        Words stand under their tag where the sentence carries tags, else under ``W``.
        Punctuation is in the smallest constituent around its neighbors. The text may be new:
        a pattern holds whatever stands between its context units.

        Parameters
        ----------
        sentences : iterable of sequences of str
            A sentence is a list of words.

        Returns
        -------
        list of Tree

        Raises
        ------
        CorpusError
            There is no sentence, one is empty, or a word cannot be one.

        Examples
        --------
        >>> from fstce import DirectedAlignment
        >>> text = [s.split() for s in ("the dog of the man", "the cat of the girl")]
        >>> inducer = DirectedAlignment(context_fraction=0.2).fit(text)
        >>> inducer.predict([["the", "dog"]])[0].leaves()
        ('the', 'dog')
        """
        self._check_fitted("grammar_")
        self._check_parameters()
        rows = checked_sentences(sentences, least=0)
        if not rows:
            return []

        text, masks = self._without_punctuation(rows)
        trees = []
        for row, spans, mask in zip(rows, spans_of(self.grammar_, text), masks, strict=True):
            tree = tree_of(row, over_all_words(spans, mask))
            if isinstance(row, Sentence) and row.tags is not None:
                tree = tree.with_tags(row.tags)
            trees.append(tree)
        return trees

    def score(self, sentences: Sentences, trees: Iterable[Tree] | None = None) -> float:
        """The unlabeled F1 against trees, 0 to 1: see :func:`fstce.evaluation.unlabelled_scores`.

        Parameters
        ----------
        sentences : iterable of sequences of str
        trees : iterable of Tree, optional
            The gold trees; by default those that the sentences carry.

        Returns
        -------
        float
            From 0 to 1; nan where neither the trees nor what is found has a constituent.

        Raises
        ------
        CorpusError
            A sentence has no tree, or a tree other words.

        Examples
        --------
        >>> from fstce import DirectedAlignment
        >>> text = [s.split() for s in ("the dog of the man", "the cat of the girl")]
        >>> inducer = DirectedAlignment(context_fraction=0.2).fit(text)
        >>> from fstce.corpora import parse_tree
        >>> gold = parse_tree("(S (D the) (N dog) (PP (P of) (NP (D the) (N man))))")
        >>> 0 <= inducer.score([gold.leaves()], [gold]) <= 1
        True
        """
        rows = checked_sentences(sentences)
        gold: Iterable[Any] | None = trees
        if gold is None:
            gold = [getattr(row, "tree", None) for row in rows]
            for number, tree in enumerate(gold, 1):
                if tree is None:
                    raise CorpusError(
                        f"sentence {number} has no tree to compare with; give a treebank, or trees"
                    )
        return (
            unlabelled_scores(list(instances(gold, Tree, "trees")), self.predict(rows)).total().f1
            / 100
        )

    def to_state(self) -> State:
        self._check_fitted("grammar_")
        parameters = self.get_params()
        if not isinstance(self.punctuation, str):
            parameters["punctuation"] = sorted(self.punctuation)
        entries = {"parameters": parameters, "stopped": self.stopped_}
        files: dict[str, Callable[[Path], None] | Path] = {
            GRAMMAR: partial(write, self.grammar_, self.text_),
            RULES: text_file(f"{self.grammar_}\n"),
        }
        return State(self.KIND, entries, files=files)

    @classmethod
    def from_state(cls, state: State) -> DirectedAlignment:
        inducer = cls.of_parameters(state.entries)
        inducer.options()
        inducer.grammar_, inducer.text_ = read(state.archive(GRAMMAR))
        inducer.stopped_ = state.entry("stopped", str)
        return inducer

    def _outcome(self) -> dict[str, str]:
        return {"iterations": f"{len(self.grammar_.steps)} ({self.stopped_})"}

    def _without_punctuation(self, rows: Rows) -> tuple[list[list[str]], list[list[bool]]]:
        """The words of each sentence that are no punctuation, and which words these are."""
        punctuation = self.punctuation
        if not isinstance(punctuation, str):
            punctuation = frozenset(punctuation)

        keep = [is_no_punctuation(row, punctuation) for row in rows]
        words = [list(compress(row, of_row)) for row, of_row in zip(rows, keep, strict=True)]
        return words, keep

    def _keep(self, induction: Induction, folder: PathName) -> None:
        """Save what there is after an iteration."""
        self._take(induction, "interrupted")
        self.save(folder)

    def _take(self, induction: Induction, stopped: str) -> None:
        """Learned attributes from an induction, and why it ended."""
        self.grammar_ = induction.grammar
        self.text_ = induction.text
        self.stopped_ = stopped
