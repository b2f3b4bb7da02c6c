// SPDX-License-Identifier: MIT
// The contact of two shapes along a normal. A's points that are farthest along it, and B's that are farthest against
// it, are faces, edges or corners; where they overlap, seen along the normal, the shapes touch, once A has moved back
// by the depth.
#include "ask/shape/contact.h"

#include <math.h>
#include <string.h>

#include "geometry/vector.h"

enum {
    MOST_STEPS = 16
};

// By how much a normal is turned to see how the contact changes.
static const double STEP = 0x1p-24;

// Faces that are this share of the extents off the plane of contact lie in it, but for the search's error.
static const double NEARLY_FLUSH = 0x1p-18;

// Faces that are farther from lying opposite to each other have no contact that one can speak of.
static const double NEARLY_OPPOSITE = 0x1p-30;

// Edges at a larger angle have a normal: of the square of its sine. Chosen.
static const double NOT_PARALLEL = 0x1p-20;

// Of one step of Newton's method, radians. Chosen: a normal that needs more is none near the one that is looked for.
static const double MOST_TURN = 0x1p-10;

static double margin_of(const grz_shape_pair *pair, double loose)
{
    return loose + GRZ_CONVEX_FLAT * (pair->a->extent + pair->b->extent);
}

void grz_shapes_look_along(const grz_shape_pair *pair, const double n[3], double loose, grz_shape_contact *contact)
{
    const double margin = margin_of(pair, loose);
    contact->frame = grz_frame_across(n);
    grz_convex_find_face(pair->a, &contact->frame, 1, margin, NULL, &contact->a);
    grz_convex_find_face(pair->b, &contact->frame, -1, margin, &contact->a, &contact->b);
    if (pair->a->form != GRZ_CONVEX_CORNERS && contact->a.count > 2)
        grz_convex_find_face(pair->a, &contact->frame, 1, margin, &contact->b, &contact->a);
    grz_convex_overlap_faces(&contact->a, &contact->b, margin, &contact->overlap);
}

static double off_by(const grz_shape_contact *contact)
{
    return grz_length2(contact->overlap.way[0], contact->overlap.way[1]);
}

static double depth_of(const grz_shape_contact *contact)
{
    return contact->a.height - contact->b.height;
}

// Turn a frame's normal by x along u and y along v.
static void turn(const grz_frame *frame, double x, double y, double n[3])
{
    for (int k = 0; k < 3; k++)
        n[k] = frame->n[k] + x * frame->u[k] + y * frame->v[k];
    grz_make_unit(n);
}

// How the way between the faces changes along the axes of a frame, if its normal is turned a step by (x, y).
static void change_of_way(const grz_shape_pair *pair, const grz_shape_contact *from, double loose, double x, double y,
                          double change[2])
{
    double n[3], way[3];
    grz_shape_contact other;
    turn(&from->frame, STEP * x, STEP * y, n);
    grz_shapes_look_along(pair, n, loose, &other);
    for (int k = 0; k < 3; k++)
        way[k] = other.overlap.way[0] * other.frame.u[k] + other.overlap.way[1] * other.frame.v[k];
    change[0] = (grz_dot(way, from->frame.u) - from->overlap.way[0]) / STEP;
    change[1] = (grz_dot(way, from->frame.v) - from->overlap.way[1]) / STEP;
}

// By how much to turn the normal so that the way becomes 0: Newton's method. Faces that are edges may be turned about
// one axis only, so that they stay edges; then the way is along the other. False: it does not change.
static bool find_turn(const grz_shape_pair *pair, const grz_shape_contact *from, double loose, double out[2])
{
    const double *way = from->overlap.way, length = off_by(from);
    if (from->a.count > 1 || from->b.count > 1) {
        double change[2];
        const double x = way[0] / length, y = way[1] / length;
        change_of_way(pair, from, loose, x, y, change);
        const double slope = change[0] * x + change[1] * y;
        out[0] = -length / slope * x;
        out[1] = -length / slope * y;
        return slope != 0.0;
    }
    double by_x[2], by_y[2];
    change_of_way(pair, from, loose, 1.0, 0.0, by_x);
    change_of_way(pair, from, loose, 0.0, 1.0, by_y);
    const double determinant = by_x[0] * by_y[1] - by_x[1] * by_y[0];
    out[0] = -(way[0] * by_y[1] - way[1] * by_y[0]) / determinant;
    out[1] = -(by_x[0] * way[1] - by_x[1] * way[0]) / determinant;
    return determinant != 0.0;
}

// The normal of the plane through a face of three corners or more. False: it has none.
static bool normal_of(const grz_convex_face *face, double n[3])
{
    double most = 0.0;
    for (int i = 2; i < face->count; i++) {
        double e[2][3], across[3];
        for (int k = 0; k < 3; k++) {
            e[0][k] = face->points[i - 1][k] - face->points[0][k];
            e[1][k] = face->points[i][k] - face->points[0][k];
        }
        grz_cross(e[0], e[1], across);
        if (grz_dot(across, across) > most) {
            most = grz_dot(across, across);
            memcpy(n, across, sizeof across);
        }
    }
    return most > 0.0 && grz_make_unit(n);
}

