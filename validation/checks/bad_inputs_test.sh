#!/usr/bin/env bash
# Every file of configs/bad with a .expect beside it is refused with exactly that message, by `ftlab check` and by
# `ftlab run`, and a refused run leaves nothing behind.
set -u
ftlab=$FTLAB_BIN/ftlab
here=$PWD
drive=configs/drives/kingston-ssdnow-v-64.json
least=410  # files; fewer mean that some were lost
failures=0
count=0

mkdir out
printf '[write]\nrw=randwrite\nbs=4k\nsize=64k\nioengine=libaio\ndirect=1\n' >good.fio
cd "$FTLAB_SOURCE" || exit 1

# refused WHAT EXPECT COMMAND...: the command exits with 2, says what EXPECT says on stderr, and nothing on stdout.
refused() {
  local what=$1 expect=$2 status problem=""
  shift 2
  "$@" >"$here/stdout" 2>"$here/stderr"
  status=$?
  [ "$status" -eq 2 ] || problem="exit status $status instead of 2"
  [ ! -s "$here/stdout" ] || problem="$problem; it says something on stdout"
  cmp -s "$expect" "$here/stderr" || problem="$problem; another message"
  [ -z "$problem" ] && return
  failures=$((failures + 1))
  echo "FAILED: $what: ${problem#; }"
  diff -u --label expected "$expect" --label got "$here/stderr"
}

for file in configs/bad/*.json configs/bad/*.fio configs/bad/*.trace; do
  expect=${file%.*}.expect
  if [ ! -e "$expect" ]; then
    echo "FAILED: $file has no ${expect##*/} beside it"
    failures=$((failures + 1))
    continue
  fi
  count=$((count + 1))
  args=()
  [ ! -e "${file%.*}.args" ] || read -r -a args <"${file%.*}.args"
  refused "ftlab check $file" "$expect" "$ftlab" check "$file" "${args[@]}"
  case $file in
    */procedure-*.json) refused "ftlab run $file" "$expect" "$ftlab" run "$file" --drive "$drive" --out "$here/out/x" ;;
    *.json) refused "ftlab run --drive $file" "$expect" "$ftlab" run "$here/good.fio" --drive "$file" --out "$here/out/x" ;;
    *) refused "ftlab run $file" "$expect" "$ftlab" run "$file" "${args[@]}" --drive "$drive" --out "$here/out/x" ;;
  esac
  left=$(ls -A "$here/out")
  if [ -n "$left" ]; then
    echo "FAILED: ftlab run with $file left behind: $left"
    failures=$((failures + 1))
    rm -rf "$here/out" && mkdir "$here/out"
  fi
done

if ! "$ftlab" run "$here/good.fio" --drive "$drive" --out "$here/out/x" >"$here/stdout" 2>&1; then
  echo "FAILED: the job that the drive files are tried with is refused itself"
  cat "$here/stdout"
  failures=$((failures + 1))
fi
if [ "$count" -lt "$least" ]; then
  echo "FAILED: only $count files in configs/bad, at least $least are expected"
  failures=$((failures + 1))
fi
echo "$count bad inputs, $failures failures"
[ "$failures" -eq 0 ]
