#!/usr/bin/env bash
# ftlab calibrate from the command line: a drive that was measured is found again, and every misuse is refused with the reason.
set -u
. "$FTLAB_SOURCE/validation/checks/commands/command_line.sh"

cat >job.fio <<'JOB'
[global]
filename=/dev/d
direct=1
ioengine=libaio
bs=4k
norandommap
randrepeat=0
stonewall
[fill]
rw=write
bs=1m
[p1]
rw=randread
time_based
runtime=300ms
[p2]
rw=randread
iodepth=2
time_based
runtime=200ms
[p4]
rw=randread
iodepth=4
time_based
runtime=200ms
JOB
run 0 "a drive is measured" run job.fio "${small[@]}" --set nand.read_ns=75000 --out measured
measured=(calibrate "${small[@]}" --measured measured)
fit=("${measured[@]}" --only bs=4096 --requests 2000)
key=(--fit nand.read_ns)

run 0 "a calibration" "${fit[@]}" "${key[@]}" --threads 3 --out new.json --report report
expect "the hidden number is found within 2 %" \
  python3 -c 'import json; v = json.load(open("new.json"))["nand"]["read_ns"]; assert v["from"] == "fitted" and 73500 < v["value"] < 76500, v'
expect "the table tells the key" grep -q "^nand.read_ns  *60000" stdout
expect "held-back points are told of" grep -q "^held back .*all" stdout
run 0 "the new drive file is accepted" check new.json
expect "a report for programs" test "$(field report/calibration.json keys 0 determined)" = True
expect "and for spreadsheets" grep -q ',randread,4096,2,1,read,iops,1,' report/points.csv
run 0 "the same on one thread" "${fit[@]}" "${key[@]}" --threads 1 --out one.json
expect "gives the same bytes" cmp one.json new.json
run 0 "nothing to fit" "${fit[@]}"
expect "tells the errors as they are" grep -q "^Nothing was fitted" stdout

grep -v -x -e '\[fill\]' -e 'rw=write' -e 'bs=1m' job.fio >empty.fio
run 0 "a drive that holds nothing is measured" run empty.fio "${small[@]}" --out empty
run 0 "its state can be found" calibrate "${small[@]}" --measured empty --requests 2000 --state fit
expect "and is named first" grep -q "^state of the drive: " stdout
expect "as a share" grep -q '^state.unwritten  *0.0000  *\(1.0000\|0.99[0-9]*\)  *0.0' stdout
expect "the share that only writes show is kept" grep -q "^state.random .*the data say nothing of it, kept" stdout
run 0 "so can that of the first one" "${fit[@]}" "${key[@]}" --out state.json --state fit
expect "with its share" grep -q "^state of the drive: \(sequential\|unwritten=0.0\)" stdout
expect "as a share and its deviation" grep -q "^state.unwritten  *0.0000  *0.0" stdout
expect "in the new file as its state" grep -q "drive taken as \(sequential\|unwritten=0.0\)" state.json
expect "which has no key of it" test -z "$(grep '"state"' state.json)"
run 2 "a state and a share of it" "${fit[@]}" --state fit:15%
expect "is refused" says "is not a state of a drive (got fit:15%"

# Reads only: points of writes last 17 ms of a drive so small.
run 0 "the next measurements are planned" calibrate "${small[@]}" --plan plan.fio --points 5 --requests 200 \
  --fit nand.read_ns
expect "with the expected deviation of each key" grep -q "^nand.read_ns  *60000  *70.0 % .* % .* %" stdout
expect "and what the simulation does not cover" grep -q "too few collections: --requests 12288$" stdout
expect "and the reason for each job" grep -q "^# Chosen as number 1: nand" plan.fio
run 0 "the same on one thread" calibrate "${small[@]}" --plan same.fio --points 5 --requests 200 --threads 1 \
  --fit nand.read_ns
