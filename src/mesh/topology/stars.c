// SPDX-License-Identifier: MIT
// Edge and vertex properties of a mesh, from the star of each vertex position.
// The star of a position is the list of face corners there, each with the positions before and after it in its face.
// All stars are stored one after another (a counting sort) and examined one by one, which is friendly to the cache. The
// edges of a star are sorted by the vertex at their other end, so that all face sides on one edge become neighbours.
// Corners that share an edge are joined (union-find), which shows whether they form a single fan. Every edge occurs in
// the stars of both its ends; it is counted in the star of the lower one.
#include "mesh/topology/stars.h"

#include <assert.h>

#include "base/control.h"
#include "base/sort/number_sort.h"
#include "mesh/clear_memory.h"

typedef struct star_corner {
    uint32_t before, after; // the neighbouring corners in the face that have other positions
} star_corner;

enum {
    CHECK_BITS = 13, // check the control once in 2^13 corners
    SHORT_STAR = 16  // a star of up to this many corners is first tested for being a ring, without sorting
};

typedef struct star_table {
    grz_control *control;
    const grz_allocator *allocator; // the control's
    const uint32_t *lowest;
    size_t steps;     // corners visited
    uint64_t *starts; // vertex_count + 1 offsets into corners
    size_t vertex_count;
    star_corner *corners;
    size_t corner_count;
    // For one star: its edge ends as other vertex << 32 | corner << 1 | direction. The direction is 1 if the face goes
    // from here to the other vertex, 0 if it comes from there.
    uint64_t *ends, *spare;
    uint32_t *parents; // for one star: the union-find forest of its corners; each tree is a fan
    size_t largest;    // corners of the largest star
} star_table;

// Visit the corners of a face: count them, or (`put`) store them in their stars. Neighbouring corners at one position
// count as one. A face whose corners all have the same position has no edges and is skipped. False if the control says
// to end.
static bool visit_face(star_table *stars, const uint32_t *corners, uint32_t count, bool put)
{
    uint32_t before = stars->lowest[corners[count - 1]], start = 0;
    while (start < count && stars->lowest[corners[start]] == before)
        start++;
    if (start == count)
        return true;
    uint32_t here = stars->lowest[corners[start]];
    for (uint32_t i = 0, at = start; i < count; i++) {
        if (grz_control_expired_at(stars->control, ++stars->steps, CHECK_BITS))
            return false;
        at = at + 1 < count ? at + 1 : 0;
        uint32_t after = stars->lowest[corners[at]];
        if (after == here)
            continue;
        assert(before != here);
        if (put)
            stars->corners[stars->starts[here]++] = (star_corner){before, after};
        else
            stars->starts[here]++;
        before = here;
        here = after;
    }
    return true;
}

// The same for all faces of a mesh of triangles. The fast path is a triangle with three different positions.
static inline grz_status visit_triangles(star_table *stars, const grz_mesh *mesh, bool put)
{
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *corners = mesh->triangles + 3 * i;
        const uint32_t a = stars->lowest[corners[0]], b = stars->lowest[corners[1]], c = stars->lowest[corners[2]];
        if (grz_control_expired_at(stars->control, i, CHECK_BITS - 2))
            return grz_control_status(stars->control);
        if (a == b || b == c || c == a) {
            if (!visit_face(stars, corners, 3, put))
                return grz_control_status(stars->control);
        } else if (put) {
            stars->corners[stars->starts[a]++] = (star_corner){c, b};
            stars->corners[stars->starts[b]++] = (star_corner){a, c};
            stars->corners[stars->starts[c]++] = (star_corner){b, a};
        } else {
            stars->starts[a]++;
            stars->starts[b]++;
            stars->starts[c]++;
        }
    }
    return GRZ_OK;
}

static grz_status visit_faces(star_table *stars, const grz_mesh *mesh, bool put)
{
    if (mesh->face_offsets == NULL)
        return put ? visit_triangles(stars, mesh, true) : visit_triangles(stars, mesh, false);
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        uint32_t count;
        const uint32_t *corners = grz_mesh_face_corners(mesh, face, &count);
        if (!visit_face(stars, corners, count, put))
            return grz_control_status(stars->control);
    }
    return GRZ_OK;
}

// Fill the stars.
static grz_status build(star_table *stars, const grz_mesh *mesh)
{
    stars->starts = grz_allocate(stars->allocator, stars->vertex_count + 1, sizeof *stars->starts);
    if (stars->starts == NULL)
        return GRZ_ERROR_MEMORY;
    if (!grz_clear_memory(stars->starts, (stars->vertex_count + 1) * sizeof *stars->starts, stars->control))
        return grz_control_status(stars->control);
    grz_status status = visit_faces(stars, mesh, false);
    if (status != GRZ_OK)
        return status;
    uint64_t total = 0;
    for (size_t v = 0; v <= stars->vertex_count; v++) {
        uint64_t count = stars->starts[v];
        stars->largest = count > stars->largest ? (size_t)count : stars->largest;
        stars->starts[v] = total;
        total += count;
    }
    stars->corner_count = (size_t)total;
    if (total == 0)
        return GRZ_OK;
    // A corner's number has 31 bits in `ends`. A star with more corners would need a hundred gigabytes of memory.
    if (stars->largest > INT32_MAX)
        return GRZ_ERROR_MEMORY;
    stars->corners = grz_allocate(stars->allocator, stars->corner_count, sizeof *stars->corners);
    stars->ends = grz_allocate(stars->allocator, 2 * stars->largest, sizeof *stars->ends);
    stars->spare = grz_allocate(stars->allocator, 2 * stars->largest, sizeof *stars->spare);
    stars->parents = grz_allocate(stars->allocator, stars->largest, sizeof *stars->parents);
    if (stars->corners == NULL || stars->ends == NULL || stars->spare == NULL || stars->parents == NULL)
        return GRZ_ERROR_MEMORY;
    // Storing the corners moves each start to the start of the next star. The loop after that moves them back.
    status = visit_faces(stars, mesh, true);
    for (size_t v = stars->vertex_count; v > 0; v--)
        stars->starts[v] = stars->starts[v - 1];
    stars->starts[0] = 0;
    return status;
}

