"""Several trainings as one: their iterations numbered on, each with the name of its stage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from fstce.estimation.maximize import Interrupted, Monitor, Step, Training


class Schedule:
    """The course of a training in stages; a stage's number 0 is the one after the last of the stage before.

    >>> def train(monitor):
    ...     for k in range(2):
    ...         monitor(Step(k, -1.0, 0.0, 0.5 * k))
    ...     return Training(None)
    >>> schedule = Schedule()
    >>> _ = schedule.run("first", train), schedule.run("second", train)
    >>> [(step.iteration, step.seconds, step.stage) for step in schedule.steps]
    [(0, 0.0, 'first'), (1, 0.5, 'first'), (2, 0.5, 'second'), (3, 1.0, 'second')]
    """

    def __init__(self, monitor: Monitor | None = None) -> None:
        self.steps: list[Step] = []
        self._monitor = monitor

    def run(self, stage: str, train: Callable[[Monitor], Training]) -> Training:
        """Run a stage, which gets a monitor: its training, with the steps of all stages so far."""
        done, seconds = (self.steps[-1].iteration + 1, self.steps[-1].seconds) if self.steps else (0, 0.0)

        def on(step: Step) -> None:
            number, clock = done + step.iteration, seconds + step.seconds
            name = f"{stage}, {step.stage}" if step.stage else stage
            self.steps.append(replace(step, iteration=number, seconds=clock, stage=name))
            if self._monitor is not None:
                self._monitor(self.steps[-1])

        try:
            training = train(on)
        except Interrupted as interruption:
            interruption.training.steps = list(self.steps)
            raise
        training.steps = list(self.steps)
        return training
