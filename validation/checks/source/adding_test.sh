#!/usr/bin/env bash
# Policies, formats, figures, drives and options are added in as few files as adding.py says.
set -eu
python3 "$FTLAB_SOURCE/validation/checks/source/adding.py"
