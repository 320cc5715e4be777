"""What a drive is given to do: a fio job file, a block trace."""

from __future__ import annotations

import dataclasses
import os
from typing import Union

PathOrText = Union[str, "os.PathLike[str]"]


@dataclasses.dataclass(frozen=True)
class Job:
    """A job file as text, in fio's language. Files that it includes are looked for beside `name`.

    >>> Job("[w]\\nrw=randwrite\\nbs=4k\\nsize=1g\\n").name
    'job.fio'
    """

    text: str
    name: str = "job.fio"


@dataclasses.dataclass(frozen=True)
class Trace:
    """A block trace in a file (plain, gzip, zstd), and how it is read and replayed; empty is as for `ftlab run TRACE`.

    format: msr, alibaba, blkparse ...; address: wrap, scale, refuse; speed: so many times faster than recorded;
    depth: closed loop with so many requests outstanding, in the place of the recorded times; loops: replayed so often.
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
