# A thin face over CMake. `make help` lists what it does; CMakePresets.json holds what a build is.
# make test PRESET=asan runs the tests in another build: debug, asan, ubsan, release-checked.
PRESET ?= release
# One job a core, but no more than one a GB of memory.
JOBS ?= $(shell awk -v cores=$$(nproc) '/^MemTotal/ { gb = int($$2 / 1000000); print gb < 1 ? 1 : gb < cores ? gb : cores }' /proc/meminfo)

BIN := $(if $(filter release,$(PRESET)),build/bin,build/presets/$(PRESET)/bin)
DEMO := out/demo

.PHONY: help demo test fuzz soak build bench clean configure

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: ## set up, build, simulate a review (256 KiB random writes, four hours), draw the page of results
	@.ci/setup
	@$(MAKE) --no-print-directory configure
	cmake --build --preset $(PRESET) --parallel $(JOBS) --target ftlab ftlab_core
	$(BIN)/ftlab run configs/jobs/kingston/random-write-256k.fio --drive kingston-ssdnow-v-64 \
	  --record-blocks 0:20m:4s --out $(DEMO) --replace
	$(BIN)/ftlab report $(DEMO) --out $(DEMO)-report --replace >/dev/null
	@echo "The results lie in $(DEMO): result.json (fio's shape), series.csv, drive.json and fio's logs."
	@echo "The page to open: file://$(CURDIR)/$(DEMO)-report/index.html"

test: ## set up, build and run every test
	@.ci/setup tests
	@$(MAKE) --no-print-directory configure
	cmake --build --preset $(PRESET) --parallel $(JOBS)
	ctest --preset $(PRESET) --parallel $(JOBS)

fuzz: ## set up, build the fuzzers with clang and let them search (ten minutes; FUZZ="--seconds 60" and more options)
	@.ci/setup fuzz
	validation/fuzz/fuzz.sh $(or $(FUZZ),--seconds 600)

soak: ## set up, build with every check on, carry out the nightly programme (two hours; SOAK="--hours 8" and more options)
	@.ci/setup tests
	@.ci/setup soak
	@$(MAKE) --no-print-directory configure
	@$(MAKE) --no-print-directory configure PRESET=release-checked
	cmake --build --preset $(PRESET) --parallel $(JOBS) --target ftlab-soak ftlab-tests
	cmake --build --preset release-checked --parallel $(JOBS) --target ftlab-soak ftlab-power-cuts ftlab-tests
	python3 validation/soak/soak.py $(SOAK)

build: ## set up and build the programs into build/bin
	@.ci/setup
	@$(MAKE) --no-print-directory configure
	cmake --build --preset $(PRESET) --parallel $(JOBS) --target programs

bench: build ## run the benchmarks
	$(BIN)/ftlab-bench

clean: ## remove every build; results in out/ stay
	rm -rf build

configure:
	cmake --preset $(PRESET)
