"""Sweeps: grids of parameters, computed by many processes, with persistent results.

    found = ftlab.sweep("grid.json", out="results")     # after a kill: resumes
    found.frame(); found.summary(); found.failures      # pandas
    found.export("results.parquet")                     # for DuckDB and others

docs/guide.md describes the format of grids. The command `ftlab sweep` does the same.
"""

from ftlab.sweeps.sweep import Count, Sweep, sweep

__all__ = ["Count", "Sweep", "sweep"]
