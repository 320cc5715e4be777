// Where a file system has placed the bytes of the files that jobs read and write: in extents of equal size, adjacent in the
// files and scattered over the device. Jobs use addresses in the files, which cover all extents of the device.
//
// The placement is a permutation drawn from the seed, computed for each extent without a table: a Feistel network of four
// rounds over the next larger power of four, repeated until the result is in range (Luby and Rackoff, SIAM J. Comput. 17,
// 1988; Black and Rogaway, "Ciphers with Arbitrary Finite Domains", CT-RSA 2002). The rest at the end of the device, less
// than an extent, stays in its place.
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
  // First piece of these bytes of the files, up to the end of its extent. REQUIRES: they lie inside, length_bytes > 0.
  Piece first_piece(std::uint64_t offset_bytes, std::uint64_t length_bytes) const;

  std::uint64_t count() const { return count_; }
  // Extent on the device that holds this extent of the files. REQUIRES: extent < count().
  std::uint64_t place_of(std::uint64_t extent) const;

 private:
  std::uint64_t scrambled(std::uint64_t value) const;

  std::uint64_t extent_bytes_;
  std::uint64_t count_;
  std::uint32_t half_bits_ = 0;  // bits of half an extent number
  std::array<std::uint64_t, 4> round_keys_;
};

}  // namespace ftlab
