// SPDX-License-Identifier: MIT
// The triangulation of polygons, on integer grids where areas and signs are plain integers. The triangles of a polygon
// that does not overlap itself cover it exactly once and use every corner, for any projection axis, winding and scale.
// The oracle is int64 arithmetic that shares no code with the library.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "geometry/polygon/polygon.h"
#include "support_arrays.h"

enum {
    MOST_CORNERS = 400
};

typedef struct grid_point {
    int64_t x, y;
} grid_point;

// A polygon on the grid.
typedef struct outline {
    uint32_t count;
    grid_point at[MOST_CORNERS];
} outline;

// How the grid lies in space: the coordinate that is left out, and the scale. The third coordinate is that of a plane.
typedef struct placement {
    int axis;
    double scale;
    int64_t slope_x, slope_y;
} placement;

static const placement FLAT = {2, 1.0, 0, 0};

static uint64_t random_state;

// splitmix64
static uint64_t random_bits(void)
{
    uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static int64_t random_below(int64_t bound)
{
    return bound > 0 ? (int64_t)(random_bits() % (uint64_t)bound) : 0;
}

// One after the other, because the compiler chooses the order within an initialiser.
static grid_point random_point(int64_t side)
{
    grid_point p;
    p.x = random_below(side);
    p.y = random_below(side);
    return p;
}

static int64_t twice_area(grid_point a, grid_point b, grid_point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static int sign_of(int64_t value)
{
    return (value > 0) - (value < 0);
}

static int turn(grid_point a, grid_point b, grid_point c)
{
    return sign_of(twice_area(a, b, c));
}

static int64_t outline_twice_area(const outline *p)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        grid_point a = p->at[i], b = p->at[(i + 1) % p->count];
        sum += a.x * b.y - a.y * b.x;
    }
    return sum;
}

static bool properly_cross(grid_point a, grid_point b, grid_point c, grid_point d)
{
    return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
}

static bool on_segment(grid_point a, grid_point b, grid_point p)
{
    return turn(a, b, p) == 0 && (p.x - a.x) * (p.x - b.x) <= 0 && (p.y - a.y) * (p.y - b.y) <= 0;
}

static bool segments_meet(grid_point a, grid_point b, grid_point c, grid_point d)
{
    return properly_cross(a, b, c, d) || on_segment(a, b, c) || on_segment(a, b, d) || on_segment(c, d, a) ||
           on_segment(c, d, b);
}

static bool outline_crosses(const outline *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        for (uint32_t j = i + 1; j < p->count; j++)
            if (properly_cross(p->at[i], p->at[(i + 1) % p->count], p->at[j], p->at[(j + 1) % p->count]))
                return true;
    return false;
}

// True if the interiors of two counter-clockwise triangles with area have a common point: no side of either separates
// them.
static bool overlap(const grid_point a[3], const grid_point b[3])
{
    for (int swap = 0; swap < 2; swap++) {
        const grid_point *p = swap ? b : a, *q = swap ? a : b;
        for (int i = 0; i < 3; i++) {
            bool separates = true;
            for (int j = 0; j < 3; j++)
                separates = separates && turn(p[i], p[(i + 1) % 3], q[j]) <= 0;
            if (separates)
                return false;
        }
    }
    return true;
}

static void print_outline(const outline *p)
{
    print_message("outline of %u corners:", p->count);
    for (uint32_t i = 0; i < p->count; i++)
        print_message(" %lld,%lld", (long long)p->at[i].x, (long long)p->at[i].y);
    print_message("\n");
}

static void fail_outline(const outline *p, const char *why)
{
    print_outline(p);
    fail_msg("%s", why);
}

static void place(const outline *p, placement where, double *corners)
{
    for (uint32_t i = 0; i < p->count; i++) {
        int64_t z = where.slope_x * p->at[i].x + where.slope_y * p->at[i].y;
        corners[3 * i + (uint32_t)(where.axis + 1) % 3] = (double)p->at[i].x * where.scale;
        corners[3 * i + (uint32_t)(where.axis + 2) % 3] = (double)p->at[i].y * where.scale;
        corners[3 * i + (uint32_t)where.axis] = (double)z * where.scale;
    }
}

