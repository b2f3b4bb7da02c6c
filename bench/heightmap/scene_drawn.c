// SPDX-License-Identifier: MIT
// Programs, buffers and drawing of the scene (scene_drawn.h).
#include <graze/gl.h>

#include "scene_drawn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "heightmap/shaders.h"

enum {
    AT_SECONDS = 0, // uniforms, as the shaders have them
    AT_POSE = 1,
    AT_TINT = 5,
    AT_NUMBER = 6,
    AT_DURATION = 1,
    AT_CENTRE = 2,
    AT_GROUPS = 3,
    PATCH_CORNERS = 4 * 3 * 4, // of the flag
    GROUP = 1000,              // particles that burst together
    MOST_STAGES = 4
};

static const double FRAMES_A_SECOND = 60.0;

// ---- Programs -------------------------------------------------------------------------------------------------------

// End the program with the driver's words.
static void die_of(const char *what, const char *log)
{
    char message[1200];
    snprintf(message, sizeof message, "the scene's %s: %s", what, log[0] != '\0' ? log : "the driver gives no reason");
    peer_die(message);
}

static GLuint compile(const grz_gl_stage *stage)
{
    const GLuint shader = glCreateShader(stage->kind);
    const GLchar *text = (const GLchar *)stage->source;
    const GLint length = (GLint)stage->length;
    GLint compiled = GL_FALSE;
    char log[1000] = "";
    glShaderSource(shader, 1, &text, &length);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    if (compiled == GL_FALSE)
        die_of(stage->name, log);
    return shader;
}

// Stages up to the first NULL, and a last one, which may be NULL.
static GLuint link_stages(const grz_gl_stage *const stages[MOST_STAGES], const grz_gl_stage *last)
{
    const GLuint program = glCreateProgram();
    GLint linked = GL_FALSE;
    char log[1000] = "";
    for (int i = 0; i <= MOST_STAGES; i++) {
        const grz_gl_stage *stage = i < MOST_STAGES ? stages[i] : last;
        if (stage == NULL)
            continue;
        const GLuint shader = compile(stage);
        glAttachShader(program, shader);
        glDeleteShader(shader);
    }
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    if (linked == GL_FALSE)
        die_of(stages[0]->name, log);
    return program;
}

// As the paper does: each thing's program is linked once more with another fragment shader for collisions.
static void make_programs(scene_drawn *drawn)
{
    static const grz_gl_stage *const made[SCENE_MADE][MOST_STAGES] = {
        {&grz_shader_scene_flag_vert, &grz_shader_scene_flag_tesc, &grz_shader_scene_flag_tese},
        {&grz_shader_scene_plants_vert, &grz_shader_scene_plants_geom},
        {&grz_shader_scene_firework_vert}};
    static const grz_gl_stage *const solid[MOST_STAGES] = {&grz_shader_scene_solid_vert},
                                     *const step[MOST_STAGES] = {&grz_shader_scene_firework_comp};
    for (int i = 0; i < SCENE_MADE; i++) {
        const bool surface = SCENE_MESHES + i == SCENE_FLAG;
        const grz_gl_stage *const last[SCENE_OUTPUTS] = {surface ? &grz_shader_scene_lit_frag
                                                                 : &grz_shader_scene_plain_frag,
                                                         &grz_shader_scene_id_frag, &grz_shader_scene_depth_frag};
        for (int k = 0; k < SCENE_OUTPUTS; k++)
            drawn->programs[i][k] = link_stages(made[i], last[k]);
        glProgramUniform1ui(drawn->programs[i][SCENE_IDS], AT_NUMBER, (GLuint)(SCENE_MESHES + i));
    }
    drawn->solid = link_stages(solid, &grz_shader_scene_lit_frag);
    drawn->step = link_stages(step, NULL);
}

// ---- Buffers --------------------------------------------------------------------------------------------------------

static GLuint make_buffer(const void *data, size_t bytes)
{
    GLuint name;
    glCreateBuffers(1, &name);
    glNamedBufferStorage(name, (GLsizeiptr)bytes, data, 0);
    return name;
}

