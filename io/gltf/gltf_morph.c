// SPDX-License-Identifier: MIT
// Morph targets at their default weights: position + weight · displacement, target after target.
#include "gltf/gltf.h"

#include <math.h>

enum {
    TARGET_TYPES = GLTF_IS_FLOAT,
    QUANTIZED_TARGET_TYPES = TARGET_TYPES | GLTF_IS_BYTE | GLTF_IS_SHORT
};

bool grz_io_gltf_find_weights(gltf *g, const gltf_node *node, const gltf_mesh *mesh, const json_t **weights)
{
    if (!grz_io_gltf_array(g, node->json, "weights", weights))
        return false;
    if (*weights == NULL && !grz_io_gltf_array(g, mesh->json, "weights", weights))
        return false;
    const size_t count = json_array_size(*weights);
    if (*weights != NULL && count != mesh->target_count)
        return grz_io_gltf_fail(g, "%zu weights for %llu morph targets", count, (unsigned long long)mesh->target_count);
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        const json_t *weight = json_array_get(*weights, i);
        if (!json_is_number(weight))
            return grz_io_gltf_fail(g, "weight %zu is not a number", i);
        any = any || fabs(json_number_value(weight)) > 0;
    }
    if (!any)
        *weights = NULL;
    return true;
}

// A file without data may have any number of targets of zeros: what adding them may take, and for each of its bytes.
#define LEAST_MORPH_LIMIT (UINT64_C(512) << 20)
#define MORPH_BYTES_A_BYTE 1024

static bool count_work(gltf *g, uint64_t vertices)
{
    const uint64_t most = LEAST_MORPH_LIMIT + MORPH_BYTES_A_BYTE * (uint64_t)g->r->size;
    g->morph_bytes += 3 * sizeof(double) * vertices;
    return g->morph_bytes <= most ||
           grz_io_gltf_fail(
               g, "the morph targets that are shown have more than the %llu MiB that a file of this size may have",
               (unsigned long long)(most >> 20));
}

static bool add_target(gltf *g, const gltf_primitive *p, const json_t *target, double weight, double *points)
{
    gltf_accessor a;
    uint64_t position;
    if (!grz_io_gltf_count(g, target, "POSITION", GLTF_NONE, &position))
        return false;
    if (position == GLTF_NONE)
        return true;
    if (!grz_io_gltf_accessor(g, position, &a) ||
        !grz_io_gltf_require(g, &a, "POSITION of a target", 3, g->quantized ? QUANTIZED_TARGET_TYPES : TARGET_TYPES))
        return false;
    if (a.count != p->positions.count)
        return grz_io_gltf_fail(g, "a morph target has %llu positions, the primitive %llu", (unsigned long long)a.count,
                                (unsigned long long)p->positions.count);
    if (!count_work(g, a.count))
        return false;
    double *displacements = grz_io_gltf_read_new(g, &a);
    for (uint64_t i = 0; displacements != NULL && i < 3 * a.count; i++)
        points[i] += weight * displacements[i];
    grz_io_gltf_release(g, displacements, 3 * a.count, sizeof *displacements);
    return displacements != NULL;
}

bool grz_io_gltf_morph(gltf *g, const gltf_primitive *p, const json_t *weights, double *points)
{
    const json_t *targets = json_object_get(p->json, "targets");
    for (size_t i = 0; i < json_array_size(weights); i++) {
        const double weight = json_number_value(json_array_get(weights, i));
        if (fabs(weight) > 0 && !add_target(g, p, json_array_get(targets, i), weight, points))
            return false;
    }
    return true;
}
