// Internal checks. A failed check is a bug of ftlab, never an error in the user's input: it throws with the expression,
// the place and the facts, so that the front end can print them with seed and simulated time.
//   FTLAB_CHECK(x, "facts")   always on; must cost O(1)
//   FTLAB_DCHECK(x, "facts")  in debug, sanitizer and `release-checked` builds (FTLAB_CHECKED)
// The facts are only evaluated if the check fails.
#pragma once

#include <stdexcept>
#include <string>

namespace ftlab {

struct CheckFailed : std::logic_error {
  using std::logic_error::logic_error;
};

[[noreturn]] void check_failed(const char* expression, const char* file, int line, const std::string& facts);

}  // namespace ftlab

#define FTLAB_CHECK(condition, facts)                                              \
  do {                                                                             \
    if (!(condition)) [[unlikely]]                                                 \
      ::ftlab::check_failed(#condition, __FILE__, __LINE__, ::std::string(facts)); \
  } while (false)

#ifdef FTLAB_CHECKED
#define FTLAB_DCHECK(condition, facts) FTLAB_CHECK(condition, facts)
#else
#define FTLAB_DCHECK(condition, facts) \
  do {                                 \
  } while (false && (condition))
#endif