static grz_polygon_shape triangulate(const outline *p, placement where, uint32_t *triangles)
{
    static double corners[3 * MOST_CORNERS];
    grz_allocator allocator = grz_malloc_allocator();
    grz_polygon_scratch scratch = {0};
    grz_polygon_shape shape;
    place(p, where, corners);
    assert_true(grz_polygon_triangulate(&allocator, &scratch, corners, p->count, triangles, &shape));
    grz_polygon_scratch_finish(&allocator, &scratch);
    return shape;
}

// Check that triangles cover an outline exactly once, by areas, by pairs, and by use of corners. Returns how many have
// no area.
static uint32_t check_cover(const outline *p, const uint32_t *triangles)
{
    int64_t area = outline_twice_area(p), sum = 0;
    bool used[MOST_CORNERS] = {false};
    static grid_point with_area[MOST_CORNERS][3];
    uint32_t flat = 0, count = 0;
    for (uint32_t i = 0; i + 2 < p->count; i++) {
        grid_point t[3];
        for (int k = 0; k < 3; k++) {
            if (triangles[3 * i + (uint32_t)k] >= p->count)
                fail_outline(p, "a corner number is out of range");
            used[triangles[3 * i + (uint32_t)k]] = true;
            t[k] = p->at[triangles[3 * i + (uint32_t)k]];
        }
        int64_t twice = twice_area(t[0], t[1], t[2]);
        if (sign_of(twice) == -sign_of(area) && twice != 0)
            fail_outline(p, "a triangle runs round the wrong way");
        sum += twice;
        flat += twice == 0;
        for (int k = 0; k < 3 && twice != 0; k++)
            with_area[count][k] = t[area > 0 ? k : 2 - k];
        count += twice != 0;
    }
    if (sum != area)
        fail_outline(p, "the areas do not add up");
    for (uint32_t i = 0; i < p->count; i++)
        if (!used[i])
            fail_outline(p, "a corner is not used");
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count; j++)
            if (overlap(with_area[i], with_area[j]))
                fail_outline(p, "two triangles overlap");
    return flat;
}

static void reverse(outline *p)
{
    for (uint32_t i = 0; i < p->count / 2; i++) {
        grid_point swapped = p->at[i];
        p->at[i] = p->at[p->count - 1 - i];
        p->at[p->count - 1 - i] = swapped;
    }
}

static void rotate(outline *p, uint32_t by)
{
    outline before = *p;
    for (uint32_t i = 0; i < p->count; i++)
        p->at[i] = before.at[(i + by) % p->count];
}

static void an_arrowhead_is_split_at_its_notch(void **state)
{
    (void)state;
    const outline arrow = {4, {{0, 0}, {4, 1}, {1, 1}, {1, 4}}}; // the notch is corner 2
    for (int axis = 0; axis < 3; axis++)
        for (int winding = 0; winding < 2; winding++)
            for (uint32_t turned = 0; turned < 4; turned++) {
                outline p = arrow;
                uint32_t triangles[6], notch = 0;
                if (winding)
                    reverse(&p);
                rotate(&p, turned);
                while (p.at[notch].x != 1 || p.at[notch].y != 1)
                    notch++;
                assert_int_equal(triangulate(&p, (placement){axis, 1.0, 0, 0}, triangles), GRZ_POLYGON_SIMPLE);
                assert_int_equal(check_cover(&p, triangles), 0);
                for (size_t t = 0; t < 2; t++) {
                    const uint32_t *c = triangles + 3 * t;
                    assert_true(c[0] == notch || c[1] == notch || c[2] == notch);
                }
            }
}

static void a_convex_polygon_is_a_fan(void **state)
{
    (void)state;
    const outline p = {6, {{0, 0}, {3, -1}, {6, 0}, {7, 3}, {4, 6}, {0, 3}}};
    for (uint32_t turned = 0; turned < 6; turned++)
        for (int axis = 0; axis < 3; axis++) {
            outline q = p;
            uint32_t triangles[12];
            rotate(&q, turned);
            assert_int_equal(triangulate(&q, (placement){axis, 1.0, 0, 0}, triangles), GRZ_POLYGON_CONVEX);
            for (size_t i = 0; i < 4; i++) {
                assert_int_equal(triangles[3 * i], 0);
                assert_int_equal(triangles[3 * i + 1], i + 1);
                assert_int_equal(triangles[3 * i + 2], i + 2);
            }
        }
}

