#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statistics against answers known from elsewhere: tables, counting, or by hand."""

import itertools
import math
import random
import unittest

try:
    import scipy.stats
except ImportError:
    scipy = None

from support import ROOT  # noqa: F401: finds the harness
from harness import stats


class Quantiles(unittest.TestCase):
    def test_are_interpolated(self):
        # At positions 0.75, 1.5 and 2.25 of 0 to 3.
        self.assertEqual([stats.quantile([8, 1, 4, 2], p) for p in (0.25, 0.5, 0.75)], [1.75, 3, 5])

    def test_of_one_value(self):
        self.assertEqual(stats.quantile([3.5], 0.25), 3.5)


class MannWhitney(unittest.TestCase):
    def test_separated_samples(self):
        # Two orders of C(8, 4) = 70 are as extreme.
        self.assertAlmostEqual(stats.mann_whitney([1, 2, 3, 4], [5, 6, 7, 8]), 2 / 70)

    def test_counts_every_order(self):
        a, b = [1.0, 4.0, 6.0], [2.0, 3.0, 5.0, 7.0]
        u = sum(x > y for x in a for y in b)
        as_extreme = total = 0
        for chosen in itertools.combinations(range(7), 3):
            rest = [i for i in range(7) if i not in chosen]
            v = sum(x > y for x in chosen for y in rest)
            total += 1
            as_extreme += abs(v - 6) >= abs(u - 6)
        self.assertAlmostEqual(stats.mann_whitney(a, b), as_extreme / total)

    def test_ties_by_the_normal_approximation(self):
        # By hand: ranks 1, 3, 3, 5.5, 7.5 add up to 20, so U = 5; the ties of 3, 2,
        # 2 and 2 values make the variance 25 / 12 * (11 - 42 / 90).
        z = (12.5 - 5 - 0.5) / math.sqrt(25 / 12 * (11 - 42 / 90))
        self.assertAlmostEqual(
            stats.mann_whitney([1, 2, 2, 3, 4], [2, 3, 4, 5, 5]), math.erfc(z / math.sqrt(2))
        )

    def test_nothing_differs(self):
        self.assertEqual(stats.mann_whitney([1, 1, 1], [1, 1, 1]), 1.0)
        self.assertEqual(stats.mann_whitney([], [1]), 1.0)

    def test_exact_and_approximate_meet(self):
        random.seed(1)
        a = [random.random() for _ in range(25)]
        b = [random.random() + 0.2 for _ in range(25)]
        exact = stats.mann_whitney(a, b)
        limit, stats.EXACT_LIMIT = stats.EXACT_LIMIT, 0
        self.addCleanup(setattr, stats, "EXACT_LIMIT", limit)
        self.assertAlmostEqual(exact, stats.mann_whitney(a, b), delta=0.003)

    def test_false_alarms_are_as_rare_as_promised(self):
        random.seed(2)
        alarms = sum(
            stats.mann_whitney(
                [random.gauss(0, 1) for _ in range(10)], [random.gauss(0, 1) for _ in range(10)]
            )
            < 0.05
            for _ in range(2000)
        )
        self.assertLess(abs(alarms / 2000 - 0.045), 0.015)


class Holm(unittest.TestCase):
    def test_known_answer(self):
        # 4 * 0.005, 3 * 0.01, 2 * 0.03, and 0.04, which may not be below 0.06.
        found = stats.holm([0.01, 0.04, 0.03, 0.005])
        for p, expected in zip(found, [0.03, 0.06, 0.06, 0.02]):
            self.assertAlmostEqual(p, expected)

    def test_never_above_one(self):
        self.assertEqual(stats.holm([0.9, 0.8]), [1.0, 1.0])


class Gain(unittest.TestCase):
    def test_of_a_constant_ratio(self):
        before = [100 + i / 100 for i in range(20)]
        rho, low, high = stats.gain(before, [t * 0.9 for t in before])
        self.assertAlmostEqual(rho, 0.1, places=6)
        self.assertTrue(low < 0.1 < high)
        self.assertLess(high - low, 0.002)

    def test_slower_is_negative(self):
        self.assertAlmostEqual(stats.gain([1.0] * 6, [1.5] * 6)[0], -0.5)

    def test_too_few_runs_say_nothing(self):
        self.assertEqual(stats.gain([1.0, 2.0], [1.0, 2.0])[1:], (-math.inf, 1.0))

    def test_interval_of_the_table(self):
        # The critical value of U for 8 and 8 at 5 % is 13: the interval ends at
        # the 14th difference from either end (Hollander and Wolfe, 1999).
        before, after = [math.exp(i / 100) for i in range(8)], [1.0] * 8
        logs = sorted(-math.log(x) for x in before for _ in after)
        _, low, high = stats.gain(before, after)
        self.assertAlmostEqual(low, 1 - math.exp(logs[-14]))
        self.assertAlmostEqual(high, 1 - math.exp(logs[13]))

    def test_interval_covers_as_often_as_promised(self):
        random.seed(3)
        covered = 0
        for _ in range(500):
            before = [math.exp(random.gauss(0, 0.05)) for _ in range(10)]
            after = [0.95 * math.exp(random.gauss(0, 0.05)) for _ in range(10)]
            _, low, high = stats.gain(before, after)
            covered += low <= 0.05 <= high
        self.assertGreater(covered / 500, 0.93)


class Trend(unittest.TestCase):
    def test_steady(self):
        self.assertGreater(stats.trend([5, 5.1, 4.9, 5.05, 4.95, 5, 5.02, 4.98])[1], 0.3)

    def test_rising(self):
        change, p = stats.trend([100 + i for i in range(12)])
        self.assertAlmostEqual(change, 11 / 105.5)
        # Kendall: S = 66, its variance 12 * 11 * 29 / 18.
        self.assertAlmostEqual(p, 2 * stats.normal_tail(65 / math.sqrt(12 * 11 * 29 / 18)))

    def test_too_short(self):
        self.assertEqual(stats.trend([1, 2, 3]), (0.0, 1.0))


@unittest.skipUnless(scipy, "SciPy is not installed")
class AgainstScipy(unittest.TestCase):
    """What SciPy has of the same, on random samples with ties and without."""

    def samples(self, longest):
        random.seed(4)
        for digits in (0, 1, 6):
            for _ in range(100):
                yield digits, *(
                    [round(random.gauss(5 + shift, 1), digits) for _ in range(random.randint(4, longest))]
                    for shift in (0, 0.5)
                )

    def test_mann_whitney(self):
        for digits, a, b in self.samples(60):
            exact = len(set(a + b)) == len(a + b) and max(len(a), len(b)) <= stats.EXACT_LIMIT
            expected = scipy.stats.mannwhitneyu(a, b, method="exact" if exact else "asymptotic").pvalue
            self.assertAlmostEqual(stats.mann_whitney(a, b), expected, msg=(digits, a, b))

    def test_quantiles(self):
        for _, a, _ in self.samples(20):
            for p in (0.05, 0.25, 0.5, 0.9):
                self.assertAlmostEqual(stats.quantile(a, p), scipy.stats.mstats.mquantiles(a, p, 1, 1)[0])

    def test_slope(self):
        for _, a, _ in self.samples(20):
            slope = scipy.stats.theilslopes(a).slope
            self.assertAlmostEqual(stats.trend(a)[0], slope * (len(a) - 1) / stats.median(a))


if __name__ == "__main__":
    unittest.main()
