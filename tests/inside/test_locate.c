// SPDX-License-Identifier: MIT
// Points against meshes: surfaces of ten sorts at poses of ten sorts, points on and beside vertices, edges and faces,
// against the oracle (oracle_inside.h), by both rules. Each answer must be the same for any number of points in a call
// and any number of threads. Then laws: changes that must not change an answer. Refusals and calls that end early are
// in test_locate_calls.c.
// ctest: concurrent many_points_are_answered_as_one_by_one threads_may_ask_for_one_mesh_at_once
// ctest: timeout 900
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oracle_inside.h"
#include "support_arrays.h"
#include "support_locate.h"
#include "support_sanitizer.h"
#include "support_solids.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum {
    RULES = 2,
    LOCATIONS = 4
};

// ---- Against the oracle ---------------------------------------------------------------------------------------------

typedef enum surface_class {
    SURFACE_ROUGH,      // star-shaped
    SURFACE_CRUMPLED,   // runs through itself
    SURFACE_TWO_BALLS,  // overlapping, wound alike or not
    SURFACE_DOUBLE,     // winds twice round its core
    SURFACE_KLEIN,      // one-sided
    SURFACE_CELLS,      // walls on a lattice
    SURFACE_DEGENERATE, // rough, with all sorts of triangles without area and doubled ones
    SURFACE_SHELLS,     // one in the other
    SURFACE_OPEN,       // a face missing, or a crack
    SURFACE_UNBALANCED, // closed, faces turned over at random
    SURFACE_COUNT
} surface_class;

static const char *const surface_names[SURFACE_COUNT] = {"rough",        "crumpled",    "two balls",  "double tube",
                                                         "Klein bottle", "cells",       "degenerate", "shells",
                                                         "open",         "turned faces"};

static test_mesh make_surface(surface_class class, uint32_t seed, random_stream *random)
{
    test_mesh mesh;
    switch (class) {
    case SURFACE_CRUMPLED:
        return test_mesh_rough_sphere(random, 1, 0.9, true);
    case SURFACE_TWO_BALLS:
        mesh = test_mesh_rough_sphere(random, 1, 0.1, false);
        test_mesh_take(&mesh, test_mesh_rough_sphere(random, 1, 0.1, false));
        for (uint64_t v = mesh.vertex_count / 2; v < mesh.vertex_count; v++)
            mesh.positions[3 * v] += 1.5;
        for (uint64_t i = 0; seed % 2 == 1 && i < mesh.index_count / 2; i += 3) {
            const uint32_t first = mesh.indices[i];
            mesh.indices[i] = mesh.indices[i + 1];
            mesh.indices[i + 1] = first;
        }
        return mesh;
    case SURFACE_DOUBLE:
        return test_mesh_double_tube(2.5, 7, 13);
    case SURFACE_KLEIN:
        return test_mesh_klein_bottle(9, 10);
    case SURFACE_CELLS: {
        const solid_cells s = solid_random(random, 2 + seed % 4);
        return solid_surface(&s, false);
    }
    case SURFACE_DEGENERATE:
        mesh = test_mesh_rough_sphere(random, 1, 0.3, false);
        test_mesh_add_degenerates(&mesh, random);
        return mesh;
    case SURFACE_SHELLS:
        return test_mesh_shells(5, seed % 2 == 0 ? 0x0a : random_below(random, 32));
    case SURFACE_OPEN:
        mesh = test_mesh_rough_sphere(random, 1, 0.3, false);
        if (seed % 2 == 0)
            test_mesh_drop_face(&mesh, random_below(random, (uint32_t)mesh.face_count));
        else
            test_mesh_split_one_side(&mesh, random_below(random, (uint32_t)mesh.face_count), false);
        return mesh;
    case SURFACE_UNBALANCED:
        mesh = test_mesh_rough_sphere(random, 1, 0.3, false);
        test_mesh_reverse_some(&mesh, random);
        return mesh;
    default:
        return test_mesh_rough_sphere(random, 1, 0.4, false);
    }
}

enum {
    FLAT = 4,
    LINE = 5,
    POSES = 10
};

