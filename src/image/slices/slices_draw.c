// SPDX-License-Identifier: MIT
// Draws and analyses pictures whose pixels hold slices. Several view volumes lie side by side in one picture, each a
// whole number of tiles wide, so that each tile belongs to one view. The picture and the tiles are kept with the
// device. Source: J. Dinerstein, P. Egbert, section 3.
#include "image/slices/slices_draw.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/control.h"
#include "base/fail.h"
#include "image/slices/slices_shaders.h"

enum {
    MOST_TARGETS = 8
};

// The largest picture. Drivers with less memory say so, but some accept sizes that the machine does not have.
static const uint64_t MOST_BYTES = UINT64_C(1) << 30;

static const grz_gl_program_source draw_16 = {"slices_16", {&grz_shader_view_vert, &grz_shader_slices_16_frag, NULL}};
static const grz_gl_program_source draw_512 = {"slices_512",
                                               {&grz_shader_view_vert, &grz_shader_slices_512_frag, NULL}};
static const grz_gl_program_source analyse_16 = {"slices_16", {&grz_shader_slices_16_comp, NULL, NULL}};
static const grz_gl_program_source analyse_512 = {"slices_512", {&grz_shader_slices_512_comp, NULL, NULL}};

// What is kept with the device between queries.
typedef struct picture {
    GLuint framebuffer, targets[MOST_TARGETS];
    uint32_t width, height, target_count;
    bool one_word; // one word a pixel; otherwise four words in each target
    grz_gl_buffer tiles;
} picture;

// How views lie in a picture.
typedef struct layout {
    uint32_t resolution, across; // pixels and tiles along a side of a view
    uint32_t views, width, height;
} layout;

static layout lay_out(uint32_t resolution, uint32_t views)
{
    const uint32_t across = grz_slices_tiles_across(resolution);
    assert(resolution > 0 && views >= 1 && views <= GRZ_SLICES_MAX_BOXES);
    return (layout){resolution, across, views, views > 1 ? views * across * GRZ_TILE : resolution, resolution};
}

static void release_picture(grz_gl *gl, void *state)
{
    picture *p = state;
    grz_gl_delete(gl, GRZ_GL_FRAMEBUFFER, p->framebuffer);
    for (int i = 0; i < MOST_TARGETS; i++) {
        grz_gl_delete(gl, GRZ_GL_TEXTURE, p->targets[i]);
        p->targets[i] = 0;
    }
    grz_gl_buffer_finish(gl, &p->tiles);
    p->framebuffer = 0;
    p->width = 0;
}

static const grz_gl_slot_type slot_type = {sizeof(picture), release_picture};

