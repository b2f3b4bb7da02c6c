// SPDX-License-Identifier: MIT
// The list of all events of a path (src/ask/penetration/first_overlap/event_list.h) against its slow twin, which finds
// one event after the other by a walk for each; in parts, and with a limit. And that every pair of triangles which
// begins to touch, or ends, is in the list at that time.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ask/penetration/depth.h"
#include "ask/penetration/events.h"
#include "ask/penetration/first_overlap/event_list.h"
#include "base/fp_guard.h"
#include "mesh/triangles.h"
#include "support_own_device.h"
#include "support_sanitizer.h"
#include "support_solids.h"

typedef struct situation {
    test_mesh surfaces[2];
    grz_object objects[2];
    grz_move_call call;
    grz_overlapping start;
    grz_path path;
    grz_fp_state fp;
} situation;

// Two solids of cells, of which one moves from one grid point to another. In half of them the cells are tenths, which
// doubles round, so that events that belong together come one after the other.
static void begin(situation *s, random_stream *random, bool tenths)
{
    double to[3];
    *s = (situation){.start = {.reason = NULL}};
    for (int i = 0; i < 2; i++) {
        const solid_cells cells = solid_random(random, 1 + random_below(random, 2));
        s->surfaces[i] = solid_surface(&cells, false);
        for (uint32_t v = 0; v < 3 * s->surfaces[i].vertex_count && tenths; v++)
            s->surfaces[i].positions[v] *= 0.1;
        s->objects[i] = grz_object_at_origin(test_mesh_upload(device, &s->surfaces[i]));
    }
    for (int k = 0; k < 3; k++) {
        const double unit = tenths ? 0.1 : 1.0;
        s->objects[0].pose.m[k][3] = unit * 4.0 * ((double)random_below(random, 7) - 3.0);
        to[k] = random_below(random, 2) == 0 ? s->objects[0].pose.m[k][3]
                                             : unit * ((double)random_below(random, 25) - 12.0);
    }
    s->fp = grz_fp_enter();
    assert_int_equal(grz_move_begin(&s->call, "test", device, NULL, NULL), GRZ_OK);
    assert_int_equal(grz_overlapping_find_surfaces(&s->call, &s->objects[0], &s->objects[1], &s->start), GRZ_OK);
    double direction[3];
    for (int k = 0; k < 3; k++)
        direction[k] = to[k] - s->objects[0].pose.m[k][3];
    grz_path_along(&s->path, &s->objects[0], direction, 1.0, &s->objects[1]);
}

static void end(situation *s)
{
    grz_overlapping_finish(&s->call, &s->start);
    grz_fp_leave(s->fp);
    for (int i = 0; i < 2; i++) {
        grz_mesh_destroy((grz_mesh *)s->objects[i].mesh);
        test_mesh_finish(&s->surfaces[i]);
    }
}

static const grz_posed_surface *clean_surfaces(const situation *s)
{
    return s->start.clean ? s->start.surfaces : NULL;
}

static bool find(situation *s, const grz_instant *from, double until, size_t max_pairs, grz_event_list *list)
{
    bool full;
    assert_int_equal(grz_event_list_find(&s->call, &s->path, clean_surfaces(s), from, until, max_pairs, list, &full),
                     GRZ_OK);
    return full;
}

// True if there is an event of the list at that time, with that pair.
static bool has_pair(const situation *s, const grz_event_list *list, const grz_instant *when, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < list->pairs.count; i++) {
        const grz_event_pair *pair = &list->pairs.items[i];
        const grz_event *event = &list->events.items[pair->event];
        grz_instant time;
        if (pair->a != a || pair->b != b || event->at.lower != when->at.lower || event->at.upper != when->at.upper)
            continue;
        grz_event_instant(&s->path, event, &time);
        if (grz_instants_compare(&time, when) == 0)
            return true;
    }
    return false;
}

