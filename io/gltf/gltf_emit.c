// SPDX-License-Identifier: MIT
// Fills the model with what the scene shows, in two passes over the same nodes: the first counts, so that all memory is
// bounded and reserved before anything is decoded; the second decodes. Each instance of a mesh becomes a part with
// vertices of its own, or, where the caller keeps instances, a matrix and the number of a mesh that is decoded once.
#include "gltf/gltf.h"
#include "scene/scene_fill.h"

#include <stdio.h>
#include <string.h>

enum {
    BYTES_A_PART = 192, // a name, its block and the part or the instance, roughly
    NAME_ROOM = 40
};

// What was counted.
typedef struct sizes {
    uint64_t vertices, faces, parts;
} sizes;

// One showing of a mesh by a node.
typedef struct showing {
    const gltf_node *node;
    gltf_mesh *mesh;
    const json_t *weights;      // of morph targets; NULL: none
    const gltf_skin *skin;      // NULL: none
    const scene_matrix *matrix; // from the mesh to the scene; the identity where there is a skin
    bool mirrored;
    text_token name;
} showing;

// Whether the model keeps a mesh that is shown so for other nodes, too.
static bool is_shared(const gltf *g, const showing *s)
{
    return g->r->control->options.keep_instances && s->skin == NULL &&
           json_object_get(s->node->json, "weights") == NULL;
}

static bool count_showing(gltf *g, const showing *s, sizes *all)
{
    const uint64_t most_faces = UINT64_C(1) << 40, bytes = g->r->size + g->buffer_bytes;
    all->parts++;
    const bool shared = is_shared(g, s);
    if (!shared || s->mesh->model_meshes[s->mirrored] == GLTF_NONE) {
        if (shared)
            s->mesh->model_meshes[s->mirrored] = 0; // counted
        all->vertices += s->mesh->vertex_count;
        all->faces += s->mesh->face_count;
    }
    if (all->vertices > UINT32_MAX)
        return grz_io_fail(g->r, "its nodes show more than 4294967295 vertices");
    const uint64_t limit = grz_io_most_model_bytes(g->r, bytes);
    if (all->faces > most_faces ||
        3 * sizeof(double) * all->vertices + 3 * sizeof(uint32_t) * all->faces + BYTES_A_PART * all->parts > limit)
        return grz_io_fail(g->r,
                           "its nodes show more than the %llu MiB of vertices and faces that a file of this "
                           "size may make",
                           (unsigned long long)(limit >> 20));
    return true;
}

// Decode a primitive's vertices behind those that are there.
static bool add_vertices(gltf *g, const showing *s, const gltf_primitive *p, const scene_matrix *matrix)
{
    growing_model *m = &g->r->model;
    double *points = m->positions + 3 * m->vertex_count;
    m->vertex_count += p->positions.count;
    if (!grz_io_gltf_read(g, &p->positions, points) || !grz_io_gltf_morph(g, p, s->weights, points))
        return false;
    if (s->skin != NULL)
        return grz_io_gltf_skin_points(g, s->skin, p, points);
    grz_io_matrix_place(matrix, points, p->positions.count);
    return true;
}

// Decode all of a mesh; its corners count from vertex `base` on.
static bool add_mesh(gltf *g, const showing *s, const scene_matrix *matrix, uint64_t base)
{
    uint64_t first = 0;
    const uint64_t number = (uint64_t)(s->mesh - g->meshes);
    for (size_t i = 0; i < s->mesh->primitive_count; i++) {
        const gltf_primitive *p = &s->mesh->primitives[i];
        grz_io_gltf_at(g, "meshes[%llu].primitives[%zu]", (unsigned long long)number, p->number);
        if (!p->shares_positions)
            first = g->r->model.vertex_count;
        if ((!p->shares_positions && !add_vertices(g, s, p, matrix)) ||
            !grz_io_gltf_add_faces(g, p, (uint32_t)(first - base), s->mirrored))
            return false;
    }
    return true;
}

// The mesh at its place, as a part.
static bool add_part(gltf *g, const showing *s)
{
    return grz_io_begin_part(g->r, s->name) && add_mesh(g, s, s->matrix, 0) && grz_io_end_part(g->r);
}

// The mesh once, in its own coordinates, and an instance of it.
static bool add_instance(gltf *g, const showing *s)
{
    const growing_model *m = &g->r->model;
    const bool shared = is_shared(g, s);
    uint64_t number = shared ? s->mesh->model_meshes[s->mirrored] : GLTF_NONE;
    if (number == GLTF_NONE) {
        number = m->mesh_count;
        if (!grz_io_begin_mesh(g->r) || !add_mesh(g, s, &grz_io_matrix_identity, m->vertex_count))
            return false;
        grz_io_end_mesh(g->r);
        if (shared)
            s->mesh->model_meshes[s->mirrored] = number;
    }
    return grz_io_add_instance(g->r, s->name, number, s->matrix->m);
}

static bool visit(gltf *g, const showing *s, sizes *all)
{
    if (all != NULL)
        return count_showing(g, s, all);
    return g->r->control->options.keep_instances ? add_instance(g, s) : add_part(g, s);
}

