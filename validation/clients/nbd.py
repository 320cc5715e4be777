"""An NBD client that can be made to misbehave. Fixed newstyle, simple replies, one request at a time."""

import socket
import struct

READ, WRITE, DISCONNECT, FLUSH, TRIM, WRITE_ZEROES = 0, 1, 2, 3, 4, 6
FUA, NO_HOLE, FAST_ZERO = 1, 2, 16
REQUEST, REPLY, OPTION = 0x25609513, 0x67446698, b"IHAVEOPT"
SHUT_DOWN = 108  # NBD's error number: the power failed


class Refused(Exception):
    """An error reply; its number is that of NBD."""

    def __init__(self, error):
        super().__init__(f"error {error}")
        self.error = error


class Client:
    def __init__(self, path, export=b""):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(path)
        greeting = self.take(18)
        assert greeting[:16] == b"NBDMAGIC" + OPTION, greeting
        self.send(struct.pack(">I", 1) + OPTION + struct.pack(">II", 7, 6 + len(export)))
        self.send(struct.pack(">I", len(export)) + export + struct.pack(">H", 0))
        self.size = None
        while True:
            _, _, kind, length = struct.unpack(">QIII", self.take(20))
            told = self.take(length)
            if kind == 1:
                break
            assert kind == 3, f"reply {kind:x} {told}"
            if struct.unpack(">H", told[:2])[0] == 0:
                self.size = struct.unpack(">Q", told[2:10])[0]

    def send(self, data):
        self.socket.sendall(data)

    def take(self, count):
        data = b""
        while len(data) < count:
            got = self.socket.recv(count - len(data))
            if not got:
                raise ConnectionError("the server closed the connection")
            data += got
        return data

    def ask(self, command, offset=0, length=0, data=b"", flags=0, magic=REQUEST):
        self.send(struct.pack(">IHHQQI", magic, flags, command, 1, offset, length) + data)

    def answer(self, length=0):
        magic, error, _ = struct.unpack(">IIQ", self.take(16))
        assert magic == REPLY, hex(magic)
        if error:
            raise Refused(error)
        return self.take(length)

    def read(self, offset, length):
        self.ask(READ, offset, length)
        return self.answer(length)

    def write(self, offset, data, fua=False):
        self.ask(WRITE, offset, len(data), data, FUA if fua else 0)
        self.answer()

    def flush(self):
        self.ask(FLUSH)
        self.answer()

    def trim(self, offset, length):
        self.ask(TRIM, offset, length)
        self.answer()

    def close(self):
        self.ask(DISCONNECT)
        self.socket.close()
