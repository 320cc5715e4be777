"""The top of a report: differences in settings between runs, and their effect on the figures."""

from __future__ import annotations

import html
import itertools
import json
from typing import Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

import numpy as np
import pandas as pd

from ftlab.report import markup
from ftlab.report.digits import figure_texts
from ftlab.report.ending import Ending, ending_of
from ftlab.report.picture import latency_unit
from ftlab.report.head import flat
from ftlab.report.headline import US_OF, fresh_scope, fresh_words, headline, is_steady, leading, ratio_words, when_words
from ftlab.report.measures import AT_END, DIFFERENT, NAN, SAME, Measure, measures_of
from ftlab.report.price import spares_of, step_words
from ftlab.report.agreement import factor_of, level_words
from ftlab.report.reading.run import Run

MOST_SHOWN = 8  # keys shown; the rest are collapsed
MOST_IN_CARDS = 4  # runs; more are rows of a table
DIGITS, SECTOR_BYTES = 3, 512  # significant digits of the table's figures
FAR_BELOW = 100  # a fresh latency below this part of the one at the end has a unit of its own
LEAST = 0.0005  # half-width as a share; smaller ones would read 0.0 %
EVERY = ("seed", "version", "clock", "kind", "host")  # keys of `ftlab`
HOW = (
    "Figures at the end cover the period that result.json names (else the longest tail without drift, else the last tenth). "
    "A percentile at the end is the mean over the intervals, weighted by requests. ± is the 95 % interval of the mean. Two "
    "runs whose intervals in series.csv end at the same times are compared interval by interval, so common drift cancels: "
    "the differences are averaged in 10 batches of neighbours (up to 20 for long runs), and Student's t over the changes "
    "between batches gives the 95 % interval of the mean difference. Otherwise the 95 % intervals of both runs are combined "
    "(root of the sum of squares). Latencies that differ by one histogram bin (1/64) count as equal. The scatter is unknown "
    "with fewer than five intervals. ×/÷: a real drive's figure lies between the simulated one divided and multiplied by "
    "this (ftlab run --interval says how often). Fresh: mean from the start of the run until throughput first differs by "
    "more than 15 % from its first level (median of the first five intervals, of fewer if these write more than a twentieth "
    "of the capacity), at most until the host has written the capacity once; at the start: the same of a drive that had "
    "been written before. Knee: the steady design with the largest product of figure and capacity (1 / (1 + OP) of the "
    "flash): a step up to it buys more per cent than it costs, a step beyond it less, whatever range was tried.")


def in_short(runs: Sequence[Run], hues: Mapping[str, int], fold: bool = False) -> "Tuple[str, str]":
    """HTML before and after the first picture. The other runs are compared with the first one. `fold`: of simulated and
    measured runs: collapse the table of keys that differ, mark no best."""
    measures = measures_of(runs)
    endings = [ending_of(run) for run in runs]
    groups = [list(group) for _, group in itertools.groupby(measures, lambda measure: measure.name)]
    cards = [group[0] for group in groups]
    best = [None if fold else _best(measure, runs) for measure in cards]
    shown = "".join(_card(group, runs, endings, hues, n, fold) for group, n in zip(groups, best))
    shown = (f'<div class="cards">{shown}</div>' if shown and len(runs) <= MOST_IN_CARDS else
             _in_rows(cards, runs, endings, hues, best))
    of = f"of <b>{markup.text(runs[0].name)}</b> from each" if fold else f"from <b>{markup.text(runs[0].name)}</b>"
    several = "" if len(runs) == 1 else f'<p class="small">Differences are {of}. Bold: above the scatter.</p>'
    how = markup.details("How these figures are computed", f"<p>{HOW}</p>")
    scope = f'<p class="small">{markup.text(_scope_words(runs, measures))}</p>'
    after = (several if len(runs) <= MOST_IN_CARDS else "") + shown + scope + _differences(runs, fold) + how
    return headline(runs, measures, fold), after


