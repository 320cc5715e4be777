// R1 and R6: the system calls that are made. A run that is refused or only reads is executed in a child that the kernel
// kills at the first call that could change anything; the sources hold no administrative command.
#include <fcntl.h>
#include <linux/blkzoned.h>
#include <linux/cdrom.h>
#include <linux/fd.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <regex>
#include <set>
#include <sstream>

#include "validation/measure/target/facts.h"
#include "validation/measure/testing/facts.h"
#include "validation/measure/testing/loop.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

// Calls that change a file, a device or a name. Also io_uring, because filters do not see what goes through it.
const std::vector<long> kChanging = {
    SYS_write,     SYS_pwrite64,  SYS_writev,   SYS_pwritev,         SYS_pwritev2,       SYS_sendfile, SYS_splice,
    SYS_fallocate, SYS_ftruncate, SYS_truncate, SYS_copy_file_range, SYS_vmsplice,       SYS_unlinkat, SYS_renameat2,
    SYS_mkdirat,   SYS_mknodat,   SYS_linkat,   SYS_symlinkat,       SYS_fchmod,         SYS_fchown,   SYS_fsetxattr,
    SYS_mount,     SYS_umount2,   SYS_swapon,   SYS_io_submit,       SYS_io_uring_setup, SYS_execve,   SYS_fsync,
#ifdef SYS_open
    SYS_open,      SYS_creat,     SYS_unlink,   SYS_rename,          SYS_mkdir,          SYS_chmod,
#endif
};

// The only queries allowed on a device, including libblkid's.
const std::vector<std::uint64_t> kQuestions = {BLKGETSIZE64,      BLKSSZGET,       BLKPBSZGET,   BLKROGET,
                                               BLKGETZONESZ,      FS_IOC_GETFLAGS, FDGETFDCSTAT, CDROM_GET_CAPABILITY,
                                               CDROM_LAST_WRITTEN};

sock_filter load(std::size_t offset) { return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset)); }
sock_filter give(unsigned verdict) { return BPF_STMT(BPF_RET | BPF_K, verdict); }
// Skips `skip` instructions unless the loaded value equals `value`.
sock_filter unless(unsigned value, unsigned char skip) { return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip); }

// From now on this process is killed at any call that changes something.
bool renounce_changes() {
  constexpr auto kSecond = offsetof(seccomp_data, args) + sizeof(std::uint64_t);
  constexpr auto kThird = kSecond + sizeof(std::uint64_t);
  const unsigned kill = SECCOMP_RET_KILL_PROCESS, allow = SECCOMP_RET_ALLOW;
  std::vector<sock_filter> filter{load(offsetof(seccomp_data, nr))};
  for (const long call : kChanging) filter.insert(filter.end(), {unless(static_cast<unsigned>(call), 1), give(kill)});
  // Opening is allowed only for reading.
  constexpr unsigned kForbidden = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
  filter.insert(filter.end(), {unless(SYS_openat, 4), load(kThird), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, kForbidden, 0, 1),
                               give(kill), give(allow)});
  filter.insert(filter.end(), {unless(SYS_ioctl, static_cast<unsigned char>(2 + 2 * kQuestions.size())), load(kSecond)});
  for (const auto question : kQuestions)
    filter.insert(filter.end(), {unless(static_cast<unsigned>(question), 1), give(allow)});
  filter.insert(filter.end(), {give(kill), give(allow)});
  sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

enum class Fate { done, killed, failed, no_filter };

// Runs the action in a child that may not change anything. `done`: it returned true.
Fate fate_of(const std::function<bool()>& action) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    if (!renounce_changes()) _exit(2);
    bool done = false;
    try {
      done = action();
    } catch (...) {
    }
    _exit(done ? 0 : 1);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  if (WIFSIGNALED(status)) return WTERMSIG(status) == SIGSYS ? Fate::killed : Fate::failed;
  return WEXITSTATUS(status) == 0 ? Fate::done : WEXITSTATUS(status) == 2 ? Fate::no_filter : Fate::failed;
}

bool no_filter() {
  if (fate_of([] { return true; }) == Fate::done) return false;
  WARN("skipped: this kernel or this build does not let a process renounce system calls");
  return true;
}

// Inspects, decides, and reads what may be read, like a run without consent.
bool read_only_run(const std::string& path, const SystemView& system) {
  auto target = OpenTarget::open(path);
  const auto facts = gather_facts(target, system);
  auto choice = writing(facts);
  choice.destroy.reset();
  if (permitted(facts, choice)) return false;
  const Decision decision = decide(facts, reading(facts));
  const auto* permit = std::get_if<Permit>(&decision);
  if (permit == nullptr || permit->may_write() || permit->may_discard()) return false;
  void* const buffer = std::aligned_alloc(4096, 4096);
  const bool read = ::pread(target.descriptor(), buffer, 4096, 0) == 4096;
  std::free(buffer);
  return read;
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// The sources of the instrument, without its tests.
std::vector<std::filesystem::path> sources() {
  std::vector<std::filesystem::path> found;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::string(FTLAB_SOURCE_DIR) + "/validation/measure")) {
    const auto name = entry.path().filename().string();
    const bool source = entry.path().extension() == ".cpp" || entry.path().extension() == ".h";
    if (source && name.rfind("test_", 0) != 0 && !name.ends_with("_test.cpp")) found.push_back(entry.path());
  }
  return found;
}

}  // namespace

