// The guarantees of a served drive, tested without sockets and threads.
#include "bindings/nbd/served_drive.h"

#include <cerrno>
#include <cstring>
#include <deque>
#include <filesystem>
#include <map>
#include <set>

#include "sim/config/refusal.h"
#include "sim/core/random.h"
#include "sim/testing/files.h"
#include "sim/testing/test.h"
#include "validation/run/workload.h"

using namespace ftlab;

namespace {

constexpr std::uint64_t kPage = 4096;
constexpr char kDrive[] = "example-small-and-slow";

ServeOptions small_drive() {
  ServeOptions options;
  options.drive = kDrive;
  return options;
}

// A client that waits for each answer before it sends the next request.
class TestClient {
 public:
  explicit TestClient(ServedDrive& drive) : drive_(drive), power_on_(drive.power_ons()) {}

  int execute(ServedRequest request, Nanoseconds think = Nanoseconds{1000}) {
    request.power_on = power_on_;
    std::vector<Answer> answers;
    drive_.submit(request, drive_.now() + think, answers);
    while (answers.empty()) REQUIRE(drive_.wait(kNever, answers));
    REQUIRE(answers.size() == 1);
    return answers.front().error;
  }
  int write(std::uint64_t offset, const std::string& bytes, bool fua = false) {
    return execute({Op::write, offset, bytes.size(), fua, {}, std::as_bytes(std::span(bytes)), 0});
  }
  int read(std::uint64_t offset, std::string& bytes) {
    return execute({Op::read, offset, bytes.size(), false, std::as_writable_bytes(std::span(bytes)), {}, 0});
  }
  int trim(std::uint64_t offset, std::uint64_t length) { return execute({Op::trim, offset, length, false, {}, {}, 0}); }
  int flush() { return execute({Op::flush, 0, 0, false, {}, {}, 0}); }
  std::string content(std::uint64_t offset, std::uint64_t length) {
    std::string bytes(length, '?');
    REQUIRE(read(offset, bytes) == 0);
    return bytes;
  }
  void connect_anew() { power_on_ = drive_.power_ons(); }

 private:
  ServedDrive& drive_;
  std::uint64_t power_on_;
};

std::string page_of(char letter) { return std::string(kPage, letter); }
std::string stamped(std::uint64_t number) {
  std::string page(kPage, '\0');
  for (std::size_t i = 0; i + sizeof number <= page.size(); i += sizeof number)
    std::memcpy(page.data() + i, &number, sizeof number);
  return page;
}

// The pages that may hold non-zero bytes, as the drive reports.
std::set<std::uint64_t> written_pages(const ServedDrive& drive) {
  std::set<std::uint64_t> pages;
  for (const StoredRange& range : drive.written({0, drive.capacity_bytes()}))
    for (std::uint64_t at = range.offset; at < range.end(); at += kPage) pages.insert(at / kPage);
  return pages;
}

// The allowed contents of each page: the durable one, or any write or trim since then.
class Shadow {
 public:
  void wrote(std::uint64_t page, const std::string& bytes) { since_[page].push_back(bytes); }
  void flushed() {
    for (auto& [page, bytes] : since_) durable_[page] = bytes.back();
    since_.clear();
  }
  bool allows(std::uint64_t page, const std::string& bytes) const {
    const auto durable = durable_.find(page);
    if (bytes == (durable == durable_.end() ? page_of('\0') : durable->second)) return true;
    const auto since = since_.find(page);
    return since != since_.end() && std::find(since->second.begin(), since->second.end(), bytes) != since->second.end();
  }
  void holds(std::uint64_t page, const std::string& bytes) { durable_[page] = bytes; }
  void forget_what_is_not_durable() { since_.clear(); }

