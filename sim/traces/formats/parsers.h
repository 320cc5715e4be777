// Where each format's parser is made. Only format.cpp needs these.
#pragma once

#include "sim/traces/formats/format.h"

namespace ftlab {

std::unique_ptr<LineParser> make_msr_parser(const FormatOptions&);
std::unique_ptr<LineParser> make_alibaba_parser(const FormatOptions&);
std::unique_ptr<LineParser> make_tencent_parser(const FormatOptions&);
std::unique_ptr<LineParser> make_systor_parser(const FormatOptions&);
std::unique_ptr<LineParser> make_spc_parser(const FormatOptions&);
std::unique_ptr<LineParser> make_vscsi_parser(const FormatOptions&);
std::unique_ptr<LineParser> make_disksim_parser(const FormatOptions&);
std::unique_ptr<LineParser> make_ssdsim_parser(const FormatOptions&);
std::unique_ptr<LineParser> make_fiu_parser(const FormatOptions&);
std::unique_ptr<LineParser> make_blkparse_parser(const FormatOptions&);  // action 0: any of Q, D and C is a request
std::unique_ptr<LineParser> make_fio_v2_parser(const FormatOptions&);
std::unique_ptr<LineParser> make_fio_v3_parser(const FormatOptions&);
std::unique_ptr<LineParser> make_column_parser(const FormatOptions&);

}  // namespace ftlab
