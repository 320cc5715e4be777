#!/usr/bin/env bash
# The job files and procedures that come with ftlab: fio takes the job files, ftlab takes all, and every procedure runs to its
# end on a small drive, with short cells.
set -u
. "$FTLAB_SOURCE/validation/checks/commands/command_line.sh"
jobs=$FTLAB_SOURCE/configs/jobs
# What the procedures give the job files of their folder.
export set_bytes=1420000256 target=8g table_at=7g table_bytes=64m small_files=13168 medium_files=146
export clip_bytes=11000610816 clip_to=50% fdp=0 passes=1
export archive_bytes=710000128 archive_at=4g folder_at=8g

fail() {
  failures=$((failures + 1))
  echo "FAILED: $*"
}

# --- all are accepted
while IFS= read -r file; do
  name=${file##*/}
  case $name in
    *.fio) if command -v fio >which.log; then expect "fio takes $name" fio --parse-only "$file"; fi ;;
  esac
  checks=$((checks + 1))
  "$ftlab" check "$file" >out.log 2>err.log || fail "ftlab check $file: $(cat err.log)"
done < <(find "$jobs" -name '*.fio' -o -name '*.json' | sort)
command -v fio >which.log || echo "not checked: fio is not installed"

# --- procedures, on the small drive

drive=("${small[@]}")
# procedure ROWS FOLDER/NAME ARGUMENTS...: it runs, and so many measured steps have a row (+N: a multiple of N).
procedure() {
  local rows=$1 name=$2 got
  shift 2
  expect "$name runs" "$ftlab" run "$jobs/$name.json" "${drive[@]}" --out "${name##*/}" "$@"
  got=$(($(wc -l <"${name##*/}/procedure.csv") - 1))
  case $rows in
    +*) expect "$name: a multiple of ${rows#+} rows (got $got)" test $((got % ${rows#+})) -eq 0 -a "$got" -gt 0 ;;
    *) expect "$name: $rows rows (got $got)" test "$got" -eq "$rows" ;;
  esac
}
procedure +56 snia/iops --variable cell=20ms --variable fills=1
procedure +2 snia/throughput --variable cell=500ms
procedure +9 snia/latency --variable cell=200ms
procedure 1 snia/write-saturation --variable sample_ms=500
procedure 3 snia/cross-stimulus-recovery --variable first=3s --variable second=3s --variable third=3s --variable sample_ms=100
expect "host idle recovery runs" "$ftlab" run "$jobs/snia/host-idle-recovery.json" "${small[@]}" --out hir \
  --variable baseline=2s --variable burst=200ms --variable bursts=3
expect "it has 3 bursts and a baseline after each of 5 idle times" test "$(grep -vc wdpc hir/procedure.csv)" -eq 21
procedure 1 ageing/retention --variable read_bytes=1m
procedure 48 kingston/stage-one --variable cell=20ms
procedure 4 kingston/stage-two --variable runtime=500ms
procedure 2 kingston/used-state --variable part=10%
procedure 1 kingston/new-state --variable cell=20ms
procedure 40 vertex-4/hd-tune-linear --variable range=1m
procedure 26 vertex-4/iometer-sequential --variable cell=20ms
procedure 26 vertex-4/iometer-random --variable cell=20ms
procedure 2 vertex-4/settled-response --variable cell=200ms
procedure 8 vertex-4/streams --variable cell=20ms --variable region=16m
procedure 2 vertex-4/compressibility --variable cell=200ms
procedure 10 vertex-4/endurance-fill --variable cell=20ms --variable first=500ms --variable second=500ms
procedure 22 link-speed/random-4k --variable cell=20ms --variable span=64m
procedure 24 link-speed/sequential-128k --variable cell=20ms --variable span=64m
procedure 8 wildfire/transfers-2m --variable cell=50ms --variable span=64m
procedure 28 wildfire/ramp-4k --variable cell=20ms --variable span=64m
procedure 8 wildfire/crystaldiskmark --variable bytes=16m --variable passes=1
procedure 64 wildfire/server-profiles --variable cell=20ms
procedure 2 wildfire/latency-4k --variable cell=20ms --variable span=64m
procedure 8 wildfire/power --variable cell=20ms --variable span=64m --variable idle_seconds=1
drive=(--drive "$kingston" --set geometry.blocks_per_plane=68 --set user_sectors=1310720
       --set ftl.gc.start_free_superblocks=2 --set ftl.gc.stop_free_superblocks=4)  # four times as large
procedure 21 blog-530/ssd-against-disk --variable cell=100ms --variable seeker_cell=100ms
drive=("${small[@]}")
procedure 1 blog-530/desktop-year --variable traffic_bytes=167772160
procedure 30 stand-ins/file-copies --variable set_bytes=8388608 --variable table_at=20m --variable table_bytes=4m \
  --variable small_files=80 --variable medium_files=2 --variable target=32m,64m

# --- what the report says
value() {
  python3 -c 'import functools, json, sys
print(functools.reduce(lambda v, k: v[int(k)] if isinstance(v, list) else v[k], sys.argv[2:], json.load(open(sys.argv[1]))))' "$@"
}
expect "write saturation writes four times the capacity" \
  test "$(value write-saturation/02-saturation/result.json ftlab traffic host_write_bytes)" -eq $((4 * 327680 * 512))
expect "the report's header names the purge" grep -q '"purge": "trim of the whole device"' latency/result.json
expect "the latency rounds were steady" test "$(value latency/result.json steady_state_reached)" = True
expect "they were steady within five rounds at the end" \
  test "$(value latency/result.json rounds 0 first_round_of_window)" -eq $(($(value latency/result.json rounds 0 rounds) - 4))
expect "4 KiB random writes move more bytes in the flash than the host sent" \
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i } NR > 1 { last = $column["wa"] } END { exit !(last > 1) }' write-saturation/procedure.csv

