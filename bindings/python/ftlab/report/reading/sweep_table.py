"""The points of a sweep: one row per point with axis values and results."""

from __future__ import annotations

import dataclasses
import contextlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, List, Mapping

import numpy as np
import pandas as pd

from ftlab.errors import ConfigError
from ftlab.report import palette
from ftlab.report.reading.facts import NEVER_STEADY
from ftlab.sweeps.store import Store
from ftlab.sweeps.sweep import Sweep

WA_KEYS = ("policy", "workload", "frontiers", "op")  # possible axes of tables of write amplification
DIRECTIONS = ("read", "write", "trim")
SPARE = {"op": "Over-provisioning, nominal", "over_provisioning": "Over-provisioning, nominal",
         "effective_spare": "Effective spare"}
QUANTITIES = {"wa": "Write amplification", "iops": "Throughput, all directions (IOPS)",
              **{f"{direction}_iops": f"Throughput, {direction} (IOPS)" for direction in DIRECTIONS},
              **{f"{direction}_latency_us_p99": f"p99, {direction} (µs)" for direction in DIRECTIONS}}
PROBLEMS, BETWEEN = "problems", ";"


@dataclass(frozen=True)
class SweepTable:
    """`keys`: the columns of axes that vary, in grid order. `points`: replicates (seeds) are averaged; figure columns are
    numbers. `words`: column -> title; of each quantity the headline column comes before the one since the
    beginning. `about`: what all points have in common, in words."""

    name: str
    keys: List[str]
    points: pd.DataFrame
    words: Dict[str, str] = field(default_factory=dict)
    about: str = ""

    def figures(self) -> Dict[str, str]:
        """Column -> title, one per quantity: the steady figure or that at the end if available."""
        found = {quantity: self.headline(quantity) for quantity in QUANTITIES}
        return {column: self.words[column] for column in dict.fromkeys(found.values()) if column}

    def headline(self, quantity: str) -> str:
        """The headline column of a quantity, "" if there is none."""
        return next((column for column in (f"{quantity}_first", quantity) if column in self.words), "")

    def spare(self) -> str:
        """The column of nominal over-provisioning, else of effective spare; "" if there is neither."""
        return next((column for column in SPARE if column in self.points and self.points[column].notna().any()), "")

    def shown(self) -> pd.DataFrame:
        """What a reader sees of the points: the design, whether it is steady, spare space in per cent, figures."""
        rows = range(len(self.points))
        found: Dict[str, object] = {"design": [self.axes(row) for row in rows]}
        if PROBLEMS in self.points or any(column.endswith("_first") for column in self.words):
            found["steady"] = [", ".join(codes) or "steady" for codes in self.problems()]
        for column, words in SPARE.items():
            if column not in self.keys and column in self.points:
                found[f"{words} (%)"] = 100 * self.points[column]
        found.update({self.words[column]: self.values(column) for column in self.words})
        return pd.DataFrame(found)

    def values(self, column: str) -> np.ndarray:
        """A column of figures in the unit that its title states."""
        values = self.points[column].to_numpy(dtype=float)
        return values / 1e3 if self.words.get(column, "").endswith("(ms)") else values

    def problems(self) -> List[List[str]]:
        """The problem codes of each point."""
        texts = self.points[PROBLEMS] if PROBLEMS in self.points else [""] * len(self.points)
        return [_codes([text]) for text in texts]

    def steady(self) -> np.ndarray:
        """Mask of the points without a problem that forbids to call them steady."""
        return np.array([not set(codes) & set(NEVER_STEADY) for codes in self.problems()], dtype=bool)

    def axes(self, row: int) -> str:
        """The axis values of a point."""
        words = [(short(key), worded(key, self.points[key].iloc[row])) for key in self.keys]
        return ", ".join(word if is_choice(word) else f"{key} {word}" for key, word in words) or "the only point"

    def label(self, row: int) -> str:
        return "; ".join([self.axes(row), *self.problems()[row]])

    def choice(self) -> str:
        """The axis of words, such as policies, that colours tell apart; "" if there is none."""
        return next((key for key in self.keys
                     if self.points[key].map(lambda word: isinstance(word, str) and is_choice(word)).all()
                     and self.points[key].nunique() <= palette.CURVES), "")

    def over_spare(self) -> pd.DataFrame:
        """Write amplification (steady or at the end) over spare space: columns op, wa, when, policy, workload. Empty if
        spare space does not vary."""
        spare, wa = self.spare(), self.headline("wa")
        if not spare or not wa or self.points[spare].nunique() < 2:
            return pd.DataFrame()
        own = [key for key in self.keys if key != spare and self.points.groupby(spare)[key].nunique().max() > 1]
        policy = next((key for key in own if "policy" in key), None)
        others = [key for key in own if key not in (policy, *WA_KEYS)]
        named = {"policy": self.points[policy]} if policy else {}
        words = self.points[others].astype(str).agg(", ".join, axis=1) if others else None
        when = self.words[wa].partition(", ")[2]
        more = {} if words is None else {"workload": words}
        return self.points.assign(op=self.points[spare], wa=self.points[wa], when=when, **named, **more)

    def over_depth(self) -> Dict[str, pd.DataFrame]:
        """Direction -> points over queue depth, as from `procedure.points_of`, means since the beginning like the latencies;
        {} without an axis of queue depths."""
        depth = next((key for key in self.keys if key.endswith("iodepth")), None)
        found = {}
        for direction in DIRECTIONS if depth else ():
            rate, latency = f"{direction}_iops", f"{direction}_latency_us_mean"
            if rate in self.words and latency in self.points:
                group = [", ".join(str(row[key]) for key in self.keys if key != depth) for _, row in self.points.iterrows()]
                found[direction] = pd.DataFrame({"iodepth": self.points[depth].astype(float), "bs": np.nan, "group": group,
                                                 "iops": self.points[rate], "latency_us_mean": self.points[latency]})
        return found


