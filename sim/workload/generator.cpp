#include "sim/workload/generator.h"

#include <algorithm>
#include <limits>

#include "sim/check.h"
#include "sim/workload/lfsr.h"
#include "sim/workload/random_map.h"

namespace ftlab {

namespace {

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

enum class Order : std::uint8_t { sequential, uniform, mapped, lfsr };

Order order_of(const Job& job) {
  if (!job.pattern.random) return Order::sequential;
  if (job.random_kind == RandomKind::lfsr) return Order::lfsr;
  return job.random_map ? Order::mapped : Order::uniform;
}

// One step of splitmix64's output function, so that near seeds give far streams.
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

std::size_t index(Direction direction) { return static_cast<std::size_t>(direction); }

}  // namespace

// Offsets in here count from the beginning of the region. A pass goes over the region once; how fio ends a pass and
// begins the next one was found by experiment and stands in README.md.
struct Generator::State {
  State(const Job& job, std::uint64_t seed);

  bool next(Access& access);

  Direction direction();
  bool place(Direction d, std::uint64_t& offset);
  bool place_sequential(Direction d, std::uint64_t& offset);
  bool place_random(Direction d, std::uint64_t& offset);
  bool place_in_run(Direction d, std::uint64_t& offset);
  bool backwards() const { return pattern_.sequential_skip_bytes < 0; }
  std::uint64_t skipped(std::uint64_t position) const;
  std::uint64_t skipped_back(std::uint64_t position, std::uint64_t length) const;
  std::uint64_t random_block(std::uint64_t count, bool takes);
  std::uint64_t mapped_block(std::uint64_t count, bool takes);
  std::uint64_t lfsr_block();
  bool begin_pass();
  bool amount_is_missing() const;
  void restart_random();
  void issue(Access& access, Direction d, std::uint64_t offset);
  void issue_write_of_trimmed(Access& access);
  bool over() const { return counted_bytes_ >= most_bytes_ || requests_ >= most_requests_; }

  Order order_;
  Pattern pattern_;
  bool time_based_;
  bool repeat_order_;
  bool repeat_lfsr_;
  bool amount_given_;
  bool wraps_in_pass_;    // a region that is the whole file: holes go on from its beginning within the pass
  std::uint64_t region_offset_;  // of the region in its file
  std::uint32_t read_percent_;
  std::uint64_t region_first_;
  std::uint64_t region_bytes_;
  std::uint64_t room_bytes_;  // from the region's beginning to the end of its file
  PerDirection<std::uint64_t> block_bytes_;
  PerDirection<std::uint64_t> blocks_;
  std::uint64_t largest_block_;
  std::uint64_t amount_;
  std::uint64_t loops_;
  std::uint64_t most_bytes_;
  std::uint64_t most_requests_;

  std::optional<Direction> wish_;  // of a mixed job's next request, instead of the coin
  RandomStream offsets_;
  RandomStream mix_;
  RandomStream first_offsets_;  // as the two were at the beginning
  RandomStream first_mix_;
  RandomMap map_;
  Lfsr lfsr_;
  std::uint64_t lfsr_start_ = 0;

