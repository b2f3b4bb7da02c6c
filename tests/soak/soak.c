// SPDX-License-Identifier: MIT
// Random queries for a given time: `soak [SECONDS [SEED [ROUND]]]`, 0 seconds for ever, from the source folder.
// Generated and sample meshes at random poses, deformed or not: `bvh` on 1, 2 and 5 threads against `naive`, byte by
// byte; refitted trees against new ones; A and B exchanged; yes/no alone; containment against a second count; the laws
// of contacts and curves. Scenes whose objects are added, removed, moved, regrouped and deformed: on every device
// against their pairs queried one by one by `naive`, and against a newly made scene. Batches against single calls. One
// line a minute shows the progress. The first difference ends the program with status 1 and the round's number; the
// same seed and round repeat it.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <time.h>

#include "mesh/mesh.h"
#include <graze/io.h> // so that the build links the readers
#include "support_contacts.h"
#include "support_queries.h"
#include "support_scenes.h"
#include "tests/inside/support_count_inside.h"

enum {
    FIND_ALL = GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CURVES | GRZ_FIND_CONTAINMENT,
    DEVICES = 3,
    MOST_TRIANGLE_PAIRS = 40000000, // for `naive`: half a second
    LARGE_EVERY = 12,               // one mesh in so many is a large sample
    // Of a scene.
    MOST_BODIES = 6,
    MOST_OBJECTS = 12,
    MOST_STEPS = 8,
    MOST_POSES = 16,
    MOST_TRIANGLES = 700 // of a body
};

static const unsigned thread_counts[DEVICES] = {1, 2, 5};
static grz_device *devices[DEVICES];
static grz_result *results[DEVICES];

// The arguments of the command line.
static double seconds = 60.0;
static unsigned long long seed = 1, only_round;
static bool one_round;

static struct tally {
    unsigned long long rounds, queries, pairs, touching, contained, apart, self, self_touching, counted;
    unsigned long long scenes, scene_queries, scene_pairs, batch_poses;
} done;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// A mesh, its positions at creation, and its pose.
typedef struct body {
    char name[64];
    test_mesh mesh; // with the present positions
    double *before; // NULL: not deformed
    grz_pose pose;
    grz_mesh *uploaded[DEVICES];
    double centre[3], radius;
} body;

static void measure(body *b)
{
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    b->radius = 0.0;
    for (uint64_t i = 0; i < 3 * b->mesh.vertex_count; i++) {
        low[i % 3] = fmin(low[i % 3], b->mesh.positions[i]);
        high[i % 3] = fmax(high[i % 3], b->mesh.positions[i]);
    }
    for (int k = 0; k < 3; k++) {
        b->centre[k] = 0.5 * low[k] + 0.5 * high[k];
        b->radius = fmax(b->radius, 0.5 * high[k] - 0.5 * low[k]);
    }
}

static test_mesh sample(random_stream *random, bool large, char name[64])
{
    static const char *const small_files[] = {
        "scalpel_sword128.obj", "hard/joined_tetrahedra.obj", "hard/negative_indices.obj",
        "hard/multibody.stl",   "hard/polygonfaces.obj",      "hard/soup.stl",
        "hard/wallhole.obj",    "hard/not_convex.obj",        "robot/fer_hand.stl",
        "robot/fer_link1.stl",  "robot/fer_link4.stl"};
    static const char *const large_files[] = {
        "cow_spot.ply",         "teapot_3751.obj",       "face_1252.obj",
        "nbody_a_eros.ply",     "nbody_a_bennu.ply",     "hard/spot_huge_offset.obj",
        "hard/spot_tiny.obj",   "hard/sheet2000.obj",    "hard/openscad-nonmanifold-crash.ply",
        "hard/featuretype.STL", "hard/thin_mat40x40.obj"};
    char path[128];
    const size_t count = large ? sizeof large_files / sizeof *large_files : sizeof small_files / sizeof *small_files;
    const char *file = (large ? large_files : small_files)[random_below(random, (uint32_t)count)];
    snprintf(path, sizeof path, "data/%s", file);
    snprintf(name, 64, "%s", file);
    return test_mesh_load(path);
}

