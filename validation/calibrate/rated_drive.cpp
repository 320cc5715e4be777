#include "validation/calibrate/rated_drive.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include <spdlog/fmt/fmt.h>

#include "models/theory/steady_state.h"
#include "sim/config/share.h"
#include "sim/core/check.h"
#include "sim/core/error.h"
#include "validation/calibrate/fit_key.h"
#include "validation/calibrate/prediction.h"
#include "validation/run/open_device.h"
#include "validation/run/scaled_drive.h"

namespace ftlab {
namespace {

constexpr double kClose = 0.005;      // relative difference at which a rating is met
constexpr std::uint32_t kRounds = 10;
constexpr std::uint32_t kLeastSpare = 20, kMostSpare = 3000;  // over-provisioning searched for, in thousandths
constexpr std::uint64_t kManyRequests = 150'000;              // of steady random writes: many superblocks are collected

std::string sourced(std::uint64_t value, const char* from, const std::string& source) {
  return nlohmann::ordered_json{{"value", value}, {"from", from}, {"source", source}}.dump();
}

Workload workload(const char* rw, std::uint64_t block, std::uint64_t depth, std::uint64_t jobs) {
  Workload all;
  all.rw = rw;
  all.block_bytes = block;
  all.depth = depth;
  all.jobs = jobs;
  return all;
}

// The workload of a rating. Its rate sets only how long it is simulated.
Point point_of(Rating rating, double rated) {
  constexpr std::uint64_t k4 = 4096, k128 = 131'072;
  Point point;
  point.iops = rated;
  switch (rating) {
    case Rating::sequential_read: point.workload = workload("read", k128, 64, 1); break;
    case Rating::sequential_write: point.workload = workload("write", k128, 64, 1); break;
    case Rating::random_read: point.workload = workload("randread", k4, 64, 8); break;
    case Rating::random_write: point.workload = workload("randwrite", k4, 64, 4); break;
    case Rating::read_latency: point.workload = workload("randread", k4, 1, 1); break;
    default: point.workload = workload("randwrite", k4, 1, 1); break;
  }
  const bool latency = rating == Rating::read_latency || rating == Rating::write_latency;
  if (latency) point.iops = 1e9 / rated;
  if (point.workload.block_bytes == k128) point.iops = rated / static_cast<double>(k128);
  point.direction = point.workload.rw.ends_with("read") ? Direction::read : Direction::write;
  return point;
}

double figure_of(Rating rating, const PredictedFigures& figures, const Point& point) {
  if (rating == Rating::read_latency || rating == Rating::write_latency) return figures.latency_mean_ns;
  const bool bytes = rating == Rating::sequential_read || rating == Rating::sequential_write;
  return figures.iops * (bytes ? static_cast<double>(point.workload.block_bytes) : 1);
}

// A rating that a time or a rate of the drive determines.
class Unknown {
 public:
  Unknown(Rating rating_, double rated_, FitKey key_)
      : rating(rating_), rated(rated_), key(std::move(key_)), value(key.value) {}

  Rating rating;
  double rated;
  FitKey key;
  std::uint64_t value;
  double simulated = 0;

  double elasticity = rating == Rating::sequential_read ? 1 : -1;  // change of the figure's logarithm by the key's
  double last_value = 0, last_simulated = 0;

  bool close() const { return std::abs(simulated / rated - 1) < kClose; }
  // Takes the key's next value: latencies are sums; rates follow by secants in logarithms.
  // False if it is at its bound.
  bool step() {
    const double at = static_cast<double>(value);
    const bool sum = rating == Rating::read_latency || rating == Rating::write_latency;
    set(sum ? at + rated - simulated : at * rate_factor());
    last_value = at, last_simulated = simulated;
    return static_cast<double>(value) != at;
  }

