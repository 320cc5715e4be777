// Reads the lines of a file of any length, plain or compressed, in two buffers of limited size.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/traces/formats/byte_stream.h"

namespace ftlab {

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
