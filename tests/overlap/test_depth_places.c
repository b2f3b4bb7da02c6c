// SPDX-License-Identifier: MIT
// How cells that are deep are joined to places (ask/overlap/depth/depth_places.h): over faces, not over edges or
// corners; what a place takes from its cells; which cells are opened again.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "ask/overlap/depth/depth_places.h"
#include "support_own_device.h"

typedef struct fixture {
    grz_call call;
    grz_cover cover;
    grz_error error;
} fixture;

static void begin(fixture *f)
{
    f->cover = (grz_cover){.call = &f->call};
    assert_int_equal(grz_call_begin(&f->call, "places", device, NULL, NULL, NULL, &f->error), GRZ_OK);
}

static void end(fixture *f)
{
    grz_array_finish(grz_control_allocator(&f->call.control), &f->cover.places);
    grz_array_finish(grz_control_allocator(&f->call.control), &f->cover.open);
    assert_int_equal(grz_call_end(&f->call, GRZ_OK), GRZ_OK);
}

// A cube of size 1 at a corner, with the depth of its deepest point, which is its middle.
static void add_place(fixture *f, double x, double y, double z, double depth)
{
    grz_cover_place *place = grz_array_add(grz_control_allocator(&f->call.control), &f->cover.places)
                                 ? &f->cover.places.items[f->cover.places.count - 1]
                                 : NULL;
    assert_non_null(place);
    *place = (grz_cover_place){.cell = {.box = {{x, y, z}, {x + 1, y + 1, z + 1}}, .upper = depth + 0.5},
                               .deepest = {depth, {x + 0.5, y + 0.5, z + 0.5}}};
}

static void places_share_faces(void **state)
{
    grz_overlap_part parts[8];
    uint64_t count;
    fixture f;
    (void)state;
    begin(&f);
    add_place(&f, 0, 0, 0, 1);
    add_place(&f, 1, 1, 0, 2); // shares an edge
    add_place(&f, 2, 2, 1, 3); // shares a corner with that
    assert_int_equal(grz_places_list(&f.cover, parts, 8, &count), GRZ_OK);
    assert_int_equal(count, 3);
    for (int i = 0; i < 3; i++)
        assert_true(parts[i].lower == 3 - i && parts[i].upper == parts[i].lower + 0.5);
    add_place(&f, 1, 0.5, 0, 0.5); // shares parts of faces with the first two
    assert_int_equal(grz_places_list(&f.cover, parts, 8, &count), GRZ_OK);
    assert_int_equal(count, 2);
    assert_true(parts[0].lower == 3 && parts[1].lower == 2 && parts[1].upper == 2.5);
    const double centre[3] = {1.5, 1.5, 0.5}, low[3] = {0, 0, 0}, high[3] = {2, 2, 1};
    assert_memory_equal(parts[1].centre, centre, sizeof centre);
    assert_memory_equal(parts[1].min, low, sizeof low);
    assert_memory_equal(parts[1].max, high, sizeof high);
    end(&f);
}

// Whichever cell comes last.
static void a_place_is_as_deep_as_its_deepest_cell(void **state)
{
    (void)state;
    for (int deepest = 0; deepest < 3; deepest++) {
        grz_overlap_part parts[8];
        uint64_t count;
        fixture f;
        begin(&f);
        for (int i = 0; i < 3; i++)
            add_place(&f, i, 0, 0, i == deepest ? 2 : 1);
        assert_int_equal(grz_places_list(&f.cover, parts, 8, &count), GRZ_OK);
        assert_int_equal(count, 1);
        assert_true(parts[0].lower == 2 && parts[0].upper == 2.5 && parts[0].centre[0] == deepest + 0.5);
        end(&f);
    }
}

// Of two groups the one with a point that is deep enough stays closed.
static void groups_without_a_deep_point_are_opened_again(void **state)
{
    fixture f;
    bool any;
    (void)state;
    begin(&f);
    add_place(&f, 0, 0, 0, 0);
    add_place(&f, 1, 0, 0, 2);
    add_place(&f, 3, 0, 0, 0);
    assert_int_equal(grz_places_open_doubtful(&f.cover, 1, &any), GRZ_OK);
    assert_true(any && f.cover.places.count == 2 && f.cover.open.count == 1);
    assert_true(f.cover.open.items[0].box.min[0] == 3);
    assert_int_equal(grz_places_open_doubtful(&f.cover, 1, &any), GRZ_OK);
    assert_true(!any && f.cover.places.count == 2);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_share_faces),
        cmocka_unit_test(a_place_is_as_deep_as_its_deepest_cell),
        cmocka_unit_test(groups_without_a_deep_point_are_opened_again),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
