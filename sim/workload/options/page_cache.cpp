// Jobs that are not direct go through the host's page cache, which is not modelled. Two cases are exact without it: engines
// that bypass it, and writes that are synced one by one, which reach the drive as the pages that contain them.
#include <algorithm>

#include "sim/workload/options/resolve.h"

namespace ftlab {
namespace {

bool syncs_each_write(const Flow& flow) { return flow.flush_every == 1 || flow.data_flush_every == 1 || flow.forced_writes; }

void check_size(const Draft& s, const char* option, std::uint64_t bytes) {
  check_whole_sectors(s.line_of(option), bytes, s.kilo,
                      "a multiple of 512; or any size for writes without direct=1 and with fdatasync=1, which reach the "
                      "drive as pages of 4 KiB");
}

bool fills_pages(const Draft& s) {
  const BlockSizes& sizes = s.sizes[static_cast<std::size_t>(Direction::write)];
  const auto whole = [](std::uint64_t bytes) { return bytes % kCachePageBytes == 0; };
  return whole(sizes.least) && whole(sizes.most) &&
         std::all_of(sizes.shares.begin(), sizes.shares.end(), [&](const SizeShare& share) { return whole(share.bytes); });
}

// In an explicitly buffered job an option is ignored, which is a problem; otherwise only fio's default is ignored.
void note_run_as_direct(const Draft& s, Notes& notes) {
  const char* written = s.is_set("direct") ? "direct" : s.is_set("buffered") ? "buffered" : nullptr;
  if (written == nullptr)
    return s.note(notes, "direct",
                  "direct=1 is not written: fio on a real drive would go through the page cache, here requests are direct");
  s.note(notes, written,
         "fio on a real drive would go through the page cache, which is not modelled: the job is run with direct=1",
         ProblemCode::option_ignored,
         "direct=1; or fdatasync=1 for writes, which the page cache then passes on individually");
}

}  // namespace

bool is_buffered(const Draft& s) { return !s.direct && !s.engine.bypasses_page_cache; }

bool reaches_drive_as_pages(const Draft& s) {
  const bool only_writes = s.pattern.writes && !s.pattern.reads && !s.pattern.trims;
  return is_buffered(s) && only_writes && syncs_each_write(s.flow) && s.logs.empty();
}

void check_block_sectors(const Draft& s) {
  if (reaches_drive_as_pages(s)) return;
  for (std::size_t d = 0; d < kDirectionCount; ++d) {
    const BlockSizes& sizes = s.sizes[d];
    check_size(s, "bs", s.block_bytes[d]);
    for (const SizeShare& share : sizes.shares) check_size(s, "bssplit", share.bytes);
    if (!sizes.shares.empty()) continue;
    for (const std::uint64_t bytes : {sizes.least, sizes.most}) check_size(s, "bsrange", bytes);
  }
}

void note_page_cache(const Draft& s, Notes& notes) {
  if (!is_buffered(s)) return;
  if (!reaches_drive_as_pages(s)) return note_run_as_direct(s, notes);
  if (fills_pages(s)) return;
  s.note(notes, size_option(s),
         "each write is synced: the drive sees the pages of 4 KiB that hold its bytes, so the page in which one write ends "
         "and the next begins is written twice. Bytes and bandwidth are those of the pages; the journal of a file system "
         "is not modelled");
}

}  // namespace ftlab
