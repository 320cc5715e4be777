#include "sim/core/archive.h"

#include <chrono>
#include <limits>
#include <utility>

#include "sim/core/random.h"
#include "sim/core/signature.h"
#include "sim/testing/test.h"

namespace ftlab {
namespace {

enum class Colour : std::uint8_t { red, green };
enum Loose { loose };
struct Pair {
  std::uint32_t a;
  std::uint32_t b;
};
struct Padded {
  std::uint64_t a;
  std::uint8_t b;
};
using Time = std::chrono::duration<std::uint64_t, std::nano>;

static_assert(Archivable<Pair>::value && Archivable<Colour>::value && Archivable<Time>::value);
static_assert(Archivable<double>::value && Archivable<std::array<double, 3>>::value && Archivable<bool[2][2]>::value);
static_assert(Archivable<RandomStream>::value);
static_assert(!Archivable<Padded>::value && !Archivable<int*>::value && !Archivable<std::string>::value);
static_assert(!Archivable<Loose>::value, "its values are only those of its enumerators' bits");

// A typical component: one function saves and loads it.
struct Component {
  explicit Component(std::size_t entries) : column(entries) {}
  void archive(Archive& file) {
    file.section("scalars");
    file.value(count);
    file.value(ratio);
    file.value(colour);
    file.value(time);
    file.value(flag);
    file.value(pair);
    file.value(table);
    file.section("tables");
    file.column(column);
    file.list(list, 10);
    file.text(name, 20);
  }
  std::uint64_t count = 0;
  double ratio = 0;
  Colour colour = Colour::red;
  Time time{0};
  bool flag = false;
  Pair pair{};
  std::array<std::uint16_t, 3> table{};
  Column<std::uint32_t> column;
  std::vector<Pair> list;
  std::string name;
};

Component example() {
  Component made(5);
  made.count = std::numeric_limits<std::uint64_t>::max();
  made.ratio = -0.1;
  made.colour = Colour::green;
  made.time = Time{123};
  made.flag = true;
  made.pair = {7, 8};
  made.table = {1, 2, 65535};
  for (std::uint32_t i = 0; i < 5; ++i) made.column[i] = 100 + i;
  made.list = {{1, 2}, {3, 4}};
  made.name = std::string("a\0b", 3);
  return made;
}

template <class Walk>
std::string saved(Walk&& walk) {
  Archive file = Archive::saving();
  walk(file);
  return file.finish();
}

std::string saved(Component component) {
  return saved([&](Archive& file) { component.archive(file); });
}

// Error message of loading; empty if the file is accepted.
template <class Walk>
std::string refusal(const std::string& bytes, Walk&& walk) {
  try {
    Archive file = Archive::loading(bytes);
    walk(file);
    file.end();
  } catch (const ArchiveError& error) {
    return error.what();
  }
  return "";
}

std::string component_refusal(const std::string& bytes, std::size_t entries = 5) {
  Component loaded(entries);
  return refusal(bytes, [&](Archive& file) { loaded.archive(file); });
}

using Catch::Matchers::Contains;
const auto kNothing = [](Archive&) {};

TEST_CASE("a file streamed in pieces has the same bytes as one made in memory") {
  std::vector<std::uint32_t> small(7, 3), large(700'000, 9);
  const auto write = [&](Archive& archive) {
    archive.section("lists");
    for (auto* list : {&small, &large, &small}) archive.list(*list, 1'000'000);
  };
  Archive memory = Archive::saving(), measure = Archive::measuring();
  write(memory);
  write(measure);
  std::string streamed;
  Archive out = Archive::streaming(measure.payload_bytes(), [&streamed](std::string_view piece) { streamed += piece; });
  write(out);
  out.finish();
  CHECK(streamed == memory.finish());
  Archive back = Archive::viewing(streamed);
  std::vector<std::uint32_t> again;
  back.section("lists");
  back.list(again, 10);
  CHECK(again == small);
}

TEST_CASE("a_loaded_component_equals_the_saved_one") {
  const Component made = example();
  const std::string bytes = saved(made);
  Archive file = Archive::loading(bytes);
  REQUIRE(file.loading());
  Component loaded(5);
  loaded.archive(file);
  file.end();
  CHECK(loaded.count == made.count);
  CHECK(loaded.ratio == made.ratio);
  CHECK(loaded.colour == Colour::green);
  CHECK(loaded.time == made.time);
  CHECK(loaded.flag);
  CHECK((loaded.pair.a == 7 && loaded.pair.b == 8));
  CHECK(loaded.table == made.table);
  for (std::size_t i = 0; i < 5; ++i) CHECK(loaded.column[i] == 100 + i);
  CHECK((loaded.list.size() == 2 && loaded.list[1].b == 4));
  CHECK(loaded.name == made.name);
  CHECK(saved(loaded) == bytes);
}

TEST_CASE("the_bytes_of_a_file_are_pinned") {
  Signature signature;
  for (const char byte : saved(example())) signature.add(static_cast<unsigned char>(byte));
  CHECK(signature.text() == "3a01ef6b90cc7efe");  // a change here requires a new kArchiveVersion
}

TEST_CASE("an_empty_state_and_empty_tables_can_be_saved") {
  CHECK(refusal(saved(kNothing), kNothing).empty());
  CHECK(saved(kNothing).size() == 32);
  CHECK(component_refusal(saved(Component(0)), 0).empty());
}

TEST_CASE("the_expected_size_does_not_change_the_file") {
  Component made = example();
  Archive file = Archive::saving(1000);
  made.archive(file);
  CHECK(file.finish() == saved(made));
}

TEST_CASE("a_file_with_any_one_byte_changed_is_refused") {
  const std::string good = saved(example());
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const int flip : {1, 0x80, 0xff}) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ flip);
      REQUIRE_FALSE(refusal(bad, kNothing).empty());
    }
  }
}

