// Jobs that are not direct go through the page cache of the host, which is not modelled. Two cases are exact without it:
// engines bypass it, and writes that are each synced pass through it as the pages that hold them.
#pragma once

#include "sim/workload/options/section_notes.h"

namespace ftlab {

// On a real drive its requests go through the page cache.
bool is_buffered(const Settings& settings);

// Each write reaches the drive before the next one is made, as whole pages: of a buffered job that only writes, with
// fdatasync=1, fsync=1 or sync.
bool reaches_drive_as_pages(const Settings& settings);

// Refuses block sizes that are not whole sectors, unless the drive sees pages. REQUIRES: called before settle_block_sizes().
void check_block_sectors(const Settings& settings, const Section& section);

void note_page_cache(const Settings& settings, SectionNotes& notes);

}  // namespace ftlab
