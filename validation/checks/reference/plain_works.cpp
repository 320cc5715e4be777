#include "validation/checks/reference/plain_works.h"

namespace ftlab {

std::size_t PlainWorks::add(const WorkRecord& record) {
  works_.push_back({});
  works_.back().record = record;
  return works_.size() - 1;
}

std::size_t PlainWorks::program_of(std::uint32_t frontier, std::uint32_t number) {
  const auto key = std::pair(frontier, number);
  const auto found = programs_.find(key);
  if (found != programs_.end()) return found->second;
  const std::size_t work = add({});
  works_[work].number = number;
  return programs_[key] = work;
}

std::size_t PlainWorks::newest_open_program(const WorkRecord& read) const {
  for (auto w = order_.rbegin(); w != order_.rend(); ++w) {
    const PlainWork& work = works_[*w];
    if (work.record.kind == WorkRecord::Kind::erase && work.record.superblock == read.superblock) return kNone;
    const bool open = work.asked && work.record.kind == WorkRecord::Kind::program && !work.ended;
    if (open && work.record.die == read.die && work.record.superblock == read.superblock &&
        work.record.nand_page == read.nand_page)
      return *w;
  }
  return kNone;
}

std::vector<std::size_t> PlainWorks::open_programs() const {
  std::vector<std::size_t> open;
  for (std::size_t w = 0; w < works_.size(); ++w) {
    const PlainWork& work = works_[w];
    if (work.asked && work.record.kind == WorkRecord::Kind::program && !work.ended) open.push_back(w);
  }
  return open;
}

std::vector<std::pair<Nanoseconds, Nanoseconds>> PlainWorks::times() const {
  std::vector<std::pair<Nanoseconds, Nanoseconds>> all;
  for (const std::size_t work : order_) all.emplace_back(works_[work].start, works_[work].done);
  return all;
}

}  // namespace ftlab
