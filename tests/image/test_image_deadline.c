// SPDX-License-Identifier: MIT
// With a deadline or a cancel flag, the methods of OpenGL draw and dispatch in parts, because neither can be stopped
// once it has begun. The parts are counted where they reach OpenGL: none is large, all together do the same work, and
// the answers are the same. Skipped where there is no OpenGL.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <graze/gl.h>

#include "support_gl.h"
#include "support_meshes.h"
#include "support_queries.h"

#ifdef GRZ_HAVE_GL
#include <epoxy/gl.h>

enum {
    // On a renderer that works on the processor. A GPU is given more at a time.
    MOST_DRAWN = 1 << 14, // triangles
    MOST_GROUPS = 64
};

// What was asked of OpenGL.
static struct {
    uint64_t draws, triangles, most_drawn;
    uint64_t dispatches, most_groups, indirect;
} asked;

static PFNGLDRAWELEMENTSPROC draw_elements;
static PFNGLDISPATCHCOMPUTEPROC dispatch_compute;
static PFNGLDISPATCHCOMPUTEINDIRECTPROC dispatch_indirect;

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void EPOXY_CALLSPEC count_draw(GLenum mode, GLsizei count, GLenum type, const void *indices)
{
    asked.draws++;
    asked.triangles += (uint64_t)count / 3;
    asked.most_drawn = larger(asked.most_drawn, (uint64_t)count / 3);
    draw_elements(mode, count, type, indices);
}

static void EPOXY_CALLSPEC count_dispatch(GLuint x, GLuint y, GLuint z)
{
    asked.dispatches++;
    asked.most_groups = larger(asked.most_groups, (uint64_t)x * y * z);
    dispatch_compute(x, y, z);
}

static void EPOXY_CALLSPEC count_indirect(GLintptr offset)
{
    asked.indirect++;
    dispatch_indirect(offset);
}

typedef struct question {
    const char *method;
    grz_answer answer;
    bool self;
} question;

static test_answer ask(grz_device *device, const question *q, const grz_object *a, const grz_object *b, double deadline)
{
    grz_result *result = test_result_create(device);
    grz_collide_options options = grz_default_collide_options();
    grz_layers_options layers = grz_default_layers_options();
    layers.resolution = 512; // so fine that the discrete answer finds pairs
    options.method = q->method;
    options.answer = q->answer;
    options.find = GRZ_FIND_PAIRS;
    options.limits.deadline = deadline;
    options.method_options = &(grz_method_options){.method = "layers", .options = &layers};
    memset(&asked, 0, sizeof asked);
    grz_error error;
    const grz_status status = q->self ? grz_collide_self(device, a, &options, result, &error)
                                      : grz_collide(device, a, b, &options, result, &error);
    if (status != GRZ_OK)
        fail_msg("%s: %s", q->method, error.message);
    test_answer answer = test_answer_of(result);
    grz_result_destroy(result);
    return answer;
}

// Each function of OpenGL must have been called once by now: epoxy looks it up in the first call.
static void start_counting(void)
{
    draw_elements = epoxy_glDrawElements;
    dispatch_compute = epoxy_glDispatchCompute;
    dispatch_indirect = epoxy_glDispatchComputeIndirect;
    epoxy_glDrawElements = count_draw;
    epoxy_glDispatchCompute = count_dispatch;
    epoxy_glDispatchComputeIndirect = count_indirect;
}

static void stop_counting(void)
{
    epoxy_glDrawElements = draw_elements;
    epoxy_glDispatchCompute = dispatch_compute;
    epoxy_glDispatchComputeIndirect = dispatch_indirect;
}

// Whether the discrete answer of a method lists pairs.
static bool names_pairs(const char *method)
{
    return strcmp(method, "layers") == 0 || strcmp(method, "selection") == 0;
}

static void work_is_done_in_parts_that_end_soon(void **state)
{
    (void)state;
    static const question questions[] = {
        {"slices", GRZ_ANSWER_EXACT, false},       {"slices", GRZ_ANSWER_DISCRETE, false},
        {"layers", GRZ_ANSWER_EXACT, false},       {"layers", GRZ_ANSWER_DISCRETE, false},
        {"layers", GRZ_ANSWER_EXACT, true},        {"selection", GRZ_ANSWER_EXACT, false},
        {"selection", GRZ_ANSWER_DISCRETE, false}, {"heightmap", GRZ_ANSWER_EXACT, false},
        {"heightmap", GRZ_ANSWER_DISCRETE, false},
    };
    const double hour = 3600.0;
    grz_device *device = test_gl_device_open();
    test_mesh torus = test_mesh_torus(1.0, 0.3, 256, 80), ball = test_mesh_icosphere(1.0, 5);
    grz_mesh *mesh_a = test_mesh_upload(device, &torus), *mesh_b = test_mesh_upload(device, &ball);
    const grz_object a = grz_object_at_origin(mesh_a), b = grz_object_at_origin(mesh_b);
    assert_true(torus.face_count > 2 * MOST_DRAWN && ball.face_count > MOST_DRAWN);
    grz_renderer renderer;
    uint64_t parts = 0;
    assert_int_equal(grz_device_renderer(device, &renderer, NULL), GRZ_OK);
    const bool software = renderer.software;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) { // also makes room, so that nothing runs twice
        test_answer warm = ask(device, &questions[i], &a, &b, 0.0);
        test_answer_finish(&warm);
    }
    start_counting();
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        const question *q = &questions[i];
        test_answer whole = ask(device, q, &a, &b, 0.0);
        const uint64_t drawn_at_once = asked.triangles, dispatches = asked.dispatches + asked.indirect;
        const bool dispatched_more = asked.most_groups > MOST_GROUPS || asked.indirect > 0;
        test_answer split = ask(device, q, &a, &b, hour);
        if (!test_answers_equal(q->method, &whole, &split))
            fail_msg("question %zu: the deadline changes the answer", i);
        if (q->answer == GRZ_ANSWER_EXACT || names_pairs(q->method))
            assert_true(q->self || whole.pair_count > 0);
        else
            assert_true(whole.summary.colliding);
        assert_int_equal(asked.triangles, drawn_at_once);
        assert_int_equal(asked.indirect, 0);
        if (software && (asked.most_drawn > MOST_DRAWN || asked.most_groups > MOST_GROUPS))
            fail_msg("question %zu: %llu triangles and %llu groups at a time", i, (unsigned long long)asked.most_drawn,
                     (unsigned long long)asked.most_groups);
        if (software && dispatched_more)
            assert_true(asked.dispatches > dispatches);
        parts += asked.dispatches + asked.draws;
        test_answer_finish(&whole);
        test_answer_finish(&split);
    }
    stop_counting();
    print_message("  %llu parts\n", (unsigned long long)parts);
    grz_mesh_destroy(mesh_a);
    grz_mesh_destroy(mesh_b);
    test_mesh_finish(&torus);
    test_mesh_finish(&ball);
    test_gl_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(work_is_done_in_parts_that_end_soon)};
    if (!test_gl_is_here())
        return TEST_SKIPPED;
    return cmocka_run_group_tests_name("image deadline", tests, NULL, NULL);
}

#else

int main(void)
{
    test_gl_is_here();
    return TEST_SKIPPED;
}

#endif
