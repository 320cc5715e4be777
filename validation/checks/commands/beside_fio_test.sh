#!/usr/bin/env bash
# The instrument and fio in turn on a file, a loop device and device-mapper targets, watched from outside: nothing is written
# but what the job names. How fast both are is printed only; validation/measure/beside_fio.py judges it on a quiet machine.
set -u
. "$FTLAB_SOURCE/validation/checks/commands/instrument.sh"

command -v fio >/dev/null || { echo "skipped: there is no fio"; exit 77; }
alone=(unshare --pid --fork --mount-proc)
"${alone[@]}" true 2>stderr || { echo "skipped: no processes of our own: $(cat stderr)"; exit 77; }
"${alone[@]}" "${FTLAB_PYTHON:-python3}" "$FTLAB_SOURCE/validation/measure/beside_fio.py" --bin "$FTLAB_BIN" --minutes 1 \
  --patterns write,mixed --depths 1,32 --seconds 3 --size-mib 16 --watch-only >stdout 2>stderr
status=$?
cat stdout stderr
expect "what was watched held" test "$status" -eq 0
expect "in each round both have the two turns outside in turn" \
  env PYTHONPATH="$FTLAB_SOURCE/validation/measure" "${FTLAB_PYTHON:-python3}" -c '
import turns
order = []
class Named:
    def __init__(self, name):
        self.name = name
    def turn(self):
        order.append(self.name)
        return len(order)
turns.time.monotonic = lambda: len(order)  # a turn lasts a second
found = turns.rounds(Named("a"), Named("b"), until=5)
assert order == ["a", "b", "b", "a", "b", "a", "a", "b"], order
assert found == [([1, 4], [2, 3]), ([6, 7], [5, 8])], found
'
expect "what makes no requests, or ends, is told of with what it said, and nothing of it is left" \
  env PYTHONPATH="$FTLAB_SOURCE/validation/measure" "${FTLAB_PYTHON:-python3}" -c '
import os, turns
turns.PATIENCE_S = 0.5
disk = turns.Disk(".")
def refused(command, why, forks=False):
    try:
        turns.Program(command, ".", disk, 4096, forks)
    except turns.Failed as failure:
        assert all(part in str(failure) for part in why), failure
        assert not turns.children(os.getpid())
        return True
assert refused(["sleep", "60"], ["sleep 60", "makes no requests"])
assert refused(["sh", "-c", "echo because >&2"], ["because"])
assert refused(["sleep", "60"], ["has started no process"], forks=True)
'
expect "a program is stopped between its turns, and its account is that of its requests" \
  env PYTHONPATH="$FTLAB_SOURCE/validation/measure" "${FTLAB_PYTHON:-python3}" -c '
import json, time, turns
job = ["fio", "--output-format=json", "--name=j", "--filename=taken", "--size=4m", "--rw=randwrite", "--bs=4k", "--direct=1",
       "--ioengine=psync", "--time_based", "--runtime=2"]
fio = turns.Program(job, ".", turns.Disk("."), 4096, forks=True)
before = turns.bytes_moved(fio.process), turns.cpu_ns(fio.process)
time.sleep(0.2)
assert before == (turns.bytes_moved(fio.process), turns.cpu_ns(fio.process))
iops, cpu_us = fio.turn()
assert iops > 0 and 0 < cpu_us < 1.1e6 / iops, (iops, cpu_us)
time.sleep(2)
counted = turns.bytes_moved(fio.process)
text = fio.output()
said = json.loads(text[text.index("{"):])["jobs"][0]["write"]["io_bytes"]
assert abs(said - counted) < said / 4, (said, counted)
try:
    fio.turn()
    raise SystemExit("what has ended had a turn")
except turns.Failed as failure:
    assert "has ended in its turn" in str(failure), failure
'
expect "a delay of 200 us a request that one of two programs has is found" \
  env PYTHONPATH="$FTLAB_SOURCE/validation/measure" "${FTLAB_PYTHON:-python3}" -c '
import statistics, time, turns
job = ["fio", "--name=j", "--filename=taken", "--size=4m", "--rw=randwrite", "--bs=4k", "--direct=1", "--ioengine=psync",
       "--time_based", "--runtime=6"]
programs = []
try:
    for more in ([], ["--thinktime=200us"]):
        programs.append(turns.Program(job + more, ".", turns.Disk("."), 4096, forks=True))
    held = turns.rounds(*programs, time.monotonic() + 3)
finally:
    for program in programs:
        program.kill()
each = [1e6 / statistics.mean(turn[0] for turn in slow) - 1e6 / statistics.mean(turn[0] for turn in fast) for fast, slow in held]
print(sorted(map(round, each)))
assert statistics.median(each) > 100, each
'
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
