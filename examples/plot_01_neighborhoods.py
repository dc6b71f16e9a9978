"""Figure 1 of Smith & Eisner (2005a): one sentence and the lattices of its neighbourhoods.

Run: python examples/plot_01_neighborhoods.py [FOLDER]
"""

from __future__ import annotations

import sys
from pathlib import Path

from fstce import neighborhood
from fstce.machines import write_drawing

SENTENCE = ["natural", "language", "is", "a", "delicate", "thing"]


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("del1word", "trans1", "del1subseq"):
        lattice = neighborhood(name)(SENTENCE)
        write_drawing(lattice.to_fst(), folder / f"{name}.svg")
        print(f"{name}: {lattice.count()} sentences, {len(lattice)} states → {folder / name}.svg")
        for words in lattice.strings(3):
            print("   ", " ".join(words))


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "figures"))
