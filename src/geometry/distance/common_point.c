// SPDX-License-Identifier: MIT
// A point of two triangles that touch, chosen by exact comparison.
#include "geometry/distance/common_point.h"

#include <assert.h>
#include <string.h>

grz_nearest grz_common_point(const double a[3][3], const double b[3][3], double point[3])
{
    grz_intersection meeting;
    grz_triangles_intersect(a, b, &meeting);
    assert(meeting.node_count > 0);
    uint32_t best = 0;
    grz_exact_point first = grz_node_point(a, b, meeting.nodes[0]);
    for (uint32_t i = 1; i < meeting.node_count; i++) {
        const grz_exact_point next = grz_node_point(a, b, meeting.nodes[i]);
        if (grz_exact_compare(&next, &first) < 0) {
            first = next;
            best = i;
        }
    }
    memcpy(point, first.rounded, sizeof first.rounded);
    return (grz_nearest){meeting.nodes[best].a, meeting.nodes[best].b};
}
