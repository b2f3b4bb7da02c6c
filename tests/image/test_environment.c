// SPDX-License-Identifier: MIT
// Environments that a callback draws, method `heightmap`: what shaders make hits as the same mesh given to the library
// does; lines, points, tessellated and generated surfaces and buffers that a compute shader has written are seen;
// contacts have position, normal, id, value and depth; parts ignore each other as told; bad callbacks end in errors,
// and the next query is right. Skipped where there is no OpenGL.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_gl.h"
#include "support_meshes.h"
#include "support_queries.h"

#ifdef GRZ_HAVE_GL
#include <graze/gl.h>
#include <graze/environment.h>

#include "gl/context.h"

enum {
    MOST_STAGES = 4,
    SIDE = 64
};

// ---- A program with a context of its own --------------------------------------------------------------------------

typedef struct program {
    grz_context context;
    grz_device *device; // works in this context
    grz_mesh *cube;     // from (0, 0, 0) to (1, 1, 1)
    grz_heightmap *heightmap;
    grz_object object;
} program;

static const grz_heightmap_options upwards = {
    .size = sizeof upwards, .resolution = SIDE, .has_direction = true, .direction = {0.0, 0.0, 1.0}};

static program begin(const grz_heightmap_options *options)
{
    program p;
    grz_device_options device_options = grz_default_device_options();
    test_mesh cube = test_mesh_cube(0.0, 0.0, 0.0, 1.0);
    grz_error error;
    assert_int_equal(grz_context_open(0, false, &p.context, NULL), GRZ_OK);
    assert_true(grz_context_make_current(&p.context));
    device_options.kind = GRZ_DEVICE_GL_CURRENT;
    assert_int_equal(grz_device_open(&device_options, &p.device, NULL), GRZ_OK);
    p.cube = test_mesh_upload(p.device, &cube);
    test_mesh_finish(&cube);
    if (grz_heightmap_create(p.device, p.cube, options, &p.heightmap, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    p.object = grz_object_at_origin(p.cube);
    return p;
}

static void end(program *p)
{
    const grz_current nothing = {.display = EGL_NO_DISPLAY, .context = EGL_NO_CONTEXT, .api = EGL_OPENGL_ES_API};
    assert_int_equal(glGetError(), GL_NO_ERROR);
    grz_heightmap_destroy(p->heightmap);
    grz_mesh_destroy(p->cube);
    test_gl_device_close(p->device);
    grz_current_restore(&nothing, &p->context);
    grz_context_close(&p->context);
}

static GLuint link(const GLenum kinds[], const char *const sources[], int count)
{
    const GLuint name = glCreateProgram();
    GLint linked;
    char log[1000];
    for (int i = 0; i < count; i++) {
        const GLuint shader = glCreateShader(kinds[i]);
        glShaderSource(shader, 1, &sources[i], NULL);
        glCompileShader(shader);
        glGetShaderInfoLog(shader, sizeof log, NULL, log);
        if (log[0] != '\0')
            print_message("%s\n", log);
        glAttachShader(name, shader);
        glDeleteShader(shader);
    }
    glLinkProgram(name);
    glGetProgramiv(name, GL_LINK_STATUS, &linked);
    assert_int_equal(linked, GL_TRUE);
    return name;
}

#define BLOCK                                                                                                          \
    "#version 450\n"                                                                                                   \
    "layout(std140, binding = 0) uniform grz_environment_block { mat4 world_to_clip; vec4 forwards; uvec4 view; };\n"

static const char *const place_vertices = BLOCK "layout(location = 0) in vec3 position;\n"
                                                "void main() { gl_Position = world_to_clip * vec4(position, 1.0); }\n";
static const char *const say_seven = "#version 450\n"
                                     "layout(location = 0) out uvec2 id; layout(location = 1) out vec4 normal;\n"
                                     "void main() { id = uvec2(7, 99); normal = vec4(0.0, 0.6, -0.8, 0.0); }\n";

// What a callback of these tests draws.
typedef struct drawing {
    GLuint program, vertex_array, buffer;
    GLenum mode;
    GLsizei count;
    int calls;
    grz_environment_view last;
    // What it does wrong afterwards.
    grz_status returned;
    void (*misdeed)(struct drawing *);
    const grz_context *other; // to make current
    GLuint query;
    GLfloat point_size; // 0: as it is
} drawing;

static grz_status draw(void *user, const grz_environment_view *view)
{
    drawing *d = user;
    d->calls++;
    d->last = *view;
    if (d->program != 0) {
        glUseProgram(d->program);
        glBindVertexArray(d->vertex_array);
        if (d->point_size > 0.0f)
            glPointSize(d->point_size);
        if (d->mode == GL_PATCHES)
            glPatchParameteri(GL_PATCH_VERTICES, 4);
        glDrawArrays(d->mode, 0, d->count);
    }
    if (d->misdeed != NULL)
        d->misdeed(d);
    return d->returned;
}

static drawing draw_points(const float *points, GLsizei count, GLenum mode)
{
    const GLenum kinds[] = {GL_VERTEX_SHADER, GL_FRAGMENT_SHADER};
    const char *const sources[] = {place_vertices, say_seven};
    drawing d = {.program = link(kinds, sources, 2), .mode = mode, .count = count};
    glCreateBuffers(1, &d.buffer);
    glNamedBufferData(d.buffer, (GLsizeiptr)sizeof(float) * 3 * count, points, GL_STATIC_DRAW);
    glCreateVertexArrays(1, &d.vertex_array);
    glVertexArrayVertexBuffer(d.vertex_array, 0, d.buffer, 0, 3 * sizeof(float));
    glVertexArrayAttribFormat(d.vertex_array, 0, 3, GL_FLOAT, GL_FALSE, 0);
    glEnableVertexArrayAttrib(d.vertex_array, 0);
    return d;
}

static void finish_drawing(drawing *d)
{
    glUseProgram(0);
    glDeleteProgram(d->program);
    glDeleteBuffers(1, &d->buffer);
    glDeleteVertexArrays(1, &d->vertex_array);
}

static grz_environment around(drawing *d)
{
    grz_environment environment = grz_default_environment();
    environment.draw = draw;
    environment.user = d;
    environment.record = GRZ_RECORD_IDS | GRZ_RECORD_NORMALS;
    environment.contacts = true;
    return environment;
}

static grz_heightmap_answer ask(const program *p, const grz_environment *environment)
{
    grz_heightmap_answer answer;
    grz_error error;
    if (grz_heightmap_collide(p->heightmap, &p->object, environment, &answer, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    uint64_t count;
    grz_heightmap_contacts(p->heightmap, &count);
    assert_int_equal(count, environment->contacts ? answer.hits : 0);
    assert_true(answer.colliding == (answer.hits > 0) && answer.hits <= answer.pixels);
    return answer;
}

// ---- What is drawn ------------------------------------------------------------------------------------------------

// A mesh drawn by the library, and the same one drawn by the callback.
static void a_callback_sees_what_the_library_sees(void **state)
{
    (void)state;
    program p = begin(&upwards);
    test_mesh ball = test_mesh_icosphere(0.4, 2), soup;
    test_mesh_move(&ball, 0.6, 0.5, 0.9);
    soup = test_mesh_soup(&ball);
    grz_mesh *mesh = test_mesh_upload(p.device, &ball);
    float *points = malloc(sizeof(float) * 3 * soup.vertex_count);
    assert_non_null(points);
    for (size_t i = 0; i < 3 * soup.vertex_count; i++)
        points[i] = (float)soup.positions[i];
    drawing d = draw_points(points, (GLsizei)soup.vertex_count, GL_TRIANGLES);
    random_stream random = {.state = 61};
    for (int i = 0; i < 12; i++) {
        const double at[3] = {0.2 * random_signed(&random), 0.2 * random_signed(&random), 0.2 * random_signed(&random)},
                     turn[4] = {0.3 * random_signed(&random), 0.3 * random_signed(&random), random_signed(&random),
                                3.0};
        assert_int_equal(grz_pose_from_quaternion(at, turn, &p.object.pose, NULL), GRZ_OK);
        for (int j = 0; j < 3 && i % 3 == 1; j++) { // a mirror image in the same place
            p.object.pose.m[j][3] += p.object.pose.m[j][0];
            p.object.pose.m[j][0] = -p.object.pose.m[j][0];
        }
        const grz_object object = grz_object_at_origin(mesh);
        grz_environment mine = around(&d), theirs = grz_default_environment();
        theirs.objects = &object;
        theirs.object_count = 1;
        theirs.contacts = true;
        theirs.record = GRZ_RECORD_IDS | GRZ_RECORD_NORMALS;
        const grz_heightmap_answer called = ask(&p, &mine);
        const int64_t hits = (int64_t)called.hits;
        assert_int_equal(d.last.number, 0);
        assert_true(d.last.viewport[0] == 0 && d.last.viewport[2] == SIDE && d.last.viewport[3] == SIDE);
        const grz_heightmap_answer drawn = ask(&p, &theirs);
        if (drawn.pixels != called.pixels || llabs((int64_t)drawn.hits - hits) > 3 || drawn.hits < 20)
            fail_msg("%d: %llu and %llu hits", i, (unsigned long long)drawn.hits, (unsigned long long)called.hits);
        // Each contact lies on the ball, and its normal leads out of it.
        uint64_t count;
        const grz_height_contact *contacts = grz_heightmap_contacts(p.heightmap, &count);
        assert_int_equal(count, drawn.hits);
        for (uint64_t k = 0; k < count; k++) {
            const double *n = contacts[k].normal;
            double out[3], along = 0.0, distance = 0.0;
            for (int j = 0; j < 3; j++) {
                out[j] = contacts[k].position[j] - (double[]){0.6, 0.5, 0.9}[j];
                along += out[j] * n[j];
                distance += out[j] * out[j];
            }
            distance = sqrt(distance);
            assert_true(distance > 0.37 && distance < 0.4001);
            assert_true(along / distance > 0.98 && fabs(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1.0) < 1e-5);
            assert_true(contacts[k].id == 0 && contacts[k].value == 0 && contacts[k].view == 0);
            assert_true(contacts[k].depth > 0.0 && contacts[k].depth < 1.01 * sqrt(3.0));
            assert_true(k == 0 || contacts[k].y > contacts[k - 1].y ||
                        (contacts[k].y == contacts[k - 1].y && contacts[k].x > contacts[k - 1].x));
        }
    }
    assert_int_equal(d.calls, 12);
    finish_drawing(&d);
    grz_mesh_destroy(mesh);
    free(points);
    test_mesh_finish(&ball);
    test_mesh_finish(&soup);
    end(&p);
}

static void lines_and_points_are_seen(void **state)
{
    (void)state;
    program p = begin(&upwards);
    const float points[] = {0.3f, 0.6f, 0.25f, 1.5f, 0.5f, 0.5f, 0.5f, 0.5f, 1.5f};
    drawing d = draw_points(points, 3, GL_POINTS);
    grz_environment environment = around(&d);
    uint64_t count;
    // Only the first of three points is in the cube.
    assert_int_equal(ask(&p, &environment).hits, 1);
    const grz_height_contact *contact = grz_heightmap_contacts(p.heightmap, &count);
    const double pixel = 1.0 / SIDE;
    assert_true(fabs(contact->position[0] - 0.3) < pixel && fabs(contact->position[1] - 0.6) < pixel);
    assert_true(fabs(contact->position[2] - 0.25) < 1e-4 && fabs(contact->depth - 0.75) < 1e-4);
    assert_true(contact->id == 7 && contact->value == 99 && fabs(contact->normal[2] + 0.8) < 1e-6);
    finish_drawing(&d);
    // A line that enters the cube from the side.
    const float ends[] = {-1.0f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f};
    d = draw_points(ends, 2, GL_LINES);
    const uint64_t hits = ask(&p, &environment).hits;
    assert_in_range(hits, SIDE / 2 - 2, SIDE / 2 + 2);
    // Nothing is recorded unless it is asked for.
    environment.record = 0;
    assert_int_equal(ask(&p, &environment).hits, hits);
    contact = grz_heightmap_contacts(p.heightmap, &count);
    assert_true(contact->id == GRZ_NO_ID && contact->value == 0 && contact->normal[2] == 0.0);
    environment.contacts = false;
    assert_true(ask(&p, &environment).colliding);
    finish_drawing(&d);
    end(&p);
}

// A waving sheet by tessellation shaders, plants by a geometry shader, particles by a compute shader.
static void what_shaders_make_is_seen(void **state)
{
    (void)state;
    program p = begin(&upwards);
    const GLenum tessellation[] = {GL_VERTEX_SHADER, GL_TESS_CONTROL_SHADER, GL_TESS_EVALUATION_SHADER,
                                   GL_FRAGMENT_SHADER};
    const char *const flag[] = {
        "#version 450\nvoid main() { gl_Position = vec4(gl_VertexID & 1, gl_VertexID >> 1, 0.0, 1.0); }\n",
        "#version 450\nlayout(vertices = 4) out;\nvoid main() { for (int i = 0; i < 4; i++) gl_TessLevelOuter[i] = "
        "16.0;\n"
        "gl_TessLevelInner[0] = gl_TessLevelInner[1] = 16.0; gl_out[gl_InvocationID].gl_Position =\n"
        "gl_in[gl_InvocationID].gl_Position; }\n",
        BLOCK "layout(quads, equal_spacing, cw) in;\nvoid main() { vec2 at = gl_TessCoord.xy;\n"
              "gl_Position = world_to_clip * vec4(at, 0.5 + 0.25 * sin(6.28318 * at.x), 1.0); }\n",
        say_seven};
    drawing d = {.program = link(tessellation, flag, 4), .mode = GL_PATCHES, .count = 4};
    glCreateVertexArrays(1, &d.vertex_array);
    grz_environment environment = around(&d);
    uint64_t count;
    const uint64_t hits = ask(&p, &environment).hits;
    assert_true(hits > (SIDE - 4) * (SIDE - 4));
    const grz_height_contact *contacts = grz_heightmap_contacts(p.heightmap, &count);
    assert_int_equal(count, hits);
    for (uint64_t i = 0; i < count; i++)
        assert_true(fabs(contacts[i].position[2] - 0.5 - 0.25 * sin(6.28318 * contacts[i].position[0])) < 0.01);
    finish_drawing(&d);
    const GLenum geometry[] = {GL_VERTEX_SHADER, GL_GEOMETRY_SHADER, GL_FRAGMENT_SHADER};
    const char *const plants[] = {
        "#version 450\nvoid main() { gl_Position = vec4(0.2 + 0.3 * gl_VertexID, 0.5, 0.0, 1.0); }\n",
        BLOCK
        "layout(points) in;\nlayout(line_strip, max_vertices = 2) out;\nvoid main() {\n"
        "gl_Position = world_to_clip * vec4(gl_in[0].gl_Position.xyz - vec3(0.0, 0.0, 0.5), 1.0); EmitVertex();\n"
        "gl_Position = world_to_clip * vec4(gl_in[0].gl_Position.xyz + vec3(0.1, 0.0, 0.5), 1.0); EmitVertex(); }\n",
        say_seven};
    d = (drawing){.program = link(geometry, plants, 3), .mode = GL_POINTS, .count = 5};
    glCreateVertexArrays(1, &d.vertex_array);
    assert_true(ask(&p, &environment).hits >= 6); // three plants stand in the cube
    finish_drawing(&d);
    // 1,000 particles on the diagonal of the cube and of the one after it.
    const GLenum compute[] = {GL_COMPUTE_SHADER};
    const char *const move[] = {
        "#version 450\nlayout(local_size_x = 100) in;\nlayout(std430, binding = 0) buffer b\n"
        "{ float at[]; };\nvoid main() { uint i = gl_GlobalInvocationID.x; for (uint k = 0u; k < 3u;\n"
        "k++) at[3u * i + k] = (float(i) + 0.5) / 500.0; }\n"};
    const GLuint mover = link(compute, move, 1);
    d = draw_points(NULL, 1000, GL_POINTS);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, d.buffer);
    glUseProgram(mover);
    glDispatchCompute(10, 1, 1);
    glMemoryBarrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT);
    assert_in_range(ask(&p, &environment).hits, SIDE - 1, SIDE + 8);
    glUseProgram(0);
    glDeleteProgram(mover);
    finish_drawing(&d);
    end(&p);
}

// Two views, and a stencil: the callback draws into each.
static void every_view_is_drawn(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        grz_heightmap_options options = upwards;
        options.projection = i % 2 == 0 ? GRZ_PROJECTION_OPPOSITE : GRZ_PROJECTION_COMBINED;
        options.stencil = i >= 2;
        program p = begin(&options);
        const float points[] = {0.3f, 0.6f, 0.25f, 0.4f, 0.6f, 0.9f};
        drawing d = draw_points(points, 2, GL_POINTS);
        grz_environment environment = around(&d);
        uint64_t count;
        const grz_heightmap_answer answer = ask(&p, &environment);
        assert_true(answer.maps == 2 && answer.hits == 2 && d.calls == 2 && d.last.number == 1);
        const grz_height_contact *contacts = grz_heightmap_contacts(p.heightmap, &count);
        assert_true(contacts[0].view == 0 && fabs(contacts[0].position[2] - 0.9) < 1e-4 &&
                    fabs(contacts[0].depth - 0.1) < 1e-4);
        assert_true(contacts[1].view == 1 && fabs(contacts[1].position[2] - 0.25) < 1e-4 &&
                    fabs(contacts[1].depth - 0.25) < 1e-4);
        assert_true(fabs(d.last.forwards[2] + 1.0) < 1e-12 && d.last.viewport[1] == SIDE);
        // Without contacts the second view is left out if the first one is drawn and compared by itself.
        environment.contacts = false;
        assert_int_equal(ask(&p, &environment).maps, i % 2 == 0 ? 1 : 2);
        finish_drawing(&d);
        end(&p);
    }
}

// A wide point of the first view does not reach into the second one.
static void views_are_kept_apart(void **state)
{
    (void)state;
    grz_heightmap_options options = upwards;
    options.projection = GRZ_PROJECTION_COMBINED;
    program p = begin(&options);
    const float point[] = {0.5f, 0.99f, 0.75f, 0.5f, 0.01f, 0.75f, 0.01f, 0.5f, 0.75f, 0.99f, 0.5f, 0.75f};
    drawing d = draw_points(point, 4, GL_POINTS);
    grz_environment environment = around(&d);
    for (int size = 1; size <= 32; size *= 2) {
        uint64_t count;
        d.point_size = (GLfloat)size;
        const uint64_t hits = ask(&p, &environment).hits;
        assert_true(hits > 0);
        const grz_height_contact *contacts = grz_heightmap_contacts(p.heightmap, &count);
        assert_int_equal(count, hits);
        for (uint64_t i = 0; i < count; i++)
            assert_int_equal(contacts[i].view, 0);
    }
    finish_drawing(&d);
    end(&p);
}

// Normals and depths of very small and very large objects.
static void contacts_have_any_scale(void **state)
{
    (void)state;
    for (int exponent = -270; exponent <= 270; exponent += 45) {
        program p = begin(&upwards);
        grz_object other = grz_object_at(p.cube, grz_pose_from_translation(0.5, 0.5, 0.5));
        const double scale = ldexp(1.0, exponent);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 4; j++) {
                p.object.pose.m[i][j] *= scale;
                other.pose.m[i][j] *= scale;
            }
        grz_environment environment = grz_default_environment();
        environment.objects = &other;
        environment.object_count = 1;
        environment.contacts = true;
        environment.record = GRZ_RECORD_NORMALS;
        uint64_t count;
        const uint64_t hits = ask(&p, &environment).hits;
        assert_true(hits > SIDE * SIDE / 5);
        const grz_height_contact *contacts = grz_heightmap_contacts(p.heightmap, &count);
        assert_int_equal(count, hits);
        for (uint64_t i = 0; i < count; i++)
            assert_true(fabs(contacts[i].normal[2] + 1.0) < 1e-6 && fabs(contacts[i].depth / scale - 0.5) < 1e-3);
        end(&p);
    }
}

