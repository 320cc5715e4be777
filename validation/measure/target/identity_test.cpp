// R1, R2, R3, R7 and R8 on real files and loop devices: what is opened, how, and with which facts.
#include "validation/measure/target/identity.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <functional>

#include "validation/measure/preparation.h"
#include "validation/measure/target/facts.h"
#include "validation/measure/testing/facts.h"
#include "validation/measure/testing/loop.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMiB = 1 << 20;

std::string failure_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const TargetError& error) {
    return error.what();
  }
  return "";
}

std::string open_failure(const std::string& path) {
  return failure_of([&] { OpenTarget::open(path); });
}

// A folder whose files can be measured; if they cannot, tests are skipped.
struct DirectFolder : TestFolder {
  bool possible() const {
    const auto facts = gather_facts(OpenTarget::open(write("probe", std::string(4096, 'x'))));
    const bool direct = permitted(facts, reading(facts));
    if (!direct) WARN("skipped: " << path().string() << " is not a place for direct I/O");
    return direct;
  }
};

OnRecord on_record(const TestFolder& folder) { return keep_on_record(folder / "preamble.json", {{"seed", 1}}); }

int flags_of(int descriptor) { return fcntl(descriptor, F_GETFL); }

std::string content(const std::string& path) { return output_of("cat " + path).value_or(""); }

DeviceFacts facts_of(const OpenTarget& target) { return gather_facts(target, TestProcesses().view()); }

// Does not open the device, because that may be refused.
DeviceFacts facts_of_loop(const TestLoop& loop) {
  DeviceFacts facts;
  struct stat found {};
  REQUIRE(stat(loop.path().c_str(), &found) == 0);
  add_block_facts(facts, found.st_rdev, TestProcesses().view());
  return facts;
}

// Keeps a file open in a child process, for the life of this object.
class Opener {
 public:
  Opener(const std::string& path, int flags) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    child_ = fork();
    if (child_ == 0) {
      const char done = ::open(path.c_str(), flags) >= 0 ? 'y' : 'n';
      if (::write(ends[1], &done, 1) == 1) pause();
      _exit(0);
    }
    char done = 0;
    REQUIRE(::read(ends[0], &done, 1) == 1);
    CHECK(done == 'y');
    ::close(ends[0]);
    ::close(ends[1]);
  }
  ~Opener() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  std::string name() const { return "process " + std::to_string(child_); }

 private:
  pid_t child_;
};

}  // namespace

TEST_CASE("R1_R2_a_target_is_opened_read_only_direct_and_not_inherited") {
  const DirectFolder folder;
  if (!folder.possible()) return;
  const auto target = OpenTarget::open(folder.write("file", std::string(8192, 'x')));
  CHECK((flags_of(target.descriptor()) & O_ACCMODE) == O_RDONLY);
  CHECK((flags_of(target.descriptor()) & O_DIRECT) != 0);
  CHECK((flags_of(target.descriptor()) & O_NONBLOCK) == 0);
  CHECK((fcntl(target.descriptor(), F_GETFD) & FD_CLOEXEC) != 0);
  CHECK(::pwrite(target.descriptor(), "x", 1, 0) == -1);
  CHECK(errno == EBADF);  // the kernel's own refusal
}

TEST_CASE("R1_an_existing_file_with_contents_is_only_written_if_its_name_was_typed") {
  const DirectFolder folder;
  if (!folder.possible()) return;
  const auto target = OpenTarget::open(folder.write("precious", std::string(8192, 'x')));
  const auto facts = gather_facts(target);
  auto intent = writing(facts);
  CHECK(permitted(facts, intent));
  intent.destroy.reset();
  CHECK(refused(facts, intent, "R5", "--destroy=precious"));
}

