// SPDX-License-Identifier: MIT
// Scenes against all pairs queried one by one: random histories of adding, removing, moving, deforming and regrouping
// objects, with every kind of query. Also what is remembered between queries, the order of filter calls, lifetimes of
// shared meshes, refusals, and every way to end early.
// ctest: concurrent a_scene_gives_what_its_pairs_give a_scene_can_be_cancelled_and_timed_out
// ctest: timeout 600
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_queries.h"
#include "support_sanitizer.h"

enum {
    MESHES = 8,
    MOST_OBJECTS = 24,
    LISTS = GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CURVES
};

// Small closed and open meshes that touch in many ways on an integer grid: made for one device.
typedef struct collection {
    grz_device *device;
    grz_mesh *meshes[MESHES];
    test_mesh sources[MESHES];
} collection;

static collection make_collection(unsigned threads)
{
    collection c = {.device = test_device_open(threads)};
    c.sources[0] = test_mesh_cube(0, 0, 0, 2);
    c.sources[1] = test_mesh_icosphere(1.0, 2);
    c.sources[2] = test_mesh_torus(1.5, 0.5, 12, 8);
    c.sources[3] = test_mesh_grid(3, 3, 1.0);
    c.sources[4] = test_mesh_cube_quads(0, 0, 0, 6);
    c.sources[5] = test_mesh_cube(0.25, 0.25, 0.25, 0.5);
    // Two components: if the big cube contains one of them, the objects overlap.
    c.sources[6] = test_mesh_cube(1, 1, 1, 1);
    test_mesh_take(&c.sources[6], test_mesh_cube(9, 1, 1, 1));
    // A cube without a lid: what lies in its box may be inside.
    c.sources[7] = test_mesh_cube(0, 0, 0, 4);
    c.sources[7].face_count -= 2;
    c.sources[7].index_count -= 6;
    for (int i = 0; i < MESHES; i++)
        c.meshes[i] = test_mesh_upload(c.device, &c.sources[i]);
    return c;
}

static void finish_collection(collection *c)
{
    for (int i = 0; i < MESHES; i++) {
        grz_mesh_destroy(c->meshes[i]);
        test_mesh_finish(&c->sources[i]);
    }
    grz_device_close(c->device);
}

// A scene, and the test's own record of its objects.
typedef struct model {
    grz_scene *scene;
    bool used[MOST_OBJECTS], changed[MOST_OBJECTS];
    grz_object objects[MOST_OBJECTS];
    int mesh_of[MOST_OBJECTS];
} model;

static grz_pose random_pose(random_stream *random)
{
    grz_pose pose = grz_pose_from_translation((double)random_below(random, 9) - 4, (double)random_below(random, 9) - 4,
                                              (double)random_below(random, 3) - 1);
    if (random_below(random, 4) == 0) {
        const double translation[3] = {random_signed(random) * 4, random_signed(random) * 4, random_signed(random)};
        const double quaternion[4] = {random_signed(random), random_signed(random), random_signed(random), 1.0};
        assert_int_equal(grz_pose_from_quaternion(translation, quaternion, &pose, NULL), GRZ_OK);
    }
    return pose;
}

static uint32_t random_bits_of_group(random_stream *random)
{
    return random_below(random, 4) == 0 ? 1u + random_below(random, 3) : UINT32_MAX;
}

static void add_object(collection *c, model *m, random_stream *random)
{
    const int mesh = (int)random_below(random, MESHES);
    grz_object object = grz_object_at_origin(c->meshes[mesh]);
    object.pose = random_pose(random);
    object.group = random_bits_of_group(random);
    object.mask = random_bits_of_group(random);
    uint32_t id = UINT32_MAX, expected = 0;
    while (expected < MOST_OBJECTS && m->used[expected])
        expected++;
    if (expected == MOST_OBJECTS)
        return;
    assert_int_equal(grz_scene_add(m->scene, &object, &id, NULL), GRZ_OK);
    assert_int_equal(id, expected);
    m->used[id] = m->changed[id] = true;
    m->objects[id] = object;
    m->mesh_of[id] = mesh;
}

