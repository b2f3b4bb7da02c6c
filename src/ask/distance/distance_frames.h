// SPDX-License-Identifier: MIT
// Common coordinates of two posed trees, in which the distances of their boxes are bounded from below.
#ifndef GRZ_ASK_DISTANCE_DISTANCE_FRAMES_H
#define GRZ_ASK_DISTANCE_DISTANCE_FRAMES_H

#include "base/simd.h"
#include "space/bvh/bvh.h"

// The map from a tree's coordinates to one coordinate, along a direction: y = m · x + m[3]. The range of a mapped box
// grows by `margin` on both sides: then it holds the posed corners of all triangles below the node, whatever was
// rounded.
typedef struct grz_distance_row {
    float m[4], margin;
    int only; // the only coordinate that m takes; -1: it takes several
} grz_distance_row;

// The same to all three coordinates of a frame.
typedef struct grz_distance_map {
    grz_distance_row rows[3];
} grz_distance_map;

// Axes that are perpendicular to each other and of length 1 (but for rounding), so that a distance in a frame, divided
// by `scale`, is one in the world.
typedef struct grz_distance_frame {
    grz_distance_map maps[2]; // of A's tree and of B's
    double axes[3][3];        // in the world
} grz_distance_frame;

enum {
    GRZ_DISTANCE_FRAMES = 2
};

// Maps to one coordinate that grows towards the other object: the caller's direction, for B the opposite one.
typedef struct grz_distance_way {
    grz_distance_row row; // of boxes of the tree
    // Of points x of the mesh, in doubles: m · x + m[3]. Then the exact coordinate of the posed point is at most that,
    // plus margin.
    double m[4], margin;
} grz_distance_way;

// A tree posed in the world: a point x of the tree is at linear · x + at.
typedef struct grz_posed_tree {
    const grz_bvh *bvh;
    const grz_object *object;
    double linear[3][3], at[3];
    double size;   // an upper bound of all numbers that are added up for a posed corner
    grz_box box;   // of the mesh, in the world
    bool has_axes; // the pose neither shears nor stretches the tree: all lengths grow alike
} grz_posed_tree;

typedef struct grz_distance_frames {
    grz_posed_tree trees[2];
    double middle[3]; // the origin of all frames, in the world
    grz_distance_frame frames[GRZ_DISTANCE_FRAMES];
    grz_distance_way ways[2]; // of A's tree and of B's
    int count;                // 1 if the axes of both trees are the same
    double scale;             // frame units in a world unit: a power of two
} grz_distance_frames;

// The frames of two objects: the axes of A's tree, and those of B's. If a pose shears a tree, or stretches it along one
// axis more than along another, the axes of the world take the place of its own.
void grz_distance_frames_set(grz_distance_frames *frames, const grz_bvh *bvh_a, const grz_object *a,
                             const grz_bvh *bvh_b, const grz_object *b);

// Choose a direction from A to B, of length 1: it makes the ways.
void grz_distance_frames_look(grz_distance_frames *frames, const double way[3]);

// The world distance of which a squared distance in the frames is proof: never larger than the exact distance.
double grz_distance_lower(const grz_distance_frames *frames, float square);

// The squared distance in the frames at which boxes are certainly further apart than `distance` in the world.
float grz_distance_limit(const grz_distance_frames *frames, double distance);

// Children of a node.
typedef struct grz_distance_side {
    const grz_bvh_node *node;
    uint32_t children; // bit i: child i
    const float *ends; // how far they extend along the way, at most
} grz_distance_side;

// Bound the distances of all children of A with all children of B: squares[i][j], squared, in the frames' unit. Others
// than the children given are not written. Returns the children of A that have any within `limit`, as bits;
// within[i] receives those of B.
typedef uint32_t grz_distance_bounds(const grz_distance_frames *frames, const grz_distance_side *a,
                                     const grz_distance_side *b, float limit,
                                     float squares[GRZ_BVH_WIDTH][GRZ_BVH_WIDTH], uint32_t within[GRZ_BVH_WIDTH]);

// The upper ends of the eight boxes of a node.
typedef void grz_distance_ends(const grz_distance_row *row, const grz_bvh_node *node, float ends[GRZ_BVH_WIDTH]);

// The squared distances of the middles of the boxes, for these rows (children of A, as bits); rounded as it happens.
typedef void grz_distance_middles(const grz_distance_frames *frames, const grz_distance_side *a,
                                  const grz_distance_side *b, uint32_t rows,
                                  float squares[GRZ_BVH_WIDTH][GRZ_BVH_WIDTH]);

grz_distance_bounds *grz_distance_bounds_for(grz_simd simd);
grz_distance_middles *grz_distance_middles_for(grz_simd simd);
grz_distance_ends *grz_distance_ends_for(grz_simd simd);

grz_distance_bounds grz_distance_bounds_of_scalar, grz_distance_bounds_of_base;
grz_distance_middles grz_distance_middles_of_scalar, grz_distance_middles_of_base;
grz_distance_ends grz_distance_ends_of_scalar, grz_distance_ends_of_base;
#ifdef GRZ_SIMD_X86
grz_distance_bounds grz_distance_bounds_of_avx2, grz_distance_bounds_of_avx512;
grz_distance_middles grz_distance_middles_of_avx2, grz_distance_middles_of_avx512;
grz_distance_ends grz_distance_ends_of_avx2, grz_distance_ends_of_avx512;
#endif

#endif
