// SPDX-License-Identifier: MIT
// The same bytes with every C library: answers of all queries in which angles, roots or lengths have a part are printed
// by this program to itself, once as it is and once with the processor's fused products hidden from the C library
// (GLIBC_TUNABLES). The GNU library then takes other code for sines, powers and the like, and rounds some of them in
// another way, as a C library of another maker would. What is printed must not change. Skipped where the C library
// itself gives the same with and without: nothing is shown there.
// Give --print as argument to see the answers.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/graze.h>

#include "base/control.h"
#include "geometry/exact/powers.h"
#include "geometry/functions/functions.h"
#include "mesh/vertex_normals.h"
#include "support_meshes.h"
#include "support_moved.h"
#include "support_sanitizer.h"

enum {
    ROUNDS = TEST_SANITIZED ? 10 : 150,
    CALLS = 3000 // of functions
};

static grz_device *device;

// ---- Answers ------------------------------------------------------------------------------------------------------

static void print_numbers(const char *what, const double *x, size_t count)
{
    printf("%s", what);
    for (size_t i = 0; i < count; i++)
        printf(" %a", x[i]);
    printf("\n");
}

// Shapes of the tests are made with the C library's sines: what these round is cut off.
static grz_mesh *take(test_mesh mesh)
{
    for (uint64_t i = 0; i < 3 * mesh.vertex_count; i++)
        mesh.positions[i] = rint(mesh.positions[i] * 0x1p30) * 0x1p-30;
    grz_mesh *uploaded = test_mesh_upload(device, &mesh);
    test_mesh_finish(&mesh);
    return uploaded;
}

static void random_vector(random_stream *random, double size, double *v, int count)
{
    for (int i = 0; i < count; i++)
        v[i] = size * random_signed(random);
}

// What the C library says itself, which may change: a number made of all digits of many results.
static void print_library(void)
{
    uint64_t all[4] = {0};
    for (int i = 1; i < 20000; i++) {
        const double x = 0.001 * i, said[4] = {sin(x), cos(x), atan2(x, 1.5), tan(x)};
        for (int k = 0; k < 4; k++)
            all[k] = 31 * all[k] + grz_bits_of(said[k]);
    }
    for (int k = 0; k < 4; k++)
        printf("library %016llx\n", (unsigned long long)all[k]);
}

static void print_functions(random_stream *random)
{
    for (int i = 0; i < CALLS; i++) {
        double v[2], out[5];
        random_vector(random, i % 2 == 0 ? 3.0 : 1e6, v, 2);
        grz_sine_cosine(v[0], &out[0], &out[1]);
        out[2] = grz_arctangent(v[0], v[1]);
        out[3] = grz_cube_root(v[0]);
        out[4] = grz_hypotenuse(v[0], v[1]);
        print_numbers("functions", out, 5);
    }
}

static void print_motions(random_stream *random)
{
    grz_mesh *a = take(test_mesh_torus(1.0, 0.3, 8, 6)), *b = take(test_mesh_icosphere(0.8, 1));
    for (int i = 0; i < ROUNDS; i++) {
        double ends[6], turns[8];
        random_vector(random, 2.0, ends, 6);
        random_vector(random, 1.0, turns, 8);
        const grz_motion motion = i % 2 == 0 ? grz_motion_slerp(ends, turns, ends + 3, turns + 4)
                                             : grz_motion_screw(ends, turns, ends + 3, turns + 4);
        const grz_motion rest = grz_motion_rest(grz_pose_from_translation(0.5, 0.0, 0.0));
        grz_pose pose;
        grz_move_answer answer;
        for (int k = 1; k < 8; k++) {
            if (grz_motion_pose(&motion, 0.137 * k, &pose, NULL) != GRZ_OK)
                exit(1);
            print_numbers("pose", pose.m[0], 12);
        }
        if (grz_move_rigid(device, (grz_object[]){grz_object_at_origin(a)}, &motion,
                           (grz_object[]){grz_object_at_origin(b)}, &rest, NULL, &answer, NULL) != GRZ_OK)
            exit(1);
        printf("move %a %a %d %u %u", answer.lower, answer.upper, (int)answer.certainty, answer.face_a, answer.face_b);
        print_numbers("", answer.normal, 3);
    }
    grz_mesh_destroy(a);
    grz_mesh_destroy(b);
}

static void print_normals(random_stream *random)
{
    for (int i = 0; i < 10; i++) {
        test_mesh shape = test_mesh_torus(1.0, 0.3, 16, 9);
        test_mesh_crumple(&shape, random, 0, 0.1);
        grz_mesh *mesh = take(shape);
        grz_control control;
        grz_control_init(&control, mesh->allocator, NULL);
        float *normals = calloc(3 * (size_t)mesh->vertex_count, sizeof *normals);
        if (normals == NULL || grz_vertex_normals(mesh, &control, normals) != GRZ_OK)
            exit(1);
        for (uint32_t v = 0; v < mesh->vertex_count; v++)
            printf("normal %a %a %a\n", (double)normals[3 * v], (double)normals[3 * v + 1], (double)normals[3 * v + 2]);
        free(normals);
        grz_mesh_destroy(mesh);
    }
}

