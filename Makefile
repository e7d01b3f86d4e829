# The front door. `make help` says what there is.

PREFIX ?= /usr/local
SOAK_SECONDS ?= 600
SOAK_SCENES ?= 200
SOAK_SEED ?= 1
# What `make soak` repeats with all cases (test_thorough in tests/test.h).
THOROUGH = formats/test_trajectory_faults determinism/test_threads determinism/test_history unit/test_collide_smooth \
  noalloc/test_step_bits cli/test_killed cli/test_rest
ENERGY_SCENES ?= 2000
ENERGY_SEED ?= 0
# Of the pictures that the test of the page takes, those that documents show.
PAGE_PICTURES = arch heap jansen stack dominoes demo pyramid spheres tour gallery dark

export SOAK_SECONDS

.DEFAULT_GOAL := all
.NOTPARALLEL:
.PHONY: all demo page page-pictures readme-picture site python deb test check bench bench-web bench-siconos bench-robots bench-page soak energy docs format install clean help bench-problems bench-versions bench-python

all: ## build the library and the command build/rigor (optimized)
	@scripts/setup build
	@scripts/build release

demo: all ## build, then run scenes/demo.json
	build/rigor run scenes/demo.json -o build/demo.csv

page: ## build the browser page build/page.html, which 'rigor view' puts scenes into
	@scripts/setup build wasm page
	@scripts/page

page-pictures: ## refresh the pictures of the gallery, test the page, refresh those in docs/images from the test's
	@scripts/setup build wasm page page-test
	@scripts/page
	@node tests/page/pictures.mjs build/page.html
	@PAGE_FINE=1 scripts/test page
	@for name in $(PAGE_PICTURES); do cp build/screenshots/$$name.jpg docs/images/page-$$name.jpg; done

readme-picture: ## refresh the moving picture of README.md, docs/images/beside.gif
	@scripts/setup build wasm page render
	@scripts/build release rigor
	@scripts/page
	@scripts/readme-picture

python: ## build the Python package (a wheel in build/wheel) and test it in a clean virtual environment
	@scripts/setup build python
	@scripts/python

deb: ## build Debian packages (build/deb) and check what is in them; nothing is installed
	@scripts/setup build python deb
	@scripts/deb

test: ## everything that must hold: all builds, all tests, all checks
	@scripts/setup build test mpi python wasm page page-test render
	@scripts/test

check: ## a quick look: the tests of the optimized build alone
	@scripts/setup build
	@scripts/build release tests
	@scripts/run-tests build

bench: ## build and run the benches against other engines
	@scripts/setup build bench
	@scripts/build bench bench

bench-web: ## build and run the bench of the WebAssembly library against other engines under Node
	@scripts/setup build wasm page
	@scripts/bench-web

bench-rest: ## how ten solids come to rest, as a table; polyhedra of RIGOR_SHARED
	@scripts/setup build
	@scripts/build release rigor
	@bench/rest.sh build/rigor

bench-versions: ## CPU time of the scenes that version 0.1.0 has, in turn with that version
	@scripts/setup build bench
	@bench/versions.py

bench-sweep: ## what part of two processors a sweep of 1,000 short runs uses
	@scripts/setup build
	@scripts/build release rigor
	@bench/sweep.sh build/rigor

bench-siconos: ## build and run the bench of solvers against Siconos on problem files
	@scripts/setup build bench
	@scripts/build bench bench-siconos

bench-problems: ## how well auto chooses, on problem files in many orders of their contacts
	@scripts/setup build bench
	@scripts/build bench bench-problems

bench-large: ## one large scene divided among machines, tried on one; and 100,000 bodies on this one
	@scripts/setup build bench
	@scripts/build bench bench-large

bench-robots: ## build and run the bench of robots against MuJoCo, on models of RIGOR_SHARED
	@scripts/setup build bench robots
	@scripts/build bench bench-robots

bench-python: ## what a call of step() costs in Python, and what two threads gain in rollouts
	@scripts/setup build python
	@scripts/python bench

bench-page: ## how fast the page shows its first frame, and steps 500 boxes, in a browser
	@scripts/setup build wasm page page-test
	@scripts/page
	@node tests/page/bench.mjs build/page.html

soak: ## fuzz all targets for SOAK_SECONDS in total (findings in build/soak), check SOAK_SCENES random scenes from SOAK_SEED, every island of all scenes, and what takes minutes (tests/long)
	@scripts/setup build soak
	@scripts/soak
	@scripts/build release rigor checker-witness formats-test_trajectory_faults determinism-test_threads \
	  determinism-test_history unit-test_collide_smooth noalloc-test_step_bits
	@/usr/bin/python3 tests/checker/check.py build --random $(SOAK_SCENES) --seed $(SOAK_SEED)
	@/usr/bin/python3 tests/checker/check.py build --every-step
	@scripts/run-tests --layer long build
	@RIGOR_THOROUGH=1 scripts/run-tests $(THOROUGH:%=--only %) build
	@scripts/matrix all
	@$(MAKE) --no-print-directory energy

energy: ## check the energy of every step of ENERGY_SCENES random scenes from ENERGY_SEED, naming each when it is done
	@scripts/setup build
	@scripts/build release laws-test_energy
	@RIGOR_ENERGY_SHOW=1 RIGOR_ENERGY_SCENES=$(ENERGY_SCENES) RIGOR_ENERGY_SEED=$(ENERGY_SEED) build/tests/laws/test_energy no_step_of_a_random_scene

docs: ## refresh what docs/ has from the program: references of its tables, what commands of the tutorials print
	@scripts/setup build
	@scripts/docs

site: ## the documents as a site to read and search offline, build/site/index.html
	@scripts/setup build docs site
	@scripts/build release rigor
	@scripts/site

format: ## format all C files in place
	@scripts/setup format
	@scripts/check-format --fix

install: all ## install under PREFIX (default /usr/local; DESTDIR is respected)
	cmake --install build --prefix "$(PREFIX)"

clean: ## remove everything that was built
	rm -rf build build-*

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | awk -F'\t' '{printf "  make %-14s %s\n", $$1, $$2}'
