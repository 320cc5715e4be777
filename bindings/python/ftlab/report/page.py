"""One self-contained HTML page: no network, no other files."""

from __future__ import annotations

import json
from importlib import resources
from typing import Sequence

from ftlab.report import markup
from ftlab.report.picture import Picture
from ftlab.report.sections import Section

GENERATOR = "ftlab report"
FEWEST_ROWS = 25  # rows per panel in the table of a picture
PROGRAM = ("scale.js", "marks.js", "stacks.js", "field.js", "legend.js", "reader.js", "plot.js", "page.js")
# The page forbids the browser to load anything, so a request to the network is refused and not merely absent.
POLICY = ("default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:;"
          " form-action 'none'; base-uri 'none'")


def page(title: str, sections: Sequence[Section]) -> str:
    """The same sections give the same text. Pictures are thinned for the browser. PNG links name files in the same
    folder."""
    links = "".join(f'<li><a href="#{markup.anchor(s.title)}">{markup.text(s.title)}</a></li>' for s in sections)
    body = "\n".join(_section(section) for section in sections)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="generator" content="{GENERATOR}">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{markup.text(title)}</title>
<link rel="icon" href="data:,">
<style>
{_file("page.css")}</style>
</head>
<body>
<header><h1>{markup.text(title)}</h1></header>
<nav aria-label="Sections"><ul>{links}</ul></nav>
<main>
{body}
</main>
<script>
(function () {{
'use strict';
{"".join(map(_file, PROGRAM))}}}());
</script>
</body>
</html>
"""


def _section(section: Section) -> str:
    figures = "\n".join(_figure(picture.thinned()) for picture in section.pictures)
    heading = f"<h2>{markup.text(section.title)}</h2>" if section.heading else ""
    return (f'<section id="{markup.anchor(section.title)}">{heading}\n'
            f"{section.before}\n{figures}\n{section.after}</section>")


def _figure(picture: Picture) -> str:
    name = f"plot-{picture.slug}"
    numbers = markup.details("The numbers as a table", _table(picture))
    return f"""<figure aria-labelledby="{name}-title">
<div class="top"><h3 id="{name}-title">{markup.text(picture.title)}</h3>
<div class="tools">{_scale_button(picture, name)}{_whole_button(name)}<a href="{picture.slug}.png">PNG</a></div></div>
<div class="legend" id="{name}-legend" role="group" aria-label="Curves"></div>
<div class="plot" id="{name}" role="group" aria-roledescription="chart" aria-labelledby="{name}-title"
 aria-describedby="{name}-caption"></div>
<script type="application/json" id="{name}-data">{_json(picture)}</script>
<figcaption id="{name}-caption">{markup.text(picture.caption)}</figcaption>
{numbers}
</figure>"""


def _table(picture: Picture) -> str:
    stacked = any(panel.categories for panel in picture.panels)
    titles = {"panel": "quantity", "x": "run" if stacked else picture.x.title, "y": "value"}
    panels = list(picture.table().groupby("panel", sort=False))
    most = max(FEWEST_ROWS, markup.MOST_ROWS // max(len(panels), 1))
    return "".join(markup.table(rows.rename(columns=titles), most=most) for _, rows in panels)


def _scale_button(picture: Picture, name: str) -> str:
    if not any(panel.y.switch for panel in picture.panels):
        return ""
    pressed = all(panel.y.log for panel in picture.panels if panel.y.switch)
    return (f'<button class="scale" type="button" data-plot="{name}"'
            f' aria-pressed="{str(pressed).lower()}">log scale</button>')


def _whole_button(name: str) -> str:
    """The button that is visible while the x axis is zoomed."""
    return f'<button class="whole" id="{name}-whole" type="button" data-plot="{name}" hidden>whole axis</button>'


def _json(picture: Picture) -> str:
    """JSON for a script element: no character in it can end the element."""
    text = json.dumps(picture.drawn(), allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _file(name: str) -> str:
    return resources.files("ftlab.report").joinpath("view").joinpath(name).read_text(encoding="utf-8")
