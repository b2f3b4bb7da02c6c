// SPDX-License-Identifier: MIT
#include "support_slices.h"

#include "support_gl.h"

test_slices_stage test_slices_open(test_mesh a, test_mesh b)
{
    test_slices_stage s = {.device = test_gl_device_open(), .options = grz_default_slices_options(GRZ_SLICES_BALANCED)};
    s.result = test_result_create(s.device);
    s.meshes[0] = test_mesh_upload(s.device, &a);
    s.meshes[1] = test_mesh_upload(s.device, &b);
    for (int i = 0; i < 2; i++)
        s.objects[i] = grz_object_at_origin(s.meshes[i]);
    test_mesh_finish(&a);
    test_mesh_finish(&b);
    return s;
}

void test_slices_close(test_slices_stage *s)
{
    grz_result_destroy(s->result);
    for (int i = 0; i < 2; i++)
        grz_mesh_destroy(s->meshes[i]);
    test_gl_device_close(s->device);
}

grz_status test_slices_ask(test_slices_stage *s, grz_error *error)
{
    grz_collide_options collide_options = grz_default_collide_options();
    collide_options.answer = GRZ_ANSWER_DISCRETE;
    collide_options.method_options = &(grz_method_options){.method = "slices", .options = &s->options};
    return grz_collide(s->device, &s->objects[0], &s->objects[1], &collide_options, s->result, error);
}
