// Jobs that are not direct go through the host's page cache, which is not modelled. Two cases are exact without it: engines
// that bypass it, and writes that are synced one by one, which reach the drive as the pages that contain them.
#pragma once

#include "sim/workload/options/section_notes.h"

namespace ftlab {

// True if its requests would go through the page cache on a real drive.
bool is_buffered(const Settings& settings);

// True if each write reaches the drive as whole pages before the next is issued: a buffered job that only writes, with
// fdatasync=1, fsync=1 or sync.
bool reaches_drive_as_pages(const Settings& settings);

// Refuses block sizes that are not whole sectors, unless the drive sees pages. REQUIRES: called before settle_block_sizes().
void check_block_sectors(const Settings& settings, const Section& section);

void note_page_cache(const Settings& settings, SectionNotes& notes);

}  // namespace ftlab
