"""``fstce machine info``.

The sizes of a machine or of an archive, and whether they are lattices.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fstce.console.options import ArcType, Machine, helped
from fstce.console.output import count, facts, silenced
from fstce.console.places import as_file

if TYPE_CHECKING:
    import pynini

Facts = list[tuple[str, str]]


@helped("""Say what a file of a machine, or an archive of machines (.far), holds.

\b
Examples:
  fstce machine info lattice.fst
  fstce machine info machines/emissions.fst
  fstce machine info analyser.hfst
  fstcompile machine.txt | fstce machine info -
""")
def info(file: Machine, arc_type: ArcType = None) -> None:
    with as_file(file) as path:
        facts(machine_facts(path, arc_type))


def machine_facts(path: Path, arc_type: str | None = None) -> Facts:
    """The sizes of a machine or of an archive."""
    from fstce.machines.contract import first_broken
    from fstce.machines.convert import read_with_form
    from fstce.machines.files import read_far
    from fstce.machines.openfst import n_arcs

    archive = path.suffix.lower() == ".far"
    with silenced():
        if archive:
            machines = list(read_far(path).values())
            form = " ".join(sorted({f"arcs {fst.arc_type()}" for fst in machines}))
        else:
            fst, form = read_with_form(path, arc_type=arc_type)
            machines = [fst]
    sizes = [
        ("states", f"{sum(fst.num_states() for fst in machines):,}"),
        ("arcs", f"{sum(map(n_arcs, machines)):,}"),
        ("type", form),
    ]
    if archive:
        lattices = count(sum(not first_broken(fst, sound=True) for fst in machines), "machine")
        return [("machines", f"{len(machines):,}"), *sizes, ("contract", f"kept by {lattices}")]
    symbols = fst.input_symbols()
    n_symbols = "none"
    if symbols is not None:
        n_symbols = f"{symbols.num_symbols():,}"
    return [*sizes, ("symbols", n_symbols), ("kind", _kind(fst)), ("contract", _verdict(fst))]


_OPPOSITES = {"acceptor": "transducer", "acyclic": "cyclic", "unweighted": "weighted"}


def _kind(fst: pynini.Fst) -> str:
    """The form of a machine by its properties, as fstinfo reports them."""
    from fstce.machines.openfst import has

    words = []
    for name in ("acceptor", "acyclic", "unweighted"):
        words.append(name if has(fst, name.upper()) else _OPPOSITES[name])
    if has(fst, "I_DETERMINISTIC"):
        words.append("deterministic")
    if not has(fst, "NO_EPSILONS"):
        words.append("with ε:ε")
    if fst.start() < 0:
        words.append("without a start: it accepts nothing")
    return ", ".join(words)


def _verdict(fst: pynini.Fst) -> str:
    from fstce.machines.contract import first_broken
    from fstce.machines.openfst import has

    if not has(fst, "ACCEPTOR"):
        return (
            "that of lattices is not asked of a transducer; "
            "as a neighborhood: fstce neighborhood check"
        )
    broken = first_broken(fst, sound=True)  # as it is read
    if broken:
        return f"it is no lattice: {broken}"
    return "kept: it is a lattice"
