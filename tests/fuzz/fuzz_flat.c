// SPDX-License-Identifier: MIT
// Fuzzes sets of items in the plane: points, boxes and segments whose numbers are small integers, neighbours of these,
// each other's, or anything. Four sets, one for each search, are made, changed and asked alike; their answers must be
// the same, byte for byte, and those of the plane mirrored at its diagonal. Questions must agree with each other: pairs
// with boxes, circles with the nearest item, all hits with the first. Bad items must be refused, and change nothing.
#include <math.h>

#include <graze/graze.h>

#include "support_fuzz_queries.h"

enum {
    MOST = 24,
    ROOM = MOST * MOST,
    SETS = 5 // the last one is mirrored
};

typedef struct plane {
    grz_flat *sets[SETS];
    double last[2]; // a point of the item before
} plane;

// A number: mostly small, so that items meet.
static double number(fuzz_input *in, double other)
{
    const uint32_t kind = fuzz_below(in, 12);
    const double small = (double)fuzz_below(in, 17) - 8.0;
    switch (kind) {
    case 7:
        return other;
    case 8:
        return small / 3.0;
    case 9:
        return nextafter(small, fuzz_byte(in) % 2 ? 10.0 : -10.0);
    case 10:
        return ldexp(small, (int)fuzz_below(in, 200) * 7 - 1074);
    case 11:
        return fuzz_raw_double(in);
    default:
        return small;
    }
}

static void point(plane *p, fuzz_input *in, double out[2])
{
    for (int k = 0; k < 2; k++)
        p->last[k] = out[k] = number(in, p->last[k]);
}

static grz_flat_item read_item(plane *p, fuzz_input *in)
{
    grz_flat_item item = {.kind = (grz_flat_kind)(fuzz_byte(in) % 16 == 15 ? 3 : fuzz_below(in, 3))};
    point(p, in, item.from);
    if (item.kind == GRZ_FLAT_POINT)
        memcpy(item.to, item.from, sizeof item.to);
    else
        point(p, in, item.to);
    for (int k = 0; k < 2 && item.kind == GRZ_FLAT_BOX; k++)
        if (item.from[k] > item.to[k]) {
            const double low = item.to[k];
            item.to[k] = item.from[k];
            item.from[k] = low;
        }
    return item;
}

static void mirror(double v[2])
{
    const double x = v[0];
    v[0] = v[1];
    v[1] = x;
}

// What a set is given: the mirrored one with x and y exchanged.
static const grz_flat_item *for_set(int set, const grz_flat_item *items, uint64_t count, grz_flat_item *copy)
{
    if (set < SETS - 1)
        return items;
    for (uint64_t i = 0; i < count; i++) {
        copy[i] = items[i];
        mirror(copy[i].from);
        mirror(copy[i].to);
    }
    return copy;
}

static bool create(plane *p, fuzz_input *in)
{
    grz_flat_item items[MOST], mirrored[MOST];
    const uint32_t count = fuzz_below(in, MOST);
    grz_status first = GRZ_OK;
    for (uint32_t i = 0; i < count; i++)
        items[i] = read_item(p, in);
    for (int set = 0; set < SETS; set++) {
        grz_flat_options options = grz_default_flat_options();
        options.search = (grz_flat_search)(set % 4);
        if (set == SETS - 1)
            options.search = (grz_flat_search)(count % 4);
        const grz_status status =
            grz_flat_create(fuzz_device(), for_set(set, items, count, mirrored), count, &options, &p->sets[set], NULL);
        first = set == 0 ? status : first;
        FUZZ_REQUIRE(status == first && (status == GRZ_OK) == (p->sets[set] != NULL));
    }
    FUZZ_REQUIRE(first == GRZ_OK || first == GRZ_ERROR_ARGUMENT);
    return first == GRZ_OK;
}

static void change(plane *p, fuzz_input *in)
{
    grz_flat_item items[MOST], mirrored[MOST];
    uint32_t numbers[MOST], given[SETS][MOST];
    const uint32_t kind = fuzz_below(in, 3), count = fuzz_below(in, 6);
    grz_status first = GRZ_OK;
    for (uint32_t i = 0; i < count; i++) {
        items[i] = read_item(p, in);
        numbers[i] = fuzz_below(in, MOST);
    }
    const uint64_t before = grz_flat_count(p->sets[0]);
    if (kind == 2 && before + count > MOST)
        return;
    for (int set = 0; set < SETS; set++) {
        const grz_flat_item *own = for_set(set, items, count, mirrored);
        const grz_status status = kind == 0   ? grz_flat_move(p->sets[set], numbers, own, count, NULL, NULL)
                                  : kind == 1 ? grz_flat_remove(p->sets[set], numbers, count, NULL, NULL)
                                              : grz_flat_add(p->sets[set], own, count, NULL, given[set], NULL);
        first = set == 0 ? status : first;
        FUZZ_REQUIRE(status == first && (status == GRZ_OK || status == GRZ_ERROR_ARGUMENT));
        const uint64_t wanted = status != GRZ_OK || kind == 0 ? before : kind == 1 ? before - count : before + count;
        FUZZ_REQUIRE(grz_flat_count(p->sets[set]) == wanted);
        FUZZ_REQUIRE(kind != 2 || status != GRZ_OK || memcmp(given[set], given[0], count * sizeof given[0][0]) == 0);
    }
}

// ---- Questions ------------------------------------------------------------------------------------------------------

