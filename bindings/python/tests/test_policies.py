"""User policies: one that decides like a built-in policy gives the same drive; answers are checked."""

from __future__ import annotations

import collections

import numpy as np
import pytest
from conftest import small_drive, writes

import ftlab


def oldest(view: ftlab.GcView) -> int:
    candidates = view.candidates
    return candidates[view.closed_at[candidates].argmin()]


class OwnStreams:
    """Hot and cold data by logical page: the first quarter is hot."""

    classes = 2

    def __init__(self, pages: int) -> None:
        self.hot_pages = pages // 4
        self.asked = 0

    def of_host(self, lpn: int, stream: int, old: int, version: int) -> int:
        self.asked += 1
        assert old < version
        return 0 if lpn < self.hot_pages else 1


class Lru:
    def __init__(self) -> None:
        self.units: collections.OrderedDict[int, None] = collections.OrderedDict()

    def clear(self) -> None:
        self.units.clear()

    def loaded(self, unit: int) -> None:
        self.units[unit] = None

    def hit(self, unit: int) -> None:
        self.units.move_to_end(unit)

    def victim(self) -> int:
        return next(iter(self.units))

    def evicted(self, unit: int) -> None:
        del self.units[unit]


DEMAND = {"ftl.mapping": {"scheme": "demand", "page_bytes": 4096, "ram_bytes": 16384, "cache_unit": "page",
                          "eviction": "lru"}}


def test_fifo_in_python_gives_the_drive_that_fifo_gives() -> None:
    ours, theirs = small_drive(gc_policy=oldest), small_drive({"ftl.gc.policy": "fifo"})
    mine, its = ours.run(writes()), theirs.run(writes())
    assert mine.wa == its.wa and mine.wa > 1.2
    assert mine.files["series.csv"] == its.files["series.csv"]
    assert np.array_equal(ours.blocks.erases, theirs.blocks.erases)


def test_chance_of_a_policy_is_the_simulators() -> None:
    def at_random(view: ftlab.GcView) -> int:
        return int(view.candidates[view.random.below(len(view.candidates))])

    first, second = small_drive(gc_policy=at_random), small_drive(gc_policy=at_random)
    first.run(writes())
    second.run(writes())
    assert first.signature == second.signature
    other = small_drive(gc_policy=at_random, seed=2)
    other.run(writes())
    assert other.signature != first.signature


def test_a_policy_sees_the_drive_as_it_is() -> None:
    seen = []

    def looking(view: ftlab.GcView) -> int:
        candidates = view.candidates
        assert set(view.state[candidates]) == {ftlab.blocks.STATES.index("closed")}
        assert view.pages_per_superblock == 256 and view.pool == 0 and len(view.valid) == 64
        assert (view.closed_at[candidates] <= view.pages_put).all()
        assert not view.valid.flags.writeable
        seen.append(view.pages_put)
        return candidates[view.valid[candidates].argmin()]

    small_drive(gc_policy=looking).run(writes())
    assert len(seen) > 50 and seen == sorted(seen)


def test_a_view_kept_after_the_call_is_harmless() -> None:
    kept = []

    def keeping(view: ftlab.GcView) -> int:
        kept.append(view)
        return oldest(view)

    drive = small_drive(gc_policy=keeping)
    drive.run(writes())
    drive.close()
    del drive
    assert kept[0].valid.sum() > 0
    for late in (lambda: kept[0].candidates, lambda: kept[0].random.below(3)):
        with pytest.raises(ftlab.PolicyError, match="only there within choose"):
            late()


def test_an_object_with_choose_is_a_policy_and_is_copied_by_a_fork() -> None:
    class Counting:
        asked = 0

        def choose(self, view: ftlab.GcView) -> int:
            self.asked += 1
            return oldest(view)

    policy = Counting()
    drive = small_drive(gc_policy=policy)
    drive.run(writes())
    asked = policy.asked
    fork = drive.fork()
    fork.run(writes("50m"))
    assert policy.asked == asked > 0
    drive.run(writes("50m"))
    assert drive.signature == fork.signature and policy.asked > asked


def test_a_policy_goes_on_behind_a_power_cut() -> None:
    drive = small_drive(gc_policy=oldest)
    drive.run(writes())
    drive.power_cycle()
    drive.run(writes())
    assert drive.inspect() == []


