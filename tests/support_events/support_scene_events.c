// SPDX-License-Identifier: MIT
// The test's own record of the scene says what has changed since when, so that it knows what each query asked about.
#include "support_scene_events.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Ends the program, so that a fuzzer sees it, too.
__attribute__((format(printf, 1, 2), noreturn)) static void fail_msg(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vfprintf(stderr, format, values);
    va_end(values);
    fputc('\n', stderr);
    abort();
}

static void need_at(bool holds, const char *what, int line)
{
    if (!holds)
        fail_msg("support_scene_events.c:%d: %s", line, what);
}

#define need(holds) need_at(holds, #holds, __LINE__)

static uint32_t draw_below(const test_events_world *w, uint32_t count)
{
    return w->draw(w->source, count);
}

static grz_pair_state state_in(const test_pair_set *set, const test_held_pair *pair)
{
    for (size_t i = 0; i < set->count; i++) {
        const test_held_pair *p = &set->items[i];
        if (p->a == pair->a && p->b == pair->b && p->serial_a == pair->serial_a && p->serial_b == pair->serial_b)
            return p->state;
    }
    return GRZ_PAIR_APART;
}

static void add_to(test_pair_set *set, test_held_pair pair)
{
    if (pair.state == GRZ_PAIR_APART)
        return;
    need(set->count < TEST_EVENTS_HELD);
    set->items[set->count++] = pair;
}

static bool in_list(const grz_scene_event *list, uint64_t count, const test_held_pair *pair, grz_pair_state before,
                    grz_pair_state now)
{
    int found = 0;
    for (uint64_t i = 0; i < count; i++)
        if (list[i].a == pair->a && list[i].b == pair->b && list[i].serial_a == pair->serial_a &&
            list[i].serial_b == pair->serial_b) {
            need(list[i].before == before && list[i].now == now);
            found++;
        }
    need(found <= 1);
    return found == 1;
}

static void expect_pair(const grz_scene_events *events, const test_held_pair *pair, grz_pair_state before,
                        grz_pair_state now, uint64_t left[GRZ_PAIR_STATE_COUNT][GRZ_PAIR_EVENT_COUNT])
{
    for (int state = GRZ_PAIR_APART + 1; state < GRZ_PAIR_STATE_COUNT; state++)
        for (int event = 0; event < GRZ_PAIR_EVENT_COUNT; event++) {
            const bool was = (int)before == state, is = (int)now == state;
            const bool expected = event == GRZ_PAIR_BEGAN   ? is && !was
                                  : event == GRZ_PAIR_STAYS ? is && was
                                                            : was && !is;
            uint64_t count;
            const grz_scene_event *list =
                grz_scene_events_pairs(events, (grz_pair_state)state, (grz_pair_event)event, &count);
            if (in_list(list, count, pair, before, now) != expected)
                fail_msg("pair %u %u, from %d to %d: state %d, event %d is wrong", pair->a, pair->b, (int)before,
                         (int)now, state, event);
            left[state][event] -= expected;
        }
}

// The lists are the difference of two sets, and sorted.
static void expect_difference(const grz_scene_events *events, const test_pair_set *before, const test_pair_set *now)
{
    uint64_t left[GRZ_PAIR_STATE_COUNT][GRZ_PAIR_EVENT_COUNT] = {{0}};
    for (int state = GRZ_PAIR_APART + 1; state < GRZ_PAIR_STATE_COUNT; state++)
        for (int event = 0; event < GRZ_PAIR_EVENT_COUNT; event++) {
            const grz_scene_event *list =
                grz_scene_events_pairs(events, (grz_pair_state)state, (grz_pair_event)event, &left[state][event]);
            need((list == NULL) == (left[state][event] == 0));
            for (uint64_t i = 0; i < left[state][event]; i++) {
                need(list[i].a < list[i].b);
                need(i == 0 || list[i - 1].a < list[i].a || (list[i - 1].a == list[i].a && list[i - 1].b < list[i].b));
            }
        }
    for (size_t i = 0; i < now->count; i++)
        expect_pair(events, &now->items[i], state_in(before, &now->items[i]), now->items[i].state, left);
    for (size_t i = 0; i < before->count; i++)
        if (state_in(now, &before->items[i]) == GRZ_PAIR_APART)
            expect_pair(events, &before->items[i], before->items[i].state, GRZ_PAIR_APART, left);
    for (int state = 0; state < GRZ_PAIR_STATE_COUNT; state++)
        for (int event = 0; event < GRZ_PAIR_EVENT_COUNT; event++)
            if (left[state][event] != 0)
                fail_msg("state %d, event %d: %lld pairs too many", state, event, (long long)left[state][event]);
}

