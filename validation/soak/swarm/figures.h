// What a part of the programme reached, one line for each figure, and as JSON, so that one table is made of all parts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ftlab::soak {

struct Figure {
  std::string name;
  std::uint64_t asked = 0;  // 0: as much as there is
  std::uint64_t reached = 0;
  std::uint64_t failures = 0;
};

// Whether the part did what it was asked for.
inline bool passed(const Figure& figure) { return figure.failures == 0 && figure.reached >= figure.asked; }
bool passed(const std::vector<Figure>& figures);

void print(const std::vector<Figure>& figures);
// {"figures": [{"name", "asked", "reached", "failures"}]}, complete or not there. Throws std::runtime_error.
void write_json(const std::vector<Figure>& figures, const std::string& path);

// Puts a whole file in its place: nobody ever sees half of it. Throws std::runtime_error.
void write_whole(const std::string& path, const std::string& content);

}  // namespace ftlab::soak
