// SPDX-License-Identifier: MIT
// Links in crowds of contacts are cut together with the others on their line, by triangles instead of contacts. Here
// every link that lies near any contact is cut in that way, and every link by itself: the curves must have the same
// bytes, as with the number that queries use. Then the work is counted, where triangles lie over each other in one
// plane: it may grow with the contacts, not with their square. Then memory runs out at each allocation.
// ctest: timeout 900
// ctest: long
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/control.h"
#include "contact/curves/curves.h"
#include "support_devices.h"
#include "support_queries.h"
#include "support_sanitizer.h"

// ---- Scenes ---------------------------------------------------------------------------------------------------------

typedef struct plane {
    int origin[3], u[3], v[3];
} plane;

static plane random_plane(random_stream *random)
{
    static const int axes[4][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
    plane p = {{0}, {0}, {0}};
    const uint32_t first = random_below(random, 3);
    for (int i = 0; i < 3; i++) {
        p.u[i] = axes[first][i];
        p.v[i] = axes[first + 1][i];
    }
    if (random_below(random, 2) == 0) // askew, through the same origin
        for (int i = 0; i < 3; i++) {
            p.u[i] += (int)random_below(random, 3) - 1;
            p.v[i] += (int)random_below(random, 5) - 2;
        }
    return p;
}

static void point_in_plane(const plane *p, double x, double y, double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = p->origin[i] + x * p->u[i] + y * p->v[i];
}

// Add a triangle in a plane, with corners on a grid of `side` squares; some have corners of triangles before them.
static void add_flat(test_mesh *mesh, random_stream *random, const plane *p, uint32_t side, bool loose)
{
    uint32_t corner[3];
    for (int i = 0; i < 3; i++) {
        double at[3];
        if (!loose && mesh->vertex_count > 0 && random_below(random, 3) == 0) {
            corner[i] = random_below(random, (uint32_t)mesh->vertex_count);
            continue;
        }
        point_in_plane(p, random_below(random, side + 1), random_below(random, side + 1), at);
        corner[i] = test_mesh_add_vertex(mesh, at[0], at[1], at[2]);
    }
    test_mesh_add_triangle(mesh, corner[0], corner[1], corner[2]);
}

// Triangles in one plane or a few that pass through one point, some of them twice.
static void add_soup(test_mesh *mesh, random_stream *random, const plane *planes, uint32_t plane_count)
{
    const uint32_t count = 2 + random_below(random, 24), side = 1 + random_below(random, 9);
    const bool loose = random_below(random, 2) == 0;
    for (uint32_t i = 0; i < count; i++)
        add_flat(mesh, random, &planes[random_below(random, plane_count)], side, loose);
    if (random_below(random, 3) == 0 && mesh->indices != NULL) {
        const uint32_t *c = mesh->indices + 3 * (size_t)random_below(random, count);
        test_mesh_add_triangle(mesh, c[1], c[0], c[2]);
    }
    // Needles: the planes pass through the origin, so a vertex stays in them. Points then lie so near to others that
    // they have the same place, or the same first coordinate, when rounded.
    while (mesh->positions != NULL && random_below(random, 4) == 0) {
        double *far = mesh->positions + 3 * (size_t)random_below(random, (uint32_t)mesh->vertex_count);
        for (int i = 0; i < 3; i++)
            far[i] *= fabs(far[i]) < 100.0 ? 0x1p80 : 1.0;
    }
}

// Polygons, some of which are not convex or cross themselves; the triangles of one face are never paired.
static void add_polygons(test_mesh *mesh, random_stream *random, const plane *p)
{
    const uint32_t count = 1 + random_below(random, 10), side = 2 + random_below(random, 5);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t corners[6];
        const uint32_t size = 3 + random_below(random, 4);
        for (uint32_t k = 0; k < size; k++) {
            double at[3];
            point_in_plane(p, random_below(random, side + 1), random_below(random, side + 1), at);
            corners[k] = test_mesh_add_vertex(mesh, at[0], at[1], at[2]);
        }
        test_mesh_add_face(mesh, corners, size);
    }
}

