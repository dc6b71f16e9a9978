"""The members of a product of taggers: trained one after the other, or taken from their folders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fstce.console.models import load
from fstce.console.output import Interruption, count
from fstce.corpora import TagDictionary
from fstce.errors import ParameterError
from fstce.neighborhoods.registry import AUTO, neighborhood
from fstce.storage.manifest import MANIFEST
from fstce.tagging.criteria import CRITERIA
from fstce.tagging.product import TaggerProduct
from fstce.tagging.tagger import Tagger
from fstce.tagging.verbs.training import TaggerTraining


class Member(NamedTuple):
    """A tagger of a product, trained or not, and what it is called in messages."""

    name: str
    tagger: Tagger


def members_of(names: Sequence[str], parameters: Mapping[str, Any]) -> list[Member]:
    """The members that ``--product`` names; those that are to be trained have these parameters."""
    if "neighborhood" in parameters:
        raise ParameterError(
            "--neighborhood and --product: each --product names the neighborhood of a member"
        )
    members: list[Member] = []
    for number, name in enumerate(names):
        saved = (Path(name) / MANIFEST).exists()
        members += _saved(name) if saved else [_untrained(name, parameters, number)]
    for place, member in enumerate(members):
        if member.name in [other.name for other in members[:place]]:
            raise ParameterError(
                f"--product {member.name} twice: two trainings from one start are alike; with --start random "
                "each has a seed of its own"
            )
    return members


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
    members: Sequence[Member], training: TaggerTraining, reading: Mapping[str, Any]
) -> TaggerProduct:
    """Train the members that are not, and save their product; on Ctrl-C that of those so far."""
    saving = training.saving
    try:
        for number, (name, tagger) in enumerate(members, 1):
            if not hasattr(tagger, "theta_"):
                saving.note(f"member {number} of {len(members)}: {name}")
                training.fit(tagger, part=True)
    except Interruption:
        done = [tagger for _, tagger in members if hasattr(tagger, "theta_")]
        if not done or saving.output is None:
            nothing = "interrupted; nothing is saved" + ("" if done else " before training began")
            raise Interruption(nothing) from None
        product = TaggerProduct(done)
        product.reading_ = reading
        product.save(saving.output)
        what = f"the product of {len(done)} of {count(len(members), 'member')}"
        raise Interruption(f"interrupted; {what} is saved in {saving.output}") from None
    product = TaggerProduct([tagger for _, tagger in members])
    product.reading_ = reading
    saving.save(product)
    return product


def _saved(folder: str) -> list[Member]:
    """The tagger in a folder; of a product its members."""
    model = load(Path(folder), "tagger")
    parts = getattr(model, "taggers", None)
    if parts is None:
        return [Member(folder, model)]
    return [Member(f"{folder}: {number}", part) for number, part in enumerate(parts, 1)]


def _untrained(name: str, parameters: Mapping[str, Any], number: int) -> Member:
    """A tagger by the name of its criterion or neighborhood; the n-th random start has the n-th seed."""
    own = dict(parameters)
    if own.get("start") == "random":
        own["seed"] = own.get("seed", 0) + number
    if name in CRITERIA:
        own["criterion"] = name
    else:
        own["neighborhood"] = AUTO if name.strip().lower() == AUTO else neighborhood(name)
    return Member(f"{name}, seed {own['seed']}" if own.get("start") == "random" else name, Tagger(**own))
