"""What the host does: a distribution of random writes, a fio job file, or a trace."""

from __future__ import annotations

import dataclasses
import os
from typing import List

KINDS = ("uniform", "sequential", "hot-cold", "zipf", "job file", "trace")
_FILL = ("--name=fill", "--rw=write", "--bs=128k")
_DRIVE = ("--filename=drive", "--ioengine=libaio", "--direct=1")


@dataclasses.dataclass(frozen=True)
class Workload:
    """kind: one of KINDS. hot_writes, hot_pages: of hot-cold, share of the writes and of the pages. skew: of zipf.
    path: of a job file or a trace."""

    kind: str = "uniform"
    hot_writes: float = 0.8
    hot_pages: float = 0.2
    skew: float = 0.99
    path: str = ""

    @property
    def is_file(self) -> bool:
        return self.kind in ("job file", "trace")

    def of_wa(self) -> str:
        """The word of `ftlab wa --workload`. Raises NotKnown for files."""
        if self.is_file:
            from ftlab.explore.question import NotKnown
            raise NotKnown(f"ftlab wa takes distributions, not a {self.kind}; the run below gives its write amplification")
        if self.kind == "hot-cold":
            return f"hot-cold:{self.hot_writes:g}:{self.hot_pages:g}"
        return f"zipf:{self.skew:g}" if self.kind == "zipf" else self.kind

    def fresh_to_steady(self, user_bytes: int, overwrites: float, interval_ms: int) -> List[str]:
        """Words of `ftlab run` behind its options: the drive is written once in order, then overwritten."""
        log = f"--log_avg_msec={interval_ms}"
        amount = f"--io_size={int(overwrites * user_bytes) // 4096 * 4096}"
        return ["--", *_FILL, *_DRIVE, "--iodepth=32", log,
                "--name=overwrite", "--stonewall", *self._access("write"), *_DRIVE, "--iodepth=32", amount, log]

    def latency(self, read_share: float, depths: List[int], requests: int) -> List[str]:
        """Words of `ftlab run --load`: one job for each queue depth, one after the other."""
        words = ["--"]
        for depth in depths:
            words += [f"--name=depth-{depth}", "--stonewall", *self._access("rw"), f"--rwmixread={round(100 * read_share)}",
                      *_DRIVE,
                      f"--iodepth={depth}", f"--number_ios={requests}"]
        return words

    def replay(self, sequential_first: bool = True) -> List[str]:
        """Words of `ftlab run` for a file."""
        words = [os.fspath(self.path)]
        words += ["--shrink-jobs", "fit"] if self.kind == "job file" else ["--trace-address", "scale"]
        return words + (["--precondition", "random"] if sequential_first else [])

    def _access(self, direction: str) -> List[str]:
        if self.kind == "sequential":
            return [f"--rw={direction}", "--bs=4k"]
        return [f"--rw=rand{direction}", "--bs=4k", "--norandommap", "--randrepeat=0", *self._distribution()]

    def _distribution(self) -> List[str]:
        if self.kind == "hot-cold":
            hot, of = round(100 * self.hot_writes), round(100 * self.hot_pages)
            return [f"--random_distribution=zoned:{hot}/{of}:{100 - hot}/{100 - of}"]
        return [f"--random_distribution=zipf:{self.skew:g}"] if self.kind == "zipf" else []
