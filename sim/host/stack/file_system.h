// A file system that scatters files: a range that jobs address as contiguous lies in extents all over the device
// (file_extents.h). A request that crosses extents becomes several pieces, submitted at the same time in sequence, each with
// the host's cost of a request. It completes with the last piece, and reports the latency parts of that piece. At most 128
// pieces of a request are in flight (Linux's BLKDEV_DEFAULT_RQ): each further one follows when one completes.
//
// Not modelled: extents of different sizes, metadata and journal, a page cache, extents that happen to be adjacent.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/completion_queue.h"
#include "sim/config/reader.h"
#include "sim/host/stack/file_extents.h"
#include "sim/host/stack/passing_device.h"

namespace ftlab {

struct FileSystemConfig {
  std::uint64_t extent_bytes = 0;  // 0: files are contiguous
  bool on() const { return extent_bytes > 0; }
};

// Reads the object `file_system` of a host. Throws ConfigError.
FileSystemConfig read_file_system(Reader reader);

class FileSystem final : public PassingDevice {
 public:
  // REQUIRES: config.on(); the device outlives it and has nothing outstanding.
  FileSystem(Device& device, const FileSystemConfig& config, std::uint64_t seed);

  // Ignored: prefetch hints use device addresses.
  void expect(const Request&) override {}
  void submit(std::span<const Request> batch) override;
  std::size_t wait(Nanoseconds until, std::span<Completion> out) override;
  // Not supported: device addresses of contents differ from file addresses.
  std::optional<VersionRules> report_contents(ContentLog*) override { return std::nullopt; }

 private:
  static constexpr std::uint32_t kMostPieces = 128;
  struct Open {
    Request request;
    std::uint64_t handed_over = 0;  // bytes submitted
    std::uint32_t pieces = 0;       // pieces submitted
    std::uint32_t on_their_way = 0;
    std::uint32_t place = 0;  // slot of its completion
    Status status = Status::ok;
  };
  std::uint32_t open(const Request& request);
  static bool has_more(const Open& open) { return open.handed_over < open.request.length_bytes; }
  void add_piece(std::uint32_t number, Nanoseconds now);
  void take(const Completion& piece);

  FileExtents extents_;
  bool timed_;
  std::vector<Open> open_;  // the tag of a piece is the index in open_ (upper half) and the piece's number (lower half)
  std::vector<std::uint32_t> free_;
  std::vector<Request> pieces_;  // to be submitted
  CompletionQueue complete_;
};

}  // namespace ftlab
