#include "ftl/partial_pages.h"

#include <algorithm>

namespace ftlab {
namespace {

auto with(Lpn lpn) {
  return [lpn](const PartialPage& page) { return page.lpn == lpn; };
}

}  // namespace

PartialPage& PartialPages::merge(Lpn lpn, Version version, std::uint32_t first_byte, std::uint32_t end_byte) {
  const auto kept = std::find_if(pages_.begin(), pages_.end(), with(lpn));
  if (kept == pages_.end()) return pages_.emplace_back(PartialPage{lpn, version, first_byte, end_byte, false});
  const bool covers_all = first_byte <= kept->first_byte && kept->end_byte <= end_byte;
  const bool apart = end_byte < kept->first_byte || kept->end_byte < first_byte;
  kept->hole = covers_all ? false : kept->hole || apart;
  kept->first_byte = std::min(kept->first_byte, first_byte);
  kept->end_byte = std::max(kept->end_byte, end_byte);
  kept->version = version;
  return *kept;
}

const PartialPage* PartialPages::find(Lpn lpn) const {
  const auto kept = std::find_if(pages_.begin(), pages_.end(), with(lpn));
  return kept == pages_.end() ? nullptr : &*kept;
}

std::optional<PartialPage> PartialPages::take(Lpn lpn) {
  const auto kept = std::find_if(pages_.begin(), pages_.end(), with(lpn));
  if (kept == pages_.end()) return std::nullopt;
  const PartialPage page = *kept;
  pages_.erase(kept);
  return page;
}

PartialPage PartialPages::take_oldest() {
  const PartialPage page = pages_.front();
  pages_.erase(pages_.begin());
  return page;
}

}  // namespace ftlab
