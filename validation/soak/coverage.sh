#!/usr/bin/env bash
# Which lines and branches of the translation layer, the flash and the guard the tests run. Builds the preset `coverage`
# (clang), runs every test file, prints `name asked reached failures`.
#   coverage.sh [--json FILE] [--uncovered] [--build DIR] [--asked LINES BRANCHES]
# Needs clang and llvm (llvm-profdata, llvm-cov; Debian: packages clang and llvm) besides what a build needs.
set -eu
cd "$(dirname "$0")/../.."
build=build/presets/coverage
others=()
while [ $# -gt 0 ]; do
  case $1 in
    --build) build=${2:?--build wants a folder}; shift ;;
    *) others+=("$1") ;;
  esac
  shift
done
if [ "$build" = build/presets/coverage ]; then
  cmake --preset coverage >/dev/null
  cmake --build --preset coverage --target ftlab-tests --target ftlab-signature
fi
exec python3 validation/soak/coverage.py "$build" ${others[@]+"${others[@]}"}
