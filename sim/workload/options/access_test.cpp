// Effects of the access options: sizes, alignment, several files, reading back. Statistical bounds are at a significance of
// 0.1 %; the seeds are fixed, so a passing test keeps passing.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "sim/workload/file_choice.h"
#include "sim/workload/read_back.h"
#include "sim/workload/testing/jobs.h"
#include "sim/workload/testing/sequences.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

std::string problem(const std::string& lines) {
  const std::string message = job_refusal(job_text(lines));
  return message.empty() ? "accepted" : message;
}

bool refused(const std::string& lines, const std::string& by) { return problem(lines).find(by) != std::string::npos; }

Sequence issued(const std::string& lines, std::size_t most = 1'000'000) { return sequence(one_job(lines), 1, most); }

std::uint64_t length_of(const Access& access) { return access.length_bytes; }

Histogram sizes(const std::string& lines, std::size_t most = 10'000) { return histogram(issued(lines, most), length_of); }

bool is_share(double count, double of, double share) {
  return std::abs(count - of * share) < 3.29 * std::sqrt(of * share * (1 - share)) + 1e-9;
}

// "w0 r32": direction and offset in KiB.
std::string reported(const Sequence& all) {
  std::string text;
  for (const Access& a : all)
    text += (text.empty() ? "" : " ") + std::string(1, "rwt"[static_cast<std::size_t>(a.direction)]) +
            std::to_string(a.offset_bytes / 1024);
  return text;
}

std::string reported(const std::string& lines) { return reported(issued(lines)); }

std::vector<std::string> notes(const std::string& lines) {
  std::vector<std::string> all;
  for (const Note& note : parse(job_text(lines)).notes) all.push_back(note.text);
  return all;
}

bool noted(const std::string& lines, const std::string& text) {
  const auto all = notes(lines);
  return std::any_of(all.begin(), all.end(), [&](const std::string& note) { return note.find(text) != std::string::npos; });
}

}  // namespace

