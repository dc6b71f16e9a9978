"""`fstce parser show`: the learned grammar, its contradictions, as table, JSON and page."""

import json

from fstce import DependencyParser
from fstce.parsing.learnt_grammar import learnt_grammar


def test_the_verb(fstce, grammar, treebank, tmp_path):
    page = tmp_path / "grammar.html"
    code, out, err = fstce(
        "parser", "show", grammar, "--rules", "penn", "--text", treebank, "-o", page
    )
    assert code == 0, err
    assert "Attachments that no rule allows" in out
    assert page.read_text().count("<iframe ") >= 1
    found = json.loads(fstce("parser", "show", grammar, "--json", "--list", 2).out)
    own = learnt_grammar(DependencyParser.load(grammar))
    assert {row["tag"] for row in found["grammar"]} == set(own.model.tags)
    assert fstce("parser", "show", grammar, "--tag", "Q").code == 2
