// SPDX-License-Identifier: MIT
// An oriented bounding box (OBB) by principal component analysis: its axes are the eigenvectors of the covariance
// matrix of the vertices, computed with Jacobi rotations; its extents are those of the vertices along the axes.
// Sources: S. Gottschalk, M. Lin, D. Manocha, "OBBTree: a hierarchical structure for rapid interference detection"
// (1996), section 4; C. Jacobi (1846).
#include "mesh/oriented_box.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    SWEEPS = 12 // convergence is quadratic, and six sweeps are usually enough
};

// Maps positions to [-1, 1]: relative to the middle of the mesh's AABB, in units of half its size. This avoids
// overflow.
typedef struct unit_frame {
    double middle[3], unit;
} unit_frame;

static unit_frame frame_of(const grz_mesh *mesh)
{
    unit_frame frame = {.unit = 0.0};
    for (int i = 0; i < 3; i++) {
        frame.middle[i] = 0.5 * mesh->bounds.min[i] + 0.5 * mesh->bounds.max[i];
        frame.unit = fmax(frame.unit, mesh->bounds.max[i] - frame.middle[i]);
    }
    return frame;
}

// Add up the covariance matrix of the used vertices in two passes: the mean first.
static void find_covariance(const grz_mesh *mesh, const unit_frame *frame, double covariance[3][3])
{
    double mean[3] = {0.0}, count = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            const double *p = grz_mesh_position(mesh, v);
            double d[3];
            if (!grz_mesh_uses(mesh, v))
                continue;
            for (int i = 0; i < 3; i++)
                d[i] = (p[i] - frame->middle[i]) / frame->unit - (pass == 1 ? mean[i] : 0.0);
            count += pass == 0;
            for (int i = 0; i < 3; i++) {
                mean[i] += pass == 0 ? d[i] : 0.0;
                for (int j = 0; pass == 1 && j < 3; j++)
                    covariance[i][j] += d[i] * d[j];
            }
        }
        assert(count > 0.0);
        for (int i = 0; i < 3 && pass == 0; i++)
            mean[i] /= count;
    }
}

// One Jacobi rotation: rotate the axes p and q so that a[p][q] becomes 0.
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
    const unit_frame frame = frame_of(mesh);
    double covariance[3][3] = {{0.0}}, axes[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    memcpy(centre, frame.middle, sizeof frame.middle);
    memset(edges, 0, sizeof axes);
    if (!(frame.unit > 0.0))
        return;
    find_covariance(mesh, &frame, covariance);
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
                along += axes[i][j] * ((p[j] - frame.middle[j]) / frame.unit);
            low[i] = fmin(low[i], along);
            high[i] = fmax(high[i], along);
        }
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            centre[j] += (0.5 * low[i] + 0.5 * high[i]) * axes[i][j] * frame.unit;
            edges[i][j] = (0.5 * high[i] - 0.5 * low[i]) * axes[i][j] * frame.unit;
        }
}
