#include "ftl/drive.h"

#include <algorithm>
#include <utility>

#include "sim/archive.h"

namespace ftlab {
namespace {

Layout layout_of(const DriveConfig& config) {
  return Layout(config.geometry, config.ftl.superblock, config.ftl.mapping_bytes);
}

void charge(Completion& done, LatencyPart part, Nanoseconds from, Nanoseconds to) {
  if (to > from) done.parts[static_cast<std::size_t>(part)] += to - from;
}

}  // namespace

// The next logical page that a request touches, and which of its bytes; walks from first to last.
struct Drive::PageWalk {
  std::uint64_t offset, end;
  std::uint32_t page_bytes;

  PageWalk(const Request& request, std::uint32_t bytes)
      : offset(request.offset_bytes), end(request.offset_bytes + request.length_bytes), page_bytes(bytes) {}
  bool more() const { return offset < end; }
  Lpn lpn() const { return Lpn{static_cast<std::uint32_t>(offset / page_bytes)}; }
  std::uint32_t first_byte() const { return static_cast<std::uint32_t>(offset % page_bytes); }
  std::uint32_t bytes() const {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(page_bytes - first_byte(), end - offset));
  }
  void step() { offset += bytes(); }
};

// Neighbouring pages in one stripe of the flash, or one page that is not in the flash.
struct Drive::Piece {
  Ftl::Found::Where where;
  BlockId block;
  std::uint32_t stripe;
  std::uint64_t bytes;
  std::uint32_t position = 0;  // of the first page
  std::uint32_t pages = 1;
  bool lost = false;  // it is in RAM, but was made of a lost copy
};

Drive::Drive(const DriveConfig& config, Clock clock, std::uint64_t seed)
    : config_(config),
      seed_(seed),
      timed_(clock == Clock::timed),
      medium_(layout_of(config)),
      health_(config.endurance.ends()
                  ? std::make_unique<FlashHealth>(config.endurance, config.geometry, config.ftl.superblock)
                  : nullptr),
      errors_(config.cells.err() ? std::make_unique<MediaErrors>(config.cells, config.geometry, config.nand, medium_)
                                 : nullptr),
      backend_(config.geometry, config.nand, static_cast<std::uint32_t>(config.ftl.frontiers().size()), timed_),
      link_(config.link, timed_),
      ftl_(
          std::make_unique<Ftl>(config.ftl, config.logical_pages(), medium_, backend_, seed, health_.get(), errors_.get())) {
  FTLAB_CHECK((health_ != nullptr) == (config.ftl.failure_reserve > 0),
              "a layer whose reserve does not fit the flash it is for");
}

DeviceInfo Drive::info() const { return {config_.name, config_.user_bytes, timed_}; }

void Drive::set_clock(Clock clock) {
  FTLAB_CHECK(outstanding_.empty() && at_once_.empty(), "clock changed with requests outstanding");
  timed_ = clock == Clock::timed;
  backend_.set_timed(timed_);
  link_.set_timed(timed_);
}

Nanoseconds Drive::idle_from() const {
  return std::max({last_completion_, not_before_, firmware_.end(), link_.idle_from(), backend_.idle_from()});
}

void Drive::power_cycle() {
  FTLAB_CHECK(outstanding_.empty() && at_once_.empty(), "power cut with requests outstanding");
  if (config_.ftl.buffer.power_loss_protected) ftl_->flush(last_completion_);
  past_ = layer_counters();
  count_lost_pages();
  ftl_.reset();
  ftl_ = std::make_unique<Ftl>(config_.ftl, config_.logical_pages(), medium_, backend_, seed_, health_.get(), errors_.get());
}

// Pages that waited in RAM for the rest of their stripe are counted by the layer, but never reached the flash.
void Drive::count_lost_pages() {
  for (const Frontier& frontier : ftl_->store().frontiers()) {
    past_.media_lost_bytes += std::uint64_t{frontier.staged_count()} * config_.ftl.mapping_bytes;
  }
}

