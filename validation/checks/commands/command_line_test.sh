#!/usr/bin/env bash
# What the command line promises: the same run gives the same bytes, a result is whole or not there, nothing that a user
# has is lost, and every way to end has its exit status.
set -u
. "$FTLAB_SOURCE/validation/checks/commands/command_line.sh"

# same_result A B: the same files with the same bytes; of result.json everything but the effort of the simulator.
same_result() {
  python3 -c 'import json, os, sys
def content(folder):
    files = {name: open(os.path.join(folder, name), "rb").read() for name in sorted(os.listdir(folder))}
    result = json.loads(files["result.json"])
    del result["ftlab"]["simulator"]
    files["result.json"] = json.dumps(result)
    return files
a, b = content(sys.argv[1]), content(sys.argv[2])
sys.exit([f"differs: {name}" for name in sorted(a.keys() | b.keys()) if a.get(name) != b.get(name)] or 0)' "$@"
}

absent() { [ ! -e "$1" ] && [ ! -L "$1" ]; }
equal() { [ -n "$1" ] && [ "$1" = "$2" ]; }
differ() { [ -n "$1" ] && [ -n "$2" ] && [ "$1" != "$2" ]; }
no_partial_in() { [ -z "$(find "$1" -name '*.partial-*')" ]; }

# The Kingston with 17 superblocks of 16 MiB, 10 of them for the user.
cp "$kingston" small.json
small=(--drive small.json --set geometry.blocks_per_plane=17 --set user_sectors=327680
       --set ftl.gc.start_free_superblocks=2 --set ftl.gc.stop_free_superblocks=4)
cat >job.fio <<'JOB'
[global]
filename=/dev/ssd-under-test
ioengine=libaio
direct=1
randrepeat=0

[write]
rw=randwrite
bs=16k
iodepth=4
norandommap
io_size=400m
write_bw_log=write

[mixed]
stonewall
rw=randrw
bs=4k
iodepth=8
io_size=20m
JOB
cat >timed.fio <<'JOB'
[write]
filename=/dev/ssd-under-test
ioengine=libaio
direct=1
rw=randwrite
bs=4k
time_based
runtime=1
JOB
long=$FTLAB_SOURCE/configs/jobs/kingston/random-write-4k.fio

# --- the same run gives the same result
run 0 "a run" run job.fio "${small[@]}" --seed 7 --out a
run 0 "the same run" run job.fio "${small[@]}" --seed 7 --out b
expect "two runs with one seed give the same bytes" same_result a b
run 0 "another seed" run job.fio "${small[@]}" --seed 8 --out c
expect "another seed gives another signature" differ "$(field a/result.json ftlab signature)" "$(field c/result.json ftlab signature)"
run 0 "the drive.json of a result" run job.fio --drive a/drive.json --seed 7 --out d
expect "the drive.json of a result gives its signature again" equal "$(field a/result.json ftlab signature)" "$(field d/result.json ftlab signature)"
run 0 "--json" run job.fio "${small[@]}" --seed 7 --json --out e
expect "--json prints result.json" cmp stdout e/result.json
expect "the run collected garbage, so that the comparisons mean something" test "$(field a/result.json ftlab traffic relocated_pages)" -gt 0

# --- placement without time
run 0 "--untimed" run job.fio "${small[@]}" --seed 7 --untimed --out untimed
expect "--untimed gives the same write amplification" equal "$(field a/result.json ftlab wa)" "$(field untimed/result.json ftlab wa)"
expect "--untimed gives the same erases" equal "$(field a/result.json ftlab erases)" "$(field untimed/result.json ftlab erases)"
run 2 "--untimed refuses a job that a clock must end" run timed.fio "${small[@]}" --untimed --out never
expect "a refused run leaves no result" absent never

# --- verify
cat >verify.fio <<'JOB'
[global]
filename=/dev/ssd-under-test
ioengine=libaio
direct=1
bs=16k
verify=crc32c

[after]
rw=randwrite
iodepth=4
size=80m