TEST_CASE("R1_a_file_made_for_a_refused_run_is_removed_and_other_files_are_never_taken") {
  const DirectFolder folder;
  if (!folder.possible()) return;
  const auto path = folder / "new";
  { CHECK(gather_facts(OpenTarget::create(path, kMiB)).size_bytes == kMiB); }
  CHECK_FALSE(fs::exists(path));
  const auto other = folder.write("other", "text");
  CHECK(failure_of([&] { OpenTarget::create(other, kMiB); }).find("cannot be opened") != std::string::npos);
  CHECK(content(other) == "text");
  {
    const auto target = OpenTarget::create(path, kMiB);
    fs::rename(other, path);  // another file takes the name
  }
  CHECK(content(path) == "text");
}

TEST_CASE("a_file_too_large_for_the_disk_is_refused_before_the_measurement") {
  const DirectFolder folder;
  if (!folder.possible()) return;
  const auto path = folder / "large";
  CHECK_FALSE(failure_of([&] { OpenTarget::create(path, std::uint64_t{1} << 50); }).empty());
  CHECK_FALSE(fs::exists(path));
}

TEST_CASE("a_file_made_for_a_run_is_written_whole_before_the_measurement_and_a_found_one_is_not") {
  const DirectFolder folder;
  if (!folder.possible()) return;
  const auto path = folder / "new";
  const auto target = OpenTarget::create(path, 2 * kMiB + 4096);
  const auto letters = [](std::span<std::byte> bytes, std::uint64_t offset) {
    std::fill(bytes.begin(), bytes.end(), static_cast<std::byte>('a' + offset / kMiB));
  };
  target.fill_created_file(on_record(folder), letters);
  CHECK(content(path) == std::string(kMiB, 'a') + std::string(kMiB, 'b') + std::string(4096, 'c'));
  CHECK((flags_of(target.descriptor()) & O_ACCMODE) == O_RDONLY);
  const auto found = OpenTarget::open(folder.write("found", std::string(8192, 'x')));
  CHECK_THROWS_AS(found.fill_created_file(on_record(folder), letters), std::logic_error);
}

TEST_CASE("R10_writing_begins_after_the_preamble_and_on_the_same_descriptor") {
  const DirectFolder folder;
  if (!folder.possible()) return;
  auto target = OpenTarget::create(folder / "new", kMiB);
  const auto facts = gather_facts(target);
  const auto permit = permit_for(facts, writing(facts));
  target.allow_writing(permit, on_record(folder));
  CHECK((flags_of(target.descriptor()) & O_ACCMODE) == O_RDWR);
  CHECK((flags_of(target.descriptor()) & O_DIRECT) != 0);
  CHECK((fcntl(target.descriptor(), F_GETFD) & FD_CLOEXEC) != 0);
  CHECK(identity_of(target.descriptor()) == permit.identity());
  target.check_against(permit);
}

TEST_CASE("R10_a_target_cannot_be_opened_for_writing_without_the_right_to_write") {
  const DirectFolder folder;
  if (!folder.possible()) return;
  auto target = OpenTarget::create(folder / "new", kMiB);
  const auto facts = gather_facts(target);
  const auto permit = permit_for(facts, reading(facts));
  CHECK_THROWS_AS(target.allow_writing(permit, on_record(folder)), std::logic_error);
  CHECK((flags_of(target.descriptor()) & O_ACCMODE) == O_RDONLY);
}

TEST_CASE("R2_a_file_renamed_over_the_target_after_the_check_refuses") {
  const DirectFolder folder;
  if (!folder.possible()) return;
  const auto path = folder.write("target", std::string(8192, 'x'));
  const auto other = folder.write("other", std::string(8192, 'y'));
  auto target = OpenTarget::open(path);
  const auto facts = gather_facts(target);
  const auto permit = permit_for(facts, writing(facts));
  fs::rename(other, path);
  const auto record = on_record(folder);
  CHECK(failure_of([&] { target.allow_writing(permit, record); }).find("now leads to something else") != std::string::npos);
  CHECK((flags_of(target.descriptor()) & O_ACCMODE) == O_RDONLY);
}

