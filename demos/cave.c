// SPDX-License-Identifier: MIT
// The tunnel and its obstacles (cave.h). Every solid is a sweep: rows of points around it, joined by triangles, with a
// cap at either end; a ring has no caps. Rock is made rough by noise that depends on the place alone.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cave.h"
#include "demo.h"

static const double pi = 3.14159265358979323846;
static const double from_z = -60.0, to_z = 780.0; // of the rock
static const double half_width = 22.0, half_height = 17.0, thickness = 6.0;
static const double cut = 0.16; // radians above the horizontal: where floor and roof meet

// Where a solid is, in coordinates of the tunnel (z along it, u to the left, v up), and how large.
typedef struct solid {
    double z, u, v;
    double size[3]; // along u, v, z; of a roof or floor its first and last angle
    double roughness;
} solid;

typedef void place(const solid *s, double row, uint32_t column, uint32_t columns, double p[3]);

cave_frame cave_frame_at(double z)
{
    cave_frame f = {.at = {34.0 * sin(z / 120.0), 9.0 * sin(z / 85.0), z},
                    .forward = {34.0 / 120.0 * cos(z / 120.0), 9.0 / 85.0 * cos(z / 85.0), 1.0}};
    const double length = sqrt(f.forward[0] * f.forward[0] + f.forward[1] * f.forward[1] + 1.0),
                 level = hypot(f.forward[0], 1.0);
    f.side[0] = 1.0 / level;
    f.side[2] = -f.forward[0] / level;
    for (int i = 0; i < 3; i++)
        f.forward[i] /= length;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        f.up[i] = f.forward[j] * f.side[k] - f.forward[k] * f.side[j];
    }
    return f;
}

static void to_world(double z, double u, double v, double p[3])
{
    const cave_frame f = cave_frame_at(z);
    for (int i = 0; i < 3; i++)
        p[i] = f.at[i] + u * f.side[i] + v * f.up[i];
}

// ---- Noise ---------------------------------------------------------------------------------------------------------

static double random_at(int64_t x, int64_t y, int64_t z)
{
    uint64_t h = (uint64_t)x * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)y * UINT64_C(0xc2b2ae3d27d4eb4f) ^
                 (uint64_t)z * UINT64_C(0x165667b19e3779f9);
    h = (h ^ h >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return (double)((h ^ h >> 32) >> 11) * 0x1p-52 - 1.0;
}

// Smooth noise from -1 to 1, with a random number in each whole point.
static double noise(double x, double y, double z)
{
    const double floors[3] = {floor(x), floor(y), floor(z)};
    double share[3] = {x - floors[0], y - floors[1], z - floors[2]}, sum = 0.0;
    for (int i = 0; i < 3; i++)
        share[i] *= share[i] * (3.0 - 2.0 * share[i]);
    for (int corner = 0; corner < 8; corner++) {
        double weight = 1.0;
        for (int i = 0; i < 3; i++)
            weight *= (corner >> i & 1) != 0 ? share[i] : 1.0 - share[i];
        sum += weight * random_at((int64_t)floors[0] + (corner & 1), (int64_t)floors[1] + (corner >> 1 & 1),
                                  (int64_t)floors[2] + (corner >> 2 & 1));
    }
    return sum;
}

static double rock(const double p[3])
{
    return 0.7 * noise(p[0] / 11.0, p[1] / 11.0, p[2] / 11.0) + 0.3 * noise(p[0] / 3.7, p[1] / 3.7, p[2] / 3.7);
}

// ---- Shapes --------------------------------------------------------------------------------------------------------

// Rock around the tunnel: the inner side, then the outer one back.
static void place_rock(const solid *s, double row, uint32_t column, uint32_t columns, double p[3])
{
    const uint32_t half = columns / 2, step = column < half ? column : columns - 1 - column;
    const double angle = s->size[0] + (s->size[1] - s->size[0]) * step / (half - 1);
    const double z = from_z + (to_z - from_z) * row, outwards = column < half ? 0.0 : thickness;
    to_world(z, half_width * cos(angle), half_height * sin(angle), p);
    const double r = outwards + (column < half ? s->roughness : 1.0) * rock(p);
    to_world(z, (half_width + r) * cos(angle), (half_height + r) * sin(angle), p);
}

