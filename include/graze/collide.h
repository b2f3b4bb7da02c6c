// SPDX-License-Identifier: MIT
/// @file
/// Queries: do two meshes touch, does a mesh touch itself, and where.
#ifndef GRAZE_COLLIDE_H
#define GRAZE_COLLIDE_H

#include <graze/limits.h>
#include <graze/object.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How two objects lie relative to each other.
typedef enum grz_relation {
    GRZ_APART,       ///< the surfaces have no common point, and neither object lies inside the other
    GRZ_COLLIDING,   ///< the surfaces touch: they have a common point
    GRZ_OVERLAPPING, ///< no common point, but some components (not all) of one object lie inside the other
    GRZ_A_INSIDE_B,  ///< no common point, and every component of A lies inside B
    GRZ_B_INSIDE_A   ///< no common point, and every component of B lies inside A
} grz_relation;

/// Means "no face" where an answer names one.
#define GRZ_NO_FACE UINT32_MAX

/// How far an answer can be trusted. docs/reference/numbers.md has a table of all answers and what they can say.
typedef enum grz_certainty {
    /// Proved for the posed positions. If the answer is a number, it is the double nearest to the exact one; its
    /// `lower` and `upper` are equal, or the two doubles around the exact one.
    GRZ_EXACT,
    GRZ_DISCRETE,  ///< a method's own approximate answer
    GRZ_UNDECIDED, ///< not known, with a reason where there is one; or the call failed
    /// What is said is proved, but the number that goes with it is known no better than `lower` and `upper`, between
    /// which it certainly is. Only answers with such bounds say this; yes or no is never enclosed.
    GRZ_ENCLOSED
} grz_certainty;

/// The certainty of a number that is proved to lie between two bounds. For numbers whose structure has no `certainty`,
/// such as the bounds of grz_convex_part_error().
///
/// @param lower,upper  lower <= the exact number <= upper; they may be infinite
/// @return GRZ_EXACT if they are equal or neighbouring doubles, else GRZ_ENCLOSED; GRZ_UNDECIDED if they are no bounds:
///         one is not a number, or `lower` is above `upper`. Thread-safe.
/// @code
/// if (grz_convex_part_error(parts, i, &lower, &upper) && grz_certainty_of_bounds(lower, upper) == GRZ_ENCLOSED)
///     printf("part %u stands out by %g to %g\n", i, lower, upper);
/// @endcode
GRZ_API grz_certainty grz_certainty_of_bounds(double lower, double upper);

/// Whether it was decided if one object lies inside the other.
typedef enum grz_containment {
    GRZ_CONTAINMENT_NOT_ASKED,  ///< the options did not ask, or the surfaces touch
    GRZ_CONTAINMENT_DECIDED,    ///< `relation` says it
    GRZ_CONTAINMENT_UNDECIDABLE ///< a mesh is open, or wound inconsistently under GRZ_NONZERO; grz_summary::reason
} grz_containment;

/// How two objects lie relative to each other as solids. The solid of a mesh is the closure of its inside, by
/// grz_collide_options::inside_rule; only closed meshes have one. docs/use/solids.md has the definitions.
typedef enum grz_solids {
    GRZ_SOLIDS_NOT_ASKED,   ///< the options did not ask, or the answer is a discrete one
    GRZ_SOLIDS_APART,       ///< no common point
    GRZ_SOLIDS_TOUCHING,    ///< common points, but the insides have none
    GRZ_SOLIDS_PENETRATING, ///< the insides have common points, and neither solid holds the other
    GRZ_SOLIDS_A_INSIDE_B,  ///< B holds A; their surfaces may touch. Not the same
    GRZ_SOLIDS_B_INSIDE_A,  ///< A holds B; their surfaces may touch. Not the same
    GRZ_SOLIDS_SAME,        ///< the two are the same set of points, however their surfaces are divided into faces
    GRZ_SOLIDS_UNDECIDABLE  ///< grz_summary::solids_reason says why
} grz_solids;

/// How two faces meet. Stronger kinds have larger numbers. A pair of faces has the strongest kind of its triangle
/// pairs. A later version 0.x may have more kinds: size arrays with GRZ_KIND_COUNT and index them by name.
typedef enum grz_kind {
    /// They do not touch, but are nearer than the clearance asked for. Only in grz_result_near_pairs().
    GRZ_NEAR = 0,
    GRZ_TOUCHING = 1, ///< any common point that is not one of the kinds below
    GRZ_COPLANAR = 2, ///< the intersection has area
    GRZ_CROSSING = 3, ///< the planes differ, and the interiors of two triangles with area meet
    GRZ_KIND_COUNT = 4
} grz_kind;

