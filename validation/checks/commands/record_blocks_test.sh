#!/usr/bin/env bash
# ftlab run --record-blocks: the pictures lie beside a result that is the same without them, and what cannot be recorded is
# refused with its reason and leaves nothing behind.
set -u
. "$FTLAB_SOURCE/validation/checks/commands/command_line.sh"

at_work=(run "$FTLAB_SOURCE/configs/jobs/drive-at-work/fill-overwrite-trim.fio" --drive example-small-and-slow)

# same_but_for_pictures A B: the same files with the same bytes, but for blocks.json and the effort of the simulator.
same_but_for_pictures() {
  python3 -c 'import json, os, sys
def content(folder):
    files = {name: open(os.path.join(folder, name), "rb").read() for name in os.listdir(folder) if name != "blocks.json"}
    result = json.loads(files["result.json"])
    del result["ftlab"]["simulator"]
    files["result.json"] = json.dumps(result)
    return files
a, b = content(sys.argv[1]), content(sys.argv[2])
sys.exit([f"differs: {name}" for name in sorted(a.keys() | b.keys()) if a.get(name) != b.get(name)] or 0)' "$@"
}

# refused MESSAGE ARGUMENTS...: exit status 2, exactly this line on stderr, nothing left behind.
refused() {
  local message=$1
  shift
  run 2 "$message" "$@" --out never
  printf '%s\n' "$message" >wanted
  expect "the message: $message" diff wanted stderr
  expect "nothing is left: $message" absent never
}

run 0 "with pictures" "${at_work[@]}" --record-blocks 0:120s:250ms --out with
run 0 "without" "${at_work[@]}" --out without
expect "pictures change nothing else" same_but_for_pictures with without
expect "without the option there are none" absent without/blocks.json
run 0 "again" "${at_work[@]}" --record-blocks 0:2m:250ms --out again
expect "the same pictures" cmp with/blocks.json again/blocks.json
expect "two minutes are 481 pictures" test "$(field with/blocks.json pictures)" = 481
expect "the job shows four phases" test "$(field with/blocks.json phases 3 name)" = write-the-rest
expect "its second one collects" python3 -c 'import json, sys
recording = json.load(open("with/blocks.json"))
relocated = recording["host"]["relocated_pages"]
per_s = 1e9 / recording["every_ns"]
at = [relocated[int(phase["from_s"] * per_s) + 2:int(phase["to_s"] * per_s)] for phase in recording["phases"]]
sys.exit(not (sum(at[0]) == 0 and sum(at[1]) / len(at[1]) > 3 * sum(at[3]) / len(at[3]) > 0))'
run 0 "the run ends before the pictures do" "${at_work[@]}" --record-blocks 120:240:1 --replace --out again
expect "that is said" says "the run ended at 120.* s, so 1 of 121 pictures were taken"
run 0 "--replace takes earlier pictures away" "${at_work[@]}" --replace --out again
expect "they are gone" absent again/blocks.json

refused "--record-blocks: is not three times (got 0:120; allowed: FROM:TO:EVERY in seconds or with a unit, as 0:120s:500ms)" \
  "${at_work[@]}" --record-blocks 0:120
refused "--record-blocks: makes (120 s - 0 s) / 0.01 s + 1 = 12001 pictures (got 0:120:10ms; allowed: at most 2000)" \
  "${at_work[@]}" --record-blocks 0:120:10ms
refused "--record-blocks: makes 4096 superblocks x 1200 pictures = 4915200 cells (allowed: at most 4194304; of this drive 1024 pictures)" \
  run "$FTLAB_SOURCE/configs/jobs/kingston/random-write-4k.fio" --drive kingston-ssdnow-v-64 --record-blocks 1:1200:1
printf '[write]\nrw=randwrite\nbs=4k\nsize=64k\nioengine=libaio\ndirect=1\n' >short.fio
refused "--record-blocks: takes pictures on a grid of simulated time, and --untimed has no clock (got 0:1:1s)" \
  run short.fio --drive example-small-and-slow --untimed --record-blocks 0:1:1s
refused "--record-blocks: is for SSDs; a disk has no superblocks (got 0:1:1s)" \
  run short.fio --drive wd-scorpio-blue --record-blocks 0:1:1s
refused "--record-blocks: is for job files and traces; record a step of a procedure as a job file" \
  run "$FTLAB_SOURCE/configs/jobs/snia/latency.json" --drive example-small-and-slow --record-blocks 0:1:1s
run 2 "no stretch at all" "${at_work[@]}" --record-blocks "" --out never
expect "nothing is left" absent never
conclude
