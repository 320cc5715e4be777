// For tests: block devices made of files, if this machine allows them.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

#include "sim/testing/commands.h"
#include "sim/testing/files.h"
#include "validation/measure/target/facts.h"
#include "validation/measure/target/facts_sources.h"

namespace ftlab::testing {

// A loop device over its own file or over `backing`; detached at the end. `why_not()`: why it could not be made.
class TestLoop {
 public:
  explicit TestLoop(const std::string& options = "", const std::string& backing = "") {
    if (::geteuid() != 0) {
      why_not_ = "loop devices need root";
      return;
    }
    backing_ = backing.empty() ? folder_ / "backing" : backing;
    if (backing.empty()) std::filesystem::resize_file(folder_.write("backing", ""), std::uint64_t{64} << 20);
    auto path = output_of(kTools + "losetup --find --show " + options + " " + backing_ + " 2>&1");
    if (!path || path->empty() || path->back() != '\n') {
      why_not_ = "losetup does not work here";
      return;
    }
    path->pop_back();
    path_ = *path;
  }
  ~TestLoop() {
    if (!path_.empty()) succeeds(kTools + "losetup --detach " + path_);
  }
  TestLoop(const TestLoop&) = delete;
  TestLoop& operator=(const TestLoop&) = delete;

  static inline const std::string kTools = "PATH=$PATH:/sbin:/usr/sbin ";

  const std::string& why_not() const { return why_not_; }
  const std::string& path() const { return path_; }
  const std::string& backing() const { return backing_; }
  std::string folder() const { return folder_.path().string(); }
  bool run(const std::string& command) const { return succeeds(kTools + command); }

 private:
  TestFolder folder_;
  std::string path_, backing_, why_not_;
};

// Runs a command at the end of the scope, to undo another.
class Afterwards {
 public:
  explicit Afterwards(std::string command) : command_(TestLoop::kTools + std::move(command)) {}
  ~Afterwards() { succeeds(command_); }
  Afterwards(const Afterwards&) = delete;
  Afterwards& operator=(const Afterwards&) = delete;

 private:
  std::string command_;
};

// The real system, without the processes whose open files are hidden from us. In some virtual machines process 1 is hidden
// even from root; then the guard rightly permits no block device.
class TestProcesses {
 public:
  TestProcesses() {
    namespace fs = std::filesystem;
    const auto proc = folder_.path();
    fs::create_symlink("/proc/swaps", proc / "swaps");
    fs::create_symlink("/proc/self", proc / "self");
    const auto numbers = process_numbers("/proc").value();
    for (const auto number : numbers) {
      const auto name = std::to_string(number);
      if (!hidden(name)) {
        fs::create_symlink("/proc/" + name, proc / name);
      } else if (name == "1") {  // its mounts are visible to everyone
        fs::create_directories(proc / "1" / "fd");
        fs::create_symlink("/proc/1/mountinfo", proc / "1" / "mountinfo");
        fs::create_directories(proc / "1" / "task");
        fs::create_symlink("..", proc / "1" / "task" / "1");
      }
    }
  }
  SystemView view() const { return {"/sys", folder_.path(), "/dev"}; }

 private:
  static bool hidden(const std::string& name) {
    std::error_code error;
    for (const auto& file : sysfs_names("/proc/" + name + "/fd").value_or(std::vector<std::string>{"?"})) {
      const auto target = std::filesystem::read_symlink("/proc/" + name + "/fd/" + file, error);
      if (error == std::errc::permission_denied) return true;
    }
    return false;
  }

  TestFolder folder_;
};

// Ends the test case with a warning if this machine has no usable loop devices.
#define FTLAB_NEED_LOOP(loop)              \
  if (!(loop).why_not().empty()) {         \
    WARN("skipped: " << (loop).why_not()); \
    return;                                \
  }

}  // namespace ftlab::testing
