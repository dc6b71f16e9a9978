"""``fstce tagger train``: from raw text and a dictionary.

Of a product, one member after the other.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

from fstce.console.applying import connected
from fstce.console.models import Recording, load
from fstce.console.options import TEXT, Corpus, Dask, Memory, Shards, helped, option
from fstce.console.output import count, is_quiet, note, remark, sections
from fstce.console.parameters import Given
from fstce.console.reading import reading
from fstce.console.texts import gold_of, is_stream, is_tagged, read
from fstce.corpora import Sentence, TagDictionary
from fstce.errors import CorpusError, ParameterError
from fstce.neighborhoods.registry import AUTO, neighborhood
from fstce.storage.folder import MANIFEST
from fstce.tagging.answers import read_answers
from fstce.tagging.criteria import CRITERIA, SUPERVISED, is_auto
from fstce.tagging.product import TaggerProduct
from fstce.tagging.readings import ReadingTags
from fstce.tagging.tagger import Tagger
from fstce.tagging.verbs.evaluate import scored, scores, trained_rows
from fstce.tagging.verbs.training import TAGGER, TaggerTraining, TrainingText

# Parameters of which training on a stream makes one tagger, not a product.
OF_ONE_TAGGER = frozenset({"reading_tags", "parts", "criterion", "start", "features", "gazetteer"})


def members_of(names: Sequence[str], parameters: Mapping[str, Any]) -> dict[str, Tagger]:
    """The members that ``--product`` names; those that are to be trained have these parameters."""
    if "neighborhood" in parameters:
        raise ParameterError(
            "--neighborhood and --product: each --product names the neighborhood of a member"
        )
    members: dict[str, Tagger] = {}
    for name in names:
        for called, tagger in _named(name, parameters, len(members)).items():
            if called in members:
                raise ParameterError(
                    f"--product {called} twice: two trainings from one start are alike; with "
                    "--start random each has a seed of its own"
                )
            members[called] = tagger
    return members


def train_members(
    members: Mapping[str, Tagger], training: TaggerTraining, reading: Mapping[str, Any]
) -> TaggerProduct:
    """Train the members that are not, and save their product; on Ctrl-C that of those so far."""
    missing = [name for name, tagger in members.items() if not hasattr(tagger, "theta_")]

    def product() -> TaggerProduct:
        ended = [tagger for name, tagger in members.items() if name not in missing]
        made = TaggerProduct(ended or [members[missing[0]]])
        made.tokenization_ = reading
        return made

    def done() -> str:
        n_ended = len(members) - len(missing)
        if not n_ended and not hasattr(members[missing[0]], "theta_"):
            return ""
        return f"{n_ended} of {count(len(members), 'member')}"

    for name in [*missing]:
        saved = [str(training.saving.output)] * (len(missing) < len(members))
        asked = [f"--product={name.partition(', seed ')[0]}" for name in (*saved, *missing)]
        hint = "" if training.is_of_readings else f"; go on with: {shlex.join(asked)}"
        with training.saving.rescuing(product, done, saved="; saved in", hint=hint):
            remark(f"member {list(members).index(name) + 1} of {len(members)}: {name}")
            training.fit(members[name], part=True)
        missing.remove(name)

    trained = product()
    training.saving.save(trained)
    return trained


def _named(name: str, parameters: Mapping[str, Any], number: int) -> dict[str, Tagger]:
    """The tagger of a folder, a product's members, or one by its criterion or neighborhood.

    Of those that are to be trained the n-th random start has the n-th seed.
    """
    if (Path(name) / MANIFEST).exists():
        model = load(Path(name), "tagger")
        if isinstance(model, Tagger):
            return {name: model}
        return {f"{name}: {n}": one for n, one in enumerate(model.taggers, 1)}

    own = dict(parameters)
    called = name
    if own.get("start") == "random":
        own["seed"] = own.get("seed", 0) + number
        called = f"{name}, seed {own['seed']}"
    if name in CRITERIA:
        own["criterion"] = name
    else:
        own["neighborhood"] = AUTO if is_auto(name) else neighborhood(name)
    return {called: Tagger(**own)}


@helped("""Train a tagger on raw text with a tagging dictionary.

Tags that the corpus carries serve to read the dictionary off, if no other is given,
and to print accuracies; only the supervised criteria learn from them. Ctrl-C saves the best weights
so far in the --output folder; the same command with --resume goes on, and ends with the same
weights. A --product multiplies what its members believe of each word, and
is a model like any other: tag, evaluate, ask and suggest take it.

\b
Examples:
  fstce tagger train sample --output model
  fstce tagger train text.txt --dictionary words.tsv --output model
  fstce tagger train analysed.txt --output model
  fstce tagger train text.txt --dictionary analyser.hfst --output model
  fstce tagger train text.txt -d words.tsv --answers answers.tsv -o model
  fstce tagger train nltk:treebank --words 24000 --coarse -n length -o model
  fstce tagger train text.txt -d words.tsv -c em --smoothing 0.1 -o model
  fstce tagger train a.conllu -c conditional --features form,context -o model
  fstce tagger train few.pos -c conditional -d w.tsv --dictionary-as features
  fstce tagger train text.txt -d trees.mrg --min-count 3 --spelling -o model
  fstce tagger train sample --product trans1 --product em --output model
  fstce tagger train large.txt -d words.tsv --memory 2G --output model
  fstce tagger train a.txt -d w.tsv --shards s --dask tcp://host:8786
