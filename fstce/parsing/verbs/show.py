"""``fstce parser show``: the learned grammar, by tags and as a page.

What ``fstce info`` says of parsers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from fstce.console.models import features, heaviest, load
from fstce.console.options import AsJson, Model, PageOutput, helped, option
from fstce.console.output import Sheet, count, print_json, remark
from fstce.console.output import tables as print_tables
from fstce.console.places import check_file
from fstce.console.reading import reading
from fstce.corpora import dependency_corpus
from fstce.parsing import learnt_grammar as grammars
from fstce.parsing.attachment_rules import read_rules
from fstce.parsing.criteria import LOCAL
from fstce.parsing.learnt_grammar import LearntGrammar
from fstce.parsing.parser import DependencyParser

if TYPE_CHECKING:
    from fstce.reporting.tables import Table


TREES = 8  # typical tag sequences whose trees are drawn


@helped("""Show the grammar that a dependency parser has learned.

For each tag: how likely it is the head of a sentence, how many children it is expected to have
on its left and on its right, and which. A contrastive grammar's weights are normalized
within each choice. Relations are not predicted: a grammar knows heads and children alone.

\b
Examples:
  fstce parser show model --tag NN,VBD
  fstce parser show model --rules penn --list 10
  fstce parser show model --text sample -o grammar.html
""")
def show(
    model: Model,
    tag: Annotated[
        str | None, option("--tag -t NAME,...", "Only these tags, as NN,VB.", show_default="all")
    ] = None,
    n: Annotated[
        int, option("--list N", "How many children of each tag, rows of the other tables.", min=1)
    ] = 5,
    rules: Annotated[
        str | None,
        option(
            "--rules FILE", "Also list the likeliest attachments that these rules do not allow."
        ),
    ] = None,
    text: Annotated[
        str | None,
        option("--text CORPUS", "Draw the trees of its most frequent tag sequences on the page."),
    ] = None,
    output: PageOutput = None,
    as_json: AsJson = False,
) -> None:
    check_file(output, ".html")
    parser: DependencyParser = load(model, "parser")
    grammar = grammars.learnt_grammar(parser)
    chosen = None
    if tag is not None:
        chosen = [name.strip() for name in tag.split(",") if name.strip()]

    tables = [grammars.tag_table(grammar, chosen, n)]
    if rules is not None:
        tables.append(grammars.contradictions(grammar, read_rules(rules), 4 * n))

    if as_json:
        print_json(_record(tables))
    else:
        print_tables(tables, first_title=False)
    if output is not None:
        _page(parser, grammar, tables, text).write(output)
        remark(f"wrote {output}")


def _record(tables: Sequence[Table]) -> dict[str, Any]:
    record = {}
    for table in tables:
        rows = [row for row in table.rows if isinstance(row, Sequence)]
        record[table.name] = [dict(zip(table.columns, row, strict=True)) for row in rows]
    return record


def _page(
    parser: DependencyParser, grammar: LearntGrammar, tables: Sequence[Table], text: str | None
) -> Any:
    from fstce.corpora.links import tree_svg
    from fstce.reporting.page import Page

    chosen = parser.recipe
    facts = parser.facts()
    learnt = f", learned from {facts['trained on']}" if "trained on" in facts else ""
    lead = f"How each of {count(grammar.model.n_tags, 'tag')} governs others{learnt}."
    page = Page("Learned grammar", lead, sortable=True)
    page.facts({"criterion": chosen.criterion, "start": chosen.start, **facts})
    for table in tables:
        page.section(table.title)
        page.table(table)
    if text is None:
        return page

    page.section("Typical trees")
    for row, times in _typical(parser, text):
        [heads] = parser.predict([row])
        [chances] = parser.predict_proba([row])
        certain = [chances[head, i] for i, head in enumerate(heads)]
        picture = tree_svg(row, heads, weights=certain)
        page.picture(picture, f"{count(times, 'sentence')}; the thicker a link, the more certain.")
    return page


def _typical(parser: DependencyParser, text: str) -> list[tuple[tuple[str, ...], int]]:
    """The most frequent tag sequences of more than two words."""
    reading().tag_column = reading().column_of(parser)
    rows = dependency_corpus(reading().sentences(text), heads="ignored")
    sequences = Counter(sentence.tags for sentence in rows if len(sentence) > 2 and sentence.tags)
    return sequences.most_common(TREES)


def reported(model: DependencyParser) -> list[Sheet]:
    """For ``fstce info``: what the open parameters came to, the tags, the heaviest weights.

    Of a generative grammar these are its likeliest roots and children, as stopping is near 1.
    """
    tags = ("tags", f"{model.model_.n_tags}: {' '.join(model.model_.tags)}")
    recipe = model.recipe
    against = ""
    if recipe.criterion in ("contrastive", "supervised-contrastive"):
        against = f" against {recipe.neighborhood}"
    weighed = f", trees by {recipe.knowledge}" if recipe.knowledge else ""
    learnt = f"{recipe.criterion}{against} from the start {recipe.start}"
    rows = [("recipe", f"{learnt}, structural bias {recipe.structural_bias:g}{weighed}"), tags]
    if model.n_labelled_:
        rows.append(("beside the text", count(model.n_labelled_, "tree")))
    if model.n_skipped_:
        rows.append(("left out", count(model.n_skipped_, "tree") + ", not projective"))

    local = recipe.criterion in LOCAL
    weights = model.weights()
    rows.append(features(weights))
    listed = ((name, weight) for name, weight in weights.items() if not local or name[0] != "stop")
    return [((), rows), heaviest(listed, likely=local)]
