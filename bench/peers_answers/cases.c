// SPDX-License-Identifier: MIT
// The cases. All coordinates are exact floats, unless a case's name says "double", so libraries of either precision get
// the same input. 2^-30 is about 1e-9, 2^-40 about 1e-12, 2^-20 about 1e-6. The answers are worked out by hand;
// answers_graze checks that Graze gives them.
#include "cases.h"

#include <math.h>
#include <string.h>

static const double e30 = 0x1p-30, e40 = 0x1p-40, far = 1e7;

static uint32_t add_vertex(peers_mesh *mesh, double x, double y, double z)
{
    double *p = mesh->positions[mesh->vertex_count];
    p[0] = x, p[1] = y, p[2] = z;
    return mesh->vertex_count++;
}

static void add_triangle(peers_mesh *mesh, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *t = mesh->triangles[mesh->triangle_count++];
    t[0] = a, t[1] = b, t[2] = c;
}

static void add_free_triangle(peers_mesh *mesh, const double p[3][3])
{
    const uint32_t a = add_vertex(mesh, p[0][0], p[0][1], p[0][2]), b = add_vertex(mesh, p[1][0], p[1][1], p[1][2]);
    add_triangle(mesh, a, b, add_vertex(mesh, p[2][0], p[2][1], p[2][2]));
}

// A triangle far from everything, so that a case about two triangles has no mesh of one triangle, which some libraries
// cannot take.
static void add_bystander(peers_mesh *mesh, double x)
{
    const double p[3][3] = {{x, 40, 40}, {x + 1, 40, 40}, {x, 41, 40}};
    add_free_triangle(mesh, p);
}

// A box, 12 triangles, wound outwards.
static void add_box(peers_mesh *mesh, double x0, double y0, double z0, double x1, double y1, double z1)
{
    static const uint8_t corners[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                           {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    const uint32_t first = mesh->vertex_count;
    for (uint32_t i = 0; i < 8; i++)
        add_vertex(mesh, i & 1 ? x1 : x0, i & 2 ? y1 : y0, i & 4 ? z1 : z0);
    for (uint32_t i = 0; i < 12; i++)
        add_triangle(mesh, first + corners[i][0], first + corners[i][1], first + corners[i][2]);
}

static void add_cube(peers_mesh *mesh, double x, double y, double z, double side)
{
    add_box(mesh, x, y, z, x + side, y + side, z + side);
}

// A tetrahedron that stands on its apex.
static void add_spike(peers_mesh *mesh, double x, double y, double z)
{
    const uint32_t apex = add_vertex(mesh, x, y, z), a = add_vertex(mesh, x - 0.25, y - 0.25, 1);
    const uint32_t b = add_vertex(mesh, x + 0.25, y - 0.25, 1), c = add_vertex(mesh, x, y + 0.25, 1);
    add_triangle(mesh, apex, b, a);
    add_triangle(mesh, apex, c, b);
    add_triangle(mesh, apex, a, c);
    add_triangle(mesh, a, b, c);
}

// A roof: the ridge runs along x (or y) at height z, the eaves lie at height `base`.
static void add_roof(peers_mesh *mesh, bool along_y, double z, double base)
{
    uint32_t v[6];
    for (uint32_t i = 0; i < 6; i++) {
        const double along = i < 3 ? -2 : 2,
                     across = i % 3 == 0   ? 0
                              : i % 3 == 1 ? -1
                                           : 1,
                     height = i % 3 == 0 ? z : base;
        v[i] = along_y ? add_vertex(mesh, across, along, height) : add_vertex(mesh, along, across, height);
    }
    add_triangle(mesh, v[0], v[1], v[2]);
    add_triangle(mesh, v[3], v[5], v[4]);
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t j = (i + 1) % 3;
        add_triangle(mesh, v[i], v[3 + i], v[3 + j]);
        add_triangle(mesh, v[i], v[3 + j], v[j]);
    }
}

// A vertex at distance 1 from the origin, in the direction given.
static uint32_t add_direction(peers_mesh *mesh, double x, double y, double z)
{
    const double length = sqrt(x * x + y * y + z * z);
    return add_vertex(mesh, x / length, y / length, z / length);
}

// Cut every triangle of a sphere about the origin into four.
static void refine_sphere(peers_mesh *mesh)
{
    static uint32_t coarse[PEERS_MAX_TRIANGLES][3];
    static uint32_t middle_of[PEERS_MAX_VERTICES]
                             [PEERS_MAX_VERTICES]; // by the edge's higher and lower corner; 0: none yet
    const uint32_t count = mesh->triangle_count;
    memset(middle_of, 0, sizeof middle_of);
    memcpy(coarse, mesh->triangles, sizeof coarse);
    mesh->triangle_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *t = coarse[i];
        uint32_t m[3];
        for (uint32_t j = 0; j < 3; j++) {
            const uint32_t p = t[j], q = t[(j + 1) % 3];
            uint32_t *middle = p < q ? &middle_of[q][p] : &middle_of[p][q];
            if (*middle == 0) {
                const double *a = mesh->positions[p], *b = mesh->positions[q];
                *middle = add_direction(mesh, a[0] + b[0], a[1] + b[1], a[2] + b[2]);
            }
            m[j] = *middle;
        }
        for (uint32_t j = 0; j < 3; j++)
            add_triangle(mesh, t[j], m[j], m[(j + 2) % 3]);
        add_triangle(mesh, m[0], m[1], m[2]);
    }
}

