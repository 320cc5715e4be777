"""Every example runs and shows what its text says."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"


def printed_by(name: str, *words: str) -> str:
    done = subprocess.run([sys.executable, str(EXAMPLES / name), *words], capture_output=True, text=True,
                          env={**os.environ, "MPLBACKEND": "agg"})
    assert done.returncode == 0, done.stderr
    return done.stdout


def numbers(text: str, line: str) -> list:
    """All numbers of the first line that begins with `line`."""
    found = next(row for row in text.splitlines() if row.strip().startswith(line))
    return [float(number) for number in re.findall(r"\d+(?:\.\d+)?", found[found.index(line) + len(line):])]


@pytest.mark.long
def test_random_writes_fall_to_the_level_of_theory(tmp_path: pathlib.Path) -> None:
    text = printed_by("write_amplification_fall.py", str(tmp_path / "fall.png"))
    (new_iops, new_wa), (iops, wa) = numbers(text, "new:"), numbers(text, "steady:")
    assert new_wa == 1 and iops < 0.4 * new_iops
    assert wa == pytest.approx(numbers(text, "theory:")[0], rel=0.05)
    assert (tmp_path / "fall.png").stat().st_size > 10_000


@pytest.mark.long
def test_policies_agree_with_their_theories_and_apart_is_best() -> None:
    text = printed_by("compare_policies.py")
    for policy in ("greedy", "d-choices", "fifo", "random"):
        values = numbers(text, policy)
        for simulated, theory in zip(values[0::2], values[1::2]):
            assert simulated == pytest.approx(theory, rel=0.02), policy
    skewed = text[text.index("90 %"):]
    for apart, *others in zip(*(numbers(skewed, name)
                                for name in ("greedy, written apart", "greedy ", "cost-benefit", "fifo"))):
        assert apart < 0.8 * min(others)


def test_trim_gives_the_spare_back() -> None:
    text = printed_by("effect_of_trim.py")
    (_, iops, wa), (_, trimmed_iops, trimmed_wa) = numbers(text, "without TRIM"), numbers(text, "with TRIM")
    assert trimmed_wa < 1.5 < 3.5 < wa
    assert trimmed_iops / iops == pytest.approx(wa / trimmed_wa, rel=0.15)  # the dies are the bottleneck


@pytest.mark.long
def test_data_that_compress_are_written_faster_and_less() -> None:
    rows = [numbers(text, f"{percent} ") for text in [printed_by("sandforce_and_entropy.py")]
            for percent in (0, 25, 50, 75, 100)]
    speeds, amplifications = [row[0] for row in rows], [row[1] for row in rows]
    assert speeds == sorted(speeds) and speeds[-1] > 1.1 * speeds[0]
    assert amplifications == sorted(amplifications, reverse=True) and amplifications[0] > 1 > 0.2 > amplifications[-1]


@pytest.mark.long
def test_an_own_policy_levels_wear() -> None:
    text = printed_by("own_policy.py")
    built_in, greedy, levelling = (numbers(text, name)
                                   for name in ("greedy, built in", "greedy, in Python", "least worn, in Python"))
    assert greedy[0] == pytest.approx(built_in[0], rel=0.01)
    assert levelling[2] < 0.8 * greedy[2] and levelling[0] < 1.05 * greedy[0]


@pytest.mark.long
def test_a_hidden_number_is_found_by_calibration(tmp_path: pathlib.Path) -> None:
    fitted, hidden = numbers(printed_by("calibrate_to_your_drive.py", str(tmp_path)), "nand.read_ns:")
    assert fitted == pytest.approx(hidden, rel=0.01)
