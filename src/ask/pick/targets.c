// SPDX-License-Identifier: MIT
#include "ask/pick/targets.h"

#include "base/fail.h"
#include "query/scene.h"

grz_status grz_targets_read(const char *call, const grz_device *device, grz_targets targets, grz_target_list *list,
                            grz_error *error)
{
    *list = (grz_target_list){.objects = NULL};
    if (!targets.of_scene) {
        if (targets.object_count > 0 && targets.objects == NULL)
            return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "%s: the objects are NULL", call);
        *list = (grz_target_list){.objects = targets.objects, .count = targets.object_count};
        return GRZ_OK;
    }
    if (targets.scene == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "%s: the scene is NULL", call);
    if (targets.scene->device != device)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "%s: the scene was made with another device", call);
    *list = (grz_target_list){
        .objects = targets.scene->objects.items, .count = (uint32_t)targets.scene->objects.count, .of_scene = true};
    return GRZ_OK;
}
