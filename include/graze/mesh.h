// SPDX-License-Identifier: MIT
/// @file
/// Triangle meshes: made once, moved by poses, deformed by new positions.
#ifndef GRAZE_MESH_H
#define GRAZE_MESH_H

#include <graze/device.h>
#include <graze/limits.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The largest magnitude that a coordinate may have: 2^300.
#define GRZ_MAX_COORDINATE 0x1p300

/// The most triangles that a mesh may have, after its polygons were cut into triangles: 2^32 - 2.
#define GRZ_MAX_TRIANGLES UINT32_C(0xfffffffe)

/// How coordinates are stored.
typedef enum grz_scalar {
    GRZ_FLOAT32,
    GRZ_FLOAT64
} grz_scalar;

enum {
    /// Two corners are the same only if their indices are equal. Without this flag equal positions make corners the
    /// same, too (docs/reference/numbers.md, self-collision).
    GRZ_MESH_INDEX_ONLY = 1u << 0,
    /// Build the mesh's tree in about a sixth less time; queries then take up to a third longer. For meshes that are
    /// replaced every few queries. The answers are the same.
    GRZ_MESH_FAST_BUILD = 1u << 1
};

/// What a mesh is made of. Start from grz_default_mesh_description() or grz_mesh_description_from_triangles().
/// grz_mesh_create() copies everything.
typedef struct grz_mesh_description {
    size_t size;              ///< sizeof this structure, as the caller knows it
    grz_limits limits;        ///< of the call that makes the mesh, which itself counts as memory; not of later queries
    const void *positions;    ///< vertex_count × 3 numbers of type `position_type`: x, y, z
    grz_scalar position_type; ///< GRZ_FLOAT32 unless set
    uint64_t vertex_count;    ///< at most 2^32 - 1
    size_t position_stride;   ///< bytes from one vertex to the next; 0: packed
    const uint32_t *indices;  ///< index_count vertex numbers, face after face; NULL: a soup, corners are 0, 1, 2, …
    uint64_t index_count;     ///< corners of all faces together
    uint64_t face_count;      ///< at least 1
    const uint32_t *corner_counts; ///< face_count numbers, each at least 3; NULL: every face has `corners_per_face`
    uint32_t corners_per_face;     ///< used if corner_counts is NULL; 3 unless set
    uint32_t flags;                ///< GRZ_MESH_…
} grz_mesh_description;

/// Opaque. A mesh keeps its device alive: it may be destroyed after grz_device_close().
///
/// Thread-safety: queries with the same const mesh may run on several threads at once. grz_mesh_set_positions() and
/// grz_mesh_destroy() need the mesh alone.
typedef struct grz_mesh grz_mesh;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_mesh_description(); this
/// function is for bindings to other languages, which cannot call inline functions. Bytes that this version does not
/// know become 0.
GRZ_API void grz_mesh_description_init(grz_mesh_description *description, size_t size);

/// @return an empty description of triangles with float32 positions.
GRZ_INLINE grz_mesh_description grz_default_mesh_description(void)
{
    grz_mesh_description description;
    grz_mesh_description_init(&description, sizeof description);
    return description;
}

/// @return a description of triangles, in packed arrays.
///
/// @param positions       vertex_count × 3 numbers of type `type`: x, y, z
/// @param type            GRZ_FLOAT32 or GRZ_FLOAT64
/// @param vertex_count    how many vertices
/// @param indices         triangle_count × 3 vertex numbers; NULL for a triangle soup: corners are vertices 0, 1, 2, …
/// @param triangle_count  how many triangles
/// @code
/// grz_mesh_description soup = grz_mesh_description_from_triangles(corners, GRZ_FLOAT32, 3 * n, NULL, n);
/// status = grz_mesh_create(device, &soup, &mesh, &error);
/// @endcode
GRZ_INLINE grz_mesh_description grz_mesh_description_from_triangles(const void *positions, grz_scalar type,
                                                                    uint64_t vertex_count, const uint32_t *indices,
                                                                    uint64_t triangle_count)
{
    grz_mesh_description description = grz_default_mesh_description();
    description.positions = positions;
    description.position_type = type;
    description.vertex_count = vertex_count;
    description.indices = indices;
    description.index_count = indices != NULL ? 3 * triangle_count : 0;
    description.face_count = triangle_count;
    return description;
}

