// SPDX-License-Identifier: MIT
// What a callback draws, captured as a mesh: plain vertices, instances, tessellated surfaces, output of geometry
// shaders, several programs one after the other. Exact answers are byte for byte those of `bvh` about the same floats
// in main memory, by every method. What is inside of it is found. The mesh follows each draw, also in a scene. Skipped
// where there is no OpenGL.
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

#include "support_capture.h"
#include "support_queries.h"

#ifdef GRZ_HAVE_GL
#include "gpu/gl_mesh.h"
#include "mesh/source.h"

enum {
    FIND_ALL = GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CURVES | GRZ_FIND_CONTAINMENT
};

// ---- Shaders ------------------------------------------------------------------------------------------------------

// Moves in steps that floats hold exactly, if the positions do.
static const test_shaders plain = {.vertex = "#version 450\n"
                                             "layout(location = 0) in vec3 position;\n"
                                             "out vec3 grz_position;\n"
                                             "void main() { grz_position = 0.5 * position + vec3(0.25, 0.0, -0.5);\n"
                                             "gl_Position = vec4(2.0); }\n",
                                   .varyings = {"grz_position"}};

static const test_shaders instances = {
    .vertex = "#version 450\n"
              "layout(location = 0) in vec3 position;\n"
              "out vec3 grz_position;\n"
              "void main() { grz_position = position + vec3(1.25 * float(gl_InstanceID), 0.0, 0.0);\n"
              "gl_Position = vec4(0.0); }\n",
    .varyings = {"grz_position"}};

// A waving flag over the unit square.
static const test_shaders flag = {
    .vertex = "#version 450\nvoid main() { gl_Position = vec4(gl_VertexID & 1, gl_VertexID >> 1, 0.0, 1.0); }\n",
    .control = "#version 450\nlayout(vertices = 4) out;\nlayout(location = 0) uniform float level = 16.0;\n"
               "void main() { for (int i = 0; i < 4; i++) gl_TessLevelOuter[i] = level;\n"
               "gl_TessLevelInner[0] = gl_TessLevelInner[1] = level;\n"
               "gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position; }\n",
    .evaluation = "#version 450\nlayout(quads, equal_spacing, ccw) in;\nout vec3 grz_position;\n"
                  "void main() { vec2 at = gl_TessCoord.xy;\n"
                  "grz_position = vec3(at, 0.25 * sin(6.28318 * at.x) + 0.1 * at.y);\n"
                  "gl_Position = vec4(grz_position, 1.0); }\n",
    .varyings = {"grz_position"}};

// Two crossed triangles at each point of the input.
static const test_shaders plants = {
    .vertex = "#version 450\nvoid main() { gl_Position = vec4(float(gl_VertexID), 0.0, 0.0, 1.0); }\n",
    .geometry = "#version 450\nlayout(points) in;\nlayout(triangle_strip, max_vertices = 6) out;\n"
                "out vec3 grz_position;\n"
                "void put(vec3 at) { grz_position = gl_in[0].gl_Position.xyz + at; EmitVertex(); }\n"
                "void main() { put(vec3(-0.25, 0.0, 0.0)); put(vec3(0.25, 0.0, 0.0)); put(vec3(0.0, 0.0, 1.0));\n"
                "EndPrimitive(); put(vec3(0.0, -0.25, 0.0)); put(vec3(0.0, 0.25, 0.0)); put(vec3(0.0, 0.0, 1.0));\n"
                "EndPrimitive(); }\n",
    .varyings = {"grz_position"}};

// ---- Comparing ----------------------------------------------------------------------------------------------------

// Coordinates in steps of 2^-12: half of them, and sums with small numbers, are floats.
static void round_to_steps(test_mesh *mesh)
{
    for (uint64_t i = 0; i < 3 * mesh->vertex_count; i++)
        mesh->positions[i] = nearbyint(mesh->positions[i] * 0x1p12) * 0x1p-12;
}

static test_answer ask(grz_device *device, const grz_mesh *a, const grz_mesh *b, const grz_pose *pose_b,
                       const char *method)
{
    grz_result *result = test_result_create(device);
    grz_collide_options options = grz_default_collide_options();
    const grz_object object_a = grz_object_at_origin(a);
    grz_object object_b = grz_object_at_origin(b != NULL ? b : a);
    grz_error error;
    object_b.pose = *pose_b;
    options.find = FIND_ALL;
    options.method = method;
    const grz_status status = b != NULL ? grz_collide(device, &object_a, &object_b, &options, result, &error)
                                        : grz_collide_self(device, &object_a, &options, result, &error);
    if (status != GRZ_OK)
        fail_msg("%s: %s", method, error.message);
    const test_answer answer = test_answer_of(result);
    grz_result_destroy(result);
    return answer;
}

