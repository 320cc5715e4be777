"""Write amplification over over-provisioning."""

from __future__ import annotations

from typing import Any, Dict, List, Sequence

import numpy as np
import pandas as pd

from ftlab.report.picture import Axis, Curve, Panel, Picture
from ftlab.report.reading.sources import NAMES, Sources, check_amplification_table
from ftlab.report.selection import titled

SECTION, PLACE = "Spare space", 1
KINDS = ("workload", "frontiers")
CAPTION = (
    "Points: simulated, steady or at the end if known (bars: 95 % confidence). Lines without points: theory, if the table"
    " has it. Over-provisioning is nominal: (physical - user) / user.")


def amplification_over_spare(table: pd.DataFrame, slug: str = "spare") -> Picture:
    """Simulated points and lines of theory, with one colour per policy and workload. `table`: one row per point with
    columns op and wa; optional are policy, workload, frontiers, theory (or theory_wa), half_width (or wa_halfwidth95), as
    in the frames of `ftlab.sweep` of kind wa. Several rows of one point (seeds) are averaged, with their 95 % interval
    unless half_width is given. Raises ConfigError."""
    check_amplification_table(table)
    table = table[table["op"] > 0]  # the axis is logarithmic
    table = table.rename(columns={old: new for old, new in NAMES.items() if new not in table})
    by = [name for name in ("policy", *KINDS) if name in table and table[name].nunique() > 1]
    groups = list(table.groupby(by, sort=False)) if by else [(("simulated",), table)]
    curves: List[Curve] = []
    for number, (key, rows) in enumerate(groups):
        curves += _curves_of(_words(key), rows, number)
    x = Axis("Over-provisioning, nominal", "%", log=True, ticks=_ticks(table["op"].to_numpy(dtype=float) * 100))
    when = str(table["when"].iloc[0]) if "when" in table and len(table) else ""
    y = Axis(f"Write amplification{', ' * bool(when)}{when}", "ratio", log=True, switch=True)
    return Picture(slug, "Write amplification over spare space", CAPTION, x, [Panel(y, curves)])


def by_workload(table: pd.DataFrame) -> "List[tuple[str, pd.DataFrame]]":
    """The rows of each workload and kind of frontiers, with a text that identifies them; "" if there is only one."""
    by = [name for name in KINDS if name in table and table[name].nunique() > 1]
    if not by:
        return [("", table)]
    groups = table.groupby(by, sort=False)
    return [(_words(key), rows) for key, rows in groups]


def _words(key: object) -> str:
    """Joins a group's key; pandas before 2 gives a plain value instead of a tuple of one."""
    return ", ".join(str(word) for word in (key if isinstance(key, tuple) else (key,)))


def _curves_of(name: str, rows: pd.DataFrame, number: int) -> List[Curve]:
    points = _mean_points(rows)
    x = points["op"].to_numpy() * 100
    look: Dict[str, Any] = {"hue": number, "symbol": number}
    theory = "theory" in points and points["theory"].notna().any()
    curves = [Curve(name, x, points["wa"].to_numpy(), style="points" if theory else "both",
                    half_width=_or_none(points["half_width"]), **look)]
    if theory:
        curves.append(Curve(f"{name}, theory", x, points["theory"].to_numpy(), style="line", **look))
    return curves


def _mean_points(rows: pd.DataFrame) -> pd.DataFrame:
    groups = rows.groupby("op", sort=True)
    points = groups[[c for c in ("wa", "theory") if c in rows]].mean().reset_index()
    known = "half_width" in rows
    points["half_width"] = groups["half_width"].mean().to_numpy() if known else _of_seeds(groups)
    return points


def _of_seeds(groups: "pd.core.groupby.DataFrameGroupBy") -> np.ndarray:
    """1.96 standard errors of the mean; NaN for a single run. With few seeds the true interval is wider."""
    wa = groups["wa"]
    return np.asarray(1.96 * wa.std() / np.sqrt(wa.count()))


def _or_none(values: pd.Series) -> "np.ndarray | None":
    return None if values.isna().all() else values.fillna(0).to_numpy()


def _ticks(percent: np.ndarray) -> Dict[float, str]:
    lowest, highest = percent.min(), percent.max()
    usual: Sequence[float] = (1, 2, 3, 5, 7, 10, 15, 20, 28, 40, 60, 100, 200)
    return {float(tick): f"{tick:g}" for tick in usual if 0.7 * lowest <= tick <= 1.4 * highest}


def figures(sources: Sources) -> List[Picture]:
    """One picture per workload and kind of frontiers, in which policies are compared."""
    pictures: List[Picture] = []
    for name, table in sources.amplification().items():
        for kind, rows in by_workload(table):
            drawn = amplification_over_spare(rows, f"spare-{len(pictures) + 1}")
            pictures.append(titled(f"{name}, {kind}" if kind else name, drawn))
    return pictures
