#!/usr/bin/env bash
# What ends a measurement before its time leaves a result that can be read and says that it is incomplete.
set -u
. "$FTLAB_SOURCE/validation/checks/commands/instrument.sh"

cat >base.fio <<'JOB'
[global]
filename=target
direct=1
ioengine=io_uring
bs=4k
size=8m
[j]
rw=${RW}
JOB
export RW=write
dd if=/dev/urandom of=target bs=1M count=16 status=none
sync target
cat >long.fio <<'JOB'
[j]
filename=target
direct=1
ioengine=io_uring
iodepth=4
bs=4k
rw=randrw
size=16m
time_based
runtime=30
log_avg_msec=100
write_bw_log=b
JOB
settle
"$measure" long.fio --device target --destroy=target --out killed >/dev/null 2>&1 &
pid=$!
sleep 1.5
kill -9 $pid
wait $pid 2>/dev/null
expect "kill -9: the mark says that it is incomplete" grep -q "incomplete" killed/INCOMPLETE
expect "kill -9: the preamble can be read" test "$(field killed/preamble.json device serial)" = target
expect "kill -9: the intervals that had ended are there" test "$(wc -l <killed/series.csv)" -ge 3
expect "kill -9: every line is whole" awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' killed/series.csv
expect "kill -9: there is no result that could be taken for whole" absent killed/result.json

settle
"$measure" long.fio --device target --destroy=target --out stopped >stdout 2>stderr &
pid=$!
sleep 1
kill -INT $pid
wait $pid
expect "an interrupt: status 130 (got $?)" test $? -eq 130
expect "an interrupt: what was measured is a result" test "$(field stopped/result.json jobs 0 write total_ios)" -gt 0
expect "an interrupt: it says so" test "$(field stopped/result.json ftlab ended_because)" = "it was interrupted"
expect "an interrupt: marked" grep -q "interrupted" stopped/INCOMPLETE
expect "an interrupt: nothing was left in flight" test "$(field stopped/result.json ftlab faults count)" = 0

settle
"$measure" long.fio --device target --destroy=target --out vanished >stdout 2>stderr &
pid=$!
sleep 1
truncate -s 4k target
wait $pid
expect "a device that vanishes: status 3" test $? -eq 3
expect "a device that vanishes: the first fault is kept" grep -q "bytes were transferred\|No space\|error" vanished/INCOMPLETE
expect "a device that vanishes: what was measured before is a result" \
  test "$(field vanished/result.json jobs 0 read total_ios)" -gt 0
expect "a device that vanishes: it says so" test "$(field vanished/result.json ftlab complete)" = False
rm target

export RW=write
truncate -s 16m sparse
settle
(ulimit -f 4096; "$measure" base.fio --device sparse --destroy=sparse --set-job size=16m --out full >stdout 2>stderr)
expect "a target that is full: status 3" test $? -eq 3
expect "a target that is full: it is told" grep -q "File too large\|No space left" full/INCOMPLETE
expect "a target that is full: what went before is a result" test "$(field full/result.json jobs 0 write total_ios)" -ge 1000

conclude