static grz_pose make_pose(uint32_t number, random_stream *random)
{
    const double translation[3] = {random_signed(random), random_signed(random), random_signed(random)};
    const double quaternion[4] = {random_signed(random), random_signed(random), random_signed(random), 1.5};
    grz_pose turned, pose = grz_pose_identity();
    assert_int_equal(grz_pose_from_quaternion(translation, quaternion, &turned, NULL), GRZ_OK);
    switch (number) {
    case 1:
        return turned;
    case 2: // mirrored
        for (int i = 0; i < 4; i++)
            turned.m[1][i] = -turned.m[1][i];
        return turned;
    case 3: // mirrored, exactly
        pose.m[0][0] = -1.0;
        return pose;
    case FLAT:
        for (int i = 0; i < 4; i++)
            turned.m[2][i] = turned.m[0][i]; // into the plane x = z
        return turned;
    case LINE:
        for (int i = 0; i < 4; i++)
            turned.m[2][i] = turned.m[1][i] = turned.m[0][i];
        return turned;
    case 6: // so far away that vertices round to few positions
        turned.m[0][3] = 0x1p52;
        turned.m[1][3] = -0x1.8p50;
        return turned;
    case 7: // tiny: down among the subnormals
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 4; j++)
                turned.m[i][j] *= 0x1p-1060;
        return turned;
    case 8: // each axis by a power of its own
        pose.m[0][0] = 0x1p-400;
        pose.m[1][1] = 0x1p200;
        return pose;
    case 9: // quarter turns
        return (grz_pose){{{0, -1, 0, 2}, {0, 0, 1, 0}, {-1, 0, 0, 0.5}}};
    default:
        return pose;
    }
}

static void box_of(const double *corners, uint64_t count, double min[3], double max[3])
{
    for (int axis = 0; axis < 3; axis++) {
        min[axis] = HUGE_VAL;
        max[axis] = -HUGE_VAL;
    }
    for (uint64_t i = 0; i < 3 * count; i++) {
        min[i % 3] = fmin(min[i % 3], corners[i]);
        max[i % 3] = fmax(max[i % 3], corners[i]);
    }
}

// A point of one of eight sorts near a surface of `count` corners.
static void make_point(const double *corners, uint64_t count, random_stream *random, double point[3])
{
    double min[3], max[3];
    const double *v[3];
    const uint32_t sort = random_below(random, 8), triangle = random_below(random, (uint32_t)(count / 3));
    const int axis = (int)random_below(random, 3);
    box_of(corners, count, min, max);
    const uint32_t turned = random_below(random, 3);
    for (uint32_t i = 0; i < 3; i++)
        v[i] = corners + 3 * (sort < 6 ? 3 * triangle + (i + turned) % 3 : random_below(random, (uint32_t)count));
    for (int i = 0; i < 3; i++) {
        const double anywhere = 0.5 * (min[i] + max[i]) + 0.55 * (max[i] - min[i]) * random_signed(random);
        switch (sort) {
        case 0: // a vertex
            point[i] = v[0][i];
            break;
        case 1: // the middle of an edge, rounded
            point[i] = 0.5 * (v[0][i] + v[1][i]);
            break;
        case 2: // somewhere near a face
            point[i] = v[0][i] + 0.25 * (v[1][i] - v[0][i]) + 0.5 * (v[2][i] - v[0][i]);
            break;
        case 3: // in line with a vertex
            point[i] = i == axis ? anywhere : v[0][i];
            break;
        case 4: // in line with an edge
            point[i] = i == axis ? anywhere : 0.5 * (v[0][i] + v[1][i]);
            break;
        case 5: // an ulp beside a vertex; seldom beside 0, as numbers so small cost the oracle much
            point[i] = v[0][i];
            if (i == axis && (point[i] != 0.0 || random_below(random, 32) == 0))
                point[i] = step_ulps(point[i], random_below(random, 2) == 0 ? 1 : -1);
            break;
        case 6: // coordinates of three vertices
            point[i] = v[i][i];
            break;
        default:
            point[i] = anywhere;
            break;
        }
    }
}

typedef struct surface_case {
    const char *what;
    test_mesh mesh;
    grz_pose pose;
    double *points;
    uint64_t point_count;
    oracle_place *places;
    grz_location *expected[RULES];
} surface_case;