static void deform_mesh(collection *c, model *m, random_stream *random)
{
    const int mesh = (int)random_below(random, MESHES);
    test_mesh moved = test_mesh_copy(&c->sources[mesh]);
    test_mesh_scale(&moved, 1.0 + 0.5 * random_below(random, 3), 1.0, 1.0 + 0.25 * random_below(random, 2));
    assert_int_equal(grz_mesh_set_positions(c->meshes[mesh], moved.positions, NULL), GRZ_OK);
    test_mesh_finish(&moved);
    for (uint32_t id = 0; id < MOST_OBJECTS; id++)
        if (m->used[id] && m->mesh_of[id] == mesh)
            m->changed[id] = true;
}

static void take_step(collection *c, model *m, random_stream *random)
{
    static random_stream phases = {.state = 25};
    const uint32_t id = random_below(random, MOST_OBJECTS);
    if (random_below(&phases, 6) == 0) // no answer depends on it
        assert_int_equal(grz_scene_set_broad_phase(m->scene, (grz_broad_phase)random_below(&phases, 4), NULL), GRZ_OK);
    switch (random_below(random, 8)) {
    case 0:
        add_object(c, m, random);
        break;
    case 1:
        if (!m->used[id]) {
            assert_int_equal(grz_scene_remove(m->scene, id, NULL), GRZ_ERROR_ARGUMENT);
            break;
        }
        assert_int_equal(grz_scene_remove(m->scene, id, NULL), GRZ_OK);
        assert_null(grz_scene_object(m->scene, id));
        m->used[id] = false;
        break;
    case 2:
        deform_mesh(c, m, random);
        break;
    case 3:
        if (m->used[id]) {
            const uint32_t group = random_bits_of_group(random), mask = random_below(random, 6) == 0 ? 0 : UINT32_MAX;
            m->changed[id] = m->changed[id] || group != m->objects[id].group || mask != m->objects[id].mask;
            m->objects[id].group = group;
            m->objects[id].mask = mask;
            assert_int_equal(grz_scene_set_groups(m->scene, id, group, mask, NULL), GRZ_OK);
        }
        break;
    default:
        if (m->used[id]) {
            const grz_pose pose = random_below(random, 5) == 0 ? m->objects[id].pose : random_pose(random);
            m->changed[id] = m->changed[id] || memcmp(&pose, &m->objects[id].pose, sizeof pose) != 0;
            m->objects[id].pose = pose;
            assert_int_equal(grz_scene_set_pose(m->scene, id, &pose, NULL), GRZ_OK);
        }
        break;
    }
}

static bool may_touch(const grz_object *a, const grz_object *b)
{
    return (a->group & b->mask) != 0 && (b->group & a->mask) != 0;
}

// How often each relation occurred, to check that the test covers them all.
typedef struct tally {
    unsigned relations[5], undecidable, pairs, remembered;
} tally;

// Expect that the part of a scene's answer for one pair is the answer for the pair alone.
static void expect_part(const char *what, const grz_result *whole, const grz_scene_pair *part, const grz_result *alone)
{
    const test_answer x = test_answer_of(whole);
    test_answer y = test_answer_of(alone), slice = y;
    const grz_summary *s = grz_result_summary(alone);
    if (part->relation != s->relation || part->containment != s->containment || part->pair_count != s->pair_count ||
        memcmp(part->kinds, s->kinds, sizeof s->kinds) != 0 || part->contact_count != y.contact_count ||
        part->curve_count != y.curve_count)
        fail_msg("%s: relation %d, alone %d; %llu pairs, alone %llu; %llu contacts, alone %llu", what,
                 (int)part->relation, (int)s->relation, (unsigned long long)part->pair_count,
                 (unsigned long long)s->pair_count, (unsigned long long)part->contact_count,
                 (unsigned long long)y.contact_count);
    if ((part->pair_count == 0 && part->first_pair != 0) || (part->contact_count == 0 && part->first_contact != 0) ||
        (part->curve_count == 0 && part->first_curve != 0))
        fail_msg("%s: an empty list begins somewhere", what);
    // Contacts and curves count from their part's beginning when asked alone.
    slice.contacts = calloc((size_t)y.contact_count + 1, sizeof *slice.contacts);
    slice.curves = calloc((size_t)y.curve_count + 1, sizeof *slice.curves);
    const uint64_t first_point = part->contact_count > 0 ? x.contacts[part->first_contact].first_point : 0;
    for (uint64_t i = 0; i < y.contact_count; i++) {
        slice.contacts[i] = x.contacts[part->first_contact + i];
        slice.contacts[i].pair -= part->first_pair;
        slice.contacts[i].first_point -= first_point;
    }
    const uint64_t first_curve_point = part->curve_count > 0 ? x.curves[part->first_curve].first_point : 0;
    for (uint64_t i = 0; i < y.curve_count; i++) {
        slice.curves[i] = x.curves[part->first_curve + i];
        slice.curves[i].first_point -= first_curve_point;
    }
    slice.pairs = part->pair_count > 0 ? x.pairs + part->first_pair : x.pairs;
    slice.points = x.points + 3 * first_point;
    slice.curve_points = x.curve_points + 3 * first_curve_point;
    assert_true(test_answers_equal(what, &slice, &y));
    free(slice.contacts);
    free(slice.curves);
    test_answer_finish(&y);
    test_answer copy = x;
    test_answer_finish(&copy);
}

