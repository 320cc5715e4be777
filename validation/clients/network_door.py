#!/usr/bin/env python3
"""Fuzzes the network interface of a served drive: mutated handshakes, options and requests from clients that stop in the
middle of a message, disconnect without reading, or stay connected and idle, while an honest client checks its own half of
the drive. At the end the server must exit in order, without leaked threads or descriptors; its recording must replay alike.

The bytes of a hostile client depend only on the seed and the connection number: --seed S --only N repeats them. Requests
that would change the honest half become reads. Status 1: a finding; its bytes are kept in OUT. 77: skipped."""

import argparse
import dataclasses
import json
import pathlib
import random
import select
import socket
import struct
import sys
import tempfile
import time

import nbd
import serving

HANG_S = 120  # longer than anything takes on the slowest machine
MOST_RSS_KB = 1 << 20
SLEEPERS = 16
BLOCK_STATUS, CACHE = 7, 5
CHANGING = (nbd.WRITE, nbd.TRIM, nbd.WRITE_ZEROES)
EXPORT_NAME, ABORT, LIST, STARTTLS, INFO, GO, STRUCTURED, LIST_CONTEXTS, SET_CONTEXTS = 1, 2, 3, 5, 6, 7, 8, 9, 10
OPTIONS = (EXPORT_NAME, ABORT, LIST, 4, STARTTLS, INFO, GO, STRUCTURED, LIST_CONTEXTS, SET_CONTEXTS, 11, 77, 0xFFFFFFFF)
STRANGERS = (b"GET / HTTP/1.1\r\nHost: drive\r\n\r\n", b"SSH-2.0-OpenSSH_9.2\r\n", b"\x16\x03\x01\x02\x00\x01", b"NBDMAGIC" * 3, b"")


class Finding(Exception):
    """The server behaved incorrectly."""


def option(kind: int, data: bytes, length: int | None = None) -> bytes:
    return nbd.OPTION + struct.pack(">II", kind, len(data) if length is None else length) + data


def name_of_export(name: bytes, infos: tuple[int, ...] = ()) -> bytes:
    return struct.pack(">I", len(name)) + name + struct.pack(f">H{len(infos)}H", len(infos), *infos)


def contexts(names: list[bytes]) -> bytes:
    return struct.pack(">I", 0) + struct.pack(">I", len(names)) + b"".join(struct.pack(">I", len(name)) + name for name in names)


