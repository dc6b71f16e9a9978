"""``fstce parser parse``: tagged sentences in, dependency trees out, in their order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Annotated, Literal, NamedTuple

from fstce.console.applying import Answered, Applying, each
from fstce.console.models import load
from fstce.console.options import KBest, Model, helped, option
from fstce.console.output import count, remark
from fstce.console.reading import reading
from fstce.corpora import Sentence, conllu_sentence, dependency_corpus
from fstce.corpora.conll import replace_heads, with_misc
from fstce.corpora.dependencies import DependencySentence
from fstce.corpora.passages import Passage
from fstce.errors import CorpusError, ParameterError
from fstce.parsing.parser import DependencyParser
from fstce.parsing.verbs.treebanks import report_unseen

CONLL = ("conllu", "conllx")
# How trees are written.
TreeNotation = Literal["conllu", "text"]


@helped("""Parse tagged sentences into dependencies.

Of a CoNLL file HEAD and DEPREL are replaced (root, or the unspecified dep), and everything
else is passed through; its own heads are not looked at. Other input comes out as CoNLL-U.
Input without a known suffix is word/TAG lines. The
grammar does not see punctuation: a removed word attaches to the nearest word before it
that is kept, or else to the first. The --tag-column is that of the training unless it is given.

A sentence that cannot be parsed (damaged lines, no tags, nothing but punctuation, too
large) is passed through with a warning. A tag that training did not see attaches anywhere,
with weight zero; such tags are counted at the end.

\b
Examples:
  echo "the/DT dog/NN barks/VBZ" | fstce parser parse model
  fstce parser parse model test.conllu > parsed.conllu
  fstce parser parse model trees.mrg --proba
  fstce parser parse model tagged.pos --output-format text
