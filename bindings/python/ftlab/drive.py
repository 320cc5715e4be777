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
    """A simulated SSD or disk with a past. It may be used as a context: it is closed at the end.

    drive: a name of the library (`ftlab.drives()`), the path of a drive file, or a drive file as a mapping,
        which may carry its host under "host", as `ftlab.drive_document` gives it.
    host: the computer that it is in: a name of the library (`ftlab.hosts()`) or the path of a host file. None: it costs
        nothing.
    settings: keys laid over both, as {"ftl.gc.policy": "fifo"}.
    seed: of all chance inside the drive.
    timed: False for placement and write amplification only, at memory speed.
    gc_policy, placement, map_cache: policies of your own, see ftlab.policy.

    One thread at a time may use a drive; the GIL is released while it works, so drives in several threads run side by side.

    Raises ConfigError for everything that the drive file or the settings have wrong, TypeError for what is no policy.
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
        """The drive of a state file, as `ftlab run --load`. With `drive`, `host` or `settings` another design takes its flash over by
        a power-on scan. Raises ConfigError for files that are missing, damaged or do not fit."""
        loaded = cls.__new__(cls)
        loaded._policies = (gc_policy, placement, map_cache)
        words = _placement_settings(placement) + drive_settings(settings)
        loaded._core = _core.Drive.load(os.fspath(path), _path(drive), _path(host), words,
                                        _flag(timed, "timed"), *loaded._policies)
        return loaded

    def fork(self) -> "Drive":
        """Another drive with the same past, which goes on by itself; its policies are deep copies. Costs about 13 bytes of
        memory for each mapping page twice over."""
        forked = Drive.__new__(Drive)
        forked._policies = copy.deepcopy(self._policies)
        forked._core = self._core.fork(*forked._policies)
        return forked

    def run(self, job: Union[Path, Job, Trace], set_job: Settings = None, *, strict: bool = False,
            shrink_jobs: Union[int, str, None] = None, seed: int = 1, until_steady: Union[float, str, None] = None,
            each_interval: Optional[Callable[[Dict[str, float]], object]] = None, progress: Progress = None) -> Result:
        """Carries out a fio job file or a block trace on the drive as it stands; its past goes on.

        job: the path of either, a Job, or a Trace.
        set_job: options over what the job file says, {"runtime": 60} or {"section:bs": "8k"}.
        strict: True refuses jobs that fio would run through the page cache; else they run as direct, and Result.notes says so.
        shrink_jobs: N divides the job file's sizes and offsets in bytes by N; "fit": by the least number with which they fit.
        seed: of all chance in the workload.
        until_steady: ends the run when throughput and write amplification are known within this share: "2%", 0.02 or 2, as
            --until-steady takes it. What may be a ratio or per cent, as 0.5, is refused.
        each_interval: called with a row of the series (a dict; see Result.series) as each interval ends; a true answer ends
            the run. While it runs, `drive.blocks` may not be asked for, but arrays taken before may be read.
        progress: True for a bar (tqdm, when it is installed), or a function of the simulated seconds and the requests so far.

        Ctrl-C, and an exception in each_interval or progress, end the run orderly and are raised: the drive can go on.
        Raises ConfigError before anything starts. Requests that fail are counted in the result, not raised. Warns
        (ftlab.ProblemWarning) of each of Result.problems.
        """
        request = _core.RunRequest()
        request.job, request.text, request.trace = _what_to_run(job)
        request.job_settings = job_settings(set_job)
        request.strict = _flag(strict, "strict")
        request.shrink_jobs = checked_divisor(shrink_jobs)
        request.seed = checked_seed(seed)
        request.until_steady = share_word("until_steady", until_steady)
        request.each_interval = each_interval
        with run_progress(progress) as report:
            request.progress = report
            answer = self._core.run(request)
        result = Result(dict(answer.files), answer.failed_checks, answer.notes, answer.failed_requests)
        warn_of(result.problems, stacklevel=2)
        return result

    def run_procedure(self, procedure: Path, out: Path, *, variables: Settings = None, set_job: Settings = None,
                      seed: int = 1, replace: bool = False, progress: Optional[Callable[[str], object]] = None) -> Result:
        """Carries out a procedure (JSON; see sim/procedures) and writes its results into the folder `out`, one folder for
        each step. progress is called with the name of each step as it ends. Raises ConfigError before anything starts;
        after Ctrl-C nothing is written and the drive is of no use any more."""
        failed_checks, failed = self._core.run_procedure(
            os.fspath(procedure), os.fspath(out), _flag(replace, "replace"), checked_seed(seed),
            variable_settings(variables), job_settings(set_job), progress)
        result = Result.load(out)
        result.failed_checks, result.failed_requests = failed_checks, failed
        warn_of(result.problems, stacklevel=2)
        return result

    def idle(self, seconds: float) -> None:
        """Leaves the drive alone for so long: it may collect garbage, if its design does."""
        if not (isinstance(seconds, (int, float)) and 0 <= seconds < 1e9):
            raise ValueError(f"idle takes 0 to 1e9 seconds, not {seconds!r}")
        self._core.idle(int(round(seconds * 1e9)))

    def power_cycle(self) -> None:
        """Cuts the power and starts again: what was in RAM alone is lost, unless the drive protects it."""
        self._core.power_cycle()

    def save(self, path: Path) -> None:
        """Writes the state for `load` and `ftlab run --load`, whole or not at all; about 13 bytes a mapping page. Policies of
        one's own are not in it. A file that is no state is not overwritten (ConfigError)."""
        self._core.save(os.fspath(path))

    def close(self) -> None:
        """Gives the memory back. Everything else raises DriveError from then on; arrays of blocks may be read further."""
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
        """Everything that was counted since the drive was new (sim/counters.h), in the units of the names."""
        return self._core.counters()

    @property
    def wa(self) -> float:
        """Write amplification since the drive was new: bytes programmed over bytes written; nan before the first write. Of the
        state that the drive has come to, Result.wa_at_end says more."""
        counted = self._core.counters()
        return counted["media_write_bytes"] / counted["host_write_bytes"] if counted["host_write_bytes"] else float("nan")

    @property
    def config(self) -> Dict[str, Any]:
        """The resolved drive file, every number with its source."""
        return json.loads(self._core.document())

    @property
    def name(self) -> str:
        """As its drive file says."""
        return str(self.config.get("name", ""))

    @property
    def lived_s(self) -> float:
        """Simulated seconds since the drive was new."""
        return self._core.now_ns / 1e9

    @property
    def user_bytes(self) -> int:
        """What the host can address."""
        return self._core.capacity_bytes

    @property
    def timed(self) -> bool:
        """Whether a clock runs. May be set: a drive is aged untimed, then measured timed."""
        return self._core.timed

    @timed.setter
    def timed(self, timed: bool) -> None:
        self._core.set_timed(_flag(timed, "timed"))

    @property
    def closed(self) -> bool:
        """After close()."""
        return self._core.closed

    @property
    def signature(self) -> str:
        """Of the whole state: equal drives have equal ones."""
        return self._core.state_signature()

    def inspect(self) -> List[str]:
        """Every invariant of the translation layer that does not hold, as sentences; empty when all do. A pass over all
        pages."""
        return self._core.inspect()


def run(job: Union[Path, Job, Trace], drive: DriveLike, settings: Settings = None, *, host: Optional[Path] = None,
        out: Optional[Path] = None, replace: bool = False, seed: int = 1, timed: bool = True, **run_options: Any) -> Result:
    """A new drive, one run, its result: as `ftlab run JOB --drive DRIVE --host HOST`. With `out` the result is written there too, whole
    or not at all; `replace` allows an earlier result to be replaced. Other options are those of Drive.run."""
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
