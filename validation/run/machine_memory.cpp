#include "validation/run/machine_memory.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "ftl/mapping/table_bytes.h"
#include "sim/config/error.h"
#include "sim/stats/fio/decimal.h"

namespace ftlab {
namespace {

std::string megabytes(std::uint64_t bytes) { return decimal(bytes, 1'000'000, 1) + " MB"; }

std::optional<std::uint64_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  if (!(file >> number)) return std::nullopt;  // "max": no limit
  return number;
}

std::optional<std::uint64_t> available_to_all() {
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  for (std::uint64_t kib = 0; file >> name >> kib; std::getline(file, unit)) {
    if (name == "MemAvailable:") return kib * 1024;
  }
  return std::nullopt;
}

// Of the group that a container shows as its root.
std::optional<std::uint64_t> left_of_group() {
  const auto most = number_in("/sys/fs/cgroup/memory.max");
  const auto used = number_in("/sys/fs/cgroup/memory.current");
  if (!most || !used) return std::nullopt;
  return *most - std::min(*most, *used);
}

}  // namespace

std::optional<std::uint64_t> free_memory_bytes() {
  const auto all = available_to_all(), group = left_of_group();
  if (!all || !group) return all ? all : group;
  return std::min(*all, *group);
}

std::string memory_problem(const DriveConfig& config, bool versions, std::uint64_t drives, std::uint64_t free_bytes) {
  const std::uint64_t one = table_bytes(config, versions);
  if (one <= free_bytes / std::max<std::uint64_t>(drives, 1)) return {};
  std::string sum;
  for (const TableSize& table : table_sizes(config, versions))
    sum += (sum.empty() ? "" : " + ") + std::string(table.table) + " " + megabytes(table.bytes);
  const std::string times = drives > 1 ? std::to_string(drives) + " of them at once, " : "";
  return "takes " + megabytes(one) + " of memory, " + times + "more than the " + megabytes(free_bytes) +
         " that this machine has left (" + sum + ")";
}

void refuse_beyond_memory(const DriveConfig& config, bool versions, const std::string& where, std::uint64_t drives) {
  const auto free_bytes = free_memory_bytes();
  if (!free_bytes) return;
  const std::string problem = memory_problem(config, versions, drives, *free_bytes);
  if (!problem.empty())
    throw ConfigError({where, 0}, "geometry", problem, {}, "fewer pages, or a larger ftl.mapping.page_bytes");
}

void refuse_beyond_memory(std::uint64_t bytes, const std::string& where) {
  const auto free_bytes = free_memory_bytes();
  if (free_bytes && bytes > *free_bytes)
    throw ConfigError(
        {where, 0}, "",
        "takes " + megabytes(bytes) + " of memory, more than the " + megabytes(*free_bytes) + " that this machine has left");
}

}  // namespace ftlab
