#include "validation/power_cuts/campaign.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "ftl/drive/lifecycle.h"
#include "ftl/testing/drives.h"
#include "models/nand/schedule/flash_journal.h"
#include "validation/power_cuts/durable_contents.h"

namespace ftlab::power_cuts {
namespace {

constexpr std::uint32_t kPages = 6;
constexpr std::uint32_t kPageBytes = 4096;

DriveConfig smallest_drive(const ExhaustiveAsked& asked) {
  DriveConfig drive = theory_drive(3, 4, kPages);
  drive.ftl.separate_relocation = asked.separate_relocation;
  drive.ftl.gc.idle_after = Nanoseconds{1'000'000};
  drive.ftl.gc.idle_stop_free = 2;
  if (asked.two_bits) drive.nand.program = {Nanoseconds{300'000}, Nanoseconds{900'000}};
  return drive;
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
  Sequence(const ExhaustiveAsked& asked, const DriveConfig& config, ExhaustiveOutcome& outcome)
      : asked_(asked),
        config_(config),
        outcome_(outcome),
        expected_(config),
        durable_(config),
        drive_(config, Clock::timed),
        journal_(drive_.medium().layout(), config.nand, config.geometry.pages_per_block) {
    for (std::uint32_t p = 0; p < kPages; ++p) write(p);
    flush();
    for (const std::uint32_t p : {0u, 1u, 2u}) write(p);
    now_ = drive_.idle_from();
    Lifecycle(drive_).keep_journal(&journal_);
  }

  void execute(const std::string& letters) {
    letters_ = letters;
    for (const char letter : letters) execute(letter);
    cut_everywhere();
    ++outcome_.sequences;
  }

 private:
  void execute(char letter) {
    switch (letter) {
      case 't': return submit({0, Op::trim, 0, kPageBytes, now_});
      case 'f': return flush();
      case 'g':
        now_ = drive_.idle_from() + Nanoseconds{1'000'000'000};
        return submit({0, Op::read, 5 * kPageBytes, kPageBytes, now_});
      default: return write(static_cast<std::uint32_t>(letter - '0'));
    }
  }
  void write(std::uint32_t page) { submit({0, Op::write, std::uint64_t{page} * kPageBytes, kPageBytes, now_}); }
  void flush() {
    if (asked_.forgets_flushes && !letters_.empty()) return durable_.settle(durable_.mark());
    submit({0, Op::flush, 0, 0, now_});
  }
  void submit(const Request& request);
  void cut_everywhere();
  void cut_at(Nanoseconds at);
  void check(Medium& medium, const DurableContents& durable);
  void go_on(Ftl& ftl);
  void report(const std::string& what) {
    if (outcome_.failure.empty()) outcome_.failure = "after " + letters_ + ": " + what;
  }

  const ExhaustiveAsked& asked_;
  const DriveConfig& config_;
  ExhaustiveOutcome& outcome_;
  ExpectedContents expected_;
  DurableContents durable_;
  Drive drive_;
  FlashJournal journal_;
  std::string letters_;
  Nanoseconds now_{0};              // issue time of the next request
  Nanoseconds issued_{0};           // issue time of the last request
  std::uint64_t flush_mark_ = 0;    // a flush: makes changes before this mark durable
  Nanoseconds flush_ends_{kNever};  // a flush: time of its completion
};

void Sequence::submit(const Request& request) {
  if (flush_ends_ != kNever) durable_.settle(flush_mark_);
  issued_ = now_;
  expected_.predict(request);
  durable_.note(request, expected_);
  drive_.submit({&request, 1});
  Completion done;
  drive_.wait(kNever, {&done, 1});
  now_ = done.completed;
  flush_ends_ = kNever;
  if (request.op != Op::flush) return;
  flush_mark_ = durable_.mark();
  flush_ends_ = done.completed;
}

// The outcome of a cut changes only where an operation starts or ends.
void Sequence::cut_everywhere() {
  drive_.idle_from();  // makes the times of all operations known
  std::vector<Nanoseconds> moments{issued_, kNever};
  if (flush_ends_ != kNever) moments.push_back(flush_ends_);
  for (const TimedOperation& operation : journal_.known()) {
    if (operation.asked.kind == FlashOperation::Kind::read) continue;
    if (operation.start >= issued_) moments.push_back(operation.start + Nanoseconds{1});
    if (operation.done >= issued_) moments.push_back(operation.done);
  }
  std::sort(moments.begin(), moments.end());
  moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
  for (const Nanoseconds at : moments) cut_at(at);
  outcome_.moments += moments.size();
}

void Sequence::cut_at(Nanoseconds at) {
  DurableContents durable = durable_;
  if (flush_ends_ <= at && flush_ends_ != kNever) durable.settle(flush_mark_);
  AllAnswers answers;
  const ChooseFate choose = [&answers](std::uint32_t count) { return answers.answer(count); };
  do {
    Medium medium = drive_.medium();
    medium.keep_journal(nullptr);
    ++outcome_.cuts;
    try {
      journal_.cut(medium, at, choose);
      check(medium, durable);
    } catch (const std::exception& wrong) {
      ++outcome_.wrong;
      report(wrong.what());
    }
  } while (answers.next());
}

void Sequence::check(Medium& medium, const DurableContents& durable) {
  WorkList work(config_.geometry, config_.nand, static_cast<std::uint32_t>(config_.ftl.frontiers().size()), false);
  std::vector<Version> versions;
  {
    const Ftl first(config_.ftl, kPages, medium, work, 1);
    for (std::uint32_t p = 0; p < kPages; ++p) versions.push_back(first.pages().version(Lpn{p}));
  }
  Ftl ftl(config_.ftl, kPages, medium, work, 1);
  for (std::uint32_t p = 0; p < kPages; ++p) {
    if (ftl.pages().version(Lpn{p}) != versions[p]) throw std::runtime_error("a second start finds other contents");
  }
  const DurableContents::Found found = durable.compare(ftl);
  outcome_.lost += found.lost;
  outcome_.resurrected += found.resurrected;
  if (!found.first.empty()) return report(found.first);
  go_on(ftl);
}

// Checks that the drive works: writes every page twice, and each page keeps its content until then.
void Sequence::go_on(Ftl& ftl) {
  for (const std::uint32_t p : {3u, 0u, 5u, 1u, 4u, 2u, 2u, 4u, 0u, 3u, 1u, 5u}) {
    const Version before = ftl.pages().newest_version();
    if (!ftl.write(Lpn{p}, 0, kPageBytes)) throw std::runtime_error("a write is refused");
    if (ftl.pages().version(Lpn{p}) != Version{number(before) + 1}) throw std::runtime_error("a write is not there");
  }
  ftl.flush();
  const std::vector<std::string> problems = inspect(ftl);
  if (!problems.empty()) throw std::runtime_error(problems.front());
}

}  // namespace

ExhaustiveOutcome exhaust(const ExhaustiveAsked& asked) {
  const DriveConfig config = smallest_drive(asked);
  ExhaustiveOutcome outcome;
  std::uint64_t count = 1;
  for (std::uint32_t length = 1; length <= asked.length; ++length) {
    count *= kLetters.size();
    for (std::uint64_t number = 0; number < count; ++number) {
      std::string letters;
      for (std::uint64_t rest = number; letters.size() < length; rest /= kLetters.size()) {
        letters += kLetters[rest % kLetters.size()];
      }
      Sequence(asked, config, outcome).execute(letters);
    }
  }
  return outcome;
}

}  // namespace ftlab::power_cuts
