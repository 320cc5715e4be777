#include "validation/results/wa_answer.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <vector>

#include "ftl/policies/gc_policy.h"
#include "sim/config/share.h"
#include "sim/config/split.h"
#include "sim/core/error.h"

namespace ftlab {
namespace {

[[noreturn]] void refuse(const char* option, const std::string& value, const std::string& problem,
                         const std::string& allowed, const std::string& nearest = {}) {
  throw ConfigError({option, 0}, "", problem, value, allowed, nearest);
}

template <class Number>
Number number_of(const char* option, const std::string& value, std::string_view part, Number low, Number high) {
  const auto number = parsed<Number>(part);
  if (number && *number >= low && *number <= high) return *number;
  const auto text = [](Number bound) {
    std::string digits = std::to_string(bound);
    if (digits.find('.') == std::string::npos) return digits;
    digits.erase(digits.find_last_not_of('0') + 1);
    return digits.back() == '.' ? digits.substr(0, digits.size() - 1) : digits;
  };
  refuse(option, value, part.empty() ? "lacks a number" : "is out of range or no number", text(low) + " to " + text(high));
}

double share_of(const char* option, std::string_view part, double least, double most) {
  return ftlab::share_of({option, 0}, "", part, {least, most});
}

std::size_t choice_of(const char* option, const std::string& value, std::string_view part,
                      const std::vector<std::string>& names, const std::string& allowed) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == part) return i;
  }
  refuse(option, value, "is not a known name", allowed, nearest_name(part, names));
}

// In the order of WaQuestion::Policy, followed by user-defined policies.
std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (const GcPolicyKind& kind : gc_policy_kinds()) names.push_back(kind.name);
  return names;
}

std::string joined_keys(const GcPolicyKind& kind) {
  std::vector<std::string> keys;
  for (const GcParameter& own : kind.parameters) keys.push_back(own.key);
  return joined(keys);
}

// A user-defined policy and the values of its parameters: KEY=VALUE, each once.
WaQuestion::OtherPolicy other_policy(const GcPolicyKind& kind, const std::vector<std::string>& parameters) {
  constexpr const char* kOption = "--parameter";
  if (kind.parameters.empty() && !parameters.empty())
    refuse(kOption, parameters.front(), "is for policies with parameters", "");
  std::map<std::string, std::string> given;
  for (const std::string& parameter : parameters) {
    const std::vector<std::string_view> parts = split(parameter, '=');
    if (parts.size() != 2) refuse(kOption, parameter, "must be KEY=VALUE", joined_keys(kind));
    if (!given.emplace(parts[0], parts[1]).second) refuse(kOption, parameter, "is given twice", "");
  }
  WaQuestion::OtherPolicy other{.name = kind.name};
  for (const GcParameter& own : kind.parameters) {
    const auto value = given.find(own.key);
    if (value == given.end())
      refuse(kOption, "", std::string("lacks ") + own.key + ", which the policy needs", joined_keys(kind));
    other.values.push_back(
        number_of<std::uint64_t>(kOption, std::string(own.key) + "=" + value->second, value->second, own.low, own.high));
    given.erase(value);
  }
  if (!given.empty()) {
    std::vector<std::string> keys;
    for (const GcParameter& own : kind.parameters) keys.push_back(own.key);
    refuse(kOption, given.begin()->first, "is not a parameter of " + kind.name, joined_keys(kind),
           nearest_name(given.begin()->first, keys));
  }
  if (kind.uniform_wa) {
    other.uniform_wa = [formula = kind.uniform_wa, values = other.values](double utilisation, int block_pages) {
      return formula(values, utilisation, block_pages);
    };
    other.source = kind.uniform_wa_source;
  }
  return other;
}

void read_policy(const std::string& value, const std::vector<std::string>& parameters, WaQuestion& q) {
  const std::vector<std::string> names = policy_names();
  const std::size_t chosen = choice_of("--policy", value, value, names, joined(names));
  q.policy = static_cast<WaQuestion::Policy>(std::min(chosen, static_cast<std::size_t>(WaQuestion::Policy::other)));
  if (q.policy == WaQuestion::Policy::other) {
    q.other = other_policy(gc_policy_kinds()[chosen], parameters);
  } else if (!parameters.empty()) {
    refuse("--parameter", parameters.front(), "is for policies of your own",
           "--d of d-choices, --window of windowed-greedy");
  }
}

void read_workload(const std::string& value, WaQuestion& q) {
  constexpr const char* kAllowed = "uniform, sequential, hot-cold:R:F, zipf:S";
  const std::vector<std::string_view> parts = split(value, ':');
  q.workload = static_cast<WaQuestion::Workload>(
      choice_of("--workload", value, parts[0], {"uniform", "sequential", "hot-cold", "zipf"}, kAllowed));
  const std::size_t wanted = q.workload == WaQuestion::Workload::hot_cold ? 3
                             : q.workload == WaQuestion::Workload::zipf   ? 2
                                                                          : 1;
  if (parts.size() != wanted) refuse("--workload", value, "has the wrong number of parts", kAllowed);
  if (wanted == 3) {
    q.hot_writes = share_of("--workload", parts[1], 0.0001, 0.9999);
    q.hot_pages = share_of("--workload", parts[2], 0.0001, 0.9999);
  }
  if (wanted == 2) q.zipf = number_of("--workload", value, parts[1], 0.0, 5.0);
}

