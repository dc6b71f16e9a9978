"""``fstce parser train``: a dependency grammar from tag sequences, with or without their trees."""

from __future__ import annotations

from typing import Annotated

from fstce.console.models import Fact, Recording, maximize
from fstce.console.options import TEXT, Corpus, Memory, helped, option
from fstce.console.output import count, is_quiet, note, remark, sections
from fstce.console.parameters import Given, Parameters
from fstce.console.reading import reading
from fstce.console.texts import size_of_text
from fstce.corpora import Sentence, dependency_corpus
from fstce.corpora.heads import is_projective
from fstce.errors import CorpusError
from fstce.estimation.objective import Likelihood, Objective
from fstce.parsing.criteria import SUPERVISED
from fstce.parsing.parser import DependencyParser
from fstce.parsing.verbs import treebanks
from fstce.parsing.verbs.evaluate import scores, trained_rows
from fstce.parsing.verbs.treebanks import MAX_LENGTH_HELP, Columns, columns

PARSER = Parameters("fstce.parsing.parser.DependencyParser", defaults={"jobs": -1})


@helped("""Train a dependency parser on the tags of a corpus.

Punctuation is removed first, and the words below it are lifted to what is above it. Trees
that the corpus carries, as heads or as phrases (by Collins' head rules), serve to print
scores; only the supervised criteria learn from them, and those from projective trees only.
Ctrl-C saves the best weights so far in the --output folder; the same command with --resume
goes on, and ends with the same weights. The model remembers the --tag-column.

\b
Examples:
  fstce parser train sample --output model
  fstce parser train nltk:dependency_treebank -n delortrans1 -o model
  fstce parser train train.conllu -c em --structural-bias -0.2 -o model
  fstce parser train train.conllu -c conditional --max-length 20 -o model
  fstce parser train nltk:treebank --rules penn -o model
  fstce parser train trees.mrg -n trans1 --max-length 40 --memory 2G -o out
  fstce parser train a.conllu --rules upos --head-final --tag-column upos
  fstce parser train text.conllu --labelled few.conllu --rules upos -o model
""")
def train(
    corpus: Corpus,
    parameters: Annotated[Given, PARSER],
    *,
    max_length: Annotated[int, option("--max-length N", MAX_LENGTH_HELP, TEXT, min=1)] = 10,
    labelled: Annotated[
        str | None,
        option("--labelled CORPUS", "A handful of trees to learn from beside the raw text.", TEXT),
    ] = None,
    memory: Memory = None,
    saving: Recording,
) -> None:
    parser = DependencyParser(**parameters)
    saving.check("dependency parser")

    sentences = list(reading().sentences(corpus))
    supervised = parser.recipe.criterion in SUPERVISED
    heads = {"heads": "ignored"}
    if supervised:
        heads = {"heads": "required", "faulty": "drop"}
    prepared = dependency_corpus(sentences, max_length=max_length, **heads)
    treebanks.check_some(prepared, corpus, max_length)
    rows, trees = columns(prepared)
    few = _labelled(labelled) if labelled else None

    tags = count(len({tag for row in rows for tag in row}), "tag")
    read = ("read", count(prepared.n_read, "sentence"))
    longest = ("longest", f"at most {count(max_length, 'word')}")
    saving.facts([read, ("corpus", f"{size_of_text(rows)}, {tags}"), longest])
    parser.tokenization_ = {**reading().record(sentences), "tag_column": reading().tag_column}
    saving.note_unsaved()

    def build(_: object) -> Objective | Likelihood:
        remark(f"building the charts of {count(len(rows), 'sentence')}")
        words = [sentence.words for sentence in prepared]
        objective = parser.compile(rows, trees, words=words, labelled=few, memory=memory)
        if parser.n_skipped_:
            remark(f"left out: {count(parser.n_skipped_, 'tree')}, not projective")
        return objective

    with treebanks.placed(prepared):
        maximize(parser, corpus, build, _sizes, saving)
    if not is_quiet():
        _show_scores(parser, sentences, max_length, supervised)


def _labelled(spec: str) -> Columns:
    """The tags and heads of trees beside the raw text, of any length."""
    prepared = dependency_corpus(reading().sentences(spec), heads="required", faulty="drop")
    treebanks.check_some(prepared, spec, None)
    rows, trees = columns(prepared)
    if not any(map(is_projective, trees)):
        raise CorpusError(f"{spec}: no tree is projective: training on trees needs one that is")
    return rows, trees


def _sizes(objective: Objective | Likelihood) -> Fact:
    """The sizes of the packed charts, sentences and neighborhoods together."""
    batches = [term.batch for term in objective.terms if hasattr(term, "batch")]
    if not batches:
        return "charts", "none are needed"

    charts = sum(map(len, batches))
    distinct = sum(batch.n_distinct for batch in batches)
    edges = count(sum(batch.size for batch in batches), "hyperedge")
    return "charts", f"{charts:,}, {distinct:,} of them distinct, with {edges}"


def _show_scores(
    parser: DependencyParser, sentences: list[Sentence], max_length: int, supervised: bool
) -> None:
    """For information: how the trees found compare with those that the corpus carries."""
    carrying = [s for s in sentences if s.heads is not None or s.tree is not None]
    gold = dependency_corpus(carrying, max_length=max_length, faulty="drop")
    if gold.faults and not supervised:
        note(f"not scored, as the heads are no tree: {treebanks.first_fault(gold.faults)}")
    if not len(gold):
        return

    rows, trees = columns(gold)
    print()
    if parser.constraint_satisfaction_ is not None:
        share = f"{100 * parser.constraint_satisfaction_:.1f} % of the heads"
        note(f"weakly supervised: {share} satisfy {parser.attachment_rules}")
    with treebanks.placed(gold):
        sections(scores(trained_rows(parser, rows, trees)))

    uses = "training and these scores" if supervised else "these scores"
    note(f"the trees of the corpus were used for {uses} and nothing else")