// Whether a name was not taken, since it holds the character 0.
static bool has_unread_name(const gltf_node *node)
{
    return json_is_string(json_object_get(node->json, "name")) && grz_io_gltf_text(node->json, "name") == NULL;
}

// The node's name, the mesh's, or "node 5" in `room`.
static text_token name_of(const gltf *g, const gltf_node *node, const gltf_mesh *mesh, char room[NAME_ROOM])
{
    const char *name = grz_io_gltf_text(node->json, "name");
    if (name == NULL || *name == '\0')
        name = grz_io_gltf_text(mesh->json, "name");
    if (name == NULL || *name == '\0') {
        (void)snprintf(room, NAME_ROOM, "node %zu", (size_t)(node - g->nodes));
        name = room;
    }
    return (text_token){(const unsigned char *)name, strlen(name)};
}

// Every instance of a node.
static bool visit_instances(gltf *g, const showing *s, sizes *all)
{
    scene_matrix *instances;
    uint64_t count;
    bool ok = grz_io_gltf_read_instances(g, s->node, &instances, &count);
    if (!ok || instances == NULL)
        return ok && visit(g, s, all);
    for (uint64_t i = 0; ok && i < count; i++) {
        const scene_matrix matrix = grz_io_matrix_multiply(&s->node->world, &instances[i]);
        showing one = *s;
        one.matrix = &matrix;
        one.mirrored = matrix.mirrors;
        ok = visit(g, &one, all) && grz_io_gltf_goes_on(g, 1);
    }
    grz_io_gltf_release(g, instances, count, sizeof *instances);
    return ok;
}

static bool visit_node(gltf *g, uint64_t index, sizes *all)
{
    char room[NAME_ROOM];
    const gltf_node *node = &g->nodes[index];
    showing s = {.node = node, .matrix = &node->world, .mirrored = node->world.mirrors};
    grz_io_gltf_at(g, "nodes[%llu]", (unsigned long long)index);
    if (!grz_io_gltf_read_mesh(g, node->mesh))
        return false;
    s.mesh = &g->meshes[node->mesh];
    if (s.mesh->face_count == 0)
        return true;
    s.name = name_of(g, node, s.mesh, room);
    grz_io_gltf_at(g, "nodes[%llu]", (unsigned long long)index);
    if (!grz_io_gltf_find_weights(g, node, s.mesh, &s.weights))
        return false;
    g->morphed += all != NULL && s.weights != NULL;
    if (node->skin != GLTF_NONE) {
        if (!grz_io_gltf_read_skin(g, node->skin))
            return false;
        s.skin = &g->skins[node->skin];
        s.matrix = &grz_io_matrix_identity;
        s.mirrored = s.skin->mirrors;
        g->skinned += all != NULL;
        grz_io_gltf_at(g, "nodes[%llu]", (unsigned long long)index);
    }
    return visit_instances(g, &s, all);
}

static bool visit_all(gltf *g, sizes *all)
{
    for (size_t i = 0; i < g->shown_count; i++)
        if (!grz_io_gltf_goes_on(g, 1) || !visit_node(g, g->shown[i], all))
            return false;
    return true;
}

static bool add_notes(gltf *g)
{
    reader *r = g->r;
    uint64_t unread_names = 0;
    for (size_t i = 0; i < g->shown_count; i++)
        unread_names += has_unread_name(&g->nodes[g->shown[i]]);
    return grz_io_note_count(r, g->points, "point left out", "points left out") &&
           grz_io_note_count(r, g->lines, "line left out", "lines left out") &&
           grz_io_note_count(r, g->without_positions, "primitive without POSITION left out",
                             "primitives without POSITION left out") &&
           grz_io_note_count(r, g->nodes_left_out, "node with a mesh is outside the scene and left out",
                             "nodes with meshes are outside the scene and left out") &&
           grz_io_note_count(r, unread_names, "node with a name that holds the character 0: it is not used",
                             "nodes with names that hold the character 0: they are not used") &&
           grz_io_note_count(r, g->morphed, "mesh is shown at its default morph weights",
                             "meshes are shown at their default morph weights") &&
           grz_io_note_count(r, g->skinned, "mesh is placed by the joints of its skin",
                             "meshes are placed by the joints of their skins") &&
           grz_io_note_count(r, json_array_size(json_object_get(g->root, "animations")),
                             "animation left out: nodes are where the file puts them",
                             "animations left out: nodes are where the file puts them");
}

bool grz_io_gltf_emit(gltf *g)
{
    sizes all = {0, 0, 0};
    if (!visit_all(g, &all))
        return false;
    if (all.faces == 0)
        return grz_io_fail(g->r, "the scene shows no triangles (%zu nodes with meshes, %llu points, %llu lines)",
                           g->shown_count, (unsigned long long)g->points, (unsigned long long)g->lines);
    for (size_t i = 0; i < g->mesh_count; i++)
        g->meshes[i].model_meshes[0] = g->meshes[i].model_meshes[1] = GLTF_NONE;
    g->work = g->work_done + all.vertices + 3 * all.faces;
    return grz_io_reserve(g->r, all.vertices, 3 * all.faces) && visit_all(g, NULL) && add_notes(g);
}
