#include "bindings/python/src/columns.h"

#include <pybind11/stl.h>

#include "ftl/blocks/blocks.h"

namespace py = pybind11;

namespace ftlab {

void register_columns(py::module_& module) {
  module.attr("block_states") = py::tuple(py::cast(kBlockStateNames));
  py::class_<SharedMemory>(module, "SharedMemory", py::buffer_protocol()).def_buffer([](const SharedMemory& memory) {
    static const char nothing = 0;
    const void* const first = memory.count > 0 ? memory.first : &nothing;
    return py::buffer_info(const_cast<void*>(first), memory.element_bytes, memory.format, 1, {memory.count},
                           {memory.element_bytes}, /*readonly=*/true);
  });
}

py::object array_of(SharedMemory memory) {
  return py::module_::import("numpy").attr("asarray")(py::cast(std::move(memory)));
}

}  // namespace ftlab