static void corners_on_edges_make_no_flat_triangle(void **state)
{
    (void)state;
    // A triangle and a rectangle with corners along their sides, from every first corner.
    const outline shapes[2] = {{9, {{0, 0}, {1, 0}, {4, 0}, {6, 0}, {4, 2}, {3, 3}, {0, 6}, {0, 5}, {0, 1}}},
                               {8, {{0, 0}, {2, 0}, {4, 0}, {4, 1}, {4, 2}, {2, 2}, {0, 2}, {0, 1}}}};
    for (int s = 0; s < 2; s++)
        for (uint32_t turned = 0; turned < shapes[s].count; turned++) {
            outline p = shapes[s];
            uint32_t triangles[3 * MOST_CORNERS];
            rotate(&p, turned);
            assert_int_equal(triangulate(&p, FLAT, triangles), GRZ_POLYGON_SIMPLE);
            assert_int_equal(check_cover(&p, triangles), 0);
        }
}

static void polygons_that_cross_themselves_are_fanned(void **state)
{
    (void)state;
    const outline crossing[] = {
        {4, {{0, 0}, {2, 2}, {2, 0}, {0, 2}}},                  // a bow-tie, area zero
        {4, {{0, 0}, {5, 5}, {2, 0}, {0, 2}}},                  // a lopsided one
        {5, {{0, -10}, {6, 8}, {-10, -3}, {10, -3}, {-6, 8}}},  // a pentagram: every corner turns left, twice round
        {6, {{0, 0}, {4, 0}, {4, 4}, {2, -2}, {1, 1}, {0, 4}}}, // one edge pokes through another
        {6,
         {{0, 0}, {2, 2}, {4, 4}, {4, 0}, {2, 2}, {0, 4}}}, // crosses itself at a corner: one lobe runs the wrong way
        {8, {{0, 0}, {9, 0}, {9, 9}, {3, 9}, {3, -3}, {6, -3}, {6, 12}, {0, 12}}}, // overlaps itself like a coil
    };
    for (size_t i = 0; i < sizeof crossing / sizeof *crossing; i++) {
        uint32_t triangles[3 * MOST_CORNERS];
        grz_polygon_shape shape = triangulate(&crossing[i], FLAT, triangles);
        if (shape != GRZ_POLYGON_NONSIMPLE)
            fail_outline(&crossing[i], "crosses itself, and was not found to");
        for (size_t t = 0; t + 2 < crossing[i].count; t++) {
            assert_int_equal(triangles[3 * t], 0);
            assert_int_equal(triangles[3 * t + 1], t + 1);
            assert_int_equal(triangles[3 * t + 2], t + 2);
        }
    }
}

// A random simple polygon: start from a triangle and insert corners into edges one by one, where the new edges meet
// nothing else.
static void grow_simple(outline *p, uint32_t count, int64_t side)
{
    do
        for (p->count = 0; p->count < 3; p->count++)
            p->at[p->count] = random_point(side);
    while (turn(p->at[0], p->at[1], p->at[2]) == 0);
    for (int attempt = 0; attempt < 4000 && p->count < count; attempt++) {
        grid_point added = random_point(side);
        uint32_t edge = (uint32_t)random_below(p->count);
        grid_point a = p->at[edge], b = p->at[(edge + 1) % p->count];
        bool free_of_others = !on_segment(a, b, added);
        for (uint32_t i = 0; i < p->count && free_of_others; i++) {
            grid_point c = p->at[i], d = p->at[(i + 1) % p->count];
            if (i == edge)
                continue;
            free_of_others = !on_segment(c, d, added);
            // The two new edges may meet their neighbours in the common corner only.
            if ((i + 1) % p->count == edge)
                free_of_others = free_of_others && !on_segment(a, added, c) && !segments_meet(added, b, c, d);
            else if (i == (edge + 1) % p->count)
                free_of_others = free_of_others && !on_segment(added, b, d) && !segments_meet(a, added, c, d);
            else
                free_of_others = free_of_others && !segments_meet(a, added, c, d) && !segments_meet(added, b, c, d);
        }
        if (!free_of_others)
            continue;
        memmove(p->at + edge + 2, p->at + edge + 1, (p->count - edge - 1) * sizeof *p->at);
        p->at[edge + 1] = added;
        p->count++;
    }
}

