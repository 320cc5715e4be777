#!/usr/bin/env bash
# The instrument and fio in turn on a file, a loop device and device-mapper targets, watched from outside: nothing is written
# but what the job names. How fast both are is printed only.
set -u
. "$FTLAB_SOURCE/validation/checks/commands/instrument.sh"

command -v fio >/dev/null || { echo "skipped: there is no fio"; exit 77; }
alone=(unshare --pid --fork --mount-proc)
"${alone[@]}" true 2>stderr || { echo "skipped: no processes of our own: $(cat stderr)"; exit 77; }
"${alone[@]}" "${FTLAB_PYTHON:-python3}" "$FTLAB_SOURCE/validation/measure/beside_fio.py" --bin "$FTLAB_BIN" --minutes 0 \
  --patterns write mixed --depths 1 32 --seconds 1 --size-mib 16 >stdout 2>stderr
status=$?
cat stdout stderr
expect "what was watched held" test "$status" -eq 0
expect "a file was measured" grep -q "^| file | write | 32 |" stdout
conclude
