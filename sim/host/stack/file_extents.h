// Where a file system has put the bytes of the files that jobs read and write: in extents of one size, which are neighbours
// in the file and lie anywhere on the device. Every extent of the device belongs to one of the files, whose addresses are
// those of the jobs.
//
// The order is a permutation drawn from the seed, found extent by extent without a table: a Feistel network of four rounds
// over the next larger power of four, walked until it ends inside (Luby and Rackoff, SIAM J. Comput. 17, 1988; Black and
// Rogaway, "Ciphers with Arbitrary Finite Domains", CT-RSA 2002). What is left at the end of the device, less than an
// extent, stays in its place.
#pragma once

#include <array>
#include <cstdint>

namespace ftlab {

class FileExtents {
 public:
  // REQUIRES: extent_bytes > 0.
  FileExtents(std::uint64_t extent_bytes, std::uint64_t capacity_bytes, std::uint64_t seed);

  struct Piece {
    std::uint64_t offset_bytes;  // on the device
    std::uint64_t length_bytes;
  };
  // The first piece of these bytes of the files, up to the end of its extent. REQUIRES: they lie inside, length_bytes > 0.
  Piece first_piece(std::uint64_t offset_bytes, std::uint64_t length_bytes) const;

  std::uint64_t count() const { return count_; }
  // Of an extent of the files, on the device. REQUIRES: extent < count().
  std::uint64_t place_of(std::uint64_t extent) const;

 private:
  std::uint64_t scrambled(std::uint64_t value) const;

  std::uint64_t extent_bytes_;
  std::uint64_t count_;
  std::uint32_t half_bits_ = 0;  // of half a number
  std::array<std::uint64_t, 4> round_keys_;
};

}  // namespace ftlab
