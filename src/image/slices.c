// SPDX-License-Identifier: MIT
// Method `slices`, its discrete answer: the region where the objects' boxes overlap is seen along one direction; both objects are drawn
// into it, depth as one bit of colour, bits put together by the logic operation OR; a pixel with the same bit of both objects is where
// they collide, as far as pixels and slices tell. The box of these cells can be drawn again, as large as the picture, as often as is
// asked for. Source: J. Dinerstein, P. Egbert, "Practical collision detection in rendering hardware for two complex 3D polygon
// objects" (2002).
#include "image/slices.h"

#include <math.h>

#include "base/clock.h"
#include "base/fail.h"
#include "geometry/pose.h"
#include "image/shaders.h"
#include "space/filter.h"

enum {
    MOST_TARGETS = 8,
    MOST_REFINEMENTS = 16
};

static const grz_gl_program_source draw_16 = {"slices_16", {&grz_shader_slices_vert, &grz_shader_slices_16_frag, NULL}};
static const grz_gl_program_source draw_512 = {"slices_512", {&grz_shader_slices_vert, &grz_shader_slices_512_frag, NULL}};
static const grz_gl_program_source analyse_16 = {"slices_16", {&grz_shader_slices_16_comp, NULL, NULL}};
static const grz_gl_program_source analyse_512 = {"slices_512", {&grz_shader_slices_512_comp, NULL, NULL}};

// What is kept between queries: the picture, and what is read back.
typedef struct picture {
    GLuint framebuffer, targets[MOST_TARGETS];
    uint32_t resolution, target_count; // one word a pixel in one target, or four in several
    bool one_word;
    grz_gl_buffer tiles;
} picture;

// A query under way.
typedef struct slicing {
    grz_gl *gl;
    const grz_job *job;
    const grz_slices_options *options;
    grz_control *control;
    grz_error *error;
    picture *picture;
    const grz_mesh_buffers *buffers[2];
    float offsets[2]; // in units of the buffers
} slicing;

static void release_picture(grz_gl *gl, void *kept)
{
    picture *p = kept;
    grz_gl_delete(gl, GRZ_GL_FRAMEBUFFER, p->framebuffer);
    for (int i = 0; i < MOST_TARGETS; i++) {
        grz_gl_delete(gl, GRZ_GL_TEXTURE, p->targets[i]);
        p->targets[i] = 0;
    }
    grz_gl_buffer_finish(gl, &p->tiles);
    p->framebuffer = 0;
    p->resolution = 0;
}

static uint32_t tiles_across(uint32_t resolution)
{
    return (resolution + GRZ_TILE - 1) / GRZ_TILE;
}

static size_t tile_count(uint32_t resolution)
{
    return (size_t)tiles_across(resolution) * tiles_across(resolution);
}

