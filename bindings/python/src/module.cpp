// ftlab._core: what the Python package is built on. Thin: every answer is made by the libraries that the programs use.
#include <pybind11/pybind11.h>

#include "bindings/python/src/analysis.h"
#include "bindings/python/src/columns.h"
#include "bindings/python/src/drive.h"
#include "bindings/python/src/errors.h"
#include "bindings/python/src/policies.h"
#include "bindings/python/src/result_folder.h"

PYBIND11_MODULE(_core, module) {
  module.doc() = "The simulator behind the package ftlab; use the package.";
  module.attr("version") = FTLAB_VERSION;
  module.attr("signature") = FTLAB_SIGNATURE;  // of the simulator's behaviour (validation/checks/data/signature.txt)
  ftlab::register_errors(module);
  ftlab::register_columns(module);
  ftlab::register_policies(module);
  ftlab::register_drive(module);
  ftlab::register_analysis(module);
  ftlab::register_result_folder(module);
}
