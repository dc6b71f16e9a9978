"""Unknown words have readings as known words with their ending, and a mark."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from fstce import read_corpus
from fstce.corpora.streams import Reading, StreamSentence, Token
from fstce.tagging.guesser import Guesser
from fstce.tagging.readings import ReadingTags

APERTIUM = (
    "^cats/cat<n><pl>/cat<vblex><pres>$ ^dogs/dog<n><pl>$ ^Cries/cry<vblex><pres>$ "
    "^tries/try<vblex><pres>$ ^sang/sing<vblex><past>$ ^don't/do<vaux>+not<adv>$[\n]"
)
CG = '"<dogs>"\n\t"dog" N Pl\n"<cries>"\n\t"cry" V Pres\n"<wugs>"\n\t"wugs" ?\n\n'


def sentences(folder: Path, text: str) -> list[StreamSentence]:
    (folder / "text").write_text(text, encoding="utf-8")
    return [row for row in read_corpus(folder / "text") if isinstance(row, StreamSentence)]


def unknown(word: str) -> Token:
    return Token(word, (Reading(f"/*{word}", word, ()),), (f"^{word}", "$"))


@pytest.mark.parametrize("rule", ["full", "first"])
def test_words_are_inflected_as_those_with_their_ending(tmp_path: Path, rule: str) -> None:
    guesser = Guesser(sentences(tmp_path, APERTIUM), ReadingTags(rule))
    noun, verb = ("n.pl", "vblex.pres") if rule == "full" else ("n", "vblex")
    raws = [reading.raw for reading in guesser(unknown("wugs"), [verb, noun, "adj"])]
    assert raws == ["/wug<vblex><pres><guess>", "/wug<n><pl><guess>"]
    assert guesser(unknown("Plies"), [verb])[0].raw == "/Ply<vblex><pres><guess>"
    # the longest ending that fits; of "sang" no other word has more than the tag
    assert guesser(unknown("a/b+s"), [noun])[0].raw == "/a\\/b\\+<n><pl><guess>"

    nothing = unknown("wugs")
    assert guesser(nothing, ["adj"]) == nothing.readings
    known = sentences(tmp_path, APERTIUM)[0].tokens[0]
    assert guesser(known, [noun]) == known.readings


def test_of_the_longest_ending_the_commonest(tmp_path: Path) -> None:
    """By hand: every word's every ending, with what the word has in its lemma's place."""
    rows = sentences(tmp_path, APERTIUM * 3)
    guesser = Guesser(rows, ReadingTags("full"))
    types = {
        (token.surface, reading.lemma, ".".join(reading.tags))
        for row in rows
        for token in row.tokens
        for reading in token.readings
        if "+" not in reading.tags
    }
    for word in ("bats", "flies", "bang", "Rang", "x"):
        for tag in {tag for *_, tag in types}:
            expected = ()
            for size in range(min(5, len(word)), -1, -1):
                changes: Counter[tuple[str, str]] = Counter()
                for surface, lemma, other in types:
                    if other != tag or surface[len(surface) - size :] != word[len(word) - size :]:
                        continue
                    if size > len(surface):
                        continue
                    same = 0
                    pairs = zip(surface.lower(), lemma.lower(), strict=False)
                    while (pair := next(pairs, None)) and pair[0] == pair[1]:
                        same += 1
                    if word.endswith(surface[same:]):
                        changes[surface[same:], lemma[same:]] += 1
                if changes:
                    best = max(changes, key=lambda pair: (changes[pair], pair))
                    expected = (word[: len(word) - len(best[0])] + best[1],)
                    break
            token = unknown(word)
            lemmas = tuple(r.lemma for r in guesser(token, [tag]) if r is not token.readings[0])
            assert lemmas == expected, (word, tag)


def test_readings_of_cg(tmp_path: Path) -> None:
    rows = sentences(tmp_path, CG)
    guesser = Guesser(rows, ReadingTags("full"))
    wugs = rows[0].tokens[2]
    guessed = guesser(wugs, ["N.Pl"])
    assert rows[0].tokens[2].written(guessed).startswith('"<wugs>"\n\t"wug" N Pl <guess>')
    assert [row for row in sentences(tmp_path, rows[0].written()) if row.tokens]
