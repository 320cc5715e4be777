#include "sim/workload/options/region.h"

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

std::uint64_t largest_least_block(const Settings& settings);

PerDirection<bool> used_directions(const Pattern& pattern) { return {pattern.reads, pattern.writes, pattern.trims}; }

// Computes one region; `where` is "drive" or "file" in messages.
class Resolver {
 public:
  Resolver(const Settings& settings, const Section& section, const char* where, std::uint64_t file_bytes, std::size_t clone)
      : settings_(settings), section_(section), where_(where), file_bytes_(file_bytes), clone_(clone) {}

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
    check_whole_sectors(line(option), bytes, settings_.kilo);
  }

  std::uint64_t smallest_block() const {
    return *std::min_element(settings_.block_bytes.begin(), settings_.block_bytes.end());
  }

  // As in fio, only a percentage is aligned.
  std::uint64_t aligned_percent(Amount written) const {
    const std::uint64_t step = settings_.offset_align != 0 ? settings_.offset_align : smallest_block();
    return written.percent ? rounded_up(percent_of(file_bytes_, written.number), step) : written.number;
  }

  const char* offset_option() const {
    return clone_ > 0 && settings_.offset_increment.number > 0 ? "offset_increment" : "offset";
  }

  std::uint64_t offset() const {
    const Wide far =
        aligned_percent(settings_.offset) + static_cast<Wide>(aligned_percent(settings_.offset_increment)) * clone_;
    const std::uint64_t bytes = static_cast<std::uint64_t>(std::min<Wide>(far, ~std::uint64_t{0} - kSectorBytes + 1));
    check_sector(offset_option(), bytes);
    if (bytes >= file_bytes_)
      refuse(line(offset_option()),
             (clone_ > 0 ? "clone " + std::to_string(clone_ + 1) + " " : "") + "begins beyond the end; " + limit(),
             "0 to " + std::to_string(file_bytes_ - kSectorBytes));
    return bytes;
  }

  // Size of the region if no filesize bounds it.
  std::uint64_t size(std::uint64_t first) const {
    const std::uint64_t room = file_bytes_ - first;
    if (!settings_.size || settings_.fill_device) return room;
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
    if (!settings_.size || settings_.fill_device) return region;
    return settings_.size->percent ? percent_of(file_bytes_, settings_.size->number) : settings_.size->number;
  }

  std::uint64_t io_amount(std::uint64_t bounded) const {
    const Amount written = *settings_.io_size;
    return written.percent ? std::max(percent_of(bounded, written.number), std::uint64_t{1}) : written.number;
  }

  void check_block(std::uint64_t region) const {
    const std::uint64_t block = largest_least_block(settings_);
    if (block > region)
      refuse(line(size_option(settings_)), "the block of " + bytes_text(block) + " is larger than the region",
             "up to " + bytes_text(region));
  }

  const Settings& settings_;
  const Section& section_;
  const char* where_;
  std::uint64_t file_bytes_;
  std::size_t clone_;
};

void check_file_bytes(const Settings& settings, const Section& section, std::uint64_t capacity_bytes) {
  const std::uint64_t bytes = std::max(*settings.file_bytes, settings.most_file_bytes);
  const Setting written = line_of(settings, section, "filesize");
  check_whole_sectors(written, bytes, settings.kilo);
  if (bytes > capacity_bytes)
    refuse(written, "larger than the drive, which has " + bytes_text(capacity_bytes),
           "up to " + std::to_string(capacity_bytes));
}

// Size of the file that fio would create: filesize, or room for `size` after `offset`.
std::uint64_t own_file_bytes(const Settings& settings, const Section& section, std::uint64_t capacity_bytes) {
  if (settings.file_bytes) return *settings.file_bytes;
  const Setting size = line_of(settings, section, "size");
  if (!settings.size)
    refuse(size, "a job without filename needs a size (or a filesize) for its own file",
           "size=SIZE, or filename=NAME (any name) for the whole drive; --set-job sets either");
  if (settings.size->percent) refuse(size, "percent of what? A job without filename has a file of its own");
  for (const char* option : {"offset", "offset_increment"})
    if ((option[6] == 0 ? settings.offset : settings.offset_increment).percent)
      refuse(line_of(settings, section, option), "percent of what? A job without filename has a file of its own");
  const Wide last = static_cast<Wide>(settings.offset_increment.number) * (settings.clones - 1);
  const std::uint64_t bytes =
      static_cast<std::uint64_t>(std::min<Wide>(last + settings.offset.number + settings.size->number, Wide{1} << 63));
  if (bytes > capacity_bytes)
    refuse(size, "the job's own file needs offset + size = " + bytes_text(bytes) + ", the drive has " +
                     bytes_text(capacity_bytes));
  return rounded_up(bytes, kSectorBytes);
}

}  // namespace

