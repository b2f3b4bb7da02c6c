// SPDX-License-Identifier: MIT
// The scene of 315,000 triangles: land with a town, rocks and an airship that moves, and where a flag, plants and a
// firework stand that shaders make. A ship flies once around. Everything is made from fixed seeds; z is up.
#ifndef GRZ_BENCH_HEIGHTMAP_SCENE_SHAPES_H
#define GRZ_BENCH_HEIGHTMAP_SCENE_SHAPES_H

#include "shapes.h"

enum {
    SCENE_FRAMES = 600,
    SCENE_SHIP_TRIANGLES = 16792, // the paper's second ship
    SCENE_TRIANGLES = 315792,     // of all meshes but the ship; the paper: more than 315,000
    SCENE_PLANTS = 1500,
    SCENE_PARTICLES = 59000 // the paper's number
};

// What the ship may hit: also the ids that the height maps record.
typedef enum scene_thing {
    SCENE_LAND,
    SCENE_TOWN,
    SCENE_ROCKS,
    SCENE_AIRSHIP,
    SCENE_MESHES, // how many of them are meshes
    SCENE_FLAG = SCENE_MESHES,
    SCENE_PLANT,
    SCENE_PARTICLE,
    SCENE_THINGS
} scene_thing;

typedef struct scene_shapes {
    peer_mesh meshes[SCENE_MESHES], ship;
    float plants[SCENE_PLANTS][3]; // where they stand
    double flag[4][3];             // along the cloth, up, how far it waves to each side, the foot of the pole
    double firework[3];            // the middle of its bursts
} scene_shapes;

void scene_shapes_make(scene_shapes *shapes);
void scene_shapes_free(scene_shapes *shapes);

// Where the ship and the airship are in frame 0 to SCENE_FRAMES - 1.
peer_pose scene_ship_pose(uint32_t frame);
peer_pose scene_airship_pose(uint32_t frame);

#endif
