// A drive file of the user's own, from a few answers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/config/document.h"

namespace ftlab {

struct NewDrive {
  std::string name = "My drive";
  std::uint64_t user_sectors = 0;
  std::string flash = "tlc";  // slc, mlc, tlc, qlc
  std::uint32_t channels = 8;
  std::uint32_t dies = 0;            // of the whole drive; 0: as many as the capacity asks for with usual dies
  std::string interface = "sata-6";  // or another SATA or SAS line, or nvme-GxL: generation and lanes
  std::uint32_t over_provisioning_permille = 70;
};

// The names of --interface.
const std::vector<std::string>& interface_names();

// As a drive file would state it; what is not answered is typical of such flash, and stands as assumed. Of a small drive the
// blocks are smaller than those of the flash, so that it has a thousand superblocks; of a large one the mapping pages are
// larger. TLC and QLC have a pSLC cache. REQUIRES: the dies divide among the channels.
Node document_of(const NewDrive& answers);

// The text of a drive file: one key a line, each with what it means and what is allowed. REQUIRES: it was read.
std::string commented(const Node& document, const std::string& heading);

}  // namespace ftlab