template <class A>
void Drive::archive(A& archive) {
  archive.section("drive");
  medium_.archive(archive);
  if (health_) health_->archive(archive);
  if (errors_) errors_->archive(archive);
  backend_.archive(archive);
  link_.archive(archive);
  firmware_.archive(archive);
  ftl_->archive(archive);
  archive.value(host_);
  archive.value(past_);
  archive.value(last_completion_);
  archive.value(not_before_);
}

std::string Drive::save() {
  FTLAB_CHECK(outstanding_.empty() && at_once_.empty(), "saved with requests outstanding");
  constexpr std::uint64_t kBytesPerPage = 13;  // of map, medium and valid bits
  Archive archive_out = Archive::saving(medium_.layout().page_count() * kBytesPerPage);
  archive(archive_out);
  return archive_out.finish();
}

void Drive::save(const std::function<void(std::string_view)>& sink) {
  FTLAB_CHECK(outstanding_.empty() && at_once_.empty(), "saved with requests outstanding");
  Archive measure = Archive::measuring();
  archive(measure);
  Archive out = Archive::streaming(measure.payload_bytes(), sink);
  archive(out);
  out.finish();
}

void Drive::load(std::string_view state) {
  FTLAB_CHECK(outstanding_.empty() && at_once_.empty(), "loaded with requests outstanding");
  Archive archive_in = Archive::viewing(state);
  archive(archive_in);
  archive_in.end();
  const std::vector<std::string> problems = inspect(*ftl_);
  if (!problems.empty()) throw ArchiveError("the saved state contradicts itself: " + problems.front());
}

void Drive::expect(const Request& request) {
  const Lpn lpn{static_cast<std::uint32_t>(request.offset_bytes / config_.ftl.mapping_bytes)};
  if (number(lpn) >= config_.logical_pages()) return;
  ftl_->prefetch_map(lpn);
  Lpn& earlier = expected_[expected_count_++ % kExpected];
  ftl_->prefetch_blocks(earlier);
  earlier = lpn;
}

void Drive::submit(std::span<const Request> batch) {
  for (const Request& request : batch) {
    const std::uint32_t place = take_completion();
    carry_out(request, completions_[place]);
    if (contents_ != nullptr) [[unlikely]] tell_contents();
    if (timed_) {
      outstanding_.push(completions_[place].completed, EventClass::completion, place);
    } else {
      at_once_.push_back(place);
    }
  }
}

std::uint32_t Drive::take_completion() {
  if (free_completions_.empty()) {
    free_completions_.push_back(static_cast<std::uint32_t>(completions_.size()));
    completions_.emplace_back();
  }
  const std::uint32_t place = free_completions_.back();
  free_completions_.pop_back();
  return place;
}

std::size_t Drive::wait(Nanoseconds until, std::span<Completion> out) {
  if (!timed_) return take_at_once(out);
  if (outstanding_.empty() || outstanding_.top().time > until) return 0;
  const Nanoseconds instant = outstanding_.top().time;
  std::size_t count = 0;
  while (count < out.size() && !outstanding_.empty() && outstanding_.top().time == instant) {
    const std::uint32_t place = outstanding_.pop().payload;
    free_completions_.push_back(place);
    out[count++] = completions_[place];
  }
  return count;
}

std::size_t Drive::take_at_once(std::span<Completion> out) {
  std::size_t count = 0;
  while (count < out.size() && at_once_taken_ < at_once_.size()) {
    const std::uint32_t place = at_once_[at_once_taken_++];
    free_completions_.push_back(place);
    out[count++] = completions_[place];
  }
  if (at_once_taken_ == at_once_.size()) {
    at_once_.clear();
    at_once_taken_ = 0;
  }
  return count;
}

