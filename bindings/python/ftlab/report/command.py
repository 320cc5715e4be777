"""One offline HTML page with interactive curves, and PNGs, of results."""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
from pathlib import Path
from typing import Dict, List, Sequence, Union

from ftlab.errors import ConfigError

Place = Union[str, "os.PathLike[str]"]
MOST_IN_PNG = 4000  # points per curve
NAMED = 4  # number of sources named in the title

def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sources", nargs="+", type=Path, metavar="DIR",
                        help="a result of ftlab run, ftlab measure or fio (JSON and logs), the JSON of ftlab"
                             " validate or ftlab wa, a table with columns op and wa (CSV, Parquet)")
    parser.add_argument("--measured", nargs="+", type=Path, default=[], metavar="DIR",
                        help="results of a real device, to hold the others against: the n-th beside the n-th")
    parser.add_argument("--out", type=Path, default=Path("report"), metavar="FOLDER",
                        help="new or empty [report]")
    parser.add_argument("--title", default="", help="title of the page [the names of the sources]")
    parser.add_argument("--replace", action="store_true", help="an earlier report in --out may be replaced")


def run(arguments: argparse.Namespace) -> int:
    """Exit status: 0 done, 2 the input was refused, 4 the report could not be written."""
    try:
        report(arguments.sources, arguments.out, measured=arguments.measured, title=arguments.title,
               replace=arguments.replace)
    except ConfigError as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{arguments.out}: could not be written: {error.strerror}", file=sys.stderr)
        return 4
    print(arguments.out / "index.html")
    return 0


def report(sources: Sequence[Place], out: Place, *, measured: Sequence[Place] = (), title: str = "",
           replace: bool = False) -> None:
    """Reads the sources and writes the folder `out`: index.html and one PNG per picture.

    Raises ConfigError before anything is written, and OSError if writing fails.
    """
    from ftlab.report.folder import check_folder, write_folder
    folder = Path(out)
    check_folder(folder, replace)
    files = files_of([Path(source) for source in sources], [Path(source) for source in measured], title)
    write_folder(folder, files, replace)


def files_of(sources: List[Path], measured: List[Path], title: str) -> Dict[str, bytes]:
    """Name -> content of every file of the report. Raises ConfigError."""
    _check_libraries()
    from ftlab.report.page import page
    from ftlab.report.png_view import png
    from ftlab.report.sections import sections_of
    from ftlab.report.reading.sources import read_sources
    sections = sections_of(read_sources(sources, measured))
    if not sections:
        raise ConfigError("there is nothing in it that a picture could be made of", file=str(sources[0]))
    files = {"index.html": page(title or _title([*sources, *measured]), sections).encode()}
    for picture in (picture for section in sections for picture in section.pictures):
        files[f"{picture.slug}.png"] = png(picture.thinned(MOST_IN_PNG))
    return files


def _check_libraries() -> None:
    """Raises ConfigError if the extra for drawing is missing. Simulation alone does not need it."""
    if importlib.util.find_spec("matplotlib") is None:
        raise ConfigError("matplotlib is missing; pip install 'ftlab[report]' brings it")


def _title(paths: List[Path]) -> str:
    names = [path.resolve().name for path in paths]
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"ftlab report: {', '.join(names[:NAMED])}{more}"
