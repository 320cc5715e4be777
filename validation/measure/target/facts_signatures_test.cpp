// R4: images with nothing but the bytes that identify each format, written by hand from the formats' public descriptions,
// and images made by this machine's tools.
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <fstream>

#include "sim/testing/commands.h"
#include "sim/testing/files.h"
#include "validation/measure/target/facts.h"
#include "validation/measure/testing/facts.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

constexpr std::uint64_t kSize = 8 << 20;

template <class T>
std::string little(T value) {
  std::string bytes;
  for (std::size_t i = 0; i < sizeof value; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
  return bytes;
}
std::string le16(unsigned value) { return little(static_cast<std::uint16_t>(value)); }
std::string le32(std::uint32_t value) { return little(value); }
std::string le64(std::uint64_t value) { return little(value); }
std::string be16(unsigned value) {
  const auto bytes = le16(value);
  return {bytes.rbegin(), bytes.rend()};
}
std::string be32(std::uint32_t value) {
  const auto bytes = le32(value);
  return {bytes.rbegin(), bytes.rend()};
}
std::string be64(std::uint64_t value) {
  const auto bytes = le64(value);
  return {bytes.rbegin(), bytes.rend()};
}
// A literal that contains zero bytes.
template <std::size_t kCount>
std::string bytes(const char (&text)[kCount]) {
  return {text, kCount - 1};
}

struct Piece {
  std::uint64_t offset;
  std::string bytes;
};
struct Image {
  const char* found;  // libblkid's name
  std::vector<Piece> pieces;
  std::uint64_t size = kSize;
};

const std::string kBoot = bytes("\x55\xaa");

Image partitioned() {
  return {"partition table dos", {{446, bytes("\0\0\2\0\x83\0\0\0") + le32(2048) + le32(8192)}, {510, kBoot}}};
}

// CRC-32 as in GPT.
std::uint32_t crc32_of(const std::string& text) {
  std::uint32_t crc = ~0u;
  for (const char c : text) {
    crc ^= static_cast<unsigned char>(c);
    for (int i = 0; i < 8; ++i) crc = (crc >> 1) ^ (0xedb88320u & (0u - (crc & 1)));
  }
  return ~crc;
}

std::string gpt_entries() {
  auto entry = bytes("\xa2\xa0\xd0\xeb\xe5\xb9\x33\x44\x87\xc0\x68\xb6\xb7\x26\x99\xc7") + std::string(16, '\x11') +
               le64(2048) + le64(8191);
  entry.resize(128 * 128, '\0');
  return entry;
}

std::string gpt_header(std::uint64_t self, std::uint64_t other, std::uint64_t entries) {
  const std::uint64_t sectors = kSize / 512;
  const auto with_sum = [&](std::uint32_t sum) {
    return "EFI PART" + le32(0x10000) + le32(92) + le32(sum) + le32(0) + le64(self) + le64(other) + le64(34) +
           le64(sectors - 34) + std::string(16, '\x22') + le64(entries) + le32(128) + le32(128) +
           le32(crc32_of(gpt_entries()));
  };
  return with_sum(crc32_of(with_sum(0)));
}

std::vector<Piece> second_gpt() {
  const std::uint64_t sectors = kSize / 512;
  return {{(sectors - 33) * 512, gpt_entries()}, {(sectors - 1) * 512, gpt_header(sectors - 1, 1, sectors - 33)}};
}

Image gpt() {
  auto pieces = second_gpt();
  pieces.push_back({446, bytes("\0\0\2\0\xee\xff\xff\xff") + le32(1) + le32(kSize / 512 - 1)});
  pieces.push_back({510, kBoot});
  pieces.push_back({512, gpt_header(1, kSize / 512 - 1, 2)});
  pieces.push_back({1024, gpt_entries()});
  return {"partition table gpt", pieces};
}

Image xfs() {
  return {"xfs",
          {{0, "XFSB" + be32(4096) + be64(2048) + be64(0) + be64(0) + std::string(16, '\x33') + be64(2048) + be64(96) +
                   be64(97) + be64(98) + be32(1) + be32(512) + be32(4) + be32(0) + be32(1200) + be16(0xb4a4) + be16(512) +
                   be16(256) + be16(16) + std::string(12, '\0') + bytes("\x0c\x09\x08\x04\x09\x00\x19\x00")}}};
}

Image ntfs() {
  return {"ntfs",
          {{0, bytes("\xeb\x52\x90NTFS    \x00\x02\x08\0\0\0\0\0\0\0\xf8\0\0")},
           {40, le64(16000) + le64(4) + le64(1000) + bytes("\xf6\0\0\0\1\0\0\0") + le64(0x1234)},
           {510, kBoot},
           {4 * 4096, "FILE"},
           {4 * 4096 + 3 * 1024, "FILE"}}};
}

Image vfat() {
  return {"vfat",
          {{0, bytes("\xeb\x3c\x90MSDOS5.0\x00\x02\x01\x01\x00\x02\x00\x02\x00\x40\xf8\x40\x00")},
           {38, ")"},
           {54, "FAT16   "},
           {510, kBoot}}};
}

// Version 1.2 has a checksum: the sum of the words, folded once.
Image md_12() {
  std::string block = le32(0xa92b4efc) + le32(1);
  block.resize(128, '\0');
  block += le64(2048) + le64(8000) + le64(8);
  block.resize(256, '\0');
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < block.size(); ++i) sum += std::uint64_t{static_cast<unsigned char>(block[i])} << 8 * (i % 4);
  block.replace(216, 4, le32(static_cast<std::uint32_t>((sum & 0xffffffff) + (sum >> 32))));
  return {"linux_raid_member", {{4096, block}}};
}

