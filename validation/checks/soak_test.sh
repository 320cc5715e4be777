#!/usr/bin/env bash
# The share of the long programme that a commit can afford: the swarm, the canary, the corpus, determinism across processes.
# And what ftlab-soak promises as a program: figures, JSON, exit status.
set -u
. "$FTLAB_SOURCE/validation/checks/commands/command_line.sh"
ftlab=$FTLAB_BIN/ftlab-soak
soak=$FTLAB_SOURCE/validation/soak
operations=600000
[ "${FTLAB_BUILD_TYPE:-Release}" = Release ] || operations=100000

run 0 "the swarm" swarm --seed 1 --total "$operations" --corpus found --json swarm.json
expect "its figures as JSON" test "$(field swarm.json figures 0 reached)" -ge "$operations"
expect "it found nothing" absent found
run 0 "the canary: a shadow that is told wrongly is found out" canary
run 0 "the corpus" replay "$soak/corpus.json"
run 0 "20 jobs, twice in one process and once in another" determinism --jobs 20 --json same.json
expect "both were compared" test "$(field same.json figures 1 reached)" -eq 20
run 0 "their hashes" determinism --jobs 20 --print-hashes
expect "one line for each" test "$(wc -l <stdout)" -eq 20

# --- one line reproduces
run 0 "a run by its number" swarm --seed 1 --run 3
cp stdout once
run 0 "the same run" swarm --seed 1 --run 3
expect "the same plan and figures" diff once stdout
expect "its plan is printed" grep -q gc.policy stdout

# --- what cannot be
run 2 "no part" --seed 1
run 2 "an unknown part" swram
run 2 "an unknown option" swarm --totl 3
run 2 "a plan that is none" replay "$soak/../README.md"
run 2 "more scenarios than there are" faults --scenarios 31
run 1 "figures that cannot be written" canary --json nowhere/figures.json
expect "the message names the file" says nowhere/figures.json

# --- the driver of the night: what is missing is said, what fails fails the night, what is done is not done again
cat >figures.json <<'JSON'
{"figures": [{"name": "something", "asked": 3, "reached": 2, "failures": 0}]}
JSON
cat >words.json <<'JSON'
{"figures": [{"name": "percent of it", "asked": 90.0, "reached": "91 %", "failures": 0}]}
JSON
cat >parts.json <<'JSON'
{"parts": [
  {"name": "canary", "needs": ["{bin}/ftlab-soak"], "weight": 1, "command": ["{bin}/ftlab-soak", "canary", "--json", "{json}"]},
  {"name": "short", "needs": [], "weight": 1, "command": ["cp", "FIGURES", "{json}"]},
  {"name": "words", "needs": [], "weight": 1, "command": ["cp", "WORDS", "{json}"]},
  {"name": "mute", "needs": [], "weight": 1, "command": ["true"]},
  {"name": "absent", "needs": ["{bin}/ftlab-nowhere"], "weight": 1, "command": ["{bin}/ftlab-nowhere"]}]}
