// SPDX-License-Identifier: MIT
// The topology that containment uses (mesh/topology.h): closed and balanced against a count by sorting, components
// against a union-find, on surfaces of many sorts, at creation and after new positions that weld, tear or collapse.
// Also building it in advance, and cancelling.
// ctest: timeout 900
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/control.h"
#include "oracle_inside.h"
#include "support_arrays.h"
#include "support_control.h"
#include "support_sanitizer.h"
#include "support_solids.h"

// ---- Components by another way --------------------------------------------------------------------------------------

static uint32_t root_of(const uint32_t *parents, uint32_t v)
{
    while (parents[v] != v)
        v = parents[v];
    return v;
}

// For each face the lowest face connected with it, by equal positions or by equal vertices only.
static uint32_t *components_of(const test_mesh *mesh, bool by_position)
{
    const uint32_t faces = (uint32_t)mesh->face_count;
    uint32_t *parents = allocate_zeroed(faces, sizeof *parents);
    for (uint32_t i = 0; i < faces; i++)
        parents[i] = i;
    for (uint32_t i = 0; i < faces; i++)
        for (uint32_t j = 0; j < i; j++)
            for (int k = 0; k < 9; k++) {
                const uint32_t v = mesh->indices[3 * i + (uint32_t)k / 3], w = mesh->indices[3 * j + (uint32_t)k % 3];
                const double *p = mesh->positions + 3 * (size_t)v, *q = mesh->positions + 3 * (size_t)w;
                if (!(by_position ? p[0] == q[0] && p[1] == q[1] && p[2] == q[2] : v == w))
                    continue;
                const uint32_t a = root_of(parents, i), b = root_of(parents, j);
                parents[a < b ? b : a] = a < b ? a : b;
            }
    for (uint32_t i = 0; i < faces; i++)
        parents[i] = root_of(parents, i);
    return parents;
}

// True if faces connected by `fine` are also connected by `coarse`.
static bool refines(const uint32_t *fine, const uint32_t *coarse, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < i; j++)
            if (fine[i] == fine[j] && coarse[i] != coarse[j])
                return false;
    return true;
}

// Returns true if anything was built. If the topology is kept, nothing is.
static bool expect_topology(const char *what, grz_mesh *mesh, const test_mesh *expected, bool fresh)
{
    const grz_topology *t;
    grz_control control;
    grz_error error;
    const uint32_t faces = (uint32_t)expected->face_count;
    const oracle_edges edges = oracle_edges_of(expected);
    grz_control_init(&control, mesh->allocator, NULL);
    if (grz_mesh_topology(mesh, &control, &t, &error) != GRZ_OK)
        fail_msg("%s: %s", what, error.message);
    const bool built = atomic_load(&control.memory) > 0; // what outlives the call
    if (t->closed != edges.closed || t->balanced != edges.balanced)
        fail_msg("%s: closed %d, balanced %d; counted %d, %d", what, t->closed, t->balanced, edges.closed,
                 edges.balanced);
    uint32_t *by_position = components_of(expected, true), *by_index = components_of(expected, false);
    // Each component must be connected. Faces connected by vertices are in one component; so are those connected by
    // equal positions, if these are the positions of creation.
    if (!refines(t->triangle_component, by_position, faces) ||
        !refines(fresh ? by_position : by_index, t->triangle_component, faces))
        fail_msg("%s: other components than counted", what);
    for (uint32_t i = 0; i < faces; i++) {
        assert_true(t->triangle_component[i] < t->component_count);
        const uint32_t vertex = t->component_vertex[t->triangle_component[i]];
        bool found = false;
        for (uint32_t k = 0; k < 3 * faces && !found; k++)
            found = expected->indices[k] == vertex && t->triangle_component[k / 3] == t->triangle_component[i];
        assert_true(found);
    }
    free(by_position);
    free(by_index);
    return built;
}

