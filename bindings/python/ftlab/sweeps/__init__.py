"""Sweeps: grids of parameters, computed by many processes, with results that are kept.

    found = ftlab.sweep("grid.json", out="results")     # again after a kill: goes on
    found.frame(); found.summary(); found.failures      # pandas
    found.export("results.parquet")                     # for DuckDB and others

docs/guide.md has the language of grids. `ftlab sweep` is the same as a command.
"""

from ftlab.sweeps.sweep import Count, Sweep, sweep

__all__ = ["Count", "Sweep", "sweep"]
