// SPDX-License-Identifier: MIT
/// @file
/// What rays and regions are asked about: a list of objects, or a scene.
#ifndef GRAZE_TARGETS_H
#define GRAZE_TARGETS_H

#include <graze/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Objects, by a list or by a scene: made by grz_targets_of_objects() or grz_targets_of_scene(), and passed by value.
/// All is borrowed for the call that it is given to.
///
/// @code
/// grz_pick(device, grz_targets_of_scene(scene), &ray, 1, NULL, &hit, &error);
/// @endcode
typedef struct grz_targets {
    const grz_object *objects; ///< `object_count` of them; answers name one by its index here
    uint32_t object_count;     ///< 0: there is nothing to hit
    const grz_scene *scene;    ///< if `of_scene`: its objects, which answers name by their numbers
    bool of_scene;             ///< whether it is a scene's objects or those of the list
} grz_targets;

/// @return the objects of a list as targets; NULL is accepted for none. Thread-safe.
GRZ_INLINE grz_targets grz_targets_of_objects(const grz_object *objects, uint32_t object_count)
{
    grz_targets targets;
    targets.objects = objects;
    targets.object_count = object_count;
    targets.scene = NULL;
    targets.of_scene = false;
    return targets;
}

/// @return the objects of a scene as targets; the call that they are given to refuses NULL. Thread-safe.
GRZ_INLINE grz_targets grz_targets_of_scene(const grz_scene *scene)
{
    grz_targets targets;
    targets.objects = NULL;
    targets.object_count = 0;
    targets.scene = scene;
    targets.of_scene = true;
    return targets;
}

#ifdef __cplusplus
}
#endif

#endif
