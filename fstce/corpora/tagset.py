"""Coarser tags: maps from tags to fewer classes, and corpora projected through them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from fstce.corpora.documents import is_file, lines_of
from fstce.corpora.sentence import Sentence
from fstce.corpora.tables import bundled_rows, table_rows
from fstce.errors import CorpusError, ParameterError
from fstce.numeric.types import PathName
from fstce.parameters.rules import choice, did_you_mean

COARSE_MAPS = ("ptb45_coarse17", "upos")


def coarse_map(name: PathName = "ptb45_coarse17") -> dict[str, str]:
    """A map from tags to coarser classes.

    Parameters
    ----------
    name : {"ptb45_coarse17", "upos"} or path
        The 45 tags of the Penn Treebank, and those of later English treebanks, onto the 17 classes
        of Smith & Eisner (2005a) or the 17 of Universal Dependencies; or a file of one's own: a
        tag, a tab and its class a line.

    Returns
    -------
    dict of str to str

    Raises
    ------
    ParameterError
        There is no map of that name, and no such file.
    CorpusError
        A line of the file is no pair, or gives a tag a second class; names file and line.

    Examples
    --------
    >>> coarse = coarse_map()
    >>> coarse["NNPS"], coarse["WP$"], len(set(coarse.values()))
    ('N', 'WH', 17)
    """
    if name not in COARSE_MAPS and is_file(name):
        return _read_map(Path(name))
    try:
        choice(*COARSE_MAPS).check(**{"tag map": str(name)})
    except ParameterError as error:
        raise ParameterError(
            f"{error}; or name a file: a tag, a tab and its class a line"
        ) from None
    return {tag: image for tag, image, *_ in bundled_rows(f"{name}.tsv")}


def _read_map(path: Path) -> dict[str, str]:
    class_of_tag: dict[str, str] = {}
    for number, fields in table_rows(lines_of(path)):
        where = f"{path}:{number}"
        pair = tuple(field.strip() for field in fields)
        if len(pair) != 2 or not all(pair):
            raise CorpusError(
                f"{where}: two fields are due, a tag, a tab, its class, and not {len(pair)}"
            )
        if class_of_tag.setdefault(*pair) != pair[1]:
            raise CorpusError(
                f"{where}: the tag {pair[0]!r} has the class {class_of_tag[pair[0]]!r} already"
            )
    return class_of_tag


def project(sentences: Iterable[Sentence], mapping: Mapping[str, str]) -> list[Sentence]:
    """The sentences with every tag replaced by its image, over the words of their trees too.

    Parameters
    ----------
    sentences : iterable of Sentence
        With tags.
    mapping : mapping of str to str
        An image for every tag that occurs.

    Returns
    -------
    list of Sentence

    Raises
    ------
    CorpusError
        A sentence without tags, or a tag without an image.

    Examples
    --------
    >>> project([Sentence(["dogs", "bark"], tags=["NNS", "VBP"])], coarse_map())[0].tags
    ('N', 'V')
    """
    projected = []
    for sentence in sentences:
        where = sentence.source or str(sentence)
        if sentence.tags is None:
            raise CorpusError(f"{where}: the sentence carries no tags to project")
        for word, tag in zip(sentence.words, sentence.tags, strict=True):
            if tag not in mapping:
                no_image = f"the map has nothing for the tag {tag!r}{did_you_mean(tag, mapping)}"
                raise CorpusError(f"{where}: {word}/{tag}: {no_image}")

        tags = tuple(mapping[tag] for tag in sentence.tags)
        tree = sentence.tree and sentence.tree.with_tags(tags)
        projected.append(replace(sentence, tags=tags, tree=tree, tag_column=""))
    return projected
