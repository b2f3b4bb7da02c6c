// SPDX-License-Identifier: MIT
// Memory runs out during OpenGL work. A device with meshes in memory and in buffers gives discrete and exact answers, a
// path and a picture, step by step; the caller's allocator fails at the first call of each step, then all again at the
// second, and so on, until no step makes so many calls. The failing step returns GRZ_ERROR_MEMORY, leaves nothing half
// made, and succeeds when tried again. In the end no memory and no OpenGL object is lost. Skipped where there is no
// OpenGL.
// ctest: long
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/gl.h>

#include "support_gl.h"
#include "support_meshes.h"
#include "support_sanitizer.h"

#ifdef GRZ_HAVE_GL
#include "gl/context.h"
#include "image/grid/voxel_grid.h"
#include "support_allocator.h"

enum {
    STEPS = 25,
    SIDE = 32
};

// One life of a device, step by step.
typedef struct life {
    test_strict_allocator *strict;
    const test_mesh *shape;
    GLuint positions, indices;
    grz_device *device;
    grz_mesh *here, *gl;
    grz_result *result;
    uint8_t pixels[SIDE * SIDE * 4];
} life;

static grz_status open_device(life *l, grz_error *error)
{
    grz_device_options options = grz_default_device_options();
    options.allocator = test_strict_allocator_of(l->strict);
    options.threads = 1;
    options.kind = GRZ_DEVICE_GL;
    options.share = true;
    return grz_device_open(&options, &l->device, error);
}

static grz_status create_mesh(life *l, grz_error *error)
{
    grz_mesh_description d = grz_default_mesh_description();
    d.positions = l->shape->positions;
    d.position_type = GRZ_FLOAT64;
    d.vertex_count = l->shape->vertex_count;
    d.indices = l->shape->indices;
    d.index_count = l->shape->index_count;
    d.face_count = l->shape->face_count;
    return grz_mesh_create(l->device, &d, &l->here, error);
}

static grz_status create_gl_mesh(life *l, grz_error *error)
{
    grz_gl_mesh_description d = grz_default_gl_mesh_description();
    d.position_buffer = l->positions;
    d.vertex_count = l->shape->vertex_count;
    d.index_buffer = l->indices;
    d.triangle_count = l->shape->face_count;
    return grz_mesh_create_gl(l->device, &d, &l->gl, error);
}

static grz_status collide(life *l, const char *method, grz_answer answer, const grz_slices_options *slices,
                          double distance, grz_error *error)
{
    grz_collide_options options = grz_default_collide_options();
    grz_object a = grz_object_at_origin(l->gl), b = grz_object_at_origin(l->here);
    options.method = method;
    options.answer = answer;
    options.method_options = slices != NULL ? &(grz_method_options){.method = "slices", .options = slices} : NULL;
    options.find |= answer == GRZ_ANSWER_EXACT ? (uint32_t)GRZ_FIND_CURVES : 0u;
    b.pose = grz_pose_from_translation(distance, 0.25, 0.0);
    const grz_status status = grz_collide(l->device, &a, &b, &options, l->result, error);
    if (status == GRZ_OK)
        assert_true(grz_result_summary(l->result)->colliding == (distance < 2.0));
    return status;
}

// Many objects in one grid.
static grz_status collide_scene(life *l, const char *method, grz_error *error)
{
    grz_collide_options options = grz_default_collide_options();
    grz_scene *scene;
    uint32_t id;
    options.method = method;
    grz_status status = grz_scene_create(l->device, &scene, error);
    for (int i = 0; i < 6 && status == GRZ_OK; i++) {
        grz_object object = grz_object_at_origin(l->here);
        object.pose.m[0][3] = 0.2 * i;
        status = grz_scene_add(scene, &object, &id, error);
    }
    if (status == GRZ_OK)
        status = grz_collide_scene(l->device, scene, &options, l->result, error);
    grz_scene_destroy(scene);
    return status;
}