static void add_boxes(test_mesh *mesh, random_stream *random)
{
    const uint32_t count = 1 + random_below(random, 4);
    for (uint32_t i = 0; i < count; i++) {
        double min[3], max[3];
        for (int k = 0; k < 3; k++) {
            min[k] = random_below(random, 4);
            max[k] = min[k] + 1.0 + random_below(random, 3);
        }
        test_mesh_take(mesh, random_below(random, 2) == 0 ? test_mesh_box(min, max) : test_mesh_box_quads(min, max));
    }
}

static test_mesh random_scene(random_stream *random, const plane planes[3], uint32_t kind)
{
    test_mesh mesh = {0};
    switch (kind) {
    case 0:
        add_soup(&mesh, random, planes, 1);
        break;
    case 1:
        add_soup(&mesh, random, planes, 3);
        break;
    case 2:
        add_polygons(&mesh, random, &planes[0]);
        break;
    case 3:
        add_boxes(&mesh, random);
        break;
    case 4: // no grid: crossings are no doubles
        mesh = test_mesh_random_triangles(random, 2 + random_below(random, 30), 1.0, 0);
        test_mesh_scale(&mesh, 1.0, 1.0, 0.0);
        break;
    case 5:
        mesh = test_mesh_random_triangles(random, 2 + random_below(random, 20), 0.0, 1 + random_below(random, 3));
        break;
    case 6:
        mesh = test_mesh_grid_quads(4, 4, 1.0);
        test_mesh_crumple(&mesh, random, 2, 0.0);
        test_mesh_scale(&mesh, 1.0, 1.0, random_below(random, 2) == 0 ? 0.0 : 1.0);
        break;
    default: // tessellated sheets on each other, with fins
        mesh = test_mesh_grid(1 + random_below(random, 6), 1 + random_below(random, 6), 1.0 + random_below(random, 2));
        test_mesh_move(&mesh, 0.5 * random_below(random, 4), 0.5 * random_below(random, 4), 0.0);
        add_soup(&mesh, random, planes, 3);
        break;
    }
    return mesh;
}

enum {
    KINDS = 8
};

// ---- Curves made again ----------------------------------------------------------------------------------------------

typedef struct curves {
    grz_curve *curves;
    grz_point *points;
    size_t curve_count, point_count;
} curves;

static void *copy_of(const void *items, size_t size)
{
    void *copy = malloc(size + 1);
    assert_non_null(copy);
    if (size > 0)
        memcpy(copy, items, size);
    return copy;
}

static curves copy_curves(const grz_result *result)
{
    return (curves){copy_of(result->curves.items, result->curves.count * sizeof(grz_curve)),
                    copy_of(result->curve_points.items, result->curve_points.count * sizeof(grz_point)),
                    result->curves.count, result->curve_points.count};
}

static void free_curves(curves *c)
{
    free(c->curves);
    free(c->points);
}

static void print_curves(const curves *c)
{
    for (size_t i = 0; i < c->curve_count; i++) {
        print_message("  %s", c->curves[i].closed ? "closed" : "open");
        for (uint64_t k = 0; k < c->curves[i].point_count; k++) {
            const double *at = c->points[c->curves[i].first_point + k].at;
            print_message(" (%.17g %.17g %.17g)", at[0], at[1], at[2]);
        }
        print_message("\n");
    }
}

static bool same_curves(const curves *x, const curves *y)
{
    if (x->curve_count != y->curve_count || x->point_count != y->point_count)
        return false;
    for (size_t i = 0; i < x->curve_count; i++)
        if (x->curves[i].first_point != y->curves[i].first_point ||
            x->curves[i].point_count != y->curves[i].point_count || x->curves[i].closed != y->curves[i].closed)
            return false;
    return memcmp(x->points, y->points, x->point_count * sizeof *x->points) == 0;
}

