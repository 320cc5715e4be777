"""Figures of a drive file that the page starts from."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any, Mapping, Optional, Tuple

from ftlab.analysis import drive_document
from ftlab.errors import ConfigError

SECTOR_BYTES = 512
_LIMIT = ("endurance", "program_erase_limit")


@dataclasses.dataclass(frozen=True)
class Facts:
    """An SSD as its file describes it. over_provisioning: (flash - user) / user, as `ftlab run` states it under
    `nominal`."""

    name: str
    user_bytes: int
    flash_bytes: int
    map_page_bytes: int
    superblocks: int
    blocks_per_plane: int
    pages_per_block: int
    erase_ns: int
    cell: str
    policy: str
    frontiers: str
    map_scheme: str
    map_ram_bytes: Optional[int]
    slc_superblocks: int
    buffer_bytes: Optional[int]
    erase_limit: Optional[int]
    start_free: Optional[int]
    stop_free: Optional[int]
    idle_stop_free: Optional[int]

    @property
    def over_provisioning(self) -> float:
        return self.flash_bytes / self.user_bytes - 1

    @property
    def whole_map_bytes(self) -> int:
        """A page map that is wholly in RAM: four bytes for each mapping page of the user."""
        return 4 * (self.user_bytes // self.map_page_bytes)


@functools.lru_cache(maxsize=64)
def facts_of(drive: str) -> Facts:
    """Of a drive of the library or a drive file. Raises ConfigError for unknown drives and for disks."""
    document = drive_document(drive)
    if document.get("kind", "ssd") != "ssd":
        raise ConfigError("is a disk, which has no over-provisioning and no write amplification", key="drive", got=drive,
                          allowed="SSDs; ftlab drives lists the library")
    flash_bytes, superblocks = _flash(document)
    ftl = document["ftl"]
    return Facts(
        name=str(document.get("name", drive)), user_bytes=_at(document, "user_sectors") * SECTOR_BYTES,
        flash_bytes=flash_bytes,
        map_page_bytes=_at(ftl, "mapping", "page_bytes", default=4096), superblocks=superblocks,
        blocks_per_plane=_at(document, "geometry", "blocks_per_plane"),
        pages_per_block=_at(document, "geometry", "pages_per_block"), erase_ns=_at(document, "nand", "erase_ns"),
        cell=_at(document, "nand", "cell"), policy=_at(ftl, "gc", "policy", default="greedy"),
        frontiers=_at(ftl, "frontiers", default="one"), map_scheme=_at(ftl, "mapping", "scheme", default="page"),
        map_ram_bytes=_at(ftl, "mapping", "ram_bytes"), slc_superblocks=_at(ftl, "slc_cache", "superblocks", default=0),
        buffer_bytes=_at(ftl, "write_buffer", "bytes"), erase_limit=_at(document, *_LIMIT) or None,
        start_free=_at(ftl, "gc", "start_free_superblocks"), stop_free=_at(ftl, "gc", "stop_free_superblocks"),
        idle_stop_free=_at(ftl, "gc", "idle", "stop_free_superblocks"))


def _flash(document: Mapping[str, Any]) -> Tuple[int, int]:
    """Bytes of the flash array, and its superblocks."""
    def of(key: str) -> int:
        return int(_at(document, "geometry", key))
    dies, planes = of("channels") * of("chips_per_channel") * of("dies_per_chip"), of("planes_per_die")
    together = (_at(document, "ftl", "superblock", "dies", default=dies),
                _at(document, "ftl", "superblock", "planes", default=planes))
    superblocks = of("blocks_per_plane") * (dies // together[0]) * (planes // together[1])
    return dies * planes * of("blocks_per_plane") * of("pages_per_block") * of("page_bytes"), superblocks


def _at(document: Mapping[str, Any], *keys: str, default: Any = None) -> Any:
    """The value under nested keys, without its source."""
    value: Any = document
    for key in keys:
        if not isinstance(value, Mapping) or key not in value:
            return default
        value = value[key]
    return value["value"] if isinstance(value, Mapping) and "value" in value else value
