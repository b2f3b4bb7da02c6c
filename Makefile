# SPDX-License-Identifier: MIT
# Short names for the scripts, which do the work and need no make. The build itself is CMake's (CMakeLists.txt).
.PHONY: all run test lint format sanitize clean

all:
	@sh scripts/build

run:
	@sh scripts/run

test:
	@sh scripts/test

lint:
	@sh scripts/lint

format:
	@sh scripts/format

sanitize:
	@sh scripts/sanitize

clean:
	rm -rf build build-*
