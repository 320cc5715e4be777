// Requests by io_uring, with registered file and buffers. Features of the kernel are detected, never assumed: operations by
// its probe, ring modes by trying them, discards of block devices by a discard of no bytes.
//
// Flushes are fsync or fdatasync, FUA writes RWF_DSYNC. A trim punches a hole into a file. On a block device it is
// io_uring's own discard (Linux 6.12), or BLKDISCARD in a worker thread.
#pragma once
#ifdef FTLAB_URING

#include <liburing.h>

#include <memory>
#include <optional>

#include "validation/measure/device/engine.h"
#include "validation/measure/device/threads.h"

namespace ftlab {

class Ring final : public Engine {
 public:
  // Throws EngineError.
  Ring(int descriptor, TargetKind target, std::size_t depth);
  ~Ring() override;
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  std::string description() const override;
  void use_memory(std::span<std::byte> arena, std::size_t stride) override;
  void start(const Permit& permit, const Work& work) override;
  void push() override;
  std::size_t wait(Nanoseconds at_most, std::span<Outcome> out) override;

 private:
  enum class Discards : std::uint8_t { unknown, ring, workers };

  void open(unsigned entries);
  void refuse_without_operations();
  void register_file();
  io_uring_sqe* entry();
  void prepare(io_uring_sqe* sqe, const Work& work) const;
  void prepare_transfer(io_uring_sqe* sqe, const Work& work) const;
  bool can_discard();
  void start_worker(const Permit& permit, const Work& work);
  void listen();
  void tick();
  void submit_and_wait(Nanoseconds at_most);
  std::size_t take(std::span<Outcome> out);
  std::size_t take_from_workers(std::span<Outcome> out);

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

}  // namespace ftlab
#endif
