#!/usr/bin/env python3
"""Table of the write amplification of every GC policy over the over-provisioning, simulated and in theory.

    validation/scoreboard/policies_by_spare.py [--blocks N] [--workload W ...] [--op OP ...] [--jobs N]

Runs `ftlab wa` from build/bin once per point, several in parallel. Each cell: simulated / theory. The last line states the
number of points, the largest deviation and the time. Exit status 1 if a point deviates by more than the sum of its theory's
band, three confidence half-widths and the finite-size error.
"""

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import time

POLICIES = [
    ["greedy"],
    ["windowed-greedy", "--window", "0.1"],
    ["cost-benefit"],
    ["cost-benefit-kawaguchi"],
    ["d-choices", "--d", "10"],
    ["fifo"],
    ["random"],
]
FTLAB = os.path.join(os.path.dirname(__file__), "..", "..", "build", "bin", "ftlab")


def measure(policy, op, workload, arguments):
    """The JSON of `ftlab wa` for one point."""
    command = [FTLAB, "wa", "--json", "--policy", *policy, "--op", op, "--workload", workload,
               "--blocks", str(arguments.blocks), "--pages-per-block", str(arguments.pages_per_block), "--precision", "0.002"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr.strip())
    return json.loads(done.stdout)


def cell(point):
    theory = point["theory"]["wa"]
    return f"{point['wa']:.3f} / " + ("none" if theory is None else f"{theory:.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--blocks", type=int, default=1024, help="blocks that hold data")
    parser.add_argument("--pages-per-block", type=int, default=64)
    parser.add_argument("--op", nargs="+", default=["0.04", "0.07", "0.1", "0.15", "0.28", "0.5"])
    parser.add_argument("--workload", nargs="+", default=["uniform"], help="as for ftlab wa")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="points at a time")
    arguments = parser.parse_args()

    began = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        points = {(w, p[0], op): pool.submit(measure, p, op, w, arguments)
                  for w in arguments.workload for p in POLICIES for op in arguments.op}
        points = {key: future.result() for key, future in points.items()}

    worst, outside = 0.0, []
    for key, point in points.items():
        if point["theory"]["wa"] is None:
            continue
        deviation = abs(point["deviation"])
        worst = max(worst, deviation)
        # Finite drives deviate by the order of 1 / number of spare blocks.
        finite = 2 / (arguments.blocks * float(key[2]) / (1 + float(key[2])))
        if deviation > point["theory"]["tolerance"] + 3 * point["ci95"] / point["wa"] + finite:
            outside.append(key)
    for workload in arguments.workload:
        print(f"\n{workload}, {arguments.pages_per_block} pages per block, {arguments.blocks} blocks: simulated / theory\n")
        print("| policy | " + " | ".join(f"OP {float(op):.0%}" for op in arguments.op) + " |")
        print("|---" * (len(arguments.op) + 1) + "|")
        for policy in POLICIES:
            print(f"| {' '.join(policy).replace('--', '')} | "
                  + " | ".join(cell(points[workload, policy[0], op]) for op in arguments.op) + " |")
    print(f"\n{len(points)} points in {time.monotonic() - began:.0f} s; largest deviation from theory {worst:.2%}")
    for key in outside:
        print("outside the band:", *key)
    return 1 if outside else 0


if __name__ == "__main__":
    sys.exit(main())
