"""What a tagger is trained on, as the options of several verbs give it, and how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Literal

from fstce.console.models import Fact, Recording, maximize
from fstce.console.options import TEXT, Coarse, TagMap, Words, option
from fstce.console.output import count, remark
from fstce.console.parameters import Given, Parameters
from fstce.console.progress import TrainingShown
from fstce.console.texts import dictionary_of, is_stream, read, size_of_text, tags_of
from fstce.corpora import Sentence, TagDictionary, coarse_map
from fstce.corpora.coverage import Coverage, with_marks
from fstce.corpora.vocabulary import Vocabulary
from fstce.errors import ParameterError
from fstce.estimation.objective import Likelihood, Objective
from fstce.tagging.criteria import LOCAL, SUPERVISED, is_auto, lists_little
from fstce.tagging.readings import JOINT, ReadingTags
from fstce.tagging.tagger import Tagger

TAGGER = Parameters(
    "fstce.tagging.tagger.Tagger",
    without=("decoder",),
    defaults={"jobs": -1},
    files={"gazetteer": TagDictionary.from_file},
)

TaggerDecoding = Annotated[
    Given, Parameters("fstce.tagging.tagger.Tagger", only=("decoder",), panel=None)
]


FEATURES = {"conditional": ("form", "context")}
RULES = {"full": "symbols, all of them", "first": "first symbol"}


@dataclass(frozen=True)
class TaggedText:
    """Options of a text that may have tags.

    How much of it is read, and what becomes of its tags.
    """

    words: Words = None
    coarse: Coarse = False
    tag_map: TagMap = None

    def read(self, corpus: str) -> list[Sentence]:
        """The sentences of a corpus, cut and projected."""
        return read(corpus, self.words, self.tag_map or self.coarse)


@dataclass(frozen=True)
class TrainingText(TaggedText):
    """Options of a text to train on and of its dictionary, which is read off its tags or given."""

    dictionary: Annotated[
        str | None,
        option(
            "--dictionary -d FILE",
            "A .tsv file (word, tab, tags), a tagged corpus with its counts, or an analyser of "
            "foma or HFST (.att .hfst .fst; behind a colon a regular expression for the tag); by "
            "default the tags of CORPUS itself.",
            TEXT,
        ),
    ] = None
    dictionary_as: Annotated[
        Literal["constraints", "features"],
        option(
            "--dictionary-as",
            "What a supervised criterion takes the dictionary for: the tags that words may have, "
            "or features of words, which some wrong or missing tags do no harm.",
            TEXT,
        ),
    ] = "constraints"
    min_count: Annotated[
        int, option("--min-count N", "Dilute: list the words seen at least so often.", TEXT, min=1)
    ] = 1
    open_class: Annotated[
        str | None,
        option(
            "--open-class TAG,...",
            "The tags of open classes, in place of the dictionary's own.",
            TEXT,
        ),
    ] = None

    def read_with_dictionary(
        self, corpus: str, parameters: Given, of_both: bool = False
    ) -> tuple[list[Sentence], TagDictionary]:
        """The sentences of a corpus and their dictionary.

        Of a stream its readings, as parameters say. `of_both`: whether readings may be learned
        whole and by their classes.
        """
        sentences = self.read(corpus)
        readings = None
        if is_stream(sentences):
            self._tag_readings(parameters, of_both)
            readings = ReadingTags(parameters["reading_tags"]).dictionary(sentences)
            unmapped = ReadingTags(self.class_rule).unmapped(sentences)
            if unmapped:
                remark(
                    f"--tag-map {self.tag_map} lacks {' '.join(unmapped)}, which stay as they are"
                )
            if parameters.get("criterion") in SUPERVISED:
                sentences = ReadingTags(parameters["reading_tags"]).as_gold(sentences)
                readings = None

        entries = readings
        if entries is None or self.dictionary is not None:
            coarse = self.tag_map or self.coarse
            entries = dictionary_of(
                self.dictionary, sentences, coarse=coarse, min_count=self.min_count
            )

        if self.dictionary is not None:
            if readings is not None and {*readings.tagset}.isdisjoint(entries.tagset):
                raise ParameterError(
                    f"{self.dictionary}: no reading of {corpus} has a tag of it, "
                    f"{' '.join(entries.tagset[:9])}: they have {' '.join(readings.tagset[:9])}; "
                    "say which is which with --tag-map FILE"
                )
            coverage = Coverage.of(entries, sentences)
            coverage.check(self.dictionary, corpus)
            for doubt in coverage.doubts(entries):
                remark(doubt)
            if entries.unseen == "open":
                n_listed = len(entries)
                entries = with_marks(entries, chain.from_iterable(sentences))
                n_added = len(entries) - n_listed
                if n_added:
                    marks = count(n_added, "mark or number", "marks and numbers")
                    remark(f"added to the dictionary: {marks} of the text that it lacks")

        if self.dictionary_as == "features":
            entries = self._as_features(entries, sentences, parameters)
        if self.open_class is not None:
            tags = [name.strip() for name in self.open_class.split(",") if name.strip()]
            entries = TagDictionary.from_dict({**entries.to_dict(), "open_class": tags})
        return sentences, entries

    def _as_features(
        self, entries: TagDictionary, sentences: Sequence[Sentence], parameters: Given
    ) -> TagDictionary:
        """Make features of a dictionary; the dictionary that is read off the text in its place."""
        criterion = parameters.get("criterion", "contrastive")
        learns = criterion in SUPERVISED and criterion not in LOCAL
        if not learns or self.dictionary is None or "gazetteer" in parameters:
            raise ParameterError(
                "--dictionary-as features: a supervised criterion learns them (-c conditional or "
                "supervised-contrastive), of --dictionary FILE, and without another --gazetteer"
            )
        parameters["gazetteer"] = entries
        parameters.setdefault("features", FEATURES.get(criterion, ("form",)))
        remark("the tags of the dictionary are features of words, which constrain nothing")
        return dictionary_of(None, sentences, min_count=self.min_count)

    @property
    def class_rule(self) -> str | Mapping[str, str]:
        """The tags of readings that are their classes."""
        return "first" if self.tag_map is None else coarse_map(self.tag_map)

    def _tag_readings(self, parameters: Given, of_both: bool) -> None:
        """Set what parameters leave open of the tags of a stream's readings.

        Whole ones, if parts can be and neither map nor dictionary has their first symbols.
        """
        has_parts = parameters.get("criterion") not in LOCAL and parameters.get("order", 2) == 2
        if "reading_tags" not in parameters:
            of_symbols = self.tag_map or self.dictionary
            rule = "full" if has_parts and (of_both or not of_symbols) else "first"
            parameters["reading_tags"] = rule
            remark(f"the tag of a reading is its {RULES[rule]} (--reading-tags)")
        if parameters["reading_tags"] != "full":
            parameters["reading_tags"] = self.class_rule
        elif has_parts:
            parameters.setdefault("parts", JOINT)
            parameters.setdefault("order", 2)


@dataclass(frozen=True)
class TaggerTraining:
    """The text and resources that taggers are trained on.

    ``corpus``: what it is called. ``labelled``: tagged sentences besides the raw ones. ``answers``:
    a file of what a speaker says of words. ``resources``: where the automata lie, as `Tagger.fit`
    has it. ``is_of_readings``: whether the dictionary of each tagger is that of a stream's
    readings. A supervised criterion learns from the sentences' own tags.
    """

    corpus: str
    sentences: Sequence[Sentence]
    dictionary: TagDictionary
    saving: Recording
    labelled: Sequence[Sentence] | None = None
    answers: Path | None = None
    resources: Mapping[str, Any] = field(default_factory=dict)
    is_of_readings: bool = False

    def describe(self) -> None:
        """Print the sizes of the text and of its dictionary."""
        known = self.dictionary
        rule = f"{len(known.open_class)} open-class tags" if known.unseen == "open" else "every tag"
        listed = (
            f"{count(len(known), 'word')}, {count(len(known.tagset), 'tag')}; other words: {rule}"
        )
        ambiguity = f"{known.ambiguity(self.sentences):.2f} tags a word"
        corpus = size_of_text(self.sentences, types=True)
        self.saving.facts([("corpus", corpus), ("dictionary", listed), ("ambiguity", ambiguity)])

    def fit(self, tagger: Tagger, part: bool = False) -> None:
        """Train, telling of it, and save; a `part` of another model is saved by it."""
        maximize(tagger, self.corpus, partial(self.build, tagger), sizes, self.saving, part)
        if is_auto(tagger.neighborhood) and tagger.criterion not in (*LOCAL, "conditional"):
            averaged = ""
            if tagger.training_criterion().auto and tagger.features_.has_words:
                averaged = ", averaged with an HMM"
                if lists_little(tagger.dictionary_, Vocabulary.of(self.sentences)):
                    averaged += ", which counts half, since less than half of the text is listed"
            remark(f"auto: contrasted with {' and '.join(tagger.contrasts_)}{averaged}")

    def build(self, tagger: Tagger, building: TrainingShown) -> Objective | Likelihood:
        """The automata of the text, telling of it."""
        remark(f"building the automata of {count(len(self.sentences), 'sentence')}")
        tags = tags_of(self.sentences) if tagger.criterion in SUPERVISED else None
        more = None if self.labelled is None else (self.labelled, tags_of(self.labelled))
        return tagger.compile(
            self.sentences,
            tags,
            dictionary=None if self.is_of_readings else self.dictionary,
            labelled=more,
            answers=self.answers,
            resources={"building": building, **self.resources},
        )


def sizes(objective: Objective | Likelihood) -> Fact:
    """The sizes of the packed automata, sentences and neighborhoods together."""
    batches = [batch for term in objective.terms for batch in getattr(term, "batches", ())]
    if not batches:  # a supervised chain of bigrams
        return "automata", "none are needed"
    counted = [(batch.n_machines, batch.n_states, batch.n_arcs) for batch in batches]
    machines, states, arcs = map(sum, zip(*counted, strict=True))
    return "automata", f"{machines:,} with {count(states, 'state')} and {count(arcs, 'arc')}"
