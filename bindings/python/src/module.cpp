// ftlab._core: the extension module under the Python package. Thin: the libraries that the programs use do the work.
#include <pybind11/pybind11.h>

#include "bindings/python/src/columns.h"
#include "bindings/python/src/drive.h"
#include "bindings/python/src/module.h"

PYBIND11_MODULE(_core, module) {
  module.doc() = "The simulator behind the package ftlab; use the package.";
  module.attr("version") = FTLAB_VERSION;
  module.attr("signature") = FTLAB_SIGNATURE;  // the simulator's behaviour (validation/checks/data/signature.txt)
  ftlab::register_errors(module);
  ftlab::register_columns(module);
  ftlab::register_policies(module);
  ftlab::register_drive(module);
  ftlab::register_analysis(module);
  ftlab::register_results(module);
}
