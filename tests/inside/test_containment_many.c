// SPDX-License-Identifier: MIT
// Containment of many components, where whole nodes of a hierarchy are decided at once: hundreds of small bodies inside
// and around surfaces of many sorts, each compared with the oracle (oracle_inside.h). One more component of the other
// kind must change the answer, whatever its position and number. Then laws, threads, and how a query ends early.
// ctest: concurrent clusters_are_decided_at_once queries_end_wherever_the_flag_is_raised
// ctest: concurrent progress_is_reported_on_the_callers_thread_and_never_falls
// ctest: timeout 900
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/control.h"
#include "inside/containment.h"
#include "mesh/mesh.h"
#include "oracle_inside.h"
#include "support_devices.h"
#include "support_queries.h"
#include "support_sanitizer.h"
#include "support_solids.h"

enum {
    DEVICES = 3,
    RULES = 2
};

static const unsigned thread_counts[DEVICES] = {1, 2, 5};
static grz_device *devices[DEVICES];
static grz_result *results[DEVICES];

static int open_devices(void **state)
{
    (void)state;
    for (int i = 0; i < DEVICES; i++) {
        devices[i] = test_device_open(thread_counts[i]);
        results[i] = test_result_create(devices[i]);
    }
    return 0;
}

static int close_devices(void **state)
{
    (void)state;
    for (int i = 0; i < DEVICES; i++) {
        grz_result_destroy(results[i]);
        grz_device_close(devices[i]);
    }
    return 0;
}

// ---- Bodies around a surface ----------------------------------------------------------------------------------------

// A surface, and tetrahedra around it that do not touch it.
typedef struct scene {
    test_mesh surface, bodies; // four vertices and four faces a body
    grz_pose pose_surface, pose_bodies;
    uint32_t body_count;
    oracle_edges edges;
    bool *inside[RULES]; // body_count each; unused if the surface's edges allow no decision
    bool *in_box;        // all corners of the body lie in the surface's box
} scene;

static void add_body(test_mesh *mesh, const double corners[4][3])
{
    test_mesh body = test_mesh_tetrahedron(corners);
    test_mesh_take(mesh, body);
}

static void copy_body(test_mesh *to, const test_mesh *from, uint32_t body)
{
    double corners[4][3];
    memcpy(corners, from->positions + 12 * (size_t)body, sizeof corners);
    add_body(to, (const double(*)[3])corners);
}

static test_mesh random_bodies(uint32_t count, double reach, double size, random_stream *random)
{
    test_mesh bodies = {0};
    for (uint32_t i = 0; i < count; i++) {
        double corners[4][3];
        const double share = random_below(random, 4) == 0 ? size : 0.1 * size;
        for (int axis = 0; axis < 3; axis++) {
            const double centre = reach * random_signed(random);
            for (int k = 0; k < 4; k++)
                corners[k][axis] = centre + share * random_signed(random);
        }
        add_body(&bodies, (const double(*)[3])corners);
    }
    return bodies;
}

static void drop_touching(scene *s)
{
    grz_mesh *a = test_mesh_upload(devices[0], &s->bodies), *b = test_mesh_upload(devices[0], &s->surface);
    const grz_object object_a = {.mesh = a, .pose = s->pose_bodies}, object_b = {.mesh = b, .pose = s->pose_surface};
    assert_int_equal(grz_collide(devices[0], &object_a, &object_b, NULL, results[0], NULL), GRZ_OK);
    uint64_t pair_count;
    const grz_pair *pairs = grz_result_pairs(results[0], &pair_count);
    test_mesh rest = {0};
    uint32_t next = 0;
    for (uint64_t i = 0; i <= pair_count; i++) {
        const uint32_t touching = i < pair_count ? pairs[i].face_a / 4 : (uint32_t)(s->bodies.face_count / 4);
        for (; next < touching; next++)
            copy_body(&rest, &s->bodies, next);
        next = touching + 1 > next ? touching + 1 : next;
    }
    test_mesh_finish(&s->bodies);
    s->bodies = rest;
    s->body_count = (uint32_t)(rest.face_count / 4);
    grz_mesh_destroy(a);
    grz_mesh_destroy(b);
}

static bool *allocate_flags(uint32_t count)
{
    bool *flags = calloc(count + 1, sizeof *flags);
    assert_non_null(flags);
    return flags;
}