// The textures are those of the last query.
static void check_images(const grz_heightmap_options *options)
{
    program p = begin(options);
    const float points[] = {0.3f, 0.6f, 0.25f};
    static float depths[SIDE * SIDE], fronts[SIDE * SIDE];
    static uint32_t ids[SIDE * SIDE][2];
    drawing d = draw_points(points, 1, GL_POINTS);
    grz_environment environment = around(&d);
    grz_heightmap_images images;
    uint64_t count;
    assert_false(grz_heightmap_images_of(p.heightmap, &images));
    assert_int_equal(images.object_depth, 0);
    ask(&p, &environment);
    assert_true(grz_heightmap_images_of(p.heightmap, &images));
    assert_true(images.width == SIDE && images.height == SIDE && images.views == 1);
    glGetTextureImage(images.environment_depth, 0, GL_DEPTH_COMPONENT, GL_FLOAT, sizeof depths, depths);
    glGetTextureImage(images.object_depth, 0, GL_DEPTH_COMPONENT, GL_FLOAT, sizeof fronts, fronts);
    glGetTextureImage(images.ids, 0, GL_RG_INTEGER, GL_UNSIGNED_INT, sizeof ids, ids);
    assert_true(glIsTexture(images.normals) == GL_TRUE);
    const grz_height_contact *contact = grz_heightmap_contacts(p.heightmap, &count);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const bool hit = i == contact->y * SIDE + contact->x;
        assert_true(hit ? fabsf(depths[i] - 0.25f) < 1e-4f : depths[i] == 1.0f);
        assert_true(fabsf(fronts[i] - 1.0f) < 1e-3f && ids[i][0] == (hit ? 7 : GRZ_NO_ID));
    }
    finish_drawing(&d);
    end(&p);
}

