#include "sim/workload/files/shell.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace ftlab {
namespace {

constexpr std::size_t kDeepest = 8;           // nested command substitutions, and variables that refer to variables
constexpr std::size_t kMostLookUps = 20'000;  // values of variables in one text, those inside of other variables included

bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name(char c) { return is_name_start(c) || (c >= '0' && c <= '9'); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

class Splitter {
 public:
  Splitter(std::string_view text, std::size_t line, std::size_t depth, std::vector<ShellCommand>& commands)
      : text_(text), line_(line), depth_(depth), commands_(commands) {}

  void split() {
    while (at_ < text_.size()) step();
    end_command();
  }

 private:
  char now() const { return text_[at_]; }
  char next() const { return at_ + 1 < text_.size() ? text_[at_ + 1] : '\0'; }

  void step() {
    const char c = now();
    if (c == '\\') return escape();
    if (c == '\'' || c == '"') return quote(c);
    if (c == '`') return substitution(1, text_.find('`', at_ + 1));
    if (c == '$' && next() == '(') return substitution(2, closing_bracket(at_ + 2));
    if (c == '#' && word_.empty()) return comment();
    if (c == '>' || c == '<' || (c == '&' && next() == '>')) return redirect();
    if (is_blank(c)) return end_word(), advance(1);
    if (c == '\n' || c == ';' || c == '&' || c == '|' || c == '(' || c == ')') return end_command(), advance(1);
    take(1);
  }

  void escape() {
    const std::size_t blank = text_.substr(at_ + 1).starts_with("\r\n") ? 2 : next() == '\n' ? 1 : 0;
    blank > 0 ? advance(1 + blank) : take(2);
  }

  void quote(char mark) {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != mark) end += mark == '"' && text_[end] == '\\' ? 2 : 1;
    take(end - at_ + 1);
  }

  // Splits the commands inside separately; the word keeps the substitution as it is.
  void substitution(std::size_t opening, std::size_t end) {
    end = std::min(end, text_.size());
    if (depth_ < kDeepest)
      Splitter(text_.substr(at_ + opening, end - std::min(end, at_ + opening)), line_, depth_ + 1, commands_).split();
    take(end - at_ + 1);
  }

  std::size_t closing_bracket(std::size_t from) const {
    for (std::size_t open = 1; from < text_.size(); ++from) {
      open += text_[from] == '(' ? 1 : 0;
      if (text_[from] == ')' && --open == 0) break;
    }
    return from;
  }

  void comment() { advance(std::min(text_.find('\n', at_), text_.size()) - at_); }

  // "2>&1", ">>FILE", "&>FILE": the next word belongs to the redirection.
  void redirect() {
    const bool number =
        !word_.empty() && std::all_of(word_.begin(), word_.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (number) word_.clear();
    end_word();
    while (at_ < text_.size() && (now() == '>' || now() == '<' || now() == '&')) advance(1);
    while (at_ < text_.size() && is_blank(now())) advance(1);
    drops_word_ = true;
  }

  void end_word() {
    if (!word_.empty() && !drops_word_) command_.push_back({word_, word_line_});
    if (!word_.empty()) drops_word_ = false;
    word_.clear();
  }

  void end_command() {
    end_word();
    drops_word_ = false;
    if (!command_.empty()) commands_.push_back(std::move(command_));
    command_.clear();
  }

  void take(std::size_t count) {
    if (word_.empty()) word_line_ = line_;
    word_ += text_.substr(at_, count);
    advance(count);
  }

  void advance(std::size_t count) {
    const std::string_view passed = text_.substr(at_, count);
    line_ += static_cast<std::size_t>(std::count(passed.begin(), passed.end(), '\n'));
    at_ = std::min(at_ + count, text_.size());
  }

  std::string_view text_;
  std::size_t line_;
  std::size_t depth_;
  std::vector<ShellCommand>& commands_;
  std::size_t at_ = 0;
  ShellCommand command_;
  std::string word_;
  std::size_t word_line_ = 0;
  bool drops_word_ = false;  // the next word is the target of a redirection
};

// Removes quotes and backslashes. `variable` gets the text after an active $ or `, and removes from it what it replaces.
template <class Variable>
std::string without_quotes(std::string_view raw, Variable variable) {
  std::string text;
  char quote = 0;
  while (!raw.empty()) {
    const char c = raw.front();
    raw.remove_prefix(1);
    if (quote == '\'') {
      c == '\'' ? static_cast<void>(quote = 0) : text.push_back(c);
    } else if (c == '\\') {
      const bool escapes =
          quote == 0 || raw.empty() || std::string_view("$`\"\\").find(raw.front()) != std::string_view::npos;
      if (!escapes) text += c;
      if (!raw.empty()) text += raw.front(), raw.remove_prefix(1);
    } else if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == '$' || c == '`') {
      text += variable(c, raw);
    } else {
      text += c;
    }
  }
  return text;
}

// Position of the bracket that closes the inner one of "((", or the end of the text.
std::size_t inner_bracket(std::string_view text) {
  std::size_t at = 2;
  for (std::size_t open = 1; at < text.size(); ++at) {
    open += text[at] == '(' ? 1 : 0;
    if (text[at] == ')' && --open == 0) break;
  }
  return at;
}

bool closes_quotes(std::string_view raw) {
  char quote = 0;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] == '\\' && quote != '\'')
      ++i;
    else if (quote == 0 ? raw[i] == '\'' || raw[i] == '"' : raw[i] == quote)
      quote = quote == 0 ? raw[i] : 0;
  }
  return quote == 0;
}

