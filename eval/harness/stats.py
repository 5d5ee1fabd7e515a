# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rank statistics: they ask nothing of how times are distributed."""

import math
from functools import lru_cache
from statistics import NormalDist, median

EXACT_LIMIT = 25  # observations a side up to which the exact distribution is used


def quantile(values, p):
    """The p-quantile, interpolated linearly between the sorted values."""
    ordered = sorted(values)
    at = p * (len(ordered) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (at - low) * (ordered[high] - ordered[low])


@lru_cache(maxsize=None)
def _u_counts(n, m):
    """How many orders of n and m values have each U (Mann and Whitney, 1947)."""
    if n == 0 or m == 0:
        return (1,)
    counts = [0] * (n * m + 1)
    for u, count in enumerate(_u_counts(n - 1, m)):
        counts[u + m] += count
    for u, count in enumerate(_u_counts(n, m - 1)):
        counts[u] += count
    return tuple(counts)


def _ranks(values):
    """Ranks from 1, ties get their mean; and the sizes of the groups of ties."""
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks, ties = [0.0] * len(values), []
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for i in order[start:end]:
            ranks[i] = (start + 1 + end) / 2
        ties.append(end - start)
        start = end
    return ranks, ties


def normal_tail(z):
    """P(Z > z)."""
    return math.erfc(z / math.sqrt(2)) / 2


def mann_whitney(a, b):
    """Two-sided p of the Mann-Whitney U test that neither sample tends to be
    larger. Exact without ties and up to EXACT_LIMIT observations a side, else by
    the normal approximation with corrections for ties and continuity."""
    n, m = len(a), len(b)
    if not n or not m:
        return 1.0
    ranks, ties = _ranks(list(a) + list(b))
    u = sum(ranks[:n]) - n * (n + 1) / 2
    u = min(u, n * m - u)
    if max(ties) == 1 and max(n, m) <= EXACT_LIMIT:
        counts = _u_counts(n, m)
        return min(1.0, 2 * sum(counts[: int(u) + 1]) / sum(counts))
    total = n + m
    tied = sum(t**3 - t for t in ties) / (total * (total - 1))
    variance = n * m / 12 * (total + 1 - tied)
    if variance <= 0:
        return 1.0
    return min(1.0, 2 * normal_tail(max(0.0, (n * m / 2 - u - 0.5)) / math.sqrt(variance)))


def holm(ps):
    """Adjusted p values that hold for all comparisons together (Holm, 1979)."""
    order = sorted(range(len(ps)), key=ps.__getitem__)
    adjusted, largest = [1.0] * len(ps), 0.0
    for position, index in enumerate(order):
        largest = max(largest, min(1.0, (len(ps) - position) * ps[index]))
        adjusted[index] = largest
    return adjusted


def _trim(n, m, confidence):
    """How many of the n*m differences lie outside of the interval at each end;
    None where so few observations cannot give the confidence."""
    alpha = 1 - confidence
    if max(n, m) <= EXACT_LIMIT:
        counts = _u_counts(n, m)
        total, below = sum(counts), 0
        for u, count in enumerate(counts):
            below += count
            if below / total > alpha / 2:
                return u if u > 0 else None
        return None
    z = NormalDist().inv_cdf(1 - alpha / 2)
    return max(1, int(n * m / 2 - z * math.sqrt(n * m * (n + m + 1) / 12)))


def gain(before, after, confidence=0.95):
    """The improvement rho = (t - t_s) / t (Lo et al.) from `before` to `after`
    as (estimate, low, high): Hodges and Lehmann's median of all ratios, with the
    interval that belongs to the Mann-Whitney test. Without enough observations
    the interval is everything: (-inf, 1)."""
    logs = sorted(math.log(y) - math.log(x) for x in before for y in after)
    estimate = 1 - math.exp(median(logs))
    k = _trim(len(before), len(after), confidence)
    if k is None:
        return estimate, -math.inf, 1.0
    return estimate, 1 - math.exp(logs[-k]), 1 - math.exp(logs[k - 1])


def trend(values):
    """How far the values move from first to last, as a share of their median
    (Theil and Sen's slope), and p of the Mann-Kendall test that they do not."""
    n = len(values)
    if n < 4:
        return 0.0, 1.0
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    s = sum((values[j] > values[i]) - (values[j] < values[i]) for i, j in pairs)
    slope = median([(values[j] - values[i]) / (j - i) for i, j in pairs])
    _, ties = _ranks(list(values))
    variance = (
        n * (n - 1) * (2 * n + 5) - sum(t * (t - 1) * (2 * t + 5) for t in ties)
    ) / 18
    if variance <= 0:
        return 0.0, 1.0
    p = min(1.0, 2 * normal_tail(max(0, abs(s) - 1) / math.sqrt(variance)))
    return slope * (n - 1) / median(values), p
