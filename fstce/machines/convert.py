"""Machines in the files of any tool: read by what they hold, written by their suffix.

=================  ============================================  ===================================
``.fst``           OpenFst's binary form                         vector
``.far``           an archive; one machine ``archive.far:key``   written alone
``.txt`` ``.att``  AT&T text, its words in ``.syms`` next to it
``.hfst``          HFST's file                                   of OpenFst's machine
``.hfstol``        HFST's file for optimized lookup
``.zhfst``         HFST's speller: ``speller.zhfst:errmodel``    (``fstce speller export``)
``.foma``          foma's binary file                            without weights
=================  ============================================  ===================================

Any of them may be packed by gzip, ``analyser.att.gz``. A file of text or of HFST's that holds
several machines is their union, as hfst-lookup takes it; ``file.att:2`` is the second alone, so too
of a stack of foma's. ``spelling`` says how each tool spells ε; tables stay as they are read unless
one is asked for.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fstce.corpora.words import RESERVED
from fstce.errors import MachineError, ParameterError
from fstce.machines import files, foma, hfst
from fstce.machines.algebra import ARC_TYPES, verified
from fstce.machines.binary import BinaryReader, inflated, unsound
from fstce.machines.files import FAR_MAGICS, FST_MAGIC, content
from fstce.machines.image import arrays_to_fst, fst_to_arrays, is_weight, write_image
from fstce.machines.openfst import pynini, pywrapfst
from fstce.machines.operations import operate
from fstce.machines.spelling import (
    EPSILONS,
    OF_APERTIUM,
    OF_HFST,
    SPELLINGS,
    TOOLS,
    from_state_0,
    lettered,
    respelled,
    spelling_of,
    spells_epsilon,
    unescaped,
    with_one_table,
)
from fstce.machines.symbols import EPSILON
from fstce.machines.text import (
    MachineLine,
    fields_of,
    is_acceptor,
    parse_att,
    read_symbols,
    write_arcs,
)
from fstce.parameters.rules import choice, shown
from fstce.storage.atomic import write_whole

Machines = Mapping[str, "pynini.Fst"] | list["pynini.Fst"]  # by key, or by number, from 1


class Format(NamedTuple):
    """A kind of binary file; text is what none of these is.

    ``begins``: how the bytes of one begin; where they need not, its suffix says so. ``read``: from
    the bytes of a file and its name to the machines and what they say of themselves. ``write``:
    from a machine and the name to bytes.
    """

    begins: tuple[bytes, ...]
    read: Callable[[bytes, str], tuple[Machines, str]]
    write: Any = None


# The symbols of a machine's input and output, and where each were read, for messages.
Sides = Sequence[tuple["pywrapfst.SymbolTable | None", str]]


def read_machine(path: Path | str, **reading: Any) -> pynini.Fst:
    """Read a machine from any of the files above, its symbols as the file has them.

    ``reading``: as :func:`read_with_form` takes it.
    """
    return read_with_form(path, **reading)[0]


def read_with_form(
    path: Path | str,
    *,
    isymbols: Path | str | None = None,
    osymbols: Path | str | None = None,
    arc_type: str | None = None,
    key: str | None = None,
    numbers: bool = False,
    epsilon: str | None = None,
    token_type: str | None = None,
) -> tuple[pynini.Fst, str]:
    """A machine and the form of its file, as fstinfo and hfst-summarize call it.

    ``path``: a file, or ``archive.far:key``. ``isymbols``, ``osymbols``: symbol files; without
    `osymbols` the output has the input's. For text without either, the ``.syms`` file of the same
    name; where there is none either, labels that are all numbers are ids unless `epsilon` is
    given, and other labels are the symbols themselves, numbered as they come. ``arc_type``: the
    arc type wanted; by default the file's own, for text ``standard``; ``log`` is read as
    ``log64``, which holds its weights exactly. Only ``log64`` keeps 17 digits of a weight.
    ``key``: of an archive; of a file of several machines the number, from 1. ``numbers``: whether
    the labels of text are ids although there are symbols, as k2 writes them. ``epsilon``: what
    spells ε in text; by default `EPSILONS`, and where lt-print wrote it ``ε``. ``token_type``: of
    a machine without symbols, ``byte`` or ``utf8`` if its labels are those of letters.
    """
    choice(*ARC_TYPES).or_none().check(arc_type=arc_type)
    choice("byte", "utf8").or_none().check(token_type=token_type)
    name, inner = archived(os.fspath(path))
    file = Path(name)
    key = key or inner
    held = [inflated(content(file), name)]
    if suffix_of(file) == ".zhfst":
        held, key = [hfst.zhfst_member(held[0], name, key or hfst.ACCEPTOR)], None

    file_format = _format_of(held[0], file)
    sides = _sides(file, isymbols, osymbols, beside=file_format is None)
    machines: Machines
    if file_format is None:
        texts = TextReader(name, sides, numbers, epsilon, arc_type or "standard")
        machines, form = texts.read(held.pop()), "AT&T text"
    else:
        machines, form = file_format.read(held.pop(), name)  # who reads may drop it

    if key is None and len(machines) > 1 and form.startswith(_UNITED):
        fst = operate("union", list(machines), [name] * len(machines))
        form += f", union of {len(machines)} machines"
    else:
        fst = _of_key(machines, key, name)
    if sides is not None:
        _name(fst, sides, str(file))
    if token_type is not None and fst.input_symbols() is None:
        fst = lettered(fst, token_type, str(file))
    if arc_type not in (None, fst.arc_type()):
        fst = pynini.arcmap(fst, map_type=f"to_{arc_type}")
    return fst, form


def _format_of(data: bytes, path: Path) -> Format | None:
    """The format of a file by its bytes, else by its suffix; None for text."""
    suffix = suffix_of(path)
    by_suffix = FORMATS.get(suffix)
    if data.startswith(b"LTTB"):
        raise MachineError(f"{path}: a dictionary of lttoolbox's; print it: lt-print --hfst, .att")
    if suffix == ".far":
        return by_suffix
    for file_format in FORMATS.values():
        if data.startswith(file_format.begins):
            return file_format

    if by_suffix is None and suffix not in TEXT_SUFFIXES:
        raise ParameterError(f"{path}: no machine; one is a file of {' '.join(SUFFIXES)}")
    if by_suffix is not None and by_suffix.begins:
        whose = "an OpenFst machine" if suffix == ".fst" else "a file of HFST's or foma's"
        raise MachineError(f"{path}: not {whose}; AT&T text is .txt or .att, OpenFst's .fst")
    return by_suffix


def archived(name: str) -> tuple[str, str | None]:
    """A path and the key behind its colon: ``archive.far:key``, ``speller.zhfst:part``."""
    file, colon, key = name.rpartition(":")
    suffix = suffix_of(file)
    if colon and (suffix in (".far", ".zhfst") or (key.isdecimal() and suffix in SUFFIXES)):
        return file, key
    return name, None


def suffix_of(file: Path | str) -> str:
    """The suffix that says how a file is read, without that of gzip.

    >>> suffix_of("analyser.ATT.gz")
    '.att'
    """
    return Path(str(file).removesuffix(".gz")).suffix.lower()


def _sides(
    path: Path, isymbols: Path | str | None, osymbols: Path | str | None, *, beside: bool
) -> Sides | None:
    """The symbol files that are given or, if `beside`, stand next to the file."""
    symbols_file = Path(str(path).removesuffix(".gz")).with_suffix(".syms")
    if isymbols is None and osymbols is not None:
        raise ParameterError("--osymbols without --isymbols; give the symbols of the input too")
    if isymbols is None and beside and symbols_file.is_file():
        isymbols = symbols_file
    if isymbols is None:
        return None
    input_side = (read_symbols(isymbols), str(isymbols))
    if osymbols is None:
        return [input_side, input_side]
    return [input_side, (read_symbols(osymbols), str(osymbols))]


def _name(fst: pynini.Fst, sides: Sides, where: str) -> None:
    """Give a machine its symbols; raises MachineError where a label has none."""
    (isymbols, ifile), (osymbols, ofile) = sides
    if fault := unsound(fst_to_arrays(fst), isymbols, osymbols):
        raise MachineError(
            f"{where}: {fault} in {' or '.join(dict.fromkeys((ifile, ofile)))}; add it"
        )
    fst.set_input_symbols(isymbols).set_output_symbols(osymbols)


def _of_key(machines: Machines, key: str | None, where: str) -> pynini.Fst:
    """The machine of a key, or the only one."""
    if not isinstance(machines, Mapping):
        machines = {str(number): fst for number, fst in enumerate(machines, 1)}
    keys = list(machines)
    if key is None and len(keys) == 1:
        key = keys[0]
    if key is not None and key in machines:
        return machines[key]

    asked = f"none is {key!r}"
    if key is None:
        asked = f"say which, as {where}:KEY"
    keys[5:-1] = ["…"] * (len(keys) > 6)
    raise ParameterError(f"{where} holds {len(machines):,} machines; {asked}: {', '.join(keys)}")


class TextReader(NamedTuple):
    """How the text of a file is read; see :func:`read_with_form`."""

    where: str
    sides: Sides | None
    numbers: bool
    epsilon: str | None
    arc_type: str
    tool: str = "fstce"  # that wrote it

    @property
    def epsilons(self) -> Sequence[str]:
        """The labels that are ε."""
        if self.epsilon is None:
            return EPSILONS
        return OF_HFST if self.epsilon in OF_HFST else [self.epsilon]

    def read(self, data: bytes) -> list[pynini.Fst]:
        """The machines that lines of ``--`` part."""
        parts: list[list[MachineLine]] = [[]]
        for line in fields_of(Path(self.where), data):
            if line.fields == ["--"]:
                parts.append([])
            else:
                parts[-1].append(line)
        if len(parts) > 1 and not parts[-1]:
            parts.pop()

        reader = self
        if self.sides is None and not self.numbers:
            arcs = [line.fields for part in parts for line in part if len(line.fields) > 2]
            reader = self.of_its_tool(arcs, ends_in_tabs=b"\t\n" in data)
        return list(map(reader.machine, parts))

    def of_its_tool(self, arcs: Sequence[list[str]], *, ends_in_tabs: bool) -> TextReader:
        """The reader of what one tool wrote, as all arcs of the file tell."""
        labels = {label for fields in arcs for label in fields[2:4] if not is_weight(label)}
        weights = ["".join(fields[4:]) for fields in arcs]
        has_six_digits = bool(arcs) and all(map(_SIX_DIGITS.fullmatch, weights))
        # OpenFst's programs write numbers; HFST's write words, and weights of six digits. foma's
        # are words, too, but nothing in the file says so: whoever names its ε does.
        if self.epsilon is None and not has_six_digits and all(map(_has_numbers, arcs)):
            return self._replace(numbers=True)

        tool = "fstce"
        if has_six_digits or any(label == "@0@" or "@_" in label for label in labels):
            tool = "hfst"
        if any(" " in label for label in labels):
            tool = "foma"

        spelt = labels.intersection(EPSILONS)
        epsilon = self.epsilon
        if epsilon is None and spelt.intersection(OF_HFST):
            epsilon = OF_HFST[0]  # beside it <eps> is a word
        has_tags = any(label[:1] == "<" and label[-1:] == ">" for label in labels)
        if epsilon is None and OF_APERTIUM in labels and not spelt and (has_tags or ends_in_tabs):
            if any("α" <= label <= "ω" for label in labels - {OF_APERTIUM}):
                raise MachineError(
                    f"{self.where}: lt-print spells both the letter and ε {OF_APERTIUM!r}; print "
                    "it with lt-print --hfst, or convert it with --epsilon @0@ if all are letters"
                )
            epsilon = OF_APERTIUM
        return self._replace(tool=tool, epsilon=epsilon)

    def machine(self, lines: Sequence[MachineLine]) -> pynini.Fst:
        """The machine of these lines, with the symbols that are given, or that its labels are."""
        if self.numbers:
            return arrays_to_fst(parse_att(lines, (None, "")), self.arc_type)

        sides = self.sides
        if sides is None:
            arcs = [line for line in lines if len(line.fields) > 2]
            are_numbers = all(_has_numbers(line.fields) for line in arcs)
            end = 3 if is_acceptor(arcs, None if are_numbers else {}) else 4
            labels = [label for line in arcs for label in line.fields[2:end]]
            sides = [(self.table(labels), self.where)] * 2

        ids = [(self.ids(table, file), file) for table, file in sides]
        of_tool = sides[0][0] is not None and sides[0][0].name() in TOOLS
        start = 0 if of_tool and lines else None  # theirs, whichever line is the first
        fst = arrays_to_fst(parse_att(lines, *ids, start=start), self.arc_type)
        return fst.set_input_symbols(sides[0][0]).set_output_symbols(sides[1][0])

    def table(self, labels: Sequence[str]) -> pywrapfst.SymbolTable:
        """A table of the labels, named after the tool that wrote them."""
        symbols = dict.fromkeys(labels)
        table = pywrapfst.SymbolTable(self.tool)
        reserved = [] if self.tool in TOOLS else RESERVED[1:]
        spelt = [label for label in symbols if label in self.epsilons] or [self.epsilon or EPSILON]
        for symbol in (spelt[0], *reserved, *symbols):
            if symbol and symbol not in spelt[1:]:
                table.add_symbol(unescaped(symbol))
        return table

    def ids(self, table: pywrapfst.SymbolTable | None, file: str) -> dict[str, int]:
        """The ids of a table's symbols, and of all that spells ε."""
        ids = {symbol: label for label, symbol in table or ()}
        zero = next((symbol for symbol, label in ids.items() if label == 0), None)
        if zero is not None and zero not in self.epsilons and not spells_epsilon(zero):
            raise MachineError(
                f"{file}: id 0 is the word {shown(zero)}, but id 0 is ε; count words from 1, or "
                f"say that it spells ε (fstce machine convert --epsilon {shown(zero)})"
            )

        for epsilon in self.epsilons:
            if ids.setdefault(epsilon, 0) and zero is None:
                raise MachineError(
                    f"{file}: {shown(epsilon)} has the id {ids[epsilon]}, but ε is id 0; renumber "
                    "the symbols"
                )
        return ids


