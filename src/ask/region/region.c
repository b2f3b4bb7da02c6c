// SPDX-License-Identifier: MIT
// grz_region_pick() and grz_region_pick_gl(): the tree, or a shader, proposes triangles; each is decided exactly; those
// of one face are joined. So the answer does not depend on who proposes.
#include <graze/region.h>

#include <math.h>

#include "ask/pick/pick_request.h"
#include "ask/pick/targets.h"
#include "ask/region/region_walk.h"
#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/sort/sort.h"
#include "geometry/region/region_triangle.h"
#include "gpu/picking/picking.h"
#include "mesh/object_check.h"
#include "mesh/source.h"
#include "mesh/triangles.h"

enum {
    CHECK_BITS = 6 // triangles between two looks at the control, as a power of two
};

typedef struct request {
    grz_call call;
    grz_target_list list;
    const grz_region *region;
    bool by_gl, all_triangles;
    grz_pick_options options;
    grz_triangle_list proposed; // of one object
    GRZ_ARRAY(grz_region_hit) found;
} request;

static grz_status check_region(const grz_region *region, grz_error *error)
{
    for (int i = 0; i < 4 * (GRZ_REGION_PLANES + 2); i++) {
        const double x =
            i < 4 * GRZ_REGION_PLANES ? region->planes[i / 4][i % 4] : region->depth[i / 4 - GRZ_REGION_PLANES][i % 4];
        if (!(fabs(x) <= GRZ_MAX_COORDINATE))
            return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                            "region: row %d of the %s has a number that is not finite, or larger than 2^300",
                            i < 4 * GRZ_REGION_PLANES ? i / 4 : i / 4 - GRZ_REGION_PLANES,
                            i < 4 * GRZ_REGION_PLANES ? "planes" : "depth");
    }
    return GRZ_OK;
}

static grz_status check_objects(const request *r, grz_error *error)
{
    grz_status status = GRZ_OK;
    for (uint32_t i = 0; i < r->list.count && status == GRZ_OK; i++) {
        if (r->list.objects[i].mesh == NULL)
            continue;
        if (r->by_gl && r->list.objects[i].mesh->device != r->call.device)
            return grz_fail(error, GRZ_ERROR_ARGUMENT, i, "region: the mesh of object %u is of another device", i);
        status = grz_object_check("region", &r->list.objects[i], "an object", i, error);
    }
    return status;
}

static grz_status check_options(request *r, grz_error *error)
{
    const grz_filter *filter;
    const grz_status status = grz_pick_method(&r->options, &filter, error);
    if (status != GRZ_OK)
        return status;
    r->all_triangles = grz_filter_can(filter, GRZ_IS_REFERENCE);
    if (filter->structure != NULL)
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                        "region: method %s cannot list what is in a region", filter->name);
    if (r->options.skip_front || r->options.skip_back)
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                        "region: options.%s cannot be chosen: a region is met from all sides",
                        r->options.skip_front ? "skip_front" : "skip_back");
    if (r->by_gl && grz_pick_names_a_method(&r->options))
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                        "region: options.method cannot be chosen: OpenGL proposes the faces");
    return GRZ_OK;
}

// ---- One object -----------------------------------------------------------------------------------------------------

// Decide a triangle of object number `number`, and list it if it meets the region. False if there is no memory.
static bool decide(request *r, const grz_object *object, uint32_t number, uint32_t triangle)
{
    grz_region_hit hit = {.object = number, .face = grz_mesh_triangle_face(object->mesh, triangle)};
    double c[3][3];
    grz_world_corners(object->mesh, &object->pose, triangle, c);
    if (!grz_region_meets(r->region, (const double(*)[3])c, &hit.depth_min, &hit.depth_max))
        return true;
    if (!grz_array_add(grz_control_allocator(&r->call.control), &r->found))
        return false;
    r->found.items[r->found.count - 1] = hit;
    return true;
}

// Fill in r->proposed. `here` is the object with its mesh in memory.
static grz_status propose(request *r, const grz_object *object, const grz_object *here, grz_error *error)
{
    const grz_bvh *bvh;
    r->proposed.count = 0;
    if (r->by_gl)
        return grz_region_propose(r->call.device, object, r->region, &r->call.control, &r->proposed, error);
    const grz_status status = grz_mesh_bvh(here->mesh, &r->call.control, &bvh, error);
    return status == GRZ_OK ? grz_region_walk(r->region, here, bvh, &r->call.control, &r->proposed) : status;
}

