#include "validation/measure/device/stamps.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>

namespace ftlab {
namespace {

constexpr std::uint64_t kFrontMark = 0x66746c61622d7631;  // "ftlab-v1"
constexpr std::uint64_t kBackMark = 0x31762d62616c7466;

struct Front {
  std::uint64_t mark = kFrontMark;
  std::uint64_t offset_bytes = 0;
  std::uint64_t version = 0;
  std::uint64_t run = 0;
  std::uint32_t length_bytes = 0;
  std::uint32_t unused = 0;
  std::uint32_t checksum = 0;  // computed over the sector with this field as 0
  std::uint32_t unused_too = 0;
};
static_assert(sizeof(Front) == kStampBytes);

// Depends on the run, so that the marks of two runs differ.
std::uint64_t back_mark(std::uint64_t run) { return kBackMark ^ run; }

std::uint32_t checksum_of(std::span<const std::byte, kSectorBytes> sector) {
  Front front;
  std::memcpy(&front, sector.data(), sizeof front);
  front.checksum = 0;
  const auto bytes = [](const void* data) { return static_cast<const unsigned char*>(data); };
  const uLong begin = ::crc32(::crc32(0, nullptr, 0), bytes(&front), sizeof front);
  return static_cast<std::uint32_t>(
      ::crc32(begin, bytes(sector.data() + sizeof front), static_cast<uInt>(sector.size() - sizeof front)));
}

}  // namespace

void write_stamp(std::span<std::byte, kSectorBytes> sector, const Stamp& stamp) {
  Front front{kFrontMark, stamp.offset_bytes, stamp.version, stamp.run, stamp.length_bytes, 0, 0, 0};
  const std::uint64_t back = back_mark(stamp.run);
  std::memcpy(sector.data(), &front, sizeof front);
  std::memcpy(sector.data() + sector.size() - sizeof back, &back, sizeof back);
  front.checksum = checksum_of(sector);
  std::memcpy(sector.data(), &front, sizeof front);
}

SectorRead read_stamp(std::span<const std::byte, kSectorBytes> sector, std::uint64_t offset_bytes, std::uint64_t run) {
  using Found = ContentLog::Found;
  Front front;
  std::uint64_t back = 0;
  std::memcpy(&front, sector.data(), sizeof front);
  std::memcpy(&back, sector.data() + sector.size() - sizeof back, sizeof back);
  const bool has_front = front.mark == kFrontMark && front.run == run, has_back = back == back_mark(run);
  if (!has_front && !has_back) {
    const bool zeros = std::all_of(sector.begin(), sector.end(), [](std::byte byte) { return byte == std::byte{0}; });
    return {zeros ? Found::zero : Found::foreign, {}};
  }
  if (!has_front || !has_back || checksum_of(sector) != front.checksum) return {Found::torn, {}};
  const Stamp stamp{front.offset_bytes, front.version, front.run, front.length_bytes};
  return {stamp.offset_bytes == offset_bytes ? Found::whole : Found::misplaced, stamp};
}

}  // namespace ftlab
