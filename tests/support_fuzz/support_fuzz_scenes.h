// SPDX-License-Identifier: MIT
// What the fuzzers of formats with scenes require of a model of triangles. Each ends the program where it does not
// hold.
#ifndef GRZ_TESTS_SUPPORT_FUZZ_SCENES_H
#define GRZ_TESTS_SUPPORT_FUZZ_SCENES_H

#include <graze/io.h>

// Its parts cover its faces, and its corners are vertices.
void fuzz_require_parts(const grz_io_model *m);

// The instances, one after the other and placed by the formula of docs/use/io.md, are the parts, bit for bit.
void fuzz_require_same(const grz_io_model *parts, const grz_io_model *shared);

#endif
