#include "sim/host/stack/host_cores.h"

#include <algorithm>

namespace ftlab {

HostCores::Done HostCores::step() {
  const auto [now, order, event] = events_.pop();
  if (event.kind == Event::Kind::arrival) return arrive(event, now), Done{};
  if (event.kind == Event::Kind::choice) return choose(event.core, now), Done{};
  Core& core = cores_[event.core];
  core.busy = false;
  if (!core.line.empty() || !lines_[core.current].tasks.empty()) choose_soon(core, event.core, now);
  return {true, event.task, now};
}

void HostCores::arrive(const Event& event, Nanoseconds now) {
  const std::uint32_t thread = line_of(event);
  if (event.core >= cores_.size()) cores_.resize(event.core + 1);
  if (thread >= lines_.size()) lines_.resize(thread + 1);
  Core& core = cores_[event.core];
  lines_[thread].tasks.push_back({event.task, event.length});
  if (thread != core.current && !lines_[thread].waits) {
    lines_[thread].waits = true;
    core.line.push_back(thread);
  }
  if (!core.busy) choose_soon(core, event.core, now);
}

void HostCores::choose_soon(Core& core, std::uint32_t number, Nanoseconds now) {
  if (core.choosing) return;
  core.choosing = true;
  events_.push(now, EventClass::timer, {Event::Kind::choice, number, 0, 0, {}});
}

std::uint32_t HostCores::next_thread(Core& core, Nanoseconds now) {
  const bool has_more = core.current != kNone && !lines_[core.current].tasks.empty();
  if (has_more && (core.line.empty() || now - core.since < threads_.slice)) return core.current;
  if (has_more) {
    lines_[core.current].waits = true;
    core.line.push_back(core.current);
  }
  const std::uint32_t next = core.line.front();
  core.line.pop_front();
  lines_[next].waits = false;
  return next;
}

void HostCores::choose(std::uint32_t number, Nanoseconds now) {
  Core& core = cores_[number];
  core.choosing = false;
  const std::uint32_t next = next_thread(core, now);
  Nanoseconds start = now;
  const Nanoseconds idle = now - core.free;
  if (sleep_.wake > Nanoseconds{0} && idle >= sleep_.after) start += sleep_.wake;
  if (next != core.current || idle > Nanoseconds{0}) {
    start += threads_.change;
    core.since = now;
  }
  core.current = next;
  const Task task = lines_[next].tasks.front();
  lines_[next].tasks.pop_front();
  core.busy = true;
  core.free = start + task.length;
  events_.push(core.free, EventClass::completion, {Event::Kind::end, number, 0, task.task, {}});
}

}  // namespace ftlab
