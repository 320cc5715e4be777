#include "models/nand/reliability/cells.h"

#include <algorithm>

namespace ftlab {
namespace {

constexpr double kPbit = 1e15;
constexpr double kDay = 86'400;
constexpr std::uint64_t kMostRate = 500'000'000'000'000;  // half of the bits: no information is left

double power(double base, std::uint32_t exponent_permille) {
  return base == 0 ? 0 : exact_exp(exact_log(base) * exponent_permille / 1000);
}

std::uint32_t exponent(Reader& reader, const char* key) {
  return static_cast<std::uint32_t>(reader.sourced(key, 0, 10'000).value);
}

std::vector<std::uint32_t> read_kinds(Reader& reader, std::size_t program_kinds) {
  std::vector<std::uint32_t> kinds;
  for (Reader& kind : reader.objects("page_kinds")) {
    kinds.push_back(static_cast<std::uint32_t>(kind.sourced("errors_permille", 1, 1'000'000).value));
    kind.finish();
  }
  if (kinds.size() != program_kinds) {
    reader.refuse("page_kinds", "must be as many as the kinds of pages that nand has program times for",
                  "a list of " + std::to_string(program_kinds));
  }
  return kinds;
}

RetryStep read_step(Reader reader, const RetryStep& before, std::uint64_t codeword_bits) {
  RetryStep step;
  step.errors_permille = static_cast<std::uint32_t>(reader.sourced("errors_permille", 0, 1000).value);
  step.correctable_bits = before.correctable_bits;
  if (reader.has("correctable_bits")) {
    step.correctable_bits = static_cast<std::uint32_t>(reader.sourced("correctable_bits", 1, codeword_bits - 1).value);
  }
  if (reader.has("array_reads")) step.array_reads = static_cast<std::uint32_t>(reader.sourced("array_reads", 0, 64).value);
  if (reader.has("overhead_ns")) step.overhead = Nanoseconds{reader.sourced("overhead_ns", 0, 1'000'000'000).value};
  if (step.errors_permille > before.errors_permille || step.correctable_bits < before.correctable_bits) {
    reader.refuse("errors_permille", "and correctable_bits make this step weaker than the one before it",
                  "at most " + std::to_string(before.errors_permille) + ", with at least " +
                      std::to_string(before.correctable_bits) + " correctable_bits");
  }
  if (step.array_reads == 0 && step.overhead == Nanoseconds{0}) {
    reader.refuse("array_reads", "is 0 without an overhead_ns: the step would cost nothing", "1 or more");
  }
  reader.finish();
  return step;
}

void read_correction(Reader& reader, CellsConfig& config, std::uint64_t codeword_bits) {
  config.correctable_bits = static_cast<std::uint32_t>(reader.sourced("correctable_bits", 1, codeword_bits - 1).value);
  if (!reader.has("retry")) return;
  RetryStep before{1000, config.correctable_bits, 1, Nanoseconds{0}};
  for (const Reader& step : reader.objects("retry")) {
    config.retry.push_back(before = read_step(step, before, codeword_bits));
  }
  constexpr std::size_t kMost = 32;
  if (config.retry.size() > kMost) reader.refuse("retry", "has too many steps", "at most " + std::to_string(kMost));
}

}  // namespace

CellsConfig read_cells(Reader reader, std::size_t program_kinds, std::uint64_t codeword_bits) {
  CellsConfig config;
  config.fresh_per_pbit = reader.sourced("fresh_errors_per_pbit", 0, kMostRate).value;
  config.wear_cycles = reader.sourced("wear_cycles", 1, 100'000'000).value;
  config.fresh_exponent = exponent(reader, "fresh_wear_exponent_permille");
  config.retention_per_pbit = reader.sourced("retention_errors_per_pbit", 0, kMostRate).value;
  config.retention_wear_exponent = exponent(reader, "retention_wear_exponent_permille");
  config.retention_time_exponent = exponent(reader, "retention_time_exponent_permille");
  config.disturb_per_pbit = reader.sourced("disturb_errors_per_pbit", 0, kMostRate).value;
  config.disturb_wear_exponent = exponent(reader, "disturb_wear_exponent_permille");
  config.kinds_permille.assign(program_kinds, 1000);
  if (reader.has("page_kinds")) config.kinds_permille = read_kinds(reader, program_kinds);
  if (reader.has("slc_errors_permille"))
    config.slc_permille = static_cast<std::uint32_t>(reader.sourced("slc_errors_permille", 1, 1'000'000).value);
  if (reader.has("worn_cycles"))
    config.worn_cycles = static_cast<std::uint32_t>(reader.sourced("worn_cycles", 0, 1'000'000).value);
  config.specimen = static_cast<std::uint32_t>(reader.integer_or("specimen", 0, 0xffff'ffff, 1));
  read_correction(reader, config, codeword_bits);
  reader.finish();
  return config;
}

Cells::Cells(const CellsConfig& config)
    : config_(config),
      kind_count_(static_cast<std::uint32_t>(config.kinds_permille.size())),
      slc_(config.slc_permille / 1000.0) {
  for (const std::uint32_t permille : config.kinds_permille) kinds_.push_back(permille / 1000.0);
  for (std::uint32_t i = 0; i < kSeconds.count(); ++i) {
    passed_.push_back(power(kSeconds.number(i) / kDay, config.retention_time_exponent));
  }
}

Cells::Wear Cells::wear_of(std::uint64_t erases) const {
  const double cycles = static_cast<double>(erases + config_.worn_cycles + 1);
  const double worn = cycles / static_cast<double>(config_.wear_cycles);
  return {static_cast<double>(config_.fresh_per_pbit) / kPbit * (1 + power(worn, config_.fresh_exponent)),
          static_cast<double>(config_.retention_per_pbit) / kPbit * power(worn, config_.retention_wear_exponent),
          static_cast<double>(config_.disturb_per_pbit) / kPbit * power(worn, config_.disturb_wear_exponent)};
}

}  // namespace ftlab
