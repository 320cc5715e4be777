#include "sim/workload/region.h"

#include <algorithm>

namespace ftlab {

namespace {

__extension__ using Wide = unsigned __int128;

std::uint64_t percent_of(std::uint64_t whole, std::uint64_t percent) {
  return static_cast<std::uint64_t>(static_cast<Wide>(whole) * percent / 100);
}

std::uint64_t rounded_down(std::uint64_t bytes, std::uint64_t step) { return bytes - bytes % step; }
std::uint64_t rounded_up(std::uint64_t bytes, std::uint64_t step) { return rounded_down(bytes + step - 1, step); }

std::string bytes_text(std::uint64_t bytes) { return std::to_string(bytes) + " bytes"; }

PerDirection<bool> used_directions(const Pattern& pattern) { return {pattern.reads, pattern.writes, pattern.trims}; }

// Resolves one region; `where` is "drive" or "file" in messages.
class Resolver {
 public:
  Resolver(const Settings& settings, const Section& section, const char* where, std::uint64_t file_bytes)
      : settings_(settings), section_(section), where_(where), file_bytes_(file_bytes) {}

  Region resolve() const {
    const std::uint64_t first = offset();
    const std::uint64_t end = settings_.file_bytes ? file_bytes_ : first + size(first);
    check_block(end - first);
    const std::uint64_t bounded = std::min(size_amount(end - first), end - first);
    const std::uint64_t amount = settings_.io_size ? io_amount(bounded) : bounded;
    return {0, file_bytes_, first, end, amount, settings_.io_size.has_value()};
  }

 private:
  Setting line(const char* option) const { return line_of(settings_, section_, option); }

  std::string limit() const { return std::string("the ") + where_ + " has " + bytes_text(file_bytes_); }

  void check_sector(const char* option, std::uint64_t bytes) const {
    if (bytes % kSectorBytes == 0) return;
    const Setting written = line(option);
    const char* hint = has_kib_suffix(written.value) ? "; fio counts kib in thousands, write k" : "";
    refuse(written, bytes_text(bytes) + " is not a multiple of 512" + hint);
  }

  std::uint64_t smallest_block() const {
    return *std::min_element(settings_.block_bytes.begin(), settings_.block_bytes.end());
  }

  std::uint64_t offset() const {
    const Amount written = settings_.offset;
    const std::uint64_t bytes = written.percent ? rounded_up(percent_of(file_bytes_, written.number), smallest_block())
                                                : written.number;
    check_sector("offset", bytes);
    if (bytes >= file_bytes_)
      refuse(line("offset"), "begins beyond the end; " + limit(), "0 to " + std::to_string(file_bytes_ - kSectorBytes));
    return bytes;
  }

  // Bytes of the region when no filesize bounds it.
  std::uint64_t size(std::uint64_t first) const {
    const std::uint64_t room = file_bytes_ - first;
    if (!settings_.size) return room;
    const std::uint64_t bytes = settings_.size->number;
    if (settings_.size->percent) {
      const std::uint64_t part = rounded_down(percent_of(file_bytes_, bytes), smallest_block());
      if (part == 0) refuse(line("size"), "less than one block; " + limit());
      return std::min(part, room);
    }
    check_sector("size", bytes);
    if (bytes > room)
      refuse(line("size"), "reaches beyond the end; " + limit() + ", the offset is " + std::to_string(first),
             "up to " + std::to_string(room));
    return bytes;
  }

  std::uint64_t size_amount(std::uint64_t region) const {
    if (!settings_.size) return region;
    return settings_.size->percent ? percent_of(file_bytes_, settings_.size->number) : settings_.size->number;
  }

  std::uint64_t io_amount(std::uint64_t bounded) const {
    const Amount written = *settings_.io_size;
    return written.percent ? std::max(percent_of(bounded, written.number), std::uint64_t{1}) : written.number;
  }

  void check_block(std::uint64_t region) const {
    const std::uint64_t block = largest_block(settings_);
    if (block > region)
      refuse(line("bs"), "the block of " + bytes_text(block) + " is larger than the region", "up to " + bytes_text(region));
  }

  const Settings& settings_;
  const Section& section_;
  const char* where_;
  std::uint64_t file_bytes_;
};

void check_file_bytes(const Settings& settings, const Section& section, std::uint64_t capacity_bytes) {
  const std::uint64_t bytes = *settings.file_bytes;
  const Setting written = line_of(settings, section, "filesize");
  if (bytes % kSectorBytes != 0) refuse(written, bytes_text(bytes) + " is not a multiple of 512");
  if (bytes > capacity_bytes)
    refuse(written, "larger than the drive, which has " + bytes_text(capacity_bytes), "up to " + std::to_string(capacity_bytes));
}

// What fio would create: filesize, or room for `size` behind `offset`.
std::uint64_t own_file_bytes(const Settings& settings, const Section& section, std::uint64_t capacity_bytes) {
  if (settings.file_bytes) return *settings.file_bytes;
  const Setting size = line_of(settings, section, "size");
  if (!settings.size) refuse(size, "a job without filename needs a size (or a filesize) for its own file");
  if (settings.size->percent) refuse(size, "percent of what? A job without filename has a file of its own");
  if (settings.offset.percent)
    refuse(line_of(settings, section, "offset"), "percent of what? A job without filename has a file of its own");
  const std::uint64_t bytes = settings.offset.number + settings.size->number;  // both below 2^63
  if (bytes > capacity_bytes)
    refuse(size, "the job's own file needs offset + size = " + bytes_text(bytes) + ", the drive has " +
                     bytes_text(capacity_bytes));
  return rounded_up(bytes, kSectorBytes);
}

}  // namespace

Setting line_of(const Settings& settings, const Section& section, const char* option) {
  const auto found = settings.written.find(option);
  if (found != settings.written.end()) return found->second;
  return {option, {}, false, false, section.place};
}

std::uint64_t largest_block(const Settings& settings) {
  const PerDirection<bool> used = used_directions(settings.pattern);
  std::uint64_t largest = 0;
  for (std::size_t d = 0; d < kDirectionCount; ++d)
    if (used[d]) largest = std::max(largest, settings.block_bytes[d]);
  return largest;
}

Region region_on_drive(const Settings& settings, const Section& section, std::uint64_t capacity_bytes) {
  if (settings.file_bytes) check_file_bytes(settings, section, capacity_bytes);
  return Resolver(settings, section, settings.file_bytes ? "file" : "drive",
                  settings.file_bytes.value_or(rounded_down(capacity_bytes, kSectorBytes)))
      .resolve();
}

Region region_in_own_file(const Settings& settings, const Section& section, std::uint64_t capacity_bytes) {
  if (settings.file_bytes) check_file_bytes(settings, section, capacity_bytes);
  return Resolver(settings, section, "file", own_file_bytes(settings, section, capacity_bytes)).resolve();
}

}  // namespace ftlab
