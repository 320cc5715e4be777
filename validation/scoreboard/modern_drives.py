#!/usr/bin/env python3
"""Predicts measurements of modern drives that are known from their data sheets, and writes modern_drives.csv beside this file.

    validation/scoreboard/modern_drives.py [--only WORD]

The drives of configs/drives are simulated with blocks of six pages: their rates do not depend on it, and they are aged 128
times as soon. Random writes follow the procedure of the measurement (scripts/benchwa.sh of SSD-iq): a new drive is filled
once, then written several times over with the pattern, and the last 40 % of that count. They are written in no simulated
time up to the middle of these 40 %, then measured. SSD-iq fills the drive in order and scatters the pages of a zone over the
whole drive; here the zones are ranges and the drive is filled in random order, so that every superblock holds the same
share of each zone in both cases. The order matters for good, see docs/policies.md. Repeated measurements are one row, with
their median. Classes of rows:

- anchored: the steady rate of uniform random writes over the whole drive, which is the sheet's rating times 1.10
- fitted: latency under open load; suspend and resume times of the drives' class were set by these rows
- predicted: all others

Predicted does not mean blind: bus, dies and collection of the flash class tlc-176 were chosen beside these three drives, and
the factor 1.10 was fitted to them. No number was fitted to a predicted row.

Where 3 of 4 threads of a measurement were kept, the rate is 4/3 of the figure. The zones called s0.5 f1 s0.5 f0 are left
out: their rate is that of uniform writes to 0.1 %, so both halves were written. Write amplification is divided by that of
writes in order, on both sides: the drive's log counts 1.025 to 1.037 for them, the simulation 1.067, for the parity. knee()
is the load at which latency rises; latencies of reads are compared below it.
"""

import argparse
import collections
import concurrent.futures
import csv
import itertools
import json
import math
import os
import pathlib
import statistics
import subprocess
import tempfile
from typing import NamedTuple

TREE = pathlib.Path(__file__).resolve().parents[2]
FTLAB = pathlib.Path(os.environ.get("FTLAB_BIN", TREE / "build/bin")) / "ftlab"
MEASURED = TREE / "validation/measured/nvme"
DRIVES = {"Micron 7450 PRO 960": "micron-7450-pro-960", "Micron 7450 MAX 800": "micron-7450-max-800",
          "Solidigm D7-P5520 1920": "solidigm-d7-p5520-1920"}
BLOCK_SCALE = 128  # of 768 pages, six are left
PAGE = 4096
STEP_PERCENT = 2  # of the writes, to a zone of Zipf's distribution; at most 64 zones
LEAST_ZONE = 16  # pages
READS = 20_000  # under load: 200 are slower than p99
WRITES = ["rw=randwrite", "bs=4k", "norandommap", "randrepeat=0"]


class Row(NamedTuple):
    drive: str
    figure: str
    condition: str
    measured: float
    simulated: float
    kind: str

    def error(self) -> float:
        return self.simulated / self.measured - 1


class Pattern(NamedTuple):
    """Random writes to a share of the drive, in per cent."""
    drive: str
    percent: int
    name: str
    details: str

    def condition(self) -> str:
        return f"{self.name.removesuffix('-shuffle')} {self.details or f'{self.percent} % of the drive'}"


def table(name: str) -> list[dict[str, str]]:
    with open(MEASURED / name, newline="") as file:
        return list(csv.DictReader(file))


CAPACITY = {sheet["file"]: float(sheet["user_GiB"]) for sheet in table("data_sheets.csv")}


def pattern_of(row: dict[str, str]) -> Pattern:
    percent = round(100 * float(row["addressed_GiB"]) / CAPACITY[DRIVES[row["drive"]]])
    return Pattern(row["drive"], percent, row["pattern"], row["details"])


