#!/usr/bin/env bash
# The instrument on block devices, which are made of files where this machine lets us: discards and where they end, the
# drive's health in the result, and a medium that is gone while it is measured.
set -u
. "$FTLAB_SOURCE/validation/checks/commands/instrument.sh"

PATH=$PATH:/sbin:/usr/sbin
skip() { echo "skipped: $1"; exit 77; }
[ "$(id -u)" -eq 0 ] || skip "loop devices need root"
# In some virtual machines not even root may look into the first process; in a space of their own all processes are ours.
alone=(unshare --pid --fork --mount-proc)
"${alone[@]}" true 2>stderr || skip "no processes of our own: $(cat stderr)"
size=$((16 << 20))
dd if=/dev/urandom of=disk bs=1M count=16 status=none
sync disk
loop=$(losetup --find --show --direct-io=on disk 2>stderr) || skip "no loop device: $(cat stderr)"
trap 'losetup --detach "$loop"' EXIT

# A drive that is asked before and after, and tells of 400 units written by the host and 1000 on its flash.
mkdir tools
cat >tools/smartctl <<SH
#!/bin/sh
echo >>"$PWD/asked"
case \$(wc -l <"$PWD/asked") in 1) host=1000 media=5000 heat=30 ;; *) host=1400 media=6000 heat=40 ;; esac
cat <<JSON
{"serial_number": "disk", "user_capacity": {"bytes": $size}, "in_smartctl_database": true,
 "smart_status": {"passed": true}, "temperature": {"current": \$heat}, "ata_smart_attributes": {"table": [
   {"id": 241, "name": "Host_Writes_32MiB", "value": 100, "worst": 100, "thresh": 0, "raw": {"value": \$host}},
   {"id": 243, "name": "NAND_Writes_32MiB", "value": 100, "worst": 100, "thresh": 0, "raw": {"value": \$media}}]}}
JSON
SH
chmod +x tools/smartctl

cat >base.fio <<'JOB'
[j]
filename=/dev/d
direct=1
ioengine=io_uring
iodepth=8
bs=64k
rw=${RW}
JOB

export RW=randread
PATH=$PWD/tools:$PATH instrument 0 "reads" base.fio --device "$loop" --out read
expect "its serial number is that of its file" test "$(field read/preamble.json device serial)" = disk
expect "its health of before is on record first" test "$(field read/preamble.json smart temperature_c)" = 30
expect "and in the result" test "$(field read/smart.json before temperature_c)" = 30
expect "as that of after" test "$(field read/smart.json after temperature_c)" = 40
expect "write amplification is that of its counters" test "$(field read/smart.json write_amplification value)" = 2.5
expect "with their resolution" test "$(field read/smart.json write_amplification enough_units)" = True
expect "it was asked twice" test "$(wc -l <asked)" -eq 2
sed -i 's/heat=30/heat=75/' tools/smartctl
rm asked
PATH=$PWD/tools:$PATH instrument 2 "a drive that is too hot to begin with" base.fio --device "$loop" --out hot
expect "it is told" grep -q "R14: its temperature is 75 C" stderr

# Discards
export RW=randtrim
sum=$(sha256sum <disk)
instrument 2 "trims without their own consent" base.fio --device "$loop" --destroy=disk --out refused
expect "nothing was discarded" test "$(sha256sum <disk)" = "$sum"
for engine in io_uring threads; do
  dd if=/dev/urandom of=disk bs=1M count=16 conv=notrunc status=none
  sync disk
  cp disk before
  blockdev --flushbufs "$loop"
  instrument 0 "trims by $engine" base.fio --device "$loop" --destroy=disk --allow-discard --engine "$engine" \
    --offset 4m --size 8m --out "trim-$engine"
  expect "$engine: each block was trimmed once" test "$(field "trim-$engine/result.json" jobs 0 trim total_ios)" = 128
  expect "$engine: no request failed" test "$(field "trim-$engine/result.json" ftlab failed_requests)" = 0
  expect "$engine: the range reads as zeros" cmp --bytes=$((8 << 20)) --ignore-initial=$((4 << 20)):0 disk /dev/zero
  expect "$engine: its room is free" test $(($(stat -c %b disk) * 512)) -le $((9 << 20))
  expect "$engine: what lies before it is as it was" cmp --bytes=$((4 << 20)) disk before
  expect "$engine: and what lies behind it" cmp --ignore-initial=$((12 << 20)) disk before
done
expect "the result says how they went" grep -q "discards by" trim-io_uring/result.json
if command -v strace >/dev/null && strace -o probe true 2>/dev/null; then
  settle
  "${alone[@]}" strace -f -o trace -e trace=ioctl,fallocate "$measure" base.fio --device "$loop" --destroy=disk \
    --allow-discard --engine threads --out traced >stdout 2>stderr
  expect "the traced trims" test $? -eq 0
  expect "each is one BLKDISCARD of its length" test "$(grep -c 'BLKDISCARD, \[[0-9]*, 65536\]' trace)" -eq 256
else
  echo "not traced: strace does not work here"
fi

# A medium that is gone. Beyond the end of its file a loop device fails its reads.
dd if=/dev/urandom of=disk bs=1M count=16 conv=notrunc status=none
sync disk
blockdev --flushbufs "$loop"
export RW=randread
settle
"${alone[@]}" "$measure" base.fio --device "$loop" --set-job time_based=1 --set-job runtime=30 --out gone >stdout 2>stderr &
pid=$!
sleep 1.5
truncate -s 0 disk
wait $pid
expect "a medium that is gone: status 3 (got $?)" test $? -eq 3
expect "the first fault is kept" grep -q "failed: read of 65536 bytes at .*: Input/output error" gone/INCOMPLETE
expect "what was measured before is a result" test "$(field gone/result.json jobs 0 read total_ios)" -gt 100
expect "which says that it is not whole" test "$(field gone/result.json ftlab complete)" = False
conclude
