// Independent pieces of work on the machine's cores.
#pragma once

#include <cstddef>
#include <functional>

namespace ftlab {

// Calls work(0) ... work(count - 1), each once, in any order, on so many threads (0: one for each core). When some of them
// throw, no more are begun, and what the first of them by number threw is thrown here.
void side_by_side(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work);

// How many of them are at work at once.
std::size_t at_once(std::size_t count, unsigned threads);

}  // namespace ftlab
