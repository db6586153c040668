"""ranks.py: the known answers of tests/data/ranks.jsonl, from scipy.

build/venv/bin/python tests/ranks.py >tests/data/ranks.jsonl
"""

import json
import sys

import numpy as np
import scipy
from scipy import stats

rng = np.random.default_rng(20261121)


def wilcoxon_interval(x, y):
    """Hodges and Lehmann's interval, from the exact distribution of U that scipy has."""
    m, n = len(x), len(y)
    differences = np.sort(np.subtract.outer(y, x).ravel())
    if m > 50 or n > 50:
        beyond = (
            int(np.floor(m * n / 2 - stats.norm.ppf(0.975) * np.sqrt(m * n * (m + n + 1) / 12))) - 1
        )
    else:
        from scipy.stats._mannwhitneyu import _MWU

        law = _MWU(m, n)
        beyond = -1
        while float(law.cdf(np.array([beyond + 1]))[0]) <= 0.025:
            beyond += 1
    if beyond < 0:
        return None, None
    return differences[beyond], differences[m * n - 1 - beyond]


def one(what, x, y):
    x, y = np.asarray(x, float), np.asarray(y, float)
    tied = len(np.unique(np.concatenate([x, y]))) < len(x) + len(y)
    exact = not tied and max(len(x), len(y)) <= 50
    u = stats.mannwhitneyu(x, y, method="exact" if exact else "asymptotic")
    low, high = wilcoxon_interval(x, y)
    pairs = np.subtract.outer(y, x)
    print(
        json.dumps(
            {
                "type": "ranks",
                "what": what,
                "x": x.tolist(),
                "y": y.tolist(),
                "exact": bool(exact),
                "u": float(u.statistic),
                "u_p": float(u.pvalue),
                "delta": float(((pairs > 0).sum() - (pairs < 0).sum()) / pairs.size),
                "shift": float(np.median(pairs)),
                "low": low,
                "high": high,
                "mad": float(stats.median_abs_deviation(x)),
            }
        )
    )


one("scipy's documentation", [19, 22, 16, 29, 24], [20, 11, 17, 12])
one("one against one", [1], [2])
one("two against two: no interval", [1, 3], [2, 5])
one("three against three, apart", [1, 2, 3], [4, 5, 6])
one("four against four, apart", [1, 2, 3, 4], [5, 6, 7, 8])
one("five against five, apart", [1, 2, 3, 4, 5], [6, 7, 8, 9, 10])
one("all the same", [7] * 5, [7] * 5)
one("constants that differ", [7] * 5, [9] * 5)
one("ties across", [1, 2, 2, 3, 3, 3], [2, 3, 4, 4, 5])
one("negative and zero", [-3, -1, 0, 2], [-5, 0, 0.5, 1, 8])
for m, n in [(5, 5), (7, 12), (20, 20), (50, 50), (50, 3), (51, 20), (120, 80)]:
    one(f"normal, {m} against {n}", rng.normal(200, 8, m), rng.normal(204, 8, n))
one("spread, 30 against 30", rng.normal(0, 1, 30), rng.normal(0, 4, 30))
one("far apart, 20 against 20", rng.normal(0, 1, 20), rng.normal(30, 1, 20))
one("rounded, 40 against 40", rng.normal(20, 3, 40).round(), rng.normal(22, 3, 40).round())
for p in (
    [0.01, 0.02, 0.03, 0.04, 0.05],
    [0.9, 0.001, 0.001, 0.04, 0.2, 1.0],
    rng.uniform(size=40).tolist(),
):
    print(
        json.dumps(
            {"type": "adjusted", "p": list(p), "q": stats.false_discovery_control(p).tolist()}
        )
    )
for p, freedom in [(0.975, 1), (0.975, 3), (0.975, 17.5), (0.025, 4), (0.5, 9), (0.9999, 200)]:
    print(
        json.dumps(
            {"type": "t", "p": p, "freedom": freedom, "quantile": float(stats.t.ppf(p, freedom))}
        )
    )
for p in (0.5, 0.8, 0.975, 0.001, 1 - 1e-7):
    print(json.dumps({"type": "normal", "p": p, "quantile": float(stats.norm.ppf(p))}))
print(f"scipy {scipy.__version__}, numpy {np.__version__}", file=sys.stderr)