 private:
  std::map<std::uint64_t, std::string> durable_;
  std::map<std::uint64_t, std::vector<std::string>> since_;
};

struct LifeUnderCuts {
  std::uint64_t cuts = 0, changed_back = 0;
};

// Random writes, trims and flushes. Checks every page after each cut.
LifeUnderCuts live_under_cuts(ServeOptions options, std::uint64_t requests, std::uint64_t pages, bool flushes) {
  ServedDrive drive(options);
  TestClient client(drive);
  Shadow shadow;
  RandomStream random(options.seed, "a client under power cuts");
  std::map<std::uint64_t, std::string> latest;
  LifeUnderCuts life;
  for (std::uint64_t i = 1; i <= requests; ++i) {
    const std::uint64_t page = random.below(pages), kind = random.below(40);
    std::string asked;
    int error = 0;
    if (kind < 2 && flushes) {
      error = client.flush();
      if (error == 0) shadow.flushed();
    } else {
      const std::string bytes = asked = kind < 6 ? page_of('\0') : stamped(i);
      shadow.wrote(page, bytes);
      error = kind < 6 ? client.trim(page * kPage, kPage) : client.write(page * kPage, bytes, flushes && kind == 39);
      if (error == 0 && flushes && kind == 39) shadow.flushed();
      if (error == 0) latest[page] = bytes;
    }
    if (error == 0) continue;
    REQUIRE(error == ESHUTDOWN);
    ++life.cuts;
    client.connect_anew();
    for (std::uint64_t p = 0; p < pages; ++p) {
      std::string found(kPage, '?');
      if (client.read(p * kPage, found) == ESHUTDOWN) {  // another cut during the reads
        ++life.cuts;
        client.connect_anew();
        --p;
        continue;
      }
      INFO("page " << p << " after cut " << life.cuts << " at request " << i);
      REQUIRE(shadow.allows(p, found));
      const bool carried_out = p == page && found == asked;  // carried out without an answer
      life.changed_back += latest.count(p) == 1 && found != latest[p] && !carried_out;
      shadow.holds(p, found);
      latest[p] = found;
    }
    shadow.forget_what_is_not_durable();
  }
  return life;
}

// Clients that send requests of all kinds, up to 16 outstanding, and reconnect after each power cut.
void ask_at_random(ServedDrive& drive, std::size_t count) {
  RandomStream random(3, "clients");
  const std::string bytes = page_of('x') + page_of('y');
  std::string into(8 * kPage, ' ');
  std::vector<ServedRequest> requests(count);
  std::vector<Answer> answers;
  Nanoseconds at{0};
  for (ServedRequest& request : requests) {
    const std::uint64_t kind = random.below(20), length = 512 * (1 + random.below(16));
    const std::uint64_t offset = 512 * random.below(drive.capacity_bytes() / 512 - 16);
    request = {kind < 8    ? Op::read
               : kind < 18 ? Op::write
               : kind < 19 ? Op::trim
                           : Op::flush,
               offset,
               length,
               kind == 17,
               std::as_writable_bytes(std::span(into)).first(length),
               std::as_bytes(std::span(bytes)).first(length),
               drive.power_ons()};
    at = std::max(drive.now(), at) + Nanoseconds{random.below(400'000)};
    drive.submit(request, at, answers);
    if (random.chance(1, 3)) drive.wait(at + Nanoseconds{random.below(300'000)}, answers);  // as wall time passes
    while (drive.outstanding() > random.below(16)) drive.wait(kNever, answers);
  }
  while (drive.outstanding() > 0) drive.wait(kNever, answers);
  REQUIRE(answers.size() == requests.size());
}

// Serves a drive, replays the recording and compares the two. Returns the number of power cuts.
std::size_t replays(const ServeOptions& options, std::size_t requests) {
  ServedDrive drive(options);
  ask_at_random(drive, requests);
  const auto finished = drive.finish({}, 1);
  CHECK(finished.result.failed_checks.empty());
  std::vector<Note> notes;
  const auto again = options.load.empty()
                         ? new_device(load_drive(options.drive, options.settings, options.host), Clock::timed, options.seed)
                         : loaded_device(options.load, {}, options.host, options.settings, Clock::timed, notes);
  const RunWorkload workload = load_workload(options.record, {}, {}, again->user_bytes(), false);
  const RunStats stats = again->run(workload, HostOptions{});
  const Result replayed = again->result(workload.jobs(), stats, {}, workload.report(stats), nullptr);
  CHECK(replayed.failed_checks.empty());
  CHECK(replayed.ftlab["signature"] == finished.result.ftlab["signature"]);
  CHECK(replayed.ftlab["state_signature"] == finished.result.ftlab["state_signature"]);
  const auto& cuts = finished.result.ftlab["served"]["power_cuts"];
  CHECK(replayed.ftlab["trace"].value("power_cuts", nlohmann::ordered_json::array()) == cuts);
  CHECK(replayed.ftlab["trace"].value("requests_held_up", 0) == 0);
  return cuts.size();
}

}  // namespace

TEST_CASE("data reads back as written and trimmed data as zeros, with the bytes in memory or in a file") {
  const TestFolder folder;
  for (const bool in_file : {false, true}) {
    ServeOptions options = small_drive();
    if (in_file) options.data = folder / "bytes";
    ServedDrive drive(options);
    TestClient client(drive);
    CHECK(client.content(0, 512) == std::string(512, '\0'));
    CHECK(client.write(3 * kPage, page_of('a') + page_of('b')) == 0);
    CHECK(client.write(4 * kPage - 512, std::string(1024, 'c')) == 0);
    CHECK(client.content(4 * kPage - 1024, 2048) == std::string(512, 'a') + std::string(1024, 'c') + std::string(512, 'b'));
    CHECK(client.trim(3 * kPage, kPage + 512) == 0);  // the second page is not covered entirely
    CHECK(client.content(3 * kPage, 2 * kPage) == page_of('\0') + std::string(512, 'c') + std::string(kPage - 512, 'b'));
    CHECK(client.flush() == 0);
  }
}

TEST_CASE("unwritten and trimmed ranges are holes between the written ones") {
  for (const bool loses : {false, true}) {
    ServeOptions options = small_drive();
    if (loses) options.inject = {"power-cut@requests:1000"};
    ServedDrive drive(options);
    TestClient client(drive);
    CHECK(written_pages(drive).empty());
    CHECK(client.write(3 * kPage, page_of('a') + page_of('b')) == 0);
    CHECK(client.write(40 * kPage, page_of('c') + page_of('d') + page_of('e')) == 0);
    CHECK(client.trim(4 * kPage, kPage) == 0);
    CHECK(client.trim(41 * kPage, kPage) == 0);
    CHECK(written_pages(drive) == std::set<std::uint64_t>{3, 40, 42});
    CHECK(client.flush() == 0);
    CHECK(written_pages(drive) == std::set<std::uint64_t>{3, 40, 42});
    CHECK(client.write(41 * kPage, page_of('f')) == 0);
    CHECK(client.trim(3 * kPage, kPage) == 0);
    CHECK(written_pages(drive) == std::set<std::uint64_t>{40, 41, 42});
    const std::vector<StoredRange> part = drive.written({40 * kPage + 512, kPage});
    REQUIRE(part.size() == 1);
    CHECK((part[0].offset == 40 * kPage + 512 && part[0].length == kPage));
  }
}

TEST_CASE("bytes outside the ranges reported as written read as zeros") {
  const TestFolder folder;
  for (const char* const kind : {"memory", "file", "power cuts"}) {
    ServeOptions options = small_drive();
    if (*kind == 'f') options.data = folder / "bytes";
    if (*kind == 'p') options.inject = {"power-cut@random:1:50"};
    ServedDrive drive(options);
    TestClient client(drive);
    RandomStream random(11, "a client that asks for holes");
    std::uint64_t holes = 0;
    for (std::uint64_t i = 1; i <= 600; ++i) {
      const std::uint64_t offset = 512 * random.below(512), length = 512 * (1 + random.below(64)), what = random.below(20);
      const int error = what < 12   ? client.write(offset, std::string(length, static_cast<char>('a' + i % 26)))
                        : what < 19 ? client.trim(offset, length)
                                    : client.flush();
      if (error == ESHUTDOWN) client.connect_anew();
      if (i % 20 != 0) continue;
      std::uint64_t at = 0;
      std::vector<StoredRange> data = drive.written({0, 600 * 512});
      data.push_back({600 * 512, 0});
      for (const StoredRange& range : data) {
        REQUIRE(range.offset >= at);
        std::string bytes(range.offset - at, '?');
        holes += !bytes.empty();
        if (!bytes.empty() && client.read(at, bytes) == 0) REQUIRE(bytes == std::string(bytes.size(), '\0'));
        at = range.end();
      }
    }
    CHECK(holes > 30);
  }
}

TEST_CASE("a recording of a served drive replays to the same signature") {
  const TestFolder folder;
  ServeOptions options = small_drive();
  options.record = folder / "trace";
  CHECK(replays(options, 5000) == 0);
}

TEST_CASE("a recording with power cuts replays to the same signature, and each cut to the same damage") {
  const TestFolder folder;
  const std::vector<std::vector<std::string>> kinds = {
      {},
      {"ftl.write_buffer.power_loss_protected=true"},
      {"ftl.write_buffer.write_back=false"},
      {"ftl.mapping.scheme=demand", "ftl.mapping.ram_bytes=8192", "ftl.mapping.cache_unit=page", "ftl.mapping.eviction=lru"},
      {"ftl.compression={\"slot_bytes\":512,\"header_bytes\":0,\"efficiency_permille\":900}"},
      {"endurance.program_erase_limit=100000"},
  };
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    INFO("kind " << kind);
    ServeOptions options = small_drive();
    options.settings = kinds[kind];
    options.seed = 1 + kind;
    options.record = folder / ("trace" + std::to_string(kind));
    options.inject = {"power-cut@random:" + std::to_string(kind) + ":60", "power-cut@requests:500", "power-cut@time:0.3"};
    CHECK(replays(options, 4000) > 20);
  }
}

TEST_CASE("a recording of an aged drive on a host with software latency replays to the same signature") {
  const TestFolder folder;
  ServeOptions options = small_drive();
  options.save = folder / "state";
  ServedDrive past(options);
  ask_at_random(past, 3000);
  past.finish({}, 1);
  options = ServeOptions{};
  options.load = folder / "state";
  options.host = "desktop";
  options.record = folder / "trace";
  options.inject = {"power-cut@random:9:40"};
  CHECK(replays(options, 3000) > 20);
}

TEST_CASE("a replay on another drive design goes through the same power cuts") {
  const TestFolder folder;
  ServeOptions options = small_drive();
  options.record = folder / "trace";
  options.inject = {"power-cut@random:5:40"};
  const std::size_t cuts = replays(options, 2000);
  for (const char* const setting : {"nand.program_ns=9000000", "endurance.program_erase_limit=100000", "ftl.frontiers=one",
                                    "ftl.write_buffer.power_loss_protected=true"}) {
    INFO(setting);
    const auto other = new_device(load_drive(kDrive, {setting}), Clock::timed, 1);
    const RunWorkload workload = load_workload(options.record, {}, {}, other->user_bytes(), false);
    const RunStats stats = other->run(workload, HostOptions{});
    const Result result = other->result(workload.jobs(), stats, {}, workload.report(stats), nullptr);
    CHECK(result.failed_checks.empty());
    CHECK(result.ftlab["trace"]["power_cuts"].size() == cuts);
    // Flash that is slower or completes its operations at a cut is ready later.
    CHECK((result.ftlab["trace"]["requests_held_up"] > 0) == (setting != std::string("ftl.frontiers=one")));
  }
}

TEST_CASE("after a power cut each page holds its flushed content or a later write or trim") {
  ServeOptions options = small_drive();
  options.inject = {"power-cut@random:7:60"};
  const LifeUnderCuts life = live_under_cuts(options, 6000, 48, true);
  CHECK(life.cuts > 40);
  CHECK(life.changed_back > 0);  // otherwise the test is void
}

TEST_CASE("the durability guarantee holds with many requests outstanding, several of them to one page") {
  constexpr std::uint64_t kPages = 24;
  ServeOptions options = small_drive();
  options.inject = {"power-cut@random:11:80"};
  ServedDrive drive(options);
  RandomStream random(12, "many at once");
  struct Asked {
    ServedRequest request;
    std::string bytes;
    std::size_t mark = 0;  // flushes only: number of requests submitted before it
  };
  std::deque<Asked> asked;  // since the last cut; requests point into it
  std::size_t settled = 0, cuts = 0;
  std::vector<std::string> durable(kPages, page_of('\0'));
  std::vector<Answer> answers;
  const auto look_at_all = [&] {
    TestClient client(drive);
    std::vector<std::string> found;
    while (found.size() < kPages) {
      std::string bytes(kPage, '?');
      if (client.read(found.size() * kPage, bytes) == ESHUTDOWN)
        client.connect_anew();
      else
        found.push_back(bytes);
    }
    for (std::uint64_t p = 0; p < kPages; ++p) {
      bool allowed = found[p] == durable[p];
      for (std::size_t i = settled; i < asked.size(); ++i) {
        const ServedRequest& request = asked[i].request;
        allowed = allowed || (request.op != Op::flush && request.offset == p * kPage && found[p] == asked[i].bytes);
      }
      INFO("page " << p << " after cut " << cuts);
      REQUIRE(allowed);
    }
    durable = found;
    asked.clear();
    settled = 0;
  };
  for (std::uint64_t i = 1; i <= 6000; ++i) {
    const std::uint64_t kind = random.below(30), page = random.below(kPages);
    const Op op = kind == 0 ? Op::flush : kind < 4 ? Op::trim : Op::write;
    Asked& next = asked.emplace_back();
    next.bytes = op == Op::trim ? page_of('\0') : stamped(i);
    next.mark = asked.size() - 1;
    next.request = {op,
                    op == Op::flush ? 0 : page * kPage,
                    op == Op::flush ? 0 : kPage,
                    false,
                    {},
                    std::as_bytes(std::span(next.bytes)),
                    drive.power_ons()};
    drive.submit(next.request, drive.now() + Nanoseconds{random.below(100'000)}, answers);
    while (drive.outstanding() >= 8) drive.wait(kNever, answers);
    bool failed = false;
    for (const Answer& answer : answers) {
      failed = failed || answer.error == ESHUTDOWN;
      if (answer.error != 0 || answer.request->op != Op::flush) continue;
      const auto flush =
          std::find_if(asked.begin(), asked.end(), [&](const Asked& a) { return &a.request == answer.request; });
      for (; settled < flush->mark; ++settled) {
        const Asked& covered = asked[settled];
        if (covered.request.op != Op::flush) durable[covered.request.offset / kPage] = covered.bytes;
      }
    }
    answers.clear();
    if (!failed) continue;
    ++cuts;
    REQUIRE(drive.outstanding() == 0);
    look_at_all();
  }
  CHECK(cuts > 30);
}

TEST_CASE("a power cut loses no acknowledged write if the drive has power loss protection") {
  ServeOptions options = small_drive();
  options.settings = {"ftl.write_buffer.power_loss_protected=true"};
  options.inject = {"power-cut@random:8:60"};
  const LifeUnderCuts life = live_under_cuts(options, 3000, 48, false);
  CHECK(life.cuts > 20);
  CHECK(life.changed_back == 0);
}

TEST_CASE("without a flush a power cut may lose every write") {
  ServeOptions options = small_drive();
  options.inject = {"power-cut@requests:9"};
  ServedDrive drive(options);
  TestClient client(drive);
  for (char letter = 'a'; letter < 'i'; ++letter) CHECK(client.write(0, page_of(letter)) == 0);
  CHECK(client.write(0, page_of('i')) == ESHUTDOWN);
  CHECK(client.flush() == ESHUTDOWN);  // the client connected before the cut
  client.connect_anew();
  const std::string left = client.content(0, kPage);
  CHECK(left == std::string(kPage, left[0]));
  CHECK(drive.figures().power_cuts == 1);
  CHECK(drive.finish({}, 1).result.ftlab["served"]["power_cuts"][0]["requests_unanswered"] == 1);
}

TEST_CASE("an invalid request is refused and changes nothing") {
  ServedDrive drive(small_drive());
  TestClient client(drive);
  const std::string bytes(1000, 'n');
  const std::uint64_t end = drive.capacity_bytes();
  CHECK(client.write(0, bytes) == EINVAL);                           // not whole sectors
  CHECK(client.write(100, std::string(512, 'n')) == EINVAL);         // misaligned
  CHECK(client.write(end, std::string(512, 'n')) == ENOSPC);         // beyond the end
  CHECK(client.write(end - 512, std::string(1024, 'n')) == ENOSPC);  // across the end
  CHECK(client.trim(end - 512, 1024) == EINVAL);
  CHECK(client.trim(~std::uint64_t{511}, 512) == EINVAL);
  std::string into(512, '?');
  CHECK(client.read(~std::uint64_t{0} - 511, into) == EINVAL);
  CHECK(client.write(0, "") == EINVAL);
  CHECK(client.content(0, kPage) == page_of('\0'));
  CHECK(drive.figures().requests[static_cast<std::size_t>(Op::write)] == 0);
}

TEST_CASE("bytes in a file survive a killed server, and the next drive maps their pages") {
  const TestFolder folder;
  ServeOptions options = small_drive();
  options.data = folder / "bytes";
  {
    ServedDrive killed(options);
    TestClient client(killed);
    CHECK(client.write(8 * kPage, page_of('k')) == 0);
    CHECK(client.flush() == 0);
  }
  ServedDrive next(options);
  CHECK(next.notes().size() == 1);
  TestClient client(next);
  CHECK(client.content(8 * kPage, kPage) == page_of('k'));
  CHECK(next.finish({}, 1).stats.device_before.mapped_bytes >= kPage);
}

TEST_CASE("if power cuts are planned, the file of bytes holds durable data only") {
  const TestFolder folder;
  ServeOptions options = small_drive();
  options.data = folder / "bytes";
  options.inject = {"power-cut@requests:1000"};
  {
    ServedDrive killed(options);
    TestClient client(killed);
    CHECK(client.write(0, page_of('f')) == 0);
    CHECK(client.flush() == 0);
    CHECK(client.write(0, page_of('u')) == 0);
    CHECK(client.content(0, kPage) == page_of('u'));
  }
  options.inject.clear();
  ServedDrive next(options);
  CHECK(TestClient(next).content(0, kPage) == page_of('f'));
}

TEST_CASE("a served drive resumes from its saved state, and its result folder appears only at the end") {
  const TestFolder folder;
  ServeOptions options = small_drive();
  options.save = folder / "state";
  options.out = folder / "out";
  {
    ServedDrive drive(options);
    CHECK(TestClient(drive).write(0, page_of('s')) == 0);
    CHECK_FALSE(std::filesystem::exists(options.out));
    drive.finish({}, 1);
    CHECK(std::filesystem::exists(options.out + "/result.json"));
  }
  options.load = options.save;
  options.drive = options.save = options.out = {};
  ServedDrive next(options);
  CHECK(next.finish({}, 1).stats.device_before.mapped_bytes == kPage);
}

TEST_CASE("a disk is served without TRIM") {
  ServeOptions options;
  options.drive = "hgst-7k-100";
  ServedDrive drive(options);
  TestClient client(drive);
  CHECK(client.write(0, page_of('d')) == 0);
  CHECK(client.content(0, kPage) == page_of('d'));
  CHECK(client.trim(0, kPage) == EOPNOTSUPP);
}

TEST_CASE("options that cannot be served are refused before any file is created") {
  const TestFolder folder;
  const auto refused = [](const ServeOptions& options) { return refusal([&] { ServedDrive drive(options); }); };
  ServeOptions options;
  CHECK(refused(options) ==
        "ftlab serve: DRIVE: is missing (allowed: a drive of the library, the path of a drive file, or --load STATE)");
  options.drive = "hgst-7k-100";
  options.save = folder / "s";
  CHECK(refused(options) == "--save: is for SSDs; the state of a disk is not kept (got " + options.save + ")");
  options.save.clear();
  options.inject = {"power-cut@requests:1"};
  CHECK(refused(options) ==
        "--inject: is for SSDs; a disk has no write buffer that could lose anything (got power-cut@requests:1)");
  options.drive = kDrive;
  options.host = folder.write("h.json", R"({"kind": "host", "name": "h", "file_system": {"extent_bytes": 65536}})");
  CHECK(refused(options) ==
        "--host: host.file_system: lays out files, and a served drive has the file system of its client (got " +
            options.host + "; allowed: a host without file_system)");
  options.host.clear();
  options.drive = "example-small-and-slow-zoned";
  CHECK(refused(options) ==
        "ftlab serve: ftl.mapping.scheme: is a zoned namespace, and NBD has no commands for zones (got zoned; allowed: a "
        "conventional drive)");
  options.drive = kDrive;
  options.record = folder / "t";
  options.inject.clear();
  options.data = folder.write("b", "hello");
  CHECK(refused(options) ==
        "--data: " + options.data +
            " has another size than the drive (got 5; allowed: an empty file, or one of 52428800 bytes)");
  options.data = folder.path().string();
  CHECK(refused(options) == "--data: " + options.data + " cannot be opened: Is a directory");
  options.data = "/dev/null";
  CHECK(refused(options) == "--data: /dev/null is not a regular file");
  options.data = folder / "c";
  {
    ServeOptions first = small_drive();
    first.data = options.data;
    ServedDrive drive(first);
    CHECK(TestClient(drive).write(0, page_of('b')) == 0);
    CHECK(refused(options) == "--data: " + options.data + " is in use by another server");
  }
  CHECK(refused(options).starts_with("--record: cannot be used: the drive takes up "));
  options.data.clear();
  folder.write("t", "");
  CHECK(refused(options) == "--record: " + options.record + " cannot be made: File exists (allowed: a new file)");
}
