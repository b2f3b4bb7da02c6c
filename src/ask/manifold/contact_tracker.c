// SPDX-License-Identifier: MIT
// The calls of <graze/contact_tracker.h>. The contacts of a frame are sorted by their two objects, then by features: so
// those of before and now that may be the same stand in ranges side by side. Within a range equal features are paired,
// then what is left by distance (contact_match.h). All memory is taken before the tracker changes.
#include <graze/contact_tracker.h>

#include <math.h>
#include <string.h>

#include "ask/manifold/contact_match.h"
#include "base/call.h"
#include "base/fail.h"
#include "base/sort/number_sort.h"
#include "base/sort/sort.h"
#include "geometry/functions/functions.h"
#include "geometry/vector.h"

static const double LARGEST = 0x1p300;
static const double SAME_ANGLE = 0x1p-40; // of a cosine: what its rounding may be
static const double PI = 0x1.921fb54442d18p+1;

static const grz_contact_tracker_options defaults = {
    .size = sizeof(grz_contact_tracker_options), .match_distance = 0.0, .match_angle = 0x1.0c152382d7366p-1}; // pi/6
static const grz_options_type options_type = GRZ_LIMITED_OPTIONS_TYPE(contact_tracker_options, defaults);

void grz_contact_tracker_options_init(grz_contact_tracker_options *options, size_t size)
{
    grz_options_init(&options_type, options, size);
}

typedef struct contact_list {
    grz_known_contact *items;
    uint32_t count, room;
} contact_list;

struct grz_contact_tracker {
    grz_device *device;
    const grz_allocator *allocator;
    contact_list last; // sorted
    uint64_t given;    // ids so far
    uint64_t *ended;
    uint64_t ended_count, ended_room;
};

grz_status grz_contact_tracker_create(grz_device *device, grz_contact_tracker **tracker, grz_error *error)
{
    if (tracker != NULL)
        *tracker = NULL;
    if (device == NULL || tracker == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "contact tracker: the %s is NULL",
                        device == NULL ? "device" : "tracker");
    const grz_allocator *allocator = grz_device_allocator(device);
    grz_contact_tracker *created = grz_allocate_zeroed(allocator, 1, sizeof *created);
    if (created == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "contact tracker: out of memory");
    created->device = device;
    created->allocator = allocator;
    grz_device_retain(device);
    *tracker = created;
    return GRZ_OK;
}

static void release_list(const grz_allocator *allocator, contact_list *list)
{
    grz_release(allocator, list->items, list->room, sizeof *list->items);
    *list = (contact_list){.items = NULL};
}

void grz_contact_tracker_destroy(grz_contact_tracker *tracker)
{
    if (tracker == NULL)
        return;
    grz_device *device = tracker->device;
    release_list(tracker->allocator, &tracker->last);
    grz_release(tracker->allocator, tracker->ended, tracker->ended_room, sizeof *tracker->ended);
    grz_release(tracker->allocator, tracker, 1, sizeof *tracker);
    grz_device_release(device);
}

const uint64_t *grz_contact_tracker_ended(const grz_contact_tracker *tracker, uint64_t *count)
{
    if (count != NULL)
        *count = tracker != NULL ? tracker->ended_count : 0;
    return tracker != NULL && tracker->ended_count > 0 ? tracker->ended : NULL;
}

// ---- Points of manifolds ------------------------------------------------------------------------------------------

uint32_t grz_contact_tracker_points(uint64_t object_a, uint64_t object_b, const grz_manifold_answer *manifold,
                                    grz_tracked_point *points)
{
    const uint32_t count = manifold != NULL && points != NULL ? manifold->count : 0;
    for (uint32_t i = 0; i < count; i++) {
        const grz_manifold_point *from = &manifold->points[i];
        points[i] = (grz_tracked_point){.object_a = object_a,
                                        .object_b = object_b,
                                        .feature_a = from->feature_a,
                                        .feature_b = from->feature_b,
                                        .face_a = from->face_a,
                                        .face_b = from->face_b};
        memcpy(points[i].position, from->position, sizeof points[i].position);
        memcpy(points[i].normal, from->normal, sizeof points[i].normal);
    }
    return count;
}

