"""Replicates: means and confidence intervals compared with published values."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ftlab.sweeps.summary import half_width, summary, t_quantile

# Two-sided 95 % and 99 % points from a table of Student's t (Abramowitz and Stegun, table 26.10).
TABLE = [(0.975, 1, 12.706), (0.975, 2, 4.303), (0.975, 3, 3.182), (0.975, 4, 2.776), (0.975, 9, 2.262), (0.975, 10, 2.228),
         (0.975, 30, 2.042), (0.975, 120, 1.980), (0.995, 1, 63.657), (0.995, 5, 4.032), (0.995, 40, 2.704)]


@pytest.mark.parametrize("share, degrees, t", TABLE)
def test_quantiles_of_student_are_those_of_the_tables(share, degrees, t):
    assert t_quantile(share, degrees) == pytest.approx(t, abs=5e-4)


def test_one_degree_of_freedom_is_cauchys_distribution():
    for share in (0.6, 0.75, 0.9, 0.999):
        assert t_quantile(share, 1) == pytest.approx(math.tan(math.pi * (share - 0.5)), rel=1e-9)


def test_the_interval_of_a_known_sample():
    # Student's own data (Biometrika 6, 1908, additional hours of sleep, drug 2 - 1): mean 1.58, s 1.23, n 10.
    gained = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]
    assert np.mean(gained) == pytest.approx(1.58)
    assert half_width(gained) == pytest.approx(0.8798, abs=5e-4)  # 0.7001 to 2.4599


def test_one_value_has_no_interval():
    assert math.isnan(half_width([3.0]))


def test_ninety_five_of_a_hundred_intervals_cover_the_mean():
    chance = np.random.default_rng(1)
    covered = sum(abs(np.mean(sample) - 7) <= half_width(sample) for sample in chance.normal(7, 2, (2000, 4)))
    assert 1900 - 4 * 9.75 <= covered <= 1900 + 4 * 9.75


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=20), st.floats(0.1, 10))
def test_intervals_scale_with_their_values(values, scale):
    assert half_width([scale * value for value in values]) == pytest.approx(scale * half_width(values), rel=1e-6, abs=1e-6)


def test_a_summary_has_a_row_for_each_choice_in_the_order_of_the_grid():
    frame = pd.DataFrame({"p": ["b", "b", "a", "a"], "op": [0.1, 0.1, 0.1, 0.1], "seed": [1, 2, 1, 2],
                          "wa": [2.0, 4.0, 5.0, 5.0], "kind": ["x", "x", "x", "y"], "flag": [True, True, False, False]})
    folded = summary(frame, ["p", "op"], ["wa", "kind", "flag"])
    assert folded["p"].tolist() == ["b", "a"]
    assert folded["replicates"].tolist() == [2, 2]
    assert folded["wa_mean"].tolist() == [3.0, 5.0]
    assert folded["wa_ci95"].tolist() == pytest.approx([12.706 * math.sqrt(2) / math.sqrt(2), 0.0], abs=1e-3)
    assert folded["kind"][0] == "x" and pd.isna(folded["kind"][1])
    assert folded["flag"].tolist() == [True, False]


def test_a_missing_figure_does_not_count():
    folded = summary(pd.DataFrame({"p": [1, 1, 1], "wa": [1.0, 3.0, math.nan]}), ["p"], ["wa"])
    assert folded["wa_mean"][0] == 2.0
