#!/usr/bin/env bash
# ftlab serve and ftlab top with real clients: bytes there and back, a recording that replays, nonsense that costs nobody else
# anything, kill -9 and power cuts. No root, no port.
set -u
. "$FTLAB_SOURCE/validation/checks/commands/command_line.sh"
[ -e "$FTLAB_BIN/ftlab-nbd.so" ] && command -v nbdkit >/dev/null || { echo "skipped: nbdkit or its plugin is missing"; exit 77; }
export PYTHONPATH=$FTLAB_SOURCE/validation/clients PYTHONDONTWRITEBYTECODE=1
drive=example-small-and-slow
server=

# serve OPTIONS...: in the background, on the socket `s`; returns when programs can come.
serve() {
  "$ftlab" serve "$@" --socket s >served.out 2>served.err &
  server=$!
  for _ in $(seq 200); do
    [ -S s ] && return
    kill -0 $server 2>/dev/null || break
    sleep 0.05
  done
  echo "it was not served: $(cat served.err)"
  return 1
}
# ended STATUS [SIGNAL]: the server ends with this status.
ended() {
  kill "-${2:-INT}" $server 2>/dev/null
  wait $server
  [ $? -eq "$1" ]
}
trap '[ -z "$server" ] || kill -9 $server 2>/dev/null' EXIT

head -c 20971520 /dev/urandom >image

# Bytes there and back, figures, result, recording.
expect "it is served" serve $drive --record trace --out served
expect "it says so, where, and what ends it" grep -qx "serving nbd+unix:///?socket=$PWD/s, 52428800 bytes; Ctrl-C or SIGTERM ends it" served.err
expect "no port is open" python3 - $server <<'PY'
import os, re, sys
inodes = {os.readlink(f"/proc/{sys.argv[1]}/fd/{fd}") for fd in os.listdir(f"/proc/{sys.argv[1]}/fd")}
for kind in ("tcp", "tcp6", "udp", "udp6"):
    for line in open(f"/proc/net/{kind}").read().splitlines()[1:]:
        assert f"socket:[{line.split()[9]}]" not in inodes, line
PY
if command -v nbdcopy >/dev/null; then
  expect "nbdcopy there" nbdcopy image 'nbd+unix:///?socket=s'
  expect "nbdcopy back" nbdcopy 'nbd+unix:///?socket=s' back
  expect "the same bytes" cmp -n 20971520 image back
fi
expect "a client writes, trims, flushes and reads" python3 - <<'PY'
import nbd
client = nbd.Client("s")
assert client.size == 52428800
client.write(4096, b"a" * 8192, fua=True)
client.trim(4096, 4096)
client.flush()
assert client.read(4096, 8192) == bytes(4096) + b"a" * 4096
client.ask(nbd.WRITE_ZEROES, 40960, 4096 * 3)
client.answer()
assert client.read(40960, 4096 * 3) == bytes(4096 * 3)
client.close()
PY
if command -v nbdinfo >/dev/null; then
  expect "the block status is told" sh -c "nbdinfo --map --json 'nbd+unix:///?socket=s' >map"
  expect "what nobody has written is a hole, and so is what was trimmed" python3 - <<'PY'
