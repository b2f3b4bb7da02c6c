// SPDX-License-Identifier: MIT
// Rays against meshes: the tree against all triangles, byte for byte, in every SIMD width, with one thread and two, at
// poses of all kinds; watertight surfaces; crossings counted as grz_locate_points() says; known hits; scenes; early
// ends; bad input. tests/geometry/test_line_triangle.c has a line and a triangle against rationals.
// ctest: concurrent scenes_and_lists_agree a_long_list_can_be_ended
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "support_allocator.h"
#include "support_devices.h"
#include "support_queries.h"
#include "support_sanitizer.h"

enum {
    RAYS = TEST_SANITIZED ? 60 : TEST_SHORT ? 150 : 300 // for each object
};

typedef const double (*matrix)[4];

// ---- Objects and rays ---------------------------------------------------------------------------------------------

static grz_pose random_pose(random_stream *random, uint32_t kind)
{
    grz_pose pose = grz_pose_identity();
    const double shift[3] = {3.0 * random_signed(random), 3.0 * random_signed(random), 3.0 * random_signed(random)};
    double quaternion[4];
    for (int i = 0; i < 4; i++)
        quaternion[i] = random_signed(random);
    switch (kind) {
    case 0:
        break;
    case 1:
        pose = grz_pose_from_translation(shift[0], shift[1], shift[2]);
        break;
    case 2:
        assert_int_equal(grz_pose_from_quaternion(shift, quaternion, &pose, NULL), GRZ_OK);
        break;
    case 3: // any affine map
        for (int i = 0; i < 12; i++)
            pose.m[i / 4][i % 4] = 2.0 * random_signed(random);
        break;
    case 4: // far away: positions are rounded
        pose = grz_pose_from_translation(1e6 * shift[0], 1e9 * shift[1], 1e3 * shift[2]);
        break;
    case 5: // flat
        for (int j = 0; j < 4; j++)
            pose.m[2][j] = pose.m[1][j];
        break;
    default: // mirrored, and of other sizes along the axes
        pose.m[0][0] = -1.0;
        pose.m[1][1] = 0x1p-20;
        pose.m[2][2] = 300.0;
    }
    return pose;
}

static test_mesh random_mesh(random_stream *random, uint32_t kind)
{
    switch (kind) {
    case 0:
        return test_mesh_cube_quads(0.0, 0.0, 0.0, 1.0);
    case 1:
        return test_mesh_icosphere(1.0, 2);
    case 2:
        return test_mesh_random_triangles(random, 200, 0.5, 0);
    case 3:
        return test_mesh_random_triangles(random, 60, 1.0, 3);
    case 4:
        return test_mesh_grid_quads(9, 7, 0.25);
    default: {
        test_mesh mesh = test_mesh_torus(1.0, 0.4, 16, 9);
        test_mesh_crumple(&mesh, random, kind == 5 ? 0 : 2, 0.2);
        return mesh;
    }
    }
}

// Corners that are floats are kept with the packed tree.
static void round_to_floats(test_mesh *mesh)
{
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++)
        mesh->positions[i] = (double)(float)mesh->positions[i];
}

// A point of the object: a vertex, the middle of an edge or of a triangle, rounded.
static void point_of(random_stream *random, const test_mesh *mesh, const grz_pose *pose, double out[3])
{
    const uint64_t face = random_below(random, (uint32_t)mesh->face_count);
    uint64_t first = 0;
    for (uint64_t i = 0; i < face; i++)
        first += mesh->corner_counts[i];
    const uint32_t corners = 1 + random_below(random, 3);
    double sum[3] = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < corners; i++) {
        double world[3];
        grz_pose_apply(*pose, mesh->positions + 3 * (size_t)mesh->indices[first + i], world);
        for (int k = 0; k < 3; k++)
            sum[k] += world[k] / corners;
    }
    memcpy(out, sum, sizeof sum);
}

static grz_ray random_ray(random_stream *random, const test_mesh *mesh, const grz_pose *pose)
{
    double p[3], q[3], away[3];
    const uint32_t kind = random_below(random, 6);
    point_of(random, mesh, pose, p);
    point_of(random, mesh, pose, q);
    for (int k = 0; k < 3; k++)
        away[k] = p[k] + 4.0 * random_signed(random);
    grz_ray ray = kind < 3 ? grz_ray_between(away, p) : grz_ray_between(p, q);
    if (kind == 5) { // along an axis
        for (int k = 0; k < 3; k++)
            ray.direction[k] = ray.tail[k] = 0.0;
        const uint32_t axis = random_below(random, 3);
        ray.direction[axis] = random_below(random, 2) == 0 ? -1.0 : 1.0;
    }
    if (ray.direction[0] == 0.0 && ray.direction[1] == 0.0 && ray.direction[2] == 0.0)
        ray.direction[0] = 1.0;
    const double ends[5] = {-HUGE_VAL, -1.0, 0.0, 1.0, HUGE_VAL};
    const uint32_t from = random_below(random, 4), to = from + random_below(random, 5 - from);
    ray.from = ends[from];
    ray.to = ends[to > 0 ? to : 1];
    return ray;
}

// ---- All triangles ------------------------------------------------------------------------------------------------

static bool same_hit(const grz_ray_hit *x, const grz_ray_hit *y)
{
    return memcmp(&x->t, &y->t, sizeof x->t) == 0 && x->lower == y->lower && x->upper == y->upper &&
           x->distance == y->distance && memcmp(x->point, y->point, sizeof x->point) == 0 &&
           memcmp(x->normal, y->normal, sizeof x->normal) == 0 && x->object == y->object && x->face == y->face &&
           x->feature.vertex[0] == y->feature.vertex[0] && x->feature.vertex[1] == y->feature.vertex[1] &&
           x->side == y->side;
}

