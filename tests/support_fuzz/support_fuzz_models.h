// SPDX-License-Identifier: MIT
// What a reader of files with nodes promises. A fuzzer that includes this includes <graze/io.h>, too.
#ifndef GRZ_TESTS_SUPPORT_FUZZ_MODELS_H
#define GRZ_TESTS_SUPPORT_FUZZ_MODELS_H

#include <stddef.h>
#include <stdint.h>

// Read a file of this format. It has to be refused with a message of one line, or to give a model that keeps the
// promises of <graze/io.h>. Read with shared meshes it is the same: each instance, placed by the formula of
// docs/use/files.md, has the positions and the corners of its part, bit for bit.
void fuzz_scene_file(const char *format, const uint8_t *data, size_t size);

#endif
