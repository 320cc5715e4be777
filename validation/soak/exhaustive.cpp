#include <algorithm>
#include <cstdio>

#include "ftl/drive/lifecycle.h"
#include "ftl/testing/drives.h"
#include "models/nand/schedule/flash_journal.h"
#include "validation/soak/sweeps.h"

namespace ftlab::soak {
namespace {

constexpr std::uint32_t kPages = 6;
constexpr std::uint32_t kPageBytes = 4096;

RunPlan smallest_plan(bool separate_relocation, bool two_bits) {
  RunPlan plan;
  plan.drive = theory_drive(3, 4, kPages);
  plan.drive.ftl.separate_relocation = separate_relocation;
  plan.drive.ftl.gc.idle_after = Nanoseconds{1'000'000};
  plan.drive.ftl.gc.idle_stop_free = 2;
  if (two_bits) plan.drive.nand.program = {Nanoseconds{300'000}, Nanoseconds{900'000}};
  plan.timed = true;
  plan.cut_every = 1;
  return plan;
}

// Enumerates all sequences of answers. The number of questions may depend on earlier answers.
class AllAnswers {
 public:
  std::uint32_t answer(std::uint32_t count) {
    if (asked_ == counts_.size()) {
      counts_.push_back(count);
      answers_.push_back(0);
    }
    return answers_[asked_++];
  }
  // Starts the next sequence. Returns false after the last one.
  bool next() {
    while (!answers_.empty() && answers_.back() + 1 == counts_.back()) {
      answers_.pop_back();
      counts_.pop_back();
    }
    asked_ = 0;
    if (answers_.empty()) return false;
    ++answers_.back();
    return true;
  }

 private:
  std::vector<std::uint32_t> counts_, answers_;
  std::size_t asked_ = 0;
};

// One request sequence, with all cuts between its last request and the end of the flash operations for it.
class Sequence {
 public:
  Sequence(const RunPlan& plan, const Lie& lie, Exhausted& reached)
      : config_(plan.drive),
        reached_(reached),
        host_(plan, lie, counts_),
        journal_(host_.drive().medium().layout(), config_.nand, config_.geometry.pages_per_block) {
    for (const std::uint32_t p : {0u, 1u, 2u, 3u, 4u, 5u}) request(Op::write, p);
    request(Op::flush, 0);
    for (const std::uint32_t p : {0u, 1u, 2u}) request(Op::write, p);
    host_.drain();
    host_.set_now(host_.drive().idle_from());
    Lifecycle(host_.drive()).keep_journal(&journal_);
  }

  void execute(const std::string& letters) {
    try {
      for (const char letter : letters) execute(letter);
      cut_everywhere();
    } catch (const std::exception& wrong) {
      if (reached_.failures++ == 0) reached_.first_failure = "after " + letters + ": " + wrong.what();
    }
    ++reached_.sequences;
  }

 private:
  void execute(char letter) {
    switch (letter) {
      case 't': return request(Op::trim, 0);
      case 'f': return request(Op::flush, 0);
      case 'g':
        host_.drain();
        host_.set_now(host_.drive().idle_from() + Nanoseconds{1'000'000'000});
        return request(Op::read, kPages - 1);
      default: return request(Op::write, static_cast<std::uint32_t>(letter - '0'));
    }
  }

  // The last one stays outstanding.
  void request(Op op, std::uint32_t page) {
    host_.drain();
    host_.issue({0, op, std::uint64_t{page} * kPageBytes, op == Op::flush ? 0 : kPageBytes});
  }

  // The outcome of a cut changes only where an operation starts or ends, or where the host gets an answer.
  void cut_everywhere() {
    const Nanoseconds issued = host_.now();
    host_.run_ahead();
    std::vector<Nanoseconds> moments = host_.answers();
    moments.insert(moments.end(), {issued, kNever});
    for (const TimedOperation& operation : journal_.known()) {
      if (operation.asked.kind == FlashOperation::Kind::read) continue;
      if (operation.start >= issued) moments.push_back(operation.start + Nanoseconds{1});
      if (operation.done >= issued) moments.push_back(operation.done);
    }
    std::sort(moments.begin(), moments.end());
    moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
    for (const Nanoseconds at : moments) cut_at(at);
    reached_.moments += moments.size();
  }

  void cut_at(Nanoseconds at) {
    const DurableContents durable = host_.durable_at(at);
    AllAnswers answers;
    const ChooseFate choose = [&answers](std::uint32_t count) { return answers.answer(count); };
    do {
      Medium medium = host_.drive().medium();
      medium.keep_journal(nullptr);
      ++reached_.cuts;
      journal_.cut(medium, at, choose);
      check(medium, durable);
    } while (answers.next());
  }

  // Two starts find the same durable contents, and the drive works: it takes two writes of every page.
  void check(Medium& medium, const DurableContents& durable) const {
    WorkList work(config_.geometry, config_.nand, static_cast<std::uint32_t>(config_.ftl.frontiers().size()), false);
    std::vector<Version> versions;
    {
      const Ftl first(config_.ftl, kPages, medium, work, 1);
      for (std::uint32_t p = 0; p < kPages; ++p) versions.push_back(first.pages().version(Lpn{p}));
    }
    Ftl ftl(config_.ftl, kPages, medium, work, 1);
    for (std::uint32_t p = 0; p < kPages; ++p)
      require(ftl.pages().version(Lpn{p}) == versions[p], "a second start finds other contents");
    require_none(durable.compare(ftl));
    for (const std::uint32_t p : {3u, 0u, 5u, 1u, 4u, 2u, 2u, 4u, 0u, 3u, 1u, 5u}) {
      const Version before = ftl.pages().newest_version();
      require(ftl.write(Lpn{p}, 0, kPageBytes), "a write is refused");
      require(ftl.pages().version(Lpn{p}) == Version{number(before) + 1}, "a write is not there");
    }
    ftl.flush();
    for (const std::string& sentence : inspect(ftl)) throw Wrong(sentence);
  }

  const DriveConfig& config_;
  Exhausted& reached_;
  Counts counts_;
  ShadowedHost host_;
  FlashJournal journal_;
};

std::string letters_of(std::uint64_t number, std::uint32_t length) {
  std::string letters;
  for (; letters.size() < length; number /= kLetters.size()) letters += kLetters[number % kLetters.size()];
  return letters;
}

}  // namespace

Exhausted exhaust(std::uint32_t longest, const Lie& lie) {
  Exhausted reached;
  for (const bool separate_relocation : {false, true}) {
    for (const bool two_bits : {false, true}) {
      const RunPlan plan = smallest_plan(separate_relocation, two_bits);
      std::uint64_t count = 1;
      for (std::uint32_t length = 1; length <= longest; ++length) {
        count *= kLetters.size();
        for (std::uint64_t number = 0; number < count; ++number)
          Sequence(plan, lie, reached).execute(letters_of(number, length));
      }
    }
  }
  if (reached.failures > 0 && lie == nullptr)
    std::fprintf(stderr, "FAILED: ftlab-soak all-cuts: %s\n", reached.first_failure.c_str());
  return reached;
}

std::vector<Figure> figures_of(const Exhausted& reached) {
  return {{"small drives: power cuts", 0, reached.cuts, reached.failures},
          {"small drives: all sequences", 0, reached.sequences, 0},
          {"small drives: moments of a cut", 0, reached.moments, 0}};
}

}  // namespace ftlab::soak
