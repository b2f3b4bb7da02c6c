// SPDX-License-Identifier: MIT
// grz_shapes_manifold(): the faces that nearly lie flush, clipped against each other, and which corners to keep.
#include <graze/shape.h>

#include <math.h>
#include <string.h>

#include "ask/shape/contact.h"
#include "ask/shape/shape_request.h"
#include "base/call.h"
#include "base/fail.h"
#include "geometry/convex/leaning_face.h"
#include "geometry/functions/functions.h"
#include "geometry/vector.h"

// Of both extents, chosen: spots that are as near to each other are one, and heights as near are equal.
static const double NEAR = 0x1p-40;

// A corner of what the faces have in common.
typedef struct spot {
    double at[2], height; // A's surface, along the frame, at the place
    double depth;         // in the world
    grz_corners_of a, b;
} spot;

static grz_feature feature_of(grz_corners_of corners)
{
    return (grz_feature){{corners.first, corners.second}};
}

// The corners of the faces' overlap at which the shapes are in each other. Where the faces are edges or corners, those
// of the contact itself.
static int find_spots(const grz_shape_pair *pair, const grz_shape_contact *contact, double face_angle, double depth,
                      spot out[GRZ_CLIPPED_MAX + 1])
{
    const grz_corners_of none = {UINT32_MAX, UINT32_MAX};
    const double near = NEAR * (pair->a->extent + pair->b->extent);
    const double tangent = grz_sine(face_angle) / grz_cosine(face_angle);
    const double radii = (pair->radius_a + pair->radius_b) * pair->place.scale;
    grz_leaning_face a, b;
    grz_clipped clipped[GRZ_CLIPPED_MAX];
    int count = 0;
    grz_convex_find_leaning_face(pair->a, &contact->frame, 1, tangent, &a);
    grz_convex_find_leaning_face(pair->b, &contact->frame, -1, tangent, &b);
    const int corners = grz_convex_clip_faces(&a, &b, clipped);
    for (int i = 0; i < corners; i++) {
        const double deep = clipped[i].height_a - clipped[i].height_b + radii;
        if (deep < -near)
            continue;
        spot *to = &out[count++];
        *to = (spot){.height = clipped[i].height_a, .a = clipped[i].a, .b = clipped[i].b};
        memcpy(to->at, clipped[i].at, sizeof to->at);
        to->depth = fmin(fmax(deep / pair->place.scale, 0.0), depth);
    }
    if (count > 0)
        return count;
    const int ends = contact->overlap.count == 2 ? 2 : 1;
    for (int i = 0; i < ends; i++) {
        out[i] = (spot){.height = contact->a.height, .depth = depth, .a = none, .b = none};
        memcpy(out[i].at, ends == 2 ? contact->overlap.at[i] : contact->overlap.middle, sizeof out[i].at);
        if (a.count == 1)
            out[i].a = a.corner[0];
        else if (a.count == 2)
            out[i].a = a.edge[0];
        if (b.count == 1)
            out[i].b = b.corner[0];
        else if (b.count == 2)
            out[i].b = b.edge[0];
    }
    return ends;
}

static double area(const spot *p, const spot *q, const spot *r)
{
    return (q->at[0] - p->at[0]) * (r->at[1] - p->at[1]) - (q->at[1] - p->at[1]) * (r->at[0] - p->at[0]);
}

static double apart(const spot *p, const spot *q)
{
    return grz_length2(q->at[0] - p->at[0], q->at[1] - p->at[1]);
}

