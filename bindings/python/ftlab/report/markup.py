"""HTML output. All user texts are escaped."""

from __future__ import annotations

import html
import math
import re
from typing import Iterable, List, Optional, Sequence

import pandas as pd

from ftlab.report.digits import column_texts, is_number, number_text

MOST_ROWS = 200
SHORT = 18  # characters; longer texts may be wrapped


def text(value: object) -> str:
    """A value as HTML text: numbers shortened, None and NaN empty, markup escaped."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return html.escape(number_text(value) if isinstance(value, (int, float)) else str(value))


def anchor(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def table(frame: pd.DataFrame, caption: str = "", most: int = MOST_ROWS, ids: Optional[Sequence[str]] = None) -> str:
    """A table with the same decimals throughout each column. Wide tables scroll; on a narrow screen each row becomes a
    list. Long tables show evenly spaced rows, noted in the caption. `ids`: row ids."""
    step = max(1, math.ceil(len(frame) / max(most, 1)))
    shown = frame.iloc[::step]
    if step > 1:
        caption += f" Every {step}th of {len(frame)} rows."
    heads = [text(name) for name in shown]
    columns = [_column(shown.iloc[:, n], heads[n]) for n in range(len(heads))]
    numeric = [pd.api.types.is_numeric_dtype(shown.iloc[:, n]) for n in range(len(heads))]
    head = "".join(f'<th scope="col"{_kind(number)}>{name}</th>' for name, number in zip(heads, numeric))
    kept = list(ids)[::step] if ids is not None else None
    rows = (f'<tr{_id(kept, n)}>{"".join(cells)}</tr>' for n, cells in enumerate(zip(*columns)))
    caption_row = f"<caption>{text(caption.strip())}</caption>" if caption else ""
    return (f'<div class="wide" tabindex="0"><table class="stack">{caption_row}<thead><tr>{head}</tr></thead>\n<tbody>'
            + "\n".join(rows) + "</tbody></table></div>")


def facts(names: Sequence[str], rows: "Sequence[tuple[str, Sequence[object]]]", ids: Sequence[str] = ()) -> str:
    """A table with one row per fact and one column per subject; the numbers of a row have the same decimals. `ids`: ids of
    the columns."""
    anchors = [f' id="{html.escape(one)}"' for one in ids] or [""] * len(names)
    head = "".join(f'<th scope="col"{where}>{text(name)}</th>' for name, where in zip(names, anchors))
    body = "\n".join(_fact(fact, values, names) for fact, values in rows)
    return (f'<div class="wide" tabindex="0"><table class="facts stack"><thead><tr><td></td>{head}</tr></thead>\n'
            f"<tbody>{body}</tbody></table></div>")


def _fact(fact: str, values: Sequence[object], names: Sequence[str]) -> str:
    shown = column_texts(values)
    cells = "".join(f'<td data-head="{text(name)}">{html.escape(one)}</td>' for name, one in zip(names, shown))
    return f'<tr><th scope="row">{text(fact)}</th>{cells}</tr>'


def details(summary: str, content: str, is_open: bool = False) -> str:
    return f"<details{' open' if is_open else ''}><summary>{text(summary)}</summary>\n{content}\n</details>"


def bullets(items: Iterable[str], kind: str) -> str:
    lines: List[str] = [f"<li>{text(item)}</li>" for item in items]
    return f'<ul class="{kind}">{"".join(lines)}</ul>' if lines else ""


def _column(values: pd.Series, head: str) -> List[str]:
    shown = [html.escape(one) for one in column_texts(list(values))]
    return [f'<td{_cell_kind(value, one)} data-head="{head}">{one}</td>' for value, one in zip(values, shown)]


def _cell_kind(value: object, shown: str) -> str:
    return _kind(True) if is_number(value) else ' class="s"' if len(shown) <= SHORT else ""


def _kind(number: bool) -> str:
    return ' class="n"' if number else ""


def _id(ids: Optional[Sequence[str]], row: int) -> str:
    return f' id="{html.escape(ids[row])}"' if ids is not None else ""
