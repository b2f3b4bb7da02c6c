// SPDX-License-Identifier: MIT
// Questions about the shape of one contact: its triangles, the exact points of its corners, the triangles' edges along
// which it runs. For a mesh with itself everything is in mesh coordinates, in which its contacts were decided.
#include <string.h>

#include "contact/curves/curves.h"
#include "geometry/triangle/triangle.h"
#include "mesh/triangles.h"

static const grz_object *object_of(const grz_joiner *joiner, int half)
{
    return half == 0 || joiner->b == NULL ? joiner->a : joiner->b;
}

static const grz_pose *pose_of(const grz_joiner *joiner, int half)
{
    return joiner->b == NULL ? NULL : &object_of(joiner, half)->pose;
}

void grz_curves_triangles(const grz_joiner *joiner, size_t contact, double triangles[2][3][3])
{
    const grz_found *found = &joiner->found[contact];
    assert(contact < joiner->contact_count);
    grz_world_corners(object_of(joiner, 0)->mesh, pose_of(joiner, 0), found->triangle_a, triangles[0]);
    grz_world_corners(object_of(joiner, 1)->mesh, pose_of(joiner, 1), found->triangle_b, triangles[1]);
}

static void vertex_position(const grz_joiner *joiner, int half, uint32_t vertex, double position[3])
{
    const double *own = grz_mesh_position(object_of(joiner, half)->mesh, vertex);
    const grz_pose *pose = pose_of(joiner, half);
    if (pose != NULL)
        grz_world_position(pose, own, position);
    else
        memcpy(position, own, 3 * sizeof *position);
}

void grz_curves_point(const grz_joiner *joiner, size_t corner, grz_exact_point *point)
{
    const grz_node_key *key = &joiner->keys[corner];
    memcpy(point->rounded, joiner->own[corner].at, sizeof point->rounded);
    if (key->half[0][1] == GRZ_KEY_CORNER || key->half[1][1] == GRZ_KEY_CORNER) {
        point->form = GRZ_POINT_GIVEN;
        memcpy(point->p[0], point->rounded, sizeof point->rounded);
        return;
    }
    const int edge = key->half[0][0] != key->half[0][1] ? 0 : 1, other = 1 - edge;
    for (int end = 0; end < 2; end++)
        vertex_position(joiner, edge, key->half[edge][end], point->p[end]);
    if (key->half[other][0] != key->half[other][1]) {
        point->form = GRZ_POINT_ON_LINE;
        for (int end = 0; end < 2; end++)
            vertex_position(joiner, other, key->half[other][end], point->p[2 + end]);
    } else {
        point->form = GRZ_POINT_ON_PLANE;
        double plane[3][3];
        grz_world_corners(object_of(joiner, other)->mesh, pose_of(joiner, other), key->half[other][0], plane);
        memcpy(point->p[2], plane, sizeof plane);
    }
}

// The edges of a triangle, as bits, that contain a point of which one half of the key is given. `ids`: the triangle's
// vertices, each by its representative.
static unsigned edges_of_half(const uint32_t ids[3], const uint32_t half[2])
{
    unsigned edges = 0;
    if (half[0] == half[1]) // a face
        return 0;
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t p = ids[i], q = ids[(i + 1) % 3];
        const bool at_end = half[1] == GRZ_KEY_CORNER && (half[0] == p || half[0] == q);
        if (at_end || (half[0] == p && half[1] == q) || (half[0] == q && half[1] == p))
            edges |= 1u << i;
    }
    return edges;
}

// The edges of one of a contact's triangles, as bits, that contain a corner of the contact.
static unsigned edges_of_corner(const grz_joiner *joiner, int half, const uint32_t ids[3], size_t corner)
{
    const grz_node_key *key = &joiner->keys[corner];
    if (joiner->b != NULL)
        return edges_of_half(ids, key->half[half]);
    return edges_of_half(ids, key->half[0]) | edges_of_half(ids, key->half[1]);
}

// The vertices of one of a contact's triangles.
static const uint32_t *vertices_of(const grz_joiner *joiner, size_t contact, int half)
{
    const grz_found *found = &joiner->found[contact];
    return object_of(joiner, half)->mesh->triangles + (size_t)(half == 0 ? found->triangle_a : found->triangle_b) * 3;
}

unsigned grz_curves_side_edges(const grz_joiner *joiner, grz_side side, int half)
{
    const uint32_t *vertex = vertices_of(joiner, side.contact, half);
    uint32_t ids[3];
    size_t ends[2];
    grz_curves_side_ends(joiner, side, ends);
    for (int i = 0; i < 3; i++)
        ids[i] = grz_mesh_representative(object_of(joiner, half)->mesh, vertex[i]);
    return edges_of_corner(joiner, half, ids, ends[0]) & edges_of_corner(joiner, half, ids, ends[1]);
}

bool grz_curves_half_plane(const grz_joiner *joiner, grz_side side, grz_half_plane *half_plane)
{
    for (int half = 0; half < 2; half++) {
        const uint32_t *vertex = vertices_of(joiner, side.contact, half);
        const unsigned edges = grz_curves_side_edges(joiner, side, half);
        if (edges == 0)
            continue;
        const int edge = (edges & 1) != 0 ? 0 : (edges & 2) != 0 ? 1 : 2;
        vertex_position(joiner, half, vertex[edge], half_plane->p);
        vertex_position(joiner, half, vertex[(edge + 1) % 3], half_plane->q);
        vertex_position(joiner, half, vertex[(edge + 2) % 3], half_plane->w);
        return true;
    }
    return false;
}

bool grz_curves_same_half_plane(const grz_half_plane *x, const grz_half_plane *y)
{
    double triangle[3][3];
    int orientation;
    if (grz_same_point(x->w, y->w))
        return true;
    memcpy(triangle[0], x->p, sizeof triangle[0]);
    memcpy(triangle[1], x->q, sizeof triangle[1]);
    memcpy(triangle[2], x->w, sizeof triangle[2]);
    assert(!grz_same_point(x->p, x->q));
    const int axis = grz_projection_axis((const double(*)[3])triangle, &orientation);
    return orientation * grz_orient_projected(axis, x->p, x->q, y->w) > 0 && grz_orient3d(x->p, x->q, x->w, y->w) == 0;
}
