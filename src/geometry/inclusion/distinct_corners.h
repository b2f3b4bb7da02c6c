// SPDX-License-Identifier: MIT
// A face without area is searched as what it is, a segment or a point: corners that are one point all the time, or that
// lie between two others all the time, are left out.
#ifndef GRZ_GEOMETRY_INCLUSION_DISTINCT_CORNERS_H
#define GRZ_GEOMETRY_INCLUSION_DISTINCT_CORNERS_H

#include <stdint.h>

typedef struct grz_moving_corners {
    double at[2][3][3]; // [time][corner]
    int count;          // 1, 2 or 3
    int given;          // how many there were
    uint8_t from[3];    // the number that each had
} grz_moving_corners;

// `count` corners (1, 2 or 3) at the times 0 and 1.
void grz_moving_corners_init(grz_moving_corners *c, const double (*const x[2])[3], int count);

// Leave out the corners that add nothing.
void grz_moving_corners_reduce(grz_moving_corners *c);

// A feature of the corners that are left, GRZ_CORNER_0 to GRZ_FACE, as one of those given.
uint8_t grz_given_feature(const grz_moving_corners *c, uint8_t feature);

#endif
