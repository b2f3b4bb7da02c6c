// SPDX-License-Identifier: MIT
// Draws the maps that particles share: each layer of surfaces is drawn by itself, and a shader takes it into the sorted
// lists of the pixels. Source: J. Fabrizio, "Easy real-time collision detection", section 2, "particle system"; layers
// by a stencil that counts fragments.
#include "level/particles/map.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "geometry/vector.h"
#include "gpu/dispatch.h"
#include "image/environment/environment_draw.h"
#include "level/particles/particles_shaders.h"

static const grz_gl_program_source insert_program = {"particles_insert",
                                                     {&grz_shader_particles_insert_comp, NULL, NULL}};
static const grz_gl_program_source overfull_program = {"particles_overfull",
                                                       {&grz_shader_particles_overfull_comp, NULL, NULL}};

// ---- Views --------------------------------------------------------------------------------------------------------

// Three axes of a view that looks along `away`: to the right, up, away. The second is as near to `up` as it can be.
static void set_axes(const double away[3], const double up[3], double axes[3][3])
{
    double unit_up[3];
    memcpy(axes[2], away, sizeof axes[2]);
    grz_make_unit(axes[2]);
    memcpy(unit_up, up, sizeof unit_up);
    bool has_up = grz_make_unit(unit_up);
    grz_cross(axes[2], unit_up, axes[0]);
    if (!has_up || !(grz_dot(axes[0], axes[0]) > 1e-12)) { // across the axis that is least along the view
        int least = 0;
        for (int i = 1; i < 3; i++)
            least = fabs(axes[2][i]) < fabs(axes[2][least]) ? i : least;
        memset(unit_up, 0, sizeof unit_up);
        unit_up[least] = 1.0;
        grz_cross(axes[2], unit_up, axes[0]);
    }
    grz_make_unit(axes[0]);
    grz_cross(axes[0], axes[2], axes[1]);
}

// The view from the middle of the box to its side number `side`: to the right, the left, up, down, forwards, backwards.
static grz_view side_of(const grz_view *whole, int side)
{
    grz_view view;
    const int axis = side / 2, up = axis == 1 ? 2 : 1;
    double away[3];
    for (int j = 0; j < 3; j++)
        away[j] = side % 2 == 0 ? whole->axes[axis][j] : -whole->axes[axis][j];
    set_axes(away, whole->axes[up], view.axes);
    const int across = 3 - axis - up;
    view.half[0] = whole->half[across];
    view.half[1] = whole->half[up];
    view.half[2] = 0.5 * whole->half[axis];
    for (int j = 0; j < 3; j++)
        view.centre[j] = whole->centre[j] + view.half[2] * away[j];
    return view;
}

static void plan_view(const grz_particle_maps *maps, uint32_t i, grz_particle_plan *plan)
{
    const grz_view *view = &maps->views[i];
    const double side = maps->options.resolution;
    grz_particle_view *out = &plan->views[i];
    double from[3]; // the middle of the box to the middle of the view
    for (int j = 0; j < 3; j++)
        from[j] = view->centre[j] - maps->options.centre[j];
    for (int k = 0; k < 3; k++) {
        const double *axis = view->axes[k];
        const double scale = k < 2 ? 0.5 * side / view->half[k] : 1.0, middle = k < 2 ? 0.5 * side : view->half[2];
        for (int j = 0; j < 3; j++) {
            out->rows[k][j] = (float)(axis[j] * scale);
            out->axes[k][j] = (float)axis[j];
        }
        out->rows[k][3] = (float)(middle - grz_dot(axis, from) * scale);
    }
    out->axes[2][3] = (float)(2.0 * view->half[2]);
    for (int k = 0; k < 2; k++)
        plan->pixel[i][k] = (float)(2.0 * view->half[k] / side);
}

void grz_particle_maps_init(const grz_particle_map_options *options, grz_particle_maps *maps)
{
    grz_view whole;
    double widest = 0.0, size = 0.0;
    grz_particle_plan *plan = &maps->plan;
    maps->options = *options;
    maps->view_count = options->cube ? GRZ_PARTICLE_VIEWS : 1;
    set_axes(options->direction, options->up, whole.axes);
    memcpy(whole.centre, options->centre, sizeof whole.centre);
    memcpy(whole.half, options->half, sizeof whole.half);
    for (uint32_t i = 0; i < maps->view_count; i++) {
        maps->views[i] = options->cube ? side_of(&whole, (int)i) : whole;
        plan_view(maps, i, plan);
        for (int k = 0; k < 2; k++)
            widest = fmax(widest, 2.0 * maps->views[i].half[k] / options->resolution);
    }
    for (int i = 0; i < 3; i++) {
        plan->origin[i] = (float)options->centre[i];
        size += 2.0 * options->half[i];
    }
    plan->radius = (float)(options->radius > 0.0 ? options->radius : 0.5 * widest);
    plan->thickness = (float)fmin(options->thickness, 4.0 * size);
    plan->resolution = options->resolution;
    plan->layers = options->layers;
    plan->view_count = maps->view_count;
    plan->sheets = options->sheets;
}

