// SPDX-License-Identifier: MIT
// Contacts with nearly one normal make a group, a patch of points. Polygons count more than segments, segments more
// than points: a segment or point whose points are all in the patch of a stronger group says nothing new, and its own
// normal may be wrong, as where the sides of two stacked boxes are flush. Groups of segments or points that are at the
// same place become one: if one of the bodies is flat there, its face has the normal, else it is their mean. Groups are
// taken in an order that depends on the geometry only.
#include "ask/touching/touching.h"

#include <math.h>
#include <string.h>

#include "ask/touching/patch.h"
#include "base/control.h"
#include "base/sort/sort.h"
#include "geometry/exact/powers.h"
#include "geometry/triangle/normal.h"
#include "geometry/vector.h"
#include "mesh/triangles.h"
#include "result/result.h"

enum {
    MOST_GROUPS = 64 // normals that are told apart; contacts of others are left out
};

static const double SAME_NORMAL = 1.0 - 0x1p-40; // the cosine: an angle of 2^-20

typedef struct touch {
    double normal[3], size; // size: area or length, of points times 2^shift
    const grz_contact *contact;
    const double *points;
} touch;

// Whether all faces of a body that take part in a group have one normal.
typedef struct flat_side {
    bool any, flat;
    double normal[3];
} flat_side;

typedef struct group {
    double normal[3], weight;
    flat_side sides[2]; // A, B
    uint32_t strength;  // 1: points, 2: segments, 3: polygons
    grz_patch patch;
    uint32_t *hull;
    bool joined;  // to another
    bool is_mean; // its normal is one between those of several groups
    uint32_t corners;
    size_t room; // of the hull
} group;

typedef struct grouping {
    const grz_result *result;
    const grz_object *objects[2];
    grz_control *control;
    touch *touches;
    size_t count;
    group *groups;
    uint32_t group_count;
    int shift; // of all patches
} grouping;

static uint32_t strength_of(const grz_contact *contact)
{
    return contact->point_count < 3 ? contact->point_count : 3;
}

// The length of a segment, the area of a polygon, of points times 2^shift.
static double size_of(const double *points, uint32_t count, int shift)
{
    double sum[3] = {0.0, 0.0, 0.0};
    for (uint32_t i = 1; i < count; i++) {
        double u[3], v[3], n[3];
        for (int k = 0; k < 3; k++) {
            u[k] = grz_times_power(points[3 * i + (uint32_t)k] - points[k], shift);
            v[k] = i + 1 < count ? grz_times_power(points[3 * (i + 1) + (uint32_t)k] - points[k], shift) : 0.0;
        }
        grz_cross(u, v, n);
        for (int k = 0; k < 3; k++)
            sum[k] += count == 2 ? u[k] : 0.5 * n[k];
    }
    return sqrt(grz_dot(sum, sum));
}

