// SPDX-License-Identifier: MIT
// The colour-coded back buffer: each face is drawn in a colour that is its number, with a depth test, and the picture
// is read back. Source: the picking methods of T. Munzner's lecture on collision detection (2005).
#include <math.h>

#include "base/fail.h"
#include "gpu/mesh_buffers.h"
#include "gpu/picking/picking.h"
#include "gpu/picking/picking_shaders.h"

static const grz_gl_program_source program_source = {"numbers",
                                                     {&grz_shader_numbers_vert, &grz_shader_numbers_frag, NULL}};

// What is drawn into.
typedef struct target {
    GLuint framebuffer, numbers, depth;
} target;

// World coordinates to clip space. The first row of the picture is the lowest of the framebuffer: then it is also the
// first that is read. The power of two keeps numbers in the range of floats.
static void set_clip(const grz_number_picture *p, double clip[4][4])
{
    double most = 0.0;
    int exponent;
    for (int j = 0; j < 4; j++) {
        const double w = p->to_pixels[3][j];
        clip[0][j] = 2.0 / p->width * p->to_pixels[0][j] - w;
        clip[1][j] = 2.0 / p->height * p->to_pixels[1][j] - w;
        clip[2][j] = p->to_pixels[2][j];
        clip[3][j] = w;
    }
    for (int i = 0; i < 16; i++)
        most = fmax(most, fabs(clip[i / 4][i % 4]));
    if (!(most > 0.0 && most < HUGE_VAL))
        return;
    frexp(most, &exponent);
    for (int i = 0; i < 16; i++)
        clip[i / 4][i % 4] = ldexp(clip[i / 4][i % 4], -exponent);
}

// The product with what takes a mesh's buffer coordinates into the world, in columns as OpenGL has them.
static void set_matrix(const double clip[4][4], const grz_object *object, const grz_mesh_buffers *buffers,
                       float out[16])
{
    double rows[4][4], most = 0.0;
    int exponent = 0;
    for (int i = 0; i < 4; i++) {
        double at[3] = {0.0}, sum = clip[i][3];
        for (int k = 0; k < 3; k++) {
            const double *m = object->pose.m[k];
            double middle = m[3];
            for (int j = 0; j < 3; j++) {
                at[j] += clip[i][k] * m[j];
                middle += m[j] * buffers->centre[j];
            }
            sum += clip[i][k] * middle;
        }
        for (int j = 0; j < 4; j++) {
            rows[i][j] = j < 3 ? at[j] * buffers->scale : sum;
            most = fmax(most, fabs(rows[i][j]));
        }
    }
    if (most > 0.0 && most < HUGE_VAL)
        frexp(most, &exponent);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            out[4 * j + i] = (float)ldexp(rows[i][j], -exponent);
}

static grz_status draw_object(grz_gl *gl, const double clip[4][4], const grz_object *object, uint32_t number,
                              grz_control *control, grz_error *error)
{
    const grz_mesh_buffers *buffers;
    float matrix[16];
    grz_status status = grz_mesh_buffers_get(object->mesh, control, &buffers, error);
    if (status != GRZ_OK)
        return status;
    const uint32_t triangles = grz_mesh_buffers_triangles(buffers), most = grz_mesh_buffers_draw_most(gl, control);
    set_matrix(clip, object, buffers, matrix);
    glUniformMatrix4fv(GRZ_AT_NUMBERS_CLIP, 1, GL_FALSE, matrix);
    glUniform4fv(GRZ_AT_NUMBERS_FRAME, 1, buffers->frame);
    glUniform1ui(GRZ_AT_NUMBERS_OBJECT, number + 1);
    glBindVertexArray(buffers->vertex_array);
    for (uint32_t first = 0, count; first < triangles && status == GRZ_OK; first += count) {
        count = triangles - first < most ? triangles - first : most;
        glUniform1ui(GRZ_AT_NUMBERS_FIRST, first);
        grz_mesh_buffers_draw(buffers, first, count);
        status = grz_gl_wait(control);
    }
    return status;
}

