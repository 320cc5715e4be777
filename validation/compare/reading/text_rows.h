// Reads a comma-separated table row by row; messages contain the line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ftlab {

class TextRows {
 public:
  // REQUIRES: both outlive the rows.
  TextRows(std::string_view text, const std::string& file) : rest_(text), file_(&file) {}

  // Advances to the next row that is not blank; false at the end.
  bool next();
  // Cells of the current row, split at commas and stripped of blanks.
  std::size_t columns() const { return cells_.size(); }
  std::string_view cell(std::size_t column) const { return cells_[column]; }

  // Throws ConfigError unless the cell is a number in [low, high]. REQUIRES: column < columns().
  double number(std::size_t column, const char* name, double low, double high) const;
  [[noreturn]] void refuse(const char* name, std::string_view problem, std::string_view value = {},
                           std::string_view allowed = {}) const;
  std::size_t line() const { return line_; }

 private:
  std::string_view rest_;
  const std::string* file_;
  std::size_t line_ = 0;
  std::vector<std::string_view> cells_;
};

}  // namespace ftlab