def short(key: str) -> str:
    """Title of an axis: `policy` of ftl.gc.policy, `OP` of over-provisioning."""
    return "OP" if key in ("op", "over_provisioning") else key.rpartition(".")[2].rpartition(":")[2].replace("_", " ")


def worded(key: str, value: object) -> str:
    """An axis value: shares of spare in per cent."""
    if isinstance(value, float):
        return f"{100 * value:.3g} %" if key in SPARE else f"{value:.6g}"
    return str(value)


def is_choice(word: str) -> bool:
    """True for a word that says by itself what it is, such as cost-benefit."""
    return word.replace("-", "").replace("_", "").isalpha() and word not in ("true", "false", "True", "False")


def read_sweep_table(folder: Path, name: str) -> SweepTable:
    """Reads the folder of `ftlab sweep`. Raises ConfigError."""
    frame = Sweep.open(folder).frame()
    if len(frame) == 0:
        raise ConfigError("has no finished point", file=str(folder))
    made = make_sweep_table(frame, [str(key) for key in frame.columns[:list(frame.columns).index("seed")]], name)
    with contextlib.closing(Store.open(folder)) as store:
        grid = store.identity.get("grid") or {}
    return dataclasses.replace(made, about=_common(grid))


def _common(grid: Mapping[str, Any]) -> str:
    """The drive, the job and the settings of a grid: `example-25nm-mlc, random-write.fio, geometry.channels 2`."""
    job = grid.get("job")
    named = [str(grid[key]) for key in ("drive", "host") if grid.get(key)] + ([Path(str(job)).name] if job else [])
    state = (grid.get("age") or {}).get("precondition")
    more = {**({"precondition": state} if state else {}), **(grid.get("settings") or {})}
    return ", ".join(named +
                     [f"{key} {value if isinstance(value, str) else json.dumps(value)}" for key, value in more.items()])