void count_zones_in_bytes(Settings& settings, const Section& section, std::uint64_t zone_bytes) {
  if (settings.zones.bytes != 0) zone_bytes = settings.zones.bytes;
  const auto convert = [&](Amount& amount, const char* option) {
    if (!amount.zones) return;
    if (zone_bytes == 0)
      refuse(line_of(settings, section, option), "zones of what size? The drive has none",
             "with zonesize, or on a zoned drive");
    if (amount.number > ~std::uint64_t{0} / 2 / zone_bytes) refuse(line_of(settings, section, option), "too many zones");
    amount = {amount.number * zone_bytes};
  };
  if (settings.size) convert(*settings.size, "size");
  if (settings.io_size) convert(*settings.io_size, "io_size");
  convert(settings.offset, "offset");
  convert(settings.offset_increment, "offset_increment");
}

Setting line_of(const Settings& settings, const Section& section, const char* option) {
  const auto found = settings.written.find(option);
  if (found != settings.written.end()) return found->second;
  return {option, {}, false, false, section.place};
}

namespace {

std::uint64_t largest_used(const Settings& settings, std::uint64_t BlockSizes::*size) {
  const PerDirection<bool> used = used_directions(settings.pattern);
  std::uint64_t largest = 0;
  for (std::size_t d = 0; d < kDirectionCount; ++d)
    if (used[d]) largest = std::max(largest, settings.sizes[d].*size);
  return largest;
}

std::uint64_t largest_least_block(const Settings& settings) { return largest_used(settings, &BlockSizes::least); }

Region sole_region_in_own_file(const Settings& settings, const Section& section, std::uint64_t capacity_bytes,
                               std::size_t clone) {
  return Resolver(settings, section, "file", own_file_bytes(settings, section, capacity_bytes), clone).resolve();
}

// Settings of one of `count` files: an equal share of `size` each.
Settings for_each_file(const Settings& settings, const Section& section, std::uint64_t count) {
  Settings each = settings;
  if (settings.file_bytes) return each.size.reset(), each;
  if (!settings.size || settings.size->percent)
    refuse(line_of(settings, section, "size"), "several files need a size in bytes that they share, or a filesize");
  each.size->number = rounded_down(settings.size->number / count, kSectorBytes);
  if (each.size->number == 0)
    refuse(line_of(settings, section, "size"), "nothing is left for each of " + std::to_string(count) + " files");
  return each;
}

}  // namespace

const char* size_option(const Settings& settings) {
  return settings.written.count("bssplit") != 0 ? "bssplit" : settings.written.count("bsrange") != 0 ? "bsrange" : "bs";
}

std::uint64_t largest_block(const Settings& settings) { return largest_used(settings, &BlockSizes::most); }

Region region_on_drive(const Settings& settings, const Section& section, std::uint64_t capacity_bytes, std::size_t clone) {
  if (settings.file_bytes) check_file_bytes(settings, section, capacity_bytes);
  return Resolver(settings, section, settings.file_bytes ? "file" : "drive",
                  settings.file_bytes.value_or(rounded_down(capacity_bytes, kSectorBytes)), clone)
      .resolve();
}

Region region_in_own_file(const Settings& settings, const Section& section, std::uint64_t capacity_bytes,
                          std::size_t clone) {
  if (settings.file_bytes) check_file_bytes(settings, section, capacity_bytes);
  return sole_region_in_own_file(settings, section, capacity_bytes, clone);
}

std::vector<Region> regions_in_files(const Settings& settings, const Section& section, std::uint64_t capacity_bytes,
                                     std::size_t clone, std::uint64_t seed) {
  const std::uint64_t count = settings.filenames.empty() ? settings.file_count : settings.filenames.size();
  if (settings.file_bytes) check_file_bytes(settings, section, capacity_bytes);
  RandomStream random(seed, "file sizes");
  std::vector<Region> regions;
  for (std::uint64_t i = 0; i < count; ++i) {
    Settings each = for_each_file(settings, section, count);
    each.io_size.reset();
    draw_file_size(each, random);
    regions.push_back(sole_region_in_own_file(each, section, capacity_bytes, clone));
  }
  return regions;
}

void draw_file_size(Settings& settings, RandomStream& random) {
  if (settings.most_file_bytes == 0) return;
  const std::uint64_t least = *settings.file_bytes;
  const std::uint64_t block = *std::min_element(settings.block_bytes.begin(), settings.block_bytes.end());
  const std::uint64_t drawn = least + random.below(settings.most_file_bytes - least + 1);
  settings.file_bytes = std::max(rounded_down(drawn, block), std::min(block, least));
}

}  // namespace ftlab
