"""Answers to lesson 7."""

from lesson_07 import EATS, NEXT, START, STOP


def forward(diary):
    alpha = [{q: START[q] * EATS[q][diary[0]] for q in "CH"}]
    for eaten in diary[1:]:
        alpha.append(
            {q: sum(alpha[-1][p] * NEXT[p][q] for p in "CH") * EATS[q][eaten] for q in "CH"}
        )
    return alpha


def backward(diary):
    beta = [dict(STOP)]
    for eaten in reversed(diary[1:]):
        beta.insert(
            0, {p: sum(NEXT[p][q] * EATS[q][eaten] * beta[0][q] for q in "CH") for p in "CH"}
        )
    return beta


def posteriors(diary):
    products = [
        {q: alpha[q] * beta[q] for q in "CH"}
        for alpha, beta in zip(forward(diary), backward(diary), strict=True)
    ]
    return [{q: product[q] / sum(product.values()) for q in "CH"} for product in products]


def hot(diary, day):
    return posteriors(diary)[day]["H"]


def viterbi(diary):
    return best(diary, 1)[0]


def best(diary, k):
    kept = {q: [(START[q] * EATS[q][diary[0]], q)] for q in "CH"}
    for eaten in diary[1:]:
        kept = {
            q: sorted(
                ((w * NEXT[p][q] * EATS[q][eaten], days + q) for p in "CH" for w, days in kept[p])
            )[-k:]
            for q in "CH"
        }
    ended = sorted((w * STOP[q], days) for q in "CH" for w, days in kept[q])
    return [days for _, days in reversed(ended[-k:])]


def appetite(diary):
    counts = {q: dict.fromkeys((1, 2, 3), 0.0) for q in "CH"}
    for eaten, posterior in zip(diary, posteriors(diary), strict=True):
        for q in "CH":
            counts[q][eaten] += posterior[q]
    return {q: {n: row[n] / sum(row.values()) for n in row} for q, row in counts.items()}
