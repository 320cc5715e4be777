#include "validation/power_cuts/life.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <vector>

#include "ftl/drive/drive.h"
#include "ftl/drive/lifecycle.h"
#include "models/nand/schedule/flash_journal.h"
#include "models/nand/timing/policy.h"
#include "sim/core/random.h"
#include "validation/checks/reference/drawn_designs.h"
#include "validation/power_cuts/durable_contents.h"
#include "validation/soak/swarm/host_requests.h"

namespace ftlab::power_cuts {
namespace {

constexpr std::uint32_t kMostDepth = 8;
constexpr std::uint32_t kMostNested = 3;
constexpr std::uint32_t kWatched = 48;    // number of requests before a cut that are journaled
constexpr std::uint32_t kPatience = 150;  // number of requests for which a cut waits for its window

struct BrokenLife : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct OutOfRoom : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Signature of all state that the medium determines.
std::uint64_t state_of(const Drive& drive) {
  Signature state;
  const Ftl& ftl = drive.ftl();
  const PageStore& store = ftl.store();
  for (std::uint32_t l = 0; l < store.pages().map().lpns(); ++l) state.add(number(store.pages().map().find(Lpn{l})));
  for (std::uint32_t l = 0; l < drive.config().logical_pages(); ++l) state.add(number(ftl.pages().version(Lpn{l})));
  for (std::uint32_t b = 0; b < store.blocks().count(); ++b) {
    state.add(static_cast<std::uint64_t>(store.blocks().state(SuperblockId{b})) << 32 |
              store.blocks().valid(SuperblockId{b}));
  }
  for (const Frontier& frontier : store.frontiers()) {
    if (frontier.has_room()) state.add(std::uint64_t{number(frontier.block())} << 32 | frontier.next());
  }
  return state.value();
}

class LifeWithCuts {
 public:
  explicit LifeWithCuts(const LifeAsked& asked)
      : asked_(asked),
        plan_(drawn_life(asked.seed)),
        random_(asked.seed, "power cuts"),
        requests_(plan_),
        expected_(plan_.drive),
        durable_(plan_.drive),
        drive_(plan_.drive, Clock::timed, plan_.seed),
        journal_(drive_.medium().layout(), plan_.drive.nand, plan_.drive.geometry.pages_per_block),
        depth_(std::clamp(plan_.host.depth, 1u, kMostDepth)),
        suspends_(plan_.drive.nand.suspension.any()) {
    drive_.report_contents(&seen_);
  }

  bool starting() const { return starting_; }
  void run(LifeOutcome& outcome) {
    outcome_ = &outcome;
    outcome.by_scheduling_policy.resize(scheduling_policy_kinds().size());
    try {
      live_with_cuts();
    } catch (const OutOfRoom& full) {
      outcome.failure = full.what();
      end_out_of_room();
    }
  }

 private:
  struct Slot {
    std::uint64_t tag = 0;
    bool barrier = false;
    std::uint64_t before = 0, mark = 0;  // its changes; a complete barrier makes all changes before `mark` durable
  };

  void live_with_cuts() {
    if (plan_.fill_first) fill();
    for (std::uint32_t cut = 0; cut < asked_.cuts; ++cut) {
      const std::uint64_t before = asked_.cuts > 0 && cut == 0 ? random_.below(400) : between_cuts();
      live_on(before);
      cut_power();
    }
    live_on(between_cuts());
    inspect_all("at the end");
  }
  // The drive accepts no more writes and must hold the durable contents: now, and after one more start.
  void end_out_of_room() {
    ++outcome_->out_of_room;
    out_of_room_ = true;
    run_ahead();
    for (const Completion& done : ahead_) take(done);
    ahead_.clear();
    check_recovery();
    keep_journal(true);
    recover_at(kNever);
  }

  // 100 to 1,000; more than half are below 150.
  std::uint64_t between_cuts() {
    const std::uint64_t most = random_.chance(1, 2) ? 50 : random_.chance(1, 2) ? 200 : 900;
    return 100 + random_.below(most + 1);
  }
  std::uint32_t outstanding() const { return static_cast<std::uint32_t>(std::popcount(taken_)); }
  bool through(const Request& request) const {
    return request.op == Op::flush || request.fua || (request.op == Op::write && !plan_.drive.ftl.buffer.write_back);
  }
  bool safe() const { return plan_.drive.ftl.buffer.power_loss_protected; }

  void fill();
  void live_on(std::uint64_t requests);
  void keep_journal(bool keep);
  void issue(Request request);
  void step();
  void take_some();
  void look_at_reads();
  void run_ahead();
  void take(const Completion& done);
  void drain();
  void inspect_all(const std::string& when);

