// SPDX-License-Identifier: MIT
// Captures that go wrong: whatever a callback does ends in an error that says so, the caller's context is as it was,
// and the next draw is right. Queries with the mesh fail in between. Bad arguments; more triangles than a device takes;
// positions that are not numbers. Skipped where there is no OpenGL; in builds without it, the functions say that.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <graze/gl.h>

#include "support_allocator.h"
#include "support_capture.h"
#include "support_queries.h"

#ifdef GRZ_HAVE_GL
#include "gpu/gl_mesh.h"

static const test_shaders plain = {.vertex = "#version 450\nlayout(location = 0) in vec3 position;\n"
                                             "out vec3 grz_position; void main() { grz_position = position; }\n",
                                   .varyings = {"grz_position"}},
                          uncaptured = {.vertex = "#version 450\nvoid main() { gl_Position = vec4(0.0); }\n"},
                          other_name = {.vertex = "#version 450\nout vec3 place;\n"
                                                  "void main() { place = vec3(gl_VertexID); }\n",
                                        .varyings = {"place"}},
                          other_type = {.vertex = "#version 450\nout vec2 grz_position;\n"
                                                  "void main() { grz_position = vec2(gl_VertexID); }\n",
                                        .varyings = {"grz_position"}},
                          two_buffers = {.vertex = "#version 450\nout vec3 grz_position; out vec3 other;\n"
                                                   "void main() { grz_position = other = vec3(gl_VertexID); }\n",
                                         .varyings = {"grz_position", "gl_NextBuffer", "other"}},
                          wider = {.vertex = "#version 450\nout vec3 grz_position; out vec3 other;\n"
                                             "void main() { grz_position = other = vec3(gl_VertexID); }\n",
                                   .varyings = {"grz_position", "other"}},
                          lines = {.vertex = "#version 450\nvoid main() { gl_Position = vec4(gl_VertexID); }\n",
                                   .geometry = "#version 450\nlayout(points) in;\n"
                                               "layout(line_strip, max_vertices = 2) out; out vec3 grz_position;\n"
                                               "void main() { grz_position = vec3(0.0); EmitVertex();\n"
                                               "grz_position = vec3(1.0); EmitVertex(); }\n",
                                   .varyings = {"grz_position"}};

// A program that draws a cube, and does one thing wrong.
typedef struct painter {
    test_program program;
    grz_device *device;
    grz_capture *capture;
    grz_mesh *probe; // a cube that crosses the captured one
    GLuint buffer, vertex_array, plain, wrong, query, feedback;
    grz_context other;
    grz_status (*misdeed)(struct painter *); // instead of drawing
    grz_status returned;
    uint64_t seen; // triangles so far, at the end of the callback
} painter;

static void paint(const painter *p, GLenum mode, GLsizei count)
{
    glBindVertexArray(p->vertex_array);
    glDrawArrays(mode, 0, count);
}

static grz_status draw_cube(painter *p)
{
    glUseProgram(p->plain);
    const grz_status status = grz_capture_begin(p->capture, NULL);
    if (status != GRZ_OK)
        return status;
    paint(p, GL_TRIANGLES, 36);
    return grz_capture_end(p->capture, NULL);
}

static grz_status draw(void *user, grz_capture *capture)
{
    painter *p = user;
    assert_true(capture == p->capture && glIsEnabled(GL_RASTERIZER_DISCARD));
    const grz_status status = p->misdeed != NULL ? p->misdeed(p) : draw_cube(p);
    p->seen = grz_capture_triangle_count(capture);
    return status;
}

static painter start(void)
{
    painter p = {.program = test_painter_start()};
    test_mesh cube = test_mesh_cube(0.0, 0.0, 0.0, 1.0);
    p.device = p.program.device;
    p.capture = test_capture_create(p.device, NULL);
    p.probe = test_mesh_upload(p.device, &cube);
    p.vertex_array = test_corners(&cube, &p.buffer);
    p.plain = test_shaders_link(&plain);
    test_mesh_finish(&cube);
    return p;
}

static void finish(painter *p)
{
    grz_capture_destroy(p->capture);
    grz_mesh_destroy(p->probe);
    glDeleteBuffers(1, &p->buffer);
    test_program_end(&p->program);
}

