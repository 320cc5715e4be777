// Requests by io_uring, with registered file and buffers. Features of the kernel are detected, never assumed: operations by
// its probe, ring modes by trying them, discards of block devices by a discard of no bytes.
//
// Flushes are fsync or fdatasync, FUA writes RWF_DSYNC. A trim punches a hole into a file. On a block device it is
// io_uring's own discard (Linux 6.12), or BLKDISCARD in a worker thread.
#ifdef FTLAB_URING
#include <liburing.h>
#include <linux/falloc.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "sim/core/check.h"
#include "validation/measure/device/threads.h"

namespace ftlab {
namespace {

constexpr std::size_t kMostEntries = 32768;  // limit of the kernel
constexpr std::size_t kLargestBuffer = std::size_t{1} << 30;
constexpr std::size_t kMostBuffers = 1024;
constexpr std::size_t kWorkers = 8;
constexpr std::size_t kTogether = 64;
constexpr std::uint64_t kBell = ~std::uint64_t{0};  // places of the ring's own requests
constexpr std::uint64_t kQuestion = ~std::uint64_t{0} - 1;
constexpr std::uint64_t kTickPlace = ~std::uint64_t{0} - 2;
constexpr Nanoseconds kTick{100'000'000};  // waits of at least this length end with the ring's own timeout

// From linux/blkdev.h since 6.12: BLOCK_URING_CMD_DISCARD.
constexpr std::uint32_t kDiscardCommand = _IO(0x12, 0);

struct Mode {
  unsigned flags;
  const char* name;
};
// The first mode that the kernel supports is used. fio also uses deferred task work, which processes completions only when
// they are fetched: with 32 in flight it reached about 5 % more requests per second than cooperative task work for the same
// CPU time.
constexpr Mode kModes[] = {
    {IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN, "single issuer, deferred task work"},
    {IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_COOP_TASKRUN, "single issuer, cooperative task work"},
    {IORING_SETUP_COOP_TASKRUN, "cooperative task work"},
    {0, "plain"},
};

std::string reason(int error) { return std::strerror(error < 0 ? -error : error); }

class Ring final : public Engine {
 public:
  Ring(int descriptor, TargetKind target, std::size_t depth) : descriptor_(descriptor), target_(target) {
    open(static_cast<unsigned>(std::bit_ceil(std::clamp<std::size_t>(depth + 2, 4, kMostEntries))));
    try {
      refuse_without_operations();
    } catch (...) {
      io_uring_queue_exit(&ring_);
      throw;
    }
    register_file();
  }

  // Unregisters first: a closed ring releases its files only later, and the next measurement would find the target open.
  ~Ring() override {
    workers_.reset();
    if (fixed_file_) io_uring_unregister_files(&ring_);
    if (piece_bytes_ > 0) io_uring_unregister_buffers(&ring_);
    io_uring_queue_exit(&ring_);
    if (bell_) ::close(*bell_);
  }

  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  std::string description() const override {
    std::string text = "io_uring, " + mode_ + (fixed_file_ ? ", registered file" : ", file not registered");
    text += piece_bytes_ > 0 ? ", registered buffers" : buffers_refused_ ? ", buffers not registered" : "";
    if (discards_ == Discards::ring) text += ", discards by io_uring";
    if (discards_ == Discards::workers) text += ", discards by " + std::to_string(kWorkers) + " threads";
    return text;
  }

  void use_memory(std::span<std::byte> arena, std::size_t stride) override {
    if (piece_bytes_ > 0) io_uring_unregister_buffers(&ring_);
    arena_ = arena.data();
    piece_bytes_ = 0;
    if (arena.empty()) return;
    const std::size_t piece = std::max(kLargestBuffer / stride, std::size_t{1}) * stride;
    std::vector<iovec> pieces;
    for (std::size_t at = 0; at < arena.size(); at += piece)
      pieces.push_back({arena.data() + at, std::min(piece, arena.size() - at)});
    buffers_refused_ = pieces.size() > kMostBuffers || stride > kLargestBuffer ||
                       io_uring_register_buffers(&ring_, pieces.data(), static_cast<unsigned>(pieces.size())) != 0;
    if (!buffers_refused_) piece_bytes_ = piece;
  }

  void start(const Permit& permit, const Work& work) override {
    FTLAB_CHECK(permits(permit, work.op), "a request without a permit");
    if (work.op == Op::trim && target_ == TargetKind::block_device && !can_discard()) return start_worker(permit, work);
    prepare(entry(), work);
  }

  void push() override {
    while (io_uring_sq_ready(&ring_) > 0) {
      const int done = io_uring_submit_and_get_events(&ring_);
      FTLAB_CHECK(done >= 0 || done == -EINTR || done == -EAGAIN || done == -EBUSY, "io_uring_submit: " + reason(done));
      if (done == -EAGAIN || done == -EBUSY) return;  // too many completions are pending; wait() pushes again
    }
  }