static void print_fits(random_stream *random)
{
    for (int i = 0; i < ROUNDS / 5; i++) {
        double points[60];
        grz_hull *hull;
        grz_fitted_shape sphere;
        grz_fitted_shape capsule;
        grz_fitted_shape box;
        grz_fitted_shape cylinder, ellipsoid;
        random_vector(random, 1.0, points, 60);
        if (grz_hull_of_points(device, points, 20, NULL, &hull, NULL) != GRZ_OK ||
            grz_fit_sphere(hull, NULL, &sphere, NULL) != GRZ_OK ||
            grz_fit_capsule(hull, NULL, &capsule, NULL) != GRZ_OK ||
            grz_fit_oriented_box(hull, NULL, &box, NULL) != GRZ_OK ||
            grz_fit_cylinder(hull, NULL, &cylinder, NULL) != GRZ_OK ||
            grz_fit_ellipsoid(hull, NULL, &ellipsoid, NULL) != GRZ_OK)
            exit(1);
        printf("fits %a %a %a %a %a", sphere.shape.radius, sphere.ratio, capsule.shape.radius, capsule.ratio,
               box.ratio);
        print_numbers("", capsule.shape.corners[0], 6);
        print_numbers("cylinder", cylinder.shape.pose.m[0], 12);
        print_numbers("ellipsoid", ellipsoid.shape.pose.m[0], 12);
        print_numbers("halves", cylinder.shape.half, 3);
        print_numbers("halves", ellipsoid.shape.half, 3);
        grz_hull_destroy(hull);
    }
}

// A walker goes over a rough floor, whose slopes are about its limit.
static void print_mover(random_stream *random)
{
    test_mesh floor = test_mesh_grid(12, 12, 0.5);
    for (uint64_t v = 0; v < floor.vertex_count; v++)
        floor.positions[3 * v + 2] = 0.2 * random_signed(random);
    grz_mesh *mesh = take(floor);
    const grz_object object = grz_object_at_origin(mesh);
    const grz_shape shape = test_sphere(0.25);
    grz_mover_options options = grz_default_mover_options();
    double position[3] = {3.0, 3.0, 1.0};
    options.walk = true;
    options.slope_limit = 31.7;
    options.step_up = options.step_down = 0.1;
    for (int i = 0; i < ROUNDS; i++) {
        grz_mover_answer answer;
        double displacement[3];
        random_vector(random, 0.2, displacement, 3);
        displacement[2] = -0.05;
        if (grz_mover_step(device, &object, 1, &shape, position, displacement, &options, &answer, NULL) != GRZ_OK)
            exit(1);
        memcpy(position, answer.position, sizeof position);
        options.floor = answer.floor;
        printf("walk %d %u", (int)answer.outcome, answer.contact_count);
        print_numbers("", position, 3);
    }
    grz_mesh_destroy(mesh);
}

static void print_hulls(const char *what, grz_convex_parts *parts)
{
    for (uint32_t i = 0; i < grz_convex_parts_count(parts); i++) {
        const grz_hull *hull = grz_convex_part_hull(parts, i);
        double error[2];
        if (!grz_convex_part_error(parts, i, &error[0], &error[1]))
            exit(1);
        print_numbers(what, error, 2);
        print_numbers(what, grz_hull_vertices(hull), 3 * (size_t)grz_hull_vertex_count(hull));
    }
    grz_convex_parts_destroy(parts);
}

static void print_parts(random_stream *random)
{
    for (int i = 0; i < 3; i++) {
        test_mesh shape = test_mesh_torus(1.0, 0.35, 6, 4);
        grz_convex_cover_options options = grz_default_convex_cover_options();
        grz_convex_parts *parts;
        for (uint64_t v = 0; v < 3 * shape.vertex_count; v++)
            shape.positions[v] += 0.01 * random_signed(random);
        grz_mesh *mesh = take(shape);
        options.max_parts = 6;
        options.error = 0.2;
        if (grz_convex_cover_of_mesh(mesh, &options, &parts, NULL) != GRZ_OK)
            exit(1);
        print_hulls("cover", parts);
        grz_mesh_destroy(mesh);
    }
}

// A star of many corners: how it is cut into triangles.
static void print_polygon(random_stream *random)
{
    enum {
        CORNERS = 200
    };
    test_mesh star = {.positions = NULL};
    uint32_t corners[CORNERS], n = 0;
    for (uint32_t i = 0; i < CORNERS; i++) {
        double s, c;
        const double radius = 1.0 + 0.6 * random_signed(random);
        grz_sine_cosine(0.031415926 * i, &s, &c);
        corners[i] = test_mesh_add_vertex(&star, radius * c, radius * s, 0.0);
    }
    test_mesh_add_face(&star, corners, CORNERS);
    grz_mesh *mesh = take(star);
    for (uint32_t i = 0; i < 3 * mesh->triangle_count; i++)
        n = n * 31 + mesh->triangles[i];
    printf("polygon %u\n", n);
    grz_mesh_destroy(mesh);
}

