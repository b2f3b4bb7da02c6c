// SPDX-License-Identifier: MIT
// How a mesh is stored. A mesh keeps the user's faces and a triangulation of them; results name faces, filters work on
// triangles. Data derived from a mesh (topology, BVH, GPU buffers) is kept in its slots.
#ifndef GRZ_MESH_MESH_H
#define GRZ_MESH_MESH_H

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include <graze/mesh.h>

#include "base/control_type.h"
#include "geometry/box.h"

// How a derived state is created and released: data that is computed from a mesh and kept with it, such as a BVH,
// OpenGL buffers or a topology. The address of the type is the key under which the state is kept, so a new kind of
// state needs no change here.
typedef struct grz_slot_type {
    // Bring *state (NULL at first) up to date with the mesh's current positions: build it, or refit what is there. On
    // failure, and if the control says to end, *state is NULL or something that a later prepare or release accepts.
    // Memory comes from the control's allocator; `release` returns it through the mesh's allocator.
    grz_status (*prepare)(const grz_mesh *mesh, grz_control *control, void **state, grz_error *error);
    void (*release)(const grz_mesh *mesh, void *state);
} grz_slot_type;

// One such state of a mesh (mesh/slots.c).
typedef struct grz_slot grz_slot;

// A run is GRZ_RUN triangles with consecutive numbers, and its vertex range goes from the lowest to the highest vertex
// that they use. In most files neighbouring triangles have neighbouring numbers, so the range is short. A test of all
// vertices in the range (for example "all are below this box") then holds for all triangles of the run.
enum {
    GRZ_RUN = 64 // triangles; the last run may be shorter
};

typedef struct grz_vertex_range {
    uint32_t first, last; // both included
} grz_vertex_range;

// The owner of the data of a mesh that is not in main memory (mesh/source.h).
typedef struct grz_mesh_source grz_mesh_source;

struct grz_mesh {
    grz_device *device;
    atomic_uint references;         // one for the caller, one for each object of a scene
    const grz_allocator *allocator; // the device's
    double *positions;              // vertex_count × 3, and one more, so that four doubles can be read at every vertex
    uint32_t vertex_count;
    uint32_t face_count;
    uint32_t triangle_count;
    uint32_t *triangles;    // triangle_count × 3 vertex indices, in the order of the faces
    grz_vertex_range *runs; // one for each GRZ_RUN triangles
    // The next four are NULL if every face is a triangle; face i is then triangle i.
    uint32_t *triangle_faces; // the face of each triangle, ascending
    uint8_t *triangle_sides;  // for each triangle: bit i is set if edge i is a side of its face (and not a diagonal)
    uint32_t *corners;        // corner_total vertex indices, face after face
    uint64_t *face_offsets;   // face_count + 1 offsets into corners
    uint64_t corner_total;
    uint64_t nonsimple_faces;      // polygons that cross themselves; their triangles are a fan from corner 0
    uint64_t first_nonsimple_face; // or GRZ_NO_ELEMENT
    // For each vertex, the lowest vertex that had the same position at creation. Vertices with equal numbers are one
    // corner of the mesh. NULL if all numbers are different (no equal positions, or GRZ_MESH_INDEX_ONLY).
    uint32_t *identity;
    // For each vertex, the number that the caller knows it by. NULL: its own index. Only a part of a mesh has such
    // numbers (mesh/source.h).
    uint32_t *vertex_numbers;
    grz_scalar position_type; // of the caller's positions
    size_t position_stride;   // of the caller's positions, in bytes; never 0
    uint32_t flags;
    uint64_t version;           // 1 at creation, plus 1 with each change of positions
    uint64_t *used;             // one bit per vertex, lowest bit first: a face uses it; NULL if faces use all vertices
    grz_box bounds;             // AABB of the vertices that faces use
    double max_abs[3];          // the largest magnitude of each coordinate over all vertices
    grz_mesh_source *source;    // NULL: the data is in main memory. Otherwise the arrays above are NULL
    pthread_mutex_t slots_lock; // held while a slot is added
    bool has_slots_lock;        // false in a half-built mesh
    _Atomic(grz_slot *) slots;  // a linked list; slots are added, and removed only all at once
};

// How many doubles `positions` has room for.
static inline size_t grz_mesh_position_room(const grz_mesh *mesh)
{
    return (size_t)mesh->vertex_count * 3 + 1;
}

static inline const double *grz_mesh_position(const grz_mesh *mesh, uint32_t vertex)
{
    assert(mesh->positions != NULL && vertex < mesh->vertex_count);
    return mesh->positions + (size_t)vertex * 3;
}

