// Every bad job file of validation/checks/bad_inputs must be refused with exactly the message in its table, as printed by
// `ftlab check`: the messages are part of the interface.
#include <map>
#include <string>

#include "sim/config/file.h"
#include "sim/testing/bad_inputs.h"
#include "sim/workload/testing/jobs.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

constexpr std::uint64_t kCapacity = 64'023'257'088;  // capacity of the drive that the files are written for

class BadJobs {
 public:
  BadJobs() { inputs_.unpack("job", folder_); }

  BadInputs::ByName files() const { return inputs_.of("job/job-", ".fio"); }

  std::string message_for(const std::string& file) const {
    JobContext context;
    context.capacity_bytes = kCapacity;
    context.environment = [](const std::string&) -> const char* { return nullptr; };
    context.folder = folder_ / "job";
    context.include = [this](const std::string& name) { return read("job/" + name); };
    try {
      parse_job_file(read(file), file, context);
    } catch (const ConfigError& error) {
      return without_folder(error.what());  // logs are read by their full path
    }
    return "accepted";
  }

 private:
  std::string without_folder(std::string text) const {
    const std::size_t at = text.find(folder_ / "");
    return at == text.npos ? text : text.erase(at, (folder_ / "").size());
  }
  // Reads like a process whose working directory is this folder.
  std::string read(const std::string& name) const {
    try {
      return read_text_file(folder_ / name);
    } catch (const ConfigError& error) {
      throw ConfigError({}, {}, without_folder(error.what()));
    }
  }

  BadInputs inputs_;
  TestFolder folder_;
};

}  // namespace

TEST_CASE("malformed job files are refused with the expected line", "[workload][bad]") {
  const BadJobs jobs;
  CHECK(jobs.files().size() >= 270);
  for (const auto& [file, input] : jobs.files()) {
    INFO(file);
    CHECK(jobs.message_for(file) + "\n" == input.message);
  }
}

TEST_CASE("every malformed job file has a different fault", "[workload][bad]") {
  std::map<std::string, std::string> files;  // by message, without its place
  const BadJobs jobs;
  for (const auto& [file, input] : jobs.files()) {
    std::string message = jobs.message_for(file);
    for (std::size_t at = message.find(file); at != message.npos; at = message.find(file)) message.erase(at, file.size());
    const auto [other, is_new] = files.emplace(message, file);
    INFO(file << " and " << other->second << message);
    CHECK((is_new || message.find("no section") != message.npos));  // the empty file, and the one with only comments
  }
}
