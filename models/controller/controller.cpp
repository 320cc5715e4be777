#include "models/controller/controller.h"

#include <algorithm>
#include <utility>

#include "sim/config/keys.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kMostPerPage = 1'000'000, kMostPerCommand = 1'000'000'000;  // ns

PausesConfig read_pauses(Reader reader) {
  PausesConfig pauses;
  read_sourced(reader, "after_write_bytes", pauses.after_write_bytes, 512, std::uint64_t{1} << 50,
               "the firmware pauses after so many bytes written");
  read_sourced(reader, "lasts_ns", pauses.lasts, 1, 10'000'000'000, "how long");
  reader.finish();
  return pauses;
}

}  // namespace

ControllerConfig read_controller(Reader reader) {
  ControllerConfig c;
  read_sourced(reader, "read_command_ns", c.read_command, 0, kMostPerCommand, "firmware time of a read command");
  read_sourced(reader, "write_command_ns", c.write_command, 0, kMostPerCommand, "firmware time of a write command");
  read_sourced_or(reader, "trim_page_ns", c.trim_page, 0, kMostPerPage, "firmware time of each page of a trim");
  read_sourced_or(reader, "cores", c.cores, 1, 64, "cores that run firmware");
  read_sourced_or(reader, "read_page_ns", c.read_page, 0, kMostPerPage, "firmware time of each page of a read");
  read_sourced_or(reader, "write_page_ns", c.write_page, 0, kMostPerPage, "firmware time of each page of a write");
  read_sourced_or(reader, "read_unmapped_page_ns", c.read_unmapped_page, 0, kMostPerPage, "time of each page without data");
  read_sourced_or(reader, "read_latency_ns", c.read_latency, 0, kMostPerCommand, "latency of a read, on no core");
  read_sourced_or(reader, "write_latency_ns", c.write_latency, 0, kMostPerCommand, "latency of a write, on no core");
  read_boolean_or(reader, "write_pages_beside_data", c.write_pages_beside_data, "pages are worked on while data arrive");
  if (c.write_pages_beside_data && c.write_page == Nanoseconds{0})
    reader.refuse("write_pages_beside_data", "is true, but the pages of a write cost nothing", "with write_page_ns above 0");
  read_boolean_or(reader, "pages_apart", c.pages_apart, "pages are worked on by a core of their own, behind their command");
  if (c.pages_apart && c.read_page + c.write_page == Nanoseconds{0})
    reader.refuse("pages_apart", "is true, but pages cost nothing", "with read_page_ns or write_page_ns above 0");
  read_sourced_or(reader, "look_up_page_ns", c.look_up_page, 0, kMostPerPage, "map look-up for each page of a read");
  read_sourced_or(reader, "look_up_step_ns", c.look_up_step, 0, kMostPerPage, "extent map: time of one step of the search");
  read_sourced_or(reader, "host_memory_read_ns", c.host_memory_read, 0, kMostPerCommand,
                  "round trip of a read of host memory, beside the transfer");
  if (auto ahead = reader.object_if_present("read_ahead")) c.read_ahead = read_read_ahead(std::move(*ahead));
  if (auto pauses = reader.object_if_present("pauses")) c.pauses = read_pauses(std::move(*pauses));
  reader.finish();
  return c;
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
