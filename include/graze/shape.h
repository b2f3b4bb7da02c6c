// SPDX-License-Identifier: MIT
/// @file
/// Shapes: points, segments, rays, lines, triangles, spheres, capsules, boxes, cylinders, cones, ellipsoids and convex
/// hulls, against each other and against meshes.
///
/// A shape is a set of real points, not a mesh: a box is centre ± rotation · half, whatever its corners would be
/// rounded to. Whether shapes of corners (all kinds but cylinder, cone and ellipsoid, also grown by a radius) are
/// apart, touch or penetrate is decided exactly. Distances and depths come as lower <= exact <= upper, for all
/// kinds. docs/use/shape.md has the guarantees and the cost.
///
/// @code
/// const double at[3] = {0, 0, 2}, p[3] = {-1, 0, 0}, q[3] = {1, 0, 0};
/// grz_shape ball = grz_shape_sphere(at, 0.5), rod = grz_shape_capsule(p, q, 0.25);
/// grz_shape_answer answer;
/// if (grz_shapes_compare(device, &ball, &rod, NULL, &answer, &error) == GRZ_OK)
///     printf("%g apart\n", answer.distance); // 1.25
/// @endcode
#ifndef GRAZE_SHAPE_H
#define GRAZE_SHAPE_H

#include <graze/locate.h>
#include <graze/limits.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a shape is before its pose and its radius.
typedef enum grz_shape_kind {
    GRZ_SHAPE_NONE,     ///< a structure that was only zeroed; it is refused
    GRZ_SHAPE_POINT,    ///< corners[0]; with a radius, a sphere
    GRZ_SHAPE_SEGMENT,  ///< between corners[0] and corners[1]; with a radius, a capsule
    GRZ_SHAPE_TRIANGLE, ///< between corners[0], corners[1] and corners[2]
    GRZ_SHAPE_RAY,      ///< from corners[0] along the direction corners[1], without end
    GRZ_SHAPE_LINE,     ///< the same in both directions
    GRZ_SHAPE_BOX,      ///< |x| <= half[0], |y| <= half[1], |z| <= half[2]
    GRZ_SHAPE_CYLINDER, ///< around the z axis: half[0] and half[1] are its radii along x and y, half[2] half its height
    GRZ_SHAPE_CONE,     ///< as a cylinder, but with its base at z = -half[2] and its apex at z = half[2]
    GRZ_SHAPE_ELLIPSOID, ///< of the half axes half[0], half[1], half[2]
    GRZ_SHAPE_HULL       ///< the convex hull of `points`
} grz_shape_kind;

/// A shape: plain data of the caller's. All points pose · p + q, where p is of the kind's set and |q| <= radius, in
/// real numbers. Make it with the functions below, then set `pose` or `radius` if wanted. All its numbers are finite
/// and at most 2^300 in magnitude.
typedef struct grz_shape {
    grz_shape_kind kind;  ///< what it is
    grz_pose pose;        ///< from the shape's own coordinates to the world's. It may stretch, shear or be singular; it
                          ///< is not rounded
    double corners[3][3]; ///< see grz_shape_kind
    double half[3];       ///< see grz_shape_kind; 0 or above
    double radius;        ///< how much larger it is on all sides, world units, 0 or above. The pose does not stretch it
    const double *points; ///< GRZ_SHAPE_HULL: point_count × 3 numbers, borrowed as long as the shape is used
    uint64_t point_count; ///< GRZ_SHAPE_HULL: 1 or more, below 2^31
} grz_shape;

/// @return a point. If the pointer is NULL, a shape of kind GRZ_SHAPE_NONE; so for the functions below.
GRZ_API grz_shape grz_shape_point(const double point[3]);

/// @return the segment between two points, three numbers each.
GRZ_API grz_shape grz_shape_segment(const double p[3], const double q[3]);

/// @return the triangle between three points, three numbers each; it may be degenerate.
GRZ_API grz_shape grz_shape_triangle(const double p[3], const double q[3], const double r[3]);

/// @return the ray from a point along a direction. The direction is not 0: after the pose it is longer than 2^-500.
GRZ_API grz_shape grz_shape_ray(const double origin[3], const double direction[3]);

/// @return the line through a point along a direction, for which the same holds as for that of grz_shape_ray().
GRZ_API grz_shape grz_shape_line(const double point[3], const double direction[3]);

/// @return the ball around a point.
GRZ_API grz_shape grz_shape_sphere(const double centre[3], double radius);

/// @return all points that are no farther than the radius from a segment.
GRZ_API grz_shape grz_shape_capsule(const double p[3], const double q[3], double radius);

