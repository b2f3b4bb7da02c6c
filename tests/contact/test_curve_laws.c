// SPDX-License-Identifier: MIT
// Laws of curves on random meshes. Surfaces that are closed as sets of points meet in closed curves, even if their
// faces meet in T-junctions. If corners are moved to one position, or a pose flattens a mesh, the answer does not
// depend on the order of corners. Joining segments to curves ends soon when cancelled, and wherever memory runs out.
// ctest: timeout 900
// ctest: long
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "support_contacts.h"
#include "support_devices.h"

// ---- T-junctions ----------------------------------------------------------------------------------------------------

static test_mesh divided(const test_mesh *mesh, random_stream *random, int depth)
{
    test_mesh out = {0};
    for (uint64_t face = 0; face < mesh->face_count; face++) {
        double c[3][3];
        for (int i = 0; i < 3; i++)
            memcpy(c[i], mesh->positions + 3 * (size_t)mesh->indices[3 * face + (uint64_t)i], sizeof c[i]);
        test_mesh_add_divided(&out, random, c, depth, 3);
    }
    return out;
}

// A tetrahedron or block with random corners, multiples of 2^10.
static test_mesh random_solid(random_stream *random)
{
    test_mesh mesh;
    if (random_below(random, 2) == 0) {
        mesh = test_mesh_cube(-1.0, -1.0, -1.0, 2.0);
    } else {
        const double corners[4][3] = {{-1, -1, -1}, {1, -1, 1}, {-1, 1, 1}, {1, 1, -1}};
        mesh = test_mesh_tetrahedron(corners);
    }
    double axes[3][3], origin[3];
    for (int i = 0; i < 3; i++) {
        origin[i] = 1024.0 * ((double)random_below(random, 101) - 50.0);
        for (int k = 0; k < 3; k++)
            axes[i][k] = 1024.0 * ((i == k ? 100.0 : 0.0) + (double)random_below(random, 121) - 60.0);
    }
    for (uint64_t v = 0; v < mesh.vertex_count; v++) {
        double *p = mesh.positions + 3 * v, q[3];
        for (int i = 0; i < 3; i++)
            q[i] = origin[i] + p[0] * axes[0][i] + p[1] * axes[1][i] + p[2] * axes[2][i];
        memcpy(p, q, sizeof q);
    }
    return mesh;
}

static double total_length(const test_answer *answer)
{
    double length = 0.0;
    for (uint64_t i = 0; i < answer->curve_count; i++) {
        const double *own = answer->curve_points + 3 * answer->curves[i].first_point;
        for (uint64_t k = 3; k < 3 * answer->curves[i].point_count; k += 3)
            length += sqrt((own[k] - own[k - 3]) * (own[k] - own[k - 3]) +
                           (own[k + 1] - own[k - 2]) * (own[k + 1] - own[k - 2]) +
                           (own[k + 2] - own[k - 1]) * (own[k + 2] - own[k - 1]));
    }
    return length;
}

static void surfaces_with_t_junctions_meet_in_the_same_closed_curves(void **state)
{
    (void)state;
    uint64_t curves = 0, points = 0;
    for (uint32_t seed = 0; seed < 100; seed++) {
        char what[64];
        random_stream random = {.state = UINT64_C(0x71ee) << 32 | seed};
        test_mesh plain[2], cut[2];
        for (int i = 0; i < 2; i++) {
            plain[i] = random_solid(&random);
            cut[i] = divided(&plain[i], &random, 1 + (int)(seed % 4));
        }
        snprintf(what, sizeof what, "solids, seed %u", seed);
        const test_query query = test_query_of_pair(&plain[0], &plain[1], GRZ_FIND_CURVES);
        const test_query cut_query = test_query_of_pair(&cut[0], &cut[1], GRZ_FIND_CURVES);
        test_answer expected = test_ask(what, &query), answer = test_ask(what, &cut_query);
        test_expect_curve_laws(what, &answer);
        for (uint64_t i = 0; i < answer.curve_count; i++)
            if (!answer.curves[i].closed)
                fail_msg("%s: curve %llu is open", what, (unsigned long long)i);
        if (answer.curve_count != expected.curve_count)
            fail_msg("%s: %llu curves, %llu without T-junctions", what, (unsigned long long)answer.curve_count,
                     (unsigned long long)expected.curve_count);
        const double length = total_length(&expected);
        if (fabs(total_length(&answer) - length) > 1e-9 * length)
            fail_msg("%s: the curves are %.17g long, without T-junctions %.17g", what, total_length(&answer), length);
        curves += answer.curve_count;
        points += answer.curve_point_count;
        for (int i = 0; i < 2; i++) {
            test_mesh_finish(&plain[i]);
            test_mesh_finish(&cut[i]);
        }
        test_answer_finish(&expected);
        test_answer_finish(&answer);
    }
    print_message("  %llu curves of %llu points\n", (unsigned long long)curves, (unsigned long long)points);
    assert_true(curves > 100 && points > 3000);
}

