// SPDX-License-Identifier: MIT
// Self-collision of random meshes against a second implementation of the definition, the twin: it tries every pair of
// triangles, takes the intersection from the GMP oracle, and computes hulls of shared corners in rationals. The meshes:
// crumpled sheets on a small raster, with many folds, coincidences and degenerate faces; soups; spheres; polygons;
// positions that changed since creation. By each method, with one thread and with two.
// ctest: concurrent methods_and_threads_agree_on_larger_meshes
// ctest: timeout 600
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mesh/mesh.h"
#include "oracle.h"
#include "support_queries.h"
#include "support_sanitizer.h"

// A twin's working storage.
typedef struct twin {
    oracle *oracle;
    mpq_t point[3], s[3], t[3], product, other;
    uint64_t pairs_tried, collisions, shared[4]; // [n]: collisions with n shared corners
} twin;

static void twin_init(twin *w)
{
    memset(w, 0, sizeof *w);
    w->oracle = oracle_create();
    assert_non_null(w->oracle);
    for (int i = 0; i < 3; i++)
        mpq_inits(w->point[i], w->s[i], w->t[i], NULL);
    mpq_inits(w->product, w->other, NULL);
}

static void twin_finish(twin *w)
{
    oracle_destroy(w->oracle);
    for (int i = 0; i < 3; i++)
        mpq_clears(w->point[i], w->s[i], w->t[i], NULL);
    mpq_clears(w->product, w->other, NULL);
}

static bool same_place(const double *p, const double *q)
{
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

// What the twin uses: the vertices at creation, and their positions now.
typedef struct twin_mesh {
    const double *before, *now;
    const uint32_t *triangles, *faces; // of triangles
    uint32_t count;
    bool index_only;
} twin_mesh;

static bool twin_same_corner(const twin_mesh *mesh, uint32_t v, uint32_t w)
{
    return v == w || (!mesh->index_only && same_place(mesh->before + 3 * v, mesh->before + 3 * w) &&
                      same_place(mesh->now + 3 * v, mesh->now + 3 * w));
}

// How many corners two triangles share, each corner in one match only; and the positions of these corners.
static int twin_shared(const twin_mesh *mesh, uint32_t a, uint32_t b, const double *places[3])
{
    bool taken[3] = {false, false, false};
    int count = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const uint32_t v = mesh->triangles[3 * a + (uint32_t)i], w = mesh->triangles[3 * b + (uint32_t)j];
            if (!taken[j] && twin_same_corner(mesh, v, w)) {
                taken[j] = true;
                places[count++] = mesh->now + 3 * v;
                break;
            }
        }
    }
    return count;
}

// Whether w->point lies on the segment s-t, in rationals: the cross product vanishes and each coordinate lies between.
static bool twin_on_segment(twin *w, const double *s, const double *t)
{
    for (int i = 0; i < 3; i++) {
        mpq_set_d(w->s[i], s[i]);
        mpq_set_d(w->t[i], t[i]);
        if (mpq_cmp(w->point[i], s[i] < t[i] ? w->s[i] : w->t[i]) < 0 ||
            mpq_cmp(w->point[i], s[i] < t[i] ? w->t[i] : w->s[i]) > 0)
            return false;
        mpq_sub(w->point[i], w->point[i], w->s[i]);
        mpq_sub(w->t[i], w->t[i], w->s[i]);
    }
    for (int i = 0; i < 3; i++) {
        mpq_mul(w->product, w->point[i], w->t[(i + 1) % 3]);
        mpq_mul(w->other, w->point[(i + 1) % 3], w->t[i]);
        if (!mpq_equal(w->product, w->other))
            return false;
    }
    return true;
}