TEST_CASE("a_truncated_or_lengthened_file_is_refused") {
  const std::string good = saved(example());
  for (std::size_t size = 0; size < good.size(); ++size) {
    const std::string problem = refusal(good.substr(0, size), kNothing);
    REQUIRE_THAT(problem, size < 12   ? Contains("this is not a state of ftlab: it does not begin with \"ftlab state\".")
                          : size < 32 ? Contains("the state is cut short: it ends within its header.")
                                      : Contains("the state is cut short: it should hold "));
  }
  CHECK_THAT(component_refusal(good + "x"), Contains("too long"));
}

TEST_CASE("the_checksum_detects_two_exchanged_words") {
  std::string bytes = saved([](Archive& file) {
    std::array<std::uint64_t, 32> words;
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = i;
    file.value(words);
  });
  for (const std::size_t apart : {8, 16, 32, 64}) {
    std::string bad = bytes;
    for (std::size_t i = 0; i < 8; ++i) std::swap(bad[32 + i], bad[32 + apart + i]);
    CHECK_THAT(refusal(bad, kNothing), Contains("the state is damaged: its checksum does not fit its bytes."));
  }
}

TEST_CASE("files_of_another_program_or_version_are_refused") {
  CHECK_THAT(component_refusal(std::string(1000, 'x')), Contains("does not begin with \"ftlab state\""));
  std::string other = saved(example());
  other[12] = static_cast<char>(kArchiveVersion + 1);
  CHECK_THAT(component_refusal(other), Contains("a newer ftlab"));
  other[12] = static_cast<char>(kArchiveVersion - 1);
  CHECK_THAT(component_refusal(other), Contains("an older ftlab"));
}

TEST_CASE("the_error_of_an_unexpected_section_names_both_sections") {
  const std::string bytes = saved([](Archive& file) { file.section("blocks"); });
  const std::string problem = refusal(bytes, [](Archive& file) { file.section("mapping"); });
  CHECK_THAT(problem, Contains("the file holds section \"blocks\" in its place.") && Contains("mapping"));
}

TEST_CASE("values_where_a_section_should_begin_are_refused") {
  const auto expect_wear = [](Archive& file) { file.section("wear"); };
  for (const std::size_t size : {0, 1, 3, 4, 9}) {
    const std::string bytes = saved([&](Archive& file) {
      for (std::size_t i = 0; i < size; ++i) {
        std::uint8_t x = 1;
        file.value(x);
      }
    });
    CHECK_THAT(refusal(bytes, expect_wear),
               Contains("\"wear\"") && Contains(size == 0 ? "the file ends before it." : "it should begin at byte 24, "));
  }
}

TEST_CASE("the_error_of_a_wrong_column_length_gives_both_lengths") {
  CHECK_THAT(component_refusal(saved(example()), 6),
             Contains("a column has 5 entries where this drive has 6") && Contains("tables"));
  CHECK_THAT(component_refusal(saved(example()), 4), Contains("another configuration"));
}

