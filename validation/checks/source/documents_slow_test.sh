#!/usr/bin/env bash
# All commands in the documents work, those that documents_test.sh only looks up included: documents.py.
set -eu
command -v "$FTLAB_PYTHON" >/dev/null || { echo "skipped: no Python"; exit 77; }
"$FTLAB_PYTHON" "$FTLAB_SOURCE/validation/checks/source/documents.py" "$FTLAB_BIN" slow
