"""The first sentence of the page: drive, job, result at the end and when fresh;
for several runs the best one."""

from __future__ import annotations

from typing import Optional, Sequence, Tuple

import numpy as np
import pandas as pd

from ftlab.report import markup
from ftlab.report.ending import BAND, Ending, comparable_fresh, ending_of, last_phase_from, why_never_steady
from ftlab.report.picture import TIMES
from ftlab.report.measures import AT_END, DIFFERENT, WA, Measure, job_labels, jobs_of_last_phase
from ftlab.report.price import FEWEST, choice_words, knee, no_knee_words, spares_of
from ftlab.report.reading.fio_json import words_of as size_words
from ftlab.report.reading.latency_parts import COPIES, ERASES, HOST, MAP, slowest_parts, split, uses_of, waits_of
from ftlab.report.reading.procedure import Procedure, points_of
from ftlab.report.reading.run import Run

MOST_GROUPS, SMALL_MB = 8, 16384 / 1e6  # workloads of a procedure in its sentence; requests up to this size count in IOPS
MOST_NAMED, ALIKE = 4, 0.01  # runs that are told of, two if there are more; designs that differ less count as equal
SATURATED = 0.03  # a queue depth is enough if the best is better by at most this share
GROUPS = 300  # groups of intervals, checked by their means
LONG_TAIL = 10  # p99.9 is told of, with its cause, if it is so many times p99
SLOWEST = 0.001  # share of requests beyond p99.9
US_OF = {"µs": 1.0, "ms": 1e3, "s": 1e6}


def headline(runs: Sequence[Run], measures: Sequence[Measure], compared: bool = False) -> str:
    """HTML, "" without figures. `compared`: with a measurement, of which nothing is best."""
    first = leading(measures)
    if not runs or first is None:
        return ""
    told = [_run_words(run, n, first, measures) for n, run in enumerate(runs)]
    subject = f"{markup.text(subject_of(runs))}, {when_words(first.when, runs)}"
    cause = cause_words(runs)
    if len(runs) == 1:
        return f'<p class="answer">{subject}: {"; ".join(filter(None, (told[0], cause)))}.</p>'
    cause = f" {cause}." if cause else ""
    if not compared and spares_of(runs):
        return f'<p class="answer">{subject}: {_of_spare(runs, first, told)}.{cause}</p>'
    known = first.order()
    order = known[:MOST_NAMED if len(known) <= MOST_NAMED else 2]
    verdict = "" if len(known) < 2 or compared else _verdict(runs, first, known)
    lines = "; ".join(f"<b>{markup.text(runs[n].name)}</b> {told[n]}" for n in order)
    more = f"; {len(known) - len(order)} more in the table below" if len(known) > len(order) else ""
    without = [run.name for n, run in enumerate(runs) if n not in known]
    rest = f" Without this figure: {markup.text(', '.join(without))}." if without else ""
    return f'<p class="answer">{subject}: {verdict}{lines}{more}.{rest}{cause}</p>'


def _verdict(runs: Sequence[Run], first: Measure, known: Sequence[int]) -> str:
    """The best run, if it is steady and ahead of the next by more than the scatter."""
    best = first.best()
    if best is None:
        return _alike(runs, first, known)
    name, ahead = f"<b>{markup.text(runs[best].name)}</b>", _ahead(first, best)
    if is_steady(runs[best], first):
        return f"{name} is best{ahead}. "
    return f"no best: {name} leads{ahead}, but is <b>not steady</b>. "


def is_steady(run: Run, measure: Measure) -> bool:
    """True for a figure that is not at the end."""
    ending = ending_of(run)
    return measure.when != AT_END or ending is None or ending.steady


def _of_spare(runs: Sequence[Run], first: Measure, told: Sequence[str]) -> str:
    """For runs that differ by over-provisioning: what its steps buy and cost, and the knee, or else the first and the
    last."""
    known = [n for n, value in enumerate(first.values) if value == value]
    steady = [n for n in known if is_steady(runs[n], first)]
    lines = [f"<b>{markup.text(runs[n].name)}</b> {told[n]}" for n in known]
    if len(steady) < FEWEST or 2 * len(steady) <= len(known):
        count = f"{len(steady)} of {len(known)}"
        return f"no choice, as only {count} are steady. {lines[0]}; {lines[-1]}; all are in the table below"
    shares = [spares_of(runs)[n] for n in steady]
    gains = [first.values[n] ** (-1 if first.lower_is_better else 1) for n in steady]
    place = knee(shares, gains)
    lead = no_knee_words(shares, gains)
    if place is not None:
        lead = f"knee: {lines[known.index(steady[place])].replace('</b>', '</b>,', 1)}"
    steps = choice_words(shares, gains, f"1 / {first.name}" if first.lower_is_better else first.unit,
                         lambda one, other: first.differs(steady[other], steady[one]))
    left = markup.text(", ".join(runs[n].name for n in known if n not in steady))
    return f"{lead}. {steps}" + (f". Not steady, left out: {left}" if left else "")


