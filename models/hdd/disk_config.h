// A whole disk, read from a drive file with `"kind": "hdd"`: platters, arm, caches, queue, link and firmware.
#pragma once

#include <cstdint>
#include <string>

#include "models/hdd/mechanism.h"
#include "models/hdd/read_cache.h"
#include "models/hdd/write_cache.h"
#include "models/link/host_config.h"
#include "sim/config/document.h"

namespace ftlab {

// Firmware time of a command before the arm may serve it; commands queue for the firmware.
struct DiskControllerConfig {
  Nanoseconds read_command{0};
  Nanoseconds write_command{0};  // also for flushes
};

struct DiskQueueConfig {
  enum class Order : std::uint8_t {
    fifo,
    satf  // shortest access time first: seek and rotation, as estimated by the firmware
  };
  std::uint32_t depth = 1;  // commands in the disk; further ones wait in the host. NCQ: 32
  Order order = Order::fifo;
  Nanoseconds most_age{0};        // satf only: commands queued for longer go first, oldest first
  Nanoseconds arrival_margin{0};  // satf only: the firmware expects to arrive this much later than the arm does
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
  HostSoftwareConfig host;  // software of the host; job runners place it in front of the disk
  DiskQueueConfig queue;
  ReadCacheConfig read_cache;
  WriteCacheConfig write_cache;
};

// Checks every value and the relations between them. Throws ConfigError. REQUIRES: is_disk(document).
DiskConfig read_disk(const Node& document);

// True if a drive file's key `kind` is "hdd"; without the key it is an SSD. Throws ConfigError for other kinds.
bool is_disk(const Node& document);

}  // namespace ftlab
