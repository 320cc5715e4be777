// Options of commands, in the forms that occur often.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include "sim/config/split.h"
#include "sim/core/error.h"

namespace ftlab {

// A list: the option is repeated, each time with one value.
inline CLI::Option* add_repeated(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                                 const std::string& about) {
  return command.add_option(name, values, about)->allow_extra_args(false);
}

// A number from `low` to `high`. Help shows its default value.
template <class Number>
CLI::Option* add_number(CLI::App& command, const std::string& name, Number& number, std::type_identity_t<Number> low,
                        std::type_identity_t<Number> high, const std::string& about) {
  return command.add_option(name, number, about)->check(CLI::Range(low, high))->capture_default_str();
}

// A seed. The parser would take -1 and numbers of more than 64 bits as the largest number, and 010 as 8.
inline CLI::Option* add_seed(CLI::App& command, std::uint64_t& seed, const std::string& about) {
  const auto problem = [](const std::string& text) {
    const auto number = parsed<std::uint64_t>(text);
    return number && std::to_string(*number) == text
               ? std::string()
               : printable(text) + " is not a seed (allowed: 0 to 18446744073709551615)";
  };
  return command.add_option("--seed", seed, about)->check(CLI::Validator(problem, "", "seed"))->capture_default_str();
}

// Throws ConfigError if the parser left over `words` of a command line. The parser would list them in arbitrary order without
// a nearest name, and report a missing option first, although one of them may be its misspelling.
inline void refuse_left_over(const CLI::App& command, const std::string& name, const std::vector<std::string>& words) {
  if (words.empty()) return;
  std::vector<std::string> known;
  for (const CLI::App* app = &command; app != nullptr; app = app->get_parent())
    for (const CLI::Option* option : app->get_options())
      for (const std::string& word : option->get_lnames()) known.push_back("--" + word);
  for (const CLI::App* inner : command.get_subcommands([](const CLI::App*) { return true; }))
    known.push_back(inner->get_name());
  const auto option = std::find_if(words.begin(), words.end(), [](const auto& word) { return word.starts_with('-'); });
  const std::string word = option == words.end() ? words.front() : option->substr(0, option->find('='));
  throw ConfigError({name, 0}, "", option == words.end() ? "has no place for this word" : "has no such option", word,
                    "those of " + name + " --help", nearest_name(word, known));
}

}  // namespace ftlab