[backlog]
stonewall
rw=write
size=80m
verify_backlog=64
verify_fatal=1
JOB
run 0 "verify" run verify.fio "${small[@]}" --save verified.state --out verified
expect "every write was read back and compared" equal "$(field verified/result.json ftlab verify reads)" 10240
expect "nothing was wrong" equal "$(field verified/result.json ftlab verify mismatches)" 0
expect "fio's error is 0 in both jobs" equal "$(grep -c '"error": 0' verified/result.json)" 2
expect "the summary says so" grep -q "verified *10240 reads, 40960 pages; no mismatch" stdout
printf '[look]\nfilename=/dev/ssd\nrw=randread\nnorandommap\nbs=4k\nsize=80m\nio_size=160m\nioengine=libaio\ndirect=1\nverify=md5\n' >look.fio
run 0 "verify on a drive with a past" run look.fio --load verified.state --out looked
expect "what was there before is believed once only" test "$(field looked/result.json ftlab verify granules_first_seen)" -lt 20481
expect "and compared from then on" equal "$(field looked/result.json ftlab verify reads)" 40960
run 2 "no known way to verify" run look.fio --load verified.state --set-job verify=maybe --out never
run 0 "a job without verify" run look.fio --load verified.state --set-job verify=0 --out unlooked
expect "its result does not speak of it" test -z "$(grep -o granules_first_seen unlooked/result.json)"
expect "comparing changes nothing" equal "$(field looked/result.json ftlab signature)" "$(field unlooked/result.json ftlab signature)"

# --- the boundary of the spare space
python3 "$FTLAB_SOURCE/validation/checks/bad_inputs/unpack.py" bad_inputs
short=bad_inputs/drive/drive-spare-one-superblock-short.json
printf '[write]\nfilename=/dev/ssd\nrw=randwrite\nbs=4k\nnorandommap\nio_size=40m\nioengine=libaio\ndirect=1\n' >fill.fio
run 2 "one superblock too few" run fill.fio --drive "$short" --out never
run 0 "one superblock more, and the drive works when written over and over" run fill.fio --drive "$short" --set geometry.blocks_per_plane=17 --out spare
expect "that drive collected garbage" test "$(field spare/result.json ftlab traffic collected_superblocks)" -gt 0

# --- what a user has is not lost
cp -r a before
run 2 "an earlier result is not overwritten" run job.fio "${small[@]}" --seed 9 --out a
expect "the message says --replace" grep -q -e --replace stderr
expect "the earlier result is untouched" diff -r a before
run 0 "--replace" run job.fio "${small[@]}" --seed 8 --replace --out a
expect "--replace puts the new result in place" same_result a c
mkdir outs outs/foreign outs/empty outs/real
echo mine >outs/file
echo mine >outs/foreign/notes.txt
ln -s real outs/link
cp -r outs outs.before
run 2 "--out is a file" run job.fio "${small[@]}" --out outs/file
run 2 "--out is a file, --replace" run job.fio "${small[@]}" --replace --out outs/file
run 2 "--out is a folder with other files" run job.fio "${small[@]}" --out outs/foreign
run 2 "--out is a folder with other files, --replace" run job.fio "${small[@]}" --replace --out outs/foreign
run 2 "--out is below a file" run job.fio "${small[@]}" --out outs/file/result
run 2 "--out is far below a file" run job.fio "${small[@]}" --out outs/file/a/b/result
run 2 "--out is in /proc" run job.fio "${small[@]}" --out /proc/ftlab/result
run 2 "--out is empty" run job.fio "${small[@]}" --out ''
if [ "$(id -u)" -ne 0 ]; then  # root may write everywhere
  mkdir locked && chmod a-w locked
  run 2 "--out is in a folder that cannot be written" run job.fio "${small[@]}" --out locked/result
  expect "nothing is left in that folder" is_empty locked
fi
expect "refused runs leave everything as it was" diff -r outs outs.before
run 0 "--out is an empty folder" run job.fio "${small[@]}" --out outs/empty
expect "the empty folder is used" test -s outs/empty/result.json
run 0 "--out is a link to an empty folder" run job.fio "${small[@]}" --out outs/link
expect "the result is where the link leads" test -s outs/real/result.json
expect "the link is still one" test -L outs/link
run 0 "--out below folders that do not exist" run job.fio "${small[@]}" --out outs/new/deep/result
expect "they are made" test -s outs/new/deep/result/result.json

