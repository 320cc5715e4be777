// What a loaded state must fulfil (sim/core/rule.h): each rule of each class is broken alone, in a state that is sound
// otherwise, and must be what refuses it; at its bound the rules must let the state pass.
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "ftl/drive/drive.h"
#include "ftl/mapping/demand_map.h"
#include "ftl/mapping/extents.h"
#include "ftl/mapping/log_blocks.h"
#include "models/controller/read_ahead.h"
#include "models/link/host_queues.h"
#include "models/nand/schedule/flash_engine.h"
#include "sim/core/archive.h"
#include "sim/core/check.h"
#include "sim/core/due_queue.h"
#include "sim/core/random.h"
#include "sim/core/timeline.h"
#include "sim/testing/test.h"
#include "validation/checks/reference/design_documents.h"
#include "validation/checks/reference/loaded_states.h"

// A change of a state, `it`.
#define AS(...) [](auto& it) { __VA_ARGS__; }

namespace ftlab {
namespace {

constexpr char kPasses[] = "";  // no rule refuses it; something behind them may

template <class Part>
struct Change {
  const char* otherwise;  // the sentence of the rule that is broken
  void (*make)(Part& it);
};

// The rules that belong to one class.
struct Tables {
  std::set<std::string> sentences, known;  // to be broken here; all
  template <class... Rules>
  explicit Tables(const Rules&... rules) {
    (add(rules), ...);
  }
  template <class Rules>
  void add(const Rules& rules) {
    all().insert(rules.data());
    for (const auto& rule : rules) sentences.insert(rule.otherwise);
    known = sentences;
  }
  static std::set<const void*>& all() {
    static std::set<const void*> addresses;
    return addresses;
  }
};

// Without the section that the archive was in.
std::string sentence(const std::string& message) {
  const std::size_t section = message.find(": ");
  const std::size_t problem = message.find(": ", section + 2);
  return problem == std::string::npos ? message : message.substr(problem + 2);
}

template <class Part>
std::string saved(Part& part) {
  Archive out = Archive::saving();
  part.archive(out);
  return out.finish();
}

template <class Part>
void load(Part& part, const std::string& state) {
  Archive in = Archive::viewing(state);
  part.archive(in);
  in.end();
}
void load(Drive& drive, const std::string& state) { drive.load(state); }

template <class Part>
std::string refusal(Part& part, const std::string& state) {
  try {
    load(part, state);
  } catch (const ArchiveError& error) {
    return sentence(error.what());
  } catch (const CheckFailed&) {  // of what is no rule's to say
  }
  return kPasses;
}

template <class Part>
using Changes = std::vector<Change<Part>>;

// make() gives a sound component, fresh() one that the state of the first can be loaded into.
template <class Part, class Make, class Fresh>
void try_rules(const Tables& tables, const Make& make, const Fresh& fresh, const Changes<Part>& changes) {
  Part sound = make();
  Part other = fresh();
  REQUIRE(refusal(other, saved(sound)) == kPasses);
  std::set<std::string> broken;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Part changed = make();
    changes[i].make(changed);
    Part loaded = fresh();
    const std::string said = refusal(loaded, saved(changed));
    INFO("change " << i << ": " << said);
    if (std::string_view(changes[i].otherwise) == kPasses)
      CHECK(tables.known.count(said) == 0);
    else
      CHECK(said == changes[i].otherwise);
    broken.insert(changes[i].otherwise);
  }
  for (const std::string& rule : tables.sentences) {
    INFO(rule);
    CHECK(broken.count(rule) == 1);
  }
}
template <class Part, class Make>
void try_rules(const Tables& tables, const Make& make, const Changes<Part>& changes) {
  try_rules(tables, make, make, changes);
}

void try_drive(const Tables& tables, const Node& design, const Changes<Drive>& changes) {
  const DriveConfig config = read_drive(design);
  Drive used(config, Clock::timed, 3);
  RandomStream random(7, "requests");
  const std::uint64_t pages = config.user_bytes / 4096;
  for (int i = 0; i < 600; ++i) {
    constexpr Op kOps[] = {Op::write, Op::write, Op::write, Op::write, Op::read, Op::read, Op::trim};
    Request request{0, kOps[random.below(7)], random.below(pages - 4) * 4096, (1 + random.below(4)) * 4096,
                    used.idle_from()};
    request.content = {1 + random.below(50), 600};
    Completion done;
    used.submit({&request, 1});
    used.wait(kNever, {&done, 1});
  }
  const std::string good = used.save();
  const auto fresh = [&] { return Drive(config, Clock::timed, 3); };
  std::set<std::string> broken;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Drive changed = fresh(), loaded = fresh();
    changed.load(good);
    changes[i].make(changed);
    const std::string said = refusal(loaded, changed.save());
    INFO("change " << i << ": " << said);
    if (std::string_view(changes[i].otherwise) == kPasses)
      CHECK(tables.known.count(said) == 0);
    else
      CHECK(said == changes[i].otherwise);
    broken.insert(changes[i].otherwise);
  }
  for (const std::string& rule : tables.sentences) {
    INFO(rule);
    CHECK(broken.count(rule) == 1);
  }
}

constexpr Nanoseconds ns(std::uint64_t number) { return Nanoseconds{number}; }

Layout small_layout() { return Layout({1, 1, 1, 2, 4, 8, 4096, 0, 512}, {1, 2}, 4096); }

}  // namespace

struct LoadedStates::Rules {
  static void timeline() {
    const auto make = [] {
      Timeline line;
      line.gaps_[0] = {ns(5), ns(10)};
      line.gaps_[1] = {ns(10), ns(20)};
      line.gap_count_ = 2;
      line.end_ = ns(20);
      return line;
    };
    try_rules<Timeline>(Tables(Timeline::rules()), make,
                        {{"a gap ends before it begins.", AS(it.gaps_[0].start = ns(11))},
                         {"a gap ends before it begins.", AS(it.gaps_[1] = {ns(20), ns(19)})},
                         {kPasses, AS(it.gaps_[0].start = ns(10))},
                         {"its gaps are not in order.", AS(it.gaps_[1].start = ns(9))},
                         {"its last gap ends after its last reservation.", AS(it.end_ = ns(19))},
                         {kPasses, AS(it.gap_count_ = 0; it.end_ = ns(3))},
                         {kPasses, AS(it.gap_count_ = 8; it.gaps_.fill({ns(20), ns(20)}))},
                         {"a count is 9, where at most 8 fit.", AS(it.gap_count_ = 9)}});
  }

  static void random_stream() {
    const auto make = [] { return RandomStream(1, "a stream"); };
    const auto only = [](RandomStream& it, int i) {
      for (int j = 0; j < 4; ++j) it.state_[j] = i == j;
    };
    static const auto set = only;
    try_rules<RandomStream>(Tables(RandomStream::rules()), make,
                            {{"a stream of chance stands still.", AS(set(it, 4))},
                             {kPasses, AS(set(it, 0))},
                             {kPasses, AS(set(it, 1))},
                             {kPasses, AS(set(it, 2))},
                             {kPasses, AS(set(it, 3))}});
  }

