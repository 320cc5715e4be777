// A scoreboard file.
#include "validation/scoreboard/review.h"

#include "sim/core/error.h"
#include "validation/fuzz/door.h"
#include "validation/fuzz/seeds.h"

namespace ftlab::fuzz {
namespace {

void enter_review(std::string_view input) {
  try {
    read_review(parse_document(input, kInputName), kInputName);
  } catch (const ConfigError&) {
  }
}

// One scoreboard file for each row of the original.
std::vector<std::string> review_seeds() {
  std::vector<std::string> all;
  Node whole = parse_document(text_of("configs/scoreboard/kingston.json"), kInputName);
  const std::vector<Node> rows = whole.find("rows")->items;
  for (const Node& row : rows) {
    whole.find("rows")->items = {row};
    all.push_back(short_text(whole));
  }
  return all;
}

}  // namespace

Door review() { return {"review", enter_review, review_seeds, 4096, 2}; }

}  // namespace ftlab::fuzz
