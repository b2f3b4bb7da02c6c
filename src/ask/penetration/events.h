// SPDX-License-Identifier: MIT
// A moves, B rests. An event is a time at which a corner, edge or face of A begins or ends to touch one of B. Between
// two events the surfaces meet in the same way, so whether the solids overlap does not change.
#ifndef GRZ_ASK_PENETRATION_EVENTS_H
#define GRZ_ASK_PENETRATION_EVENTS_H

#include "ask/move/translation/follow.h"
#include "ask/penetration/moment/instant.h"

// Features of a triangle: number 0 is the triangle itself, 1 to 3 are its edges, 4 to 6 its corners.
enum {
    GRZ_TRIANGLE_FEATURES = 7
};

static inline int grz_feature_first_corner(int feature)
{
    return feature == 0 ? 0 : (feature - 1) % 3;
}

static inline int grz_feature_corner_count(int feature)
{
    return feature == 0 ? 3 : feature <= 3 ? 2 : 1;
}

// Need these features of a triangle of A and of one of B be followed? Corners with edges and faces, edges with edges:
// where anything larger begins or ends to touch, one of these does.
static inline bool grz_features_are_followed(int feature_a, int feature_b)
{
    if (feature_a >= 4 || feature_b >= 4)
        return feature_a <= 3 || feature_b <= 3;
    return feature_a >= 1 && feature_b >= 1;
}

// A feature as a triangle without area, for meetings.
void grz_feature_set(const double corners[3][3], int feature, double out[3][3]);

// The first such time after another. *any: there is one.
grz_status grz_event_after(grz_move_call *call, const grz_path *path, const grz_instant *after, grz_instant *event,
                           bool *any);

#endif