void Drive::carry_out(const Request& request, Completion& done) {
  done = {request.tag, request.issued, Status::ok, {}};
  const std::uint64_t end = request.offset_bytes + request.length_bytes;
  const bool sectors = request.offset_bytes % kSectorBytes == 0 && request.length_bytes % kSectorBytes == 0;
  if (!sectors || end > config_.user_bytes || end < request.offset_bytes) {
    done.status = Status::invalid;
    return;
  }
  if (timed_ && config_.ftl.gc.idle_after > Nanoseconds{0}) notice_idle_time(request.issued);
  if (config_.ftl.refresh.on()) ftl_->look_after_cells(last_completion_, request.issued);
  Nanoseconds now = std::max(request.issued, not_before_);
  charge(done, LatencyPart::controller_wait, request.issued, now);
  if (timed_) {
    const Nanoseconds length =
        request.op == Op::read ? config_.controller.read_command : config_.controller.write_command;
    const Nanoseconds start = firmware_.reserve(now, length);
    charge(done, LatencyPart::controller_wait, now, start);
    charge(done, LatencyPart::controller, start, start + length);
    now = start + length;
  }
  switch (request.op) {
    case Op::read: read(request, now, done); break;
    case Op::write: write(request, now, done); break;
    case Op::trim: trim(request, now, done); break;
    case Op::flush: flush(now, done); break;
  }
  if (request.fua && done.status == Status::ok) force_to_flash(done);
  last_completion_ = std::max(last_completion_, done.completed);
}

// What is in RAM is as good as in the flash; not at the end of life, when there may be no place for it.
bool Drive::outlives_power() const { return config_.ftl.buffer.power_loss_protected && !ftl_->read_only(); }

// A write with forced unit access is complete when its data are in the flash; all that waits in RAM goes with it.
void Drive::force_to_flash(Completion& done) {
  if (outlives_power()) return;
  const Nanoseconds programmed = ftl_->flush(done.completed);
  if (ftl_->read_only() && !ftl_->all_in_flash()) done.status = Status::read_only;
  charge(done, LatencyPart::die, done.completed, programmed);
  done.completed = std::max(done.completed, programmed);
}

void Drive::notice_idle_time(Nanoseconds now) {
  const Nanoseconds begin = last_completion_ + config_.ftl.gc.idle_after;
  if (begin < now) ftl_->use_idle_time(begin, now);
}

Drive::Piece Drive::next_piece(PageWalk& walk, std::uint64_t tag) {
  const Layout& layout = medium_.layout();
  Ftl::Found found = ftl_->find(walk.lpn());
  Piece piece{found.where, kNoBlock, 0, 0};
  if (found.where == Ftl::Found::Where::flash) {
    piece.block = layout.block_of(found.ppn);
    piece.position = layout.position(found.ppn);
    piece.stripe = layout.stripe_of(piece.position);
  } else if (errors_ && found.where == Ftl::Found::Where::ram) {
    piece.lost = ftl_->lost(walk.lpn());
  }
  host_.unmapped_read_pages += found.where == Ftl::Found::Where::unmapped;
  for (;;) {
    if (seen_reads_) seen_reads_->push_back({tag, walk.lpn(), ftl_->version(walk.lpn())});
    piece.bytes += walk.bytes();
    walk.step();
    if (!walk.more() || piece.where != Ftl::Found::Where::flash) return piece;
    const Ppn next{number(found.ppn) + 1};
    found = ftl_->find(walk.lpn());
    const bool same_stripe = found.where == Ftl::Found::Where::flash && found.ppn == next &&
                             layout.block_of(next) == piece.block &&
                             layout.stripe_of(layout.position(next)) == piece.stripe;
    if (!same_stripe) return piece;
    ++piece.pages;
  }
}

