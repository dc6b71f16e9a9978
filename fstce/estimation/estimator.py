"""What every estimator shares: parameters, a state on disk, a card; and checks of what comes in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fstce.errors import NotFittedError, ParameterError
from fstce.estimation.presented import Presented
from fstce.numeric.types import Floats
from fstce.parameters.rules import shown


class Estimator(Presented):
    """Parameters are the arguments of ``__init__``, kept as given; what training learns ends in
    ``_``.

    Attributes
    ----------
    tokenization_ : mapping
        How the training text was cut into words (``conventions``; of sentences as
        :func:`fstce.corpora.read_corpus` reads them `fit` sees that itself) and what of it could
        not be read (``faults``), where whoever read it has said so; saved with the model.

    Examples
    --------
    >>> from fstce import Tagger
    >>> text, tags = [["we", "fish"], ["we", "swim"]], {"we": "P", "fish": ("N", "V"), "swim": "V"}
    >>> tagger = Tagger("trans1", order=2).fit(text, dictionary=tags)
    >>> tagger.facts()["size"]
    '14 features, 3 tags'
    """

    def _check_fitted(self, attribute: str) -> None:
        if not hasattr(self, attribute):
            raise NotFittedError(f"this {type(self).__name__} is not trained yet; call fit or load")


def checked_weights(theta: Any, size: int) -> Floats:
    """θ of a model with so many features; raises ParameterError where it is none."""
    try:
        weights = np.asarray(theta, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(f"theta={shown(theta)}: give an array of {size} weights") from None
    if weights.shape != (size,):
        raise ParameterError(f"theta has shape {weights.shape}; this model has {size} features")
    if np.any(np.isnan(weights) | np.isposinf(weights)):
        raise ParameterError("theta has entries that are no weights")
    return weights


def check_begun(limit: str, done: int, then: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Raise ParameterError where a grammar was trained for more, or begun with other settings, than
    now.

    ``limit``: the parameter that says how long to train. ``done``: how long it was trained.
    ``then``, ``now``: settings by name; those that `then` lacks may have changed.
    """
    if done > now[limit]:
        raise ParameterError(
            f"{limit}={now[limit]}: this grammar was trained for {done} already; give {done} or "
            "more"
        )
    changed = next((name for name, value in then.items() if now[name] != value), None)
    if changed is not None:
        raise ParameterError(
            f"the grammar was begun with {changed}={then[changed]!r}, not {now[changed]!r}; "
            "go on with the same settings, or learn anew"
        )
