#!/usr/bin/env python3
"""generate.py FOLDER: invents the resource usage of a survey campaign, from a fixed seed.

9 steps, 41 kinds of task, 104,864 rows, 1,617 hours of elapsed time: Parquet files in
FOLDER/step_N/TASK_resource_usage/, one row per execution; and FOLDER/summary.csv with the mistakes
that another program might make: its memory is called GB and is in GiB, its p95 is the value below
instead of an interpolated one, and one task is missing.
"""

import math
import pathlib
import random
import sys

import pyarrow as pa
import pyarrow.parquet as pq

SEED = 20261121
ROWS, HOURS = 104_864, 1_617
# Task: executions per thousand (weight), median seconds, sigma of its logarithm, median GB, CPU
# over elapsed, dimensions.
STEPS = {
    1: {
        "isr": (240, 9, 0.35, 1.1, 0.82, "vd"),
        "characterize_image": (240, 22, 0.4, 1.4, 0.93, "vd"),
        "calibrate_image": (238, 31, 0.45, 1.6, 0.95, "vd"),
        "write_sources": (238, 1.5, 0.5, 0.5, 0.55, "vd"),
        "transform_sources": (238, 2.2, 0.5, 0.7, 0.7, "vd"),
        "consolidate_sources": (3, 14, 0.5, 2.5, 0.6, "v"),
    },
    2: {
        "visit_summary": (3, 6, 0.3, 0.9, 0.8, "v"),
        "isolated_stars": (0.6, 55, 0.5, 3.0, 0.9, "t"),
        "photometric_fit": (0.3, 900, 0.7, 9.0, 0.97, "t"),
        "astrometric_fit": (0.5, 640, 0.9, 6.5, 0.96, "t"),
        "psf_model": (3, 48, 0.5, 2.2, 0.95, "v"),
    },
    3: {
        "make_warp": (160, 38, 0.45, 2.4, 0.88, "vp"),
        "select_deep": (7, 2, 0.4, 0.6, 0.6, "p"),
        "select_template": (7, 2.2, 0.4, 0.6, 0.6, "p"),
        "assemble_coadd": (7, 420, 0.5, 5.8, 0.96, "p"),
        "health_sparse_maps": (1.2, 130, 0.6, 4.0, 0.8, "t"),
    },
    4: {
        "detect_coadd": (7, 85, 0.4, 3.0, 0.95, "p"),
        "merge_detections": (1.4, 12, 0.5, 1.5, 0.85, "p"),
        "deblend_coadd": (1.4, 2400, 0.8, 11.0, 0.98, "p"),
        "measure_coadd": (7, 760, 0.6, 3.8, 0.98, "p"),
        "merge_measurements": (1.4, 16, 0.5, 1.9, 0.8, "p"),
        "forced_coadd": (7, 690, 0.6, 3.6, 0.98, "p"),
    },
    5: {
        "write_objects": (1.4, 22, 0.5, 3.4, 0.7, "p"),
        "transform_objects": (1.4, 33, 0.5, 4.0, 0.75, "p"),
        "consolidate_objects": (0.2, 85, 0.5, 14.0, 0.65, "t"),
        "split_primary": (0.2, 25, 0.4, 5.0, 0.6, "t"),
    },
    6: {
        "get_template": (200, 15, 0.5, 1.6, 0.8, "vd"),
        "subtract_images": (198, 40, 0.5, 2.6, 0.94, "vd"),
        "detect_difference": (198, 18, 0.5, 1.5, 0.93, "vd"),
        "transform_difference": (198, 1.8, 0.5, 0.6, 0.6, "vd"),
    },
    7: {
        "associate_difference": (0.5, 210, 0.9, 7.0, 0.9, "t"),
        "forced_difference": (60, 27, 0.5, 1.9, 0.9, "vd"),
        "solar_system": (3, 38, 1.1, 2.0, 0.85, "v"),
    },
    8: {
        "forced_sources": (60, 33, 0.5, 2.1, 0.92, "vd"),
        "drop_unmatched": (0.4, 70, 0.6, 20.0, 0.7, "t"),
        "consolidate_forced": (0.3, 160, 0.7, 26.0, 0.6, "t"),
        "light_curves": (0.3, 480, 0.8, 16.0, 0.9, "t"),
    },
    9: {
        "catalog_match": (2, 42, 0.6, 5.0, 0.85, "t"),
        "quality_metrics": (5, 20, 0.8, 2.8, 0.75, "t"),
        "plots": (5, 26, 0.7, 2.4, 0.7, "t"),
        "make_report": (0.1, 90, 0.3, 3.2, 0.8, "t"),
    },
}
# These have no CPU time, one of them only in some of its rows: it is missing, not zero.
NO_CPU = {"plots": 1.0, "make_report": 1.0, "solar_system": 0.3}
NEVER_IN_SUMMARY = "make_report"