// A vertex array with one attribute of floats.
static GLuint make_vertex_array(GLuint buffer, GLint floats)
{
    GLuint name;
    glCreateVertexArrays(1, &name);
    if (buffer == 0)
        return name;
    glVertexArrayVertexBuffer(name, 0, buffer, 0, floats * (GLsizei)sizeof(float));
    glVertexArrayAttribFormat(name, 0, floats, GL_FLOAT, GL_FALSE, 0);
    glEnableVertexArrayAttrib(name, 0);
    return name;
}

static scene_buffers upload_mesh(const peer_mesh *mesh)
{
    scene_buffers out = {.corners = (GLsizei)(3 * mesh->triangle_count)};
    float(*positions)[3] = malloc(mesh->vertex_count * sizeof *positions);
    if (positions == NULL)
        peer_die("out of memory");
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        for (int k = 0; k < 3; k++)
            positions[v][k] = (float)mesh->positions[v][k];
    out.positions = make_buffer(positions, mesh->vertex_count * sizeof *positions);
    out.triangles = make_buffer(mesh->triangles, mesh->triangle_count * sizeof *mesh->triangles);
    out.vertex_array = make_vertex_array(out.positions, 3);
    glVertexArrayElementBuffer(out.vertex_array, out.triangles);
    free(positions);
    return out;
}

// The meshes for Graze: in the same buffers.
static void share_mesh(scene_drawn *drawn, const peer_mesh *mesh, int number)
{
    grz_gl_mesh_description description = grz_default_gl_mesh_description();
    grz_error error;
    description.position_buffer = drawn->buffers[number].positions;
    description.vertex_count = mesh->vertex_count;
    description.index_buffer = drawn->buffers[number].triangles;
    description.triangle_count = mesh->triangle_count;
    check(grz_mesh_create_gl(drawn->device, &description, &drawn->meshes[number], &error), &error);
}

static void make_particles(scene_drawn *drawn, const double centre[3])
{
    for (int i = 0; i < 2; i++)
        drawn->particles[i] = make_buffer(NULL, sizeof(float) * 4 * SCENE_PARTICLES);
    glProgramUniform3f(drawn->step, AT_CENTRE, (float)centre[0], (float)centre[1], (float)centre[2]);
    glProgramUniform1ui(drawn->step, AT_GROUPS, SCENE_PARTICLES / GROUP);
}

static void put_pose(GLuint program, const double columns[4][3])
{
    float matrix[16] = {[15] = 1.0f};
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 3; row++)
            matrix[4 * column + row] = (float)columns[column][row];
    glProgramUniformMatrix4fv(program, AT_POSE, 1, GL_FALSE, matrix);
}

// ---- The camera -----------------------------------------------------------------------------------------------------

// The uniform block of <graze/environment.h>, for a camera that stands still and sees all of the land.
static GLuint make_camera(void)
{
    static const double eye[3] = {0.0, -6.4, 4.2};
    const double pitch = atan2(4.1, 6.4), c = cos(pitch), s = sin(pitch), focal = 1.9, near = 0.5, far = 20.0;
    const double axes[3][3] = {{1.0, 0.0, 0.0}, {0.0, s, c}, {0.0, -c, s}}; // to the right, up, to the viewer
    struct {
        float world_to_clip[4][4], forwards[4];
        uint32_t view[4];
    } block = {.forwards = {0.0f, (float)c, (float)-s, 0.0f}, .view = {0, SCENE_WIDTH, SCENE_HEIGHT, 0}};
    for (int column = 0; column < 4; column++) {
        double seen[3];
        for (int i = 0; i < 3; i++)
            seen[i] = column < 3 ? axes[i][column] : -(axes[i][0] * eye[0] + axes[i][1] * eye[1] + axes[i][2] * eye[2]);
        float *to = block.world_to_clip[column];
        to[0] = (float)(focal * SCENE_HEIGHT / SCENE_WIDTH * seen[0]);
        to[1] = (float)(focal * seen[1]);
        to[2] = (float)((far + near) / (near - far) * seen[2] + (column == 3 ? 2.0 * far * near / (near - far) : 0.0));
        to[3] = (float)-seen[2];
    }
    return make_buffer(&block, sizeof block);
}

