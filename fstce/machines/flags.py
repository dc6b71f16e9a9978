"""Flag diacritics (Beesley & Karttunen 2003, ch. 8): symbols that set or ask for features.

================  ==========================================================================
``@P.F.V@``       feature F is V from here on
``@N.F.V@``       it is anything but V
``@C.F@``         it is nothing any more
``@R.F.V@``       go on if F is V; without V, if it is anything
``@D.F.V@``       go on unless F is V; without V, if it is nothing
``@U.F.V@``       go on if F is V or can be, and let it be V
================  ==========================================================================

A path whose flags contradict each other is none. As for HFST P, N and U without V mean C, and U
also asks that F can be nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from fstce.errors import MachineError
from fstce.machines.image import Arrays, arrays_to_fst, fst_to_arrays
from fstce.machines.openfst import pynini

# As HFST reads them: R, D and C need no value, the others do.
_FLAG = re.compile(r"@(?:([PNU])\.([^.]*)\.(.*)|([RDC])\.([^.]*)(?:\.(.*))?)@", re.DOTALL)
_ARC_LIMIT = 10_000_000
# Whether a feature is (True) or is not (False) a value; None for nothing
Setting = tuple[bool, str] | None


class Flag(NamedTuple):
    """A flag's operation, feature and value, which may be empty."""

    operation: str
    feature: str
    value: str

    def after(self, setting: Setting) -> tuple[bool, Setting]:
        """Whether a path may go on where its feature is set so, and how it is set then."""
        positive: Setting = (True, self.value) if self.value else None

        if self.operation == "C":
            return True, None
        if self.operation == "P":
            return True, positive
        if self.operation == "N":
            return True, positive and (False, self.value)
        if self.operation in "RD":
            holds = setting == positive if self.value else setting is not None
            return holds == (self.operation == "R"), setting

        can_be = setting is None or (not setting[0] and setting[1] != self.value)
        return can_be or setting == positive, positive


def flag(symbol: str) -> Flag | None:
    """The flag that a symbol is, if it is one.

    >>> flag("@U.CASE.NOM@"), flag("@_IDENTITY_SYMBOL_@")
    (Flag(operation='U', feature='CASE', value='NOM'), None)
    """
    match = _FLAG.fullmatch(symbol)
    if match is None:
        return None
    groups = match.groups("")
    return Flag(*groups[:3]) if groups[0] else Flag(*groups[3:])


def allowed(symbols: Iterable[str]) -> bool:
    """Whether the flags among the symbols, in this order, contradict each other nowhere.

    >>> allowed(["@P.CASE.NOM@", "a", "@R.CASE.NOM@"]), allowed(["@U.CASE.NOM@", "@U.CASE.ACC@"])
    (True, False)
    """
    settings: dict[str, Setting] = {}
    for step in filter(None, map(flag, symbols)):
        goes_on, settings[step.feature] = step.after(settings.get(step.feature))
        if not goes_on:
            return False
    return True


def without_flags(fst: pynini.Fst, where: str) -> pynini.Fst:
    """The machine of the paths whose flags agree, ε in the place of flags; itself if it knows none.

    States are multiplied by the settings of each feature. Raises MachineError where they get too
    many.
    """
    flags = [_flags_of(table) for table in (fst.input_symbols(), fst.output_symbols())]
    if not any(flags):
        return fst

    arrays = fst_to_arrays(fst)
    features = {step.feature for of_label in flags for step in of_label.values()}
    for feature in sorted(features):
        of_feature = [_with_feature(of_label, feature) for of_label in flags]
        obeying = _obeying(arrays, of_feature, f"{where}: the flags of {feature}")
        arrays = fst_to_arrays(arrays_to_fst(obeying, fst.arc_type()).connect())

    silent = [
        np.where(np.isin(side, list(of_label)), 0, side)
        for side, of_label in zip((arrays.ilabel, arrays.olabel), flags, strict=True)
    ]
    bare = arrays_to_fst(arrays._replace(ilabel=silent[0], olabel=silent[1]), fst.arc_type())
    return bare.set_input_symbols(fst.input_symbols()).set_output_symbols(fst.output_symbols())


def _flags_of(table: Iterable[tuple[int, str]] | None) -> dict[int, Flag]:
    """The flags of a table by their labels."""
    steps = ((label, flag(symbol)) for label, symbol in table or ())
    return {label: step for label, step in steps if step is not None}


def _with_feature(flags: Mapping[int, Flag], feature: str) -> dict[int, Flag]:
    return {label: step for label, step in flags.items() if step.feature == feature}


def _obeying(arrays: Arrays, flags: Sequence[Mapping[int, Flag]], where: str) -> Arrays:
    """The machine whose states are the machine's with a setting of the feature of these flags."""
    pairs, pair_of_arc = np.unique(
        np.stack((arrays.ilabel, arrays.olabel)), axis=1, return_inverse=True
    )
    steps_of_pair = [
        list(dict.fromkeys(filter(None, (flags[0].get(read), flags[1].get(write)))))
        for read, write in pairs.T.tolist()
    ]

    number: dict[Setting, int] = {None: 0}
    for step in {step for steps in steps_of_pair for step in steps}:
        for setting in ((True, step.value), (False, step.value)):
            number.setdefault(setting, len(number))
    if len(arrays.source) * len(number) > _ARC_LIMIT:
        raise MachineError(
            f"{where} need more than {_ARC_LIMIT:,} arcs; take them out first: hfst-eliminate-flags"
        )

    table = np.array([_settings_after(steps, number) for steps in steps_of_pair])
    after = table.reshape(-1, len(number))[pair_of_arc.ravel()]
    arc, begun = np.nonzero(after >= 0)
    size = len(number)
    steps = arrays.of_arcs(arc)
    return steps._replace(
        start=max(arrays.start * size, -1),
        final=np.repeat(arrays.final, size),
        source=steps.source.astype(np.int64) * size + begun,
        next=steps.next.astype(np.int64) * size + after[arc, begun],
    )


def _settings_after(steps: Sequence[Flag], number: Mapping[Setting, int]) -> list[int]:
    """For each setting its number behind these flags, −1 where they forbid it."""
    numbers = []
    for setting in number:
        goes_on = True
        for step in steps:
            allows, setting = step.after(setting)
            goes_on = goes_on and allows
        numbers.append(number[setting] if goes_on else -1)
    return numbers
