// SPDX-License-Identifier: MIT
// Pictures. Objects are drawn by depth, samples averaged; then glass; then segments twice: pale wherever they are, strong where nothing
// hides them. Where no side is asked for, some are tried in small: the one from which most of the segments is seen wins.
#include "image/picture.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "geometry/pose.h"
#include "image/mesh_buffers.h"
#include "image/shaders.h"

enum {
    TRIAL_WIDTH = 240,
    TRIAL_HEIGHT = 180,
    TRIAL_POINTS = 1024,
    MARKS_STEP = 256,      // bytes: no OpenGL asks for a coarser alignment of storage buffers
    AROUND = 8,            // sides tried around the vertical
    FEWER_TRIALS = 100000, // triangles from which on only every second side is tried
    FEW_TRIALS = 1000000,  // and only every fourth
    MOST_PALE = 4096,      // segments up to which those show that are hidden; more would hide the rest
    SAMPLES = 4
};

static const double heights[] = {0.45, -0.35, 1.0}; // of the eye above its target: the tangent of its angle
static const double trial_depth = 0.02;             // of the ball's radius: what is hidden by less counts as seen
static const double moves_in = 3.0;                 // radii of the contact that a picture shows
static const double moves_in_most = 0.15;           // radius of the least that a picture shows, over that of everything
static const double filled = 0.94;                  // of the picture, from side to side, by the boxes of the objects
static const double towards_eye = 0.004;            // of the ball's radius: how far segments are drawn in front of themselves

static const float line_width = 1.75f, dot_width = 5.0f; // half of them, pixels
static const float paper[4] = {0.98f, 0.98f, 0.98f, 1.0f};
static const float curve_color[4] = {0.85f, 0.0f, 0.25f, 1.0f}, pale_curve_color[4] = {0.93f, 0.58f, 0.66f, 1.0f};
static const float orange[4] = {0.98f, 0.60f, 0.16f, 1.0f}, blue[4] = {0.30f, 0.62f, 0.98f, 1.0f};
static const float shades[][4] = {{0.87f, 0.83f, 0.76f, 1.0f}, {0.74f, 0.80f, 0.87f, 1.0f}, {0.79f, 0.86f, 0.77f, 1.0f},
                                  {0.86f, 0.78f, 0.84f, 1.0f}, {0.76f, 0.85f, 0.85f, 1.0f}, {0.88f, 0.86f, 0.70f, 1.0f}};
static const float glassy = 0.3f;

static const grz_gl_program_source object_program = {"picture", {&grz_shader_picture_vert, &grz_shader_picture_frag, NULL}};
static const grz_gl_program_source curve_program = {"picture_curve",
                                                    {&grz_shader_picture_curve_vert, &grz_shader_picture_curve_frag, NULL}};

// What a picture needs of OpenGL while it is drawn.
typedef struct drawing {
    grz_gl *gl;
    const grz_allocator *allocator;
    const grz_picture_scene *scene;
    grz_control *control;
    grz_error *error;
    GLuint objects, curves; // programs
    GLuint empty;           // a vertex array without attributes
    GLuint framebuffer, color, depth;
    uint32_t width, height;
    grz_gl_buffer marks, segments;
    double segments_at[3], segments_scale; // what the segments' ends are relative to, and their unit
} drawing;

static void delete_target(drawing *d)
{
    grz_gl_delete(d->gl, GRZ_GL_FRAMEBUFFER, d->framebuffer);
    grz_gl_delete(d->gl, GRZ_GL_RENDERBUFFER, d->color);
    grz_gl_delete(d->gl, GRZ_GL_RENDERBUFFER, d->depth);
    d->framebuffer = d->color = d->depth = 0;
}

