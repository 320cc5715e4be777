"""Write amplification: its parts, and how it falls with spare space."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Sequence

import numpy as np
import pandas as pd

from ftlab.report.reading.amplification_table import NAMES, check_amplification_table
from ftlab.report.picture import Axis, Curve, Panel, Part, Picture

KINDS = ("workload", "frontiers")
PARTS_CAPTION = "Bytes that the flash was given for each byte of the host, by what they were written for."
SPARE_CAPTION = (
    "Points: simulated (bars: 95 % confidence, where known). Lines: theory, where the table has a column"
    " for it. Over-provisioning is (physical - user) / user.")


def amplification_parts(wa: Mapping[str, Mapping[str, float]]) -> Picture:
    """`wa`: name of a run -> `ftlab.wa`, whose parts sum to its `total`."""
    names = list(dict.fromkeys(name for parts in wa.values() for name in parts if name != "total"))
    parts = [Part(name, np.array([float(of_run.get(name) or 0) for of_run in wa.values()]), number)
             for number, name in enumerate(names)]
    shown = [part for part in parts if part.lengths.any()]
    axis = Axis("Write amplification", "flash bytes for each host byte", from_zero=True)
    return Picture("amplification", "Write amplification and its parts", PARTS_CAPTION, axis,
                   [Panel(Axis("Run"), shown, list(wa))])


def amplification_over_spare(table: pd.DataFrame, slug: str = "spare") -> Picture:
    """Points simulated and lines of theory, a colour for each policy and workload. `table`: a row for each
    point, columns op and wa; of use are policy, workload, frontiers, theory (or theory_wa), half_width (or
    wa_halfwidth95): the frames of `ftlab.sweep` of kind wa. Several rows for one point
    (seeds) become their mean, and where no half_width is given its 95 % interval. Raises ConfigError."""
    check_amplification_table(table)
    table = table[table["op"] > 0]  # the axis is one of logarithms
    table = table.rename(columns={old: new for old, new in NAMES.items() if new not in table})
    by = [name for name in ("policy", *KINDS) if name in table and table[name].nunique() > 1]
    groups = list(table.groupby(by, sort=False)) if by else [(("simulated",), table)]
    curves: List[Curve] = []
    for number, (key, rows) in enumerate(groups):
        curves += _curves_of(_words(key), rows, number)
    x = Axis("Over-provisioning", "%", log=True, ticks=_ticks(table["op"].to_numpy(dtype=float) * 100))
    y = Axis("Write amplification", "ratio", log=True, switch=True)
    return Picture(slug, "Write amplification over spare space", SPARE_CAPTION, x, [Panel(y, curves)])


def by_workload(table: pd.DataFrame) -> "List[tuple[str, pd.DataFrame]]":
    """The rows of each workload and kind of frontiers, and what tells them apart; "" where nothing varies."""
    by = [name for name in KINDS if name in table and table[name].nunique() > 1]
    if not by:
        return [("", table)]
    groups = table.groupby(by, sort=False)
    return [(_words(key), rows) for key, rows in groups]


def _words(key: object) -> str:
    """Of a group; pandas before 2 gives no tuple of one."""
    return ", ".join(str(word) for word in (key if isinstance(key, tuple) else (key,)))


def _curves_of(name: str, rows: pd.DataFrame, number: int) -> List[Curve]:
    points = _mean_points(rows)
    x = points["op"].to_numpy() * 100
    look: Dict[str, Any] = {"hue": number, "symbol": number}
    curves = [Curve(name, x, points["wa"].to_numpy(), style="points",
                    half_width=_or_none(points["half_width"]),
                    **look)]
    if "theory" in points and points["theory"].notna().any():
        curves.append(Curve(f"{name}, theory", x, points["theory"].to_numpy(), style="line", **look))
    return curves


def _mean_points(rows: pd.DataFrame) -> pd.DataFrame:
    groups = rows.groupby("op", sort=True)
    points = groups[[c for c in ("wa", "theory") if c in rows]].mean().reset_index()
    known = "half_width" in rows
    points["half_width"] = groups["half_width"].mean().to_numpy() if known else _of_seeds(groups)
    return points


def _of_seeds(groups: "pd.core.groupby.DataFrameGroupBy") -> np.ndarray:
    """1.96 standard errors of the mean; NaN of a single run. With few seeds the true interval is wider."""
    wa = groups["wa"]
    return np.asarray(1.96 * wa.std() / np.sqrt(wa.count()))


def _or_none(values: pd.Series) -> "np.ndarray | None":
    return None if values.isna().all() else values.fillna(0).to_numpy()


def _ticks(percent: np.ndarray) -> Dict[float, str]:
    lowest, highest = percent.min(), percent.max()
    usual: Sequence[float] = (1, 2, 3, 5, 7, 10, 15, 20, 28, 40, 60, 100, 200)
    return {float(tick): f"{tick:g}" for tick in usual if 0.7 * lowest <= tick <= 1.4 * highest}
