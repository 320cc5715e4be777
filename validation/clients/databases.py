#!/usr/bin/env python3
"""Runs the benchmarks of three databases on an aged drive with 7 and 28 % of spare space, on ext4 through nbdfuse and a loop
device. The drive has 2 GiB of flash; its user space is filled and overwritten at random. The file system does not trim,
unless --discard is given. Each database is loaded, then measured alone; the recording of the measurement is replayed and
must give the same signature. Status 77: skipped."""

import argparse
import json
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from typing import Any

import serving

PHYSICAL = 2 << 30
CYCLES = 3000  # 25 nm MLC flash, Micron L74A Rev G
FLASH, RATE = 256 << 30, 100  # drive size and operations per second of the lifetimes in years, with the same share of data
# configs/drives/example-25nm-mlc.json with many small superblocks: 256 of 8 MiB.
DRIVE = ["example-25nm-mlc", "--set", "geometry.blocks_per_plane=256", "--set", "geometry.pages_per_block=64",
         "--set", "ftl.gc.start_free_superblocks=4", "--set", "ftl.gc.stop_free_superblocks=5"]  # fmt: skip
AGE = """[fill]
filename=drive
rw=write
bs=1m
size=100%
[overwrite]
stonewall
filename=drive
rw=randwrite
bs=4k
norandommap
io_size={bytes}
"""


def aged(folder: pathlib.Path, percent: int, settings: list[str]) -> pathlib.Path:
    sectors = PHYSICAL * 100 // (100 + percent) // (1 << 20) * 2048
    state, job = folder / f"aged-{percent}", folder / "age.fio"
    job.write_text(AGE.format(bytes=2 * sectors * 512))
    serving.run(serving.FTLAB, "run", job, "--drive", *DRIVE, "--set", f"user_sectors={sectors}",
                *(word for setting in settings for word in ("--set", setting)), "--untimed", "--save", state, "--out",
                folder / f"aged-{percent}.result", "--replace")  # fmt: skip
    return state


class Sqlite:
    ROWS, TRANSACTIONS, ROW_BYTES = 150_000, 3000, 1000

    def __init__(self, journal: str) -> None:
        self.name, self.journal, self.amount, self.unit = f"SQLite, {journal}", journal, self.TRANSACTIONS, "transactions of 4 updates"

    def connect(self, place: pathlib.Path) -> sqlite3.Connection:
        base = sqlite3.connect(place / "base.db", isolation_level=None)
        base.execute(f"pragma journal_mode={'wal' if self.journal == 'WAL' else 'delete'}")
        base.execute("pragma synchronous=full")
        return base

    def load(self, place: pathlib.Path) -> None:
        base, draw = self.connect(place), random.Random(1)
        base.execute("create table t (id integer primary key, value blob)")
        base.execute("begin")
        base.executemany("insert into t values (?, ?)", ((i, draw.randbytes(self.ROW_BYTES)) for i in range(self.ROWS)))
        base.execute("commit")
        base.close()

    def measure(self, place: pathlib.Path) -> None:
        base, draw = self.connect(place), random.Random(2)
        for _ in range(self.TRANSACTIONS):
            base.execute("begin immediate")
            for _ in range(4):
                base.execute("update t set value=? where id=?", (draw.randbytes(self.ROW_BYTES), draw.randrange(self.ROWS)))
            base.execute("commit")
        base.close()


class Postgres:
    CLIENTS, EACH, SCALE = 8, 1000, 20
    name, amount, unit = "PostgreSQL, pgbench", CLIENTS * EACH, "transactions"

    def __init__(self) -> None:
        versions = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))
        self.programs = versions[-1] if versions else pathlib.Path("/nowhere")

    def as_user(self, program: str, *words: object) -> None:
        """Runs as the user postgres, because PostgreSQL refuses root."""
        serving.run("runuser", "-u", "postgres", "--", self.programs / program, *words, cwd="/")

    def served(self, place: pathlib.Path, work: Callable[[str], None]) -> None:
        options = f"-k {place} -c listen_addresses='' -c shared_buffers=64MB -c max_wal_size=256MB"
        self.as_user("pg_ctl", "-D", place / "pg", "-w", "-l", place / "log", "-o", options, "start")
        try:
            work(str(place))
        finally:
            self.as_user("pg_ctl", "-D", place / "pg", "-w", "-m", "fast", "stop")

    def load(self, place: pathlib.Path) -> None:
        shutil.chown(place, "postgres")
        self.as_user("initdb", "-D", place / "pg", "-A", "trust")
        self.served(place, lambda host: self.as_user("pgbench", "-h", host, "-i", "-q", "-s", self.SCALE, "postgres"))

    def measure(self, place: pathlib.Path) -> None:
        self.served(place, lambda host: self.as_user("pgbench", "-h", host, "-n", "-c", self.CLIENTS, "-j", 2, "-t", self.EACH,
                                                     "--random-seed=1", "postgres"))  # fmt: skip


