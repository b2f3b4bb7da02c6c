// SPDX-License-Identifier: MIT
// Draws the height maps of an object: with the depth test turned round and its front faces left out, so that the
// surface farthest forwards stays. Depth is linear, in 32-bit floats. Source: J. Fabrizio, "Easy real-time collision
// detection", section 2.
#include "image/heightmap/maps.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/control.h"
#include "base/fail.h"
#include "image/heightmap/heightmap_shaders.h"

static const grz_gl_program_source silhouette_program = {
    "silhouette", {&grz_shader_silhouette_vert, &grz_shader_silhouette_frag, NULL}};

bool grz_height_maps_init(const grz_gl *gl, grz_height_maps *maps)
{
    *maps = (grz_height_maps){.bin = grz_gl_bin_create(gl)};
    return maps->bin != NULL;
}

void grz_height_maps_finish(grz_device *device, grz_height_maps *maps)
{
    if (maps->bin == NULL)
        return;
    for (int i = 0; i < 2; i++)
        grz_gl_bin_add(maps->bin, GRZ_GL_FRAMEBUFFER, maps->framebuffers[i]);
    grz_gl_bin_add(maps->bin, GRZ_GL_TEXTURE, maps->object_map);
    grz_gl_bin_add(maps->bin, GRZ_GL_TEXTURE, maps->environment_map);
    grz_gl_bin_add(maps->bin, GRZ_GL_TEXTURE, maps->ids);
    grz_gl_bin_add(maps->bin, GRZ_GL_TEXTURE, maps->normals);
    grz_gl_bin_add(maps->bin, GRZ_GL_BUFFER, maps->found);
    grz_gl_bin_add(maps->bin, GRZ_GL_BUFFER, maps->block.name);
    grz_gl_bin_add(maps->bin, GRZ_GL_BUFFER, maps->contacts.name);
    grz_gl_bin_empty_later(device, maps->bin);
    maps->bin = NULL;
}

// ---- Maps that are kept with a mesh -------------------------------------------------------------------------------

static void release_maps(const grz_mesh *mesh, void *state)
{
    grz_height_maps_finish(mesh->device, state);
    grz_release(mesh->allocator, state, 1, sizeof(grz_height_maps));
}

// Only the structure: the maps depend on the settings, and are made by those inside OpenGL.
static grz_status prepare_maps(const grz_mesh *mesh, grz_control *control, void **state, grz_error *error)
{
    if (*state != NULL)
        return GRZ_OK;
    grz_height_maps *maps = grz_allocate(grz_control_allocator(control), 1, sizeof *maps);
    if (maps == NULL || !grz_height_maps_init(grz_gl_inside(mesh->device), maps)) {
        grz_release(grz_control_allocator(control), maps, 1, sizeof *maps);
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "heightmap: out of memory");
    }
    *state = maps;
    return GRZ_OK;
}

grz_status grz_height_maps_get(grz_gl *gl, const grz_mesh *mesh, const grz_heightmap_options *options,
                               grz_control *control, grz_height_maps **maps, grz_error *error)
{
    static const grz_slot_type type = {prepare_maps, release_maps};
    void *state = NULL;
    const grz_status status = grz_mesh_slot_get(mesh, &type, control, &state, error);
    *maps = state;
    // The slot's lock is not held here. But this thread is inside the device's OpenGL, and only such threads look at
    // the content.
    return status == GRZ_OK ? grz_height_maps_update(gl, mesh, options, 0, control, state, error) : status;
}

// ---- Pictures -----------------------------------------------------------------------------------------------------

// How many maps of the object there are, one above the other.
static uint32_t object_rows(const grz_height_maps *maps)
{
    return grz_height_maps_bounded(maps) ? 2 : maps->view_count;
}

static void delete_pictures(grz_gl *gl, grz_height_maps *maps)
{
    for (int i = 0; i < 2; i++) {
        grz_gl_delete(gl, GRZ_GL_FRAMEBUFFER, maps->framebuffers[i]);
        maps->framebuffers[i] = 0;
    }
    grz_gl_delete(gl, GRZ_GL_TEXTURE, maps->object_map);
    grz_gl_delete(gl, GRZ_GL_TEXTURE, maps->environment_map);
    grz_gl_delete(gl, GRZ_GL_TEXTURE, maps->ids);
    grz_gl_delete(gl, GRZ_GL_TEXTURE, maps->normals);
    grz_gl_delete(gl, GRZ_GL_BUFFER, maps->found);
    maps->object_map = maps->environment_map = maps->ids = maps->normals = maps->found = 0;
    maps->version = 0;
}