def _has_numbers(arc: Sequence[str]) -> bool:
    """Whether the labels of an arc are numbers; of one label a weight may stand behind it."""
    label, *behind = arc[2:4]
    return label.isascii() and label.isdecimal() and all(map(is_weight, behind))


def write_machine(
    fst: pywrapfst.Fst,
    path: Path | str,
    *,
    spelling: str | None = None,
    numbers: bool = False,
    sound: bool = False,
    name: str | None = None,
) -> None:
    """Write a machine as its suffix says, into an archive alone.

    ``fst``: of pynini, pywrapfst or pyfoma. ``spelling``: one of `SPELLINGS`; by default the
    symbols stay as they are, and what HFST or foma wrote goes into text as that tool writes it.
    Text has one symbol file: where input and output have different symbols, it holds both, the
    output's words with new ids. In HFST's spelling the start is state 0, as HFST and foma demand,
    and every label is a symbol. ``numbers``: write ids instead of words in text; the words stay in
    ``.syms``. ``sound``: whether the machine, of pynini, is known to be sound. ``name``: what
    messages call the machine; by default the path.
    """
    path = Path(path)
    where = name or str(path)
    choice(*SPELLINGS).or_none().check(spelling=spelling)
    machine = fst
    if not sound:
        machine = verified(fst, where)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise ParameterError(f"{path}: the suffix says what is written; use {' '.join(SUFFIXES)}")
    if suffix == ".zhfst":
        raise ParameterError(f"{path}: a speller is written by fstce speller export")

    if suffix in TEXT_SUFFIXES:
        spelling = spelling or spelling_of(machine)
    machine = respelled(machine, spelling, where)
    if suffix in TEXT_SUFFIXES:
        _write_text(machine, path, where, spelling, numbers)
    elif suffix == ".fst":
        write_image(machine, path)
    elif suffix == ".far":
        files.write_far({files.far_key(0, 1): machine}, path)
    else:
        write_whole(path, FORMATS[suffix].write(machine, where), MachineError)


