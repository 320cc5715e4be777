#include "sim/host/stack/host_software.h"

#include <algorithm>
#include <string>

#include "sim/config/keys.h"
#include "sim/core/check.h"

namespace ftlab {

namespace {

constexpr std::uint32_t kAllRequests = 1'000'000;
constexpr std::size_t kMostDelays = 64;  // each completion searches them linearly
constexpr std::uint64_t kSecond = 1'000'000'000;

std::vector<HostDelay> read_delays(Reader& reader) {
  std::vector<HostDelay> delays;
  std::uint64_t all = 0;
  for (Reader& item : reader.objects("delays")) {
    HostDelay delay;
    read_sourced(item, "per_million", delay.per_million, 1, kAllRequests, "completions per million");
    read_sourced(item, "least_ns", delay.least, 0, kSecond, "shortest delay of the class");
    read_sourced(item, "most_ns", delay.most, 1, kSecond, "longest delay");
    if (delay.most < delay.least) {
      item.refuse("most_ns", "is " + std::to_string(delay.most.count()) + ", less than least_ns",
                  "at least " + std::to_string(delay.least.count()));
    }
    item.finish();
    all += delay.per_million;
    delays.push_back(delay);
  }
  if (delays.empty()) reader.refuse("delays", "is empty", "at least one class, or no delays at all");
  if (delays.size() > kMostDelays)
    reader.refuse("delays", "has " + std::to_string(delays.size()) + " classes", "at most " + std::to_string(kMostDelays));
  if (all > kAllRequests)
    reader.refuse("delays", "hit " + std::to_string(all) + " of a million completions", "at most 1000000 together");
  return delays;
}

DelayCorrelation read_together(Reader reader, const std::vector<HostDelay>& delays) {
  DelayCorrelation together;
  read_sourced(reader, "permille", together.permille, 1, 990, "share of variance common to neighbours");
  read_sourced(reader, "wander_over_ms", together.wander_over, 1, 3'600'000, "correlation time of that share");
  for (std::size_t i = 1; i < delays.size(); ++i) {
    if (delays[i].least < delays[i - 1].most)
      reader.refuse("permille", "ranks delays, and class " + std::to_string(i) + " begins before the one before it ends",
                    "classes from the least late to the most");
  }
  reader.finish();
  return together;
}

// Reads KEY, or read_KEY and write_KEY if they differ; 0 if none of them is given.
void read_times(Reader& reader, const std::string& key, HostTimes& times, const std::string& meaning) {
  const std::string of_reads = "read_" + key, of_writes = "write_" + key;
  const bool apart = reader.has(of_reads) || reader.has(of_writes);
  if (reader.has(key)) {
    if (apart) reader.refuse(key, "stands beside " + of_reads + " or " + of_writes, "one of the two ways");
    read_sourced(reader, key, times.read, 0, kSecond, meaning);
    times.write = times.read;
  } else if (apart) {
    read_sourced(reader, of_reads, times.read, 0, kSecond, meaning + ", for reads");
    read_sourced(reader, of_writes, times.write, 0, kSecond, meaning + ", for writes");
  }
}

HostThreads read_threads(Reader reader) {
  HostThreads threads;
  read_sourced(reader, "switch_ns", threads.change, 0, 1'000'000, "cost of a switch");
  read_sourced(reader, "slice_ns", threads.slice, 1000, kSecond, "time slice");
  reader.finish();
  return threads;
}

HostSleep read_sleep(Reader reader) {
  HostSleep sleep;
  read_sourced(reader, "after_ns", sleep.after, 1, kSecond, "idle time before a core sleeps");
  read_sourced(reader, "wake_ns", sleep.wake, 1, 100'000'000, "wake-up time");
  reader.finish();
  return sleep;
}

HostTimes read_adapter(Reader reader) {
  HostTimes adapter;
  read_times(reader, "command_ns", adapter, "adapter time per command");
  reader.finish();
  return adapter;
}

ElevatorConfig read_elevator(Reader reader) {
  ElevatorConfig elevator;
  read_sourced(reader, "batch", elevator.batch, 1, 1000, "requests per batch, in sector order");
  read_sourced(reader, "requests", elevator.requests, 4, 100'000, "requests known, including the disk's");
  read_sourced(reader, "read_expire_ms", elevator.read_expire, 0, 1'000'000, "age at which reads go first");
  read_sourced(reader, "write_expire_ms", elevator.write_expire, 0, 1'000'000, "age at which writes go first");
  reader.finish();
  return elevator;
}

}  // namespace

HostSoftwareConfig read_host_software(Reader& reader) {
  HostSoftwareConfig host;
  read_times(reader, "submit_ns", host.submit, "CPU time to submit a request");
  read_times(reader, "complete_ns", host.complete, "CPU time per completion");
  read_sourced_or(reader, "cores", host.cores, 1, 4096, "cores shared by the jobs; default: one each");
  if (auto threads = reader.object_if_present("threads")) host.threads = read_threads(std::move(*threads));
  if (auto sleep = reader.object_if_present("sleep")) host.sleep = read_sleep(std::move(*sleep));
  if (host.cores > 0 && !host.uses_cores())
    reader.refuse("cores", "are of a CPU that has nothing to do", "with submit_ns, complete_ns, threads or sleep");
  if (auto adapter = reader.object_if_present("adapter")) host.adapter = read_adapter(std::move(*adapter));
  if (auto elevator = reader.object_if_present("elevator")) host.elevator = read_elevator(std::move(*elevator));
  if (auto files = reader.object_if_present("file_system")) host.file_system = read_file_system(std::move(*files));
  if (reader.has("delays")) host.delays = read_delays(reader);
  if (auto together = reader.object_if_present("delays_together")) {
    if (host.delays.empty())
      reader.refuse("delays_together", "applies to delays, but the host has none", "a list of delays");
    host.together = read_together(std::move(*together), host.delays);
  }
  return host;
}

void HostSoftware::submit(std::span<const Request> batch) {
  for (const Request& request : batch) {
    Passing& passing = passing_[request.tag];
    passing = {};
    passing.request = request;
    if (config_.uses_cores()) {
      cores_.add(request.queue, request.issued, request.tag, config_.submit.of(request.op));
    } else {
      send_down(passing, request.issued);
    }
  }
}

// Executes events in order of time; completions of the device are taken before a request reaches it at the same time. A
// completion is returned to the host when nothing can complete earlier any longer, and before a core chooses its next task
// at the same time, so that requests which the host submits then take part in the choice.
std::size_t HostSoftware::wait(Nanoseconds until, std::span<Completion> out) {
  for (;;) {
    const Nanoseconds horizon = std::min(until, up_.earliest());
    const Nanoseconds next_down = down_.empty() ? kNever : down_.top().time;
    const Nanoseconds next_step = cores_.next();
    if (take_up(std::min({horizon, next_down, next_step}))) continue;
    if (next_down <= std::min(horizon, next_step) && !down_.empty()) {
      hand_down();
      continue;
    }
    if (next_step > horizon || next_step == kNever || (next_step == horizon && cores_.chooses())) break;
    if (const HostCores::Done done = cores_.step(); done.any) end_task(done.task, done.at);
  }
  return up_.wait(until, out);
}

bool HostSoftware::take_up(Nanoseconds until) {
  std::array<Completion, 16> done;
  const std::size_t count = behind().wait(until, done);
  for (std::size_t i = 0; i < count; ++i) {
    const auto found = passing_.find(done[i].tag);
    FTLAB_CHECK(found != passing_.end(), "the device returned tag " + std::to_string(done[i].tag) + ", which it never got");
    Passing& passing = found->second;
    passing.done = done[i];
    passing.on_its_way_back = true;
    passing.delay = delays_.draw(done[i].completed);
    if (config_.uses_cores()) {
      cores_.add(passing.request.queue, done[i].completed, done[i].tag, config_.complete.of(passing.request.op));
    } else {
      give_back(done[i].tag, done[i].completed);
    }
  }
  return count > 0;
}

void HostSoftware::end_task(std::uint64_t tag, Nanoseconds now) {
  const Passing& passing = passing_.at(tag);
  if (passing.on_its_way_back) {
    give_back(tag, now);
  } else {
    send_down(passing, now);
  }
}

void HostSoftware::send_down(const Passing& passing, Nanoseconds now) {
  Request lower = passing.request;
  const Nanoseconds length = config_.adapter.of(lower.op);
  lower.issued = length > Nanoseconds{0} ? adapter_.reserve(now, length) + length : now;
  down_.push(lower.issued, EventClass::timer, lower);
}

void HostSoftware::give_back(std::uint64_t tag, Nanoseconds now) {
  const auto found = passing_.find(tag);
  Completion done = found->second.done;
  const Nanoseconds at_device = done.completed;
  done.completed = now + found->second.delay;
  done.parts[static_cast<std::size_t>(LatencyPart::host)] += found->second.down + (done.completed - at_device);
  passing_.erase(found);
  const std::uint32_t place = up_.add();
  up_.at(place) = done;
  up_.complete(place);
}

void HostSoftware::hand_down() {
  const Request request = down_.pop().payload;
  Passing& passing = passing_.at(request.tag);
  passing.down = request.issued - passing.request.issued;
  behind().submit({&request, 1});
}

std::optional<VersionRules> HostSoftware::report_contents(ContentLog* log) {
  const bool in_order = !config_.uses_cores() || (config_.cores == 1 && !config_.threads.on());
  return in_order ? behind().report_contents(log) : std::nullopt;
}

}  // namespace ftlab
