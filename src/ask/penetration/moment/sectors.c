// SPDX-License-Identifier: MIT
// Sorts half-planes around the line by signs of orient3d, as geometry/triangle/pages.c does. By insertion: there are
// few.
#include "ask/penetration/moment/sectors.h"

#include <assert.h>

// Where a half-plane lies, seen from the first one.
enum {
    SAME,   // it is the same
    LEFT,   // less than half a turn further
    FACING, // half a turn further
    RIGHT   // more than half a turn further
};

// Find an axis along which the projection of p, q, r has area. Returns the orientation of the projection.
static int seen_turn(grz_moment *moment, const grz_moment_corner *p, const grz_moment_corner *q,
                     const grz_moment_corner *r, int *axis)
{
    int turn = 0;
    for (*axis = 0; *axis < 3; (*axis)++) {
        turn = grz_moment_orient_projected(moment, *axis, p, q, r);
        if (turn != 0)
            return turn;
    }
    *axis = 0; // only after a number that was too long
    return 0;
}

int grz_sector_turn(grz_moment *moment, const grz_moment_corner *p, const grz_moment_corner *q,
                    const grz_moment_corner *at, const grz_moment_corner corners[3])
{
    int axis;
    const int turn = seen_turn(moment, p, q, at, &axis);
    return turn * grz_moment_orient_projected(moment, axis, &corners[0], &corners[1], &corners[2]);
}

static bool coincide(grz_moment *moment, const grz_moment_corner *p, const grz_moment_corner *q,
                     const grz_moment_corner *at, const grz_moment_corner *other)
{
    int axis;
    if (grz_moment_orient3d(moment, p, q, at, other) != 0)
        return false;
    const int turn = seen_turn(moment, p, q, at, &axis);
    return grz_moment_orient_projected(moment, axis, p, q, other) == turn;
}

static bool is_before(grz_moment *moment, const grz_moment_corner *p, const grz_moment_corner *q,
                      const grz_sector_page *one, const grz_sector_page *other)
{
    if (one->part != other->part)
        return one->part < other->part;
    return grz_moment_orient3d(moment, p, q, &one->at, &other->at) > 0;
}

static void sort(grz_moment *moment, const grz_moment_corner *p, const grz_moment_corner *q, grz_sector_page *pages,
                 size_t count)
{
    pages[0].part = SAME;
    for (size_t i = 1; i < count; i++) {
        const int side = grz_moment_orient3d(moment, p, q, &pages[0].at, &pages[i].at);
        pages[i].part = (uint8_t)(side > 0                                             ? LEFT
                                  : side < 0                                           ? RIGHT
                                  : coincide(moment, p, q, &pages[0].at, &pages[i].at) ? SAME
                                                                                       : FACING);
    }
    for (size_t i = 2; i < count; i++) {
        const grz_sector_page page = pages[i];
        size_t to = i;
        for (; to > 1 && is_before(moment, p, q, &page, &pages[to - 1]); to--)
            pages[to] = pages[to - 1];
        pages[to] = page;
    }
}

bool grz_sectors_have_both(grz_moment *moment, const grz_moment_corner *p, const grz_moment_corner *q,
                           grz_sector_page *pages, size_t count)
{
    bool in[2] = {false, false};
    assert(count > 0);
    sort(moment, p, q, pages, count);
    for (size_t i = 0; i < count; i++) // before the first page holds what is behind each mesh's last one
        in[pages[i].mesh] = pages[i].behind;
    for (size_t i = 0; i < count; i++) {
        in[pages[i].mesh] = pages[i].behind;
        const bool ends = i + 1 == count || !coincide(moment, p, q, &pages[i].at, &pages[i + 1].at);
        if (ends && in[0] && in[1])
            return true;
    }
    return false;
}
