// SPDX-License-Identifier: MIT
// The bent tunnel of the demo `tunnel`, with its obstacles: closed solids, wound with normals outwards.
#ifndef GRZ_DEMOS_CAVE_H
#define GRZ_DEMOS_CAVE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    CAVE_FLOOR, // of rock, with the walls
    CAVE_ROOF,  // of rock; it is left out of the picture
    CAVE_RIBS,  // rings around the tunnel
    CAVE_PILLARS,
    CAVE_BOULDERS,
    CAVE_GATES, // two slabs each, with a gap between them
    CAVE_BEAMS, // from wall to wall
    CAVE_PARTS
};

typedef struct cave_part {
    double (*positions)[3];
    uint32_t (*triangles)[3];
    uint8_t *colours; // 3 bytes a triangle
    uint32_t vertex_count, triangle_count, vertex_room, triangle_room;
} cave_part;

// A place on the middle line, which runs along z, and the directions there: unit vectors.
typedef struct cave_frame {
    double at[3], side[3], up[3], forward[3];
} cave_frame;

cave_frame cave_frame_at(double z);

// Make all parts. `small`: of fewer triangles.
void cave_make(cave_part parts[CAVE_PARTS], bool small);

void cave_free(cave_part parts[CAVE_PARTS]);

#endif