// Ask the oracle for one corner of each body.
static void tell_bodies(scene *s, random_stream *random)
{
    double *corners = oracle_corners(&s->surface, &s->pose_surface), min[3], max[3];
    double *points = malloc(((size_t)s->body_count + 1) * 3 * sizeof *points);
    assert_non_null(points);
    for (int axis = 0; axis < 3; axis++) {
        min[axis] = HUGE_VAL;
        max[axis] = -HUGE_VAL;
    }
    for (uint64_t i = 0; i < 9 * s->surface.face_count; i++) {
        min[i % 3] = fmin(min[i % 3], corners[i]);
        max[i % 3] = fmax(max[i % 3], corners[i]);
    }
    for (int rule = 0; rule < RULES; rule++)
        s->inside[rule] = allocate_flags(s->body_count);
    s->in_box = allocate_flags(s->body_count);
    for (uint32_t i = 0; i < s->body_count; i++) {
        s->in_box[i] = true;
        for (uint32_t k = 0; k < 4; k++) {
            double p[3];
            oracle_pose(&s->pose_bodies, s->bodies.positions + 3 * (4 * (size_t)i + k), p);
            for (int axis = 0; axis < 3; axis++)
                s->in_box[i] = s->in_box[i] && p[axis] >= min[axis] && p[axis] <= max[axis];
            if (k == 3)
                memcpy(points + 3 * (size_t)i, p, sizeof p);
        }
    }
    oracle_surface *oracle = oracle_surface_create(corners, (size_t)s->surface.face_count, points, s->body_count);
    for (uint32_t i = 0; i < s->body_count; i++) {
        const oracle_place place = oracle_surface_locate(oracle, i, random);
        assert_false(place.on_surface);
        s->inside[GRZ_EVEN_ODD][i] = place.odd;
        s->inside[GRZ_NONZERO][i] = place.winding != 0;
    }
    oracle_surface_destroy(oracle);
    free(corners);
    free(points);
}

enum {
    KINDS = 7
};

static const char *const kind_names[KINDS] = {"rough",      "crumpled", "double tube", "cells",
                                              "degenerate", "open",     "turned faces"};

static grz_pose random_pose(uint32_t number, random_stream *random)
{
    const double translation[3] = {random_signed(random), random_signed(random), random_signed(random)};
    const double quaternion[4] = {random_signed(random), random_signed(random), random_signed(random), 1.5};
    grz_pose pose;
    assert_int_equal(grz_pose_from_quaternion(translation, quaternion, &pose, NULL), GRZ_OK);
    if (number % 3 == 2)
        for (int i = 0; i < 4; i++)
            pose.m[2][i] = -pose.m[2][i];
    return number % 3 == 0 ? grz_pose_identity() : pose;
}

static scene make_scene(uint32_t kind, uint32_t seed, uint32_t bodies, double size)
{
    random_stream random = {.state = UINT64_C(0xb0d1e5) << 32 | (uint64_t)kind << 16 | seed};
    scene s = {.pose_surface = random_pose(seed / 3, &random)};
    if (kind == 3) {
        const solid_cells cells = solid_random(&random, 3);
        s.surface = solid_surface(&cells, seed % 2 == 0);
        if (seed % 2 == 0) {
            test_mesh triangles = test_mesh_triangulated(&s.surface);
            test_mesh_finish(&s.surface);
            s.surface = triangles;
        }
        test_mesh_move(&s.surface, -10, -10, -10);
        test_mesh_scale(&s.surface, 0.25, 0.25, 0.25);
    } else {
        s.surface = kind == 2
                        ? test_mesh_double_tube(2.5, 9, 13)
                        : test_mesh_rough_sphere(&random, seed % 2 == 0 ? 1 : 2, kind == 1 ? 0.9 : 0.3, kind == 1);
    }
    if (kind == 4)
        test_mesh_add_degenerates(&s.surface, &random);
    else if (kind == 5)
        test_mesh_drop_face(&s.surface, random_below(&random, (uint32_t)s.surface.face_count));
    else if (kind == 6)
        test_mesh_reverse_some(&s.surface, &random);
    s.edges = oracle_edges_of(&s.surface);
    // The bodies' pose is the surface's, slightly enlarged, so that they lie around it.
    s.pose_bodies = s.pose_surface;
    for (int i = 0; i < 3; i++)
        s.pose_bodies.m[i][i % 2] *= seed % 5 == 0 ? 1.0 : 1.0625;
    s.bodies = random_bodies(bodies, kind == 2 ? 4.0 : seed % 2 == 0 ? 2.7 : 4.0, size, &random);
    drop_touching(&s);
    tell_bodies(&s, &random);
    return s;
}

static void finish_scene(scene *s)
{
    test_mesh_finish(&s->surface);
    test_mesh_finish(&s->bodies);
    for (int rule = 0; rule < RULES; rule++)
        free(s->inside[rule]);
    free(s->in_box);
}

// The bodies that are marked as `wanted`, and one of the others if `odd` is at least 0: the odd-th of them. Shuffled.
static test_mesh bodies_of(const scene *s, const bool *marks, bool wanted, int odd, random_stream *random)
{
    test_mesh mesh = {0};
    int others = 0;
    for (uint32_t i = 0; i < s->body_count; i++)
        if (marks[i] == wanted || others++ == odd)
            copy_body(&mesh, &s->bodies, i);
    test_mesh_shuffle(&mesh, random, NULL);
    return mesh;
}

static void expect_summary(const char *what, const grz_summary *summary, grz_relation relation, bool decided)
{
    const grz_containment containment = relation == GRZ_COLLIDING ? GRZ_CONTAINMENT_NOT_ASKED
                                        : decided                 ? GRZ_CONTAINMENT_DECIDED
                                                                  : GRZ_CONTAINMENT_UNDECIDABLE;
    if (summary->relation != relation || summary->containment != containment)
        fail_msg("%s: relation %d, containment %d; expected %d, %d", what, (int)summary->relation,
                 (int)summary->containment, (int)relation, (int)containment);
}

