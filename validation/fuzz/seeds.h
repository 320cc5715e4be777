// Initial corpora of the targets: the repository's own files, shortened for a fuzzer.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/config/document.h"

namespace ftlab::fuzz {

inline constexpr char kInputName[] = "input";  // name of the input in messages

// Contents of a file of the repository.
std::string text_of(const std::string& path);
// Contents of the files in a folder and its subfolders whose names have this prefix and suffix, sorted by name, without
// files longer than `longest`.
std::vector<std::string> texts_of(const std::string& folder, std::string_view begin, std::string_view end,
                                  std::size_t longest);
// Like texts_of(), for bad inputs. Their names begin with their folder, as in "drive/drive-".
std::vector<std::string> bad_texts(const std::string& begin, const std::string& end, std::size_t longest);
std::vector<std::string> joined(std::vector<std::string> first, std::vector<std::string> second);

// Drive files of the library with everything that they extend, without comments, blanks and long sources.
std::vector<std::string> short_drives();
// A drive of 2 MiB with few units of everything, with these settings.
Node tiny_drive(const std::vector<std::string>& settings = {});
std::string short_text(Node document);

}  // namespace ftlab::fuzz