static grz_status create_target(drawing *d, uint32_t width, uint32_t height, GLsizei samples)
{
    d->width = width;
    d->height = height;
    d->framebuffer = grz_gl_create(d->gl, GRZ_GL_FRAMEBUFFER, 0);
    d->color = grz_gl_create(d->gl, GRZ_GL_RENDERBUFFER, 0);
    d->depth = grz_gl_create(d->gl, GRZ_GL_RENDERBUFFER, 0);
    glNamedRenderbufferStorageMultisample(d->color, samples, GL_RGBA8, (GLsizei)width, (GLsizei)height);
    glNamedRenderbufferStorageMultisample(d->depth, samples, GL_DEPTH_COMPONENT32F, (GLsizei)width, (GLsizei)height);
    glNamedFramebufferRenderbuffer(d->framebuffer, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, d->color);
    glNamedFramebufferRenderbuffer(d->framebuffer, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, d->depth);
    grz_status status = grz_gl_check(d->gl, d->error);
    if (status == GRZ_OK && glCheckNamedFramebufferStatus(d->framebuffer, GL_DRAW_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        status = grz_fail(d->error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT, "picture: the driver does not draw to %u x %u pixels", width,
                          height);
    return status;
}

// A matrix of a camera behind what brings a mesh's buffer into the world: rows of 4, for floats.
static void object_matrix(const double clip[4][4], const grz_camera *camera, const grz_object *object,
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
                sum += clip[i][k] * world[k][j];
            out[4 * i + j] = (float)sum;
        }
}

static void view_matrix(const grz_camera *camera, double view[4][4])
{
    const double *forward = camera->direction, *up = camera->up;
    double right[3];
    grz_camera_right(camera, right);
    for (int j = 0; j < 4; j++) {
        view[0][j] = j < 3 ? right[j] / camera->radius : 0.0; // in radii, so that floats can hold any scale
        view[1][j] = j < 3 ? up[j] / camera->radius : 0.0;
        view[2][j] = j < 3 ? -forward[j] / camera->radius : 0.0;
        view[3][j] = j < 3 ? 0.0 : 1.0;
    }
}

// Bytes of an object's marks, up to where the next one's may begin.
static GLsizeiptr marks_room(const grz_picture_object *shown)
{
    const size_t bytes = ((size_t)shown->object->mesh->triangle_count / 32 + 1) * sizeof(uint32_t);
    return (GLsizeiptr)((bytes + MARKS_STEP - 1) / MARKS_STEP * MARKS_STEP);
}

// All objects' marks lie in one buffer that is written once: llvmpipe of Mesa 22.3 lets a draw that is under way see what is written
// to a storage buffer after it.
static grz_status put_marks(drawing *d)
{
    GLsizeiptr total = 0, at = 0;
    for (size_t i = 0; i < d->scene->count; i++)
        total += marks_room(&d->scene->objects[i]);
    grz_status status = grz_gl_buffer_reserve(d->gl, &d->marks, (uint64_t)total, "a picture's marks", d->error);
    if (status != GRZ_OK)
        return status;
    glClearNamedBufferData(d->marks.name, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, NULL);
    for (size_t i = 0; i < d->scene->count; i++) {
        const grz_picture_object *shown = &d->scene->objects[i];
        const size_t words = (size_t)shown->object->mesh->triangle_count / 32 + 1;
        if (shown->marks != NULL)
            glNamedBufferSubData(d->marks.name, at, (GLsizeiptr)(words * sizeof(uint32_t)), shown->marks);
        at += marks_room(shown);
    }
    return GRZ_OK;
}

// Draw the objects that are glass, or those that are not.
static grz_status draw_objects(drawing *d, const grz_camera *camera, bool glass)
{
    double clip[4][4], view[4][4];
    float matrix[16];
    grz_status status = GRZ_OK;
    GLintptr marks_end = 0;
    grz_camera_matrix(camera, clip);
    view_matrix(camera, view);
    glUseProgram(d->objects);
    for (size_t i = 0; i < d->scene->count && status == GRZ_OK; i++) {
        const grz_picture_object *shown = &d->scene->objects[i];
        const grz_mesh *mesh = shown->object->mesh;
        const grz_mesh_buffers *buffers;
        const GLintptr marks_at = marks_end;
        marks_end += marks_room(shown);
        if (shown->glass != glass)
            continue;
        status = grz_mesh_buffers_get(mesh, d->control, &buffers, d->error);
        if (status != GRZ_OK)
            break;
        const float *shade = shades[shown->shade % (sizeof shades / sizeof *shades)], *mark = shown->blue ? blue : orange;
        const float alpha = glass ? glassy : 1.0f;
        object_matrix(clip, camera, shown->object, buffers, matrix);
        glUniformMatrix4fv(GRZ_AT_CLIP, 1, GL_TRUE, matrix);
        object_matrix(view, camera, shown->object, buffers, matrix);
        glUniformMatrix4fv(GRZ_AT_VIEW, 1, GL_TRUE, matrix);
        glUniform4f(GRZ_AT_COLOR, shade[0], shade[1], shade[2], alpha);
        glUniform4f(GRZ_AT_MARK_COLOR, mark[0], mark[1], mark[2], alpha);
        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_MARKS, d->marks.name, marks_at, marks_room(shown));
        glBindVertexArray(buffers->vertex_array);
        grz_mesh_buffers_draw(buffers);
        status = grz_control_status(d->control);
    }
    return status;
}

