#include "sim/traces/formats/line_reader.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>
#include <zlib.h>
#include <zstd.h>

#include "sim/config/file.h"
#include "sim/core/check.h"
#include "sim/core/error.h"

namespace ftlab {
namespace {

constexpr std::size_t kCompressedBytes = std::size_t{1} << 17;

constexpr int kLargestWindowLog = 27;  // zstd window: 128 MiB of memory, the default limit of the zstd program

// Traces compress 10 to 30 times. A file that unpacks to far more was made to exhaust its reader.
constexpr std::uint64_t kMostUnpacked = 1000;                       // times the compressed bytes read so far
constexpr std::uint64_t kUnpackedUnseen = std::uint64_t{64} << 20;  // bytes; smaller output is not checked

[[noreturn]] void refuse(const std::string& path, const std::string& problem) { throw ConfigError({path, 0}, "", problem); }

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

class PlainFile : public ByteStream {
 public:
  explicit PlainFile(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "rb")) {
    if (!file_) refuse(path, "cannot be opened for reading");
  }

  std::size_t read(std::span<char> out) override {
    const std::size_t got = std::fread(out.data(), 1, out.size(), file_.get());
    if (got == 0 && std::ferror(file_.get()) != 0) refuse(path_, "cannot be read to its end");
    return got;
  }

 private:
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
};

class BytesInMemory : public ByteStream {
 public:
  explicit BytesInMemory(std::string_view bytes) : left_(bytes) {}

  std::size_t read(std::span<char> out) override {
    const std::size_t count = std::min(out.size(), left_.size());
    if (count > 0) std::memcpy(out.data(), left_.data(), count);
    left_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view left_;
};

// Common part of both compressed formats: holds the piece of the file being decompressed.
class Compressed : public ByteStream {
 public:
  Compressed(const std::string& path, std::unique_ptr<ByteStream> stored)
      : path_(path), stored_(std::move(stored)), piece_(kCompressedBytes) {}

 protected:
  // True if input is left. Reads the next piece of the file once the last one is used up.
  bool has_input() {
    if (first_ < end_) return true;
    first_ = 0;
    end_ = stored_->read(piece_);
    return end_ > 0;
  }
  std::span<char> input() { return std::span(piece_).subspan(first_, end_ - first_); }
  void consume(std::size_t count) {
    first_ += count;
    packed_bytes_ += count;
  }
  // Counts decompressed bytes; refuses a file that expands beyond kMostUnpacked.
  void unpacked(std::size_t count) {
    unpacked_bytes_ += count;
    if (unpacked_bytes_ > kUnpackedUnseen && unpacked_bytes_ / kMostUnpacked > packed_bytes_)
      refuse(path_, "unpacks to more than " + std::to_string(kMostUnpacked) +
                        " times its size, which is not plausible for a trace");
  }
  [[noreturn]] void refuse_damaged(const char* kind) const {
    refuse(path_, std::string("holds damaged ") + kind + " data, or something else behind them");
  }
  [[noreturn]] void refuse_cut(const char* kind) const {
    refuse(path_, std::string("ends in the middle of its ") + kind + " data");
  }

 private:
  std::string path_;
  std::unique_ptr<ByteStream> stored_;
  std::vector<char> piece_;
  std::size_t first_ = 0;
  std::size_t end_ = 0;
  std::uint64_t packed_bytes_ = 0;
  std::uint64_t unpacked_bytes_ = 0;
};

// Concatenated gzip members, as gzip itself reads them.
class GzipFile : public Compressed {
 public:
  GzipFile(const std::string& path, std::unique_ptr<ByteStream> stored) : Compressed(path, std::move(stored)) {
    constexpr int kGzipOnly = 16;  // added to windowBits: zlib accepts gzip only
    FTLAB_CHECK(inflateInit2(&state_, MAX_WBITS + kGzipOnly) == Z_OK, "zlib has no memory");
  }
  ~GzipFile() override { inflateEnd(&state_); }
  GzipFile(const GzipFile&) = delete;
  GzipFile& operator=(const GzipFile&) = delete;

  std::size_t read(std::span<char> out) override {
    state_.next_out = reinterpret_cast<Bytef*>(out.data());
    state_.avail_out = static_cast<uInt>(out.size());
    while (state_.avail_out == out.size() && (has_input() || held_back_)) inflate_some();
    if (state_.avail_out == out.size() && inside_) refuse_cut("gzip");
    unpacked(out.size() - state_.avail_out);
    return out.size() - state_.avail_out;
  }

