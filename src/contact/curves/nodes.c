// SPDX-License-Identifier: MIT
// Finds which contact points are one node, that is, the same exact point. A place is a point rounded to the nearest
// doubles, so the same point has the same place, whatever features define it. Points are put into a hash table by
// place; only points at one place need a decision. There, equal keys mean equal points, and two points that are
// vertices are equal because their places are. All other points are compared in exact arithmetic.
#include <string.h>

#include "base/control.h"
#include "base/sort/sort.h"
#include "contact/curves/curves.h"
#include "geometry/pose.h"

static uint64_t hash_place(const double *place)
{
    uint64_t h = 0;
    for (int i = 0; i < 3; i++) {
        uint64_t bits;
        memcpy(&bits, &place[i], sizeof bits);
        // Simple coordinates (0.5, 3, …) have only zeros in their low bits. Fold before multiplying, because a product
        // carries upwards only.
        h = (h + (bits ^ bits >> 32)) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 29;
    }
    h *= UINT64_C(0xbf58476d1ce4e5b9);
    return h ^ h >> 32;
}

static size_t bucket_of(const grz_joiner *joiner, uint64_t hash)
{
    assert(0 < joiner->table_bits && joiner->table_bits < 64);
    return (size_t)(hash >> (64 - joiner->table_bits));
}

// The exact order of two corners at one place. 0: the same point.
static int compare_at_place(const grz_joiner *joiner, size_t p, size_t q)
{
    const grz_node_key *k = &joiner->keys[p], *l = &joiner->keys[q];
    if (memcmp(k, l, sizeof *k) == 0)
        return 0;
    const bool given_p = k->half[0][1] == GRZ_KEY_CORNER || k->half[1][1] == GRZ_KEY_CORNER;
    const bool given_q = l->half[0][1] == GRZ_KEY_CORNER || l->half[1][1] == GRZ_KEY_CORNER;
    if (given_p && given_q)
        return 0;
    grz_exact_point x, y;
    grz_curves_point(joiner, p, &x);
    grz_curves_point(joiner, q, &y);
    return grz_exact_compare(&x, &y);
}

static int compare_entries(const void *left, const void *right, void *context)
{
    const grz_joiner *joiner = context;
    const grz_place_entry *p = left, *q = right;
    if (p->hash != q->hash)
        return p->hash < q->hash ? -1 : 1;
    const int order = grz_curves_compare_places(&joiner->own[p->corner], &joiner->own[q->corner]);
    return order != 0 ? order : compare_at_place(joiner, p->corner, q->corner);
}

// Put all corners into the table, by counting sort into buckets. Then sort each bucket by hash, place and exact point;
// equal points stay in the order of corners.
static bool fill_table(grz_joiner *joiner)
{
    const size_t count = joiner->corner_count;
    joiner->table_bits = 1;
    while (joiner->table_bits < 40 && (size_t)1 << joiner->table_bits < count / 4)
        joiner->table_bits++;
    const size_t buckets = (size_t)1 << joiner->table_bits;
    joiner->table = grz_allocate(joiner->allocator, count, sizeof *joiner->table);
    joiner->table_start = grz_allocate_zeroed(joiner->allocator, buckets + 2, sizeof *joiner->table_start);
    if (joiner->table == NULL || joiner->table_start == NULL)
        return false;
    size_t *next = joiner->table_start + 1; // next[i] advances to the start of bucket i + 1 as bucket i is filled
    for (size_t i = 0; i < count; i++) {
        if (grz_control_expired_at(joiner->control, i, 12))
            return false;
        next[bucket_of(joiner, hash_place(joiner->own[i].at)) + 1]++;
    }
    for (size_t i = 1; i <= buckets; i++)
        next[i] += next[i - 1];
    for (size_t i = 0; i < count; i++) {
        if (grz_control_expired_at(joiner->control, i, 12))
            return false;
        const uint64_t hash = hash_place(joiner->own[i].at);
        joiner->table[next[bucket_of(joiner, hash)]++] = (grz_place_entry){hash, i};
    }
    for (size_t i = 0; i < buckets; i++) {
        const size_t start = joiner->table_start[i], end = joiner->table_start[i + 1];
        if (grz_control_expired_at(joiner->control, i, 8) ||
            grz_sort(joiner->table + start, end - start, sizeof *joiner->table, compare_entries, joiner,
                     joiner->control) != GRZ_OK)
            return false;
    }
    return true;
}

// Set node_of[corner] to the first corner that is the same point. Corners at one place with different points are marked
// GRZ_NODE_CROWDED.
static bool find_first_corners(grz_joiner *joiner)
{
    const grz_place_entry *table = joiner->table;
    for (size_t i = 0; i < joiner->corner_count; i++) {
        if (grz_control_expired_at(joiner->control, i, 8))
            return false;
        size_t first = table[i].corner;
        const bool same_place =
            i > 0 && table[i].hash == table[i - 1].hash &&
            grz_curves_compare_places(&joiner->own[table[i].corner], &joiner->own[table[i - 1].corner]) == 0;
        if (same_place) {
            const size_t before = joiner->node_of[table[i - 1].corner];
            assert(before <= table[i - 1].corner);
            if (compare_at_place(joiner, table[i - 1].corner, first) == 0)
                first = before;
            else
                joiner->flags[first] = joiner->flags[before] = GRZ_NODE_CROWDED;
        }
        joiner->node_of[table[i].corner] = first;
    }
    return true;
}