""")
def train(
    corpus: Corpus,
    parameters: Annotated[Given, TAGGER],
    text: TrainingText,
    *,
    product: Annotated[
        list[str] | None,
        option(
            "--product MEMBER",
            "Given again for each member: train a product of taggers. A neighborhood, a criterion "
            "(em), or the folder of a trained tagger.",
        ),
    ] = None,
    labelled: Annotated[
        str | None,
        option(
            "--labelled CORPUS", "A small tagged corpus to learn from besides the raw text.", TEXT
        ),
    ] = None,
    answers: Annotated[
        Path | None,
        option(
            "--answers FILE",
            "What a speaker says of words (fstce tagger ask): word, tab, all its tags, the usual "
            "one first.",
            TEXT,
        ),
    ] = None,
    shards: Shards = None,
    dask: Dask = None,
    memory: Memory = None,
    saving: Recording,
) -> None:
    if product and (shards or dask):
        raise ParameterError(
            "--shards holds the automata of one training: leave it out with --product"
        )

    if product and saving.resume:
        raise ParameterError(
            "--resume goes on with one training; a product that was interrupted is a member "
            f"itself: --product {saving.output or 'FOLDER'}, and those that it lacks"
        )

    asked = dict(parameters)
    is_of_one = product or text.open_class or text.dictionary or labelled or saving.resume
    of_both = OF_ONE_TAGGER.isdisjoint(parameters) and not (is_of_one or shards or dask)
    sentences, entries = text.read_with_dictionary(corpus, parameters, of_both)
    is_of_readings = of_both and is_stream(sentences) and parameters["reading_tags"] == "full"

    saving.check("tagger product" if product or is_of_readings else "tagger")
    members = {"trained": Tagger(**parameters)}
    if product:
        members = members_of(product, parameters)
    elif is_of_readings:
        by_class = Tagger(**asked, reading_tags=text.class_rule)
        members = {"whole readings": Tagger(**parameters), "classes": by_class}

    more = None
    if labelled is not None:
        more = read(labelled, by_suffix=True, coarse=text.tag_map or text.coarse)
        more = ReadingTags(parameters.get("reading_tags", "first")).as_gold(more)
    with connected(dask) as client:
        resources = {"shards": shards, "memory": memory, "client": client}
        training = TaggerTraining(
            corpus, sentences, entries, saving, more, answers, resources, is_of_readings
        )
        if not is_quiet():
            if text.dictionary is None and not is_stream(sentences):
                note(f"no --dictionary: it is read off the tags of {corpus}")
            _describe(training)

        record = reading().record(sentences, entries)
        model: Tagger | TaggerProduct
        if product or is_of_readings:
            model = train_members(members, training, record)
        else:
            model = members["trained"]
            model.tokenization_ = record
            training.fit(model)

    if not is_quiet() and is_tagged(sentences) and not is_stream(sentences):
        _show_accuracy(model, members, sentences, text.dictionary is None)


def _describe(training: TaggerTraining) -> None:
    """Print sizes, and report what the dictionary, labeled sentences and answers say."""
    training.describe()
    training.saving.note_unsaved()
    entries = training.dictionary
    n_counted = len(entries.counts) + len(entries.usual)
    if n_counted:
        n_words = count(n_counted, "word")
        remark(f"the dictionary says how often {n_words} have their tags, which the tagger follows")
    if training.labelled is not None:
        _report_labelled(entries, training.labelled)
    if training.answers is not None:
        _report_answers(entries, training.answers, training.sentences)


def _report_labelled(entries: TagDictionary, labelled: Sequence[Sentence]) -> None:
    """Report the tags of labeled sentences that the dictionary lacks."""
    tags = Counter(chain.from_iterable(sentence.tags or () for sentence in labelled))
    new = sorted(set(tags).difference(entries.tagset))
    if not new:
        return
    n_words = sum(tags[tag] for tag in new)
    columns = sorted({s.tag_column.upper() for s in labelled if s.tag_column})
    source = f", read from {' and '.join(columns)} (--tag-column)" if columns else ""
    remark(
        f"--labelled: {n_words:,} of {count(tags.total(), 'word')} have tags that the dictionary "
        f"lacks{source}: {' '.join(new)}"
    )


def _report_answers(entries: TagDictionary, file: Path, sentences: Sequence[Sentence]) -> None:
    """Report the answers, their tags that are new, and the words that the text lacks."""
    answers = read_answers(file, entries.tagset)
    tags = {tag for answer in answers.values() for tag in answer.tags}
    new = sorted(tags.difference(entries.tagset))
    lacking = f", with tags that the dictionary lacks: {' '.join(new)}" if new else ""
    remark(f"answers for {count(len(answers), 'word')}{lacking}")

    in_text = {word.lower() for sentence in sentences for word in sentence}
    absent = [word for word in answers if word.lower() not in in_text]
    if absent:
        remark(
            f"{count(len(absent), 'word')} of the answers the text lacks: {' '.join(absent[:10])}"
        )


def _show_accuracy(
    model: Tagger | TaggerProduct,
    members: Mapping[str, Tagger],
    sentences: Sequence[Sentence],
    own: bool,
) -> None:
    """For information: how the tags found compare with those that the corpus carries."""
    try:
        gold = gold_of(sentences, model.tags_)
    except CorpusError as error:
        note(f"no accuracy: {error}")
        return
    print()
    if isinstance(model, TaggerProduct):
        taggers: dict[str, Tagger | TaggerProduct] = {**members, "product": model}
        found = {name: one.predict(sentences) for name, one in taggers.items()}
        sections(scores(scored(found, sentences, gold, model.dictionary_)))
    else:
        sections(scores(trained_rows(model, sentences, gold)))
    uses = ["the dictionary"] * own + ["these scores"]
    if any(tagger.criterion in SUPERVISED for tagger in members.values()):
        uses.insert(0, "training")
    note(f"the tags of the corpus were used for {' and '.join(uses)} and nothing else")
