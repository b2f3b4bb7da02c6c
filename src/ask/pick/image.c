// SPDX-License-Identifier: MIT
// The public call of the colour-coded picture: checks what was asked, has it drawn, and puts faces in place of
// triangles.
#include <graze/pick_image.h>

#include <math.h>

#include "ask/pick/pick_request.h"
#include "ask/pick/targets.h"
#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "gpu/picking/picking.h"
#include "mesh/mesh.h"
#include "mesh/object_check.h"

enum {
    CHECK_BITS = 14 // pixels between two looks at the control, as a power of two
};

static grz_status check_objects(const grz_device *device, const grz_target_list *list, grz_error *error)
{
    grz_status status = GRZ_OK;
    for (uint32_t i = 0; i < list->count && status == GRZ_OK; i++) {
        if (list->objects[i].mesh == NULL)
            continue;
        if (list->objects[i].mesh->device != device)
            return grz_fail(error, GRZ_ERROR_ARGUMENT, i, "pick image: the mesh of object %u is of another device", i);
        status = grz_object_check("pick image", &list->objects[i], "an object", i, error);
    }
    return status;
}

static grz_status check(const double to_pixels[4][4], uint32_t width, uint32_t height, grz_error *error)
{
    if (to_pixels == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "pick image: the matrix is NULL");
    if (width == 0 || height == 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "pick image: a size of %u x %u pixels, need at least 1 x 1", width, height);
    for (int i = 0; i < 16; i++)
        if (!isfinite(to_pixels[i / 4][i % 4]))
            return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                            "pick image: the matrix has numbers that are not finite");
    return GRZ_OK;
}

static grz_status check_options(const grz_pick_options *options, grz_error *error)
{
    if (grz_pick_names_a_method(options) || options->skip_front || options->skip_back)
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                        "pick image: options.%s cannot be chosen: OpenGL draws both sides of all faces",
                        grz_pick_names_a_method(options) ? "method"
                        : options->skip_front            ? "skip_front"
                                                         : "skip_back");
    return GRZ_OK;
}

// Write the answers from the numbers of triangles. False: the control says to end.
static bool name_faces(const grz_number_picture *p, grz_control *control, grz_pick_pixel *pixels)
{
    const size_t count = (size_t)p->width * p->height;
    for (size_t i = 0; i < count; i++) {
        const grz_number_pixel *n = &p->pixels[i];
        if (grz_control_expired_at(control, i, CHECK_BITS))
            return false;
        pixels[i] = (grz_pick_pixel){GRZ_NO_OBJECT, GRZ_NO_FACE};
        if (n->object == 0)
            continue;
        pixels[i].object = n->object - 1;
        pixels[i].face = grz_mesh_triangle_face(p->objects[n->object - 1].mesh, n->triangle);
    }
    return true;
}

static grz_status answer(grz_call *call, grz_number_picture *picture, grz_pick_pixel *pixels)
{
    grz_control *control = &call->control;
    const grz_allocator *allocator = grz_control_allocator(control);
    const size_t count = (size_t)picture->width * picture->height;
    picture->pixels = grz_allocate(allocator, count, sizeof *picture->pixels);
    if (picture->pixels == NULL)
        return grz_control_explain(control, GRZ_ERROR_MEMORY, "pick image", call->error);
    grz_status status = grz_number_picture_draw(call->device, picture, control, call->error);
    if (status == GRZ_OK && !name_faces(picture, control, pixels))
        status = grz_control_status(control);
    if (status != GRZ_OK && status == grz_control_status(control))
        status = grz_control_explain(control, status, "pick image", call->error);
    grz_release(allocator, picture->pixels, count, sizeof *picture->pixels);
    return status;
}

static void clear(grz_pick_pixel *pixels, uint32_t width, uint32_t height)
{
    for (size_t i = 0; i < (size_t)width * height; i++)
        pixels[i] = (grz_pick_pixel){GRZ_NO_OBJECT, GRZ_NO_FACE};
}

grz_status grz_pick_image_discrete(grz_device *device, grz_targets targets, const double to_pixels[4][4],
                                   uint32_t width, uint32_t height, const grz_pick_options *options,
                                   grz_pick_pixel *pixels, grz_error *error)
{
    grz_pick_options wanted;
    grz_call call;
    grz_target_list list;
    if (pixels == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "pick image: the pixels are NULL");
    grz_status status = grz_pick_begin(&call, "pick image", device, options, &wanted, error);
    if (status == GRZ_OK)
        status = grz_targets_read("pick image", device, targets, &list, error);
    if (status == GRZ_OK)
        status = check(to_pixels, width, height, error);
    if (status == GRZ_OK)
        status = check_objects(device, &list, error);
    if (status == GRZ_OK)
        status = check_options(&wanted, error);
    if (status == GRZ_OK) {
        grz_number_picture picture = {
            .objects = list.objects, .object_count = list.count, .width = width, .height = height, .mask = wanted.mask};
        for (int i = 0; i < 16; i++)
            picture.to_pixels[i / 4][i % 4] = to_pixels[i / 4][i % 4];
        status = answer(&call, &picture, pixels);
    }
    if (status != GRZ_OK)
        clear(pixels, width, height);
    return grz_call_end(&call, status);
}
