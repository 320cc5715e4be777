#!/usr/bin/env bash
# Inputs that are made to hurt: they are refused in little memory and time, and nothing but --out is written. What is held here
# is said in docs/reliability.md.
set -u
. "$FTLAB_SOURCE/validation/checks/commands/command_line.sh"
python=${FTLAB_PYTHON:-python3}
memory_kib=1200000  # of addresses; sanitizers map more than that before main()
seconds=60         # generous: what is slower here by ten has no bound
(ulimit -v $memory_kib && "$ftlab" --version >stdout 2>stderr) || limited=no

# hostile WHAT ARGUMENTS...: refused (status 2) within the memory and the time, and nothing but the test's own files is there.
hostile() {
  local what=$1 status
  shift
  ([ "${limited-yes}" = no ] || ulimit -v $memory_kib; exec timeout -k 1 $seconds "$ftlab" "$@" >stdout 2>stderr </dev/null)
  status=$?
  expect "$what: refused (status $status: $(head -c 300 stderr))" test $status -eq 2
  expect "$what: a line for each problem, at most 20" sh -c 'n=$(wc -l <stderr); [ $n -ge 1 ] && [ $n -le 20 ]'
  expect "$what: nothing is written" absent out
  ls -A >now
  expect "$what: nothing else is written ($(comm -13 before now | tr '\n' ' '))" cmp -s before now
}

# --- what they are
printf '[j]\nioengine=libaio\ndirect=1\nrw=write\nbs=4k\nsize=1m\n' >job.fio
"$python" - <<'PYTHON'
import gzip, json, pathlib, struct
def put(name, content):
    path = pathlib.Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
line = b"128166372003061629,hm,0,Write,8192,4096,151\n"
with gzip.open("bomb.gz", "wb", compresslevel=9) as file:  # 250 MB of blank lines
    for _ in range(250):
        file.write(b"\n" * 1_000_000)
# zstd: a window of 2 MiB and blocks of one byte repeated 128 Ki times, 1.3 GB in 40 KB
put("bomb.zst", b"\x28\xb5\x2f\xfd\x00\x58" + 10_000 * struct.pack("<I", (131072 << 3 | 1 << 1) | ord("\n") << 24)
    + struct.pack("<I", (1 << 3 | 1 << 1 | 1) | ord("\n") << 24))
put("window.zst", b"\x28\xb5\x2f\xfd\x00\xb8" + struct.pack("<I", (1 << 3 | 1 << 1 | 1) | ord("\n") << 24))  # of 8 GiB
put("line.trace", line + b"1" * 50_000_000)
put("everywhere.trace", b"".join(b"%d,hm,0,Write,%d,4294966272,151\n" % (128166372003061629 + i, i << 32) for i in range(5000)))
put("volumes.trace", b"".join(b"%d,h%d,0,Write,0,4096,151\n" % (128166372003061629 + i, i) for i in range(70_000)))
put("deep.json", "[" * 1_000_000)
put("long.json", '{"name": "' + "x" * 17_000_000 + '"}')
put("itself.json", '{"extends": "itself.json"}')
for i in range(12):
    put(f"chain/{i}.json", '{"extends": "%d.json"}' % (i + 1))
put("outside.json", '{"extends": "../../../../../../../../etc/passwd"}')
put("jobs.fio", "[global]\nioengine=libaio\ndirect=1\nrw=read\nsize=1m\nnumjobs=4096\n" + "".join(f"[{i}]\n" for i in range(4000)))
put("includes.fio", "[j]\ninclude fifo\n")
put("million.fio", "[j]\nrw=read\nsize=1m\n" + "description=x\n" * 100_000)
put("repeats.json", json.dumps({"name": "r", "steps": [{"step": "repeat", "replicates": 10_000, "steps": [
    {"step": "repeat", "replicates": 10_000, "steps": [{"step": "idle", "seconds": 1}]}]}]}))
put("intervals.fio", "[j]\nioengine=libaio\ndirect=1\nrw=read\nbs=4k\nsize=1m\ntime_based\nruntime=31536000\nwrite_bw_log=x\nlog_avg_msec=1\n")
put("outside.fio", "[j]\nioengine=libaio\ndirect=1\nrw=write\nbs=4k\nsize=1m\nwrite_bw_log=../outside\n")
put("runs.fio", "[j]\nioengine=libaio\ndirect=1\nrw=write\nbs=4k\nsize=1m\nexec_prerun=touch executed\n")
for i in range(10_001):
    put(f"many/{i}", b"")
