"""What the parameters of correctors may be and what each is."""

from __future__ import annotations

from dataclasses import replace

from fstce.parameters.rules import (
    FLAG,
    POSITIVE,
    SEED,
    SHARE,
    Rule,
    Table,
    choice,
    instance,
    integer,
    mapping,
    real,
    sequence,
)

CHANNEL = instance("a Channel", "Channel").or_none()
SCORES = (
    *("model", "ngrams", "channel", "edited", "unknown", "spelling", "lexicon", "marks"),
    *("names", "spaces", "accents"),
)
PARSED_SCORES = ("model", "emission", "channel", "edited", "unknown", "spelling")
MISTAKES = sequence(choice("random", "confusables", "spaces", "accents", "drop"))


def exponents_of(names: tuple[str, ...]) -> Rule:
    """The exponents of some scores; only that of the marks may be negative."""
    words = f"a mapping of numbers from 0 (of marks also below) by names among {', '.join(names)}"
    values = mapping(real(), *names)
    return replace(
        values,
        words=words,
        holds=lambda given: all(given[name] >= 0 for name in given if name != "marks"),
    )


WORDS = sequence(Rule("text"))
EDITS = "SPELL≤k: how many edits a word may be away from the intended one"
CORRECTOR: Table = {
    "spell": integer(0, 3).says(f"{EDITS}; 0 leaves words alone, for marks to be corrected."),
    "punctuation": integer(0, 3).says(
        "PUNC≤k: how many marks of a sentence may be wrong, where words are left alone."
    ),
    "criterion": choice("none", "contrastive", "em").says(
        "How a model of tags is trained with the n-grams of words, or of each word that occurs "
        "twice as its own tag where `fit` is given none; by default there is no such model."
    ),
    "ngrams": integer(0, 3).says(
        "The length of the n-grams of words that weight the lattices; 0 for none."
    ),
    "channel": CHANNEL.says("What edits of words or marks cost; by default one nat each."),
    "marks": sequence(Rule("text"), least=1)
    .or_none()
    .says("The punctuation marks; by default the English ones."),
    "exponents": exponents_of(SCORES)
    .or_none()
    .says(
        "Of the factors in decoding, in place of those that are learned. With ``spaces`` 0 words "
        "stay apart or together; with ``accents`` 0, as by default where the text has none, an "
        "accent is an edit."
    ),
    "mistakes": MISTAKES.or_none().says(
        "The synthetic errors of the held-out text, to learn the exponents: ``random``, "
        "``confusables``, ``spaces``, ``accents``, ``drop``. By default ``random``, ``spaces`` "
        "and, where the text has any, ``accents`` for words, ``drop`` for marks."
    ),
    "rate": SHARE.says("How many words or marks are mistyped there."),
    "held_out": real(0, 1, below=True).says(
        "The share of the text, from its end, that the exponents are learned from; at most a "
        "thousand sentences."
    ),
    "threshold": SHARE.or_none().says(
        "Changes of less posterior probability are not made; by default those of words below 0.35, "
        "of marks below 0.5."
    ),
    "prune": SHARE.says(
        "Arcs of less posterior probability, without the model, are not composed with it; all are "
        "where there are no n-grams."
    ),
    "user_dictionary": WORDS.or_none().says(
        "Words of one's own: they are known, stay, and may be intended."
    ),
    "adapt": FLAG.says(
        "Whether sentences that are corrected together tell how many of their unknown words are "
        "mistakes, so that terms of another field stay."
    ),
    "seed": SEED.says("Seeds the synthetic errors."),
}
PARSED_CORRECTOR: Table = {
    "parser": instance("a DependencyParser", "DependencyParser")
    .or_none()
    .says("How the grammar is trained, but for its neighborhood; by default with σ² = 1."),
    "spell": integer(1, 3).says(f"{EDITS}."),
    "channel": CHANNEL.says("What edits cost; by default one nat each."),
    "exponents": exponents_of(PARSED_SCORES)
    .or_none()
    .says("Of the factors, in place of those by default."),
    "longest": POSITIVE.says("Sentences of more words are left as they are, with a warning."),
    "train_longest": POSITIVE.says(
        "The grammar is trained on sentences of at most so many words; the words on all."
    ),
}
