// SPDX-License-Identifier: MIT
// Drawing by OpenGL: opaque objects by depth; then glass; then segments, pale where something hides them, strong with a
// white border where nothing does. Everything is drawn twice as large in both directions and averaged (resolve.c).
#include "picture/painter.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/control.h"
#include "base/fail.h"
#include "gpu/mesh_buffers.h"
#include "picture/canvas/palette.h"
#include "picture/picture_shaders.h"

enum {
    MARKS_STEP = 256, // bytes: no OpenGL asks for a coarser alignment of storage buffers
    MOST_PALE = 4096, // segments up to which hidden ones are drawn; more would hide the rest
    SAMPLES = 2,      // a side of each pixel
    BEHIND_STEPS = 16
};

static const double towards_eye =
    0.015;                         // of half the picture's height: how far segments are drawn in front of themselves
static const float behind = 2e-6f; // in depth, from one object to the next: where two lie in one place the first shows
static const float line_width = 1.6f, dot_width = 5.0f, border = 1.5f; // half of the first two, pixels of the picture
static const float clear_glass[2] = {0.16f, 0.62f}, clear_ghost[2] = {0.07f, 0.4f}, opaque[2] = {1.0f, 1.0f};

static const grz_gl_program_source object_program = {"picture",
                                                     {&grz_shader_picture_vert, &grz_shader_picture_frag, NULL}};
static const grz_gl_program_source curve_program = {
    "picture_curve", {&grz_shader_picture_curve_vert, &grz_shader_picture_curve_frag, NULL}};

static void delete_target(const grz_painter *p, grz_paint_target *target)
{
    grz_gl_delete(p->gl, GRZ_GL_FRAMEBUFFER, target->framebuffer);
    grz_gl_delete(p->gl, GRZ_GL_RENDERBUFFER, target->color);
    grz_gl_delete(p->gl, GRZ_GL_RENDERBUFFER, target->surface);
    grz_gl_delete(p->gl, GRZ_GL_RENDERBUFFER, target->depth);
    *target = (grz_paint_target){0};
}

static GLuint create_plane(const grz_painter *p, const grz_paint_target *target, GLenum attachment, GLenum format)
{
    const GLuint plane = grz_gl_create(p->gl, GRZ_GL_RENDERBUFFER, 0);
    glNamedRenderbufferStorage(plane, format, (GLsizei)target->width, (GLsizei)target->height);
    glNamedFramebufferRenderbuffer(target->framebuffer, attachment, GL_RENDERBUFFER, plane);
    return plane;
}

static grz_status create_target(const grz_painter *p, uint32_t width, uint32_t height, grz_paint_target *target)
{
    *target = (grz_paint_target){.width = width, .height = height};
    target->framebuffer = grz_gl_create(p->gl, GRZ_GL_FRAMEBUFFER, 0);
    target->color = create_plane(p, target, GL_COLOR_ATTACHMENT0, GL_RGBA8);
    target->surface = create_plane(p, target, GL_COLOR_ATTACHMENT1, GL_R32UI);
    target->depth = create_plane(p, target, GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT32F);
    grz_status status = grz_gl_check(p->gl, p->error);
    if (status == GRZ_OK &&
        glCheckNamedFramebufferStatus(target->framebuffer, GL_DRAW_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        status = grz_fail(p->error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT,
                          "picture: the driver does not draw to %u x %u pixels", width, height);
    return status;
}

static void begin_target(const grz_paint_target *target)
{
    static const GLenum both[2] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    const float paper[4] = {(float)grz_palette_paper.red / 255.0f, (float)grz_palette_paper.green / 255.0f,
                            (float)grz_palette_paper.blue / 255.0f, 1.0f};
    const GLuint nothing[4] = {0};
    const float far = 1.0f;
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target->framebuffer);
    glNamedFramebufferDrawBuffers(target->framebuffer, 2, both);
    glViewport(0, 0, (GLsizei)target->width, (GLsizei)target->height);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LESS);
    glDisable(GL_BLEND);
    glClearNamedFramebufferfv(target->framebuffer, GL_COLOR, 0, paper);
    glClearNamedFramebufferuiv(target->framebuffer, GL_COLOR, 1, nothing);
    glClearNamedFramebufferfv(target->framebuffer, GL_DEPTH, 0, &far);
}

