"""What every estimator shares: parameters, a state on disk, a card; and checks of what comes in."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from operator import attrgetter
from typing import Any, ClassVar

import numpy as np

from fstce.errors import NotFittedError, ParameterError
from fstce.estimation.stored import Stored
from fstce.numeric.types import Floats
from fstce.parameters.rules import shown


class Estimator(Stored):
    """Parameters are arguments of ``__init__``, kept as given; what is learned ends in ``_``.

    `SIZES`: the learned attributes that are counted, and what of them there is a number; the first
    is there once the model is trained.

    The examples of the methods go on with that of :class:`fstce.Tagger`.

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

    SIZES: ClassVar[Mapping[str, str]] = {"theta_": "features", "tags_": "tags"}

    def __repr__(self) -> str:
        facts = self.facts()
        if not facts:
            return self._call()

        size = facts.pop("size")
        described = [size, *(f"{name} {value}" for name, value in facts.items())]
        return f"<{self._call()}: {'; '.join(described)}>"

    def _repr_html_(self) -> str:
        """A card for notebooks: what was trained on what, and how large it is."""
        facts = self.facts() or {"size": "not trained yet; call fit or load"}

        rows = "".join(
            f"<tr><th style='text-align:left'>{escape(name)}</th>"
            f"<td style='text-align:left'>{escape(value)}</td></tr>"
            for name, value in facts.items()
        )

        parameters = ", ".join(
            f"{name}={shown(value, 80)}" for name, value in self.get_params().items()
        )
        return (
            f"<div><b>{type(self).__name__}</b><table>{rows}</table>"
            f"<details><summary>parameters</summary>{escape(parameters)}</details></div>"
        )

    def facts(self) -> dict[str, str]:
        """The rows of a model's card: size, what it was trained on, objective, iterations.

        Returns
        -------
        dict of str to str
            Empty where nothing is trained.

        Examples
        --------
        >>> Tagger().facts()
        {}
        >>> tagger.facts()["trained on"]
        '2 sentences, 4 words'
        """
        sizes: dict[str, int] = {}
        for path, counted in self.SIZES.items():
            try:
                sizes[counted] = len(attrgetter(path)(self))
            except (AttributeError, TypeError):
                if not sizes:  # the first is there once it is trained
                    return {}

        facts = {"size": ", ".join(f"{number:,} {counted}" for counted, number in sizes.items())}
        sized = [self] if self._text_size is not None else self._parts()
        texts = dict.fromkeys(part._text_size for part in sized if part._text_size is not None)
        if texts:
            spelt = (f"{sentences:,} sentences, {words:,} words" for sentences, words in texts)
            facts["trained on"] = "; ".join(spelt)
        return {**facts, **self._outcome()}

    def _outcome(self) -> dict[str, str]:
        """The objective and the iterations of the training, where they are known."""
        training = vars(self).get("training_")
        if training is None:
            return {}

        name = training.criterion or self._maximized()
        objective = f"{name} {training.objective:,.2f} nats with the prior"
        return {
            "objective": objective.strip(),
            "iterations": f"{training.iterations} ({training.stopped})",
        }

    def _maximized(self) -> str:
        """The name of what training maximizes."""
        return str(getattr(self, "criterion", ""))

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
    """Raise ParameterError where a grammar was trained for more, or with other settings.

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
