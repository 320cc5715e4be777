// Formats with one request a line and fixed columns, separated by commas or blanks: a table of their columns.
#include <set>

#include "sim/traces/formats/format.h"

namespace ftlab {
namespace {

constexpr std::size_t kMostFlags = 4;

using Units = const TraceUnits&;

// A format of fixed columns.
struct Columns {
  const char* name;
  const char* description;  // whose it is, then the names of the columns after ": "
  std::size_t count;        // of columns
  TraceUnits units;         // of the columns, in ns and bytes
  LineKind (*take)(Taker& take, const Fields& field, Units unit, ParsedLine& parsed);
  const char* map;           // column numbers, as keys of a column map
  char separator = ',';      // ' ': blanks
  const char* heading = "";  // start of an optional heading line: its first column names, without blanks
  bool more = false;         // further columns may follow
  Doubt (*doubt)(TraceSample sample, const TraceUnits& units) = doubt_values;
};

class FixedColumns : public LineParser {
 public:
  explicit FixedColumns(const Columns& columns) : columns_(columns) {}

  LineKind parse(std::string_view line, std::uint64_t, ParsedLine& parsed, LineFault& fault) override {
    if (line.empty() || line.front() == '#' || without_blanks(line).empty()) return LineKind::nothing;
    const bool first = !begun_;
    begun_ = true;
    if (first && is_heading(line)) return LineKind::heading;
    Taker take(parsed, fault);
    if (columns_.separator == ' ')
      split_at_blanks(line, field_);
    else
      split_at(line, columns_.separator, field_);
    if (columns_.more ? field_.count < columns_.count : field_.count != columns_.count)
      return take.wrong_count(field_, line, wanted());
    return columns_.take(take, field_, columns_.units, parsed);
  }

 private:
  bool is_heading(std::string_view line) const {
    const std::string_view heading = columns_.heading;
    if (heading.empty()) return false;
    std::string names;
    for (const char c : line)
      if (c != ' ' && c != '\t' && c != '"') names += c;
    return same_word(std::string_view(names).substr(0, heading.size()), heading);
  }

  std::string wanted() const {
    const std::string_view description = columns_.description;
    return std::to_string(columns_.count) + (columns_.more ? " or more" : "") +
           std::string(description.substr(description.find(": ")));
  }

