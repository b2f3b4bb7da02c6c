// SPDX-License-Identifier: MIT
// Random particles against the same model in doubles, and their paths against the triangles of the environment: none
// goes through a surface that the map can see. Where rounding decides (a particle grazes a corner of a pixel), the
// answer in doubles depends on the last digits of what it is given, and such particles are counted, not compared.
// Skipped where there is no OpenGL.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/gl.h>

#include "pair_generator.h"
#include "support_gl.h"
#include "support_meshes.h"

#ifdef GRZ_HAVE_GL
#include "gl/gl.h"
#include "particle_twin.h"

enum {
    SIDE = 48,
    COUNT = 400
};

typedef struct particle {
    float p[3], mine, v[3], also_mine;
} particle;

// A map of one mesh, and the twin of the map.
typedef struct world {
    grz_device *device;
    grz_particle_map *map;
    grz_mesh *mesh;
    grz_object object;
    twin_map twin;
    double most; // how far answers may be apart
    float (*surfaces)[4];
} world;

static void check(grz_status status, const grz_error *error)
{
    if (status != GRZ_OK)
        fail_msg("%s", error->message);
}

static grz_particle_map_options of_box(double half)
{
    grz_particle_map_options options = grz_default_particle_map_options();
    options.resolution = SIDE;
    for (int i = 0; i < 3; i++)
        options.half[i] = half;
    options.direction[2] = -1.0;
    return options;
}

static void read_surfaces(world *w)
{
    grz_particle_map_buffers buffers;
    grz_gl *gl;
    grz_error error;
    assert_true(grz_particle_map_buffers_of(w->map, &buffers));
    const size_t entries = (size_t)buffers.resolution * buffers.resolution * buffers.layers * buffers.views;
    w->surfaces = realloc(w->surfaces, entries * sizeof *w->surfaces);
    assert_non_null(w->surfaces);
    check(grz_gl_enter(w->device, "test", &gl, &error), &error);
    glGetNamedBufferSubData(buffers.surfaces, 0, (GLsizeiptr)(entries * sizeof *w->surfaces), w->surfaces);
    check(grz_gl_leave(gl, GRZ_OK, &error), &error);
    w->twin.surfaces = (const float(*)[4])w->surfaces;
}

static world begin(const grz_particle_map_options *options, test_mesh mesh)
{
    world w = {.device = test_gl_device_open(), .twin = {.options = *options}};
    w.most = options->cube ? 1e-3 : 1e-4; // several maps show the same surface, and chance says which is met first
    grz_environment environment = grz_default_environment();
    grz_error error;
    w.mesh = test_mesh_upload(w.device, &mesh);
    w.object = grz_object_at_origin(w.mesh);
    test_mesh_finish(&mesh);
    environment.objects = &w.object;
    environment.object_count = 1;
    check(grz_particle_map_create(w.device, options, &w.map, &error), &error);
    check(grz_particle_map_draw(w.map, &environment, &error), &error);
    read_surfaces(&w);
    return w;
}

static void end(world *w)
{
    free(w->surfaces);
    grz_particle_map_destroy(w->map);
    grz_mesh_destroy(w->mesh);
    test_gl_device_close(w->device);
}

// ---- The twin -----------------------------------------------------------------------------------------------------

