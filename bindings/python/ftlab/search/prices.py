"""Manufacturing cost of a drive."""

from __future__ import annotations

import dataclasses
from typing import Any, Mapping

GIB, MIB = 2**30, 2**20


@dataclasses.dataclass(frozen=True)
class Prices:
    """In US dollars. The defaults are assumptions, not quotes: roughly contract prices of 2012, when 25 nm flash was sold
    (about one dollar per GiB; DRAM about five dollars per GiB). Supply your own."""

    flash_usd_per_gib: float = 1.0
    dram_usd_per_mib: float = 0.005
    fixed_usd: float = 5.0  # controller, board, case; assumed

    def __post_init__(self) -> None:
        for name, value in dataclasses.asdict(self).items():
            if not (isinstance(value, (int, float)) and 0 <= value < float("inf")):
                raise ValueError(f"{name} is a price of zero or more, not {value!r}")

    def price_usd(self, figures: Mapping[str, Any]) -> float:
        """Price of a drive from the figures of a run: flash_bytes and mapping_ram_bytes."""
        return (figures["flash_bytes"] / GIB * self.flash_usd_per_gib
                + figures["mapping_ram_bytes"] / MIB * self.dram_usd_per_mib + self.fixed_usd)

    def price_usd_per_user_gib(self, figures: Mapping[str, Any]) -> float:
        """Price per GiB that the host can use, which includes the cost of spare area."""
        return self.price_usd(figures) / (figures["user_bytes"] / GIB)