// On each device, with the bodies as A and as B. Naive costs too much for many bodies.
static void expect_bodies(const char *what, const scene *s, const test_mesh *bodies, grz_inside_rule rule,
                          grz_relation relation, bool decided)
{
    if (bodies->face_count == 0)
        return;
    for (int device = 0; device < DEVICES; device++) {
        grz_mesh *a = test_mesh_upload(devices[device], bodies), *b = test_mesh_upload(devices[device], &s->surface);
        const grz_object object_a = {.mesh = a, .pose = s->pose_bodies},
                         object_b = {.mesh = b, .pose = s->pose_surface};
        grz_collide_options options = grz_default_collide_options();
        grz_error error;
        options.find = GRZ_FIND_CONTAINMENT;
        options.inside_rule = rule;
        options.method = bodies->face_count < 400 && device == 0 ? "naive" : "bvh";
        for (int order = 0; order < 2; order++) {
            const grz_relation expected = order == 1 && relation == GRZ_A_INSIDE_B ? GRZ_B_INSIDE_A : relation;
            if (grz_collide(devices[device], order == 0 ? &object_a : &object_b, order == 0 ? &object_b : &object_a,
                            &options, results[device], &error) != GRZ_OK)
                fail_msg("%s: %s", what, error.message);
            expect_summary(what, grz_result_summary(results[device]), expected, decided);
        }
        grz_mesh_destroy(a);
        grz_mesh_destroy(b);
    }
}

static uint32_t count_marks(const bool *marks, uint32_t count)
{
    uint32_t marked = 0;
    for (uint32_t i = 0; i < count; i++)
        marked += marks[i];
    return marked;
}

// All bodies inside, all outside, and each of these with one body of the other sort among them.
static void check_decided(const char *what, const scene *s, grz_inside_rule rule, random_stream *random)
{
    const bool *inside = s->inside[rule];
    const uint32_t in = count_marks(inside, s->body_count), out = s->body_count - in;
    for (int k = 0; k < 4; k++) {
        const bool wanted = k < 2;
        const uint32_t others = wanted ? out : in;
        const int odd = k % 2 == 1 && others > 0 ? (int)random_below(random, others) : -1;
        test_mesh bodies = bodies_of(s, inside, wanted, odd, random);
        const bool alone = odd >= 0 && bodies.face_count == 4;
        expect_bodies(what, s, &bodies, rule,
                      odd >= 0 && !alone ? GRZ_OVERLAPPING
                      : wanted != alone  ? GRZ_A_INSIDE_B
                                         : GRZ_APART,
                      true);
        test_mesh_finish(&bodies);
    }
}

// Bodies that reach out of the box of a faulty surface are not inside. One body in the box makes the answer undecided.
static void check_undecidable(const char *what, const scene *s, grz_inside_rule rule, random_stream *random)
{
    const uint32_t in_box = count_marks(s->in_box, s->body_count);
    test_mesh bodies = bodies_of(s, s->in_box, false, -1, random);
    expect_bodies(what, s, &bodies, rule, GRZ_APART, true);
    test_mesh_finish(&bodies);
    if (in_box == 0)
        return;
    bodies = bodies_of(s, s->in_box, false, (int)random_below(random, in_box), random);
    expect_bodies(what, s, &bodies, rule, GRZ_APART, false);
    test_mesh_finish(&bodies);
}

static void each_body_counts(void **state)
{
    (void)state;
    // Few, so that each is tested alone; more; and so many that threads share them.
    static const uint32_t numbers[3] = {14, 150, 1200};
    const uint64_t enough = TEST_SANITIZED ? 50 : 200;
    uint64_t counts[KINDS][3] = {0};
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        for (uint32_t seed = 0; seed < (TEST_SANITIZED ? 3 : TEST_SHORT ? 6 : 9); seed++) {
            char what[64];
            random_stream random = {.state = seed};
            scene s = make_scene(kind, seed, numbers[seed % 3], seed % 3 == 2 ? 0.1 : 0.8);
            for (int rule = 0; rule < RULES; rule++) {
                const bool told = rule == GRZ_NONZERO ? s.edges.balanced : s.edges.closed;
                snprintf(what, sizeof what, "%s, seed %u, rule %d", kind_names[kind], seed, rule);
                if (told) {
                    check_decided(what, &s, (grz_inside_rule)rule, &random);
                    counts[kind][0] += s.body_count - count_marks(s.inside[rule], s.body_count);
                    counts[kind][1] += count_marks(s.inside[rule], s.body_count);
                } else {
                    check_undecidable(what, &s, (grz_inside_rule)rule, &random);
                    counts[kind][2] += count_marks(s.in_box, s.body_count);
                }
            }
            finish_scene(&s);
        }
        print_message("  %-13s bodies outside %5llu, inside %5llu, undecidable %5llu\n", kind_names[kind],
                      (unsigned long long)counts[kind][0], (unsigned long long)counts[kind][1],
                      (unsigned long long)counts[kind][2]);
        assert_true(kind == 5 || (counts[kind][0] > enough && counts[kind][1] > enough));
        assert_true((counts[kind][2] > enough) == (kind >= 5));
    }
}

