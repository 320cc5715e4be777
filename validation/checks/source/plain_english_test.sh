#!/usr/bin/env bash
# Comments and messages are in plain English: the limits of plain_english.py hold.
set -eu
python3 "$FTLAB_SOURCE/validation/checks/source/plain_english.py"
