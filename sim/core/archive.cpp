#include "sim/core/archive.h"

#include <algorithm>
#include <utility>

#include "sim/config/error.h"
#include "sim/core/signature.h"

namespace ftlab {
namespace {

constexpr char kMagic[12] = "ftlab state";
constexpr std::size_t kVersionAt = sizeof kMagic;
constexpr std::size_t kLengthAt = kVersionAt + sizeof(std::uint32_t);
constexpr std::size_t kHeaderBytes = kLengthAt + sizeof(std::uint64_t);
constexpr std::size_t kChecksumBytes = sizeof(std::uint64_t);
constexpr std::uint32_t kSectionMark = 0x5ec71017;
static_assert(kHeaderBytes == 24);

std::uint64_t word_at(const char* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;  // of pieces that go to a sink together

std::uint64_t checksum(const char* bytes, std::size_t size) {
  ArchiveChecksum sum;
  sum.add(bytes, size);
  return sum.value();
}

std::string quoted(const std::string& name) { return '"' + printable(name) + '"'; }

std::string versions(std::uint32_t found) {
  const char* age = found > Archive::kVersion ? "a newer" : "an older";
  return "the state was written by " + std::string(age) + " ftlab: its format version is " + std::to_string(found) +
         ", this program reads " + std::to_string(Archive::kVersion) + ".";
}

}  // namespace

void ArchiveChecksum::add_group(const char* bytes) {
  for (std::size_t i = 0; i < 4; ++i) chains_[i].add(word_at(bytes + 8 * i));
}

void ArchiveChecksum::add(const char* bytes, std::size_t size) {
  size_ += size;
  if (rest_bytes_ > 0) {
    const std::size_t taken = std::min(size, sizeof rest_ - rest_bytes_);
    std::memcpy(rest_ + rest_bytes_, bytes, taken);
    rest_bytes_ += taken;
    bytes += taken;
    size -= taken;
    if (rest_bytes_ < sizeof rest_) return;
    add_group(rest_);
    rest_bytes_ = 0;
  }
  for (; size >= sizeof rest_; bytes += sizeof rest_, size -= sizeof rest_) add_group(bytes);
  std::memcpy(rest_, bytes, size);
  rest_bytes_ = size;
}

std::uint64_t ArchiveChecksum::value() const {
  ArchiveChecksum last = *this;
  std::memset(last.rest_ + rest_bytes_, 0, sizeof rest_ - rest_bytes_);
  last.add_group(last.rest_);
  Signature sum;
  sum.add(size_);
  for (const Signature& chain : last.chains_) sum.add(chain.value());
  return sum.value();
}

Archive Archive::saving(std::uint64_t expected_bytes) {
  Archive archive(false);
  archive.bytes_.reserve(kHeaderBytes + expected_bytes + kChecksumBytes);
  archive.write_header(0);  // the length comes with finish()
  return archive;
}

Archive Archive::measuring() {
  Archive archive(false);
  archive.to_ = To::nowhere;
  return archive;
}

Archive Archive::streaming(std::uint64_t payload_bytes, std::function<void(std::string_view)> sink) {
  Archive archive(false);
  archive.to_ = To::sink;
  archive.sink_ = std::move(sink);
  archive.promised_bytes_ = payload_bytes;
  archive.bytes_.reserve(kBufferBytes);
  archive.write_header(payload_bytes);
  return archive;
}

void Archive::write_header(std::uint64_t length) {
  write(kMagic, sizeof kMagic);
  write(&kVersion, sizeof kVersion);
  write(&length, sizeof length);
  payload_bytes_ = 0;
}

void Archive::hand_over(const char* from, std::size_t size) {
  if (to_ == To::nowhere) return;
  if (bytes_.size() + size > kBufferBytes) hand_over_buffer();
  if (size <= kBufferBytes) {
    bytes_.append(from, size);
  } else {
    checksum_.add(from, size);
    sink_({from, size});
  }
}

void Archive::hand_over_buffer() {
  checksum_.add(bytes_.data(), bytes_.size());
  sink_(bytes_);
  bytes_.clear();
}

Archive Archive::loading(std::string file) {
  Archive archive(true);
  archive.bytes_ = std::move(file);
  archive.size_ = archive.bytes_.size();
  archive.open_file();
  return archive;
}

Archive Archive::viewing(std::string_view file) {
  Archive archive(true);
  archive.view_ = file.data();
  archive.size_ = file.size();
  archive.open_file();
  return archive;
}

void Archive::open_file() {
  const char* const file = data();
  const std::size_t size = size_;
  if (size < sizeof kMagic || std::memcmp(file, kMagic, sizeof kMagic) != 0) {
    throw ArchiveError("this is not a state of ftlab: it does not begin with \"ftlab state\".");
  }
  if (size < kHeaderBytes + kChecksumBytes) throw ArchiveError("the state is cut short: it ends within its header.");
  std::uint32_t version;
  std::memcpy(&version, file + kVersionAt, sizeof version);
  if (version != kVersion) throw ArchiveError(versions(version));
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

void Archive::section(const char* name) {
  section_ = name;
  FTLAB_CHECK(section_.size() < 256, "a section's name of " + std::to_string(section_.size()) + " characters");
  if (loading_) return expect_section(section_);
  const auto length = static_cast<std::uint8_t>(section_.size());
  write(&kSectionMark, sizeof kSectionMark);
  write(&length, sizeof length);
  write(section_.data(), section_.size());
}

void Archive::expect_section(const std::string& name) {
  const std::size_t start = at_;
  std::uint32_t mark = 0;
  std::uint8_t length = 0;
  if (end_ == at_) refuse("the file ends before it.");
  if (end_ - at_ >= sizeof mark) value(mark);
  if (mark != kSectionMark) {
    refuse("it should begin at byte " + std::to_string(start) + ", where the file holds something else.");
  }
  value(length);
  const std::string found(next(length), length);
  if (found != name) refuse("the file holds section " + quoted(found) + " in its place.");
}

void Archive::text(std::string& text, std::uint64_t most) {
  if (loading_) {
    const std::uint64_t length = read_length(most, 1);
    text.assign(next(length), length);
  } else {
    write_length(text.size(), most);
    write(text.data(), text.size());
  }
}

std::string Archive::finish() {
  FTLAB_CHECK(!loading_ && to_ != To::nowhere, "an archive that only loads or measures cannot be finished");
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
  bytes_.append(reinterpret_cast<const char*>(&sum), sizeof sum);  // grow() has left room
  return std::move(bytes_);
}

void Archive::end() {
  FTLAB_CHECK(loading_, "only an archive that loads has an end");
  if (at_ != end_) refuse("after it " + std::to_string(end_ - at_) + " bytes are left over.");
}

void Archive::grow(std::size_t size) {
  bytes_.reserve(std::max(2 * bytes_.capacity(), bytes_.size() + size + kChecksumBytes));
}

const char* Archive::next(std::uint64_t size) {
  if (size > end_ - at_) {
    refuse("the file ends within it (" + std::to_string(size) + " bytes are needed, " + std::to_string(end_ - at_) +
           " are left).");
  }
  const char* bytes = data() + at_;
  at_ += size;
  return bytes;
}

void Archive::write_length(std::uint64_t length, std::uint64_t most) {
  FTLAB_CHECK(length <= most, section_ + ": " + std::to_string(length) + " elements, at most " + std::to_string(most));
  write(&length, sizeof length);
}

std::uint64_t Archive::read_length(std::uint64_t most, std::size_t element_bytes) {
  const std::uint64_t length = word_at(next(sizeof length));
  if (length > most) {
    refuse("a list has " + std::to_string(length) + " entries where at most " + std::to_string(most) + " can be.");
  }
  if (length > (end_ - at_) / element_bytes) {
    refuse("a list has " + std::to_string(length) + " entries, more than the file holds.");
  }
  return length;
}

void Archive::expect_length(std::uint64_t length) {
  const std::uint64_t found = word_at(next(sizeof found));
  if (found == length) return;
  refuse("a column has " + std::to_string(found) + " entries where this drive has " + std::to_string(length) +
         "; the state was saved with another configuration.");
}

void Archive::require_bools(const char* bytes, std::uint64_t count) const {
  for (std::uint64_t i = 0; i < count; ++i) {
    if (static_cast<unsigned char>(bytes[i]) > 1) refuse("a value that is yes or no is neither.");
  }
}

void Archive::note_moments(const Nanoseconds* moments, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    if (moments[i] == kNever) continue;
    if (moments[i] > kLatest) refuse("a moment or a duration is longer than a century.");
    latest_ = std::max(latest_, moments[i]);
  }
}

void Archive::refuse(const std::string& problem) const {
  const std::string place = section_.empty() ? "before the first section: " : "section " + quoted(section_) + ": ";
  throw ArchiveError("the state does not fit: " + place + problem);
}

}  // namespace ftlab