  const Columns& columns_;
  Fields field_;
  bool begun_ = false;
};

// Two neighbouring columns that together name a volume, from the start of the first to the end of the last.
std::string_view joined(std::string_view first, std::string_view last) {
  return {first.data(), static_cast<std::size_t>(last.data() + last.size() - first.data())};
}

// SCSI operation codes, two hexadecimal digits as in the traces (a single digit is more likely another format's number).
bool scsi_op(Taker& take, std::string_view text, ParsedLine& parsed) {
  std::string_view digits = text;
  if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
  std::uint64_t code = 0;
  const bool number = digits.size() == 2 && read_number(digits, code, 16);
  switch (number ? code : 0) {
    case 0x08:
    case 0x28:
    case 0x88:
    case 0xa8: parsed.op = Op::read; return true;
    case 0x0a:
    case 0x2a:
    case 0x8a:
    case 0xaa: parsed.op = Op::write; return true;
    case 0x42: parsed.op = Op::trim; return true;
    case 0x35:
    case 0x91: parsed.op = Op::flush; return true;
    default:
      return take.no("op", "is not a supported SCSI operation", text,
                     "hexadecimal 08, 28, 88, a8 (read), 0a, 2a, 8a, aa (write), 42 (unmap), 35, 91 (synchronize cache)");
  }
}

LineKind msr(Taker& take, const Fields& field, Units unit, ParsedLine&) {
  return kind_of(take.time("Timestamp", field[0], unit.time) && take.volume("Hostname", field[1]) &&
                 take.volume("DiskNumber", field[2]) && take.volume("volume", joined(field[1], field[2])) &&
                 take.op("Type", field[3], "Read", "Write") && take.offset("Offset", field[4], unit.offset) &&
                 take.length("Size", field[5], unit.size) && take.response(field[6], unit.time));
}

LineKind alibaba(Taker& take, const Fields& field, Units unit, ParsedLine&) {
  return kind_of(take.volume("device_id", field[0]) && take.op("opcode", field[1], "R", "W") &&
                 take.offset("offset", field[2], unit.offset) && take.length("length", field[3], unit.size) &&
                 take.time("timestamp", field[4], unit.time));
}

LineKind tencent(Taker& take, const Fields& field, Units unit, ParsedLine&) {
  return kind_of(take.time("timestamp", field[0], unit.time) && take.offset("offset", field[1], unit.offset) &&
                 take.length("size", field[2], unit.size) && take.op("ioType", field[3], "0", "1") &&
                 take.volume("volumeId", field[4]));
}

// A line with a blank IOType is neither a read nor a write.
LineKind systor(Taker& take, const Fields& field, Units unit, ParsedLine&) {
  if (!take.time("Timestamp", field[0], unit.time)) return LineKind::bad;
  if (field[2].empty()) return take.other("a blank IOType");
  return kind_of(take.op("IOType", field[2], "R", "W") && take.volume("LUN", field[3]) &&
                 take.offset("Offset", field[4], unit.offset) && take.length("Size", field[5], unit.size) &&
                 take.response(field[1], unit.time));
}

LineKind spc(Taker& take, const Fields& field, Units unit, ParsedLine&) {
  return kind_of(take.volume("ASU", field[0]) && take.offset("LBA", field[1], unit.offset) &&
                 take.length("Size", field[2], unit.size) && take.op("Opcode", field[3], "R", "W") &&
                 take.time("Timestamp", field[4], unit.time));
}

LineKind vscsi(Taker& take, const Fields& field, Units unit, ParsedLine& parsed) {
  std::uint64_t version = 0;
  if (!read_number(field[0], version)) return kind_of(take.no("version", "is not a number", field[0], "digits"));
  parsed.volume = "vscsi";
  return kind_of(take.time("time", field[1], unit.time) && scsi_op(take, field[2], parsed) &&
                 take.length("size", field[3], unit.size) && take.offset("lbn", field[4], unit.offset));
}

LineKind disksim(Taker& take, const Fields& field, Units unit, ParsedLine& parsed) {
  std::uint64_t flags = 0;
  if (!read_number(field[4], flags, 16))
    return kind_of(take.no("flags", "is not a hexadecimal number", field[4], "bit 0 set: a read"));
  parsed.op = (flags & 1) != 0 ? Op::read : Op::write;
  parsed.op_text = field[4];
  return kind_of(take.time("time", field[0], unit.time) && take.volume("dev", field[1]) &&
                 take.offset("blkno", field[2], unit.offset) && take.length("bcount", field[3], unit.size));
}

// 0 is a write and 1 a read; in Tencent's format it is the reverse.
LineKind ssdsim(Taker& take, const Fields& field, Units unit, ParsedLine& parsed) {
  if (!read_number(field[0], parsed.time_ns))
    return kind_of(take.no("time", "is not a whole number of nanoseconds", field[0], "digits, below 2^64"));
  return kind_of(take.volume("dev", field[1]) && take.offset("lba", field[2], unit.offset) &&
                 take.length("sectors", field[3], unit.size) && take.op("op", field[4], "1", "0"));
}

LineKind fiu(Taker& take, const Fields& field, Units unit, ParsedLine&) {
  return kind_of(take.time("ts", field[0], unit.time) && take.offset("lba", field[3], unit.offset) &&
                 take.length("blocks", field[4], unit.size) && take.op("op", field[5], "R", "W") &&
                 take.volume("major minor", joined(field[6], field[7])));
}

Doubt doubt_also_devices(TraceSample sample, const TraceUnits& units) {
  Doubt doubt = doubt_values(sample, units);
  return doubt.reason.empty() ? doubt_devices(sample) : doubt;
}

// DiskSim defines ten flag bits; a trace uses few combinations of them.
Doubt doubt_disksim(TraceSample sample, const TraceUnits& units) {
  std::set<std::string_view> flags;
  for (const ParsedLine& row : sample) flags.insert(row.op_text);
  if (flags.size() > kMostFlags) return {"its flags would have " + std::to_string(flags.size()) + " different values"};
  return doubt_also_devices(sample, units);
}

constexpr std::uint64_t kSector = kSectorBytes;
constexpr char kDisksimMap[] =
    R"("time":0,"volume":1,"offset":2,"size":3,"op":4,"separator":"blank","read":["1"],"write":["0"])";
constexpr Columns kFormats[] = {
    {"msr", "MSR Cambridge: Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime", 7, {kFileTimeNs, 1, 1}, msr,
     R"("time":0,"volume":2,"op":3,"offset":4,"size":5)", ',', "Timestamp,Hostname"},
    {"alibaba", "Alibaba 2020: device_id,opcode,offset,length,timestamp", 5, {kMicrosecondNs, 1, 1}, alibaba,
     R"("volume":0,"op":1,"offset":2,"size":3,"time":4)", ',', "device_id,opcode"},
    {"tencent", "Tencent CBS: timestamp,offset,size,ioType,volumeId", 5, {kSecondNs, kSector, kSector}, tencent,
     R"("time":0,"offset":1,"size":2,"op":3,"volume":4,"read":["0"],"write":["1"])"},
    {"systor", "SYSTOR '17: Timestamp,Response,IOType,LUN,Offset,Size", 6, {kSecondNs, 1, 1}, systor,
     R"("time":0,"op":2,"volume":3,"offset":4,"size":5)", ',', "Timestamp,Response"},
    // The specification allows further fields after the fifth.
    {"spc", "SPC and UMass: ASU,LBA,Size,Opcode,Timestamp", 5, {kSecondNs, kSector, 1}, spc,
     R"("volume":0,"offset":1,"size":2,"op":3,"time":4)", ',', "", true},
    {"vscsi", "CloudPhysics vscsi: version,time,op,size,lbn", 5, {kSecondNs, kSector, 1}, vscsi,
     R"("time":1,"op":2,"size":3,"offset":4,"read":["28","88"],"write":["2a","8a"],"trim":["42"],"flush":["35"])", ',',
     "version,time"},
    {"disksim", "DiskSim ASCII: time dev blkno bcount flags", 5, {kMillisecondNs, kSector, kSector}, disksim, kDisksimMap,
     ' ', "", false, doubt_disksim},
    {"ssdsim", "SSDSim and MQSim ASCII: time dev lba sectors op", 5, {1, kSector, kSector}, ssdsim, kDisksimMap, ' ', "",
     false, doubt_also_devices},
    {"fiu", "FIU: ts pid process lba blocks op major minor md5", 9, {1, kSector, kSector}, fiu,
     R"("time":0,"offset":3,"size":4,"op":5,"volume":7,"separator":"blank")", ' '},
};

}  // namespace

std::vector<TraceFormat> trace_column_format() {
  std::vector<TraceFormat> all;
  for (const Columns& columns : kFormats)
    all.push_back({columns.name, columns.description,
                   [&columns](const FormatOptions&) { return std::make_unique<FixedColumns>(columns); }, true, false,
                   [&columns](TraceSample sample) { return columns.doubt(sample, columns.units); }, columns.map});
  return all;
}

}  // namespace ftlab
