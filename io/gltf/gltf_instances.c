// SPDX-License-Identifier: MIT
// EXT_mesh_gpu_instancing: a node shows its mesh many times, each with a translation, rotation and scale of its own.
// Source: Khronos Group, glTF extension EXT_mesh_gpu_instancing.
#include "gltf/gltf.h"

#include <string.h>

enum {
    FLOATS = GLTF_IS_FLOAT,
    ROTATIONS = FLOATS | GLTF_IS_BYTE | GLTF_IS_SHORT
};

// One attribute of the instances as doubles, NULL where the node has none of that name; *count of them.
static bool read_attribute(gltf *g, const json_t *attributes, const char *name, unsigned components, unsigned types,
                           double **out, uint64_t *count)
{
    gltf_accessor a;
    uint64_t index;
    *out = NULL;
    if (!grz_io_gltf_count(g, attributes, name, GLTF_NONE, &index))
        return false;
    if (index == GLTF_NONE)
        return true;
    if (!grz_io_gltf_accessor(g, index, &a) || !grz_io_gltf_require(g, &a, name, components, types))
        return false;
    if (*count != 0 && a.count != *count)
        return grz_io_gltf_fail(g, "its instances have %llu of one attribute and %llu of %s",
                                (unsigned long long)*count, (unsigned long long)a.count, name);
    *count = a.count;
    *out = grz_io_gltf_read_new(g, &a);
    return *out != NULL;
}

static bool compose(gltf *g, const double *moved, const double *turned, const double *scaled, uint64_t count,
                    scene_matrix *out)
{
    static const double origin[3] = {0, 0, 0}, unturned[4] = {0, 0, 0, 1}, unscaled[3] = {1, 1, 1};
    for (uint64_t i = 0; i < count; i++)
        if (!grz_io_matrix_compose(moved != NULL ? moved + 3 * i : origin, turned != NULL ? turned + 4 * i : unturned,
                                   scaled != NULL ? scaled + 3 * i : unscaled, &out[i]))
            return grz_io_gltf_fail(g, "the rotation of instance %llu is no quaternion of a finite length above 0",
                                    (unsigned long long)i);
    return true;
}

bool grz_io_gltf_read_instances(gltf *g, const gltf_node *node, scene_matrix **matrices, uint64_t *count)
{
    const json_t *extensions, *extension, *attributes;
    double *moved = NULL, *turned = NULL, *scaled = NULL;
    *matrices = NULL;
    *count = 0;
    if (!grz_io_gltf_object(g, node->json, "extensions", &extensions) ||
        !grz_io_gltf_object(g, extensions, "EXT_mesh_gpu_instancing", &extension) ||
        !grz_io_gltf_object(g, extension, "attributes", &attributes))
        return false;
    if (extension == NULL)
        return true;
    if (node->skin != GLTF_NONE)
        return grz_io_gltf_fail(g, "it has a skin and EXT_mesh_gpu_instancing");
    bool ok = read_attribute(g, attributes, "TRANSLATION", 3, FLOATS, &moved, count) &&
              read_attribute(g, attributes, "ROTATION", 4, ROTATIONS, &turned, count) &&
              read_attribute(g, attributes, "SCALE", 3, FLOATS, &scaled, count);
    if (ok && *count == 0)
        ok = grz_io_gltf_fail(g, "its EXT_mesh_gpu_instancing has no TRANSLATION, ROTATION or SCALE");
    if (ok)
        *matrices = grz_io_gltf_allocate(g, *count, sizeof **matrices);
    ok = ok && *matrices != NULL && compose(g, moved, turned, scaled, *count, *matrices);
    grz_io_gltf_release(g, moved, 3 * *count, sizeof *moved);
    grz_io_gltf_release(g, turned, 4 * *count, sizeof *turned);
    grz_io_gltf_release(g, scaled, 3 * *count, sizeof *scaled);
    if (!ok) {
        grz_io_gltf_release(g, *matrices, *count, sizeof **matrices);
        *matrices = NULL;
    }
    return ok;
}