class Bench:
    """Runs jobs on the drives with small blocks."""

    def __init__(self, folder: str) -> None:
        self.folder = pathlib.Path(folder)
        for name in DRIVES.values():
            self.ftlab("init", self.small(name), "--like", name, "--block-scale", str(BLOCK_SCALE))

    def ftlab(self, *arguments: str | os.PathLike[str]) -> str:
        done = subprocess.run([FTLAB, *arguments], capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, arguments))}: {done.stderr.strip()}")
        return done.stdout

    def small(self, name: str) -> pathlib.Path:
        return self.folder / f"{name}.json"

    def run(self, drive: str, tag: str, jobs: dict[str, list[str]], *options: str | os.PathLike[str]) -> dict:
        job = self.folder / f"{tag}.fio"
        lines = ["[global]", "filename=/dev/nvme0n1", "ioengine=libaio", "direct=1"]
        for name, more in jobs.items():
            lines += [f"[{name}]", *more]
        job.write_text("\n".join(lines) + "\n")
        return json.loads(self.ftlab("run", job, "--drive", self.small(DRIVES[drive]), "--out", self.folder / tag, "--replace", "--json", *options))


def zipf_zones(theta: float, pages: float, fewer: int) -> str:
    """Zipf's distribution over `pages` on a drive of `fewer`, as zones for fio: each part of the small drive has the share of the
    writes that the same part of the whole one has. An exponent cannot do that: with 1, the most popular tenth of 234 million
    pages has 88 % of the writes, of 1.8 million 85 %. Writes within a zone are uniform."""
    exact = 1000
    head = list(itertools.accumulate((n**-theta for n in range(1, exact + 1)), initial=0.0))

    def share(rank: float) -> float:
        """Not divided by that of all pages."""
        if rank <= exact:
            return head[int(rank)]
        return head[exact] + (math.log(rank / exact) if theta == 1 else (rank**(1 - theta) - exact**(1 - theta)) / (1 - theta))

    def rank_at(percent: int) -> float:
        low, high, wanted = 1.0, pages, share(pages) * percent / 100
        while high / low > 1 + 1e-9:
            middle = math.sqrt(low * high)
            low, high = (middle, high) if share(middle) < wanted else (low, middle)
        return low

    zones, last, percent_before = [], 0, 0
    for percent in range(STEP_PERCENT, 101, STEP_PERCENT):
        end = fewer if percent == 100 else round(rank_at(percent) / pages * fewer)
        if end - last >= LEAST_ZONE:
            zones.append(f"{percent - percent_before}/{(end - last) * PAGE}")
            last, percent_before = end, percent
    return ":".join(zones)


def zones_of(pattern: Pattern) -> list[tuple[int, int]]:
    """Per cent of the writes and of the space of each zone, from "s0.9 f0.1 s0.1 f0.9"; none of other patterns."""
    if not pattern.name.startswith("zones"):
        return []
    numbers = [round(100 * float(word[1:])) for word in pattern.details.split()]
    return [(writes, space) for space, writes in zip(numbers[::2], numbers[1::2])]


def never_written(pattern: Pattern) -> int:
    """Per cent of the space that is written only when the drive is filled."""
    return sum(space for writes, space in zones_of(pattern) if writes == 0)


def times_over(pattern: Pattern) -> int:
    """How often a run writes the addressed space, by the procedure of the measurement."""
    if pattern.name.startswith("zipf"):
        return 6 if float(pattern.details) == 1 else 5
    if never_written(pattern):
        return 5 if never_written(pattern) == 90 else 7
    smallest = min((space for _, space in zones_of(pattern)), default=100)
    return {20: 6, 10: 7, 5: 8}.get(smallest, 5)


