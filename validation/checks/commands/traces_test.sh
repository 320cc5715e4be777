#!/usr/bin/env bash
# Traces on the command line: what `ftlab check` and `ftlab run` make of a small one, plain and compressed, at its times and as
# fast as the drive takes it, and that nothing is skipped, moved or guessed without being said.
set -u
. "$FTLAB_SOURCE/validation/checks/commands/command_line.sh"

# says FILE EXPRESSION: the expression over the document d holds.
says() { python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); sys.exit(0 if eval(sys.argv[2]) else 1)' "$@"; }
served='sum(d["jobs"][0][w]["total_ios"] for w in ("read", "write", "trim"))'
records='d["ftlab"]["trace"]["records"]'
same_signature() { says "$1" "d['ftlab']['signature'] == json.load(open('$2'))['ftlab']['signature']"; }

# 3000 requests over 300 MB of two hosts' disks, 1 ms apart, of which one line in a thousand is spoilt in bad.csv.
awk 'BEGIN { for (i = 0; i < 3000; ++i) printf "%.0f,host,%d,%s,%.0f,%d,100\n", 128166372003061629 - 29 + i * 10000, i % 2,
  i % 3 ? "Write" : "Read", (i * 7919 % 36621) * 4096, 4096 * (1 + i % 4) }' >two.csv
grep ',host,0,' two.csv >one.csv
awk 'NR % 1000 == 7 { print "spoilt"; next } { print }' one.csv >bad.csv
awk '{ print } NR == 40 { print first } NR == 1 { first = $0 }' one.csv >late.csv

run 0 "a trace is checked" check one.csv
expect "its format is recognised" grep -q 'trace in the format msr, 1500 requests' stdout
run 0 "its summary as JSON" check --json one.csv
expect "the summary counts the lines" says stdout 'd["records"] == d["lines"] == 1500 and d["requests"]["read"] == 500'
run 2 "a job file has no such summary" check --json "$FTLAB_SOURCE/configs/jobs/kingston/random-write-4k.fio"
run 2 "options for traces are refused with a job file" check --trace-round "$FTLAB_SOURCE/configs/jobs/kingston/random-write-4k.fio"
expect "by their name" grep -q -- '--trace-round: is for traces' stderr

run 0 "a trace is replayed" run one.csv "${small[@]}" --out open
expect "every record is served" says open/result.json "$records == 1500 == $served"
expect "the result names the format and the policy" says open/result.json 'd["ftlab"]["trace"]["format"] == "msr" and d["ftlab"]["trace"]["address"] == "error"'
expect "it lasts as long as the recording" says open/result.json '2.998 <= d["ftlab"]["simulated_s"] < 3.1'
expect "the summary sets recorded beside simulated response times" grep -q '^  response of reads  *recorded p50 10.0, p99 10.0 us; simulated p50 [0-9.]*, p99 [0-9.]* us, [0-9.]* and [0-9.]* of that$' stdout
expect "and so does the result" says open/result.json '[(t := d["ftlab"]["trace"]["response_times"])[w]["recorded"]["requests"] for w in ("read", "write")] == [500, 1000] and all(
  x["recorded"]["p99_ns"] == 10000 and x["simulated"]["requests"] == x["recorded"]["requests"]
  and x["simulated_by_recorded"]["p50"] == x["simulated"]["p50_ns"] / x["recorded"]["p50_ns"] for x in t.values())'