/// @return the box along the axes with this centre and these half widths. Turn it by its pose.
GRZ_API grz_shape grz_shape_box(const double centre[3], const double half[3]);

/// @return the box at a pose: centre, turn and half widths.
GRZ_API grz_shape grz_shape_box_at(grz_pose pose, const double half[3]);

/// @return a cylinder around the z axis, its middle at a point. Turn it by its pose.
GRZ_API grz_shape grz_shape_cylinder(const double centre[3], double radius, double half_height);

/// @return a cone around the z axis: its base half_height below a point, its apex half_height above.
GRZ_API grz_shape grz_shape_cone(const double centre[3], double radius, double half_height);

/// @return the ellipsoid with this centre and these half axes.
GRZ_API grz_shape grz_shape_ellipsoid(const double centre[3], const double half[3]);

/// @return the convex hull of points, which are borrowed. They may be in any order, and need not be corners of it.
GRZ_API grz_shape grz_shape_hull(const double *points, uint64_t point_count);

/// The smallest axis-aligned box that holds a shape, rounded outward: each number by a few units in the last place.
///
/// @param shape  not a ray or a line
/// @param min    receives the lower corner, three numbers. Unchanged on failure
/// @param max    receives the upper corner, three numbers. Unchanged on failure
/// @param error  may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT, also for rays and lines; GRZ_ERROR_POSE
/// Thread-safe.
GRZ_API grz_status grz_shape_bounds(const grz_shape *shape, double min[3], double max[3], grz_error *error);

/// How two shapes lie to each other.
typedef enum grz_shape_relation {
    GRZ_SHAPES_UNDECIDED, ///< a cylinder, a cone or an ellipsoid takes part, and they nearly touch (docs/use/shape.md)
    GRZ_SHAPES_APART,     ///< no point in common
    GRZ_SHAPES_TOUCHING,  ///< points in common, but they do not penetrate: some plane separates the two
    /// No plane separates the two: one must move to be free of the other. (A segment that runs through a box penetrates
    /// it; one that lies in a face of the box touches it.)
    GRZ_SHAPES_PENETRATING
} grz_shape_relation;

/// How two shapes lie to each other, how far apart they are, or how deep in each other.
typedef struct grz_shape_answer {
    grz_shape_relation relation; ///< apart, touching or penetrating
    /// GRZ_UNDECIDED if the relation is; else that of the number: of the distance if they are apart, of the depth if
    /// they penetrate. GRZ_EXACT: the number is the double nearest to the exact one. GRZ_ENCLOSED: it is between the
    /// bounds. Whether they are apart, touch or penetrate is proved either way.
    grz_certainty certainty;
    /// World units: the distance. If options.exact_distance is true and both shapes are of corners without a radius,
    /// the double nearest to it; else a number between `lower` and `upper`. 0 unless they are apart.
    double distance;
    double lower; ///< lower <= exact distance <= upper
    double upper; ///< see `lower`
    /// Apart: nearly the nearest point of A, rounded. Touching or penetrating: a point of A's surface in the contact,
    /// in the middle of it if it is a face or an edge: point_b = point_a + depth · direction, and where A has moved by
    /// that, the two touch there; rounded.
    double point_a[3];
    double point_b[3]; ///< the same of B
    /// World units: the length of the shortest translation of A after which the two touch at most: `depth_upper`, which
    /// is proved to be enough. 0 unless they penetrate.
    double depth;
    double depth_lower; ///< depth_lower <= exact depth <= depth_upper
    double depth_upper; ///< see `depth_lower`: moved by depth_upper · direction, A is free of B
    /// Of length 1, rounded. Apart: from A to B; a plane across it separates them but for the rounding of the
    /// direction, also where they are so near that point_a and point_b are equal. Touching: from A to B, across the
    /// plane that separates them; 0 if there are several, as where an edge meets an edge, or if both lie in it.
    /// Penetrating: where to move A.
    double direction[3];
} grz_shape_answer;

/// Options of the calls below. Start from grz_default_shape_options().
typedef struct grz_shape_options {
    size_t size;       ///< sizeof this structure, as the caller knows it
    grz_limits limits; ///< cancelling, deadline, memory, progress
    /// Measure distances of shapes of corners exactly: `lower` and `upper` are then neighbours, but for the rounding of
    /// a radius. False unless set: it takes some 20 times as long.
    bool exact_distance;
    bool depth; ///< enclose the depth; true unless set. False: depth_upper is infinite if they penetrate
    /// For grz_shapes_manifold(): faces that lean against the plane of contact by less take part, in radians, 0 to 1;
    /// 0.1 unless set.
    double face_angle;
} grz_shape_options;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_shape_options(); this
/// function is for bindings to other languages, which cannot call inline functions. Bytes that this version does not
/// know become 0.
GRZ_API void grz_shape_options_init(grz_shape_options *options, size_t size);