// ---- Pictures and buffers -----------------------------------------------------------------------------------------

static void delete_pictures(grz_gl *gl, grz_particle_maps *maps)
{
    grz_gl_delete(gl, GRZ_GL_FRAMEBUFFER, maps->framebuffer);
    grz_gl_delete(gl, GRZ_GL_TEXTURE, maps->depth);
    grz_gl_delete(gl, GRZ_GL_TEXTURE, maps->normals);
    grz_gl_delete(gl, GRZ_GL_TEXTURE, maps->ids);
    maps->framebuffer = maps->depth = maps->normals = maps->ids = 0;
}

void grz_particle_maps_finish(grz_device *device, grz_particle_maps *maps)
{
    const GLuint buffers[] = {maps->surfaces.name, maps->surface_ids.name, maps->plan_copy.name, maps->counts.name,
                              maps->block.name,    maps->particles.name,   maps->hits.name};
    if (maps->bin == NULL)
        return;
    grz_gl_bin_add(maps->bin, GRZ_GL_FRAMEBUFFER, maps->framebuffer);
    grz_gl_bin_add(maps->bin, GRZ_GL_TEXTURE, maps->depth);
    grz_gl_bin_add(maps->bin, GRZ_GL_TEXTURE, maps->normals);
    grz_gl_bin_add(maps->bin, GRZ_GL_TEXTURE, maps->ids);
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        grz_gl_bin_add(maps->bin, GRZ_GL_BUFFER, buffers[i]);
    grz_gl_bin_empty_later(device, maps->bin);
    maps->bin = NULL;
}

