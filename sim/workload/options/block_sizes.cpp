#include <algorithm>

#include "sim/workload/options/kinds.h"
#include "sim/workload/options/resolve.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kLargestBlock = 1 << 30;
constexpr std::size_t kMostShares = 64;  // as in fio

// The check for whole sectors comes later, because it depends on the page cache.
std::uint64_t parse_block(const Draft& s, const Setting& written, std::string_view text) {
  return parse_number(written, text, s.kilo, 1, kLargestBlock);
}

// Parses "4k/60"; sizes like "4k" and "4k/" share equally what the others leave.
SizeShare parse_share(const Draft& s, const Setting& w, std::string_view text, bool& open) {
  const std::size_t slash = text.find('/');
  SizeShare share{parse_block(s, w, text.substr(0, slash)), 0};
  open = slash == text.npos || slash + 1 == text.size();
  if (!open) share.percent = static_cast<std::uint32_t>(parse_number(w, text.substr(slash + 1), s.kilo, 0, 100));
  return share;
}

void divide_rest(const Setting& w, std::vector<SizeShare>& shares, const std::vector<std::size_t>& open) {
  std::uint32_t sum = 0;
  for (const SizeShare& share : shares) sum += share.percent;
  if (sum > 100 || (open.empty() && sum != 100))
    refuse(
        w,
        "the percentages of the block sizes add to " + std::to_string(sum) + "; fio accepts that, but means something else",
        "percentages that add to 100");
  for (const std::size_t index : open) shares[index].percent = (100 - sum) / static_cast<std::uint32_t>(open.size());
  if (!open.empty()) shares[open.back()].percent += (100 - sum) % static_cast<std::uint32_t>(open.size());
}

BlockSizes parse_shares(const Draft& s, const Setting& w, std::string_view text) {
  std::vector<SizeShare> shares;
  std::vector<std::size_t> open;  // shares without a percentage
  for (const std::string_view part : split(text, ':')) {
    bool is_open = false;
    shares.push_back(parse_share(s, w, part, is_open));
    if (is_open) open.push_back(shares.size() - 1);
    if (shares.size() > kMostShares) refuse(w, "too many block sizes", "at most 64 for each direction");
  }
  divide_rest(w, shares, open);
  std::erase_if(shares, [](const SizeShare& share) { return share.percent == 0; });
  const auto smaller = [](const SizeShare& a, const SizeShare& b) { return a.bytes < b.bytes; };
  const auto [least, most] = std::minmax_element(shares.begin(), shares.end(), smaller);
  return {least->bytes, most->bytes, shares};
}

BlockSizes parse_range(const Draft& s, const Setting& w, std::string_view text) {
  const std::size_t middle = text.find_first_of("-:");
  if (middle == text.npos || middle == 0) refuse(w, "not a range of block sizes", "two sizes, as in 4k-64k");
  const std::uint64_t a = parse_block(s, w, text.substr(0, middle)), b = parse_block(s, w, text.substr(middle + 1));
  return {std::min(a, b), std::max(a, b), {}};  // in any order, as fio does
}

}  // namespace

// Parses "8k", "8k,32k" or "8k,,32k".
void set_block_sizes(Draft& s, const Setting& w) {
  set_by_direction(w, w.value, s.block_bytes, "block sizes", [&](std::string_view part) { return parse_block(s, w, part); });
}

void set_block_range(Draft& s, const Setting& w) {
  set_by_direction(w, w.value, s.sizes, "ranges of block sizes",
                   [&](std::string_view part) { return parse_range(s, w, part); });
}

void set_block_split(Draft& s, const Setting& w) {
  set_by_direction(w, w.value, s.sizes, "lists of block sizes",
                   [&](std::string_view part) { return parse_shares(s, w, part); });
}

void set_alignment(Draft& s, const Setting& w) {
  set_by_direction(w, w.value, s.alignment_bytes, "alignments", [&](std::string_view part) {
    const std::uint64_t bytes = parse_number(w, part, s.kilo, kSectorBytes, kLargestBlock);
    check_whole_sectors(w, bytes, s.kilo);
    return bytes;
  });
}

// As in fio, bssplit and bsrange take precedence over bs, in any order; both together are refused (relations.cpp).
void settle_block_sizes(Draft& s) {
  for (std::size_t d = 0; d < kDirectionCount; ++d) {
    if (s.sizes[d].least == 0) s.sizes[d] = {s.block_bytes[d], s.block_bytes[d], {}};
    s.block_bytes[d] = s.sizes[d].least;
  }
}

}  // namespace ftlab
