// SPDX-License-Identifier: MIT
// A star is the list of face corners at one position, each with the positions before and after it in its face. Stars are laid out
// by counting and looked at one by one, in cache: sorting the ends of a star's edges by the vertex at the other end brings the
// sides of each edge together, and joining the corners that share an edge tells whether they form one fan. Every edge is met at
// both its ends and counted at the lower one.
#include "mesh/stars.h"

#include "mesh/clear_memory.h"
#include "base/number_sort.h"

typedef struct star_corner {
    uint32_t before, after; // the neighbours in the face, at other positions
} star_corner;

enum {
    LOOK_BITS = 13, // corners between two looks at the control, as a power of two
    SHORT_STAR = 16 // corners that are walked round without sorting
};

typedef struct stars {
    grz_control *control;
    const grz_allocator *allocator; // the control's
    const uint32_t *lowest;
    size_t steps;     // corners looked at
    uint64_t *starts; // vertex_count + 1 offsets into corners
    size_t vertex_count;
    star_corner *corners;
    size_t corner_count;
    uint64_t *ends, *spare; // of one star: the other vertex << 32 | corner << 1 | 1 where the side leads there
    uint32_t *parents;      // of one star's corners: the fans
    size_t largest;         // corners of the largest star
} stars;

// Visit a face's corners, those at one position in a row taken as one: count them, or put them where their star begins. A face
// whose corners all lie at one position has no edges and is left out. False: the control says to end.
static bool visit_face(stars *s, const uint32_t *corners, uint32_t count, bool put)
{
    uint32_t before = s->lowest[corners[count - 1]], start = 0;
    while (start < count && s->lowest[corners[start]] == before)
        start++;
    if (start == count)
        return true;
    uint32_t here = s->lowest[corners[start]];
    for (uint32_t i = 0, at = start; i < count; i++) {
        if (grz_control_expired_at(s->control, ++s->steps, LOOK_BITS))
            return false;
        at = at + 1 < count ? at + 1 : 0;
        uint32_t after = s->lowest[corners[at]];
        if (after == here)
            continue;
        if (put)
            s->corners[s->starts[here]++] = (star_corner){before, after};
        else
            s->starts[here]++;
        before = here;
        here = after;
    }
    return true;
}

// The same for all faces of a mesh of triangles. Nearly all have corners at three positions.
static inline grz_status visit_triangles(stars *s, const grz_mesh *mesh, bool put)
{
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *corners = mesh->triangles + 3 * i;
        const uint32_t a = s->lowest[corners[0]], b = s->lowest[corners[1]], c = s->lowest[corners[2]];
        if (grz_control_expired_at(s->control, i, LOOK_BITS - 2))
            return grz_control_status(s->control);
        if (a == b || b == c || c == a) {
            if (!visit_face(s, corners, 3, put))
                return grz_control_status(s->control);
        } else if (put) {
            s->corners[s->starts[a]++] = (star_corner){c, b};
            s->corners[s->starts[b]++] = (star_corner){a, c};
            s->corners[s->starts[c]++] = (star_corner){b, a};
        } else {
            s->starts[a]++;
            s->starts[b]++;
            s->starts[c]++;
        }
    }
    return GRZ_OK;
}

static grz_status visit_faces(stars *s, const grz_mesh *mesh, bool put)
{
    if (mesh->face_offsets == NULL)
        return put ? visit_triangles(s, mesh, true) : visit_triangles(s, mesh, false);
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        uint32_t count;
        const uint32_t *corners = grz_mesh_face_corners(mesh, face, &count);
        if (!visit_face(s, corners, count, put))
            return grz_control_status(s->control);
    }
    return GRZ_OK;
}

// Lay out the stars.
static grz_status build(stars *s, const grz_mesh *mesh)
{
    s->starts = grz_allocate(s->allocator, s->vertex_count + 1, sizeof *s->starts);
    if (s->starts == NULL)
        return GRZ_ERROR_MEMORY;
    if (!grz_clear_memory(s->starts, (s->vertex_count + 1) * sizeof *s->starts, s->control))
        return grz_control_status(s->control);
    grz_status status = visit_faces(s, mesh, false);
    if (status != GRZ_OK)
        return status;
    uint64_t total = 0;
    for (size_t v = 0; v <= s->vertex_count; v++) {
        uint64_t count = s->starts[v];
        s->largest = count > s->largest ? (size_t)count : s->largest;
        s->starts[v] = total;
        total += count;
    }
    s->corner_count = (size_t)total;
    if (total == 0)
        return GRZ_OK;
    // A corner's number must fit beside a vertex's in 64 bits; such a star alone would take a hundred gigabytes.
    if (s->largest > INT32_MAX)
        return GRZ_ERROR_MEMORY;
    s->corners = grz_allocate(s->allocator, s->corner_count, sizeof *s->corners);
    s->ends = grz_allocate(s->allocator, 2 * s->largest, sizeof *s->ends);
    s->spare = grz_allocate(s->allocator, 2 * s->largest, sizeof *s->spare);
    s->parents = grz_allocate(s->allocator, s->largest, sizeof *s->parents);
    if (s->corners == NULL || s->ends == NULL || s->spare == NULL || s->parents == NULL)
        return GRZ_ERROR_MEMORY;
    // Putting the corners moves each start to the next one's place.
    status = visit_faces(s, mesh, true);
    for (size_t v = s->vertex_count; v > 0; v--)
        s->starts[v] = s->starts[v - 1];
    s->starts[0] = 0;
    return status;
}

