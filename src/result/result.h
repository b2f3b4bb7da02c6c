// SPDX-License-Identifier: MIT
// The result object from inside. Its arrays keep their memory from query to query.
#ifndef GRZ_RESULT_RESULT_H
#define GRZ_RESULT_RESULT_H

#include <graze/scene.h>

#include "base/control_type.h"
#include "result/discrete.h"
#include "result/found.h"
#include "result/verdict.h"

typedef struct grz_point {
    double at[3];
} grz_point;

// The features that meet at a contact's point: half[0] of mesh A, half[1] of mesh B. For a mesh with itself, the
// smaller half comes first.
//   corner   (vertex, GRZ_KEY_CORNER)
//   edge     (lower vertex, higher vertex)
//   face     (triangle, the same triangle)
// Vertices that were one corner at creation and still have one position are named by the lowest of them. A key
// therefore defines an exact point: equal keys mean the same point. The converse does not hold: one point can have
// several keys.
typedef struct grz_node_key {
    uint32_t half[2][2];
} grz_node_key;

#define GRZ_KEY_CORNER UINT32_C(0xffffffff)

// The pair of triangles that gave the last yes (for options.warm_start). The meshes may have been destroyed since, and
// other meshes may have the same addresses.
typedef struct grz_witness {
    const grz_mesh *mesh_a, *mesh_b; // mesh_b NULL: a mesh with itself; mesh_a NULL: no witness
    uint32_t triangle_a, triangle_b;
} grz_witness;

struct grz_result {
    grz_device *device;             // retained; NULL if the result is in storage that the caller owns
    const grz_allocator *allocator; // the device's; during a query, the one that counts against its memory limit
    grz_summary summary;
    uint64_t reference;         // of a scene: the object whose pairs alone were tested; GRZ_ALL_OBJECTS: all pairs
    grz_found_array found;      // touching triangle pairs, sorted
    grz_found_array near_found; // those that do not touch but are nearer than the clearance, sorted
    GRZ_ARRAY(grz_pair) pairs;
    GRZ_ARRAY(grz_pair) near_pairs;
    GRZ_ARRAY(grz_contact) contacts;
    GRZ_ARRAY(grz_point) points;
    GRZ_ARRAY(grz_features) features; // one for each point
    GRZ_ARRAY(grz_node_key) keys;     // one for each point; only if curves are wanted
    // Positions in mesh coordinates, one for each point; only if curves of a mesh with itself are wanted.
    GRZ_ARRAY(grz_point) own_points;
    GRZ_ARRAY(grz_curve) curves;
    GRZ_ARRAY(grz_point) curve_points;
    GRZ_ARRAY(grz_scene_pair) scene_pairs;
    GRZ_ARRAY(grz_pair_solids) scene_solids;        // one for each scene pair; only if solids were asked for
    GRZ_ARRAY(grz_pair_clearance) scene_clearances; // the same; only if a clearance was asked for
    GRZ_ARRAY(grz_statistic) statistics;
    grz_collision_box_array boxes;
    grz_witness witness; // of the last query that stopped at its first contact
};

// Initialise a result in storage that the caller owns; release what it holds.
void grz_result_init(grz_result *result, const grz_allocator *allocator);
void grz_result_finish(grz_result *result);

// Remove the last answer but keep the memory. The summary then says GRZ_UNDECIDED.
void grz_result_reset(grz_result *result);

// Append the face pairs of one job, with their kinds, to result->pairs. The verdict receives their position, their
// number and the counts of kinds. A face pair takes the strongest kind of its triangle pairs.
// Returns GRZ_OK, GRZ_ERROR_MEMORY, or the control's status if it says to end; after a failure the lists must not be
// used.
grz_status grz_result_build_pairs(grz_result *result, const grz_found_range *range, grz_control *control,
                                  grz_verdict *verdict);

// Append the face pairs of one job of which some triangles are near, but none touch, to result->near_pairs: `range` is
// of result->near_found, and the job's pairs are built. The verdict receives their position and number. Fails as
// grz_result_build_pairs().
grz_status grz_result_build_near_pairs(grz_result *result, const grz_found_range *range, grz_control *control,
                                       grz_verdict *verdict);

#endif
