// SPDX-License-Identifier: MIT
// The calls for a shape and a mesh: the mesh's tree is walked, the nearest nodes first, and the shape is compared with
// each triangle that may be near enough. A node's box is left out by its distance from the shape's box, or, where the
// boxes meet, by a plane that separates it from the shape itself.
#include <graze/shape.h>

#include <math.h>
#include <string.h>

#include "ask/shape/compare.h"
#include "ask/shape/shape_request.h"
#include "base/call.h"
#include "base/certainty.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/rounding.h"
#include "base/sort/sort.h"
#include "geometry/convex/exact_convex.h"
#include "geometry/pose.h"
#include "geometry/vector.h"
#include "inside/point_in_mesh.h"
#include "mesh/object_check.h"
#include "mesh/source.h"
#include "mesh/triangles.h"
#include "space/bvh/bvh.h"

enum {
    CHECK_BITS = 6,   // nodes between two checks of the control, as a power of two
    MOST_SAMPLES = 16 // points of a shape that are tried to find out on which side of the surface it is
};

typedef struct entry {
    uint32_t child;
    double lower; // no triangle below it is nearer, at the place
} entry;

typedef struct search {
    grz_object object; // its mesh is in memory
    const grz_bvh *bvh;
    grz_placed_shape shape;
    grz_place place;
    grz_box box; // of the shape, at the place
    grz_shape_options options;
    grz_call *call;
    size_t steps;
    bool lists; // wanted: all faces that are touched
    GRZ_ARRAY(uint32_t) faces;
    // Wanted: the nearest face. Lengths are those at the place, but the answer's.
    double upper; // of the distance, so far
    double lower; // of all triangles that were compared
    bool rounded; // all distances that were taken are rounded from the exact ones
    grz_shape_object_answer *answer;
} search;

static double smaller(double x, double y)
{
    return x < y ? x : y; // fmin() would be a call
}

static double larger(double x, double y)
{
    return x > y ? x : y;
}

// A world box at the place, rounded outward.
static grz_box box_at(const grz_place *place, const grz_box *world)
{
    grz_box out;
    for (int k = 0; k < 3; k++) {
        out.min[k] = nextafter((world->min[k] - place->origin[k]) * place->scale, -HUGE_VAL);
        out.max[k] = nextafter((world->max[k] - place->origin[k]) * place->scale, HUGE_VAL);
        // The difference itself is rounded: half a unit in its last place, which may be more than that of the product.
        const double slack = 0x1p-52 * larger(fabs(out.min[k]), fabs(out.max[k]));
        out.min[k] -= slack;
        out.max[k] += slack;
    }
    return out;
}

// No point of one box is nearer to the other. Rounded down.
static double between_boxes(const grz_box *a, const grz_box *b)
{
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        const double way = larger(larger(a->min[k] - b->max[k], b->min[k] - a->max[k]), 0.0);
        square += way * way;
    }
    return sqrt(square) * GRZ_LESS(32);
}

// The same for the shape itself and a box; ends early above `limit`.
static double to_box(const search *s, const grz_box *box, double limit)
{
    double corners[8][3], extent = 0.0;
    grz_convex_gap gap;
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 3; k++)
            corners[i][k] = i >> k & 1 ? box->max[k] : box->min[k];
        extent = larger(extent, sqrt(grz_dot(corners[i], corners[i])));
    }
    const grz_convex convex = {
        .form = GRZ_CONVEX_CORNERS, .count = 8, .corners = corners, .extent = extent * GRZ_MORE(8)};
    const double radius = s->shape.radius * s->place.scale * GRZ_MORE(4);
    grz_convex_measure_gap(&s->shape.convex, &convex, limit + radius, limit + radius, &gap);
    return larger(nextafter(gap.lower - radius, 0.0), 0.0);
}

static double to_child(const search *s, uint32_t node, int i, double limit)
{
    const grz_box local = grz_bvh_child_box(s->bvh, node, i), world = grz_world_box(&s->object.pose, &local),
                  box = box_at(&s->place, &world);
    const double lower = between_boxes(&s->box, &box);
    if (lower > limit || s->shape.convex.count == 1)
        return lower;
    return larger(lower, to_box(s, &box, limit));
}

