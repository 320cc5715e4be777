#!/usr/bin/env bash
# A collection policy in a user's own C++ file, named when CMake configures, is built in; a name that cannot be one is refused.
set -eu
library=$(dirname "$FTLAB_BIN")/libftlab.a

cat >newest_first.cpp <<'END'
#include "ftl/gc/gc_policy.h"
namespace ftlab {
namespace {
class NewestFirst final : public GcPolicy {
 public:
  SuperblockId choose(const GcView& view, RandomStream&) override {
    SuperblockId newest = kNoBlock;
    for (SuperblockId b = view.blocks.oldest(view.pool); b != kNoBlock; b = view.blocks.next_younger(b)) newest = b;
    return newest;
  }
};
}  // namespace
GcPolicyKind policy_newest_first() {
  return {"newest-first", false, false,
          [](const GcPolicyArguments&) -> std::unique_ptr<GcPolicy> { return std::make_unique<NewestFirst>(); }};
}
}  // namespace ftlab
END

cat >names.cpp <<'END'
#include <cstdio>
#include "ftl/gc/gc_policy.h"
int main() {
  for (const ftlab::GcPolicyKind& kind : ftlab::gc_policy_kinds()) std::puts(kind.name.c_str());
}
END

# says WORDS: the last configuration's messages, which CMake breaks into lines, hold these words
says() { tr -s ' \n' ' ' <configure.log | grep -qF "$1"; }

# configure POLICIES: what the build would be, without building it
configure() { cmake -S "$FTLAB_SOURCE" -B build -DFTLAB_TESTS=OFF -DFTLAB_PYTHON=OFF -DFTLAB_POLICIES="$1" >configure.log 2>&1; }

if ! configure "$PWD/newest_first.cpp"; then
  cat configure.log
  echo "FTLAB_POLICIES was not accepted"
  exit 1
fi
# The generated table and the user's file stand in for those of the library that is built already.
"${CXX:-c++}" -std=c++20 -I"$FTLAB_SOURCE" names.cpp newest_first.cpp build/user_policies.cpp "$library" $FTLAB_LIBRARIES -o names
./names | grep -qx newest-first || { echo "newest-first is not among the policies"; exit 1; }
./names | grep -qx greedy-least-worn || { echo "greedy-least-worn of ftl/gc/policies is not among the policies"; exit 1; }

if configure "$PWD/missing.cpp" || ! says "which does not exist"; then
  echo "a file that does not exist was not refused"
  exit 1
fi
cp newest_first.cpp newest-first.cpp
if configure "$PWD/newest-first.cpp" || ! says "must be a C++ identifier"; then
  echo "a name that is no identifier was not refused"
  exit 1
fi