def access(pattern: Pattern) -> list[str]:
    """Lines of the job. Zones that are never written are left out."""
    size = pattern.percent
    if pattern.name.startswith("zipf"):
        pages = CAPACITY[DRIVES[pattern.drive]] * 2**30 / PAGE * size / 100
        return [f"size={size}%", f"random_distribution=zoned_abs:{zipf_zones(float(pattern.details), pages, int(pages / BLOCK_SCALE))}"]
    if never_written(pattern):
        return [f"size={size * (100 - never_written(pattern)) // 100}%"]
    spread = ":".join(f"{writes}/{space}" for writes, space in zones_of(pattern))
    return [f"size={size}%", *([f"random_distribution=zoned:{spread}"] if spread else [])]


def random_writes(bench: Bench, pattern: Pattern) -> tuple[float, float]:
    """Rate in MiB/s and write amplification in the middle of the last 40 % of a run."""
    tag = pattern.condition().replace(" ", "_").replace("%", "") + "_" + DRIVES[pattern.drive]
    lines = access(pattern)
    space = CAPACITY[DRIVES[pattern.drive]] * 2**30 / BLOCK_SCALE * pattern.percent / 100
    state = bench.folder / f"{tag}.state"
    bench.run(pattern.drive, tag, {"fill": ["rw=randwrite", "bs=4k", f"size={pattern.percent}%"],
                                   "age": ["stonewall", *WRITES, f"io_size={int(0.8 * times_over(pattern) * space / PAGE) * PAGE}", *lines]},
              "--untimed", "--save", state)
    result = bench.run(pattern.drive, tag, {"write": [*WRITES, *lines, "iodepth=256", "time_based", "ramp_time=1s", "runtime=4s"]},
                       "--load", state, "--seed", "2")
    state.unlink()
    return result["jobs"][0]["write"]["iops"] * PAGE / 2**20, result["ftlab"]["wa"]["total"]


def in_order(bench: Bench, drive: str) -> float:
    """Write amplification of writes in order."""
    return bench.run(drive, f"order_{DRIVES[drive]}", {"order": ["rw=write", "bs=1m", "loops=2"]}, "--untimed")["ftlab"]["wa"]["total"]


def write_rows(bench: Bench, pool: concurrent.futures.Executor, only: str) -> list[Row]:
    rates, amplifications, ordered = collections.defaultdict(list), collections.defaultdict(list), collections.defaultdict(list)
    left_out = 0
    for row in table("steady_random_writes.csv"):
        if row["pattern"] == "sequential" or row["details"] == "s0.5 f1 s0.5 f0":
            left_out += 1
        else:
            rates[pattern_of(row)].append(float(row["host_MiB_per_s"]) * (4 / 3 if row["threads_kept_of_4"] == "3" else 1))
    for row in table("write_amplification.csv"):
        if row["pattern"] == "uniform":
            amplifications[pattern_of(row)].append(float(row["wa"]))
        elif row["pattern"] == "sequential":
            ordered[pattern_of(row).percent].append(float(row["wa"]))
        else:
            left_out += 1
    print(f"{left_out} rows of writes in order, of zones that are written in order and of zones misnamed are left out")
    patterns = [one for one in dict.fromkeys([*rates, *amplifications]) if only in one.condition()]
    overhead = {drive: in_order(bench, drive) for drive in dict.fromkeys(pattern.drive for pattern in amplifications)}
    rows = []
    for pattern, (rate, wa) in zip(patterns, pool.map(lambda one: random_writes(bench, one), patterns)):
        whole = pattern.name == "uniform" and pattern.percent == 100
        kind = "anchored" if whole else "predicted"
        figure = f"{pattern.name.removesuffix('-shuffle')}{', one never written' if never_written(pattern) else ''}, MiB/s"
        if pattern in rates:
            rows.append(Row(pattern.drive, figure, pattern.condition(), statistics.median(rates[pattern]), rate, kind))
        if pattern in amplifications:
            measured = statistics.median(amplifications[pattern]) / statistics.median(ordered[pattern.percent])
            rows.append(Row(pattern.drive, "write amplification over that of writes in order", pattern.condition(), measured,
                            wa / overhead[pattern.drive], "predicted"))
    return rows


