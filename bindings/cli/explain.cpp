// ftlab explain: what a key of a drive file or host means, its default and its values in the library.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "bindings/cli/commands.h"
#include "bindings/cli/help/key_reference.h"
#include "ftl/drive/config/drive_defaults.h"
#include "sim/core/error.h"
#include "sim/counters.h"
#include "validation/run/open_device.h"
#include "validation/run/unusual_values.h"

namespace ftlab {
namespace {

const char* words_for(KeyMeaning::Needed needed) {
  switch (needed) {
    case KeyMeaning::Needed::always: return "wherever its object stands";
    case KeyMeaning::Needed::by_some_designs: return "by some designs";
    case KeyMeaning::Needed::never: break;
  }
  return "no, it may be left out";
}

// Orders decimal numbers by value: shorter ones first.
struct Smaller {
  bool operator()(const std::string& a, const std::string& b) const {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  }
};
using Owners = std::map<std::string, std::string, Smaller>;

// The SSDs and hosts of the library by name, read when they are first needed.
class Library {
 public:
  using Documents = std::vector<std::pair<std::string, Node>>;

  const Documents& drives() {
    if (drives_.empty()) {
      for (const std::string& name : drive_names()) drives_.emplace_back(name, load_drive(name, {}));
      std::erase_if(drives_, [](const auto& drive) { return is_disk(drive.second); });
    }
    return drives_;
  }
  const Documents& hosts() {
    if (hosts_.empty())
      for (const std::string& name : host_names()) hosts_.emplace_back(name, load_host(name));
    return hosts_;
  }

 private:
  Documents drives_, hosts_;
};

// The values of a key, each with the names of the drives or hosts that have it.
Owners values_of(const std::string& key, const Library::Documents& documents) {
  Owners owners;
  for (const auto& [name, document] : documents) {
    std::string all;
    for (const std::string& value : values_at(document, key)) all += (all.empty() ? "" : ", ") + value;
    if (!all.empty()) owners[all] += (owners[all].empty() ? "" : ", ") + name;
  }
  return owners;
}

// Defaults of the keys that a drive file leaves out.
std::vector<DriveDefault> defaults() {
  static const char kBare[] = R"({"geometry": {}, "nand": {}, "link": {"kind": "sata-6"}})";
  return missing_defaults(parse_document(kBare, kDefaultFile));
}

void print_default(const std::string& key) {
  for (const DriveDefault& one : defaults()) {
    if (one.key != key) continue;
    std::printf("  default   %s, %s\n", one.value.c_str(), one.source.c_str());
  }
}

void explain_key(const KeyMeaning& one, Library& library) {
  std::printf("%s: %s\n  allowed   %s\n  needed    %s\n", one.key.c_str(), one.meaning.c_str(), one.allowed.c_str(),
              words_for(one.needed));
  const std::string unit = unit_of_key(one.key);
  if (!unit.empty()) std::printf("  unit      %s\n", unit.c_str());
  print_default(one.key);
  const bool of_host = one.key.starts_with("host.");
  const auto owners = of_host ? values_of(one.key.substr(5), library.hosts()) : values_of(one.key, library.drives());
  if (owners.empty()) std::printf("  library   no %s states it\n", of_host ? "host" : "drive");
  for (const auto& [value, names] : owners) std::printf("  library   %s: %s\n", value.c_str(), names.c_str());
}

// The keys that a word can mean: the key itself, keys that end in it, or the keys of the object that it names.
std::vector<const KeyMeaning*> meant_by(const std::string& word) {
  if (const KeyMeaning* const own = meaning_of(word)) return {own};
  if (const KeyMeaning* const value = meaning_of(word + ".value")) return {value};
  std::vector<const KeyMeaning*> keys;
  for (const KeyMeaning& one : key_reference())
    if (one.key.ends_with("." + word) || one.key.starts_with(word + ".")) keys.push_back(&one);
  return keys;
}

const CounterField* counter_named(const std::string& word) {
  const auto found = std::find_if(std::begin(kCounterFields), std::end(kCounterFields),
                                  [&](const CounterField& field) { return word == field.name; });
  return found == std::end(kCounterFields) ? nullptr : &*found;
}

void explain_counter(const CounterField& counter) {
  std::printf("%s: %s\n  counter   %s\n", counter.name, counter.help,
              counter.kind == CounterField::level ? "state at a moment" : "sum since power-on; of a run, its share of it");
}

[[noreturn]] void refuse(const std::string& word) {
  std::vector<std::string> names;
  for (const CounterField& counter : kCounterFields) names.emplace_back(counter.name);
  for (const KeyMeaning& one : key_reference()) {
    const std::string key = one.key.substr(0, one.key.rfind(".value"));
    names.push_back(key);
    for (std::size_t dot = key.find('.'); dot != key.npos; dot = key.find('.', dot + 1))
      names.push_back(key.substr(dot + 1));
  }
  throw ConfigError({"ftlab explain", 0}, "", "is neither a key of a drive file or a host nor a counter", word,
                    "those of docs/drive_file_keys.md and docs/hosts.md; options of jobs are in docs/workloads.md, figures and "
                    "problems in docs/figures.md",
                    nearest_name(word, names));
}

int explain(const std::vector<std::string>& words) {
  for (const std::string& word : words)
    if (meant_by(word).empty() && counter_named(word) == nullptr) refuse(word);
  constexpr std::size_t kMostInFull = 3;
  Library library;
  for (const std::string& word : words) {
    const auto keys = meant_by(word);
    if (const CounterField* const counter = counter_named(word)) explain_counter(*counter);
    for (const KeyMeaning* const one : keys) {
      if (keys.size() <= kMostInFull)
        explain_key(*one, library);
      else
        std::printf("%-44s %s\n", one->key.c_str(), one->meaning.c_str());
    }
  }
  return kDone;
}

}  // namespace

void add_explain(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("explain", "explain keys of drive and host files, and counters of results");
  const auto words = std::make_shared<std::vector<std::string>>();
  command
      ->add_option("key", *words,
                   "keys, their last parts, objects, or counters, as nand.read_ns, read_ns, nand, copyback_pages")
      ->required();
  when_chosen(*command, session, [words] { return explain(*words); });
}

}  // namespace ftlab
