# The two commands of the README are `make demo` and `make test`; each sets up what it needs.
# The rest is for people who work on the code.

.PHONY: demo test build bench asan tsan fuzz lint format clean setup-demo setup-all

build: setup-all
	cmake --preset release
	cmake --build --preset release

demo: setup-demo
	cmake --preset demo
	cmake --build --preset demo --target eco
	scripts/demo.sh

test: setup-all
	scripts/test.sh

bench: build
	scripts/bench.sh

asan tsan: setup-all
	cmake --preset $@
	cmake --build --preset $@
	ctest --test-dir build/$@ --output-on-failure -j 2

fuzz: setup-all
	scripts/fuzz.sh

# Slow and thorough: the analyser over every file. `make test` runs all other checks of clang-tidy.
lint: setup-all
	scripts/checks/tidy.sh build/lint each

format:
	git ls-files '*.h' '*.cpp' | xargs clang-format -i

setup-demo:
	scripts/setup.sh demo

setup-all:
	scripts/setup.sh all

clean:
	rm -rf build
