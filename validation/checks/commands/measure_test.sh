#!/usr/bin/env bash
# The instrument from the command line, on files of its own: refusals, what is written, what has no
# data, promises, procedures.
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
export RW=randread

instrument 0 "a new file that is only read" base.fio --device target --create --size 16m --out nothing
expect "such a file does not stay" absent target
instrument 0 "the help" --help
expect "says that it is removed" grep -q 'removed at the end unless a job wrote to it' <(tr -s ' \n' ' ' <stdout)
instrument 0 "a new file that is only read, and kept" base.fio --device target --create --keep --size 16m --out nothing-kept
expect "stays" test "$(stat -c %s target)" -eq 16777216
rm -f target
instrument 2 "keeping what is not made" base.fio --device target --keep --out refused
expect "is told" grep -q "^--keep: is for the file that --create makes; any other one stays as it is$" stderr
dd if=/dev/urandom of=target bs=1M count=16 status=none
sync target
instrument 0 "a file" base.fio --device target --out first
expect "the preamble is there" test "$(field first/preamble.json device size_bytes)" = 16777216
expect "the result says that it was measured" test "$(field first/result.json ftlab kind)" = measured
expect "and that it is complete" test "$(field first/result.json ftlab complete)" = True
expect "no mark is left" absent first/INCOMPLETE
expect "fio's readers find requests and latencies" test "$(field first/result.json jobs 0 read total_ios)" = 2048
expect "the two parts of the latency sum to all" python3 -c '
import json; d = json.load(open("first/result.json")); lat = d["jobs"][0]["read"]["lat_ns"]; parts = d["ftlab"]["latency_parts_ns"]
assert abs(parts["host"] + parts["device"] - lat["mean"] * lat["N"]) < lat["N"] + 1'

# Refusals
RW=write instrument 2 "writes without the serial number" base.fio --device target --out refused
expect "it says what to type" grep -q -- "--destroy=target" stderr
expect "nothing is left behind" absent refused
instrument 2 "an earlier result" base.fio --device target --out first
expect "it is told" grep -q "^first: --out: exists already; a measurement is never replaced, choose another folder$" stderr
instrument 2 "a new file of no size" base.fio --device new --create --out refused
expect "it is told" grep -q "^--create: needs --size, and no --offset: it is the size of the new file$" stderr
instrument 2 "a range behind the end" base.fio --device target --offset 16m --out refused
expect "it is told" grep -q "^--offset: lies behind the end of the device (got 16777216; allowed: less than 16777216)$" stderr
instrument 2 "a range without a sector" base.fio --device target --size 100 --out refused
expect "it is told" grep -q "^--size: is less than a sector (got 100; allowed: at least 512 bytes)$" stderr
printf '%s\n' 128166372003061629,hm,0,Read,8192,4096,0 >trace.csv
instrument 2 "a trace" trace.csv --device target --out refused
expect "it is told" grep -q "^trace.csv: is a trace, and a job file is asked for here; it is for ftlab run$" stderr
instrument 2 "a misspelt option" base.fio --devise target --out refused
expect "the nearest is named" grep -q "did you mean --device?" stderr
instrument 2 "nothing to do" --device target --out refused
expect "it is told" grep -q "^ftlab-measure: needs a job file or a procedure$" stderr
RW=trim instrument 2 "trims without consent" base.fio --device target --destroy=target --out refused
expect "it says what to say" grep -q -- "--allow-discard" stderr
instrument 2 "a unit below that of direct I/O" base.fio --device target --offset 100 --size 8m --out refused
instrument 2 "more requests than are allowed" base.fio --device target --set-job iodepth=5000 --out refused
instrument 2 "a size that is none" base.fio --device target --size big --out refused
RW=write instrument 2 "zones" base.fio --device target --destroy=target --set-job zonemode=zbd --set-job zonesize=1m --out refused
expect "it is told" grep -q "j.zonemode: is for simulated drives: no zone of a real one is reset (got zbd; allowed: none, strided)$" stderr
RW=write instrument 0 "a dry run" base.fio --device target --destroy=target --dry-run
expect "it counts the bytes" grep -q "8.4 MB by amount: 0.500 times the range" stdout
expect "and writes nothing" absent out

# What is written
export RW=write
instrument 0 "bytes that compress" base.fio --device target --destroy=target --set-job buffer_compress_percentage=60 \
  --set-job refill_buffers=1 --out compress
expect "40 % of it is left" python3 -c '
import zlib
data = open("target", "rb").read(8 << 20)
left = sum(len(zlib.compress(data[i:i + 4096], 1)) for i in range(0, len(data), 4096)) / len(data)
assert abs(left - 0.4) < 0.03, left'
instrument 0 "bytes that repeat" base.fio --device target --destroy=target --set-job dedupe_percentage=50 --out dedupe
expect "half of the blocks are copies" python3 -c '
data = open("target", "rb").read(8 << 20)
share = len({data[i:i + 4096] for i in range(0, len(data), 4096)}) / 2048
assert abs(share - 0.5) < 0.05, share'

# Threads in the place of io_uring
instrument 0 "threads" base.fio --device target --destroy=target --engine threads --set-job iodepth=8 --out threads
expect "they are named" grep -q "pread and pwrite by 8 threads" threads/result.json

