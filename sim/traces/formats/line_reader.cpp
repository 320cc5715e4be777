#include "sim/traces/formats/line_reader.h"

#include <cstring>

#include "sim/core/error.h"

namespace ftlab {
namespace {

constexpr std::size_t kFirstBytes = std::size_t{1} << 12;  // initial buffer; it doubles as the file turns out longer
constexpr std::size_t kBufferBytes = std::size_t{1} << 18;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
static_assert(kBufferBytes > 2 * kLongestLine, "a line must fit whatever precedes it");

}  // namespace

LineReader::LineReader(const std::string& path) : LineReader(path, open_bytes(path)) {}

LineReader::LineReader(const std::string& name, std::unique_ptr<ByteStream> bytes)
    : path_(name), bytes_(std::move(bytes)), buffer_(kFirstBytes) {}

bool LineReader::next(std::string_view& line) {
  std::size_t searched = first_;
  const char* end = nullptr;
  while ((end = static_cast<const char*>(std::memchr(buffer_.data() + searched, '\n', end_ - searched))) == nullptr) {
    const std::size_t waiting = end_ - first_;
    if (waiting > kLongestLine) break;
    if (!refill()) break;
    searched = first_ + waiting;
  }
  const std::size_t stop = end != nullptr ? static_cast<std::size_t>(end - buffer_.data()) : end_;
  if (end == nullptr && stop == first_) return false;
  ++number_;
  line = std::string_view(buffer_.data() + first_, stop - first_);
  first_ = end != nullptr ? stop + 1 : stop;
  if (line.size() > kLongestLine) {
    throw ConfigError({path_, number_}, "", "the line is longer than " + std::to_string(kLongestLine) + " bytes");
  }
  if (number_ == 1 && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  if (line.ends_with('\r')) line.remove_suffix(1);
  return true;
}

// Moves the unread part to the front and reads more after it.
bool LineReader::refill() {
  if (at_end_) return false;
  std::memmove(buffer_.data(), buffer_.data() + first_, end_ - first_);
  end_ -= first_;
  first_ = 0;
  if (end_ + number_ > 0 && buffer_.size() < kBufferBytes) buffer_.resize(2 * buffer_.size());
  const std::size_t got = bytes_->read(std::span(buffer_).subspan(end_));
  end_ += got;
  at_end_ = got == 0;
  return got > 0;
}

}  // namespace ftlab
