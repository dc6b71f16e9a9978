"""Passages: whatever stands in a file comes back byte for byte, sentences and all between them."""

from __future__ import annotations

import pytest

from fstce.corpora.faults import Faults
from fstce.corpora.passages import passages
from fstce.corpora.running_text import TextReader
from fstce.errors import CorpusError

FILES = {
    "conllu": "# text = Hi\n1\tHi\thi\tINTJ\tUH\t_\t0\troot\t_\t_\n\n# bare\n\n"
    "1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\t_\n",
    "tagged": "the/DT dog/NN\n\nit/PRP barks/VBZ\r\n",
    "jsonl": '{"words": ["a"]}\n\n{"words": ["b", "c"]}\n',
    "cg": '"<saw>"\n\t"see" V\n\n"<.>"\n\t"." CLB\n',
    "apertium": "[<b>]^saw/see<vblex>$ \n^it/it<prn>$[</b>]\n",
}


def numbered(text: str) -> enumerate[str]:
    return enumerate(text.splitlines(keepends=True), 1)


@pytest.mark.parametrize("format", FILES)
def test_lines_come_back_as_they_came(format: str) -> None:
    found = list(passages(iter(numbered(FILES[format])), "x", format))
    assert "".join("".join(passage.lines) for passage in found) == FILES[format]
    assert sum(passage.sentence is not None for passage in found) >= 1


@pytest.mark.parametrize("policy", ["pass", "skip", "raise"])
def test_a_line_that_cannot_be_read_goes_as_the_policy_says(policy: str) -> None:
    text = "a/D b/N\nnoslash\nc/D\n"
    faults = Faults(policy)
    found = list(passages(iter(numbered(text)), "x", "tagged", faults=faults))
    assert faults.count == 1 and "x:2" in faults.messages[0]
    written = "".join("".join(passage.lines) for passage in found)
    assert (written == text) == (policy == "pass")
    # Behind a fault that will be raised nothing is computed any more.
    assert sum(passage.sentence is not None for passage in found) == (1 if policy == "raise" else 2)


def test_a_line_of_several_sentences_stands_on_none_of_them() -> None:
    found = list(passages(iter([(1, "It is late. We go.\n")]), "x", "plain", text=TextReader()))
    assert [str(passage.sentence) for passage in found] == ["It is late .", "We go ."]
    assert not any(passage.lines for passage in found)


def test_readings_behind_other_text_are_no_words() -> None:
    faults = Faults("raise")
    list(passages(numbered("a text\n^saw/see<vblex>$\n"), "x", "plain", faults=faults))
    with pytest.raises(CorpusError, match=r"x:2: readings of an analyzer, behind other text"):
        faults.finish()


def test_columns_in_another_order_are_not_to_be_replaced() -> None:
    usual, plus = (
        next(passages(numbered(f"{comment}{row}\n"), "x", "conllu"))
        for comment, row in (
            ("", "1\tHi\thi\tINTJ\tUH\t_\t0\troot\t_\t_"),
            ("# global.columns = FORM UPOS\n", "Hi\tINTJ"),
        )
    )
    assert usual.columns and not plus.columns and plus.sentence.tags == ("INTJ",)
