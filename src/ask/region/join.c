// SPDX-License-Identifier: MIT
// Hits joined by hierarchical names, as the hit records of OpenGL's selection mode: hits of one object are next to each
// other; objects are sorted by their names, equal ones become one record, and records are sorted by depth.
#include <graze/region.h>

#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/sort/sort.h"

typedef GRZ_ARRAY(grz_region_record) record_list;

// -1, 0, 1: name after name; if one path begins with the other, the shorter is first.
static int compare_names(const grz_region_record *x, const grz_region_record *y)
{
    for (uint32_t i = 0; i < x->name_count && i < y->name_count; i++)
        if (x->names[i] != y->names[i])
            return x->names[i] < y->names[i] ? -1 : 1;
    return (x->name_count > y->name_count) - (x->name_count < y->name_count);
}

static int compare_by_names(const void *left, const void *right, void *context)
{
    const grz_region_record *x = left, *y = right;
    const int order = compare_names(x, y);
    (void)context;
    return order != 0 ? order : (x->object > y->object) - (x->object < y->object);
}

static int compare_by_depth(const void *left, const void *right, void *context)
{
    const grz_region_record *x = left, *y = right;
    (void)context;
    if (x->depth_min != y->depth_min)
        return x->depth_min < y->depth_min ? -1 : 1;
    return compare_names(x, y);
}

// Add a record of other hits with the same names.
static void merge(grz_region_record *into, const grz_region_record *from)
{
    const bool before = from->object < into->object || (from->object == into->object && from->face < into->face);
    if (from->depth_min < into->depth_min || (from->depth_min == into->depth_min && before)) {
        into->depth_min = from->depth_min;
        into->object = from->object;
        into->face = from->face;
    }
    into->depth_max = from->depth_max > into->depth_max ? from->depth_max : into->depth_max;
    into->hit_count += from->hit_count;
}

static grz_status check(const grz_device *device, const grz_region_hit *hits, uint64_t hit_count,
                        const grz_name_path *paths, uint32_t object_count, const grz_region_record *records,
                        uint64_t most, grz_error *error)
{
    if (device == NULL || (hit_count > 0 && hits == NULL) || (object_count > 0 && paths == NULL) ||
        (most > 0 && records == NULL))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "region join: the %s NULL",
                        device == NULL                      ? "device is"
                        : hit_count > 0 && hits == NULL     ? "hits are"
                        : object_count > 0 && paths == NULL ? "paths are"
                                                            : "records are");
    for (uint32_t i = 0; i < object_count; i++)
        if (paths[i].count > 0 && paths[i].names == NULL)
            return grz_fail(error, GRZ_ERROR_ARGUMENT, i, "region join: path %u has %u names, but they are NULL", i,
                            paths[i].count);
    for (uint64_t i = 0; i < hit_count; i++)
        if (hits[i].object >= object_count)
            return grz_fail(error, GRZ_ERROR_ARGUMENT, i, "region join: hit %llu is of object %u, there are %u paths",
                            (unsigned long long)i, hits[i].object, object_count);
    return GRZ_OK;
}

// One record for each row of hits of one object. False if there is no memory.
static bool gather(const grz_allocator *allocator, const grz_region_hit *hits, uint64_t hit_count,
                   const grz_name_path *paths, uint32_t levels, record_list *list)
{
    for (uint64_t i = 0; i < hit_count; i++) {
        const grz_name_path *path = &paths[hits[i].object];
        const grz_region_record one = {.names = path->names,
                                       .name_count = path->count < levels ? path->count : levels,
                                       .object = hits[i].object,
                                       .face = hits[i].face,
                                       .depth_min = hits[i].depth_min,
                                       .depth_max = hits[i].depth_max,
                                       .hit_count = 1};
        if (i > 0 && hits[i - 1].object == hits[i].object) {
            merge(&list->items[list->count - 1], &one);
            continue;
        }
        if (!grz_array_add(allocator, list))
            return false;
        list->items[list->count - 1] = one;
    }
    return true;
}

// Records are sorted by names; make one of those with equal names.
static void join_names(record_list *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (kept > 0 && compare_names(&list->items[kept - 1], &list->items[i]) == 0)
            merge(&list->items[kept - 1], &list->items[i]);
        else
            list->items[kept++] = list->items[i];
    list->count = kept;
}

grz_status grz_region_join(grz_device *device, const grz_region_hit *hits, uint64_t hit_count,
                           const grz_name_path *paths, uint32_t object_count, uint32_t levels,
                           grz_region_record *records, uint64_t most, uint64_t *found, grz_error *error)
{
    record_list list = {.items = NULL};
    grz_call call;
    if (found == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "region join: the number of records is NULL");
    *found = 0;
    grz_status status = check(device, hits, hit_count, paths, object_count, records, most, error);
    if (status != GRZ_OK)
        return status;
    const grz_allocator *allocator = grz_device_allocator(device);
    status = grz_call_begin(&call, "region join", device, NULL, NULL, NULL, error);
    if (status == GRZ_OK && !gather(allocator, hits, hit_count, paths, levels, &list))
        status = GRZ_ERROR_MEMORY;
    if (status == GRZ_OK)
        status = grz_sort(list.items, list.count, sizeof *list.items, compare_by_names, NULL, &call.control);
    if (status == GRZ_OK) {
        join_names(&list);
        status = grz_sort(list.items, list.count, sizeof *list.items, compare_by_depth, NULL, &call.control);
    }
    if (status == GRZ_OK) {
        *found = list.count;
        for (size_t i = 0; i < list.count && i < most; i++)
            records[i] = list.items[i];
    } else {
        status = grz_call_explain(&call, status);
    }
    grz_array_finish(allocator, &list);
    return grz_call_end(&call, status);
}
