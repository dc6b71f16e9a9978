"""``fstce tagger train``: from raw text and a dictionary."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fstce.console.clusters import connected
from fstce.console.models import load
from fstce.console.options import (
    TEXT,
    Corpus,
    Dask,
    Memory,
    ModelOutput,
    Quiet,
    ScratchFolder,
    Shards,
    corpora,
    helped,
    neighborhoods,
    option,
)
from fstce.console.output import count, facts, note, saved_in
from fstce.console.parameters import Given, Parameters
from fstce.console.places import check_model, note_unsaved
from fstce.console.reading import reading
from fstce.console.texts import gold_of, is_tagged, read
from fstce.errors import CorpusError, ParameterError
from fstce.tagging.verbs import scores, training
from fstce.tagging.verbs.members import Member, check_tags, members_of, train_members
from fstce.tagging.verbs.training_text import TrainingText

if TYPE_CHECKING:
    from fstce.corpora import Sentence, TagDictionary
    from fstce.tagging.product import TaggerProduct
    from fstce.tagging.tagger import Tagger


def _gazetteer(path: str) -> TagDictionary:
    from fstce.corpora import TagDictionary

    return TagDictionary.from_file(path)


def _start(text: str) -> Any:
    """A start by its name, or the model in a folder, from which training goes on."""
    if text in ("uniform", "random"):
        return text
    if not Path(text).exists():
        raise ParameterError(f"--start {text}: choose one of uniform, random, or name a tagger's folder")
    found = load(Path(text), "tagger")
    if hasattr(found, "taggers"):
        raise ParameterError(f"--start {text}: it is a product; training goes on from a single tagger")
    return found


TAGGER = Parameters(
    "fstce.tagging.tagger.Tagger",
    without=("decoder",),
    defaults={"jobs": -1},
    files={"gazetteer": _gazetteer, "start": _start},
)

Labelled = Annotated[
    str | None,
    option(
        "--labelled FILE",
        "A small tagged corpus to learn from beside the raw text.",
        TEXT,
        complete=corpora,
    ),
]
Spoken = Annotated[
    Path | None,
    option(
        "--answers FILE",
        "What a speaker says of words (fstce tagger ask): word, tab, all its tags, the usual one first.",
        TEXT,
    ),
]
Classes = Annotated[
    str | None,
    option(
        "--classes CORPUS",
        "Raw text: the classes of its words, by what stands beside them, are features of tokens.",
        TEXT,
        complete=corpora,
    ),
]
Product = Annotated[
    list[str] | None,
    option(
        "--product MEMBER",
        "Given again for each member: train a product of taggers. A neighbourhood, a criterion (em), or "
        "the folder of a trained tagger.",
        complete=neighborhoods,
    ),
]


@helped("""Train a tagger on raw text with a tagging dictionary.

Tags that the corpus carries serve to read the dictionary off, if no other is given,
and to print accuracies; only the supervised criteria learn from them. Ctrl-C saves the best weights
so far in the --output folder. A --product multiplies what its members believe of each word, and
is a model like any other: tag, evaluate, suggest, explain and export take it.

\b
Examples:
  fstce tagger train sample --output model
  fstce tagger train text.txt --dictionary words.tsv --output model
  fstce tagger train text.txt --dictionary analyser.hfst --output model
  fstce tagger train text.txt -d words.tsv --answers answers.tsv -o model
  fstce tagger train nltk:treebank --words 24000 --coarse -n length -o model
  fstce tagger train text.txt -d words.tsv -c em --smoothing 0.1 -o model
  fstce tagger train a.conllu -c conditional --features form,beside -o model
  fstce tagger train few.pos -c conditional --classes text.txt -o model
  fstce tagger train text.txt -d trees.mrg --min-count 3 --spelling -o model
  fstce tagger train sample --product trans1 --product em --output model
  fstce tagger train large.txt -d words.tsv --memory 2G --output model
  fstce tagger train a.txt -d w.tsv --shards s --dask tcp://host:8786
