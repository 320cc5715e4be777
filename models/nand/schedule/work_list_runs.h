// The parts of WorkList that go straight to the engine: host reads and runs of programs. Included by work_list.h.
#pragma once

#include "models/nand/schedule/work_list.h"
#include "sim/core/check.h"

namespace ftlab {

template <class Page>
[[gnu::always_inline]] inline void WorkList::read_for_host(SuperblockId block, Die die, std::uint32_t bytes,
                                                           std::uint32_t tag, Page&& page) {
  count_.read(1, count_.of_read(bytes));
  if (!listed_) return;
  if (!goes_straight()) return list_read(die, bytes, page(), false).for_host(tag);
  WorkRecord record;
  record.superblock = number(block);
  record.flags = WorkRecord::kHost;
  engine_->read_run(record, 1, [&](WorkRecord& one, bool with_planes) {
    one.die = static_cast<std::uint16_t>(number(die));
    one.bytes = bytes;
    one.target = tag;
    if (!with_planes) return;
    const FlashPage at = page();
    one.first_plane = static_cast<std::uint8_t>(at.first_plane);
    one.planes = static_cast<std::uint8_t>(at.planes);
    one.nand_page = at.nand_page;
    if (at.slc) one.flags |= WorkRecord::kSlc;
  });
}

template <class Place>
void WorkList::program_run(const Program& program, std::uint32_t planes, std::uint32_t count, Place&& place) {
  FTLAB_DCHECK(program.frontier < programs_.size(), "programs of no frontier");
  FTLAB_DCHECK(planes > 0 && count > 0, "programs of no plane, or none at all");
  WorkRecord record;
  record.kind = WorkRecord::Kind::program;
  record.frontier = program.frontier;
  record.flags = static_cast<std::uint8_t>(program.flags | (program.slc ? WorkRecord::kSlc : 0));
  record.die = static_cast<std::uint16_t>(number(program.die));
  record.planes = static_cast<std::uint8_t>(planes);
  record.nand_page = program.nand_page;
  record.superblock = number(program.block);
  record.host_pages = program.host_pages;
  record.moved_pages = program.moved_pages;
  count_.program(count, std::uint64_t{count} * planes, record.has(WorkRecord::kInRegister));
  const auto place_and_count = [&](WorkRecord& one, std::uint32_t i) {
    place(one, i);
    count_.kind(one.nand_page, program.slc, planes);
  };
  if (listed_) programs_[program.frontier] += count;
  if (goes_straight()) return engine_->program_run(record, count, place_and_count);
  for (std::uint32_t i = 0; i < count; ++i) {
    place_and_count(record, i);
    if (listed_) records_.push_back(record);
  }
}

}  // namespace ftlab
