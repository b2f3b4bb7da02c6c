// SPDX-License-Identifier: MIT
/// @file
/// Triangle meshes: made once, moved by poses, deformed by new positions.
#ifndef GRAZE_MESH_H
#define GRAZE_MESH_H

#include <graze/device.h>

#ifdef __cplusplus
extern "C" {
#endif

/// No coordinate may be larger than this in magnitude: 2^300.
#define GRZ_MAX_COORDINATE 0x1p300

/// A mesh may not have more triangles than this, after its polygons were triangulated: 2^32 - 2.
#define GRZ_MAX_TRIANGLES UINT32_C(0xfffffffe)

/// How coordinates are stored.
typedef enum grz_scalar {
    GRZ_FLOAT32,
    GRZ_FLOAT64
} grz_scalar;

enum {
    /// Only equal indices make corners the same; equal positions do not (see docs/numbers.md, self-collision).
    GRZ_MESH_INDEX_ONLY = 1u << 0,
    /// Trees over the mesh are built in about a sixth less time, and queries with them take up to a third as long again: for meshes
    /// that are replaced every few queries. Answers are the same.
    GRZ_MESH_FAST_BUILD = 1u << 1
};

/// What a mesh is made of. Start from grz_default_mesh_description(). Everything is copied; nothing is kept.
typedef struct grz_mesh_description {
    size_t size;                   ///< sizeof this structure, as the caller knows it
    const void *positions;         ///< vertex_count × 3 numbers of type `position_type`: x, y, z
    grz_scalar position_type;      ///< GRZ_FLOAT32 unless set
    uint64_t vertex_count;         ///< at most 2^32 - 1
    size_t position_stride;        ///< bytes from one vertex to the next; 0: packed
    const uint32_t *indices;       ///< index_count corners, face after face; NULL: a soup, corners are 0, 1, 2, …
    uint64_t index_count;          ///< corners of all faces together
    uint64_t face_count;           ///< at least 1
    const uint32_t *corner_counts; ///< face_count numbers, each at least 3; NULL: every face has `corners_per_face`
    uint32_t corners_per_face;     ///< used where corner_counts is NULL; 3 unless set
    uint32_t flags;                ///< GRZ_MESH_…
} grz_mesh_description;

/// Opaque. Queries with the same const mesh may run on several threads at once; grz_mesh_set_positions() needs it alone.
typedef struct grz_mesh grz_mesh;

/// @return an empty description of triangles with float32 positions.
GRZ_API grz_mesh_description grz_default_mesh_description(void);

/// Make a mesh.
///
/// A face with more than three corners is triangulated here, once: a fan from its first corner where its projection along the
/// largest Newell axis is strictly convex, ear clipping otherwise, and a fan again where it crosses itself (grz_mesh_check() counts
/// those). Results name the caller's faces, never the triangles.
///
/// @param device       whose threads and allocator the mesh uses; outlives it
/// @param description  what the mesh is made of; nothing of it is kept
/// @param mesh         receives the mesh; NULL on failure. Destroy it with grz_mesh_destroy()
/// @param error        may be NULL. `element` is the vertex or face at fault
/// @return GRZ_OK; GRZ_ERROR_MESH (a NaN, infinite or too large coordinate, an index out of range, a face of fewer than three
///         corners, no faces, too many triangles); GRZ_ERROR_ARGUMENT; GRZ_ERROR_MEMORY
GRZ_API grz_status grz_mesh_create(grz_device *device, const grz_mesh_description *description, grz_mesh **mesh, grz_error *error);

/// Destroy a mesh. NULL is accepted. No query may be using it. A mesh that objects of a scene share lives on in them.
GRZ_API void grz_mesh_destroy(grz_mesh *mesh);

/// Give every vertex a new position; faces, their triangulation and the identity of corners stay.
///
/// @param mesh       its trees are refitted by the next query or grz_mesh_prepare()
/// @param positions  vertex_count × 3 numbers, type and stride as at creation
/// @param error      may be NULL. `element` is the vertex at fault
/// @return GRZ_OK; GRZ_ERROR_MESH (the mesh is unchanged then); GRZ_ERROR_ARGUMENT; GRZ_ERROR_MEMORY
/// Thread-safety: needs the mesh alone.
GRZ_API grz_status grz_mesh_set_positions(grz_mesh *mesh, const void *positions, grz_error *error);

/// Build what queries by a method need of a mesh ahead of the first one: its tree, and what containment asks of its edges and
/// components.
///
/// @param mesh    what is built is kept with it
/// @param method  a method's name; NULL: the one that `auto` would choose
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

/// What is in a mesh and what is wrong with it. Vertices at equal positions count as one for edges, components and what follows
/// from them. Faces mean the caller's faces; edges are the edges of those faces.
typedef struct grz_mesh_report {
    uint64_t vertices;               ///< as grz_mesh_vertex_count()
    uint64_t faces;                  ///< as grz_mesh_face_count()
    uint64_t triangles;              ///< as grz_mesh_triangle_count()
    uint64_t components;             ///< sets of faces joined through shared vertex positions
    bool closed;                     ///< every edge lies on an even number of faces' sides
    bool manifold;                   ///< no edge on more than two sides, and the faces around each vertex form one fan
    bool oriented;                   ///< neighbours across every two-sided edge run through it in opposite directions
    uint64_t boundary_edges;         ///< edges on one side only
    uint64_t nonmanifold_edges;      ///< edges on more than two sides
    uint64_t degenerate_faces;       ///< faces with a triangle of exactly no area
    uint64_t duplicate_faces;        ///< faces with the same corners as an earlier one, in any order
    uint64_t duplicate_vertices;     ///< vertices at the position of an earlier one
    uint64_t unused_vertices;        ///< vertices that no face uses
    uint64_t nonplanar_faces;        ///< polygons whose corners do not lie in one plane, exactly
    uint64_t nonsimple_faces;        ///< polygons that cross themselves and were fanned
    double min[3];                   ///< lower bounds of the vertices that faces use
    double max[3];                   ///< upper bounds
    uint64_t first_degenerate_face;  ///< the first by index, or GRZ_NO_ELEMENT; so are those below
    uint64_t first_duplicate_face;   ///< see first_degenerate_face
    uint64_t first_duplicate_vertex; ///< see first_degenerate_face
    uint64_t first_unused_vertex;    ///< see first_degenerate_face
    uint64_t first_nonplanar_face;   ///< see first_degenerate_face
    uint64_t first_nonsimple_face;   ///< see first_degenerate_face
} grz_mesh_report;

/// Examine a mesh. Time is near linear in its size.
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_MEMORY
/// Thread-safety: safe together with queries on the same mesh.
GRZ_API grz_status grz_mesh_check(const grz_mesh *mesh, grz_mesh_report *report, grz_error *error);

/// Whether every edge lies on an even number of faces' sides: the member `closed` of grz_mesh_report alone, at a small part of the
/// cost, and at none where a query has asked for containment already.
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
