// SPDX-License-Identifier: MIT
// Remembers why corners are no ears. When the neighbours of clipped ears are no ears either, all corners left are
// tested again, level by level. Where that happens often (a doubled edge with many corners, which is taken back one
// corner at a time), these rounds would take quadratic time. So each corner that was found to be no ear goes to the
// list of what blocks its triangle, and is tested again only after that has changed. The rounds still go through the
// corners in their order, and skip only those whose test would fail: the triangles are the same.
#include "geometry/polygon/clipper.h"

bool grz_watch_start(grz_clipper *clipper)
{
    grz_polygon_scratch *scratch = clipper->scratch;
    grz_ear_watch *watch = &clipper->watch;
    const size_t count = clipper->count, words = grz_bit_set_words(clipper->count);
    if (!grz_array_reserve(clipper->allocator, &scratch->watchers, 2 * count) ||
        !grz_array_reserve(clipper->allocator, &scratch->heads, 3 * count) ||
        !grz_array_reserve(clipper->allocator, &scratch->due_words, GRZ_EAR_LEVELS * words))
        return false;
    watch->on = true;
    watch->heads = scratch->heads.items;
    watch->watchers = scratch->watchers.items;
    for (size_t list = 0; list < 3 * count; list++)
        watch->heads[list] = GRZ_NO_NODE;
    for (size_t record = 0; record < 2 * count; record++)
        watch->watchers[record].list = watch->watchers[record].blocker = GRZ_NO_NODE;
    for (size_t level = 0; level < GRZ_EAR_LEVELS; level++) {
        grz_bit_set_init(&watch->due[level], clipper->count, scratch->due_words.items + level * words);
        for (uint32_t i = 0, corner = clipper->some_corner; i < clipper->left; i++, corner = clipper->ring[corner].next)
            grz_bit_set_add(&watch->due[level], corner);
    }
    clipper->steps += clipper->left;
    return true;
}

static void leave_list(grz_ear_watch *watch, uint32_t record)
{
    grz_polygon_watcher *watcher = &watch->watchers[record];
    if (watcher->list == GRZ_NO_NODE)
        return;
    if (watcher->previous == GRZ_NO_NODE)
        watch->heads[watcher->list] = watcher->next;
    else
        watch->watchers[watcher->previous].next = watcher->next;
    if (watcher->next != GRZ_NO_NODE)
        watch->watchers[watcher->next].previous = watcher->previous;
    watcher->list = GRZ_NO_NODE;
}

// The corner that a list is about; of a hub the one that stands for it.
static uint32_t corner_of(const grz_clipper *clipper, uint32_t list)
{
    return list == grz_blocked_by_hub(list / 3) ? clipper->hubs.hubs[list / 3].corner : list / 3;
}

void grz_watch_blocked(grz_clipper *clipper, uint32_t corner, grz_ear_level level)
{
    grz_ear_watch *watch = &clipper->watch;
    grz_bit_set_remove(&watch->due[level], corner);
    // Without area, or a fold, a triangle changes with its corners only.
    if (level > GRZ_EAR_TOUCHED || clipper->blocker == GRZ_NO_NODE)
        return;
    const uint32_t record = 2 * corner + (uint32_t)level, list = clipper->blocker;
    leave_list(watch, record);
    watch->watchers[record] = (grz_polygon_watcher){list, GRZ_NO_NODE, watch->heads[list], corner_of(clipper, list)};
    if (watch->heads[list] != GRZ_NO_NODE)
        watch->watchers[watch->heads[list]].previous = record;
    watch->heads[list] = record;
}

void grz_watch_release(grz_clipper *clipper, uint32_t blocker)
{
    grz_ear_watch *watch = &clipper->watch;
    while (watch->heads[blocker] != GRZ_NO_NODE) {
        const uint32_t record = watch->heads[blocker];
        leave_list(watch, record);
        grz_bit_set_add(&watch->due[record % 2], record / 2);
        clipper->steps++;
    }
}

void grz_watch_renew(grz_clipper *clipper, uint32_t corner)
{
    for (uint32_t record = 2 * corner; record < 2 * corner + 2; record++)
        leave_list(&clipper->watch, record);
    for (int level = 0; level < GRZ_EAR_LEVELS; level++)
        grz_bit_set_add(&clipper->watch.due[level], corner);
}

void grz_watch_remove(grz_clipper *clipper, uint32_t corner)
{
    for (uint32_t record = 2 * corner; record < 2 * corner + 2; record++)
        leave_list(&clipper->watch, record);
    for (int level = 0; level < GRZ_EAR_LEVELS; level++)
        grz_bit_set_remove(&clipper->watch.due[level], corner);
}