static void check_hit(const grz_ray *ray, const grz_ray_hit *hit)
{
    assert_true(hit->lower <= hit->t && hit->t <= hit->upper);
    assert_true(hit->lower == hit->upper || nextafter(hit->lower, HUGE_VAL) == hit->upper);
    if (hit->face != GRZ_NO_FACE)
        assert_true(hit->upper >= ray->from && hit->lower <= ray->to);
}

// The methods of spatial structures, one after the other.
static const char *next_structure(void)
{
    static const char *const names[] = {"grid", "octree", "kdtree", "bsp", "obbtree", "kdop"};
    static size_t turn;
    return names[turn++ % (sizeof names / sizeof *names)];
}

// The reference, from the list of all hits.
static void check_ray(grz_device *device, const grz_object *objects, uint32_t count, const grz_ray *ray,
                      const grz_ray_hit *first)
{
    enum {
        ROOM = 600
    };
    static grz_ray_hit all[3][ROOM];
    const char *const methods[3] = {"naive", "bvh", next_structure()};
    uint64_t found[3];
    grz_pick_options options = grz_default_pick_options();
    for (int i = 0; i < 3; i++) {
        grz_error error;
        options.method = methods[i];
        if (grz_pick_all(device, grz_targets_of_objects(objects, count), ray, &options, all[i], ROOM, &found[i],
                         &error) != GRZ_OK)
            fail_msg("%s", error.message);
    }
    assert_int_equal(found[0], found[1]);
    if (found[0] != found[2])
        fail_msg("%s finds %lu hits of %lu", methods[2], (unsigned long)found[2], (unsigned long)found[0]);
    assert_true(found[0] <= ROOM);
    for (uint64_t i = 0; i < found[0]; i++) {
        assert_true(same_hit(&all[0][i], &all[1][i]) && same_hit(&all[0][i], &all[2][i]));
        check_hit(ray, &all[0][i]);
        assert_true(i == 0 || all[0][i - 1].t <= all[0][i].t);
    }
    if (found[0] == 0)
        assert_int_equal(first->face, GRZ_NO_FACE);
    else
        assert_true(same_hit(first, &all[0][0]));
}

static uint64_t hit_counts[2]; // rays that hit nothing, something

static void check_object(random_stream *random, const test_mesh *mesh, const grz_pose *pose)
{
    static grz_ray rays[RAYS];
    static grz_ray_hit hits[RAYS], others[RAYS];
    static bool any[RAYS];
    grz_mesh *uploaded[2] = {test_mesh_upload(test_devices[0], mesh), test_mesh_upload(test_devices[1], mesh)};
    for (int i = 0; i < RAYS; i++)
        rays[i] = random_ray(random, mesh, pose);
    for (int d = 0; d < 2; d++) {
        const grz_object object = grz_object_at(uploaded[d], *pose);
        grz_error error;
        grz_ray_hit *out = d == 0 ? hits : others;
        memset(out, 0xff, sizeof hits);
        if (grz_pick(test_devices[d], grz_targets_of_objects(&object, 1), rays, RAYS, NULL, out, &error) != GRZ_OK)
            fail_msg("%s", error.message);
        assert_int_equal(
            grz_pick_any(test_devices[d], grz_targets_of_objects(&object, 1), rays, RAYS, NULL, any, &error), GRZ_OK);
        for (int i = 0; i < RAYS; i++)
            assert_int_equal(any[i], out[i].face != GRZ_NO_FACE);
    }
    const grz_object object = grz_object_at(uploaded[0], *pose);
    grz_pick_options options = grz_default_pick_options();
    grz_error error;
    options.method = next_structure();
    assert_int_equal(
        grz_pick(test_devices[0], grz_targets_of_objects(&object, 1), rays, RAYS, &options, others, &error), GRZ_OK);
    assert_int_equal(
        grz_pick_any(test_devices[0], grz_targets_of_objects(&object, 1), rays, RAYS, &options, any, &error), GRZ_OK);
    for (int i = 0; i < RAYS; i++)
        assert_true(same_hit(&hits[i], &others[i]) && any[i] == (hits[i].face != GRZ_NO_FACE));
    assert_int_equal(grz_pick(test_devices[1], grz_targets_of_objects(&object, 1), rays, RAYS, NULL, others, &error),
                     GRZ_OK);
    for (int i = 0; i < RAYS; i++) {
        assert_true(same_hit(&hits[i], &others[i]));
        check_hit(&rays[i], &hits[i]);
        if (i % 4 == 0)
            check_ray(test_devices[0], &object, 1, &rays[i], &hits[i]);
        hit_counts[hits[i].face != GRZ_NO_FACE]++;
    }
    grz_mesh_destroy(uploaded[0]);
    grz_mesh_destroy(uploaded[1]);
}

static void trees_find_what_all_triangles_give(void **state)
{
    (void)state;
    random_stream random = random_stream_of_block(PAIR_RANDOM, 2511);
    for (uint32_t round = 0; round < (TEST_SHORT ? 1 : 3); round++)
        for (uint32_t kind = 0; kind < 7; kind++)
            for (uint32_t placing = 0; placing < 7; placing++) {
                test_mesh mesh = random_mesh(&random, kind);
                if (round == 1)
                    round_to_floats(&mesh);
                const grz_pose pose = random_pose(&random, placing);
                check_object(&random, &mesh, &pose);
                test_mesh_finish(&mesh);
            }
    assert_true(hit_counts[0] > 1000 && hit_counts[1] > 1000);
}

// Sizes at which floats, and then doubles, tell nothing.
static void all_sizes_are_exact(void **state)
{
    (void)state;
    random_stream random = random_stream_of_block(PAIR_RANDOM, 2512);
    static const int exponents[] = {-1070, -700, -130, -60, 60, 130, 290};
    for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++) {
        test_mesh mesh = test_mesh_random_triangles(&random, 30, 1.0, 3);
        const double size = ldexp(1.0, exponents[i]);
        test_mesh_scale(&mesh, size, size, size);
        grz_pose pose = grz_pose_identity();
        check_object(&random, &mesh, &pose);
        // Beside coordinates of 1 all but one axis of a tiny mesh is rounded away.
        pose.m[0][3] = -4.0;
        pose.m[2][3] = -1.0;
        check_object(&random, &mesh, &pose);
        test_mesh_finish(&mesh);
    }
}

