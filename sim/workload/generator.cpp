#include "sim/workload/generator.h"

#include <algorithm>
#include <limits>

#include "sim/core/check.h"
#include "sim/workload/content_source.h"
#include "sim/workload/file_choice.h"
#include "sim/workload/file_walk.h"
#include "sim/workload/read_back.h"

namespace ftlab {

namespace {

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

// One step of splitmix64's output function, so that nearby seeds give unrelated streams.
std::uint64_t scattered(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

std::uint64_t stream_seed(const Job& job, std::uint64_t seed) {
  return scattered(scattered(scattered(seed) ^ job.seed) ^ job.number);
}

std::uint64_t product(std::uint64_t a, std::uint64_t b) { return a != 0 && b > kUnlimited / a ? kUnlimited : a * b; }

std::vector<FileRegion> files_of(const Job& job) {
  if (!job.files.empty()) return job.files;
  return {{job.file_first_bytes, job.file_end_bytes, job.region_first_bytes, job.region_end_bytes}};
}

std::uint64_t largest_block(const Job& job) {
  std::uint64_t largest = 0;
  for (std::size_t d = 0; d < kDirectionCount; ++d)
    largest = std::max({largest, job.block_bytes[d], job.sizes[d].vary() ? job.sizes[d].most : 0});
  return largest;
}

void widen_to_pages(Access& access, std::uint64_t most_end) {
  const std::uint64_t last = access.offset_bytes + access.length_bytes - 1;
  access.offset_bytes -= access.offset_bytes % kCachePageBytes;
  access.length_bytes = std::min(last - last % kCachePageBytes + kCachePageBytes, most_end) - access.offset_bytes;
}

// fio reads back in write order only if a map rules out that a place is written twice.
bool reads_back_in_order(const WalkRules& rules) {
  return rules.order == WalkRules::Order::mapped && rules.zones.bytes == 0;
}

}  // namespace

// One pass covers all files once. A job is a number of passes, cut short by its amount.
struct Generator::State {
  State(const Job& job, std::uint64_t seed);

  bool next(Access& access);
  std::size_t next(std::span<Access> accesses);
  bool is_plain(const Job& job) const;
  std::size_t next_plain(std::span<Access> accesses);

  enum class Step { issued, pass_over, job_over };
  Step step(Access& access);
  bool end_of_pass(Step step);
  bool next_read_back(Access& access);
  void written(Access& access);
  void trim_again(Access& access);
  Direction direction();
  bool begin_pass();
  bool amount_is_missing() const;
  void issue(Access& access, FileWalk& file, Direction d, const FileWalk::Place& place);
  void issue_write_of_trimmed(Access& access, FileWalk& file);
  bool over() const { return counted_bytes_ >= most_bytes_ || requests_ >= most_requests_; }

  WalkRules rules_;
  VerifyRules verify_;
  bool plain_;  // uniformly random blocks of one size, nothing else
  bool as_pages_;
  bool has_content_;
  bool reads_back_;
  bool reads_are_verified_;
  bool repeat_order_;
  bool repeat_lfsr_;
  bool amount_given_;
  std::uint32_t read_percent_;
  std::uint64_t largest_block_;
  std::uint64_t amount_;
  std::uint64_t loops_;
  std::uint64_t most_bytes_;
  std::uint64_t most_requests_;

  std::optional<Direction> wish_;  // mixed jobs only: direction of the next request, instead of a random one
  Streams streams_;
  Streams first_streams_;  // their state at the beginning of the job
  std::vector<FileWalk> files_;
  FileChoice choice_;
  ContentSource content_;
  ReadBack back_;
  VerifyTrims trims_;

