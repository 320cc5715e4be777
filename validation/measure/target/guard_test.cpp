// Tests the decision: rule by rule, then over generated facts and plans (R7, R13).
#include "validation/measure/target/guard.h"

#include <functional>
#include <set>
#include <type_traits>

#include "sim/core/random.h"
#include "validation/measure/testing/facts.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

// A reason against a target: an unknown fact, a hazard that was found, or an invalid plan or consent.
struct Objection {
  const char* rule;
  const char* name;  // text in the refusal
  std::function<bool(const DeviceFacts&, const Intent&)> matters;
  std::function<void(DeviceFacts&, Intent&)> apply;
};

bool always(const DeviceFacts&, const Intent&) { return true; }
bool of_device(const DeviceFacts& facts, const Intent&) { return facts.kind == TargetKind::block_device; }
bool of_file(const DeviceFacts& facts, const Intent&) { return facts.kind == TargetKind::regular_file; }
bool of_change(const DeviceFacts&, const Intent& intent) { return intent.writes || intent.discards; }
bool of_device_change(const DeviceFacts& facts, const Intent& intent) {
  return of_device(facts, intent) && of_change(facts, intent);
}
bool of_confirmation(const DeviceFacts& facts, const Intent& intent) {
  return of_change(facts, intent) && !(of_file(facts, intent) && facts.created_here == true);
}
bool of_found_file_read(const DeviceFacts& facts, const Intent& intent) {
  return of_file(facts, intent) && intent.reads && facts.created_here != true;
}
bool of_discard(const DeviceFacts&, const Intent& intent) { return intent.discards; }

template <class T>
Objection unknown(const char* rule, const char* name, Fact<T> DeviceFacts::*fact, decltype(Objection::matters) matters) {
  return {rule, name, std::move(matters), [fact](DeviceFacts& facts, Intent&) { facts.*fact = std::nullopt; }};
}

template <class T>
Objection is(const char* rule, const char* name, Fact<T> DeviceFacts::*fact, T value, decltype(Objection::matters) matters) {
  return {rule, name, std::move(matters), [fact, value](DeviceFacts& facts, Intent&) { facts.*fact = value; }};
}

Objection found(const char* rule, const char* name, Fact<Findings> DeviceFacts::*fact,
                decltype(Objection::matters) matters) {
  return is<Findings>(rule, name, fact, Findings{"something"}, std::move(matters));
}

std::vector<Objection> unknown_facts() {
  using F = DeviceFacts;
  return {
      unknown("R3", "it could not be found out whether it is a regular file or a block device", &F::kind, always),
      unknown("R2", "the identity of the open descriptor could not be found out", &F::identity, always),
      unknown("R3", "its size could not be found out", &F::size_bytes, always),
      unknown("R8", "whether it is open for direct I/O could not be found out", &F::direct, always),
      unknown("R2", "whether it is ours alone could not be found out", &F::exclusive, always),
      unknown("R3", "whether it is read-only could not be found out", &F::read_only, of_change),
      unknown("R3", "its sector size could not be found out", &F::logical_sector_bytes, always),
      unknown("R7", "the alignment that direct I/O wants of offsets could not be found out", &F::direct_offset_bytes,
              always),
      unknown("R7", "the alignment that direct I/O wants of memory could not be found out", &F::direct_memory_bytes, always),
      unknown("R5", "it shows no serial number by which you could confirm that it is the one you mean", &F::serial,
              of_confirmation),
      unknown("R3", "whether it is mounted anywhere could not be found out", &F::mounts, always),
      unknown("R3", "whether it is used as swap could not be found out", &F::swaps, always),
      unknown("R3", "whether something is built upon it could not be found out", &F::holders, always),
      unknown("R3", "whether other processes have it open (root may look at most of them) could not be found out",
              &F::openers, always),
      unknown("R3", "whether the running system lies on it could not be found out", &F::systems, of_device),
      unknown("R3", "whether it is a whole device could not be found out", &F::whole_device, of_device),
      unknown("R3", "its physical sector size could not be found out", &F::physical_sector_bytes, of_device),
      unknown("R3", "whether it is composed of other devices could not be found out", &F::slaves, of_device),
      unknown("R4", "whether it has partitions could not be found out", &F::partitions, of_device_change),
      unknown("R4", "whether something is stored on it could not be found out", &F::signatures, of_device_change),
      unknown("R3", "whether another device shows its serial number could not be found out", &F::same_serial,
              of_device_change),
      unknown("R6", "whether it supports discard could not be found out", &F::discard_supported, of_discard),
      unknown("R1", "whether this run has made the file could not be found out", &F::created_here, of_file),
      unknown("R3", "how many names the file has could not be found out", &F::links, of_file),
      unknown("R8", "whether everything to be read was ever written could not be found out", &F::unwritten_bytes,
              of_found_file_read),
      unknown("R8", "the file system it lies on could not be found out", &F::file_system, of_file)};
}

