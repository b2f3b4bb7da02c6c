// SPDX-License-Identifier: MIT
// Where a point lies to a triangle that may be an ear, and whether an edge leads from its boundary into it: by exact
// signs. For corners one by one (blocked.c) and for those at a hub (polygon_hubs.c).
#include "geometry/polygon/clipper.h"

bool grz_clipper_leads_inside(const grz_clipper *clipper, const uint32_t triangle[3], const int side[3], uint32_t p)
{
    for (int i = 0; i < 3; i++)
        if (side[i] == 0 && grz_clipper_turn(clipper, triangle[i], triangle[(i + 1) % 3], p) <= 0)
            return false;
    return true;
}

grz_ear_place grz_clipper_place(const grz_clipper *clipper, const uint32_t triangle[3], uint32_t v, grz_ear_level level,
                                int side[3])
{
    for (int i = 0; i < 3; i++) {
        side[i] = grz_clipper_turn(clipper, triangle[i], triangle[(i + 1) % 3], v);
        if (side[i] < 0)
            return GRZ_EAR_OUTSIDE;
    }
    if (side[0] > 0 && side[1] > 0 && side[2] > 0)
        return GRZ_EAR_INSIDE;
    // Exactly at a corner two sides meet. Elsewhere on the boundary there is one.
    const bool at_corner = (side[0] == 0) + (side[1] == 0) + (side[2] == 0) == 2;
    return level == GRZ_EAR_CLEAR && !at_corner ? GRZ_EAR_INSIDE : GRZ_EAR_AT_BOUNDARY;
}