static int compare_numbers(const double *a, const double *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

// The strongest first. Equal ones are sorted by normals and points, so the order of faces in a mesh does not matter.
static int compare_touches(const void *x, const void *y, void *context)
{
    const touch *a = x, *b = y;
    const uint32_t s = strength_of(a->contact), t = strength_of(b->contact);
    (void)context;
    if (s != t)
        return s > t ? -1 : 1;
    int order = compare_numbers(a->normal, b->normal, 3);
    if (order == 0 && a->contact->point_count != b->contact->point_count)
        order = a->contact->point_count < b->contact->point_count ? -1 : 1;
    return order != 0 ? order : compare_numbers(a->points, b->points, 3 * (size_t)a->contact->point_count);
}

static grz_status collect(grouping *g)
{
    uint64_t count, point_count;
    const grz_contact *contacts = grz_result_contacts(g->result, &count);
    const double *points = grz_result_points(g->result, &point_count);
    double most = 0.0;
    for (uint64_t i = 0; i < 3 * point_count; i++)
        most = fmax(most, fabs(points[i]));
    g->shift = grz_shift_to_one(most);
    const grz_allocator *allocator = grz_control_allocator(g->control);
    g->touches = grz_allocate(allocator, count, sizeof *g->touches);
    g->groups = grz_allocate_zeroed(allocator, MOST_GROUPS, sizeof *g->groups);
    if (g->touches == NULL || g->groups == NULL)
        return GRZ_ERROR_MEMORY;
    for (uint64_t i = 0; i < count; i++) {
        touch *t = &g->touches[i];
        memcpy(t->normal, contacts[i].normal, sizeof t->normal);
        t->contact = &contacts[i];
        t->points = points + 3 * contacts[i].first_point;
        t->size = size_of(t->points, contacts[i].point_count, g->shift);
    }
    g->count = count;
    return grz_sort(g->touches, g->count, sizeof *g->touches, compare_touches, NULL, g->control);
}

// The group of a contact; NULL: there is none, and no room.
static group *group_of(grouping *g, const touch *t)
{
    const uint32_t strength = strength_of(t->contact);
    for (uint32_t i = 0; i < g->group_count; i++)
        if (g->groups[i].strength == strength && grz_dot(g->groups[i].normal, t->normal) >= SAME_NORMAL)
            return &g->groups[i];
    if (g->group_count == MOST_GROUPS)
        return NULL;
    group *added = &g->groups[g->group_count++];
    added->strength = strength;
    added->patch.shift = g->shift;
    memcpy(added->normal, t->normal, sizeof added->normal);
    return added;
}

static void add_side(flat_side *side, const double normal[3])
{
    if (!side->any)
        memcpy(side->normal, normal, sizeof side->normal);
    side->flat = (!side->any || side->flat) && grz_dot(side->normal, normal) >= SAME_NORMAL;
    side->any = true;
}

static void add_sides(const grouping *g, group *to, const touch *t)
{
    const grz_found *found = &g->result->found.items[t->contact - g->result->contacts.items];
    for (int i = 0; i < 2; i++) {
        double c[3][3];
        grz_unit_normal normal;
        grz_world_corners(g->objects[i]->mesh, &g->objects[i]->pose, i == 0 ? found->triangle_a : found->triangle_b, c);
        grz_triangle_normal((const double(*)[3])c, &normal);
        if (!normal.direction.zero)
            add_side(&to->sides[i], normal.unit);
    }
}

static grz_status add_points(grouping *g, group *to, const touch *t)
{
    add_sides(g, to, t);
    uint64_t pairs;
    const grz_pair *pair = &grz_result_pairs(g->result, &pairs)[t->contact->pair];
    const grz_features *features = &grz_result_features(g->result, &pairs)[t->contact->first_point];
    for (uint32_t i = 0; i < t->contact->point_count; i++) {
        if (!grz_array_add(grz_control_allocator(g->control), &to->patch.points))
            return GRZ_ERROR_MEMORY;
        grz_patch_point *point = &to->patch.points.items[to->patch.points.count - 1];
        *point = (grz_patch_point){
            .face_a = pair->face_a, .face_b = pair->face_b, .feature_a = features[i].a, .feature_b = features[i].b};
        memcpy(point->at, t->points + 3 * (size_t)i, sizeof point->at);
    }
    to->weight += t->size;
    return GRZ_OK;
}

static grz_status form_groups(grouping *g)
{
    grz_status status = GRZ_OK;
    for (size_t i = 0; i < g->count && status == GRZ_OK; i++) {
        const touch *t = &g->touches[i];
        group *to = t->normal[0] == 0.0 && t->normal[1] == 0.0 && t->normal[2] == 0.0 ? NULL : group_of(g, t);
        if (to != NULL)
            status = add_points(g, to, t);
    }
    for (uint32_t i = 0; i < g->group_count && status == GRZ_OK; i++) {
        group *one = &g->groups[i];
        status = grz_patch_tidy(&one->patch, g->control);
        one->room = one->patch.points.count;
        one->hull =
            status == GRZ_OK ? grz_allocate(grz_control_allocator(g->control), one->room, sizeof *one->hull) : NULL;
        if (status == GRZ_OK && one->hull == NULL)
            status = GRZ_ERROR_MEMORY;
        if (status == GRZ_OK)
            status = grz_patch_hull(&one->patch, one->normal, g->control, one->hull, &one->corners);
    }
    return status;
}

// The stronger group first, then the larger one. Equal ones stay in the order of their normals.
static bool comes_before(const group *a, const group *b)
{
    return a->strength != b->strength ? a->strength > b->strength : a->weight > b->weight;
}

static void order_groups(grouping *g)
{
    for (uint32_t i = 1; i < g->group_count; i++)
        for (uint32_t j = i; j > 0 && comes_before(&g->groups[j], &g->groups[j - 1]); j--) {
            const group other = g->groups[j];
            g->groups[j] = g->groups[j - 1];
            g->groups[j - 1] = other;
        }
}

// True if the patch of `outer` holds all points of `inner`.
static bool all_in(const group *inner, const group *outer)
{
    for (size_t p = 0; p < inner->patch.points.count; p++)
        if (!grz_patch_holds(&outer->patch, outer->normal, outer->hull, outer->corners,
                             inner->patch.points.items[p].at))
            return false;
    return true;
}

static bool same_place(const group *a, const group *b)
{
    const group *pair[2] = {a, b};
    for (int i = 0; i < 2; i++)
        if (!all_in(pair[i], pair[1 - i]))
            return false;
    return true;
}

// What a group adds to a mean: points have no length, so that each of their normals counts the same.
static void add_normal(const group *one, double sum[3])
{
    for (int k = 0; k < 3; k++)
        sum[k] += (one->strength == 1 ? 1.0 : one->weight) * one->normal[k];
}

static void join_sides(group *to, const group *other)
{
    for (int i = 0; i < 2; i++) {
        if (!other->sides[i].any)
            continue;
        const bool flat = other->sides[i].flat;
        add_side(&to->sides[i], other->sides[i].normal);
        to->sides[i].flat = to->sides[i].flat && flat;
    }
}

// Groups of segments or points at the same place become one.
static void join(grouping *g)
{
    for (uint32_t i = 0; i < g->group_count; i++) {
        group *one = &g->groups[i];
        double sum[3] = {0.0, 0.0, 0.0};
        if (one->joined || one->strength == 3)
            continue;
        add_normal(one, sum);
        for (uint32_t j = i + 1; j < g->group_count; j++) {
            const group *other = &g->groups[j];
            if (other->strength != one->strength || other->joined ||
                one->patch.points.count != other->patch.points.count || !same_place(one, other))
                continue;
            add_normal(other, sum);
            join_sides(one, other);
            one->is_mean = g->groups[j].joined = true;
        }
        const flat_side *a = &one->sides[0], *b = &one->sides[1];
        one->is_mean = one->is_mean && !a->flat && !b->flat;
        for (int k = 0; k < 3 && (a->flat || b->flat); k++)
            sum[k] = b->flat ? b->normal[k] : 0.0 - a->normal[k];
        if (grz_make_unit(sum))
            memcpy(one->normal, sum, sizeof sum);
    }
}

static bool says_nothing_new(const grouping *g, const bool *taken, uint32_t number)
{
    for (uint32_t i = 0; i < number; i++)
        if (taken[i] && all_in(&g->groups[number], &g->groups[i]))
            return true;
    return false;
}

static grz_status take_points(const grouping *g, const group *one, uint32_t most, grz_manifold_answer *answer)
{
    uint32_t chosen[GRZ_PATCH_MOST], count;
    const grz_status status = grz_patch_choose(&one->patch, one->normal, most, g->control, chosen, &count);
    for (uint32_t i = 0; i < count && status == GRZ_OK && answer->count < GRZ_MANIFOLD_MAX_POINTS; i++) {
        const grz_patch_point *from = &one->patch.points.items[chosen[i]];
        grz_manifold_point *to = &answer->points[answer->count++];
        *to = (grz_manifold_point){
            .face_a = from->face_a, .face_b = from->face_b, .feature_a = from->feature_a, .feature_b = from->feature_b};
        memcpy(to->position, from->at, sizeof to->position);
        memcpy(to->normal, one->normal, sizeof to->normal);
    }
    return status;
}

static grz_status answer_groups(const grouping *g, uint32_t most, grz_manifold_answer *answer, bool *has_one_normal)
{
    bool taken[MOST_GROUPS];
    uint32_t normals = 0;
    grz_status status = GRZ_OK;
    for (uint32_t i = 0; i < g->group_count && status == GRZ_OK; i++) {
        taken[i] = !g->groups[i].joined && (g->groups[i].strength == 3 || !says_nothing_new(g, taken, i));
        normals += !taken[i] ? 0 : g->groups[i].is_mean ? 2 : 1;
        if (taken[i] && answer->count < GRZ_MANIFOLD_MAX_POINTS)
            status = take_points(g, &g->groups[i], most, answer);
    }
    *has_one_normal = normals == 1;
    return status;
}

grz_status grz_manifold_of_contacts(const grz_result *result, const grz_object *a, const grz_object *b, uint32_t most,
                                    grz_control *control, grz_manifold_answer *answer, bool *has_one_normal)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    grouping g = {.result = result, .objects = {a, b}, .control = control};
    uint64_t count;
    grz_result_contacts(result, &count);
    *has_one_normal = false;
    if (count == 0)
        return GRZ_OK;
    grz_status status = collect(&g);
    if (status == GRZ_OK)
        status = form_groups(&g);
    if (status == GRZ_OK) {
        order_groups(&g);
        join(&g);
        status = answer_groups(&g, most, answer, has_one_normal);
    }
    for (uint32_t i = 0; i < g.group_count; i++) {
        grz_array_finish(allocator, &g.groups[i].patch.points);
        grz_release(allocator, g.groups[i].hull, g.groups[i].room, sizeof *g.groups[i].hull);
    }
    grz_release(allocator, g.touches, count, sizeof *g.touches);
    grz_release(allocator, g.groups, MOST_GROUPS, sizeof *g.groups);
    return status;
}

bool grz_touching_is_exchanged(const grz_object *a, const grz_object *b)
{
    const grz_box box_a = grz_world_box(&a->pose, &a->mesh->bounds), box_b = grz_world_box(&b->pose, &b->mesh->bounds);
    for (int k = 0; k < 3; k++)
        if (box_a.min[k] != box_b.min[k])
            return box_b.min[k] < box_a.min[k];
    for (int k = 0; k < 3; k++)
        if (box_a.max[k] != box_b.max[k])
            return box_b.max[k] < box_a.max[k];
    return b->mesh->triangle_count < a->mesh->triangle_count;
}
