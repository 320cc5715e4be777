#include "sim/workload/jobs/variables.h"

#include <charconv>
#include <cstdint>
#include <limits>

namespace ftlab {

namespace {

// Value of fio's $pagesize: fixed, so that a job file means the same on every machine.
constexpr std::string_view kPageBytes = "4096";
constexpr std::size_t kLongestValue = 4096;

std::string value_of(const Setting& setting, const std::string& name, const JobContext& context) {
  const char* value = context.environment ? context.environment(name) : nullptr;
  if (value == nullptr) refuse(setting, "the variable ${" + printable(name) + "} is not set");
  return value;
}

void check_length(const Setting& setting, std::size_t length) {
  if (length > kLongestValue) {
    Setting shown = setting;
    shown.value.clear();
    refuse(shown, "value too long after its variables are filled in", "at most 4096 characters");
  }
}

// Expanded values are not searched again, so that a variable that names itself cannot loop.
void expand_environment(Setting& setting, const JobContext& context) {
  std::string filled;
  std::string_view rest = setting.value;
  for (std::size_t start = rest.find("${"); start != rest.npos; start = rest.find("${")) {
    const std::size_t end = rest.find('}', start);
    if (end == rest.npos) refuse(setting, "'${' without '}'");
    filled += rest.substr(0, start);
    filled += value_of(setting, std::string(rest.substr(start + 2, end - start - 2)), context);
    check_length(setting, filled.size());
    rest.remove_prefix(end + 1);
  }
  filled += rest;
  check_length(setting, filled.size());
  setting.value = filled;
}

bool parse_plain(std::string_view text, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

// Computes "2*4096". fio evaluates more than products, but nothing else was found in public job files.
std::string product_of(const Setting& setting, std::string_view text) {
  std::uint64_t product = 1;
  while (!text.empty()) {
    const std::size_t star = text.find('*');
    std::uint64_t factor = 0;
    if (!parse_plain(text.substr(0, star), factor))
      refuse(setting, "$pagesize can be multiplied by whole numbers only", "for example 2*$pagesize");
    if (factor != 0 && product > std::numeric_limits<std::uint64_t>::max() / factor)
      refuse(setting, "the product is too large");
    product *= factor;
    text = star == text.npos ? std::string_view{} : text.substr(star + 1);
  }
  return std::to_string(product);
}

void expand_page_size(Setting& setting) {
  constexpr std::string_view kWord = "$pagesize";
  if (setting.value.find(kWord) == std::string::npos) return;
  std::string filled = setting.value;
  for (std::size_t at = filled.find(kWord); at != filled.npos; at = filled.find(kWord))
    filled.replace(at, kWord.size(), kPageBytes);
  check_length(setting, filled.size());
  setting.value = filled.find('*') == filled.npos ? filled : product_of(setting, filled);
}

void refuse_host_words(const Setting& setting) {
  for (const char* word : {"$ncpus", "$mb_memory"})
    if (setting.value.find(word) != std::string::npos)
      refuse(setting, std::string(word) + " would make the result depend on the machine that computes it; write a number");
}

}  // namespace

void expand_variables(Setting& setting, const JobContext& context) {
  if (setting.value.find('$') == std::string::npos) return;
  expand_environment(setting, context);
  refuse_host_words(setting);
  expand_page_size(setting);
}

}  // namespace ftlab
