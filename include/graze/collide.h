// SPDX-License-Identifier: MIT
/// @file
/// Queries: do two meshes touch, does a mesh touch itself, and where.
#ifndef GRAZE_COLLIDE_H
#define GRAZE_COLLIDE_H

#include <graze/object.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How two objects lie to each other.
typedef enum grz_relation {
    GRZ_APART,       ///< no common point of the surfaces, and neither holds the other
    GRZ_COLLIDING,   ///< the surfaces have a point in common
    GRZ_OVERLAPPING, ///< no common point of the surfaces, but some (not all) components of one lie inside the other
    GRZ_A_INSIDE_B,  ///< no common point of the surfaces, and every component of A lies inside B
    GRZ_B_INSIDE_A
} grz_relation;

/// What an answer is worth.
typedef enum grz_certainty {
    GRZ_EXACT,    ///< proved for the posed positions
    GRZ_DISCRETE, ///< a method's own approximate answer
    GRZ_UNDECIDED ///< not known; grz_summary::reason says why
} grz_certainty;

/// Whether inside and outside could be told.
typedef enum grz_containment {
    GRZ_CONTAINMENT_NOT_ASKED, ///< the options did not ask, or the surfaces touch
    GRZ_CONTAINMENT_DECIDED,
    GRZ_CONTAINMENT_UNDECIDABLE ///< a container is open, or wound inconsistently under GRZ_NONZERO; grz_summary::reason says which
} grz_containment;

/// How a pair of faces touches, the strongest of its triangle pairs'.
typedef enum grz_kind {
    GRZ_TOUCHING, ///< any common point that is none of the others
    GRZ_COPLANAR, ///< the intersection has area
    GRZ_CROSSING, ///< planes differ and the relative interiors of two non-degenerate triangles meet
    GRZ_KIND_COUNT
} grz_kind;

/// Two faces that touch.
typedef struct grz_pair {
    uint32_t face_a; ///< of the first mesh, as the caller numbered it
    uint32_t face_b; ///< of the second one; within one mesh face_a < face_b
    uint32_t kind;   ///< a grz_kind
} grz_pair;

/// The intersection of one triangle of face_a with one of face_b: a point, a segment or a convex polygon.
typedef struct grz_contact {
    uint64_t pair;        ///< index into the result's pairs
    uint64_t first_point; ///< index into the result's points
    uint32_t point_count; ///< 1: a point, 2: a segment, 3 to 6: a convex polygon, corners in order
    uint32_t kind;        ///< a grz_kind, this triangle pair's own
    double normal[3];     ///< unit vector, world coordinates: which way to move A off B here, for faces wound outwards
                          ///< (docs/numbers.md, contact normals); zero where neither triangle has area. Negated where A and B are
                          ///< exchanged, unless both lie in one plane, wound the same way: then it is B's own
} grz_contact;

/// Stands for "no vertex" in grz_feature.
#define GRZ_NO_VERTEX UINT32_MAX

/// A feature of a face: a vertex {v, GRZ_NO_VERTEX}, an edge {v, w} with v < w, or the face's inside {GRZ_NO_VERTEX,
/// GRZ_NO_VERTEX}. Vertices as the caller numbered them. Diagonals of a face's triangulation are no edges but its inside.
typedef struct grz_feature {
    uint32_t vertex[2]; ///< none, one or both of them GRZ_NO_VERTEX
} grz_feature;

/// What meets at a contact's point: of each of the two triangles the smallest feature that holds it, as a feature of the face. In
/// triangles without area several may: then the one with the lowest numbers.
typedef struct grz_features {
    grz_feature a; ///< of grz_pair::face_a
    grz_feature b; ///< of grz_pair::face_b
} grz_features;

/// Contacts' segments joined end to end.
typedef struct grz_curve {
    uint64_t first_point; ///< index into the result's curve points
    uint64_t point_count; ///< 1: an isolated point; a closed curve repeats its first point at the end
    bool closed;          ///< it ends where it begins
} grz_curve;

enum {
    GRZ_FIND_PAIRS = 1u << 0,    ///< list every pair of touching faces
    GRZ_FIND_CONTACTS = 1u << 1, ///< with points, segments and polygons, and their region; implies pairs
    /// Joined to curves; implies contacts. Where many areas of contact lie over each other in one plane this may take far longer than all else:
    /// time grows with how many of their outlines cross.
    GRZ_FIND_CURVES = 1u << 2,
    GRZ_FIND_CONTAINMENT = 1u << 3, ///< where nothing touches, tell apart from inside
    GRZ_FIND_CHANGED = 1u << 4      ///< scenes: only pairs with an object that changed since the last query (<graze/scene.h>)
};