// Shapes of many kinds, with sizes at random; those on whole numbers touch each other exactly.
static test_mesh generated(random_stream *random, char name[64])
{
    const uint32_t kind = random_below(random, 10), n = 1 + random_below(random, 8);
    const double size = 0.5 + fabs(random_signed(random));
    test_mesh mesh;
    snprintf(name, 64, "generated shape %u", kind);
    switch (kind) {
    case 0:
        return test_mesh_cube(0.0, 0.0, 0.0, (double)n);
    case 1:
        return test_mesh_cube_quads(-1.0, -1.0, -1.0, (double)n);
    case 2:
        return test_mesh_grid(n, 9 - n, 1.0);
    case 3:
        return test_mesh_grid_quads(n, 9 - n, 1.0);
    case 4:
        return test_mesh_icosphere(size, random_below(random, 4));
    case 5:
        return test_mesh_torus(2.0, 0.2 + 0.2 * (double)n, 3 + random_below(random, 30), 3 + random_below(random, 12));
    case 6:
        return test_mesh_random_triangles(random, 5 + random_below(random, 200), size, 0);
    case 7:
        return test_mesh_random_triangles(random, 5 + random_below(random, 60), 1.0, 1 + n / 2);
    case 8: // shells in shells, one of them perhaps turned
        mesh = test_mesh_cube(0.0, 0.0, 0.0, 16.0);
        test_mesh_take(&mesh, test_mesh_cube(4.0, 4.0, 4.0, 8.0));
        if (n % 2 == 0)
            test_mesh_reverse(&mesh);
        if (n > 4)
            test_mesh_take(&mesh, test_mesh_cube((double)n, 6.0, 6.0, 2.0));
        return mesh;
    default: // many small solids
        mesh = (test_mesh){0};
        for (uint32_t i = 0; i < 2 * n; i++)
            test_mesh_take(
                &mesh, test_mesh_cube(random_below(random, 9), random_below(random, 9), random_below(random, 9), 1.0));
        return mesh;
    }
}

// New positions: crumpled a little or much, or every vertex moved to a coarse raster, where vertices and faces
// coincide.
static void crumple(random_stream *random, body *b)
{
    const size_t numbers = 3 * (size_t)b->mesh.vertex_count;
    const uint32_t kind = random_below(random, 4);
    const double amount = b->radius * (kind == 0 ? 1e-9 : kind == 1 ? 0.02 : 0.3), step = b->radius / 4.0;
    for (size_t i = 0; i < numbers; i++) {
        double *x = &b->mesh.positions[i];
        *x = kind == 3 && step > 0.0 ? step * rint(*x / step) : *x + amount * random_signed(random);
    }
}

static void deform(random_stream *random, body *b)
{
    const size_t numbers = 3 * (size_t)b->mesh.vertex_count;
    if (b->before == NULL) {
        b->before = malloc((numbers + 1) * sizeof *b->before);
        assert_non_null(b->before);
        for (size_t i = 0; i < numbers; i++)
            b->before[i] = b->mesh.positions[i];
    }
    crumple(random, b);
}

static body random_body(random_stream *random)
{
    body b = {.pose = grz_pose_identity()};
    const uint32_t kind = random_below(random, LARGE_EVERY);
    b.mesh = kind == 0  ? sample(random, true, b.name)
             : kind < 4 ? sample(random, false, b.name)
                        : generated(random, b.name);
    if (random_below(random, 8) == 0) {
        test_mesh soup = test_mesh_soup(&b.mesh);
        test_mesh_finish(&b.mesh);
        b.mesh = soup;
    }
    measure(&b);
    if (random_below(random, 3) == 0) {
        deform(random, &b);
        measure(&b);
    }
    return b;
}

static void upload(body *b)
{
    test_mesh at_first = b->mesh;
    if (b->before != NULL)
        at_first.positions = b->before;
    for (int i = 0; i < DEVICES; i++) {
        b->uploaded[i] = test_mesh_upload(devices[i], &at_first);
        if (b->before == NULL)
            continue;
        // The last device builds its tree on the new positions, the others refit what they have.
        if (i + 1 < DEVICES)
            assert_int_equal(grz_mesh_prepare(b->uploaded[i], "bvh", NULL), GRZ_OK);
        assert_int_equal(grz_mesh_set_positions(b->uploaded[i], b->mesh.positions, NULL), GRZ_OK);
    }
}

static void finish_body(body *b)
{
    for (int i = 0; i < DEVICES; i++)
        grz_mesh_destroy(b->uploaded[i]);
    test_mesh_finish(&b->mesh);
    free(b->before);
}