TEST_CASE("R2_a_link_is_followed_once_and_later_changes_of_it_do_not_matter") {
  const DirectFolder folder;
  if (!folder.possible()) return;
  const auto meant = folder.write("meant", std::string(8192, 'x'));
  const auto other = folder.write("other", std::string(8192, 'y'));
  const auto link = folder / "by-id";
  fs::create_symlink(meant, link);
  auto target = OpenTarget::open(link);
  CHECK(target.path() == link);
  CHECK(fs::path(target.resolved()).filename() == "meant");
  const auto facts = gather_facts(target);
  CHECK(facts.serial == "meant");
  const auto permit = permit_for(facts, writing(facts));
  fs::remove(link);
  fs::create_symlink(other, link);
  target.allow_writing(permit, on_record(folder));
  CHECK(identity_of(target.descriptor()) == *facts.identity);
  // A link that replaces the target itself is refused.
  auto again = OpenTarget::open(meant);
  fs::rename(meant, folder / "away");
  fs::create_symlink(other, meant);
  const auto record = on_record(folder);
  CHECK(failure_of([&] { again.allow_writing(permit, record); }).find("now leads to something else") != std::string::npos);
}

TEST_CASE("R2_a_permit_is_bound_to_its_target_and_to_its_size") {
  const DirectFolder folder;
  if (!folder.possible()) return;
  const auto path = folder.write("target", std::string(8192, 'x'));
  auto target = OpenTarget::open(path);
  const auto facts = gather_facts(target);
  const auto permit = permit_for(facts, writing(facts));
  auto other = OpenTarget::open(folder.write("other", std::string(8192, 'y')));
  const auto record = on_record(folder);
  CHECK(failure_of([&] { other.allow_writing(permit, record); }).find("no longer what was decided") != std::string::npos);
  fs::resize_file(path, 4096);
  CHECK(failure_of([&] { target.allow_writing(permit, record); }).find("no longer what was decided") != std::string::npos);
  CHECK(failure_of([&] { target.check_against(permit); }).find("no longer what was decided") != std::string::npos);
}

TEST_CASE("R3_a_file_that_is_open_mapped_or_named_elsewhere_refuses") {
  const DirectFolder folder;
  if (!folder.possible()) return;
  const auto path = folder.write("file", std::string(8192, 'x'));
  const auto target = OpenTarget::open(path);
  {
    const Opener opener(path, O_RDONLY);
    const auto facts = facts_of(target);
    CHECK(facts.exclusive == false);
    CHECK(refused(facts, reading(facts), "R3", "it is open in: " + opener.name()));
  }
  CHECK(gather_facts(target).exclusive == true);
  fs::create_hard_link(path, folder / "second");
  const auto facts = gather_facts(target);
  CHECK(permitted(facts, reading(facts)));
  CHECK(refused(facts, writing(facts), "R3", "hard links"));
}

TEST_CASE("R3_only_files_and_block_devices_are_opened") {
  const TestFolder folder;
  CHECK(open_failure("/dev/null").find("neither a regular file nor a block device") != std::string::npos);
  CHECK(open_failure(folder.path().string()).find("neither") != std::string::npos);
  CHECK(open_failure(folder / "missing").find("cannot be opened") != std::string::npos);
  const auto pipe = folder / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(open_failure(pipe).find("neither") != std::string::npos);
}

TEST_CASE("R8_files_in_memory_and_of_the_kernel_are_refused") {
  const std::string path = "/dev/shm/ftlab-test-" + std::to_string(getpid());
  std::FILE* const file = std::fopen(path.c_str(), "w");
  if (file == nullptr) {
    WARN("skipped: there is no /dev/shm");
    return;
  }
  std::fputs(std::string(8192, 'x').c_str(), file);
  std::fclose(file);
  // Older kernels refuse direct I/O there, newer ones only pretend to do it.
  auto failure = open_failure(path);
  if (failure.empty()) {
    const auto facts = gather_facts(OpenTarget::open(path));
    CHECK(refused(facts, reading(facts), "R8", "tmpfs"));
  } else {
    CHECK(failure.find("without direct I/O") != std::string::npos);
  }
  fs::remove(path);
  CHECK(open_failure("/proc/self/status").find("without direct I/O") != std::string::npos);
}

