#!/usr/bin/env bash
# Where outputs go: one inside another, onto a full device, and what is left of a run that is stopped.
set -u
. "$FTLAB_SOURCE/validation/checks/commands/command_line.sh"

no_partial_in() { [ -z "$(find "$1" -name '*.partial-*')" ]; }
printf '[w]\nfilename=/dev/ssd\nrw=randwrite\nbs=4k\nnorandommap\nio_size=40m\nioengine=libaio\ndirect=1\n' >job.fio
long=$FTLAB_SOURCE/configs/jobs/kingston/random-write-4k.fio

# --- an output inside another one
run 0 "a state inside the new result" run job.fio "${small[@]}" --out r --save r/state
expect "it is there" test -s r/state
run 0 "it can be loaded" run job.fio --load r/state --out r2
run 0 "and checked" check r/state
run 0 "a result with a state is replaced by another one with a state" run job.fio "${small[@]}" --replace --out r --save r/state
expect "the state is there again" test -s r/state
run 2 "without a state it is not: the state would be lost" run job.fio "${small[@]}" --replace --out r
expect "the message names it" says state
expect "it is still there" test -s r/state
run 2 "a state under the name of a file of the result" run job.fio "${small[@]}" --out r3 --save r3/result.json
expect "the message says so" says "is the name of a file of the result itself"
run 2 "a state in a folder inside the result" run job.fio "${small[@]}" --out r3 --save r3/states/one
expect "the message says so" says "lies in a folder inside --out"
expect "nothing is left of them" absent r3
mkdir place && made=$(stat -c %y place)
run 2 "a refused run" run job.fio "${small[@]}" --set ftl.gc.polcy=fifo --out place/new/out
run 0 "and a check" run job.fio "${small[@]}" --check --out place/new/out
run 2 "and a check below a file" run job.fio "${small[@]}" --check --out job.fio/out
expect "the message says so" says "cannot be written: Not a directory"
expect "make nothing, not even for a moment, as others may look meanwhile" test "$(stat -c %y place)" = "$made"
cp r/state kept
echo mine >r/notes
run 2 "a result with a stranger's file" run job.fio "${small[@]}" --replace --out r --save r/notes
expect "that file is untouched" grep -q mine r/notes
printf '{"name": "p", "steps": [{"step": "job", "name": "w", "lines": ["rw=randwrite", "bs=4k", "io_size=8m", "norandommap"]}]}' >p.json
run 0 "a state inside the result of a procedure" run p.json "${small[@]}" --out p --save p/state
expect "it is there" test -s p/state

# --- two designs
more=(--drive "$kingston" --set geometry.blocks_per_plane=17 --set user_sectors=200000
      --set ftl.gc.start_free_superblocks=2 --set ftl.gc.stop_free_superblocks=4)
run 0 "more spare" run job.fio "${more[@]}" --set-job io_size=400m --untimed --out more
run 0 "less spare" run job.fio "${small[@]}" --set-job io_size=400m --untimed --out less
run 0 "they are compared" compare more less
expect "by write amplification" grep -q "write amplification since the beginning .*A by" stdout
expect "in front of that: without a clock" grep -q "A ran --untimed" stdout
printf '[r]\nfilename=/dev/ssd\nrw=randread\nbs=4k\nnorandommap\nio_size=4m\nioengine=libaio\ndirect=1\n' >read.fio
run 0 "reads of an empty drive" run read.fio "${small[@]}" --out empty
run 0 "compared with themselves" compare empty empty
expect "a sentence says that no flash answered" grep -q "A: unwritten_reads: 100 % of the bytes read" stdout
run 0 "reads of a filled drive" run read.fio "${small[@]}" --precondition sequential --out filled
expect "no read found nothing" test "$(field filled/result.json ftlab traffic unmapped_read_pages)" -eq 0
expect "the result says what was done before" grep -q "all of the user space was written once in order" filled/result.json
run 0 "writes of a drive in its steady state" run job.fio "${small[@]}" --precondition steady --out steady
run 0 "and of a new one" run job.fio "${small[@]}" --out new
expect "collect" python3 -c 'import json
wa = [json.load(open(f"{name}/result.json"))["ftlab"]["wa"]["total"] for name in ("steady", "new")]
assert wa[0] > 1.2 * wa[1], wa'
run 2 "no such state" run job.fio "${small[@]}" --precondition stedy --out never
expect "the nearest one is named" says "did you mean steady?"
run 2 "a procedure has steps of its own" run p.json "${small[@]}" --precondition random --out never
expect "the message names the step" says 'is for job files and traces; a procedure has the step "precondition"'
run 2 "a disk has no such state" run read.fio --drive hgst-7k-100 --precondition random --out never
expect "the message says so" says "is for SSDs; a disk has no state that its speed depends on"

# --- standard output that cannot be written
full() {
  local what=$1
  shift
  "$ftlab" "$@" >/dev/full 2>stderr
  local status=$?
  expect "$what on a full device: exit status 1 (got $status)" test "$status" -eq 1
  expect "$what on a full device: a sentence" grep -q "cannot write to standard output: No space left" stderr
}
full "the summary of a run" run job.fio "${small[@]}" --out f1
expect "the result itself is kept" test -s f1/result.json
full "its JSON" run job.fio "${small[@]}" --out f2 --json
full "--help" --help
full "the help of a command" run --help
full "the library" drives
full "a drive" drives show kingston-ssdnow-v-64
full "theory" theory --op 0.28
full "a comparison" compare f1 f2
full "smart" smart r/state
full "check" check job.fio
full "the help of sweep" sweep --help
full "the help of report" report --help
full "the help of measure" measure --help

# --- help is text
for command in "" run check compare calibrate measure serve top hosts drives smart validate wa theory sweep report; do
  "$ftlab" $command --help >help 2>stderr
  expect "the help of '$command' has no control characters" test -z "$(LC_ALL=C tr -d '[:print:]\n\t\200-\377' <help)"
done

# --- a run that is stopped
# stopped WHAT SIGNALS AFTER_S ARGUMENTS...: a long run gets so many signals, all at once.
stopped() {
  local what=$1 signals=$2 after=$3 process status
  shift 3
  "$ftlab" run "$long" "${small[@]}" --set-job runtime=3000 "$@" >stdout 2>stderr &
  process=$!
  sleep "$after"
  for ((i = 0; i < signals; ++i)); do kill -INT "$process" 2>kill.log; done
  wait "$process"
  status=$?
  expect "$what: exit status 130 (got $status)" test "$status" -eq 130
  expect "$what: a sentence" grep -q interrupted stderr
}
for after in 0.3 0.6 1; do
  rm -rf stopped && mkdir stopped
  stopped "two signals after $after s" 2 "$after" --out stopped/result
  expect "two signals after $after s leave nothing half-written" no_partial_in stopped
done
expect "what there was is kept" test -s stopped/result/result.json
expect "it is marked" grep -q "it was interrupted" stopped/result/INCOMPLETE
expect "so says the result" test "$(field stopped/result/result.json ftlab complete)" = False
expect "the summary, too" grep -q "INCOMPLETE: it was interrupted" stdout
run 0 "it can be compared" compare stopped/result stopped/result
expect "in front of the figures it says that it is incomplete" grep -q "A is incomplete: it was interrupted" stdout
cp -r f1 whole
cp -r f1 before
stopped "a run that would replace a whole result" 1 1 --replace --out whole
expect "the whole result stays" diff -r whole before
stopped "a run whose state was to be saved" 1 1 --out stopped/other --save state
expect "the state of a part is not saved" absent state
conclude