// Ask about the captured mesh and about `same` in main memory, by every method, against another mesh in main memory and
// in buffers. Returns the number of pairs.
static uint64_t expect_same(const char *what, test_program *p, const grz_mesh *captured, const test_mesh *same,
                            const test_mesh *other, const grz_pose *pose)
{
    static const char *const methods[] = {"bvh", "naive", "slices", "layers", "selection", "heightmap"};
    grz_mesh *here = test_mesh_upload_flags(p->device, same, GRZ_MESH_INDEX_ONLY);
    grz_mesh *there = test_mesh_upload_flags(p->device, other, GRZ_MESH_INDEX_ONLY);
    test_buffers buffers = test_buffers_make(other, PACKED);
    grz_mesh *lent = test_buffers_mesh(p->device, &buffers);
    test_answer expected = ask(p->device, here, there, pose, "bvh");
    const uint64_t pairs = expected.pair_count;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        for (int k = 0; k < 2; k++) {
            test_answer answer = ask(p->device, captured, k == 0 ? there : lent, pose, methods[i]);
            if (!test_answers_equal(what, &expected, &answer))
                fail_msg("%s: %s, the other mesh is in %s", what, methods[i], k == 0 ? "memory" : "buffers");
            test_answer_finish(&answer);
        }
    test_answer_finish(&expected);
    grz_mesh_destroy(lent);
    test_buffers_delete(&buffers);
    grz_mesh_destroy(there);
    grz_mesh_destroy(here);
    return pairs;
}

static void expect_positions(const grz_capture *capture, const test_mesh *expected)
{
    test_mesh read = test_capture_read(capture);
    assert_int_equal(read.vertex_count, expected->vertex_count);
    for (uint64_t i = 0; i < 3 * read.vertex_count; i++)
        if (read.positions[i] != expected->positions[i])
            fail_msg("vertex %llu: %a, not %a", (unsigned long long)(i / 3), read.positions[i], expected->positions[i]);
    test_mesh_finish(&read);
}

static grz_pose at(double x, double y, double z)
{
    return grz_pose_from_translation(x, y, z);
}

// ---- What is captured ---------------------------------------------------------------------------------------------

static void a_plain_mesh_has_the_answers_of_bvh(void **state)
{
    (void)state;
    test_program p = test_painter_start();
    test_mesh ball = test_mesh_icosphere(1.0, 2), torus = test_mesh_torus(0.6, 0.2, 24, 12);
    GLuint buffer;
    round_to_steps(&ball);
    test_mesh_round_to_floats(&torus);
    test_drawing drawing = {.section_count = 1,
                            .sections = {{.program = test_shaders_link(&plain),
                                          .vertex_array = test_corners(&ball, &buffer),
                                          .mode = GL_TRIANGLES,
                                          .count = (GLsizei)ball.index_count}}};
    grz_capture *capture = test_capture_create(p.device, NULL);
    assert_null(grz_capture_mesh(capture));
    const grz_mesh *mesh = test_capture_draw(capture, &drawing);
    test_mesh expected = test_mesh_soup(&ball);
    test_mesh_scale(&expected, 0.5, 0.5, 0.5);
    test_mesh_move(&expected, 0.25, 0.0, -0.5);
    expect_positions(capture, &expected);
    uint64_t pairs = 0;
    for (int step = 0; step < 6; step++) { // from around the ball's middle to apart
        const grz_pose pose = at(0.25 + 0.25 * step, 0.01 * step, -0.5);
        pairs += expect_same("ball and torus", &p, mesh, &expected, &torus, &pose);
    }
    assert_true(pairs > 200);
    grz_capture_destroy(capture);
    glDeleteBuffers(1, &buffer);
    test_mesh_finish(&ball);
    test_mesh_finish(&torus);
    test_mesh_finish(&expected);
    test_program_end(&p);
}