// Make the picture what these slices need.
static grz_status fit_picture(slicing *s, uint32_t slices)
{
    const uint32_t resolution = s->options->resolution, count = grz_slices_targets(slices);
    const bool one_word = slices <= 16;
    picture *p = s->picture;
    if (p->resolution == resolution && p->target_count == count && p->one_word == one_word)
        return GRZ_OK;
    release_picture(s->gl, p);
    p->framebuffer = grz_gl_create(s->gl, GRZ_GL_FRAMEBUFFER, 0);
    GLenum buffers[MOST_TARGETS];
    for (uint32_t i = 0; i < count; i++) {
        p->targets[i] = grz_gl_create(s->gl, GRZ_GL_TEXTURE, GL_TEXTURE_2D);
        glTextureStorage2D(p->targets[i], 1, one_word ? GL_R32UI : GL_RGBA32UI, (GLsizei)resolution, (GLsizei)resolution);
        glTextureParameteri(p->targets[i], GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTextureParameteri(p->targets[i], GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glNamedFramebufferTexture(p->framebuffer, GL_COLOR_ATTACHMENT0 + i, p->targets[i], 0);
        buffers[i] = GL_COLOR_ATTACHMENT0 + i;
    }
    glNamedFramebufferDrawBuffers(p->framebuffer, (GLsizei)count, buffers);
    grz_status status = grz_gl_check(s->gl, s->error);
    if (status == GRZ_OK && glCheckNamedFramebufferStatus(p->framebuffer, GL_DRAW_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        status = grz_fail(s->error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT,
                          "slices: the driver does not draw %u targets of %u x %u pixels", count, resolution, resolution);
    if (status == GRZ_OK)
        status = grz_gl_buffer_reserve(s->gl, &p->tiles, tile_count(resolution) * sizeof(grz_tile), "the answer", s->error);
    if (status != GRZ_OK) {
        release_picture(s->gl, p);
        return status;
    }
    p->resolution = resolution;
    p->target_count = count;
    p->one_word = one_word;
    return GRZ_OK;
}

static grz_status draw(const slicing *s, const grz_slices_view *view, uint32_t slices)
{
    const GLuint nothing[4] = {0, 0, 0, 0};
    const picture *p = s->picture;
    GLuint program;
    grz_status status = grz_gl_program(s->gl, p->one_word ? &draw_16 : &draw_512, &program, s->error);
    if (status != GRZ_OK)
        return status;
    for (uint32_t i = 0; i < p->target_count; i++)
        glClearNamedFramebufferuiv(p->framebuffer, GL_COLOR, (GLint)i, nothing);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, p->framebuffer);
    glViewport(0, 0, (GLsizei)p->resolution, (GLsizei)p->resolution);
    glEnable(GL_COLOR_LOGIC_OP);
    glLogicOp(GL_OR);
    glUseProgram(program);
    glUniform1ui(GRZ_AT_SLICES, slices);
    for (int i = 0; i < 2; i++) {
        const grz_object *object = i == 0 ? s->job->a : s->job->b;
        float matrix[16];
        grz_slices_matrix(view, object, s->buffers[i], matrix);
        glUniformMatrix4fv(GRZ_AT_CLIP, 1, GL_TRUE, matrix);
        glUniform1f(GRZ_AT_OFFSET, s->offsets[i]);
        glUniform1ui(GRZ_AT_FIRST_BIT, i == 0 ? 0 : grz_slices_second_bit(slices));
        glBindVertexArray(s->buffers[i]->vertex_array);
        glDrawElements(GL_TRIANGLES, (GLsizei)(3 * object->mesh->triangle_count), GL_UNSIGNED_INT, NULL);
    }
    return GRZ_OK;
}

static grz_status analyse_by_shader(const slicing *s, uint32_t slices, grz_tile *tiles)
{
    const picture *p = s->picture;
    const GLuint groups = tiles_across(p->resolution);
    GLuint program;
    grz_status status = grz_gl_program(s->gl, p->one_word ? &analyse_16 : &analyse_512, &program, s->error);
    if (status != GRZ_OK)
        return status;
    glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    for (uint32_t i = 0; i < MOST_TARGETS && (i == 0 || !p->one_word); i++) {
        const GLuint target = p->targets[i < p->target_count ? i : 0];
        glBindImageTexture(i, target, 0, GL_FALSE, 0, GL_READ_ONLY, p->one_word ? GL_R32UI : GL_RGBA32UI);
    }
    glBindBuffersBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_TILES, 1, &p->tiles.name);
    glUseProgram(program);
    glUniform1ui(GRZ_AT_TILE_SLICES, slices);
    glUniform2ui(GRZ_AT_TILE_SIZE, p->resolution, p->resolution);
    glDispatchCompute(groups, groups, 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetNamedBufferSubData(p->tiles.name, 0, (GLsizeiptr)(tile_count(p->resolution) * sizeof *tiles), tiles);
    return GRZ_OK;
}

static grz_status analyse_by_reading(const slicing *s, uint32_t slices, grz_tile *tiles)
{
    const grz_allocator *allocator = grz_control_allocator(s->control);
    const picture *p = s->picture;
    const size_t pixels = (size_t)p->resolution * p->resolution, words = p->one_word ? pixels : 4 * pixels;
    const uint32_t *targets[MOST_TARGETS] = {NULL};
    uint32_t *read = grz_allocate(allocator, words * p->target_count, sizeof *read);
    if (read == NULL)
        return grz_fail(s->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "slices: out of memory for %u x %u pixels", p->resolution,
                        p->resolution);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, p->framebuffer);
    for (uint32_t i = 0; i < p->target_count; i++) {
        glReadBuffer(GL_COLOR_ATTACHMENT0 + i);
        glReadPixels(0, 0, (GLsizei)p->resolution, (GLsizei)p->resolution, p->one_word ? GL_RED_INTEGER : GL_RGBA_INTEGER,
                     GL_UNSIGNED_INT, read + words * i);
        targets[i] = read + words * i;
    }
    grz_slices_analyse(targets, p->resolution, slices, tiles);
    grz_release(allocator, read, words * p->target_count, sizeof *read);
    return GRZ_OK;
}

// Draw a view volume and look at it.
static grz_status look(slicing *s, const grz_slices_view *view, uint32_t slices, grz_slices_found *found)
{
    const grz_allocator *allocator = grz_control_allocator(s->control);
    const size_t count = tile_count(s->options->resolution);
    grz_status status = fit_picture(s, slices);
    if (status != GRZ_OK)
        return status;
    grz_tile *tiles = grz_allocate(allocator, count, sizeof *tiles);
    if (tiles == NULL)
        return grz_fail(s->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "slices: out of memory for the answer");
    status = draw(s, view, slices);
    if (status == GRZ_OK)
        status =
            s->options->analysis == GRZ_ANALYSIS_CPU ? analyse_by_reading(s, slices, tiles) : analyse_by_shader(s, slices, tiles);
    if (status == GRZ_OK)
        status = grz_gl_check(s->gl, s->error);
    if (status == GRZ_OK)
        *found = grz_slices_sum(tiles, count);
    grz_release(allocator, tiles, count, sizeof *tiles);
    return status;
}

// The part of a view volume that holds all cells found.
static grz_slices_view volume_of(const grz_slices_view *view, const grz_slices_found *found, uint32_t resolution, uint32_t slices)
{
    double from[3], to[3];
    for (int i = 0; i < 3; i++) {
        const double count = i < 2 ? resolution : slices;
        from[i] = found->least[i] / count;
        to[i] = (found->last[i] + 1.0) / count;
    }
    return grz_slices_part(view, from, to);
}

// How far an object's surface is moved, in mesh coordinates.
static double offset_of(const grz_mesh *mesh, const grz_slices_options *options)
{
    double square = 0.0;
    for (int i = 0; i < 3; i++)
        square += (mesh->bounds.max[i] - mesh->bounds.min[i]) * (mesh->bounds.max[i] - mesh->bounds.min[i]);
    return options->offset * sqrt(square);
}

// Where the objects' boxes overlap, those of the moved surfaces. False: they do not.
static bool find_region(const slicing *s, grz_box *region, double *padding)
{
    grz_box world[2];
    double size = 0.0;
    for (int i = 0; i < 2; i++) {
        const grz_object *object = i == 0 ? s->job->a : s->job->b;
        const double out = fmax(offset_of(object->mesh, s->options), 0.0);
        grz_box box = object->mesh->bounds;
        for (int j = 0; j < 3; j++) {
            box.min[j] -= out;
            box.max[j] += out;
        }
        world[i] = grz_world_box(&object->pose, &box);
        for (int j = 0; j < 3; j++)
            size = fmax(size, world[i].max[j] - world[i].min[j]);
    }
    *region = grz_box_intersection(&world[0], &world[1]);
    *padding = size > 0.0 ? size * 0x1p-20 : 0x1p-1000; // floats must tell the volume's sides apart
    return !grz_box_is_empty(region);
}

static grz_status slice(slicing *s, grz_discrete *out)
{
    const grz_slices_options *options = s->options;
    grz_box region;
    double padding, direction[3];
    grz_slices_found found = {.cells = 0};
    uint32_t slices = options->slices;
    grz_status status = GRZ_OK;
    if (!find_region(s, &region, &padding))
        return GRZ_OK;
    for (int i = 0; i < 3; i++)
        direction[i] = options->direction[i];
    if (!options->has_direction)
        grz_slices_choose_direction(s->job->a, s->job->b, &region, direction);
    grz_slices_view view = grz_slices_view_along(direction, &region, padding);
    for (uint32_t round = 0; round <= options->refinements && status == GRZ_OK; round++) {
        if (round == options->refinements && round > 0 && options->last_slices > 0)
            slices = options->last_slices;
        status = look(s, &view, slices, &found);
        if (status != GRZ_OK || found.cells == 0)
            break;
        view = volume_of(&view, &found, options->resolution, slices);
        for (int i = 0; i < 3; i++)
            view.half[i] = fmax(view.half[i], padding);
        status = grz_control_expired(s->control) ? grz_control_status(s->control) : GRZ_OK;
    }
    out->slices = slices;
    out->colliding = found.cells > 0;
    out->cells = found.cells;
    out->volume = grz_slices_volume(&view, found.cells);
    return status;
}

static grz_status upload(slicing *s)
{
    grz_status status = GRZ_OK;
    for (int i = 0; i < 2 && status == GRZ_OK; i++) {
        const grz_mesh *mesh = (i == 0 ? s->job->a : s->job->b)->mesh;
        status = s->options->offset != 0.0 ? grz_mesh_buffers_get_normals(s->gl, mesh, s->control, &s->buffers[i], s->error)
                                           : grz_mesh_buffers_get(mesh, s->control, &s->buffers[i], s->error);
        if (status == GRZ_OK)
            s->offsets[i] = (float)(offset_of(mesh, s->options) / s->buffers[i]->scale);
    }
    return status;
}

static grz_status check_options(const grz_gl *gl, const grz_slices_options *options, grz_error *error)
{
    const uint32_t most = grz_gl_get_limits(gl)->image_side;
    const double *d = options->direction;
    if (options->size != sizeof *options)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "slices: options.size is %zu, start from grz_default_slices_options()", options->size);
    if (options->resolution == 0 || options->resolution > most)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "slices: a resolution of %u, must be 1 to %u on this device",
                        options->resolution, most);
    if (options->slices == 0 || options->slices > GRZ_SLICES_MOST || options->last_slices > GRZ_SLICES_MOST)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "slices: %u slices, %u in the last drawing, must be 1 to %d",
                        options->slices, options->last_slices, GRZ_SLICES_MOST);
    if (options->refinements > MOST_REFINEMENTS)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "slices: %u refinements, the most is %d", options->refinements,
                        MOST_REFINEMENTS);
    if (!(fabs(options->offset) <= 1.0))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "slices: an offset of %g, must be -1 to 1", options->offset);
    if (options->has_direction &&
        (!isfinite(d[0]) || !isfinite(d[1]) || !isfinite(d[2]) || (d[0] == 0.0 && d[1] == 0.0 && d[2] == 0.0)))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "slices: the direction is zero or not finite");
    if (options->analysis != GRZ_ANALYSIS_GPU && options->analysis != GRZ_ANALYSIS_CPU)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "slices: options.analysis is %d", (int)options->analysis);
    return GRZ_OK;
}