static double distance(const double a[3], const double b[3])
{
    return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

static bool are_near(const twin_particle *a, const twin_particle *b, double most)
{
    return distance(a->p, b->p) <= most && distance(a->v, b->v) <= 30.0 * most &&
           abs((int)a->bounces - (int)b->bounces) <= (int)(a->bounces / 3) && a->pushed == b->pushed &&
           a->stopped == b->stopped;
}

// True if the answer in doubles depends on the last digits of where a particle starts.
static bool is_unsteady(const world *w, const grz_particle_step *step, const double p[3], const double v[3],
                        const twin_particle *answer)
{
    for (int i = 0; i < 12; i++) {
        double other_p[3], other_v[3];
        for (int k = 0; k < 3; k++) {
            const double by = k == i / 2 % 3 ? (i % 2 == 0 ? 3e-6 : -3e-6) : 0.0;
            other_p[k] = p[k] + (i < 6 ? by : -by);
            other_v[k] = v[k] + (i < 6 ? 0.0 : by);
        }
        const twin_particle other = twin_step(&w->twin, step, other_p, other_v);
        if (!are_near(&other, answer, w->most))
            return true;
    }
    return false;
}

typedef struct tally {
    uint64_t compared, unsteady, bounces, pushed, stopped;
} tally;

static void compare(const world *w, const grz_particle_step *step, const particle *before, const particle *after,
                    const grz_particle_hit *hits, uint64_t hit_count, int number, tally *sums)
{
    twin_particle mine = {.bounces = 0};
    double p[3], v[3];
    for (int k = 0; k < 3; k++) {
        p[k] = (double)before->p[k], v[k] = (double)before->v[k];
        mine.p[k] = (double)after->p[k], mine.v[k] = (double)after->v[k];
    }
    for (uint64_t i = 0; i < hit_count; i++)
        if (hits[i].particle == (uint32_t)number) {
            mine.pushed = mine.pushed || hits[i].kind == GRZ_PARTICLE_PUSHED;
            mine.bounces += hits[i].kind != GRZ_PARTICLE_PUSHED;
        }
    const twin_particle expected = twin_step(&w->twin, step, p, v);
    mine.stopped = expected.stopped; // compared by their number
    sums->compared++;
    sums->bounces += expected.bounces;
    sums->pushed += expected.pushed;
    sums->stopped += expected.stopped;
    if (are_near(&mine, &expected, w->most))
        return;
    sums->unsteady++;
    if (!is_unsteady(w, step, p, v, &expected))
        fail_msg("particle %d at (%.9g, %.9g, %.9g), velocity (%.9g, %.9g, %.9g): the GPU says (%.9g, %.9g, %.9g), "
                 "(%.9g, %.9g, %.9g), %u bounces, %d; the twin (%.9g, %.9g, %.9g), (%.9g, %.9g, %.9g), %u, %d",
                 number, p[0], p[1], p[2], v[0], v[1], v[2], mine.p[0], mine.p[1], mine.p[2], mine.v[0], mine.v[1],
                 mine.v[2], mine.bounces, mine.pushed, expected.p[0], expected.p[1], expected.p[2], expected.v[0],
                 expected.v[1], expected.v[2], expected.bounces, expected.pushed);
}

static void start_somewhere(random_stream *random, double half, double speed, particle *particles)
{
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < 3; k++) {
            particles[i].p[k] = (float)(half * random_signed(random));
            particles[i].v[k] = (float)(speed * random_signed(random));
        }
}

static void run(const char *what, const grz_particle_map_options *options, test_mesh mesh, grz_particle_step step)
{
    static particle before[COUNT], after[COUNT];
    world w = begin(options, mesh);
    random_stream random = {77};
    tally sums = {.compared = 0};
    step.max_hits = COUNT * 64;
    for (int round = 0; round < 3; round++) {
        start_somewhere(&random, 1.1, 3.0, after);
        for (int i = 0; i < 4; i++) {
            const grz_particle_array array = {.memory = after[0].p, .count = COUNT};
            grz_particle_answer answer;
            grz_error error;
            uint64_t hit_count;
            const uint64_t stopped = sums.stopped;
            memcpy(before, after, sizeof before);
            check(grz_particle_map_step(w.map, &array, &step, &answer, &error), &error);
            const grz_particle_hit *hits = grz_particle_map_hits(w.map, &hit_count);
            for (int k = 0; k < COUNT; k++)
                compare(&w, &step, &before[k], &after[k], hits, hit_count, k, &sums);
            assert_true(llabs((long long)(sums.stopped - stopped) - (long long)answer.stopped) <= 4);
        }
    }
    print_message("%s: %llu steps of particles, %llu bounces, %llu pushed, %llu stopped; %llu unsteady\n", what,
                  (unsigned long long)sums.compared, (unsigned long long)sums.bounces, (unsigned long long)sums.pushed,
                  (unsigned long long)sums.stopped, (unsigned long long)sums.unsteady);
    assert_true(sums.bounces > 50);
    assert_true(sums.unsteady * 50 < sums.compared);
    end(&w);
}

