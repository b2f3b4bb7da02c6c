// SPDX-License-Identifier: MIT
// The state of ear clipping, shared by its files: ears.c (which corner is clipped next), blocked.c (is a triangle an
// ear?), polygon_hubs.c (points at which many corners meet) and watch.c (which corners need another test).
#ifndef GRZ_GEOMETRY_POLYGON_CLIPPER_H
#define GRZ_GEOMETRY_POLYGON_CLIPPER_H

#include "geometry/polygon/balanced.h"
#include "geometry/polygon/bit_set.h"
#include "geometry/polygon/polygon_parts.h"

// Which corners may be clipped. A level is used only if the level before it finds no ear among all corners left.
typedef enum grz_ear_level {
    GRZ_EAR_CLEAR,   // a convex corner, and no other corner in its closed triangle
    GRZ_EAR_TOUCHED, // other corners may lie on the triangle's boundary, if no edge of theirs enters the triangle
    GRZ_EAR_FOLDED,  // a triangle without area: a repeated point, or the tip of a doubled edge
    GRZ_EAR_STRAIGHT, // a triangle without area: a corner between its neighbours; one per round, as better ones may follow
    GRZ_EAR_LEVELS
} grz_ear_level;

// A uniform grid over the corners left.
typedef struct grz_ear_grid {
    double low[2], cells_per_unit[2]; // in units of coordinates times `scale`
    grz_power_of_two scale[2];
    uint32_t size[2]; // cells along each axis
    uint32_t corner_count;
    uint32_t *cell_starts, *cell_corners, *corner_cells;
} grz_ear_grid;

// Points with many corners (polygon_hubs.c). Off until ear clipping has passed over too many corners at the same
// points.
typedef struct grz_ear_hubs {
    bool on;
    uint32_t count;
    grz_polygon_hub *hubs;
    uint32_t *hub_of;         // the hub of each corner, or GRZ_NO_NODE
    grz_balanced_node *nodes; // spokes: 2c leads from corner c to the one before it, 2c + 1 to the one after it
    uint32_t *targets; // the corner at the end of each spoke, or GRZ_NO_NODE if the spoke is not in its hub's tree
} grz_ear_hubs;

// Which corners need a test (watch.c). Off until too many rounds have tested all corners.
typedef struct grz_ear_watch {
    bool on;
    grz_bit_set due[GRZ_EAR_LEVELS]; // the corners that a test at this level may find to be an ear
    uint32_t *heads;                 // the first record of each list, or GRZ_NO_NODE. The lists: grz_ear_blocker
    grz_polygon_watcher *watchers;   // record 2c: corner c is no ear at GRZ_EAR_CLEAR; 2c + 1: at GRZ_EAR_TOUCHED
} grz_ear_watch;

typedef struct grz_clipper {
    const double *points;
    grz_polygon_corner *ring;
    uint32_t *round_corners, *next_corners; // the corners to test in this round and in the next
    uint32_t round_count, next_count, round;
    uint32_t round_at;    // how far this round has come
    uint32_t round_first; // where a full round began
    bool full_round;      // this round goes through the corners that watch.c has for its level
    grz_ear_grid grid;
    grz_polygon_scratch *scratch;
    const grz_allocator *allocator;
    grz_corner_tree tree; // empty until a triangle needs it
    uint32_t tree_left;   // how many corners were left when the tree was built
    grz_ear_hubs hubs;
    grz_ear_watch watch;
    uint64_t random;
    uint64_t steps;             // corners, cells and triangles visited
    uint64_t touches;           // corners on the boundary of a triangle that did not block it
    uint64_t most_touches;      // more, and polygon_hubs.c is used
    uint64_t full_tests;        // corners in those rounds that test all
    uint32_t blocker;           // what blocked the last triangle: the list of watch.c for that
    uint32_t count;             // corners of the polygon
    uint32_t left, some_corner; // how many corners are left, and one of them
    int orientation;            // of the polygon: 1 counter-clockwise, -1 clockwise
    uint32_t *triangles;
    size_t triangle_count;
    bool fold_first; // clip folded corners wherever they occur, before other ears
    bool ended;      // there is no memory, or the control says to end
} grz_clipper;

