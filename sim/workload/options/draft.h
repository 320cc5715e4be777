// A job whose section is being read: options set members of the job itself. Only what depends on other options, on other
// jobs or on the drive stands beside it, until resolve.h turns the draft into the job.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/workload/jobs/ini.h"
#include "sim/workload/jobs/job.h"
#include "sim/workload/jobs/units.h"

namespace ftlab {

using Notes = std::vector<Note>;

// How an engine issues requests, regardless of the job's other options. The default is psync, as in fio.
struct EngineTraits {
  bool synchronous = true;           // one request at a time; iodepth is ignored
  bool bypasses_page_cache = false;  // passes commands to the drive: always direct; `direct` and `buffered` are ignored
  bool over_network = false;         // the device is an image that a cluster or another host serves
};

struct Draft : Job {
  Draft();  // fio's defaults

  std::string section;
  ConfigError::Place place;                // of the section
  std::map<std::string, Setting> written;  // last line of each option, by its main name; used in messages
  std::uint64_t kilo = 1024;               // kb_base: value of the suffix k

  std::optional<Amount> size;
  std::optional<Amount> io_size;
  std::optional<std::uint64_t> file_bytes;
  std::uint64_t most_file_bytes = 0;  // upper end of a range of file sizes, else 0
  Amount offset;
  Amount offset_increment;  // between consecutive clones
  std::uint64_t offset_align = 0;
  bool fill_device = false;
  std::vector<std::string> filenames;
  std::uint64_t file_count = 1;

  EngineTraits engine;
  bool engine_names_device = false;  // uri, libblkio_path: no filename is needed
  bool direct = false;               // set by direct=1 or buffered=0; see is_buffered()
  std::uint64_t clones = 1;
  bool stonewall = false;
  bool new_group = false;

  bool zoned = false;             // zonemode=strided
  std::uint64_t zone_bytes = 0;   // zonesize, else that of the drive; 0: neither
  bool placed = false;            // fdp, dataplacement
  bool by_stream_ids = false;     // dataplacement=streams
  bool placed_by_scheme = false;  // plid_select=scheme
  bool end_flush = false, close_flush = false;
  bool writes_to_flash = false;      // writefua
  std::uint64_t ranges_of_trim = 1;  // num_range
  enum class WriteCommand : std::uint8_t { plain, same, verify } write_command = WriteCommand::plain;

  std::vector<std::string> logs;  // read_iolog: one for each clone of the job, as in fio; empty: no replay
  ReplayRules replay_rules;

  bool is_set(const char* option) const { return written.count(option) != 0; }
  bool has_several_files() const { return filenames.empty() ? file_count > 1 : filenames.size() > 1; }

  // The line that set `option`, or one that names the section if none did.
  Setting line_of(const char* option) const;
  // Throws ConfigError at the line of `option`.
  [[noreturn]] void refuse(const char* option, std::string_view problem, std::string_view allowed = {}) const;
  // Adds a note at the line of `option`. Pass a problem and its remedy if the figures of the run do not follow the option.
  void note(Notes& notes, const char* option, const std::string& text, std::optional<ProblemCode> problem = {},
            std::string remedy = {}) const;
};

}  // namespace ftlab
