#!/usr/bin/env bash
# Drives that are saved, loaded and forked from the command line, runs that end in their steady state, and what becomes of
# procedures that are interrupted or replaced.
set -u
. "$FTLAB_SOURCE/validation/checks/commands/command_line.sh"

printf '[global]\nfilename=/dev/ssd\nioengine=libaio\ndirect=1\nrw=randwrite\nbs=16k\niodepth=4\nnorandommap\nrandrepeat=0\n' >global
(cat global && printf '[write]\nio_size=400m\n') >write.fio
(cat global && printf '[write]\ntime_based\nruntime=2000\nwrite_bw_log=w\nlog_avg_msec=500\n') >long.fio

# --- save, check, load
run 0 "a run that is saved" run write.fio "${small[@]}" --seed 3 --out aged --save aged.state
run 0 "ftlab check says what the state is" check aged.state
expect "by the drive's name and what was written" grep -q 'state of "Kingston SSDNow V-Series 64 GB (scaled to 167.8 MB)", 167772160 bytes, seed 3; .* 419430400 bytes written' stdout
run 0 "it goes on without --drive" run write.fio --load aged.state --out more
expect "with the drive that it was" cmp aged/drive.json more/drive.json
expect "a result counts its own run" test "$(field more/result.json ftlab traffic host_write_bytes)" -eq 419430400
run 0 "the same again" run write.fio --load aged.state --out again
expect "with the same state at its end" test "$(field more/result.json ftlab state_signature)" = "$(field again/result.json ftlab state_signature)"
run 0 "another policy goes on from it" run write.fio --load aged.state --set ftl.gc.policy=fifo --out fifo
expect "the message says so" says "another design takes the medium over"
run 2 "another capacity does not" run write.fio --load aged.state --set user_sectors=300000 --out never
expect "with the reason" says "the user capacity in bytes differs: the state has 167772160, the design wants 153600000"
run 2 "another drive does not" run write.fio --load aged.state --drive kingston-ssdnow-v-64 --out never
expect "with the reason" says 'this drive cannot continue as "Kingston.*": geometry.blocks_per_plane differs'
run 2 "a disk does not" run write.fio --load aged.state --drive wd-scorpio-blue --out never
expect "with the reason" says "^--load: is the state of an SSD, which a disk cannot take up (got aged.state)$"
run 2 "neither --drive nor --load" run write.fio --out never
expect "the message names both" says "--load STATE"

# --- bad states
size=$(stat -c %s aged.state)
head -c $((size / 2)) aged.state >cut.state
head -c 100 aged.state >head.state
(cat aged.state && echo x) >long.state
cp aged.state damaged.state
printf 'x' | dd of=damaged.state bs=1 seek=$((size / 3)) conv=notrunc 2>dd.log
cp aged.state newer.state
printf '\177' | dd of=newer.state bs=1 seek=12 conv=notrunc 2>dd.log
printf 'ftlab state\0' >short.state
label=$((16 + 8 + $(od -An -tu8 -j16 -N8 aged.state) + 8))
head -c $label aged.state >label.state
for state in cut head long damaged newer short label; do
  run 2 "a $state state" run write.fio --load $state.state --out never
  expect "the message names it" says "^$state.state: "
done
run 2 "ftlab check refuses a damaged state" check damaged.state
expect "the message says that it is damaged" says "the state is damaged"
run 2 "a label without a drive" check label.state
expect "the message says what is missing" says "the state is cut short: the drive is missing behind its label."
run 2 "a state of a newer ftlab" check newer.state
expect "the message says that it is newer" says "written by a newer ftlab"
run 2 "a state that is not a state" run write.fio --load write.fio --out never
run 2 "a state that is missing" run write.fio --load nowhere.state --out never

# --- a state is written whole or not at all, over nothing but a state
echo mine >mine.txt
run 2 "--save over another file" run write.fio "${small[@]}" --out never --save mine.txt
expect "the file is as it was" grep -q mine mine.txt
run 2 "--save into a folder that does not exist" run write.fio "${small[@]}" --out never --save no/such/folder.state
cp aged.state before.state
(ulimit -f 200 && exec "$ftlab" run write.fio --load aged.state --out limited --save aged.state >stdout 2>stderr)
expect "a state that is too large for the disk: exit status 4" test $? -eq 4
expect "the earlier state is whole" cmp aged.state before.state
expect "no result is left" test ! -e limited
expect "nothing partial is left" test -z "$(find . -name '*.partial-*')"

