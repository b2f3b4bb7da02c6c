// SPDX-License-Identifier: MIT
// Curves against a count of cells. A sheet in one plane has triangles with corners on an integer grid and sides along
// its axes or diagonals, so it is a set of quarters of unit squares. The test counts which quarters, unit sides and
// half diagonals two sheets share, and so where their common part ends. The sheets overlap themselves, are folded or
// doubled with other diagonals, have T-junctions, fins and walls, and lie at any angle in space. Then closed surfaces
// with T-junctions, boxes in trays and stacks. For all of them: a curve ends where the number of links is not two, no
// link is used twice, and swapping and renumbering change no bit.
// ctest: timeout 900
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_contacts.h"
#include "support_sanitizer.h"

// ---- Cells ----------------------------------------------------------------------------------------------------------

// A grid of N × N unit squares. Each element is named by its midpoint, in quarters of a unit: corners (0, 0) and
// centres (2, 2) modulo 4; unit sides (2, 0), (0, 2) and half diagonals (1, 1), (3, 1), (1, 3), (3, 3); quarters of
// squares (2, 1), (3, 2), (2, 3), (1, 2).
enum {
    N = 8,
    POINTS = 4 * N + 1
};

typedef enum element {
    NOTHING,
    VERTEX,
    EDGE,
    CELL
} element;

static element element_at(int x, int y)
{
    static const element kinds[4][4] = {// by y, then x
                                        {VERTEX, NOTHING, EDGE, NOTHING},
                                        {NOTHING, EDGE, CELL, EDGE},
                                        {EDGE, CELL, VERTEX, CELL},
                                        {NOTHING, EDGE, CELL, EDGE}};
    return kinds[y & 3][x & 3];
}

// The two cells beside an edge, and its two ends, as steps from its middle.
typedef struct edge_steps {
    int cells[2][2], ends[2][2];
} edge_steps;

static edge_steps steps_of(int x, int y)
{
    if ((y & 3) == 0)
        return (edge_steps){{{0, 1}, {0, -1}}, {{-2, 0}, {2, 0}}};
    if ((x & 3) == 0)
        return (edge_steps){{{1, 0}, {-1, 0}}, {{0, -2}, {0, 2}}};
    const int sx = (x & 3) == 1 ? 1 : -1, sy = (y & 3) == 1 ? 1 : -1; // towards the centre
    return (edge_steps){{{sx, 0}, {0, sy}}, {{-sx, -sy}, {sx, sy}}};
}

// The elements that a sheet covers.
typedef struct cell_set {
    bool at[POINTS][POINTS]; // by y, x
} cell_set;

static int turn(const int p[2], const int q[2], int x, int y)
{
    const int value = (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]);
    return (value > 0) - (value < 0);
}

// Add a triangle, closed; corners in units. A degenerate one adds nothing.
static void add_triangle(cell_set *set, int corners[3][2])
{
    int c[3][2];
    for (int i = 0; i < 6; i++)
        c[i / 2][i % 2] = 4 * corners[i / 2][i % 2];
    const int orientation = turn(c[0], c[1], c[2][0], c[2][1]);
    for (int y = 0; y < POINTS; y++)
        for (int x = 0; x < POINTS; x++)
            if (orientation != 0 && element_at(x, y) != NOTHING && turn(c[0], c[1], x, y) * orientation >= 0 &&
                turn(c[1], c[2], x, y) * orientation >= 0 && turn(c[2], c[0], x, y) * orientation >= 0)
                set->at[y][x] = true;
}

// Add a straight line along sides or diagonals; ends in quarters of a unit.
static void add_line(cell_set *set, const int from[2], const int to[2])
{
    const int dx = (to[0] > from[0]) - (to[0] < from[0]), dy = (to[1] > from[1]) - (to[1] < from[1]);
    for (int x = from[0], y = from[1];; x += dx, y += dy) {
        if (element_at(x, y) != NOTHING)
            set->at[y][x] = true;
        if (x == to[0] && y == to[1])
            return;
    }
}

// How often each edge is expected in the curves (0 or 1), and each vertex as a single point.
typedef struct outline {
    int at[POINTS][POINTS];
} outline;

