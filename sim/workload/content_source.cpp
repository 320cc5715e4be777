#include "sim/workload/content_source.h"

#include <algorithm>

#include "sim/core/signature.h"

namespace ftlab {
namespace {

// Never 0: 0 means unknown content.
std::uint64_t as_id(std::uint64_t number) { return number % Content::kIds == 0 ? 1 : number % Content::kIds; }

std::uint64_t hash_of(const std::string& bytes) {
  Signature signature;
  for (const char c : bytes) signature.add(static_cast<unsigned char>(c));
  return signature.value();
}

// A share of each chunk repeats one byte, or is the pattern, and compresses to nothing; the rest is incompressible.
std::uint16_t stored_thousandths(const ContentRules& rules) {
  if (rules.compress_percent == 0) return rules.pattern ? 0 : 1000;
  const std::uint64_t gone = rules.chunk_bytes * rules.compress_percent / 100;
  return static_cast<std::uint16_t>((rules.chunk_bytes - gone) * 1000 / rules.chunk_bytes);
}

}  // namespace

ContentSource::ContentSource(const ContentRules& rules, std::uint64_t job_seed, std::uint64_t run_seed,
                             std::uint64_t amount_bytes, std::uint64_t block_bytes)
    : rules_(rules), random_(job_seed, "content"), origin_(random_.bits()), stored_(stored_thousandths(rules)) {
  if (rules.pattern && rules.compress_percent == 0) pattern_ = as_id(hash_of(*rules.pattern));
  set_origin_ = rules.shared ? RandomStream(run_seed, "shared content").bits() : ~origin_;
  working_set_ = rules.shared ? rules.shared_blocks : working_set(rules, amount_bytes, block_bytes);
}

std::uint64_t ContentSource::working_set(const ContentRules& rules, std::uint64_t amount_bytes, std::uint64_t block_bytes) {
  const std::uint64_t blocks = amount_bytes / block_bytes;
  return std::max<std::uint64_t>(blocks / 100 * rules.working_set_percent + blocks % 100 * rules.working_set_percent / 100,
                                 1);
}

// Without refill and scramble fio writes the same buffer every time.
Content ContentSource::next() {
  if (pattern_ != 0) return {pattern_, stored_};
  if (!rules_.refill && !rules_.scramble) return {as_id(origin_), stored_};
  const bool repeats = rules_.dedupe_percent > 0 && random_.below(100) < rules_.dedupe_percent;
  return {repeats ? repeated() : fresh(), stored_};
}

std::uint64_t ContentSource::fresh() { return as_id(origin_ + ++count_); }

// fio's repeat: the previous content. working_set: one of a fixed number of contents.
std::uint64_t ContentSource::repeated() {
  if (rules_.dedupe == ContentRules::Dedupe::working_set) return as_id(set_origin_ + random_.below(working_set_));
  return count_ == 0 ? fresh() : as_id(origin_ + count_);
}

}  // namespace ftlab
