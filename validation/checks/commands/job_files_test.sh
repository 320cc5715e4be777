#!/usr/bin/env bash
# Job files as they are written for fio, and files that are none: buffered jobs, newer options, sizes of larger drives, standard
# input, pipes, links, and our own files in the wrong place.
set -u
. "$FTLAB_SOURCE/validation/checks/commands/command_line.sh"
tiny=(--drive example-small-and-slow)

says() { expect "$1" grep -qF -- "$2" stderr; }

# --- through the page cache
printf '[j]\nfilename=/dev/ssd\nioengine=libaio\nrw=randwrite\nbs=4k\nsize=1m\ndirect=0\n' >buffered.fio
run 0 "a buffered job" run buffered.fio "${tiny[@]}" --out buffered
says "it is noted" "the job is run with direct=1"
run 2 "a buffered job with --strict" run buffered.fio "${tiny[@]}" --strict --out strict
says "strict names the line" "buffered.fio:7: direct: the page cache is not modelled"
run 0 "an override mends it" run buffered.fio "${tiny[@]}" --strict --set-job direct=1 --out strict

# --- a fio command line in place of a job file
cat >command.sh <<'SH'
#!/bin/sh
DEV=/dev/nvme0n1   # the drive
sudo fio --name=w --filename=$DEV --rw=randwrite --bs=4k --size=1m --direct=1 \
  -ioengine libaio --iodepth=8 --output=w.json >/dev/null
SH
options=(--name=w --filename=/dev/nvme0n1 --rw=randwrite --bs=4k --size=1m --direct=1 --ioengine=libaio --iodepth=8)
run 0 "a script with a fio command" run command.sh "${tiny[@]}" --out script
says "an option of its output has no effect" "command.sh:4: note: no effect on the simulated drive: --output (line 4)"
run 0 "the options behind two dashes" run "${tiny[@]}" --out dashes -- "${options[@]}"
run 0 "the whole command behind two dashes" run "${tiny[@]}" --out words -- fio "${options[@]}"
run 0 "the command on standard input" check - <command.sh
run 0 "check takes a command as well" check -- "${options[@]}" --output=w.json
for folder in dashes words; do
  expect "$folder runs what the script says" test "$(field script/result.json ftlab signature)" = "$(field $folder/result.json ftlab signature)"
done

# --- a log that is synced write by write, and a job that is left out of the report
printf '[log]\nrw=write\nioengine=sync\nfdatasync=1\nsize=1m\nbs=2300\n[filler]\nrw=write\nbs=4k\nsize=1m\ndirect=1\nstats=0\n' >log.fio
run 0 "a log of 2300 bytes a write" run log.fio "${tiny[@]}" --strict --out log
says "what the drive sees is noted" "the drive sees the pages of 4 KiB"
expect "a write for each record" test "$(field log/result.json jobs 0 write total_ios)" = 455
expect "a flush after each but the last" test "$(field log/result.json jobs 0 sync lat_ns N)" = 454
expect "the other job is not reported" test "$(python3 -c 'import json; print(len(json.load(open("log/result.json"))["jobs"]))')" = 1

# --- what newer job files ask for
cat >newer.fio <<'FIO'
[global]
filename=/dev/ssd
ioengine=io_uring_cmd
cmd_type=nvme
direct=1
bs=4k
iodepth=8
stonewall

[placed]
rw=randwrite
io_size=2m
fdp=1
fdp_pli=0,1,2

[listed]
rw=randread
size=1m
io_size=64k
random_distribution=sequence:5,1,3
random_sequence_stride=1

[zones]
rw=write
io_size=2m
zonemode=strided
zonesize=64k
zoneskip=192k

[ranges]
rw=randtrim
size=1m
num_range=4

[forced]
rw=write
size=256k
writefua=1
atomic=1

[unique]
rw=write
size=1m
dedupe_percentage=30
dedupe_mode=working_set
dedupe_global=1

[steady]
rw=randread
norandommap
time_based
runtime=20
ss=lat:50%
ss_dur=2
ratemin=1k
FIO
run 0 "newer options" run newer.fio "${tiny[@]}" --out newer
printf '[fill]\nfilename=/dev/ssd\nioengine=libaio\ndirect=1\niodepth=32\nrw=randwrite\nbs=4k\nnorandommap=1\nsprandom=1\nspr_op=0.16\n' >fill.fio
run 0 "sprandom" run fill.fio "${tiny[@]}" --out fill

# One pass leaves the drive as eight passes of plain random writes do: the writes that follow cost as much.
live=(--drive example-small-and-slow --set ftl.gc.pages_per_host_write=16 --untimed)
printf '[j]\nfilename=/dev/ssd\ndirect=1\nrw=randwrite\nbs=4k\nnorandommap\nrandrepeat=0\nio_size=400m\n' >long.fio
run 0 "one pass of sprandom" run fill.fio "${live[@]}" --set-job spr_op=0.2 --save one.state --out one
run 0 "eight passes" run long.fio "${live[@]}" --save eight.state --out eight
for state in one eight; do
  run 0 "writes behind $state" run long.fio --set-job io_size=10m --load $state.state --untimed --seed 9 --out behind-$state
  sed -n 's/.*write amplification *\([0-9.]*\) =.*/\1/p' stdout >$state.wa
