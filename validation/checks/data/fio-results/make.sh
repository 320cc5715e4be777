#!/usr/bin/env bash
# Makes the results beside it with fio 3.33: results and logs of real runs on a file of 8 MiB, for the tests of the readers.
# They differ from run to run, so the tests hold known facts of these very files, or each file against itself.
#   cd validation/checks/data/fio-results && ./make.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
ulimit -f 400000

cat >sweep.fio <<'JOB'
[global]
filename=data
size=8m
bs=4k
direct=1
ioengine=libaio
norandommap
time_based
runtime=2
rate_iops=500
log_avg_msec=500
[qd1]
rw=randread
iodepth=1
write_bw_log=sweep
write_iops_log=sweep
write_lat_log=sweep
write_hist_log=sweep
log_hist_msec=500
log_hist_coarseness=6
[qd4]
stonewall
rw=randread
iodepth=4
[qd16]
stonewall
rw=randread
iodepth=16
[mixed]
stonewall
rw=randrw
rwmixread=70
iodepth=8
numjobs=2
JOB
fio --output-format=json+ --output="$here/sweep.json" sweep.fio
for kind in bw iops clat clat_hist; do cp "sweep_$kind.1.log" "$here/"; done

# The same two clones reported as one; synchronous, so that iodepth does not count; one row of the log for each request.
cat >grouped.fio <<'JOB'
[clones]
filename=data
size=8m
bs=8k,16k
direct=1
ioengine=psync
iodepth=32
rw=readwrite
numjobs=2
group_reporting
number_ios=40
write_iops_log=grouped
write_bw_log=grouped
JOB
fio --output-format=json --output="$here/grouped.json" grouped.fio
cp grouped_iops.1.log grouped_bw.1.log "$here/"