def _alike(runs: Sequence[Run], first: Measure, known: Sequence[int]) -> str:
    """The runs that are as good as the best within the scatter."""
    best = [n for n in known if n == known[0] or not first.differs(n, known[0])]
    if len(best) == len(known):
        return "no difference beyond the scatter. "
    names = [f"<b>{markup.text(runs[n].name)}</b>" for n in best[:MOST_NAMED]] + ["others"] * (len(best) > MOST_NAMED)
    unsteady = "" if all(is_steady(runs[n], first) for n in best) else ", but <b>not steady</b>"
    return f"{' and '.join(names)} {'lead' if unsteady else 'are best'}, alike within the scatter{unsteady}. "


def leading(measures: Sequence[Measure]) -> Optional[Measure]:
    """Write throughput first, because it changes with age; write amplification for untimed runs."""
    names = ("Throughput, write", "Throughput, read", "Throughput, trim", WA)
    return next((measure for name in names for measure in measures if measure.name == name), None)


def subject_of(runs: Sequence[Run]) -> str:
    """Drive and job (of the last phase) if common to all runs: `A drive, randwrite 4 KiB, depth 8`."""
    words = [list(dict.fromkeys(of(run) for run in runs)) for of in (_drive_of, job_of)]
    return ", ".join(one[0] for one in words if len(one) == 1 and one[0]) or f"{len(runs)} runs"


def _drive_of(run: Run) -> str:
    drive = run.ftlab.get("drive")
    device = (run.ftlab.get("device") or {}).get("device") or {}
    return str(drive.get("name", "")).split(" (scaled to ")[0] if isinstance(drive, dict) else str(device.get("model")
                                                                                                   or run.name)


def job_of(run: Run) -> str:
    if len(run.jobs) == 0 or "rw" not in run.jobs:
        return ""
    if len(run.ftlab.get("phases") or []) < 2 and job_labels(run).nunique() > 2:
        return f"{job_labels(run).nunique()} jobs"
    rows = jobs_of_last_phase(run).to_dict("records")
    sizes = [size_words(row["bs"]) if row["bs"] == row["bs"] else "" for row in rows]
    words = [f"{row['rw']} {size}".rstrip() + f", depth {row['iodepth']:g}" for row, size in zip(rows, sizes)]
    return " and ".join(list(dict.fromkeys(words))[:2])


def settled_after(run: Run, ending: Ending, column: str) -> Optional[float]:
    """Seconds from the start of the last phase until throughput, in groups of intervals, stays near its mean at the end.
    None if it stays there only during the end."""
    if run.series is None or column not in run.series:
        return None
    begin = last_phase_from(run)
    part = run.series[run.series["t_s"] > begin]
    groups = np.array_split(np.arange(len(part)), min(GROUPS, len(part)) or 1)
    values, times = part[column].to_numpy(dtype=float), part["t_s"].to_numpy(dtype=float)
    known = [values[group][~np.isnan(values[group])] for group in groups if len(group)]
    means = [float(one.mean()) if len(one) else np.nan for one in known]
    ends = [float(times[group].max()) for group in groups if len(group)]
    level = float(np.mean([mean for mean, end in zip(means, ends) if end > ending.from_s] or [np.nan]))
    stray = [end for mean, end in zip(means, ends) if not abs(mean - level) <= BAND * level]
    after = (stray[-1] if stray else begin) - begin
    return after if after + begin <= ending.from_s else None


