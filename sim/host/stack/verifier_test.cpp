#include "sim/host/stack/verifier.h"

#include <functional>
#include <map>

#include "sim/core/error.h"
#include "sim/host/host.h"
#include "sim/testing/devices.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

constexpr std::uint64_t kPage = 4096;

// Keeps versions by the rules of VersionRules, with faults that can be injected.
class Memory final : public OneServer {
 public:
  explicit Memory(VersionRules::Trimmed trimmed = VersionRules::Trimmed::nothing)
      : OneServer(std::chrono::microseconds(10)), trimmed_(trimmed) {}

  std::function<bool(std::uint64_t version)> loses = [](std::uint64_t) { return false; };
  std::function<std::uint64_t(std::uint64_t granule)> place = [](std::uint64_t granule) { return granule; };
  std::function<std::uint64_t(std::uint64_t granule, std::uint64_t version)> returns = [](std::uint64_t, std::uint64_t v) {
    return v;
  };
  std::uint64_t renumbers_at = 0;

  std::optional<VersionRules> report_contents(ContentLog* log) override {
    log_ = log;
    return VersionRules{kPage, kPage, trimmed_, newest_};
  }
  void submit(std::span<const Request> batch) override {
    OneServer::submit(batch);
    for (const Request& request : batch) execute(request);
  }

 private:
  void execute(const Request& request) {
    const std::uint64_t end = (request.offset_bytes + request.length_bytes + kPage - 1) / kPage;
    for (std::uint64_t g = request.offset_bytes / kPage; g < end; ++g) {
      if (request.op == Op::write && !loses(++newest_)) held_[place(g)] = newest_;
      if (request.op == Op::trim && trimmed_ == VersionRules::Trimmed::nothing) held_.erase(g);
      if (request.op == Op::read && log_ != nullptr) log_->returned.push_back({request.tag, g, returns(g, version(g))});
    }
    if (renumbers_at == 0 || newest_ < renumbers_at) return;
    for (auto& [granule, version] : held_) version += 1'000'000;
    newest_ += 1'000'000;
    renumbers_at = 0;
    if (log_ != nullptr) log_->renumbered = true;
  }
  std::uint64_t version(std::uint64_t granule) const {
    const auto found = held_.find(granule);
    return found == held_.end() ? 0 : found->second;
  }

  VersionRules::Trimmed trimmed_;
  std::uint64_t newest_ = 0;
  std::map<std::uint64_t, std::uint64_t> held_;
  ContentLog* log_ = nullptr;
};

const std::map<std::string, std::string>& kinds_of_jobs() {
  static const std::map<std::string, std::string> jobs = {
      {"sequential", "rw=write\nbs=8k\nsize=1m\n"},
      {"random", "iodepth=8\nrw=randwrite\nbs=4k\nsize=1m\nnorandommap\nio_size=4m\n"},
      {"mixed", "iodepth=4\nrw=randrw\nbs=4k\nsize=512k\nnorandommap\nio_size=4m\n"},
      {"backlog", "rw=randwrite\nbs=4k\nsize=1m\nverify_backlog=16\n"},
      {"bssplit", "rw=randwrite\nbssplit=4k/50:8k/30:2k/20\nsize=1m\n"},
      {"paced", "rw=write\nbs=8k\nsize=1m\nrate_iops=50000\nfsync=8\n"},
  };
  return jobs;
}

struct Trial {
  Trial(Memory& device, const std::string& text) : file(jobs_of(text)), stats(run_jobs(device, file.jobs, {})) {}
  std::uint64_t mismatches() const { return stats.verify.value().mismatches; }
  JobFile file;
  RunStats stats;
};

Trial trial(Memory& device, const std::string& job) { return Trial(device, "[j]\nverify=crc32c\n" + job); }

// Submits requests for pages to a verifier directly, without a host.
struct Bench {
  explicit Bench(Device& device, Nanoseconds begin = Nanoseconds{0}) : now(begin) {
    Job job;
    job.verify.on = true;
    verifier = Verifier::of(device, {job});
  }
  Status ask(Op op, std::uint64_t granule, std::uint64_t granules = 1) {
    Request request{++tag, op, granule * kPage, granules * kPage, now};
    request.verify = op == Op::read;
    verifier->submit({&request, 1});
    Completion done;
    REQUIRE(verifier->wait(kNever, {&done, 1}) == 1);
    now = done.completed;
    return done.status;
  }
  std::unique_ptr<Verifier> verifier;
  std::uint64_t tag = 0;
  Nanoseconds now;
};

}  // namespace