static grz_status discrete(grz_device *device, const grz_job *job, const grz_collide_options *wish, grz_control *control,
                           grz_discrete *out, grz_error *error)
{
    static const grz_gl_keep keep = {sizeof(picture), release_picture};
    const grz_slices_options defaults = grz_default_slices_options(GRZ_SLICES_BALANCED);
    slicing s = {.job = job, .options = wish->slices != NULL ? wish->slices : &defaults, .control = control, .error = error};
    *out = (grz_discrete){.resolution = s.options->resolution, .slices = s.options->slices, .may_miss = true, .may_invent = true};
    grz_status status = grz_gl_enter(device, "slices", &s.gl, error);
    if (status != GRZ_OK)
        return status;
    status = check_options(s.gl, s.options, error);
    if (status == GRZ_OK && (s.picture = grz_gl_kept(s.gl, &keep)) == NULL)
        status = grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "slices: out of memory");
    const double start = grz_clock_seconds();
    if (status == GRZ_OK)
        status = upload(&s);
    out->prepare_ms = 1e3 * (grz_clock_seconds() - start);
    if (status == GRZ_OK)
        status = slice(&s, out);
    return grz_gl_leave(s.gl, status, error);
}

const grz_filter grz_filter_slices = {
    .name = "slices", .capabilities = GRZ_CAN_PAIR, .gl = true, .slot = GRZ_SLOT_COUNT, .discrete = discrete};