// ---- Random histories ---------------------------------------------------------------------------------------------

test_events_world *test_events_open(unsigned threads, test_events_draw *draw, void *source)
{
    test_events_world *w = calloc(1, sizeof *w);
    need(w != NULL);
    w->draw = draw;
    w->source = source;
    w->device = test_device_open(threads);
    w->result = test_result_create(w->device);
    w->alone = test_result_create(w->device);
    w->sources[0] = test_mesh_cube(0, 0, 0, 2);
    w->sources[1] = test_mesh_cube(0.25, 0.25, 0.25, 0.5);
    w->sources[2] = test_mesh_grid(3, 3, 1.0);
    w->sources[3] = test_mesh_cube_quads(0, 0, 0, 5);
    w->sources[4] = test_mesh_cube(0, 0, 0, 4); // without a lid
    w->sources[4].face_count -= 2;
    w->sources[4].index_count -= 6;
    for (int i = 0; i < TEST_EVENTS_MESHES; i++)
        w->meshes[i] = test_mesh_upload(w->device, &w->sources[i]);
    need(grz_scene_create(w->device, &w->scene, NULL) == GRZ_OK);
    need(grz_scene_events_create(w->scene, &w->events, NULL) == GRZ_OK);
    w->reference = GRZ_ALL_OBJECTS;
    return w;
}

void test_events_close(test_events_world *w)
{
    grz_scene_destroy(w->scene);
    grz_scene_events_destroy(w->events); // after its scene
    for (int i = 0; i < TEST_EVENTS_MESHES; i++) {
        grz_mesh_destroy(w->meshes[i]);
        test_mesh_finish(&w->sources[i]);
    }
    grz_result_destroy(w->result);
    grz_result_destroy(w->alone);
    grz_device_close(w->device);
    free(w);
}

static grz_pose random_place(test_events_world *w)
{
    return grz_pose_from_translation(0.5 * draw_below(w, 17) - 4.0, 0.5 * draw_below(w, 17) - 4.0,
                                     0.5 * draw_below(w, 5) - 1.0);
}

static void add_object(test_events_world *w)
{
    const uint32_t mesh = draw_below(w, TEST_EVENTS_MESHES);
    grz_object object = grz_object_at(w->meshes[mesh], random_place(w));
    uint32_t id;
    if (draw_below(w, 4) == 0)
        object.mask = 2 + draw_below(w, 2);
    if (grz_scene_object_count(w->scene) == TEST_EVENTS_OBJECTS)
        return;
    need(grz_scene_add(w->scene, &object, &id, NULL) == GRZ_OK);
    need(id < TEST_EVENTS_OBJECTS && !w->used[id]);
    w->used[id] = w->changed[id] = true;
    w->objects[id] = object;
    w->mesh_of[id] = mesh;
    w->serials[id] = grz_scene_object_serial(w->scene, id);
    need(w->serials[id] > w->last_serial); // never given again
    w->last_serial = w->serials[id];
}

