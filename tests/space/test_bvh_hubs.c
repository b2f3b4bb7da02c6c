// SPDX-License-Identifier: MIT
// Hubs. Whatever triangles around crowded vertices and edges do, each pair that collides by the exact predicates is
// proposed, and none twice: fans of several pieces, books, faces wound the other way, without area, given twice, at any
// scale. The candidates of hourglasses and books grow with their triangles, not with the square. Answers are the same
// for yes or no, on any number of threads, and without memory for hubs.
// ctest: concurrent answers_are_those_of_naive
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/control.h"
#include "decide/self_pair.h"
#include "filter/bvh/bvh_filter.h"
#include "space/bvh/hub_boxes.h"
#include "space/bvh/hubs.h"
#include "support_allocator.h"
#include "support_control.h"
#include "support_meshes.h"
#include "support_sanitizer.h"

enum {
    MOST_TRIANGLES = 256,
    ROUNDS = TEST_SANITIZED ? 100 : 1500
};

static const double full_turn = 6.283185307179586;

// A sink that counts how often each pair of a small mesh is proposed; of a large mesh (`proposed` is NULL) it only
// counts the candidates. It also counts how often the walk looks whether it shall go on: once in 64 openings.
typedef struct pair_sink {
    grz_sink sink;
    const grz_mesh *mesh;
    unsigned char *proposed; // MOST_TRIANGLES²
    uint64_t candidates, looks;
} pair_sink;

static bool take_pairs(grz_sink *sink, const grz_candidate *candidates, size_t count)
{
    pair_sink *pairs = (pair_sink *)sink;
    pairs->candidates += count;
    for (size_t i = 0; i < count; i++) {
        const uint32_t a = candidates[i].triangle_a, b = candidates[i].triangle_b;
        assert_true(a < b && b < pairs->mesh->triangle_count);
        if (pairs->proposed != NULL)
            pairs->proposed[a * MOST_TRIANGLES + b]++;
    }
    return true;
}

static bool never_stopped(grz_sink *sink, uint32_t job)
{
    (void)job;
    ((pair_sink *)sink)->looks++;
    return false;
}

static void propose(grz_device *device, const grz_mesh *mesh, pair_sink *pairs)
{
    const grz_object object = grz_object_at_origin((grz_mesh *)mesh);
    const grz_job job = {.a = 0, .b = GRZ_SELF, .clip = mesh->bounds};
    const grz_job_set set = {.objects = &object, .object_count = 1, .jobs = &job, .job_count = 1};
    grz_control control;
    grz_control_init(&control, test_allocator_of(mesh), NULL);
    pairs->mesh = mesh;
    pairs->sink = (grz_sink){.push = take_pairs, .stopped = never_stopped, .control = &control};
    assert_int_equal(grz_filter_bvh.propose(device, &set, &pairs->sink, NULL), GRZ_OK);
}

static const grz_hubs *hubs_of(const grz_mesh *mesh)
{
    const grz_bvh *bvh;
    assert_int_equal(test_mesh_bvh(mesh, &bvh), GRZ_OK);
    return bvh->fan_hubs;
}

// Counts over all rounds of a test.
typedef struct tally {
    uint64_t hubs, books, hits, candidates, pairs;
} tally;

// Expect that each pair that collides is proposed once, and no other one twice.
static void expect_all(grz_device *device, const grz_mesh *mesh, const char *what, int round, tally *sum)
{
    static unsigned char proposed[MOST_TRIANGLES * MOST_TRIANGLES];
    pair_sink pairs = {.proposed = proposed};
    assert_true(mesh->triangle_count <= MOST_TRIANGLES);
    memset(proposed, 0, sizeof proposed);
    propose(device, mesh, &pairs);
    for (uint32_t a = 0; a < mesh->triangle_count; a++)
        for (uint32_t b = a + 1; b < mesh->triangle_count; b++) {
            grz_intersection meets;
            const int times = proposed[a * MOST_TRIANGLES + b];
            const bool collides = grz_self_pair_collides(mesh, a, b, &meets);
            if (times > 1 || (collides && times == 0))
                fail_msg("%s %d: triangles %u and %u %s and are proposed %d times", what, round, a, b,
                         collides ? "collide" : "do not collide", times);
            sum->hits += collides;
        }
    const grz_hubs *hubs = hubs_of(mesh);
    for (size_t i = 0; hubs != NULL && i < hubs->bundles.count; i++) {
        const bool book = i > 0 && hubs->bundles.items[i].name == hubs->bundles.items[i - 1].name;
        sum->hubs += !book;
        sum->books += book;
    }
    sum->candidates += pairs.candidates;
    sum->pairs += (uint64_t)mesh->triangle_count * (mesh->triangle_count - 1) / 2;
}

