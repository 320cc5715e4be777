// Hot and cold pages in separate blocks, with GC only inside each pool.
#pragma once

#include "models/theory/setting.h"

namespace ftlab {

// Each pool sees uniform writes: A = r A(hot pool) + (1 - r) A(cold pool) (Desnoyers, SYSTOR 2012, eq. 20-22; Stoica and
// Ailamaki, VLDB 2013). Infinite if a pool has no spare space. REQUIRES: two classes.
double pools_wa(const WaSetting& setting);

}  // namespace ftlab
