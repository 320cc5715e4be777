#include <algorithm>
#include <functional>

#include "sim/workload/options/option.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kLargestBlock = 1 << 30;
constexpr std::size_t kMostShares = 64;  // as in fio

// The check for whole sectors comes later, because it depends on the page cache.
std::uint64_t parse_block(const Settings& s, const Setting& written, std::string_view text) {
  return parse_number(written, text, s.kilo, 1, kLargestBlock);
}

// Parses "8k", "8k,32k", "8k-16k,,32k": read, write, trim. Calls set(first, end, part) for the directions [first, end): the
// last part also applies to the directions after it, and an omitted part leaves its direction unchanged.
template <class Set>
void for_directions(const Setting& written, const char* what, Set set) {
  std::string_view rest = written.value;
  for (std::size_t direction = 0; direction < kDirectionCount; ++direction) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    const bool last = comma == rest.npos;
    if (!part.empty() || (last && direction == 0)) set(direction, last ? kDirectionCount : direction + 1, part);
    if (last) return;
    rest.remove_prefix(comma + 1);
  }
  refuse(written, std::string("too many ") + what, "up to three: read,write,trim");
}

void set_block_sizes(Settings& s, const Setting& w) {
  for_directions(w, "block sizes", [&](std::size_t first, std::size_t end, std::string_view part) {
    std::fill(s.block_bytes.begin() + first, s.block_bytes.begin() + end, parse_block(s, w, part));
  });
}

void set_block_range(Settings& s, const Setting& w) {
  for_directions(w, "ranges of block sizes", [&](std::size_t first, std::size_t end, std::string_view part) {
    const std::size_t middle = part.find_first_of("-:");
    if (middle == part.npos || middle == 0) refuse(w, "not a range of block sizes", "two sizes, as in 4k-64k");
    std::uint64_t least = parse_block(s, w, part.substr(0, middle)), most = parse_block(s, w, part.substr(middle + 1));
    if (least > most) std::swap(least, most);  // as fio does
    std::fill(s.block_range.begin() + first, s.block_range.begin() + end, std::pair(least, most));
  });
}

// Parses "4k/60"; sizes like "4k" and "4k/" share equally what the others leave.
SizeShare parse_share(const Settings& s, const Setting& w, std::string_view text, bool& open) {
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

std::vector<SizeShare> parse_shares(const Settings& s, const Setting& w, std::string_view rest) {
  std::vector<SizeShare> shares;
  std::vector<std::size_t> open;  // shares without a percentage
  while (true) {
    const std::size_t colon = rest.find(':');
    bool is_open = false;
    shares.push_back(parse_share(s, w, rest.substr(0, colon), is_open));
    if (is_open) open.push_back(shares.size() - 1);
    if (shares.size() > kMostShares) refuse(w, "too many block sizes", "at most 64 for each direction");
    if (colon == rest.npos) break;
    rest.remove_prefix(colon + 1);
  }
  divide_rest(w, shares, open);
  std::erase_if(shares, [](const SizeShare& share) { return share.percent == 0; });
  return shares;
}

void set_block_split(Settings& s, const Setting& w) {
  for_directions(w, "lists of block sizes", [&](std::size_t first, std::size_t end, std::string_view part) {
    std::fill(s.block_shares.begin() + first, s.block_shares.begin() + end, parse_shares(s, w, part));
  });
}

void set_alignment(Settings& s, const Setting& w) {
  for_directions(w, "alignments", [&](std::size_t first, std::size_t end, std::string_view part) {
    const std::uint64_t bytes = parse_number(w, part, s.kilo, kSectorBytes, kLargestBlock);
    check_whole_sectors(w, bytes, s.kilo);
    std::fill(s.alignment.begin() + first, s.alignment.begin() + end, bytes);
  });
}

constexpr Option kBlockOptions[] = {
    {"bs", "blocksize", Form::value, set_block_sizes},
    {"bsrange", "blocksize_range", Form::value, set_block_range},
    {"bssplit", "", Form::value, set_block_split},
    {"ba", "blockalign", Form::value, set_alignment},
    {"bs_unaligned", "blocksize_unaligned", Form::flag, [](Settings& s, const Setting& w) { s.any_size = parse_switch(w); }},
    {"bs_is_seq_rand", "", Form::flag, [](Settings& s, const Setting& w) { s.sizes_by_order = parse_switch(w); }},
};

// As in fio, bssplit and bsrange take precedence over bs, in any order; both together are refused (relations.cpp).
BlockSizes sizes_of(const Settings& s, std::size_t direction) {
  BlockSizes sizes{s.block_bytes[direction], s.block_bytes[direction], {}};
  if (s.block_range[direction]) std::tie(sizes.least, sizes.most) = *s.block_range[direction];
  if (s.block_shares[direction].empty()) return sizes;
  sizes.shares = s.block_shares[direction];
  const auto smaller = [](const SizeShare& a, const SizeShare& b) { return a.bytes < b.bytes; };
  const auto [least, most] = std::minmax_element(sizes.shares.begin(), sizes.shares.end(), smaller);
  sizes.least = least->bytes;
  sizes.most = most->bytes;
  return sizes;
}

}  // namespace

std::span<const Option> block_options() { return kBlockOptions; }

void settle_block_sizes(Settings& s) {
  for (std::size_t d = 0; d < kDirectionCount; ++d) s.sizes[d] = sizes_of(s, d);
  for (std::size_t d = 0; d < kDirectionCount; ++d) s.block_bytes[d] = s.sizes[d].least;
}

}  // namespace ftlab
