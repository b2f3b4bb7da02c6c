// SPDX-License-Identifier: MIT
// How a mesh is stored, and the slots where methods keep what they derive from it.
#ifndef GRZ_MESH_MESH_H
#define GRZ_MESH_MESH_H

#include <pthread.h>

#include <graze/mesh.h>

#include "base/control.h"
#include "geometry/box.h"

// What can be derived from a mesh and kept with it, one slot each.
typedef enum grz_slot {
    GRZ_SLOT_TOPOLOGY, // mesh/topology.h
    GRZ_SLOT_BVH,      // space/bvh.h
    GRZ_SLOT_GL,       // image/mesh_buffers.h
    GRZ_SLOT_COPY,     // mesh/source.h
    GRZ_SLOT_COUNT
} grz_slot;

// How a slot's state is made and freed.
typedef struct grz_slot_type {
    // Bring *state (NULL at first) up to date with the mesh's present positions: build, or refit what is there. On failure, and
    // where the control says to end, *state is NULL or something that a later prepare or release can take. Memory comes from the
    // control's allocator; `release` gives it back through the mesh's.
    grz_status (*prepare)(const grz_mesh *mesh, grz_control *control, void **state, grz_error *error);
    void (*release)(const grz_mesh *mesh, void *state);
} grz_slot_type;

typedef struct grz_slot_entry {
    pthread_mutex_t lock;
    pthread_cond_t ready;      // no longer busy; timed by the monotonic clock
    bool has_lock;             // false in a half-built mesh
    bool busy;                 // a thread is bringing the state up to date, outside of the lock
    const grz_slot_type *type; // NULL while the slot is empty
    void *state;
    uint64_t version;        // of the mesh when the state was brought up to date; 0: never
    uint64_t spared_version; // of the mesh when a query last did without the state, and how many of that version's did
    uint32_t spared;
} grz_slot_entry;

// Triangles in runs, by number, and the least and the largest vertex of a run: where neighbours have neighbouring numbers, as in most
// files, what holds for that range of vertices holds for all of its triangles.
enum {
    GRZ_RUN = 64 // triangles; the last run may be shorter
};

typedef struct grz_vertex_range {
    uint32_t first, last;
} grz_vertex_range;

// Who has a mesh's data where memory has not (mesh/source.h).
typedef struct grz_mesh_source grz_mesh_source;

struct grz_mesh {
    grz_device *device;
    atomic_uint references;         // the caller's, and one for each object of a scene
    const grz_allocator *allocator; // the device's
    double *positions;              // vertex_count × 3, and one more, so that four may be read at every vertex
    uint32_t vertex_count;
    uint32_t face_count;
    uint32_t triangle_count;
    uint32_t *triangles;      // triangle_count × 3 vertex indices, face after face
    grz_vertex_range *runs;   // of each GRZ_RUN triangles
    uint32_t *triangle_faces; // the face of each triangle, ascending; NULL where every face is one triangle and has its number
    uint8_t *triangle_sides;  // bit i: edge i of the triangle is a side of its face; NULL where every face is one triangle
    uint32_t *corners;        // corner_total vertex indices, face after face; NULL where every face is one triangle (see triangles)
    uint64_t *face_offsets;   // face_count + 1 offsets into corners; NULL where every face is one triangle
    uint64_t corner_total;
    uint64_t nonsimple_faces;      // polygons that cross themselves, fanned from their first corner
    uint64_t first_nonsimple_face; // or GRZ_NO_ELEMENT
    // vertex_count numbers: the lowest vertex at the same position at creation; NULL where no two vertices are the same corner (no
    // equal positions, or GRZ_MESH_INDEX_ONLY)
    uint32_t *identity;
    uint32_t *vertex_numbers; // the caller's number of each vertex; NULL: its own. Only parts of a mesh have any (mesh/source.h)
    grz_scalar position_type;
    size_t position_stride; // bytes, never 0
    uint32_t flags;
    uint64_t version;        // starts at 1, one more with each grz_mesh_set_positions()
    uint64_t *used;          // a bit for each vertex that a face uses, lowest bit first; NULL where faces use all of them
    grz_box bounds;          // of the vertices that faces use
    double max_abs[3];       // largest magnitude of each coordinate over all vertices
    grz_mesh_source *source; // NULL: the data is here; else positions, triangles and what is derived of them are NULL
    grz_slot_entry slots[GRZ_SLOT_COUNT];
};