// Vertex arrays are not shared between contexts, so this callback has one in the library's.
static grz_status draw_in_another_context(void *user, grz_capture *capture)
{
    test_drawing *drawing = user;
    glCreateVertexArrays(1, &drawing->sections[0].vertex_array);
    const grz_status status = test_draw(drawing, capture);
    glDeleteVertexArrays(1, &drawing->sections[0].vertex_array);
    return status;
}

// The library has a context of its own, which shares the program's objects.
static void a_device_that_shares_captures_too(void **state)
{
    (void)state;
    test_program p = test_program_start();
    test_drawing drawing = {.section_count = 1,
                            .sections = {{.program = test_shaders_link(&plants), .mode = GL_POINTS, .count = 3}}};
    glFinish();
    grz_capture *capture = test_capture_create(p.device, NULL);
    grz_error error;
    if (grz_capture_draw(capture, draw_in_another_context, &drawing, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    assert_ptr_equal(eglGetCurrentContext(), p.context.context);
    test_mesh read = test_capture_read(capture); // the program sees the buffer, too
    assert_int_equal(read.face_count, 6);
    test_mesh cube = test_mesh_cube(0.75, -0.5, 0.25, 1.0);
    const grz_pose still = grz_pose_identity();
    assert_true(expect_same("plants", &p, grz_capture_mesh(capture), &read, &cube, &still) > 0);
    grz_capture_destroy(capture);
    test_mesh_finish(&read);
    test_mesh_finish(&cube);
    test_program_end(&p);
}

static void a_tessellated_flag_has_the_answers_of_bvh(void **state)
{
    (void)state;
    test_program p = test_painter_start();
    const double min[3] = {-0.25, 0.25, -0.0625}, max[3] = {1.25, 0.5, 0.125};
    test_mesh bar = test_mesh_box(min, max);
    test_drawing drawing = {.section_count = 1,
                            .sections = {{.program = test_shaders_link(&flag), .mode = GL_PATCHES, .count = 4}}};
    glCreateVertexArrays(1, &drawing.sections[0].vertex_array);
    grz_capture *capture = test_capture_create(p.device, NULL);
    const grz_mesh *mesh = NULL;
    for (int step = 0; step < 3; step++) { // the number of triangles changes with the level, and the mesh follows
        const float level = 4.0f + 6.0f * (float)step;
        glProgramUniform1f(drawing.sections[0].program, 0, level);
        const grz_mesh *again = test_capture_draw(capture, &drawing);
        assert_true(mesh == NULL || mesh == again);
        mesh = again;
        assert_int_equal(grz_mesh_triangle_count(mesh), 2 * (int)level * (int)level);
        test_mesh read = test_capture_read(capture);
        for (uint64_t i = 0; i < read.vertex_count; i++) {
            const double *v = read.positions + 3 * i;
            assert_true(fabs(v[2] - 0.25 * sin(6.28318 * v[0]) - 0.1 * v[1]) < 1e-5);
        }
        const grz_pose still = grz_pose_identity(), below = at(0.0, 0.0, -0.75);
        assert_true(expect_same("flag and bar", &p, mesh, &read, &bar, &still) > 20);
        assert_int_equal(expect_same("flag over a bar", &p, mesh, &read, &bar, &below), 0);
        test_mesh_finish(&read);
    }
    grz_capture_destroy(capture);
    test_mesh_finish(&bar);
    test_program_end(&p);
}

static void geometry_shaders_and_instances_are_captured(void **state)
{
    (void)state;
    test_program p = test_painter_start();
    test_mesh cube = test_mesh_cube(0.0, 0.0, 0.0, 1.0), soup = test_mesh_soup(&cube), expected = {0};
    GLuint buffer;
    test_drawing drawing = {.section_count = 1,
                            .sections = {{.program = test_shaders_link(&plants), .mode = GL_POINTS, .count = 5}}};
    glCreateVertexArrays(1, &drawing.sections[0].vertex_array);
    grz_capture *capture = test_capture_create(p.device, NULL);
    for (int i = 0; i < 5; i++) {
        const double x = i, along_x[3][3] = {{x - 0.25, 0.0, 0.0}, {x + 0.25, 0.0, 0.0}, {x, 0.0, 1.0}},
                     along_y[3][3] = {{x, -0.25, 0.0}, {x, 0.25, 0.0}, {x, 0.0, 1.0}};
        test_mesh_add_loose_triangle(&expected, along_x);
        test_mesh_add_loose_triangle(&expected, along_y);
    }
    const grz_mesh *mesh = test_capture_draw(capture, &drawing);
    expect_positions(capture, &expected);
    const grz_pose pose = at(1.5, -0.5, 0.25);
    // Two triangles cross the cube's bottom in the middle, where its two triangles meet.
    assert_int_equal(expect_same("plants and cube", &p, mesh, &expected, &cube, &pose), 4);
    test_mesh_finish(&expected);
    // Cubes in a row: the capture is used again.
    drawing.sections[0] = (test_section){.program = test_shaders_link(&instances),
                                         .vertex_array = test_corners(&cube, &buffer),
                                         .mode = GL_TRIANGLES,
                                         .count = 36,
                                         .instances = 7};
    expected = (test_mesh){0};
    for (int i = 0; i < 7; i++) {
        test_mesh_append(&expected, &soup);
        test_mesh_move(&soup, 1.25, 0.0, 0.0);
    }
    mesh = test_capture_draw(capture, &drawing);
    expect_positions(capture, &expected);
    assert_true(expect_same("row of cubes", &p, mesh, &expected, &cube, &pose) > 10);
    grz_capture_destroy(capture);
    glDeleteBuffers(1, &buffer);
    test_mesh_finish(&cube);
    test_mesh_finish(&soup);
    test_mesh_finish(&expected);
    test_program_end(&p);
}

// A buffer that is too small grows, and the callback draws again. A section that begins when it is full only counts.
static void the_buffer_grows(void **state)
{
    (void)state;
    test_program p = test_painter_start();
    test_mesh cube = test_mesh_cube(0.0, 0.0, 0.0, 1.0), soup = test_mesh_soup(&cube), expected = {0};
    GLuint buffer;
    grz_capture_options options = grz_default_capture_options();
    options.triangles = 1;
    test_section row = {.program = test_shaders_link(&instances),
                        .vertex_array = test_corners(&cube, &buffer),
                        .mode = GL_TRIANGLES,
                        .count = 36,
                        .instances = 2};
    test_drawing drawing = {.section_count = 3, .sections = {row, row, row}};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 2; i++) {
            test_mesh moved = test_mesh_copy(&soup);
            test_mesh_move(&moved, 1.25 * i, 0.0, 0.0);
            test_mesh_take(&expected, moved);
        }
    grz_capture *capture = test_capture_create(p.device, &options);
    const grz_mesh *mesh = test_capture_draw(capture, &drawing);
    assert_int_equal(drawing.calls, 2);
    expect_positions(capture, &expected);
    const grz_pose pose = at(0.5, 0.5, 0.5);
    assert_true(expect_same("grown", &p, mesh, &expected, &cube, &pose) > 10);
    test_capture_draw(capture, &drawing);
    assert_int_equal(drawing.calls, 3); // there is room now
    for (int i = 0; i < 3; i++)
        assert_int_equal(drawing.sections[i].first, 24 * i);
    // Exactly full, and one more.
    grz_capture_destroy(capture);
    options.triangles = 72;
    capture = test_capture_create(p.device, &options);
    drawing.calls = 0;
    test_capture_draw(capture, &drawing);
    assert_int_equal(drawing.calls, 1);
    expect_positions(capture, &expected);
    grz_capture_destroy(capture);
    options.triangles = 71;
    capture = test_capture_create(p.device, &options);
    test_capture_draw(capture, &drawing);
    assert_int_equal(drawing.calls, 3);
    expect_positions(capture, &expected);
    grz_capture_destroy(capture);
    glDeleteBuffers(1, &buffer);
    test_mesh_finish(&cube);
    test_mesh_finish(&soup);
    test_mesh_finish(&expected);
    test_program_end(&p);
}

// Programs of several kinds in one draw, one of which draws nothing. Faces are numbered through.
static void sections_are_appended(void **state)
{
    (void)state;
    test_program p = test_painter_start();
    test_mesh cube = test_mesh_cube(0.0, 0.0, 0.0, 1.0);
    const double moved[3] = {0.25, 0.0, -0.5}; // by the shader
    GLuint buffer, none;
    glCreateVertexArrays(1, &none);
    const GLuint corners = test_corners(&cube, &buffer);
    test_drawing drawing = {
        .section_count = 4,
        .sections = {
            {.program = test_shaders_link(&plants), .vertex_array = none, .mode = GL_POINTS, .count = 3},
            {.program = test_shaders_link(&plain), .vertex_array = corners, .mode = GL_TRIANGLES, .count = 0},
            {.program = test_shaders_link(&flag), .vertex_array = none, .mode = GL_PATCHES, .count = 4},
            {.program = test_shaders_link(&plain), .vertex_array = corners, .mode = GL_TRIANGLES, .count = 36}}};
    grz_capture *capture = test_capture_create(p.device, NULL);
    const grz_mesh *mesh = test_capture_draw(capture, &drawing);
    assert_int_equal(drawing.sections[1].first, 6);
    assert_int_equal(drawing.sections[2].first, 6);
    assert_int_equal(drawing.sections[3].first, 6 + 512);
    assert_int_equal(grz_capture_triangle_count(capture), 6 + 512 + 12);
    test_mesh read = test_capture_read(capture);
    assert_true(read.positions[0] == -0.25 && read.positions[3] == 0.25);
    for (uint64_t i = 0; i < 36; i++)
        for (uint64_t axis = 0; axis < 3; axis++)
            assert_true(read.positions[3 * (3 * 518 + i) + axis] ==
                        0.5 * cube.positions[3 * (size_t)cube.indices[i] + axis] + moved[axis]);
    const grz_pose pose = at(0.5, 0.25, -0.125);
    assert_true(expect_same("all kinds", &p, mesh, &read, &cube, &pose) > 20);
    grz_capture_destroy(capture);
    glDeleteBuffers(1, &buffer);
    test_mesh_finish(&read);
    test_mesh_finish(&cube);
    test_program_end(&p);
}

// Positions among other varyings, of other names and types, and by qualifiers in the shader or in a pipeline of
// separate programs.
static void any_layout_is_read(void **state)
{
    (void)state;
    test_program p = test_painter_start();
    test_mesh cube = test_mesh_cube(0.0, 0.0, 0.0, 1.0), soup = test_mesh_soup(&cube);
    GLuint buffer, pipeline;
    static const test_shaders between = {.vertex = "#version 450\nlayout(location = 0) in vec3 position;\n"
                                                   "out vec3 world; out vec2 other; void main() { world = position;\n"
                                                   "other = vec2(1.0 / 0.0); }\n",
                                         .varyings = {"other", "gl_SkipComponents1", "world", "gl_SkipComponents3"}},
                              as_vec4 = {.vertex = "#version 450\nlayout(location = 0) in vec3 position;\n"
                                                   "out vec4 world; void main() { world = vec4(position, 0.0 / 0.0);\n"
                                                   "gl_Position = vec4(0.0); }\n",
                                         .varyings = {"world"},
                                         .separate = true},
                              qualified = {.vertex = "#version 450\nlayout(location = 0) in vec3 position;\n"
                                                     "layout(xfb_buffer = 0, xfb_stride = 32) out;\n"
                                                     "layout(xfb_offset = 8) out vec3 world;\n"
                                                     "void main() { world = position; }\n"};
    const test_shaders *const all[] = {&between, &as_vec4, &qualified};
    const uint32_t strides[] = {36, 16, 32}, offsets[] = {12, 0, 8};
    grz_capture_options options = grz_default_capture_options();
    options.varying = "world";
    test_drawing drawing = {
        .section_count = 1,
        .sections = {{.vertex_array = test_corners(&cube, &buffer), .mode = GL_TRIANGLES, .count = 36}}};
    grz_capture *capture = test_capture_create(p.device, &options);
    for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
        drawing.sections[0].program = test_shaders_link(all[i]);
        const grz_mesh *mesh = test_capture_draw(capture, &drawing);
        assert_int_equal(grz_gl_mesh_of(mesh)->layout.position_stride, strides[i]);
        assert_int_equal(grz_gl_mesh_of(mesh)->layout.position_offset, offsets[i]);
        expect_positions(capture, &soup);
        const grz_pose pose = at(0.5, 0.5, 0.5);
        assert_true(expect_same("other layouts", &p, mesh, &soup, &cube, &pose) > 10);
    }
    const char *source = "#version 450\nlayout(location = 0) in vec3 position; layout(xfb_buffer = 0, xfb_offset = 0)\n"
                         "out vec3 world; out gl_PerVertex { vec4 gl_Position; };\n"
                         "void main() { world = position; gl_Position = vec4(0.0); }\n";
    const GLuint separate = glCreateShaderProgramv(GL_VERTEX_SHADER, 1, &source);
    glGenProgramPipelines(1, &pipeline);
    glUseProgramStages(pipeline, GL_VERTEX_SHADER_BIT, separate);
    glBindProgramPipeline(pipeline);
    drawing.sections[0].program = 0;
    test_capture_draw(capture, &drawing);
    expect_positions(capture, &soup);
    grz_capture_destroy(capture);
    glDeleteBuffers(1, &buffer);
    test_mesh_finish(&cube);
    test_mesh_finish(&soup);
    test_program_end(&p);
}

