#include "bindings/python/src/result_folder.h"

#include <pybind11/stl.h>

#include "validation/results/result_folder.h"

namespace py = pybind11;

namespace ftlab {

void register_result_folder(py::module_& module) {
  module.def(
      "write_result",
      [](const std::string& path, const std::vector<std::pair<std::string, std::string>>& files, bool replace) {
        ResultFolder folder(path, replace);
        for (const auto& [name, text] : files) folder.write(name, text);
        folder.commit();
      },
      py::arg("path"), py::arg("files"), py::arg("replace"), py::call_guard<py::gil_scoped_release>());
}

}  // namespace ftlab
