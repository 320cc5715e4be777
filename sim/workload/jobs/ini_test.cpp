#include "sim/workload/jobs/ini.h"

#include <map>

#include "sim/workload/testing/jobs.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

std::vector<Section> sections(const std::string& text, const std::map<std::string, std::string>& files = {},
                              const std::string& file = "test.fio") {
  JobContext context;
  context.capacity_bytes = kMiB;
  context.environment = [](const std::string& name) -> const char* {
    return name == "BLOCK" ? "8k" : name == "DOLLAR" ? "${BLOCK}" : nullptr;
  };
  context.include = [files](const std::string& name) {
    if (files.count(name) == 0) throw ConfigError({name, 0}, {}, "does not exist");
    return files.at(name);
  };
  return read_sections(text, file, context);
}

std::string problem(const std::string& text, const std::map<std::string, std::string>& files = {}) {
  try {
    sections(text, files);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

// "key=value" of the only section, or "key" if it has no value.
std::string only_setting(const std::string& line, const std::map<std::string, std::string>& files = {}) {
  const std::vector<Section> all = sections("[j]\n" + line + "\n", files);
  REQUIRE(all.size() == 1);
  REQUIRE(all[0].settings.size() == 1);
  const Setting& setting = all[0].settings[0];
  return setting.key + (setting.has_value ? "=" + setting.value : "");
}

}  // namespace

TEST_CASE("sections keep their order, names and lines", "[workload]") {
  const std::vector<Section> all = sections("; comment\n[global]\nbs=4k\n\n[ first job ]\nrw=read\n[global]\n[second]\n");
  REQUIRE(all.size() == 4);
  CHECK(all[0].is_global());
  CHECK(all[1].name == "first job");
  CHECK_FALSE(all[1].is_global());
  CHECK(all[1].place.line == 5);
  CHECK(all[1].settings[0].place.line == 6);
  CHECK(all[2].is_global());
  CHECK(all[3].settings.empty());
}

TEST_CASE("a name that begins with global is global, as in fio", "[workload]") {
  CHECK(sections("[global-settings]\n")[0].is_global());
  CHECK_FALSE(sections("[my-global]\n")[0].is_global());
}

TEST_CASE("blanks around keys and values, comments and carriage returns are ignored", "[workload]") {
  CHECK(only_setting("  bs =4k  ; four") == "bs=4k");
  CHECK(only_setting("bs=4k#four") == "bs=4k");
  CHECK(only_setting("bs=4k\r") == "bs=4k");
  CHECK(only_setting("\tnorandommap\t") == "norandommap");
  CHECK(only_setting("description=a = b") == "description=a = b");
  CHECK(only_setting("description=") == "description=");
}

TEST_CASE("a blank before a value is recorded", "[workload]") {
  CHECK(sections("[j]\nbs= 4k\n")[0].settings[0].blank_first);
  CHECK_FALSE(sections("[j]\nbs=4k\n")[0].settings[0].blank_first);
}

TEST_CASE("variables of the environment are expanded once", "[workload]") {
  CHECK(only_setting("bs=${BLOCK}") == "bs=8k");
  CHECK(only_setting("bs=${BLOCK},${BLOCK}") == "bs=8k,8k");
  CHECK(only_setting("description=${DOLLAR}") == "description=${BLOCK}");
  CHECK(problem("[j]\nbs=${NONE}\n") == "test.fio:2: bs: the variable ${NONE} is not set (got ${NONE})");
  CHECK(problem("[j]\nbs=${BLOCK\n") == "test.fio:2: bs: '${' without '}' (got ${BLOCK)");
}

TEST_CASE("fio's page size is 4096 bytes, alone or in a product", "[workload]") {
  CHECK(only_setting("bs=$pagesize") == "bs=4096");
  CHECK(only_setting("bs=4*$pagesize") == "bs=16384");
  CHECK(problem("[j]\nbs=$pagesize*x\n").find("whole numbers") != std::string::npos);
  CHECK(problem("[j]\nbs=9999999999*9999999999*$pagesize\n").find("too large") != std::string::npos);
}

TEST_CASE("words that depend on the host machine are refused", "[workload]") {
  CHECK(problem("[j]\nnumjobs=$ncpus\n").find("depend on the machine") != std::string::npos);
  CHECK(problem("[j]\nsize=$mb_memory\n").find("depend on the machine") != std::string::npos);
}

TEST_CASE("variables cannot make a value arbitrarily long", "[workload]") {
  std::string line = "description=";
  for (int i = 0; i < 500; ++i) line += "$pagesize";
  CHECK(line.size() > 4096);
  CHECK(problem("[j]\n" + line).find("line too long") != std::string::npos);
  JobContext context;
  const std::string kilobyte(1024, 'x');
  context.environment = [&](const std::string&) { return kilobyte.c_str(); };
  CHECK_THROWS_AS(read_sections("[j]\ndescription=${A}${A}${A}${A}${A}\n", "f", context), ConfigError);
}

TEST_CASE("an included file is replaced by its lines, which keep their own places", "[workload]") {
  const std::vector<Section> all = sections("[j]\ninclude a.inc\nrw=read\n", {{"a.inc", "\nbs=8k\n"}});
  REQUIRE(all[0].settings.size() == 2);
  CHECK(all[0].settings[0].key == "bs");
  CHECK(all[0].settings[0].place.file == "a.inc");
  CHECK(all[0].settings[0].place.line == 2);
  CHECK(all[0].settings[1].place.line == 3);
}

TEST_CASE("an included file is looked up next to the file that includes it, as in fio", "[workload]") {
  const std::map<std::string, std::string> files = {{"sub/a.inc", "include b.inc\n"}, {"sub/b.inc", "bs=8k\n"}};
  const std::vector<Section> all = sections("[j]\ninclude sub/a.inc\n", files, "jobs/test.fio");
  REQUIRE(all[0].settings.size() == 1);
  CHECK(all[0].settings[0].place.file == "jobs/sub/b.inc");
}

TEST_CASE("included files cannot recur, nest deep, open sections or be missing", "[workload]") {
  CHECK(problem("[j]\ninclude a\n", {{"a", "include b\n"}, {"b", "include a\n"}})
            .find("b:1: include: the file includes itself") == 0);
  CHECK(problem("[j]\ninclude test.fio\n").find("includes itself") != std::string::npos);
  CHECK(problem("[j]\ninclude a\n", {{"a", "[k]\n"}}).find("no sections") != std::string::npos);
  CHECK(problem("[j]\ninclude a\n").find("test.fio:2: include: a: does not exist") == 0);
  CHECK(problem("include a\n").find("before the first section") != std::string::npos);
  std::map<std::string, std::string> chain;
  for (char c = 'a'; c < 'z'; ++c) chain[std::string(1, c)] = std::string("include ") + static_cast<char>(c + 1) + "\n";
  CHECK(problem("[j]\ninclude a\n", chain).find("too many included files") != std::string::npos);
  std::string many = "[j]\n";
  for (int i = 0; i < 257; ++i) many += "include e\n";
  CHECK(problem(many, {{"e", ""}}).find("too many included files") != std::string::npos);
  CHECK(problem("[j]\ninclude a\n", {{"a", std::string(1 << 20, '\n')}}).find("too much text, included files counted") !=
        std::string::npos);
  const auto nowhere = [] { read_sections("[j]\ninclude a\n", "f", JobContext{}); };
  CHECK_THROWS_WITH(nowhere(), "f:2: include: included files cannot be read here (got a)");
}

TEST_CASE("text that is not a job file is refused with its line", "[workload]") {
  CHECK(problem("[j]\nbs=4\x01k\n").find("test.fio:2: control character") == 0);
  CHECK(problem("[j\n").find("test.fio:1: section header without ']'") == 0);
  CHECK(problem("[j] x\n").find("text after") != std::string::npos);
  CHECK(problem("[]\n").find("without a name") != std::string::npos);
  CHECK(problem("[j]\n=4\n").find("without an option") != std::string::npos);
  CHECK(problem("bs=4k\n").find("before the first section") != std::string::npos);
  CHECK(problem("[j]\n#" + std::string(4096, '-')).find("line too long") != std::string::npos);
  CHECK(problem("[" + std::string(256, 'j') + "]\n").find("section name too long") != std::string::npos);
  std::string sections;
  for (int i = 0; i < 4097; ++i) sections += "[j]\n";
  CHECK(problem(sections).find("too many sections") != std::string::npos);
  CHECK(problem(std::string((1 << 20) + 1, '\n')).find("too much text") != std::string::npos);
}