def differences(runs: Sequence[Run]) -> "List[Tuple[str, List[str]]]":
    """The keys of drive, state, job and host whose values differ: (key, values by run)."""
    told = [dict(_keys(run)) for run in runs]
    keys = list(dict.fromkeys(key for one in told for key in one))
    rows = [(key, [one.get(key, "–") for one in told]) for key in keys]
    return [(key, values) for key, values in rows if len(set(values)) > 1]


def _keys(run: Run) -> Iterator[Tuple[str, str]]:
    drive = run.ftlab.get("drive")
    if isinstance(drive, dict):
        for key, value, _ in flat(drive):
            yield f"drive: {key}", value if isinstance(value, str) else json.dumps(value)
    device = (run.ftlab.get("device") or {}).get("device") or {}
    for key in ("model", "kind", "size_bytes"):
        if key in device:
            yield f"device: {key}", str(device[key])
    before = run.ftlab.get("before") or {}
    for key, value in before.items():
        yield f"state before: {key.replace('_', ' ')}", f"{value:,}".replace(",", "\u2009")
    for key, value in run.options.items():
        yield f"job: {key}", value
    for key in EVERY:
        if isinstance(run.ftlab.get(key), (str, int, float)):
            yield key, str(run.ftlab[key])


def _differences(runs: Sequence[Run], fold: bool) -> str:
    if len(runs) < 2:
        return ""
    rows = [row for row in map(_readable, differences(runs)) if len(set(row[1])) > 1]
    if not rows:
        return '<p class="lead">No setting differs: the runs have the same drive, state, job and seed.</p>'
    names = [run.name for run in runs]
    rows = sorted(rows, key=lambda row: row[0].startswith("drive: nand") or row[0].startswith("drive: geometry"))
    if fold:
        return markup.details(f"Keys that differ: {len(rows)}", _table(rows, names))
    shown, rest = _table(rows[:MOST_SHOWN], names), rows[MOST_SHOWN:]
    more = markup.details(f"{len(rest)} more keys differ", _table(rest, names)) if rest else ""
    return f'<div class="differs"><h3>Settings that differ</h3>{shown}{more}</div>'


def _readable(row: "Tuple[str, List[str]]") -> "Tuple[str, List[str]]":
    """Capacity in GB, and the name of a drive without the size that it was scaled to."""
    key, values = row
    if key == "drive: user_sectors" and all(value.isdigit() for value in values):
        return "drive: user_sectors (GB)", figure_texts([int(value) * SECTOR_BYTES / 1e9 for value in values])
    return key, [value.partition(" (scaled to ")[0] for value in values] if key == "drive: name" else values


def _table(rows: "Sequence[Tuple[str, List[str]]]", names: Sequence[str]) -> str:
    frame = pd.DataFrame([[key, *values] for key, values in rows], columns=["key", *names])
    return markup.table(frame, most=len(rows), matrix=len(names) > MOST_IN_CARDS)


def _scope_words(runs: Sequence[Run], measures: Sequence[Measure]) -> str:
    words = {run.name: measures_scope(run) for run in runs}
    alike = set(words.values())
    scope = next(iter(alike)) if len(alike) == 1 else "; ".join(f"{name}: {word or 'the whole run'}"
                                                                for name, word in words.items())
    period = when_words(AT_END, runs).partition("(")[2].rstrip(")")
    at_end = f"At the end: the {period}. Since the beginning: the whole {'phase' if scope else 'run'}. " if period else ""
    fresh = fresh_scope(runs) if any(value == value for measure in measures for value in measure.fresh) else ""
    return (f"Figures cover {scope}. " if scope else "") + at_end + fresh + "MB are 10⁶ bytes."


def measures_scope(run: Run) -> str:
    phases = run.ftlab.get("phases") or []
    if len(phases) > 1:
        return f"the last of {len(phases)} phases, {phases[-1]['name']} (see the job table for the others)"
    return ""


