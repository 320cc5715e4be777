// docs/drive_file_keys.md lists every key of a drive file with its allowed values, docs/hosts.md those of a host, as named
// by --set. The rows must match what the readers allow, and what their lines say that a key means (sim/config/keys.h). Only
// a few keys without such a line, texts and sources, have their meaning in the document alone.
//   ftlab-tests "print the reference of keys"      prints the rows
#include <fstream>
#include <iostream>
#include <map>
#include <string>

#include "sim/config/keys.h"
#include "sim/testing/test.h"
#include "validation/checks/reference/drive_keys.h"

using namespace ftlab;

namespace {

bool is_of_host(const std::string& key) { return key.starts_with("host."); }

std::map<std::string, std::string> document_rows() {
  std::map<std::string, std::string> rows;
  for (const char* const document : {"drive_file_keys.md", "hosts.md"}) {
    std::ifstream file(std::string(FTLAB_SOURCE_DIR "/docs/") + document);
    for (std::string line; std::getline(file, line);) {
      if (line.rfind("| `", 0) != 0) continue;
      const std::string key = line.substr(3, line.find('`', 3) - 3);
      if (is_of_host(key) == (std::string(document) == "hosts.md")) rows[key] = line;
    }
  }
  return rows;
}

// As stated where the keys are read; checks that every key sets a member of its own.
std::map<std::string, std::string> meanings() {
  std::map<std::string, std::string> all;
  for (const auto& [design, text] : designs()) {
    KeyLog keys;
    read_drive(document(design), &keys);
    all.insert(keys.meanings().begin(), keys.meanings().end());
  }
  all["user_sectors.value"] = all["user_sectors"];
  return all;
}

// A star: required wherever its object is present; a plus: required by some designs. The meaning is that of its line, or
// else of the row `old`.
std::string row_of(const std::string& key, const DriveKeys::About& about, const std::string& old) {
  static const std::map<std::string, std::string> stated = meanings();
  const char* const needed = !about.seen || about.may_be_left ? "" : about.missed ? " +" : " *";
  std::string allowed;
  for (const std::string& one : about.allowed) allowed += (allowed.empty() ? "" : "; ") + one;
  const auto meaning = stated.find(key);
  const std::size_t cell = old.empty() ? std::string::npos : old.rfind(" | ", old.size() - 3);
  return "| `" + key + "`" + needed + " | " + allowed + " | " +
         (meaning != stated.end()     ? meaning->second + " |"
          : cell == std::string::npos ? "|"
                                      : old.substr(cell + 3));
}

}  // namespace

TEST_CASE("the reference of drive file keys matches the reader") {
  const std::map<std::string, std::string> rows = document_rows();
  const DriveKeys keys = drive_keys();
  for (const auto& [key, about] : keys.about) {
    INFO("key " << key << "; write the row anew: ftlab-tests \"print the reference of keys\"");
    const auto row = rows.find(key);
    REQUIRE(row != rows.end());
    CHECK(row->second == row_of(key, about, row->second));
    CHECK(!row->second.ends_with("|  |"));  // it has a meaning
  }
  for (const auto& [key, row] : rows) {
    INFO("key " << key << " of the document is none of a drive file or a host");
    CHECK(keys.about.count(key) == 1);
  }
}

TEST_CASE("print the reference of keys", "[.][by-hand]") {
  std::map<std::string, std::string> rows = document_rows();
  for (const auto& [key, about] : drive_keys().about) std::cout << row_of(key, about, rows[key]) << "\n";
}
