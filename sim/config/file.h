// Reading a whole input file. The only place of the library's configuration that touches a file system.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace ftlab {

// No configuration, job file or procedure is anywhere near as large; whatever is, is the wrong file.
inline constexpr std::uint64_t kConfigLimitBytes = 16 * 1024 * 1024;

// As a path: what is read is the standard input.
inline constexpr char kStandardInput[] = "-";

// The content of `path`. Pipes are read to their end; one to which nobody writes is refused after two seconds. Throws
// ConfigError when there is no such file, when it is a directory or a link in a circle, cannot be read, or is larger than
// `limit_bytes` (no more than that is read).
std::string read_text_file(const std::string& path, std::uint64_t limit_bytes = kConfigLimitBytes);

// The same of a file that another input names: regular ones only, for a pipe or a terminal could be waited for for ever.
std::string read_regular_file(const std::string& path);

// Reads the document `path` by read_text_file and all others, which it extends, by read_regular_file: for load_document().
std::function<std::string(const std::string&)> files_of_document(const std::string& path);

}  // namespace ftlab
