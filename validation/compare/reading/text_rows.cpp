#include "validation/compare/reading/text_rows.h"

#include <charconv>

#include <spdlog/fmt/fmt.h>

#include "sim/config/split.h"
#include "sim/core/error.h"
#include "sim/workload/jobs/ini.h"

namespace ftlab {

bool TextRows::next() {
  while (!rest_.empty()) {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view row = trimmed(rest_.substr(0, end));
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++line_;
    if (row.empty()) continue;
    cells_.clear();
    for (const std::string_view cell : split(row, ',')) cells_.push_back(trimmed(cell));
    return true;
  }
  return false;
}

void TextRows::refuse(const char* name, std::string_view problem, std::string_view value, std::string_view allowed) const {
  throw ConfigError({*file_, line_}, name, problem, value, allowed);
}

double TextRows::number(std::size_t column, const char* name, double low, double high) const {
  const std::string_view text = cells_[column];
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || !(number >= low && number <= high))
    refuse(name, whole ? "is out of range" : "is not a number", text, fmt::format("{} to {}", low, high));
  return number;
}

}  // namespace ftlab