// A rotation, or a turn and mirror that is exact; scaled; now and then flat.
static void turn(random_stream *random, body *b, double scale)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    const uint32_t kind = random_below(random, 8);
    double q[4];
    for (int i = 0; i < 4; i++)
        q[i] = random_signed(random);
    if (kind >= 4)
        assert_int_equal(grz_pose_from_quaternion(none, q, &b->pose, NULL), GRZ_OK);
    for (int row = 0; row < 3; row++) {
        const double factor = kind == 7 && row == 0 ? 0.0 : kind % 4 == 1 && row == 1 ? -scale : scale;
        for (int column = 0; column < 3; column++)
            b->pose.m[row][column] *= factor;
    }
    for (int column = 0; column < 3 && kind % 4 == 2; column++) {
        const double first = b->pose.m[0][column];
        b->pose.m[0][column] = b->pose.m[1][column];
        b->pose.m[1][column] = first;
    }
}

static void put_centre_at(body *b, const double target[3], bool whole)
{
    for (int row = 0; row < 3; row++) {
        const double *m = b->pose.m[row], *c = b->centre;
        const double offset = target[row] - (m[0] * c[0] + m[1] * c[1] + m[2] * c[2]);
        b->pose.m[row][3] = whole ? rint(offset) : offset;
    }
}

// Poses near each other: about half of the pairs touch, and in many others one object lies inside the other.
static void place(random_stream *random, body *a, body *b)
{
    const uint32_t kind = random_below(random, 8);
    // All models are scaled to about the same size, except one in three, which becomes small enough to lie inside
    // another. Models on integers are not scaled.
    const double fit = b->radius > 0.0 && a->radius > 0.0 ? a->radius / b->radius : 1.0;
    const bool whole = kind == 0 && a->radius > 0.25 && b->radius > 0.25 && a->radius < 1e3 && b->radius < 1e3;
    const double scale = whole      ? 1.0
                         : kind < 4 ? fit * 0.4 * fabs(random_signed(random))
                                    : fit * (0.5 + fabs(random_signed(random)));
    double target[3];
    turn(random, a, 1.0);
    turn(random, b, scale);
    for (int k = 0; k < 3; k++)
        target[k] = kind == 1 ? 0.0 : a->radius * random_signed(random);
    put_centre_at(a, target, whole);
    for (int k = 0; k < 3; k++)
        target[k] += (kind < 4 ? 0.7 * a->radius : a->radius + scale * b->radius) * random_signed(random);
    put_centre_at(b, target, whole);
    if (kind == 7 && random_below(random, 2) == 0) { // tiny, or far away
        const bool tiny = random_below(random, 2) == 0;
        const int exponent = tiny ? -300 - (int)random_below(random, 700) : 0;
        const double far = a->radius * ldexp(1.0, 20 + (int)random_below(random, 34));
        for (int i = 0; i < 12; i++) {
            double *x = &a->pose.m[i / 4][i % 4], *y = &b->pose.m[i / 4][i % 4];
            *x = tiny ? ldexp(*x, exponent) : i % 4 == 3 ? *x + far : *x;
            *y = tiny ? ldexp(*y, exponent) : i % 4 == 3 ? *y + far : *y;
        }
    }
}

static test_answer ask(int device, const body *a, const body *b, const char *method, uint32_t find)
{
    grz_collide_options options = grz_default_collide_options();
    grz_object object_a = grz_object_at_origin(a->uploaded[device]);
    grz_object object_b = grz_object_at_origin(b != NULL ? b->uploaded[device] : NULL);
    grz_error error = {.code = GRZ_OK};
    object_a.pose = a->pose;
    if (b != NULL)
        object_b.pose = b->pose;
    options.method = method;
    options.find = find;
    const grz_status status =
        b != NULL ? grz_collide(devices[device], &object_a, &object_b, &options, results[device], &error)
                  : grz_collide_self(devices[device], &object_a, &options, results[device], &error);
    if (status != GRZ_OK)
        fail_msg("%s by %s with %u threads: %s", b != NULL ? "a pair" : "self", method, thread_counts[device],
                 error.message);
    done.queries++;
    test_answer answer = test_answer_of(results[device]);
    answer.self = b == NULL;
    return answer;
}

