"""The pictures of a report, one module per kind."""
