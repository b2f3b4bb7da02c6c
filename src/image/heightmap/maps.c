// SPDX-License-Identifier: MIT
// Draws and compares height maps. The object is drawn with the depth test turned round and its front faces left out, so
// that the surface farthest forwards stays; the environment is drawn as usual. Depth is linear, in 32-bit floats.
// Source: J. Fabrizio, "Easy real-time collision detection", section 2.
#include "image/heightmap/maps.h"

#include <assert.h>
#include <string.h>

#include "base/fail.h"
#include "gpu/dispatch.h"
#include "image/heightmap/shaders.h"

enum {
    OBJECT = 0, // of the framebuffers
    ENVIRONMENT = 1
};

static const grz_gl_program_source draw_program = {"heights", {&grz_shader_view_vert, NULL, NULL}};
static const grz_gl_program_source silhouette_program = {
    "silhouette", {&grz_shader_silhouette_vert, &grz_shader_silhouette_frag, NULL}};
static const grz_gl_program_source compare_program = {"heights_compare",
                                                      {&grz_shader_heights_compare_comp, NULL, NULL}};

static void release_maps(const grz_mesh *mesh, void *state)
{
    grz_height_maps *maps = state;
    for (int i = 0; i < 2; i++)
        grz_gl_bin_add(maps->bin, GRZ_GL_FRAMEBUFFER, maps->framebuffers[i]);
    grz_gl_bin_add(maps->bin, GRZ_GL_TEXTURE, maps->object_map);
    grz_gl_bin_add(maps->bin, GRZ_GL_TEXTURE, maps->environment_map);
    grz_gl_bin_add(maps->bin, GRZ_GL_BUFFER, maps->found);
    grz_gl_bin_empty_later(mesh->device, maps->bin);
    grz_release(mesh->allocator, maps, 1, sizeof *maps);
}

// Only the structure: the maps depend on the settings, and are made by those inside OpenGL.
static grz_status prepare_maps(const grz_mesh *mesh, grz_control *control, void **state, grz_error *error)
{
    if (*state != NULL)
        return GRZ_OK;
    grz_height_maps *maps = grz_allocate_zeroed(grz_control_allocator(control), 1, sizeof *maps);
    if (maps != NULL)
        maps->bin = grz_gl_bin_create(grz_gl_inside(mesh->device));
    if (maps == NULL || maps->bin == NULL) {
        grz_release(grz_control_allocator(control), maps, 1, sizeof *maps);
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "heightmap: out of memory");
    }
    *state = maps;
    return GRZ_OK;
}

// ---- Pictures -----------------------------------------------------------------------------------------------------

static bool is_bounded(const grz_height_maps *maps)
{
    return maps->options.projection == GRZ_PROJECTION_BOUNDED;
}

// How many maps of the object there are, one above the other.
static uint32_t object_rows(const grz_height_maps *maps)
{
    return is_bounded(maps) ? 2 : maps->view_count;
}

static void delete_pictures(grz_gl *gl, grz_height_maps *maps)
{
    for (int i = 0; i < 2; i++) {
        grz_gl_delete(gl, GRZ_GL_FRAMEBUFFER, maps->framebuffers[i]);
        maps->framebuffers[i] = 0;
    }
    grz_gl_delete(gl, GRZ_GL_TEXTURE, maps->object_map);
    grz_gl_delete(gl, GRZ_GL_TEXTURE, maps->environment_map);
    grz_gl_delete(gl, GRZ_GL_BUFFER, maps->found);
    maps->object_map = maps->environment_map = maps->found = 0;
    maps->version = 0;
}

