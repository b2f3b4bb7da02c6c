// SPDX-License-Identifier: MIT
// Events of a scene against sets: random histories of adding, removing, moving, deforming and regrouping objects, with
// queries of all pairs, of what changed and of one object, with clearances and without containment. After each update
// the nine lists are those of two sets of pairs, which the test makes from single calls. Also the same bytes for any
// number of threads and any broad phase; numbers that are given again; refusals; memory that runs out.
// ctest: concurrent threads_and_broad_phases_do_not_matter
// ctest: timeout 600
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mesh_support.h"
#include "support_meshes.h"
#include "support_sanitizer.h"

enum {
    MESHES = 5,
    MOST_OBJECTS = 12,
    MOST_HELD = MOST_OBJECTS * MOST_OBJECTS * 2
};

// ---- The slow twin: sets of pairs ---------------------------------------------------------------------------------

typedef struct held_pair {
    uint32_t a, b;
    uint64_t serial_a, serial_b;
    grz_pair_state state;
} held_pair;

typedef struct pair_set {
    held_pair items[MOST_HELD];
    size_t count;
} pair_set;

static grz_pair_state state_in(const pair_set *set, const held_pair *pair)
{
    for (size_t i = 0; i < set->count; i++) {
        const held_pair *p = &set->items[i];
        if (p->a == pair->a && p->b == pair->b && p->serial_a == pair->serial_a && p->serial_b == pair->serial_b)
            return p->state;
    }
    return GRZ_PAIR_APART;
}

static void add_to(pair_set *set, held_pair pair)
{
    if (pair.state == GRZ_PAIR_APART)
        return;
    assert_true(set->count < MOST_HELD);
    set->items[set->count++] = pair;
}

static bool in_list(const grz_scene_event *list, uint64_t count, const held_pair *pair, grz_pair_state before,
                    grz_pair_state now)
{
    int found = 0;
    for (uint64_t i = 0; i < count; i++)
        if (list[i].a == pair->a && list[i].b == pair->b && list[i].serial_a == pair->serial_a &&
            list[i].serial_b == pair->serial_b) {
            assert_true(list[i].before == before && list[i].now == now);
            found++;
        }
    assert_true(found <= 1);
    return found == 1;
}