static placement random_placement(void)
{
    placement where = {.axis = (int)random_below(3)};
    where.slope_x = random_below(2) ? random_below(3) - 1 : 0;
    where.slope_y = random_below(2) ? random_below(3) - 1 : 0;
    where.scale = random_below(2) ? 1.0 : 0x1p-3;
    return where;
}

static void random_simple_polygons_are_covered_once(void **state)
{
    (void)state;
    random_state = 1;
    uint32_t flat = 0, convex = 0, corners = 0;
    for (int round = 0; round < 6000; round++) {
        outline p;
        uint32_t triangles[3 * MOST_CORNERS];
        uint32_t count = 4 + (uint32_t)random_below(round % 50 == 0 ? 120 : 30);
        grow_simple(&p, count, 6 + random_below(round % 3 == 0 ? 200 : 12));
        if (random_below(2))
            reverse(&p);
        grz_polygon_shape shape = triangulate(&p, random_placement(), triangles);
        if (shape != GRZ_POLYGON_SIMPLE && shape != GRZ_POLYGON_CONVEX)
            fail_outline(&p, "simple, and was not found to be");
        flat += check_cover(&p, triangles);
        convex += shape == GRZ_POLYGON_CONVEX;
        corners += p.count;
    }
    print_message("6000 simple polygons, %u corners, %u convex: %u flat triangles\n", corners, convex, flat);
    assert_true(convex > 100 && convex < 3000);
    assert_int_equal(flat, 0);
}

// A set of cells joined by a tree, each with sides 0 to 3 counter-clockwise from the lower one.
enum {
    BOARD = 9
};

static bool cell_taken[BOARD][BOARD], joined[BOARD][BOARD][4];
static const int STEP_X[4] = {0, 1, 0, -1}, STEP_Y[4] = {-1, 0, 1, 0};

// The outline of this cell and the cells joined to it, from the start of its side `entry` to the end of that side,
// without the start.
static void walk(outline *p, int x, int y, int entry)
{
    static const int END_X[4] = {1, 1, 0, 0}, END_Y[4] = {0, 1, 1, 0};
    for (int k = entry < 0 ? 0 : 1; k < 4; k++) {
        int side = entry < 0 ? k : (entry + k) % 4;
        if (joined[x][y][side])
            walk(p, x + STEP_X[side], y + STEP_Y[side], (side + 2) % 4);
        else
            p->at[p->count++] = (grid_point){x + END_X[side], y + END_Y[side]};
    }
}

// Cells of a board, joined to a tree at random. Its outline bounds every cell once: holes are bridged by doubled edges,
// cells that are neighbours but not joined leave slits, and others touch at corners.
static uint32_t grow_tree(outline *p, uint32_t cells)
{
    memset(cell_taken, 0, sizeof cell_taken);
    memset(joined, 0, sizeof joined);
    int taken_x[BOARD * BOARD] = {BOARD / 2}, taken_y[BOARD * BOARD] = {BOARD / 2};
    uint32_t taken = 1;
    cell_taken[BOARD / 2][BOARD / 2] = true;
    for (int attempt = 0; attempt < 2000 && taken < cells; attempt++) {
        uint32_t from = (uint32_t)random_below(taken);
        int side = (int)random_below(4), x = taken_x[from] + STEP_X[side], y = taken_y[from] + STEP_Y[side];
        if (x < 0 || y < 0 || x >= BOARD || y >= BOARD || cell_taken[x][y])
            continue;
        cell_taken[x][y] = true;
        joined[taken_x[from]][taken_y[from]][side] = true;
        taken_x[taken] = x;
        taken_y[taken++] = y;
    }
    p->count = 0;
    walk(p, BOARD / 2, BOARD / 2, -1);
    return taken;
}

