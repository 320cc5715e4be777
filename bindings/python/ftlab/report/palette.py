"""Colours, symbols and dashes that stay apart for colour-blind readers and in black and white.

The colours are those of M. Okabe and K. Ito, "Color Universal Design" (2008), its yellow darkened: on white
paper the original cannot be read.
"""

from __future__ import annotations

BLUE, VERMILLION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
ORANGE, SKY, YELLOW, BLACK = "#E69F00", "#56B4E9", "#B8A800", "#000000"

HUES = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, YELLOW, BLACK)
SYMBOLS = (("circle", "o"), ("diamond", "D"), ("square", "s"), ("triangle-up", "^"), ("x", "X"),
           ("cross", "P"))
DASHES = (("solid", "-"), ("dash", "--"), ("dot", ":"), ("dashdot", "-."))
PATTERNS = (("", ""), ("/", "//"), (".", ".."), ("x", "xx"))

TEXT, GRID, BAND = "#222222", "#dddddd", "#f0e9c8"


def hue(number: int) -> str:
    return HUES[number % len(HUES)]


def symbol(number: int) -> "tuple[str, str]":
    """Its names in Plotly and in matplotlib."""
    return SYMBOLS[number % len(SYMBOLS)]


def dash(number: int) -> "tuple[str, str]":
    return DASHES[number % len(DASHES)]


def pattern(number: int) -> "tuple[str, str]":
    """Of the n-th part of a stack: a new one each time the colours begin anew."""
    return PATTERNS[number // len(HUES) % len(PATTERNS)]
