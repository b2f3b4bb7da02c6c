// SPDX-License-Identifier: MIT
// Picks the separating axis test of two posed boxes for a SIMD width. The work is in posed_boxes_lanes.c.
#include "geometry/posed_boxes.h"

grz_posed_boxes_test *grz_posed_boxes_test_for(grz_simd simd)
{
    return GRZ_SIMD_PICK(simd, grz_posed_boxes_apart);
}
