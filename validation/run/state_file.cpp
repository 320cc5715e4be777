#include "validation/run/state_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sys/mman.h>
#include <unistd.h>

#include "ftl/drive/config/table_bytes.h"
#include "ftl/drive/lifecycle.h"
#include "sim/config/echo.h"
#include "sim/config/file.h"
#include "sim/core/archive.h"
#include "sim/core/error.h"
#include "validation/results/result_folder.h"

namespace ftlab {

namespace fs = std::filesystem;

// MAP_POPULATE reads the whole file: one call costs less than a page fault for every few pages.
MappedFile::MappedFile(const std::string& path) {
  const auto refuse = [&path](const std::string& problem) { throw ConfigError({path, 0}, "", problem); };
  refuse_missing(path);
  std::error_code error;
  if (!fs::is_regular_file(path, error)) refuse("is not a regular file");
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) refuse(std::string("cannot be read: ") + std::strerror(errno));
  size_ = fs::file_size(path, error);
  if (size_ > 0) memory_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
  const int reason = errno;
  ::close(file);
  if (memory_ == MAP_FAILED) refuse(std::string("cannot be read: ") + std::strerror(reason));
}

MappedFile::~MappedFile() {
  if (memory_ != nullptr) ::munmap(memory_, size_);
}

namespace {

constexpr std::string_view kBeginning = "ftlab state";
constexpr std::size_t kLengthAt = 16;    // offset of the payload length in an archive
constexpr std::size_t kFrameBytes = 32;  // archive bytes around the payload

[[noreturn]] void refuse_state(const std::string& path, const std::string& problem) {
  throw ConfigError({path, 0}, "", problem);
}

[[noreturn]] void refuse_to_write(const std::string& path, const std::string& problem) {
  throw ConfigError({path, 0}, "--save", problem);
}

void archive_label(Archive& archive, std::string& document, StateLabel& label) {
  archive.section("label");
  archive.text(document, kConfigLimitBytes);
  archive.value(label.seed);
  archive.value(label.lived);
  archive.value(label.counters);
  archive.section("drive follows");
}

StateLabel read_label(std::string_view bytes, const std::string& path) {
  StateLabel label;
  std::string document;
  Archive archive = Archive::viewing(bytes);
  archive_label(archive, document, label);
  archive.end();
  label.document = parse_document(document, path);
  return label;
}

std::string label_of(Drive& drive, const Node& document) {
  StateLabel label;
  label.seed = drive.seed();
  label.lived = drive.latest();
  label.counters = drive.counters();
  std::string text = to_json(document).dump(2);
  Archive archive = Archive::saving(text.size() + 1024);
  archive_label(archive, text, label);
  return archive.finish();
}

// Reports archive errors under `path`. Lines of the embedded document mean nothing to the user.
template <class Action>
auto naming(const std::string& path, Action action) {
  try {
    return action();
  } catch (const ArchiveError& error) {
    refuse_state(path, error.what());
  }
}

// A file stores a drive's columns uncompressed, so it cannot claim more memory than its size. Unsaved data, the factors of
// single blocks, is less than half as large as saved data.
void refuse_beyond_file(const DriveConfig& config, std::size_t bytes) {
  const std::uint64_t needed = table_bytes(config);
  if (needed / 2 > bytes)
    throw ArchiveError("the state does not fit: a drive like this takes " + std::to_string(needed) +
                       " bytes, of which the file can hold only " + std::to_string(bytes) + ".");
}

}  // namespace

std::string_view cut_off_archive(std::string_view& bytes) {
  std::uint64_t payload = 0;
  if (bytes.size() >= kLengthAt + sizeof payload) std::memcpy(&payload, bytes.data() + kLengthAt, sizeof payload);
  const std::size_t length =
      payload > bytes.size() ? bytes.size() : std::min<std::size_t>(bytes.size(), payload + kFrameBytes);
  const std::string_view archive = bytes.substr(0, length);
  bytes.remove_prefix(length);
  return archive;
}

bool is_state_file(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return false;
  std::ifstream in(path, std::ios::binary);
  std::string beginning(kBeginning.size(), '\0');
  return in.read(beginning.data(), static_cast<std::streamsize>(beginning.size())) && beginning == kBeginning;
}

SavedState read_state(const std::string& path) {
  const auto file = std::make_shared<const MappedFile>(path);
  SavedState state = state_in(file->bytes(), path);
  state.file = file;
  return state;
}

SavedState state_in(std::string_view bytes, const std::string& path) {
  return naming(path, [&path, &bytes] {
    SavedState state{read_label(cut_off_archive(bytes), path), nullptr, {}};
    if (bytes.empty()) throw ArchiveError("the state is cut short: the drive is missing behind its label.");
    state.drive = bytes;
    return state;
  });
}

StateLabel check_state(const std::string& path) {
  SavedState state = read_state(path);
  restore_drive(state, path, Clock::untimed);
  return std::move(state.label);
}

std::unique_ptr<Drive> restore_drive(const SavedState& state, const std::string& path, Clock clock, const Node* design,
                                     const UserPolicies& own) {
  return naming(path, [&] {
    const UserPolicies none, &first = design == nullptr ? own : none;
    const DriveConfig saved = read_drive(state.label.document);
    refuse_beyond_file(saved, state.drive.size());
    auto drive = std::make_unique<Drive>(first.overridden_by(saved), clock, state.label.seed);
    drive->load(state.drive);
    if (design == nullptr) return drive;
    const DriveConfig config = own.overridden_by(read_drive(*design));
    const std::string problem = redesign_problem(*drive, config);
    if (!problem.empty()) refuse_state(path, "this drive cannot continue as \"" + config.name + "\": " + problem);
    try {
      Lifecycle(*drive).redesign(config);
    } catch (const std::runtime_error& error) {
      refuse_state(path, "this drive cannot continue as \"" + config.name + "\": " + error.what());
    }
    return drive;
  });
}

std::string state_of(Drive& drive, const Node& document) { return label_of(drive, document) + drive.save(); }

StateFile::StateFile(const std::string& path, const std::string& place) : target_(place.empty() ? path : place) {
  std::error_code error;
  if (fs::exists(fs::symlink_status(path, error)) && !is_state_file(path))
    refuse_to_write(path, "exists and is not a saved drive state");
  partial_ = partial_name(target_);
  const int file = ::open(partial_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) refuse_to_write(path, std::string("cannot be written: ") + std::strerror(errno));
  ::close(file);
}

StateFile::~StateFile() { ::unlink(partial_.c_str()); }

void StateFile::save(Drive& drive, const Node& document) {
  OutputFile file(partial_, O_CREAT | O_TRUNC, target_);
  file.write(label_of(drive, document));
  drive.save([&file](std::string_view piece) { file.write(piece); });
  file.close();
  if (::rename(partial_.c_str(), target_.c_str()) != 0) fail_output(target_, "create");
}

}  // namespace ftlab
