#!/usr/bin/env bash
# On 64-bit ARM the signature, the hashes of twenty jobs of the swarm and the quick tests of sim, models and ftl are those of
# the machine that builds: cross-compiled, and run by qemu. The build is kept in <build>/arm, so the next run compiles only
# what changed.
set -eu
checks=$FTLAB_SOURCE/validation/checks
build=$(dirname "$FTLAB_BIN")/arm

for tool in aarch64-linux-gnu-g++ qemu-aarch64; do
  if ! command -v "$tool" >/dev/null 2>&1; then
    echo "skipped: there is no $tool; .ci/setup arm installs it, with the libraries that it needs"
    exit 77
  fi
done

if ! { cmake -S "$FTLAB_SOURCE" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DFTLAB_PYTHON=OFF \
         -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ \
         -DCMAKE_CROSSCOMPILING_EMULATOR=qemu-aarch64 &&
       cmake --build "$build" --parallel 2 --target ftlab-signature ftlab-soak ftlab-tests; } >build.log 2>&1; then
  cat build.log
  echo "could not build for ARM"
  exit 1
fi

failed=0
qemu-aarch64 "$build/bin/ftlab-signature" >signature.txt
diff -u "$checks/data/signature.txt" signature.txt && echo "the signature equals signature.txt" || failed=1
qemu-aarch64 "$build/bin/ftlab-soak" determinism --jobs 20 --print-hashes >arm.hashes
"$FTLAB_BIN/ftlab-soak" determinism --jobs 20 --print-hashes >here.hashes
test "$(wc -l <arm.hashes)" -eq 20 && diff -u here.hashes arm.hashes && echo "the swarm's hashes are equal" || failed=1
ctest --test-dir "$build" --parallel 2 --label-regex '^(sim|models|ftl)$' --label-exclude '^long$' --timeout 1800 \
  --output-on-failure || failed=1
exit $failed
