// SPDX-License-Identifier: MIT
// How the depths are known.
//
// Two boxes: (r, s) are depths of one point in both if along each axis a stretch is left, so the depth is the smallest
// of half the thicknesses together, and of what A's high ends are above B's low ends and the other way round.
// A pipe of n sides that is too thick by g in its hole: at an edge of the pipe r is 0 and s is g / cos(π/n), the way to
// the edge of the hole; s is convex and r is linear where one side of the pipe is the nearest, so no point is deeper.
// Likewise a column that reaches by g, h, k into the three walls of a corner, √(g² + h² + k²), and a window.
// Convex solids: with unit normals, the largest r + s such that n · p + r is at most c for all of A's faces, and
// n · p + s for all of B's, is a linear program.
//
// Noise: if all of a surface moves by at most η, then r, counted below 0 outside, becomes smaller by at most 3 η where
// the point was within η of the surface, and else by η. Where it becomes less than 0, a point of the solid is as near
// as that. So the depth changes by at most 4 η, where η is √3 times the noise of a coordinate.
#include "tests/overlap/made_pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support_solids.h"

enum {
    MOST_SIDES = 12,
    MOST_PLANES = MOST_SIDES + 2
};

static const double ROUNDINGS = 0x1p-48; // of a coordinate, relative to the size: turning, and corners of prisms

static const char *const names[MADE_KIND_COUNT] = {"slab",   "boxes",  "pipe",    "shaft",
                                                   "window", "column", "through", "turned"};

const char *made_kind_name(made_kind kind)
{
    return names[kind];
}

static double between(random_stream *random, double low, double high)
{
    return low + (high - low) * 0.5 * (1.0 + random_signed(random));
}

static bool one_in(random_stream *random, uint32_t n)
{
    return random_below(random, n) == 0;
}

// ---- Meshes -------------------------------------------------------------------------------------------------------

static void add_quad(test_mesh *mesh, uint32_t i, uint32_t j, uint32_t k, uint32_t l)
{
    test_mesh_add_triangle(mesh, i, j, k);
    test_mesh_add_triangle(mesh, i, k, l);
}

// A prism of n sides, counter-clockwise seen from above.
static test_mesh prism(int n, const double (*outline)[2], double low, double high)
{
    test_mesh mesh = {.positions = NULL};
    for (int level = 0; level < 2; level++)
        for (int i = 0; i < n; i++)
            test_mesh_add_vertex(&mesh, outline[i][0], outline[i][1], level == 0 ? low : high);
    for (int i = 0; i < n; i++) {
        const uint32_t p = (uint32_t)i, q = (uint32_t)((i + 1) % n), up = (uint32_t)n;
        add_quad(&mesh, p, q, q + up, p + up);
        if (i == 0 || i == n - 1)
            continue;
        test_mesh_add_triangle(&mesh, 0, q, p);
        test_mesh_add_triangle(&mesh, up, p + up, q + up);
    }
    return mesh;
}

// The same with a hole; corner i of the hole lies towards corner i of the outline.
static test_mesh ring(int n, const double (*hole)[2], const double (*outline)[2], double low, double high)
{
    test_mesh mesh = {.positions = NULL};
    for (int level = 0; level < 2; level++)
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < n; i++) {
                const double *at = side == 0 ? hole[i] : outline[i];
                test_mesh_add_vertex(&mesh, at[0], at[1], level == 0 ? low : high);
            }
    for (int i = 0; i < n; i++) {
        const uint32_t p = (uint32_t)i, q = (uint32_t)((i + 1) % n), out = (uint32_t)n, up = 2 * (uint32_t)n;
        add_quad(&mesh, q, p, p + up, q + up);                         // the hole
        add_quad(&mesh, p + out, q + out, q + out + up, p + out + up); // the outside
        add_quad(&mesh, p, q, q + out, p + out);                       // below
        add_quad(&mesh, p + up, p + out + up, q + out + up, q + up);   // above
    }
    return mesh;
}

// Corners of a regular polygon by its inner radius.
static void polygon(int n, double inner_radius, double angle, double corners[MOST_SIDES][2])
{
    static const double pi = 3.14159265358979323846;
    for (int i = 0; i < n; i++) {
        const double at = angle + 2.0 * pi * i / n, radius = inner_radius / cos(pi / n);
        corners[i][0] = radius * cos(at);
        corners[i][1] = radius * sin(at);
    }
}

static void rectangle(const double low[2], const double high[2], double corners[4][2])
{
    for (int i = 0; i < 4; i++) {
        corners[i][0] = i == 1 || i == 2 ? high[0] : low[0];
        corners[i][1] = i >= 2 ? high[1] : low[1];
    }
}