// A ring around the tunnel; the columns go around its thickness.
static void place_ring(const solid *s, double row, uint32_t column, uint32_t columns, double p[3])
{
    const double angle = 2.0 * pi * row, around = 2.0 * pi * (column + 0.5) / columns,
                 inwards = s->size[0] * cos(around);
    to_world(s->z + s->size[2] * sin(around), (half_width - 0.5 - inwards) * cos(angle),
             (half_height - 0.5 - inwards) * sin(angle), p);
}

// An upright pillar, wider at its ends.
static void place_pillar(const solid *s, double row, uint32_t column, uint32_t columns, double p[3])
{
    const double angle = 2.0 * pi * column / columns, v = (2.0 * row - 1.0) * (half_height + 2.0);
    const double wider = 1.0 + 1.1 * pow(fabs(2.0 * row - 1.0), 5.0);
    to_world(s->z + s->size[2] * cos(angle), s->u + s->size[0] * sin(angle), v, p);
    const double rough = wider * (1.0 + s->roughness * rock(p));
    to_world(s->z + rough * s->size[2] * cos(angle), s->u + rough * s->size[0] * sin(angle), v, p);
}

static void place_boulder(const solid *s, double row, uint32_t column, uint32_t columns, double p[3])
{
    const double angle = 2.0 * pi * column / columns, height = pi * (0.02 + 0.96 * row);
    const double unit[3] = {sin(height) * sin(angle), -cos(height), sin(height) * cos(angle)};
    to_world(s->z + s->size[2] * unit[2], s->u + s->size[0] * unit[0], s->v + s->size[1] * unit[1], p);
    const double rough = 1.0 + s->roughness * (0.6 * noise(p[0] / 5.0, p[1] / 5.0, p[2] / 5.0) + rock(p));
    to_world(s->z + rough * s->size[2] * unit[2], s->u + rough * s->size[0] * unit[0],
             s->v + rough * s->size[1] * unit[1], p);
}

// An upright slab: its side at the lower z from right to left, then the other side back.
static void place_slab(const solid *s, double row, uint32_t column, uint32_t columns, double p[3])
{
    const uint32_t half = columns / 2, step = column < half ? column : columns - 1 - column;
    to_world(s->z + (column < half ? -s->size[2] : s->size[2]), s->u + (2.0 * step / (half - 1) - 1.0) * s->size[0],
             s->v + (2.0 * row - 1.0) * s->size[1], p);
}

// A round beam along u.
static void place_beam(const solid *s, double row, uint32_t column, uint32_t columns, double p[3])
{
    const double angle = 2.0 * pi * column / columns;
    to_world(s->z + s->size[2] * cos(angle), s->u + (2.0 * row - 1.0) * s->size[0], s->v + s->size[1] * sin(angle), p);
}

// ---- Sweeps --------------------------------------------------------------------------------------------------------

static void *grow(void *old, size_t count, size_t room, size_t size)
{
    void *more = demo_get(room, size);
    if (count > 0)
        memcpy(more, old, count * size);
    free(old);
    return more;
}

static void reserve(cave_part *part, uint32_t vertices, uint32_t triangles)
{
    part->positions = grow(part->positions, part->vertex_count, part->vertex_count + vertices, sizeof *part->positions);
    part->triangles =
        grow(part->triangles, part->triangle_count, part->triangle_count + triangles, sizeof *part->triangles);
    part->colours = grow(part->colours, part->triangle_count, part->triangle_count + triangles, 3);
}

static void add(cave_part *part, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t corners[3] = {a, b, c};
    memcpy(part->triangles[part->triangle_count++], corners, sizeof corners);
}

// Close a row by a strip of triangles from side to side.
static void add_cap(cave_part *part, uint32_t row, uint32_t columns, bool last)
{
    for (uint32_t i = 0; i + 1 < columns / 2; i++) {
        const uint32_t a = row + i, b = row + i + 1, c = row + columns - 2 - i, d = row + columns - 1 - i;
        add(part, last ? a : b, last ? b : a, d);
        add(part, last ? d : b, last ? b : d, c);
    }
}

