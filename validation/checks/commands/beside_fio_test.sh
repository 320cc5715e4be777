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
expect "rounds add up over calls of one program, and those of another are refused before time starts" \
  env PYTHONPATH="$FTLAB_SOURCE/validation/measure" "${FTLAB_PYTHON:-python3}" -c '
import argparse, json, pathlib, sys
from beside_fio import Cell, Failed, Kept
wanted = argparse.Namespace(bin=sys.argv[1], seconds=1, size_mib=16)
path = pathlib.Path("rounds")
target = argparse.Namespace(name="file")
for call in range(3):
    cell = Cell(target, "read", 4, Kept(path, wanted))
    assert len(cell.ratios()) == call
    cell.kept.add(cell.name, [[100, 2], [100, 2]], [[100, 1], [100, 1]])
    cell.kept.add(("loop", "read", 4), [[1, 1], [1, 1]], [[2, 1], [2, 1]])
assert cell.ratios() == [0, 0]
def refused(wanted, why):
    try:
        Kept(path, wanted)
    except Failed as failure:
        assert why in str(failure), failure
        return True
assert refused(argparse.Namespace(bin=sys.argv[1], seconds=2, size_mib=16), "its rounds are of")
path.write_text(path.read_text() + "torn")
assert refused(wanted, "not a whole file of rounds")
' "$FTLAB_BIN"
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