/// When a point counts as inside of a mesh.
typedef enum grz_inside_rule {
    GRZ_EVEN_ODD, ///< a ray from it meets the surface an odd number of times; winding does not matter
    GRZ_NONZERO   ///< the surface winds round it, counted with sign; needs faces wound consistently along every edge
} grz_inside_rule;

/// Which answer is wanted.
typedef enum grz_answer {
    GRZ_ANSWER_EXACT,
    GRZ_ANSWER_DISCRETE
} grz_answer;

struct grz_slices_options; // <graze/slices.h>
struct grz_layers_options; // <graze/layers.h>

/// Options of the queries. Start from grz_default_collide_options().
typedef struct grz_collide_options {
    size_t size;        ///< sizeof this structure, as the caller knows it
    const char *method; ///< "naive", "bvh", …; NULL or "auto": chosen for you. The exact answer is the same with all
    grz_answer answer;  ///< GRZ_ANSWER_EXACT unless set; GRZ_ANSWER_DISCRETE asks for the method's own approximate one
    uint32_t find;      ///< GRZ_FIND_…; none of them: yes or no only, and the query stops at the first contact
    uint64_t max_pairs; ///< more pairs than this, of all objects together, end the list with GRZ_ERROR_LIMIT; 2^28 unless set
    /// Bytes that the call may take on top of what its result and its meshes hold already: trees that it has to build, working
    /// memory, and what the result grows by; 0: no limit. Past it the call ends with GRZ_ERROR_MEMORY.
    uint64_t memory_limit;
    /// May be NULL. Any other thread may set it to non-zero, atomically, to end the query with GRZ_ERROR_CANCELLED. It is read, as
    /// the clock is for `deadline`, all through the call, every few milliseconds at the latest; what OpenGL has begun to draw, some
    /// drivers finish first.
    const volatile int *cancel;
    double deadline;             ///< seconds from the call's start after which it gives up (see cancel); 0: never
    grz_inside_rule inside_rule; ///< for GRZ_FIND_CONTAINMENT; GRZ_EVEN_ODD unless set
    /// May be NULL. Called now and then by the calling thread with the share of the work done, 0 to 1, never falling;
    /// 1 once all is done.
    void (*progress)(double share, void *user);
    void *progress_user; ///< passed to `progress`
    /// For yes or no of two objects, or of one with itself, asked again and again of things that move little: try first the pair of
    /// triangles that answered this result's last such query of the same meshes. The answer is the same, mostly sooner where it is
    /// yes; no tree is brought up to date for it. Without effect on lists, scenes and batches.
    bool warm_start;
    const struct grz_slices_options *slices; ///< settings of method `slices`, discrete; NULL: GRZ_SLICES_BALANCED
    const struct grz_layers_options *layers; ///< settings of method `layers`, discrete; NULL: grz_default_layers_options()
} grz_collide_options;

/// A query's answer in brief.
typedef struct grz_summary {
    grz_relation relation;          ///< how the objects lie to each other
    bool colliding;                 ///< relation is not GRZ_APART
    grz_certainty certainty;        ///< what the answer is worth
    grz_containment containment;    ///< whether inside and outside could be told
    const char *reason;             ///< why not exact or not decidable; NULL where there is nothing to say. Static text
    const char *method;             ///< which method ran; static text
    const char *device;             ///< where: "cpu" or "gl"; static text
    uint64_t pair_count;            ///< pairs of faces; 0 where GRZ_FIND_PAIRS was not asked
    bool pairs_complete;            ///< the list holds every pair there is
    uint64_t kinds[GRZ_KIND_COUNT]; ///< indexed by grz_kind; they add up to pair_count
    bool has_region;                ///< whether contacts were asked and there are any
    double region_min[3];           ///< box of the contacts' points, world coordinates
    double region_max[3];           ///< its other corner
    double prepare_ms;              ///< wall clock, ms: what had to be built first, such as trees
    double filter_ms;               ///< finding candidates; shares the threads' time with decide_ms in proportion
    double decide_ms;               ///< deciding them, and making the lists and containment of them
    double total_ms;                ///< the whole call
    bool may_miss;                  ///< GRZ_DISCRETE: there may be a collision where it says apart
    bool may_invent;                ///< GRZ_DISCRETE: there may be none where it says colliding
    uint32_t resolution;            ///< GRZ_DISCRETE: pixels a side of the picture; 0 where the answer is exact
    uint32_t slices;     ///< GRZ_DISCRETE: slices for each object, in the last drawing; layers, 0 where there is no limit
    uint64_t cells;      ///< GRZ_DISCRETE: how many cells, pixel by slice, held both objects in the last drawing; of layers, sets
    uint64_t candidates; ///< triangle pairs that the filter proposed; a later query about the same may report fewer
} grz_summary;

