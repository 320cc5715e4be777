"""Published measurements in the format of `validation/measured` (see its README)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict, List, Optional

import pandas as pd

from ftlab import _core
from ftlab.report.reading.fio_json import JOB_COLUMNS, row_of
from ftlab.report.reading.run import Run
from ftlab.report.reading.size import words_of
from ftlab.report.reading.text_file import read_text


def is_figure_file(document: Any) -> bool:
    return isinstance(document, dict) and "what" in document and ("points" in document
                                                                  or "minute" in document)


def read_figures(path: Path, name: str) -> Run:
    """Points become jobs; curves with one value per minute become a series. Raises ConfigError."""
    figures = _core.figures(read_text(path), str(path))
    jobs = pd.DataFrame([_row(point) for point in figures["points"]], columns=JOB_COLUMNS)
    bins = pd.DataFrame({"job": [], "direction": [], "latency_ns": [], "count": []})
    notes = [f"{figures['what']}; {figures['source']}"]
    return Run(name, path, True, jobs, bins, series=_series(figures["curves"]), notes=notes)


def _row(point: Dict[str, Any]) -> Dict[str, Any]:
    row = row_of(point["direction"], point)
    return {"job": f"{row['rw']}, {words_of(row['bs'])}, depth {row['iodepth']:g}, {row['numjobs']:g} jobs", **row}


def _series(curves: List[Dict[str, Any]]) -> Optional[pd.DataFrame]:
    if not curves:
        return None
    rates = {f"{curve['direction']}_iops": curve["iops"] for curve in curves}
    return pd.DataFrame({"t_s": curves[0]["end_s"], "length_s": 60.0, **rates})
