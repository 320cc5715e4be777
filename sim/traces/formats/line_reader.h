// The lines of a file of any length, plain or compressed, in two buffers of limited size.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/traces/formats/byte_stream.h"

namespace ftlab {

// A record of a trace is far shorter; whatever is longer is no trace.
inline constexpr std::size_t kLongestLine = std::size_t{1} << 16;

class LineReader {
 public:
  // Throws ConfigError as open_bytes does.
  explicit LineReader(const std::string& path);
  // The lines of `bytes`; `name` is what messages call them.
  LineReader(const std::string& name, std::unique_ptr<ByteStream> bytes);

  // The next line without its end (\n or \r\n), valid until the next call; false at the end of the file. The last line needs
  // no end; a byte order mark before the first is skipped. Throws ConfigError for what cannot be read and for a line that is
  // too long.
  bool next(std::string_view& line);

  std::uint64_t number() const { return number_; }  // of the line that was returned last, from 1

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