static void expect_locations(const surface_case *c, const oracle_edges *edges, const double min[3], const double max[3])
{
    for (uint64_t i = 0; i < c->point_count; i++)
        for (int rule = 0; rule < RULES; rule++) {
            const oracle_place *place = &c->places[i];
            const bool inside = rule == GRZ_NONZERO ? place->winding != 0 : place->odd;
            bool in_box = true;
            for (uint64_t axis = 0; axis < 3; axis++)
                in_box = in_box && c->points[3 * i + axis] >= min[axis] && c->points[3 * i + axis] <= max[axis];
            c->expected[rule][i] = place->on_surface ? GRZ_ON_SURFACE
                                   : !(rule == GRZ_NONZERO ? edges->balanced : edges->closed)
                                       ? in_box ? GRZ_LOCATION_UNKNOWN : GRZ_OUTSIDE
                                   : inside ? GRZ_INSIDE
                                            : GRZ_OUTSIDE;
        }
}

static surface_case make_case(const char *what, surface_class class, uint32_t seed, uint64_t point_count)
{
    random_stream random = {.state = (uint64_t) class << 32 | seed};
    surface_case c = {.what = what, .mesh = make_surface(class, seed, &random), .point_count = point_count};
    double min[3], max[3];
    c.pose = make_pose(seed % POSES, &random);
    c.points = allocate_zeroed((size_t)point_count, 3 * sizeof *c.points);
    c.places = allocate_zeroed((size_t)point_count, sizeof *c.places);
    for (int rule = 0; rule < RULES; rule++)
        c.expected[rule] = allocate_zeroed((size_t)point_count, sizeof *c.expected[rule]);
    double *corners = oracle_corners(&c.mesh, &c.pose);
    box_of(corners, 3 * c.mesh.face_count, min, max);
    for (uint64_t i = 0; i < point_count; i++)
        make_point(corners, 3 * c.mesh.face_count, &random, c.points + 3 * i);
    oracle_surface *oracle = oracle_surface_create(corners, (size_t)c.mesh.face_count, c.points, (size_t)point_count);
    for (uint64_t i = 0; i < point_count; i++)
        c.places[i] = oracle_surface_locate(oracle, (size_t)i, &random);
    oracle_surface_destroy(oracle);
    const oracle_edges edges = oracle_edges_of(&c.mesh);
    expect_locations(&c, &edges, min, max);
    free(corners);
    return c;
}

static void finish_case(surface_case *c)
{
    test_mesh_finish(&c->mesh);
    free(c->points);
    free(c->places);
    for (int rule = 0; rule < RULES; rule++)
        free(c->expected[rule]);
}

static void expect_same(const surface_case *c, const char *how, int rule, uint64_t first, uint64_t count,
                        const grz_location *got)
{
    for (uint64_t i = first; i < first + count; i++)
        if (got[i - first] != c->expected[rule][i]) {
            const double *p = c->points + 3 * i;
            fail_msg("%s, rule %d, %s: point %llu {%a, %a, %a} is found %d, expected %d (winding %ld)", c->what, rule,
                     how, (unsigned long long)i, p[0], p[1], p[2], (int)got[i - first], (int)c->expected[rule][i],
                     c->places[i].winding);
        }
}

// Check a case on a device, with all points in one call and in small parts.
static void check_case(const surface_case *c, int device, grz_location *got)
{
    grz_mesh *mesh = test_mesh_upload(locate_devices[device], &c->mesh);
    grz_object object = grz_object_at_origin(mesh);
    object.pose = c->pose;
    for (int rule = 0; rule < RULES; rule++) {
        memset(got, 0xff, (size_t)c->point_count * sizeof *got);
        locate_points(locate_devices[device], &object, c->points, c->point_count, (grz_inside_rule)rule, got);
        expect_same(c, "all at once", rule, 0, c->point_count, got);
        for (uint64_t first = 0, step; first < c->point_count; first += step) {
            step = 1 + first % 7 < c->point_count - first ? 1 + first % 7 : c->point_count - first;
            locate_points(locate_devices[device], &object, c->points + 3 * first, step, (grz_inside_rule)rule, got);
            expect_same(c, "few at once", rule, first, step, got);
        }
    }
    grz_mesh_destroy(mesh);
}

