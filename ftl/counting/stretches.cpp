#include "ftl/counting/stretches.h"

#include <algorithm>
#include <string>
#include <utility>

#include "ftl/counting/hypergeometric.h"
#include "sim/core/check.h"

namespace ftlab {

Stretches::Stretches(std::uint32_t superblocks, std::uint64_t seed)
    : stretches_(superblocks), current_(superblocks), first_(superblocks), random_(seed, "counted stretches") {}

void Stretches::append(SuperblockId block, const Stretch& part) {
  FTLAB_DCHECK(part.current <= part.slots, "a stretch has more pages than slots");
  std::vector<Stretch>& parts = stretches_[number(block)];
  current_[number(block)] += part.current;
  if (!parts.empty() && parts.back().origin == part.origin && parts.back().end == part.first) {
    parts.back().slots += part.slots;
    parts.back().current += part.current;
    parts.back().end = part.end;
  } else {
    parts.push_back(part);
  }
}

Stretch Stretches::take(SuperblockId block, std::uint32_t most) {
  std::vector<Stretch>& parts = stretches_[number(block)];
  const auto left = parts.begin() + first_[number(block)];
  const auto found = std::find_if(left, parts.end(), [](const Stretch& part) { return part.current > 0; });
  FTLAB_CHECK(found != parts.end(), "superblock " + std::to_string(number(block)) + " has fewer pages than it counts");
  first_[number(block)] = static_cast<std::uint32_t>(found - parts.begin());
  const std::uint32_t taken = std::min(most, found->current), rest = found->current - taken;
  Stretch moved{taken, taken, found->origin, found->first, found->first};
  if (found->origin != Stretch::kWritten) {
    const std::uint32_t width = found->end - found->first;
    const auto share = static_cast<std::uint32_t>(std::uint64_t{width} * taken / found->current);
    moved.end = found->first += std::clamp(share, taken, width - rest);
  }
  found->current = rest;
  current_[number(block)] -= taken;
  return moved;
}

// A few are drawn one by one, many for each stretch together.
void Stretches::settle(SuperblockId block, std::uint32_t valid) {
  constexpr std::uint32_t kFew = 32;
  FTLAB_CHECK(valid <= current_[number(block)],
              "superblock " + std::to_string(number(block)) + " has more pages than its stretches");
  std::vector<Stretch>& parts = stretches_[number(block)];
  std::uint32_t left = std::exchange(current_[number(block)], valid), lost = left - valid;
  if (parts.size() == 1) parts.front().current -= lost;
  if (parts.size() <= 1 || lost == 0) return;
  if (lost < kFew) {
    for (; lost > 0; --lost, --left) {
      auto part = parts.begin();
      for (std::uint64_t rank = random_.below(left); rank >= part->current; ++part) rank -= part->current;
      --part->current;
    }
    return;
  }
  for (Stretch& part : parts) {
    const std::uint32_t gone = draw_hypergeometric(left, lost, part.current, random_);
    left -= part.current;
    lost -= gone;
    part.current -= gone;
  }
  FTLAB_CHECK(lost == 0, "superblock " + std::to_string(number(block)) + " lost more pages than it had");
}

void Stretches::clear(SuperblockId block) {
  stretches_[number(block)].clear();
  current_[number(block)] = first_[number(block)] = 0;
}

}  // namespace ftlab
