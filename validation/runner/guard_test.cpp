// The decision: rule by rule, then over generated facts and plans (R7, R13).
#include "validation/runner/guard.h"

#include <functional>
#include <set>
#include <type_traits>

#include "sim/random.h"
#include "validation/runner/test_facts.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

// What can speak against a target: unknown facts, found hazards, and plans or consents that are not as they must be.
struct Objection {
  const char* rule;
  const char* name;
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
  return {unknown("R3", "kind", &F::kind, always),
          unknown("R2", "identity", &F::identity, always),
          unknown("R3", "size", &F::size_bytes, always),
          unknown("R8", "direct", &F::direct, always),
          unknown("R2", "exclusive", &F::exclusive, always),
          unknown("R3", "read-only", &F::read_only, of_change),
          unknown("R3", "logical sector", &F::logical_sector_bytes, always),
          unknown("R7", "direct offset", &F::direct_offset_bytes, always),
          unknown("R7", "direct memory", &F::direct_memory_bytes, always),
          unknown("R5", "serial", &F::serial, of_confirmation),
          unknown("R3", "mounts", &F::mounts, always),
          unknown("R3", "swaps", &F::swaps, always),
          unknown("R3", "holders", &F::holders, always),
          unknown("R3", "openers", &F::openers, always),
          unknown("R3", "systems", &F::systems, of_device),
          unknown("R3", "whole device", &F::whole_device, of_device),
          unknown("R3", "physical sector", &F::physical_sector_bytes, of_device),
          unknown("R3", "slaves", &F::slaves, of_device),
          unknown("R4", "partitions", &F::partitions, of_device_change),
          unknown("R4", "signatures", &F::signatures, of_device_change),
          unknown("R3", "same serial", &F::same_serial, of_device_change),
          unknown("R6", "discard support", &F::discard_supported, of_discard),
          unknown("R1", "made here", &F::created_here, of_file),
          unknown("R3", "links", &F::links, of_file),
          unknown("R8", "holes", &F::unwritten_bytes, of_found_file_read),
          unknown("R8", "file system", &F::file_system, of_file)};
}

std::vector<Objection> hazards() {
  using F = DeviceFacts;
  return {is("R8", "buffered", &F::direct, false, always),
          is("R2", "shared", &F::exclusive, false, always),
          is("R3", "read-only", &F::read_only, true, of_change),
          is("R3", "no size", &F::size_bytes, std::uint64_t{0}, always),
          is("R3", "no sector", &F::logical_sector_bytes, std::uint32_t{0}, always),
          is("R7", "no offset", &F::direct_offset_bytes, std::uint32_t{0}, always),
          is("R7", "no memory", &F::direct_memory_bytes, std::uint32_t{0}, always),
          is("R3", "half a sector", &F::physical_sector_bytes, std::uint32_t{700}, of_device),
          is("R5", "empty serial", &F::serial, std::string(), of_confirmation),
          found("R3", "mounted", &F::mounts, always),
          found("R3", "swap", &F::swaps, always),
          found("R3", "held", &F::holders, always),
          found("R3", "open", &F::openers, always),
          found("R3", "system", &F::systems, of_device),
          is("R3", "partition", &F::whole_device, false, of_device),
          found("R3", "composed", &F::slaves, of_device),
          found("R4", "partitioned", &F::partitions, of_device_change),
          found("R4", "signed", &F::signatures, of_device_change),
          found("R3", "twin", &F::same_serial, of_device_change),
          is("R6", "no discard", &F::discard_supported, false, of_discard),
          is("R3", "second name", &F::links, std::uint64_t{2},
             [](const auto& facts, const auto& intent) { return of_file(facts, intent) && of_change(facts, intent); }),
          is("R3", "no name", &F::links, std::uint64_t{0}, of_file),
          is("R8", "holes", &F::unwritten_bytes, std::uint64_t{4096}, of_found_file_read),
          is("R8", "tmpfs", &F::file_system, std::string("tmpfs"), of_file),
          {"R3", "contradiction", always, [](F& facts, Intent&) { facts.contradictions.push_back("one and two"); }},
          {"R5", "not confirmed", of_confirmation, [](F&, Intent& intent) { intent.destroy.reset(); }},
          {"R5", "another serial", of_confirmation, [](F&, Intent& intent) { intent.destroy = "S2"; }},
          {"R5", "yes", of_confirmation, [](F&, Intent& intent) { intent.destroy = "yes"; }},
          {"R5", "empty", of_confirmation, [](F&, Intent& intent) { intent.destroy = ""; }},
          {"R6", "no consent", of_discard, [](F&, Intent& intent) { intent.discard_consent = false; }},
          {"R7", "no request", always, [](F&, Intent& intent) { intent.depth = 0; }},
          {"R7", "too many", always, [](F&, Intent& intent) { intent.depth = Intent::kDepthMost + 1; }},
          {"R7", "empty range", always, [](F&, Intent& intent) { intent.range.end = intent.range.first; }},
          {"R7", "end first", always, [](F&, Intent& intent) { std::swap(intent.range.first, intent.range.end); }},
          {"R7", "beyond the end", always, [](F&, Intent& intent) { intent.range.end = std::uint64_t{1} << 62; }},
          {"R7", "guard band", always, [](F&, Intent& intent) { intent.guard_bytes = intent.range.first + 4096; }},
          {"R7", "all guard", always, [](F&, Intent& intent) { intent.guard_bytes = ~std::uint64_t{0}; }},
          {"R7", "no unit", always, [](F&, Intent& intent) { intent.unit_bytes = 0; }},
          {"R7", "odd unit", always, [](F&, Intent& intent) { intent.unit_bytes = 1000; }},
          {"R7", "odd range", always, [](F&, Intent& intent) { intent.range.first += 100; }},
          {"R7", "no buffers", always, [](F&, Intent& intent) { intent.memory_alignment_bytes = 0; }},
          {"R7", "odd buffers", always, [](F&, Intent& intent) { intent.memory_alignment_bytes = 101; }}};
}