// Turn the triangles from `first` on if their normals point inwards: if they hold a negative volume.
static void turn_outwards(cave_part *part, uint32_t first)
{
    double volume = 0.0, p[3][3];
    const double *origin = part->positions[part->triangles[first][0]];
    for (uint32_t t = first; t < part->triangle_count; t++) {
        for (int i = 0; i < 9; i++)
            p[i / 3][i % 3] = part->positions[part->triangles[t][i / 3]][i % 3] - origin[i % 3];
        for (int i = 0; i < 3; i++)
            volume += p[0][i] * (p[1][(i + 1) % 3] * p[2][(i + 2) % 3] - p[1][(i + 2) % 3] * p[2][(i + 1) % 3]);
    }
    for (uint32_t t = first; volume < 0.0 && t < part->triangle_count; t++) {
        const uint32_t swapped = part->triangles[t][1];
        part->triangles[t][1] = part->triangles[t][2];
        part->triangles[t][2] = swapped;
    }
}

// Add a solid to a part. The number of columns is even.
static void sweep(cave_part *part, uint32_t rows, uint32_t columns, bool ring, place *where, const solid *s)
{
    const uint32_t first = part->vertex_count, first_triangle = part->triangle_count, gaps = ring ? rows : rows - 1;
    reserve(part, rows * columns, 2 * gaps * columns + (ring ? 0 : 2 * columns));
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t column = 0; column < columns; column++)
            where(s, (double)row / gaps, column, columns, part->positions[part->vertex_count++]);
    for (uint32_t row = 0; row < gaps; row++)
        for (uint32_t column = 0; column < columns; column++) {
            const uint32_t low = first + row * columns, high = first + (row + 1) % rows * columns,
                           next = (column + 1) % columns;
            const bool other = (row + column) % 2 == 0;
            add(part, low + column, low + next, other ? high + column : high + next);
            add(part, other ? high + column : low + column, other ? low + next : high + next,
                other ? high + next : high + column);
        }
    if (!ring) {
        add_cap(part, first, columns, false);
        add_cap(part, first + (rows - 1) * columns, columns, true);
    }
    turn_outwards(part, first_triangle);
}

// ---- The tunnel ----------------------------------------------------------------------------------------------------

// Where a triangle's middle is, and a shade that differs a little from one triangle to the next.
static double shade_of(const cave_part *part, uint32_t t, double middle[3])
{
    for (int i = 0; i < 3; i++)
        middle[i] = (part->positions[part->triangles[t][0]][i] + part->positions[part->triangles[t][1]][i] +
                     part->positions[part->triangles[t][2]][i]) /
                    3.0;
    return 1.0 + 0.05 * random_at(t, 1, 2) + 0.10 * rock(middle);
}

static void paint(cave_part *part, const double color[3], double contrast)
{
    double middle[3];
    for (uint32_t t = 0; t < part->triangle_count; t++) {
        const double shade = 1.0 + contrast * (shade_of(part, t, middle) - 1.0);
        for (int i = 0; i < 3; i++)
            part->colours[3 * (size_t)t + (size_t)i] = (uint8_t)fmin(255.0, shade * color[i]);
    }
}

// The triangles of the cut between floor and roof are darker: the four corners of a cut join both sides of the rock.
static void paint_cut(cave_part *floor, uint32_t columns)
{
    static const uint8_t dark[3] = {70, 62, 60};
    for (uint32_t t = 0; t < floor->triangle_count; t++) {
        bool inner = false, outer = false;
        for (int j = 0; j < 3; j++) {
            const bool in = floor->triangles[t][j] % columns < columns / 2;
            inner |= in;
            outer |= !in;
        }
        if (inner && outer)
            memcpy(floor->colours + 3 * (size_t)t, dark, sizeof dark);
    }
}