static test_mesh hills(double height)
{
    test_mesh mesh = test_mesh_grid(24, 24, 0.1);
    test_mesh_move(&mesh, -1.2, -1.2, 0.0);
    for (uint64_t i = 0; i < mesh.vertex_count; i++) {
        double *at = mesh.positions + 3 * i;
        at[2] = height * sin(4.0 * at[0]) * cos(3.0 * at[1]);
    }
    return mesh;
}

static grz_particle_step usual_step(void)
{
    grz_particle_step step = grz_default_particle_step();
    step.seconds = 0.1;
    step.acceleration[2] = -9.81;
    step.friction = 0.2;
    return step;
}

static void particles_do_what_their_twins_do(void **state)
{
    grz_particle_map_options options = of_box(1.0);
    grz_particle_step step = usual_step();
    (void)state;
    run("hills", &options, hills(0.2), step);
    options.thickness = (double)INFINITY;
    run("solid hills", &options, hills(0.3), step);
    options.thickness = 0.25;
    options.sheets = true;
    options.layers = 3;
    run("a thick sheet", &options, hills(0.3), step);
    options = of_box(1.0);
    options.layers = 6;
    options.direction[0] = 0.5;
    options.up[2] = 1.0;
    options.half[1] = 0.75;
    run("a torus, slanted", &options, test_mesh_torus(0.6, 0.25, 24, 12), step);
    step.seconds = 0.5;
    step.restitution = 1.0;
    step.friction = 0.0;
    run("a torus, long steps", &options, test_mesh_torus(0.6, 0.25, 24, 12), step);
    options.radius = 0.1;
    step.max_bounces = 2;
    run("large particles", &options, test_mesh_icosphere(0.5, 2), step);
}

static void particles_in_a_cube_of_maps_do_what_their_twins_do(void **state)
{
    grz_particle_map_options options = of_box(1.0);
    grz_particle_step step = usual_step();
    test_mesh room = test_mesh_icosphere(0.9, 2);
    (void)state;
    options.cube = true;
    options.half[2] = 1.25;
    test_mesh_reverse(&room);
    run("inside a sphere", &options, room, step);
    options.layers = 4;
    run("around a cube", &options, test_mesh_cube(-0.5, -0.4, -0.3, 0.6), step);
}

// ---- The truth ----------------------------------------------------------------------------------------------------

// Add the path of each particle in a step, without acceleration, as faces without area: segments.
static void add_paths(test_mesh *paths, const particle *before, const particle *after, const grz_particle_hit *hits,
                      uint64_t hit_count)
{
    uint64_t next = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        double segment[3][3];
        for (int k = 0; k < 3; k++)
            segment[0][k] = (double)before[i].p[k];
        for (bool last = false; !last;) {
            last = next == hit_count || hits[next].particle != i;
            const float *to = last ? after[i].p : hits[next].position;
            for (int k = 0; k < 3; k++)
                segment[1][k] = segment[2][k] = (double)to[k];
            test_mesh_add_loose_triangle(paths, segment);
            memcpy(segment[0], segment[1], sizeof segment[0]);
            next += !last;
        }
    }
    assert_int_equal(next, hit_count);
}

// How much a triangle faces along the view, which is along z: 1 if it is across it, 0 if it is seen edge-on. 0 also if
// a corner lies outside the map.
static double facing(const test_mesh *mesh, uint32_t face)
{
    double edges[2][3], normal[3];
    for (int c = 0; c < 3; c++) {
        const double *at = mesh->positions + 3 * (size_t)mesh->indices[3 * (size_t)face + (size_t)c];
        if (fabs(at[0]) > 1.0 || fabs(at[1]) > 1.0)
            return 0.0;
    }
    for (int k = 0; k < 3; k++)
        for (int e = 0; e < 2; e++)
            edges[e][k] = mesh->positions[3 * (size_t)mesh->indices[3 * (size_t)face + (size_t)e + 1] + (size_t)k] -
                          mesh->positions[3 * (size_t)mesh->indices[3 * (size_t)face] + (size_t)k];
    for (int k = 0; k < 3; k++)
        normal[k] = edges[0][(k + 1) % 3] * edges[1][(k + 2) % 3] - edges[0][(k + 2) % 3] * edges[1][(k + 1) % 3];
    return fabs(normal[2]) / sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
}

