"""CoNLL-U with all that it may have, through the verbs: what they do not change comes out as it went in."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fstce.corpora.conll import relations

FIELD = st.text(st.sampled_from("aZé中'|=:.-_#"), min_size=1, max_size=6)
WORD = st.sampled_from(["dog", "Hund's", "犬", "x-y", ".", "1.5", "#", "<b>"])
TAG = st.sampled_from(["DT", "NN", "VBZ", "."])


@st.composite
def blocks(draw, end):
    """The lines of a sentence: comments, ranges, empty nodes, enhanced dependencies."""
    n = draw(st.integers(1, 6))
    comments = draw(
        st.lists(st.sampled_from(["# text = a  b", "#", "# newdoc", "# x = 1-2\tdu"]), max_size=2)
    )
    root = draw(st.integers(1, n))
    heads = [0 if i == root else root for i in range(1, n + 1)]
    rows = list(comments)
    empty = 0
    if draw(st.booleans()):
        rows.append("\t".join(("0.1", draw(WORD), *"______", "0:root", "_")))
    for i, (head, relation) in enumerate(zip(heads, relations(heads), strict=True), 1):
        if i < n and draw(st.booleans()):
            rows.append("\t".join((f"{i}-{i + 1}", draw(WORD), *"_______", draw(FIELD))))
        enhanced = draw(
            st.sampled_from(["_", f"{head}:{relation}", f"{head}:conj:and|{i}.1:nsubj"])
        )
        columns = (
            str(i),
            draw(WORD),
            draw(FIELD),
            draw(st.sampled_from(["X", "_"])),
            draw(TAG),
            draw(FIELD),
        )
        rows.append("\t".join((*columns, str(head), relation, enhanced, draw(FIELD))))
        if draw(st.booleans()):
            empty += 1
            rows.append("\t".join((f"{i}.1", draw(WORD), *"______", f"{i}:dep", draw(FIELD))))
    return "".join(f"{row}{end}" for row in (*rows, ""))


@st.composite
def files(draw):
    """A file, perhaps with a byte order mark, perhaps with the line ends of Windows."""
    end = draw(st.sampled_from(["\n", "\r\n"]))
    pieces = draw(st.lists(blocks(end) | st.just(f"# between{end}{end}"), min_size=1, max_size=12))
    return draw(st.sampled_from(["", "\ufeff"])) + "".join(pieces)


def but(text, *places):
    """The lines with their ends, without these columns of words."""
    lines = text.splitlines(keepends=True)
    rows = [line.lstrip("\ufeff").split("\t") for line in lines]
    return [
        [field for place, field in enumerate(row) if place not in places]
        if row[0].isdecimal()
        else line
        for row, line in zip(rows, lines, strict=True)
    ]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=files())
def test_heads_and_relations_change_and_nothing_else(fstce, grammar, text):
    code, out, err = fstce(
        "parser", "parse", grammar, "-", "--input-format", "conllu", stdin=text.encode()
    )
    assert code == 0, err
    assert but(out, 6, 7) == but(text, 6, 7)
    assert out.startswith("\ufeff") == text.startswith("\ufeff")


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_mark_is_kept_before_a_word(fstce, grammar, mark):
    text = f"{mark}1\tdogs\tdog\tNOUN\tNNS\t_\t0\troot\t0:root\t_\n\n"
    code, out, _ = fstce("parser", "parse", grammar, "-", stdin=text.encode())
    assert (code, out) == (0, text)
