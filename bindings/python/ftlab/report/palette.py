"""Colours, symbols and dashes that stay apart for colour-blind readers and in black and white.

The light colours follow M. Okabe and K. Ito, "Color Universal Design" (2008); those that white paper swallows are
darkened until they stand out 3 to 1 from it, as WCAG 2.1 asks of graphics. The dark ones do so from the dark page.
"""

from __future__ import annotations

from typing import Dict

LIGHT = ("#0072B2", "#D55E00", "#00875F", "#B0528C", "#9A6A00", "#6B6BD6", "#7A7000", "#222222")
DARK = ("#5AB4F0", "#FF8A4C", "#35C99A", "#E58CC0", "#E9B44C", "#A9A5F5", "#D6CC4A", "#F2F2F2")
SYMBOLS = (("circle", "o"), ("diamond", "D"), ("square", "s"), ("triangle", "^"), ("x", "X"), ("cross", "P"))
DASHES = (("", "-"), ("7 4", "--"), ("2 3", ":"), ("8 3 2 3", "-."))
PATTERNS = ("", "//", "..", "xx")
BLACK = 7  # the number of the colour of lines that belong to no run

TEXT, GRID, BAND = "#222222", "#dddddd", "#f0e9c8"

# What has a name of its own has a colour of its own, whatever else a page shows. Latency's parts stand in the order of
# their weight in usual runs, so that those with the first eight colours meet most often.
DIRECTIONS = {"read": 0, "write": 1, "trim": 2}
LATENCY_PARTS = ("die", "buffer_wait", "die_wait", "channel", "queue_wait", "host", "link", "link_wait", "controller",
                 "controller_wait", "mapping", "dram", "retry", "seek", "rotation", "media", "device")
TRAFFIC_PARTS = ("host", "relocation", "mapping", "fold", "wear", "refresh", "parity", "padding", "fill", "failed", "lost")


def number_of(name: str, known: "tuple[str, ...]", others: "Dict[str, int]") -> int:
    """The number of a part's colour: fixed for those that are known, the next free ones for others, which are kept."""
    if name in known:
        return known.index(name)
    return others.setdefault(name, len(known) + len(others))


def hue(number: int) -> str:
    return LIGHT[number % len(LIGHT)]


def symbol(number: int) -> "tuple[str, str]":
    """Its names in the page and in matplotlib."""
    return SYMBOLS[number % len(SYMBOLS)]


def dash(number: int) -> "tuple[str, str]":
    return DASHES[number % len(DASHES)]


def pattern(number: int) -> str:
    """Of the n-th part of a stack: a new one each time the colours begin anew."""
    return PATTERNS[number // len(LIGHT) % len(PATTERNS)]
