// SPDX-License-Identifier: MIT
/// @file
/// Scenes: many objects, every pair of them that touches.
#ifndef GRAZE_SCENE_H
#define GRAZE_SCENE_H

#include <graze/collide.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Opaque. A scene holds objects. It remembers between queries whose boxes overlap and which pairs were apart or
/// touching, so that a query costs in proportion to what has changed. That takes 13 to 17 bytes for each pair of
/// overlapping boxes, up to 40 while a query finds them anew, and a result takes 104 more for each pair that it lists:
/// of 10,000 boxes that all overlap each other the scene takes up to 0.9 GB, and the answer 5 GB. A scene keeps its
/// device alive: it may be destroyed after grz_device_close().
///
/// Thread-safety: one thread at a time, queries included.
typedef struct grz_scene grz_scene;

/// Make an empty scene. Destroy it with grz_scene_destroy().
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_MEMORY
GRZ_API grz_status grz_scene_create(grz_device *device, grz_scene **scene, grz_error *error);

/// Destroy a scene and release its meshes. NULL is accepted.
GRZ_API void grz_scene_destroy(grz_scene *scene);

/// Add a copy of an object.
///
/// The mesh is shared, not copied, and kept alive: after grz_mesh_destroy() it lives until the last object that uses it
/// is gone. Any number of objects may share a mesh. An object that is added twice is two objects, which touch each
/// other.
///
/// @param scene   the scene to add to
/// @param object  is copied; its mesh is not
/// @param id      receives the object's number: the lowest that is free, so 0, 1, 2, … while none is removed
/// @param error   may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT, also if group and mask are both 0, as in a structure that was only zeroed (to
///         exclude an object from everything, set its mask with grz_scene_set_groups()); GRZ_ERROR_POSE;
///         GRZ_ERROR_MEMORY. On failure the scene is unchanged
/// @code
/// grz_object object = grz_object_at(mesh, grz_pose_from_translation(2.0, 0.0, 0.0));
/// status = grz_scene_add(scene, &object, &id, &error);
/// @endcode
GRZ_API grz_status grz_scene_add(grz_scene *scene, const grz_object *object, uint32_t *id, grz_error *error);

/// Take an object out. Its number may be given to a later object.
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT if there is no such object
GRZ_API grz_status grz_scene_remove(grz_scene *scene, uint32_t id, grz_error *error);

/// Move an object.
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE. On failure the object stays where it is
GRZ_API grz_status grz_scene_set_pose(grz_scene *scene, uint32_t id, const grz_pose *pose, grz_error *error);

/// Change which objects an object is tested with. Objects a and b are tested if (a.group & b.mask) and
/// (b.group & a.mask) are both non-zero. A mask of 0 excludes the object from everything.
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT
GRZ_API grz_status grz_scene_set_groups(grz_scene *scene, uint32_t id, uint32_t group, uint32_t mask, grz_error *error);

/// Decides whether two objects are tested. Called by the thread that runs the query, for pairs whose boxes overlap and
/// whose groups and masks allow it, in order of (a, b), a < b. It must not call Graze with this scene.
typedef bool grz_scene_filter(uint32_t a, const grz_object *object_a, uint32_t b, const grz_object *object_b,
                              void *user);

/// Set the scene's filter. NULL, the default, lets all pairs through.
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT
GRZ_API grz_status grz_scene_set_filter(grz_scene *scene, grz_scene_filter *filter, void *user, grz_error *error);

/// How a scene finds the objects whose boxes overlap. The answer does not depend on it, only time and memory do:
/// docs/reference/methods.md, "Scenes: which objects first".
typedef enum grz_broad_phase {
    GRZ_BROAD_PHASE_AUTO,  ///< sweep and prune or the grid, by how many objects moved, and how, in the last queries
    GRZ_BROAD_PHASE_SWEEP, ///< sweep and prune: where few objects move, or all go on as they went
    GRZ_BROAD_PHASE_TREE,  ///< a dynamic AABB tree: sizes and places of any kind
    GRZ_BROAD_PHASE_GRID   ///< a uniform grid for each size: where most objects move, and move at random or jump
} grz_broad_phase;

/// Choose the broad phase. The next query then gives it all boxes anew; what the scene remembers of pairs is kept.
/// @param scene        the scene
/// @param broad_phase  GRZ_BROAD_PHASE_AUTO, the default, or another
/// @param error        may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_MEMORY. On failure the scene is unchanged
/// Thread-safety: needs the scene alone.
GRZ_API grz_status grz_scene_set_broad_phase(grz_scene *scene, grz_broad_phase broad_phase, grz_error *error);

/// @return the object, borrowed until the scene changes; NULL if the scene has no object of this number, or is NULL.
GRZ_API const grz_object *grz_scene_object(const grz_scene *scene, uint32_t id);

