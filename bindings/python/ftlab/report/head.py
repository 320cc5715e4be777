"""Tables of workload, drive and results."""

from __future__ import annotations

import json
from typing import Any, Dict, Iterator, List, Mapping, Tuple, Union

import pandas as pd

from ftlab.report import markup
from ftlab.report.markup import run_id
from ftlab.report.ending import ending_of
from ftlab.report.picture import latency_unit
from ftlab.report.reading.procedure import Procedure
from ftlab.report.reading.run import Run
from ftlab.report.reading.fio_json import words_of

Subject = Union[Run, Procedure]
JOB_TITLES = {"job": "job", "direction": "direction", "rw": "rw", "bs": "block", "iodepth": "depth",
              "numjobs": "jobs", "requests": "requests", "iops": "IOPS", "MB_per_s": "MB/s",
              "latency_us_mean": "mean", "latency_us_p50": "p50", "latency_us_p99": "p99",
              "latency_us_p99.9": "p99.9", "latency_us_max": "max"}
TRAFFIC_PARTS = ("host", "fill", "relocation", "wear", "refresh", "mapping", "parity", "fold", "failed",
                 "padding")


def what_was_run(subjects: List[Subject]) -> str:
    """Returns HTML: a table of facts with one column per run or procedure, and their notes."""
    rows = [(fact, [ask(subject) for subject in subjects]) for fact, ask in _FACTS]
    filled = [(fact, values) for fact, values in rows if any(value not in ("", None) for value in values)]
    having: Dict[str, List[str]] = {}
    for subject, note in ((subject, note) for subject in subjects for note in subject.notes):
        having.setdefault(note, []).append(subject.name)
    notes = [note if len(names) == len(subjects) > 1 else f"{', '.join(names)}: {note}" for note, names in having.items()]
    ids = [run_id(number) for number in range(len(subjects))]
    return markup.facts([subject.name for subject in subjects], filled, ids) + markup.bullets(notes, "notes")


def job_table(runs: List[Run]) -> pd.DataFrame:
    """One row per job and direction of every run, with column titles for readers."""
    frames = [run.jobs.assign(run=run.name) for run in runs if len(run.jobs)]
    if not frames:
        return pd.DataFrame()
    jobs = pd.concat(frames, ignore_index=True)
    jobs["bs"] = jobs["bs"].map(lambda size: words_of(size) if size == size else "")
    shown = jobs[["run", *JOB_TITLES]] if len(frames) > 1 else jobs[list(JOB_TITLES)]
    titles = dict(JOB_TITLES)
    for column in (column for column in titles if column.startswith("latency_us_")):
        us, unit = latency_unit([shown[column].to_numpy(dtype=float)])
        shown, titles[column] = shown.assign(**{column: shown[column] / us}), f"{titles[column]} ({unit})"
    return shown.rename(columns=titles)


def drive_numbers(drive: Mapping[str, Any]) -> pd.DataFrame:
    """The resolved drive as a flat table: key, value, and origin of the number if known."""
    rows = [(key, json.dumps(value), str(about.get("from", "")), str(about.get("source", "")))
            for key, value, about in flat(drive)]
    return pd.DataFrame(rows, columns=["key", "value", "from", "source"])


def flat(value: Any, front: str = "") -> Iterator[Tuple[str, Any, Mapping[str, Any]]]:
    """Key, value and origin of each value of a resolved drive; without a known origin {}."""
    if not isinstance(value, dict):
        yield front, value, {}
    elif "value" in value and "from" in value:
        yield front, value["value"], value
    else:
        for key, inner in value.items():
            yield from flat(inner, f"{front}.{key}" if front else str(key))


def _drive(subject: Subject) -> str:
    drive = subject.ftlab.get("drive")
    if isinstance(drive, dict):
        return str(drive.get("name", ""))
    device = (subject.ftlab.get("device") or {}).get("device") or {}
    return str(device.get("model") or device.get("kind") or "")


def _kind(subject: Subject) -> str:
    what = "procedure" if isinstance(subject, Procedure) else "run"
    return f"{'measured' if subject.measured else 'simulated'} {what}"


def _jobs(subject: Subject) -> str:
    if isinstance(subject, Procedure):
        return f"{subject.document.get('procedure', '')}: {len(subject.rows)} runs"
    return ", ".join(dict.fromkeys(subject.jobs["job"]))


def _requests(subject: Subject) -> object:
    return int(subject.jobs["requests"].sum()) or None if isinstance(subject,
                                                                     Run) and len(subject.jobs) else None


def _length(subject: Subject) -> str:
    seconds = subject.ftlab.get("simulated_s", subject.ftlab.get("measured_s"))
    return f"{markup.number_text(float(seconds))} s" if isinstance(seconds, (int, float)) and seconds else ""


def _amplification_at_end(subject: Subject) -> str:
    at_end: Dict[str, Any] = subject.ftlab.get("wa_at_end") or {}
    total, half = at_end.get("total"), at_end.get("half_width_95")
    if not isinstance(total, (int, float)):
        return ""
    return f"{total:.4g}" + (f" ± {half:.2g}" if isinstance(half, (int, float)) else "")


def _steadiness(subject: Subject) -> str:
    ending = ending_of(subject) if isinstance(subject, Run) else None
    return "" if ending is None else "yes" if ending.steady else f"no: {ending.why}"


def _amplification(subject: Subject) -> object:
    wa: Dict[str, Any] = subject.ftlab.get("wa") or {}
    total = wa.get("total")
    return f"{total:.4g}" if isinstance(total, (int, float)) and total else None


def _parts(subject: Subject) -> str:
    wa: Dict[str, Any] = subject.ftlab.get("wa") or {}
    named = [(name, wa.get(name)) for name in [*TRAFFIC_PARTS, *_others(wa)]]
    return " + ".join(f"{name} {value:.4g}" for name, value in named if isinstance(value, (int, float))
                      and value)


def _others(wa: Mapping[str, Any]) -> List[str]:
    return [name for name in wa if name not in TRAFFIC_PARTS and name != "total"]


def _erases(subject: Subject) -> str:
    erases = subject.ftlab.get("erases") or {}
    if not isinstance(erases.get("per_block_mean"), (int, float)):
        return ""
    return (
        f"{erases.get('per_block_min')} to {erases.get('per_block_max')}, mean {erases['per_block_mean']:.4g}"
        f" ({erases.get('blocks')} blocks)")


def _failed(subject: Subject) -> object:
    document = subject.document if isinstance(subject, Procedure) else subject.ftlab
    return document.get("failed_requests") or None


_FACTS = (
    ("kind", _kind), ("drive", _drive), ("job", _jobs), ("length", _length), ("requests", _requests),
    ("failed requests", _failed), ("write amplification at the end", _amplification_at_end),
    ("steady at the end", _steadiness), ("write amplification since the beginning", _amplification),
    ("by cause, since the beginning", _parts),
    ("erases per block", _erases), ("seed", lambda s: s.ftlab.get("seed")),
    ("version", lambda s: s.ftlab.get("version")),
    ("signature", lambda s: s.ftlab.get("signature", s.ftlab.get("state_signature"))),
    )