 private:
  // The figure may not respond before another limit of the drive is passed, so steps grow then, up to kMostStep.
  double rate_factor() {
    constexpr double kLeastElasticity = 0.1, kMostElasticity = 1.5, kMostStep = 4;
    const double at = static_cast<double>(value);
    if (last_value > 0 && last_value != at) {
      const double seen = std::log(simulated / last_simulated) / std::log(at / last_value) * (elasticity > 0 ? 1 : -1);
      elasticity = std::copysign(std::clamp(seen, kLeastElasticity, kMostElasticity), elasticity);
    }
    return std::clamp(std::pow(rated / simulated, 1 / elasticity), 1 / kMostStep, kMostStep);
  }
  void set(double next) {
    value = static_cast<std::uint64_t>(
        std::clamp(std::round(next), static_cast<double>(key.low), static_cast<double>(key.high)));
  }
};

const char* key_of(Rating rating, bool cached) {
  switch (rating) {
    case Rating::sequential_read: return "nand.bus_bytes_per_s";
    case Rating::sequential_write: return cached ? "nand.program_slc_ns" : "nand.program_ns";
    case Rating::random_read: return "controller.read_command_ns";
    case Rating::random_write: return "controller.write_command_ns";
    case Rating::read_latency: return "nand.read_ns";
    default: return "controller.write_latency_ns";
  }
}

bool has_cache(const DriveConfig& drive) { return drive.ftl.slc.superblocks > 0 || drive.ftl.pslc_mode.on(); }

// Two states: written in order, for reads and for drives without a cache; empty, for writes into a cache.
bool on_empty_drive(Rating rating, bool cached) {
  return cached && (rating == Rating::sequential_write || rating == Rating::random_write);
}

Node* below(Node& drive, const char* key) {
  Node* const object = drive.find(key);
  FTLAB_CHECK(object != nullptr, std::string("a drive without ") + key);
  return object;
}

// States the numbers that are solved for in the form in which they can be changed.
Node with_unknowns(Node drive, const Ratings& ratings) {
  if (ratings.has(Rating::sequential_read) && node_at(drive, "nand.bus") != nullptr) {
    const std::uint64_t rate = read_device(Node(drive)).ssd->nand.bus_bytes_per_s;
    std::erase_if(below(drive, "nand")->members, [](const auto& member) { return member.first == "bus"; });
    set_by_path(drive, "nand.bus_bytes_per_s=" + sourced(rate, "assumed", "class of the flash"));
  }
  if (ratings.has(Rating::write_latency) && node_at(drive, "controller.write_latency_ns") == nullptr)
    set_by_path(drive, "controller.write_latency_ns=" + sourced(5000, "assumed", "order of a drive's answer from its buffer"));
  return drive;
}

class Solver {
 public:
  Solver(const Node& design, const Ratings& ratings, std::uint64_t seed) : small_(with_small_blocks(design)) {
    const bool cached = has_cache(*read_device(Node(small_)).ssd);
    for (const Rating rating : kOrder) {
      if (!ratings.has(rating) || (rating == Rating::random_write && !cached)) continue;
      const double rated = *ratings.of(rating);
      PredictionOptions run;
      run.seed = seed;
      if (on_empty_drive(rating, cached)) run = {{kPartsOfShare, 0}, seed, kFewRequests};
      unknowns_.emplace_back(rating, rated, bounded_key(rating, cached));
      predictions_.push_back(std::make_unique<Prediction>(small_, std::vector{point_of(rating, rated)}, run));
    }
  }

  // Solves for one key after the other. Later ones move earlier ratings a little, hence several passes.
  void solve(const RatedOptions& options) {
    constexpr std::uint32_t kPasses = 6;
    for (std::uint32_t pass = 0; pass < kPasses; ++pass) {
      if (options.progress) options.progress("rates and latencies", 0.4 * pass / kPasses);
      for (std::size_t i = 0; i < unknowns_.size(); ++i) solve_one(i);
      for (std::size_t i = 0; i < unknowns_.size(); ++i) simulate(i);
      if (std::all_of(unknowns_.begin(), unknowns_.end(), [](const Unknown& one) { return one.close(); })) return;
    }
  }

  const std::vector<Unknown>& unknowns() const { return unknowns_; }

 private:
  // Times of single commands first, because rates depend on them.
  static constexpr Rating kOrder[] = {Rating::sequential_read, Rating::read_latency,     Rating::random_read,
                                      Rating::write_latency,   Rating::sequential_write, Rating::random_write};
  static constexpr std::uint64_t kFewRequests = 1000;  // fit into the cache

  FitKey bounded_key(Rating rating, bool cached) const {
    FitKey key = parse_fit_key(key_of(rating, cached), small_);
    key.low = std::max<std::uint64_t>(key.value / kMostOffClass, 1);
    key.high = key.value * kMostOffClass;
    return key;
  }

  void solve_one(std::size_t i) {
    for (std::uint32_t round = 0; round < kRounds; ++round) {
      simulate(i);
      if (unknowns_[i].close() || !unknowns_[i].step()) return;
    }
  }

  void simulate(std::size_t i) {
    Node drive = small_;
    for (const Unknown& unknown : unknowns_) set_key(drive, unknown.key, unknown.value);
    const PredictedFigures figures = predictions_[i]->of({drive}).front().front();
    unknowns_[i].simulated = figure_of(unknowns_[i].rating, figures, predictions_[i]->points().front());
  }

