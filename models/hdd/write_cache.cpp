#include "models/hdd/write_cache.h"

#include <algorithm>
#include <string>

#include "sim/core/check.h"

namespace ftlab {

void WriteCache::put(Sector first, Sector end, const Place& place, Nanoseconds ready) {
  FTLAB_CHECK(has_room((end - first) * kSectorBytes), std::to_string(used_bytes_) + " bytes are used already");
  const auto covered = [&](const Piece& piece) {
    if (piece.first < first || piece.end > end) return false;
    used_bytes_ -= (piece.end - piece.first) * kSectorBytes;
    absorbed_bytes_ += (piece.end - piece.first) * kSectorBytes;
    return true;
  };
  pieces_.erase(std::remove_if(pieces_.begin(), pieces_.end(), covered), pieces_.end());
  pieces_.push_back({first, end, place, ready, next_sequence_++});
  used_bytes_ += (end - first) * kSectorBytes;
}

WriteCache::Piece WriteCache::take(std::size_t index) {
  FTLAB_CHECK(index < pieces_.size(), "no piece " + std::to_string(index));
  const Piece piece = pieces_[index];
  pieces_.erase(pieces_.begin() + static_cast<std::ptrdiff_t>(index));
  return piece;
}

bool WriteCache::covers(Sector first, Sector end) const {
  return std::any_of(pieces_.begin(), pieces_.end(),
                     [&](const Piece& piece) { return piece.first <= first && end <= piece.end; });
}

}  // namespace ftlab
