// SPDX-License-Identifier: MIT
// From a query's result to what a picture shows of it: the result's curves where it has any, else the outlines of its
// contacts; of a discrete answer without contacts the edges of its collision volumes.
#include "picture/picture_contents.h"

#include <assert.h>
#include <string.h>

#include "base/fail.h"
#include "geometry/pose.h"
#include "mesh/mesh.h"
#include "picture/canvas/palette.h"
#include "query/query.h"

// A range of the result's lists that belongs to one pair of objects.
typedef struct lists {
    uint64_t first_pair, pair_count, first_contact, contact_count, first_curve, curve_count;
} lists;

static size_t mark_words(const grz_mesh *mesh)
{
    return (size_t)mesh->triangle_count / 32 + 1;
}

static uint32_t first_triangle(const grz_mesh *mesh, uint32_t face)
{
    uint32_t low = 0, high = mesh->triangle_count;
    if (mesh->triangle_faces == NULL)
        return face;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (mesh->triangle_faces[middle] < face)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool mark_face(const grz_picture_contents *c, uint32_t object, uint32_t face)
{
    assert(object < c->count);
    grz_picture_object *shown = &c->shown[object];
    if (shown->object == NULL || face >= shown->object->mesh->face_count)
        return true;
    const grz_mesh *mesh = shown->object->mesh;
    if (shown->marks == NULL)
        shown->marks = grz_allocate_zeroed(c->allocator, mark_words(mesh), sizeof *shown->marks);
    if (shown->marks == NULL)
        return false;
    for (uint32_t t = first_triangle(mesh, face); t < mesh->triangle_count && grz_mesh_triangle_face(mesh, t) == face;
         t++)
        shown->marks[t / 32] |= UINT32_C(1) << t % 32;
    return true;
}

static bool mark_pairs(const grz_picture_contents *c, const grz_picture_site *site, const lists *l)
{
    for (uint64_t i = l->first_pair; i < l->first_pair + l->pair_count && i < c->result->pairs.count; i++) {
        const grz_pair *pair = &c->result->pairs.items[i];
        if (!mark_face(c, site->a, pair->face_a) || !mark_face(c, site->b, pair->face_b))
            return false;
    }
    return true;
}

// An object that holds another, or a part of another, is drawn as glass.
static void make_glass(const grz_picture_contents *c, grz_relation relation, uint32_t a, uint32_t b)
{
    if (relation == GRZ_A_INSIDE_B || relation == GRZ_OVERLAPPING)
        c->shown[b].glass = true;
    if (relation == GRZ_B_INSIDE_A)
        c->shown[a].glass = true;
}

static bool add_end(grz_picture_contents *c, const double at[3])
{
    if (!grz_array_add(c->allocator, &c->ends))
        return false;
    memcpy(c->ends.items[c->ends.count - 1].at, at, sizeof c->ends.items->at);
    return true;
}

static bool add_segment(grz_picture_contents *c, const grz_point *from, const grz_point *to)
{
    return add_end(c, from->at) && add_end(c, to->at);
}

static bool add_dot(grz_picture_contents *c, const grz_point *point)
{
    if (!grz_array_add(c->allocator, &c->dots))
        return false;
    memcpy(c->dots.items[c->dots.count - 1].at, point->at, sizeof c->dots.items->at);
    return true;
}

static bool add_curves(grz_picture_contents *c, const lists *l)
{
    const grz_result *result = c->result;
    for (uint64_t i = l->first_curve; i < l->first_curve + l->curve_count && i < result->curves.count; i++) {
        const grz_curve *curve = &result->curves.items[i];
        assert(curve->first_point + curve->point_count <= result->curve_points.count);
        const grz_point *points = result->curve_points.items + curve->first_point;
        if (curve->point_count == 1 && !add_dot(c, points))
            return false;
        for (uint64_t j = 0; j + 1 < curve->point_count; j++)
            if (!add_segment(c, &points[j], &points[j + 1]))
                return false;
    }
    return true;
}

// Points, segments and outlines of areas.
static bool add_contacts(grz_picture_contents *c, const lists *l)
{
    const grz_result *result = c->result;
    for (uint64_t i = l->first_contact; i < l->first_contact + l->contact_count && i < result->contacts.count; i++) {
        const grz_contact *contact = &result->contacts.items[i];
        assert(contact->point_count > 0 && contact->first_point + contact->point_count <= result->points.count);
        const grz_point *points = result->points.items + contact->first_point;
        const uint32_t sides = contact->point_count > 2 ? contact->point_count : contact->point_count - 1;
        if (contact->point_count == 1 && !add_dot(c, points))
            return false;
        for (uint32_t j = 0; j < sides; j++)
            if (!add_segment(c, &points[j], &points[j + 1 < contact->point_count ? j + 1 : 0]))
                return false;
    }
    return true;
}

// The twelve edges of each collision volume.
static bool add_volumes(grz_picture_contents *c)
{
    const grz_result *result = c->result;
    for (size_t i = 0; i < result->boxes.count; i++) {
        const grz_collision_box *v = &result->boxes.items[i];
        for (int edge = 0; edge < 12; edge++) {
            const int along = edge / 4, first = (along + 1) % 3, second = (along + 2) % 3;
            grz_point from, to;
            for (int j = 0; j < 3; j++) {
                from.at[j] = v->corner[j] + ((edge & 1) != 0 ? v->edge[first][j] : 0.0) +
                             ((edge & 2) != 0 ? v->edge[second][j] : 0.0);
                to.at[j] = from.at[j] + v->edge[along][j];
            }
            if (!add_segment(c, &from, &to))
                return false;
        }
    }
    return true;
}

// The distance of two points in the largest coordinate, which no scale makes overflow.
static double distance_of(const double a[3], const double b[3])
{
    return fmax(fmax(fabs(a[0] - b[0]), fabs(a[1] - b[1])), fabs(a[2] - b[2]));
}

static void nearest_of(const grz_picture_point *points, size_t count, const double to[3], double *best, double at[3])
{
    for (size_t i = 0; i < count; i++) {
        const double distance = distance_of(points[i].at, to);
        if (distance < *best) {
            *best = distance;
            memcpy(at, points[i].at, sizeof points[i].at);
        }
    }
}

static void middle_of(const grz_box *box, double at[3])
{
    for (int j = 0; j < 3; j++)
        at[j] = 0.5 * box->min[j] + 0.5 * box->max[j];
}

// Choose the site's point: the one of its contact that is nearest to the middle of the contact's box. Without contacts,
// the middle of what the objects' boxes have in common.
static void place_site(const grz_picture_contents *c, grz_picture_site *site)
{
    const grz_picture_point *ends = c->ends.items + site->first_end, *dots = c->dots.items + site->first_dot;
    grz_box box = grz_box_empty();
    for (size_t i = 0; i < site->end_count; i++)
        grz_box_add_point(&box, ends[i].at);
    for (size_t i = 0; i < site->dot_count; i++)
        grz_box_add_point(&box, dots[i].at);
    if (grz_box_is_empty(&box)) {
        const grz_object *a = c->shown[site->a].object, *b = c->shown[site->b].object;
        const grz_box box_a = grz_world_box(&a->pose, &a->mesh->bounds),
                      box_b = grz_world_box(&b->pose, &b->mesh->bounds);
        box = grz_box_intersection(&box_a, &box_b);
        middle_of(grz_box_is_empty(&box) ? &box_a : &box, site->at);
        return;
    }
    double middle[3], best = HUGE_VAL;
    middle_of(&box, middle);
    nearest_of(ends, site->end_count, middle, &best, site->at);
    nearest_of(dots, site->dot_count, middle, &best, site->at);
}

static bool is_here(const grz_picture_contents *c, uint32_t object)
{
    return object < c->count && c->shown[object].object != NULL;
}

static bool add_site(grz_picture_contents *c, uint32_t a, uint32_t b, uint64_t pair_count, const lists *l)
{
    grz_picture_site site = {
        .a = a, .b = b, .pair_count = pair_count, .first_end = c->ends.count, .first_dot = c->dots.count};
    assert(is_here(c, a) && is_here(c, b));
    if (!mark_pairs(c, &site, l) || !(c->result->curves.count > 0 ? add_curves : add_contacts)(c, l))
        return false;
    if (!c->is_scene && c->result->contacts.count == 0 && !add_volumes(c))
        return false;
    site.end_count = c->ends.count - site.first_end;
    site.dot_count = c->dots.count - site.first_dot;
    assert(site.end_count % 2 == 0); // two for each segment
    place_site(c, &site);
    c->shown[a].involved = c->shown[b].involved = true;
    if (!grz_array_add(c->allocator, &c->sites))
        return false;
    c->sites.items[c->sites.count - 1] = site;
    return true;
}

static bool read_scene(grz_picture_contents *c)
{
    for (size_t i = 0; i < c->result->scene_pairs.count; i++) {
        const grz_scene_pair *pair = &c->result->scene_pairs.items[i];
        const lists l = {pair->first_pair,    pair->pair_count,  pair->first_contact,
                         pair->contact_count, pair->first_curve, pair->curve_count};
        if (!is_here(c, pair->a) || !is_here(c, pair->b) || pair->relation == GRZ_APART)
            continue;
        make_glass(c, pair->relation, pair->a, pair->b);
        if (!add_site(c, pair->a, pair->b, pair->pair_count, &l))
            return false;
    }
    return true;
}

static bool box_holds(const grz_object *outer, const grz_object *inner)
{
    const grz_box a = grz_world_box(&outer->pose, &outer->mesh->bounds),
                  b = grz_world_box(&inner->pose, &inner->mesh->bounds);
    return grz_box_contains(&a, b.min) && grz_box_contains(&a, b.max);
}

// Two objects that are apart: one may still hide in the other, which is open or hollow.
static void show_hidden(const grz_picture_contents *c)
{
    const grz_object *a = c->shown[0].object, *b = c->shown[1].object;
    c->shown[0].glass = box_holds(a, b);
    c->shown[1].glass = !c->shown[0].glass && box_holds(b, a);
}

// The answer about two objects, or about one with itself.
static bool read_pair(grz_picture_contents *c)
{
    const grz_result *result = c->result;
    const uint32_t b = (uint32_t)c->count - 1;
    assert(c->count == 1 || c->count == 2);
    const lists all = {0, result->pairs.count, 0, result->contacts.count, 0, result->curves.count};
    if (!is_here(c, 0) || !is_here(c, b))
        return true;
    if (result->summary.relation == GRZ_APART) {
        if (b > 0)
            show_hidden(c);
        return true;
    }
    if (b > 0)
        make_glass(c, result->summary.relation, 0, b);
    return add_site(c, 0, b, result->summary.pair_count, &all);
}

// Copy the objects, with their meshes in memory.
static grz_status copy_objects(grz_picture_contents *c, const grz_object *objects, grz_control *control,
                               grz_error *error)
{
    grz_status status = GRZ_OK;
    c->objects = grz_allocate(c->allocator, c->count, sizeof *c->objects);
    c->shown = grz_allocate_zeroed(c->allocator, c->count, sizeof *c->shown);
    if (c->objects == NULL || c->shown == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "picture: out of memory");
    for (size_t i = 0; i < c->count && status == GRZ_OK; i++) {
        c->objects[i] = objects[i];
        if (objects[i].mesh == NULL)
            continue;
        status = grz_query_in_memory(&objects[i], control, &c->objects[i], error);
        c->shown[i].object = &c->objects[i];
    }
    return status;
}

static grz_color color_of(const uint8_t *bytes)
{
    return (grz_color){bytes[0], bytes[1], bytes[2]};
}

static void choose_colors(const grz_picture_contents *c, const grz_picture_options *options)
{
    for (size_t i = 0; i < c->count; i++) {
        grz_picture_object *shown = &c->shown[i];
        const bool given = options->colours != NULL;
        shown->color = given ? color_of(options->colours + 3 * i) : grz_palette_pale((uint32_t)i);
        shown->touch = given ? grz_palette_deeper(shown->color) : grz_palette_deep((uint32_t)i);
        if (options->touch_colours != NULL)
            shown->touch = color_of(options->touch_colours + 3 * i);
        shown->face_colours = options->face_colours != NULL ? options->face_colours[i] : NULL;
    }
}

grz_status grz_picture_contents_init(grz_picture_contents *contents, const grz_allocator *allocator,
                                     const grz_object *objects, size_t count, const grz_result *result,
                                     const grz_picture_options *options, grz_control *control, grz_error *error)
{
    *contents =
        (grz_picture_contents){.allocator = allocator, .result = result, .count = count, .region = grz_box_empty()};
    if (options->has_region) {
        grz_box_add_point(&contents->region, options->region_min);
        grz_box_add_point(&contents->region, options->region_max);
    }
    grz_status status = copy_objects(contents, objects, control, error);
    if (status == GRZ_OK)
        choose_colors(contents, options);
    if (status != GRZ_OK || result == NULL)
        return status;
    contents->is_scene = result->scene_pairs.count > 0 || count > 2;
    if (!(contents->is_scene ? read_scene(contents) : read_pair(contents)))
        status = grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "picture: out of memory");
    return status;
}

void grz_picture_contents_finish(grz_picture_contents *contents)
{
    for (size_t i = 0; contents->shown != NULL && i < contents->count; i++)
        if (contents->shown[i].marks != NULL)
            grz_release(contents->allocator, contents->shown[i].marks, mark_words(contents->shown[i].object->mesh),
                        sizeof(uint32_t));
    grz_release(contents->allocator, contents->shown, contents->count, sizeof *contents->shown);
    grz_release(contents->allocator, contents->objects, contents->count, sizeof *contents->objects);
    grz_array_finish(contents->allocator, &contents->ends);
    grz_array_finish(contents->allocator, &contents->dots);
    grz_array_finish(contents->allocator, &contents->sites);
}
