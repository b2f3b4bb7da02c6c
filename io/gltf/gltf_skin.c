// SPDX-License-Identifier: MIT
// Skins: a vertex is placed by the weighted sum of its joints' matrices, each the joint's world matrix times its
// inverse bind matrix (specification, 3.7.3). The matrix of the node that shows the mesh does not count.
#include "gltf/gltf.h"
#include "scene/scene_fill.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// How far the weights of a vertex may be from 1 in sum, and the last row of an inverse bind matrix from 0 0 0 1:
// rounding to float32 is far less.
#define WEIGHT_TOLERANCE 1e-3
#define BIND_TOLERANCE 1e-5

enum {
    JOINT_TYPES = GLTF_IS_UNSIGNED_BYTE | GLTF_IS_UNSIGNED_SHORT,
    WEIGHT_TYPES = JOINT_TYPES | GLTF_IS_FLOAT,
    BIND_TYPES = GLTF_IS_FLOAT
};

// Joint matrices become those of their nodes times the inverse bind matrices.
static bool read_joints(gltf *g, const json_t *joints, const double *binds, gltf_skin *out)
{
    uint64_t mirrored = 0;
    for (size_t i = 0; i < out->joint_count; i++) {
        scene_matrix bind = grz_io_matrix_identity;
        uint64_t node;
        if (!grz_io_gltf_whole(g, json_array_get(joints, i), "joints", &node))
            return false;
        if (node >= g->node_count)
            return grz_io_gltf_fail(g, "joint %zu is nodes[%llu], which does not exist", i, (unsigned long long)node);
        if (binds != NULL && !grz_io_matrix_from_columns(binds + 16 * i, BIND_TOLERANCE, &bind))
            return grz_io_gltf_fail(g, "the last row of inverse bind matrix %zu is not 0 0 0 1", i);
        out->joints[i] = grz_io_matrix_multiply(&g->nodes[node].world, &bind);
        mirrored += out->joints[i].mirrors;
    }
    out->mirrors = mirrored == out->joint_count;
    return true;
}

static bool read_skin(gltf *g, uint64_t index, gltf_skin *out)
{
    const json_t *json, *joints;
    gltf_accessor binds;
    uint64_t bind;
    if (!grz_io_gltf_element(g, "skins", index, &json) || !grz_io_gltf_array(g, json, "joints", &joints) ||
        !grz_io_gltf_count(g, json, "inverseBindMatrices", GLTF_NONE, &bind))
        return false;
    const size_t count = json_array_size(joints);
    if (count == 0)
        return grz_io_gltf_fail(g, "it has no joints");
    if (bind != GLTF_NONE) {
        if (!grz_io_gltf_accessor(g, bind, &binds) ||
            !grz_io_gltf_require(g, &binds, "inverseBindMatrices", 16, BIND_TYPES))
            return false;
        if (binds.count < count)
            return grz_io_gltf_fail(g, "%llu inverse bind matrices for %zu joints", (unsigned long long)binds.count,
                                    count);
    }
    double *numbers = bind != GLTF_NONE ? grz_io_gltf_read_new(g, &binds) : NULL;
    out->joints = grz_io_gltf_allocate(g, count, sizeof *out->joints);
    out->joint_count = count;
    const bool ok =
        out->joints != NULL && (bind == GLTF_NONE || numbers != NULL) && read_joints(g, joints, numbers, out);
    if (bind != GLTF_NONE)
        grz_io_gltf_release(g, numbers, 16 * binds.count, sizeof *numbers);
    return ok;
}

bool grz_io_gltf_read_skin(gltf *g, uint64_t index)
{
    if (index >= g->skin_count)
        return grz_io_gltf_fail(g, "there is no skins[%llu]", (unsigned long long)index);
    gltf_skin *skin = &g->skins[index];
    if (!skin->read) {
        grz_io_gltf_at(g, "skins[%llu]", (unsigned long long)index);
        skin->read = read_skin(g, index, skin);
    }
    return skin->read;
}

// The attributes JOINTS_n and WEIGHTS_n of a primitive.
typedef struct joint_set {
    double *joints, *weights; // four for each vertex
} joint_set;

static double *read_attribute(gltf *g, const gltf_primitive *p, const char *kind, unsigned set, unsigned types)
{
    char name[24];
    gltf_accessor a;
    uint64_t index;
    (void)snprintf(name, sizeof name, "%s_%u", kind, set);
    if (!grz_io_gltf_count(g, json_object_get(p->json, "attributes"), name, GLTF_NONE, &index))
        return NULL;
    if (index == GLTF_NONE) {
        grz_io_gltf_fail(g, "it is shown with a skin, but has no %s", name);
        return NULL;
    }
    if (!grz_io_gltf_accessor(g, index, &a) || !grz_io_gltf_require(g, &a, name, 4, types))
        return NULL;
    if (a.count != p->positions.count) {
        grz_io_gltf_fail(g, "%s has %llu elements, POSITION %llu", name, (unsigned long long)a.count,
                         (unsigned long long)p->positions.count);
        return NULL;
    }
    return grz_io_gltf_read_new(g, &a);
}

