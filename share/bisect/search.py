"""Which of many is guilty: the search, whatever a test of one is.

A test returns one of these. Those after WORSE say nothing of what was tested: it is stepped over.
"""

NO_WORSE, WORSE, UNKNOWN, NOT_INSTALLED, NOT_RUN = (
    "no worse",
    "worse",
    "cannot tell",
    "does not install",
    "does not run",
)

# A test that cannot tell took as long as it may: after that many of them, the search ends.
MOST_UNKNOWN = 2


def most_tests(n):
    """The most tests between N versions that all decide, without that of the last."""
    return max(n - 2, 0).bit_length()


def first_bad(n, test):
    """Finds the first bad of the versions 0 (good) to N - 1 (bad).

    Returns the last good and the first bad that are known, and the results by version. What lies
    between both has no result, or one that decides nothing.
    """
    good, bad, results = 0, n - 1, {}
    while True:
        left = [i for i in range(good + 1, bad) if i not in results]
        if not left or list(results.values()).count(UNKNOWN) == MOST_UNKNOWN:
            return good, bad, results
        middle = (good + bad) / 2
        at = min(left, key=lambda i: abs(i - middle))
        results[at] = test(at)
        if results[at] == WORSE:
            bad = at
        elif results[at] == NO_WORSE:
            good = at


def parts_of(items, n):
    """The items in N parts of nearly the same length."""
    ends = [len(items) * i // n for i in range(n + 1)]
    return [items[a:b] for a, b in zip(ends, ends[1:])]


def guilty_changes(changes, test):
    """Finds a least set of CHANGES, all of which together are bad (Zeller's ddmin, 2002).

    Returns it, and the results by frozenset. It is least if each set with one change less is not
    worse; another result there leaves the question open.
    """
    results = {}

    def result(of):
        key = frozenset(of)
        if key not in results and list(results.values()).count(UNKNOWN) < MOST_UNKNOWN:
            results[key] = test(of)
        return results.get(key, UNKNOWN)

    n = 2
    while len(changes) > 1:
        parts = parts_of(changes, n)
        others = [[c for c in changes if c not in part] for part in parts] if n > 2 else []
        for tried in parts + others:
            if result(tried) == WORSE:
                n = 2 if tried in parts else n - 1
                changes = tried
                break
        else:
            if n == len(changes):
                break
            n = min(2 * n, len(changes))
    return changes, results


def is_least(changes, results):
    """Whether each set with one change less is known not to be worse."""
    without = (frozenset(changes) - {c} for c in changes)
    return len(changes) == 1 or all(results.get(w) == NO_WORSE for w in without)
