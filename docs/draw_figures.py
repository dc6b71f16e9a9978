"""Redraw the README's pictures: Figure 1's lattices, and the TRANS1 transducer over three words."""

from __future__ import annotations

from pathlib import Path

from fstce import neighborhood
from fstce.machines import write_drawing

HERE = Path(__file__).parent
SENTENCE = ["natural", "language", "is", "a", "delicate", "thing"]


def main() -> None:
    for name in ("del1word", "trans1", "del1subseq"):
        write_drawing(neighborhood(name)(SENTENCE).to_fst(), HERE / f"figure1_{name}.svg")


if __name__ == "__main__":
    main()
