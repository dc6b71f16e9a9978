"""A trained tagger as a component of spaCy, found by entry point: ``nlp.add_pipe("fstce_tagger")``.

The package that carries it says in its pyproject.toml

    [project.entry-points.spacy_factories]
    fstce_tagger = "spacy_tagger:fstce_tagger"

To try: nlp = spacy.blank("en"); nlp.add_pipe("fstce_tagger", config={"model": "model"})
"""

from __future__ import annotations

from collections.abc import Callable

from spacy.language import Language
from spacy.tokens import Doc

from fstce import Tagger


@Language.factory("fstce_tagger", assigns=["token.tag"], default_config={"model": "model"})
def fstce_tagger(nlp: Language, name: str, model: str) -> Callable[[Doc], Doc]:
    """``model``: the folder of a saved tagger. Tags sentences where spaCy has found some, else the whole."""
    tagger = Tagger.load(model)

    def tagged(doc: Doc) -> Doc:
        sentences = list(doc.sents) if doc.has_annotation("SENT_START") else [doc[:]]
        words = [[token.text for token in sentence] for sentence in sentences]
        for sentence, tags in zip(sentences, tagger.predict(words), strict=True):
            for token, tag in zip(sentence, tags, strict=True):
                token.tag_ = tag
        return doc

    return tagged
