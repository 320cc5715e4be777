// Reads a file piece by piece, plain or compressed by gzip or zstd. Memory does not depend on the length of the file.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace ftlab {

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

}  // namespace ftlab
