"""How much spare area is worth buying, and does the GC policy change the answer?

    python how_much_spare.py [--writes-per-day 1] [--years 5] [--cycles 3000] [--flash-usd-per-gib 1] [--out DIR]

A drive with U user bytes and (1 + op) U bytes of flash that endures `cycles` erases can take (1 + op) cycles / WA(op) drive
writes. With too little spare for the promised writes it wears out and must be replaced; with more, flash is wasted. So the
cheapest spare just keeps the promise. It depends on WA(op), hence on the workload and the policy.

First, a sweep finds that spare for three workloads and several designs. Then a timed search on a whole drive shows the other
benefit of spare: latency. Everything is kept in --out; a second start resumes both. Takes about twenty seconds of CPU time.
"""

from __future__ import annotations

import argparse
import pathlib
import tempfile
from typing import Dict, List, Optional, Tuple

import numpy as np
import pandas as pd

import ftlab
from ftlab.search import Prices, Search, search

WORKLOADS = {"uniform": "uniform random writes", "hot-cold:0.8:0.2": "80 % of the writes on 20 % of the data",
             "hot-cold:0.9:0.1": "90 % of the writes on 10 % of the data"}
ONE = {"policy": "greedy", "frontiers": "one"}
DESIGNS = [{"policy": "fifo", "frontiers": "one"}, ONE, {"policy": "cost-benefit", "frontiers": "host+gc"}]
TOLD_WHAT_IS_HOT = {"policy": "cost-benefit", "frontiers": "hot+cold+gc"}  # as with streams: nothing to guess
SPARES = [0.05, 0.07, 0.1, 0.15, 0.2, 0.28, 0.4, 0.6, 1.0]
USUAL = 0.07  # GiB of flash sold as GB
WRITES = """[writes]
filename=drive
rw=randwrite
bs=4k
iodepth=8
random_distribution=zoned:80/20:20/80
io_size=120m
"""


def main() -> None:
    arguments = read_arguments()
    out = pathlib.Path(arguments.out or tempfile.mkdtemp(prefix="how-much-spare-"))
    promised = arguments.writes_per_day * 365 * arguments.years
    print(f"Promised: {arguments.writes_per_day:g} drive writes a day for {arguments.years:g} years, "
          f"{promised:,.0f} times the capacity, with flash of {arguments.cycles:,} cycles at "
          f"{arguments.flash_usd_per_gib:g} $ a GiB (assumed).")
    needed = spare_needed(swept(out / "sweep", arguments.blocks), promised / arguments.cycles, arguments.flash_usd_per_gib)
    print("\nSpare that keeps the promise, and what a GiB costs over the whole time:\n")
    print(needed.drop(columns="workload_key").to_string(index=False, float_format="{:.2f}".format))
    print("\n" + "\n".join(answers(needed)))
    found = searched(out / "search", arguments.trials, Prices(flash_usd_per_gib=arguments.flash_usd_per_gib, fixed_usd=0))
    found.picture(out / "front.png", x="price_usd_per_user_gib", y="write_latency_us_p999")
    print("\n" + latency_answer(found))
    print(f"\nThe sweep, the search and the picture front.png are in {out}")


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--writes-per-day", type=float, default=1)
    parser.add_argument("--years", type=float, default=5)
    parser.add_argument("--cycles", type=int, default=3000, help="erases that the flash bears (3000: rating of 25 nm MLC)")
    parser.add_argument("--flash-usd-per-gib", type=float, default=1, help="assumed; give your own")
    parser.add_argument("--blocks", type=int, default=512, help="blocks of the simulated drive of the sweep")
    parser.add_argument("--trials", type=int, default=24, help="designs that the search tries")
    parser.add_argument("--out", help="a folder; when not given, a temporary one")
    return parser.parse_args()


def swept(out: pathlib.Path, blocks: int) -> pd.DataFrame:
    """Write amplification of every design under every workload and spare."""
    pairs = [{**design, "workload": workload} for workload in WORKLOADS for design in DESIGNS]
    pairs += [{**TOLD_WHAT_IS_HOT, "workload": workload} for workload in WORKLOADS if workload != "uniform"]
    grid = {"kind": "wa", "settings": {"blocks": blocks, "pages_per_block": 32, "precision": 0.01, "most_batches": 20},
            "axes": [{"list": pairs}, {"op": SPARES}]}
    return ftlab.sweep(grid, out).frame()