static void points_lie_where_exact_arithmetic_says(void **state)
{
    (void)state;
    enum {
        SEEDS = TEST_SHORT ? 10 : 30,
        POINTS = 160
    };
    static const char letters[LOCATIONS] = {'o', 'i', 's', 'u'};
    // The answers that each class must give at least once by each rule.
    static const char *const wanted[SURFACE_COUNT][RULES] = {
        {"ois", "ois"}, {"ois", "ois"}, {"ois", "ois"}, {"ois", "ois"}, {"ois", "osu"},
        {"ois", "ois"}, {"ois", "ois"}, {"ois", "ois"}, {"osu", "osu"}, {"ois", "osu"}};
    uint64_t counts[SURFACE_COUNT][RULES][LOCATIONS] = {0}, differ[SURFACE_COUNT] = {0}, inside_at_pose[POSES] = {0};
    grz_location got[POINTS];
    for (int class = 0; class < SURFACE_COUNT; class ++) {
        for (uint32_t seed = 0; seed < SEEDS; seed++) {
            char what[64];
            snprintf(what, sizeof what, "%s, seed %u, pose %u", surface_names[class], seed, seed % POSES);
            surface_case c = make_case(what, (surface_class) class, seed, POINTS);
            check_case(&c, (int)(seed % LOCATE_DEVICES), got);
            for (uint64_t i = 0; i < POINTS; i++) {
                for (int rule = 0; rule < RULES; rule++)
                    counts[class][rule][c.expected[rule][i]]++;
                differ[class] += c.expected[0][i] != c.expected[1][i];
                inside_at_pose[seed % POSES] += c.expected[0][i] == GRZ_INSIDE;
            }
            finish_case(&c);
        }
        print_message("  %-13s", surface_names[class]);
        for (int rule = 0; rule < RULES; rule++)
            print_message("  %s: outside %5llu inside %4llu surface %4llu unknown %4llu",
                          rule == 0 ? "even-odd" : "nonzero", (unsigned long long)counts[class][rule][GRZ_OUTSIDE],
                          (unsigned long long)counts[class][rule][GRZ_INSIDE],
                          (unsigned long long)counts[class][rule][GRZ_ON_SURFACE],
                          (unsigned long long)counts[class][rule][GRZ_LOCATION_UNKNOWN]);
        print_message("\n");
    }
    for (int class = 0; class < SURFACE_COUNT; class ++)
        for (int rule = 0; rule < RULES; rule++)
            for (int location = 0; location < LOCATIONS; location++)
                if ((strchr(wanted[class][rule], letters[location]) != NULL) != (counts[class][rule][location] > 0))
                    fail_msg("%s, rule %d: location %d was met %llu times", surface_names[class], rule, location,
                             (unsigned long long)counts[class][rule][location]);
    print_message("  inside at each pose:");
    for (int pose = 0; pose < POSES; pose++)
        print_message(" %llu", (unsigned long long)inside_at_pose[pose]);
    print_message("\n");
    for (int pose = 0; pose < POSES; pose++)
        assert_int_equal(inside_at_pose[pose] > 100, pose != FLAT && pose != LINE); // nothing is inside a flat mesh
    // For surfaces that cross themselves, the two rules must differ in some case.
    assert_true(differ[SURFACE_CRUMPLED] > 0 && differ[SURFACE_TWO_BALLS] > 0 && differ[SURFACE_DOUBLE] > 0 &&
                differ[SURFACE_SHELLS] > 0);
}