// The curves of the common part of two sheets.
static void find_outline(const cell_set *common, outline *out)
{
    memset(out, 0, sizeof *out);
    for (int y = 0; y < POINTS; y++) {
        for (int x = 0; x < POINTS; x++) {
            const element kind = element_at(x, y);
            if (!common->at[y][x] || kind == CELL)
                continue;
            out->at[y][x] = 1;
            const edge_steps steps = steps_of(x, y);
            int cells = 0;
            for (int i = 0; i < 2 && kind == EDGE; i++) {
                const int cx = x + steps.cells[i][0], cy = y + steps.cells[i][1];
                cells += cx >= 0 && cy >= 0 && cx < POINTS && cy < POINTS && common->at[cy][cx];
            }
            if (cells == 2)
                out->at[y][x] = 0;
        }
    }
    // A vertex where anything else ends is no single point.
    for (int y = 0; y < POINTS; y++)
        for (int x = 0; x < POINTS; x++)
            for (int i = 0; i < 2 && common->at[y][x] && element_at(x, y) == EDGE; i++)
                out->at[y + steps_of(x, y).ends[i][1]][x + steps_of(x, y).ends[i][0]] = 0;
}

// ---- A plane in space -----------------------------------------------------------------------------------------------

// Point (x, y, height) of the sheet's own coordinates is origin + x·u + y·v + height·w; all integers, so that nothing
// is rounded.
typedef struct frame {
    int origin[3], u[3], v[3], w[3];
} frame;

static void place_in_space(const frame *f, double x, double y, double height, double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = f->origin[i] + x * f->u[i] + y * f->v[i] + height * f->w[i];
}

static int determinant(const int u[3], const int v[3], const int w[3])
{
    return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
}

// The sheet's own coordinates of a point, in quarters of a unit. False if it is no vertex of the grid. The numbers are
// small enough for doubles to hold every product exactly.
static bool find_in_plane(const frame *f, const double point[3], int at[2])
{
    const double det = determinant(f->u, f->v, f->w);
    double d[3], coordinate[3];
    const int *axes[3] = {f->u, f->v, f->w};
    for (int i = 0; i < 3; i++)
        d[i] = point[i] - f->origin[i];
    for (int k = 0; k < 3; k++) {
        const int *p = axes[(k + 1) % 3], *q = axes[(k + 2) % 3];
        coordinate[k] = 0.0;
        for (int i = 0; i < 3; i++)
            coordinate[k] += d[i] * (p[(i + 1) % 3] * q[(i + 2) % 3] - p[(i + 2) % 3] * q[(i + 1) % 3]);
        coordinate[k] = 4.0 * coordinate[k] / det;
    }
    at[0] = (int)coordinate[0];
    at[1] = (int)coordinate[1];
    return coordinate[2] == 0.0 && coordinate[0] == at[0] && coordinate[1] == at[1] && at[0] >= 0 && at[1] >= 0 &&
           at[0] < POINTS && at[1] < POINTS && element_at(at[0], at[1]) == VERTEX;
}

static frame random_frame(random_stream *random)
{
    frame f = {{0}, {0}, {0}, {0}};
    do {
        int *numbers[4] = {f.origin, f.u, f.v, f.w};
        const bool plain = random_below(random, 3) == 0;
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < 3; i++)
                numbers[k][i] = plain && k > 0 ? (i == k - 1) : (int)random_below(random, 7) - 3;
    } while (determinant(f.u, f.v, f.w) == 0);
    return f;
}

// ---- Sheets ---------------------------------------------------------------------------------------------------------

typedef struct sheet {
    test_mesh mesh;
    cell_set cells;
    bool loose;                    // each face has vertices of its own
    uint32_t vertex[N + 1][N + 1]; // of the corner (x, y), by y, and 1 more; 0: none yet
} sheet;

static uint32_t sheet_vertex(sheet *s, const frame *f, const int corner[2])
{
    double p[3];
    uint32_t *known = &s->vertex[corner[1]][corner[0]];
    if (*known != 0 && !s->loose)
        return *known - 1;
    place_in_space(f, corner[0], corner[1], 0.0, p);
    *known = test_mesh_add_vertex(&s->mesh, p[0], p[1], p[2]) + 1;
    return *known - 1;
}

