// Which commands pay for which of the controller's times, on an otherwise idle drive.
#include <array>
#include <string>
#include <vector>

#include "ftl/testing/drive_trials.h"
#include "ftl/testing/drives.h"
#include "sim/testing/test.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

constexpr std::uint64_t kPage = 4096;
enum Asked : std::size_t { read_data, read_nothing, write_new, overwrite, trim, flush, kCommands };

// Three pages each, except for the flush.
std::array<Nanoseconds, kCommands> latencies(const ControllerConfig& controller) {
  DriveConfig config = striped_drive();
  config.controller = controller;
  Drive drive(config, Clock::timed);
  const auto take = [&drive](Op op, std::uint64_t page, std::uint64_t pages) {
    const Nanoseconds at = drive.idle_from() + ns(1'000'000);
    return execute(drive, op, page * kPage, pages * kPage, at).completed - at;
  };
  take(Op::write, 0, 16);
  take(Op::flush, 0, 0);
  return {take(Op::read, 3, 3),  take(Op::read, 100, 3), take(Op::write, 200, 3),
          take(Op::write, 6, 3), take(Op::trim, 9, 3),   take(Op::flush, 0, 0)};
}

}  // namespace

TEST_CASE("each controller time is paid by its own commands and by no others") {
  const struct {
    const char* time;
    Nanoseconds ControllerConfig::*place;
    std::vector<std::pair<Asked, std::uint64_t>> paid;  // how many times
  } kRows[] = {
      {"read_command", &ControllerConfig::read_command, {{read_data, 1}, {read_nothing, 1}}},
      {"write_command", &ControllerConfig::write_command, {{write_new, 1}, {overwrite, 1}, {trim, 1}, {flush, 1}}},
      {"read_page", &ControllerConfig::read_page, {{read_data, 3}, {read_nothing, 3}}},
      {"write_page", &ControllerConfig::write_page, {{write_new, 3}, {overwrite, 3}}},
      {"trim_page", &ControllerConfig::trim_page, {{trim, 3}}},
      {"read_latency", &ControllerConfig::read_latency, {{read_data, 1}, {read_nothing, 1}}},
      {"write_latency", &ControllerConfig::write_latency, {{write_new, 1}, {overwrite, 1}, {trim, 1}, {flush, 1}}},
      {"look_up_page", &ControllerConfig::look_up_page, {{read_data, 3}, {read_nothing, 3}}},
  };
  const ControllerConfig plain = striped_drive().controller;
  const std::array<Nanoseconds, kCommands> usual = latencies(plain);
  for (const auto& row : kRows) {
    ControllerConfig slower = plain;
    constexpr Nanoseconds kMore{70};
    slower.*row.place += kMore;
    std::array<Nanoseconds, kCommands> expected = usual;
    for (const auto& [command, times] : row.paid) expected[command] += kMore * times;
    CAPTURE(row.time);
    const std::array<Nanoseconds, kCommands> found = latencies(slower);
    for (std::size_t command = 0; command < kCommands; ++command) {
      CAPTURE(command);
      CHECK(found[command] == expected[command]);
    }
  }
}

TEST_CASE("a mapped page after an unmapped one does not wait for further unmapped pages") {
  const auto latency = [](Nanoseconds unmapped_page) {
    DriveConfig config = striped_drive();
    config.controller.read_unmapped_page = unmapped_page;
    Drive drive(config, Clock::timed);
    execute(drive, Op::write, kPage, kPage, ns(0));
    const Nanoseconds at = execute(drive, Op::flush, 0, 0, drive.idle_from()).completed + ns(1'000'000);
    return execute(drive, Op::read, 0, 2 * kPage, at).completed - at;
  };
  CHECK(latency(ns(500'000)) == latency(ns(0)) + ns(500'000));
}

TEST_CASE("unmapped pages cost reads of them only, and only the time that the link does not hide") {
  const ControllerConfig plain = striped_drive().controller;
  ControllerConfig slower = plain;
  slower.read_unmapped_page = ns(1'000);
  const std::array<Nanoseconds, kCommands> usual = latencies(plain), found = latencies(slower);
  CHECK(found[read_nothing] == usual[read_nothing] + ns(1'000));  // the others are made while the first is on the link
  for (const std::size_t command : {read_data, write_new, overwrite, trim, flush}) {
    CAPTURE(command);
    CHECK(found[command] == usual[command]);
  }
}