static void draw_segments(const drawing *d, const grz_camera *camera, const float color[4], float wider)
{
    double clip[4][4];
    float matrix[16];
    grz_camera_matrix(camera, clip);
    for (int i = 0; i < 4; i++) {
        double sum = clip[i][3];
        for (int j = 0; j < 3; j++) { // towards the eye, and from what the segments are relative to
            sum += clip[i][j] * (d->segments_at[j] - camera->target[j] - towards_eye * camera->radius * camera->direction[j]);
            matrix[4 * i + j] = (float)(clip[i][j] * d->segments_scale);
        }
        matrix[4 * i + 3] = (float)sum;
    }
    glUseProgram(d->curves);
    glBindVertexArray(d->empty);
    glBindBuffersBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_SEGMENTS, 1, &d->segments.name);
    glUniformMatrix4fv(GRZ_AT_CLIP, 1, GL_TRUE, matrix);
    glUniform2f(GRZ_AT_SIZE, (float)d->width, (float)d->height);
    glUniform4fv(GRZ_AT_COLOR, 1, color);
    glUniform1f(GRZ_AT_WIDTH, line_width * wider);
    if (d->scene->segment_count > 0)
        glDrawArrays(GL_TRIANGLES, 0, (GLsizei)(6 * d->scene->segment_count));
    glUniform1f(GRZ_AT_WIDTH, dot_width * wider);
    if (d->scene->dot_count > 0)
        glDrawArrays(GL_TRIANGLES, (GLint)(6 * d->scene->segment_count), (GLsizei)(6 * d->scene->dot_count));
}

static void clear_target(const drawing *d)
{
    const float far = 1.0f;
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, d->framebuffer);
    glViewport(0, 0, (GLsizei)d->width, (GLsizei)d->height);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LESS);
    glDisable(GL_BLEND);
    glClearNamedFramebufferfv(d->framebuffer, GL_COLOR, 0, paper);
    glClearNamedFramebufferfv(d->framebuffer, GL_DEPTH, 0, &far);
}

static grz_status draw_all(drawing *d, const grz_camera *camera)
{
    clear_target(d);
    grz_status status = draw_objects(d, camera, false);
    if (status != GRZ_OK)
        return status;
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(GL_FALSE);
    status = draw_objects(d, camera, true);
    if (status != GRZ_OK)
        return status;
    glDisable(GL_BLEND);
    if (d->scene->segment_count < MOST_PALE) {
        glDisable(GL_DEPTH_TEST);
        draw_segments(d, camera, pale_curve_color, 0.6f);
        glEnable(GL_DEPTH_TEST);
    }
    glDepthFunc(GL_LEQUAL);
    draw_segments(d, camera, curve_color, 1.0f);
    return GRZ_OK;
}

// How much of the segments' ends is seen in the trial that has just been drawn.
static double share_seen(const drawing *d, const grz_camera *camera, const float *depths)
{
    const size_t count = 2 * (d->scene->segment_count + d->scene->dot_count), step = count / TRIAL_POINTS + 1;
    double clip[4][4];
    size_t seen = 0, asked = 0;
    grz_camera_matrix(camera, clip);
    for (size_t i = 0; i < count; i += step, asked++) {
        double h[4];
        for (int row = 0; row < 4; row++) {
            h[row] = clip[row][3];
            for (int j = 0; j < 3; j++)
                h[row] += clip[row][j] *
                          (d->scene->ends[i].at[j] - camera->target[j] - trial_depth * camera->radius * camera->direction[j]);
        }
        const double x = (h[0] / h[3] * 0.5 + 0.5) * TRIAL_WIDTH, y = (h[1] / h[3] * 0.5 + 0.5) * TRIAL_HEIGHT;
        if (h[3] > 0.0 && x >= 0.0 && x < TRIAL_WIDTH && y >= 0.0 && y < TRIAL_HEIGHT)
            seen += h[2] / h[3] <= (double)depths[(size_t)y * TRIAL_WIDTH + (size_t)x];
    }
    return asked > 0 ? (double)seen / (double)asked : 0.0;
}