  Node small_;
  std::vector<Unknown> unknowns_;
  std::vector<std::unique_ptr<Prediction>> predictions_;
};

double steady_rate(const Node& drive, double rated, std::uint64_t seed) {
  PredictionOptions run;
  run.state.random = kPartsOfShare;
  run.requests = kManyRequests;
  run.seed = seed;
  const Node small = with_small_blocks(drive);
  return Prediction(small, {point_of(Rating::random_write, rated)}, run).of({small}).front().front().iops;
}

// Over-provisioning with which steady random writes reach `rate`, and the rate simulated: secants in logarithms.
std::pair<std::uint32_t, double> solve_spare(const std::function<Node(std::uint32_t)>& design, double rate,
                                             const RatedOptions& options) {
  double at = std::log(options.over_provisioning_permille), last_at = 0, last_error = 0;
  for (std::uint32_t round = 0;; ++round) {
    if (options.progress) options.progress("steady random writes", 0.4 + 0.1 * std::min(round, 6u));
    const auto permille = static_cast<std::uint32_t>(std::lround(std::exp(at)));
    double simulated = 0;
    try {
      simulated = steady_rate(design(permille), rate, options.seed);
    } catch (const ConfigError&) {  // too little spare for the design
      if (round == 0 || round == kRounds) throw;
      at = (at + last_at) / 2;
      continue;
    }
    const double error = std::log(simulated / rate);
    const bool at_bound = (error > 0 && permille <= kLeastSpare) || (error < 0 && permille >= kMostSpare);
    if (std::abs(error) < 2 * kClose || at_bound || round == kRounds) return {permille, simulated};
    const double slope = round == 0 || at == last_at ? 0.9 : std::clamp((error - last_error) / (at - last_at), 0.2, 2.0);
    last_at = at, last_error = error;
    at = std::clamp(at - error / slope, std::log(kLeastSpare), std::log(kMostSpare));
    if (std::lround(std::exp(at)) == permille) return {permille, simulated};
  }
}

void set_solved(Node& drive, const std::string& path, std::uint64_t value, const std::string& source) {
  set_by_path(drive, path + "=" + sourced(value, "inferred", source));
}

std::string source_of(Rating rating, double rated) {
  return fmt::format("ftlab init --rated: the simulated drive has {}={:.6g}", name_of(rating), rated);
}

void refuse_beyond_link(const DriveConfig& drive, const Ratings& ratings) {
  for (const Rating rating : {Rating::sequential_read, Rating::sequential_write}) {
    const bool write = rating == Rating::sequential_write;
    const std::uint64_t up = drive.link.to_drive_bytes_per_s;
    const double link = static_cast<double>(write && up > 0 ? up : drive.link.bytes_per_s);
    if (ratings.has(rating) && *ratings.of(rating) > link)
      throw ConfigError({"--rated", 0}, name_of(rating), "is more than the link carries",
                        fmt::format("{:.4g} GB/s", *ratings.of(rating) / 1e9), fmt::format("at most {:.4g} GB/s, or another --interface", link / 1e9));
  }
}

// Erases that a block survives if the host may write so much at the write amplification of random writes.
std::uint64_t erase_limit(const DriveConfig& drive, double written_bytes, std::uint32_t permille) {
  WaQuestion question;
  question.op = permille / 1000.0;
  const auto answer = steady_state_wa(question);
  const double wa = answer ? answer->wa : 1;
  const double physical = static_cast<double>(drive.user_bytes) * (1000 + permille) / 1000;
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::lround(written_bytes * wa / physical)));
}

}  // namespace

Node with_small_blocks(const Node& drive) {
  const DriveConfig full = *read_device(Node(drive)).ssd;
  return with_smaller_blocks(drive, std::max<std::uint64_t>(full.geometry.pages_per_block / (2 * full.nand.program.size()), 1));
}

RatedDrive solve_ratings(const DesignOf& design_of, const Ratings& ratings, const RatedOptions& options) {
  const DesignOf design = [&](std::uint32_t permille) { return with_unknowns(design_of(permille), ratings); };
  RatedDrive rated;
  rated.over_provisioning_permille = options.over_provisioning_permille;
  const Node first = design(options.over_provisioning_permille);
  const DriveConfig config = *read_device(Node(first)).ssd;
  refuse_beyond_link(config, ratings);
  Solver solver(first, ratings, options.seed);
  solver.solve(options);
  const auto with_times = [&](std::uint32_t permille) {
    Node drive = design(permille);
    for (const Unknown& unknown : solver.unknowns()) {
      for (const FitKey::Part& part : unknown.key.parts)
        set_solved(drive, part.path, part_at(unknown.key, part, unknown.value), source_of(unknown.rating, unknown.rated));
    }
    return drive;
  };
  for (const Unknown& unknown : solver.unknowns())
    rated.solved.push_back({unknown.rating, unknown.rated, unknown.simulated, unknown.key.path, unknown.value});
  if (ratings.has(Rating::random_write) && !has_cache(config)) {
    const double expected = kSteadyOverRating * *ratings.of(Rating::random_write);
    const auto [permille, simulated] = solve_spare(with_times, expected, options);
    rated.over_provisioning_permille = permille;
    rated.solved.push_back({Rating::random_write, expected, simulated, "over-provisioning", permille});
    rated.document = with_times(permille);
    const std::uint64_t blocks = read_device(Node(rated.document)).ssd->geometry.blocks_per_plane;
    set_solved(rated.document, "geometry.blocks_per_plane", blocks, source_of(Rating::random_write, expected));
  } else {
    rated.document = with_times(rated.over_provisioning_permille);
  }
  if (ratings.has(Rating::written_bytes)) {
    const double written = *ratings.of(Rating::written_bytes);
    const std::uint64_t limit = erase_limit(config, written, rated.over_provisioning_permille);
    set_solved(rated.document, "endurance.program_erase_limit", limit, source_of(Rating::written_bytes, written));
    rated.solved.push_back({Rating::written_bytes, written, written, "endurance.program_erase_limit", limit});
  }
  return rated;
}

}  // namespace ftlab
