#include "validation/run/own_files.h"

#include <algorithm>
#include <filesystem>
#include <initializer_list>

#include "models/hdd/disk_config.h"
#include "sim/config/document.h"
#include "sim/config/extends.h"
#include "sim/config/file.h"
#include "sim/config/split.h"
#include "sim/core/error.h"
#include "sim/procedures/procedure.h"
#include "sim/workload/jobs/ini.h"
#include "validation/results/health/smart_table.h"
#include "validation/run/open_device.h"
#include "validation/run/state_file.h"

namespace ftlab {
namespace {

namespace fs = std::filesystem;

enum class OwnFile { unknown, job_file, drive, host, procedure, sweep, smart_table, result, saved_state };

struct Description {
  const char* what;
  const char* command;
};

Description described(OwnFile kind) {
  switch (kind) {
    case OwnFile::job_file: return {"a job file", "ftlab run FILE --drive DRIVE --out DIR"};
    case OwnFile::drive: return {"a drive file", "ftlab run JOB --drive FILE --out DIR"};
    case OwnFile::host: return {"a host file", "ftlab run JOB --drive DRIVE --host FILE --out DIR"};
    case OwnFile::procedure: return {"a procedure", "ftlab run FILE --drive DRIVE --out DIR"};
    case OwnFile::sweep: return {"a sweep", "ftlab sweep FILE --out DIR"};
    case OwnFile::smart_table: return {"a table of SMART attributes", "ftlab smart STATE --table FILE"};
    case OwnFile::result: return {"the result of a run", "ftlab compare FOLDER FOLDER, ftlab report FOLDER"};
    case OwnFile::saved_state: return {"the saved state of a drive", "ftlab run JOB --load FILE --out DIR"};
    default: return {"", ""};
  }
}

OwnFile kind_of_document(const Node& document) {
  const auto has = [&](const char* key) { return document.find(key) != nullptr; };
  if (document.kind != Node::Kind::object) return OwnFile::unknown;
  if (has("fio version") || (has("ftlab") && has("jobs"))) return OwnFile::result;
  if (has("axes")) return OwnFile::sweep;
  if (is_smart_table(document)) return OwnFile::smart_table;
  if (is_procedure(document)) return OwnFile::procedure;
  if (is_host(document)) return OwnFile::host;
  const Node* const kind = document.find("kind");
  const bool of_a_drive = kind != nullptr && (kind->text == "hdd" || kind->text == "ssd");
  return of_a_drive || has("nand") || has("rpm") ? OwnFile::drive : OwnFile::unknown;
}

// The first character of JSON or of a job file that is neither blank nor in a comment; 0 if the text has none.
char first_character(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  for (const std::string_view part : split(text, '\n')) {
    const std::string_view line = trimmed(part);
    if (!line.empty() && line.front() != ';' && line.front() != '#' && !line.starts_with("//")) return line.front();
  }
  return 0;
}

Node whole_document(const std::string& path) { return load_document(path, files_of_document(path)); }

// Kind of a file by its beginning or its keys; unknown if not recognized or unreadable.
OwnFile kind_of_file(const std::string& path) {
  std::error_code unused;
  if (!fs::is_regular_file(path, unused)) return OwnFile::unknown;
  if (is_state_file(path)) return OwnFile::saved_state;
  try {
    const std::string text = read_text_file(path);
    const char first = first_character(text);
    if (first == '[' && !path.ends_with(".json")) return OwnFile::job_file;
    if (first != '{') return OwnFile::unknown;
    return kind_of_document(whole_document(path));
  } catch (const ConfigError&) {
    return OwnFile::unknown;
  }
}

void refuse_unless(OwnFile kind, const std::string& path, std::initializer_list<OwnFile> wanted, const char* wish) {
  if (kind == OwnFile::unknown || std::find(wanted.begin(), wanted.end(), kind) != wanted.end()) return;
  const Description found = described(kind);
  throw ConfigError({path, 0}, "",
                    std::string("is ") + found.what + ", and " + wish + " is asked for here; it is for " + found.command);
}

void refuse_unless(const std::string& path, std::initializer_list<OwnFile> wanted, const char* wish) {
  refuse_unless(kind_of_file(path), path, wanted, wish);
}

// The kind of a file that is not a document explains more than where its text is not JSON.
Node document_of(const std::string& path, OwnFile wanted, const char* wish) {
  Node document;
  try {
    document = whole_document(path);
  } catch (const ConfigError&) {
    refuse_unless(path, {wanted}, wish);
    throw;
  }
  refuse_unless(kind_of_document(document), path, {wanted}, wish);
  return document;
}

}  // namespace

void refuse_unless_jobs(const std::string& path) { refuse_unless(path, {OwnFile::job_file}, "a job file"); }
void refuse_unless_jobs_or_procedure(const std::string& path) {
  refuse_unless(path, {OwnFile::job_file, OwnFile::procedure}, "a job file, a procedure or a trace");
}
void refuse_unless_state(const std::string& path) {
  refuse_unless(path, {OwnFile::saved_state}, "the saved state of a drive");
}
void refuse_foreign_to_check(const std::string& path) {
  refuse_unless(
      path,
      {OwnFile::job_file, OwnFile::drive, OwnFile::host, OwnFile::procedure, OwnFile::smart_table, OwnFile::saved_state},
      "a drive file, a procedure or a table");
}

Node drive_document(const std::string& path) { return document_of(path, OwnFile::drive, "a drive file"); }
Node host_document(const std::string& path) { return document_of(path, OwnFile::host, "a host file"); }

}  // namespace ftlab
