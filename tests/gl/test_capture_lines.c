// SPDX-License-Identifier: MIT
// Lines and a curved patch, drawn by a callback and captured: section 5 of Dinerstein and Egbert says that their method
// works with any primitive that OpenGL draws. The patch is bicubic, by tessellation shaders; a geometry shader makes a
// triangle without area of each line, or a ribbon. Every method answers exactly about both, and as for the lines is
// known; the picture of the discrete answer sees patch and ribbon, not what has no area. Skipped where there is no
// OpenGL.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/gl.h>

#include "support_capture.h"
#include "support_queries.h"

#ifdef GRZ_HAVE_GL

// ---- Shaders --------------------------------------------------------------------------------------------------------

// A bicubic Bézier patch over the square from 0 to 1: flat at the rim, and its inner four control points lie at 1.
static const test_shaders patch = {
    .vertex = "#version 450\nvoid main() { int i = gl_VertexID & 3, j = gl_VertexID >> 2;\n"
              "bool inner = (i == 1 || i == 2) && (j == 1 || j == 2);\n"
              "gl_Position = vec4(float(i) / 3.0, float(j) / 3.0, inner ? 1.0 : 0.0, 1.0); }\n",
    .control = "#version 450\nlayout(vertices = 16) out;\n"
               "void main() { for (int i = 0; i < 4; i++) gl_TessLevelOuter[i] = 16.0;\n"
               "gl_TessLevelInner[0] = gl_TessLevelInner[1] = 16.0;\n"
               "gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position; }\n",
    .evaluation = "#version 450\nlayout(quads, equal_spacing, ccw) in;\nout vec3 grz_position;\n"
                  "vec4 weights(float t) { float s = 1.0 - t;\n"
                  "return vec4(s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t); }\n"
                  "void main() { vec4 u = weights(gl_TessCoord.x), v = weights(gl_TessCoord.y); vec3 sum = vec3(0.0);\n"
                  "for (int j = 0; j < 4; j++) for (int i = 0; i < 4; i++)\n"
                  "sum += u[i] * v[j] * gl_in[4 * j + i].gl_Position.xyz;\n"
                  "grz_position = sum; gl_Position = vec4(sum, 1.0); }\n",
    .varyings = {"grz_position"}};

// Lines along z from -1 to 2, at x = 0.125, 0.375, 0.625, …; `width` 0: triangles without area, else ribbons.
static const test_shaders lines = {
    .vertex = "#version 450\nvoid main() { float x = 0.125 + 0.25 * float(gl_VertexID >> 1);\n"
              "gl_Position = vec4(x, 0.5, (gl_VertexID & 1) == 0 ? -1.0 : 2.0, 1.0); }\n",
    .geometry = "#version 450\nlayout(lines) in;\nlayout(triangle_strip, max_vertices = 4) out;\n"
                "layout(location = 0) uniform float width = 0.0;\nout vec3 grz_position;\n"
                "void put(int end, float side) {\n"
                "grz_position = gl_in[end].gl_Position.xyz + vec3(0.0, side * width, 0.0);\n"
                "gl_Position = vec4(grz_position, 1.0); EmitVertex(); }\n"
                "void main() { put(0, -0.5); put(1, -0.5); put(width > 0.0 ? 0 : 1, 0.5);\n"
                "if (width > 0.0) put(1, 0.5); EndPrimitive(); }\n",
    .varyings = {"grz_position"}};

enum {
    LINES = 4,
    PATCH_TRIANGLES = 2 * 16 * 16
};

// ---- Asking ---------------------------------------------------------------------------------------------------------

typedef struct stage {
    test_program p;
    test_drawing drawing;
    grz_capture *capture;
    grz_result *result;
} stage;

static stage open_stage(bool with_patch)
{
    stage s = {.p = test_painter_start()};
    if (with_patch)
        s.drawing.sections[s.drawing.section_count++] =
            (test_section){.program = test_shaders_link(&patch), .mode = GL_PATCHES, .count = 16, .patch_corners = 16};
    s.drawing.sections[s.drawing.section_count++] =
        (test_section){.program = test_shaders_link(&lines), .mode = GL_LINES, .count = 2 * LINES};
    for (int i = 0; i < s.drawing.section_count; i++)
        glCreateVertexArrays(1, &s.drawing.sections[i].vertex_array);
    s.capture = test_capture_create(s.p.device, NULL);
    s.result = test_result_create(s.p.device);
    return s;
}