static bool twin_collides(twin *w, const twin_mesh *mesh, uint32_t a, uint32_t b, grz_kind *kind)
{
    double corners[2][3][3];
    const double *places[3] = {NULL, NULL, NULL};
    for (int i = 0; i < 3; i++) {
        memcpy(corners[0][i], mesh->now + 3 * mesh->triangles[3 * a + (uint32_t)i], sizeof corners[0][i]);
        memcpy(corners[1][i], mesh->now + 3 * mesh->triangles[3 * b + (uint32_t)i], sizeof corners[1][i]);
    }
    for (int axis = 0; axis < 3; axis++) {
        double low[2], high[2];
        for (int k = 0; k < 2; k++) {
            low[k] = high[k] = corners[k][0][axis];
            for (int i = 1; i < 3; i++) {
                low[k] = corners[k][i][axis] < low[k] ? corners[k][i][axis] : low[k];
                high[k] = corners[k][i][axis] > high[k] ? corners[k][i][axis] : high[k];
            }
        }
        if (high[0] < low[1] || high[1] < low[0])
            return false;
    }
    oracle_answer answer;
    oracle_intersect(w->oracle, (const double(*)[3])corners[0], (const double(*)[3])corners[1], &answer);
    const int shared = twin_shared(mesh, a, b, places);
    bool collides = answer.points > 0 && (shared == 0 || shared == 3);
    for (uint32_t i = 0; i < answer.points && !collides; i++) {
        oracle_point(w->oracle, i, w->point);
        collides = !twin_on_segment(w, places[0], places[shared - 1]);
    }
    *kind = answer.kind;
    w->pairs_tried++;
    w->collisions += collides;
    w->shared[shared] += collides;
    return collides;
}

static int compare_pairs(const void *left, const void *right)
{
    const grz_pair *p = left, *q = right;
    if (p->face_a != q->face_a)
        return p->face_a < q->face_a ? -1 : 1;
    if (p->face_b != q->face_b)
        return p->face_b < q->face_b ? -1 : 1;
    return (p->kind < q->kind) - (p->kind > q->kind); // the strongest first
}

// All pairs of faces by the definition. Free the list.
static grz_pair *twin_pairs(twin *w, const twin_mesh *mesh, uint64_t *count)
{
    size_t room = 64, found = 0, kept = 0;
    grz_pair *pairs = malloc(room * sizeof *pairs);
    assert_non_null(pairs);
    for (uint32_t a = 0; a < mesh->count; a++) {
        for (uint32_t b = a + 1; b < mesh->count; b++) {
            grz_kind kind;
            if (mesh->faces[a] == mesh->faces[b] || !twin_collides(w, mesh, a, b, &kind))
                continue;
            if (found == room) {
                room *= 2;
                grz_pair *more = realloc(pairs, room * sizeof *pairs);
                assert_non_null(more);
                pairs = more;
            }
            pairs[found++] = (grz_pair){mesh->faces[a], mesh->faces[b], kind};
        }
    }
    qsort(pairs, found, sizeof *pairs, compare_pairs);
    for (size_t i = 0; i < found; i++)
        if (kept == 0 || pairs[kept - 1].face_a != pairs[i].face_a || pairs[kept - 1].face_b != pairs[i].face_b)
            pairs[kept++] = pairs[i];
    *count = kept;
    return pairs;
}

// Ask about a mesh and compare with the twin. The library's triangulation of polygons is taken as it is: test_polygon.c
// tests that.
static void compare_with_twin(twin *w, const char *what, const test_mesh *mesh, const double *moved, uint32_t flags)
{
    grz_device *device = test_device_open(1);
    grz_mesh *uploaded = test_mesh_upload(device, mesh);
    uint32_t *faces = malloc((size_t)uploaded->triangle_count * sizeof *faces);
    assert_non_null(faces);
    for (uint32_t i = 0; i < uploaded->triangle_count; i++)
        faces[i] = grz_mesh_triangle_face(uploaded, i);
    const twin_mesh known = {.before = mesh->positions,
                             .now = moved != NULL ? moved : mesh->positions,
                             .triangles = uploaded->triangles,
                             .faces = faces,
                             .count = uploaded->triangle_count,
                             .index_only = flags == GRZ_MESH_INDEX_ONLY};
    uint64_t count;
    grz_pair *expected = twin_pairs(w, &known, &count);
    test_query query = test_query_of_self(mesh, GRZ_FIND_PAIRS);
    query.moved_a = moved;
    query.flags = flags;
    test_expect_query(what, &query, expected, count);
    free(expected);
    free(faces);
    grz_mesh_destroy(uploaded);
    grz_device_close(device);
}