static grz_status create_picture(grz_gl *gl, uint32_t side, uint32_t rows, bool stencil, GLuint *texture,
                                 GLuint *framebuffer, grz_error *error)
{
    *framebuffer = grz_gl_create(gl, GRZ_GL_FRAMEBUFFER, 0);
    *texture = grz_gl_create(gl, GRZ_GL_TEXTURE, GL_TEXTURE_2D);
    glTextureStorage2D(*texture, 1, stencil ? GL_DEPTH32F_STENCIL8 : GL_DEPTH_COMPONENT32F, (GLsizei)side,
                       (GLsizei)(side * rows));
    glTextureParameteri(*texture, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTextureParameteri(*texture, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glNamedFramebufferTexture(*framebuffer, stencil ? GL_DEPTH_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT, *texture, 0);
    glNamedFramebufferDrawBuffer(*framebuffer, GL_NONE);
    const grz_status status = grz_gl_check(gl, error);
    if (status == GRZ_OK && glCheckNamedFramebufferStatus(*framebuffer, GL_DRAW_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        return grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT,
                        "heightmap: the driver does not draw depths of %u x %u pixels", side, side * rows);
    return status;
}

static grz_status check_side(const grz_gl *gl, const grz_heightmap_options *options, grz_error *error)
{
    const bool two = options->projection != GRZ_PROJECTION_SINGLE && options->projection != GRZ_PROJECTION_FLOOR;
    const uint32_t most = grz_gl_get_limits(gl)->image_side / (two ? 2 : 1);
    if (options->resolution == 0 || options->resolution > most)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "heightmap: a resolution of %u, must be 1 to %u on this device", options->resolution, most);
    return GRZ_OK;
}

static grz_status create_pictures(grz_gl *gl, grz_height_maps *maps, grz_error *error)
{
    const uint32_t side = maps->options.resolution;
    grz_gl_buffer found = {.name = 0};
    grz_status status =
        create_picture(gl, side, object_rows(maps), false, &maps->object_map, &maps->framebuffers[OBJECT], error);
    if (status == GRZ_OK)
        status = create_picture(gl, side, maps->view_count, maps->options.stencil, &maps->environment_map,
                                &maps->framebuffers[ENVIRONMENT], error);
    if (status == GRZ_OK)
        status = grz_gl_buffer_reserve(gl, &found, 2 * sizeof(grz_height_found), "the answer", error);
    maps->found = found.name;
    return status;
}

// ---- Drawing ------------------------------------------------------------------------------------------------------

static void clear_depth(GLuint framebuffer, float depth)
{
    glClearNamedFramebufferfv(framebuffer, GL_DEPTH, 0, &depth);
}

// Draw a mesh at a pose relative to the maps' mesh, into a view's part of the picture that is bound.
static grz_status draw_mesh(grz_gl *gl, const grz_height_maps *maps, uint32_t row, const grz_view *view,
                            const grz_object *object, const grz_mesh_buffers *buffers, grz_control *control)
{
    const GLsizei side = (GLsizei)maps->options.resolution;
    float matrix[16];
    grz_view_matrix(view, object, buffers, matrix);
    glViewport(0, (GLint)row * side, side, side);
    glFrontFace(grz_height_mirrors(&object->pose) ? GL_CW : GL_CCW);
    glUniformMatrix4fv(GRZ_AT_CLIP, 1, GL_TRUE, matrix);
    glUniform1f(GRZ_AT_OFFSET, 0.0f);
    glUniform4fv(GRZ_AT_FRAME, 1, buffers->frame);
    glBindVertexArray(buffers->vertex_array);
    return grz_mesh_buffers_draw_all(gl, control, buffers);
}

static grz_status begin_drawing(grz_gl *gl, const grz_height_maps *maps, int which, grz_error *error)
{
    GLuint program;
    const grz_status status = grz_gl_program(gl, &draw_program, &program, error);
    if (status != GRZ_OK)
        return status;
    glUseProgram(program);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, maps->framebuffers[which]);
    glEnable(GL_DEPTH_TEST);
    return GRZ_OK;
}

// Back to the state in which other methods expect OpenGL.
static void end_drawing(void)
{
    glDisable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    glDisable(GL_CULL_FACE);
    glCullFace(GL_BACK);
    glFrontFace(GL_CCW);
    glDisable(GL_STENCIL_TEST);
}

// The surfaces farthest forwards, whose faces are seen from inside; for bounded maps also, above them, those farthest
// backwards.
static grz_status draw_object(grz_gl *gl, const grz_height_maps *maps, const grz_mesh *mesh,
                              const grz_mesh_buffers *buffers, grz_control *control, grz_error *error)
{
    const grz_object own = grz_object_at_origin(mesh);
    grz_status status = begin_drawing(gl, maps, OBJECT, error);
    if (status != GRZ_OK)
        return status;
    if (!maps->options.both_sides)
        glEnable(GL_CULL_FACE);
    clear_depth(maps->framebuffers[OBJECT], 0.0f);
    glDepthFunc(GL_GREATER);
    glCullFace(GL_FRONT);
    for (uint32_t i = 0; i < maps->view_count && status == GRZ_OK; i++)
        status = draw_mesh(gl, maps, i, &maps->views[i], &own, buffers, control);
    if (status == GRZ_OK && is_bounded(maps)) {
        const GLsizei side = (GLsizei)maps->options.resolution;
        const float far = 1.0f;
        glClearTexSubImage(maps->object_map, 0, 0, side, 0, side, side, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &far);
        glDepthFunc(GL_LESS);
        glCullFace(GL_BACK);
        status = draw_mesh(gl, maps, 1, &maps->views[0], &own, buffers, control);
    }
    end_drawing();
    return status;
}

// Write 1 into the stencil of the environment's picture where the object covers a pixel, 0 elsewhere.
static grz_status draw_silhouette(grz_gl *gl, const grz_height_maps *maps, const grz_mesh_buffers *buffers,
                                  grz_error *error)
{
    const GLsizei side = (GLsizei)maps->options.resolution;
    GLuint program;
    const GLint nothing = 0;
    const grz_status status = grz_gl_program(gl, &silhouette_program, &program, error);
    if (status != GRZ_OK)
        return status;
    glUseProgram(program);
    glClearNamedFramebufferiv(maps->framebuffers[ENVIRONMENT], GL_STENCIL, 0, &nothing);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, maps->framebuffers[ENVIRONMENT]);
    glBindTextureUnit(GRZ_UNIT_OBJECT_MAP, maps->object_map);
    glBindSampler(GRZ_UNIT_OBJECT_MAP, 0);
    glViewport(0, 0, side, side * (GLsizei)maps->view_count);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_ALWAYS, 1, ~0u);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    glBindVertexArray(buffers->vertex_array); // its attributes are not read, but there must be one
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    glDisable(GL_STENCIL_TEST);
    return GRZ_OK;
}