// Ask the scene, and compare with all pairs asked one by one.
static void compare(collection *c, model *m, const grz_collide_options *options, grz_result *whole, grz_result *alone,
                    const char *what, tally *count)
{
    assert_int_equal(grz_collide_scene(c->device, m->scene, options, whole, NULL), GRZ_OK);
    uint64_t pair_count, next = 0, face_pairs = 0;
    bool touching = false;
    const grz_scene_pair *pairs = grz_result_scene_pairs(whole, &pair_count);
    grz_collide_options single = *options;
    single.find &= ~(uint32_t)GRZ_FIND_CHANGED;
    for (uint32_t a = 0; a < MOST_OBJECTS; a++) {
        for (uint32_t b = a + 1; b < MOST_OBJECTS; b++) {
            if (!m->used[a] || !m->used[b] || !may_touch(&m->objects[a], &m->objects[b]))
                continue;
            if ((options->find & GRZ_FIND_CHANGED) != 0 && !m->changed[a] && !m->changed[b])
                continue;
            assert_int_equal(grz_collide(c->device, &m->objects[a], &m->objects[b], &single, alone, NULL), GRZ_OK);
            const grz_summary *s = grz_result_summary(alone);
            count->relations[s->relation]++;
            count->undecidable += s->containment == GRZ_CONTAINMENT_UNDECIDABLE;
            if (s->relation == GRZ_APART && s->containment != GRZ_CONTAINMENT_UNDECIDABLE)
                continue;
            if (next == pair_count || pairs[next].a != a || pairs[next].b != b)
                fail_msg("%s: objects %u and %u: relation %d alone, not listed by the scene", what, a, b,
                         (int)s->relation);
            char text[160];
            snprintf(text, sizeof text, "%s, objects %u and %u", what, a, b);
            expect_part(text, whole, &pairs[next], alone);
            touching = touching || s->relation == GRZ_COLLIDING;
            face_pairs += s->pair_count;
            next++;
        }
    }
    if (next != pair_count)
        fail_msg("%s: objects %u and %u are listed and should not be", what, pairs[next].a, pairs[next].b);
    const grz_summary *s = grz_result_summary(whole);
    assert_int_equal(s->certainty, GRZ_EXACT);
    assert_true((s->relation == GRZ_COLLIDING) == touching);
    assert_int_equal(s->pair_count, face_pairs);
    count->pairs += (unsigned)pair_count;
    count->remembered += pair_count > 0 && s->candidates == 0;
    memset(m->changed, 0, sizeof m->changed);
}

