// Consistency rules of loaded states of the event queue, the link, the controller and the flash.
#include <set>
#include <string>
#include <vector>

#include "models/controller/read_ahead.h"
#include "models/link/host_queues.h"
#include "models/nand/schedule/flash_engine.h"
#include "models/nand/schedule/loaded_flash.h"
#include "sim/core/due_queue.h"
#include "sim/core/random.h"
#include "sim/core/timeline.h"
#include "validation/checks/reference/rule_trials.h"

// Changes a state, `it`.
#define AS(...) [](auto& it) { __VA_ARGS__; }

namespace ftlab {

using namespace testing;

namespace {

constexpr Nanoseconds ns(std::uint64_t number) { return Nanoseconds{number}; }

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
                      {"a due entry does not fit 32 bits.", AS(it.list[0].payload = std::uint64_t{1} << 32)},
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
    try_rules<Medium>(
        Tables(Medium::rules()), make,
        {{"a superblock has too many pages.", AS(it.superblocks_.programmed_[3] = 5)},
         {kPasses, AS(it.superblocks_.programmed_[3] = 4)},
         {"a page begins before its superblock.", AS(it.pages_.slots_[13] = 3)},
         {"a page begins before its superblock.", AS(it.superblocks_.programmed_[3] = 4; it.pages_.slots_[15] = 5)},
         {"a page begins before its superblock.", AS(it.superblocks_.programmed_[0] = 1; it.pages_.slots_[0] = 2)},
         {kPasses, AS(it.pages_.slots_[14] = 9)}});  // not programmed
  }

