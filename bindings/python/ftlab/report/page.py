"""One HTML page that needs nothing else: no network, no file beside it."""

from __future__ import annotations

import json
import re
from importlib import resources
from typing import List, Sequence

from plotly.offline import get_plotlyjs

from ftlab.report import markup
from ftlab.report.picture import Picture
from ftlab.report.sections import Section

GENERATOR = "ftlab report"
# The page forbids the browser to load anything: what a page asks of a network is refused, not only left out.
POLICY = ("default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:;"
          " form-action 'none'; base-uri 'none'")


def page(title: str, sections: Sequence[Section]) -> str:
    """The same sections give the same text. Pictures are thinned for the browser; PNG links name files beside
    the page."""
    links = "".join(f'<li><a href="#{_anchor(s.title)}">{markup.text(s.title)}</a></li>' for s in sections)
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
<script>{get_plotlyjs()}</script>
</head>
<body>
<header><h1>{markup.text(title)}</h1></header>
<nav aria-label="Sections"><ul>{links}</ul></nav>
<main>
{body}
</main>
<script>
{_file("page.js")}</script>
</body>
</html>
"""


def _section(section: Section) -> str:
    figures = "\n".join(_figure(picture.thinned()) for picture in section.pictures)
    heading = f"<h2>{markup.text(section.title)}</h2>" if section.heading else ""
    return (f'<section id="{_anchor(section.title)}">{heading}\n'
            f"{section.before}\n{figures}\n{section.after}</section>")


def _figure(picture: Picture) -> str:
    name = f"plot-{picture.slug}"
    numbers = markup.details("The numbers as a table", _table(picture))
    return f"""<figure aria-labelledby="{name}-title">
<div class="top"><h3 id="{name}-title">{markup.text(picture.title)}</h3>
<div class="tools">{_scale_button(picture, name)}<a href="{picture.slug}.png">PNG</a></div></div>
<div class="plot" id="{name}" role="img" aria-labelledby="{name}-title"></div>
<script type="application/json" id="{name}-data">{_json(picture)}</script>
<figcaption>{markup.text(picture.caption)}</figcaption>
{numbers}
</figure>"""


def _table(picture: Picture) -> str:
    stacked = any(panel.categories for panel in picture.panels)
    titles = {"panel": "quantity", "x": "run" if stacked else picture.x.title, "y": "value"}
    return markup.table(picture.table().rename(columns=titles))


def _scale_button(picture: Picture, name: str) -> str:
    axes = _switched(picture)
    if not axes:
        return ""
    pressed = all(panel.y.log for panel in picture.panels if panel.y.switch)
    return (f'<button class="scale" type="button" data-plot="{name}" data-axes="{" ".join(axes)}"'
            f' aria-pressed="{str(pressed).lower()}">log scale</button>')


def _switched(picture: Picture) -> List[str]:
    return ["yaxis" if number == 1 else f"yaxis{number}"
            for number, panel in enumerate(picture.panels, 1) if panel.y.switch]


def _json(picture: Picture) -> str:
    """For a script element: no character in it can end the element."""
    text = json.dumps(picture.plotly().to_plotly_json(), allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _anchor(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def _file(name: str) -> str:
    return resources.files("ftlab.report").joinpath(name).read_text(encoding="utf-8")
