# A thin front for CMake. The real build is in CMakeLists.txt, its variants in CMakePresets.json.

BUILD  := build
PREFIX ?= /usr/local
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)

# The build runs its own make with its own jobs, so it must not get the flags of this make.
CMAKE  := env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL cmake

all: $(BUILD)/CMakeCache.txt
	@$(CMAKE) --build $(BUILD) --parallel $(JOBS)

$(BUILD)/CMakeCache.txt:
	@command -v cmake >/dev/null || { echo "cmake is missing: run scripts/install-deps.sh build" >&2; exit 1; }
	@$(CMAKE) -S . -B $(BUILD) -DCMAKE_BUILD_TYPE=Release

# If the packages for drawing cannot be installed, the demo does without them. The build is configured anew, so that it
# finds packages that are new.
demo:
	@scripts/install-deps.sh build render film || scripts/install-deps.sh build render || scripts/install-deps.sh build
	@$(CMAKE) -S . -B $(BUILD) -DCMAKE_BUILD_TYPE=Release
	@$(MAKE) --no-print-directory all
	@scripts/demo.sh $(BUILD)/taut

test:
	@scripts/test.sh

test-all:
	@scripts/test.sh all

bench: all
	$(BUILD)/taut bench kernels --quick
	$(BUILD)/taut bench sheet --n 100

install: all
	DESTDIR="$(DESTDIR)" $(CMAKE) --install $(BUILD) --prefix "$(PREFIX)"

format:
	@scripts/format.sh

clean:
	rm -rf $(BUILD)

.PHONY: all demo test test-all bench install format clean
