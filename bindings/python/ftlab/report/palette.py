"""Colours, symbols and dashes that colour-blind readers and black-and-white prints can tell apart.

The light theme follows M. Okabe and K. Ito, "Color Universal Design" (2008). Colours too faint on white paper are darkened
to a contrast of at least 3 to 1, as WCAG 2.1 asks of graphics. The dark theme has that contrast on the dark page.
"""

from __future__ import annotations

from typing import Dict

LIGHT = ("#0072B2", "#D55E00", "#00875F", "#B0528C", "#9A6A00", "#6B6BD6", "#7A7000", "#222222")
DARK = ("#5AB4F0", "#FF8A4C", "#35C99A", "#E58CC0", "#E9B44C", "#A9A5F5", "#D6CC4A", "#F2F2F2")
SYMBOLS = (("circle", "o"), ("diamond", "D"), ("square", "s"), ("triangle", "^"), ("x", "X"), ("cross", "P"))
DASHES = (("", "-"), ("7 4", "--"), ("2 3", ":"), ("8 3 2 3", "-."))
PATTERNS = ("", "//", "..", "xx")
BLACK = 7  # index of the colour for lines that do not belong to a run

TEXT, GRID, BAND = "#222222", "#dddddd", "#f0e9c8"

# Named parts have fixed colours on every page. Latency parts are in the order of their usual weight, so that the first eight
# colours, which differ most, appear together most often.
DIRECTIONS = {"read": 0, "write": 1, "trim": 2}
LATENCY_PARTS = ("die", "buffer_wait", "die_wait", "channel", "queue_wait", "host", "link", "link_wait", "controller",
                 "controller_wait", "mapping", "dram", "retry", "seek", "rotation", "media", "device")
TRAFFIC_PARTS = ("host", "relocation", "mapping", "fold", "wear", "refresh", "parity", "padding", "fill", "failed", "lost")


def number_of(name: str, known: "tuple[str, ...]", others: "Dict[str, int]") -> int:
    """Index of a part's colour: fixed for known parts, the next free one for others, which is remembered in `others`."""
    if name in known:
        return known.index(name)
    return others.setdefault(name, len(known) + len(others))


def hue(number: int) -> str:
    return LIGHT[number % len(LIGHT)]


def symbol(number: int) -> "tuple[str, str]":
    """The symbol's names in the page and in matplotlib."""
    return SYMBOLS[number % len(SYMBOLS)]


def dash(number: int) -> "tuple[str, str]":
    return DASHES[number % len(DASHES)]


def pattern(number: int) -> str:
    """Pattern of the n-th part of a stack: a new one each time the colours repeat."""
    return PATTERNS[number // len(LIGHT) % len(PATTERNS)]