def _run_words(run: Run, n: int, first: Measure, measures: Sequence[Measure]) -> str:
    """`4.9 MB/s steady after 31 min, 174 fresh; WA 22`."""
    ending = ending_of(run)
    value = figure_words(first.values[n], first.unit)
    words = value
    if first.when == AT_END and ending is not None:
        direction = first.name.rpartition(" ")[2]
        column = f"{direction}_{'iops' if first.unit == 'IOPS' else 'MB_per_s'}"
        after = settled_after(run, ending, column) if ending.steady else None
        since = f" after {time_words(after)}" if after else ""
        words += f" steady{since}" if ending.steady else ", <b>not steady</b>"
        # else a problem says it
        words += f" ({markup.text(ending.why)})" if not ending.steady and not why_never_steady(run) else ""
        if n < len(first.fresh) and first.fresh[n] == first.fresh[n]:
            words += f", {figure_words(first.fresh[n], '')} {fresh_words(run)}"
    wa = next((measure for measure in measures if measure.name == WA and measure.values[n] == measure.values[n]), None)
    tail = next((measure for measure in measures if measure.name.startswith("p99,")
                 and measure.values[n] == measure.values[n]), None)
    words += f"; WA {_of_measure(wa, n, first)}" if wa is not None and wa is not first else ""
    if tail is None:
        return words
    words += f"; {tail.name.replace(', ', ' of ')}s {_of_measure(tail, n, first)}"
    slowest = next((one for one in measures if one.name == tail.name.replace("p99", "p99.9") and one.when == tail.when),
                   tail)
    longer = slowest.values[n] * US_OF[slowest.unit] > LONG_TAIL * tail.values[n] * US_OF[tail.unit]
    if not longer:
        return words
    cause = tail_words(run, SLOWEST)
    return f"{words}, p99.9 {_of_measure(slowest, n, first)}" + (f" ({cause})" if cause else "")


def _of_measure(measure: Measure, n: int, first: Measure) -> str:
    """The figure of a run; its period if it differs from that of the first figure."""
    period = f" {measure.when}" if measure.when != first.when else ""
    return figure_words(measure.values[n], measure.unit) + period


def when_words(when: str, runs: Sequence[Run]) -> str:
    """The period of figures: `at the end (last 22 min)`, `at the end (last 41 to 68 s)`, `since the beginning`."""
    endings = [ending for ending in map(ending_of, runs) if ending is not None and ending.to_s > ending.from_s]
    if when != AT_END or not endings:
        return when
    return f"{when} (last {range_words([ending.to_s - ending.from_s for ending in endings])})"


def range_words(lengths_s: Sequence[float]) -> str:
    """`22 min`, `41 to 68 s`"""
    low, high = time_words(min(lengths_s)), time_words(max(lengths_s))
    alike = low == high or low.split()[1] == high.split()[1]
    return high if low == high else f"{low.split()[0] if alike else low} to {high}"


def fresh_words(run: Run) -> str:
    """`fresh` or `at the start`; HTML."""
    period = comparable_fresh(run)
    return "" if period is None else markup.text(period.words)


def fresh_scope(runs: Sequence[Run]) -> str:
    """The length of the fresh period: `Fresh: the first 60 s.`, `Fresh or at the start: the first 10 to 11 s.`"""
    periods = [period for period in (comparable_fresh(run) for run in runs) if period is not None]
    names = dict.fromkeys(period.words for period in periods)
    name = " or ".join(sorted(names, reverse=True)).capitalize()
    return f"{name}: the first {range_words([period.to_s for period in periods])}. " if periods else ""


def time_words(seconds: float) -> str:
    """`31 min`: seconds up to 5 minutes, minutes up to 5 hours."""
    length, unit = next(((length, unit) for length, unit in TIMES if seconds <= 300 * length), TIMES[-1])
    return f"{seconds / length:.2g} {unit}" if seconds / length < 10 else f"{seconds / length:.0f} {unit}"


def ratio_words(ratio: float) -> str:
    """A ratio in words: `+12.0 %`, `20 times`, `1/3`."""
    if 0.5 < ratio < 2:
        text = f"{100 * (ratio - 1):+.1f} %".replace("-", "−")
        return "0.0 %" if text[1:] == "0.0 %" else text
    return figure_words(ratio, "times") if ratio >= 2 else f"1/{figure_words(1 / ratio, '')}" if ratio > 0 else "0"


def procedure_words(procedure: Procedure) -> str:
    """HTML: the figures of a procedure, the best of each workload: `fresh randread 81 800 IOPS (depth 64)`. "" for many."""
    points = points_of(procedure)
    groups = list(points.groupby("group", sort=False))
    if not 0 < len(groups) <= MOST_GROUPS:
        return ""
    items, most = [], {str(name): float(rows["iops"].max()) for name, rows in groups}
    for name, rows in groups:
        best = rows.loc[rows["iops"].idxmax()]
        figure = rate_words(best)
        close = rows["iops"] >= (1 - SATURATED) * best["iops"]
        enough = rows.loc[close, "iodepth"].min()
        onward = bool(close[rows["iodepth"] >= enough].all() and enough < rows["iodepth"].max())
        sizes = [f"{'from ' * onward}depth {enough:g}"] if rows["iodepth"].nunique() > 1 else []
        sizes += [size_words(best["bs"])] if rows["bs"].nunique() > 1 else []
        fresh = most.get(str(name).replace("steady", "fresh", 1),
                         float(best["iops"])) if str(name).startswith("steady") else 0.0
        share = best["iops"] / fresh if fresh else 1.0
        sizes += [f"{100 * share:.0f} % of fresh"] if abs(share - 1) > DIFFERENT else []
        items.append(f"{markup.text(str(name).replace(', ', ' '))} <b>{figure}</b>" +
                     (f" ({', '.join(sizes)})" if sizes else ""))
    return f'<p class="answer">{procedure_subject(procedure)}: {", ".join(items)}.</p>'


