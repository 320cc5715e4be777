# What the tests of the command line share; sourced by them. FTLAB_BIN and FTLAB_SOURCE come from the build.
ftlab=$FTLAB_BIN/ftlab
kingston=$FTLAB_SOURCE/configs/drives/kingston-ssdnow-v-64.json
# It with 17 superblocks of 16 MiB, 10 of them for the user.
small=(--drive "$kingston" --set geometry.blocks_per_plane=17 --set user_sectors=327680
       --set ftl.gc.start_free_superblocks=2 --set ftl.gc.stop_free_superblocks=4)
failures=0
checks=0

# expect WHAT COMMAND...: the command succeeds.
expect() {
  local what=$1
  shift
  checks=$((checks + 1))
  "$@" >expect.log 2>&1 && return
  failures=$((failures + 1))
  echo "FAILED: $what"
  echo "  not so: $*"
  head -20 expect.log | sed 's/^/  /'
}

# run STATUS WHAT ARGUMENTS...: ftlab ends with this status; its output is kept in stdout and stderr.
run() {
  local wanted=$1 what=$2 status
  shift 2
  "$ftlab" "$@" >stdout 2>stderr
  status=$?
  expect "$what: exit status $wanted (got $status: $(head -1 stderr))" test "$status" -eq "$wanted"
}

# field FILE KEY...: one value of a JSON file; numbers choose from lists.
field() {
  python3 -c 'import functools, json, sys
print(functools.reduce(lambda v, k: v[int(k)] if isinstance(v, list) else v[k], sys.argv[2:], json.load(open(sys.argv[1]))))' "$@"
}
is_empty() { [ -z "$(ls -A "$1")" ]; }
absent() { [ ! -e "$1" ]; }
says() { grep -q -e "$1" stderr; }

# The last command of a test: its exit status.
conclude() {
  echo "$checks checks, $failures failures"
  [ "$failures" -eq 0 ]
}