// The map of its ray has numbers beyond those of floats.
static void a_tiny_mesh_far_away_is_hit(void **state)
{
    (void)state;
    static const double positions[7][3] = {{-0x1.815c78p-402, -0x1.3b8ee6p-475, -0x1.a8407ep-504},
                                           {-0x1.815c78p-402, -0x1.3b8ee6p-475, -0x1.a8407ep-504},
                                           {0.0, 0.0, 0.0},
                                           {0x1p-200, 0.0, 0x1p-200},
                                           {0x1p-200, 0x1.39b68487d4165p-300, -0x1.71c148e9cdefdp-830},
                                           {0.0, 0.0, 0.0},
                                           {0x1p-498, -0x1.8p-499, -0x1p-498}};
    static const uint32_t indices[6] = {2, 1, 0, 4, 5, 6};
    test_mesh mesh = test_mesh_make(positions[0], 7, indices, 2, 3);
    grz_mesh *uploaded = test_mesh_upload(test_devices[0], &mesh);
    const grz_object object = grz_object_at(uploaded, grz_pose_from_translation(-4.0, 0.0, -1.0));
    grz_ray ray = grz_ray_along((double[3]){-4.0, -0x1.d95659p-476, -1.0}, (double[3]){0.0, -0x1.3b8ee6p-477, 0.0});
    grz_ray_hit hit;
    ray.from = -1.0;
    ray.to = 1.0;
    assert_int_equal(grz_pick(test_devices[0], grz_targets_of_objects(&object, 1), &ray, 1, NULL, &hit, NULL), GRZ_OK);
    assert_true(hit.face == 0 && hit.t == -1.0);
    check_ray(test_devices[0], &object, 1, &ray, &hit);
    grz_mesh_destroy(uploaded);
    test_mesh_finish(&mesh);
}

// A bundle through a fan of pixels; some of them go the other way along an axis, or end before the mesh.
static void make_bundle(random_stream *random, const test_mesh *mesh, const grz_pose *pose, grz_ray *rays)
{
    double eye[3], middle[3];
    const uint32_t kind = random_below(random, 6);
    point_of(random, mesh, pose, middle);
    for (int k = 0; k < 3; k++)
        eye[k] = middle[k] + 3.0 * random_signed(random) + 1.0;
    for (int i = 0; i < 8; i++) {
        double to[3], from[3];
        for (int k = 0; k < 3; k++) {
            to[k] = middle[k] + (kind == 1 && k == 0 ? 0.0 : 0.02 * random_signed(random));
            from[k] = eye[k] + (kind == 2 ? 1e-3 * random_signed(random) : 0.0);
            if (kind == 3 && k == 1) // along this axis some go up, some down, and some neither
                to[k] = from[k] + 1e-3 * (double)(i % 3 - 1);
        }
        rays[i] = grz_ray_between(from, to);
        if (kind == 4)
            rays[i].tail[0] = rays[i].tail[1] = rays[i].tail[2] = 0.0;
        rays[i].to = i % 4 == 3 ? 0.9 : kind == 5 ? 1.0 : HUGE_VAL;
        rays[i].from = i % 5 == 4 ? -HUGE_VAL : 0.0;
    }
}

static void widths_agree_on(bool floats)
{
    static const char *const names[] = {"scalar", "sse2", "avx2", "avx512"};
    random_stream random = random_stream_of_block(PAIR_RANDOM, 2513);
    test_mesh mesh = test_mesh_icosphere(1.0, 3);
    static grz_ray rays[RAYS];
    static grz_ray_hit hits[2][RAYS];
    if (floats)
        round_to_floats(&mesh);
    const grz_pose pose = random_pose(&random, 2);
    int widths = 0;
    for (int i = 0; i < RAYS; i++)
        rays[i] = random_ray(&random, &mesh, &pose);
    for (int i = 0; i + 8 <= RAYS / 2; i += 8)
        make_bundle(&random, &mesh, &pose, &rays[i]);
    const char *before = getenv("GRZ_SIMD");
    char *kept = before != NULL ? strdup(before) : NULL;
    for (int i = 0; i < 4; i++) {
        grz_device *device;
        setenv("GRZ_SIMD", names[i], 1);
        if (grz_device_open(NULL, &device, NULL) != GRZ_OK)
            continue;
        grz_mesh *uploaded = test_mesh_upload(device, &mesh);
        const grz_object object = grz_object_at(uploaded, pose);
        assert_int_equal(grz_pick(device, grz_targets_of_objects(&object, 1), rays, RAYS, NULL, hits[widths > 0], NULL),
                         GRZ_OK);
        for (int k = 0; k < RAYS; k++)
            assert_true(same_hit(&hits[0][k], &hits[widths > 0][k]));
        widths++;
        grz_mesh_destroy(uploaded);
        grz_device_close(device);
    }
    if (kept != NULL)
        setenv("GRZ_SIMD", kept, 1);
    else
        unsetenv("GRZ_SIMD");
    free(kept);
    assert_true(widths >= 1);
    test_mesh_finish(&mesh);
}

static void widths_agree(void **state)
{
    (void)state;
    widths_agree_on(false);
    widths_agree_on(true);
}

// ---- Rays side by side --------------------------------------------------------------------------------------------