# Holes: the file system answers reads of them, and no device is measured
holes="were never written: .*rw=write, or take a new file, made by --create"
export RW=read
truncate -s 16m sparse
instrument 2 "reads of a file with holes" base.fio --device sparse --offset 8m --out holes
expect "it is told how much, and the cure" grep -q "R8: 8388608 bytes of what would be read $holes" stderr
expect "nothing is left behind" absent holes
instrument 2 "a dry run says so too" base.fio --device sparse --offset 8m --dry-run
RW=randrw instrument 2 "reads among writes" base.fio --device sparse --destroy=sparse --offset 8m --out holes
fallocate -l 16m reserved
instrument 2 "room that was only reserved" base.fio --device reserved --out holes
expect "is told likewise" grep -q "R8: 8388608 bytes of what would be read $holes" stderr
RW=randwrite instrument 0 "writes alone" base.fio --device reserved --destroy=reserved --set-job size=4m --out some
instrument 2 "a part of it afterwards" base.fio --device reserved --out holes
expect "which is as much less" grep -q "R8: 4194304 bytes of what would be read $holes" stderr
instrument 0 "what was written" base.fio --device reserved --size 4m --set-job size=4m --out written
cat >fill.fio <<'JOB'
[global]
filename=reserved
direct=1
ioengine=io_uring
size=16m
stonewall
[fill]
rw=write
bs=1m
[read]
rw=randread
bs=4k
JOB
instrument 0 "reads behind a job that fills it" fill.fio --device reserved --destroy=reserved --out filled

settle
(ulimit -f 8; "$measure" base.fio --device reserved --out no-room >stdout 2>stderr)
expect "no room for the result: status 4" test $? -eq 4
expect "no room for the result: it is told" grep -q "result.json" stderr
expect "no room for the result: the mark stays" grep -q "incomplete" no-room/INCOMPLETE
expect "no room for the result: no half of one" absent no-room/result.json

# Promises
dd if=/dev/zero of=plug bs=1M count=16 status=none
sync plug
cat >flushes.fio <<'JOB'
[j]
filename=plug
direct=1
ioengine=io_uring
iodepth=8
bs=4k
rw=randwrite
size=16m
norandommap
time_based
runtime=30
fsync=32
JOB
settle
"$measure" flushes.fio --device plug --destroy=plug --state promises --out pulled >/dev/null 2>&1 &
pid=$!
sleep 2
kill -9 $pid
wait $pid 2>/dev/null
expect "promises were kept on file" test "$(grep -c ^held promises)" -ge 32
instrument 0 "what was promised is there after kill -9" --check promises --device plug
expect "and it was looked for" grep -Eq "sectors read, [0-9]{3,} promised" stdout
cp plug other
instrument 2 "promises of another device" --check promises --device other
expect "it is told" grep -q "^promises:1: is of another device than other (got plug; allowed: other)$" stderr
held=$(awk '$1 == "held" { at[$3] = $2 + 1 } END { for (a in at) { print a; exit } }' promises)
dd if=/dev/zero of=plug bs=4096 seek=$((held / 4096)) count=1 conv=notrunc status=none
sync plug
instrument 3 "a promised block that is gone" --check promises --device plug
expect "it is called by its name" grep -q "8 zeros" stdout
truncate -s 8m plug
instrument 2 "a device that is shorter now" --check promises --device plug
instrument 2 "another device" --check promises --device target2
export RW=randwrite
dd if=/dev/zero of=verified bs=1M count=16 status=none
instrument 0 "a job that verifies" base.fio --device verified --destroy=verified --set-job verify=crc32c \
  --set-job iodepth=16 --out verify
expect "all blocks were read back" test "$(field verify/result.json ftlab verify reads)" = 2048

# A procedure
cat >steps.json <<'JSON'
{
  "name": "steps",
  "variables": {"depth": [1, 8]},
  "steps": [
    {"step": "purge", "how": "trim"},
    {"step": "precondition", "pattern": "sequential"},
    {
      "step": "repeat",
      "over": ["depth"],
      "steps": [
        {"step": "job", "name": "w", "lines": ["rw=randwrite", "bs=4k", "size=4m", "iodepth=${depth}", "write_iolog=s"]},
        {"step": "idle", "milliseconds": 200}
      ]
    }
  ]
}
JSON
instrument 0 "a procedure" steps.json --device own --create --size 16m --allow-discard --out procedure
expect "each step has its folder" test -s procedure/03-w/result.json -a -s procedure/05-w/result.json
expect "there is a table" test "$(wc -l <procedure/procedure.csv)" -eq 3
expect "it is complete" absent procedure/INCOMPLETE
expect "nothing is left of the running step" absent procedure/running.csv
expect "the preamble counts the bytes" test "$(field procedure/preamble.json plan write_bytes)" -eq $((24 << 20))
run 0 "it simulated" run steps.json "${small[@]}" --out simulated
for step in 03-w 05-w; do
  operations procedure/$step/s_iolog.1.log >real.txt
  operations simulated/$step/s_iolog.1.log >sim.txt
  expect "step $step: the simulator's sequence" cmp real.txt sim.txt
done
sed 's/"trim"/"new-drive"/' steps.json >new-drive.json
instrument 2 "a step that only a simulated drive can do" new-drive.json --device own --destroy=own --allow-discard --out new
expect "it says why" grep -q "purge it by hand" stderr
expect "nothing is left behind" absent new
instrument 2 "a purge without consent" steps.json --device own --destroy=own --out new

run 0 "ftlab measure hands over" measure base.fio --device target2 --create --size 8m --out handed
expect "to the same program" test "$(field handed/result.json ftlab kind)" = measured
run 2 "and its refusals come back" measure base.fio --device absent --out none
cp "$ftlab" alone
./alone measure base.fio --device target --out none 2>stderr
expect "without it the message says what builds it" says "needs the program ftlab-measure beside this one (.make build. builds it): .*: No such file"

conclude
