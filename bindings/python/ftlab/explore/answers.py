"""Answers to a question, the quickest first: theory, write amplification, a timed run from fresh to steady, latency."""

from __future__ import annotations

import dataclasses
import math
import pathlib
import shutil
import time
from typing import Any, Callable, Dict, List, Optional, Tuple

import pandas as pd

from ftlab.analysis import theory
from ftlab.errors import ConfigError
from ftlab.explore.process import Process
from ftlab.explore.question import NotKnown, Question, Words
from ftlab.explore.scaled import Scaled, scaled
from ftlab.report.ending import fresh_of
from ftlab.result import Result
from ftlab.settings import set_words

# a first answer in 0.1 s: fewer blocks; fewer pages a block would change the figure more
_QUICK_PAGES, _QUICK_PRECISION = 16_384, 0.01
DEPTHS = [1, 2, 4, 8, 16, 32]
_REQUESTS = 4000  # of each queue depth
_MOST_POINTS = 160  # of a curve
SAVED = "out/explored"  # the result folder in the commands that are shown
TERA = 1e12
Report = Callable[[str, Any], None]


@dataclasses.dataclass(frozen=True)
class Size:
    """How large a timed run is. limit_s: of computing; a run that reaches it is shown as far as it came."""

    name: str
    most_pages: int
    fewest_blocks: int
    overwrites: float
    limit_s: float


FIRST = Size("first", 65_536, 256, 2, 1.2)
REFINED = Size("refined", 262_144, 1024, 4, 30)
LARGE = Size("large", 1_048_576, 1024, 3, 90)


@dataclasses.dataclass(frozen=True)
class Wa:
    """Of `ftlab wa`. why_none: the reason when there is no figure. refined: with the command's own accuracy."""

    words: Words
    answer: Optional[Dict[str, Any]] = None
    theory: Optional[Dict[str, Any]] = None
    why_none: str = ""
    refined: bool = False
    took_s: float = 0


@dataclasses.dataclass(frozen=True)
class Run:
    """Of `ftlab run` on the scaled drive. words: without --out. curve: columns drive_writes, wa, MB_per_s. fresh: what the
    write rate of the fresh period is called; empty without writes then. refused: a larger run would be, too."""

    words: Words
    folder: Optional[pathlib.Path] = None
    result: Optional[Result] = None
    size: Optional[Scaled] = None
    curve: Optional[pd.DataFrame] = None
    why_none: str = ""
    refined: bool = False
    complete: bool = True
    refused: bool = False
    took_s: float = 0
    fresh: str = ""
    fresh_MB_per_s: float = 0

    @property
    def at_end(self) -> float:
        """Write amplification at the end; nan without."""
        return math.nan if self.result is None else float(self.result.wa_at_end)


@dataclasses.dataclass(frozen=True)
class Load:
    """Latency over load. points: columns depth, direction, iops, mean_us, p99_us."""

    words: Words
    folder: Optional[pathlib.Path] = None
    points: Optional[pd.DataFrame] = None
    why_none: str = ""
    took_s: float = 0


def answer_all(question: Question, process: Process, report: Report, folder: pathlib.Path) -> None:
    """Calls report(name, answer) with each answer as it is known; the names are wa, run, load, done. Raises Stale.

    folder: for results of runs; what an earlier question left there is deleted.
    """
    answer_wa(question, process, report, quick=True)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    first = _reported(report, "run", run_of(question, process, FIRST, folder))
    _reported(report, "load", load_of(question, process, first, folder))
    process.refining = True
    answer_wa(question, process, report, quick=False)
    for size in (REFINED, LARGE):
        if not first.refused:
            _refine(question, process, size, report, folder, first)
    report("done", None)


def _refine(question: Question, process: Process, size: Size, report: Report, folder: pathlib.Path, first: Run) -> None:
    """Reports a larger run. One that is cut short only counts where the first was, too."""
    run = run_of(question, process, size, folder)
    if not run.complete and (first.complete or size is not REFINED):
        return
    report("run", run)
    load = load_of(question, process, run, folder)
    if load.points is not None:
        report("load", load)


def _reported(report: Report, name: str, answer: Any) -> Any:
    report(name, answer)
    return answer


def answer_wa(question: Question, process: Process, report: Report, quick: bool) -> None:
    """The quick answer leads with theory, which takes no time."""
    began = time.perf_counter()
    try:
        words = question.wa_words()
        formula = theory(**question.wa_question())
        if quick:
            report("wa", Wa(words, theory=formula))
        used = question.wa_words(blocks=quick_blocks(question), precision=_QUICK_PRECISION) if quick else words
        answer = process.answer(used)
        report("wa", Wa(used, answer, formula, refined=not quick, took_s=time.perf_counter() - began))
    except (NotKnown, ConfigError, RuntimeError, OSError) as error:
        report("wa", Wa([], why_none=str(error)))


