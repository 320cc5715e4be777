#include "bindings/python/src/module.h"

#include "bindings/python/src/columns.h"

namespace py = pybind11;

namespace ftlab {
namespace {

// A Python object that C++ may hold and drop without the GIL.
std::shared_ptr<py::object> kept(py::object object) {
  return {new py::object(std::move(object)), [](py::object* kept) {
            const py::gil_scoped_acquire gil;
            delete kept;
          }};
}

std::string described(const py::handle& object) {
  return py::str(py::repr(object)).cast<std::string>().substr(0, 60) + " (" +
         py::type::of(object).attr("__name__").cast<std::string>() + ")";
}

// The answer as a number below `bound`. Refuses values that are not integers, such as floats.
std::uint32_t number_below(const py::object& answer, std::uint64_t bound, const char* method, const char* what) {
  const py::object index = py::reinterpret_steal<py::object>(PyNumber_Index(answer.ptr()));
  if (!index) PyErr_Clear();
  int beyond = 0;
  const long long value = index ? PyLong_AsLongLongAndOverflow(index.ptr(), &beyond) : -1;
  if (index && beyond == 0 && value >= 0 && static_cast<std::uint64_t>(value) < bound)
    return static_cast<std::uint32_t>(value);
  raise("PolicyError", std::string(method) + "() returned " + described(answer) + "; it must be " + what + ", 0 to " +
                           std::to_string(bound - 1));
}

// Random numbers for a policy, from the simulator's own stream. Valid only within one call.
class Chance {
 public:
  RandomStream* stream = nullptr;
  std::uint64_t below(std::uint64_t bound) const {
    if (bound == 0) throw py::value_error("below(0): there is no number below 0");
    return living().below(bound);
  }
  std::uint64_t bits() const { return living().bits(); }

 private:
  RandomStream& living() const {
    if (stream == nullptr) raise("PolicyError", "view.random is only there within choose()");
    return *stream;
  }
};

// The view that a collection policy gets. Its arrays stay the same objects as long as the translation layer exists.
struct View {
  py::object valid, state, pools, erases, closed_at, opened_at;
  const Blocks* blocks = nullptr;  // null outside choose()
  std::uint32_t pool = 0;
  std::uint32_t pages = 0;
  std::uint64_t pages_appended = 0;
  Chance random;

  py::object candidates() const {
    if (blocks == nullptr) raise("PolicyError", "view.candidates is only there within choose()");
    std::vector<std::int64_t> numbers;
    numbers.reserve(blocks->closed().count(pool));
    for (std::uint32_t b = 0; b < blocks->count(); ++b) {
      if (blocks->state(SuperblockId{b}) == BlockState::closed && blocks->columns().pool[b] == pool) numbers.push_back(b);
    }
    return array_of(std::move(numbers));
  }
};

class PythonCollection final : public GcPolicy {
 public:
  explicit PythonCollection(std::shared_ptr<py::object> choose) : choose_(std::move(choose)) {}
  ~PythonCollection() override {
    const py::gil_scoped_acquire gil;
    shown_ = py::object();
  }

  SuperblockId choose(const GcView& view, RandomStream& random) override {
    const py::gil_scoped_acquire gil;
    if (view_ == nullptr) show(view);
    view_->pages_appended = view.pages_appended;
    view_->random.stream = &random;
    view_->blocks = &view.blocks;
    const py::object answer = ask();
    return answer.is_none() ? checked_none(view) : checked(answer, view);
  }

 private:
  py::object ask() {
    struct EndOfLooking {
      View& view;
      ~EndOfLooking() {
        view.random.stream = nullptr;
        view.blocks = nullptr;
      }
    } const end{*view_};
    return (*choose_)(shown_);
  }

  void show(const GcView& view) {
    const Blocks& blocks = view.blocks;
    View shown;
    shown.valid = array_of<std::uint32_t>(blocks.columns().valid);
    shown.state = array_of<std::uint8_t>(blocks.columns().state);
    shown.pools = array_of<std::uint8_t>(blocks.columns().pool);
    shown.erases = array_of<std::uint32_t>(view.erases);
    shown.closed_at = array_of<std::uint64_t>(blocks.columns().closed_at);
    shown.opened_at = array_of<std::uint64_t>(blocks.columns().opened_at);
    shown.pool = view.pool;
    shown.pages = blocks.layout().pages_per_superblock();
    shown_ = py::cast(std::move(shown));
    view_ = shown_.cast<View*>();
  }

  // Without this check, a drive whose policy finds no victim would end as if it were worn out.
  static SuperblockId checked_none(const GcView& view) {
    const std::uint32_t closed = view.blocks.closed().count(view.pool);
    if (closed == 0) return kNoBlock;
    raise("PolicyError", "choose() returned None, but " + std::to_string(closed) + " closed superblocks of pool " +
                             std::to_string(view.pool) + " can be collected; of " + std::to_string(view.blocks.count()) +
                             " superblocks " + std::to_string(view.blocks.free().count()) + " are free");
  }

  static SuperblockId checked(const py::object& answer, const GcView& view) {
    const SuperblockId block{number_below(answer, view.blocks.count(), "choose", "a superblock's number or None")};
    const BlockState state = view.blocks.state(block);
    if (state != BlockState::closed) {
      raise("PolicyError", "choose() returned superblock " + std::to_string(number(block)) + ", which is " +
                               kBlockStateNames[static_cast<std::size_t>(state)] +
                               "; only closed ones can be collected (view.candidates)");
    }
    if (view.blocks.columns().pool[number(block)] != view.pool) {
      raise("PolicyError", "choose() returned superblock " + std::to_string(number(block)) + " of pool " +
                               std::to_string(view.blocks.columns().pool[number(block)]) + "; asked was for pool " +
                               std::to_string(view.pool));
    }
    return block;
  }

