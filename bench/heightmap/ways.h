// SPDX-License-Identifier: MIT
// The flight of the benchmark of method `heightmap`, and the ways to ask whether the ship touches the tunnel.
#ifndef GRZ_BENCH_HEIGHTMAP_WAYS_H
#define GRZ_BENCH_HEIGHTMAP_WAYS_H

#include <graze/gl.h>

#include "image/heightmap/maps.h"
#include "run.h"
#include "tunnel.h"

// A ship, the tunnel, the poses of the frames that are asked, and the exact answers.
typedef struct flight {
    const char *part, *name; // of the benchmark; of the ship
    peer_mesh ship, tunnel;
    grz_mesh *ship_mesh, *tunnel_mesh;
    uint32_t numbers[TUNNEL_FRAMES]; // of the frames, in the whole flight
    peer_pose poses[TUNNEL_FRAMES];
    bool touch[TUNNEL_FRAMES];
    uint32_t frames, hits; // how many are asked; how many of them touch
} flight;

// Every frame whose number divides by `step`.
void flight_make(run *r, const char *part, const char *name, peer_mesh ship, uint32_t step, flight *f);
void flight_free(flight *f);

typedef enum way_kind {
    WAY_KEPT,    // grz_heightmap_collide()
    WAY_QUERY,   // grz_collide(), a discrete answer of `heightmap`
    WAY_EXACT,   // grz_collide(), an exact yes or no by `method`
    WAY_LIBRARY, // another library, or Graze without OpenGL
    WAY_DRAWING  // no question: both meshes are drawn twice, into the pictures of a height map
} way_kind;

typedef struct flight_way {
    char name[48];
    way_kind kind;
    grz_heightmap_options options;
    const char *method;
    const peer *library;
    // Made by ways_open():
    grz_heightmap *kept;
    grz_height_maps maps; // WAY_DRAWING
    void *models[2];
    uint64_t bytes; // of the models, or of the textures after the last query
    // Received by ways_ask():
    double times[TUNNEL_FRAMES]; // seconds
    bool said[TUNNEL_FRAMES];
} flight_way;

void ways_open(run *r, flight *f, flight_way *ways, uint32_t count);

// Ask all ways about every frame, frame after frame, all in turn and each time another first, so that all see the same
// machine. Some frames are asked before the clock starts. With several rounds of all frames, up to 9, the time of a
// frame is the median.
void ways_ask(run *r, const flight *f, flight_way *ways, uint32_t count, uint32_t rounds);

void ways_close(run *r, flight_way *ways, uint32_t count);

// The bytes of a mesh's OpenGL buffers, which whoever draws it has as well.
uint64_t ways_drawn_bytes(const peer_mesh *mesh);

#endif