static void close_stage(stage *s)
{
    grz_result_destroy(s->result);
    grz_capture_destroy(s->capture);
    test_program_end(&s->p);
}

static bool ask(stage *s, const grz_mesh *captured, const grz_mesh *box, const char *method, grz_answer answer)
{
    const grz_object a = grz_object_at_origin(captured), b = grz_object_at_origin(box);
    grz_collide_options options = grz_default_collide_options();
    grz_error error;
    options.method = method;
    options.answer = answer;
    options.find = answer == GRZ_ANSWER_EXACT ? GRZ_FIND_PAIRS : 0;
    if (grz_collide(s->p.device, &a, &b, &options, s->result, &error) != GRZ_OK)
        fail_msg("%s: %s", method, error.message);
    return grz_result_summary(s->result)->colliding;
}

// The faces of the captured mesh that touch a box, by every method; each finds the same. Bit i stands for face
// `first` + i.
static uint32_t touched(stage *s, const grz_mesh *captured, const test_mesh *box, uint64_t first)
{
    static const char *const methods[] = {"bvh", "naive", "slices", "layers", "selection", "heightmap"};
    grz_mesh *other = test_mesh_upload(s->p.device, box);
    uint32_t expected = 0;
    uint64_t expected_count = 0;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        uint64_t count;
        uint32_t faces = 0;
        ask(s, captured, other, methods[i], GRZ_ANSWER_EXACT);
        const grz_pair *pairs = grz_result_pairs(s->result, &count);
        for (uint64_t k = 0; k < count; k++)
            if (pairs[k].face_a >= first && pairs[k].face_a < first + 32)
                faces |= 1u << (pairs[k].face_a - first);
        expected = i == 0 ? faces : expected;
        expected_count = i == 0 ? count : expected_count;
        if (faces != expected || count != expected_count)
            fail_msg("%s finds faces %x in %llu pairs, bvh %x in %llu", methods[i], faces, (unsigned long long)count,
                     expected, (unsigned long long)expected_count);
    }
    grz_mesh_destroy(other);
    return expected;
}

// ---- Tests ----------------------------------------------------------------------------------------------------------

// Which lines pass through a box, touch its side, or end before it is known by their coordinates.
static void lines_touch_what_they_cross(void **state)
{
    (void)state;
    stage s = open_stage(false);
    const grz_mesh *mesh = test_capture_draw(s.capture, &s.drawing);
    assert_int_equal(grz_mesh_triangle_count(mesh), LINES);
    test_mesh first = test_mesh_box((double[3]){0.0, 0.25, 0.0}, (double[3]){0.5, 0.75, 0.25}),
              side = test_mesh_box((double[3]){0.375, 0.25, 0.0}, (double[3]){0.625, 0.5, 0.25}),
              above = test_mesh_box((double[3]){0.0, 0.0, 2.0}, (double[3]){0.25, 1.0, 3.0}),
              beyond = test_mesh_box((double[3]){0.0, 0.0, 2.0625}, (double[3]){1.0, 1.0, 3.0}),
              between = test_mesh_box((double[3]){0.1875, 0.0, -3.0}, (double[3]){0.3125, 1.0, 3.0});
    assert_int_equal(touched(&s, mesh, &first, 0), 0x3);
    assert_int_equal(touched(&s, mesh, &side, 0), 0x6);  // along edges of the box
    assert_int_equal(touched(&s, mesh, &above, 0), 0x1); // with its end
    assert_int_equal(touched(&s, mesh, &beyond, 0), 0);
    assert_int_equal(touched(&s, mesh, &between, 0), 0);
    test_mesh_finish(&first);
    test_mesh_finish(&side);
    test_mesh_finish(&above);
    test_mesh_finish(&beyond);
    test_mesh_finish(&between);
    close_stage(&s);
}