// ---- Laws -----------------------------------------------------------------------------------------------------------

static grz_summary ask_scene(const test_mesh *bodies, const grz_pose *pose_bodies, const test_mesh *surface,
                             const grz_pose *pose_surface, grz_inside_rule rule)
{
    test_query query = test_query_of_pair(bodies, surface, GRZ_FIND_CONTAINMENT);
    query.pose_a = *pose_bodies;
    query.pose_b = *pose_surface;
    query.rule = rule;
    test_answer answer = test_ask("laws", &query);
    const grz_summary summary = answer.summary;
    test_answer_finish(&answer);
    return summary;
}

static void reversing_renumbering_and_scaling_change_nothing(void **state)
{
    (void)state;
    uint64_t relations[5] = {0};
    for (uint32_t kind = 0; kind < KINDS; kind++)
        for (uint32_t seed = 0; seed < (TEST_SANITIZED ? 3 : 6); seed++) {
            random_stream random = {.state = seed};
            scene s = make_scene(kind, seed, 60, 0.5);
            for (int rule = 0; rule < RULES; rule++) {
                // All bodies, or those inside, or those outside.
                test_mesh bodies = seed % 3 == 0 ? test_mesh_copy(&s.bodies)
                                                 : bodies_of(&s, s.inside[rule], seed % 3 == 1, -1, &random);
                if (bodies.face_count == 0)
                    continue;
                const grz_summary first =
                    ask_scene(&bodies, &s.pose_bodies, &s.surface, &s.pose_surface, (grz_inside_rule)rule);
                test_mesh surface = test_mesh_copy(&s.surface);
                const char *what = kind_names[kind];
                relations[first.relation]++;
                test_mesh_shuffle(&surface, &random, NULL);
                test_mesh_shuffle(&bodies, &random, NULL);
                grz_summary other =
                    ask_scene(&bodies, &s.pose_bodies, &surface, &s.pose_surface, (grz_inside_rule)rule);
                expect_summary(what, &other, first.relation, first.containment == GRZ_CONTAINMENT_DECIDED);
                test_mesh_reverse(&surface);
                test_mesh_reverse(&bodies);
                other = ask_scene(&bodies, &s.pose_bodies, &surface, &s.pose_surface, (grz_inside_rule)rule);
                expect_summary(what, &other, first.relation, first.containment == GRZ_CONTAINMENT_DECIDED);
                grz_pose scaled_surface = s.pose_surface, scaled_bodies = s.pose_bodies;
                const double scale = ldexp(1.0, (int)random_below(&random, 800) - 700);
                for (int i = 0; i < 3; i++)
                    for (int j = 0; j < 4; j++) {
                        scaled_surface.m[i][j] *= i == 0 ? -scale : scale;
                        scaled_bodies.m[i][j] *= i == 0 ? -scale : scale;
                    }
                other = ask_scene(&bodies, &scaled_bodies, &surface, &scaled_surface, (grz_inside_rule)rule);
                expect_summary(what, &other, first.relation, first.containment == GRZ_CONTAINMENT_DECIDED);
                // Subdivided, exactly, as the cells' coordinates are whole numbers.
                if (kind == 3) {
                    test_mesh fine = test_mesh_subdivided(&surface), finest = test_mesh_subdivided(&fine);
                    const grz_pose identity = grz_pose_identity();
                    other = ask_scene(&bodies, &identity, &finest, &identity, (grz_inside_rule)rule);
                    const grz_summary coarse =
                        ask_scene(&bodies, &identity, &surface, &identity, (grz_inside_rule)rule);
                    expect_summary(what, &other, coarse.relation, true);
                    test_mesh_finish(&fine);
                    test_mesh_finish(&finest);
                }
                test_mesh_finish(&surface);
                test_mesh_finish(&bodies);
            }
            finish_scene(&s);
        }
    print_message("  apart %llu, overlapping %llu, inside %llu\n", (unsigned long long)relations[GRZ_APART],
                  (unsigned long long)relations[GRZ_OVERLAPPING], (unsigned long long)relations[GRZ_A_INSIDE_B]);
    assert_true(relations[GRZ_APART] > 5 && relations[GRZ_OVERLAPPING] > 5 && relations[GRZ_A_INSIDE_B] > 5);
}

// ---- Very many ------------------------------------------------------------------------------------------------------

// n³ cubes on a lattice of spacing 8, so wide.
static test_mesh lattice_of_cubes(uint32_t n, double size)
{
    test_mesh mesh = {0};
    for (uint32_t i = 0; i < n * n * n; i++) {
        const uint32_t x = i % n, y = i / n % n, z = i / n / n;
        test_mesh_take(&mesh, test_mesh_cube(8.0 * x - 0.5 * size, 8.0 * y - 0.5 * size, 8.0 * z - 0.5 * size, size));
    }
    return mesh;
}

