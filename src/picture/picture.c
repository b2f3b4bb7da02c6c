// SPDX-License-Identifier: MIT
// The public call: check what was asked, collect what is to be drawn, draw it.
#include "picture/picture.h"

#include <math.h>
#include <string.h>

#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "mesh/mesh.h"
#include "mesh/object_check.h"
#include "picture/framing.h"
#include "picture/picture_options.h"
#include "query/query.h"

static bool is_direction(const double v[3])
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]) && (v[0] != 0.0 || v[1] != 0.0 || v[2] != 0.0);
}

static grz_status check_region(const grz_picture_options *options, grz_error *error)
{
    bool ordered = true, extended = false;
    for (int j = 0; j < 3; j++) {
        const double low = options->region_min[j], high = options->region_max[j];
        ordered = ordered && isfinite(low) && isfinite(high) && low <= high;
        extended = extended || low < high;
    }
    return ordered && extended ? GRZ_OK
                               : grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                                          "picture: options.region_min and region_max are not the corners of a box");
}

static grz_status check_options(const grz_picture_options *options, grz_error *error)
{
    if (options->width == 0 || options->height == 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "picture: a size of %u x %u pixels, need at least 1 x 1", options->width, options->height);
    if (!is_direction(options->up))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "picture: options.up is zero or not finite");
    if (options->has_direction && !is_direction(options->direction))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "picture: options.direction is zero or not finite");
    return options->has_region ? check_region(options, error) : GRZ_OK;
}

static grz_status check_objects(const grz_device *device, const grz_object *objects, uint32_t count, grz_error *error)
{
    size_t meshes = 0;
    for (size_t i = 0; i < count; i++) {
        if (objects[i].mesh == NULL)
            continue;
        meshes++;
        if (objects[i].mesh->device != device)
            return grz_fail(error, GRZ_ERROR_ARGUMENT, i, "picture: the mesh of object %zu is of another device", i);
        const grz_status status = grz_object_check("picture", &objects[i], "an object", i, error);
        if (status != GRZ_OK)
            return status;
    }
    return meshes > 0 ? GRZ_OK : grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "picture: no object has a mesh");
}

static grz_status check(const grz_device *device, const grz_object *objects, uint32_t count,
                        const grz_picture_options *options, grz_error *error)
{
    if (device == NULL || objects == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "picture: the %s NULL",
                        device == NULL ? "device is" : "objects are");
    if (count == 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "picture: there are no objects");
    const grz_status status = check_options(options, error);
    return status == GRZ_OK ? check_objects(device, objects, count, error) : status;
}

grz_status grz_picture_draw_and_look(grz_device *device, const grz_object *objects, uint32_t count,
                                     const grz_result *result, const grz_picture_options *options, uint8_t *pixels,
                                     grz_picture_view *view, grz_picture_look *look, void *user, grz_error *error)
{
    grz_picture_options wanted;
    grz_picture_contents contents;
    grz_picture_layout layout = {.header = 0};
    grz_picture_view unwanted;
    grz_call call;
    grz_status status = grz_picture_options_read(options, &wanted, error);
    if (status == GRZ_OK)
        status = check(device, objects, count, &wanted, error);
    if (status == GRZ_OK && pixels == NULL)
        status = grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "picture: the pixels are NULL");
    if (status != GRZ_OK)
        return status;
    const grz_allocator *allocator = grz_device_allocator(device);
    status = grz_call_begin(&call, "picture", device, NULL, NULL, NULL, error);
    if (status != GRZ_OK)
        return grz_call_end(&call, status);
    status = grz_picture_contents_init(&contents, allocator, objects, count, result, &wanted, &call.control, error);
    if (status == GRZ_OK)
        status = grz_picture_compose(device, &contents, &wanted, &call.control, pixels, view != NULL ? view : &unwanted,
                                     &layout, error);
    if (status == GRZ_OK && look != NULL)
        look(&contents, &layout, user);
    grz_picture_layout_finish(&contents, &layout);
    grz_picture_contents_finish(&contents);
    return grz_call_end(&call, status);
}

grz_status grz_picture_draw(grz_device *device, const grz_object *objects, uint32_t count, const grz_result *result,
                            const grz_picture_options *options, uint8_t *pixels, grz_picture_view *view,
                            grz_error *error)
{
    return grz_picture_draw_and_look(device, objects, count, result, options, pixels, view, NULL, NULL, error);
}

static void aim(const grz_picture_contents *contents, const grz_picture_options *wanted, grz_picture_view *view)
{
    const grz_contact_shape nothing = {.any = false};
    const grz_rect all = {0, 0, (int)wanted->width, (int)wanted->height};
    grz_camera camera = {.unit = 1.0};
    if (wanted->has_direction)
        grz_camera_turn(&camera, wanted->direction, wanted->up);
    else
        grz_framing_turn_to_side(&camera, wanted->up, 0);
    grz_framing_fit(contents, &nothing, true, (double)wanted->width / (double)wanted->height, &camera);
    grz_framing_to_pixels(&camera, &all, view->to_pixels);
    memcpy(view->direction, camera.direction, sizeof view->direction);
    view->visible = 0.0;
}

grz_status grz_picture_aim(grz_device *device, const grz_object *objects, uint32_t count,
                           const grz_picture_options *options, grz_picture_view *view, grz_error *error)
{
    grz_picture_options wanted;
    grz_picture_contents contents;
    grz_call call;
    if (view == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "picture: the view is NULL");
    grz_status status = grz_picture_options_read(options, &wanted, error);
    if (status == GRZ_OK)
        status = check(device, objects, count, &wanted, error);
    if (status == GRZ_OK && (wanted.width > INT32_MAX || wanted.height > INT32_MAX))
        status = grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "picture: a size of %u x %u pixels is too large",
                          wanted.width, wanted.height);
    if (status != GRZ_OK)
        return status;
    const grz_allocator *allocator = grz_device_allocator(device);
    status = grz_call_begin(&call, "picture", device, NULL, NULL, NULL, error);
    if (status != GRZ_OK)
        return grz_call_end(&call, status);
    status = grz_picture_contents_init(&contents, allocator, objects, count, NULL, &wanted, &call.control, error);
    if (status == GRZ_OK)
        aim(&contents, &wanted, view);
    for (int i = 0; status == GRZ_OK && i < 16; i++)
        if (!isfinite(view->to_pixels[i / 4][i % 4]))
            status =
                grz_fail(error, GRZ_ERROR_ARGUMENT, 0,
                         "picture: the objects are so small that the matrix to the picture's pixels is not finite");
    grz_picture_contents_finish(&contents);
    return grz_call_end(&call, status);
}
