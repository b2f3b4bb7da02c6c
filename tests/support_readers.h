// SPDX-License-Identifier: MIT
// What the tests of the readers share. Each function fails the running test where something is not as expected, and shows the file.
// A test that includes this must include "read.h" too, so that the build links the tool's readers.
#ifndef GRZ_TESTS_SUPPORT_READERS_H
#define GRZ_TESTS_SUPPORT_READERS_H

#include <stddef.h>
#include <stdint.h>

#include "model.h"

// Read from memory; `name` tells the format where the bytes do not. Free the model.
void read_bytes(const char *name, const void *bytes, size_t size, model *m);
void read_text(const char *name, const char *text, model *m);

// The file is refused: the message is one line, begins with the name and holds `what`; the model is left empty.
void refuse_bytes(const char *name, const void *bytes, size_t size, const char *what);
void refuse(const char *name, const char *text, const char *what);

uint64_t bits_of(double value);

// Positions are compared as bits: -0 is not 0.
void assert_position(const model *m, uint64_t v, double x, double y, double z);

// Faces as "0 1 2|0 2 3", parts as "name 0+2|other 2+1" (first face and number of faces), notes as "one|other".
void assert_faces(const model *m, const char *expected);
void assert_parts(const model *m, const char *expected);
void assert_notes(const model *m, const char *expected);

#define PLY(format, rest) "ply\nformat " format " 1.0\n" rest
#define PLY_VERTICES(n) "element vertex " n "\nproperty float x\nproperty float y\nproperty float z\n"
#define PLY_FACES(n) "element face " n "\nproperty list uchar int vertex_indices\n"

#endif
