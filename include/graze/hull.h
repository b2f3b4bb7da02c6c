// SPDX-License-Identifier: MIT
/// @file
/// The convex hull of points or of a mesh, exactly; and whether a mesh is convex, with the edge at fault if it is not.
///
/// Exact: every sign is decided without rounding, whatever lies in one plane or on one line. docs/use/hull.md has the
/// guarantees and the cost.
///
/// @code
/// grz_hull *hull;
/// if (grz_hull_of_mesh(mesh, NULL, &hull, &error) == GRZ_OK) {
///     printf("%u corners, %u faces\n", grz_hull_vertex_count(hull), grz_hull_face_count(hull));
///     grz_hull_destroy(hull);
/// }
/// @endcode
#ifndef GRAZE_HULL_H
#define GRAZE_HULL_H

#include <graze/collide.h>
#include <graze/limits.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The most points that a hull can be made of: 2^30.
#define GRZ_HULL_MAX_POINTS (UINT64_C(1) << 30)

/// Opaque: the convex hull of some points. It never changes after it was made, and keeps its device alive.
///
/// Vertices are true corners only: points inside a face or an edge, and repeated ones, are left out. They ascend by x,
/// then y, then z. A face begins with its lowest vertex, and faces ascend by their first two vertices. So the order of
/// the points changes nothing but grz_hull_points().
///
/// Thread-safety: any number of threads may read a hull at once.
typedef struct grz_hull grz_hull;

/// Options of the calls that make hulls and fit shapes around them. Start from grz_default_hull_options().
typedef struct grz_hull_options {
    size_t size;       ///< sizeof this structure, as the caller knows it
    grz_limits limits; ///< cancelling, deadline, memory (the hull that is made included), progress
} grz_hull_options;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_hull_options(); this
/// function is for bindings to other languages, which cannot call inline functions. Bytes that this version does not
/// know become 0.
GRZ_API void grz_hull_options_init(grz_hull_options *options, size_t size);

/// @return options without any limit.
GRZ_INLINE grz_hull_options grz_default_hull_options(void)
{
    grz_hull_options options;
    grz_hull_options_init(&options, sizeof options);
    return options;
}

/// Make the convex hull of points. A million points take about a second (docs/use/hull.md).
///
/// @param device     whose allocator gives the memory; the calling thread does the work
/// @param positions  point_count × 3 numbers: x, y, z; finite, at most 2^300 in magnitude
/// @param count      how many points, 1 to GRZ_HULL_MAX_POINTS. They may be equal, on a line, or in a plane
/// @param options    NULL means the defaults
/// @param hull       receives the hull; NULL on failure. Destroy it with grz_hull_destroy()
/// @param error      may be NULL. `element` is the point at fault
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_MESH (a coordinate that is NaN, infinite or too large);
///         GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE
/// Thread-safety: safe.
/// @code
/// const double corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
/// status = grz_hull_of_points(device, corners[0], 4, NULL, &hull, &error); // a tetrahedron
/// @endcode
GRZ_API grz_status grz_hull_of_points(grz_device *device, const double *positions, uint64_t count,
                                      const grz_hull_options *options, grz_hull **hull, grz_error *error);

/// Make the convex hull of a mesh: of the vertices that its faces use, at their current positions.
///
/// @param mesh     is read only
/// @param options  NULL means the defaults
/// @param hull     receives the hull; NULL on failure
/// @param error    may be NULL
/// @return as grz_hull_of_points()
/// Thread-safety: safe together with queries on the same mesh.
GRZ_API grz_status grz_hull_of_mesh(const grz_mesh *mesh, const grz_hull_options *options, grz_hull **hull,
                                    grz_error *error);

/// Destroy a hull. NULL is accepted.
GRZ_API void grz_hull_destroy(grz_hull *hull);

/// @return 3 if it has volume, 2 if all points lie in one plane, 1 on one line, 0 if they are all equal; -1 for NULL.
///         Thread-safe.
GRZ_API int grz_hull_dimension(const grz_hull *hull);

/// @return how many corners the hull has; 0 for NULL. Thread-safe.
GRZ_API uint32_t grz_hull_vertex_count(const grz_hull *hull);

/// @return vertex_count × 3 numbers: the corners, copies of input points (-0 becomes 0). They belong to the hull; NULL
///         for NULL. Thread-safe.
GRZ_API const double *grz_hull_vertices(const grz_hull *hull);

