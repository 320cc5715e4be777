"""`ftlab report`: one offline HTML page of results, and each picture as PNG, SVG and CSV."""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
from pathlib import Path
from typing import Dict, List, Sequence, Union

from ftlab.errors import ConfigError

Place = Union[str, "os.PathLike[str]"]
NAMED = 4  # sources in the title

def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sources", nargs="+", type=Path, metavar="DIR",
                        help="a result of ftlab run, ftlab measure or fio (JSON and logs), the JSON of ftlab"
                             " validate or ftlab wa, a table with columns op and wa (CSV, Parquet)")
    parser.add_argument("--measured", nargs="+", type=Path, default=[], metavar="DIR",
                        help="results of a real device to compare with: the n-th with the n-th DIR")
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
        print(error, file=sys.stderr)
        return 4
    print(arguments.out / "index.html")
    return 0


def report(sources: Sequence[Place], out: Place, *, measured: Sequence[Place] = (), title: str = "",
           replace: bool = False) -> None:
    """Reads the sources and writes the folder `out`: index.html, the drawing library, and each picture as PNG, SVG and CSV.

    Raises ConfigError before anything is written, and OSError if writing fails.
    """
    from ftlab.report.page import check_folder, write_folder
    folder = Path(out)
    check_folder(folder, replace)
    files = files_of([Path(source) for source in sources], [Path(source) for source in measured], title)
    write_folder(folder, files, replace)


def files_of(sources: List[Path], measured: List[Path], title: str) -> Dict[str, bytes]:
    """Name -> content of every file of the report. Raises ConfigError."""
    check_libraries()
    from ftlab.report.page import LIBRARY, library, page
    from ftlab.report.sections import sections_of
    from ftlab.report.reading.sources import read_sources
    sections = sections_of(read_sources(sources, measured))
    if not sections:
        raise ConfigError("contains nothing to draw", file=str(sources[0]))
    tables = {picture.slug: picture.table() for section in sections for picture in section.pictures}
    files = {"index.html": page(title or _title([*sources, *measured]), sections).encode()}
    for picture in (picture for section in sections for picture in section.pictures):
        files.update({f"{picture.slug}.png": picture.png(), f"{picture.slug}.svg": picture.svg().encode(),
                      f"{picture.slug}.csv": tables[picture.slug].to_csv(index=False).encode()})
    return {**files, LIBRARY: library().encode()} if tables else files


def check_libraries() -> None:
    """The drawing library is an optional extra: simulation does not need it."""
    if importlib.util.find_spec("vl_convert") is None:
        raise ConfigError("vl-convert-python is missing; pip install 'ftlab[report]' brings it")


def _title(paths: List[Path]) -> str:
    names = [path.resolve().name for path in paths]
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"ftlab report: {', '.join(names[:NAMED])}{more}"
