// Policies of a calling program, such as Python. Whatever they answer, the drive continues or reports an invalid answer. The
// input is the answers, one byte each, repeated cyclically.
#include <memory>

#include "ftl/drive/drive.h"
#include "ftl/gc/user_policies.h"
#include "sim/core/check.h"
#include "validation/fuzz/door.h"
#include "validation/fuzz/parts.h"
#include "validation/fuzz/seeds.h"

namespace ftlab::fuzz {
namespace {

constexpr int kPolicyRequests = 400;

class Answers {
 public:
  explicit Answers(std::string_view bytes) : bytes_(bytes) {}
  // Mostly small; sometimes "none", or far out of range.
  std::uint32_t next() {
    const std::uint8_t byte = bytes_.empty() ? 0 : static_cast<std::uint8_t>(bytes_[at_++ % bytes_.size()]);
    return byte < 0xf0 ? byte % 80 : byte == 0xff ? 0xffff'ffff : byte * 0x0101'0101u;
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

class AnsweringCollection final : public GcPolicy {
 public:
  explicit AnsweringCollection(Answers& answers) : answers_(answers) {}
  SuperblockId choose(const GcView&, RandomStream&) override { return SuperblockId{answers_.next()}; }

 private:
  Answers& answers_;
};

class AnsweringPlacement final : public PlacementPolicy {
 public:
  AnsweringPlacement(Answers& answers, bool by_superblock) : answers_(answers), by_superblock_(by_superblock) {}
  std::uint32_t of_host(Lpn, std::uint8_t, Version, Version) override { return answers_.next() % 4; }
  std::uint32_t of_relocated(Lpn, Version, Version, std::uint32_t) override { return answers_.next() % 4; }
  bool by_superblock() const override { return by_superblock_; }

 private:
  Answers& answers_;
  bool by_superblock_;
};

class AnsweringCache final : public CachePolicy {
 public:
  explicit AnsweringCache(Answers& answers) : answers_(answers) {}
  void clear() override {}
  void loaded(std::uint32_t) override {}
  void hit(std::uint32_t) override {}
  std::uint32_t victim(const MapCache&) override { return answers_.next(); }
  void evicted(std::uint32_t) override {}

 private:
  Answers& answers_;
};

void write_over(Drive& drive) {
  RandomStream random(1, "policy answers");
  Nanoseconds now{0};
  const std::uint64_t pages = drive.config().logical_pages();
  for (int i = 0; i < kPolicyRequests; ++i) {
    const Request request{0, Op::write, random.below(pages) * 4096, 4096, now};
    Completion done;
    drive.submit({&request, 1});
    drive.wait(kNever, {&done, 1});
    now = done.completed;
  }
}

// The first byte chooses which policies answer.
void enter_policy_answers(std::string_view input) {
  const std::uint8_t which = next_byte(input);
  static const DriveConfig plain = read_drive(tiny_drive({"user_sectors=2048"}));
  static const DriveConfig streams =
      read_drive(tiny_drive({"user_sectors=2048", R"(ftl.placement={"scheme": "streams", "streams": 3})",
                             "ftl.gc.start_free_superblocks=7", "ftl.gc.stop_free_superblocks=8"}));
  Answers answers(input);
  UserPolicies own;
  if (which % 4 != 1) own.collection = [&answers](std::uint32_t) { return std::make_unique<AnsweringCollection>(answers); };
  if (which % 4 != 0) own.placement = std::make_shared<AnsweringPlacement>(answers, which % 8 > 3);
  if (which % 4 == 3) own.map_cache = std::make_shared<AnsweringCache>(answers);
  Drive drive(own.overridden_by(which % 4 == 0 ? plain : streams), Clock::untimed);
  try {
    write_over(drive);
  } catch (const CheckFailed&) {  // reports an invalid answer
  }
}

std::vector<std::string> policy_answers_seeds() {
  return {std::string(1, '\0') + "0123456789", std::string("\1abcdefg\2\1"), std::string("\2\1\2\1\3\2"),
          std::string("\3\xff\1\2\xf0"), std::string("\5\1\2")};
}

}  // namespace

Door policy_answers() { return {"policy_answers", enter_policy_answers, policy_answers_seeds, 128, 1}; }

}  // namespace ftlab::fuzz
