// What the targets begin with: the repository's own files, short enough for a fuzzer.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/config/document.h"

namespace ftlab::fuzz {

inline constexpr char kInputName[] = "input";  // of what is read, in messages

// A file of the repository.
std::string text_of(const std::string& path);
// The files of one of its folders and of those in it whose names begin and end so, in the order of their names; those that
// are longer than `longest` are left out.
std::vector<std::string> texts_of(const std::string& folder, std::string_view begin, std::string_view end,
                                  std::size_t longest);
// The same of bad inputs, whose names begin with their folder, as in "drive/drive-".
std::vector<std::string> bad_texts(const std::string& begin, const std::string& end, std::size_t longest);
std::vector<std::string> joined(std::vector<std::string> first, std::vector<std::string> second);

// Drive files of the library, with all that they extend, without comments, blanks and long sources.
std::vector<std::string> short_drives();
// One of 2 MiB that has few of everything, with these settings.
Node tiny_drive(const std::vector<std::string>& settings = {});
std::string short_text(Node document);

}  // namespace ftlab::fuzz