static inline uint32_t grz_mesh_run_count(const grz_mesh *mesh)
{
    return mesh->triangle_count / GRZ_RUN + (mesh->triangle_count % GRZ_RUN != 0);
}

static inline uint32_t grz_mesh_triangle_face(const grz_mesh *mesh, uint32_t triangle)
{
    assert(triangle < mesh->triangle_count);
    return mesh->triangle_faces != NULL ? mesh->triangle_faces[triangle] : triangle;
}

// The number that the caller knows a vertex by.
static inline uint32_t grz_mesh_vertex_number(const grz_mesh *mesh, uint32_t vertex)
{
    assert(vertex < mesh->vertex_count);
    return mesh->vertex_numbers != NULL ? mesh->vertex_numbers[vertex] : vertex;
}

// True if edge i of a triangle, from corner i to corner (i + 1) % 3, is a side of its face; false if it is a diagonal.
static inline bool grz_mesh_edge_is_side(const grz_mesh *mesh, uint32_t triangle, int i)
{
    assert(triangle < mesh->triangle_count && i >= 0 && i < 3);
    return mesh->triangle_sides == NULL || (mesh->triangle_sides[triangle] >> i & 1) != 0;
}

// True if a face uses the vertex.
static inline bool grz_mesh_uses(const grz_mesh *mesh, uint32_t vertex)
{
    assert(vertex < mesh->vertex_count);
    return mesh->used == NULL || (mesh->used[vertex / 64] >> vertex % 64 & 1) != 0;
}

// The corners of a face as vertex indices, in order. `count` receives their number, at least 3.
static inline const uint32_t *grz_mesh_face_corners(const grz_mesh *mesh, uint32_t face, uint32_t *count)
{
    assert(face < mesh->face_count);
    if (mesh->face_offsets == NULL) {
        *count = 3;
        return mesh->triangles + (size_t)face * 3;
    }
    *count = (uint32_t)(mesh->face_offsets[face + 1] - mesh->face_offsets[face]);
    return mesh->corners + mesh->face_offsets[face];
}

// The corner identity of a vertex. Two vertices with equal identities were at one position when the mesh was created;
// they are one corner of the mesh even after new positions have separated them.
static inline uint32_t grz_mesh_identity(const grz_mesh *mesh, uint32_t vertex)
{
    assert(vertex < mesh->vertex_count);
    return mesh->identity != NULL ? mesh->identity[vertex] : vertex;
}

// The representative of a vertex: the lowest vertex of the same corner identity if both still have the same position,
// otherwise the vertex itself.
static inline uint32_t grz_mesh_representative(const grz_mesh *mesh, uint32_t vertex)
{
    const uint32_t same = grz_mesh_identity(mesh, vertex);
    const double *p = grz_mesh_position(mesh, vertex), *q = grz_mesh_position(mesh, same);
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2] ? same : vertex;
}

// The mesh's state of a type, brought up to date with the mesh's positions first. It stays valid until the mesh's
// positions change or the mesh is destroyed. Safe from several threads at once: one does the work, the others wait,
// each under its own control.
grz_status grz_mesh_slot_get(const grz_mesh *mesh, const grz_slot_type *type, grz_control *control, void **state,
                             grz_error *error);

// True if the state is up to date, so that getting it costs nothing.
bool grz_mesh_slot_ready(const grz_mesh *mesh, const grz_slot_type *type);

// True if there is a state, up to date or not.
bool grz_mesh_slot_has_state(const grz_mesh *mesh, const grz_slot_type *type);

// True if there is a state that is out of date and that no thread is working on. `avoided` receives how many queries
// have worked without it since the positions changed.
bool grz_mesh_slot_is_stale(const grz_mesh *mesh, const grz_slot_type *type, uint32_t *avoided);

// Count a query that worked without the state although there is one.
void grz_mesh_slot_count_avoided(const grz_mesh *mesh, const grz_slot_type *type);

// Add an owner. Every owner calls grz_mesh_destroy() when it is done.
void grz_mesh_retain(const grz_mesh *mesh);

// Create a mesh under a control. Its arrays are the device's allocator's, which the control must count for.
grz_status grz_mesh_make(grz_device *device, const grz_mesh_description *description, grz_control *control,
                         grz_mesh **mesh, grz_error *error);

// Create the list of slots; destroy it with every state in it. False if the system refuses a lock; _finish() must then
// be called all the same.
bool grz_mesh_slots_init(grz_mesh *mesh);
void grz_mesh_slots_finish(grz_mesh *mesh);

// Destroy every state, because the mesh is about to have other triangles. No other thread may be using the mesh.
void grz_mesh_slots_clear(grz_mesh *mesh);

#endif