// ---- The mesh in use ----------------------------------------------------------------------------------------------

// Drawn again with other positions and another number of triangles: scenes, height maps and meshes with themselves see
// what is there now.
static void a_scene_follows_each_draw(void **state)
{
    (void)state;
    test_program p = test_painter_start();
    test_mesh cube = test_mesh_cube(0.0, 0.0, 0.0, 1.0), small = test_mesh_cube(2.5, 0.25, 0.25, 0.5);
    GLuint buffer;
    test_drawing drawing = {.section_count = 1,
                            .sections = {{.program = test_shaders_link(&instances),
                                          .vertex_array = test_corners(&cube, &buffer),
                                          .mode = GL_TRIANGLES,
                                          .count = 36}}};
    grz_capture *capture = test_capture_create(p.device, NULL);
    grz_mesh *probe = test_mesh_upload(p.device, &small);
    const grz_object object = grz_object_at_origin(test_capture_draw(capture, &drawing)),
                     there = grz_object_at_origin(probe);
    grz_result *result = test_result_create(p.device);
    grz_scene *scene;
    uint32_t id;
    assert_int_equal(grz_scene_create(p.device, &scene, NULL), GRZ_OK);
    assert_int_equal(grz_scene_add(scene, &object, &id, NULL), GRZ_OK);
    assert_int_equal(grz_scene_add(scene, &there, &id, NULL), GRZ_OK);
    for (int step = 0; step < 6; step++) { // one cube, then three, the last of which holds the probe, and so on
        grz_collide_options options = grz_default_collide_options();
        options.find = GRZ_FIND_PAIRS | GRZ_FIND_CONTAINMENT;
        drawing.sections[0].instances = step % 2 == 0 ? 1 : 3;
        test_capture_draw(capture, &drawing);
        assert_int_equal(grz_collide_scene(p.device, scene, &options, result, NULL), GRZ_OK);
        assert_int_equal(grz_result_summary(result)->colliding, step % 2);
        test_answer itself = ask(p.device, object.mesh, NULL, &there.pose, NULL);
        assert_true(itself.pair_count > 0);
        for (uint64_t i = 0; i < itself.pair_count; i++)
            assert_true(itself.pairs[i].face_b < 12u * (uint32_t)drawing.sections[0].instances);
        test_answer_finish(&itself);
    }
    // A height map of it.
    grz_heightmap *heightmap;
    grz_environment environment = grz_default_environment();
    grz_heightmap_answer answer;
    const grz_object crossing = {.mesh = probe, .pose = at(0.25, 0.0, 0.5), .group = 1, .mask = 1};
    environment.objects = &crossing;
    environment.object_count = 1;
    assert_int_equal(grz_heightmap_create(p.device, object.mesh, NULL, &heightmap, NULL), GRZ_OK);
    for (int step = 0; step < 2; step++) {
        drawing.sections[0].instances = step == 0 ? 3 : 1;
        test_capture_draw(capture, &drawing);
        assert_int_equal(grz_heightmap_collide(heightmap, &object, &environment, &answer, NULL), GRZ_OK);
        assert_int_equal(answer.colliding, step == 0);
    }
    // The mesh outlives its capture.
    drawing.sections[0].instances = 3;
    test_capture_draw(capture, &drawing);
    grz_capture_destroy(capture);
    assert_int_equal(grz_collide_scene(p.device, scene, NULL, result, NULL), GRZ_OK);
    assert_true(grz_result_summary(result)->colliding);
    assert_int_equal(grz_heightmap_collide(heightmap, &object, &environment, &answer, NULL), GRZ_OK);
    grz_heightmap_destroy(heightmap);
    grz_scene_destroy(scene);
    grz_result_destroy(result);
    grz_mesh_destroy(probe);
    glDeleteBuffers(1, &buffer);
    test_mesh_finish(&cube);
    test_mesh_finish(&small);
    test_program_end(&p);
}

