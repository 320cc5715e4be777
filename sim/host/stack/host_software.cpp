#include "sim/host/stack/host_software.h"

#include <algorithm>
#include <string>

#include "sim/core/check.h"

namespace ftlab {

namespace {

constexpr std::uint32_t kAllRequests = 1'000'000;

std::vector<HostDelay> read_delays(Reader& reader) {
  std::vector<HostDelay> delays;
  std::uint64_t all = 0;
  for (Reader& item : reader.objects("delays")) {
    HostDelay delay;
    delay.per_million = static_cast<std::uint32_t>(item.sourced("per_million", 1, kAllRequests).value);
    delay.least = Nanoseconds{item.sourced("least_ns", 0, 1'000'000'000).value};
    delay.most = Nanoseconds{item.sourced("most_ns", 1, 1'000'000'000).value};
    if (delay.most < delay.least) {
      item.refuse("most_ns", "is " + std::to_string(delay.most.count()) + ", less than least_ns",
                  "at least " + std::to_string(delay.least.count()));
    }
    item.finish();
    all += delay.per_million;
    delays.push_back(delay);
  }
  if (delays.empty()) reader.refuse("delays", "is empty", "at least one class, or no delays at all");
  if (all > kAllRequests)
    reader.refuse("delays", "hit " + std::to_string(all) + " of a million completions", "at most 1000000 together");
  return delays;
}

DelaysTogether read_together(Reader reader, const std::vector<HostDelay>& delays) {
  DelaysTogether together;
  together.permille = static_cast<std::uint32_t>(reader.sourced("permille", 1, 990).value);
  together.wander_over = Nanoseconds{reader.sourced("wander_over_ms", 1, 3'600'000).value * 1'000'000};
  for (std::size_t i = 1; i < delays.size(); ++i) {
    if (delays[i].least < delays[i - 1].most)
      reader.refuse("permille", "ranks delays, and class " + std::to_string(i) + " begins before the one before it ends",
                    "classes from the least late to the most");
  }
  reader.finish();
  return together;
}

}  // namespace

HostSoftwareConfig read_host_software(Reader reader) {
  HostSoftwareConfig host;
  host.submit = Nanoseconds{reader.sourced("submit_ns", 0, 1'000'000'000).value};
  host.complete = Nanoseconds{reader.sourced("complete_ns", 0, 1'000'000'000).value};
  if (reader.has("delays")) host.delays = read_delays(reader);
  if (auto together = reader.object_if_present("delays_together")) {
    if (host.delays.empty()) reader.refuse("delays_together", "is of delays, and there are none", "a list of delays");
    host.together = read_together(std::move(*together), host.delays);
  }
  if (!host.costs()) reader.refuse("complete_ns", "is 0 like submit_ns: such a host costs nothing", "no object host at all");
  if (reader.has("cores")) host.cores = static_cast<std::uint32_t>(reader.sourced("cores", 1, 4096).value);
  reader.finish();
  return host;
}

Timeline& HostSoftware::core_of(std::uint16_t queue) {
  const std::size_t core = config_.cores > 0 ? queue % config_.cores : queue;
  if (core >= cores_.size()) cores_.resize(core + 1);
  return cores_[core];
}

// Each thread's requests go down one after the other; those of different threads may overtake one another.
void HostSoftware::submit(std::span<const Request> batch) {
  for (const Request& request : batch) {
    const Nanoseconds at_device = core_of(request.queue).reserve(request.issued, config_.submit) + config_.submit;
    Request lower = request;
    lower.issued = at_device;
    passing_[request.tag] = {at_device - request.issued, request.queue};
    down_.push(at_device, EventClass::timer, lower);
  }
}

// In order of time: what the device completes before a request reaches it is taken first. A completion goes to the host
// when nothing that could still come back earlier is left.
std::size_t HostSoftware::wait(Nanoseconds until, std::span<Completion> out) {
  for (;;) {
    const Nanoseconds horizon = up_.none_timed() ? until : std::min(until, up_.earliest());
    const Nanoseconds next_down = down_.empty() ? kNever : down_.top().time;
    if (take_up(std::min(horizon, next_down))) continue;
    if (next_down > horizon || down_.empty()) break;
    hand_down();
  }
  return up_.wait(until, out);
}

bool HostSoftware::take_up(Nanoseconds until) {
  std::array<Completion, 16> done;
  const std::size_t count = behind().wait(until, done);
  for (std::size_t i = 0; i < count; ++i) {
    const auto found = passing_.find(done[i].tag);
    FTLAB_CHECK(found != passing_.end(), "the device returned tag " + std::to_string(done[i].tag) + ", which it never got");
    const Passing passing = found->second;
    passing_.erase(found);
    const Nanoseconds at_device = done[i].completed;
    done[i].completed =
        core_of(passing.queue).reserve(at_device, config_.complete) + config_.complete + delays_.draw(at_device);
    done[i].parts[static_cast<std::size_t>(LatencyPart::host)] += passing.down + (done[i].completed - at_device);
    const std::uint32_t place = up_.add();
    up_.at(place) = done[i];
    up_.complete(place);
  }
  return count > 0;
}

void HostSoftware::hand_down() {
  const Request request = down_.pop().payload;
  behind().submit({&request, 1});
}

std::optional<VersionRules> HostSoftware::report_contents(ContentLog* log) {
  if (config_.cores != 1) return std::nullopt;
  return behind().report_contents(log);
}

}  // namespace ftlab