// The product of a camera's matrix and of what brings a mesh's buffer into the world, relative to the camera's target:
// rows of 4.
static void object_matrix(const double camera_rows[4][4], const grz_camera *camera, const grz_object *object,
                          const grz_mesh_buffers *buffers, float out[16])
{
    double world[4][4] = {{0.0}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            world[i][j] = object->pose.m[i][j] * buffers->scale;
        world[i][3] = object->pose.m[i][3] - camera->target[i];
        for (int j = 0; j < 3; j++)
            world[i][3] += object->pose.m[i][j] * buffers->centre[j];
    }
    world[3][3] = 1.0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            double sum = 0.0;
            for (int k = 0; k < 4; k++)
                sum += camera_rows[i][k] * world[k][j];
            out[4 * i + j] = (float)sum;
        }
}

static void view_matrix(const grz_camera *camera, double view[4][4])
{
    double right[3];
    grz_camera_right(camera, right);
    for (int j = 0; j < 4; j++) {
        view[0][j] = j < 3 ? right[j] / camera->unit : 0.0;
        view[1][j] = j < 3 ? camera->up[j] / camera->unit : 0.0;
        view[2][j] = j < 3 ? -camera->direction[j] / camera->unit : 0.0;
        view[3][j] = j < 3 ? 0.0 : 1.0;
    }
}

// Bytes of an object's marks, up to where the next one's may begin.
static GLsizeiptr marks_room(const grz_picture_object *shown)
{
    if (shown->object == NULL)
        return 0;
    const size_t bytes = ((size_t)shown->object->mesh->triangle_count / 32 + 1) * sizeof(uint32_t);
    return (GLsizeiptr)((bytes + MARKS_STEP - 1) / MARKS_STEP * MARKS_STEP);
}

// All objects' marks lie in one buffer that is written once: llvmpipe of Mesa 22.3 lets a draw that is under way see
// what is written to a storage buffer after it.
static grz_status put_marks(grz_painter *p)
{
    GLsizeiptr total = 0, at = 0;
    for (size_t i = 0; i < p->contents->count; i++)
        total += marks_room(&p->contents->shown[i]);
    grz_status status = grz_gl_buffer_reserve(p->gl, &p->marks, (uint64_t)total, "a picture's marks", p->error);
    if (status != GRZ_OK)
        return status;
    glClearNamedBufferData(p->marks.name, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, NULL);
    for (size_t i = 0; i < p->contents->count; i++) {
        const grz_picture_object *shown = &p->contents->shown[i];
        if (shown->marks != NULL)
            glNamedBufferSubData(
                p->marks.name, at,
                (GLsizeiptr)(((size_t)shown->object->mesh->triangle_count / 32 + 1) * sizeof(uint32_t)), shown->marks);
        at += marks_room(shown);
    }
    assert(at == total);
    return GRZ_OK;
}

// Bytes of the colours of an object's faces, up to where the next one's may begin.
static GLsizeiptr paints_room(const grz_picture_object *shown)
{
    if (shown->object == NULL || shown->face_colours == NULL)
        return 0;
    const size_t bytes = (size_t)shown->object->mesh->triangle_count * sizeof(uint32_t);
    return (GLsizeiptr)((bytes + MARKS_STEP - 1) / MARKS_STEP * MARKS_STEP);
}