void read_frontiers(const std::string& value, WaQuestion& q) {
  constexpr const char* kAllowed = "one, host+gc, hot+cold, hot+cold+gc, pools:SHARE";
  const std::vector<std::string_view> parts = split(value, ':');
  q.frontiers = static_cast<WaQuestion::Frontiers>(
      choice_of("--frontiers", value, parts[0], {"one", "host+gc", "hot+cold", "hot+cold+gc", "pools"}, kAllowed));
  const bool pools = q.frontiers == WaQuestion::Frontiers::pools;
  if (parts.size() != (pools ? 2 : 1)) refuse("--frontiers", value, "has the wrong number of parts", kAllowed);
  if (pools) q.hot_spare = share_of("--frontiers", parts[1], 0.001, 0.999);
  const bool classes = q.frontiers >= WaQuestion::Frontiers::hot_cold;
  if (classes && q.workload != WaQuestion::Workload::hot_cold)
    refuse("--frontiers", value, "needs --workload hot-cold:R:F, which says what is hot", "one, host+gc");
}

void read_trim(const std::string& value, WaQuestion& q) {
  const std::vector<std::string_view> parts = split(value, ':');
  if (parts.size() > 2) refuse("--trim", value, "has too many parts", "Q:mapped, Q:any");
  q.trim = share_of("--trim", parts[0], 0.0, 0.95);
  if (parts.size() == 2) q.trim_any = choice_of("--trim", value, parts[1], {"mapped", "any"}, "Q:mapped, Q:any") == 1;
}

// Z as a fraction of whole units: LOW:HIGH:UNITS as given, a decimal in ten-thousandths.
void read_compression(const std::string& value, WaQuestion& q) {
  const std::vector<std::string_view> parts = split(value, ':');
  constexpr const char* kAllowed = "Z (0.01 to 1), or LOW:HIGH:UNITS";
  if (parts.size() == 3) {
    q.units = number_of<std::uint32_t>("--compression", value, parts[2], 1, 4096);
    q.stored_high = number_of<std::uint32_t>("--compression", value, parts[1], 1, q.units);
    q.stored_low = number_of<std::uint32_t>("--compression", value, parts[0], 1, q.stored_high);
    return;
  }
  if (parts.size() != 1) refuse("--compression", value, "has the wrong number of parts", kAllowed);
  const double share = share_of("--compression", parts[0], 0.01, 1.0);
  std::uint32_t units = 10'000;
  auto stored = static_cast<std::uint32_t>(share * units + 0.5);
  for (const std::uint32_t factor : {2u, 5u}) {
    while (stored % factor == 0 && units % factor == 0) {
      stored /= factor;
      units /= factor;
    }
  }
  q.units = units;
  q.stored_low = q.stored_high = stored;
}

}  // namespace

void add_wa_arguments(CLI::App& command, WaArguments& a) {
  command.add_option("--policy", a.policy, joined(policy_names()))->capture_default_str();
  command.add_option("--d", a.d, "blocks drawn with replacement (d-choices)")->capture_default_str();
  command.add_option("--window", a.window, "share of the blocks, the oldest ones (windowed-greedy)")->capture_default_str();
  command.add_option("--parameter", a.parameters, "KEY=VALUE: a parameter of a policy of your own; repeatable")
      ->allow_extra_args(false);
  command
      .add_option(
          "--op", a.op,
          "over-provisioning (T-U)/U as a ratio or in per cent, 0.07 or 7%: T pages that can hold data, U logical pages")
      ->capture_default_str();
  command.add_option("--pages-per-block", a.pages_per_block, "pages in a block")->capture_default_str();
  command.add_option("--blocks", a.blocks, "blocks that hold data when a victim is picked")->capture_default_str();
  command
      .add_option("--workload", a.workload,
                  "uniform, sequential, hot-cold:R:F (share R of writes to share F of pages), zipf:S")
      ->capture_default_str();
  command
      .add_option("--frontiers", a.frontiers, "one, host+gc, hot+cold, hot+cold+gc, pools:SHARE (of the spare for hot data)")
      ->capture_default_str();
  command.add_option("--trim", a.trim, "Q:mapped or Q:any: a request is a trim with probability Q")->capture_default_str();
  command.add_option("--compression", a.compression, "stored size over host size, or LOW:HIGH:UNITS of a page")
      ->capture_default_str();
}

WaQuestion wa_question(const WaArguments& a) {
  WaQuestion q;
  read_policy(a.policy, a.parameters, q);
  q.d = number_of<std::uint32_t>("--d", a.d, a.d, 1, 65536);
  q.window = share_of("--window", a.window, 0.0001, 1.0);
  read_compression(a.compression, q);
  const bool compressed = q.stored_low + q.stored_high < 2 * q.units;
  q.op = ftlab::share_of({"--op", 0}, "", a.op, over_provisioning_range(compressed ? 0.0 : 0.0001, 100));
  q.pages_per_block = number_of<std::uint32_t>("--pages-per-block", a.pages_per_block, a.pages_per_block, 2, 65536);
  q.blocks = number_of<std::uint64_t>("--blocks", a.blocks, a.blocks, 4, 100'000'000);
  read_workload(a.workload, q);
  read_frontiers(a.frontiers, q);
  read_trim(a.trim, q);
  return q;
}

}  // namespace ftlab
