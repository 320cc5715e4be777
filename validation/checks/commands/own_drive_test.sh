#!/usr/bin/env bash
# A drive of one's own: ftlab init writes it, ftlab check takes it, ftlab explain says what its keys mean, a file of plain
# numbers is taken; and the shell's completions and the manual page are those of --help.
set -u
. "$FTLAB_SOURCE/validation/checks/commands/command_line.sh"

# --- init
expect "init from answers" "$ftlab" init mine.json --capacity 64GB --flash mlc --channels 4 --interface sata-6 --over-provisioning 12%
expect "what init wrote is accepted" sh -c "'$ftlab' check mine.json >checked"
expect "nothing of it is a plain number" sh -c "! grep 'plain numbers' checked"
expect "its lines explain themselves" grep -q '// read of a page of any kind; allowed: 1 to 1000000000' mine.json
expect "over-provisioning is as asked" sh -c "'$ftlab' drives show mine.json | grep -q 'user) / user = 12\.[0-9]* %'"
expect "an existing file is not overwritten" sh -c "cp mine.json before; ! '$ftlab' init mine.json --capacity 1TB 2>said; cmp -s mine.json before"
expect "and named" grep -q 'mine.json' said
for flash in slc mlc tlc tlc-96 tlc-176 tlc-232 qlc qlc-144; do
  for interface in sata-3 sas-12 nvme-4x4; do
    expect "init of $flash behind $interface" "$ftlab" init "$flash-$interface.json" --capacity 8GB --flash "$flash" --interface "$interface"
    expect "$flash behind $interface is accepted" sh -c "'$ftlab' check $flash-$interface.json >checked"
    expect "$flash behind $interface keeps its spare" sh -c "! grep 'note:' checked"
  done
done
"$ftlab" drives | while read -r drive _; do
  expect "init like $drive" "$ftlab" init "like-$drive.json" --like "$drive"
  expect "like $drive is accepted" sh -c "'$ftlab' check like-$drive.json >/dev/null"
done
expect "init with --set" "$ftlab" init set.json --like samsung-830-256 --set nand.read_ns=42us --name Other
expect "the setting is in the file" sh -c "'$ftlab' drives show set.json | grep -q '^nand.read_ns *42000 '"
expect "a setting that is refused leaves no file" sh -c "! '$ftlab' init bad.json --like samsung-830-256 --set nand.read_ns=0 2>/dev/null; ! test -e bad.json"

expect "a refused answer is repeated on a terminal" python3 - "$ftlab" <<'END'
import os, pty, sys
answers = [b"many", b"8GB", b"plc", b"tlc", b"0", b"4", b"3", b"0", b"sata-9", b"sata-6", b"1000%", b"9%", b"server", b"client"]
child, terminal = pty.fork()
if child == 0:
    os.execv(sys.argv[1], [sys.argv[1], "init", "asked.json"])
said, asked = b"", 0
while True:
    try:
        part = os.read(terminal, 4096)
    except OSError:
        break
    if not part:
        break
    said += part
    while said.count(b"]: ") > asked:
        os.write(terminal, (answers[asked] if asked < len(answers) else b"") + b"\n")
        asked += 1
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0 and asked == len(answers), said.decode()
END
expect "and the accepted ones are in the file" sh -c "'$ftlab' drives show asked.json | grep -Eq '^geometry.channels +4 ' && grep -q 'sata-6' asked.json"
expect "a drive of 61.44 TB has a map of 16 KiB, which init says" sh -c "'$ftlab' init large.json --capacity 61.44TB --flash qlc | grep -q 'page_bytes is 16384 (assumed'"
expect "and is accepted" sh -c "'$ftlab' check large.json >/dev/null"
expect "a drive from the ratings of its sheet" sh -c "'$ftlab' init rated.json --capacity 8GB --flash tlc-176 --channels 4 --interface nvme-3x4 --use enterprise --over-provisioning 14% --rated seq_read=2GB/s,seq_write=500MB/s,rand_write=30k,read_latency=90us,tbw=20TB >said"
expect "the steady rate is the rating with what drives exceed it by" grep -Eq '^rand_write +30 k/s +3[23].* k/s +over-provisioning = [0-9.]+ %; expected in the steady state: 1.10 times the rating$' said
expect "a rating is the source of its number" sh -c "'$ftlab' drives show rated.json | grep -Eq '^nand.bus_bytes_per_s .*inferred.*seq_read of 2 GB/s'"
expect "an enterprise drive has no pSLC cache" sh -c "'$ftlab' check rated.json >/dev/null && ! '$ftlab' drives show rated.json | grep -q pslc_mode"
expect "the note about a cache of one's own is printed once, also with ratings" sh -c "'$ftlab' init cached.json --capacity 8GB --flash tlc --channels 4 --over-provisioning 15% --set ftl.slc_cache.superblocks=20 --set ftl.slc_cache.when_full=fold --rated rand_read=50k,read_latency=3us >said && test \$(grep -c 'ftl.pslc_mode is left out' said) = 1"
expect "a rating beyond the drive's class is not reached, which init says" grep -Eq '^read_latency +3 us .*= [0-9]+; not reached: something else of the drive is the limit$' said
expect "TLC and QLC have a cache that folds late" sh -c "'$ftlab' drives show large.json | grep -Eq '^ftl.pslc_mode.fold +\"when-short\"'"
expect "a cache of one's own is instead of it, which init says" sh -c "'$ftlab' init own.json --capacity 2GB --flash tlc --channels 4 --over-provisioning 15% --set ftl.slc_cache.superblocks=20 --set ftl.slc_cache.when_full=fold >said &&
  grep -q 'ftl.pslc_mode is left out: ftl.slc_cache' said && '$ftlab' check own.json >/dev/null && ! '$ftlab' drives show own.json | grep -q '^ftl.pslc_mode'"
