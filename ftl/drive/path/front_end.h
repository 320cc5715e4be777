// The hardware between host and layer: link, submission queues, firmware cores, memory and fingerprint engine.
#pragma once

#include <algorithm>
#include <memory>

#include "ftl/drive/config/drive_config.h"
#include "ftl/drive/path/map_search.h"
#include "models/controller/controller.h"
#include "models/controller/read_ahead.h"
#include "models/dram/dram.h"
#include "models/link/host_queues.h"
#include "models/link/link.h"

namespace ftlab {

struct FrontEnd {
  FrontEnd(const DriveConfig& config, bool timed)
      : link(config.link, timed),
        queues(config.link),
        controller(config.controller),
        dram(config.dram),
        map_search(config.controller.look_up_page, config.controller.look_up_step),
        read_ahead(config.controller.read_ahead.streams == 0
                       ? nullptr
                       : std::make_unique<ReadAhead>(config.controller.read_ahead, config.ftl.mapping_bytes,
                                                     config.logical_pages())) {}

  // Changes the design around the same flash. The fingerprint engine belongs to the contents, which stay.
  void redesign(const DriveConfig& config, bool timed) {
    const Timeline kept = fingerprinting;
    *this = FrontEnd(config, timed);
    fingerprinting = kept;
  }

  Nanoseconds idle_from() const {
    return std::max({controller.idle_from(), fingerprinting.end(), dram.idle_from(), link.idle_from()});
  }

  Link link;
  HostQueues queues;
  Controller controller;
  Dram dram;
  MapSearch map_search;
  std::unique_ptr<ReadAhead> read_ahead;  // null: no read-ahead
  Timeline fingerprinting;                // the engine that computes hashes for deduplication
};

}  // namespace ftlab