static test_mesh random_surface(uint32_t kind, random_stream *random)
{
    test_mesh mesh;
    switch (kind) {
    case 0:
        return test_mesh_rough_sphere(random, 1, 0.3, false);
    case 1:
        mesh = test_mesh_rough_sphere(random, 1, 0.3, false);
        test_mesh_add_degenerates(&mesh, random);
        return mesh;
    case 2:
        return test_mesh_klein_bottle(5, 6);
    case 3:
        mesh = test_mesh_shells(4, random_below(random, 16));
        return mesh;
    case 4:
        mesh = test_mesh_rough_sphere(random, 0, 0.3, false);
        test_mesh_reverse_some(&mesh, random);
        return mesh;
    case 5: {
        const solid_cells s = solid_random(random, 1);
        return solid_surface(&s, false);
    }
    case 6:
        mesh = test_mesh_rough_sphere(random, 1, 0.3, false);
        test_mesh_split_one_side(&mesh, random_below(random, 80), false);
        return mesh;
    default: // triangles of a few points, each edge on any number of them, either way round
        mesh = test_mesh_random_triangles(random, 6 + random_below(random, 60), 1.0, 1);
        return mesh;
    }
}

static void edges_and_components_are_those_counted(void **state)
{
    (void)state;
    enum {
        KINDS = 8
    };
    enum {
        STEPS = 4
    };
    uint64_t counts[3] = {0}, built[STEPS] = {0};
    for (uint32_t seed = 0; seed < 400; seed++) {
        random_stream random = {.state = UINT64_C(0x709) << 32 | seed};
        char what[64];
        test_mesh mesh = random_surface(seed % KINDS, &random);
        if (seed % 3 == 1) {
            test_mesh soup = test_mesh_soup(&mesh);
            test_mesh_finish(&mesh);
            mesh = soup;
        }
        grz_mesh *uploaded = test_mesh_upload_flags(test_device, &mesh, seed % 5 == 0 ? GRZ_MESH_INDEX_ONLY : 0);
        snprintf(what, sizeof what, "seed %u", seed);
        assert_true(expect_topology(what, uploaded, &mesh, true));
        const oracle_edges edges = oracle_edges_of(&mesh);
        counts[edges.balanced ? 2 : edges.closed ? 1 : 0]++;
        for (int step = 0; step < STEPS; step++) {
            for (uint64_t v = 0; v < mesh.vertex_count; v++) {
                double *p = mesh.positions + 3 * v;
                const uint64_t other = random_below(&random, (uint32_t)mesh.vertex_count);
                if (step == 0) // everything moves alike, exactly
                    p[1] *= -2.0;
                else if (step == 1 && random_below(&random, 10) ==
                                          0) // vertices move to one position, or are torn apart where several were
                    memcpy(p, mesh.positions + 3 * other, 3 * sizeof *p);
                else if (step == 3)
                    p[0] = p[1] = p[2] = -0.0 * (double)v;
            }
            // In the third step nothing moves.
            assert_int_equal(grz_mesh_set_positions(uploaded, mesh.positions, NULL), GRZ_OK);
            snprintf(what, sizeof what, "seed %u, step %d", seed, step);
            built[step] += expect_topology(what, uploaded, &mesh, false);
        }
        grz_mesh_destroy(uploaded);
        test_mesh_finish(&mesh);
    }
    print_message(
        "  %llu open, %llu closed, %llu balanced; of each built again %llu when all moved alike, %llu when some moved, "
        "%llu when none "
        "did, %llu when all fell together\n",
        (unsigned long long)counts[0], (unsigned long long)counts[1], (unsigned long long)counts[2],
        (unsigned long long)built[0], (unsigned long long)built[1], (unsigned long long)built[2],
        (unsigned long long)built[3]);
    assert_true(counts[0] > 50 && counts[1] > 50 && counts[2] > 50);
    assert_true(built[0] == 0 && built[1] > 100 && built[1] < 350 && built[2] == 0 && built[3] > 100 && built[3] < 350);
}