// Run one query in all ways. Returns the answer of `naive` on one thread; the caller finishes it.
static test_answer ask_in_all_ways(random_stream *random, const body *a, const body *b)
{
    test_answer first = ask(0, a, b, "naive", FIND_ALL);
    for (int way = 0; way <= DEVICES; way++) {
        const int device = way < DEVICES ? way : DEVICES - 1;
        char what[64];
        snprintf(what, sizeof what, "%s with %u threads against naive with one", way < DEVICES ? "bvh" : "naive",
                 thread_counts[device]);
        test_answer answer = ask(device, a, b, way < DEVICES ? "bvh" : "naive", FIND_ALL);
        if (!test_answers_equal(what, &first, &answer))
            fail_msg("%s", what);
        test_answer_finish(&answer);
    }
    const int device = (int)random_below(random, DEVICES);
    test_answer yes_no = ask(device, a, b, random_below(random, 4) == 0 ? "naive" : "bvh", 0);
    if ((yes_no.summary.relation == GRZ_COLLIDING) != (first.summary.relation == GRZ_COLLIDING))
        fail_msg("yes/no alone says otherwise");
    test_answer_finish(&yes_no);
    test_expect_contact_laws("naive", &first);
    test_expect_curve_laws("naive", &first);
    done.pairs += first.pair_count;
    return first;
}

static void exchange(random_stream *random, const body *a, const body *b, const test_answer *answer)
{
    static const test_renumbering swap = {.swap = true};
    const grz_relation there = answer->summary.relation;
    test_answer back = ask((int)random_below(random, DEVICES), b, a, "bvh", FIND_ALL);
    test_expect_same_contacts("A and B exchanged", answer, &back, &swap);
    if (back.summary.relation != (there == GRZ_A_INSIDE_B   ? GRZ_B_INSIDE_A
                                  : there == GRZ_B_INSIDE_A ? GRZ_A_INSIDE_B
                                                            : there) ||
        back.summary.containment != answer->summary.containment)
        fail_msg("A and B exchanged: relation %d became %d", (int)there, (int)back.summary.relation);
    test_answer_finish(&back);
}

// World positions by the definition, a second implementation. The caller frees them.
static double *world_of(const body *b)
{
    double *world = malloc(3 * (size_t)b->mesh.vertex_count * sizeof *world);
    assert_non_null(world);
    for (uint64_t v = 0; v < b->mesh.vertex_count; v++) {
        const double *p = b->mesh.positions + 3 * v;
        for (int row = 0; row < 3; row++) {
            const double *m = b->pose.m[row], in_x = m[0] * p[0], in_y = m[1] * p[1], in_z = m[2] * p[2];
            world[3 * v + (uint64_t)row] = ((in_x + in_y) + in_z) + m[3];
        }
    }
    return world;
}

static void count_containment(random_stream *random, const body *a, const body *b, const test_answer *answer)
{
    double *world_a = world_of(a), *world_b = world_of(b);
    const counted_mesh counted_a = {&a->mesh, a->uploaded[0], world_a}, counted_b = {&b->mesh, b->uploaded[0], world_b};
    grz_relation relation;
    if (count_relation(random, &counted_a, &counted_b, &relation)) {
        done.counted++;
        if (relation != answer->summary.relation)
            fail_msg("relation %d, but counting crossings gives %d", (int)answer->summary.relation, (int)relation);
    }
    free(world_a);
    free(world_b);
}

static void try_pair(random_stream *random)
{
    body a = random_body(random), b = random_body(random);
    place(random, &a, &b);
    const uint64_t triangles_a = a.mesh.index_count - 2 * a.mesh.face_count,
                   triangles_b = b.mesh.index_count - 2 * b.mesh.face_count;
    if (triangles_a * triangles_b <= MOST_TRIANGLE_PAIRS) {
        upload(&a);
        upload(&b);
        test_answer answer = ask_in_all_ways(random, &a, &b);
        exchange(random, &a, &b, &answer);
        if (answer.summary.relation != GRZ_COLLIDING)
            count_containment(random, &a, &b, &answer);
        done.touching += answer.summary.relation == GRZ_COLLIDING;
        done.apart += answer.summary.relation == GRZ_APART;
        done.contained += answer.summary.relation != GRZ_COLLIDING && answer.summary.relation != GRZ_APART;
        test_answer_finish(&answer);
    }
    finish_body(&a);
    finish_body(&b);
}

static void try_self(random_stream *random)
{
    body a = random_body(random);
    const uint64_t triangles = a.mesh.index_count - 2 * a.mesh.face_count;
    turn(random, &a, 1.0);
    if (triangles * triangles <= MOST_TRIANGLE_PAIRS) {
        upload(&a);
        test_answer answer = ask_in_all_ways(random, &a, NULL);
        done.self++;
        done.self_touching += answer.summary.colliding;
        test_answer_finish(&answer);
    }
    finish_body(&a);
}

