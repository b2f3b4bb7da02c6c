// SPDX-License-Identifier: MIT
// Shells: sides of triangles that are joined around edges. Each shell bounds one space.
#ifndef GRZ_LEVEL_PORTALS_SHELLS_H
#define GRZ_LEVEL_PORTALS_SHELLS_H

#include "level/portals/portal_cells.h"

typedef struct grz_shell {
    uint32_t first, count; // its members in grz_shells::members
    uint32_t component;
    bool unbounded; // seen from it, the component lies in the way of nothing: it goes round the component
    grz_box box;
} grz_shell;

// Triangles that are joined by common edges.
typedef struct grz_component {
    uint32_t triangle; // the lowest
    uint32_t outer;    // its unbounded shell
    uint32_t shells;   // how many
    uint32_t depth;    // how many components go round it
    uint32_t parent;   // the shell of another component that goes round it most closely; UINT32_MAX: none
} grz_component;

typedef struct grz_shells {
    const grz_portals *level;
    uint32_t *sides, *triangles; // forests, as grz_sides_join() leaves them
    uint32_t *members;           // sides, shell after shell
    uint32_t *of;                // the shell of each side
    grz_shell *shells;
    uint32_t count, room;
    grz_component *components;
    uint32_t component_count;
} grz_shells;

// Decide which shells are unbounded. All others bound a space of positive volume.
grz_status grz_shells_find_outer(grz_shells *shells, grz_control *control, grz_error *error);

// Find the parents of components.
grz_status grz_shells_nest(grz_shells *shells, grz_control *control, grz_error *error);

#endif
