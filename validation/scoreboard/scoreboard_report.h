// The scoreboard as text for a terminal, as Markdown for a README, as JSON for scripts. Text and Markdown list the rows by
// drive, misses first.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "validation/scoreboard/scoreboard.h"

namespace ftlab {

std::string scoreboard_text(const Scoreboard& board);
// `given`: reviews whose facts without a row are listed at the end.
std::string scoreboard_markdown(const Scoreboard& board, const std::vector<Review>& given);
nlohmann::ordered_json scoreboard_json(const Scoreboard& board);

}  // namespace ftlab
