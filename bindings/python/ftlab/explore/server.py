"""Serves the page on this computer alone, under an address that has a token."""

from __future__ import annotations

import errno
import secrets
import socket
from typing import Any, Callable, Tuple

import panel as pn

from ftlab.errors import ConfigError
from ftlab.explore.page import STYLE, Page

ADDRESS = "127.0.0.1"
_PAGE = "explore"


def served(make_page: Callable[[], Page], port: int) -> Tuple[Any, str]:
    """The server, not started, and the address of the page. The token is the first part of every path; any other path is
    not found. port: 0 for a free one. Raises ConfigError for a port that is in use."""
    token, port = secrets.token_urlsafe(24), _checked_port(port)
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
                          check_unused_sessions_milliseconds=5000,
                          unused_session_lifetime_milliseconds=10000)
    except OSError as error:
        raise _refused(port, error) from None
    return server, f"http://{ADDRESS}:{port}/{token}/{_PAGE}"


def _checked_port(port: int) -> int:
    """A free port, or this one if it is free."""
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
