"""``fstce machine convert``.

Machines between OpenFst binary, AT&T text, k2, Kaldi, HFST and foma.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from fstce.console.options import (
    ArcType,
    Epsilon,
    InputSymbols,
    Key,
    OutputSymbols,
    TokenType,
    argument,
    helped,
    option,
)
from fstce.console.output import remark, silenced, size_of
from fstce.console.places import as_file, check_file, to_file


@helped("""Convert a machine between OpenFst, AT&T text, Kaldi, HFST and foma.

What is in IN says how it is read, OUT's suffix what is written. Symbols stay as they are unless
--spelling asks for those of a tool: <epsilon> (openfst), <eps> (kaldi, k2), @0@ (hfst, foma).
Text has its words next to it in a .syms file of the same name, which is also read from there;
without one, labels that are all numbers are ids, unless --epsilon says what spells ε.
Several machines in a text or a file of HFST's are their union; file.att:2 is the second. As IN, -
is standard input, binary or text; as OUT it is standard output, a .fst.

\b
Examples:
  fstce machine convert lattice.fst lattice.txt
  fstce machine convert lattices.far lattice.att --key 007 --spelling hfst
  fstce machine convert lattice.fst k2.txt --spelling kaldi --numbers
  fstce machine convert analyser.hfst machine.fst
  fstce machine convert machine.fst machine.foma
  fstce machine convert lattices.far - --key 007 | fstprint
  fstce machine convert weights.txt weights.fst --arc-type log64
  fstce machine convert printed.att analyser.hfst --epsilon ε
  fstce machine convert of_foma.att digits.foma --epsilon @0@
  fstce machine convert strings.fst strings.hfst --token-type byte
""")
def convert(
    source: Annotated[
        Path, argument("IN", "A machine: .fst .far .txt .att .hfst .hfstol .zhfst .foma, or -.")
    ],
    target: Annotated[Path, argument("OUT", "The new file, of one of these, or -.")],
    isymbols: InputSymbols = None,
    osymbols: OutputSymbols = None,
    arc_type: ArcType = None,
    key: Key = None,
    epsilon: Epsilon = None,
    token_type: TokenType = None,
    spelling: Annotated[
        Literal["openfst", "kaldi", "hfst", "foma"] | None,
        option("--spelling", "Whose symbols OUT has for ε and unknown words; by default IN's."),
    ] = None,
    numbers: Annotated[
        bool, option("--numbers", "Labels of text are ids although there are symbols, as in k2.")
    ] = False,
) -> None:
    from fstce.machines.convert import read_machine, write_machine

    if str(target) != "-":
        check_file(target, option="OUT")
    with silenced(), as_file(source) as file:
        fst = read_machine(
            file,
            isymbols=isymbols,
            osymbols=osymbols,
            arc_type=arc_type,
            key=key,
            numbers=numbers,
            epsilon=epsilon,
            token_type=token_type,
        )
    with silenced(), to_file(target) as file:
        write_machine(fst, file, spelling=spelling, numbers=numbers, sound=True, name=str(source))

    remark(f"wrote {target}: {size_of(fst)}, {fst.arc_type()}")
