// Columns of the simulator as read-only NumPy arrays on the same memory, which lives as long as the last array. Uses
// Python's buffer protocol, so any NumPy version works.
#pragma once

#include <memory>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "ftl/blocks/blocks.h"
#include "sim/core/column.h"

namespace ftlab {

// Memory that Python may read.
struct SharedMemory {
  std::shared_ptr<const void> keeps;
  const void* first = nullptr;
  pybind11::ssize_t count = 0;
  pybind11::ssize_t element_bytes = 1;
  std::string format;  // element format in the notation of Python's `struct`
};

// Registers the class SharedMemory.
inline void register_columns(pybind11::module_& module) {
  module.attr("block_states") = pybind11::tuple(pybind11::cast(kBlockStateNames));
  const auto buffer_of = [](const SharedMemory& memory) {
    static const char nothing = 0;
    const void* const first = memory.count > 0 ? memory.first : &nothing;
    return pybind11::buffer_info(const_cast<void*>(first), memory.element_bytes, memory.format, 1, {memory.count},
                                 {memory.element_bytes}, /*readonly=*/true);
  };
  pybind11::class_<SharedMemory>(module, "SharedMemory", pybind11::buffer_protocol()).def_buffer(buffer_of);
}

inline pybind11::object array_of(SharedMemory memory) {
  return pybind11::module_::import("numpy").attr("asarray")(pybind11::cast(std::move(memory)));
}

// A column as an array of `Element`: the column's own type, or the underlying type of its enumeration.
template <class Element, class T>
pybind11::object array_of(const Column<T>& column) {
  static_assert(sizeof(Element) == sizeof(T));
  return array_of(SharedMemory{column.shared(), column.data(), static_cast<pybind11::ssize_t>(column.size()),
                               sizeof(Element), pybind11::format_descriptor<Element>::format()});
}

// Numbers computed for Python.
template <class T>
pybind11::object array_of(std::vector<T> numbers) {
  const auto kept = std::make_shared<const std::vector<T>>(std::move(numbers));
  return array_of(SharedMemory{kept, kept->data(), static_cast<pybind11::ssize_t>(kept->size()), sizeof(T),
                               pybind11::format_descriptor<T>::format()});
}

}  // namespace ftlab