// Scenes.

// An object, the same in the scenes of all devices.
typedef struct thing {
    bool used, changed; // since the last query
    uint32_t body;
    grz_pose pose;
    uint32_t group, mask;
} thing;

typedef struct world {
    body bodies[MOST_BODIES];
    thing things[MOST_OBJECTS];
    grz_scene *scenes[DEVICES];
    uint32_t body_count, objects;
    double shift; // all of it lies so far out
} world;

static body scene_body(random_stream *random)
{
    for (;;) {
        body b = random_body(random);
        if (b.mesh.index_count - 2 * b.mesh.face_count <= MOST_TRIANGLES)
            return b;
        finish_body(&b);
    }
}

// A pose near the other objects: bodies are scaled to about the same size, or stay on integers.
static grz_pose scene_pose(random_stream *random, const world *w, const body *source)
{
    body b = *source;
    const bool whole = random_below(random, 3) == 0 && b.radius > 0.25 && b.radius < 64.0;
    const double scale = whole || b.radius <= 0.0 ? 1.0 : (0.1 + fabs(random_signed(random))) / b.radius;
    double target[3];
    b.pose = grz_pose_identity();
    turn(random, &b, scale);
    for (int k = 0; k < 3; k++)
        target[k] = w->shift + (whole ? b.radius : 2.0) * random_signed(random);
    put_centre_at(&b, target, whole);
    return b.pose;
}

static grz_object object_on(const world *w, int device, uint32_t id)
{
    const thing *t = &w->things[id];
    grz_object object = grz_object_at_origin(w->bodies[t->body].uploaded[device]);
    object.pose = t->pose;
    object.group = t->group;
    object.mask = t->mask;
    return object;
}

static void add_thing(random_stream *random, world *w)
{
    uint32_t id = 0;
    while (id < w->objects && w->things[id].used)
        id++;
    if (id == w->objects)
        return;
    thing *t = &w->things[id];
    *t = (thing){
        .used = true, .changed = true, .body = random_below(random, w->body_count), .group = 1, .mask = UINT32_MAX};
    t->pose = scene_pose(random, w, &w->bodies[t->body]);
    for (int i = 0; i < DEVICES; i++) {
        const grz_object object = object_on(w, i, id);
        uint32_t number = UINT32_MAX;
        assert_int_equal(grz_scene_add(w->scenes[i], &object, &number, NULL), GRZ_OK);
        assert_int_equal(number, id);
    }
}

static void remove_thing(world *w, uint32_t id)
{
    for (int i = 0; i < DEVICES; i++)
        assert_int_equal(grz_scene_remove(w->scenes[i], id, NULL), GRZ_OK);
    w->things[id].used = false;
}

static void move_thing(random_stream *random, world *w, uint32_t id)
{
    thing *t = &w->things[id];
    if (random_below(random, 2) == 0) // a little
        t->pose.m[random_below(random, 3)][3] += 0.125 * random_signed(random);
    else
        t->pose = scene_pose(random, w, &w->bodies[t->body]);
    t->changed = true;
    for (int i = 0; i < DEVICES; i++)
        assert_int_equal(grz_scene_set_pose(w->scenes[i], id, &t->pose, NULL), GRZ_OK);
}

static void regroup_thing(random_stream *random, world *w, uint32_t id)
{
    thing *t = &w->things[id];
    const uint32_t group = 1u + random_below(random, 3),
                   mask = random_below(random, 3) == 0 ? random_below(random, 4) : UINT32_MAX;
    t->changed = t->changed || group != t->group || mask != t->mask;
    t->group = group;
    t->mask = mask;
    for (int i = 0; i < DEVICES; i++)
        assert_int_equal(grz_scene_set_groups(w->scenes[i], id, group, mask, NULL), GRZ_OK);
}

static void deform_body(random_stream *random, world *w, uint32_t index)
{
    body *b = &w->bodies[index];
    deform(random, b);
    for (int i = 0; i < DEVICES; i++)
        assert_int_equal(grz_mesh_set_positions(b->uploaded[i], b->mesh.positions, NULL), GRZ_OK);
    for (uint32_t id = 0; id < w->objects; id++)
        w->things[id].changed = w->things[id].changed || w->things[id].body == index;
}