// The oracle's winding number is the solid angle, within the precision of doubles.
static void the_oracle_agrees_with_the_solid_angle(void **state)
{
    (void)state;
    static const surface_class classes[] = {SURFACE_ROUGH, SURFACE_CRUMPLED, SURFACE_TWO_BALLS, SURFACE_DOUBLE,
                                            SURFACE_SHELLS};
    enum {
        POINTS = 300
    };
    uint64_t compared = 0, windings[7] = {0}; // from -3 to 3
    for (size_t k = 0; k < COUNT(classes); k++) {
        random_stream random = {.state = 6 + k};
        test_mesh mesh = make_surface(classes[k], 1, &random);
        const grz_pose identity = grz_pose_identity();
        double *corners = oracle_corners(&mesh, &identity), points[3 * POINTS];
        for (int i = 0; i < 3 * POINTS; i++)
            points[i] = (i % 3 == 2 ? 2.0 : 4.0) * random_signed(&random);
        oracle_surface *oracle = oracle_surface_create(corners, (size_t)mesh.face_count, points, POINTS);
        for (size_t i = 0; i < POINTS; i++) {
            const oracle_place place = oracle_surface_locate(oracle, i, &random);
            const double angle = oracle_solid_angle(corners, (size_t)mesh.face_count, points + 3 * i);
            if (fabs(angle - nearbyint(angle)) > 1e-9)
                continue; // too near to the surface for doubles
            assert_int_equal((long)nearbyint(angle), place.winding);
            assert_int_equal(place.odd, place.winding % 2 != 0);
            assert_in_range(place.winding + 3, 0, COUNT(windings) - 1);
            windings[place.winding + 3]++;
            compared++;
        }
        oracle_surface_destroy(oracle);
        free(corners);
        test_mesh_finish(&mesh);
    }
    print_message("  %llu points; winding -3 to 3:", (unsigned long long)compared);
    for (size_t i = 0; i < COUNT(windings); i++)
        print_message(" %llu", (unsigned long long)windings[i]);
    print_message("\n");
    assert_true(compared > 1000 && windings[2] > 10 && windings[3] > 50 && windings[4] > 50 && windings[5] > 20);
}

// ---- Many points ----------------------------------------------------------------------------------------------------

// So many points, in clusters of all sizes, that neighbours are answered together. Each is asked for again in a call of
// its own.
static void many_points_are_answered_as_one_by_one(void **state)
{
    (void)state;
    enum {
        POINTS = 30000,
        SPREADS = 6
    };
    random_stream random = {.state = 77};
    double *points = allocate_zeroed(POINTS, 3 * sizeof *points), *moved = allocate_zeroed(POINTS, 3 * sizeof *moved);
    grz_location *first = allocate_zeroed(POINTS, sizeof *first), *got = allocate_zeroed(POINTS, sizeof *got);
    for (int open = 0; open < 2; open++) {
        test_mesh ball = test_mesh_rough_sphere(&random, 3, 0.05, false);
        if (open != 0)
            test_mesh_drop_face(&ball, 5);
        grz_mesh *mesh = test_mesh_upload(locate_devices[0], &ball);
        grz_object object = grz_object_at_origin(mesh);
        assert_int_equal(grz_pose_from_quaternion((const double[3]){1, 2, 3}, (const double[4]){0.3, 0.1, 0.2, 0.9},
                                                  &object.pose, NULL),
                         GRZ_OK);
        double centre[3] = {0};
        for (int i = 0; i < POINTS; i++) {
            const double spread = ldexp(3.0, -2 * (i / (POINTS / SPREADS)));
            if (i % 500 == 0)
                for (int axis = 0; axis < 3; axis++)
                    centre[axis] = 2.2 * random_signed(&random);
            for (int axis = 0; axis < 3; axis++)
                points[3 * i + axis] =
                    object.pose.m[axis][3] + (spread > 1.0 ? 0.0 : centre[axis]) + spread * random_signed(&random);
        }
        uint64_t counts[LOCATIONS] = {0};
        for (int i = 0; i < POINTS; i++) {
            locate_points(locate_devices[0], &object, points + 3 * i, 1, GRZ_NONZERO, &first[i]);
            counts[first[i]]++;
        }
        print_message("  outside %llu, inside %llu, unknown %llu\n", (unsigned long long)counts[0],
                      (unsigned long long)counts[1], (unsigned long long)counts[3]);
        assert_true(counts[GRZ_OUTSIDE] > 1000 && counts[open != 0 ? GRZ_LOCATION_UNKNOWN : GRZ_INSIDE] > 1000);
        for (int device = 0; device < LOCATE_DEVICES; device++) {
            locate_points(locate_devices[device], &object, points, POINTS, GRZ_NONZERO, got);
            assert_memory_equal(first, got, POINTS * sizeof *got);
            // In reverse order and without a few points, so that blocks and groups are different.
            const uint64_t left_out = 137 * (uint64_t)(device + 1);
            for (uint64_t i = 0; i < POINTS; i++)
                memcpy(moved + 3 * i, points + 3 * (POINTS - 1 - i), 3 * sizeof *moved);
            locate_points(locate_devices[device], &object, moved, POINTS - left_out, GRZ_NONZERO, got);
            for (uint64_t i = 0; i < POINTS - left_out; i++)
                assert_int_equal(got[i], first[POINTS - 1 - i]);
        }
        // All of them at one position.
        for (int i = 0; i < 1000; i++)
            memcpy(moved + 3 * i, points, 3 * sizeof *moved);
        locate_points(locate_devices[1], &object, moved, 1000, GRZ_NONZERO, got);
        for (int i = 0; i < 1000; i++)
            assert_int_equal(got[i], first[0]);
        grz_mesh_destroy(mesh);
        test_mesh_finish(&ball);
    }
    free(points);
    free(moved);
    free(first);
    free(got);
}

