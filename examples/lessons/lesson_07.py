"""Lesson 7: forward–backward by hand, on the ice-cream HMM (Eisner 2002).

Each day is cold (C) or hot (H); a diary says how many ice creams were eaten. α(q, t) sums over all
paths to state q on day t, β(q, t) over all from there to the end; their product, over the sum of
all paths, is the posterior of q. What was probably done is counted, and the counts, divided, are the
next model (the M step of Baum & Welch).
"""

from grading import grade

START = {"C": 0.5, "H": 0.5}
NEXT = {"C": {"C": 0.8, "H": 0.1}, "H": {"C": 0.1, "H": 0.8}}
STOP = {"C": 0.1, "H": 0.1}
EATS = {"C": {1: 0.7, 2: 0.2, 3: 0.1}, "H": {1: 0.1, 2: 0.2, 3: 0.7}}
DIARY = [2, 3, 3, 2, 3, 2, 3, 2, 2, 3, 1]

# %%
# The sum over two states on the first of two days, and the day after, written out:
first = {q: START[q] * EATS[q][DIARY[0]] for q in "CH"}
second = {q: sum(first[p] * NEXT[p][q] for p in "CH") * EATS[q][DIARY[1]] for q in "CH"}
print("p(the first two days of the diary) =", sum(second[q] * STOP[q] for q in "CH"))


# %%
# Yours:
def forward(diary):
    """α: for each day a dict from state to the sum of the paths to it, that day's ice creams included."""
    return ...


def hot(diary, day):
    """The posterior probability that a day, counted from 0, is hot."""
    return ...


def viterbi(diary):
    """The most probable weather, such as "HHC"."""
    return ...


def best(diary, k):
    """The k most probable weathers, the best first. Keep k for each state and day."""
    return ...


def appetite(diary):
    """The M step: EATS anew, each state a dict from 1, 2, 3 to its share of the days expected in it."""
    return ...


# %%
if __name__ == "__main__":
    grade("lesson_07", globals())
