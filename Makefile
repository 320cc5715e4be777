# A thin face over CMake. `make help` lists what it does; CMakePresets.json holds what a build is.
# make test PRESET=asan runs the tests in another build: debug, asan, ubsan, release-checked.
export PRESET ?= release
# One job a core, but no more than one a GB of memory.
export JOBS ?= $(shell awk -v cores=$$(nproc) '/^MemTotal/ { gb = int($$2 / 1000000); print gb < 1 ? 1 : gb < cores ? gb : cores }' /proc/meminfo)
export PART

BIN := $(if $(filter release,$(PRESET)),build/bin,build/presets/$(PRESET)/bin)

.PHONY: help demo test test-all fuzz soak build bench pgo clean configure

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: ## set up, build, simulate a review (256 KiB random writes, two hours), draw the page of results: three minutes
	@.ci/steps demo

test: ## set up, build and run the quick tests: twenty minutes on two cores
	@.ci/steps test

test-all: ## what make test leaves out: compilers, wheel, long tests; resumes; PART=wheel runs one part
	@.ci/steps test-all

fuzz: ## set up, build the fuzzers with clang and let them search (ten minutes; FUZZ="--seconds 60" and more options)
	@.ci/setup fuzz
	validation/fuzz/fuzz.sh $(or $(FUZZ),--seconds 600)

soak: ## set up, build with every check on, carry out the nightly programme (two hours; SOAK="--hours 8" and more options)
	@.ci/setup tests
	@.ci/setup soak
	@$(MAKE) --no-print-directory configure
	@$(MAKE) --no-print-directory configure PRESET=release-checked
	cmake --build --preset $(PRESET) --parallel $(JOBS) --target ftlab-soak ftlab-tests
	cmake --build --preset release-checked --parallel $(JOBS) --target ftlab-soak ftlab-tests
	python3 validation/soak/soak.py $(SOAK)

build: ## set up and build the programs into build/bin
	@.ci/steps build

bench: build ## run the benchmarks
	$(BIN)/ftlab-bench

pgo: ## set up, build programs optimised for what the benchmarks execute, into build/presets/profiled/bin
	@PRESET=profiled .ci/steps pgo

clean: ## remove every build; results in out/ stay
	rm -rf build

configure:
	cmake --preset $(PRESET)