// Choose the deepest, the one farthest from it, the one farthest from the line through both, and the one farthest out
// on the line's other side.
static uint32_t choose(const spot *spots, int count, double near, int chosen[GRZ_SHAPE_MANIFOLD_MAX_POINTS])
{
    int first = 0, second = 0, third = -1, fourth = -1;
    double most = near, out[2] = {0.0, 0.0};
    for (int i = 1; i < count; i++)
        first = spots[i].depth > spots[first].depth ? i : first;
    chosen[0] = first;
    for (int i = 0; i < count; i++)
        if (apart(&spots[first], &spots[i]) > most) {
            most = apart(&spots[first], &spots[i]);
            second = i;
        }
    if (most <= near)
        return 1;
    chosen[1] = second;
    for (int i = 0; i < count; i++) {
        const double off = area(&spots[first], &spots[second], &spots[i]) / most;
        if (off > fmax(out[0], near)) {
            out[0] = off;
            third = i;
        }
        if (-off > fmax(out[1], near)) {
            out[1] = -off;
            fourth = i;
        }
    }
    uint32_t kept = 2;
    if (third >= 0)
        chosen[kept++] = third;
    if (fourth >= 0)
        chosen[kept++] = fourth;
    if (kept != 3)
        return kept;
    // All lie on one side of the longest way: another one may lie beyond the triangle's other sides.
    const int tip = chosen[2];
    double far = near * most;
    for (int i = 0; i < count; i++) {
        const double sign = third >= 0 ? 1.0 : -1.0;
        const double beyond = fmax(sign * area(&spots[tip], &spots[second], &spots[i]),
                                   sign * area(&spots[first], &spots[tip], &spots[i]));
        if (beyond > far) {
            far = beyond;
            chosen[3] = i;
            kept = 4;
        }
    }
    return kept;
}

static void fill(const grz_shape_pair *pair, double face_angle, grz_shape_manifold *out)
{
    spot spots[GRZ_CLIPPED_MAX + 1];
    int chosen[GRZ_SHAPE_MANIFOLD_MAX_POINTS] = {0};
    double n[3];
    grz_shape_contact contact;
    if (!grz_shapes_normal(pair, &out->answer, n))
        return;
    const double loose = (out->answer.depth_upper - out->answer.depth_lower) * pair->place.scale;
    grz_shapes_look_along(pair, n, loose, &contact);
    const int count = find_spots(pair, &contact, face_angle, out->answer.depth, spots);
    out->count = choose(spots, count, NEAR * (pair->a->extent + pair->b->extent), chosen);
    for (uint32_t i = 0; i < out->count; i++) {
        const spot *from = &spots[chosen[i]];
        grz_shape_manifold_point *to = &out->points[i];
        to->depth = from->depth;
        to->feature_a = feature_of(from->a);
        to->feature_b = feature_of(from->b);
        if (out->count == 1 && from->depth == out->answer.depth) {
            memcpy(to->point_a, out->answer.point_a, sizeof to->point_a);
            memcpy(to->point_b, out->answer.point_b, sizeof to->point_b);
            return;
        }
        contact.a.height = from->height;
        grz_shape_contact_points(pair, &contact, from->at, from->depth, to->point_a, to->point_b);
        for (int k = 0; k < 3; k++) { // -0 becomes 0
            to->point_a[k] += 0.0;
            to->point_b[k] += 0.0;
        }
    }
}

// Called with both shapes placed, and their answer.
static void find(const grz_shape_pair *pair, const grz_shape_options *options, void *manifold)
{
    grz_shape_manifold *out = manifold;
    if (out->answer.relation == GRZ_SHAPES_TOUCHING || out->answer.relation == GRZ_SHAPES_PENETRATING)
        fill(pair, options->face_angle, out);
}

grz_status grz_shapes_manifold(grz_device *device, const grz_shape *a, const grz_shape *b,
                               const grz_shape_options *options, grz_shape_manifold *manifold, grz_error *error)
{
    grz_call call;
    grz_shape_options read;
    if (manifold == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "shape: the manifold is NULL");
    *manifold = (grz_shape_manifold){.answer = grz_shape_nothing};
    grz_status status = grz_shape_begin(&call, "shape", device, options, &read, error);
    if (status == GRZ_OK && !(read.face_angle >= 0.0 && read.face_angle <= 1.0))
        status = grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                          "shape: face_angle is %g, not between 0 and 1 radian", read.face_angle);
    read.depth = true;
    if (status == GRZ_OK)
        status = grz_shapes_compare_and(a, b, &read, &call.control, &manifold->answer, find, manifold, error);
    return grz_call_end(&call, status);
}