static GLuint create_plane(grz_gl *gl, const grz_number_picture *p, GLuint framebuffer, GLenum attachment,
                           GLenum format)
{
    const GLuint plane = grz_gl_create(gl, GRZ_GL_RENDERBUFFER, 0);
    glNamedRenderbufferStorage(plane, format, (GLsizei)p->width, (GLsizei)p->height);
    glNamedFramebufferRenderbuffer(framebuffer, attachment, GL_RENDERBUFFER, plane);
    return plane;
}

static grz_status create_target(grz_gl *gl, const grz_number_picture *p, target *t, grz_error *error)
{
    const uint32_t side = grz_gl_get_limits(gl)->image_side;
    if (p->width > side || p->height > side)
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                        "pick image: %u x %u pixels, OpenGL draws at most %u a side here", p->width, p->height, side);
    t->framebuffer = grz_gl_create(gl, GRZ_GL_FRAMEBUFFER, 0);
    t->numbers = create_plane(gl, p, t->framebuffer, GL_COLOR_ATTACHMENT0, GL_RG32UI);
    t->depth = create_plane(gl, p, t->framebuffer, GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT32F);
    const grz_status status = grz_gl_check(gl, error);
    if (status == GRZ_OK &&
        glCheckNamedFramebufferStatus(t->framebuffer, GL_DRAW_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        return grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT, "pick image: the driver does not draw numbers");
    return status;
}

static void begin(const grz_number_picture *p, const target *t)
{
    const GLuint nothing[4] = {0};
    const float far = 1.0f;
    glBindFramebuffer(GL_FRAMEBUFFER, t->framebuffer);
    glNamedFramebufferDrawBuffer(t->framebuffer, GL_COLOR_ATTACHMENT0);
    glNamedFramebufferReadBuffer(t->framebuffer, GL_COLOR_ATTACHMENT0);
    glViewport(0, 0, (GLsizei)p->width, (GLsizei)p->height);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LESS);
    glClearNamedFramebufferuiv(t->framebuffer, GL_COLOR, 0, nothing);
    glClearNamedFramebufferfv(t->framebuffer, GL_DEPTH, 0, &far);
}

static grz_status draw(grz_gl *gl, const grz_number_picture *p, grz_control *control, grz_error *error)
{
    GLuint program;
    double clip[4][4];
    grz_status status = grz_gl_program(gl, &program_source, &program, error);
    set_clip(p, clip);
    if (status == GRZ_OK)
        glUseProgram(program);
    for (uint32_t i = 0; i < p->object_count && status == GRZ_OK; i++) {
        const grz_object *object = &p->objects[i];
        if (object->mesh == NULL || (object->group & p->mask) == 0 || object->mesh->triangle_count == 0)
            continue;
        status = draw_object(gl, (const double(*)[4])clip, object, i, control, error);
    }
    if (status == GRZ_OK)
        glReadPixels(0, 0, (GLsizei)p->width, (GLsizei)p->height, GL_RG_INTEGER, GL_UNSIGNED_INT, p->pixels);
    return status;
}

grz_status grz_number_picture_draw(grz_device *device, const grz_number_picture *picture, grz_control *control,
                                   grz_error *error)
{
    grz_gl *gl;
    target t = {.framebuffer = 0};
    grz_status status = grz_gl_enter(device, "pick image", &gl, error);
    if (status != GRZ_OK)
        return status;
    status = create_target(gl, picture, &t, error);
    if (status == GRZ_OK) {
        begin(picture, &t);
        status = draw(gl, picture, control, error);
    }
    glDisable(GL_DEPTH_TEST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    grz_gl_delete(gl, GRZ_GL_FRAMEBUFFER, t.framebuffer);
    grz_gl_delete(gl, GRZ_GL_RENDERBUFFER, t.numbers);
    grz_gl_delete(gl, GRZ_GL_RENDERBUFFER, t.depth);
    return grz_gl_leave(gl, status, error);
}
