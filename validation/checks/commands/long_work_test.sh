#!/usr/bin/env bash
# Long work: a run that is killed at any point leaves no half-written result or state and can be started again; an output
# folder that cannot be written and a full standard output are said; a clock that jumps changes no result.
set -u
. "$FTLAB_SOURCE/validation/checks/commands/command_line.sh"

cat >job.fio <<'JOB'
[global]
filename=/dev/ssd-under-test
ioengine=libaio
direct=1
randrepeat=0

[write]
rw=randwrite
bs=16k
iodepth=4
norandommap
io_size=1g
write_bw_log=write
JOB

# same_result A B: all files but the effort of the simulator.
same_result() {
  python3 - "$@" <<'PYTHON'
import json, pathlib, sys
def content(folder):
    files = {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}
    result = json.loads(files["result.json"])
    del result["ftlab"]["simulator"]
    files["result.json"] = json.dumps(result)
    return files
a, b = map(content, sys.argv[1:])
sys.exit([name for name in sorted(a.keys() | b.keys()) if a.get(name) != b.get(name)] or 0)
PYTHON
}
is_json() { python3 -m json.tool "$1"; }

run 0 "the run that others are held against" run job.fio "${small[@]}" --save state --out whole

# --- killed at any point, and started again
began=$(date +%s%N)
run 0 "the same run, for its time" run job.fio "${small[@]}" --save state-again --out again
took=$((($(date +%s%N) - began) / 1000))
expect "a saved state is the same again" cmp state state-again
rounds=16
killed=0
for round in $(seq "$rounds"); do
  "$ftlab" run job.fio "${small[@]}" --save killed.state --replace --out killed >stdout 2>stderr &
  process=$!
  sleep "$(awk -v us="$took" -v r="$round" -v n="$rounds" 'BEGIN { printf "%.3f", us / 1e6 * (r - 0.5) / n * 1.1 }')"
  # A machine that is less busy than before is faster: later rounds then kill sooner.
  if kill -KILL "$process" 2>kill.log; then killed=$((killed + 1)); else took=$((took * 3 / 4)); fi
  wait "$process" 2>wait.log
  if [ -e killed ]; then expect "killed in part $round of $rounds: the result is whole" same_result whole killed; fi
  if [ -e killed.state ]; then expect "killed in part $round of $rounds: the state is whole" cmp state killed.state; fi
done
expect "many of the runs were killed while they worked ($killed of $rounds)" test "$killed" -ge $((rounds / 4))
run 0 "the run after all these" run job.fio "${small[@]}" --save killed.state --replace --out killed
expect "its result is that of a run that was never killed" same_result whole killed
expect "its state, too" cmp state killed.state

# --- a place that cannot be written
mkdir fixed
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=1m,ro tmpfs fixed 2>mount.log; then
  trap 'umount fixed' EXIT
  run 2 "a read-only output folder" run job.fio "${small[@]}" --out fixed/result
  expect "the message names it" grep -q fixed stderr
  expect "the message gives the reason" grep -qi "read-only" stderr
else
  echo "not checked: a read-only file system (no right to mount one)"
fi
"$ftlab" run job.fio "${small[@]}" --json --out full >/dev/full 2>stderr
expect "a full standard output: the result is there all the same" same_result whole full

# --- a clock that jumps, by hours, back and forth, with every look at it
cat >clock.cpp <<'CPP'
#include <ctime>
#include <sys/time.h>
namespace {
long jump() {
  static long looks = 0;
  ++looks;
  return looks % 5 == 0 ? 400'000 : looks % 3 == 0 ? -90'000 : 0;
}
}  // namespace
extern "C" int clock_gettime(clockid_t, timespec* t) noexcept {
  static long now = 1'700'000'000;
  t->tv_sec = ++now + jump();
  t->tv_nsec = 0;
  return 0;
}
extern "C" time_t time(time_t* t) noexcept {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (t != nullptr) *t = now.tv_sec;
  return now.tv_sec;
}
extern "C" int gettimeofday(timeval* t, void*) noexcept {
  t->tv_sec = time(nullptr);
  t->tv_usec = 0;
  return 0;
}
CPP
if ! grep -q -e __asan_init -e __tsan_init "$ftlab" && "${CXX:-g++}" -std=c++20 -shared -fPIC -o clock.so clock.cpp 2>compile.log; then
  LD_PRELOAD=$PWD/clock.so "$ftlab" run job.fio "${small[@]}" --save jumped.state --out jumped >stdout 2>stderr
  expect "a clock that jumps: the run ends well ($(head -1 stderr))" test $? -eq 0
  expect "a clock that jumps: the same result" same_result whole jumped
  expect "a clock that jumps: the same state" cmp state jumped.state
  expect "its result is JSON" is_json jumped/result.json
else
  echo "not checked: a clock that jumps (no compiler, or a build with sanitizers)"
fi
conclude
