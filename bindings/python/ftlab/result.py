"""The result of a run."""

from __future__ import annotations

import io
import math
import os
import pathlib
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple, Union

from ftlab import _core
from ftlab.errors import ConfigError
from ftlab.notebook import panel
from ftlab.problem import Problem, failed_checks_of, problems_of, sentence
from ftlab.text_file import read_text

if TYPE_CHECKING:
    import pandas as pd  # at run time where a table is made: it takes half a second

Path = Union[str, "os.PathLike[str]"]
DIRECTIONS = ("read", "write", "trim")


class Estimate(float):
    """A figure with its quality. half_width: half of its 95 % confidence interval, nan if unknown. steady: True if it was
    level by the rules of --until-steady 2%. why_not: why it is not steady; empty if it is."""

    half_width: float
    steady: bool
    why_not: str

    def __new__(cls, value: float, half_width: float = math.nan, steady: bool = False, why_not: str = "") -> "Estimate":
        made = super().__new__(cls, value)
        made.half_width, made.steady, made.why_not = half_width, steady, why_not
        return made

    def __getnewargs__(self) -> Tuple[float, float, bool, str]:  # type: ignore[override]
        return float(self), self.half_width, self.steady, self.why_not

    def __repr__(self) -> str:
        within = "" if math.isnan(self.half_width) else f" +- {self.half_width:.3f}"
        return f"{float(self):.3f}{within}" + (", steady" if self.steady else f", not steady: {self.why_not}")


class Result:
    """The files of a result folder, and their contents as data frames.

    problems: problems that make its figures worthless or weak, as {"code", "text", "remedy"}.
    failed_checks: conservation laws and invariants that are violated; empty if everything holds.
    notes: facts about the job or the drive that the user should know.
    failed_requests: number of requests that the drive could not carry out.
    """

    def __init__(self, files: Dict[str, str], failed_checks: Optional[Sequence[str]] = None,
                 notes: Optional[Sequence[str]] = None, failed_requests: int = 0) -> None:
        self.files = files
        self.failed_checks: List[str] = list(failed_checks or [])
        self.notes: List[str] = list(notes or [])
        self.failed_requests = failed_requests
        self._json: Optional[Dict[str, Any]] = None

    @classmethod
    def load(cls, folder: Path) -> "Result":
        """Loads a folder written by `ftlab run`, `Result.save` or a procedure. Raises ConfigError for other folders."""
        place = pathlib.Path(folder)
        if not (place / "result.json").is_file():
            raise ConfigError("is not a result folder: it has no result.json", file=os.fspath(folder))
        files = {path.relative_to(place).as_posix(): read_text(path) for path in sorted(place.rglob("*")) if path.is_file()}
        result = cls(files)
        summary = result.json.get("ftlab", {})
        result.failed_checks = failed_checks_of(summary)
        result.notes = list(summary.get("notes", []))
        result.failed_requests = int(summary.get("failed_requests", 0))
        return result

    def save(self, folder: Path, *, replace: bool = False) -> None:
        """Writes the folder completely or not at all. Replaces an earlier result only with `replace`. Raises ConfigError
        if the path exists already, OSError if writing fails, for example on a full disk."""
        _core.write_result(os.fspath(folder), list(self.files.items()), replace)

    @property
    def json(self) -> Dict[str, Any]:
        """result.json: fio's json+, and the key `ftlab`."""
        if self._json is None:
            self._json = _core.json(self.files["result.json"], "result.json")
        return self._json

    @property
    def problems(self) -> List[Problem]:
        """Problems that make the figures of the run worthless or weak; empty if none was found."""
        return problems_of(self._summary())

    @property
    def wa_at_end(self) -> "Estimate":
        """Write amplification over the last tenth of the run's writes, media bytes / host bytes: the drive's latest
        behaviour. A number with half_width, steady and why_not. nan without writes."""
        why = "nothing was written" if math.isnan(self.wa) else "the result has no figure of its end"
        return _estimate(self.json["ftlab"].get("wa_at_end"), why)

    @property
    def wa(self) -> float:
        """Write amplification since the run began, including its warm-up; on a new drive it is lower than `wa_at_end`.
        nan without writes."""
        summary = self.json["ftlab"]
        total = summary["wa"]["total"]
        written = summary.get("traffic", {}).get("host_write_bytes", 1)
        return float("nan") if total is None or written == 0 else float(total)

    @property
    def wa_parts(self) -> "pd.Series[float]":
        """Parts of `wa` by cause: host, relocation, wear, mapping, parity, padding ...; they sum to `wa`."""
        import pandas as pd
        parts = {name: value for name, value in self.json["ftlab"]["wa"].items() if name != "total"}
        return pd.Series(parts, dtype="float64", name="wa")

    @property
    def latency_parts_ns(self) -> "pd.Series[int]":
        """Latency by cause in ns, summed over all requests; the parts sum exactly to the total latency."""
        import pandas as pd
        return pd.Series(self.json["ftlab"]["latency_parts_ns"], dtype="int64", name="latency_ns")

    @property
    def intervals(self) -> pd.DataFrame:
        """The bounds in which a real drive's figures lie in 80 % of cases (`run(interval=...)`): one row per job, direction
        and figure, with columns job, direction, figure (iops, bw_bytes, clat_mean_ns ...; wa has neither job nor
        direction), low, high. Empty without."""
        import pandas as pd
        made = self.json["ftlab"].get("intervals") or {}
        rows = [(job["job"], job["direction"], name, *bounds) for job in made.get("jobs", [])
                for name, bounds in job.items() if isinstance(bounds, list)]
        rows += [("", "", "wa", *made["wa"])] if "wa" in made else []
        return pd.DataFrame(rows, columns=["job", "direction", "figure", "low", "high"])

    @property
    def signature(self) -> str:
        """Hash of everything that the run did."""
        return str(self.json["ftlab"]["signature"])

    @property
    def series(self) -> pd.DataFrame:
        """One row per interval: t_s and length_s (simulated seconds), *_MB_per_s, *_iops, wa, free_superblocks,
        latency_*_us_mean, _p99, _max ...: the names contain the units. Empty for a procedure."""
        return self._csv("series.csv")

    @property
    def steps(self) -> pd.DataFrame:
        """Procedures only: one row per measured step (procedure.csv). Empty for a single run."""
        return self._csv("procedure.csv")

    @property
    def jobs(self) -> pd.DataFrame:
        """One row per job and direction that moved data: requests, bytes, iops, MB_per_s, latency_us_mean, _min, _max,
        _stdev, _p50, _p99, _p999, _p9999 (completion latency)."""
        import pandas as pd
        return pd.DataFrame([_row(job, direction) for job in self.json.get("jobs", []) for direction in DIRECTIONS
                             if job.get(direction, {}).get("total_ios", 0) > 0])

    def log(self, kind: str) -> pd.DataFrame:
        """fio's logs of one kind (bw, iops, lat, clat, slat), as the job requested them: job (its number), time_ms, value
        (KiB/s, IOPS or ns), direction, bs_bytes. Raises ConfigError if the job did not request them."""
        import pandas as pd
        frames = [_log(name, text) for name, text in sorted(self.files.items())
                  if name.endswith(".log") and f"_{kind}." in name]
        if not frames:
            kinds = sorted({name.rsplit("_", 1)[1].split(".")[0] for name in self.files if name.endswith(".log")})
            raise ConfigError("the run wrote no such log", key="kind", got=kind, allowed=", ".join(kinds) or "none")
        return pd.concat(frames, ignore_index=True)

    def __repr__(self) -> str:
        if not hasattr(self, "_json"):
            return "<ftlab.Result, not made>"
        headline = "".join(f", {name} {value}" for name, value in self._facts()[:1])
        found = "".join(f", {problem['code']}" for problem in self.problems)
        return f"<ftlab.Result of {len(self.files)} files{headline}{found}>"

    def _repr_html_(self) -> str:
        if not hasattr(self, "_json"):
            return panel(repr(self), [])
        failed = [f"failed check: {check}" for check in self.failed_checks]
        return panel("Result", self._facts(), failed + [sentence(problem) for problem in self.problems], self.notes)

    def _facts(self) -> List[Tuple[str, str]]:
        """Names and values for people, the headline first."""
        summary, facts = self._summary(), []
        at_end, amplification = summary.get("wa_at_end"), summary.get("wa")
        if isinstance(at_end, dict):
            facts.append(("write amplification at the end", repr(_estimate(at_end))))
        if isinstance(amplification, dict) and isinstance(amplification.get("total"), (int, float)):
            facts.append(("write amplification since the beginning", f"{amplification['total']:.3f}"))
        if self.failed_requests:
            facts.append(("failed requests", str(self.failed_requests)))
        return facts

    def _summary(self) -> Dict[str, Any]:
        """The key `ftlab`; empty if result.json is missing, damaged or from another program."""
        try:
            summary = self.json.get("ftlab")
        except (AttributeError, ConfigError, KeyError):
            return {}
        return summary if isinstance(summary, dict) else {}

    def _csv(self, name: str) -> pd.DataFrame:
        import pandas as pd
        text = self.files.get(name)
        return pd.DataFrame() if text is None else pd.read_csv(io.StringIO(text))