class Loaded(NamedTuple):
    read_p50: float
    read_p99: float
    write_p50: float


def under_load(bench: Bench, drive: str, state: pathlib.Path, rate: int) -> Loaded:
    """Reads and writes, half of the offered rate each, that arrive at random."""
    lines = ["bs=4k", "norandommap", "randrepeat=0", "iodepth=2048", f"rate_iops={rate // 2}", "rate_process=poisson", "time_based",
             "ramp_time=300ms", f"runtime={max(1000, 2000 * READS // rate)}ms"]
    result = bench.run(drive, f"load-{DRIVES[drive]}-{rate}", {"read": ["rw=randread", *lines], "write": ["rw=randwrite", *lines]}, "--load", state)

    def percentile(job: int, direction: str, wanted: float) -> float:
        stated = result["jobs"][job][direction]["clat_ns"]["percentile"]
        return next(value for name, value in stated.items() if math.isclose(float(name), wanted)) / 1000

    return Loaded(percentile(0, "read", 50), percentile(0, "read", 99), percentile(1, "write", 50))


def knee(loads: dict[int, Loaded], slow_us: float = 1000) -> int:
    """The lowest offered rate at which half of the writes take longer."""
    return min(rate for rate, load in loads.items() if load.write_p50 > slow_us)


def load_rows(bench: Bench, pool: concurrent.futures.Executor, drive: str) -> list[Row]:
    repeated = collections.defaultdict(list)
    for row in table("latency_against_load.csv"):
        if row["drive"] == drive:
            rate = int(row["requests_per_s"]) // 1000 * 1000  # repetitions were marked by the last digit
            repeated[rate].append([float(row[name]) for name in ("read_p50_us", "read_p99_us", "write_p50_us")])
    measured = {rate: Loaded(*map(statistics.median, zip(*repeated[rate]))) for rate in sorted(repeated)}
    state = bench.folder / f"steady-{DRIVES[drive]}.state"
    bench.run(drive, f"steady-{DRIVES[drive]}", {"one": [*WRITES, "number_ios=1"]}, "--precondition", "steady", "--save", state)
    simulated = dict(zip(measured, pool.map(lambda rate: under_load(bench, drive, state, rate), measured)))
    limit = knee(measured)
    rows = []
    for rate in measured:
        if rate < limit:
            rows += [Row(drive, f"read {name} under load, us", f"{rate} a second", getattr(measured[rate], f"read_{name}"),
                         getattr(simulated[rate], f"read_{name}"), "fitted") for name in ("p50", "p99")]
    return [*rows, Row(drive, "knee, requests/s", "half reads", limit, knee(simulated), "fitted")]


def write_csv(rows: list[Row]) -> None:
    with open(pathlib.Path(__file__).with_suffix(".csv"), "w", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(["drive", "figure", "condition", "measured", "simulated", "error", "class"])
        for row in rows:
            lines.writerow([*row[:3], f"{row.measured:.4g}", f"{row.simulated:.4g}", f"{row.error():.3f}", row.kind])


def print_table(rows: list[Row]) -> None:
    print("| figure | class | rows | median error, % | worst, % |\n|---|---|---|---|---|")
    for figure, kind in dict.fromkeys((row.figure, row.kind) for row in rows):
        errors = [100 * abs(row.error()) for row in rows if (row.figure, row.kind) == (figure, kind)]
        print(f"| {figure} | {kind} | {len(errors)} | {statistics.median(errors):.1f} | {max(errors):.1f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default="", metavar="WORD", help="only conditions with this word, for example zipf or load; writes no CSV")
    only = parser.parse_args().only
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        bench = Bench(folder)
        rows = [] if only == "load" else write_rows(bench, pool, only)
        if only in ("", "load"):
            for drive in DRIVES:
                rows += load_rows(bench, pool, drive)
    if not only:
        write_csv(rows)
    print_table(rows)


if __name__ == "__main__":
    main()