// The colours of all objects' faces, a triangle after the other, lie in one buffer like the marks.
static grz_status put_paints(grz_painter *p)
{
    const grz_allocator *allocator = p->contents->allocator;
    GLsizeiptr total = 0, at = 0;
    for (size_t i = 0; i < p->contents->count; i++)
        total += paints_room(&p->contents->shown[i]);
    if (total == 0)
        return GRZ_OK;
    uint32_t *paints = grz_allocate_zeroed(allocator, (size_t)total, 1);
    if (paints == NULL)
        return grz_fail(p->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "picture: out of memory for colours of faces");
    for (size_t i = 0; i < p->contents->count; i++) {
        const grz_picture_object *shown = &p->contents->shown[i];
        if (paints_room(shown) == 0)
            continue;
        const grz_mesh *mesh = shown->object->mesh;
        for (uint32_t t = 0; t < mesh->triangle_count; t++) {
            const uint8_t *color = shown->face_colours + 3 * (size_t)grz_mesh_triangle_face(mesh, t);
            paints[(size_t)at / sizeof *paints + t] = color[0] | (uint32_t)color[1] << 8 | (uint32_t)color[2] << 16;
        }
        at += paints_room(shown);
    }
    assert(at == total);
    const grz_status status =
        grz_gl_buffer_reserve(p->gl, &p->paints, (uint64_t)total, "a picture's colours", p->error);
    if (status == GRZ_OK)
        glNamedBufferSubData(p->paints.name, 0, total, paints);
    grz_release(allocator, paints, (size_t)total, 1);
    return status;
}

static void set_color(GLint location, grz_color color)
{
    glUniform3f(location, (float)color.red / 255.0f, (float)color.green / 255.0f, (float)color.blue / 255.0f);
}

static grz_status draw_object(grz_painter *p, uint32_t number, const grz_camera *camera)
{
    const grz_picture_object *shown = &p->contents->shown[number];
    assert(number < p->contents->count && shown->object->mesh->source == NULL);
    const grz_mesh_buffers *buffers;
    double clip[4][4], view[4][4];
    float matrix[16];
    grz_status status = grz_mesh_buffers_get(shown->object->mesh, p->control, &buffers, p->error);
    if (status != GRZ_OK)
        return status;
    grz_camera_matrix(camera, clip);
    view_matrix(camera, view);
    object_matrix(clip, camera, shown->object, buffers, matrix);
    glUniformMatrix4fv(GRZ_PICTURE_CLIP, 1, GL_TRUE, matrix);
    object_matrix(view, camera, shown->object, buffers, matrix);
    glUniformMatrix4fv(GRZ_PICTURE_VIEW, 1, GL_TRUE, matrix);
    set_color(GRZ_PICTURE_COLOR, shown->color);
    set_color(GRZ_PICTURE_MARK_COLOR, shown->touch);
    glUniform1ui(GRZ_PICTURE_HAS_PAINTS, shown->face_colours != NULL ? 1 : 0);
    glUniform1f(GRZ_PICTURE_BEHIND, behind * (float)(number % BEHIND_STEPS));
    glUniform1ui(GRZ_PICTURE_BODY, number % 0xfffe + 1);
    glBindVertexArray(buffers->vertex_array);
    grz_mesh_buffers_draw(buffers, 0, grz_mesh_buffers_triangles(buffers));
    return grz_control_status(p->control);
}

// Draw the opaque parts of all objects, or those that are glass: all of an object that is glass, and what lies nearer
// than the cut.
static grz_status draw_objects(grz_painter *p, const grz_painted_view *view, bool glass)
{
    const float cut = (float)fmax(view->cut / view->camera.unit, -1e30);
    grz_status status = GRZ_OK;
    GLintptr marks_end = 0, paints_end = 0;
    glUseProgram(p->objects);
    for (size_t i = 0; i < p->contents->count && status == GRZ_OK; i++) {
        const grz_picture_object *shown = &p->contents->shown[i];
        const GLintptr marks_at = marks_end, paints_at = paints_end;
        marks_end += marks_room(shown);
        paints_end += paints_room(shown);
        assert(marks_at % MARKS_STEP == 0 && (uint64_t)marks_end <= p->marks.size);
        if (shown->object == NULL || (shown->glass && !glass) || (glass && !shown->glass && !(cut > -1e30f)))
            continue;
        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, GRZ_PICTURE_MARKS, p->marks.name, marks_at, marks_room(shown));
        if (paints_room(shown) > 0)
            glBindBufferRange(GL_SHADER_STORAGE_BUFFER, GRZ_PICTURE_PAINTS, p->paints.name, paints_at,
                              paints_room(shown));
        glUniform2f(GRZ_PICTURE_RANGE, glass ? -INFINITY : cut, glass && !shown->glass ? cut : INFINITY);
        glUniform2fv(GRZ_PICTURE_GLASS, 1, !glass ? opaque : shown->glass ? clear_glass : clear_ghost);
        status = draw_object(p, (uint32_t)i, &view->camera);
    }
    return status;
}

