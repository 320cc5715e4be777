"""The first screen of a report: what differs between the runs, and what the difference made."""

from __future__ import annotations

import html
import json
from typing import Any, Iterator, List, Mapping, Sequence, Tuple

import pandas as pd

from ftlab.report import markup
from ftlab.report.digits import figure_texts
from ftlab.report.measures import Measure, measures_of
from ftlab.report.reading.run import Run

MOST_SHOWN = 8  # differences that are not folded away
SAME = 1e-9  # as a share: the arithmetic of batches is no finer
EVERY = ("seed", "version", "clock", "kind", "host")  # of the key `ftlab`
HOW = (
    "The whole intervals of series.csv in the stretch that is compared are divided into ten batches of neighbours; Student's"
    " t gives the 95 % interval of the mean of the batches, as a share of it. Of a percentile the intervals' own percentiles"
    " are averaged. A difference is beyond the scatter when it is larger than both runs' intervals together (the root of the"
    " sum of their squares; of percentiles one bin of the histograms more, 1 in 64). Where a run has fewer than five"
    " intervals its scatter is not known.")


def in_short(runs: Sequence[Run], hues: Mapping[str, int]) -> str:
    """HTML. The first run is what the others are held against."""
    lead = "" if len(runs) == 1 else (
        f'<p class="lead">Differences are to <b>{markup.text(runs[0].name)}</b>. Bold: beyond the runs\' own scatter.</p>')
    scope = _scope_words(runs)
    cards = "".join(_card(measure, runs, hues) for measure in measures_of(runs))
    shown = f'<div class="cards">{cards}</div>' if cards else ""
    how = markup.details("How the scatter is computed", f"<p>{HOW}</p>")
    return _differences(runs) + lead + f'<p class="small">{markup.text(scope)}</p>' + shown + how


def differences(runs: Sequence[Run]) -> "List[Tuple[str, List[str]]]":
    """What keys of drive, state, job and host say where they do not agree: (key, a text for each run)."""
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
        return ('<p class="lead">The runs have the same drive, state, job and seed: nothing that the results tell of'
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
    if len(set(words.values())) == 1:
        return f"Of {next(iter(words.values()))}. MB are 10⁶ bytes."
    return "Of " + "; ".join(f"{name}: {word}" for name, word in words.items()) + ". MB are 10⁶ bytes."


def measures_scope(run: Run) -> str:
    phases = run.ftlab.get("phases") or []
    if len(phases) > 1:
        return f"the last of {len(phases)} phases, {phases[-1]['name']} (the others are in the table of jobs)"
    return "the whole run"


def _card(measure: Measure, runs: Sequence[Run], hues: Mapping[str, int]) -> str:
    shown = figure_texts(measure.values)
    unit = f" ({measure.unit})" if measure.unit else ""
    rows = "".join(_row(measure, runs, n, shown[n], hues) for n in range(len(runs)) if shown[n])
    return f'<div class="card"><h3>{markup.text(measure.name + unit)}</h3>{rows}</div>'


def _row(measure: Measure, runs: Sequence[Run], n: int, shown: str, hues: Mapping[str, int]) -> str:
    swatch = f'<span class="swatch" style="background: var(--hue{hues[runs[n].name] % 8})"></span>'
    name = f'<span class="of">{swatch}{markup.text(runs[n].name)}</span>' if len(runs) > 1 else ""
    return f'<p>{name}<span class="value">{html.escape(shown)}</span><span class="verdict">{_verdict(measure, n)}</span></p>'


def _verdict(measure: Measure, n: int) -> str:
    """Of the first run its scatter; of the others the difference and whether it is more than that."""
    own = measure.scatter[n]
    if n == 0:
        return f"± {_percent(own)}" if own == own else "scatter not known"
    difference = measure.difference(n)
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
