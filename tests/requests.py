"""requests.py [CAMPAIGNS [RISK...]]: whether requests keep their risk in other executions.

Each campaign is made up, from a seed: kinds of task of 3 to 4,000 executions with heavy tails,
some of few different values, whose times go with their memory or do not. Its executions are split
at random into halves, 20 times. With the requests made from one half, the share of the other half
that would be killed, over all kinds with a risk, must be at most that risk, and their number in
each kind must pass a binomial test at 5 %. Prints one line a risk, and each fault.
"""

import json
import math
import random
import subprocess
import sys

SPLITS, SIZES = 20, (3, 59, 300, 700, 1500, 4000)


def tail(r):
    kind = r.randrange(4)
    scale, sigma, alpha = 10 ** r.uniform(8, 10), r.uniform(0.1, 1.2), r.uniform(1, 3)
    rare = r.uniform(0.002, 0.1)
    if kind == 0:
        return lambda: scale * r.lognormvariate(0, sigma)
    if kind == 1:
        return lambda: scale * r.paretovariate(alpha)
    if kind == 2:
        return lambda: scale * (r.lognormvariate(0, 0.1) * (8 if r.random() < rare else 1))
    return lambda: scale * math.ceil(r.paretovariate(alpha))


def campaign(seed):
    r = random.Random(seed)
    kinds = {}
    for k, size in enumerate(SIZES):
        memory, time = tail(r), tail(r)
        together = r.random() < 0.5
        rows = [(memory(), time() / 1e7) for _ in range(size)]
        kinds[f"kind {k}"] = [(m, m / 1e7 if together else t) for m, t in rows]
    return kinds


def requests(kinds, risk, attempts):
    table = "".join(f"{name},{m!r},{t!r}\n" for name, rows in kinds.items() for m, t in rows)
    command = ["metricstat", "-f", "json", "--by", "task", "--of", "memory_bytes,run_time_s"]
    command += ["--request", f"{risk}%", "--attempts", str(attempts)]
    done = subprocess.run(
        command, input="task,memory_bytes,run_time_s\n" + table, stdout=subprocess.PIPE, text=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def chance(n, k, p):
    """That k or more of n are killed if each is with probability p."""
    return 1 - sum(
        math.exp(
            math.lgamma(n + 1)
            - math.lgamma(i + 1)
            - math.lgamma(n - i + 1)
            + i * math.log(p)
            + (n - i) * math.log1p(-p)
        )
        for i in range(k)
    )


def main(campaigns=1, *risks):
    faults = 0
    for risk in risks or ("5",):
        kinds_tested = all_killed = all_executions = cost = max_cost = 0
        for seed in range(int(campaigns)):
            kinds, r = campaign(seed), random.Random(f"{seed} {risk}")
            for split in range(SPLITS):
                halves = {name: r.sample(rows, len(rows)) for name, rows in kinds.items()}
                first = {name: rows[::2] for name, rows in halves.items()}
                killed = executions = 0
                for request in requests(first, risk, 1 + split % 2):
                    if request["basis"] != "ranks":
                        continue
                    other = halves[request["group"]["task"]][1::2]
                    k = sum(
                        m > request["last_memory_bytes"] or t > request["time_s"] for m, t in other
                    )
                    if chance(len(other), k, float(risk) / 100) < 0.05:
                        print(f"campaign {seed}, split {split}: {k} of {len(other)}: {request}")
                        faults += 1
                    kinds_tested += 1
                    killed, executions = killed + k, executions + len(other)
                    cost += request["gb_hours"]
                    max_cost += request["max_gb_hours"]
                if killed > executions * float(risk) / 100:
                    print(f"campaign {seed}, split {split}: {killed} of {executions}")
                    faults += 1
                all_killed, all_executions = all_killed + killed, all_executions + executions
        print(
            f"risk {risk} %: killed {100 * all_killed / max(1, all_executions):.3f} % of "
            f"{all_executions} in {kinds_tested} halves of kinds; GB-hours: {cost / max_cost:.3f} "
            "of the maximum + 20 %"
        )
        faults += not kinds_tested
    sys.exit(faults > 0)


main(*sys.argv[1:])
