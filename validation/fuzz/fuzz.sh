#!/usr/bin/env bash
# Builds the fuzzers (preset `fuzz`: clang, libFuzzer, sanitizers) and lets each search for its share of the time.
#   fuzz.sh [--fast] [--build] [--seconds S] [--json FILE] [--only DOOR]... [--jobs N] [--asked EXECUTIONS]
# --fast takes the preset `fuzz-fast`, without sanitizers, which goes on with the same corpora; --build only builds. Prints a
# table; status 1 when something was found. Needs clang with its runtime besides what a build needs (.ci/setup fuzz).
set -eu
cd "$(dirname "$0")/../.."
preset=fuzz
if [ "${1-}" = --fast ]; then
  preset=fuzz-fast
  shift
fi
cmake --preset $preset >/dev/null
built=$(cmake --build --preset $preset --target fuzzers 2>&1) || { printf '%s\n' "$built" >&2; exit 1; }
[ "${1-}" = --build ] && exit 0
exec python3 validation/fuzz/fuzz.py build/presets/$preset/bin "$@"
