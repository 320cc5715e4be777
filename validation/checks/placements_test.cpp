// Data placement of every design, untimed, must match a table: places, versions and counters of random designs after the
// same requests. It was recorded before the engine replaced reservations. A change of the table is a change of placement.
//
//   ftlab-tests "placements of drawn designs are printed"    prints the table
#include <cstdio>
#include <fstream>
#include <iterator>

#include "ftl/drive/drive_counters.h"
#include "sim/core/signature.h"
#include "validation/checks/reference/drawn_designs.h"
#include "validation/checks/reference/sound_drive.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

struct Family {
  const char* name;
  Special special;
  bool fails, errs;
};
constexpr Family kFamilies[] = {
    {"plain", Special::none, false, false},          {"compression", Special::compression, false, false},
    {"fast-mode", Special::pslc_mode, false, false}, {"deduplication", Special::deduplication, false, false},
    {"failing", Special::none, true, false},         {"failing-compression", Special::compression, true, false},
    {"erring", Special::none, false, true},          {"erring-compression", Special::compression, false, true}};
constexpr int kDesigns = 18;  // per family

// Hash of everything that depends only on placement, including counters.
std::uint64_t signature_of(ShadowedDrive& shadow) {
  Signature signature;
  sign(shadow.drive(), signature);
  const Counters c = shadow.drive().counters();
  for (const std::uint64_t count :
       {c.host_write_bytes, c.host_read_bytes, c.media_write_bytes(), c.media_relocation_bytes, c.media_mapping_bytes,
        c.media_padding_bytes, c.relocated_pages, c.collected_superblocks, c.array_reads, c.array_pages_read,
        c.array_programs, c.array_pages_programmed, c.array_erases, c.array_blocks_erased, c.flash_bus_bytes, c.read_retries,
        c.trimmed_pages}) {
    signature.add(count);
  }
  return signature.value();
}

std::uint64_t run_design(const Family& family, int design) {
  RandomStream random(static_cast<std::uint64_t>(design) * 1000 + static_cast<std::uint64_t>(&family - kFamilies),
                      "placements");
  const bool page_mapped = family.fails || family.errs;  // hybrid mappings support neither failures nor bit errors
  DriveConfig drive = next_design(random, page_mapped ? design / 3 * 6 + design % 3 : design, family.special);
  if (family.fails) {
    EnduranceConfig endurance;
    endurance.specimen = 7 + static_cast<std::uint64_t>(design);
    endurance.program_erase_limit = 60;
    endurance.limit_spread_permille = 300;
    endurance.program_failures_per_billion = 200'000;
    endurance.erase_failures_per_billion = 2'000'000;
    drive = mortal(drive, endurance);
  }
  if (family.errs) make_err(drive, random);
  INFO(family.name << " " << design << ": " << words(drive));
  ShadowedDrive shadow(drive, Clock::untimed, random.bits());
  const ShadowedDrive::Mix mix{20, 70, trims(drive), 1, 128, 30, 5, contents(random, family.special)};
  REQUIRE((family.fails ? shadow.run_to_refusal(1'500, mix) : shadow.run(1'500, mix)) == "");
  return signature_of(shadow);
}

std::string table() {
  std::string text;
  for (const Family& family : kFamilies) {
    for (int design = 0; design < kDesigns; ++design) {
      char line[80];
      std::snprintf(line, sizeof line, "%s %d %016llx\n", family.name, design,
                    static_cast<unsigned long long>(run_design(family, design)));
      text += line;
    }
  }
  return text;
}

}  // namespace

TEST_CASE("every random design places its data as recorded") {
  std::ifstream file(FTLAB_SOURCE_DIR "/validation/checks/data/placements.txt");
  const std::string expected{std::istreambuf_iterator<char>(file), {}};
  REQUIRE(table() == expected);
}

TEST_CASE("placements of drawn designs are printed", "[.][by-hand]") { std::fputs(table().c_str(), stdout); }
