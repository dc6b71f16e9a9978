"""Tagging dictionaries: the tags that each word may take, complete or diluted.

Smith & Eisner (2005a), section 5.2, train with a dictionary of all words, of the words of
the first sentences only, or of the frequent words only; a word that is not listed may
then take every tag. ``dictionary_sources`` counts, ``dictionary_files`` reads and writes text.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from fstce.corpora.dictionary_files import check_tags, read_dictionary, write_dictionary
from fstce.corpora.dictionary_sources import Analyses, TagRule, count_tags, tags_of
from fstce.corpora.sentence import Sentence
from fstce.corpora.words import checked_rows, checked_sentences, in_known_forms, instances, is_fit
from fstce.errors import DictionaryError, FstceError
from fstce.numeric.types import PathName, Rows, Sentences, Words
from fstce.parameters.overview import Overview
from fstce.parameters.rules import FLAG, PATH, Rule, choice, is_listable, mapping, real, shown

UNSEEN = choice("open", "all")
TAG_COLUMN = choice("", "upos", "xpos")
COUNTS = mapping(mapping(real(0))).or_none()
USUAL = mapping(Rule("text")).or_none()
TAG_MAP = mapping(Rule("text"))
_SPELT = "is not empty, not reserved, and holds no white space"


class TagDictionary(Mapping[str, tuple[str, ...]], metaclass=Overview):
    """A mapping from words to their tags, with a rule for words that are not listed.

    Parameters
    ----------
    mapping : mapping of str to tags
        Tags are an iterable of strings; a lone string is one tag.
    tagset : iterable of str, optional
        All tags; by default those that occur in the mapping.
    open_class : iterable of str, optional
        The tags of open classes; by default the whole tagset.
    unseen : {"open", "all"}
        Whether a word that is not listed takes the open-class tags or every tag.
    counts : mapping of str to mapping of str to float, optional
        How often words have each of their tags, where that is known; a tagger uses it, and
        the usual tag (:mod:`fstce.tagging.answers`).
    usual : mapping of str to str, optional
        The commonest tag of words, where no more is known than that.
    tag_column : str
        The column of CoNLL-U or of a table that the tags come from, upos or xpos, where one says.

    Raises
    ------
    DictionaryError
        A word without tags, a tag outside the tagset, a word or tag with white space, counts of
        other tags.

    Examples
    --------
    >>> dictionary = TagDictionary({"saw": ["VBD", "NN"], "the": "DT"}, open_class=["NN", "VBD"])
    >>> dictionary["saw"], dictionary.lookup("wug"), "wug" in dictionary
    (('NN', 'VBD'), ('NN', 'VBD'), False)
    """

    def __init__(
        self,
        mapping: Mapping[str, str | Iterable[str]],
        tagset: Iterable[str] | None = None,
        open_class: Iterable[str] | None = None,
        unseen: str = "open",
        counts: Mapping[str, Mapping[str, float]] | None = None,
        usual: Mapping[str, str] | None = None,
        tag_column: str = "",
    ) -> None:
        """Copy the mapping and check it."""
        UNSEEN.check(unseen=unseen)
        TAG_COLUMN.check(tag_column=tag_column)
        if not isinstance(mapping, Mapping):
            raise DictionaryError(
                "a tagging dictionary is a mapping from words to tags, not "
                f"{type(mapping).__name__}; TagDictionary.from_file reads one"
            )
        COUNTS.check(counts=counts)
        USUAL.check(usual=usual)
        self._tags = {word: _sorted_tags(tags) for word, tags in mapping.items()}
        if tagset is None:
            tagset = {tag for tags in self._tags.values() for tag in tags}
        self.tagset: tuple[str, ...] = _sorted_tags(tagset)
        self.open_class: tuple[str, ...] = _sorted_tags(
            self.tagset if open_class is None else open_class
        )
        self.unseen = unseen
        self.tag_column = tag_column

        self.counts: dict[str, dict[str, float]] = {}
        for word, by_tag in (counts or {}).items():
            check_tags(f"counts of {word!r}", by_tag, self._tags.get(word, ()))
            if not any(by_tag.values()):
                raise DictionaryError(
                    f"counts of {word!r}: {shown(by_tag)}; give numbers, not only zeros"
                )
            self.counts[word] = {tag: float(by_tag.get(tag, 0)) for tag in self._tags[word]}
        self.usual: dict[str, str] = dict(usual or {})

        if not self.tagset or not self.open_class:
            raise DictionaryError(
                "a tagging dictionary needs at least one tag, and one open-class tag"
            )
        tagset = set(self.tagset)
        for word, tags in self._tags.items():
            if not is_fit(word):
                raise DictionaryError(f"word {shown(word)}: a word {_SPELT}")
            if not tags:
                raise DictionaryError(f"word {word!r} has no tags; leave it out or give it some")
            check_tags(f"word {word!r}", tags, tagset)
        check_tags("open class", self.open_class, tagset)
        for word, tag in self.usual.items():
            check_tags(f"usual tag of {word!r}", [tag], self._tags.get(word, ()))

    @classmethod
    def from_analyser(
        cls, analyser: Analyses, words: Iterable[str], tag: TagRule = None
    ) -> TagDictionary:
        """The dictionary that a morphological analyser gives of a text's words.

        ``analyser``: from a word to its analyses, each a sequence of symbols:
        :class:`fstce.Analyser`. ``words``: those to list; one that the analyser does not know, as
        it stands or in small letters, is not. ``tag``: how an analysis gives a tag: a map from its
        symbols, marks such as ``+`` optional, of which the first found counts; a regular expression
        over the whole analysis, its first group; a function of the symbols. By default the first
        symbol like ``+N``, ``<n>`` or ``[N]``.

        >>> known = {"saws": [tuple("saw") + ("+N", "+Pl"), tuple("saw") + ("+V", "+3P")]}
        >>> def analyser(word):
        ...     return known.get(word, [])
        >>> dict(TagDictionary.from_analyser(analyser, ["Saws", "wug"]))
        {'Saws': ('N', 'V')}
        >>> TagDictionary.from_analyser(analyser, ["saws"], tag=r"[+].*")["saws"]
        ('+N+Pl', '+V+3P')
        """
        return cls(tags_of(words, analyser, tag))

    @classmethod
    def from_corpus(
        cls,
        sentences: Iterable[Sentence],
        first: int | None = None,
        min_count: int = 1,
        counts: bool = False,
    ) -> TagDictionary:
        """The dictionary of a tagged corpus, complete or diluted.

        A word that is not listed takes every tag if the dictionary is diluted, else the open class:
        the fewest tags that take 99 % of the words seen once in the sentences read, or all if there
        are none.

        Parameters
        ----------
        sentences : iterable of Sentence
            With tags.
        first : int, optional
            List the words of the first so many sentences only.
        min_count : int
            List only words seen at least so often (in those sentences).
        counts : bool
            Whether it is known how often each word has each of its tags; of a stream of readings
            it is not.

        Returns
        -------
        TagDictionary

        Raises
        ------
        CorpusError
            What is given is no list of sentences.
        DictionaryError
            A sentence without tags, no sentence at all.
        ParameterError
            `first` or `min_count` is below 1.

        Examples
        --------
        >>> rows = (["it", "rains"], ["it", "is"])
        >>> corpus = [Sentence(words, tags=["N", "V"]) for words in rows]
        >>> TagDictionary.from_corpus(corpus, min_count=2).lookup("rains")
        ('N', 'V')
        """
        FLAG.check(counts=counts)
        corpus = list(instances(sentences, Sentence))
        counts = counts and all(sentence.tags is not None for sentence in corpus)
        listed, productive, tags = count_tags(corpus, first, min_count)
        # Where each pair stands once it is a list of words, and no text.
        counts = counts and any(max(by_tag.values(), default=0) > 1 for by_tag in listed.values())
        columns = {sentence.tag_column for sentence in corpus}
        return cls(
            {word: list(by_tag) for word, by_tag in listed.items()},
            tags,
            productive or None,
            "all" if first is not None or min_count > 1 else "open",
            listed if counts else None,
            tag_column="".join(columns) if len(columns) == 1 else "",
        )

    @classmethod
    def from_file(cls, path: PathName, tag_column: str | None = None) -> TagDictionary:
        """Read a dictionary of any form that :mod:`fstce.corpora.dictionary_files` knows.

        Parameters
        ----------
        path : str or path
        tag_column : {"xpos", "upos"}, optional
            The tags of a table that has both.

        Returns
        -------
        TagDictionary

        Raises
        ------
        DictionaryError
            With file and line: a word without tags, a word listed twice, an empty field.

        Examples
        --------
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp(), "words.tsv")
        >>> _ = path.write_text("saw\\tNN VBD\\n")
        >>> TagDictionary.from_file(path)["saw"]
        ('NN', 'VBD')
        """
        PATH.check(path=path)
        TAG_COLUMN.or_none().check(tag_column=tag_column)
        data = read_dictionary(Path(path), tag_column)
        try:
            return cls.from_dict(data)
        except FstceError as error:
            raise DictionaryError(f"{path}: {error}") from None

    def for_text(self, sentences: Sentences) -> TagDictionary:
        """The dictionary with the words of a text that it lists in another case or form alone.

        What Unicode composes of letters and marks is one word in both of its normal forms.
        A word in capitals is known by its form in small letters, or with a capital; one with a
        capital by that in small letters if more than half of its tokens begin their sentences.

        Parameters
        ----------
        sentences : sequence of sequences of str

        Returns
        -------
        TagDictionary
            This one where it lists nothing so.

        Examples
        --------
        >>> listed = TagDictionary({"the": "DT", "may": ("MD", "NN")})
        >>> sorted(listed.for_text([["The", "MAY", "of", "May"], ['"', "The", "May"]]))
        ['MAY', 'The', 'may', 'the']
        """
        known = self.listed_forms(sentences)
        if not known:
            return self
        return self.updated(
            {word: self._tags[form] for word, form in known.items()},
            {word: self.counts[form] for word, form in known.items() if form in self.counts},
            {word: self.usual[form] for word, form in known.items() if form in self.usual},
        )

    def listed_forms(self, sentences: Sentences) -> dict[str, str]:
        """The listed form of each word of a text that is listed in another case or form alone.

        Parameters
        ----------
        sentences : sequence of sequences of str

        Returns
        -------
        dict from str to str
            As `for_text` says.

        Examples
        --------
        >>> TagDictionary({"the": "DT"}).listed_forms([["The", "THE", "of"]])
        {'The': 'the', 'THE': 'the'}
        """
        rows = checked_sentences(sentences, least=0)
        # In their order in the text, on which the bits of what is learned of them depend.
        tokens = Counter(chain.from_iterable(rows))
        words = [
            word
            for word in tokens
            if word not in self._tags and not (word.isascii() and word == word.lower())
        ]
        if not words:
            return {}
        starts = Counter(next((word for word in row if word[:1].isalpha()), "") for row in rows)

        known: dict[str, str] = {}
        for word in words:
            forms = [word]
            if len(word) > 1 and word.isupper():
                forms += [word.lower(), word.capitalize()]
            elif 2 * starts[word] > tokens[word]:
                forms.append(word.lower())
            (variants,) = in_known_forms([forms], self._tags)
            listed = [form for form in (*forms, *variants) if form in self._tags]
            if listed:
                known[word] = listed[0]
        return known

    def mapped(self, tag_map: Mapping[str, str]) -> TagDictionary:
        """The dictionary of the classes that a map gives for its tags; one without a class stays.

        >>> TagDictionary({"saw": ("NN", "VBD")}).mapped({"NN": "N"})["saw"]
        ('N', 'VBD')
        """
        TAG_MAP.check(tag_map=tag_map)

        def images(tags: Iterable[str]) -> list[str]:
            return [tag_map.get(tag, tag) for tag in tags]

        counts: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        for word, by_tag in self.counts.items():
            for tag, n in by_tag.items():
                counts[word][tag_map.get(tag, tag)] += n

        return TagDictionary(
            {word: images(tags) for word, tags in self._tags.items()},
            images(self.tagset),
            images(self.open_class),
            self.unseen,
            counts,
            dict(zip(self.usual, images(self.usual.values()), strict=True)),
        )

    def updated(
        self,
        words: Mapping[str, str | Iterable[str]],
        counts: Mapping[str, Mapping[str, float]] | None = None,
        usual: Mapping[str, str] | None = None,
    ) -> TagDictionary:
        """The dictionary with these words added, or in place of its own; new tags join the tagset.

        >>> TagDictionary({"saw": "N", "the": "D"}).updated({"saw": ("N", "V")}).to_dict()["words"]
        {'saw': ['N', 'V'], 'the': ['D']}
        """
        COUNTS.check(counts=counts)
        USUAL.check(usual=usual)
        is_empty = isinstance(words, Mapping) and not words
        new_tags = () if is_empty else TagDictionary(words).tagset
        old_counts = {word: by_tag for word, by_tag in self.counts.items() if word not in words}
        old_usual = {word: tag for word, tag in self.usual.items() if word not in words}
        return TagDictionary(
            {**self._tags, **words},
            (*self.tagset, *new_tags),
            None if self.open_class == self.tagset else self.open_class,
            self.unseen,
            {**old_counts, **(counts or {})},
            {**old_usual, **(usual or {})},
            self.tag_column,
        )

    def to_tsv(self, path: PathName) -> None:
        """Write the dictionary as a text file that :meth:`from_file` reads back as it is.

        Parameters
        ----------
        path : path
            The file.

        Examples
        --------
        >>> from fstce import TagDictionary
        >>> dictionary = TagDictionary({"saw": ("N", "V"), "the": "D"})
        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     dictionary.to_tsv(f"{folder}/tags.tsv")
        ...     pathlib.Path(folder, "tags.tsv").read_text().split()[-2:]
        ['the', 'D']
        """
        PATH.check(path=path)
        write_dictionary(path, self.to_dict())

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> TagDictionary:
        """The dictionary that :meth:`to_dict` took apart; only ``words`` is needed."""
        if not isinstance(data, Mapping) or not isinstance(data.get("words"), Mapping):
            raise DictionaryError(
                "a saved dictionary needs the entry 'words', a map from words to tags"
            )
        names = ("tagset", "open_class", "unseen", "counts", "usual", "tag_column")
        return cls(data["words"], **{name: data[name] for name in names if name in data})

    def to_dict(self) -> dict[str, Any]:
        """The dictionary as lists, strings and dicts, for JSON."""
        names = ("counts", "usual", "tag_column")
        extra = {name: value for name in names if (value := getattr(self, name))}
        return {
            "tagset": list(self.tagset),
            "open_class": list(self.open_class),
            "unseen": self.unseen,
            "words": {word: list(tags) for word, tags in self._tags.items()},
            **extra,
        }

    @classmethod
    def coerce(cls, obj: TagDictionary | Mapping[str, str | Iterable[str]]) -> TagDictionary:
        """A dictionary from a dictionary (itself) or from any mapping of words to tags."""
        return obj if isinstance(obj, cls) else cls(obj)

    def lookup(self, word: str) -> tuple[str, ...]:
        """The tags that a word may take, sorted, listed or not.

        Parameters
        ----------
        word : str

        Returns
        -------
        tuple of str

        Examples
        --------
        >>> TagDictionary({"saw": ("V", "N"), "the": "D"}).lookup("wug")
        ('D', 'N', 'V')
        """
        Rule("text").check(word=word)
        tags = self._tags.get(word)
        return tags if tags is not None else self.oov_tags

    def lookup_all(self, words: Words) -> list[tuple[str, ...]]:
        """The tags that each of many words may take: `lookup` of all at once.

        Parameters
        ----------
        words : sequence of str

        Returns
        -------
        list of tuple of str

        Examples
        --------
        >>> TagDictionary({"saw": ("V", "N"), "the": "D"}).lookup_all(["the", "wug"])
        [('D',), ('D', 'N', 'V')]
        """
        (row,) = checked_rows([words])
        others = self.oov_tags
        return [self._tags.get(word, others) for word in row]

    @property
    def oov_tags(self) -> tuple[str, ...]:
        """The tags that a word may take that is not listed."""
        return self.open_class if self.unseen == "open" else self.tagset

    def is_ambiguous(self, word: str) -> bool:
        """Whether a word may take more than one tag."""
        return len(self.lookup(word)) > 1

    def ambiguity(self, sentences: Sentences) -> float:
        """The mean number of tags that a token may take."""
        words = list(chain.from_iterable(checked_sentences(sentences)))
        return sum(map(len, self.lookup_all(words))) / len(words)

    def __getitem__(self, word: str) -> tuple[str, ...]:
        """The tags of a listed word."""
        return self._tags[word]

    def __iter__(self) -> Iterator[str]:
        """The listed words."""
        return iter(self._tags)

    def __len__(self) -> int:
        """The number of listed words."""
        return len(self._tags)

    def __eq__(self, other: object) -> bool:
        """Whether words, tagset, open class and rule for other words agree."""
        if isinstance(other, TagDictionary):
            return self.to_dict() == other.to_dict()
        return self._tags == other

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """The sizes."""
        return (
            f"TagDictionary({len(self):,} words, {len(self.tagset)} tags, unseen={self.unseen!r})"
        )


def _sorted_tags(tags: str | Iterable[str]) -> tuple[str, ...]:
    """The tags, each once, in order; raises DictionaryError where one is none."""
    names: list[Any] = list(tags) if is_listable(tags) else [tags]
    for tag in names:
        if not is_fit(tag):
            raise DictionaryError(f"tag {shown(tag)}: a tag {_SPELT}")
    return tuple(sorted(set(names)))


def dictionary_of(rows: Rows, tags: Rows) -> TagDictionary:
    """The tags that each word has; rows of tags without words are left out."""
    allowed: dict[str, set[str]] = {}
    for words, row in zip(rows, tags, strict=False):
        for word, tag in zip(words, row, strict=True):
            allowed.setdefault(word, set()).add(tag)
    return TagDictionary(allowed)
