#include "sim/host.h"

#include <algorithm>
#include <array>
#include <string>

#include "sim/check.h"
#include "sim/event_queue.h"
#include "sim/signature.h"
#include "sim/stats/job_recorder.h"
#include "sim/stats/series.h"
#include "sim/workload/generator.h"

namespace ftlab {
namespace {

constexpr std::size_t kWaitBatch = 64;
constexpr std::uint64_t kProgressEvery = std::uint64_t{1} << 18;
constexpr std::uint64_t kInterruptEvery = std::uint64_t{1} << 12;

Op op_of(Direction direction) {
  switch (direction) {
    case Direction::read: return Op::read;
    case Direction::write: return Op::write;
    default: return Op::trim;
  }
}

Direction direction_of(Op op) {
  return op == Op::read ? Direction::read : op == Op::write ? Direction::write : Direction::trim;
}

// What is outstanding, and what is remembered of everything that completed: common to the closed and the open loop.
class Desk {
 public:
  Desk(Device& device, const HostOptions& options, const std::vector<Job>& jobs)
      : device_(device), options_(options), series_(Nanoseconds{0}, options.series_interval) {
    stats_.device_before = device.counters();
    recorders_.reserve(jobs.size());
    for (const Job& job : jobs) recorders_.emplace_back(job);
  }

  void begin(std::size_t job, Nanoseconds at) { recorders_[job].begin(at); }

  // Takes a free slot; its number is the request's tag.
  Request& take_slot(const Request& request, std::size_t job) {
    if (free_.empty()) {
      free_.push_back(slots_.size());
      slots_.emplace_back();
    }
    const std::size_t slot = free_.back();
    free_.pop_back();
    ++outstanding_;
    slots_[slot] = {request, job};
    slots_[slot].request.tag = slot;
    return slots_[slot].request;
  }

  // Returns the job whose request it was.
  std::size_t settle(const Completion& done) {
    const InFlight& was = slots_[done.tag];
    FTLAB_CHECK(done.completed >= was.request.issued, "request " + std::to_string(done.tag) + " ended before it began");
    signature_.add(done.tag << 8 | static_cast<std::uint64_t>(done.status));
    signature_.add(done.completed.count());
    while (series_.due(done.completed)) close_interval();
    const Direction direction = direction_of(was.request.op);
    series_.add(done.completed, direction, was.request.length_bytes, done.completed - was.request.issued);
    recorders_[was.job].add(direction, was.request.offset_bytes, was.request.length_bytes, was.request.issued,
                           done.completed, done.status, done.parts);
    free_.push_back(done.tag);
    --outstanding_;
    stats_.ended = done.completed;
    if (++stats_.requests % kInterruptEvery == 0) look_up(done.completed);
    return was.job;
  }

  std::size_t outstanding() const { return outstanding_; }
  bool enough() const { return enough_; }

  RunStats finish(const std::vector<Nanoseconds>& ends) {
    for (std::size_t i = 0; i < recorders_.size(); ++i) {
      stats_.jobs.push_back(recorders_[i].finish(ends[i]));
      stats_.ended = std::max(stats_.ended, ends[i]);
    }
    stats_.device_after = device_.counters();
    while (series_.due(stats_.ended)) series_.close(stats_.device_after);
    series_.finish(stats_.ended, stats_.device_after);
    stats_.series = series_.rows();
    stats_.signature = signature_.value();
    return std::move(stats_);
  }

 private:
  struct InFlight {
    Request request;
    std::size_t job = 0;
  };

  void close_interval() {
    series_.close(device_.counters());
    if (options_.enough && options_.enough(series_.rows().back())) enough_ = true;
  }

  void look_up(Nanoseconds now) {
    if (options_.interrupted != nullptr && options_.interrupted->load(std::memory_order_relaxed)) throw Interrupted();
    if (options_.progress && stats_.requests % kProgressEvery == 0) options_.progress(now, stats_.requests);
  }

  Device& device_;
  const HostOptions& options_;
  SeriesCollector series_;
  Signature signature_;
  RunStats stats_;
  std::vector<JobRecorder> recorders_;
  std::vector<InFlight> slots_;
  std::vector<std::uint64_t> free_;
  std::size_t outstanding_ = 0;
  bool enough_ = false;
};

// One job while it runs. Requests are generated a little ahead, so that the device can be told what will come.
class ClosedLoop {
 public:
  ClosedLoop(const Job& job, std::uint64_t seed) : job_(job), generator_(job, seed) {}

  // Returns when the measured part begins.
  Nanoseconds start(Nanoseconds at) {
    ended_ = at + job_.ramp;
    if (job_.runtime) end_ = ended_ + *job_.runtime;
    return ended_;
  }

  // The next request at `now`, if the job still issues any.
  bool next(Device& device, Nanoseconds now, Request& request) {
    if (stopped_) return false;
    while (ahead_count_ < kAhead && generate(device)) {
    }
    if (now >= end_ || ahead_count_ == 0) return false;
    request = ahead_[ahead_first_];
    request.issued = now;
    ahead_first_ = (ahead_first_ + 1) % kAhead;
    --ahead_count_;
    ++outstanding_;
    return true;
  }

  // A device that has become read-only ends the job, as an error ends a job of fio.
  void completed(const Completion& done) {
    --outstanding_;
    ended_ = std::max(ended_, done.completed);
    stopped_ |= done.status == Status::read_only;
  }