uint32_t grz_contact_tracker_shape_points(uint64_t object_a, uint64_t object_b, const grz_shape_manifold *manifold,
                                          grz_tracked_point *points)
{
    const uint32_t count = manifold != NULL && points != NULL ? manifold->count : 0;
    for (uint32_t i = 0; i < count; i++) {
        const grz_shape_manifold_point *from = &manifold->points[i];
        points[i] = (grz_tracked_point){.object_a = object_a,
                                        .object_b = object_b,
                                        .feature_a = from->feature_a,
                                        .feature_b = from->feature_b,
                                        .face_a = GRZ_NO_VERTEX,
                                        .face_b = GRZ_NO_VERTEX};
        // Of shapes that touch, the direction is from A to B; of those that penetrate, where to move A.
        const double sign = manifold->answer.relation == GRZ_SHAPES_PENETRATING ? 1.0 : -1.0;
        for (int k = 0; k < 3; k++) {
            points[i].position[k] = 0.5 * from->point_a[k] + 0.5 * from->point_b[k];
            points[i].normal[k] = sign * manifold->answer.direction[k] + 0.0; // no -0
        }
    }
    return count;
}

// ---- Contacts in an order -----------------------------------------------------------------------------------------

static grz_half_contact half_of(uint64_t object, grz_feature feature, uint32_t face)
{
    const uint32_t v = feature.vertex[0], w = feature.vertex[1];
    grz_half_contact half = {.object = object, .part = {v < w ? v : w, v < w ? w : v, 0}};
    if (half.part[0] == GRZ_NO_VERTEX)
        half.part[2] = face;
    return half;
}

static int compare_parts(const grz_half_contact *x, const grz_half_contact *y)
{
    for (int i = 0; i < 3; i++)
        if (x->part[i] != y->part[i])
            return x->part[i] < y->part[i] ? -1 : 1;
    return 0;
}

static int compare_halves(const grz_half_contact *x, const grz_half_contact *y)
{
    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    return compare_parts(x, y);
}

static int compare_objects(const grz_known_contact *x, const grz_known_contact *y)
{
    for (int i = 0; i < 2; i++)
        if (x->halves[i].object != y->halves[i].object)
            return x->halves[i].object < y->halves[i].object ? -1 : 1;
    return 0;
}

static int compare_features(const grz_known_contact *x, const grz_known_contact *y)
{
    const int first = compare_parts(&x->halves[0], &y->halves[0]);
    return first != 0 ? first : compare_parts(&x->halves[1], &y->halves[1]);
}

static int compare_numbers(const double x[3], const double y[3])
{
    for (int k = 0; k < 3; k++)
        if (x[k] != y[k])
            return x[k] < y[k] ? -1 : 1;
    return 0;
}

// By objects, features, position, normal; contacts that are alike in all of them stay in the caller's order.
static int compare_contacts(const void *x, const void *y, void *context)
{
    const grz_known_contact *all = context, *a = &all[*(const uint32_t *)x], *b = &all[*(const uint32_t *)y];
    int order = compare_objects(a, b);
    order = order != 0 ? order : compare_features(a, b);
    order = order != 0 ? order : compare_numbers(a->at, b->at);
    return order != 0 ? order : compare_numbers(a->normal, b->normal);
}

static grz_status fail_point(grz_error *error, uint64_t i, const char *what)
{
    return grz_fail(error, GRZ_ERROR_ARGUMENT, i, "contact tracker: point %llu: %s", (unsigned long long)i, what);
}

static grz_status read_point(const grz_tracked_point *point, uint64_t i, grz_known_contact *out, grz_error *error)
{
    *out = (grz_known_contact){.index = i, .other = GRZ_NO_CONTACT};
    for (int k = 0; k < 3; k++) {
        if (!(fabs(point->position[k]) <= LARGEST))
            return fail_point(error, i, "the position is not finite, or beyond 2^300");
        if (!(fabs(point->normal[k]) <= LARGEST))
            return fail_point(error, i, "the normal is not finite, or beyond 2^300");
        out->at[k] = point->position[k] + 0.0; // no -0
        out->normal[k] = point->normal[k];
    }
    (void)grz_make_unit(out->normal);
    const grz_half_contact a = half_of(point->object_a, point->feature_a, point->face_a),
                           b = half_of(point->object_b, point->feature_b, point->face_b);
    const int order = compare_halves(&a, &b);
    const double zero[3] = {0.0, 0.0, 0.0};
    const bool turned = order > 0 || (order == 0 && compare_numbers(out->normal, zero) < 0);
    out->halves[turned] = a;
    out->halves[!turned] = b;
    for (int k = 0; k < 3; k++)
        out->normal[k] = (turned ? 0.0 - out->normal[k] : out->normal[k]) + 0.0;
    return GRZ_OK;
}

