// SPDX-License-Identifier: MIT
// Locates points (grz_locate()). A few points are located one by one (inside/point_in_mesh.h). Many points are
// processed in blocks, on all threads. The points of a block are sorted along a Morton curve, and neighbours get one
// common answer if no triangle overlaps their box. The others are located one by one, in that order, which makes good
// use of the cache.
#include <graze/locate.h>

#include <math.h>

#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/sort/number_sort.h"
#include "base/options.h"
#include "geometry/pose.h"
#include "inside/point_in_mesh.h"
#include "mesh/object_check.h"
#include "mesh/source.h"

enum {
    FEW = 64, // so many points or fewer are located one by one, in the given order
    MIN_BLOCK = 512,
    MAX_BLOCK = 1 << 16, // a point's number in its block has 16 bits
    BLOCKS_PER_THREAD = 4,
    GROUP_BITS = 8,
    GROUP = 1 << GROUP_BITS, // neighbours on the curve that are first tried together
    SMALL_GROUP = 6,         // fewer points are faster to locate one by one than together
};

typedef struct grz_locator {
    grz_solid solid;
    grz_call call;
    const double *points;
    uint64_t count;
    grz_location *locations;
    size_t block_size;
} grz_locator;

static const grz_locate_options defaults = {.size = sizeof(grz_locate_options), .inside_rule = GRZ_EVEN_ODD};
static const grz_options_type options_type = GRZ_LIMITED_OPTIONS_TYPE(locate_options, defaults);

void grz_locate_options_init(grz_locate_options *options, size_t size)
{
    grz_options_init(&options_type, options, size);
}

static grz_status check_options(const grz_locate_options *options, grz_error *error)
{
    if ((unsigned)options->inside_rule > GRZ_INSIDE_AUTO)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "locate: options.inside_rule is %d",
                        (int)options->inside_rule);
    return GRZ_OK;
}

// A block of points, one task.
typedef struct grz_block {
    const grz_locator *locator;
    grz_probe probe;
    uint64_t first;  // its first point
    uint64_t *order; // the points in the solid's box, sorted: Morton code << 16 | the point's number in the block
} grz_block;

// Spread the low 16 bits: bit i moves to bit 3i.
static uint64_t spread_bits(uint64_t x)
{
    x = (x | x << 16) & UINT64_C(0x0000ff0000ff);
    x = (x | x << 8) & UINT64_C(0x00f00f00f00f);
    x = (x | x << 4) & UINT64_C(0x0c30c30c30c3);
    return (x | x << 2) & UINT64_C(0x249249249249);
}

// A point's Morton code (G. M. Morton, 1966) in 48 bits. Only used for sorting, so rounding does not matter.
static uint64_t place_key(const grz_box *box, const double point[3])
{
    uint64_t key = 0;
    for (int axis = 0; axis < 3; axis++) {
        // NaN if the box is flat.
        const double share = (point[axis] - box->min[axis]) / (box->max[axis] - box->min[axis]);
        key |= spread_bits(share > 0.0 ? (uint64_t)(share < 1.0 ? share * 65535.0 : 65535.0) : 0) << axis;
    }
    return key;
}

static const double *point_of(const grz_block *block, uint64_t item)
{
    return block->locator->points + 3 * (block->first + (item & 0xffff));
}

static bool locate_one(grz_block *block, uint64_t item)
{
    return grz_probe_point(&block->probe, point_of(block, item), false,
                           &block->locator->locations[block->first + (item & 0xffff)]);
}

// Locate one point, and give all the others the same answer.
static bool locate_as_one(grz_block *block, const uint64_t *items, size_t count)
{
    grz_location location;
    if (!grz_probe_point(&block->probe, point_of(block, items[0]), true, &location))
        return false;
    for (size_t i = 0; i < count; i++)
        block->locator->locations[block->first + (items[i] & 0xffff)] = location;
    return true;
}

static bool is_clear(grz_block *block, const uint64_t *items, size_t count, uint32_t *entry)
{
    grz_box box = grz_box_empty();
    for (size_t i = 0; i < count; i++)
        grz_box_add_point(&box, point_of(block, items[i]));
    return grz_probe_clear(&block->probe, &box, entry);
}

// Locate neighbours on the curve. The group is halved until no triangle overlaps the box of a part. False: the control
// says to end.
static bool locate_group(grz_block *block, const uint64_t *items, size_t count)
{
    struct {
        size_t first, count;
        uint32_t entry;
    } stack[GROUP_BITS + 2];
    size_t depth = 1;
    stack[0].first = 0;
    stack[0].count = count;
    stack[0].entry = 0;
    while (depth > 0) {
        const size_t first = stack[--depth].first, number = stack[depth].count, left = number / 2;
        uint32_t entry = stack[depth].entry;
        if (number >= SMALL_GROUP && is_clear(block, items + first, number, &entry)) {
            if (!locate_as_one(block, items + first, number))
                return false;
            continue;
        }
        if (number < (uint64_t)2 * SMALL_GROUP) {
            for (size_t i = 0; i < number; i++)
                if (!locate_one(block, items[first + i]))
                    return false;
            continue;
        }
        stack[depth].first = first;
        stack[depth].count = left;
        stack[depth++].entry = entry;
        stack[depth].first = first + left;
        stack[depth].count = number - left;
        stack[depth++].entry = entry;
    }
    return grz_control_status(block->probe.control) == GRZ_OK;
}

