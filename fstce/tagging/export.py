"""The model is a machine: a trained tagger as two transducers that OpenFst's own tools run.

``emissions.fst`` writes for a word its tags, ``history.fst`` weighs the tag sequence;
weights are −score in nats, so that the shortest path of sentence ∘ emissions ∘ history
is the Viterbi tagging. Both are of arc type ``standard`` (32-bit weights).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from fstce.corpora.dictionary import TagDictionary
from fstce.corpora.words import checked_sentences
from fstce.errors import ParameterError
from fstce.grammars import tag_ngrams
from fstce.machines.files import content, write_fst
from fstce.machines.image import Arrays, arrays_to_fst
from fstce.machines.openfst import pynini
from fstce.machines.symbols import EPSILON, UNKNOWN, UNKNOWN_ID, Symbols
from fstce.machines.text import write_symbols
from fstce.numeric.types import Floats, Ints, PathName, Sentences
from fstce.storage.atomic import write_whole
from fstce.storage.folder import write_folder
from fstce.tagging.criteria import check_words_alone
from fstce.version import __version__
from fstce.wfsa.features import EmissionTable, TagFeatures, tag_pairs


class WeightedTagger(NamedTuple):
    """A log-linear tagger: score(x, y) = θ · f(x, y), over the tags that the dictionary allows.

    ``theta`` is (features,).
    """

    features: TagFeatures
    theta: Floats
    dictionary: TagDictionary

    @property
    def tags(self) -> tuple[str, ...]:
        """The tagset."""
        return self.features.tags


TITLE = "A tagger as two weighted transducers, written by fstce"
_README = """\
{title} {version}.

emissions.fst   word : tag; the weight is minus the score of the tag for the word
history.fst     tag : tag; the weight is minus the score of the tag {order}-gram, and the
                final weight the cost of ending the sentence there
words.syms      the words that emissions.fst reads, and their numbers
tags.syms       the tags, and their numbers

Weights are tropical, in nats. The commands are those of OpenFst (Debian: libfst-tools).

The tags of sentences, one a line in own.txt, each of which is own0001.fst and so on:

    farcompilestrings --symbols=words.syms --unknown_symbol='<unk>' --keep_symbols \\
        --generate_keys=4 --key_prefix=own own.txt own.far
    farextract --filename_suffix=.fst own.far
    fstcompose own0001.fst emissions.fst | fstcompose - history.fst | fstshortestpath |
        fstproject --project_type=output | fstrmepsilon | fsttopsort |
        fstprint --acceptor --isymbols=tags.syms