static void change_world(random_stream *random, world *w)
{
    const uint32_t id = random_below(random, w->objects), kind = random_below(random, 10);
    if (kind < 2)
        add_thing(random, w);
    else if (kind == 2)
        deform_body(random, w, random_below(random, w->body_count));
    else if (!w->things[id].used)
        return;
    else if (kind == 3)
        remove_thing(w, id);
    else if (kind == 4)
        regroup_thing(random, w, id);
    else
        move_thing(random, w, id);
}

static void ask_world(int device, grz_scene *scene, const grz_collide_options *options)
{
    grz_error error = {.code = GRZ_OK};
    if (grz_collide_scene(devices[device], scene, options, results[device], &error) != GRZ_OK)
        fail_msg("a scene by %s with %u threads: %s", options->method, thread_counts[device], error.message);
    done.scene_queries++;
}

// Compare the scene's last answer with all pairs of objects alone, by `naive` on one thread.
static void check_world(const world *w, int device, const grz_collide_options *options)
{
    test_scene_check check = test_scene_check_begin(results[device], options->find);
    grz_collide_options single = *options;
    grz_result *alone = test_result_create(devices[0]);
    single.method = "naive";
    single.find = TEST_FIND_ALL;
    for (uint32_t a = 0; a < w->objects; a++) {
        for (uint32_t b = a + 1; b < w->objects; b++) {
            const thing *x = &w->things[a], *y = &w->things[b];
            if (!x->used || !y->used || (x->group & y->mask) == 0 || (y->group & x->mask) == 0 ||
                ((options->find & GRZ_FIND_CHANGED) != 0 && !x->changed && !y->changed))
                continue;
            const grz_object object_a = object_on(w, 0, a), object_b = object_on(w, 0, b);
            assert_int_equal(grz_collide(devices[0], &object_a, &object_b, &single, alone, NULL), GRZ_OK);
            test_answer answer = test_answer_of(alone);
            if (!test_scene_check_pair(&check, a, b, &answer))
                fail_msg("a scene by %s with %u threads, find 0x%x", options->method, thread_counts[device],
                         options->find);
            test_answer_finish(&answer);
        }
    }
    done.scene_pairs += check.part_count;
    if (!test_scene_check_end(&check))
        fail_msg("a scene by %s with %u threads, find 0x%x", options->method, thread_counts[device], options->find);
    grz_result_destroy(alone);
}

static bool same_parts(const grz_scene_pair *x, const grz_scene_pair *y)
{
    return x->a == y->a && x->b == y->b && x->relation == y->relation && x->containment == y->containment &&
           x->pair_count == y->pair_count && memcmp(x->kinds, y->kinds, sizeof x->kinds) == 0 &&
           x->first_pair == y->first_pair && x->first_contact == y->first_contact &&
           x->contact_count == y->contact_count && x->first_curve == y->first_curve && x->curve_count == y->curve_count;
}

// A new scene of new meshes on the device, with the same objects and numbers, must give the same answer.
static void check_with_new_scene(const world *w, int device, const grz_collide_options *options)
{
    grz_mesh *fresh[MOST_BODIES] = {NULL};
    grz_result *result = test_result_create(devices[device]);
    grz_scene *scene = NULL;
    uint64_t count, other_count;
    assert_int_equal(grz_scene_create(devices[device], &scene, NULL), GRZ_OK);
    for (uint32_t i = 0; i < w->body_count; i++) {
        const body *own = &w->bodies[i];
        test_mesh at_first = own->mesh;
        at_first.positions = own->before != NULL ? own->before : at_first.positions;
        fresh[i] = test_mesh_upload(devices[device], &at_first);
        assert_int_equal(grz_mesh_set_positions(fresh[i], own->mesh.positions, NULL), GRZ_OK);
    }
    for (uint32_t id = 0; id < w->objects; id++) {
        grz_object object = object_on(w, device, id);
        uint32_t number = UINT32_MAX;
        object.mesh = fresh[w->things[id].body];
        if (!w->things[id].used)
            object.pose = grz_pose_identity(); // occupies the number until its object is removed
        assert_int_equal(grz_scene_add(scene, &object, &number, NULL), GRZ_OK);
        assert_int_equal(number, id);
    }
    for (uint32_t id = 0; id < w->objects; id++)
        if (!w->things[id].used)
            assert_int_equal(grz_scene_remove(scene, id, NULL), GRZ_OK);
    for (uint32_t i = 0; i < w->body_count; i++) // the scene keeps what it needs
        grz_mesh_destroy(fresh[i]);
    if (grz_collide_scene(devices[device], scene, options, result, NULL) != GRZ_OK)
        fail_msg("a new scene by %s with %u threads failed", options->method, thread_counts[device]);
    test_answer x = test_answer_of(results[device]), y = test_answer_of(result);
    const grz_scene_pair *parts = grz_result_scene_pairs(results[device], &count),
                         *others = grz_result_scene_pairs(result, &other_count);
    bool same = test_answers_equal("a scene and a new one", &x, &y) && count == other_count;
    for (uint64_t i = 0; i < count && same; i++)
        same = same_parts(&parts[i], &others[i]);
    if (!same)
        fail_msg("a scene by %s with %u threads and a new one differ, find 0x%x", options->method,
                 thread_counts[device], options->find);
    test_answer_finish(&x);
    test_answer_finish(&y);
    grz_scene_destroy(scene);
    grz_result_destroy(result);
}