static void add_face(sheet *s, const frame *f, random_stream *random, int corners[3][2])
{
    uint32_t index[3];
    const bool turned = random_below(random, 2) == 0;
    for (int i = 0; i < 3; i++)
        index[i] = sheet_vertex(s, f, corners[turned ? 2 - i : i]);
    test_mesh_add_face(&s->mesh, index, 3);
    add_triangle(&s->cells, corners);
}

// A right triangle with two sides along the axes, or with the long side along one.
static bool random_triangle(random_stream *random, int most, int corners[3][2])
{
    const int size = 1 + (int)random_below(random, (uint32_t)most), x = (int)random_below(random, N + 1),
              y = (int)random_below(random, N + 1);
    const int sx = random_below(random, 2) == 0 ? size : -size, sy = random_below(random, 2) == 0 ? size : -size;
    const bool wide = random_below(random, 3) == 0, upright = random_below(random, 2) == 0;
    const int plain[3][2] = {{x, y}, {x + sx, y}, {x, y + sy}};
    const int flat[3][2] = {{x, y}, {x + 2 * sx, y}, {x + sx, y + sy}},
              high[3][2] = {{x, y}, {x, y + 2 * sy}, {x + sx, y + sy}};
    memcpy(corners, !wide ? plain : upright ? high : flat, sizeof plain);
    for (int i = 0; i < 3; i++)
        if (corners[i][0] < 0 || corners[i][1] < 0 || corners[i][0] > N || corners[i][1] > N)
            return false;
    return true;
}

// Cover a triangle: as it is, or cut in two or four, down to units. Each triangle is cut without regard to its
// neighbours, so T-junctions arise.
static void cover_triangle(sheet *s, const frame *f, random_stream *random, int c[3][2], unsigned cut)
{
    int middle[3][2];
    bool even = true;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 2; k++) {
            const int sum = c[i][k] + c[(i + 1) % 3][k];
            even = even && sum % 2 == 0;
            middle[i][k] = sum / 2;
        }
    }
    if (!even || random_below(random, 4) >= cut) {
        add_face(s, f, random, c);
        return;
    }
    for (int i = 0; i < 4; i++) {
        int part[3][2];
        for (int k = 0; k < 3; k++)
            memcpy(part[k],
                   i == 3   ? middle[k]
                   : k == 0 ? c[i]
                   : k == 1 ? middle[i]
                            : middle[(i + 2) % 3],
                   sizeof part[k]);
        cover_triangle(s, f, random, part, cut);
    }
}

static void cover_square(sheet *s, const frame *f, random_stream *random, int x, int y, int size, unsigned cut)
{
    int q[4][2] = {{x, y}, {x + size, y}, {x + size, y + size}, {x, y + size}};
    const int first = (int)random_below(random, 2);
    for (int half = 0; half < 2; half++) {
        int part[3][2];
        for (int k = 0; k < 3; k++)
            memcpy(part[k], q[(first + 2 * half + k) % 4], sizeof part[k]);
        cover_triangle(s, f, random, part, cut);
    }
}

typedef enum sheet_sort {
    SCATTERED, // triangles of any size anywhere: overlaps of all kinds
    SQUARES,   // some of the unit squares, cut along either diagonal: faces meet edge to edge
    UNEVEN,    // a quadtree of squares, cut further at will: T-junctions
    DOUBLED,   // all squares twice, each time cut differently
    FOLDED,    // a square folded over onto itself, some of the flaps twice
    SHEET_SORTS
} sheet_sort;

static void cover_quadtree(sheet *s, const frame *f, random_stream *random, int x, int y, int size)
{
    if (size == 1 || random_below(random, 3) == 0) {
        if (random_below(random, 5) > 0)
            cover_square(s, f, random, x, y, size, random_below(random, 3));
        return;
    }
    for (int i = 0; i < 4; i++)
        cover_quadtree(s, f, random, x + i % 2 * size / 2, y + i / 2 * size / 2, size / 2);
}

