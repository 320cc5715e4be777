// Comma-separated text: row by row, or as a table with a header, such as series.csv. Messages contain the line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "validation/compare/reading/measurement.h"

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

// Columns of numbers, and of words where the caller names them.
struct TextTable {
  struct Column {
    std::string name;
    std::vector<double> numbers;     // NaN for an empty cell; no numbers in a column of words
    std::vector<std::string> words;  // no words in a column of numbers
    bool is_text = false;
  };
  std::string file;
  std::vector<Column> columns;
  std::vector<std::size_t> lines;  // of each row in the file

  // Null if the table has no such column.
  const Column* find(std::string_view name) const;
  // Throws ConfigError unless the number is in [low, high]; NaN is not.
  double number(const Column& column, std::size_t row, double low, double high) const;
  [[noreturn]] void refuse(const Column& column, std::size_t row, std::string_view problem,
                           std::string_view allowed = {}) const;
};

// Throws ConfigError with the line if one of the `required` columns is missing, a column occurs twice, a row differs in
// length, or a cell of a column that is not in `words` holds something other than a finite number or nothing.
TextTable read_table(std::string_view text, const std::string& file, const std::vector<std::string>& required,
                     const std::vector<std::string>& words = {});

// Reads series.csv of a result.

// All columns. Throws ConfigError with the line, also for intervals that overlap.
TextTable read_series_table(std::string_view text, const std::string& file);

// IOPS, bytes per second and mean latency of each direction with requests. Throws ConfigError with the line.
std::vector<TimeCurve> read_series(std::string_view text, const std::string& file);

}  // namespace ftlab
