#include "validation/soak/host.h"

#include <algorithm>

namespace ftlab::soak {
namespace {

std::string text(std::uint64_t value) { return std::to_string(value); }

// Refusals and renumbering are checked request by request.
std::uint32_t depth_of(const RunPlan& plan, std::uint32_t most) {
  const bool one = plan.timed && (plan.drive.endurance.ends() || plan.drive.ftl.most_versions < 0xffff'fff0);
  return one ? 1 : std::clamp(plan.host.depth, 1u, most);
}

}  // namespace

ShadowedHost::ShadowedHost(const RunPlan& plan, const Lie& lie, Counts& counts)
    : plan_(plan),
      lie_(lie),
      counts_(counts),
      requests_(plan),
      expected_(plan.drive),
      limits_{depth_of(plan, kMostDepth)} {
  if (plan.cut_every > 0) durable_.emplace(plan.drive);
  open(plan.drive);
  const NandTiming& nand = plan.drive.nand;
  const Nanoseconds slowest = nand.erase + *std::max_element(nand.program.begin(), nand.program.end()) + nand.read;
  const std::uint64_t pages = std::uint64_t{drive_->medium().layout().page_count()} * plan.drive.geometry.planes_per_die;
  limits_.latency = (slowest * (4 * pages + 1'000) + Nanoseconds{3'600'000'000'000}) * kMostDepth;
}

void ShadowedHost::open(const DriveConfig& config) {
  drive_ = std::make_unique<Drive>(config, plan_.timed ? Clock::timed : Clock::untimed, plan_.seed);
  drive_->report_contents(&seen_);
}

void ShadowedHost::fill() {
  const std::uint64_t bytes = plan_.drive.user_bytes;
  const std::uint64_t piece = std::max<std::uint64_t>(plan_.drive.ftl.mapping_bytes, 128 * kSectorBytes);
  for (std::uint64_t offset = 0; offset < bytes; offset += piece) {
    Request request{0, Op::write, offset, std::min(piece, bytes - offset), now_};
    if (plan_.drive.ftl.deduplication.on()) request.content = {1 + offset / piece, 1000};
    issue(request);
    while (outstanding() >= limits_.depth) take_some();
  }
  drain();
}

void ShadowedHost::step() {
  const std::uint32_t batch = std::max(1u, std::min(plan_.host.batch, limits_.depth));
  while (outstanding() + batch > limits_.depth) take_some();
  for (std::uint32_t i = 0; i < batch; ++i) issue(requests_.next());
  if (!plan_.timed) drain();
  if (plan_.host.rest_every > 0 && ++sums_.batches % plan_.host.rest_every == 0) {
    drain();
    now_ += Nanoseconds{plan_.host.rest_ns};
  }
}

void ShadowedHost::issue(Request request) {
  const int slot = std::countr_one(taken_);
  request.tag = sums_.operations++ << 6 | static_cast<std::uint64_t>(slot);
  request.issued = now_;
  expected_.predict(request);
  std::uint64_t before = 0, mark = 0;
  if (durable_) {
    before = durable_->mark();
    durable_->note(request, expected_);
    mark = durable_->mark();
  }
  const bool through = request.op == Op::write && !plan_.drive.ftl.buffer.write_back;
  const bool barrier = request.op == Op::flush || request.fua || through;
  if (lie_ != nullptr && lie_(request, plan_)) [[unlikely]] {
    if (durable_ && barrier) durable_->settle(mark);
    return;
  }
  taken_ |= std::uint64_t{1} << slot;
  slots_[slot] = {now_, request.tag, request.op, barrier, before, mark};
  if ((request.tag >> 6 & 15) == 0 && request.op == Op::write) look_at_target(request);
  drive_->expect(request);
  drive_->submit({&request, 1});
  check_reads();
  if (!plan_.timed || durable_) expected_.settle();
  if (request.op == Op::read) sums_.read_bytes += request.length_bytes;
  if (request.op == Op::write) sums_.written_bytes += request.length_bytes;
}

void ShadowedHost::look_at_target(const Request& request) {
  const Ftl& ftl = drive_->ftl();
  const HostPages::Found found =
      ftl.pages().find(Lpn{static_cast<std::uint32_t>(request.offset_bytes / plan_.drive.ftl.mapping_bytes)});
  if (found.where == HostPages::Found::Where::flash &&
      ftl.store().blocks().state(drive_->medium().layout().block_of(found.ppn)) == BlockState::collecting)
    counts_.hit(Count::victim_overtaken);
}

void ShadowedHost::take_some() {
  std::array<Completion, 16> done;
  const std::size_t count = drive_->wait(kNever, done);
  require(count > 0, text(outstanding()) + " requests never come back");
  for (std::size_t i = 0; i < count; ++i) take(done[i]);
  check_reads();
  if (outstanding() == 0) expected_.settle();
}

void ShadowedHost::take(const Completion& done) {
  const Slot& slot = slots_[done.tag % kMostDepth];
  require((taken_ >> (done.tag % kMostDepth) & 1) != 0 && slot.tag == done.tag,
          "completion " + text(done.tag) + " was not asked for, or came twice");
  taken_ &= ~(std::uint64_t{1} << (done.tag % kMostDepth));
  completions_.add(done.completed.count());
  completions_.add(done.tag << 3 | static_cast<std::uint64_t>(done.status));
  if (done.status != Status::ok) check_status(done, slot.op);
  sums_.refused += done.status != Status::ok && slot.op != Op::read;
  if (durable_) settle(*durable_, done);
  if (!plan_.timed) return;
  check_latency(done, slot.issued);
  now_ = done.completed;
}

void ShadowedHost::check_status(const Completion& done, Op op) const {
  const bool ends = plan_.drive.endurance.ends() || out_of_room();
  const bool allowed = op == Op::read ? done.status == Status::media_error && plan_.drive.cells.err()
                                      : done.status == Status::read_only && ends;
  require(allowed, "request " + text(done.tag) + " has status " + text(static_cast<std::uint64_t>(done.status)));
}

void ShadowedHost::check_latency(const Completion& done, Nanoseconds issued) const {
  require(done.completed >= issued, "request " + text(done.tag) + " was complete before it was issued");
  const Nanoseconds latency = done.completed - issued;
  Nanoseconds sum{0};
  for (const Nanoseconds part : done.parts) sum += part;
  require(sum == latency, "the latency of request " + text(done.tag) + " is " + text(latency.count()) +
                              " ns, its parts are " + text(sum.count()));
  require(latency <= limits_.latency, "request " + text(done.tag) + " took " + text(latency.count()) + " ns");
  require(done.completed >= now_, "time went back");
}

void ShadowedHost::check_reads() {
  if (out_of_room()) return seen_.returned.clear();
  require_none(expected_.compare(seen_, drive_->ftl()));
}

void ShadowedHost::settle(DurableContents& durable, const Completion& done) const {
  const Slot& slot = slots_[done.tag % kMostDepth];
  if (done.status != Status::ok) return durable.refuse(slot.before, slot.mark);
  if (slot.barrier) durable.settle(slot.mark);
}

void ShadowedHost::drain() {
  for (std::uint32_t steps = outstanding(); steps > 0 && outstanding() > 0; --steps) take_some();
  require(outstanding() == 0, text(outstanding()) + " requests are left after as many steps as there were requests");
}

void ShadowedHost::move_to(const DriveConfig& config) {
  drain();
  const std::string state = drive_->save();
  open(config);
  drive_->load(state);
  require(drive_->save() == state, "a saved state is not the same when it was loaded");
}

void ShadowedHost::inspect() const {
  for (const std::string& sentence : ftlab::inspect(drive_->ftl())) throw Wrong(sentence);
  inspect_sums();
}

// P3: counters of two sources agree.
void ShadowedHost::inspect_sums() const {
  const Counters counted = drive_->counters();
  const Ftl& ftl = drive_->ftl();
  const Medium& medium = drive_->medium();
  std::uint64_t places = medium.pages().programmed();
  for (const Stage& stage : ftl.store().stages()) places += stage.slots_in_ram();
  const std::uint64_t media = places * plan_.drive.ftl.slot_bytes();
  require(counted.media_write_bytes() == media,
          "the layer counts " + text(counted.media_write_bytes()) + " bytes programmed, the medium " + text(media));
  std::uint64_t erases = 0;
  for (std::uint32_t b = 0; b < ftl.store().blocks().count(); ++b) erases += medium.superblocks().erases(SuperblockId{b});
  require(erases == medium.superblocks().erased(), "the erases of the superblocks sum to " + text(erases) + ", " +
                                                       text(medium.superblocks().erased()) + " are counted");
  require(places <= (erases + ftl.store().blocks().count()) * medium.layout().pages_per_superblock(),
          "more was programmed than was erased");
  require(counted.host_read_bytes == sums_.read_bytes,
          "the drive counts " + text(counted.host_read_bytes) + " bytes read, the host " + text(sums_.read_bytes));
  require(counted.host_write_bytes == sums_.written_bytes ||
              (sums_.refused > 0 && counted.host_write_bytes <= sums_.written_bytes),
          "the drive counts " + text(counted.host_write_bytes) + " bytes written, the host " + text(sums_.written_bytes));
}

void ShadowedHost::run_ahead() {
  Completion done;
  while (drive_->wait(kNever, {&done, 1}) > 0) ahead_.push_back(done);
  check_reads();
  drive_->idle_from();
}

DurableContents ShadowedHost::durable_at(Nanoseconds at) const {
  DurableContents durable = *durable_;
  for (const Completion& done : ahead_) {
    if (done.completed <= at) settle(durable, done);
  }
  return durable;
}

std::vector<Nanoseconds> ShadowedHost::answers() const {
  std::vector<Nanoseconds> times;
  for (const Completion& done : ahead_) times.push_back(done.completed);
  return times;
}

const DurableContents& ShadowedHost::lose_power(Nanoseconds at) {
  const bool safe = plan_.drive.ftl.buffer.power_loss_protected;
  run_ahead();
  for (const Completion& done : ahead_) {
    if (done.completed <= at || safe) take(done);
  }
  ahead_.clear();
  taken_ = 0;
  if (safe && !out_of_room()) durable_->settle(durable_->mark());  // except refused changes
  return *durable_;
}

void ShadowedHost::adopt_contents(Nanoseconds now) {
  durable_->take_up(drive_->ftl());
  expected_.take_up(drive_->ftl());
  now_ = now;
}

}  // namespace ftlab::soak