/// Whether two surfaces keep the clearance asked for (grz_collide_options::clearance).
typedef enum grz_clearance {
    GRZ_CLEARANCE_NOT_ASKED, ///< the options did not ask
    GRZ_CLEARANCE_MET,       ///< proved: the distance of the surfaces is at least that, and they do not touch
    GRZ_CLEARANCE_NOT_MET    ///< proved: they touch, or two faces are nearer than that
} grz_clearance;

/// Two faces that touch, or are near.
typedef struct grz_pair {
    uint32_t face_a; ///< of the first mesh, as the caller numbered it
    uint32_t face_b; ///< of the second one; within one mesh face_a < face_b
    uint32_t kind;   ///< a grz_kind
} grz_pair;

/// The intersection of one triangle of face_a with one of face_b: a point, a segment or a convex polygon.
typedef struct grz_contact {
    uint64_t pair;        ///< index into grz_result_pairs()
    uint64_t first_point; ///< index into grz_result_points(); grz_result_contact_points() gives this contact's own
    uint32_t point_count; ///< 1: a point, 2: a segment, 3 to 6: a convex polygon, corners in order
    uint32_t kind;        ///< the grz_kind of this pair of triangles
    /// A unit vector in world coordinates: which way to move A to free it from B here, if faces are wound outwards
    /// (docs/reference/numbers.md, contact normals). Zero if neither triangle has area. Exchanging A and B negates it,
    /// with one exception: of two triangles in one plane whose own normals are equal it is that normal, in either
    /// order.
    double normal[3];
} grz_contact;

/// Means "no vertex" in grz_feature.
#define GRZ_NO_VERTEX UINT32_MAX

/// A part of a face, by the caller's vertex numbers: a vertex {v, GRZ_NO_VERTEX}, an edge {v, w} with v < w, or the
/// face's interior {GRZ_NO_VERTEX, GRZ_NO_VERTEX}. A diagonal between a polygon's triangles belongs to the interior.
typedef struct grz_feature {
    uint32_t vertex[2]; ///< none, one or both of them GRZ_NO_VERTEX
} grz_feature;

/// What meets at a contact's point: of each of the two faces the smallest feature that holds the point. In triangles
/// without area several may hold it; then it is the one with the lowest numbers.
typedef struct grz_features {
    grz_feature a; ///< of grz_pair::face_a
    grz_feature b; ///< of grz_pair::face_b
} grz_features;

/// Segments of contacts joined end to end.
typedef struct grz_curve {
    uint64_t first_point; ///< index into grz_result_curve_points()
    uint64_t point_count; ///< 1: an isolated point; a closed curve repeats its first point at the end
    bool closed;          ///< it ends where it begins
} grz_curve;

enum {
    GRZ_FIND_PAIRS = 1u << 0,    ///< list every pair of touching faces
    GRZ_FIND_CONTACTS = 1u << 1, ///< list contacts with their points, and the box of all points; implies pairs
    /// Join contacts to curves; implies contacts. This can take several times as long as all the rest if many triangles
    /// lie over each other in one plane: the time grows with the number of crossings of their edges.
    GRZ_FIND_CURVES = 1u << 2,
    GRZ_FIND_CONTAINMENT = 1u << 3, ///< if nothing touches, decide whether one object lies inside the other
    /// Scenes: only pairs with an object that changed since the last query. Setting what is set already is no change.
    GRZ_FIND_CHANGED = 1u << 4,
    /// Decide how two objects lie relative to each other as solids (grz_summary::solids); in a scene, for every pair
    /// that it lists (grz_result_scene_solids()). All pairs of faces that touch are found for it, even if no list is
    /// asked for, so grz_collide_options::max_pairs holds here, too. Ignored for a discrete answer. For two objects and
    /// for scenes; refused by grz_collide_self() and grz_collide_poses().
    GRZ_FIND_SOLIDS = 1u << 5
};

