"""Garbage collection over time."""

from __future__ import annotations

from typing import List

import pandas as pd

from ftlab.report.figures.over_time import Extras, Frames, extras_of, has_column, lines_over_time
from ftlab.report.picture import Axis, Picture
from ftlab.report.reading.sources import Sources
from ftlab.report.selection import frames, with_notes

SECTION, PLACE = "Garbage collection", 1
CAPTION = (
    "Free superblocks at the end of each interval; pages that collection copied and blocks erased, per second"
    " of it; write amplification (flash bytes over host bytes) of the interval and since the beginning.")


def collection_over_time(frames: Frames, extras: Extras = Extras()) -> Picture:
    """Free superblocks, relocated pages, erases and write amplification. `frames`: name of a run -> series with the
    columns t_s, length_s, free_superblocks, relocated_pages, block_erases (per interval), wa, wa_cumulative."""
    panels = [
        (Axis("Free superblocks", "count", from_zero=True, switch=True),
         {"free_superblocks": "free superblocks"}),
        (Axis("Work", "1/s", from_zero=True, switch=True),
         {"relocated_pages_per_s": "pages copied", "block_erases_per_s": "blocks erased"}),
        (Axis("Write amplification", "ratio", log=True, switch=True),
         {"wa": "interval", "wa_cumulative": "since the beginning"}),
    ]
    rates = {name: _per_second(frame) for name, frame in frames.items()}
    return lines_over_time("collection", "Garbage collection over time", CAPTION, rates, panels, extras)


def _per_second(frame: pd.DataFrame) -> pd.DataFrame:
    columns = [c for c in ("relocated_pages", "block_erases") if c in frame]
    return frame.assign(**{f"{column}_per_s": frame[column] / frame["length_s"] for column in columns})


def figures(sources: Sources) -> List[Picture]:
    found = {name: frame for name, frame in frames(sources).items()
             if has_column({name: frame}, ["block_erases", "relocated_pages"])}
    return [with_notes(collection_over_time(found, extras_of(sources)), sources)] if found else []
