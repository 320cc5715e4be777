"""Where points of pictures lead on the same page."""

from __future__ import annotations


def point_id(sweep: int, row: int) -> str:
    """Of a row in the table of a sweep's points."""
    return f"point-{sweep}-{row}"


def run_id(number: int) -> str:
    """Of a run's column among the facts."""
    return f"run-{number}"