// Read the caller's points into `list`, sorted. There is room.
static grz_status read_points(const grz_tracked_point *points, grz_call *call, contact_list *list)
{
    grz_control *control = &call->control;
    const grz_allocator *allocator = grz_control_allocator(control);
    grz_known_contact *given = grz_allocate(allocator, list->count, sizeof *given);
    uint32_t *order = grz_allocate(allocator, list->count, sizeof *order);
    grz_status status = given != NULL && order != NULL ? GRZ_OK : GRZ_ERROR_MEMORY;
    for (uint32_t i = 0; i < list->count && status == GRZ_OK; i++) {
        order[i] = i;
        status = read_point(&points[i], i, &given[i], call->error);
        if (status == GRZ_OK && grz_control_expired_at(control, i, 12))
            status = grz_control_status(control);
    }
    if (status == GRZ_OK)
        status = grz_sort(order, list->count, sizeof *order, compare_contacts, given, control);
    for (uint32_t i = 0; i < list->count && status == GRZ_OK; i++)
        list->items[i] = given[order[i]];
    grz_release(allocator, given, list->count, sizeof *given);
    grz_release(allocator, order, list->count, sizeof *order);
    return status;
}

// ---- One frame after the other ------------------------------------------------------------------------------------

typedef int compare_two(const grz_known_contact *x, const grz_known_contact *y);

// The end of the contacts from `first` on that are alike.
static uint32_t end_of(const contact_list *list, uint32_t first, uint32_t end, compare_two *compare)
{
    uint32_t i = first;
    while (i < end && compare(&list->items[first], &list->items[i]) == 0)
        i++;
    return i;
}

typedef struct update {
    grz_contact_matching matching;
    contact_list *before, *now;
    uint32_t *left[2]; // room for the numbers of all contacts of before, and of now
} update;

typedef grz_status visit_two(update *u, grz_contact_range before, grz_contact_range now);

// Visit the ranges of contacts that are alike in both frames, of two that are sorted.
static grz_status visit_alike(update *u, grz_contact_range before, grz_contact_range now, compare_two *compare,
                              visit_two *visit)
{
    grz_status status = GRZ_OK;
    uint32_t i = before.first, j = now.first;
    while (i < before.end && j < now.end && status == GRZ_OK) {
        const int order = compare(&before.items[i], &now.items[j]);
        const uint32_t to = order <= 0 ? end_of(u->before, i, before.end, compare) : i,
                       end = order >= 0 ? end_of(u->now, j, now.end, compare) : j;
        grz_contact_range x = before, y = now;
        x.first = i;
        x.end = to;
        y.first = j;
        y.end = end;
        if (order == 0)
            status = visit(u, x, y);
        i = to;
        j = end;
    }
    return status;
}

static grz_status match_same_features(update *u, grz_contact_range before, grz_contact_range now)
{
    grz_contact_matching any = u->matching;
    any.any = true;
    return grz_contacts_match(&any, &before, &now);
}

static grz_status match_same_objects(update *u, grz_contact_range before, grz_contact_range now)
{
    const grz_status status = visit_alike(u, before, now, compare_features, match_same_features);
    return status == GRZ_OK ? grz_contacts_match(&u->matching, &before, &now) : status;
}

static grz_status match(update *u, grz_call *call, const grz_contact_tracker_options *options)
{
    const grz_allocator *allocator = grz_control_allocator(&call->control);
    const size_t old_room = (size_t)u->before->count + 1, new_room = (size_t)u->now->count + 1;
    u->matching = (grz_contact_matching){.most = options->match_distance,
                                         .cosine = grz_cosine(options->match_angle) - SAME_ANGLE,
                                         .chain = grz_allocate(allocator, old_room + new_room, sizeof(uint32_t)),
                                         .control = &call->control};
    u->left[0] = grz_allocate(allocator, old_room, sizeof(uint32_t));
    u->left[1] = grz_allocate(allocator, new_room, sizeof(uint32_t));
    grz_status status = GRZ_ERROR_MEMORY;
    for (uint32_t i = 0; i < u->before->count; i++)
        u->before->items[i].other = GRZ_NO_CONTACT;
    if (u->matching.chain != NULL && u->left[0] != NULL && u->left[1] != NULL) {
        const grz_contact_range before = {u->before->items, 0, u->before->count, u->left[0]},
                                now = {u->now->items, 0, u->now->count, u->left[1]};
        status = visit_alike(u, before, now, compare_objects, match_same_objects);
    }
    grz_release(allocator, u->matching.chain, old_room + new_room, sizeof(uint32_t));
    grz_release(allocator, u->left[0], old_room, sizeof(uint32_t));
    grz_release(allocator, u->left[1], new_room, sizeof(uint32_t));
    return status;
}