class Hostile:
    """The bytes of one connection, and the number of inputs in them. Inputs after which the server stops reading come
    last, so that each one is processed."""

    def __init__(self, seed: int, number: int, size: int) -> None:
        self.draw = random.Random(f"{seed}:{number}")
        self.size = size
        self.said = bytearray()
        self.inputs = 0
        kind = self.draw.randrange(20)
        if kind < 1:
            self.say(self.draw.choice(STRANGERS) if self.draw.random() < 0.5 else self.draw.randbytes(self.draw.randrange(4096)))
        elif kind < 5:
            self.haggle()
        else:
            self.request_much()
        self.ending = self.draw.choice(("read", "read", "disconnect", "leave", "reset", "sleep"))

    def say(self, data: bytes) -> None:
        self.said += data
        self.inputs += 1

    def damaged(self, data: bytes) -> bytes:
        """The data with a few bits or bytes changed, or truncated."""
        changed = bytearray(data)
        for _ in range(self.draw.choice((1, 1, 1, 2, 5))):
            if changed:
                at = self.draw.randrange(len(changed))
                changed[at] = self.draw.choice((changed[at] ^ 1 << self.draw.randrange(8), 0, 255, self.draw.randrange(256)))
        return bytes(changed[: self.draw.randrange(len(changed) + 1)] if self.draw.random() < 0.1 else changed)

    def haggle(self) -> None:
        """Options in any order, most of them invalid."""
        self.said += struct.pack(">I", self.draw.choice((0, 1, 1, 1, 3, 2, 0xFFFFFFFF)))
        for _ in range(self.draw.randrange(1, 40)):
            kind = self.draw.choice(OPTIONS)
            data = self.draw.choice((
                b"", name_of_export(b""), name_of_export(b"figures"), name_of_export(self.draw.randbytes(self.draw.randrange(300))),
                name_of_export(b"", (0, 1, 2, 3)), contexts([b"base:allocation"]), contexts([b"base:", b"x:y", b""]),
                struct.pack(">II", 0xFFFFFFFF, 0), struct.pack(">IIH", 0, 0xFFFF, 7), b"\0" * self.draw.randrange(5000),
            ))  # fmt: skip
            data = self.damaged(data) if self.draw.random() < 0.3 else data
            if self.draw.random() < 0.02:
                return self.say(option(kind, data, self.draw.choice((1 << 30, 0xFFFFFFFF, len(data) + 1))))
            if self.draw.random() < 0.02:
                return self.say(self.damaged(option(kind, data)))
            self.say(option(kind, data))
            if kind in (EXPORT_NAME, ABORT, GO):
                break  # the following bytes may be read as requests
        return None

    def request_much(self) -> None:
        self.said += struct.pack(">I", self.draw.choice((1, 3)))
        if self.draw.random() < 0.7:
            self.said += option(STRUCTURED, b"")
            if self.draw.random() < 0.8:
                self.said += option(SET_CONTEXTS, contexts([b"base:allocation"]))
        figures = self.draw.random() < 0.05
        self.said += option(GO, name_of_export(b"figures" if figures else b""))
        for _ in range(self.draw.randrange(1, 400)):
            if self.draw.random() < 0.003:
                return self.fatal_request()
            self.request()
        return None

    def place(self) -> int:
        """A byte in the hostile half, or beyond the end."""
        half, draw = self.size // 2, self.draw.random()
        if draw < 0.8:
            return half + 4096 * self.draw.randrange(half // 4096)
        if draw < 0.9:
            return half + self.draw.randrange(half)
        return self.draw.choice((self.size, self.size - 512, self.size + 4096, 1 << 63, (1 << 64) - 1, (1 << 64) - 4096, 0, 1 << 32))

    def length(self) -> int:
        draw = self.draw.random()
        if draw < 0.8:
            return 512 * self.draw.randrange(1, 33)
        return self.draw.choice((0, 1, 511, 4097, 65536, 1 << 18)) if draw < 0.995 else 1 << self.draw.randrange(33)

    def request(self) -> None:
        command = self.draw.choice((0, 0, 1, 1, 1, 3, 4, 4, CACHE, 6, 6, BLOCK_STATUS, BLOCK_STATUS, self.draw.randrange(1 << 16)))
        flags = 0 if self.draw.random() < 0.6 else self.draw.choice((1, 2, 4, 8, 16, 32, self.draw.randrange(1 << 16)))
        offset, length = self.place(), self.length() & 0xFFFFFFFF
        if command == nbd.DISCONNECT or (command == nbd.WRITE and length > 1 << 20):
            command = nbd.READ
        if command in CHANGING and offset < self.size // 2:
            command = nbd.READ
        cookie = self.draw.getrandbits(64)
        head = struct.pack(">IHHQQI", nbd.REQUEST, flags, command, cookie, offset, length)
        self.say(head + (bytes((self.draw.randrange(64),)) * length if command == nbd.WRITE else b""))

    def fatal_request(self) -> None:
        """After it nothing can be parsed: not a request, one whose data never arrive, or one that announces too many."""
        head = struct.pack(">IHHQQI", nbd.REQUEST, 0, nbd.WRITE, 1, self.size // 2, 65536)
        self.say(self.draw.choice((
            b"\0" + self.draw.randbytes(27), head[: self.draw.randrange(len(head))], head + bytes(self.draw.randrange(65536)),
            struct.pack(">IHHQQI", nbd.REQUEST, 0, nbd.WRITE, 1, self.size // 2, 0xFFFFFFFF) + bytes(1 << 17),
            struct.pack(">IHHQQI", nbd.REQUEST, 0, nbd.DISCONNECT, 1, 0, 0) + head,
        )))  # fmt: skip


class Honest:
    """A client that tracks the expected contents of its half of the drive."""

    def __init__(self, path: str, seed: int) -> None:
        self.path = path
        self.draw = random.Random(f"honest:{seed}")
        self.client = nbd.Client(path)
        self.pages = self.client.size // 2 // 4096
        self.held: dict[int, bytes] = {}
        self.checked = 0

    def work(self) -> None:
        page = self.draw.randrange(min(self.pages, 512))
        what = self.draw.randrange(10)
        if what < 4:
            self.held[page] = self.draw.randbytes(8) * 512
            self.client.write(page * 4096, self.held[page], fua=what == 0)
        elif what == 4:
            self.held.pop(page, None)
            self.client.trim(page * 4096, 4096)
        elif what == 5:
            self.client.flush()
        else:
            self.check(page)

    def check(self, page: int) -> None:
        if self.client.read(page * 4096, 4096) != self.held.get(page, bytes(4096)):
            raise Finding(f"page {page} of the honest client does not hold its bytes")
        self.checked += 1

    def connect_anew(self) -> None:
        self.client.close()
        self.client = nbd.Client(self.path)


class Server:
    """The server's process, as seen through /proc."""

    def __init__(self, served: serving.Served) -> None:
        self.served = served
        self.idle = self.held()

    def held(self) -> tuple[int, int]:
        """Number of descriptors and of threads."""
        folder = pathlib.Path(f"/proc/{self.served.process.pid}")
        return len(list((folder / "fd").iterdir())), len(list((folder / "task").iterdir()))

    def check(self) -> None:
        if self.served.process.poll() is not None:
            raise Finding(f"the server ended with status {self.served.process.returncode}")
        status = pathlib.Path(f"/proc/{self.served.process.pid}/status").read_text()
        rss = int(status.split("VmRSS:")[1].split()[0])
        if rss > MOST_RSS_KB:
            raise Finding(f"the server holds {rss} KiB of memory")

    def gives_all_back(self) -> None:
        began = time.monotonic()
        while self.held() > self.idle:
            if time.monotonic() - began > HANG_S:
                raise Finding(f"descriptors and threads {self.held()}, {self.idle} before any client came")
            time.sleep(0.05)


def moved(client: socket.socket, data: memoryview, to_the_end: bool) -> bool:
    """Sends the data and reads replies meanwhile; with `to_the_end`, until the server closes. False: the server closed."""
    poll = select.poll()
    began = time.monotonic()
    while len(data) > 0 or to_the_end:
        poll.register(client, select.POLLIN | (select.POLLOUT if len(data) > 0 else 0))
        happened = poll.poll(1000)
        if not happened and time.monotonic() - began > HANG_S:
            raise Finding("the server neither reads nor closes the connection")
        try:
            if happened and happened[0][1] & select.POLLOUT:
                data = data[client.send(data):]
            if happened and happened[0][1] & ~select.POLLOUT and not client.recv(1 << 20):
                return False
        except OSError as error:
            if isinstance(error, BlockingIOError):
                continue
            return False
    return True


@dataclasses.dataclass
class Attack:
    path: str
    honest: Honest
    server: Server
    sleepers: list[socket.socket] = dataclasses.field(default_factory=list)

    def carry_out(self, hostile: Hostile) -> None:
        client = socket.socket(socket.AF_UNIX)
        client.connect(self.path)
        client.setblocking(False)
        said, at = memoryview(bytes(hostile.said)), 0
        alive = True
        while alive and at < len(said):  # the honest client is also served in the middle of a message
            end = min(len(said), at + hostile.draw.randrange(1, 20000))
            alive = moved(client, said[at:end], False)
            at = end
            self.honest.work()
        if hostile.ending == "sleep" and alive:
            self.sleepers.append(client)
            if len(self.sleepers) > SLEEPERS:
                self.sleepers.pop(0).close()
            return
        if hostile.ending == "disconnect" and alive:
            alive = moved(client, memoryview(struct.pack(">IHHQQI", nbd.REQUEST, 0, nbd.DISCONNECT, 0, 0, 0)), False)
        if hostile.ending == "reset":
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        if hostile.ending in ("read", "disconnect") and alive:
            try:
                client.shutdown(socket.SHUT_WR)
                moved(client, memoryview(b""), True)
            except OSError:
                pass
        client.close()

    def end(self) -> None:
        for client in self.sleepers:
            client.close()
        for page in range(min(self.honest.pages, 512)):
            self.honest.check(page)
        self.honest.client.close()
        self.server.gives_all_back()


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=100_000, help="options and requests, at least")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="this connection alone")
    parser.add_argument("--drive", default="example-small-and-slow")
    parser.add_argument("--out", type=pathlib.Path, default=serving.SOURCE / "out" / "network-door", help="for findings")
    parser.add_argument("--bin", type=pathlib.Path, help="folder of the programs")
    parser.add_argument("--json", type=pathlib.Path, help="where the figures go")
    return parser.parse_args()


def attacked(asked: argparse.Namespace, folder: pathlib.Path) -> tuple[int, int, int]:
    """Returns the numbers of inputs, connections and checked pages. Raises Finding."""
    out = folder / "served"
    with serving.Served(folder, asked.drive, "--record", folder / "trace", "--out", out) as served:
        server = Server(served)
        attack = Attack(str(served.socket), Honest(str(served.socket), asked.seed), server)
        inputs = connections = 0
        hostile = None
        try:
            while inputs < asked.inputs if asked.only is None else connections < 1:
                number = connections if asked.only is None else asked.only
                hostile = Hostile(asked.seed, number, attack.honest.client.size)
                attack.carry_out(hostile)
                inputs += hostile.inputs
                connections += 1
                if connections % 64 == 0:
                    server.check()
                    attack.honest.connect_anew()
            attack.end()
            served.end()
        except (Finding, OSError, AssertionError, RuntimeError, nbd.Refused) as wrong:
            asked.out.mkdir(parents=True, exist_ok=True)
            kept = asked.out / f"{asked.seed}-{connections if asked.only is None else asked.only}"
            kept.write_bytes(bytes(hostile.said) if hostile else b"")
            (kept.with_suffix(".log")).write_bytes((folder / "server.log").read_bytes()[-100_000:])
            ended = served.process.poll()
            raise Finding(f"seed {asked.seed}, connection {connections}: {type(wrong).__name__}: {wrong}"
                          + ("" if ended is None else f"; the server ended with status {ended}") + f"; see {kept}") from wrong  # fmt: skip
    if not serving.replays(folder / "trace", out, "--drive", asked.drive):
        raise Finding(f"seed {asked.seed}: the recording replays to another signature")
    return inputs, connections, attack.honest.checked


def main() -> int:
    asked = parse()
    if asked.bin is not None:
        serving.FTLAB = str(asked.bin / "ftlab")
    if why := serving.lacking("nbdkit"):
        print(f"skipped: {why}")
        return 77
    failures = inputs = 0
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        try:
            inputs, connections, checked = attacked(asked, pathlib.Path(name))
            print(f"{inputs} inputs over {connections} connections in {time.monotonic() - began:.1f} s; the honest client found its bytes "
                  f"{checked} times, the server ended in order, its recording replays")  # fmt: skip
        except Finding as finding:
            print(f"FOUND: {finding}")
            failures = 1
    if asked.json:
        figures = [{"name": "inputs at the network door", "asked": asked.inputs, "reached": inputs, "failures": failures}]
        asked.json.write_text(json.dumps({"figures": figures}, indent=1) + "\n")
    return failures


if __name__ == "__main__":
    sys.exit(main())
