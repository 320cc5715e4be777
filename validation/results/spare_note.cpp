#include "validation/results/spare_note.h"

#include <algorithm>

#include <spdlog/fmt/fmt.h>

#include "models/nand/array/layout.h"
#include "models/theory/steady_state.h"

namespace ftlab {
namespace {

constexpr double kLeastLeft = 0.5;  // share of the over-provisioning; less is worth a note

// Theory for greedy GC under uniform writes; "unknown" without a formula.
std::string theory_at(double op, std::uint32_t block_pages) {
  WaQuestion question;
  question.op = op;
  question.pages_per_block = block_pages;
  const auto answer = steady_state_wa(question);
  return answer ? fmt::format("{:.1f}", answer->wa) : "unknown";
}

}  // namespace

std::string spare_note(const DriveConfig& config) {
  const FtlConfig& ftl = config.ftl;
  if (ftl.mapping.hybrid() || ftl.pool_count() > 1 || ftl.compression.on() || ftl.deduplication.on()) return {};
  const Layout layout(config.geometry, ftl.superblock, ftl.mapping_bytes);
  const double user = static_cast<double>(config.logical_pages());
  const double superblock = layout.data_pages();
  const double all = layout.superblocks() * superblock;
  // During GC, start_free superblocks are free, and two frontiers have an open one each, on average half full.
  const double unused = ftl.gc.start_free + 1;
  const double op = (all - user) / user, left = (all - unused * superblock - user) / user;
  if (op <= 0 || left >= kLeastLeft * op) return {};
  return fmt::format(
      "{1:.1f} % of the {0:.1f} % over-provisioning hold data during collection: {3} of {2} superblocks are kept free "
      "(ftl.gc.start_free_superblocks) and each frontier has one half-written. Uniform random writes then have a write "
      "amplification of about {4} instead of {5} (theory, greedy). More and smaller superblocks keep more of it",
      100 * op, 100 * std::max(left, 0.0), layout.superblocks(), ftl.gc.start_free,
      left > 0 ? theory_at(left, layout.pages_per_superblock()) : "unknown", theory_at(op, layout.pages_per_superblock()));
}

}  // namespace ftlab
