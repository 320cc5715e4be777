// Reads the lines of a file of any length, plain or compressed, in two buffers of limited size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ftlab {

// Reads a file piece by piece, plain or compressed by gzip or zstd. Memory does not depend on the length of the file.
class ByteStream {
 public:
  virtual ~ByteStream() = default;

  // Fills `out` from its beginning. Returns the number of bytes, 0 only at the end. Throws ConfigError if the file cannot be
  // read, or compressed data are damaged or truncated.
  virtual std::size_t read(std::span<char> out) = 0;
};

// Opens `path`. The first bytes, not the name, decide the compression. Throws ConfigError if the file does not exist or is
// not a regular file (a trace is read twice, so a pipe does not work).
std::unique_ptr<ByteStream> open_bytes(const std::string& path);

// Like open_bytes(path), for bytes in memory; messages call them `name`. REQUIRES: the bytes outlive the stream.
std::unique_ptr<ByteStream> open_bytes(std::string_view bytes, const std::string& name);

// True if a file begins like gzip's or zstd's. False if it cannot be read.
bool is_compressed(const std::string& path);

// Records of traces are far shorter; a file with a longer line is not a trace.
inline constexpr std::size_t kLongestLine = std::size_t{1} << 16;

class LineReader {
 public:
  // Throws ConfigError like open_bytes().
  explicit LineReader(const std::string& path);
  // Reads lines from `bytes`; messages call them `name`.
  LineReader(const std::string& name, std::unique_ptr<ByteStream> bytes);

  // Returns the next line without its end (LF or CR LF), valid until the next call; false at the end of the file. The last
  // line needs no end; a byte order mark before the first is skipped. Throws ConfigError on a read error and for a line that
  // is too long.
  bool next(std::string_view& line);

  std::uint64_t number() const { return number_; }  // last line returned; counts from 1

 private:
  bool refill();

  std::string path_;
  std::unique_ptr<ByteStream> bytes_;
  std::vector<char> buffer_;
  std::size_t first_ = 0;  // the unread part is [first_, end_)
  std::size_t end_ = 0;
  std::uint64_t number_ = 0;
  bool at_end_ = false;
};

}  // namespace ftlab