// The mesh is that of the cube: it crosses another one in the same way each time.
static void expect_cube(painter *p)
{
    grz_error error;
    grz_result *result = test_result_create(p->device);
    if (grz_capture_draw(p->capture, draw, p, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    assert_int_equal(grz_capture_triangle_count(p->capture), 12);
    const grz_object a = grz_object_at_origin(grz_capture_mesh(p->capture));
    grz_object b = grz_object_at_origin(p->probe);
    b.pose = grz_pose_from_translation(0.5, 0.25, 0.125);
    if (grz_collide(p->device, &a, &b, NULL, result, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    assert_true(grz_result_summary(result)->colliding);
    grz_result_destroy(result);
}

// Queries with the mesh fail, wherever the other object is.
static void expect_no_answers(painter *p)
{
    grz_error error;
    grz_result *result = test_result_create(p->device);
    const grz_object a = grz_object_at_origin(grz_capture_mesh(p->capture));
    grz_object b = grz_object_at_origin(p->probe);
    for (int i = 0; i < 2; i++) {
        b.pose = grz_pose_from_translation(i == 0 ? 0.5 : 100.0, 0.25, 0.125);
        test_expect_error(grz_collide(p->device, &a, &b, NULL, result, &error), GRZ_ERROR_MESH, &error,
                          "grz_capture_draw() failed", GRZ_NO_ELEMENT);
        test_expect_error(grz_collide_self(p->device, &a, NULL, result, &error), GRZ_ERROR_MESH, &error,
                          "grz_capture_draw() failed", GRZ_NO_ELEMENT);
    }
    grz_result_destroy(result);
}

// ---- Misdeeds of a callback ---------------------------------------------------------------------------------------

static grz_status draw_nothing(painter *p)
{
    (void)p;
    return GRZ_OK;
}

static grz_status draw_no_triangles(painter *p)
{
    glUseProgram(p->plain);
    grz_capture_begin(p->capture, NULL);
    return grz_capture_end(p->capture, NULL);
}

static grz_status use_no_program(painter *p)
{
    glUseProgram(0);
    return grz_capture_begin(p->capture, NULL);
}

// Whatever program is wrong; the error is ignored, and drawing goes on.
static grz_status use_wrong_program(painter *p)
{
    glUseProgram(p->wrong);
    grz_capture_begin(p->capture, NULL);
    glBindVertexArray(p->vertex_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    grz_capture_end(p->capture, NULL);
    return GRZ_OK;
}

static grz_status change_the_layout(painter *p)
{
    draw_cube(p);
    return use_wrong_program(p);
}

static grz_status begin_twice(painter *p)
{
    glUseProgram(p->plain);
    grz_capture_begin(p->capture, NULL);
    return grz_capture_begin(p->capture, NULL);
}

static grz_status forget_the_end(painter *p)
{
    glUseProgram(p->plain);
    grz_capture_begin(p->capture, NULL);
    paint(p, GL_TRIANGLES, 36);
    return GRZ_OK;
}

static grz_status end_alone(painter *p)
{
    return grz_capture_end(p->capture, NULL);
}

static grz_status draw_lines(painter *p)
{
    glUseProgram(p->plain);
    grz_capture_begin(p->capture, NULL);
    paint(p, GL_LINES, 36);
    return grz_capture_end(p->capture, NULL);
}

static grz_status draw_points(painter *p)
{
    glUseProgram(p->plain);
    grz_capture_begin(p->capture, NULL);
    paint(p, GL_POINTS, 36);
    return grz_capture_end(p->capture, NULL);
}

static grz_status make_lines(painter *p)
{
    glUseProgram(p->wrong);
    grz_capture_begin(p->capture, NULL);
    paint(p, GL_POINTS, 3);
    return grz_capture_end(p->capture, NULL);
}

static grz_status change_the_program(painter *p)
{
    glUseProgram(p->plain);
    grz_capture_begin(p->capture, NULL);
    glUseProgram(p->wrong);
    return grz_capture_end(p->capture, NULL);
}

static grz_status raise_error_before(painter *p)
{
    glEnable(0x1234);
    return draw_cube(p);
}

static grz_status raise_error_after(painter *p)
{
    const grz_status status = draw_cube(p);
    glEnable(0x1234);
    return status;
}

static grz_status change_context_before(painter *p)
{
    assert_true(grz_context_make_current(&p->other));
    return grz_capture_begin(p->capture, NULL);
}

static grz_status change_context_between(painter *p)
{
    glUseProgram(p->plain);
    grz_capture_begin(p->capture, NULL);
    assert_true(grz_context_make_current(&p->other));
    return grz_capture_end(p->capture, NULL);
}

static grz_status change_context_and_leave(painter *p)
{
    glUseProgram(p->plain);
    grz_capture_begin(p->capture, NULL);
    assert_true(grz_context_make_current(&p->other));
    return GRZ_OK;
}

static grz_status change_context_after(painter *p)
{
    const grz_status status = draw_cube(p);
    assert_true(grz_context_make_current(&p->other));
    return status;
}

static grz_status end_the_feedback(painter *p)
{
    glUseProgram(p->plain);
    grz_capture_begin(p->capture, NULL);
    paint(p, GL_TRIANGLES, 36);
    glEndTransformFeedback();
    return grz_capture_end(p->capture, NULL);
}

static grz_status end_the_query(painter *p)
{
    glUseProgram(p->plain);
    grz_capture_begin(p->capture, NULL);
    paint(p, GL_TRIANGLES, 36);
    glEndQuery(GL_PRIMITIVES_GENERATED);
    return grz_capture_end(p->capture, NULL);
}

static grz_status pause_the_feedback(painter *p)
{
    glUseProgram(p->plain);
    grz_capture_begin(p->capture, NULL);
    glPauseTransformFeedback();
    paint(p, GL_TRIANGLES, 36);
    return grz_capture_end(p->capture, NULL);
}

static grz_status delete_the_buffer(painter *p)
{
    GLint name = 0;
    glUseProgram(p->plain);
    grz_capture_begin(p->capture, NULL);
    glGetIntegeri_v(GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, 0, &name);
    assert_true(glIsBuffer((GLuint)name));
    paint(p, GL_TRIANGLES, 36);
    const GLuint deleted = (GLuint)name;
    glDeleteBuffers(1, &deleted);
    return grz_capture_end(p->capture, NULL);
}

static grz_status have_a_query(painter *p)
{
    glCreateQueries(GL_PRIMITIVES_GENERATED, 1, &p->query);
    glBeginQuery(GL_PRIMITIVES_GENERATED, p->query);
    const grz_status status = draw_cube(p);
    glEndQuery(GL_PRIMITIVES_GENERATED);
    glDeleteQueries(1, &p->query);
    return status;
}

static grz_status have_a_feedback(painter *p)
{
    glUseProgram(p->plain);
    glCreateTransformFeedbacks(1, &p->feedback);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, p->feedback);
    glTransformFeedbackBufferBase(p->feedback, 0, p->buffer);
    glBeginTransformFeedback(GL_TRIANGLES);
    const grz_status status = grz_capture_begin(p->capture, NULL);
    glEndTransformFeedback();
    return status;
}

static grz_status leave_a_feedback(painter *p)
{
    draw_cube(p);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, p->feedback);
    glBeginTransformFeedback(GL_TRIANGLES);
    return GRZ_OK;
}

static grz_status leave_a_query(painter *p)
{
    const grz_status status = draw_cube(p);
    glCreateQueries(GL_SAMPLES_PASSED, 1, &p->query);
    glBeginQuery(GL_SAMPLES_PASSED, p->query);
    return status;
}

static grz_status return_something(painter *p)
{
    draw_cube(p);
    return p->returned;
}

static grz_status draw_again(void *user, grz_capture *capture)
{
    (void)user;
    (void)capture;
    return GRZ_OK;
}

static grz_status draw_from_within(painter *p)
{
    grz_error error;
    test_expect_error(grz_capture_draw(p->capture, draw_again, NULL, &error), GRZ_ERROR_BUSY, &error, "another call",
                      GRZ_NO_ELEMENT);
    return GRZ_ERROR_BUSY;
}

static void bad_callbacks_end_in_errors(void **state)
{
    (void)state;
    painter p = start();
    const grz_capture *same = p.capture;
    GLint bound;
    assert_int_equal(grz_context_open(0, false, &p.other, NULL), GRZ_OK);
    static const struct {
        grz_status (*misdeed)(painter *);
        const test_shaders *shaders;
        grz_status returned, expected;
        const char *words;
    } wrong[] = {
        {draw_nothing, NULL, GRZ_OK, GRZ_ERROR_MESH, "never called grz_capture_begin(), so it drew no triangles"},
        {draw_no_triangles, NULL, GRZ_OK, GRZ_ERROR_MESH, "drew no triangles: a mesh has at least one"},
        {use_no_program, NULL, GRZ_OK, GRZ_ERROR_ARGUMENT, "no program is in use at grz_capture_begin()"},
        {use_wrong_program, &uncaptured, GRZ_OK, GRZ_ERROR_ARGUMENT, "captures nothing: call glTransformFeedbackVar"},
        {use_wrong_program, &other_name, GRZ_OK, GRZ_ERROR_ARGUMENT, "captures no grz_position"},
        {use_wrong_program, &other_type, GRZ_OK, GRZ_ERROR_ARGUMENT, "is no vec3 and no vec4"},
        {use_wrong_program, &two_buffers, GRZ_OK, GRZ_ERROR_ARGUMENT, "captures into 2 buffers"},
        {change_the_layout, &wider, GRZ_OK, GRZ_ERROR_ARGUMENT, "at byte 0 of 24, one before it at byte 0 of 12"},
        {begin_twice, NULL, GRZ_OK, GRZ_ERROR_ARGUMENT, "grz_capture_begin() twice"},
        {forget_the_end, NULL, GRZ_OK, GRZ_ERROR_ARGUMENT, "grz_capture_begin(), and not grz_capture_end()"},
        {end_alone, NULL, GRZ_OK, GRZ_ERROR_ARGUMENT, "grz_capture_end() without grz_capture_begin()"},
        {draw_lines, NULL, GRZ_OK, GRZ_ERROR_DEVICE, "were lines or points drawn"},
        {draw_points, NULL, GRZ_OK, GRZ_ERROR_DEVICE, "were lines or points drawn"},
        {make_lines, &lines, GRZ_OK, GRZ_ERROR_DEVICE, "were lines or points drawn"},
        {change_the_program, &wider, GRZ_OK, GRZ_ERROR_DEVICE, "was glUseProgram() called"},
        {raise_error_before, NULL, GRZ_OK, GRZ_ERROR_DEVICE, "in the callback before grz_capture_begin()"},
        {raise_error_after, NULL, GRZ_OK, GRZ_ERROR_DEVICE, "the callback left an error in OpenGL"},
        {change_context_before, NULL, GRZ_OK, GRZ_ERROR_DEVICE, "another OpenGL context is current at grz_capture_beg"},
        {change_context_between, NULL, GRZ_OK, GRZ_ERROR_DEVICE,
         "another OpenGL context is current at grz_capture_end"},
        {change_context_and_leave, NULL, GRZ_OK, GRZ_ERROR_DEVICE, "the callback changed the current OpenGL context"},
        {change_context_after, NULL, GRZ_OK, GRZ_ERROR_DEVICE, "the callback changed the current OpenGL context"},
        {end_the_feedback, NULL, GRZ_OK, GRZ_ERROR_ARGUMENT, "ended the transform feedback or a query"},
        {end_the_query, NULL, GRZ_OK, GRZ_ERROR_ARGUMENT, "ended the transform feedback or a query"},
        {pause_the_feedback, NULL, GRZ_OK, GRZ_ERROR_DEVICE, "of 12 triangles OpenGL captured 0"},
        {delete_the_buffer, NULL, GRZ_OK, GRZ_ERROR_DEVICE, "deleted the buffer that it was to draw into"},
        {have_a_query, NULL, GRZ_OK, GRZ_ERROR_ARGUMENT, "a query of GL_PRIMITIVES_GENERATED is active"},
        {have_a_feedback, NULL, GRZ_OK, GRZ_ERROR_ARGUMENT, "another transform feedback is active"},
        {leave_a_feedback, NULL, GRZ_OK, GRZ_ERROR_DEVICE, "the callback left a transform feedback"},
        {leave_a_query, NULL, GRZ_OK, GRZ_ERROR_DEVICE, "the callback left a query"},
        {draw_from_within, NULL, GRZ_OK, GRZ_ERROR_BUSY, "the callback ended the query"},
        {return_something, NULL, GRZ_ERROR_FILE, GRZ_ERROR_FILE, "the callback ended the query"},
        {return_something, NULL, (grz_status)999, GRZ_ERROR_ARGUMENT, "the callback returned 999, which is no status"},
    };
    expect_cube(&p);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        grz_error error;
        p.misdeed = wrong[i].misdeed;
        p.returned = wrong[i].returned;
        p.wrong = wrong[i].shaders != NULL ? test_shaders_link(wrong[i].shaders) : 0;
        glUseProgram(0);
        const grz_status status = grz_capture_draw(p.capture, draw, &p, &error);
        if (status != wrong[i].expected || strstr(error.message, wrong[i].words) == NULL)
            fail_msg("%zu: %s (%s), expected %s", i, grz_status_name(status), error.message, wrong[i].words);
        assert_true(error.code == status && eglGetCurrentContext() == p.program.context.context);
        assert_int_equal(glGetError(), GL_NO_ERROR);
        assert_false(glIsEnabled(GL_RASTERIZER_DISCARD));
        glGetIntegerv(GL_TRANSFORM_FEEDBACK_BINDING, &bound);
        assert_int_equal(bound, 0);
        assert_int_equal(grz_capture_triangle_count(p.capture), 0);
        glDeleteQueries(1, &p.query);
        p.query = 0;
        expect_no_answers(&p);
        p.misdeed = NULL;
        glDeleteProgram(p.wrong);
        expect_cube(&p);
        assert_ptr_equal(p.capture, same);
    }
    glDeleteTransformFeedbacks(1, &p.feedback);
    grz_context_close(&p.other);
    finish(&p);
}

// ---- The caller's state -------------------------------------------------------------------------------------------

static grz_status leave_a_mess(painter *p)
{
    const grz_status status = draw_cube(p);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
    glDisable(GL_RASTERIZER_DISCARD);
    glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, p->buffer);
    glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, 0);
    glBindVertexArray(0);
    glUseProgram(0);
    return status;
}

