# What the tests of the instrument share; sourced by them. Skips the test where it is not built, and where this folder lies on
# a file system without direct I/O.
. "$FTLAB_SOURCE/validation/checks/commands/command_line.sh"
measure=$FTLAB_BIN/ftlab-measure
[ -x "$measure" ] || { echo "skipped: ftlab-measure is not built on this system"; exit 77; }

printf '[j]\nfilename=probe\ndirect=1\nioengine=io_uring\nbs=4k\nsize=1m\nrw=read\n' >probe.fio
"$measure" probe.fio --device probe --create --size 1m --dry-run >stdout 2>stderr || {
  grep -q "direct I/O" stderr || { cat stderr; exit 1; }
  echo "skipped: $(pwd) lies on a file system without direct I/O"
  exit 77
}

alone=()  # a command that the instrument runs under
# A ring lets go of its file some time after its process has ended, and the guard would see the file open.
settle() { sleep 0.3; }
# instrument STATUS WHAT ARGUMENTS...
instrument() {
  local wanted=$1 what=$2 status
  shift 2
  settle
  "${alone[@]}" "$measure" "$@" >stdout 2>stderr
  status=$?
  expect "$what: exit status $wanted (got $status: $(head -1 stderr))" test "$status" -eq "$wanted"
}
