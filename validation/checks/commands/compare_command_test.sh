#!/usr/bin/env bash
# ftlab compare from the command line: results of fio, of ftlab and of others against each other, verdicts, refusals.
set -u
. "$FTLAB_SOURCE/validation/checks/commands/command_line.sh"
measured=$FTLAB_SOURCE/validation/measured
results=$FTLAB_SOURCE/validation/checks/data/fio-results
rows() { [ "$(grep -c "$2" "$1")" -eq "$3" ]; }

run 0 "--help" compare --help
expect "the help names the tolerances" grep -q "median of the absolute errors within 5 %" stdout
run 0 "--help of the program" --help
expect "the command is listed" grep -q "compare " stdout

# fio's own JSON and logs.
run 0 "fio against itself" compare "$results" "$results" --tolerance 'median=0%,p95=0%'
expect "no error" grep -q "verdict: within the tolerances" stdout
run 0 "the same as JSON" compare "$results/sweep.json" "$results/sweep.json" --json --out self
expect "JSON is JSON" test "$(field stdout within)" = True
expect "what is printed is what is kept" cmp stdout self/comparison.json
expect "a line for each of 6 quantities of 5 points" rows self/comparison.csv "^rand" 30
expect "the mixed jobs were added up" grep -q "^randrw,70,4096,,8,2,read,mixed,mixed,iops,999.5" self/comparison.csv
run 2 "--out that holds a comparison" compare "$results/sweep.json" "$results/sweep.json" --out self
run 0 "--replace" compare "$results/sweep.json" "$results/sweep.json" --out self --replace

# Seven percent more, in every iops of a published sweep.
python3 - "$measured/samsung_pm883_sata3g.json" >more.json <<'PY'
import json, sys
figures = json.load(open(sys.argv[1]))
for point in figures["points"]: point["iops"] *= 1.07
json.dump(figures, sys.stdout)
PY
run 4 "seven percent more" compare more.json "$measured/samsung_pm883_sata3g.json"
expect "is found as seven percent" grep -q "iops  *98  *7.00 %  *7.00 %  *+7.0 %" stdout
expect "and is told in the verdict" grep -q "NO  iops of points: median 7.00 % of 5.00 %, p95 7.00 % of 15.00 %" stdout
run 0 "a tolerance of eight" compare more.json "$measured/samsung_pm883_sata3g.json" --tolerance iops:median=8%
run 4 "of six" compare more.json "$measured/samsung_pm883_sata3g.json" --tolerance iops:median=6%
run 0 "latency alone" compare more.json "$measured/samsung_pm883_sata3g.json" --quantity latency_mean_ns

# Series of minutes, of which one is longer.
run 4 "two drives over three hours" \
  compare "$measured/series_samsung_pm883_sata3g.json" "$measured/series_intel_d3_s4610_sata3g.json" --out hours
expect "the lengths are told" grep -q "A is 10140 s long and B 11880 s" stdout
expect "every minute of the shorter one is kept" rows hours/curves.csv "^time_s,iops of reads" 169
expect "a minute is a minute" grep -q "^time_s,iops of reads,iops,60,120,6086.3,4900.9,0.24" hours/curves.csv

# Two simulated runs, and a simulated disk against the measured one.
cat >disk.fio <<'JOB'
[global]
filename=/dev/d
direct=1
ioengine=libaio
bs=4k
norandommap
time_based
runtime=240
ramp_time=60
[read-1]
rw=randread
[read-32]
stonewall
rw=randread
iodepth=32
[write-1]
stonewall
rw=randwrite
[write-32]
stonewall
rw=randwrite
iodepth=32
JOB
run 0 "a run" run disk.fio --drive hgst-7k-100 --out disk
run 0 "another seed" run disk.fio --drive hgst-7k-100 --seed 2 --out other
run 0 "a slower disk" run disk.fio --drive hgst-7k-100 --set spindle.rpm=5400 --out slower
run 0 "a run against itself" compare disk disk --tolerance 'median=0%,p95=0%'
run 0 "two seeds" compare disk other --grid 30
run 4 "a slower disk, held to a tolerance" compare slower disk --tolerance median=5%
run 0 "a slower disk is another design" compare slower disk
expect "rows say who is better by how much" grep -q "iops: .*  B by" stdout
expect "and nothing is judged" grep -q "verdict: none, since both are simulated designs" stdout
expect "is told to be slower" grep -q "^  iops .*-[1-9][0-9.]* %  -[1-9]" stdout
run 0 "the disk against the measured one, depths 1 and 32" compare disk "$measured/hdd_hgst_7k_100.json" --jobs 1
expect "four points are compared" grep -q "4 of 12 pairs; not compared:" stdout
expect "all others are named" rows stdout "^  B  rand.*: A has no such workload" 8
run 0 "the measured one's host" compare disk "$measured/hdd_hgst_7k_100.json" --jobs 1 --host linux-deadline
expect "another than the simulated one's" grep -q 'A was simulated on the host "default" and the measurement made on "Linux, deadline' stdout
run 2 "no such host" compare disk disk --host linux-deadlin
expect "names the nearest" grep -q 'did you mean linux-deadline?' stderr
run 0 "the same within 3 %" \
  compare --quantity iops --tolerance median=3%,p95=3% disk "$measured/hdd_hgst_7k_100.json" --jobs 1
