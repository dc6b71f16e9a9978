"""An explanation as one self-contained page: nothing is loaded, nothing runs."""

from __future__ import annotations

import shlex

from fstce.explanation.tables import decision_table, facts, neighbor_table, reading_table
from fstce.explanation.values import Comparison, Findings
from fstce.machines.sketch import drawable
from fstce.reporting import Page
from fstce.reporting.trellis import bars, trellis

RIVALS = 3  # neighbors whose features are shown
MOST_ARCS = 500  # of a lattice that graphviz draws; it takes long over a larger one
_ADDS_UP = (
    "A feature adds the difference of its expected counts times its weight, in nats. With the difference "
    "of the entropies of the hidden structures, all features add up to the log-odds."
)


def page(why: Findings, features: int) -> Page:
    """The page: lattice, neighbors, features, posteriors.

    ``features``: how many features of each comparison are shown.
    """
    made = Page(f"Explanation: {' '.join(why.words)}", _summary(why))
    made.facts(facts(why))
    made.section("The neighborhood")
    _add_lattice(made, why)
    made.text("To move about in it, and to change weights and see what comes of it:")
    made.code(f"fstce machine inspect MODEL {shlex.quote(' '.join(why.words))} -o page.html")
    made.table(neighbor_table(why))
    made.section("What decides")
    made.text(_ADDS_UP)
    _add_comparison(made, why.whole, features, "", "features")
    for number, rival in enumerate(why.neighbors[:RIVALS], 1):
        _add_comparison(made, rival.comparison, features, " ".join(rival.words), f"features-{number}")
    made.section("Posteriors")
    picture = trellis(why.words, why.readings, why.posteriors, why.answer)
    made.picture(
        _at_full_size(picture), "The posterior of each reading of each word; the line joins answers."
    )
    made.table(reading_table(why))
    return made


def _summary(why: Findings) -> str:
    taken = f"The sentence has {100 * why.probability:.3g} % of its neighborhood's probability."
    if not why.neighbors:
        return f"{taken} It has no neighbors."
    rival = why.neighbors[0]
    share = f"{100 * rival.probability:.3g} %"
    return f"{taken} “{' '.join(rival.words)}” is the strongest neighbor, with {share}."


def _add_lattice(made: Page, why: Findings) -> None:
    states, arcs = len(why.lattice), len(why.arc_posteriors)
    if drawable(states, arcs):
        engine = "auto" if arcs <= MOST_ARCS else "simple"
        picture = why.lattice.draw(why.arc_posteriors.tolist(), engine=engine)
        made.picture(
            _at_full_size(picture), "The neighborhood: the thicker an arc, the more probable its words."
        )
    else:
        made.text(f"The lattice has {states:,} states and {arcs:,} arcs, too many to be drawn.")


def _add_comparison(made: Page, comparison: Comparison, features: int, against: str, name: str) -> None:
    decisions = comparison.top(features)
    table = decision_table(comparison, features, against, name)
    if decisions:
        labels = [" ".join(one.name) for one in decisions]
        made.picture(bars(labels, [one.nats for one in decisions]), f"{table.title}, in nats.")
    made.table(table)


def _at_full_size(svg: str) -> str:
    """The picture with a mark that keeps a page from shrinking it: it scrolls instead."""
    return svg.replace("<svg ", '<svg style="max-width:none" ', 1)