// ---- Corners at one position ----------------------------------------------------------------------------------------

// The new position of a vertex created at p: on a small raster, so that many vertices coincide.
static double *collapsed(const test_mesh *mesh)
{
    double *moved = malloc((size_t)mesh->vertex_count * 3 * sizeof *moved);
    assert_non_null(moved);
    for (uint64_t i = 0; i < 3 * mesh->vertex_count; i++)
        moved[i] = floor(2.0 * mesh->positions[i] + 0.5);
    return moved;
}

static void corners_moved_to_one_position_may_come_in_any_order(void **state)
{
    (void)state;
    uint64_t curves = 0;
    for (uint32_t seed = 0; seed < 60; seed++) {
        char what[64];
        random_stream random = {.state = UINT64_C(0xc011) << 32 | seed};
        test_mesh a = test_mesh_random_triangles(&random, 30, 1.0, 0),
                  b = test_mesh_random_triangles(&random, 30, 1.0, 0);
        if (seed % 2 == 0) { // connected ones, too
            test_mesh_finish(&a);
            a = test_mesh_icosphere(1.0, 1);
        }
        for (uint64_t i = 0; i < 3 * b.vertex_count; i++)
            b.positions[i] = floor(2.0 * b.positions[i] + 0.5);
        uint32_t *new_face = malloc((size_t)(a.face_count + 1) * sizeof *new_face);
        assert_non_null(new_face);
        const bool self = seed % 3 == 0;
        test_query query = self ? test_query_of_self(&a, GRZ_FIND_CURVES) : test_query_of_pair(&a, &b, GRZ_FIND_CURVES);
        if (self && seed % 4 < 3) // flat, or no more than a line
            for (int i = 0; i < 3; i++)
                for (int k = 0; k < 4; k++)
                    query.pose_a.m[i][k] = (double)random_below(&random, 3) - 1.0;
        double *moved = collapsed(&a);
        query.moved_a = moved;
        snprintf(what, sizeof what, "moved corners, seed %u", seed);
        test_answer answer = test_ask(what, &query);
        test_expect_contact_laws(what, &answer);
        curves += answer.curve_count;
        free(moved);
        for (int round = 0; round < 2; round++) {
            test_mesh shuffled = test_mesh_copy(&a);
            test_mesh_shuffle(&shuffled, &random, new_face);
            moved = collapsed(&shuffled);
            query.a = &shuffled;
            query.moved_a = moved;
            test_answer other = test_ask(what, &query);
            const test_renumbering renumbering = {.new_a = new_face, .new_b = self ? new_face : NULL, .self = self};
            test_expect_same_contacts(what, &answer, &other, &renumbering);
            test_answer_finish(&other);
            test_mesh_finish(&shuffled);
            free(moved);
        }
        // A position is listed once.
        for (uint64_t i = 1; i < answer.curve_count; i++) {
            const grz_curve *c = &answer.curves[i];
            if (c->point_count == 1 && c[-1].point_count == 1 &&
                memcmp(answer.curve_points + 3 * c->first_point, answer.curve_points + 3 * c[-1].first_point,
                       3 * sizeof(double)) == 0)
                fail_msg("%s: a point is listed twice", what);
        }
        free(new_face);
        test_answer_finish(&answer);
        test_mesh_finish(&a);
        test_mesh_finish(&b);
    }
    print_message("  %llu curves\n", (unsigned long long)curves);
    assert_true(curves > 400);
}

