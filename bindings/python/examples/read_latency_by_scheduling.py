"""How does die scheduling affect the latency of reads during random writes?

    python read_latency_by_scheduling.py [--out DIR]

A table and a picture: p50 to p99.99 of reads in steady state for each scheduling policy, with greedy and d-choices
collection and a spare of 7 and 28 %, on a SATA and an NVMe drive. Each size of drive is aged once, and every design starts
from there (configs/sweeps/scheduling). Each cell is checked: the dies' busy time must equal the time of their operations.
"""

from __future__ import annotations

import argparse
import json
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.ticker import NullFormatter

import ftlab
from ftlab.report import palette

GRID = pathlib.Path(__file__).parents[3] / "configs" / "sweeps" / "scheduling" / "reads-beside-writes.json"
PERCENTILES = {"p50": "p50", "p99": "p99", "p999": "p99.9", "p9999": "p99.99"}
POLICIES = ("fifo", "read-first", "read-first, suspends", "yield", "share")
MARKERS = "oDs^v"  # one for each of the policies
TICKS = (0.1, 0.2, 0.5, 1, 2, 5)  # ms
MOST_UNDER_WAY = 2_000  # programs: 8 MiB of buffer, and the same amount of relocation


def cells(sweep: ftlab.Sweep) -> pd.DataFrame:
    """One row per design: drive, op, gc, policy; read latencies in ms, write rate in MB/s, wa, shares of the dies' time."""
    rows = sweep.frame()
    suspends = rows["nand.suspend"].notna() if "nand.suspend" in rows else pd.Series(False, index=rows.index)
    table = pd.DataFrame({
        "drive": rows["drive"].map(lambda name: pathlib.Path(name).stem.upper() if "sata" in name else "NVMe"),
        "op": (100 * rows["over_provisioning"]).round().astype(int),
        "gc": rows["ftl.gc.policy"],
        "policy": rows["nand.scheduling"] + suspends.map({True: ", suspends", False: ""}),
        "wa": rows["wa"],
        "write_MB_per_s": rows["writes:write_MB_per_s"],
        "read_iops": rows["reads:read_iops"]})
    for name, shown in PERCENTILES.items():
        table[shown] = rows[f"reads:read_latency_us_{name}"] / 1e3
    flash = {drive: ftlab.Drive(GRID.parent / drive).config["nand"] for drive in rows["drive"].unique()}
    table["program_ns"] = [times(flash[drive], "program").max() for drive in rows["drive"]]
    table["die_ns_off"] = [conservation(row, flash[row["drive"]]) for row in rows.to_dict("records")]
    table["die_ns"] = rows[[name for name in rows if name.startswith("die_")]].sum(axis=1)
    return table


def times(flash: dict, operation: str) -> pd.Series:
    """Duration of an array operation in ns, by kind of page."""
    return pd.Series([flash[f"{operation}_{kind}_ns"]["value"] for kind in ("lower", "middle", "upper")])


def conservation(row: dict, flash: dict) -> float:
    """Difference in ns between the dies' busy time and the time of the requested operations. Only operations in flight at
    the run's ends may cause one. A read takes the time of its kind of page; an operation that is suspended again while it
    resumes saves a part of the resume time."""
    programs = count_times(row["array_programs"], times(flash, "program"))
    reads = count_times(row["array_reads"] - row["buffered_reads"], times(flash, "read"))
    erases = count_times(row["array_erases"], pd.Series([flash["erase_ns"]["value"]]))
    stops = (0.0, 0.0)
    if row["suspensions"]:
        suspend = json.loads(row["nand.suspend"])
        stop, resume = suspend["suspend_ns"]["value"], suspend["resume_ns"]["value"]
        stops = (stop * row["suspensions"], (stop + resume) * row["suspensions"])
    return (beyond(row["die_host_program_ns"] + row["die_relocation_program_ns"], *programs)
            + beyond(row["die_host_read_ns"] + row["die_internal_read_ns"], *reads)
            + beyond(row["die_erase_ns"], *erases) + beyond(row["die_suspension_ns"], *stops))


def count_times(count: float, each: pd.Series) -> tuple[float, float]:
    """Least and most time of this many operations, in ns."""
    return count * each.min(), count * each.max()


def beyond(value: float, low: float, high: float) -> float:
    return max(low - value, value - high, 0)


def draw(table: pd.DataFrame, path: pathlib.Path) -> None:
    """One panel per drive and spare, with one curve per policy, dashed for d-choices."""
    fields = table[["drive", "op"]].drop_duplicates().sort_values(["drive", "op"]).to_records(index=False)
    figure, axes = plt.subplots(2, 2, figsize=(10, 7.5), sharex=True, sharey=True, layout="constrained")
    for axis, (drive, op) in zip(axes.flat, fields):
        for hue, policy in enumerate(POLICIES):
            for gc, line in (("greedy", "-"), ("d-choices", "--")):
                row = table[(table.drive == drive) & (table.op == op) & (table.policy == policy) & (table.gc == gc)]
                if len(row):
                    axis.plot(list(PERCENTILES.values()), row.iloc[0][list(PERCENTILES.values())].astype(float), line,
                              color=palette.hue(hue), marker=MARKERS[hue], markersize=5,
                              label=policy if gc == "greedy" else None)
        axis.set_yscale("log")
        axis.set_yticks(TICKS, [f"{tick:g}" for tick in TICKS])
        axis.yaxis.set_minor_formatter(NullFormatter())
        axis.set_title(f"{drive}, spare of {op} %")
        axis.grid(True, which="both", color=palette.GRID, linewidth=0.6)
    for axis in axes[:, 0]:
        axis.set_ylabel("read latency (ms)")
    axes[0, 0].plot([], [], "--", color=palette.TEXT, label="d-choices")
    axes[0, 0].legend(fontsize=8)
    figure.suptitle("Random reads beside random writes in steady state")
    figure.savefig(path, dpi=130)
    plt.close(figure)


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
        shown = cell.drop(columns=["drive", "op", "program_ns", "die_ns", "die_ns_off"]).set_index(["gc", "policy"])
        print(shown.round({"wa": 2, "write_MB_per_s": 0, "read_iops": 0,
                           **dict.fromkeys(PERCENTILES.values(), 2)}).to_string())
    programs = (table["die_ns_off"] / table["program_ns"]).max()
    share = (table["die_ns_off"] / table["die_ns"]).max()
    print(f"\nThe dies' time is that of what they did, but for {programs:.0f} programs at most ({100 * share:.3f} %), which "
          "are "
          "under way at a run's ends.")
    if programs > MOST_UNDER_WAY:
        raise SystemExit("The time of the dies does not add up.")
    table.to_csv(wanted.out / "cells.csv", index=False)
    draw(table, wanted.out / "read-latency.png")
    print(f"{wanted.out / 'cells.csv'}, {wanted.out / 'read-latency.png'}")


if __name__ == "__main__":
    main()
