// Compressed items instead of pages: smaller items, more of them in a block, more spare space.
#pragma once

#include "models/theory/setting.h"

namespace ftlab {

struct Packing {
  double items_per_block = 0;  // on average
  bool constant_size = true;   // else items_per_block is a mean, and the formulas are approximate
};

// If A items are programmed per host item, media bytes over host bytes are A times the mean share of a page that an item
// takes (WaQuestion::stored_share): space left empty at the end of a block costs room, not bytes.
//
// Items are packed inside a block and never cross its end. When sizes s vary, the item that no longer fits leaves
// E[s(s-1)] / (2 E[s]) units empty on average: the remainder of a renewal process in a block of many items.
Packing packing(const WaQuestion& question);

}  // namespace ftlab