static const int STRENGTH[] = {
    [GRZ_SHAPES_APART] = 0, [GRZ_SHAPES_TOUCHING] = 1, [GRZ_SHAPES_UNDECIDED] = 2, [GRZ_SHAPES_PENETRATING] = 3};

// Take a triangle that is apart, or a touch, into the answer.
static void take(search *s, const grz_shape_pair *pair, grz_shape_relation relation, uint32_t face)
{
    grz_shape_object_answer *answer = s->answer;
    const double lower = larger(nextafter(pair->gap.lower - pair->radius_high, -HUGE_VAL), 0.0),
                 upper = relation == GRZ_SHAPES_APART
                             ? larger(nextafter(pair->gap.upper - pair->radius_low, HUGE_VAL), 0.0)
                             : 0.0;
    if (relation == GRZ_SHAPES_APART && (lower > s->upper || answer->relation != GRZ_SHAPES_APART))
        return;
    grz_shape_answer found;
    const bool exactly = s->options.exact_distance && relation == GRZ_SHAPES_APART;
    s->lower = relation == GRZ_SHAPES_APART ? smaller(s->lower, lower) : 0.0;
    if (!exactly && !(upper < s->upper) && STRENGTH[relation] <= STRENGTH[answer->relation])
        return;
    grz_shapes_describe(pair, relation, exactly, false, &found);
    s->rounded = s->rounded && exactly && found.certainty == GRZ_EXACT;
    // The doubles around the least distance are the least of the doubles around all distances, and so are the nearest.
    if (exactly && answer->face != GRZ_NO_FACE) {
        const bool nearer =
            found.distance < answer->distance || (found.distance == answer->distance && face < answer->face);
        answer->lower = smaller(answer->lower, found.lower);
        answer->upper = smaller(answer->upper, found.upper);
        s->upper = smaller(s->upper, upper);
        if (!nearer)
            return;
    } else {
        answer->lower = found.lower;
        answer->upper = found.upper;
    }
    answer->relation = relation;
    answer->distance = found.distance;
    answer->face = face;
    memcpy(answer->point_shape, found.point_a, sizeof answer->point_shape);
    memcpy(answer->point_mesh, found.point_b, sizeof answer->point_mesh);
    s->upper = smaller(s->upper, upper);
}

// False: end.
static bool compare_triangle(search *s, uint32_t triangle)
{
    double corners[3][3];
    grz_placed_shape other;
    grz_shape_pair pair;
    grz_world_corners(s->object.mesh, &s->object.pose, triangle, corners);
    grz_placed_triangle((const double(*)[3])corners, &other);
    grz_convex_place(&other.convex, s->place.origin, s->place.scale);
    grz_shapes_join(&s->shape, &other, &s->place, &pair);
    const grz_shape_relation relation = grz_shapes_relate(&pair, s->lists ? 0.0 : s->upper, false);
    const uint32_t face = grz_mesh_triangle_face(s->object.mesh, triangle);
    if (!s->lists) {
        s->answer->compared++;
        take(s, &pair, relation, face);
        return relation != GRZ_SHAPES_PENETRATING;
    }
    if (relation == GRZ_SHAPES_APART)
        return true;
    if (!grz_array_add(grz_control_allocator(&s->call->control), &s->faces)) {
        grz_control_fail(&s->call->control, GRZ_ERROR_MEMORY);
        return false;
    }
    s->faces.items[s->faces.count - 1] = face;
    return true;
}

// Put the children of a node that may matter onto the stack, the nearest one last.
static size_t open_node(const search *s, uint32_t node, entry *stack, size_t depth)
{
    const size_t first = depth;
    const double limit = s->lists ? 0.0 : s->upper;
    for (int i = 0; i < GRZ_BVH_WIDTH; i++) {
        const uint32_t child = s->bvh->nodes[node].child[i];
        if (child == GRZ_BVH_NONE)
            break;
        const double lower = to_child(s, node, i, limit);
        if (lower > limit)
            continue;
        size_t at = depth++;
        for (; at > first && stack[at - 1].lower < lower; at--)
            stack[at] = stack[at - 1];
        stack[at] = (entry){child, lower};
    }
    return depth;
}

