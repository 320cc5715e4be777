// R3: facts from sysfs and procfs about a target's other users, on fake systems.
#include "validation/measure/target/facts.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "validation/measure/target/facts_sources.h"
#include "validation/measure/testing/facts.h"
#include "validation/measure/testing/system.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

// The facts of /dev/sdb: those of its descriptor are given, the others come from the system.
DeviceFacts facts_of(const TestSystem& system, std::uint64_t rdev = gnu_dev_makedev(8, 16)) {
  auto facts = idle_drive();
  facts.identity = FileIdentity{6, 300, rdev};
  facts.size_bytes = 16777216 * 512ull;
  facts.whole_device.reset();
  facts.serial.reset();
  facts.discard_supported.reset();
  for (auto fact : {&DeviceFacts::mounts, &DeviceFacts::swaps, &DeviceFacts::holders, &DeviceFacts::openers,
                    &DeviceFacts::systems, &DeviceFacts::slaves, &DeviceFacts::partitions, &DeviceFacts::same_serial})
    (facts.*fact).reset();
  add_block_facts(facts, rdev, system.view());
  return facts;
}

bool may_be_written(const TestSystem& system) {
  const auto facts = facts_of(system);
  return permitted(facts, discarding(facts));
}

bool refused_by(const TestSystem& system, const std::string& rule, const std::string& words) {
  const auto facts = facts_of(system);
  return refused(facts, discarding(facts), rule, words);
}

}  // namespace

TEST_CASE("an_idle_drive_is_fully_known_and_may_be_written") {
  const TestSystem system;
  const auto facts = facts_of(system);
  CHECK(permitted(facts, discarding(facts)));
  CHECK(facts.serial == "S1");
  CHECK(facts.context.model == "FAST DRIVE");
  CHECK(facts.context.firmware == "XCV1");
  CHECK(facts.context.queue_depth == 32u);
  CHECK(facts.context.scheduler == "[none] mq-deadline");
  CHECK(facts.context.write_cache == "write back");
  CHECK(facts.context.rotational == false);
}

TEST_CASE("R3_a_mount_in_any_namespace_refuses") {
  TestSystem system;
  system.add_process("50", "mnt:[2]", "31 1 8:16 / /data rw,relatime shared:1 - xfs /dev/sdb rw\n");
  CHECK(refused_by(system, "R3", "it is mounted: /dev/sdb on /data"));
}

TEST_CASE("R3_a_mount_under_another_root_of_the_same_namespace_refuses") {
  TestSystem system;
  system.add_process("50", "mnt:[1]", "31 1 8:16 / /data rw - xfs /dev/sdb rw\n");
  CHECK(may_be_written(system));  // a view equal to that of process 1 is not read again
  system.link("proc/50/root", "/srv/jail");
  CHECK(refused_by(system, "R3", "it is mounted"));
}

TEST_CASE("R3_a_mount_in_the_namespace_of_one_thread_refuses") {
  TestSystem system;
  system.add_process("50", "mnt:[1]", "30 1 8:1 / / rw - ext4 /dev/sda1 rw\n");
  system.add_thread("50", "51", "mnt:[1]", "31 1 8:16 / /data rw - xfs /dev/sdb rw\n");
  CHECK(may_be_written(system));  // same namespace as the others
  system.add_thread("50", "51", "mnt:[2]", "31 1 8:16 / /data rw - xfs /dev/sdb rw\n");
  CHECK(refused_by(system, "R3", "it is mounted: /dev/sdb on /data"));
  // The first thread, which stands for the process, has ended; the other still runs.
  system.write("proc/50/mountinfo", "");
  system.write("proc/50/stat", "50 (someone) Z 1 50 50 0 -1 4227340 0\n");
  CHECK(refused_by(system, "R3", "it is mounted: /dev/sdb on /data"));
  system.write("proc/50/task/51/mountinfo", "");
  CHECK(refused_by(system, "R3", "whether it is mounted anywhere could not be found out"));
  system.remove("proc/50/task/51");
  CHECK(may_be_written(system));
  system.remove("proc/50/task");
  CHECK(may_be_written(system));
  system.write("proc/50/stat", "50 (someone) S 1 50 50 0 -1 4194560 0\n");
  CHECK(refused_by(system, "R3", "whether it is mounted anywhere could not be found out"));
}

