#include "bindings/nbd/served_drive.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <spdlog/fmt/fmt.h>

#include "bindings/nbd/serving_clock.h"
#include "sim/core/error.h"
#include "sim/counters.h"
#include "validation/results/machine_memory.h"

namespace ftlab {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kTakenUpAtOnce = std::uint64_t{1} << 20;

int error_of(Status status) {
  switch (status) {
    case Status::ok: return 0;
    case Status::no_space: return ENOSPC;
    case Status::read_only: return EROFS;
    case Status::invalid: return EINVAL;
    default: return EIO;
  }
}

// The job that tools reading fio's results look for.
Job described() {
  Job job;
  job.name = "served";
  job.rw = "randrw";
  job.percentiles = {1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99};
  job.options = {{"ioengine", "nbd"}, {"rw", job.rw}, {"numjobs", "1"}};
  return job;
}

// Memory that the machine has left when serving begins, less a reserve for the drive itself.
std::uint64_t room_for_bytes() {
  constexpr std::uint64_t kKept = std::uint64_t{256} << 20, kUnlimited = ~std::uint64_t{0};
  const std::uint64_t free = free_memory_bytes().value_or(kUnlimited);
  return free == kUnlimited ? free : free - std::min(free, kKept);
}

// One second, or more on a fast clock: one row of the series per simulated second would fill the memory within days.
Nanoseconds series_interval_for(const ServingClock& clock) {
  constexpr Nanoseconds kSecond{1'000'000'000};
  return std::max(kSecond, clock.at(kSecond) / kSecond * kSecond);
}

}  // namespace

ServedDrive::ServedDrive(const ServeOptions& options)
    : options_(options), plan_(options.inject, options.seed), device_(made()), pages_(pages_of_device()) {
  refuse_impossible_workload();
  job_file_.jobs.push_back(described());
  Drive* const ssd = device_->ssd();
  const bool lossy = !plan_.empty() && pages_.rules.may_lose;
  if (!options.out.empty()) outputs_.folder.emplace(options.out, options.replace, std::vector{options.save});
  if (!options.save.empty())
    outputs_.state.emplace(options.save, outputs_.folder ? outputs_.folder->place_of(options.save) : options.save);
  auto store = options.data.empty() ? bytes_in_memory(pages_.capacity_bytes, room_for_bytes())
                                    : bytes_in_file(options.data, pages_.capacity_bytes);
  if (ssd != nullptr && options.load.empty() && options.save.empty() && plan_.empty()) {
    device_->discard_versions();
  } else if (ssd != nullptr) {
    refuse_beyond_memory(ssd->config(), true, ssd->config().name);
  }
  bytes_.emplace(std::move(store), pages_, lossy, 0);
  take_up();
  if (ssd != nullptr && lossy) bytes_->recount(number(ssd->ftl().pages().newest_version()));
  if (!options.record.empty()) outputs_.recording.emplace(options.record);
  begin();
}

std::unique_ptr<SimulatedDevice> ServedDrive::made() {
  if (options_.drive.empty() && options_.load.empty())
    throw ConfigError({"ftlab serve", 0}, "DRIVE", "is missing", {},
                      "a drive of the library, the path of a drive file, or --load STATE");
  return options_.load.empty()
             ? new_device(load_drive(options_.drive, options_.settings, options_.host), Clock::timed, options_.seed)
             : loaded_device(options_.load, options_.drive, options_.host, options_.settings, Clock::timed, job_file_.notes);
}

ServedPages ServedDrive::pages_of_device() const {
  const Drive* const ssd = device_->ssd();
  return {device_->user_bytes(), ssd == nullptr ? ChangeRules() : ChangeRules(ssd->config().ftl)};
}

void ServedDrive::refuse_impossible_workload() const {
  if (device_->has_file_system()) {
    throw ConfigError({"--host", 0}, "host.file_system",
                      "lays out files, and a served drive has the file system of its client", options_.host,
                      "a host without file_system");
  }
  if (device_->zones().zone_bytes != 0) {
    throw ConfigError({"ftlab serve", 0}, "ftl.mapping.scheme", "is a zoned namespace, and NBD has no commands for zones",
                      "zoned", "a conventional drive");
  }
  if (device_->ssd() == nullptr && !options_.save.empty())
    throw ConfigError({"--save", 0}, "", "is for SSDs; the state of a disk is not kept", options_.save);
  if (device_->ssd() == nullptr && !plan_.empty())
    throw ConfigError({"--inject", 0}, "", "is for SSDs; a disk has no write buffer that could lose anything",
                      options_.inject.front());
}

// Writes the pages that the file of bytes holds and the drive lacks, once and in address order, in zero simulated time.
void ServedDrive::take_up() {
  const std::vector<StoredRange> ranges = bytes_->written({0, pages_.capacity_bytes});
  Drive* const ssd = device_->ssd();
  if (ranges.empty() || ssd == nullptr) return;
  device_->set_timed(false);
  const std::uint64_t page = pages_.rules.page_bytes;
  std::uint64_t taken = 0;
  for (const StoredRange& range : ranges) {
    std::uint64_t at = range.offset / page * page;
    const std::uint64_t end = std::min((range.offset + range.length + page - 1) / page * page, pages_.capacity_bytes);
    while (at < end) {
      const auto held = [&](std::uint64_t offset) {
        return !options_.load.empty() &&
               ssd->ftl().pages().version(Lpn{static_cast<std::uint32_t>(offset / page)}) != Version{0};
      };
      std::uint64_t stop = at;
      while (stop < end && stop - at < kTakenUpAtOnce && !held(stop)) stop += page;
      stop = std::min(stop, end);
      if (stop > at) {
        const Request request{0, Op::write, at, stop - at, ssd->latest()};
        ssd->submit({&request, 1});
        for (Completion done; ssd->wait(kNever, {&done, 1}) > 0;) {
        }
        taken += stop - at;
      }
      at = std::max(stop, at + (stop == at ? page : 0));
    }
  }
  device_->set_timed(true);
  if (taken == 0) return;
  if (!options_.record.empty())
    throw ConfigError({"--record", 0}, "",
                      "cannot be used: the drive takes up " + std::to_string(taken) + " bytes of " + options_.data +
                          ", which a replay would lack; serve with --save STATE first, then with --load STATE",
                      options_.record);
  job_file_.notes.push_back(
      {options_.data, 0, fmt::format("{} bytes were there already; the drive holds them, written once in order", taken)});
}

void ServedDrive::begin() {
  rebased_.emplace(device_->device(), device_->now());
  if (!plan_.empty()) cuts_.emplace(*device_->ssd(), *rebased_, rebased_->origin());
  host_.seed = options_.seed;
  host_.series_interval = series_interval_for(ServingClock(options_.time));
  host_.enough = [this](const SeriesRow& row) {
    totals_.last_second = row;
    return false;
  };
  tracker_.emplace(*rebased_, host_, job_file_.jobs);
  tracker_->recorder(0).begin(Nanoseconds{0});
  totals_.before = rebased_->counters_at(Nanoseconds{0});
}

// Returns the errno of an invalid request, 0 if it is valid. An invalid request does not reach the drive.
int ServedDrive::problem_of(const ServedRequest& request) const {
  if (request.power_on != power_ons()) return ESHUTDOWN;
  if (request.op == Op::flush) return 0;
  if (request.length == 0 || request.offset % kSectorBytes != 0 || request.length % kSectorBytes != 0) return EINVAL;
  const bool inside = request.offset <= pages_.capacity_bytes && request.length <= pages_.capacity_bytes - request.offset;
  if (!inside) return request.op == Op::write ? ENOSPC : EINVAL;
  return request.op == Op::trim && pages_.rules.trim_bytes == 0 ? EOPNOTSUPP : 0;
}

void ServedDrive::move_bytes(ServedRequest& request) {
  if (request.op == Op::read)
    bytes_->read(request.offset, request.into);
  else if (request.op == Op::write)
    bytes_->write(request.offset, request.from);
  else if (request.op == Op::trim)
    bytes_->trim(request.offset, request.length);
}

void ServedDrive::submit(ServedRequest& request, Nanoseconds at, std::vector<Answer>& answers) {
  FTLAB_CHECK(at >= now_, "a served request comes before what was answered");
  while (wait(at, answers)) {
  }
  watch_flash(at, answers);
  at = std::max(at, now_);
  int error = problem_of(request);
  if (error == 0) {
    try {
      move_bytes(request);
    } catch (const std::system_error& failed) {
      error = failed.code().value();
    } catch (const std::bad_alloc&) {
      error = ENOMEM;
    }
  }
  if (error == 0)
    hand_over(request, begun() ? at : Nanoseconds{0});  // a trace counts from its first request
  else
    answers.push_back({&request, error, at});
}

void ServedDrive::hand_over(ServedRequest& request, Nanoseconds at) {
  now_ = at;
  Request asked{0, request.op, request.offset, request.length, at, 0, request.op == Op::write && request.fua};
  if (request.op == Op::flush) asked.offset_bytes = asked.length_bytes = 0;
  std::vector<Request> batch;
  tracker_->enter(batch, asked, at, 0);
  const std::uint64_t tag = batch.front().tag;
  if (in_flight_.size() <= tag) in_flight_.resize(tag + 1);
  in_flight_[tag] = {&request, pages_.rules.is_barrier(request.op, request.fua) ? bytes_->mark() : 0};
  if (outputs_.recording) outputs_.recording->add(batch.front());
  rebased_->submit(batch);
  plan_.submitted(request.op, at);
}

bool ServedDrive::wait(Nanoseconds until, std::vector<Answer>& answers) {
  if (!begun()) return false;
  const Nanoseconds cut = plan_.next();
  const bool cut_comes = cut != kNever && cut <= until;
  std::array<Completion, 64> done;
  const std::size_t count = rebased_->wait(cut_comes ? cut : until, done);
  for (std::size_t i = 0; i < count; ++i) answer(done[i], answers);
  if (count > 0) return true;
  if (cut_comes) {
    cut_power(answers);
    return true;
  }
  // The device has advanced to `until`. Submitting an earlier request now would give another order than the replay.
  if (until != kNever) now_ = std::max(now_, until);
  return false;
}

void ServedDrive::answer(const Completion& done, std::vector<Answer>& answers) {
  const InFlight was = in_flight_[done.tag];
  now_ = std::max(now_, done.completed);
  totals_.add(*was.request);
  tracker_->settle(done);
  if (done.status == Status::ok)
    bytes_->settle(was.mark);
  else
    uncounted_ = uncounted_ || was.request->op == Op::write;
  if (uncounted_ && outstanding() == 0 && device_->ssd() != nullptr) {
    bytes_->recount(number(device_->ssd()->ftl().pages().newest_version()));
    uncounted_ = false;
  }
  answers.push_back({was.request, error_of(done.status), done.completed});
}

// Starts watching the flash some requests before a cut, with none outstanding. A replay does so at the same point.
void ServedDrive::watch_flash(Nanoseconds at, std::vector<Answer>& answers) {
  const auto is_time = [this](Nanoseconds moment) {
    return cuts_ && cuts_->can_watch() && !cuts_->watches() && plan_.near(moment);
  };
  if (!is_time(at)) return;
  while (outstanding() > 0) wait(kNever, answers);
  if (!is_time(now_)) return;  // the cut came while waiting
  cuts_->watch_flash();
  if (outputs_.recording) outputs_.recording->add_watch(now_);
}

// Requests that are not complete at the cut fail with ESHUTDOWN.
void ServedDrive::cut_power(std::vector<Answer>& answers) {
  const Nanoseconds at = std::max(plan_.next(), now_);
  const std::uint64_t fates = plan_.draw_fates();
  plan_.passed(at);
  if (outputs_.recording) outputs_.recording->add_cut(at, fates);
  now_ = std::max(now_, cuts_->cut(*tracker_, at, fates, [&](const Completion& done) {
    answers.push_back({in_flight_[done.tag].request, ESHUTDOWN, at});
  }));
  const Ftl& layer = device_->ssd()->ftl();
  const auto version_of = [&layer](std::uint64_t page) {
    return std::uint64_t{number(layer.pages().version(Lpn{static_cast<std::uint32_t>(page)}))};
  };
  cuts_->lost(bytes_->lose(version_of, number(layer.pages().newest_version())));
}

LiveFigures ServedDrive::figures() const {
  LiveFigures figures;
  figures.drive = rebased_->info().model;
  figures.simulated_s = static_cast<double>(now_.count()) / 1e9;
  figures.outstanding = tracker_->outstanding();
  figures.requests = totals_.requests;
  figures.bytes = totals_.bytes;
  const Counters all = difference(rebased_->counters_at(now_), totals_.before);
  if (all.host_write_bytes > 0)
    figures.write_amplification = static_cast<double>(all.media_write_bytes()) / static_cast<double>(all.host_write_bytes);
  figures.free_superblocks = all.free_superblocks;
  figures.block_erases = all.block_erases;
  figures.power_cuts = power_ons() - 1;
  const auto of = [](const auto& values, Direction direction) { return values[static_cast<std::size_t>(direction)]; };
  const SeriesRow& row = totals_.last_second;
  const double seconds = std::max(1e-9, static_cast<double>(row.length.count()) / 1e9);
  figures.last = {static_cast<double>(of(row.bytes, Direction::read)) / 1e6 / seconds,
                  static_cast<double>(of(row.bytes, Direction::write)) / 1e6 / seconds,
                  static_cast<std::uint64_t>(static_cast<double>(of(row.requests, Direction::read)) / seconds),
                  static_cast<std::uint64_t>(static_cast<double>(of(row.requests, Direction::write)) / seconds),
                  static_cast<double>(of(row.latency_p99_ns, Direction::read)) / 1e3,
                  static_cast<double>(of(row.latency_p99_ns, Direction::write)) / 1e3};
  return figures;
}

Json ServedDrive::report(Json about) const {
  about["power_cuts"] = cuts_ ? cuts_->report() : Json::array();
  about["data"] = options_.data.empty() ? "memory" : options_.data;
  about["recorded"] = options_.record;
  return about;
}

ServedDrive::Finished ServedDrive::finish(Json about, double wall_s) {
  FTLAB_CHECK(outstanding() == 0, "a served drive ends with requests outstanding");
  if (cuts_) cuts_->end_watch();
  bytes_->settle(bytes_->mark());  // orderly shutdown
  RunStats stats = tracker_->finish({tracker_->latest()});
  stats.jobs.front().job = &job_file_.jobs.front();
  device_->ran_until(rebased_->origin() + std::max(stats.ended, now_));
  if (outputs_.recording) outputs_.recording->flush();
  Result result =
      device_->result(job_file_, stats, {options_.seed, wall_s, peak_rss_bytes()}, {"served", report(std::move(about)), {}});
  if (outputs_.folder) {
    for (const ResultFile& file : result.files) outputs_.folder->write(file.name, file.text);
  }
  if (outputs_.state) device_->save(*outputs_.state);
  if (outputs_.folder) outputs_.folder->commit();
  return {std::move(result), std::move(stats)};
}

}  // namespace ftlab