def counts(tasks):
    """The number of rows of each task, ROWS in all: the largest remainders are rounded up."""
    total = sum(t[2][0] for t in tasks)
    exact = [ROWS * t[2][0] / total for t in tasks]
    n = [max(3, math.floor(x)) for x in exact]
    for i in sorted(range(len(n)), key=lambda k: n[k] - exact[k])[: ROWS - sum(n)]:
        n[i] += 1
    n[max(range(len(n)), key=lambda k: n[k])] += ROWS - sum(n)
    return n


def execution(rng, name, median, sigma, gigabytes, efficiency):
    """Seconds, CPU seconds (or None) and bytes of one execution; memory grows with time; one in
    300 is an outlier."""
    z = rng.gauss(0, 1)
    run = median * math.exp(sigma * z) * (rng.uniform(5, 15) if rng.random() < 1 / 300 else 1)
    memory = int(gigabytes * 1e9 * math.exp(0.25 * sigma * z + rng.gauss(0, 0.12)))
    share = min(0.999, max(0.02, rng.gauss(efficiency, 0.04)))
    return run, None if rng.random() < NO_CPU.get(name, 0) else share, memory


def columns(rng, dims, n):
    """The dimensions of an execution: a visit and its detector, a tract and its patch."""
    out = {"run": [1 + min(7, int(rng.expovariate(0.4))) for _ in range(n)]}
    if "v" in dims:
        out["visit"] = [rng.randrange(20_000, 20_600) for _ in range(n)]
    if "d" in dims:
        out["detector"] = [rng.randrange(189) for _ in range(n)]
    if "p" in dims or "t" in dims:
        out["tract"] = [rng.choice((3828, 3829, 4431, 4849)) for _ in range(n)]
    if "p" in dims:
        out["patch"] = [rng.randrange(49) for _ in range(n)]
    out["band"] = [rng.choice("ugrizy") for _ in range(n)]
    return out


def lower(values, p):
    """The percentile without interpolation, as some programs compute it."""
    v = sorted(values)
    return v[math.floor((len(v) - 1) * p)]


def main():
    folder = pathlib.Path(sys.argv[1])
    rng = random.Random(SEED)
    tasks = [(step, name, how) for step, those in STEPS.items() for name, how in those.items()]
    made = [
        [execution(rng, name, *how[1:5]) for _ in range(n)]
        for (_, name, how), n in zip(tasks, counts(tasks))
    ]
    # In whole milliseconds, with the exact sum: the longest execution gets the rounding error.
    whole = HOURS * 3600 * 1000
    scale = whole / sum(run * 1000 for rows in made for run, _, _ in rows)
    run_ms = [[max(1, round(run * 1000 * scale)) for run, _, _ in rows] for rows in made]
    longest = max(
        ((k, i) for k, rows in enumerate(run_ms) for i in range(len(rows))),
        key=lambda at: run_ms[at[0]][at[1]],
    )
    run_ms[longest[0]][longest[1]] += whole - sum(map(sum, run_ms))
    summary = ["step,task,count,run_time_sum,run_time_p95,memory_max_gb,memory_mean_gb"]
    for (step, name, how), rows, ms in zip(tasks, made, run_ms):
        run = [x / 1000 for x in ms]
        memory = [m for _, _, m in rows]
        cpu = [
            None if share is None else round(x * share, 3) for (_, share, _), x in zip(rows, run)
        ]
        table = pa.table(
            columns(rng, how[5], len(rows))
            | {
                "run_time": pa.array(run, pa.float64()),
                "cpu_time": pa.array(cpu, pa.float64()),
                "memory": pa.array(memory, pa.int64()),
            }
        )
        path = folder / f"step_{step}" / f"{name}_resource_usage"
        path.mkdir(parents=True, exist_ok=True)
        pq.write_table(table, path / "part-0.parquet")
        if name != NEVER_IN_SUMMARY:
            gb = max(memory) / 2**30, sum(memory) / len(memory) / 2**30
            summary.append(
                f"{step},{name},{len(rows)},{sum(ms) / 1000!r},{lower(run, 0.95)!r},"
                f"{gb[0]!r},{gb[1]!r}"
            )
    (folder / "summary.csv").write_text("\n".join(summary) + "\n")
    n, hours = sum(map(len, made)), sum(map(sum, run_ms)) / 3_600_000
    print(f"{len(STEPS)} steps, {len(tasks)} kinds of task, {n:,} rows, {hours:,.0f} hours")


if __name__ == "__main__":
    main()