static void one_cube_of_a_lattice_changes_the_answer(void **state)
{
    (void)state;
    const uint32_t n = 14;
    test_mesh small = lattice_of_cubes(n, 2), large = lattice_of_cubes(n, 4);
    for (int moved = 0; moved < 4; moved++) {
        const grz_relation relation = moved == 0 ? GRZ_A_INSIDE_B : moved < 3 ? GRZ_OVERLAPPING : GRZ_APART;
        // One of them, the first or the last, goes between the others; then all do.
        if (moved == 1 || moved == 2)
            for (uint64_t v = moved == 1 ? 0 : small.vertex_count - 8, end = v + 8; v < end; v++)
                small.positions[3 * v + 1] += 4;
        grz_pose pose = moved < 3 ? grz_pose_identity() : grz_pose_from_translation(4, 0, 0);
        if (moved == 3) // but for the two that would be in the large ones' row
            for (uint64_t v = 0; v < 8; v++) {
                small.positions[3 * v + 1] -= 4;
                small.positions[3 * (small.vertex_count - 1 - v) + 1] -= 4;
            }
        for (int device = 0; device < DEVICES; device++) {
            grz_mesh *a = test_mesh_upload(devices[device], &small), *b = test_mesh_upload(devices[device], &large);
            const grz_object object_a = {.mesh = a, .pose = pose}, object_b = grz_object_at_origin(b);
            for (int rule = 0; rule < RULES; rule++) {
                grz_collide_options options = grz_default_collide_options();
                options.inside_rule = (grz_inside_rule)rule;
                assert_int_equal(grz_collide(devices[device], &object_a, &object_b, &options, results[device], NULL),
                                 GRZ_OK);
                expect_summary("lattices", grz_result_summary(results[device]), relation, true);
                assert_int_equal(grz_collide(devices[device], &object_b, &object_a, &options, results[device], NULL),
                                 GRZ_OK);
                expect_summary("lattices, swapped", grz_result_summary(results[device]),
                               relation == GRZ_A_INSIDE_B ? GRZ_B_INSIDE_A : relation, true);
            }
            grz_mesh_destroy(a);
            grz_mesh_destroy(b);
        }
    }
    test_mesh_finish(&small);
    test_mesh_finish(&large);
}

// Clusters of bodies in each of the regions that three shells make: outside of the box; outside, but in the box of a
// fourth, far shell; and one, two and three shells deep.
static void clusters_are_decided_at_once(void **state)
{
    (void)state;
    enum {
        PLACES = 5,
        CLUSTER = 40
    };
    static const double at[PLACES] = {200, 60, 40, 24, 0};
    random_stream random = {.state = 8};
    for (uint32_t turned = 0; turned < 8; turned++) {
        scene s = {.pose_surface = random_pose(turned, &random), .edges = {true, true}};
        s.surface = test_mesh_shells(3, turned);
        test_mesh_scale(&s.surface, 16, 16, 16); // walls at 48, 32 and 16
        test_mesh_take(&s.surface, test_mesh_cube(-100, -100, -100, 1));
        test_mesh_take(&s.surface, test_mesh_cube(100, 100, 100, 1));
        s.pose_bodies = s.pose_surface;
        for (uint32_t places = 1; places < 1u << PLACES; places++)
            for (int rule = 0; rule < RULES; rule++) {
                test_mesh bodies = {0};
                uint32_t inside = 0;
                int winding = 0;
                for (uint32_t place = 0; place < PLACES; place++) {
                    winding += place < 2 ? 0 : (turned >> (place - 2) & 1) != 0 ? -1 : 1;
                    if ((places >> place & 1) == 0)
                        continue;
                    test_mesh cluster = random_bodies(place % 2 == 0 ? CLUSTER : 1, 4, 0.5, &random);
                    test_mesh_move(&cluster, at[place], 0, 0);
                    test_mesh_take(&bodies, cluster);
                    if (place >= 2 && (rule == GRZ_NONZERO ? winding != 0 : place % 2 == 0))
                        inside |= 1u << place;
                }
                for (uint64_t i = 0; i < 20; i++) // many, so that whole nodes are decided
                    if (places >> 1 == 0)
                        test_mesh_take(&bodies, test_mesh_cube(200, 20.0 + 2.0 * (double)i, 0, 1));
                expect_bodies("clusters", &s, &bodies, (grz_inside_rule)rule,
                              inside == places ? GRZ_A_INSIDE_B
                              : inside != 0    ? GRZ_OVERLAPPING
                                               : GRZ_APART,
                              true);
                test_mesh_finish(&bodies);
            }
        test_mesh_finish(&s.surface);
    }
}

