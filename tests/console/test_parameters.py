"""Options made from classes: each parameter is one, with the class's rule, default and help."""

import re
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Annotated

import pytest
from typer.testing import CliRunner

from fstce import DependencyParser, DirectedAlignment, LatentGrammar, Tagger
from fstce.console.options import helped, option
from fstce.console.parameters import Given, Parameters, value_of, with_options
from fstce.correction.corrector import Corrector
from fstce.errors import ParameterError
from fstce.parameters.rules import Rule, choice, real, sequence
from fstce.parameters.tables import COUNT, SEED, VARIANCE, parameters
from fstce.tagging.parameters import TAGGER


@pytest.mark.parametrize(
    ("text", "value"),
    [("1", 1.0), ("1e-3", 0.001), ("none", None), (" None ", None), ("inf", None)],
)
def test_variances(text, value):
    if text == "inf":
        with pytest.raises(ParameterError):
            value_of(real(0, above=True).or_none(), "--sigma2", text)
    else:
        assert value_of(VARIANCE, "--sigma2", text) == value


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(("sigma2", text) for text in ("0", "-1", "nan", "-inf", "x", "")),
        *(("tolerance", text) for text in ("-1e-9", "nan", "none")),
        ("order", "4"), ("order", "1.5"), ("order", "two"), ("max_iterations", "0"),
        ("annealing", "0.1,0.5"), ("annealing", "1,0.5"), ("annealing", "a"),
        ("start", "cold"), ("seed", "-1"), ("seed", str(2**64)),
    ],
)  # fmt: skip
def test_what_is_no_value_is_named_with_what_is(name, text):
    option = f"--{name.replace('_', '-')}"
    with pytest.raises(ParameterError, match=rf"{option} {text}.*: (give|choose) ") as caught:
        value_of(TAGGER[name], option, text)
    assert TAGGER[name].allowed in str(caught.value)


def test_sequences_and_alternatives():
    assert value_of(TAGGER["annealing"], "", "0.1, 0.3,1") == (0.1, 0.3, 1.0)
    assert value_of(sequence(COUNT), "", "none") == ()
    assert value_of(sequence(COUNT), "", "50,20,20") == (50, 20)
    three = sequence(COUNT, holds=lambda numbers: len(numbers) == 3, words="three")
    assert value_of(three, "", "50,20,20") == (50, 20, 20)
    assert value_of(sequence(choice("form", "context")), "", "Form,CONTEXT") == ("form", "context")
    paths = "trans1,/Home/Me/Mine.py"
    assert value_of(sequence(Rule("text")), "", paths) == ("trans1", "/Home/Me/Mine.py")
    assert value_of(sequence(real().or_none()), "", "1,none") == (1.0, None)
    assert value_of(SEED, "", str(2**63)) == 2**63
    either = choice("words") | COUNT
    assert value_of(either, "", "5") == 5
    assert value_of(either, "", "words") == "words"
    assert value_of(Corrector.rules["exponents"], "", "model=1, marks=-0.5") == {
        "model": 1.0, "marks": -0.5
    }  # fmt: skip


@pytest.mark.parametrize(
    ("verb", "estimator", "without"),
    [
        (("tagger", "train"), Tagger, {"decoder"}),
        (("parser", "train"), DependencyParser, set()),
        (("latent", "train"), LatentGrammar, {"objective"}),
        (("induction", "train"), DirectedAlignment, set()),
        (
            ("corrector", "train"),
            Corrector,
            {"channel", "threshold", "user_dictionary", "adapt"},
        ),
    ],
)
def test_every_parameter_of_an_estimator_is_an_option(fstce, verb, estimator, without):
    text = fstce(*verb, "--help").out
    for name in set(parameters(estimator)) - without:
        assert re.search(rf"--{name.replace('_', '-')}[ ,]", text), name


def test_a_verb_gets_what_was_given(alone):
    found = {}

    def verb(
        parameters: Annotated[
            Given, Parameters("fstce.tagging.tagger.Tagger", defaults={"jobs": -1})
        ],
    ):
        found.update(parameters)

    alone(verb)("--order", "2", "--sigma2", "none", "--spelling", "-c", "em")
    assert found == {"order": 2, "sigma2": None, "spelling": True, "criterion": "em", "jobs": -1}


def test_a_flag_that_is_usual_can_be_left_out(alone):
    found = []

    def verb(parameters: Annotated[Given, Parameters("fstce.induction.inducer.DirectedAlignment")]):
        found.append(parameters)

    program = alone(verb)
    program()
    program("--no-refresh")
    assert found == [{}, {"refresh": False}]


def test_options_of_a_group_come_as_one_argument(alone):
    from fstce.console.models import Saving
    from fstce.tagging.verbs.training import TaggedText

    found = []

    def verb(text: TaggedText, saving: Saving):
        found.append((text, saving))

    alone(verb)("--words", "7", "--coarse", "--output", "m")
    assert found == [(TaggedText(words=7, coarse=True), Saving(Path("m")))]


def test_completion_of_names_where_there_are_some(tmp_path, monkeypatch):
    from fstce.cli.verbs import application

    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("")
    (tmp_path / "corpus.pos").write_text("")
    (tmp_path / "models").mkdir()

    def completed(line):
        words = line.split(" ")
        environment = {
            "_FSTCE_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)
        }  # fmt: skip
        return CliRunner().invoke(application(), env=environment, prog_name="fstce").output.split()

    assert completed("fstce tagger t") == ["train", "tag"]
    assert completed("fstce machine comp") == ["compose"]  # an operation, without its verb
    assert completed("fstce machine in") == ["info", "inspect", "intersect", "invert"]
    assert completed("fstce neighborhood show delort") == ["delortrans1"]
    assert completed("fstce neighborhood show m") == ["move2"]
    assert completed("fstce tagger train sam") == ["sample"]
    assert completed("fstce tagger train sample --criterion co") == [
        "contrastive",
        "conditional",
    ]
    assert completed("fstce tagger train sample --neighbourhood delo") == ["delortrans1"]
    for line in ("neighborhood show mi", "tagger train co", "tagger tag mo"):
        assert completed(f"fstce {line}") == []  # then each shell completes files itself


def test_an_option_that_a_group_and_the_verb_share_is_one():
    @dataclass(frozen=True)
    class Size:
        width: int = 1
        height: int = 2

    def area(size: Size, width: int) -> None:
        found.append((size.width * size.height, width))

    found: list[tuple[int, int]] = []
    area.__annotations__ = {"size": Size, "width": int}
    made = with_options(area)
    assert list(signature(made).parameters) == ["width", "height", "quiet"]
    made(width=3, height=2, quiet=False)
    assert found == [(6, 3)]


def test_what_an_option_and_a_verb_have_of_their_own():
    assert option("--output -o FOLDER", "The folder for the model.").metavar == "FOLDER"
    assert vars(helped("Do nothing.")(lambda: None)) == {"help": "Do nothing."}