  std::shared_ptr<py::object> choose_;
  py::object shown_;
  View* view_ = nullptr;  // points into shown_
};

class PythonPlacement final : public PlacementPolicy {
 public:
  PythonPlacement(const py::object& policy, std::uint32_t classes)
      : of_host_(kept(policy.attr("of_host"))),
        of_relocated_(py::hasattr(policy, "of_relocated") ? kept(policy.attr("of_relocated")) : nullptr),
        classes_(classes) {}

  std::uint32_t of_host(Lpn lpn, std::uint8_t stream, Version old, Version version) override {
    const py::gil_scoped_acquire gil;
    return number_below((*of_host_)(number(lpn), stream, number(old), number(version)), classes_, "of_host", "a class");
  }
  std::uint32_t of_relocated(Lpn lpn, Version version, Version newest, std::uint32_t from) override {
    if (!of_relocated_) return from;
    const py::gil_scoped_acquire gil;
    return number_below((*of_relocated_)(number(lpn), number(version), number(newest), from), classes_, "of_relocated",
                        "a class");
  }
  bool by_superblock() const override { return of_relocated_ == nullptr; }

 private:
  std::shared_ptr<py::object> of_host_, of_relocated_;
  std::uint32_t classes_;
};

class PythonCachePolicy final : public CachePolicy {
 public:
  explicit PythonCachePolicy(const py::object& policy)
      : clear_(kept(policy.attr("clear"))),
        loaded_(kept(policy.attr("loaded"))),
        hit_(kept(policy.attr("hit"))),
        victim_(kept(policy.attr("victim"))),
        evicted_(kept(policy.attr("evicted"))) {}

  void clear() override {
    const py::gil_scoped_acquire gil;
    (*clear_)();
  }
  void loaded(std::uint32_t unit) override { report(*loaded_, unit); }
  void hit(std::uint32_t unit) override { report(*hit_, unit); }
  std::uint32_t victim(const MapCache& cache) override {
    const py::gil_scoped_acquire gil;
    const std::uint32_t unit =
        number_below((*victim_)(), std::uint64_t{0xffff'ffff}, "victim", "the number of a unit that is in the cache");
    if (!cache.holds(unit))
      raise("PolicyError", "victim() returned unit " + std::to_string(unit) + ", which is not in the cache");
    return unit;
  }
  void evicted(std::uint32_t unit) override { report(*evicted_, unit); }

 private:
  static void report(const py::object& method, std::uint32_t unit) {
    const py::gil_scoped_acquire gil;
    method(unit);
  }

  std::shared_ptr<py::object> clear_, loaded_, hit_, victim_, evicted_;
};

py::object method_of(const py::object& policy, const char* name) {
  if (py::hasattr(policy, name)) return policy.attr(name);
  if (PyCallable_Check(policy.ptr()) != 0 && !py::isinstance<py::type>(policy)) return policy;
  throw py::type_error("a collection policy is a function of one argument or has choose(view); got " + described(policy));
}

void require_methods(const py::object& policy, const char* kind, std::initializer_list<const char*> names) {
  if (py::isinstance<py::type>(policy))
    throw py::type_error(std::string("a ") + kind +
                         " policy is an object, not a class: did you forget the brackets behind " +
                         py::str(policy.attr("__name__")).cast<std::string>() + "?");
  for (const char* name : names) {
    if (py::hasattr(policy, name)) continue;
    throw py::type_error(std::string("a ") + kind + " policy has " + name + "; " + described(policy) + " has not");
  }
}

}  // namespace

UserPolicies policies_of(const py::object& collection, const py::object& placement, const py::object& map_cache) {
  UserPolicies own;
  if (!collection.is_none()) {
    require_methods(collection, "collection", {});
    const std::shared_ptr<py::object> choose = kept(method_of(collection, "choose"));
    own.collection = [choose](std::uint32_t) -> std::unique_ptr<GcPolicy> {
      return std::make_unique<PythonCollection>(choose);
    };
  }
  if (!placement.is_none()) {
    require_methods(placement, "placement", {"classes", "of_host"});
    own.placement = std::make_shared<PythonPlacement>(placement, placement.attr("classes").cast<std::uint32_t>());
  }
  if (!map_cache.is_none()) {
    require_methods(map_cache, "map cache", {"clear", "loaded", "hit", "victim", "evicted"});
    own.map_cache = std::make_shared<PythonCachePolicy>(map_cache);
  }
  return own;
}

void register_policies(py::module_& module) {
  py::class_<Chance>(module, "Chance").def("below", &Chance::below, py::arg("bound")).def("bits", &Chance::bits);
  py::class_<View>(module, "GcView")
      .def_readonly("valid", &View::valid)
      .def_readonly("state", &View::state)
      .def_readonly("pools", &View::pools)
      .def_readonly("erases", &View::erases)
      .def_readonly("closed_at", &View::closed_at)
      .def_readonly("opened_at", &View::opened_at)
      .def_readonly("pool", &View::pool)
      .def_readonly("pages_per_superblock", &View::pages)
      .def_readonly("pages_put", &View::pages_appended)
      .def_property_readonly(
          "random", [](View& view) { return &view.random; }, py::return_value_policy::reference_internal)
      .def_property_readonly("candidates", &View::candidates);
}

}  // namespace ftlab
