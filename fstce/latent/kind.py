"""What the rest of the house knows of latent grammars."""

from __future__ import annotations

from fstce.kinds import Kind, Model

_FACTS = "fstce.latent.verbs.train.reported"

KIND = Kind(
    group="latent",
    summary="Latent-variable grammars from a treebank.",
    home="fstce.latent.verbs",
    verbs={"train": "raise", "parse": "pass", "parse.evaluate": "raise"},
    models={
        "latent grammar": Model("fstce.latent.latent_grammar.LatentGrammar", _FACTS),
        "grammar product": Model("fstce.latent.product.GrammarProduct", _FACTS),
    },
)
