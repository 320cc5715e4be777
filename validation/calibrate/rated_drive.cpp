#include "validation/calibrate/rated_drive.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include <spdlog/fmt/fmt.h>

#include "sim/core/check.h"
#include "sim/core/error.h"
#include "sim/core/exact_math.h"
#include "validation/calibrate/fit_key.h"
#include "validation/calibrate/prediction.h"
#include "validation/calibrate/priors.h"
#include "validation/results/spare_note.h"
#include "validation/run/open_device.h"
#include "validation/run/scaled_drive.h"

namespace ftlab {
namespace {

constexpr double kMet = 0.03;     // relative difference within which a rating counts as met
constexpr double kClose = 0.005;  // at which the search for a key ends
constexpr std::uint32_t kRounds = 10;
constexpr std::uint32_t kLeastSpare = 20, kMostSpare = 3000;  // over-provisioning searched for, in thousandths
constexpr std::uint64_t kManyRequests = 150'000;              // of steady random writes: many superblocks are collected
constexpr std::uint64_t kUsualRequests = 6000;
constexpr std::uint64_t kWrittenWhenEmpty = std::uint64_t{64} << 20;  // bytes, so that they fit into a pSLC cache

enum class RatingUnit : std::uint8_t { bytes_per_s, requests_per_s, mean_ns, bytes };

// Keys that a rating determines: of a drive in the steady state, of an empty one, and of an empty one with a pSLC cache.
struct Keys {
  const char *steady, *empty, *cached;
};
constexpr Keys always(const char* key) { return {key, key, key}; }

// How a rating is simulated, and which key it determines.
struct Trial {
  Rating rating;
  RatingUnit quantity;
  const char* rw;  // the job, in fio's terms; empty: none, solved by a formula
  std::uint64_t block_bytes, depth, jobs;
  double steady_over_rating;  // figure expected in the steady state, over the rating
  Keys keys;
  double elasticity;  // of the figure to the key, at first: relative change over relative change
};

// In the order in which they are solved: times of single commands first, because rates depend on them.
constexpr Trial kTrials[kRatings] = {
    {Rating::sequential_read, RatingUnit::bytes_per_s, "read", 131'072, 64, 1, 1, always("nand.bus_bytes_per_s"), 1},
    {Rating::read_latency, RatingUnit::mean_ns, "randread", 4096, 1, 1, 1, always("nand.read_ns"), 1},
    {Rating::random_read, RatingUnit::requests_per_s, "randread", 4096, 64, 8, 1, always("controller.read_command_ns"), -1},
    {Rating::write_latency, RatingUnit::mean_ns, "randwrite", 4096, 1, 1, 1, always("controller.write_latency_ns"), 1},
    {Rating::sequential_write, RatingUnit::bytes_per_s, "write", 131'072, 64, 1, 1,
     {"nand.program_ns", "nand.program_ns", "nand.program_slc_ns"}, -1},
    {Rating::random_write, RatingUnit::requests_per_s, "randwrite", 4096, 64, 4, kSteadyOverRating,
     {kOverProvisioning, "controller.write_command_ns", "controller.write_command_ns"}, -1},
    {Rating::written_bytes, RatingUnit::bytes, "", 0, 0, 0, 1, always("endurance.program_erase_limit"), 1},
    {Rating::slc_cache, RatingUnit::bytes, "", 0, 0, 0, 1, always("ftl.pslc_mode.free_space_permille"), 1}};

const Trial& trial_of(Rating rating) {
  return *std::find_if(std::begin(kTrials), std::end(kTrials), [rating](const Trial& one) { return one.rating == rating; });
}

bool is_write(const Trial& trial) { return std::string_view(trial.rw).ends_with("write"); }

// The workload of a trial. The rate sets only how long it is simulated.
Point point_of(const Trial& trial, double expected) {
  Point point;
  point.workload.rw = trial.rw;
  point.workload.block_bytes = trial.block_bytes;
  point.workload.depth = trial.depth;
  point.workload.jobs = trial.jobs;
  point.direction = is_write(trial) ? Direction::write : Direction::read;
  point.iops = expected;
  if (trial.quantity == RatingUnit::mean_ns) point.iops = 1e9 / expected;
  if (trial.quantity == RatingUnit::bytes_per_s) point.iops = expected / static_cast<double>(trial.block_bytes);
  return point;
}

double figure_of(const Trial& trial, const PredictedFigures& figures) {
  if (trial.quantity == RatingUnit::mean_ns) return figures.latency_mean_ns;
  return figures.iops * (trial.quantity == RatingUnit::bytes_per_s ? static_cast<double>(trial.block_bytes) : 1);
}

bool has_cache(const DriveConfig& drive) { return drive.ftl.slc.superblocks > 0 || drive.ftl.pslc_mode.on(); }

// Which of the keys of trials apply, and in which state drives are written.
struct Condition {
  bool steady = false, cached = false;

  const char* key(const Trial& trial) const {
    if (steady) return trial.keys.steady;
    return cached ? trial.keys.cached : trial.keys.empty;
  }
  double expected(const Trial& trial, double rated) const { return steady ? trial.steady_over_rating * rated : rated; }
};

std::string sourced(std::uint64_t value, const char* from, const std::string& source) {
  return nlohmann::ordered_json{{"value", value}, {"from", from}, {"source", source}}.dump();
}

// States the numbers that are solved for in the form in which they can be changed.
Node with_unknowns(Node drive, const Ratings& ratings) {
  if (ratings.has(Rating::sequential_read) && node_at(drive, "nand.bus") != nullptr) {
    const std::uint64_t rate = read_device(Node(drive)).ssd->nand.bus_bytes_per_s;
    std::erase_if(drive.find("nand")->members, [](const auto& member) { return member.first == "bus"; });
    set_by_path(drive, "nand.bus_bytes_per_s=" + sourced(rate, "assumed", "class of the flash"));
  }
  if (ratings.has(Rating::write_latency) && node_at(drive, "controller.write_latency_ns") == nullptr)
    set_by_path(drive, "controller.write_latency_ns=" +
                           sourced(kWriteLatencyNs.value, "assumed", kWriteLatencyNs.source));
  return drive;
}

void set_solved(Node& drive, const std::string& path, std::uint64_t value, Rating rating, double expected) {
  const std::string source =
      fmt::format("ftlab init --rated: the simulated drive has {} of {}", name_of(rating), rating_text(rating, expected));
  set_by_path(drive, path + "=" + sourced(value, "inferred", source));
}

// A rating that a time or a rate of the drive determines.
class Unknown {
 public:
  Unknown(const Trial& trial, double rated, double expected, FitKey key)
      : trial_(trial), key_(std::move(key)), elasticity_(trial.elasticity) {
    solved_ = {trial.rating, rated, expected, 0, key_.path, key_.value};
  }

  const Trial& trial() const { return trial_; }
  const FitKey& key() const { return key_; }
  const SolvedRating& solved() const { return solved_; }

  void simulated(double figure) { solved_.simulated = figure; }
  bool close() const { return std::abs(solved_.simulated / solved_.expected - 1) < kClose; }
  // Takes the key's next value: latencies are sums; rates follow by secants in logarithms. False if it is at its bound.
  bool step() {
    const std::uint64_t before = solved_.value;
    const double at = static_cast<double>(before);
    const bool sum = trial_.quantity == RatingUnit::mean_ns;
    const double next = sum ? at + solved_.expected - solved_.simulated : at * rate_factor();
    last_value_ = at, last_simulated_ = solved_.simulated;
    solved_.value = static_cast<std::uint64_t>(
        std::clamp(std::round(next), static_cast<double>(key_.low), static_cast<double>(key_.high)));
    return solved_.value != before;
  }

 private:
  // The figure may not respond before another limit of the drive is passed, so steps grow then, up to kMostStep.
  double rate_factor() {
    constexpr double kLeastElasticity = 0.1, kMostElasticity = 1.5, kMostStep = 4;
    const double at = static_cast<double>(solved_.value);
    if (last_value_ > 0 && last_value_ != at) {
      const double sign = trial_.elasticity;
      const double seen = sign * exact_log(solved_.simulated / last_simulated_) / exact_log(at / last_value_);
      elasticity_ = sign * std::clamp(seen, kLeastElasticity, kMostElasticity);
    }
    const double factor = exact_exp(exact_log(solved_.expected / solved_.simulated) / elasticity_);
    return std::clamp(factor, 1 / kMostStep, kMostStep);
  }

  const Trial& trial_;
  FitKey key_;
  SolvedRating solved_;
  double elasticity_;
  double last_value_ = 0, last_simulated_ = 0;
};

// Solves for times and rates. They do not depend on the spare.
class TimesOfDrive {
 public:
  TimesOfDrive(const Node& design, const Ratings& ratings, const Condition& condition) : small_(with_small_blocks(design)) {
    for (const Trial& trial : kTrials) {
      const std::string key = condition.key(trial);
      if (!ratings.has(trial.rating) || *trial.rw == 0 || key == kOverProvisioning) continue;
      const double rated = *ratings.of(trial.rating), expected = condition.expected(trial, rated);
      const bool empty = is_write(trial) && !condition.steady;
      unknowns_.emplace_back(trial, rated, expected, bounded_key(key));
      states_.push_back({empty ? kPartsOfShare : 0, 0});
      PredictionOptions run;
      run.requests = empty ? std::min(kWrittenWhenEmpty / trial.block_bytes, kUsualRequests) : kUsualRequests;
      predictions_.push_back(
          std::make_unique<Prediction>(with_state(small_, states_.back()), std::vector{point_of(trial, expected)}, run));
    }
  }

  // Solves for one key after the other. Later ones move earlier ratings a little, hence several passes.
  void solve(const std::function<void(double done)>& progress) {
    constexpr std::uint32_t kPasses = 6;
    for (std::uint32_t pass = 0; pass < kPasses; ++pass) {
      progress(1.0 * pass / kPasses);
      for (std::size_t i = 0; i < unknowns_.size(); ++i) solve_one(i);
      for (std::size_t i = 0; i < unknowns_.size(); ++i) simulate(i);
      if (std::all_of(unknowns_.begin(), unknowns_.end(), [](const Unknown& one) { return one.close(); })) return;
    }
  }

  const std::vector<Unknown>& unknowns() const { return unknowns_; }
  Node set_in(Node drive) const {
    for (const Unknown& unknown : unknowns_) {
      const SolvedRating& solved = unknown.solved();
      for (const FitKey::Part& part : unknown.key().parts)
        set_solved(drive, part.path, part_at(unknown.key(), part, solved.value), solved.rating, solved.expected);
    }
    return drive;
  }

 private:
  FitKey bounded_key(const std::string& path) const {
    FitKey key = parse_fit_key(path, small_);
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
    Node drive = with_state(small_, states_[i]);
    for (const Unknown& unknown : unknowns_) set_key(drive, unknown.key(), unknown.solved().value);
    unknowns_[i].simulated(figure_of(unknowns_[i].trial(), predictions_[i]->of({drive}).front().front()));
  }

  Node small_;
  std::vector<Unknown> unknowns_;
  std::vector<DriveState> states_;  // by unknown, like predictions_
  std::vector<std::unique_ptr<Prediction>> predictions_;
};

double steady_rate(const Node& drive, double expected) {
  PredictionOptions run;
  run.requests = kManyRequests;
  const Node small = with_state(with_small_blocks(drive), {0, kPartsOfShare});
  return Prediction(small, {point_of(trial_of(Rating::random_write), expected)}, run).of({small}).front().front().iops;
}

// True if a drive with so much spare can be simulated, with small blocks too.
bool is_feasible(const DesignOf& design, std::uint32_t permille) {
  try {
    const Node drive = design(permille);
    read_device(Node(drive));
    read_device(with_small_blocks(drive));
    return true;
  } catch (const ConfigError&) {
    return false;
  }
}

// The least over-provisioning, in thousandths, with which the design can be simulated. Throws ConfigError if there is none.
std::uint32_t least_spare(const DesignOf& design) {
  if (is_feasible(design, kLeastSpare)) return kLeastSpare;
  read_device(with_small_blocks(design(kMostSpare)));  // says what is wrong with every spare
  std::uint32_t too_little = kLeastSpare, enough = kMostSpare;
  while (enough - too_little > 1) {
    const std::uint32_t middle = (too_little + enough) / 2;
    (is_feasible(design, middle) ? enough : too_little) = middle;
  }
  return enough;
}

// Solves for the over-provisioning with which steady random writes reach a rate, by secants in logarithms.
class SpareOfDrive {
 public:
  SpareOfDrive(const DesignOf& design, double rated, std::uint32_t least) : design_(design), least_(least) {
    solved_ = {Rating::random_write, rated, kSteadyOverRating * rated, 0, kOverProvisioning, 0};
  }

  void solve(std::uint32_t start, const std::function<void(double done)>& progress) {
    at_ = exact_log(std::clamp(start, least_, kMostSpare));
    for (std::uint32_t round = 0; round <= kRounds; ++round) {
      progress(1.0 * std::min(round, kMostShown) / kMostShown);
      if (!step(round)) return;
    }
  }

  const SolvedRating& solved() const { return solved_; }
  std::uint32_t permille() const { return static_cast<std::uint32_t>(solved_.value); }

 private:
  static constexpr std::uint32_t kMostShown = 6;  // rounds that progress counts on

  // Simulates the present spare and takes the next. False if the rate is reached, or no other spare is nearer.
  bool step(std::uint32_t round) {
    const auto permille = static_cast<std::uint32_t>(std::lround(exact_exp(at_)));
    solved_.simulated = steady_rate(design_(permille), solved_.expected);
    solved_.value = permille;
    const double error = exact_log(solved_.simulated / solved_.expected);
    if (std::abs(error) < 2 * kClose) return false;
    constexpr double kUsualSlope = 0.9;  // of the rate's logarithm by that of the spare
    const bool first = round == 0 || at_ == last_at_;
    const double slope = first ? kUsualSlope : std::clamp((error - last_error_) / (at_ - last_at_), 0.2, 2.0);
    last_at_ = at_, last_error_ = error;
    at_ = std::clamp(at_ - error / slope, exact_log(least_), exact_log(kMostSpare));
    return static_cast<std::uint32_t>(std::lround(exact_exp(at_))) != permille;
  }

  const DesignOf& design_;
  std::uint32_t least_;
  SolvedRating solved_;
  double at_ = 0, last_at_ = 0;  // logarithm of the spare in thousandths
  double last_error_ = 0;        // logarithm of the rate over the expected one
};

void refuse_beyond_link(const DriveConfig& drive, const Ratings& ratings) {
  for (const Rating rating : {Rating::sequential_read, Rating::sequential_write}) {
    const std::uint64_t up = drive.link.to_drive_bytes_per_s;
    const double link = static_cast<double>(is_write(trial_of(rating)) && up > 0 ? up : drive.link.bytes_per_s);
    if (!ratings.has(rating) || *ratings.of(rating) <= link) continue;
    const bool small_packets = drive.link.line.kind == LinkLine::Kind::nvme && drive.link.line.max_payload_bytes < 512;
    throw ConfigError({"--rated", 0}, name_of(rating), "is more than the link carries",
                      fmt::format("{:.4g} GB/s", *ratings.of(rating) / 1e9),
                      fmt::format("at most {:.4g} GB/s{}, or another --interface", link / 1e9,
                                  small_packets ? ", more with --set link.max_payload_bytes=512" : ""));
  }
}

// Bytes that the host may write at random, in the steady state, for each erase of every block.
double written_by_erases(const DriveConfig& drive, double rated) {
  const std::optional<double> wa = random_write_amplification(drive);
  if (!wa)
    throw ConfigError({"--rated", 0}, name_of(Rating::written_bytes),
                      "has no formula for this design: the write amplification of its random writes is not known",
                      rating_text(Rating::written_bytes, rated),
                      "with a page map, greedy collection and spare, without a pSLC cache (--use enterprise); or --set "
                      "endurance.program_erase_limit");
  return static_cast<double>(data_bytes(drive)) / *wa;
}

SolvedRating solve_life(const DriveConfig& drive, double rated) {
  const double of_one = written_by_erases(drive, rated);
  const auto limit = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::lround(rated / of_one)));
  const std::string key = trial_of(Rating::written_bytes).keys.steady;
  return {Rating::written_bytes, rated, rated, static_cast<double>(limit) * of_one, key, limit};
}

// An empty drive of `all` bytes with b bits a cell has filled a cache that takes the share s of the free space when s / (b + s)
// of `all` are written. Data of a cache with nearly as many cells as the user space leave no room for others.
SolvedRating solve_cache(const DriveConfig& drive, double rated) {
  const PslcModeConfig& cache = drive.ftl.pslc_mode;
  if (cache.free_space_permille == 0)
    throw ConfigError({"--rated", 0}, name_of(Rating::slc_cache), "needs a pSLC cache that is a share of the free space",
                      rating_text(Rating::slc_cache, rated), "with TLC or QLC flash and --use client");
  constexpr double kAllFlash = 0.85;  // of the user space
  const double all = static_cast<double>(data_bytes(drive)), bits = cache.cells_per_bit, part = std::min(rated / all, 0.5);
  std::uint64_t permille = cache.all_flash_permille();
  if (bits * rated <= kAllFlash * static_cast<double>(drive.user_bytes))
    permille = std::clamp<std::uint64_t>(std::lround(1000 * bits * part / (1 - part)), 1, permille);
  const double share = static_cast<double>(permille) / 1000;
  return {Rating::slc_cache, rated, rated, all * share / (bits + share), trial_of(Rating::slc_cache).keys.steady, permille};
}

Condition condition_of(const DriveConfig& drive, bool steady) { return {steady, has_cache(drive)}; }

bool spare_is_solved(const Ratings& ratings, const RatedOptions& options) {
  return options.steady && ratings.has(Rating::random_write);
}

// Refuses early what the simulations would not change.
void check_design(const DesignOf& design, std::uint32_t permille, const Ratings& ratings, const RatedOptions& options) {
  refuse_beyond_link(*read_device(design(permille)).ssd, ratings);
  if (ratings.has(Rating::slc_cache))
    solve_cache(*read_device(design(permille)).ssd, *ratings.of(Rating::slc_cache));
  const std::uint32_t most = spare_is_solved(ratings, options) ? kMostSpare : permille;
  if (ratings.has(Rating::written_bytes))
    written_by_erases(*read_device(design(most)).ssd, *ratings.of(Rating::written_bytes));
}

// Progress of a part of the whole work.
std::function<void(double done)> part_of(const RatedOptions& options, const char* text, double from, double to) {
  return [=, &options](double done) {
    if (options.progress) options.progress(text, from + (to - from) * done);
  };
}

void add_spare(RatedDrive& rated, const DesignOf& timed_design, std::uint32_t least, const Ratings& ratings,
               const RatedOptions& options) {
  SpareOfDrive spare(timed_design, *ratings.of(Rating::random_write), least);
  spare.solve(rated.over_provisioning_permille, part_of(options, "steady random writes", 0.4, 1));
  rated.solved.push_back(spare.solved());
  rated.over_provisioning_permille = spare.permille();
  rated.document = timed_design(spare.permille());
  const std::uint32_t blocks = read_device(Node(rated.document)).ssd->geometry.blocks_per_plane;
  set_solved(rated.document, "geometry.blocks_per_plane", blocks, Rating::random_write, spare.solved().expected);
}

void add_cache(RatedDrive& rated, const Ratings& ratings) {
  const DriveConfig drive = *read_device(Node(rated.document)).ssd;
  const SolvedRating cache = solve_cache(drive, *ratings.of(Rating::slc_cache));
  set_solved(rated.document, cache.key, cache.value, cache.rating, cache.expected);
  rated.solved.push_back(cache);
}

void add_life(RatedDrive& rated, const Ratings& ratings) {
  const DriveConfig drive = *read_device(Node(rated.document)).ssd;
  const SolvedRating life = solve_life(drive, *ratings.of(Rating::written_bytes));
  set_solved(rated.document, life.key, life.value, life.rating, life.expected);
  rated.solved.push_back(life);
}

}  // namespace