static void make_picture(scene_drawn *drawn)
{
    glCreateTextures(GL_TEXTURE_2D, 2, drawn->pictures);
    glTextureStorage2D(drawn->pictures[0], 1, GL_RGBA8, SCENE_WIDTH, SCENE_HEIGHT);
    glTextureStorage2D(drawn->pictures[1], 1, GL_DEPTH_COMPONENT32F, SCENE_WIDTH, SCENE_HEIGHT);
    glCreateFramebuffers(1, &drawn->framebuffer);
    glNamedFramebufferTexture(drawn->framebuffer, GL_COLOR_ATTACHMENT0, drawn->pictures[0], 0);
    glNamedFramebufferTexture(drawn->framebuffer, GL_DEPTH_ATTACHMENT, drawn->pictures[1], 0);
    if (glCheckNamedFramebufferStatus(drawn->framebuffer, GL_DRAW_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        peer_die("the scene: OpenGL does not draw into a picture of 1280 x 720 pixels");
}

// ---- Opening and closing --------------------------------------------------------------------------------------------

// A context on the renderer that the other parts of the benchmark use, and a device in it.
static void open_context(const run *r, scene_drawn *drawn)
{
    grz_device_options options = grz_default_device_options();
    grz_renderer renderer;
    grz_error error;
    uint32_t number = 0;
    while (number < grz_renderer_count() &&
           (grz_renderer_info(number, &renderer, NULL) != GRZ_OK || strcmp(renderer.name, r->renderer.name) != 0))
        number++;
    if (number == grz_renderer_count())
        peer_die("the scene: the renderer of the device is not among those of this machine");
    check(grz_context_open(number, false, &drawn->context, &error), &error);
    if (!grz_context_make_current(&drawn->context))
        peer_die("the scene: EGL does not make a context current");
    options.kind = GRZ_DEVICE_GL_CURRENT;
    options.threads = 1;
    check(grz_device_open(&options, &drawn->device, &error), &error);
}

// OpenGL keeps the first error until it is asked.
static void expect_no_error(const char *when)
{
    const GLenum error = glGetError();
    char message[100];
    snprintf(message, sizeof message, "the scene raised the OpenGL error 0x%x %s", error, when);
    if (error != GL_NO_ERROR)
        peer_die(message);
}

void scene_drawn_open(const run *r, const scene_shapes *shapes, scene_drawn *drawn)
{
    *drawn = (scene_drawn){.device = NULL};
    open_context(r, drawn);
    make_programs(drawn);
    for (int i = 0; i < SCENE_MESHES; i++) {
        drawn->buffers[i] = upload_mesh(&shapes->meshes[i]);
        share_mesh(drawn, &shapes->meshes[i], i);
    }
    drawn->buffers[SCENE_SHIP] = upload_mesh(&shapes->ship);
    drawn->feet = make_buffer(shapes->plants, sizeof shapes->plants);
    make_particles(drawn, shapes->firework);
    drawn->vertex_arrays[SCENE_FLAG - SCENE_MESHES] = make_vertex_array(0, 0);
    drawn->vertex_arrays[SCENE_PLANT - SCENE_MESHES] = make_vertex_array(drawn->feet, 3);
    drawn->vertex_arrays[SCENE_PARTICLE - SCENE_MESHES] = make_vertex_array(drawn->particles[0], 4);
    for (int k = 0; k < SCENE_OUTPUTS; k++)
        put_pose(drawn->programs[SCENE_FLAG - SCENE_MESHES][k], shapes->flag);
    drawn->camera = make_camera();
    make_picture(drawn);
    scene_drawn_step(drawn, 0);
    expect_no_error("when it was made");
}

void scene_drawn_close(scene_drawn *drawn)
{
    const grz_current nothing = {.display = EGL_NO_DISPLAY, .context = EGL_NO_CONTEXT, .api = EGL_OPENGL_ES_API};
    expect_no_error("when it was drawn");
    for (int i = 0; i < SCENE_MESHES; i++)
        grz_mesh_destroy(drawn->meshes[i]);
    grz_device_close(drawn->device);
    // All that was made in the context goes with it.
    grz_current_restore(&nothing, &drawn->context);
    grz_context_close(&drawn->context);
}

// ---- Drawing --------------------------------------------------------------------------------------------------------

void scene_drawn_step(const scene_drawn *drawn, uint32_t steps)
{
    glUseProgram(drawn->step);
    for (GLuint i = 0; i < 2; i++)
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, drawn->particles[i]);
    glProgramUniform1f(drawn->step, AT_DURATION, steps > 0 ? (float)(1.0 / FRAMES_A_SECOND) : 0.0f);
    for (uint32_t i = 0; i < (steps > 0 ? steps : 1); i++) {
        glDispatchCompute(SCENE_PARTICLES / 100, 1, 1);
        glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT);
    }
}

