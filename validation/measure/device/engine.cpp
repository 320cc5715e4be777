#include "validation/measure/device/engine.h"

#include "validation/measure/device/threads.h"

namespace ftlab {

std::unique_ptr<Engine> make_engine(EngineKind kind, int descriptor, TargetKind target, std::size_t depth,
                                    std::string& why_not) {
  why_not.clear();
  if (kind == EngineKind::threads) return std::make_unique<Threads>(descriptor, target, depth);
#ifdef FTLAB_URING
  try {
    return make_ring(descriptor, target, depth);
  } catch (const EngineError& error) {
    why_not = error.what();
  }
#else
  why_not = "this ftlab-measure was built without liburing";
#endif
  if (kind == EngineKind::uring) throw EngineError("io_uring cannot be used: " + why_not);
  return std::make_unique<Threads>(descriptor, target, depth);
}

}  // namespace ftlab