  static void program_order() {
    const auto make = [] { return ProgramOrder(); };
    try_rules<ProgramOrder>(Tables(ProgramOrder::rules()), make,
                            {{"the ring of its program order is not a power of two.", AS(it.open_.resize(65))},
                             {"the ring of its program order is not a power of two.", AS(it.open_.clear())},
                             {"the order of its programs does not add up.", AS(it.newest_ = 64)},
                             {"the order of its programs does not add up.", AS(it.oldest_ = 1)},
                             {kPasses, AS(it.oldest_ = 0xffff'fff0; it.newest_ = it.oldest_ + 63)}});  // numbers wrap
  }

  static void programs() {
    struct Programs : FrontierPrograms {
      void archive(Archive& file) { FrontierPrograms::archive(file, 2, 8, 4); }
    };
    const auto make = [] { return Programs(); };
    try_rules<Programs>(
        Tables(FrontierPrograms::rules()), make,
        {{"the ring of its programs is not a power of two.", AS(it.ring_.resize(65))},
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
         {"an unknown operation waits for a signal.", AS(it.waiting[0].waiter.kind = static_cast<Signals::Waiter::Kind>(4))},
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

  struct Flash {
    explicit Flash(bool independent_planes) : engine(geometry(), timing(independent_planes), 2) {
      engine.shared_.now = ns(10);
      engine.shared_.operations.operations_.resize(3);
      engine.shared_.operations.open_ = 2;
      engine.order_.erasing_.resize(1);
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
    auto& operations() { return engine.shared_.operations.operations_; }
    auto& record() { return operations()[2].record; }
    auto& program(std::uint32_t frontier, std::uint32_t number) { return engine.shared_.programs[frontier].at(number); }
    auto& die() { return engine.dies_[1].it_; }
    auto& input(std::uint32_t frontier) { return engine.dies_[1].inputs_[frontier]; }
    auto& ready(std::uint32_t flash_class) { return engine.dies_[1].ready_[flash_class]; }
    auto& in_flight() { return engine.in_flight_; }
    void runs(std::uint32_t flash_class, std::uint32_t id) {
      die().state = FlashDie::State::running;
      die().runs = 1;
      die().run[0].flash_class = flash_class;
      die().run[0].id = id;
    }
    void asked(std::uint16_t host_pages, std::uint16_t moved_pages) {
      program(1, 63).flags = FlashProgram::kKnown;
      in_flight().host_pages_ = program(1, 63).host_pages = host_pages;
      in_flight().count_ = {1, program(1, 63).moved_pages = moved_pages};
    }
    void waits(std::uint32_t flash_class, OperationList queue) {
      die().queues[flash_class] = queue;
      ready(flash_class) = ns(10);
    }
    void waits_beside(std::uint32_t flash_class, PlaneQueues::Waiting read) {
      engine.dies_[1].beside_[flash_class].add(read);
      ready(flash_class) = ns(10);
    }
    void suspended(std::uint32_t id) {
      die().holds = 1;
      die().held.id = id;
    }
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
    const char* const busy = "a die runs no operation, or more than it has planes.";
    const char* const queue = "a queue of a die leads to an operation that does not exist.";
    const char* const nowhere = "a die runs an unknown operation.";
    const char* const input = "a program that a die has, or that waits for it, does not exist.";
    const char* const round = "an operation or a program is in two places, or a list does not end where it says.";
    const char* const sum = "the operations in flight do not add up.";
    const char* const held = "a read waits for a program that does not exist, or does not exist itself.";
    const char* const ready = "a die is ready for what is not in its queue, or not for what is.";
    using Running = FlashDie::Running;
    using Record = WorkRecord;
    const Changes<Flash> changes = {
        {past, AS(it.engine.shared_.die_moments.set(0, ns(9)))},
        {past, AS(it.engine.shared_.arrivals.set(2, ns(9)))},
        {kPasses, AS(it.engine.shared_.arrivals.set(2, ns(10)))},
        {"the table of operations is missing.", AS(it.operations().clear())},
        {"its free, or its last, operation does not exist.", AS(it.engine.shared_.operations.free_ = 3)},
        {"its free, or its last, operation does not exist.", AS(it.engine.order_.last_erase_ = 3)},
        {kPasses,
         AS(it.engine.shared_.operations.free_ = it.engine.order_.last_erase_ = 2; it.engine.shared_.operations.open_ = 1)},
        {follows, AS(it.operations()[2].next = 3)},
        {kPasses, AS(it.operations()[1].next = 2)},
        {"an operation is of no kind.", AS(it.record().kind = static_cast<Record::Kind>(5))},
        {kPasses, AS(it.record().kind = Record::Kind::barrier)},
        {"an operation is for a frontier that does not exist.", AS(it.record().frontier = 2)},
        {kPasses, AS(it.record().frontier = 1)},
        {page, AS(it.record().die = 2)},
        {page, AS(it.record().nand_page = 16)},
        {kPasses, AS(it.record().die = 1; it.record().nand_page = 15)},
        {much, AS(it.record().bytes = it.engine.shared_.times.most_bytes() + 1)},
        {kPasses, AS(it.record().bytes = it.engine.shared_.times.most_bytes())},
        {much, AS(it.record().planes = 3)},
        {much, AS(it.record().planes = 1; it.record().first_plane = 2)},
        {kPasses, AS(it.record().planes = 1; it.record().first_plane = 1)},
        {nothing, AS(it.record().superblock = it.engine.shared_.superblocks)},
        {kPasses, AS(it.record().superblock = it.engine.shared_.superblocks - 1)},
        {kPasses, AS(it.record().superblock = number(kNoBlock))},
        {nothing, AS(it.record().kind = Record::Kind::barrier; it.record().superblock = number(kNoBlock))},
        {nothing, AS(it.record().kind = Record::Kind::erase; it.record().superblock = 1)},
        {kPasses, AS(it.record().kind = Record::Kind::erase)},
        {wide, AS(it.program(1, 63).planes = 3)},
        {kPasses, AS(it.program(1, 63).planes = 2)},
        {many, AS(it.engine.order_.erasing_.resize(it.engine.shared_.superblocks + 1))},
        {many, AS(it.engine.early_.programs_of_.resize(it.engine.shared_.superblocks + 1))},
        {kPasses, AS(it.engine.early_.programs_of_.resize(it.engine.shared_.superblocks);
                     it.engine.order_.erasing_.resize(it.engine.shared_.superblocks))},
        {"a die is in no state.", AS(it.runs(0, 0); it.die().state = static_cast<FlashDie::State>(3))},
        {kPasses, AS(it.runs(0, 0); it.die().state = FlashDie::State::stopping)},
        {busy, AS(it.die().runs = 9)},
        {kPasses, AS(it.die().runs = 8)},
        {busy, AS(it.runs(0, 0); it.die().runs = 0)},
        {queue, AS(it.die().queues[2].head = 3)},
        {queue, AS(it.die().queues[0].tail = 3)},
        {kPasses, AS(it.waits(1, {2, 2}))},
        {nowhere, AS(it.runs(0, 3))},
        {nowhere, AS(it.runs(kErases, 3))},
        {nowhere, AS(it.runs(Running::kHolding, 3))},
        {nowhere, AS(it.runs(Running::kHoldingForHost, 3))},
        {kPasses, AS(it.runs(kErases, 2))},
        {kPasses, AS(it.runs(Running::kHolding, 2))},
        {nowhere, AS(it.runs(kPrograms, 64))},
        {nowhere, AS(it.runs(kPrograms + 2, 0))},
        {nowhere, AS(it.runs(Running::kHoldingForHost - 1, 0))},
        {kPasses, AS(it.runs(kPrograms, 63))},
        {kPasses, AS(it.runs(kPrograms + 1, 63))},
        {nowhere, AS(it.runs(0, 0); it.die().runs = 8; it.die().run[7].id = 3)},
        {kPasses, AS(it.die().run[0].id = 3)},
        {"a die has suspended an unknown operation.", AS(it.suspended(3))},
        {kPasses, AS(it.suspended(2))},
        {kPasses, AS(it.die().held.id = 3)},
        {input, AS(it.input(1).loaded = 65)},
        {input, AS(it.input(0).head = 65)},
        {input, AS(it.input(1).head = 1; it.input(1).tail = 65)},
        {kPasses, AS(it.input(1) = {64, 64, 64})},
        {kPasses, AS(it.input(1) = {0, 0, 65})},
        {"a channel carries data of an operation that does not exist.",
         AS(it.engine.shared_.channels[0].out.push({ns(20), ns(20), ns(20), 3}))},
        {kPasses, AS(it.engine.shared_.channels[0].out.push({ns(20), ns(20), ns(20), 2}))},
        {"an erase that waits for programs does not exist.", AS(it.engine.order_.ordered_.push({0, 3, 0}))},
        {"an erase that waits for programs does not exist.", AS(it.engine.order_.ordered_.push({0, 0, 1}))},
        {kPasses, AS(it.engine.order_.ordered_.push({0, 2, 0}))},
        {"a program waits for the erase of nothing.", AS(it.engine.order_.gated_ = {{1, 0, 0, 0}})},
        {"a program waits for the erase of nothing.", AS(it.engine.order_.gated_ = {{0, 2, 0, 0}})},
        {kPasses, AS(it.engine.order_.gated_ = {{0, 1, 0, 0}})},
        {"an erase waits for one that does not exist.", AS(it.engine.order_.after_erase_ = {{3, 0}})},
        {"an erase waits for one that does not exist.", AS(it.engine.order_.after_erase_ = {{0, 3}})},
        {kPasses, AS(it.engine.order_.after_erase_ = {{2, 2}})},
        {"programs of a superblock are those of a frontier that does not exist.",
         AS(it.engine.early_.programs_of_ = {{2, 0, 1, 1}})},
        {kPasses, AS(it.engine.early_.programs_of_ = {{1, 0, 1, 1}})},
        {held, AS(it.engine.early_.arriving_ = {{2, 1}})},
        {held, AS(it.engine.early_.arriving_ = {{0, 0}})},
        {held, AS(it.engine.early_.arriving_ = {{0, 65}})},
        {kPasses, AS(it.engine.early_.arriving_ = {{1, 64}})},
        {held, AS(it.program(1, 63).reads.head = 3)},
        {held, AS(it.program(1, 63).reads.tail = 3)},
        {kPasses, AS(it.program(1, 63).reads.head = it.program(1, 63).reads.tail = 2)},
        {round, AS(it.operations()[1].next = 1; it.program(0, 5).reads.head = 1)},
        {round, AS(it.operations()[2].next = 2; it.engine.shared_.operations.free_ = 2)},
        {round, AS(it.operations()[1].next = 2; it.operations()[2].next = 1; it.die().queues[2].head = 1)},
        {kPasses,
         AS(it.operations()[1].next = 2; it.engine.shared_.operations.free_ = 1; it.engine.shared_.operations.open_ = 0)},
        {round, AS(it.die().queues[0] = {2, 2}; it.engine.shared_.operations.free_ = 2)},
        {round, AS(it.die().queues[0] = {1, 2})},
        {round, AS(it.die().queues[0] = it.engine.dies_[0].it_.queues[1] = {2, 2})},
        {round, AS(it.die().queues[0] = {2, 2}; it.runs(kErases, 2))},
        {round, AS(it.die().queues[0] = {2, 2}; it.suspended(2))},
        {round, AS(it.suspended(2); it.runs(kInternalReads, 2))},
        {round, AS(it.engine.shared_.channels[0].out.push({ns(20), ns(20), ns(20), 2});
                   it.engine.shared_.channels[0].out.push({ns(20), ns(20), ns(20), 2}))},
        {kPasses, AS(it.engine.shared_.channels[0].out.push({ns(20), ns(20), ns(20), 2}); it.runs(Running::kHolding, 2))},
        {round, AS(it.engine.order_.ordered_.push({0, 2, 0}); it.engine.order_.ordered_.push({0, 2, 0}))},
        {kPasses, AS(it.engine.order_.ordered_.push({0, 0, 0}); it.engine.order_.ordered_.push({0, 0, 0}))},
        {round, AS(it.engine.order_.after_erase_ = {{1, 2}, {1, 2}})},
        {kPasses, AS(it.engine.order_.after_erase_ = {{1, 2}}; it.runs(kErases, 1))},
        {round, AS(it.program(0, 5).reads.head = 1; it.program(0, 5).reads.tail = 2)},
        {round, AS(it.engine.dies_[0].inputs_[1] = it.input(1) = {0, 64, 64})},
        {kPasses, AS(it.engine.dies_[0].inputs_[0] = it.input(1) = {0, 64, 64})},
        {round, AS(it.input(1) = {0, 63, 64})},
        {kPasses, AS(it.input(1) = {0, 63, 64}; it.program(1, 62).next = 64)},
        {sum, AS(it.engine.shared_.operations.open_ = 3)},
        {sum, AS(it.in_flight().count_[0] = 1)},
        {sum, AS(it.in_flight().host_pages_ = 1)},
        {sum, AS(it.in_flight().count_[1] = 1)},
        {sum, AS(it.asked(2, 3); it.engine.shared_.operations.open_ = 1)},
        {sum, AS(it.asked(2, 3); it.in_flight().host_pages_ = 0)},
        {kPasses, AS(it.asked(2, 3))},
        {ready, AS(it.die().queues[2] = {2, 2})},
        {ready, AS(it.ready(0) = ns(10))},
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
        {ready, AS(it.engine.dies_[1].beside_[1].add({0xff, 2}))},
        {ready, AS(it.engine.dies_[1].beside_[0].add({0xff, 2}); it.engine.dies_[0].ready_[0] = ns(10))},
        {ready, AS(it.ready(1) = ns(10))},
        {ready, AS(it.waits(kHostReads, {2, 2}))},
        {ready, AS(it.waits(kInternalReads, {1, 1}); it.waits_beside(1, {0xff, 2}))},
        {kPasses, AS(it.waits(kErases, {2, 2}))}};
    std::set<std::string> broken;
    try_engine(false, changes, broken);
    try_engine(true, of_planes, broken);
    for (const std::string& rule : Tables(LoadedFlash::rules()).sentences) {
      INFO(rule);
      CHECK(broken.count(rule) == 1);
    }
  }
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

  static void media_errors() {
    try_drive(Tables(MediaErrors::rules()), document("cells"),
              {{"a superblock was erased a million times.", AS(it.parts_.back.medium.superblocks_.erases_[47] = 1 << 20)},
               {kPasses, AS(it.parts_.back.medium.superblocks_.erases_[47] = (1 << 20) - 1)}});
  }
};

TEST_CASE("each rule of a loaded state refuses only its own violations") {
  const std::size_t before = Tables::all().size();
  LoadedStates::Rules::timeline();
  LoadedStates::Rules::random_stream();
  LoadedStates::Rules::due_queue();
  LoadedStates::Rules::host_queues();
  LoadedStates::Rules::medium();
  LoadedStates::Rules::program_order();
  LoadedStates::Rules::programs();
  LoadedStates::Rules::signals();
  LoadedStates::Rules::read_ahead();
  LoadedStates::Rules::flash_engine();
  LoadedStates::Rules::media_errors();
  CHECK(Tables::all().size() - before == tables_in_sources({"sim", "models"}));
}

}  // namespace ftlab
