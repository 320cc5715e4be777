// Formats with one request a line and fixed columns, separated by commas or blanks. Each is one short function.
#include <set>

#include "sim/traces/formats/format.h"

namespace ftlab {
namespace {

// Units of the columns, in ns and bytes.
constexpr TraceUnits kMsr{kFileTimeNs, 1, 1}, kAlibaba{kMicrosecondNs, 1, 1}, kSystor{kSecondNs, 1, 1};
constexpr TraceUnits kTencent{kSecondNs, kSectorBytes, kSectorBytes}, kFiu{1, kSectorBytes, kSectorBytes};
constexpr TraceUnits kSpc{kSecondNs, kSectorBytes, 1}, kVscsi{kSecondNs, kSectorBytes, 1};
constexpr TraceUnits kDisksim{kMillisecondNs, kSectorBytes, kSectorBytes}, kSsdsim{1, kSectorBytes, kSectorBytes};

constexpr std::size_t kMostFlags = 4;

using ParseLine = LineKind (*)(std::string_view line, ParsedLine& parsed, LineFault& fault);

// `heading` is the start of an optional heading line: its first column names, without blanks. Empty: no heading.
class FixedColumns : public LineParser {
 public:
  FixedColumns(ParseLine parse_line, std::string_view heading) : parse_line_(parse_line), heading_(heading) {}

  LineKind parse(std::string_view line, std::uint64_t, ParsedLine& parsed, LineFault& fault) override {
    if (line.empty() || line.front() == '#' || without_blanks(line).empty()) return LineKind::nothing;
    const bool first = !begun_;
    begun_ = true;
    return first && is_heading(line) ? LineKind::heading : parse_line_(line, parsed, fault);
  }

 private:
  bool is_heading(std::string_view line) const {
    if (heading_.empty()) return false;
    std::string names;
    for (const char c : line)
      if (c != ' ' && c != '\t' && c != '"') names += c;
    return same_word(std::string_view(names).substr(0, heading_.size()), heading_);
  }

