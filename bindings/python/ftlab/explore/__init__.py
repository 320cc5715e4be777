"""The interactive page for design questions: `ftlab explore`; in a notebook `ftlab.explore.explorer("DRIVE")`.

Needs Panel: pip install 'ftlab[explore]'.
"""

from __future__ import annotations

from typing import Any, Optional

__all__ = ["explorer"]


def explorer(start: Optional[str] = None) -> Any:
    """The page as a widget of a notebook. start: as the argument of `ftlab explore`. Raises ConfigError."""
    import panel
    from ftlab.explore.page import Page
    from ftlab.explore.command import start_of
    panel.extension("vega")
    return Page(*start_of(start)).view()
