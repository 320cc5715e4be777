#!/usr/bin/env bash
# Real programs on a served drive, longer than `make test` allows: validation/clients. What this machine lacks (programs, root)
# is skipped and named; only when all is skipped is the test.
set -u
. "$FTLAB_SOURCE/validation/checks/commands/command_line.sh"
[ -e "$FTLAB_BIN/ftlab-nbd.so" ] && command -v nbdkit >/dev/null || { echo "skipped: nbdkit or its plugin is missing"; exit 77; }
clients=$FTLAB_SOURCE/validation/clients
ran=0

# client WHAT SCRIPT OPTIONS...
client() {
  local what=$1 script=$2
  shift 2
  python3 "$clients/$script" "$@" >said 2>&1
  case $? in
    0) ran=$((ran + 1)) checks=$((checks + 1)) && tail -3 said ;;
    77) cat said ;;
    *) failures=$((failures + 1)) && echo "FAILED: $what" && tail -20 said ;;
  esac
}
export PYTHONDONTWRITEBYTECODE=1
client "fio's own example job files" fio_examples.py
client "hostile clients" network_door.py --inputs 200000 --out found
client "fio with checksums for a minute" fio_verify.py --seconds 60
client "ext4 under power cuts" ext4_power_cuts.py --cuts 40
client "databases on an aged drive" databases.py --spare 28
[ $((ran + failures)) -gt 0 ] || exit 77
conclude
