// SPDX-License-Identifier: MIT
// Discrete answers of method `heightmap` for meshes in OpenGL buffers of the caller: where the case is clear, they are
// those of the same meshes in memory, in every layout and projection, and they follow new positions. Exact answers are
// test_gl_mesh's. Skipped where there is no OpenGL.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <graze/gl.h>

#include "support_gl_mesh.h"
#include "support_statistics.h"

#ifdef GRZ_HAVE_GL

// Compare height maps of a and b with a direction.
static bool heights_collide(grz_device *device, const grz_mesh *a, const grz_mesh *b, const grz_pose *pose_b,
                            grz_projection projection, grz_result *result)
{
    grz_heightmap_options heightmap = grz_default_heightmap_options();
    const grz_method_options own = {.method = "heightmap", .options = &heightmap};
    grz_collide_options options = grz_default_collide_options();
    const grz_object object = grz_object_at_origin(a);
    grz_object environment = grz_object_at_origin(b);
    test_statistics statistics;
    grz_error error;
    heightmap.resolution = 40;
    heightmap.projection = projection;
    heightmap.stencil = projection % 2 == 0;
    heightmap.has_direction = true;
    heightmap.direction[0] = 0.1;
    heightmap.direction[1] = -0.15;
    heightmap.direction[2] = 1.0;
    environment.pose = *pose_b;
    options.find = 0;
    options.method = "heightmap";
    options.answer = GRZ_ANSWER_DISCRETE;
    options.method_options = &own;
    if (grz_collide(device, &object, &environment, &options, result, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    assert_true(test_statistics_read(result, "heightmap", &statistics) && statistics.maps > 0 &&
                statistics.pixels > 100);
    return grz_result_summary(result)->colliding;
}

// The maps of a mesh in buffers enclose its box, those of a mesh in memory the mesh, so their pixels differ; what is
// clear is the same. The boxes overlap in each case. Maps follow new positions.
static void height_maps_are_drawn_from_the_buffers(void **state)
{
    (void)state;
    test_program p = test_program_start();
    test_mesh ball = test_mesh_icosphere(1.0, 3), torus = test_mesh_torus(2.0, 0.5, 48, 24);
    test_mesh_round_to_floats(&ball);
    test_mesh_round_to_floats(&torus);
    // The ball is the environment of the ring: through the tube, and beside it.
    const struct {
        double at[3];
        bool collides;
    } cases[] = {
        {{2.0, 0.0, 0.5}, true}, {{0.0, -2.0, 0.5}, true}, {{2.7, 2.7, 0.4}, false}, {{-2.6, 2.8, 0.0}, false}};
    grz_result *result = test_result_create(p.device);
    for (int how = 0; how < LAYOUT_COUNT; how++) {
        test_mesh soup = test_mesh_soup(&torus);
        test_buffers ring = test_buffers_make(how == SOUP ? &soup : &torus, (test_layout)how),
                     round = test_buffers_make(&ball, (test_layout)(how == SOUP ? PACKED : how));
        grz_mesh *rings[2] = {test_mesh_upload(p.device, &torus), test_buffers_mesh(p.device, &ring)},
                 *balls[2] = {test_mesh_upload(p.device, &ball), test_buffers_mesh(p.device, &round)};
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            const grz_pose pose = grz_pose_from_translation(cases[i].at[0], cases[i].at[1], cases[i].at[2]);
            for (int k = 0; k < 20; k++) {
                const grz_projection projection = (grz_projection)(k % 5);
                const bool found =
                    heights_collide(p.device, rings[k / 5 % 2], balls[k / 10], &pose, projection, result);
                if (found != cases[i].collides)
                    fail_msg("layout %d, case %zu, way %d: %d", how, i, k, found);
            }
        }
        for (int i = 0; i < 2; i++) {
            grz_mesh_destroy(rings[i]);
            grz_mesh_destroy(balls[i]);
        }
        test_buffers_delete(&ring);
        test_buffers_delete(&round);
        test_mesh_finish(&soup);
    }
    // The ring grows until it meets the ball, and shrinks again.
    test_buffers ring = test_buffers_make(&torus, PACKED);
    grz_mesh *gl = test_buffers_mesh(p.device, &ring), *other = test_mesh_upload(p.device, &ball);
    const grz_pose pose = grz_pose_from_translation(2.7, 2.7, 0.4);
    for (int moved = 0; moved < 3; moved++) {
        const double size = moved == 0 ? 1.0 : moved == 1 ? 1.5 : 1.0 / 1.5;
        test_mesh_scale(&torus, size, size, size);
        test_buffers_write_positions(&ring, &torus);
        assert_int_equal(grz_mesh_gl_changed(gl, NULL), GRZ_OK);
        assert_true(heights_collide(p.device, gl, other, &pose, GRZ_PROJECTION_SINGLE, result) == (moved == 1));
    }
    grz_result_destroy(result);
    grz_mesh_destroy(gl);
    grz_mesh_destroy(other);
    test_buffers_delete(&ring);
    test_mesh_finish(&ball);
    test_mesh_finish(&torus);
    test_program_end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(height_maps_are_drawn_from_the_buffers)};
    return test_gl_is_here() ? cmocka_run_group_tests(tests, NULL, NULL) : TEST_SKIPPED;
}
#else
int main(void)
{
    test_gl_is_here();
    return TEST_SKIPPED;
}
#endif