/// An object's number may be given to a later one (grz_scene_remove()); its serial number is given once in a scene.
/// @return the serial number, 1 or above; 0 if the scene has no object of this number, or is NULL.
GRZ_API uint64_t grz_scene_object_serial(const grz_scene *scene, uint32_t id);

/// @return how many objects the scene holds; 0 for NULL.
GRZ_API uint32_t grz_scene_object_count(const grz_scene *scene);

/// Two objects of a scene that are not simply apart, or nearer than a clearance asked for.
typedef struct grz_scene_pair {
    uint32_t a;                     ///< the number of one object
    uint32_t b;                     ///< the number of the other, a < b
    grz_relation relation;          ///< GRZ_APART only if containment is undecidable, or the two are near
    grz_containment containment;    ///< as in grz_summary, for this pair
    const char *reason;             ///< why containment is undecidable, else NULL. Static text
    uint64_t pair_count;            ///< touching pairs of faces; 0 if GRZ_FIND_PAIRS was not asked for
    uint64_t kinds[GRZ_KIND_COUNT]; ///< how many pairs of each grz_kind; they add up to `pair_count`
    uint64_t first_pair;            ///< index of its first pair in grz_result_pairs(); 0 if it has none
    uint64_t first_contact;         ///< index of its first contact in grz_result_contacts(); 0 if it has none
    uint64_t contact_count;         ///< how many contacts it has there
    uint64_t first_curve;           ///< index of its first curve in grz_result_curves(); 0 if it has none
    uint64_t curve_count;           ///< how many curves it has there
} grz_scene_pair;

/// The pairs of objects in the answer for a scene, sorted by (a, b). Borrowed, valid until the result's next query.
/// `count` receives their number; 0 after a query of another kind.
GRZ_API const grz_scene_pair *grz_result_scene_pairs(const grz_result *result, uint64_t *count);

/// How two objects of a scene lie relative to each other as solids.
typedef struct grz_pair_solids {
    grz_solids solids;  ///< how they lie
    const char *reason; ///< why that is undecidable, else NULL. Static text
} grz_pair_solids;

/// How the pairs of grz_result_scene_pairs() lie relative to each other as solids, in the same order, if
/// GRZ_FIND_SOLIDS was asked for. Borrowed, valid until the result's next query. `count` receives their number; 0 if it
/// was not asked for.
GRZ_API const grz_pair_solids *grz_result_scene_solids(const grz_result *result, uint64_t *count);

/// Whether two objects of a scene keep the clearance asked for.
typedef struct grz_pair_clearance {
    grz_clearance clearance; ///< as in grz_summary, for this pair
    uint64_t near_count;     ///< as in grz_summary, for this pair
    uint64_t first_near;     ///< index of its first pair in grz_result_near_pairs(); 0 if it has none
} grz_pair_clearance;

/// Whether the pairs of grz_result_scene_pairs() keep the clearance, in the same order, if
/// grz_collide_options::clearance was set. Borrowed, valid until the result's next query. `count` receives their
/// number; 0 if it was not asked for.
GRZ_API const grz_pair_clearance *grz_result_scene_clearances(const grz_result *result, uint64_t *count);

/// Find every pair of objects of a scene that touch, or of which one lies inside the other.
///
/// Each pair has the answer that grz_collide() gives for the two objects, bit for bit, whatever the scene remembers.
/// The broad phase finds the pairs whose boxes overlap, at a cost in proportion to what moved. A pair of which neither
/// object changed is not tested again if its answer is known; it is if lists are asked for (GRZ_FIND_PAIRS or more)
/// and the pair touches, or if solids are asked for and the pair is listed. A mesh with new positions counts as
/// changed.
///
/// With GRZ_FIND_CHANGED only those pairs are listed of which an object was added, moved, deformed or regrouped since
/// the scene's last query that ended with GRZ_OK. Another answer of the scene's filter does not count as a change.
///
/// The summary is that of all pairs together. `relation` is GRZ_COLLIDING if the surfaces of any pair touch, else
/// GRZ_OVERLAPPING if any pair has GRZ_OVERLAPPING, GRZ_A_INSIDE_B or GRZ_B_INSIDE_A, else GRZ_APART; containment is
/// undecidable if that of any pair is, else decided if it was asked for (a pair whose surfaces touch has
/// GRZ_CONTAINMENT_NOT_ASKED of its own).
///
/// @param device   the one that the scene was made with
/// @param scene    keeps what it can for the next query
/// @param options  NULL means the defaults, as for grz_collide()
/// @param result   receives the scene's pairs, and the lists asked for, one pair of objects after the other. On
///                 failure as for grz_collide(); the scene stays good, and its next query tests again what this one
///                 left open
/// @param error    may be NULL
/// @return as grz_collide(); for GRZ_ERROR_POSE `element` is the object
/// Thread-safety: needs the scene and the result alone.
/// @code
/// status = grz_collide_scene(device, scene, NULL, result, &error);
/// const grz_scene_pair *pairs = grz_result_scene_pairs(result, &count);
/// @endcode
GRZ_API grz_status grz_collide_scene(grz_device *device, grz_scene *scene, const grz_collide_options *options,
                                     grz_result *result, grz_error *error);