Image zfs() {
  constexpr std::uint64_t size = 65 << 20, label = 256 << 10;
  Image image{"zfs_member", {}, size};
  for (const std::uint64_t at : {std::uint64_t{0}, label, size - 2 * label, size - label})
    for (std::uint64_t block = 0; block < 128; ++block)
      image.pieces.push_back({at + label / 2 + 1024 * block, le64(0x00bab10c) + le64(5000)});
  return image;
}

Image minix() {
  return {
      "minix",
      {{1024, le16(100) + le16(1000) + le16(1) + le16(1) + le16(40) + le16(0) + le32(1 << 20) + le16(0x138f) + le16(1)}}};
}

Image bcache() {
  return {"bcache",
          {{4096 + 8, le64(8) + le64(1)},
           {4096 + 24, bytes("\xc6\x85\x73\xf6\x4e\x1a\x45\xca\x82\x65\xf5\x7f\x48\xba\x6d\x81")}}};
}

std::vector<Image> images() {
  return {partitioned(),
          gpt(),
          {"partition table gpt", second_gpt()},  // the first one is wiped
          {"partition table sun", {{508, be16(0xdabe) + be16(0xdabe)}}},
          {"partition table mac", {{0, "ER" + be16(512)}, {512, "PM" + be16(0) + be32(1) + be32(1) + be32(63)}}},
          {"ext2", {{1024, le32(2048) + le32(8192)}, {1024 + 56, le16(0xef53)}}},
          xfs(),
          {"btrfs", {{0x10040, "_BHRfS_M"}}},
          ntfs(),
          vfat(),
          {"exfat",
           {{0,
             "\xeb\x76\x90"
             "EXFAT   "},
            {510, kBoot}}},
          {"swap", {{1024, le32(1) + le32(1000)}, {4086, "SWAPSPACE2"}}},
          {"swap", {{4086, "SWAP-SPACE"}}},
          {"swsuspend", {{4086, bytes("S1SUSPEND\0")}}},  // a hibernated system
          {"crypto_LUKS", {{0, bytes("LUKS\xba\xbe\x00\x01")}}},
          {"crypto_LUKS", {{0, bytes("LUKS\xba\xbe\x00\x02")}}},
          {"LVM1_member", {{0, bytes("HM\1\0")}}},
          {"LVM2_member", {{512, "LABELONE" + le64(1)}, {512 + 24, "LVM2 001" + std::string(32, 'a')}}},
          {"linux_raid_member", {{kSize - 65536, le32(0xa92b4efc) + le32(0) + le32(90)}}},  // version 0.90
          md_12(),
          zfs(),
          bcache(),
          {"f2fs", {{1024, le32(0xf2f52010) + le16(1) + le16(0)}}},
          {"iso9660",
           {{0x8000, bytes("\1CD001\1")},
            {0x8800, bytes("\xff"
                           "CD001\1")}}},
          {"squashfs", {{0, "hsqs"}, {28, le16(4) + le16(0)}}},
          {"erofs", {{1024, le32(0xe0f5e1e2)}, {1024 + 12, "\x0c"}}},
          {"reiserfs", {{0x10000, le32(2048)}, {0x10000 + 12, le32(18)}, {0x10000 + 44, le16(4096)}, {0x10034, "ReIsErFs"}}},
          {"hfs", {{1024, "BD"}, {1024 + 20, be32(4096)}}},
          {"hfsplus", {{1024, "H+" + be16(4)}, {1024 + 40, be32(4096)}}},
          {"apfs", {{24, le32(0x80000001)}, {32, "NXSB" + le32(4096)}}},
          {"ufs", {{8192 + 1372, le32(0x00011954)}}},
          minix(),
          {"nilfs2", {{1024, le32(2) + le16(0) + le16(0x3434) + le16(280)}}},
          {"cramfs", {{0, le32(0x28cd3d45)}, {16, "Compressed ROMFS"}}},
          {"VMFS_volume_member", {{0x100000, le32(0xc001d00d)}}},
          {"ReFS", {{3, bytes("ReFS\0")}}},
          {"ubifs", {{0, le32(0x06101831)}}},
          {"ceph_bluestore", {{0, "bluestore block device"}}},
          {"oracleasm", {{32, "ORCLDISK"}}},
          {"DM_snapshot_cow", {{0, "SnAp"}}},
          {"DM_verity_hash", {{0, bytes("verity\0\0") + le32(1) + le32(1)}}},
          {"DM_integrity", {{0, bytes("integrt\0\1")}}},
          {"vdo", {{0, "dmvdo001"}}},
          {"isw_raid_member", {{kSize - 1024, "Intel Raid ISM Cfg Sig. 1.1.00"}}},
          {"ddf_raid_member", {{kSize - 512, be32(0xde11de11)}}},
          {"nvidia_raid_member", {{kSize - 1024, "NVIDIA  "}}}};
}

