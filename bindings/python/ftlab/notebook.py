"""Compact HTML for notebooks: the headline, then the problems that make it worthless, then everything else."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import Tuple

_MOST_ROWS = 12


def panel(title: str, facts: Sequence[Tuple[str, str]], problems: Iterable[str] = (), notes: Iterable[str] = ()) -> str:
    """Returns a panel as HTML. All texts are escaped."""
    parts = [f"<b>{html.escape(title)}</b>"]
    parts += _list("Problems", problems)
    parts += ["<table>" +
              "".join(f"<tr><th style='text-align:left'>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>"
                                  for name, value in facts) + "</table>"] if facts else []
    parts += _list("Notes", notes)
    return "<div>" + "".join(parts) + "</div>"


def _list(title: str, texts: Iterable[str]) -> "list[str]":
    texts = list(texts)
    items = "".join(f"<li>{html.escape(text)}</li>" for text in texts[:_MOST_ROWS])
    more = f"<li>and {len(texts) - _MOST_ROWS} more</li>" if len(texts) > _MOST_ROWS else ""
    return [f"<p>{title}:</p><ul>{items}{more}</ul>"] if texts else []