expect "gives the same jobs" cmp plan.fio same.fio
run 0 "they are measured" run plan.fio "${small[@]}" --set nand.read_ns=75000 --out planned
run 0 "each in its state, they are fitted" calibrate "${small[@]}" --measured planned --state plan --requests 1000 \
  --fit nand.read_ns --out from_plan.json --report from_plan
expect "the hidden number is found within 3 %" \
  python3 -c 'import json; v = json.load(open("from_plan.json"))["nand"]["read_ns"]["value"]; assert 72800 < v < 77200, v'
expect "the report names the states" grep -q '"state": ".*sequential' from_plan/calibration.json
run 2 "a job file that is not of a plan" "${fit[@]}" --state plan
expect "is refused" says "needs job names that begin with the drive's state (got p1;"
run 2 "a result of only the preparation" "${measured[@]}" --only rw=write --state plan
expect "is refused" says "has only jobs that prepare a state, and --state is plan"
run 2 "a plan that exists" calibrate "${small[@]}" --plan plan.fio --fit nand.read_ns
expect "is not replaced" says "plan.fio: --plan: exists, and is not replaced"

cp new.json before.json
run 2 "an --out that exists" "${fit[@]}" "${key[@]}" --out new.json
expect "is refused by name" says "new.json: --out: exists, and is not replaced"
expect "and left alone" cmp new.json before.json
run 2 "no --out" "${fit[@]}" "${key[@]}"
expect "is told" says "--out: is missing (allowed: the name of the new drive file)"
run 2 "an --out without --fit" "${fit[@]}" --out x.json
expect "is told" says "is for the drive that is fitted, and there is no --fit"
run 2 "a misspelt key" "${fit[@]}" --fit nand.reed_ns --out x.json
expect "has its nearest name" says "did you mean nand.read_ns?"
run 2 "a key that is not a number" "${fit[@]}" --fit nand.cell --out x.json
expect "is told" says 'nand.cell: is not a number (got "mlc"'
run 2 "bounds the wrong way round" "${fit[@]}" --fit nand.read_ns:90000:20000 --out x.json
expect "are told" says "has bounds that leave no room (got 90000:20000; allowed: LOW below HIGH)"
run 2 "a bound that the drive file may not have" "${fit[@]}" --fit nand.bus_bytes_per_s:1:50000000 --out x.json
expect "is told" says "--fit: nand.bus_bytes_per_s: cannot go to its bound 1:"
run 2 "no point that matches" "${measured[@]}" --only depth=3 "${key[@]}" --out x.json
expect "is told with what there was" says "has no point to hold a simulation against; left out 4 points: not selected"
run 2 "everything held back" "${fit[@]}" "${key[@]}" --hold-back bs=4096 --out x.json
expect "leaves nothing to fit" says "leaves 0 figures to fit 1 keys to"
run 2 "a measurement that is not there" calibrate "${small[@]}" --measured nowhere "${key[@]}" --out x.json
expect "is told" says "nowhere: does not exist"
disk=(calibrate --drive hgst-7k-100 --measured "$FTLAB_SOURCE/validation/measured/hdd_hgst_7k_100.json" --only rw=randread,jobs=1)
run 0 "a disk" "${disk[@]}" --requests 300
expect "has its errors told, too" grep -q "^Nothing was fitted" stdout
run 2 "a key that a disk has not" "${disk[@]}" --fit nand.read_ns --out x.json
expect "is told" says "nand.read_ns: is not a key of the drive"

# Two drives behind one host, whose time for a request is hidden: both are of one number.
cat >host.json <<'HOST'
{
  "kind": "host", "name": "a host",
  "submit_ns": {"value": 9000, "from": "assumed", "source": "a start"},
  "complete_ns": {"value": 4000, "from": "assumed", "source": "a start"}
}
HOST
for read in 50000 70000; do
  run 0 "a drive behind a host" run job.fio "${small[@]}" --set nand.read_ns=$read --host host.json --set host.submit_ns=12000 \
    --out behind$read
