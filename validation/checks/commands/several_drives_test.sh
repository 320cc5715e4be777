#!/usr/bin/env bash
# Jobs on several devices, each of which is a drive: every drive as if it had run alone, byte for byte, and their sums.
set -u
. "$FTLAB_SOURCE/validation/checks/commands/command_line.sh"
slow=example-small-and-slow
mlc=example-25nm-mlc

cat >three.fio <<'FIO'
[global]
ioengine=libaio
direct=1
bs=4k
iodepth=8
log_avg_msec=100
[a]
filename=/dev/nvme0n1
rw=randwrite
size=8m
write_bw_log=a
[b]
filename=/dev/nvme1n1
rw=write
size=4m
numjobs=2
group_reporting
[c]
filename=/dev/nvme0n1
rw=randrw
size=4m
[d]
filename=/dev/nvme2n1
rw=randwrite
io_size=2m
FIO
run 0 "three drives" run three.fio --drive $slow --drive /dev/nvme2n1=$mlc --drive $mlc --precondition sequential --out three
expect "the summary has a line for each drive" test "$(grep -c '^  /dev/nvme.*, write amplification .* in 0[1-3]-nvme' stdout)" = 3
expect "the first device is the first drive" grep -q '^  /dev/nvme0n1 .*in 01-nvme0n1$' stdout
expect "and a sum" grep -q '^  all drives, 5 jobs *write ' stdout
run 0 "check takes the same drives" check three.fio --drive $slow --drive /dev/nvme2n1=$mlc --drive $mlc
expect "and says which is which" grep -q "/dev/nvme2n1: 1 job for $mlc" stdout

# alone NUMBER DEVICE DRIVE: the jobs of this device alone, on the same lines of a file of that name.
alone() {
  mkdir -p "alone$1"
  python3 - "$2" >"alone$1/three.fio" <<'PY'
import re, sys
parts = re.split(r"(?m)^(?=\[)", open("three.fio").read())
print("".join(part if "filename" not in part or f"filename={sys.argv[1]}\n" in part else "\n" * part.count("\n") for part in parts), end="")
PY
  (cd "alone$1" && "$ftlab" run three.fio --drive "$3" --precondition sequential --out out >/dev/null 2>stderr)
  for file in $(ls "alone$1/out"); do
    if [ "$file" = result.json ]; then
      for part in "alone$1/out" three/0"$1"-*; do
        python3 -c 'import json, sys
result = json.load(open(sys.argv[1]))
del result["ftlab"]["simulator"]
print(json.dumps(result, indent=1))' "$part/result.json"  >"result-$(basename "$part")"
      done
      expect "$2: its result is that of the drive alone" cmp result-out "result-$(basename three/0"$1"-*)"
    else
      expect "$2: its $file is that of the drive alone" cmp "alone$1/out/$file" three/0"$1"-*/"$file"
    fi
  done
  expect "$2: it has no other files" test "$(ls "alone$1/out")" = "$(ls three/0"$1"-*)"
}
alone 1 /dev/nvme0n1 $slow
alone 2 /dev/nvme1n1 $mlc
alone 3 /dev/nvme2n1 $mlc

expect "counters, requests and bytes are the sums" python3 - <<'PY'
import json
whole = json.load(open("three/result.json"))
drives = whole["ftlab"]["drives"]
assert [d["device"] for d in drives] == ["/dev/nvme0n1", "/dev/nvme1n1", "/dev/nvme2n1"], drives
parts = [json.load(open(f"three/{d['folder']}/result.json")) for d in drives]
for name, value in whole["ftlab"]["traffic"].items():
    assert value == sum(p["ftlab"]["traffic"][name] for p in parts), name
assert whole["ftlab"]["traffic"]["host_write_bytes"] > 18 << 20
jobs = [j for p in parts for j in p["jobs"]]
assert len(whole["jobs"]) == len(jobs) == 4
for mine, other in zip(whole["jobs"], jobs):
    assert mine["jobname"] == other["jobname"] and mine["write"] == other["write"] and mine["read"] == other["read"]
wa = whole["ftlab"]["traffic"]["media_write_bytes"] / whole["ftlab"]["traffic"]["host_write_bytes"]
assert abs(whole["ftlab"]["wa"]["total"] - wa) < 1e-12
assert [d["signature"] for d in drives] == [p["ftlab"]["signature"] for p in parts]
PY
run 0 "again, in place of it" run three.fio --drive $slow --drive /dev/nvme2n1=$mlc --drive $mlc --precondition sequential --untimed \
  --out three --replace
expect "untimed drives have their parts too" test -s three/03-nvme2n1/result.json
run 0 "the sum as JSON" run three.fio --drive $slow --drive $mlc --drive $mlc --untimed --json --out json
expect "is result.json" cmp stdout json/result.json
run 0 "one drive for all devices" run three.fio --drive $mlc --untimed --out one
expect "is a problem that says what to do" grep -q 'several_devices: .*a --drive for each device' stdout
conclude
