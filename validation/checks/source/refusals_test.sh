#!/usr/bin/env bash
# Every sentence with which the sources refuse an input is shown by a bad input or a test, or stands in refusals_elsewhere.json
# with the reason why it is not.
set -u
exec "${FTLAB_PYTHON:-python3}" "$FTLAB_SOURCE/validation/checks/source/refusals_covered.py"
