// SPDX-License-Identifier: MIT
// Situations of cells: each solid is a union of unit cells, carried by an affine map of small whole numbers. The
// surface is made of the walls between full and empty cells, so that nothing of it depends on the cells as pieces.
#include <stdlib.h>
#include <string.h>

#include "situation.h"

enum {
    SIDE = 5, // cells along an axis, at most
    MOST_CELLS = 12
};

// A set of cells, and the map that carries it: world = shift + x · map[0] + y · map[1] + z · map[2].
typedef struct cells {
    bool full[SIDE][SIDE][SIDE];
    int64_t map[3][3], shift[3];
} cells;

static bool is_full(const cells *c, const int at[3])
{
    for (int k = 0; k < 3; k++)
        if (at[k] < 0 || at[k] >= SIDE)
            return false;
    return c->full[at[0]][at[1]][at[2]];
}

static void place(const cells *c, const int at[3], int64_t world[3])
{
    for (int k = 0; k < 3; k++)
        world[k] = c->shift[k] + at[0] * c->map[0][k] + at[1] * c->map[1][k] + at[2] * c->map[2][k];
}

static int64_t volume_of(int64_t m[3][3])
{
    int64_t sum = 0;
    for (int k = 0; k < 3; k++)
        sum += m[0][k] * (m[1][(k + 1) % 3] * m[2][(k + 2) % 3] - m[1][(k + 2) % 3] * m[2][(k + 1) % 3]);
    return sum;
}

// A map of whole numbers that keeps a volume. Half of them are the identity, times 1 to 3.
static void draw_map(agree_source *s, int64_t map[3][3])
{
    const int stretch = agree_between(s, 1, 3);
    const bool plain = agree_one_in(s, 2);
    for (int tries = 0; tries < 8 && !plain; tries++) {
        for (int i = 0; i < 9; i++)
            map[i / 3][i % 3] = agree_between(s, -2, 3);
        if (volume_of(map) != 0)
            return;
    }
    for (int i = 0; i < 9; i++)
        map[i / 3][i % 3] = i % 4 == 0 ? stretch : 0;
}

static void draw_cells(agree_source *s, cells *c)
{
    int size[3], count = 0;
    // Most solids have few cells, so that many can be asked about.
    int most = agree_one_in(s, 16) ? MOST_CELLS : 6;
    for (int i = 0; i < 2; i++) {
        const int other = agree_between(s, 1, most);
        most = other < most ? other : most;
    }
    for (int k = 0; k < 3; k++)
        size[k] = agree_between(s, 1, k == 2 ? 2 : SIDE);
    for (int tries = 0; tries < 40 && (count == 0 || tries < size[0] * size[1] * size[2]); tries++) {
        bool *full = &c->full[tries / size[1] % size[0]][tries % size[1]][tries / size[1] / size[0] % size[2]];
        if (!*full && count < most && agree_one_in(s, 2)) {
            *full = true;
            count++;
        }
    }
    if (count == 0)
        c->full[0][0][0] = true;
}

static void draw_shift(agree_source *s, int64_t shift[3])
{
    const int most = agree_one_in(s, 4) ? 4 : 1;
    for (int k = 0; k < 3; k++)
        shift[k] = agree_between(s, -most, most);
}

// ---- Bodies -------------------------------------------------------------------------------------------------------

typedef struct skin {
    test_mesh *mesh;
    const cells *cells;
    bool welded;     // walls share their vertices
    bool in_lattice; // positions are those of the lattice; the pose carries them
    bool quads;
} skin;

static uint32_t corner_of(const skin *s, const int at[3])
{
    int64_t world[3] = {at[0], at[1], at[2]};
    if (!s->in_lattice)
        place(s->cells, at, world);
    const double p[3] = {(double)world[0], (double)world[1], (double)world[2]};
    for (uint64_t v = 0; s->welded && v < s->mesh->vertex_count; v++)
        if (memcmp(s->mesh->positions + 3 * v, p, sizeof p) == 0)
            return (uint32_t)v;
    return test_mesh_add_vertex(s->mesh, p[0], p[1], p[2]);
}