// Numbers that `positions` has room for.
static inline size_t grz_mesh_position_room(const grz_mesh *mesh)
{
    return (size_t)mesh->vertex_count * 3 + 1;
}

static inline const double *grz_mesh_position(const grz_mesh *mesh, uint32_t vertex)
{
    return mesh->positions + (size_t)vertex * 3;
}

static inline uint32_t grz_mesh_run_count(const grz_mesh *mesh)
{
    return mesh->triangle_count / GRZ_RUN + (mesh->triangle_count % GRZ_RUN != 0);
}

static inline uint32_t grz_mesh_triangle_face(const grz_mesh *mesh, uint32_t triangle)
{
    return mesh->triangle_faces != NULL ? mesh->triangle_faces[triangle] : triangle;
}

// A vertex as the caller numbered it.
static inline uint32_t grz_mesh_vertex_number(const grz_mesh *mesh, uint32_t vertex)
{
    return mesh->vertex_numbers != NULL ? mesh->vertex_numbers[vertex] : vertex;
}

// Whether edge i of a triangle, from corner i to corner (i + 1) % 3, is a side of its face, and no diagonal.
static inline bool grz_mesh_edge_is_side(const grz_mesh *mesh, uint32_t triangle, int i)
{
    return mesh->triangle_sides == NULL || (mesh->triangle_sides[triangle] >> i & 1) != 0;
}

static inline bool grz_mesh_uses(const grz_mesh *mesh, uint32_t vertex)
{
    return mesh->used == NULL || (mesh->used[vertex / 64] >> vertex % 64 & 1) != 0;
}

// The corners of a face, vertex indices in order. `count` receives their number, at least 3.
static inline const uint32_t *grz_mesh_face_corners(const grz_mesh *mesh, uint32_t face, uint32_t *count)
{
    if (mesh->face_offsets == NULL) {
        *count = 3;
        return mesh->triangles + (size_t)face * 3;
    }
    *count = (uint32_t)(mesh->face_offsets[face + 1] - mesh->face_offsets[face]);
    return mesh->corners + mesh->face_offsets[face];
}

// Two vertices with equal numbers are the same corner of the mesh, wherever they are now.
static inline uint32_t grz_mesh_identity(const grz_mesh *mesh, uint32_t vertex)
{
    return mesh->identity != NULL ? mesh->identity[vertex] : vertex;
}

// The vertex that stands for all that were the same corner as this one at creation and still lie at its position.
static inline uint32_t grz_mesh_vertex_name(const grz_mesh *mesh, uint32_t vertex)
{
    const uint32_t same = grz_mesh_identity(mesh, vertex);
    const double *p = grz_mesh_position(mesh, vertex), *q = grz_mesh_position(mesh, same);
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2] ? same : vertex;
}

// The state of a slot, brought up to date with the mesh's positions first. It stays valid until the mesh's positions change or it
// is destroyed. Safe from several threads at once: one does the work, the others wait, each under its own control.
grz_status grz_mesh_slot_get(const grz_mesh *mesh, grz_slot slot, const grz_slot_type *type, grz_control *control, void **state,
                             grz_error *error);

// Whether a slot's state is up to date, so that getting it costs nothing.
bool grz_mesh_slot_ready(const grz_mesh *mesh, grz_slot slot);

// Whether there is a state, out of date and with nobody at work on it; `spared` receives how many queries have done without it since
// the positions changed.
bool grz_mesh_slot_is_stale(const grz_mesh *mesh, grz_slot slot, uint32_t *spared);

// Count a query that did without a slot's state.
void grz_mesh_slot_spare(const grz_mesh *mesh, grz_slot slot);

// One more owner; each calls grz_mesh_destroy() when it is done.
void grz_mesh_retain(const grz_mesh *mesh);

// Make a mesh, its arrays from an allocator that can give back through the device's.
grz_status grz_mesh_make(grz_device *device, const grz_mesh_description *description, const grz_allocator *allocator,
                         grz_mesh **mesh, grz_error *error);

// Make and destroy the locks of all slots. False: the system refuses one; finish is due all the same.
bool grz_mesh_slots_init(grz_mesh *mesh);
void grz_mesh_slots_finish(grz_mesh *mesh);

#endif
