// SPDX-License-Identifier: MIT
/// @file
/// Scenes: many objects, every pair of them that touches.
#ifndef GRAZE_SCENE_H
#define GRAZE_SCENE_H

#include <graze/collide.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Opaque. Holds objects, and remembers between queries whose boxes overlap and which pairs were found apart or touching, so that a
/// query costs what has changed. Use it, queries included, from one thread at a time.
typedef struct grz_scene grz_scene;

/// Make an empty scene. Destroy it with grz_scene_destroy(), before its device.
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_MEMORY
GRZ_API grz_status grz_scene_create(grz_device *device, grz_scene **scene, grz_error *error);

/// Destroy a scene and let go of its meshes. NULL is accepted.
GRZ_API void grz_scene_destroy(grz_scene *scene);

/// Add an object: a copy of *object. The mesh is shared, not copied, and kept alive: grz_mesh_destroy() on a mesh that is in a
/// scene gives up the caller's part only, and it is freed with the last object that uses it. Any number of objects may share a
/// mesh. The same object added twice is two objects (which touch each other).
///
/// @param scene   the scene to add to
/// @param object  is copied; its mesh is not
/// @param id      receives the object's number: the lowest that is free, so 0, 1, 2, … while none is removed
/// @param error   may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE; GRZ_ERROR_MEMORY. On failure the scene is unchanged
GRZ_API grz_status grz_scene_add(grz_scene *scene, const grz_object *object, uint32_t *id, grz_error *error);

/// Take an object out. Its number may be given to a later one.
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT where there is no such object
GRZ_API grz_status grz_scene_remove(grz_scene *scene, uint32_t id, grz_error *error);

/// Move an object.
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE. On failure the object stays where it is
GRZ_API grz_status grz_scene_set_pose(grz_scene *scene, uint32_t id, const grz_pose *pose, grz_error *error);

/// Change which objects an object can touch: a and b are tested where (a.group & b.mask) and (b.group & a.mask) are both non-zero.
/// A mask of zero excludes the object from everything.
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT
GRZ_API grz_status grz_scene_set_groups(grz_scene *scene, uint32_t id, uint32_t group, uint32_t mask, grz_error *error);

/// Decides whether two objects are to be tested at all. Called by the thread that asks the query, for pairs whose boxes overlap and
/// whose groups and masks allow it, in order of (a, b), a < b. It must not call into Graze with this scene.
typedef bool grz_scene_filter(uint32_t a, const grz_object *object_a, uint32_t b, const grz_object *object_b, void *user);

/// Set the scene's filter; NULL, the default, lets all pairs through.
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT
GRZ_API grz_status grz_scene_set_filter(grz_scene *scene, grz_scene_filter *filter, void *user, grz_error *error);

/// @return the object, borrowed until the scene changes; NULL where there is none of this number.
GRZ_API const grz_object *grz_scene_object(const grz_scene *scene, uint32_t id);

/// @return how many objects the scene holds.
GRZ_API uint64_t grz_scene_object_count(const grz_scene *scene);

/// Two objects of a scene that are not simply apart.
typedef struct grz_scene_pair {
    uint32_t a;                     ///< the number of one object
    uint32_t b;                     ///< and of the other, a < b
    grz_relation relation;          ///< GRZ_APART only where containment is undecidable
    grz_containment containment;    ///< as in grz_summary, of this pair
    const char *reason;             ///< why containment is undecidable, else NULL. Static text
    uint64_t pair_count;            ///< touching pairs of faces; 0 where GRZ_FIND_PAIRS was not asked
    uint64_t kinds[GRZ_KIND_COUNT]; ///< indexed by grz_kind; they add up to pair_count
    uint64_t first_pair;            ///< index of its first pair in grz_result_pairs(); 0 where it has none
    uint64_t first_contact;         ///< index of its first contact in grz_result_contacts(); 0 where it has none
    uint64_t contact_count;         ///< how many contacts it has there
    uint64_t first_curve;           ///< index of its first curve in grz_result_curves(); 0 where it has none
    uint64_t curve_count;           ///< how many curves it has there
} grz_scene_pair;

/// The pairs of objects of a scene's answer, sorted by (a, b). Borrowed, valid until the result's next query. `count` receives
/// their number; 0 after a query of another kind.
GRZ_API const grz_scene_pair *grz_result_scene_pairs(const grz_result *result, uint64_t *count);

/// Find every pair of objects of a scene that touch, or of which one holds the other.
///
/// Each pair's answer is the one that grz_collide() gives for the two objects, bit for bit, whatever the scene remembers. Sweep and
/// prune finds the pairs whose boxes overlap, at a cost in proportion to what moved; pairs of which neither object changed are not
/// tested again where their answer is known (they are where GRZ_FIND_PAIRS or more asks for lists of a pair that touches). Meshes
/// given new positions by grz_mesh_set_positions() count as changed.
///
/// With GRZ_FIND_CHANGED only pairs are listed of which at least one object was added, moved, deformed or regrouped since the last
/// query of this scene that ended with GRZ_OK. A filter's change of mind is no change.
///
/// The summary: relation is GRZ_COLLIDING where any pair's surfaces touch, else GRZ_OVERLAPPING where any pair is listed as inside
/// or overlapping, else GRZ_APART; pair_count, kinds and region are those of all pairs together; containment is undecidable where
/// any pair's is.
///
/// @param device   the one that the scene was made with
/// @param scene    gains what is remembered
/// @param options  NULL means the defaults, as for grz_collide()
/// @param result   receives the scene's pairs, and the lists asked for, one object pair after the other. On failure as for grz_collide();
///                 the scene stays good, and its next query tests everything anew that this one left open
/// @param error    may be NULL
/// @return as grz_collide(); GRZ_ERROR_POSE names the object as `element`
/// Thread-safety: needs the scene and the result alone.
GRZ_API grz_status grz_collide_scene(grz_device *device, grz_scene *scene, const grz_collide_options *options, grz_result *result,
                                     grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
