#include "sim/config/extends.h"

#include <map>
#include <nlohmann/json.hpp>

#include "sim/config/echo.h"
#include "sim/config/refusal.h"
#include "sim/testing/test.h"

namespace ftlab {
namespace {

using Files = std::map<std::string, std::string>;

Node load(const Files& files, const std::string& path) {
  return load_document(path, [&](const std::string& name) {
    const auto file = files.find(name);
    if (file == files.end()) throw ConfigError({name, 0}, "", "does not exist");
    return file->second;
  });
}

std::string loaded(const Files& files, const std::string& path) { return to_json(load(files, path)).dump(); }

std::string refused(const Files& files, const std::string& path) {
  return refusal([&] { load(files, path); });
}

TEST_CASE("a_document_is_laid_over_the_one_it_extends") {
  const Files files = {{"d/a.json", R"({"extends": "b.json", "x": 1, "o": {"p": 1}})"},
                       {"d/b.json", R"({"extends": "sub/c.json", "x": 2, "y": 2, "o": {"q": 2}})"},
                       {"d/sub/c.json", R"({"z": 3, "y": 3, "o": {"p": 3}})"}};
  CHECK(loaded(files, "d/a.json") == R"({"z":3,"y":2,"o":{"p":1,"q":2},"x":1})");
}

TEST_CASE("a_document_without_extends_is_itself") { CHECK(loaded({{"a", R"({"x":1})"}}, "a") == R"({"x":1})"); }

TEST_CASE("values_keep_the_name_of_the_file_that_contains_them") {
  const Node root = load({{"a.json", "{\"extends\": \"b.json\", \"x\": 1}"}, {"b.json", "{\n\"y\": 2}"}}, "a.json");
  CHECK(root.find("x")->file == "a.json");
  CHECK(root.find("y")->file == "b.json");
  CHECK(root.find("y")->line == 2);
}

TEST_CASE("a_base_outside_the_folder_is_refused") {
  for (const char* base : {"/etc/x.json", "../x.json", "s/../../x.json", ".."}) {
    const std::string message = refused({{"d/a.json", std::string("{\n\"extends\": \"") + base + "\"}"}}, "d/a.json");
    CHECK(message.rfind("d/a.json:2: extends: leads out of the folder", 0) == 0);
  }
  CHECK(refused({{"d/a.json", R"({"extends": "s/../b.json"})"}, {"d/b.json", "{}"}}, "d/a.json") == "accepted");
}

TEST_CASE("a_base_that_is_not_a_file_name_is_refused") {
  CHECK(refused({{"a", R"({"extends": 5})"}}, "a").rfind("a:1: extends: must name a file (got 5", 0) == 0);
  CHECK(refused({{"a", R"({"extends": ""})"}}, "a").rfind("a:1: extends: must name a file", 0) == 0);
}

TEST_CASE("a_base_that_cannot_be_read_is_refused_at_the_line_that_names_it") {
  CHECK(refused({{"d/a", "{\n\"extends\": \"b\"}"}}, "d/a") == "d/a:2: extends: d/b: does not exist");
  CHECK(refused({}, "a") == "a: does not exist");
}

TEST_CASE("a_broken_base_is_refused_at_its_own_line") {
  CHECK(refused({{"a", R"({"extends": "b"})"}, {"b", "{\n\n]"}}, "a").rfind("b:3: is not JSON here", 0) == 0);
}

TEST_CASE("documents_that_extend_each_other_are_refused") {
  CHECK(refused({{"a", R"({"extends": "b"})"}, {"b", R"({"extends": "./a"})"}}, "a") ==
        "b:1: extends: extends itself in a circle (got \"./a\")");
  CHECK(refused({{"a", R"({"extends": "a"})"}}, "./a") != "accepted");
}

TEST_CASE("a_chain_of_8_is_accepted_and_of_9_refused") {
  Files files;
  const auto name = [](int i) { return std::string(1, static_cast<char>('a' + i)); };
  for (int i = 0; i < 9; ++i) files[name(i)] = R"({"extends": ")" + name(i + 1) + "\"}";
  files["i"] = "{}";
  CHECK(refused(files, "b") == "accepted");
  CHECK(refused(files, "a") == "h:1: extends: makes the chain too long (got \"i\"; allowed: at most 8 files)");
}

}  // namespace
}  // namespace ftlab