// The wall of a cell at a side (axis, and which end), counter-clockwise seen from outside where the map keeps hands.
static void add_wall(const skin *s, const int cell[3], int axis, int end)
{
    uint32_t corners[4];
    for (int i = 0; i < 4; i++) {
        int at[3] = {cell[0], cell[1], cell[2]};
        at[axis] += end;
        at[(axis + 1) % 3] += i == 1 || i == 2;
        at[(axis + 2) % 3] += i >= 2;
        corners[end == 1 ? i : 3 - i] = corner_of(s, at);
    }
    if (s->quads) {
        test_mesh_add_face(s->mesh, corners, 4);
        return;
    }
    test_mesh_add_triangle(s->mesh, corners[0], corners[1], corners[2]);
    test_mesh_add_triangle(s->mesh, corners[0], corners[2], corners[3]);
}

static void add_walls(const skin *s)
{
    for (int i = 0; i < SIDE * SIDE * SIDE * 6; i++) {
        const int side = i % 6, cell[3] = {i / 6 % SIDE, i / 6 / SIDE % SIDE, i / 6 / SIDE / SIDE};
        int beside[3] = {cell[0], cell[1], cell[2]};
        beside[side / 2] += side % 2 == 1 ? 1 : -1;
        if (is_full(s->cells, cell) && !is_full(s->cells, beside))
            add_wall(s, cell, side / 2, side % 2);
    }
}

static void add_pieces(const cells *c, agree_pieces *pieces)
{
    pieces->known = true;
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        const int cell[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        int64_t corner[3];
        if (!is_full(c, cell))
            continue;
        place(c, cell, corner);
        agree_add_box(pieces, corner, c->map);
    }
}

enum {
    WELDED = 1,     // walls share their vertices
    IN_LATTICE = 2, // the mesh has the positions of the lattice, and the pose carries them
    QUADS = 4,
    FORMS = 8
};

// Make the body of some cells, in one of eight forms.
static void make_body(const cells *c, uint32_t form, agree_body *body)
{
    const skin walls = {&body->mesh, c, (form & WELDED) != 0, (form & IN_LATTICE) != 0, (form & QUADS) != 0};
    body->pose = grz_pose_identity();
    for (int k = 0; k < 3 && walls.in_lattice; k++) {
        for (int i = 0; i < 3; i++)
            body->pose.m[k][i] = (double)c->map[i][k];
        body->pose.m[k][3] = (double)c->shift[k];
    }
    add_walls(&walls);
    add_pieces(c, &body->pieces);
    body->closed = body->bare = body->wound = true;
}

static void make_any_body(agree_source *s, const cells *c, agree_body *body)
{
    make_body(c, agree_below(s, FORMS), body);
}

// How many cells two sets in one lattice share.
static int64_t shared_cells(const cells *a, const cells *b, const int offset[3])
{
    int64_t count = 0;
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        const int at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        const int in_b[3] = {at[0] - offset[0], at[1] - offset[1], at[2] - offset[2]};
        count += is_full(a, at) && is_full(b, in_b) ? 1 : 0;
    }
    return count;
}

// A direction of the lattice, or any.
static void draw_direction(agree_source *s, const cells *c, int d[3])
{
    int along[3], sum[3];
    for (int tries = 0; tries < 8; tries++) {
        for (int k = 0; k < 3; k++)
            along[k] = agree_between(s, -2, 2) * (agree_one_in(s, 2) ? 1 : 0);
        const bool of_lattice = agree_one_in(s, 2);
        for (int k = 0; k < 3; k++)
            sum[k] = of_lattice ? (int)(along[0] * c->map[0][k] + along[1] * c->map[1][k] + along[2] * c->map[2][k])
                                : agree_between(s, -4, 4);
        memcpy(d, sum, sizeof sum);
        if (d[0] != 0 || d[1] != 0 || d[2] != 0)
            return;
    }
    d[0] = 1;
}

