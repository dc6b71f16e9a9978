"""Trainings as they could go, whose iterations take as long as forecasts say."""

from fstce.estimation.maximize import Step
from fstce.latent.training.schedule import EMStep, Schedule

SCHEDULE = Schedule(cycles=3, split_iterations=6, merge_iterations=3, smooth_iterations=2)


def steps(values, pace=1.0):
    return [Step(k, value, 0.5, k * pace) for k, value in enumerate(values)]


def falling(n, rate=0.5, size=10.0):
    """Objectives near −1000 whose change falls by `rate` at every step."""
    return [-1000.0 - size * rate**k for k in range(n)]


def grammar_steps(schedule, first=1, warning=""):
    """A training whose iterations take as long as the forecast says, in tenths of a second."""
    clock, kept = 0.0, 2 - schedule.merged
    for cycle in range(first, schedule.cycles + 1):
        for stage, size in (
            ("split", 2 * kept ** (cycle - 1)),
            ("merge", kept**cycle),
            ("smooth", kept**cycle),
        ):
            for k in range(getattr(schedule, f"{stage}_iterations")):
                clock += 0.1 * (1 + 0.004 * size**3)
                yield EMStep(cycle, stage, k, -1e5, int(10 * size), clock, warning)
