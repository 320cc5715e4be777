"""HTML output. All user texts are escaped."""

from __future__ import annotations

import html
import json
import math
import re
from importlib.resources import files
from typing import Any, Iterable, List, Mapping, Optional, Sequence

import pandas as pd

from ftlab.report import palette
from ftlab.report.digits import column_texts, figure_texts, is_number, number_text

MOST_ROWS = 200
SHORT = 18  # characters; longer texts may be wrapped
MOST_STACKED = 4  # subjects whose facts become lists on a narrow screen


def text(value: object) -> str:
    """A value as HTML text: numbers shortened, None and NaN empty, markup escaped."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return html.escape(number_text(value) if isinstance(value, (int, float)) else str(value))


def anchor(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def table(frame: pd.DataFrame, caption: str = "", most: int = MOST_ROWS, ids: Optional[Sequence[str]] = None,
          matrix: bool = False, figures: Optional[int] = None) -> str:
    """A table with the same decimals throughout each column. Wide tables scroll; on a narrow screen each row becomes a
    list, unless it is a matrix, whose rows are compared: then the first column stays in view. Long tables show evenly spaced
    rows, noted in the caption. `ids`: row ids. `figures`: significant digits of a column's median."""
    step = max(1, math.ceil(len(frame) / max(most, 1)))
    shown = frame.iloc[::step]
    if step > 1:
        caption += f" Every {step}th of {len(frame)} rows."
    heads = [text(name) for name in shown]
    columns = [_column(shown.iloc[:, n], heads[n], figures) for n in range(len(heads))]
    numeric = [pd.api.types.is_numeric_dtype(shown.iloc[:, n]) for n in range(len(heads))]
    head = "".join(f'<th scope="col"{_kind(number)}>{name}</th>' for name, number in zip(heads, numeric))
    kept = list(ids)[::step] if ids is not None else None
    rows = (f'<tr{_id(kept, n)}>{"".join(cells)}</tr>' for n, cells in enumerate(zip(*columns)))
    caption_row, kind = f"<caption>{text(caption.strip())}</caption>" if caption else "", "matrix" if matrix else "stack"
    return (f'<div class="wide" tabindex="0"><table class="{kind}">{caption_row}<thead><tr>{head}</tr></thead>\n<tbody>'
            + "\n".join(rows) + "</tbody></table></div>")


def same_for_all(items: "Iterable[tuple[str, object]]", count: int) -> str:
    """A line of what is the same for all of several subjects: `Same for all 10: seed 1; version 0.1.0.`"""
    words = "; ".join(f"{text(name)} {html.escape(column_texts([value])[0])}" for name, value in items)
    return f'<p class="small">Same for all {count}: {words}.</p>' if words else ""


def facts(names: Sequence[str], rows: "Sequence[tuple[str, Sequence[object]]]", ids: Sequence[str] = ()) -> str:
    """A table with one row per fact and one column per subject; the numbers of a row have the same decimals. What is the
    same for all subjects stands in a line above it. `ids`: ids of the columns."""
    if len(names) > 1:
        alike = [(fact, values[0]) for fact, values in rows if len(set(column_texts(values))) == 1]
        rest = [row for row in rows if len(set(column_texts(row[1]))) > 1]
        return same_for_all(alike, len(names)) + _facts(names, rest, ids)
    return _facts(names, rows, ids)


def _facts(names: Sequence[str], rows: "Sequence[tuple[str, Sequence[object]]]", ids: Sequence[str]) -> str:
    anchors = [f' id="{html.escape(one)}"' for one in ids] or [""] * len(names)
    head = "".join(f'<th scope="col"{where}>{text(name)}</th>' for name, where in zip(names, anchors))
    kind = "matrix" if len(names) > MOST_STACKED else "stack"
    body = "\n".join(_fact(fact, values, names) for fact, values in rows)
    return (f'<div class="wide" tabindex="0"><table class="facts {kind}"><thead><tr><td></td>{head}</tr></thead>\n'
            f"<tbody>{body}</tbody></table></div>")


def _fact(fact: str, values: Sequence[object], names: Sequence[str]) -> str:
    shown = column_texts(values)
    cells = "".join(f'<td data-head="{text(name)}">{html.escape(one)}</td>' for name, one in zip(names, shown))
    return f'<tr><th scope="row">{text(fact)}</th>{cells}</tr>'


def swatch(number: int) -> str:
    """A square in the colour of a run."""
    colour = palette.of_run(number)
    return f'<span class="swatch" style="background: light-dark({colour}, {palette.ON_DARK[colour]})"></span>'


def details(summary: str, content: str, is_open: bool = False) -> str:
    return f"<details{' open' if is_open else ''}><summary>{text(summary)}</summary>\n{content}\n</details>"


def bullets(items: Iterable[str], kind: str) -> str:
    lines: List[str] = [f"<li>{text(item)}</li>" for item in items]
    return f'<ul class="{kind}">{"".join(lines)}</ul>' if lines else ""


def _column(values: pd.Series, head: str, figures: Optional[int]) -> List[str]:
    numeric = figures is not None and pd.api.types.is_float_dtype(values)
    shown = [html.escape(one)
             for one in (figure_texts(list(values), figures or 0) if numeric else column_texts(list(values)))]
    return [f'<td{_cell_kind(value, one)} data-head="{head}">{one}</td>' for value, one in zip(values, shown)]


def _cell_kind(value: object, shown: str) -> str:
    return _kind(True) if is_number(value) else ' class="s"' if len(shown) <= SHORT else ""


def _kind(number: bool) -> str:
    return ' class="n"' if number else ""


def _id(ids: Optional[Sequence[str]], row: int) -> str:
    return f' id="{html.escape(ids[row])}"' if ids is not None else ""


# Files of a folder `view`: HTML with places such as @title@, and what is put there.

def view_file(package: str, name: str) -> str:
    return files(package).joinpath("view").joinpath(name).read_text(encoding="utf-8")


def filled(package: str, name: str, parts: Mapping[str, str]) -> str:
    return re.sub(r"@(\w+)@", lambda place: parts[place[1]], view_file(package, name))


def embedded(data: Any) -> str:
    """JSON without characters that an HTML parser could take for markup."""
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


# Link targets of points in pictures.

def point_id(sweep: int, row: int) -> str:
    """The id of a row in the table of a sweep's points."""
    return f"point-{sweep}-{row}"


def run_id(number: int) -> str:
    """The id of a run's column in the table of facts."""
    return f"run-{number}"