static void images_stay_on_the_gpu(void **state)
{
    grz_heightmap_options with_stencil = upwards;
    (void)state;
    check_images(&upwards);
    with_stencil.stencil = true;
    check_images(&with_stencil);
}

// Parts of one machine: each has its own map and pose; a part never meets itself, nor those that its mask leaves out.
static void parts_ignore_each_other_as_told(void **state)
{
    (void)state;
    grz_heightmap_options options = upwards;
    options.both_sides = true; // seen from below, a part shows the next one's top if its bottom is lower than its own
    program p = begin(&options);
    grz_object parts[3];
    grz_environment environment = grz_default_environment();
    environment.objects = parts;
    environment.object_count = 3;
    environment.contacts = true;
    environment.record = GRZ_RECORD_IDS;
    for (int i = 0; i < 3; i++) // a row: each overlaps the next
        parts[i] = grz_object_at(p.cube, grz_pose_from_translation(0.75 * i, 0.0, 0.1 * i));
    for (int i = 0; i < 3; i++) {
        grz_heightmap_answer answer;
        uint64_t count;
        assert_int_equal(grz_heightmap_collide(p.heightmap, &parts[i], &environment, &answer, NULL), GRZ_OK);
        assert_true(answer.colliding);
        const grz_height_contact *contacts = grz_heightmap_contacts(p.heightmap, &count);
        assert_int_equal(count, answer.hits);
        for (uint64_t k = 0; k < count; k++)
            assert_true(abs((int)contacts[k].id - i) == 1);
    }
    // Neighbours share no group now.
    for (int i = 0; i < 3; i++) {
        parts[i].group = 1u << i;
        parts[i].mask = i == 1 ? 0 : ~0u;
    }
    for (int i = 0; i < 3; i++) {
        grz_heightmap_answer answer;
        assert_int_equal(grz_heightmap_collide(p.heightmap, &parts[i], &environment, &answer, NULL), GRZ_OK);
        assert_false(answer.colliding);
    }
    end(&p);
}

