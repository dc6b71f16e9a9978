"""How an estimator shows itself: in a line, on a notebook's card, as facts."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from operator import attrgetter
from typing import ClassVar

from fstce.estimation.stored import Stored
from fstce.parameters.rules import shown


class Presented(Stored):
    """An estimator that is shown with its sizes, its text, its objective.

    `SIZES`: the learned attributes that are counted, and what of them there is a number; the first
    is there once the model is trained.

    The examples of the methods go on with that of :class:`fstce.Tagger`.
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
        """The rows of a model's card: its size, what it was trained on, the objective, the
        iterations.

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
