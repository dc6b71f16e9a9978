"""The bundled sample."""

from __future__ import annotations

from fstce.corpora import coarse_map, project, sample
from fstce.corpora.heads import with_heads


def test_the_sample_is_whole_and_annotated() -> None:
    sentences = sample()
    files = [sentence.source.partition(":")[0] for sentence in sentences]
    assert files == sorted(files)
    assert set(files) >= {"sample/01_village.mrg"}
    assert all(s.tree is not None and s.tree.leaves() == s.words for s in sentences)


def test_the_sample_has_known_tags_and_one_root_a_sentence() -> None:
    sentences = list(map(with_heads, project(sample(), coarse_map())))
    assert all(s.heads is not None and s.heads.count(0) == 1 for s in sentences)
