#include "validation/soak/power_cuts.h"

#include <algorithm>

#include "ftl/drive/lifecycle.h"

namespace ftlab::soak {
namespace {

using Work = FlashOperation::Kind;

constexpr std::uint32_t kMostNested = 3;
constexpr std::uint64_t kWatched = 48;    // most requests before a cut that are journaled
constexpr std::uint32_t kPatience = 150;  // number of requests for which a cut waits for its window

bool changes(const TimedOperation& operation) {
  return operation.asked.kind == Work::program || operation.asked.kind == Work::erase;
}

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

}  // namespace

RandomCuts::RandomCuts(const RunPlan& plan, ShadowedHost& host, Counts& counts)
    : plan_(plan),
      host_(host),
      counts_(counts),
      random_(plan.seed, "power cuts"),
      journal_(host.drive().medium().layout(), plan.drive.nand, plan.drive.geometry.pages_per_block) {}

void RandomCuts::cut() {
  Window window = drawn_window();
  keep_journal(true);
  const std::uint64_t most = std::min(kWatched, 2 * plan_.cut_every);
  for (std::uint64_t left = 1 + random_.below(most); left > 0 && !read_only(); --left) host_.step();
  for (std::uint32_t waited = 0; !reached(window) && !read_only(); ++waited) {
    if (waited == kPatience) window = Window::time;
    host_.step();
  }
  host_.run_ahead();
  if (read_only()) {
    where_ = "out of room";
    require_none(host_.lose_power(kNever).compare(host_.drive().ftl()));
    recover_at(kNever);
    throw OutOfRoom();
  }
  cut_in(window);
  cut_recovery();
  start_again();
  host_.adopt_contents(host_.now());
  keep_journal(false);
  host_.set_now(host_.drive().idle_from());
}

RandomCuts::Window RandomCuts::drawn_window() {
  constexpr auto kFirst = static_cast<std::uint64_t>(Window::first_stripe);
  constexpr auto kEnd = static_cast<std::uint64_t>(Window::recovery);
  const auto window =
      static_cast<Window>(random_.chance(1, 2) ? kFirst + random_.below(kEnd - kFirst) : random_.below(kFirst));
  return window == Window::suspended && !plan_.drive.nand.suspension.any() ? Window::index : window;
}

void RandomCuts::keep_journal(bool keep) {
  host_.drain();
  Lifecycle(host_.drive()).keep_journal(keep ? &journal_ : nullptr);
  journal_.forget();
}

bool RandomCuts::selects(Window window, const TimedOperation& operation) const {
  const FlashOperation& asked = operation.asked;
  const bool program = asked.kind == Work::program;
  switch (window) {
    case Window::first_stripe: return program && asked.page.nand_page == 0;
    case Window::last_stripe: return program && asked.page.nand_page == plan_.drive.geometry.pages_per_block - 1;
    case Window::erase: return asked.kind == Work::erase;
    case Window::collection:
      return program && host_.drive().ftl().store().frontiers()[asked.frontier].plan().relocation;
    case Window::suspended: return suspended_at(operation) != kNever;
    default: return true;
  }
}

// Programs and erases that the window selects and that have not ended.
std::vector<const TimedOperation*> RandomCuts::candidates(Window window) const {
  std::vector<const TimedOperation*> found;
  for (const TimedOperation& it : journal_.known()) {
    if (changes(it) && it.done > host_.now() + Nanoseconds{1} && selects(window, it)) found.push_back(&it);
  }
  return found;
}

bool RandomCuts::reached(Window window) const {
  const Blocks& blocks = host_.drive().ftl().store().blocks();
  if (window == Window::time) return true;
  if (candidates(window).empty()) return false;
  if (window == Window::trim) return host_.drive().medium().trims().any();
  if (window == Window::collection) {
    const auto states = blocks.columns().state.view();
    return std::any_of(states.begin(), states.end(), [](BlockState state) {
      return state == BlockState::collecting || state == BlockState::pending_erase;
    });
  }
  if (window != Window::reserve) return true;
  for (std::uint32_t pool = 0; pool < blocks.free().pools(); ++pool) {
    if (blocks.free().count(pool) <= host_.drive().ftl().store().supply().reserve(pool)) return true;
  }
  return false;
}

// Time at which a host read first suspends a program or an erase; kNever if none does. A die does one thing at a time, so a
// read that starts during another operation on its die has suspended it.
Nanoseconds RandomCuts::suspended_at(const TimedOperation& work) const {
  Nanoseconds first = kNever;
  if (!plan_.drive.nand.suspension.any() || !changes(work)) return first;
  for (const TimedOperation& other : journal_.known()) {
    const bool during = other.asked.kind == Work::read && other.asked.die == work.asked.die && work.start < other.start &&
                        other.start < work.done;
    if (during) first = std::min(first, other.start);
  }
  return first;
}

Nanoseconds RandomCuts::moment(Window window) {
  const std::vector<const TimedOperation*> operations = candidates(window);
  const Nanoseconds now = host_.now();
  if (operations.empty()) return now;
  if (window != Window::time) {
    const TimedOperation& it = *operations[random_.below(operations.size())];
    const Nanoseconds from = std::max(window == Window::suspended ? suspended_at(it) : it.start, now);
    return it.done > from ? from + Nanoseconds{random_.below((it.done - from).count() + 1)} : from;
  }
  Nanoseconds last = now;
  for (const TimedOperation* const it : operations) last = std::max(last, it->done);
  return now + Nanoseconds{random_.below((last - now).count() + 2)};
}

void RandomCuts::cut_in(Window window) {
  const Nanoseconds at = moment(window);
  const auto place = window == Window::recovery
                         ? Count::nested
                         : static_cast<Count>(static_cast<int>(Count::by_index) + static_cast<int>(window));
  counts_.add(Count::cuts);
  counts_.add(place);
  where_ = "cut " + std::to_string(counts_[Count::cuts]) + " (" + Counts::names()[static_cast<std::size_t>(place)].name +
           ") at " + std::to_string(at.count()) + " ns, " + std::to_string(host_.outstanding()) + " requests unanswered";
  if (!safe()) count_work_at(at);
  recover_at(at);
}

void RandomCuts::count_work_at(Nanoseconds at) {
  bool running = false, waiting = false, suspended = false;
  for (const TimedOperation& work : journal_.known()) {
    if (work.done <= at) continue;
    running |= work.start <= at;
    waiting |= work.asked.ready <= at && work.start > at;
    suspended |= work.start <= at && suspended_at(work) <= at;
  }
  counts_.add(Count::with_running, running);
  counts_.add(Count::with_waiting, waiting);
  counts_.add(Count::with_suspended, suspended);
}

void RandomCuts::recover_at(Nanoseconds at) {
  const DurableContents& durable = host_.lose_power(at);
  try {
    const ChooseFate choose = [this](std::uint32_t count) { return static_cast<std::uint32_t>(random_.below(count)); };
    const FlashJournal::Damage damage = Lifecycle(host_.drive()).power_cycle(journal_, safe() ? kNever : at, choose);
    counts_.add(Count::torn_slots, damage.torn_slots);
    counts_.add(Count::destroyed_lower_slots, damage.destroyed_lower_slots);
    counts_.add(Count::half_erased, damage.half_erased);
    counts_.add(Count::lost_trims, damage.lost_trims);
    host_.inspect();
    require_none(durable.compare(host_.drive().ftl()));
  } catch (const std::exception& wrong) {
    throw Wrong("after " + where_ + ": " + wrong.what());
  }
  counts_.add(Count::pages_compared, durable.pages());
}

void RandomCuts::cut_recovery() {
  for (std::uint64_t nested = random_.below(kMostNested + 1); nested > 0; --nested) {
    host_.set_now(Nanoseconds{0});  // the operations of recovery have their own time base
    host_.run_ahead();
    counts_.add(Count::amid_recovery, !candidates(Window::recovery).empty());
    cut_in(Window::recovery);
  }
}

// A start of the idle drive: nothing is in flight, so nothing may change.
void RandomCuts::start_again() {
  host_.drive().idle_from();
  const std::uint64_t before = state_of(host_.drive());
  journal_.forget();
  recover_at(kNever);
  require(state_of(host_.drive()) == before, "after " + where_ + ": a second start finds another state than the first one");
}

}  // namespace ftlab::soak