def read_att(
    path: Path | str, symbols_path: Path | str | None = None, arc_type: str = "standard"
) -> pynini.Fst:
    """Read AT&T text: `read_machine` of it.

    Parameters
    ----------
    path : Path or str
    symbols_path : Path or str, optional
        The symbols; by default the ``.syms`` of the same name.
    arc_type : {"standard", "log64"}
        What the weights are.
    """
    return read_machine(path, isymbols=symbols_path, arc_type=arc_type)


def write_att(fst: pywrapfst.Fst, path: Path | str) -> None:
    """Write AT&T text, ``.att`` or ``.txt``, and its ``.syms``: `write_machine`."""
    write_machine(fst, path)


def _write_text(
    fst: pynini.Fst, path: Path, where: str, spelling: str | None, numbers: bool
) -> None:
    if fst.start() == pywrapfst.NO_STATE_ID:
        raise MachineError(
            f"{where}: the machine has no start state, so there is nothing to write as text"
        )
    if spelling in TOOLS and numbers:
        raise ParameterError(f"{where}: HFST's text has words, not numbers; leave --numbers out")

    named = [table is not None for table in (fst.input_symbols(), fst.output_symbols())]
    if not all(named):
        if spelling in TOOLS and any(map(fst.num_arcs, fst.states())):
            raise MachineError(
                f"{where}: HFST's text has words, and the machine has none; give --isymbols"
            )
        if any(named):
            raise MachineError(f"{where}: one side alone has symbols; give --isymbols, --osymbols")
        write_arcs(fst_to_arrays(fst), None, path, where)
        return

    arrays, table = with_one_table(fst)
    if not table.member(0):
        table.add_symbol(EPSILON, 0)
    if not spells_epsilon(table.find(0)):
        raise MachineError(
            f"{where}: the table calls ε {shown(table.find(0))}, which in text is a word; give "
            "--spelling openfst"
        )
    # Whose symbols are theirs is read as theirs is: it begins in state 0.
    if spelling in TOOLS or any(name in OF_HFST or "@_" in name for _, name in table):
        arrays = from_state_0(arrays)
    write_arcs(arrays, table, path, where, spelling=spelling, numbers=numbers)


