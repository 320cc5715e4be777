#include "sim/host/job_group.h"

#include <array>

namespace ftlab {

namespace {

constexpr std::size_t kReaped = 64;

}  // namespace

JobGroup::JobGroup(Device& device, RequestTracker& tracker, const std::vector<Job>& jobs, std::vector<JobRun>& runs,
                   std::vector<Nanoseconds>& ends, JobRoster roster)
    : device_(device), tracker_(tracker), jobs_(jobs), runs_(runs), ends_(ends), roster_(std::move(roster)) {
  for (std::size_t job = roster_.first(); job < roster_.end(); ++job)
    if (!roster_.must_wait(job)) timers_.push(roster_.starts_at(job), JobTimers::Kind::start, job);
}

// Without a clock all requests complete at once. Jobs that start at the same time then start before any completion is
// handled, as on a timed device; after that, completions in order of submission give each job turns according to its depth.
void JobGroup::run() {
  std::array<Completion, kReaped> done;
  const bool timed = device_.info().timed;
  while (!roster_.all_ended()) {
    const Nanoseconds until = leaving_ ? kNever : timers_.next();
    const std::size_t count = timed || until == kNever ? device_.wait(until, done) : 0;
    if (leave_if_asked(count)) continue;
    if (count == 0) {
      FTLAB_CHECK(!timers_.empty(), std::to_string(tracker_.outstanding()) + " requests never came back");
      const Nanoseconds now = device_.now(until);
      ring(timers_.pop(), now);
      advance_all(now);
    }
    for (std::size_t i = 0; i < count; ++i) settle(done[i]);
    if (count > 0 && !to_advance_.empty()) advance_all(done[count - 1].completed);
    submit();
  }
}

// True if wait() returned nothing because the user stopped the run: no timer is due. From then on only outstanding requests
// matter.
bool JobGroup::leave_if_asked(std::size_t completions) {
  if (!tracker_.asked_to_leave()) return false;
  FTLAB_CHECK(!leaving_ || completions > 0, std::to_string(tracker_.outstanding()) + " requests never came back");
  if (!leaving_) {
    leaving_ = true;
    const Nanoseconds now = device_.now(tracker_.latest());
    quit(now);
    advance_all(now);
    submit();
  }
  return completions == 0;
}

// On a real device `now` may be later than the timer's time. Samples use the timer's time, so that they keep to their grid.
void JobGroup::ring(const JobTimers::Event& event, Nanoseconds now) {
  const auto [kind, job] = event.payload;
  if (roster_.has_ended(job)) return;
  if (kind == JobTimers::Kind::start) start(job, now);
  if (kind == JobTimers::Kind::wake) to_advance_.add(job);
  if (kind == JobTimers::Kind::sample) sample(job, event.time);
}

void JobGroup::start(std::size_t job, Nanoseconds now) {
  roster_.start(job);
  JobRun& run = runs_[job];
  const Nanoseconds measured_from = run.paced ? run.paced->start(now, shares_) : run.plain->start(now);
  tracker_.recorder(job).begin(measured_from);
  if (run.paced) {
    const std::optional<SteadyCriterion>& steady = jobs_[job].flow.steady;
    if (steady && steady_.join(jobs_[job], job, *run.paced))
      timers_.push(measured_from + steady->ramp, JobTimers::Kind::sample, job);
    return to_advance_.add(job);
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

// True if the failed request ends its job.
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
  const bool found_depth = paced.completed(was, done.completed, done.status == Status::ok);
  if (done.status != Status::ok && ends_at(job, done)) paced.stop(done.completed);
  if (found_depth) tracker_.recorder(job).restart_measurement(done.completed);
  to_advance_.add(job);
}

// All completions of an instant are handled before any job issues. A job that takes a token may unblock others.
void JobGroup::advance_all(Nanoseconds now) {
  while (!to_advance_.empty()) {
    bool moved = false;
    for (const std::size_t job : to_advance_.take()) {
      to_advance_.visit(job);
      moved = advance(job, now) || moved;
    }
    if (moved) to_advance_.unblock();
  }
}

// Returns true if the job issued something or ended.
bool JobGroup::advance(std::size_t job, Nanoseconds now) {
  if (!roster_.runs(job)) return false;
  RateControlledJob& paced = *runs_[job].paced;
  using Kind = RateControlledJob::Step::Kind;
  for (bool moved = false;; moved = true) {
    const RateControlledJob::Step step = paced.next(device_, shares_, now);
    if (step.kind == Kind::sleep || step.kind == Kind::blocked) timers_.wake(step.until, job);
    if (step.kind == Kind::blocked) to_advance_.block(job);
    if (step.kind == Kind::over) end(job, now);
    if (step.kind != Kind::issue) return moved || step.kind == Kind::over;
    tracker_.enter(batch_, step.request, now, job, step.flush);
    if (step.flush != FlushKind::unreported) tracker_.recorder(job).issued(now, paced.slots().used());
  }
}

void JobGroup::end(std::size_t job, Nanoseconds now) {
  roster_.end(job);
  const JobRun& run = runs_[job];
  ends_[job] = run.paced ? run.paced->ended() : run.plain->ended();
  if (run.paced) report_paced(job);
  const bool failed = run.paced && run.paced->failure();
  if (jobs_[job].flow.exit_all || (failed && jobs_[job].flow.exit_all_on_error)) end_others(jobs_[job], now);
  start_waiting_for(jobs_[job].name, std::max(now, ends_[job]));
}

void JobGroup::report_paced(std::size_t job) {
  RateControlledJob& paced = *runs_[job].paced;
  JobRecorder& recorder = tracker_.recorder(job);
  paced.leave(shares_);
  if (paced.failure()) recorder.fail(paced.failure()->error, paced.failure()->text);
  recorder.set_batches(paced.slots().submits(), paced.slots().reaps());
  recorder.set_depth(paced.depth());
  if (const SteadyResult* steady = steady_.result(jobs_[job].report_group)) recorder.set_steady(*steady);
}

void JobGroup::end_others(const Job& because, Nanoseconds now) {
  const ExitScope scope = because.flow.exit_scope;
  quits_ = quits_ || scope == ExitScope::all;
  for (std::size_t job = roster_.first(); job < roster_.end(); ++job) {
    const bool meant = scope == ExitScope::all || (scope == ExitScope::group && jobs_[job].group == because.group) ||
                       (scope == ExitScope::running && roster_.runs(job));
    if (meant) stop(job, now);
  }
}

void JobGroup::quit(Nanoseconds now) {
  if (quits_) return;
  quits_ = true;
  for (std::size_t job = roster_.first(); job < roster_.end(); ++job) stop(job, now);
}

void JobGroup::stop(std::size_t job, Nanoseconds now) {
  if (roster_.has_ended(job)) return;
  JobRun& run = runs_[job];
  if (roster_.waits(job)) {
    roster_.end(job);
    tracker_.recorder(job).begin(now);
    ends_[job] = now;
    start_waiting_for(jobs_[job].name, now);
  } else if (run.paced) {
    run.paced->stop(now);
    to_advance_.add(job);
  } else {
    run.plain->stop(now);
  }
}

// Starts jobs that waited for `name`, but not before their own start delay.
void JobGroup::start_waiting_for(const std::string& name, Nanoseconds now) {
  for (const std::size_t job : roster_.released_by(name))
    timers_.push(std::max(now, roster_.starts_at(job)), JobTimers::Kind::start, job);
}

// Samples a report group. The next timer belongs to the first of its jobs that has not ended.
void JobGroup::sample(std::size_t job, Nanoseconds now) {
  const std::size_t report_group = jobs_[job].report_group;
  const bool attained = steady_.sample(report_group);
  for (const SteadySampling::Member& member : steady_.members(report_group)) {
    if (attained) {
      stop(member.job, now);
    } else if (!roster_.has_ended(member.job)) {
      return timers_.push(now + jobs_[job].flow.steady->interval, JobTimers::Kind::sample, member.job);
    }
  }
}

void JobGroup::submit() {
  if (batch_.empty()) return;
  device_.submit(batch_);
  batch_.clear();
}

}  // namespace ftlab