static void fill_sheet(sheet *s, const frame *f, random_stream *random, sheet_sort sort)
{
    int corners[3][2];
    const uint32_t share = 2 + random_below(random, 3);
    switch (sort) {
    case SCATTERED:
        for (uint32_t i = 0; i < 1 + random_below(random, 9); i++)
            if (random_triangle(random, 4, corners))
                add_face(s, f, random, corners);
        break;
    case SQUARES:
    case DOUBLED:
        for (int times = 0; times < (sort == DOUBLED ? 2 : 1); times++)
            for (int i = 0; i < N * N; i++)
                if (sort == DOUBLED ? i / N < 4 && i % N < 5 : random_below(random, share) == 0)
                    cover_square(s, f, random, i % N, i / N, 1, 0);
        break;
    case UNEVEN:
        cover_quadtree(s, f, random, 0, 0, N);
        break;
    default:
        // Strips of width 2 from x = 2, each folded back over the last one; every second time with another cut.
        for (int i = 0; i < 6; i++)
            if (i < 2 || random_below(random, 2) == 0)
                cover_square(s, f, random, 2 + 2 * (int)random_below(random, 2), 2 * (i % 3), 2, (unsigned)i % 4);
    }
    if (s->mesh.face_count == 0)
        cover_square(s, f, random, 3, 3, 2, 0);
}

// A fin: a triangle that stands on a line of the grid, on the side of `height`. It covers that line of the sheet.
static void add_fin(sheet *s, const frame *f, random_stream *random, double height)
{
    int corners[3][2];
    if (!random_triangle(random, 3, corners))
        return;
    const int from[2] = {4 * corners[0][0], 4 * corners[0][1]}, to[2] = {4 * corners[1][0], 4 * corners[1][1]};
    double tip[3];
    place_in_space(f, corners[2][0], corners[2][1], height, tip);
    const uint32_t index[3] = {sheet_vertex(s, f, corners[0]), sheet_vertex(s, f, corners[1]),
                               test_mesh_add_vertex(&s->mesh, tip[0], tip[1], tip[2])};
    test_mesh_add_face(&s->mesh, index, 3);
    add_line(&s->cells, from, to);
}

// A wall through the plane: a rectangle of two triangles, which meet the plane in half a line of the grid each.
static void add_wall(sheet *s, const frame *f, random_stream *random)
{
    int corners[3][2];
    double p[3];
    uint32_t index[4];
    if (!random_triangle(random, 2, corners) ||
        (corners[0][0] + corners[0][1] + corners[1][0] + corners[1][1]) % 2 != 0)
        return;
    const int ends[2][2] = {{corners[0][0], corners[0][1]}, {corners[1][0], corners[1][1]}};
    for (int i = 0; i < 4; i++) {
        const int *end = ends[i == 1 || i == 2];
        place_in_space(f, end[0], end[1], i < 2 ? 1.0 : -1.0, p);
        index[i] = test_mesh_add_vertex(&s->mesh, p[0], p[1], p[2]);
    }
    test_mesh_add_triangle(&s->mesh, index[0], index[1], index[2]);
    test_mesh_add_triangle(&s->mesh, index[0], index[2], index[3]);
    const int from[2] = {4 * ends[0][0], 4 * ends[0][1]}, to[2] = {4 * ends[1][0], 4 * ends[1][1]};
    add_line(&s->cells, from, to);
}

// ---- Comparing ------------------------------------------------------------------------------------------------------

static _Noreturn void differs(const char *what, const char *how, int x, int y)
{
    fail_msg("%s: %s at (%g, %g)", what, how, x / 4.0, y / 4.0);
    abort(); // fail_msg() does not return
}

// Count the edges and points that the curves run through, and the ends of open ones at each vertex.
static void count_curves(const char *what, const frame *f, const test_answer *answer, outline *found, outline *ends)
{
    memset(found, 0, sizeof *found);
    memset(ends, 0, sizeof *ends);
    for (uint64_t i = 0; i < answer->curve_count; i++) {
        const grz_curve *c = &answer->curves[i];
        const double *own = answer->curve_points + 3 * c->first_point;
        int at[2], next[2];
        if (!find_in_plane(f, own, at))
            fail_msg("%s: curve %llu starts off the grid", what, (unsigned long long)i);
        if (c->point_count == 1)
            found->at[at[1]][at[0]]++;
        for (uint64_t k = 1; k < c->point_count; k++) {
            if (!find_in_plane(f, own + 3 * k, next))
                fail_msg("%s: curve %llu leaves the grid", what, (unsigned long long)i);
            const int dx = (next[0] > at[0]) - (next[0] < at[0]), dy = (next[1] > at[1]) - (next[1] < at[1]);
            if (dx != 0 && dy != 0 && abs(next[0] - at[0]) != abs(next[1] - at[1]))
                differs(what, "a curve runs across the grid", at[0], at[1]);
            if (c->point_count > 1 && !c->closed && (k == 1 || k + 1 == c->point_count)) {
                ends->at[at[1]][at[0]] += k == 1;
                ends->at[next[1]][next[0]] += k + 1 == c->point_count;
            }
            for (; at[0] != next[0] || at[1] != next[1]; at[0] += dx, at[1] += dy)
                if (element_at(at[0], at[1]) == EDGE)
                    found->at[at[1]][at[0]]++;
        }
    }
}

