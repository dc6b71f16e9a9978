"""Answers to lesson 5."""

from lesson_05 import EATS, NEXT, START, STOP


def forward(diary):
    alpha = [{q: START[q] * EATS[q][diary[0]] for q in "CH"}]
    for eaten in diary[1:]:
        alpha.append({q: sum(alpha[-1][p] * NEXT[p][q] for p in "CH") * EATS[q][eaten] for q in "CH"})
    return alpha


def backward(diary):
    beta = [dict(STOP)]
    for eaten in reversed(diary[1:]):
        beta.insert(0, {p: sum(NEXT[p][q] * EATS[q][eaten] * beta[0][q] for q in "CH") for p in "CH"})
    return beta


def hot(diary, day):
    alpha, beta = forward(diary)[day], backward(diary)[day]
    return alpha["H"] * beta["H"] / sum(alpha[q] * beta[q] for q in "CH")


def viterbi(diary):
    best = {q: (START[q] * EATS[q][diary[0]], q) for q in "CH"}
    for eaten in diary[1:]:
        best = {
            q: max((best[p][0] * NEXT[p][q] * EATS[q][eaten], best[p][1] + q) for p in "CH") for q in "CH"
        }
    return max((best[q][0] * STOP[q], best[q][1]) for q in "CH")[1]
