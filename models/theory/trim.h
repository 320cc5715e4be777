// Trims: which pages stay mapped.
#pragma once

#include "models/theory/setting.h"

namespace ftlab {

// Pages that stay mapped if a request is a trim with probability `trims`, else a write. A write to an unmapped page
// invalidates nothing and a trim invalidates without writing; still, all mapped pages of a class die at one rate. So the
// drive behaves, exactly and under every policy, like one of the mapped pages only (Frankie, Hughes and Kreutz-Delgado,
// ACM-SE 2012 and arXiv:1210.5975, for trims of mapped pages).
struct MappedPages {
  double share = 1;     // mapped pages / logical pages
  PageClasses classes;  // mapped pages only
};

// `any`: trims pick any logical page; else any mapped one, which leaves a vanishing share if trims >= 1/2: share is 0.
// REQUIRES: 0 <= trims < 1.
MappedPages mapped_pages(const PageClasses& logical, double trims, bool any);

}  // namespace ftlab