done
expect "the same write amplification within 5 %: $(cat one.wa eight.wa | tr '\n' ' ')" \
  awk 'NR == 1 { one = $1 } NR == 2 { exit !($1 > 2 && one / $1 > 0.95 && one / $1 < 1.05) }' one.wa eight.wa

# --- for a larger drive
printf '[j]\nfilename=/dev/ssd\ndirect=1\nrw=randread\nbs=4k\nfilesize=1t\noffset=512g\nsize=1g\nnumber_ios=100\n' >large.fio
run 2 "a file for a larger drive" check large.fio "${tiny[@]}"
run 0 "it fits when it is shrunk" run large.fio "${tiny[@]}" --shrink-jobs fit --out shrunk
says "by how much is noted" "sizes and offsets in bytes are divided by"
run 2 "nothing is divided by words" check large.fio "${tiny[@]}" --shrink-jobs half
says "the words are named" "--shrink-jobs: is not a divisor of sizes (got half"

# --- zones, with the options of fio's examples, on a zoned drive and on the conventional face of its flash
cat >zones.fio <<'FIO'
[global]
group_reporting
rw=randwrite
zonemode=zbd
zonesize=256M
max_open_zones=32
bs=64k
direct=1
filename=/dev/sdz
[many]
numjobs=16
ioengine=libzbc
time_based
runtime=1
[read]
stonewall
rw=read
read_beyond_wp=0
ioengine=libaio
iodepth=16
offset=2G
size=8G
[checked]
stonewall
rw=write
size=2G
bs=4K
ioengine=io_uring_cmd
cmd_type=nvme
verify=crc32c
[append]
stonewall
ioengine=spdk
thread=1
initial_zone_reset=1
zone_append=1
job_max_open_zones=2
io_size=2G
FIO
run 2 "zones of another size" check zones.fio "${tiny[@]}-zoned" --set-job offset=0 --set-job size=32m --set-job io_size=32m
says "what they should be is said" "the zones of Example, 60 zones, slow have another size"
run 0 "zones of a zoned drive" run zones.fio "${tiny[@]}-zoned" --shrink-jobs 256 --out zones
expect "what was written is verified" test "$(field zones/result.json jobs 2 error)" = 0
expect "nothing is copied" test "$(field zones/result.json ftlab wa total)" = 1.0
run 0 "zones of the host" run zones.fio "${tiny[@]}" --shrink-jobs 256 --out zones-of-host

# --- standard input, pipes, links
run 0 "standard input" run - "${tiny[@]}" --set-job direct=1 --out stdin <buffered.fio
run 0 "check of standard input" check - "${tiny[@]}" <buffered.fio
run 0 "a pipe with a writer" check <(cat buffered.fio) "${tiny[@]}"
mkfifo silent.fio
run 2 "a pipe without a writer" check silent.fio "${tiny[@]}"
says "it is named" "silent.fio: is a pipe without a writer; - reads the standard input"
ln -s loop.fio loop.fio
run 2 "a link to itself" check loop.fio "${tiny[@]}"
says "it is named" "loop.fio: is a link that leads back to itself"
printf '\xef\xbb\xbf' | cat - buffered.fio >marked.fio
run 0 "a byte order mark" check marked.fio "${tiny[@]}"

# --- neither
printf 'when,what,where\n1,read,0\n' >unknown.csv
run 2 "neither a job file nor a trace" run unknown.csv "${tiny[@]}" --out none
says "both are said" "unknown.csv: is neither a job file"
says "what was tried" "tried: "
head -c 20000000 /dev/zero | tr '\0' '1' | fold -w 60 >large.csv
run 2 "a large one" check large.csv "${tiny[@]}"
says "both are said of it" "large.csv: is neither a job file"

# --- our own files in the wrong place
run 0 "a state" run buffered.fio "${tiny[@]}" --out kept --save kept.state
wrong() { # WHAT SAYS ARGUMENTS...
  local what=$1 text=$2
  shift 2
  run 2 "$what" "$@"
  says "$what: it is named" "$text"
}
wrong "a result as a job" "is the result of a run, and a job file, a procedure or a trace is asked for here" run buffered/result.json "${tiny[@]}" --out x
wrong "a drive file as a job" "is a drive file, and a job file, a procedure or a trace" run "$kingston" "${tiny[@]}" --out x
wrong "a state as a job" "is the saved state of a drive" run kept.state "${tiny[@]}" --out x
wrong "a sweep as a job" "ftlab sweep FILE" run "$FTLAB_SOURCE/configs/sweeps/wa-500.json" "${tiny[@]}" --out x
wrong "a job as a drive" "is a job file, and a drive file is asked for here" run buffered.fio --drive ./buffered.fio --out x
wrong "a state as a drive" "is the saved state of a drive, and a drive file" run buffered.fio --drive ./kept.state --out x
wrong "a procedure as a drive" "is a procedure, and a drive file" run buffered.fio --drive "$FTLAB_SOURCE/configs/jobs/snia/iops.json" --out x
wrong "a result as a state" "is the result of a run, and the saved state" run buffered.fio --load buffered/result.json --out x
wrong "a result for check" "ftlab compare FOLDER FOLDER" check buffered/result.json
wrong "a key set twice" "ftl.gc.policy: is set twice" run buffered.fio "${tiny[@]}" --set ftl.gc.policy=fifo --set ftl.gc.policy=greedy --out x

conclude
