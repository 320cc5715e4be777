"""A design scaled down so that a timed run takes a second: fewer pages a block, then fewer blocks, the same speeds and
spare."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict

from ftlab.explore.facts import SECTOR_BYTES
from ftlab.explore.question import Question, whole_pages

_FEWEST_PAGES = {"slc": 2, "mlc": 2, "tlc": 3, "qlc": 4}  # of a block
_FEWEST_START, _FEWEST_STOP = 4, 5  # water marks of collection, in superblocks: no less than the reserve of any design


@dataclasses.dataclass(frozen=True)
class Scaled:
    """settings: all that is laid over the drive file. user_bytes: of the scaled drive. times: full size over scaled size."""

    settings: Dict[str, Any]
    user_bytes: int
    times: float
    note: str


def scaled(question: Question, most_pages: int, fewest_blocks: int) -> Scaled:
    """At most about `most_pages` mapping pages of user data, as far as `fewest_blocks` in a plane allow. Raises NotKnown."""
    facts, settings = question.facts, question.settings()
    user_bytes = settings.get("user_sectors", facts.user_bytes // SECTOR_BYTES) * SECTOR_BYTES
    wanted = user_bytes / (most_pages * facts.map_page_bytes)
    pages = _divided(facts.pages_per_block, wanted, _FEWEST_PAGES.get(facts.cell, 4))
    by_pages = facts.pages_per_block // pages
    blocks = max(min(fewest_blocks, facts.blocks_per_plane),
                 min(facts.blocks_per_plane, round(facts.blocks_per_plane * by_pages / wanted)))
    by_blocks = facts.blocks_per_plane / blocks
    times = by_pages * by_blocks
    if times == 1:
        return Scaled(settings, user_bytes, 1, "full size")
    sectors = whole_pages(int(user_bytes / times), facts)
    laid = {**settings, "geometry.pages_per_block": pages, "nand.erase_ns": max(1, facts.erase_ns // by_pages),
            "user_sectors": sectors,
            **_fewer_blocks(question, settings, blocks, by_blocks), **_less_memory(question, settings, times)}
    return Scaled(laid, sectors * SECTOR_BYTES, user_bytes / (sectors * SECTOR_BYTES),
                  f"scaled down {times:.3g} times to be quick: {pages} of {facts.pages_per_block} pages a block, "
                  f"{blocks} of {facts.blocks_per_plane} blocks a plane")


def _divided(pages: int, wanted: float, fewest: int) -> int:
    """The least divisor of `pages` that is not below `fewest` nor below pages / wanted."""
    return min(count for count in range(1, pages + 1)
               if pages % count == 0 and (count == pages or (count >= fewest and count >= pages / wanted)))


def _fewer_blocks(question: Question, settings: Dict[str, Any], blocks: int, by_blocks: float) -> Dict[str, Any]:
    """Counts of superblocks, in proportion."""
    facts = question.facts
    if by_blocks == 1:
        return {}
    laid: Dict[str, Any] = {"geometry.blocks_per_plane": blocks}
    if facts.start_free is not None and facts.stop_free is not None:
        start = max(min(_FEWEST_START, facts.start_free), round(facts.start_free / by_blocks))
        laid["ftl.gc.start_free_superblocks"] = start
        laid["ftl.gc.stop_free_superblocks"] = max(start + 1, min(_FEWEST_STOP, facts.stop_free),
                                                   round(facts.stop_free / by_blocks))
    if facts.idle_stop_free is not None:
        laid["ftl.gc.idle.stop_free_superblocks"] = max(laid.get("ftl.gc.stop_free_superblocks", 0) + 1,
                                                        round(facts.idle_stop_free / by_blocks))
    if "ftl.gc.window_superblocks" in settings:
        laid["ftl.gc.window_superblocks"] = max(1, round(settings["ftl.gc.window_superblocks"] / by_blocks))
    cache = settings.get("ftl.slc_cache")
    if cache:
        laid["ftl.slc_cache"] = {**cache, "superblocks": max(1, round(cache["superblocks"] / by_blocks))}
    elif facts.slc_superblocks:
        laid["ftl.slc_cache.superblocks"] = max(1, round(facts.slc_superblocks / by_blocks))
    return laid


def _less_memory(question: Question, settings: Dict[str, Any], times: float) -> Dict[str, Any]:
    """RAM of a demand map reaches the same share of the drive; the write buffer and other maps keep their sizes."""
    facts, page = question.facts, question.facts.map_page_bytes
    if "ftl.mapping" in settings:
        own = settings["ftl.mapping"]
        return {"ftl.mapping": {**own, "ram_bytes": max(page, int(own["ram_bytes"] / times))}} if "ram_bytes" in own else {}
    ram = settings.get("ftl.mapping.ram_bytes", facts.map_ram_bytes) if facts.map_scheme == "demand" else None
    return {} if ram is None else {"ftl.mapping.ram_bytes": max(page, int(ram / times))}
