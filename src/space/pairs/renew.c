// SPDX-License-Identifier: MIT
// Rebuilds everything: the map to floats, the room that each object gets, the finder, and all pairs.
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "space/pairs/pairs_parts.h"

enum {
    SAMPLE = 63, // objects whose centres decide where floats have their origin
    RECENT = 8   // an object that has not changed for so many updates gets no room
};

static const double SPREAD = 0x1p20;        // the sample spans about so much in floats
static const float STRAIGHT_UPDATES = 8.0f; // room ahead for so many updates, if an object moves steadily;
static const float SIDE_STEPS = 0.75f;      // also room to all sides, in steps
static const float TURNING_STEPS = 4.0f;    // room to all sides, in steps, if it does not move steadily
static const float MIN_STEPS = 4.0f;        // an object for which MAX_ROOM is fewer steps than this gets no room
static const float MAX_ROOM = 0.5f;         // the most room to each side, as a part of the box's largest edge

bool grz_kept_room(const grz_kept *kept, uint32_t id, grz_pairs_box *fat)
{
    const grz_kept_motion *motion = &kept->motions.items[id];
    *fat = grz_kept_plain(&kept->now.items[id]);
    if (((kept->update - (motion->when >> 9)) & GRZ_KEPT_UPDATES) > RECENT)
        return false;
    float largest = 0.0f;
    const float step = motion->longest;
    for (int axis = 0; axis < 3; axis++) {
        const float edge = fat->high[axis] - fat->low[axis];
        largest = edge > largest ? edge : largest;
    }
    const float most = MAX_ROOM * largest;
    if (!(MIN_STEPS * step <= most) || !(largest < FLT_MAX) || !(step > 0.0f))
        return false;
    for (int axis = 0; axis < 3; axis++) {
        const bool steady = (motion->when >> axis & motion->when >> (axis + 3) & motion->when >> (axis + 6) & 1u) != 0;
        const float on = steady ? STRAIGHT_UPDATES * motion->step[axis] : 0.0f;
        const float around = (steady ? SIDE_STEPS : TURNING_STEPS) * step;
        const float below = around + (on < 0.0f ? -on : 0.0f), above = around + (on > 0.0f ? on : 0.0f);
        fat->low[axis] -= below < most ? below : most;
        fat->high[axis] += above < most ? above : most;
    }
    return true;
}

static int compare_doubles(const void *x, const void *y)
{
    const double *a = x, *b = y;
    return (*a > *b) - (*a < *b);
}

// Where floats should have their origin, and their scale: by the medians of some centres and of the largest edges.
// False: no object has a finite box.
static bool sample_boxes(const grz_kept *kept, double origin[3], double *spread)
{
    double centres[3][SAMPLE], edges[SAMPLE];
    size_t count = 0;
    const size_t ids = kept->boxes.count, stride = ids / SAMPLE + 1;
    for (size_t start = 0; start < stride && count < SAMPLE / 2 + 1; start++)
        for (size_t id = start; id < ids && count < SAMPLE; id += stride) {
            const grz_box *box = &kept->boxes.items[id];
            if (grz_box_is_empty(box))
                continue;
            double edge = 0.0;
            for (int axis = 0; axis < 3; axis++) {
                centres[axis][count] = 0.5 * box->min[axis] + 0.5 * box->max[axis];
                edge = box->max[axis] - box->min[axis] > edge ? box->max[axis] - box->min[axis] : edge;
            }
            edges[count] = edge;
            count += edge < HUGE_VAL;
        }
    if (count == 0)
        return false;
    qsort(edges, count, sizeof *edges, compare_doubles);
    *spread = edges[count / 2];
    for (int axis = 0; axis < 3; axis++) {
        qsort(centres[axis], count, sizeof *centres[axis], compare_doubles);
        origin[axis] = centres[axis][count / 2];
        const double wide = centres[axis][count * 3 / 4] - centres[axis][count / 4];
        *spread = wide > *spread ? wide : *spread;
    }
    return *spread < HUGE_VAL;
}

// Choose origin and scale, unless those in use are still good, and map all boxes then.
static void choose_map(grz_kept *kept)
{
    double origin[3], spread;
    if (!sample_boxes(kept, origin, &spread))
        return;
    const double wanted = spread > 0.0 ? ldexp(1.0, (int)fmin(fmax(ilogb(SPREAD) - ilogb(spread), -900), 900)) : 1.0;
    bool good = kept->mapped && kept->scale >= wanted / 256.0 && kept->scale <= wanted * 256.0;
    for (int axis = 0; axis < 3 && good; axis++)
        good = fabs(origin[axis] - kept->origin[axis]) <= 4.0 * spread;
    if (good)
        return;
    for (int axis = 0; axis < 3; axis++)
        kept->origin[axis] = origin[axis];
    kept->scale = wanted;
    kept->mapped = true;
    for (size_t id = 0; id < kept->boxes.count; id++)
        if (!grz_box_is_empty(&kept->boxes.items[id])) {
            kept->now.items[id] = grz_kept_floats_of(kept, &kept->boxes.items[id]);
            kept->motions.items[id].longest = HUGE_VALF;
        }
}

// Enlarge the boxes of the objects that move, and put the ids of all objects into kept->ids. `roomy` receives whether
// that pays; if not, all boxes are left as they are. False: there is no memory.
static bool give_room(grz_kept *kept, bool *roomy)
{
    size_t with_room = 0;
    kept->ids.count = 0;
    if (!grz_array_reserve(&kept->allocator, &kept->ids, kept->live + 1))
        return false;
    for (size_t id = 0; id < kept->boxes.count; id++) {
        if (grz_box_is_empty(&kept->boxes.items[id])) {
            for (int i = 0; i < 4; i++)
                kept->fat.items[id].low[i] = kept->fat.items[id].high[i] = nanf("");
            continue;
        }
        kept->ids.items[kept->ids.count++] = (uint32_t)id;
        with_room += grz_kept_room(kept, (uint32_t)id, &kept->fat.items[id]);
    }
    assert(kept->ids.count == kept->live);
    *roomy = 2 * with_room > kept->live;
    if (!*roomy && with_room > 0)
        for (size_t i = 0; i < kept->ids.count; i++)
            kept->fat.items[kept->ids.items[i]] = grz_kept_plain(&kept->now.items[kept->ids.items[i]]);
    return true;
}

bool grz_kept_renew(grz_kept *kept)
{
    bool roomy = false;
    kept->finder_good = kept->answer_good = kept->candidates_good = false;
    choose_map(kept);
    if (!give_room(kept, &roomy))
        return false;
    if (!kept->type->build(kept->finder, &kept->tools, kept->fat.items, kept->ids.items, kept->ids.count,
                           kept->boxes.count))
        return false;
    grz_pairs_join join = {.tools = &kept->tools,
                           .found = &kept->found,
                           .bits = grz_kept_id_bits(kept),
                           .exact = roomy ? NULL : kept->boxes.items};
    kept->found.count = 0;
    if (!kept->type->join(kept->finder, &join) || !grz_kept_publish(kept, roomy ? &kept->candidates : &kept->answer))
        return false;
    kept->finder_good = true;
    kept->candidates_good = roomy;
    kept->spent = 0.0;
    kept->work.renewed++;
    if (roomy && !grz_kept_filter(kept))
        return false;
    kept->answer_good = true;
    return true;
}
