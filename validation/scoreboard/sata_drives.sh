#!/usr/bin/env bash
# Two real SATA drives, calibrated on one port and held against others:
#   validation/scoreboard/sata_drives.sh OUT [FTLAB]
# fits configs/drives/intel-d3-s4610-480.json and samsung-pm883-480.json to their sweeps on a port of SATA 3 Gb/s,
# and tells the errors of all 98 workloads of that sweep, of the sweeps at 6 Gb/s with only link and host changed, and of three
# hours of mixed reads and writes. OUT is a new folder, in which the calibrated drive files and the reports of all steps lie; the
# files of the library were made with it. FTLAB is the program, build/bin/ftlab by default. Some minutes on two cores.
set -eu
[ $# -ge 1 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2; }
top=$(cd "$(dirname "$0")/../.." && pwd)
ftlab=$(realpath "${2:-$top/build/bin/ftlab}")
measured=$top/validation/measured
mkdir "$1"
cd "$1"
cp "$top"/configs/drives/{intel-d3-s4610-480,samsung-pm883-480}.json .

# What every step has in common: a drive with 32 times fewer blocks, and shorter runs than usual.
# Status 4: fitted, but figures are off, which the table tells.
calibrate() { "$ftlab" calibrate --scale 32 --requests "${requests:-2000}" "$@" 2>/dev/null || [ $? -eq 4 ]; }
title() { printf '\n== %s\n' "$*"; }

# calibrate_on_3g DRIVE FIGURES: on 40 of 98 points, of which depths 2 and 32 are held back.
calibrate_on_3g() {
  title "$1: calibrated on SATA 3 Gb/s, one to eight jobs, five depths"
  calibrate --drive "$1.json" --measured "$measured/$2" --only jobs=1+2+4+8,depth=1+2+4+8+32 --report "$1-fit" \
    --out "$1-calibrated.json" --figures iops,mean --figures p50,p95@rw=randread,jobs=1,depth=1+4 \
    --fit nand.read_upper_ns controller.write_latency_ns link.read_command_ns link.write_command_ns host.submit_ns
  title "$1: all workloads on SATA 3 Gb/s, 74 of 98 never seen by the fit"
  calibrate --drive "$1-calibrated.json" --measured "$measured/$2" --report "$1-3g"
  title "$1: their percentiles, where no more is outstanding than the drive takes"
  calibrate --drive "$1-calibrated.json" --measured "$measured/$2" --figures p50,p95,p99 --only depth=1+2+4+8,jobs=1+2+4
  title "$1: all workloads before calibration"
  calibrate --drive "$1.json" --measured "$measured/$2"
}

# another_computer DRIVE NAME FIGURES STATE: the drive's own numbers stay; of link and host nothing is known beforehand.
another_computer() {
  local new=(--drive "$1-calibrated.json" --set 'link.kind="sata-6"' --measured "$measured/$3" --state "$4")
  title "$1 on $2: predicted, with nothing changed but the rate of the link"
  calibrate "${new[@]}" --report "$1-$2-predicted"
  title "$1 on $2: the costs of link and host fitted on 12 of 98 points"
  requests=1500 calibrate "${new[@]}" --only jobs=1+8,depth=1+4+32 --hold-back none --report "$1-$2-fit" --out "$1-$2.json" \
    --set host.submit_ns=8000 --set host.complete_ns=5000 --set link.read_command_ns=6000 --set link.write_command_ns=7000 \
    --fit host.submit_ns host.complete_ns link.read_command_ns link.write_command_ns
  title "$1 on $2: all workloads, 86 of 98 never seen"
  calibrate --drive "$1-$2.json" --measured "$measured/$3" --state "$4" --report "$1-$2-all"
  title "$1 on $2: as many as 32 requests outstanding"
  calibrate --drive "$1-$2.json" --measured "$measured/$3" --state "$4" --only depth=1+2+4+8,jobs=1+2+4
}

# mixed_series DRIVE FIGURES: 4 KiB reads and writes, half each, one at a time, over the whole drive. On a drive of a
# sixteenth a minute passes in 3.75 s.
mixed_series() {
  title "$1: three hours of mixed reads and writes"
  cat >mixed.fio <<'JOB'
[global]
filename=/dev/drive
ioengine=libaio
direct=1
[fill]
rw=write
bs=1m
[mixed]
stonewall
rw=randrw
bs=4k
log_avg_msec=3750
write_iops_log=mixed
JOB
  "$ftlab" run mixed.fio --drive "$1-calibrated.json" --set geometry.blocks_per_plane=85 --set user_sectors=58606443 \
    --out "$1-mixed" >/dev/null
  python3 - "$1-mixed/mixed_iops.2.log" "$measured/$2" <<'PYTHON'
import json, sys
simulated = [[int(field) for field in line.split(",")[:3]] for line in open(sys.argv[1])]
measured = json.load(open(sys.argv[2]))
for direction, key in enumerate(("read_iops_mean", "write_iops_mean")):
    rows = [value for _, value, which in simulated if which == direction]
    pairs = list(zip(rows, measured[key]))
    errors = sorted(abs(a / b - 1) for a, b in pairs)
    print(f"{key}: {len(pairs)} minutes, mean {sum(a for a, _ in pairs) / len(pairs):.0f} simulated and "
          f"{sum(b for _, b in pairs) / len(pairs):.0f} measured; error of a minute: median "
          f"{100 * errors[len(errors) // 2]:.1f} %, 95th percentile {100 * errors[len(errors) * 95 // 100]:.1f} %")
PYTHON
}

calibrate_on_3g intel-d3-s4610-480 intel_d3_s4610_sata3g.json
calibrate_on_3g samsung-pm883-480 samsung_pm883_sata3g.json
# At 6 Gb/s on the AHCI port most reads of the Intel drive took 38 us, which no flash does: the drive held little data.
another_computer intel-d3-s4610-480 gen10 intel_d3_s4610_sata6g.json sequential:15%
another_computer intel-d3-s4610-480 m1015 intel_d3_s4610_sas6g.json sequential
another_computer samsung-pm883-480 m1015 samsung_pm883_sas6g.json sequential
mixed_series intel-d3-s4610-480 series_intel_d3_s4610_sata3g.json
mixed_series samsung-pm883-480 series_samsung_pm883_sata3g.json