static GLuint create_texture(grz_gl *gl, GLenum format, uint32_t side)
{
    const GLuint texture = grz_gl_create(gl, GRZ_GL_TEXTURE, GL_TEXTURE_2D);
    glTextureStorage2D(texture, 1, format, (GLsizei)side, (GLsizei)side);
    glTextureParameteri(texture, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTextureParameteri(texture, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return texture;
}

static void attach(const grz_particle_maps *maps)
{
    const GLenum outputs[2] = {maps->ids != 0 ? GL_COLOR_ATTACHMENT0 : GL_NONE, GL_COLOR_ATTACHMENT1};
    glNamedFramebufferTexture(maps->framebuffer,
                              maps->options.layers > 1 ? GL_DEPTH_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT, maps->depth,
                              0);
    glNamedFramebufferTexture(maps->framebuffer, GL_COLOR_ATTACHMENT0, maps->ids, 0);
    glNamedFramebufferTexture(maps->framebuffer, GL_COLOR_ATTACHMENT1, maps->normals, 0);
    glNamedFramebufferDrawBuffers(maps->framebuffer, 2, outputs);
}

static grz_status create_pictures(grz_gl *gl, grz_particle_maps *maps, grz_error *error)
{
    const uint32_t side = maps->options.resolution;
    maps->framebuffer = grz_gl_create(gl, GRZ_GL_FRAMEBUFFER, 0);
    maps->depth = create_texture(gl, maps->options.layers > 1 ? GL_DEPTH32F_STENCIL8 : GL_DEPTH_COMPONENT32F, side);
    maps->normals = create_texture(gl, GL_RGBA32F, side);
    if ((maps->record & GRZ_RECORD_IDS) != 0)
        maps->ids = create_texture(gl, GL_RG32UI, side);
    attach(maps);
    const grz_status status = grz_gl_check(gl, error);
    if (status == GRZ_OK &&
        glCheckNamedFramebufferStatus(maps->framebuffer, GL_DRAW_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        return grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT,
                        "particles: the driver does not draw depths and normals of %u x %u pixels", side, side);
    return status;
}

// The largest maps in all. Some drivers accept sizes that the machine does not have.
static const uint64_t MOST_BYTES = UINT64_C(1) << 30;

static grz_status check_size(const grz_gl *gl, const grz_particle_maps *maps, grz_error *error)
{
    const grz_gl_limits *limits = grz_gl_get_limits(gl);
    const uint64_t side = maps->options.resolution, pixels = side * side;
    if (side > limits->image_side)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "particles: a resolution of %u, must be 1 to %u on this device", (unsigned)side,
                        limits->image_side);
    const uint64_t entries = pixels * maps->options.layers * maps->view_count, list = entries * 4 * sizeof(float);
    const uint64_t bytes = list + entries * 8 + pixels * 32;
    if (list > limits->storage_block || bytes > MOST_BYTES)
        return grz_fail(
            error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
            "particles: maps of %u x %u pixels with %u layers in %u views take %llu MiB, the most is %llu "
            "on this device",
            (unsigned)side, (unsigned)side, maps->options.layers, maps->view_count, (unsigned long long)(bytes >> 20),
            (unsigned long long)((limits->storage_block < MOST_BYTES ? limits->storage_block : MOST_BYTES) >> 20));
    return GRZ_OK;
}

static grz_status reserve(grz_gl *gl, grz_particle_maps *maps, grz_error *error)
{
    const uint64_t side = maps->options.resolution;
    const uint64_t entries = side * side * maps->options.layers * maps->view_count;
    grz_status status = check_size(gl, maps, error);
    if (status == GRZ_OK && maps->framebuffer == 0)
        status = create_pictures(gl, maps, error);
    if (status == GRZ_OK)
        status = grz_gl_buffer_reserve(gl, &maps->surfaces, entries * 4 * sizeof(float), "the surfaces", error);
    if (status == GRZ_OK)
        status = grz_gl_buffer_reserve(gl, &maps->surface_ids, (maps->ids != 0 ? entries : 1) * 2 * sizeof(uint32_t),
                                       "the ids of surfaces", error);
    if (status == GRZ_OK)
        status = grz_gl_buffer_reserve(gl, &maps->counts, sizeof(grz_particle_counts), "the counters", error);
    return status;
}

grz_status grz_particle_maps_tell(grz_gl *gl, grz_particle_maps *maps, grz_error *error)
{
    const grz_status status = grz_gl_buffer_reserve(gl, &maps->plan_copy, sizeof maps->plan, "the plan", error);
    if (status != GRZ_OK)
        return status;
    glNamedBufferSubData(maps->plan_copy.name, 0, sizeof maps->plan, &maps->plan);
    const GLuint buffers[] = {[GRZ_BIND_PARTICLE_SURFACES] = maps->surfaces.name,
                              [GRZ_BIND_PARTICLE_IDS] = maps->surface_ids.name,
                              [GRZ_BIND_PARTICLE_PLAN] = maps->plan_copy.name,
                              [GRZ_BIND_PARTICLE_COUNTS] = maps->counts.name};
    for (GLuint i = 0; i < sizeof buffers / sizeof *buffers; i++)
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, buffers[i]);
    return GRZ_OK;
}

// ---- Drawing ------------------------------------------------------------------------------------------------------

// A drawing of the maps under way.
typedef struct drawing {
    grz_gl *gl;
    grz_particle_maps *maps;
    grz_control *control;
} drawing;

// True if all objects of OpenGL that a callback could delete are still there.
static bool are_there(const grz_particle_maps *maps)
{
    const GLuint textures[] = {maps->depth, maps->normals, maps->ids};
    const GLuint buffers[] = {maps->surfaces.name, maps->surface_ids.name, maps->plan_copy.name, maps->counts.name,
                              maps->block.name};
    bool there = glIsFramebuffer(maps->framebuffer) != GL_FALSE;
    for (size_t i = 0; i < sizeof textures / sizeof *textures; i++)
        there = there && (textures[i] == 0 || glIsTexture(textures[i]) != GL_FALSE);
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        there = there && glIsBuffer(buffers[i]) != GL_FALSE;
    return there;
}

static void delete_all(grz_gl *gl, grz_particle_maps *maps)
{
    grz_gl_buffer_finish(gl, &maps->surfaces);
    grz_gl_buffer_finish(gl, &maps->surface_ids);
    grz_gl_buffer_finish(gl, &maps->plan_copy);
    grz_gl_buffer_finish(gl, &maps->counts);
    grz_gl_buffer_finish(gl, &maps->block);
    delete_pictures(gl, maps);
    grz_gl_check(gl, NULL);
}

static grz_status renew(void *owner, grz_error *error)
{
    const drawing *d = owner;
    if (!are_there(d->maps)) {
        delete_all(d->gl, d->maps);
        return grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT,
                        "particles: the callback deleted what it was to draw into, or its uniform buffer");
    }
    attach(d->maps);
    return GRZ_OK;
}

static void clear(const grz_particle_maps *maps)
{
    const float none[4] = {0.0f, 0.0f, 0.0f, 0.0f}, far = 1.0f;
    const GLuint no_id[4] = {GRZ_NO_ID, 0, 0, 0};
    if (maps->options.layers > 1)
        glClearNamedFramebufferfi(maps->framebuffer, GL_DEPTH_STENCIL, 0, far, 0);
    else
        glClearNamedFramebufferfv(maps->framebuffer, GL_DEPTH, 0, &far);
    if (maps->ids != 0)
        glClearNamedFramebufferuiv(maps->framebuffer, GL_COLOR, 0, no_id);
    glClearNamedFramebufferfv(maps->framebuffer, GL_COLOR, 1, none);
}

