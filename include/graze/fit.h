// SPDX-License-Identifier: MIT
/// @file
/// Simple shapes fitted around a convex hull: sphere, capsule, boxes, cylinder, ellipsoid, k-DOP. Each certainly holds
/// all points that the hull was made of, as real numbers and whatever was rounded, and says how tight it is.
/// docs/use/fit.md has the bounds.
///
/// @code
/// grz_fitted_shape sphere;
/// if (grz_fit_sphere(hull, NULL, &sphere, &error) == GRZ_OK)
///     printf("radius %g, none is below %g\n", sphere.shape.radius, sphere.radius_lower);
/// @endcode
#ifndef GRAZE_FIT_H
#define GRAZE_FIT_H

#include <graze/distance.h>
#include <graze/hull.h>
#include <graze/pick.h>
#include <graze/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A shape around all points of a hull. Plain data of the caller's.
typedef struct grz_fitted_shape {
    /// A sphere: GRZ_SHAPE_POINT. A capsule: GRZ_SHAPE_SEGMENT; its ends may be equal. A box, a cylinder, an ellipsoid:
    /// of these kinds, with a pose that has as its columns the shape's axes, perpendicular and of length 1 up to
    /// rounding, and its centre. Coordinates are the hull's; `radius` and `half` are rounded up: all points are inside,
    /// in real numbers. A `half` may be 0.
    grz_shape shape;
    double ratio; ///< its volume over the hull's volume, 1 or more but for rounding; infinite if the hull has none
    double
        radius_lower; ///< spheres: proved, no ball around the points has a smaller radius; usually within 1e-14. Else 0
    /// Spheres: of the smallest radius, which is from `radius_lower` to `shape.radius`: GRZ_EXACT if they are equal,
    /// else GRZ_ENCLOSED. Others: GRZ_UNDECIDED; that they are the smallest is not proved, but for grz_fit_box().
    grz_certainty certainty;
} grz_fitted_shape;

/// The most pairs of planes of a k-DOP.
#define GRZ_FITTED_DOP_MAX 13

/// A k-DOP: all points p with min[i] <= p · directions[i] <= max[i]. Plain data of the caller's.
typedef struct grz_fitted_dop {
    uint32_t count;                            ///< k / 2
    int32_t directions[GRZ_FITTED_DOP_MAX][3]; ///< of 0, 1 and -1; the first three are x, y and z
    double min[GRZ_FITTED_DOP_MAX];            ///< the exact minimum, rounded down
    double max[GRZ_FITTED_DOP_MAX];            ///< the exact maximum, rounded up
    double ratio;                              ///< as in grz_fitted_shape
} grz_fitted_dop;

/// Measure a hull's volume.
///
/// @param hull    any hull
/// @param volume  receives the volume, within a factor of 1 ± 1e-12 for hulls that are not extremely thin; 0 below
///                dimension 3. Infinite or 0 where doubles end
/// @param error   may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT for NULL
/// Thread-safety: safe.
GRZ_API grz_status grz_hull_volume(const grz_hull *hull, double *volume, grz_error *error);

/// Find the smallest ball around the points of a hull.
///
/// @param hull     any hull
/// @param options  NULL means the defaults
/// @param sphere   receives the ball; radius 0 if all points are equal. After a failure it means nothing
/// @param error    may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT for NULL; GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE
/// Thread-safety: safe.
GRZ_API grz_status grz_fit_sphere(const grz_hull *hull, const grz_hull_options *options, grz_fitted_shape *sphere,
                                  grz_error *error);

/// Find a small capsule around the points of a hull: the one of least volume among those along the principal axes, the
/// coordinates' axes and the longest distance found. Least is not proved.
///
/// @param hull     any hull
/// @param options  NULL means the defaults
/// @param capsule  receives the capsule
/// @param error    may be NULL
/// @return as grz_fit_sphere()
/// Thread-safety: safe.
GRZ_API grz_status grz_fit_capsule(const grz_hull *hull, const grz_hull_options *options, grz_fitted_shape *capsule,
                                   grz_error *error);

/// Find the smallest box along the coordinates' axes.
///
/// @param hull     any hull
/// @param options  NULL means the defaults
/// @param box      receives the box, around the centre as doubles have it
/// @param error    may be NULL
/// @return as grz_fit_sphere()
/// Thread-safety: safe.
GRZ_API grz_status grz_fit_box(const grz_hull *hull, const grz_hull_options *options, grz_fitted_shape *box,
                               grz_error *error);

/// Find a small box in any direction: the one of least volume among those along the coordinates' axes, the principal
/// axes, the hull's faces with one of their edges, and, for small hulls, pairs of edges. Least is not proved.
///
/// @param hull     any hull
/// @param options  NULL means the defaults
/// @param box      receives the box
/// @param error    may be NULL
/// @return as grz_fit_sphere()
/// Thread-safety: safe.
GRZ_API grz_status grz_fit_oriented_box(const grz_hull *hull, const grz_hull_options *options, grz_fitted_shape *box,
                                        grz_error *error);