# --- the stand-ins have the published statistics on any drive, here a fast one to simulate: MB read and written, per cent of the requests that write
stand_in() {
  local name=$1 read=$2 written=$3 share=$4
  expect "$name runs" "$ftlab" run "$jobs/stand-ins/$name.fio" --drive example-25nm-mlc --out "stand-in-$name"
  expect "$name: $read MB read, $written MB written, $share % of the requests write" python3 - "stand-in-$name" "$@" <<'END'
import json, sys
folder, _, read, written, share = sys.argv[1:]
job = json.load(open(folder + "/result.json"))["jobs"][0]
requests = {d: job[d]["total_ios"] for d in ("read", "write")}
got = (job["read"]["io_bytes"] / 1e6, job["write"]["io_bytes"] / 1e6, 100 * requests["write"] / sum(requests.values()))
print(got)
sys.exit(not all(abs(g - float(w)) <= tolerance for g, w, tolerance in
                 zip(got, (read, written, share), (0.02 * float(read), 0.03 * float(written), 0.7))))
END
}
stand_in htpc 1924 2986 64
stand_in productivity 2758 4830 59
stand_in gaming 7235 426 6

# --- bench: what became of a fresh drive
expect "a bench" sh -c "'$ftlab' bench example-small-and-slow --variable depth=1 --variable cell=200ms --out bench >bench.txt"
expect "steady as a share of fresh, with WA and p99" grep -qE \
  "(steady|the last part, not steady,) as a share of fresh: randread 100 % \(p99 [0-9.]+ ms\), randwrite [0-9]+ % \(WA [0-9.]+, p99 [0-9.]+ ms\), read" bench.txt
expect "each p99 is known and at most p99.9" awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
  NR > 1 && ($column["latency_us_p99"] <= 0 || $column["latency_us_p99"] > $column["latency_us_p99.9"]) { wrong++ }
  END { exit NR < 8 || wrong > 0 }' bench/procedure.csv

# --- the same procedure with the same seed gives the same table
expect "the latency test again" "$ftlab" run "$jobs/snia/latency.json" "${small[@]}" --out again --variable cell=200ms
expect "the same table" cmp latency/procedure.csv again/procedure.csv

# --- a flash cache with and without placement handles: write amplification as published (validation/measured/nvme/fdp.csv)
run 0 "a flash cache" run "$FTLAB_SOURCE/configs/jobs/stand-ins/flash-cache.json" --drive example-small-and-slow \
  --set ftl.frontiers=host+gc --set 'ftl.placement={"scheme": "streams", "streams": 2, "isolation": "initial"}' --out cache
# The share of small objects among the writes is not published, and the drive is another: within 15 %.
expect "each published figure is met within 15 %" python3 - "$FTLAB_SOURCE/validation/measured/nvme/fdp.csv" <<'PY'
import csv, sys
simulated = {(row["name"], row["fdp"]): float(row["wa_at_end"]) for row in csv.DictReader(open("cache/procedure.csv"))}
assert len(simulated) == 4, simulated
for row in csv.DictReader(open(sys.argv[1])):
    name = {"50": "half-of-the-drive", "100": "all-of-the-drive"}[row["utilisation_percent"]]
    wa, published = simulated[name, "1" if row["fdp"] == "yes" else "0"], float(row["wa"])
    print(name, row["fdp"], wa, published)
    assert abs(wa / published - 1) <= 0.15, (row, wa)
PY

conclude