  static void due_queue() {
    struct Saved {
      std::vector<DueQueue::Saved> list{{ns(5), 1}, {ns(7), 0xffff'ffff}};
      Nanoseconds now{5};
      void archive(Archive& file) {
        DueQueue queue;
        if (file.loading()) return queue.archive(file, 4);
        file.list(list, 9);
        file.value(now);
      }
    };
    const auto make = [] { return Saved(); };
    try_rules<Saved>(Tables(DueQueue::rules()), make,
                     {{"something is due in the past.", AS(it.now = ns(6))},
                      {"what is due has no number of 32 bits.", AS(it.list[0].payload = std::uint64_t{1} << 32)},
                      {kPasses, AS(it.list.resize(4, {ns(8), 2}))},
                      {"a list has 5 entries where at most 4 can be.", AS(it.list.resize(5, {ns(8), 2}))}});
  }

  static void host_queues() {
    LinkConfig config;
    config.queue_depth = 4;
    config.queues = 2;
    const auto make = [&] { return HostQueues(config); };
    try_rules<HostQueues>(Tables(HostQueues::rules()), make,
                          {{"its turn is that of no queue.", AS(it.turn_ = 2)}, {kPasses, AS(it.turn_ = 1)}});
  }

  static void medium() {
    const auto make = [] {
      Medium medium(Layout({1, 1, 1, 1, 4, 4, 4096, 0, 512}, {1, 1}, 4096), true);
      const Lpn lpns[] = {kNoLpn, Lpn{3}};
      const Version versions[] = {Version{0}, Version{1}};
      const std::uint8_t slots[] = {0, 2};
      medium.open(SuperblockId{3}, 0);
      medium.program(SuperblockId{3}, 0, lpns, versions, slots);
      return medium;
    };
    try_rules<Medium>(Tables(Medium::rules()), make,
                      {{"a superblock has too many pages.", AS(it.programmed_[3] = 5)},
                       {kPasses, AS(it.programmed_[3] = 4)},
                       {"a page begins before its superblock.", AS(it.slots_[13] = 3)},
                       {"a page begins before its superblock.", AS(it.programmed_[3] = 4; it.slots_[15] = 5)},
                       {"a page begins before its superblock.", AS(it.programmed_[0] = 1; it.slots_[0] = 2)},
                       {kPasses, AS(it.slots_[14] = 9)}});  // which was not programmed
  }

  static void program_order() {
    const auto make = [] { return ProgramOrder(); };
    try_rules<ProgramOrder>(Tables(ProgramOrder::rules()), make,
                            {{"the ring of its programs' order is no power of two.", AS(it.open_.resize(65))},
                             {"the ring of its programs' order is no power of two.", AS(it.open_.clear())},
                             {"the order of its programs does not add up.", AS(it.newest_ = 64)},
                             {"the order of its programs does not add up.", AS(it.oldest_ = 1)},
                             {kPasses, AS(it.oldest_ = 0xffff'fff0; it.newest_ = it.oldest_ + 63)}});  // numbers go round
  }

  static void programs() {
    struct Programs : FrontierPrograms {
      void archive(Archive& file) { FrontierPrograms::archive(file, 2, 8, 4); }
    };
    const auto make = [] { return Programs(); };
    try_rules<Programs>(
        Tables(FrontierPrograms::rules()), make,
        {{"the ring of its programs is no power of two.", AS(it.ring_.resize(65))},
         {"its programs do not add up.", AS(it.known_ = 65)},
         {kPasses, AS(it.known_ = 64)},
         {"a program goes to a page that does not exist.", AS(it.ring_[63].die = 2)},
         {"a program goes to a page that does not exist.", AS(it.ring_[63].nand_page = 4)},
         {"a program goes to a page that does not exist.", AS(it.ring_[63].superblock = 8)},
         {kPasses, AS(it.ring_[63].die = 1; it.ring_[63].nand_page = 3; it.ring_[63].superblock = 7)},
         {"a program is followed by one that does not exist.", AS(it.ring_[0].next = 65)},
         {"a program is followed by one that does not exist.", AS(it.oldest_ = it.known_ = 2; it.ring_[0].next = 2)},
         {kPasses, AS(it.ring_[0].next = 64)}});
  }

  static void signals() {
    struct Saved {
      std::vector<Signals::Open> open{{5, 1}, {7, 2}};
      std::vector<Signals::Waiting> waiting{{{Signals::Waiter::Kind::outside, 0, 0, 0}, 7}};
      void archive(Archive& file) {
        Signals signals;
        if (file.loading()) return signals.archive(file);
        file.list(open, 9);
        file.list(waiting, 9);
      }
    };
    const auto make = [] { return Saved(); };
    try_rules<Saved>(
        Tables(Signals::rules_of_open(), Signals::rules()), make,
        {{"a signal is open that nothing feeds.", AS(it.open[1].feeders = 0)},
         {"its signals do not add up.", AS(it.open.push_back({5 + (1 << 20), 1}))},
         {kPasses, AS(it.open.push_back({4 + (1 << 20), 1}))},
         {"its signals do not add up.", AS(it.open[1].signal = 4)},
         {"nobody known waits for a signal.", AS(it.waiting[0].waiter.kind = static_cast<Signals::Waiter::Kind>(4))},
         {"a signal is waited for in vain.", AS(it.waiting[0].signal = 6)},
         {"a signal is waited for in vain.", AS(it.waiting[0].signal = 8)},
         {kPasses, AS(it.waiting[0].signal = 5)}});
  }

  static void read_ahead() {
    const auto make = [] { return ReadAhead({2, 2, 2 * 4 * 4096}, 4096, 100); };
    REQUIRE(make().window_ == 4);
    try_rules<ReadAhead>(Tables(ReadAhead::rules()), make,
                         {{"a page is in no state.", AS(it.state_[7] = 3)},
                          {kPasses, AS(it.state_[7] = 2)},
                          {"a window lies outside of the drive.", AS(it.streams_[1].first = 5; it.streams_[1].end = 4)},
                          {"a window lies outside of the drive.", AS(it.streams_[1].first = 99; it.streams_[1].end = 101)},
                          {kPasses, AS(it.streams_[1].first = it.streams_[1].end = 100)},
                          {"a window is larger than its memory.", AS(it.streams_[0].first = 3; it.streams_[0].end = 8)},
                          {kPasses, AS(it.streams_[0].first = 3; it.streams_[0].end = 7)}});
  }

  static void trims() {
    const auto make = [] {
      Trims trims(100);
      trims.add(Lpn{3}, 5);
      return trims;
    };
    try_rules<Trims>(Tables(Trims::rules()), make,
                     {{"trims that are carried out are more than there are.", AS(it.first_ = 2)},
                      {kPasses, AS(it.first_ = 1)},
                      {"a trim lies outside of the drive.", AS(it.ranges_[0] = {9, 8})},
                      {"a trim lies outside of the drive.", AS(it.ranges_[0].end = 101)},
                      {kPasses, AS(it.ranges_[0] = {100, 100})}});
  }

  static void trim_records() {
    const auto make = [] {
      TrimRecords records(16, 512);
      records.add();
      return records;
    };
    try_rules<TrimRecords>(Tables(TrimRecords::rules()), make,
                           {{"records of trims are gathered that fill a slot.", AS(it.gathered_bytes_ = 512)},
                            {kPasses, AS(it.gathered_bytes_ = 511)}});
  }

  static void host_map_cache() {
    const auto make = [] {
      HostMapCache host(2, 8);
      host.put(0);
      host.put(1);
      return host;
    };
    const char* const unplaced = "a page in the host's memory has no place in the order of their coming.";
    try_rules<HostMapCache>(Tables(HostMapCache::rules()), make,
                            {{"the host's memory holds a page of the map that does not exist.", AS(it.order_[0].page = 8)},
                             {unplaced, AS(it.order_[0].page = 7)},
                             {unplaced, AS(it.stamp_[0] = 77)},
                             {"its pages in the host's memory do not add up.", AS(it.stamp_[7] = 9)},
                             {"its pages in the host's memory do not add up.", AS(it.count_ = 1)},
                             {"more pages are in the host's memory than fit into it.", AS(it.capacity_ = 3; it.put(2))},
                             {"more pages are in the host's memory than ever came there.", AS(it.newest_ = 1)}});
  }

  static void fingerprints() {
    const auto make = [] {
      Fingerprints table(24, 8);
      for (std::uint32_t i = 0; i < 3; ++i) table.enter(Lpn{i}, {10 + i, 0});
      return table;
    };
    const char* const ends = "it has an oldest or a youngest entry, and none, or none of several.";
    try_rules<Fingerprints>(
        Tables(Fingerprints::rules()), make,
        {{"the oldest or the youngest entry does not exist.", AS(it.oldest_ = 24)},
         {"the oldest or the youngest entry does not exist.", AS(it.youngest_ = 24)},
         {kPasses, AS(it.oldest_ = it.youngest_ = 23)},
         {ends, AS(it.count_ = 0; it.oldest_ = Fingerprints::kNone)},
         {ends, AS(it.count_ = 0; it.youngest_ = Fingerprints::kNone)},
         {ends, AS(it.oldest_ = Fingerprints::kNone)},
         {ends, AS(it.youngest_ = Fingerprints::kNone)},
         {kPasses, AS(it.count_ = 0; it.oldest_ = it.youngest_ = Fingerprints::kNone)},
         {"it holds more entries than fit into it.", AS(it.count_ = 9)},
         {kPasses, AS(it.count_ = 8)},
         {"an entry leads to one that does not exist.", AS(it.entries_[23].older = 24)},
         {"an entry leads to one that does not exist.", AS(it.entries_[23].younger = 24)},
         {kPasses, AS(it.entries_[0].older = it.entries_[0].younger = 23)},
         {"the table leads to an entry that does not exist.", AS(it.slots_[0] = 24)},
         {kPasses, AS(it.slots_[0] = 23)},
         {"the table is full.", AS(for (std::size_t i = 0; i < it.slots_.size(); ++i) it.slots_[i] = 0)},
         {kPasses, AS(for (std::size_t i = 1; i < it.slots_.size(); ++i) it.slots_[i] = 0; it.slots_[0] = it.kNone)}});
  }

  static void refresh() {
    const auto make = [] { return Refresh({1, 0, ns(1'000'000'000), 1}, 8, 1); };
    try_rules<Refresh>(Tables(Refresh::rules()), make,
                       {{"it stands behind the last superblock.", AS(it.cursor_ = 9)}, {kPasses, AS(it.cursor_ = 8)}});
  }

  static void defects() {
    const auto make = [] { return Defects(6, 2, 4); };
    try_rules<Defects>(Tables(Defects::rules()), make,
                       {{"a superblock is made of a block that does not exist.", AS(it.serving_[23] = 24)},
                        {kPasses, AS(it.serving_[0] = 23; it.serving_[1] = Defects::kNone)},
                        {"a block is of no use.", AS(it.use_[23] = static_cast<BlockUse>(4))},
                        {kPasses, AS(it.use_[23] = BlockUse::grown_bad)},
                        {"a spare block does not exist.", AS(it.next_spare_[23] = 24)},
                        {"a spare block does not exist.", AS(it.first_spare_[7] = 24)},
                        {kPasses, AS(it.next_spare_[23] = it.first_spare_[7] = 23)},
                        {"there are more spare blocks than blocks.", AS(it.spares_[7] = 25)},
                        {kPasses, AS(it.spares_[7] = 24)}});
  }

  static Bins bins_of(Bins::Keeping keeping) {
    Bins bins(keeping, 8, 4);
    bins.enter(SuperblockId{3}, 2);
    bins.enter(SuperblockId{5}, 2);
    bins.enter(SuperblockId{1}, 4);
    return bins;
  }
  static void bins() {
    const char* const unknown = "it names a superblock that does not exist.";
    const char* const torn = "its members contradict each other.";
    const Tables tables(Bins::rules());
    Tables lists = tables, sorted = tables;
    lists.sentences = {unknown, torn, "it holds more than there is.", "its lowest bin does not exist."};
    try_rules<Bins>(lists, [] { return bins_of(Bins::Keeping::fifo); },
                    {{unknown, AS(it.next_[7] = SuperblockId{8})},
                     {unknown, AS(it.previous_[7] = SuperblockId{8})},
                     {unknown, AS(it.list_first_[4] = SuperblockId{8})},
                     {unknown, AS(it.list_last_[4] = SuperblockId{8})},
                     {kPasses, AS(it.next_[0] = it.previous_[0] = SuperblockId{7})},
                     {"it holds more than there is.", AS(it.count_ = 9)},
                     {torn, AS(it.count_ = 8)},
                     {torn, AS(it.count_ = 2)},
                     {"its lowest bin does not exist.", AS(it.lowest_ = 6)},
                     {kPasses, AS(it.lowest_ = 5)},
                     {torn, AS(it.previous_[5] = kNoBlock)},
                     {torn, AS(it.list_last_[2] = SuperblockId{3})},
                     {torn, AS(it.list_last_[0] = SuperblockId{3})},
                     {torn, AS(it.list_first_[4] = SuperblockId{0})}});
    sorted.sentences.erase("it holds more than there is.");
    sorted.sentences.erase("its lowest bin does not exist.");
    try_rules<Bins>(sorted, [] { return bins_of(Bins::Keeping::sorted); },
                    {{unknown, AS(it.order_[7] = SuperblockId{8})},
                     {"a superblock has no place in it.", AS(it.place_[0] = 8)},
                     {kPasses, AS(it.place_[0] = 7)},
                     {"a bin begins outside of it.", AS(it.first_[5] = 9)},
                     {torn, AS(it.first_[5] = 8)},
                     {torn, AS(it.first_[5] = 2)},
                     {torn, AS(it.first_[0] = it.first_[1] = it.first_[2] = 1)},
                     {torn, AS(it.order_[0] = kNoBlock)},
                     {torn, AS(it.first_[2] = 3; it.first_[3] = 2)},
                     {torn, AS(it.order_[2] = kNoBlock)},
                     {torn, AS(it.place_[1] = 0)},
                     {kPasses, AS(it.first_[2] = it.first_[1] = 2)}});
    Tables none = tables;
    none.sentences = {"its lowest bin does not exist."};
    try_rules<Bins>(none, [] { return bins_of(Bins::Keeping::none); },
                    {{kPasses, AS(it.count_ = 99)}, {"its lowest bin does not exist.", AS(it.lowest_ = 6)}});
  }

  static void coalescing_buffer() {
    struct Saved {
      std::vector<CoalescedPage> pages{{Lpn{9}, Version{1}, 4095, 4096, 0, 0, 1000, {}},
                                       {Lpn{0}, Version{2}, 0, 1, 0, 0, 0, {}}};
      void archive(Archive& file) {
        CoalescingBuffer buffer(2);
        if (file.loading()) return buffer.archive(file, 10, 4096);
        file.section("held pages");
        file.list(pages, 9);
      }
    };
    const auto make = [] { return Saved(); };
    try_rules<Saved>(Tables(CoalescingBuffer::rules()), make,
                     {{"a page is kept that does not exist.", AS(it.pages[0].lpn = Lpn{10})},
                      {"what is kept is no part of a page.", AS(it.pages[1].end_byte = 0)},
                      {"what is kept is no part of a page.", AS(it.pages[0].end_byte = 4097)},
                      {"what is kept of a page would be compressed to more than a page.", AS(it.pages[0].stored = 1001)},
                      {"a page is kept twice.", AS(it.pages[1].lpn = Lpn{9})},
                      {kPasses, AS(it.pages.push_back(it.pages[0]); it.pages[2].lpn = Lpn{1})},
                      {"a list has 4 entries where at most 3 can be.", AS(it.pages.resize(4))}});
  }

  static Frontier frontier_of() {
    Frontier frontier(small_layout(), 0, {0, false, 2, false});
    frontier.open(SuperblockId{1}, false);
    frontier.stage(Lpn{4}, Version{1}, true);
    return frontier;
  }
  static void frontier() {
    struct Part : Frontier {
      Part() : Frontier(frontier_of()) {}
      void archive(Archive& file) { Frontier::archive(file, 16); }
    };
    const auto make = [] { return Part(); };
    REQUIRE(make().full_capacity_ == 16);
    REQUIRE(make().pslc_capacity_ == 8);
    const char* const more = "of its staged pages more came from the host, or by copyback, than there are.";
    try_rules<Part>(Tables(Frontier::rules()), make,
                    {{"it holds as much as no superblock does.", AS(it.capacity_ = 9)},
                     {kPasses, AS(it.capacity_ = 8)},
                     {"it stands where no superblock has a page.", AS(it.used_ = 17)},
                     {"it stands where no superblock has a page.", AS(it.next_ = 17)},
                     {kPasses, AS(it.used_ = it.next_ = 16)},
                     {"more pages are staged than a stripe has.", AS(it.staged_ = 3; it.next_ = 3)},
                     {"more pages are staged than it took.", AS(it.staged_ = 2)},
                     {kPasses, AS(it.staged_ = it.next_ = 2)},
                     {more, AS(it.host_pages_ = 2)},
                     {more, AS(it.internal_pages_ = 2)},
                     {kPasses, AS(it.internal_pages_ = 1)},
                     {"a list is shorter than this drive has it.", AS(it.lpns_.pop_back())}});
    struct Waits : Frontier {
      Waits() : Frontier(frontier_of()) {}
      void archive(Archive& file) { archive_waiting(file, 16); }
    };
    try_rules<Waits>(
        Tables(Frontier::rules_of_waiting()), [] { return Waits(); },
        {{"a page waits for a slot outside of its superblock.", AS(it.waiting_ = {{Lpn{1}, Version{1}, 1, 16}})},
         {kPasses, AS(it.waiting_.resize(4, {Lpn{1}, Version{1}, 1, 15}))}});
  }

  static void map_cache() {
    const auto make_of = [](std::uint32_t units) {
      MapCache cache({true, 4 * 64, 64, 8, 16, MapCacheConfig::Eviction::segmented_lru, 8, true, 0}, 16 * units);
      std::vector<std::uint32_t> write_back;
      for (std::uint32_t i = 0; i < 4; ++i) cache.access(16 * i, i == 1, write_back);
      return cache;
    };
    const char* const nowhere = "an entry leads to one that does not exist.";
    const char* const alone = "an entry, or the end of a list, has no neighbour.";
    const char* const more = "more units are protected, or dirty, than are here.";
    const Changes<MapCache> changes = {
        {"more units are here than fit.", AS(it.units_ = 5)},
        {more, AS(it.protected_units_ = 5)},
        {more, AS(it.dirty_units_ = 5)},
        {kPasses, AS(it.protected_units_ = it.dirty_units_ = 4)},
        {nowhere, AS(it.free_first_ = 6)},
        {kPasses, AS(it.free_first_ = 5)},
        {nowhere, AS(it.slots_[5].newer = 6)},
        {nowhere, AS(it.slots_[0].older = 6)},
        {nowhere, AS(it.slots_[0].dirty_before = 6)},
        {nowhere, AS(it.slots_[0].dirty_after = 6)},
        {"an entry is of a page that does not exist.", AS(it.slots_[0].unit = it.translation_pages())},
        {kPasses, AS(it.slots_[0].unit = it.translation_pages() - 1)},
        {alone, AS(it.slots_[0].newer = MapCache::kNone)},
        {alone, AS(it.slots_[0].older = MapCache::kNone)},
        {kPasses, AS(it.slots_[0] = {})},
        {alone, AS(it.slots_[4].newer = MapCache::kNone)},
        {alone, AS(it.slots_[5].older = MapCache::kNone)},
        {"the index leads to an entry that does not exist.",
         AS(it.direct_.size() > 0 ? it.direct_[0] = 6 : it.table_[0].slot = 6)},
        {"a list of dirty entries begins with one that does not exist.", AS(it.dirty_first_[9] = 6)},
        {kPasses, AS(it.dirty_first_[9] = 5)}};
    Tables direct(MapCache::rules());
    direct.sentences.erase("the index is full.");
    REQUIRE(make_of(10).direct_.size() == 10);
    try_rules<MapCache>(
        direct, [&] { return make_of(10); }, changes);
    REQUIRE(make_of(300).table_.size() == 8);
    Changes<MapCache> of_table = changes;
    of_table.push_back({ "the index is full.", AS(for (std::size_t i = 0; i < 8; ++i) it.table_[i].unit = 0) });
    try_rules<MapCache>(
        Tables(MapCache::rules()), [&] { return make_of(300); }, of_table);
    // Single entries are numbered by logical page.
    const auto entries = [] {
      return MapCache({false, 4 * 8, 64, 8, 16, MapCacheConfig::Eviction::lru, 8, true, 0}, 16 * 300 - 5);
    };
    Tables of_entries(MapCache::rules());
    of_entries.sentences = {"an entry is of a page that does not exist."};
    const auto linked = [](MapCache& it, std::uint32_t unit) { it.slots_[0] = {unit, 4, 4, it.kNone, it.kNone, 0, 0}; };
    static const auto set = linked;
    try_rules<MapCache>(
        of_entries, entries,
        {{"an entry is of a page that does not exist.", AS(set(it, 16 * 300 - 5))}, {kPasses, AS(set(it, 16 * 300 - 6))}});
  }

  struct Flash {
    explicit Flash(bool independent_planes) : engine(geometry(), timing(independent_planes), 2, tree) {
      engine.now_ = ns(10);
      engine.operations_.resize(3);
      engine.under_way_ = 2;
      engine.erasing_.resize(1);
      tree.set(5, ns(1));  // which is not the engine's
    }
    static Geometry geometry() { return {1, 1, 2, 2, 64, 16, 4096, 128, 1024}; }
    static NandTiming timing(bool independent_planes) {
      NandTiming timing;
      timing.program = {ns(300'000)};
      timing.independent_plane_reads = independent_planes;
      timing.bus_bytes_per_s = 100'000'000;
      return timing;
    }
    void archive(Archive& file) { engine.archive(file); }
    auto& record() { return engine.operations_[2].record; }
    auto& die() { return engine.dies_[1]; }
    void runs(std::uint32_t flash_class, std::uint32_t id) {
      die().state = FlashEngine::State::running;
      die().runs = 1;
      die().run[0].flash_class = flash_class;
      die().run[0].id = id;
    }
    void asked(std::uint16_t host_pages, std::uint16_t moved_pages) {
      FlashProgram& program = engine.programs_[1].at(63);
      program.flags = FlashProgram::kKnown;
      engine.host_pages_in_flight_ = program.host_pages = host_pages;
      engine.moved_pages_in_flight_ = program.moved_pages = moved_pages;
      engine.programs_in_flight_ = 1;
      engine.under_way_ = 3;
    }
    void waits(std::uint32_t flash_class, FlashEngine::List queue) {
      die().queues[flash_class] = queue;
      die().ready[flash_class] = ns(10);
    }
    void waits_beside(std::uint32_t flash_class, PlaneQueues::Waiting read) {
      engine.beside_[2 + flash_class].add(read);
      die().ready[flash_class] = ns(10);
    }
    void suspended(std::uint32_t id) {
      die().holds = 1;
      die().held.id = id;
    }
    WinnerTree tree{8};
    FlashEngine engine;
  };
  static void flash_engine() {
    const char* const past = "something is due in the past.";
    const char* const follows = "an operation is followed by one that does not exist.";
    const char* const page = "an operation is of a page that does not exist.";
    const char* const much = "an operation is of more than a page of each plane.";
    const char* const nothing = "an operation is of a superblock that does not exist, or is not being erased.";
    const char* const wide = "a program is of more planes than a die has.";
    const char* const many = "erases are under way of more superblocks than there are.";
    const char* const busy = "a die is at work on nothing, or on more than its planes.";
    const char* const queue = "a queue of a die leads to an operation that does not exist.";
    const char* const nowhere = "what a die is at leads nowhere.";
    const char* const input = "a program that a die has, or that waits for it, does not exist.";
    const char* const round = "an operation or a program is in two places, or a list does not end where it says.";
    const char* const sum = "what is under way does not add up.";
    const char* const held = "a read waits for a program that does not exist, or does not exist itself.";
    const char* const ready = "a die is ready for what is not in its queue, or not for what is.";
    using Engine = FlashEngine;
    using Record = WorkRecord;
    const Changes<Flash> changes = {
        {past, AS(it.tree.set(0, ns(9)))},
        {past, AS(it.tree.set(4, ns(9)))},
        {kPasses, AS(it.tree.set(4, ns(10)))},
        {"there is no place for operations.", AS(it.engine.operations_.clear())},
        {"its free, or its last, operation does not exist.", AS(it.engine.free_operation_ = 3)},
        {"its free, or its last, operation does not exist.", AS(it.engine.last_erase_ = 3)},
        {kPasses, AS(it.engine.free_operation_ = it.engine.last_erase_ = 2; it.engine.under_way_ = 1)},
        {follows, AS(it.engine.operations_[2].next = 3)},
        {kPasses, AS(it.engine.operations_[1].next = 2)},
        {"an operation is of no kind.", AS(it.record().kind = static_cast<Record::Kind>(5))},
        {kPasses, AS(it.record().kind = Record::Kind::barrier)},
        {"an operation is for a frontier that does not exist.", AS(it.record().frontier = 2)},
        {kPasses, AS(it.record().frontier = 1)},
        {page, AS(it.record().die = 2)},
        {page, AS(it.record().nand_page = 16)},
        {kPasses, AS(it.record().die = 1; it.record().nand_page = 15)},
        {much, AS(it.record().bytes = it.engine.times_.most_bytes() + 1)},
        {kPasses, AS(it.record().bytes = it.engine.times_.most_bytes())},
        {much, AS(it.record().planes = 3)},
        {much, AS(it.record().planes = 1; it.record().first_plane = 2)},
        {kPasses, AS(it.record().planes = 1; it.record().first_plane = 1)},
        {nothing, AS(it.record().superblock = it.engine.superblocks_)},
        {kPasses, AS(it.record().superblock = it.engine.superblocks_ - 1)},
        {kPasses, AS(it.record().superblock = number(kNoBlock))},
        {nothing, AS(it.record().kind = Record::Kind::barrier; it.record().superblock = number(kNoBlock))},
        {nothing, AS(it.record().kind = Record::Kind::erase; it.record().superblock = 1)},
        {kPasses, AS(it.record().kind = Record::Kind::erase)},
        {wide, AS(it.engine.programs_[1].at(63).planes = 3)},
        {kPasses, AS(it.engine.programs_[1].at(63).planes = 2)},
        {many, AS(it.engine.erasing_.resize(it.engine.superblocks_ + 1))},
        {many, AS(it.engine.programs_of_.resize(it.engine.superblocks_ + 1))},
        {kPasses,
         AS(it.engine.programs_of_.resize(it.engine.superblocks_); it.engine.erasing_.resize(it.engine.superblocks_))},
        {"a die is in no state.", AS(it.runs(0, 0); it.die().state = static_cast<Engine::State>(3))},
        {kPasses, AS(it.runs(0, 0); it.die().state = Engine::State::stopping)},
        {busy, AS(it.die().runs = 9)},
        {kPasses, AS(it.die().runs = 8)},
        {busy, AS(it.runs(0, 0); it.die().runs = 0)},
        {queue, AS(it.die().queues[2].head = 3)},
        {queue, AS(it.die().queues[0].tail = 3)},
        {kPasses, AS(it.waits(1, {2, 2}))},
        {nowhere, AS(it.runs(0, 3))},
        {nowhere, AS(it.runs(kErases, 3))},
        {nowhere, AS(it.runs(Engine::kHolding, 3))},
        {nowhere, AS(it.runs(Engine::kHoldingForHost, 3))},
        {kPasses, AS(it.runs(kErases, 2))},
        {kPasses, AS(it.runs(Engine::kHolding, 2))},
        {nowhere, AS(it.runs(kPrograms, 64))},
        {nowhere, AS(it.runs(kPrograms + 2, 0))},
        {nowhere, AS(it.runs(Engine::kHoldingForHost - 1, 0))},
        {kPasses, AS(it.runs(kPrograms, 63))},
        {kPasses, AS(it.runs(kPrograms + 1, 63))},
        {nowhere, AS(it.runs(0, 0); it.die().runs = 8; it.die().run[7].id = 3)},
        {kPasses, AS(it.die().run[0].id = 3)},
        {"what a die has suspended leads nowhere.", AS(it.suspended(3))},
        {kPasses, AS(it.suspended(2))},
        {kPasses, AS(it.die().held.id = 3)},
        {input, AS(it.die().inputs[1].loaded = 65)},
        {input, AS(it.die().inputs[0].head = 65)},
        {input, AS(it.die().inputs[1].head = 1; it.die().inputs[1].tail = 65)},
        {kPasses, AS(it.die().inputs[1] = {64, 64, 64})},
        {kPasses, AS(it.die().inputs[1] = {0, 0, 65})},
        {"a channel carries data of an operation that does not exist.",
         AS(it.engine.channels_[0].out.push({ns(20), ns(20), ns(20), 3}))},
        {kPasses, AS(it.engine.channels_[0].out.push({ns(20), ns(20), ns(20), 2}))},
        {"an erase that waits for programs does not exist.", AS(it.engine.ordered_.push({0, 3, 0}))},
        {"an erase that waits for programs does not exist.", AS(it.engine.ordered_.push({0, 0, 1}))},
        {kPasses, AS(it.engine.ordered_.push({0, 2, 0}))},
        {"a program waits for the erase of nothing.", AS(it.engine.gated_ = {{1, 0, 0, 0}})},
        {"a program waits for the erase of nothing.", AS(it.engine.gated_ = {{0, 2, 0, 0}})},
        {kPasses, AS(it.engine.gated_ = {{0, 1, 0, 0}})},
        {"an erase waits for one that does not exist.", AS(it.engine.after_erase_ = {{3, 0}})},
        {"an erase waits for one that does not exist.", AS(it.engine.after_erase_ = {{0, 3}})},
        {kPasses, AS(it.engine.after_erase_ = {{2, 2}})},
        {"programs of a superblock are those of a frontier that does not exist.",
         AS(it.engine.programs_of_ = {{2, 0, 1, 1}})},
        {kPasses, AS(it.engine.programs_of_ = {{1, 0, 1, 1}})},
        {held, AS(it.engine.arriving_ = {{2, 1}})},
        {held, AS(it.engine.arriving_ = {{0, 0}})},
        {held, AS(it.engine.arriving_ = {{0, 65}})},
        {kPasses, AS(it.engine.arriving_ = {{1, 64}})},
        {held, AS(it.engine.programs_[1].at(63).first_read = 3)},
        {held, AS(it.engine.programs_[1].at(63).last_read = 3)},
        {kPasses, AS(it.engine.programs_[1].at(63).first_read = it.engine.programs_[1].at(63).last_read = 2)},
        {round, AS(it.engine.operations_[1].next = 1; it.engine.programs_[0].at(5).first_read = 1)},
        {round, AS(it.engine.operations_[2].next = 2; it.engine.free_operation_ = 2)},
        {round, AS(it.engine.operations_[1].next = 2; it.engine.operations_[2].next = 1; it.die().queues[2].head = 1)},
        {kPasses, AS(it.engine.operations_[1].next = 2; it.engine.free_operation_ = 1; it.engine.under_way_ = 0)},
        {round, AS(it.die().queues[0] = {2, 2}; it.engine.free_operation_ = 2)},
        {round, AS(it.die().queues[0] = {1, 2})},
        {round, AS(it.die().queues[0] = it.engine.dies_[0].queues[1] = {2, 2})},
        {round, AS(it.die().queues[0] = {2, 2}; it.runs(kErases, 2))},
        {round, AS(it.die().queues[0] = {2, 2}; it.suspended(2))},
        {round, AS(it.suspended(2); it.runs(kInternalReads, 2))},
        {round, AS(it.engine.channels_[0].out.push({ns(20), ns(20), ns(20), 2});
                   it.engine.channels_[0].out.push({ns(20), ns(20), ns(20), 2}))},
        {kPasses, AS(it.engine.channels_[0].out.push({ns(20), ns(20), ns(20), 2}); it.runs(Engine::kHolding, 2))},
        {round, AS(it.engine.ordered_.push({0, 2, 0}); it.engine.ordered_.push({0, 2, 0}))},
        {kPasses, AS(it.engine.ordered_.push({0, 0, 0}); it.engine.ordered_.push({0, 0, 0}))},
        {round, AS(it.engine.after_erase_ = {{1, 2}, {1, 2}})},
        {kPasses, AS(it.engine.after_erase_ = {{1, 2}}; it.runs(kErases, 1))},
        {round, AS(it.engine.programs_[0].at(5).first_read = 1; it.engine.programs_[0].at(5).last_read = 2)},
        {round, AS(it.engine.dies_[0].inputs[1] = it.die().inputs[1] = {0, 64, 64})},
        {kPasses, AS(it.engine.dies_[0].inputs[0] = it.die().inputs[1] = {0, 64, 64})},
        {round, AS(it.die().inputs[1] = {0, 63, 64})},
        {kPasses, AS(it.die().inputs[1] = {0, 63, 64}; it.engine.programs_[1].at(62).next = 64)},
        {sum, AS(it.engine.under_way_ = 3)},
        {sum, AS(it.engine.programs_in_flight_ = 1)},
        {sum, AS(it.engine.host_pages_in_flight_ = 1)},
        {sum, AS(it.engine.moved_pages_in_flight_ = 1)},
        {sum, AS(it.asked(2, 3); it.engine.under_way_ = 2)},
        {sum, AS(it.asked(2, 3); it.engine.host_pages_in_flight_ = 0)},
        {kPasses, AS(it.asked(2, 3))},
        {ready, AS(it.die().queues[2] = {2, 2})},
        {ready, AS(it.die().ready[0] = ns(10))},
        {kPasses, AS(it.waits(kErases, {2, 2}))}};
    const char* const beside = "a read that waits for independent planes does not exist, or needs others.";
    const Changes<Flash> of_planes = {
        {beside, AS(it.waits_beside(0, {0xff, 3}))},
        {beside, AS(it.waits_beside(1, {0xff, 0}))},
        {beside, AS(it.waits_beside(1, {1, 2}))},
        {kPasses, AS(it.waits_beside(1, {0xff, 2}))},
        {kPasses, AS(it.record().planes = 1; it.record().first_plane = 1; it.waits_beside(0, {2, 2}))},
        {round, AS(it.waits_beside(0, {0xff, 2}); it.waits_beside(0, {0xff, 2}))},
        {round, AS(it.waits_beside(0, {0xff, 2}); it.waits_beside(1, {0xff, 2}))},
        {ready, AS(it.engine.beside_[3].add({0xff, 2}))},
        {ready, AS(it.engine.beside_[2].add({0xff, 2}); it.engine.dies_[0].ready[0] = ns(10))},
        {ready, AS(it.die().ready[1] = ns(10))},
        {ready, AS(it.waits(kHostReads, {2, 2}))},
        {ready, AS(it.waits(kInternalReads, {1, 1}); it.waits_beside(1, {0xff, 2}))},
        {kPasses, AS(it.waits(kErases, {2, 2}))}};
    std::set<std::string> broken;
    try_engine(false, changes, broken);
    try_engine(true, of_planes, broken);
    for (const std::string& rule : Tables(FlashEngine::rules()).sentences) {
      INFO(rule);
      CHECK(broken.count(rule) == 1);
    }
  }
  // The engine stays where its tree is: it is not copied.
  static void try_engine(bool independent_planes, const Changes<Flash>& changes, std::set<std::string>& broken) {
    Flash sound(independent_planes), other(independent_planes);
    REQUIRE(refusal(other, saved(sound)) == kPasses);
    for (std::size_t i = 0; i < changes.size(); ++i) {
      Flash changed(independent_planes), loaded(independent_planes);
      changes[i].make(changed);
      const std::string said = refusal(loaded, saved(changed));
      INFO("change " << i << (independent_planes ? " with independent planes" : ""));
      CHECK(said == changes[i].otherwise);
      broken.insert(changes[i].otherwise);
    }
  }

  // --- of whole drives ---
  static PageStore& store(Drive& drive) { return drive.ftl_->store_; }
  static Relocation& relocation(Drive& drive) { return drive.ftl_->relocations_[0]; }

  static void media_errors() {
    try_drive(Tables(MediaErrors::rules()), document("cells"),
              {{"a superblock was erased a million times.", AS(it.medium_.erases_[47] = 1 << 20)},
               {kPasses, AS(it.medium_.erases_[47] = (1 << 20) - 1)}});
  }

  static void deduplication() {
    const char* const more = "it counts more pages than there are.";
    try_drive(Tables(Deduplication::rules()), document("sharing"),
              {{"a page has a content that does not exist.", AS(auto& d = *it.deduplication_; d.content_[0] = d.pages())},
               {kPasses, AS(auto& d = *it.deduplication_; d.content_[0] = d.pages() - 1)},
               {"a content that is free does not exist.", AS(auto& d = *it.deduplication_; d.free_[0] = d.pages())},
               {kPasses, AS(auto& d = *it.deduplication_; d.free_[0] = d.pages() - 1)},
               {more, AS(auto& d = *it.deduplication_; d.free_count_ = d.pages() + 1)},
               {more, AS(auto& d = *it.deduplication_; d.mapped_pages_ = d.pages() + 1)},
               {kPasses, AS(auto& d = *it.deduplication_; d.free_count_ = d.mapped_pages_ = d.pages())}});
  }

  static void rewrites(Drive& drive, std::uint32_t behind_end) {
    Extents& extents = *drive.ftl_->extents_;
    extents.region_ = 1;
    extents.next_ = extents.region_end() + behind_end;
  }
  static void extents() {
    const char* const outside = "it goes on outside of the region that is rewritten.";
    try_drive(Tables(Extents::rules()), document("extent"),
              {{"the region that is rewritten does not exist.",
                AS(auto& e = *it.ftl_->extents_; e.region_ = static_cast<std::uint32_t>(e.least_.size()))},
               {kPasses, AS(auto& e = *it.ftl_->extents_; e.region_ = static_cast<std::uint32_t>(e.least_.size()) - 1;
                            e.next_ = e.region_begin())},
               {outside, AS(auto& e = *it.ftl_->extents_; e.region_ = 1; e.next_ = e.region_begin() - 1)},
               {outside, AS(rewrites(it, 1))},
               {kPasses, AS(rewrites(it, 0))}});
  }

  static void log_blocks() {
    const Tables tables(LogBlocks::rules());
    const char* const block = "a log block does not exist.";
    const char* const owner = "a log block is nobody's.";
    const char* const home = "a logical superblock lies outside of the flash.";
    try_drive(
        tables, document("bast"),
        {{home, AS(it.ftl_->logs_->home_[0] = 48)},
         {kPasses, AS(it.ftl_->logs_->home_[0] = 47)},
         {block, AS(it.ftl_->logs_->logs_[3] = {48, 0, 0})},
         {owner, AS(auto& l = *it.ftl_->logs_; l.logs_[3] = {47, static_cast<std::uint32_t>(l.home_.size()), 0})},
         {kPasses, AS(auto& l = *it.ftl_->logs_; l.logs_[3] = {47, static_cast<std::uint32_t>(l.home_.size()) - 1, 0})},
         {kPasses, AS(it.ftl_->logs_->logs_[3] = {})}});
    try_drive(tables, document("fast"),
              {{home, AS(it.ftl_->logs_->home_[0] = 48)},
               {block, AS(it.ftl_->logs_->logs_[1] = {48, 0, 0})},
               {owner, AS(it.ftl_->logs_->logs_[0] = {47, LogBlocks::kNone, 0})},
               {kPasses, AS(it.ftl_->logs_->logs_[1] = {47, LogBlocks::kNone, 0})}});
  }

  static void demand_map() {
    try_drive(
        Tables(DemandMap::rules()), document("demand pages"),
        {{"a translation page does not exist.",
          AS(auto& d = *it.ftl_->demand_; d.outdated_ = {static_cast<std::uint32_t>(d.is_outdated_.size())})},
         {kPasses, AS(auto& d = *it.ftl_->demand_; d.outdated_ = {static_cast<std::uint32_t>(d.is_outdated_.size()) - 1})}});
  }

  static void page_map() {
    try_drive(Tables(PageMap::rules()), document("page"),
              {{"a logical page lies outside of the flash.", AS(store(it).map_.map_[0] = Ppn{48 * 64})},
               {kPasses, AS(store(it).map_.map_[0] = Ppn{48 * 64 - 1})}});
  }

  static void blocks() {
    const char* const follows = "a superblock follows one that does not exist.";
    const char* const begins = "a pool begins with a superblock that does not exist.";
    try_drive(Tables(Blocks::rules(), Blocks::rules_of_pools()), document("frequency"),
              {{"a superblock is in no state.", AS(store(it).blocks_.state_[47] = static_cast<BlockState>(6))},
               {kPasses, AS(store(it).blocks_.state_[47] = BlockState::retired)},
               {"a superblock is in no pool.", AS(store(it).blocks_.pool_[47] = 1)},
               {follows, AS(store(it).blocks_.older_[47] = SuperblockId{48})},
               {follows, AS(store(it).blocks_.younger_[47] = SuperblockId{48})},
               {kPasses, AS(store(it).blocks_.older_[0] = store(it).blocks_.younger_[0] = SuperblockId{47})},
               {"a free superblock does not exist.", AS(store(it).blocks_.free_ring_[47] = SuperblockId{48})},
               {"a superblock has too many pages.", AS(store(it).blocks_.valid_[47] = 65)},
               {kPasses, AS(store(it).blocks_.valid_[47] = 64)},
               {"its free superblocks are too many.", AS(store(it).blocks_.free_count_ = 49)},
               {kPasses, AS(store(it).blocks_.free_count_ = 48)},
               {"its free superblocks begin outside of their ring.", AS(store(it).blocks_.free_first_ = 48)},
               {kPasses, AS(store(it).blocks_.free_first_ = 47)},
               {begins, AS(store(it).blocks_.pools_[0].oldest = SuperblockId{48})},
               {begins, AS(store(it).blocks_.pools_[0].youngest = SuperblockId{48})},
               {begins, AS(store(it).blocks_.pools_[0].beyond_window = SuperblockId{48})},
               {kPasses, AS(store(it).blocks_.pools_[0].beyond_window = SuperblockId{47})}});
  }

  // The first frontier has a page in RAM, of stage 5; a superblock waits for its erase until `stage` is programmed.
  static void waits(Drive& drive, std::uint32_t block, std::uint64_t stage) {
    PageStore& it = store(drive);
    for (Frontier& frontier : it.frontiers_) frontier.staged_ = frontier.host_pages_ = frontier.internal_pages_ = 0;
    it.frontiers_[0].staged_ = 1;
    it.frontiers_[0].next_ = std::max(it.frontiers_[0].next_, 1u);
    it.frontiers_[0].stage_id_ = 5;
    it.blocks_.state_[block] = BlockState::pending_erase;
    it.pending_erases_ = {{block, stage}};
    it.waiting_.assign(it.waiting_.size(), 0);
    ++it.waiting_[it.blocks_.pool_[block]];
  }
  static void page_store() {
    const char* const vain = "a superblock waits for its erase, but for nothing that is staged.";
    try_drive(
        Tables(PageStore::rules()), document("page"),
        {{"a frontier lies in a superblock that does not exist.", AS(store(it).frontiers_[1].block_ = SuperblockId{48})},
         {kPasses, AS(store(it).frontiers_[1].block_ = SuperblockId{47})},
         {"a superblock to be erased does not exist.", AS(store(it).pending_erases_ = {{48, 0}})},
         {kPasses, AS(waits(it, 47, 5))},
         {vain, AS(waits(it, 47, 4))},
         {vain, AS(waits(it, 47, 5); store(it).frontiers_[0].staged_ = store(it).frontiers_[0].host_pages_ = 0)},
         {vain, AS(waits(it, 47, 5); store(it).blocks_.state_[47] = BlockState::closed)},
         {vain, AS(waits(it, 47, 5); ++store(it).waiting_[0])},
         {vain, AS(waits(it, 47, 5); store(it).pending_erases_.clear())}});
    Tables waits_of_pools(PageStore::rules());
    waits_of_pools.sentences = {vain};
    try_drive(waits_of_pools, document("pools"),
              {{kPasses, AS(store(it).blocks_.pool_[47] = 0; waits(it, 47, 5))},
               {vain, AS(store(it).blocks_.pool_[47] = 1; waits(it, 47, 5))}});
  }

  static void collects(Drive& drive, std::uint32_t block) {
    relocation(drive).victim_ = SuperblockId{block};
    store(drive).blocks_.state_[block] = BlockState::collecting;
  }
  static void relocation() {
    const char* const collected = "its victim is not being collected, or not in its pool.";
    const char* const ahead = "it looks ahead further than it can.";
    const char* const no_page = "it is at work where there is no page.";
    const char* const no_word = "it looks for pages where there is none.";
    const char* const behind = "it has found a page behind the last one.";
    const char* const runs = "it moves runs of pages, which this drive does not.";
    const Tables all(Relocation::rules());
    Tables tables = all;
    tables.sentences = {runs, collected};
    try_drive(tables, document("packed"),
              {{runs, AS(relocation(it).by_runs_ = true)},
               {kPasses, AS(relocation(it).by_runs_ = false)},
               {collected, AS(collects(it, 35); store(it).blocks_.state_[35] = BlockState::closed)}});
    tables.sentences = {collected, no_word};
    try_drive(tables, document("pools"),  // of 64 pages
              {{kPasses, AS(relocation(it).by_runs_ = true)},
               {kPasses, AS(store(it).blocks_.pool_[47] = 0; collects(it, 47))},
               {collected, AS(store(it).blocks_.pool_[47] = 1; collects(it, 47))},
               {kPasses, AS(relocation(it).victim_ = kNoBlock)},
               {no_word, AS(relocation(it).scan_word_ = 1; relocation(it).scan_bits_ = 0)}});
    tables = all;
    tables.sentences.erase(runs);
    Node design = document("page");
    for (const char* const part : {"geometry.pages_per_block=65", "ftl.superblock.dies=1", "ftl.superblock.planes=1"})
      set_by_path(design, part);
    try_drive(tables, design,
              {{"its victim does not exist.", AS(relocation(it).victim_ = SuperblockId{384})},
               {collected, AS(relocation(it).victim_ = SuperblockId{383})},
               {"it relocates without a cause.", AS(relocation(it).cause_ = static_cast<RelocationCause>(5))},
               {kPasses, AS(relocation(it).cause_ = RelocationCause::refresh)},
               {"its pages go to a frontier that does not exist.", AS(relocation(it).fixed_class_ = 2)},
               {kPasses, AS(relocation(it).fixed_class_ = 1)},
               {ahead, AS(relocation(it).ahead_first_ = 64)},
               {ahead, AS(relocation(it).ahead_count_ = 65)},
               {kPasses, AS(relocation(it).ahead_first_ = 63; relocation(it).ahead_count_ = 64)},
               {no_page, AS(relocation(it).ahead_[63] = 65)},
               {no_page, AS(relocation(it).shuffled_ = {65})},
               {kPasses, AS(relocation(it).ahead_[63] = 64; relocation(it).shuffled_ = {64})},
               {no_word, AS(relocation(it).scan_word_ = 2; relocation(it).scan_bits_ = 0)},
               {no_word, AS(relocation(it).run_word_ = 3)},
               {kPasses, AS(relocation(it).run_word_ = 2)},
               {behind, AS(relocation(it).scan_word_ = 1; relocation(it).scan_bits_ = 2)},
               {kPasses, AS(relocation(it).scan_word_ = 1; relocation(it).scan_bits_ = 1)},
               {kPasses, AS(relocation(it).scan_word_ = 0; relocation(it).scan_bits_ = ~std::uint64_t{0})}});
  }
  // A piece of so many pages that are read ahead, of which two come.
  static void ahead(Drive& it, std::uint32_t pages) {
    it.pieces_.resize(2);
    it.free_pieces_.clear();
    it.fetches_.push(1);
    it.fetches_.push(1);
    it.first_fetch_ = it.pieces_[1].fetch = 7;
    it.pieces_[1].fetches = pages;
  }
  static void drive() {
    const char* const piece = "a piece of a read is free twice, or of no read ahead.";
    try_drive(Tables(Drive::rules()), document("queued"),
              {{"its pieces of reads are not counted from 1.", AS(it.pieces_.clear(); it.free_pieces_.clear())},
               {"a piece of a read is not there.", AS(it.pieces_.resize(3); it.free_pieces_ = {1, 3})},
               {kPasses, AS(it.pieces_.resize(3); it.free_pieces_ = {1, 2})},
               {piece, AS(it.pieces_.resize(3); it.free_pieces_ = {1, 1})},
               {piece, AS(it.pieces_.resize(2); it.free_pieces_ = {0, 1})},
               {piece, AS(it.pieces_.resize(2); it.free_pieces_.clear())},
               {piece, AS(ahead(it, 2); it.fetches_.front() = 0)},
               {piece, AS(ahead(it, 3))},
               {kPasses, AS(ahead(it, 2))},
               {"its layer has asked for other programs than its flash.",
                AS(it.work_.program({Die{0}, 0, SuperblockId{0}, 0, false, 0, 0, 0}, 1); it.work_.clear())},
               {"its layer has asked for other programs than its flash.",
                AS(it.work_.program({Die{0}, 0, SuperblockId{0}, 1, false, 0, 0, 0}, 1); it.work_.clear())}});
  }
};

namespace {

// So that no class has rules that nobody tries.
std::size_t tables_in_sources() {
  std::size_t tables = 0;
  for (const char* const folder : {"sim", "models", "ftl"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(FTLAB_SOURCE_DIR) / folder)) {
      const std::string name = entry.path().filename().string();
      if (!entry.is_regular_file() || name.ends_with("_test.cpp") || name == "rule.h") continue;
      std::stringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      const std::string words = text.str();
      for (std::size_t at = 0; (at = words.find("> kRules[] = {", at)) != std::string::npos; ++at) ++tables;
    }
  }
  return tables;
}

}  // namespace

TEST_CASE("each rule of a loaded state refuses what breaks it, and nothing else") {
  LoadedStates::Rules::timeline();
  LoadedStates::Rules::random_stream();
  LoadedStates::Rules::due_queue();
  LoadedStates::Rules::host_queues();
  LoadedStates::Rules::medium();
  LoadedStates::Rules::program_order();
  LoadedStates::Rules::programs();
  LoadedStates::Rules::signals();
  LoadedStates::Rules::read_ahead();
  LoadedStates::Rules::trims();
  LoadedStates::Rules::trim_records();
  LoadedStates::Rules::host_map_cache();
  LoadedStates::Rules::fingerprints();
  LoadedStates::Rules::refresh();
  LoadedStates::Rules::defects();
  LoadedStates::Rules::bins();
  LoadedStates::Rules::coalescing_buffer();
  LoadedStates::Rules::frontier();
  LoadedStates::Rules::map_cache();
  LoadedStates::Rules::flash_engine();
  LoadedStates::Rules::media_errors();
  LoadedStates::Rules::deduplication();
  LoadedStates::Rules::extents();
  LoadedStates::Rules::log_blocks();
  LoadedStates::Rules::demand_map();
  LoadedStates::Rules::page_map();
  LoadedStates::Rules::blocks();
  LoadedStates::Rules::page_store();
  LoadedStates::Rules::relocation();
  LoadedStates::Rules::drive();
  CHECK(Tables::all().size() == tables_in_sources());
}

}  // namespace ftlab