def _read_fst(data: bytes, where: str) -> tuple[Machines, str]:
    reader = BinaryReader(data, where)
    size = len(data)
    del data
    fst = reader.machine()
    if reader.at < size:
        raise reader.damaged(f"{size - reader.at:,} bytes stand behind its machine")
    return [fst], reader.form


def _read_lookup(data: bytes, where: str) -> tuple[Machines, str]:
    return [hfst.lookup_to_fst(data, where)[0]], "HFST optimized lookup"


FORMATS = {
    ".fst": Format((FST_MAGIC,), _read_fst),
    ".far": Format(
        FAR_MAGICS, lambda data, where: (files.machines_in(data, Path(where)), "one of an archive")
    ),
    ".hfst": Format((hfst.MAGIC,), hfst.hfst_machines, hfst.fst_to_hfst),
    ".hfstol": Format((), _read_lookup, hfst.fst_to_lookup),
    ".zhfst": Format((), _read_lookup),
    ".foma": Format(
        foma.MAGICS, lambda data, where: (foma.foma_machines(data, where), "foma"), foma.fst_to_foma
    ),
}
_UNITED = ("AT&T", "HFST")  # forms of files whose machines are read together
TEXT_SUFFIXES = (".txt", ".att", ".fatt")
_SIX_DIGITS = re.compile(r"-?[0-9]+\.[0-9]{6}")
SUFFIXES = (*FORMATS, *TEXT_SUFFIXES)