A word that words.syms lacks is read as <unk>, which may take the tags that the dictionary
allows for unseen words. Its spelling is then lost; give fstce such sentences when it writes
this folder, and their words have arcs with the scores of their spelling.
"""
_FILES = ("README.txt", "emissions.fst", "history.fst", "words.syms", "tags.syms")
MOST_NGRAMS = 4_000_000


def emission_fst(
    tagger: WeightedTagger, words: Iterable[str] = (), arc_type: str = "standard"
) -> pynini.Fst:
    """The transducer from words to tags, weight −score, sorted by word.

    ``tagger``: ``weighted_`` of a trained :class:`fstce.Tagger`. ``words``: words that training did
    not see; they take the tags that the dictionary allows them and the scores of their spelling.
    Returns one state, symbols attached. ``<unk>`` reads any other word: it has the tags of unseen
    words, with score 0.

    >>> from fstce import Tagger
    >>> tagger = Tagger(order=1).fit([["a", "dog"]], dictionary={"a": "D", "dog": "N"})
    >>> [emission_fst(tagger.weighted_, words).num_arcs(0) for words in ((), ["cat"])]
    [4, 6]
    """
    check_words_alone(tagger.features)
    symbols = Symbols([*tagger.features.symbols, *words])
    # No dictionary may list a reserved symbol, so this is its rule for words not listed.
    unseen = sorted(tagger.tags.index(tag) for tag in tagger.dictionary.lookup(UNKNOWN))
    word, tag = tag_pairs(symbols, symbols, tagger.dictionary, tagger.tags)
    word = np.append(np.full(len(unseen), UNKNOWN_ID), word)
    tag = np.append(np.array(unseen, dtype=np.int64), tag)
    score = EmissionTable(tagger.features, symbols, word, tag).scores(tagger.theta)[: len(word)]
    state = np.zeros(len(word), dtype=np.int64)
    fst = arrays_to_fst(Arrays(0, np.zeros(1), state, word, tag + 1, 0.0 - score, state), arc_type)
    return _named(fst.arcsort("ilabel"), symbols.table, tag_symbols(tagger.tags))


def tag_ngram_fst(tagger: WeightedTagger, arc_type: str = "standard") -> pynini.Fst:
    """The machine that weighs tag sequences: −score of each n-gram, the last as final weight.

    ``tagger``: ``weighted_`` of a trained :class:`fstce.Tagger`. Returns a state for each history
    of tags; an arc for each possible n-gram, of weight zero where the model has no weight for it.
    With more than four million n-grams, arcs for those with a weight only. Symbols are attached.
    """
    n_tags = len(tagger.tags)
    order = tagger.features.order
    whole = (n_tags + 1) ** order <= MOST_NGRAMS
    codes = tag_ngrams.possible(n_tags, order) if whole else tagger.features.ngrams
    cost = 0.0 - tagger.features.ngram_scores(tagger.theta, codes)
    table = tag_symbols(tagger.tags)
    fst = arrays_to_fst(_history(codes, cost, n_tags, order), arc_type)
    return _named(fst.arcsort("ilabel"), table, table)


def export(tagger: WeightedTagger, folder: PathName, sentences: Sentences = ()) -> None:
    """Write the tagger as machines, with the commands that run them.

    The words are those of training, of the dictionary and of the sentences.

    ``tagger``: ``weighted_`` of a trained :class:`fstce.Tagger`. ``folder``: made if there is none;
    files of an earlier export are replaced, others never. ``sentences``: whose words have arcs too.
    """
    rows = checked_sentences(sentences, least=0)
    words = [*tagger.dictionary, *(word for row in rows for word in row)]
    symbols = Symbols([*tagger.features.symbols, *words])

    def write(place: Path) -> None:
        write_fst(emission_fst(tagger, words), place / "emissions.fst")
        write_fst(tag_ngram_fst(tagger), place / "history.fst")
        write_symbols(symbols.table, place / "words.syms")
        write_symbols(tag_symbols(tagger.tags), place / "tags.syms")
        about = _README.format(title=TITLE, version=__version__, order=tagger.features.order)
        write_whole(place / "README.txt", about, ParameterError)

    write_folder(folder, write, _earlier)


def tag_symbols(tags: Iterable[str]) -> pynini.SymbolTable:
    """The tags as a symbol table: tag number t is label t + 1."""
    table = pynini.SymbolTable("fstce tags")
    for symbol in (EPSILON, *tags):
        table.add_symbol(symbol)
    return table


def _history(codes: Ints, cost: Floats, n_tags: int, order: int) -> Arrays:
    """n-grams as arcs, those that end with the boundary as final weights."""
    base = n_tags + 1
    history, tag = np.divmod(codes - 1, base)
    states, source = np.unique(history, return_inverse=True)
    target = np.searchsorted(states, (codes - 1) % base ** (order - 1))
    arc = tag < n_tags
    final = np.full(len(states), np.inf)
    final[source[~arc]] = cost[~arc]
    label = tag[arc] + 1
    return Arrays(len(states) - 1, final, source[arc], label, label, cost[arc], target[arc])


def _named(fst: pynini.Fst, words: pynini.SymbolTable, tags: pynini.SymbolTable) -> pynini.Fst:
    return fst.set_input_symbols(words).set_output_symbols(tags)


def _earlier(folder: Path) -> set[str]:
    """The names of the files of an earlier export; raises OSError where one of these is of none."""
    about = folder / _FILES[0]
    present = {name for name in _FILES if (folder / name).exists()}
    if present and not (about.is_file() and content(about).startswith(TITLE.encode())):
        raise FileExistsError(f"{min(present)} is of no earlier export and would be replaced")
    return present