static grz_status create_picture(const grz_slicing *s, const layout *l, uint32_t count, picture *p)
{
    GLenum buffers[MOST_TARGETS];
    assert(count >= 1 && count <= MOST_TARGETS);
    p->framebuffer = grz_gl_create(s->gl, GRZ_GL_FRAMEBUFFER, 0);
    for (uint32_t i = 0; i < count; i++) {
        p->targets[i] = grz_gl_create(s->gl, GRZ_GL_TEXTURE, GL_TEXTURE_2D);
        glTextureStorage2D(p->targets[i], 1, p->one_word ? GL_R32UI : GL_RGBA32UI, (GLsizei)l->width,
                           (GLsizei)l->height);
        glTextureParameteri(p->targets[i], GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTextureParameteri(p->targets[i], GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glNamedFramebufferTexture(p->framebuffer, GL_COLOR_ATTACHMENT0 + i, p->targets[i], 0);
        buffers[i] = GL_COLOR_ATTACHMENT0 + i;
    }
    glNamedFramebufferDrawBuffers(p->framebuffer, (GLsizei)count, buffers);
    grz_status status = grz_gl_check(s->gl, s->error);
    if (status == GRZ_OK &&
        glCheckNamedFramebufferStatus(p->framebuffer, GL_DRAW_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        status = grz_fail(s->error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT,
                          "slices: the driver does not draw %u targets of %u x %u pixels", count, l->width, l->height);
    return status;
}

// Bytes of a pixel, in all targets.
static uint32_t pixel_size(uint32_t slices)
{
    return slices <= 16 ? 4 : 16 * grz_slices_targets(slices);
}

// Check a drawing with some views side by side.
static grz_status check_picture(uint32_t resolution, uint32_t views, uint32_t slices, uint32_t most, grz_error *error)
{
    if (resolution > most)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "slices: a resolution of %u, must be 1 to %u on this device", resolution, most);
    const layout l = lay_out(resolution, views);
    const uint64_t bytes = (uint64_t)l.width * l.height * pixel_size(slices);
    if (l.width > most)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "slices: %u volumes of %u pixels side by side, this device has at most %u", views, resolution,
                        most);
    if (bytes > MOST_BYTES)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "slices: %u x %u pixels of %u slices take %llu MiB, the most is %llu", l.width, l.height,
                        slices, (unsigned long long)(bytes >> 20), (unsigned long long)(MOST_BYTES >> 20));
    return GRZ_OK;
}

grz_status grz_slices_check_size(const grz_gl *gl, const grz_slices_options *options, grz_error *error)
{
    const uint32_t most = grz_gl_get_limits(gl)->image_side;
    // The first drawing has one volume. The last one may have another number of pixels and slices.
    grz_status status = check_picture(options->resolution, 1, options->slices, most, error);
    if (status == GRZ_OK && options->refinements > 1)
        status = check_picture(options->resolution, options->max_boxes, options->slices, most, error);
    if (status == GRZ_OK && options->refinements > 0)
        status = check_picture(options->last_resolution > 0 ? options->last_resolution : options->resolution,
                               options->max_boxes, options->last_slices > 0 ? options->last_slices : options->slices,
                               most, error);
    return status;
}

double grz_slices_cell_offset(const grz_slicing *s, const grz_view *view, uint32_t slices)
{
    const double pixel = 2.0 * fmax(view->half[0], view->half[1]) / s->resolution, slice = 2.0 * view->half[2] / slices;
    return s->options->cell_offset * fmax(pixel, slice);
}

// Get the kept picture, with the size and the targets that these views and slices need.
static grz_status fit_picture(const grz_slicing *s, const layout *l, uint32_t slices, picture **out)
{
    const uint32_t count = grz_slices_targets(slices);
    const bool one_word = slices <= 16;
    picture *p = *out = grz_gl_slot(s->gl, &slot_type);
    if (p == NULL)
        return grz_fail(s->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "slices: out of memory");
    if (p->width == l->width && p->height == l->height && p->target_count == count && p->one_word == one_word)
        return GRZ_OK;
    release_picture(s->gl, p);
    p->one_word = one_word;
    grz_status status = create_picture(s, l, count, p);
    if (status == GRZ_OK)
        status = grz_gl_buffer_reserve(s->gl, &p->tiles,
                                       (uint64_t)l->views * grz_slices_tile_count(l->resolution) * sizeof(grz_tile),
                                       "the answer", s->error);
    if (status != GRZ_OK) {
        release_picture(s->gl, p);
        return status;
    }
    p->width = l->width;
    p->height = l->height;
    p->target_count = count;
    return GRZ_OK;
}

// How much a pose stretches: the root mean square of its columns' lengths, 1 for a rigid pose.
static double stretch_of(const grz_pose *pose)
{
    double most = 0.0, square = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            most = fmax(most, fabs(pose->m[i][j]));
    for (int i = 0; i < 3 && most > 0.0; i++)
        for (int j = 0; j < 3; j++)
            square += pose->m[i][j] / most * (pose->m[i][j] / most);
    return most * sqrt(square / 3.0);
}

// How far the surface of an object is moved in a view, in the units of its buffers.
static float offset_in(const grz_slicing *s, const grz_view *view, const grz_slices_drawn *drawn, uint32_t slices)
{
    const double moved = grz_slices_cell_offset(s, view, slices), unit = stretch_of(&drawn->object->pose);
    if (moved == 0.0 || unit == 0.0)
        return drawn->offset;
    return drawn->offset + (float)(moved / unit / drawn->buffers->scale);
}

static grz_status draw(const grz_slicing *s, const picture *p, const layout *l, const grz_view *views,
                       const grz_slices_drawn *drawn, size_t drawn_count, uint32_t slices)
{
    const GLuint nothing[4] = {0, 0, 0, 0};
    GLuint program;
    assert(p->width == l->width && p->height == l->height && p->target_count == grz_slices_targets(slices));
    grz_status status = grz_gl_program(s->gl, p->one_word ? &draw_16 : &draw_512, &program, s->error);
    if (status != GRZ_OK)
        return status;
    for (uint32_t i = 0; i < p->target_count; i++)
        glClearNamedFramebufferuiv(p->framebuffer, GL_COLOR, (GLint)i, nothing);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, p->framebuffer);
    glEnable(GL_COLOR_LOGIC_OP);
    glLogicOp(GL_OR);
    glUseProgram(program);
    glUniform1ui(GRZ_AT_SLICES, slices);
    for (size_t i = 0; i < drawn_count; i++) {
        glUniform4fv(GRZ_AT_FRAME, 1, drawn[i].buffers->frame);
        glUniform1ui(GRZ_AT_FIRST_BIT, drawn[i].second ? grz_slices_second_bit(slices) : 0);
        glBindVertexArray(drawn[i].buffers->vertex_array);
        for (uint32_t v = 0; v < l->views && status == GRZ_OK; v++) {
            float matrix[16];
            grz_view_matrix(&views[v], drawn[i].object, drawn[i].buffers, matrix);
            glUniform1f(GRZ_AT_OFFSET, offset_in(s, &views[v], &drawn[i], slices));
            glViewport((GLint)(v * l->across * GRZ_TILE), 0, (GLsizei)l->resolution, (GLsizei)l->resolution);
            glUniformMatrix4fv(GRZ_AT_CLIP, 1, GL_TRUE, matrix);
            status = grz_mesh_buffers_draw_all(s->gl, s->control, drawn[i].buffers);
        }
    }
    return status;
}