TEST_CASE("a correct device passes verification, whatever the order of requests") {
  for (const auto& [name, job] : kinds_of_jobs()) {
    INFO(name);
    Memory device;
    const Trial good = trial(device, job);
    CHECK(good.mismatches() == 0);
    CHECK(good.stats.verify->reads > 100);
    CHECK(good.stats.jobs[0].error == 0);
    CHECK(good.stats.verify->first_seen == 0);
  }
}

TEST_CASE("a lost write is found by every kind of job") {
  for (const auto& [name, job] : kinds_of_jobs()) {
    INFO(name);
    Memory device;
    device.loses = [](std::uint64_t version) { return version % 50 == 0; };
    CHECK(trial(device, job).mismatches() > 0);
  }
}

TEST_CASE("two swapped pages are found by every kind of job") {
  for (const auto& [name, job] : kinds_of_jobs()) {
    INFO(name);
    Memory device;
    device.place = [](std::uint64_t granule) { return granule == 20 ? 21 : granule == 21 ? 20 : granule; };
    CHECK(trial(device, job).mismatches() > 0);
  }
}

TEST_CASE("a page that returns older content is found by every kind of job") {
  for (const auto& [name, job] : kinds_of_jobs()) {
    INFO(name);
    Memory device;
    device.returns = [](std::uint64_t granule, std::uint64_t version) {
      return granule == 33 && version > 0 ? version - 1 : version;
    };
    CHECK(trial(device, job).mismatches() > 0);
  }
}

TEST_CASE("a mismatch is a failed request, an error of its job, and a report line with offset and versions") {
  Memory device;
  device.loses = [](std::uint64_t version) { return version == 3 || version == 5; };
  const Trial bad = trial(device, "rw=write\nbs=4k\nsize=64k\n");
  const JobStats& job = bad.stats.jobs[0];
  CHECK(job.failed[static_cast<std::size_t>(Direction::read)] == 2);
  CHECK(job.directions[static_cast<std::size_t>(Direction::read)].requests == 14);
  CHECK(job.error == 84);
  CHECK(job.failure() == "failed: read of 4096 bytes at 8192: at offset 8192 expected version 3, found nothing");
  CHECK(bad.stats.verify->lines ==
        std::vector<std::string>{"[j] read of 4096 bytes at 8192: at offset 8192 expected version 3, found nothing",
                                 "[j] read of 4096 bytes at 16384: at offset 16384 expected version 5, found nothing"});
}

TEST_CASE("verify_fatal ends the job at its first mismatch, other jobs continue") {
  for (const std::string pace : {"", "rate_iops=100000\n"}) {
    Memory device;
    device.loses = [](std::uint64_t version) { return version <= 16; };
    const Trial bad(device, "[a]\nverify=md5\nverify_fatal=1\nrw=write\nbs=4k\nsize=64k\n" + pace +
                                "[b]\nstonewall\nverify=md5\nrw=write\nbs=4k\nsize=64k\noffset=1m\n");
    CHECK(bad.stats.jobs[0].error == 84);
    CHECK(bad.stats.jobs[0].failure().starts_with("ended early: read of"));
    CHECK(bad.mismatches() == 1);
    CHECK(bad.stats.jobs[1].error == 0);
    CHECK(bad.stats.verify->reads == 1 + 16);
  }
}

TEST_CASE("jobs that write the same region are verified in order of submission") {
  Memory device;
  const Trial both(device,
                   "[global]\nverify=crc32c\niodepth=4\nnorandommap\nrw=randwrite\nbs=4k\nsize=128k\nio_size=2m\n"
                   "[a]\n[b]\n");
  CHECK(both.mismatches() == 0);
  CHECK(both.stats.verify->reads > 32);
}

TEST_CASE("only reads of jobs that verify are compared, but the writes of all jobs are tracked") {
  Memory device;
  device.loses = [](std::uint64_t version) { return version == 1; };
  const Trial one(device,
                  "[writer]\nrw=write\nbs=4k\nsize=64k\n[plain]\nstonewall\nrw=read\nbs=4k\nsize=64k\n"
                  "[judge]\nstonewall\nverify=crc32c\nrw=read\nbs=4k\nsize=64k\n");
  CHECK(one.stats.verify->reads == 16);
  CHECK(one.stats.jobs[1].error == 0);
  CHECK(one.stats.jobs[2].error == 84);
  CHECK(one.mismatches() == 1);
}