// Data go to the host in order: a piece waits for its own read, then for the link. `from` is when the last piece was
// delivered; only what lies after it delayed the request.
Nanoseconds Drive::deliver(const PageStore::FlashRead& read, Nanoseconds from, std::uint64_t bytes, Nanoseconds command,
                           Completion& done) {
  const Backend::ReadTimes& times = read.times;
  const auto clip = [from](Nanoseconds t) { return std::max(t, from); };
  charge(done, LatencyPart::die_wait, from, clip(times.array_start));
  const Nanoseconds first_read = times.array_end - read.retries;
  charge(done, LatencyPart::die, clip(times.array_start), clip(first_read));
  charge(done, LatencyPart::retry, clip(first_read), clip(times.array_end));
  charge(done, LatencyPart::die_wait, clip(times.array_end), clip(times.bus_start));
  charge(done, LatencyPart::channel, clip(times.bus_start), clip(times.done));
  charge(done, LatencyPart::retry, clip(times.done), clip(read.done));
  const Nanoseconds ready = clip(read.done);
  const Link::Times moved = link_.move(ready, command, bytes);
  charge(done, LatencyPart::link_wait, ready, moved.start);
  charge(done, LatencyPart::link, moved.start, moved.done);
  return moved.done;
}

// The translation pages of all that is read, at once.
Nanoseconds Drive::look_up(const Request& request, Nanoseconds now, Completion& done) {
  Nanoseconds known = now;
  for (PageWalk walk(request, config_.ftl.mapping_bytes); walk.more(); walk.step()) {
    known = std::max(known, ftl_->look_up(walk.lpn(), now));
  }
  charge(done, LatencyPart::mapping, now, known);
  return known;
}

// What of the piece lies in this stripe.
PageStore::FlashRead Drive::read_flash(const Piece& piece, std::uint32_t stripe, std::uint32_t bytes, Nanoseconds now) {
  if (errors_) {
    positions_.clear();
    for (std::uint32_t p = 0; p < piece.pages; ++p) positions_.push_back(piece.position + p);
    return ftl_->read_erring(piece.block, stripe, positions_, bytes, now);
  }
  const Backend::ReadTimes times = backend_.read(now, medium_.layout().die_of(piece.block, stripe), bytes);
  return {times, Nanoseconds{0}, times.done, false};
}

void Drive::read(const Request& request, Nanoseconds now, Completion& done) {
  host_.host_read_bytes += request.length_bytes;
  const Layout& layout = medium_.layout();
  const std::uint64_t stripe_bytes =
      std::uint64_t{config_.ftl.mapping_bytes} / layout.stripes_per_page() * layout.pages_per_stripe();
  Nanoseconds command = link_.config().read_command;
  if (ftl_->demand() != nullptr) now = look_up(request, now, done);
  Nanoseconds delivered = now;
  for (PageWalk walk(request, config_.ftl.mapping_bytes); walk.more();) {
    const Piece piece = next_piece(walk, request.tag);
    // A mapping page larger than a stripe comes from several dies.
    std::uint64_t left = piece.bytes;
    for (std::uint32_t stripe = piece.stripe; left > 0; ++stripe) {
      PageStore::FlashRead read{{now, now, now, now}, Nanoseconds{0}, now, piece.lost};
      const std::uint64_t bytes = std::min(left, stripe_bytes);
      if (piece.where == Ftl::Found::Where::flash) read = read_flash(piece, stripe, static_cast<std::uint32_t>(bytes), now);
      if (read.lost) done.status = Status::media_error;
      delivered = deliver(read, delivered, bytes, command, done);
      command = Nanoseconds{0};
      left -= bytes;
    }
  }
  done.completed = delivered;
}

void Drive::write(const Request& request, Nanoseconds now, Completion& done) {
  Nanoseconds command = link_.config().write_command;
  for (PageWalk walk(request, config_.ftl.mapping_bytes); walk.more(); walk.step()) {
    const Nanoseconds room = ftl_->room_at(now);
    const Link::Times moved = link_.move(room, command, walk.bytes());
    charge(done, LatencyPart::buffer_wait, now, room);
    charge(done, LatencyPart::link_wait, room, moved.start);
    charge(done, LatencyPart::link, moved.start, moved.done);
    now = moved.done;
    command = Nanoseconds{0};
    const std::uint32_t first = walk.first_byte();
    if (ftl_->write(walk.lpn(), first, first + walk.bytes(), room, moved.done, {request.stream})) {
      host_.host_write_bytes += walk.bytes();
    } else {
      done.status = Status::read_only;
      tell_refusal(request, walk.offset);
      break;
    }
  }
  done.completed = now;
}