def _card(group: Sequence[Measure], runs: Sequence[Run], endings: Sequence[Optional[Ending]], hues: Mapping[str, int],
          best: Optional[int], fold: bool) -> str:
    """One quantity: each run's figure at the end, those at the start and since the beginning if they differ, and its
    difference from the first run."""
    measure, whole = group[0], group[1] if len(group) > 1 else None
    unit = f" ({measure.unit})" if measure.unit else ""
    texts, fresh = figure_texts(measure.values), _fresh_texts(measure)
    rows = ""
    for n, run in enumerate(runs):
        if texts[n]:
            rows += _name(run, hues, n == best) if len(runs) > 1 else ""
            own = measure.figures[n].scatter
            interval = f" <span>± {_percent(own)}</span>" if own >= LEAST and measure.when == AT_END else ""
            began = f" <span>{fresh[n]} {fresh_words(run)}</span>" if fresh[n] else ""
            began += _since_beginning(measure, whole, n)
            state = _state(run, endings[n] if measure.when == AT_END else None)
            real = _real_drive(measure, n, runs)
            shown = f"<b>{html.escape(texts[n])}</b>{interval}{real}{state}{began} {_verdict(measure, n, fold)}"
            rows += f'<p class="value">{shown}</p>'
    return f'<div class="card"><h3>{markup.text(f"{measure.title}{unit}")}</h3>{rows}</div>'


def _fresh_texts(measure: Measure) -> List[str]:
    """The figures when fresh; a latency far below those at the end in its own unit: `5.997 ms`."""
    texts = figure_texts(measure.fresh)
    for n, (value, end) in enumerate(zip(measure.fresh, measure.values)):
        if measure.unit in US_OF and value < end / FAR_BELOW:
            us, unit = latency_unit([np.array([value * US_OF[measure.unit]])])
            texts[n] = f"{figure_texts([value * US_OF[measure.unit] / us])[0]} {unit}"
    return texts


def _since_beginning(measure: Measure, whole: Optional[Measure], n: int) -> str:
    """The figure since the beginning, if it differs as much as one at the start that is shown."""
    value = NAN if whole is None else whole.values[n]
    if whole is None or not abs(value - measure.values[n]) > DIFFERENT * measure.values[n]:
        return ""
    return f" <span>{figure_texts([value])[0]} {whole.when}</span>"


def _best(measure: Measure, runs: Sequence[Run]) -> Optional[int]:
    """The run to mark. None if it is not steady, or if over-provisioning is what differs: more of it is not better."""
    best = measure.best()
    return None if best is None or spares_of(runs) or not is_steady(runs[best], measure) else best


def _in_rows(measures: Sequence[Measure], runs: Sequence[Run], endings: Sequence[Optional[Ending]], hues: Mapping[str, int],
             best: Sequence[Optional[int]]) -> str:
    """A table with a row for each of many runs and a column for each quantity, below its period; the best are marked."""
    if not measures:
        return ""
    columns = [(measure.name + (f" ({measure.unit})" if measure.unit else ""), figure_texts(measure.values, DIGITS), n)
               for measure, n in zip(measures, best)]
    prices = _prices(runs, leading(measures) or measures[0])
    above = "".join(f'<th scope="colgroup" class="n" colspan="{len(list(group))}">{markup.text(when_words(when, runs))}</th>'
                    for when, group in itertools.groupby(measures, lambda measure: measure.when))
    titles = [*prices, *(title for title, _, _ in columns)]
    head = "".join(f'<th scope="col" class="n">{markup.text(title)}</th>' for title in titles)
    rows = ""
    for n, run in enumerate(runs):
        cells = "".join(f'<td class="n">{markup.text(texts[n])}</td>' for texts in prices.values())
        cells += "".join(f'<td class="n">{f"<b>{texts[n]} best</b>" if n == marked else texts[n]}</td>'
                         for _, texts, marked in columns)
        rows += (f'<tr><th scope="row">{markup.swatch(hues[run.name])}{markup.text(run.name)}</th>'
                 f'<td class="s">{_state(run, endings[n])}</td>{cells}</tr>')
    empty = f'<td colspan="{len(prices)}"></td>' if prices else ""
    return (f'<div class="wide" tabindex="0"><table class="matrix figures"><thead><tr><td></td><td></td>{empty}{above}</tr>'
            f"<tr><td></td><td></td>{head}</tr></thead><tbody>{rows}</tbody></table></div>")