// ---- Ending early ---------------------------------------------------------------------------------------------------

// Raises the cancel flag at the allocator's n-th call, and records the processor time used until then.
typedef struct flag_raiser {
    counting_allocator counter;
    grz_allocator inner;
    long raise_at;
    int flag;
    clock_t raised;
} flag_raiser;

static void *raise_and_reallocate(void *block, size_t old_size, size_t new_size, void *user)
{
    flag_raiser *raiser = user;
    if (raiser->counter.calls + 1 == raiser->raise_at) {
        __atomic_store_n(&raiser->flag, 1, __ATOMIC_RELAXED);
        raiser->raised = clock();
    }
    return raiser->inner.reallocate(block, old_size, new_size, raiser->inner.user);
}

static void raise_and_release(void *block, size_t size, void *user)
{
    flag_raiser *raiser = user;
    raiser->inner.release(block, size, raiser->inner.user);
}

static test_mesh noisy_grid(random_stream *random, uint32_t side, double height, double shift)
{
    test_mesh mesh = test_mesh_grid(side, side, 1.0);
    test_mesh_move(&mesh, shift, 0.75 * shift, 0.0);
    for (uint64_t v = 0; v < mesh.vertex_count; v++)
        mesh.positions[3 * v + 2] = height * random_signed(random);
    return mesh;
}

// Two sheets that cross nearly everywhere, or lie on each other: tens of thousands of contacts. Or triangles that cover
// each other in one plane.
static void make_sheets(uint32_t kind, random_stream *random, test_mesh sheets[2])
{
    for (int i = 0; i < 2; i++) {
        if (kind < 2) {
            sheets[i] = noisy_grid(random, kind == 0 ? 80 : 40, kind == 0 ? 1.0 : 0.0, i == 0 ? 0.0 : 0.25);
            continue;
        }
        sheets[i] = test_mesh_random_triangles(random, 150, 1.0, 0);
        test_mesh_scale(&sheets[i], 1.0, 1.0, 0.0);
        for (uint64_t v = 0; v < sheets[i].vertex_count; v++) // large ones
            sheets[i].positions[3 * v] = random_signed(random);
    }
}

static void a_raised_flag_ends_joining_soon(void **state)
{
    (void)state;
    double worst = 0.0;
    long cancelled = 0;
    static const char *const kinds[3] = {"crossing", "flat", "crowd"};
    for (uint32_t kind = 0; kind < 3; kind++) {
        random_stream random = {.state = 3};
        flag_raiser raiser = {.raise_at = 0};
        grz_device_options device_options = grz_default_device_options();
        grz_device *device = NULL;
        raiser.inner = counting_allocator_of(&raiser.counter);
        device_options.threads = 1;
        device_options.allocator =
            (grz_allocator){.reallocate = raise_and_reallocate, .release = raise_and_release, .user = &raiser};
        assert_int_equal(grz_device_open(&device_options, &device, NULL), GRZ_OK);
        test_mesh sheets[2];
        make_sheets(kind, &random, sheets);
        grz_mesh *meshes[2] = {test_mesh_upload(device, &sheets[0]), test_mesh_upload(device, &sheets[1])};
        const grz_object a = grz_object_at_origin(meshes[0]), b = grz_object_at_origin(meshes[1]);
        grz_collide_options options = grz_default_collide_options();
        options.find = GRZ_FIND_CURVES;
        options.limits.cancel = &raiser.flag;
        // Which calls and how much time the lists take: the same query without curves is run first.
        clock_t took[2] = {0, 0};
        long calls[2] = {0, 0};
        for (int with = 0; with < 2; with++) {
            grz_result *result = test_result_create(device);
            options.find = with == 0 ? GRZ_FIND_PAIRS : GRZ_FIND_CURVES;
            for (int round = 0; round < 2; round++) { // trees are built in the first one
                grz_result_destroy(result);
                result = test_result_create(device);
                const long before = raiser.counter.calls;
                const clock_t start = clock();
                assert_int_equal(grz_collide(device, &a, &b, &options, result, NULL), GRZ_OK);
                took[with] = clock() - start;
                calls[with] = raiser.counter.calls - before;
            }
            grz_result_destroy(result);
        }
        const double lists = (double)(took[1] - took[0]);
        print_message("  %s: %ld calls of the allocator, %.3f s for the lists\n", kinds[kind], calls[1] - calls[0],
                      lists / CLOCKS_PER_SEC);
        const long first = calls[0] - 2, step = (calls[1] - first) / 12 + 1;
        for (long call = first; call < calls[1]; call += step) {
            grz_result *result = test_result_create(device);
            raiser.raise_at = raiser.counter.calls + 1 + call;
            const grz_status status = grz_collide(device, &a, &b, &options, result, NULL);
            const double overrun = (double)(clock() - raiser.raised);
            raiser.flag = 0;
            raiser.raise_at = 0;
            grz_result_destroy(result);
            if (status == GRZ_OK) // the last allocations of all
                continue;
            assert_int_equal(status, GRZ_ERROR_CANCELLED);
            cancelled++;
            worst = fmax(worst, overrun / CLOCKS_PER_SEC);
            // No two checks of the flag may be a tenth of the lists' time apart, on any machine. Some time is added for
            // the timer.
            if (overrun > 0.1 * lists + 0.02 * CLOCKS_PER_SEC)
                fail_msg("cancelled at call %ld of %ld: %.3g s of %.3g went by", call, calls[1],
                         overrun / CLOCKS_PER_SEC, lists / CLOCKS_PER_SEC);
        }
        for (int i = 0; i < 2; i++) {
            grz_mesh_destroy(meshes[i]);
            test_mesh_finish(&sheets[i]);
        }
        grz_device_close(device);
        assert_int_equal(raiser.counter.live, 0);
    }
    print_message("  %ld times cancelled, at most %.1f ms of processor time until the end\n", cancelled, 1e3 * worst);
    assert_true(cancelled > 12);
}