// Only the triangles near the other object are read back; with welded corners all of them are, and a mesh with itself
// has the answer of the same soup in main memory.
static void corners_can_be_welded(void **state)
{
    (void)state;
    test_program p = test_painter_start();
    test_drawing drawing = {.section_count = 1,
                            .sections = {{.program = test_shaders_link(&flag), .mode = GL_PATCHES, .count = 4}}};
    test_mesh cube = test_mesh_cube(0.5, 0.5, -0.0625, 0.125);
    glCreateVertexArrays(1, &drawing.sections[0].vertex_array);
    const grz_pose still = grz_pose_identity();
    grz_mesh *probe = test_mesh_upload(p.device, &cube);
    for (int welded = 0; welded < 2; welded++) {
        grz_capture_options options = grz_default_capture_options();
        options.flags = welded != 0 ? 0 : GRZ_MESH_INDEX_ONLY;
        grz_capture *capture = test_capture_create(p.device, &options);
        for (int step = 0; step < 2; step++) { // the second draw has fewer triangles in other places
            glProgramUniform1f(drawing.sections[0].program, 0, 16.0f - 5.0f * (float)step);
            const grz_mesh *mesh = test_capture_draw(capture, &drawing);
            test_answer answer = ask(p.device, mesh, probe, &still, NULL);
            assert_true(answer.pair_count > 10);
            test_answer_finish(&answer);
            assert_int_equal(grz_mesh_slot_has_state(mesh, &grz_mesh_copy_slot_type), welded);
            test_mesh read = test_capture_read(capture);
            grz_mesh *here = test_mesh_upload_flags(p.device, &read, options.flags);
            test_answer expected = ask(p.device, here, NULL, &still, "bvh");
            answer = ask(p.device, mesh, NULL, &still, NULL);
            assert_true(test_answers_equal("flag with itself", &expected, &answer));
            assert_true(welded != 0 ? answer.pair_count == 0 : answer.pair_count > 100);
            test_answer_finish(&expected);
            test_answer_finish(&answer);
            grz_mesh_destroy(here);
            test_mesh_finish(&read);
        }
        grz_capture_destroy(capture);
    }
    grz_mesh_destroy(probe);
    test_mesh_finish(&cube);
    test_program_end(&p);
}

