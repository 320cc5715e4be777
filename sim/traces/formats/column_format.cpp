// Formats with one request a line and fixed columns, between commas or blanks. Each is one short function.
#include "sim/traces/formats/format.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kFileTimeTick = 100;

using ParseLine = LineKind (*)(std::string_view line, ParsedLine& parsed, LineFault& fault);

// `heading` is the first name of the heading that the format's files may begin with.
class FixedColumns : public LineParser {
 public:
  FixedColumns(ParseLine parse_line, std::string_view heading) : parse_line_(parse_line), heading_(heading) {}

  LineKind parse(std::string_view line, std::uint64_t number, ParsedLine& parsed, LineFault& fault) override {
    if (line.empty() || line.front() == '#' || without_blanks(line).empty()) return LineKind::nothing;
    if (number == 1 && is_heading(line)) return LineKind::nothing;
    return parse_line_(line, parsed, fault);
  }

 private:
  bool is_heading(std::string_view line) const {
    return !heading_.empty() && same_word(without_blanks(line.substr(0, line.find(','))), heading_);
  }

  ParseLine parse_line_;
  std::string_view heading_;
};

// From the first field to the end of the last: two neighbouring columns that together name a volume.
std::string_view joined(std::string_view first, std::string_view last) {
  return {first.data(), static_cast<std::size_t>(last.data() + last.size() - first.data())};
}

LineKind msr(std::string_view line, ParsedLine& parsed, LineFault& fault) {
  Taker take(parsed, fault);
  Fields field;
  split_at(line, ',', field);
  if (field.count != 7)
    return take.wrong_count(field, line, "7: Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime");
  return kind_of(take.time("Timestamp", field[0], kFileTimeTick) && take.volume("Hostname", field[1]) &&
                 take.volume("DiskNumber", field[2]) && take.volume("volume", joined(field[1], field[2])) &&
                 take.op("Type", field[3], "Read", "Write") && take.offset("Offset", field[4], 1) &&
                 take.length("Size", field[5], 1) && take.response(field[6], kFileTimeTick));
}

LineKind alibaba(std::string_view line, ParsedLine& parsed, LineFault& fault) {
  Taker take(parsed, fault);
  Fields field;
  split_at(line, ',', field);
  if (field.count != 5) return take.wrong_count(field, line, "5: device_id,opcode,offset,length,timestamp");
  return kind_of(take.volume("device_id", field[0]) && take.op("opcode", field[1], "R", "W") &&
                 take.offset("offset", field[2], 1) && take.length("length", field[3], 1) &&
                 take.time("timestamp", field[4], kMicrosecondNs));
}

LineKind tencent(std::string_view line, ParsedLine& parsed, LineFault& fault) {
  Taker take(parsed, fault);
  Fields field;
  split_at(line, ',', field);
  if (field.count != 5) return take.wrong_count(field, line, "5: timestamp,offset,size,ioType,volumeId");
  return kind_of(take.time("timestamp", field[0], kSecondNs) && take.offset("offset", field[1], kSectorBytes) &&
                 take.length("size", field[2], kSectorBytes) && take.op("ioType", field[3], "0", "1") &&
                 take.volume("volumeId", field[4]));
}

// A line whose IOType is blank records something else than a read or a write.
LineKind systor(std::string_view line, ParsedLine& parsed, LineFault& fault) {
  Taker take(parsed, fault);
  Fields field;
  split_at(line, ',', field);
  if (field.count != 6) return take.wrong_count(field, line, "6: Timestamp,Response,IOType,LUN,Offset,Size");
  if (!take.time("Timestamp", field[0], kSecondNs)) return LineKind::bad;
  if (field[2].empty()) return LineKind::nothing;
  return kind_of(take.op("IOType", field[2], "R", "W") && take.volume("LUN", field[3]) &&
                 take.offset("Offset", field[4], 1) && take.length("Size", field[5], 1) &&
                 take.response(field[1], kSecondNs));
}