expect "both at once are refused" sh -c "! '$ftlab' init both.json --capacity 2GB --flash tlc --channels 4 --over-provisioning 15% --set ftl.slc_cache.superblocks=20 --set ftl.slc_cache.when_full=fold --set ftl.pslc_mode.free_space_permille=100 2>said && grep -q 'do not go together' said"
expect "a QLC drive with the cache of a review" "$ftlab" init qlc.json --capacity 256GB --flash qlc-144 --channels 4 --interface nvme-4x4 --rated seq_write=1GB/s,slc_cache=30GB
expect "and the same with small blocks" "$ftlab" init qlc-small.json --like qlc.json --block-scale 64
printf '[fill]\nfilename=d\nrw=write\nbs=1m\niodepth=16\nsize=100%%\nlog_avg_msec=50\n' >fill.fio
expect "is filled" sh -c "'$ftlab' run fill.fio --drive qlc-small.json --out filled >/dev/null 2>&1"
expect "at the rating into 30 GB of cache, then at the rate of its four dies, at last slowed by folding" python3 - <<'END'
import csv
written, phases = 0, {"cache": [], "native": [], "folding": []}
with open("filled/series.csv") as file:
    for row in csv.DictReader(file):
        rate = float(row["write_MB_per_s"])
        written += 64 * float(row["length_s"]) * rate / 1000  # GB of the whole drive
        phase = "cache" if written < 28 else "native" if 35 < written < 170 else "folding" if written > 195 else None
        if phase:
            phases[phase].append(rate)
cache, native, folding = (sum(rates) / len(rates) for rates in phases.values())
dies = 4 * 4 * 16384 / 1640  # four planes of 16 KiB in 1640 us: MB/s
assert 970 < cache < 1040 and 0.9 * dies < native < 1.02 * dies and 0.3 * native < folding < 0.7 * native, (cache, native, folding)
END
expect "beyond ulimit -v the amount and what takes less is said before the run" sh -c "'$ftlab' init limited.json --capacity 384GB --flash tlc >/dev/null
  printf '[w]\nfilename=d\nrw=write\nbs=1m\nsize=1g\n' >limited.fio
  (ulimit -v 900000; '$ftlab' run limited.fio --drive limited.json --out limited 2>said); test \$? = 2 &&
  grep -q 'takes 1[0-9]*\.[0-9] MB of memory, more than the [0-9.]* MB that the limit of this process (ulimit -v) leaves' said &&
  grep -q 'a scaled drive of the same speed.*divided by 2), a larger ftl.mapping.page_bytes than 4096, or a smaller capacity' said"
expect "a time in microseconds is named" sh -c "'$ftlab' init short.json --capacity 8GB --flash mlc --set nand.read_ns=75 >/dev/null; '$ftlab' check short.json | grep -q 'nand.read_ns is 75, far outside .*did you mean 75us?'"

# --- a file of plain numbers
cat >plain.json <<'END'
{"name": "Plain", "user_sectors": 1802240,
 "geometry": {"channels": 8, "chips_per_channel": 1, "dies_per_chip": 1, "planes_per_die": 2, "blocks_per_plane": 256,
              "pages_per_block": 32, "page_bytes": 8192},
 "nand": {"cell": "mlc", "read_ns": 75000, "program_lower_ns": 500000, "program_upper_ns": 2100000, "erase_ns": 3800000,
          "bus": "nv-ddr-200"},
 "link": {"kind": "sata-6"}, "controller": {"read_command_ns": 5000, "write_command_ns": 5000}}
