// SPDX-License-Identifier: MIT
// What a mesh's surface bounds, face by face: on which sides of each triangle the solid is. Known only for clean
// surfaces, which meet themselves along the edges of their triangles and in isolated points, and nowhere else.
#ifndef GRZ_INSIDE_SOLIDS_SURFACE_H
#define GRZ_INSIDE_SOLIDS_SURFACE_H

#include <pthread.h>

#include <graze/collide.h>

#include "space/bvh/bvh.h"

#define GRZ_NO_SHELL UINT32_MAX

enum {
    GRZ_NORMAL_SIDE_INSIDE = 1, // the side to which the normal points is inside
    GRZ_OTHER_SIDE_INSIDE = 2
};

// A shell is a set of triangles that are connected through common edges. Vertices and edges are identified by their
// positions. If the surface is unclean, there is nothing else.
typedef struct grz_surface {
    // The sides of the triangles are not known: the surface touches itself along an edge or an area, or crosses itself;
    // or, without the triangles that have no area, some edge is on an odd number of triangles, or (by the nonzero rule)
    // is not wound consistently; or no point inside a face of some component can be chosen, because its triangles are a
    // few ulps wide.
    bool unclean;
    uint32_t vertex_count, triangle_count, shell_count;
    uint32_t *shell;      // of each triangle; GRZ_NO_SHELL: it has no area, or both of its sides are inside
    unsigned char *sides; // of each triangle: the bits above
    uint32_t *lowest;     // weld map
    // The edges: those of lower end v are edges[starts[v]] to edges[starts[v + 1] - 1], sorted. Each is the higher end
    // << 32 | a triangle.
    size_t *starts;
    uint64_t *edges;
} grz_surface;

// Find the sides of an object's triangles, at its world positions. The rule is not GRZ_INSIDE_AUTO.
// Returns GRZ_OK, also if the surface is not clean; GRZ_ERROR_MEMORY; the control's status; an error of building the
// hierarchy. grz_surface_finish() is due in any case.
grz_status grz_surface_build(const grz_object *object, grz_inside_rule rule, grz_control *control, grz_surface *surface,
                             grz_error *error);
void grz_surface_finish(const grz_allocator *allocator, grz_surface *surface);

// The triangles on an edge, given by its ends; `count` receives how many. Each is the low half of an entry.
const uint64_t *grz_surface_edge(const grz_surface *surface, uint32_t v, uint32_t w, uint32_t *count);

// A surface in use. If the pose is exact, and that is cheap to see, it is the mesh's own: kept in a slot of the mesh,
// and computed once for all poses. Otherwise it is computed for the posed positions.
typedef struct grz_posed_surface {
    const grz_object *object;
    const grz_surface *surface;
    const grz_bvh *bvh;
    bool mirrored; // the two sides of each triangle have to be exchanged
    grz_surface own;
} grz_posed_surface;

grz_status grz_posed_surface_init(grz_posed_surface *posed, const grz_object *object, grz_inside_rule rule,
                                  grz_control *control, grz_error *error);
void grz_posed_surface_finish(const grz_allocator *allocator, grz_posed_surface *posed);

// The sign of a pose's determinant: -1 if it makes mirror images; 0: it has no inverse, or numbers above 2^300.
int grz_pose_turn(const grz_pose *pose);

// True if the object's pose moves all vertices without rounding and has an inverse. *mirrored: it is a mirror image.
bool grz_pose_is_exact(const grz_object *object, bool *mirrored);

static inline bool grz_side_is_inside(const grz_posed_surface *posed, uint32_t triangle, bool normal_side)
{
    const bool normal = normal_side != posed->mirrored;
    return (posed->surface->sides[triangle] & (normal ? GRZ_NORMAL_SIDE_INSIDE : GRZ_OTHER_SIDE_INSIDE)) != 0;
}

// The surfaces of many objects that are classified in pairs: each is examined for its pose once, or at the same time by
// several threads that need it.
typedef struct grz_surface_cache {
    grz_posed_surface **surfaces; // by object number; NULL: not examined yet. Protected by the lock
    size_t count;
    pthread_mutex_t lock;
} grz_surface_cache;

// False: there is no memory. grz_surface_cache_finish() is due only after true.
bool grz_surface_cache_init(const grz_allocator *allocator, size_t object_count, grz_surface_cache *cache);
void grz_surface_cache_finish(const grz_allocator *allocator, grz_surface_cache *cache);

// The surface of an object, by its number; the cache owns it.
// Returns as grz_posed_surface_init().
grz_status grz_surface_cache_get(grz_surface_cache *cache, uint32_t number, const grz_object *object,
                                 grz_inside_rule rule, grz_control *control, const grz_posed_surface **surface,
                                 grz_error *error);

// Which objects of a cache a pair has. `cache` NULL: the pair is the only one.
typedef struct grz_cached_pair {
    grz_surface_cache *cache;
    uint32_t a, b;
} grz_cached_pair;

#endif