static bool is_current(const grz_height_maps *maps, const grz_mesh *mesh, const grz_heightmap_options *options)
{
    const grz_heightmap_options *own = &maps->options;
    return maps->version == mesh->version && own->resolution == options->resolution &&
           own->projection == options->projection && own->stencil == options->stencil &&
           own->both_sides == options->both_sides && own->has_direction == options->has_direction &&
           (!own->has_direction || memcmp(own->direction, options->direction, sizeof own->direction) == 0);
}

static grz_solid_box box_of(const grz_mesh *mesh, const grz_mesh_buffers *buffers)
{
    return mesh->source != NULL ? grz_view_plain_box(&mesh->bounds) : *grz_mesh_buffers_box(mesh, buffers);
}

static grz_status make_maps(grz_gl *gl, const grz_mesh *mesh, const grz_heightmap_options *options,
                            const grz_mesh_buffers *buffers, grz_control *control, grz_height_maps *maps,
                            grz_error *error)
{
    const grz_solid_box box = box_of(mesh, buffers);
    grz_status status = check_side(gl, options, error);
    if (status != GRZ_OK)
        return status;
    const bool same_pictures = maps->object_map != 0 && maps->options.resolution == options->resolution &&
                               maps->options.projection == options->projection &&
                               maps->options.stencil == options->stencil;
    if (!same_pictures)
        delete_pictures(gl, maps);
    maps->version = 0;
    maps->options = *options;
    maps->view_count = grz_height_views(options, mesh, &box, maps->views);
    if (!same_pictures)
        status = create_pictures(gl, maps, error);
    if (status != GRZ_OK) {
        delete_pictures(gl, maps);
        return status;
    }
    status = draw_object(gl, maps, mesh, buffers, control, error);
    if (status == GRZ_OK && options->stencil)
        status = draw_silhouette(gl, maps, buffers, error);
    if (status == GRZ_OK)
        maps->version = mesh->version;
    return status;
}

