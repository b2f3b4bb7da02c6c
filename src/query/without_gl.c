// SPDX-License-Identifier: MIT
// In place of what this folder does with OpenGL, in builds without it.
#include <graze/gl_mesh.h>
#include <graze/picture.h>
#include <graze/slices.h>

#include "base/fail.h"

// NOLINTBEGIN(readability-non-const-parameter): the parameters are those of the public function
grz_status grz_picture_draw(grz_device *device, const grz_object *objects, size_t count, const grz_result *result,
                            const grz_picture_options *options, uint8_t *pixels, grz_picture_view *view, grz_error *error)
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
grz_gl_mesh_description grz_default_gl_mesh_description(void)
{
    return (grz_gl_mesh_description){.size = sizeof(grz_gl_mesh_description), .index_size = 4, .flags = GRZ_MESH_INDEX_ONLY};
}

grz_status grz_mesh_create_gl(grz_device *device, const grz_gl_mesh_description *description, grz_mesh **mesh, grz_error *error)
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
// NOLINTEND(readability-non-const-parameter)
