"""How a run reads text: within the options of a verb, as before again behind it."""

from __future__ import annotations

from pathlib import Path

import pytest

from fstce.console.reading import Reading, reading
from fstce.corpora import Sentence, TagDictionary
from fstce.corpora.documents import ENCODING
from fstce.errors import ParameterError


def test_options_hold_while_a_verb_runs() -> None:
    outer = reading()
    mine = Reading(encoding="latin-1", faulty="skip")
    with mine.followed():
        assert reading() is mine and ENCODING.get() == "latin-1"
    assert reading() is outer and ENCODING.get() != "latin-1"


def test_a_failed_verb_leaves_nothing_behind() -> None:
    outer = reading()
    with pytest.raises(KeyError), Reading().followed():
        raise KeyError
    assert reading() is outer


def test_what_is_left_out_is_counted_at_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "text.pos"
    path.write_text("a/D b/N\nc d/N\ne/D\n")
    with Reading(faulty="skip").followed():
        assert len(list(reading().sentences(str(path)))) == 2
    said = capsys.readouterr().err
    assert f"{path}:2" in said and "1 place that could not be read: left out" in said


def test_an_unknown_encoding_is_refused_before_anything_is_read() -> None:
    with pytest.raises(ParameterError, match="encoding='klingon'"):
        Reading(encoding="klingon")


@pytest.mark.parametrize(("tags", "column"), [(("D", "N"), "xpos"), (("X", "Y"), None)])
def test_the_column_of_tags_is_recorded_where_the_dictionary_has_them(
    tags: tuple[str, ...], column: str | None
) -> None:
    sentences = [Sentence(["a", "b"], tags=tags, tag_column="xpos")]
    record = Reading().record(sentences, TagDictionary({"a": "D", "b": "N"}))
    assert record.get("tag_column") == column
