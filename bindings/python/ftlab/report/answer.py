"""The top of a report: how the runs differ, and the effect of the differences."""

from __future__ import annotations

import html
import itertools
import json
from typing import Any, Iterator, List, Mapping, Optional, Sequence, Tuple

import pandas as pd

from ftlab.report import markup
from ftlab.report.digits import figure_texts
from ftlab.report.ending import Ending, ending_of
from ftlab.report.measures import AT_END, Measure, measures_of
from ftlab.report.reading.run import Run

MOST_SHOWN = 8  # keys shown before the rest is folded
SAME = 1e-9  # as a share: limit of the arithmetic of batches
EVERY = ("seed", "version", "clock", "kind", "host")  # keys of `ftlab` that are compared
HOW = (
    "Two runs whose intervals in series.csv end at the same times are compared interval by interval, so drift common to both"
    " does not count. The differences are averaged in 10 batches of neighbours (up to 20 for long runs). Student's t over the"
    " differences between consecutive batches gives the 95 % interval of the mean difference, as a share of the first run's"
    " mean; a larger difference is beyond the scatter. Runs with other intervals are compared with both runs' own intervals"
    " combined (root of the sum of squares), each computed from the batches of that run. The ± of a figure is the interval of"
    " its own run; for the end of a run it is that of result.json if the result has one. For a percentile the intervals'"
    " percentiles are averaged, and one bin of the histograms (1 in 64) is not a difference. With fewer than five intervals"
    " the scatter is not known.")


def in_short(runs: Sequence[Run], hues: Mapping[str, int]) -> str:
    """Returns HTML. The other runs are compared with the first."""
    lead = "" if len(runs) == 1 else (
        f'<p class="lead">Differences are to <b>{markup.text(runs[0].name)}</b>. Bold: beyond the scatter.</p>')
    scope = _scope_words(runs)
    endings = [ending_of(run) for run in runs]
    quantities = itertools.groupby(measures_of(runs), lambda measure: measure.name)
    cards = "".join(_card(list(measures), runs, endings, hues) for _, measures in quantities)
    shown = f'<div class="cards">{cards}</div>' if cards else ""
    how = markup.details("How the scatter is computed", f"<p>{HOW}</p>")
    return _differences(runs) + lead + f'<p class="small">{markup.text(scope)}</p>' + shown + how


def differences(runs: Sequence[Run]) -> "List[Tuple[str, List[str]]]":
    """The keys of drive, state, job and host whose values differ: (key, a text per run)."""
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


def _differences(runs: Sequence[Run]) -> str:
    if len(runs) < 2:
        return ""
    rows = differences(runs)
    if not rows:
        return ('<p class="lead">The runs have the same drive, state, job and seed: nothing in the results'
                ' differs.</p>')
    names = [run.name for run in runs]
    rows = sorted(rows, key=lambda row: row[0].startswith("drive: nand") or row[0].startswith("drive: geometry"))
    shown = _table(rows[:MOST_SHOWN], names)
    rest = rows[MOST_SHOWN:]
    more = markup.details(f"{len(rest)} more keys differ", _table(rest, names)) if rest else ""
    return f'<div class="differs"><h3>What differs</h3>{shown}{more}</div>'


def _table(rows: "Sequence[Tuple[str, List[str]]]", names: Sequence[str]) -> str:
    return markup.table(pd.DataFrame([[key, *values] for key, values in rows], columns=["key", *names]), most=len(rows))


def _scope_words(runs: Sequence[Run]) -> str:
    words = {run.name: measures_scope(run) for run in runs}
    alike = len(set(words.values())) == 1
    scope = next(iter(words.values())) if alike else "; ".join(f"{name}: {word}" for name, word in words.items())
    return f"Since the beginning: the mean over {scope}. MB are 10⁶ bytes."


def measures_scope(run: Run) -> str:
    phases = run.ftlab.get("phases") or []
    if len(phases) > 1:
        return f"the last of {len(phases)} phases, {phases[-1]['name']} (the others are in the table of jobs)"
    return "the whole run"


def _card(measures: Sequence[Measure], runs: Sequence[Run], endings: Sequence[Optional[Ending]], hues: Mapping[str, int]) -> str:
    """A card for one quantity: per run its first figure in large print, the others small."""
    first = measures[0]
    unit = f" ({first.unit})" if first.unit else ""
    texts = [figure_texts(measure.values) for measure in measures]
    rows = ""
    for n, run in enumerate(runs):
        if any(text[n] for text in texts):
            rows += _name(run, hues) if len(runs) > 1 else ""
            state = _state(run, endings[n] if first.when == AT_END else None)
            rows += "".join(_line(measure, n, text[n], state if measure is first else None)
                            for measure, text in zip(measures, texts))
    return f'<div class="card"><h3>{markup.text(first.title + unit)}</h3>{rows}</div>'


def _name(run: Run, hues: Mapping[str, int]) -> str:
    swatch = f'<span class="swatch" style="background: var(--hue{hues[run.name] % 8})"></span>'
    return f'<p class="of">{swatch}{markup.text(run.name)}</p>'


def _line(measure: Measure, n: int, shown: str, state: "str | None") -> str:
    """`state`: for the large figure only."""
    when = "" if state is not None else f"<span>{measure.when}</span> "
    kind = "mean" if state is None else "value"
    own = measure.figures[n].scatter
    interval = f" <span>± {_percent(own)}</span>" if own == own else ""
    value = f"<b>{html.escape(shown or '–')}</b>{interval}"
    return f'<p class="{kind}">{when}{value} <span>{_verdict(measure, n)}</span>{state or ""}</p>'


def _state(run: Run, ending: Optional[Ending]) -> str:
    """Facts to be shown next to the figure: its steadiness, and the problems of the run."""
    codes = [problem.code for problem in run.problems if problem.code != "not_steady"]
    bad = "" if ending is None or ending.steady else ' class="bad"'
    steady = f" <span{bad}>{ending.words}</span>" if ending is not None else ""
    return steady + "".join(f' <a class="bad" href="#problems">{markup.text(code)}</a>' for code in dict.fromkeys(codes))


def _verdict(measure: Measure, n: int) -> str:
    """For runs other than the first: the difference, and whether it is beyond the scatter."""
    difference = measure.difference(n) if n > 0 else None
    if difference is None:
        return ""
    text = f"{100 * difference:+.1f} %".replace("-", "−")
    text = text[1:] if text[1:] == "0.0 %" else text
    both = measure.both_scatter(n)
    if both is None:
        return f"{text}, scatter not known"
    if abs(difference) > both + SAME:
        return f'<span class="beyond">{text}</span>, beyond ± {_percent(both)}'
    return f"{text}, within ± {_percent(both)}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.095 else f"{100 * share:.1f} %"