/// Find a small cylinder around the points of a hull: the one of least volume among those along the principal axes, the
/// coordinates' axes, the longest distance found, and the normals and edges of the hull's faces (of large hulls some).
/// Least is not proved.
///
/// @param hull      any hull
/// @param options   NULL means the defaults
/// @param cylinder  receives the cylinder: around the third column of its pose, half[0] and half[1] are its radius,
///                  half[2] is half its height
/// @param error     may be NULL
/// @return as grz_fit_sphere()
/// Thread-safety: safe.
/// @code
/// grz_fitted_shape drum;
/// if (grz_fit_cylinder(hull, NULL, &drum, &error) == GRZ_OK)
///     printf("radius %g, height %g\n", drum.shape.half[0], 2.0 * drum.shape.half[2]);
/// @endcode
GRZ_API grz_status grz_fit_cylinder(const grz_hull *hull, const grz_hull_options *options, grz_fitted_shape *cylinder,
                                    grz_error *error);

/// Find the ellipsoid of about the least volume around the points of a hull; usually within 1e-6 of the least, which is
/// not proved. Around points in a plane, an ellipse of about the least area; it is thin, or without thickness where the
/// plane is along two coordinates' axes.
///
/// @param hull       any hull
/// @param options    NULL means the defaults
/// @param ellipsoid  receives the ellipsoid
/// @param error      may be NULL
/// @return as grz_fit_sphere()
/// Thread-safety: safe.
GRZ_API grz_status grz_fit_ellipsoid(const grz_hull *hull, const grz_hull_options *options, grz_fitted_shape *ellipsoid,
                                     grz_error *error);

/// Find the smallest k-DOP.
///
/// @param hull     any hull
/// @param k        6: a box; 14: and corners cut; 18: and edges cut; 26: both
/// @param options  NULL means the defaults
/// @param dop      receives the k-DOP
/// @param error    may be NULL
/// @return as grz_fit_sphere(); GRZ_ERROR_ARGUMENT also for another k
/// Thread-safety: safe.
GRZ_API grz_status grz_fit_dop(const grz_hull *hull, uint32_t k, const grz_hull_options *options, grz_fitted_dop *dop,
                               grz_error *error);

/// Make the hull of a k-DOP: of its corners, each coordinate rounded to the double nearest to the exact one. Its
/// vertices make a shape (grz_shape_hull()), and grz_hull_mesh() makes a mesh of it.
///
/// @param device  whose allocator gives the memory
/// @param dop     from grz_fit_dop(), or the caller's own: 3 to 13 directions, of which the first three are x, y and
///                z; `ratio` is not looked at
/// @param hull    receives the hull; NULL on failure. Destroy it with grz_hull_destroy(). Its grz_hull_points() mean
///                nothing
/// @param error   may be NULL. `element` is the direction at fault
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT (a direction or an interval that is not allowed; no point is in all intervals);
///         GRZ_ERROR_MESH (a corner beyond 2^300); GRZ_ERROR_MEMORY
/// Thread-safety: safe.
/// @code
/// if (grz_fitted_dop_hull(device, &dop, &corners, &error) == GRZ_OK)
///     shape = grz_shape_hull(grz_hull_vertices(corners), grz_hull_vertex_count(corners));
/// @endcode
GRZ_API grz_status grz_fitted_dop_hull(grz_device *device, const grz_fitted_dop *dop, grz_hull **hull,
                                       grz_error *error);

/// Where on a mesh a point belongs that was found on its proxy. Plain data of the caller's.
typedef struct grz_mapped_point {
    bool along_normal;   ///< the mesh was met from the point, against the normal; false: the nearest point of the mesh
    uint32_t face;       ///< as the caller numbered it; GRZ_NO_FACE: the mesh has none, or the call failed
    grz_feature feature; ///< the part of the face that has the point
    double point[3];     ///< of the mesh, world coordinates, each rounded to the nearest double
    double distance;     ///< from the given point, world units; as grz_pick() or grz_distance_points() rounds it
} grz_mapped_point;

/// Map contact points that were found on a proxy back to the mesh that it stands for: from each point along the
/// opposite of the proxy's normal to the first face, from either side (grz_pick()); where there is none, to the nearest
/// point of the mesh (grz_distance_points()). One after the other: for the few points of contacts. This does not
/// tell whether the mesh itself is in contact: a proxy is larger than its mesh.
///
/// @param device   as for grz_pick()
/// @param object   the mesh, borrowed for the call, at the pose at which the proxy was
/// @param points   count × 3 numbers, world coordinates, such as grz_shape_answer::point_a
/// @param normals  count × 3 numbers, outwards from the proxy, of any length; zeros, or NULL: the nearest is asked
/// @param count    how many; 0 is allowed
/// @param options  NULL means the defaults; its limits hold for each search
/// @param answers  receives `count` answers. After a failure those that were not found have GRZ_NO_FACE
/// @param error    may be NULL; `element` is the point at fault
/// @return GRZ_OK; else as grz_pick() and grz_distance_points()
/// Thread-safety: safe together with other queries on the same mesh, if the answers are different.
/// @code
/// const double outwards[3] = {answer.direction[0], answer.direction[1], answer.direction[2]}; // apart: from A to B
/// grz_mapped_point on_mesh;
/// if (grz_fit_map_points(device, &mesh_a, answer.point_a, outwards, 1, NULL, &on_mesh, &error) == GRZ_OK)
///     printf("face %u\n", on_mesh.face);
/// @endcode
GRZ_API grz_status grz_fit_map_points(grz_device *device, const grz_object *object, const double *points,
                                      const double *normals, uint64_t count, const grz_hull_options *options,
                                      grz_mapped_point *answers, grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