TEST_CASE("wrong_lengths_are_refused_before_memory_is_allocated") {
  const auto load_list = [](Archive& file) {
    std::vector<Pair> list;
    file.list(list, ~std::uint64_t{0});
  };
  const auto load_text = [](Archive& file) {
    std::string text;
    file.text(text, ~std::uint64_t{0});
  };
  for (const std::uint64_t lie : {std::uint64_t{2}, std::uint64_t{1} << 40, std::uint64_t{1} << 61, ~std::uint64_t{0}}) {
    const std::string bytes = saved([&](Archive& file) {
      std::uint64_t length = lie;
      std::uint8_t content = 0;
      file.value(length);
      file.value(content);
    });
    CHECK_THAT(refusal(bytes, load_list), Contains(" entries, more than the file holds."));
    CHECK_THAT(refusal(bytes, load_text), Contains("more than the file holds"));
    CHECK_THAT(refusal(bytes,
                       [](Archive& file) {
                         Column<std::uint64_t> column(2);
                         file.column(column);
                       }),
               lie == 2 ? Contains("the file ends within it") : Contains("where this drive has 2"));
  }
}

TEST_CASE("a_list_above_its_maximum_length_is_refused") {
  const auto with_most = [](std::uint64_t most) {
    return [most](Archive& file) {
      std::vector<std::uint16_t> list(3);
      file.list(list, most);
    };
  };
  CHECK(refusal(saved(with_most(3)), with_most(3)).empty());
  CHECK_THAT(refusal(saved(with_most(3)), with_most(2)), Contains("3 entries where at most 2 can be"));
  CHECK_THROWS_AS(saved(with_most(2)), CheckFailed);
}

TEST_CASE("a_count_above_its_maximum_is_refused") {
  const auto with_most = [](std::uint32_t most) {
    return [most](Archive& file) {
      std::uint32_t three = 3;
      file.count(three, most);
    };
  };
  CHECK(refusal(saved(with_most(3)), with_most(3)).empty());
  CHECK_THAT(refusal(saved(with_most(3)), with_most(2)), Contains("a count is 3, where at most 2 fit."));
}

TEST_CASE("a_bool_that_is_neither_0_nor_1_is_refused") {
  const std::string bytes = saved([](Archive& file) {
    std::array<std::uint8_t, 2> two = {1, 2};
    file.value(two);
  });
  const std::string problem = refusal(bytes, [](Archive& file) {
    bool yes = false, neither = false;
    file.value(yes);
    file.value(neither);
  });
  CHECK_THAT(problem, Contains("a value that is yes or no is neither."));
  CHECK_THAT(refusal(bytes,
                     [](Archive& file) {
                       std::array<bool, 2> flags{};
                       file.value(flags);
                     }),
             Contains("neither"));
}

TEST_CASE("surplus_or_missing_bytes_are_refused") {
  const std::string bytes = saved([](Archive& file) {
    std::uint32_t x = 1;
    file.value(x);
  });
  CHECK_THAT(refusal(bytes, kNothing), Contains("after it 4 bytes are left over."));
  CHECK_THAT(refusal(bytes,
                     [](Archive& file) {
                       std::uint64_t x = 0;
                       file.value(x);
                     }),
             Contains("the file ends within it (8 bytes are needed, 4 are left)."));
}

TEST_CASE("calls_for_loading_fail_when_saving_and_vice_versa") {
  CHECK_THROWS_AS(Archive::saving().end(), CheckFailed);
  CHECK_THROWS_AS(Archive::loading(saved(kNothing)).finish(), CheckFailed);
}

TEST_CASE("lists of another length and moments beyond a century are refused, durations are no moments") {
  const auto made = [](std::vector<std::uint32_t> numbers, Nanoseconds moment) {
    Archive out = Archive::saving();
    out.section("part");
    out.list(numbers, 100);
    out.value(moment);
    return out.finish();
  };
  const auto loaded = [](const std::string& file, bool is_duration = false) {
    std::vector<std::uint32_t> numbers(3);
    Nanoseconds moment{0};
    try {
      Archive in = Archive::loading(file);
      in.section("part");
      in.exact(numbers);
      is_duration ? in.duration(moment) : in.value(moment);
      return std::to_string(in.latest().count());
    } catch (const ArchiveError& error) {
      return std::string(error.what());
    }
  };
  const std::string front = "the state does not fit: section \"part\": ";
  CHECK(loaded(made({1, 4, 0}, Nanoseconds{7})) == "7");
  CHECK(loaded(made({1, 4, 0}, Nanoseconds{7}), true) == "0");
  CHECK(loaded(made({1, 4, 0}, kNever)) == "0");
  CHECK(loaded(made({1, 4}, Nanoseconds{7})) == front + "a list is shorter than this drive has it.");
  for (const bool is_duration : {false, true})
    CHECK(loaded(made({1, 4, 9}, Nanoseconds{(std::uint64_t{1} << 62) + 1}), is_duration) ==
          front + "a moment or a duration is longer than a century.");
}

}  // namespace
}  // namespace ftlab
