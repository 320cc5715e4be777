"""Errors have the format of the core."""

import pickle
import re

from hypothesis import given, strategies as st

from ftlab.errors import ConfigError, nearest_name, printable


def test_all_pieces_make_the_message_of_the_project() -> None:
    error = ConfigError("is not a known name", file="a.json", line=7, key="gc.policy", got='"gredy"',
                        allowed="greedy, fifo", nearest="greedy")
    assert str(error) == ('a.json:7: gc.policy: is not a known name (got "gredy"; allowed: greedy, fifo;'
                          " did you mean greedy?)")
    assert isinstance(error, ValueError)


def test_empty_pieces_are_left_out_and_the_brackets_with_the_last() -> None:
    assert str(ConfigError("cannot be read", file="a.json")) == "a.json: cannot be read"
    assert str(ConfigError("is missing", key="wa")) == "wa: is missing"
    assert str(ConfigError("all is wrong", got="x")) == "all is wrong (got x)"


def test_an_error_crosses_a_process_boundary_with_its_pieces() -> None:
    error = pickle.loads(pickle.dumps(ConfigError("is wrong", file="f", line=3, key="k", got="g")))
    assert (str(error), error.line, error.key) == ("f:3: k: is wrong (got g)", 3, "k")


@given(st.text(), st.text(), st.text())
def test_whatever_stands_in_the_pieces_the_message_is_one_line_of_printable_ascii(a: str, b: str,
                                                                                  c: str) -> None:
    message = str(ConfigError(a, file=b, key=c, got=a, allowed=b, nearest=c))
    assert re.fullmatch(r"[\x20-\x7e]*", message)


@given(st.text())
def test_long_values_are_cut_to_sixty_characters(text: str) -> None:
    assert len(printable(text)) <= 60


def test_the_nearest_name_is_within_a_third_of_the_length() -> None:
    names = ["greedy", "fifo", "cost-benefit"]
    assert nearest_name("gredy", names) == "greedy"
    assert nearest_name("geredy", names) == "greedy"  # swapped neighbours count once
    assert nearest_name("xyz", names) == ""
    assert nearest_name("ab", ["xy"]) == ""  # no letter in common