static void a_scene_gives_what_its_pairs_give(void **state)
{
    (void)state;
    static const uint32_t finds[] = {0,
                                     GRZ_FIND_CONTAINMENT,
                                     GRZ_FIND_PAIRS,
                                     GRZ_FIND_PAIRS | GRZ_FIND_CONTAINMENT,
                                     LISTS | GRZ_FIND_CONTAINMENT,
                                     GRZ_FIND_CONTACTS | GRZ_FIND_CONTAINMENT,
                                     GRZ_FIND_CHANGED | GRZ_FIND_CONTAINMENT,
                                     GRZ_FIND_CHANGED | LISTS,
                                     GRZ_FIND_CHANGED};
    tally count = {{0}, 0, 0, 0};
    for (uint64_t seed = 1; seed <= (TEST_SANITIZED ? 6 : 16); seed++) {
        random_stream random = {.state = seed};
        collection c = make_collection(1 + (unsigned)(seed % 3));
        model m = {.scene = NULL};
        assert_int_equal(grz_scene_create(c.device, &m.scene, NULL), GRZ_OK);
        grz_result *whole = test_result_create(c.device), *alone = test_result_create(c.device);
        for (int i = 0; i < 8; i++)
            add_object(&c, &m, &random);
        for (int step = 0; step < 50; step++) {
            for (uint32_t changes = random_below(&random, 4); changes > 0; changes--)
                take_step(&c, &m, &random);
            grz_collide_options options = grz_default_collide_options();
            options.find = finds[random_below(&random, sizeof finds / sizeof finds[0])];
            options.method = random_below(&random, 4) == 0 ? "naive" : "bvh";
            char what[80];
            snprintf(what, sizeof what, "seed %llu, step %d, find 0x%x, %s", (unsigned long long)seed, step,
                     options.find, options.method);
            compare(&c, &m, &options, whole, alone, what, &count);
            uint64_t objects = 0;
            for (int i = 0; i < MOST_OBJECTS; i++)
                objects += m.used[i];
            assert_int_equal(grz_scene_object_count(m.scene), objects);
        }
        grz_result_destroy(whole);
        grz_result_destroy(alone);
        grz_scene_destroy(m.scene);
        finish_collection(&c);
    }
    print_message("pairs: %u apart, %u colliding, %u overlapping, %u and %u inside, %u undecidable; %u listed, %u "
                  "answers from memory\n",
                  count.relations[GRZ_APART], count.relations[GRZ_COLLIDING], count.relations[GRZ_OVERLAPPING],
                  count.relations[GRZ_A_INSIDE_B], count.relations[GRZ_B_INSIDE_A], count.undecidable, count.pairs,
                  count.remembered);
    for (int i = 0; i < 5; i++)
        assert_true(count.relations[i] > (TEST_SANITIZED ? 1 : 20));
    assert_true(TEST_SANITIZED || (count.undecidable > 20 && count.remembered > 20));
}

// Cubes in a row, each touching the next.
static grz_scene *make_row(collection *c, uint32_t count, double step)
{
    grz_scene *scene = NULL;
    assert_int_equal(grz_scene_create(c->device, &scene, NULL), GRZ_OK);
    for (uint32_t i = 0; i < count; i++) {
        grz_object object = grz_object_at_origin(c->meshes[0]);
        object.pose = grz_pose_from_translation(step * i, 0, 0);
        object.user = &c->meshes[0];
        uint32_t id = 0;
        assert_int_equal(grz_scene_add(scene, &object, &id, NULL), GRZ_OK);
        assert_int_equal(id, i);
    }
    return scene;
}

static uint64_t ask_yes_or_no(collection *c, grz_scene *scene, grz_result *result)
{
    grz_collide_options options = grz_default_collide_options();
    uint64_t count;
    options.find = GRZ_FIND_CONTAINMENT;
    assert_int_equal(grz_collide_scene(c->device, scene, &options, result, NULL), GRZ_OK);
    grz_result_scene_pairs(result, &count);
    return count;
}

static void pairs_of_which_neither_changed_are_not_tested_again(void **state)
{
    (void)state;
    collection c = make_collection(1);
    grz_scene *scene = make_row(&c, 10, 1.5);
    grz_result *result = test_result_create(c.device);
    const uint64_t pairs = ask_yes_or_no(&c, scene, result);
    const uint64_t first = grz_result_summary(result)->candidates;
    assert_true(pairs >= 9 && first > 0);
    assert_int_equal(ask_yes_or_no(&c, scene, result), pairs);
    assert_int_equal(grz_result_summary(result)->candidates, 0);
    // The same pose again is no change; one object moved is tested with its neighbours only.
    grz_pose pose = grz_scene_object(scene, 9)->pose;
    assert_int_equal(grz_scene_set_pose(scene, 9, &pose, NULL), GRZ_OK);
    assert_int_equal(ask_yes_or_no(&c, scene, result), pairs);
    assert_int_equal(grz_result_summary(result)->candidates, 0);
    pose.m[1][3] = 0.25;
    assert_int_equal(grz_scene_set_pose(scene, 9, &pose, NULL), GRZ_OK);
    assert_int_equal(ask_yes_or_no(&c, scene, result), pairs);
    const uint64_t few = grz_result_summary(result)->candidates;
    assert_true(few > 0 && few < first / 2);
    grz_result_destroy(result);
    grz_scene_destroy(scene);
    finish_collection(&c);
}

