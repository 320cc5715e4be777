// File format of a saved state (archive.h): output and input.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "sim/core/archive_checksum.h"

namespace ftlab {

inline constexpr std::uint32_t kArchiveVersion = 15;

// An error in the user's file. The components being loaded then hold a mixture of old and new state: discard them.
struct ArchiveError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Writes to memory, or to a sink piece by piece, or only counts bytes.
class ArchiveOutput {
 public:
  static ArchiveOutput memory(std::uint64_t expected_bytes);
  static ArchiveOutput nowhere() { return ArchiveOutput(To::nowhere); }
  static ArchiveOutput sink(std::uint64_t payload_bytes, std::function<void(std::string_view)> sink);

  void write(const void* from, std::size_t size) {
    payload_bytes_ += size;
    if (to_ != To::memory) return hand_over(static_cast<const char*>(from), size);
    if (bytes_.capacity() - bytes_.size() < size + sizeof(std::uint64_t)) grow(size);
    bytes_.append(static_cast<const char*>(from), size);
  }
  std::uint64_t payload_bytes() const { return payload_bytes_; }
  // Returns the whole file; empty if it went to a sink. No calls afterwards.
  std::string finish();

 private:
  enum class To : std::uint8_t { memory, nowhere, sink };

  explicit ArchiveOutput(To to) : to_(to) {}
  void write_header(std::uint64_t length);
  void hand_over(const char* from, std::size_t size);
  void hand_over_buffer();
  void grow(std::size_t size);

  To to_;
  std::function<void(std::string_view)> sink_;
  ArchiveChecksum checksum_;          // over everything passed to the sink
  std::uint64_t payload_bytes_ = 0;   // written so far
  std::uint64_t promised_bytes_ = 0;  // length in the header, when writing to a sink
  std::string bytes_;                 // the file so far, or the next piece for the sink
};

class ArchiveInput {
 public:
  ArchiveInput() = default;
  // Both read all bytes once, and throw ArchiveError if magic, version, length or checksum do not fit.
  static ArchiveInput owning(std::string file);
  static ArchiveInput viewing(std::string_view file);

  std::uint64_t at() const { return at_; }
  std::uint64_t left() const { return end_ - at_; }
  // REQUIRES: `size` bytes are left.
  const char* take(std::uint64_t size) {
    const char* const bytes = data() + at_;
    at_ += size;
    return bytes;
  }

 private:
  const char* data() const { return view_.data() != nullptr ? view_.data() : bytes_.data(); }
  void open(std::size_t size);

  std::string_view view_;  // the file, if not in bytes_
  std::string bytes_;
  std::uint64_t at_ = 0;
  std::uint64_t end_ = 0;  // end of the payload
};

}  // namespace ftlab
