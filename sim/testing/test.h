// Catch2 under one name, whether version 2 (Debian 12) or 3 is installed.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;  // as version 2 does by itself
#else
#include <catch2/catch.hpp>
#endif
