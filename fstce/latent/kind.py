"""What the rest of the house knows of latent grammars."""

from __future__ import annotations

from fstce.kinds import Kind, Model

_FACTS = "fstce.latent.verbs.train.reported"

KIND = Kind(
    group="latent",
    summary="Latent-variable grammars from a treebank.",
    home="fstce.latent.verbs",
    verbs={"train": "raise", "parse": "pass", "parse.evaluate": "raise", "show": ""},
    models={
        "latent grammar": Model("fstce.latent.latent_grammar.LatentGrammar", _FACTS),
        "grammar product": Model("fstce.latent.product.GrammarProduct", _FACTS),
    },
    former={
        "train": "latent train",
        "train-grammar": "latent train",
        "grammar": "latent show",
        "parse": "latent parse",
        "evaluate": "latent evaluate",
    },
    gone={
        **dict.fromkeys(
            ("--binarization", "--merged", "--noise"), "it is fixed, as in Petrov et al. (2006)"
        ),
        **dict.fromkeys(("--objective", "--combination"), "use set_params of the model, in Python"),
        "--counts": "use fstce info",
        "--member": "save one of GrammarProduct.members(), in Python, and show that",
        "--by-category": "use --json, which has the categories",
        "--output-format": "use --json",
        "--guess": "use --unknown-word-model, or --no-unknown-word-model",
    },
)