// B's cells lie at `offset` in A's lattice.
static void place_in_lattice(agree_situation *s, const cells *a, cells *b, const int offset[3])
{
    memcpy(b->map, a->map, sizeof b->map);
    place(a, offset, b->shift);
    s->same_cells = true;
    s->cell_volume = llabs(volume_of(b->map));
    s->shared_volume = shared_cells(a, b, offset) * s->cell_volume;
}

void agree_make_cells(agree_situation *s)
{
    cells a = {0}, b = {0};
    draw_map(&s->source, a.map);
    draw_shift(&s->source, a.shift);
    draw_cells(&s->source, &a);
    draw_cells(&s->source, &b);
    const int most = agree_one_in(&s->source, 4) ? 2 : 1;
    const int offset[3] = {agree_between(&s->source, -most, most), agree_between(&s->source, -most, most),
                           agree_one_in(&s->source, 4) ? 1 : 0};
    if (!agree_one_in(&s->source, 3)) {
        place_in_lattice(s, &a, &b, offset);
    } else {
        memcpy(b.map, a.map, sizeof b.map);
        draw_shift(&s->source, b.shift);
    }
    make_any_body(&s->source, &a, &s->bodies[0]);
    make_any_body(&s->source, &b, &s->bodies[1]);
    draw_direction(&s->source, &a, s->d);
}

void agree_make_lattices(agree_situation *s)
{
    cells c[2] = {0};
    for (int i = 0; i < 2; i++) {
        draw_map(&s->source, c[i].map);
        draw_shift(&s->source, c[i].shift);
        draw_cells(&s->source, &c[i]);
        make_any_body(&s->source, &c[i], &s->bodies[i]);
    }
    draw_direction(&s->source, &c[agree_below(&s->source, 2)], s->d);
}

// Teeth at every other cell along x, in one to three rows, loose or on a bar. Moved along x, the teeth of one fill the
// gaps of the other exactly: the insides are disjoint at isolated moments only.
void agree_make_combs(agree_situation *s)
{
    agree_source *from = &s->source;
    cells a = {0}, b = {0};
    draw_map(from, a.map);
    draw_shift(from, a.shift);
    const bool bars = agree_one_in(from, 8), checkered = agree_one_in(from, 3);
    const int teeth = agree_between(from, 1, 3), rows = bars ? 3 : agree_one_in(from, 4) ? 2 : 1;
    for (int x = 0; x < 2 * teeth - 1; x++)
        for (int y = 0; y < rows; y++) {
            const bool tooth = checkered ? (x + y) % 2 == 0 : x % 2 == 0;
            a.full[x][y][0] = tooth && !agree_one_in(from, 6);
            b.full[x][y][0] = tooth && !agree_one_in(from, 6);
        }
    for (int x = 0; x < 2 * teeth - 1 && bars; x++)
        a.full[x][0][0] = b.full[x][2][0] = true;
    a.full[0][0][0] = b.full[0][0][0] = true;
    const int offset[3] = {agree_between(from, -2, 3),
                           bars ? agree_between(from, 0, 2) : 2 * agree_between(from, -1, 1),
                           agree_one_in(from, 8) ? 1 : 0};
    place_in_lattice(s, &a, &b, offset);
    make_any_body(from, &a, &s->bodies[0]);
    make_any_body(from, &b, &s->bodies[1]);
    int along[3] = {agree_one_in(from, 2) ? 1 : -1, 0, 0};
    if (agree_one_in(from, 4))
        along[1] = agree_between(from, -2, 2);
    for (int k = 0; k < 3; k++)
        s->d[k] = (int)(along[0] * a.map[0][k] + along[1] * a.map[1][k]);
}