// The same number of triangles in each draw, but other neighbours: corners are found anew.
static void corners_are_those_of_the_last_draw(void **state)
{
    (void)state;
    test_program p = test_painter_start();
    static const double square[2][3][3] = {{{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {1.0, 1.0, 0.0}},
                                           {{0.0, 0.0, 0.0}, {1.0, 1.0, 0.0}, {0.0, 1.0, 0.0}}};
    const grz_pose still = grz_pose_identity();
    grz_capture_options options = grz_default_capture_options();
    GLuint buffer;
    options.flags = 0;
    grz_capture *capture = test_capture_create(p.device, &options);
    test_section section = {.program = test_shaders_link(&plain), .mode = GL_TRIANGLES, .count = 6};
    for (int apart = 1; apart >= 0; apart--) { // first apart, then side by side
        test_mesh pieces = {0}, piece = {0};
        test_mesh_add_loose_triangle(&pieces, square[0]);
        test_mesh_add_loose_triangle(&piece, square[1]);
        test_mesh_move(&piece, 0.0, 0.0, (double)apart);
        test_mesh_take(&pieces, piece);
        section.vertex_array = test_corners(&pieces, &buffer);
        test_drawing drawing = {.section_count = 1, .sections = {section}};
        const grz_mesh *mesh = test_capture_draw(capture, &drawing);
        test_answer answer = ask(p.device, mesh, NULL, &still, NULL);
        assert_int_equal(answer.pair_count, 0);
        test_answer_finish(&answer);
        glDeleteBuffers(1, &buffer);
        glDeleteVertexArrays(1, &section.vertex_array);
        test_mesh_finish(&pieces);
    }
    grz_capture_destroy(capture);
    test_program_end(&p);
}

// ---- A second opinion ---------------------------------------------------------------------------------------------

// What draws both for height maps and for a capture: the same shader writes both positions.
typedef struct level {
    test_drawing drawing;
} level;

static grz_status draw_view(void *user, const grz_environment_view *view)
{
    const test_section *s = &((level *)user)->drawing.sections[0];
    (void)view;
    glUseProgram(s->program);
    glBindVertexArray(s->vertex_array);
    glDrawArrays(s->mode, 0, s->count);
    return GRZ_OK;
}

static void what_is_inside_is_found_by_a_capture(void **state)
{
    (void)state;
    test_program p = test_painter_start();
    static const test_shaders both = {
        .vertex = "#version 450\n"
                  "layout(std140, binding = 0) uniform grz_environment_block { mat4 world_to_clip; vec4 forwards;\n"
                  "uvec4 view; };\n"
                  "layout(location = 0) in vec3 position;\nout vec3 grz_position;\n"
                  "void main() { grz_position = position; gl_Position = world_to_clip * vec4(position, 1.0); }\n",
        .varyings = {"grz_position"}};
    test_mesh cave = test_mesh_cube(-2.0, -2.0, -2.0, 5.0), ship = test_mesh_cube(0.0, 0.0, 0.0, 1.0);
    GLuint buffer;
    level all = {.drawing = {.section_count = 1,
                             .sections = {{.program = test_shaders_link(&both),
                                           .vertex_array = test_corners(&cave, &buffer),
                                           .mode = GL_TRIANGLES,
                                           .count = 36}}}};
    grz_mesh *mesh = test_mesh_upload(p.device, &ship);
    grz_object object = grz_object_at_origin(mesh);
    grz_heightmap *heightmap;
    grz_environment environment = grz_default_environment();
    grz_heightmap_answer answer;
    environment.draw = draw_view;
    environment.user = &all;
    grz_heightmap_options settings = grz_default_heightmap_options();
    settings.both_sides = true;
    assert_int_equal(grz_heightmap_create(p.device, mesh, &settings, &heightmap, NULL), GRZ_OK);
    grz_capture *capture = test_capture_create(p.device, NULL);
    const grz_mesh *captured = test_capture_draw(capture, &all.drawing);
    // Wholly inside: the height map sees no surface, the capture says what is inside what.
    assert_int_equal(grz_heightmap_collide(heightmap, &object, &environment, &answer, NULL), GRZ_OK);
    assert_false(answer.colliding);
    static const char *const methods[] = {"bvh", "naive", "slices", "layers", "selection", "heightmap"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        test_answer exact = ask(p.device, captured, mesh, &object.pose, methods[i]);
        assert_true(exact.summary.colliding && exact.pair_count == 0);
        assert_int_equal(exact.summary.certainty, GRZ_EXACT);
        assert_int_equal(exact.summary.containment, GRZ_CONTAINMENT_DECIDED);
        assert_int_equal(exact.summary.relation, GRZ_B_INSIDE_A);
        test_answer_finish(&exact);
    }
    // Through a wall: both say so. Outside: neither.
    for (int step = 0; step < 2; step++) {
        object.pose = at(step == 0 ? 2.5 : 4.0, 0.0, 0.0);
        assert_int_equal(grz_heightmap_collide(heightmap, &object, &environment, &answer, NULL), GRZ_OK);
        test_answer exact = ask(p.device, captured, mesh, &object.pose, "bvh");
        assert_true(exact.summary.colliding == (step == 0) && (step == 0 || !answer.colliding));
        test_answer_finish(&exact);
    }
    grz_capture_destroy(capture);
    grz_heightmap_destroy(heightmap);
    grz_mesh_destroy(mesh);
    glDeleteBuffers(1, &buffer);
    test_mesh_finish(&cave);
    test_mesh_finish(&ship);
    test_program_end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plain_mesh_has_the_answers_of_bvh),
        cmocka_unit_test(a_device_that_shares_captures_too),
        cmocka_unit_test(a_tessellated_flag_has_the_answers_of_bvh),
        cmocka_unit_test(geometry_shaders_and_instances_are_captured),
        cmocka_unit_test(the_buffer_grows),
        cmocka_unit_test(sections_are_appended),
        cmocka_unit_test(any_layout_is_read),
        cmocka_unit_test(a_scene_follows_each_draw),
        cmocka_unit_test(corners_can_be_welded),
        cmocka_unit_test(corners_are_those_of_the_last_draw),
        cmocka_unit_test(what_is_inside_is_found_by_a_capture),
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
