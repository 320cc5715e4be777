#!/usr/bin/env bash
# What the instrument must never do, from the command line: touch what was not named, or take anything but the typed serial
# number for consent (rules R1, R3, R5 and R6 of docs/measuring.md).
set -u
. "$FTLAB_SOURCE/validation/checks/commands/instrument.sh"

cat >write.fio <<'JOB'
[j]
filename=target
direct=1
ioengine=io_uring
bs=4k
size=1m
rw=${RW}
JOB
dd if=/dev/urandom of=target bs=1M count=4 status=none
sync target
sum=$(sha256sum <target)
untouched() { [ "$(sha256sum <target)" = "$sum" ]; }
# refused WHAT REASON ARGUMENTS...: refused for that reason, with nothing written and no result.
refused() {
  local what=$1 reason=$2
  shift 2
  yes yes 2>/dev/null | "$measure" write.fio --device target --out out "$@" >stdout 2>stderr
  expect "$what: exit status 2" test "${PIPESTATUS[1]}" -eq 2
  expect "$what: the reason is told ($(head -1 stderr))" grep -q -e "$reason" stderr
  expect "$what: the target is untouched" untouched
  expect "$what: there is no result" test ! -e out
}

# R5: only the typed serial number is consent
export RW=write
refused "nothing typed" "R5: .*--destroy=target"
expect "the rule behind the code is explained" grep -q '^(R5 is the rule: the only consent to writing is the typed serial number)$' stderr
for typed in yes y TARGET targe "target " ./target "$PWD/target" '*'; do
  refused "'$typed' typed" "R5:" "--destroy=$typed"
done
refused "an empty word typed" "destroy" --destroy=
refused "a force" "--force" --force
export FTLAB_DESTROY=target DESTROY=target FTLAB_FORCE=1
refused "an environment" "R5: .*--destroy=target"
unset FTLAB_DESTROY DESTROY FTLAB_FORCE
for line in destroy=target serial=target allow_mounted_write=1; do
  sed "s/^rw=/$line\nrw=/" write.fio >consent.fio
  "$measure" consent.fio --device target --out out >stdout 2>stderr
  expect "a job file with $line is refused" test $? -eq 2
  expect "with $line the target is untouched" untouched
done
export RW=trim
refused "trims on a permit to write" "R6: .*--allow-discard" --destroy=target
export RW=trimwrite
refused "trims among writes" "R6: .*--allow-discard" --destroy=target

# R1: reading, rehearsing and refusing change nothing
export RW=write
"$measure" write.fio --device target --destroy=target --dry-run >stdout 2>stderr
expect "a dry run of what is permitted" test $? -eq 0
expect "it changes nothing" untouched
export RW=randread
"$measure" write.fio --device target --destroy=target --out read >stdout 2>stderr
expect "a reading run with consent" test $? -eq 0
expect "it changes nothing" untouched

# R3: a file that somebody else has open
export RW=write
exec 5<target
refused "an open file" "R3: it is open in" --destroy=target
exec 5<&-
ln target other-name
refused "a file with two names" "hard links" --destroy=target
rm other-name

# R1, R6: what is asked of the kernel. The descriptor of the target may only be read.
if command -v strace >/dev/null && strace -o probe true 2>/dev/null; then

  export RW=write
  strace -f -y -o refused.trace "$measure" write.fio --device target --out out >stdout 2>stderr
  expect "the traced refusal" test $? -eq 2
  expect "a refusal starts no engine" sh -c '! grep -q "io_uring_setup" refused.trace'

  export RW=randread
  strace -f -y -o reading.trace "$measure" write.fio --device target --engine threads --out traced >stdout 2>stderr
  expect "the traced reading" test $? -eq 0
  expect "it reads the target" grep -q "preadv*[0-9]*([0-9]*<$PWD/target>" reading.trace
  for trace in refused.trace reading.trace; do
    expect "$trace: nothing is opened for writing but results" python3 - "$trace" "$PWD" <<'PYTHON'
import re, sys
for line in open(sys.argv[1]):
    if re.search(r"open(at)?\(", line) and re.search(r"O_(RDWR|WRONLY|CREAT|TRUNC)", line):
        assert f'{sys.argv[2]}/target"' not in line and '"target"' not in line and "/proc/self/fd" not in line, line
    changes = re.search(r"\b(pwrite\w*|write\w*|fallocate|ftruncate|fsync|fchmod|fchown)\(\d+<([^>]*)>", line)
    assert not changes or not changes[2].endswith("/target"), line
    asked = re.search(r"\bioctl\(\d+<[^>]*/target>, (\w+)", line)
    assert not asked or asked[1] in ("FS_IOC_GETFLAGS", "BLKGETSIZE64"), line
PYTHON
  done
else
  echo "not traced: strace does not work here"
fi

conclude