/// Make a mesh.
///
/// A face with more than three corners is cut into triangles once, here. If its projection along the largest Newell
/// axis is strictly convex, the triangles are a fan from its first corner; otherwise ears are clipped; a face that
/// crosses itself becomes a fan again (grz_mesh_check() counts those). Results name the caller's faces, never the
/// triangles.
///
/// @param device       whose threads and allocator the mesh uses
/// @param description  what the mesh is made of; nothing of it is kept
/// @param mesh         receives the mesh; NULL on failure. Destroy it with grz_mesh_destroy()
/// @param error        may be NULL. `element` is the vertex or face at fault
/// @return GRZ_OK; GRZ_ERROR_MESH (a NaN, infinite or too large coordinate, an index out of range, a face of fewer than
///         three corners, no faces, too many triangles); GRZ_ERROR_ARGUMENT; GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED;
///         GRZ_ERROR_DEADLINE
/// @code
/// grz_mesh_description d = grz_mesh_description_from_triangles(xyz, GRZ_FLOAT64, vertices, indices, triangles);
/// if (grz_mesh_create(device, &d, &mesh, &error) != GRZ_OK) fprintf(stderr, "%s\n", error.message);
/// @endcode
GRZ_API grz_status grz_mesh_create(grz_device *device, const grz_mesh_description *description, grz_mesh **mesh,
                                   grz_error *error);

/// Destroy a mesh. NULL is accepted. No query may be using it. If objects of a scene share the mesh, its data stays
/// until the last of them is gone.
GRZ_API void grz_mesh_destroy(grz_mesh *mesh);

/// Give every vertex a new position. Faces, their triangles, and which corners are the same do not change.
///
/// @param mesh       its tree is refitted by the next query, or by grz_mesh_prepare()
/// @param positions  vertex_count × 3 numbers, type and stride as at creation
/// @param error      may be NULL. `element` is the vertex at fault
/// @return GRZ_OK; GRZ_ERROR_MESH (the mesh is unchanged then); GRZ_ERROR_ARGUMENT; GRZ_ERROR_MEMORY
/// Thread-safety: needs the mesh alone.
GRZ_API grz_status grz_mesh_set_positions(grz_mesh *mesh, const void *positions, grz_error *error);

/// Build now what the first query by a method would build: the mesh's tree, and what containment needs of its edges and
/// components.
///
/// @param mesh    keeps what is built
/// @param method  a method's name; NULL: the one that "auto" chooses
/// @param error   may be NULL
/// @return GRZ_OK; GRZ_ERROR_UNSUPPORTED; GRZ_ERROR_ARGUMENT; GRZ_ERROR_MEMORY
/// Thread-safety: safe together with queries on the same mesh.
GRZ_API grz_status grz_mesh_prepare(const grz_mesh *mesh, const char *method, grz_error *error);

/// @return how many vertices the mesh was made with; 0 for NULL. Thread-safe.
GRZ_API uint64_t grz_mesh_vertex_count(const grz_mesh *mesh);

/// @return how many faces the mesh was made with; 0 for NULL. Thread-safe.
GRZ_API uint64_t grz_mesh_face_count(const grz_mesh *mesh);

/// @return how many triangles its faces were cut into; 0 for NULL. Thread-safe.
GRZ_API uint64_t grz_mesh_triangle_count(const grz_mesh *mesh);

/// The positions of a mesh: grz_mesh_vertex_count() × 3 doubles, x, y, z, in the order of the vertices. A float32 is
/// the double of the same value.
///
/// Borrowed until the mesh is destroyed; new positions replace the numbers in the same place.
/// @return NULL for NULL, and for a mesh whose positions lie in a buffer of OpenGL. Thread-safe while positions stay.
GRZ_API const double *grz_mesh_positions(const grz_mesh *mesh);

/// The triangles that the faces of a mesh were cut into: grz_mesh_triangle_count() × 3 vertex numbers, in the order of
/// the faces. If every face is a triangle these are the faces.
///
/// Borrowed until the mesh is destroyed.
/// @return NULL for NULL, and for a mesh whose positions lie in a buffer of OpenGL. Thread-safe.
GRZ_API const uint32_t *grz_mesh_triangles(const grz_mesh *mesh);