static void objects_outside_the_view_are_not_drawn(void **state)
{
    static const struct {
        double x, y, z, turn; // about the z axis, in degrees
        GLuint triangles;
    } places[] = {{0.0, 0.0, 0.5, 0.0, 12},   {1.0, 0.0, 0.0, 0.0, 12},  {1.001, 0.0, 0.0, 0.0, 0},
                  {0.0, -1.001, 0.0, 0.0, 0}, {0.0, -1.0, 0.0, 0.0, 12}, {0.0, 0.0, 1.001, 0.0, 0},
                  {0.0, 0.0, -1.001, 0.0, 0}, {0.0, 0.0, -1.0, 0.0, 12}, {1.69, 0.0, 0.0, 45.0, 12},
                  {1.72, 0.0, 0.0, 45.0, 0},  {1e30, 1e30, 0.0, 0.0, 0}};
    (void)state;
    program p = begin(&upwards);
    GLuint query;
    glCreateQueries(GL_PRIMITIVES_GENERATED, 1, &query);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const double half = 0.5 * places[i].turn * acos(-1.0) / 180.0;
        const double at[3] = {places[i].x, places[i].y, places[i].z}, turn[4] = {0.0, 0.0, sin(half), cos(half)};
        grz_object other;
        GLuint triangles;
        grz_environment environment = grz_default_environment();
        environment.objects = &other;
        environment.object_count = 1;
        grz_pose pose;
        assert_int_equal(grz_pose_from_quaternion(at, turn, &pose, NULL), GRZ_OK);
        other = grz_object_at(p.cube, pose);
        ask(&p, &environment); // the first query draws the object's own map, too
        glBeginQuery(GL_PRIMITIVES_GENERATED, query);
        ask(&p, &environment);
        glEndQuery(GL_PRIMITIVES_GENERATED);
        glGetQueryObjectuiv(query, GL_QUERY_RESULT, &triangles);
        if (triangles != places[i].triangles)
            fail_msg("place %zu: %u triangles are drawn, not %u", i, triangles, places[i].triangles);
    }
    glDeleteQueries(1, &query);
    end(&p);
}