typedef struct asker {
    const grz_object *object;
    const double *points;
    uint64_t count;
    grz_location *locations;
    grz_status status;
} asker;

static void *ask_thread(void *argument)
{
    asker *a = argument;
    a->status = grz_locate_points(locate_devices[1], a->object, a->points, a->count, NULL, a->locations, NULL);
    return NULL;
}

static void threads_may_ask_for_one_mesh_at_once(void **state)
{
    (void)state;
    enum {
        ASKERS = 4,
        POINTS = 3000
    };
    random_stream random = {.state = 5};
    double *points = allocate_zeroed(POINTS, 3 * sizeof *points);
    grz_location *expected = allocate_zeroed(POINTS, sizeof *expected);
    test_mesh ball = test_mesh_rough_sphere(&random, 3, 0.1, false);
    for (int i = 0; i < 3 * POINTS; i++)
        points[i] = 2.2 * random_signed(&random);
    for (int round = 0; round < 10; round++) {
        grz_mesh *mesh = test_mesh_upload(locate_devices[1], &ball);
        const grz_object object = grz_object_at_origin(mesh);
        asker askers[ASKERS];
        pthread_t threads[ASKERS];
        for (int i = 0; i < ASKERS; i++) {
            askers[i] = (asker){.object = &object,
                                .points = points,
                                .count = POINTS,
                                .locations = allocate_zeroed(POINTS, sizeof *expected)};
            assert_int_equal(pthread_create(&threads[i], NULL, ask_thread, &askers[i]), 0);
        }
        for (int i = 0; i < ASKERS; i++) {
            assert_int_equal(pthread_join(threads[i], NULL), 0);
            assert_int_equal(askers[i].status, GRZ_OK);
            if (round == 0 && i == 0)
                memcpy(expected, askers[i].locations, POINTS * sizeof *expected);
            assert_memory_equal(expected, askers[i].locations, POINTS * sizeof *expected);
            free(askers[i].locations);
        }
        grz_mesh_destroy(mesh);
    }
    test_mesh_finish(&ball);
    free(points);
    free(expected);
}

// ---- Laws -----------------------------------------------------------------------------------------------------------

// The answers for a mesh and points, by both rules, one after the other.
static void ask_both(const test_mesh *mesh, const grz_pose *pose, const double *points, uint64_t count,
                     grz_location *locations)
{
    grz_mesh *uploaded = test_mesh_upload(locate_devices[1], mesh);
    grz_object object = grz_object_at_origin(uploaded);
    object.pose = *pose;
    for (int rule = 0; rule < RULES; rule++)
        locate_points(locate_devices[1], &object, points, count, (grz_inside_rule)rule,
                      locations + (uint64_t)rule * count);
    grz_mesh_destroy(uploaded);
}

static void expect_law(const char *law, int class, uint32_t seed, const grz_location *x, const grz_location *y,
                       uint64_t count)
{
    for (uint64_t i = 0; i < RULES * count; i++)
        if (x[i] != y[i])
            fail_msg("%s: %s, seed %u: rule %d, point %llu: %d became %d", law, surface_names[class], seed,
                     (int)(i / count), (unsigned long long)(i % count), (int)x[i], (int)y[i]);
}

