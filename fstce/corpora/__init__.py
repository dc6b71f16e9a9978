"""Text and treebanks in: readers, sentences, dictionaries, tag maps, head rules, the sample.

==================  ====================================================================
``read``            a corpus by path or name, in any format
``sentence``        words with tags, heads and a tree
``trees``           phrase-structure trees
``links``           dependency trees drawn, as text and as SVG
``penn`` ``conll``  one reader a format; CoNLL-U out, too
``passages``        sentences with the lines that they stand on
``tagged_text``     word/TAG, a word a line, JSON lines
``streams``         readings of each token, in Apertium's format and in CG-3's
``faults``          places that cannot be read: raised, skipped, passed through
``documents``       files, folders, archives and streams as numbered lines; their formats
``running_text``    lines of text into sentences and words
``conventions``     what is a word of its own; ``recognition`` reads it off a corpus
``tables``          tab-separated tables
``word_files``      words with counts from any file; of hunspell's by ``hunspell``
``casing``          capitals and accents
``words``           what may be a word; words and their tags side by side
``dictionary``      tagging dictionaries, with ``dictionary_files`` and ``dictionary_sources``
``tagset``          coarser tags
``heads``           dependency heads from phrase structure; whether heads are a tree
``dependencies``    treebank sentences for grammars
``shipped``         the trees that come with fstce
==================  ====================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fstce.kinds import on_first_use

if TYPE_CHECKING:
    from fstce.corpora.conll import conllu_sentence
    from fstce.corpora.conventions import Conventions
    from fstce.corpora.dependencies import dependency_corpus
    from fstce.corpora.dictionary import TagDictionary
    from fstce.corpora.penn import parse_tree
    from fstce.corpora.read import iter_corpus, read_corpus
    from fstce.corpora.recognition import recognize
    from fstce.corpora.running_text import TextReader
    from fstce.corpora.sentence import Sentence, first_words
    from fstce.corpora.shipped import sample
    from fstce.corpora.tagset import coarse_map, project
    from fstce.corpora.trees import Tree
    from fstce.corpora.words import RESERVED

__all__ = [
    "RESERVED",
    "Conventions",
    "Sentence",
    "TagDictionary",
    "TextReader",
    "Tree",
    "coarse_map",
    "conllu_sentence",
    "dependency_corpus",
    "first_words",
    "iter_corpus",
    "parse_tree",
    "project",
    "read_corpus",
    "recognize",
    "sample",
]
_HOMES = {
    "Conventions": "conventions",
    "RESERVED": "words",
    "Sentence": "sentence",
    "TagDictionary": "dictionary",
    "TextReader": "running_text",
    "Tree": "trees",
    "coarse_map": "tagset",
    "conllu_sentence": "conll",
    "dependency_corpus": "dependencies",
    "first_words": "sentence",
    "iter_corpus": "read",
    "parse_tree": "penn",
    "project": "tagset",
    "read_corpus": "read",
    "recognize": "recognition",
    "sample": "shipped",
}
__getattr__: Any = on_first_use(__name__, _HOMES)