// Join the contacts of a result again. Adds to `work`.
static void join_again(grz_result *result, const grz_object *a, const grz_object *b, size_t crowd, uint64_t *work)
{
    const grz_found_range range = {.a = a, .b = b, .end = result->found.count, .complete = true};
    grz_verdict verdict = {.contact_count = result->contacts.count};
    grz_control control;
    grz_control_init(&control, result->allocator, NULL);
    result->curves.count = result->curve_points.count = 0;
    assert_int_equal(grz_curves_join(result, &range, crowd, work, &control, &verdict), GRZ_OK);
}

// Move some vertices to where others are: they are other corners still. Vertices that were one may become two.
static void move_some(grz_mesh *mesh, const test_mesh *source, random_stream *random)
{
    double *moved = copy_of(source->positions, (size_t)source->vertex_count * 3 * sizeof *moved);
    for (uint64_t i = 0; i < source->vertex_count; i++)
        if (random_below(random, 4) == 0)
            memcpy(moved + 3 * i, source->positions + 3 * (size_t)random_below(random, (uint32_t)source->vertex_count),
                   3 * sizeof *moved);
    assert_int_equal(grz_mesh_set_positions(mesh, moved, NULL), GRZ_OK);
    free(moved);
}

// ---- The same curves ------------------------------------------------------------------------------------------------

static grz_pose random_pose(random_stream *random)
{
    grz_pose pose = grz_pose_identity();
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 4 && random_below(random, 2) == 0; k++)
            pose.m[i][k] = random_signed(random);
    }
    return pose;
}

static void lines_and_single_links_give_the_same_curves(void **state)
{
    (void)state;
    static const size_t crowds[] = {0, 3, SIZE_MAX};
    uint64_t points = 0, work[3] = {0};
    grz_device *device = test_device_open(1);
    grz_result *result = test_result_create(device);
    grz_collide_options options = grz_default_collide_options();
    options.find = GRZ_FIND_CURVES;
    for (uint32_t seed = 0; seed < (TEST_SHORT ? 8 : 60) * KINDS; seed++) {
        random_stream random = {.state = UINT64_C(0x11e5) << 32 | seed};
        const bool self = random_below(&random, 2) == 0;
        plane planes[3];
        grz_mesh *meshes[2];
        for (int i = 0; i < 3; i++)
            planes[i] = random_plane(&random);
        for (int i = 0; i < 2; i++) {
            test_mesh mesh = random_scene(
                &random, planes, i == 0 || random_below(&random, 2) == 0 ? seed % KINDS : random_below(&random, KINDS));
            meshes[i] = test_mesh_upload_flags(device, &mesh, random_below(&random, 3) == 0 ? GRZ_MESH_INDEX_ONLY : 0);
            if (random_below(&random, 4) == 0)
                move_some(meshes[i], &mesh, &random);
            test_mesh_finish(&mesh);
        }
        grz_object a = grz_object_at_origin(meshes[0]), b = grz_object_at_origin(meshes[1]);
        if (self)
            a.pose = random_pose(&random);
        const grz_status status = self ? grz_collide_self(device, &a, &options, result, NULL)
                                       : grz_collide(device, &a, &b, &options, result, NULL);
        assert_int_equal(status, GRZ_OK);
        curves expected = copy_curves(result);
        points += expected.point_count;
        for (int i = 0; i < 3 && result->contacts.count > 0; i++) {
            join_again(result, &a, self ? NULL : &b, crowds[i], &work[i]);
            curves other = copy_curves(result);
            if (!same_curves(&expected, &other)) {
                print_message("expected:\n");
                print_curves(&expected);
                print_message("found:\n");
                print_curves(&other);
                fail_msg("seed %u: other curves with %zu contacts as a crowd", seed, crowds[i]);
            }
            free_curves(&other);
        }
        free_curves(&expected);
        grz_mesh_destroy(meshes[0]);
        grz_mesh_destroy(meshes[1]);
    }
    print_message("  %llu points of curves; work: %llu, %llu, and %llu without lines\n", (unsigned long long)points,
                  (unsigned long long)work[0], (unsigned long long)work[1], (unsigned long long)work[2]);
    assert_true(points > (TEST_SHORT ? 2000 : 15000));
    grz_result_destroy(result);
    grz_device_close(device);
}