awk -F, -v OFS=, '{ $7 = ""; print }' one.csv >mute.csv
run 0 "a trace without times of response" run mute.csv "${small[@]}" --out mute
expect "has none in its result" says mute/result.json '"response_times" not in d["ftlab"]["trace"]'
expect "and is the same run" same_signature mute/result.json open/result.json
expect "reads of what was never written come from no flash" says open/result.json 'd["ftlab"]["traffic"]["unmapped_read_pages"] > 500'
run 0 "a trace on a drive that holds what it reads" run one.csv "${small[@]}" --precondition trace --out prefilled
expect "finds it there" says prefilled/result.json 'd["ftlab"]["traffic"]["unmapped_read_pages"] == 0 and d["ftlab"]["traffic"]["host_write_bytes"] == json.load(open("open/result.json"))["ftlab"]["traffic"]["host_write_bytes"]'
cat >read_first.py <<'PYTHON'
import json
written, wanted = set(), set()
for line in open("one.csv"):
    fields = line.split(",")
    pages = range(int(fields[4]) // 4096, (int(fields[4]) + int(fields[5]) + 4095) // 4096)
    if fields[3] == "Write":
        written.update(pages)
    else:
        wanted.update(page for page in pages if page not in written)
result = json.load(open("prefilled/result.json"))["ftlab"]
assert result["before"]["host_write_bytes"] == len(wanted) * 4096 > 0, (result["before"], len(wanted))
assert any(f"before the run {len(wanted)} pages of 4 KiB" in note for note in result["notes"]), result["notes"]
PYTHON
expect "which is what it reads before it writes it, and nothing else" python3 read_first.py
run 2 "the state for a trace with a job file" run "$FTLAB_SOURCE/configs/jobs/kingston/random-write-4k.fio" "${small[@]}" --precondition trace --out never
expect "is refused" grep -q -- '--precondition: writes what a trace reads, and .* is a job file' stderr
run 0 "at twice the speed" run one.csv "${small[@]}" --trace-speed 200 --out fast
expect "it lasts half as long" says fast/result.json '1.499 <= d["ftlab"]["simulated_s"] < 1.6'
run 0 "in a closed loop, three times" run one.csv "${small[@]}" --closed-loop 8 --trace-loops 3 --out closed
expect "every record is served three times" says closed/result.json "$records * 3 == 4500 == $served"
expect "faster than it was recorded" says closed/result.json 'd["ftlab"]["simulated_s"] < 9 and d["ftlab"]["trace"]["closed_loop_depth"] == 8'
run 0 "untimed" run one.csv "${small[@]}" --closed-loop 8 --trace-loops 3 --untimed --out untimed
expect "with the same write amplification" says untimed/result.json 'd["ftlab"]["wa"] == json.load(open("closed/result.json"))["ftlab"]["wa"]'
run 2 "untimed at recorded times" run one.csv "${small[@]}" --untimed --out never
run 2 "a speed in a closed loop" run one.csv "${small[@]}" --closed-loop 2 --trace-speed 50 --out never
run 2 "an option of job files" run one.csv "${small[@]}" --set-job bs=4k --out never

gzip -c one.csv >one.csv.gz
run 0 "a gzip trace" run one.csv.gz "${small[@]}" --out gz
expect "gives the same run" same_signature gz/result.json open/result.json
if command -v zstd >/dev/null; then
  zstd -q -c one.csv >packed
  run 0 "a zstd trace, whatever its name" run packed "${small[@]}" --out zst
  expect "gives the same run" same_signature zst/result.json open/result.json
fi

run 2 "two volumes without a choice" run two.csv "${small[@]}" --out never
expect "they are named" grep -q 'holds 2 volumes: host,0 (1500 requests), host,1 (1500 requests)' stderr
run 0 "one of them" run two.csv "${small[@]}" --trace-volume host,0 --out chosen
expect "gives the same run as a file with it alone" same_signature chosen/result.json open/result.json
run 2 "side by side they do not fit" run two.csv "${small[@]}" --trace-volume all --out never
expect "the message names a line and the policies" grep -q 'two.csv:[0-9]*: reaches byte [0-9]*, the drive has 167772160; say with --trace-address' stderr
for policy in modulo scale compact; do
  run 0 "side by side, $policy" run two.csv "${small[@]}" --trace-volume all --trace-address "$policy" --out "$policy"
  expect "$policy serves every record" says "$policy/result.json" "$records == 3000 == $served and d['ftlab']['trace']['address'] == '$policy'"
done

run 2 "a bad line stops the run" run bad.csv "${small[@]}" --out never
expect "by its number" grep -q 'bad.csv:7: has 1 field (got spoilt' stderr
run 0 "bad lines are skipped when that is asked for" run bad.csv "${small[@]}" --skip-bad-lines --out skipped
expect "the result counts them" says skipped/result.json "d['ftlab']['trace']['bad_lines_skipped'] == 2 and $records == 1498 == $served"
expect "and so does a warning" grep -q '2 bad lines skipped, the first: line 7' stderr
run 2 "a record out of order stops the run" run late.csv "${small[@]}" --out never
run 0 "or is put in its place" run late.csv "${small[@]}" --trace-order sort --out sorted
expect "which the result counts" says sorted/result.json "d['ftlab']['trace']['out_of_order'] == 1 and $records == 1501 == $served"
run 0 "a trace far smaller than the drive" run one.csv --drive "$kingston" --out large
expect "is noted" grep -q "of the drive's capacity, so the drive never fills" stderr
expect "refused runs left nothing behind" test ! -e never

conclude
