#include "models/controller/controller.h"

#include <algorithm>
#include <utility>

namespace ftlab {
namespace {

Nanoseconds time_or_none(Reader& reader, const char* key, std::uint64_t most) {
  return Nanoseconds{reader.has(key) ? reader.sourced(key, 0, most).value : 0};
}

PausesConfig read_pauses(Reader reader) {
  PausesConfig pauses;
  pauses.after_write_bytes = reader.sourced("after_write_bytes", 512, std::uint64_t{1} << 50).value;
  pauses.lasts = Nanoseconds{reader.sourced("lasts_ns", 1, 10'000'000'000).value};
  reader.finish();
  return pauses;
}

}  // namespace

ControllerConfig read_controller(Reader reader) {
  ControllerConfig controller;
  controller.read_command = Nanoseconds{reader.sourced("read_command_ns", 0, 1'000'000'000).value};
  controller.write_command = Nanoseconds{reader.sourced("write_command_ns", 0, 1'000'000'000).value};
  controller.trim_page = time_or_none(reader, "trim_page_ns", 1'000'000);
  if (reader.has("cores")) controller.cores = static_cast<std::uint32_t>(reader.sourced("cores", 1, 64).value);
  controller.read_page = time_or_none(reader, "read_page_ns", 1'000'000);
  controller.write_page = time_or_none(reader, "write_page_ns", 1'000'000);
  controller.read_unmapped_page = time_or_none(reader, "read_unmapped_page_ns", 1'000'000);
  controller.read_latency = time_or_none(reader, "read_latency_ns", 1'000'000'000);
  controller.write_latency = time_or_none(reader, "write_latency_ns", 1'000'000'000);
  controller.write_pages_beside_data = reader.boolean_or("write_pages_beside_data", false);
  if (controller.write_pages_beside_data && controller.write_page == Nanoseconds{0})
    reader.refuse("write_pages_beside_data", "is true, but the pages of a write cost nothing", "with write_page_ns above 0");
  controller.pages_apart = reader.boolean_or("pages_apart", false);
  if (controller.pages_apart && controller.read_page + controller.write_page == Nanoseconds{0})
    reader.refuse("pages_apart", "is true, but pages cost nothing", "with read_page_ns or write_page_ns above 0");
  controller.look_up_page = time_or_none(reader, "look_up_page_ns", 1'000'000);
  controller.look_up_step = time_or_none(reader, "look_up_step_ns", 1'000'000);
  controller.host_memory_read = time_or_none(reader, "host_memory_read_ns", 1'000'000'000);
  if (auto ahead = reader.object_if_present("read_ahead")) controller.read_ahead = read_read_ahead(std::move(*ahead));
  if (auto pauses = reader.object_if_present("pauses")) controller.pauses = read_pauses(std::move(*pauses));
  reader.finish();
  return controller;
}

Timeline& Controller::free_first(Nanoseconds ready, Nanoseconds length) {
  return *std::min_element(cores_.begin(), cores_.end(), [=](const Timeline& a, const Timeline& b) {
    return a.earliest(ready, length) < b.earliest(ready, length);
  });
}

// Pauses all cores. Work that was scheduled on them before keeps its times.
void Controller::pause(Nanoseconds ready) {
  written_since_pause_ %= config_.pauses.after_write_bytes;
  for (Timeline& core : cores_) core.reserve(ready, config_.pauses.lasts);
}

Nanoseconds Controller::busy() const {
  Nanoseconds busy{0};
  for (const Timeline& core : cores_) busy += core.busy();
  busy += pages_core_.busy();
  return busy;
}

Nanoseconds Controller::idle_from() const {
  Nanoseconds last = pages_core_.end();
  for (const Timeline& core : cores_) last = std::max(last, core.end());
  return last;
}

}  // namespace ftlab