// Compare a batch, one object against a body at many poses, with each pose alone by `naive`.
static void check_batch(random_stream *random, const world *w)
{
    const int device = (int)random_below(random, DEVICES);
    const body *a = &w->bodies[random_below(random, w->body_count)],
               *b = &w->bodies[random_below(random, w->body_count)];
    const uint32_t count = random_below(random, MOST_POSES + 1);
    grz_object object = grz_object_at_origin(a->uploaded[device]), single_a = grz_object_at_origin(a->uploaded[0]),
               single_b = grz_object_at_origin(b->uploaded[0]);
    grz_collide_options options = grz_default_collide_options();
    grz_pose poses[MOST_POSES];
    grz_pose_answer answers[MOST_POSES];
    object.pose = single_a.pose = scene_pose(random, w, a);
    for (uint32_t i = 0; i < count; i++)
        poses[i] = scene_pose(random, w, b);
    options.find = (random_below(random, 2) == 0 ? 0u : GRZ_FIND_PAIRS) |
                   (random_below(random, 2) == 0 ? 0u : GRZ_FIND_CONTAINMENT);
    assert_int_equal(
        grz_collide_poses(devices[device], &object, b->uploaded[device], poses, count, &options, answers, NULL),
        GRZ_OK);
    options.method = "naive";
    for (uint32_t i = 0; i < count; i++) {
        single_b.pose = poses[i];
        assert_int_equal(grz_collide(devices[0], &single_a, &single_b, &options, results[0], NULL), GRZ_OK);
        const grz_summary *s = grz_result_summary(results[0]);
        if (answers[i].relation != s->relation || answers[i].colliding != s->colliding ||
            answers[i].certainty != s->certainty || answers[i].containment != s->containment ||
            answers[i].pairs_complete != s->pairs_complete || answers[i].pair_count != s->pair_count ||
            memcmp(answers[i].kinds, s->kinds, sizeof s->kinds) != 0)
            fail_msg("pose %u of %u with %u threads, find 0x%x: relation %d, alone %d", i, count, thread_counts[device],
                     options.find, (int)answers[i].relation, (int)s->relation);
        done.batch_poses++;
    }
}