// Run a program for all pixels.
static grz_status for_pixels(const drawing *d, const grz_gl_program_source *source, uint32_t view, uint32_t layer,
                             grz_error *error)
{
    grz_particle_maps *maps = d->maps;
    const GLuint textures[] = {[GRZ_UNIT_PARTICLE_DEPTH] = maps->depth,
                               [GRZ_UNIT_PARTICLE_NORMALS] = maps->normals,
                               [GRZ_UNIT_PARTICLE_ID] = maps->ids};
    const uint64_t tiles = (maps->options.resolution + GRZ_PARTICLE_TILE - 1) / GRZ_PARTICLE_TILE;
    GLuint program;
    grz_status status = grz_gl_program(d->gl, source, &program, error);
    if (status == GRZ_OK)
        status = grz_particle_maps_tell(d->gl, maps, error);
    if (status != GRZ_OK)
        return status;
    glUseProgram(program);
    for (GLuint i = 0; i < sizeof textures / sizeof *textures; i++) {
        if (textures[i] != 0)
            glBindTextureUnit(i, textures[i]);
        glBindSampler(i, 0);
    }
    if (source == &insert_program) {
        glUniform1ui(GRZ_AT_PARTICLE_VIEW, view);
        glUniform1ui(GRZ_AT_PARTICLE_LAYER, layer);
    }
    return grz_dispatch_groups(d->gl, d->control, tiles * tiles);
}

// Count the pixels of a view with too many surfaces: the stencil has counted all that were drawn.
static grz_status count_overfull(const drawing *d, grz_error *error)
{
    const GLuint depth = d->maps->depth;
    if (d->maps->options.layers == 1)
        return GRZ_OK;
    glTextureParameteri(depth, GL_DEPTH_STENCIL_TEXTURE_MODE, GL_STENCIL_INDEX);
    const grz_status status = for_pixels(d, &overfull_program, 0, 0, error);
    glTextureParameteri(depth, GL_DEPTH_STENCIL_TEXTURE_MODE, GL_DEPTH_COMPONENT);
    return status;
}

static grz_status draw_view(drawing *d, const grz_environment *environment, uint32_t view, grz_error *error)
{
    grz_particle_maps *maps = d->maps;
    const grz_particle_map_options *options = &maps->options;
    const int32_t side = (int32_t)options->resolution, viewport[4] = {0, 0, side, side};
    const grz_object particles = {.pose = grz_pose_identity(), .group = options->group, .mask = options->mask};
    grz_environment_picture picture = {.gl = d->gl,
                                       .environment = environment,
                                       .inside = &particles,
                                       .framebuffer = maps->framebuffer,
                                       .record = maps->record,
                                       .culled = options->layers == 1 && !options->sheets && !options->cube,
                                       .takes = options->layers == 1 ? GRZ_TAKES_NEAREST : GRZ_TAKES_LAYER,
                                       .block = &maps->block,
                                       .renew = renew,
                                       .owner = d,
                                       .control = d->control,
                                       .error = error};
    grz_status status = GRZ_OK;
    for (uint32_t i = 0; i < options->layers && status == GRZ_OK; i++) {
        picture.layer = i;
        clear(maps);
        status = grz_environment_draw_view(&picture, &maps->views[view], view, viewport);
        if (status == GRZ_OK)
            status = for_pixels(d, &insert_program, view, i, error);
    }
    return status == GRZ_OK ? count_overfull(d, error) : status;
}

grz_status grz_particle_maps_draw(grz_gl *gl, grz_particle_maps *maps, const grz_environment *environment,
                                  grz_control *control, grz_error *error)
{
    static const grz_particle_counts none;
    drawing d = {.gl = gl, .maps = maps, .control = control};
    maps->is_drawn = false;
    if (maps->record != environment->record)
        delete_pictures(gl, maps);
    maps->record = environment->record;
    maps->plan.record = (environment->record & GRZ_RECORD_IDS) != 0;
    grz_status status = reserve(gl, maps, error);
    if (status == GRZ_OK)
        status = grz_particle_maps_tell(gl, maps, error);
    if (status == GRZ_OK && environment->draw != NULL) // so that it can be looked for after a callback
        status = grz_gl_buffer_reserve(gl, &maps->block, 1, "the callback's uniforms", error);
    if (status != GRZ_OK)
        return status;
    glNamedBufferSubData(maps->counts.name, 0, sizeof none, &none);
    for (uint32_t i = 0; i < maps->view_count && status == GRZ_OK; i++)
        status = draw_view(&d, environment, i, error);
    if (status != GRZ_OK)
        return status;
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetNamedBufferSubData(maps->counts.name, 0, sizeof maps->overfull, &maps->overfull);
    status = grz_gl_check(gl, error);
    maps->is_drawn = status == GRZ_OK;
    return status;
}