static GLuint create_texture(grz_gl *gl, GLenum format, uint32_t side, uint32_t rows)
{
    const GLuint texture = grz_gl_create(gl, GRZ_GL_TEXTURE, GL_TEXTURE_2D);
    glTextureStorage2D(texture, 1, format, (GLsizei)side, (GLsizei)(side * rows));
    glTextureParameteri(texture, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTextureParameteri(texture, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return texture;
}

static grz_status check_framebuffer(grz_gl *gl, GLuint framebuffer, uint32_t side, uint32_t rows, grz_error *error)
{
    const grz_status status = grz_gl_check(gl, error);
    if (status == GRZ_OK && glCheckNamedFramebufferStatus(framebuffer, GL_DRAW_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        return grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT,
                        "heightmap: the driver does not draw depths of %u x %u pixels", side, side * rows);
    return status;
}

static grz_status create_object_picture(grz_gl *gl, grz_height_maps *maps, grz_error *error)
{
    const uint32_t side = maps->options.resolution, rows = object_rows(maps);
    const GLuint framebuffer = grz_gl_create(gl, GRZ_GL_FRAMEBUFFER, 0);
    maps->framebuffers[GRZ_HEIGHTS_OF_OBJECT] = framebuffer;
    maps->object_map = create_texture(gl, GL_DEPTH_COMPONENT32F, side, rows);
    glNamedFramebufferTexture(framebuffer, GL_DEPTH_ATTACHMENT, maps->object_map, 0);
    glNamedFramebufferDrawBuffer(framebuffer, GL_NONE);
    return check_framebuffer(gl, framebuffer, side, rows, error);
}

static void attach_environment(const grz_height_maps *maps)
{
    const GLuint framebuffer = maps->framebuffers[GRZ_HEIGHTS_OF_ENVIRONMENT];
    const GLenum outputs[2] = {maps->ids != 0 ? GL_COLOR_ATTACHMENT0 : GL_NONE,
                               maps->normals != 0 ? GL_COLOR_ATTACHMENT1 : GL_NONE};
    glNamedFramebufferTexture(framebuffer, maps->options.stencil ? GL_DEPTH_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT,
                              maps->environment_map, 0);
    glNamedFramebufferTexture(framebuffer, GL_COLOR_ATTACHMENT0, maps->ids, 0);
    glNamedFramebufferTexture(framebuffer, GL_COLOR_ATTACHMENT1, maps->normals, 0);
    glNamedFramebufferDrawBuffers(framebuffer, 2, outputs);
}

static grz_status create_environment_picture(grz_gl *gl, grz_height_maps *maps, grz_error *error)
{
    const uint32_t side = maps->options.resolution, rows = maps->view_count;
    const bool stencil = maps->options.stencil;
    const GLuint framebuffer = grz_gl_create(gl, GRZ_GL_FRAMEBUFFER, 0);
    maps->framebuffers[GRZ_HEIGHTS_OF_ENVIRONMENT] = framebuffer;
    maps->environment_map = create_texture(gl, stencil ? GL_DEPTH32F_STENCIL8 : GL_DEPTH_COMPONENT32F, side, rows);
    if ((maps->record & GRZ_RECORD_IDS) != 0)
        maps->ids = create_texture(gl, GL_RG32UI, side, rows);
    if ((maps->record & GRZ_RECORD_NORMALS) != 0)
        maps->normals = create_texture(gl, GL_RGBA32F, side, rows);
    attach_environment(maps);
    return check_framebuffer(gl, framebuffer, side, rows, error);
}

// The largest maps of an object and its environment together. Drivers with less memory say so, but some accept sizes
// that the machine does not have.
static const uint64_t MOST_BYTES = UINT64_C(1) << 30;

static grz_status check_side(const grz_gl *gl, const grz_heightmap_options *options, uint32_t record, grz_error *error)
{
    const bool two_views =
        options->projection == GRZ_PROJECTION_OPPOSITE || options->projection == GRZ_PROJECTION_COMBINED;
    const uint64_t views = two_views ? 2 : 1, rows = two_views || options->projection == GRZ_PROJECTION_BOUNDED ? 2 : 1;
    const uint32_t drawn = grz_gl_get_limits(gl)->image_side / (uint32_t)rows;
    const uint64_t depth = options->stencil ? 8 : 4, ids = (record & GRZ_RECORD_IDS) != 0 ? 8 : 0;
    const uint64_t normals = (record & GRZ_RECORD_NORMALS) != 0 ? 16 : 0, each = depth + ids + normals;
    const uint32_t stored = (uint32_t)sqrt((double)MOST_BYTES / (double)(4 * rows + each * views));
    const uint32_t most = stored < drawn ? stored : drawn;
    if (options->resolution > most)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "heightmap: a resolution of %u, must be 1 to %u: %s",
                        options->resolution, most,
                        stored < drawn ? "the maps take 1 GiB at most" : "more is not drawn by this device");
    return GRZ_OK;
}

static grz_status create_pictures(grz_gl *gl, grz_height_maps *maps, grz_error *error)
{
    grz_gl_buffer found = {.name = 0};
    grz_status status = create_object_picture(gl, maps, error);
    if (status == GRZ_OK)
        status = create_environment_picture(gl, maps, error);
    if (status == GRZ_OK)
        status = grz_gl_buffer_reserve(gl, &found, 2 * sizeof(uint32_t) * GRZ_FOUND_WORDS, "the answer", error);
    maps->found = found.name;
    return status;
}

// ---- Drawing ------------------------------------------------------------------------------------------------------

static void clear_depth(GLuint framebuffer, float depth)
{
    glClearNamedFramebufferfv(framebuffer, GL_DEPTH, 0, &depth);
}

grz_status grz_height_maps_draw(grz_gl *gl, const grz_height_maps *maps, uint32_t row, const grz_view *view,
                                const grz_object *object, const grz_mesh_buffers *buffers, grz_control *control)
{
    const GLsizei side = (GLsizei)maps->options.resolution;
    glViewport(0, (GLint)row * side, side, side);
    return grz_depths_draw(gl, view, object, buffers, control);
}
bool grz_height_maps_culled(const grz_height_maps *maps, int which)
{
    // With two views the eye stands inside the object: what passes through the plane there is seen from inside.
    const bool from_inside = which == GRZ_HEIGHTS_OF_ENVIRONMENT && maps->view_count > 1;
    return !maps->options.both_sides && !from_inside;
}

grz_status grz_height_maps_begin(grz_gl *gl, const grz_height_maps *maps, int which,
                                 const grz_gl_program_source *source, grz_error *error)
{
    GLuint program;
    const grz_status status = grz_gl_program(gl, source, &program, error);
    if (status != GRZ_OK)
        return status;
    glUseProgram(program);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, maps->framebuffers[which]);
    glEnable(GL_DEPTH_TEST);
    if (grz_height_maps_culled(maps, which))
        glEnable(GL_CULL_FACE);
    return GRZ_OK;
}

// The surfaces farthest forwards, whose faces are seen from inside; for bounded maps also, above them, those farthest
// backwards.
static grz_status draw_object(grz_gl *gl, const grz_height_maps *maps, const grz_mesh *mesh,
                              const grz_mesh_buffers *buffers, grz_control *control, grz_error *error)
{
    const grz_object own = grz_object_at_origin(mesh);
    grz_status status = grz_height_maps_begin(gl, maps, GRZ_HEIGHTS_OF_OBJECT, &grz_depths_program, error);
    if (status != GRZ_OK)
        return status;
    clear_depth(maps->framebuffers[GRZ_HEIGHTS_OF_OBJECT], 0.0f);
    glDepthFunc(GL_GREATER);
    glCullFace(GL_FRONT);
    for (uint32_t i = 0; i < maps->view_count && status == GRZ_OK; i++)
        status = grz_height_maps_draw(gl, maps, i, &maps->views[i], &own, buffers, control);
    if (status == GRZ_OK && grz_height_maps_bounded(maps)) {
        const GLsizei side = (GLsizei)maps->options.resolution;
        const float far = 1.0f;
        glClearTexSubImage(maps->object_map, 0, 0, side, 0, side, side, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &far);
        glDepthFunc(GL_LESS);
        glCullFace(GL_BACK);
        status = grz_height_maps_draw(gl, maps, 1, &maps->views[0], &own, buffers, control);
    }
    grz_depths_end();
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
    glClearNamedFramebufferiv(maps->framebuffers[GRZ_HEIGHTS_OF_ENVIRONMENT], GL_STENCIL, 0, &nothing);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, maps->framebuffers[GRZ_HEIGHTS_OF_ENVIRONMENT]);
    glBindTextureUnit(GRZ_UNIT_OBJECT_MAP, maps->object_map);
    glBindSampler(GRZ_UNIT_OBJECT_MAP, 0);
    glViewport(0, 0, side, side * (GLsizei)maps->view_count);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_ALWAYS, 1, ~0u);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE); // what has been recorded stays
    glBindVertexArray(buffers->vertex_array);            // its attributes are not read, but there must be one
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    glDisable(GL_STENCIL_TEST);
    return GRZ_OK;
}