def spare_needed(frame: pd.DataFrame, wear: float, flash_usd: float) -> pd.DataFrame:
    """wear: promised drive writes / cycles. Costs are for the flash per GiB of user data."""
    rows = []
    for (workload, policy, frontiers), points in frame.groupby(["workload", "policy", "frontiers"], sort=False):
        spare, wa = crossing(points["op"].to_numpy(), points["wa"].to_numpy(), wear)
        usual_wa = float(np.interp(USUAL, points["op"], points["wa"]))
        drives = max(1.0, wear * usual_wa / (1 + USUAL))
        rows.append({"workload_key": workload, "workload": WORKLOADS[workload], "design": f"{policy}, {frontiers}",
                     "spare %": None if spare is None else 100 * spare, "WA": wa,
                     "$/GiB": None if spare is None else flash_usd * (1 + spare),
                     f"$/GiB with {USUAL:.0%}": flash_usd * (1 + USUAL) * drives, "drives worn": drives})
    return pd.DataFrame(rows)


def crossing(spares: np.ndarray, wa: np.ndarray, wear: float) -> Tuple[Optional[float], float]:
    """The smallest spare with (1 + spare) / WA >= wear, interpolated linearly between simulated ones, and WA there."""
    life = (1 + spares) / wa
    if life[-1] < wear:
        return None, float("nan")
    spare = float(np.interp(wear, life, spares))
    return spare, float(np.interp(spare, spares, wa))


def answers(needed: pd.DataFrame) -> List[str]:
    """One sentence per workload."""
    return [answer(WORKLOADS[workload], rows.dropna(subset=["spare %"]).set_index("design")["spare %"].to_dict())
            for workload, rows in needed.groupby("workload_key", sort=False)]


def answer(workload: str, spares: Dict[str, float]) -> str:
    if not spares:
        return f"With {workload}, no spare up to {SPARES[-1]:.0%} keeps the promise: buy flash that bears more cycles."
    greedy, (best, least) = spares.get("greedy, one"), min(spares.items(), key=lambda item: item[1])
    if greedy is None:
        return f"With {workload}, only {best} keeps the promise, with {least:.0f} % spare."
    if greedy - least < 2:
        return (f"With {workload}, {greedy:.0f} % spare is worth buying, and no policy changes that (greedy is best or "
                "near it).")
    return (f"With {workload}, greedy wants {greedy:.0f} % spare; {best} does it with {least:.0f} %: the policy saves "
            f"{greedy - least:.0f} points of spare, {(greedy - least) / (100 + greedy):.0%} of the flash.")


def searched(out: pathlib.Path, trials: int, prices: Prices) -> Search:
    """A whole small drive, filled and aged, under the 80/20 workload."""
    out.mkdir(parents=True, exist_ok=True)
    (out / "writes.fio").write_text(WRITES)
    (out / "age.fio").write_text(WRITES.replace("io_size=120m", "io_size=3g"))
    space = {"user_sectors": {"from": 1_000_000, "to": 1_800_000, "step": 50_000},
             "ftl.gc.policy": ["greedy", "fifo", "cost-benefit"], "ftl.frontiers": ["one", "host+gc"]}
    return search("example-25nm-mlc", str(out / "writes.fio"), space, out=out, trials=trials, prices=prices,
                  age={"job": str(out / "age.fio")})


def latency_answer(found: Search) -> str:
    front = found.front()
    shown = front[["over_provisioning", "ftl.gc.policy", "ftl.frontiers", *found.objectives]].drop_duplicates()
    near, far = front.iloc[front["over_provisioning"].argmin()], front.iloc[front["over_provisioning"].argmax()]
    return (f"Pareto-optimal among {len(found.trials())} whole-drive designs, preconditioned and timed (flash "
            "and RAM only, no controller):\n\n"
            + shown.sort_values("over_provisioning").to_string(index=False, float_format="{:.2f}".format)
            + f"\n\nFrom {near['over_provisioning']:.0%} to {far['over_provisioning']:.0%} spare, a GiB for the user costs "
            f"{far['price_usd_per_user_gib'] / near['price_usd_per_user_gib'] - 1:+.0%}, write amplification goes from "
            f"{near['wa']:.2f} to {far['wa']:.2f}, and the slowest of 1,000 writes takes "
            f"{near['write_latency_us_p999'] / 1000:.1f} ms against {far['write_latency_us_p999'] / 1000:.1f} ms.")


if __name__ == "__main__":
    main()