static grz_status analyse_by_shader(const grz_slicing *s, const picture *p, const layout *l, uint32_t slices,
                                    grz_tile *tiles)
{
    GLuint program;
    assert(p->tiles.size >= l->views * grz_slices_tile_count(l->resolution) * sizeof *tiles);
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
    glUniform2ui(GRZ_AT_TILE_SIZE, l->width, l->height);
    glDispatchCompute(l->views * l->across, l->across, 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    status = grz_gl_wait(s->control);
    if (status == GRZ_OK)
        glGetNamedBufferSubData(p->tiles.name, 0,
                                (GLsizeiptr)(l->views * grz_slices_tile_count(l->resolution) * sizeof *tiles), tiles);
    return status;
}

static grz_status analyse_by_reading(const grz_slicing *s, const picture *p, const layout *l, uint32_t slices,
                                     grz_tile *tiles)
{
    const grz_allocator *allocator = grz_control_allocator(s->control);
    const size_t pixels = (size_t)l->width * l->height, words = p->one_word ? pixels : 4 * pixels;
    const uint32_t *targets[MOST_TARGETS] = {NULL};
    uint32_t *read = grz_allocate(allocator, words * p->target_count, sizeof *read);
    if (read == NULL)
        return grz_fail(s->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "slices: out of memory for %u x %u pixels",
                        l->width, l->height);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, p->framebuffer);
    for (uint32_t i = 0; i < p->target_count; i++) {
        glReadBuffer(GL_COLOR_ATTACHMENT0 + i);
        glReadPixels(0, 0, (GLsizei)l->width, (GLsizei)l->height, p->one_word ? GL_RED_INTEGER : GL_RGBA_INTEGER,
                     GL_UNSIGNED_INT, read + words * i);
        targets[i] = read + words * i;
    }
    grz_slices_analyse(targets, l->width, l->height, slices, tiles);
    grz_release(allocator, read, words * p->target_count, sizeof *read);
    return GRZ_OK;
}

// Sort tiles from row by row through the whole picture to view by view, and count columns from the left edge of the
// view.
static void sort_tiles(const layout *l, const grz_tile *rows, grz_tile *tiles)
{
    for (uint32_t v = 0; v < l->views; v++)
        for (uint32_t y = 0; y < l->across; y++)
            for (uint32_t x = 0; x < l->across; x++) {
                grz_tile tile = rows[((size_t)y * l->views + v) * l->across + x];
                if (tile.cells > 0) {
                    assert(tile.least[0] / GRZ_TILE == v * l->across + x &&
                           tile.last[0] / GRZ_TILE == v * l->across + x);
                    tile.least[0] -= v * l->across * GRZ_TILE;
                    tile.last[0] -= v * l->across * GRZ_TILE;
                }
                tiles[((size_t)v * l->across + y) * l->across + x] = tile;
            }
}

grz_status grz_slices_look(grz_slicing *s, const grz_view *views, uint32_t view_count, const grz_slices_drawn *drawn,
                           size_t drawn_count, uint32_t slices, grz_tile *tiles)
{
    const grz_allocator *allocator = grz_control_allocator(s->control);
    const layout l = lay_out(s->resolution, view_count);
    const size_t count = view_count * grz_slices_tile_count(l.resolution);
    picture *p;
    grz_status status = fit_picture(s, &l, slices, &p);
    if (status != GRZ_OK)
        return status;
    grz_tile *rows = grz_allocate(allocator, count, sizeof *rows);
    if (rows == NULL)
        return grz_fail(s->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "slices: out of memory for the answer");
    s->drawings++;
    status = draw(s, p, &l, views, drawn, drawn_count, slices);
    if (status == GRZ_OK)
        status = s->options->analysis == GRZ_ANALYSIS_CPU ? analyse_by_reading(s, p, &l, slices, rows)
                                                          : analyse_by_shader(s, p, &l, slices, rows);
    if (status == GRZ_OK)
        status = grz_gl_check(s->gl, s->error);
    if (status == GRZ_OK)
        sort_tiles(&l, rows, tiles);
    grz_release(allocator, rows, count, sizeof *rows);
    return status;
}