static void bundles_are_answered_as_single_rays(void **state)
{
    (void)state;
    enum {
        BUNDLES = 60,
        COUNT = 8 * BUNDLES + 3
    };
    static grz_ray rays[COUNT];
    static grz_ray_hit hits[COUNT], alone;
    static bool any[COUNT];
    random_stream random = random_stream_of_block(PAIR_RANDOM, 2519);
    int hit_count = 0;
    for (uint32_t round = 0; round < (TEST_SANITIZED ? 5 : 14); round++) {
        test_mesh mesh = round % 4 == 3 ? test_mesh_icosphere(1.0, 4) : random_mesh(&random, round % 7);
        if (round % 2 == 0)
            round_to_floats(&mesh);
        const grz_pose pose = random_pose(&random, round % 5);
        grz_mesh *uploaded = test_mesh_upload(test_devices[1], &mesh);
        const grz_object object = grz_object_at(uploaded, pose);
        grz_pick_options options = grz_default_pick_options(), naive = options;
        for (int i = 0; i < BUNDLES; i++)
            make_bundle(&random, &mesh, &pose, &rays[8 * i]);
        for (int i = 8 * BUNDLES; i < COUNT; i++)
            rays[i] = random_ray(&random, &mesh, &pose);
        options.skip_back = naive.skip_back = round % 3 == 2;
        naive.method = "naive";
        assert_int_equal(
            grz_pick(test_devices[1], grz_targets_of_objects(&object, 1), rays, COUNT, &options, hits, NULL), GRZ_OK);
        assert_int_equal(
            grz_pick_any(test_devices[1], grz_targets_of_objects(&object, 1), rays, COUNT, &options, any, NULL),
            GRZ_OK);
        for (int i = 0; i < COUNT; i++) {
            assert_int_equal(
                grz_pick(test_devices[1], grz_targets_of_objects(&object, 1), &rays[i], 1, &naive, &alone, NULL),
                GRZ_OK);
            if (!same_hit(&alone, &hits[i]))
                fail_msg("round %u, ray %d: face %u instead of %u", round, i, hits[i].face, alone.face);
            assert_int_equal(any[i], alone.face != GRZ_NO_FACE);
            hit_count += any[i];
        }
        grz_mesh_destroy(uploaded);
        test_mesh_finish(&mesh);
    }
    assert_true(hit_count > 1000);
}

// ---- Watertight ---------------------------------------------------------------------------------------------------

// From a place inside a closed mesh every ray hits it, also those aimed at vertices and edges, from far away, too.
static void no_ray_slips_through(void **state)
{
    (void)state;
    random_stream random = random_stream_of_block(PAIR_RANDOM, 2514);
    for (int round = 0; round < 4; round++) {
        test_mesh mesh = test_mesh_icosphere(1.0, 3);
        grz_pose pose = random_pose(&random, round < 2 ? 2 : 0);
        for (int i = 0; i < 3 && round % 2 == 1; i++)
            pose.m[i][3] += 1e7;
        grz_mesh *uploaded = test_mesh_upload(test_devices[1], &mesh);
        const grz_object object = grz_object_at(uploaded, pose);
        for (int i = 0; i < 2000; i++) {
            double aim[3], inside[3] = {0.3 * random_signed(&random), 0.3 * random_signed(&random), 0.0};
            grz_pose_apply(pose, inside, inside);
            point_of(&random, &mesh, &pose, aim);
            grz_ray ray = grz_ray_between(inside, aim);
            grz_ray_hit hit;
            ray.to = HUGE_VAL;
            assert_int_equal(grz_pick(test_devices[1], grz_targets_of_objects(&object, 1), &ray, 1, NULL, &hit, NULL),
                             GRZ_OK);
            assert_true(hit.face != GRZ_NO_FACE && hit.side == GRZ_RAY_BACK);
            // The same line seen from far outside: entered from the front, and never lost.
            for (int k = 0; k < 3; k++) {
                ray.origin[k] += 1e5 * ray.direction[k];
                ray.direction[k] = inside[k] - ray.origin[k];
                ray.tail[k] = 0.0;
            }
            assert_int_equal(grz_pick(test_devices[1], grz_targets_of_objects(&object, 1), &ray, 1, NULL, &hit, NULL),
                             GRZ_OK);
            assert_true(hit.face != GRZ_NO_FACE && hit.side == GRZ_RAY_FRONT);
        }
        grz_mesh_destroy(uploaded);
        test_mesh_finish(&mesh);
    }
}

// A ray that meets only insides of faces crosses an odd number of them if, and only if, it begins inside.
static void crossings_agree_with_locate(void **state)
{
    (void)state;
    random_stream random = random_stream_of_block(PAIR_RANDOM, 2515);
    test_mesh mesh = test_mesh_torus(1.0, 0.4, 24, 12);
    test_mesh_crumple(&mesh, &random, 0, 0.1);
    grz_mesh *uploaded = test_mesh_upload(test_devices[0], &mesh);
    const grz_object object = grz_object_at(uploaded, random_pose(&random, 2));
    uint32_t insides = 0, clean = 0;
    for (int i = 0; i < 2000; i++) {
        double local[3], p[3], d[3];
        grz_location location;
        grz_ray_hit hits[32];
        uint64_t found;
        bool along = false;
        for (int k = 0; k < 3; k++) {
            local[k] = 1.4 * random_signed(&random) * (k == 2 ? 0.3 : 1.0);
            d[k] = random_signed(&random);
        }
        grz_pose_apply(object.pose, local, p);
        const grz_ray ray = grz_ray_along(p, d);
        assert_int_equal(grz_locate_points(test_devices[0], &object, p, 1, NULL, &location, NULL), GRZ_OK);
        assert_int_equal(
            grz_pick_all(test_devices[0], grz_targets_of_objects(&object, 1), &ray, NULL, hits, 32, &found, NULL),
            GRZ_OK);
        assert_true(found <= 32);
        for (uint64_t k = 0; k < found; k++)
            along = along || hits[k].feature.vertex[0] != GRZ_NO_VERTEX || hits[k].side == GRZ_RAY_ALONG;
        if (along)
            continue;
        clean++;
        insides += location == GRZ_INSIDE;
        assert_int_equal(found % 2 == 1, location == GRZ_INSIDE);
        // The last face is left from its back: it is wound outwards.
        assert_true(found == 0 || location != GRZ_INSIDE || hits[found - 1].side == GRZ_RAY_BACK);
    }
    assert_true(clean > 1900 && insides > 100);
    grz_mesh_destroy(uploaded);
    test_mesh_finish(&mesh);
}