// The caller has a transform feedback of its own under way. It is paused, and then goes on where it was.
static void the_callers_feedback_goes_on(void **state)
{
    (void)state;
    painter p = start();
    GLuint kept, framebuffer;
    float first[3] = {-1.0f, -1.0f, -1.0f}, second[3] = {-1.0f, -1.0f, -1.0f};
    GLint number = 0, active = 0, paused = 1, indexed = 0;
    glCreateFramebuffers(1, &framebuffer); // this context has no other to draw into
    glNamedFramebufferParameteri(framebuffer, GL_FRAMEBUFFER_DEFAULT_WIDTH, 1);
    glNamedFramebufferParameteri(framebuffer, GL_FRAMEBUFFER_DEFAULT_HEIGHT, 1);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glCreateBuffers(1, &kept);
    glNamedBufferData(kept, 4096, NULL, GL_DYNAMIC_DRAW);
    glCreateTransformFeedbacks(1, &p.feedback);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, p.feedback);
    glTransformFeedbackBufferBase(p.feedback, 0, kept);
    glUseProgram(p.plain);
    glBindVertexArray(p.vertex_array);
    glBeginTransformFeedback(GL_TRIANGLES);
    glDrawArrays(GL_TRIANGLES, 3, 3);
    p.misdeed = leave_a_mess;
    expect_cube(&p);
    glGetIntegerv(GL_TRANSFORM_FEEDBACK_BINDING, &number);
    glGetIntegerv(GL_TRANSFORM_FEEDBACK_ACTIVE, &active);
    glGetIntegerv(GL_TRANSFORM_FEEDBACK_PAUSED, &paused);
    glGetIntegeri_v(GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, 0, &indexed);
    assert_true((GLuint)number == p.feedback && active != 0 && paused == 0 && (GLuint)indexed == kept);
    glDrawArrays(GL_TRIANGLES, 6, 3);
    glEndTransformFeedback();
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glGetNamedBufferSubData(kept, 0, sizeof first, first);
    glGetNamedBufferSubData(kept, 36, sizeof second, second);
    float expected[3];
    glGetNamedBufferSubData(p.buffer, 36, sizeof expected, expected);
    assert_memory_equal(first, expected, sizeof first);
    glGetNamedBufferSubData(p.buffer, 72, sizeof expected, expected);
    assert_memory_equal(second, expected, sizeof second);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
    glDeleteTransformFeedbacks(1, &p.feedback);
    glDeleteBuffers(1, &kept);
    glDeleteFramebuffers(1, &framebuffer);
    finish(&p);
}