static void walk(search *s)
{
    entry stack[GRZ_BVH_STACK];
    size_t depth = 0;
    stack[depth++] = (entry){0, 0.0};
    while (depth > 0) {
        const entry next = stack[--depth];
        if (next.lower > (s->lists ? 0.0 : s->upper))
            continue;
        if (grz_control_expired_at(&s->call->control, s->steps++, CHECK_BITS))
            return;
        if (!grz_bvh_is_triangle(next.child))
            depth = open_node(s, next.child, stack, depth);
        else if (!compare_triangle(s, grz_bvh_triangle(next.child)))
            return;
    }
}

// Place the shape for all triangles of the mesh.
static grz_status place(search *s, grz_error *error)
{
    double min[3], max[3];
    grz_placed_shape mesh = {.reach = 0.0};
    grz_status status = grz_object_bounds(&s->object, min, max, error);
    if (status != GRZ_OK)
        return status;
    for (int k = 0; k < 3; k++) {
        mesh.base[k] = min[k];
        mesh.reach += (max[k] - min[k]) * GRZ_MORE(8192);
    }
    if (!grz_shapes_choose_place(&s->shape, &mesh, &s->place))
        return grz_fail(
            error, GRZ_ERROR_UNSUPPORTED, 0,
            "shape: the direction of the shape, as posed, is too short: the numbers of its pose cancel out");
    grz_convex_place(&s->shape.convex, s->place.origin, s->place.scale);
    grz_shape_box_of(&s->shape, &s->place, &s->box);
    return GRZ_OK;
}

static grz_status prepare(search *s, const grz_shape *shape, const grz_object *object)
{
    grz_error *error = s->call->error;
    grz_status status = grz_object_check("shape", object, "the object", 1, error);
    if (status != GRZ_OK)
        return status;
    s->object = *object;
    status = grz_mesh_in_memory(object->mesh, &s->call->control, &s->object.mesh, error);
    if (status == GRZ_OK)
        status = grz_mesh_bvh(s->object.mesh, &s->call->control, &s->bvh, error);
    return status == GRZ_OK ? grz_placed_read("shape", shape, "the shape", 0, &s->call->control, &s->shape, error)
                            : status;
}

static grz_status search_all(search *s, grz_error *error)
{
    grz_status status = place(s, error);
    if (status != GRZ_OK)
        return status;
    if (s->bvh->triangle_count > 0)
        walk(s);
    status = grz_control_status(&s->call->control);
    return status == GRZ_OK ? GRZ_OK : grz_control_explain(&s->call->control, status, "shape", error);
}

// A point of the shape in the world, rounded, and how far at most that has moved it.
typedef struct sample {
    double point[3], error;
} sample;

// The error of a point at `local` after a pose that rounds. A mean of `count` corners has more roundings; `local` then
// bounds them all.
static double error_at(const grz_convex *c, const double local[3], uint32_t count)
{
    double size = 0.0;
    for (int k = 0; k < 3; k++) {
        size += fabs(c->pose.m[k][3]);
        for (int j = 0; j < 3; j++)
            size += fabs(c->pose.m[k][j] * local[j]);
    }
    // 32 roundings for the pose, and two for each corner of a mean, which is added and divided.
    return size * (0x1p-48 + 0x1p-52 * count) + GRZ_UNDERFLOWS;
}

// A point of the shape: its middle, if that is moved by the pose without a rounding; else a corner.
static sample first_sample(const grz_placed_shape *shape)
{
    const grz_convex *c = &shape->convex;
    const grz_pose identity = grz_pose_identity();
    sample out = {.error = 0.0};
    for (int k = 0; k < 3; k++)
        out.point[k] = shape->holds_origin ? c->pose.m[k][3] : shape->base[k];
    if (!shape->holds_origin && memcmp(&c->pose, &identity, sizeof identity) != 0)
        out.error = error_at(c, c->local[0], 1);
    return out;
}