def _estimate(at_end: Any, why_none: str = "") -> Estimate:
    """Converts `ftlab.wa_at_end` of result.json."""
    if not isinstance(at_end, dict):
        return Estimate(math.nan, why_not=why_none)
    return Estimate(_number(at_end.get("total")), _number(at_end.get("half_width_95")), bool(at_end.get("steady")),
                    str(at_end.get("why_not_steady") or ""))


def _number(value: Any) -> float:
    return float(value) if isinstance(value, (int, float)) else math.nan


def _row(job: Dict[str, Any], direction: str) -> Dict[str, Any]:
    figures = job[direction]
    latency = figures["clat_ns"]
    percentiles = latency.get("percentile", {})
    row = {"job": job["jobname"], "direction": direction, "requests": figures["total_ios"], "bytes": figures["io_bytes"],
           "iops": figures["iops"], "MB_per_s": figures["bw_bytes"] / 1e6}
    for name, key in (("mean", "mean"), ("min", "min"), ("max", "max"), ("stdev", "stddev")):
        row[f"latency_us_{name}"] = latency[key] / 1e3
    for name, key in (("p50", "50.000000"), ("p99", "99.000000"), ("p999", "99.900000"), ("p9999", "99.990000")):
        row[f"latency_us_{name}"] = percentiles[key] / 1e3 if key in percentiles else float("nan")
    return row


def _log(name: str, text: str) -> pd.DataFrame:
    import pandas as pd
    frame = pd.DataFrame(_core.fio_log(text, name)).astype("int64")
    frame["direction"] = frame["direction"].map(dict(enumerate(DIRECTIONS)))
    frame.insert(0, "job", int(name.rsplit(".", 2)[1]))
    return frame
