"""How does die scheduling affect the latency of reads during random writes?

    python read_latency_by_scheduling.py [--out DIR]

A table and a picture: p50 to p99.99 of reads in steady state for each scheduling policy, with greedy and d-choices
collection and a spare of 7 and 28 %, on a SATA and an NVMe drive. Each size of drive is aged once, and every design starts
from there (configs/sweeps/scheduling).
"""

from __future__ import annotations

import argparse
import pathlib

import numpy as np
import pandas as pd

import ftlab
from ftlab.report import Axis, Curve, Panel, Picture

GRID = pathlib.Path(__file__).parents[3] / "configs" / "sweeps" / "scheduling" / "reads-beside-writes.json"
PERCENTILES = {"p50": "p50", "p99": "p99", "p999": "p99.9", "p9999": "p99.99"}
SHOWN = list(PERCENTILES.values())
POLICIES = ("fifo", "read-first", "read-first, suspends", "yield", "share")


def cells(sweep: ftlab.Sweep) -> pd.DataFrame:
    """One row per design: drive, op, gc, policy; read latencies in ms, write rate in MB/s, wa."""
    rows = sweep.frame()
    suspends = rows["nand.suspend"].notna() if "nand.suspend" in rows else pd.Series(False, index=rows.index)
    return pd.DataFrame({
        "drive": rows["drive"].map(lambda name: pathlib.Path(name).stem.upper() if "sata" in name else "NVMe"),
        "op": (100 * rows["over_provisioning"]).round().astype(int),
        "gc": rows["ftl.gc.policy"],
        "policy": rows["nand.scheduling"] + suspends.map({True: ", suspends", False: ""}),
        "wa": rows["wa"],
        "write_MB_per_s": rows["writes:write_MB_per_s"],
        "read_iops": rows["reads:read_iops"],
        **{shown: rows[f"reads:read_latency_us_{name}"] / 1e3 for name, shown in PERCENTILES.items()}})


def picture(table: pd.DataFrame) -> Picture:
    """One panel per drive and spare, with one curve per policy, dashed for d-choices."""
    panels = []
    for (drive, op), cell in table.groupby(["drive", "op"], sort=True):
        curves = [Curve(row["policy"] + (", d-choices" if row["gc"] == "d-choices" else ""), np.arange(len(SHOWN)),
                        row[SHOWN].to_numpy(float), "both", hue=POLICIES.index(row["policy"]),
                        symbol=POLICIES.index(row["policy"]), dash=int(row["gc"] == "d-choices"))
                  for _, row in cell.iterrows()]
        panels.append(Panel(Axis("Read latency", "ms", log=True), curves, title=f"{drive}, spare of {op} %"))
    x = Axis("Percentile", ticks={float(place): name for place, name in enumerate(SHOWN)})
    return Picture("read-latency", "Random reads beside random writes in steady state", "", x, panels)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--grid", type=pathlib.Path, default=GRID, help="another grid of the same axes")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out/scheduling"), help="where the results go")
    parser.add_argument("--processes", type=int, help="default: one for each processor")
    wanted = parser.parse_args()
    sweep = ftlab.sweep(wanted.grid, out=wanted.out, processes=wanted.processes)
    if len(sweep.failures):
        raise SystemExit(sweep.failures[["drive", "nand.scheduling", "reason"]].to_string())
    table = cells(sweep)
    for (drive, op), cell in table.groupby(["drive", "op"], sort=True):
        print(f"\n{drive}, spare of {op} %: read latency in ms")
        shown = cell.drop(columns=["drive", "op"]).set_index(["gc", "policy"])
        print(shown.round({"wa": 2, "write_MB_per_s": 0, "read_iops": 0, **dict.fromkeys(SHOWN, 2)}).to_string())
    table.to_csv(wanted.out / "cells.csv", index=False)
    (wanted.out / "read-latency.png").write_bytes(picture(table).png())
    print(f"{wanted.out / 'cells.csv'}, {wanted.out / 'read-latency.png'}")


if __name__ == "__main__":
    main()