TEST_CASE("R3_a_mounted_partition_refuses") {
  TestSystem system;
  system.add_partition("sdb", "sdb1", "8:17");
  CHECK(refused_by(system, "R4", "it has partitions: sdb1"));
  system.add_process("50", "mnt:[2]", "31 1 8:17 / /my\\040data rw - ext4 /dev/sdb1 rw\n");
  CHECK(refused_by(system, "R3", "it is mounted: /dev/sdb1 on /my data"));
}

TEST_CASE("R3_a_mount_known_only_by_its_source_refuses") {
  TestSystem system;
  system.add_process("50", "mnt:[2]", "31 1 0:45 / /data rw - btrfs /dev/disk/by-label/x rw\n");
  system.link("dev/disk/by-label/x", "../../sdb");
  CHECK(refused_by(system, "R3", "it is mounted"));
}

TEST_CASE("R3_a_member_of_a_mounted_btrfs_volume_refuses_even_if_not_its_source") {
  TestSystem system;
  system.make("sys/fs/btrfs/1234/devices/sdb");
  CHECK(refused_by(system, "R3", "btrfs 1234"));
}

TEST_CASE("R3_swap_on_the_device_or_a_partition_refuses") {
  TestSystem system;
  system.write("proc/swaps", "Filename Type Size Used Priority\n/dev/sdb partition 100 0 -2\n");
  CHECK(refused_by(system, "R3", "it is used as swap: /dev/sdb"));
  system.add_partition("sdb", "sdb1", "8:17");
  system.write("proc/swaps", "Filename Type Size Used Priority\n/dev/sdb1 partition 100 0 -2\n");
  CHECK(refused_by(system, "R3", "it is used as swap: /dev/sdb1"));
  system.write("proc/swaps", "Filename Type Size Used Priority\n/dev/sda2 partition 100 0 -2\n");
  CHECK_FALSE(refused_by(system, "R3", "it is used as swap"));
}

TEST_CASE("R3_holders_of_the_device_or_a_partition_refuse") {
  TestSystem system;
  system.add_disk("dm-0", "253:0", "");
  system.stack("dm-0", "sdb");
  CHECK(refused_by(system, "R3", "it is held by: dm-0"));
  TestSystem other;
  other.add_partition("sdb", "sdb1", "8:17");
  other.add_disk("md0", "9:0", "");
  other.stack("md0", "sdb/sdb1");
  CHECK(refused_by(other, "R3", "it is held by: md0"));
}

TEST_CASE("R3_a_device_made_of_other_devices_refuses") {
  TestSystem system;
  system.add_disk("md0", "9:0", "");
  system.stack("md0", "sdb");
  const auto facts = facts_of(system, gnu_dev_makedev(9, 0));
  CHECK(refused(facts, reading(facts), "R3", "it is composed of: sdb"));
}

TEST_CASE("R3_a_loop_device_over_the_device_refuses") {
  TestSystem system;
  system.add_disk("loop0", "7:0", "");
  system.write(TestSystem::node("loop0") + "/loop/backing_file", "/dev/sdb\n");
  CHECK(refused_by(system, "R3", "it is held by: loop0"));
}

TEST_CASE("R3_a_partition_is_refused_as_a_target") {
  TestSystem system;
  system.add_partition("sdb", "sdb1", "8:17");
  const auto facts = facts_of(system, gnu_dev_makedev(8, 17));
  CHECK(refused(facts, reading(facts), "R3", "it is a partition"));
}

