// SPDX-License-Identifier: MIT
// A result from inside: arrays that keep their room between queries.
#ifndef GRZ_QUERY_RESULT_H
#define GRZ_QUERY_RESULT_H

#include "query/decide.h"

typedef struct grz_point {
    double at[3];
} grz_point;

// What meets at a contact's point, by the mesh's corners (their identity) and triangles: half 0 of A, half 1 of B, two numbers each:
// a corner (c, GRZ_KEY_CORNER), an edge (lower corner, higher corner), a face (triangle, GRZ_KEY_FACE). For self the lower half first.
typedef struct grz_node_key {
    uint32_t half[2][2];
} grz_node_key;

#define GRZ_KEY_CORNER UINT32_C(0xffffffff)
#define GRZ_KEY_FACE UINT32_C(0xfffffffe)

struct grz_result {
    const grz_allocator *allocator;
    grz_summary summary;
    grz_found_array found; // triangle pairs, sorted
    GRZ_ARRAY(grz_pair) pairs;
    GRZ_ARRAY(grz_contact) contacts;
    GRZ_ARRAY(grz_point) points;
    GRZ_ARRAY(grz_node_key) keys; // one a point, where curves are wanted
    GRZ_ARRAY(grz_curve) curves;
    GRZ_ARRAY(grz_point) curve_points;
};

// Forget the last answer, keep the room; the summary says GRZ_UNDECIDED.
void grz_result_reset(grz_result *result);

// Make pairs and kinds from the sorted triangle pairs. False where memory is short.
bool grz_result_build_pairs(grz_result *result);

// Make contacts, points, region and, if asked, keys from the sorted triangle pairs; pairs are there. b NULL: self, points moved by a's
// pose.
bool grz_result_build_contacts(grz_result *result, const grz_object *a, const grz_object *b, bool keys);

// Join the contacts to curves; contacts with keys are there.
bool grz_result_build_curves(grz_result *result);

#endif
