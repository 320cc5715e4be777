// A whole disk, read from a drive file of `"kind": "hdd"`: platters, arm, caches, queue, link and firmware.
#pragma once

#include <cstdint>
#include <string>

#include "models/hdd/mechanism.h"
#include "models/hdd/read_cache.h"
#include "models/hdd/write_cache.h"
#include "models/link/host_config.h"
#include "sim/config/document.h"

namespace ftlab {

// Firmware time for a command, before the arm can be sent; commands queue for it.
struct DiskControllerConfig {
  Nanoseconds read_command{0};
  Nanoseconds write_command{0};  // also of a flush
};

struct DiskQueueConfig {
  enum class Order : std::uint8_t {
    fifo,
    satf  // shortest access time first: seek and rotation, as the firmware reckons them
  };
  std::uint32_t depth = 1;  // commands that the disk takes; the others wait with the host's adapter. NCQ: 32
  Order order = Order::fifo;
  Nanoseconds most_age{0};        // of satf: a command that the disk has had for longer goes first, the oldest of them
  Nanoseconds arrival_margin{0};  // of satf: the firmware reckons with arriving so much later than the arm does
};

struct DiskConfig {
  std::string name;
  std::uint64_t user_bytes = 0;
  PlattersConfig platters;
  SeekConfig seek;
  LostRevolutions lost;
  ErrorRecovery recovery;
  DiskControllerConfig controller;
  LinkConfig link;
  HostSoftwareConfig host;  // of the computer it is in; whoever runs jobs on the disk puts it in front
  DiskQueueConfig queue;
  ReadCacheConfig read_cache;
  WriteCacheConfig write_cache;
};

// Checks every value and the relations between them. Throws ConfigError. REQUIRES: is_disk(document).
DiskConfig read_disk(const Node& document);

// What a drive file describes: its key `kind`, "ssd" when there is none. Throws ConfigError for any other kind.
bool is_disk(const Node& document);

}  // namespace ftlab