TEST_CASE("R3_the_device_under_the_running_system_refuses_even_through_layers") {
  TestSystem system;
  const auto facts = facts_of(system, gnu_dev_makedev(8, 0));
  CHECK(refused(facts, reading(facts), "R3", "the running system lies on it: /"));
  system.add_disk("dm-0", "253:0", "");
  system.add_disk("dm-1", "253:1", "");
  system.stack("dm-0", "sdb");
  system.stack("dm-1", "dm-0");
  system.write("proc/1/mountinfo",
               "30 1 8:1 / / rw - ext4 /dev/sda1 rw\n31 30 253:1 / /boot rw - ext4 /dev/mapper/boot rw\n");
  CHECK(refused_by(system, "R3", "the running system lies on it: /boot"));
}

TEST_CASE("R3_a_root_on_an_unknown_device_refuses_and_one_on_the_network_does_not") {
  TestSystem system;
  const char* const unknown = "whether the running system lies on it could not be found out";
  system.write("proc/1/mountinfo", "30 1 0:50 / / rw - overlay overlay rw,lowerdir=/a\n");
  CHECK(refused_by(system, "R3", unknown));
  system.write("proc/1/mountinfo", "30 1 0:50 / / rw - zfs tank/root rw\n");
  CHECK(refused_by(system, "R3", unknown));
  system.write("proc/1/mountinfo", "30 1 0:50 / /home rw - nfs4 server:/home rw\n");
  CHECK(refused_by(system, "R3", unknown));  // no root in the table
  system.write("proc/1/mountinfo", "30 1 0:50 / / rw - nfs4 server:/root rw\n");
  CHECK(may_be_written(system));
}

TEST_CASE("R3_another_device_with_the_same_serial_number_refuses") {
  TestSystem system;
  system.add_disk("sdc", "8:32", "S1");
  CHECK(refused_by(system, "R3", "other devices show the same serial number: sdc"));
  system.write(TestSystem::node("sdc") + "/hidden", "1\n");  // a path of NVMe multipath, which cannot be opened
  CHECK(may_be_written(system));
}

TEST_CASE("R3_a_process_that_has_the_device_open_refuses") {
  // Any block device of this machine will do: the fake system calls it sdx.
  std::string name;
  struct stat found {};
  for (const auto& entry : std::filesystem::directory_iterator("/dev"))
    if (stat(entry.path().c_str(), &found) == 0 && S_ISBLK(found.st_mode)) {
      name = entry.path();
      break;
    }
  if (name.empty()) {
    WARN("there is no block device in /dev; skipped");
    return;
  }
  TestSystem system;
  const auto number = device_number_text(found.st_rdev);
  system.add_disk("sdx", number, "S9");
  CHECK(facts_of(system, found.st_rdev).openers == Findings{});
  system.add_process("50", "mnt:[1]", "30 1 8:1 / / rw - ext4 /dev/sda1 rw\n");
  system.link("proc/50/fd/3", name);
  const auto facts = facts_of(system, found.st_rdev);
  CHECK(refused(facts, reading(facts), "R3", "it is open in: process 50 (someone)"));

  // The first thread of that process has ended and shows no open files; another thread has it open.
  system.remove("proc/50/fd/3");
  system.add_thread("50", "51", "mnt:[1]", "30 1 8:1 / / rw - ext4 /dev/sda1 rw\n");
  system.link("proc/50/task/51/fd/4", name);
  CHECK(facts_of(system, found.st_rdev).openers == Findings{});  // threads share their open files: only the first is read
  system.write("proc/50/stat", "50 (someone) Z 1 50 50 0 -1 4227340 0\n");
  CHECK(facts_of(system, found.st_rdev).openers == Findings{"process 50 (someone)"});
  system.remove("proc/50/task/51/fd");
  CHECK_FALSE(facts_of(system, found.st_rdev).openers);
}

TEST_CASE("R3_contradictions_between_descriptor_and_sysfs_refuse") {
  for (const auto& [file, text] : {std::pair{"/size", "16777215\n"},
                                   {"/ro", "1\n"},
                                   {"/queue/logical_block_size", "4096\n"},
                                   {"/queue/physical_block_size", "512\n"}}) {
    TestSystem system;
    system.write(TestSystem::node("sdb") + file, text);
    INFO(file);
    CHECK(refused_by(system, "R3", "the facts contradict each other"));
  }
}

