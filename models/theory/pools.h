// Hot and cold pages in blocks of their own, each pool collecting only in itself.
#pragma once

#include "models/theory/setting.h"

namespace ftlab {

// Each pool sees uniform writes: A = r A(hot pool) + (1 - r) A(cold pool) (Desnoyers, SYSTOR 2012, eq. 20-22; Stoica and
// Ailamaki, VLDB 2013). Infinite when a pool has no spare space. REQUIRES: two classes.
double pools_wa(const WaSetting& setting);

}  // namespace ftlab
