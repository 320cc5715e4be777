"""Sweeps: grids of parameters, computed by many processes, with results that are kept.

    found = ftlab.sweep("grid.json", out="results")     # again after a kill: goes on
    found.frame(); found.summary(); found.failures      # pandas
    found.export("results.parquet")                     # for DuckDB and others

See README.md here for the grid's language and what is promised. `ftlab sweep` is the same as a command.
"""

from ftlab.sweeps.sweep import Count, Sweep, sweep

__all__ = ["Count", "Sweep", "sweep"]
