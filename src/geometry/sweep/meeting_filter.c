// SPDX-License-Identifier: MIT
// What the filter reads: triangles with their edges and sizes. Chooses the filter's width.
#include "geometry/sweep/meeting_filter.h"

#include <math.h>

#include "geometry/vector.h"

static inline double larger(double x, double y)
{
    return x > y ? x : y; // fmax() would be a call
}

static inline double most(const double v[3])
{
    return larger(larger(fabs(v[0]), fabs(v[1])), fabs(v[2]));
}

// The edges, the normal, the largest component of an edge, and the largest coordinate.
static void measure(const double c[3][3], double edges[3][3], double normal[3], double *edge_size, double *size)
{
    *edge_size = *size = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            edges[i][k] = c[i == 2 ? 0 : i + 1][k] - c[i][k];
        *edge_size = larger(*edge_size, most(edges[i]));
        *size = larger(*size, most(c[i]));
    }
    grz_cross(edges[0], edges[1], normal);
}

void grz_meeting_mover_set(grz_meeting_mover *out, const double a[3][3], const double v[3])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            out->corners[i][k] = a[i][k];
    for (int k = 0; k < 3; k++)
        out->v[k] = v[k];
    out->v_size = most(v);
    measure(a, out->edges, out->normal, &out->edge_size, &out->size);
}

void grz_meeting_packet_set(grz_meeting_packet *out, uint32_t count, const double (*triangles)[3][3])
{
    for (uint32_t lane = 0; lane < GRZ_MEETING_LANES; lane++) {
        const double(*c)[3] = triangles[lane < count ? lane : count - 1];
        double edges[3][3], normal[3];
        measure(c, edges, normal, &out->edge_size[lane], &out->size[lane]);
        for (int k = 0; k < 3; k++) {
            out->normal[k][lane] = normal[k];
            for (int i = 0; i < 3; i++) {
                out->corners[i][k][lane] = c[i][k];
                out->edges[i][k][lane] = edges[i][k];
            }
        }
    }
}

grz_meeting_filter *grz_meeting_filter_for(grz_simd simd)
{
    return GRZ_SIMD_PICK(simd, grz_meeting_filter);
}
