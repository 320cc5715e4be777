#!/usr/bin/env bash
# Builds the fuzzers (preset `fuzz`: clang, libFuzzer, sanitizers) and lets each search for its share of the time.
#   fuzz.sh [--seconds S] [--json FILE] [--only DOOR]... [--jobs N] [--asked EXECUTIONS]
# Prints a table; status 1 when something was found. Needs clang besides what a build needs.
set -eu
cd "$(dirname "$0")/../.."
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target fuzzers >/dev/null
exec python3 validation/fuzz/fuzz.py build/presets/fuzz/bin "$@"
