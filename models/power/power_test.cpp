#include "models/power/power.h"

#include "sim/config/refusal.h"
#include "sim/core/random.h"
#include "sim/counters.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

// All numbers are different primes, so that none can be mistaken for another.
PowerConfig primes() {
  PowerConfig power;
  power.idle_mw = 103;
  power.active_mw = 211;
  power.dram_mw = 11;
  power.controller_mw = 307;
  power.link_pj_per_byte = 401;
  power.flash_bus_pj_per_byte = 503;
  power.read_pj = 601'000;
  power.program_pj = {701'000, 809'000, 907'000, 1'009'000};
  power.program_slc_pj = 1'103'000;
  power.erase_pj = 1'201'000;
  power.sleep = SleepConfig{Nanoseconds{1000}, 7, Nanoseconds{10}};
  return power;
}

Counters drawn(RandomStream& random) {
  Counters counted;
  for (const CounterField& field : kCounterFields) counted.*field.member = random.below(1'000'000'000'000);
  counted.powered_ns += counted.asleep_ns + counted.active_ns;
  return counted;
}

Counters sum(Counters a, const Counters& b) {
  for (const CounterField& field : kCounterFields) a.*field.member += b.*field.member;
  return a;
}

std::uint64_t part(const EnergyParts& parts, EnergyPart of) {
  return static_cast<std::uint64_t>(parts[static_cast<std::size_t>(of)]);
}

PowerConfig read(const std::string& text, std::size_t kinds) {
  const Node document = parse_document("{\"power\": {" + text + "}}", kCommandLineFile);
  Reader reader(document);
  return read_power(reader.object("power"), kinds);
}

bool says(const std::string& message, const std::string& part) { return message.find(part) != std::string::npos; }

const std::string kFloor = R"("idle_mw": 100, "active_mw": 200, "read_nj": 3, "erase_nj": 5)";

}  // namespace

TEST_CASE("each part is its count times its energy") {
  Counters counted;
  counted.powered_ns = 1'000'000;
  counted.asleep_ns = 400'000;
  counted.active_ns = 50'000;
  counted.controller_busy_ns = 3'000;
  counted.host_read_bytes = 2'000;
  counted.host_write_bytes = 1'000;
  counted.flash_bus_bytes = 5'000;
  counted.array_pages_read = 13;
  counted.first_pages_programmed = 1;
  counted.second_pages_programmed = 2;
  counted.third_pages_programmed = 3;
  counted.fourth_pages_programmed = 4;
  counted.slc_pages_programmed = 5;
  counted.array_blocks_erased = 6;
  const EnergyParts parts = energy_parts(primes(), counted);
  CHECK(part(parts, EnergyPart::idle) == 600'000u * 103);
  CHECK(part(parts, EnergyPart::sleep) == 400'000u * 7);
  CHECK(part(parts, EnergyPart::active) == 50'000u * (211 - 103));
  CHECK(part(parts, EnergyPart::dram) == 600'000u * 11);
  CHECK(part(parts, EnergyPart::controller) == 3'000u * 307);
  CHECK(part(parts, EnergyPart::link) == 3'000u * 401);
  CHECK(part(parts, EnergyPart::flash_bus) == 5'000u * 503);
  CHECK(part(parts, EnergyPart::read) == 13u * 601'000);
  CHECK(part(parts, EnergyPart::program) == 701'000u + 2 * 809'000 + 3 * 907'000 + 4 * 1'009'000 + 5 * 1'103'000);
  CHECK(part(parts, EnergyPart::erase) == 6u * 1'201'000);
}

TEST_CASE("energy parts sum exactly to the energy, and two intervals to both together") {
  RandomStream random(1, "energy");
  for (int i = 0; i < 200; ++i) {
    const Counters first = drawn(random), second = drawn(random);
    const EnergyParts a = energy_parts(primes(), first), b = energy_parts(primes(), second);
    const EnergyParts both = energy_parts(primes(), sum(first, second));
    Uint128 total = 0;
    for (std::size_t p = 0; p < kEnergyPartCount; ++p) {
      const bool adds = both[p] == a[p] + b[p];
      CHECK(adds);
      total += both[p];
    }
    const bool sums = total == energy(both) && energy(both) == energy(a) + energy(b);
    CHECK(sums);
  }
}

TEST_CASE("ten idle seconds cost idle power times ten seconds") {
  Counters counted;
  counted.powered_ns = 10'000'000'000;
  PowerConfig power = primes();
  power.dram_mw = 0;
  CHECK(static_cast<std::uint64_t>(energy(energy_parts(power, counted))) == 1'030'000'000'000u);  // 103 mW: 1.03 J
}

TEST_CASE("energies beyond 64 bits are exact: ten years at 100 W") {
  Counters counted;
  counted.powered_ns = 315'576'000'000'000'000;
  PowerConfig power;
  power.idle_mw = power.active_mw = 100'000;
  const bool exact = energy(energy_parts(power, counted)) == Uint128{315'576'000'000'000'000} * 100'000;
  CHECK(exact);
}

TEST_CASE("each kind of page of the flash needs a program energy") {
  CHECK(read(kFloor + R"(, "program_nj": 7)", 1).program_pj[0] == 7'000);
  const PowerConfig mlc = read(kFloor + R"(, "program_lower_nj": 7, "program_upper_nj": 11)", 2);
  CHECK((mlc.program_pj[0] == 7'000 && mlc.program_pj[1] == 11'000));
  CHECK_FALSE(mlc.program_slc_pj);
  const PowerConfig tlc = read(kFloor + R"(, "program_lower_nj": 1, "program_middle_nj": 2, "program_upper_nj": 3)", 3);
  CHECK(tlc.program_pj[2] == 3'000);
  CHECK(says(refusal([] { read(kFloor + R"(, "program_nj": 7)", 2); }), "power.program_lower_nj: is missing"));
  CHECK(says(refusal([] { read(kFloor + R"(, "program_nj": 7, "program_upper_nj": 8)", 1); }),
             "power.program_upper_nj: is not a known key"));
}

TEST_CASE("power states that contradict each other are refused with the allowed range") {
  const std::string programs = R"(, "read_nj": 3, "erase_nj": 5, "program_nj": 7)";
  const std::string below = refusal([&] { read(R"("idle_mw": 100, "active_mw": 99)" + programs, 1); });
  CHECK((says(below, "power.active_mw") && says(below, "allowed: 100 or more")));
  CHECK(refusal([&] { read(R"("idle_mw": 100, "active_mw": 100)" + programs, 1); }) == "accepted");
  const std::string sleep =
      R"("idle_mw": 100, "active_mw": 100, "dram_mw": 5, "sleep": {"after_ns": 1, "wake_ns": 0, "power_mw": )";
  CHECK(refusal([&] { read(sleep + "105}" + programs, 1); }) == "accepted");
  const std::string above = refusal([&] { read(sleep + "106}" + programs, 1); });
  CHECK((says(above, "power.sleep.power_mw") && says(above, "0 to 105")));
}