std::vector<Objection> all_objections() {
  auto all = unknown_facts();
  const auto more = hazards();
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

// Facts and intent that nothing speaks against, drawn at random.
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
  const auto wish = random.below(3);
  intent = wish == 0 ? reading(facts) : wish == 1 ? writing(facts) : discarding(facts);
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

TEST_CASE("R1_an_intent_alters_nothing_unless_it_says_so") {
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

TEST_CASE("R1_a_file_that_this_run_has_made_needs_no_confirmation_and_one_with_contents_does") {
  auto intent = writing(idle_file(true));
  intent.destroy.reset();
  CHECK(permitted(idle_file(true), intent));
  CHECK(refused(idle_file(false), intent, "R5", "confirm with --destroy=target"));
  intent.destroy = "target";
  CHECK(permitted(idle_file(false), intent));
}

TEST_CASE("a_permit_is_made_by_the_decision_alone_and_there_is_one_of_it") {
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

TEST_CASE("a_permit_carries_the_identity_and_size_that_were_decided_upon") {
  const auto facts = idle_drive();
  const auto permit = permit_for(facts, writing(facts));
  CHECK(permit.identity() == *facts.identity);
  CHECK(permit.size_bytes() == *facts.size_bytes);
}

TEST_CASE("R2_to_R8_each_unknown_fact_and_each_hazard_alone_is_refused_with_its_rule") {
  for (const auto& facts : {idle_drive(), idle_file(true), idle_file(false)})
    for (const auto& intent : {reading(facts), writing(facts), discarding(facts)}) {
      REQUIRE(permitted(facts, intent));
      for (const auto& objection : all_objections()) {
        auto hindered = facts;
        auto spoiled = intent;
        objection.apply(hindered, spoiled);
        INFO(objection.rule << " " << objection.name << " writes " << intent.writes << " on " << facts.path);
        if (objection.matters(facts, intent))
          CHECK(refused(hindered, spoiled, objection.rule));
        else
          CHECK(permitted(hindered, spoiled));
      }
    }
}

TEST_CASE("R3_a_device_that_ends_within_a_sector_contradicts_itself_and_a_file_does_not") {
  auto drive = idle_drive();
  const auto intent = reading(drive);
  *drive.size_bytes += 100;
  CHECK(refused(drive, intent, "R3", "its size is not a whole number of sectors"));
  auto file = idle_file(false);
  const auto less = reading(file);
  *file.size_bytes += 100;
  CHECK(permitted(file, less));
}

TEST_CASE("R5_the_serial_number_must_be_typed_to_the_letter") {
  auto facts = idle_drive();
  facts.serial = "BTYG123 45";
  auto intent = writing(facts);
  CHECK(permitted(facts, intent));
  for (const char* typed : {"btyg123 45", "BTYG123", "BTYG123 45 ", "", "yes", "/dev/sdb", "*"}) {
    intent.destroy = typed;
    CHECK(refused(facts, intent, "R5"));
  }
}

TEST_CASE("R6_consent_to_write_is_no_consent_to_discard") {
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

// Judged a second time in numbers that cannot overflow.
TEST_CASE("R7_of_100000_transfers_none_outside_the_range_or_off_its_alignment_is_allowed") {
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
  CHECK(allowed > 10'000);  // the generator reaches both sides
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
    // Each at most once: turned round twice, a range is as it was.
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

TEST_CASE("R13_adding_any_hazard_to_a_permitted_set_or_taking_any_fact_from_it_refuses") {
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