// The mean of the corners: a point of the shape, too.
static sample mean_sample(const grz_convex *c)
{
    double mean[3] = {0.0, 0.0, 0.0}, most[3] = {0.0, 0.0, 0.0};
    sample out;
    for (uint32_t i = 0; i < c->count; i++)
        for (int k = 0; k < 3; k++) {
            mean[k] += c->local[i][k] / c->count;
            most[k] = larger(most[k], fabs(c->local[i][k]));
        }
    grz_world_position(&c->pose, mean, out.point);
    out.error = error_at(c, most, c->count);
    return out;
}

static sample corner_sample(const grz_convex *c, uint32_t i)
{
    sample out = {.error = error_at(c, c->local[i], 1)};
    grz_world_position(&c->pose, c->local[i], out.point);
    return out;
}

// Is the surface farther away from a sample than its error? Then the point that it stands for is on the same side.
static bool is_clear(const search *s, const sample *at)
{
    grz_shape_object_answer answer = {.relation = GRZ_SHAPES_APART, .upper = HUGE_VAL, .face = GRZ_NO_FACE};
    const grz_shape point = grz_shape_point(at->point);
    search of_sample = {.object = s->object,
                        .bvh = s->bvh,
                        .options = s->options,
                        .call = s->call,
                        .upper = HUGE_VAL,
                        .lower = HUGE_VAL,
                        .answer = &answer};
    of_sample.options.exact_distance = false;
    if (grz_placed_read("shape", &point, "the point", 0, &s->call->control, &of_sample.shape, NULL) != GRZ_OK ||
        search_all(&of_sample, NULL) != GRZ_OK || answer.relation != GRZ_SHAPES_APART)
        return false;
    return smaller(answer.lower, grz_place_length_low(&of_sample.place, of_sample.lower)) > at->error;
}

// Find a sample that tells on which side of the surface the shape is. False: there is none, or there was no time. If
// the shape nearly touches the surface with one corner, the mean or another corner is farther off.
static bool choose_sample(const search *s, sample *out)
{
    const grz_convex *c = &s->shape.convex;
    *out = first_sample(&s->shape);
    if (out->error == 0.0 || s->answer->lower + s->shape.radius > out->error || is_clear(s, out))
        return true;
    for (uint32_t i = 0; i < c->count && i < MOST_SAMPLES && !s->shape.endless; i++) {
        *out = i == 0 ? mean_sample(c) : corner_sample(c, i); // corner 0 has been tried
        if (is_clear(s, out))
            return true;
    }
    return false;
}

// Is the shape, which is apart from the surface, inside?
static grz_status locate(search *s, grz_error *error)
{
    sample at;
    grz_solid solid;
    if (!choose_sample(s, &at)) {
        const grz_status ended = grz_control_status(&s->call->control);
        return ended == GRZ_OK ? GRZ_OK : grz_control_explain(&s->call->control, ended, "shape", error);
    }
    grz_status status = grz_solid_init(&solid, &s->object, GRZ_EVEN_ODD, &s->call->control, error);
    if (status == GRZ_OK && solid.fault != GRZ_FAULT_NONE)
        status = grz_solid_tighten(&solid, &s->call->control, error);
    grz_probe probe = {.solid = &solid, .control = &s->call->control};
    if (status == GRZ_OK && !grz_probe_point(&probe, at.point, false, &s->answer->location))
        status = grz_control_explain(&s->call->control, grz_control_status(&s->call->control), "shape", error);
    return status;
}

// Of a relation that is known: what touches the surface has the distance 0.
static grz_certainty certainty_of(const search *s)
{
    const grz_shape_object_answer *answer = s->answer;
    if (answer->relation == GRZ_SHAPES_UNDECIDED)
        return GRZ_UNDECIDED;
    if (answer->relation != GRZ_SHAPES_APART)
        return GRZ_EXACT;
    return s->rounded ? grz_certainty_of_bounds(answer->lower, answer->upper)
                      : grz_certainty_of_estimate(answer->lower, answer->upper);
}