// The same for a mesh that is not made yet, and which is freed.
static void expect_all_of(grz_device *device, test_mesh *mesh, const char *what, int round, tally *sum)
{
    grz_mesh *made = test_mesh_upload(device, mesh);
    expect_all(device, made, what, round, sum);
    grz_mesh_destroy(made);
    test_mesh_finish(mesh);
}

static void print_tally(const tally *sum)
{
    print_message("  %llu hubs, %llu books, %llu collide, %llu candidates of %llu pairs\n",
                  (unsigned long long)sum->hubs, (unsigned long long)sum->books, (unsigned long long)sum->hits,
                  (unsigned long long)sum->candidates, (unsigned long long)sum->pairs);
}

static double between(random_stream *random, double low, double high)
{
    return low + (high - low) * (random_below(random, 1u << 20) / (double)(1u << 20));
}

// A cone from vertex `tip`, round a random direction, part of the way or all of it.
static void add_cone(test_mesh *mesh, random_stream *random, uint32_t tip, uint32_t count)
{
    const double *at = mesh->positions + 3 * (size_t)tip, steep = between(random, 0.0, 1.5),
                 start = between(random, 0, 6);
    const double way = random_below(random, 2) == 0 ? full_turn : between(random, 1.0, 6.0);
    const bool closed = way == full_turn;
    const size_t axis = random_below(random, 3);
    const double sign = random_below(random, 2) == 0 ? 1.0 : -1.0;
    const uint32_t first = (uint32_t)mesh->vertex_count;
    for (uint32_t i = 0; i < count; i++) {
        const double angle = start + way * i / (closed ? count : count - 1), size = between(random, 0.8, 1.2);
        double p[3];
        p[axis] = at[axis] + sign * size * cos(steep);
        p[(axis + 1) % 3] = at[(axis + 1) % 3] + size * sin(steep) * cos(angle);
        p[(axis + 2) % 3] = at[(axis + 2) % 3] + size * sin(steep) * sin(angle);
        test_mesh_add_vertex(mesh, p[0], p[1], p[2]);
        at = mesh->positions + 3 * (size_t)tip; // the array may have moved
    }
    for (uint32_t i = 0; i + !closed < count; i++)
        test_mesh_add_triangle(mesh, tip, first + i, first + (i + 1) % count);
}

// Wind faces the other way, let corners coincide, give faces twice, put a corner somewhere else.
static void spoil(test_mesh *mesh, random_stream *random, uint32_t times)
{
    for (uint32_t i = 0; i < times; i++) {
        uint32_t *face = mesh->indices + 3 * (size_t)random_below(random, (uint32_t)mesh->face_count);
        const uint32_t at = random_below(random, 3), next = (at + 1) % 3, kept = face[at];
        switch (random_below(random, 5)) {
        case 0:
            face[at] = face[next];
            face[next] = kept;
            break;
        case 1:
            face[at] = face[next];
            break;
        case 2:
            test_mesh_add_triangle(mesh, kept, face[next], face[(at + 2) % 3]);
            break;
        case 3:
            face[at] = random_below(random, (uint32_t)mesh->vertex_count);
            break;
        default:
            mesh->positions[3 * (size_t)kept + at] += 0.2 * random_signed(random);
        }
    }
}

// From all scales: evenly, flat, or squeezed to a needle that lies askew.
static void squeeze(test_mesh *mesh, random_stream *random)
{
    const double scale = ldexp(1.0, (int)random_below(random, 560) - 280);
    if (random_below(random, 3) == 0)
        test_mesh_scale(mesh, 1.0, ldexp(1.0, -(int)random_below(random, 40)), 1.0);
    if (random_below(random, 4) == 0) // all along one line, nearly
        for (size_t v = 0; v < mesh->vertex_count; v++) {
            double *p = mesh->positions + 3 * v;
            const double thin = 0x1p-20;
            p[1] = p[0] + thin * p[1];
            p[2] = p[0] - thin * p[2];
        }
    if (random_below(random, 2) == 0)
        test_mesh_scale(mesh, scale, scale, scale);
    else if (random_below(random, 8) == 0) // subnormal numbers
        test_mesh_scale(mesh, 0x1p-1060, 0x1p-1060, 0x1p-1060);
}

