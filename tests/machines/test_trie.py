"""The union of sentences against OpenFst's."""

from __future__ import annotations

import numpy as np
import pynini
from hypothesis import given
from hypothesis import strategies as st

from fstce.machines.image import arrays_to_fst
from fstce.machines.lattice import of_sentences


@given(st.lists(st.lists(st.integers(1, 4), min_size=1, max_size=5), min_size=1, max_size=8))
def test_it_is_the_minimal_union(sentences: list[list[int]]) -> None:
    ours = arrays_to_fst(of_sentences([np.array(sentence, dtype=np.int32) for sentence in sentences]))
    theirs = pynini.union(*("".join(f"[{word}]" for word in sentence) for sentence in sentences))
    theirs = pynini.determinize(theirs.rmepsilon()).minimize()
    assert pynini.equivalent(ours, theirs) and ours.num_states() == theirs.num_states()
