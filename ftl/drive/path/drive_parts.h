// State shared by the parts of a drive: its configuration, its clock, the hardware on both sides of the layer, and the
// layer.
#pragma once

#include <cstdint>
#include <memory>

#include "ftl/drive/config/drive_config.h"
#include "ftl/drive/path/agenda.h"
#include "ftl/drive/path/back_end.h"
#include "ftl/drive/path/command_order.h"
#include "ftl/drive/path/content_report.h"
#include "ftl/drive/path/front_end.h"
#include "ftl/layer/ftl.h"
#include "ftl/mapping/zone_table.h"
#include "ftl/read/scan_timer.h"
#include "models/nand/schedule/flash_journal.h"
#include "sim/counters.h"

namespace ftlab {

struct DriveParts {
  DriveParts(const DriveConfig& drive_config, Clock clock, std::uint64_t drive_seed)
      : config(drive_config),
        seed(drive_seed),
        agenda(clock),
        back(config, agenda.timed()),
        front(config, agenda.timed()),
        scans(config.ftl.refresh.scan_every),
        layer(back.new_layer(config, seed)),
        zones(config.ftl.mapping.zones, config.ftl.mapping_bytes) {
    hand_over();
  }
  DriveParts(const DriveParts&) = delete;  // the layer refers to the medium
  DriveParts& operator=(const DriveParts&) = delete;

  // Call before using the layer and the flash.
  void set_date() {
    if (back.errors) back.errors->set_date(agenda.now());
    back.engine->set_now(agenda.now());
  }
  // Call afterwards: passes the layer's operations to the engine.
  void hand_over() {
    if (!back.work.records().empty()) [[unlikely]] {
      back.engine->accept(back.work.records(), agenda.now());
      back.work.clear();
    }
    if (config.ftl.mapping.host_memory_bytes > 0) [[unlikely]]
      use_host_memory();
  }
  // Rechecks reads that waited for a command which has now taken effect.
  void release_reads() {
    order.release([this](std::uint32_t id) { agenda.schedule(agenda.now(), Agenda::Due::understood, id); });
  }
  // True if the mapping page at this offset has data.
  bool holds(std::uint64_t offset) const {
    return layer->store().pages().map().find(Lpn{static_cast<std::uint32_t>(offset / config.ftl.mapping_bytes)}) != kNoPpn;
  }
  // True if data in RAM survive a power cut. False at the end of life, when the flash may have no room for them.
  bool ram_survives_power_cut() const { return config.ftl.buffer.power_loss_protected && !layer->read_only(); }

  DriveConfig config;
  std::uint64_t seed;
  Agenda agenda;
  CommandOrder order;
  BackEnd back;
  FrontEnd front;
  ScanTimer scans;  // background scans of the cells
  std::unique_ptr<Ftl> layer;
  ZoneTable zones;
  ContentReport contents;
  Counters host;               // traffic of the host
  Nanoseconds map_arrival{0};  // when the map pages fetched last have arrived from host memory
  FlashJournal* journal = nullptr;

 private:
  // Moves map pages over the link to and from host memory. Reads wait for the fetched ones. Writes do not: their map pages
  // are not needed before the data leave the RAM.
  [[gnu::noinline]] void use_host_memory() {
    const HostMapCache::Traffic traffic = layer->take_host_traffic();
    const std::uint64_t page = config.ftl.mapping.cache.page_bytes;
    const Nanoseconds now = agenda.now();
    if (traffic.sent > 0) front.link.to_host(now, Nanoseconds{0}, traffic.sent * page);
    if (traffic.fetched > 0) {
      const Nanoseconds asked = now + config.controller.host_memory_read;
      map_arrival = front.link.to_drive(asked, Nanoseconds{0}, traffic.fetched * page).done;
    }
  }
};

}  // namespace ftlab