// How many sets there are: at least one, numbered from 0 on without a gap. Looked at before any is read.
static bool count_sets(gltf *g, const gltf_primitive *p, unsigned *count)
{
    char name[24];
    size_t found[2] = {0, 0}; // JOINTS, WEIGHTS
    const json_t *attributes = json_object_get(p->json, "attributes"), *value;
    const char *key;
    json_object_foreach((json_t *)attributes, key, value)
    {
        found[0] += strncmp(key, "JOINTS_", 7) == 0;
        found[1] += strncmp(key, "WEIGHTS_", 8) == 0;
    }
    const size_t all = found[0] > found[1] ? found[0] : found[1];
    if (all > GLTF_MOST_JOINT_SETS)
        return grz_io_gltf_fail(g, "more than %d sets of joints", (int)GLTF_MOST_JOINT_SETS);
    for (*count = 0; *count < all; ++*count)
        for (int k = 0; k < 2; k++) {
            (void)snprintf(name, sizeof name, "%s_%u", k == 0 ? "JOINTS" : "WEIGHTS", *count);
            if (json_object_get(attributes, name) == NULL)
                return grz_io_gltf_fail(g, "it is shown with a skin, but has no %s", name);
        }
    const uint64_t bytes = 8 * sizeof(double) * p->positions.count * *count;
    const uint64_t most = grz_io_most_model_bytes(g->r, g->r->size);
    return bytes <= most || grz_io_gltf_fail(g,
                                             "its joints and weights take more than the %llu MiB that a file of "
                                             "this size may take",
                                             (unsigned long long)(most >> 20));
}

static bool read_sets(gltf *g, const gltf_primitive *p, joint_set sets[GLTF_MOST_JOINT_SETS], unsigned *count)
{
    unsigned all = 0;
    if (!count_sets(g, p, &all))
        return false;
    while (*count < all || *count == 0) { // where there is none, the first one is missed by its name
        joint_set *set = &sets[(*count)++];
        set->joints = read_attribute(g, p, "JOINTS", *count - 1, JOINT_TYPES);
        set->weights = set->joints != NULL ? read_attribute(g, p, "WEIGHTS", *count - 1, WEIGHT_TYPES) : NULL;
        if (set->weights == NULL)
            return false;
    }
    return true;
}

// The sum of the joints' matrices of a vertex, by their weights; of a weight of 0 nothing.
static bool sum_joints(gltf *g, const gltf_skin *skin, const joint_set *sets, unsigned count, uint64_t vertex,
                       scene_matrix *out)
{
    double total = 0;
    *out = (scene_matrix){.mirrors = false};
    for (unsigned i = 0; i < 4 * count; i++) {
        const double joint = sets[i / 4].joints[4 * vertex + i % 4], weight = sets[i / 4].weights[4 * vertex + i % 4];
        if (!(joint < (double)skin->joint_count))
            return grz_io_gltf_fail(g, "vertex %llu has joint %g, but its skin has %llu", (unsigned long long)vertex,
                                    joint, (unsigned long long)skin->joint_count);
        if (fabs(weight) <= 0)
            continue; // not where it is no number
        const scene_matrix *m = &skin->joints[(uint64_t)joint];
        for (int k = 0; k < 12; k++)
            out->m[k / 4][k % 4] += weight * m->m[k / 4][k % 4];
        total += weight;
    }
    if (!(fabs(total - 1) <= WEIGHT_TOLERANCE))
        return grz_io_gltf_fail(g, "the weights of vertex %llu are %g in sum, not 1", (unsigned long long)vertex,
                                total);
    return true;
}

bool grz_io_gltf_skin_points(gltf *g, const gltf_skin *skin, const gltf_primitive *p, double *points)
{
    joint_set sets[GLTF_MOST_JOINT_SETS] = {{NULL, NULL}};
    unsigned count = 0;
    bool ok = read_sets(g, p, sets, &count);
    for (uint64_t i = 0; ok && i < p->positions.count; i++) {
        scene_matrix sum;
        ok = sum_joints(g, skin, sets, count, i, &sum);
        if (ok)
            grz_io_matrix_place(&sum, points + 3 * i, 1);
    }
    for (unsigned i = 0; i < count; i++) {
        grz_io_gltf_release(g, sets[i].joints, 4 * p->positions.count, sizeof(double));
        grz_io_gltf_release(g, sets[i].weights, 4 * p->positions.count, sizeof(double));
    }
    return ok;
}