// Put the segments and dots into a buffer, relative to the camera's target.
static grz_status put_segments(grz_painter *p, const grz_camera *camera)
{
    const grz_picture_contents *c = p->contents;
    const size_t count = c->ends.count + 2 * c->dots.count;
    assert(c->ends.count % 2 == 0);
    p->segments_unit = camera->unit;
    if (count == 0)
        return GRZ_OK;
    float *ends = grz_allocate(c->allocator, count, 4 * sizeof *ends);
    if (ends == NULL)
        return grz_fail(p->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "picture: out of memory for %zu segments",
                        count / 2);
    for (size_t i = 0; i < count; i++) {
        const double *at = i < c->ends.count ? c->ends.items[i].at : c->dots.items[(i - c->ends.count) / 2].at;
        for (size_t j = 0; j < 3; j++)
            ends[4 * i + j] = (float)((at[j] - camera->target[j]) / camera->unit);
        ends[4 * i + 3] = 0.0f;
    }
    grz_status status =
        grz_gl_buffer_reserve(p->gl, &p->segments, count * 4 * sizeof *ends, "a picture's curves", p->error);
    if (status == GRZ_OK)
        glNamedBufferSubData(p->segments.name, 0, (GLsizeiptr)(count * 4 * sizeof *ends), ends);
    grz_release(c->allocator, ends, count, 4 * sizeof *ends);
    return status;
}

// Draw segments and dots, `wider` pixels of the picture wider on both sides.
static void draw_segments(const grz_painter *p, const grz_paint_target *target, const grz_camera *camera,
                          grz_color color, float share, float wider)
{
    const GLsizei segments = (GLsizei)(p->contents->ends.count / 2), dots = (GLsizei)p->contents->dots.count;
    const double nearer = towards_eye * camera->slope[1] * camera->distance;
    assert(p->segments_unit == camera->unit);
    double clip[4][4];
    float matrix[16];
    grz_camera_matrix(camera, clip);
    for (int i = 0; i < 4; i++) {
        double sum = clip[i][3];
        for (int j = 0; j < 3; j++) {
            sum -= clip[i][j] * nearer * camera->direction[j];
            matrix[4 * i + j] = (float)(clip[i][j] * p->segments_unit);
        }
        matrix[4 * i + 3] = (float)sum;
    }
    glUseProgram(p->curves);
    glBindVertexArray(p->empty);
    glBindBuffersBase(GL_SHADER_STORAGE_BUFFER, GRZ_PICTURE_SEGMENTS, 1, &p->segments.name);
    glUniformMatrix4fv(GRZ_PICTURE_CLIP, 1, GL_TRUE, matrix);
    glUniform2f(GRZ_PICTURE_SIZE, (float)target->width, (float)target->height);
    set_color(GRZ_PICTURE_COLOR, color);
    glUniform1f(GRZ_PICTURE_WIDTH, SAMPLES * (line_width * share + wider));
    if (segments > 0)
        glDrawArrays(GL_TRIANGLES, 0, 6 * segments);
    glUniform1f(GRZ_PICTURE_WIDTH, SAMPLES * (dot_width * share + wider));
    if (dots > 0)
        glDrawArrays(GL_TRIANGLES, 6 * segments, 6 * dots);
}

