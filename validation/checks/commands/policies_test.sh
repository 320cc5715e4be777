#!/usr/bin/env bash
# A collection policy in a user's own C++ file, named when CMake configures, is built in; a name that cannot be one is refused.
set -eu
built=$(dirname "$FTLAB_BIN")

# The emptiest of the `scanned` oldest superblocks: one parameter, and a theory, that of FIFO, where only one is scanned.
cat >oldest_of.cpp <<'END'
#include <cmath>
#include "ftl/policies/gc_policy.h"
namespace ftlab {
namespace {
class OldestOf final : public GcPolicy {
 public:
  explicit OldestOf(std::uint64_t scanned) : scanned_(scanned) {}
  SuperblockId choose(const GcView& view, RandomStream&) override {
    const SuperblockId oldest = view.blocks.closed().oldest(view.pool);
    SuperblockId best = oldest, at = oldest;
    for (std::uint64_t i = 0; i < scanned_ && at != kNoBlock; ++i, at = view.blocks.closed().next_younger(at)) {
      if (view.blocks.valid(at) < view.blocks.valid(best)) best = at;
    }
    return best;
  }

 private:
  std::uint64_t scanned_;
};

// A page of the oldest block survives when none of the writes since hit it: p = exp(-(1 - p) / u) (Desnoyers 2012).
double theory(const std::vector<std::uint64_t>& values, double utilisation, int) {
  if (values[0] != 1) return std::nan("");
  double p = utilisation / 2;
  for (int i = 0; i < 10000; ++i) p = std::exp(-(1 - p) / utilisation);
  return 1 / (1 - p);
}
}  // namespace
GcPolicyKind policy_oldest_of() {
  return {.name = "oldest-of",
          .parameters = {{"scanned", 1, 1000}},
          .make = [](const auto& values) { return std::make_unique<OldestOf>(values[0]); },
          .uniform_wa = theory,
          .uniform_wa_source = "P. Desnoyers, SYSTOR 2012"};
}
}  // namespace ftlab
END

# Prints the policies' names, then simulated write amplification, theory, its source and why there is none.
cat >names.cpp <<'END'
#include <CLI/CLI.hpp>
#include <cstdio>
#include "ftl/counting/steady_run.h"
#include "ftl/policies/gc_policy.h"
#include "models/theory/steady_state.h"
#include "sim/core/error.h"
#include "validation/results/wa_answer.h"
using namespace ftlab;
int main(int count, char** words) {
  for (const GcPolicyKind& kind : gc_policy_kinds()) std::puts(kind.name.c_str());
  WaArguments arguments;
  CLI::App command;
  add_wa_arguments(command, arguments);
  try {
    command.parse(count, words);
    const WaQuestion question = wa_question(arguments);
    SteadyRunOptions options;
    options.precision = 0.002;
    const WaAnswer theory = steady_state_wa(question).value_or(WaAnswer{});
    std::printf("%.4f %.4f %s%s\n", steady_run(question, options).wa, theory.wa, theory.source.c_str(),
                why_no_formula(question).c_str());
  } catch (const ConfigError& error) {
    std::puts(error.what());
  }
}
END

# says WORDS: the last configuration's messages, which CMake breaks into lines, hold these words
says() { tr -s ' \n' ' ' <configure.log | grep -qF "$1"; }

# configure POLICIES: what the build would be, without building it
configure() { cmake -S "$FTLAB_SOURCE" -B build -DFTLAB_TESTS=OFF -DFTLAB_PYTHON=OFF -DFTLAB_POLICIES="$1" >configure.log 2>&1; }

if ! configure "$PWD/oldest_of.cpp"; then
  cat configure.log
  echo "FTLAB_POLICIES was not accepted"
  exit 1
fi
# The generated table and the user's file stand in for those of the library that is built already.
"${CXX:-c++}" -std=c++20 -I"$FTLAB_SOURCE" names.cpp oldest_of.cpp build/user_policies.cpp "$FTLAB_SOURCE/validation/results/wa_arguments.cpp" "$built/libftlab.a" \
  $FTLAB_LIBRARIES -o names
./names >names.txt
grep -qx oldest-of names.txt || { echo "oldest-of is not among the policies"; exit 1; }
grep -qx greedy-least-worn names.txt || { echo "greedy-least-worn of ftl/gc/policies is not among the policies"; exit 1; }

# answer WORDS: "SIMULATED THEORY SOURCE-OR-REASON" of the user's policy
answer() { ./names --policy oldest-of $1 | tail -1; }
# holds TEXT AWK: the condition holds for its fields
holds() { awk "{ exit !($2) }" <<<"$1" || { echo "$1: not $2"; exit 1; }; }
fifo=$(answer "--parameter scanned=1")
holds "$fifo" '$1 > 0.99 * $2 && $1 < 1.01 * $2 && /P. Desnoyers, SYSTOR 2012/'
holds "$(answer "--parameter scanned=40")" '$1 < '"${fifo%% *}"' - 0.2 && /does not hold/'
holds "$(answer "--parameter scanned=1 --workload hot-cold:0.8:0.2")" '$2 == 0 && /uniform writes only/'
refuses() { ./names $1 | grep -qF -- "$2" || { ./names $1; echo "not refused so: $1"; exit 1; }; }
refuses "--policy oldest-of" "--parameter: lacks scanned, which the policy needs"
refuses "--policy oldest-of --parameter scaned=1" "lacks scanned"
refuses "--policy oldest-of --parameter scanned" "must be KEY=VALUE"
refuses "--policy oldest-of --parameter scanned=1 --parameter scanned=2" "is given twice"
refuses "--policy oldest-of --parameter scanned=0" "is out of range or no number"
refuses "--policy oldest-of --parameter scanned=1 --parameter deep=1" "is not a parameter of oldest-of"
refuses "--policy greedy --parameter scanned=1" "is for policies of your own"

if configure "$PWD/missing.cpp" || ! says "which does not exist"; then
  echo "a file that does not exist was not refused"
  exit 1
fi
cp oldest_of.cpp oldest-of.cpp
if configure "$PWD/oldest-of.cpp" || ! says "must be a C++ identifier"; then
  echo "a name that is not an identifier was not refused"
  exit 1
fi