// A mesh of two sets of cells, one over the other: by the even-odd rule, what is in exactly one of them.
void agree_make_piles(agree_situation *s)
{
    cells a = {0}, b = {0}, more = {0}, sum;
    draw_map(&s->source, a.map);
    draw_shift(&s->source, a.shift);
    draw_cells(&s->source, &a);
    draw_cells(&s->source, &b);
    draw_cells(&s->source, &more);
    const int offset[3] = {agree_between(&s->source, -1, 1), agree_between(&s->source, -1, 1), 0};
    sum = a;
    for (int i = 0; i < SIDE * SIDE * SIDE; i++)
        (&sum.full[0][0][0])[i] ^= (&more.full[0][0][0])[i];
    place_in_lattice(s, &sum, &b, offset);
    memcpy(more.map, a.map, sizeof more.map);
    memcpy(more.shift, a.shift, sizeof more.shift);
    const uint32_t form = agree_below(&s->source, FORMS);
    agree_body over = {0};
    make_body(&a, form, &s->bodies[0]);
    make_body(&more, form, &over);
    test_mesh_take(&s->bodies[0].mesh, over.mesh);
    s->bodies[0].pieces.count = 0;
    s->bodies[0].bare = s->bodies[0].wound = false;
    add_pieces(&sum, &s->bodies[0].pieces);
    make_any_body(&s->source, &b, &s->bodies[1]);
    draw_direction(&s->source, &a, s->d);
}

// A in the hollow of B, whose cells are five or seven times as large, or in its only cell: with a gap or flush.
// Sometimes across the wall.
void agree_make_nested(agree_situation *s)
{
    cells a = {0}, b = {0};
    agree_source *from = &s->source;
    draw_map(from, a.map);
    draw_cells(from, &a);
    const bool hollow = agree_one_in(from, 2), gap = agree_one_in(from, 2);
    for (int i = 0; i < (hollow ? 27 : 1); i++)
        b.full[i % 3][i / 3 % 3][i / 9] = !hollow || i != 13;
    if (hollow && agree_one_in(from, 4))
        b.full[1][1][2] = false;
    for (int i = 0; i < 9; i++)
        b.map[i / 3][i % 3] = a.map[i / 3][i % 3] * (gap ? 7 : 5);
    draw_shift(from, b.shift);
    // One cell inward of the hollow's corner leaves a gap on all sides.
    const int corner[3] = {hollow, hollow, hollow};
    int at[3];
    int64_t shift[3];
    place(&b, corner, a.shift);
    for (int k = 0; k < 3; k++)
        at[k] = (gap ? 1 : 0) + (agree_one_in(from, 8) ? agree_between(from, -3, 3) : 0);
    place(&a, at, shift);
    memcpy(a.shift, shift, sizeof shift);
    make_any_body(from, &a, &s->bodies[0]);
    make_any_body(from, &b, &s->bodies[1]);
    draw_direction(from, &a, s->d);
}

// The same cells twice, B without those of A, or with them.
void agree_make_flush(agree_situation *s)
{
    cells a = {0}, b;
    agree_source *from = &s->source;
    draw_map(from, a.map);
    draw_shift(from, a.shift);
    draw_cells(from, &a);
    b = a;
    const uint32_t how = agree_below(from, 4);
    if (how > 0) {
        cells more = {0};
        draw_cells(from, &more);
        for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
            const bool in_a = (&a.full[0][0][0])[i], in_more = (&more.full[0][0][0])[i];
            (&b.full[0][0][0])[i] = how == 1 ? in_more && !in_a : how == 2 ? in_more || in_a : in_more && in_a;
        }
    }
    // At least one cell, where the last axis has none of A's.
    bool any = false;
    for (int i = 0; i < SIDE * SIDE * SIDE; i++)
        any = any || (&b.full[0][0][0])[i];
    b.full[0][0][2] = b.full[0][0][2] || !any;
    const int offset[3] = {0, 0, 0};
    place_in_lattice(s, &a, &b, offset);
    make_any_body(from, &a, &s->bodies[0]);
    make_any_body(from, &b, &s->bodies[1]);
    draw_direction(from, &a, s->d);
}