// ---- What goes wrong ----------------------------------------------------------------------------------------------

static void raise_error(drawing *d)
{
    (void)d;
    glEnable(0x1234);
}

static void change_context(drawing *d)
{
    assert_true(grz_context_make_current(d->other));
}

static void leave_feedback(drawing *d)
{
    const char *const varying = "gl_Position";
    const GLuint name = glCreateProgram(), shader = glCreateShader(GL_VERTEX_SHADER);
    glShaderSource(shader, 1, &place_vertices, NULL);
    glCompileShader(shader);
    glAttachShader(name, shader);
    glTransformFeedbackVaryings(name, 1, &varying, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(name);
    glUseProgram(name);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, d->buffer);
    glBeginTransformFeedback(GL_POINTS);
    glDeleteShader(shader);
    glDeleteProgram(name); // when it is no longer used
}

static void leave_query(drawing *d)
{
    glCreateQueries(GL_SAMPLES_PASSED, 1, &d->query);
    glBeginQuery(GL_SAMPLES_PASSED, d->query);
}

static void leave_condition(drawing *d)
{
    glCreateQueries(GL_SAMPLES_PASSED, 1, &d->query);
    glBeginQuery(GL_SAMPLES_PASSED, d->query);
    glEndQuery(GL_SAMPLES_PASSED);
    glBeginConditionalRender(d->query, GL_QUERY_WAIT); // nothing passed: nothing is drawn from now on
}