def test_placement_in_python_lowers_write_amplification_of_hot_and_cold_data() -> None:
    hot = writes("400m", random_distribution="zoned:90/25:10/75")
    tight = {"user_sectors": 106496, "ftl.gc.start_free_superblocks": 4, "ftl.gc.stop_free_superblocks": 6}
    policy = OwnStreams(106496 * 512 // 4096)
    without, with_placement = small_drive(tight), small_drive(tight, placement=policy)
    without.run(hot)
    with_placement.run(hot)
    assert with_placement.inspect() == []
    assert policy.asked == 400 * 256
    assert with_placement.wa < 0.9 * without.wa


def test_lru_in_python_gives_the_drive_that_lru_gives() -> None:
    more = {**DEMAND, "ftl.gc.start_free_superblocks": 4, "ftl.gc.stop_free_superblocks": 6}
    ours, theirs = small_drive(more, map_cache=Lru()), small_drive(more)
    mine, its = ours.run(writes("50m")), theirs.run(writes("50m"))
    assert mine.files["series.csv"] == its.files["series.csv"]
    assert ours.counters["mapping_misses"] == theirs.counters["mapping_misses"] > 100
    fork = ours.fork()
    assert fork.run(writes("20m")).files["series.csv"] == theirs.run(writes("20m")).files["series.csv"]


@pytest.mark.parametrize("answer, message", [
    (3.5, r"choose\(\) returned 3\.5 \(float\); it must be a superblock's number or None, 0 to 63"),
    ("seven", r"returned 'seven' \(str\)"),
    (64, r"returned 64 \(int\)"),
    (-1, r"returned -1 \(int\)"),
    (10**30, r"returned 1000000000000000000000000000000 \(int\)"),
    (np.array([1, 2]), r"\(ndarray\)"),
])
def test_an_answer_that_cannot_be_is_refused_with_the_facts(answer: object, message: str) -> None:
    drive = small_drive(gc_policy=lambda view: answer)
    with pytest.raises(ftlab.PolicyError, match=message):
        drive.run(writes())
    with pytest.raises(ftlab.DriveError, match="stopped during a run"):
        drive.run(writes())
    with pytest.raises(ftlab.DriveError, match="stopped during a run"):
        drive.fork()
    drive.close()


def test_none_while_there_are_candidates_is_refused_with_their_number() -> None:
    drive = small_drive(gc_policy=lambda view: None)
    with pytest.raises(ftlab.PolicyError, match=r"choose\(\) returned None, but \d+ closed superblocks of pool 0 can be "
                                                r"collected; of 64 superblocks \d+ are free"):
        drive.run(writes())


def test_a_superblock_that_is_not_closed_is_refused() -> None:
    def not_closed(view: ftlab.GcView) -> int:
        return int(np.flatnonzero(view.state == ftlab.blocks.STATES.index("free"))[0])

    with pytest.raises(ftlab.PolicyError, match="which is free; only closed ones can be collected"):
        small_drive(gc_policy=not_closed).run(writes())


def test_an_exception_of_a_policy_arrives_as_it_is() -> None:
    def failing(view: ftlab.GcView) -> int:
        raise LookupError("my own mistake")

    drive = small_drive(gc_policy=failing)
    with pytest.raises(LookupError, match="my own mistake"):
        drive.run(writes())
    with pytest.raises(ftlab.DriveError, match="an exception of a policy"):
        drive.idle(1)


@pytest.mark.parametrize("policies, message", [
    ({"gc_policy": 7}, "a function of one argument or has choose"),
    ({"gc_policy": Lru}, "is an object, not a class: did you forget the brackets behind Lru"),
    ({"map_cache": object()}, "a map cache policy has clear"),
    ({"placement": object()}, "a placement policy has classes"),
])
def test_what_is_no_policy_is_a_type_error(policies: dict, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        small_drive(**policies)


def test_a_policy_that_would_never_be_asked_is_refused() -> None:
    with pytest.raises(ftlab.ConfigError, match="map_cache: would never be asked: the whole map is in RAM"):
        small_drive(map_cache=Lru())
    log_blocks = {
        "mapping": {"scheme": "bast", "page_bytes": 4096, "log_superblocks": 4},
        "superblock": {"dies": 2, "planes": 1},
        "wear": {"free_list": "fifo", "static_spread_erases": 0},
        "write_buffer": {"bytes": 65536, "partial_pages": 4},
    }
    with pytest.raises(ftlab.ConfigError,
                       match="gc_policy: would never be asked: a map of blocks or zones does not collect"):
        ftlab.Drive("example-small-and-slow", {"ftl": log_blocks}, gc_policy=oldest)


def test_a_cache_policy_must_name_what_is_there() -> None:
    class Stranger(Lru):
        def victim(self) -> int:
            return 123456

    more = {**DEMAND, "ftl.gc.start_free_superblocks": 4, "ftl.gc.stop_free_superblocks": 6}
    with pytest.raises(ftlab.PolicyError, match="victim.. returned unit 123456, which is not in the cache"):
        small_drive(more, map_cache=Stranger()).run(writes("50m"))


def test_a_placement_is_held_to_its_classes() -> None:
    policy = OwnStreams(100)
    policy.of_host = lambda *page: 2  # type: ignore[method-assign]
    more = {"ftl.gc.start_free_superblocks": 4, "ftl.gc.stop_free_superblocks": 6}
    with pytest.raises(ftlab.PolicyError, match=r"of_host\(\) returned 2 \(int\); it must be a class, 0 to 1"):
        small_drive(more, placement=policy).run(writes("5m"))
    policy.classes = 31
    with pytest.raises(ftlab.ConfigError, match="ftl.placement.streams.*got 31; allowed: 1 to 30"):
        small_drive(more, placement=policy)