// How far one part reaches into the other: flush, apart, or from 10⁻⁹ of the size up to `most`.
static double reach(random_stream *random, double most)
{
    const uint32_t choice = random_below(random, 4);
    const double some = most * pow(10.0, between(random, -7.0, 0.0));
    return choice == 0 ? 0.0 : choice == 1 ? -some : some;
}

// ---- Parts that fit -----------------------------------------------------------------------------------------------

static double box_depth(const double a[2][3], const double b[2][3])
{
    double half[2] = {HUGE_VAL, HUGE_VAL}, least = HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        half[0] = fmin(half[0], 0.5 * (a[1][k] - a[0][k]));
        half[1] = fmin(half[1], 0.5 * (b[1][k] - b[0][k]));
        least = fmin(least, fmin(a[1][k] - b[0][k], b[1][k] - a[0][k]));
    }
    return fmin(half[0] + half[1], least);
}

static void take_boxes(made_pair *pair, const double a[2][3], const double b[2][3])
{
    const double depth = box_depth(a, b);
    pair->meshes[0] = test_mesh_box(a[0], a[1]);
    pair->meshes[1] = test_mesh_box(b[0], b[1]);
    pair->depth = fmax(0.0, depth);
    pair->gap = fmax(0.0, -depth);
}

// A slab on a wall, reaching into it; its ends are flush with the wall's, or not.
static void make_slab(made_pair *pair, random_stream *random)
{
    const double thick = between(random, 0.1, 0.4), height = between(random, 2.0, 4.0),
                 length = between(random, 2.0, 9.0);
    const double wall[2][3] = {{0, 0, 0}, {thick, length, height}};
    const double low = one_in(random, 2) ? 0.0 : -between(random, 0.0, 3.0),
                 end = one_in(random, 2) ? length : length * between(random, 0.5, 1.5);
    const double slab[2][3] = {{low, one_in(random, 2) ? 0.0 : -1.0, height - reach(random, 0.05)},
                               {between(random, 1.0, 5.0), end, height + between(random, 0.2, 0.4)}};
    take_boxes(pair, wall, slab);
}

static void make_boxes(made_pair *pair, random_stream *random)
{
    double boxes[2][2][3];
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) {
            boxes[i][0][k] = between(random, -2.0, 2.0);
            boxes[i][1][k] = boxes[i][0][k] + between(random, 0.5, 5.0);
            if (i == 1 && one_in(random, 3)) // flush with the other
                boxes[1][random_below(random, 2)][k] = boxes[0][random_below(random, 2)][k];
            if (!(boxes[i][0][k] < boxes[i][1][k]))
                boxes[i][1][k] = boxes[i][0][k] + 0.5;
        }
    take_boxes(pair, (const double(*)[3])boxes[0], (const double(*)[3])boxes[1]);
}

// A bar, or a pipe with a wall, in the hole of a plate or of a collar.
static void make_round(made_pair *pair, random_stream *random, bool collar)
{
    static const double pi = 3.14159265358979323846;
    const int n = 3 + (int)random_below(random, MOST_SIDES - 2);
    const double radius = between(random, 0.3, 1.0), thick = between(random, 0.4, 2.0),
                 angle = between(random, 0.0, 6.0), g = reach(random, 0.02);
    double hole[MOST_SIDES][2], outside[MOST_SIDES][2], pipe[MOST_SIDES][2], bore[MOST_SIDES][2];
    polygon(n, radius, angle, hole);
    polygon(n, collar ? radius + between(random, 0.2, 0.5) : radius * between(random, 3.0, 6.0), angle, outside);
    polygon(n, radius + g, angle, pipe);
    polygon(n, radius * 0.5, angle, bore);
    pair->meshes[0] = ring(n, (const double(*)[2])hole, (const double(*)[2])outside, 0.0, thick);
    const double low = one_in(random, 3)   ? 0.0
                       : one_in(random, 2) ? -2.0
                                           : 0.25 * thick,
                 high = one_in(random, 3)   ? thick
                        : one_in(random, 2) ? thick + 2.0
                                            : 0.75 * thick;
    pair->meshes[1] = one_in(random, 2) ? prism(n, (const double(*)[2])pipe, low, high)
                                        : ring(n, (const double(*)[2])bore, (const double(*)[2])pipe, low, high);
    pair->depth = fmax(0.0, g) / cos(pi / n);
    pair->gap = fmax(0.0, -g);
}