static void expect_outline(const char *what, const frame *f, const test_answer *answer, const cell_set *common)
{
    outline expected, found, ends;
    find_outline(common, &expected);
    count_curves(what, f, answer, &found, &ends);
    for (int y = 0; y < POINTS; y++) {
        for (int x = 0; x < POINTS; x++) {
            if (found.at[y][x] > expected.at[y][x])
                differs(what, expected.at[y][x] == 0 ? "a curve too many" : "a curve runs twice", x, y);
            if (found.at[y][x] < expected.at[y][x])
                differs(what, "a curve is missing", x, y);
            int links = 0;
            for (int k = 0; k < 9 && element_at(x, y) == VERTEX; k++) {
                const int ex = x + (k % 3 - 1) * (k % 2 == 0 ? 1 : 2), ey = y + (k / 3 - 1) * (k % 2 == 0 ? 1 : 2);
                links += k != 4 && ex >= 0 && ey >= 0 && ex < POINTS && ey < POINTS && element_at(ex, ey) == EDGE &&
                         expected.at[ey][ex] != 0;
            }
            if (ends.at[y][x] > 0 && links == 2)
                differs(what, "a curve ends where it should go on", x, y);
        }
    }
}

static void intersect(const cell_set *p, const cell_set *q, cell_set *out)
{
    for (int i = 0; i < POINTS * POINTS; i++)
        out->at[i / POINTS][i % POINTS] = p->at[i / POINTS][i % POINTS] && q->at[i / POINTS][i % POINTS];
}

// Ask for the curves, also with the meshes swapped and renumbered, and check the laws.
static test_answer ask_all_ways(const char *what, const test_mesh *a, const test_mesh *b, random_stream *random)
{
    test_answer answer = test_ask_with_laws(what, a, b), other;
    test_mesh shuffled[2] = {test_mesh_copy(a), test_mesh_copy(b)};
    uint32_t *numbers[2];
    for (int i = 0; i < 2; i++) {
        numbers[i] = malloc((size_t)shuffled[i].face_count * sizeof(uint32_t) + 1);
        assert_non_null(numbers[i]);
        test_mesh_shuffle(&shuffled[i], random, numbers[i]);
    }
    const test_query renumbered = test_query_of_pair(&shuffled[0], &shuffled[1], GRZ_FIND_CURVES);
    const test_renumbering renumbering = {.new_a = numbers[0], .new_b = numbers[1]};
    other = test_ask(what, &renumbered);
    test_expect_same_contacts(what, &answer, &other, &renumbering);
    test_answer_finish(&other);
    for (int i = 0; i < 2; i++) {
        free(numbers[i]);
        test_mesh_finish(&shuffled[i]);
    }
    return answer;
}

// ---- Sheets on sheets -----------------------------------------------------------------------------------------------

static void make_sheets(uint32_t seed, random_stream *random, frame *f, sheet sheets[2])
{
    *f = random_frame(random);
    memset(sheets, 0, 2 * sizeof *sheets);
    for (int i = 0; i < 2; i++) {
        sheets[i].loose = random_below(random, 3) == 0;
        fill_sheet(&sheets[i], f, random, (sheet_sort)((seed / (i == 0 ? 1 : SHEET_SORTS)) % SHEET_SORTS));
    }
    // Fins on either side, where they meet the other sheet in the plane only; or walls through it, of one sheet.
    const uint32_t extra = random_below(random, 3);
    for (uint32_t i = 0; extra == 1 && i < 6; i++)
        add_fin(&sheets[i % 2], f, random, i % 2 == 0 ? 1.0 : -1.0);
    for (uint32_t i = 0; extra == 2 && i < 3; i++)
        add_wall(&sheets[0], f, random);
}

