// SPDX-License-Identifier: MIT
// A ray against the boxes of a tree. The ray is seen in a frame of the posed tree (ask/distance/distance_frames.h), in
// which the boxes are axis-aligned: it enters and leaves the slab of each axis at numbers s that are linear in the
// box's coordinates. s is the way along the ray in the frame's unit, from a place of the line near the object.
#ifndef GRZ_ASK_PICK_PACKED_RAY_MAP_H
#define GRZ_ASK_PICK_PACKED_RAY_MAP_H

#include "ask/distance/distance_frames.h"
#include "geometry/ray/line.h"

// One axis: with the coordinates b of a box, s at the entry is at least m · b + enter, and minus s at the exit at least
// -m · b + leave; b are the ends of the box that make these smallest.
typedef struct grz_ray_axis {
    float m[3], enter, leave;
    int only; // the only coordinate that m takes; -1: it takes several
} grz_ray_axis;

// Relative errors: of the ray's place in the frame in doubles, and of the map and its arithmetic in floats.
static const double GRZ_RAY_DOUBLE_ERROR = 0x1p-46, GRZ_RAY_FLOAT_ERROR = 0x1p-20;
// A direction's component is taken for at least this share of the largest. What that moves the ray, within the reach of
// the boxes, is a part of the margin.
static const double GRZ_RAY_LEAST_SHARE = 0x1p-40;
// All boxes lie within this from the frame's origin, if their margins are small; else every box is met anyway.
static const double GRZ_RAY_BOX_REACH = 4.0;
static const double GRZ_RAY_MOST_SUM = 0x1p120; // of what is added up in floats
// What is taken off a double so that no float of it is above: a float rounds 2^-24, or 2^-150 where it is subnormal.
static const double GRZ_RAY_TO_FLOAT = 0x1p-22, GRZ_RAY_FLOAT_UNDERFLOW = 0x1p-120;
// Speeds between these, and places up to the second, have products and quotients that are in the range of doubles.
static const double GRZ_RAY_SLOWEST = 0x1p-400, GRZ_RAY_LARGEST = 0x1p400;
// Of a line from the frame's origin, chosen: boxes, of a size of about 1, and margins far below it are met anyway.
static const double GRZ_RAY_FARTHEST = 0x1p60;

typedef struct grz_ray_map {
    grz_ray_axis axes[3];
    int exponent;        // t · 2^exponent is t in the frame's unit (geometry/ray/line_unit.h)
    double start, speed; // s = (t · 2^exponent - start) · speed
    float from, to;      // s of the ray's ends, rounded outwards
} grz_ray_map;

// Set the map of a line, and its part from parameter `from` to `to`, either of which may be infinite. Where the numbers
// leave the range of floats every box is met.
void grz_ray_map_set(grz_ray_map *map, const grz_distance_frames *frames, const grz_line *line, double from, double to);

// Set map->from and `to`; the other members of the second line are set.
void grz_ray_map_set_ends(grz_ray_map *map, double from, double to);

// s of a parameter, or a little more.
float grz_ray_map_upper(const grz_ray_map *map, double t);

// The children that the ray may meet between map->from and `to`, as bits; nothing is known of empty children.
// enters[i]: not before this.
typedef uint32_t grz_ray_boxes(const grz_ray_map *map, const float bounds[2][3][GRZ_BVH_WIDTH], float to,
                               float enters[GRZ_BVH_WIDTH]);

grz_ray_boxes *grz_ray_boxes_for(grz_simd simd);

grz_ray_boxes grz_ray_boxes_of_scalar, grz_ray_boxes_of_base;
#ifdef GRZ_SIMD_X86
grz_ray_boxes grz_ray_boxes_of_avx2, grz_ray_boxes_of_avx512;
#endif

#endif