std::vector<Objection> hazards() {
  using F = DeviceFacts;
  return {
      is("R8", "it is not open for direct I/O", &F::direct, false, always),
      is("R2", "something else has it open or holds it", &F::exclusive, false, always),
      is("R3", "it is read-only", &F::read_only, true, of_change),
      is("R3", "its size is given as 0", &F::size_bytes, std::uint64_t{0}, always),
      is("R3", "its sector size is given as 0", &F::logical_sector_bytes, std::uint32_t{0}, always),
      is("R7", "the alignment that direct I/O wants of offsets is given as 0", &F::direct_offset_bytes, std::uint32_t{0},
         always),
      is("R7", "the alignment that direct I/O wants of memory is given as 0", &F::direct_memory_bytes, std::uint32_t{0},
         always),
      is("R3", "the facts contradict each other: its physical sector is not a whole number of logical ones",
         &F::physical_sector_bytes, std::uint32_t{700}, of_device),
      is("R5", "it shows no serial number by which you could confirm that it is the one you mean", &F::serial, std::string(),
         of_confirmation),
      found("R3", "it is mounted: something", &F::mounts, always),
      found("R3", "it is used as swap: something", &F::swaps, always),
      found("R3", "it is held by: something", &F::holders, always),
      found("R3", "it is open in: something", &F::openers, always),
      found("R3", "the running system lies on it: something", &F::systems, of_device),
      is("R3", "it is a partition; name the whole device", &F::whole_device, false, of_device),
      found("R3", "it is composed of: something", &F::slaves, of_device),
      found("R4", "it has partitions: something", &F::partitions, of_device_change),
      found("R4", "something is stored on it, remove it with another tool (wipefs) if you want to lose it: something",
            &F::signatures, of_device_change),
      found("R3", "other devices show the same serial number: something", &F::same_serial, of_device_change),
      is("R6", "it does not support discard", &F::discard_supported, false, of_discard),
      is("R3", "the file has other names (hard links)", &F::links, std::uint64_t{2},
         [](const auto& facts, const auto& intent) { return of_file(facts, intent) && of_change(facts, intent); }),
      is("R3", "how many names the file has is given as 0", &F::links, std::uint64_t{0}, of_file),
      is("R8",
         "4096 bytes of what would be read were never written: the file system answers such reads itself, and no device "
         "is measured; write them first, by a job with rw=write, or take a new file, made by --create",
         &F::unwritten_bytes, std::uint64_t{4096}, of_found_file_read),
      is("R8", "its file system, tmpfs, is not known to pass direct I/O to a device; known are ext4, xfs, btrfs and f2fs",
         &F::file_system, std::string("tmpfs"), of_file),
      {"R3", "the facts contradict each other: one and two", always,
       [](F& facts, Intent&) { facts.contradictions.push_back("one and two"); }},
      {"R5", "its contents would be lost; confirm with --destroy=", of_confirmation,
       [](F&, Intent& intent) { intent.destroy.reset(); }},
      {"R5", "--destroy=S2 is not its serial number, which is ", of_confirmation,
       [](F&, Intent& intent) { intent.destroy = "S2"; }},
      {"R5", "--destroy=yes is not its serial number", of_confirmation, [](F&, Intent& intent) { intent.destroy = "yes"; }},
      {"R5", "--destroy= is not its serial number", of_confirmation, [](F&, Intent& intent) { intent.destroy = ""; }},
      {"R6", "discards would be sent; allow them with --allow-discard", of_discard,
       [](F&, Intent& intent) { intent.discard_consent = false; }},
      {"R7", "the plan keeps 0 requests in flight; allowed: 1 to ", always, [](F&, Intent& intent) { intent.depth = 0; }},
      {"R7", "the plan keeps ", always, [](F&, Intent& intent) { intent.depth = Intent::kDepthMost + 1; }},
      {"R7", "the range is empty", always, [](F&, Intent& intent) { intent.range.end = intent.range.first; }},
      {"R7", "the range is empty", always, [](F&, Intent& intent) { std::swap(intent.range.first, intent.range.end); }},
      {"R7", "the range ends at byte 4611686018427387904, past the last that may be touched (", always,
       [](F&, Intent& intent) { intent.range.end = std::uint64_t{1} << 62; }},
      {"R7", "the range begins in the guard band", always,
       [](F&, Intent& intent) { intent.guard_bytes = intent.range.first + 4096; }},
      {"R7", "the guard bands leave nothing of the target", always,
       [](F&, Intent& intent) { intent.guard_bytes = ~std::uint64_t{0}; }},
      {"R7", "the plan's unit is 0", always, [](F&, Intent& intent) { intent.unit_bytes = 0; }},
      {"R7", "the plan's offsets or lengths are not multiples of ", always,
       [](F&, Intent& intent) { intent.unit_bytes = 1000; }},
      {"R7", "the range does not begin and end at multiples of ", always,
       [](F&, Intent& intent) { intent.range.first += 100; }},
      {"R7", "the alignment of the plan's buffers is 0", always,
       [](F&, Intent& intent) { intent.memory_alignment_bytes = 0; }},
      {"R7", "the plan's buffers are not aligned to ", always,
       [](F&, Intent& intent) { intent.memory_alignment_bytes = 101; }}};
}