  PerDirection<std::uint64_t> position_{};  // behind the last request of each direction
  std::uint64_t run_left_ = 0;              // requests until the next random start of rw=rand...:N
  bool write_is_due_ = false;               // of the block that was trimmed last
  std::uint64_t trimmed_offset_ = 0;
  std::uint64_t counted_bytes_ = 0;  // those that the amount limits: of a trim-then-write, the writes
  std::uint64_t requests_ = 0;
  std::uint64_t requests_before_pass_ = 0;
  std::uint64_t passes_ = 0;
};

Generator::State::State(const Job& job, std::uint64_t seed)
    : order_(order_of(job)),
      pattern_(job.pattern),
      time_based_(job.time_based),
      repeat_order_(job.repeat_order),
      repeat_lfsr_(job.repeat_lfsr),
      amount_given_(job.amount_given),
      wraps_in_pass_(job.file_end_bytes == 0 ||
                     (job.region_first_bytes == job.file_first_bytes && job.region_end_bytes == job.file_end_bytes)),
      region_offset_(job.file_end_bytes == 0 ? 0 : job.region_first_bytes - job.file_first_bytes),
      read_percent_(job.read_percent),
      region_first_(job.region_first_bytes),
      region_bytes_(job.region_end_bytes - job.region_first_bytes),
      room_bytes_(job.file_end_bytes == 0 ? region_bytes_ : job.file_end_bytes - job.region_first_bytes),
      block_bytes_(job.block_bytes),
      largest_block_(*std::max_element(job.block_bytes.begin(), job.block_bytes.end())),
      amount_(job.amount_bytes),
      loops_(job.loops),
      most_bytes_(job.time_based ? kUnlimited : product(job.amount_bytes, job.loops)),
      most_requests_(kUnlimited),
      offsets_(stream_seed(job, seed), "offset"),
      mix_(stream_seed(job, seed), "mix"),
      first_offsets_(offsets_),
      first_mix_(mix_) {
  FTLAB_CHECK(job.region_first_bytes < job.region_end_bytes, "job " + job.name + " has an empty region");
  const std::uint64_t smallest = *std::min_element(job.block_bytes.begin(), job.block_bytes.end());
  FTLAB_CHECK(smallest > 0, "job " + job.name + " has blocks of 0 bytes");
  if (pattern_.trim_then_write && pattern_.random) block_bytes_[index(Direction::write)] = block_bytes_[index(Direction::trim)];
  for (std::size_t d = 0; d < kDirectionCount; ++d) blocks_[d] = region_bytes_ / block_bytes_[d];
  if (job.request_limit && !time_based_)
    most_requests_ = product(product(*job.request_limit, job.loops), pattern_.trim_then_write ? 2 : 1);
  if (order_ == Order::mapped) map_ = RandomMap(region_bytes_ / smallest);
  if (order_ == Order::lfsr) lfsr_ = Lfsr(region_bytes_ / smallest);
  if (order_ == Order::lfsr) lfsr_.begin(lfsr_start_ = offsets_.below(lfsr_.states()));
}

bool Generator::State::next(Access& access) {
  if (write_is_due_) return issue_write_of_trimmed(access), true;
  if (over()) return false;
  Direction d = direction();
  std::uint64_t offset = 0;
  while (!place(d, offset)) {
    if (!begin_pass()) return false;
    d = direction();
  }
  issue(access, d, offset);
  write_is_due_ = pattern_.trim_then_write;
  return true;
}

// fio throws a coin for each request of a mixed job.
Direction Generator::State::direction() {
  if (pattern_.mixed() && wish_) return *wish_;
  if (pattern_.mixed()) return mix_.below(100) < read_percent_ ? Direction::read : Direction::write;
  if (pattern_.trims) return Direction::trim;
  return pattern_.reads ? Direction::read : Direction::write;
}

// Where the next request goes; false at the end of a pass.
bool Generator::State::place(Direction d, std::uint64_t& offset) {
  if (order_ == Order::sequential) return place_sequential(d, offset);
  return pattern_.blocks_per_random == 1 ? place_random(d, offset) : place_in_run(d, offset);
}

// As in fio, a request that begins in the region may reach beyond it, but not beyond its file: a last piece of the file
// that is shorter than a block is never accessed. In a time-based job a direction that has come to the end goes on from
// the beginning by itself.
bool Generator::State::place_sequential(Direction d, std::uint64_t& offset) {
  std::uint64_t& position = position_[index(d)];
  if (time_based_ && position >= region_bytes_) position = 0;
  if (position >= (backwards() ? room_bytes_ : region_bytes_)) return false;
  offset = pattern_.sequential_skip_bytes == 0 ? position : skipped(position);
  return offset < region_bytes_ && offset + block_bytes_[index(d)] <= room_bytes_;
}

std::uint64_t Generator::State::skipped(std::uint64_t position) const {
  const std::int64_t skip = pattern_.sequential_skip_bytes;
  if (skip < 0) return skipped_back(position, static_cast<std::uint64_t>(-skip));
  const std::uint64_t next = position + static_cast<std::uint64_t>(skip);
  if (position == 0 || (wraps_in_pass_ && next >= region_bytes_)) return 0;
  return next;
}

// Without an offset fio begins at the region's beginning and goes on from its end; with one it begins below the end, by
// as much as the offset, because it takes the offset off twice.
std::uint64_t Generator::State::skipped_back(std::uint64_t position, std::uint64_t length) const {
  std::uint64_t from = position;
  if (position == 0 && region_offset_ != 0) from = region_bytes_ >= region_offset_ ? region_bytes_ - region_offset_ : length - 1;
  if (from == 0) return 0;
  return from >= length ? from - length : region_bytes_ - length;
}

// rw=randread:8. Every eighth request starts at a random place, counted over all directions; the others follow the last
// one of their own direction. At the end of the region a run goes on at a random place, which the map does not record.
bool Generator::State::place_in_run(Direction d, std::uint64_t& offset) {
  if (run_left_ == 0) {
    run_left_ = pattern_.blocks_per_random - 1;
    return place_random(d, offset);
  }
  --run_left_;
  if (time_based_ || position_[index(d)] < region_bytes_) return place_sequential(d, offset);
  const std::uint64_t block = random_block(blocks_[index(d)], false);
  offset = block * block_bytes_[index(d)];
  return block < blocks_[index(d)];
}

bool Generator::State::place_random(Direction d, std::uint64_t& offset) {
  const std::uint64_t count = blocks_[index(d)];
  const std::uint64_t block = order_ == Order::uniform ? offsets_.below(count) : random_block(count, true);
  offset = block * block_bytes_[index(d)];
  return block < count;
}

std::uint64_t Generator::State::random_block(std::uint64_t count, bool takes) {
  if (order_ == Order::uniform) return offsets_.below(count);
  return order_ == Order::lfsr ? lfsr_block() : mapped_block(count, takes);
}

// The map is shared by all directions and counts in blocks, whatever their sizes; so the number found may lie beyond the
// last block of the direction. That ends the pass, as in fio.
std::uint64_t Generator::State::mapped_block(std::uint64_t count, bool takes) {
  std::uint64_t block = map_.next_free(offsets_.below(count));
  if (block == RandomMap::kNone && time_based_) {
    map_.clear();
    block = offsets_.below(count);
  }
  if (block < count && takes) map_.take(block);
  return block;
}

std::uint64_t Generator::State::lfsr_block() {
  const std::uint64_t block = lfsr_.next();
  if (block != Lfsr::kNone || !time_based_) return block;
  lfsr_.begin(lfsr_start_);
  return lfsr_.next();
}

// At the end of a pass: false when the job is over. Loops are passes; with io_size there are as many as the amount takes,
// unless less than a block is missing.
bool Generator::State::begin_pass() {
  if (requests_ == requests_before_pass_) return false;
  if (!time_based_ && ++passes_ >= loops_ && !amount_is_missing()) return false;
  requests_before_pass_ = requests_;
  position_ = {};
  restart_random();
  return true;
}

// Here, unlike in the limit within a pass, fio counts trims and their writes alike.
bool Generator::State::amount_is_missing() const {
  const std::uint64_t bytes = pattern_.trim_then_write ? product(counted_bytes_, 2) : counted_bytes_;
  return amount_given_ && bytes < amount_ && amount_ - bytes >= largest_block_;
}

void Generator::State::restart_random() {
  if (repeat_order_) {
    offsets_ = first_offsets_;
    mix_ = first_mix_;
  }
  if (order_ == Order::mapped) map_.clear();
  if (order_ != Order::lfsr) return;
  if (!repeat_lfsr_) lfsr_start_ = offsets_.below(lfsr_.states());
  lfsr_.begin(lfsr_start_);
}

void Generator::State::issue(Access& access, Direction d, std::uint64_t offset) {
  const std::uint64_t bytes = block_bytes_[index(d)];
  access = {d, region_first_ + offset, bytes};
  position_[index(d)] = offset + bytes;
  trimmed_offset_ = offset;
  ++requests_;
  if (!pattern_.trim_then_write || d == Direction::write) counted_bytes_ += bytes;
}

// Counts as a request of its own within a run of rw=randtrimwrite:N, and may use up a random start.
void Generator::State::issue_write_of_trimmed(Access& access) {
  issue(access, Direction::write, trimmed_offset_);
  write_is_due_ = false;
  if (pattern_.blocks_per_random > 1) run_left_ = run_left_ > 0 ? run_left_ - 1 : pattern_.blocks_per_random - 1;
}

Generator::Generator(const Job& job, std::uint64_t seed) : state_(std::make_unique<State>(job, seed)) {}
Generator::~Generator() = default;
Generator::Generator(Generator&&) noexcept = default;

bool Generator::next(Access& access) { return state_->next(access); }
void Generator::steer(std::optional<Direction> wish) { state_->wish_ = wish; }

}  // namespace ftlab