# --- write amplification, simulated and from theory
run 0 "ftlab wa" wa --blocks 128 --op 0.28 --precision 0.01 --json
cp stdout wa1
run 0 "the same again" wa --blocks 128 --op 0.28 --precision 0.01 --json
expect "the same number to the last digit" test "$(field wa1 wa)" = "$(field stdout wa)"
run 0 "ftlab theory" theory --op 0.28 --json
expect "the same theory as beside the simulation" test "$(field wa1 theory wa)" = "$(field stdout wa)"
run 0 "no formula is an answer, too" theory --workload zipf:1 --json
expect "with the reason" test -n "$(field stdout why_none)"
run 0 "over-provisioning in per cent" theory --op 28% --json
expect "the same as by its ratio" test "$(field wa1 theory wa)" = "$(field stdout wa)"
run 2 "7 for 7 per cent" theory --op 7
expect "it is asked what was meant" grep -q "may be a ratio or per cent" stderr
expect "with both answers" grep -q "7% if per cent was meant, 700% if the ratio was" stderr
run 0 "the over-provisioning for a write amplification" wa --blocks 128 --target-wa 2.5 --precision 0.01 --json
op="$(field stdout op)"
expect "it gives that write amplification to the precision asked for" python3 -c "assert abs($(field stdout wa) / 2.5 - 1) < 0.01"
cp stdout target
run 0 "the same over-provisioning by --op" wa --blocks 128 --op "$op" --precision 0.01 --json
expect "the same figure" test "$(field target wa)" = "$(field stdout wa)"
run 2 "an unknown policy" wa --policy gredy
expect "the nearest known name is offered" grep -q "did you mean greedy?" stderr
run 2 "hot and cold frontiers without a hot workload" wa --frontiers hot+cold
run 2 "more data than blocks" wa --frontiers host+gc --op 0.01 --blocks 16
expect "the message gives the arithmetic" grep -q "need 18 blocks; there are 17" stderr

# --- a full disk
mkdir limits
(ulimit -f 1 && exec "$ftlab" run job.fio "${small[@]}" --out limits/new/deep/result >stdout 2>stderr)
expect "a result too large for the file limit: exit status 4" test $? -eq 4
expect "the message names the file" grep -q result.json stderr
expect "nothing is left, not even the folders that were made" is_empty limits
cp -r c limits/result
(ulimit -f 1 && exec "$ftlab" run job.fio "${small[@]}" --replace --out limits/result >stdout 2>stderr)
expect "the same with --replace: exit status 4" test $? -eq 4
expect "the earlier result is still whole" diff -r c limits/result
expect "no partial folder is left" no_partial_in limits
mkdir full
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=1m tmpfs full 2>mount.log; then
  trap 'umount full' EXIT
  cp -r c full/result
  dd if=/dev/zero of=full/rest bs=4k >dd.log 2>&1
  run 4 "a full disk" run job.fio "${small[@]}" --replace --out full/result
  expect "the message gives the reason" grep -q "No space left" stderr
  expect "the earlier result is still whole on the full disk" diff -r c full/result
  expect "no partial folder is left on the full disk" no_partial_in full
else
  echo "not checked: a full disk (no right to mount a tmpfs)"
fi

# --- interrupted
# interrupt SIGNAL WHAT ARGUMENTS...: a long run that gets the signal while it works.
interrupt() {
  local signal=$1 what=$2 status
  shift 2
  "$ftlab" run "$long" --drive "$kingston" "$@" >stdout 2>stderr &
  local process=$!
  sleep 1
  expect "$what: the run is long enough to be interrupted" kill "-$signal" "$process"
  wait "$process"
  status=$?
  expect "$what: exit status 130 (got $status)" test "$status" -eq 130
  expect "$what: the message says so" grep -q interrupted stderr
}
mkdir stopped
interrupt INT "Ctrl-C" --out stopped/new/result
interrupt TERM "SIGTERM" --out stopped/new/other
expect "Ctrl-C and SIGTERM leave no partial folder" no_partial_in stopped
rm -rf stopped/new
cp -r c stopped/result
interrupt INT "Ctrl-C with --replace" --replace --out stopped/result
expect "Ctrl-C leaves the earlier result whole" diff -r c stopped/result
expect "Ctrl-C leaves no partial folder" no_partial_in stopped