run 0 "one depth" compare disk "$measured/hdd_hgst_7k_100.json" --jobs 1 --depth 32 --rw randread --json
expect "is one point" test "$(field stdout errors iops count)" = 1

# The same job file on both sides: the logs of its jobs are held against each other by the names of the jobs.
sed -e 's/runtime=240/runtime=60/' -e 's/^\[global\]/&\nwrite_iops_log=own\nlog_avg_msec=1000/' disk.fio >logged.fio
run 0 "a run with logs" run logged.fio --drive hgst-7k-100 --out logged
mkdir as-fio && cp logged/result.json as-fio/fio.json
for log in logged/*_iops.*.log; do cp "$log" "as-fio/theirs_${log##*own_}"; done
run 0 "against fio's JSON and logs under other names" compare logged as-fio --tolerance median=0%,p95=0% --json
expect "each job's log has its partner" test "$(field stdout series 2 label_a)" = write-1
expect "all four have" test "$(field stdout series 3 label_b)" = write-32

# A procedure: its steps are told apart by their folders.
cat >twice.json <<'JSON'
{"name": "twice", "steps": [
  {"step": "job", "name": "read", "lines": ["rw=randread", "bs=4k", "io_size=1m"]},
  {"step": "job", "name": "again", "lines": ["rw=randread", "bs=4k", "io_size=1m"]}]}
JSON
run 0 "a procedure" run twice.json --drive hgst-7k-100 --out twice
run 0 "against itself" compare twice twice --json
expect "two points" test "$(field stdout errors iops count)" = 2
expect "with their folders" grep -q '"label_a": "02-again/' stdout

odd=$(printf 'odd\377')
mkdir "$odd" && cp "$results"/sweep*.log "$odd/"
run 0 "a name that is not UTF-8" compare "$odd" "$odd" --json
expect "JSON is JSON all the same" test "$(field stdout within)" = True

# Nonsense.
run 2 "no second measurement" compare disk
run 2 "a place that is not there" compare disk nowhere
expect "is named" grep -q "^nowhere: does not exist" stderr
run 2 "nothing in common" \
  compare disk "$measured/series_samsung_pm883_sata3g.json" --direction write --quantity latency_mean_ns
run 2 "workloads that differ" compare "$results/grouped.json" "$measured/hdd_hgst_7k_100.json"
expect "what each has is told" grep -q "no workload and no curve in common.*got rw 8k, depth 1, 2 jobs, read" stderr
run 2 "a job file" compare disk disk.fio
run 2 "a drive" compare disk disk/drive.json
expect "what is allowed is told" grep -q "is not a measurement (allowed: a result of ftlab" stderr
echo '{"fio version": "fio-3.33", "jobs": [{"jobname": "j", "read": {"iops": "many"}}' >cut.json
run 2 "JSON that is cut" compare disk cut.json
expect "its line is told" grep -q "^cut.json:1: .*ends before" stderr
printf '500, 1, 0, 0, 0\n400, 1, 0, 0, 0\n' >back_bw.1.log
run 2 "a log that runs backwards" compare disk back_bw.1.log
expect "its line is told" grep -q "^back_bw.1.log:2: time: does not rise" stderr
for wrong in "--tolerance 5%" "--tolerance median=5" "--tolerance mean=5%" "--quantity iop" "--direction up" "--depth 9-1" \
  "--bs x" "--grid 0" "--grid 1e-6" "--rw none" "--out disk"; do
  # shellcheck disable=SC2086
  run 2 "$wrong" compare disk disk $wrong
done
expect "nothing is left of what was refused" absent never

conclude
