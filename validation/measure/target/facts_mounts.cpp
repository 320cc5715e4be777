#include "validation/measure/target/facts_sources.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace ftlab {
namespace {

namespace fs = std::filesystem;

bool is_octal(char c) { return c >= '0' && c <= '7'; }

// procfs writes blanks, tabs, line ends and backslashes in names as octal escapes, such as \040.
std::string without_escapes(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape =
        text[i] == '\\' && i + 3 < text.size() && is_octal(text[i + 1]) && is_octal(text[i + 2]) && is_octal(text[i + 3]);
    if (!escape) {
      plain += text[i];
      continue;
    }
    plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
    i += 3;
  }
  return plain;
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

// id parent number root point options [optional fields] - type source super-options
std::optional<Mount> parse_mount(const std::string& line) {
  const auto words = words_of(line);
  if (words.size() < 6 || words[2].find(':') == std::string::npos) return std::nullopt;
  const auto dash = std::find(words.begin() + 6, words.end(), "-");
  if (words.end() - dash < 3) return std::nullopt;
  return Mount{words[2], without_escapes(words[4]), dash[1], without_escapes(dash[2])};
}

// Two threads of one namespace with one root see the same mounts. nullopt if unreadable; the table may still be readable.
std::optional<std::string> view_of(const fs::path& thread) {
  std::error_code no_space, no_root;
  const auto space = fs::read_symlink(thread / "ns" / "mnt", no_space);
  const auto root = fs::read_symlink(thread / "root", no_root);
  if (no_space || no_root) return std::nullopt;
  return space.string() + " " + root.string();
}

}  // namespace

std::optional<std::vector<Mount>> parse_mounts(const std::string& table) {
  std::vector<Mount> mounts;
  std::istringstream in(table);
  for (std::string line; std::getline(in, line);) {
    auto mount = parse_mount(line);
    if (!mount) return std::nullopt;
    mounts.push_back(std::move(*mount));
  }
  return mounts;
}

std::optional<std::vector<Mount>> mounts_of(const fs::path& process) {
  const auto table = sysfs_text(process / "mountinfo");
  if (!table || table->empty()) return std::nullopt;  // every process has at least a root mount
  return parse_mounts(*table);
}

std::optional<std::vector<Mount>> mounts_everywhere(const fs::path& proc) {
  const auto processes = process_numbers(proc);
  if (!processes) return std::nullopt;
  std::vector<Mount> all;
  std::set<std::string> seen;
  for (const auto number : *processes) {
    const auto threads = threads_of(proc / std::to_string(number));
    if (!threads) return std::nullopt;
    for (const auto& thread : *threads) {
      const auto view = view_of(thread);
      if (view && seen.contains(*view)) continue;
      const auto mounts = mounts_of(thread);
      if (!mounts && has_ended(thread)) continue;
      if (!mounts) return std::nullopt;
      if (view) seen.insert(*view);
      all.insert(all.end(), mounts->begin(), mounts->end());
    }
  }
  return all;
}

std::optional<std::vector<std::string>> swap_places(const fs::path& proc) {
  const auto table = sysfs_text(proc / "swaps");
  return table ? parse_swaps(*table) : std::nullopt;
}

std::optional<std::vector<std::string>> parse_swaps(const std::string& table) {
  if (table.rfind("Filename", 0) != 0) return std::nullopt;
  std::vector<std::string> places;
  std::istringstream in(table);
  std::string line;
  std::getline(in, line);  // the heading
  while (std::getline(in, line)) {
    const auto words = words_of(line);
    if (words.empty()) return std::nullopt;
    places.push_back(without_escapes(words[0]));
  }
  return places;
}

}  // namespace ftlab