// The diagonals of a polygon's triangulation cancel out: faces and triangles have the same edges left over.
static void triangles_are_balanced_where_faces_are(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 200; seed++) {
        random_stream random = {.state = seed};
        test_mesh polygons = {0};
        if (seed % 2 == 0) {
            const solid_cells s = solid_random(&random, 3);
            polygons = solid_surface(&s, true);
        } else { // polygons of 3 to 9 corners anywhere, convex or not, crossing themselves or not, with repeated corners
            for (int v = 0; v < 20; v++)
                test_mesh_add_vertex(&polygons, random_below(&random, 5), random_below(&random, 5),
                                     random_below(&random, 3) == 0);
            for (int face = 0; face < 12; face++) {
                uint32_t corners[9];
                const uint32_t count = 3 + random_below(&random, 7);
                for (uint32_t i = 0; i < count; i++)
                    corners[i] = random_below(&random, 20);
                test_mesh_add_face(&polygons, corners, count);
                if (random_below(&random, 2) == 0)
                    continue;
                for (uint32_t i = 0; i < count / 2; i++) { // and reversed, so that some edges are balanced
                    const uint32_t swapped = corners[i];
                    corners[i] = corners[count - 1 - i];
                    corners[count - 1 - i] = swapped;
                }
                test_mesh_add_face(&polygons, corners, count);
            }
        }
        grz_mesh *uploaded = test_mesh_upload(test_device, &polygons);
        // The boundary of all triangles as a sum of edges, by position, must be that of all faces: added to the
        // reversed faces, everything cancels.
        test_mesh sum = {0};
        for (uint64_t v = 0; v < polygons.vertex_count; v++)
            test_mesh_add_vertex(&sum, polygons.positions[3 * v], polygons.positions[3 * v + 1],
                                 polygons.positions[3 * v + 2]);
        for (uint32_t i = 0; i < uploaded->triangle_count; i++)
            test_mesh_add_face(&sum, uploaded->triangles + 3 * (size_t)i, 3);
        test_mesh_reverse(&polygons);
        for (uint64_t face = 0, first = 0; face < polygons.face_count; first += polygons.corner_counts[face++])
            test_mesh_add_face(&sum, polygons.indices + first, polygons.corner_counts[face]);
        assert_true(oracle_edges_of(&sum).balanced);
        grz_mesh_destroy(uploaded);
        test_mesh_finish(&polygons);
        test_mesh_finish(&sum);
    }
}

// After grz_mesh_prepare() the first query for containment finds the topology built, whatever its method.
static void preparing_a_mesh_makes_its_topology(void **state)
{
    (void)state;
    static const char *const methods[] = {NULL, "auto", "bvh", "naive"};
    test_mesh sphere = test_mesh_rough_sphere(&(random_stream){.state = 1}, 2, 0.1, false);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const char *shown = methods[i] != NULL ? methods[i] : "NULL";
        grz_mesh *mesh = test_mesh_upload(test_device, &sphere);
        if (grz_mesh_slot_ready(mesh, &grz_topology_slot_type))
            fail_msg("method %s: the topology is there before anybody asked", shown);
        for (int round = 0; round < 2; round++) {
            assert_int_equal(grz_mesh_prepare(mesh, methods[i], NULL), GRZ_OK);
            if (!grz_mesh_slot_ready(mesh, &grz_topology_slot_type))
                fail_msg("method %s, round %d: no topology", shown, round);
            assert_false(expect_topology(shown, mesh, &sphere, true)); // nothing is left to build
            // New positions make it stale, even if they equal the old ones.
            assert_int_equal(grz_mesh_set_positions(mesh, sphere.positions, NULL), GRZ_OK);
            assert_false(grz_mesh_slot_ready(mesh, &grz_topology_slot_type));
        }
        grz_mesh_destroy(mesh);
    }
    test_mesh_finish(&sphere);
}

// ---- Ending early ---------------------------------------------------------------------------------------------------

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int cancelled;
static double cancelled_at; // processor time

static void raise_flag(int signal)
{
    (void)signal;
    __atomic_store_n(&cancelled, 1, __ATOMIC_RELAXED);
    cancelled_at = processor_seconds();
}

// Raise the flag after some processor time, which other processes do not change.
static void raise_flag_after(double seconds)
{
    const struct itimerval when = {.it_value = {.tv_usec = (suseconds_t)(1e6 * seconds) + 1}};
    cancelled = 0;
    signal(SIGPROF, raise_flag);
    assert_int_equal(setitimer(ITIMER_PROF, &when, NULL), 0);
}