static void expect_pair(const grz_scene_events *events, const held_pair *pair, grz_pair_state before,
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
static void expect_difference(const grz_scene_events *events, const pair_set *before, const pair_set *now)
{
    uint64_t left[GRZ_PAIR_STATE_COUNT][GRZ_PAIR_EVENT_COUNT] = {{0}};
    for (int state = GRZ_PAIR_APART + 1; state < GRZ_PAIR_STATE_COUNT; state++)
        for (int event = 0; event < GRZ_PAIR_EVENT_COUNT; event++) {
            const grz_scene_event *list =
                grz_scene_events_pairs(events, (grz_pair_state)state, (grz_pair_event)event, &left[state][event]);
            assert_true((list == NULL) == (left[state][event] == 0));
            for (uint64_t i = 0; i < left[state][event]; i++) {
                assert_true(list[i].a < list[i].b);
                assert_true(i == 0 || list[i - 1].a < list[i].a ||
                            (list[i - 1].a == list[i].a && list[i - 1].b < list[i].b));
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

typedef struct world {
    grz_device *device;
    grz_result *result, *alone;
    grz_mesh *meshes[MESHES];
    test_mesh sources[MESHES];
    grz_scene *scene;
    grz_scene_events *events;
    bool used[MOST_OBJECTS], changed[MOST_OBJECTS]; // changed: since the last query
    grz_object objects[MOST_OBJECTS];
    uint64_t serials[MOST_OBJECTS], last_serial;
    uint32_t mesh_of[MOST_OBJECTS];
    pair_set held;
    // In numbers of queries: how far changes are known, of all pairs and of those of the last reference.
    uint64_t answered, known, known_of_reference, reference;
    grz_collide_options last;
    uint64_t updates, refused, hash, seen[GRZ_PAIR_STATE_COUNT][GRZ_PAIR_EVENT_COUNT];
} world;

static world *open_world(unsigned threads)
{
    world *w = calloc(1, sizeof *w);
    assert_non_null(w);
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
    for (int i = 0; i < MESHES; i++)
        w->meshes[i] = test_mesh_upload(w->device, &w->sources[i]);
    assert_int_equal(grz_scene_create(w->device, &w->scene, NULL), GRZ_OK);
    assert_int_equal(grz_scene_events_create(w->scene, &w->events, NULL), GRZ_OK);
    w->reference = GRZ_ALL_OBJECTS;
    return w;
}

static void close_world(world *w)
{
    grz_scene_destroy(w->scene);
    grz_scene_events_destroy(w->events); // after its scene
    for (int i = 0; i < MESHES; i++) {
        grz_mesh_destroy(w->meshes[i]);
        test_mesh_finish(&w->sources[i]);
    }
    grz_result_destroy(w->result);
    grz_result_destroy(w->alone);
    grz_device_close(w->device);
    free(w);
}

static grz_pose random_place(random_stream *random)
{
    return grz_pose_from_translation(0.5 * random_below(random, 17) - 4.0, 0.5 * random_below(random, 17) - 4.0,
                                     0.5 * random_below(random, 5) - 1.0);
}

static void add_object(world *w, random_stream *random)
{
    const uint32_t mesh = random_below(random, MESHES);
    grz_object object = grz_object_at(w->meshes[mesh], random_place(random));
    uint32_t id;
    if (random_below(random, 4) == 0)
        object.mask = 2 + random_below(random, 2);
    if (grz_scene_object_count(w->scene) == MOST_OBJECTS)
        return;
    assert_int_equal(grz_scene_add(w->scene, &object, &id, NULL), GRZ_OK);
    assert_true(id < MOST_OBJECTS && !w->used[id]);
    w->used[id] = w->changed[id] = true;
    w->objects[id] = object;
    w->mesh_of[id] = mesh;
    w->serials[id] = grz_scene_object_serial(w->scene, id);
    assert_true(w->serials[id] > w->last_serial); // never given again
    w->last_serial = w->serials[id];
}

static void deform(world *w, random_stream *random)
{
    const uint32_t mesh = random_below(random, MESHES);
    test_mesh moved = test_mesh_copy(&w->sources[mesh]);
    test_mesh_scale(&moved, 1.0 + 0.5 * random_below(random, 2), 1.0, 1.0);
    assert_int_equal(grz_mesh_set_positions(w->meshes[mesh], moved.positions, NULL), GRZ_OK);
    test_mesh_finish(&moved);
    for (uint32_t id = 0; id < MOST_OBJECTS; id++)
        w->changed[id] = w->changed[id] || (w->used[id] && w->mesh_of[id] == mesh);
}

static void take_step(world *w, random_stream *random)
{
    const uint32_t id = random_below(random, MOST_OBJECTS), step = random_below(random, 12);
    if (step < 2) {
        add_object(w, random);
    } else if (step == 2) {
        deform(w, random);
    } else if (!w->used[id]) {
        assert_int_equal(grz_scene_object_serial(w->scene, id), 0);
    } else if (step == 3) {
        assert_int_equal(grz_scene_remove(w->scene, id, NULL), GRZ_OK);
        w->used[id] = false;
        if (random_below(random, 2) == 0)
            add_object(w, random); // may take its number
    } else if (step == 4) {
        w->objects[id].mask = 1 + random_below(random, 3);
        w->objects[id].group = 1 + random_below(random, 3);
        const grz_object *now = grz_scene_object(w->scene, id);
        const bool same = now->mask == w->objects[id].mask && now->group == w->objects[id].group;
        assert_int_equal(grz_scene_set_groups(w->scene, id, w->objects[id].group, w->objects[id].mask, NULL), GRZ_OK);
        w->changed[id] = w->changed[id] || !same;
    } else {
        const grz_pose pose = random_place(random);
        w->changed[id] = w->changed[id] || memcmp(&pose, &w->objects[id].pose, sizeof pose) != 0;
        w->objects[id].pose = pose;
        assert_int_equal(grz_scene_set_pose(w->scene, id, &pose, NULL), GRZ_OK);
    }
}

// By single calls, not by the scene.
static grz_pair_state state_of(world *w, uint32_t a, uint32_t b, const grz_collide_options *options)
{
    grz_collide_options alone = *options;
    const grz_object *x = &w->objects[a], *y = &w->objects[b];
    if ((x->group & y->mask) == 0 || (y->group & x->mask) == 0)
        return GRZ_PAIR_APART;
    alone.find &= ~(uint32_t)GRZ_FIND_CHANGED;
    alone.reference = GRZ_ALL_OBJECTS;
    assert_int_equal(grz_collide(w->device, x, y, &alone, w->alone, NULL), GRZ_OK);
    const grz_summary *summary = grz_result_summary(w->alone);
    if (summary->relation != GRZ_APART)
        return GRZ_PAIR_COLLIDING;
    if (summary->clearance == GRZ_CLEARANCE_NOT_MET)
        return GRZ_PAIR_NEAR;
    return summary->containment == GRZ_CONTAINMENT_UNDECIDABLE ? GRZ_PAIR_UNDECIDED : GRZ_PAIR_APART;
}

static bool is_asked(const world *w, uint32_t a, uint32_t b, const grz_collide_options *options)
{
    return (options->reference == GRZ_ALL_OBJECTS || a == options->reference || b == options->reference) &&
           ((options->find & GRZ_FIND_CHANGED) == 0 || w->changed[a] || w->changed[b]);
}

static void make_set(world *w, const grz_collide_options *options, pair_set *now)
{
    now->count = 0;
    for (uint32_t a = 0; a < MOST_OBJECTS; a++)
        for (uint32_t b = a + 1; b < MOST_OBJECTS; b++) {
            if (!w->used[a] || !w->used[b])
                continue;
            held_pair pair = {.a = a, .b = b, .serial_a = w->serials[a], .serial_b = w->serials[b]};
            pair.state = is_asked(w, a, b, options) ? state_of(w, a, b, options) : state_in(&w->held, &pair);
            add_to(now, pair);
        }
}

static grz_collide_options draw_options(const world *w, random_stream *random)
{
    grz_collide_options options = grz_default_collide_options();
    const uint32_t kind = random_below(random, 16);
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
    const uint32_t id = random_below(random, MOST_OBJECTS);
    if (random_below(random, 3) == 0)
        options.find |= GRZ_FIND_CHANGED;
    if (random_below(random, 6) == 0 && w->used[id])
        options.reference = random_below(random, 2) == 0 && w->reference != GRZ_ALL_OBJECTS && w->used[w->reference]
                                ? w->reference
                                : id;
    return options;
}

static bool must_be_refused(const world *w, const grz_collide_options *options, uint64_t since)
{
    const bool changed_only = (options->find & GRZ_FIND_CHANGED) != 0, all = options->reference == GRZ_ALL_OBJECTS;
    uint64_t known = w->known;
    if (!all && options->reference == w->reference && w->known_of_reference > known)
        known = w->known_of_reference;
    const bool alike = w->last.clearance == options->clearance &&
                       (w->last.find & GRZ_FIND_CONTAINMENT) == (options->find & GRZ_FIND_CONTAINMENT);
    return (changed_only && since > known) || ((changed_only || !all) && w->last.size != 0 && !alike);
}

static void add_hash(world *w)
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

static void ask(world *w, random_stream *random)
{
    const grz_collide_options options = draw_options(w, random);
    pair_set *now = malloc(sizeof *now);
    grz_error error = {.message = ""};
    assert_non_null(now);
    assert_int_equal(grz_collide_scene(w->device, w->scene, &options, w->result, &error), GRZ_OK);
    const uint64_t since = w->answered++;
    if (random_below(random, 8) != 0) { // else the result is given to nobody
        const grz_status status = grz_scene_events_update(w->events, w->result, &error);
        if (must_be_refused(w, &options, since)) {
            assert_int_equal(status, GRZ_ERROR_ARGUMENT);
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

static void run_history(world *w, uint64_t seed, int frames)
{
    random_stream random = {.state = seed};
    for (int i = 0; i < frames; i++) {
        for (uint32_t steps = random_below(&random, 4); steps > 0; steps--)
            take_step(w, &random);
        ask(w, &random);
    }
}

static void events_are_differences_of_sets(void **state)
{
    world *w = open_world(1);
    (void)state;
    run_history(w, 3, TEST_SANITIZED ? 400 : 4000);
    printf("%llu updates, %llu refused\n", (unsigned long long)w->updates, (unsigned long long)w->refused);
    assert_true(w->updates > (TEST_SANITIZED ? 150 : 1500) && w->refused > (TEST_SANITIZED ? 20 : 200));
    for (int s = GRZ_PAIR_APART + 1; s < GRZ_PAIR_STATE_COUNT; s++)
        for (int e = 0; e < GRZ_PAIR_EVENT_COUNT; e++)
            if (w->seen[s][e] < (TEST_SANITIZED ? 1 : 20))
                fail_msg("state %d, event %d was seen %llu times", s, e, (unsigned long long)w->seen[s][e]);
    close_world(w);
}

static void threads_and_broad_phases_do_not_matter(void **state)
{
    uint64_t hash = 0;
    (void)state;
    for (int i = 0; i < 4; i++) {
        world *w = open_world(i % 2 == 0 ? 1 : 3);
        assert_int_equal(grz_scene_set_broad_phase(w->scene, (grz_broad_phase)i, NULL), GRZ_OK);
        run_history(w, 8, TEST_SANITIZED ? 60 : 300);
        assert_true(w->hash != 0 && (i == 0 || w->hash == hash));
        hash = w->hash;
        close_world(w);
    }
}

// ---- Known cases --------------------------------------------------------------------------------------------------

static uint64_t count_of(const grz_scene_events *events, grz_pair_state state, grz_pair_event event)
{
    uint64_t count;
    grz_scene_events_pairs(events, state, event, &count);
    return count;
}

static void update(world *w, const grz_collide_options *options)
{
    grz_error error;
    assert_int_equal(grz_collide_scene(w->device, w->scene, options, w->result, &error), GRZ_OK);
    if (grz_scene_events_update(w->events, w->result, &error) != GRZ_OK)
        fail_msg("%s", error.message);
}

static uint32_t put(world *w, int mesh, double x)
{
    const grz_object object = grz_object_at(w->meshes[mesh], grz_pose_from_translation(x, 0, 0));
    uint32_t id;
    assert_int_equal(grz_scene_add(w->scene, &object, &id, NULL), GRZ_OK);
    return id;
}

static void move(world *w, uint32_t id, double x)
{
    const grz_pose pose = grz_pose_from_translation(x, 0, 0);
    assert_int_equal(grz_scene_set_pose(w->scene, id, &pose, NULL), GRZ_OK);
}

// A cube comes near, touches, goes in, and leaves.
static void near_is_a_state_of_its_own(void **state)
{
    world *w = open_world(1);
    grz_collide_options options = grz_default_collide_options();
    const uint32_t wall = put(w, 0, 0), cube = put(w, 1, 9);
    const double places[] = {9, 2, 1.75, 0, 1.75, 2, 9};
    const grz_pair_state states[] = {GRZ_PAIR_APART,     GRZ_PAIR_NEAR, GRZ_PAIR_COLLIDING, GRZ_PAIR_COLLIDING,
                                     GRZ_PAIR_COLLIDING, GRZ_PAIR_NEAR, GRZ_PAIR_APART};
    (void)state;
    options.clearance = 0.5;
    for (int i = 0; i < 7; i++) {
        move(w, cube, places[i]);
        update(w, &options);
        const grz_pair_state before = i > 0 ? states[i - 1] : GRZ_PAIR_APART, now = states[i];
        for (int s = GRZ_PAIR_APART + 1; s < GRZ_PAIR_STATE_COUNT; s++) {
            const bool was = (int)before == s, is = (int)now == s;
            assert_int_equal(count_of(w->events, (grz_pair_state)s, GRZ_PAIR_BEGAN), is && !was);
            assert_int_equal(count_of(w->events, (grz_pair_state)s, GRZ_PAIR_STAYS), is && was);
            assert_int_equal(count_of(w->events, (grz_pair_state)s, GRZ_PAIR_ENDED), was && !is);
        }
    }
    assert_int_equal(wall, 0);
    close_world(w);
}

// An object is taken out and another one takes its number and its place: the pair ends, and another one begins.
static void a_number_that_is_given_again(void **state)
{
    (void)state;
    for (int changed = 0; changed < 3; changed++) { // all pairs; those that changed; those of the other object
        world *w = open_world(1);
        grz_collide_options options = grz_default_collide_options();
        const uint32_t floor = put(w, 2, 0), cube = put(w, 0, 0);
        const uint64_t serial = grz_scene_object_serial(w->scene, cube);
        update(w, &options);
        assert_int_equal(count_of(w->events, GRZ_PAIR_COLLIDING, GRZ_PAIR_BEGAN), 1);
        assert_int_equal(grz_scene_remove(w->scene, cube, NULL), GRZ_OK);
        assert_int_equal(put(w, 0, 0), cube);
        options.find |= changed == 1 ? (uint32_t)GRZ_FIND_CHANGED : 0;
        options.reference = changed == 2 ? floor : GRZ_ALL_OBJECTS;
        update(w, &options);
        uint64_t count;
        const grz_scene_event *ended = grz_scene_events_pairs(w->events, GRZ_PAIR_COLLIDING, GRZ_PAIR_ENDED, &count);
        assert_int_equal(count, 1);
        assert_true(ended->a == floor && ended->b == cube && ended->serial_b == serial &&
                    ended->now == GRZ_PAIR_APART && ended->before == GRZ_PAIR_COLLIDING);
        const grz_scene_event *began = grz_scene_events_pairs(w->events, GRZ_PAIR_COLLIDING, GRZ_PAIR_BEGAN, &count);
        assert_int_equal(count, 1);
        assert_true(began->b == cube && began->serial_b == grz_scene_object_serial(w->scene, cube) &&
                    began->serial_b != serial && began->serial_a == ended->serial_a);
        assert_int_equal(count_of(w->events, GRZ_PAIR_COLLIDING, GRZ_PAIR_STAYS), 0);
        assert_int_equal(grz_scene_remove(w->scene, cube, NULL), GRZ_OK); // and for good
        update(w, &options);
        assert_int_equal(count_of(w->events, GRZ_PAIR_COLLIDING, GRZ_PAIR_ENDED), 1);
        update(w, &options);
        assert_int_equal(count_of(w->events, GRZ_PAIR_COLLIDING, GRZ_PAIR_ENDED), 0);
        close_world(w);
    }
}

static void expect_refused(world *w, const grz_result *result, const char *text)
{
    grz_error error = {.message = ""};
    const grz_status status = grz_scene_events_update(w->events, result, &error);
    if (status != GRZ_ERROR_ARGUMENT || strstr(error.message, text) == NULL)
        fail_msg("status %d, '%s' does not have '%s'", (int)status, error.message, text);
    assert_int_equal(count_of(w->events, GRZ_PAIR_COLLIDING, GRZ_PAIR_BEGAN), 1); // unchanged
}

static void what_is_refused(void **state)
{
    world *w = open_world(1), *other = open_world(1);
    grz_collide_options options = grz_default_collide_options();
    volatile int cancel = 1;
    (void)state;
    const uint32_t cube = put(w, 0, 0);
    put(w, 2, 0);
    put(other, 0, 0);
    update(w, NULL);
    assert_int_equal(grz_scene_events_update(NULL, w->result, NULL), GRZ_ERROR_ARGUMENT);
    expect_refused(w, NULL, "the result is NULL");
    expect_refused(w, w->alone, "not that of a query of a scene");
    grz_object x = w->objects[0];
    x = grz_object_at_origin(w->meshes[0]);
    assert_int_equal(grz_collide(w->device, &x, &x, NULL, w->alone, NULL), GRZ_OK);
    expect_refused(w, w->alone, "not that of a query of a scene");
    assert_int_equal(grz_collide_scene(other->device, other->scene, NULL, other->result, NULL), GRZ_OK);
    expect_refused(w, other->result, "another scene");
    assert_int_equal(grz_collide_scene(w->device, w->scene, NULL, w->alone, NULL), GRZ_OK);
    expect_refused(w, w->result, "has changed since the query");
    move(w, cube, 0.5);
    expect_refused(w, w->alone, "has changed since the query");
    options.limits.cancel = &cancel;
    assert_int_equal(grz_collide_scene(w->device, w->scene, &options, w->alone, NULL), GRZ_ERROR_CANCELLED);
    expect_refused(w, w->alone, "not that of a query of a scene");
    options = grz_default_collide_options();
    options.find |= GRZ_FIND_CHANGED;
    assert_int_equal(grz_collide_scene(w->device, w->scene, &options, w->alone, NULL), GRZ_OK);
    expect_refused(w, w->alone, "GRZ_FIND_CHANGED");
    options = grz_default_collide_options();
    options.reference = cube;
    options.clearance = 1.0;
    assert_int_equal(grz_collide_scene(w->device, w->scene, &options, w->alone, NULL), GRZ_OK);
    expect_refused(w, w->alone, "not all pairs were asked about");
    grz_scene_events *events = w->events;
    assert_int_equal(grz_scene_events_create(NULL, &events, NULL), GRZ_ERROR_ARGUMENT);
    assert_null(events);
    assert_int_equal(grz_scene_events_create(w->scene, NULL, NULL), GRZ_ERROR_ARGUMENT);
    grz_scene_events_destroy(NULL);
    uint64_t count = 7;
    assert_null(grz_scene_events_pairs(NULL, GRZ_PAIR_COLLIDING, GRZ_PAIR_BEGAN, &count));
    assert_int_equal(count, 0);
    assert_null(grz_scene_events_pairs(w->events, GRZ_PAIR_APART, GRZ_PAIR_BEGAN, &count));
    assert_null(grz_scene_events_pairs(w->events, GRZ_PAIR_STATE_COUNT, GRZ_PAIR_BEGAN, &count));
    assert_null(grz_scene_events_pairs(w->events, GRZ_PAIR_COLLIDING, GRZ_PAIR_EVENT_COUNT, &count));
    assert_non_null(grz_scene_events_pairs(w->events, GRZ_PAIR_COLLIDING, GRZ_PAIR_BEGAN, NULL));
    assert_int_equal(grz_scene_object_serial(NULL, 0), 0);
    assert_int_equal(grz_scene_object_serial(w->scene, 99), 0);
    close_world(w);
    close_world(other);
}

static void memory_that_runs_out(void **state)
{
    counting_allocator counter = {.fail_at = 0};
    grz_device *device = counting_device_open(&counter);
    const test_mesh cube = test_mesh_cube(0, 0, 0, 1);
    grz_mesh *mesh = test_mesh_upload(device, &cube);
    grz_result *result = test_result_create(device);
    grz_scene *scene;
    grz_scene_events *events = NULL;
    grz_error error;
    int failures = 0;
    (void)state;
    assert_int_equal(grz_scene_create(device, &scene, NULL), GRZ_OK);
    for (uint32_t i = 0; i < 40; i++) {
        const grz_object object = grz_object_at(mesh, grz_pose_from_translation(0.75 * i, 0, 0));
        uint32_t id;
        assert_int_equal(grz_scene_add(scene, &object, &id, NULL), GRZ_OK);
    }
    assert_int_equal(grz_collide_scene(device, scene, NULL, result, NULL), GRZ_OK);
    for (long i = 1; i < 100; i++) {
        counter.calls = 0;
        counter.fail_at = i;
        grz_status status = events == NULL ? grz_scene_events_create(scene, &events, &error) : GRZ_OK;
        if (status == GRZ_OK)
            status = grz_scene_events_update(events, result, &error);
        if (status == GRZ_OK)
            break;
        assert_int_equal(status, GRZ_ERROR_MEMORY);
        assert_int_equal(count_of(events, GRZ_PAIR_COLLIDING, GRZ_PAIR_BEGAN), 0);
        failures++;
    }
    assert_true(failures >= 3 && failures < 99);
    assert_int_equal(count_of(events, GRZ_PAIR_COLLIDING, GRZ_PAIR_BEGAN), 39);
    counter.fail_at = 0;
    grz_scene_destroy(scene);
    grz_result_destroy(result);
    grz_mesh_destroy(mesh);
    grz_device_close(device);
    grz_scene_events_destroy(events); // keeps the device
    assert_int_equal(counter.live, 0);
    test_mesh copy = cube;
    test_mesh_finish(&copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_differences_of_sets),
        cmocka_unit_test(threads_and_broad_phases_do_not_matter),
        cmocka_unit_test(near_is_a_state_of_its_own),
        cmocka_unit_test(a_number_that_is_given_again),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
