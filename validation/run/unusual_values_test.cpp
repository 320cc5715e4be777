#include "validation/run/unusual_values.h"

#include "sim/core/random.h"
#include "sim/testing/test.h"
#include "validation/run/open_device.h"

using namespace ftlab;

TEST_CASE("a time written in microseconds or milliseconds is reported with the intended unit") {
  const std::vector<std::string> keys = {"nand.read_lower_ns", "nand.program_lower_ns", "nand.erase_ns"};
  RandomStream random(1, "unusual values");
  for (int i = 0; i < 12; ++i) {
    const std::string key = keys[random.below(keys.size())];
    const std::uint64_t us = std::stoull(values_at(load_drive("example-nvme-tlc-1tb", {}), key).at(0)) / 1000;
    const bool ms = key == "nand.erase_ns";
    const std::uint64_t meant = std::max<std::uint64_t>(1, (us + random.below(us)) / (ms ? 1000 : 1));
    const std::vector<Note> notes = unusual_values(load_drive("example-nvme-tlc-1tb", {key + "=" + std::to_string(meant)}));
    CAPTURE(key, meant);
    REQUIRE(notes.size() == 1);
    CHECK(notes[0].problem == ProblemCode::unusual_value);
    CHECK(notes[0].text.starts_with(key + " is " + std::to_string(meant) + ", far outside"));
    CHECK(notes[0].remedy == "did you mean " + std::to_string(meant) + (ms ? "ms?" : "us?"));
  }
}

TEST_CASE("drives of the library and values close to theirs are not unusual") {
  for (const std::string& name : drive_names()) CHECK(unusual_values(load_drive(name, {})).empty());
  CHECK(unusual_values(load_drive("samsung-830-256", {"nand.read_ns=150us", "nand.erase_ns=1ms"})).empty());
  const std::vector<Note> large = unusual_values(load_drive("samsung-830-256", {"nand.read_ns=1s"}));
  REQUIRE(large.size() == 1);
  CHECK(large[0].remedy == "ftlab explain nand.read_ns shows the library's values");
}