END
cat >job.fio <<'END'
[w]
filename=d
ioengine=libaio
direct=1
rw=randwrite
bs=4k
size=64m
END
"$ftlab" check plain.json >checked
expect "plain numbers are listed as assumed" grep -q 'assumed, plain numbers of the file: user_sectors 1802240,.* nand.read_ns 75000' checked
expect "defaults are listed" grep -q 'default: .*nand.bus_command_ns 500.*ftl.gc.policy greedy' checked
"$ftlab" drives show plain.json >shown
expect "a plain number is shown as assumed" grep -Eq '^nand.read_ns +75000 +assumed ' shown
expect "a default is shown as one" grep -Eq '^nand.bus_command_ns +500 +default ' shown
expect "a plain drive runs" "$ftlab" run job.fio --drive plain.json --out run
expect "the result echoes assumed and default" python3 -c "
import json
drive = json.load(open('run/drive.json'))
assert drive['nand']['read_ns']['from'] == 'assumed', drive['nand']
assert drive['nand']['bus_command_ns']['from'] == 'default', drive['nand']
assert drive['ftl']['gc']['start_free_superblocks'] == 6"
expect "the echoed drive gives the same bytes" sh -c "'$ftlab' run job.fio --drive run/drive.json --out again >/dev/null 2>&1 && cmp run/series.csv again/series.csv"

# --- explain
"$ftlab" explain nand.bus_command_ns >said
for line in 'nand.bus_command_ns: command and address cycles' 'allowed   0 to 1000000' 'unit      nanoseconds' \
  'default   500' 'library   500: .*example-25nm-mlc' 'library   1500: .*example-small-and-slow'; do
  expect "explain says: $line" grep -q "$line" said
done
expect "explain of a last part" sh -c "'$ftlab' explain queue_depth | grep -q '^link.queue_depth:'"
expect "explain of an object lists its keys" sh -c "test \$('$ftlab' explain ftl.gc | wc -l) -ge 8"
expect "a misspelled last part is recognised" sh -c "'$ftlab' explain gc.polcy 2>&1 | grep -q 'did you mean gc.policy'"
expect "explain of a host's key names hosts" sh -c "'$ftlab' explain host.port.kind | grep -q 'hp-microserver-gen8'"
grep -oh '^| `[^`]*`' "$FTLAB_SOURCE/docs/drive_file_keys.md" "$FTLAB_SOURCE/docs/hosts.md" | tr -d '|` ' | grep -E '^(host\.|[a-z_.]+$)' >keys
expect "there are keys to explain" sh -c 'test $(wc -l <keys) -gt 180'
expect "each key of the documents can be explained" sh -c "xargs '$ftlab' explain <keys >all && test \$(grep -c '^  allowed' all) -ge \$(wc -l <keys)"

# --- completions and manual
"$ftlab" completions bash >completion.bash
expect "bash takes the completion" bash -n completion.bash
complete_words() { # WORD... as typed; prints what bash would offer
  bash -c '. ./completion.bash; PATH=$1:$PATH; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _ftlab; printf "%s\n" "${COMPREPLY[@]}"' \
    - "$(dirname "$ftlab")" "$@"
}
expect "commands are completed" sh -c "[ \"$(complete_words ftlab dri)\" = drives ]"
expect "options are completed" sh -c "[ \"$(complete_words ftlab run --untim)\" = --untimed ]"
expect "commands of commands are completed" sh -c "[ \"$(complete_words ftlab drives sh)\" = show ]"
expect "drives are completed" sh -c "[ \"$(complete_words ftlab run --drive samsung-8)\" = samsung-830-256 ]"
"$ftlab" completions zsh >completion.zsh
"$ftlab" manual >ftlab.1
if command -v zsh >/dev/null; then expect "zsh takes the completion" zsh -n completion.zsh; fi
if command -v groff >/dev/null; then expect "troff takes the manual page" sh -c '[ -z "$(groff -man -ww -z ftlab.1 2>&1)" ]'; fi
"$ftlab" --help | awk '/^Subcommands:/ { on = 1; next } /^[^ ]/ { on = 0 } on && /^  [a-z]/ { print $1 }' >commands
expect "--help names commands" sh -c 'test $(wc -l <commands) -ge 15'
while read -r command; do
  expect "the manual has $command" grep -q "^.SH \"ftlab $command\"" ftlab.1
  expect "zsh is told of $command" grep -q "^    '$command:" completion.zsh
  "$ftlab" "$command" --help 2>/dev/null | grep -oE '^ +(-[a-zA-Z],)?--[a-z-]+' | grep -oE -- '--[a-z-]+' | sort -u >options
  case $command in explore | measure | report | sweep) # told by another program, or the package
    first=$(head -1 options)
    if [ -n "$first" ]; then
      expect "bash asks $command for $first" sh -c "[ \"$(complete_words ftlab "$command" "$first" | grep -x -- "$first")\" = \"$first\" ]"
    fi
    continue ;;
  esac
  while read -r option; do
    expect "bash completes $command $option" grep -q "^    '$command').*[ \"]$option " completion.bash
    expect "the manual has $command $option" grep -q -- "$(printf %s "$option" | sed 's/-/\\\\-/g')" ftlab.1
  done <options
done <commands
conclude
