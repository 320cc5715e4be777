#include "models/hdd/disk_config.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ftlab {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

LostRevolutions read_lost(Reader reader) {
  constexpr std::uint64_t kMost = 900'000;  // beyond this, most of the time would be spent waiting
  LostRevolutions lost;
  lost.read_per_million = static_cast<std::uint32_t>(reader.sourced("read_per_million", 0, kMost).value);
  lost.write_per_million = static_cast<std::uint32_t>(reader.sourced("write_per_million", 0, kMost).value);
  reader.finish();
  return lost;
}

ErrorRecovery read_recovery(Reader reader) {
  constexpr std::uint64_t kMost = 100'000, kMostRevolutions = 1000;
  const auto number = [&reader](const char* key, std::uint64_t low, std::uint64_t high) {
    return static_cast<std::uint32_t>(reader.sourced(key, low, high).value);
  };
  ErrorRecovery recovery;
  recovery.read_per_million = number("read_per_million", 0, kMost);
  recovery.read_revolutions = number("read_revolutions", 1, kMostRevolutions);
  recovery.write_per_million = number("write_per_million", 0, kMost);
  recovery.write_revolutions = number("write_revolutions", 1, kMostRevolutions);
  reader.finish();
  return recovery;
}

DiskControllerConfig read_controller(Reader reader) {
  DiskControllerConfig controller;
  controller.read_command = Nanoseconds{reader.sourced("read_command_ns", 0, kSecond).value};
  controller.write_command = Nanoseconds{reader.sourced("write_command_ns", 0, kSecond).value};
  reader.finish();
  return controller;
}

DiskQueueConfig read_queue(Reader reader) {
  DiskQueueConfig queue;
  queue.depth = static_cast<std::uint32_t>(reader.sourced("depth", 1, 32).value);
  queue.order = static_cast<DiskQueueConfig::Order>(reader.choice("order", {"fifo", "satf"}));
  const bool satf = queue.order == DiskQueueConfig::Order::satf;  // fifo ignores the keys below
  if (satf || reader.has("most_age_ns"))
    queue.most_age = Nanoseconds{reader.sourced("most_age_ns", 1'000'000, 1000 * kSecond).value};
  if (reader.has("arrival_margin_ns"))
    queue.arrival_margin = Nanoseconds{reader.sourced("arrival_margin_ns", 0, 60'000'000).value};
  reader.finish();
  return queue;
}

ReadCacheConfig read_read_cache(Reader reader) {
  ReadCacheConfig cache;
  cache.segments = static_cast<std::uint32_t>(reader.sourced("segments", 1, 1024).value);
  cache.segment_sectors = reader.sourced("segment_sectors", 1, 10'000'000).value;
  cache.read_ahead_sectors = reader.sourced("read_ahead_sectors", 0, 10'000'000).value;
  if (cache.read_ahead_sectors > cache.segment_sectors) {
    reader.refuse("read_ahead_sectors", "is " + std::to_string(cache.read_ahead_sectors) + ", more than a segment holds",
                  "at most segment_sectors, " + std::to_string(cache.segment_sectors));
  }
  reader.finish();
  return cache;
}

WriteCacheConfig read_write_cache(Reader reader) {
  WriteCacheConfig cache;
  cache.bytes = reader.sourced("bytes", kSectorBytes, std::uint64_t{1} << 32).value;
  cache.candidates = static_cast<std::uint32_t>(reader.sourced("candidates", 1, 256).value);
  cache.idle_after = Nanoseconds{reader.sourced("idle_after_ns", 0, 1000 * kSecond).value};
  reader.finish();
  return cache;
}

void put_behind(const Reader& reader, const HostConfig& host, DiskConfig& disk) {
  const std::string problem = port_problem(disk.link, host.port);
  if (!problem.empty()) reader.refuse("host.port.kind", problem, "a port that the disk fits into");
  disk.link = behind_port(disk.link, host.port);
  if (host.port.queue_depth > 0) disk.queue.depth = std::min(disk.queue.depth, host.port.queue_depth);
  disk.host = host.software;
}

LinkConfig read_disk_link(Reader& reader) {
  const LinkConfig link = read_link(reader.object("link"));
  if (link.full_duplex || link.queue_depth > 0) {
    reader.refuse("link", "must be SATA for a disk; the object queue gives its queue",
                  "kind sata-1.5, sata-3, sata-6 with read_command_ns and write_command_ns");
  }
  return link;
}

}  // namespace

bool is_disk(const Node& document) {
  if (document.kind != Node::Kind::object || document.find("kind") == nullptr) return false;
  Reader reader(document);
  return reader.choice("kind", {"ssd", "hdd"}) == 1;
}

DiskConfig read_disk(const Node& document) {
  Problems problems;
  Reader reader(document, {}, &problems);
  DiskConfig disk;
  reader.choice("kind", {"hdd"});
  disk.name = reader.text("name");
  reader.text_or("about", "");
  read_part(reader, {"geometry", "spindle"}, [&] {
    Reader spindle = reader.object("spindle");
    disk.platters = read_platters(std::move(spindle), reader.object("geometry"));
  });
  read_part(reader, {"seek", "geometry", "spindle"}, [&] {
    Reader seek = reader.object("seek");
    if (has_no_problem(reader, {"geometry", "spindle"})) disk.seek = read_seek(std::move(seek), disk.platters.cylinders());
  });
  read_part(reader, {"lost_revolutions"}, [&] {
    if (auto lost = reader.object_if_present("lost_revolutions")) disk.lost = read_lost(std::move(*lost));
  });
  read_part(reader, {"error_recovery"}, [&] {
    if (auto recovery = reader.object_if_present("error_recovery")) disk.recovery = read_recovery(std::move(*recovery));
  });
  read_part(reader, {"controller"}, [&] { disk.controller = read_controller(reader.object("controller")); });
  read_part(reader, {"link"}, [&] { disk.link = read_disk_link(reader); });
  read_part(reader, {"queue"}, [&] { disk.queue = read_queue(reader.object("queue")); });
  read_part(reader, {"read_cache"}, [&] {
    if (auto cache = reader.object_if_present("read_cache")) disk.read_cache = read_read_cache(std::move(*cache));
  });
  read_part(reader, {"write_cache"}, [&] {
    if (auto cache = reader.object_if_present("write_cache")) disk.write_cache = read_write_cache(std::move(*cache));
  });
  const Sector sectors = reader.sourced("user_sectors", 1, std::uint64_t{1} << 40).value;
  read_part(reader, {"user_sectors", "geometry", "spindle"}, [&] {
    if (sectors <= disk.platters.sectors()) return;
    reader.refuse("user_sectors", "is " + std::to_string(sectors) + ", more than the platters hold",
                  "at most " + std::to_string(disk.platters.sectors()));
  });
  disk.user_bytes = sectors * kSectorBytes;
  read_part(reader, {"host", "link", "queue"}, [&] {
    auto object = reader.object_if_present("host");
    if (!object) return;
    const HostConfig host = read_host(std::move(*object));
    if (has_no_problem(reader, {"host", "link"})) put_behind(reader, host, disk);
  });
  reader.finish();
  problems.refuse_if_any();
  return disk;
}

}  // namespace ftlab