TEST_CASE("R13_removing_any_source_of_facts_refuses") {
  const std::string disk = TestSystem::node("sdb");
  for (const std::string& place :
       {std::string("proc"), std::string("proc/swaps"), std::string("proc/1/mountinfo"), std::string("proc/1/fd"),
        std::string("sys/dev/block/8:16"), std::string("sys/dev/block/8:1"), std::string("sys/block"), disk + "/dev",
        disk + "/holders", disk + "/slaves", disk + "/device/vpd_pg80", disk + "/queue/discard_max_bytes"}) {
    TestSystem system;
    system.remove(place);
    INFO(place);
    CHECK_FALSE(may_be_written(system));
  }
}

TEST_CASE("facts_that_cannot_be_parsed_refuse") {
  for (const auto& [place, text] : {std::pair<std::string, std::string>{"proc/1/mountinfo", "30 1 8:1 / / rw ext4\n"},
                                    {"proc/1/mountinfo", ""},
                                    {"proc/swaps", "nothing\n"},
                                    {TestSystem::node("sdb") + "/device/vpd_pg80", "S1"},
                                    {TestSystem::node("sdb") + "/device/vpd_pg80", std::string("\0\x80\0\x7f", 4) + "S1"},
                                    {TestSystem::node("sdb") + "/queue/discard_max_bytes", "many\n"},
                                    {TestSystem::node("sdb") + "/dev", "8:17\n"}}) {
    TestSystem system;
    system.write(place, text);
    INFO(place << ": " << text);
    CHECK_FALSE(may_be_written(system));
  }
}

TEST_CASE("a_process_that_has_ended_hides_nothing_and_an_unreadable_one_does") {
  TestSystem system;
  system.add_process("50", "mnt:[2]", "");
  CHECK(refused_by(system, "R3", "whether it is mounted anywhere could not be found out"));
  // number (name) state parent group session terminal owner flags; flag 0x4: exiting
  system.write("proc/50/stat", "50 (some ) 4 0 0 0 0 0 4 one) R 1 50 50 0 -1 4194560 0\n");
  CHECK(refused_by(system, "R3", "whether it is mounted anywhere could not be found out"));
  system.write("proc/50/stat", "50 (some ) one) R 1 50 50 0 -1 4194564 0\n");  // not yet a zombie
  CHECK(may_be_written(system));
  system.write("proc/50/stat", "50 (some ) one) Z 1 50 50 0 -1 4227340 0\n");
  CHECK(may_be_written(system));
  system.write("proc/50/stat", "50\n");
  CHECK(refused_by(system, "R3", "whether it is mounted anywhere could not be found out"));
}

TEST_CASE("R5_the_serial_number_is_found_on_each_transport") {
  TestSystem nvme;
  nvme.remove(TestSystem::node("sdb") + "/device/vpd_pg80");
  nvme.write(TestSystem::node("sdb") + "/device/serial", "S4EVNX0M     \n");
  CHECK(facts_of(nvme).serial == "S4EVNX0M");
  TestSystem virtio;
  virtio.write(TestSystem::node("sdb") + "/serial", "disk-7\n");
  CHECK(facts_of(virtio).serial == "disk-7");
  TestSystem none;
  none.remove(TestSystem::node("sdb") + "/device/vpd_pg80");
  CHECK(refused_by(none, "R5", "it shows no serial number"));
}

TEST_CASE("mount_tables_are_read_as_proc_5_describes_them") {
  const auto mounts = parse_mounts("36 35 98:0 /mnt1 /mnt\\134\\0402 rw,noatime master:1 shared:2 - ext3 /dev/root rw\n");
  REQUIRE(mounts);
  REQUIRE(mounts->size() == 1);
  CHECK(mounts->front().number == "98:0");
  CHECK(mounts->front().point == "/mnt\\ 2");
  CHECK(mounts->front().type == "ext3");
  CHECK(mounts->front().source == "/dev/root");
  CHECK_FALSE(parse_mounts("36 35 98 / / rw - ext3 /dev/root rw\n"));
  CHECK_FALSE(parse_mounts("36 35 98:0 / /\n"));
}
