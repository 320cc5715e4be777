// Limits of values in drive files: the last accepted value and the first refused one.
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "models/nand/array/layout.h"
#include "sim/testing/test.h"
#include "validation/checks/reference/design_documents.h"

using namespace ftlab;

namespace {

bool says(const std::string& refusal, const char* words) { return refusal.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("failure rates are accepted up to every second operation of a superblock of eight blocks") {
  const auto erases = [](const char* per_billion) {
    return refusal("mortal", {std::string("endurance.erase_failures_per_billion=") + per_billion});
  };
  CHECK(erases("62500000") == "");
  CHECK(says(erases("62500001"), "every second erase of a superblock would fail: 8 blocks at once"));
}

TEST_CASE("the write buffer holds a multi-plane program and the slots of a page that begins in it") {
  const auto buffer = [](const char* design, const char* bytes) {
    return refusal(design, {std::string("ftl.write_buffer.bytes=") + bytes, "ftl.write_buffer.partial_pages=0"});
  };
  CHECK(buffer("page", "8192") == "");
  CHECK(says(buffer("page", "4096"), "must hold the pages of one multi-plane program (got 4096; allowed: at least 8192)"));
  CHECK(buffer("packed", "11776") == "");
  CHECK(says(buffer("packed", "11264"), "must hold the slots of one multi-plane program and of a page that begins there"));
}

TEST_CASE("the number of sectors named in a refusal is accepted") {
  const int blocks = GENERATE(48, 23, 61, 110);
  for (const std::string design : {"page", "packed", "slc", "demand pages", "block", "bast"}) {
    CAPTURE(design, blocks);
    const auto sectors = [&](std::uint64_t number) {
      return refusal(design,
                     {"geometry.blocks_per_plane=" + std::to_string(blocks), "user_sectors=" + std::to_string(number)});
    };
    const std::string reported = sectors(512u * static_cast<unsigned>(blocks));  // the whole flash
    const std::size_t at = reported.find("or at most ");
    REQUIRE(at != std::string::npos);
    const std::uint64_t most = std::stoull(reported.substr(at + std::strlen("or at most ")));
    CHECK(sectors(most).find("too little spare space") == std::string::npos);
    if (design != "demand pages")  // needs more translation pages on a larger drive
      CHECK(says(sectors(most + 8), "too little spare space"));
  }
}

TEST_CASE("a refusal for too little spare space shows the calculation") {
  CHECK(
      says(refusal("page", {"user_sectors=24576"}),
           "the flash has 48 superblocks, but needs 49 (of 64 pages, for 3072 logical pages and one stale page) + 1 (partly "
           "filled frontiers) + 1 (reserve) = 51 (got {...}; allowed: more superblocks, or at most 23544 user_sectors)"));
  CHECK(says(refusal("packed", {"user_sectors=18432"}),
             "needs 37 (of 512 slots, 7 of which may stay empty at the end, for 2304 logical pages of 8 slots and one stale "
             "page) + 1 (partly filled frontiers) + 2 (reserve) = 40"));
  CHECK(says(refusal("slc", {"user_sectors=24576"}), "pool 0 of the flash has 42 superblocks, but needs 49"));
  CHECK(says(refusal("bast", {"user_sectors=24576"}),
             "needs 48 (of 64 pages, for 3072 logical pages) + 4 (log superblocks) + 3 (merges) = 55"));
}

TEST_CASE("pools hold exactly all superblocks") {
  const auto pools = [](const char* second) {
    return refusal("pools", {R"(ftl.placement.pools=[{"logical_pages": 400, "superblocks": 16},
                                {"logical_pages": 1392, "superblocks": )" +
                             std::string(second) + "}]"});
  };
  CHECK(pools("32") == "");
  CHECK(says(pools("33"), "hold 49 superblocks, the flash has 48"));
  CHECK(says(pools("31"), "hold 47 superblocks, the flash has 48"));
}

TEST_CASE("a compressed mapping page is at most a multi-plane page of the flash") {
  CHECK(refusal("packed", {"ftl.mapping.page_bytes=8192"}) == "");
  CHECK(says(refusal("packed", {"ftl.mapping.page_bytes=16384"}), "must not exceed a multi-plane page of the flash"));
}

TEST_CASE("with the least spare space GC starts at the reserve and stops one above it") {
  // 48 superblocks of 64 pages: 46 for data and one stale page, one partly filled, one in reserve.
  const std::vector<std::string> fullest = {"user_sectors=23544", "ftl.frontiers=one", "ftl.gc.start_free_superblocks=1",
                                            "ftl.gc.idle.stop_free_superblocks=2"};
  const auto stop = [&](const char* superblocks) {
    std::vector<std::string> assignments = fullest;
    assignments.push_back(std::string("ftl.gc.stop_free_superblocks=") + superblocks);
    return refusal("page", assignments);
  };
  CHECK(stop("2") == "");
  CHECK(says(stop("3"), "ftl.gc.stop_free_superblocks: cannot be reached on a full drive"));
}

TEST_CASE("a map that just fits into its RAM has no translation pages") {
  const auto translation_pages = [](const char* design, std::uint64_t ram_bytes) {
    Node document = ftlab::document(design);
    set_by_path(document, "ftl.mapping.ram_bytes=" + std::to_string(ram_bytes));
    return read_drive(document).ftl.mapping.translation_pages;
  };
  CHECK(translation_pages("demand pages", 28 * 1024) == 0);  // 256 entries per page, 7168 host pages
  CHECK(translation_pages("demand pages", 28 * 1024 - 1) == 28);
  CHECK(translation_pages("demand entries", 1792 * 8) == 0);  // 1792 pages
  CHECK(translation_pages("demand entries", 1792 * 8 - 1) == 2);
  CHECK(says(refusal("host memory", {"ftl.mapping.ram_bytes=28672"}), "the whole map fits into ram_bytes"));
  CHECK(refusal("host memory", {"ftl.mapping.ram_bytes=28671"}) == "");
}

TEST_CASE("a map takes four bytes for each page or superblock that it addresses") {
  const auto bytes = [](const char* design) {
    const DriveConfig drive = read_drive(document(design));
    const Layout layout(drive.geometry, drive.ftl.superblock, drive.ftl.slot_bytes());
    return mapping_ram_bytes(drive.ftl.mapping, layout, drive.logical_pages());
  };
  CHECK(bytes("page") == 1792 * 4);
  CHECK(bytes("demand pages") == 8192);  // the configured RAM
  CHECK(bytes("extent") == 4000);
  CHECK(bytes("block") == (28 + 2) * 4);          // logical superblocks, and those with pages at fixed slots
  CHECK(bytes("bast") == (28 + 4 + 4 * 64) * 4);  // pages of the logs may be in any slot
}

TEST_CASE("over-provisioning is the flash beyond the user space, relative to the user space") {
  DriveConfig drive = read_drive(document("page"));  // 12 MiB of flash
  drive.user_bytes = 8 << 20;
  CHECK(drive.over_provisioning() == 0.5);
  drive.user_bytes = 12 << 20;
  CHECK(drive.over_provisioning() == 0);
}

TEST_CASE("an extent map has room for three extents per region") {
  CHECK(refusal("extent", {"ftl.mapping.ram_bytes=336"}) == "");  // 14 regions, 8 bytes each
  CHECK(says(refusal("extent", {"ftl.mapping.ram_bytes=335"}),
             "holds 41 extents of 8 bytes; 14 regions of 128 pages need three each (got 335; allowed: at least 336)"));
  CHECK(says(refusal("extent", {"ftl.mapping.region_pages=127", "ftl.mapping.ram_bytes=336"}), "15 regions of 127 pages"));
}

TEST_CASE("a hybrid mapping has at least one log superblock, and FAST has one sequential and one random") {
  for (const std::string design : {"block", "bast"}) {
    CHECK(refusal(design, {"ftl.mapping.log_superblocks=1"}) == "");
    CHECK(says(refusal(design, {"ftl.mapping.log_superblocks=0"}), "is out of range (got 0; allowed: 1 to "));
  }
  CHECK(refusal("fast", {"ftl.mapping.log_superblocks=2"}) == "");
  CHECK(says(refusal("fast", {"ftl.mapping.log_superblocks=1"}), "is out of range (got 1; allowed: 2 to "));
}

TEST_CASE("a mapping cache holds at least one translation page or entry") {
  const auto cache = [](const char* design) { return read_drive(document(design)).ftl.mapping.cache; };
  CHECK(cache("demand pages").page_bytes == 1024);
  CHECK(cache("demand pages").entries_per_page == 256);
  CHECK(cache("demand entries").page_bytes == 4096);
  const char* one_byte = "ftl.mapping.ram_bytes=1";
  CHECK(says(refusal("demand pages", {one_byte}), "must hold at least one translation page (1024)"));
  CHECK(says(refusal("demand entries", {one_byte}), "must hold at least one entry (8)"));
}

TEST_CASE("the refresh threshold is at most 32 retry steps") {
  CHECK(refusal("cells", {"ftl.refresh.retry_steps=32"}) == "");
  CHECK(says(refusal("cells", {"ftl.refresh.retry_steps=33"}), "is out of range (got 33; allowed: 1 to 32)"));
}

TEST_CASE("a die time share is at least a thousandth, with a burst of at least a nanosecond") {
  const auto share = [](const std::string& permille, const std::string& burst) {
    return refusal("page", {"nand.scheduling=share", "nand.scheduling_share_permille=" + permille,
                            "nand.scheduling_burst_ns=" + burst});
  };
  CHECK(share("1", "1") == "");
  CHECK(share("1000", "1") == "");
  CHECK(says(share("0", "1"), "nand.scheduling_share_permille: is out of range (got 0"));
  CHECK(says(share("1001", "1"), "nand.scheduling_share_permille: is out of range (got 1001"));
  CHECK(says(share("1", "0"), "nand.scheduling_burst_ns: is out of range (got 0"));
}

TEST_CASE("the default specimen of a drive is the first") {
  for (const auto& [design, object] : {std::pair{"cells", "cells"}, {"mortal", "endurance"}}) {
    CAPTURE(design);
    Node file = document(design);
    for (Node::Member& member : file.members)
      if (member.first == object)
        std::erase_if(member.second.members, [](const auto& it) { return it.first == "specimen"; });
    const DriveConfig drive = read_drive(file);
    CHECK((drive.cells.specimen == 1 && drive.endurance.specimen == 1));
    CHECK(refusal(design, {std::string(object) + ".specimen=0"}) == "");
    CHECK(refusal(design, {std::string(object) + ".specimen=4294967295"}) == "");
    CHECK(says(refusal(design, {std::string(object) + ".specimen=4294967296"}), "is out of range"));
  }
}

TEST_CASE("keys missing in a drive file have their defaults") {
  Node least = document("page");
  set_by_path(least, "ftl.superblock={}");
  const DriveConfig drive = read_drive(least);
  CHECK(drive.smart == "generic");
  CHECK(drive.ftl.superblock.dies == 4);
  CHECK(drive.ftl.superblock.planes == 2);
  CHECK_FALSE(drive.ftl.superblock.parity);
  CHECK(drive.ftl.gc.ties == Bins::Keeping::lifo);
  CHECK_FALSE(drive.ftl.gc.even_pace);
  CHECK_FALSE(drive.ftl.gc.shuffle);
  CHECK_FALSE(drive.ftl.gc.copyback);
  CHECK(drive.ftl.trim.granularity_bytes == 4096);
  CHECK(drive.ftl.trim.queued);
  CHECK_FALSE(drive.ftl.buffer.coalesce);
  CHECK_FALSE(drive.ftl.buffer.power_loss_protected);
  CHECK(drive.ftl.buffer.write_back);
  CHECK_FALSE(drive.controller.write_pages_beside_data);
  CHECK(scheduling_policy_kinds()[drive.nand.scheduling.policy].name == "fifo");
  CHECK_FALSE(drive.nand.independent_plane_reads);
  CHECK_FALSE(drive.nand.cache_program);
  CHECK_FALSE(drive.nand.cache_read);
  CHECK(drive.nand.page_order == PageOrder::interleaved);
}

namespace {

// Adds a key that no object has to each object in turn.
void check_every_object(const std::string& design, const Node& object, const std::string& path) {
  CAPTURE(design, path);
  CHECK(says(refusal(design, {path + "nonsense=1"}), "nonsense"));
  for (const Node::Member& member : object.members)
    if (member.second.kind == Node::Kind::object) check_every_object(design, member.second, path + member.first + ".");
}

}  // namespace

TEST_CASE("an unknown key is refused in every object") {
  for (const auto& [design, unused] : designs()) check_every_object(design, document(design), "");
}

TEST_CASE("a drive that uses cells with one bit must state their error rate, even a thousandth") {
  const std::string cache = R"(ftl.slc_cache={"superblocks": 4, "when_full": "direct"})";
  CHECK(says(refusal("cells", {cache}), "has no slc_errors_permille, and there is an slc_cache"));
  CHECK(refusal("cells", {cache, "cells.slc_errors_permille=1"}) == "");
}

TEST_CASE("a read has up to 32 retry steps with different voltages") {
  const auto steps = [](int count) {
    std::string list;
    for (int i = 0; i < count; ++i)
      list += (i > 0 ? "," : "") + std::string(R"({"errors_permille": 500, "array_reads": 1})");
    return refusal("cells", {"cells.retry=[" + list + "]"});
  };
  CHECK(steps(32) == "");
  CHECK(says(steps(33), "cells.retry: has too many steps"));
  CHECK(says(steps(33), "at most 32"));
}

TEST_CASE("worn flash programs in half the time at least and erases in 21 times the time at most") {
  const auto worn = [](const char* key, int permille, int erases) {
    return refusal("read first", {"nand.wear." + std::string(key) + "=" + std::to_string(permille),
                                  "nand.wear.until_erases=" + std::to_string(erases)});
  };
  CHECK(worn("program_faster_permille_per_1000_erases", 5'000, 100) == "");
  CHECK(says(worn("program_faster_permille_per_1000_erases", 5'010, 100), "comes to 501 permille at until_erases"));
  CHECK(worn("erase_slower_permille_per_1000_erases", 100'000, 200) == "");
  CHECK(says(worn("erase_slower_permille_per_1000_erases", 100'000, 201),
             "erase_slower_permille_per_1000_erases: comes to 20100 permille at until_erases"));
}

TEST_CASE("a drive is accepted only in a matching port") {
  const auto port = [](const char* design, const char* kind) {
    return refusal(design, {std::string(R"(host={"port": {"kind": ")") + kind + R"("}})"});
  };
  CHECK(port("page", "sata-6") == "");
  CHECK(says(port("page", "nvme"), "host.port"));
  CHECK(says(port("host memory", "sata-6"),
             "host.port.kind: is a port of sata-6, and the drive's link is nvme (got \"sata-6\"; allowed: a port that the "
             "drive fits into)"));
}

TEST_CASE("a drive file may contain a description") { CHECK(refusal("page", {"about=what this drive is for"}) == ""); }

TEST_CASE("an unknown policy is refused with the nearest name") {
  const std::string reported = refusal("page", {"ftl.gc.policy=gredy"});
  CHECK(says(reported, "ftl.gc.policy: is not a known name (got \"gredy\"; allowed: "));
  CHECK(says(reported, "did you mean greedy?)"));
}