// The exact pairs of paths and triangles that touch: those with triangles that are seen well, and the others.
static void count_crossings(const world *w, const test_mesh *mesh, const test_mesh *paths, uint64_t counts[2])
{
    grz_mesh *path_mesh = test_mesh_upload(w->device, paths);
    const grz_object object = grz_object_at_origin(path_mesh);
    grz_collide_options options = grz_default_collide_options();
    grz_result *result;
    grz_error error;
    uint64_t count;
    options.method = "bvh";
    check(grz_result_create(w->device, &result, &error), &error);
    check(grz_collide(w->device, &object, &w->object, &options, result, &error), &error);
    const grz_pair *pairs = grz_result_pairs(result, &count);
    for (uint64_t i = 0; i < count; i++)
        counts[facing(mesh, pairs[i].face_b) < 0.4]++;
    grz_result_destroy(result);
    grz_mesh_destroy(path_mesh);
}

static void count_passing(const char *what, const grz_particle_map_options *options, test_mesh mesh, uint64_t counts[2])
{
    static particle before[COUNT], after[COUNT];
    test_mesh truth = test_mesh_copy(&mesh);
    world w = begin(options, mesh);
    random_stream random = {99};
    grz_particle_step step = grz_default_particle_step();
    uint64_t bounces = 0;
    step.seconds = 0.25;
    step.restitution = 1.0;
    step.max_hits = COUNT * 64;
    counts[0] = counts[1] = 0;
    for (int round = 0; round < 20; round++) {
        test_mesh paths = {.positions = NULL};
        const grz_particle_array array = {.memory = after[0].p, .count = COUNT};
        grz_particle_answer answer;
        grz_error error;
        uint64_t hit_count;
        if (round % 10 == 0) {
            start_somewhere(&random, 0.9, 2.0, after);
            for (int i = 0; i < COUNT; i++) {
                after[i].p[2] = 0.9f; // above everything
                after[i].v[2] = -fabsf(after[i].v[2]);
            }
        }
        memcpy(before, after, sizeof before);
        check(grz_particle_map_step(w.map, &array, &step, &answer, &error), &error);
        const grz_particle_hit *hits = grz_particle_map_hits(w.map, &hit_count);
        assert_int_equal(answer.pushed, 0);
        bounces += answer.bounces;
        add_paths(&paths, before, after, hits, hit_count);
        count_crossings(&w, &truth, &paths, counts);
        test_mesh_finish(&paths);
    }
    print_message("%s: %llu bounces; paths that touch triangles: %llu of those seen well, %llu of those seen edge-on "
                  "or outside the map\n",
                  what, (unsigned long long)bounces, (unsigned long long)counts[0], (unsigned long long)counts[1]);
    assert_true(bounces > 150);
    test_mesh_finish(&truth);
    end(&w);
}

static void none_goes_through_what_the_map_sees(void **state)
{
    grz_particle_map_options options = of_box(1.0);
    uint64_t counts[2];
    (void)state;
    count_passing("hills", &options, hills(0.2), counts);
    assert_int_equal(counts[0], 0);
    options.layers = 6;
    count_passing("a torus", &options, test_mesh_torus(0.6, 0.25, 48, 24), counts);
    assert_int_equal(counts[0], 0);
    count_passing("a sphere", &options, test_mesh_icosphere(0.7, 3), counts);
    assert_int_equal(counts[0], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_goes_through_what_the_map_sees),
        cmocka_unit_test(particles_do_what_their_twins_do),
        cmocka_unit_test(particles_in_a_cube_of_maps_do_what_their_twins_do),
    };
    if (!test_gl_is_here())
        return TEST_SKIPPED;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
    printf("SKIPPED: this build has no OpenGL\n");
    return TEST_SKIPPED;
}
#endif