static grz_status compare(search *s, const grz_shape *shape, const grz_object *object)
{
    grz_error *error = s->call->error;
    grz_status status = prepare(s, shape, object);
    if (status != GRZ_OK)
        return status;
    s->upper = s->lower = HUGE_VAL;
    s->rounded = true;
    s->answer->relation = GRZ_SHAPES_APART;
    status = search_all(s, error);
    grz_shape_object_answer *answer = s->answer;
    if (status == GRZ_OK && answer->relation == GRZ_SHAPES_APART && answer->face != GRZ_NO_FACE) {
        // Another triangle may be nearer than the one that was described, by less than the bounds tell.
        if (!s->options.exact_distance)
            answer->lower = smaller(answer->lower, grz_place_length_low(&s->place, s->lower));
        status = locate(s, error);
    }
    answer->certainty = certainty_of(s);
    grz_placed_finish(&s->shape, &s->call->control);
    return status;
}

grz_status grz_shape_compare_object(grz_device *device, const grz_shape *shape, const grz_object *object,
                                    const grz_shape_options *options, grz_shape_object_answer *answer, grz_error *error)
{
    static const grz_shape_object_answer nothing = {.relation = GRZ_SHAPES_UNDECIDED,
                                                    .location = GRZ_LOCATION_UNKNOWN,
                                                    .certainty = GRZ_UNDECIDED,
                                                    .distance = HUGE_VAL,
                                                    .upper = HUGE_VAL,
                                                    .face = GRZ_NO_FACE};
    if (answer == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "shape: the answer is NULL");
    *answer = nothing;
    grz_call call;
    search s = {.call = &call, .answer = answer};
    grz_status status = grz_shape_begin(&call, "shape", device, options, &s.options, error);
    if (status == GRZ_OK)
        status = compare(&s, shape, object);
    if (status != GRZ_OK)
        *answer = nothing;
    return grz_call_end(&call, status);
}

static int compare_numbers(const void *left, const void *right, void *context)
{
    const uint32_t *x = left, *y = right;
    (void)context;
    return (*x > *y) - (*x < *y);
}

static grz_status list(search *s, const grz_shape *shape, const grz_object *object, uint32_t *faces, uint64_t capacity,
                       uint64_t *found)
{
    grz_error *error = s->call->error;
    grz_status status = prepare(s, shape, object);
    if (status != GRZ_OK)
        return status;
    s->lists = true;
    status = search_all(s, error);
    if (status == GRZ_OK && s->faces.count > 0) {
        status =
            grz_sort(s->faces.items, s->faces.count, sizeof *s->faces.items, compare_numbers, NULL, &s->call->control);
        if (status != GRZ_OK)
            grz_control_explain(&s->call->control, status, "the list of faces", error);
    }
    if (status == GRZ_OK) {
        for (size_t i = 0; i < s->faces.count; i++) {
            if (i > 0 && s->faces.items[i] == s->faces.items[i - 1])
                continue;
            if (*found < capacity)
                faces[*found] = s->faces.items[i];
            ++*found;
        }
    }
    grz_array_finish(grz_control_allocator(&s->call->control), &s->faces);
    grz_placed_finish(&s->shape, &s->call->control);
    return status;
}

grz_status grz_shape_faces(grz_device *device, const grz_shape *shape, const grz_object *object,
                           const grz_shape_options *options, uint32_t *faces, uint64_t capacity, uint64_t *found,
                           grz_error *error)
{
    if (found == NULL || (capacity > 0 && faces == NULL))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "shape: the %s NULL",
                        found == NULL ? "number of faces is" : "faces are");
    *found = 0;
    grz_call call;
    search s = {.call = &call, .lists = true};
    grz_status status = grz_shape_begin(&call, "shape", device, options, &s.options, error);
    if (status == GRZ_OK)
        status = list(&s, shape, object, faces, capacity, found);
    return grz_call_end(&call, status);
}