/// @return options for depths and enclosed distances, without limits.
GRZ_INLINE grz_shape_options grz_default_shape_options(void)
{
    grz_shape_options options;
    grz_shape_options_init(&options, sizeof options);
    return options;
}

/// Compare two shapes: how do they lie to each other, how far apart, how deep? That takes microseconds: `cancel` and
/// `deadline` of the options are for the other calls, and ignored here.
///
/// @param device   whose allocator gives the memory
/// @param a,b      the shapes
/// @param options  NULL means the defaults
/// @param answer   receives the answer. After a failure nothing is known in it: relation GRZ_SHAPES_UNDECIDED, lower
///                 and depth_lower 0, upper and depth_upper infinite
/// @param error    may be NULL; `element` is 0 for A, 1 for B
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE; GRZ_ERROR_MEMORY; GRZ_ERROR_UNSUPPORTED for two rays or lines
///         that are so nearly parallel that they meet beyond 2^300, and for one whose direction is long, but nearly
///         cancelled out by its pose
/// Thread-safety: safe, if the answers are different.
GRZ_API grz_status grz_shapes_compare(grz_device *device, const grz_shape *a, const grz_shape *b,
                                      const grz_shape_options *options, grz_shape_answer *answer, grz_error *error);

/// Compare pairs of shapes, on all threads of the device. Each answer is the one of grz_shapes_compare(), to the bit.
///
/// @param device       whose threads do the work and whose allocator gives the memory
/// @param shapes       shape_count shapes
/// @param shape_count  how many shapes; 0 is allowed
/// @param pairs        pair_count × 2 numbers of shapes: A, B of each pair
/// @param pair_count   how many pairs; 0 is allowed
/// @param options      NULL means the defaults
/// @param answers      receives pair_count answers. After GRZ_ERROR_CANCELLED, GRZ_ERROR_DEADLINE and GRZ_ERROR_MEMORY
///                     those that were not given are as after a failure of grz_shapes_compare()
/// @param error        may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT and GRZ_ERROR_POSE (`element`: the first bad shape, or the first pair that names
///         none; nothing is compared); GRZ_ERROR_UNSUPPORTED (`element`: the first pair for which
///         grz_shapes_compare() says so; all others have their answers); GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED;
///         GRZ_ERROR_DEADLINE
/// Thread-safety: safe, if the answers are different.
/// @code
/// const uint32_t pairs[2][2] = {{0, 1}, {0, 2}};
/// grz_shape_answer answers[2];
/// status = grz_shapes_compare_many(device, shapes, 3, pairs[0], 2, NULL, answers, &error);
/// @endcode
GRZ_API grz_status grz_shapes_compare_many(grz_device *device, const grz_shape *shapes, uint64_t shape_count,
                                           const uint32_t *pairs, uint64_t pair_count, const grz_shape_options *options,
                                           grz_shape_answer *answers, grz_error *error);

enum {
    GRZ_SHAPE_MANIFOLD_MAX_POINTS = 4 ///< points that a manifold of two shapes has room for
};

/// One point of a manifold of two shapes.
typedef struct grz_shape_manifold_point {
    double point_a[3]; ///< of A's surface, world coordinates, rounded
    double point_b[3]; ///< of B's surface, opposite: point_a + depth · direction of the answer
    double depth;      ///< world units, 0 or above: how deep they are in each other there, along the direction
    /// The corner or the edge of A that has the point, by the numbers of corners: those of a segment or a triangle in
    /// order, of a hull the caller's, and of a box i, with bit k of i set where coordinate k is +half[k]. Both
    /// GRZ_NO_VERTEX: inside of a face, or on a round surface. With feature_b it tells points apart from step to step.
    grz_feature feature_a;
    grz_feature feature_b; ///< the same of B
} grz_shape_manifold_point;

/// Where two shapes touch or penetrate.
typedef struct grz_shape_manifold {
    grz_shape_answer answer; ///< of grz_shapes_compare(): its direction is the normal of all points
    uint32_t count;          ///< how many points there are; 0: the shapes are apart, or it is not decided
    grz_shape_manifold_point points[GRZ_SHAPE_MANIFOLD_MAX_POINTS]; ///< the deepest first
} grz_shape_manifold;