static void turn_camera(grz_camera *camera, const double direction[3], const double up[3])
{
    double length = sqrt((direction[0] * direction[0] + direction[1] * direction[1]) + direction[2] * direction[2]);
    for (int j = 0; j < 3; j++)
        camera->direction[j] = direction[j] / length;
    const double *f = camera->direction;
    double along = (f[0] * up[0] + f[1] * up[1]) + f[2] * up[2], rest[3];
    for (int j = 0; j < 3; j++)
        rest[j] = up[j] - along * f[j];
    length = sqrt((rest[0] * rest[0] + rest[1] * rest[1]) + rest[2] * rest[2]);
    if (!(length > 1e-6)) { // looking along it: any other will do
        const int least = fabs(f[0]) <= fabs(f[1]) && fabs(f[0]) <= fabs(f[2]) ? 0 : fabs(f[1]) <= fabs(f[2]) ? 1 : 2;
        for (int j = 0; j < 3; j++)
            rest[j] = (j == least ? 1.0 : 0.0) - f[least] * f[j];
        length = sqrt((rest[0] * rest[0] + rest[1] * rest[1]) + rest[2] * rest[2]);
    }
    for (int j = 0; j < 3; j++)
        camera->up[j] = rest[j] / length;
}

// Side `number` of those that are tried, the usual one first.
static void turn_to_side(grz_camera *camera, const double up[3], int number)
{
    const double turn = 6.283185307179586 * (0.1 + (double)(number % AROUND) / AROUND), height = heights[number / AROUND];
    const int most = fabs(up[0]) >= fabs(up[1]) && fabs(up[0]) >= fabs(up[2]) ? 0 : fabs(up[1]) >= fabs(up[2]) ? 1 : 2;
    const int first = (most + 1) % 3, second = (most + 2) % 3;
    double direction[3];
    direction[first] = -cos(turn);
    direction[second] = -sin(turn);
    direction[most] = up[most] > 0.0 ? -height : height;
    turn_camera(camera, direction, up);
}

static grz_status choose_side(drawing *d, const grz_picture_options *options, grz_camera *camera, double *visible)
{
    const int sides = AROUND * (int)(sizeof heights / sizeof *heights);
    int step = 1;
    float *depths = grz_allocate(d->allocator, (size_t)TRIAL_WIDTH * TRIAL_HEIGHT, sizeof *depths);
    uint64_t triangles = 0;
    int best = 0;
    *visible = -1.0;
    if (depths == NULL)
        return grz_fail(d->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "picture: out of memory");
    for (size_t i = 0; i < d->scene->count; i++)
        triangles += d->scene->objects[i].object->mesh->triangle_count;
    if (triangles >= FEWER_TRIALS)
        step = triangles >= FEW_TRIALS ? 4 : 2;
    grz_status status = create_target(d, TRIAL_WIDTH, TRIAL_HEIGHT, 0);
    for (int side = 0; side < sides && status == GRZ_OK && *visible < 1.0; side += step) {
        turn_to_side(camera, options->up, side);
        clear_target(d);
        status = draw_objects(d, camera, false);
        if (status != GRZ_OK)
            break;
        glBindFramebuffer(GL_READ_FRAMEBUFFER, d->framebuffer);
        glReadPixels(0, 0, TRIAL_WIDTH, TRIAL_HEIGHT, GL_DEPTH_COMPONENT, GL_FLOAT, depths);
        const double seen = share_seen(d, camera, depths);
        if (seen > *visible + 0.02) { // rather an earlier one
            *visible = seen;
            best = side;
        }
    }
    turn_to_side(camera, options->up, best);
    delete_target(d);
    grz_release(d->allocator, depths, (size_t)TRIAL_WIDTH * TRIAL_HEIGHT, sizeof *depths);
    return status;
}