  std::size_t wait(Nanoseconds at_most, std::span<Outcome> out) override {
    if (io_uring_cq_ready(&ring_) > 0)
      push();
    else
      submit_and_wait(at_most);
    return take(out);
  }

 private:
  enum class Discards : std::uint8_t { unknown, ring, workers };

  void open(unsigned entries) {
    int error = 0;
    for (const Mode& mode : kModes) {
      io_uring_params params{};
      params.flags = mode.flags | IORING_SETUP_CLAMP;
      error = io_uring_queue_init_params(entries, &ring_, &params);
      mode_ = mode.name;
      if (error != 0) continue;
      io_uring_register_ring_fd(&ring_);  // saves a look-up of the ring at each call (Linux 5.18); optional
      return;
    }
    throw EngineError("the kernel gives no ring: " + reason(error));
  }

  void refuse_without_operations() {
    io_uring_probe* const probe = io_uring_get_probe_ring(&ring_);
    if (probe == nullptr) throw EngineError("the kernel does not tell what its io_uring can do (older than 5.6)");
    std::string lacking;
    for (const auto& [operation, name] : {std::pair{IORING_OP_READ, "read"},
                                          {IORING_OP_WRITE, "write"},
                                          {IORING_OP_FSYNC, "fsync"},
                                          {IORING_OP_READ_FIXED, "read_fixed"},
                                          {IORING_OP_WRITE_FIXED, "write_fixed"},
                                          {IORING_OP_FALLOCATE, "fallocate"}}) {
      if (!io_uring_opcode_supported(probe, operation)) lacking += std::string(lacking.empty() ? "" : ", ") + name;
    }
    io_uring_free_probe(probe);
    if (!lacking.empty()) throw EngineError("the kernel's io_uring lacks " + lacking);
  }

  void register_file() { fixed_file_ = io_uring_register_files(&ring_, &descriptor_, 1) == 0; }
  io_uring_sqe* entry() {
    io_uring_sqe* sqe = io_uring_get_sqe(&ring_);
    if (sqe != nullptr) return sqe;
    push();
    sqe = io_uring_get_sqe(&ring_);
    FTLAB_CHECK(sqe != nullptr, "io_uring takes no more requests");
    return sqe;
  }

  void prepare(io_uring_sqe* sqe, const Work& work) const {
    const int file = fixed_file_ ? 0 : descriptor_;
    switch (work.op) {
      case Op::read: prepare_transfer(sqe, work); break;
      case Op::write:
        prepare_transfer(sqe, work);
        if (work.fua) sqe->rw_flags = RWF_DSYNC;
        break;
      case Op::flush: io_uring_prep_fsync(sqe, file, work.data_only ? IORING_FSYNC_DATASYNC : 0); break;
      case Op::trim:
        if (target_ == TargetKind::regular_file) {
          io_uring_prep_fallocate(sqe, file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                  static_cast<off_t>(work.offset_bytes),
                                  static_cast<off_t>(work.length_bytes));
        } else {
          io_uring_prep_rw(IORING_OP_URING_CMD, sqe, file, nullptr, 0, 0);
          sqe->cmd_op = kDiscardCommand;
          sqe->addr = work.offset_bytes;
          sqe->addr3 = work.length_bytes;
        }
        break;
    }
    if (fixed_file_) sqe->flags |= IOSQE_FIXED_FILE;
    io_uring_sqe_set_data64(sqe, work.place);
  }

  void prepare_transfer(io_uring_sqe* sqe, const Work& work) const {
    const int file = fixed_file_ ? 0 : descriptor_;
    const auto length = static_cast<unsigned>(work.length_bytes);
    if (piece_bytes_ == 0 && work.op == Op::read)
      return io_uring_prep_read(sqe, file, work.memory, length, work.offset_bytes);
    if (piece_bytes_ == 0) return io_uring_prep_write(sqe, file, work.memory, length, work.offset_bytes);
    const auto buffer = static_cast<int>(static_cast<std::size_t>(work.memory - arena_) / piece_bytes_);
    if (work.op == Op::read)
      io_uring_prep_read_fixed(sqe, file, work.memory, length, work.offset_bytes, buffer);
    else
      io_uring_prep_write_fixed(sqe, file, work.memory, length, work.offset_bytes, buffer);
  }

