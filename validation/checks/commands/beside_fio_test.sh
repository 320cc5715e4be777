#!/usr/bin/env bash
# The instrument and fio in turn on a file, a loop device and device-mapper targets, watched from outside: nothing is written
# but what the job names. How fast both are is printed only; validation/measure/beside_fio.py judges it on a quiet machine.
set -u
. "$FTLAB_SOURCE/validation/checks/commands/instrument.sh"

command -v fio >/dev/null || { echo "skipped: there is no fio"; exit 77; }
alone=(unshare --pid --fork --mount-proc)
"${alone[@]}" true 2>stderr || { echo "skipped: no processes of our own: $(cat stderr)"; exit 77; }
"${alone[@]}" "${FTLAB_PYTHON:-python3}" "$FTLAB_SOURCE/validation/measure/beside_fio.py" --bin "$FTLAB_BIN" --minutes 1 \
  --patterns write,mixed --depths 1,32 --seconds 1 --size-mib 16 --watch-only >stdout 2>stderr
status=$?
cat stdout stderr
expect "what was watched held" test "$status" -eq 0
expect "the middle of rounds scatters as its standard error says, less than a median, and one bad round hardly moves it" \
  env PYTHONPATH="$FTLAB_SOURCE/validation/measure" "${FTLAB_PYTHON:-python3}" -c '
import random, statistics
from beside_fio import middle, standard_error
drawn = random.Random(1)
samples = [[drawn.gauss(0, 1) for _ in range(25)] for _ in range(1000)]
scatter = statistics.stdev(map(middle, samples))
assert 0.85 < statistics.mean(map(standard_error, samples)) / scatter < 1.1
assert scatter < 0.9 * statistics.stdev(map(statistics.median, samples))
assert abs(middle(samples[0][1:] + [1000]) - middle(samples[0])) < 0.2
'
expect "a file was measured" grep -q "^| file | write | 32 |" stdout
conclude
