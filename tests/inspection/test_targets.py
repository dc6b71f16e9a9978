"""Pages of neighborhoods and models: stages that end in the lattice; what is no target is refused."""

from __future__ import annotations

import pynini
import pytest

from fstce import neighborhood
from fstce.errors import ParameterError
from fstce.inspection.targets import inspected, of_neighborhood


@pytest.mark.parametrize("name", ["trans1", "del1subseq", "trans1 | del1word"])
def test_the_last_stage_is_the_lattice(name: str) -> None:
    words = ("so", "it", "goes")
    page = of_neighborhood(name, words)
    lattice = neighborhood(name)(words)
    assert pynini.isomorphic(page.views[-1].fst, lattice.to_fst())
    assert f"{lattice.count():,} sentences" in page.summary
    assert page.title.endswith("so it goes")


def test_what_has_no_transducer_says_so() -> None:
    page = of_neighborhood("half:first", ("so", "it"))
    assert "no transducer of its own" in page.summary and len(page.views) == 1


def test_what_is_no_target_is_refused() -> None:
    with pytest.raises(ParameterError, match="int is nothing to inspect"):
        inspected(3, None, None)
    with pytest.raises(ParameterError, match="is that of a model"):
        inspected("trans1", None, "del1word")