// A sphere of 20 · 4^levels triangles and radius 1 about a centre, corners rounded to floats. The mesh must be empty.
static void add_sphere(peers_mesh *mesh, double x, double y, double z, int levels)
{
    const double g = 1.6180339887498949;
    const double corners[12][3] = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                                   {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    static const uint8_t faces[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                         {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                         {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                         {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    for (uint32_t i = 0; i < 12; i++)
        add_direction(mesh, corners[i][0], corners[i][1], corners[i][2]);
    for (uint32_t i = 0; i < 20; i++)
        add_triangle(mesh, faces[i][0], faces[i][1], faces[i][2]);
    for (int level = 0; level < levels; level++)
        refine_sphere(mesh);
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        double *p = mesh->positions[i];
        p[0] = (double)(float)(x + p[0]), p[1] = (double)(float)(y + p[1]), p[2] = (double)(float)(z + p[2]);
    }
}

static void add_grid(peers_mesh *mesh, uint32_t cells, double x0, double y0, double z, double step)
{
    for (uint32_t j = 0; j <= cells; j++)
        for (uint32_t i = 0; i <= cells; i++)
            add_vertex(mesh, x0 + step * i, y0 + step * j, z);
    for (uint32_t j = 0; j < cells; j++)
        for (uint32_t i = 0; i < cells; i++) {
            const uint32_t v = j * (cells + 1) + i;
            add_triangle(mesh, v, v + 1, v + cells + 2);
            add_triangle(mesh, v, v + cells + 2, v + cells + 1);
        }
}

// Two triangles and, in each mesh, a third one far away.
static void two_triangles(peers_mesh *a, peers_mesh *b, const double p[3][3], const double q[3][3])
{
    add_free_triangle(a, p);
    add_free_triangle(b, q);
    add_bystander(a, -40);
    add_bystander(b, 40);
}

static void apart(peers_mesh *a, peers_mesh *b)
{
    add_cube(a, 0, 0, 0, 1);
    add_cube(b, 3, 0.25, 0.25, 1);
}

static void gap(peers_mesh *a, peers_mesh *b)
{
    add_cube(a, -1, 0, 0, 1);
    add_box(b, e30, 0.25, 0.25, 1, 1.25, 1.25);
}

static void crossing(peers_mesh *a, peers_mesh *b)
{
    add_cube(a, 0, 0, 0, 1);
    add_cube(b, 0.75, 0.25, 0.375, 1);
}

static void dent(peers_mesh *a, peers_mesh *b)
{
    add_cube(a, 0, 0, 0, 1);
    add_cube(b, 0.75, 0.25, 0.375, 0.5);
}

static void share_face(peers_mesh *a, peers_mesh *b)
{
    add_cube(a, -1, 0, 0, 1);
    add_cube(b, 0, 0, 0, 1);
}

static void share_part_of_face(peers_mesh *a, peers_mesh *b)
{
    add_cube(a, -1, 0, 0, 1);
    add_cube(b, 0, 0.25, 0.375, 1);
}

static void share_edge(peers_mesh *a, peers_mesh *b)
{
    add_cube(a, -1, -1, 0, 1);
    add_cube(b, 0, 0, 0, 1);
}

static void share_corner(peers_mesh *a, peers_mesh *b)
{
    add_cube(a, -1, -1, -1, 1);
    add_cube(b, 0, 0, 0, 1);
}

static void spike(peers_mesh *a, peers_mesh *b, double height)
{
    add_box(a, -1, -1, -2, 1, 1, 0);
    add_spike(b, 0.25, 0.5, height);
}

static void spike_above(peers_mesh *a, peers_mesh *b)
{
    spike(a, b, e30);
}

static void spike_on(peers_mesh *a, peers_mesh *b)
{
    spike(a, b, 0);
}

static void spike_below(peers_mesh *a, peers_mesh *b)
{
    spike(a, b, -e30);
}

static void ridges(peers_mesh *a, peers_mesh *b, double height)
{
    add_roof(a, false, 0, -1);
    add_roof(b, true, height, 1);
}

static void ridges_above(peers_mesh *a, peers_mesh *b)
{
    ridges(a, b, e30);
}

static void ridges_touch(peers_mesh *a, peers_mesh *b)
{
    ridges(a, b, 0);
}

static void ridges_cross(peers_mesh *a, peers_mesh *b)
{
    ridges(a, b, -e30);
}

static const double flat[3][3] = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};

static void coplanar_overlap(peers_mesh *a, peers_mesh *b)
{
    const double q[3][3] = {{-1, 0.5, 0}, {0, -1.5, 0}, {1, 0.5, 0}};
    two_triangles(a, b, flat, q);
}

static void coplanar_apart(peers_mesh *a, peers_mesh *b)
{
    const double q[3][3] = {{0.75, 1, 0}, {0.75, 0, 0}, {2, 1, 0}};
    two_triangles(a, b, flat, q);
}

static void one_vertex(peers_mesh *a, peers_mesh *b)
{
    const double q[3][3] = {{0, 1, 0}, {-1, 2, 1}, {1, 2, 1.5}};
    two_triangles(a, b, flat, q);
}

static void shallow_crossing(peers_mesh *a, peers_mesh *b)
{
    const double q[3][3] = {{-0.5, -0.5, -e30}, {0.5, -0.5, e30}, {0, 0.25, e30}};
    two_triangles(a, b, flat, q);
}

static void parallel_above(peers_mesh *a, peers_mesh *b)
{
    const double q[3][3] = {{-0.5, -0.5, e30}, {0.5, -0.5, e30}, {0, 0.25, e30}};
    two_triangles(a, b, flat, q);
}

static void one_triangle(peers_mesh *a, peers_mesh *b)
{
    const double q[3][3] = {{0, 0, -1}, {0.25, 0, 1}, {0, 0.25, 1}};
    add_free_triangle(a, flat);
    add_free_triangle(b, q);
}

static void one_and_two(peers_mesh *a, peers_mesh *b)
{
    one_triangle(a, b);
    add_bystander(b, 40);
}

static void same(peers_mesh *a, peers_mesh *b)
{
    add_cube(a, 0, 0, 0, 1);
    add_cube(b, 0, 0, 0, 1);
}

static void same_moved(peers_mesh *a, peers_mesh *b)
{
    add_cube(a, 0, 0, 0, 1);
    add_box(b, e40, e40, e40, 1 + e40, 1 + e40, 1 + e40);
}

static void far_crossing(peers_mesh *a, peers_mesh *b)
{
    add_cube(a, far, far, far, 4);
    add_cube(b, far + 3, far + 1, far + 2, 4);
}

static void far_gap(peers_mesh *a, peers_mesh *b)
{
    add_cube(a, far, far, far, 4);
    add_cube(b, far + 5, far + 1, far + 2, 4);
}

static void far_share_face(peers_mesh *a, peers_mesh *b)
{
    add_cube(a, far, far, far, 4);
    add_cube(b, far + 4, far, far, 4);
}

static void far_small_gap(peers_mesh *a, peers_mesh *b)
{
    add_cube(a, far, far, far, 1);
    add_box(b, far + 1 + 0x1p-20, far + 0.25, far + 0.375, far + 2, far + 1.25, far + 1.375);
}

static void tiny_crossing(peers_mesh *a, peers_mesh *b)
{
    add_cube(a, 0, 0, 0, e30);
    add_cube(b, 0.75 * e30, 0.25 * e30, 0.375 * e30, e30);
}

static void tiny_gap(peers_mesh *a, peers_mesh *b)
{
    add_cube(a, 0, 0, 0, e30);
    add_cube(b, 1.25 * e30, 0.25 * e30, 0.375 * e30, e30);
}

static void tiny_share_face(peers_mesh *a, peers_mesh *b)
{
    add_cube(a, -e30, 0, 0, e30);
    add_cube(b, 0, 0, 0, e30);
}

static void needle(peers_mesh *a, peers_mesh *b, double low)
{
    const double q[3][3] = {{0.25, 0.5, low}, {0.25, 0.5, 1}, {0.25, 0.5, 0.5}};
    add_box(a, -1, -1, -2, 1, 1, 0);
    add_free_triangle(b, q);
    add_bystander(b, 40);
}

static void needle_through(peers_mesh *a, peers_mesh *b)
{
    needle(a, b, -1);
}

static void needle_above(peers_mesh *a, peers_mesh *b)
{
    needle(a, b, 0.25);
}

static void point_on_face(peers_mesh *a, peers_mesh *b)
{
    const double q[3][3] = {{0.25, 0.5, 0}, {0.25, 0.5, 0}, {0.25, 0.5, 0}};
    add_box(a, -1, -1, -2, 1, 1, 0);
    add_free_triangle(b, q);
    add_bystander(b, 40);
}

static void inside(peers_mesh *a, peers_mesh *b)
{
    add_cube(a, -8, -8, -8, 16);
    add_cube(b, 0, 0, 0, 1);
}

static void part_inside(peers_mesh *a, peers_mesh *b)
{
    inside(a, b);
    add_cube(b, 20, 0, 0, 1);
}

static void sphere_and_grid(peers_mesh *a, peers_mesh *b)
{
    add_sphere(a, 0, 0, 0, 1);
    add_grid(b, 16, -2.03125, -1.96875, 0.125, 0.25);
}

static void sphere_and_sphere(peers_mesh *a, peers_mesh *b)
{
    add_sphere(a, 0, 0, 0, 2);
    add_sphere(b, 0.7, 0.3, 0.2, 2);
}

static void self_cube(peers_mesh *a, peers_mesh *b)
{
    (void)b;
    add_cube(a, 0, 0, 0, 1);
}

static void self_two_cubes(peers_mesh *a, peers_mesh *b)
{
    (void)b;
    add_cube(a, 0, 0, 0, 1);
    add_cube(a, 0.75, 0.25, 0.375, 1);
}

// Two triangles with a common edge, the second folded flat onto the first.
static void self_fold(peers_mesh *a, peers_mesh *b)
{
    (void)b;
    add_free_triangle(a, flat);
    add_triangle(a, 1, 0, add_vertex(a, 0, 0.5, 0));
}

// Two triangles with a common corner; the second also runs through the first's inside.
static void self_bow(peers_mesh *a, peers_mesh *b)
{
    (void)b;
    add_free_triangle(a, flat);
    const uint32_t up = add_vertex(a, 0, -0.5, 1), down = add_vertex(a, 0, -0.5, -1);
    add_triangle(a, 2, up, down);
}

static int64_t random_below(uint64_t *state, int64_t end)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15); // splitmix64, Steele and others 2014
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (int64_t)((z ^ (z >> 31)) >> 1) % end;
}

static uint32_t add_lattice_vertex(peers_mesh *mesh, const int64_t p[3], int bits)
{
    return add_vertex(mesh, ldexp((double)p[0], -bits), ldexp((double)p[1], -bits), ldexp((double)p[2], -bits));
}

// A random triangle, and a tetrahedron whose apex is at a point inside of it, moved by `height` units of 2^-bits along
// the axis on which the triangle's normal is largest. The corners are multiples of four units and the apex is the
// middle of one corner and the middle of the other two, so it lies in the triangle exactly. The tetrahedron's other
// corners are far on the positive side.
static void oblique_spike(peers_mesh *a, peers_mesh *b, uint64_t variant, int bits, int64_t height)
{
    const int64_t one = INT64_C(1) << bits;
    uint64_t state = variant;
    int64_t p[3][3];
    double n[3], largest = 0;
    int axis = 0;
    do {
        double e[2][3];
        for (int i = 0; i < 9; i++)
            p[i / 3][i % 3] = 4 * (random_below(&state, one / 2) - one / 4);
        for (int i = 0; i < 6; i++)
            e[i / 3][i % 3] = ldexp((double)(p[i / 3 + 1][i % 3] - p[0][i % 3]), -bits);
        largest = 0;
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            n[i] = e[0][j] * e[1][k] - e[0][k] * e[1][j];
            if (fabs(n[i]) > largest)
                largest = fabs(n[i]), axis = i;
        }
    } while (largest < 0.25); // no slivers: they are another question
    int64_t apex[3], base[3];
    uint32_t corner[4];
    for (int i = 0; i < 3; i++) {
        corner[i] = add_lattice_vertex(a, p[i], bits);
        apex[i] = p[0][i] / 2 + p[1][i] / 4 + p[2][i] / 4;
    }
    add_triangle(a, corner[0], corner[1], corner[2]);
    const int64_t up = n[axis] > 0 ? 1 : -1;
    apex[axis] += up * height;
    corner[0] = add_lattice_vertex(b, apex, bits);
    for (int i = 0; i < 3; i++) {
        static const int sideways[3][2] = {{-1, -1}, {1, -1}, {0, 1}};
        base[axis] = apex[axis] + up * one;
        base[(axis + 1) % 3] = apex[(axis + 1) % 3] + sideways[i][0] * (one / 4);
        base[(axis + 2) % 3] = apex[(axis + 2) % 3] + sideways[i][1] * (one / 4);
        corner[i + 1] = add_lattice_vertex(b, base, bits);
    }
    add_triangle(b, corner[0], corner[1], corner[2]);
    add_triangle(b, corner[0], corner[2], corner[3]);
    add_triangle(b, corner[0], corner[3], corner[1]);
    add_triangle(b, corner[1], corner[3], corner[2]);
    add_bystander(a, -40);
}

