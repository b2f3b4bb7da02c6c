// SPDX-License-Identifier: MIT
// Method `selection` against what its paper drove: OpenGL's selection mode, in a compatibility context. For each face
// of the reference an orthographic viewing volume is set up, the rectangle around the face and half the thickness on
// both sides, with clipping planes through the face's sides; the faces that OpenGL then names as hit must be those that
// the method lists, except where a face only just reaches into a volume. Skipped where the driver has no such context.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/gl.h>

#include "support_gl.h"
#include "support_meshes.h"
#include "support_queries.h"
#include "support_volumes.h"

#ifdef GRZ_HAVE_GL
#include "gl/context.h"
#include "mesh/mesh.h"

// Mesa's software renderer does not free what selection mode makes; LeakSanitizer asks this function what to forgive.
const char *__lsan_default_suppressions(void); // NOLINT(bugprone-reserved-identifier): LeakSanitizer's name
const char *__lsan_default_suppressions(void)  // NOLINT(bugprone-reserved-identifier)
{
    return "leak:swrast_dri.so\n";
}

enum {
    MOST_FACES = 512,
    SIDE = 16 // pixels of the framebuffer, which must be there and complete
};

static grz_context home; // its display
static EGLContext compatible;

// Make a context with selection mode current. False: there is none here.
static bool open_compatible(void)
{
    static const EGLint attributes[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_DONT_CARE, EGL_NONE};
    static const EGLint profile[] = {EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT,
                                     EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    if (grz_context_open(0, false, &home, NULL) != GRZ_OK)
        return false;
    eglBindAPI(EGL_OPENGL_API);
    if (!eglChooseConfig(home.display, attributes, &config, 1, &count) || count == 0)
        return false;
    compatible = eglCreateContext(home.display, config, EGL_NO_CONTEXT, profile);
    return compatible != EGL_NO_CONTEXT && eglMakeCurrent(home.display, EGL_NO_SURFACE, EGL_NO_SURFACE, compatible);
}

static void make_framebuffer(void)
{
    GLuint framebuffer, colour;
    glGenFramebuffers(1, &framebuffer);
    glGenRenderbuffers(1, &colour);
    glBindRenderbuffer(GL_RENDERBUFFER, colour);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, SIDE, SIDE);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour);
    glViewport(0, 0, SIDE, SIDE);
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
}

static test_polygon face_of(const grz_mesh *mesh, uint32_t face)
{
    test_polygon p = {.count = 0};
    uint32_t count;
    const uint32_t *corners = grz_mesh_face_corners(mesh, face, &count);
    for (uint32_t i = 0; i < count; i++)
        memcpy(p.at[p.count++], grz_mesh_position(mesh, corners[i]), sizeof p.at[0]);
    return p;
}

// Three directions at right angles: along the face's first side, across it, and the face's normal. Returns the volume's
// rectangle: from the first corner, the least and the largest along the first two.
static void frame_of(const test_polygon *face, double axes[3][3], double least[2], double most[2])
{
    double second[3];
    test_subtract(face->at[1], face->at[0], axes[0]);
    test_subtract(face->at[face->count - 1], face->at[0], second);
    test_cross(axes[0], second, axes[2]);
    test_cross(axes[2], axes[0], axes[1]);
    for (int i = 0; i < 3; i++) {
        const double size = sqrt(test_dot(axes[i], axes[i]));
        for (int j = 0; j < 3; j++)
            axes[i][j] /= size;
    }
    for (int i = 0; i < 2; i++) {
        least[i] = most[i] = 0.0;
        for (int k = 1; k < face->count; k++) {
            double from[3];
            test_subtract(face->at[k], face->at[0], from);
            least[i] = fmin(least[i], test_dot(axes[i], from));
            most[i] = fmax(most[i], test_dot(axes[i], from));
        }
    }
}

// Look along the face's normal at its volume, and let clipping planes through its sides cut the rectangle.
static void look_at_volume(const test_polygon *face, double thickness)
{
    double axes[3][3], least[2], most[2];
    GLdouble matrix[16] = {0.0};
    frame_of(face, axes, least, most);
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glOrtho(least[0], most[0], least[1], most[1], -0.5 * thickness, 0.5 * thickness);
    glMatrixMode(GL_MODELVIEW);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            matrix[4 * j + i] = axes[i][j];
        matrix[12 + i] = -test_dot(axes[i], face->at[0]);
    }
    matrix[15] = 1.0;
    glLoadMatrixd(matrix);
    for (int i = 1; i < face->count; i++) { // the first side is on the rectangle's
        double side[3], inwards[3];
        test_subtract(face->at[(i + 1) % face->count], face->at[i], side);
        test_cross(axes[2], side, inwards);
        const GLdouble plane[4] = {inwards[0], inwards[1], inwards[2], -test_dot(inwards, face->at[i])};
        glClipPlane((GLenum)(GL_CLIP_PLANE0 + i - 1), plane);
        glEnable((GLenum)(GL_CLIP_PLANE0 + i - 1));
    }
}