// Whole pieces of the trim's granularity inside the range are unmapped; parts at its edges keep their content. A trim that
// is not queued waits for all that is under way, and holds back what comes later.
void Drive::trim(const Request& request, Nanoseconds now, Completion& done) {
  if (ftl_->read_only()) {
    done.status = Status::read_only;
    done.completed = now;
    tell_refusal(request, request.offset_bytes);
    return;
  }
  host_.host_trim_bytes += request.length_bytes;
  const TrimConfig& config = config_.ftl.trim;
  if (!config.queued && last_completion_ > now) {
    charge(done, LatencyPart::controller_wait, now, last_completion_);
    now = last_completion_;
  }
  const std::uint64_t page = config_.ftl.mapping_bytes;
  const std::uint64_t piece = std::max<std::uint64_t>(config.granularity_bytes, page);
  const std::uint64_t first = (request.offset_bytes + piece - 1) / piece * (piece / page);
  const std::uint64_t end = (request.offset_bytes + request.length_bytes) / piece * (piece / page);
  const auto pages = static_cast<std::uint32_t>(end > first ? end - first : 0);
  const Nanoseconds known = ftl_->trim(Lpn{static_cast<std::uint32_t>(first)}, pages, now);
  charge(done, LatencyPart::mapping, now, known);
  now = known;
  if (timed_ && pages > 0) {
    const Nanoseconds length = config_.controller.trim_page * pages;
    const Nanoseconds start = firmware_.reserve(now, length);
    charge(done, LatencyPart::controller_wait, now, start);
    charge(done, LatencyPart::controller, start, start + length);
    now = start + length;
  }
  const Link::Times moved = link_.move(now, link_.config().write_command, 0);
  charge(done, LatencyPart::link_wait, now, moved.start);
  charge(done, LatencyPart::link, moved.start, moved.done);
  done.completed = moved.done;
  if (!config.queued) not_before_ = done.completed;
}

void Drive::flush(Nanoseconds now, Completion& done) {
  const bool safe = outlives_power();
  const Nanoseconds programmed = safe ? now : ftl_->flush(now);
  charge(done, LatencyPart::die, now, programmed);
  if (!safe && ftl_->read_only() && !ftl_->all_in_flash()) done.status = Status::read_only;
  const Link::Times moved = link_.move(programmed, link_.config().write_command, 0);
  charge(done, LatencyPart::link_wait, programmed, moved.start);
  charge(done, LatencyPart::link, moved.start, moved.done);
  done.completed = moved.done;
}

VersionRules Drive::version_rules() const {
  using Trimmed = VersionRules::Trimmed;
  const TrimConfig& trim = config_.ftl.trim;
  const bool late = trim.mode == TrimConfig::Mode::deferred && trim.reads_old_data;
  const std::uint64_t page = config_.ftl.mapping_bytes;
  return {page, std::max<std::uint64_t>(trim.granularity_bytes, page),
          trim.mode == TrimConfig::Mode::off ? Trimmed::old_data : late ? Trimmed::either : Trimmed::nothing,
          number(ftl_->newest_version())};
}

std::optional<VersionRules> Drive::report_contents(ContentLog* log) {
  contents_ = log;
  seen_reads_ = log != nullptr ? &untold_reads_ : nullptr;
  told_version_ = ftl_->newest_version();
  return version_rules();
}

void Drive::tell_contents() {
  for (const SeenRead& seen : untold_reads_)
    contents_->returned.push_back({seen.tag, number(seen.lpn), number(seen.version)});
  untold_reads_.clear();
  contents_->renumbered = contents_->renumbered || number(ftl_->newest_version()) < number(told_version_);
  told_version_ = ftl_->newest_version();
}

void Drive::tell_refusal(const Request& request, std::uint64_t from_bytes) {
  if (contents_ != nullptr) contents_->refused.push_back({from_bytes, request.offset_bytes + request.length_bytes});
}

