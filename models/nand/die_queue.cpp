#include "models/nand/die_queue.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sim/archive.h"
#include "sim/check.h"

namespace ftlab {

Nanoseconds DieQueue::end() const {
  Nanoseconds last = forgotten_until_;
  for (const Piece& piece : pieces_) last = std::max(last, piece.end);
  return backlog_.empty() ? last : std::max(last, backlog_.ends());
}

bool DieQueue::pieces_are_sound() const {
  Nanoseconds before{0};
  for (const Piece& piece : pieces_) {
    if (piece.planes == 0 || piece.planes > kAllPlanes || piece.kind > Kind::erase) return false;
    if (piece.start < before || piece.end < piece.start) return false;
    if (std::max(piece.end, piece.work) > Archive::kLatest) return false;
    before = piece.start;
  }
  return true;
}

// From where on some may end after `now`: what takes all planes begins when all before it is over.
std::size_t DieQueue::first_open(Nanoseconds now) const {
  std::size_t at = pieces_.size();
  while (at > 0 && (pieces_[at - 1].planes != kAllPlanes || pieces_[at - 1].end > now)) --at;
  return at;
}

// A program or erase that has begun by the time, or will have.
bool DieQueue::goes_before_read(const Piece& piece, Nanoseconds ready, const Rules& rules) {
  return !(rules.read_first && piece.passable()) && piece.ready <= ready;
}

// Programs of one frontier go in order, even if a later one is ready first.
Nanoseconds DieQueue::order_of(Nanoseconds ready, std::uint32_t frontier) const {
  return frontier < last_ready_.size() ? std::max(ready, last_ready_[frontier]) : ready;
}

// From when on no piece takes the die for so long.
Nanoseconds DieQueue::first_gap(Nanoseconds ready, Nanoseconds length) const {
  Nanoseconds now = std::max(ready, forgotten_until_);
  for (std::size_t i = first_open(now); i < pieces_.size(); ++i) {
    const Piece& piece = pieces_[i];
    if (piece.start >= now + length) break;
    now = std::max(now, piece.end);
  }
  return now;
}

Nanoseconds DieQueue::earliest(Nanoseconds ready, Nanoseconds length, std::uint32_t frontier) const {
  const Nanoseconds order = order_of(ready, frontier);
  return backlog_.would_be_first(order) ? first_gap(order, length) : backlog_.would_begin(order);
}

void DieQueue::program(Nanoseconds ready, Nanoseconds start, Nanoseconds length, Nanoseconds work, std::uint32_t frontier,
                       const Rules& rules) {
  // Its data may be ready only in some time, so that nothing that is over then is over yet: only reads tell what time it is.
  if (backlog_.size() + pieces_.size() > kMany) {
    forget(ready);
    begin_until(ready, rules);
  }
  if (frontier >= last_ready_.size()) last_ready_.resize(frontier + 1);
  Nanoseconds& order = last_ready_[frontier];
  order = std::max(ready, order);
  wait({order, start, length, work, Nanoseconds{0}, rules.suspension.program ? rules.suspension.most_suspends : 0});
}

Nanoseconds DieQueue::erase(Nanoseconds ready, Nanoseconds length, const Rules& rules) {
  const Nanoseconds start = earliest(ready, length, kNoFrontier);
  wait({ready, ready, length, length, Nanoseconds{0}, rules.suspension.erase ? rules.suspension.most_suspends : 0, 1});
  return start;
}

void DieQueue::wait(const Backlog::Work& work) {
  busy_ += work.length;
  if (!backlog_.would_be_first(work.ready)) return backlog_.add(work);
  backlog_.add_first(work, first_gap(std::max(work.ready, work.from), work.length));
}

// Whatever waits and begins before that moment, or then and was ready before. In the order of asking: whatever was ready.
void DieQueue::begin_until(Nanoseconds now, const Rules& rules) {
  while (!backlog_.empty()) {
    const Backlog::Work work = backlog_.front();
    const Nanoseconds start = backlog_.begins();
    const bool begins = start < now || ((start == now || !rules.read_first) && work.ready < now);
    if (!begins) return;
    backlog_.begin_first();
    busy_ -= work.length;  // insert() counts it
    insert({work.ready, start, start + work.length, work.suspendable, kAllPlanes,
            work.erases != 0 ? Kind::erase : Kind::program, work.suspends, work.resumed});
    move_back_waiting();
  }
}

void DieQueue::move_back_waiting() {
  if (!backlog_.empty()) backlog_.delay_until(first_gap(backlog_.begins(), backlog_.front().length));
}

Nanoseconds DieQueue::read(Nanoseconds ready, Nanoseconds length, std::uint32_t planes, const Rules& rules) {
  FTLAB_CHECK(planes != 0, "a read of no plane");
  forget(ready);
  note_read(ready, length);
  begin_until(ready, rules);
  Nanoseconds now = std::max(ready, forgotten_until_);
  for (std::size_t i = first_open(now); i < pieces_.size(); ++i) {
    const Piece& piece = pieces_[i];
    if (piece.end <= now || (piece.planes & planes) == 0) continue;
    // At the moment at which it becomes ready itself, those that were ready before have begun.
    const bool begun = piece.start < now || (piece.start == ready && piece.ready < ready);
    if (!begun && !goes_before_read(piece, ready, rules)) break;
    if (begun && piece.passable()) {
      const Nanoseconds from = suspend_from(piece, now);
      if (may_suspend(piece, from, rules.suspension)) {
        suspend(i, ready, from, length, planes, rules.suspension);
        return from + rules.suspension.suspend;
      }
    }
    now = piece.end;
  }
  push_back_after(insert({ready, now, now + length, Nanoseconds{0}, planes, Kind::read, 0, 0}));
  move_back_waiting();
  return now;
}

// Data that are being taken in are taken in to the end; what goes on after a suspension can be stopped at once.
Nanoseconds DieQueue::suspend_from(const Piece& piece, Nanoseconds now) const {
  return piece.resumed != 0 ? now : std::max(now, piece.end - piece.work);
}

bool DieQueue::may_suspend(const Piece& piece, Nanoseconds from, const Suspension& rules) const {
  return piece.suspends > 0 && from + rules.suspend < piece.end;
}

// The rest of the work waits, before all others.
void DieQueue::suspend(std::size_t index, Nanoseconds ready, Nanoseconds from, Nanoseconds read_length, std::uint32_t planes,
                       const Suspension& rules) {
  Piece& first = pieces_[index];
  const Nanoseconds work = first.end - std::max(from, first.end - first.work);
  const Backlog::Work rest{
      first.ready, from, rules.resume + work, work, Nanoseconds{0}, first.suspends - 1, first.kind == Kind::erase, 1};
  busy_ -= first.end - first.start;
  first.kind = Kind::stopped;
  first.end = from + rules.suspend;
  busy_ += first.end - first.start + rest.length;
  const Nanoseconds start = first.end;
  ++suspensions_;
  window_reads_ += rules.suspend + rules.resume;
  push_back_after(insert({ready, start, start + read_length, Nanoseconds{0}, planes, Kind::read, 0, 0}));
  backlog_.add_first(rest, first_gap(start + read_length, rest.length));
}

// Behind those that start at the same moment; a read before what it passes.
std::size_t DieQueue::insert(const Piece& piece) {
  busy_ += piece.end - piece.start;
  const auto behind = [&piece](const Piece& other) {
    if (other.start != piece.start) return other.start > piece.start;
    return piece.kind == Kind::read && other.passable() ? true : other.passable() && other.ready > piece.ready;
  };
  std::size_t at = pieces_.size();
  while (at > 0 && behind(pieces_[at - 1])) --at;
  pieces_.insert(pieces_.begin() + static_cast<std::ptrdiff_t>(at), piece);
  return at;
}

// What overlaps the piece, or what is moved, goes behind it, in order. Programs, erases and most reads take all planes.
void DieQueue::push_back_after(std::size_t index) {
  Nanoseconds all_until{0}, any_until{0};
  std::array<Nanoseconds, kMostPlanes> until{};  // beyond all_until, by plane
  const auto take = [&](const Piece& piece) {
    any_until = std::max(any_until, piece.end);
    if (piece.planes == kAllPlanes) all_until = piece.end;
    for (std::uint32_t p = 0, bits = piece.planes; piece.planes != kAllPlanes && bits != 0; ++p, bits >>= 1) {
      if ((bits & 1) != 0) until[p] = std::max(until[p], piece.end);
    }
  };
  const auto earliest_of = [&](const Piece& piece) {
    if (piece.planes == kAllPlanes) return std::max(piece.start, any_until);
    Nanoseconds start = std::max(piece.start, all_until);
    for (std::uint32_t p = 0, bits = piece.planes; bits != 0; ++p, bits >>= 1) {
      if ((bits & 1) != 0) start = std::max(start, until[p]);
    }
    return start;
  };
  take(pieces_[index]);
  for (std::size_t i = index + 1; i < pieces_.size(); ++i) {
    const Nanoseconds start = earliest_of(pieces_[i]);
    const bool whole = pieces_[i].planes == kAllPlanes;
    if (start == pieces_[i].start && whole) return;  // and so is all that follows
    pieces_[i].end += start - pieces_[i].start;
    pieces_[i].start = start;
    take(pieces_[i]);
    for (std::size_t j = i; !whole && j > index + 1 && pieces_[j].start < pieces_[j - 1].start; --j) {
      std::swap(pieces_[j], pieces_[j - 1]);
    }
  }
}

void DieQueue::lengthen(Nanoseconds start, Nanoseconds by) {
  const auto later = [](Nanoseconds moment, const Piece& piece) { return moment < piece.start; };
  const auto behind = std::upper_bound(pieces_.begin(), pieces_.end(), start, later);
  for (auto i = static_cast<std::size_t>(behind - pieces_.begin()); i-- > 0 && pieces_[i].start == start;) {
    if (pieces_[i].kind == Kind::stopped) continue;
    busy_ += by;
    pieces_[i].end += by;
    push_back_after(i);
    return move_back_waiting();
  }
}

void DieQueue::note_read(Nanoseconds ready, Nanoseconds cost) {
  const std::uint64_t window = ready / kWindow;
  if (window > window_) {
    last_window_reads_ = window == window_ + 1 ? window_reads_ : Nanoseconds{0};
    window_reads_ = Nanoseconds{0};
    window_ = window;
  }
  window_reads_ += cost;
}

Nanoseconds DieQueue::expected(Nanoseconds ready, Nanoseconds planned, const Rules& rules) const {
  const std::uint64_t window = ready / kWindow;
  if (!rules.read_first || window > window_ + 1) return planned;
  const Nanoseconds taken = window_reads_ + (window == window_ ? last_window_reads_ : Nanoseconds{0});
  const Nanoseconds since = kWindow + ready % kWindow;
  const std::uint64_t permille = std::min<std::uint64_t>(taken * 1000 / since, kMostReadsPermille);
  return ready + (planned - ready) * 1000 / (1000 - permille);
}

// When half of them are over, so that what is left is not moved again and again.
void DieQueue::forget(Nanoseconds now) {
  const std::size_t half = pieces_.size() / 2;
  if (half <= kRemembered || (pieces_[half].end > now && pieces_.size() < kMostPieces)) return;
  const std::size_t count = half - kRemembered;
  for (std::size_t i = 0; i < count; ++i) forgotten_until_ = std::max(forgotten_until_, pieces_[i].end);
  pieces_.erase(pieces_.begin(), pieces_.begin() + static_cast<std::ptrdiff_t>(count));
}

}  // namespace ftlab
