// SPDX-License-Identifier: MIT
// What the benchmark of method `heightmap` asks: a ship of as many triangles as the paper's flies through a tunnel with
// obstacles of as many. Everything is made from fixed seeds.
#ifndef GRZ_BENCH_HEIGHTMAP_TUNNEL_H
#define GRZ_BENCH_HEIGHTMAP_TUNNEL_H

#include "shapes.h"

enum {
    TUNNEL_FRAMES = 800,
    SHIP_TRIANGLES = 9716,
    TUNNEL_TRIANGLES = 69842,
    TUNNEL_WALL = 57816 // of these, the first ones: the tube; obstacles follow
};

// A ship with four wings in the form of an X and an engine at the end of each. Its parts are closed, with normals
// outwards, and cross each other. It flies along +z; its length is about 0.26.
peer_mesh tunnel_ship(void);

// The ship of data/, open and with repeated faces, as long as the other one and turned the same way.
peer_mesh tunnel_ship_of_data(void);

// A closed, winding tube whose normals point inwards, with pillars, boulders and gates, which are closed and reach into
// the wall.
peer_mesh tunnel_make(void);

// Where the ship is in frame 0 to TUNNEL_FRAMES - 1: along the tube, swaying, its nose where it flies to. The tunnel
// stays.
peer_pose tunnel_pose(uint32_t frame);

// The same with another sway to either side; tunnel_pose() has TUNNEL_SWAY.
#define TUNNEL_SWAY 0.065
peer_pose tunnel_pose_swaying(uint32_t frame, double sway);

#endif
