"""What the shell completes: names of neighbourhoods, files, corpora with a name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

AUTO = "auto"  # as in fstce.neighborhoods.registry, which takes long to load
CORPORA = ("sample", "nltk:treebank", "nltk:brown", "nltk:dependency_treebank")


def neighborhoods(incomplete: str) -> list[str]:
    """Neighbourhoods that fstce ships, and authors' files."""
    from fstce.neighborhoods.shipped import direct_names, names, names_over_vocabulary

    known = sorted((*names(), *direct_names(), *names_over_vocabulary()))
    found = [name for name in known if name.startswith(incomplete.lower())]
    return [*found, *_paths(incomplete, (".py", ".fst", ".far", ".txt"))]


def or_auto(names: Callable[[str], list[str]]) -> Callable[[str], list[str]]:
    """What completes names, or a tagger's own choice of neighbourhoods."""

    def complete(incomplete: str) -> list[str]:
        return [*([AUTO] if AUTO.startswith(incomplete.lower()) else []), *names(incomplete)]

    return complete


def corpora(incomplete: str) -> list[str]:
    """Corpora with a name, and files."""
    return [*(name for name in CORPORA if name.startswith(incomplete)), *_paths(incomplete)]


def starting_with(names: tuple[str, ...]) -> Callable[[str], list[str]]:
    """What completes some names."""

    def complete(incomplete: str) -> list[str]:
        return [name for name in names if name.startswith(incomplete)]

    return complete


def files(incomplete: str) -> list[str]:
    """Files and folders."""
    return list(_paths(incomplete))


def _paths(incomplete: str, suffixes: tuple[str, ...] = ()) -> Iterator[str]:
    """Paths that begin so; a folder with a slash behind it, a file if it has one of the suffixes."""
    folder, _, start = incomplete.rpartition("/")
    place = Path(f"{folder}/") if folder or incomplete.startswith("/") else Path()
    prefix = incomplete[: len(incomplete) - len(start)]
    try:
        names = sorted(place.iterdir())
    except OSError:
        return
    for path in names:
        if path.name.startswith(start) and (start or not path.name.startswith(".")):
            if path.is_dir():
                yield f"{prefix}{path.name}/"
            elif not suffixes or path.suffix.lower() in suffixes:
                yield f"{prefix}{path.name}"