std::vector<Objection> all_objections() {
  auto all = unknown_facts();
  const auto more = hazards();
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

// Random facts and intent that the guard accepts.
struct Drawn {
  DeviceFacts facts;
  Intent intent;
};
Drawn draw(RandomStream& random) {
  const auto sector = static_cast<std::uint32_t>(512u << 3 * random.below(2));
  Drawn drawn;
  auto& facts = drawn.facts;
  facts = random.chance(1, 2) ? idle_drive() : idle_file(random.chance(1, 2));
  facts.identity =
      FileIdentity{random.below(1000), random.bits(), facts.kind == TargetKind::block_device ? random.bits() : 0};
  facts.size_bytes = sector * (1000 + random.below(1ull << random.below(40)));
  facts.logical_sector_bytes = facts.direct_offset_bytes = sector;
  facts.direct_memory_bytes = 4u << random.below(11);
  if (facts.physical_sector_bytes) facts.physical_sector_bytes = sector << random.below(4);
  auto& intent = drawn.intent;
  const auto choice = random.below(3);
  intent = choice == 0 ? reading(facts) : choice == 1 ? writing(facts) : discarding(facts);
  intent.depth = static_cast<std::uint32_t>(1 + random.below(Intent::kDepthMost));
  intent.unit_bytes = sector << random.below(4);
  intent.memory_alignment_bytes = 4096u << random.below(3);
  intent.guard_bytes = sector * random.below(100);
  const auto sectors = *facts.size_bytes / sector;
  const auto first = intent.guard_bytes / sector + random.below(100);
  intent.range = {first * sector, (first + 1 + random.below(sectors - 2 * 99 - 100)) * sector};
  return drawn;
}

}  // namespace