// Discrete, both meshes in buffers: two maps, and a stencil.
static grz_status collide_maps(life *l, grz_error *error)
{
    grz_object a = grz_object_at_origin(l->gl), b = a;
    grz_collide_options options = grz_default_collide_options();
    grz_heightmap_options heightmap = grz_default_heightmap_options();
    const grz_method_options own = {.method = "heightmap", .options = &heightmap};
    heightmap.resolution = 40;
    heightmap.projection = GRZ_PROJECTION_OPPOSITE;
    heightmap.stencil = true;
    options.method = "heightmap";
    options.answer = GRZ_ANSWER_DISCRETE;
    options.method_options = &own;
    b.pose = grz_pose_from_translation(1.0, 0.0, 0.0);
    const grz_status status = grz_collide(l->device, &a, &b, &options, l->result, error);
    if (status == GRZ_OK)
        assert_true(grz_result_summary(l->result)->colliding);
    return status;
}

static grz_status take_step(life *l, int step, grz_error *error)
{
    grz_slices_options slices = grz_default_slices_options(GRZ_SLICES_ACCURATE);
    const grz_pose still[2] = {grz_pose_identity(), grz_pose_identity()};
    const grz_pose steps[2] = {grz_pose_from_translation(5.0, 0.0, 0.0), grz_pose_from_translation(1.0, 0.0, 0.0)};
    grz_slices_path_answer path;
    grz_picture_options picture = grz_default_picture_options();
    const grz_object object = grz_object_at_origin(l->gl != NULL ? l->gl : l->here);
    switch (step) {
    case 0:
        return open_device(l, error);
    case 1:
        return create_mesh(l, error);
    case 2:
        return create_gl_mesh(l, error);
    case 3:
        return grz_result_create(l->device, &l->result, error);
    case 4:
        slices.max_boxes = 4;
        slices.analysis = GRZ_ANALYSIS_CPU;
        return collide(l, NULL, GRZ_ANSWER_DISCRETE, &slices, 1.0, error);
    case 5:
        slices.offset = 0.01;
        slices.oriented = slices.confirm = true;
        return collide(l, NULL, GRZ_ANSWER_DISCRETE, &slices, 1.0, error);
    case 6:
        return collide(l, NULL, GRZ_ANSWER_EXACT, NULL, 1.0, error);
    case 7:
        return collide(l, NULL, GRZ_ANSWER_EXACT, NULL, 2.5, error); // containment: all of it
    case 8:
        return collide(l, "slices", GRZ_ANSWER_EXACT, NULL, 1.0, error);
    case 9: { // pairs by shaders, many jobs
        const grz_object a = grz_object_at_origin(l->here);
        const grz_pose poses[3] = {steps[1], steps[0], still[0]};
        grz_pose_answer answers[3];
        grz_collide_options options = grz_default_collide_options();
        grz_status status = grz_grid_limit_pairs(l->device, 1 << 16, error);
        options.method = "slices";
        if (status == GRZ_OK)
            status = grz_collide_poses(l->device, &a, l->here, poses, 3, &options, answers, error);
        return status;
    }
    case 10: { // both meshes in buffers
        grz_object a = grz_object_at_origin(l->gl), b = a;
        grz_collide_options options = grz_default_collide_options();
        options.method = "slices";
        b.pose = steps[1];
        return grz_collide(l->device, &a, &b, &options, l->result, error);
    }
    case 11:
        return grz_slices_path(l->device, l->gl, still, l->here, steps, 2, &slices, &path, error);
    case 12:
        return collide(l, "layers", GRZ_ANSWER_EXACT, NULL, 1.0, error);
    case 13: { // by itself, in its own coordinates
        const grz_object a = grz_object_at_origin(l->here);
        grz_collide_options options = grz_default_collide_options();
        options.method = "layers";
        return grz_collide_self(l->device, &a, &options, l->result, error);
    }
    case 14:
        return collide(l, "layers", GRZ_ANSWER_DISCRETE, NULL, 1.0, error);
    case 15:
        return collide_scene(l, "layers", error);
    case 16:
        return collide(l, "selection", GRZ_ANSWER_EXACT, NULL, 1.0, error);
    case 17:
        return collide(l, "selection", GRZ_ANSWER_DISCRETE, NULL, 1.0, error);
    case 18:
        return collide_scene(l, "selection", error);
    case 19: { // both meshes in buffers, leaves of another size
        grz_object a = grz_object_at_origin(l->gl), b = a;
        grz_collide_options options = grz_default_collide_options();
        grz_selection_options selection = grz_default_selection_options();
        const grz_method_options own = {.method = "selection", .options = &selection};
        selection.max_faces = 9;
        options.method = "selection";
        options.method_options = &own;
        b.pose = steps[1];
        return grz_collide(l->device, &a, &b, &options, l->result, error);
    }
    case 20:
        return collide(l, "heightmap", GRZ_ANSWER_EXACT, NULL, 1.0, error);
    case 21:
        return collide(l, "heightmap", GRZ_ANSWER_DISCRETE, NULL, 1.0, error);
    case 22:
        return collide_scene(l, "heightmap", error);
    case 23:
        return collide_maps(l, error);
    default:
        picture.width = picture.height = SIDE;
        return grz_picture_draw(l->device, &object, 1, l->result, &picture, l->pixels, NULL, error);
    }
}