static void several_cones_with_one_tip(void **state)
{
    (void)state;
    random_stream random = {.state = 3};
    grz_device *device = test_device_open(1);
    tally sum = {0};
    for (int round = 0; round < ROUNDS; round++) {
        test_mesh mesh = {0};
        const uint32_t tip = test_mesh_add_vertex(&mesh, 0.0, 0.0, 0.0);
        const uint32_t cones = 2 + random_below(&random, 3);
        for (uint32_t i = 0; i < cones; i++)
            add_cone(&mesh, &random, tip, 20 + random_below(&random, 20));
        if (random_below(&random, 4) == 0) // a second tip
            add_cone(&mesh, &random, 1 + random_below(&random, 10), 40);
        spoil(&mesh, &random, random_below(&random, 3) * random_below(&random, 12));
        squeeze(&mesh, &random);
        expect_all_of(device, &mesh, "cones", round, &sum);
    }
    print_tally(&sum);
    assert_true(sum.hubs > ROUNDS && sum.hits > 10 * ROUNDS && sum.candidates < sum.pairs / 4);
    grz_device_close(device);
}

// Books whose pages lie all around, some in one direction, some in the edge's line, some nearly; also triangles that
// have only one vertex of the edge.
static void pages_of_books(void **state)
{
    (void)state;
    random_stream random = {.state = 5};
    grz_device *device = test_device_open(1);
    tally sum = {0};
    for (int round = 0; round < ROUNDS; round++) {
        test_mesh mesh = {0};
        double edge[3], side[3];
        for (int axis = 0; axis < 3; axis++)
            edge[axis] = random_below(&random, 3) == 0 ? 0.0 : random_signed(&random);
        const uint32_t v = test_mesh_add_vertex(&mesh, 0.0, 0.0, 0.0),
                       w = test_mesh_add_vertex(&mesh, edge[0], edge[1], edge[2]);
        const uint32_t count = 34 + random_below(&random, 40), directions = 1 + random_below(&random, 60);
        for (uint32_t i = 0; i < count; i++) {
            const double angle = full_turn * random_below(&random, directions) / directions,
                         along = random_below(&random, 3) == 0 ? 0.5 : 2.0 * random_signed(&random),
                         size = random_below(&random, 8) == 0 ? ldexp(1.0, -(int)random_below(&random, 70))
                                                              : 0.5 * (1.0 + random_below(&random, 4));
            side[0] = size * cos(angle);
            side[1] = size * sin(angle);
            side[2] = random_below(&random, 2) == 0 ? 0.0 : 0.3 * random_signed(&random);
            const bool flat = random_below(&random, 12) == 0;
            for (int axis = 0; axis < 3; axis++)
                side[axis] = along * edge[axis] + (flat ? 0.0 : side[axis]);
            const uint32_t x = test_mesh_add_vertex(&mesh, side[0], side[1], side[2]);
            test_mesh_add_triangle(&mesh, v, w, random_below(&random, 30) == 0 ? v : x);
            if (random_below(&random, 6) == 0)
                test_mesh_add_triangle(&mesh, random_below(&random, 2) == 0 ? v : w, x,
                                       2 + random_below(&random, x - 1));
        }
        spoil(&mesh, &random, random_below(&random, 2) * random_below(&random, 12));
        squeeze(&mesh, &random);
        expect_all_of(device, &mesh, "pages", round, &sum);
    }
    print_tally(&sum);
    assert_true(sum.books > ROUNDS / 2 && sum.hits > 50 * ROUNDS);
    grz_device_close(device);
}

// Pages on an edge of two parts that is not quite straight. Each page is three triangles.
static test_mesh make_divided_book(uint32_t count)
{
    test_mesh mesh = {0};
    test_mesh_add_vertex(&mesh, 0.0, 0.0, 0.0);
    test_mesh_add_vertex(&mesh, 0.001, 0.002, 1.0);
    test_mesh_add_vertex(&mesh, -0.001, 0.001, 2.0);
    for (uint32_t i = 0; i < count; i++) {
        const double x = cos(full_turn * i / count), y = sin(full_turn * i / count);
        const uint32_t low = test_mesh_add_vertex(&mesh, x, y, 0.7), high = test_mesh_add_vertex(&mesh, x, y, 1.2);
        test_mesh_add_triangle(&mesh, 0, 1, low);
        test_mesh_add_triangle(&mesh, 1, 2, high);
        test_mesh_add_triangle(&mesh, 1, high, low);
    }
    return mesh;
}

