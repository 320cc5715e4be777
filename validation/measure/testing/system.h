// For tests: a fake /sys, /proc and /dev with any contents.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "sim/testing/files.h"
#include "validation/measure/target/facts.h"

namespace ftlab::testing {

class TestSystem {
 public:
  TestSystem() {
    write("proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n");
    add_process("1", "mnt:[1]", "30 1 8:1 / / rw - ext4 /dev/sda1 rw\n");
    link("proc/self", "1");
    make("dev");
    add_disk("sda", "8:0", "ROOT1");
    add_partition("sda", "sda1", "8:1");
    add_disk("sdb", "8:16", "S1");
  }

  SystemView view() const { return {path("sys"), path("proc"), path("dev")}; }
  std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }

  void make(const std::string& name) { std::filesystem::create_directories(path(name)); }
  void write(const std::string& name, const std::string& text) {
    std::filesystem::create_directories(path(name).parent_path());
    std::ofstream(path(name), std::ios::binary) << text;
  }
  void remove(const std::string& name) { std::filesystem::remove_all(path(name)); }
  void link(const std::string& name, const std::string& to) {
    std::filesystem::create_directories(path(name).parent_path());
    std::filesystem::remove(path(name));
    std::filesystem::create_symlink(to, path(name));
  }

  static std::string node(const std::string& name) { return "sys/devices/" + name; }

  // An idle disk of 8 GB with 512-byte sectors. Numbers as in sysfs: "8:16".
  void add_disk(const std::string& name, const std::string& number, const std::string& serial) {
    add_block(node(name), name, number);
    write(node(name) + "/size", "16777216\n");
    write(node(name) + "/ro", "0\n");
    write(node(name) + "/hidden", "0\n");
    write(node(name) + "/queue/logical_block_size", "512\n");
    write(node(name) + "/queue/physical_block_size", "4096\n");
    write(node(name) + "/queue/discard_max_bytes", "2147450880\n");
    write(node(name) + "/queue/scheduler", "[none] mq-deadline\n");
    write(node(name) + "/queue/write_cache", "write back\n");
    write(node(name) + "/queue/rotational", "0\n");
    write(node(name) + "/queue/nr_requests", "64\n");
    write(node(name) + "/device/model", "FAST DRIVE      \n");
    write(node(name) + "/device/rev", "XCV1\n");
    write(node(name) + "/device/queue_depth", "32\n");
    if (!serial.empty()) {
      const std::string padded = "    " + serial;
      write(node(name) + "/device/vpd_pg80", std::string("\0\x80\0", 3) + static_cast<char>(padded.size()) + padded);
    }
    link("sys/block/" + name, "../devices/" + name);
  }
  void add_partition(const std::string& disk, const std::string& name, const std::string& number) {
    add_block(node(disk) + "/" + name, disk + "/" + name, number);
    write(node(disk) + "/" + name + "/partition", "1\n");
  }
  // `upper` (a dm or md device) is made of `lower`.
  void stack(const std::string& upper, const std::string& lower) {
    const auto name = std::filesystem::path(lower).filename().string();
    link(node(lower) + "/holders/" + upper, path(node(upper)).string());
    link(node(upper) + "/slaves/" + name, path(node(lower)).string());
  }
  void add_process(const std::string& number, const std::string& space, const std::string& mounts) {
    add_thread_at("proc/" + number, number, space, mounts);
    link("proc/" + number + "/task/" + number, "..");  // its first thread shows what the process shows
  }
  void add_thread(const std::string& process, const std::string& number, const std::string& space,
                  const std::string& mounts) {
    add_thread_at("proc/" + process + "/task/" + number, number, space, mounts);
  }

 private:
  void add_thread_at(const std::string& folder, const std::string& number, const std::string& space,
                     const std::string& mounts) {
    write(folder + "/mountinfo", mounts);
    write(folder + "/comm", "someone\n");
    write(folder + "/stat", number + " (someone) S 1\n");
    make(folder + "/fd");
    link(folder + "/ns/mnt", space);
    link(folder + "/root", "/");
  }
  void add_block(const std::string& folder, const std::string& name, const std::string& number) {
    write(folder + "/dev", number + "\n");
    make(folder + "/holders");
    make(folder + "/slaves");
    link("sys/dev/block/" + number, "../../devices/" + name);
    write("dev/" + std::filesystem::path(name).filename().string(), "");
  }

  TestFolder folder_;
};

}  // namespace ftlab::testing