// True if all objects of OpenGL that these maps have are still there.
static bool are_there(const grz_height_maps *maps)
{
    const GLuint textures[] = {maps->object_map, maps->environment_map, maps->ids, maps->normals};
    bool there =
        glIsBuffer(maps->found) != GL_FALSE && (maps->block.name == 0 || glIsBuffer(maps->block.name) != GL_FALSE);
    for (size_t i = 0; i < sizeof textures / sizeof *textures; i++)
        there = there && (textures[i] == 0 || glIsTexture(textures[i]) != GL_FALSE);
    for (int i = 0; i < 2; i++)
        there = there && glIsFramebuffer(maps->framebuffers[i]) != GL_FALSE;
    return there;
}

grz_status grz_height_maps_renew(grz_gl *gl, grz_height_maps *maps, const grz_mesh_buffers *buffers, grz_error *error)
{
    if (!are_there(maps)) {
        grz_gl_buffer_finish(gl, &maps->block);
        delete_pictures(gl, maps);
        grz_gl_check(gl, NULL);
        return grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT,
                        "heightmap: the callback deleted what it was to draw into, or its uniform buffer");
    }
    GLint mapped = GL_FALSE;
    if (maps->block.name != 0)
        glGetNamedBufferParameteriv(maps->block.name, GL_BUFFER_MAPPED, &mapped);
    if (mapped != GL_FALSE)
        glUnmapNamedBuffer(maps->block.name);
    attach_environment(maps);
    return maps->options.stencil ? draw_silhouette(gl, maps, buffers, error) : GRZ_OK;
}