// The length of a vector of any size.
static double length_of(const double v[3])
{
    const double most = fmax(fmax(fabs(v[0]), fabs(v[1])), fabs(v[2]));
    double square = 0.0;
    for (int j = 0; j < 3; j++)
        square += most > 0.0 ? (v[j] / most) * (v[j] / most) : 0.0;
    return most * sqrt(square);
}

// The radius of the ball around a box, and its middle.
static double ball_of(const grz_box *box, double centre[3])
{
    double half[3];
    for (int j = 0; j < 3; j++) {
        centre[j] = 0.5 * box->min[j] + 0.5 * box->max[j];
        half[j] = box->max[j] - centre[j];
    }
    return length_of(half);
}

// Where to look, and how much to show.
static grz_camera aim(const grz_picture_scene *scene, const grz_picture_options *options)
{
    grz_camera camera = {.aspect = (double)options->width / (double)options->height};
    grz_box everything = grz_box_empty(), contact = grz_box_empty();
    for (size_t i = 0; i < scene->count; i++) {
        const grz_object *object = scene->objects[i].object;
        const grz_box box = grz_world_box(&object->pose, &object->mesh->bounds);
        grz_box_add_box(&everything, &box);
    }
    for (size_t i = 0; i < 2 * (scene->segment_count + scene->dot_count); i++)
        grz_box_add_point(&contact, scene->ends[i].at);
    const double all = ball_of(&everything, camera.target);
    camera.radius = camera.reach = all > 0.0 ? all : 1.0;
    grz_camera_step_back(&camera);
    if (options->whole || grz_box_is_empty(&contact))
        return camera;
    double centre[3], away[3];
    double radius = moves_in * ball_of(&contact, centre);
    radius = radius > moves_in_most * all ? radius : moves_in_most * all;
    if (!(radius < all))
        return camera;
    for (int j = 0; j < 3; j++) {
        away[j] = centre[j] - camera.target[j];
        camera.target[j] = centre[j];
    }
    camera.radius = radius;
    camera.reach = all + length_of(away);
    grz_camera_step_back(&camera);
    return camera;
}

// Choose the lens by the objects: the ball around them leaves more room than most need.
static void fill_picture(const grz_picture_scene *scene, grz_camera *camera)
{
    double clip[4][4], most = 0.0;
    grz_camera_matrix(camera, clip);
    for (size_t i = 0; i < 8 * scene->count; i++) {
        const grz_object *object = scene->objects[i / 8].object;
        const grz_box *box = &object->mesh->bounds;
        const double corner[3] = {(i & 1) != 0 ? box->max[0] : box->min[0], (i & 2) != 0 ? box->max[1] : box->min[1],
                                  (i & 4) != 0 ? box->max[2] : box->min[2]};
        double world[3], h[4];
        grz_world_position(&object->pose, corner, world);
        for (int row = 0; row < 4; row++) {
            h[row] = clip[row][3];
            for (int j = 0; j < 3; j++)
                h[row] += clip[row][j] * (world[j] - camera->target[j]);
        }
        most = fmax(most, fmax(fabs(h[0]), fabs(h[1])) / h[3]); // in front of the eye, as everything is
    }
    if (most > 0.1) // of what is smaller there is not much to see
        camera->slope *= most / filled;
}

static grz_status put_segments(drawing *d, const grz_camera *camera)
{
    const size_t count = 2 * (d->scene->segment_count + d->scene->dot_count);
    memcpy(d->segments_at, camera->target, sizeof d->segments_at);
    d->segments_scale = camera->radius;
    if (count == 0)
        return GRZ_OK;
    float *ends = grz_allocate(d->allocator, count, 4 * sizeof *ends);
    if (ends == NULL)
        return grz_fail(d->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "picture: out of memory for %zu segments", count / 2);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < 3; j++)
            ends[4 * i + j] = (float)((d->scene->ends[i].at[j] - camera->target[j]) / camera->radius);
        ends[4 * i + 3] = 0.0f;
    }
    grz_status status = grz_gl_buffer_reserve(d->gl, &d->segments, count * 4 * sizeof *ends, "a picture's curves", d->error);
    if (status == GRZ_OK)
        glNamedBufferSubData(d->segments.name, 0, (GLsizeiptr)(count * 4 * sizeof *ends), ends);
    grz_release(d->allocator, ends, count, 4 * sizeof *ends);
    return status;
}