static void deform(test_events_world *w)
{
    const uint32_t mesh = draw_below(w, TEST_EVENTS_MESHES);
    test_mesh moved = test_mesh_copy(&w->sources[mesh]);
    test_mesh_scale(&moved, 1.0 + 0.5 * draw_below(w, 2), 1.0, 1.0);
    need(grz_mesh_set_positions(w->meshes[mesh], moved.positions, NULL) == GRZ_OK);
    test_mesh_finish(&moved);
    for (uint32_t id = 0; id < TEST_EVENTS_OBJECTS; id++)
        w->changed[id] = w->changed[id] || (w->used[id] && w->mesh_of[id] == mesh);
}

static void take_step(test_events_world *w)
{
    const uint32_t id = draw_below(w, TEST_EVENTS_OBJECTS), step = draw_below(w, 12);
    if (step < 2) {
        add_object(w);
    } else if (step == 2) {
        deform(w);
    } else if (!w->used[id]) {
        need(grz_scene_object_serial(w->scene, id) == 0);
    } else if (step == 3) {
        need(grz_scene_remove(w->scene, id, NULL) == GRZ_OK);
        w->used[id] = false;
        if (draw_below(w, 2) == 0)
            add_object(w); // may take its number
    } else if (step == 4) {
        w->objects[id].mask = 1 + draw_below(w, 3);
        w->objects[id].group = 1 + draw_below(w, 3);
        const grz_object *now = grz_scene_object(w->scene, id);
        const bool same = now->mask == w->objects[id].mask && now->group == w->objects[id].group;
        need(grz_scene_set_groups(w->scene, id, w->objects[id].group, w->objects[id].mask, NULL) == GRZ_OK);
        w->changed[id] = w->changed[id] || !same;
    } else {
        const grz_pose pose = random_place(w);
        w->changed[id] = w->changed[id] || memcmp(&pose, &w->objects[id].pose, sizeof pose) != 0;
        w->objects[id].pose = pose;
        need(grz_scene_set_pose(w->scene, id, &pose, NULL) == GRZ_OK);
    }
}

// By single calls, not by the scene.
static grz_pair_state state_of(test_events_world *w, uint32_t a, uint32_t b, const grz_collide_options *options)
{
    grz_collide_options alone = *options;
    const grz_object *x = &w->objects[a], *y = &w->objects[b];
    if ((x->group & y->mask) == 0 || (y->group & x->mask) == 0)
        return GRZ_PAIR_APART;
    alone.find &= ~(uint32_t)GRZ_FIND_CHANGED;
    alone.reference = GRZ_ALL_OBJECTS;
    need(grz_collide(w->device, x, y, &alone, w->alone, NULL) == GRZ_OK);
    const grz_summary *summary = grz_result_summary(w->alone);
    if (summary->relation != GRZ_APART)
        return GRZ_PAIR_COLLIDING;
    if (summary->clearance == GRZ_CLEARANCE_NOT_MET)
        return GRZ_PAIR_NEAR;
    return summary->containment == GRZ_CONTAINMENT_UNDECIDABLE ? GRZ_PAIR_UNDECIDED : GRZ_PAIR_APART;
}

static bool is_asked(const test_events_world *w, uint32_t a, uint32_t b, const grz_collide_options *options)
{
    return (options->reference == GRZ_ALL_OBJECTS || a == options->reference || b == options->reference) &&
           ((options->find & GRZ_FIND_CHANGED) == 0 || w->changed[a] || w->changed[b]);
}

static void make_set(test_events_world *w, const grz_collide_options *options, test_pair_set *now)
{
    now->count = 0;
    for (uint32_t a = 0; a < TEST_EVENTS_OBJECTS; a++)
        for (uint32_t b = a + 1; b < TEST_EVENTS_OBJECTS; b++) {
            if (!w->used[a] || !w->used[b])
                continue;
            test_held_pair pair = {.a = a, .b = b, .serial_a = w->serials[a], .serial_b = w->serials[b]};
            pair.state = is_asked(w, a, b, options) ? state_of(w, a, b, options) : state_in(&w->held, &pair);
            add_to(now, pair);
        }
}