// Removes "NAME" or "{NAME}" from the front of `rest` and returns the name; returns other expansions as written.
std::string taken_name(std::string_view& rest) {
  std::size_t end = 0;
  const bool braces = rest.starts_with('{');
  if (braces)
    end = std::min(rest.find('}'), rest.size() - 1) + 1;
  else if (!rest.empty() && !is_name_start(rest.front()))
    end = 1;  // $1, $?
  else
    while (end < rest.size() && is_name(rest[end])) ++end;
  const std::string name(braces ? rest.substr(1, end - std::min<std::size_t>(end, 2)) : rest.substr(0, end));
  rest.remove_prefix(end);
  return name;
}

constexpr std::size_t kDeepestBracket = 64;  // brackets and signs within each other
constexpr std::string_view kNameCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

using Value = std::optional<std::int64_t>;

Value combined(char operation, std::int64_t left, std::int64_t right) {
  std::int64_t result = 0;
  const bool divides = operation == '/' || operation == '%';
  if (divides && (right == 0 || right == -1))
    return right == 0 || left == INT64_MIN ? std::nullopt : Value(operation == '/' ? -left : 0);
  bool beyond = false;
  if (operation == '+') beyond = __builtin_add_overflow(left, right, &result);
  if (operation == '-') beyond = __builtin_sub_overflow(left, right, &result);
  if (operation == '*') beyond = __builtin_mul_overflow(left, right, &result);
  if (divides) result = operation == '/' ? left / right : left % right;
  return beyond ? std::nullopt : Value(result);
}

// Removes a number from the front of `text`.
Value taken_number(std::string_view& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc() ? Value(number) : std::nullopt;
}

// Value of a variable, named with or without $. May throw.
using Variable = std::function<std::string(const std::string& name)>;

// Arithmetic of a shell, the text between $(( and )): whole numbers, + - * / % and brackets, with a shell's precedence.
class Expression {
 public:
  Expression(std::string_view text, const Variable& variable) : rest_(text), variable_(variable) {}

  // nullopt for anything else, for a division by zero, and beyond 64 bits.
  Value value() {
    const Value sum = chain("+-");
    return next() == '\0' ? sum : std::nullopt;
  }

 private:
  char next() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\n"), rest_.size()));
    return rest_.empty() ? '\0' : rest_.front();
  }

  // Operands joined by operators of one precedence, from left to right.
  Value chain(std::string_view operators) {
    const bool sums = operators.front() == '+';
    Value left = sums ? chain("*/%") : operand();
    while (left && next() != '\0' && operators.find(next()) != operators.npos) {
      const char operation = next();
      rest_.remove_prefix(1);
      const Value right = sums ? chain("*/%") : operand();
      left = right ? combined(operation, *left, *right) : std::nullopt;
    }
    return left;
  }

  Value operand() {
    if (++depth_ > kDeepestBracket) return std::nullopt;
    const char c = next();
    Value found;
    if (c == '-' || c == '+') {
      rest_.remove_prefix(1);
      const Value signless = operand();
      found = signless ? combined(c, 0, *signless) : std::nullopt;
    } else if (c == '(') {
      rest_.remove_prefix(1);
      found = chain("+-");
      if (next() != ')') return std::nullopt;
      rest_.remove_prefix(1);
    } else {
      found = c >= '0' && c <= '9' ? taken_number(rest_) : named();
    }
    --depth_;
    return found;
  }

  // NAME, $NAME or ${NAME}, a variable that holds a number.
  Value named() {
    if (rest_.starts_with('$')) rest_.remove_prefix(1);
    const bool braces = rest_.starts_with('{');
    if (braces) rest_.remove_prefix(1);
    const std::size_t length = std::min(rest_.find_first_not_of(kNameCharacters), rest_.size());
    const std::string name(rest_.substr(0, length));
    rest_.remove_prefix(length);
    if (braces && !rest_.starts_with('}')) return std::nullopt;
    if (braces) rest_.remove_prefix(1);
    if (name.empty()) return std::nullopt;
    const std::string text = variable_(name);
    std::string_view left = text;
    const Value value = taken_number(left);
    return left.empty() ? value : std::nullopt;
  }

  std::string_view rest_;
  const Variable& variable_;
  std::size_t depth_ = 0;
};

}  // namespace