// Divided books of few pages, some of which are bent through others; some places along the edge coincide.
static void divided_books(void **state)
{
    (void)state;
    random_stream random = {.state = 9};
    grz_device *device = test_device_open(1);
    tally sum = {0};
    for (int round = 0; round < ROUNDS; round++) {
        test_mesh mesh = make_divided_book(14 + random_below(&random, 20));
        for (uint32_t i = random_below(&random, 40); i > 0; i--) // about the first edge's line, near it or on it
            mesh.positions[random_below(&random, (uint32_t)(3 * mesh.vertex_count))] +=
                ldexp(random_signed(&random), -(int)random_below(&random, 30));
        if (random_below(&random, 2) == 0)
            for (size_t v = 3; v < mesh.vertex_count; v++)
                for (int axis = 0; axis < 2; axis++)
                    mesh.positions[3 * v + (size_t)axis] = rint(2.0 * mesh.positions[3 * v + (size_t)axis]);
        spoil(&mesh, &random, random_below(&random, 10));
        squeeze(&mesh, &random);
        expect_all_of(device, &mesh, "divided", round, &sum);
    }
    print_tally(&sum);
    assert_true(sum.books > ROUNDS / 2 && sum.hits > 10 * ROUNDS);
    grz_device_close(device);
}

// A few vertices that all triangles choose from, on a small grid: several hubs that share books, triangles without area
// or given twice, corners that coincide, together from the start or only later.
static void triangles_among_few_places(void **state)
{
    (void)state;
    random_stream random = {.state = 7};
    grz_device *device = test_device_open(1);
    tally sum = {0};
    for (int round = 0; round < ROUNDS; round++) {
        test_mesh mesh = {0};
        const uint32_t places = 4 + random_below(&random, 40), centres = 1 + random_below(&random, 4),
                       count = 40 + random_below(&random, 100), grid = 2 + random_below(&random, 5);
        const bool later = random_below(&random, 2) == 0;
        for (uint32_t i = 0; i < places; i++)
            test_mesh_add_vertex(&mesh, random_below(&random, grid), random_below(&random, grid),
                                 random_below(&random, grid));
        for (uint32_t i = 0; i < count; i++)
            test_mesh_add_triangle(&mesh, random_below(&random, centres), random_below(&random, places),
                                   random_below(&random, places));
        test_mesh start = test_mesh_copy(&mesh);
        for (size_t i = 0; later && i < 3 * start.vertex_count; i++)
            start.positions[i] = random_below(&random, grid);
        grz_mesh *made =
            test_mesh_upload_flags(device, &start, random_below(&random, 3) == 0 ? GRZ_MESH_INDEX_ONLY : 0);
        if (later)
            assert_int_equal(grz_mesh_set_positions(made, mesh.positions, NULL), GRZ_OK);
        expect_all(device, made, "few places", round, &sum);
        grz_mesh_destroy(made);
        test_mesh_finish(&start);
        test_mesh_finish(&mesh);
    }
    print_tally(&sum);
    assert_true(sum.hubs > ROUNDS && sum.books > 3 * ROUNDS && sum.hits > 500 * ROUNDS);
    grz_device_close(device);
}

static bool box_holds(const grz_box *box, const double p[3], double slack)
{
    for (int axis = 0; axis < 3; axis++)
        if (p[axis] < box->min[axis] - slack || p[axis] > box->max[axis] + slack)
            return false;
    return true;
}

// The box of an arc holds the directions to all of the triangle's points, and is not much larger.
static void boxes_of_arcs_hold_their_directions(void **state)
{
    (void)state;
    random_stream random = {.state = 11};
    for (int round = 0; round < 20000; round++) {
        const double wide = ldexp(1.0, -(int)random_below(&random, 30)), corner[3] = {0.0, 0.0, 0.0};
        double p[3], q[3], least[3] = {2.0, 2.0, 2.0}, most[3] = {-2.0, -2.0, -2.0};
        for (int axis = 0; axis < 3; axis++) {
            p[axis] = random_signed(&random);
            q[axis] = p[axis] + wide * random_signed(&random);
        }
        const grz_box box = grz_hub_arc_box(corner, p, q);
        for (int step = 0; step <= 64; step++) {
            double d[3], square = 0.0;
            for (int axis = 0; axis < 3; axis++) {
                d[axis] = p[axis] + step / 64.0 * (q[axis] - p[axis]);
                square += d[axis] * d[axis];
            }
            for (int axis = 0; axis < 3; axis++) {
                d[axis] /= sqrt(square);
                least[axis] = fmin(least[axis], d[axis]);
                most[axis] = fmax(most[axis], d[axis]);
            }
            if (!box_holds(&box, d, 0.0))
                fail_msg("round %d: a direction is out of its arc's box", round);
        }
        for (int axis = 0; axis < 3 && box.max[axis] < 2.0; axis++)
            assert_true(box.max[axis] - box.min[axis] <= 2.5 * (most[axis] - least[axis]) + 0.6 * wide + 1e-12);
    }
}

