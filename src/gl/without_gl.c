// SPDX-License-Identifier: MIT
// Builds without OpenGL: stands for the public functions that need it, whatever folder they are in. They say so and
// fail.
#include <graze/capture.h>
#include <graze/environment.h>
#include <graze/gl_mesh.h>
#include <graze/picture.h>
#include <graze/slices.h>

#include "base/fail.h"
#include "gl/device_open.h"

grz_status grz_gl_attach(grz_device *device, const grz_device_options *options, grz_error *error)
{
    (void)device;
    if (options->kind == GRZ_DEVICE_AUTO)
        return GRZ_OK;
    return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "device: OpenGL is not in this build");
}

uint32_t grz_renderer_count(void)
{
    return 0;
}

grz_status grz_renderer_info(uint32_t index, grz_renderer *renderer, grz_error *error)
{
    if (renderer == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "renderer: the place for the answer is NULL");
    *renderer = (grz_renderer){.software = false};
    return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "renderer: no number %u, OpenGL is not in this build",
                    index);
}

grz_status grz_device_renderer(grz_device *device, grz_renderer *renderer, grz_error *error)
{
    if (device == NULL || renderer == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "renderer: the device or the place for the answer is NULL");
    *renderer = (grz_renderer){.software = false};
    return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "renderer: OpenGL is not in this build");
}

// NOLINTBEGIN(readability-non-const-parameter): the parameters are those of the public function
grz_status grz_slices_path(grz_device *device, const grz_mesh *a, const grz_pose *poses_a, const grz_mesh *b,
                           const grz_pose *poses_b, uint64_t count, const grz_slices_options *options,
                           grz_slices_path_answer *answer, grz_error *error)
{
    (void)device;
    (void)a;
    (void)poses_a;
    (void)b;
    (void)poses_b;
    (void)count;
    (void)options;
    (void)answer;
    return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "slices path: OpenGL is not in this build");
}

grz_status grz_mesh_create_gl(grz_device *device, const grz_gl_mesh_description *description, grz_mesh **mesh,
                              grz_error *error)
{
    (void)device;
    (void)description;
    if (mesh != NULL)
        *mesh = NULL;
    return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "gl mesh: OpenGL is not in this build");
}

grz_status grz_mesh_gl_changed(grz_mesh *mesh, grz_error *error)
{
    (void)mesh;
    return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "gl mesh changed: OpenGL is not in this build");
}

grz_status grz_picture_draw(grz_device *device, const grz_object *objects, uint32_t count, const grz_result *result,
                            const grz_picture_options *options, uint8_t *pixels, grz_picture_view *view,
                            grz_error *error)
{
    (void)device;
    (void)objects;
    (void)count;
    (void)result;
    (void)options;
    (void)pixels;
    (void)view;
    return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "picture: OpenGL is not in this build");
}

grz_status grz_picture_aim(grz_device *device, const grz_object *objects, uint32_t count,
                           const grz_picture_options *options, grz_picture_view *view, grz_error *error)
{
    (void)device;
    (void)objects;
    (void)count;
    (void)options;
    (void)view;
    return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "picture: OpenGL is not in this build");
}

grz_status grz_heightmap_create(grz_device *device, const grz_mesh *mesh, const grz_heightmap_options *options,
                                grz_heightmap **heightmap, grz_error *error)
{
    (void)device;
    (void)mesh;
    (void)options;
    if (heightmap != NULL)
        *heightmap = NULL;
    return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "heightmap: OpenGL is not in this build");
}

void grz_heightmap_destroy(grz_heightmap *heightmap)
{
    (void)heightmap;
}

grz_status grz_heightmap_collide(grz_heightmap *heightmap, const grz_object *object, const grz_environment *environment,
                                 grz_heightmap_answer *answer, grz_error *error)
{
    (void)heightmap;
    (void)object;
    (void)environment;
    if (answer != NULL)
        *answer = (grz_heightmap_answer){.colliding = false};
    return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "heightmap: OpenGL is not in this build");
}

const grz_height_contact *grz_heightmap_contacts(const grz_heightmap *heightmap, uint64_t *count)
{
    (void)heightmap;
    if (count != NULL)
        *count = 0;
    return NULL;
}

bool grz_heightmap_images_of(const grz_heightmap *heightmap, grz_heightmap_images *images)
{
    (void)heightmap;
    if (images != NULL)
        *images = (grz_heightmap_images){.width = 0};
    return false;
}

grz_status grz_capture_create(grz_device *device, const grz_capture_options *options, grz_capture **capture,
                              grz_error *error)
{
    (void)device;
    (void)options;
    if (capture != NULL)
        *capture = NULL;
    return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "capture: OpenGL is not in this build");
}

void grz_capture_destroy(grz_capture *capture)
{
    (void)capture;
}

grz_status grz_capture_draw(grz_capture *capture, grz_capture_callback draw, void *user, grz_error *error)
{
    (void)capture;
    (void)draw;
    (void)user;
    return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "capture: OpenGL is not in this build");
}

grz_status grz_capture_begin(grz_capture *capture, grz_error *error)
{
    (void)capture;
    return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "capture: OpenGL is not in this build");
}

grz_status grz_capture_end(grz_capture *capture, grz_error *error)
{
    (void)capture;
    return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "capture: OpenGL is not in this build");
}

uint64_t grz_capture_triangle_count(const grz_capture *capture)
{
    (void)capture;
    return 0;
}

const grz_mesh *grz_capture_mesh(const grz_capture *capture)
{
    (void)capture;
    return NULL;
}
// NOLINTEND(readability-non-const-parameter)
