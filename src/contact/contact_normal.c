// SPDX-License-Identifier: MIT
// Computes a contact's normal. For each of the two faces, take the smallest feature that holds the whole contact. If
// one is a face and the other is smaller, the normal is that face's normal. If two edges cross, it is the common
// perpendicular of the edges. In all other cases it is the difference of the two face normals.
#include "contact/contact_normal.h"

#include <assert.h>
#include <math.h>

#include "geometry/exact/predicates.h"
#include "geometry/vector.h"

// The edges of a triangle that contain a feature, as bits. Example: corner 0 is on edges 0 and 2.
static unsigned edges_of_feature(int feature)
{
    static const unsigned edges[GRZ_FACE + 1] = {
        1u << 0 | 1u << 2, 1u << 1 | 1u << 0, 1u << 2 | 1u << 1, 1u << 0, 1u << 1, 1u << 2, 0};
    assert(0 <= feature && feature <= GRZ_FACE);
    return edges[feature];
}

static bool is_edge(int feature)
{
    return feature >= GRZ_EDGE_0 && feature <= GRZ_EDGE_2;
}

// The smallest feature of the user's face that holds all nodes, as a feature of the triangle. A diagonal of the
// triangulation counts as the inside of the face.
static int feature_of_contact(const grz_intersection *contact, bool of_a, unsigned sides)
{
    unsigned edges = sides;
    bool same = true;
    const int first = of_a ? contact->nodes[0].a : contact->nodes[0].b;
    for (uint32_t i = 0; i < contact->node_count; i++) {
        const int feature = of_a ? contact->nodes[i].a : contact->nodes[i].b;
        same = same && feature == first;
        edges &= edges_of_feature(feature);
    }
    if (same)
        return is_edge(first) && (sides >> (first - GRZ_EDGE_0) & 1) == 0 ? GRZ_FACE : first;
    return edges == 0 ? GRZ_FACE : (edges & 1) != 0 ? GRZ_EDGE_0 : (edges & 2) != 0 ? GRZ_EDGE_1 : GRZ_EDGE_2;
}

static void set(const double from[3], double sign, double normal[3])
{
    for (int k = 0; k < 3; k++)
        normal[k] = sign * from[k] + 0.0; // -0 becomes +0
}

// If the squared distance of two normals is less than this, an exact test decides whether the triangles are coplanar.
static const double NEARLY_SAME = 0x1p-40;

// True if both normals are equal up to the rounding of a pose: the triangles lie in one plane and face the same way.
static bool same_normal(const grz_intersection *contact, const grz_contact_side *a, const grz_contact_side *b)
{
    double square = 0.0;
    for (int k = 0; k < 3; k++)
        square += (b->normal.unit[k] - a->normal.unit[k]) * (b->normal.unit[k] - a->normal.unit[k]);
    if (contact->kind == GRZ_COPLANAR)
        return square < 2.0;
    if (contact->kind == GRZ_CROSSING || square > NEARLY_SAME)
        return false;
    for (int i = 0; i < 3; i++)
        if (grz_orient3d(a->own[0], a->own[1], a->own[2], b->own[i]) != 0)
            return false;
    return true;
}

static void from_faces(const grz_intersection *contact, const grz_contact_side *a, const grz_contact_side *b,
                       double normal[3])
{
    if (same_normal(contact, a, b))
        set(b->normal.unit, 1.0, normal);
    else
        grz_normal_difference((const double(*)[3])a->world, &a->normal, (const double(*)[3])b->world, &b->normal,
                              normal);
}

// The normal of two crossing edges. False if they do not define a direction.
static bool from_edges(const grz_contact_side *a, int edge_a, const grz_contact_side *b, int edge_b, double normal[3])
{
    const int i = edge_a - GRZ_EDGE_0, j = edge_b - GRZ_EDGE_0;
    assert(is_edge(edge_a) && is_edge(edge_b));
    const double *p = a->world[i], *q = a->world[(i + 1) % 3], *r = b->world[j], *s = b->world[(j + 1) % 3];
    double faces[3];
    grz_unit_normal across;
    grz_edge_normal(p, q, r, s, &across);
    if (across.direction.zero)
        return false;
    for (int k = 0; k < 3; k++)
        faces[k] = b->normal.unit[k] - a->normal.unit[k];
    double sign = grz_dot(across.unit, faces);
    if (fabs(sign) < 0x1p-40) { // rounding changes it by less than 2^-49
        // Both faces are perpendicular to the plane through the two edges, and that plane separates the triangles. The
        // sign is the side on which A lies.
        const int side = grz_edge_side(p, q, r, s, a->world[(i + 2) % 3], b->world[(j + 2) % 3]);
        sign = side != 0 ? side : sign;
    }
    if (sign == 0.0)
        return false;
    set(across.unit, sign < 0.0 ? -1.0 : 1.0, normal);
    return true;
}

void grz_contact_normal(const grz_intersection *contact, const grz_contact_side *a, const grz_contact_side *b,
                        double normal[3])
{
    assert(0 < contact->node_count && contact->node_count <= GRZ_MAX_NODES);
    normal[0] = normal[1] = normal[2] = 0.0;
    if (a->degenerate && b->degenerate)
        return;
    const int feature_a = feature_of_contact(contact, true, a->sides);
    const int feature_b = feature_of_contact(contact, false, b->sides);
    if (a->degenerate || (!b->degenerate && feature_b == GRZ_FACE && feature_a != GRZ_FACE))
        set(b->normal.unit, 1.0, normal);
    else if (b->degenerate || (feature_a == GRZ_FACE && feature_b != GRZ_FACE))
        set(a->normal.unit, -1.0, normal);
    else if (contact->node_count > 1 || !is_edge(feature_a) || !is_edge(feature_b) ||
             !from_edges(a, feature_a, b, feature_b, normal))
        from_faces(contact, a, b, normal);
}
