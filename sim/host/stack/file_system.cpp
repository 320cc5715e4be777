#include "sim/host/stack/file_system.h"

#include <algorithm>
#include <array>
#include <string>

#include "sim/config/keys.h"
#include "sim/core/check.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kSmallestExtent = 4096;  // a page of memory, and a block of most file systems
constexpr std::uint64_t kLargestExtent = std::uint64_t{1} << 40;

// Content that begins `bytes` after the beginning of `content`. Equal contents are also equal there.
Content content_behind(const Content& content, std::uint64_t bytes) {
  if (content.id == 0 || bytes == 0) return content;
  return {content.id + bytes * 0x9e37'79b9'7f4a'7c15, content.stored_thousandths};
}

}  // namespace

FileSystemConfig read_file_system(Reader reader) {
  FileSystemConfig config;
  read_sourced(reader, "extent_bytes", config.extent_bytes, kSmallestExtent, kLargestExtent, "size, a multiple of 4096");
  if (config.extent_bytes % kSmallestExtent != 0) {
    reader.refuse("extent_bytes", "is " + std::to_string(config.extent_bytes),
                  "a multiple of " + std::to_string(kSmallestExtent));
  }
  reader.finish();
  return config;
}

FileSystem::FileSystem(Device& device, const FileSystemConfig& config, std::uint64_t seed)
    : PassingDevice(device),
      extents_(config.extent_bytes, device.info().capacity_bytes, seed),
      timed_(device.info().timed) {}

std::uint32_t FileSystem::open(const Request& request) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(open_.size()));
    open_.emplace_back();
  }
  const std::uint32_t number = free_.back();
  free_.pop_back();
  open_[number] = {request, 0, 0, 0, complete_.add(), Status::ok};
  return number;
}

void FileSystem::submit(std::span<const Request> batch) {
  pieces_.clear();
  for (const Request& request : batch) {
    const std::uint32_t number = open(request);
    do {
      add_piece(number, request.issued);
    } while (has_more(open_[number]) && open_[number].on_their_way < kMostPieces);
  }
  behind().submit(pieces_);
}

void FileSystem::add_piece(std::uint32_t number, Nanoseconds now) {
  Open& open = open_[number];
  Request& piece = pieces_.emplace_back(open.request);
  piece.tag = std::uint64_t{number} << 32 | open.pieces++;
  piece.issued = now;
  ++open.on_their_way;
  if (open.request.length_bytes == 0) return;  // a flush
  const std::uint64_t offset = open.request.offset_bytes + open.handed_over;
  const FileExtents::Piece at = extents_.first_piece(offset, open.request.length_bytes - open.handed_over);
  piece.offset_bytes = at.offset_bytes;
  piece.length_bytes = at.length_bytes;
  piece.content = content_behind(open.request.content, open.handed_over);
  open.handed_over += at.length_bytes;
}

std::size_t FileSystem::wait(Nanoseconds until, std::span<Completion> out) {
  std::array<Completion, 16> pieces;
  while (const std::size_t count = behind().wait(std::min(until, complete_.earliest()), pieces)) {
    pieces_.clear();
    for (std::size_t i = 0; i < count; ++i) take(pieces[i]);
    if (!pieces_.empty()) behind().submit(pieces_);
  }
  return timed_ ? complete_.wait(until, out) : complete_.take_at_once(out);
}

// Handles the completion of a piece. The last one determines completion time and latency parts of the request.
void FileSystem::take(const Completion& piece) {
  const auto number = static_cast<std::uint32_t>(piece.tag >> 32);
  FTLAB_CHECK(number < open_.size() && open_[number].on_their_way > 0, "a piece comes back that was not handed over");
  Open& open = open_[number];
  if (open.status == Status::ok) open.status = piece.status;
  --open.on_their_way;
  if (has_more(open)) return add_piece(number, timed_ ? piece.completed : open.request.issued);
  if (open.on_their_way > 0) return;
  Completion& done = complete_.at(open.place);
  done = piece;
  done.tag = open.request.tag;
  done.status = open.status;
  Nanoseconds known{0};  // latency since the piece was submitted; before that it waited for other pieces
  for (const Nanoseconds part : piece.parts) known += part;
  if (timed_) charge(done, LatencyPart::queue_wait, open.request.issued, piece.completed - known);
  timed_ ? complete_.complete(open.place) : complete_.complete_at_once(open.place);
  free_.push_back(number);
}

}  // namespace ftlab
