#include "sim/core/archive_file.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "sim/core/check.h"

namespace ftlab {
namespace {

constexpr char kMagic[12] = "ftlab state";
constexpr std::size_t kVersionAt = sizeof kMagic;
constexpr std::size_t kLengthAt = kVersionAt + sizeof(std::uint32_t);
constexpr std::size_t kHeaderBytes = kLengthAt + sizeof(std::uint64_t);
constexpr std::size_t kChecksumBytes = sizeof(std::uint64_t);
static_assert(kHeaderBytes == 24);

std::uint64_t word_at(const char* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;  // smaller pieces are collected up to this size for the sink

std::uint64_t checksum(const char* bytes, std::size_t size) {
  ArchiveChecksum sum;
  sum.add(bytes, size);
  return sum.value();
}

std::string versions(std::uint32_t found) {
  const char* age = found > kArchiveVersion ? "a newer" : "an older";
  return "the state was written by " + std::string(age) + " ftlab: its format version is " + std::to_string(found) +
         ", this program reads " + std::to_string(kArchiveVersion) + ".";
}

}  // namespace

ArchiveOutput ArchiveOutput::memory(std::uint64_t expected_bytes) {
  ArchiveOutput output(To::memory);
  output.bytes_.reserve(kHeaderBytes + expected_bytes + kChecksumBytes);
  output.write_header(0);  // finish() fills in the length
  return output;
}

ArchiveOutput ArchiveOutput::sink(std::uint64_t payload_bytes, std::function<void(std::string_view)> sink) {
  ArchiveOutput output(To::sink);
  output.sink_ = std::move(sink);
  output.promised_bytes_ = payload_bytes;
  output.bytes_.reserve(kBufferBytes);
  output.write_header(payload_bytes);
  return output;
}

void ArchiveOutput::write_header(std::uint64_t length) {
  write(kMagic, sizeof kMagic);
  write(&kArchiveVersion, sizeof kArchiveVersion);
  write(&length, sizeof length);
  payload_bytes_ = 0;
}

void ArchiveOutput::hand_over(const char* from, std::size_t size) {
  if (to_ == To::nowhere) return;
  if (bytes_.size() + size > kBufferBytes) hand_over_buffer();
  if (size <= kBufferBytes) {
    bytes_.append(from, size);
  } else {
    checksum_.add(from, size);
    sink_({from, size});
  }
}

void ArchiveOutput::hand_over_buffer() {
  checksum_.add(bytes_.data(), bytes_.size());
  sink_(bytes_);
  bytes_.clear();
}

void ArchiveOutput::grow(std::size_t size) {
  bytes_.reserve(std::max(2 * bytes_.capacity(), bytes_.size() + size + kChecksumBytes));
}

std::string ArchiveOutput::finish() {
  FTLAB_CHECK(to_ != To::nowhere, "an archive that only measures cannot be finished");
  if (to_ == To::sink) {
    FTLAB_CHECK(payload_bytes_ == promised_bytes_,
                std::to_string(payload_bytes_) + " bytes written, " + std::to_string(promised_bytes_) + " were measured");
    hand_over_buffer();
    const std::uint64_t last = checksum_.value();
    sink_({reinterpret_cast<const char*>(&last), sizeof last});
    return {};
  }
  const std::uint64_t length = bytes_.size() - kHeaderBytes;
  std::memcpy(bytes_.data() + kLengthAt, &length, sizeof length);
  const std::uint64_t sum = checksum(bytes_.data(), bytes_.size());
  bytes_.append(reinterpret_cast<const char*>(&sum), sizeof sum);  // grow() has reserved room
  return std::move(bytes_);
}

ArchiveInput ArchiveInput::owning(std::string file) {
  ArchiveInput input;
  input.bytes_ = std::move(file);
  input.open(input.bytes_.size());
  return input;
}

ArchiveInput ArchiveInput::viewing(std::string_view file) {
  ArchiveInput input;
  input.view_ = file;
  input.open(file.size());
  return input;
}

void ArchiveInput::open(std::size_t size) {
  const char* const file = data();
  if (size < sizeof kMagic || std::memcmp(file, kMagic, sizeof kMagic) != 0) {
    throw ArchiveError("this is not a state of ftlab: it does not begin with \"ftlab state\".");
  }
  if (size < kHeaderBytes + kChecksumBytes) throw ArchiveError("the state is cut short: it ends within its header.");
  std::uint32_t version;
  std::memcpy(&version, file + kVersionAt, sizeof version);
  if (version != kArchiveVersion) throw ArchiveError(versions(version));
  const std::uint64_t length = word_at(file + kLengthAt);
  const std::uint64_t held = size - kHeaderBytes - kChecksumBytes;
  if (length != held) {
    throw ArchiveError("the state is " + std::string(held < length ? "cut short" : "too long") + ": it should hold " +
                       std::to_string(length) + " bytes and holds " + std::to_string(held) + ".");
  }
  at_ = kHeaderBytes;
  end_ = kHeaderBytes + length;
  if (checksum(file, end_) != word_at(file + end_)) {
    throw ArchiveError("the state is damaged: its checksum does not fit its bytes.");
  }
}

}  // namespace ftlab