// Two cones with one tip; a book; a cone with a flaw; a divided book.
static test_mesh make_crowd(int kind, uint32_t count)
{
    test_mesh mesh = {0};
    if (kind == 3)
        return make_divided_book(count / 4);
    const uint32_t v = test_mesh_add_vertex(&mesh, 0.0, 0.0, 0.0);
    const uint32_t w = kind == 1 ? test_mesh_add_vertex(&mesh, 0.1, 0.2, 1.0) : v;
    for (int side = -1; side <= 1; side += 2) {
        const uint32_t first = (uint32_t)mesh.vertex_count;
        for (uint32_t i = 0; i < count; i++)
            test_mesh_add_vertex(&mesh, cos(full_turn * i / count), sin(full_turn * i / count), kind == 1 ? 0.5 : side);
        for (uint32_t i = 0; i < count; i++)
            test_mesh_add_triangle(&mesh, v, kind == 1 ? w : first + (i + 1) % count, first + i);
        if (kind != 0)
            break;
    }
    if (kind == 2) { // beside its neighbour
        mesh.positions[3 * 7] = mesh.positions[3 * 9];
        mesh.positions[3 * 7 + 1] = mesh.positions[3 * 9 + 1];
        mesh.positions[3 * 7 + 2] = 1.1 * mesh.positions[3 * 9 + 2];
    }
    return mesh;
}

// Twice as many triangles do not cost four times as much.
static void crowds_cost_no_more_than_their_triangles(void **state)
{
    (void)state;
    static const char *const name[] = {"hourglass", "book", "flaw", "divided book"};
    grz_device *device = test_device_open(1);
    for (int kind = 0; kind < 4; kind++)
        for (uint32_t count = 2000; count <= 16000; count *= 2) {
            test_mesh shape = make_crowd(kind, count);
            grz_mesh *mesh = test_mesh_upload(device, &shape);
            pair_sink pairs = {.proposed = NULL};
            propose(device, mesh, &pairs);
            const uint64_t opened = 64 * pairs.looks;
            print_message("  %s of %u: %llu candidates, %llu openings\n", name[kind], mesh->triangle_count,
                          (unsigned long long)pairs.candidates, (unsigned long long)opened);
            assert_non_null(hubs_of(mesh));
            assert_true(pairs.candidates <= (kind == 3 ? mesh->triangle_count : 16) &&
                        opened < 1000 + 2 * (uint64_t)mesh->triangle_count);
            grz_mesh_destroy(mesh);
            test_mesh_finish(&shape);
        }
    grz_device_close(device);
}

// The pairs of a mesh with itself; the caller frees them.
static grz_pair *ask(grz_device *device, grz_mesh *mesh, const char *method, const grz_collide_options *given,
                     uint32_t find, uint64_t *count, bool *colliding)
{
    grz_result *result = test_result_create(device);
    const grz_object object = grz_object_at_origin(mesh);
    grz_collide_options options = given != NULL ? *given : grz_default_collide_options();
    options.method = method;
    options.find = find;
    assert_int_equal(grz_collide_self(device, &object, &options, result, NULL), GRZ_OK);
    const grz_pair *pairs = grz_result_pairs(result, count);
    grz_pair *kept = calloc((size_t)*count + 1, sizeof *kept);
    assert_non_null(kept);
    if (*count > 0)
        memcpy(kept, pairs, (size_t)*count * sizeof *kept);
    *colliding = grz_result_summary(result)->colliding;
    grz_result_destroy(result);
    return kept;
}