/// When a point counts as inside a mesh.
typedef enum grz_inside_rule {
    GRZ_EVEN_ODD, ///< a ray from it meets the surface an odd number of times; the winding of faces does not matter
    GRZ_NONZERO,  ///< the surface winds round it, counted with sign; needs faces wound consistently along every edge
    /// GRZ_NONZERO for each mesh that is closed, wound consistently and meets itself, else GRZ_EVEN_ODD. Each mesh of a
    /// query has a rule of its own; grz_mesh_inside_rule() tells which.
    GRZ_INSIDE_AUTO
} grz_inside_rule;

/// Which answer is wanted.
typedef enum grz_answer {
    GRZ_ANSWER_EXACT,   ///< proved, the same with every method
    GRZ_ANSWER_DISCRETE ///< the method's own approximate answer
} grz_answer;

/// The options of one method. Start a list of them with grz_collide_options::method_options; methods that do not run
/// ignore theirs.
///
/// @code
/// grz_slices_options slices = grz_default_slices_options(GRZ_SLICES_FAST);
/// options.method_options = &(grz_method_options){.method = "slices", .options = &slices};
/// @endcode
typedef struct grz_method_options {
    const char *method;  ///< whose options these are: "slices"
    const void *options; ///< the method's own structure, which begins with its size; borrowed for the call
    const struct grz_method_options *next; ///< those of another method; NULL ends the list
} grz_method_options;

/// As grz_collide_options::reference: all pairs of the scene.
#define GRZ_ALL_OBJECTS UINT64_MAX

/// Options of the queries. Start from grz_default_collide_options().
///
/// @code
/// grz_collide_options options = grz_default_collide_options();
/// options.find = 0; // yes or no only
/// @endcode
typedef struct grz_collide_options {
    size_t size;        ///< sizeof this structure, as the caller knows it
    grz_limits limits;  ///< cancelling, deadline, memory, progress
    const char *method; ///< "naive", "bvh", …; NULL or "auto": chosen for you. Exact answers are the same with all
    grz_answer answer;  ///< GRZ_ANSWER_EXACT unless set
    uint32_t find;      ///< GRZ_FIND_…; 0: yes or no only, and the query stops at the first contact
    /// The call ends with GRZ_ERROR_LIMIT if more pairs of faces than this touch, or are near, all objects together.
    /// 2^28 unless set.
    uint64_t max_pairs;
    grz_inside_rule inside_rule; ///< for GRZ_FIND_CONTAINMENT and GRZ_FIND_SOLIDS; GRZ_EVEN_ODD unless set
    /// For yes or no of two objects, or of one with itself, asked again and again while they move little. The query
    /// first tries the pair of triangles that answered the last such query with this result and the same meshes. The
    /// answer is the same, but usually comes sooner if it is yes, because no tree is brought up to date for it.
    /// Ignored for lists, scenes and batches.
    bool warm_start;
    /// The options of methods, for those that have any; NULL: each takes its defaults.
    const grz_method_options *method_options;
    /// Measure the times of the summary. Not set: they are 0, and the clock is read only for `deadline`. Reading it
    /// takes a fifth of the time of a query of two small meshes.
    bool times;
    /// Scenes: the number of an object; only its pairs with others are tested and listed. GRZ_ALL_OBJECTS unless set.
    /// Ignored by the other queries.
    uint64_t reference;
    /// World units, finite; 0: not asked. Also find the pairs of faces that do not touch but are nearer than this. The
    /// comparison is exact: a distance of exactly this much is not near. For two objects, scenes and batches; all
    /// methods that work on the CPU. Nothing else in the answer changes. It is about surfaces: of solids that keep the
    /// distance, one may still be inside the other, which GRZ_FIND_CONTAINMENT tells. Surfaces that touch keep no
    /// clearance, not even one of 0: whether that is kept is what every query says, by `relation`.
    double clearance;
} grz_collide_options;

