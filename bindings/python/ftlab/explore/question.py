"""A design and its workload, as the page's controls state them, and the commands and the drive file that repeat them."""

from __future__ import annotations

import dataclasses
import json
import os
import shlex
from typing import Any, Dict, List, Optional, Tuple

from ftlab.analysis import choices, drive_document
from ftlab.errors import ConfigError
from ftlab.explore.facts import SECTOR_BYTES, Facts, facts_of

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
                      *_DRIVE, f"--iodepth={depth}", f"--number_ios={requests}"]
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


Words = List[str]


class NotKnown(Exception):
    """A figure that this question has no answer for; the message says why."""


@dataclasses.dataclass(frozen=True)
class Question:
    """None stands for the value of the drive file. Shares are ratios, not per cent.

    window: of windowed-greedy, share of the oldest superblocks. block_pages: of the blocks of `ftlab wa`. map_share: part of
    the whole map that fits in the RAM of a demand map. slc_share: part of the superblocks in the pSLC cache. read_share:
    part of the requests of the latency runs that are reads. erase_limit: erases that a block survives. more: keys and values
    laid over all of these.
    """

    drive: str
    op: Optional[float] = None
    policy: Optional[str] = None
    d: int = 10
    window: float = 0.1
    block_pages: int = 64
    frontiers: Optional[str] = None
    workload: Workload = Workload()
    map_scheme: Optional[str] = None
    map_share: Optional[float] = None
    slc_share: Optional[float] = None
    buffer_bytes: Optional[int] = None
    read_share: float = 0.5
    erase_limit: Optional[int] = None
    more: Tuple[Tuple[str, str], ...] = ()

    @property
    def facts(self) -> Facts:
        return facts_of(self.drive)

    @property
    def ratio(self) -> float:
        """Over-provisioning, four digits: what `ftlab wa` is given."""
        return round(self.facts.over_provisioning if self.op is None else self.op, 4)

    def wa_question(self) -> Dict[str, Any]:
        """Arguments of ftlab.wa and ftlab.theory. Raises NotKnown for job files and traces."""
        chosen = self.policy or self.facts.policy
        question = {"policy": chosen, "op": self.ratio, "workload": self.workload.of_wa(),
                    "frontiers": self.frontiers or self.facts.frontiers}
        question.update({"d": self.d} if chosen == "d-choices" else {})
        question.update({"window": self.window} if chosen == "windowed-greedy" else {})
        question.update({"pages_per_block": self.block_pages} if self.block_pages != 64 else {})
        return question

    def wa_words(self, **more: Any) -> Words:
        """Arguments of the program: wa --policy greedy --op 0.07 ..."""
        words = ["wa"]
        for key, value in {**self.wa_question(), **more}.items():
            words += [f"--{key.replace('_', '-')}", str(value)]
        return words

    def settings(self) -> Dict[str, Any]:
        """Keys laid over the drive file. Raises NotKnown for designs that a drive file cannot state."""
        of_a_drive = choices("ftl.frontiers")
        if self.frontiers is not None and self.frontiers not in of_a_drive:
            raise NotKnown(f"a drive file has the frontiers {' and '.join(of_a_drive)}; {self.frontiers} is a question for "
                           "ftlab wa")
        facts = self.facts
        laid: Dict[str, Any] = {}
        if self.op is not None:
            laid["user_sectors"] = whole_pages(int(facts.flash_bytes / (1 + self.op)), facts)
        return {**laid, **self._collection(), **self._caches(laid), **self._life(),
                **{key: _value(text) for key, text in self.more}}

    def _collection(self) -> Dict[str, Any]:
        laid: Dict[str, Any] = {}
        if self.policy is not None:
            laid["ftl.gc.policy"] = self.policy
            if self.policy == "d-choices":
                laid["ftl.gc.d"] = self.d
            if self.policy == "windowed-greedy":
                laid["ftl.gc.window_superblocks"] = max(1, round(self.window * self.facts.superblocks))
        if self.frontiers is not None:
            laid["ftl.frontiers"] = self.frontiers
        return laid

    def _caches(self, laid: Dict[str, Any]) -> Dict[str, Any]:
        facts = self.facts
        caches: Dict[str, Any] = {}
        if self.map_scheme is not None and self.map_scheme != facts.map_scheme:
            caches["ftl.mapping"] = self._map(laid.get("user_sectors", facts.user_bytes // SECTOR_BYTES) * SECTOR_BYTES)
        elif self.map_share is not None and facts.map_ram_bytes is not None:
            caches["ftl.mapping.ram_bytes"] = max(1, round(self.map_share * facts.whole_map_bytes))
        if self.slc_share is not None:
            caches["ftl.slc_cache"] = self._slc_cache(self.slc_share)
        if self.buffer_bytes is not None:
            caches["ftl.write_buffer.bytes"] = self.buffer_bytes
        return caches

    def _slc_cache(self, share: float) -> Dict[str, Any]:
        count = round(share * self.facts.superblocks)
        if count == 0:
            raise NotKnown("a setting cannot take the pSLC cache of a drive file away; a drive file without ftl.slc_cache "
                           "can")
        return {"superblocks": count, "when_full": "direct"}

    def _map(self, user_bytes: int) -> Dict[str, Any]:
        page = self.facts.map_page_bytes
        if self.map_scheme == "page":
            return {"scheme": "page", "page_bytes": page}
        if self.map_scheme == "demand":
            ram = max(page, round((0.1 if self.map_share is None else self.map_share) * 4 * (user_bytes // page)))
            return {"scheme": "demand", "page_bytes": page, "ram_bytes": ram, "cache_unit": "page", "eviction": "lru"}
        raise NotKnown(f"a map of the kind {self.map_scheme} has sizes of its own, which only a drive file states")

    def _life(self) -> Dict[str, Any]:
        return {} if self.erase_limit is None else {"endurance.program_erase_limit": self.erase_limit}

    def document(self) -> Dict[str, Any]:
        """The whole drive file of this design, not scaled. Raises ConfigError and NotKnown."""
        return drive_document(self.drive, self.settings())


def whole_pages(user_bytes: int, facts: Facts) -> int:
    """Sectors of so many bytes, rounded down to whole mapping pages."""
    return user_bytes // facts.map_page_bytes * (facts.map_page_bytes // SECTOR_BYTES)


def command_line(words: Words) -> str:
    """The command, quoted for a shell."""
    return shlex.join(["ftlab", *words])


def read_settings(text: str) -> Tuple[Tuple[str, str], ...]:
    """KEY=VALUE on each line. Raises ConfigError for another line."""
    pairs = []
    for line in filter(None, (line.strip() for line in text.splitlines())):
        key, equals, value = line.partition("=")
        if not (equals and key.strip() and value.strip()):
            raise ConfigError("is not a setting", key="more keys", got=line, allowed="KEY=VALUE on a line")
        pairs.append((key.strip(), value.strip()))
    return tuple(pairs)


def _value(text: str) -> Any:
    """Parsed as JSON if possible, otherwise text, such as 75us."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text
