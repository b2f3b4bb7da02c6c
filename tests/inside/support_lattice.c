// SPDX-License-Identifier: MIT
// Solids of unit cells: everything about them can be counted.
#include "support_lattice.h"

#include <stdlib.h>
#include <string.h>

lattice lattice_random(random_stream *random, const int origin[3], int count, int size, uint32_t share)
{
    lattice cells = {0};
    for (int i = 0; i < count * count * count; i++) {
        const int block[3] = {i % count, i / count % count, i / count / count};
        if (random_below(random, 16) >= share)
            continue;
        for (int k = 0; k < size * size * size; k++) {
            const int x = origin[0] + block[0] * size + k % size, y = origin[1] + block[1] * size + k / size % size,
                      z = origin[2] + block[2] * size + k / size / size;
            cells.full[x][y][z] = true;
        }
    }
    return cells;
}

lattice lattice_block(const int low[3], const int high[3])
{
    lattice cells = {0};
    for (int x = low[0]; x < high[0]; x++)
        for (int y = low[1]; y < high[1]; y++)
            for (int z = low[2]; z < high[2]; z++)
                cells.full[x][y][z] = true;
    return cells;
}

static bool is_full(const lattice *cells, int x, int y, int z)
{
    return x >= 0 && y >= 0 && z >= 0 && x < LATTICE && y < LATTICE && z < LATTICE && cells->full[x][y][z];
}

uint32_t lattice_count(const lattice *cells)
{
    uint32_t count = 0;
    for (int i = 0; i < LATTICE * LATTICE * LATTICE; i++)
        count += is_full(cells, i % LATTICE, i / LATTICE % LATTICE, i / LATTICE / LATTICE);
    return count;
}

// ---- Surfaces ----

// A square wall: its lowest corner in units, the axis of its normal, and whether the normal points up.
typedef struct wall {
    int at[3], axis;
    bool up, used;
} wall;

typedef struct surface_work {
    const lattice_style *style;
    test_mesh mesh;
    uint32_t (*corner)[LATTICE + 1][LATTICE + 1]; // vertices, plus 1; 0: none yet
    double unit;
} surface_work;

static uint32_t vertex_at(surface_work *work, const int at[3])
{
    uint32_t *known = &work->corner[at[0]][at[1]][at[2]];
    if (*known != 0 && !work->style->soup)
        return *known - 1;
    *known = test_mesh_add_vertex(&work->mesh, at[0] * work->unit, at[1] * work->unit, at[2] * work->unit) + 1;
    return *known - 1;
}

// Add a polygon whose corners are given counter-clockwise for a normal that points up the axis.
static void add_polygon(surface_work *work, int (*at)[3], uint32_t count, bool up, random_stream *random)
{
    uint32_t corners[8];
    const bool turn = !up != (work->style->spin && random_below(random, 4) == 0);
    for (uint32_t i = 0; i < count; i++)
        corners[turn ? count - 1 - i : i] = vertex_at(work, at[i]);
    if (!work->style->diagonals) {
        test_mesh_add_face(&work->mesh, corners, count);
        return;
    }
    const uint32_t first = random_below(random, 2);
    test_mesh_add_triangle(&work->mesh, corners[first], corners[first + 1], corners[first + 2]);
    test_mesh_add_triangle(&work->mesh, corners[first], corners[first + 2], corners[(first + 3) % 4]);
}

static void corner_of(const wall *w, int du, int dv, int size, int at[3])
{
    memcpy(at, w->at, sizeof w->at);
    at[(w->axis + 1) % 3] += du * size;
    at[(w->axis + 2) % 3] += dv * size;
}

