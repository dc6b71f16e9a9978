"""Trials of numbers, their logs in files, and what is read of them."""

from __future__ import annotations

import math

import numpy as np

from fstce.processes import trials as in_processes
from fstce.processes.trial_log import TrialLog
from fstce.processes.trials import Group


def grid(groups=4, trials=3):
    return [Group({"group": g}, [{"trial": t} for t in range(trials)]) for g in range(groups)]


def run_trials(groups, prepare, path=None, *, about=None, **settings):
    """The records of trials, with a log in a file."""
    with TrialLog(path, about) as log:
        return in_processes.run_trials(groups, prepare, log, **settings)


def chaotic(shared):
    """A preparation and numbers of which a single bit would show."""
    start = np.random.default_rng(shared["group"]).random(100)

    def run(trial):
        return {
            "sum": float(np.sum(start ** (1 + trial["trial"]))),
            "log": [-math.inf, float(start[0])],
        }

    return run


def bare(records):
    return [
        {name: part for name, part in record.items() if name != "seconds"} for record in records
    ]


def log_lines(path):
    return path.read_bytes().splitlines(keepends=True)
