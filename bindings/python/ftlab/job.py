"""Workloads for a drive: a fio job file or a block trace."""

from __future__ import annotations

import dataclasses
import os
from typing import Union

PathOrText = Union[str, "os.PathLike[str]"]


@dataclasses.dataclass(frozen=True)
class Job:
    """A job file as text, in fio's language. Included files are searched for in the folder of `name`.

    >>> Job("[w]\\nrw=randwrite\\nbs=4k\\nsize=1g\\n").name
    'job.fio'
    """

    text: str
    name: str = "job.fio"


@dataclasses.dataclass(frozen=True)
class Trace:
    """A block trace in a file (plain, gzip or zstd), and how to read and replay it. Empty values: as for `ftlab run TRACE`.

    format: msr, alibaba, blkparse ...; address: wrap, scale, refuse; speed: this many times faster than recorded;
    depth: closed loop with this many requests outstanding instead of the recorded times; loops: number of replays.
    """

    path: PathOrText
    format: str = ""
    volume: str = ""
    columns: str = ""
    action: str = ""
    order: str = ""
    round: bool = False
    skip_bad_lines: bool = False
    address: str = ""
    speed: int = 0
    depth: int = 0
    loops: int = 0