JSON
sed -i "s|FIGURES|$PWD/figures.json|; s|WORDS|$PWD/words.json|" parts.json
night() {
  local wanted=$1 what=$2
  shift 2
  "${FTLAB_PYTHON:-python3}" "$soak/soak.py" --parts parts.json --bin "$FTLAB_BIN" --out night --hours 0.01 "$@" >stdout 2>stderr
  expect "$what: exit status $wanted" test $? -eq "$wanted"
}
night 0 "a night of one part" --only canary
expect "its table has the figure" grep -q "| holds | canary | canary: a lie to the shadow, found | 1 | 1 | 0 |" night/*/table.md
expect "its page has a row for it" grep -q "| holds | canary | 1 | 1 | 0 | canary: a lie to the shadow, found |" stdout
expect "and says how many hold" grep -q "1 of 1 parts hold" stdout
touch before
night 0 "the same night again" --only canary
expect "the part was not carried out again" test -z "$(find night -name canary.log -newer before)"
night 1 "a night with parts that fail"
expect "a part that is not there is said to be missing" grep -q "fails.*absent | missing: there is no .*ftlab-nowhere" night/*/table.md
expect "a figure that was not reached fails" grep -q "fails.*short | something | 3 | 2 | 0" night/*/table.md
expect "a figure in words fails" grep -q "fails.*words: figures that cannot be read (percent of it: " night/*/table.md
expect "a part without figures fails" grep -q "fails.*mute | exit status 0 and no figures" night/*/table.md
expect "the page says what was not reached" grep -q "^- something: 2 of 3, 0 failures" stdout
expect "and what repeats it" grep -q "^- repeats: .cp " stdout
night 2 "a part that nobody knows" --only cannery
# --- whole campaigns: pieces add up from call to call
cat >whole.json <<'JSON'
{"parts": [{"name": "power cuts", "needs": ["{bin}/ftlab-soak"], "weight": 1,
            "command": ["{bin}/ftlab-soak", "cuts", "--total", "{total}", "--seed", "{seed}", "--json", "{json}"],
            "campaign": {"figure": "cuts: power cuts", "total": 60, "piece": 20, "programs": ["{bin}/ftlab-soak"]}}]}
JSON
night 0 "a whole campaign" --parts whole.json --whole
expect "all of it was reached" grep -Eq "^. holds . power cuts . [6-9][0-9] . 60 . 0 ." stdout
expect "in two pieces" test "$(find night -path '*campaigns*' -name 'power-cuts-*.json' | wc -l)" -eq 2
reached=$(sed -nE 's/^. holds . power cuts . ([0-9]+) . 60 .*/\1/p' stdout)  # a piece may go a little too far
sed -i "s/\"total\": 60/\"total\": $((reached + 1))/" whole.json
touch before
night 0 "a larger one" --parts whole.json --whole
expect "it goes on with the pieces that are there" test "$(find night -path '*campaigns*' -newer before -name 'power-cuts-*.json' | wc -l)" -eq 1
expect "the page says which program and commit" grep -Eq "^power cuts: 3 pieces with the same program .power-cuts-[0-9a-f]{12}., run at " stdout
mkdir anew
cp "$FTLAB_BIN/ftlab-soak" anew
printf x >>anew/ftlab-soak
touch before
night 0 "another program" --parts whole.json --whole --bin anew
expect "it begins anew" test "$(find night/campaigns -newer before -name 'power-cuts-*.json' | wc -l)" -eq 3
expect "and leaves what was reached before" test "$(find night/campaigns -mindepth 1 -maxdepth 1 -type d | wc -l)" -eq 2
grep -o '"{source}/validation/[^"]*"' "$soak/parts.json" | sort -u | sed "s|\"{source}|$FTLAB_SOURCE|;s|\"||" >scripts
expect "the parts of the night name scripts" test "$(wc -l <scripts)" -ge 3
while read -r script; do expect "the night has its script" test -e "$script"; done <scripts

# --- test files under somebody who looks over their shoulder: what fails there is told by name
cat >ftlab-tests <<'SH'
#!/bin/sh
case $1 in --list-tags) printf '  1  [#good_test]\n  2  [#bad_test]\n' ;; *) case $2 in *bad_test*) echo "a race"; exit 1 ;; esac ;; esac
SH
chmod +x ftlab-tests
look() {
  local wanted=$1 what=$2
  shift 2
  "${FTLAB_PYTHON:-python3}" "$soak/test_files.py" threads --bin . "$@" >stdout 2>stderr
  expect "$what: exit status $wanted" test $? -eq "$wanted"
}
look 0 "a file that finds nothing" --files good_test --json looked.json
expect "its figures" test "$(field looked.json figures 0 reached)" -eq 1
look 1 "one that does" --files "*_test" --json looked.json
expect "its name" says "^--- bad_test"
expect "what it said" says "a race"
expect "it is counted" test "$(field looked.json figures 0 failures)" -eq 1
(cd "$soak" && "${FTLAB_PYTHON:-python3}" -c 'import test_files
for kind in test_files.KINDS.values(): print(*kind.files, *kind.left_out, sep="\n")') | grep -v "[*]" | sort -u >names
expect "each kind names test files" test "$(wc -l <names)" -ge 30
while read -r name; do
  expect "$name is a test file" test -n "$(find "$FTLAB_SOURCE"/*/ -path "$FTLAB_SOURCE/build" -prune -o -name "$name.cpp" -print -quit)"
done <names
look 1 "one that is not there" --files better_test
expect "it is named" says "no test file better_test"
conclude
