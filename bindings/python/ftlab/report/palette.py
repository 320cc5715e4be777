"""Colours, symbols and dashes that colour-blind readers and black-and-white prints can tell apart.

The light theme follows M. Okabe and K. Ito, "Color Universal Design" (2008). Colours too faint on white paper are darkened
to a contrast of at least 3 to 1, as WCAG 2.1 asks of graphics. The dark theme has that contrast on the dark page.
"""

from __future__ import annotations

from typing import Dict, List, Tuple

LIGHT = ("#0072B2", "#D55E00", "#00875F", "#B0528C", "#9A6A00", "#6B6BD6", "#7A7000", "#222222",
         "#7FB2D3", "#E59A63", "#66B79F", "#CF94B8", "#C0A066", "#A3A3E6", "#AFA966", "#8A8A8A")
DARK = ("#5AB4F0", "#FF8A4C", "#35C99A", "#E58CC0", "#E9B44C", "#A9A5F5", "#D6CC4A", "#F2F2F2",
        "#34688F", "#95532F", "#1F785C", "#875272", "#886A2D", "#636190", "#7E782B", "#9A9A9A")
SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "triangle-down")
DASHES: Tuple[List[int], ...] = ([], [7, 4], [2, 3], [8, 3, 2, 3])
CURVES, BLACK = 8, 7  # number of colours for curves (stacked bars also have 8 paler ones); colour of lines without a run

TEXT, SOFT, GRID, BAND, PAPER = "#222223", "#4A4A4A", "#E3E3E3", "#F3ECD0", "#FFFFFF"
ON_DARK = {**dict(zip(LIGHT, DARK)), TEXT: "#E8EAED", SOFT: "#B9BFC6", GRID: "#2C3239", BAND: "#38331F", PAPER: "#16191D"}

# Named parts have fixed colours on every page. Latency parts are in the order of their usual weight, so that the first eight
# colours, which differ most, appear together most often.
DIRECTIONS = {"read": 0, "write": 1, "trim": 2}
LATENCY_PARTS = ("die", "buffer_wait", "die_wait", "channel", "queue_wait", "host", "link", "link_wait", "controller",
                 "controller_wait", "mapping", "dram", "retry", "seek", "rotation", "media", "device")
DIE_USES = ("reads for the host", "programs for the host", "copies of collection", "erases", "map writes",
            "wear levelling, refresh and parity", "suspensions", "", "", "", "", "", "", "", "", "idle")
TRAFFIC_PARTS = ("host", "relocation", "mapping", "fold", "wear", "refresh", "parity", "padding", "fill", "failed", "lost")


def number_of(name: str, known: "tuple[str, ...]", others: "Dict[str, int]") -> int:
    """Index of a part's colour: fixed for known parts, otherwise the next free one, kept in `others`."""
    if name in known:
        return known.index(name)
    return others.setdefault(name, len(known) + len(others))


def hue(number: int) -> str:
    """Colour of a run, curve or part of a stacked bar. From 8: the paler colours of parts."""
    return LIGHT[number % len(LIGHT)]

