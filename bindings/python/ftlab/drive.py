"""A simulated drive."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Mapping
from typing import Any, Callable, Dict, List, Optional, Tuple, Union

from ftlab import _core
from ftlab.blocks import Blocks
from ftlab.errors import ConfigError, DriveError
from ftlab.job import Job, Trace
from ftlab.policy import CachePolicy, GcPolicy, GcView, PlacementPolicy
from ftlab.notebook import panel
from ftlab.problem import warn_of
from ftlab.progress import run_progress
from ftlab.result import Result
from ftlab.settings import checked_divisor, checked_seed, drive_settings, job_settings, share_word, variable_settings

Path = Union[str, "os.PathLike[str]"]
DriveLike = Union[Path, Mapping]
Settings = Optional[Mapping[str, Any]]
Choice = Union[GcPolicy, Callable[[GcView], Optional[int]]]
Progress = Union[bool, Callable[[float, int], object], None]


class Drive:
    """A simulated SSD or disk that keeps its state between runs. As a context manager it is closed at the end.

    drive: a name in the library (`ftlab.drives()`), the path of a drive file, or a drive file as a mapping,
        which may contain its host under "host", as `ftlab.drive_document` returns it.
    host: the computer that the drive is in: a name in the library (`ftlab.hosts()`) or the path of a host file. None: a host
        that costs no time.
    settings: keys that override both, such as {"ftl.gc.policy": "fifo"}.
    seed: for all random numbers inside the drive.
    timed: False simulates only placement and write amplification, at memory speed.
    gc_policy, placement, map_cache: policies of your own, see ftlab.policy.

    One thread at a time may use a drive. The GIL is released while it works, so drives in several threads run in parallel.

    Raises ConfigError for every error in the drive file or the settings, TypeError for an invalid policy object.
    """

    def __init__(self, drive: DriveLike, settings: Settings = None, *, host: Optional[Path] = None, seed: int = 1,
                 timed: bool = True, gc_policy: Optional[Choice] = None,
                 placement: Optional[PlacementPolicy] = None, map_cache: Optional[CachePolicy] = None) -> None:
        self._policies = (gc_policy, placement, map_cache)
        name, text = _named(drive)
        words = _placement_settings(placement) + drive_settings(settings)
        self._core = _core.Drive(name, text, _path(host), words, checked_seed(seed), _flag(timed, "timed"),
                                 *self._policies)

    @classmethod
    def load(cls, path: Path, drive: Optional[Path] = None, settings: Settings = None, *, host: Optional[Path] = None,
             timed: bool = True, gc_policy: Optional[Choice] = None, placement: Optional[PlacementPolicy] = None,
             map_cache: Optional[CachePolicy] = None) -> "Drive":
        """Loads a drive from a state file, like `ftlab run --load`. With `drive`, `host` or `settings`, another design
        takes over its flash by a power-on scan. Raises ConfigError if a file is missing, damaged or does not fit."""
        loaded = cls.__new__(cls)
        loaded._policies = (gc_policy, placement, map_cache)
        words = _placement_settings(placement) + drive_settings(settings)
        loaded._core = _core.Drive.load(os.fspath(path), _path(drive), _path(host), words,
                                        _flag(timed, "timed"), *loaded._policies)
        return loaded

    def fork(self) -> "Drive":
        """An independent drive with the same state; its policies are deep copies. Takes about 2 x 13 bytes per mapping
        page."""
        forked = Drive.__new__(Drive)
        forked._policies = copy.deepcopy(self._policies)
        forked._core = self._core.fork(*forked._policies)
        return forked

    def run(self, job: Union[Path, Job, Trace], set_job: Settings = None, *, strict: bool = False,
            shrink_jobs: Union[int, str, None] = None, seed: int = 1, until_steady: Union[float, str, None] = None,
            interval: str = "", each_interval: Optional[Callable[[Dict[str, float]], object]] = None,
            progress: Progress = None) -> Result:
        """Runs a fio job file or a block trace on the drive in its current state, which the run changes.

        job: the path of a job file or trace, a Job, or a Trace.
        set_job: options that override the job file's, {"runtime": 60} or {"section:bs": "8k"}.
        strict: True refuses jobs that fio would run through the page cache. False runs them as direct and adds a note.
        shrink_jobs: N divides sizes and offsets in bytes by N; "fit": by the smallest number with which they fit.
        seed: for all random numbers in the workload.
        until_steady: ends the run when throughput and write amplification are known within this share: "2%", 0.02 or 2, like
            --until-steady. Ambiguous values, such as 0.5, which may be a ratio or per cent, are refused.
        interval: sheet, this-port or other-port, like --interval: the result has bounds of a real drive's figures
            (Result.intervals).
        each_interval: called at the end of each interval with its row of the series (a dict; see Result.series). A true
            result ends the run. Meanwhile `drive.blocks` is not available, but arrays taken before may be read.
        progress: True for a bar (tqdm, if installed), or a function of the simulated seconds and the requests so far.

        Ctrl-C or an exception in each_interval or progress ends the run in order and is raised. The drive stays usable
        unless a trace was running. Raises ConfigError before anything starts. Failed requests are counted in the result,
        not raised. Warns (ftlab.ProblemWarning) of each of Result.problems.
        """
        request = _core.RunRequest()
        request.job, request.text, request.trace = _what_to_run(job)
        request.job_settings = job_settings(set_job)
        request.strict = _flag(strict, "strict")
        request.shrink_jobs = checked_divisor(shrink_jobs)
        request.seed = checked_seed(seed)
        request.until_steady = share_word("until_steady", until_steady)
        request.interval = interval
        request.each_interval = each_interval
        with run_progress(progress) as report:
            request.progress = report
            answer = self._core.run(request)
        result = Result(dict(answer.files), answer.failed_checks, answer.notes, answer.failed_requests)
        warn_of(result.problems, stacklevel=2)
        return result

    def run_procedure(self, procedure: Path, out: Path, *, variables: Settings = None, set_job: Settings = None,
                      seed: int = 1, replace: bool = False, cache: bool = True,
                      progress: Optional[Callable[[str], object]] = None) -> Result:
        """Runs a procedure (JSON; see sim/procedures) and writes its results into the folder `out`, with one folder per
        step. cache: as for precondition(), for the states of its `age` steps. `progress` is called with the name of each
        step as it ends. Raises ConfigError before anything starts. After Ctrl-C nothing is written, and the drive is
        unusable."""
        failed_checks, failed = self._core.run_procedure(
            os.fspath(procedure), os.fspath(out), _flag(replace, "replace"), checked_seed(seed),
            variable_settings(variables), job_settings(set_job), _flag(cache, "cache"), progress)
        result = Result.load(out)
        result.failed_checks, result.failed_requests = failed_checks, failed
        warn_of(result.problems, stacklevel=2)
        return result

    def idle(self, seconds: float) -> None:
        """Lets the drive idle for `seconds` of simulated time. It may collect garbage, if its design does so when idle."""
        if not (isinstance(seconds, (int, float)) and 0 <= seconds < 1e9):
            raise ValueError(f"idle takes 0 to 1e9 seconds, not {seconds!r}")
        self._core.idle(int(round(seconds * 1e9)))

    def precondition(self, state: str, *, seed: int = 1, cache: bool = True) -> str:
        """Brings an SSD into a state before a run, in no simulated time: "sequential" (written once in order), "random"
        (then twice over at random, 4 KiB) or "steady" (then random drive writes, at least three, until the last two differ
        by at most 1 % in write amplification). Random states of a new drive that took over a second are kept for later (see
        `ftlab cache`); cache=False neither looks for one nor keeps it. Returns a sentence about what was written. Like
        `ftlab run --precondition`. Raises ConfigError for other words, for disks, and if memory does not suffice."""
        return self._core.precondition(state, checked_seed(seed), _flag(cache, "cache"))

    def power_cycle(self) -> None:
        """Cuts the power and starts the drive again. Data only in RAM are lost, unless the drive protects them."""
        self._core.power_cycle()

    def save(self, path: Path) -> None:
        """Writes the state for `load` and `ftlab run --load`, completely or not at all; about 13 bytes per mapping page.
        Policies of your own are not saved. A file that is not a state is not overwritten (ConfigError)."""
        self._core.save(os.fspath(path))

    def close(self) -> None:
        """Frees the memory. All other methods raise DriveError from then on; arrays of blocks remain readable."""
        self._core.close()

    def __enter__(self) -> "Drive":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if not hasattr(self, "_core") or self.closed:
            return "<ftlab.Drive, closed>"
        try:
            return f"<ftlab.Drive {self.name!r}, {self.lived_s:.3f} s old>"
        except DriveError:
            return "<ftlab.Drive, in use by a run or stopped during one>"

    def _repr_html_(self) -> str:
        try:
            return panel(f"Drive {self.name}", self._facts())
        except (AttributeError, DriveError):
            return panel(repr(self), [])

    def _facts(self) -> List[Tuple[str, str]]:
        counted = self._core.counters()
        facts = [("for the host", f"{self.user_bytes / 1e9:.4g} GB"), ("age", f"{self.lived_s:.3f} s"),
                 ("written", f"{counted['host_write_bytes'] / 1e9:.4g} GB")]
        return facts + ([("write amplification since it was new", f"{self.wa:.3f}")] if counted["host_write_bytes"] else [])

    def __reduce__(self) -> Any:
        raise TypeError("a drive cannot be pickled; save it to a file and load that, or make it where it is needed")

    @property
    def blocks(self) -> Blocks:
        """The superblocks as read-only columns. Raises DriveError for a disk."""
        return Blocks(self._core.columns())

    @property
    def counters(self) -> Dict[str, int]:
        """All counters since the drive was new (sim/counters.h). The names contain the units."""
        return self._core.counters()

    @property
    def wa(self) -> float:
        """Write amplification since the drive was new: bytes programmed / bytes written; nan before the first write. For
        the drive's current behaviour see Result.wa_at_end."""
        counted = self._core.counters()
        return counted["media_write_bytes"] / counted["host_write_bytes"] if counted["host_write_bytes"] else float("nan")

    @property
    def config(self) -> Dict[str, Any]:
        """The resolved drive file, with the source of every number."""
        return json.loads(self._core.document())

    @property
    def name(self) -> str:
        """The name in the drive file."""
        return str(self.config.get("name", ""))

    @property
    def lived_s(self) -> float:
        """Simulated seconds since the drive was new."""
        return self._core.now_ns / 1e9

    @property
    def user_bytes(self) -> int:
        """Capacity that the host can address, in bytes."""
        return self._core.capacity_bytes

    @property
    def timed(self) -> bool:
        """True if the simulation is timed. Can be set: age a drive untimed, then measure it timed."""
        return self._core.timed

    @timed.setter
    def timed(self, timed: bool) -> None:
        self._core.set_timed(_flag(timed, "timed"))

    @property
    def closed(self) -> bool:
        """True after close()."""
        return self._core.closed

    @property
    def signature(self) -> str:
        """Hash of the whole state: drives in equal states have equal signatures."""
        return self._core.state_signature()

    def inspect(self) -> List[str]:
        """Checks all invariants of the translation layer. Returns a sentence for each one that is violated. Scans all
        pages."""
        return self._core.inspect()


