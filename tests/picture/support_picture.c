// SPDX-License-Identifier: MIT
// Devices, objects and drawing for the tests of pictures.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifdef GRZ_HAVE_GL
#include "support_gl.h"
#include "support_picture.h"

shot *shot_open(uint32_t width, uint32_t height)
{
    shot *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->device = test_gl_device_open();
    s->result = test_result_create(s->device);
    s->options = grz_default_picture_options();
    s->options.width = width;
    s->options.height = height;
    s->pixels = malloc((size_t)width * height * 4);
    assert_non_null(s->pixels);
    return s;
}

void shot_close(shot *s)
{
    for (size_t i = 0; i < s->count; i++)
        grz_mesh_destroy(s->meshes[i]);
    grz_result_destroy(s->result);
    test_gl_device_close(s->device);
    free(s->pixels);
    free(s);
}

void shot_add(shot *s, test_mesh mesh, grz_pose pose)
{
    assert_true(s->count < SHOT_MAX_OBJECTS);
    s->meshes[s->count] = test_mesh_upload(s->device, &mesh);
    s->objects[s->count] = grz_object_at_origin(s->meshes[s->count]);
    s->objects[s->count++].pose = pose;
    test_mesh_finish(&mesh);
}

void shot_ask_pair(shot *s)
{
    grz_collide_options options = grz_default_collide_options();
    grz_error error;
    options.find = GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CURVES | GRZ_FIND_CONTAINMENT;
    const grz_status status = s->count == 1
                                  ? grz_collide_self(s->device, &s->objects[0], &options, s->result, &error)
                                  : grz_collide(s->device, &s->objects[0], &s->objects[1], &options, s->result, &error);
    if (status != GRZ_OK)
        fail_msg("%s", error.message);
}

void shot_ask_scene(shot *s)
{
    grz_scene *scene;
    grz_collide_options options = grz_default_collide_options();
    options.find |= GRZ_FIND_CONTACTS | GRZ_FIND_CURVES;
    assert_int_equal(grz_scene_create(s->device, &scene, NULL), GRZ_OK);
    for (size_t i = 0; i < s->count; i++) {
        uint32_t id;
        assert_int_equal(grz_scene_add(scene, &s->objects[i], &id, NULL), GRZ_OK);
    }
    assert_int_equal(grz_collide_scene(s->device, scene, &options, s->result, NULL), GRZ_OK);
    grz_scene_destroy(scene);
}

static void copy_layout(const grz_picture_contents *contents, const grz_picture_layout *layout, void *user)
{
    shot *s = user;
    (void)contents;
    s->layout = *layout;
    assert_true(layout->label_count <= SHOT_MAX_LABELS);
    for (size_t i = 0; i < layout->label_count; i++) {
        s->labels[i] = layout->labels[i];
        memcpy(s->sites[i], layout->labels[i].site->at, sizeof s->sites[i]);
    }
    s->layout.labels = s->labels;
}

void shot_draw(shot *s, const grz_result *result)
{
    grz_error error;
    if (grz_picture_draw_and_look(s->device, s->objects, (uint32_t)s->count, result, &s->options, s->pixels, &s->view,
                                  copy_layout, s, &error) != GRZ_OK)
        fail_msg("%s", error.message);
}
#endif
