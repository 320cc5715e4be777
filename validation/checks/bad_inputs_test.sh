#!/usr/bin/env bash
# Every file of configs/bad with a .expect beside it is refused with exactly that message, by `ftlab check` and by
# `ftlab run`, and so is every command of configs/bad/commands; what is refused leaves nothing behind.
set -u
ftlab=$FTLAB_BIN/ftlab
here=$PWD
drive=configs/drives/kingston-ssdnow-v-64.json
least=570           # files of configs/bad; fewer mean that some were lost
least_commands=100  # of configs/bad/commands
failures=0
count=0
commands=0

mkdir out
printf '[write]\nrw=randwrite\nbs=4k\nsize=64k\nioengine=libaio\ndirect=1\n' >good.fio
cd "$FTLAB_SOURCE" || exit 1
tree_state() { find configs -printf '%p %s %T@\n' | sort; }
tree_state >"$here/before"

# refused WHAT EXPECT COMMAND...: the command exits with 2, says what EXPECT says on stderr, and nothing on stdout.
refused() {
  local what=$1 expect=$2 status problem=""
  shift 2
  "$@" >"$here/stdout" 2>"$here/stderr"
  status=$?
  [ "$status" -eq 2 ] || problem="exit status $status instead of 2"
  [ ! -s "$here/stdout" ] || problem="$problem; it says something on stdout"
  sed -i "s|$here/out|OUT|g; s|$FTLAB_SOURCE/||g" "$here/stderr"
  cmp -s "$expect" "$here/stderr" || problem="$problem; another message"
  [ -z "$problem" ] && return
  failures=$((failures + 1))
  echo "FAILED: $what: ${problem#; }"
  diff -u --label expected "$expect" --label got "$here/stderr"
}

nothing_left() {
  local left
  left=$(ls -A "$here/out")
  [ -z "$left" ] && return
  echo "FAILED: $1 left behind: $left"
  failures=$((failures + 1))
  rm -rf "$here/out" && mkdir "$here/out"
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
  nothing_left "ftlab run with $file"
done

# One word a line, settings of the environment first; OUT is an empty folder, and stands for it in the message.
for file in configs/bad/commands/*.args; do
  commands=$((commands + 1))
  mapfile -t words <"$file"
  settings=()
  while [[ ${words[0]} =~ ^[A-Z]+[A-Z_]*= ]]; do
    settings+=("${words[0]}")
    words=("${words[@]:1}")
  done
  refused "ftlab with the words of $file" "${file%.args}.expect" env "${settings[@]}" "$ftlab" "${words[@]//OUT/$here/out}"
  nothing_left "ftlab with the words of $file"
done

if ! "$ftlab" run "$here/good.fio" --drive "$drive" --out "$here/out/x" >"$here/stdout" 2>&1; then
  echo "FAILED: the job that the drive files are tried with is refused itself"
  cat "$here/stdout"
  failures=$((failures + 1))
fi
if [ "$count" -lt "$least" ] || [ "$commands" -lt "$least_commands" ]; then
  echo "FAILED: only $count files and $commands commands in configs/bad, at least $least and $least_commands are expected"
  failures=$((failures + 1))
fi
if ! tree_state | cmp -s - "$here/before"; then
  echo "FAILED: something in configs was written"
  tree_state | diff "$here/before" -
  failures=$((failures + 1))
fi
echo "$count bad inputs, $commands bad commands, $failures failures"
[ "$failures" -eq 0 ]