static void make_obstacles(cave_part parts[CAVE_PARTS], uint32_t fine)
{
    static const solid pillars[] = {
        {.z = 178.0, .u = 11.0, .size = {2.2, 0.0, 2.2}, .roughness = 0.25},
        {.z = 206.0, .u = -8.0, .size = {2.4, 0.0, 2.4}, .roughness = 0.25},
        {.z = 240.0, .u = 8.0, .size = {2.6, 0.0, 2.6}, .roughness = 0.25},
        {.z = 530.0, .u = -4.0, .size = {2.4, 0.0, 2.4}, .roughness = 0.25},
        {.z = 660.0, .u = 9.0, .size = {2.4, 0.0, 2.4}, .roughness = 0.25},
    };
    static const solid boulders[] = {
        {.z = 60.0, .u = 12.0, .v = -11.0, .size = {4.5, 4.0, 5.0}, .roughness = 0.35},
        {.z = 135.0, .u = 7.0, .v = -13.0, .size = {5.0, 5.0, 6.0}, .roughness = 0.35},
        {.z = 306.0, .u = -1.0, .v = -11.0, .size = {8.0, 8.5, 8.0}, .roughness = 0.35},
        {.z = 325.0, .u = 12.0, .v = -10.0, .size = {5.0, 4.5, 5.0}, .roughness = 0.35},
        {.z = 425.0, .u = -11.0, .v = -11.0, .size = {5.5, 5.0, 5.0}, .roughness = 0.35},
        {.z = 505.0, .u = 6.0, .v = -12.5, .size = {5.0, 5.0, 5.5}, .roughness = 0.35},
        {.z = 690.0, .u = -4.0, .v = -11.0, .size = {7.0, 6.5, 7.0}, .roughness = 0.35},
    };
    static const solid slabs[] = {
        {.z = 380.0, .u = 15.0, .size = {9.0, 17.0, 1.6}},
        {.z = 380.0, .u = -15.0, .size = {9.0, 17.0, 1.6}},
        {.z = 588.0, .u = 15.8, .size = {9.0, 17.0, 1.6}},
        {.z = 588.0, .u = -15.8, .size = {9.0, 17.0, 1.6}},
    };
    static const solid beams[] = {
        {.z = 452.0, .v = 4.5, .size = {24.0, 1.1, 1.1}},
        {.z = 484.0, .v = -5.8, .size = {24.0, 1.1, 1.1}},
    };
    for (uint32_t i = 0; i < 13; i++) {
        const solid rib = {.z = -20.0 + 62.0 * i, .size = {1.1, 0.0, 1.1}};
        sweep(&parts[CAVE_RIBS], 24 * fine, 8, true, place_ring, &rib);
    }
    for (size_t i = 0; i < sizeof pillars / sizeof *pillars; i++)
        sweep(&parts[CAVE_PILLARS], 12 * fine, 8 * fine, false, place_pillar, &pillars[i]);
    for (size_t i = 0; i < sizeof boulders / sizeof *boulders; i++)
        sweep(&parts[CAVE_BOULDERS], 7 * fine, 10 * fine, false, place_boulder, &boulders[i]);
    for (size_t i = 0; i < sizeof slabs / sizeof *slabs; i++)
        sweep(&parts[CAVE_GATES], 12 * fine, 10 * fine, false, place_slab, &slabs[i]);
    for (size_t i = 0; i < sizeof beams / sizeof *beams; i++)
        sweep(&parts[CAVE_BEAMS], 12 * fine, 6 * fine, false, place_beam, &beams[i]);
}

void cave_make(cave_part parts[CAVE_PARTS], bool small)
{
    static const double colours[CAVE_PARTS][3] = {{148.0, 134.0, 124.0}, {148.0, 134.0, 124.0}, {92.0, 104.0, 120.0},
                                                  {186.0, 164.0, 132.0}, {176.0, 150.0, 120.0}, {104.0, 166.0, 170.0},
                                                  {120.0, 126.0, 140.0}};
    const uint32_t fine = small ? 1 : 2, rows = small ? 104 : 208, columns = 40 * fine;
    const solid floor = {.size = {pi - cut, 2.0 * pi + cut}, .roughness = 3.0},
                roof = {.size = {cut, pi - cut}, .roughness = 3.0};
    memset(parts, 0, CAVE_PARTS * sizeof *parts);
    sweep(&parts[CAVE_FLOOR], rows, columns, false, place_rock, &floor);
    sweep(&parts[CAVE_ROOF], rows, columns / 2, false, place_rock, &roof);
    make_obstacles(parts, fine);
    for (uint32_t i = 0; i < CAVE_PARTS; i++)
        paint(&parts[i], colours[i], i < CAVE_RIBS || i == CAVE_PILLARS || i == CAVE_BOULDERS ? 1.0 : 0.2);
    paint_cut(&parts[CAVE_FLOOR], columns);
}

void cave_free(cave_part parts[CAVE_PARTS])
{
    for (uint32_t i = 0; i < CAVE_PARTS; i++) {
        free(parts[i].positions);
        free(parts[i].triangles);
        free(parts[i].colours);
    }
}
