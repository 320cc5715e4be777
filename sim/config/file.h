// Reads whole input files. The only part of the library's configuration that accesses a file system.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace ftlab {

// No configuration, job file or procedure is anywhere near as large; a larger file is the wrong file.
inline constexpr std::uint64_t kConfigLimitBytes = 16 * 1024 * 1024;

// The path that means the standard input.
inline constexpr char kStandardInput[] = "-";

// Throws ConfigError, with the nearest name beside it and what is `allowed`, if there is neither file nor folder `path`.
void refuse_missing(const std::string& path, const char* allowed = "");

// The content of `path`. Pipes are read to their end; a pipe without a writer is refused after two seconds. Throws
// ConfigError if the file does not exist, is a directory or a circular link, cannot be read, or is larger than `limit_bytes`
// (no more than that is read).
std::string read_text_file(const std::string& path, std::uint64_t limit_bytes = kConfigLimitBytes);

// Like read_text_file(), for files named by another input. Regular files only: a pipe or terminal could block forever.
std::string read_regular_file(const std::string& path);

// For load_document(): reads the document `path` by read_text_file() and those that it extends by read_regular_file().
std::function<std::string(const std::string&)> files_of_document(const std::string& path);

}  // namespace ftlab
