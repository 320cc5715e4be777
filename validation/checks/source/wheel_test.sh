#!/usr/bin/env bash
# The wheel: built from the sources, installed into an empty environment, it brings the package, the program and the library
# of drives, and needs nothing of the source tree. NumPy, pandas and Panel come from the project's own environment.
set -eu
python=$FTLAB_PYTHON
[ -x "$python" ] || { echo "no Python: the build found none"; exit 1; }

fail() { echo "FAILED: $*"; exit 1; }

CMAKE_BUILD_PARALLEL_LEVEL=2 "$python" -m pip wheel --quiet --no-build-isolation --no-deps --disable-pip-version-check \
  --config-settings=build-dir="$PWD/wheel-build" --wheel-dir wheels "$FTLAB_SOURCE" >build.log 2>&1 ||
  { tail -50 build.log; fail "the wheel was not built"; }
"$python" -m venv --without-pip environment
"$python" -m pip --python environment/bin/python install --quiet --no-index --no-deps --disable-pip-version-check wheels/ftlab-*.whl
site=$(echo environment/lib/python3*/site-packages)
"$python" -c 'import site; print(site.getsitepackages()[0])' >"$site/others.pth"

unset PYTHONPATH FTLAB_PROGRAM FTLAB_CONFIGS
cat >use.py <<'END'
import pathlib, ftlab
assert "environment" in ftlab.__file__, ftlab.__file__
assert "environment" in ftlab.program_path(), ftlab.program_path()
assert ftlab._core.config_folder().startswith(str(pathlib.Path(ftlab.__file__).parent)), ftlab._core.config_folder()
drive = ftlab.Drive("example-25nm-mlc")
result = drive.run(ftlab.Job("[w]\nfilename=d\nrw=randwrite\nbs=4k\nio_size=16m\n"))
result.save("result")
print(result.jobs.requests.sum(), [problem["code"] for problem in result.problems])
END
[ "$(environment/bin/python -W ignore use.py)" = "4096 ['not_steady']" ] || fail "the package does not run"
environment/bin/ftlab drives | grep -q kingston-ssdnow-v-64 || fail "the program does not find its drives"
environment/bin/ftlab hosts | grep -q ibm-m1015 || fail "the program does not find its hosts"
environment/bin/ftlab --version | grep -q '^ftlab ' || fail "no program"
environment/bin/ftlab report result --out page >/dev/null || fail "no report"
[ -s page/index.html ] || fail "the report has no page"
environment/bin/ftlab explore --no-open example-25nm-mlc >address 2>explore.log &
explorer=$!
for _ in $(seq 300); do [ -s address ] || sleep 0.2; done
"$python" -c 'import sys, urllib.request as u; assert b"ftlab explore" in u.urlopen(sys.argv[1]).read()' "$(cat address)" ||
  { cat explore.log; kill "$explorer"; fail "no explorer"; }
kill "$explorer"
environment/bin/ftlab sweep --help | grep -qi grid || fail "no sweep"
(PATH=$PWD/environment/bin:$PATH && ftlab init mine.json --like example-25nm-mlc >/dev/null && ftlab check mine.json >/dev/null) ||
  fail "ftlab is not on the path"
for file in man/man1/ftlab.1 bash-completion/completions/ftlab zsh/site-functions/_ftlab; do
  [ -s "environment/share/$file" ] || fail "share/$file is not installed"
done
status=0
environment/bin/ftlab drivez 2>message || status=$?
[ "$status" = 2 ] && grep -q 'did you mean drives' message || fail "the program's refusal does not come through"
for file in ftlab/py.typed ftlab/_core.pyi ftlab/report/view/page.js ftlab/report/drive_at_work/view/view.html; do
  [ -e "$site/$file" ] || fail "$file is not in the wheel"
done
echo "wheel: $(ls -l wheels | awk 'NR == 2 {print int($5 / 1000) " kB"}')"