  std::uint64_t run_left_ = 0;       // requests until the next random start of rw=randread:N and the like
  std::uint64_t counted_bytes_ = 0;  // bytes that count towards the amount; trim-then-write: only the writes
  std::uint64_t all_bytes_ = 0;
  std::uint64_t requests_ = 0;
  std::uint64_t requests_before_pass_ = 0;
  std::uint64_t passes_ = 0;
  std::uint64_t reads_due_ = 0;  // reads of the verify backlog still to issue
  Direction last_ = Direction::write;
  bool reading_all_ = false;  // reading back everything after a pass
  Step after_reading_ = Step::issued;
};

Generator::State::State(const Job& job, std::uint64_t seed)
    : rules_(job),
      verify_(job.verify),
      plain_(is_plain(job)),
      as_pages_(job.as_pages),
      has_content_(job.content.asked_for),
      reads_back_(job.verify.on && job.verify.read_back),
      reads_are_verified_(job.verify.on),
      repeat_order_(job.repeat_order),
      repeat_lfsr_(job.repeat_lfsr),
      amount_given_(job.amount_given),
      read_percent_(job.read_percent),
      largest_block_(largest_block(job)),
      amount_(job.amount_bytes),
      loops_(job.loops),
      most_bytes_(job.time_based ? kUnlimited : product(job.amount_bytes, job.loops)),
      most_requests_(kUnlimited),
      streams_(stream_seed(job, seed)),
      first_streams_(streams_),
      choice_(job.file_service, files_of(job).size(), scattered(stream_seed(job, seed) + 2)),
      content_(job.content, stream_seed(job, seed), scattered(seed),
               most_bytes_ == kUnlimited ? job.amount_bytes : most_bytes_,
               job.block_bytes[static_cast<std::size_t>(Direction::write)]),
      back_(reads_back_in_order(rules_)),
      trims_(job.verify, stream_seed(job, seed)) {
  const std::uint64_t origin = scattered(stream_seed(job, seed) + 1);
  for (const FileRegion& file : files_of(job)) files_.emplace_back(rules_, job, file, streams_, origin);
  if (job.request_limit && !job.time_based)
    most_requests_ = product(product(*job.request_limit, job.loops), job.pattern.trim_then_write ? 2 : 1);
}

bool Generator::State::next(Access& access) {
  while (true) {
    if (!reading_all_ && trims_.due(back_.count(), last_ == Direction::trim)) return trim_again(access), true;
    if (reads_back_ && back_.count() > 0 && next_read_back(access)) return true;
    if (reading_all_) {
      reading_all_ = false;
      if (!end_of_pass(after_reading_)) return false;
    }
    const Step done = step(access);
    if (done == Step::issued) {
      if (!(has_content_ || reads_back_) || access.direction != Direction::write) return true;
      written(access);
      if (!verify_.only) return true;
    } else if (reads_back_ && back_.count() > 0 && !rules_.time_based) {
      reading_all_ = true;
      after_reading_ = done;
    } else if (!end_of_pass(done)) {
      return false;
    }
  }
}

bool Generator::State::is_plain(const Job& job) const {
  const Pattern& pattern = job.pattern;
  const bool one_direction = pattern.reads + pattern.writes + pattern.trims == 1;
  const bool one_size =
      std::none_of(job.sizes.begin(), job.sizes.end(), [](const BlockSizes& sizes) { return sizes.vary(); });
  const bool always_random =
      job.random_percent == PerDirection<std::uint32_t>{100, 100, 100} && pattern.blocks_per_random == 1;
  return rules_.order == WalkRules::Order::uniform && one_direction && one_size && always_random && job.files.empty() &&
         !job.as_pages && !job.sizes_by_order && job.zones.bytes == 0 && !job.content.asked_for && !job.verify.on;
}

std::size_t Generator::State::next(std::span<Access> accesses) {
  if (plain_) return next_plain(accesses);
  std::size_t count = 0;
  while (count < accesses.size() && next(accesses[count])) ++count;
  return count;
}

// Like next(), without the checks that a plain job does not need.
std::size_t Generator::State::next_plain(std::span<Access> accesses) {
  const Direction d = direction();
  const std::size_t index = static_cast<std::size_t>(d);
  const std::uint64_t blocks = files_[0].blocks(d), step = rules_.step_bytes[index], bytes = rules_.sizes[index].least();
  const Access like{d, files_[0].first_bytes(), bytes, {}, false};
  RandomStream offsets = streams_.offsets;
  std::size_t count = 0;
  for (; count < accesses.size() && blocks > 0 && !over(); ++count) {
    accesses[count] = like;
    accesses[count].offset_bytes += offsets.below(blocks) * step;
    counted_bytes_ += bytes;
    ++requests_;
  }
  streams_.offsets = offsets;
  all_bytes_ += count * bytes;
  return count;
}

// Returns false when the job is over.
bool Generator::State::end_of_pass(Step step) { return step == Step::pass_over && begin_pass(); }

Generator::State::Step Generator::State::step(Access& access) {
  if (files_.size() == 1 && files_[0].write_is_due) return issue_write_of_trimmed(access, files_[0]), Step::issued;
  if (over()) return Step::job_over;
  FileWalk::Place place;
  while (!choice_.all_done()) {
    FileWalk& file = files_.size() == 1 ? files_[0] : files_[choice_.next(streams_.files)];
    if (file.write_is_due) return issue_write_of_trimmed(access, file), Step::issued;
    const Direction d = direction();
    if (file.place(rules_, d, streams_, run_left_, place)) {
      issue(access, file, d, place);
      file.write_is_due = rules_.pattern.trim_then_write;
      return Step::issued;
    }
    choice_.done();
  }
  return Step::pass_over;
}

// As in fio, the direction of each request of a mixed job is drawn.
Direction Generator::State::direction() {
  const Pattern& pattern = rules_.pattern;
  if (pattern.mixed() && wish_) return *wish_;
  if (pattern.mixed()) return streams_.mix.below(100) < read_percent_ ? Direction::read : Direction::write;
  if (pattern.trims) return Direction::trim;
  return pattern.reads ? Direction::read : Direction::write;
}

// Called at the end of a pass; returns false when the job is over. Loops are passes. With io_size there are as many passes
// as the amount needs, unless less than a block is missing.
bool Generator::State::begin_pass() {
  if (requests_ == requests_before_pass_) return false;
  if (!rules_.time_based && ++passes_ >= loops_ && !amount_is_missing()) return false;
  requests_before_pass_ = requests_;
  if (repeat_order_) streams_ = first_streams_;
  for (FileWalk& file : files_) file.restart(rules_, streams_, repeat_lfsr_);
  choice_.restart();
  return true;
}

// Unlike the limit within a pass, fio counts all bytes here: trims, their writes, and verify reads.
bool Generator::State::amount_is_missing() const {
  return amount_given_ && all_bytes_ < amount_ && amount_ - all_bytes_ >= largest_block_;
}

void Generator::State::issue(Access& access, FileWalk& file, Direction d, const FileWalk::Place& place) {
  access = {d, file.first_bytes() + place.offset_bytes, place.length_bytes, {}, d == Direction::read && reads_are_verified_};
  if (as_pages_ && d == Direction::write) widen_to_pages(access, file.file_end_bytes());
  file.issued(d, place);
  ++requests_;
  all_bytes_ += place.length_bytes;
  last_ = d;
  if (!rules_.pattern.trim_then_write || d == Direction::write) counted_bytes_ += place.length_bytes;
}

// Counts as a separate request within a run of rw=randtrimwrite:N, and may use up a random start.
void Generator::State::issue_write_of_trimmed(Access& access, FileWalk& file) {
  issue(access, file, Direction::write, FileWalk::Place(file.trimmed));
  file.write_is_due = false;
  const std::uint64_t run = rules_.pattern.blocks_per_random;
  if (run > 1) run_left_ = run_left_ > 0 ? run_left_ - 1 : run - 1;
}

void Generator::State::written(Access& access) {
  if (has_content_) access.content = content_.next();
  if (!reads_back_) return;
  back_.wrote(access.offset_bytes, access.length_bytes);
  trims_.wrote(access.offset_bytes, access.length_bytes);
}

void Generator::State::trim_again(Access& access) {
  const ReadBack::Written block = trims_.take();
  access = {Direction::trim, block.offset_bytes, block.length_bytes, {}, false};
  all_bytes_ += block.length_bytes;
  last_ = Direction::trim;
}

// After a pass everything is read back; within a pass, one batch as soon as the backlog is full.
bool Generator::State::next_read_back(Access& access) {
  if (!reading_all_ && reads_due_ == 0 && verify_.backlog > 0 && last_ != Direction::read &&
      back_.count() % verify_.backlog == 0)
    reads_due_ = verify_.backlog_batch == 0 ? verify_.backlog : verify_.backlog_batch;
  if (!reading_all_ && reads_due_ == 0) return false;
  const ReadBack::Written block = back_.take();
  access = {Direction::read, block.offset_bytes, block.length_bytes, {}, true};
  if (reads_due_ > 0) --reads_due_;
  all_bytes_ += block.length_bytes;
  last_ = Direction::read;
  return true;
}

Generator::Generator(const Job& job, std::uint64_t seed) : state_(std::make_unique<State>(job, seed)) {}
Generator::~Generator() = default;
Generator::Generator(Generator&&) noexcept = default;

bool Generator::next(Access& access) { return state_->next(access); }
void Generator::steer(std::optional<Direction> choice) { state_->wish_ = choice; }

std::size_t Generator::next(std::span<Access> accesses) { return state_->next(accesses); }

}  // namespace ftlab