static grz_collide_options draw_options(const test_events_world *w)
{
    grz_collide_options options = grz_default_collide_options();
    const uint32_t kind = draw_below(w, 16);
    if (kind < 2) {
        options.clearance = 0.75;
    } else if (kind == 2) {
        options.find &= ~(uint32_t)GRZ_FIND_CONTAINMENT;
    } else if (kind == 3) {
        options.find |= GRZ_FIND_SOLIDS;
    } else if (kind > 9 && w->last.size != 0) { // as the last time
        options = w->last;
        options.find &= ~(uint32_t)GRZ_FIND_CHANGED;
        options.reference = GRZ_ALL_OBJECTS;
    }
    const uint32_t id = draw_below(w, TEST_EVENTS_OBJECTS);
    if (draw_below(w, 3) == 0)
        options.find |= GRZ_FIND_CHANGED;
    if (draw_below(w, 6) == 0 && w->used[id])
        options.reference =
            draw_below(w, 2) == 0 && w->reference != GRZ_ALL_OBJECTS && w->used[w->reference] ? w->reference : id;
    return options;
}

static bool must_be_refused(const test_events_world *w, const grz_collide_options *options, uint64_t since)
{
    const bool changed_only = (options->find & GRZ_FIND_CHANGED) != 0, all = options->reference == GRZ_ALL_OBJECTS;
    uint64_t known = w->known;
    if (!all && options->reference == w->reference && w->known_of_reference > known)
        known = w->known_of_reference;
    const bool alike = w->last.clearance == options->clearance &&
                       (w->last.find & GRZ_FIND_CONTAINMENT) == (options->find & GRZ_FIND_CONTAINMENT);
    return (changed_only && since > known) || ((changed_only || !all) && w->last.size != 0 && !alike);
}

static void add_hash(test_events_world *w)
{
    for (int state = 0; state < GRZ_PAIR_STATE_COUNT; state++)
        for (int event = 0; event < GRZ_PAIR_EVENT_COUNT; event++) {
            uint64_t count;
            const grz_scene_event *list =
                grz_scene_events_pairs(w->events, (grz_pair_state)state, (grz_pair_event)event, &count);
            w->seen[state][event] += count;
            for (uint64_t i = 0; i < count; i++)
                w->hash = (w->hash ^ (list[i].a * UINT64_C(31) + list[i].b + 1000 * list[i].serial_a +
                                      77777 * list[i].serial_b + (uint64_t)(16 * state + event))) *
                          UINT64_C(1099511628211);
        }
}

static void ask(test_events_world *w)
{
    const grz_collide_options options = draw_options(w);
    test_pair_set *now = malloc(sizeof *now);
    grz_error error = {.message = ""};
    need(now != NULL);
    need(grz_collide_scene(w->device, w->scene, &options, w->result, &error) == GRZ_OK);
    const uint64_t since = w->answered++;
    if (draw_below(w, 8) != 0) { // else the result is given to nobody
        const grz_status status = grz_scene_events_update(w->events, w->result, &error);
        if (must_be_refused(w, &options, since)) {
            need(status == GRZ_ERROR_ARGUMENT);
            w->refused++;
        } else {
            if (status != GRZ_OK)
                fail_msg("refused: %s", error.message);
            make_set(w, &options, now);
            expect_difference(w->events, &w->held, now);
            w->held = *now;
            w->last = options;
            w->updates++;
            if (options.reference == GRZ_ALL_OBJECTS) {
                w->known = w->answered;
            } else {
                w->reference = options.reference;
                w->known_of_reference = w->answered;
            }
            add_hash(w);
        }
    }
    memset(w->changed, 0, sizeof w->changed);
    free(now);
}

void test_events_step(test_events_world *w)
{
    for (uint32_t steps = draw_below(w, 4); steps > 0; steps--)
        take_step(w);
    ask(w);
}
