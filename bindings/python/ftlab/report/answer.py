"""The top of a report: differences in settings between runs, and their effect on the figures."""

from __future__ import annotations

import html
import itertools
import json
from typing import Any, Iterator, List, Mapping, Optional, Sequence, Tuple

import pandas as pd

from ftlab.report import markup
from ftlab.report.digits import figure_texts
from ftlab.report.ending import Ending, ending_of
from ftlab.report.headline import headline, is_fresh, ratio_words
from ftlab.report.measures import AT_END, SAME, Measure, measures_of
from ftlab.report.real_drive import factor_of, level_words
from ftlab.report.reading.run import Run

MOST_SHOWN = 8  # keys shown; the rest are collapsed
MOST_IN_CARDS = 4  # runs; more are rows of a table
LEAST = 0.0005  # half-width as a share; smaller ones would read 0.0 %
EVERY = ("seed", "version", "clock", "kind", "host")  # keys of `ftlab`
HOW = (
    "Figures at the end cover the period that result.json names (else the longest tail without drift, else the last tenth)."
    " A percentile at the end is the mean over the intervals, weighted by requests. ± is the 95 % interval of the mean. Two"
    " runs whose intervals in series.csv end at the same times are compared interval by interval, so common drift cancels:"
    " the differences are averaged in 10 batches of neighbours (up to 20 for long runs), and Student's t over the changes"
    " between batches gives the 95 % interval of the mean difference. Otherwise the 95 % intervals of both runs are combined"
    " (root of the sum of squares). Latencies that differ by one histogram bin (1/64) count as equal. The scatter is unknown"
    " with fewer than five intervals. ×/÷: a real drive's figure lies between the simulated one divided and multiplied by this"
    " (ftlab run --interval says how often). Fresh: median of the first intervals (one in fifty, at most five).")


def in_short(runs: Sequence[Run], hues: Mapping[str, int], fold: bool = False) -> "Tuple[str, str]":
    """HTML before and after the first picture. The other runs are compared with the first one. `fold`: of simulated and
    measured runs: collapse the table of keys that differ, mark no best."""
    measures = measures_of(runs)
    endings = [ending_of(run) for run in runs]
    cards = [next(group) for _, group in itertools.groupby(measures, lambda measure: measure.name)]
    shown = "".join(_card(measure, runs, endings, hues, None if fold else measure.best()) for measure in cards)
    shown = f'<div class="cards">{shown}</div>' if shown and len(runs) <= MOST_IN_CARDS else _in_rows(cards, runs, endings, hues)
    several = "" if len(runs) == 1 else (
        f'<p class="small">Differences are from <b>{markup.text(runs[0].name)}</b>. Bold: above the scatter.</p>')
    how = markup.details("How these figures are computed", f"<p>{HOW}</p>")
    scope = f'<p class="small">{markup.text(_scope_words(runs))}</p>'
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
        for key, value in _flat("", drive):
            yield f"drive: {key}", value
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


def _flat(front: str, value: Any) -> Iterator[Tuple[str, str]]:
    if isinstance(value, dict) and "value" in value and "from" in value:
        yield front, json.dumps(value["value"])
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(f"{front}.{key}" if front else str(key), inner)
    else:
        yield front, value if isinstance(value, str) else json.dumps(value)


def _differences(runs: Sequence[Run], fold: bool) -> str:
    if len(runs) < 2:
        return ""
    rows = differences(runs)
    if not rows:
        return '<p class="lead">No setting differs: the runs have the same drive, state, job and seed.</p>'
    names = [run.name for run in runs]
    rows = sorted(rows, key=lambda row: row[0].startswith("drive: nand") or row[0].startswith("drive: geometry"))
    if fold:
        return markup.details(f"Keys that differ: {len(rows)}", _table(rows, names))
    shown, rest = _table(rows[:MOST_SHOWN], names), rows[MOST_SHOWN:]
    more = markup.details(f"{len(rest)} more keys differ", _table(rest, names)) if rest else ""
    return f'<div class="differs"><h3>Settings that differ</h3>{shown}{more}</div>'


def _table(rows: "Sequence[Tuple[str, List[str]]]", names: Sequence[str]) -> str:
    return markup.table(pd.DataFrame([[key, *values] for key, values in rows], columns=["key", *names]), most=len(rows))


def _scope_words(runs: Sequence[Run]) -> str:
    words = {run.name: measures_scope(run) for run in runs}
    alike = set(words.values())
    scope = next(iter(alike)) if len(alike) == 1 else "; ".join(f"{name}: {word or 'the whole run'}" for name, word in words.items())
    return (f"Figures cover {scope}. " if scope else "") + "Those without a period are at the end of the run. MB are 10⁶ bytes."


