#!/usr/bin/env bash
# Writes the scoreboard anew into validation/README.md, behind its last mark: validation/scoreboard/scoreboard.sh [FTLAB]
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
ftlab=${1:-$top/build/bin/ftlab}
readme=$top/validation/README.md
new=$(mktemp "$readme.XXXXXX")
trap 'rm -f "$new"' EXIT
sed '/^<!-- scoreboard -->$/q' "$readme" >"$new"
echo >>"$new"
"$ftlab" validate --markdown >>"$new"
chmod --reference="$readme" "$new"
mv "$new" "$readme"
