// Every job file of validation/checks/bad_inputs must be refused with exactly the line that stands beside it, as `ftlab
// check` says it when it runs at the top of the project: the messages are part of what we promise.
#include <algorithm>
#include <filesystem>
#include <map>

#include "sim/config/file.h"
#include "sim/workload/testing/jobs.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

constexpr std::uint64_t kCapacity = 64'023'257'088;  // the drive that the files are written for
const std::filesystem::path kTop = FTLAB_SOURCE_DIR;
const std::filesystem::path kFolder = "validation/checks/bad_inputs/job";

// As a process would that stands at the top of the project.
std::string read_at_top(const std::string& name) {
  try {
    return read_text_file((kTop / name).string());
  } catch (const ConfigError& error) {
    const std::string text = error.what();  // names the whole path
    throw ConfigError({}, {}, text.substr(kTop.string().size() + 1));
  }
}

std::string message_for(const std::string& file) {
  JobContext context;
  context.capacity_bytes = kCapacity;
  context.environment = [](const std::string&) -> const char* { return nullptr; };
  context.folder = (kTop / kFolder).string();
  context.include = [](const std::string& name) { return read_at_top((kFolder / name).string()); };
  try {
    parse_job_file(read_at_top(file), file, context);
  } catch (const ConfigError& error) {
    std::string text = error.what();  // logs are read by their whole path
    const std::size_t top = text.find(kTop.string());
    return top == text.npos ? text : text.erase(top, kTop.string().size() + 1);
  }
  return "accepted";
}

std::vector<std::string> bad_jobs() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(kTop / kFolder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("job-") && name.ends_with(".fio")) files.push_back((kFolder / name).generic_string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string expected_for(const std::string& file) {
  const std::filesystem::path path = (kTop / file).replace_extension(".expect");
  return std::filesystem::exists(path) ? read_text_file(path.string()) : "(no .expect file)\n";
}

}  // namespace

TEST_CASE("malformed job files are refused with the expected line", "[workload][bad]") {
  const std::vector<std::string> files = bad_jobs();
  CHECK(files.size() >= 40);
  for (const std::string& file : files) {
    INFO(file);
    CHECK(message_for(file) + "\n" == expected_for(file));
  }
}

TEST_CASE("every malformed job file shows another fault", "[workload][bad]") {
  std::map<std::string, std::string> files;  // by message without the place
  for (const std::string& file : bad_jobs()) {
    std::string message = message_for(file);
    for (std::size_t at = message.find(file); at != message.npos; at = message.find(file)) message.erase(at, file.size());
    const auto [other, is_new] = files.emplace(message, file);
    INFO(file << " and " << other->second << message);
    CHECK((is_new || message.find("no section") != message.npos));  // empty, and comments only
  }
}
