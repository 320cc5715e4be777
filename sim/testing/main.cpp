// Only compiled with Catch2 version 2; version 3 brings its own main in Catch2::Catch2WithMain.
#define CATCH_CONFIG_MAIN
#include "sim/testing/test.h"
