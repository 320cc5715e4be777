"""The superblocks of a drive as columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ftlab import _core

if TYPE_CHECKING:  # imported where they are used: they take most of the time of a start
    import numpy as np
    import pandas as pd

STATES = _core.block_states
"""Names of the numbers in `Blocks.state`."""


class Blocks:
    """Columns indexed by superblock number: read-only NumPy arrays on the simulator's own memory, without copies.

    They always show the current state of the drive, also during a run. A power cycle creates a new translation layer; arrays
    taken before it keep showing the old one. Arrays may outlive the drive.

    valid: pages with current data, uint32.  state: index into STATES, uint8.  pool: uint8.  erases: since the drive was new,
    uint32.  closed_at: total pages appended when last closed, opened_at: host pages appended when last opened, uint64.
    pages: pages per superblock.
    """

    def __init__(self, columns: dict) -> None:
        self.valid: np.ndarray = columns["valid"]
        self.state: np.ndarray = columns["state"]
        self.pool: np.ndarray = columns["pools"]
        self.erases: np.ndarray = columns["erases"]
        self.closed_at: np.ndarray = columns["closed_at"]
        self.opened_at: np.ndarray = columns["opened_at"]
        self.pages: int = columns["pages_per_superblock"]

    def __len__(self) -> int:
        return len(self.valid)

    def frame(self) -> pd.DataFrame:
        """A copy as a data frame: one row per superblock, `state` by name."""
        import pandas as pd
        columns = {name: getattr(self, name).copy() for name in ("valid", "pool", "erases", "closed_at", "opened_at")}
        state = pd.Categorical.from_codes(self.state.astype("int8"), categories=list(STATES))
        return pd.DataFrame({"state": state, **columns}).rename_axis("superblock")
