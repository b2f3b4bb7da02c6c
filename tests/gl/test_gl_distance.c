// SPDX-License-Identifier: MIT
// Distances of meshes in OpenGL buffers of the caller: the same bytes as of the same meshes in memory, in every layout,
// from either side, and they follow new positions. Skipped where there is no OpenGL.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <graze/gl.h>

#include "support_gl_mesh.h"

#ifdef GRZ_HAVE_GL

static grz_distance_answer measure(grz_device *device, const grz_mesh *a, const grz_mesh *b, const grz_pose *pose_b)
{
    const grz_object object_a = grz_object_at_origin(a), object_b = grz_object_at(b, *pose_b);
    grz_distance_answer answer;
    grz_error error;
    memset(&answer, 0, sizeof answer);
    if (grz_distance(device, &object_a, &object_b, NULL, &answer, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    assert_int_equal(answer.certainty, GRZ_EXACT);
    return answer;
}

static void expect_same(const grz_distance_answer *x, const grz_distance_answer *y)
{
    if (x->distance != y->distance || x->lower != y->lower || x->upper != y->upper || x->ties != y->ties ||
        x->touching != y->touching || x->face_a != y->face_a || x->face_b != y->face_b ||
        memcmp(&x->feature_a, &y->feature_a, sizeof x->feature_a) != 0 ||
        memcmp(&x->feature_b, &y->feature_b, sizeof x->feature_b) != 0 ||
        memcmp(x->point_a, y->point_a, sizeof x->point_a) != 0 ||
        memcmp(x->point_b, y->point_b, sizeof x->point_b) != 0)
        fail_msg("%a, faces %u and %u, %llu ties; the other way %a, %u and %u, %llu", x->distance, x->face_a, x->face_b,
                 (unsigned long long)x->ties, y->distance, y->face_a, y->face_b, (unsigned long long)y->ties);
}

static void buffers_are_measured_like_memory(void **state)
{
    (void)state;
    test_program p = test_program_start();
    test_mesh ball = test_mesh_icosphere(1.0, 2), torus = test_mesh_torus(2.0, 0.5, 30, 16);
    test_mesh_round_to_floats(&ball);
    test_mesh_round_to_floats(&torus);
    for (int layout = 0; layout < LAYOUT_COUNT; layout++) {
        test_mesh soups[2] = {test_mesh_soup(&ball), test_mesh_soup(&torus)};
        const test_mesh *a = layout == SOUP ? &soups[0] : &ball, *b = layout == SOUP ? &soups[1] : &torus;
        test_buffers buffers[2] = {test_buffers_make(a, (test_layout)layout),
                                   test_buffers_make(b, (test_layout)layout)};
        grz_mesh *here[2] = {test_mesh_upload(p.device, a), test_mesh_upload(p.device, b)};
        grz_mesh *gl[2] = {test_buffers_mesh(p.device, &buffers[0]), test_buffers_mesh(p.device, &buffers[1])};
        int touching = 0;
        for (int step = 0; step < 6; step++) { // through the tube, and away
            const grz_pose pose = grz_pose_from_translation(0.75 * step, 0.3, 0.2 * step);
            const grz_distance_answer plain = measure(p.device, here[0], here[1], &pose),
                                      both = measure(p.device, gl[0], gl[1], &pose),
                                      one = measure(p.device, gl[0], here[1], &pose),
                                      other = measure(p.device, here[0], gl[1], &pose);
            touching += plain.touching;
            expect_same(&plain, &both);
            expect_same(&plain, &one);
            expect_same(&plain, &other);
        }
        assert_in_range(touching, 1, 5);
        for (int i = 0; i < 2; i++) {
            grz_mesh_destroy(here[i]);
            grz_mesh_destroy(gl[i]);
            test_buffers_delete(&buffers[i]);
            test_mesh_finish(&soups[i]);
        }
    }
    test_mesh_finish(&ball);
    test_mesh_finish(&torus);
    test_program_end(&p);
}

static void new_positions_are_measured(void **state)
{
    (void)state;
    test_program p = test_program_start();
    test_mesh box = test_mesh_cube(0.0, 0.0, 0.0, 1.0);
    test_buffers buffers = test_buffers_make(&box, PACKED);
    grz_mesh *gl = test_buffers_mesh(p.device, &buffers), *here = test_mesh_upload(p.device, &box);
    const grz_pose pose = grz_pose_from_translation(5.0, 0.0, 0.0);
    assert_true(measure(p.device, gl, here, &pose).distance == 4.0);
    test_mesh_scale(&box, 3.0, 1.0, 1.0);
    test_buffers_write_positions(&buffers, &box);
    assert_int_equal(grz_mesh_gl_changed(gl, NULL), GRZ_OK);
    const grz_distance_answer moved = measure(p.device, gl, here, &pose);
    assert_true(moved.distance == 2.0 && moved.lower == 2.0 && moved.upper == 2.0);
    grz_mesh_destroy(gl);
    grz_mesh_destroy(here);
    test_buffers_delete(&buffers);
    test_mesh_finish(&box);
    test_program_end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_are_measured_like_memory),
        cmocka_unit_test(new_positions_are_measured),
    };
    return test_gl_is_here() ? cmocka_run_group_tests(tests, NULL, NULL) : TEST_SKIPPED;
}
#else
int main(void)
{
    test_gl_is_here();
    return TEST_SKIPPED;
}
#endif
