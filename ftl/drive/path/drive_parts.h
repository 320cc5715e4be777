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
        layer(back.new_layer(config, seed)) {
    hand_over();
  }
  DriveParts(const DriveParts&) = delete;  // the layer knows the medium
  DriveParts& operator=(const DriveParts&) = delete;

  // To be called before the layer and the flash are asked for something.
  void set_date() {
    if (back.errors) back.errors->set_date(agenda.now());
    back.engine->set_now(agenda.now());
  }
  // To be called after: the engine takes what the layer has ordered.
  void hand_over() {
    if (!back.work.records().empty()) back.engine->accept(back.work.records(), agenda.now());
    back.work.clear();
    if (config.ftl.mapping.host_memory_bytes > 0) [[unlikely]]
      use_host_memory();
  }
  // Reads that waited for a command that has taken effect look again.
  void release_reads() {
    order.release([this](std::uint32_t id) { agenda.schedule(agenda.now(), Agenda::Due::understood, id); });
  }
  // Data in RAM survive a power cut. Not at the end of life, when the flash may have no room for them.
  bool outlives_power() const { return config.ftl.buffer.power_loss_protected && !layer->read_only(); }

  DriveConfig config;
  std::uint64_t seed;
  Agenda agenda;
  CommandOrder order;
  BackEnd back;
  FrontEnd front;
  ScanTimer scans;  // background scans of the cells
  std::unique_ptr<Ftl> layer;
  ContentReport contents;
  Counters host;             // traffic of the host
  Nanoseconds map_there{0};  // when the map's pages that were fetched last have come from the host's memory
  FlashJournal* journal = nullptr;

 private:
  // Pages of the map cross the link to and from the host's memory. Reads wait for those that are fetched. Writes do not:
  // their own pages of the map are not needed before those leave the RAM.
  void use_host_memory() {
    const HostMapCache::Traffic traffic = layer->take_host_traffic();
    const std::uint64_t page = config.ftl.mapping.cache.page_bytes;
    const Nanoseconds now = agenda.now();
    if (traffic.sent > 0) front.link.to_host(now, Nanoseconds{0}, traffic.sent * page);
    if (traffic.fetched > 0) {
      const Nanoseconds asked = now + config.controller.host_memory_read;
      map_there = front.link.to_drive(asked, Nanoseconds{0}, traffic.fetched * page).done;
    }
  }
};

}  // namespace ftlab
