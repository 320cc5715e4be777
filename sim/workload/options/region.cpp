// The part of the drive that a job accesses, and how much it moves. fio's rules: `size` bounds the region and the amount;
// with `filesize` the region is [offset, filesize) and `size` bounds only the amount; `io_size` bounds only the amount.
#include <algorithm>

#include "sim/core/random.h"
#include "sim/workload/options/resolve.h"

namespace ftlab {
namespace {

__extension__ using Wide = unsigned __int128;

std::uint64_t percent_of(std::uint64_t whole, std::uint64_t percent) {
  return static_cast<std::uint64_t>(static_cast<Wide>(whole) * percent / 100);
}

std::uint64_t rounded_down(std::uint64_t bytes, std::uint64_t step) { return bytes - bytes % step; }
std::uint64_t rounded_up(std::uint64_t bytes, std::uint64_t step) { return rounded_down(bytes + step - 1, step); }

std::string bytes_text(std::uint64_t bytes) { return std::to_string(bytes) + " bytes"; }

std::uint64_t smallest_block(const Draft& s) { return *std::min_element(s.block_bytes.begin(), s.block_bytes.end()); }

std::uint64_t largest_used(const Draft& s, std::uint64_t BlockSizes::*size) {
  const PerDirection<bool> used = {s.pattern.reads, s.pattern.writes, s.pattern.trims};
  std::uint64_t largest = 0;
  for (std::size_t d = 0; d < kDirectionCount; ++d)
    if (used[d]) largest = std::max(largest, s.sizes[d].*size);
  return largest;
}

std::string limit(const Draft& s) {
  const bool on_drive = s.filenames.size() == 1 && !s.file_bytes;
  return std::string(on_drive ? "the drive has " : "the file has ") + bytes_text(s.file_end_bytes);
}

// As in fio, only a percentage is aligned.
std::uint64_t aligned_percent(const Draft& s, Amount written) {
  const std::uint64_t step = s.offset_align != 0 ? s.offset_align : smallest_block(s);
  return written.percent ? rounded_up(percent_of(s.file_end_bytes, written.number), step) : written.number;
}

std::uint64_t offset_in_file(const Draft& s) {
  const Wide far = aligned_percent(s, s.offset) + static_cast<Wide>(aligned_percent(s, s.offset_increment)) * s.clone;
  const std::uint64_t bytes = static_cast<std::uint64_t>(std::min<Wide>(far, ~std::uint64_t{0} - kSectorBytes + 1));
  const char* option = s.clone > 0 && s.offset_increment.number > 0 ? "offset_increment" : "offset";
  check_whole_sectors(s.line_of(option), bytes, s.kilo);
  if (bytes >= s.file_end_bytes)
    s.refuse(option,
             (s.clone > 0 ? "clone " + std::to_string(s.clone + 1) + " " : "") + "begins beyond the end; " + limit(s),
             "0 to " + std::to_string(s.file_end_bytes - kSectorBytes));
  return bytes;
}

// Size of the region if no filesize bounds it.
std::uint64_t size_after(const Draft& s, std::uint64_t first) {
  const std::uint64_t room = s.file_end_bytes - first;
  if (!s.size || s.fill_device) return room;
  const std::uint64_t bytes = s.size->number;
  if (s.size->percent) {
    const std::uint64_t part = rounded_down(percent_of(s.file_end_bytes, bytes), smallest_block(s));
    if (part == 0) s.refuse("size", "less than one block; " + limit(s));
    return std::min(part, room);
  }
  check_whole_sectors(s.line_of("size"), bytes, s.kilo);
  if (bytes > room)
    s.refuse("size", "reaches beyond the end; " + limit(s) + ", the offset is " + std::to_string(first),
             "up to " + std::to_string(room));
  return bytes;
}

std::uint64_t amount_in(const Draft& s, std::uint64_t region) {
  std::uint64_t amount = region;
  if (s.size && !s.fill_device)
    amount = std::min(s.size->percent ? percent_of(s.file_end_bytes, s.size->number) : s.size->number, region);
  if (!s.io_size) return amount;
  return s.io_size->percent ? std::max(percent_of(amount, s.io_size->number), std::uint64_t{1}) : s.io_size->number;
}

void set_region_in_file(Draft& s, std::uint64_t file_bytes) {
  s.file_first_bytes = 0;
  s.file_end_bytes = file_bytes;
  s.region_first_bytes = offset_in_file(s);
  s.region_end_bytes = s.file_bytes ? file_bytes : s.region_first_bytes + size_after(s, s.region_first_bytes);
  const std::uint64_t block = largest_used(s, &BlockSizes::least);
  if (block > region_bytes(s))
    s.refuse(size_option(s), "the block of " + bytes_text(block) + " is larger than the region",
             "up to " + bytes_text(region_bytes(s)));
  s.amount_bytes = amount_in(s, region_bytes(s));
  s.amount_given = s.io_size.has_value();
}

void check_file_bytes(const Draft& s, std::uint64_t capacity_bytes) {
  if (!s.file_bytes) return;
  const std::uint64_t bytes = std::max(*s.file_bytes, s.most_file_bytes);
  check_whole_sectors(s.line_of("filesize"), bytes, s.kilo);
  if (bytes > capacity_bytes)
    s.refuse("filesize", "larger than the drive, which has " + bytes_text(capacity_bytes),
             "up to " + std::to_string(capacity_bytes));
}

// Size of the file that fio would create: filesize, or room for `size` after `offset`.
std::uint64_t own_file_bytes(const Draft& s, std::uint64_t capacity_bytes) {
  if (s.file_bytes) return *s.file_bytes;
  if (!s.size)
    s.refuse("size", "a job without filename needs a size (or a filesize) for its own file",
             "size=SIZE, or filename=NAME (any name) for the whole drive; --set-job sets either");
  for (const auto& [option, amount] :
       {std::pair("size", *s.size), std::pair("offset", s.offset), std::pair("offset_increment", s.offset_increment)})
    if (amount.percent) s.refuse(option, "percent of what? A job without filename has a file of its own");
  const Wide last = static_cast<Wide>(s.offset_increment.number) * (s.clones - 1);
  const std::uint64_t bytes =
      static_cast<std::uint64_t>(std::min<Wide>(last + s.offset.number + s.size->number, Wide{1} << 63));
  if (bytes > capacity_bytes)
    s.refuse("size", "the job's own file needs offset + size = " + bytes_text(bytes) + ", the drive has " +
                         bytes_text(capacity_bytes));
  return rounded_up(bytes, kSectorBytes);
}

// The draft of one of `count` files: an equal share of `size` each.
Draft for_each_file(const Draft& s, std::uint64_t count) {
  Draft each = s;
  each.io_size.reset();
  if (s.file_bytes) return each.size.reset(), each;
  if (!s.size || s.size->percent) s.refuse("size", "several files need a size in bytes that they share, or a filesize");
  each.size->number = rounded_down(s.size->number / count, kSectorBytes);
  if (each.size->number == 0) s.refuse("size", "nothing is left for each of " + std::to_string(count) + " files");
  return each;
}

}  // namespace

void count_zones_in_bytes(Draft& s, std::uint64_t zone_bytes) {
  s.zone_bytes = zone_bytes = s.zones.bytes != 0 ? s.zones.bytes : zone_bytes;
  const auto convert = [&](Amount& amount, const char* option) {
    if (!amount.zones) return;
    if (zone_bytes == 0) s.refuse(option, "zones of what size? The drive has none", "with zonesize, or on a zoned drive");
    if (amount.number > ~std::uint64_t{0} / 2 / zone_bytes) s.refuse(option, "too many zones");
    amount = {amount.number * zone_bytes};
  };
  if (s.size) convert(*s.size, "size");
  if (s.io_size) convert(*s.io_size, "io_size");
  convert(s.offset, "offset");
  convert(s.offset_increment, "offset_increment");
}

void shrink_sizes(Draft& s, std::uint64_t divisor) {
  if (divisor <= 1) return;
  const std::uint64_t block = std::max<std::uint64_t>(largest_block(s), 1);
  const auto shrink = [&](std::uint64_t& bytes) {
    if (bytes != 0) bytes = std::max(bytes / divisor / block * block, block);
  };
  for (std::optional<Amount>* amount : {&s.size, &s.io_size})
    if (*amount && !(*amount)->percent) shrink((*amount)->number);
  for (Amount* amount : {&s.offset, &s.offset_increment})
    if (!amount->percent) shrink(amount->number);
  if (s.file_bytes) shrink(*s.file_bytes);
  for (std::uint64_t* bytes :
       {&s.most_file_bytes, &s.zones.bytes, &s.zones.range_bytes, &s.zones.skip_bytes, &s.zbd.capacity_bytes})
    shrink(*bytes);
  if (s.spread.kind != Spread::Kind::zoned_abs) return;
  for (auto& zones : s.spread.zones)
    for (Spread::Zone& zone : zones) shrink(zone.size);
}

const char* size_option(const Draft& s) { return s.is_set("bssplit") ? "bssplit" : s.is_set("bsrange") ? "bsrange" : "bs"; }

std::uint64_t largest_block(const Draft& s) { return largest_used(s, &BlockSizes::most); }

void draw_file_size(Draft& s, RandomStream& random) {
  if (s.most_file_bytes == 0) return;
  const std::uint64_t least = *s.file_bytes, block = smallest_block(s);
  const std::uint64_t drawn = least + random.below(s.most_file_bytes - least + 1);
  s.file_bytes = std::max(rounded_down(drawn, block), std::min(block, least));
}

void set_region(Draft& s, std::uint64_t capacity_bytes) {
  check_file_bytes(s, capacity_bytes);
  if (s.filenames.empty())
    set_region_in_file(s, own_file_bytes(s, capacity_bytes));
  else
    set_region_in_file(s, s.file_bytes.value_or(rounded_down(capacity_bytes, kSectorBytes)));
}

std::vector<FileRegion> regions_of_files(const Draft& s, std::uint64_t capacity_bytes, std::uint64_t seed) {
  const std::uint64_t count = s.filenames.empty() ? s.file_count : s.filenames.size();
  check_file_bytes(s, capacity_bytes);
  const Draft file = for_each_file(s, count);
  RandomStream random(seed, "file sizes");
  std::vector<FileRegion> regions;
  for (std::uint64_t i = 0; i < count; ++i) {
    Draft each = file;
    draw_file_size(each, random);
    set_region_in_file(each, own_file_bytes(each, capacity_bytes));
    regions.push_back({each.file_first_bytes, each.file_end_bytes, each.region_first_bytes, each.region_end_bytes});
  }
  return regions;
}

}  // namespace ftlab
