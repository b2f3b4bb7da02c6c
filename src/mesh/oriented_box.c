// SPDX-License-Identifier: MIT
// Principal axes: the eigenvectors of the vertices' covariance, by Jacobi's rotations; then the extents along them. Source: S.
// Gottschalk, M. Lin, D. Manocha, "OBBTree" (1996), section 4, for the box; C. Jacobi (1846).
#include "mesh/oriented_box.h"

#include <math.h>
#include <string.h>

enum {
    SWEEPS = 12 // convergence is quadratic: six are enough
};

// Positions relative to the box's middle, in units of its size: any scale will do.
typedef struct frame {
    double middle[3], unit;
} frame;

static frame frame_of(const grz_mesh *mesh)
{
    frame f = {.unit = 0.0};
    for (int i = 0; i < 3; i++) {
        f.middle[i] = 0.5 * mesh->bounds.min[i] + 0.5 * mesh->bounds.max[i];
        f.unit = fmax(f.unit, mesh->bounds.max[i] - f.middle[i]);
    }
    return f;
}

static void find_covariance(const grz_mesh *mesh, const frame *f, double covariance[3][3])
{
    double mean[3] = {0.0}, count = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            const double *p = grz_mesh_position(mesh, v);
            double d[3];
            if (!grz_mesh_uses(mesh, v))
                continue;
            for (int i = 0; i < 3; i++)
                d[i] = (p[i] - f->middle[i]) / f->unit - (pass == 1 ? mean[i] : 0.0);
            count += pass == 0;
            for (int i = 0; i < 3; i++) {
                mean[i] += pass == 0 ? d[i] : 0.0;
                for (int j = 0; pass == 1 && j < 3; j++)
                    covariance[i][j] += d[i] * d[j];
            }
        }
        for (int i = 0; i < 3 && pass == 0; i++)
            mean[i] /= count;
    }
}

// Turn axes p and q so that the entry between them becomes 0.
static void rotate(double a[3][3], double axes[3][3], int p, int q)
{
    if (a[p][q] == 0.0)
        return;
    const double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    const double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int i = 0; i < 3; i++) {
        const double x = a[i][p], y = a[i][q];
        a[i][p] = c * x - s * y;
        a[i][q] = s * x + c * y;
    }
    for (int i = 0; i < 3; i++) {
        const double x = a[p][i], y = a[q][i], u = axes[p][i], v = axes[q][i];
        a[p][i] = c * x - s * y;
        a[q][i] = s * x + c * y;
        axes[p][i] = c * u - s * v;
        axes[q][i] = s * u + c * v;
    }
}

void grz_oriented_box(const grz_mesh *mesh, double centre[3], double edges[3][3])
{
    const frame f = frame_of(mesh);
    double covariance[3][3] = {{0.0}}, axes[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    memcpy(centre, f.middle, sizeof f.middle);
    memset(edges, 0, sizeof axes);
    if (!(f.unit > 0.0))
        return;
    find_covariance(mesh, &f, covariance);
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++)
                rotate(covariance, axes, p, q);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const double *p = grz_mesh_position(mesh, v);
        if (!grz_mesh_uses(mesh, v))
            continue;
        for (int i = 0; i < 3; i++) {
            double along = 0.0;
            for (int j = 0; j < 3; j++)
                along += axes[i][j] * ((p[j] - f.middle[j]) / f.unit);
            low[i] = fmin(low[i], along);
            high[i] = fmax(high[i], along);
        }
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            centre[j] += (0.5 * low[i] + 0.5 * high[i]) * axes[i][j] * f.unit;
            edges[i][j] = (0.5 * high[i] - 0.5 * low[i]) * axes[i][j] * f.unit;
        }
}