// ---- What is drawn is refused -------------------------------------------------------------------------------------

static void positions_must_be_numbers(void **state)
{
    (void)state;
    painter p = start();
    expect_cube(&p);
    const float bad[] = {NAN, INFINITY}, good = 0.0f;
    for (int i = 0; i < 2; i++) {
        grz_error error;
        glNamedBufferSubData(p.buffer, 12 * 17 + 4, sizeof bad[i], &bad[i]);
        test_expect_error(grz_capture_draw(p.capture, draw, &p, &error), GRZ_ERROR_MESH, &error,
                          i == 0 ? "vertex 17: y is NaN" : "vertex 17: y is", 17);
        expect_no_answers(&p);
        glNamedBufferSubData(p.buffer, 12 * 17 + 4, sizeof good, &good);
        expect_cube(&p);
    }
    finish(&p);
}

// The most bytes that a shader sees. Ends the test as skipped if reaching that limit would take too much memory.
static GLint64 block_of_shaders(painter *p)
{
    GLint64 block = 0;
    glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &block);
    if (block > 1 << 28) {
        finish(p);
        test_skip_one("a shader sees so much that reaching the limit would take too much memory");
    }
    return block;
}

// 252 bytes a vertex: fewer triangles reach the limit.
static void no_more_triangles_than_a_shader_sees(void **state)
{
    (void)state;
    painter p = start();
    test_shaders heavy = {.vertex = "#version 450\nout vec3 grz_position;\n"
                                    "void main() { grz_position = vec3(gl_VertexID % 3, 0.0, gl_VertexID % 2); }\n",
                          .varyings = {"grz_position"}};
    for (size_t i = 1; i <= 15; i++)
        heavy.varyings[i] = "gl_SkipComponents4";
    grz_capture_options options = grz_default_capture_options();
    options.triangles = UINT64_MAX; // as many as there may be
    grz_error error;
    const GLint64 block = block_of_shaders(&p);
    grz_capture *capture = test_capture_create(p.device, &options);
    test_drawing drawing = {.section_count = 1,
                            .sections = {{.program = test_shaders_link(&heavy),
                                          .vertex_array = p.vertex_array,
                                          .mode = GL_TRIANGLES,
                                          .count = (GLsizei)(3 * (block / (3 * 252) + 1))}}};
    test_expect_error(grz_capture_draw(capture, test_draw, &drawing, &error), GRZ_ERROR_UNSUPPORTED, &error,
                      "this device lets a shader see", GRZ_NO_ELEMENT);
    assert_int_equal(drawing.calls, 1);
    drawing.sections[0].count -= 3 * 3000;
    const grz_mesh *mesh = test_capture_draw(capture, &drawing);
    assert_int_equal(grz_gl_mesh_of(mesh)->layout.position_stride, 252);
    assert_int_equal(drawing.calls, 2);
    grz_capture_destroy(capture);
    finish(&p);
}