TEST_CASE("without a job that verifies, no verifier is created and no result reported") {
  Memory device;
  const JobFile file = jobs_of("[j]\nrw=write\nbs=4k\nsize=64k\n");
  CHECK(Verifier::of(device, file.jobs) == nullptr);
  CHECK_FALSE(run_jobs(device, file.jobs, {}).verify.has_value());
}

TEST_CASE("a job with verify is refused before the run if the device cannot report what reads return") {
  OneServer device(std::chrono::microseconds(10));
  const JobFile file = jobs_of("[j]\nrw=write\nbs=4k\nsize=64k\nverify=crc32c\n");
  try {
    run_jobs(device, file.jobs, {});
    FAIL("not refused");
  } catch (const ConfigError& error) {
    CHECK(std::string(error.what()).find("j.verify: cannot be run on one server") != std::string::npos);
  }
  CHECK(device.requests.empty());
}

TEST_CASE("data from before the run are accepted at the first read, and must stay the same") {
  Memory device;
  const JobFile past = jobs_of("[j]\nrw=write\nbs=4k\nsize=64k\n");
  Bench bench(device, run_jobs(device, past.jobs, {}).ended);
  CHECK(bench.ask(Op::read, 3) == Status::ok);
  CHECK(bench.verifier->stats().first_seen == 1);
  device.returns = [](std::uint64_t granule, std::uint64_t) { return granule; };  // granule 3 holds version 4
  CHECK(bench.ask(Op::read, 3) == Status::mismatch);
  CHECK(bench.verifier->mismatch(bench.tag) == "at offset 12288 expected version 4, found version 3");
}

TEST_CASE("a trimmed page returns nothing, or its old data where trims have no effect") {
  Memory clears, keeps(VersionRules::Trimmed::old_data);
  for (Memory* device : {&clears, &keeps}) {
    Bench bench(*device);
    bench.ask(Op::write, 0, 4);
    bench.ask(Op::trim, 1, 2);
    CHECK(bench.ask(Op::read, 0, 4) == Status::ok);
    device->returns = [](std::uint64_t granule, std::uint64_t version) { return granule == 1 ? 2 - version : version; };
    CHECK(bench.ask(Op::read, 0, 4) == Status::mismatch);
  }
}

TEST_CASE("a deferred trim may take effect at any time, but is never undone") {
  Memory device(VersionRules::Trimmed::either);  // returns the old data by default
  Bench bench(device);
  bench.ask(Op::write, 0);
  bench.ask(Op::trim, 0);
  CHECK(bench.ask(Op::read, 0) == Status::ok);
  device.returns = [](std::uint64_t, std::uint64_t) { return 0; };
  CHECK(bench.ask(Op::read, 0) == Status::ok);
  device.returns = [](std::uint64_t, std::uint64_t) { return 1; };
  CHECK(bench.ask(Op::read, 0) == Status::mismatch);
  bench.ask(Op::write, 0);
  device.returns = [](std::uint64_t, std::uint64_t version) { return version; };
  CHECK(bench.ask(Op::read, 0) == Status::ok);
}

TEST_CASE("versions are learned again after the device has renumbered them") {
  Memory device;
  device.renumbers_at = 10;
  Bench bench(device);
  bench.ask(Op::write, 0, 12);
  CHECK(bench.ask(Op::read, 0, 12) == Status::ok);
  CHECK(bench.verifier->stats().first_seen == 12);
  bench.ask(Op::write, 5);
  CHECK(bench.ask(Op::read, 0, 12) == Status::ok);
  CHECK(bench.verifier->stats().first_seen == 12);
}

TEST_CASE("a read that returns missing, surplus or wrong pages is a mismatch") {
  class Sloppy final : public OneServer {
   public:
    Sloppy() : OneServer(std::chrono::microseconds(10)) {}
    std::vector<std::uint64_t> granules;
    std::optional<VersionRules> report_contents(ContentLog* log) override {
      log_ = log;
      return VersionRules{kPage, kPage, VersionRules::Trimmed::nothing, 0};
    }
    void submit(std::span<const Request> batch) override {
      OneServer::submit(batch);
      for (const std::uint64_t granule : granules) log_->returned.push_back({batch[0].tag, granule, 0});
    }

   private:
    ContentLog* log_ = nullptr;
  };
  Sloppy device;
  Bench bench(device);
  device.granules = {7, 8};
  CHECK(bench.ask(Op::read, 7, 2) == Status::ok);
  for (const std::vector<std::uint64_t>& wrong : {std::vector<std::uint64_t>{7}, {7, 9}, {7, 8, 9}, {}}) {
    device.granules = wrong;
    CHECK(bench.ask(Op::read, 7, 2) == Status::mismatch);
  }
}