""")
def train(
    corpus: Corpus,
    parameters: Annotated[Given, TAGGER],
    text: TrainingText,
    product: Product = None,
    labelled: Labelled = None,
    answers: Spoken = None,
    classes: Classes = None,
    shards: Shards = None,
    memory: Memory = None,
    scratch: ScratchFolder = None,
    dask: Dask = None,
    output: ModelOutput = None,
    quiet: Quiet = False,
) -> None:
    from fstce.tagging.tagger import Tagger

    if classes is not None:
        parameters["gazetteer"] = _with_classes(parameters.get("gazetteer"), classes)
    members = members_of(product, parameters) if product else [Member("", Tagger(**parameters))]
    if product and (shards or dask):
        raise ParameterError("--shards holds the automata of one training: leave it out with --product")
    check_model(output, "tagger product" if product else "tagger")
    sentences, entries = text.read_with_dictionary(corpus)
    check_tags(members, entries)
    if not quiet:
        _warn_of_open_classes(entries, sentences)
        _tell_source(corpus, text.dictionary)
        training.describe(sentences, entries)
    more = None if labelled is None else read(labelled, coarse=text.tag_map or text.coarse)
    note_unsaved(output, quiet)
    place: dict[str, Any] = {"shards": shards, "memory": memory, "scratch": scratch}
    if not quiet:
        _tell_answers(entries, answers)
    with connected(dask) as client:
        place["client"] = client

        def fit(tagger: Tagger) -> None:
            own = None if product else output
            training.fit(tagger, sentences, entries, own, quiet, more, place, answers, part=bool(product))
            if not quiet:
                _tell_contrasts(tagger)

        record = reading().record(sentences)
        if product:
            model: Tagger | TaggerProduct = train_members(members, fit, record, output, quiet)
        else:
            model = members[0].tagger
            model.reading_ = record
            fit(model)
    if product and not quiet:
        facts([saved_in(output)])
    if not quiet and is_tagged(sentences):
        _show_accuracy(model, members, sentences, text.dictionary is None)


def _with_classes(lists: TagDictionary | None, corpus: str) -> TagDictionary:
    """The lists of words with the word classes of a raw text."""
    from fstce.corpora import TagDictionary
    from fstce.tagging.word_classes import word_classes

    found = word_classes(read(corpus))
    words = sorted({*found, *(lists or ())})
    return TagDictionary({w: (*(lists.get(w, ()) if lists else ()), *found.get(w, ())) for w in words})


def _tell_source(corpus: str, dictionary: str | None) -> None:
    if dictionary is None:
        note(f"no --dictionary: it is read off the tags of {corpus}")


def _tell_answers(entries: TagDictionary, answers: Path | None) -> None:
    """What is known of how often words have their tags."""
    from fstce.tagging.answers import read_answers

    if known := len(entries.counts) + len(entries.usual):
        note(
            f"the dictionary says how often {count(known, 'word')} have their tags, which the tagger follows"
        )
    if answers is not None:
        said = read_answers(answers)
        new = sorted({tag for answer in said.values() for tag in answer.tags}.difference(entries.tagset))
        note(
            f"answers for {count(len(said), 'word')}"
            + (f", with tags that the dictionary lacks: {' '.join(new)}" if new else "")
        )


def _warn_of_open_classes(entries: TagDictionary, sentences: Sequence[Sentence]) -> None:
    """Say so where most tags count as open: then little is known of words that are not listed."""
    n_open, n_tags = len(entries.open_class), len(entries.tagset)
    if entries.unseen == "all" or n_tags < 5 or 2 * n_open <= n_tags:
        return
    if all(word in entries for sentence in sentences for word in sentence):
        return
    which = "all" if n_open == n_tags else f"{n_open} of {n_tags}"
    note(
        f"{which} tags count as open classes, which words that are not listed may take; a line "
        f"'# open_class<TAB>TAG TAG …' in a .tsv dictionary names fewer, and so does --open-class"
    )


def _tell_contrasts(tagger: Tagger) -> None:
    """What ``auto`` stood for, where it stood for something."""
    from fstce.tagging.criteria import is_auto

    if tagger.criterion not in ("contrastive", "correction") or not is_auto(tagger.neighborhood):
        return
    found = tagger.contrasts_
    reason = f", for {len(tagger.tags_)} tags are too many for length" if len(found) == 1 else ""
    averaged = (
        ", averaged with an HMM" if tagger.criterion == "contrastive" and tagger.features_.has_words else ""
    )
    note(f"auto: contrasted with {' and '.join(found)}{reason}{averaged}")


def _show_accuracy(
    model: Tagger | TaggerProduct, members: Sequence[Member], sentences: Sequence[Sentence], own: bool
) -> None:
    """For information: how the tags found compare with those that the corpus carries."""
    from fstce.tagging.criteria import SUPERVISED

    try:
        gold = gold_of(sentences, model.tags_)
    except CorpusError as error:
        note(f"no accuracy: {error}")
        return
    print()
    single = len(members) == 1 and model is members[0].tagger
    if single:
        scores.show(scores.trained_rows(members[0].tagger, sentences, gold))
    else:
        named = [*members, ("product", model)]
        scores.show(scores.rows_of(named, sentences, gold))
    uses = ["these scores"]
    if own:
        uses.insert(0, "the dictionary")
    if any(tagger.criterion in SUPERVISED for _, tagger in members):
        uses.insert(0, "training")
    note(f"the tags of the corpus were used for {' and '.join(uses)} and nothing else")