// Leave out some corners that lie between their neighbours, and repeat some others.
static void thin_and_repeat(outline *p, bool repeat)
{
    outline before = *p;
    p->count = 0;
    for (uint32_t i = 0; i < before.count; i++) {
        grid_point a = p->count > 0 ? p->at[p->count - 1] : before.at[before.count - 1], b = before.at[i];
        grid_point c = before.at[(i + 1) % before.count];
        bool straight = turn(a, b, c) == 0 && (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y) > 0;
        if (straight && before.count - i + p->count > 6 && random_below(3) != 0)
            continue;
        p->at[p->count++] = b;
        if (repeat && random_below(8) == 0)
            p->at[p->count++] = b;
    }
}

static void shear(outline *p)
{
    int64_t a = random_below(5) - 2, b = random_below(5) - 2;
    for (uint32_t i = 0; i < p->count; i++) {
        p->at[i].x += a * p->at[i].y;
        p->at[i].y += b * p->at[i].x;
    }
}

static void bridged_holes_slits_and_touching_corners_are_covered_once(void **state)
{
    (void)state;
    random_state = 2;
    uint32_t flat[4] = {0}, corners = 0, nonsimple = 0, repeats = 0;
    for (int round = 0; round < 20000; round++) {
        outline p;
        uint32_t triangles[3 * MOST_CORNERS],
            cells = grow_tree(&p, 1 + (uint32_t)random_below(round % 20 == 0 ? 70 : 16));
        assert_int_equal(outline_twice_area(&p), 2 * cells);
        if (round % 2)
            thin_and_repeat(&p, round % 4 == 1);
        shear(&p);
        rotate(&p, (uint32_t)random_below(p.count));
        if (random_below(2))
            reverse(&p);
        grz_polygon_shape shape = triangulate(&p, random_placement(), triangles);
        corners += p.count;
        if (shape == GRZ_POLYGON_NONSIMPLE) {
            if (nonsimple++ == 0)
                print_outline(&p);
            continue;
        }
        flat[round % 4] += check_cover(&p, triangles);
        for (uint32_t i = 0; i < p.count; i++)
            repeats += p.at[i].x == p.at[(i + 1) % p.count].x && p.at[i].y == p.at[(i + 1) % p.count].y;
    }
    print_message(
        "20000 trees of cells, %u corners: %u flat triangles in whole ones, %u in thinned ones, %u where %u points "
        "repeat, %u not covered\n",
        corners, flat[0] + flat[2], flat[3], flat[1], repeats, nonsimple);
    assert_int_equal(nonsimple, 0);
    assert_int_equal(flat[0] + flat[2] + flat[3], 0);
    assert_int_equal(flat[1], repeats);
}

// The least and largest winding number among random points of the square, off the grid lines.
static void sample_windings(const outline *p, int64_t side, int *low, int *high)
{
    *low = *high = 0;
    for (int sample = 0; sample < 2000; sample++) {
        grid_point at = random_point(side << 16);
        at = (grid_point){2 * at.x + 1, 2 * at.y + 1};
        int winding = 0;
        for (uint32_t i = 0; i < p->count; i++) {
            grid_point a = {p->at[i].x << 17, p->at[i].y << 17};
            grid_point b = {p->at[(i + 1) % p->count].x << 17, p->at[(i + 1) % p->count].y << 17};
            if (a.y < at.y && b.y > at.y)
                winding += twice_area(a, b, at) > 0;
            else if (a.y > at.y && b.y < at.y)
                winding -= twice_area(a, b, at) < 0;
        }
        *low = winding < *low ? winding : *low;
        *high = winding > *high ? winding : *high;
    }
}