/// The face of each triangle of grz_mesh_triangles(), ascending: grz_mesh_triangle_count() numbers.
///
/// Borrowed until the mesh is destroyed.
/// @return NULL if every face is a triangle, so that triangle i is face i; NULL where grz_mesh_triangles() is.
///         Thread-safe.
GRZ_API const uint32_t *grz_mesh_triangle_faces(const grz_mesh *mesh);

/// The corners of a face in their order.
///
/// @param mesh   whose face
/// @param face   its number, from 0
/// @param count  receives how many corners it has, at least 3; 0 where NULL is returned. May be NULL
/// @return its vertex numbers, borrowed until the mesh is destroyed; NULL for a face that does not exist, and where
///         grz_mesh_triangles() is. Thread-safe.
GRZ_API const uint32_t *grz_mesh_face(const grz_mesh *mesh, uint64_t face, uint32_t *count);

/// What is in a mesh and what is wrong with it. For edges, components and all that depends on them, vertices at equal
/// positions count as one: neighbouring corners of a face that coincide are one corner there, a face whose corners are
/// all at one place has no edges, and is ignored for `closed`, `manifold`, `oriented`, `balanced` and the counts of
/// edges. `degenerate_faces` counts such faces. Faces and edges are the caller's, not those of triangles.
typedef struct grz_mesh_report {
    uint64_t vertices;               ///< as grz_mesh_vertex_count()
    uint64_t faces;                  ///< as grz_mesh_face_count()
    uint64_t triangles;              ///< as grz_mesh_triangle_count()
    uint64_t components;             ///< sets of faces that are connected through vertex positions
    bool closed;                     ///< no holes: every edge is a side of an even number of faces
    bool manifold;                   ///< no edge has more than two faces, and the faces around a vertex form one fan
    bool oriented;                   ///< at each edge of exactly two faces these run through it in opposite directions
    bool balanced;                   ///< every edge is run through as often in one direction as in the other: what
                                     ///< GRZ_NONZERO needs. Implies `closed` and `oriented`
    uint64_t boundary_edges;         ///< edges of one face only
    uint64_t nonmanifold_edges;      ///< edges of more than two faces
    uint64_t degenerate_faces;       ///< faces with a triangle whose area is exactly 0
    uint64_t duplicate_faces;        ///< faces with the same corners as an earlier face, in any order
    uint64_t duplicate_vertices;     ///< vertices at the position of an earlier vertex
    uint64_t unused_vertices;        ///< vertices that no face uses
    uint64_t nonplanar_faces;        ///< polygons whose corners are not exactly in one plane
    uint64_t nonsimple_faces;        ///< polygons that cross themselves; their triangles are a fan
    double min[3];                   ///< lower corner of the box of the vertices that faces use
    double max[3];                   ///< its upper corner
    uint64_t first_degenerate_face;  ///< the lowest index, or GRZ_NO_ELEMENT; the same for those below
    uint64_t first_duplicate_face;   ///< see first_degenerate_face
    uint64_t first_duplicate_vertex; ///< see first_degenerate_face
    uint64_t first_unused_vertex;    ///< see first_degenerate_face
    uint64_t first_nonplanar_face;   ///< see first_degenerate_face
    uint64_t first_nonsimple_face;   ///< see first_degenerate_face
} grz_mesh_report;

/// Examine a mesh. The time grows nearly in proportion to its size.
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_MEMORY
/// Thread-safety: safe together with queries on the same mesh.
GRZ_API grz_status grz_mesh_check(const grz_mesh *mesh, grz_mesh_report *report, grz_error *error);

/// Whether every edge is a side of an even number of faces: grz_mesh_report::closed alone. It costs a small part of
/// grz_mesh_check(), and nothing if a query has asked for containment before.
///
/// @param mesh    what to examine
/// @param closed  receives the answer; false on failure
/// @param error   may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_MEMORY
/// Thread-safety: safe together with queries on the same mesh.
GRZ_API grz_status grz_mesh_is_closed(const grz_mesh *mesh, bool *closed, grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