// Two long triangles without area have a segment in common, that goes on past where an edge begins. Two neighbours have
// that edge in common with each other and with both long ones, and collide with none of them: they cut nothing there.
static void neighbours_do_not_cut_what_lies_along_their_edge(void **state)
{
    (void)state;
    static const double positions[][3] = {{0, 0, 0},         {1, 0, 0},        {-1, 0, 0},       {-2, 0, 0},
                                          {0, 1, 0},         {0, 0, 1},        {0.125, 0.5, -1}, {0.125, 0.5, 1},
                                          {0.875, 0.875, 0}, {0.125, -1, 0.5}, {0.125, 1, 0.5},  {0.875, 0, 0.875}};
    static const uint32_t indices[] = {2, 0, 1, 3, 0, 1, 0, 1, 4, 0, 1, 5, 6, 7, 8, 9, 10, 11};
    grz_device *device = test_device_open(1);
    grz_result *result = test_result_create(device);
    test_mesh source = test_mesh_make(positions[0], 12, indices, 6, 3);
    grz_mesh *mesh = test_mesh_upload(device, &source);
    const grz_object a = grz_object_at_origin(mesh);
    grz_collide_options options = grz_default_collide_options();
    options.find = GRZ_FIND_CURVES;
    assert_int_equal(grz_collide_self(device, &a, &options, result, NULL), GRZ_OK);
    for (int lines = 0; lines < 2; lines++) {
        join_again(result, &a, NULL, lines == 1 ? 0 : SIZE_MAX, NULL);
        bool found = false;
        for (size_t i = 0; i < result->curves.count; i++) {
            const grz_curve *c = &result->curves.items[i];
            const grz_point *own = result->curve_points.items + c->first_point;
            found = found || (c->point_count == 2 && own[0].at[0] == -1.0 && own[1].at[0] == 1.0);
        }
        if (!found) {
            curves all = copy_curves(result);
            print_curves(&all);
            free_curves(&all);
            fail_msg("the segment from (-1, 0, 0) to (1, 0, 0) is missing, or cut");
        }
    }
    test_mesh_finish(&source);
    grz_mesh_destroy(mesh);
    grz_result_destroy(result);
    grz_device_close(device);
}

// A tip touches a sheet in a point that one triangle contains, wherever it comes among forty whose boxes contain it.
static void a_point_is_covered_by_any_of_many_contacts(void **state)
{
    (void)state;
    grz_device *device = test_device_open(1);
    grz_result *result = test_result_create(device);
    static const double sheet[3][3] = {{-9, -9, 0}, {29, -9, 0}, {-9, 29, 0}},
                        tip[3][3] = {{6, 2, 0}, {6, 2, 1}, {7, 2, 1}};
    for (int at = 0; at < 41; at += 8) {
        test_mesh sources[2] = {{0}, {0}};
        grz_mesh *meshes[2];
        test_mesh_add_loose_triangle(&sources[0], sheet);
        test_mesh_add_loose_triangle(&sources[1], tip);
        for (int i = 0; i < 41; i++) {
            const double corners[3][3] = {{0, i / 64.0, 0}, {8 + i / 64.0, i == at ? 0 : 8, 0}, {8 + i / 64.0, 8.5, 0}};
            test_mesh_add_loose_triangle(&sources[1], corners);
        }
        for (int i = 0; i < 2; i++)
            meshes[i] = test_mesh_upload(device, &sources[i]);
        const grz_object a = grz_object_at_origin(meshes[0]), b = grz_object_at_origin(meshes[1]);
        grz_collide_options options = grz_default_collide_options();
        options.find = GRZ_FIND_CURVES;
        assert_int_equal(grz_collide(device, &a, &b, &options, result, NULL), GRZ_OK);
        assert_int_equal(result->contacts.count, 42);
        assert_true(result->curves.count > 0);
        for (size_t i = 0; i < result->curves.count; i++)
            if (result->curves.items[i].point_count == 1)
                fail_msg("the point is a curve; triangle %d contains it", at);
        for (int i = 0; i < 2; i++) {
            grz_mesh_destroy(meshes[i]);
            test_mesh_finish(&sources[i]);
        }
    }
    grz_result_destroy(result);
    grz_device_close(device);
}

