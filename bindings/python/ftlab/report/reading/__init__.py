"""Reads and checks the sources of a report: results, figures and tables."""
