// Prefetch hint; no semantic effect.
#pragma once

namespace ftlab {

// The empty asm is needed: GCC 12 considers a function that only prefetches to have no effect, and drops calls of it that it
// does not inline.
template <class T>
[[gnu::always_inline]] inline void prefetch_to_write(const T* what) {
  __builtin_prefetch(what, 1);
  asm volatile("");
}

}  // namespace ftlab
