// Converts a resolved document back to JSON, so that every result can carry the configuration it was made with.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/config/document.h"

namespace ftlab {

// The same values in the same order, without files, lines and comments. Integers keep their digits; a number with a fraction
// is written with the fewest digits that read back as the same double. parse_document() of the dumped text gives the same
// values again.
nlohmann::ordered_json to_json(const Node& node);

}  // namespace ftlab
