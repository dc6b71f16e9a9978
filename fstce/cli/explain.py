"""``fstce explain``.

Which neighbors take probability from a sentence, and which features decide.
"""

from __future__ import annotations

from typing import Annotated

from fstce.console.models import load
from fstce.console.options import AsJson, Model, PageOutput, argument, helped, option
from fstce.console.output import facts, print_json, remark, tables, words_of
from fstce.console.places import check_file
from fstce.errors import ParameterError


@helped("""Explain how a model sees a sentence in its neighborhood.

Lists the neighbors that take most probability from the sentence, summed over all their
taggings, with the log-odds of the sentence against each; the features that decide, for
the whole neighborhood and for the strongest neighbors; and the posteriors at each word.
A feature adds the difference of its expected counts times its weight, in nats; with the
difference of the entropies of the taggings, all features add up to the log-odds.

\b
Examples:
  fstce explain model "the baker will light the lamp"
  fstce explain model "the baker will light the lamp" --output why.html
  fstce explain model "the baker will light" -n del1word --k 3
  fstce explain grammar "DT NN VBZ DT NN" --json
  fstce machine inspect model "the baker will light" -o page.html
""")
def explain(
    model: Model,
    sentence: Annotated[list[str], argument("WORD...", "Words, quoted or not; tags for a parser.")],
    neighborhood: Annotated[
        str | None,
        option("--neighborhood --neighbourhood -n NAME", "Ask about another one than the model's."),
    ] = None,
    k: Annotated[int, option("--k N", "How many neighbors are listed.", min=1)] = 10,
    features: Annotated[
        int, option("--features N", "How many features of each comparison are listed.", min=0)
    ] = 10,
    output: PageOutput = None,
    as_json: AsJson = False,
) -> None:
    from fstce.corpora.streams import stream_of
    from fstce.explanation.explain import explain as ask
    from fstce.explanation.page import facts as facts_of
    from fstce.explanation.page import tables as tables_of

    check_file(output, ".html")
    text = " ".join(sentence)
    if stream_of(text.splitlines()):
        raise ParameterError("a sentence is explained by its words; leave the readings out")
    why = ask(load(model, explained=True), words_of(text), neighborhood, k=k)
    if as_json:
        print_json(why.to_dict(features), indent=2)
    else:
        facts(list(facts_of(why).items()))
        tables(tables_of(why, features))

    if output is not None:
        why.page(features).write(output)
        remark(f"wrote {output}")