// An hourglass of crossing cones: yes or no, and lists on several threads, are what `naive` says.
static void answers_are_those_of_naive(void **state)
{
    (void)state;
    random_stream random = {.state = 13};
    for (unsigned threads = 1; threads <= 4; threads += 3)
        for (int round = 0; round < (TEST_SANITIZED ? 2 : 12); round++) {
            grz_device *device = test_device_open(threads);
            test_mesh shape = {0};
            const uint32_t tip = test_mesh_add_vertex(&shape, 0.0, 0.0, 0.0);
            for (int i = 0; i < 3; i++)
                add_cone(&shape, &random, tip, TEST_SANITIZED ? 200 : 700);
            spoil(&shape, &random, (uint32_t)round);
            grz_mesh *mesh = test_mesh_upload(device, &shape);
            uint64_t count, expected_count;
            bool colliding, listed, expected;
            free(ask(device, mesh, "bvh", NULL, 0, &count, &colliding));
            grz_pair *pairs = ask(device, mesh, "bvh", NULL, GRZ_FIND_PAIRS, &count, &listed);
            assert_non_null(hubs_of(mesh));
            grz_pair *expected_pairs = ask(device, mesh, "naive", NULL, GRZ_FIND_PAIRS, &expected_count, &expected);
            assert_true(colliding == expected && listed == expected && count == expected_count);
            assert_memory_equal(pairs, expected_pairs, (size_t)count * sizeof *pairs);
            free(ask(device, mesh, "bvh", NULL, 0, &count, &colliding)); // with the hubs there already
            assert_int_equal(colliding, expected);
            free(pairs);
            free(expected_pairs);
            grz_mesh_destroy(mesh);
            test_mesh_finish(&shape);
            grz_device_close(device);
        }
}

// If any allocation of a query fails, the query fails or goes on without hubs; the next one has them.
static void queries_work_without_memory_for_hubs(void **state)
{
    (void)state;
    test_mesh shape = make_crowd(0, 100);
    test_mesh book = make_crowd(1, 60);
    test_mesh_move(&book, 5.0, 0.0, 0.0);
    test_mesh_append(&shape, &book);
    for (uint32_t i = 0; i < 3; i++) // three faces given twice
        test_mesh_add_triangle(&shape, 0, 11 + i, 10 + i);
    int without = 0, failed = 0;
    for (long at = 1;; at++) {
        test_strict_allocator strict = {.lock = PTHREAD_MUTEX_INITIALIZER};
        grz_device_options options = grz_default_device_options();
        const grz_allocator allocator = test_strict_allocator_of(&strict);
        grz_device *device;
        options.allocator = allocator;
        options.threads = 1;
        assert_int_equal(grz_device_open(&options, &device, NULL), GRZ_OK);
        grz_mesh *mesh = test_mesh_upload(device, &shape);
        grz_result *result = test_result_create(device);
        assert_int_equal(grz_mesh_prepare(mesh, "bvh", NULL), GRZ_OK);
        const grz_object object = grz_object_at_origin(mesh);
        grz_collide_options collide_options = grz_default_collide_options();
        collide_options.method = "bvh";
        collide_options.find = GRZ_FIND_PAIRS;
        strict.fail_at = strict.calls + at;
        const grz_status status = grz_collide_self(device, &object, &collide_options, result, NULL);
        assert_true(status == GRZ_OK || (strict.failed && status == GRZ_ERROR_MEMORY));
        if (status == GRZ_OK)
            assert_int_equal(grz_result_summary(result)->pair_count, 3);
        without += status == GRZ_OK && strict.failed && hubs_of(mesh) == NULL;
        failed += status != GRZ_OK;
        const bool reached = strict.failed;
        strict.fail_at = 0;
        assert_int_equal(grz_mesh_set_positions(mesh, shape.positions, NULL), GRZ_OK);
        assert_int_equal(grz_collide_self(device, &object, &collide_options, result, NULL), GRZ_OK);
        assert_non_null(hubs_of(mesh));
        assert_int_equal(grz_result_summary(result)->pair_count, 3);
        assert_true(grz_result_summary(result)->candidates < 30);
        grz_result_destroy(result);
        grz_mesh_destroy(mesh);
        grz_device_close(device);
        assert_true(strict.blocks == 0 && !strict.misused);
        if (!reached)
            break;
    }
    print_message("  %d queries without hubs, %d without an answer\n", without, failed);
    assert_true(without > 5);
    test_mesh_finish(&book);
    test_mesh_finish(&shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_cones_with_one_tip),
        cmocka_unit_test(pages_of_books),
        cmocka_unit_test(divided_books),
        cmocka_unit_test(triangles_among_few_places),
        cmocka_unit_test(boxes_of_arcs_hold_their_directions),
        cmocka_unit_test(crowds_cost_no_more_than_their_triangles),
        cmocka_unit_test(answers_are_those_of_naive),
        cmocka_unit_test(queries_work_without_memory_for_hubs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