  // Tests once, at the first discard: a kernel that knows the command rejects a discard of no bytes as invalid, other kernels
  // report an unknown command. REQUIRES: a permit to discard was shown.
  bool can_discard() {
    if (discards_ != Discards::unknown) return discards_ == Discards::ring;
    io_uring own{};
    discards_ = Discards::workers;
    if (io_uring_queue_init(2, &own, 0) != 0) return false;
    io_uring_sqe* const sqe = io_uring_get_sqe(&own);
    io_uring_prep_rw(IORING_OP_URING_CMD, sqe, descriptor_, nullptr, 0, 0);
    sqe->cmd_op = kDiscardCommand;
    io_uring_sqe_set_data64(sqe, kQuestion);
    io_uring_cqe* cqe = nullptr;
    if (io_uring_submit(&own) == 1 && io_uring_wait_cqe(&own, &cqe) == 0 && cqe->res == -EINVAL) discards_ = Discards::ring;
    io_uring_queue_exit(&own);
    return discards_ == Discards::ring;
  }

  void start_worker(const Permit& permit, const Work& work) {
    if (!workers_) {
      bell_ = ::eventfd(0, EFD_CLOEXEC);
      FTLAB_CHECK(*bell_ >= 0, "no eventfd: " + reason(errno));
      workers_ = std::make_unique<Threads>(descriptor_, target_, kWorkers, *bell_);
    }
    ++with_workers_;
    workers_->start(permit, work);
    listen();
  }

  // Keeps a read of the bell in the ring while workers are busy, so that one wait covers both.
  void listen() {
    if (listening_) return;
    listening_ = true;
    io_uring_sqe* const sqe = entry();
    io_uring_prep_read(sqe, *bell_, &rung_, sizeof rung_, 0);
    io_uring_sqe_set_data64(sqe, kBell);
  }

  // Keeps a periodic timeout in the ring: cheaper than one for every wait.
  void tick() {
    if (ticking_) return;
    ticking_ = true;
    static constexpr long long kNs = static_cast<long long>(kTick.count());
    static const __kernel_timespec kLength{kNs / 1'000'000'000, kNs % 1'000'000'000};
    io_uring_sqe* const sqe = entry();
    io_uring_prep_timeout(sqe, const_cast<__kernel_timespec*>(&kLength), 0, 0);
    io_uring_sqe_set_data64(sqe, kTickPlace);
  }

  void submit_and_wait(Nanoseconds at_most) {
    int error = 0;
    if (at_most >= kTick) {
      tick();
      error = io_uring_submit_and_wait(&ring_, 1);
    } else {
      __kernel_timespec timeout{0, static_cast<long long>(at_most.count())};
      io_uring_cqe* first = nullptr;
      error = io_uring_submit_and_wait_timeout(&ring_, &first, 1, &timeout, nullptr);
    }
    FTLAB_CHECK(error >= 0 || error == -ETIME || error == -EINTR || error == -EAGAIN || error == -EBUSY,
                "io_uring_enter: " + reason(error));
  }

  std::size_t take(std::span<Outcome> out) {
    std::array<io_uring_cqe*, kTogether> entries;
    const unsigned wanted = static_cast<unsigned>(std::min(out.size(), entries.size()));
    const unsigned found = io_uring_peek_batch_cqe(&ring_, entries.data(), wanted);
    std::size_t count = 0;
    bool rang = false;
    for (unsigned i = 0; i < found; ++i) {
      if (entries[i]->user_data == kBell)
        rang = true;
      else if (entries[i]->user_data == kTickPlace)
        ticking_ = false;
      else
        out[count++] = {entries[i]->user_data, entries[i]->res};
    }
    io_uring_cq_advance(&ring_, found);
    if (rang) listening_ = false;
    if (with_workers_ > 0) count += take_from_workers(out.subspan(count));
    return count;
  }

  std::size_t take_from_workers(std::span<Outcome> out) {
    const std::size_t count = out.empty() ? 0 : workers_->wait(Nanoseconds{0}, out);
    with_workers_ -= count;
    if (with_workers_ > 0) listen();
    return count;
  }

  int descriptor_;
  TargetKind target_;
  io_uring ring_{};
  std::string mode_;
  bool fixed_file_ = false;
  std::byte* arena_ = nullptr;
  std::size_t piece_bytes_ = 0;  // size of one registered buffer; 0: none is registered
  bool buffers_refused_ = false;
  Discards discards_ = Discards::unknown;
  std::optional<int> bell_;  // eventfd that the workers write to
  std::uint64_t rung_ = 0;   // value read from it
  bool listening_ = false;
  std::size_t with_workers_ = 0;
  bool ticking_ = false;
  std::unique_ptr<Threads> workers_;
};

}  // namespace

std::unique_ptr<Engine> make_ring(int descriptor, TargetKind target, std::size_t depth) {
  return std::make_unique<Ring>(descriptor, target, depth);
}

}  // namespace ftlab
#endif