static void stop_timer(void)
{
    const struct itimerval never = {.it_value = {.tv_usec = 0}};
    setitimer(ITIMER_PROF, &never, NULL);
}

// Cancel at moments all over the time that the topology takes. Each time it must end within a few milliseconds of work.
// Returns how often it ended early; that is seldom if the work takes little longer than the timer's steps of some
// milliseconds.
static int expect_to_end(const char *what, const grz_mesh_description *d, bool moved)
{
    double full = 0.0, worst = 0.0;
    int ended = 0;
    enum {
        STEPS = 16
    };
    for (int step = 0; step < STEPS; step++) {
        grz_mesh *mesh = create_mesh(d);
        const grz_topology *topology;
        grz_control control;
        grz_error error = {.code = GRZ_OK};
        if (moved)
            assert_int_equal(grz_mesh_set_positions(mesh, d->positions, NULL), GRZ_OK);
        grz_control_init(&control, mesh->allocator, NULL);
        control.limits.cancel = &cancelled;
        cancelled = 0;
        if (step > 0)
            raise_flag_after(full * step / STEPS);
        const double before = processor_seconds();
        const grz_status status = grz_mesh_topology(mesh, &control, &topology, &error);
        const double after = processor_seconds();
        stop_timer();
        if (cancelled != 0)
            worst = after - cancelled_at > worst ? after - cancelled_at : worst;
        if (step == 0) {
            assert_int_equal(status, GRZ_OK);
            full = after - before;
        } else if (status != GRZ_OK) {
            assert_int_equal(status, GRZ_ERROR_CANCELLED);
            assert_int_equal(error.code, status);
            assert_null(topology);
            ended++;
            // A later call without cancelling builds it.
            assert_int_equal(test_mesh_topology(mesh, &topology, NULL), GRZ_OK);
        }
        grz_mesh_destroy(mesh);
    }
    print_message("  %-9s %6.1f ms in all; ended early %d times, at most %.1f ms of work late\n", what, full * 1e3,
                  ended, worst * 1e3);
    assert_true(worst < (TEST_SANITIZED ? 0.02 + full / 4 : 0.002 + full / 8));
    return ended;
}

static void building_ends_soon_after_cancelling(void **state)
{
    (void)state;
    const uint32_t around = TEST_SANITIZED ? 300 : 600, across = TEST_SANITIZED ? 100 : 300;
    const size_t quads = (size_t)around * across;
    double *positions = allocate_zeroed(3 * quads, sizeof *positions),
           *soup = allocate_zeroed(18 * quads, sizeof *soup);
    uint32_t *indices = allocate_zeroed(6 * quads, sizeof *indices);
    make_torus(around, across, true, positions, indices);
    grz_mesh_description d = describe_mesh(positions, quads, indices, 2 * quads, 3);
    int ended = expect_to_end("torus", &d, false);
    for (size_t i = 0; i < 6 * quads; i++)
        memcpy(soup + 3 * i, positions + 3 * (size_t)indices[i], 3 * sizeof *soup);
    d = describe_mesh(soup, 6 * quads, NULL, 2 * quads, 3);
    ended += expect_to_end("soup", &d, true);
    // All triangles share one vertex.
    for (size_t i = 0; i < 2 * quads; i++)
        indices[3 * i] = 0;
    d = describe_mesh(positions, quads, indices, 2 * quads, 3);
    ended += expect_to_end("hub", &d, true);
    // One face with as many corners as there are vertices.
    uint32_t count = (uint32_t)quads;
    for (uint32_t i = 0; i < count; i++) {
        indices[i] = i;
        positions[3 * i] = i;
        positions[3 * i + 1] = (double)i * i;
        positions[3 * i + 2] = 0.0;
    }
    d = describe_mesh(positions, quads, indices, 1, 3);
    d.corner_counts = &count;
    d.index_count = quads;
    ended += expect_to_end("polygon", &d, true);
    assert_true(ended > 4);
    free(positions);
    free(soup);
    free(indices);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_and_components_are_those_counted),
        cmocka_unit_test(triangles_are_balanced_where_faces_are),
        cmocka_unit_test(preparing_a_mesh_makes_its_topology),
        cmocka_unit_test(building_ends_soon_after_cancelling),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
