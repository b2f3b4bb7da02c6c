// SPDX-License-Identifier: MIT
// A result from inside: arrays that keep their room between queries.
#ifndef GRZ_QUERY_RESULT_H
#define GRZ_QUERY_RESULT_H

#include <graze/scene.h>
#include <graze/slices.h>

#include "query/decide.h"

typedef struct grz_point {
    double at[3];
} grz_point;

// What meets at a contact's point: half 0 of A, half 1 of B, for self the lower half first. A corner is (vertex, GRZ_KEY_CORNER),
// an edge (lower vertex, higher vertex), a face (triangle, the same). A vertex stands for all that were made the same corner at
// creation and still lie at its position. So keys say which exact point it is, and equal keys mean the same point; the converse
// does not hold.
typedef struct grz_node_key {
    uint32_t half[2][2];
} grz_node_key;

#define GRZ_KEY_CORNER UINT32_C(0xffffffff)

// What a query found out about one job.
typedef struct grz_verdict {
    grz_relation relation;
    grz_containment containment;
    const char *reason; // why containment is undecidable; static
    uint64_t pair_count, kinds[GRZ_KIND_COUNT];
    uint64_t first_pair, first_contact, contact_count, first_curve, curve_count; // its parts of the result's lists
} grz_verdict;

// A pair of triangles that answered yes. The meshes may be gone by now, or others in their place.
typedef struct grz_witness {
    const grz_mesh *mesh_a, *mesh_b; // b NULL: a with itself; a NULL: there is none
    uint32_t triangle_a, triangle_b;
} grz_witness;

struct grz_result {
    const grz_allocator *allocator; // the device's; while a query runs, the one that counts for it
    grz_summary summary;
    grz_found_array found; // triangle pairs, sorted
    GRZ_ARRAY(grz_pair) pairs;
    GRZ_ARRAY(grz_contact) contacts;
    GRZ_ARRAY(grz_point) points;
    GRZ_ARRAY(grz_features) features; // one a point
    GRZ_ARRAY(grz_node_key) keys;     // one a point, where curves are wanted
    GRZ_ARRAY(grz_point) own_points;  // one a point, where curves of a mesh with itself are wanted: its place in mesh coordinates
    GRZ_ARRAY(grz_curve) curves;
    GRZ_ARRAY(grz_point) curve_points;
    GRZ_ARRAY(grz_scene_pair) scene_pairs;
    GRZ_ARRAY(grz_volume) volumes;
    grz_witness witness; // of the last query that ended at its first contact
};

// A result in memory of the caller's.
void grz_result_init(grz_result *result, const grz_allocator *allocator);
void grz_result_finish(grz_result *result);

// Forget the last answer, keep the room; the summary says GRZ_UNDECIDED.
void grz_result_reset(grz_result *result);

// The sorted triangle pairs of one job: found[first] to found[end - 1].
typedef struct grz_found_range {
    const grz_job *job;
    size_t first, end;
} grz_found_range;

// The builders append one job's part to the result's lists and note in the verdict where it stands. They return GRZ_OK,
// GRZ_ERROR_MEMORY, or what the control says; the lists are then of no use.

// Pairs and kinds.
grz_status grz_result_build_pairs(grz_result *result, const grz_found_range *range, grz_control *control, grz_verdict *verdict);

// Contacts, points, features and, if `for_curves`, what grz_result_build_curves() needs; the range's pairs are there. One contact
// for each entry of the range, in its order. Widens the summary's region. Points of a self-query are moved by the object's pose.
grz_status grz_result_build_contacts(grz_result *result, const grz_found_range *range, bool for_curves, grz_control *control,
                                     grz_verdict *verdict);

// Join the job's contacts to curves; contacts made for curves are there.
grz_status grz_result_build_curves(grz_result *result, const grz_found_range *range, grz_control *control, grz_verdict *verdict);

#endif
