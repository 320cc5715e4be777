"""A sweep that is killed half-way and resumed without repeating a point, and that gives the same rows on a Dask cluster.

    python sweep_killed_and_resumed.py [--grid configs/sweeps/wa-500.json] [--processes 2] [--out DIR] [--no-cluster]

The grid of 500 points takes two to three minutes of two processors in total, once here and once on the cluster.
"""

from __future__ import annotations

import argparse
import contextlib
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import time

import pandas as pd

import ftlab


def main() -> None:
    arguments = read_arguments()
    out = pathlib.Path(arguments.out or tempfile.mkdtemp(prefix="ftlab-sweep-"))
    here = killed_and_resumed(arguments.grid, out / "here", arguments.processes)
    if not arguments.no_cluster:
        on_a_cluster(arguments.grid, out / "cluster", here)
    print(f"kept in {out}")


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    grid = pathlib.Path(__file__).resolve().parents[3] / "configs" / "sweeps" / "wa-500.json"
    parser.add_argument("--grid", default=str(grid))
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--out")
    parser.add_argument("--no-cluster", action="store_true")
    return parser.parse_args()


def killed_and_resumed(grid: str, out: pathlib.Path, processes: int) -> pd.DataFrame:
    """Starts the command, kills it with SIGKILL when half of the points are done, and calls sweep() again."""
    began = time.monotonic()
    command = [sys.executable, "-m", "ftlab", "sweep", grid, "--out", str(out), "--processes", str(processes)]
    process = subprocess.Popen(command)
    while process.poll() is None and not half_is_kept(out):
        time.sleep(0.02)
    process.kill()
    process.wait()
    found = ftlab.sweep(grid, out, processes=processes)
    efforts = found.efforts()
    print(f"killed after {found.count.kept} of {found.count.points} points, which were kept; {found.count.computed} were "
          f"computed then, {found.count.failed} failed")
    print(f"{len(efforts)} computations of {efforts['address'].nunique()} different points; "
          f"{efforts['cpu_s'].sum():.0f} s of processors, {time.monotonic() - began:.0f} s by the clock on the wall")
    return found.frame()


def half_is_kept(out: pathlib.Path) -> bool:
    try:
        with contextlib.closing(sqlite3.connect(f"file:{out}/sweep.sqlite?mode=ro", uri=True)) as database:
            kept, points = (database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                            for table in ("results", "points"))
    except sqlite3.OperationalError:
        return False
    return 0 < points <= 2 * kept


def on_a_cluster(grid: str, out: pathlib.Path, here: pd.DataFrame) -> None:
    """Three worker processes give the same rows, bit for bit."""
    from distributed import LocalCluster
    began = time.monotonic()
    with LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None) as cluster:
        there = ftlab.sweep(grid, out, scheduler=cluster.scheduler_address)
    pd.testing.assert_frame_equal(there.frame(), here)
    print(f"a Dask cluster of 3 workers computed {there.count.computed} points in {time.monotonic() - began:.0f} s: "
          "identical rows")


if __name__ == "__main__":
    main()
