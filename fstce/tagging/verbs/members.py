"""The members of a product of taggers: trained one after the other, or taken from their folders."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fstce.console.models import load
from fstce.console.output import Interruption, count, note
from fstce.errors import ParameterError

if TYPE_CHECKING:
    from fstce.corpora import TagDictionary
    from fstce.tagging.product import TaggerProduct
    from fstce.tagging.tagger import Tagger


class Member(NamedTuple):
    """A tagger of a product, trained or not, and what it is called in messages."""

    name: str
    tagger: Tagger


def members_of(names: Sequence[str], parameters: Mapping[str, Any]) -> list[Member]:
    """The members that ``--product`` names; those that are to be trained have these parameters."""
    from fstce.storage.manifest import MANIFEST

    if "neighborhood" in parameters:
        raise ParameterError(
            "--neighborhood and --product: each --product names the neighbourhood of a member"
        )
    found: list[Member] = []
    for number, name in enumerate(names):
        saved = (Path(name) / MANIFEST).exists()
        found += _saved(name) if saved else [_untrained(name, parameters, number)]
    for place, member in enumerate(found):
        if member.name in [other.name for other in found[:place]]:
            raise ParameterError(
                f"--product {member.name} twice: two trainings from one start are alike; with --start random "
                "each has a seed of its own"
            )
    return found


def check_tags(members: Sequence[Member], entries: TagDictionary) -> None:
    """Raise ParameterError where a member from a folder has other tags than the dictionary."""
    for name, tagger in members:
        if hasattr(tagger, "tags_") and tagger.tags_ != entries.tagset:
            raise ParameterError(
                f"--product {name}: it has {count(len(tagger.tags_), 'tag')} and the dictionary "
                f"{len(entries.tagset)}, or others; the members of a product share their tags: train them "
                "with one --dictionary"
            )


def train_members(
    members: Sequence[Member],
    fit: Callable[[Tagger], None],
    reading: Mapping[str, Any],
    output: Path | None,
    quiet: bool,
) -> TaggerProduct:
    """Train the members that are not, by `fit`, and save their product."""
    from fstce.tagging.product import TaggerProduct

    try:
        for number, (name, tagger) in enumerate(members, 1):
            if hasattr(tagger, "theta_"):
                continue
            if not quiet:
                note(f"member {number} of {len(members)}: {name}")
            fit(tagger)
    except Interruption:
        done = [member for member in members if hasattr(member.tagger, "theta_")]
        raise Interruption(_rescue(done, len(members), reading, output)) from None
    return _save(TaggerProduct([member.tagger for member in members]), reading, output)


def _saved(folder: str) -> list[Member]:
    """The tagger in a folder; of a product its members."""
    model = load(Path(folder), "tagger")
    parts = getattr(model, "taggers", None)
    if parts is None:
        return [Member(folder, model)]
    return [Member(f"{folder}: {number}", part) for number, part in enumerate(parts, 1)]


def _untrained(name: str, parameters: Mapping[str, Any], number: int) -> Member:
    """A tagger by the name of its criterion or neighbourhood; the n-th random start has the n-th seed."""
    from fstce.neighborhoods.registry import AUTO, neighborhood
    from fstce.tagging.criteria import CRITERIA
    from fstce.tagging.tagger import Tagger

    own = dict(parameters)
    if own.get("start") == "random":
        own["seed"] = own.get("seed", 0) + number
    if name in CRITERIA:
        own["criterion"] = name
    else:
        own["neighborhood"] = AUTO if name.strip().lower() == AUTO else neighborhood(name)
    return Member(f"{name}, seed {own['seed']}" if own.get("start") == "random" else name, Tagger(**own))


def _save(product: TaggerProduct, reading: Mapping[str, Any], output: Path | None) -> TaggerProduct:
    product.reading_ = reading
    if output is not None:
        product.save(output)
    return product


def _rescue(done: Sequence[Member], n: int, reading: Mapping[str, Any], output: Path | None) -> str:
    """Save the product of the members so far; what to tell."""
    from fstce.tagging.product import TaggerProduct

    if not done or output is None:
        return "interrupted; nothing is saved" + ("" if done else " before training began")
    _save(TaggerProduct([member.tagger for member in done]), reading, output)
    return f"interrupted; the product of {len(done)} of {count(n, 'member')} is saved in {output}"
