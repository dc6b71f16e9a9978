"""The union of sentences against OpenFst's."""

from __future__ import annotations

import numpy as np
import pynini
from hypothesis import given
from hypothesis import strategies as st

from fstce.machines.image import arrays_to_fst
from fstce.machines.lattice import of_sentences

WORD = st.one_of(st.integers(1, 4), st.sampled_from([255, 256, 257, 65_536, 2**31 - 1]))


@given(st.lists(st.lists(WORD, min_size=1, max_size=5), min_size=1, max_size=8))
def test_it_is_the_minimal_union(sentences: list[list[int]]) -> None:
    ours = arrays_to_fst(
        of_sentences([np.array(sentence, dtype=np.int32) for sentence in sentences])
    )
    theirs = pynini.union(*("".join(f"[{word}]" for word in sentence) for sentence in sentences))
    theirs = pynini.determinize(theirs.rmepsilon()).minimize()
    assert pynini.equivalent(ours, theirs) and ours.num_states() == theirs.num_states()
