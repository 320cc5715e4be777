// The bytes of a file, piece by piece, whether it is stored plainly or compressed by gzip or zstd. Memory does not depend on
// the length of the file.
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

  // Fills `out` from its beginning; returns how much of it, 0 only at the end. Throws ConfigError when the file cannot be
  // read, when compressed data are damaged, and when they end too early.
  virtual std::size_t read(std::span<char> out) = 0;
};

// Opens `path`. What it is, its first bytes say, whatever its name. Throws ConfigError when there is no such file, or when
// it is a directory or no regular file (a trace is read twice, so a pipe will not do).
std::unique_ptr<ByteStream> open_bytes(const std::string& path);

// The same of bytes that lie in memory; `name` is what messages call them. REQUIRES: they outlive the stream.
std::unique_ptr<ByteStream> open_bytes(std::string_view bytes, const std::string& name);

// Whether a file begins as gzip's or zstd's do. False when it cannot be read.
bool is_compressed(const std::string& path);

}  // namespace ftlab
