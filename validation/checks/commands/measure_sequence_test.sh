#!/usr/bin/env bash
# The instrument issues the simulator's sequence of requests and, where chance plays no part, fio's.
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
# Operations of a log in order, without times and names.
operations() { awk '$3 ~ /read|write|trim|sync/ { print $3, $4, $5 }' "$1"; }

dd if=/dev/urandom of=target bs=1M count=16 status=none
sync target
for job in "write 1" "read 4" "rw 8" "randwrite 16" "randrw 32" "randread 1" "write:12k 4" "randwrite:4 2" "randtrimwrite 4" \
  "write:-8k 1"; do
  set -- $job
  export RW=$1
  options=(--set-job "iodepth=$2" --set-job write_iolog=s --seed 7)
  [ "$RW" = write:-8k ] && options+=(--set-job offset=4m --set-job size=2m)
  instrument 0 "$job" base.fio --device target --destroy=target --allow-discard --out "real-$RW" "${options[@]}"
  run 0 "$job simulated" run base.fio "${small[@]}" --out "sim-$RW" "${options[@]}"
  operations "real-$RW/s_iolog.1.log" >real.txt
  operations "sim-$RW/s_iolog.1.log" >sim.txt
  expect "$job: something was issued" test -s real.txt
  expect "$job: the simulator's sequence" cmp real.txt sim.txt
  case $RW in *rand*) continue ;; esac
  command -v fio >/dev/null || { echo "not compared with fio, which is not installed: $job"; continue; }
  settle
  rm -f fio.log # fio would append
  fio --write_iolog=fio.log "$([ "$RW" = write:-8k ] && echo --offset=4m || echo --offset=0)" \
    "$([ "$RW" = write:-8k ] && echo --size=2m || echo --size=8m)" --name=j --filename=target --direct=1 --ioengine=io_uring \
    --bs=4k --rw="$RW" --iodepth="$2" --randseed=7 >fio.txt 2>&1
  operations fio.log >fio-operations.txt
  if [ "$RW" = rw ]; then # which direction is a coin's choice; each has its own order
    for way in read write; do
      expect "$job: fio's $way sequence begins as ours" python3 -c '
import sys
ours, fios = ([l for l in open(f) if l.startswith(sys.argv[1])] for f in ("real.txt", "fio-operations.txt"))
n = min(len(ours), len(fios)); assert n > 800 and ours[:n] == fios[:n]' $way
    done
  else
    expect "$job: fio's sequence" cmp real.txt fio-operations.txt
  fi
done

conclude
