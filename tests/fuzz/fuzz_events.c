// SPDX-License-Identifier: MIT
// Fuzzes what is kept from frame to frame. The bytes are the history of a scene, whose events are compared with the
// difference of two sets of pairs, or frames of contact points, some of which are bad: their numbers are compared with
// those of all pairs sorted by distance, and with those of the same points exchanged and in another order.
#include <math.h>

#include "fuzz_input.h"
#include "support_contact_twin.h"
#include "support_fuzz_queries.h"
#include "support_scene_events.h"

enum {
    MOST_STEPS = 40,
    MOST_FRAMES = 12,
    MOST_POINTS = 20
};

static uint32_t draw(void *source, uint32_t count)
{
    return fuzz_below(source, count);
}

static void follow_scene(fuzz_input *in)
{
    test_events_world *w = test_events_open(1, draw, in);
    for (int i = 0; i < MOST_STEPS && in->size > 0; i++)
        test_events_step(w);
    test_events_close(w);
}

static grz_feature feature(fuzz_input *in)
{
    const uint32_t b = fuzz_byte(in);
    return (grz_feature){{b % 3 == 0 ? GRZ_NO_VERTEX : b / 3 % 3, b % 3 == 2 ? b / 9 % 3 : GRZ_NO_VERTEX}};
}

static double number(fuzz_input *in)
{
    const uint32_t kind = fuzz_below(in, 16);
    return kind == 15 ? fuzz_raw_double(in) : kind < 12 ? fuzz_below(in, 5) : (fuzz_below(in, 65) - 32.0) / 7.0;
}

static grz_tracked_point read_point(fuzz_input *in)
{
    const uint32_t b = fuzz_byte(in);
    grz_tracked_point p = {.object_a = b % 3, .object_b = b / 3 % 4, .face_a = b / 12 % 2, .face_b = b / 24 % 2};
    p.feature_a = feature(in);
    p.feature_b = feature(in);
    const uint32_t normal = fuzz_byte(in);
    p.normal[0] = normal % 3 - 1.0;
    p.normal[1] = normal / 3 % 3 - 1.0;
    p.normal[2] = normal / 9 % 3 - 1.0;
    for (int k = 0; k < 3; k++)
        p.position[k] = number(in);
    return p;
}

static bool is_good(const grz_tracked_point *p)
{
    for (int k = 0; k < 3; k++)
        if (!(fabs(p->position[k]) <= 0x1p300))
            return false;
    return true;
}

// Points that are alike in everything are told apart by their order alone: there is one of each.
static bool is_another(const grz_tracked_point *points, uint32_t count, const grz_tracked_point *p)
{
    const test_twin_point x = test_twin_read(p, 0);
    for (uint32_t i = 0; i < count; i++) {
        const test_twin_point y = test_twin_read(&points[i], 0);
        if (test_twin_compare(&x, &y) == 0)
            return false;
    }
    // Of one object with itself at one feature nothing says which is A.
    return memcmp(x.key, x.key + TEST_TWIN_KEY / 2, sizeof x.key / 2) != 0;
}

// Read the next frame: some points stay, some change, some are new. A bad one is in *bad.
static uint32_t read_frame(fuzz_input *in, grz_tracked_point *points, uint32_t count, grz_tracked_point *bad)
{
    const uint32_t wanted = fuzz_below(in, MOST_POINTS + 1);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < wanted; i++) {
        const uint32_t b = fuzz_byte(in);
        grz_tracked_point p = i < count && b % 4 != 0 ? points[i] : read_point(in);
        if (b % 4 == 1)
            p.feature_b = feature(in);
        const uint32_t quarters = b / 16;
        if (b % 4 == 2)
            p.position[b / 4 % 3] += 0.25 * quarters;
        if (!is_good(&p))
            *bad = p;
        else if (is_another(points, kept, &p))
            points[kept++] = p;
    }
    return kept;
}

static grz_contact_tracker_options read_options(fuzz_input *in)
{
    static const double distances[] = {0.0, 0.25, 1.0, 1.5, 3.0, 1e200, (double)INFINITY, 0x1p-1000};
    static const double angles[] = {0x1.0c152382d7366p-1, 0.1, 1.2, 3.0};
    grz_contact_tracker_options options = grz_default_contact_tracker_options();
    const uint32_t b = fuzz_byte(in);
    options.match_distance = distances[b % 8];
    options.match_angle = angles[b / 8 % 4];
    return options;
}

static void follow_contacts(fuzz_input *in)
{
    grz_contact_tracker *tracker, *other;
    grz_tracked_point points[MOST_POINTS + 1], turned[MOST_POINTS + 1];
    grz_contact_id ids[MOST_POINTS + 1], other_ids[MOST_POINTS + 1];
    test_twin *twin = calloc(1, sizeof *twin);
    uint32_t count = 0;
    FUZZ_REQUIRE(twin != NULL && grz_contact_tracker_create(fuzz_device(), &tracker, NULL) == GRZ_OK &&
                 grz_contact_tracker_create(fuzz_device(), &other, NULL) == GRZ_OK);
    for (int frame = 0; frame < MOST_FRAMES && in->size > 0; frame++) {
        grz_tracked_point bad = {.position = {0}};
        const grz_contact_tracker_options options = read_options(in);
        count = read_frame(in, points, count, &bad);
        if (!is_good(&bad)) { // refused, and nothing changes
            points[count] = bad;
            FUZZ_REQUIRE(grz_contact_tracker_update(tracker, points, count + 1, &options, ids, NULL) ==
                         GRZ_ERROR_ARGUMENT);
        }
        FUZZ_REQUIRE(grz_contact_tracker_update(tracker, points, count, &options, ids, NULL) == GRZ_OK);
        test_twin_update(twin, points, count, &options);
        FUZZ_REQUIRE(test_twin_agrees(twin, tracker, ids));
        const uint32_t shift = count > 0 ? fuzz_below(in, count) : 0, exchange = fuzz_byte(in);
        for (uint32_t i = 0; i < count; i++) {
            const grz_tracked_point *p = &points[(i + shift) % count];
            turned[i] = exchange >> i % 8 & 1 ? test_twin_exchanged(p) : *p;
        }
        FUZZ_REQUIRE(grz_contact_tracker_update(other, turned, count, &options, other_ids, NULL) == GRZ_OK);
        for (uint32_t i = 0; i < count; i++)
            FUZZ_REQUIRE(other_ids[i].id == ids[(i + shift) % count].id);
    }
    grz_contact_tracker_destroy(tracker);
    grz_contact_tracker_destroy(other);
    free(twin);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    if (fuzz_byte(&in) % 2 == 0)
        follow_scene(&in);
    else
        follow_contacts(&in);
    return 0;
}
