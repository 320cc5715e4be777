"""Results are read correctly, and error messages name file and line."""

import json
from pathlib import Path

import numpy as np
import pytest
import report_folders as folders
from hypothesis import HealthCheck, given, settings, strategies as st

from ftlab.errors import ConfigError
from ftlab.report.reading.fio_json import bytes_of, read_fio, words_of
from ftlab.report.reading.procedure import points_of, read_procedure
from ftlab.report.reading.run import read_run_folder
from ftlab.report.reading.series import read_series, series_of_logs, whole_intervals
from ftlab.report.reading.sources import read_sources


def refusal(read: object, *arguments: object) -> str:
    with pytest.raises(ConfigError) as caught:
        read(*arguments)  # type: ignore[operator]
    return str(caught.value)


def test_a_series_keeps_every_number_and_its_empty_cells_are_gaps(tmp_path: Path) -> None:
    iops = folders.write_series(tmp_path)
    series = read_series(tmp_path / "series.csv")
    assert series["write_iops"].tolist() == iops
    assert series["latency_read_us_mean"].isna().all()
    assert series["latency_write_us_p99"].tolist() == [90.0 + second for second in range(1, 21)]


@pytest.mark.parametrize("row, words", [
    ("2,1,oops",
     "series.csv:3: read_iops: is not a number (got oops; allowed: finite numbers, or an empty cell)"),
    ("2,1,inf", "series.csv:3: read_iops: is not a number (got inf;"),
    ("2,1,nan", "series.csv:3: read_iops: is not a number (got nan;"),
    ("2,1", "series.csv:3: has 2 columns (allowed: 3)"),
    ("2,1,3,4", "series.csv:3: has 4 columns (allowed: 3)"),
    ("1,1,3", "series.csv:3: t_s: lies within the interval before it (got 1)"),
])
def test_a_wrong_row_of_a_series_is_refused_with_its_line(tmp_path: Path, row: str, words: str) -> None:
    path = tmp_path / "series.csv"
    path.write_text(f"t_s,length_s,read_iops\n1,1,100\n{row}\n")
    assert words in refusal(read_series, path)


def test_a_series_without_its_columns_is_refused_with_the_nearest_name(tmp_path: Path) -> None:
    path = tmp_path / "series.csv"
    path.write_text("t_s,lenght_s\n1,1\n")
    assert "series.csv:1: length_s: column is missing (did you mean lenght_s?)" in refusal(read_series, path)
    path.write_text("t_s,t_s,length_s\n1,1,1\n")
    assert "t_s: column occurs twice" in refusal(read_series, path)
    path.write_bytes(b"t_s,length_s\n\xff,1\n")
    assert "is not text in UTF-8" in refusal(read_series, path)
    assert "cannot be read: Is a directory" in refusal(read_series, tmp_path)


def test_the_stub_at_the_end_of_a_run_is_no_whole_interval(tmp_path: Path) -> None:
    path = tmp_path / "series.csv"
    path.write_text("t_s,length_s,read_iops\n1,1,100\n2,1,100\n2.00001,0.00001,900000\n")
    assert whole_intervals(read_series(path))["t_s"].tolist() == [1.0, 2.0]


def test_jobs_of_fio_become_rows_with_units() -> None:
    document = {"global options": {"bs": "8k,16k"},
                "jobs": [folders.fio_job("a"), folders.fio_job("a", {"bs": "4k"})]}
    del document["jobs"][0]["job options"]["bs"]
    read = read_fio(json.dumps(document), "a.json")
    assert read.jobs["job"].tolist() == ["a", "a #2"]
    assert read.jobs["bs"].tolist() == [16384, 4096]
    assert read.jobs["MB_per_s"].tolist() == [4.096, 4.096]
    assert read.jobs["latency_us_p99.9"].tolist() == [50.0, 50.0]
    assert read.latencies["count"].tolist() == [900, 90, 9, 1] * 2


def test_a_synchronous_engine_has_a_depth_of_one_whatever_iodepth_says() -> None:
    document = {"jobs": [folders.fio_job("a", {"ioengine": "psync", "iodepth": "32"})]}
    assert read_fio(json.dumps(document), "a.json").jobs["iodepth"].tolist() == [1]


