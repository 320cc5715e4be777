#!/usr/bin/env bash
# A disk from the command line: what runs on an SSD runs on it, and what only an SSD has is refused with the reason.
set -u
. "$FTLAB_SOURCE/validation/checks/commands/command_line.sh"

cat >job.fio <<'JOB'
[global]
filename=/dev/d
direct=1
ioengine=libaio
norandommap
[reads]
rw=randread
iodepth=8
io_size=2m
[mixed]
stonewall
rw=randrw
iodepth=4
io_size=2m
fsync=64
JOB
disk=(--drive wd-5000bpkt)

run 0 "drives" drives
expect "the library lists disks" grep -q "wd-5000bpkt .*disk, 7200 rpm" stdout
run 0 "drives show" drives show hgst-7k-100
expect "every number of every zone has its source" grep -q "geometry.zones\[4\].sectors_per_track .*assumed" stdout
expect "the rates of the zones are told" grep -q "960 sectors a track, *59.0 MB/s under a head, *51" stdout
run 0 "check" check "$FTLAB_SOURCE/configs/drives/hgst-7k-100.json"
run 0 "a job on a disk" run job.fio "${disk[@]}" --out a
expect "the arm is told of" grep -q "moves of the arm" stdout
expect "all laws hold" test "$(field a/result.json ftlab failed_checks)" = "[]"
expect "the drive is echoed" test "$(field a/result.json ftlab drive kind)" = hdd
expect "seeks are a part of the latency" test "$(field a/result.json ftlab latency_parts_ns seek)" -gt 0
run 0 "the same again" run job.fio "${disk[@]}" --out b
expect "the same signature" test "$(field a/result.json ftlab signature)" = "$(field b/result.json ftlab signature)"
run 0 "a job behind a host that takes time" run job.fio "${disk[@]}" --set 'host={"submit_ns": 2000, "complete_ns": 3000}' --out h
expect "the host is a part of the latency" test "$(field h/result.json ftlab latency_parts_ns host)" -gt 0
echo '{"name": "host", "steps": [{"step": "job", "name": "read", "lines": ["rw=randread", "bs=4k", "io_size=1m"]}]}' >host.json
run 0 "a procedure behind the same host" run host.json "${disk[@]}" --set 'host={"submit_ns": 2000, "complete_ns": 3000}' --out hp
expect "the host is a part of the latency there, too" grep -rqE '"host": [1-9]' hp --include=result.json
run 0 "the echoed drive file" run job.fio --drive a/drive.json --out c
expect "it is the same disk" test "$(field a/result.json ftlab signature)" = "$(field c/result.json ftlab signature)"
run 0 "FIFO" run job.fio "${disk[@]}" --set queue.order=fifo --out fifo
expect "another order, another result" test "$(field a/result.json ftlab signature)" != "$(field fifo/result.json ftlab signature)"
run 0 "untimed" run job.fio "${disk[@]}" --untimed --out untimed
expect "no time goes by" test "$(field untimed/result.json ftlab simulated_s)" = 0.0

cat >trim.fio <<'JOB'
[discards]
filename=/dev/d
rw=randtrim
io_size=1m
JOB
run 2 "a job that trims" run trim.fio "${disk[@]}" --out never
expect "a disk has no TRIM" grep -q "trim.fio:1: rw: trims, and a disk has no TRIM" stderr
run 2 "--save" run job.fio "${disk[@]}" --save state --out never
expect "its state is not kept" grep -q -e "--save.*the state of a disk is not kept" stderr
run 2 "verify" run job.fio "${disk[@]}" --set-job verify=crc32c --out never

cat >procedure.json <<'JSON'
{"name": "disk", "steps": [
  {"step": "purge", "how": "new-drive"},
  {"step": "job", "name": "reads", "file": "job.fio"},
  {"step": "snapshot", "name": "then"},
  {"step": "idle", "seconds": 2},
  {"step": "power_cycle"},
  {"step": "restore", "name": "then"},
  {"step": "job", "name": "again", "file": "job.fio"}]}
JSON
run 0 "a procedure" run procedure.json "${disk[@]}" --out procedure
expect "it is told what it was" test "$(field procedure/result.json ftlab drive kind)" = hdd
sed 's/"step": "idle", "seconds": 2/"step": "trim"/' procedure.json >trimming.json
run 2 "a procedure that trims" run trimming.json "${disk[@]}" --out never
expect "the reason is given" grep -q "is a disk: it has no TRIM" stderr
expect "nothing is left of what was refused" absent never

conclude