bool grz_curves_number_nodes(grz_joiner *joiner)
{
    const size_t count = joiner->corner_count;
    joiner->node_of = grz_allocate(joiner->allocator, count, sizeof *joiner->node_of);
    joiner->node_corner = grz_allocate(joiner->allocator, count, sizeof *joiner->node_corner);
    joiner->flags = grz_allocate_zeroed(joiner->allocator, count, sizeof *joiner->flags);
    if (joiner->node_of == NULL || joiner->node_corner == NULL || joiner->flags == NULL || !fill_table(joiner) ||
        !find_first_corners(joiner))
        return false;
    // Number the nodes in the order of their first corners: neighbours in the list of contacts are neighbours in space.
    // A node's first corner comes before its others.
    for (size_t i = 0; i < count; i++) {
        if (grz_control_expired_at(joiner->control, i, 12))
            return false;
        if (joiner->node_of[i] == i) {
            joiner->node_corner[joiner->node_count] = i;
            joiner->node_of[i] = joiner->node_count++;
        } else {
            assert(joiner->node_of[i] < i);
            joiner->node_of[i] = joiner->node_of[joiner->node_of[i]];
        }
    }
    return true;
}

// ---- Points where links are cut ----

bool grz_curves_find_node(grz_joiner *joiner, const grz_exact_point *point, size_t *node)
{
    const grz_point *place = (const grz_point *)point->rounded;
    const uint64_t hash = hash_place(point->rounded);
    const size_t bucket = bucket_of(joiner, hash);
    size_t low = joiner->table_start[bucket], high = joiner->table_start[bucket + 1];
    while (low < high) { // binary search: the bucket is sorted by hash, place and point
        const size_t middle = low + (high - low) / 2;
        const grz_place_entry *entry = &joiner->table[middle];
        int order = (entry->hash > hash) - (entry->hash < hash);
        if (order == 0)
            order = grz_curves_compare_places(&joiner->own[entry->corner], place);
        if (order == 0) {
            grz_exact_point own;
            grz_curves_point(joiner, entry->corner, &own);
            order = grz_exact_compare(&own, point);
        }
        if (order == 0) {
            *node = joiner->node_of[entry->corner];
            return true;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (!grz_array_add(joiner->allocator, &joiner->cuts))
        return false;
    joiner->cuts.items[joiner->cuts.count - 1] = *point;
    *node = joiner->node_count + joiner->cuts.count - 1;
    return true;
}

static int compare_cuts(const void *left, const void *right, void *context)
{
    const grz_joiner *joiner = context;
    const size_t p = *(const size_t *)left, q = *(const size_t *)right;
    return grz_exact_compare(&joiner->cuts.items[p], &joiner->cuts.items[q]);
}

static void place_of_cut(const grz_joiner *joiner, const grz_exact_point *cut, grz_point *place)
{
    memcpy(place->at, cut->rounded, sizeof place->at);
    if (joiner->b != NULL)
        return;
    grz_world_position(&joiner->a->pose, cut->rounded, place->at);
    for (int i = 0; i < 3; i++)
        place->at[i] += 0.0; // turns -0 into +0
}

// Number the cuts in exact order: number[cut] is the node of a cut. Their places follow those of the other nodes.
static bool number_cuts(grz_joiner *joiner, size_t *sorted, size_t *number)
{
    const size_t count = joiner->cuts.count;
    for (size_t i = 0; i < count; i++)
        sorted[i] = i;
    if (grz_sort(sorted, count, sizeof *sorted, compare_cuts, joiner, joiner->control) != GRZ_OK)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (grz_control_expired_at(joiner->control, i, 8))
            return false;
        if (i == 0 || compare_cuts(&sorted[i - 1], &sorted[i], joiner) != 0) {
            const size_t node = joiner->node_count + joiner->cut_node_count++;
            place_of_cut(joiner, &joiner->cuts.items[sorted[i]], &joiner->places[node]);
        }
        assert(joiner->cut_node_count > 0 && joiner->node_count + joiner->cut_node_count <= joiner->place_room);
        number[sorted[i]] = joiner->node_count + joiner->cut_node_count - 1;
    }
    for (size_t i = 0; i < joiner->links.count; i++) {
        grz_link *link = &joiner->links.items[i];
        if (grz_control_expired_at(joiner->control, i, 12))
            return false;
        link->low = link->low < joiner->node_count ? link->low : number[link->low - joiner->node_count];
        link->high = link->high < joiner->node_count ? link->high : number[link->high - joiner->node_count];
    }
    return true;
}

bool grz_curves_number_cuts(grz_joiner *joiner)
{
    const size_t count = joiner->cuts.count;
    joiner->place_room = joiner->node_count + count;
    joiner->places = grz_allocate(joiner->allocator, joiner->place_room, sizeof *joiner->places);
    if (joiner->places == NULL)
        return false;
    for (size_t i = 0; i < joiner->node_count; i++) {
        if (grz_control_expired_at(joiner->control, i, 12))
            return false;
        joiner->places[i] = joiner->world[joiner->node_corner[i]];
    }
    if (count == 0)
        return true;
    size_t *sorted = grz_allocate(joiner->allocator, count, sizeof *sorted);
    size_t *number = grz_allocate(joiner->allocator, count, sizeof *number);
    const bool done = sorted != NULL && number != NULL && number_cuts(joiner, sorted, number);
    grz_release(joiner->allocator, sorted, count, sizeof *sorted);
    grz_release(joiner->allocator, number, count, sizeof *number);
    return done;
}
