// For tests: reads the tables of validation/checks/bad_inputs. Its unpack.py describes their format and checks them.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sim/testing/files.h"

namespace ftlab::testing {

struct BadInput {
  std::string text;
  std::string message;  // each line with its newline; empty for a file that only other inputs use
};

class BadInputs {
 public:
  using ByName = std::map<std::string, BadInput>;

  BadInputs() {
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder_)) {
      if (file.path().extension() == ".txt") read_table(file.path());
    }
    for (const auto& [name, entry] : entries_) all_[name] = {whole_text_of(name), entry.message};
  }

  // Inputs whose names start with `begin`, as in "drive/drive-", and finish with `end`.
  ByName of(const std::string& begin, const std::string& end) const {
    ByName found;
    for (const auto& input : all_) {
      if (input.first.starts_with(begin) && input.first.ends_with(end)) found.insert(input);
    }
    return found;
  }

  // Writes the files of `folder` into a folder of the same name in `to`.
  void unpack(const std::string& folder, const TestFolder& to) const {
    std::filesystem::create_directory(to.path() / folder);
    for (const auto& [name, input] : of(folder + "/", "")) to.write(name, input.text);
  }

 private:
  struct Entry {
    std::string from, base, message;
    std::vector<std::string> lines;
  };

  static std::string bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  // The lines of an entry "in bytes".
  static std::string text_in_bytes(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) {
      std::smatch parts;
      std::regex_match(line, parts, std::regex("(?:([0-9]+) times )?(.*)"));
      std::string one;
      for (std::string rest = parts[2]; !rest.empty();) {
        const bool escaped = rest[0] == '\\', hex = escaped && rest[1] == 'x';
        const char plain = escaped && rest[1] == 'n' ? '\n' : rest[0];
        one += hex ? static_cast<char>(std::stoi(rest.substr(2, 2), nullptr, 16)) : plain;
        rest.erase(0, hex ? 4 : escaped ? 2 : 1);
      }
      for (int left = parts[1].length() > 0 ? std::stoi(parts[1]) : 1; left > 0; --left) text += one;
    }
    return text;
  }

  static std::string with_line_ends(const std::string& text) { return std::regex_replace(text, std::regex(R"(\\n)"), "\n"); }

  void read_table(const std::string& path) {
    std::istringstream table(bytes_of(path));
    Entry* entry = nullptr;
    for (std::string line; std::getline(table, line);) {
      if (line.starts_with("=== ") || line.starts_with("+++ ")) {
        if (entry && entry->message.empty() && !entry->lines.empty() && entry->lines.back().empty()) entry->lines.pop_back();
        std::istringstream words(line.substr(4));
        std::string name;
        words >> name;
        entry = &entries_[name];
        words >> entry->from >> entry->base;
      } else if (entry && line.starts_with("! ")) {
        entry->message += line.substr(2) + "\n";
      } else if (entry && entry->message.empty()) {
        entry->lines.push_back(line);
      }
    }
  }

  std::string whole_text_of(const std::string& name) const {
    if (entries_.at(name).from == "in") return text_in_bytes(entries_.at(name).lines);
    if (!name.ends_with(".json")) return text_of(name);
    return std::regex_replace(text_of(name), std::regex("<(-?[0-9]+)>"),
                              R"({"value": $1, "from": "assumed", "source": "made up"})");
  }

  std::string text_of(const std::string& name) const {
    const Entry& entry = entries_.at(name);
    std::string text = entry.base.empty() ? "" : text_of(entry.base);
    for (const std::string& line : entry.lines) {
      const bool is_more = line.starts_with("+ ");
      if (entry.base.empty() || is_more) {
        text += line.substr(is_more && !entry.base.empty() ? 2 : 0) + "\n";
        continue;
      }
      const std::size_t arrow = line.find(" =>");
      const std::string old = with_line_ends(line.substr(0, arrow));
      const std::size_t at = text.find(old);
      if (arrow == line.npos || at == text.npos) throw std::runtime_error(name + ": what does not change its base: " + line);
      text.replace(at, old.size(), line.size() > arrow + 4 ? with_line_ends(line.substr(arrow + 4)) : "");
    }
    return text;
  }

  const std::string folder_ = std::string(FTLAB_SOURCE_DIR) + "/validation/checks/bad_inputs/";
  std::map<std::string, Entry> entries_;
  ByName all_;
};

}  // namespace ftlab::testing
