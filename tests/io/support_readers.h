// SPDX-License-Identifier: MIT
// Shared by the tests of the readers. Each function fails the running test if something is not as expected, and prints
// the file. A test that includes this must include <graze/io.h> too, so that the build links libgraze_io.
#ifndef GRZ_TESTS_SUPPORT_READERS_H
#define GRZ_TESTS_SUPPORT_READERS_H

#include <stddef.h>
#include <stdint.h>

#include <graze/io.h>

// Read a file from memory. `name` determines the format if the bytes do not. The caller frees the model.
void read_bytes(const char *name, const void *bytes, size_t size, grz_io_model **m);
void read_text(const char *name, const char *text, grz_io_model **m);

// Expect that the file is refused: the message is one line, starts with the name and contains `what`; the model stays
// empty.
void refuse_bytes(const char *name, const void *bytes, size_t size, const char *what);
void refuse(const char *name, const char *text, const char *what);

uint64_t bits_of(double value);

// Positions are compared bit by bit: -0 is not 0.
void assert_position(const grz_io_model *m, uint64_t v, double x, double y, double z);

// Faces as "0 1 2|0 2 3", parts as "name 0+2|other 2+1" (first face and number of faces), notes as "one|other".
void assert_faces(const grz_io_model *m, const char *expected);
void assert_parts(const grz_io_model *m, const char *expected);
void assert_notes(const grz_io_model *m, const char *expected);

#define PLY(format, rest) "ply\nformat " format " 1.0\n" rest
#define PLY_VERTICES(n) "element vertex " n "\nproperty float x\nproperty float y\nproperty float z\n"
#define PLY_FACES(n) "element face " n "\nproperty list uchar int vertex_indices\n"

#endif