def quick_blocks(question: Question) -> int:
    """Of the first answer."""
    return max(64, _QUICK_PAGES // question.block_pages)


def run_of(question: Question, process: Process, size: Size, folder: pathlib.Path) -> Run:
    """A timed run of the scaled drive; of a distribution from fresh to steady. Raises Stale."""
    began, out, words = time.perf_counter(), folder / f"run-{size.name}", []  # type: Tuple[float, pathlib.Path, Words]
    try:
        made, words = run_words(question, size)
        status = process.run(kept_in(words, str(out)), size.limit_s)
        if not (out / "result.json").is_file():
            return Run(words, why_none=f"no result within {size.limit_s:g} s of computing", complete=False)
        result = _loaded(out)
        series = result.series
        fresh, rate = fresh_rate(result.json["ftlab"], series)
        return Run(words, out, result, made, curve_of(series, made.user_bytes), refined=size is not FIRST,
                   complete=status != 130, took_s=time.perf_counter() - began, fresh=fresh, fresh_MB_per_s=rate)
    except (NotKnown, ConfigError, RuntimeError, OSError) as error:
        return Run(words, why_none=str(error), refused=True)


def run_words(question: Question, size: Size) -> Tuple[Scaled, Words]:
    """The scaled drive, and the words of the run without --out. Raises NotKnown."""
    made = scaled(question, size.most_pages, size.fewest_blocks)
    front = ["run", "--drive", question.drive, *set_words(made.settings)]
    if question.workload.is_file:
        return made, [*front, *question.workload.replay()]
    return made, [*front, *question.workload.fresh_to_steady(made.user_bytes, size.overwrites, interval_ms(made.user_bytes))]


def kept_in(words: Words, folder: str) -> Words:
    """The run with its result folder, and the drive as it is at the end in it, which the latency runs start from."""
    if "--" not in words:
        return [*words, "--out", folder]
    place = words.index("--")
    return [*words[:place], "--out", folder, "--save", f"{folder}/state", *words[place:]]


def interval_ms(user_bytes: int) -> int:
    """About a 100th of a drive write at 200 MB/s."""
    return max(1, user_bytes // 20_000_000)


def load_of(question: Question, process: Process, run: Run, folder: pathlib.Path) -> Load:
    """Latency at each queue depth, on the drive as the run left it. Raises Stale."""
    began, words = time.perf_counter(), []  # type: Tuple[float, Words]
    try:
        if question.workload.is_file:
            raise NotKnown("a job file or a trace has a load of its own, which cannot be varied")
        if run.folder is None or not (run.folder / "state").is_file():
            raise NotKnown(run.why_none or "the run before it was cut short and left no drive")
        out = folder / f"load-{run.folder.name}"
        words = question.workload.latency(question.read_share, DEPTHS, _REQUESTS)
        process.run(["run", "--load", str(run.folder / "state"), "--out", str(out), *words], 30)
        points = points_of(_loaded(out))
        return Load(["run", "--load", f"{SAVED}/state", "--out", f"{SAVED}-load", *words], out, points,
                    took_s=time.perf_counter() - began)
    except (NotKnown, ConfigError, RuntimeError, OSError) as error:
        return Load(words, why_none=str(error))


def _loaded(folder: pathlib.Path) -> Result:
    """The result without the state beside it, which is no text."""
    return Result({path.name: path.read_text(encoding="utf-8")
                   for path in folder.iterdir() if path.suffix in (".json", ".csv")})


def fresh_rate(facts: Dict[str, Any], series: pd.DataFrame) -> Tuple[str, float]:
    """What the fresh period is called and the MB/s written in it; empty and 0 without writes then."""
    period = fresh_of(facts, series)
    first = series if period is None else series[series["t_s"] <= period.to_s]
    rate = float((first["write_MB_per_s"] * first["length_s"]).sum() / first["length_s"].sum()) if len(first) else 0.0
    return (period.words, rate) if period is not None and rate > 0 else ("", 0.0)


def curve_of(series: pd.DataFrame, user_bytes: int) -> pd.DataFrame:
    """Means over at most 160 equal parts of the written bytes, to which intervals contribute by the bytes written in them. A
    last interval of less than half the usual length is left out."""
    if len(series) > 1 and series["length_s"].iloc[-1] < series["length_s"].median() / 2:
        series = series.iloc[:-1]
    written = (series["write_MB_per_s"] * series["length_s"]).fillna(0)
    frame = pd.DataFrame({"MB": written, "s": series["length_s"], "media": (series["wa"] * written).fillna(0)})
    end = written.cumsum() * 1e6 / user_bytes
    if frame.empty or written.sum() <= 0:
        return pd.DataFrame({"drive_writes": [], "wa": [], "MB_per_s": []})
    part = (end / end.iloc[-1] * _MOST_POINTS).map(math.ceil)
    sums = frame.groupby(part).sum()
    points = pd.DataFrame({"drive_writes": end.groupby(part).max(), "wa": sums["media"] / sums["MB"],
                           "MB_per_s": sums["MB"] / sums["s"]})
    return points[sums["MB"] > 0].reset_index(drop=True)


def points_of(result: Result) -> pd.DataFrame:
    """A row for each queue depth and direction; iops is of both directions together."""
    jobs = result.jobs
    total = jobs.groupby("job")["iops"].transform("sum")
    return pd.DataFrame({"depth": jobs["job"].str.replace("depth-", "").astype(int), "direction": jobs["direction"],
                         "iops": total, "mean_us": jobs["latency_us_mean"], "p99_us": jobs["latency_us_p99"]})


def tbw_of(run: Run) -> Tuple[Optional[float], str]:
    """Terabytes that the host writes until the flash of the full-size drive is worn, as bytes grow with the size of the
    drive; or None and why."""
    if run.result is None or run.size is None:
        return None, run.why_none or "no run"
    endurance = run.result.json["ftlab"].get("endurance") or {}
    if endurance.get("tbw_bytes") is None:
        return None, str(endurance.get("life_not_known") or "the drive file has no endurance.program_erase_limit")
    return endurance["tbw_bytes"] * run.size.times / TERA, ""


def theory_over_op(question: Question, ratios: List[float]) -> pd.DataFrame:
    """The formula over over-provisioning: columns op, wa; empty where no formula is known."""
    try:
        rows = [(ratio, theory(**{**question.wa_question(), "op": ratio})["wa"]) for ratio in ratios]
    except (NotKnown, ConfigError):
        rows = []
    return pd.DataFrame([row for row in rows if row[1] is not None], columns=["op", "wa"])
