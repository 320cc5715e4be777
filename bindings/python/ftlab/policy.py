"""Protocols for policies of your own: the calls that a drive makes, and the answers that it accepts.

A policy is an object that you supply. Drive.fork() copies it deeply; a saved state does not contain it. An exception in a
policy, or an invalid answer (PolicyError), ends the run; the drive is unusable afterwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Protocol

if TYPE_CHECKING:
    import numpy as np


class Chance(Protocol):
    """Random numbers from the simulator's stream: the same for the same seed. With another source, runs do not repeat."""

    def below(self, bound: int) -> int:
        """Uniform in [0, bound). Raises ValueError if `bound` is 0."""

    def bits(self) -> int:
        """64 uniform bits."""


class GcView(Protocol):
    """A drive as a collection policy sees it. Arrays: by superblock, read-only, on the simulator's own memory."""

    valid: np.ndarray  # uint32: pages with current data
    state: np.ndarray  # uint8: index into ftlab.blocks.STATES
    pools: np.ndarray  # uint8
    erases: np.ndarray  # uint32
    closed_at: np.ndarray  # uint64: pages_put at closing; the superblock's age is pages_put - closed_at
    opened_at: np.ndarray  # uint64: host pages appended before it was opened
    candidates: np.ndarray  # int64: the closed superblocks of the pool; choose() must return one of them
    pool: int
    pages_per_superblock: int
    pages_put: int  # pages appended so far, host and relocation together
    random: Chance  # valid only within choose()


class GcPolicy(Protocol):
    """Chooses the victim of garbage collection, once per reclaimed superblock. A plain function also works.

        def greedy(view):
            return view.candidates[view.valid[view.candidates].argmin()]

    Cost: with a few thousand superblocks 10 to 20 us per victim, which is about 10 to 30 ns per host write.
    """

    def choose(self, view: GcView) -> Optional[int]:
        """Returns one of view.candidates, or None if it is empty. None with candidates present raises PolicyError."""


class PlacementPolicy(Protocol):
    """Chooses the class of superblocks for each page; pages that are likely to be overwritten together belong together.

    The drive gets `ftl.placement` = streams with `classes` streams. Called for each page: about 0.3 us per host write, and
    the same per relocated page if of_relocated() exists.
    """

    classes: int  # 1 to 30

    def of_host(self, lpn: int, stream: int, old: int, version: int) -> int:
        """Returns the class, 0 to classes - 1, of a host write to logical page `lpn`. `version` numbers all host writes,
        `old` is the version of the replaced content, 0 if there is none: version - old is its lifetime in writes."""

    # def of_relocated(self, lpn: int, version: int, newest: int, from_class: int) -> int
    #     Optional: the class of a relocated page; newest - version is its age. Without it, pages keep their class.


class CachePolicy(Protocol):
    """Chooses what to evict from the mapping cache of a drive whose map does not fit into RAM (`ftl.mapping.scheme` demand).

    Units are numbers of translation pages or single entries, as the drive's `cache_unit` says. Called for each access to
    the map: about 0.3 us.
    """

    def clear(self) -> None:
        """The cache is empty: at the start and after a power cut. Later contents are reported by loaded()."""

    def loaded(self, unit: int) -> None:
        """The unit was loaded into the cache."""

    def hit(self, unit: int) -> None:
        """The unit was in the cache and was used."""

    def victim(self) -> int:
        """Returns a unit that is in the cache. evicted() follows."""

    def evicted(self, unit: int) -> None:
        """The unit left the cache."""
