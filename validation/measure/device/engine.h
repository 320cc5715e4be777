// Passes requests to the kernel and back: by io_uring (ring.cpp), or by threads that block (threads.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include "sim/core/types.h"
#include "sim/request.h"
#include "validation/measure/target/guard.h"

namespace ftlab {

// The kernel lacks something that an engine needs. The message says what.
struct EngineError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// One request as passed to the kernel.
struct Work {
  std::uint64_t place = 0;  // returned in its Outcome; unique among requests in flight
  Op op = Op::read;
  std::uint64_t offset_bytes = 0;
  std::uint64_t length_bytes = 0;
  std::byte* memory = nullptr;
  bool fua = false;        // writes only: on the medium before completion
  bool data_only = false;  // flushes only: fdatasync
};

struct Outcome {
  std::uint64_t place = 0;
  std::int64_t result = 0;  // bytes, or a negative errno; 0 for a successful trim or flush
};

// Always true for reads and flushes, which alter nothing.
inline bool permits(const Permit& permit, Op op) {
  return op == Op::write ? permit.may_write() : op != Op::trim || permit.may_discard();
}

class Engine {
 public:
  virtual ~Engine() = default;

  // For the result: the kernel interfaces in use.
  virtual std::string description() const = 0;

  // All later requests use memory in `arena`, in pieces of `stride` bytes. REQUIRES: nothing is in flight.
  virtual void use_memory(std::span<std::byte> arena, std::size_t stride) = 0;

  // Takes the request; the kernel may get it only with the next push() or wait(). REQUIRES: `permit` allows it; the requests
  // in flight do not exceed the engine's depth.
  virtual void start(const Permit& permit, const Work& work) = 0;
  virtual void push() = 0;

  // Returns completed requests, waiting at most `at_most` for the first; 0 after a timeout or a signal.
  virtual std::size_t wait(Nanoseconds at_most, std::span<Outcome> out) = 0;
};

enum class EngineKind : std::uint8_t { best, uring, threads };

// `best` is io_uring, or threads if the kernel refuses it; `why_not` then says why. Throws EngineError for `uring` if it is
// not available. `depth`: maximum requests in flight.
std::unique_ptr<Engine> make_engine(EngineKind kind, int descriptor, TargetKind target, std::size_t depth,
                                    std::string& why_not);
// io_uring. Throws EngineError if the kernel refuses it. REQUIRES: built with liburing.
std::unique_ptr<Engine> make_ring(int descriptor, TargetKind target, std::size_t depth);

}  // namespace ftlab