class Rocks:
    KEYS, VALUE_BYTES = 600_000, 400

    def __init__(self, style: str) -> None:
        self.name, self.style, self.amount, self.unit = f"RocksDB, {style}", style, self.KEYS, "overwrites of 400 bytes"

    def bench(self, place: pathlib.Path, benchmark: str, fresh: bool) -> None:
        serving.run("db_bench", f"--benchmarks={benchmark}", f"--db={place / 'rocks'}", f"--num={self.KEYS}", "--seed=1",
                    f"--value_size={self.VALUE_BYTES}", "--compression_type=none", "--write_buffer_size=8388608",
                    "--target_file_size_base=8388608", "--max_bytes_for_level_base=33554432", "--max_background_jobs=2",
                    f"--compaction_style={1 if self.style == 'universal' else 0}", f"--use_existing_db={0 if fresh else 1}")  # fmt: skip

    def load(self, place: pathlib.Path) -> None:
        self.bench(place, "fillrandom", True)

    def measure(self, place: pathlib.Path) -> None:
        self.bench(place, "overwrite", False)


def at_work(folder: pathlib.Path, base: Any, options: list[object], work: str, mount: str, fresh: bool) -> None:
    with serving.Served(folder, *options) as served:
        loop = serving.Loop(served, folder)
        try:
            if fresh:
                serving.run("mkfs.ext4", "-q", "-F", "-E", "nodiscard,lazy_itable_init=0,lazy_journal_init=0", loop.device)
            with serving.mounted(loop, folder, mount) as place:
                getattr(base, work)(place)
                os.sync()
        finally:
            loop.end()
        served.end()


def tail_ms(latencies: dict[str, dict[str, float]]) -> str:
    return f"{latencies['percentile']['99.900000'] / 1e6:.2f}" if "percentile" in latencies else "-"


def one(folder: pathlib.Path, base: Any, percent: int, state: pathlib.Path, mount: str) -> list[str]:
    prepared, data = folder / "prepared", folder / "bytes"
    for leftover in (prepared, data, folder / "trace"):
        leftover.unlink(missing_ok=True)
    at_work(folder, base, ["--load", state, "--data", data, "--save", prepared], "load", mount, True)
    out = folder / "measured"
    at_work(folder, base, ["--load", prepared, "--data", data, "--record", folder / "trace", "--out", out, "--replace"],
            "measure", mount, False)  # fmt: skip
    same = serving.replays(folder / "trace", out, "--load", prepared)
    result = json.loads((out / "result.json").read_text())
    ftlab, write = result["ftlab"], result["jobs"][0]["write"]
    host, media = ftlab["traffic"]["host_write_bytes"], ftlab["traffic"]["media_write_bytes"]
    per_year = media / base.amount * RATE * 86400 * 365.25
    return [base.name, f"{percent} %", f"{host / base.amount / 1024:.1f}", f"{host / ftlab['simulated_s'] / 1e6:.1f}",
            f"{ftlab['wa']['total']:.2f}", f"{ftlab['wa']['relocation']:.2f}", f"{ftlab['wa']['padding'] + ftlab['wa']['fill']:.2f}",
            f"{tail_ms(write['clat_ns'])}, {tail_ms(result['jobs'][0]['sync']['lat_ns'])}", f"{CYCLES * FLASH / per_year:.1f}",
            "same" if same else "OTHER"]  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="databases whose name holds this")
    parser.add_argument("--spare", type=int, nargs="+", default=[7, 28], help="over-provisioning in per cent")
    parser.add_argument("--discard", action="store_true", help="mount so that deleted files are trimmed")
    parser.add_argument("--set", nargs="+", default=[], metavar="KEY=VALUE", help="more keys of the drive")
    asked = parser.parse_args()
    if why := serving.lacking("nbdkit", "nbdfuse", "mkfs.ext4", "losetup", root=True):
        print(f"skipped: {why}")
        return 77
    bases: list[Any] = [Sqlite("rollback journal"), Sqlite("WAL"), Postgres(), Rocks("leveled"), Rocks("universal")]
    print("| database | spare | KiB an operation | MB/s | WA | relocation | padding, fill "
          "| p99.9 write, flush ms | years | replay |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)  # PostgreSQL runs as another user
        for percent in asked.spare:
            state = aged(folder, percent, asked.set)
            for base in bases:
                if asked.only not in base.name:
                    continue
                missing = "pgbench" if isinstance(base, Postgres) and not base.programs.exists() else ""
                missing = missing or (serving.lacking("db_bench") if isinstance(base, Rocks) else "")
                if missing:
                    print(f"skipped: {base.name}: {missing}")
                    continue
                try:
                    row = one(folder, base, percent, state, "discard" if asked.discard else "defaults")
                except (OSError, RuntimeError, subprocess.CalledProcessError, sqlite3.Error) as wrong:
                    row = [base.name, f"{percent} %", f"failed: {wrong}"]
                failures += row[-1] != "same"
                print("| " + " | ".join(row) + " |", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
