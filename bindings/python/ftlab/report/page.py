"""One HTML page that needs no network, only the drawing library in the same folder."""

from __future__ import annotations

import contextlib
import functools
import importlib.metadata
import json
import os
import shutil
from pathlib import Path
from typing import Mapping, Sequence

from ftlab import _core
from ftlab.errors import ConfigError
from ftlab.report import markup, palette
from ftlab.report.picture import Picture
from ftlab.report.sections import Section
from ftlab.report.vega import specification

LIBRARY = "vega.js"  # in the same folder


def page(title: str, sections: Sequence[Section]) -> str:
    """Deterministic. Pictures link to files in the same folder."""
    links = "".join(f'<li><a href="#{markup.anchor(s.title)}">{markup.text(s.title)}</a></li>' for s in sections)
    body = "\n".join(_section(section) for section in sections)
    style, program = (markup.view_file("ftlab.report", name) for name in ("page.css", "page.js"))
    parts = {"title": markup.text(title), "style": style, "links": links, "body": body, "library": LIBRARY,
             "on_dark": json.dumps(palette.ON_DARK), "program": program}
    return markup.filled("ftlab.report", "page.html", parts)


def _section(section: Section) -> str:
    figures = "\n".join(_figure(picture) for picture in section.pictures)
    heading = f"<h2>{markup.text(section.title)}</h2>" if section.heading else ""
    return (f'<section id="{markup.anchor(section.title)}">{heading}\n'
            f"{section.before}\n{figures}\n{section.after}</section>")


def _figure(picture: Picture) -> str:
    name = f"plot-{picture.slug}"
    files = " ".join(f'<a href="{picture.slug}.{kind}" download>{kind.upper()}</a>' for kind in ("png", "svg", "csv"))
    return f"""<figure aria-labelledby="{name}-title">
<div class="top"><h3 id="{name}-title">{markup.text(picture.title)}</h3>
<div class="tools">{_scale_button(picture)}<button class="whole" type="button" hidden>whole axis</button>{files}</div></div>
<div class="legend" role="group" aria-label="Curves"></div>
<div class="plot" id="{name}" role="group" aria-roledescription="chart" aria-labelledby="{name}-title"
 aria-describedby="{name}-caption"></div>
<script type="application/json">{markup.embedded(specification(picture, page=True))}</script>
<figcaption id="{name}-caption">{markup.text(picture.caption)}</figcaption>
</figure>"""


def _scale_button(picture: Picture) -> str:
    if not any(panel.y.switch for panel in picture.panels):
        return ""
    pressed = all(panel.y.log for panel in picture.panels if panel.y.switch)
    return f'<button class="scale" type="button" aria-pressed="{str(pressed).lower()}">log scale</button>'


@functools.lru_cache(maxsize=1)
def library() -> str:
    """The JavaScript that draws specifications in a browser; it needs no network. Making it takes as long as all else of a
    report, so it is kept in the folder of `ftlab cache`."""
    import vl_convert
    kept = _cache_folder() / f"vega-{importlib.metadata.version('vl-convert-python')}.js"
    with contextlib.suppress(OSError, UnicodeDecodeError):
        return kept.read_text(encoding="utf-8")
    made = str(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;"))
    partial = kept.with_suffix(f".partial-{os.getpid()}")
    with contextlib.suppress(OSError):
        kept.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(made, encoding="utf-8")
        partial.replace(kept)
    return made


def _cache_folder() -> Path:
    """As of StateCache::of_user(); one that cannot be made if there is none, or nothing is to be kept."""
    if os.environ.get("FTLAB_CACHE_LIMIT") == "0":
        return Path(os.devnull)
    cache, home = Path(os.environ.get("XDG_CACHE_HOME", "")), Path(os.environ.get("HOME", os.devnull))
    return cache / "ftlab" if cache.is_absolute() else home / ".cache" / "ftlab"


# The folder of a report: written atomically; replaces only an earlier report.

INDEX = "index.html"
MARK = '<meta name="generator" content="ftlab report">'


def check_folder(folder: Path, replace: bool) -> None:
    """To be called first: raises ConfigError if `folder` contains anything but an earlier report, or a report that may
    not be replaced."""
    if not folder.exists() and not folder.is_symlink():
        return
    if not folder.is_dir() or folder.is_symlink():
        raise ConfigError("is not a folder", file=str(folder))
    if not any(folder.iterdir()):
        return
    if not is_report(folder):
        raise ConfigError("holds something other than an earlier report", file=str(folder),
                          allowed="a new or an empty folder")
    if not replace:
        raise ConfigError("holds an earlier report; --replace replaces it", file=str(folder))


def is_report(folder: Path) -> bool:
    """True if it contains a page of this program and nothing but that page and the files it links to."""
    index = folder / INDEX
    if not index.is_file() or index.is_symlink():
        return False
    text = index.read_text(encoding="utf-8", errors="replace")
    others = [entry for entry in folder.iterdir() if entry.name != INDEX]
    ours = all(e.is_file() and any(f'{how}="{e.name}"' in text for how in ("href", "src")) for e in others)
    return MARK in text[:500] and ours


def write_folder(folder: Path, files: Mapping[str, bytes], replace: bool) -> None:
    """Writes all files or none. Raises ConfigError like `check_folder`, and OSError if writing fails."""
    check_folder(folder, replace)
    folder.parent.mkdir(parents=True, exist_ok=True)
    replaced = folder.is_dir() and is_report(folder)
    new = folder.with_name(f".{folder.name}.partial-{os.getpid()}") if replaced else folder
    _core.write_result(os.fspath(new), list(files.items()), False)
    if replaced:
        earlier = folder.with_name(f".{folder.name}.earlier-{os.getpid()}")
        folder.rename(earlier)
        new.rename(folder)
        shutil.rmtree(earlier)
