"""What was changed in a line: marked in the text, and as JSON."""

from __future__ import annotations

import json

from fstce.corpora.running_text import tokenize
from fstce.correction.decoding import Change, Correction
from fstce.correction.verbs.differences import MARKED, json_of, markings

CHANGE = Change(0, 1, ("Teh",), ("The",), 0.9)


def test_a_change_is_marked_where_it_stands() -> None:
    pieces = markings("Teh end.", tokenize("Teh end."), [CHANGE])
    assert "".join(MARKED[kind].format(text) for text, kind in pieces) == "[-Teh-]{+The+} end."


def test_a_change_is_placed_by_characters() -> None:
    correction = Correction(
        ("Teh", "end"), ("The", "end"), (CHANGE,), ((("The", 0.9),), (("end", 1.0),))
    )
    record = json.loads(json_of(1, "Teh end", tokenize("Teh end"), correction))
    assert record["changes"] == [
        {"start": 0, "end": 3, "observed": "Teh", "words": "The", "probability": 0.9}
    ]


def test_an_inserted_mark_stands_behind_the_word_before_it() -> None:
    mark = Change(1, 1, (), (",",), 0.8)
    correction = Correction(
        ("so", "it"), ("so", ",", "it"), (mark,), ((("so", 1.0),), (("it", 1.0),))
    )
    record = json.loads(json_of(1, "so it", tokenize("so it"), correction))
    (change,) = record["changes"]
    assert (change["start"], change["end"], change["observed"]) == (2, 2, "")
    assert change["words"].strip() == ","