TEST_CASE("bssplit gives each size its share", "[workload]") {
  const Histogram seen = sizes("rw=randwrite\nnorandommap\nio_size=1g\nbssplit=4k/50:8k/30:64k/20");
  CHECK(seen.size() == 3);
  CHECK(is_share(seen.at(4096), 10'000, 0.5));
  CHECK(is_share(seen.at(8192), 10'000, 0.3));
  CHECK(is_share(seen.at(65536), 10'000, 0.2));
}

TEST_CASE("sizes without a percentage share what is left", "[workload]") {
  const Histogram seen = sizes("rw=randwrite\nnorandommap\nio_size=1g\nbssplit=4k:8k/:16k/10");
  CHECK(is_share(seen.at(4096), 10'000, 0.45));
  CHECK(is_share(seen.at(8192), 10'000, 0.45));
}

TEST_CASE("bssplit may differ by direction", "[workload]") {
  const Sequence all = issued("rw=randrw\nnorandommap\nio_size=1g\nbssplit=4k/50:8k/50,64k/100", 5000);
  for (const Access& a : all) CHECK((a.length_bytes == 65536) == (a.direction == Direction::write));
  CHECK(refused("bssplit=4k/100,8k/100,16k/100,32k/100", "too many lists of block sizes"));
}

TEST_CASE("sizes of a split are rounded down to the smallest, as in fio", "[workload]") {
  const Histogram seen = sizes("rw=write\nbssplit=12k/50:64k/50");
  CHECK(seen.size() == 2);
  CHECK(seen.count(60 * 1024) == 1);
  CHECK(noted("rw=write\nbssplit=12k/50:64k/50", "rounded down"));
}

TEST_CASE("bssplit and bsrange override bs, and exclude each other", "[workload]") {
  CHECK(sizes("rw=write\nbs=1m\nbsrange=4k-8k").rbegin()->first == 8192);
  CHECK(sizes("rw=write\nbssplit=16k/100\nbs=1m").rbegin()->first == 16384);
  CHECK(refused("rw=write\nbssplit=16k/100\nbsrange=4k-8k", "one of the two"));
  CHECK(one_job("rw=write\nblocksize_range=8k:4k").sizes[1].least == 4096);
}

TEST_CASE("bsrange draws as fio does", "[workload]") {
  const Histogram even = sizes("rw=randwrite\nnorandommap\nio_size=1g\nbsrange=4k-64k");
  CHECK(even.size() == 16);
  for (const auto& [bytes, count] : even) CHECK(is_share(count, 10'000, 1.0 / 16));
  const Histogram odd = sizes("rw=randwrite\nnorandommap\nio_size=1g\nbsrange=6k-20k");
  CHECK(is_share(odd.at(6144), 10'000, 0.3));
  CHECK(is_share(odd.at(20480), 10'000, 0.1));
}

TEST_CASE("bs_unaligned allows any whole number of sectors in the range", "[workload]") {
  const Histogram seen = sizes("rw=randwrite\nnorandommap\nio_size=1g\nbsrange=4k-8k\nbs_unaligned");
  CHECK(seen.size() == 9);
  CHECK(seen.count(4608) == 1);
}

TEST_CASE("bs_is_seq_rand chooses sizes by sequential or random order", "[workload]") {
  for (const Access& a : issued("rw=write\nbs=4k,64k\nsize=64k\nbs_is_seq_rand")) CHECK(a.length_bytes == 4096);
  for (const Access& a : issued("rw=randwrite\nbs=4k,64k\nsize=1m\nbs_is_seq_rand")) CHECK(a.length_bytes == 65536);
  const Histogram mixed =
      sizes("rw=randwrite\nbs=4k,64k\nnorandommap\npercentage_random=50\nio_size=100m\nbs_is_seq_rand", 1000);
  CHECK(mixed.size() == 2);
  CHECK(refused("rw=randtrim\nbs_is_seq_rand", "which trims lack"));
}

TEST_CASE("blockalign aligns random requests and disables the map", "[workload]") {
  const Sequence all = issued("rw=randwrite\nbs=4k\nba=64k\nsize=1m\nio_size=400k");
  CHECK(std::all_of(all.begin(), all.end(), [](const Access& a) { return a.offset_bytes % 65536 == 0; }));
  CHECK(bytes_again(all) > 0);
  const Sequence fine = issued("rw=randwrite\nbs=64k\nblockalign=4k\nsize=256k\nio_size=64m");
  CHECK(histogram(fine, [](const Access& a) { return a.offset_bytes; }).size() == 49);  // 4 KiB steps up to 192 KiB
  CHECK(reported("rw=write\nbs=4k\nba=64k\nsize=12k") == "w0 w4 w8");  // sequential requests are not aligned
  CHECK(noted("rw=randwrite\nba=64k", "alignment other than the block size"));
  CHECK(refused("rw=randwrite\nba=64k\nrandom_generator=lfsr", "another alignment"));
}

TEST_CASE("with a map a request ends at the first block that is taken", "[workload]") {
  const Sequence all = issued("rw=randwrite\nbssplit=4k/50:64k/50\nsize=4m");
  CHECK(bytes_again(all) == 0);
  CHECK(bytes_of(all) == 4 * kMiB);
  CHECK(noted("rw=randwrite\nbssplit=4k/50:64k/50", "is cut"));
}

TEST_CASE("a block is written with the size with which it was trimmed", "[workload]") {
  for (const char* rw : {"randtrimwrite", "trimwrite"}) {
    const Sequence all = issued(std::string("rw=") + rw + "\nbssplit=16k/50:64k/50\nsize=4m");
    REQUIRE(all.size() % 2 == 0);
    std::set<std::uint64_t> lengths;
    for (std::size_t i = 0; i < all.size(); i += 2) {
      CHECK((all[i].direction == Direction::trim && all[i + 1].direction == Direction::write));
      CHECK((all[i].offset_bytes == all[i + 1].offset_bytes && all[i].length_bytes == all[i + 1].length_bytes));
      lengths.insert(all[i].length_bytes);
    }
    CHECK(lengths.size() >= 2);
  }
  CHECK(bytes_again(issued("rw=randtrim\nbssplit=16k/50:64k/50\nsize=4m")) == 0);
}

TEST_CASE("distributions have fio's names and defaults", "[workload]") {
  CHECK(one_job("random_distribution=zipf").spread.parameter == 1.1);
  CHECK(one_job("random_distribution=pareto").spread.parameter == 0.2);
  CHECK(one_job("random_distribution=zipf:0.9:0.25").spread.centre == 0.25);
  CHECK_FALSE(one_job("random_distribution=zipf:0.9:-1").spread.centre);
  CHECK(one_job("random_distribution=zoned:60/10:40").spread.zones[1][1].size == 90);
  CHECK(one_job("random_distribution=zoned:100/10,100/20").spread.zones[2][0].size == 20);
  CHECK(refused("random_distribution=zpif:1.2", "did you mean zipf?"));
  JobContext context;
  context.capacity_bytes = (std::uint64_t{1} << 41) + 512;
  const auto too_large = [&] {
    parse_job_file("[j]\nrw=randread\nbs=512\nioengine=libaio\nfilename=/dev/d\nrandom_distribution=zipf:1.2\n", "f",
                   context);
  };
  CHECK_THROWS_WITH(
      too_large(),
      "f:6: random_distribution: the region has 4294967297 blocks (got zipf:1.2; allowed: up to 4294967296 for "
      "zipf, pareto and normal)");
  CHECK(refused("random_distribution=random:1", "takes no parameter"));
  CHECK(refused("rw=randwrite\nsize=1m\nrandom_distribution=zoned_abs:100/2m", "beyond the region"));
}

TEST_CASE("what zonemode=zbd leaves out of the region, or of the options, is noted", "[workload]") {
  const std::string zbd = "rw=randwrite\nbs=4k\nzonemode=zbd\n";
  CHECK(parse(job_text(zbd + "zonesize=1m\noffset=1m\nsize=2m")).notes.empty());
  CHECK(noted(zbd + "zonesize=1m\nzonerange=2m", "zonerange has no effect with zonemode=zbd, as in fio"));
  CHECK(noted(zbd + "zonesize=1m\noffset=64k", "only whole zones are used, as in fio"));
  JobContext context;
  context.capacity_bytes = 64 * kMiB;
  context.zone_bytes = kMiB;  // of the drive
  CHECK(parse_job_file(job_text(zbd + "size=1z"), "z.fio", context).notes.empty());
  CHECK(parse_job_file(job_text(zbd + "size=1100k"), "z.fio", context).notes.size() == 1);
}

TEST_CASE("only zones form areas, and no distribution has a map", "[workload]") {
  for (const char* spread : {"zipf:1.2", "pareto:0.2", "normal:10", "zoned:90/10:10/90", "zoned_abs:90/1m:10/9m"}) {
    INFO(spread);
    const Sequence all = issued(std::string("rw=randwrite\nbs=4k\nsize=10m\nrandom_distribution=") + spread);
    CHECK(all.size() == 2560);
    CHECK(bytes_again(all) > 0);
    const double low =
        static_cast<double>(std::count_if(all.begin(), all.end(), [](const Access& a) { return a.offset_bytes < kMiB; }));
    const bool zoned = std::string(spread).starts_with("zoned");
    CHECK((low / 2560 > 0.85) == zoned);
    CHECK(noted(std::string("rw=randwrite\nrandom_distribution=") + spread, "without a random map"));
  }
}

TEST_CASE("percentage_random applies by direction", "[workload]") {
  CHECK(reported("rw=randwrite\nbs=64k\nsize=256k\npercentage_random=0") == "w0 w64 w128 w192");
  CHECK(reported("rw=randread\nbs=64k\nsize=256k\npercentage_random=0,100") == "r0 r64 r128 r192");
  const Sequence all = issued("rw=randwrite\nbs=4k\nnorandommap\npercentage_random=25", 10'000);
  CHECK(is_share(static_cast<double>(followers(all)), 10'000, 0.75 + 0.25 / 16384));
}

TEST_CASE("a run continues at random at the end of the file, but not at the end of a smaller region", "[workload]") {
  const std::string lines = "rw=randwrite\nbs=64k\nnorandommap\npercentage_random=10\nio_size=64m\n";
  CHECK(issued(lines).size() == 1024);
  const Sequence all = issued(lines + "size=1m");
  const auto last =
      std::find_if(all.begin(), all.end(), [](const Access& a) { return a.offset_bytes + a.length_bytes == kMiB; });
  REQUIRE(last < all.end() - 10);
  CHECK(reported(Sequence(last + 1, last + 10)) ==
        reported(Sequence(all.begin(), all.begin() + 9)));  // the next pass, in the same order
}

TEST_CASE("rw_sequencer=identical repeats each offset", "[workload]") {
  const Sequence all = issued("rw=randwrite:4\nbs=64k\nsize=1m\nrw_sequencer=identical");
  REQUIRE(all.size() == 16);
  for (std::size_t i = 0; i < 16; ++i) CHECK(all[i].offset_bytes == all[i / 4 * 4].offset_bytes);
  CHECK(histogram(all, [](const Access& a) { return a.offset_bytes; }).size() == 4);
  CHECK(reported("rw=write:64k\nbs=64k\nsize=256k\nrw_sequencer=identical") == reported("rw=write:64k\nbs=64k\nsize=256k"));
  CHECK(refused("rw_sequencer=identicall", "did you mean identical?"));
}

TEST_CASE("offset_increment moves the region from clone to clone", "[workload]") {
  const JobFile file = parse(job_text("rw=write\noffset=1m\nsize=2m\noffset_increment=4m\nnumjobs=3"));
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(file.jobs.at(i).region_first_bytes == (1 + 4 * i) * kMiB);
    CHECK(file.jobs.at(i).region_end_bytes == (3 + 4 * i) * kMiB);
  }
  CHECK(parse(job_text("offset_increment=25%\nnumjobs=2")).jobs.at(1).region_first_bytes == 16 * kMiB);
  CHECK(refused("offset_increment=40m\nnumjobs=3", "clone 3 begins beyond the end"));
}

TEST_CASE("offset_align aligns an offset in percent", "[workload]") {
  CHECK(one_job("offset=33%").region_first_bytes == 22147072);
  CHECK(one_job("offset=33%\noffset_align=1m").region_first_bytes == 22 * kMiB);
  CHECK(one_job("offset=100k\noffset_align=1m").region_first_bytes == 100 * kKiB);
}

TEST_CASE("several files are placed consecutively and used in turn", "[workload]") {
  const std::string lines = "[j]\nioengine=libaio\ndirect=1\nrw=write\nbs=32k\n";
  const auto order = [&](const std::string& more) { return reported(sequence(parse(lines + more).jobs.at(0))); };
  CHECK(order("nrfiles=3\nsize=192k") == "w0 w64 w128 w32 w96 w160");
  CHECK(order("filename=a:b\nsize=128k") == "w0 w64 w32 w96");
  CHECK(order("filename=a:b\nfilesize=64k\nsize=96k") == "w0 w64 w32");
  CHECK(order("nrfiles=3\nsize=192k\nfile_service_type=sequential") == "w0 w32 w64 w96 w128 w160");
  CHECK(order("nrfiles=3\nsize=192k\nfile_service_type=roundrobin:2") == "w0 w32 w64 w96 w128 w160");
  CHECK(order("nrfiles=3\nsize=192k\nopenfiles=2") == "w0 w64 w32 w96 w128 w160");
  CHECK(order("nrfiles=3\nsize=192k\nopenfiles=1") == "w0 w32 w64 w96 w128 w160");
  CHECK(order("nrfiles=2\nsize=128k\nloops=2") == "w0 w64 w32 w96 w0 w64 w32 w96");
  CHECK(order("nrfiles=2\nsize=128k\noffset=64k") == "w64 w192 w96 w224");
}

TEST_CASE("randomly chosen files are all used up", "[workload]") {
  const std::string lines = "[j]\nioengine=libaio\nrw=randwrite\nbs=4k\nnrfiles=5\nsize=1m\nfile_service_type=random";
  const Sequence all = sequence(parse(lines).jobs.at(0));
  CHECK(bytes_of(all) == 5 * (kMiB / 5 / 4096 * 4096));
  CHECK(bytes_again(all) == 0);
  std::size_t changes = 0;
  for (std::size_t i = 1; i < all.size(); ++i)
    changes += all[i].offset_bytes / (208 * kKiB) != all[i - 1].offset_bytes / (208 * kKiB);
  CHECK(changes > all.size() / 2);
}

// Requests by file, as published in issue 1155 of fio's repository: 16 files, file_service_type=zipf:0.6. The first rank
// lies in the tenth file; the sum of squared deviations is that of chance (chi-square with 15 degrees of freedom).
TEST_CASE("files are chosen by zipf as in a published run of fio", "[workload]") {
  constexpr std::array<double, 16> kPublished = {14140, 12936, 12122, 11310, 10657, 10096, 9607,  9177,
                                                 8748,  47175, 69704, 33575, 24941, 20252, 17622, 15608};
  const Job job =
      parse("[j]\nioengine=libaio\nrw=randwrite\nbs=4k\nnrfiles=16\nsize=1m\nfile_service_type=zipf:0.6").jobs.at(0);
  FileChoice choice(job.file_service, 16, 10'128);
  RandomStream random(3, "files");
  std::array<double, 16> counts{};
  constexpr int kDraws = 327'680;
  for (int i = 0; i < kDraws; ++i) ++counts[choice.next(random)];
  const double published = std::accumulate(kPublished.begin(), kPublished.end(), 0.0);
  double deviation = 0;
  for (std::size_t i = 0; i < 16; ++i) {
    const double expected = kPublished[i] / published * kDraws;
    deviation += (counts[i] - expected) * (counts[i] - expected) / (2 * expected);
  }
  CHECK(deviation < 37.7);  // exceeded by chance once in 1000
}

TEST_CASE("files chosen by a skewed law are all used up", "[workload]") {
  for (const char* law : {"zipf:1.2", "pareto:0.2", "normal:20", "gauss:10:0.1", "zipf:40"}) {
    INFO(law);
    const std::string lines = "[j]\nioengine=libaio\nrw=randwrite\nbs=4k\nnrfiles=5\nsize=1m\nfile_service_type=";
    const Sequence all = sequence(parse(lines + law).jobs.at(0));
    CHECK(bytes_of(all) == 5 * (kMiB / 5 / 4096 * 4096));
    CHECK(bytes_again(all) == 0);
  }
}

TEST_CASE("a verifying job trims a share of what it writes, and reads all of it back", "[workload]") {
  const auto order = [](const std::string& more) {
    return reported(sequence(one_job("rw=write\nbs=32k\nsize=128k\nverify=crc32c\n" + more)));
  };
  CHECK(order("trim_percentage=100\ntrim_backlog=1") == "w0 t0 w32 t32 w64 t64 w96 t96 r0 r32 r64 r96");
  CHECK(order("trim_percentage=100\ntrim_backlog=2\ntrim_backlog_batch=1") == "w0 w32 t0 w64 w96 t32 r0 r32 r64 r96");
  CHECK(order("trim_percentage=100\ntrim_backlog=2") == "w0 w32 t0 t32 w64 w96 t64 t96 r0 r32 r64 r96");
  CHECK(order("trim_percentage=100") == order(""));
  CHECK(order("trim_percentage=100\ntrim_backlog=1\ndo_verify=0") == "w0 w32 w64 w96");
}

TEST_CASE("a range of file sizes gives each file a different size", "[workload]") {
  const std::string lines = "[j]\nioengine=libaio\nrw=write\nbs=4k\nnrfiles=20\nfilesize=64k-128k\nrandseed=";
  const Job job = parse(lines + "1").jobs.at(0);
  std::set<std::uint64_t> seen;
  for (const FileRegion& file : job.files) {
    const std::uint64_t bytes = file.end_bytes - file.first_bytes;
    CHECK((bytes >= 64 * kKiB && bytes <= 128 * kKiB && bytes % 4096 == 0));
    seen.insert(bytes);
  }
  CHECK(seen.size() > 5);
  CHECK(parse(lines + "1").jobs.at(0).files[7].end_bytes == job.files[7].end_bytes);
  CHECK(parse(lines + "2").jobs.at(0).files.back().end_bytes != job.files.back().end_bytes);
}

TEST_CASE("jobs that name the same files share them", "[workload]") {
  const JobFile file =
      parse("[a]\nioengine=libaio\nfilename=x:y\nsize=128k\n[b]\nioengine=libaio\nfilename=y:z\nsize=128k\n");
  CHECK(file.jobs.at(0).files[1].first_bytes == file.jobs.at(1).files[0].first_bytes);
  CHECK(file.jobs.at(1).files[1].first_bytes == 128 * kKiB);
}

TEST_CASE("fill_device writes the whole device, whatever the size", "[workload]") {
  CHECK(one_job("rw=write\nbs=1m\nsize=4m\nfill_device=1").amount_bytes == 64 * kMiB);
  CHECK(one_job("rw=write\nbs=1m\nsize=4m\nfill_fs=0").amount_bytes == 4 * kMiB);
}

TEST_CASE("the next file is opened when one is done", "[workload]") {
  RandomStream random(1, "choice");
  FileChoice choice({FileService::Kind::roundrobin, {}, 1, 2}, 3);
  CHECK(choice.next(random) == 0);
  CHECK(choice.next(random) == 1);
  choice.done();
  std::set<std::size_t> left{choice.next(random), choice.next(random)};
  CHECK(left == std::set<std::size_t>{0, 2});
  choice.done();
  choice.next(random);
  choice.done();
  CHECK(choice.all_done());
}

TEST_CASE("data written twice is read back once, from the newer write", "[workload]") {
  ReadBack back(false);
  for (const auto& [offset, length] : {std::pair{10, 4}, {20, 4}, {12, 10}, {40, 4}, {0, 11}})
    back.wrote(static_cast<std::uint64_t>(offset), static_cast<std::uint64_t>(length));
  REQUIRE(back.count() == 3);  // (12, 10) replaced the first two
  CHECK(back.take().offset_bytes == 0);
  CHECK(back.take().offset_bytes == 12);
  CHECK(back.take().offset_bytes == 40);
}

TEST_CASE("verify reads back after the writes, in write order with a map", "[workload]") {
  CHECK(reported("rw=write\nbs=32k\nsize=96k\nverify=crc32c") == "w0 w32 w64 r0 r32 r64");
  const Sequence all = issued("rw=randwrite\nbs=32k\nsize=512k\nverify=md5");
  REQUIRE(all.size() == 32);
  for (std::size_t i = 0; i < 16; ++i) {
    CHECK(all[i].offset_bytes == all[i + 16].offset_bytes);
    CHECK((!all[i].verify && all[i + 16].verify && all[i + 16].direction == Direction::read));
  }
}

TEST_CASE("without a map each place is read back once, from the lowest up", "[workload]") {
  const Sequence all = issued("rw=randwrite\nbs=32k\nsize=512k\nnorandommap\nverify=crc32c");
  const Sequence reads(all.begin() + 16, all.end());
  CHECK(reads.size() < 16);
  for (std::size_t i = 1; i < reads.size(); ++i) CHECK(reads[i].offset_bytes > reads[i - 1].offset_bytes);
}

TEST_CASE("a backlog reads back between the writes, as fio does", "[workload]") {
  const std::string job = "rw=write\nbs=32k\nsize=256k\nverify=crc32c\n";
  CHECK(reported(job + "verify_backlog=3") == "w0 w32 w64 r0 r32 r64 w96 w128 w160 r96 r128 r160 w192 w224 r192 r224");
  CHECK(reported(job + "verify_backlog=3\nverify_backlog_batch=5") ==
        "w0 w32 w64 r0 r32 r64 w96 r96 w128 r128 w160 w192 w224 r160 r192 r224");
  CHECK(reported(job + "verify_backlog=2\nverify_backlog_batch=1") ==
        "w0 w32 r0 w64 r32 w96 r64 w128 r96 w160 r128 w192 r160 w224 r192 r224");
}

TEST_CASE("each pass is read back before the next one begins", "[workload]") {
  CHECK(reported("rw=write\nbs=32k\nsize=64k\nloops=2\nverify=crc32c") == "w0 w32 r0 r32 w0 w32 r0 r32");
  CHECK(reported("rw=write\nbs=32k\nsize=64k\nio_size=128k\nverify=crc32c") == "w0 w32 r0 r32");  // fio counts read bytes
}

TEST_CASE("do_verify, verify_only and verify=0 leave out a phase", "[workload]") {
  CHECK(reported("rw=write\nbs=32k\nsize=64k\nverify=crc32c\ndo_verify=0") == "w0 w32");
  CHECK(reported("rw=write\nbs=32k\nsize=64k\nverify=crc32c\nverify_only") == "r0 r32");
  CHECK(reported("rw=write\nbs=32k\nsize=64k\nverify=0") == "w0 w32");
  CHECK(reported("rw=write\nbs=32k\nsize=96k\nnumber_ios=2\nverify=crc32c") == "w0 w32 r0 r32");
  const Sequence reads = issued("rw=read\nbs=32k\nsize=64k\nverify=crc32c");
  CHECK(std::all_of(reads.begin(), reads.end(), [](const Access& a) { return a.verify; }));
  CHECK(refused("verify=crc32x", "did you mean crc32"));
}

TEST_CASE("trims that are written again are read back", "[workload]") {
  CHECK(reported("rw=trimwrite\nbs=32k\nsize=64k\nverify=crc32c") == "t0 w0 t32 w32 r0 r32");
  CHECK(reported("rw=trim\nbs=32k\nsize=64k\nverify=crc32c") == "t0 t32");
}

TEST_CASE("requests fetched in batches equal those fetched one by one", "[workload]") {
  for (const char* lines :
       {"rw=randwrite\nbs=4k\nsize=4m", "rw=randwrite\nbs=4k\nsize=4m\nnorandommap", "rw=randread\nbs=4k\nba=8k\nio_size=4m",
        "rw=randrw\nbs=4k\nsize=4m\nnorandommap", "rw=randwrite\nbs=4k\nsize=4m\nnorandommap\nnumber_ios=800"}) {
    INFO(lines);
    const Sequence single = issued(lines);
    Generator generator(one_job(lines), 1);
    Sequence all(2000);
    const std::size_t first = generator.next(std::span(all).first(700));
    all.resize(first + generator.next(std::span(all).subspan(first)));
    CHECK(all.size() == single.size());
    CHECK(reported(all) == reported(single));
  }
}

TEST_CASE("surprising behaviour of fio is noted", "[workload]") {
  CHECK(noted("rw=randwrite\nsize=1m\nloops=3", "identical order"));
  CHECK_FALSE(noted("rw=randwrite\nsize=1m\nloops=3\nrandom_distribution=zipf:1.2", "identical order"));
  CHECK(noted("rw=write\nbs=8kib\nkb_base=1000", "counts the suffixes kib"));
  CHECK(noted("rw=write\nfilesize=8m\nsize=1m", "size bounds the amount only"));
  CHECK(noted("rw=write\nnrfiles=3", "nrfiles has no effect"));
  CHECK(noted("rw=randwrite\nbssplit=4k/50:8k/50\nrandom_generator=lfsr", "lfsr has no effect"));
  CHECK(noted("rw=write\nrandom_distribution=zipf:1.2", "has no effect in a sequential job"));
}