/// Opaque. Reused between queries without allocating where it is large enough. One thread at a time.
typedef struct grz_result grz_result;

/// @return options for an exact answer with pairs and containment.
GRZ_API grz_collide_options grz_default_collide_options(void);

/// Make an empty result. @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_MEMORY
GRZ_API grz_status grz_result_create(grz_device *device, grz_result **result, grz_error *error);

/// Destroy a result. NULL is accepted.
GRZ_API void grz_result_destroy(grz_result *result);

/// What the last query answered. Borrowed from the result, valid until its next query; never NULL.
GRZ_API const grz_summary *grz_result_summary(const grz_result *result);

/// The pairs, sorted by (face_a, face_b), no pair twice. Borrowed, valid until the next query. `count` receives their number.
GRZ_API const grz_pair *grz_result_pairs(const grz_result *result, uint64_t *count);

/// The contacts, sorted by pair. Borrowed, valid until the next query.
GRZ_API const grz_contact *grz_result_contacts(const grz_result *result, uint64_t *count);

/// The contacts' points: three doubles each, world coordinates. `count` receives the number of points.
GRZ_API const double *grz_result_points(const grz_result *result, uint64_t *count);

/// What meets at each of the contacts' points. `count` receives the number of points. Borrowed, valid until the next query.
GRZ_API const grz_features *grz_result_features(const grz_result *result, uint64_t *count);

/// The curves. Borrowed, valid until the next query.
GRZ_API const grz_curve *grz_result_curves(const grz_result *result, uint64_t *count);

/// The curves' points: three doubles each, world coordinates. `count` receives the number of points.
GRZ_API const double *grz_result_curve_points(const grz_result *result, uint64_t *count);

/// Find every pair of touching faces of two posed meshes.
///
/// The answer is exact for the posed positions rounded to double (see docs/numbers.md): no pair is missed, none is
/// invented, and touching counts. The same bytes come back for every method and any number of threads.
///
/// @param device   whose threads do the work and whose allocator gives the memory
/// @param a,b      objects; the meshes are borrowed for the call and may be shared between threads
/// @param options  NULL means the defaults
/// @param result   reused: keeps its capacity between calls. On failure all lists are empty; the summary says GRZ_COLLIDING and
///                 GRZ_EXACT where a touching pair was found before (always so for GRZ_ERROR_LIMIT), else GRZ_UNDECIDED
/// @param error    may be NULL; on failure holds code, element index and text
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE; GRZ_ERROR_UNSUPPORTED; GRZ_ERROR_MEMORY; GRZ_ERROR_LIMIT;
///         GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE; with methods of OpenGL GRZ_ERROR_DEVICE; GRZ_ERROR_BUSY
///
/// With GRZ_ANSWER_DISCRETE the summary's certainty is GRZ_DISCRETE: what is said holds as far as the method's pixels tell
/// (`may_miss`, `may_invent`), and GRZ_APART tells nothing of inside (GRZ_CONTAINMENT_UNDECIDABLE, where that was asked for). By method
/// `slices` all lists but grz_result_volumes() are empty, unless a collision is confirmed (grz_slices_options::confirm); by method `layers`
/// they have what was found (grz_layers_options::untested). The meshes are the device's own.
/// Thread-safety: safe on different results; methods of OpenGL serve one thread at a time (<graze/device.h>).
GRZ_API grz_status grz_collide(grz_device *device, const grz_object *a, const grz_object *b, const grz_collide_options *options,
                               grz_result *result, grz_error *error);

/// Find every pair of faces of one mesh that collide with each other.
///
/// Two triangles collide if their intersection is not contained in the hull of the corners that they share; triangles of one face
/// are never paired (docs/numbers.md). Decided in mesh coordinates; the pose only moves the reported points.
/// GRZ_FIND_CONTAINMENT is ignored. Parameters, errors and thread-safety as for grz_collide().
GRZ_API grz_status grz_collide_self(grz_device *device, const grz_object *object, const grz_collide_options *options,
                                    grz_result *result, grz_error *error);

/// @return the name of method `index` of this build, NULL past the last. Thread-safe.
GRZ_API const char *grz_method_name(size_t index);

/// What a method can do.
typedef struct grz_method {
    const char *name; ///< as grz_collide_options::method takes it; static text
    bool exact;       ///< it gives the exact answer
    bool discrete;    ///< it has an approximate one of its own
    bool self;        ///< it tests a mesh with itself
    bool gl;          ///< it works through OpenGL
} grz_method;

/// Ask what method `index` of this build can do.
/// @return whether there is such a method; *method is zeroed where not. Thread-safe.
GRZ_API bool grz_method_info(size_t index, grz_method *method);

#ifdef __cplusplus
}
#endif

#endif