// The ids of the contacts that have no partner, ascending. False: the control says to end.
static bool list_ended(const contact_list *before, uint64_t *ended, uint64_t *spare, uint64_t *count,
                       grz_control *control)
{
    *count = 0;
    for (uint32_t i = 0; i < before->count; i++)
        if (before->items[i].other == GRZ_NO_CONTACT)
            ended[(*count)++] = before->items[i].id;
    return grz_sort_numbers(ended, spare, *count, control);
}

static void number_all(const contact_list *before, contact_list *now, uint64_t *given, grz_contact_id *ids)
{
    for (uint32_t i = 0; i < now->count; i++) {
        grz_known_contact *contact = &now->items[i];
        grz_contact_id *out = &ids[contact->index];
        *out = (grz_contact_id){.before = GRZ_NO_ELEMENT, .match = GRZ_CONTACT_NEW};
        if (contact->other != GRZ_NO_CONTACT) {
            const grz_known_contact *from = &before->items[contact->other];
            contact->id = from->id;
            contact->age = from->age < UINT32_MAX ? from->age + 1 : from->age;
            out->before = from->index;
            out->match = compare_features(from, contact) == 0 ? GRZ_CONTACT_FEATURES : GRZ_CONTACT_NEAREST;
        } else {
            contact->id = ++*given;
        }
        out->id = contact->id;
        out->age = contact->age;
    }
}

static grz_status run(grz_contact_tracker *t, const grz_tracked_point *points,
                      const grz_contact_tracker_options *options, grz_call *call, contact_list *now,
                      grz_contact_id *ids)
{
    const grz_allocator *allocator = grz_control_allocator(&call->control);
    const size_t room = (size_t)t->last.count + 1;
    update u = {.before = &t->last, .now = now};
    uint64_t count = 0, *ended = grz_allocate(allocator, room, sizeof *ended),
             *spare = grz_allocate(allocator, room, sizeof *spare);
    grz_status status = ended != NULL && spare != NULL ? GRZ_OK : GRZ_ERROR_MEMORY;
    if (status == GRZ_OK && now->count > 0)
        status = read_points(points, call, now);
    if (status == GRZ_OK)
        status = match(&u, call, options);
    if (status == GRZ_OK && !list_ended(&t->last, ended, spare, &count, &call->control))
        status = grz_control_status(&call->control);
    if (status == GRZ_OK) {
        number_all(&t->last, now, &t->given, ids);
        grz_release(t->allocator, t->ended, t->ended_room, sizeof *t->ended);
        t->ended = ended;
        t->ended_count = count;
        t->ended_room = room;
        ended = NULL;
    }
    grz_release(allocator, ended, room, sizeof *ended);
    grz_release(allocator, spare, room, sizeof *spare);
    return status;
}

static grz_status check(const grz_tracked_point *points, uint64_t point_count,
                        const grz_contact_tracker_options *options, const grz_contact_id *ids, grz_error *error)
{
    if (point_count > 0 && (points == NULL || ids == NULL))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "contact tracker: %s is NULL",
                        points == NULL ? "points" : "ids");
    if (point_count >= UINT32_MAX)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "contact tracker: more than 2^32 - 2 points");
    if (!(options->match_distance >= 0.0))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "contact tracker: options.match_distance is %g, must be 0 or above", options->match_distance);
    if (!(options->match_angle >= 0.0 && options->match_angle <= PI))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "contact tracker: options.match_angle is %g, not between 0 and pi", options->match_angle);
    return GRZ_OK;
}

grz_status grz_contact_tracker_update(grz_contact_tracker *tracker, const grz_tracked_point *points,
                                      uint64_t point_count, const grz_contact_tracker_options *options,
                                      grz_contact_id *ids, grz_error *error)
{
    grz_call call;
    grz_contact_tracker_options read;
    if (tracker == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "contact tracker: the tracker is NULL");
    grz_status status = grz_call_begin(&call, "contact tracker", tracker->device, &options_type, options, &read, error);
    if (status == GRZ_OK)
        status = check(points, point_count, &read, ids, error);
    if (status != GRZ_OK)
        return grz_call_end(&call, status);
    const grz_allocator *allocator = grz_control_allocator(&call.control);
    contact_list now = {.count = (uint32_t)point_count, .room = (uint32_t)point_count + 1};
    now.items = grz_allocate(allocator, now.room, sizeof *now.items);
    status = now.items != NULL ? run(tracker, points, &read, &call, &now, ids) : GRZ_ERROR_MEMORY;
    if (status == GRZ_OK) {
        release_list(tracker->allocator, &tracker->last);
        tracker->last = now;
    } else {
        release_list(allocator, &now);
    }
    return grz_call_end(&call, grz_call_explain(&call, status));
}
