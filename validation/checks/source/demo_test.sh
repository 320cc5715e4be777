#!/usr/bin/env bash
# `make demo` prints what README.md shows.
set -eu
"$FTLAB_PYTHON" "$FTLAB_SOURCE/validation/checks/source/documents.py" "$FTLAB_BIN" demo