/// A query's answer in brief.
typedef struct grz_summary {
    grz_relation relation;          ///< how the objects lie relative to each other
    bool colliding;                 ///< `relation` is not GRZ_APART
    grz_certainty certainty;        ///< how far the answer can be trusted
    grz_containment containment;    ///< whether inside was decided
    const char *reason;             ///< why the answer is not exact, or inside not decided; else NULL. Static text
    const char *method;             ///< which method ran; static text
    const char *device;             ///< where: "cpu" or "gl"; static text
    uint64_t pair_count;            ///< touching pairs of faces; 0 if GRZ_FIND_PAIRS was not asked for
    bool pairs_complete;            ///< the list has every pair that there is
    uint64_t kinds[GRZ_KIND_COUNT]; ///< how many pairs of each grz_kind; they add up to `pair_count`
    bool has_region;                ///< contacts were asked for and there are some: region_min and region_max hold
    double region_min[3];           ///< lower corner of the box of all contacts' points, world coordinates
    double region_max[3];           ///< its upper corner
    /// Wall clock, ms: building what was missing, such as trees. All times are 0 unless grz_collide_options::times is
    /// set.
    double prepare_ms;
    double filter_ms;    ///< ms: finding candidates. Time of threads is shared with decide_ms in proportion
    double decide_ms;    ///< ms: deciding candidates, making lists, containment
    double total_ms;     ///< ms: the whole call
    bool may_miss;       ///< GRZ_DISCRETE: there may be a collision though it says apart
    bool may_invent;     ///< GRZ_DISCRETE: there may be no collision though it says colliding
    uint64_t candidates; ///< triangle pairs that the filter proposed; a later query of the same may propose fewer
    /// The result lists pairs of faces: they were asked for, and the method names them. If not, `pair_count` and
    /// `kinds` say nothing.
    bool pairs_listed;
    grz_solids solids;         ///< of two objects: how they lie relative to each other as solids, if asked for
    const char *solids_reason; ///< why that is undecidable, else NULL. Static text
    grz_clearance clearance;   ///< whether the surfaces keep the clearance asked for; of a scene: those of all pairs
    uint64_t near_count;       ///< pairs of faces in grz_result_near_pairs(); 0 if GRZ_FIND_PAIRS was not asked for
} grz_summary;

/// Opaque. A query's answer; reused between queries, and keeps its memory. What a discrete answer says beyond the
/// summary is in <graze/discrete.h>. A result keeps its device alive: it may be read and destroyed after
/// grz_device_close().
///
/// Thread-safety: one thread at a time.
typedef struct grz_result grz_result;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_collide_options(); this
/// function is for bindings to other languages, which cannot call inline functions. Bytes that this version does not
/// know become 0.
GRZ_API void grz_collide_options_init(grz_collide_options *options, size_t size);

/// @return options for an exact answer with pairs and containment.
GRZ_INLINE grz_collide_options grz_default_collide_options(void)
{
    grz_collide_options options;
    grz_collide_options_init(&options, sizeof options);
    return options;
}

/// Make an empty result. One result serves any number of queries, one after the other.
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_MEMORY
GRZ_API grz_status grz_result_create(grz_device *device, grz_result **result, grz_error *error);

/// Destroy a result. NULL is accepted.
GRZ_API void grz_result_destroy(grz_result *result);

/// What the last query answered. Borrowed from the result and valid until its next query, like the lists below.
///
/// For this function and all others that read a result: if the result is NULL they return NULL; `count` may be NULL,
/// and receives 0 if there is nothing.
/// @code
/// if (grz_result_summary(result)->colliding) puts("they touch, or one is inside the other");
/// @endcode
GRZ_API const grz_summary *grz_result_summary(const grz_result *result);

/// The pairs of touching faces, sorted by (face_a, face_b), no pair twice. `count` receives their number.
/// @code
/// uint64_t count;
/// const grz_pair *pairs = grz_result_pairs(result, &count);
/// @endcode
GRZ_API const grz_pair *grz_result_pairs(const grz_result *result, uint64_t *count);

/// The pairs of faces that do not touch but are nearer than grz_collide_options::clearance, if GRZ_FIND_PAIRS was asked
/// for: sorted by (face_a, face_b), no pair twice, kind GRZ_NEAR. `count` receives their number.
GRZ_API const grz_pair *grz_result_near_pairs(const grz_result *result, uint64_t *count);

/// The contacts, sorted by pair. `count` receives their number.
GRZ_API const grz_contact *grz_result_contacts(const grz_result *result, uint64_t *count);

/// The points of all contacts: three doubles each, world coordinates. `count` receives the number of points.
GRZ_API const double *grz_result_points(const grz_result *result, uint64_t *count);

/// The points of one contact, three doubles each, world coordinates.
///
/// @param result   what to read
/// @param contact  index into grz_result_contacts()
/// @param count    may be NULL; receives how many points there are, 1 to 6; 0 if there is no such contact
/// @return the points, NULL if there is no such contact. Borrowed, valid until the next query
/// @code
/// const double *points = grz_result_contact_points(result, i, &count);
/// for (uint64_t k = 0; k < count; k++) draw_point(points[3 * k], points[3 * k + 1], points[3 * k + 2]);
/// @endcode
GRZ_API const double *grz_result_contact_points(const grz_result *result, uint64_t contact, uint64_t *count);