static inline const double *grz_clipper_point(const grz_clipper *clipper, uint32_t corner)
{
    return clipper->points + 2 * (size_t)corner;
}

// The turn at j on the way from i to j to k, relative to the polygon's orientation: 1 convex, 0 straight, -1 reflex.
static inline int grz_clipper_turn(const grz_clipper *clipper, uint32_t i, uint32_t j, uint32_t k)
{
    return clipper->orientation *
           grz_orient2d(grz_clipper_point(clipper, i), grz_clipper_point(clipper, j), grz_clipper_point(clipper, k));
}

static inline int grz_clipper_turn_at(const grz_clipper *clipper, uint32_t corner)
{
    return grz_clipper_turn(clipper, clipper->ring[corner].previous, corner, clipper->ring[corner].next);
}

// The next of a fixed sequence of random numbers. No triangle depends on it.
static inline uint32_t grz_clipper_random(grz_clipper *clipper)
{
    clipper->random = clipper->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(clipper->random >> 33);
}

// Sort the corners left into the grid.
void grz_clipper_build_grid(grz_clipper *clipper);

// True if any corner prevents the triangle, which has the polygon's orientation, from being an ear at this level:
// GRZ_EAR_CLEAR or GRZ_EAR_TOUCHED. `blocker` then says which.
bool grz_clipper_is_blocked(grz_clipper *clipper, const uint32_t triangle[3], grz_ear_level level);

// Set whether a corner is convex and whether it was removed. If neither, it can block triangles. Keeps the tree, the
// hubs and the lists of what is blocked up to date.
void grz_clipper_set_corner(grz_clipper *clipper, uint32_t corner, bool convex, bool removed);

// Where a point lies. At GRZ_EAR_CLEAR all of the closed triangle but its corners counts as inside.
typedef enum grz_ear_place {
    GRZ_EAR_OUTSIDE,
    GRZ_EAR_INSIDE,     // a corner there blocks the triangle
    GRZ_EAR_AT_BOUNDARY // a corner there blocks it if an edge leads inside
} grz_ear_place;

// Where the point of corner v lies. side[i]: its turn around the triangle's side i, unless it is outside.
grz_ear_place grz_clipper_place(const grz_clipper *clipper, const uint32_t triangle[3], uint32_t v, grz_ear_level level,
                                int side[3]);

// True if the step from a boundary point of the triangle to corner p enters its interior. side[i] is 0 for the sides
// that the boundary point lies on; p must be to the left of each of them.
bool grz_clipper_leads_inside(const grz_clipper *clipper, const uint32_t triangle[3], const int side[3], uint32_t p);

// Find the points at which many of the corners left meet, and keep the edges there sorted from now on. False if memory
// is out, or if the control says to end.
bool grz_hubs_start(grz_clipper *clipper);

// A corner of a hub was removed, or its neighbours have changed.
void grz_hubs_update(grz_clipper *clipper, uint32_t corner);

// As grz_clipper_is_blocked(), by the corners of one hub.
bool grz_hubs_block(grz_clipper *clipper, const uint32_t triangle[3], uint32_t hub, grz_ear_level level);

// What blocks a triangle, as the number of a list. The first holds until the corner is convex or removed, the second
// until its neighbours change as well, the third until all corners of the hub are convex or removed.
static inline uint32_t grz_blocked_by_corner(uint32_t corner)
{
    return 3 * corner;
}
static inline uint32_t grz_blocked_by_edge(uint32_t corner)
{
    return 3 * corner + 1;
}
static inline uint32_t grz_blocked_by_hub(uint32_t hub)
{
    return 3 * hub + 2;
}

// From now on, remember for each corner that is no ear what blocks it. False if there is no memory.
bool grz_watch_start(grz_clipper *clipper);

// A test found that a corner is no ear at this level.
void grz_watch_blocked(grz_clipper *clipper, uint32_t corner, grz_ear_level level);

// All corners in a list need a test again.
void grz_watch_release(grz_clipper *clipper, uint32_t blocker);

// A corner needs a test at all levels, because its neighbours have changed; or none, because it was removed.
void grz_watch_renew(grz_clipper *clipper, uint32_t corner);
void grz_watch_remove(grz_clipper *clipper, uint32_t corner);

#endif