static void oblique_on(peers_mesh *a, peers_mesh *b, uint64_t variant)
{
    oblique_spike(a, b, variant, 20, 0);
}

static void oblique_above(peers_mesh *a, peers_mesh *b, uint64_t variant)
{
    oblique_spike(a, b, variant, 20, 1);
}

static void oblique_below(peers_mesh *a, peers_mesh *b, uint64_t variant)
{
    oblique_spike(a, b, variant, 20, -1);
}

static void oblique_on_double(peers_mesh *a, peers_mesh *b, uint64_t variant)
{
    oblique_spike(a, b, variant, 48, 0);
}

static void oblique_above_double(peers_mesh *a, peers_mesh *b, uint64_t variant)
{
    oblique_spike(a, b, variant, 48, 1);
}

static void oblique_below_double(peers_mesh *a, peers_mesh *b, uint64_t variant)
{
    oblique_spike(a, b, variant, 48, -1);
}

#define APART                                                                                                          \
    {                                                                                                                  \
        PEERS_NO, "apart"                                                                                              \
    }
#define TOUCH                                                                                                          \
    {                                                                                                                  \
        PEERS_YES, "colliding"                                                                                         \
    }
#define INSIDE                                                                                                         \
    {                                                                                                                  \
        PEERS_NO, "b inside a"                                                                                         \
    }