// Add a wall; with `next`, the wall beside it along the first axis of the plane, as one polygon.
static void add_wall(surface_work *work, const wall *w, bool with_next, random_stream *random)
{
    static const int one[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    static const int two[6][2] = {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {1, 1}, {0, 1}};
    int at[6][3];
    const uint32_t count = with_next ? 6 : 4;
    for (uint32_t i = 0; i < count; i++)
        corner_of(w, with_next ? two[i][0] : one[i][0], with_next ? two[i][1] : one[i][1], work->style->size, at[i]);
    add_polygon(work, at, count, w->up, random);
}

static size_t list_walls(const lattice *cells, const lattice_style *style, wall *walls)
{
    size_t count = 0;
    const int size = style->size;
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < (LATTICE + 1) * (LATTICE + 1) * (LATTICE + 1); i++) {
            const int at[3] = {i % (LATTICE + 1), i / (LATTICE + 1) % (LATTICE + 1), i / (LATTICE + 1) / (LATTICE + 1)};
            bool on_grid = true;
            for (int k = 0; k < 3; k++)
                on_grid = on_grid && (at[k] - style->origin[k]) % size == 0;
            int below[3] = {at[0], at[1], at[2]};
            below[axis]--;
            const bool in_above = is_full(cells, at[0], at[1], at[2]),
                       in_below = is_full(cells, below[0], below[1], below[2]);
            if (on_grid && in_above != in_below)
                walls[count++] = (wall){.at = {at[0], at[1], at[2]}, .axis = axis, .up = in_below};
        }
    return count;
}

static wall *find_next(wall *walls, size_t count, const wall *w, int size)
{
    for (size_t i = 0; i < count; i++) {
        int at[3];
        corner_of(w, 1, 0, size, at);
        if (!walls[i].used && walls[i].axis == w->axis && walls[i].up == w->up &&
            memcmp(walls[i].at, at, sizeof at) == 0)
            return &walls[i];
    }
    return NULL;
}

test_mesh lattice_surface(const lattice *cells, const lattice_style *style, random_stream *random, double unit)
{
    surface_work work = {.style = style, .unit = unit};
    wall *walls = calloc(3 * (LATTICE + 1) * (LATTICE + 1) * (LATTICE + 1), sizeof *walls);
    work.corner = calloc(LATTICE + 1, sizeof *work.corner);
    if (walls == NULL || work.corner == NULL)
        abort();
    const size_t count = list_walls(cells, style, walls);
    for (size_t i = 0; i < count; i++) {
        if (walls[i].used)
            continue;
        walls[i].used = true;
        wall *next = style->merge && !style->diagonals && random_below(random, 2) == 0
                         ? find_next(walls, count, &walls[i], style->size)
                         : NULL;
        if (next != NULL)
            next->used = true;
        add_wall(&work, &walls[i], next != NULL, random);
    }
    free(walls);
    free(work.corner);
    return work.mesh;
}

void test_mesh_transform(test_mesh *mesh, const double m[3][3])
{
    for (uint64_t v = 0; v < mesh->vertex_count; v++) {
        double *p = mesh->positions + 3 * v;
        const double x = p[0], y = p[1], z = p[2];
        for (int i = 0; i < 3; i++)
            p[i] = m[i][0] * x + m[i][1] * y + m[i][2] * z;
    }
}

// ---- The truth ----

// True if some cell of the set has this corner.
static bool has_corner(const lattice *cells, int x, int y, int z)
{
    for (int i = 0; i < 8; i++)
        if (is_full(cells, x - (i & 1), y - (i >> 1 & 1), z - (i >> 2)))
            return true;
    return false;
}

grz_solids lattice_classify(const lattice *a, const lattice *b)
{
    bool only_a = false, only_b = false, both = false, common = false;
    for (int x = 0; x <= LATTICE; x++)
        for (int y = 0; y <= LATTICE; y++)
            for (int z = 0; z <= LATTICE; z++) {
                const bool in_a = is_full(a, x, y, z), in_b = is_full(b, x, y, z);
                only_a = only_a || (in_a && !in_b);
                only_b = only_b || (in_b && !in_a);
                both = both || (in_a && in_b);
                common = common || (has_corner(a, x, y, z) && has_corner(b, x, y, z));
            }
    if (!both)
        return common ? GRZ_SOLIDS_TOUCHING : GRZ_SOLIDS_APART;
    if (only_a && only_b)
        return GRZ_SOLIDS_PENETRATING;
    return only_a ? GRZ_SOLIDS_B_INSIDE_A : only_b ? GRZ_SOLIDS_A_INSIDE_B : GRZ_SOLIDS_SAME;
}
