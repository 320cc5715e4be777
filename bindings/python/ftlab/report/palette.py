"""Colours, symbols and dashes that colour-blind readers and black-and-white prints can tell apart.

The light theme follows M. Okabe and K. Ito, "Color Universal Design" (2008). Colours too faint on white paper are darkened
to a contrast of at least 3 to 1, as WCAG 2.1 asks of graphics. The dark theme has that contrast on the dark page.
"""

from __future__ import annotations

from typing import Dict, List, Tuple

LIGHT: Tuple[str, ...] = ("#0072B2", "#D55E00", "#00875F", "#B0528C", "#9A6A00", "#6B6BD6", "#7A7000", "#222222",
         "#7FB2D3", "#E59A63", "#66B79F", "#CF94B8", "#C0A066", "#A3A3E6", "#AFA966", "#8A8A8A")
DARK: Tuple[str, ...] = ("#5AB4F0", "#FF8A4C", "#35C99A", "#E58CC0", "#E9B44C", "#A9A5F5", "#D6CC4A", "#F2F2F2",
        "#34688F", "#95532F", "#1F785C", "#875272", "#886A2D", "#636190", "#7E782B", "#9A9A9A")
SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "triangle-down")
DASHES: Tuple[List[int], ...] = ([], [7, 4], [2, 3], [8, 3, 2, 3])
# From RAMP on: steps of the colour map plasma (S. van der Walt and N. Smith, 2015) for designs that differ by one number.
_STEPS = ("0C0786 2D0494 3A049A 5101A2 6700A7 7200A8 8607A6 99149F A21C9A B22C8E BA3487 C8447A D5536D DB5B67 E56C5B",
          "B7308A C33E7F CA4678 D5536D DF6163 E3685E EC7853 F38748 F68F43 FBA238 FCAA33 FDBC2A FBD024 F9DB24 F2F026")
LIGHT, DARK = (tuple([*of, *(f"#{step}" for step in steps.split())]) for of, steps in zip((LIGHT, DARK), _STEPS))
# Number of colours for curves (stacked bars also have 8 paler ones), the first of the ramp, and that of lines without a run.
CURVES, RAMP, BLACK = 8, 16, 7

TEXT, SOFT, GRID, BAND, PAPER = "#222223", "#4A4A4A", "#E3E3E3", "#F3ECD0", "#FFFFFF"
ON_DARK = {**dict(zip(LIGHT, DARK)), TEXT: "#E8EAED", SOFT: "#B9BFC6", GRID: "#2C3239", BAND: "#38331F", PAPER: "#16191D"}

# Named parts have fixed colours on every page. Latency parts are in the order of their usual weight, so that the first eight
# colours, which differ most, appear together most often; host, collection and map have one colour in all three.
DIRECTIONS = {"read": 0, "write": 1, "trim": 2}
LATENCY_PARTS = ("die", "buffer_wait", "die_wait", "channel", "queue_wait", "seek", "link", "link_wait", "controller",
                 "controller_wait", "mapping", "dram", "rotation", "host", "media", "retry", "device")
DIE_USES = ("reads for the host", "programs for the host", "", "", "", "copies of collection", "", "", "", "",
            "suspensions", "", "map writes", "wear levelling, refresh and parity", "erases", "idle")
TRAFFIC_PARTS = ("fold", "host", "wear", "refresh", "parity", "relocation", "padding", "fill", "failed", "lost", "", "",
                 "mapping")


def number_of(name: str, known: "tuple[str, ...]", others: "Dict[str, int]") -> int:
    """Index of a part's colour: fixed for known parts, otherwise the next free one, kept in `others`."""
    if name in known:
        return known.index(name)
    return others.setdefault(name, len(known) + len(others))


def hue(number: int) -> str:
    """Colour of a part of a stacked bar. From 8: the paler ones."""
    return LIGHT[number % RAMP]


def of_run(number: int) -> str:
    """Colour of a run or curve."""
    return LIGHT[number if number >= RAMP else number % CURVES]


def dash_of(number: int) -> int:
    """Dash of a run's lines, which differs where colours repeat."""
    return 0 if number >= RAMP else number // CURVES


def ramp(place: int, count: int) -> int:
    """Number of the colour at a place of an ordered list of runs."""
    return RAMP + round(place * (len(LIGHT) - RAMP - 1) / max(count - 1, 1))
