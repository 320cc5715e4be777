"""Latency by cause, for all requests and the slowest, and the use of the dies' time."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, Callable, Dict, List, Mapping, Sequence, Tuple

import numpy as np

from ftlab.report import palette
from ftlab.report.picture import Axis, Panel, Part, Picture, latency_unit
from ftlab.report.reading.latency_parts import BUFFER_WAIT, LEAST_USE, Ranges, slowest_parts, split, uses_of, waits_of
from ftlab.report.reading.sources import Sources
from ftlab.report.selection import all_runs

SECTION, PLACE = "Latency", 1
CAPTION = (
    "Mean latency of a request since the beginning, by cause. The parts are whole nanoseconds and add up exactly to the"
    " latency of all requests. Parts without time are left out.")
SLOWEST_CAPTION = (
    "Mean latency of all requests and of the slowest, since the beginning, by cause. Computed from sums over latency "
    "ranges, 16 per power of two; requests in the range at the edge of a share count with the mean of that range.")
SPLIT = (" Buffer wait is split by what the dies began to do while writes waited, for the same share of the longest "
         "waits{alike}.")
ALIKE = "; where the result does not have it, as the dies spent their time since the beginning"
WAITS_CAPTION = (
    "What the dies began to do while writes waited for buffer space, by the length of the wait in milliseconds or seconds. "
    "Each"
    " bar is the mean of the range of waits, 16 per power of two, that holds the percentile; the last has the longest wait.")
PERCENTILES = {"p50": 0.5, "p99": 0.99, "p99.9": 0.999, "longest": 1.0}
FEW_RUNS = 4  # with more, only the bars that matter most
NS_PER_US = 1000.0
SHARES = {"all": 1.0, "slowest 10 %": 0.1, "slowest 1 %": 0.01, "slowest 0.1 %": 0.001}
FEWEST = 10  # minimum number of requests in a share


def latency_blame(parts_ns: Mapping[str, Mapping[str, int]], requests: Mapping[str, int]) -> Picture:
    """One bar per run. `parts_ns`: name of a run -> `ftlab.latency_parts_ns`, sums over all requests in nanoseconds;
    `requests`: name of a run -> number of requests."""
    runs = [run for run in parts_ns if requests.get(run, 0) > 0]
    parts, unit = _stacked([(requests[run], parts_ns[run]) for run in runs], _share)
    axis = Axis("Mean time of a request", unit, from_zero=True)
    return Picture("blame", "Where the time goes", CAPTION, axis, [Panel(Axis("Run"), parts, runs)])


def slowest_blame(ranges: Mapping[str, Ranges], uses: Mapping[str, Mapping[str, float]] = MappingProxyType({}),
                  waits: Mapping[str, Ranges] = MappingProxyType({})) -> Picture:
    """One bar per run and share of its slowest requests, with their mean latency as length. Omits shares of fewer than ten
    requests; of many runs, all but two shares. `uses`, `waits`: name of a run -> share of its dies' time by use, and its
    buffer waits (waits_of), by which buffer wait is split."""
    shares = SHARES if len(ranges) <= FEW_RUNS else {name: SHARES[name] for name in ("all", "slowest 1 %")}
    bars = [(run, share, *slowest_parts(of_run, part)) for run, of_run in ranges.items() for share, part in shares.items()
            if part * sum(one["requests"] for one in of_run) >= FEWEST]
    while_waiting = {(run, share): slowest_parts(of_run, SHARES[share])[1] for run, of_run in waits.items()
                     for share in shares}
    bars = [(run, share, count, split(sums, while_waiting.get((run, share)) or uses.get(run, {})))
            for run, share, count, sums in bars]
    parts, unit = _stacked([(count, sums) for _, _, count, sums in bars],
                           lambda time, total: f"{100 * time / total:.3g} % of the bar" if total else "")
    names = [_bar_name(run, share, count, sums, len(ranges)) for run, share, count, sums in bars]
    axis = Axis("Mean latency", unit, from_zero=True)
    is_split = any(name.startswith("buffer wait: ") for _, _, _, sums in bars for name in sums)
    caption = SLOWEST_CAPTION + (SPLIT.format(alike="" if all(waits.get(run) for run in ranges) else ALIKE) if is_split
                                 else "")
    return Picture("slowest", "Where requests spend their time, all and the slowest", caption, axis,
                   [Panel(Axis("Requests"), parts, names)])


def buffer_waits(waits: Mapping[str, Ranges]) -> Picture:
    """One bar per run and percentile of its writes, by what the dies did. `waits`: of waits_of()."""
    chosen = PERCENTILES if len(waits) <= FEW_RUNS else {"p99": 0.99}
    bars = [(run, share, range_at(of_run, part)) for run, of_run in waits.items() for share, part in chosen.items()]
    of_bars = [{use: ns / one["requests"] / NS_PER_US for use, ns in one["parts_ns"].items()} for _, _, one in bars]
    names = list(dict.fromkeys(use for parts in of_bars
                               for use, time in parts.items() if time > LEAST_USE * sum(parts.values())))
    parts = [Part(name, np.array([100 * one.get(name, 0.0) / (sum(one.values()) or 1) for one in of_bars]),
                  palette.number_of(name, palette.DIE_USES, {}), [_time(NS_PER_US * one.get(name, 0.0)) for one in of_bars])
             for name in sorted(names, key=palette.DIE_USES.index)]
    labels = [(f"{run}, " if len(waits) > 1 else "") +
              f"{share}: {_time(NS_PER_US * sum(one.values())) if any(one.values()) else 'no wait'}"
              for (run, share, _), one in zip(bars, of_bars)]
    return Picture("waits", "Waits for buffer space, and what the drive did meanwhile", WAITS_CAPTION,
                   Axis("Share of the wait", "%", from_zero=True), [Panel(Axis("Writes"), parts, labels)])


def range_at(ranges: Ranges, share: float) -> Mapping[str, Any]:
    """The range that holds the request below which this share of all requests lies."""
    reached = np.cumsum([one["requests"] for one in ranges])
    return ranges[min(int(np.searchsorted(reached, share * reached[-1])), len(ranges) - 1)]


def _stacked(bars: Sequence[Tuple[float, Mapping[str, float]]],
             words: Callable[[float, float], str]) -> Tuple[List[Part], str]:
    """The parts of bars, each of a number of requests and its sums in nanoseconds, and the unit of their lengths."""
    us, unit = latency_unit([np.array([sum(sums.values()) / count / NS_PER_US for count, sums in bars])])
    others: Dict[str, int] = {}
    parts = [_part(name, [sums.get(name, 0.0) / count / NS_PER_US / us for count, sums in bars],
                   [words(sums.get(name, 0), sum(sums.values())) for _, sums in bars], others)
             for name in _in_order(sums for _, sums in bars)]
    return parts, unit


def _part(name: str, lengths: List[float], words: List[str], others: Dict[str, int]) -> Part:
    if name.startswith("buffer wait: "):
        return Part(name, np.array(lengths), palette.number_of(name[len("buffer wait: "):], palette.DIE_USES, others), words)
    return Part(name.replace("_", " "), np.array(lengths), palette.number_of(name, palette.LATENCY_PARTS, others), words)


def _in_order(sums: Any) -> List[str]:
    """Names of the parts with non-zero time, in the same order in every picture."""
    names: Dict[str, None] = {}
    for parts in sums:
        names.update({name: None for name, time in parts.items() if time})
    known = {name: place for place, name in enumerate(palette.LATENCY_PARTS)}
    return sorted(names, key=lambda name: known[BUFFER_WAIT] if name.startswith("buffer wait: ")
                  else known.get(name, len(known)))


def _bar_name(run: str, share: str, count: float, sums: Mapping[str, float], runs: int) -> str:
    mean = f"{share}: {_time(sum(sums.values()) / count)} on average" if count else share
    return f"{run}, {mean}" if runs > 1 else mean


def _time(ns: float) -> str:
    us, unit = latency_unit([np.array([ns / NS_PER_US])])
    return f"{ns / NS_PER_US / us:,.3g} {unit}" if ns / NS_PER_US / us < 1000 else f"{ns / NS_PER_US / us:,.0f} {unit}"


def _share(part: float, total: float) -> str:
    return f"{part} ns of {total} ns ({100 * part / total:.3g} %)" if total else ""


DIES_CAPTION = (
    "Share of the time of all dies since the beginning. A write waits for buffer space while the dies program, copy and"
    " erase for earlier writes. The time of internal programs is split by the bytes they wrote; copies include the reads for"
    " them and for the map.")


def die_time(uses: Mapping[str, Mapping[str, float]]) -> Picture:
    """`uses`: name of a run -> share of the time of its dies by use, which sum to 1."""
    names = list(dict.fromkeys(name for of_run in uses.values() for name, share in of_run.items() if share > 0.0005))
    parts = [Part(name, np.array([100 * of_run.get(name, 0.0) for of_run in uses.values()]),
                  palette.number_of(name, palette.DIE_USES, {}))
             for name in names]
    return Picture("dies", "How the dies spent their time", DIES_CAPTION, Axis("Time of the dies", "%", from_zero=True),
                   [Panel(Axis("Run"), parts, list(uses))])


def figures(sources: Sources) -> List[Picture]:
    runs = [run for run in all_runs(sources) if any((run.ftlab.get("latency_parts_ns") or {}).values())]
    parts = {run.name: run.ftlab["latency_parts_ns"] for run in runs}
    ranges = {run.name: run.ftlab["latency_parts_by_latency"] for run in runs if run.ftlab.get("latency_parts_by_latency")}
    without = {name: one for name, one in parts.items() if name not in ranges}
    waits = {name: waits for name, waits in ((run.name, waits_of(run)) for run in all_runs(sources))
             if any(sum(one["parts_ns"].values()) for one in waits)}
    uses = {name: one for name, one in ((run.name, uses_of(run)) for run in all_runs(sources)) if one}
    pictures = [slowest_blame(ranges, uses, waits)] if ranges else []
    pictures += [buffer_waits(waits)] if waits else []
    pictures += [latency_blame(without, {run.name: int(run.jobs["requests"].sum()) for run in runs})] if without else []
    return pictures + ([die_time(uses)] if uses else [])