// The specification allows further fields behind the fifth.
LineKind spc(std::string_view line, ParsedLine& parsed, LineFault& fault) {
  Taker take(parsed, fault);
  Fields field;
  split_at(line, ',', field);
  if (field.count < 5) return take.wrong_count(field, line, "5 or more: ASU,LBA,Size,Opcode,Timestamp");
  return kind_of(take.volume("ASU", field[0]) && take.offset("LBA", field[1], kSectorBytes) &&
                 take.length("Size", field[2], 1) && take.op("Opcode", field[3], "R", "W") &&
                 take.time("Timestamp", field[4], kSecondNs));
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
  return kind_of(take.time("time", field[1], kSecondNs) && scsi_op(take, field[2], parsed) &&
                 take.length("size", field[3], 1) && take.offset("lbn", field[4], kSectorBytes));
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
  return kind_of(take.time("time", field[0], kMillisecondNs) && take.volume("dev", field[1]) &&
                 take.offset("blkno", field[2], kSectorBytes) && take.length("bcount", field[3], kSectorBytes));
}

// Unlike with others, 0 is a write and 1 a read.
LineKind ssdsim(std::string_view line, ParsedLine& parsed, LineFault& fault) {
  Taker take(parsed, fault);
  Fields field;
  split_at_blanks(line, field);
  if (field.count != 5) return take.wrong_count(field, line, "5: time dev lba sectors op");
  if (!read_number(field[0], parsed.time_ns))
    return kind_of(take.no("time", "is not a whole number of nanoseconds", field[0], "digits, below 2^64"));
  return kind_of(take.volume("dev", field[1]) && take.offset("lba", field[2], kSectorBytes) &&
                 take.length("sectors", field[3], kSectorBytes) && take.op("op", field[4], "1", "0"));
}

LineKind fiu(std::string_view line, ParsedLine& parsed, LineFault& fault) {
  Taker take(parsed, fault);
  Fields field;
  split_at_blanks(line, field);
  if (field.count != 9) return take.wrong_count(field, line, "9: ts pid process lba blocks op major minor md5");
  return kind_of(take.time("ts", field[0], 1) && take.offset("lba", field[3], kSectorBytes) &&
                 take.length("blocks", field[4], kSectorBytes) && take.op("op", field[5], "R", "W") &&
                 take.volume("major minor", joined(field[6], field[7])));
}

template <ParseLine kParse>
std::unique_ptr<LineParser> make(const FormatOptions&) {
  return std::make_unique<FixedColumns>(kParse, "");
}

template <ParseLine kParse, const char* kHeading>
std::unique_ptr<LineParser> make_below(const FormatOptions&) {
  return std::make_unique<FixedColumns>(kParse, kHeading);
}

// How each heading begins.
constexpr char kMsrHeading[] = "Timestamp", kAlibabaHeading[] = "device_id", kVscsiHeading[] = "version";

}  // namespace

std::vector<TraceFormat> trace_column_format() {
  return {
      {"msr", "MSR Cambridge: Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime", make_below<msr, kMsrHeading>},
      {"alibaba", "Alibaba 2020: device_id,opcode,offset,length,timestamp", make_below<alibaba, kAlibabaHeading>},
      {"tencent", "Tencent CBS: timestamp,offset,size,ioType,volumeId", make<tencent>},
      {"systor", "SYSTOR '17: Timestamp,Response,IOType,LUN,Offset,Size", make_below<systor, kMsrHeading>},
      {"spc", "SPC and UMass: ASU,LBA,Size,Opcode,Timestamp", make<spc>},
      {"vscsi", "CloudPhysics vscsi: version,time,op,size,lbn", make_below<vscsi, kVscsiHeading>},
      {"disksim", "DiskSim ASCII: time dev blkno bcount flags", make<disksim>},
      {"ssdsim", "SSDSim and MQSim ASCII: time dev lba sectors op", make<ssdsim>},
      {"fiu", "FIU: ts pid process lba blocks op major minor md5", make<fiu>},
  };
}

}  // namespace ftlab