def measures_scope(run: Run) -> str:
    phases = run.ftlab.get("phases") or []
    if len(phases) > 1:
        return f"the last of {len(phases)} phases, {phases[-1]['name']} (see the job table for the others)"
    return ""


def _card(measure: Measure, runs: Sequence[Run], endings: Sequence[Optional[Ending]], hues: Mapping[str, int],
          best: Optional[int]) -> str:
    """One quantity: each run's figure, its figure at the start, and its difference from the first run."""
    unit = f" ({measure.unit})" if measure.unit else ""
    texts, fresh = figure_texts(measure.values), figure_texts(measure.fresh)
    rows = ""
    for n, run in enumerate(runs):
        if texts[n]:
            rows += _name(run, hues, n == best) if len(runs) > 1 else ""
            own = measure.figures[n].scatter
            interval = f" <span>± {_percent(own)}</span>" if own >= LEAST and measure.when == AT_END else ""
            began = f" <span>{fresh[n]} {'fresh' if is_fresh(run) else 'at the start'}</span>" if fresh[n] else ""
            state = _state(run, endings[n] if measure.when == AT_END else None)
            real = _real_drive(measure, n, runs)
            rows += f'<p class="value"><b>{html.escape(texts[n])}</b>{interval}{real}{state}{began} {_verdict(measure, n)}</p>'
    title = measure.name if measure.when == AT_END else measure.title
    return f'<div class="card"><h3>{markup.text(title + unit)}</h3>{rows}</div>'


def _in_rows(measures: Sequence[Measure], runs: Sequence[Run], endings: Sequence[Optional[Ending]], hues: Mapping[str, int]) -> str:
    """A table with a row for each of many runs and a column for each quantity; the best are marked."""
    titles = [(measure.name if measure.when == AT_END else measure.title) + (f" ({measure.unit})" if measure.unit else "")
              for measure in measures]
    head = "".join(f'<th scope="col" class="n">{markup.text(title)}</th>' for title in titles)
    columns = [(title, figure_texts(measure.values), measure.best()) for title, measure in zip(titles, measures)]
    rows = ""
    for n, run in enumerate(runs):
        cells = "".join(f'<td class="n" data-head="{markup.text(title)}">{f"<b>{texts[n]} best</b>" if n == best else texts[n]}</td>'
                        for title, texts, best in columns)
        swatch = f'<span class="swatch" style="background: var(--hue{hues[run.name] % 8})"></span>'
        rows += f'<tr><th scope="row">{swatch}{markup.text(run.name)}</th><td class="s">{_state(run, endings[n])}</td>{cells}</tr>'
    return (f'<div class="wide" tabindex="0"><table class="stack figures"><thead><tr><td></td><td></td>{head}</tr></thead>'
            f"<tbody>{rows}</tbody></table></div>") if measures else ""


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
    swatch = f'<span class="swatch" style="background: var(--hue{hues[run.name] % 8})"></span>'
    return f'<p class="of">{swatch}{markup.text(run.name)}{" <em>best</em>" if best else ""}</p>'


def _state(run: Run, ending: Optional[Ending]) -> str:
    """Shown next to the figure: whether it is steady, and the problems of the run."""
    codes = [problem.code for problem in run.problems if problem.code != "not_steady"]
    bad = "" if ending is None or ending.steady else ' class="bad"'
    steady = f" <span{bad}>{ending.words}</span>" if ending is not None else ""
    return steady + "".join(f' <a class="bad" href="#problems">{markup.text(code)}</a>' for code in dict.fromkeys(codes))


def _verdict(measure: Measure, n: int) -> str:
    """Difference from the first run, "" for that run; bold if a figure at the end differs by more than the scatter."""
    difference = measure.difference(n) if n > 0 else None
    if difference is None:
        return ""
    text = ratio_words(1 + difference)
    both = measure.both_scatter(n)
    if measure.when != AT_END or both is None:
        return f"<span>{text}</span>"
    if abs(difference) > both + SAME:
        return f'<span class="beyond">{text}</span> <span>± {_percent(both)}</span>'
    return f"<span>{text}, within the scatter of ± {_percent(both)}</span>"


def _percent(share: float) -> str:
    return f"{100 * share:.0f}\u00a0%" if share >= 0.095 else f"{100 * share:.1f}\u00a0%"
