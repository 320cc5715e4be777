"""Garbage collection over time."""

from __future__ import annotations

from typing import List

import numpy as np
import pandas as pd

from ftlab.report.figures.over_time import Extras, Frames, extras_of, has_column, lines_over_time
from ftlab.report.picture import Axis, Picture
from ftlab.report.reading.sources import Sources
from ftlab.report.selection import frames, with_notes

SECTION, PLACE = "Garbage collection", 1
CAPTION = (
    "Free superblocks at the end of each interval; pages copied and blocks erased by garbage collection, per second; write"
    " amplification (flash bytes over host bytes) of each interval{both}.")
CLIPPED = " The axis of write amplification ends at 1.5 times the 99th percentile; the maximum is {most:.3g}."
CLIP = 1.5  # times the 99th percentile: the end of the axis if an interval is higher


def collection_over_time(frames: Frames, extras: Extras = Extras()) -> Picture:
    """Free superblocks, copies, erases and write amplification. `frames`: name of a run -> series with the
    columns t_s, length_s, free_superblocks, relocated_pages, block_erases (of the interval), wa,
    wa_cumulative."""
    alone = not extras.several(frames)
    values = np.concatenate([frame["wa"].dropna().to_numpy() for frame in frames.values() if "wa" in frame] or [np.zeros(0)])
    limit = CLIP * float(np.percentile(values, 99)) if len(values) else np.inf
    clipped = len(values) > 0 and bool(values.max() > limit)
    amplification = {"wa": "WA of the interval", **({"wa_cumulative": "WA since the beginning"} if alone else {})}
    panels = [
        (Axis("Free superblocks", "count", from_zero=True, switch=True), {"free_superblocks": "free superblocks"}),
        (Axis("Pages copied", "1/s", from_zero=True, switch=True), {"relocated_pages_per_s": "pages copied"}),
        (Axis("Blocks erased", "1/s", from_zero=True, switch=True), {"block_erases_per_s": "blocks erased"}),
        (Axis("Write amplification", "ratio", log=True, switch=True, limit=limit if clipped else None), amplification),
    ]
    rates = {name: _per_second(frame) for name, frame in frames.items()}
    caption = CAPTION.format(both=" and since the beginning" if alone else "")
    return lines_over_time("collection", "Garbage collection over time",
                           caption + (CLIPPED.format(most=values.max()) if clipped else ""), rates, panels, extras)


def _per_second(frame: pd.DataFrame) -> pd.DataFrame:
    columns = [c for c in ("relocated_pages", "block_erases") if c in frame]
    return frame.assign(**{f"{column}_per_s": frame[column] / frame["length_s"] for column in columns})


def figures(sources: Sources) -> List[Picture]:
    found = {name: frame for name, frame in frames(sources).items()
             if has_column({name: frame}, ["block_erases", "relocated_pages"])}
    return [with_notes(collection_over_time(found, extras_of(sources)), sources)] if found else []