// ---- Work -----------------------------------------------------------------------------------------------------------

typedef enum crowd_kind {
    CROWD_RANDOM, // triangles of any size in one plane: no edges on one line
    CROWD_GRID,   // with corners on a grid of 12 squares: edges on one line, single segments, triangles without area
    CROWD_FINS,   // the second mesh has as many triangles through the plane as in it
    CROWD_PAIR,   // two meshes
    CROWD_KINDS
} crowd_kind;

static void add_crowd(test_mesh *mesh, random_stream *random, uint32_t count, double grid, bool upright)
{
    for (uint32_t i = 0; i < count; i++) {
        double c[3][3];
        for (int k = 0; k < 3; k++) {
            for (int axis = 0; axis < 2; axis++) {
                c[k][axis] = grid > 0.0 ? random_below(random, (uint32_t)grid + 1) : random_signed(random);
                c[k][axis] = upright && k == 2 ? c[0][axis] : c[k][axis];
            }
            c[k][2] = !upright ? 0.0 : k == 2 ? 1.0 : -1.0;
        }
        test_mesh_add_loose_triangle(mesh, (const double(*)[3])c);
    }
}

// The work for a crowd of `count` triangles; it has `contacts`. With all links cut by lines the curves are the same.
static uint64_t crowd_work(crowd_kind kind, uint32_t count, size_t crowd, uint64_t *contacts)
{
    random_stream random = {.state = 77};
    grz_device *device = test_device_open(1);
    grz_result *result = test_result_create(device);
    grz_collide_options options = grz_default_collide_options();
    test_mesh sources[2] = {{0}, {0}};
    grz_mesh *meshes[2];
    const bool self = kind == CROWD_RANDOM || kind == CROWD_GRID;
    for (int i = 0; i < 2; i++) {
        add_crowd(&sources[i], &random, count, kind == CROWD_GRID ? 12.0 : 0.0, false);
        if (kind == CROWD_FINS && i == 1)
            add_crowd(&sources[i], &random, count, 0.0, true);
        meshes[i] = test_mesh_upload(device, &sources[i]);
        test_mesh_finish(&sources[i]);
    }
    const grz_object a = grz_object_at_origin(meshes[0]), b = grz_object_at_origin(meshes[1]);
    options.find = GRZ_FIND_CURVES;
    assert_int_equal(self ? grz_collide_self(device, &a, &options, result, NULL)
                          : grz_collide(device, &a, &b, &options, result, NULL),
                     GRZ_OK);
    uint64_t work = 0;
    join_again(result, &a, self ? NULL : &b, crowd, &work);
    *contacts = result->contacts.count;
    if (count < 250) {
        curves expected = copy_curves(result);
        join_again(result, &a, self ? NULL : &b, 0, NULL);
        curves other = copy_curves(result);
        assert_true(same_curves(&expected, &other));
        free_curves(&expected);
        free_curves(&other);
    }
    for (int i = 0; i < 2; i++)
        grz_mesh_destroy(meshes[i]);
    grz_result_destroy(result);
    grz_device_close(device);
    return work;
}