TEST_CASE("the_kernel_kills_a_child_that_changes_something_after_renouncing_changes") {
  if (no_filter()) return;
  const TestFolder folder;
  const auto path = folder.write("file", std::string(8192, 'x'));
  const int open_before = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(open_before >= 0);
  CHECK(fate_of([&] { return ::pwrite(open_before, "y", 1, 0) == 1; }) == Fate::killed);
  CHECK(fate_of([&] { return ::fallocate(open_before, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096) == 0; }) ==
        Fate::killed);
  CHECK(fate_of([&] { return ::open(path.c_str(), O_RDWR) >= 0; }) == Fate::killed);
  std::uint64_t range[2] = {0, 4096};
  CHECK(fate_of([&] { return ::ioctl(open_before, BLKDISCARD, range) == 0; }) == Fate::killed);
  CHECK(fate_of([&] { return ::ioctl(open_before, BLKROSET, range) == 0; }) == Fate::killed);
  CHECK(fate_of([&] { return ::open(path.c_str(), O_RDONLY) >= 0; }) == Fate::done);
  ::close(open_before);
  CHECK(text_of(path) == std::string(8192, 'x'));
}

TEST_CASE("R1_refused_and_read_only_runs_on_a_file_make_no_changing_system_call") {
  if (no_filter()) return;
  const TestFolder folder;
  const auto path = folder.write("file", std::string(1 << 20, 'x'));
  {
    const auto facts = gather_facts(OpenTarget::open(path));
    if (!permitted(facts, reading(facts))) {
      WARN("skipped: " << folder.path().string() << " is not a place for direct I/O");
      return;
    }
  }
  CHECK(fate_of([&] { return read_only_run(path, {}); }) == Fate::done);
}

TEST_CASE("R1_refused_and_read_only_runs_on_a_device_make_no_changing_system_call") {
  if (no_filter()) return;
  const TestLoop loop;
  FTLAB_NEED_LOOP(loop);
  const TestProcesses processes;
  CHECK(fate_of([&] { return read_only_run(loop.path(), processes.view()); }) == Fate::done);
}

TEST_CASE("R6_the_instrument_uses_no_administrative_command") {
  const std::regex forbidden(
      R"(\b(SG_IO|SCSI_IOCTL\w*|NVME_IOCTL\w*|nvme_admin\w*|HDIO_\w+|CDROM\w+|BLKSECDISCARD|BLKZEROOUT|BLKROSET|BLKRRPART)"
      R"(|BLKPG\w*|BLKRASET|BLKFRASET|BLKBSZSET|BLKFLSBUF|BLKRESETZONE|BLKFINISHZONE|LOOP_\w+|ATA_CMD\w*|ATA_OP\w*)"
      R"(|REQ_OP_\w+|MEMERASE\w*|DM_DEV\w*|FS_IOC_SETFLAGS|FALLOC_FL_COLLAPSE_RANGE|FALLOC_FL_INSERT_RANGE)\b)");
  const auto all = sources();
  CHECK(all.size() >= 15);
  for (const auto& file : all) {
    const auto text = text_of(file);
    std::smatch match;
    if (std::regex_search(text, match, forbidden)) FAIL_CHECK(file.filename().string() << " has " << match.str());
  }
}

// Every ioctl of the instrument, by its name: three queries made directly, two through a template, and discard.
TEST_CASE("R6_every_ioctl_except_discard_is_a_query") {
  const std::set<std::string> known = {"BLKGETSIZE64",    "BLKSSZGET", "BLKPBSZGET", "BLKROGET",
                                       "FS_IOC_GETFLAGS", "question",  "BLKDISCARD"};
  const std::regex call(R"(\bioctl\(\s*[^,]+,\s*(\w+))"), asked(R"(asked<\w+>\(\s*\w+,\s*(\w+))");
  std::set<std::string> found;
  for (const auto& file : sources()) {
    const auto text = text_of(file);
    for (const auto& pattern : {call, asked})
      for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
        found.insert((*match)[1]);
  }
  CHECK(found.size() >= 6);
  for (const auto& name : found) {
    INFO(name);
    CHECK(known.contains(name));
  }
}

TEST_CASE("no_environment_variable_and_no_force_option_bypasses_the_guard") {
  const std::regex forbidden(R"(\b(secure_)?getenv\b|"--force|->envname\()");
  for (const auto& file : sources()) {
    const auto text = text_of(file);
    std::smatch match;
    if (std::regex_search(text, match, forbidden)) FAIL_CHECK(file.filename().string() << " has " << match.str());
  }
}

// Only the guard makes permits, and only OpenTarget opens a target for writing.
TEST_CASE("R1_nothing_is_opened_for_writing_without_a_permit") {
  const std::regex writing_flags(R"(\bO_(RDWR|WRONLY)\b)");
  std::set<std::string> found;
  for (const auto& file : sources())
    if (std::regex_search(text_of(file), writing_flags)) found.insert(file.filename().string());
  // identity.cpp: the target, given a permit, and files it makes itself. The others write results and /dev/null.
  const std::set<std::string> known = {"identity.cpp", "preparation.cpp", "smart_limits_ask.cpp", "growing_folder.cpp",
                                       "durability_log.cpp"};
  for (const auto& name : found) {
    INFO(name);
    CHECK(known.contains(name));
  }
  CHECK(found.contains("identity.cpp"));
}
