// For tests: a file to measure, and the guard's permit for it.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "sim/testing/test.h"
#include "validation/measure/preparation.h"
#include "validation/measure/target/guard.h"
#include "validation/measure/target/identity.h"

namespace ftlab::testing {

// Lies in the folder of the tests. If that has no direct I/O (tmpfs), `possible()` is false and a warning is printed.
class TestTarget {
 public:
  explicit TestTarget(std::uint64_t size_bytes) : path_(fresh_path()) {
    try {
      target_.emplace(OpenTarget::create(path_, size_bytes));
    } catch (const TargetError& error) {
      WARN("no direct I/O here: " << error.what());
      return;
    }
    permit_.emplace(permit(size_bytes));
    const std::string record = path_ + ".json";
    target_->allow_writing(*permit_, keep_on_record(record, "a test"));
    ::unlink(record.c_str());
  }
  ~TestTarget() { ::unlink(path_.c_str()); }

  bool possible() const { return permit_.has_value(); }
  const Permit& permit() const { return *permit_; }
  int descriptor() const { return target_->descriptor(); }
  const std::string& path() const { return path_; }

  std::string bytes(std::uint64_t offset, std::size_t length) const {
    std::ifstream file(path_, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(offset));
    std::string text(length, '\0');
    file.read(text.data(), static_cast<std::streamsize>(length));
    return text;
  }
  void overwrite(std::uint64_t offset, const std::string& text) {
    std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(offset));
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
  }

 private:
  static std::string fresh_path() {
    static int count = 0;
    return (std::filesystem::current_path() / ("target-" + std::to_string(::getpid()) + "-" + std::to_string(++count)))
        .string();
  }

  Permit permit(std::uint64_t size_bytes) {
    DeviceFacts facts;
    facts.path = facts.resolved = path_;
    facts.kind = TargetKind::regular_file;
    facts.identity = identity_of(target_->descriptor());
    facts.size_bytes = size_bytes;
    facts.direct = facts.exclusive = facts.created_here = facts.discard_supported = true;
    facts.read_only = false;
    facts.logical_sector_bytes = facts.direct_offset_bytes = facts.direct_memory_bytes = 512;
    facts.serial = std::filesystem::path(path_).filename().string();
    facts.mounts = facts.swaps = facts.holders = facts.openers = facts.systems = Findings{};
    facts.links = 1;
    facts.file_system = "ext4";
    Intent intent;
    intent.writes = intent.discards = intent.discard_consent = true;
    intent.range = {0, size_bytes};
    intent.unit_bytes = 512;
    intent.memory_alignment_bytes = 4096;
    intent.depth = 64;
    Decision decision = decide(facts, intent);
    if (const auto* refusal = std::get_if<Refusal>(&decision)) FAIL(refusal->text());
    return std::move(std::get<Permit>(decision));
  }

  std::string path_;
  std::optional<OpenTarget> target_;
  std::optional<Permit> permit_;
};

}  // namespace ftlab::testing
