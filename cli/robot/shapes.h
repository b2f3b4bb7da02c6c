// SPDX-License-Identifier: MIT
// Boxes, cylinders, spheres and capsules as closed meshes with outward faces. A box is exact. The others lie inside
// their meshes, so that what is apart from the mesh is apart from the shape.
#ifndef GRZ_CLI_ROBOT_SHAPES_H
#define GRZ_CLI_ROBOT_SHAPES_H

#include "robot/robot.h"

enum {
    SHAPE_SIDES = 64,             // of a cylinder, and round a sphere's equator
    SHAPE_RINGS = SHAPE_SIDES / 2 // of a sphere, from pole to pole; even
};

// No point of a mesh is further out than this times the radius.
#define SHAPE_EXCESS 1.0026

typedef struct shape_mesh {
    double *positions; // vertex_count × 3
    size_t vertex_count;
    uint32_t *indices; // index_count corners of triangles, for a box of quads
    size_t index_count;
    uint32_t corners_per_face;
} shape_mesh;

// Make the mesh of a box, a sphere, a cylinder or a capsule. False without memory.
bool shape_make(const robot_collision *shape, shape_mesh *out);

// Free; an empty one is accepted.
void shape_finish(shape_mesh *mesh);

#endif
