// SPDX-License-Identifier: MIT
/// @file
/// Contact manifolds: where two bodies touch or penetrate, as few points for a physics engine.
#ifndef GRAZE_MANIFOLD_H
#define GRAZE_MANIFOLD_H

#include <graze/collide.h>
#include <graze/limits.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GRZ_MANIFOLD_MAX_POINTS = 16 ///< points that an answer has room for
};

/// One point of a manifold.
typedef struct grz_manifold_point {
    /// World coordinates, rounded. Bodies that only touch: a point of both. Bodies that penetrate: half-way between
    /// A's surface at position - depth/2 · normal and B's surface at position + depth/2 · normal.
    double position[3];
    double normal[3]; ///< of length 1: from B to A, which way to move A
    double depth;     ///< world units, 0 or above: how far A is inside B on the line through the point along the normal
    uint32_t face_a;  ///< of A, as the caller numbered it; one of them if several have the point
    uint32_t face_b;  ///< of B, likewise
    /// The vertex, the edge or the interior of face_a that has the point, or that lies at it, seen along the normal.
    /// With feature_b it tells points apart from step to step (<graze/contact_tracker.h>).
    grz_feature feature_a;
    grz_feature feature_b; ///< of face_b, likewise
} grz_manifold_point;

/// Where two bodies touch or penetrate.
typedef struct grz_manifold_answer {
    /// Whether the solids penetrate is decided, and GRZ_EXACT: `depth` is the nearest double, or 0; GRZ_ENCLOSED: it is
    /// proved to be between `lower` and `upper`. GRZ_UNDECIDED: a mesh is open, so its surfaces were looked at
    /// (`reason`); or the call failed.
    grz_certainty certainty;
    bool penetrating;   ///< the insides overlap (have common points). Of meshes without an inside: faces cross
    const char *reason; ///< why certainty is GRZ_UNDECIDED, or the bounds are apart; else NULL. Static text
    double normal[3];   ///< of length 1, from B to A: that of the first points; zeros if there are no points
    /// World units: how far A must move along `normal` until the solids penetrate no more, as grz_penetration_along()
    /// says it; 0 if they do not. Of meshes without an inside: until the surfaces touch no more.
    double depth;
    double lower;                                       ///< lower <= exact depth <= upper
    double upper;                                       ///< see `lower`
    uint32_t count;                                     ///< how many points there are
    grz_manifold_point points[GRZ_MANIFOLD_MAX_POINTS]; ///< those with one normal stand together, sorted by position
} grz_manifold_answer;

/// Options of grz_manifold_find(). Start from grz_default_manifold_options().
typedef struct grz_manifold_options {
    size_t size;         ///< sizeof this structure, as the caller knows it
    grz_limits limits;   ///< cancelling, deadline, memory, progress
    uint32_t max_points; ///< points for each normal, 1 to GRZ_MANIFOLD_MAX_POINTS; 4 unless set
    double direction[3]; ///< bodies that penetrate: which way to move A, of any length; zeros: one is searched for
    /// Look at the surfaces only, as is done with open meshes: a room is a mesh whose faces look inwards. Bodies then
    /// count as penetrating if faces cross. False unless set.
    bool surfaces;
    const char *method;          ///< "bvh", or "naive"; NULL or "auto": bvh
    grz_inside_rule inside_rule; ///< what is inside; GRZ_EVEN_ODD unless set
} grz_manifold_options;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_manifold_options(); this
/// function is for bindings to other languages, which cannot call inline functions. Bytes that this version does not
/// know become 0.
GRZ_API void grz_manifold_options_init(grz_manifold_options *options, size_t size);

/// @return options for four points, in the direction that is best.
GRZ_INLINE grz_manifold_options grz_default_manifold_options(void)
{
    grz_manifold_options options;
    grz_manifold_options_init(&options, sizeof options);
    return options;
}

/// Find few points that stand for all contacts of two bodies.
///
/// Bodies that only touch: their contacts, grouped by normal; of each group `max_points` points with depth 0 that span
/// the largest area. A box that stands in a corner has four points on the floor and four on each wall, as far as there
/// is room. Bodies that penetrate: one normal, and points where faces of A and B lie opposite to each other in the
/// part that both solids have; the deepest is kept, and the others span the largest area. docs/use/manifold.md has the
/// bounds.
///
/// The answer depends on positions only: not on the order of faces and vertices, nor on threads. Exchanging A and B
/// negates the normals and changes nothing else, unless the boxes of both and their counts of triangles are the same.
///
/// @param device   whose allocator gives the memory
/// @param a,b      the objects; the meshes are borrowed for the call
/// @param options  NULL means the defaults
/// @param answer   receives the answer; after a failure it has no points
/// @param error    may be NULL; `element` is 0 for A, 1 for B
/// @return GRZ_OK, also if nothing touches; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE; GRZ_ERROR_UNSUPPORTED for a method that
///         follows no motions; GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE
/// Thread-safety: safe together with other queries on the same meshes, if the answers are different.
/// @code
/// grz_manifold_answer m;
/// if (grz_manifold_find(device, &cargo, &floor, NULL, &m, &error) == GRZ_OK)
///     for (uint32_t i = 0; i < m.count; i++) add_contact(m.points[i].position, m.points[i].normal, m.points[i].depth);
/// @endcode
GRZ_API grz_status grz_manifold_find(grz_device *device, const grz_object *a, const grz_object *b,
                                     const grz_manifold_options *options, grz_manifold_answer *answer,
                                     grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