bool SolvedRating::met() const { return std::abs(simulated / expected - 1) < kMet; }

bool SolvedRating::better() const {
  return trial_of(rating).quantity == RatingUnit::mean_ns ? simulated < expected : simulated > expected;
}

Node with_small_blocks(const Node& drive) {
  const DriveConfig full = *read_device(Node(drive)).ssd;
  const std::uint64_t pages = full.geometry.pages_per_block, least = 2 * full.nand.program.size();
  std::uint64_t scale = std::max<std::uint64_t>(pages / least, 1);
  while (pages % scale != 0) --scale;
  return with_smaller_blocks(drive, scale);
}

std::vector<DeterminedKey> determined_keys(const Node& design, const Ratings& ratings, bool steady) {
  const Condition condition = condition_of(*read_device(Node(design)).ssd, steady);
  const Node drive = with_unknowns(design, ratings);
  std::vector<DeterminedKey> keys;
  for (const Trial& trial : kTrials) {
    if (!ratings.has(trial.rating)) continue;
    const std::string key = condition.key(trial);
    if (key == kOverProvisioning) {
      for (const char* const size : {"geometry.blocks_per_plane", "user_sectors"}) keys.push_back({size, trial.rating});
      continue;
    }
    keys.push_back({key, trial.rating});
    if (trial.rating == Rating::sequential_read) keys.push_back({"nand.bus", trial.rating});
    if (*trial.rw == 0) continue;
    for (const FitKey::Part& part : parse_fit_key(key, drive).parts)
      if (part.path != key) keys.push_back({part.path, trial.rating});
  }
  return keys;
}

