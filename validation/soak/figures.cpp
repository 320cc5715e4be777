#include "validation/soak/runs.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace ftlab::soak {

bool passed(const std::vector<Figure>& figures) {
  return std::all_of(figures.begin(), figures.end(), [](const Figure& figure) { return passed(figure); });
}

void print(const std::vector<Figure>& figures) {
  for (const Figure& figure : figures) {
    std::printf("%-60s asked %llu reached %llu failures %llu\n", figure.name.c_str(),
                static_cast<unsigned long long>(figure.asked), static_cast<unsigned long long>(figure.reached),
                static_cast<unsigned long long>(figure.failures));
  }
}

void write_json(const std::vector<Figure>& figures, const std::string& path) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Figure& figure : figures) {
    rows.push_back(nlohmann::ordered_json{
        {"name", figure.name}, {"asked", figure.asked}, {"reached", figure.reached}, {"failures", figure.failures}});
  }
  write_whole(path, nlohmann::ordered_json{{"figures", rows}}.dump(2) + "\n");
}

void write_whole(const std::string& path, const std::string& content) {
  const std::string partial = path + ".partial";
  std::ofstream file(partial, std::ios::binary);
  file << content;
  file.close();
  if (!file) {
    std::error_code ignored;
    std::filesystem::remove(partial, ignored);
    throw std::runtime_error(path + ": cannot be written");
  }
  std::filesystem::rename(partial, path);
}

}  // namespace ftlab::soak
