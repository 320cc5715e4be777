// A file system that scatters: what jobs address as one piece lies in extents all over the device (file_extents.h). A
// request that crosses the end of an extent becomes several, handed over at the same moment one after the other, each with
// the host's cost of a request; it is complete with the last of them, whose time it tells. No request has more than 128 of
// them on their way at a time (Linux's BLKDEV_DEFAULT_RQ): the next one follows when one has come back.
//
// Not modelled: extents of different sizes, metadata and journal, a page cache, neighbours that happen to adjoin.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/completion_queue.h"
#include "sim/config/reader.h"
#include "sim/host/stack/file_extents.h"
#include "sim/host/stack/passing_device.h"

namespace ftlab {

struct FileSystemConfig {
  std::uint64_t extent_bytes = 0;  // 0: files lie in one piece
  bool on() const { return extent_bytes > 0; }
};

// Takes the object of a host apart. Throws ConfigError.
FileSystemConfig read_file_system(Reader reader);

class FileSystem final : public PassingDevice {
 public:
  // REQUIRES: config.on(); the device outlives it and has nothing outstanding.
  FileSystem(Device& device, const FileSystemConfig& config, std::uint64_t seed);

  // Nothing is brought nearer: hints are of the device's addresses.
  void expect(const Request&) override {}
  void submit(std::span<const Request> batch) override;
  std::size_t wait(Nanoseconds until, std::span<Completion> out) override;
  // The device's contents lie at other addresses than the files'.
  std::optional<VersionRules> report_contents(ContentLog*) override { return std::nullopt; }

 private:
  static constexpr std::uint32_t kMostPieces = 128;
  struct Open {
    Request request;
    std::uint64_t handed_over = 0;  // bytes
    std::uint32_t pieces = 0;       // that were handed over
    std::uint32_t on_their_way = 0;
    std::uint32_t place = 0;  // of its completion
    Status status = Status::ok;
  };
  std::uint32_t open(const Request& request);
  static bool has_more(const Open& open) { return open.handed_over < open.request.length_bytes; }
  void add_piece(std::uint32_t number, Nanoseconds now);
  void take(const Completion& piece);

  FileExtents extents_;
  bool timed_;
  std::vector<Open> open_;  // a piece's tag has the number of its request here in front, its own behind
  std::vector<std::uint32_t> free_;
  std::vector<Request> pieces_;  // to be handed over
  CompletionQueue complete_;
};

}  // namespace ftlab