TEST_CASE("R1_an_intent_alters_nothing_by_default") {
  const auto facts = idle_drive();
  const auto permit = permit_for(facts, reading(facts));
  CHECK_FALSE(Intent{}.alters());
  CHECK_FALSE(permit.may_write());
  CHECK_FALSE(permit.may_discard());
  CHECK(permit.allows({Op::read, 0, 4096, 4096}));
  CHECK_FALSE(permit.allows({Op::write, 0, 4096, 4096}));
  CHECK_FALSE(permit.allows({Op::trim, 0, 4096, 0}));
  CHECK_FALSE(permit.allows({Op::flush, 0, 0, 0}));
}

TEST_CASE("R1_a_file_made_by_this_run_needs_no_confirmation_and_one_with_contents_does") {
  auto intent = writing(idle_file(true));
  intent.destroy.reset();
  CHECK(permitted(idle_file(true), intent));
  CHECK(refused(idle_file(false), intent, "R5", "confirm with --destroy=target"));
  intent.destroy = "target";
  CHECK(permitted(idle_file(false), intent));
}

TEST_CASE("only_a_decision_makes_a_permit_and_it_cannot_be_copied") {
  CHECK_FALSE(std::is_copy_constructible_v<Permit>);
  CHECK_FALSE(std::is_copy_assignable_v<Permit>);
  CHECK_FALSE(std::is_default_constructible_v<Permit>);
  CHECK_FALSE(std::is_constructible_v<Permit, const DeviceFacts&, const Intent&>);
  const auto facts = idle_drive();
  auto first = permit_for(facts, discarding(facts));
  const auto second = std::move(first);
  CHECK(second.allows({Op::write, 0, 4096, 4096}));
  CHECK_FALSE(first.may_write());
  CHECK_FALSE(first.may_discard());
  CHECK_FALSE(first.allows({Op::read, 0, 4096, 4096}));
  CHECK_FALSE(first.allows({Op::flush, 0, 0, 0}));
}

TEST_CASE("a_permit_carries_the_identity_and_size_of_its_decision") {
  const auto facts = idle_drive();
  const auto permit = permit_for(facts, writing(facts));
  CHECK(permit.identity() == *facts.identity);
  CHECK(permit.size_bytes() == *facts.size_bytes);
}

TEST_CASE("R2_to_R8_each_unknown_fact_and_each_hazard_alone_is_refused_with_its_rule_and_sentence") {
  for (const auto& facts : {idle_drive(), idle_file(true), idle_file(false)})
    for (const auto& intent : {reading(facts), writing(facts), discarding(facts)}) {
      REQUIRE(permitted(facts, intent));
      for (const auto& objection : all_objections()) {
        auto hindered = facts;
        auto spoiled = intent;
        objection.apply(hindered, spoiled);
        INFO(objection.rule << " " << objection.name << " writes " << intent.writes << " on " << facts.path);
        if (objection.matters(facts, intent))
          CHECK(refused(hindered, spoiled, objection.rule, objection.name));
        else
          CHECK(permitted(hindered, spoiled));
      }
    }
}

TEST_CASE("R3_a_device_that_ends_within_a_sector_contradicts_itself_and_a_file_does_not") {
  auto drive = idle_drive();
  const auto intent = reading(drive);
  *drive.size_bytes += 100;
  CHECK(refused(drive, intent, "R3", "the facts contradict each other: its size is not a whole number of sectors"));
  auto file = idle_file(false);
  const auto less = reading(file);
  *file.size_bytes += 100;
  CHECK(permitted(file, less));
}

