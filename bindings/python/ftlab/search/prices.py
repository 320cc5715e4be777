"""What a drive costs to make."""

from __future__ import annotations

import dataclasses
from typing import Any, Mapping

GIB, MIB = 2**30, 2**20


@dataclasses.dataclass(frozen=True)
class Prices:
    """In US dollars. The defaults are assumed, not quoted: of the order of contract prices around 2012, when flash of 25 nm
    was sold (about a dollar a GiB), and DRAM (about five dollars a GiB). Give your own.
    """

    flash_usd_per_gib: float = 1.0
    dram_usd_per_mib: float = 0.005
    fixed_usd: float = 5.0  # controller, board, case; assumed

    def __post_init__(self) -> None:
        for name, value in dataclasses.asdict(self).items():
            if not (isinstance(value, (int, float)) and 0 <= value < float("inf")):
                raise ValueError(f"{name} is a price of zero or more, not {value!r}")

    def price_usd(self, figures: Mapping[str, Any]) -> float:
        """Of a drive by the figures of a run: flash_bytes and mapping_ram_bytes."""
        return (figures["flash_bytes"] / GIB * self.flash_usd_per_gib
                + figures["mapping_ram_bytes"] / MIB * self.dram_usd_per_mib + self.fixed_usd)

    def price_usd_per_user_gib(self, figures: Mapping[str, Any]) -> float:
        """The same for each GiB that the host can use: what spare area costs shows here."""
        return self.price_usd(figures) / (figures["user_bytes"] / GIB)