static grz_status look_at(request *r, uint32_t number, grz_error *error)
{
    const grz_object *object = &r->list.objects[number];
    if (object->mesh == NULL || (object->group & r->options.mask) == 0)
        return GRZ_OK;
    grz_object here = *object;
    grz_status status = grz_mesh_in_memory(object->mesh, &r->call.control, &here.mesh, error);
    if (status != GRZ_OK || here.mesh->triangle_count == 0)
        return status;
    if (!r->all_triangles)
        status = propose(r, object, &here, error);
    const size_t count = r->all_triangles ? here.mesh->triangle_count : r->proposed.count;
    for (size_t i = 0; i < count && status == GRZ_OK; i++) {
        if (grz_control_expired_at(&r->call.control, i, CHECK_BITS))
            status = grz_control_status(&r->call.control);
        else if (!decide(r, &here, number, r->all_triangles ? (uint32_t)i : r->proposed.items[i]))
            status = GRZ_ERROR_MEMORY;
    }
    return status;
}

// ---- The list -------------------------------------------------------------------------------------------------------

static int compare(const void *left, const void *right, void *context)
{
    const grz_region_hit *x = left, *y = right;
    (void)context;
    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    return (x->face > y->face) - (x->face < y->face);
}

// Join the triangles of each face; they are sorted.
static void join_faces(request *r)
{
    grz_region_hit *items = r->found.items;
    size_t kept = 0;
    for (size_t i = 0; i < r->found.count; i++) {
        if (kept == 0 || compare(&items[kept - 1], &items[i], NULL) != 0) {
            items[kept++] = items[i];
            continue;
        }
        grz_region_hit *face = &items[kept - 1];
        face->depth_min = items[i].depth_min < face->depth_min ? items[i].depth_min : face->depth_min;
        face->depth_max = items[i].depth_max > face->depth_max ? items[i].depth_max : face->depth_max;
    }
    r->found.count = kept;
}

static grz_status find(request *r, grz_error *error)
{
    grz_status status = check_objects(r, error);
    if (status != GRZ_OK)
        return status;
    if (r->by_gl && r->list.count == 0) // also then a device without OpenGL is refused
        status = grz_region_propose(r->call.device, NULL, r->region, &r->call.control, &r->proposed, error);
    for (uint32_t i = 0; i < r->list.count && status == GRZ_OK; i++)
        status = look_at(r, i, error);
    if (status == GRZ_OK)
        status = grz_sort(r->found.items, r->found.count, sizeof *r->found.items, compare, NULL, &r->call.control);
    if (status == GRZ_OK)
        join_faces(r);
    if (status == GRZ_ERROR_MEMORY || (status != GRZ_OK && status == grz_control_status(&r->call.control)))
        return grz_control_explain(&r->call.control, status, "region", error);
    return status;
}

static grz_status check_and_find(request *r, grz_targets targets, const grz_region_hit *hits, uint64_t capacity)
{
    grz_error *error = r->call.error;
    if (r->region == NULL || (capacity > 0 && hits == NULL))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "region: the %s NULL",
                        r->region == NULL ? "region is" : "hits are");
    grz_status status = check_region(r->region, error);
    if (status == GRZ_OK)
        status = grz_targets_read("region", r->call.device, targets, &r->list, error);
    if (status == GRZ_OK)
        status = check_options(r, error);
    return status == GRZ_OK ? find(r, error) : status;
}

static grz_status answer(request *r, grz_device *device, grz_targets targets, const grz_pick_options *options,
                         grz_region_hit *hits, uint64_t capacity, uint64_t *found, grz_error *error)
{
    if (found == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "region: the number of hits is NULL");
    *found = 0;
    grz_status status = grz_pick_begin(&r->call, "region", device, options, &r->options, error);
    if (status == GRZ_OK) {
        const grz_allocator *allocator = grz_control_allocator(&r->call.control);
        status = check_and_find(r, targets, hits, capacity);
        if (status == GRZ_OK) {
            *found = r->found.count;
            for (size_t i = 0; i < r->found.count && i < capacity; i++)
                hits[i] = r->found.items[i];
        }
        grz_array_finish(allocator, &r->found);
        grz_array_finish(allocator, &r->proposed);
    }
    return grz_call_end(&r->call, status);
}

grz_status grz_region_pick(grz_device *device, grz_targets targets, const grz_region *region,
                           const grz_pick_options *options, grz_region_hit *hits, uint64_t capacity, uint64_t *found,
                           grz_error *error)
{
    request r = {.region = region};
    return answer(&r, device, targets, options, hits, capacity, found, error);
}

grz_status grz_region_pick_gl(grz_device *device, grz_targets targets, const grz_region *region,
                              const grz_pick_options *options, grz_region_hit *hits, uint64_t capacity, uint64_t *found,
                              grz_error *error)
{
    request r = {.region = region, .by_gl = true};
    return answer(&r, device, targets, options, hits, capacity, found, error);
}