/// @return vertex_count numbers: for each corner the lowest point, or vertex of the mesh, at its position. They belong
///         to the hull; NULL for NULL. Thread-safe.
GRZ_API const uint32_t *grz_hull_points(const grz_hull *hull);

/// @return how many faces the hull has. Dimension 3: at least 4, no two of them in one plane. Dimension 2: 1. Else 0.
///         Thread-safe.
GRZ_API uint32_t grz_hull_face_count(const grz_hull *hull);

/// @return the corners of a face: numbers of the hull's vertices, counter-clockwise from outside. In dimension 2:
///         counter-clockwise as seen from the side where z is larger; if the plane is upright, y; if it stands across
///         x, x. They belong to the hull; NULL if there is no such face. Thread-safe.
/// @param hull   the hull
/// @param face   below grz_hull_face_count()
/// @param count  receives how many corners, at least 3; may be NULL
GRZ_API const uint32_t *grz_hull_face(const grz_hull *hull, uint32_t face, uint32_t *count);

/// @return triangle_count × 3 numbers of the hull's vertices: the faces cut into fans from their first corners, face
///         after face. They belong to the hull; NULL if there are no faces. Thread-safe.
/// @param hull   the hull
/// @param count  receives how many triangles; may be NULL
GRZ_API const uint32_t *grz_hull_triangles(const grz_hull *hull, uint32_t *count);

/// Make a mesh of a hull, whose faces are the hull's polygons.
///
/// @param hull   of dimension 3 or 2; a mesh of dimension 2 has one face
/// @param mesh   receives the mesh; NULL on failure. Destroy it with grz_mesh_destroy()
/// @param error  may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT, also for a hull without faces; GRZ_ERROR_MEMORY
/// Thread-safety: safe.
GRZ_API grz_status grz_hull_mesh(const grz_hull *hull, grz_mesh **mesh, grz_error *error);

/// Why a mesh is not convex. They are looked for in this order.
typedef enum grz_convex_fault {
    GRZ_CONVEX,             ///< it is convex
    GRZ_CONVEX_DEGENERATE,  ///< a face (faces[0]) has a triangle without area
    GRZ_CONVEX_OPEN,        ///< an edge has one triangle only: the mesh is not closed
    GRZ_CONVEX_NONMANIFOLD, ///< an edge has more than two triangles
    GRZ_CONVEX_UNORIENTED,  ///< the two faces at an edge run through it in the same direction
    GRZ_CONVEX_INSIDE_OUT,  ///< convex but for the direction of its faces: they are clockwise from outside
    GRZ_CONVEX_REFLEX,      ///< at an edge the faces bend inwards, or lie folded onto each other
    GRZ_CONVEX_SEVERAL,     ///< no reflex edge, but a second closed surface, to which faces[0] belongs
    GRZ_CONVEX_WOUND        ///< no reflex edge, but the surface winds more than once around itself, as at faces[0]
} grz_convex_fault;

/// What grz_mesh_is_convex() found. Numbers that do not apply are UINT32_MAX.
typedef struct grz_convex_report {
    grz_convex_fault fault; ///< GRZ_CONVEX: there is none
    uint32_t vertices[2];   ///< the edge at fault, as the caller numbered its ends
    uint32_t faces[2];      ///< the faces at fault, as the caller numbered them
    char message[160];      ///< the same in English: "edge 4-7: faces 2 and 9 bend inwards"; "convex"
} grz_convex_report;

/// Whether a mesh is the surface of a convex solid, exactly. If not, the report names an edge or a face that shows it.
///
/// It is convex if it is closed, manifold and oriented, no edge bends inwards, and the surface is that of its convex
/// hull, each point of it once. Faces may lie in one plane; vertices may lie inside edges and faces of the solid. Faces
/// of more than three corners count as the triangles that they were cut into. Vertices at equal positions count as one.
///
/// @param mesh    what to examine
/// @param report  receives the answer
/// @param error   may be NULL
/// @return GRZ_OK, convex or not; GRZ_ERROR_ARGUMENT; GRZ_ERROR_MEMORY
/// Thread-safety: safe together with queries on the same mesh.
GRZ_API grz_status grz_mesh_is_convex(const grz_mesh *mesh, grz_convex_report *report, grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