/// Opaque. It remembers the pairs of a scene's answer, 32 bytes each, and tells what the next answer has changed. A
/// scene may have several, for instance one for each frame and one for each second. It keeps its device alive; it may
/// be destroyed before or after its scene.
///
/// Thread-safety: one thread at a time, and not while another one uses its scene.
typedef struct grz_scene_events grz_scene_events;

/// How two objects of a scene lie to each other, as events tell it. A pair has one state at a time: the greatest that
/// holds.
typedef enum grz_pair_state {
    GRZ_PAIR_APART,     ///< the pair is not listed, or an object of it is not there
    GRZ_PAIR_UNDECIDED, ///< the surfaces are apart; whether one object is inside the other cannot be decided
    GRZ_PAIR_NEAR,      ///< the two are apart, and nearer than the clearance asked for
    GRZ_PAIR_COLLIDING, ///< they have common points: the surfaces touch, or one object is inside the other
    GRZ_PAIR_STATE_COUNT
} grz_pair_state;

/// What has happened to a pair of objects in a state between two answers.
typedef enum grz_pair_event {
    GRZ_PAIR_BEGAN, ///< it has the state now, and had another one before
    GRZ_PAIR_STAYS, ///< it has the state now, and had it before
    GRZ_PAIR_ENDED, ///< it had the state before, and has another one now; also if an object of it was taken out
    GRZ_PAIR_EVENT_COUNT
} grz_pair_event;

/// A pair of objects in two answers.
typedef struct grz_scene_event {
    uint32_t a;            ///< the number of one object, now or when it was there
    uint32_t b;            ///< the number of the other, a < b
    uint64_t serial_a;     ///< serial number of a: of an object that was taken out, and has another one in its place
    uint64_t serial_b;     ///< of b, likewise
    grz_pair_state before; ///< in the answer before
    grz_pair_state now;    ///< in this one
} grz_scene_event;

/// Make events of a scene. They begin with no pairs: in the first answer all begin.
///
/// @param scene   not changed; may be destroyed before the events, which then take no more updates
/// @param events  receives the events; NULL on failure. Destroy them with grz_scene_events_destroy()
/// @param error   may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_MEMORY
GRZ_API grz_status grz_scene_events_create(const grz_scene *scene, grz_scene_events **events, grz_error *error);

/// Destroy events. NULL is accepted.
GRZ_API void grz_scene_events_destroy(grz_scene_events *events);

/// Compare a scene's answer with that of the last update.
///
/// The events are the difference of the two lists of pairs: what is asked for must be the same in both, or what was not
/// asked for ends. They are as exact as the answers. Of a query with GRZ_FIND_CHANGED or a reference, pairs that were
/// not asked about keep their state, unless an object of them was taken out. An object that was taken out ends its
/// pairs, also if another one has its number now.
///
/// @param events  of the scene. On failure they are unchanged
/// @param result  a finished query of grz_collide_scene(); neither the scene nor the result may have changed since
/// @param error   may be NULL
/// @return GRZ_OK; GRZ_ERROR_MEMORY; GRZ_ERROR_ARGUMENT, also if the result is not of this scene or not its newest, if
///         an answer with GRZ_FIND_CHANGED does not follow on what the events know, or if not all pairs were asked
///         about, and with another clearance, inside rule or method of answer, or containment, than before
/// Thread-safety: needs the events alone; reads the scene and the result.
/// @code
/// status = grz_collide_scene(device, scene, NULL, result, &error);
/// status = grz_scene_events_update(events, result, &error);
/// const grz_scene_event *began = grz_scene_events_pairs(events, GRZ_PAIR_COLLIDING, GRZ_PAIR_BEGAN, &count);
/// for (uint64_t i = 0; i < count; i++) play_sound(began[i].a, began[i].b);
/// @endcode
GRZ_API grz_status grz_scene_events_update(grz_scene_events *events, const grz_result *result, grz_error *error);

/// The pairs that began, stay or ended in a state with the last update, sorted by (a, b). A pair that comes from one
/// state to another one is in two lists: it ended in the one and began in the other.
///
/// @param events  may be NULL
/// @param state   GRZ_PAIR_COLLIDING, GRZ_PAIR_NEAR or GRZ_PAIR_UNDECIDED; of GRZ_PAIR_APART nothing is listed
/// @param event   which list
/// @param count   may be NULL; receives how many pairs there are
/// @return the pairs, NULL if there are none. Borrowed, valid until the next update
GRZ_API const grz_scene_event *grz_scene_events_pairs(const grz_scene_events *events, grz_pair_state state,
                                                      grz_pair_event event, uint64_t *count);

#ifdef __cplusplus
}
#endif

#endif
