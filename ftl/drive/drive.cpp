#include "ftl/drive/drive.h"

#include <algorithm>
#include <utility>

#include "sim/core/archive.h"

namespace ftlab {
namespace {

Layout layout_of(const DriveConfig& config) {
  return Layout(config.geometry, config.ftl.superblock, config.ftl.slot_bytes());
}

// What the blocks begin with is the cells' wear, too.
CellsConfig cells_of(const DriveConfig& config) {
  CellsConfig cells = config.cells;
  cells.worn_cycles += config.endurance.worn_cycles;
  return cells;
}

std::unique_ptr<LifeCurve> life_curve_of(const DriveConfig& config) {
  const EnduranceConfig& endurance = config.endurance;
  if (!endurance.life_curve.on()) return nullptr;
  return std::make_unique<LifeCurve>(endurance.life_curve, layout_of(config).page_count(), endurance.program_erase_limit,
                                     endurance.worn_cycles);
}

}  // namespace

std::unique_ptr<ReadAhead> Drive::read_ahead_of(const DriveConfig& config) {
  const ReadAheadConfig& ahead = config.controller.read_ahead;
  return ahead.streams == 0 ? nullptr : std::make_unique<ReadAhead>(ahead, config.ftl.mapping_bytes, config.logical_pages());
}

Drive::Drive(const DriveConfig& config, Clock clock, std::uint64_t seed)
    : config_(config),
      seed_(seed),
      timed_(clock == Clock::timed),
      medium_(layout_of(config), config.ftl.compression.on()),
      health_(config.endurance.ends()
                  ? std::make_unique<BadBlockTable>(config.endurance, config.geometry, config.ftl.superblock)
                  : nullptr),
      errors_(config.cells.err() ? std::make_unique<MediaErrors>(cells_of(config), config.geometry, config.nand, medium_)
                                 : nullptr),
      life_curve_(life_curve_of(config)),
      deduplication_(config.ftl.deduplication.on()
                         ? std::make_unique<Deduplication>(config.ftl.deduplication, config.logical_pages())
                         : nullptr),
      work_(config.geometry, config.nand, static_cast<std::uint32_t>(config.ftl.frontiers().size()), timed_),
      scans_(config.ftl.refresh.scan_every),
      link_(config.link, timed_),
      queues_(config.link),
      controller_(config.controller),
      dram_(config.dram),
      map_search_(config.controller.look_up_page, config.controller.look_up_step),
      read_ahead_(read_ahead_of(config)),
      ftl_(new_layer()),
      activity_(config.sleep_after()) {
  FTLAB_CHECK(health_ == nullptr || config.ftl.failure_reserve > 0,
              "a layer whose reserve does not fit the flash it is for");
  make_engine();
  hand_over();
}

// As the configuration says, idle.
void Drive::make_engine() {
  const auto frontiers = static_cast<std::uint32_t>(config_.ftl.frontiers().size());
  engine_ = std::make_unique<FlashEngine>(
      config_.geometry, config_.nand, frontiers,
      BlockSpeed(config_.nand, medium_.layout(), config_.endurance.specimen, config_.endurance.worn_cycles));
  engine_->set_erases(medium_.erase_counts());
  work_.set_engine(timed_ ? engine_.get() : nullptr);
  if (config_.power) work_.count_kinds();
  room_ = config_.ftl.buffer.pages;
  const Layout& layout = medium_.layout();
  most_moved_pages_ = std::max(config_.ftl.buffer.pages, 2 * layout.dies_per_superblock() * layout.pages_per_stripe());
}

std::unique_ptr<Ftl> Drive::new_layer() {
  return std::make_unique<Ftl>(config_.ftl, config_.logical_pages(), medium_, work_, seed_, health_.get(), errors_.get(),
                               deduplication_.get());
}

DeviceInfo Drive::info() const {
  const PlacementConfig& placement = config_.ftl.placement;
  const bool streams = placement.scheme == PlacementConfig::Scheme::streams;
  return {config_.name, config_.user_bytes, timed_, config_.ftl.mapping_bytes, streams ? placement.streams : 1};
}

// Of the write buffer, when nothing is under way.
std::int64_t Drive::free_room() const {
  std::int64_t room = config_.ftl.buffer.pages;
  for (const Frontier& frontier : ftl_->store().frontiers()) room -= frontier.staged_host_pages();
  return room;
}

void Drive::set_clock(Clock clock) {
  FTLAB_CHECK(at_rest(), "clock changed with requests outstanding");
  idle_from();
  timed_ = clock == Clock::timed;
  work_.set_engine(timed_ ? engine_.get() : nullptr);
  room_ = free_room();
  link_.set_timed(timed_);
  ftl_->take_host_traffic();  // what crossed the link without a clock took no time
}

void Drive::forget_versions() {
  if (!config_.ftl.needs_versions()) medium_.forget_versions();
}

void Drive::power_cycle() {
  FTLAB_CHECK(medium_.keeps_versions(), "a power cut of a drive that keeps no versions");
  FTLAB_CHECK(at_rest(), "power cut with requests outstanding");
  idle_from();
  if (config_.ftl.buffer.power_loss_protected) {
    set_date();
    ftl_->save();
    hand_over();
    idle_from();
  }
  past_ = layer_counters();
  count_lost_pages();
  ++past_.power_cuts;
  start_again();
}

// Nothing of a command is left, nor of what is read ahead.
void Drive::forget_what_waits() {
  due_ = DueQueue();
  next_place_ = kNever;
  pieces_.resize(1);
  free_pieces_.clear();
  held_ = Held::by_nothing;
  held_until_ = Nanoseconds{0};
  fetches_.clear();
  fetch_waiters_.clear();
  room_ = config_.ftl.buffer.pages;
}

void Drive::start_again() {
  ftl_.reset();
  engine_->clear(now_);
  work_.restart();
  forget_what_waits();
  engine_->set_erases(medium_.erase_counts());
  ftl_ = new_layer();
  told_version_ = ftl_->newest_version();
  scans_.restart();
  hand_over();
  if (read_ahead_) read_ahead_->forget_all();
}

void Drive::keep_journal(FlashJournal* journal) {
  FTLAB_CHECK(journal == nullptr || timed_, "a journal of a flash that knows no time");
  medium_.keep_journal(journal);
  if (journal != nullptr) idle_from();
  engine_->record(nullptr);
  if (journal != nullptr) {
    journal->record(*engine_);
    journal->watch(&work_);
  }
  journal_ = journal;
}

FlashJournal::Damage Drive::power_cycle(FlashJournal& journal, Nanoseconds at, const ChooseFate& choose) {
  FTLAB_CHECK(at_rest(), "power cut with requests outstanding");
  FTLAB_CHECK(!health_ && !errors_, "a power cut amid the operations of a flash that wears out or errs");
  FlashJournal::Damage damage;
  if (config_.ftl.buffer.power_loss_protected) {
    idle_from();
    journal.forget();
    journal.record(*engine_);
    power_cycle();
    return damage;
  }
  run_until(at);
  past_ = layer_counters();
  count_lost_pages();
  damage = journal.cut(medium_, at, choose);
  past_.media_lost_bytes += damage.undone_slots * config_.ftl.slot_bytes();
  journal.forget();
  journal.record(*engine_);
  ++past_.power_cuts;
  start_again();
  return damage;
}

// Pages that waited in RAM for the rest of their stripe are counted by the layer, but never reached the flash.
void Drive::count_lost_pages() {
  for (const Frontier& frontier : ftl_->store().frontiers()) {
    past_.media_lost_bytes += std::uint64_t{frontier.slots_in_ram()} * config_.ftl.slot_bytes();
  }
}

std::span<const Rule<Drive>> Drive::rules() {
  static constexpr Rule<Drive> kRules[] = {
      {"its pieces of reads are not counted from 1.", [](const Drive& drive) { return !drive.pieces_.empty(); }},
      {"its layer has asked for other programs than its flash.",
       [](const Drive& drive) {
         bool alike = true;
         for (std::uint32_t f = 0; f < drive.ftl_->store().frontiers().size(); ++f)
           alike = alike && drive.work_.next_program(f) == drive.engine_->next_program(f);
         return alike;
       }},
      {"a piece of a read is not there.",
       [](const Drive& drive) { return each_below(drive.free_pieces_, drive.pieces_.size()); }},
      {"a piece of a read is free twice, or of no read ahead.",
       [](const Drive& drive) {
         std::vector<std::uint8_t> free(drive.pieces_.size());
         free[0] = 1;  // is none
         if (!each(drive.free_pieces_, [&](std::uint32_t id) { return !std::exchange(free[id], 1); })) return false;
         for (std::uint32_t id = 0; id < free.size(); ++id) {
           const Piece& piece = drive.pieces_[id];
           if (free[id] != 0) continue;
           if (piece.fetches == 0 || piece.fetches > drive.fetches_.size()) return false;
           for (std::uint32_t f = 0; f < piece.fetches; ++f) {
             if (!drive.is_fetching(piece.fetch + f)) return false;
           }
         }
         return true;
       }},
  };
  return kRules;
}

template <class A>
void Drive::archive(A& archive) {
  archive.section("drive");
  medium_.archive(archive);
  if (health_) health_->archive(archive);
  if (errors_) errors_->archive(archive);
  if (deduplication_) deduplication_->archive(archive);
  work_.archive(archive);
  engine_->archive(archive);
  archive.value(now_);
  archive.value(room_);
  // Reading ahead goes on when the host is served.
  archive.list(pieces_, kMostPieces);
  archive.list(free_pieces_, kMostPieces);
  fetches_.archive(archive, kMostPieces);
  archive.value(first_fetch_);
  due_.archive(archive, kMostPieces);
  archive.require(rules(), *this);
  scans_.archive(archive);
  link_.archive(archive);
  controller_.archive(archive);
  ftl_->archive(archive);
  archive.value(host_);
  archive.value(past_);
  archive.value(last_completion_);
  activity_.archive(archive);
  if (queues_.limit()) queues_.archive(archive);
  if (dram_.limits()) dram_.archive(archive);
  if (map_search_.costs()) map_search_.archive(archive);
  if (read_ahead_) read_ahead_->archive(archive);
  if (deduplication_) fingerprinting_.archive(archive);
}

std::string Drive::save() {
  FTLAB_CHECK(at_rest(), "saved with requests outstanding");
  FTLAB_CHECK(medium_.keeps_versions(), "the state of a drive that keeps no versions");
  constexpr std::uint64_t kBytesPerPage = 13;  // of map, medium and valid bits
  Archive archive_out = Archive::saving(medium_.layout().page_count() * kBytesPerPage);
  archive(archive_out);
  return archive_out.finish();
}

void Drive::save(const std::function<void(std::string_view)>& sink) {
  FTLAB_CHECK(at_rest(), "saved with requests outstanding");
  FTLAB_CHECK(medium_.keeps_versions(), "the state of a drive that keeps no versions");
  Archive measure = Archive::measuring();
  archive(measure);
  Archive out = Archive::streaming(measure.payload_bytes(), sink);
  archive(out);
  out.finish();
}

// What a state does not hold, since at rest it is past: it may lie ahead of an earlier state.
void Drive::forget_times() {
  outstanding_ = CompletionQueue();
  queues_ = HostQueues(config_.link);
  next_place_ = kNever;
  held_ = Held::by_nothing;
  held_until_ = awake_from_ = map_there_ = Nanoseconds{0};
  std::fill(std::begin(last_page_), std::end(last_page_), Nanoseconds{0});
  used_idle_time_ = false;
}

void Drive::load(std::string_view state) {
  FTLAB_CHECK(at_rest(), "loaded with requests outstanding");
  forget_times();
  try {
    Archive archive_in = Archive::viewing(state);
    archive(archive_in);
    archive_in.end();
    constexpr Nanoseconds kLongest = std::chrono::hours(1);  // nothing that a drive has begun lasts so long
    if (archive_in.latest() > std::max(now_, last_completion_) + kLongest)
      throw ArchiveError("the saved state contradicts itself: it lies in its own future");
    if (!scans_.may_be_next(std::max(now_, last_completion_)))
      throw ArchiveError("the saved state contradicts itself: the next scan of its cells lies too far ahead");
    engine_->set_erases(medium_.erase_counts());
    told_version_ = ftl_->newest_version();  // a log that was there before takes the state's numbers from here on
    const std::vector<std::string> problems = inspect(*ftl_);
    if (!problems.empty()) throw ArchiveError("the saved state contradicts itself: " + problems.front());
  } catch (const CheckFailed& failed) {  // what a component finds out about itself
    throw ArchiveError(std::string("the saved state contradicts itself: ") + failed.what());
  }
}

static_assert(2 * kMostStreams + 1 <= FlashEngine::kMostFrontiers, "more handles than frontiers that program");
static_assert(kMostLogSuperblocks + 1 <= FlashEngine::kMostFrontiers, "more log superblocks than frontiers that program");

void Drive::expect(const Request& request) {
  const Lpn lpn{static_cast<std::uint32_t>(request.offset_bytes / config_.ftl.mapping_bytes)};
  if (number(lpn) >= config_.logical_pages()) return;
  ftl_->prefetch_map(lpn);
  if (request.op == Op::read) return;
  Lpn& earlier = expected_[expected_count_++ % kExpected];
  ftl_->prefetch_blocks(earlier);
  earlier = lpn;
}

VersionRules Drive::version_rules() const {
  std::uint32_t pages_to_come = 0;  // of writes that the layer has not got yet
  for (const Command& command : commands_) pages_to_come += command.count - command.written;
  using Trimmed = VersionRules::Trimmed;
  const TrimConfig& trim = config_.ftl.trim;
  const bool late = trim.mode == TrimConfig::Mode::deferred && trim.reads_old_data;
  const std::uint64_t page = config_.ftl.mapping_bytes;
  return {page, std::max<std::uint64_t>(trim.granularity_bytes, page),
          trim.mode == TrimConfig::Mode::off ? Trimmed::old_data
          : late                             ? Trimmed::either
                                             : Trimmed::nothing,
          number(ftl_->newest_version()) + pages_to_come};
}

// Several submission queues: the drive carries requests out in another order than the host submits them in.
std::optional<VersionRules> Drive::report_contents(ContentLog* log) {
  if (config_.link.queues > 1) return std::nullopt;
  FTLAB_CHECK(medium_.keeps_versions(), "the contents of a drive that keeps no versions");
  contents_ = log;
  told_version_ = ftl_->newest_version();
  return version_rules();
}

void Drive::report_renumbering() {
  contents_->renumbered = contents_->renumbered || number(ftl_->newest_version()) < number(told_version_);
  told_version_ = ftl_->newest_version();
}

void Drive::report_refusal(const Request& request, std::uint64_t from_bytes) {
  if (contents_ != nullptr) contents_->refused.push_back({from_bytes, request.offset_bytes + request.length_bytes});
}

}  // namespace ftlab