static void add_box(test_mesh *mesh, double x0, double y0, double x1, double y1, const double z[2])
{
    const double low[3] = {x0, y0, z[0]}, high[3] = {x1, y1, z[1]};
    test_mesh_take(mesh, test_mesh_box(low, high));
}

// Four bars and a pane, each a shell of its own, in the opening of a wall. Each side has its own reach.
static void make_window(made_pair *pair, random_stream *random)
{
    const double thick = between(random, 0.2, 0.4), t = 0.1, low[2] = {0, 0},
                 high[2] = {between(random, 0.8, 2.0), between(random, 0.8, 2.0)}, wall_low[2] = {-3, -1},
                 wall_high[2] = {5, 4};
    double opening[4][2], wall[4][2], g[4] = {0};
    const bool alike = one_in(random, 2);
    for (int i = 0; i < 4; i++) // left, bottom, right, top
        g[i] = alike && i > 0 ? g[0] : reach(random, 0.02);
    rectangle(low, high, opening);
    rectangle(wall_low, wall_high, wall);
    pair->meshes[0] = ring(4, (const double(*)[2])opening, (const double(*)[2])wall, 0.0, thick);
    const double z[2] = {one_in(random, 2) ? 0.0 : -0.1, one_in(random, 2) ? thick : 0.6 * thick};
    const double x0 = -g[0], y0 = -g[1], x1 = high[0] + g[2], y1 = high[1] + g[3], apart = 0.01;
    test_mesh *mesh = &pair->meshes[1];
    add_box(mesh, x0, y0, x1, y0 + t, z);
    add_box(mesh, x0, y1 - t, x1, y1, z);
    add_box(mesh, x0, y0 + t + apart, x0 + t, y1 - t - apart, z);
    add_box(mesh, x1 - t, y0 + t + apart, x1, y1 - t - apart, z);
    add_box(mesh, x0 + t + apart, y0 + t + apart, x1 - t - apart, y1 - t - apart, z);
    pair->gap = HUGE_VAL;
    for (int i = 0; i < 4; i++) {
        const double one = g[i], next = g[(i + 1) % 4];
        pair->gap = fmin(pair->gap, fmax(0.0, -one));
        pair->depth = fmax(pair->depth, one);
        if (one > 0.0 && next > 0.0) // their corner
            pair->depth = fmax(pair->depth, hypot(one, next));
    }
}

static void make_column(made_pair *pair, random_stream *random)
{
    solid_cells cells = {{{{false}}}};
    double low[3], high[3], g[3] = {0}, square = 0.0;
    for (int x = 0; x < SOLID_CELLS; x++)
        for (int y = 0; y < SOLID_CELLS; y++)
            for (int z = 0; z < SOLID_CELLS; z++)
                cells.full[x][y][z] = x == 0 || y == 0 || z == 0;
    pair->meshes[0] = solid_surface(&cells, false);
    pair->gap = 0.0;
    const bool alike = one_in(random, 2);
    for (int k = 0; k < 3; k++) {
        g[k] = alike && k > 0 ? g[0] : reach(random, 0.2);
        low[k] = SOLID_CELL_SIZE - g[k];
        high[k] = SOLID_CELL_SIZE + between(random, 3.0, 12.0);
        square += g[k] > 0.0 ? g[k] * g[k] : 0.0;
    }
    pair->meshes[1] = test_mesh_box(low, high);
    pair->depth = sqrt(square);
    if (square == 0.0)
        pair->gap = fmin(fmax(0.0, -g[0]), fmin(fmax(0.0, -g[1]), fmax(0.0, -g[2])));
}

// ---- Convex solids ------------------------------------------------------------------------------------------------

typedef struct convex {
    int count;
    long double planes[MOST_PLANES][4]; // n · p <= c
} convex;

// Exchange the variable of a column with that of a row.
static void pivot(int rows, int columns, long double t[2 * MOST_PLANES + 1][9], int row, int column)
{
    const long double inverse = 1.0L / t[row][column];
    for (int i = 0; i <= rows; i++)
        for (int j = 0; j <= columns; j++)
            if (i != row && j != column)
                t[i][j] -= t[i][column] * t[row][j] * inverse;
    for (int j = 0; j <= columns; j++)
        t[row][j] *= j == column ? 1.0L : inverse;
    for (int i = 0; i <= rows; i++)
        t[i][column] *= i == row ? 1.0L : -inverse;
    t[row][column] = inverse;
}

