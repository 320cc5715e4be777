#include "sim/procedures/walk.h"

#include <algorithm>

#include "sim/config/split.h"
#include "sim/config/unit_value.h"
#include "sim/core/error.h"

namespace ftlab {
namespace {

constexpr std::size_t kMostPassed = 30'000;

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? "" : path.substr(0, slash + 1);
}

bool is_set(const Step& step, const std::string& key) {
  return std::any_of(step.lines.begin(), step.lines.end(), [&key](const std::string& line) {
    const std::size_t start = line.find_first_not_of(" \t");
    return line.compare(start, key.size(), key) == 0 && line.substr(start + key.size()).find_first_not_of(" \t=") != 0;
  });
}

class Walker {
 public:
  Walker(const Procedure& procedure, const JobContext& jobs, Performer& performer)
      : procedure_(procedure), jobs_(jobs), performer_(performer) {
    for (const Variable& variable : procedure.variables) {
      if (!variable.list) values_.emplace_back(variable.name, variable.values.front());
    }
  }

  void walk(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      count(step);
      if (step.kind == StepKind::repeat) {
        repeat(step, 0);
      } else if (step.kind == StepKind::rounds) {
        rounds(step);
      } else {
        performer_.act(action_of(step));
      }
    }
  }

 private:
  // Limits the number of steps: nested repeats multiply, and too many would never end.
  void count(const Step& step) {
    if (++passed_ > kMostPassed)
      throw ConfigError({procedure_.file, step.line}, step.path, "is reached too often: repeats within repeats multiply", {},
                        "up to " + std::to_string(kMostPassed) + " steps and turns of repeats in all");
  }

  // Iterates over the lists from `which` on, the first outermost, then over the replicates.
  void repeat(const Step& step, std::size_t which) {
    if (which == step.over.size()) return replicate(step);
    const auto list = std::find_if(procedure_.variables.begin(), procedure_.variables.end(),
                                   [&](const Variable& v) { return v.name == step.over[which]; });
    for (const std::string& value : list->values) {
      count(step);
      values_.emplace_back(list->name, value);
      repeat(step, which + 1);
      values_.pop_back();
    }
  }

  void replicate(const Step& step) {
    if (!step.replicates.given()) return walk(step.steps);
    const std::uint64_t times = number_of(step.replicates);
    for (std::uint64_t i = 1; i <= times; ++i) {
      count(step);
      values_.emplace_back("replicate", std::to_string(i));
      walk(step.steps);
      values_.pop_back();
    }
  }

  void rounds(const Step& step) {
    performer_.begin_rounds(step, values_);
    do {
      ++round_;
      walk(step.steps);
    } while (performer_.another_round());
    round_ = 0;
  }

  // The innermost value wins.
  const std::string* value_of(const std::string& name) const {
    const auto found =
        std::find_if(values_.rbegin(), values_.rend(), [&name](const auto& value) { return value.first == name; });
    return found == values_.rend() ? nullptr : &found->second;
  }

  std::uint64_t number_of(const DeferredNumber& quantity) const {
    std::string digits = quantity.text;
    const ConfigError::Place place{procedure_.file, quantity.line};
    if (digits.starts_with("${")) {
      const std::string* const value = value_of(digits.substr(2, digits.size() - 3));
      if (value == nullptr) {
        throw ConfigError(place, quantity.key,
                          "has no one value here: the variable is a list, or replicate outside of replicates", quantity.text,
                          "a variable that a repeat around the step goes through");
      }
      digits = *value;
    }
    if (const auto with_unit = value_with_unit(place, quantity.key, digits)) digits = std::to_string(*with_unit);
    const auto number = parsed<std::uint64_t>(digits);
    if (!number || *number < quantity.low || *number > quantity.high) {
      throw ConfigError(
          place, quantity.key,
          digits == quantity.text ? "is out of range" : "is out of range or no integer, as " + quantity.text + " is here",
          digits, std::to_string(quantity.low) + " to " + std::to_string(quantity.high));
    }
    return *number;
  }

  Action action_of(const Step& step) {
    Action action;
    action.step = &step;
    action.number = ++number_;
    action.round = round_;
    action.values = values_;
    switch (step.kind) {
      case StepKind::job:
        action.jobs = jobs_of(step);
        if (step.seed.given()) action.seed = number_of(step.seed);
        break;
      case StepKind::precondition:
      case StepKind::age:
        if (!step.state.empty()) break;
        if (step.counted) {
          action.random_bytes = number_of(step.times) * jobs_.capacity_bytes;
          action.block_bytes = number_of(step.block_bytes);
          break;
        }
        action.jobs = step.times.given() ? fill(step) : jobs_of(step);
        break;
      case StepKind::idle: action.duration = duration_of(step); break;
      case StepKind::trim: set_range(step, action); break;
      case StepKind::purge: action.length_bytes = jobs_.capacity_bytes; break;
      default: break;
    }
    return action;
  }

