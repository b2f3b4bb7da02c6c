// SPDX-License-Identifier: MIT
// What it does is plain: make all pairs, sort them, take those that are left.
#include "support_contact_twin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void need(const void *memory)
{
    if (memory == NULL)
        abort();
}

typedef struct twin_edge {
    double square;
    uint32_t before, now;
    uint64_t id;
} twin_edge;

static int compare_keys(const uint64_t *x, const uint64_t *y, int count)
{
    for (int i = 0; i < count; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

test_twin_point test_twin_read(const grz_tracked_point *p, uint64_t index)
{
    test_twin_point out = {.index = index, .before = GRZ_NO_ELEMENT};
    uint64_t half[2][4] = {{p->object_a, p->feature_a.vertex[0], p->feature_a.vertex[1], p->face_a},
                           {p->object_b, p->feature_b.vertex[0], p->feature_b.vertex[1], p->face_b}};
    for (int i = 0; i < 2; i++) {
        if (half[i][1] != GRZ_NO_VERTEX)
            half[i][3] = 0;
        if (half[i][1] > half[i][2]) { // an edge in the other direction
            const uint64_t higher = half[i][1];
            half[i][1] = half[i][2];
            half[i][2] = higher;
        }
    }
    const bool turned = compare_keys(half[0], half[1], 4) > 0;
    memcpy(out.key, half[turned], sizeof half[0]);
    memcpy(out.key + 4, half[!turned], sizeof half[0]);
    const double length = sqrt(p->normal[0] * p->normal[0] + p->normal[1] * p->normal[1] + p->normal[2] * p->normal[2]);
    for (int k = 0; k < 3; k++) {
        out.at[k] = p->position[k];
        out.normal[k] = length > 0.0 ? (turned ? -1.0 : 1.0) * p->normal[k] / length : 0.0;
    }
    return out;
}

int test_twin_compare(const test_twin_point *a, const test_twin_point *b)
{
    const uint64_t objects_a[2] = {a->key[0], a->key[4]}, objects_b[2] = {b->key[0], b->key[4]};
    int order = compare_keys(objects_a, objects_b, 2);
    order = order != 0 ? order : compare_keys(a->key, b->key, TEST_TWIN_KEY);
    for (int k = 0; k < 3 && order == 0; k++)
        order = (a->at[k] > b->at[k]) - (a->at[k] < b->at[k]);
    for (int k = 0; k < 3 && order == 0; k++)
        order = (a->normal[k] > b->normal[k]) - (a->normal[k] < b->normal[k]);
    return order;
}

static int compare_twins(const void *x, const void *y)
{
    const test_twin_point *a = x, *b = y;
    const int order = test_twin_compare(a, b);
    return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

static int compare_edges(const void *x, const void *y)
{
    const twin_edge *a = x, *b = y;
    if (a->square != b->square)
        return a->square < b->square ? -1 : 1;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return (a->now > b->now) - (a->now < b->now);
}

static void twin_match(const test_twin *before, test_twin *now, bool *gone, double distance, double angle,
                       bool by_features)
{
    twin_edge *edges = malloc(sizeof *edges * TEST_TWIN_POINTS * TEST_TWIN_POINTS);
    size_t count = 0;
    need(edges);
    for (uint32_t i = 0; i < before->count; i++)
        for (uint32_t j = 0; j < now->count; j++) {
            const test_twin_point *x = &before->points[i], *y = &now->points[j];
            double square = 0.0, product = 0.0, zero[2] = {0.0, 0.0};
            for (int k = 0; k < 3; k++) {
                square += (x->at[k] - y->at[k]) * (x->at[k] - y->at[k]);
                product += x->normal[k] * y->normal[k];
                zero[0] += fabs(x->normal[k]);
                zero[1] += fabs(y->normal[k]);
            }
            const bool same = compare_keys(x->key, y->key, TEST_TWIN_KEY) == 0,
                       near = x->key[0] == y->key[0] && x->key[4] == y->key[4] && sqrt(square) <= distance &&
                              zero[0] > 0.0 && zero[1] > 0.0 && product >= cos(angle) - 1e-9;
            if (!gone[i] && !y->taken && (by_features ? same : near))
                edges[count++] = (twin_edge){square, i, j, x->id};
        }
    qsort(edges, count, sizeof *edges, compare_edges);
    for (size_t e = 0; e < count; e++) {
        const test_twin_point *x = &before->points[edges[e].before];
        test_twin_point *y = &now->points[edges[e].now];
        if (gone[edges[e].before] || y->taken)
            continue;
        gone[edges[e].before] = y->taken = true;
        y->id = x->id;
        y->age = x->age + 1;
        y->before = x->index;
        y->match = by_features ? GRZ_CONTACT_FEATURES : GRZ_CONTACT_NEAREST;
    }
    free(edges);
}

static int compare_ids(const void *x, const void *y)
{
    const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

void test_twin_update(test_twin *t, const grz_tracked_point *points, uint32_t count,
                      const grz_contact_tracker_options *options)
{
    test_twin *now = calloc(1, sizeof *now);
    bool gone[TEST_TWIN_POINTS] = {false};
    need(now);
    now->given = t->given;
    now->count = count;
    for (uint32_t i = 0; i < count; i++)
        now->points[i] = test_twin_read(&points[i], i);
    qsort(now->points, count, sizeof *now->points, compare_twins);
    twin_match(t, now, gone, options->match_distance, options->match_angle, true);
    twin_match(t, now, gone, options->match_distance, options->match_angle, false);
    for (uint32_t i = 0; i < count; i++)
        if (!now->points[i].taken)
            now->points[i].id = ++now->given;
        else
            now->points[i].taken = false;
    for (uint32_t i = 0; i < t->count; i++)
        if (!gone[i])
            now->ended[now->ended_count++] = t->points[i].id;
    qsort(now->ended, now->ended_count, sizeof *now->ended, compare_ids);
    *t = *now;
    free(now);
}

bool test_twin_agrees(const test_twin *t, const grz_contact_tracker *tracker, const grz_contact_id *ids)
{
    uint64_t count;
    const uint64_t *ended = grz_contact_tracker_ended(tracker, &count);
    for (uint32_t i = 0; i < t->count; i++) {
        const test_twin_point *p = &t->points[i];
        const grz_contact_id *id = &ids[p->index];
        if (id->id == p->id && id->age == p->age && id->before == p->before && id->match == p->match)
            continue;
        fprintf(stderr, "point %llu: id %llu, age %u, before %llu, match %d; the twin %llu, %u, %llu, %d\n",
                (unsigned long long)p->index, (unsigned long long)id->id, id->age, (unsigned long long)id->before,
                (int)id->match, (unsigned long long)p->id, p->age, (unsigned long long)p->before, (int)p->match);
        return false;
    }
    bool same = count == t->ended_count && (ended == NULL) == (count == 0);
    for (uint64_t i = 0; i < count && same; i++)
        same = ended[i] == t->ended[i];
    if (!same)
        fprintf(stderr, "%llu contacts ended; the twin says %llu, or others\n", (unsigned long long)count,
                (unsigned long long)t->ended_count);
    return same;
}

grz_tracked_point test_twin_exchanged(const grz_tracked_point *p)
{
    grz_tracked_point out = *p;
    out.object_a = p->object_b;
    out.object_b = p->object_a;
    out.feature_a = p->feature_b;
    out.feature_b = p->feature_a;
    out.face_a = p->face_b;
    out.face_b = p->face_a;
    for (int k = 0; k < 3; k++)
        out.normal[k] = 0.0 - p->normal[k];
    return out;
}