import json
extents, data, at = json.load(open("map")), [], 0
for extent in extents:
    assert extent["offset"] == at, extent
    at += extent["length"]
    assert extent["type"] in (0, 3), extent  # data, or a hole of zeros
    if extent["type"] == 0:
        data += range(extent["offset"] // 4096, at // 4096)
assert at == 52428800 and 1 not in data and 2 in data and 20971520 // 4096 not in data, data
PY
  expect "what is read before" sh -c '"$1" top s --once --json >before' sh "$ftlab"
  expect "nbdcopy reads bytes only" nbdcopy 'nbd+unix:///?socket=s' sparse
  run 0 "how many" top s --once --json
  expect "they are the image's, not the drive's" test "$(($(field stdout read bytes) - $(field before read bytes)))" -le 20971520
  expect "the same bytes again" cmp -n 16384 -i 20480 image sparse
fi
run 0 "top" top s --once
expect "top shows the drive" grep -q "Example, 64 superblocks, slow   simulated" stdout
run 0 "top as JSON" top s --once --json
expect "it counts the client's flush" test "$(field stdout flush requests)" -ge 1
"$ftlab" top s --every 0.1 >looks 2>&1 &
looking=$!
expect "an export that there is not is refused" python3 -c '
import nbd
try:
    nbd.Client("s", b"other")
except (AssertionError, ConnectionError):
    pass
else:
    raise SystemExit(1)'
run 2 "a second server on the socket" serve $drive --socket s
expect "its message" says "^--socket: s is already served by another process$"
expect "no result yet" absent served
looks() { grep -c '^write amplification' looks; }
for ((i = 0; i < 200 && $(looks) < 2; ++i)); do sleep 0.05; done
expect "it ends" ended 0
expect "top ends with it" wait $looking
expect "and has looked more than once" test "$(looks)" -ge 2
expect "the socket is gone" absent s
expect "it prints the table" grep -q "^  served  *write" served.out
run 0 "the recording is replayed" run trace --drive $drive --out replayed
expect "to the same signature" test "$(field served/result.json ftlab signature)" = "$(field replayed/result.json ftlab signature)"
expect "and the same state" test "$(field served/result.json ftlab state_signature)" = "$(field replayed/result.json ftlab state_signature)"
run 2 "nobody serves any more" top s --once
expect "its message" says "^s: nothing is served there: No such file or directory$"

# Nonsense costs nobody else anything.
expect "it is served" serve $drive
expect "nonsense" python3 - <<'PY'
import os, socket, struct, nbd

good = nbd.Client("s")
good.write(0, b"g" * 4096)

def refused(error, action):
    try:
        action()
    except nbd.Refused as answer:
        assert answer.error == error, answer
    else:
        raise AssertionError("it was done")

client = nbd.Client("s")
refused(22, lambda: client.write(100, b"x" * 512))        # misaligned
refused(22, lambda: client.read(0, 1000))                 # no whole sectors
refused(28, lambda: client.write(client.size - 512, b"x" * 1024))  # across the end: no space
refused(22, lambda: client.read(client.size, 512))
client.ask(77)                                            # no such command
refused(22, lambda: client.answer())
client.ask(nbd.WRITE_ZEROES, 1 << 20, 4096, flags=nbd.FAST_ZERO)
client.answer()
client.ask(nbd.WRITE_ZEROES, 1 << 20, 4096, flags=nbd.FAST_ZERO | nbd.NO_HOLE)
refused(95, lambda: client.answer())                      # would be written, which is not fast
assert client.read(0, 4096) == b"g" * 4096

def broken(client, action):
    """The server may say that it is wrong, or close the connection; no more."""
    try:
        action()
        client.socket.settimeout(10)
        while client.socket.recv(4096):
            pass
    except OSError:
        pass

broken(client, lambda: client.ask(nbd.READ, 0, 4096, magic=0x12345678))
oversized = nbd.Client("s")
broken(oversized, lambda: oversized.ask(nbd.WRITE, 0, 0xffffffff, b"x" * 65536))
amid = nbd.Client("s")
amid.ask(nbd.WRITE, 0, 1 << 20, b"x" * 1000)              # and away, amid a write
amid.socket.close()
for talk in (b"", b"GET / HTTP/1.1\r\n\r\n", os.urandom(4096), struct.pack(">I", 3) + b"IHAVEOPT" + struct.pack(">II", 7, 1 << 30)):
    stranger = socket.socket(socket.AF_UNIX)
    stranger.connect("s")
    broken(type("S", (), {"socket": stranger}), lambda: stranger.sendall(talk) or stranger.shutdown(socket.SHUT_WR))
many = [nbd.Client("s") for _ in range(100)]
for number, one in enumerate(many):
    one.write(4096 * (1 + number), bytes([number]) * 4096)
assert all(many[-1 - n].read(4096 * (1 + n), 4096) == bytes([n]) * 4096 for n in range(100))
for one in many[:50]:
    one.socket.close()
assert good.read(0, 4096) == b"g" * 4096
good.flush()
good.close()
PY
expect "it ends with clients connected" ended 0 TERM

expect "it is served to many" serve $drive
expect "128 clients are served, the next one is when one has gone" python3 - <<'PY'
import time
import nbd
clients = [nbd.Client("s") for _ in range(128)]
try:
    nbd.Client("s")
    raise SystemExit("a 129th client is served")
except (AssertionError, OSError):
    pass
clients.pop().socket.close()
for _ in range(100):
    try:
        clients.append(nbd.Client("s"))
        break
    except (AssertionError, OSError):
        time.sleep(0.05)
assert len(clients) == 128
PY
expect "and ends" ended 0
expect "hostile clients" python3 "$FTLAB_SOURCE/validation/clients/network_door.py" --inputs 1500 --seed 1 --out found
expect "nothing was found" absent found

# Nor does a folder whose name the loader of libraries would take for several.
mkdir "a folder: mine"
cp "$ftlab" "$FTLAB_BIN/ftlab-nbd.so" "a folder: mine"
cat >amid_answers.py <<'PY'
import nbd
for turn in range(300):
    killed = nbd.Client("s")
    for page in range(32):
        killed.ask(nbd.READ, 65536 * page, 65536)
    killed.socket.close()
nbd.Client("s").flush()
PY
FTLAB_CONFIGS=$FTLAB_SOURCE/configs ftlab="./a folder: mine/ftlab" expect "it is served from there" serve $drive
expect "clients go away amid their answers" python3 amid_answers.py
expect "it ends" ended 0
expect "nothing was wrong with its libraries" sh -c '! grep -i preload served.err'

# kill -9: what a flush has covered is in the file, and the next server takes it up.
expect "it is served from a file" serve $drive --data bytes --inject power-cut@requests:1000000
expect "a client writes" python3 - <<'PY'
import nbd
client = nbd.Client("s")
client.write(0, b"f" * 4096)
client.flush()
client.write(4096, b"w" * 4096, fua=True)
client.write(0, b"u" * 4096)
assert client.read(0, 4096) == b"u" * 4096
PY
expect "it is killed" ended 137 KILL
expect "a dead socket is in nobody's way" serve $drive --data bytes
expect "what was covered is there, what was not is not" python3 - <<'PY'
import nbd
client = nbd.Client("s")
assert client.read(0, 8192) == b"f" * 4096 + b"w" * 4096
PY
expect "the user is told" grep -q "^bytes: note: 8192 bytes were there already; the drive holds them, written once in order$" served.err
expect "it ends" ended 0

# Power cuts: each page holds what a flush covered, or something since.
expect "it is served with power cuts" serve $drive --inject power-cut@random:3:40 --out cuts --record cut-trace --time scaled:100
expect "the contract is kept" python3 - <<'PY'
import random, nbd
draw, pages, durable, since, cuts = random.Random(5), 32, {}, {}, 0
client = nbd.Client("s")
for number in range(1500):
    page, kind = draw.randrange(pages), draw.randrange(20)
    data = number.to_bytes(8, "big") * 512 if kind > 2 else bytes(4096)
    try:
        if kind == 0:
            client.flush()
            durable.update({p: values[-1] for p, values in since.items()})
            since = {}
        else:
            since.setdefault(page, []).append(data)
            client.trim(page * 4096, 4096) if kind < 3 else client.write(page * 4096, data)
    except nbd.Refused as answer:
        assert answer.error == nbd.SHUT_DOWN, answer
        cuts += 1
        found = {}
        while len(found) < pages:
            client = nbd.Client("s")
            try:
                found = {p: client.read(p * 4096, 4096) for p in range(pages)}
            except nbd.Refused:
                cuts += 1
        for p in range(pages):
            assert found[p] in [durable.get(p, bytes(4096)), *since.get(p, [])], (number, p)
        durable, since = found, {}
assert cuts > 10, cuts
PY
expect "it ends" ended 0
expect "the user is told of late answers" grep -q "^  late answers  *[0-9]* of [0-9]* by more than 100 us" served.out
expect "the cuts are in the result" test "$(field cuts/result.json ftlab served power_cuts 9 pages_lost)" -ge 0
run 0 "the recording is replayed, with its cuts" run cut-trace --drive $drive --out cuts-replayed
for figure in "signature" "state_signature"; do
  expect "to the same $figure" test "$(field cuts/result.json ftlab $figure)" = "$(field cuts-replayed/result.json ftlab $figure)"
done
expect "and the same damage" test "$(field cuts/result.json ftlab served power_cuts)" = "$(field cuts-replayed/result.json ftlab trace power_cuts)"
expect "answers were held by the clock" test "$(field cuts/result.json ftlab served answers)" -ge 1500

# A port only when it is named, and of the loopback address only.
port=$((20000 + $$ % 20000))
"$ftlab" serve $drive --port $port >served.out 2>served.err &
server=$!
expect "the port is the loopback's" python3 - $port <<'PY'
import socket, sys, time
for _ in range(100):
    try:
        with socket.create_connection(("127.0.0.1", int(sys.argv[1])), 1) as client:
            assert client.recv(8) == b"NBDMAGIC"
        break
    except ConnectionRefusedError:
        time.sleep(0.05)
else:
    raise AssertionError("nobody listens")
listening = [line.split()[1] for line in open("/proc/net/tcp").read().splitlines()[1:] if line.split()[3] == "0A"]
assert f"0100007F:{int(sys.argv[1]):04X}" in listening
assert f"00000000:{int(sys.argv[1]):04X}" not in listening
PY
expect "it says where" grep -q "^serving nbd://127.0.0.1:$port, " served.err
expect "it ends" ended 0

# What cannot be served is refused with a message, and nothing is left.
refused() {
  local message=$1
  shift
  run 2 "$message" serve "$@"
  printf '%s\n' "$message" >wanted
  expect "the message: $message" diff wanted stderr
}
refused 'ftlab serve: --socket: is missing (allowed: one of --socket PATH and --port N)' $drive
refused 'ftlab serve: --socket: and --port are both given (allowed: one of --socket PATH and --port N)' $drive --socket s --port 9
refused '--socket: image exists and is not a socket' $drive --socket image
refused '--time: is not known (got fre; allowed: free, real, scaled:N; did you mean free?)' $drive --socket s --time fre
run 2 'an unknown drive' serve example-smal --socket s
expect 'its message' says '^--drive: unknown drive (got example-smal; allowed: '
expect "nothing is left" absent s
(PATH=/nowhere; "$ftlab" serve $drive --socket s 2>stderr)
cat >wanted <<'TEXT'
ftlab serve: needs the program nbdkit (package nbdkit, `.ci/setup`), which cannot be started: No such file or directory
TEXT
expect "without nbdkit its message" diff wanted stderr
cp "$ftlab" alone
./alone serve $drive --socket s 2>stderr
expect "without the plugin its message" says "needs the plugin .*ftlab-nbd.so, which was not built: \`make build\` builds it"
(ulimit -f 100; "$ftlab" serve $drive --socket s --data limited 2>stderr)
expect "a file that cannot be large enough" says "^--data: limited cannot have the size of the drive: File too large$"
run 2 "a path that is not a socket's" top "$(printf 'long%.0s' $(seq 40))" --once
expect "its message" says "is too long for the path of a socket (got 160 bytes; allowed: at most 107)$"
python3 -c '
import socket
server = socket.socket(socket.AF_UNIX)
server.bind("other")
server.listen()
client, _ = server.accept()
client.sendall(b"220 mail is served here, not blocks\r\n" * 9)' &
while [ ! -S other ]; do sleep 0.05; done
run 2 "a server of something else" top other --once
expect "its message" says "^other: the server there does not speak NBD$"
server=
conclude