static void only_polygons_that_cross_or_overlap_are_not_covered(void **state)
{
    (void)state;
    random_state = 3;
    uint32_t crossing = 0, simple = 0, stuck = 0;
    for (int round = 0; round < 30000; round++) {
        outline p = {.count = 4 + (uint32_t)random_below(6)};
        uint32_t triangles[3 * MOST_CORNERS];
        int64_t side = 3 + random_below(6);
        for (uint32_t i = 0; i < p.count; i++)
            p.at[i] = random_point(side);
        grz_polygon_shape shape = triangulate(&p, FLAT, triangles);
        bool crosses = outline_crosses(&p);
        if (crosses && shape != GRZ_POLYGON_NONSIMPLE)
            fail_outline(&p, "crosses itself, and was not found to");
        crossing += crosses;
        simple += shape == GRZ_POLYGON_SIMPLE;
        if (!crosses && shape == GRZ_POLYGON_NONSIMPLE) {
            int low, high;
            sample_windings(&p, side, &low, &high);
            if (high - low < 2)
                fail_outline(&p, "it neither crosses nor overlaps itself, and was not covered");
            stuck++;
        }
    }
    print_message("30000 random polygons: %u cross, %u were ear-clipped, %u overlap without crossing\n", crossing,
                  simple, stuck);
    assert_true(crossing > 1000 && simple > 1000 && stuck > 10);
}

static void powers_of_two_change_nothing(void **state)
{
    (void)state;
    random_state = 4;
    for (int round = 0; round < 500; round++) {
        outline p;
        uint32_t plain[3 * MOST_CORNERS], scaled[3 * MOST_CORNERS];
        if (round % 2)
            grow_simple(&p, 20, 40);
        else
            (void)grow_tree(&p, 10);
        placement where = random_placement();
        where.scale = 1.0;
        grz_polygon_shape shape = triangulate(&p, where, plain);
        const double scales[] = {0x1p-1000, 0x1p-1074, 0x1p-537, 0x1p290};
        for (size_t s = 0; s < sizeof scales / sizeof *scales; s++) {
            where.scale = scales[s];
            assert_int_equal(triangulate(&p, where, scaled), shape);
            if (memcmp(plain, scaled, 3 * (size_t)(p.count - 2) * sizeof *plain) != 0)
                fail_outline(&p, "the scale changes the triangles");
        }
    }
}

static void corners_in_line_are_a_fan_that_crosses_nothing(void **state)
{
    (void)state;
    const outline lines[] = {{4, {{0, 0}, {1, 1}, {2, 2}, {3, 3}}},
                             {5, {{0, 0}, {3, 3}, {1, 1}, {2, 2}, {0, 0}}},
                             {4, {{1, 1}, {1, 1}, {1, 1}, {1, 1}}}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        uint32_t triangles[9];
        assert_int_equal(triangulate(&lines[i], FLAT, triangles), GRZ_POLYGON_COLLINEAR);
        assert_int_equal(check_cover(&lines[i], triangles), lines[i].count - 2);
    }
}

// A path and back: no area, but not in line either.
static void a_path_walked_back_is_covered_by_flat_triangles(void **state)
{
    (void)state;
    const outline p = {6, {{0, 0}, {4, 0}, {4, 4}, {6, 7}, {4, 4}, {4, 0}}};
    uint32_t triangles[12];
    assert_int_equal(triangulate(&p, FLAT, triangles), GRZ_POLYGON_SIMPLE);
    assert_int_equal(check_cover(&p, triangles), 4);
}

// The Newell normal of such a sliver is mostly rounding error. The exact signs must be right anyway.
static void slivers_far_from_the_origin_are_covered(void **state)
{
    (void)state;
    random_state = 5;
    for (int round = 0; round < 500; round++) {
        outline p = {5, {{0, 0}, {INT64_C(1) << 29, 1}, {INT64_C(1) << 30, 2}, {(INT64_C(1) << 30) - 7, 2}, {3, 1}}};
        uint32_t triangles[9];
        for (uint32_t i = 0; i < p.count; i++)
            p.at[i].x += random_below(3);
        grz_polygon_shape shape = triangulate(&p, (placement){(int)random_below(3), 1.0, 0, 0}, triangles);
        if (outline_crosses(&p))
            assert_int_equal(shape, GRZ_POLYGON_NONSIMPLE);
        else if (shape != GRZ_POLYGON_NONSIMPLE)
            check_cover(&p, triangles);
    }
}