put("figures.json", json.dumps({"what": "d", "source": "s", "points": [
    {"rw": "randread", "direction": "read", "bs": "4k", "iodepth": 1, "numjobs": 1, "iops": 100}]}))
PYTHON
mkfifo fifo
mkdir huge && truncate -s 3G huge/result.json && truncate -s 1G huge.json
touch stdout stderr expect.log before now && ls -A >before

# --- traces
hostile "a gzip bomb" check bomb.gz --trace-format msr
expect "with the reason" grep -q "^bomb.gz: unpacks to more than" stderr
hostile "a zstd bomb" check bomb.zst --trace-format msr
hostile "a window of 8 GiB" check window.zst --trace-format msr
hostile "a bomb that is run" run bomb.zst --trace-format msr --drive example-small-and-slow --out out
hostile "a line of 50 MB" check line.trace --trace-format msr
memory_kib=3000000 hostile "a trace that touches 20 TiB" check everywhere.trace --trace-format msr
hostile "70,000 volumes" check volumes.trace --trace-format msr
hostile "a trace without an end" check /dev/zero --trace-format msr
hostile "a trace in a pipe that nobody fills" check fifo --trace-format msr

# --- documents
hostile "a million brackets" check deep.json
hostile "17 MB of a name" check long.json
hostile "a drive file that extends itself" check itself.json
hostile "a chain of 12 drive files" check chain/0.json
hostile "a drive file that extends others' files" check outside.json
hostile "a gigabyte of zeros" check huge.json
hostile "configuration without an end" run job.fio --drive /dev/zero --out out
hostile "a repeat of 10^8 steps" check repeats.json
hostile "the same, run" run repeats.json --drive example-small-and-slow --out out

# --- job files
hostile "a job file without an end" check /dev/zero
hostile "16 million jobs" check jobs.fio
hostile "a job file that includes a pipe" check includes.fio
hostile "too many options" check million.fio
hostile "a log of 3 * 10^10 intervals" run intervals.fio --drive example-small-and-slow --out out
hostile "a log outside of the result" run outside.fio --drive example-small-and-slow --out out
run 0 "a job that would start a program" run runs.fio --drive example-small-and-slow --out ran
expect "with a note" says "exec_prerun (line 7); .*not executed"
expect "it is not started" absent executed
rm -rf ran

# --- drives
memory="takes [0-9.]* MB of memory, more than the [0-9.]* MB that this machine has left (map .*allowed: fewer pages, or a larger ftl.mapping.page_bytes"
vast=(--set geometry.blocks_per_plane=2000000 --set user_sectors=200000000000)
hostile "a drive of 10^11 pages" run job.fio --drive kingston-ssdnow-v-64 "${vast[@]}" --out out

# --- results and measurements
hostile "a result of 3 GB" smart huge
hostile "a result without an end" smart /dev/zero
hostile "a folder of 10,001 files" compare many figures.json
expect "with the reason" grep -q "^many: holds too many files (allowed: 10000)$" stderr
hostile "a measurement of 1 GB" compare huge.json figures.json
hostile "a measurement without an end" compare /dev/zero figures.json
hostile "content without an end" content /dev/zero

# --- states
run 0 "a state to spoil" run job.fio --drive example-small-and-slow --out plain --save plain.state
rm -rf plain
"$python" - <<'PYTHON'
import pathlib, struct
state = pathlib.Path("plain.state").read_bytes()
for name, at, number in [("label", 16, 1 << 60), ("negative", 16, (1 << 64) - 1), ("text", 24, 1 << 62)]:
    pathlib.Path(name + ".state").write_bytes(state[:at] + struct.pack("<Q", number) + state[at + 8:])
PYTHON
ls -A >before
for state in label negative text; do hostile "a state whose $state lies" run job.fio --load $state.state --out out; done
truncate -s 4G vast.state && printf 'ftlab state\0' | dd of=vast.state conv=notrunc status=none
ls -A >before
hostile "a state of 4 GiB of nothing" check vast.state
conclude