enum {
    EACH = TEST_SANITIZED ? 2 : 10,
    SEEDS = EACH * SHEET_SORTS * SHEET_SORTS
};

static void curves_are_the_outline_of_the_common_cells(void **state)
{
    (void)state;
    uint64_t curves = 0, points = 0, cut = 0;
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        char what[64];
        random_stream random = {.state = UINT64_C(0xce11) << 32 | seed};
        frame f;
        sheet sheets[2];
        cell_set common;
        make_sheets(seed, &random, &f, sheets);
        intersect(&sheets[0].cells, &sheets[1].cells, &common);
        snprintf(what, sizeof what, "sheets, seed %u", seed);
        test_answer answer = ask_all_ways(what, &sheets[0].mesh, &sheets[1].mesh, &random);
        expect_outline(what, &f, &answer, &common);
        curves += answer.curve_count;
        for (uint64_t i = 0; i < answer.curve_count; i++)
            points += answer.curves[i].point_count == 1;
        cut += answer.curve_point_count;
        test_answer_finish(&answer);
        test_mesh_finish(&sheets[0].mesh);
        test_mesh_finish(&sheets[1].mesh);
    }
    print_message("  %llu curves of %llu points, %llu lone ones\n", (unsigned long long)curves, (unsigned long long)cut,
                  (unsigned long long)points);
    assert_true(curves > 100 * EACH && points > 3 * EACH);
}

// A mesh with itself, where no two faces share a corner: expected is what two or more triangles cover.
static void curves_of_a_mesh_with_itself_are_the_outline_of_cells_covered_twice(void **state)
{
    (void)state;
    uint64_t curves = 0;
    for (uint32_t seed = 0; seed < EACH * SHEET_SORTS; seed++) {
        char what[64];
        random_stream random = {.state = UINT64_C(0x5e1f) << 32 | seed};
        frame f = random_frame(&random);
        const frame moved = random_frame(&random);
        sheet s = {.loose = true};
        cell_set once = {0}, twice = {0};
        fill_sheet(&s, &f, &random, (sheet_sort)(seed % SHEET_SORTS));
        for (uint64_t i = 0; i < s.mesh.face_count; i++) {
            cell_set own = {0};
            int corners[3][2];
            for (int k = 0; k < 3; k++) {
                int at[2];
                assert_true(find_in_plane(&f, s.mesh.positions + 3 * (size_t)s.mesh.indices[3 * i + (uint64_t)k], at));
                corners[k][0] = at[0] / 4;
                corners[k][1] = at[1] / 4;
            }
            add_triangle(&own, corners);
            for (int e = 0; e < POINTS * POINTS; e++) {
                bool *first = &once.at[e / POINTS][e % POINTS], *second = &twice.at[e / POINTS][e % POINTS];
                *second = *second || (*first && own.at[e / POINTS][e % POINTS]);
                *first = *first || own.at[e / POINTS][e % POINTS];
            }
        }
        // The pose has integer entries, so the frame of the reported points is the sheet's frame, moved exactly.
        test_query query = test_query_of_self(&s.mesh, GRZ_FIND_CURVES);
        query.flags = GRZ_MESH_INDEX_ONLY;
        for (int i = 0; i < 3; i++) {
            const double row[4] = {moved.u[i], moved.v[i], moved.w[i], moved.origin[i]};
            memcpy(query.pose_a.m[i], row, sizeof row);
        }
        frame seen = f;
        int *numbers[4] = {seen.origin, seen.u, seen.v, seen.w};
        const int *own[4] = {f.origin, f.u, f.v, f.w};
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < 3; i++)
                numbers[k][i] = moved.u[i] * own[k][0] + moved.v[i] * own[k][1] + moved.w[i] * own[k][2] +
                                (k == 0 ? moved.origin[i] : 0);
        snprintf(what, sizeof what, "sheet with itself, seed %u", seed);
        test_answer answer = test_ask(what, &query);
        test_expect_contact_laws(what, &answer);
        test_expect_curve_laws(what, &answer);
        expect_outline(what, &seen, &answer, &twice);
        curves += answer.curve_count;
        test_answer_finish(&answer);
        test_mesh_finish(&s.mesh);
    }
    print_message("  %llu curves\n", (unsigned long long)curves);
    assert_true(curves > 200);
}

// ---- Boxes, faces in all three planes -------------------------------------------------------------------------------