Fact<Findings> found_on(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  REQUIRE(descriptor >= 0);
  auto found = signatures_on(descriptor);
  ::close(descriptor);
  return found;
}

std::string made(const TestFolder& folder, const Image& image) {
  const auto path = folder / "image";
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  for (const auto& piece : image.pieces) out.seekp(static_cast<std::streamoff>(piece.offset)) << piece.bytes;
  out.close();
  std::filesystem::resize_file(path, image.size);
  return path;
}

bool has(const Fact<Findings>& found, const std::string& name) {
  return found && std::any_of(found->begin(), found->end(),
                              [&](const auto& finding) { return finding.rfind(name + " at byte ", 0) == 0; });
}

bool is_refused(const Fact<Findings>& found) {
  auto facts = idle_drive();
  facts.signatures = found;
  return refused(facts, writing(facts), "R4", "something is stored on it");
}

}  // namespace

TEST_CASE("R4_each_of_46_formats_is_found_by_its_bare_signature_and_refused") {
  const auto all = images();
  CHECK(all.size() == 46);
  const TestFolder folder;
  for (const auto& image : all) {
    const auto found = found_on(made(folder, image));
    INFO(image.found);
    CHECK(has(found, image.found));
    CHECK(is_refused(found));
  }
}

TEST_CASE("R4_nothing_is_found_on_a_blank_device_or_in_the_data_of_a_measurement") {
  const TestFolder folder;
  CHECK(found_on(made(folder, {"", {}, kSize})) == Findings{});
  std::string data(1 << 20, '\0');
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<char>(1 + (i * 2654435761u >> 13) % 200);
  CHECK(found_on(made(folder, {"", {{0, data}, {kSize - data.size(), data}}, kSize})) == Findings{});
}

TEST_CASE("R4_file_systems_made_by_the_tools_of_this_machine_are_found") {
  const TestFolder folder;
  const auto path = made(folder, {"", {}, 64 << 20});
  int tried = 0;
  for (const auto& [command, name] : {std::pair{"mkfs.ext4 -q -F", "ext4"},
                                      {"mkfs.ext3 -q -F", "ext3"},
                                      {"mkfs.xfs -q -f", "xfs"},
                                      {"mkfs.btrfs -q -f", "btrfs"},
                                      {"mkfs.vfat", "vfat"},
                                      {"mkfs.minix", "minix"},
                                      {"mkswap", "swap"}}) {
    if (!succeeds("PATH=$PATH:/sbin:/usr/sbin " + std::string(command) + " " + path)) continue;
    ++tried;
    INFO(command);
    const auto found = found_on(path);
    CHECK(has(found, name));
    CHECK(is_refused(found));
    std::filesystem::resize_file(path, 0);  // blank again
    std::filesystem::resize_file(path, 64 << 20);
  }
  if (tried == 0) WARN("no tool that makes a file system is installed; skipped");
}