// The simplex method with Bland's rule, from a point in both: all right sides are at least 0 there. The variables are
// the point's coordinates, each as the difference of two numbers that are not below 0; then r and s.
static double convex_depth(const convex *a, const convex *b, const long double inside[3])
{
    enum {
        COLUMNS = 8
    };
    long double t[2 * MOST_PLANES + 1][COLUMNS + 1];
    int labels[2 * MOST_PLANES + COLUMNS], rows = a->count + b->count;
    memset(t, 0, sizeof t);
    memset(labels, 0, sizeof labels);
    for (int i = 0; i < rows; i++) {
        const long double *plane = i < a->count ? a->planes[i] : b->planes[i - a->count];
        t[i][COLUMNS] = plane[3];
        for (int k = 0; k < 3; k++) {
            t[i][2 * k] = plane[k];
            t[i][2 * k + 1] = -plane[k];
            t[i][COLUMNS] -= plane[k] * inside[k];
        }
        t[i][i < a->count ? 6 : 7] = 1.0L;
    }
    t[rows][6] = t[rows][7] = -1.0L;
    for (int i = 0; i < COLUMNS + rows; i++) // of columns, then of rows
        labels[i] = i;
    for (int step = 0; step < 1000; step++) {
        int column = -1, row = -1;
        for (int j = 0; j < COLUMNS; j++)
            if (t[rows][j] < -1e-16L && (column < 0 || labels[j] < labels[column]))
                column = j;
        if (column < 0)
            break;
        for (int i = 0; i < rows; i++) {
            if (!(t[i][column] > 1e-15L))
                continue;
            const long double ratio = t[i][COLUMNS] / t[i][column],
                              least = row < 0 ? 0.0L : t[row][COLUMNS] / t[row][column];
            if (row < 0 || ratio < least || (ratio == least && labels[COLUMNS + i] < labels[COLUMNS + row]))
                row = i;
        }
        pivot(rows, COLUMNS, t, row, column);
        const int label = labels[column];
        labels[column] = labels[COLUMNS + row];
        labels[COLUMNS + row] = label;
    }
    return (double)t[rows][COLUMNS];
}

static void random_turn(random_stream *random, long double m[3][3])
{
    long double q[4], square = 0.0L;
    for (int i = 0; i < 4; i++) {
        q[i] = (long double)(random_signed(random) + (i == 3 ? 0.01 : 0.0));
        square += q[i] * q[i];
    }
    const long double x = q[0], y = q[1], z = q[2], w = q[3], s = 2.0L / square;
    const long double turn[3][3] = {{1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)},
                                    {s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)},
                                    {s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)}};
    memcpy(m, turn, sizeof turn);
}

static void turn_mesh(test_mesh *mesh, const long double m[3][3], const long double at[3])
{
    for (uint64_t v = 0; v < mesh->vertex_count; v++) {
        double *p = mesh->positions + 3 * v;
        const long double old[3] = {(long double)p[0], (long double)p[1], (long double)p[2]};
        for (int k = 0; k < 3; k++)
            p[k] = (double)(m[k][0] * old[0] + m[k][1] * old[1] + m[k][2] * old[2] + at[k]);
    }
}

// A regular prism around the z axis, and its faces, turned and moved.
static test_mesh convex_prism(int n, double inner_radius, const double z[2], double angle, const long double m[3][3],
                              const long double at[3], convex *faces)
{
    static const long double pi = 3.14159265358979323846264338327950288L;
    double corners[MOST_SIDES][2];
    polygon(n, inner_radius, angle, corners);
    test_mesh mesh = prism(n, (const double(*)[2])corners, z[0], z[1]);
    turn_mesh(&mesh, m, at);
    faces->count = n + 2;
    for (int i = 0; i < n + 2; i++) {
        const long double way = (long double)angle + pi * (2 * i + 1) / n;
        const long double normal[3] = {i < n ? cosl(way) : 0.0L, i < n ? sinl(way) : 0.0L,
                                       i < n    ? 0.0L
                                       : i == n ? 1.0L
                                                : -1.0L};
        long double *plane = faces->planes[i];
        plane[3] = (long double)(i < n ? inner_radius : i == n ? z[1] : -z[0]);
        for (int k = 0; k < 3; k++) {
            plane[k] = m[k][0] * normal[0] + m[k][1] * normal[1] + m[k][2] * normal[2];
            plane[3] += plane[k] * at[k];
        }
    }
    return mesh;
}

