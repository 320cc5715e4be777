"""Opens an interactive page for design questions: over-provisioning, policy, workload, caches; answers at once.

The page is served on this computer alone, under an address with a token. Ctrl-C ends it.
"""

from __future__ import annotations

import argparse
import errno
import importlib.util
import json
import os
import secrets
import socket
import sys
import webbrowser
from typing import TYPE_CHECKING, Any, Callable, Dict, Mapping, Optional, Tuple

from ftlab.errors import ConfigError
from ftlab.explore.facts import SECTOR_BYTES, facts_of
from ftlab.explore.question import KINDS, Question, Workload
from ftlab.sweeps.grid import JOB_OPTION, read_document, read_grid

if TYPE_CHECKING:
    from ftlab.explore.page import Page

ADDRESS = "127.0.0.1"
_PAGE = "explore"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("start", nargs="?", metavar="DRIVE|SWEEP",
                        help="a drive of the library, a drive file, or the grid of a sweep, whose points can be chosen")
    parser.add_argument("--port", type=int, default=0, help="of the page [a free one]")
    parser.add_argument("--no-open", action="store_true", help="print the address, start no browser")


def run(arguments: argparse.Namespace) -> int:
    """The exit status: 0 ended by Ctrl-C, 2 input refused."""
    if importlib.util.find_spec("panel") is None:
        raise ConfigError("panel is missing; pip install 'ftlab[explore]' brings it")
    question, points = start_of(arguments.start)
    port = checked_port(arguments.port)
    from ftlab.explore.page import Page  # takes seconds: after what is refused
    server, address = served(lambda: Page(question, points), port)
    print(address, flush=True)
    if not arguments.no_open:
        webbrowser.open(address)
    server.start()
    try:
        server.io_loop.start()
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
    finally:
        server.stop()
    return 0


def served(make_page: Callable[[], Page], port: int) -> Tuple[Any, str]:
    """The server, not started, and the address of the page. The token is the first part of every path; any other path is
    not found. port: a free one. Raises ConfigError if it is in use by now."""
    import panel as pn

    from ftlab.explore.page import STYLE
    token = secrets.token_urlsafe(24)
    pn.extension("vega", raw_css=[STYLE], notifications=False)

    def session() -> Any:
        page = make_page()
        if pn.state.curdoc is not None:
            pn.state.curdoc.template_variables["app_favicon"] = "data:,"  # no icon; else the browser asks for a file
        pn.state.on_session_destroyed(lambda _: page.close())
        return page.view()
    try:
        server = pn.serve({_PAGE: session}, address=ADDRESS, port=port, prefix=token, title="ftlab explore", show=False,
                          start=False, ico_path="none", websocket_origin=[f"{ADDRESS}:{port}"], verbose=False,
                          check_unused_sessions_milliseconds=5000, unused_session_lifetime_milliseconds=10000)
    except OSError as error:
        raise _refused(port, error) from None
    return server, f"http://{ADDRESS}:{port}/{token}/{_PAGE}"


def checked_port(port: int) -> int:
    """This port if it is free; a free one for 0. Raises ConfigError."""
    if not 0 <= port <= 65535:
        raise ConfigError("is not a port", key="--port", got=str(port), allowed="1 to 65535, or none for a free one")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((ADDRESS, port))
        except OSError as error:
            raise _refused(port, error) from None
        return int(probe.getsockname()[1])


def _refused(port: int, error: OSError) -> ConfigError:
    why = "is in use" if error.errno == errno.EADDRINUSE else f"cannot be used: {error.strerror}"
    return ConfigError(why, key="--port", got=str(port), allowed="another, or none for a free one")


# What the page starts from: a drive, or the points of a sweep.

FIRST_DRIVE = "example-25nm-mlc"
_MOST_POINTS = 2000
Points = Dict[str, Question]


def start_of(word: Optional[str]) -> Tuple[Question, Points]:
    """word: a drive, a drive file, or the grid of a sweep. Raises ConfigError."""
    if word is None:
        return Question(FIRST_DRIVE), {}
    if os.path.isdir(word):
        raise ConfigError("is a folder; give the grid of the sweep (.json), a drive or a drive file", key="explore",
                          got=word)
    if word.endswith(".json") and "axes" in _keys(word):
        points = points_of(word)
        return next(iter(points.values())), points
    facts_of(word)
    return Question(word), {}


def points_of(path: str) -> Points:
    """The designs of a grid by what its axes choose. Raises ConfigError."""
    grid, points = read_grid(path), {}  # type: Any, Points
    for choice in grid.choices():
        settings = {**grid.settings, **choice}
        name = ", ".join(f"{key}={value}" for key, value in choice.items()) or "the only point"
        points[name] = _wa_point(settings) if grid.kind == "wa" else _run_point(grid, settings)
        if len(points) >= _MOST_POINTS:
            break
    return points


def _keys(path: str) -> Mapping[str, Any]:
    value = read_document(path).value
    return value if isinstance(value, dict) else {}


def _wa_point(settings: Mapping[str, Any]) -> Question:
    """On the first drive of the page, as a question of `ftlab wa` has none."""
    op = settings.get("op")
    return Question(FIRST_DRIVE, op=None if op is None else _ratio(op), policy=settings.get("policy"),
                    d=int(settings.get("d", 10)),
                    window=_ratio(settings.get("window", 0.1)), frontiers=settings.get("frontiers", "one"),
                    workload=_workload(str(settings.get("workload", "uniform"))))


def _run_point(grid: Any, settings: Mapping[str, Any]) -> Question:
    drive, rest = settings.get("drive", grid.drive), {key: value for key, value in settings.items()
                                                     if key not in ("drive", "job", "host")
                                                     and not key.startswith(JOB_OPTION)}
    place = str(grid.document.folder / drive) if "/" in drive or drive.endswith(".json") else drive
    sectors = rest.pop("user_sectors", None)
    op = facts_of(place).flash_bytes / (int(sectors) * SECTOR_BYTES) - 1 if isinstance(sectors, int) else None
    if sectors is not None and op is None:
        rest["user_sectors"] = sectors
    policy, frontiers = rest.pop("ftl.gc.policy", None), rest.pop("ftl.frontiers", None)
    job = settings.get("job", grid.job)
    return Question(place, op=op, policy=policy, d=int(rest.pop("ftl.gc.d", 10)), frontiers=frontiers,
                    workload=Workload("job file", path=str(grid.document.folder / job)),
                    more=tuple((key, value if isinstance(value, str) else json.dumps(value)) for key, value in rest.items()))


def _workload(word: str) -> Workload:
    kind, _, rest = word.partition(":")
    numbers = [float(part) for part in rest.split(":") if part]
    if kind not in KINDS:
        raise ConfigError("is not a workload of the page", key="workload", got=word, allowed=", ".join(KINDS))
    if kind == "hot-cold":
        return Workload(kind, hot_writes=numbers[0], hot_pages=numbers[1])
    return Workload(kind, skew=numbers[0]) if kind == "zipf" else Workload(kind)


def _ratio(value: Any) -> float:
    return float(value[:-1]) / 100 if isinstance(value, str) and value.endswith("%") else float(value)