/// Find few points that stand for the contact of two shapes, for a physics engine: a box that stands on another has
/// four, a cylinder that lies on a floor two, a ball one.
///
/// The faces of the two that lean against the plane of contact by less than options.face_angle are laid over each
/// other, along the direction of the answer; the points are corners of what they have in common, where A is in B or
/// touches it: the deepest, and up to three that span the largest area. docs/use/shape.md has a picture.
///
/// @param device    whose allocator gives the memory
/// @param a,b       the shapes
/// @param options   NULL means the defaults; `depth` is taken as true
/// @param manifold  receives the answer. After a failure nothing is known in it, and it has no points
/// @param error     may be NULL; `element` is 0 for A, 1 for B
/// @return as grz_shapes_compare()
/// Thread-safety: safe, if the answers are different.
/// @code
/// grz_shape_manifold m;
/// if (grz_shapes_manifold(device, &crate, &floor, NULL, &m, &error) == GRZ_OK)
///     for (uint32_t i = 0; i < m.count; i++) add_contact(m.points[i].point_b, m.answer.direction, m.points[i].depth);
/// @endcode
GRZ_API grz_status grz_shapes_manifold(grz_device *device, const grz_shape *a, const grz_shape *b,
                                       const grz_shape_options *options, grz_shape_manifold *manifold,
                                       grz_error *error);

/// How a shape lies to the surface of a mesh.
typedef struct grz_shape_object_answer {
    /// Of the shape and the triangles: penetrating if it penetrates one of them, touching if it touches one. A triangle
    /// has no inside: a ball penetrates it if its middle is nearer than the radius.
    grz_shape_relation relation;
    /// If they are apart: whether the shape is inside the mesh, as grz_locate_points() says it of any of its points.
    /// GRZ_LOCATION_UNKNOWN if they are not, or if it is undecided, because rounding a point of the shape may move it
    /// through the surface.
    grz_location location;
    grz_certainty certainty; ///< GRZ_UNDECIDED if the relation is; else that of the distance, as in grz_shape_answer
    double distance;         ///< from the shape to the surface, as in grz_shape_answer
    double lower;            ///< lower <= exact distance <= upper
    double upper;            ///< see `lower`
    uint32_t face;         ///< the nearest face, or one that is touched; of several that are as near by the bounds, any
    double point_shape[3]; ///< nearly the nearest point of the shape; rounded
    double point_mesh[3];  ///< nearly the nearest point of the surface; rounded
    uint64_t compared;     ///< how many triangles were compared, for judging speed
} grz_shape_object_answer;

/// Compare a shape with the surface of an object. Exact for the object's posed positions rounded to double
/// (docs/reference/numbers.md), with the relations of grz_shapes_compare(). The first call for a mesh builds its tree.
///
/// @param device   whose allocator gives the memory
/// @param shape    the shape
/// @param object   the mesh is borrowed for the call
/// @param options  NULL means the defaults; `depth` is ignored
/// @param answer   receives the answer. After a failure nothing is known in it
/// @param error    may be NULL; `element` is 0 for the shape, 1 for the object
/// @return as grz_shapes_compare(); GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE
/// Thread-safety: safe together with other queries on the same mesh, if the answers are different.
/// @code
/// grz_shape_object_answer answer;
/// if (grz_shape_compare_object(device, &capsule, &level, NULL, &answer, &error) == GRZ_OK)
///     printf("face %u, %g away\n", answer.face, answer.distance);
/// @endcode
GRZ_API grz_status grz_shape_compare_object(grz_device *device, const grz_shape *shape, const grz_object *object,
                                            const grz_shape_options *options, grz_shape_object_answer *answer,
                                            grz_error *error);

/// List the faces of an object that a shape touches or penetrates, exactly for shapes of corners. For cylinders, cones
/// and ellipsoids, faces that cannot be decided are listed, too.
///
/// @param device   whose allocator gives the memory
/// @param shape    the shape
/// @param object   the mesh is borrowed for the call
/// @param options  NULL means the defaults; distances and depths are not measured
/// @param faces    receives the numbers of the first `capacity` faces, as the caller numbered them, in ascending order
/// @param capacity  how many there is room for; 0 is allowed, `faces` may then be NULL
/// @param found    receives how many there are, also if that is more than `capacity`
/// @param error    may be NULL; `element` is 0 for the shape, 1 for the object
/// @return as grz_shape_compare_object(). After a failure *found is 0
/// Thread-safety: safe together with other queries on the same mesh.
GRZ_API grz_status grz_shape_faces(grz_device *device, const grz_shape *shape, const grz_object *object,
                                   const grz_shape_options *options, uint32_t *faces, uint64_t capacity,
                                   uint64_t *found, grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
