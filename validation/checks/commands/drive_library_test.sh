#!/usr/bin/env bash
# The drives that come with ftlab: all are accepted, every number says where it comes from, families are not listed as drives, and
# each SSD, scaled down, writes and reads.
set -u
. "$FTLAB_SOURCE/validation/checks/commands/command_line.sh"
drives=$FTLAB_SOURCE/configs/drives

"$ftlab" drives >list
for file in "$drives"/*.json; do
  expect "$file is accepted" "$ftlab" check "$file"
  expect "$file is listed" grep -q "^$(basename "$file" .json) " list
done
for file in "$drives"/families/*.json; do
  expect "$file is not listed" sh -c "! grep -q '^$(basename "$file" .json) ' list"
  expect "$file is extended" grep -rqF "$(basename "$file")\"" "$drives" --include='*.json'
done

# drives show prints: key, value, from, source
while read -r drive _; do
  "$ftlab" drives show "$drive" >shown
  expect "$drive: every physical number has its source" awk '
    $3 ~ /^(datasheet|measured|fitted|assumed|inferred)$/ { known++; if (NF < 4) { print; bad = 1 } }
    END { exit bad || known < 10 }' shown
  expect "$drive: nothing is a plain number or left to a default" sh -c "! grep -E 'a plain number of the file| default( |$)' shown"
done <list

"$ftlab" hosts | while read -r host _; do
  expect "host $host: nothing is a plain number" sh -c "! '$ftlab' hosts show $host | grep 'a plain number of the file'"
done

"$ftlab" drives show samsung-830-256 --host hp-microserver-gen8 >hosted
expect "a drive behind a port shows what both agree on" grep -q '^drive and port agree on sata-3: 279.0 MB/s; a command takes 4390 ns (read)' hosted
expect "and the host's numbers" grep -q '^host.port.read_command_ns  *2190 ' hosted

cat >mix.fio <<'END'
[global]
filename=/dev/ssd-under-test
ioengine=libaio
direct=1
bs=64k
size=16m
[write]
rw=randwrite
[read]
stonewall
rw=randread
END
# An eighth of each drive, with as many superblocks; the example is small enough.
grep -v 'disk,' list | while read -r drive _; do
  "$ftlab" drives show "$drive" >shown
  pages=$(awk '$1 == "geometry.pages_per_block" { print $2 }' shown)
  sectors=$(awk '$1 == "user_sectors" { print $2 }' shown)
  case $drive in
    example-25nm-mlc | example-small-and-slow* | *-64th) echo "$drive" "$pages" "$sectors" ;;
    *) echo "$drive" $((pages / 8)) $((sectors / 64 * 8)) ;;
  esac
done >scaled
while read -r drive pages sectors; do
  mode=none
  [[ $drive = *-zoned ]] && mode=zbd
  expect "$drive writes and reads" "$ftlab" run mix.fio --set-job "zonemode=$mode" --drive "$drive" --out "run-$drive" \
    --set "geometry.pages_per_block=$pages" --set "user_sectors=$sectors"
done <scaled

# --- drives from their data sheets have its ratings: of those with most and with least spare, with small blocks
cat >rated.fio <<'END'
[w]
filename=/dev/ssd-under-test
ioengine=libaio
direct=1
norandommap
time_based
ramp_time=200ms
runtime=1s
END
# rate RW BS STATE: bytes a second of writes to small.json in this state
rate() {
  "$ftlab" run rated.fio --drive small.json --precondition "$3" --set-job "rw=$1" --set-job "bs=$2" --set-job iodepth=256 --out rated --replace \
    --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["jobs"][0]["write"]["bw_bytes"])'
}
for drive in micron-7450-max-800 wd-dc-960; do
  rm -f small.json
  expect "$drive with small blocks" "$ftlab" init small.json --like "$drive" --block-scale 128
  IFS=, read -r _ _ _ _ _ in_order at_random < <(grep "^$drive," "$FTLAB_SOURCE/validation/measured/nvme/data_sheets.csv")
  expect "$drive writes in order as rated, within 2 %" \
    awk -v is="$(rate write 128k sequential)" -v rated="$in_order" 'BEGIN { x = is / rated / 1e6; print x; exit !(x > 0.98 && x < 1.02) }'
  expect "$drive writes at random 1.10 times its rating, within 4 %" \
    awk -v is="$(rate randwrite 4k steady)" -v rated="$at_random" 'BEGIN { x = is / rated / 4096 / 1.1; print x; exit !(x > 0.96 && x < 1.04) }'
done
conclude
