// SPDX-License-Identifier: MIT
// A geometry as a mesh of the model: the positions of its vertices, and the faces of all its primitives.
#include "collada/collada.h"

#include <string.h>

bool grz_io_collada_has_room(collada *c, const xml_element *at, uint64_t vertices, uint64_t corners, uint64_t faces)
{
    const growing_model *m = &c->r->model;
    const uint64_t limit = grz_io_most_model_bytes(c->r, c->r->size), all_vertices = m->vertex_count + vertices;
    if (all_vertices > UINT32_MAX)
        return grz_io_collada_fail(c, at, "the file makes more than 4294967295 vertices");
    const uint64_t bytes =
        3 * sizeof(double) * all_vertices + sizeof(uint32_t) * (m->index_count + corners + m->face_count + faces);
    return bytes <= limit || grz_io_collada_fail(c, at,
                                                 "the geometries that are shown have more than the %llu MiB of "
                                                 "vertices and faces that a file of this size may make",
                                                 (unsigned long long)(limit >> 20));
}

// The mesh element; NULL, with the reason, where the geometry is of another kind.
static const xml_element *mesh_of(collada *c, const xml_element *geometry)
{
    static const char *const others[] = {"convex_mesh", "spline", "brep"};
    const xml_element *mesh = grz_io_xml_child(geometry, "mesh", NULL);
    for (size_t i = 0; mesh == NULL && i < sizeof others / sizeof *others; i++)
        if (grz_io_xml_child(geometry, others[i], NULL) != NULL) {
            grz_io_collada_fail(c, geometry, "it is a %s, which is not read", others[i]);
            return NULL;
        }
    if (mesh == NULL)
        grz_io_collada_fail(c, geometry, "it has no mesh");
    return mesh;
}

// Elements of a mesh that have no faces.
static bool is_no_primitive(const char *name)
{
    static const char *const known[] = {"source", "vertices", "extra"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i], name) == 0)
            return true;
    return false;
}

static bool read_vertices(collada *c, const xml_element *vertices, uint64_t *count)
{
    const xml_element *input;
    collada_source positions;
    unsigned order[3];
    if (!grz_io_collada_input(c, vertices, "POSITION", &input))
        return false;
    if (input == NULL)
        return grz_io_collada_fail(c, vertices, "it has no input POSITION");
    if (!grz_io_collada_source(c, input, 3, order, &positions))
        return false;
    *count = positions.count;
    return grz_io_collada_has_room(c, input, positions.count, 0, 0) &&
           grz_io_collada_add_positions(c, &positions, order);
}

static bool read_mesh(collada *c, const xml_element *mesh)
{
    uint64_t vertex_count = 0;
    const xml_element *vertices = grz_io_xml_child(mesh, "vertices", NULL);
    if (vertices == NULL)
        return grz_io_collada_fail(c, mesh, "it has no vertices");
    if (grz_io_xml_child(mesh, "vertices", vertices) != NULL)
        return grz_io_collada_fail(c, mesh, "it has more than one vertices element");
    if (!read_vertices(c, vertices, &vertex_count))
        return false;
    for (const xml_element *e = mesh->children; e != NULL; e = e->next) {
        bool known;
        if (is_no_primitive(e->name))
            continue;
        if (!grz_io_collada_add_faces(c, e, vertices, vertex_count, &known))
            return false;
        if (!known)
            return grz_io_collada_fail(c, e, "no primitive of a mesh is called so");
    }
    return true;
}

bool grz_io_collada_read_geometry(collada *c, collada_id *geometry)
{
    if (geometry->mesh != COLLADA_NONE)
        return true;
    const xml_element *mesh = mesh_of(c, geometry->element);
    if (mesh == NULL || !grz_io_collada_check_asset(c, geometry->element))
        return false;
    geometry->mesh = c->r->model.mesh_count;
    if (!grz_io_begin_mesh(c->r) || !read_mesh(c, mesh))
        return false;
    grz_io_end_mesh(c->r);
    return true;
}
