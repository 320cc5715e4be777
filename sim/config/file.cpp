#include "sim/config/file.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <vector>

#include "sim/core/error.h"

namespace ftlab {

namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& problem) { throw ConfigError({path, 0}, "", problem); }

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using OpenFile = std::unique_ptr<std::FILE, Close>;

constexpr int kPatienceMs = 2000;

// A read from a pipe without a writer would block forever. The pipe is opened without blocking; if no data arrives within
// two seconds, it is read only if another process has it open for writing.
OpenFile open_pipe(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  OpenFile file(descriptor < 0 ? nullptr : ::fdopen(descriptor, "rb"));
  if (!file) refuse(path, "cannot be opened for reading");
  pollfd waiting{descriptor, POLLIN, 0};
  if (::poll(&waiting, 1, kPatienceMs) == 0) {
    char none = 0;
    if (::read(descriptor, &none, 0) == 0 && ::read(descriptor, &none, 1) == 0)
      refuse(path, "is a pipe without a writer; - reads the standard input");
  }
  ::fcntl(descriptor, F_SETFL, 0);
  return file;
}

OpenFile open(const std::string& path) {
  if (path == kStandardInput) {
    OpenFile input(::fdopen(::dup(STDIN_FILENO), "rb"));
    if (!input) refuse(path, "is closed");
    return input;
  }
  std::error_code failure;
  const auto status = std::filesystem::status(path, failure);
  if (failure == std::errc::too_many_symbolic_link_levels) refuse(path, "is a link that leads back to itself");
  if (status.type() == std::filesystem::file_type::fifo) return open_pipe(path);
  refuse_missing(path);
  if (status.type() == std::filesystem::file_type::directory) refuse(path, "is a directory, not a file");
  OpenFile file(std::fopen(path.c_str(), "rb"));
  if (!file) refuse(path, "cannot be opened for reading");
  return file;
}

}  // namespace

void refuse_missing(const std::string& path, const char* allowed) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::status(path, error).type() != fs::file_type::not_found) return;
  const fs::path folder = fs::path(path).parent_path();
  std::vector<std::string> names;
  for (fs::directory_iterator at(folder.empty() ? "." : folder, error), end; !error && at != end; at.increment(error))
    names.push_back(at->path().filename().string());
  std::sort(names.begin(), names.end());
  const std::string name = nearest_name(fs::path(path).filename().string(), names);
  throw ConfigError({path, 0}, "", "does not exist", {}, allowed, name.empty() ? name : (folder / name).string());
}

std::string read_text_file(const std::string& path, std::uint64_t limit_bytes) {
  const OpenFile file = open(path);
  std::error_code no_regular_file;
  const std::uint64_t size = path == kStandardInput ? 0 : std::filesystem::file_size(path, no_regular_file);
  const std::string too_large = "is larger than " + std::to_string(limit_bytes) + " bytes";
  if (!no_regular_file && size > limit_bytes) refuse(path, too_large);
  std::string text;
  std::array<char, 16384> piece;
  while (const std::size_t got = std::fread(piece.data(), 1, piece.size(), file.get())) {
    text.append(piece.data(), got);
    if (text.size() > limit_bytes) refuse(path, too_large);
  }
  if (std::ferror(file.get()) != 0) refuse(path, "cannot be read to its end");
  return text;
}

std::string read_regular_file(const std::string& path) {
  std::error_code unused;
  const auto type = std::filesystem::status(path, unused).type();
  const bool other = type == std::filesystem::file_type::fifo || type == std::filesystem::file_type::character ||
                     type == std::filesystem::file_type::block || type == std::filesystem::file_type::socket;
  if (other) refuse(path, "is not a regular file; files named by an input must be regular");
  return read_text_file(path);
}

std::function<std::string(const std::string&)> files_of_document(const std::string& path) {
  return [path](const std::string& name) { return name == path ? read_text_file(name) : read_regular_file(name); };
}

}  // namespace ftlab
