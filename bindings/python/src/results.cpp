#include "bindings/python/src/module.h"

#include <pybind11/stl.h>

#include "bindings/python/src/columns.h"
#include "validation/compare/reading/figure_file.h"
#include "validation/compare/reading/fio_log.h"
#include "validation/compare/reading/fio_result.h"
#include "validation/compare/reading/text_table.h"
#include "validation/results/result_folder.h"

namespace py = pybind11;

namespace ftlab {
namespace {

py::object object_of(const Node& node);

py::object list_of(const std::vector<Node>& items) {
  py::list list;
  for (const Node& item : items) list.append(object_of(item));
  return list;
}

py::object dict_of(const std::vector<Node::Member>& members) {
  py::dict dict;
  for (const Node::Member& member : members) dict[py::str(member.first)] = object_of(member.second);
  return dict;
}

py::object integer_of(const Node& node) {
  const py::int_ magnitude(node.magnitude);
  if (node.negative) return -magnitude;
  return magnitude;
}

py::object object_of(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null: return py::none();
    case Node::Kind::boolean: return py::bool_(node.boolean);
    case Node::Kind::integer: return integer_of(node);
    case Node::Kind::real: return py::float_(node.real);
    case Node::Kind::text: return py::str(node.text);
    case Node::Kind::array: return list_of(node.items);
    case Node::Kind::object: return dict_of(node.members);
  }
  return py::none();
}

py::dict dict_of(const Workload& workload) {
  py::dict dict;
  dict["rw"] = workload.rw;
  dict["block_bytes"] = workload.block_bytes;
  dict["depth"] = workload.depth;
  dict["jobs"] = workload.jobs;
  return dict;
}

py::dict dict_of(const std::vector<Percentile>& percentiles) {
  py::dict dict;
  for (const Percentile& one : percentiles) dict[py::float_(one.percent)] = one.ns;
  return dict;
}

// Percentiles and bins as (latencies in ns, numbers of requests).
void add_latency(const FioLatency& latency, py::dict& dict) {
  std::vector<double> ns, requests;
  for (const auto& [at, count] : latency.bins) {
    ns.push_back(at);
    requests.push_back(count);
  }
  dict["max_ns"] = latency.max_ns;
  dict["percentiles"] = dict_of(latency.percentiles);
  dict["bins"] = py::make_tuple(array_of(std::move(ns)), array_of(std::move(requests)));
}

// fio's sum over all directions has the block size of the last one.
Direction direction_named(const std::string& name) {
  return name == "read" ? Direction::read : name == "write" ? Direction::write : Direction::trim;
}

py::dict figures_of(const FioJob& job) {
  py::dict all;
  for (const char* const name : {"read", "write", "trim", "mixed"}) {
    const auto figures = job.figures(name);
    if (!figures || figures->requests == 0) continue;
    py::dict dict = dict_of(workload_of(job.words, direction_named(name)));
    dict["requests"] = static_cast<std::uint64_t>(figures->requests);
    dict["iops"] = figures->iops;
    dict["bytes_per_s"] = figures->bytes_per_s;
    dict["mean_ns"] = figures->total_mean_ns;
    add_latency(figures->completion.value_or(FioLatency{}), dict);
    all[name] = dict;
  }
  return all;
}

py::dict options_of(const std::vector<Setting>& options) {
  py::dict dict;
  for (const Setting& option : options) dict[py::str(option.key)] = option.value;
  return dict;
}

py::dict fio_jobs(const std::string& text, const std::string& file) {
  const Node document = parse_foreign_json(text, file);
  const FioJobs read = read_fio_jobs(JsonField(document));
  py::list jobs;
  for (const FioJob& job : read.jobs) {
    py::dict dict;
    dict["name"] = job.name;
    dict["failed"] = job.error != 0;
    dict["options"] = options_of(job.options);
    dict["figures"] = figures_of(job);
    jobs.append(dict);
  }
  py::dict result;
  result["options"] = options_of(read.global_options);
  result["jobs"] = jobs;
  result["ftlab"] = document.find("ftlab") == nullptr ? py::dict() : object_of(*document.find("ftlab"));
  return result;
}

py::dict point_of(const Point& point) {
  py::dict dict = dict_of(point.workload);
  dict["direction"] = name_of(point.direction);
  dict["iops"] = point.iops;
  dict["bytes_per_s"] = point.bytes_per_s;
  dict["mean_ns"] = point.latency_mean_ns;
  dict["percentiles"] = dict_of(point.percentiles);
  return dict;
}

// The end of each interval and its value.
py::dict curve_of(const TimeCurve& curve) {
  std::vector<double> ends, values;
  for (const TimeCurve::Interval& interval : curve.intervals) {
    ends.push_back(interval.end_s);
    values.push_back(interval.value);
  }
  py::dict dict;
  dict["direction"] = name_of(curve.direction);
  dict["end_s"] = array_of(std::move(ends));
  dict["iops"] = array_of(std::move(values));
  return dict;
}

py::dict figures(const std::string& text, const std::string& file) {
  const Measurement read = measurement_in(text, file);
  py::list points, curves;
  for (const Point& point : read.points) points.append(point_of(point));
  for (const TimeCurve& curve : read.curves) curves.append(curve_of(curve));
  py::dict dict;
  dict["what"] = read.what;
  dict["source"] = read.source;
  dict["points"] = points;
  dict["curves"] = curves;
  return dict;
}

py::dict fio_log(const std::string& text, const std::string& file) {
  const auto name = fio_log_name(file.substr(file.find_last_of('/') + 1));
  std::vector<double> time_ms, values, bytes;
  std::vector<std::uint8_t> directions;
  for (const FioLogRow& row : fio_log_rows(text, file, name ? name->kind : FioLogName::Kind::latency)) {
    time_ms.push_back(row.time_ms);
    values.push_back(row.value);
    directions.push_back(static_cast<std::uint8_t>(row.direction));
    bytes.push_back(row.block_bytes);
  }
  py::dict dict;
  dict["time_ms"] = array_of(std::move(time_ms));
  dict["value"] = array_of(std::move(values));
  dict["direction"] = array_of(std::move(directions));
  dict["bs_bytes"] = array_of(std::move(bytes));
  return dict;
}

py::dict dict_of(TextTable table) {
  py::dict dict;
  for (TextTable::Column& column : table.columns)
    dict[py::str(column.name)] = column.is_text ? py::cast(column.words) : array_of(std::move(column.numbers));
  return dict;
}

void write_result(const std::string& path, const std::vector<std::pair<std::string, std::string>>& files, bool replace) {
  ResultFolder folder(path, replace);
  for (const auto& [name, text] : files) folder.write(name, text);
  folder.commit();
}

}  // namespace

void register_results(py::module_& module) {
  module.def("write_result", &write_result, py::arg("path"), py::arg("files"), py::arg("replace"),
             py::call_guard<py::gil_scoped_release>());
  module.def(
      "json", [](const std::string& text, const std::string& file) { return object_of(parse_foreign_json(text, file)); },
      py::arg("text"), py::arg("file"));
  module.def("fio_jobs", &fio_jobs, py::arg("text"), py::arg("file"));
  module.def("fio_log", &fio_log, py::arg("text"), py::arg("file"));
  module.def("figures", &figures, py::arg("text"), py::arg("file"));
  module.def(
      "series", [](const std::string& text, const std::string& file) { return dict_of(read_series_table(text, file)); },
      py::arg("text"), py::arg("file"));
  module.def(
      "table",
      [](const std::string& text, const std::string& file, const std::vector<std::string>& required,
         const std::vector<std::string>& words) { return dict_of(read_table(text, file, required, words)); },
      py::arg("text"), py::arg("file"), py::arg("required"), py::arg("words"));
}

}  // namespace ftlab
