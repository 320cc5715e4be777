// How requests reach the kernel and come back: by io_uring (ring.h), or by threads that wait for each (threads.h).
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

// The kernel does not offer what an engine needs. The message says what.
struct EngineError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// One request as the kernel gets it.
struct Work {
  std::uint64_t place = 0;  // comes back in its Outcome; unique among those in flight
  Op op = Op::read;
  std::uint64_t offset_bytes = 0;
  std::uint64_t length_bytes = 0;
  std::byte* memory = nullptr;
  bool fua = false;        // of a write: to the medium before it is done
  bool data_only = false;  // of a flush: fdatasync
};

struct Outcome {
  std::uint64_t place = 0;
  std::int64_t result = 0;  // bytes, or the negative number of an error; 0 of a trim or a flush that was done
};

// Reads and flushes alter nothing.
inline bool permits(const Permit& permit, Op op) {
  return op == Op::write ? permit.may_write() : op != Op::trim || permit.may_discard();
}

class Engine {
 public:
  virtual ~Engine() = default;

  // For the result: which ways into the kernel are in use.
  virtual std::string description() const = 0;

  // All memory of the work to come lies in `arena`, in pieces of `stride` bytes. REQUIRES: nothing is in flight.
  virtual void use_memory(std::span<std::byte> arena, std::size_t stride) = 0;

  // Takes the request over; the kernel may get it only with the next call of push() or wait().
  // REQUIRES: `permit` allows it; no more are in flight than the engine was made for.
  virtual void start(const Permit& permit, const Work& work) = 0;
  virtual void push() = 0;

  // Returns what has come back, waiting for the first at most so long; 0 when nothing has, or a signal came.
  virtual std::size_t wait(Nanoseconds at_most, std::span<Outcome> out) = 0;
};

enum class EngineKind : std::uint8_t { best, uring, threads };

// `best` is io_uring, and threads where the kernel refuses it; `why_not` then says why. Throws EngineError for `uring` where
// there is none. `depth`: requests in flight at most.
std::unique_ptr<Engine> make_engine(EngineKind kind, int descriptor, TargetKind target, std::size_t depth,
                                    std::string& why_not);

}  // namespace ftlab