static grz_status draw_all(grz_painter *p, const grz_paint_target *target, const grz_painted_view *view)
{
    begin_target(target);
    grz_status status = draw_objects(p, view, false);
    if (status != GRZ_OK)
        return status;
    const GLenum color_only[2] = {GL_COLOR_ATTACHMENT0, GL_NONE},
                 both[2] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    glNamedFramebufferDrawBuffers(target->framebuffer, 2, color_only);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(GL_FALSE);
    status = draw_objects(p, view, true);
    if (status != GRZ_OK)
        return status;
    glDisable(GL_BLEND);
    glNamedFramebufferDrawBuffers(target->framebuffer, 2, both);
    if (p->contents->ends.count / 2 < MOST_PALE) {
        glDisable(GL_DEPTH_TEST);
        draw_segments(p, target, &view->camera, grz_palette_hidden, 0.6f, 0.0f);
        glEnable(GL_DEPTH_TEST);
    }
    glDepthFunc(GL_LEQUAL);
    draw_segments(p, target, &view->camera, grz_palette_white, 1.0f, border);
    draw_segments(p, target, &view->camera, grz_palette_contact, 1.0f, 0.0f);
    return GRZ_OK;
}

uint32_t grz_painter_most_pixels(const grz_painter *painter)
{
    return grz_gl_get_limits(painter->gl)->image_side;
}

grz_status grz_painter_depths(grz_painter *painter, const grz_camera *camera, float *depths)
{
    const grz_painted_view view = {*camera, -HUGE_VAL};
    grz_status status = GRZ_OK;
    if (painter->trial.framebuffer == 0)
        status = create_target(painter, GRZ_TRIAL_WIDTH, GRZ_TRIAL_HEIGHT, &painter->trial);
    if (status != GRZ_OK)
        return status;
    begin_target(&painter->trial);
    status = draw_objects(painter, &view, false);
    if (status != GRZ_OK)
        return status;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, painter->trial.framebuffer);
    glReadPixels(0, 0, GRZ_TRIAL_WIDTH, GRZ_TRIAL_HEIGHT, GL_DEPTH_COMPONENT, GL_FLOAT, depths);
    return GRZ_OK;
}

grz_status grz_painter_draw(grz_painter *painter, const grz_painted_view *view, const grz_canvas *canvas,
                            const grz_rect *rect)
{
    assert(!grz_rect_is_empty(rect) && rect->x >= 0 && rect->y >= 0);
    assert((uint32_t)(rect->x + rect->width) <= canvas->width && (uint32_t)(rect->y + rect->height) <= canvas->height);
    const uint32_t larger = (uint32_t)(rect->width > rect->height ? rect->width : rect->height);
    const uint32_t samples = larger * SAMPLES <= grz_painter_most_pixels(painter) ? SAMPLES : 1;
    grz_paint_target target;
    grz_status status = put_segments(painter, &view->camera);
    if (status != GRZ_OK)
        return status;
    status = create_target(painter, (uint32_t)rect->width * samples, (uint32_t)rect->height * samples, &target);
    if (status == GRZ_OK)
        status = draw_all(painter, &target, view);
    if (status == GRZ_OK)
        status = grz_painter_resolve(painter, &target, &view->camera, samples, canvas, rect);
    delete_target(painter, &target);
    return status;
}

grz_status grz_painter_open(grz_painter *painter, grz_device *device, const grz_picture_contents *contents,
                            grz_control *control, grz_error *error)
{
    *painter = (grz_painter){.contents = contents, .control = control, .error = error};
    grz_status status = grz_gl_enter(device, "picture", &painter->gl, error);
    if (status != GRZ_OK)
        return status;
    status = grz_gl_program(painter->gl, &object_program, &painter->objects, error);
    if (status == GRZ_OK)
        status = grz_gl_program(painter->gl, &curve_program, &painter->curves, error);
    painter->empty = grz_gl_create(painter->gl, GRZ_GL_VERTEX_ARRAY, 0);
    if (status == GRZ_OK)
        status = put_marks(painter);
    if (status == GRZ_OK)
        status = put_paints(painter);
    return status == GRZ_OK ? GRZ_OK : grz_painter_close(painter, status);
}

grz_status grz_painter_close(grz_painter *painter, grz_status status)
{
    delete_target(painter, &painter->trial);
    grz_gl_delete(painter->gl, GRZ_GL_VERTEX_ARRAY, painter->empty);
    grz_gl_buffer_finish(painter->gl, &painter->marks);
    grz_gl_buffer_finish(painter->gl, &painter->paints);
    grz_gl_buffer_finish(painter->gl, &painter->segments);
    return grz_gl_leave(painter->gl, status, painter->error);
}
