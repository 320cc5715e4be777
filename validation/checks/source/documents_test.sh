#!/usr/bin/env bash
# The commands in the documents work (the slow ones: exist), their links lead somewhere, their lengths are kept: documents.py.
set -eu
command -v "$FTLAB_PYTHON" >/dev/null || { echo "skipped: no Python"; exit 77; }
"$FTLAB_PYTHON" "$FTLAB_SOURCE/validation/checks/source/documents.py" "$FTLAB_BIN"
