#include "validation/calibrate/stated_fits.h"

#include "sim/config/file.h"
#include "sim/config/reader.h"
#include "sim/core/error.h"

namespace ftlab {
namespace {

const Node& members_of(const Node& document, const char* key) {
  const Node* const node = document.find(key);
  if (node == nullptr || node->kind != Node::Kind::object)
    throw ConfigError({document.file, document.line}, key, "must be an object");
  return *node;
}

StatedFit read_fit(const std::string& name, const Node& node) {
  Reader reader(node, "fits." + name);
  StatedFit fit;
  fit.name = name;
  fit.file = reader.text("file");
  fit.drives = reader.texts("drives");
  fit.rows = reader.texts("rows");
  fit.keys = reader.texts("keys");
  if (reader.has("start")) fit.start = reader.texts("start");
  reader.text_or("why", "");
  reader.finish();
  return fit;
}

FitByHand read_by_hand(const std::string& file, const Node& node) {
  Reader reader(node, "by_hand." + file);
  FitByHand fit{file, reader.texts("keys"), reader.text("to")};
  reader.finish();
  return fit;
}

}  // namespace

StatedFits read_stated_fits(const Node& document) {
  Reader reader(document);
  reader.text("about");
  StatedFits fits;
  if (!reader.has("fits")) reader.refuse("fits", "is missing");
  for (const auto& [name, node] : members_of(document, "fits").members) fits.fits.push_back(read_fit(name, node));
  if (!reader.has("by_hand")) reader.refuse("by_hand", "is missing");
  for (const auto& [file, node] : members_of(document, "by_hand").members) fits.by_hand.push_back(read_by_hand(file, node));
  reader.finish();
  return fits;
}

StatedFits load_stated_fits(const std::string& path) { return read_stated_fits(parse_document(read_text_file(path), path)); }

}  // namespace ftlab
