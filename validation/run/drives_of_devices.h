// Which simulated drive stands for which device of a job file, when a run has several drives.
#pragma once

#include <string>
#include <vector>

namespace ftlab {

struct DriveOfDevice {
  std::string device;  // as the job file names it
  std::string drive;   // a drive of the library, or a drive file
  std::string folder;  // of its part of the result: "01-nvme0n1"
};

// `given`: values of --drive, DRIVE or DEVICE=DRIVE. Those without a device stand for the remaining devices in the order of
// their first appearance in `path`. In the order of `devices`. Throws ConfigError unless each device gets one drive.
std::vector<DriveOfDevice> drives_of_devices(const std::vector<std::string>& given, const std::vector<std::string>& devices,
                                             const std::string& path);

// The drive of DEVICE=DRIVE, which must be the device of the jobs in `path`; other values of --drive are returned as they
// are. `devices`: those of the jobs. Throws ConfigError.
std::string drive_given_alone(const std::string& given, const std::vector<std::string>& devices, const std::string& path);

}  // namespace ftlab
