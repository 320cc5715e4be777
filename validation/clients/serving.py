"""A served drive, and a file system on it, used by the scripts of this folder."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator

SOURCE = pathlib.Path(__file__).resolve().parents[2]
FTLAB = os.environ.get("FTLAB_BIN", str(SOURCE / "build" / "bin")) + "/ftlab"
SBIN = {**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}


def run(*words: object, **more: object) -> str:
    """Returns the output of the command. If it fails, prints the output and raises CalledProcessError."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, env=SBIN, **more)  # type: ignore
    if done.returncode != 0:
        print(done.stdout + done.stderr)
        done.check_returncode()
    return done.stdout


class Served:
    """A drive that is served over a socket."""

    def __init__(self, folder: pathlib.Path, *options: object) -> None:
        self.socket = folder / "socket"
        self.log = open(folder / "server.log", "ab")
        words = [FTLAB, "serve", *map(str, options), "--socket", str(self.socket)]
        self.process = subprocess.Popen(words, stdout=self.log, stderr=self.log)
        while not self.socket.exists():
            if self.process.poll() is not None:
                raise RuntimeError((folder / "server.log").read_text())
            time.sleep(0.05)

    @property
    def uri(self) -> str:
        return f"nbd+unix:///?socket={self.socket}"

    def figures(self) -> dict[str, object]:
        figures: dict[str, object] = json.loads(run(FTLAB, "top", self.socket, "--once", "--json"))
        return figures

    def __enter__(self) -> "Served":
        return self

    def __exit__(self, *_: object) -> None:
        """Kills the server if end() was not called: something failed."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def end(self) -> None:
        """Ends the server, which then writes its results."""
        self.process.send_signal(signal.SIGINT)
        status = self.process.wait(600)
        self.log.close()
        if status != 0:
            raise RuntimeError(f"the server ended with status {status}: see {self.log.name}")


class Loop:
    """The drive as a block device of this machine. Needs root, /dev/fuse and loop devices."""

    def __init__(self, served: Served, folder: pathlib.Path) -> None:
        self.folder = folder / "fuse"
        self.folder.mkdir(exist_ok=True)
        self.fuse = subprocess.Popen(["nbdfuse", str(self.folder / "disk"), served.uri], stderr=subprocess.DEVNULL)
        while not (self.folder / "disk").exists():
            if self.fuse.poll() is not None:
                raise RuntimeError("nbdfuse did not start")
            time.sleep(0.02)
        self.device = run("losetup", "--find", "--show", "--direct-io=on", self.folder / "disk").strip()

    def end(self) -> None:
        """Detaches everything, also if the drive has failed and the kernel still holds it."""
        detached = ["losetup", "-d", self.device]
        unmounted = ["umount", "-l", str(self.folder)]
        for words in (detached, unmounted):
            subprocess.run(words, capture_output=True, env=SBIN)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.fuse.wait(2)
        self.fuse.kill()
        self.fuse.wait()


@contextlib.contextmanager
def mounted(loop: Loop, folder: pathlib.Path, options: str = "defaults") -> Iterator[pathlib.Path]:
    place = folder / "mounted"
    place.mkdir(exist_ok=True)
    run("mount", "-o", options, loop.device, place)
    try:
        yield place
    finally:
        run("umount", place)


def lacking(*programs: str, root: bool = False) -> str:
    """The reason why this machine cannot run the test; empty if it can."""
    missing = [program for program in programs if not shutil.which(program, path=SBIN["PATH"])]
    if missing:
        return f"there is no {', '.join(missing)} (.ci/setup clients)"
    if root and os.geteuid() != 0:
        return "this needs root"
    if root and not (os.path.exists("/dev/fuse") and os.path.exists("/dev/loop-control")):
        return "there is no /dev/fuse or /dev/loop-control"
    return ""


def replays(trace: pathlib.Path, served: pathlib.Path, *options: object) -> bool:
    """True if the recording replays to the signature of the served run, and each power cut to the same damage. The
    replay's result is written next to `served`."""
    again = served.with_name(served.name + "-replayed")
    run(FTLAB, "run", trace, *options, "--out", again, "--replace")
    of = [json.loads((folder / "result.json").read_text())["ftlab"] for folder in (served, again)]
    same_cuts = of[0]["served"]["power_cuts"] == of[1]["trace"].get("power_cuts", [])
    return same_cuts and all(of[0][key] == of[1][key] for key in ("signature", "state_signature"))