// A callback that draws more whenever it is called again: the buffer doubles until the device has no more.
static grz_status draw_more_each_time(void *user, grz_capture *capture)
{
    painter *p = user;
    glUseProgram(p->plain);
    glBindVertexArray(p->vertex_array);
    const grz_status status = grz_capture_begin(capture, NULL);
    if (status != GRZ_OK)
        return status;
    p->seen = 2 * p->seen + 1;
    glDrawArraysInstanced(GL_TRIANGLES, 0, 36, (GLsizei)p->seen);
    return grz_capture_end(capture, NULL);
}

static void growth_has_an_end(void **state)
{
    (void)state;
    painter p = start();
    grz_capture_options options = grz_default_capture_options();
    grz_error error;
    const GLint64 block = block_of_shaders(&p);
    options.triangles = 1;
    grz_capture *capture = test_capture_create(p.device, &options);
    p.seen = (uint64_t)block / (3 * 12 * 12 * 64); // a few steps below the limit
    test_expect_error(grz_capture_draw(capture, draw_more_each_time, &p, &error), GRZ_ERROR_UNSUPPORTED, &error,
                      "this device lets a shader see", GRZ_NO_ELEMENT);
    grz_capture_destroy(capture);
    finish(&p);
}

// The allocator fails at each call in turn. What failed succeeds when it is tried again.
static void memory_runs_out(void **state)
{
    (void)state;
    painter p = start();
    test_strict_allocator strict = {.lock = PTHREAD_MUTEX_INITIALIZER};
    grz_device_options device_options = grz_default_device_options();
    grz_capture_options options = grz_default_capture_options();
    grz_capture *first = p.capture;
    grz_device *device;
    long failures = 0;
    device_options.kind = GRZ_DEVICE_GL_CURRENT;
    device_options.allocator = test_strict_allocator_of(&strict);
    options.triangles = 5; // it grows
    for (bool more = true; more; failures++) {
        grz_error error;
        grz_result *result;
        test_mesh cube = test_mesh_cube(0.25, 0.25, 0.25, 1.0);
        assert_int_equal(grz_device_open(&device_options, &device, NULL), GRZ_OK);
        assert_int_equal(grz_result_create(device, &result, NULL), GRZ_OK);
        grz_mesh *probe = test_mesh_upload(device, &cube);
        const grz_object b = grz_object_at_origin(probe);
        strict.failed = false;
        strict.fail_at = strict.calls + failures + 1;
        for (int step = 0; step < 3; step++) {
            grz_status status = GRZ_ERROR_MEMORY;
            for (int attempt = 0; attempt < 2 && status == GRZ_ERROR_MEMORY; attempt++) {
                const grz_object a = grz_object_at_origin(step == 2 ? grz_capture_mesh(p.capture) : probe);
                status = step == 0   ? grz_capture_create(device, &options, &p.capture, &error)
                         : step == 1 ? grz_capture_draw(p.capture, draw, &p, &error)
                                     : grz_collide(device, &a, &b, NULL, result, &error);
                assert_true(status == GRZ_OK || (status == GRZ_ERROR_MEMORY && strict.failed));
            }
            if (status != GRZ_OK)
                fail_msg("step %d, call %ld: %s", step, failures, error.message);
        }
        assert_true(grz_result_summary(result)->colliding && grz_capture_triangle_count(p.capture) == 12);
        more = strict.failed;
        strict.fail_at = 0;
        grz_capture_destroy(p.capture);
        grz_result_destroy(result);
        grz_mesh_destroy(probe);
        test_gl_device_close(device);
        test_mesh_finish(&cube);
        assert_true(strict.blocks == 0 && !strict.misused);
    }
    assert_true(failures > 10);
    p.capture = first;
    finish(&p);
}