TEST_CASE("R5_the_serial_number_must_be_typed_exactly") {
  auto facts = idle_drive();
  facts.serial = "BTYG123 45";
  auto intent = writing(facts);
  CHECK(permitted(facts, intent));
  for (const char* typed : {"btyg123 45", "BTYG123", "BTYG123 45 ", "", "yes", "/dev/sdb", "*"}) {
    intent.destroy = typed;
    CHECK(refused(facts, intent, "R5"));
  }
}

TEST_CASE("R6_consent_to_write_does_not_include_discard") {
  const auto facts = idle_drive();
  auto intent = discarding(facts);
  intent.discard_consent = false;
  CHECK(refused(facts, intent, "R6", "--allow-discard"));
  const auto permit = permit_for(facts, writing(facts));
  CHECK_FALSE(permit.allows({Op::trim, 0, 4096, 0}));
  intent = discarding(facts);
  intent.writes = false;
  CHECK_FALSE(permit_for(facts, intent).allows({Op::write, 0, 4096, 4096}));
}

TEST_CASE("a_refusal_names_every_reason_in_one_text") {
  auto facts = idle_drive();
  facts.mounts = Findings{"/dev/sdb1 on /home", "/dev/sdb2 on /srv"};
  facts.signatures.reset();
  auto intent = writing(facts);
  intent.destroy.reset();
  const auto decision = decide(facts, intent);
  const auto text = std::get<Refusal>(decision).text();
  CHECK(text.find("R3: it is mounted: /dev/sdb1 on /home, /dev/sdb2 on /srv\n") != std::string::npos);
  CHECK(text.find("R4: whether something is stored on it could not be found out\n") != std::string::npos);
  CHECK(text.find("R5: its contents would be lost; confirm with --destroy=S1\n") != std::string::npos);
}

TEST_CASE("R7_the_range_may_touch_the_guard_bands_at_both_ends_but_not_enter_them") {
  const auto facts = idle_drive();
  const auto size = *facts.size_bytes;
  auto intent = writing(facts);
  intent.guard_bytes = 8192;
  intent.range = {8192, size - 8192};
  CHECK(permitted(facts, intent));
  intent.range = {8192 - 512, size - 8192};
  CHECK(refused(facts, intent, "R7", "begins in the guard band"));
  intent.range = {8192, size - 8192 + 512};
  CHECK(refused(facts, intent, "R7", "past the last that may be touched (" + std::to_string(size - 8192) + ")"));
  intent.guard_bytes = 0;
  intent.range = {0, size};
  CHECK(permitted(facts, intent));
  intent.range = {0, size + 512};
  CHECK(refused(facts, intent, "R7", "past the last"));
}

TEST_CASE("R8_only_file_systems_that_pass_direct_io_to_a_device_are_accepted") {
  auto facts = idle_file(true);
  for (const char* accepted : {"ext4", "xfs", "btrfs", "f2fs"}) {
    facts.file_system = accepted;
    CHECK(permitted(facts, writing(facts)));
  }
  for (const char* refusing : {"tmpfs", "ramfs", "overlay", "fuse", "nfs", "zfs", "bcachefs", "proc", "sysfs", ""}) {
    facts.file_system = refusing;
    CHECK(refused(facts, writing(facts), "R8", "not known to pass direct I/O"));
  }
}

TEST_CASE("R7_alignment_is_the_least_common_multiple_of_sector_and_direct_io") {
  auto facts = idle_drive();
  for (const auto& [sector, direct, both] : {std::array{512u, 4096u, 4096u}, {4096u, 512u, 4096u}, {520u, 512u, 33280u}}) {
    facts.logical_sector_bytes = sector;
    facts.direct_offset_bytes = direct;
    CHECK(required_alignment(facts) == both);
  }
}

