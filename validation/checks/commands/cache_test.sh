#!/usr/bin/env bash
# States of preconditioned drives are kept between runs: results are the same with and without, other keys are other entries,
# damaged ones are made again; ftlab cache, --no-cache, FTLAB_CACHE_LIMIT; Python and sweeps use the same entries.
set -u
. "$FTLAB_SOURCE/validation/checks/commands/command_line.sh"
export XDG_CACHE_HOME=$PWD/cache FTLAB_CACHE_LIMIT=1GB

# Takes some four seconds of processor time to precondition: its writes cannot be counted.
drive=(--drive example-25nm-mlc --set geometry.blocks_per_plane=8192 --set user_sectors=14000000 --set ftl.gc.policy=greedy-least-worn)
printf '[w]\nfilename=/dev/ssd\nrw=randwrite\nbs=4k\nnorandommap\nnumber_ios=2000\nioengine=libaio\ndirect=1\n' >w.fio
states() { find cache -name '*.state' 2>/dev/null | wc -l; }
# A result without what the machine's speed decides.
figures() { grep -v '_per_wall_s\|"wall_s"\|"peak_rss_bytes"' "$1/result.json"; }
same() { [ -s "$1/result.json" ] && cmp -s <(figures "$1") <(figures "$2"); }

run 0 "without the cache" run w.fio "${drive[@]}" --precondition random --no-cache --out without
expect "nothing is kept" absent cache/ftlab
run 0 "a state is made and kept" run w.fio "${drive[@]}" --precondition random --out made
expect "as one file" test "$(states)" = 1
run 0 "it is loaded" run w.fio "${drive[@]}" --precondition random --out loaded
expect "and remains the only one" test "$(states)" = 1
expect "a made state gives the same result as none" same without made
expect "a loaded one, too" same without loaded
run 0 "they are listed" cache
expect "with drive, pattern and size" grep -Eq '^Example, 25 nm MLC .* random, seed 1 +[0-9.]+ MB +0 min$' stdout
expect "and their sum" grep -Eq '^1 state, [0-9.]+ MB of at most 1.0 GB, in .*/cache/ftlab$' stdout

expect "within the limit" test "$(wc -l <stdout)" = 3
FTLAB_CACHE_LIMIT=1MB run 0 "they are listed under a lower limit" cache
expect "which deletes none by itself, and that is said" grep -q "^This is more than the limit: " stdout
touch -d "1 day ago" "$(find cache -name '*.state')"
few=(--variable cell=20ms --variable depth=4 --variable random=randwrite --variable sequential=read)
run 0 "ftlab bench" bench "${drive[@]:1}" "${few[@]}" --out bench
expect "brings its drive to the same state, and loads it" test -n "$(find cache -name '*.state' -mmin -60)" -a "$(states)" = 1
run 0 "ftlab bench without the cache" bench "${drive[@]:1}" "${few[@]}" --no-cache --out bench-without
expect "has the same rows" cmp bench/procedure.csv bench-without/procedure.csv

expect "Python takes it up" test "$(PYTHONPATH=$FTLAB_BIN/../python "$FTLAB_PYTHON" - <<'PYTHON'
import ftlab
drive = ftlab.Drive("example-25nm-mlc", {"geometry.blocks_per_plane": 8192, "user_sectors": 14000000, "ftl.gc.policy": "greedy-least-worn"})
print(drive.precondition("random").startswith("before the run all of the user space but its last 960 KiB was written once"))
open("age.json", "w").write('{"name": "age", "steps": [{"step": "age", "state": "random"}, {"step": "job", "file": "w.fio"}]}')
for folder, cache in (("procedure", True), ("procedure-without", False)):
    drive = ftlab.Drive("example-25nm-mlc", {"geometry.blocks_per_plane": 8192, "user_sectors": 14000000, "ftl.gc.policy": "greedy-least-worn"})
    drive.run_procedure("age.json", folder, cache=cache)
PYTHON
)" = True
expect "and a procedure in Python, which gives the same as without" cmp procedure/procedure.csv procedure-without/procedure.csv
expect "it is the same entry" test "$(states)" = 1

printf x | dd of="$(find cache -name '*.state')" bs=1 seek=20000000 conv=notrunc 2>/dev/null
run 0 "a damaged entry" run w.fio "${drive[@]}" --precondition random --out repaired
expect "is reported" says "a kept state of this drive was damaged and is made again"
expect "and made again" same without repaired

"$ftlab" run w.fio "${drive[@]}" --precondition random --seed 2 --out one >/dev/null 2>&1 &
first=$!
"$ftlab" run w.fio "${drive[@]}" --precondition random --seed 2 --out two >/dev/null 2>&1
wait $first
expect "two programs at once give the same" same one two
expect "and keep one state" test "$(states)" = 2
expect "no unfinished file is left" test -z "$(find cache -name '*partial*')"
run 0 "another run" run w.fio "${drive[@]}" --precondition random --seed 2 --out three
expect "loads it" same one three

touch "$(dirname "$(find cache -name '*.state' | head -1)")/vega-1.js"
run 0 "all are deleted" cache --clear
expect "says how many" grep -q '^2 states deleted from ' stdout
expect "nothing is left, nor what reports keep" test -z "$(find cache -type f)"
FTLAB_CACHE_LIMIT=lots run 2 "a limit that is none" run w.fio "${drive[@]}" --precondition random --out never
expect "says what is allowed" says 'FTLAB_CACHE_LIMIT: is not a size (got "\?lots"\?; allowed: bytes, or with a unit, as 20GB; 0 keeps no states)'
FTLAB_CACHE_LIMIT=0 run 0 "a limit of 0" cache
expect "keeps nothing" grep -q ' of at most 0.0 MB' stdout
conclude
