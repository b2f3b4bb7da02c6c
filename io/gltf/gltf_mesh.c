// SPDX-License-Identifier: MIT
// A mesh's primitives: which have triangles, how many vertices and faces they make, and whether their accessors are
// what the format allows.
#include "gltf/gltf.h"

#include <string.h>

enum {
    FLOAT_ONLY = GLTF_IS_FLOAT,
    QUANTIZED = FLOAT_ONLY | GLTF_IS_BYTE | GLTF_IS_UNSIGNED_BYTE | GLTF_IS_SHORT | GLTF_IS_UNSIGNED_SHORT,
    INDEX_TYPES = GLTF_IS_UNSIGNED_BYTE | GLTF_IS_UNSIGNED_SHORT | GLTF_IS_UNSIGNED_INT,
    POINTS = 0, // modes, here and below
    LINES = 1,
    LINE_STRIP = 3,
    TRIANGLES = 4,
    TRIANGLE_FAN = 6
};

static void count_points_and_lines(gltf *g, const gltf_primitive *p)
{
    if (p->mode == POINTS)
        g->points += p->corner_count;
    else if (p->mode == LINES)
        g->lines += p->corner_count / 2;
    else
        g->lines += p->corner_count - (p->mode == LINE_STRIP);
}

static bool count_faces(gltf *g, gltf_primitive *p)
{
    if (p->mode == TRIANGLES && p->corner_count % 3 != 0)
        return grz_io_gltf_fail(g, "its %llu corners are not whole triangles", (unsigned long long)p->corner_count);
    if (p->mode != TRIANGLES && p->corner_count < 3)
        return grz_io_gltf_fail(g, "a strip or fan of %llu corners has no triangle",
                                (unsigned long long)p->corner_count);
    p->face_count = p->mode == TRIANGLES ? p->corner_count / 3 : p->corner_count - 2;
    return true;
}

// A primitive that Draco compresses has no data of its own where the extension is required, and a copy where it is not.
static bool check_draco(gltf *g, const gltf_primitive *p)
{
    const json_t *compressed = json_object_get(json_object_get(p->json, "extensions"), "KHR_draco_mesh_compression");
    if (compressed != NULL && p->positions.data == NULL && p->positions.sparse_count == 0)
        return grz_io_gltf_fail(g, "its positions are only in KHR_draco_mesh_compression, which is not read");
    return true;
}

static bool read_corners(gltf *g, gltf_primitive *p)
{
    uint64_t indices;
    if (!grz_io_gltf_count(g, p->json, "indices", GLTF_NONE, &indices))
        return false;
    p->has_indices = indices != GLTF_NONE;
    if (p->has_indices && (!grz_io_gltf_accessor(g, indices, &p->indices) ||
                           !grz_io_gltf_require(g, &p->indices, "indices", 1, INDEX_TYPES)))
        return false;
    p->corner_count = p->has_indices ? p->indices.count : p->positions.count;
    return true;
}

static bool check_targets(gltf *g, gltf_mesh *mesh, const gltf_primitive *p)
{
    const json_t *targets;
    if (!grz_io_gltf_array(g, p->json, "targets", &targets))
        return false;
    if (mesh->primitive_count == 0)
        mesh->target_count = json_array_size(targets);
    for (size_t i = 0; i < json_array_size(targets); i++)
        if (!json_is_object(json_array_get(targets, i)))
            return grz_io_gltf_fail(g, "morph target %zu is not an object", i);
    if (json_array_size(targets) != mesh->target_count)
        return grz_io_gltf_fail(g, "it has %zu morph targets, the primitives before it %llu", json_array_size(targets),
                                (unsigned long long)mesh->target_count);
    return true;
}

// Whether the vertices are those of the primitive before: the same attributes, and no morph targets.
static bool shares_positions(const gltf_mesh *mesh, const gltf_primitive *p)
{
    if (mesh->primitive_count == 0 || mesh->target_count > 0)
        return false;
    return json_equal(json_object_get(p->json, "attributes"),
                      json_object_get(mesh->primitives[mesh->primitive_count - 1].json, "attributes")) != 0;
}

static bool read_primitive(gltf *g, gltf_mesh *mesh, const json_t *json, size_t number)
{
    gltf_primitive p = {.json = json, .number = number};
    const json_t *attributes;
    uint64_t position, mode;
    if (!json_is_object(json))
        return grz_io_gltf_fail(g, "it is not an object");
    if (!grz_io_gltf_object(g, json, "attributes", &attributes) ||
        !grz_io_gltf_count(g, attributes, "POSITION", GLTF_NONE, &position) ||
        !grz_io_gltf_count(g, json, "mode", TRIANGLES, &mode))
        return false;
    if (mode > TRIANGLE_FAN)
        return grz_io_gltf_fail(g, "its mode %llu is none", (unsigned long long)mode);
    p.mode = (unsigned)mode;
    if (position == GLTF_NONE) {
        g->without_positions++;
        return true;
    }
    if (!grz_io_gltf_accessor(g, position, &p.positions) ||
        !grz_io_gltf_require(g, &p.positions, "POSITION", 3, g->quantized ? QUANTIZED : FLOAT_ONLY) ||
        !check_draco(g, &p) || !read_corners(g, &p))
        return false;
    if (p.mode < TRIANGLES) {
        count_points_and_lines(g, &p);
        return true;
    }
    if (!count_faces(g, &p) || !check_targets(g, mesh, &p))
        return false;
    p.shares_positions = shares_positions(mesh, &p);
    mesh->vertex_count += p.shares_positions ? 0 : p.positions.count;
    mesh->face_count += p.face_count;
    mesh->primitives[mesh->primitive_count++] = p;
    return true;
}

bool grz_io_gltf_read_mesh(gltf *g, uint64_t index)
{
    const json_t *primitives;
    if (index >= g->mesh_count)
        return grz_io_gltf_fail(g, "there is no meshes[%llu]", (unsigned long long)index);
    gltf_mesh *mesh = &g->meshes[index];
    if (mesh->read)
        return true;
    grz_io_gltf_at(g, "meshes[%llu]", (unsigned long long)index);
    if (!grz_io_gltf_element(g, "meshes", index, &mesh->json) ||
        !grz_io_gltf_array(g, mesh->json, "primitives", &primitives))
        return false;
    mesh->primitive_room = json_array_size(primitives);
    mesh->primitives = grz_io_gltf_allocate(g, mesh->primitive_room, sizeof *mesh->primitives);
    if (mesh->primitives == NULL)
        return false;
    for (size_t i = 0; i < mesh->primitive_room; i++) {
        grz_io_gltf_at(g, "meshes[%llu].primitives[%zu]", (unsigned long long)index, i);
        if (!grz_io_gltf_goes_on(g, 1) || !read_primitive(g, mesh, json_array_get(primitives, i), i))
            return false;
    }
    mesh->model_meshes[0] = mesh->model_meshes[1] = GLTF_NONE;
    mesh->read = true;
    return true;
}