std::vector<ShellCommand> split_commands(std::string_view script) {
  std::vector<ShellCommand> commands;
  Splitter(script, 1, 0, commands).split();
  return commands;
}

std::string unquoted(std::string_view raw) {
  return without_quotes(raw, [](char c, std::string_view&) { return std::string(1, c); });
}

bool is_assignment(std::string_view raw) {
  const std::size_t equals = raw.find('=');
  return equals != raw.npos && equals > 0 && is_name_start(raw.front()) &&
         std::all_of(raw.begin(), raw.begin() + static_cast<std::ptrdiff_t>(equals), is_name);
}

void ShellVariables::assign(const ShellCommand& command) {
  const auto sets = [](const ShellWord& word) {
    return is_assignment(word.raw) || word.raw == "export" || word.raw == "local" || word.raw == "declare" ||
           word.raw == "readonly";
  };
  if (!std::all_of(command.begin(), command.end(), sets)) return;
  for (const ShellWord& word : command) {
    const std::size_t equals = word.raw.find('=');
    if (equals != std::string::npos) assigned_[word.raw.substr(0, equals)] = {word.raw.substr(equals + 1), word.line};
  }
}

bool ShellVariables::is_known(const std::string& name) const {
  return assigned_.count(name) != 0 || (environment_ && environment_(name) != nullptr);
}

// Also expands "NAME:-DEFAULT".
std::string ShellVariables::value_of(const std::string& name, const ShellWord& word, const std::string& file,
                                     std::size_t depth) const {
  if (++look_ups_ > kMostLookUps)
    throw ConfigError({file, word.line}, {}, "variables refer to each other too often", word.raw, "the value in its place");
  if (const std::size_t otherwise = name.find(":-"); otherwise != name.npos)
    return is_known(name.substr(0, otherwise)) ? value_of(name.substr(0, otherwise), word, file, depth)
                                               : name.substr(otherwise + 2);
  const auto found = assigned_.find(name);
  if (found != assigned_.end() && depth < kDeepest) return expanded(found->second, file, depth + 1);
  const char* value = environment_ && found == assigned_.end() ? environment_(name) : nullptr;
  if (value != nullptr) return value;
  throw ConfigError({file, word.line}, {}, "the shell variable $" + printable(name) + " is not known here", word.raw,
                    "its value in its place, or the variable in the environment");
}

std::string ShellVariables::expanded(const ShellWord& word, const std::string& file) const {
  return expanded(word, file, 0);
}

// Removes "((EXPRESSION))" from the front of `rest` and returns its value.
std::string ShellVariables::computed(std::string_view& rest, const ShellWord& word, const std::string& file,
                                     std::size_t depth) const {
  const std::size_t end = inner_bracket(rest);
  const Variable variable = [&](const std::string& name) { return value_of(name, word, file, depth); };
  const Value value = Expression(rest.substr(0, end).substr(2), variable).value();
  if (!rest.substr(end).starts_with("))") || !value)
    throw ConfigError({file, word.line}, {}, "arithmetic that is not computed here", word.raw,
                      "whole numbers with + - * / % and brackets, or the value in its place");
  rest.remove_prefix(end + 2);
  return std::to_string(*value);
}

std::string ShellVariables::expanded(const ShellWord& word, const std::string& file, std::size_t depth) const {
  if (!closes_quotes(word.raw)) throw ConfigError({file, word.line}, {}, "a quote that does not end", word.raw);
  return without_quotes(word.raw, [&](char c, std::string_view& rest) -> std::string {
    if (c == '$' && rest.starts_with("((")) return computed(rest, word, file, depth);
    if (c == '`' || rest.starts_with('('))
      throw ConfigError({file, word.line}, {}, "the output of a shell command is not known here", word.raw,
                        "its value in its place");
    if (rest.empty()) return "$";
    return value_of(taken_name(rest), word, file, depth);
  });
}

}  // namespace ftlab
