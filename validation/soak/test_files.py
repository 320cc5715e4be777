"""The test files in a program ftlab-tests: Catch2 tags every test with the name of its file."""

import re
import subprocess


def test_files(program):
    """Their names without folder and suffix, sorted. Raises SystemExit if there are none."""
    listed = subprocess.run([program, "--list-tags", "-#"], text=True, stdout=subprocess.PIPE).stdout
    files = sorted(set(re.findall(r"\[#(\w+_test)\]", listed)))
    if not files:
        raise SystemExit(f"{program} names no tests")
    return files
