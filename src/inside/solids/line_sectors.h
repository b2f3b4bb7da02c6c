// SPDX-License-Identifier: MIT
// What two meshes, clean or not, look like around a line on which a triangle has an edge or two triangles meet.
#ifndef GRZ_INSIDE_SOLIDS_LINE_SECTORS_H
#define GRZ_INSIDE_SOLIDS_LINE_SECTORS_H

#include <graze/collide.h>

#include "inside/solids/solids_line.h"
#include "space/bvh/bvh.h"

#define GRZ_NO_TRIANGLE UINT32_MAX

// What is known of a triangle, for the pieces into which all others cut it.
enum {
    GRZ_PIECE_ON_SOLID = 1, // a piece has the solid of its mesh on one side or on both
    GRZ_PIECE_OFF_SOLID = 2 // a piece has it on neither side: a wall of no thickness
};

// A triangle, by its mesh (0: A, 1: B) and number.
typedef struct grz_sector_triangle {
    uint32_t mesh, triangle;
} grz_sector_triangle;

// A triangle that the line meets in one point, and passes through.
typedef struct grz_sector_crossing {
    grz_line_place place;
    uint32_t triangle, rank;
    uint8_t mesh;
} grz_sector_crossing;

// A triangle whose plane holds the line, and that has a point on it.
typedef struct grz_sector_strip {
    grz_line_point corner[3];
    int8_t side[3];         // of its corners: which of the two halves of the plane; 0: on the line
    grz_line_place ends[2]; // of what the triangle has in common with the line
    uint32_t triangle, rank[2];
    uint8_t mesh;
} grz_sector_strip;

typedef struct grz_sector_mark {
    const grz_line_place *place;
    uint32_t rank, *write_rank;          // *write_rank: what the place belongs to knows its rank, too
    const grz_sector_crossing *crossing; // NULL: the end of a strip
} grz_sector_mark;

// Between two neighbouring places of the line.
typedef struct grz_sector_gap {
    unsigned labels; // of all sectors that were looked at
    bool inside[2];  // is a sector beside the half-plane at hand inside A, inside B
} grz_sector_gap;

// One or two halves of a strip are half-planes that the line bounds.
typedef struct grz_sector_half {
    grz_line_point to; // a point of it
    uint32_t strip;
    bool done;
} grz_sector_half;

// A point: where three planes meet.
typedef struct grz_sector_point {
    double plane[3][3][3];
} grz_sector_point;

// Reused from line to line.
typedef struct grz_line_sectors {
    const grz_object *object[2];
    const grz_bvh *bvh[2];
    grz_inside_rule rule[2]; // of each object; not GRZ_INSIDE_AUTO
    grz_control *control;
    const grz_line *line;
    GRZ_ARRAY(grz_sector_crossing) crossings;
    GRZ_ARRAY(grz_sector_strip) strips;
    GRZ_ARRAY(grz_sector_mark) marks; // in the order along the line
    GRZ_ARRAY(grz_sector_half) halves;
    GRZ_ARRAY(grz_sector_gap) gaps; // gap i: from places of rank i to those of rank i + 1
    uint32_t rank_count;
    unsigned char *pieces[2]; // of each triangle: the bits above; they are added to
    unsigned labels;          // added to
    bool common;              // becomes true if some piece of the line is on both solids
    GRZ_ARRAY(grz_sector_triangle) holders;
    GRZ_ARRAY(grz_sector_point) seen; // points that are not on both solids
} grz_line_sectors;

// Find the labels around a piece of a line: what the triangles `one` and `other`, whose planes hold it, have in common
// with it. `other` may be GRZ_NO_TRIANGLE.
// Returns GRZ_OK; GRZ_ERROR_MEMORY; the control's status.
grz_status grz_line_sectors_find(grz_line_sectors *sectors, const grz_line *line, grz_sector_triangle one,
                                 grz_sector_triangle other);

// As grz_line_sectors_find(), but look for a single point of the piece, its ends included, that is on both solids. Of
// every triangle there, `pieces` must be complete. Sets only `common`.
grz_status grz_line_sectors_find_points(grz_line_sectors *sectors, const grz_line *line, grz_sector_triangle one,
                                        grz_sector_triangle other);

void grz_line_sectors_finish(grz_line_sectors *sectors);

#endif