static void end_life(life *l, long nth)
{
    grz_result_destroy(l->result);
    grz_mesh_destroy(l->gl);
    grz_mesh_destroy(l->here);
    if (l->device != NULL)
        test_gl_device_close(l->device);
    if (l->strict->blocks != 0 || l->strict->bytes != 0 || l->strict->misused)
        fail_msg("call %ld of each step fails: %ld blocks, %ld bytes are lost, or a size was wrong", nth,
                 l->strict->blocks, l->strict->bytes);
}

// In every step call number `nth` fails, where the step makes so many. Returns how many steps failed; `reached`
// receives in how many steps a call was to fail, which some do without.
static int live(life *l, long nth, int *reached)
{
    int failures = 0;
    *reached = 0;
    for (int step = 0; step < STEPS; step++) {
        grz_error error = {.message = ""};
        l->strict->failed = false;
        l->strict->fail_at = l->strict->calls + nth;
        grz_status status = take_step(l, step, &error);
        l->strict->fail_at = 0;
        *reached += l->strict->failed;
        if (status != GRZ_OK) {
            if (status != GRZ_ERROR_MEMORY || error.message[0] == '\0' || !l->strict->failed)
                fail_msg("call %ld of step %d fails: it says %s \"%s\"", nth, step, grz_status_name(status),
                         error.message);
            failures++;
            status = take_step(l, step, &error);
        }
        if (status != GRZ_OK)
            fail_msg("call %ld of step %d failed: it does not succeed again: \"%s\"", nth, step, error.message);
    }
    end_life(l, nth);
    return failures;
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    grz_context context;
    assert_int_equal(grz_context_open(0, false, &context, NULL), GRZ_OK);
    assert_true(grz_context_make_current(&context));
    test_mesh ball = test_mesh_icosphere(1.0, 2);
    float positions[3 * 162];
    GLuint buffers[2];
    assert_int_equal(ball.vertex_count, 162);
    for (size_t i = 0; i < sizeof positions / sizeof *positions; i++)
        positions[i] = (float)ball.positions[i];
    glCreateBuffers(2, buffers);
    glNamedBufferData(buffers[0], sizeof positions, positions, GL_STATIC_DRAW);
    glNamedBufferData(buffers[1], (GLsizeiptr)(ball.index_count * sizeof *ball.indices), ball.indices, GL_STATIC_DRAW);
    glFinish();
    const long stride = TEST_SHORT ? 9 : 3;
    long lives = 0, failed = 0, reached = 0;
    for (int steps = STEPS; steps > 0; lives++) {
        test_strict_allocator strict = {.lock = PTHREAD_MUTEX_INITIALIZER};
        life l = {.strict = &strict, .shape = &ball, .positions = buffers[0], .indices = buffers[1]};
        failed += live(&l, 1 + lives * stride, &steps);
        reached += steps;
    }
    print_message("  %ld lives, %ld allocations that fail, %ld failed steps\n", lives, reached, failed);
    assert_true(reached * stride > 500 && failed > reached / 2); // some are done without
    glDeleteBuffers(2, buffers);
    const grz_current nothing = {.display = EGL_NO_DISPLAY, .context = EGL_NO_CONTEXT, .api = EGL_OPENGL_ES_API};
    grz_current_restore(&nothing, &context);
    grz_context_close(&context);
    test_mesh_finish(&ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_may_run_out_anywhere)};
    return test_gl_is_here() ? cmocka_run_group_tests(tests, NULL, NULL) : TEST_SKIPPED;
}
#else
int main(void)
{
    return test_gl_is_here() ? 1 : TEST_SKIPPED;
}
#endif
