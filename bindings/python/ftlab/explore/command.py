"""Opens an interactive page for design questions: over-provisioning, policy, workload, caches; answers at once.

The page is served on this computer alone, under an address with a token. Ctrl-C ends it.
"""

from __future__ import annotations

import argparse
import errno
import importlib.util
import secrets
import socket
import sys
import webbrowser
from typing import TYPE_CHECKING, Any, Callable, Tuple

from ftlab.errors import ConfigError

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
    from ftlab.explore.start import start_of
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