""")
def parse(
    model: Model,
    applying: Applying,
    output_format: Annotated[
        TreeNotation, option("--output-format", "CoNLL-U, or trees as text.")
    ] = "conllu",
    k: KBest = None,
    proba: Annotated[bool, option("--proba", "Add the posterior of each head, in MISC.")] = False,
) -> None:
    if proba and output_format == "text":
        raise ParameterError("--proba has no place in text: use --output-format conllu")

    parser = load(model, "parser")
    reading().tag_column = reading().column_of(parser)
    answering = partial(of_sentences, parser, k=k, proba=proba, notation=output_format)
    text = passages(applying.text)

    parsed = 0
    passed = 0
    tags = Counter[str]()
    for _, answer in applying.written(answering, text, partial(as_it_came, output_format)):
        parsed += answer.known is not None and not answer.warning
        passed += bool(answer.warning)
        tags.update(answer.known or ())

    unparsed = f", {passed:,} passed through unparsed" if passed else ""
    remark(f"parsed {count(parsed, 'sentence')}{unparsed}")
    report_unseen(tags, parser)


def passages(text: str) -> Iterator[Passage]:
    """The sentences of a text, and what stands between them.

    A text that would be plain is read as ``word/TAG``.
    """
    if text.lower().endswith((".fst", ".far")):
        raise ParameterError(f"{text}: a machine, no text; a grammar parses sentences")
    if reading().format == "plain":
        raise ParameterError("plain text has no tags: tag it first, or give word/TAG text")

    reading().faults.reported_by_caller = True  # with what else is unparsed
    any_sentence = False
    try:
        for passage in reading().passages(text, plain="tagged"):
            any_sentence = any_sentence or passage.sentence is not None
            yield passage
    except CorpusError as error:
        if any_sentence or "word/TAG" not in str(error):
            raise
        raise CorpusError(
            f"{error}; a parser needs tags: tag the text first (fstce tagger tag)"
        ) from None


class Tree(NamedTuple):
    """The heads of all words of a sentence.

    ``heads``: from 1; 0 is the root. ``weight``: the log weight, where one is wanted.
    ``posteriors``: that of each head as MISC has it, where they are wanted; empty for a word that
    the grammar does not see.
    """

    heads: tuple[int, ...]
    weight: float | None
    posteriors: Sequence[str]


def as_it_came(notation: TreeNotation, passage: Passage, reason: str = "") -> Answered:
    """A sentence without a tree, or what stands between two.

    It is said why, where there is a reason.
    """
    reason = reason or passage.fault
    lines = passage.lines if passage.format in CONLL or passage.fault else ()
    if notation == "text":
        block = f"{passage.sentence}\n\n" if passage.sentence is not None else ""
    elif lines or passage.sentence is None:
        block = "".join(lines)
    else:
        block = conllu_sentence(passage.sentence)
    return Answered(block, f"passed through unparsed: {reason}" if reason else "")


def _conllu(passage: Passage, sentence: Sentence, tree: Tree, remarks: Sequence[str]) -> str:
    if passage.format in CONLL and passage.columns:
        replaced = replace_heads(passage.lines, tree.heads)
        lines = [f"# {remark}\n" for remark in remarks]
        lines += (line if line.endswith(("\r", "\n")) else f"{line}\n" for line in replaced)
        if remarks and lines[-1].strip():
            lines.append("\n")
    else:
        block = conllu_sentence(sentence, tree.heads, comments=remarks)
        lines = [f"{line}\n" for line in block.removesuffix("\n").split("\n")]

    if tree.posteriors:
        return "".join(with_misc(lines, tree.posteriors))
    return "".join(lines)


def _text(passage: Passage, sentence: Sentence, tree: Tree, remarks: Sequence[str]) -> str:
    from fstce.corpora.links import tree_text

    drawn = tree_text(sentence.words, tree.heads, sentence.tags)
    comments = [f"# {remark}" for remark in remarks]
    return "".join(f"{line}\n" for line in (*comments, drawn, ""))


def _block(
    notation: TreeNotation, passage: Passage, sentence: Sentence, trees: Sequence[Tree]
) -> str:
    """A sentence with each of its trees."""
    write = _text if notation == "text" else _conllu
    blocks = []
    for rank, tree in enumerate(trees, 1):
        remarks = []
        if tree.weight is not None:
            remarks = [f"rank = {rank}", f"log_weight = {tree.weight:.6f}"]
        blocks.append(write(passage, sentence, tree, remarks))
    return "".join(blocks)


def of_sentences(
    parser: DependencyParser,
    batch: list[Passage],
    k: int | None,
    proba: bool,
    notation: TreeNotation,
) -> list[Answered]:
    """Each sentence with its trees, or as it came; the tags that the grammar saw.

    ``k``: how many trees of each; None for the best. ``proba``:
    whether posteriors are wanted too.
    """

    def parsed(some: list[tuple[Passage, DependencySentence]]) -> list[Answered]:
        trees_of_each = _trees(parser, [sentence for _, sentence in some], k, proba)
        answers = []
        for pair, trees in zip(some, trees_of_each, strict=True):
            passage, sentence = pair
            if not trees:
                answers.append(unparsed(pair, "the grammar allows no tree"))
                continue
            block = _block(notation, passage, sentence.original, trees)
            answers.append(Answered(block, "", sentence.tags))
        return answers

    def unparsed(pair: tuple[Passage, DependencySentence], error: str) -> Answered:
        passage, sentence = pair
        return as_it_came(notation, passage, f"{sentence.source}: {error}")._replace(
            known=sentence.tags
        )

    pairs = [(p, _prepared(p.sentence)) for p in batch if p.sentence is not None]
    readable = [(p, sentence) for p, sentence in pairs if not isinstance(sentence, str)]
    ready = iter(each(parsed, unparsed, readable))
    return [
        as_it_came(notation, p, reason) if isinstance(reason, str) else next(ready)
        for p, reason in pairs
    ]


def _prepared(sentence: Sentence) -> DependencySentence | str:
    """A sentence as the grammar sees it, or why it sees nothing."""
    try:
        corpus = dependency_corpus([sentence], heads="ignored")
    except CorpusError as error:
        return str(error)
    if not len(corpus):
        return f"{sentence.source}: nothing but punctuation"
    return corpus[0]


def _trees(
    parser: DependencyParser, sentences: Sequence[DependencySentence], k: int | None, proba: bool
) -> list[list[Tree]]:
    """The trees of each sentence, over all words of the original.

    None where the grammar allows none.
    """
    rows = [sentence.tags or () for sentence in sentences]
    best_of_each: Iterable[Sequence[tuple[tuple[int, ...], float | None]]]
    if k:
        best_of_each = parser.k_best(rows, k)
    else:
        best_of_each = ([(heads, None)] for heads in parser.predict(rows))
    tables = parser.predict_proba(rows) if proba else [None] * len(rows)

    trees_of_each: list[list[Tree]] = []
    for sentence, best, table in zip(sentences, best_of_each, tables, strict=True):
        trees = []
        for heads, weight in best:
            posteriors: list[str] = []
            if table is not None:
                posteriors = [""] * len(sentence.original)
                for word, (place, head) in enumerate(zip(sentence.kept, heads, strict=True)):
                    posteriors[place] = f"HeadProbability={table[head, word]:.4f}"
            trees.append(Tree(sentence.restore(heads), weight, posteriors))
        trees_of_each.append(trees)
    return trees_of_each