// Both in one capture. The top of the patch is at 9/16, where a cube hangs; its lines go through the patch.
static void a_patch_and_lines_are_one_mesh(void **state)
{
    (void)state;
    stage s = open_stage(true);
    const grz_mesh *mesh = test_capture_draw(s.capture, &s.drawing);
    assert_int_equal(grz_mesh_triangle_count(mesh), PATCH_TRIANGLES + LINES);
    assert_int_equal(s.drawing.sections[1].first, PATCH_TRIANGLES);
    test_mesh read = test_capture_read(s.capture);
    for (uint64_t i = 0; i < 3 * PATCH_TRIANGLES; i++) {
        const double *v = read.positions + 3 * i, u = v[0], w = v[1];
        assert_true(fabs(v[2] - 9.0 * u * (1.0 - u) * w * (1.0 - w)) < 1e-6);
    }
    test_mesh low = test_mesh_box((double[3]){0.45, 0.45, 0.5}, (double[3]){0.55, 0.55, 1.0}),
              high = test_mesh_box((double[3]){0.45, 0.45, 0.563}, (double[3]){0.55, 0.55, 1.0}),
              wide = test_mesh_box((double[3]){0.25, 0.25, 0.57}, (double[3]){0.75, 0.75, 1.0});
    assert_int_equal(touched(&s, mesh, &low, PATCH_TRIANGLES), 0); // the patch alone
    assert_true(grz_result_summary(s.result)->pair_count > 0);
    assert_int_equal(touched(&s, mesh, &high, PATCH_TRIANGLES), 0);
    assert_int_equal(grz_result_summary(s.result)->pair_count, 0);
    assert_int_equal(touched(&s, mesh, &wide, PATCH_TRIANGLES), 0x6); // lines alone
    test_mesh_finish(&read);
    test_mesh_finish(&low);
    test_mesh_finish(&high);
    test_mesh_finish(&wide);
    close_stage(&s);
}

// The paper's picture: it sees the patch, and lines that were given a width.
static void pictures_see_what_has_area(void **state)
{
    (void)state;
    stage s = open_stage(true);
    test_mesh low = test_mesh_box((double[3]){0.45, 0.45, 0.5}, (double[3]){0.55, 0.55, 1.0}),
              wide = test_mesh_box((double[3]){0.25, 0.25, 0.57}, (double[3]){0.75, 0.75, 1.0});
    grz_mesh *meshes[2] = {test_mesh_upload(s.p.device, &low), test_mesh_upload(s.p.device, &wide)};
    const grz_mesh *mesh = test_capture_draw(s.capture, &s.drawing);
    assert_true(ask(&s, mesh, meshes[0], "slices", GRZ_ANSWER_DISCRETE));
    assert_false(ask(&s, mesh, meshes[1], "slices", GRZ_ANSWER_DISCRETE)); // lines without area
    assert_true(grz_result_summary(s.result)->may_miss);
    glProgramUniform1f(s.drawing.sections[1].program, 0, 0.0625f);
    mesh = test_capture_draw(s.capture, &s.drawing);
    assert_int_equal(grz_mesh_triangle_count(mesh), PATCH_TRIANGLES + 2 * LINES);
    assert_true(ask(&s, mesh, meshes[1], "slices", GRZ_ANSWER_DISCRETE));
    assert_int_equal(touched(&s, mesh, &wide, PATCH_TRIANGLES), 0x3c); // two faces a ribbon, of two lines
    grz_mesh_destroy(meshes[0]);
    grz_mesh_destroy(meshes[1]);
    test_mesh_finish(&low);
    test_mesh_finish(&wide);
    close_stage(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_touch_what_they_cross),
        cmocka_unit_test(a_patch_and_lines_are_one_mesh),
        cmocka_unit_test(pictures_see_what_has_area),
    };
    return test_gl_is_here() ? cmocka_run_group_tests(tests, NULL, NULL) : TEST_SKIPPED;
}
#else
int main(void)
{
    return test_gl_is_here() ? 1 : TEST_SKIPPED;
}
#endif