grz_status grz_height_maps_get(grz_gl *gl, const grz_mesh *mesh, const grz_heightmap_options *options,
                               grz_control *control, const grz_height_maps **maps, grz_error *error)
{
    static const grz_slot_type type = {prepare_maps, release_maps};
    const grz_mesh_buffers *buffers;
    void *state = NULL;
    grz_status status = grz_mesh_buffers_get(mesh, control, &buffers, error);
    if (status == GRZ_OK)
        status = grz_mesh_slot_get(mesh, &type, control, &state, error);
    *maps = state;
    assert(grz_gl_inside(mesh->device) == gl);
    // The slot's lock is not held here. But this thread is inside the device's OpenGL, and only such threads look at
    // the content.
    if (status == GRZ_OK && !is_current(state, mesh, options))
        status = make_maps(gl, mesh, options, buffers, control, state, error);
    return status;
}

// ---- Comparing ----------------------------------------------------------------------------------------------------

static grz_status draw_environment(grz_gl *gl, const grz_height_maps *maps, uint32_t first, uint32_t count,
                                   const grz_object *relative, grz_control *control, grz_error *error)
{
    const grz_mesh_buffers *buffers;
    grz_status status = grz_mesh_buffers_get(relative->mesh, control, &buffers, error);
    if (status == GRZ_OK)
        status = begin_drawing(gl, maps, ENVIRONMENT, error);
    if (status != GRZ_OK)
        return status;
    if (!maps->options.both_sides)
        glEnable(GL_CULL_FACE);
    if (maps->options.stencil) {
        glEnable(GL_STENCIL_TEST);
        glStencilFunc(GL_EQUAL, 1, ~0u);
    }
    for (uint32_t i = first; i < first + count && status == GRZ_OK; i++)
        status = draw_mesh(gl, maps, i, &maps->views[i], relative, buffers, control);
    end_drawing();
    return status;
}

static grz_status compare_views(grz_gl *gl, const grz_height_maps *maps, uint32_t first, uint32_t count,
                                grz_control *control, grz_error *error)
{
    const uint64_t side = maps->options.resolution, tiles = (side + GRZ_HEIGHT_TILE - 1) / GRZ_HEIGHT_TILE;
    GLuint program;
    grz_status status = grz_gl_program(gl, &compare_program, &program, error);
    if (status != GRZ_OK)
        return status;
    glUseProgram(program);
    glBindTextureUnit(GRZ_UNIT_OBJECT_MAP, maps->object_map);
    glBindTextureUnit(GRZ_UNIT_ENVIRONMENT_MAP, maps->environment_map);
    glBindSampler(GRZ_UNIT_OBJECT_MAP, 0);
    glBindSampler(GRZ_UNIT_ENVIRONMENT_MAP, 0);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_HEIGHT_FOUND, maps->found);
    glUniform1ui(GRZ_AT_HEIGHT_SIDE, (GLuint)side);
    glUniform1ui(GRZ_AT_HEIGHT_VIEW, first);
    glUniform1i(GRZ_AT_HEIGHT_BOUNDED, is_bounded(maps));
    status = grz_dispatch_groups(gl, control, tiles * tiles * count);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    return status;
}

grz_status grz_height_maps_compare(grz_gl *gl, const grz_height_maps *maps, const grz_object *object,
                                   const grz_object *environment, bool first_hit, grz_control *control,
                                   grz_height_found found[2], uint32_t *compared, grz_error *error)
{
    static const grz_height_found nothing[2];
    const bool together = maps->options.projection != GRZ_PROJECTION_OPPOSITE;
    grz_object relative = *environment;
    grz_status status = GRZ_OK;
    *compared = 0;
    if (!grz_height_relative_pose(&object->pose, &environment->pose, &relative.pose))
        return grz_fail(error, GRZ_ERROR_POSE, GRZ_NO_ELEMENT,
                        "heightmap: the object's pose has no inverse, so it has no height map");
    clear_depth(maps->framebuffers[ENVIRONMENT], 1.0f);
    glNamedBufferSubData(maps->found, 0, sizeof nothing, nothing);
    for (uint32_t count = together ? maps->view_count : 1; *compared < maps->view_count && status == GRZ_OK;) {
        status = draw_environment(gl, maps, *compared, count, &relative, control, error);
        if (status == GRZ_OK)
            status = compare_views(gl, maps, *compared, count, control, error);
        if (status != GRZ_OK)
            return status;
        *compared += count;
        glGetNamedBufferSubData(maps->found, 0, (GLsizeiptr)(*compared * sizeof *found), found);
        if (first_hit && found[*compared - 1].hits > 0)
            break;
    }
    return grz_gl_check(gl, error);
}
