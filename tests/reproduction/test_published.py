"""The published numbers, typed twice: here as they stand in the papers."""

from __future__ import annotations

from fstce.reproduction.run import published

SIZES = (12_000, 24_000, 48_000, 96_000)
FIGURE2 = {
    "conditional": "100.0 99.8 99.8 99.5",
    "joint": "99.3 98.5 97.9 97.2",
    "length": "74.9/77.4 78.7/81.5 78.3/81.3 78.9/79.3",
    "delortrans1": "70.8/70.8 78.6/78.6 78.3/79.1 75.2/78.8",
    "trans1": "72.7/72.7 77.2/77.2 78.1/79.4 74.7/79.0",
    "em": "49.5/52.9 55.5/58.0 59.4/60.9 60.9/62.1",
    "del1word": "55.4/55.6 58.6/60.3 59.9/60.2 59.9/60.4",
    "del1subseq": "53.0/53.3 55.0/56.7 55.3/55.4 57.3/58.7",
    "random": "35.2 35.1 35.1 35.1",
}
# DELORTRANS1, TRANS1, LENGTH (each with trigrams, then with spelling features too), EM, random.
TABLE3 = {
    "full": "78.3/90.1 80.9/91.1 90.4/90.4 88.7/90.9 87.8/90.4 87.1/91.9 78.0/84.4 69.5",
    "first:500": "72.3/84.8 80.2/90.8 80.8/82.9 88.1/90.1 68.1/78.3 76.9/83.2 77.2/80.5 60.5",
    "count:2": "69.5/81.3 79.5/90.3 77.0/78.6 78.7/90.1 65.3/75.2 73.3/73.8 70.1/70.9 56.6",
    "count:3": "65.0/77.2 78.3/89.8 71.7/73.4 78.4/89.5 62.8/72.3 73.2/73.6 66.5/66.5 51.0",
}
HARDNESS = {"tags a token": (2.3, 3.7, 4.4, 5.5), "ambiguous": (13_150, 13_841, 14_780, 15_996)}
COLUMNS = [
    (criterion, features)
    for criterion in ("delortrans1", "trans1", "length")
    for features in ("trigram", "spelling")
] + [("em", "trigram"), ("random", "trigram")]


def pair(text: str) -> tuple[float, float]:
    selected, _, oracle = text.partition("/")
    return float(selected), float(oracle or selected)


def tagging() -> dict[tuple[str, ...], tuple[float, float]]:
    keys = ("table", "criterion", "words", "dictionary", "features")
    return {
        (table, criterion, int(words), *others): (row["selected"], row["oracle"])
        for (table, criterion, words, *others), row in published("tagging", *keys).items()
    }


def test_figure2() -> None:
    wanted = {
        ("figure2", criterion, size, "full", "trigram"): pair(text)
        for criterion, row in FIGURE2.items()
        for size, text in zip(SIZES, row.split(), strict=True)
    }
    assert {key: value for key, value in tagging().items() if key[0] == "figure2"} == wanted


def test_table3() -> None:
    wanted: dict[tuple[object, ...], object] = {
        ("table3", criterion, 24_000, dictionary, features): pair(text)
        for dictionary, row in TABLE3.items()
        for (criterion, features), text in zip(COLUMNS, row.split(), strict=True)
    }
    for column, numbers in HARDNESS.items():
        for dictionary, number in zip(TABLE3, numbers, strict=True):
            wanted["table3", column, 24_000, dictionary, "trigram"] = (number, None)
    assert {key: value for key, value in tagging().items() if key[0] == "table3"} == wanted
    assert {key[0] for key in tagging()} == {"figure2", "table3"}


def test_no_selected_model_is_better_than_the_oracle() -> None:
    pairs = [pair for key, pair in tagging().items() if key[1] not in HARDNESS]
    assert all(selected <= oracle for selected, oracle in pairs)