@pytest.mark.parametrize("text, words", [
    ('{\n  "jobs": [,]\n}', "result.json:2: jobs: is not JSON here"),
    ('{"jobs": 3}', "result.json:1: jobs: must be a list (got 3)"),
    ('{"jobs": [{}]}', "result.json:1: jobs[0].jobname: is missing"),
    ('{"jobs": NaN}', "result.json:1: jobs: is not JSON here"),
    ("[" * 100000, "result.json:1: is nested more than 64 levels deep"),
    ("", "result.json: is empty"),
    ('{"jobs": [{"jobname": "a", "read": {"total_ios": 1, "iops": 1, "bw_bytes": 1, "runtime": 1,'
     ' "clat_ns": {"N": 1, "mean": 1, "bins": {"x": 1}}}}]}',
     "jobs[0].read.clat_ns.bins.x: is named by no number in range"),
])
def test_json_that_is_not_fios_is_refused(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "result.json").write_text(text)
    assert words in refusal(read_run_folder, tmp_path, "run", False)


def test_what_fio_prints_before_its_json_is_skipped(tmp_path: Path) -> None:
    text = "fio: a warning\n" + json.dumps({"jobs": [folders.fio_job("a")]})
    (tmp_path / "out.json").write_text(text)
    run = read_run_folder(tmp_path, "run", False)
    assert run.measured and run.jobs["job"].tolist() == ["a"]


def test_logs_of_fio_become_a_series_that_adds_up_its_jobs(tmp_path: Path) -> None:
    (tmp_path / "x_iops.1.log").write_text("1000, 10, 0, 0, 0\n1000, 7, 1, 0, 0\n2001, 20, 0, 0, 0\n")
    (tmp_path / "x_iops.2.log").write_text("1000, 5, 0, 0, 0\n2000, 5, 0, 0, 0\n")
    (tmp_path / "x_bw.1.log").write_text("1000, 1000, 0, 0, 0\n2000, 2000, 0, 0, 0\n")
    (tmp_path / "x_lat.1.log").write_text("1000, 3000, 0, 0, 0\n2000, 5000, 0, 0, 0\n")
    series = series_of_logs(tmp_path)
    assert series is not None
    assert series["t_s"].tolist() == [1.0, 2.0]
    assert series["read_iops"].tolist() == [15.0, 25.0]
    assert series["write_iops"].tolist() == [7.0, 0.0]
    assert series["read_MB_per_s"].tolist() == [1.024, 2.048]
    assert series["latency_read_us_mean"].tolist() == [3.0, 5.0]
    assert np.isnan(series["latency_write_us_mean"]).all()


def test_a_log_of_single_requests_is_counted_by_the_second(tmp_path: Path) -> None:
    lines = [f"{second * 1000 + 400 + n // 50}, 1, 0, 4096, 0" for second in (0, 1) for n in range(200)]
    (tmp_path / "x_iops.1.log").write_text("\n".join(lines) + "\n")
    series = series_of_logs(tmp_path)
    assert series is not None and series["read_iops"].tolist() == [200.0, 200.0]


def test_a_line_that_is_no_log_is_refused_with_its_number(tmp_path: Path) -> None:
    (tmp_path / "x_iops.1.log").write_text("1000, 10, 0, 0, 0\n1000, ten, 0, 0\n")
    words = refusal(series_of_logs, tmp_path)
    assert "x_iops.1.log:2: value: is not a number (got ten;" in words


def test_a_procedure_knows_which_variable_is_the_depth(tmp_path: Path) -> None:
    points = points_of(read_procedure(folders.write_procedure(tmp_path / "p"), "p", False))
    assert points["iodepth"].tolist() == [1, 2, 4, 1, 2, 4]
    assert points["group"].tolist() == ["read"] * 3 + ["write"] * 3


def test_rounds_become_the_mean_of_the_window_that_was_judged(tmp_path: Path) -> None:
    folder = folders.write_procedure(tmp_path / "p")
    header = "step,folder,name,round,block,iops,MB_per_s,latency_us_mean"
    rows = [f"{n},,cell,{n},{block},{iops},1,1" for n, iops in ((1, 900), (2, 100), (3, 200))
            for block in ("4k", "8k")]
    (folder / "procedure.csv").write_text("\n".join([header, *rows]) + "\n")
    (folder / "procedure.json").write_text(json.dumps({"variables": {"block": ["4k", "8k"]}}))
    document = json.loads((folder / "result.json").read_text())
    document["rounds"] = [{"values": [900, 100, 200], "first_round_of_window": 2, "last_round_of_window": 3,
                           "average": 150, "slope_per_round": 100}]
    (folder / "result.json").write_text(json.dumps(document))
    points = points_of(read_procedure(folder, "p", False))
    assert points["bs"].tolist() == [4096, 8192]
    assert points["iops"].tolist() == [150.0, 150.0]


