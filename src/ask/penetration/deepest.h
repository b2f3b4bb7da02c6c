// SPDX-License-Identifier: MIT
// Points of one solid that are deep inside another. To be free of it they have to travel that far at least.
#ifndef GRZ_ASK_PENETRATION_DEEPEST_H
#define GRZ_ASK_PENETRATION_DEEPEST_H

#include "ask/move/translation/follow.h"

enum {
    GRZ_MOST_DEEPEST = 4
};

// The deepest ones of those that were tried, the deepest first.
typedef struct grz_deepest {
    int count;
    double depths[GRZ_MOST_DEEPEST];        // at least
    double directions[GRZ_MOST_DEEPEST][3]; // out, to the nearest point of the surface; of length 1
} grz_deepest;

// Try the vertices of `inner`, the middles of its edges and of its triangles, or some of these if it has many.
// Triangles without area do not count; which these are is seen at the pose `shape`, as rounding can give them some at
// another. The points belong to the solid of `inner` if its surface does not meet itself (grz_surface::unclean).
grz_status grz_deepest_find(grz_move_call *call, const grz_object *inner, const grz_pose *shape,
                            const grz_object *outer, grz_deepest *deepest);

#endif