void scene_drawn_time(const scene_drawn *drawn, uint32_t frame)
{
    for (int i = 0; i < SCENE_MADE; i++)
        for (int k = 0; k < SCENE_OUTPUTS; k++)
            glProgramUniform1f(drawn->programs[i][k], AT_SECONDS, (float)(frame / FRAMES_A_SECOND));
}

static void draw_made(const scene_drawn *drawn, scene_thing thing, scene_output output)
{
    const int number = (int)thing - SCENE_MESHES;
    glUseProgram(drawn->programs[number][output]);
    glBindVertexArray(drawn->vertex_arrays[number]);
    if (thing == SCENE_FLAG) {
        glPatchParameteri(GL_PATCH_VERTICES, 4);
        glDrawArrays(GL_PATCHES, 0, PATCH_CORNERS);
    } else {
        glDrawArrays(GL_POINTS, 0, thing == SCENE_PLANT ? SCENE_PLANTS : SCENE_PARTICLES);
    }
}

static void draw_mesh(const scene_drawn *drawn, int number, const peer_pose *pose)
{
    static const float tints[SCENE_MESHES + 1][3] = {
        {0.45f, 0.55f, 0.3f}, {0.7f, 0.65f, 0.6f}, {0.5f, 0.45f, 0.4f}, {0.8f, 0.7f, 0.2f}, {0.3f, 0.5f, 0.9f}};
    double columns[4][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            columns[k][i] = pose->m[i][k];
    put_pose(drawn->solid, columns);
    glProgramUniform3fv(drawn->solid, AT_TINT, 1, tints[number]);
    glBindVertexArray(drawn->buffers[number].vertex_array);
    glDrawElements(GL_TRIANGLES, drawn->buffers[number].corners, GL_UNSIGNED_INT, NULL);
}

void scene_drawn_frame(const scene_drawn *drawn, const peer_pose *ship, const peer_pose *airship)
{
    static const float sky[4] = {0.05f, 0.07f, 0.15f, 1.0f}, farthest = 1.0f;
    const peer_pose still = pose_still();
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, drawn->framebuffer);
    glViewport(0, 0, SCENE_WIDTH, SCENE_HEIGHT);
    glEnable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glPointSize(2.0f);
    glClearNamedFramebufferfv(drawn->framebuffer, GL_COLOR, 0, sky);
    glClearNamedFramebufferfv(drawn->framebuffer, GL_DEPTH, 0, &farthest);
    glBindBufferBase(GL_UNIFORM_BUFFER, GRZ_ENVIRONMENT_BLOCK, drawn->camera);
    glUseProgram(drawn->solid);
    for (int i = 0; i <= SCENE_SHIP; i++)
        draw_mesh(drawn, i, i == SCENE_SHIP ? ship : i == SCENE_AIRSHIP ? airship : &still);
    for (int i = SCENE_MESHES; i < SCENE_THINGS; i++)
        draw_made(drawn, (scene_thing)i, SCENE_COLOURS);
}

grz_status scene_drawn_environment(void *user, const grz_environment_view *view)
{
    const scene_drawn *drawn = user;
    (void)view;
    glDisable(GL_CULL_FACE); // the cloth has two sides
    glPointSize(1.0f);
    for (int i = SCENE_MESHES; i < SCENE_THINGS; i++)
        draw_made(drawn, (scene_thing)i, drawn->output);
    return GRZ_OK;
}

uint32_t scene_drawn_primitives(scene_drawn *drawn, scene_thing thing)
{
    GLuint query, count;
    glCreateQueries(GL_PRIMITIVES_GENERATED, 1, &query);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, drawn->framebuffer);
    glBindBufferBase(GL_UNIFORM_BUFFER, GRZ_ENVIRONMENT_BLOCK, drawn->camera);
    glBeginQuery(GL_PRIMITIVES_GENERATED, query);
    draw_made(drawn, thing, SCENE_COLOURS);
    glEndQuery(GL_PRIMITIVES_GENERATED);
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &count);
    glDeleteQueries(1, &query);
    return count;
}