// The samples' average, top row first.
static grz_status read_pixels(drawing *d, uint8_t *pixels)
{
    const size_t row = 4 * (size_t)d->width;
    const GLint right = (GLint)d->width, top = (GLint)d->height;
    drawing plain = *d;
    grz_status status = create_target(&plain, d->width, d->height, 0);
    if (status == GRZ_OK) {
        glBlitNamedFramebuffer(d->framebuffer, plain.framebuffer, 0, 0, right, top, 0, 0, right, top, GL_COLOR_BUFFER_BIT,
                               GL_NEAREST);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, plain.framebuffer);
        for (uint32_t y = 0; y < d->height; y++)
            glReadPixels(0, (GLint)(d->height - 1 - y), (GLsizei)d->width, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixels + y * row);
        for (size_t i = 3; i < row * d->height; i += 4)
            pixels[i] = 255;
    }
    delete_target(&plain);
    return status == GRZ_OK ? grz_gl_check(d->gl, d->error) : status;
}

static void tell_view(const grz_camera *camera, const grz_picture_options *options, double visible, grz_picture_view *view)
{
    double clip[4][4];
    grz_camera_matrix(camera, clip);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++)
            clip[i][3] -= clip[i][j] * camera->target[j];
    for (int j = 0; j < 4; j++) {
        view->to_pixels[0][j] = 0.5 * options->width * (clip[3][j] + clip[0][j]);
        view->to_pixels[1][j] = 0.5 * options->height * (clip[3][j] - clip[1][j]);
        view->to_pixels[2][j] = clip[2][j];
        view->to_pixels[3][j] = clip[3][j];
    }
    memcpy(view->direction, camera->direction, sizeof view->direction);
    view->visible = visible > 0.0 ? visible : 0.0;
}

static grz_status draw(drawing *d, const grz_picture_options *options, uint8_t *pixels, grz_picture_view *view)
{
    grz_camera camera = aim(d->scene, options);
    const grz_gl_limits *limits = grz_gl_get_limits(d->gl);
    double visible = 0.0;
    if (options->width > limits->image_side || options->height > limits->image_side)
        return grz_fail(d->error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "picture: %u x %u pixels, this OpenGL has at most %u a side",
                        options->width, options->height, limits->image_side);
    grz_status status = grz_gl_program(d->gl, &object_program, &d->objects, d->error);
    if (status == GRZ_OK)
        status = grz_gl_program(d->gl, &curve_program, &d->curves, d->error);
    d->empty = grz_gl_create(d->gl, GRZ_GL_VERTEX_ARRAY, 0);
    if (status == GRZ_OK)
        status = put_marks(d);
    if (status == GRZ_OK)
        status = put_segments(d, &camera);
    if (options->has_direction)
        turn_camera(&camera, options->direction, options->up);
    else if (d->scene->segment_count + d->scene->dot_count == 0)
        turn_to_side(&camera, options->up, 0);
    else if (status == GRZ_OK)
        status = choose_side(d, options, &camera, &visible);
    if (camera.radius == camera.reach)
        fill_picture(d->scene, &camera);
    if (status == GRZ_OK)
        status = create_target(d, options->width, options->height, limits->samples < SAMPLES ? (GLsizei)limits->samples : SAMPLES);
    if (status == GRZ_OK)
        status = draw_all(d, &camera);
    if (status == GRZ_OK)
        status = read_pixels(d, pixels);
    if (status == GRZ_OK)
        tell_view(&camera, options, visible, view);
    return status;
}

grz_status grz_picture_render(grz_device *device, const grz_picture_scene *scene, const grz_picture_options *options,
                              grz_control *control, uint8_t *pixels, grz_picture_view *view, grz_error *error)
{
    drawing d = {.allocator = grz_device_allocator(device), .scene = scene, .control = control, .error = error};
    grz_status status = grz_gl_enter(device, "picture", &d.gl, error);
    if (status != GRZ_OK)
        return status;
    status = draw(&d, options, pixels, view);
    delete_target(&d);
    grz_gl_delete(d.gl, GRZ_GL_VERTEX_ARRAY, d.empty);
    grz_gl_buffer_finish(d.gl, &d.marks);
    grz_gl_buffer_finish(d.gl, &d.segments);
    return grz_gl_leave(d.gl, status, error);
}
