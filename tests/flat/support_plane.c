// SPDX-License-Identifier: MIT
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_plane.h"

enum {
    ROOM = 1 << 18
};

const char *plane_class_name(plane_class group)
{
    static const char *const names[PLANE_CLASS_COUNT] = {"even",   "lattice", "clusters", "sizes",  "line",
                                                         "offset", "tiny",    "huge",     "extreme"};
    return names[group];
}

const char *plane_search_name(grz_flat_search search)
{
    static const char *const names[PLANE_SEARCHES] = {"naive", "grid", "quadtree", "sweep"};
    return names[search];
}

static double between(random_stream *random, double low, double high)
{
    return low + (high - low) * (0.5 + 0.5 * random_signed(random));
}

void plane_point(plane_class group, random_stream *random, double out[2])
{
    const double along = (double)random_below(random, 64) - 32.0;
    for (int k = 0; k < 2; k++)
        switch (group) {
        case PLANE_LATTICE:
            out[k] = (double)random_below(random, 24);
            break;
        case PLANE_CLUSTERS:
            out[k] = (double)random_below(random, 3) * 40.0 + 0x1p-9 * random_signed(random);
            break;
        case PLANE_LINE:
            out[k] = k == 0 ? 3.0 * along : 2.0 * along + 1.0;
            break;
        case PLANE_OFFSET:
            out[k] = 0x1p45 + (double)random_below(random, 40);
            break;
        case PLANE_TINY:
            out[k] = ldexp((double)random_below(random, 40), k == 0 ? -1074 : -1070);
            break;
        case PLANE_HUGE:
            out[k] = ldexp(random_signed(random), 300);
            break;
        case PLANE_EXTREME:
            out[k] = random_extreme(random, -1074, 299);
            break;
        default:
            out[k] = 40.0 * random_signed(random);
            break;
        }
}

// The size of an item of a class, to be added to a point of it.
static double size_of(plane_class group, random_stream *random)
{
    switch (group) {
    case PLANE_LATTICE:
    case PLANE_OFFSET:
        return (double)random_below(random, 5);
    case PLANE_CLUSTERS:
        return 0x1p-10 * between(random, 0.0, 1.0);
    case PLANE_SIZES:
        return ldexp(between(random, 0.0, 1.0), (int)random_below(random, 16) - 8);
    case PLANE_TINY:
        return ldexp((double)random_below(random, 5), -1072);
    case PLANE_HUGE:
        return ldexp(between(random, 0.0, 1.0), 298);
    default:
        return between(random, 0.0, 4.0);
    }
}

grz_flat_item plane_item(plane_class group, random_stream *random)
{
    grz_flat_item item = {.kind = (grz_flat_kind)random_below(random, 3)};
    plane_point(group, random, item.from);
    if (group == PLANE_LINE || group == PLANE_EXTREME) {
        plane_point(group, random, item.to);
        if (item.kind == GRZ_FLAT_BOX && group == PLANE_LINE)
            item.kind = GRZ_FLAT_SEGMENT;
    } else {
        for (int k = 0; k < 2; k++) {
            const double size = size_of(group, random);
            item.to[k] = item.from[k] + (random_below(random, 2) == 0 ? size : -size);
            if (fabs(item.to[k]) > 0x1p300)
                item.to[k] = item.from[k];
        }
    }
    for (int k = 0; k < 2 && item.kind != GRZ_FLAT_SEGMENT; k++) {
        const double from = item.from[k], to = item.to[k];
        item.from[k] = item.kind == GRZ_FLAT_POINT || from < to ? from : to;
        item.to[k] = item.kind == GRZ_FLAT_POINT ? from : from < to ? to : from;
    }
    return item;
}

grz_flat_ray plane_ray(plane_class group, random_stream *random)
{
    grz_flat_ray ray = {.endless = random_below(random, 2) == 0};
    plane_point(group, random, ray.from);
    do {
        plane_point(group, random, ray.to);
        if (random_below(random, 4) == 0)
            ray.to[random_below(random, 2)] = ray.from[0]; // along an axis, on lattices
    } while (ray.endless && ray.to[0] == ray.from[0] && ray.to[1] == ray.from[1]);
    return ray;
}

grz_flat *plane_create(grz_device *device, const grz_flat_item *items, uint64_t count, grz_flat_search search)
{
    grz_flat_options options = grz_default_flat_options();
    grz_error error = {.message = ""};
    grz_flat *flat = NULL;
    options.search = search;
    if (grz_flat_create(device, items, count, &options, &flat, &error) != GRZ_OK)
        fail_msg("%s: %s", plane_search_name(search), error.message);
    assert_int_equal(grz_flat_count(flat), count);
    return flat;
}

