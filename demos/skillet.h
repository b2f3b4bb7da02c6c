// SPDX-License-Identifier: MIT
// The skillet of the demo `fire` and of bench/heightmap: two closed solids that overlap, a pan and its handle.
#ifndef GRZ_DEMOS_SKILLET_H
#define GRZ_DEMOS_SKILLET_H

#include <stdbool.h>
#include <stdint.h>

typedef struct skillet {
    double (*positions)[3];
    uint32_t (*triangles)[3];
    uint32_t vertex_count, triangle_count;
} skillet;

// Make a skillet of 81,920 triangles, in metres; the middle of its base is at the origin, up is z, and the handle
// points along x. `small`: of 5,120.
void skillet_make(skillet *s, bool small);

void skillet_free(skillet *s);

#endif
