// SPDX-License-Identifier: MIT
// Cells are swept along x: only those that touch along it are compared. Groups are kept by union and find.
#include "ask/overlap/depth/depth_places.h"

#include <stdlib.h>
#include <string.h>

typedef struct member {
    grz_cover_place place;
    size_t number;
    size_t group; // the first member of the group
    size_t part;  // of the first member of a group
} member;

static int compare_cells(const void *x, const void *y)
{
    const grz_box *one = &((const member *)x)->place.cell.box, *other = &((const member *)y)->place.cell.box;
    for (int k = 0; k < 3; k++)
        if (one->min[k] != other->min[k])
            return one->min[k] < other->min[k] ? -1 : 1;
    return 0;
}

static size_t group_of(member *members, size_t i)
{
    while (members[i].group != i) {
        members[i].group = members[members[i].group].group;
        i = members[i].group;
    }
    return i;
}

// Boxes whose insides are disjoint: do they share a part of a face?
static bool share_face(const grz_box *p, const grz_box *q)
{
    int touching = 0;
    for (int k = 0; k < 3; k++) {
        if (p->min[k] > q->max[k] || q->min[k] > p->max[k])
            return false;
        touching += p->min[k] == q->max[k] || q->min[k] == p->max[k];
    }
    return touching <= 1;
}

static void join(member *members, size_t count)
{
    qsort(members, count, sizeof *members, compare_cells);
    for (size_t i = 0; i < count; i++)
        members[i].group = i;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count && members[j].place.cell.box.min[0] <= members[i].place.cell.box.max[0]; j++)
            if (share_face(&members[i].place.cell.box, &members[j].place.cell.box)) {
                const size_t p = group_of(members, i), q = group_of(members, j);
                members[p > q ? p : q].group = p > q ? q : p;
            }
}

static void add_to(grz_overlap_part *part, const grz_cover_place *place)
{
    for (int k = 0; k < 3; k++) {
        part->min[k] = fmin(part->min[k], place->cell.box.min[k]);
        part->max[k] = fmax(part->max[k], place->cell.box.max[k]);
    }
    part->upper = fmax(part->upper, place->cell.upper);
    if (place->deepest.depth > part->lower) {
        part->lower = place->deepest.depth;
        memcpy(part->centre, place->deepest.at, sizeof part->centre);
    }
}

static int compare_parts(const void *x, const void *y)
{
    const grz_overlap_part *one = x, *other = y;
    if (one->lower != other->lower)
        return one->lower > other->lower ? -1 : 1;
    for (int k = 0; k < 3; k++)
        if (one->min[k] != other->min[k])
            return one->min[k] < other->min[k] ? -1 : 1;
    return 0;
}

// All parts, in the order of their first cells, then sorted. `members` are joined. Returns how many there are.
static size_t make_parts(member *members, size_t count, grz_overlap_part *parts)
{
    static const grz_overlap_part none = {.min = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                                          .max = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t first = group_of(members, i);
        if (first == i) {
            members[i].part = made;
            parts[made++] = none;
        }
        add_to(&parts[members[first].part], &members[i].place);
    }
    for (size_t i = 0; i < made; i++)
        for (int k = 0; k < 3 && parts[i].lower == 0.0; k++)
            parts[i].centre[k] = 0.5 * parts[i].min[k] + 0.5 * parts[i].max[k];
    qsort(parts, made, sizeof *parts, compare_parts);
    return made;
}

grz_status grz_places_open_doubtful(grz_cover *cover, double depth, bool *any)
{
    const grz_allocator *allocator = grz_control_allocator(&cover->call->control);
    const size_t count = cover->places.count;
    *any = false;
    if (count == 0)
        return GRZ_OK;
    member *members = grz_allocate(allocator, count, sizeof *members);
    bool *proved = grz_allocate_zeroed(allocator, count, sizeof *proved), // of the first member of a group
        *again = grz_allocate(allocator, count, sizeof *again);
    bool ok = members != NULL && proved != NULL && again != NULL;
    if (ok) {
        for (size_t i = 0; i < count; i++)
            members[i] = (member){.place = cover->places.items[i], .number = i};
        join(members, count);
        for (size_t i = 0; i < count; i++)
            if (members[i].place.deepest.depth > depth)
                proved[group_of(members, i)] = true;
        for (size_t i = 0; i < count; i++) {
            again[members[i].number] = !proved[group_of(members, i)];
            *any = *any || again[members[i].number];
        }
        ok = !*any || grz_cover_open_again(cover, again);
    }
    grz_release(allocator, members, count, sizeof *members);
    grz_release(allocator, proved, count, sizeof *proved);
    grz_release(allocator, again, count, sizeof *again);
    return ok ? GRZ_OK : grz_call_explain(cover->call, GRZ_ERROR_MEMORY);
}

grz_status grz_places_list(grz_cover *cover, grz_overlap_part *parts, uint64_t capacity, uint64_t *count)
{
    const grz_allocator *allocator = grz_control_allocator(&cover->call->control);
    const size_t closed = cover->places.count, all = closed + cover->open.count;
    *count = 0;
    if (all == 0)
        return GRZ_OK;
    member *members = grz_allocate(allocator, all, sizeof *members);
    grz_overlap_part *made = grz_allocate(allocator, all, sizeof *made);
    const bool ok = members != NULL && made != NULL;
    if (ok) {
        for (size_t i = 0; i < closed; i++)
            members[i].place = cover->places.items[i];
        for (size_t i = closed; i < all; i++)
            members[i].place = (grz_cover_place){.cell = cover->open.items[i - closed]};
        join(members, all);
        const size_t found = make_parts(members, all, made), written = found < capacity ? found : (size_t)capacity;
        *count = found;
        if (written > 0)
            memcpy(parts, made, written * sizeof *made);
    }
    grz_release(allocator, members, all, sizeof *members);
    grz_release(allocator, made, all, sizeof *made);
    return ok ? GRZ_OK : grz_call_explain(cover->call, GRZ_ERROR_MEMORY);
}