  ParseLine parse_line_;
  std::string_view heading_;
  bool begun_ = false;
};

// Two neighbouring columns that together name a volume, from the start of the first to the end of the last.
std::string_view joined(std::string_view first, std::string_view last) {
  return {first.data(), static_cast<std::size_t>(last.data() + last.size() - first.data())};
}

LineKind msr(std::string_view line, ParsedLine& parsed, LineFault& fault) {
  Taker take(parsed, fault);
  Fields field;
  split_at(line, ',', field);
  if (field.count != 7)
    return take.wrong_count(field, line, "7: Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime");
  return kind_of(take.time("Timestamp", field[0], kMsr.time) && take.volume("Hostname", field[1]) &&
                 take.volume("DiskNumber", field[2]) && take.volume("volume", joined(field[1], field[2])) &&
                 take.op("Type", field[3], "Read", "Write") && take.offset("Offset", field[4], kMsr.offset) &&
                 take.length("Size", field[5], kMsr.size) && take.response(field[6], kMsr.time));
}

LineKind alibaba(std::string_view line, ParsedLine& parsed, LineFault& fault) {
  Taker take(parsed, fault);
  Fields field;
  split_at(line, ',', field);
  if (field.count != 5) return take.wrong_count(field, line, "5: device_id,opcode,offset,length,timestamp");
  return kind_of(take.volume("device_id", field[0]) && take.op("opcode", field[1], "R", "W") &&
                 take.offset("offset", field[2], kAlibaba.offset) && take.length("length", field[3], kAlibaba.size) &&
                 take.time("timestamp", field[4], kAlibaba.time));
}

LineKind tencent(std::string_view line, ParsedLine& parsed, LineFault& fault) {
  Taker take(parsed, fault);
  Fields field;
  split_at(line, ',', field);
  if (field.count != 5) return take.wrong_count(field, line, "5: timestamp,offset,size,ioType,volumeId");
  return kind_of(take.time("timestamp", field[0], kTencent.time) && take.offset("offset", field[1], kTencent.offset) &&
                 take.length("size", field[2], kTencent.size) && take.op("ioType", field[3], "0", "1") &&
                 take.volume("volumeId", field[4]));
}

// A line with a blank IOType is neither a read nor a write.
LineKind systor(std::string_view line, ParsedLine& parsed, LineFault& fault) {
  Taker take(parsed, fault);
  Fields field;
  split_at(line, ',', field);
  if (field.count != 6) return take.wrong_count(field, line, "6: Timestamp,Response,IOType,LUN,Offset,Size");
  if (!take.time("Timestamp", field[0], kSystor.time)) return LineKind::bad;
  if (field[2].empty()) return take.other("a blank IOType");
  return kind_of(take.op("IOType", field[2], "R", "W") && take.volume("LUN", field[3]) &&
                 take.offset("Offset", field[4], kSystor.offset) && take.length("Size", field[5], kSystor.size) &&
                 take.response(field[1], kSystor.time));
}

// The specification allows further fields after the fifth.
LineKind spc(std::string_view line, ParsedLine& parsed, LineFault& fault) {
  Taker take(parsed, fault);
  Fields field;
  split_at(line, ',', field);
  if (field.count < 5) return take.wrong_count(field, line, "5 or more: ASU,LBA,Size,Opcode,Timestamp");
  return kind_of(take.volume("ASU", field[0]) && take.offset("LBA", field[1], kSpc.offset) &&
                 take.length("Size", field[2], kSpc.size) && take.op("Opcode", field[3], "R", "W") &&
                 take.time("Timestamp", field[4], kSpc.time));
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

LineKind vscsi(std::string_view line, ParsedLine& parsed, LineFault& fault) {
  Taker take(parsed, fault);
  Fields field;
  split_at(line, ',', field);
  if (field.count != 5) return take.wrong_count(field, line, "5: version,time,op,size,lbn");
  std::uint64_t version = 0;
  if (!read_number(field[0], version)) return kind_of(take.no("version", "is not a number", field[0], "digits"));
  parsed.volume = "vscsi";
  return kind_of(take.time("time", field[1], kVscsi.time) && scsi_op(take, field[2], parsed) &&
                 take.length("size", field[3], kVscsi.size) && take.offset("lbn", field[4], kVscsi.offset));
}

LineKind disksim(std::string_view line, ParsedLine& parsed, LineFault& fault) {
  Taker take(parsed, fault);
  Fields field;
  split_at_blanks(line, field);
  if (field.count != 5) return take.wrong_count(field, line, "5: time dev blkno bcount flags");
  std::uint64_t flags = 0;
  if (!read_number(field[4], flags, 16))
    return kind_of(take.no("flags", "is not a hexadecimal number", field[4], "bit 0 set: a read"));
  parsed.op = (flags & 1) != 0 ? Op::read : Op::write;
  parsed.op_text = field[4];
  return kind_of(take.time("time", field[0], kDisksim.time) && take.volume("dev", field[1]) &&
                 take.offset("blkno", field[2], kDisksim.offset) && take.length("bcount", field[3], kDisksim.size));
}

// 0 is a write and 1 a read; in Tencent's format it is the reverse.
LineKind ssdsim(std::string_view line, ParsedLine& parsed, LineFault& fault) {
  Taker take(parsed, fault);
  Fields field;
  split_at_blanks(line, field);
  if (field.count != 5) return take.wrong_count(field, line, "5: time dev lba sectors op");
  if (!read_number(field[0], parsed.time_ns))
    return kind_of(take.no("time", "is not a whole number of nanoseconds", field[0], "digits, below 2^64"));
  return kind_of(take.volume("dev", field[1]) && take.offset("lba", field[2], kSsdsim.offset) &&
                 take.length("sectors", field[3], kSsdsim.size) && take.op("op", field[4], "1", "0"));
}

LineKind fiu(std::string_view line, ParsedLine& parsed, LineFault& fault) {
  Taker take(parsed, fault);
  Fields field;
  split_at_blanks(line, field);
  if (field.count != 9) return take.wrong_count(field, line, "9: ts pid process lba blocks op major minor md5");
  return kind_of(take.time("ts", field[0], kFiu.time) && take.offset("lba", field[3], kFiu.offset) &&
                 take.length("blocks", field[4], kFiu.size) && take.op("op", field[5], "R", "W") &&
                 take.volume("major minor", joined(field[6], field[7])));
}

template <ParseLine kParse, const char* kHeading>
std::unique_ptr<LineParser> make(const FormatOptions&) {
  return std::make_unique<FixedColumns>(kParse, kHeading);
}

template <const TraceUnits& kUnits>
Doubt doubt(TraceSample sample) {
  return doubt_values(sample, kUnits);
}

template <const TraceUnits& kUnits>
Doubt doubt_also_devices(TraceSample sample) {
  Doubt doubt = doubt_values(sample, kUnits);
  return doubt.reason.empty() ? doubt_devices(sample) : doubt;
}

// DiskSim defines ten flag bits; a trace uses few combinations of them.
Doubt doubt_disksim(TraceSample sample) {
  std::set<std::string_view> flags;
  for (const ParsedLine& row : sample) flags.insert(row.op_text);
  if (flags.size() > kMostFlags) return {"its flags would have " + std::to_string(flags.size()) + " different values"};
  return doubt_also_devices<kDisksim>(sample);
}

constexpr char kNoHeading[] = "", kMsrHeading[] = "Timestamp,Hostname", kAlibabaHeading[] = "device_id,opcode",
               kSystorHeading[] = "Timestamp,Response", kVscsiHeading[] = "version,time";

// Column numbers, as keys of a column map.
constexpr char kMsrColumns[] = R"("time":0,"volume":2,"op":3,"offset":4,"size":5)";
constexpr char kAlibabaColumns[] = R"("volume":0,"op":1,"offset":2,"size":3,"time":4)";
constexpr char kTencentColumns[] = R"("time":0,"offset":1,"size":2,"op":3,"volume":4,"read":["0"],"write":["1"])";
constexpr char kSystorColumns[] = R"("time":0,"op":2,"volume":3,"offset":4,"size":5)";
constexpr char kSpcColumns[] = R"("volume":0,"offset":1,"size":2,"op":3,"time":4)";
constexpr char kVscsiColumns[] =
    R"("time":1,"op":2,"size":3,"offset":4,"read":["28","88"],"write":["2a","8a"],"trim":["42"],"flush":["35"])";
constexpr char kDisksimColumns[] =
    R"("time":0,"volume":1,"offset":2,"size":3,"op":4,"separator":"blank","read":["1"],"write":["0"])";
constexpr char kFiuColumns[] = R"("time":0,"offset":3,"size":4,"op":5,"volume":7,"separator":"blank")";

}  // namespace

std::vector<TraceFormat> trace_column_format() {
  return {
      {"msr", "MSR Cambridge: Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime", make<msr, kMsrHeading>, true,
       false, doubt<kMsr>, kMsrColumns},
      {"alibaba", "Alibaba 2020: device_id,opcode,offset,length,timestamp", make<alibaba, kAlibabaHeading>, true, false,
       doubt<kAlibaba>, kAlibabaColumns},
      {"tencent", "Tencent CBS: timestamp,offset,size,ioType,volumeId", make<tencent, kNoHeading>, true, false,
       doubt<kTencent>, kTencentColumns},
      {"systor", "SYSTOR '17: Timestamp,Response,IOType,LUN,Offset,Size", make<systor, kSystorHeading>, true, false,
       doubt<kSystor>, kSystorColumns},
      {"spc", "SPC and UMass: ASU,LBA,Size,Opcode,Timestamp", make<spc, kNoHeading>, true, false, doubt<kSpc>, kSpcColumns},
      {"vscsi", "CloudPhysics vscsi: version,time,op,size,lbn", make<vscsi, kVscsiHeading>, true, false, doubt<kVscsi>,
       kVscsiColumns},
      {"disksim", "DiskSim ASCII: time dev blkno bcount flags", make<disksim, kNoHeading>, true, false, doubt_disksim,
       kDisksimColumns},
      {"ssdsim", "SSDSim and MQSim ASCII: time dev lba sectors op", make<ssdsim, kNoHeading>, true, false,
       doubt_also_devices<kSsdsim>, kDisksimColumns},
      {"fiu", "FIU: ts pid process lba blocks op major minor md5", make<fiu, kNoHeading>, true, false, doubt<kFiu>,
       kFiuColumns},
  };
}

}  // namespace ftlab
