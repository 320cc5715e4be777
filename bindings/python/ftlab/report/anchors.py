"""Link targets of points in pictures."""

from __future__ import annotations


def point_id(sweep: int, row: int) -> str:
    """The id of a row in the table of a sweep's points."""
    return f"point-{sweep}-{row}"


def run_id(number: int) -> str:
    """The id of a run's column in the table of facts."""
    return f"run-{number}"