  void cut_power();
  bool reached(Window window) const;
  Nanoseconds moment(Window window);
  Nanoseconds moment_in(Window window, std::size_t operation);
  std::vector<std::size_t> candidates(Window window) const;
  void recover_at(Nanoseconds at);
  void count_cut(Nanoseconds at, Window window);
  void count_work_at(Nanoseconds at);
  Nanoseconds stopped_at(const TimedOperation& work) const;
  void check_recovery();
  void check_twice();

  const LifeAsked& asked_;
  soak::SwarmPlan plan_;
  RandomStream random_;
  soak::HostRequests requests_;
  ExpectedContents expected_;
  DurableContents durable_;
  Drive drive_;
  FlashJournal journal_;
  ContentLog seen_;
  std::uint32_t depth_;
  bool suspends_;
  LifeOutcome* outcome_ = nullptr;
  std::array<Slot, kMostDepth> slots_{};
  std::uint64_t taken_ = 0;
  std::uint64_t issued_ = 0;
  Nanoseconds now_{0};
  bool starting_ = false;
  bool out_of_room_ = false;
  std::vector<Completion> ahead_;  // completions of outstanding requests, while the flash runs ahead of a cut
};

void LifeWithCuts::fill() {
  const std::uint64_t piece = std::uint64_t{plan_.drive.ftl.mapping_bytes} * 4;
  for (std::uint64_t offset = 0; offset < plan_.drive.user_bytes; offset += piece) {
    Request request{0, Op::write, offset, std::min(piece, plan_.drive.user_bytes - offset), now_};
    if (plan_.drive.ftl.deduplication.on()) request.content = {1 + offset / piece, 1000};
    issue(request);
    while (outstanding() >= depth_) take_some();
  }
}

void LifeWithCuts::step() {
  while (outstanding() >= depth_) take_some();
  issue(requests_.next());
  if (plan_.host.rest_every > 0 && issued_ % plan_.host.rest_every == 0) {
    drain();
    now_ += Nanoseconds{plan_.host.rest_ns};
  }
}

void LifeWithCuts::live_on(std::uint64_t requests) {
  for (std::uint64_t i = 0; i < requests; ++i) step();
}

void LifeWithCuts::keep_journal(bool keep) {
  drain();
  Lifecycle(drive_).keep_journal(keep ? &journal_ : nullptr);
  journal_.forget();
}

void LifeWithCuts::issue(Request request) {
  const int slot = std::countr_one(taken_);
  taken_ |= std::uint64_t{1} << slot;
  request.tag = issued_++ << 6 | static_cast<std::uint64_t>(slot);
  request.issued = now_;
  const bool lied = (asked_.deceit == Deceit::flushes_are_not_sent && request.op == Op::flush) ||
                    (asked_.deceit == Deceit::trims_are_not_sent && request.op == Op::trim);
  expected_.predict(request);
  const std::uint64_t before = durable_.mark();
  durable_.note(request, expected_);
  if (lied) {
    taken_ &= ~(std::uint64_t{1} << slot);
    if (request.op == Op::flush) durable_.settle(durable_.mark());
    return;
  }
  slots_[slot] = {request.tag, through(request), before, durable_.mark()};
  drive_.submit({&request, 1});
  ++outcome_->requests;
  look_at_reads();
  expected_.settle();
}

void LifeWithCuts::take_some() {
  std::array<Completion, 16> done;
  const std::size_t count = drive_.wait(kNever, done);
  if (count == 0) throw BrokenLife(std::to_string(outstanding()) + " requests never come back");
  if (drive_.ftl().read_only() && !out_of_room_) {
    ahead_.insert(ahead_.end(), done.begin(), done.begin() + static_cast<std::ptrdiff_t>(count));
    throw OutOfRoom("the drive takes no more writes");
  }
  for (std::size_t i = 0; i < count; ++i) take(done[i]);
  look_at_reads();
}

void LifeWithCuts::look_at_reads() {
  if (out_of_room_) return seen_.returned.clear();
  const std::string wrong = expected_.compare(seen_, drive_.ftl());
  if (!wrong.empty()) throw BrokenLife(wrong);
}

// Lets the flash finish all its operations, so that their times are known and the cut can be placed among them. A request
// answered meanwhile counts as answered only if that was before the cut.
void LifeWithCuts::run_ahead() {
  Completion done;
  while (drive_.wait(kNever, {&done, 1}) > 0) ahead_.push_back(done);
  look_at_reads();
  drive_.idle_from();
}

void LifeWithCuts::take(const Completion& done) {
  const Slot& slot = slots_[done.tag % 64];
  taken_ &= ~(std::uint64_t{1} << (done.tag % 64));
  if (slot.tag != done.tag && !out_of_room_)
    throw BrokenLife("completion " + std::to_string(done.tag) + " was not asked for");
  if (done.status != Status::ok && !out_of_room_) throw BrokenLife("request " + std::to_string(done.tag) + " failed");
  now_ = std::max(now_, done.completed);
  if (done.status != Status::ok)
    durable_.refuse(slot.before, slot.mark);
  else if (slot.barrier)
    durable_.settle(slot.mark);
}

void LifeWithCuts::drain() {
  while (outstanding() > 0) take_some();
}

void LifeWithCuts::inspect_all(const std::string& when) {
  const std::vector<std::string> problems = inspect(drive_.ftl());
  if (!problems.empty()) throw BrokenLife(when + ": " + problems.front());
  std::uint64_t places = drive_.medium().pages().programmed();
  for (const Stage& stage : drive_.ftl().store().stages()) places += stage.slots_in_ram();
  const std::uint64_t counted = drive_.counters().media_write_bytes() / plan_.drive.ftl.slot_bytes();
  if (counted != places) {
    throw BrokenLife(when + ": " + std::to_string(counted) + " places counted, the medium and the RAM have " +
                     std::to_string(places));
  }
}

// Flash operations that the window selects and that have not ended.
std::vector<std::size_t> LifeWithCuts::candidates(Window window) const {
  std::vector<std::size_t> found;
  const std::vector<TimedOperation>& all = journal_.known();
  const Layout& layout = drive_.medium().layout();
  const std::uint32_t last_page = plan_.drive.geometry.pages_per_block - 1;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const FlashOperation& asked = all[i].asked;
    if (window == Window::suspended && stopped_at(all[i]) == kNever) continue;
    const bool program = asked.kind == FlashOperation::Kind::program, erase = asked.kind == FlashOperation::Kind::erase;
    if (!(program || erase) || all[i].done <= now_ + Nanoseconds{1}) continue;
    const bool fits = window == Window::first_stripe  ? program && asked.page.nand_page == 0
                      : window == Window::last_stripe ? program && asked.page.nand_page == last_page
                      : window == Window::erase       ? erase
                      : window == Window::collection
                          ? program && drive_.ftl().store().frontiers()[asked.frontier].plan().relocation
                          : true;
    if (fits && layout.superblocks() > 0) found.push_back(i);
  }
  return found;
}

bool LifeWithCuts::reached(Window window) const {
  const PageStore& store = drive_.ftl().store();
  switch (window) {
    case Window::trim: return drive_.medium().trims().any() && !candidates(window).empty();
    case Window::reserve:
      for (std::uint32_t pool = 0; pool < store.blocks().free().pools(); ++pool) {
        if (store.blocks().free().count(pool) <= store.supply().reserve(pool) && !candidates(window).empty()) return true;
      }
      return false;
    case Window::collection: {
      const std::vector<BlockState>& states = {store.blocks().columns().state.view().begin(),
                                               store.blocks().columns().state.view().end()};
      const bool busy = std::any_of(states.begin(), states.end(), [](BlockState state) {
        return state == BlockState::collecting || state == BlockState::pending_erase;
      });
      return busy && !candidates(window).empty();
    }
    default: return !candidates(window).empty();
  }
}

Nanoseconds LifeWithCuts::moment_in(Window window, std::size_t operation) {
  const TimedOperation& it = journal_.known()[operation];
  const Nanoseconds from = std::max(window == Window::suspended ? stopped_at(it) : it.start, now_);
  return it.done > from ? from + Nanoseconds{random_.below((it.done - from).count() + 1)} : from;
}

Nanoseconds LifeWithCuts::moment(Window window) {
  const std::vector<std::size_t> operations = candidates(window);
  if (operations.empty()) return now_;
  if (window != Window::time) return moment_in(window, operations[random_.below(operations.size())]);
  Nanoseconds last = now_;
  for (const std::size_t i : operations) last = std::max(last, journal_.known()[i].done);
  return now_ + Nanoseconds{random_.below((last - now_).count() + 2)};
}

void LifeWithCuts::cut_power() {
  constexpr std::size_t kBiased = static_cast<std::size_t>(Window::trim) + 1 - 2;
  Window window =
      random_.chance(1, 2) ? static_cast<Window>(2 + random_.below(kBiased)) : static_cast<Window>(random_.below(2));
  if (window == Window::suspended && !suspends_) window = Window::index;
  keep_journal(true);
  live_on(1 + random_.below(kWatched));
  for (std::uint32_t waited = 0; !reached(window); ++waited) {
    if (waited == kPatience) {
      window = Window::time;
      break;
    }
    step();
  }
  run_ahead();
  const Nanoseconds at = moment(window);
  count_cut(at, window);
  recover_at(at);
  for (std::uint64_t nested = random_.below(kMostNested + 1); nested > 0; --nested) {
    ++outcome_->nested;
    now_ = Nanoseconds{0};  // the operations of recovery have their own time base
    run_ahead();
    const bool amid = !candidates(Window::recovery).empty();
    outcome_->amid_recovery += amid;
    const Nanoseconds again_at = moment(Window::recovery);
    count_cut(again_at, Window::recovery);
    recover_at(again_at);
  }
  check_twice();
  durable_.take_up(drive_.ftl());
  expected_.take_up(drive_.ftl());
  keep_journal(false);
  now_ = drive_.idle_from();
}

void LifeWithCuts::count_cut(Nanoseconds at, Window window) {
  ++outcome_->cuts;
  ++outcome_->windows[static_cast<std::size_t>(window)];
  ++outcome_->by_scheduling_policy[plan_.drive.nand.scheduling.policy];
  if (!safe()) count_work_at(at);
  if (!asked_.verbose) return;
  std::printf("  cut %llu %s at %llu ns, after %llu requests, %u of them unanswered\n",
              static_cast<unsigned long long>(outcome_->cuts), kWindowNames[static_cast<std::size_t>(window)],
              static_cast<unsigned long long>(at.count()), static_cast<unsigned long long>(issued_), outstanding());
  std::fflush(stdout);
}

void LifeWithCuts::count_work_at(Nanoseconds at) {
  bool running = false, waiting = false, suspended = false;
  for (const TimedOperation& work : journal_.known()) {
    if (work.done <= at) continue;
    running |= work.start <= at;
    waiting |= work.asked.ready <= at && work.start > at;
    suspended |= work.start <= at && stopped_at(work) <= at;
  }
  outcome_->with_running += running;
  outcome_->with_waiting += waiting;
  outcome_->with_suspended += suspended;
}

// Time at which a host read first suspends a program or an erase; kNever if none does. A die does one thing at a time, so a
// read that starts during another operation on its die has suspended it.
Nanoseconds LifeWithCuts::stopped_at(const TimedOperation& work) const {
  using Kind = FlashOperation::Kind;
  Nanoseconds first = kNever;
  if (!suspends_ || (work.asked.kind != Kind::program && work.asked.kind != Kind::erase)) return first;
  for (const TimedOperation& other : journal_.known()) {
    const bool amid = other.asked.kind == Kind::read && other.asked.die == work.asked.die && work.start < other.start &&
                      other.start < work.done;
    if (amid) first = std::min(first, other.start);
  }
  return first;
}

void LifeWithCuts::recover_at(Nanoseconds at) {
  if (safe()) at = kNever;
  run_ahead();
  for (const Completion& done : ahead_) {  // requests that are not complete by then never complete
    if (done.completed <= at) take(done);
  }
  ahead_.clear();
  taken_ = 0;
  if (safe() && !out_of_room_) durable_.settle(durable_.mark());  // except refused changes
  starting_ = true;
  const ChooseFate choose = [this](std::uint32_t count) { return static_cast<std::uint32_t>(random_.below(count)); };
  const FlashJournal::Damage damage = Lifecycle(drive_).power_cycle(journal_, at, choose);
  outcome_->torn_slots += damage.torn_slots;
  outcome_->destroyed_lower_slots += damage.destroyed_lower_slots;
  outcome_->half_erased += damage.half_erased;
  outcome_->lost_trims += damage.lost_trims;
  outcome_->undone_slots += damage.undone_slots;
  check_recovery();
  starting_ = false;
}

void LifeWithCuts::check_recovery() {
  inspect_all("after recovery");
  const DurableContents::Found found = durable_.compare(drive_.ftl());
  outcome_->pages_compared += durable_.pages();
  outcome_->lost += found.lost;
  outcome_->resurrected += found.resurrected;
  if (!found.first.empty()) throw BrokenLife(found.first);
}

// A start of the idle drive: nothing is in flight, so nothing may change.
void LifeWithCuts::check_twice() {
  drive_.idle_from();
  const std::uint64_t before = state_of(drive_);
  journal_.forget();
  recover_at(kNever);
  if (state_of(drive_) != before) throw BrokenLife("a second start finds another state than the first one");
}

// Small drives, so that there are many cuts; without designs for which a cut during flash operations is undefined. Has the
// reserve for failing superblocks, because no other rule accounts for the space that torn stripes take during relocation.
bool shrink(soak::SwarmPlan& plan, RandomStream& random) {
  testing::Draw draw{random};
  DriveConfig& drive = plan.drive;
  drive.geometry.channels = draw.of({1, 2});
  drive.geometry.chips_per_channel = draw.of({1, 1, 2});
  drive.geometry.dies_per_chip = 1;
  drive.geometry.planes_per_die = draw.of({1, 2});
  drive.geometry.blocks_per_plane = draw.of({6, 8, 12, 16});
  drive.geometry.pages_per_block = draw.of({2, 4, 8, 16});
  drive.nand.page_order = static_cast<PageOrder>(draw.of({0, 1, 2}));
  drive.endurance = {};
  drive.cells = {};
  drive.ftl.refresh = {};
  drive.ftl.most_versions = 0xffff'fff0;
  drive.link.queue_depth = 0;
  plan.errs = false;
  plan.timed = true;
  plan.host.flush = draw.of({0, 1, 5, 20});
  plan.host.trim = draw.coin() ? 0 : draw.of({2, 8, 30});
  plan.host.longest_sectors = std::min(plan.host.longest_sectors, 4 * std::max(drive.ftl.mapping_bytes / 512, 1u));
  plan.host.rest_ns = draw.of({100'000, 2'000'000, 40'000'000});
  drive.user_bytes = drive.geometry.bytes();
  const bool extents = drive.ftl.mapping.scheme == testing::Mapping::extent;  // tight ones relocate for minutes
  if (extents) plan.smallest_map = false;
  if (!refit(plan)) return false;
  const std::uint64_t percent = draw.of({100, 100, 90, 70, 50}) * (extents ? 2 : 3) / 3;
  drive.user_bytes = drive.logical_pages() * percent / 100 * drive.ftl.mapping_bytes;
  if (!refit(plan)) return false;
  if (!drive.ftl.mapping.hybrid()) drive = testing::mortal(drive, {});  // merges have their own reserve
  return Layout(drive.geometry, drive.ftl.superblock, drive.ftl.slot_bytes()).page_count() <= 3'000;
}

}  // namespace

soak::SwarmPlan drawn_life(std::uint64_t seed) {
  RandomStream random(seed, "lives with power cuts");
  for (std::uint64_t run = 0;; ++run) {
    soak::SwarmPlan plan = soak::drawn_plan(seed, run);
    if (shrink(plan, random)) return plan;
  }
}

LifeOutcome live(const LifeAsked& asked) {
  LifeOutcome outcome;
  std::unique_ptr<LifeWithCuts> life;
  const auto failed = [&](std::uint64_t LifeOutcome::*column, const std::string& what) {
    ++(outcome.*column);
    outcome.failure = what;
  };
  try {
    life = std::make_unique<LifeWithCuts>(asked);
    life->run(outcome);
  } catch (const std::exception& wrong) {
    const std::string what = wrong.what();
    if (outcome.lost + outcome.resurrected > 0) {
      outcome.failure = what;
    } else {
      failed(life != nullptr && life->starting() ? &LifeOutcome::failed_starts : &LifeOutcome::wrong, what);
    }
  }
  return outcome;
}

void LifeOutcome::add(const LifeOutcome& other) {
  for (auto member :
       {&LifeOutcome::cuts, &LifeOutcome::nested, &LifeOutcome::amid_recovery, &LifeOutcome::lost, &LifeOutcome::resurrected,
        &LifeOutcome::failed_starts, &LifeOutcome::out_of_room, &LifeOutcome::wrong, &LifeOutcome::requests,
        &LifeOutcome::pages_compared, &LifeOutcome::torn_slots, &LifeOutcome::destroyed_lower_slots,
        &LifeOutcome::half_erased, &LifeOutcome::lost_trims, &LifeOutcome::undone_slots, &LifeOutcome::with_running,
        &LifeOutcome::with_waiting, &LifeOutcome::with_suspended}) {
    this->*member += other.*member;
  }
  for (std::size_t w = 0; w < kWindows; ++w) windows[w] += other.windows[w];
  by_scheduling_policy.resize(std::max(by_scheduling_policy.size(), other.by_scheduling_policy.size()));
  for (std::size_t p = 0; p < other.by_scheduling_policy.size(); ++p)
    by_scheduling_policy[p] += other.by_scheduling_policy[p];
}

}  // namespace ftlab::power_cuts