// All pairs of triangles: where their meeting begins and ends there is an event of theirs.
static size_t check_pairs(const situation *s, const grz_event_list *list)
{
    size_t ends = 0;
    for (uint32_t a = 0; a < s->path.a->mesh->triangle_count; a++)
        for (uint32_t b = 0; b < s->path.b->mesh->triangle_count; b++) {
            double corners[2][3][3];
            grz_meeting m;
            grz_world_corners(s->path.a->mesh, &s->path.a->pose, a, corners[0]);
            grz_world_corners(s->path.b->mesh, &s->path.b->pose, b, corners[1]);
            if (!grz_meeting_set(&m, (const double(*)[3])corners[0], (const double(*)[3])corners[1], &s->path.motion) ||
                !grz_meeting_happens(&m) || m.always)
                continue;
            for (int k = 0; k < 2; k++) {
                const grz_meeting_end which = k == 0 ? GRZ_MEETING_ENTER : GRZ_MEETING_LEAVE;
                if (grz_meeting_compare_to(&m, which, 0.0) < 0 || grz_meeting_compare_to(&m, which, 1.0) >= 0)
                    continue;
                grz_instant when = {.at = grz_meeting_round(&m, which)};
                grz_meeting_time(&m, which, &when.exact);
                assert_true(has_pair(s, list, &when, a, b));
                ends++;
            }
        }
    return ends;
}

static void lists_are_what_single_events_are(void **state)
{
    random_stream random = {83};
    const int cases = TEST_SANITIZED ? 6 : 24;
    size_t events = 0, compared = 0, ends = 0, parts = 0;
    (void)state;
    for (int i = 0; i < cases; i++) {
        situation s;
        grz_event_list list = {.events = {0}}, part = {.events = {0}};
        grz_instant zero, one;
        begin(&s, &random, i % 2 == 1);
        grz_instant_set(&zero, 0.0);
        grz_instant_set(&one, 1.0);
        assert_false(find(&s, &zero, 1.0, SIZE_MAX, &list));
        assert_true(list.pairs.count == 0 || find(&s, &zero, 1.0, list.pairs.count / 2, &part));
        for (size_t k = 0; k <= list.events.count; k += 4) { // after one, or after the start, comes the next
            grz_instant at = zero, next, listed = one;
            bool any;
            if (k > 0)
                grz_event_instant(&s.path, &list.events.items[k - 1], &at);
            if (k < list.events.count)
                grz_event_instant(&s.path, &list.events.items[k], &listed);
            if (grz_instants_compare(&listed, &zero) == 0)
                continue; // at the start itself
            assert_int_equal(grz_event_after(&s.call, &s.path, &at, &next, &any), GRZ_OK);
            assert_true((any && grz_instants_compare(&next, &one) < 0) == (k < list.events.count));
            if (k < list.events.count)
                assert_int_equal(grz_instants_compare(&next, &listed), 0);
            compared++;
        }
        for (size_t k = 0; k < list.events.count; k += 5) { // from an event on, to the one after the next
            grz_instant from;
            const size_t last = k + 2 < list.events.count ? k + 2 : list.events.count;
            grz_event_instant(&s.path, &list.events.items[k], &from);
            const double until = last < list.events.count ? list.events.items[last].at.lower : 1.0;
            assert_false(find(&s, &from, until, SIZE_MAX, &part));
            size_t expected = 0;
            while (k + expected < list.events.count && list.events.items[k + expected].at.lower < until)
                expected++;
            assert_int_equal(part.events.count, expected);
            parts++;
        }
        events += list.events.count;
        ends += check_pairs(&s, &list);
        grz_event_list_finish(grz_control_allocator(&s.call.frame.control), &list);
        grz_event_list_finish(grz_control_allocator(&s.call.frame.control), &part);
        end(&s);
    }
    print_message("%zu events, %zu compared, %zu parts, %zu ends of meetings\n", events, compared, parts, ends);
    assert_true(events > (TEST_SANITIZED ? 20 : 300) && ends > 100 && parts > 10 && compared > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists_are_what_single_events_are)};
    return cmocka_run_group_tests(tests, open_device, close_device);
}
