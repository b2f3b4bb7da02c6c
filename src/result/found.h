// SPDX-License-Identifier: MIT
// The touching triangle pairs of a query, from which the lists that callers read are made.
#ifndef GRZ_RESULT_FOUND_H
#define GRZ_RESULT_FOUND_H

#include <graze/object.h>

#include "base/memory.h"

// A pair of triangles that touch.
typedef struct grz_found {
    uint32_t job; // index into the query's job set
    uint32_t face_a, face_b;
    uint32_t triangle_a, triangle_b;
    uint32_t kind; // grz_kind
} grz_found;

typedef GRZ_ARRAY(grz_found) grz_found_array;

// The entries of one job, sorted: items[first] to items[end - 1].
typedef struct grz_found_range {
    const grz_object *a, *b; // the job's objects; b is NULL for a mesh with itself
    size_t first, end;
    bool complete; // every pair of these objects that touches is there
} grz_found_range;

// Sort by job, then (face_a, face_b), then (triangle_a, triangle_b), and remove repeats. False if there is no memory.
bool grz_found_sort(const grz_allocator *allocator, grz_found_array *found);

#endif
