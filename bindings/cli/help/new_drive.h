// Makes a user's own drive file from a few answers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/config/document.h"

namespace ftlab {

struct NewDrive {
  std::string name = "My drive";
  std::uint64_t user_sectors = 0;
  std::string flash = "tlc";  // a name of flash_classes() in validation/calibrate/priors.h
  std::uint32_t channels = 8;
  std::uint32_t dies = 0;            // in the whole drive; 0: the number that the capacity needs with dies of the usual size
  std::string interface = "sata-6";  // or another SATA or SAS link, or nvme-GxL: generation and lanes
  std::uint32_t over_provisioning_permille = 70;
  bool enterprise = false;  // otherwise a client's drive
};

// The allowed values of --interface.
const std::vector<std::string>& interface_names();

// The drive file of a new drive. Everything not answered is typical of such flash and marked as assumed. A small drive has
// smaller blocks than its flash, so that it has a thousand superblocks; a large one has larger mapping pages. TLC and QLC
// drives of clients have a pSLC cache. REQUIRES: the dies divide evenly among the channels.
Node document_of(const NewDrive& answers);

// The text of a drive file: one key per line, with its meaning and allowed values. REQUIRES: `document` was validated.
std::string commented(const Node& document, const std::string& heading);

}  // namespace ftlab