TEST_CASE("R8_bytes_of_a_file_that_were_never_written_are_counted_and_not_read") {
  const DirectFolder folder;
  if (!folder.possible()) return;
  const auto path = folder.write("file", std::string(256 << 10, 'x'));
  fs::resize_file(path, kMiB);
  const auto target = OpenTarget::open(path);
  const auto count = [&](std::uint64_t first, std::uint64_t end) {
    return unwritten_bytes(target.descriptor(), {{first, end}});
  };
  CHECK(count(0, kMiB) == 768u << 10);
  CHECK(count(0, 256 << 10) == 0u);
  CHECK(count(128 << 10, 512 << 10) == 256u << 10);
  CHECK(unwritten_bytes(target.descriptor(), {{0, 4096}, {512 << 10, kMiB}}) == 512u << 10);
  CHECK(unwritten_bytes(-1, {{0, 4096}}) == std::nullopt);
  const auto facts = gather_facts(target);
  CHECK(refused(facts, reading(facts), "R8", "786432 bytes of what would be read were never written"));
  auto intent = writing(facts);
  intent.reads = false;
  CHECK(permitted(facts, intent));
}

TEST_CASE("an_idle_loop_device_may_be_read_and_may_be_written_if_its_files_name_is_typed") {
  const TestLoop loop;
  FTLAB_NEED_LOOP(loop);
  auto target = OpenTarget::open(loop.path());
  const auto facts = facts_of(target);
  CHECK(facts.serial == "backing");
  CHECK(permitted(facts, reading(facts)));
  auto intent = discarding(facts);
  const auto permit = permit_for(facts, intent);
  intent.destroy.reset();
  CHECK(refused(facts, intent, "R5", "--destroy=backing"));
  target.allow_writing(permit, keep_on_record(loop.folder() + "/preamble.json", {{"seed", 1}}));
  CHECK((flags_of(target.descriptor()) & O_ACCMODE) == O_RDWR);
  // The claim of the first descriptor is never released.
  CHECK(::open(loop.path().c_str(), O_RDONLY | O_EXCL) == -1);
  CHECK(errno == EBUSY);
}

TEST_CASE("R3_R4_a_loop_device_with_a_file_system_is_refused_mounted_and_unmounted") {
  const TestLoop loop;
  FTLAB_NEED_LOOP(loop);
  if (!loop.run("mkfs.ext4 -q " + loop.path())) {
    WARN("skipped: there is no mkfs.ext4");
    return;
  }
  {
    const auto facts = facts_of(OpenTarget::open(loop.path()));
    CHECK(refused(facts, writing(facts), "R4", "ext4 at byte 1080"));
    CHECK(permitted(facts, reading(facts)));
  }
  const auto point = loop.folder() + "/point";
  {
    const Afterwards afterwards("umount " + point);
    REQUIRE(loop.run("mkdir " + point + " && mount " + loop.path() + " " + point));
    CHECK(open_failure(loop.path()).find("is in use") != std::string::npos);
    CHECK(facts_of_loop(loop).mounts == Findings{loop.path() + " on " + point});
  }
  const auto mounts = facts_of_loop(loop).mounts;
  REQUIRE(mounts);  // known, whatever else starts and ends on this machine meanwhile
  CHECK(*mounts == Findings{});
}

TEST_CASE("R3_a_loop_device_mounted_in_another_mount_namespace_is_refused") {
  const TestLoop loop;
  FTLAB_NEED_LOOP(loop);
  if (!loop.run("mkfs.ext4 -q " + loop.path() + " && command -v unshare")) {
    WARN("skipped: there is no mkfs.ext4 or unshare");
    return;
  }
  const auto point = loop.folder() + "/point", ready = loop.folder() + "/ready";
  REQUIRE(loop.run("mkdir " + point + " && mkfifo " + ready));
  std::FILE* const away = popen((TestLoop::kTools + "unshare --mount --propagation private sh -c 'mount " + loop.path() +
                                 " " + point + "; echo > " + ready + "; read end' >/dev/null 2>&1")
                                    .c_str(),
                                "w");
  REQUIRE(away != nullptr);
  CHECK(loop.run("timeout 20 cat " + ready));
  const auto mounts = facts_of_loop(loop).mounts;
  const auto failure = open_failure(loop.path());
  pclose(away);
  CHECK(mounts == Findings{loop.path() + " on " + point});
  CHECK(failure.find("is in use") != std::string::npos);
}