RatedDrive solve_ratings(const DesignOf& design_of, const Ratings& ratings, const RatedOptions& options) {
  const DesignOf design = [&](std::uint32_t permille) { return with_unknowns(design_of(permille), ratings); };
  const std::uint32_t least = spare_is_solved(ratings, options) ? least_spare(design) : 0;
  RatedDrive rated;
  rated.over_provisioning_permille = std::max(options.over_provisioning_permille, least);
  const Node first = design(rated.over_provisioning_permille);
  check_design(design, rated.over_provisioning_permille, ratings, options);

  TimesOfDrive times(first, ratings, condition_of(*read_device(Node(first)).ssd, options.steady));
  times.solve(part_of(options, "rates and latencies", 0, 0.4));
  for (const Unknown& unknown : times.unknowns()) rated.solved.push_back(unknown.solved());
  const DesignOf timed_design = [&](std::uint32_t permille) { return times.set_in(design(permille)); };
  rated.document = timed_design(rated.over_provisioning_permille);
  if (spare_is_solved(ratings, options)) add_spare(rated, timed_design, least, ratings, options);
  if (ratings.has(Rating::written_bytes)) add_life(rated, ratings);
  if (ratings.has(Rating::slc_cache)) add_cache(rated, ratings);
  return rated;
}

}  // namespace ftlab