// What a structure proposes, and what rays through it hit.
static void print_structures(random_stream *random)
{
    grz_mesh *a = take(test_mesh_torus(1.0, 0.3, 30, 17)), *b = take(test_mesh_icosphere(0.8, 3));
    const grz_object objects[2] = {grz_object_at_origin(a), grz_object_at(b, grz_pose_from_translation(0.6, 0.1, 0.2))};
    static const char *const methods[] = {"grid", "kdtree", "obbtree"};
    for (int m = 0; m < 3; m++) {
        grz_collide_options options = grz_default_collide_options();
        grz_pick_options pick = grz_default_pick_options();
        grz_result *result = test_result_create(device);
        options.method = pick.method = methods[m];
        if (grz_collide(device, &objects[0], &objects[1], &options, result, NULL) != GRZ_OK)
            exit(1);
        const grz_summary *summary = grz_result_summary(result);
        printf("%s %lu pairs of %lu\n", methods[m], (unsigned long)summary->pair_count,
               (unsigned long)summary->candidates);
        grz_result_destroy(result);
        for (int i = 0; i < ROUNDS; i++) {
            double v[6];
            grz_ray_hit hit;
            random_vector(random, 2.0, v, 6);
            const grz_ray ray = grz_ray_along(v, v + 3);
            if (grz_pick(device, grz_targets_of_objects(objects, 2), &ray, 1, &pick, &hit, NULL) != GRZ_OK)
                exit(1);
            printf("ray %u", hit.face);
            print_numbers("", &hit.t, 10);
        }
    }
    grz_mesh_destroy(a);
    grz_mesh_destroy(b);
}

static int print_answers(void)
{
    random_stream random = random_stream_of_block(PAIR_RANDOM, 4203);
    device = test_device_open(1);
    print_library();
    print_functions(&random);
    print_motions(&random);
    print_normals(&random);
    print_fits(&random);
    print_mover(&random);
    print_parts(&random);
    print_polygon(&random);
    print_structures(&random);
    printf("end\n");
    grz_device_close(device);
    return 0;
}

// ---- The comparison -----------------------------------------------------------------------------------------------

static const char *program;

// Lines that differ: of the C library's own, and of ours; those that are printed, of ours.
typedef struct difference {
    size_t library, ours, lines;
    bool ended;
} difference;

static FILE *run(const char *tunables)
{
    char command[4096];
    const int length = snprintf(command, sizeof command, "GLIBC_TUNABLES='%s' '%s' --print", tunables, program);
    assert_true(length > 0 && (size_t)length < sizeof command);
    FILE *out = popen(command, "r"); // NOLINT(cert-env33-c): it is this program itself
    assert_non_null(out);
    return out;
}

static difference compare(const char *x, const char *y)
{
    FILE *out[2] = {run(x), run(y)};
    difference d = {.library = 0};
    char *line[2] = {NULL, NULL};
    size_t room[2] = {0, 0};
    for (;;) {
        const bool more[2] = {getline(&line[0], &room[0], out[0]) > 0, getline(&line[1], &room[1], out[1]) > 0};
        assert_int_equal(more[0], more[1]);
        if (!more[0])
            break;
        const bool library = strncmp(line[0], "library", 7) == 0, same = strcmp(line[0], line[1]) == 0;
        d.lines += !library;
        d.library += library && !same;
        d.ended = strcmp(line[0], "end\n") == 0;
        if (!library && !same && d.ours++ < 10)
            print_message("%s%s", line[0], line[1]);
    }
    for (int i = 0; i < 2; i++) {
        free(line[i]);
        assert_int_equal(pclose(out[i]), 0);
    }
    return d;
}

static void answers_do_not_depend_on_the_c_library(void **state)
{
    (void)state;
    // Names of the GNU library from 2.26, and from 2.33 on.
    const difference d = compare("", "glibc.tune.hwcaps=-FMA_Usable,-FMA4_Usable,-AVX2_Usable:"
                                     "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-FMA_Usable,-AVX2_Usable");
    assert_true(d.ended && d.lines > CALLS);
    if (d.ours > 0)
        fail_msg("%zu of %zu lines differ", d.ours, d.lines);
    if (d.library == 0) {
        print_message("SKIPPED: this C library gives the same sines with and without fused products\n");
        exit(77);
    }
    print_message("%zu lines are the same\n", d.lines);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_do_not_depend_on_the_c_library)};
    program = argv[0];
    if (argc == 2 && strcmp(argv[1], "--print") == 0)
        return print_answers();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
