#!/usr/bin/env bash
# The rules of structure.py hold.
set -eu
python3 "$FTLAB_SOURCE/validation/checks/source/structure.py"