static void delete_framebuffer(drawing *d)
{
    glDeleteFramebuffers(1, &d->last.framebuffer);
}

static void delete_uniforms(drawing *d)
{
    glDeleteBuffers(1, &d->last.uniform_buffer);
}

static void delete_picture(drawing *d)
{
    GLint name;
    glGetNamedFramebufferAttachmentParameteriv(d->last.framebuffer, GL_DEPTH_ATTACHMENT,
                                               GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME, &name);
    const GLuint texture = (GLuint)name;
    glDeleteTextures(1, &texture);
}

static void leave_a_mess(drawing *d)
{
    glDisable(GL_SCISSOR_TEST);
    glMapNamedBuffer(d->last.uniform_buffer, GL_READ_ONLY);
    glClearStencil(0);
    glClear(GL_STENCIL_BUFFER_BIT);
    glNamedFramebufferDrawBuffer(d->last.framebuffer, GL_NONE);
    glNamedFramebufferTexture(d->last.framebuffer, GL_DEPTH_ATTACHMENT, 0, 0);
    glNamedFramebufferTexture(d->last.framebuffer, GL_STENCIL_ATTACHMENT, 0, 0);
    glEnable(GL_RASTERIZER_DISCARD);
    glEnable(GL_SCISSOR_TEST);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_NEVER, 3, 5);
    glDepthFunc(GL_NEVER);
    glDepthMask(GL_FALSE);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    glCullFace(GL_FRONT_AND_BACK);
    glEnable(GL_CULL_FACE);
    glClipControl(GL_UPPER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
    glViewport(1, 1, 1, 1);
    glDepthRange(0.75, 0.5);
    glPolygonMode(GL_FRONT_AND_BACK, GL_POINT);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glUseProgram(0);
    glBindVertexArray(0);
}