// Checks each verdict with numbers that cannot overflow.
TEST_CASE("R7_of_100000_transfers_none_outside_the_range_or_misaligned_is_allowed") {
  __extension__ using Wide = unsigned __int128;
  RandomStream random(1, "transfers");
  int allowed = 0;
  for (int plan = 0; plan < 1000; ++plan) {
    const auto [facts, intent] = draw(random);
    const auto permit = permit_for(facts, intent);
    const std::uint64_t alignment = *facts.logical_sector_bytes, memory = *facts.direct_memory_bytes;
    const auto [first, end] = intent.range;
    for (int i = 0; i < 100; ++i) {
      Transfer transfer;
      transfer.op = static_cast<Op>(random.below(3));
      const std::uint64_t anchors[] = {first, end, *facts.size_bytes, 0, ~std::uint64_t{0} - alignment + 1};
      transfer.offset_bytes = random.chance(1, 2) ? first + random.below((end - first) / alignment) * alignment
                                                  : anchors[random.below(5)] + alignment * random.below(3) - alignment;
      transfer.length_bytes = random.chance(1, 8) ? random.bits() : alignment * random.below(20);
      if (random.chance(1, 8)) transfer.offset_bytes += random.below(alignment);
      transfer.memory_address = memory * (1 + random.below(1000)) + (random.chance(1, 8) ? random.below(memory) : 0);
      const bool inside = transfer.offset_bytes >= first && Wide{transfer.offset_bytes} + transfer.length_bytes <= end;
      const bool aligned = transfer.offset_bytes % alignment == 0 && transfer.length_bytes % alignment == 0;
      const bool held = transfer.op == Op::trim || transfer.memory_address % memory == 0;
      const bool right = transfer.op == Op::read || (transfer.op == Op::write ? intent.writes : intent.discards);
      const bool expected = inside && aligned && held && right && transfer.length_bytes > 0;
      if (permit.allows(transfer) != expected)
        FAIL("offset " << transfer.offset_bytes << " length " << transfer.length_bytes << " in " << first << ".." << end);
      allowed += expected;
    }
  }
  CHECK(allowed > 10'000);  // the generator covers both sides
  CHECK(allowed < 90'000);
}

TEST_CASE("R13_of_100000_generated_fact_sets_none_with_a_hazard_or_an_unknown_fact_is_permitted") {
  RandomStream random(1, "facts");
  const auto objections = all_objections();
  std::vector<int> tried(objections.size());
  int permits = 0;
  for (int set = 0; set < 100'000; ++set) {
    auto [facts, intent] = draw(random);
    const auto clean_facts = facts;
    const auto clean_intent = intent;
    // Each at most once: swapping a range twice restores it.
    std::set<std::size_t> chosen;
    for (auto left = random.below(4); left > 0; --left) {
      const auto which = random.below(objections.size());
      if (!objections[which].matters(clean_facts, clean_intent) || !chosen.insert(which).second) continue;
      objections[which].apply(facts, intent);
      ++tried[which];
    }
    const bool spoiled = !chosen.empty();
    if (permitted(facts, intent) == spoiled) FAIL("set " << set << (spoiled ? " permitted" : " refused"));
    permits += !spoiled;
  }
  CHECK(permits > 10'000);
  for (std::size_t i = 0; i < tried.size(); ++i) {
    INFO(objections[i].name);
    CHECK(tried[i] > 100);
  }
}

TEST_CASE("R13_adding_any_hazard_to_a_permitted_set_or_removing_any_fact_refuses") {
  RandomStream random(2, "facts");
  const auto objections = all_objections();
  for (int set = 0; set < 2000; ++set) {
    const auto drawn = draw(random);
    if (!permitted(drawn.facts, drawn.intent)) FAIL("set " << set << " is refused");
    for (const auto& objection : objections) {
      auto [facts, intent] = drawn;
      if (!objection.matters(facts, intent)) continue;
      objection.apply(facts, intent);
      if (!refused(facts, intent, objection.rule)) FAIL(objection.name << " in set " << set);
    }
  }
}