TEST_CASE("R3_a_loop_device_used_as_swap_is_refused") {
  const TestLoop loop;
  FTLAB_NEED_LOOP(loop);
  const Afterwards afterwards("swapoff " + loop.path());
  if (!loop.run("mkswap " + loop.path() + " && swapon " + loop.path())) {
    WARN("skipped: swapon does not work here");
    return;
  }
  CHECK(facts_of_loop(loop).swaps == Findings{loop.path()});
  CHECK(open_failure(loop.path()).find("is in use") != std::string::npos);
}

TEST_CASE("R3_a_loop_device_that_a_process_has_open_is_refused") {
  const TestLoop loop;
  FTLAB_NEED_LOOP(loop);
  const auto target = OpenTarget::open(loop.path());
  const Opener opener(loop.path(), O_RDONLY);
  const auto facts = facts_of(target);
  CHECK(refused(facts, reading(facts), "R3", "it is open in: " + opener.name()));
}

TEST_CASE("R3_files_and_devices_under_loop_devices_are_refused") {
  const TestLoop lower;
  FTLAB_NEED_LOOP(lower);
  const auto file = facts_of(OpenTarget::open(lower.backing()));
  CHECK(refused(file, reading(file), "R2", "something else has it open"));
  CHECK(refused(file, reading(file), "R3", "it is held by: " + fs::path(lower.path()).filename().string()));
  {
    const TestLoop twin("", lower.backing());
    FTLAB_NEED_LOOP(twin);
    const auto facts = facts_of(OpenTarget::open(lower.path()));
    CHECK(refused(facts, reading(facts), "R3", "it is held by: " + fs::path(twin.path()).filename().string()));
  }
  const TestLoop upper("", lower.path());
  FTLAB_NEED_LOOP(upper);
  const auto under = facts_of_loop(lower), above = facts_of_loop(upper);
  CHECK(under.holders == Findings{fs::path(upper.path()).filename().string()});
  CHECK(above.slaves == Findings{lower.path()});
}

TEST_CASE("R3_a_read_only_device_is_not_written") {
  const TestLoop loop("--read-only");
  FTLAB_NEED_LOOP(loop);
  const auto facts = facts_of(OpenTarget::open(loop.path()));
  CHECK(refused(facts, writing(facts), "R3", "it is read-only"));
  CHECK(permitted(facts, reading(facts)));
}

TEST_CASE("R7_a_device_with_4096_byte_sectors_needs_plans_in_such_units") {
  const TestLoop loop("--sector-size 4096 --direct-io=on");
  FTLAB_NEED_LOOP(loop);
  const auto facts = facts_of(OpenTarget::open(loop.path()));
  CHECK(facts.logical_sector_bytes == 4096u);
  auto intent = reading(facts);
  CHECK(permitted(facts, intent));
  intent.unit_bytes = 512;
  CHECK(refused(facts, intent, "R7", "not multiples of 4096"));
  const auto permit = permit_for(facts, reading(facts));
  CHECK_FALSE(permit.allows({Op::read, 512, 4096, 4096}));
  CHECK_FALSE(permit.allows({Op::read, 4096, 512, 4096}));
  CHECK(permit.allows({Op::read, 4096, 4096, 4096}));
}

TEST_CASE("R3_the_device_of_the_running_system_cannot_be_opened") {
  const auto mounts = output_of("findmnt --noheadings --output SOURCE / 2>/dev/null");
  if (!mounts || mounts->rfind("/dev/", 0) != 0 || ::geteuid() != 0) {
    WARN("skipped: the root of this system is on no device that can be seen, or we are not root");
    return;
  }
  CHECK_FALSE(open_failure(mounts->substr(0, mounts->find_first_of("[\n"))).empty());
}