static void try_scene(random_stream *random)
{
    static const uint32_t finds[] = {TEST_FIND_ALL,
                                     TEST_FIND_ALL,
                                     0,
                                     GRZ_FIND_CONTAINMENT,
                                     GRZ_FIND_PAIRS,
                                     GRZ_FIND_CHANGED | TEST_FIND_ALL,
                                     GRZ_FIND_CHANGED,
                                     GRZ_FIND_CHANGED | GRZ_FIND_CONTAINMENT};
    static const double shifts[] = {0.0, 0.0, 0.0, 0x1p20, 0x1p40};
    world w = {.body_count = 1 + random_below(random, MOST_BODIES),
               .objects = 2 + random_below(random, MOST_OBJECTS - 1)};
    w.shift = shifts[random_below(random, sizeof shifts / sizeof *shifts)];
    for (int i = 0; i < DEVICES; i++)
        assert_int_equal(grz_scene_create(devices[i], &w.scenes[i], NULL), GRZ_OK);
    for (uint32_t i = 0; i < w.body_count; i++) {
        w.bodies[i] = scene_body(random);
        upload(&w.bodies[i]);
    }
    for (uint32_t i = 0; i < w.objects; i++)
        add_thing(random, &w);
    for (uint32_t steps = 1 + random_below(random, MOST_STEPS); steps > 0; steps--) {
        grz_collide_options options = grz_default_collide_options();
        options.find = finds[random_below(random, sizeof finds / sizeof *finds)];
        options.inside_rule = random_below(random, 3) == 0 ? GRZ_NONZERO : GRZ_EVEN_ODD;
        for (int i = 0; i < DEVICES; i++) {
            options.method = random_below(random, 4) == 0 ? "naive" : "bvh";
            ask_world(i, w.scenes[i], &options);
            check_world(&w, i, &options);
        }
        if ((options.find & GRZ_FIND_CHANGED) == 0)
            check_with_new_scene(&w, DEVICES - 1, &options);
        for (uint32_t id = 0; id < w.objects; id++)
            w.things[id].changed = false;
        for (uint32_t changes = random_below(random, 6); changes > 0; changes--)
            change_world(random, &w);
    }
    check_batch(random, &w);
    done.scenes++;
    for (int i = 0; i < DEVICES; i++)
        grz_scene_destroy(w.scenes[i]);
    for (uint32_t i = 0; i < w.body_count; i++)
        finish_body(&w.bodies[i]);
}

// The kinds of rounds, and how often each comes.
static const struct {
    void (*try)(random_stream *random);
    uint32_t share;
} kinds[] = {{try_pair, 4}, {try_self, 1}, {try_scene, 2}};

static void run_round(unsigned long long number)
{
    // A seed of its own, so that any round can be run alone.
    random_stream random = {.state = seed * UINT64_C(0x9e3779b97f4a7c15) + number * UINT64_C(0xd1342543de82ef95)};
    uint32_t total = 0, kind = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        total += kinds[i].share;
    uint32_t pick = random_below(&random, total);
    while (pick >= kinds[kind].share)
        pick -= kinds[kind++].share;
    kinds[kind].try(&random);
    done.rounds++;
}

static void print_progress(double elapsed)
{
    const unsigned long long all = done.touching + done.contained + done.apart, self = done.self;
    printf("%6.0f s: %llu rounds, %llu queries, %llu pairs found; of %llu pairs of meshes %.0f %% touch, %.0f %% are "
           "contained "
           "(%llu counted), %.0f %% apart; of %llu meshes %.0f %% touch themselves; %llu scenes asked %llu times, %llu "
           "pairs of "
           "objects listed; %llu poses in batches\n",
           elapsed, done.rounds, done.queries, done.pairs, all,
           all > 0 ? 100.0 * (double)done.touching / (double)all : 0.0,
           all > 0 ? 100.0 * (double)done.contained / (double)all : 0.0, done.counted,
           all > 0 ? 100.0 * (double)done.apart / (double)all : 0.0, self,
           self > 0 ? 100.0 * (double)done.self_touching / (double)self : 0.0, done.scenes, done.scene_queries,
           done.scene_pairs, done.batch_poses);
    fflush(stdout);
}

static void every_way_of_asking_agrees(void **state)
{
    const double start = now();
    double next_line = 60.0;
    (void)state;
    for (unsigned long long number = one_round ? only_round : 0;; number++) {
        only_round = number; // for main(), which prints it after a failure
        run_round(number);
        const double elapsed = now() - start;
        if (elapsed >= next_line) {
            print_progress(elapsed);
            next_line += 60.0 * (1.0 + floor((elapsed - next_line) / 60.0));
        }
        if (one_round || (seconds > 0.0 && elapsed >= seconds))
            break;
    }
    print_progress(now() - start);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_way_of_asking_agrees)};
    seconds = argc > 1 ? strtod(argv[1], NULL) : seconds;
    seed = argc > 2 ? strtoull(argv[2], NULL, 10) : seed;
    only_round = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
    one_round = argc > 3;
    printf("soak: seed %llu\n", seed);
    fflush(stdout);
    for (int i = 0; i < DEVICES; i++) {
        devices[i] = test_device_open(thread_counts[i]);
        results[i] = test_result_create(devices[i]);
    }
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    if (failures != 0) {
        printf("soak: DIFFERENCE in round %llu; again with: soak 0 %llu %llu\n", only_round, seed, only_round);
        return 1;
    }
    for (int i = 0; i < DEVICES; i++) {
        grz_result_destroy(results[i]);
        grz_device_close(devices[i]);
    }
    return 0;
}
