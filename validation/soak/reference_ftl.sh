#!/usr/bin/env bash
# A hundred million requests through the translation layer and through a naive one (validation/checks/reference/reference_ftl.h), a
# quarter of an hour of CPU. Prints `name asked reached failures`.
#   reference_ftl.sh [--bin FOLDER] [--json FILE]
set -u
bin=$(dirname "$0")/../../build/bin json=
while [ $# -gt 1 ]; do
  case $1 in
    --bin) bin=$2 ;;
    --json) json=$2 ;;
    *) echo "reference_ftl.sh: unknown argument $1; allowed: --bin FOLDER, --json FILE" >&2; exit 2 ;;
  esac
  shift 2
done
[ $# -eq 0 ] || { echo "reference_ftl.sh: $1 wants a value" >&2; exit 2; }
said=$("$bin/ftlab-tests" "a naive translation layer puts a hundred million*")
status=$?
read -r asked reached < <(printf '%s\n' "$said" | awk '/^requests compared with a naive/ { print $(NF - 1), $NF }')
failures=$((status != 0))
[ "$failures" = 0 ] || printf '%s\n' "$said" >&2
printf '%-44s %12s %12s %6s\n' 'requests compared with a naive layer' "${asked:-100000000}" "${reached:-0}" "$failures"
if [ -n "$json" ]; then
  printf '{"figures": [{"name": "requests compared with a naive layer", "asked": %s, "reached": %s, "failures": %s}]}\n' \
    "${asked:-100000000}" "${reached:-0}" "$failures" >"$json"
fi
exit "$failures"