static void finish(stars *s)
{
    grz_release(s->allocator, s->starts, s->vertex_count + 1, sizeof *s->starts);
    grz_release(s->allocator, s->corners, s->corner_count, sizeof *s->corners);
    grz_release(s->allocator, s->ends, 2 * s->largest, sizeof *s->ends);
    grz_release(s->allocator, s->spare, 2 * s->largest, sizeof *s->spare);
    grz_release(s->allocator, s->parents, s->largest, sizeof *s->parents);
}

static uint32_t root_of(uint32_t *parents, uint32_t i)
{
    while (parents[i] != i)
        i = parents[i] = parents[parents[i]];
    return i;
}

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

// Whether the corners form one closed ring, each meeting the next in an edge of just these two: as at nearly every vertex of a sound
// mesh. Then every edge has one side leading away and one leading back, and there is nothing to count.
static bool is_ring(const star_corner *corners, uint32_t count)
{
    uint32_t at = corners[0].after;
    for (uint32_t i = 1; i < count; i++) {
        uint32_t found = 0, next = 0;
        for (uint32_t k = 0; k < count; k++)
            if (corners[k].before == at) {
                found++;
                next = k;
            }
        // The ring may not close before all were met. Should it run into itself behind the first corner, it does not end there below,
        // since no corner that it was led to has another's `before`.
        if (found != 1 || next == 0)
            return false;
        at = corners[next].after;
    }
    return at == corners[0].before;
}

// False: the control says to end.
static bool examine_star(stars *s, uint32_t vertex, grz_edge_census *census)
{
    const star_corner *corners = s->corners + s->starts[vertex];
    uint32_t count = (uint32_t)(s->starts[vertex + 1] - s->starts[vertex]), fans = count;
    if (grz_control_expired_at(s->control, vertex, LOOK_BITS - 2))
        return false;
    const bool ring = count <= SHORT_STAR && is_ring(corners, count);
    census->rings = census->rings && ring && count >= 3;
    if (ring)
        return true;
    for (uint32_t i = 0; i < count; i++) {
        if (grz_control_expired_at(s->control, ++s->steps, LOOK_BITS))
            return false;
        s->ends[2 * (size_t)i] = (uint64_t)corners[i].before << 32 | (uint64_t)i << 1;
        s->ends[2 * (size_t)i + 1] = (uint64_t)corners[i].after << 32 | (uint64_t)i << 1 | 1;
        s->parents[i] = i;
    }
    if (!grz_sort_numbers(s->ends, s->spare, 2 * (size_t)count, s->control))
        return false;
    for (size_t i = 0, next; i < 2 * (size_t)count; i = next) {
        uint64_t other = s->ends[i] >> 32;
        size_t leading_away = 0;
        uint32_t root = root_of(s->parents, (uint32_t)s->ends[i] >> 1);
        for (next = i; next < 2 * (size_t)count && s->ends[next] >> 32 == other; next++) {
            if (grz_control_expired_at(s->control, ++s->steps, LOOK_BITS))
                return false;
            leading_away += s->ends[next] & 1;
            uint32_t joined = root_of(s->parents, (uint32_t)s->ends[next] >> 1);
            if (joined != root) {
                s->parents[joined] = root;
                fans--;
            }
        }
        if (other > vertex)
            count_edge(census, next - i, leading_away);
    }
    if (fans > 1)
        census->fans = false;
    return true;
}

grz_status grz_stars_examine(const grz_mesh *mesh, const uint32_t *lowest, grz_control *control, grz_edge_census *census)
{
    stars s = {
        .control = control, .allocator = grz_control_allocator(control), .lowest = lowest, .vertex_count = mesh->vertex_count};
    *census = (grz_edge_census){.fans = true, .oriented = true, .balanced = true, .rings = true};
    grz_status status = build(&s, mesh);
    if (s.corner_count < mesh->corner_total)
        census->rings = false;
    if (status == GRZ_OK && s.corner_count > 0)
        for (uint32_t vertex = 0; vertex < mesh->vertex_count && status == GRZ_OK; vertex++)
            if (s.starts[vertex] != s.starts[vertex + 1] && !examine_star(&s, vertex, census))
                status = grz_control_status(control);
    finish(&s);
    return status;
}
