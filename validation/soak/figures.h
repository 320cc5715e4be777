// Results of a test part, one line per figure, and as JSON, so that one table can be made of all parts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ftlab::soak {

struct Figure {
  std::string name;
  std::uint64_t asked = 0;  // 0: no target
  std::uint64_t reached = 0;
  std::uint64_t failures = 0;
};

// True if the part reached its target without failures.
inline bool passed(const Figure& figure) { return figure.failures == 0 && figure.reached >= figure.asked; }
bool passed(const std::vector<Figure>& figures);

void print(const std::vector<Figure>& figures);
// Writes {"figures": [{"name", "asked", "reached", "failures"}]} atomically. Throws std::runtime_error.
void write_json(const std::vector<Figure>& figures, const std::string& path);

// Writes a file atomically. Throws std::runtime_error.
void write_whole(const std::string& path, const std::string& content);

}  // namespace ftlab::soak
