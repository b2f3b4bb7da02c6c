// SPDX-License-Identifier: MIT
// An oriented bounding box (OBB) by principal component analysis: its axes are the eigenvectors of the covariance
// matrix of the vertices; its extents are those of the vertices along the axes.
// Sources: S. Gottschalk, M. Lin, D. Manocha, "OBBTree: a hierarchical structure for rapid interference detection"
// (1996), section 4.
#include "mesh/oriented_box.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "geometry/principal_axes.h"

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

void grz_oriented_box(const grz_mesh *mesh, double centre[3], double edges[3][3])
{
    const unit_frame frame = frame_of(mesh);
    double covariance[3][3] = {{0.0}}, axes[3][3];
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    memcpy(centre, frame.middle, sizeof frame.middle);
    memset(edges, 0, sizeof axes);
    if (!(frame.unit > 0.0))
        return;
    find_covariance(mesh, &frame, covariance);
    grz_principal_axes(covariance, axes);
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