#define PARTLY                                                                                                         \
    {                                                                                                                  \
        PEERS_NO, "overlapping"                                                                                        \
    }

const peers_case peers_cases[] = {
    {"apart", "unit cubes 2 apart", false, APART, apart, NULL},
    {"gap", "cubes 2^-30 apart", false, APART, gap, NULL},
    {"crossing", "unit cubes that overlap in a corner", false, TOUCH, crossing, NULL},
    {"dent", "a cube of side 1/2, 1/4 deep in a face", false, TOUCH, dent, NULL},
    {"share_face", "cubes side by side, one face in common", false, TOUCH, share_face, NULL},
    {"share_part_of_face", "the same, shifted along the face", false, TOUCH, share_part_of_face, NULL},
    {"share_edge", "cubes with one edge in common", false, TOUCH, share_edge, NULL},
    {"share_corner", "cubes with one corner in common", false, TOUCH, share_corner, NULL},
    {"spike_above", "an apex 2^-30 above a face", false, APART, spike_above, NULL},
    {"spike_on", "an apex on a face", false, TOUCH, spike_on, NULL},
    {"spike_below", "an apex 2^-30 below a face", false, TOUCH, spike_below, NULL},
    {"ridges_above", "two crossed ridges 2^-30 apart", false, APART, ridges_above, NULL},
    {"ridges_touch", "two crossed ridges that touch", false, TOUCH, ridges_touch, NULL},
    {"ridges_cross", "two crossed ridges 2^-30 deep", false, TOUCH, ridges_cross, NULL},
    {"coplanar_overlap", "two triangles of one plane that overlap", false, TOUCH, coplanar_overlap, NULL},
    {"coplanar_apart", "two triangles of one plane, apart, boxes overlap", false, APART, coplanar_apart, NULL},
    {"one_vertex", "two triangles with one vertex in common", false, TOUCH, one_vertex, NULL},
    {"shallow_crossing", "triangles that cross at an angle of about 2^-29", false, TOUCH, shallow_crossing, NULL},
    {"parallel_above", "parallel triangles 2^-30 apart", false, APART, parallel_above, NULL},
    {"one_triangle", "crossing meshes of one triangle each", false, TOUCH, one_triangle, NULL},
    {"one_and_two", "the same, with a triangle far off in one mesh", false, TOUCH, one_and_two, NULL},
    {"same", "a cube and the same cube", false, TOUCH, same, NULL},
    {"same_moved_double", "a cube and the same moved by 2^-40 on each axis", false, TOUCH, same_moved, NULL},
    {"far_crossing", "cubes of side 4 at 1e7 that overlap", false, TOUCH, far_crossing, NULL},
    {"far_gap", "cubes of side 4 at 1e7, 1 apart", false, APART, far_gap, NULL},
    {"far_share_face", "cubes of side 4 at 1e7, one face in common", false, TOUCH, far_share_face, NULL},
    {"far_small_gap_double", "cubes of side 1 at 1e7, 2^-20 apart", false, APART, far_small_gap, NULL},
    {"tiny_crossing", "cubes of side 2^-30 that overlap", false, TOUCH, tiny_crossing, NULL},
    {"tiny_gap", "cubes of side 2^-30, a quarter of it apart", false, APART, tiny_gap, NULL},
    {"tiny_share_face", "cubes of side 2^-30, one face in common", false, TOUCH, tiny_share_face, NULL},
    {"needle_through", "a triangle of no area that pierces a face", false, TOUCH, needle_through, NULL},
    {"needle_above", "a triangle of no area, 1/4 above a face", false, APART, needle_above, NULL},
    {"point_on_face", "a triangle that is one point, on a face", false, TOUCH, point_on_face, NULL},
    {"inside", "a cube deep inside another", false, INSIDE, inside, NULL},
    {"part_inside", "two cubes, one deep inside another, one outside", false, PARTLY, part_inside, NULL},
    {"sphere_and_grid", "80 triangles through a plane of 512", false, TOUCH, sphere_and_grid, NULL},
    {"sphere_and_sphere", "two spheres of 320 triangles", false, TOUCH, sphere_and_sphere, NULL},
    {"oblique_on", "an apex on a random triangle", false, TOUCH, NULL, oblique_on},
    {"oblique_above", "an apex 2^-20 above a random triangle", false, APART, NULL, oblique_above},
    {"oblique_below", "an apex 2^-20 below a random triangle", false, TOUCH, NULL, oblique_below},
    {"oblique_on_double", "an apex on a random triangle", false, TOUCH, NULL, oblique_on_double},
    {"oblique_above_double", "an apex 2^-48 above a random triangle", false, APART, NULL, oblique_above_double},
    {"oblique_below_double", "an apex 2^-48 below a random triangle", false, TOUCH, NULL, oblique_below_double},
    {"self_cube", "a cube with itself", true, APART, self_cube, NULL},
    {"self_two_cubes", "one mesh of two cubes that cross", true, TOUCH, self_two_cubes, NULL},
    {"self_fold", "two triangles folded flat onto each other", true, TOUCH, self_fold, NULL},
    {"self_bow", "two triangles of one corner that also cross", true, TOUCH, self_bow, NULL},
};

const size_t peers_case_count = sizeof peers_cases / sizeof peers_cases[0];

unsigned peers_variant_count(const peers_case *question)
{
    return question->build ? 1 : PEERS_VARIANTS;
}

void peers_build(const peers_case *question, unsigned variant, peers_mesh *a, peers_mesh *b)
{
    memset(a, 0, sizeof *a);
    memset(b, 0, sizeof *b);
    if (question->build)
        question->build(a, b);
    else
        question->build_variant(a, b, variant);
}