def run(job: Union[Path, Job, Trace], drive: DriveLike, settings: Settings = None, *, host: Optional[Path] = None,
        out: Optional[Path] = None, replace: bool = False, seed: int = 1, timed: bool = True, **run_options: Any) -> Result:
    """Runs one job on a new drive: like `ftlab run JOB --drive DRIVE --host HOST`. With `out`, also writes the result
    there, completely or not at all; `replace` allows replacing an earlier result. Other options are those of Drive.run."""
    with Drive(drive, settings, host=host, seed=seed, timed=timed) as made:
        result = made.run(job, seed=seed, **run_options)
    if out is not None:
        result.save(out, replace=replace)
    return result


def _path(path: Optional[Path]) -> str:
    return "" if path is None else os.fspath(path)


def _named(drive: DriveLike) -> Tuple[str, Optional[str]]:
    if isinstance(drive, Mapping):
        try:
            return "drive.json", json.dumps(drive, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise ConfigError("a drive file has what JSON has", got=str(error)) from None
    return os.fspath(drive), None


def _what_to_run(job: Union[Path, Job, Trace]) -> Tuple[str, Optional[str], Any]:
    arguments = _core.TraceArguments()
    if isinstance(job, Job):
        return job.name, job.text, arguments
    if not isinstance(job, Trace):
        return os.fspath(job), None, arguments
    for option in ("format", "volume", "columns", "action", "order", "round", "skip_bad_lines", "address", "speed", "depth",
                   "loops"):
        setattr(arguments, option, getattr(job, option))
    return os.fspath(job.path), None, arguments


def _placement_settings(placement: Optional[PlacementPolicy]) -> List[str]:
    classes = getattr(placement, "classes", None)
    if placement is None or classes is None:
        return []
    return [f'ftl.placement={{"scheme": "streams", "streams": {json.dumps(classes)}}}']


def _flag(value: Any, name: str) -> bool:
    if isinstance(value, bool):
        return value
    raise TypeError(f"{name} is True or False, not {value!r}")
