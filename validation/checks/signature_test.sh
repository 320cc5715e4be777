#!/usr/bin/env bash
# This build behaves as signature.txt says. A change of behaviour changes that file in the same commit, with its reason.
set -eu
program=$FTLAB_BIN/ftlab-signature
accepted=$FTLAB_SOURCE/validation/checks/data/signature.txt

if [ ! -e "$FTLAB_SOURCE/validation/checks/signature_main.cpp" ]; then
  echo "skipped: there is no signature_main.cpp yet"
  exit 77
fi
"$program" >signature.txt
if ! diff -u "$accepted" signature.txt; then
  echo "The behaviour of ftlab has changed. If that is meant: $program > $accepted"
  exit 1
fi