// ---- Known hits ---------------------------------------------------------------------------------------------------

static grz_ray_hit pick_one(const grz_object *object, const grz_ray *ray, const grz_pick_options *options)
{
    grz_ray_hit hit;
    grz_error error;
    if (grz_pick(test_devices[0], grz_targets_of_objects(object, 1), ray, 1, options, &hit, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return hit;
}

static void expect(const grz_ray_hit *hit, double t, uint32_t face, uint32_t v, uint32_t w, grz_ray_side side)
{
    assert_true(hit->t == t && hit->lower == t && hit->upper == t);
    assert_int_equal(hit->face, face);
    assert_int_equal(hit->feature.vertex[0], v);
    assert_int_equal(hit->feature.vertex[1], w);
    assert_int_equal(hit->side, side);
}

static void a_cube_is_hit_where_it_should_be(void **state)
{
    (void)state;
    const uint32_t none = GRZ_NO_VERTEX;
    test_mesh mesh = test_mesh_cube_quads(0.0, 0.0, 0.0, 1.0);
    grz_mesh *uploaded = test_mesh_upload(test_devices[0], &mesh);
    const grz_object cube = grz_object_at_origin(uploaded);
    const double down[3] = {0.0, 0.0, -2.0};
    grz_pick_options options = grz_default_pick_options();
    // Onto the top, face 1; also through its diagonal, which is its inside.
    grz_ray ray = grz_ray_along((double[3]){0.25, 0.5, 3.0}, down);
    grz_ray_hit hit = pick_one(&cube, &ray, NULL);
    expect(&hit, 1.0, 1, none, none, GRZ_RAY_FRONT);
    assert_true(hit.distance == 2.0 && hit.point[0] == 0.25 && hit.point[1] == 0.5 && hit.point[2] == 1.0);
    assert_true(hit.normal[0] == 0.0 && hit.normal[1] == 0.0 && hit.normal[2] == 1.0 && hit.object == 0);
    ray = grz_ray_along((double[3]){0.5, 0.5, 3.0}, down);
    hit = pick_one(&cube, &ray, NULL);
    expect(&hit, 1.0, 1, none, none, GRZ_RAY_FRONT);
    // Through the top to the bottom, face 0, from behind; and what is skipped.
    options.skip_front = true;
    hit = pick_one(&cube, &ray, &options);
    expect(&hit, 1.5, 0, none, none, GRZ_RAY_BACK);
    options.skip_back = true;
    hit = pick_one(&cube, &ray, &options);
    assert_int_equal(hit.face, GRZ_NO_FACE);
    assert_int_equal(hit.object, GRZ_NO_OBJECT);
    assert_true(isinf(hit.t) && isinf(hit.distance));
    // Onto a vertex and an edge: the face with the lowest number.
    ray = grz_ray_along((double[3]){1.0, 1.0, 3.0}, down);
    hit = pick_one(&cube, &ray, NULL);
    expect(&hit, 1.0, 1, 6, none, GRZ_RAY_FRONT);
    ray = grz_ray_along((double[3]){0.5, 0.0, 3.0}, down);
    hit = pick_one(&cube, &ray, NULL);
    expect(&hit, 1.0, 1, 4, 5, GRZ_RAY_FRONT);
    // Along the top: it begins inside it.
    ray = grz_ray_along((double[3]){0.5, 0.25, 1.0}, (double[3]){1.0, 0.0, 0.0});
    hit = pick_one(&cube, &ray, NULL);
    expect(&hit, 0.0, 1, none, none, GRZ_RAY_ALONG);
    assert_true(hit.point[0] == 0.5 && hit.point[1] == 0.25 && hit.point[2] == 1.0 && hit.distance == 0.0);
    // Down an edge: the top, the two faces at the edge once each, and the bottom.
    ray = grz_ray_along((double[3]){0.0, 0.0, 3.0}, down);
    grz_ray_hit hits[8];
    uint64_t found;
    assert_int_equal(grz_pick_all(test_devices[0], grz_targets_of_objects(&cube, 1), &ray, NULL, hits, 8, &found, NULL),
                     GRZ_OK);
    assert_int_equal(found, 4);
    expect(&hits[0], 1.0, 1, 4, none, GRZ_RAY_FRONT);
    assert_true(hits[1].t == 1.0 && hits[1].side == GRZ_RAY_ALONG && hits[2].t == 1.0 && hits[2].side == GRZ_RAY_ALONG);
    expect(&hits[3], 1.5, 0, 0, none, GRZ_RAY_BACK);
    // Across the top: it is one face, of two triangles.
    ray = grz_ray_along((double[3]){-1.0, 0.25, 1.0}, (double[3]){1.0, 0.0, 0.0});
    assert_int_equal(grz_pick_all(test_devices[0], grz_targets_of_objects(&cube, 1), &ray, NULL, hits, 8, &found, NULL),
                     GRZ_OK);
    assert_int_equal(found, 3);
    // A direction so short that no double holds t.
    ray = grz_ray_along((double[3]){0.25, 0.5, 3.0}, (double[3]){0.0, 0.0, -0x1p-1074});
    hit = pick_one(&cube, &ray, NULL);
    assert_true(isinf(hit.t) && hit.lower == 0x1.fffffffffffffp+1023 && isinf(hit.upper));
    assert_true(hit.face == 1 && hit.distance == 2.0 && hit.point[2] == 1.0);
    // It ends on the top, just before it, begins on it, and is a point of it.
    ray = grz_ray_between((double[3]){0.25, 0.5, 3.0}, (double[3]){0.25, 0.5, 1.0});
    hit = pick_one(&cube, &ray, NULL);
    expect(&hit, 1.0, 1, none, none, GRZ_RAY_FRONT);
    ray.to = nextafter(1.0, 0.0);
    assert_int_equal(pick_one(&cube, &ray, NULL).face, GRZ_NO_FACE);
    ray.from = ray.to = 1.0;
    hit = pick_one(&cube, &ray, NULL);
    expect(&hit, 1.0, 1, none, none, GRZ_RAY_FRONT);
    grz_mesh_destroy(uploaded);
    test_mesh_finish(&mesh);
}

// A camera that looks down the z axis.
static void pixels_give_rays(void **state)
{
    (void)state;
    // Perspective: eye at (1, 2, 5), focal length 100 pixels, middle at (320, 240), depth 0 at distance 1, 1 at 9.
    const double near = 1.0, far = 9.0, f = 100.0;
    const double m[4][4] = {{f, 0.0, -320.0, -f + 320.0 * 5.0},
                            {0.0, -f, -240.0, 2.0 * f + 240.0 * 5.0},
                            {0.0, 0.0, -far / (far - near), (5.0 - near) * far / (far - near)},
                            {0.0, 0.0, -1.0, 5.0}};
    grz_ray ray;
    grz_error error;
    assert_int_equal(grz_ray_through_pixel((matrix)m, 320.0, 240.0, &ray, &error), GRZ_OK);
    assert_true(fabs(ray.origin[0] - 1.0) < 1e-12 && fabs(ray.origin[1] - 2.0) < 1e-12 &&
                fabs(ray.origin[2] - 4.0) < 1e-12 && fabs(ray.direction[2] + 8.0) < 1e-12);
    assert_int_equal(grz_ray_through_pixel((matrix)m, 420.0, 240.0, &ray, &error), GRZ_OK);
    assert_true(fabs(ray.origin[0] - 2.0) < 1e-12 && fabs(ray.direction[0] - 8.0) < 1e-12);
    assert_int_equal(grz_ray_through_pixel((matrix)m, 320.0, 340.0, &ray, &error), GRZ_OK);
    assert_true(fabs(ray.origin[1] - 1.0) < 1e-12);
    const double flat[4][4] = {{1.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 1.0, 0.0}, {0.0, 0.0, 0.0, 1.0}};
    test_expect_error(grz_ray_through_pixel((matrix)flat, 1.0, 2.0, &ray, &error), GRZ_ERROR_ARGUMENT, &error,
                      "no inverse", GRZ_NO_ELEMENT);
    test_expect_error(grz_ray_through_pixel((matrix)m, (double)NAN, 2.0, &ray, &error), GRZ_ERROR_ARGUMENT, &error,
                      "column", GRZ_NO_ELEMENT);
}

// ---- Scenes -------------------------------------------------------------------------------------------------------

static void scenes_and_lists_agree(void **state)
{
    (void)state;
    random_stream random = random_stream_of_block(PAIR_RANDOM, 2516);
    test_mesh mesh = test_mesh_icosphere(0.5, 1);
    grz_mesh *uploaded = test_mesh_upload(test_devices[1], &mesh);
    grz_scene *scene;
    grz_object objects[40];
    static grz_ray rays[RAYS];
    static grz_ray_hit hits[2][RAYS];
    static bool any[RAYS];
    grz_pick_options options = grz_default_pick_options();
    assert_int_equal(grz_scene_create(test_devices[1], &scene, NULL), GRZ_OK);
    for (uint32_t i = 0; i < 40; i++) {
        uint32_t id;
        objects[i] = grz_object_at(uploaded, random_pose(&random, 2));
        objects[i].group = i % 3 == 0 ? 2 : 1;
        assert_int_equal(grz_scene_add(scene, &objects[i], &id, NULL), GRZ_OK);
        assert_int_equal(id, i);
    }
    for (int i = 0; i < RAYS; i++)
        rays[i] = random_ray(&random, &mesh, &objects[random_below(&random, 40)].pose);
    for (int round = 0; round < 2; round++) {
        options.mask = round == 0 ? UINT32_MAX : 1;
        assert_int_equal(
            grz_pick(test_devices[1], grz_targets_of_objects(objects, 40), rays, RAYS, &options, hits[0], NULL),
            GRZ_OK);
        assert_int_equal(grz_pick(test_devices[1], grz_targets_of_scene(scene), rays, RAYS, &options, hits[1], NULL),
                         GRZ_OK);
        assert_int_equal(grz_pick_any(test_devices[1], grz_targets_of_scene(scene), rays, RAYS, &options, any, NULL),
                         GRZ_OK);
        for (int i = 0; i < RAYS; i++) {
            grz_ray_hit all[64];
            uint64_t found;
            assert_true(same_hit(&hits[0][i], &hits[1][i]));
            assert_int_equal(any[i], hits[0][i].face != GRZ_NO_FACE);
            assert_true(round == 0 || hits[0][i].object == GRZ_NO_OBJECT || hits[0][i].object % 3 != 0);
            if (round == 0)
                check_ray(test_devices[1], objects, 40, &rays[i], &hits[0][i]);
            assert_int_equal(
                grz_pick_all(test_devices[1], grz_targets_of_scene(scene), &rays[i], &options, all, 64, &found, NULL),
                GRZ_OK);
            assert_int_equal(found > 0, any[i]);
            assert_true(found == 0 || same_hit(&all[0], &hits[0][i]));
        }
    }
    // An object that is gone is not hit.
    const grz_ray ray =
        grz_ray_between((double[3]){objects[7].pose.m[0][3], objects[7].pose.m[1][3], objects[7].pose.m[2][3]},
                        (double[3]){90.0, 0.0, 0.0});
    grz_ray_hit all[64];
    uint64_t found;
    assert_int_equal(grz_scene_remove(scene, 7, NULL), GRZ_OK);
    assert_int_equal(grz_pick_all(test_devices[1], grz_targets_of_scene(scene), &ray, NULL, all, 64, &found, NULL),
                     GRZ_OK);
    for (uint64_t i = 0; i < found; i++)
        assert_int_not_equal(all[i].object, 7);
    grz_scene_destroy(scene);
    grz_mesh_destroy(uploaded);
    test_mesh_finish(&mesh);
}

// ---- Bad input ----------------------------------------------------------------------------------------------------

static void bad_input_is_refused(void **state)
{
    (void)state;
    test_mesh mesh = test_mesh_cube(0.0, 0.0, 0.0, 1.0);
    grz_mesh *uploaded = test_mesh_upload(test_devices[0], &mesh);
    grz_object cube = grz_object_at_origin(uploaded);
    const grz_ray good = grz_ray_along((double[3]){0.0, 0.0, 3.0}, (double[3]){0.0, 0.0, -1.0});
    grz_ray rays[2] = {good, good};
    grz_ray_hit hits[2];
    grz_error error;
    uint64_t found;
    bool any[2] = {true, true};
    const struct {
        int member; // of the ray's numbers: origin, direction, tail, from, to
        double value;
        const char *words;
    } bad[] = {{0, (double)NAN, "origin's x is not finite"},
               {5, HUGE_VAL, "direction's z is not finite"},
               {1, 0x1p301, "larger than 2^300"},
               {5, 0.0, "direction is 0"},
               {9, (double)NAN, "no such interval"},
               {10, -1.0, "no such interval"},
               {9, HUGE_VAL, "no such interval"},
               {7, (double)NAN, "tail's y is not finite"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double numbers[11];
        rays[1] = good;
        memcpy(numbers, &rays[1], sizeof numbers);
        numbers[bad[i].member] = bad[i].value;
        memcpy(&rays[1], numbers, sizeof numbers);
        test_expect_error(grz_pick(test_devices[0], grz_targets_of_objects(&cube, 1), rays, 2, NULL, hits, &error),
                          GRZ_ERROR_ARGUMENT, &error, bad[i].words, 1);
        assert_true(hits[0].face == GRZ_NO_FACE && hits[1].face == GRZ_NO_FACE);
    }
    rays[1] = good;
    grz_pick_options options = grz_default_pick_options();
    options.method = "slices";
    assert_int_equal(grz_pick_any(test_devices[0], grz_targets_of_objects(&cube, 1), rays, 2, &options, any, &error),
                     GRZ_ERROR_UNSUPPORTED);
    assert_false(any[0] || any[1]);
    options = grz_default_pick_options();
    options.limits.deadline = -1.0;
    test_expect_error(grz_pick(test_devices[0], grz_targets_of_objects(&cube, 1), rays, 2, &options, hits, &error),
                      GRZ_ERROR_ARGUMENT, &error, "deadline", GRZ_NO_ELEMENT);
    test_expect_error(grz_pick(NULL, grz_targets_of_objects(&cube, 1), rays, 2, NULL, hits, &error), GRZ_ERROR_ARGUMENT,
                      &error, "device", GRZ_NO_ELEMENT);
    test_expect_error(grz_pick(test_devices[0], grz_targets_of_objects(NULL, 1), rays, 2, NULL, hits, &error),
                      GRZ_ERROR_ARGUMENT, &error, "objects", GRZ_NO_ELEMENT);
    test_expect_error(grz_pick(test_devices[0], grz_targets_of_objects(&cube, 1), NULL, 2, NULL, hits, &error),
                      GRZ_ERROR_ARGUMENT, &error, "rays", GRZ_NO_ELEMENT);
    test_expect_error(grz_pick(test_devices[0], grz_targets_of_objects(&cube, 1), rays, 2, NULL, NULL, &error),
                      GRZ_ERROR_ARGUMENT, &error, "answers", GRZ_NO_ELEMENT);
    test_expect_error(
        grz_pick_all(test_devices[0], grz_targets_of_objects(&cube, 1), rays, NULL, hits, 2, NULL, &error),
        GRZ_ERROR_ARGUMENT, &error, "number of hits is NULL", GRZ_NO_ELEMENT);
    test_expect_error(
        grz_pick_all(test_devices[0], grz_targets_of_objects(&cube, 1), rays, NULL, NULL, 2, &found, &error),
        GRZ_ERROR_ARGUMENT, &error, "answers", GRZ_NO_ELEMENT);
    test_expect_error(grz_pick(test_devices[0], grz_targets_of_scene(NULL), rays, 2, NULL, hits, &error),
                      GRZ_ERROR_ARGUMENT, &error, "scene", GRZ_NO_ELEMENT);
    cube.pose.m[1][3] = (double)NAN;
    assert_int_equal(grz_pick(test_devices[0], grz_targets_of_objects(&cube, 1), rays, 2, NULL, hits, &error),
                     GRZ_ERROR_POSE);
    // Nothing asked of nothing.
    assert_int_equal(grz_pick(test_devices[0], grz_targets_of_objects(NULL, 0), rays, 2, NULL, hits, &error), GRZ_OK);
    assert_int_equal(hits[1].face, GRZ_NO_FACE);
    assert_int_equal(grz_pick(test_devices[0], grz_targets_of_objects(NULL, 0), NULL, 0, NULL, NULL, &error), GRZ_OK);
    grz_mesh_destroy(uploaded);
    test_mesh_finish(&mesh);
}

static void calls_can_be_ended(void **state)
{
    (void)state;
    test_mesh mesh = test_mesh_icosphere(1.0, 4);
    grz_mesh *uploaded = test_mesh_upload(test_devices[1], &mesh);
    const grz_object object = grz_object_at_origin(uploaded);
    static grz_ray rays[20000];
    static grz_ray_hit hits[20000];
    random_stream random = random_stream_of_block(PAIR_RANDOM, 2517);
    grz_error error;
    for (int i = 0; i < 20000; i++)
        rays[i] = random_ray(&random, &mesh, &object.pose);
    const volatile int raised = 1;
    grz_pick_options options = grz_default_pick_options();
    options.limits.cancel = &raised;
    assert_int_equal(grz_pick(test_devices[1], grz_targets_of_objects(&object, 1), rays, 20000, &options, hits, &error),
                     GRZ_ERROR_CANCELLED);
    options = grz_default_pick_options();
    options.limits.deadline = 1e-9;
    assert_int_equal(grz_pick(test_devices[1], grz_targets_of_objects(&object, 1), rays, 20000, &options, hits, &error),
                     GRZ_ERROR_DEADLINE);
    for (int i = 0; i < 20000; i++)
        assert_int_equal(hits[i].face, GRZ_NO_FACE);
    grz_mesh_destroy(uploaded);
    test_mesh_finish(&mesh);
}

// Many hits of one ray: also while they are ordered and described.
static void a_long_list_can_be_ended(void **state)
{
    (void)state;
    enum {
        SHEETS = 40000
    };
    test_mesh mesh = {.positions = NULL};
    for (int i = 0; i < SHEETS; i++) {
        const double z = i / 3.0, corners[3][3] = {{-1.0, -1.0, z}, {2.0, -1.0, z}, {-1.0, 2.0, z}};
        test_mesh_add_loose_triangle(&mesh, corners);
    }
    grz_mesh *uploaded = test_mesh_upload(test_devices[0], &mesh);
    const grz_object object = grz_object_at_origin(uploaded);
    const grz_ray ray = grz_ray_along((double[3]){0.1, 0.1, -3.0}, (double[3]){1e-6, 2e-6, 1.0});
    grz_ray_hit *hits = malloc(SHEETS * sizeof *hits);
    grz_pick_options options = grz_default_pick_options();
    uint64_t found;
    double seconds = 0.0;
    assert_non_null(hits);
    for (int i = 0; i < 2; i++) { // the second time the tree is there
        const double start = grz_clock_seconds();
        assert_int_equal(
            grz_pick_all(test_devices[0], grz_targets_of_objects(&object, 1), &ray, NULL, hits, SHEETS, &found, NULL),
            GRZ_OK);
        assert_int_equal(found, SHEETS);
        seconds = grz_clock_seconds() - start;
    }
    options.limits.deadline = seconds / 4.0;
    assert_int_equal(
        grz_pick_all(test_devices[0], grz_targets_of_objects(&object, 1), &ray, &options, hits, SHEETS, &found, NULL),
        GRZ_ERROR_DEADLINE);
    assert_int_equal(found, 0);
    free(hits);
    grz_mesh_destroy(uploaded);
    test_mesh_finish(&mesh);
}

static void each_allocation_may_fail(void **state)
{
    (void)state;
    test_mesh mesh = test_mesh_icosphere(1.0, 1);
    random_stream random = random_stream_of_block(PAIR_RANDOM, 2518);
    const grz_pose pose = grz_pose_identity();
    grz_ray rays[50];
    grz_ray_hit hits[50], known[50];
    int failures = 0, without_packing = 0, kept = 0;
    for (int i = 0; i < 50; i++)
        rays[i] = random_ray(&random, &mesh, &pose);
    for (long fail_at = 1;; fail_at++) {
        test_strict_allocator strict = {.lock = PTHREAD_MUTEX_INITIALIZER};
        grz_device_options options = grz_default_device_options();
        grz_device *device;
        options.allocator = test_strict_allocator_of(&strict);
        options.threads = 1;
        assert_int_equal(grz_device_open(&options, &device, NULL), GRZ_OK);
        grz_mesh *uploaded = test_mesh_upload(device, &mesh);
        const grz_object object = grz_object_at_origin(uploaded);
        uint64_t found;
        strict.fail_at = strict.calls + fail_at;
        grz_status status = grz_pick(device, grz_targets_of_objects(&object, 1), rays, 50, NULL, hits, NULL);
        if (status == GRZ_OK)
            status = grz_pick_all(device, grz_targets_of_objects(&object, 1), rays, NULL, hits, 50, &found, NULL);
        assert_true(status == GRZ_OK || status == GRZ_ERROR_MEMORY);
        const bool failed = strict.failed;
        // Without memory for a packed tree the rays go through the other one.
        without_packing += failed && status == GRZ_OK;
        assert_true(status != GRZ_ERROR_MEMORY || failed);
        for (int i = 0; i < 50 && status == GRZ_OK; i++)
            assert_true(kept == 0 || same_hit(&hits[i], &known[i]));
        if (status == GRZ_OK && kept++ == 0)
            memcpy(known, hits, sizeof known);
        grz_mesh_destroy(uploaded);
        grz_device_close(device);
        assert_true(strict.blocks == 0 && !strict.misused);
        failures += failed;
        if (!failed)
            break;
    }
    assert_true(failures > 3);
    assert_int_equal(without_packing, 5); // a tree's parts, and two arrays for the time of packing
    test_mesh_finish(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_find_what_all_triangles_give),
        cmocka_unit_test(all_sizes_are_exact),
        cmocka_unit_test(a_tiny_mesh_far_away_is_hit),
        cmocka_unit_test(widths_agree),
        cmocka_unit_test(bundles_are_answered_as_single_rays),
        cmocka_unit_test(no_ray_slips_through),
        cmocka_unit_test(crossings_agree_with_locate),
        cmocka_unit_test(a_cube_is_hit_where_it_should_be),
        cmocka_unit_test(pixels_give_rays),
        cmocka_unit_test(scenes_and_lists_agree),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(calls_can_be_ended),
        cmocka_unit_test(a_long_list_can_be_ended),
        cmocka_unit_test(each_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, test_devices_open, test_devices_close);
}
