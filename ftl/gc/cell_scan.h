// Scans all superblocks for cells that have gathered errors (refresh.h). Queues closed superblocks for refresh, and closes
// open ones for it.
#pragma once

#include "ftl/read/refresh.h"
#include "ftl/write/page_store.h"

namespace ftlab {

class CellScan {
 public:
  // REQUIRES: both outlive it; the store's flash has bit errors.
  CellScan(PageStore& store, Refresh& refresh) : store_(store), refresh_(refresh) {}

  // Uses the date set in the error model. An open superblock is closed for refresh unless that would use up the reserve.
  void run();
  // True if run() would find something new.
  bool would_find() const;

 private:
  bool wants_refresh(SuperblockId block) const;
  bool may_close(const Frontier& frontier) const;

  PageStore& store_;
  Refresh& refresh_;
};

}  // namespace ftlab
