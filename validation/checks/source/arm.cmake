# Builds for 64-bit ARM on another machine: Debian's cross compiler, libraries of its architecture arm64 beside the machine's
# own, and qemu to run what was built. `.ci/setup arm` installs them.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64)