static void check_pairs(const plane *p)
{
    static grz_flat_pair pairs[SETS][ROOM];
    uint64_t found[SETS];
    for (int set = 0; set < SETS; set++) {
        FUZZ_REQUIRE(grz_flat_pairs(p->sets[set], NULL, pairs[set], ROOM, &found[set], NULL) == GRZ_OK);
        FUZZ_REQUIRE(found[set] == found[0] && found[0] <= ROOM);
        FUZZ_REQUIRE(memcmp(pairs[set], pairs[0], (size_t)found[0] * sizeof pairs[0][0]) == 0);
    }
    // An item that is a box, asked for as a box: its pairs and itself.
    for (uint32_t i = 0; i < 2 * MOST; i++) {
        grz_flat_item item;
        uint32_t numbers[2 * MOST];
        uint64_t count, wanted = 1;
        if (!grz_flat_item_at(p->sets[0], i, &item) || item.kind == GRZ_FLAT_SEGMENT)
            continue;
        for (uint64_t k = 0; k < found[0]; k++)
            wanted += pairs[0][k].a == i || pairs[0][k].b == i ? 1 : 0;
        FUZZ_REQUIRE(grz_flat_in_box(p->sets[2], item.from, item.to, NULL, numbers, 2 * MOST, &count, NULL) == GRZ_OK);
        FUZZ_REQUIRE(count == wanted);
    }
}

static void check_nearest(const plane *p, const double at[2])
{
    grz_flat_near near[SETS];
    for (int set = 0; set < SETS; set++) {
        double own[2] = {at[0], at[1]};
        if (set == SETS - 1)
            mirror(own);
        const grz_status status = grz_flat_nearest(p->sets[set], own, 1, NULL, &near[set], NULL);
        if (status != GRZ_OK) {
            FUZZ_REQUIRE(set == 0 && status == GRZ_ERROR_ARGUMENT &&
                         !(fabs(at[0]) <= 0x1p300 && fabs(at[1]) <= 0x1p300));
            return;
        }
        FUZZ_REQUIRE(near[set].number == near[0].number && near[set].distance == near[0].distance);
    }
    FUZZ_REQUIRE((near[0].number == GRZ_FLAT_NONE) == (grz_flat_count(p->sets[0]) == 0));
    if (near[0].number == GRZ_FLAT_NONE || near[0].distance > 0x1p299)
        return;
    // A circle of this radius, rounded up, holds the item; one that is smaller holds nothing.
    uint32_t numbers[2 * MOST];
    uint64_t count;
    bool has = false;
    const double more = nextafter(near[0].distance, HUGE_VAL), less = nextafter(near[0].distance, -HUGE_VAL);
    FUZZ_REQUIRE(grz_flat_in_circle(p->sets[1], at, more, NULL, numbers, 2 * MOST, &count, NULL) == GRZ_OK);
    for (uint64_t i = 0; i < count; i++)
        has = has || numbers[i] == near[0].number;
    FUZZ_REQUIRE(has);
    if (less >= 0.0) {
        FUZZ_REQUIRE(grz_flat_in_circle(p->sets[3], at, less, NULL, numbers, 2 * MOST, &count, NULL) == GRZ_OK);
        FUZZ_REQUIRE(count == 0);
    }
}

static void check_circle(const plane *p, const double at[2], double radius)
{
    uint32_t numbers[SETS][2 * MOST];
    uint64_t count[SETS];
    for (int set = 0; set < SETS; set++) {
        double own[2] = {at[0], at[1]};
        if (set == SETS - 1)
            mirror(own);
        if (grz_flat_in_circle(p->sets[set], own, radius, NULL, numbers[set], 2 * MOST, &count[set], NULL) != GRZ_OK) {
            FUZZ_REQUIRE(set == 0);
            return;
        }
        FUZZ_REQUIRE(count[set] == count[0] &&
                     memcmp(numbers[set], numbers[0], (size_t)count[0] * sizeof numbers[0][0]) == 0);
    }
}

static void check_ray(const plane *p, const grz_flat_ray *ray)
{
    grz_flat_hit hits[SETS][2 * MOST], first;
    uint64_t count[SETS];
    for (int set = 0; set < SETS; set++) {
        grz_flat_ray own = *ray;
        if (set == SETS - 1) {
            mirror(own.from);
            mirror(own.to);
        }
        if (grz_flat_all_hits(p->sets[set], &own, NULL, hits[set], 2 * MOST, &count[set], NULL) != GRZ_OK) {
            FUZZ_REQUIRE(set == 0);
            return;
        }
        FUZZ_REQUIRE(count[set] == count[0]);
        FUZZ_REQUIRE(grz_flat_first_hits(p->sets[set], &own, 1, NULL, &first, NULL) == GRZ_OK);
        FUZZ_REQUIRE(first.number == (count[0] > 0 ? hits[0][0].number : GRZ_FLAT_NONE));
        FUZZ_REQUIRE(first.t == (count[0] > 0 ? hits[0][0].t : HUGE_VAL));
        for (uint64_t i = 0; i < count[0]; i++) {
            FUZZ_REQUIRE(hits[set][i].number == hits[0][i].number && hits[set][i].t == hits[0][i].t);
            FUZZ_REQUIRE(hits[0][i].t >= 0.0 && (own.endless || hits[0][i].t <= 1.0));
            FUZZ_REQUIRE(i == 0 || hits[0][i].t >= hits[0][i - 1].t);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    plane p = {.sets = {NULL}};
    if (create(&p, &in))
        for (int round = 0; round < 6 && in.size > 0; round++) {
            double at[2];
            grz_flat_ray ray = {.endless = fuzz_byte(&in) % 2 != 0};
            point(&p, &in, at);
            point(&p, &in, ray.from);
            point(&p, &in, ray.to);
            check_pairs(&p);
            check_nearest(&p, at);
            check_circle(&p, at, number(&in, p.last[0]));
            check_ray(&p, &ray);
            change(&p, &in);
        }
    for (int set = 0; set < SETS; set++)
        grz_flat_destroy(p.sets[set]);
    return 0;
}
