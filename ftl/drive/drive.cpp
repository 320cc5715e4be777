#include "ftl/drive/drive.h"

#include <algorithm>

#include "ftl/drive/drive_counters.h"
#include "sim/core/archive.h"

namespace ftlab {

static_assert(2 * kMostStreams + 1 <= FlashEngine::kMostFrontiers, "more handles than frontiers that program");
static_assert(kMostLogSuperblocks + 1 <= FlashEngine::kMostFrontiers, "more log superblocks than frontiers that program");

Drive::Drive(const DriveConfig& config, Clock clock, std::uint64_t seed)
    : parts_(config, clock, seed),
      idle_time_(config),
      commands_(parts_, idle_time_),
      writes_(parts_, commands_),
      reads_(parts_, commands_, writes_) {}

DeviceInfo Drive::info() const {
  const DriveConfig& config = parts_.config;
  return {config.name, config.user_bytes, parts_.agenda.timed(), config.ftl.mapping_bytes,
          std::max(config.ftl.placement.identifiers(), 1u)};
}

Counters Drive::counters_at(Nanoseconds now) const { return count_drive(parts_, idle_time_.activity(), past_, now); }

void Drive::set_clock(Clock clock) {
  FTLAB_CHECK(commands_.at_rest(), "clock changed with requests outstanding");
  idle_from();
  parts_.agenda.set_clock(clock);
  parts_.back.set_timed(parts_.agenda.timed());
  writes_.set_room();
  parts_.front.link.set_timed(parts_.agenda.timed());
  parts_.layer->take_host_traffic();  // dropped: traffic of an untimed run took no time
}

void Drive::discard_versions() {
  if (!parts_.config.ftl.needs_versions()) parts_.back.medium.discard_versions();
}

void Drive::clear_commands() {
  parts_.agenda.clear();
  commands_.forget_next_place();
  reads_.restart();
  writes_.restart();
}

void Drive::restart_layer() {
  parts_.layer.reset();
  parts_.back.engine->clear(parts_.agenda.now());
  parts_.back.work.restart();
  clear_commands();
  parts_.back.engine->set_erases(parts_.back.medium.superblocks().erase_counts());
  parts_.layer = parts_.back.new_layer(parts_.config, parts_.seed);
  parts_.zones.restart([this](std::uint64_t offset) { return parts_.holds(offset); });
  parts_.contents.restart(parts_.layer->pages().newest_version());
  parts_.scans.restart();
  parts_.hand_over();
  if (parts_.front.read_ahead) parts_.front.read_ahead->forget_all();
}

template <class A>
void Drive::archive(A& archive) {
  BackEnd& back = parts_.back;
  FrontEnd& front = parts_.front;
  archive.section("drive");
  back.medium.archive(archive);
  if (back.health) back.health->archive(archive);
  if (back.errors) back.errors->archive(archive);
  if (back.deduplication) back.deduplication->archive(archive);
  back.work.archive(archive);
  back.engine->archive(archive);
  parts_.agenda.archive_now(archive);
  writes_.archive(archive);
  reads_.archive(archive);
  parts_.agenda.archive_due(archive);
  parts_.scans.archive(archive);
  front.link.archive(archive);
  front.controller.archive(archive);
  parts_.layer->archive(archive);
  if (parts_.zones.any()) parts_.zones.archive(archive);
  archive.value(parts_.host);
  archive.value(past_);
  idle_time_.archive(archive);
  if (front.queues.limit()) front.queues.archive(archive);
  if (front.dram.limits()) front.dram.archive(archive);
  if (front.map_search.costs()) front.map_search.archive(archive);
  if (front.read_ahead) front.read_ahead->archive(archive);
  if (back.deduplication) front.fingerprinting.archive(archive);
}

std::string Drive::save() {
  FTLAB_CHECK(commands_.at_rest(), "saved with requests outstanding");
  FTLAB_CHECK(parts_.back.medium.pages().keeps_versions(), "the state of a drive that keeps no versions");
  constexpr std::uint64_t kBytesPerPage = 13;  // map, medium and valid bits
  Archive out = Archive::saving(parts_.back.medium.layout().page_count() * kBytesPerPage);
  archive(out);
  return out.finish();
}

void Drive::save(const std::function<void(std::string_view)>& sink) {
  FTLAB_CHECK(commands_.at_rest(), "saved with requests outstanding");
  FTLAB_CHECK(parts_.back.medium.pages().keeps_versions(), "the state of a drive that keeps no versions");
  Archive measure = Archive::measuring();
  archive(measure);
  Archive out = Archive::streaming(measure.payload_bytes(), sink);
  archive(out);
  out.finish();
}

// Drops times that a saved state does not hold, as they are past at rest: they may be later than the state to be loaded.
void Drive::forget_times() {
  commands_.clear();
  parts_.front.queues = HostQueues(parts_.config.link);
  writes_.forget_times();
  idle_time_.clear();
  parts_.map_arrival = Nanoseconds{0};
}

void Drive::load(std::string_view state, bool own) {
  FTLAB_CHECK(commands_.at_rest(), "loaded with requests outstanding");
  forget_times();
  try {
    Archive archive_in = Archive::viewing(state);
    archive(archive_in);
    archive_in.end();
    constexpr Nanoseconds kLongest = std::chrono::hours(1);  // no operation of a drive lasts longer
    if (archive_in.latest() > latest() + kLongest)
      throw ArchiveError("the saved state contradicts itself: it lies in its own future");
    if (!parts_.scans.is_plausible_next(latest()))
      throw ArchiveError("the saved state contradicts itself: the next scan of its cells lies too far ahead");
    parts_.back.engine->set_erases(parts_.back.medium.superblocks().erase_counts());
    parts_.contents.restart(parts_.layer->pages().newest_version());  // a log set before continues with these numbers
    const std::vector<std::string> problems = own ? std::vector<std::string>{} : inspect(*parts_.layer);
    if (!problems.empty()) throw ArchiveError("the saved state contradicts itself: " + problems.front());
    if (!parts_.zones.fits([this](std::uint64_t offset) { return parts_.holds(offset); }))
      throw ArchiveError("the saved state contradicts itself: a zone ends elsewhere than its data");
  } catch (const CheckFailed& failed) {  // a component's own check of its state
    throw ArchiveError(std::string("the saved state contradicts itself: ") + failed.what());
  }
}

void Drive::expect(const Request& request) {
  const Lpn lpn{static_cast<std::uint32_t>(quotient(request.offset_bytes, parts_.config.ftl.mapping_bytes))};
  if (number(lpn) >= parts_.config.logical_pages()) return;
  parts_.layer->pages().prefetch_map(lpn);
  if (request.op == Op::read) return;
  Lpn& earlier = expected_[expected_count_++ % kExpected];
  parts_.layer->pages().prefetch_blocks(earlier);
  earlier = lpn;
}

VersionRules Drive::version_rules() const {
  using Trimmed = VersionRules::Trimmed;
  const TrimConfig& trim = parts_.config.ftl.trim;
  const bool late = trim.mode == TrimConfig::Mode::deferred && trim.reads_old_data;
  const std::uint64_t page = parts_.config.ftl.mapping_bytes;
  return {page, std::max<std::uint64_t>(trim.granularity_bytes, page),
          trim.mode == TrimConfig::Mode::off ? Trimmed::old_data
          : late                             ? Trimmed::either
                                             : Trimmed::nothing,
          number(parts_.layer->pages().newest_version()) + commands_.pages_to_come()};
}

// With several submission queues, commands are executed in another order than the host submits them.
std::optional<VersionRules> Drive::report_contents(ContentLog* log) {
  if (parts_.config.link.queues > 1) return std::nullopt;
  FTLAB_CHECK(parts_.back.medium.pages().keeps_versions(), "the contents of a drive that keeps no versions");
  parts_.contents.set_log(log, parts_.layer->pages().newest_version());
  return version_rules();
}

}  // namespace ftlab
