"""Treebank sentences as a dependency grammar is trained and scored on them.

Heads come from the corpus, or from Penn trees by the head rules (:mod:`fstce.corpora.heads`).
Punctuation is removed, and the words below it are lifted (:mod:`fstce.corpora.heads`);
the readers have already removed empty elements and nodes. A length limit counts what is
left, and each sentence knows where its words stood in the original.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from fstce.corpora.heads import PUNCTUATION, lifted_heads, with_heads
from fstce.corpora.sentence import Sentence
from fstce.corpora.words import instances
from fstce.errors import CorpusError
from fstce.parameters.rules import POSITIVE, Rule, choice, sequence


@dataclass(frozen=True, slots=True, repr=False)
class DependencySentence(Sentence):
    """The words of a sentence that a grammar sees, and where they stood in the original.

    As a :class:`Sentence`, with heads that number the words that are kept. ``kept``: the position
    of each word in the original, from 0, ascending. ``original``: the sentence as it was read.
    """

    kept: tuple[int, ...] = field(kw_only=True)
    original: Sentence = field(kw_only=True)

    def __post_init__(self) -> None:
        """Check the places; see the class."""
        Sentence.__post_init__(self)
        places = set(range(len(self.original)))
        if len(self.kept) != len(self) or not places.issuperset(self.kept):
            raise CorpusError(
                f"{self.source or self}: {len(self)} words cannot stand at {self.kept} of "
                f"{self.original}"
            )

    def restore(self, heads: Sequence[int]) -> tuple[int, ...]:
        """Heads of all words of the original from heads of those that are kept.

        A removed word attaches to the nearest word before it that is kept, or else to the
        first that is kept: what was a projective tree remains one.

        ``heads``: one for each word of this sentence, from 1; 0 is the root. Returns one for each
        word of the original, from 1.
        """
        if len(heads) != len(self) or not all(0 <= head <= len(self) for head in heads):
            raise CorpusError(
                f"{self.source or self}: {tuple(heads)} are not heads of {len(self)} words"
            )

        number = (0, *(place + 1 for place in self.kept))
        restored = []
        for place in range(len(self.original)):
            before = bisect_right(self.kept, place)
            head = max(before, 1)
            if before and self.kept[before - 1] == place:
                head = heads[before - 1]
            restored.append(number[head])
        return tuple(restored)


# The Penn Treebank's; UD's, with the XPOS of English, German and Turkish; coarse classes.
PUNCTUATION_TAGS = PUNCTUATION.union(
    ("PUNCT", "HYPH", "NFP", "$,", "$.", "$(", "Punc"), ("INPUNC", "ENDPUNC", "LPUNC", "RPUNC")
)


@dataclass(frozen=True)
class DependencyCorpus(Sequence[DependencySentence]):
    """A sequence of prepared sentences that also says what was left out.

    ``n_read``: how many were given, of which ``n_empty`` had nothing but punctuation and ``n_long``
    were longer than the limit. ``faults``: what was wrong with the heads of each sentence that was
    dropped for them.
    """

    sentences: tuple[DependencySentence, ...]
    n_read: int
    n_empty: int
    n_long: int
    faults: tuple[str, ...]

    def __len__(self) -> int:
        """The number of sentences that remain."""
        return len(self.sentences)

    def __getitem__(self, index: Any) -> Any:
        """A sentence, or a tuple of sentences."""
        return self.sentences[index]


def dependency_corpus(
    sentences: Iterable[Sentence],
    *,
    max_length: int | None = None,
    punctuation: Collection[str] | None = None,
    heads: str = "optional",
    faulty: str = "raise",
) -> DependencyCorpus:
    """Sentences prepared for grammar induction: without punctuation, short, with heads and tags.

    Parameters
    ----------
    sentences : iterable of Sentence
        With heads, with trees, or with neither.
    max_length : int, optional
        The most words that a sentence may have, counted after removal.
    punctuation : collection of str, optional
        The tags to remove; the empty collection removes nothing. By default
        :data:`PUNCTUATION_TAGS`, and whatever has the relation ``punct``.
    heads : {"optional", "required", "ignored"}
        Whether a sentence with neither heads nor a tree passes without heads, is an
        error, or all do without.
    faulty : {"raise", "drop"}
        What to do with a sentence whose heads are no tree.

    Returns
    -------
    DependencyCorpus

    Raises
    ------
    CorpusError
        Heads that are no tree (see :func:`check_heads`; removed words may be further
        roots), or none where they are required; no tags.
    ParameterError
        An unknown choice, a limit below 1, or a string for the set of punctuation.

    Examples
    --------
    >>> from fstce.corpora.penn import parse_tree
    >>> tree = parse_tree("(S (NP (DT The) (NN dog)) (, ,) (VP (VBZ barks)) (. .))")
    >>> tags = ["DT", "NN", ",", "VBZ", "."]
    >>> corpus = dependency_corpus([Sentence(tree.leaves(), tags, tree=tree)])
    >>> corpus[0].tags, corpus[0].heads, corpus[0].kept
    (('DT', 'NN', 'VBZ'), (2, 3, 0), (0, 1, 3))
    """
    choice("optional", "required", "ignored").check(heads=heads)
    choice("raise", "drop").check(faulty=faulty)
    POSITIVE.or_none().check(max_length=max_length)
    sequence(Rule("text")).or_none().check(punctuation=punctuation)

    removed = set(PUNCTUATION_TAGS if punctuation is None else punctuation)
    prepared: list[DependencySentence] = []
    faults: list[str] = []
    n_read = n_empty = n_long = 0

    for n_read, sentence in enumerate(instances(sentences, Sentence), 1):
        where = sentence.source or f"sentence {n_read}"
        if sentence.tags is None:
            raise CorpusError(f"{where}: the sentence has no tags; tag it first")
        kept = _kept(sentence, removed, punctuation is None)
        if not kept:
            n_empty += 1
            continue
        if max_length is not None and len(kept) > max_length:
            n_long += 1
            continue

        is_bare = heads == "optional" and sentence.heads is None and sentence.tree is None
        above: tuple[int, ...] | None = None
        if not is_bare and heads != "ignored":
            above = with_heads(sentence).heads
        try:
            above = above and lifted_heads(above, kept, where)
        except CorpusError as error:
            if faulty == "raise":
                raise
            faults.append(str(error))
            continue
        words = tuple(sentence.words[place] for place in kept)
        tags = tuple(sentence.tags[place] for place in kept)
        prepared.append(
            DependencySentence(
                words, tags, above, source=sentence.source, kept=kept, original=sentence
            )
        )

    return DependencyCorpus(tuple(prepared), n_read, n_empty, n_long, tuple(faults))


def _kept(sentence: Sentence, removed: Collection[str], by_relation: bool) -> tuple[int, ...]:
    """The positions of the words that are not punctuation."""
    tags = sentence.tags or ()
    places = [place for place, tag in enumerate(tags) if tag not in removed]
    relations = sentence.deprels
    if by_relation and relations is not None:
        places = [place for place in places if relations[place].split(":")[0] != "punct"]
    return tuple(places)
