// ftlab cache: the states of preconditioned drives that are kept between runs.
#include <CLI/CLI.hpp>
#include <memory>

#include <spdlog/fmt/fmt.h>

#include "bindings/cli/commands.h"
#include "sim/stats/fio/decimal.h"
#include "validation/run/state_cache.h"

namespace ftlab {
namespace {

std::string size_text(std::uint64_t bytes) {
  return bytes >= 1'000'000'000 ? decimal(bytes, 1'000'000'000, 1) + " GB" : decimal(bytes, 1'000'000, 1) + " MB";
}

std::string time_text(double seconds) {
  if (seconds < 3600) return fmt::format("{:.0f} min", seconds / 60);
  return seconds < 2 * 86400 ? fmt::format("{:.0f} h", seconds / 3600) : fmt::format("{:.0f} d", seconds / 86400);
}

int list(const StateCache& cache) {
  std::uint64_t sum = 0;
  const std::vector<CachedState> states = cache.list();
  if (!states.empty()) fmt::print("{:<40} {:<24} {:>9} {:>9}\n", "drive", "state", "size", "unused");
  for (const CachedState& state : states) {
    sum += state.bytes;
    const std::string note = state.drive.empty() ? "  damaged" : state.loadable ? "" : "  of another build";
    fmt::print("{:<40} {:<24} {:>9} {:>9}{}\n", state.drive.empty() ? state.path : state.drive, state.pattern,
               size_text(state.bytes), time_text(state.unused_s), note);
  }
  fmt::print("{} state{}, {} of at most {}, in {}\n", states.size(), states.size() == 1 ? "" : "s", size_text(sum),
             size_text(cache.limit_bytes()), cache.folder().empty() ? "no folder" : cache.folder());
  if (sum > cache.limit_bytes())
    fmt::print("This is more than the limit: states unused for longest are deleted when another is kept, all by --clear.\n");
  return kDone;
}

}  // namespace

void add_cache(CLI::App& app, Session& session) {
  const auto clear = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("cache", "states of preconditioned drives that are kept between runs");
  command->add_flag("--clear", *clear, "delete all of them");
  command->footer(
      "Kept are the states of --precondition random and steady (also of bench, sweep and the age steps of procedures) that\n"
      "took over a second to make. FTLAB_CACHE_LIMIT sets the size limit [10GB]; 0 keeps nothing. The folder is\n"
      "$XDG_CACHE_HOME/ftlab or ~/.cache/ftlab.");
  when_chosen(*command, session, [clear] {
    const StateCache cache = StateCache::of_user();
    if (!*clear) return list(cache);
    const std::size_t deleted = cache.clear();
    fmt::print("{} state{} deleted from {}\n", deleted, deleted == 1 ? "" : "s", cache.folder());
    return kDone;
  });
}

}  // namespace ftlab
