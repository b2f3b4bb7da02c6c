// SPDX-License-Identifier: MIT
// What the tests of solids share: asking, and random pairs of sets of cells.
#ifndef GRZ_TESTS_SUPPORT_CLASSIFY_H
#define GRZ_TESTS_SUPPORT_CLASSIFY_H

#include "support_lattice.h"

// Opened and closed by the test program's main().
extern grz_device *classify_device;
extern grz_result *classify_result;
void classify_open(void);
void classify_close(void);

enum {
    SOLIDS_COUNT = 8,
    MATRIX_COUNT = 7
};

extern const char *const solids_names[SOLIDS_COUNT];

// Integer matrices with an inverse; some mirror.
extern const double matrices[MATRIX_COUNT][3][3];

// A pose with one of them and an exact translation.
grz_pose pose_of(const double m[3][3]);

// Ask once. Fails the test on an error.
grz_summary ask_objects(const grz_object *a, const grz_object *b, uint32_t find, grz_inside_rule rule);

// Ask for solids alone, in both orders, both meshes at one pose (NULL: at the origin).
grz_solids ask_ruled(const test_mesh *a, const test_mesh *b, const grz_pose *pose, grz_inside_rule rule);

// Two sets of cells and how their surfaces are to be made.
typedef struct lattice_case {
    lattice a, b;
    lattice_style style_a, style_b;
} lattice_case;

lattice_case random_case(random_stream *random);

#endif
