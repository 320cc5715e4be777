#!/usr/bin/env bash
# Every seeded bug of bugs.json, one after the other, against the per-commit tests: each must be caught, the canary first.
# Arguments as those of mutate.py (--jobs, --json, --work).
exec python3 "$(dirname "$0")/mutate.py" --bugs "$@"