// Integer triangles in space, and in one plane: links are cut, single points occur, areas overlap.
static void each_allocation_of_joining_may_fail(void **state)
{
    (void)state;
    long failures = 0;
    for (uint32_t seed = 0; seed < 4; seed++) {
        random_stream random = {.state = UINT64_C(0xa110) << 32 | seed};
        counting_allocator counter = {0};
        grz_device *device = counting_device_open(&counter);
        test_mesh sources[2];
        grz_mesh *meshes[2];
        for (int i = 0; i < 2; i++) {
            sources[i] = test_mesh_random_triangles(&random, 9, 0.0, 2);
            if (seed % 2 == 1)
                test_mesh_scale(&sources[i], 1.0, 1.0, 0.0);
            meshes[i] = test_mesh_upload(device, &sources[i]);
        }
        const grz_object a = grz_object_at_origin(meshes[0]), b = grz_object_at_origin(meshes[1]);
        grz_collide_options options = grz_default_collide_options();
        options.find = GRZ_FIND_CURVES;
        options.method = "naive";
        grz_status status = GRZ_ERROR_MEMORY;
        for (long n = 1; status != GRZ_OK; n++) {
            grz_result *result = test_result_create(device);
            const long live = counter.live;
            counter.fail_at = counter.calls + n;
            status = seed < 2 ? grz_collide(device, &a, &b, &options, result, NULL)
                              : grz_collide_self(device, &a, &options, result, NULL);
            counter.fail_at = 0;
            assert_true(status == GRZ_OK || status == GRZ_ERROR_MEMORY);
            failures += status != GRZ_OK;
            uint64_t count;
            (void)grz_result_curves(result, &count);
            assert_true(status == GRZ_OK ? count > 0 : count == 0);
            grz_result_destroy(result);
            assert_int_equal(counter.live, live - 1);
        }
        for (int i = 0; i < 2; i++) {
            grz_mesh_destroy(meshes[i]);
            test_mesh_finish(&sources[i]);
        }
        grz_device_close(device);
        assert_int_equal(counter.live, 0);
    }
    print_message("  %ld allocations failed\n", failures);
    assert_true(failures > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surfaces_with_t_junctions_meet_in_the_same_closed_curves),
        cmocka_unit_test(corners_moved_to_one_position_may_come_in_any_order),
        cmocka_unit_test(a_raised_flag_ends_joining_soon),
        cmocka_unit_test(each_allocation_of_joining_may_fail),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    test_queries_finish();
    return failed;
}
