#include "validation/results/spare_note.h"

#include <algorithm>

#include <spdlog/fmt/fmt.h>

#include "models/nand/array/layout.h"
#include "models/theory/steady_state.h"

namespace ftlab {
namespace {

constexpr double kLeastLeft = 0.5;  // share of the over-provisioning; less is worth a note

bool has_formula(const FtlConfig& ftl) {
  return !ftl.mapping.hybrid() && ftl.pool_count() == 1 && !ftl.compression.on() && !ftl.deduplication.on();
}

Layout layout_of(const DriveConfig& config) { return {config.geometry, config.ftl.superblock, config.ftl.mapping_bytes}; }

// Spare of the user pages while a victim is collected: start_free superblocks are free then, and two frontiers have an open
// one each, on average half full.
double spare_in_collection(const DriveConfig& config, const Layout& layout) {
  const double user = static_cast<double>(config.logical_pages());
  const double used = layout.superblocks() - (config.ftl.gc.start_free + 1.0);
  return (used * layout.data_pages() - user) / user;
}

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
  if (!has_formula(ftl)) return {};
  const Layout layout = layout_of(config);
  const double user = static_cast<double>(config.logical_pages());
  const double all = static_cast<double>(layout.superblocks()) * layout.data_pages();
  const double op = (all - user) / user, left = spare_in_collection(config, layout);
  if (op <= 0 || left >= kLeastLeft * op) return {};
  return fmt::format(
      "{1:.1f} % of the {0:.1f} % over-provisioning hold data during collection: {3} of {2} superblocks are kept free "
      "(ftl.gc.start_free_superblocks) and each frontier has one half-written. Uniform random writes then have a write "
      "amplification of about {4} instead of {5} (theory, greedy). More and smaller superblocks keep more of it",
      100 * op, 100 * std::max(left, 0.0), layout.superblocks(), ftl.gc.start_free,
      left > 0 ? theory_at(left, layout.pages_per_superblock()) : "unknown", theory_at(op, layout.pages_per_superblock()));
}

std::uint64_t data_bytes(const DriveConfig& config) {
  const Layout layout = layout_of(config);
  return std::uint64_t{layout.superblocks()} * layout.data_pages() * config.ftl.mapping_bytes;
}

std::optional<double> random_write_amplification(const DriveConfig& config) {
  const FtlConfig& ftl = config.ftl;
  const bool greedy = gc_policy_kinds()[ftl.gc.policy].name == "greedy" && ftl.gc.own == nullptr;
  const bool single = !ftl.pslc_mode.on() && ftl.mapping.scheme == MappingConfig::Scheme::page;
  if (!has_formula(ftl) || !greedy || !single) return std::nullopt;
  const Layout layout = layout_of(config);
  WaQuestion question;
  question.op = spare_in_collection(config, layout);
  question.pages_per_block = layout.data_pages();
  const auto answer = steady_state_wa(question);
  return answer ? std::optional(answer->wa) : std::nullopt;
}

}  // namespace ftlab