# --- until steady
run 0 "a run until its steady state" run long.fio --load aged.state --until-steady 5 --out steady
expect "it was reached" test "$(field steady/result.json ftlab until_steady reached)" = True
expect "before the job's own end" test "$(field steady/result.json ftlab simulated_s | cut -d. -f1)" -lt 2000
expect "the interval is within 5 %" python3 -c 'import json
wa = json.load(open("steady/result.json"))["ftlab"]["until_steady"]["wa"]
assert 0 < wa["half_width_95"] <= 0.05 * wa["mean"]'
run 0 "a run too short for it ends by itself" run long.fio --load aged.state --set-job runtime=5 --until-steady=5 --out short
expect "and says that it was not reached" grep -q "steady state .*not reached: " stdout
run 2 "a job that ends by itself" run write.fio --load aged.state --until-steady 5 --out never
expect "with what would be accepted" says "time_based, or io_size of at least 4 times the region"
run 2 "no clock, no steady state" run long.fio --load aged.state --untimed --until-steady --out never
run 2 "a percentage that is none" run long.fio --load aged.state --until-steady x --out never

# --- procedures
cat >two.json <<'JSON'
{
  "name": "two",
  "variables": {"n": 2},
  "steps": [
    {"step": "age", "pattern": "random", "times": 3},
    {"step": "snapshot", "name": "aged"},
    {"step": "job", "name": "first", "lines": ["rw=randwrite", "bs=4k", "io_size=20m", "norandommap"], "seed": 5},
    {"step": "restore", "name": "aged"},
    {"step": "job", "name": "second", "lines": ["rw=randwrite", "bs=4k", "io_size=20m", "norandommap"], "seed": 5},
    {"step": "power_cycle"},
    {"step": "purge", "how": "new-drive"},
    {"step": "repeat", "replicates": "${n}", "steps": [{"step": "job", "name": "new", "lines": ["rw=read", "bs=64k", "size=1m"]}]}
  ]
}
JSON
run 0 "a procedure" run two.json "${small[@]}" --out two --save two.state
expect "a restored drive writes exactly as it did from the snapshot" test \
  "$(field two/03-first/result.json ftlab traffic)" = "$(field two/05-second/result.json ftlab traffic)"
expect "a new drive has no data" test "$(field two/08-new/result.json ftlab traffic mapped_bytes)" -eq 0
run 0 "it goes on from a state" run two.json --load aged.state --variable n=1 --out two-more
expect "with its variable" test ! -e two-more/09-new
run 2 "a variable that is none" run two.json "${small[@]}" --variable m=1 --out never
expect "the nearest is named" says "is not a variable of two.json"
run 2 "--variable without a procedure" run write.fio "${small[@]}" --variable n=1 --out never
run 2 "--untimed with a procedure" run two.json "${small[@]}" --untimed --out never
run 0 "--replace of a procedure's result" run two.json "${small[@]}" --out two --replace
echo mine >two/03-first/notes.txt
run 2 "a file of the user among the results" run two.json "${small[@]}" --out two --replace
expect "it is still there" test -e two/03-first/notes.txt
cat >endless.json <<'JSON'
{"name": "endless", "steps": [{"step": "repeat", "replicates": 10000, "steps": [
  {"step": "job", "lines": ["rw=randwrite", "bs=4k", "norandommap", "time_based", "runtime=100"]}]}]}
JSON
mkdir stopped
"$ftlab" run endless.json "${small[@]}" --out stopped/result --save stopped/state >stdout 2>stderr &
process=$!
sleep 1
kill -INT "$process"
wait "$process"
expect "an interrupted procedure: exit status 130" test $? -eq 130
expect "it leaves nothing, neither result nor state" is_empty stopped
expect "none of the refused runs leaves a result" test ! -e never
conclude