/// What meets at each point of the contacts, in the order of grz_result_points(). `count` receives the number of
/// points.
GRZ_API const grz_features *grz_result_features(const grz_result *result, uint64_t *count);

/// The curves. `count` receives their number.
GRZ_API const grz_curve *grz_result_curves(const grz_result *result, uint64_t *count);

/// The points of all curves: three doubles each, world coordinates. `count` receives the number of points.
GRZ_API const double *grz_result_curve_points(const grz_result *result, uint64_t *count);

/// Find out whether two objects touch, where, and whether one lies inside the other.
///
/// The answer is exact for the posed positions rounded to double (docs/reference/numbers.md): no pair is missed, none
/// is invented, and touching counts. Every method and any number of threads give the same bytes.
///
/// With GRZ_ANSWER_DISCRETE the summary's certainty is GRZ_DISCRETE: the answer is as good as the method's pixels
/// (`may_miss`, `may_invent`). Inside is then not decided: GRZ_APART comes with GRZ_CONTAINMENT_UNDECIDABLE if
/// containment was asked for. Methods `slices` and `heightmap` fill no list but grz_result_collision_boxes(), unless a
/// collision is confirmed (grz_slices_options::confirm). Methods `layers` and `selection` list what they found (unless
/// grz_layers_options::untested); grz_summary::pairs_listed says whether there is such a list. The meshes must have
/// been made with this device, as for every answer of a method that works through OpenGL; exact answers of the other
/// methods may be asked about meshes of any device.
///
/// @param device   whose threads do the work and whose allocator gives the memory
/// @param a,b      objects; the meshes are borrowed for the call and may be shared between threads
/// @param options  NULL means the defaults
/// @param result   receives the answer. On failure all lists are empty, and the summary says GRZ_COLLIDING and
///                 GRZ_EXACT if a touching pair was found before (always so for GRZ_ERROR_LIMIT without a clearance),
///                 else GRZ_UNDECIDED
/// @param error    may be NULL; `element` is 0 for A, 1 for B
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE; GRZ_ERROR_UNSUPPORTED; GRZ_ERROR_MEMORY; GRZ_ERROR_LIMIT;
///         GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE; with methods of OpenGL also GRZ_ERROR_DEVICE and GRZ_ERROR_BUSY
/// Thread-safety: safe if the results are different. Methods of OpenGL serve one thread at a time, see grz_device.
/// @code
/// if (grz_collide(device, &a, &b, NULL, result, &error) == GRZ_OK)
///     printf("%llu pairs of faces touch\n", (unsigned long long)grz_result_summary(result)->pair_count);
/// @endcode
GRZ_API grz_status grz_collide(grz_device *device, const grz_object *a, const grz_object *b,
                               const grz_collide_options *options, grz_result *result, grz_error *error);

/// Find every pair of faces of one mesh that collide with each other.
///
/// Two triangles collide if their intersection is more than the hull of the corners that they share: neighbours that
/// meet only in their common edge do not collide, but do if one is folded onto the other. Triangles of one face are
/// never paired (docs/reference/numbers.md). This is decided in mesh coordinates; the pose only moves the reported
/// points. GRZ_FIND_CONTAINMENT is ignored. Parameters, errors and thread-safety are those of grz_collide().
GRZ_API grz_status grz_collide_self(grz_device *device, const grz_object *object, const grz_collide_options *options,
                                    grz_result *result, grz_error *error);

/// @return the name of method number `index` of this build, NULL past the last. Thread-safe.
/// @code
/// for (size_t i = 0; grz_method_name(i) != NULL; i++) puts(grz_method_name(i));
/// @endcode
GRZ_API const char *grz_method_name(size_t index);

/// What a method can do.
typedef struct grz_method {
    const char *name; ///< as grz_collide_options::method takes it; static text
    bool exact;       ///< it gives the exact answer
    bool discrete;    ///< it has an approximate answer of its own
    bool self;        ///< it tests a mesh with itself
    bool gl;          ///< it works through OpenGL
} grz_method;

/// Ask what method number `index` of this build can do.
/// @return whether there is such a method; if not, *method is zeroed. Thread-safe.
GRZ_API bool grz_method_info(size_t index, grz_method *method);

#ifdef __cplusplus
}
#endif

#endif
