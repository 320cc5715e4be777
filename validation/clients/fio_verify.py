#!/usr/bin/env python3
"""Runs fio on a served drive through fio's NBD engine: mixed requests, with a checksum per block that is verified on
reading. Then the recording is replayed and must give the same signature. Status 77: skipped."""

import argparse
import json
import pathlib
import sys
import tempfile

import serving


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drive", default="example-25nm-mlc")
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--size", default="400m", help="the part of the drive that is used")
    parser.add_argument("--depth", type=int, default=32)
    asked = parser.parse_args()
    if why := serving.lacking("fio", "nbdkit"):
        print(f"skipped: {why}")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        served = serving.Served(folder, asked.drive, "--record", folder / "trace", "--out", folder / "served")
        with served:
            serving.run("fio", "--ioengine=nbd", f"--uri={served.uri}", "--rw=randrw", f"--size={asked.size}",
                        f"--iodepth={asked.depth}", "--fsync=100", "--verify=crc32c", "--verify_fatal=1", "--group_reporting",
                        f"--runtime={asked.seconds}", "--time_based", "--output-format=json", f"--output={folder / 'fio.json'}",
                        "--name=small", "--bs=4k", "--name=large", "--bs=64k", f"--offset={asked.size}", "--rwmixread=70", cwd=folder)  # fmt: skip
            served.end()
        text = (folder / "fio.json").read_text()
        job = json.loads(text[text.index("{"):])["jobs"][0]
        result = json.loads((folder / "served" / "result.json").read_text())["ftlab"]
        if job["error"] != 0:
            print(f"fio: error {job['error']}")
            return 1
        print(f"fio read {job['read']['total_ios']} blocks and wrote {job['write']['total_ios']} in {asked.seconds} s, "
              f"none was wrong; simulated {result['simulated_s']:.1f} s")  # fmt: skip
        same = serving.replays(folder / "trace", folder / "served", "--drive", asked.drive)
        print(f"the recording replays to {'the same' if same else 'ANOTHER'} signature, {result['signature']}")
        return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
