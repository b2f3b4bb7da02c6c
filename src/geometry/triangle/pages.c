// SPDX-License-Identifier: MIT
// Orders half-planes around a line by signs of orient3d alone. The line from p to q and two points u, v: the sign is 1
// if the half-plane of v follows that of u within half a turn counter-clockwise, 0 if the two lie in one plane.
#include "geometry/triangle/pages.h"

#include <assert.h>

#include "base/sort/sort.h"
#include "geometry/triangle/triangle.h"

// Where a half-plane lies, seen from the first one.
enum {
    SAME,   // it is the same
    LEFT,   // less than half a turn further
    FACING, // half a turn further
    RIGHT   // more than half a turn further
};

bool grz_pages_coincide(const double p[3], const double q[3], const double at[3], const double other[3])
{
    int orientation;
    if (grz_orient3d(p, q, at, other) != 0)
        return false;
    const double spanned[3][3] = {{p[0], p[1], p[2]}, {q[0], q[1], q[2]}, {at[0], at[1], at[2]}};
    const int axis = grz_projection_axis(spanned, &orientation);
    return grz_orient_projected(axis, p, q, other) == orientation;
}

int grz_page_turn(const double p[3], const double q[3], const double at[3], const double corners[3][3])
{
    int orientation;
    const int axis = grz_projection_axis(corners, &orientation);
    return grz_orient_projected(axis, p, q, at) * orientation;
}

typedef struct spine {
    const double *p, *q;
} spine;

static int compare(const void *x, const void *y, void *context)
{
    const grz_page *one = x, *other = y;
    const spine *line = context;
    if (one->part != other->part)
        return one->part < other->part ? -1 : 1;
    return -grz_orient3d(line->p, line->q, one->at, other->at);
}

grz_status grz_pages_sort(const double p[3], const double q[3], grz_page *pages, size_t count, grz_control *control)
{
    spine line = {p, q};
    for (size_t i = 0; i < count; i++) {
        const int side = i == 0 ? 0 : grz_orient3d(p, q, pages[0].at, pages[i].at);
        if (side != 0)
            pages[i].part = side > 0 ? LEFT : RIGHT;
        else
            pages[i].part = i == 0 || grz_pages_coincide(p, q, pages[0].at, pages[i].at) ? SAME : FACING;
    }
    return count < 2 ? GRZ_OK : grz_sort(pages + 1, count - 1, sizeof *pages, compare, &line, control);
}