static void a_failure_of_any_allocation_is_reported(void **state)
{
    (void)state;
    random_state = 6;
    outline p;
    double corners[3 * MOST_CORNERS];
    (void)grow_tree(&p, 30);
    place(&p, FLAT, corners);
    for (long fail_at = 1;; fail_at++) {
        counting_allocator counter = {.fail_at = fail_at};
        grz_allocator allocator = counting_allocator_of(&counter);
        grz_polygon_scratch scratch = {0};
        grz_polygon_shape shape;
        uint32_t triangles[3 * MOST_CORNERS];
        bool enough = grz_polygon_triangulate(&allocator, &scratch, corners, p.count, triangles, &shape);
        grz_polygon_scratch_finish(&allocator, &scratch);
        assert_int_equal(counter.live, 0);
        assert_int_equal(enough, counter.calls < fail_at);
        if (enough)
            break;
    }
}

// Large outlines around the origin: radius(i) in [0.1, 1].
static double time_large(const char *name, uint32_t count, double (*radius)(uint32_t i), grz_polygon_shape expected)
{
    grz_allocator allocator = grz_malloc_allocator();
    grz_polygon_scratch scratch = {0};
    grz_polygon_shape shape;
    double *corners = allocate_zeroed((size_t)count * 3, sizeof *corners);
    uint32_t *triangles = allocate_zeroed(((size_t)count - 2) * 3, sizeof *triangles);
    for (uint32_t i = 0; i < count; i++) {
        double angle = 2.0 * 3.14159265358979323846 * (double)i / (double)count, r = radius(i);
        corners[3 * (size_t)i] = r * cos(angle);
        corners[3 * (size_t)i + 1] = r * sin(angle);
        corners[3 * (size_t)i + 2] = 0.25;
    }
    double start = grz_clock_seconds();
    assert_true(grz_polygon_triangulate(&allocator, &scratch, corners, count, triangles, &shape));
    double seconds = grz_clock_seconds() - start;
    assert_int_equal(shape, expected);
    print_message("%-28s %7u corners %9.2f ms\n", name, count, seconds * 1e3);
    grz_polygon_scratch_finish(&allocator, &scratch);
    free(corners);
    free(triangles);
    return seconds;
}

static double radius_of_circle(uint32_t i)
{
    (void)i;
    return 1.0;
}

static double radius_of_ripples(uint32_t i)
{
    return 0.9 + 0.1 * sin((double)i * 0.05);
}

static double radius_of_teeth(uint32_t i)
{
    return i % 2 ? 0.1 : 1.0;
}

static double radius_at_random(uint32_t i)
{
    (void)i;
    return 0.1 + 0.9 * (double)random_below(1 << 20) / (double)(1 << 20);
}

static void large_polygons_take_little_time(void **state)
{
    (void)state;
    random_state = 7;
    // A generous limit, for sanitizers and busy machines. To judge the speed, read the printed times.
    assert_true(time_large("convex", 100000, radius_of_circle, GRZ_POLYGON_CONVEX) < 5.0);
    assert_true(time_large("ripples", 10000, radius_of_ripples, GRZ_POLYGON_SIMPLE) < 30.0);
    assert_true(time_large("ripples", 100000, radius_of_ripples, GRZ_POLYGON_SIMPLE) < 60.0);
    assert_true(time_large("teeth", 10000, radius_of_teeth, GRZ_POLYGON_SIMPLE) < 60.0);
    assert_true(time_large("random radius", 10000, radius_at_random, GRZ_POLYGON_SIMPLE) < 60.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_arrowhead_is_split_at_its_notch),
        cmocka_unit_test(a_convex_polygon_is_a_fan),
        cmocka_unit_test(corners_on_edges_make_no_flat_triangle),
        cmocka_unit_test(polygons_that_cross_themselves_are_fanned),
        cmocka_unit_test(random_simple_polygons_are_covered_once),
        cmocka_unit_test(bridged_holes_slits_and_touching_corners_are_covered_once),
        cmocka_unit_test(only_polygons_that_cross_or_overlap_are_not_covered),
        cmocka_unit_test(powers_of_two_change_nothing),
        cmocka_unit_test(corners_in_line_are_a_fan_that_crosses_nothing),
        cmocka_unit_test(a_path_walked_back_is_covered_by_flat_triangles),
        cmocka_unit_test(slivers_far_from_the_origin_are_covered),
        cmocka_unit_test(a_failure_of_any_allocation_is_reported),
        cmocka_unit_test(large_polygons_take_little_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
