"""HTML, with every text of the user escaped."""

from __future__ import annotations

import html
import math
from typing import Iterable, List, Sequence

import pandas as pd

MOST_ROWS = 200
SHORT = 18  # characters; texts up to here are not broken


def text(value: object) -> str:
    """Any value as it stands in a page: numbers short, None and NaN empty, markup made harmless."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return html.escape(number_text(value) if isinstance(value, (int, float)) else str(value))


def number_text(value: "int | float") -> str:
    """Up to seven digits, thousands apart: 12 345.6."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int) or float(value).is_integer():
        return f"{int(value):,}".replace(",", "\u2009") if abs(value) < 1e15 else f"{value:.6g}"
    if abs(value) < 1e-3 or abs(value) >= 1e15:
        return f"{value:.4g}"
    digits = max(0, 6 - len(str(int(abs(value)))))
    whole, _, rest = f"{value:,.{digits}f}".partition(".")
    rest = rest.rstrip("0")
    return whole.replace(",", "\u2009") + ("." + rest if rest else "")


def table(frame: pd.DataFrame, caption: str = "", most: int = MOST_ROWS) -> str:
    """A table that scrolls within itself when it is wide. Of a long one evenly spread rows, and it says
    so."""
    step = max(1, math.ceil(len(frame) / max(most, 1)))
    shown = frame.iloc[::step]
    if step > 1:
        caption += f" Every {step}th of {len(frame)} rows."
    numeric = [pd.api.types.is_numeric_dtype(shown[name]) for name in shown]
    head = "".join(f'<th scope="col">{text(name)}</th>' for name in shown)
    rows = (_row(row, numeric) for row in shown.itertuples(index=False, name=None))
    caption_row = f"<caption>{text(caption.strip())}</caption>" if caption else ""
    return (f'<div class="wide" tabindex="0"><table>{caption_row}<thead><tr>{head}</tr></thead>\n<tbody>'
            + "\n".join(rows) + "</tbody></table></div>")


def facts(names: Sequence[str], rows: "Sequence[tuple[str, Sequence[object]]]") -> str:
    """A table whose rows are facts and whose columns are the things that they are about."""
    head = "".join(f'<th scope="col">{text(name)}</th>' for name in names)
    body = "\n".join(_fact(fact, values) for fact, values in rows)
    return (f'<div class="wide" tabindex="0"><table class="facts"><thead><tr><td></td>{head}</tr></thead>\n'
            f"<tbody>{body}</tbody></table></div>")


def _fact(fact: str, values: Sequence[object]) -> str:
    cells = "".join(f"<td>{text(value)}</td>" for value in values)
    return f'<tr><th scope="row">{text(fact)}</th>{cells}</tr>'


def details(summary: str, content: str) -> str:
    return f"<details><summary>{text(summary)}</summary>\n{content}\n</details>"


def bullets(items: Iterable[str], kind: str) -> str:
    lines: List[str] = [f"<li>{text(item)}</li>" for item in items]
    return f'<ul class="{kind}">{"".join(lines)}</ul>' if lines else ""


def _row(row: "tuple[object, ...]", numeric: Sequence[bool]) -> str:
    return f"<tr>{''.join(map(_cell, row, numeric))}</tr>"


def _cell(value: object, is_number: bool) -> str:
    shown = text(value)
    kind = ' class="n"' if is_number else ' class="s"' if len(shown) <= SHORT else ""
    return f"<td{kind}>{shown}</td>"
