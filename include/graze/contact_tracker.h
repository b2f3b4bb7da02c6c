// SPDX-License-Identifier: MIT
/// @file
/// Contacts that persist: which point of this frame's manifolds is which of the last frame's.
#ifndef GRAZE_CONTACT_TRACKER_H
#define GRAZE_CONTACT_TRACKER_H

#include <graze/manifold.h>
#include <graze/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Opaque. A tracker remembers the contact points of the last update, 120 bytes each, and gives each point a number
/// that stays from update to update, so that a physics engine finds the impulses of the frame before. It keeps its
/// device alive.
///
/// Thread-safety: one thread at a time.
typedef struct grz_contact_tracker grz_contact_tracker;

/// A contact point as a tracker compares it. grz_contact_tracker_points() makes them of a manifold.
typedef struct grz_tracked_point {
    uint64_t object_a;     ///< the caller's number of A, for instance grz_scene_object_serial()
    uint64_t object_b;     ///< of B, likewise
    grz_feature feature_a; ///< the vertex, edge or interior of a face of A that has the point
    grz_feature feature_b; ///< of B, likewise
    uint32_t face_a;       ///< of A; it counts if feature_a is the interior of a face. Of shapes: GRZ_NO_VERTEX
    uint32_t face_b;       ///< of B, likewise
    double position[3];    ///< world coordinates, of magnitude at most 2^300
    double normal[3];      ///< from B to A, of any finite length; zeros: the point is not compared by distance
} grz_tracked_point;

/// How a contact point got its number.
typedef enum grz_contact_match {
    GRZ_CONTACT_NEW,      ///< no point of the last update was it
    GRZ_CONTACT_FEATURES, ///< a point of the same objects and features had the number
    GRZ_CONTACT_NEAREST   ///< its features are new; the nearest point that was left had the number
} grz_contact_match;

/// What a tracker says of a point.
typedef struct grz_contact_id {
    uint64_t id;             ///< 1 or above; this tracker never gives one number to two contacts
    uint64_t before;         ///< index of the contact among the points of the last update; GRZ_NO_ELEMENT if it is new
    uint32_t age;            ///< in how many updates before it was there, one after the other; 0 if it is new
    grz_contact_match match; ///< how it was found
} grz_contact_id;

/// Options of grz_contact_tracker_update(). Start from grz_default_contact_tracker_options().
typedef struct grz_contact_tracker_options {
    size_t size;       ///< sizeof this structure, as the caller knows it
    grz_limits limits; ///< cancelling, deadline, memory, progress
    /// World units, 0 or above: a point whose features are new takes the number of one that was at most so far away.
    /// It must be longer than contacts move between two updates. 0 unless set: then only where nothing moved.
    double match_distance;
    /// Radians, 0 to pi: such a point must also have a normal that differs by at most this. pi/6 (30 degrees) unless
    /// set.
    double match_angle;
} grz_contact_tracker_options;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_contact_tracker_options();
/// this function is for bindings to other languages, which cannot call inline functions. Bytes that this version does
/// not know become 0.
GRZ_API void grz_contact_tracker_options_init(grz_contact_tracker_options *options, size_t size);

/// @return options that compare features, and no distances.
GRZ_INLINE grz_contact_tracker_options grz_default_contact_tracker_options(void)
{
    grz_contact_tracker_options options;
    grz_contact_tracker_options_init(&options, sizeof options);
    return options;
}

/// Make a tracker without points.
///
/// @param device   whose allocator gives the memory
/// @param tracker  receives the tracker; NULL on failure. Destroy it with grz_contact_tracker_destroy()
/// @param error    may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_MEMORY
GRZ_API grz_status grz_contact_tracker_create(grz_device *device, grz_contact_tracker **tracker, grz_error *error);

/// Destroy a tracker. NULL is accepted.
GRZ_API void grz_contact_tracker_destroy(grz_contact_tracker *tracker);

/// Copy the points of a manifold for a tracker.
///
/// @param object_a,object_b  the caller's numbers of the two bodies
/// @param manifold           the answer of grz_manifold_find() for them; NULL has no points
/// @param points             receives the points; room for `manifold->count`
/// @return how many points there are
/// Thread-safety: safe.
GRZ_API uint32_t grz_contact_tracker_points(uint64_t object_a, uint64_t object_b, const grz_manifold_answer *manifold,
                                            grz_tracked_point *points);

/// Copy the points of a manifold of two shapes for a tracker. The positions are half-way between the two surfaces.
///
/// @param object_a,object_b  the caller's numbers of the two shapes
/// @param manifold           the answer of grz_shapes_manifold() for them; NULL has no points
/// @param points             receives the points; room for `manifold->count`
/// @return how many points there are
/// Thread-safety: safe.
GRZ_API uint32_t grz_contact_tracker_shape_points(uint64_t object_a, uint64_t object_b,
                                                  const grz_shape_manifold *manifold, grz_tracked_point *points);

/// Give each contact point of a frame its number.
///
/// A point has the number of that point of the last update which has the same two objects and the same features: vertex
/// or edge by its vertices, interior by its face. If several have them, the nearest are paired first. Of the points
/// that are left, the nearest two of the same objects are paired first, while they are at most `match_distance` apart
/// and their normals differ by at most `match_angle`: one to one, the lower number first where distances are equal.
/// What is left of the new points gets new numbers, in ascending order of their objects, features and positions; what
/// is left of the old ones has ended.
///
/// The order of the points does not matter, nor which body is A: points may come from any number of threads. Only
/// points that are alike in everything are told apart by their order.
///
/// @param tracker      compares with its last update, and remembers this one. On failure it is unchanged
/// @param points       point_count points: of all manifolds of the frame, in any order
/// @param point_count  how many; 0 is allowed
/// @param options      NULL means the defaults
/// @param ids          receives point_count answers, in the order of `points`. On failure it is unchanged
/// @param error        may be NULL; `element` is the index of a bad point
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE
/// Thread-safety: needs the tracker alone. Cost: n log n, and for two objects with many points whose features changed
/// the product of their numbers of points.
/// @code
/// uint32_t n = grz_contact_tracker_points(a, b, &manifold, points); // of each pair that touches
/// grz_contact_tracker_options options = grz_default_contact_tracker_options();
/// options.match_distance = 0.02;
/// if (grz_contact_tracker_update(tracker, points, n, &options, ids, &error) == GRZ_OK)
///     for (uint32_t i = 0; i < n; i++) impulse[i] = ids[i].match != GRZ_CONTACT_NEW ? last_impulse[ids[i].before] : 0;
/// @endcode
GRZ_API grz_status grz_contact_tracker_update(grz_contact_tracker *tracker, const grz_tracked_point *points,
                                              uint64_t point_count, const grz_contact_tracker_options *options,
                                              grz_contact_id *ids, grz_error *error);

/// The numbers of the contacts that the last update ended, ascending. Borrowed, valid until the next update. `count`
/// receives how many there are.
GRZ_API const uint64_t *grz_contact_tracker_ended(const grz_contact_tracker *tracker, uint64_t *count);

#ifdef __cplusplus
}
#endif

#endif