// Records which pairs the filter was asked about.
typedef struct witness {
    uint32_t calls, last_a, last_b;
    bool in_order, objects_right;
    const grz_scene *scene;
} witness;

static bool refuse_odd(uint32_t a, const grz_object *object_a, uint32_t b, const grz_object *object_b, void *user)
{
    witness *w = user;
    w->in_order = w->in_order && a < b && (w->calls == 0 || a > w->last_a || (a == w->last_a && b > w->last_b));
    w->objects_right =
        w->objects_right && object_a == grz_scene_object(w->scene, a) && object_b == grz_scene_object(w->scene, b);
    w->last_a = a;
    w->last_b = b;
    w->calls++;
    return a % 2 == 0;
}

static void the_filter_is_asked_in_order_about_pairs_whose_boxes_overlap(void **state)
{
    (void)state;
    collection c = make_collection(2);
    grz_scene *scene = make_row(&c, 10, 1.5);
    grz_result *result = test_result_create(c.device);
    const uint64_t all = ask_yes_or_no(&c, scene, result);
    witness w = {.in_order = true, .objects_right = true, .scene = scene};
    assert_int_equal(grz_scene_set_filter(scene, refuse_odd, &w, NULL), GRZ_OK);
    for (int round = 0; round < 2; round++) {
        uint64_t count;
        w.calls = 0;
        const uint64_t some = ask_yes_or_no(&c, scene, result);
        assert_true(w.in_order && w.objects_right && w.calls >= all && w.calls < 45);
        assert_true(some > 0 && some < all);
        const grz_scene_pair *pairs = grz_result_scene_pairs(result, &count);
        assert_int_equal(count, some);
        for (uint64_t i = 0; i < count; i++)
            assert_true(pairs[i].a % 2 == 0);
    }
    assert_int_equal(grz_scene_set_filter(scene, NULL, NULL, NULL), GRZ_OK);
    assert_int_equal(ask_yes_or_no(&c, scene, result), all);
    grz_result_destroy(result);
    grz_scene_destroy(scene);
    finish_collection(&c);
}