  Nanoseconds duration_of(const Step& step) const {
    const bool seconds = step.milliseconds.key.ends_with(".seconds");
    return Nanoseconds{number_of(step.milliseconds) * (seconds ? 1'000'000'000 : 1'000'000)};
  }

  void set_range(const Step& step, Action& action) const {
    const std::uint64_t capacity = jobs_.capacity_bytes;
    const ConfigError::Place place{procedure_.file, step.line};
    action.offset_bytes = number_of(step.offset_bytes);
    const bool to_end = !step.length_bytes.given();
    action.length_bytes = to_end ? capacity - std::min(capacity, action.offset_bytes) : number_of(step.length_bytes);
    const bool inside = action.offset_bytes < capacity && action.length_bytes <= capacity - action.offset_bytes;
    if (!inside) {
      throw ConfigError(place, step.path, "reaches beyond the device of " + std::to_string(capacity) + " bytes",
                        std::to_string(action.offset_bytes) + " + " + std::to_string(action.length_bytes));
    }
    if (action.offset_bytes % kSectorBytes != 0 || action.length_bytes % kSectorBytes != 0) {
      throw ConfigError(place, step.path, "is not a range of whole sectors",
                        std::to_string(action.offset_bytes) + " + " + std::to_string(action.length_bytes),
                        "multiples of 512");
    }
  }

  JobFile parse(const std::string& text, const std::string& file, const std::vector<JobOverride>& overrides,
                const std::string& folder) const {
    JobContext context = jobs_;
    context.environment = [this](const std::string& name) -> const char* {
      if (const std::string* const value = value_of(name)) return value->c_str();
      return jobs_.environment ? jobs_.environment(name) : nullptr;
    };
    context.include = [this, folder](const std::string& name) { return jobs_.include(folder + name); };
    context.folder += (context.folder.empty() || folder.empty() ? "" : "/") + folder;
    context.overrides.insert(context.overrides.begin(), overrides.begin(), overrides.end());
    return parse_job_file(text, file, context);
  }

  JobFile jobs_of(const Step& step) const {
    if (!step.file.empty()) {
      const std::string beside = folder_of(procedure_.file) + step.file;
      return parse(jobs_.include(step.file), beside, {}, folder_of(step.file));
    }
    std::string text = "[" + step.name + "]\n";
    for (const std::string& line : step.lines) text += line + "\n";
    return parse_lines(step, text);
  }

  // Defaults for options that the lines of a job leave open: the whole device, direct, with a queue.
  JobFile parse_lines(const Step& step, const std::string& text) const {
    std::vector<JobOverride> open;
    const std::pair<const char*, const char*> kDefaults[] = {
        {"filename", "/dev/ssd-under-test"}, {"ioengine", "libaio"}, {"direct", "1"}};
    for (const auto& [key, value] : kDefaults) {
      if (!is_set(step, key)) open.push_back({"", key, value});
    }
    return parse(text, procedure_.file + " (" + step.path + ".lines, below [" + step.name + "])", open, "");
  }

  JobFile fill(const Step& step) const {
    Step lines;
    const std::uint64_t times = number_of(step.times);
    const std::string all = std::to_string(jobs_.capacity_bytes);
    lines.name = step.name;
    lines.path = step.path;
    lines.lines = {step.random ? "rw=randwrite" : "rw=write", "bs=" + std::to_string(number_of(step.block_bytes)),
                   "iodepth=" + std::to_string(number_of(step.depth))};
    if (step.random) {
      lines.lines.insert(lines.lines.end(),
                         {"norandommap", "randrepeat=0", "io_size=" + std::to_string(times * jobs_.capacity_bytes)});
    } else {
      lines.lines.push_back("loops=" + std::to_string(times));
    }
    return jobs_of(lines);
  }

  const Procedure& procedure_;
  const JobContext& jobs_;
  Performer& performer_;
  Values values_;
  std::size_t number_ = 0;
  std::size_t passed_ = 0;
  std::size_t round_ = 0;
};

}  // namespace

void walk(const Procedure& procedure, const JobContext& jobs, Performer& performer) {
  Walker(procedure, jobs, performer).walk(procedure.steps);
}

}  // namespace ftlab
