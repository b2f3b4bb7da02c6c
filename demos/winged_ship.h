// SPDX-License-Identifier: MIT
// The ship of the demo `tunnel --ship wings` and of bench/heightmap: four wings that open and close, as in figure 4 of
// J. Fabrizio, "Easy real-time collision detection". Nine closed solids that overlap, with normals outwards.
#ifndef GRZ_DEMOS_WINGED_SHIP_H
#define GRZ_DEMOS_WINGED_SHIP_H

#include <stdbool.h>
#include <stdint.h>

typedef struct winged_ship {
    double (*positions)[3]; // floats
    uint32_t (*triangles)[3];
    uint32_t vertex_count, triangle_count;
    uint32_t body_triangles; // the first ones; those of wings and engines follow
    double length;
    bool small;
} winged_ship;

// Make a ship of 9,696 triangles, `small`: of 1,120, with its wings half open. It flies along +z, y is up, and the
// middle of its length is at the origin.
void winged_ship_make(winged_ship *s, double length, bool small);

// Put the wings where they are open by an angle from the horizontal, in radians, and that part of the length before the
// rear. 0: wings, engines and body end in one plane, so that there is no gap between the front of the ship and its
// rear. Triangles stay.
void winged_ship_open(winged_ship *s, double angle, double setback);

// The angle at a time: wings open and close once from 0 to 1.
double winged_ship_angle(double time);

void winged_ship_free(winged_ship *s);

#endif
