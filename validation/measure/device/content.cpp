#include "validation/measure/device/content.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <utility>

#include "sim/core/random.h"
#include "validation/measure/device/engine.h"
#include "validation/measure/device/stamps.h"

namespace ftlab {
namespace {

constexpr std::size_t kWord = sizeof(std::uint64_t);
constexpr std::size_t kPoolWords = ContentBytes::kPoolBytes / kWord;
constexpr std::size_t kLongest = 8192;  // bytes combined with one word, so that a chunk is not a copy of the pool

// The finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): every bit of the result depends on every bit of `x`.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

void fill_pattern(std::span<std::byte> bytes, const std::string& pattern, std::size_t from) {
  if (pattern.empty()) {
    std::memset(bytes.data(), 0, bytes.size());
    return;
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(pattern[(from + i) % pattern.size()]);
}

}  // namespace

ContentBytes::ContentBytes(std::uint64_t seed) : seed_(seed), pool_(kPoolWords) {
  RandomStream random(0, "content pool");  // the same in every run, like numbered contents
  for (std::uint64_t& word : pool_) word = random.bits();
}

void ContentBytes::set_jobs(const std::vector<Job>& jobs) {
  jobs_.clear();
  for (const Job& job : jobs) jobs_.push_back({job.content.chunk_bytes, job.content.pattern.value_or("")});
}

void ContentBytes::fill(std::span<std::byte> bytes, const Request& write, std::uint64_t number) const {
  const Rules rules = write.queue < jobs_.size() ? jobs_[write.queue] : Rules{};
  // Numbered contents are the same in every run; others depend on the run and the write.
  const std::uint64_t origin = write.content.id != 0 ? mixed(write.content.id) : mixed(seed_ ^ mixed(number));
  const std::uint64_t stored = rules.chunk_bytes * write.content.stored_thousandths;
  for (std::size_t at = 0, chunk = 0; at < bytes.size(); at += rules.chunk_bytes, ++chunk) {
    const std::size_t length = std::min<std::size_t>(rules.chunk_bytes, bytes.size() - at);
    const std::size_t random = std::min<std::size_t>(length, (stored + 500) / 1000);
    fill_random(bytes.subspan(at, random), mixed(origin + chunk));
    fill_pattern(bytes.subspan(at + random, length - random), rules.pattern, at + random);
  }
}

void ContentBytes::freshen(std::span<std::byte> bytes, std::uint64_t number) const {
  const std::uint64_t origin = mixed(seed_ ^ mixed(number));
  for (std::size_t at = 0, sector = 0; at + kSectorBytes <= bytes.size(); at += kSectorBytes, ++sector) {
    const std::uint64_t word = mixed(origin + sector);
    std::memcpy(bytes.data() + at, &word, kWord);
  }
}

void ContentBytes::fill_random(std::span<std::byte> bytes, std::uint64_t draw) const {
  while (!bytes.empty()) {
    const std::size_t length = std::min(bytes.size(), kLongest);
    const std::size_t words = length / kWord;
    const std::uint64_t* const from = pool_.data() + (draw >> 32) % (kPoolWords - kLongest / kWord);
    for (std::size_t i = 0; i < words; ++i) {
      const std::uint64_t word = from[i] ^ draw;
      std::memcpy(bytes.data() + i * kWord, &word, kWord);
    }
    const std::uint64_t last = from[words] ^ draw;
    std::memcpy(bytes.data() + words * kWord, &last, length - words * kWord);
    bytes = bytes.subspan(length);
    draw = mixed(draw);
  }
}

// Generates contents given by the job in full. For unknown contents, which are random, reuses the bytes of a buffer that was
// not read into.
void DeviceContents::make_bytes(std::size_t buffer, std::span<std::byte> memory, const Request& write) {
  ++writes_;
  const bool reported = write.content.id != 0 || write.content.stored_thousandths != 1000;
  if (!reported && memory.size() <= random_bytes_[buffer]) return bytes_.freshen(memory, writes_);
  bytes_.fill(memory, write, writes_);
  random_bytes_[buffer] = reported ? 0 : memory.size();
}

void DeviceContents::fill(std::size_t place, const Request& write, std::uint64_t version) {
  const std::size_t buffer = buffer_of(place, Op::write);
  const std::span<std::byte> memory(buffers_.at(buffer), write.length_bytes);
  make_bytes(buffer, memory, write);
  if (!stamps_) return;
  Stamp stamp{0, version, run_, static_cast<std::uint32_t>(write.length_bytes)};
  for (std::size_t at = 0; at + kSectorBytes <= memory.size(); at += kSectorBytes) {
    stamp.offset_bytes = first_byte_ + write.offset_bytes + at;
    ++stamp.version;
    write_stamp(memory.subspan(at).first<kSectorBytes>(), stamp);
  }
}

// The log numbers sectors as the host sees the device; stamps hold positions on the device itself.
void DeviceContents::report_read(std::size_t place, const Request& read) {
  if (log_ == nullptr) return;
  const std::span<const std::byte> memory(this->memory(place, Op::read), read.length_bytes);
  for (std::size_t at = 0; at + kSectorBytes <= memory.size(); at += kSectorBytes) {
    const std::uint64_t offset = read.offset_bytes + at;
    const SectorRead sector = read_stamp(memory.subspan(at).first<kSectorBytes>(), first_byte_ + offset, run_);
    log_->returned.push_back({read.tag, offset / kSectorBytes, sector.stamp.version, sector.found});
  }
}

namespace {

constexpr std::size_t kPage = 4096;

}  // namespace

Buffers::Buffers(std::size_t count, std::size_t bytes_each)
    : count_(count), stride_((bytes_each + kPage - 1) / kPage * kPage) {
  if (count_ * stride_ == 0) return;
  void* const memory = ::mmap(nullptr, count_ * stride_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    throw EngineError("no memory for " + std::to_string(count_) + " buffers of " + std::to_string(stride_) +
                      " bytes: fewer requests in flight or smaller blocks need less");
  }
  memory_ = static_cast<std::byte*>(memory);
  ::madvise(memory, count_ * stride_, MADV_HUGEPAGE);  // best effort
}

Buffers::~Buffers() {
  if (memory_ != nullptr) ::munmap(memory_, count_ * stride_);
}

Buffers::Buffers(Buffers&& other) noexcept { *this = std::move(other); }

Buffers& Buffers::operator=(Buffers&& other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(count_, other.count_);
  std::swap(stride_, other.stride_);
  return *this;
}

}  // namespace ftlab
