#include "validation/results/machine_memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "ftl/drive/config/table_bytes.h"
#include "sim/core/error.h"
#include "sim/stats/fio/decimal.h"

namespace ftlab {
namespace {

// Allowance for stacks, code and buffers besides the tables.
constexpr std::uint64_t kOtherAddressBytes = std::uint64_t{64} << 20;
const char kLimit[] = "the limit of this process (ulimit -v) leaves";

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

// Free memory of the cgroup that a container sees as its root.
std::optional<std::uint64_t> left_of_group() {
  const auto most = number_in("/sys/fs/cgroup/memory.max");
  const auto used = number_in("/sys/fs/cgroup/memory.current");
  if (!most || !used) return std::nullopt;
  return *most - std::min(*most, *used);
}

std::optional<std::uint64_t> address_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return limit.rlim_cur;
}

std::uint64_t address_bytes_in_use() {
  const std::optional<std::uint64_t> pages = number_in("/proc/self/statm");
  return pages ? *pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

void refuse(const DriveConfig& config, bool versions, const std::string& where, std::uint64_t drives,
            std::uint64_t free_bytes, const std::string& source) {
  const std::string problem = memory_problem(config, versions, drives, free_bytes, source);
  if (!problem.empty())
    throw ConfigError({where, 0}, "geometry", problem, {}, memory_remedy(config, versions, drives, free_bytes));
}

}  // namespace

std::optional<std::uint64_t> free_address_bytes() {
  const auto limit = address_limit();
  if (!limit) return std::nullopt;
  return *limit - std::min(*limit, address_bytes_in_use() + kOtherAddressBytes);
}

std::optional<std::uint64_t> free_memory_bytes() {
  const auto all = available_to_all(), group = left_of_group();
  if (!all || !group) return all ? all : group;
  return std::min(*all, *group);
}

std::string memory_problem(const DriveConfig& config, bool versions, std::uint64_t drives, std::uint64_t free_bytes,
                           const std::string& source) {
  const std::uint64_t one = table_bytes(config, versions);
  if (one <= free_bytes / std::max<std::uint64_t>(drives, 1)) return {};
  std::string sum;
  for (const TableSize& table : table_sizes(config, versions))
    sum += (sum.empty() ? "" : " + ") + std::string(table.table) + " " + megabytes(table.bytes);
  const std::string times = drives > 1 ? std::to_string(drives) + " of them at once, " : "";
  return "takes " + megabytes(one) + " of memory, " + times + "more than the " + megabytes(free_bytes) + " that " + source +
         " (" + sum + ")";
}

std::string memory_needs(const DriveConfig& config, bool versions, std::uint64_t more) {
  const std::uint64_t bytes = table_bytes(config, versions) + more, pages = config.logical_pages();
  const bool large = bytes >= kMuchMemoryBytes, many = pages >= 1'000'000;
  return "needs about " + (large ? decimal(bytes, 1'000'000'000, 1) + " GB" : megabytes(bytes)) + " of memory for a map of " +
         (many ? decimal(pages, 1'000'000, 1) + " M" : std::to_string(pages)) + " pages of " +
         decimal(config.ftl.mapping_bytes, 1024, config.ftl.mapping_bytes % 1024 == 0 ? 0 : 1) + " KiB";
}

std::string memory_remedy(const DriveConfig& config, bool versions, std::uint64_t drives, std::uint64_t free_bytes) {
  const std::uint64_t needed = table_bytes(config, versions) * std::max<std::uint64_t>(drives, 1);
  std::uint64_t divisor = 2;
  while (divisor < 1024 && needed / divisor > free_bytes) divisor *= 2;
  return "a scaled drive of the same speed (geometry.pages_per_block, nand.erase_ns and user_sectors divided by " +
         std::to_string(divisor) + "), a larger ftl.mapping.page_bytes than " + std::to_string(config.ftl.mapping_bytes) +
         ", or a smaller capacity";
}

void refuse_beyond_memory(const DriveConfig& config, bool versions, const std::string& where, std::uint64_t drives) {
  if (const auto free = free_memory_bytes()) refuse(config, versions, where, drives, *free, "this machine has left");
}

void refuse_beyond_addresses(const DriveConfig& config, const std::string& where, std::uint64_t drives) {
  if (const auto free = free_address_bytes()) refuse(config, true, where, drives, *free, kLimit);
}

void refuse_beyond_memory(std::uint64_t bytes, const std::string& where, const std::string& remedy) {
  const auto check = [&](const std::optional<std::uint64_t>& free, const std::string& source) {
    if (free && bytes > *free)
      throw ConfigError({where, 0}, "",
                        "takes " + megabytes(bytes) + " of memory, more than the " + megabytes(*free) + " that " + source,
                        {}, remedy);
  };
  check(free_memory_bytes(), "this machine has left");
  check(free_address_bytes(), kLimit);
}

std::string out_of_memory() {
  const auto limit = address_limit();
  return "out of memory with " + megabytes(address_bytes_in_use()) + " of addresses in use" +
         (limit ? " of the " + megabytes(*limit) + " that ulimit -v allows" : std::string()) +
         "; a scaled drive, a larger ftl.mapping.page_bytes or a smaller capacity takes less";
}

}  // namespace ftlab