static void locate_block(size_t index, void *context)
{
    grz_locator *locator = context;
    const grz_allocator *allocator = grz_control_allocator(&locator->call.control);
    grz_block block = {.locator = locator, .probe = {.solid = &locator->solid, .control = &locator->call.control}};
    block.first = (uint64_t)index * locator->block_size;
    const uint64_t left = locator->count - block.first;
    const size_t size = left < locator->block_size ? (size_t)left : locator->block_size;
    size_t count = 0;
    if (grz_control_expired(&locator->call.control))
        return;
    block.order = grz_allocate(allocator, 2 * size, sizeof *block.order);
    if (block.order == NULL) {
        grz_control_fail(&locator->call.control, GRZ_ERROR_MEMORY);
        return;
    }
    for (size_t i = 0; i < size; i++) {
        const double *point = locator->points + 3 * (block.first + i);
        if (grz_box_contains(&locator->solid.box, point))
            block.order[count++] = place_key(&locator->solid.box, point) << 16 | i;
        else
            locator->locations[block.first + i] = GRZ_OUTSIDE;
    }
    bool going = grz_sort_numbers(block.order, block.order + size, count, &locator->call.control);
    for (size_t i = 0; i < count && going; i += GROUP)
        going = locate_group(&block, block.order + i, count - i < GROUP ? count - i : GROUP);
    grz_release(allocator, block.order, 2 * size, sizeof *block.order);
}

static grz_status locate_few(grz_locator *locator)
{
    grz_probe probe = {.solid = &locator->solid, .control = &locator->call.control};
    for (uint64_t i = 0; i < locator->count; i++)
        if (!grz_probe_point(&probe, locator->points + 3 * i, false, &locator->locations[i]))
            break;
    return grz_control_status(&locator->call.control);
}

static grz_status locate_many(grz_locator *locator)
{
    grz_device *device = locator->call.device;
    const uint64_t share = locator->count / (BLOCKS_PER_THREAD * (uint64_t)grz_device_threads(device));
    locator->block_size = share < MIN_BLOCK ? MIN_BLOCK : share > MAX_BLOCK ? MAX_BLOCK : (size_t)share;
    grz_parallel(device, (size_t)((locator->count - 1) / locator->block_size + 1), locate_block, locator);
    return grz_control_status(&locator->call.control);
}

static grz_status locate(grz_locator *locator, const grz_object *object, grz_inside_rule rule)
{
    grz_control *control = &locator->call.control;
    grz_error *error = locator->call.error;
    grz_status status = grz_points_check("locate", locator->points, locator->count, control, error);
    if (status == GRZ_OK)
        status = grz_solid_init(&locator->solid, object, rule, control, error);
    if (status == GRZ_OK && locator->solid.fault != GRZ_FAULT_NONE)
        status = grz_solid_tighten(&locator->solid, control, error);
    if (status != GRZ_OK)
        return status;
    status = locator->count <= FEW ? locate_few(locator) : locate_many(locator);
    return grz_call_explain(&locator->call, status);
}

static grz_status check_and_locate(grz_locator *locator, const grz_object *object, const grz_locate_options *options)
{
    grz_error *error = locator->call.error, inner = {.code = GRZ_OK};
    if (object == NULL || object->mesh == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "locate: the %s is NULL",
                        object == NULL ? "object" : "object's mesh");
    if (locator->count > 0 && (locator->points == NULL || locator->locations == NULL))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "locate: the %s are NULL",
                        locator->points == NULL ? "points" : "locations");
    grz_status status = check_options(options, error);
    if (status != GRZ_OK)
        return status;
    status = grz_pose_check(&object->pose, object->mesh->max_abs, &inner);
    if (status != GRZ_OK)
        return grz_fail(error, status, GRZ_NO_ELEMENT, "locate: %s", inner.message);
    if (locator->count == 0)
        return GRZ_OK;
    grz_object here = *object;
    status = grz_mesh_in_memory(object->mesh, &locator->call.control, &here.mesh, error);
    return status == GRZ_OK ? locate(locator, &here, options->inside_rule) : status;
}

grz_status grz_locate_points(grz_device *device, const grz_object *object, const double *points, uint64_t count,
                             const grz_locate_options *options, grz_location *locations, grz_error *error)
{
    grz_locate_options read;
    grz_locator locator = {.points = points, .count = count, .locations = locations};
    grz_status status = grz_call_begin(&locator.call, "locate", device, &options_type, options, &read, error);
    if (status == GRZ_OK)
        status = check_and_locate(&locator, object, &read);
    // Stopped threads leave some answers unwritten; no entry may look decided.
    for (uint64_t i = 0; status != GRZ_OK && locations != NULL && i < count; i++)
        locations[i] = GRZ_LOCATION_UNKNOWN;
    return grz_call_end(&locator.call, status);
}
