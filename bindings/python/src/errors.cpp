#include "bindings/python/src/module.h"

#include <pybind11/stl.h>

#include "sim/core/check.h"
#include "sim/core/error.h"
#include "sim/host/host.h"
#include "validation/results/result_folder.h"

namespace py = pybind11;

namespace ftlab {
namespace {

void set_error(const char* name, const std::string& message) {
  const py::object type = py::module_::import("ftlab.errors").attr(name);
  PyErr_SetObject(type.ptr(), type(message).ptr());
}

}  // namespace

void raise(const char* name, const std::string& message) {
  set_error(name, message);
  throw py::error_already_set();
}

void register_errors(py::module_& module) {
  module.def(
      "refusal",
      [](const std::string& problem, const std::string& file, std::size_t line, const std::string& key,
         const std::string& got, const std::string& allowed, const std::string& nearest) {
        return std::string(ConfigError({file, line}, key, problem, got, allowed, nearest).what());
      },
      py::arg("problem"), py::arg("file"), py::arg("line"), py::arg("key"), py::arg("got"), py::arg("allowed"),
      py::arg("nearest"));
  module.def("nearest_name", &nearest_name, py::arg("name"), py::arg("candidates"));
  module.def(
      "printable", [](const std::string& text) { return printable(text); }, py::arg("text"));
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const ConfigError& error) {
      set_error("ConfigError", error.what());
    } catch (const CheckFailed& error) {
      set_error("InternalError", error.what());
    } catch (const OutputError& error) {
      PyErr_SetString(PyExc_OSError, error.what());
    } catch (const Interrupted&) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
  });
}

}  // namespace ftlab