static void renumbering_reversing_scaling_and_mirroring_change_nothing(void **state)
{
    (void)state;
    enum {
        POINTS = 100
    };
    grz_location *first = allocate_zeroed(RULES * POINTS, sizeof *first),
                 *other = allocate_zeroed(RULES * POINTS, sizeof *other);
    for (int class = 0; class < SURFACE_COUNT; class ++)
        for (uint32_t seed = 0; seed < (TEST_SANITIZED ? 3 : 10); seed++) {
            surface_case c = make_case("laws", (surface_class) class, 10 * seed, POINTS); // at the identity pose
            random_stream random = {.state = seed};
            grz_pose pose = c.pose;
            ask_both(&c.mesh, &pose, c.points, POINTS, first);
            test_mesh_shuffle(&c.mesh, &random, NULL);
            ask_both(&c.mesh, &pose, c.points, POINTS, other);
            expect_law("renumbered", class, seed, first, other, POINTS);
            test_mesh_reverse(&c.mesh);
            ask_both(&c.mesh, &pose, c.points, POINTS, other);
            expect_law("reversed", class, seed, first, other, POINTS);
            test_mesh soup = test_mesh_soup(&c.mesh);
            ask_both(&soup, &pose, c.points, POINTS, other);
            expect_law("soup", class, seed, first, other, POINTS);
            // Scaled and mirrored by the pose, exactly.
            const double scale =
                ldexp(seed % 2 == 0 ? 1.0 : -1.0, (int)random_below(&random, 200)); // upwards: no ulp is lost
            for (int i = 0; i < 3; i++)
                pose.m[i][i] = i == 1 ? scale : fabs(scale);
            for (uint64_t i = 0; i < 3 * POINTS; i++)
                c.points[i] *= pose.m[i % 3][i % 3];
            ask_both(&c.mesh, &pose, c.points, POINTS, other);
            expect_law("scaled", class, seed, first, other, POINTS);
            test_mesh_finish(&soup);
            finish_case(&c);
        }
    free(first);
    free(other);
}

static void subdividing_exactly_changes_nothing(void **state)
{
    (void)state;
    enum {
        POINTS = 200
    };
    const grz_pose identity = grz_pose_identity();
    grz_location *first = allocate_zeroed(RULES * POINTS, sizeof *first),
                 *other = allocate_zeroed(RULES * POINTS, sizeof *other);
    uint64_t on_surface = 0;
    for (uint32_t seed = 0; seed < (TEST_SANITIZED ? 6 : 20); seed++) {
        // Coordinates are multiples of 4, so that two subdivisions are exact.
        surface_case c = make_case("subdivided", SURFACE_CELLS, 10 * seed, POINTS);
        ask_both(&c.mesh, &identity, c.points, POINTS, first);
        test_mesh fine = test_mesh_subdivided(&c.mesh), finest = test_mesh_subdivided(&fine);
        ask_both(&fine, &identity, c.points, POINTS, other);
        expect_law("subdivided once", SURFACE_CELLS, seed, first, other, POINTS);
        ask_both(&finest, &identity, c.points, POINTS, other);
        expect_law("subdivided twice", SURFACE_CELLS, seed, first, other, POINTS);
        for (uint64_t i = 0; i < POINTS; i++)
            on_surface += first[i] == GRZ_ON_SURFACE;
        test_mesh_finish(&fine);
        test_mesh_finish(&finest);
        finish_case(&c);
    }
    assert_true(on_surface > 500);
    free(first);
    free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_lie_where_exact_arithmetic_says),
        cmocka_unit_test(the_oracle_agrees_with_the_solid_angle),
        cmocka_unit_test(many_points_are_answered_as_one_by_one),
        cmocka_unit_test(threads_may_ask_for_one_mesh_at_once),
        cmocka_unit_test(renumbering_reversing_scaling_and_mirroring_change_nothing),
        cmocka_unit_test(subdividing_exactly_changes_nothing),
    };
    return cmocka_run_group_tests(tests, locate_open_devices, locate_close_devices);
}
