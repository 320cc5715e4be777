"""The superblocks of a drive as columns."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ftlab import _core

STATES = _core.block_states
"""Names of the numbers in `Blocks.state`."""


class Blocks:
    """Columns by superblock number: read-only NumPy arrays on the simulator's own memory, without copies.

    They show the drive as it is at any moment, while it runs too. A power cycle gives the drive a new translation layer, and
    arrays taken before show the old one from then on. They may be kept longer than the drive.

    valid: pages that hold current data, uint32.  state: index into STATES, uint8.  pool: uint8.  erases: uint32, since
    new.  closed_at, opened_at: when last closed, in pages put so far, and last opened, in host pages put so far; uint64.
    pages: pages of a superblock.
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
        """A copy as a frame: a row for each superblock, `state` by name."""
        columns = {name: getattr(self, name).copy() for name in ("valid", "pool", "erases", "closed_at", "opened_at")}
        state = pd.Categorical.from_codes(self.state.astype("int8"), categories=list(STATES))
        return pd.DataFrame({"state": state, **columns}).rename_axis("superblock")
