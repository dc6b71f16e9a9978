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
``sample``          the trees that come with fstce
==================  ====================================================================
"""

from __future__ import annotations

from fstce.corpora.conll import conllu_sentence
from fstce.corpora.conventions import Conventions
from fstce.corpora.dependencies import dependency_corpus
from fstce.corpora.dictionary import TagDictionary
from fstce.corpora.penn import parse_tree
from fstce.corpora.read import iter_corpus, read_corpus
from fstce.corpora.recognition import recognize
from fstce.corpora.running_text import TextReader
from fstce.corpora.sample import sample
from fstce.corpora.sentence import Sentence, first_words
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