static void obvious_scenes_have_obvious_answers(void **state)
{
    (void)state;
    collection c = make_collection(2);
    grz_scene *scene = NULL;
    grz_result *result = test_result_create(c.device);
    uint64_t count = 99;
    assert_int_equal(grz_scene_create(c.device, &scene, NULL), GRZ_OK);
    assert_int_equal(ask_yes_or_no(&c, scene, result), 0);
    assert_int_equal(grz_result_summary(result)->relation, GRZ_APART);
    assert_false(grz_result_summary(result)->colliding);
    // The same object twice is two objects, which touch everywhere.
    const grz_object object = grz_object_at_origin(c.meshes[0]);
    uint32_t ids[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(grz_scene_add(scene, &object, &ids[i], NULL), GRZ_OK);
    assert_int_equal(ask_yes_or_no(&c, scene, result), 1);
    assert_int_equal(grz_result_scene_pairs(result, &count)->relation, GRZ_COLLIDING);
    // A mask of zero excludes an object from all pairs; so does a mask without any group of the scene.
    assert_int_equal(grz_scene_set_groups(scene, 0, 1, 0, NULL), GRZ_OK);
    assert_int_equal(ask_yes_or_no(&c, scene, result), 0);
    assert_int_equal(grz_scene_set_groups(scene, 0, 1, 2, NULL), GRZ_OK);
    assert_int_equal(ask_yes_or_no(&c, scene, result), 0);
    assert_int_equal(grz_scene_set_groups(scene, 1, 2, 1, NULL), GRZ_OK);
    assert_int_equal(ask_yes_or_no(&c, scene, result), 1);
    // A query of another kind removes the pairs of objects from the result.
    assert_int_equal(grz_collide(c.device, &object, &object, NULL, result, NULL), GRZ_OK);
    grz_result_scene_pairs(result, &count);
    assert_int_equal(count, 0);
    grz_scene_destroy(scene);
    grz_scene_destroy(NULL);
    grz_result_destroy(result);
    finish_collection(&c);
}

static void a_mesh_lives_as_long_as_an_object_uses_it(void **state)
{
    (void)state;
    collection c = make_collection(1);
    grz_scene *scene = NULL;
    grz_result *result = test_result_create(c.device);
    assert_int_equal(grz_scene_create(c.device, &scene, NULL), GRZ_OK);
    grz_mesh *mesh = test_mesh_upload(c.device, &c.sources[0]);
    const grz_object object = grz_object_at_origin(mesh);
    uint32_t ids[3];
    for (int i = 0; i < 3; i++)
        assert_int_equal(grz_scene_add(scene, &object, &ids[i], NULL), GRZ_OK);
    grz_mesh_destroy(mesh); // now only the scene uses it; the sanitizers check that it is freed
    assert_int_equal(ask_yes_or_no(&c, scene, result), 3);
    assert_int_equal(grz_scene_remove(scene, ids[1], NULL), GRZ_OK);
    assert_int_equal(ask_yes_or_no(&c, scene, result), 1);
    assert_int_equal(grz_mesh_triangle_count(grz_scene_object(scene, ids[0])->mesh), 12);
    assert_int_equal(grz_scene_remove(scene, ids[0], NULL), GRZ_OK);
    assert_int_equal(grz_scene_remove(scene, ids[2], NULL), GRZ_OK);
    assert_int_equal(ask_yes_or_no(&c, scene, result), 0);
    grz_scene_destroy(scene);
    grz_result_destroy(result);
    finish_collection(&c);
}

static void wrong_arguments_are_refused_by_name(void **state)
{
    (void)state;
    collection c = make_collection(1), other = make_collection(1);
    grz_scene *scene = NULL;
    grz_result *result = test_result_create(c.device);
    grz_error error = {.code = GRZ_OK};
    uint32_t id = 7;
    grz_object object = grz_object_at_origin(c.meshes[0]), bad = object;
    test_expect_error(grz_scene_create(NULL, &scene, &error), GRZ_ERROR_ARGUMENT, &error, "device is NULL",
                      GRZ_NO_ELEMENT);
    test_expect_error(grz_scene_create(c.device, NULL, &error), GRZ_ERROR_ARGUMENT, &error, "scene is NULL",
                      GRZ_NO_ELEMENT);
    assert_int_equal(grz_scene_create(c.device, &scene, NULL), GRZ_OK);
    test_expect_error(grz_scene_add(NULL, &object, &id, &error), GRZ_ERROR_ARGUMENT, &error, "scene is NULL",
                      GRZ_NO_ELEMENT);
    test_expect_error(grz_scene_add(scene, NULL, &id, &error), GRZ_ERROR_ARGUMENT, &error, "object is NULL",
                      GRZ_NO_ELEMENT);
    test_expect_error(grz_scene_add(scene, &object, NULL, &error), GRZ_ERROR_ARGUMENT, &error, "id is NULL",
                      GRZ_NO_ELEMENT);
    bad.mesh = NULL;
    test_expect_error(grz_scene_add(scene, &bad, &id, &error), GRZ_ERROR_ARGUMENT, &error, "mesh is NULL",
                      GRZ_NO_ELEMENT);
    bad = object;
    bad.pose.m[0][3] = 0x1p301;
    test_expect_error(grz_scene_add(scene, &bad, &id, &error), GRZ_ERROR_POSE, &error, "", GRZ_NO_ELEMENT);
    assert_int_equal(grz_scene_object_count(scene), 0);
    assert_int_equal(grz_scene_add(scene, &object, &id, NULL), GRZ_OK);
    assert_int_equal(id, 0);
    test_expect_error(grz_scene_remove(scene, 1, &error), GRZ_ERROR_ARGUMENT, &error, "no object 1", 1);
    test_expect_error(grz_scene_set_pose(scene, 4000000000u, &object.pose, &error), GRZ_ERROR_ARGUMENT, &error,
                      "no object 4000000000", 4000000000u);
    test_expect_error(grz_scene_set_pose(scene, 0, NULL, &error), GRZ_ERROR_ARGUMENT, &error, "pose is NULL", 0);
    test_expect_error(grz_scene_set_pose(scene, 0, &bad.pose, &error), GRZ_ERROR_POSE, &error, "object 0", 0);
    assert_memory_equal(&grz_scene_object(scene, 0)->pose, &object.pose, sizeof object.pose);
    test_expect_error(grz_scene_set_groups(NULL, 0, 1, 1, &error), GRZ_ERROR_ARGUMENT, &error, "scene is NULL",
                      GRZ_NO_ELEMENT);
    test_expect_error(grz_scene_set_broad_phase(NULL, GRZ_BROAD_PHASE_GRID, &error), GRZ_ERROR_ARGUMENT, &error,
                      "scene is NULL", GRZ_NO_ELEMENT);
    test_expect_error(grz_scene_set_filter(NULL, NULL, NULL, &error), GRZ_ERROR_ARGUMENT, &error, "scene is NULL",
                      GRZ_NO_ELEMENT);
    assert_null(grz_scene_object(NULL, 0));
    assert_int_equal(grz_scene_object_count(NULL), 0);
    test_expect_error(grz_collide_scene(c.device, NULL, NULL, result, &error), GRZ_ERROR_ARGUMENT, &error,
                      "scene is NULL", GRZ_NO_ELEMENT);
    test_expect_error(grz_collide_scene(NULL, scene, NULL, result, &error), GRZ_ERROR_ARGUMENT, &error, "NULL",
                      GRZ_NO_ELEMENT);
    test_expect_error(grz_collide_scene(c.device, scene, NULL, NULL, &error), GRZ_ERROR_ARGUMENT, &error, "NULL",
                      GRZ_NO_ELEMENT);
    test_expect_error(grz_collide_scene(other.device, scene, NULL, result, &error), GRZ_ERROR_ARGUMENT, &error,
                      "another device", GRZ_NO_ELEMENT);
    // The query refuses a mesh whose new positions its object's pose moves out of range.
    bad.pose = grz_pose_identity();
    for (int i = 0; i < 3; i++)
        bad.pose.m[i][i] = 0x1p298;
    assert_int_equal(grz_scene_set_pose(scene, 0, &bad.pose, NULL), GRZ_OK);
    test_mesh huge = test_mesh_copy(&c.sources[0]);
    test_mesh_scale(&huge, 1024, 1, 1);
    assert_int_equal(grz_mesh_set_positions(c.meshes[0], huge.positions, NULL), GRZ_OK);
    test_expect_error(grz_collide_scene(c.device, scene, NULL, result, &error), GRZ_ERROR_POSE, &error, "object 0", 0);
    assert_int_equal(grz_result_summary(result)->certainty, GRZ_UNDECIDED);
    assert_int_equal(grz_mesh_set_positions(c.meshes[0], c.sources[0].positions, NULL), GRZ_OK);
    assert_int_equal(grz_collide_scene(c.device, scene, NULL, result, NULL), GRZ_OK);
    test_mesh_finish(&huge);
    grz_scene_destroy(scene);
    grz_result_destroy(result);
    finish_collection(&c);
    finish_collection(&other);
}

// After a limit of pairs or memory is exceeded, the result is not half-written, and the scene can still be used.
static void a_query_that_ends_early_leaves_the_scene_usable(void **state)
{
    (void)state;
    collection c = make_collection(2);
    grz_result *result = test_result_create(c.device), *whole = test_result_create(c.device);
    grz_collide_options options = grz_default_collide_options();
    options.find = LISTS | GRZ_FIND_CONTAINMENT;
    grz_scene *fresh = make_row(&c, 40, 1.25);
    assert_int_equal(grz_collide_scene(c.device, fresh, &options, whole, NULL), GRZ_OK);
    test_answer expected = test_answer_of(whole);
    grz_scene_destroy(fresh);
    unsigned ended = 0, finished = 0;
    for (uint64_t limit = 256; limit < 1 << 21; limit += limit / 4) {
        for (int kind = 0; kind < 2; kind++) {
            grz_scene *scene = make_row(&c, 40, 1.25);
            grz_collide_options limited = options;
            grz_error error = {.code = GRZ_OK};
            grz_result *small =
                test_result_create(c.device); // a new one, because memory that a used result already has is not counted
            if (kind == 0)
                limited.limits.memory_limit = limit;
            else
                limited.max_pairs = limit / 64;
            const grz_status status = grz_collide_scene(c.device, scene, &limited, small, &error);
            const grz_summary *s = grz_result_summary(small);
            if (status != GRZ_OK) {
                uint64_t count;
                assert_int_equal(status, kind == 0 ? GRZ_ERROR_MEMORY : GRZ_ERROR_LIMIT);
                assert_non_null(strstr(error.message, kind == 0 ? "limit" : "pairs"));
                assert_true(s->certainty == GRZ_UNDECIDED ||
                            (s->certainty == GRZ_EXACT && s->relation == GRZ_COLLIDING));
                assert_true(kind == 0 || s->certainty == GRZ_EXACT);
                grz_result_scene_pairs(small, &count);
                assert_int_equal(count, 0);
                grz_result_pairs(small, &count);
                assert_int_equal(count, 0);
                ended++;
            } else {
                finished++;
            }
            assert_int_equal(grz_collide_scene(c.device, scene, &options, result, NULL), GRZ_OK);
            test_answer again = test_answer_of(result);
            assert_true(test_answers_equal("after a limit", &again, &expected));
            test_answer_finish(&again);
            grz_result_destroy(small);
            grz_scene_destroy(scene);
        }
    }
    print_message("%u queries ended early, %u did not\n", ended, finished);
    assert_true(ended > 20 && finished > 5);
    test_answer_finish(&expected);
    grz_result_destroy(result);
    grz_result_destroy(whole);
    finish_collection(&c);
}

static void a_scene_can_be_cancelled_and_timed_out(void **state)
{
    (void)state;
    collection c = make_collection(1);
    grz_result *result = test_result_create(c.device);
    unsigned cancelled = 0;
    for (int i = 0; i <= 20; i++) {
        grz_scene *scene = make_row(&c, 60, 1.25);
        test_brake b = {.at = i / 20.0};
        grz_collide_options options = grz_default_collide_options();
        options.find = LISTS;
        options.limits.progress = test_brake_pull;
        options.limits.progress_user = &b;
        options.limits.cancel = &b.flag;
        const grz_status status = grz_collide_scene(c.device, scene, &options, result, NULL);
        assert_true(status == GRZ_OK || status == GRZ_ERROR_CANCELLED);
        assert_false(b.went_back);
        cancelled += status != GRZ_OK;
        options = grz_default_collide_options();
        options.limits.deadline = 1e-9;
        assert_int_equal(grz_collide_scene(c.device, scene, &options, result, NULL), GRZ_ERROR_DEADLINE);
        options.limits.deadline = 1000.0;
        assert_int_equal(grz_collide_scene(c.device, scene, &options, result, NULL), GRZ_OK);
        assert_true(grz_result_summary(result)->pair_count > 100);
        grz_scene_destroy(scene);
    }
    assert_true(cancelled > 0);
    grz_result_destroy(result);
    finish_collection(&c);
}

// Also for scenes without work.
static void a_raised_flag_ends_any_query(void **state)
{
    (void)state;
    collection c = make_collection(1);
    grz_result *result = test_result_create(c.device);
    const int up = 1;
    for (uint32_t count = 0; count < 3; count++) {
        grz_scene *scene = make_row(&c, count, 100.0);
        grz_collide_options options = grz_default_collide_options();
        for (int i = 0; i < 2; i++) { // new to the scene, and known to it
            options.limits.cancel = &up;
            assert_int_equal(grz_collide_scene(c.device, scene, &options, result, NULL), GRZ_ERROR_CANCELLED);
            assert_int_equal(grz_result_summary(result)->certainty, GRZ_UNDECIDED);
            options.limits.cancel = NULL;
            options.limits.deadline = 1e-9;
            assert_int_equal(grz_collide_scene(c.device, scene, &options, result, NULL), GRZ_ERROR_DEADLINE);
            options.limits.deadline = 0.0;
            assert_int_equal(grz_collide_scene(c.device, scene, &options, result, NULL), GRZ_OK);
            assert_int_equal(grz_result_summary(result)->relation, GRZ_APART);
        }
        grz_scene_destroy(scene);
    }
    grz_result_destroy(result);
    finish_collection(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_gives_what_its_pairs_give),
        cmocka_unit_test(pairs_of_which_neither_changed_are_not_tested_again),
        cmocka_unit_test(the_filter_is_asked_in_order_about_pairs_whose_boxes_overlap),
        cmocka_unit_test(obvious_scenes_have_obvious_answers),
        cmocka_unit_test(a_mesh_lives_as_long_as_an_object_uses_it),
        cmocka_unit_test(wrong_arguments_are_refused_by_name),
        cmocka_unit_test(a_query_that_ends_early_leaves_the_scene_usable),
        cmocka_unit_test(a_scene_can_be_cancelled_and_timed_out),
        cmocka_unit_test(a_raised_flag_ends_any_query),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
