"""ftlab: a laboratory for flash translation layers."""

from ftlab.errors import ConfigError

__all__ = ["ConfigError"]