// Draw all faces of a mesh in selection mode, each with its number as name. hit[i]: face i reaches into the volume.
static void select_faces(const grz_mesh *mesh, const test_polygon *face, double thickness, bool hit[MOST_FACES])
{
    static GLuint names[4 * MOST_FACES];
    glSelectBuffer(4 * MOST_FACES, names);
    glRenderMode(GL_SELECT);
    glInitNames();
    glPushName(0);
    look_at_volume(face, thickness);
    for (uint32_t i = 0; i < mesh->face_count; i++) {
        const test_polygon other = face_of(mesh, i);
        glLoadName(i);
        glBegin(other.count == 4 ? GL_QUADS : GL_TRIANGLES);
        for (int k = 0; k < other.count; k++)
            glVertex3dv(other.at[k]);
        glEnd();
    }
    const GLint hits = glRenderMode(GL_RENDER);
    assert_true(hits >= 0);
    for (int i = 0; i < 3; i++)
        glDisable((GLenum)(GL_CLIP_PLANE0 + i));
    memset(hit, 0, MOST_FACES * sizeof *hit);
    for (GLint i = 0; i < hits; i++) // each: how many names, two depths, the names
        hit[names[4 * i + 3]] = true;
}

static test_answer select_discrete(grz_device *device, const grz_mesh *a, const grz_mesh *b, double thickness)
{
    grz_result *result = test_result_create(device);
    const grz_object object_a = grz_object_at_origin(a), object_b = grz_object_at_origin(b);
    grz_collide_options options = grz_default_collide_options();
    grz_selection_options selection = grz_default_selection_options();
    const grz_method_options own = {.method = "selection", .options = &selection};
    grz_error error;
    selection.thickness = thickness;
    selection.max_faces = 4096;
    options.method = "selection";
    options.answer = GRZ_ANSWER_DISCRETE;
    options.find = GRZ_FIND_PAIRS;
    options.method_options = &own;
    if (grz_collide(device, &object_a, &object_b, &options, result, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    const test_answer answer = test_answer_of(result);
    grz_result_destroy(result);
    return answer;
}

// Expect that the method lists what selection mode hits. Returns how many hits there are.
static uint64_t expect_same(grz_device *device, const grz_mesh *a, const grz_mesh *b, double thickness)
{
    static bool listed[MOST_FACES][MOST_FACES], hit[MOST_FACES][MOST_FACES];
    test_answer answer = select_discrete(device, a, b, thickness);
    uint64_t count = 0;
    assert_true(a->face_count <= MOST_FACES && b->face_count <= MOST_FACES);
    memset(listed, 0, sizeof listed);
    for (uint64_t i = 0; i < answer.pair_count; i++)
        listed[answer.pairs[i].face_a][answer.pairs[i].face_b] = true;
    assert_true(eglMakeCurrent(home.display, EGL_NO_SURFACE, EGL_NO_SURFACE, compatible));
    for (uint32_t i = 0; i < a->face_count; i++) {
        const test_polygon face = face_of(a, i);
        select_faces(b, &face, thickness, hit[i]);
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
    eglMakeCurrent(home.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    for (uint32_t i = 0; i < a->face_count; i++)
        for (uint32_t j = 0; j < b->face_count; j++) {
            const test_polygon face = face_of(a, i), other = face_of(b, j);
            count += hit[i][j];
            const grz_box box = test_polygon_box(&face), other_box = test_polygon_box(&other);
            // The method leaves faces outside the other mesh's box out before, even if they are close.
            const bool left_out = !grz_boxes_overlap(&box, &b->bounds) || !grz_boxes_overlap(&other_box, &a->bounds);
            if (hit[i][j] == listed[i][j] || (hit[i][j] && left_out))
                continue;
            if (test_selects(&face, &other, 0.5 * thickness, -1e-4) ||
                !test_selects(&face, &other, 0.5 * thickness, 1e-4))
                fail_msg("face %u selects %u: selection mode says %s, the method %s", i, j, hit[i][j] ? "yes" : "no",
                         listed[i][j] ? "yes" : "no");
        }
    test_answer_finish(&answer);
    return count;
}

static void the_method_lists_what_selection_mode_hits(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    random_stream random = {.state = 51};
    test_mesh shapes[] = {test_mesh_icosphere(1.0, 2), test_mesh_torus(0.9, 0.4, 12, 8),
                          test_mesh_cube_quads(-0.7, -0.6, -0.65, 1.3), test_mesh_grid_quads(10, 10, 0.21),
                          test_mesh_random_triangles(&random, 150, 0.7, 0)};
    enum {
        SHAPES = sizeof shapes / sizeof *shapes
    };
    grz_mesh *meshes[SHAPES];
    uint64_t hits = 0;
    for (int i = 0; i < SHAPES; i++) {
        test_mesh_move(&shapes[i], 0.1 * i, -0.07 * i, 0.03 * i);
        meshes[i] = test_mesh_upload(device, &shapes[i]);
    }
    for (int i = 0; i < SHAPES; i++)
        for (int j = 0; j < SHAPES; j++)
            if (i != j)
                hits += expect_same(device, meshes[i], meshes[j], (i + j) % 2 == 0 ? 0.001 : 0.06);
    print_message("  %llu hits\n", (unsigned long long)hits);
    assert_true(hits > 1000);
    for (int i = 0; i < SHAPES; i++) {
        grz_mesh_destroy(meshes[i]);
        test_mesh_finish(&shapes[i]);
    }
    test_gl_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_method_lists_what_selection_mode_hits)};
    if (!test_gl_is_here())
        return TEST_SKIPPED;
    if (!open_compatible()) {
        printf("SKIPPED: this driver has no compatibility context\n");
        return TEST_SKIPPED;
    }
    make_framebuffer();
    eglMakeCurrent(home.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    eglDestroyContext(home.display, compatible);
    grz_context_close(&home);
    return failed;
}
#else
int main(void)
{
    printf("SKIPPED: this build has no OpenGL\n");
    return TEST_SKIPPED;
}
#endif