  // Issues nothing from `at` on.
  void stop(Nanoseconds at) { end_ = std::min(end_, at); }

  std::size_t depth() const { return job_.depth; }
  bool idle() const { return outstanding_ == 0; }
  // With its last completion, or with its runtime when it would have gone on until then.
  Nanoseconds ended() const {
    const bool ran_out_of_time = end_ != kNever && ahead_count_ > 0 && !stopped_;
    return ran_out_of_time ? std::max(ended_, end_) : ended_;
  }

 private:
  static constexpr std::size_t kAhead = 32;

  bool generate(Device& device) {
    Access access;
    if (!generator_.next(access)) return false;
    Request& request = ahead_[(ahead_first_ + ahead_count_++) % kAhead];
    request = {0, op_of(access.direction), access.offset_bytes, access.length_bytes, Nanoseconds{0}};
    device.expect(request);
    return true;
  }

  const Job& job_;
  Generator generator_;
  std::array<Request, kAhead> ahead_;
  std::size_t ahead_first_ = 0;
  std::size_t ahead_count_ = 0;
  std::size_t outstanding_ = 0;
  bool stopped_ = false;
  Nanoseconds end_ = kNever;
  Nanoseconds ended_{0};
};

// The jobs of one wave against the device, from `start` until the last has ended.
class Wave {
 public:
  Wave(Device& device, Desk& desk, std::vector<ClosedLoop>& loops) : device_(device), desk_(desk), loops_(loops) {}

  void add(std::size_t job, Nanoseconds at) {
    starts_.push(at, EventClass::timer, job);
    desk_.begin(job, loops_[job].start(at));
  }

  void run() {
    std::array<Completion, kWaitBatch> done;
    while (!starts_.empty() || desk_.outstanding() > 0) {
      const Nanoseconds until = starts_.empty() ? kNever : starts_.top().time;
      const std::size_t count = device_.wait(until, done);
      if (count == 0) {
        FTLAB_CHECK(!starts_.empty(), std::to_string(desk_.outstanding()) + " requests never came back");
        fill(starts_.pop());
      }
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t job = desk_.settle(done[i]);
        if (desk_.enough()) stop(done[i].completed);
        loops_[job].completed(done[i]);
        issue(job, done[i].completed);
      }
      submit();
    }
  }

 private:
  void fill(const EventQueue<std::size_t>::Event& start) {
    for (std::size_t i = 0; i < loops_[start.payload].depth(); ++i) issue(start.payload, start.time);
  }

  void stop(Nanoseconds at) {
    for (ClosedLoop& loop : loops_) loop.stop(at);
  }

  void issue(std::size_t job, Nanoseconds now) {
    Request request;
    if (loops_[job].next(device_, now, request)) batch_.push_back(desk_.take_slot(request, job));
  }

  void submit() {
    if (batch_.empty()) return;
    device_.submit(batch_);
    batch_.clear();
  }

  Device& device_;
  Desk& desk_;
  std::vector<ClosedLoop>& loops_;
  EventQueue<std::size_t> starts_;
  std::vector<Request> batch_;
};

}  // namespace

std::string untimed_problem(const Job& job) {
  if (job.time_based || job.runtime) return "an untimed run has no clock that could end a runtime; bound the job by size or io_size";
  if (job.ramp.count() > 0) return "an untimed run has no clock for ramp_time";
  if (job.start_delay.count() > 0) return "an untimed run has no clock for startdelay";
  return {};
}

RunStats run_jobs(Device& device, const std::vector<Job>& jobs, const HostOptions& options) {
  Desk desk(device, options, jobs);
  std::vector<ClosedLoop> loops;
  loops.reserve(jobs.size());
  for (const Job& job : jobs) loops.emplace_back(job, options.seed);
  std::vector<Nanoseconds> ends(jobs.size());
  Nanoseconds wave_start{0};
  for (std::size_t first = 0; first < jobs.size();) {
    Wave wave(device, desk, loops);
    std::size_t end = first;
    for (; end < jobs.size() && jobs[end].wave == jobs[first].wave; ++end) {
      wave.add(end, wave_start + jobs[end].start_delay);
    }
    wave.run();
    for (; first < end; ++first) wave_start = std::max(wave_start, ends[first] = loops[first].ended());
  }
  return desk.finish(ends);
}

RunStats run_open_loop(Device& device, const std::function<bool(Arrival&)>& next, const Job& description,
                       const HostOptions& options) {
  const std::vector<Job> jobs{description};
  Desk desk(device, options, jobs);
  desk.begin(0, Nanoseconds{0});
  std::array<Completion, kWaitBatch> done;
  Nanoseconds ended{0};
  Arrival arrival;
  bool more = next(arrival);
  while (more || desk.outstanding() > 0) {
    const std::size_t count = device.wait(more ? arrival.at : kNever, done);
    for (std::size_t i = 0; i < count; ++i) desk.settle(done[i]);
    if (count > 0) {
      ended = done[count - 1].completed;
      continue;
    }
    FTLAB_CHECK(more, std::to_string(desk.outstanding()) + " requests never came back");
    arrival.request.issued = arrival.at;
    const Request request = desk.take_slot(arrival.request, 0);
    device.submit({&request, 1});
    more = next(arrival);
  }
  return desk.finish({ended});
}

}  // namespace ftlab
