"""Text and treebanks in: readers, sentences, tagging dictionaries, tag maps, head rules, the sample.

==================  ====================================================================
``read``            a corpus by path or name, in any format
``sentence``        words with tags, heads and a tree
``trees``           phrase-structure trees
``penn`` ``conll``  one reader a format, with ``tagged`` and ``plain``
``documents``       files, folders, archives and streams as numbered lines
``formats``         suffixes, and which files of a folder are read
``tables``          tab-separated tables
``nltk_data``       where NLTK keeps its corpora
``words``           what may be a word
``dictionary``      tagging dictionaries, with ``dilution`` and ``dictionary_file``
``tagset``          coarser tags
``heads``           dependency heads from phrase structure
``sample``          the trees that come with fstce
==================  ====================================================================
"""

from __future__ import annotations

from fstce.corpora.dictionary import TagDictionary
from fstce.corpora.heads import dependencies, head_indices, with_heads
from fstce.corpora.penn import parse_tree
from fstce.corpora.read import iter_corpus, read_corpus
from fstce.corpora.sample import sample
from fstce.corpora.sentence import Sentence, first_words
from fstce.corpora.tagset import coarse_map, project
from fstce.corpora.trees import Tree
from fstce.corpora.words import RESERVED

__all__ = [
    "RESERVED",
    "Sentence",
    "TagDictionary",
    "Tree",
    "coarse_map",
    "dependencies",
    "first_words",
    "head_indices",
    "iter_corpus",
    "parse_tree",
    "project",
    "read_corpus",
    "sample",
    "with_heads",
]
