// The scan of all superblocks for cells that have gathered errors (refresh.h): puts forward those that are closed, and
// closes open ones for it.
#pragma once

#include "ftl/read/refresh.h"
#include "ftl/write/page_store.h"

namespace ftlab {

class CellScan {
 public:
  // REQUIRES: both outlive it; the store's flash errs.
  CellScan(PageStore& store, Refresh& refresh) : store_(store), refresh_(refresh) {}

  // As of the date of the errors. An open superblock is closed for it, unless that would take the reserve.
  void run();
  // Whether that would find something new.
  bool would_find() const;

 private:
  bool wants_refresh(SuperblockId block) const;
  bool may_close(const Frontier& frontier) const;

  PageStore& store_;
  Refresh& refresh_;
};

}  // namespace ftlab