static void bad_callbacks_end_in_errors(void **state)
{
    (void)state;
    program p = begin(&upwards);
    grz_context other;
    const float points[] = {0.3f, 0.6f, 0.25f};
    drawing d = draw_points(points, 1, GL_POINTS);
    grz_environment environment = around(&d);
    grz_heightmap_answer answer;
    grz_error error;
    assert_int_equal(grz_context_open(0, false, &other, NULL), GRZ_OK);
    d.other = &other;
    const struct {
        void (*misdeed)(drawing *);
        grz_status returned, expected;
        const char *words;
    } wrong[] = {
        {raise_error, GRZ_OK, GRZ_ERROR_DEVICE, "the callback left an error in OpenGL"},
        {change_context, GRZ_OK, GRZ_ERROR_DEVICE, "the callback changed the current OpenGL context"},
        {leave_feedback, GRZ_OK, GRZ_ERROR_DEVICE, "the callback left a transform feedback"},
        {leave_query, GRZ_OK, GRZ_ERROR_DEVICE, "the callback left a query"},
        {leave_condition, GRZ_OK, GRZ_ERROR_DEVICE, "the callback left a conditional rendering"},
        {delete_framebuffer, GRZ_OK, GRZ_ERROR_DEVICE, "the callback deleted what it was to draw into"},
        {delete_uniforms, GRZ_OK, GRZ_ERROR_DEVICE, "the callback deleted what it was to draw into"},
        {delete_picture, GRZ_OK, GRZ_ERROR_DEVICE, "the callback deleted what it was to draw into"},
        {NULL, (grz_status)999, GRZ_ERROR_ARGUMENT, "the callback returned 999, which is no status"},
        {NULL, GRZ_ERROR_FILE, GRZ_ERROR_FILE, "the callback ended the query"},
        {NULL, GRZ_ERROR_CANCELLED, GRZ_ERROR_CANCELLED, "the callback ended the query"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        d.misdeed = wrong[i].misdeed;
        d.returned = wrong[i].returned;
        test_expect_error(grz_heightmap_collide(p.heightmap, &p.object, &environment, &answer, &error),
                          wrong[i].expected, &error, wrong[i].words, GRZ_NO_ELEMENT);
        assert_true(!answer.colliding && answer.maps == 0 && eglGetCurrentContext() == p.context.context);
        assert_int_equal(glGetError(), GL_NO_ERROR);
        glDeleteQueries(1, &d.query);
        d.query = 0;
        d.misdeed = NULL;
        d.returned = GRZ_OK;
        assert_int_equal(ask(&p, &environment).hits, 1);
    }
    // A mess is no error: what follows is right all the same, also the second view of a query. The state of the
    // caller's context is as it was.
    grz_heightmap_options two_views = upwards;
    grz_heightmap *both;
    two_views.projection = GRZ_PROJECTION_COMBINED;
    two_views.stencil = true;
    const grz_object crossing = grz_object_at(p.cube, grz_pose_from_translation(0.5, 0.5, 0.5));
    grz_environment without = grz_default_environment();
    without.objects = &crossing;
    without.object_count = 1;
    without.contacts = true;
    without.record = GRZ_RECORD_IDS | GRZ_RECORD_NORMALS;
    assert_int_equal(grz_heightmap_create(p.device, p.cube, &two_views, &both, NULL), GRZ_OK);
    d.misdeed = leave_a_mess;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ask(&p, &environment).hits, 1);
        assert_int_equal(grz_heightmap_collide(both, &p.object, &environment, &answer, NULL), GRZ_OK);
        assert_true(answer.maps == 2 && answer.hits == 1); // in the second view
        // Nothing of it is left for the next query.
        uint64_t count;
        assert_int_equal(grz_heightmap_collide(both, &p.object, &without, &answer, NULL), GRZ_OK);
        const grz_height_contact *contacts = grz_heightmap_contacts(both, &count);
        assert_true(count > SIDE * SIDE / 4);
        for (uint64_t k = 0; k < count; k++)
            assert_true(contacts[k].id == 0 && fabs(fabs(contacts[k].normal[2]) - 1.0) < 1e-6);
    }
    grz_heightmap_destroy(both);
    assert_true(glIsEnabled(GL_RASTERIZER_DISCARD) == GL_FALSE && glIsEnabled(GL_STENCIL_TEST) == GL_FALSE);
    // Nothing is drawn: nothing is hit.
    finish_drawing(&d);
    d = (drawing){.program = 0};
    assert_false(ask(&p, &environment).colliding);
    assert_int_equal(d.calls, 1);
    grz_context_close(&other);
    end(&p);
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    program p = begin(&upwards);
    test_mesh sheet = test_mesh_grid(2, 2, 0.5);
    grz_mesh *flat = test_mesh_upload(p.device, &sheet);
    grz_device *other_device = test_gl_device_open(), *cpu;
    grz_device_options only_cpu = grz_default_device_options();
    grz_mesh *foreign = test_mesh_upload(other_device, &sheet);
    const grz_object stranger = grz_object_at_origin(foreign), thin = grz_object_at_origin(flat);
    grz_object turned = p.object;
    grz_environment environment = grz_default_environment();
    grz_heightmap_options options = upwards;
    grz_heightmap_answer answer;
    grz_heightmap *made;
    grz_error error;
    int cancel = 1;
    only_cpu.kind = GRZ_DEVICE_CPU;
    assert_int_equal(grz_device_open(&only_cpu, &cpu, NULL), GRZ_OK);
    grz_mesh *in_memory = test_mesh_upload(cpu, &sheet);
    test_expect_error(grz_heightmap_create(NULL, flat, NULL, &made, &error), GRZ_ERROR_ARGUMENT, &error,
                      "the device is NULL", GRZ_NO_ELEMENT);
    test_expect_error(grz_heightmap_create(cpu, in_memory, NULL, &made, &error), GRZ_ERROR_UNSUPPORTED, &error,
                      "the device was opened without", GRZ_NO_ELEMENT);
    test_expect_error(grz_heightmap_create(p.device, foreign, NULL, &made, &error), GRZ_ERROR_ARGUMENT, &error,
                      "the mesh is of another device", GRZ_NO_ELEMENT);
    options.has_direction = true;
    options.direction[2] = (double)INFINITY;
    test_expect_error(grz_heightmap_create(p.device, flat, &options, &made, &error), GRZ_ERROR_ARGUMENT, &error,
                      "is zero or not finite", GRZ_NO_ELEMENT);
    assert_null(made);
    test_expect_error(grz_heightmap_collide(p.heightmap, &thin, &environment, &answer, &error), GRZ_ERROR_ARGUMENT,
                      &error, "not of the mesh that the height map was made for", GRZ_NO_ELEMENT);
    environment.objects = &stranger;
    environment.object_count = 1;
    test_expect_error(grz_heightmap_collide(p.heightmap, &p.object, &environment, &answer, &error), GRZ_ERROR_ARGUMENT,
                      &error, "object 0 of the environment is of another device", 0);
    environment.objects = &thin;
    environment.record = 8;
    test_expect_error(grz_heightmap_collide(p.heightmap, &p.object, &environment, &answer, &error), GRZ_ERROR_ARGUMENT,
                      &error, "environment.record that are unknown: 0x8", GRZ_NO_ELEMENT);
    environment.record = 0;
    environment.limits.deadline = -1.0;
    test_expect_error(grz_heightmap_collide(p.heightmap, &p.object, &environment, &answer, &error), GRZ_ERROR_ARGUMENT,
                      &error, "environment.limits.deadline is -1", GRZ_NO_ELEMENT);
    environment.limits.deadline = 0.0;
    environment.limits.cancel = &cancel;
    test_expect_error(grz_heightmap_collide(p.heightmap, &p.object, &environment, &answer, &error), GRZ_ERROR_CANCELLED,
                      &error, "cancelled", GRZ_NO_ELEMENT);
    environment.limits.cancel = NULL;
    turned.pose.m[0][0] = 0.0;
    test_expect_error(grz_heightmap_collide(p.heightmap, &turned, &environment, &answer, &error), GRZ_ERROR_POSE,
                      &error, "the object's pose has no inverse", GRZ_NO_ELEMENT);
    environment.size = 2;
    test_expect_error(grz_heightmap_collide(p.heightmap, &p.object, &environment, &answer, &error), GRZ_ERROR_ARGUMENT,
                      &error, "grz_default_environment()", GRZ_NO_ELEMENT);
    // Maps that the device draws, but that take more than a GiB together with what is recorded.
    options.resolution = 8192;
    environment = grz_default_environment();
    environment.record = GRZ_RECORD_IDS | GRZ_RECORD_NORMALS;
    options.direction[2] = 1.0;
    assert_int_equal(grz_heightmap_create(p.device, p.cube, &options, &made, &error), GRZ_OK);
    test_expect_error(grz_heightmap_collide(made, &p.object, &environment, &answer, &error), GRZ_ERROR_ARGUMENT, &error,
                      "a resolution of 8192, must be 1 to 5792: the maps take 1 GiB at most", GRZ_NO_ELEMENT);
    grz_heightmap_destroy(made);
    // A sheet seen edge-on.
    options = upwards;
    options.direction[0] = 1.0;
    options.direction[2] = 0.0;
    environment = grz_default_environment();
    assert_int_equal(grz_heightmap_create(p.device, flat, &options, &made, &error), GRZ_OK);
    test_expect_error(grz_heightmap_collide(made, &thin, &environment, &answer, &error), GRZ_ERROR_UNSUPPORTED, &error,
                      "the object covers none of the 64 x 64 pixels", GRZ_NO_ELEMENT);
    grz_heightmap_destroy(made);
    grz_heightmap_destroy(NULL);
    grz_mesh_destroy(foreign);
    grz_mesh_destroy(flat);
    grz_mesh_destroy(in_memory);
    grz_device_close(cpu);
    test_gl_device_close(other_device);
    test_mesh_finish(&sheet);
    end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_callback_sees_what_the_library_sees),
        cmocka_unit_test(lines_and_points_are_seen),
        cmocka_unit_test(what_shaders_make_is_seen),
        cmocka_unit_test(every_view_is_drawn),
        cmocka_unit_test(images_stay_on_the_gpu),
        cmocka_unit_test(views_are_kept_apart),
        cmocka_unit_test(contacts_have_any_scale),
        cmocka_unit_test(parts_ignore_each_other_as_told),
        cmocka_unit_test(objects_outside_the_view_are_not_drawn),
        cmocka_unit_test(bad_callbacks_end_in_errors),
        cmocka_unit_test(bad_arguments_are_refused),
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
