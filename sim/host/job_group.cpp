#include "sim/host/job_group.h"

#include <array>

namespace ftlab {

namespace {

constexpr std::size_t kReaped = 64;

Nanoseconds delay_of(const Job& job, std::uint64_t seed) {
  if (job.flow.start_delay_most <= job.start_delay) return job.start_delay;
  RandomStream random(seed ^ (job.seed + job.number * 0x9e3779b97f4a7c15), "start delay");
  return job.start_delay + Nanoseconds{random.below((job.flow.start_delay_most - job.start_delay).count() + 1)};
}

}  // namespace

void JobGroup::add(std::size_t first, std::size_t end, Nanoseconds at, std::uint64_t seed) {
  first_ = first;
  end_ = end;
  live_ = end - first;
  states_.assign(live_, State::waiting);
  wakes_.assign(live_, kNever);
  touched_.assign(live_, false);
  for (std::size_t job = first; job < end; ++job) starts_.push_back(at + delay_of(jobs_[job], seed));
  for (std::size_t job = first; job < end; ++job)
    if (!must_wait(job)) timers_.push(starts_[job - first], EventClass::timer, {Timer::Kind::start, job});
}

// Without a clock all requests complete at once. Jobs that start at the same time start before any completion counts, as
// they do on a device that takes time; then completions in order of submission give each job turns by its depth.
void JobGroup::run() {
  std::array<Completion, kReaped> done;
  const bool timed = device_.info().timed;
  while (live_ > 0) {
    const Nanoseconds until = timers_.empty() || leaving_ ? kNever : timers_.top().time;
    const std::size_t count = timed || until == kNever ? device_.wait(until, done) : 0;
    if (leave_if_asked(count)) continue;
    if (count == 0) {
      FTLAB_CHECK(!timers_.empty(), std::to_string(tracker_.outstanding()) + " requests never came back");
      const Nanoseconds now = device_.now(until);
      ring(timers_.pop(), now);
      advance_touched(now);
    }
    for (std::size_t i = 0; i < count; ++i) settle(done[i]);
    if (count > 0 && !to_advance_.empty()) advance_touched(done[count - 1].completed);
    submit();
  }
}

// True when the device had nothing to return because it was asked to return early: no timer is due. From then on only what
// is outstanding matters.
bool JobGroup::leave_if_asked(std::size_t completions) {
  if (!tracker_.asked_to_leave()) return false;
  FTLAB_CHECK(!leaving_ || completions > 0, std::to_string(tracker_.outstanding()) + " requests never came back");
  if (!leaving_) {
    leaving_ = true;
    const Nanoseconds now = device_.now(tracker_.latest());
    quit(now);
    advance_touched(now);
    submit();
  }
  return completions == 0;
}

// Timers ring at or after their time: `now` is later where the clock moves by itself. Samples keep to their grid.
void JobGroup::ring(const EventQueue<Timer>::Event& event, Nanoseconds now) {
  const std::size_t job = event.payload.job;
  if (states_[job - first_] == State::ended) return;
  if (event.payload.kind == Timer::Kind::start) start(job, now);
  if (event.payload.kind == Timer::Kind::wake) touch(job);
  if (event.payload.kind == Timer::Kind::sample) sample(job, event.time);
}

void JobGroup::start(std::size_t job, Nanoseconds now) {
  states_[job - first_] = State::running;
  JobRun& run = runs_[job];
  const Nanoseconds measured_from = run.paced ? run.paced->start(now, shares_) : run.plain->start(now);
  tracker_.recorder(job).begin(measured_from);
  if (run.paced) {
    start_sampling(job, measured_from);
    return touch(job);
  }
  for (std::size_t i = 0; i < run.plain->depth() && issue_plain(job, now); ++i) {
  }
  if (run.plain->idle()) end(job, now);
}

void JobGroup::settle(const Completion& done) {
  const std::size_t job = tracker_.job_of(done);
  if (runs_[job].paced) return settle_paced(job, done);
  tracker_.settle(done);
  if (tracker_.enough()) quit(done.completed);
  ClosedLoop& plain = *runs_[job].plain;
  plain.completed(done.completed);
  if (done.status != Status::ok && ends_at(job, done)) plain.stop(done.completed);
  if (!issue_plain(job, done.completed) && plain.idle()) end(job, done.completed);
}

// Whether a job ends at a request that failed.
bool JobGroup::ends_at(std::size_t job, const Completion& done) {
  if (done.status == Status::mismatch) tracker_.report_mismatch(done);
  return done.status == Status::read_only || (done.status == Status::mismatch && jobs_[job].verify.fatal);
}

bool JobGroup::issue_plain(std::size_t job, Nanoseconds now) {
  const Request* request = runs_[job].plain->next(device_, now);
  if (request != nullptr) tracker_.enter(batch_, *request, now, job);
  return request != nullptr;
}

void JobGroup::settle_paced(std::size_t job, const Completion& done) {
  const Request was = tracker_.request_of(done);
  tracker_.settle(done);
  if (tracker_.enough()) quit(done.completed);
  RateControlledJob& paced = *runs_[job].paced;
  paced.completed(was, done.completed, done.status == Status::ok);
  if (done.status != Status::ok && ends_at(job, done)) paced.stop(done.completed);
  if (paced.take_measure_anew()) tracker_.recorder(job).begin_anew(done.completed);
  touch(job);
}

void JobGroup::touch(std::size_t job) {
  if (touched_[job - first_]) return;
  touched_[job - first_] = true;
  to_advance_.push_back(job);
}

// All completions of an instant are seen before anybody goes on. A job that takes a token may free one that is blocked.
void JobGroup::advance_touched(Nanoseconds now) {
  while (!to_advance_.empty()) {
    const std::vector<std::size_t> jobs = std::move(to_advance_);
    to_advance_.clear();
    bool moved = false;
    for (const std::size_t job : jobs) {
      touched_[job - first_] = false;
      moved = advance(job, now) || moved;
    }
    if (!moved) continue;
    const std::vector<std::size_t> blocked = std::move(blocked_);
    blocked_.clear();
    for (const std::size_t job : blocked) touch(job);
  }
}

// Tells whether it issued something or ended.
bool JobGroup::advance(std::size_t job, Nanoseconds now) {
  if (states_[job - first_] != State::running) return false;
  RateControlledJob& paced = *runs_[job].paced;
  using Kind = RateControlledJob::Step::Kind;
  for (bool moved = false;; moved = true) {
    const RateControlledJob::Step step = paced.next(device_, shares_, now);
    if (step.kind == Kind::sleep || step.kind == Kind::blocked) wake_at(job, step.until);
    if (step.kind == Kind::blocked) blocked_.push_back(job);
    if (step.kind == Kind::over) end(job, now);
    if (step.kind != Kind::issue) return moved || step.kind == Kind::over;
    tracker_.enter(batch_, step.request, now, job, step.flush);
    if (step.flush != FlushKind::unreported) tracker_.recorder(job).issued(now, paced.slots().used());
  }
}

void JobGroup::wake_at(std::size_t job, Nanoseconds at) {
  if (at == kNever || wakes_[job - first_] == at) return;
  wakes_[job - first_] = at;
  timers_.push(at, EventClass::timer, {Timer::Kind::wake, job});
}

void JobGroup::end(std::size_t job, Nanoseconds now) {
  states_[job - first_] = State::ended;
  --live_;
  const JobRun& run = runs_[job];
  ends_[job] = run.paced ? run.paced->ended() : run.plain->ended();
  if (run.paced) {
    run.paced->leave(shares_);
    if (run.paced->failure()) tracker_.recorder(job).fail(run.paced->failure()->error, run.paced->failure()->text);
    tracker_.recorder(job).set_batches(run.paced->slots().submits(), run.paced->slots().reaps());
    tracker_.recorder(job).set_depth(run.paced->depth());
    const auto steady = steady_.find(jobs_[job].report_group);
    if (steady != steady_.end()) tracker_.recorder(job).set_steady(steady->second.state.result());
  }
  const bool failed = run.paced && run.paced->failure();
  if (jobs_[job].flow.exit_all || (failed && jobs_[job].flow.exit_all_on_error)) end_others(jobs_[job], now);
  start_waiting_for(jobs_[job].name, std::max(now, ends_[job]));
}

void JobGroup::end_others(const Job& because, Nanoseconds now) {
  const ExitScope scope = because.flow.exit_scope;
  quits_ = quits_ || scope == ExitScope::all;
  for (std::size_t job = first_; job < end_; ++job) {
    const bool meant = scope == ExitScope::all || (scope == ExitScope::group && jobs_[job].group == because.group) ||
                       (scope == ExitScope::running && states_[job - first_] == State::running);
    if (meant) stop(job, now);
  }
}

void JobGroup::quit(Nanoseconds now) {
  if (quits_) return;
  quits_ = true;
  for (std::size_t job = first_; job < end_; ++job) stop(job, now);
}

void JobGroup::stop(std::size_t job, Nanoseconds now) {
  State& state = states_[job - first_];
  if (state == State::ended) return;
  JobRun& run = runs_[job];
  if (state == State::waiting) {
    state = State::ended;
    --live_;
    tracker_.recorder(job).begin(now);
    ends_[job] = now;
    start_waiting_for(jobs_[job].name, now);
  } else if (run.paced) {
    run.paced->stop(now);
    touch(job);
  } else {
    run.plain->stop(now);
  }
}

// A job named by wait_for has ended; those that wait for all of that name may start, not before their own delay.
void JobGroup::start_waiting_for(const std::string& name, Nanoseconds now) {
  for (std::size_t job = first_; job < end_; ++job) {
    if (jobs_[job].flow.waits_for != name || states_[job - first_] != State::waiting || must_wait(job)) continue;
    timers_.push(std::max(now, starts_[job - first_]), EventClass::timer, {Timer::Kind::start, job});
  }
}

bool JobGroup::must_wait(std::size_t job) const {
  if (jobs_[job].flow.waits_for.empty()) return false;
  for (std::size_t other = first_; other < job; ++other)
    if (jobs_[other].name == jobs_[job].flow.waits_for && states_[other - first_] != State::ended) return true;
  return false;
}

void JobGroup::start_sampling(std::size_t job, Nanoseconds measured_from) {
  if (!jobs_[job].flow.steady) return;
  const SteadyCriterion& wanted = *jobs_[job].flow.steady;
  const auto [steady, is_first] = steady_.emplace(jobs_[job].report_group, Steady{SteadyState(wanted), {}});
  steady->second.jobs.push_back(job);
  if (is_first) timers_.push(measured_from + wanted.ramp, EventClass::timer, {Timer::Kind::sample, job});
}

// While any of the jobs runs; the timer goes on under the first of them that does.
void JobGroup::sample(std::size_t job, Nanoseconds now) {
  Steady& steady = steady_.at(jobs_[job].report_group);
  std::uint64_t bytes = 0, requests = 0, latency_ns_sum = 0;
  for (const std::size_t member : steady.jobs) {
    bytes += runs_[member].paced->bytes();
    requests += runs_[member].paced->requests();
    latency_ns_sum += runs_[member].paced->latency_ns_sum();
  }
  if (steady.state.sample(bytes, requests, latency_ns_sum)) {
    for (const std::size_t member : steady.jobs) stop(member, now);
    return;
  }
  for (const std::size_t member : steady.jobs) {
    if (states_[member - first_] == State::ended) continue;
    timers_.push(now + jobs_[job].flow.steady->interval, EventClass::timer, {Timer::Kind::sample, member});
    return;
  }
}

void JobGroup::submit() {
  if (batch_.empty()) return;
  device_.submit(batch_);
  batch_.clear();
}

}  // namespace ftlab