// ---- Arguments ----------------------------------------------------------------------------------------------------

static grz_status destroy_it(painter *p)
{
    const grz_status status = draw_cube(p);
    grz_capture_destroy(p->capture);
    return status;
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    painter p = start();
    grz_device_options only_cpu = grz_default_device_options();
    grz_device *cpu;
    grz_capture *made;
    grz_error error;
    only_cpu.kind = GRZ_DEVICE_CPU;
    assert_int_equal(grz_device_open(&only_cpu, &cpu, NULL), GRZ_OK);
    test_expect_error(grz_capture_create(cpu, NULL, &made, &error), GRZ_ERROR_UNSUPPORTED, &error,
                      "the device was opened without", GRZ_NO_ELEMENT);
    assert_null(made);
    test_expect_error(grz_capture_create(NULL, NULL, &made, &error), GRZ_ERROR_ARGUMENT, &error, "the device is NULL",
                      GRZ_NO_ELEMENT);
    test_expect_error(grz_capture_create(p.device, NULL, NULL, &error), GRZ_ERROR_ARGUMENT, &error,
                      "the place for the capture is NULL", GRZ_NO_ELEMENT);
    grz_capture_options options = grz_default_capture_options();
    assert_true(options.varying == NULL && options.triangles == 4096 && options.flags == GRZ_MESH_INDEX_ONLY);
    options.varying = "";
    test_expect_error(grz_capture_create(p.device, &options, &made, &error), GRZ_ERROR_ARGUMENT, &error,
                      "options.varying is empty", GRZ_NO_ELEMENT);
    options = grz_default_capture_options();
    options.flags = 1u << 20;
    test_expect_error(grz_capture_create(p.device, &options, &made, &error), GRZ_ERROR_ARGUMENT, &error,
                      "options.flags are unknown: 0x100000", GRZ_NO_ELEMENT);
    options = grz_default_capture_options();
    options.size = 3;
    test_expect_error(grz_capture_create(p.device, &options, &made, &error), GRZ_ERROR_ARGUMENT, &error,
                      "grz_default_capture_options()", GRZ_NO_ELEMENT);
    options = grz_default_capture_options();
    options.triangles = 0; // no room to begin with is as good as any
    assert_int_equal(grz_capture_create(p.device, &options, &made, NULL), GRZ_OK);
    grz_capture_destroy(made);
    test_expect_error(grz_capture_draw(NULL, draw, &p, &error), GRZ_ERROR_ARGUMENT, &error, "the capture is NULL",
                      GRZ_NO_ELEMENT);
    test_expect_error(grz_capture_draw(p.capture, NULL, &p, &error), GRZ_ERROR_ARGUMENT, &error, "the callback is NULL",
                      GRZ_NO_ELEMENT);
    // Outside of a callback nothing is done.
    assert_int_equal(grz_capture_begin(NULL, NULL), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_capture_end(NULL, NULL), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_capture_begin(p.capture, NULL), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_capture_end(p.capture, NULL), GRZ_ERROR_ARGUMENT);
    assert_null(grz_capture_mesh(NULL));
    assert_null(grz_capture_mesh(p.capture));
    assert_int_equal(grz_capture_triangle_count(NULL), 0);
    grz_capture_destroy(NULL);
    expect_cube(&p);
    assert_int_equal(p.seen, 12);
    assert_int_equal(grz_capture_begin(p.capture, NULL), GRZ_ERROR_ARGUMENT);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    // A callback that destroys its capture.
    p.misdeed = destroy_it;
    test_expect_error(grz_capture_draw(p.capture, draw, &p, &error), GRZ_ERROR_ARGUMENT, &error,
                      "the callback destroyed it", GRZ_NO_ELEMENT);
    p.capture = NULL;
    grz_device_close(cpu);
    finish(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_callbacks_end_in_errors), cmocka_unit_test(the_callers_feedback_goes_on),
        cmocka_unit_test(positions_must_be_numbers),   cmocka_unit_test(no_more_triangles_than_a_shader_sees),
        cmocka_unit_test(growth_has_an_end),           cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    if (!test_gl_is_here())
        return TEST_SKIPPED;
    return test_exit_status(cmocka_run_group_tests(tests, NULL, NULL));
}
#else
static grz_status draw_nothing(void *user, grz_capture *capture)
{
    (void)user;
    (void)capture;
    return GRZ_OK;
}

static void a_build_without_opengl_says_so(void **state)
{
    (void)state;
    grz_device *device;
    grz_capture *capture;
    grz_error error;
    grz_capture_options options = grz_default_capture_options();
    assert_int_equal(options.triangles, 4096);
    assert_int_equal(grz_device_open(NULL, &device, NULL), GRZ_OK);
    test_expect_error(grz_capture_create(device, &options, &capture, &error), GRZ_ERROR_UNSUPPORTED, &error,
                      "OpenGL is not in this build", GRZ_NO_ELEMENT);
    assert_null(capture);
    assert_int_equal(grz_capture_draw(capture, draw_nothing, NULL, &error), GRZ_ERROR_UNSUPPORTED);
    assert_int_equal(grz_capture_begin(capture, NULL), GRZ_ERROR_UNSUPPORTED);
    assert_int_equal(grz_capture_end(capture, NULL), GRZ_ERROR_UNSUPPORTED);
    assert_null(grz_capture_mesh(capture));
    assert_int_equal(grz_capture_triangle_count(capture), 0);
    grz_capture_destroy(capture);
    grz_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_build_without_opengl_says_so)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
