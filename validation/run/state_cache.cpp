#include "validation/run/state_cache.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sim/config/echo.h"
#include "sim/config/file.h"
#include "sim/config/unit_value.h"
#include "sim/core/archive.h"
#include "sim/core/error.h"
#include "sim/core/signature.h"
#include "validation/results/result_folder.h"
#include "validation/run/state_file.h"

namespace ftlab {

// A hash over all sources of the simulator, made by sim/core/build_id.cmake: 16 hexadecimal digits. A state kept by one build is
// not loaded by another, whose simulation may differ.
extern const char* const kBuildId;

namespace fs = std::filesystem;
namespace {

constexpr const char* kEnding = ".state";
constexpr const char* kPartial = ".partial-";
constexpr const char* kReportLibrary = ".js";  // kept by bindings/python/ftlab/report/page.py
constexpr double kLeastSeconds = 1;
constexpr double kBytesReadPerSecond = 400e6;  // a state is read and checked
constexpr std::chrono::hours kAbandoned{1};    // a file that is still being written is younger

struct Heading {
  std::string key, note;
};

void archive_heading(Archive& archive, Heading& heading) {
  archive.section("cached state");
  archive.text(heading.key, kConfigLimitBytes);
  archive.text(heading.note, kConfigLimitBytes);
  archive.section("drive follows");
}

// Reads the heading and removes it from `bytes`. Throws ArchiveError.
Heading take_heading(std::string_view& bytes) {
  Heading heading;
  Archive archive = Archive::viewing(cut_off_archive(bytes));
  archive_heading(archive, heading);
  archive.end();
  return heading;
}

std::string heading_of(Heading heading) {
  Archive archive = Archive::saving(heading.key.size() + heading.note.size() + 1024);
  archive_heading(archive, heading);
  return archive.finish();
}

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::uint64_t limit_of(const std::string& text) {
  if (text.empty()) return StateCache::kDefaultLimitBytes;
  const ConfigError::Place place{"FTLAB_CACHE_LIMIT", 0};
  if (text == "0") return 0;
  if (const auto bytes = value_with_unit(place, "limit_bytes", text)) return *bytes;
  if (text.size() < 19 && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }))
    return std::stoull(text);
  throw ConfigError(place, "", "is not a size", text, "bytes, or with a unit, as 20GB; 0 keeps no states");
}

double unused_seconds(const fs::path& path) {
  std::error_code error;
  const fs::file_time_type used = fs::last_write_time(path, error);
  if (error) return 0;
  return std::max(0.0, std::chrono::duration<double>(fs::file_time_type::clock::now() - used).count());
}

CachedState described(const fs::path& path) {
  CachedState state;
  state.path = path.string();
  std::error_code error;
  state.bytes = fs::file_size(path, error);
  if (error) state.bytes = 0;
  state.unused_s = unused_seconds(path);
  try {
    const MappedFile file(state.path);
    std::string_view bytes = file.bytes();
    const nlohmann::json key = nlohmann::json::parse(take_heading(bytes).key);
    state.drive = key.at("name").get<std::string>();
    state.pattern = key.at("pattern").get<std::string>() + ", seed " + std::to_string(key.at("seed").get<std::uint64_t>());
    state.loadable = key.at("build") == kBuildId;
  } catch (const std::exception&) {  // deleted meanwhile, or damaged
    state.drive.clear();
  }
  return state;
}

bool is_partial(const fs::path& path) { return path.filename().string().find(kPartial) != std::string::npos; }

template <class Action>
void for_each_file(const std::string& folder, Action action) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) action(at->path());
}

}  // namespace

StateCache StateCache::of_user() {
  const std::uint64_t limit = limit_of(environment("FTLAB_CACHE_LIMIT"));
  const std::string cache = environment("XDG_CACHE_HOME"), home = environment("HOME");
  // Like the XDG base directory specification, ignores relative paths.
  if (cache.starts_with('/')) return {cache + "/ftlab", limit};
  return home.starts_with('/') ? StateCache(home + "/.cache/ftlab", limit) : StateCache("", limit);
}