def procedure_subject(procedure: Procedure) -> str:
    """HTML: the drive and the name of the procedure."""
    drive = procedure.ftlab.get("drive")
    subject = str(drive.get("name", "")) if isinstance(drive, dict) else procedure.name
    return f'{markup.text(subject)}, {markup.text(str(procedure.document.get("procedure", "")))}'


def rate_words(row: pd.Series) -> str:
    """IOPS of small requests, MB/s of large ones."""
    small = row["MB_per_s"] <= SMALL_MB * row["iops"]
    return figure_words(float(row["iops" if small else "MB_per_s"]), "IOPS" if small else "MB/s")


def best_depth(rows: pd.DataFrame) -> pd.Series:
    """The least depth that is as fast as the fastest, within SATURATED."""
    close = rows[rows["iops"] >= (1 - SATURATED) * rows["iops"].max()]
    return close.loc[close["iodepth"].fillna(0).idxmin()]


def _ahead(first: Measure, best: int) -> str:
    second = next((n for n in first.order() if n != best and first.values[n]), None)
    if second is None:
        return ""
    unsure = ", scatter unknown" if first.both_scatter(second, best) is None else ""
    return f" ({ratio_words(first.values[best] / first.values[second])} against the next{unsure})"


def figure_words(value: float, unit: str) -> str:
    text = f"{value:,.3g}" if 0 < abs(value) < 999.5 else f"{value:,.0f}"
    return f"{text} {unit}".rstrip() if value == value else "–"


# The main cause of latency in a few words, from the figures of "Where requests spend their time".

WORDS = {f"buffer wait: {COPIES}": "waiting for garbage collection copies",
         f"buffer wait: {HOST}": "waiting for flash programs of host data",
         f"buffer wait: {MAP}": "waiting for map writes", f"buffer wait: {ERASES}": "waiting for erases",
         "buffer_wait": "waiting for buffer space", "die": "flash operations of the requests",
         "die_wait": "waiting for busy dies", "link": "transfer over the link",
         "link_wait": "waiting for the link", "queue_wait": "waiting in the queue",
         "channel": "transfer over the channels", "controller": "work of the controller", "mapping": "map reads"}


def cause_words(runs: Sequence[Run]) -> str:
    """HTML: `74 % of write latency is waiting for garbage collection copies, over the whole run`; of several runs the range,
    if all have the same main cause. "" if they differ or a run has no such figures."""
    causes = [main_cause(run) for run in runs]
    names = {None if cause is None else cause[0] for cause in causes}
    if len(names) != 1 or None in names:
        return ""
    shares = [100 * share for _, share in filter(None, causes)]
    low, high = f"{min(shares):.0f}", f"{max(shares):.0f}"
    told = f"{low if low == high else f'{low} to {high}'}\u00a0%"
    written = all(set(run.jobs["direction"]) - {"trim"} == {"write"} for run in runs)
    return f"{told} of {'write ' * written}latency is {_words(next(iter(names)) or '')}, over the whole run"


def tail_words(run: Run, share: float) -> str:
    """HTML: `the slowest 0.1 % spend 95 % waiting for map writes`, over the whole run; "" without parts by latency."""
    cause = main_cause(run, share) if run.ftlab.get("latency_parts_by_latency") else None
    if cause is None:
        return ""
    return f"the slowest {100 * share:g}\u00a0% spend {100 * cause[1]:.0f}\u00a0% of it on {_words(cause[0])}"


def _words(name: str) -> str:
    return markup.text(WORDS.get(name, name.replace("buffer wait: ", "waiting for ").replace("_", " ")))


def main_cause(run: Run, share: float = 1.0) -> Optional[Tuple[str, float]]:
    """The part with the largest share of the latency of the slowest `share` of requests, buffer wait split by what the dies
    did; None if the result has no parts."""
    ranges, parts = run.ftlab.get("latency_parts_by_latency"), run.ftlab.get("latency_parts_ns") or {}
    sums = slowest_parts(ranges, share)[1] if ranges else {name: float(ns) for name, ns in parts.items()}
    waits = waits_of(run)
    sums = split(sums, (slowest_parts(waits, share)[1] if waits else {}) or uses_of(run))
    if not any(sums.values()) or "direction" not in run.jobs:
        return None
    name = max(sums, key=lambda one: sums[one])
    return name, sums[name] / sum(sums.values())