// Unit squares, edges and vertices of a grid of M³ cubes, named by their middles in half units: an edge has one odd
// coordinate, a square two.
enum {
    M = 6,
    HALVES = 2 * M + 1
};

typedef struct complex3 {
    bool at[HALVES][HALVES][HALVES]; // by z, y, x
} complex3;

static int odd_count(int x, int y, int z)
{
    return (x & 1) + (y & 1) + (z & 1);
}

// A parallelepiped, each face cut along one of its diagonals and divided further: closed as a set of points, with
// T-junctions anywhere.
static void add_block(test_mesh *mesh, random_stream *random, const double origin[3], double axes[3][3], int depth)
{
    for (int face = 0; face < 6; face++) {
        const int u = (face / 2 + 1) % 3, v = (face / 2 + 2) % 3;
        double q[4][3], c[3][3];
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < 3; i++)
                q[k][i] = origin[i] + (face % 2 ? axes[face / 2][i] : 0.0) + (k == 1 || k == 2 ? axes[u][i] : 0.0) +
                          (k >= 2 ? axes[v][i] : 0.0);
        const int first = (int)random_below(random, 2);
        for (int half = 0; half < 2; half++) {
            for (int k = 0; k < 3; k++)
                memcpy(c[k], q[(first + 2 * half + (face % 2 ? k : 2 - k)) % 4], sizeof c[k]);
            test_mesh_add_divided(mesh, random, c, depth, 2);
        }
    }
}

static void add_random_box(test_mesh *mesh, complex3 *surface, random_stream *random)
{
    int low[3], high[3];
    double origin[3], axes[3][3] = {{0}};
    for (int i = 0; i < 3; i++) {
        low[i] = (int)random_below(random, M);
        high[i] = low[i] + 1 + (int)random_below(random, (uint32_t)(M - low[i]));
        origin[i] = low[i];
        axes[i][i] = high[i] - low[i];
    }
    add_block(mesh, random, origin, axes, (int)random_below(random, 3));
    for (int z = 2 * low[2]; z <= 2 * high[2]; z++)
        for (int y = 2 * low[1]; y <= 2 * high[1]; y++)
            for (int x = 2 * low[0]; x <= 2 * high[0]; x++)
                if (x == 2 * low[0] || x == 2 * high[0] || y == 2 * low[1] || y == 2 * high[1] || z == 2 * low[2] ||
                    z == 2 * high[2])
                    surface->at[z][y][x] = true;
}

static bool common_at(const complex3 *common, int x, int y, int z)
{
    return x >= 0 && y >= 0 && z >= 0 && x < HALVES && y < HALVES && z < HALVES && common->at[z][y][x];
}

// What is expected of an edge or vertex: 1 where a curve runs, or is a point.
static int expected_at(const complex3 *common, int x, int y, int z)
{
    if (!common->at[z][y][x] || odd_count(x, y, z) > 1)
        return 0;
    int around = 0; // squares around an edge; edges that end at a vertex
    for (int k = 0; k < 6; k++) {
        const int step = k % 2 == 0 ? 1 : -1, nx = x + (k / 2 == 0) * step, ny = y + (k / 2 == 1) * step,
                  nz = z + (k / 2 == 2) * step;
        around += odd_count(nx, ny, nz) > odd_count(x, y, z) && common_at(common, nx, ny, nz);
    }
    return odd_count(x, y, z) == 1 ? around < 2 : around == 0;
}

// How long curves run along each unit edge, and how many of them are points at each vertex.
typedef struct lengths3 {
    double at[HALVES][HALVES][HALVES];
} lengths3;

static void add_step(const char *what, const double *p, const double *q, lengths3 *lengths)
{
    int axis = -1;
    for (int i = 0; i < 3; i++) {
        if (p[i] == q[i])
            continue;
        if (axis >= 0)
            fail_msg("%s: a curve leaves the grid", what);
        axis = i;
    }
    if (axis < 0)
        fail_msg("%s: a curve stands still", what);
    double from = fmin(p[axis], q[axis]);
    const double to = fmax(p[axis], q[axis]);
    while (from < to) {
        const double end = fmin(to, floor(from) + 1.0);
        int at[3] = {(int)(2.0 * p[0]), (int)(2.0 * p[1]), (int)(2.0 * p[2])};
        at[axis] = 2 * (int)floor(from) + 1;
        lengths->at[at[2]][at[1]][at[0]] += end - from;
        from = end;
    }
}

