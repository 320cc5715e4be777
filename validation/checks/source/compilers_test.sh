#!/usr/bin/env bash
# The signature is the same from g++ without optimisation, g++ with all of it, and clang++, which build all programs; so are the
# hashes of twenty jobs of the swarm. The build without optimisation compiles everything, tests too, file by file and without precompiled headers:
# so each file includes what it needs. The builds are kept in <build>/compilers, so the next run compiles only what changed.
# The release build that runs this test is g++ -O3 itself, unless the user chose another compiler.
set -eu
checks=$FTLAB_SOURCE/validation/checks
builds=$(dirname "$FTLAB_BIN")/compilers

if [ ! -e "$checks/signature_main.cpp" ]; then
  echo "skipped: there is no signature_main.cpp yet"
  exit 77
fi

if [ ! -e "$checks/data/signature.txt" ]; then
  echo "There is no validation/checks/data/signature.txt yet: write it with $FTLAB_BIN/ftlab-signature"
  exit 1
fi

# compiles COMPILER: can it build C++20 with a standard library at all?
compiles() {
  printf '#include <vector>\nint main() {}\n' | "$1" -std=c++20 -x c++ -fsyntax-only - >/dev/null 2>&1
}

# signature_from COMPILER OPTIMISATION TARGETS OPTION...: leaves the signature in COMPILER-OPTIMISATION.txt, or shows why there
# is none.
signature_from() {
  local build=$builds/$1$2
  if ! { cmake -S "$FTLAB_SOURCE" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$1" \
           -DCMAKE_CXX_FLAGS_RELEASE="$2" -DFTLAB_PYTHON=OFF "${@:4}" &&
         cmake --build "$build" --parallel 2 --target $3; } >"$1$2.log" 2>&1; then
    cat "$1$2.log"
    echo "$1 $2 could not build $3"
    exit 1
  fi
  "$build/bin/ftlab-signature" >"$1$2.txt"
  "$build/bin/ftlab-soak" determinism --jobs 20 --print-hashes >"$1$2.hashes"
}

programs="ftlab-signature ftlab-soak"
signature_from g++ -O0 all -DFTLAB_TESTS=ON -DCMAKE_UNITY_BUILD=OFF -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON
if [ "${FTLAB_COMPILER_ID:-}" = GNU ]; then
  "$FTLAB_BIN/ftlab-signature" >g++-O3.txt
  "$FTLAB_BIN/ftlab-soak" determinism --jobs 20 --print-hashes >g++-O3.hashes
else
  signature_from g++ -O3 "$programs" -DFTLAB_TESTS=OFF
fi
if compiles clang++; then
  signature_from clang++ -O2 "$programs ftlab ftlab-measure" -DFTLAB_TESTS=OFF
elif [ -n "${CI:-}" ]; then
  echo "clang++ is missing or cannot compile, and continuous integration must compare it"
  exit 1
else
  echo "clang++ is missing or cannot compile: only g++ -O0 and g++ -O3 are compared"
fi

failed=0
for signature in ./*.txt; do
  if diff -u "$checks/data/signature.txt" "$signature"; then
    echo "${signature#./} equals signature.txt"
  else
    failed=1
  fi
  diff -q ./g++-O0.txt "$signature" || failed=1
done
for hashes in ./*.hashes; do
  test "$(wc -l <"$hashes")" -eq 20 || failed=1
  diff -u ./g++-O0.hashes "$hashes" || failed=1
done
exit $failed
