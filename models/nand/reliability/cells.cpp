#include "models/nand/reliability/cells.h"

#include <algorithm>

#include "sim/config/keys.h"

namespace ftlab {
namespace {

constexpr double kPbit = 1e15;
constexpr double kDay = 86'400;
constexpr std::uint64_t kMostRate = 500'000'000'000'000;  // half of the bits: no information is left

double power(double base, std::uint32_t exponent_permille) {
  return base == 0 ? 0 : exact_exp(exact_log(base) * exponent_permille / 1000);
}

std::vector<std::uint32_t> read_kinds(Reader& reader, std::size_t program_kinds) {
  std::vector<std::uint32_t> kinds;
  for (Reader& kind : reader.objects("page_kinds")) {
    read_sourced(kind, "errors_permille", kinds.emplace_back(), 1, 1'000'000, "factor of each kind of page, in block order");
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
  read_sourced(reader, "errors_permille", step.errors_permille, 0, 1000, "share of errors that remain with its voltages");
  step.correctable_bits = before.correctable_bits;
  read_sourced_or(reader, "correctable_bits", step.correctable_bits, 1, codeword_bits - 1, "bits that this step corrects");
  read_sourced_or(reader, "array_reads", step.array_reads, 0, 64, "array reads of this retry step");
  read_sourced_or(reader, "overhead_ns", step.overhead, 0, 1'000'000'000, "time beside the array reads");
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
  read_sourced(reader, "correctable_bits", config.correctable_bits, 1, codeword_bits - 1,
               "bits of a codeword that the first read corrects");
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
  CellsConfig c;
  read_sourced(reader, "fresh_errors_per_pbit", c.fresh_per_pbit, 0, kMostRate,
               "errors in 10^15 bits of a fresh page after wear_cycles");
  read_sourced(reader, "wear_cycles", c.wear_cycles, 1, 100'000'000, "erases at which the rates are stated");
  read_sourced(reader, "fresh_wear_exponent_permille", c.fresh_exponent, 0, 10'000, "how they grow with wear");
  read_sourced(reader, "retention_errors_per_pbit", c.retention_per_pbit, 0, kMostRate,
               "errors in 10^15 bits after one day, after wear_cycles");
  read_sourced(reader, "retention_wear_exponent_permille", c.retention_wear_exponent, 0, 10'000, "how they grow with wear");
  read_sourced(reader, "retention_time_exponent_permille", c.retention_time_exponent, 0, 10'000, "how they grow with time");
  read_sourced(reader, "disturb_errors_per_pbit", c.disturb_per_pbit, 0, kMostRate, "errors in 10^15 bits for each read");
  read_sourced(reader, "disturb_wear_exponent_permille", c.disturb_wear_exponent, 0, 10'000, "how they grow with wear");
  c.kinds_permille.assign(program_kinds, 1000);
  if (reader.has("page_kinds")) c.kinds_permille = read_kinds(reader, program_kinds);
  read_sourced_or(reader, "slc_errors_permille", c.slc_permille, 1, 1'000'000,
                  "factor of pages with one bit a cell; needed with pSLC");
  read_sourced_or(reader, "worn_cycles", c.worn_cycles, 0, 1'000'000, "erases of each block before the run");
  read_integer_or(reader, "specimen", c.specimen, 0, 0xffff'ffff, "seed of which pages err more than others");
  read_correction(reader, c, codeword_bits);
  reader.finish();
  return c;
}

Cells::Cells(const CellsConfig& config)
    : config_(config),
      kind_count_(static_cast<std::uint32_t>(config.kinds_permille.size())),
      slc_(config.slc_permille / 1000.0) {
  FTLAB_CHECK(!config.kinds_permille.empty(), "the cells of no kind of page");
  FTLAB_CHECK(config.wear_cycles > 0, "errors that are stated for cells without wear");
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
