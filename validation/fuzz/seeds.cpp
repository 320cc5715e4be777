#include "validation/fuzz/seeds.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "sim/config/echo.h"
#include "sim/config/extends.h"
#include "sim/config/file.h"
#include "sim/testing/bad_inputs.h"

namespace ftlab::fuzz {
namespace fs = std::filesystem;
namespace {

std::string place_of(const std::string& path) { return std::string(FTLAB_SOURCE_DIR) + "/" + path; }

Node loaded(const std::string& path) {
  return load_document(path, [](const std::string& name) { return read_text_file(name); });
}

void shorten(Node& node) {
  if (Node* const source = node.find("source")) source->text.resize(std::min<std::size_t>(source->text.size(), 1));
  for (Node& item : node.items) shorten(item);
  for (Node::Member& member : node.members) shorten(member.second);
}

}  // namespace

std::string text_of(const std::string& path) { return read_text_file(place_of(path)); }

std::vector<std::string> texts_of(const std::string& folder, std::string_view begin, std::string_view end,
                                  std::size_t longest) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(place_of(folder))) {
    const std::string name = entry.path().filename().string();
    if (entry.is_regular_file() && name.starts_with(begin) && name.ends_with(end)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> texts;
  for (const fs::path& file : files) {
    if (fs::file_size(file) <= longest) texts.push_back(read_text_file(file.string()));
  }
  return texts;
}

std::vector<std::string> bad_texts(const std::string& begin, const std::string& end, std::size_t longest) {
  std::vector<std::string> texts;
  for (const auto& [name, input] : ftlab::testing::BadInputs().of(begin, end)) {
    if (input.text.size() <= longest) texts.push_back(input.text);
  }
  return texts;
}

std::vector<std::string> joined(std::vector<std::string> first, std::vector<std::string> second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

std::string short_text(Node document) {
  shorten(document);
  return to_json(document).dump();
}

std::vector<std::string> short_drives() {
  std::vector<std::string> texts;
  for (const auto& entry : fs::directory_iterator(place_of("configs/drives"))) {
    if (entry.path().extension() == ".json") texts.push_back(short_text(loaded(entry.path().string())));
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

Node tiny_drive(const std::vector<std::string>& settings) {
  Node document = loaded(place_of("configs/drives/example-small-and-slow.json"));
  for (const char* setting :
       {"user_sectors=2560", "geometry.blocks_per_plane=32", "geometry.pages_per_block=8", "nand.read_ns=50000",
        "nand.program_ns=200000", "nand.erase_ns=1500000", "ftl.gc.start_free_superblocks=3",
        "ftl.gc.stop_free_superblocks=4", "ftl.write_buffer.bytes=32768", "ftl.write_buffer.partial_pages=2"}) {
    set_by_path(document, setting);
  }
  for (const std::string& setting : settings) set_by_path(document, setting);
  return document;
}

}  // namespace ftlab::fuzz