// Two answers of one question.
typedef struct answers {
    void *places[2];
    uint64_t found[2];
    size_t size;
} answers;

static answers answers_of(size_t size)
{
    const answers a = {{calloc(ROOM, size), calloc(ROOM, size)}, {0, 0}, size};
    assert_non_null(a.places[0]);
    assert_non_null(a.places[1]);
    return a;
}

// Frees them.
static uint64_t compare(answers *a, const char *question, const char *what)
{
    if (a->found[0] != a->found[1])
        fail_msg("%s, %s: %llu and %llu are found", what, question, (unsigned long long)a->found[0],
                 (unsigned long long)a->found[1]);
    const uint64_t count = a->found[0] < ROOM ? a->found[0] : ROOM;
    if (memcmp(a->places[0], a->places[1], (size_t)count * a->size) != 0)
        fail_msg("%s, %s: the answers differ", what, question);
    free(a->places[0]);
    free(a->places[1]);
    return a->found[0];
}

static uint64_t compare_lists(const grz_flat *const flats[2], plane_class group, random_stream *random,
                              const char *what)
{
    answers pairs = answers_of(sizeof(grz_flat_pair)), box = answers_of(sizeof(uint32_t)),
            circle = answers_of(sizeof(uint32_t)), hits = answers_of(sizeof(grz_flat_hit));
    double min[2], max[2], centre[2], on[2];
    plane_point(group, random, min);
    plane_point(group, random, max);
    plane_point(group, random, centre);
    plane_point(group, random, on);
    for (int k = 0; k < 2; k++) {
        const double low = min[k] < max[k] ? min[k] : max[k];
        max[k] = min[k] < max[k] ? max[k] : min[k];
        min[k] = low;
    }
    const double radius = fabs(on[0] - centre[0]) <= 0x1p300 ? fabs(on[0] - centre[0]) : 0x1p300;
    const grz_flat_ray ray = plane_ray(group, random);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(grz_flat_pairs(flats[i], NULL, pairs.places[i], ROOM, &pairs.found[i], NULL), GRZ_OK);
        assert_int_equal(grz_flat_in_box(flats[i], min, max, NULL, box.places[i], ROOM, &box.found[i], NULL), GRZ_OK);
        assert_int_equal(
            grz_flat_in_circle(flats[i], centre, radius, NULL, circle.places[i], ROOM, &circle.found[i], NULL), GRZ_OK);
        assert_int_equal(grz_flat_all_hits(flats[i], &ray, NULL, hits.places[i], ROOM, &hits.found[i], NULL), GRZ_OK);
    }
    for (int i = 0; i < 2; i++) // the padding of a hit may be anything
        for (uint64_t k = 0; k < hits.found[i] && k < ROOM; k++) {
            grz_flat_hit *hit = (grz_flat_hit *)hits.places[i] + k, copy = *hit;
            memset(hit, 0, sizeof *hit);
            hit->t = copy.t;
            hit->number = copy.number;
        }
    return compare(&pairs, "pairs", what) + compare(&box, "box", what) + compare(&circle, "circle", what) +
           compare(&hits, "hits", what);
}

uint64_t plane_compare(const grz_flat *a, const grz_flat *b, plane_class group, random_stream *random, const char *what)
{
    const grz_flat *const flats[2] = {a, b};
    uint64_t count = compare_lists(flats, group, random, what);
    for (int round = 0; round < 8; round++) {
        double point[2];
        grz_flat_near near[2];
        grz_flat_hit hits[2];
        plane_point(group, random, point);
        const grz_flat_ray ray = plane_ray(group, random);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(grz_flat_nearest(flats[i], point, 1, NULL, &near[i], NULL), GRZ_OK);
            assert_int_equal(grz_flat_first_hits(flats[i], &ray, 1, NULL, &hits[i], NULL), GRZ_OK);
        }
        if (near[0].number != near[1].number || near[0].distance != near[1].distance)
            fail_msg("%s: nearest to (%a, %a) are %u at %a and %u at %a", what, point[0], point[1], near[0].number,
                     near[0].distance, near[1].number, near[1].distance);
        if (hits[0].number != hits[1].number || hits[0].t != hits[1].t)
            fail_msg("%s: (%a, %a) to (%a, %a)%s first meets %u at %a and %u at %a", what, ray.from[0], ray.from[1],
                     ray.to[0], ray.to[1], ray.endless ? " and on" : "", hits[0].number, hits[0].t, hits[1].number,
                     hits[1].t);
        count += (near[0].number != GRZ_FLAT_NONE ? 1U : 0U) + (hits[0].number != GRZ_FLAT_NONE ? 1U : 0U);
    }
    return count;
}