 private:
  void inflate_some() {
    if (!inside_ && inflateReset(&state_) != Z_OK) refuse_damaged("gzip");
    inside_ = true;
    state_.next_in = reinterpret_cast<Bytef*>(input().data());
    state_.avail_in = static_cast<uInt>(input().size());
    const std::size_t offered = input().size();
    const int status = inflate(&state_, Z_NO_FLUSH);
    consume(offered - state_.avail_in);
    held_back_ = status == Z_OK && state_.avail_out == 0;
    if (status == Z_STREAM_END) inside_ = false;
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) refuse_damaged("gzip");
  }

  z_stream state_{};
  bool inside_ = false;     // within a member
  bool held_back_ = false;  // the last output was full, so there may be more without further input
};

class ZstdFile : public Compressed {
 public:
  ZstdFile(const std::string& path, std::unique_ptr<ByteStream> stored)
      : Compressed(path, std::move(stored)), state_(ZSTD_createDStream()) {
    FTLAB_CHECK(state_ != nullptr, "libzstd has no memory");
    ZSTD_DCtx_setParameter(state_, ZSTD_d_windowLogMax, kLargestWindowLog);
  }
  ~ZstdFile() override { ZSTD_freeDStream(state_); }
  ZstdFile(const ZstdFile&) = delete;
  ZstdFile& operator=(const ZstdFile&) = delete;

  // The decompressor may hold output back until the next input, or until called without input at the end.
  std::size_t read(std::span<char> out) override {
    ZSTD_outBuffer target{out.data(), out.size(), 0};
    while (target.pos == 0) {
      const bool more = has_input();
      ZSTD_inBuffer source{input().data(), more ? input().size() : 0, 0};
      if (!more && wanted_ == 0) break;
      const std::size_t status = ZSTD_decompressStream(state_, &target, &source);
      if (ZSTD_isError(status) != 0) refuse_damaged("zstd");
      consume(source.pos);
      wanted_ = status;
      if (!more && target.pos == 0) refuse_cut("zstd");
    }
    unpacked(target.pos);
    return target.pos;
  }

 private:
  ZSTD_DStream* state_;
  std::size_t wanted_ = 0;  // 0 if a frame is complete
};

using Magic = std::array<char, 4>;

Magic magic_of(ByteStream& stored) {
  Magic magic{};
  stored.read(magic);
  return magic;
}

Magic magic_of(const std::string& path) {
  PlainFile file(path);
  return magic_of(file);
}

bool is_gzip(const Magic& magic) { return magic[0] == '\x1f' && magic[1] == '\x8b'; }
bool is_zstd(const Magic& magic) { return magic == Magic{'\x28', '\xb5', '\x2f', '\xfd'}; }

std::unique_ptr<ByteStream> unpacked(const Magic& magic, const std::string& path, std::unique_ptr<ByteStream> stored) {
  if (is_gzip(magic)) return std::make_unique<GzipFile>(path, std::move(stored));
  if (is_zstd(magic)) return std::make_unique<ZstdFile>(path, std::move(stored));
  return stored;
}

}  // namespace

std::unique_ptr<ByteStream> open_bytes(const std::string& path) {
  refuse_missing(path);
  std::error_code unused;
  const auto type = std::filesystem::status(path, unused).type();
  if (type == std::filesystem::file_type::directory) refuse(path, "is a directory, not a file");
  if (type != std::filesystem::file_type::regular)
    refuse(path, "is not a regular file; a trace is read twice, so it cannot come from a pipe");
  return unpacked(magic_of(path), path, std::make_unique<PlainFile>(path));
}

std::unique_ptr<ByteStream> open_bytes(std::string_view bytes, const std::string& name) {
  BytesInMemory beginning(bytes);
  return unpacked(magic_of(beginning), name, std::make_unique<BytesInMemory>(bytes));
}

bool is_compressed(const std::string& path) {
  std::error_code unused;
  if (!std::filesystem::is_regular_file(path, unused)) return false;
  try {
    const Magic magic = magic_of(path);
    return is_gzip(magic) || is_zstd(magic);
  } catch (const ConfigError&) {
    return false;
  }
}

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
  if (line.size() > kLongestLine)
    throw ConfigError({path_, number_}, "", "the line is longer than " + std::to_string(kLongestLine) + " bytes");
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
