"""Groups, verbs, their help and their spellings."""

import re
import shlex
from functools import wraps
from itertools import takewhile

import pytest

from fstce.cli.verbs import groups, single, verbs_of
from fstce.kinds import imported

GROUPS, SINGLE = groups(), single()
ENTRIES = {
    **SINGLE,
    **{
        f"{name} {verb}": entry
        for name, group in GROUPS.items()
        for verb, entry in verbs_of(group).items()
    },
}
VERBS = list(ENTRIES)


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_help_lists_groups_and_verbs(fstce, arguments):
    result = fstce(*arguments)
    assert result.code == 0
    assert result.err == ""
    for name in (*GROUPS, *SINGLE):
        assert f"\n  {name} " in result.out


@pytest.mark.parametrize("group", GROUPS)
def test_every_group_lists_its_verbs(fstce, group):
    for arguments in ([group], [group, "--help"]):
        code, out, err = fstce(*arguments)
        assert (code, err) == (0, "")
        for verb in verbs_of(GROUPS[group]):
            assert f"\n  {verb} " in out


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_a_summary_and_examples(fstce, verb):
    result = fstce(*verb.split(), "--help")
    summary = result.out.splitlines()[2].strip()
    assert result.code == 0
    assert summary[0].isupper() and summary[-1] in ".:"
    assert "\n  Examples:\n" in result.out
    assert any(
        f"fstce {verb}" in line for line in result.out.partition("Examples:")[2].splitlines()[1:]
    )
    assert "\x1b" not in result.out and "─" not in result.out


@pytest.mark.parametrize("verb", ["", *GROUPS, *VERBS])
def test_help_fits_80_columns_and_nothing_is_cut_for_it(fstce, monkeypatch, verb):
    monkeypatch.setenv("COLUMNS", "80")
    usage, *lines = fstce(*verb.split(), "--help").out.splitlines()
    assert max(map(len, [usage, *lines])) <= 80
    assert [line for line in lines if line.endswith(("…", "..."))] == []


@pytest.mark.parametrize("verb", VERBS)
def test_the_examples_have_options_that_there_are(fstce, monkeypatch, verb):
    """Each is taken as far as the verb itself, which is not run."""
    text = fstce(*verb.split(), "--help").out
    module, _, name = ENTRIES[verb].function.rpartition(".")
    calls = []
    verb_itself = imported(ENTRIES[verb].function)
    monkeypatch.setattr(f"{module}.{name}", wraps(verb_itself)(lambda *_, **__: calls.append(name)))
    for line in re.findall(rf"fstce {verb}\b.*", text.split("Examples:")[1]):
        example = list(takewhile(lambda word: word not in ("|", ">", ">>", "<"), shlex.split(line)))
        result = fstce(*example[1:])
        # An example's own files are not here; that they are missing is no fault of its options.
        assert result.code == 0 or "no such" in result.err.lower() or "./mine.py" in result.err, (
            example,
            result.err,
        )
    assert calls


def test_the_help_of_all_verbs_has_no_more_options_than_a_reader_can_take(fstce):
    """Rows of options; those that many verbs share are described once, above them."""
    rows = [line for verb in VERBS for line in fstce(*verb.split(), "--help").out.splitlines()]
    assert sum(line.startswith(("  -", "      --")) for line in rows) <= 380


def test_what_reads_a_corpus_is_told_how_it_is_written(fstce):
    reading = ("--input-format", "--encoding", "--raw")
    for verb in (
        "tagger train",
        "tagger evaluate",
        "parser train",
        "latent train",
        "info",
    ):
        # Names may be broken at a hyphen
        help = "".join(fstce(*verb.split(), "--help").out.split())
        assert all(option in help for option in reading), verb


def test_a_group_answers_to_its_british_spelling(fstce):
    """Said once in American spelling throughout, the group knew its other name no more."""
    assert (
        fstce("neighbourhood", "show", "trans1", "a b").out
        == fstce("neighborhood", "show", "trans1", "a b").out
    )
    assert fstce("neighbourhood", "show", "trans1", "a b").code == 0


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["frobnicate"], "No such command 'frobnicate'"),
        (["tagger", "train"], "Missing argument"),
        (["tagger", "trian"], "did you mean 'train'?"),
        (["dictionary", "a.tsv"], "did you mean 'tagger dictionary'?"),
        (["draw", "m.fst"], "did you mean 'neighborhood draw' or 'machine draw'?"),
        (["union", "a.fst", "b.fst"], "did you mean 'machine union'?"),
        (["tagger", "predict", "m"], "did you mean 'tag'?"),
        (["machine", "shortset", "m.fst"], "did you mean 'shortest'?"),
        (["machine", "shortestpath", "m.fst"], "did you mean 'shortest'?"),
        (["machine", "lookup", "m.fst"], "did you mean 'apply'?"),
        (["neighborhood", "export", "trans1"], "did you mean 'lattice'?"),
        (["neighborhood", "trans1", "a b"], "try fstce neighborhood show trans1"),
        (["neighborhood", "show", "trnas1", "a b"], "did you mean 'trans1'?"),
        (["neighborhood", "show", "trans1", ""], "the sentence is empty"),
        (["neighborhood", "show", "trans1", "  "], "the sentence is empty"),
        (["neighborhood", "show", "trans1"], "the sentence is empty"),
        (["neighborhood", "show", "trans1", "a <s>"], "'<s>' cannot be a word"),
        (
            ["neighborhood", "draw", "trans1", "a", "--output", "x.bmp"],
            "use .dot .svg .png .pdf",
        ),
        (
            ["neighborhood", "draw", "trans1", "a", "--output", "nowhere/x.svg"],
            "there is no folder nowhere",
        ),
        (["neighborhood", "show", "trans1", "a", "--list", "-1"], "--list"),
        (["neighborhood", "draw", "trans1", "a \udcff"], "not valid UTF-8"),
        (
            ["corrector", "correct", "m", "x", "--encoding", "utf-99"],
            "encoding='utf-99': give one that",
        ),
    ],
)
def test_bad_commands(refused, command, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert message in refused(*command)