def make_sweep_table(frame: pd.DataFrame, keys: List[str], name: str) -> SweepTable:
    frame = frame.assign(**{column: frame[column].map(_ratio) for column in SPARE if column in frame})
    varied = [key for key in keys if key in frame and frame[key].nunique() > 1]
    frame, words = _with_first(frame)
    numbers = [column for column in frame if column not in varied and column != "seed"
               and pd.api.types.is_numeric_dtype(frame[column]) and not pd.api.types.is_bool_dtype(frame[column])]
    named = [PROBLEMS] if PROBLEMS in frame and frame[PROBLEMS].fillna("").ne("").any() else []
    how = {**{column: "mean" for column in numbers}, **{column: _joined for column in named}}
    groups = frame.assign(all="").groupby(varied or ["all"], sort=False, as_index=False, dropna=False)
    points = groups.agg(how)
    shown = {column: text for column, text in words.items() if column in points and column not in varied
             and points[column].notna().any()}
    for column in (column for column in shown if "latency_us" in column and points[column].median() >= 1e3):
        shown[column] = shown[column].replace("(µs)", "(ms)")
    return SweepTable(name, varied, points, shown)


def _ratio(share: object) -> object:
    """A share as a number: 7% as 0.07. Other values unchanged."""
    try:
        if isinstance(share, str) and share.endswith("%"):
            return float(share[:-1]) / 100
        return float(share)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return share


def _with_first(frame: pd.DataFrame) -> "tuple[pd.DataFrame, Dict[str, str]]":
    """Adds a column QUANTITY_first for each quantity that has a steady figure or one at the end; returns the frame and
    the titles of its columns. "since the beginning" is added only if the frame consists of runs."""
    since = ", since the beginning" if "simulated_s" in frame else ""
    alone = [direction
             for direction in DIRECTIONS if f"{direction}_iops" in frame and frame[f"{direction}_iops"].notna().any()]
    made, shown = frame.copy(), {}
    for quantity, words in QUANTITIES.items():
        of = [quantity, "iops"] if [f"{direction}_iops" for direction in alone] == [quantity] else [quantity]
        values, when = _first(frame, of)
        if when and not (quantity == "iops" and len(alone) == 1):
            made[f"{quantity}_first"] = values
            shown[f"{quantity}_first"] = _timed(words, f", {when}")
        shown[quantity] = _timed(words, since)
    return made, shown


def _first(frame: pd.DataFrame, names: List[str]) -> "tuple[pd.Series, str]":
    """The steady figure of each row if reached, else the one at the end, else the one over the judged part; and words for
    which of these, "" if none."""
    judged, at_end = (_column(frame, [form.format(name) for name in names]) for form in ("steady_{}", "{}_at_end"))
    steady = judged.where(_steady(frame))
    values = steady.fillna(at_end).fillna(judged)
    known = values.notna()
    if not known.any():
        return values, ""
    if steady[known].notna().all():
        return values, "steady"
    return values, "at the end" if steady.isna().all() else "steady or at the end"


def _column(frame: pd.DataFrame, names: List[str]) -> pd.Series:
    found = next((name for name in names if name in frame and frame[name].notna().any()), None)
    return pd.Series(np.nan, frame.index) if found is None else frame[found].astype(float)


def _steady(frame: pd.DataFrame) -> pd.Series:
    """Mask of rows that reached steady state and have no problem in NEVER_STEADY."""
    reached = pd.Series(True, frame.index)
    if "steady_reached" in frame:
        reached = frame["steady_reached"].fillna(False).astype(bool)
    codes = frame[PROBLEMS] if PROBLEMS in frame else pd.Series("", frame.index)
    return reached & ~codes.map(lambda text: any(code in NEVER_STEADY for code in _codes([text])))


def _timed(words: str, when: str) -> str:
    """Inserts the time into `Throughput, read (IOPS)` before the unit."""
    label, bracket, unit = words.partition(" (")
    return label + when + bracket + unit


def _codes(texts: "List[object] | pd.Series") -> List[str]:
    codes = [code for text in texts if isinstance(text, str) for code in text.split(BETWEEN) if code]
    return list(dict.fromkeys(codes))


def _joined(texts: pd.Series) -> str:
    return BETWEEN.join(_codes(texts))