// One random mesh in each of five ways, against the twin.
static void try_random(twin *w, uint32_t seed)
{
    char what[64];
    random_stream random = {.state = UINT64_C(0x5e1f) << 32 | seed};
    const uint32_t flags = seed % 5 == 0 ? (uint32_t)GRZ_MESH_INDEX_ONLY : 0;
    test_mesh mesh = {0};
    snprintf(what, sizeof what, "random mesh, seed %u", seed);
    switch (seed % 6) {
    case 0:
        mesh = test_mesh_random_triangles(&random, 40, 0.8, 0);
        break;
    case 1:
        mesh = test_mesh_random_triangles(&random, 24, 0, 2);
        break;
    case 2:
        mesh = test_mesh_grid(5, 4, 1);
        test_mesh_crumple(&mesh, &random, 1, 0);
        break;
    case 3:
        mesh = test_mesh_grid_quads(5, 4, 1);
        test_mesh_crumple(&mesh, &random, 1 + seed % 2, 0);
        break;
    case 4:
        mesh = test_mesh_grid(8, 8, 0.25);
        test_mesh_crumple(&mesh, &random, 0, 0.2 + 0.05 * (seed % 7));
        break;
    default:
        mesh = test_mesh_icosphere(2, 1);
        test_mesh_crumple(&mesh, &random, seed % 2, 0.7);
    }
    if (seed % 4 == 1) {
        test_mesh soup = test_mesh_soup(&mesh);
        test_mesh_finish(&mesh);
        mesh = soup;
    }
    test_mesh_shuffle(&mesh, &random, NULL);
    if (seed % 11 == 0)
        test_mesh_scale(&mesh, 0x1p-1072, 0x1p-1072, 0x1p-1072);
    compare_with_twin(w, what, &mesh, NULL, flags);
    // Move some of the vertices, so that corners that are the same one get different positions.
    test_mesh moved = test_mesh_copy(&mesh);
    for (uint64_t v = 0; v < moved.vertex_count; v++)
        if (random_below(&random, 3) == 0)
            moved.positions[3 * v + random_below(&random, 3)] += random_below(&random, 2) == 0 ? 1.0 : -0.5;
    snprintf(what, sizeof what, "random mesh, seed %u, moved", seed);
    compare_with_twin(w, what, &mesh, moved.positions, flags);
    test_mesh_finish(&moved);
    test_mesh_finish(&mesh);
}

static void random_meshes_collide_as_the_definition_says(void **state)
{
    (void)state;
    twin w;
    twin_init(&w);
    const char *setting = getenv("GRZ_SELF_MESHES");
    const uint32_t meshes = setting != NULL ? (uint32_t)strtoul(setting, NULL, 10) : TEST_SANITIZED ? 66 : 220;
    for (uint32_t seed = 0; seed < meshes; seed++)
        try_random(&w, seed);
    print_message(
        "  %llu pairs of triangles tried, %llu collide; with 0, 1, 2, 3 shared corners: %llu, %llu, %llu, %llu\n",
        (unsigned long long)w.pairs_tried, (unsigned long long)w.collisions, (unsigned long long)w.shared[0],
        (unsigned long long)w.shared[1], (unsigned long long)w.shared[2], (unsigned long long)w.shared[3]);
    for (int i = 0; i < 4; i++)
        assert_true(w.shared[i] > 0);
    twin_finish(&w);
}

static void methods_and_threads_agree_on_larger_meshes(void **state)
{
    (void)state;
    uint64_t total = 0;
    for (uint32_t seed = 0; seed < (TEST_SANITIZED ? 4 : 12); seed++) {
        char what[64];
        random_stream random = {.state = UINT64_C(0xb16) << 32 | seed};
        test_mesh mesh = seed % 2 == 0 ? test_mesh_grid(24, 24, 1) : test_mesh_random_triangles(&random, 700, 0.3, 0);
        if (seed % 2 == 0)
            test_mesh_crumple(&mesh, &random, seed % 4, 1.5);
        snprintf(what, sizeof what, "larger mesh, seed %u", seed);
        const test_query query = test_query_of_self(&mesh, GRZ_FIND_CURVES);
        test_answer answer = test_ask(what, &query);
        total += answer.pair_count;
        test_answer_finish(&answer);
        test_mesh_finish(&mesh);
    }
    print_message("  %llu pairs\n", (unsigned long long)total);
    assert_true(total > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_meshes_collide_as_the_definition_says),
        cmocka_unit_test(methods_and_threads_agree_on_larger_meshes),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    test_queries_finish();
    return failed;
}