static void finish(star_table *stars)
{
    grz_release(stars->allocator, stars->starts, stars->vertex_count + 1, sizeof *stars->starts);
    grz_release(stars->allocator, stars->corners, stars->corner_count, sizeof *stars->corners);
    grz_release(stars->allocator, stars->ends, 2 * stars->largest, sizeof *stars->ends);
    grz_release(stars->allocator, stars->spare, 2 * stars->largest, sizeof *stars->spare);
    grz_release(stars->allocator, stars->parents, stars->largest, sizeof *stars->parents);
}

static uint32_t root_of(uint32_t *parents, uint32_t i)
{
    while (parents[i] != i)
        i = parents[i] = parents[parents[i]];
    return i;
}

// Count an edge with this many face sides, `leading_away` of which go from its lower to its higher end.
static void count_edge(grz_edge_census *census, size_t sides, size_t leading_away)
{
    census->boundary += sides == 1;
    census->nonmanifold += sides > 2;
    census->odd += sides & 1;
    if (2 * leading_away != sides) {
        census->balanced = false;
        census->oriented = census->oriented && sides != 2;
    }
}

// True if the corners form a single closed ring, in which each corner shares an edge with the next and no third corner
// is on that edge. That is so at nearly every vertex of a closed, oriented mesh. Then each edge has one side in either
// direction, and there is nothing to count.
static bool is_ring(const star_corner *corners, uint32_t count)
{
    assert(count > 0);
    uint32_t at = corners[0].after;
    for (uint32_t i = 1; i < count; i++) {
        uint32_t found = 0, next = 0;
        for (uint32_t k = 0; k < count; k++)
            if (corners[k].before == at) {
                found++;
                next = k;
            }
        // The ring must not return to the first corner before all corners were visited. It cannot return to another
        // corner either: every corner reached is the only one with its `before`. So if it closes at the end, it
        // contains all corners.
        if (found != 1 || next == 0)
            return false;
        at = corners[next].after;
    }
    return at == corners[0].before;
}

// Add what one star shows to the census. False if the control says to end.
static bool examine_star(star_table *stars, uint32_t vertex, grz_edge_census *census)
{
    const star_corner *corners = stars->corners + stars->starts[vertex];
    uint32_t count = (uint32_t)(stars->starts[vertex + 1] - stars->starts[vertex]), fans = count;
    if (grz_control_expired_at(stars->control, vertex, CHECK_BITS - 2))
        return false;
    const bool ring = count <= SHORT_STAR && is_ring(corners, count);
    census->rings = census->rings && ring && count >= 3;
    if (ring)
        return true;
    for (uint32_t i = 0; i < count; i++) {
        if (grz_control_expired_at(stars->control, ++stars->steps, CHECK_BITS))
            return false;
        stars->ends[2 * (size_t)i] = (uint64_t)corners[i].before << 32 | (uint64_t)i << 1;
        stars->ends[2 * (size_t)i + 1] = (uint64_t)corners[i].after << 32 | (uint64_t)i << 1 | 1;
        stars->parents[i] = i;
    }
    if (!grz_sort_numbers(stars->ends, stars->spare, 2 * (size_t)count, stars->control))
        return false;
    for (size_t i = 0, next; i < 2 * (size_t)count; i = next) {
        uint64_t other = stars->ends[i] >> 32;
        size_t leading_away = 0;
        uint32_t root = root_of(stars->parents, (uint32_t)stars->ends[i] >> 1);
        for (next = i; next < 2 * (size_t)count && stars->ends[next] >> 32 == other; next++) {
            if (grz_control_expired_at(stars->control, ++stars->steps, CHECK_BITS))
                return false;
            leading_away += stars->ends[next] & 1;
            uint32_t joined = root_of(stars->parents, (uint32_t)stars->ends[next] >> 1);
            if (joined != root) {
                stars->parents[joined] = root;
                fans--;
            }
        }
        assert(other != vertex);
        if (other > vertex)
            count_edge(census, next - i, leading_away);
    }
    if (fans > 1)
        census->fans = false;
    return true;
}

grz_status grz_stars_examine(const grz_mesh *mesh, const uint32_t *lowest, grz_control *control,
                             grz_edge_census *census)
{
    star_table stars = {.control = control,
                        .allocator = grz_control_allocator(control),
                        .lowest = lowest,
                        .vertex_count = mesh->vertex_count};
    *census = (grz_edge_census){.fans = true, .oriented = true, .balanced = true, .rings = true};
    grz_status status = build(&stars, mesh);
    if (stars.corner_count < mesh->corner_total) // some corners were merged or skipped
        census->rings = false;
    if (status == GRZ_OK && stars.corner_count > 0)
        for (uint32_t vertex = 0; vertex < mesh->vertex_count && status == GRZ_OK; vertex++)
            if (stars.starts[vertex] != stars.starts[vertex + 1] && !examine_star(&stars, vertex, census))
                status = grz_control_status(control);
    finish(&stars);
    return status;
}
