"""The examples of Brooks (2006), §§3, 4, 4.2 and 6, as the paper has them.

Context units are the most frequent types. The paper underlines them in one sentence; sentences of
one word each make the same words the most frequent ones here, and hold no pattern themselves.
"""

from __future__ import annotations

from typing import Any

from fstce.induction.grammar import bracket
from fstce.induction.learner import Induction, directional_preference
from fstce.induction.parameters import Options
from fstce.induction.text import Text

RECIPE = (
    "put the whole egg , all the seasonings and vegetables into the bowl and process "
    "for 10 seconds until smoothly pureed ."
)


def induced(
    text: str, contexts: str, iterations: int, system: str = "da", **options: Any
) -> Induction:
    """The induction of some lines with these context units."""
    sentences = [line.split() for line in text.splitlines()]
    frequent = [[word] for word in contexts.split()]
    types = len({word for sentence in sentences for word in sentence})
    chosen = {
        "context_fraction": len(frequent) / types,
        "context_expressions": False,
        "refresh": False,
    }
    chosen |= options
    induction = Induction([*sentences, *frequent * 9], Options.of_system(system, **chosen))
    found = {induction.units.name(unit) for unit in induction.grammar.contexts.tolist()}
    assert found == set(contexts.split())
    induction.run(iterations)
    return induction


def brackets(induction: Induction, line: str) -> list[tuple[str, str]]:
    """The words and the class of each constituent of a line, from left to right."""
    words = line.split()
    (spans,) = bracket(induction.grammar, [words])
    return [(" ".join(words[a:b]), label) for label, a, b in spans]


def test_section_4_breaks_the_recipe_into_seven_classes() -> None:
    induction = induced(RECIPE, "the , all and into for until .", 7, min_count=1)
    found = brackets(induction, RECIPE)
    assert [words for words, _ in found] == [
        *("put", "whole egg", "seasonings", "vegetables", "bowl", "process", "10 seconds"),
        "smoothly pureed",
    ]
    number = {name: i for i, name in enumerate(dict.fromkeys(name for _, name in found))}
    rewritten = RECIPE
    for words, name in found:
        rewritten = rewritten.replace(words, f"NT{number[name]}", 1)
    assert rewritten == "NT0 the NT1 , all the NT2 and NT3 into the NT2 and NT4 for NT5 until NT6 ."


def test_without_boundaries_put_is_in_no_context() -> None:
    induction = induced(RECIPE, "the , all and into for until .", 7, min_count=1, boundaries=False)
    assert "put" not in [words for words, _ in brackets(induction, RECIPE)]


def test_section_3_misaligns_the_two_senses_of_to() -> None:
    text = "I gave it to the man in the gray jacket\nJohn agreed to see me in 20 minutes"
    induction = induced(text, "to in", 1, boundaries=False)
    (step,) = induction.steps
    assert induction.grammar.pattern(step) == "to [_] in"
    first, second = (brackets(induction, line) for line in text.splitlines())
    assert first == [("the man", "C1")] and second == [("see me", "C1")]


def test_section_4_2_classes_are_strict_in_their_contexts_and_clustering_joins_them() -> None:
    text = "\n".join(
        f"we saw the {noun} {of} the house" for noun in ("dog", "cat") for of in ("of", "in")
    )
    strict = induced(text, "the of in", 2, boundaries=False)
    patterns = [strict.grammar.pattern(step) for step in strict.steps]
    assert sorted(patterns) == ["the [_] in", "the [_] of"]
    assert strict.steps[0].unit != strict.steps[1].unit
    joined = induced(text, "the of in", 2, "da-cluster", boundaries=False)
    assert joined.steps[0].unit == joined.steps[1].unit


def test_section_6_attaches_the_noun_to_the() -> None:
    text = "the dog of my uncle barks\nthe cat of her aunt sleeps\nof the two he came"
    induction = induced(text, "the of", 1, "da-stop", boundaries=False)
    (step,) = induction.steps
    assert (
        induction.grammar.pattern(step) == "[the _] of"
        and step.attachment == -1
        and step.preference < 0
    )
    assert brackets(induction, text.splitlines()[0]) == [("the dog", "C1")]
    raw = Text(induction.text, 5)
    the, of = induction.units.numbers(["the", "of"])
    assert directional_preference(raw, the) < directional_preference(raw, of) < 0