// A point of the second is at a point of the first.
static void make_convex(made_pair *pair, random_stream *random, bool through)
{
    long double turns[2][3][3], at[2][3] = {{0.0L}};
    convex faces[2];
    int n[2];
    double radius[2], z[2][2], angles[2], within[2][3];
    for (int i = 0; i < 2; i++) {
        n[i] = i == 0 && through ? 4 : 3 + (int)random_below(random, MOST_SIDES - 2);
        radius[i] = i == 0 && through ? 4.0 : between(random, 0.2, 1.0);
        z[i][0] = i == 0 || !through ? -between(random, 0.1, 0.5) : -3.0;
        z[i][1] = i == 0 || !through ? between(random, 0.1, 2.0) : 3.0;
        angles[i] = between(random, 0.0, 6.0);
        random_turn(random, turns[i]);
        for (int k = 0; k < 2; k++)
            within[i][k] = radius[i] * between(random, -0.7, 0.7);
        within[i][2] = between(random, z[i][0], z[i][1]);
    }
    if (through && one_in(random, 2)) // right across
        memcpy(turns[1], turns[0], sizeof turns[0]);
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++)
            at[1][k] += turns[0][k][j] * (long double)within[0][j] - turns[1][k][j] * (long double)within[1][j];
    for (int i = 0; i < 2; i++)
        pair->meshes[i] =
            convex_prism(n[i], radius[i], z[i], angles[i], (const long double(*)[3])turns[i], at[i], &faces[i]);
    long double inside[3] = {0.0L};
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++)
            inside[k] += turns[0][k][j] * (long double)within[0][j];
    pair->depth = convex_depth(&faces[0], &faces[1], inside);
}

// ---- Noise --------------------------------------------------------------------------------------------------------

// Corners at one position stay at one: what is added depends on the position alone.
static void add_noise(test_mesh *mesh, double noise, uint64_t seed)
{
    for (uint64_t v = 0; v < mesh->vertex_count; v++) {
        uint64_t bits[3];
        memcpy(bits, mesh->positions + 3 * v, sizeof bits);
        random_stream own = {seed ^ bits[0] ^ (bits[1] << 21 | bits[1] >> 43) ^ (bits[2] << 42 | bits[2] >> 22)};
        for (int k = 0; k < 3; k++)
            mesh->positions[3 * v + (uint64_t)k] += noise * random_signed(&own);
    }
}

// Placed somewhere, turned or not; then noise; and perhaps each face with vertices of its own.
static void place(made_pair *pair, random_stream *random)
{
    long double turn[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, at[3] = {0};
    if (one_in(random, 2))
        random_turn(random, turn);
    const double far = one_in(random, 2) ? 0.0 : pow(10.0, between(random, 0.0, 3.0));
    for (int k = 0; k < 3; k++)
        at[k] = (long double)(far * random_signed(random));
    for (int i = 0; i < 2; i++) {
        turn_mesh(&pair->meshes[i], (const long double(*)[3])turn, at);
        for (uint64_t k = 0; k < 3 * pair->meshes[i].vertex_count; k++)
            pair->size = fmax(pair->size, fabs(pair->meshes[i].positions[k]));
    }
    pair->noise = one_in(random, 4) ? 0.0 : pair->size * pow(10.0, between(random, -16.0, -9.0));
    for (int i = 0; i < 2; i++) {
        if (pair->noise > 0.0)
            add_noise(&pair->meshes[i], pair->noise, random_bits(random));
        if (one_in(random, 3)) {
            test_mesh soup = test_mesh_soup(&pair->meshes[i]);
            test_mesh_finish(&pair->meshes[i]);
            pair->meshes[i] = soup;
        }
        if (one_in(random, 2))
            test_mesh_shuffle(&pair->meshes[i], random, NULL);
    }
    pair->error = 4.0 * sqrt(3.0) * (pair->noise + pair->size * ROUNDINGS);
    if (one_in(random, 2)) {
        const test_mesh first = pair->meshes[0];
        pair->meshes[0] = pair->meshes[1];
        pair->meshes[1] = first;
    }
}

void made_pair_make(made_pair *pair, made_kind kind, random_stream *random)
{
    *pair = (made_pair){.kind = kind, .fitted = kind < MADE_THROUGH && kind != MADE_BOXES};
    switch (kind) {
    case MADE_SLAB:
        make_slab(pair, random);
        break;
    case MADE_BOXES:
        make_boxes(pair, random);
        break;
    case MADE_PIPE:
    case MADE_SHAFT:
        make_round(pair, random, kind == MADE_SHAFT);
        break;
    case MADE_WINDOW:
        make_window(pair, random);
        break;
    case MADE_COLUMN:
        make_column(pair, random);
        break;
    default:
        make_convex(pair, random, kind == MADE_THROUGH);
        break;
    }
    place(pair, random);
}

void made_pair_finish(made_pair *pair)
{
    test_mesh_finish(&pair->meshes[0]);
    test_mesh_finish(&pair->meshes[1]);
}