static bool edge_of(const grz_convex_face *face, double along[3])
{
    for (int k = 0; k < 3; k++)
        along[k] = face->points[face->count - 1][k] - face->points[0][k];
    return face->count == 2 && grz_make_unit(along);
}

// The normal that makes the faces lie flush which nearly do so. False: none does.
static bool make_flush(const grz_shape_contact *nearly, double n[3])
{
    const grz_convex_face *a = &nearly->a, *b = &nearly->b;
    double edge[2][3], across[3];
    memcpy(n, nearly->frame.n, sizeof nearly->frame.n);
    if (!normal_of(a, n) && !normal_of(b, n)) {
        const bool has_a = edge_of(a, edge[0]), has_b = edge_of(b, edge[1]);
        if (!has_a && !has_b)
            return false;
        grz_cross(edge[0], edge[1], across);
        if (has_a && has_b && grz_dot(across, across) > NOT_PARALLEL)
            memcpy(n, across, sizeof across);
        else {
            const double *e = edge[has_a ? 0 : 1], along = grz_dot(n, e);
            for (int k = 0; k < 3; k++)
                n[k] -= along * e[k];
        }
    }
    const double sign = grz_dot(n, nearly->frame.n) < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < 3; k++)
        n[k] *= sign;
    return grz_make_unit(n);
}

// Turn the normal until the faces that nearly lie flush do so, and lie opposite to each other. Faces are taken with the
// margin `loose`.
static void improve(const grz_shape_pair *pair, double loose, double near, grz_shape_contact *contact)
{
    grz_shape_contact better;
    double turned[3];
    if (make_flush(contact, turned)) {
        grz_shapes_look_along(pair, turned, loose, &better);
        if (off_by(&better) <= 2.0 * off_by(contact) + near)
            *contact = better;
    }
    for (int step = 0; step < MOST_STEPS && off_by(contact) > near; step++) {
        double by[2];
        if (!find_turn(pair, contact, loose, by) || !(grz_length2(by[0], by[1]) < MOST_TURN))
            return;
        turn(&contact->frame, by[0], by[1], turned);
        grz_shapes_look_along(pair, turned, loose, &better);
        if (!(off_by(&better) < off_by(contact)))
            return;
        *contact = better;
        if (make_flush(contact, turned)) {
            grz_shapes_look_along(pair, turned, loose, &better);
            if (off_by(&better) <= 2.0 * off_by(contact) + near)
                *contact = better;
        }
    }
}

void grz_shapes_find_contact(const grz_shape_pair *pair, const double n[3], double loose, grz_shape_contact *contact)
{
    const double near = 0.25 * margin_of(pair, 0.0), extent = pair->a->extent + pair->b->extent;
    const double margins[2] = {loose, NEARLY_FLUSH * extent + 16.0 * loose};
    grz_shapes_look_along(pair, n, loose, contact);
    if (off_by(contact) <= near && loose <= near)
        return;
    const double deepest = depth_of(contact) + near + loose;
    grz_shape_contact rough, better;
    for (int i = 0; i < 2; i++) {
        grz_shapes_look_along(pair, n, margins[i], &rough);
        improve(pair, margins[i], near, &rough);
        grz_shapes_look_along(pair, rough.frame.n, 0.0, &better);
        if (off_by(&better) <= off_by(contact) + near && depth_of(&better) <= deepest)
            *contact = better;
        if (off_by(contact) <= near)
            return;
    }
    // The direction is not good enough for that: the faces that lie nearly opposite, as they are.
    if (off_by(contact) > NEARLY_OPPOSITE * extent && off_by(&rough) < off_by(contact))
        grz_shapes_look_along(pair, n, margins[1], contact);
}

double grz_shape_contact_depth(const grz_shape_pair *pair, const grz_shape_contact *contact)
{
    const double slack =
        (pair->a->error + pair->b->error + GRZ_CONVEX_ROUNDING * (pair->a->extent + pair->b->extent)) * 1.01;
    const double far = depth_of(contact) + slack;
    return far + GRZ_CONVEX_ROUNDING * fabs(far); // the sums themselves
}

void grz_shape_contact_points(const grz_shape_pair *pair, const grz_shape_contact *contact, const double at[2],
                              double depth, double point_a[3], double point_b[3])
{
    const grz_frame *f = &contact->frame;
    const grz_place *place = &pair->place;
    for (int k = 0; k < 3; k++) {
        const double across = at[0] * f->u[k] + at[1] * f->v[k] + contact->a.height * f->n[k];
        point_a[k] = across / place->scale + pair->radius_a * f->n[k] + place->origin[k];
        point_b[k] = point_a[k] - depth * f->n[k];
    }
}
