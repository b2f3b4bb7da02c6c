// SPDX-License-Identifier: MIT
// The level that a mover moves through: objects, and their triangles near a way.
#ifndef GRZ_LEVEL_MOVER_SURFACE_LEVEL_H
#define GRZ_LEVEL_MOVER_SURFACE_LEVEL_H

#include <graze/object.h>

#include "base/control_type.h"
#include "geometry/box.h"
#include "space/bvh/bvh.h"

typedef struct grz_level_object {
    grz_object object; // its mesh is in memory
    const grz_bvh *bvh;
    bool moved;       // it was at `earlier` at time 0, and is at its pose at time 1; each corner goes straight
    grz_pose earlier; // if it has moved
    grz_box box;      // in the world; of an object that has moved: of its whole way
} grz_level_object;

// A triangle of a level in the world. Its corners are sorted by their coordinates, so that neither their order nor
// their numbers matter.
typedef struct grz_level_triangle {
    double corners[3][3];
    double drift[3][3]; // what each corner still goes until time 1
    bool moved;
    uint32_t object, triangle;
} grz_level_triangle;

typedef struct grz_kept_triangle {
    grz_level_triangle triangle;
    grz_box box;
} grz_kept_triangle;

typedef struct grz_level {
    grz_level_object *objects;
    uint32_t count, room;
    grz_control *control;
    size_t steps;
    double time;       // 0 to 1: where objects that have moved are
    bool moves;        // a beam looks at the rest of the time: triangles are met wherever they are until time 1
    grz_box *searched; // may be NULL: receives all places that beams have looked at
    bool keeps;
    grz_box kept_box; // all triangles whose boxes meet this box are kept
    GRZ_ARRAY(grz_kept_triangle) kept;
} grz_level;

// Open a level that is zeroed but for its control, at time 1. `name`: of the public function, in errors. `earlier`:
// where the objects were at time 0; NULL: they rest. After a failure grz_level_close() is due, too.
grz_status grz_level_open(grz_level *level, const char *name, const grz_object *objects, uint32_t count,
                          const grz_pose *earlier, grz_error *error);
void grz_level_close(grz_level *level);

// A box that moves: around from + t · way, for t from 0 to `until`.
typedef struct grz_beam {
    double from[3], way[3];
    grz_box box; // of its corners, relative to a point of the way
    double until;
    double entry; // while a triangle is visited: the beam does not meet its box before
} grz_beam;

// Called for each triangle whose box the beam may meet, the nearest nodes first. It may make `until` smaller. False:
// end.
typedef bool grz_level_visitor(void *context, const grz_level_triangle *triangle, grz_beam *beam);

// False: a visitor or the control said to end.
bool grz_level_visit(grz_level *level, grz_beam *beam, grz_level_visitor *visit, void *context);

// Keep the triangles near a place at time 1, so that beams in this box (relative to `from`) need no walk. False: the
// control says to end.
bool grz_level_keep(grz_level *level, const double from[3], const grz_box *box);

#endif