static bool is_current(const grz_height_maps *maps, const grz_mesh *mesh, const grz_heightmap_options *options,
                       uint32_t record)
{
    const grz_heightmap_options *own = &maps->options;
    return maps->version == mesh->version && maps->record == record && own->resolution == options->resolution &&
           own->projection == options->projection && own->stencil == options->stencil &&
           own->both_sides == options->both_sides && own->has_direction == options->has_direction &&
           (!own->has_direction || memcmp(own->direction, options->direction, sizeof own->direction) == 0);
}

static grz_solid_box box_of(const grz_mesh *mesh, const grz_mesh_buffers *buffers)
{
    return mesh->source != NULL ? grz_view_plain_box(&mesh->bounds) : *grz_mesh_buffers_box(mesh, buffers);
}

grz_status grz_height_maps_update(grz_gl *gl, const grz_mesh *mesh, const grz_heightmap_options *options,
                                  uint32_t record, grz_control *control, grz_height_maps *maps, grz_error *error)
{
    const grz_mesh_buffers *buffers;
    assert(grz_gl_inside(mesh->device) == gl);
    grz_status status = grz_mesh_buffers_get(mesh, control, &buffers, error);
    if (status != GRZ_OK || is_current(maps, mesh, options, record))
        return status;
    status = check_side(gl, options, record, error);
    if (status != GRZ_OK)
        return status;
    const bool same_pictures = maps->object_map != 0 && maps->options.resolution == options->resolution &&
                               maps->options.projection == options->projection &&
                               maps->options.stencil == options->stencil && maps->record == record;
    if (!same_pictures)
        delete_pictures(gl, maps);
    maps->version = 0;
    maps->options = *options;
    maps->record = record;
    const grz_solid_box box = box_of(mesh, buffers);
    maps->view_count = grz_height_views(options, mesh, &box, maps->views);
    if (maps->view_count == 0)
        status = grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                          "heightmap: the object has no thickness along the direction of its map, so nothing can be "
                          "inside it; another direction may help");
    if (status == GRZ_OK && !same_pictures)
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

grz_status grz_height_covers_nothing(const grz_height_maps *maps, const char *what, grz_error *error)
{
    return grz_fail(
        error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
        "heightmap: %s covers none of the %u x %u pixels of its map: it is edge-on, too thin, or shows only "
        "faces that are left out; another direction, a higher resolution or drawing both sides may help",
        what, maps->options.resolution, maps->options.resolution);
}