def _prices(runs: Sequence[Run], first: Measure) -> Dict[str, List[str]]:
    """Columns for runs that differ by over-provisioning: the user's capacity, and what each step buys and costs."""
    shares = spares_of(runs)
    if not shares:
        return {}
    gains = [value ** (-1 if first.lower_is_better else 1) if value == value else NAN for value in first.values]
    figure = f"1 / {first.name}" if first.lower_is_better else first.unit
    known = [n for n in range(len(runs)) if is_steady(runs[n], first) and gains[n] == gains[n]]

    def step(n: int) -> str:
        words = step_words(shares, gains, n, figure, lambda one, other: first.differs(other, one))
        return words.replace(" capacity", "").replace(f" {figure}", "")
    steps = [step(n) if n in known and n - 1 in known else "" for n in range(len(runs))]
    bytes_of_user = [float(run.ftlab["over_provisioning"].get("user_bytes", NAN)) / 1e9 for run in runs]
    return {"user GB": figure_texts(bytes_of_user, DIGITS), f"step: {figure}, capacity": steps}


def _real_drive(measure: Measure, n: int, runs: Sequence[Run]) -> str:
    """`×/÷ 1.33` beside a figure with an interval; whether a measured figure lies in that of the first run."""
    factor, level = factor_of(runs[n], measure.name), level_words(runs[n])
    if factor == factor:
        return f' <span title="bounds of a real drive, {level} of cases">×/÷ {factor:.3g}</span>'
    first, ratio = factor_of(runs[0], measure.name), measure.difference(n)
    if not runs[n].measured or first != first or ratio is None:
        return ""
    if 1 / first <= 1 + ratio <= first:
        return f" <span>in the {level_words(runs[0])} interval</span>"
    return f' <span class="bad">outside the {level_words(runs[0])} interval</span>'


def _name(run: Run, hues: Mapping[str, int], best: bool) -> str:
    return f'<p class="of">{markup.swatch(hues[run.name])}{markup.text(run.name)}{" <em>best</em>" if best else ""}</p>'


def _state(run: Run, ending: Optional[Ending]) -> str:
    """Shown next to the figure: whether it is steady, and the problems of the run."""
    codes = [problem.code for problem in run.problems if problem.code != "not_steady"]
    bad = "" if ending is None or ending.steady else ' class="bad"'
    steady = f" <span{bad}>{ending.words}</span>" if ending is not None else ""
    return steady + "".join(f' <a class="bad" href="#problems">{markup.text(code)}</a>' for code in dict.fromkeys(codes))


def _verdict(measure: Measure, n: int, fold: bool) -> str:
    """Difference from the first run, "" for that run; bold if a figure at the end differs by more than the scatter. `fold`:
    of the first run, a simulation, from this one."""
    one, other = (0, n) if fold else (n, 0)
    difference = measure.difference(one, other) if n > 0 else None
    if difference is None:
        return ""
    text = ratio_words(1 + difference)
    both = measure.both_scatter(one, other)
    if measure.when != AT_END or both is None:
        return f"<span>{text}</span>"
    if abs(difference) > both + SAME:
        return f'<span class="beyond">{text}</span> <span>± {_percent(both)}</span>'
    return f"<span>{text}, within the scatter of ± {_percent(both)}</span>"


def _percent(share: float) -> str:
    return f"{100 * share:.0f}\u00a0%" if share >= 0.095 else f"{100 * share:.1f}\u00a0%"