# --- the words of the command line
run 2 "an unknown drive" run job.fio --drive kingston-ssdnow-v64 --out never
expect "the nearest drive is named" grep -q "did you mean kingston-ssdnow-v-64?" stderr
run 2 "an unknown option" run job.fio "${small[@]}" --out never --sede 3
expect "the unknown option is named" grep -q -e --sede stderr
run 2 "an unknown command" simulate
expect "the unknown command is named" grep -q simulate stderr
run 2 "a misspelled command" rnu
expect "the nearest command is named" grep -q "did you mean run?" stderr
run 2 "a seed that is not a number" run job.fio "${small[@]}" --out never --seed x
run 2 "a negative seed" run job.fio "${small[@]}" --out never --seed -1
run 2 "a seed beyond 64 bits" run job.fio "${small[@]}" --out never --seed 18446744073709551616
run 2 "an octal seed" run job.fio "${small[@]}" --out never --seed 010
run 2 "a job that is missing" run nowhere.fio "${small[@]}" --out never
run 2 "--set of an unknown key" run job.fio "${small[@]}" --set ftl.gc.polcy=greedy --out never
expect "the nearest key is named" grep -q policy stderr
run 2 "--set without a value" run job.fio "${small[@]}" --set ftl.gc.policy --out never
run 2 "--set-job of an unknown option" run job.fio "${small[@]}" --set-job iodepht=4 --out never
expect "the nearest option is named" grep -q iodepth stderr
run 2 "no --out" run job.fio "${small[@]}"
expect "none of them leaves a result" absent never
run 2 "no arguments"
expect "no arguments: the help, on stderr" grep -q Usage stderr
run 0 "--help" --help
expect "--help on stdout" grep -q Usage stdout
run 0 "run --help" run --help
run 0 "--version" --version
run 0 "drives" drives
expect "drives lists the library" grep -q kingston-ssdnow-v-64 stdout

# --- from the first write to the last
cat >life.fio <<'JOB'
[global]
filename=/dev/ssd-under-test
direct=1
randrepeat=0

[life]
rw=randwrite
bs=64k
size=100%
io_size=1t
JOB
life=(run life.fio "${small[@]}" --untimed --set endurance.program_erase_limit=40
      --set endurance.limit_spread_permille=100 --set endurance.warranty_days=1095)
run 3 "a drive at its end" "${life[@]}" --out life
expect "the end is said" grep -q "end of life *read-only after .* TB of host writes (TBW, .* drive writes a day), write amplification" stdout
expect "read-only" test "$(field life/result.json ftlab endurance read_only)" = True
expect "its laws hold" test "$(field life/result.json ftlab failed_checks)" = "[]"
expect "one superblock is missing" test $(($(field life/result.json ftlab endurance superblocks_usable) + 1)) -eq \
  "$(field life/result.json ftlab endurance superblocks_needed)"
expect "TBW is what was written" test "$(field life/result.json ftlab endurance tbw_bytes)" = \
  "$(field life/result.json ftlab traffic host_write_bytes)"
run 3 "the same death" "${life[@]}" --out life-again
expect "the same result" same_result life life-again

# --- a reader that goes away
"$ftlab" run job.fio "${small[@]}" --json --out piped 2>stderr | head -0
expect "a closed pipe does not end the run, but is told" test "${PIPESTATUS[0]}" -eq 1
expect "its result is there" test -s piped/result.json

# --- fio's own tool
if command -v fio_jsonplus_clat2csv >where.log; then
  expect "fio_jsonplus_clat2csv reads result.json" fio_jsonplus_clat2csv a/result.json clat.csv
  expect "fio_jsonplus_clat2csv writes a table" bash -c 'cat clat*.csv | grep -q ,'
else
  echo "not checked: fio_jsonplus_clat2csv is not installed"
fi

expect "no partial folder is left anywhere" no_partial_in .
conclude