// Components that new positions bring together may still be counted apart. The answer is the same as for a mesh created
// with these positions.
static void new_positions_bring_components_together(void **state)
{
    (void)state;
    test_mesh bodies = lattice_of_cubes(3, 2), big = test_mesh_cube(-3, -3, -3, 22);
    for (int k = 0; k < 3; k++) {
        test_mesh moved = test_mesh_copy(&bodies);
        for (uint64_t v = 0; v < moved.vertex_count; v++)
            for (uint64_t axis = 0; axis < 3; axis++) {
                double *x = &moved.positions[3 * v + axis];
                // Corner on corner with their neighbours: all inside, partly outside, or all at one position.
                *x = k == 2 ? 5.0
                            : (*x - 8.0 * floor(*x / 8.0 + 0.5)) + 2.0 * floor(*x / 8.0 + 0.5) + (k == 1 ? 16.5 : 0.0);
            }
        test_query query = test_query_of_pair(&bodies, &big, GRZ_FIND_CONTAINMENT);
        query.moved_a = moved.positions;
        test_answer answer = test_ask("brought together", &query);
        expect_summary("brought together", &answer.summary, k == 1 ? GRZ_COLLIDING : GRZ_A_INSIDE_B, true);
        test_answer_finish(&answer);
        test_mesh_finish(&moved);
    }
    test_mesh_finish(&bodies);
    test_mesh_finish(&big);
}

// Two cubes, one of them in an open box: undecidable. Then the other cube moves until it shares one corner with the
// first and reaches out of the box. Now no component lies wholly in the box; a mesh created with these positions gives
// the same answer.
static void a_joined_component_must_lie_in_the_box_as_a_whole(void **state)
{
    (void)state;
    static const double low[3] = {-6.0, 2.0, 2.0}, high[3] = {1.0, 3.0, 3.0};
    test_mesh apart = test_mesh_cube(1, 1, 1, 1), open_box = test_mesh_cube(0, 0, 0, 4), arm = test_mesh_box(low, high);
    test_mesh joined = test_mesh_copy(&apart);
    test_mesh_take(&joined, arm);
    test_mesh_take(&apart, test_mesh_cube(20, 20, 20, 1));
    open_box.face_count -= 2; // no side at x = 0
    open_box.index_count -= 6;
    for (int i = 0; i < DEVICES; i++) {
        grz_mesh *container = test_mesh_upload(devices[i], &open_box), *inner = test_mesh_upload(devices[i], &apart);
        const grz_object a = grz_object_at_origin(container), b = grz_object_at_origin(inner);
        grz_collide_options options = grz_default_collide_options();
        options.find = GRZ_FIND_CONTAINMENT;
        assert_int_equal(grz_collide(devices[i], &a, &b, &options, results[i], NULL), GRZ_OK);
        expect_summary("apart", grz_result_summary(results[i]), GRZ_APART, false);
        assert_int_equal(grz_mesh_set_positions(inner, joined.positions, NULL), GRZ_OK);
        assert_int_equal(grz_collide(devices[i], &a, &b, &options, results[i], NULL), GRZ_OK);
        expect_summary("joined by new positions", grz_result_summary(results[i]), GRZ_APART, true);
        assert_int_equal(grz_mesh_set_positions(inner, apart.positions, NULL), GRZ_OK);
        assert_int_equal(grz_collide(devices[i], &a, &b, &options, results[i], NULL), GRZ_OK);
        expect_summary("apart again", grz_result_summary(results[i]), GRZ_APART, false);
        grz_mesh_destroy(container);
        grz_mesh_destroy(inner);
    }
    test_query made_so = test_query_of_pair(&open_box, &joined, GRZ_FIND_CONTAINMENT);
    test_answer answer = test_ask("made so", &made_so);
    expect_summary("made so", &answer.summary, GRZ_APART, true);
    test_answer_finish(&answer);
    test_mesh_finish(&apart);
    test_mesh_finish(&joined);
    test_mesh_finish(&open_box);
}

// ---- Ending early ---------------------------------------------------------------------------------------------------

// Everything is built and the flag is raised: a long search ends; a short one may not check the flag.
static void a_raised_flag_ends_the_search(void **state)
{
    (void)state;
    test_mesh small = lattice_of_cubes(14, 2), large = lattice_of_cubes(14, 4);
    for (int device = 0; device < DEVICES; device++) {
        grz_mesh *a = test_mesh_upload(devices[device], &small), *b = test_mesh_upload(devices[device], &large);
        const grz_object object_a = grz_object_at_origin(a), object_b = grz_object_at_origin(b);
        for (int k = 0; k < 4; k++) {
            const int up = 1;
            grz_control control;
            grz_verdict verdict = {.relation = GRZ_COLLIDING};
            grz_error error = {.code = GRZ_OK};
            grz_control_init(&control, a->allocator, NULL);
            if (k == 1)
                control.limits.cancel = &up;
            if (k == 2)
                control.limits.deadline = 1e-9;
            control.start = grz_clock_seconds();
            if (k == 3)
                control.limits.memory_limit = 100; // less than a byte a component
            const grz_status status = grz_containment_decide(device == 0 ? NULL : devices[device], &object_a, &object_b,
                                                             GRZ_EVEN_ODD, &control, &verdict, &error);
            static const grz_status expected[4] = {GRZ_OK, GRZ_ERROR_CANCELLED, GRZ_ERROR_DEADLINE, GRZ_ERROR_MEMORY};
            assert_int_equal(status, expected[k]);
            assert_int_equal(error.code, expected[k]);
            assert_int_equal(verdict.relation, k == 0 ? GRZ_A_INSIDE_B : GRZ_COLLIDING); // unchanged by a failure
            assert_true(k == 0 || error.message[0] != '\0');
            if (k > 0) // what was built is kept: only the marks need memory
                assert_int_equal(atomic_load(&control.memory), 0);
        }
        grz_mesh_destroy(a);
        grz_mesh_destroy(b);
    }
    test_mesh_finish(&small);
    test_mesh_finish(&large);
}