def test_a_step_outside_the_folder_of_its_procedure_is_refused(tmp_path: Path) -> None:
    folder = folders.write_procedure(tmp_path / "p")
    document = json.loads((folder / "result.json").read_text())
    document["steps"] = [{"folder": "../elsewhere"}]
    (folder / "result.json").write_text(json.dumps(document))
    words = refusal(read_procedure, folder, "p", False)
    assert "steps.folder: is not a folder next to it (got ../elsewhere)" in words


def test_folders_of_one_name_are_told_apart_by_their_parents(tmp_path: Path) -> None:
    one, other = folders.write_run(tmp_path / "a" / "out"), folders.write_run(tmp_path / "b" / "out")
    assert [run.name for run in read_sources([one, other]).runs] == ["a/out", "b/out"]
    assert "is named twice" in refusal(read_sources, [one, one])


def test_what_is_no_result_is_refused(tmp_path: Path) -> None:
    assert "is not a folder of results" in refusal(read_sources, [tmp_path])
    assert "does not exist" in refusal(read_sources, [tmp_path / "nothing.json"])
    (tmp_path / "x.json").write_text("{}")
    assert "is not a result that a report can show" in refusal(read_sources, [tmp_path / "x.json"])
    (tmp_path / "y.csv").write_text("op,wa\n0.1,two\n")
    assert "y.csv:2: wa: is not a number (got two;" in refusal(read_sources, [tmp_path / "y.csv"])


def test_a_measurement_that_was_cut_short_says_so(tmp_path: Path) -> None:
    folders.write_series(tmp_path)
    (tmp_path / "INCOMPLETE").write_text("the device was unplugged\n")
    run = read_run_folder(tmp_path, "run", False)
    assert run.notes == ["the run was cut short: the device was unplugged"]
    assert run.series is not None and len(run.series) == 20


@pytest.mark.parametrize("text, size", [("4k", 4096), ("128KiB", 131072), ("512", 512), ("1m", 1048576)])
def test_sizes_are_read_as_fio_reads_them(text: str, size: int) -> None:
    assert bytes_of(text) == size
    assert bytes_of(words_of(size)) == size


@given(st.floats(1, 1e6), st.floats(0.5, 2), st.sampled_from(["p50", "p99", "p99.9"]))
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_no_percentile_lies_above_the_greatest_latency(tmp_path: Path, greatest_us: float, ratio: float, name: str) -> None:
    """fio's bin edges lie up to 1/64 above the latencies."""
    bin_ns, greatest_ns = int(greatest_us * ratio * 1000), int(greatest_us * 1000)
    job = folders.fio_job("a")
    job["write"]["clat_ns"].update(max=greatest_ns, bins={str(bin_ns): 1000}, percentile={f"{float(name[1:]):.6f}": bin_ns})
    read = read_fio(json.dumps({"jobs": [job]}), "a.json")
    assert read.jobs[f"latency_us_{name}"].tolist() == pytest.approx([min(bin_ns, greatest_ns) / 1e3])
    assert read.latencies["latency_ns"].tolist() == pytest.approx([min(bin_ns, greatest_ns)])
    path = tmp_path / "series.csv"
    path.write_text(f"t_s,length_s,latency_write_us_{name},latency_write_us_max\n1,1,{bin_ns},{greatest_ns}\n2,1,,\n")
    assert read_series(path)[f"latency_write_us_{name}"].tolist()[0] == min(bin_ns, greatest_ns)


def test_the_result_of_a_run_on_several_drives_is_a_run_for_each(tmp_path: Path) -> None:
    whole = tmp_path / "two"
    whole.mkdir()
    parts = [folders.write_run(whole / name) for name in ("01-sdc", "02-sdd")]
    facts = {"drives": [{"device": f"/dev/{part.name[3:]}", "folder": part.name} for part in parts]}
    (whole / "result.json").write_text(json.dumps({"fio version": "fio-3.33", "jobs": [], "ftlab": facts}))
    assert [run.name for run in read_sources([whole]).runs] == ["two/01-sdc", "two/02-sdd"]
    facts["drives"][1]["folder"] = "../two/02-sdd"
    (whole / "result.json").write_text(json.dumps({"ftlab": facts}))
    assert "ftlab.drives: does not name a folder with a result for each drive" in refusal(read_sources, [whole])