static void expect_outline3(const char *what, const test_answer *answer, const complex3 *common)
{
    lengths3 *lengths = calloc(1, sizeof *lengths);
    assert_non_null(lengths);
    for (uint64_t i = 0; i < answer->curve_count; i++) {
        const grz_curve *c = &answer->curves[i];
        const double *own = answer->curve_points + 3 * c->first_point;
        if (c->point_count == 1)
            lengths->at[(int)(2.0 * own[2])][(int)(2.0 * own[1])][(int)(2.0 * own[0])] += 1.0;
        for (uint64_t k = 1; k < c->point_count; k++)
            add_step(what, own + 3 * (k - 1), own + 3 * k, lengths);
        for (int end = 0; end < 2 && c->point_count > 1 && !c->closed; end++) {
            const double *p = own + 3 * (end == 0 ? 0 : c->point_count - 1);
            const int x = (int)(2.0 * p[0]), y = (int)(2.0 * p[1]), z = (int)(2.0 * p[2]);
            int links = 0;
            for (int k = 0; k < 6; k++) {
                const int step = k % 2 == 0 ? 1 : -1, ex = x + (k / 2 == 0) * step, ey = y + (k / 2 == 1) * step,
                          ez = z + (k / 2 == 2) * step;
                links += common_at(common, ex, ey, ez) && expected_at(common, ex, ey, ez) != 0;
            }
            if (links == 2 || 2.0 * p[0] != x || 2.0 * p[1] != y || 2.0 * p[2] != z)
                fail_msg("%s: a curve ends at (%g, %g, %g) where it should go on", what, p[0], p[1], p[2]);
        }
    }
    for (int i = 0; i < HALVES * HALVES * HALVES; i++) {
        const int x = i % HALVES, y = i / HALVES % HALVES, z = i / HALVES / HALVES;
        const int expected = expected_at(common, x, y, z);
        if (fabs(lengths->at[z][y][x] - expected) > 1e-9)
            fail_msg("%s: curves of length %g at (%g, %g, %g) instead of %d", what, lengths->at[z][y][x], x / 2.0,
                     y / 2.0, z / 2.0, expected);
    }
    free(lengths);
}

static void curves_of_boxes_are_the_outline_of_the_common_squares(void **state)
{
    (void)state;
    uint64_t curves = 0, points = 0;
    for (uint32_t seed = 0; seed < (TEST_SANITIZED ? 40 : 200); seed++) {
        char what[64];
        random_stream random = {.state = UINT64_C(0xb0c5) << 32 | seed};
        test_mesh meshes[2] = {{0}, {0}};
        complex3 *surfaces = calloc(2, sizeof *surfaces);
        assert_non_null(surfaces);
        for (int i = 0; i < 2; i++)
            for (uint32_t k = 0; k < 1 + random_below(&random, 1 + seed % 3); k++)
                add_random_box(&meshes[i], &surfaces[i], &random);
        for (int i = 0; i < HALVES * HALVES * HALVES; i++) {
            const int z = i / (HALVES * HALVES), y = i / HALVES % HALVES, x = i % HALVES;
            surfaces[0].at[z][y][x] = surfaces[0].at[z][y][x] && surfaces[1].at[z][y][x];
        }
        snprintf(what, sizeof what, "boxes, seed %u", seed);
        test_answer answer = ask_all_ways(what, &meshes[0], &meshes[1], &random);
        expect_outline3(what, &answer, &surfaces[0]);
        curves += answer.curve_count;
        points += answer.curve_point_count;
        test_answer_finish(&answer);
        test_mesh_finish(&meshes[0]);
        test_mesh_finish(&meshes[1]);
        free(surfaces);
    }
    print_message("  %llu curves of %llu points\n", (unsigned long long)curves, (unsigned long long)points);
    assert_true(curves > (TEST_SANITIZED ? 40 : 300));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_are_the_outline_of_the_common_cells),
        cmocka_unit_test(curves_of_a_mesh_with_itself_are_the_outline_of_cells_covered_twice),
        cmocka_unit_test(curves_of_boxes_are_the_outline_of_the_common_squares),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    test_queries_finish();
    return failed;
}
