// Runs independent work items on all cores.
#pragma once

#include <cstddef>
#include <functional>

namespace ftlab {

// Calls work(0) to work(count - 1), each once, in any order, on `threads` threads (0: one per core). After an exception no
// more calls start, and the exception of the lowest index is rethrown.
void side_by_side(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work);

// Number of concurrent calls.
std::size_t at_once(std::size_t count, unsigned threads);

}  // namespace ftlab