std::string StateCache::key(const Drive& drive, const Node& document, const std::string& pattern, std::uint64_t seed) {
  nlohmann::ordered_json key;
  key["build"] = kBuildId;
  key["name"] = drive.config().name;
  key["pattern"] = pattern;
  key["seed"] = seed;
  key["drive_seed"] = drive.seed();
  key["timed"] = drive.info().timed;
  key["drive"] = to_json(document);
  return key.dump();
}

std::string StateCache::path_of(const std::string& key) const {
  Signature signature;
  for (const char c : key) signature.add(static_cast<unsigned char>(c));
  return folder_ + "/" + signature.text() + kEnding;
}

std::optional<std::string> StateCache::load(const std::string& key, Drive& drive) const {
  const std::string path = path_of(key);
  if (!on() || !fs::is_regular_file(path)) return std::nullopt;
  try {
    const MappedFile file(path);
    std::string_view bytes = file.bytes();
    const Heading heading = take_heading(bytes);
    if (heading.key != key) return std::nullopt;  // two keys of one signature
    drive.load(bytes, true);
    std::error_code ignored;
    fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
    return heading.note;
  } catch (const ConfigError&) {
    return std::nullopt;  // deleted meanwhile
  } catch (const ArchiveError&) {
    std::error_code ignored;
    fs::remove(path, ignored);
    throw;
  }
}

bool StateCache::worth_keeping(double seconds, std::uint64_t bytes) const {
  const bool slow = seconds > kLeastSeconds && seconds > static_cast<double>(bytes) / kBytesReadPerSecond;
  return on() && bytes <= limit_bytes_ && (all_ || slow);
}

std::string StateCache::keep(const std::string& key, const std::string& note, Drive& drive) const {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) return folder_ + ": " + error.message();
  const std::string path = path_of(key), partial = path + kPartial + std::to_string(::getpid());
  std::ofstream out(partial, std::ios::binary | std::ios::trunc);
  const std::string heading = heading_of({key, note});
  out.write(heading.data(), static_cast<std::streamsize>(heading.size()));
  drive.save([&out](std::string_view piece) { out.write(piece.data(), static_cast<std::streamsize>(piece.size())); });
  out.close();
  if (out) fs::rename(partial, path, error);
  if (!out || error) {
    fs::remove(partial, error);
    return path + " cannot be written";
  }
  delete_unused();
  return {};
}

void StateCache::delete_unused() const {
  std::uint64_t sum = 0;
  for (const CachedState& state : list()) {
    sum += state.bytes;
    std::error_code ignored;
    if (sum > limit_bytes_) fs::remove(state.path, ignored);
  }
  const double abandoned_s = std::chrono::duration<double>(kAbandoned).count();
  for_each_file(folder_, [abandoned_s](const fs::path& path) {
    std::error_code ignored;
    if (is_partial(path) && unused_seconds(path) > abandoned_s) fs::remove(path, ignored);
  });
}

std::vector<CachedState> StateCache::list() const {
  std::vector<CachedState> states;
  for_each_file(folder_, [&states](const fs::path& path) {
    if (path.extension() == kEnding) states.push_back(described(path));
  });
  std::sort(states.begin(), states.end(), [](const CachedState& a, const CachedState& b) {
    return a.unused_s != b.unused_s ? a.unused_s < b.unused_s : a.path < b.path;
  });
  return states;
}

std::size_t StateCache::clear() const {
  std::size_t deleted = 0;
  for_each_file(folder_, [&deleted](const fs::path& path) {
    const bool state = path.extension() == kEnding;
    if (!state && !is_partial(path) && path.extension() != kReportLibrary) return;
    std::error_code error;
    const bool removed = fs::remove(path, error);
    if (error) throw OutputError("cannot delete " + path.string() + ": " + error.message());
    deleted += removed && state ? 1 : 0;
  });
  return deleted;
}

}  // namespace ftlab