// Steps for each contact, at n and 2n triangles: the same but for a quarter. By single links they double and more.
static void work_grows_with_the_contacts_not_with_their_square(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double most;    // steps for each contact
        uint32_t count; // triangles in the smaller scene
    } kinds[CROWD_KINDS] = {{"random", 16.0, 120}, {"grid", 48.0, 200}, {"fins", 64.0, 100}, {"pair", 24.0, 120}};
    for (crowd_kind kind = 0; kind < CROWD_KINDS; kind++) {
        double steps[2] = {0.0, 0.0}, alone[2] = {0.0, 0.0};
        for (uint32_t i = 0; i < (TEST_SANITIZED ? 1 : 2); i++) {
            uint64_t contacts;
            const uint32_t count = kinds[kind].count << i;
            steps[i] = (double)crowd_work(kind, count, 16, &contacts) / (double)contacts;
            if (steps[i] > kinds[kind].most)
                fail_msg("%s, %u triangles: %.1f steps for each of %llu contacts", kinds[kind].name, count, steps[i],
                         (unsigned long long)contacts);
            alone[i] = (double)crowd_work(kind, 15u << i, SIZE_MAX, &contacts) / (double)contacts;
        }
        if (TEST_SANITIZED)
            continue; // the growth needs the larger scenes
        print_message("  %s: %.1f and %.1f steps for each contact; by single links, of fewer, %.0f and %.0f\n",
                      kinds[kind].name, steps[0], steps[1], alone[0], alone[1]);
        if (steps[1] > 1.25 * steps[0])
            fail_msg("%s: %.1f steps for each contact, and %.1f for twice as many triangles", kinds[kind].name,
                     steps[0], steps[1]);
        assert_true(alone[1] > 2.0 * alone[0]); // what is counted here does show that
    }
}

// ---- Running out of memory ------------------------------------------------------------------------------------------

static void each_allocation_of_lines_may_fail(void **state)
{
    (void)state;
    long failures = 0;
    for (uint32_t seed = 0; seed < 8; seed++) {
        random_stream random = {.state = UINT64_C(0xfa11) << 32 | seed};
        counting_allocator counter = {0};
        grz_device *device = counting_device_open(&counter);
        grz_mesh *meshes[2];
        for (int i = 0; i < 2; i++) {
            test_mesh source = {0};
            add_crowd(&source, &random, 8, 3.0, false);
            add_crowd(&source, &random, 3, 3.0, true);
            meshes[i] = test_mesh_upload(device, &source);
            test_mesh_finish(&source);
        }
        const grz_object a = grz_object_at_origin(meshes[0]), b = grz_object_at_origin(meshes[1]);
        const bool self = seed % 2 == 1;
        grz_result *result = test_result_create(device);
        grz_collide_options options = grz_default_collide_options();
        options.find = GRZ_FIND_CURVES;
        assert_int_equal(self ? grz_collide_self(device, &a, &options, result, NULL)
                              : grz_collide(device, &a, &b, &options, result, NULL),
                         GRZ_OK);
        assert_true(result->contacts.count > 20);
        const grz_found_range range = {.a = &a, .b = self ? NULL : &b, .end = result->found.count, .complete = true};
        grz_status status = GRZ_ERROR_MEMORY;
        for (long n = 1; status != GRZ_OK; n++) {
            grz_verdict verdict = {.contact_count = result->contacts.count};
            grz_control control;
            grz_control_init(&control, result->allocator, NULL);
            result->curves.count = result->curve_points.count = 0;
            const long live = counter.live;
            counter.fail_at = counter.calls + n;
            status = grz_curves_join(result, &range, 0, NULL, &control, &verdict);
            counter.fail_at = 0;
            assert_true(status == GRZ_OK || status == GRZ_ERROR_MEMORY);
            assert_int_equal(counter.live, live);
            failures += status != GRZ_OK;
        }
        grz_result_destroy(result);
        grz_mesh_destroy(meshes[0]);
        grz_mesh_destroy(meshes[1]);
        grz_device_close(device);
        assert_int_equal(counter.live, 0);
    }
    print_message("  %ld times out of memory\n", failures);
    assert_true(failures > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_and_single_links_give_the_same_curves),
        cmocka_unit_test(neighbours_do_not_cut_what_lies_along_their_edge),
        cmocka_unit_test(a_point_is_covered_by_any_of_many_contacts),
        cmocka_unit_test(work_grows_with_the_contacts_not_with_their_square),
        cmocka_unit_test(each_allocation_of_lines_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
