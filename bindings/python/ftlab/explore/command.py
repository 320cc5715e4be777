"""Opens an interactive page for design questions: over-provisioning, policy, workload, caches; answers at once.

The page is served on this computer alone, under an address with a token. Ctrl-C ends it.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import webbrowser

from ftlab.errors import ConfigError


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
    from ftlab.explore.page import Page  # takes seconds: after what is refused
    from ftlab.explore.server import served
    server, address = served(lambda: Page(question, points), arguments.port)
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
