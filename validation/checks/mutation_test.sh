#!/usr/bin/env bash
# The tool of mutation testing: its own tests, and whether the lists of seeded bugs and of survivors still fit the tree.
set -eu
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$FTLAB_SOURCE/validation/mutation "${FTLAB_PYTHON:-python3}" -m unittest mutation_test