Counters Drive::layer_counters() const {
  Counters all = past_;
  const Ftl& ftl = *ftl_;
  const std::uint64_t page = config_.ftl.mapping_bytes;
  const auto relocated = [&ftl](RelocationCause cause) { return ftl.relocated_pages(cause); };
  all.media_host_bytes += ftl.host_pages() * page - ftl.filled_bytes();
  all.media_fill_bytes += ftl.filled_bytes();
  all.media_relocation_bytes += relocated(RelocationCause::collection) * page;
  all.media_wear_bytes += relocated(RelocationCause::wear) * page;
  all.media_refresh_bytes += relocated(RelocationCause::refresh) * page;
  all.media_fold_bytes += relocated(RelocationCause::folding) * page;
  all.media_mapping_bytes += ftl.mapping_pages() * page;
  all.media_padding_bytes += ftl.store().pages_padded() * page;
  all.media_failed_bytes += ftl.store().failed_pages() * page;
  all.media_parity_bytes += ftl.store().parity_pages() * page;
  all.relocated_pages += relocated(RelocationCause::collection);
  all.collected_superblocks += ftl.collected();
  all.coalesced_pages += ftl.coalesced_pages();
  all.read_modify_writes += ftl.read_modify_writes();
  all.copyback_pages += ftl.copyback_pages();
  all.trimmed_pages += ftl.trimmed_pages();
  if (const DemandMap* demand = ftl.demand()) {
    all.mapping_hits += demand->cache().hits();
    all.mapping_misses += demand->cache().misses();
    all.mapping_pages_read += demand->pages_read();
  }
  if (const LogBlocks* logs = ftl.log_blocks()) {
    all.switch_merges += logs->switch_merges();
    all.partial_merges += logs->partial_merges();
    all.full_merges += logs->full_merges();
  }
  if (const Extents* extents = ftl.extents()) all.regions_rewritten += extents->regions_rewritten();
  return all;
}

void Drive::add_failures(Counters& all) const {
  all.block_erases = health_->block_erases();
  all.program_failures = health_->program_failures();
  all.erase_failures = health_->erase_failures();
  all.bad_blocks = health_->defects().factory_bad() + health_->defects().grown_bad();
  all.spare_blocks = health_->defects().spares();
  all.superblocks_retired = ftl_->store().blocks().retired_count();
}

void Drive::add_errors(Counters& all) const {
  all.read_retries = errors_->retries();
  all.uncorrectable_pages = errors_->uncorrectable_pages();
  all.rebuilt_pages = errors_->rebuilt_pages();
  all.lost_pages = errors_->lost_pages();
}

Counters Drive::counters() const {
  Counters all = layer_counters();
  all.host_read_bytes = host_.host_read_bytes;
  all.host_write_bytes = host_.host_write_bytes;
  all.host_trim_bytes = host_.host_trim_bytes;
  all.unmapped_read_pages = host_.unmapped_read_pages;
  all.media_read_bytes = backend_.read_bytes();
  all.block_erases = medium_.superblocks_erased() * medium_.layout().blocks_per_superblock();
  if (health_) add_failures(all);
  if (errors_) add_errors(all);
  all.media_operations = backend_.operations();
  all.free_superblocks = ftl_->store().blocks().free_count();
  all.mapped_bytes = std::uint64_t{ftl_->store().mapped_pages()} * config_.ftl.mapping_bytes;
  all.extents = ftl_->store().map().extents();
  return all;
}

void Drive::add_to(Signature& signature) const {
  medium_.add_to(signature);
  const PageMap& map = ftl_->store().map();
  for (std::uint32_t l = 0; l < map.lpns(); ++l) signature.add(number(map.find(Lpn{l})));
  const Counters all = counters();
  for (const std::uint64_t value : {all.host_read_bytes, all.host_write_bytes, all.host_trim_bytes, all.media_host_bytes,
                                    all.media_fill_bytes, all.media_relocation_bytes, all.media_padding_bytes,
                                    all.media_read_bytes, all.media_operations, all.free_superblocks}) {
    signature.add(value);
  }
}

}  // namespace ftlab
