// SPDX-License-Identifier: MIT
// Around a line on which surfaces of both objects lie at one instant: is a sector inside both solids?
#ifndef GRZ_ASK_PENETRATION_MOMENT_SECTORS_H
#define GRZ_ASK_PENETRATION_MOMENT_SECTORS_H

#include "ask/penetration/moment/moment.h"

// A half-plane that the line bounds, in which a face lies: as grz_page (geometry/triangle/pages.h) is for objects at
// rest.
typedef struct grz_sector_page {
    grz_moment_corner at; // a corner of it, not on the line
    bool before, behind;  // whether the face's clockwise and its counter-clockwise side are inside its solid
    uint8_t mesh;         // 0: of A, 1: of B
    uint8_t part;         // for sorting; relative to the first page
} grz_sector_page;

// Which way the normal of a triangle looks, whose plane holds the line from p to q and the corner `at` beside it: 1 if
// counter-clockwise around the line, in the half-plane of `at`; else -1.
int grz_sector_turn(grz_moment *moment, const grz_moment_corner *p, const grz_moment_corner *q,
                    const grz_moment_corner *at, const grz_moment_corner corners[3]);

// True if a sector between two pages is inside both. There are pages of both objects. Sorts the pages.
bool grz_sectors_have_both(grz_moment *moment, const grz_moment_corner *p, const grz_moment_corner *q,
                           grz_sector_page *pages, size_t count);

#endif