// A folded sheet through the box of an open container: all its nodes have to be visited.
static void a_raised_flag_ends_the_search_about_an_open_container(void **state)
{
    (void)state;
    test_mesh sheet = test_mesh_grid(120, 120, 0.0625), open = test_mesh_cube(-1, -1, -7, 12);
    test_mesh_drop_face(&open, 2);
    for (uint64_t v = 0; v < sheet.vertex_count; v++)
        sheet.positions[3 * v + 2] = v % 2 == 0 ? 4.5 : 5.5; // the box ends at 5
    // With the whole top left out nothing touches.
    test_mesh_drop_face(&open, 2);
    grz_mesh *a = test_mesh_upload(devices[0], &sheet), *b = test_mesh_upload(devices[0], &open);
    const grz_object object_a = grz_object_at_origin(a), object_b = grz_object_at_origin(b);
    for (int k = 0; k < 2; k++) {
        const int up = 1;
        grz_control control;
        grz_verdict verdict = {.relation = GRZ_COLLIDING};
        grz_control_init(&control, a->allocator, NULL);
        control.limits.cancel = k == 1 ? &up : NULL;
        const grz_status status =
            grz_containment_decide(NULL, &object_a, &object_b, GRZ_EVEN_ODD, &control, &verdict, NULL);
        assert_int_equal(status, k == 1 ? GRZ_ERROR_CANCELLED : GRZ_OK);
        assert_int_equal(verdict.relation, k == 1 ? GRZ_COLLIDING : GRZ_APART);
        assert_true(k == 1 || verdict.containment == GRZ_CONTAINMENT_DECIDED);
    }
    grz_mesh_destroy(a);
    grz_mesh_destroy(b);
    test_mesh_finish(&sheet);
    test_mesh_finish(&open);
}

typedef struct flag_raiser {
    int flag;
    double after;
} flag_raiser;

static void *raise_flag(void *context)
{
    flag_raiser *raiser = context;
    const double start = grz_clock_seconds();
    while (grz_clock_seconds() - start < raiser->after) {
    }
    __atomic_store_n(&raiser->flag, 1, __ATOMIC_RELAXED);
    return NULL;
}

static void queries_end_wherever_the_flag_is_raised(void **state)
{
    (void)state;
    int ended = 0;
    double whole = 0.0; // seconds of a query that nobody ends, the first
    const uint32_t side = TEST_SHORT ? 10 : 20;
    test_mesh small = lattice_of_cubes(side, 2), large = lattice_of_cubes(side, 4);
    for (int round = 0; round < 16; round++) {
        const int device = round % DEVICES;
        grz_mesh *a = test_mesh_upload(devices[device], &small), *b = test_mesh_upload(devices[device], &large);
        const grz_object object_a = grz_object_at_origin(a), object_b = grz_object_at_origin(b);
        grz_collide_options options = grz_default_collide_options();
        flag_raiser raiser = {.after = whole * round / 16.0};
        grz_error error = {.code = GRZ_OK};
        pthread_t thread;
        options.limits.cancel = round > 0 ? &raiser.flag : NULL;
        options.find = GRZ_FIND_CONTAINMENT;
        assert_int_equal(pthread_create(&thread, NULL, raise_flag, &raiser), 0);
        const double start = grz_clock_seconds();
        const grz_status status = grz_collide(devices[device], &object_a, &object_b, &options, results[device], &error);
        if (round == 0)
            whole = grz_clock_seconds() - start;
        assert_int_equal(pthread_join(thread, NULL), 0);
        const grz_summary *summary = grz_result_summary(results[device]);
        if (status == GRZ_OK) {
            expect_summary("in time", summary, GRZ_A_INSIDE_B, true);
        } else {
            assert_int_equal(status, GRZ_ERROR_CANCELLED);
            assert_int_equal(error.code, status);
            assert_int_equal(summary->certainty, GRZ_UNDECIDED);
            assert_int_equal(summary->containment, GRZ_CONTAINMENT_NOT_ASKED);
            ended++;
        }
        // The next query answers as if nothing had been asked before.
        options.limits.cancel = NULL;
        assert_int_equal(grz_collide(devices[device], &object_a, &object_b, &options, results[device], NULL), GRZ_OK);
        expect_summary("afterwards", grz_result_summary(results[device]), GRZ_A_INSIDE_B, true);
        grz_mesh_destroy(a);
        grz_mesh_destroy(b);
    }
    print_message("  %d of 15 queries of up to %.1f ms ended early\n", ended, whole * 1e3);
    assert_true(ended > 0); // how many depends on how busy the machine is
    test_mesh_finish(&small);
    test_mesh_finish(&large);
}