done
expect "the host is echoed apart from the drive" test "$(field behind50000/result.json ftlab host submit_ns value)" = 12000
python3 - <<'PYTHON'
import json
for read in (50000, 70000):
    drive = json.load(open(f"behind{read}/drive.json"))
    assert "host" not in drive
    json.dump(drive, open(f"drive{read}.json", "w"))
PYTHON
both=(calibrate --drive drive50000.json --drive drive70000.json --measured behind50000 --measured behind70000 --host host.json)
# Only the rate contains the submission; each other figure of a point takes weight from it.
run 0 "a host is fitted to both" "${both[@]}" --only bs=4096 --figures iops,mean --requests 2000 --fit host.submit_ns --host-out found.json
expect "and is found within a deviation" \
  python3 -c 'import json; v = json.load(open("found.json"))["submit_ns"]; assert v["from"] == "fitted" and 10800 < v["value"] < 13200, v'
run 0 "the new host file is accepted" check found.json

board=(calibrate --drive ocz-vertex-4-256 --board --rows s001-016)
command=(--fit controller.read_unmapped_page_ns)
run 0 "a number, to a row of the scoreboard" "${board[@]}" "${command[@]}" --out row.json --report row --threads 1
expect "the row is told" grep -q '^s001-016 .* 205 ' stdout
expect "and for spreadsheets" grep -q '^vertex-4,s001-016,' row/rows.csv
run 0 "the new drive is accepted" check row.json
run 0 "the same on three threads" "${board[@]}" "${command[@]}" --out same.json --threads 3
expect "gives the same bytes" cmp row.json same.json
run 0 "rows of a disk, without a key" calibrate --drive wd-5000bpkt --board --rows s004-014
expect "are told as they are" grep -q "^Nothing was fitted" stdout
run 2 "two drives and one --out" "${board[@]}" --drive crucial-m4-256 "${command[@]}" --out x.json
expect "is told" says "--out: is not there once for each --drive"
run 2 "a board and a measurement" "${board[@]}" --measured measured
expect "is told" says "--measured: and --board do not go together"
run 2 "neither of them" calibrate --drive wd-5000bpkt
expect "is told" says "--measured: is missing, and so is --board"
run 2 "a row that is none" calibrate --drive wd-5000bpkt --board --rows s004-14
expect "has its nearest name" says "did you mean s004-014?"
run 2 "rows of what is not published" "${measured[@]}" --rows s004-014
expect "are told" says "--rows: are those of the scoreboard, and there is no --board"
run 2 "claims of what is not fitted" "${board[@]}" --claims
expect "are told" says "--claims: needs --board and --fit"
run 2 "several drives of one measurement" "${measured[@]}" --drive wd-5000bpkt
expect "are told" says "is not there once for each --drive"
run 2 "a seed below zero" "${fit[@]}" "${key[@]}" --seed -1 --out x.json
run 2 "a scale of nothing" "${fit[@]}" "${key[@]}" --scale 0 --out x.json
run 2 "an unknown state" "${fit[@]}" "${key[@]}" --state emty --out x.json
expect "is told" says "--state: is not a state of a drive (got emty"
cat >odd.json <<'ODD'
{"what": "a drive", "source": "nobody", "points": [{"rw": "randread", "direction": "read", "bs": "1000", "iodepth": 1,
 "numjobs": 1, "runtime_ms": 1000, "iops": 100, "clat_mean_us": 10}]}
ODD
run 2 "a block size that the drive cannot carry out" calibrate "${small[@]}" --measured odd.json "${key[@]}" --out x.json
expect "is told with the file" says "odd.json:"
expect "nothing was written by any of them" absent x.json

"$ftlab" "${measured[@]}" "${key[@]}" --requests 20000000 --out late.json --report late >stdout 2>stderr &
calibration=$!
sleep 1
kill -INT "$calibration"
wait "$calibration"
status=$?
expect "an interrupted calibration says so (got $status)" test "$status" -eq 130
expect "and leaves no file" absent late.json
expect "nor folder" absent late
expect "nor anything half-written" test -z "$(find . -name '.*partial*')"

conclude
