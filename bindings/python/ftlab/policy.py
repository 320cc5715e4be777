"""Policies of one's own: what a drive asks them, and what they may answer.

Each is an object of the user's. A drive that is forked gives its fork a deep copy; a saved state does not hold them. An
exception in a policy, or an answer that cannot be (PolicyError), ends the run; the drive is of no use afterwards.
"""

from __future__ import annotations

from typing import Optional, Protocol

import numpy as np


class Chance(Protocol):
    """Chance from the simulator's own stream: the same seed gives the same numbers. Use no other, and runs repeat."""

    def below(self, bound: int) -> int:
        """Uniform in [0, bound). Raises ValueError for 0."""

    def bits(self) -> int:
        """64 uniform bits."""


class GcView(Protocol):
    """What a collection policy looks at. Arrays are by superblock, read-only, the simulator's own memory."""

    valid: np.ndarray  # uint32: pages that hold current data
    state: np.ndarray  # uint8: index into ftlab.blocks.STATES
    pools: np.ndarray  # uint8
    erases: np.ndarray  # uint32
    closed_at: np.ndarray  # uint64: pages put when it was closed; its age is pages_put - closed_at
    opened_at: np.ndarray  # uint64: host pages put when it was opened
    candidates: np.ndarray  # int64: the closed superblocks of the pool, of which one must be chosen
    pool: int
    pages_per_superblock: int
    pages_put: int  # by host and relocation together
    random: Chance  # within choose() only


class GcPolicy(Protocol):
    """Chooses the victim of garbage collection, once for each superblock that is reclaimed. A function will do as well.

        def greedy(view):
            return view.candidates[view.valid[view.candidates].argmin()]

    Cost: with a few thousand superblocks 10 to 20 us a victim, that is some 10 to 30 ns a host write.
    """

    def choose(self, view: GcView) -> Optional[int]:
        """One of view.candidates, or None when there is none. None with candidates raises PolicyError."""


class PlacementPolicy(Protocol):
    """Chooses in which class of superblocks a page is written; pages that die together belong together.

    The drive gets `ftl.placement` = streams with `classes` of them. Asked for each page: about 0.3 us a host write, and as
    much for each relocated page if it has of_relocated().
    """

    classes: int  # 1 to 30

    def of_host(self, lpn: int, stream: int, old: int, version: int) -> int:
        """The class, 0 to classes - 1, of a host write of logical page `lpn`. `version` counts all host writes one by one;
        `old` is that of the content which is replaced, 0 if there is none: version - old is how long it lived."""

    # def of_relocated(self, lpn: int, version: int, newest: int, from_class: int) -> int
    #     Optional: the class of a page that is relocated; newest - version is its age. Without it, pages stay in theirs.


class CachePolicy(Protocol):
    """Chooses what leaves the mapping cache of a drive whose map does not fit into its RAM (`ftl.mapping.scheme` demand).

    Units are translation pages or single entries, by number, as the drive's `cache_unit` says. Asked for each access to
    the map: about 0.3 us.
    """

    def clear(self) -> None:
        """Nothing is in the cache: at the beginning, and after a power cut. What is there then is told by loaded()."""

    def loaded(self, unit: int) -> None:
        """It came in."""

    def hit(self, unit: int) -> None:
        """It was there and was used."""

    def victim(self) -> int:
        """A unit that is in the cache. evicted() follows."""

    def evicted(self, unit: int) -> None:
        """It left."""