static void running_out_of_memory_ends_the_query_and_nothing_leaks(void **state)
{
    (void)state;
    counting_allocator c = {0};
    grz_device_options device_options = grz_default_device_options();
    device_options.threads = 1;
    device_options.allocator = counting_allocator_of(&c);
    device_options.kind = GRZ_DEVICE_CPU;
    grz_device *device;
    assert_int_equal(grz_device_open(&device_options, &device, NULL), GRZ_OK);
    // More components than the stack has marks for, in a lattice and around an open cube that they reach out of.
    test_mesh small = lattice_of_cubes(7, 2), containers[2] = {lattice_of_cubes(7, 4), test_mesh_cube(-5, -5, -5, 31)};
    test_mesh_drop_face(&containers[1], 0);
    test_mesh_take(&small, test_mesh_cube(27, 27, 27, 2));
    const grz_relation expected[2] = {GRZ_OVERLAPPING, GRZ_APART};
    for (int k = 0; k < 2; k++) {
        long failures = 0;
        for (long fail_at = 1;; fail_at++) {
            grz_mesh *a = test_mesh_upload(device, &small), *b = test_mesh_upload(device, &containers[k]);
            grz_result *result = test_result_create(device);
            const grz_object object_a = grz_object_at_origin(a), object_b = grz_object_at_origin(b);
            grz_error error = {.code = GRZ_OK};
            c.calls = 0;
            c.fail_at = fail_at;
            const grz_status status = grz_collide(device, &object_a, &object_b, NULL, result, &error);
            c.fail_at = 0;
            if (status != GRZ_OK) {
                failures++;
                assert_int_equal(status, GRZ_ERROR_MEMORY);
                assert_int_equal(error.code, status);
                assert_int_equal(grz_result_summary(result)->certainty, GRZ_UNDECIDED);
                assert_int_equal(grz_collide(device, &object_a, &object_b, NULL, result, NULL), GRZ_OK);
            }
            expect_summary("short memory", grz_result_summary(result), expected[k], k == 0);
            grz_result_destroy(result);
            grz_mesh_destroy(a);
            grz_mesh_destroy(b);
            assert_int_equal(c.live, 1); // the device
            if (status == GRZ_OK)
                break;
        }
        print_message("  %ld allocations failed in turn\n", failures);
        assert_true(failures > 20);
        test_mesh_finish(&containers[k]);
    }
    grz_device_close(device);
    assert_int_equal(c.live, 0);
    test_mesh_finish(&small);
}

typedef struct progress_log {
    pthread_t thread;
    double last;
    int calls, late; // late: in the last tenth, which containment has to itself
    bool bad;
} progress_log;

static void log_progress(double share, void *user)
{
    progress_log *log = user;
    log->bad = log->bad || !(share >= log->last && share <= 1.0) || !pthread_equal(pthread_self(), log->thread);
    log->late += share > 0.9 && share > log->last;
    log->last = share;
    log->calls++;
}

static void progress_is_reported_on_the_callers_thread_and_never_falls(void **state)
{
    (void)state;
    test_mesh small = lattice_of_cubes(14, 2), large = lattice_of_cubes(14, 4);
    test_mesh_move(&small, 4, 0, 0); // between the others: all are tested, in both directions
    for (int device = 0; device < DEVICES; device++) {
        grz_mesh *a = test_mesh_upload(devices[device], &small), *b = test_mesh_upload(devices[device], &large);
        const grz_object object_a = grz_object_at_origin(a), object_b = grz_object_at_origin(b);
        grz_collide_options options = grz_default_collide_options();
        progress_log log = {.thread = pthread_self()};
        options.limits.progress = log_progress;
        options.limits.progress_user = &log;
        assert_int_equal(grz_collide(devices[device], &object_a, &object_b, &options, results[device], NULL), GRZ_OK);
        expect_summary("progress", grz_result_summary(results[device]), GRZ_APART, true);
        assert_false(log.bad);
        assert_true(log.late > 4 || device > 0); // one of several threads may find nothing left to do
        grz_mesh_destroy(a);
        grz_mesh_destroy(b);
    }
    test_mesh_finish(&small);
    test_mesh_finish(&large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_body_counts),
        cmocka_unit_test(reversing_renumbering_and_scaling_change_nothing),
        cmocka_unit_test(one_cube_of_a_lattice_changes_the_answer),
        cmocka_unit_test(clusters_are_decided_at_once),
        cmocka_unit_test(new_positions_bring_components_together),
        cmocka_unit_test(a_joined_component_must_lie_in_the_box_as_a_whole),
        cmocka_unit_test(a_raised_flag_ends_the_search),
        cmocka_unit_test(a_raised_flag_ends_the_search_about_an_open_container),
        cmocka_unit_test(queries_end_wherever_the_flag_is_raised),
        cmocka_unit_test(running_out_of_memory_ends_the_query_and_nothing_leaks),
        cmocka_unit_test(progress_is_reported_on_the_callers_thread_and_never_falls),
    };
    const int failed = cmocka_run_group_tests(tests, open_devices, close_devices);
    test_queries_finish();
    return failed;
}
