// SPDX-License-Identifier: MIT
// A second implementation of the mesh report. It compares every pair by plain loops; nothing is sorted or hashed.
#include "support_fuzz_report.h"

#include <math.h>

#include "oracle.h"

static oracle *exact(void)
{
    static oracle *o;
    if (o == NULL)
        o = oracle_create();
    FUZZ_REQUIRE(o != NULL);
    return o;
}

static void *allocated(size_t count, size_t size)
{
    void *items = calloc(count + 1, size);
    FUZZ_REQUIRE(items != NULL);
    return items;
}

// A count and the first index counted.
typedef struct tally {
    uint64_t count, first;
} tally;

static void note(tally *t, uint64_t index)
{
    if (t->count++ == 0)
        t->first = index;
}

static void require_tally(const tally *t, uint64_t count, uint64_t first)
{
    FUZZ_REQUIRE(t->count == count);
    FUZZ_REQUIRE(first == (t->count > 0 ? t->first : GRZ_NO_ELEMENT));
}

// A mesh by positions: vertices at equal positions are one, with the lowest of their numbers.
typedef struct places {
    const grz_mesh *mesh;
    uint32_t *lowest; // vertex_count
    bool *used;       // vertex_count: by a face
} places;

static bool same_place(const double *p, const double *q)
{
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

static places find_places(const grz_mesh *mesh)
{
    places p = {.mesh = mesh};
    p.lowest = allocated(mesh->vertex_count, sizeof *p.lowest);
    p.used = allocated(mesh->vertex_count, sizeof *p.used);
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        for (uint32_t w = p.lowest[v] = 0; !same_place(grz_mesh_position(mesh, v), grz_mesh_position(mesh, w)); w++)
            p.lowest[v] = w + 1;
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        uint32_t count;
        const uint32_t *corners = grz_mesh_face_corners(mesh, face, &count);
        for (uint32_t i = 0; i < count; i++)
            p.used[corners[i]] = true;
    }
    return p;
}

static void check_vertices(const places *p, const grz_mesh_report *r)
{
    tally duplicates = {0}, unused = {0};
    double min[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, max[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (uint32_t v = 0; v < p->mesh->vertex_count; v++) {
        const double *at = grz_mesh_position(p->mesh, v);
        if (p->lowest[v] != v)
            note(&duplicates, v);
        if (!p->used[v])
            note(&unused, v);
        for (int i = 0; i < 3 && p->used[v]; i++) {
            min[i] = fmin(min[i], at[i]);
            max[i] = fmax(max[i], at[i]);
        }
    }
    require_tally(&duplicates, r->duplicate_vertices, r->first_duplicate_vertex);
    require_tally(&unused, r->unused_vertices, r->first_unused_vertex);
    for (int i = 0; i < 3; i++)
        FUZZ_REQUIRE(r->min[i] == min[i] && r->max[i] == max[i]);
}

// Spread the lowest label along faces until nothing changes.
static void check_components(const places *p, const grz_mesh_report *r)
{
    const grz_mesh *mesh = p->mesh;
    uint32_t *label = allocated(mesh->vertex_count, sizeof *label);
    uint64_t components = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        label[v] = v;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t face = 0; face < mesh->face_count; face++) {
            uint32_t count;
            const uint32_t *corners = grz_mesh_face_corners(mesh, face, &count);
            for (uint32_t i = 0; i < count; i++) {
                uint32_t *one = &label[p->lowest[corners[i]]], *next = &label[p->lowest[corners[(i + 1) % count]]];
                const uint32_t low = *one < *next ? *one : *next;
                changed = changed || *one != *next;
                *one = *next = low;
            }
        }
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        bool in_face = false;
        for (uint32_t w = 0; w < mesh->vertex_count; w++)
            in_face = in_face || (p->used[w] && p->lowest[w] == v);
        components += in_face && label[v] == v;
    }
    FUZZ_REQUIRE(components == r->components);
    free(label);
}

// A corner of a face between two others at other positions. Its side leads from `here` to `after`.
typedef struct wedge {
    uint32_t before, here, after;
    uint32_t fan; // the lowest wedge connected with it
} wedge;

static wedge *list_wedges(const places *p, size_t *total)
{
    const grz_mesh *mesh = p->mesh;
    wedge *wedges = allocated((size_t)mesh->corner_total, sizeof *wedges);
    uint32_t *ring = allocated((size_t)mesh->corner_total, sizeof *ring);
    *total = 0;
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        uint32_t count, length = 0;
        const uint32_t *corners = grz_mesh_face_corners(mesh, face, &count);
        for (uint32_t i = 0; i < count; i++)
            if (p->lowest[corners[i]] != p->lowest[corners[(i + 1) % count]])
                ring[length++] = p->lowest[corners[i]];
        for (uint32_t i = 0; i < length; i++, ++*total)
            wedges[*total] =
                (wedge){ring[(i + length - 1) % length], ring[i], ring[(i + 1) % length], (uint32_t)*total};
    }
    free(ring);
    return wedges;
}

static bool share_an_edge(const wedge *x, const wedge *y)
{
    return x->here == y->here &&
           (x->before == y->before || x->before == y->after || x->after == y->before || x->after == y->after);
}

static bool one_fan_at_each_place(wedge *wedges, size_t count)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < count; i++) {
            for (size_t j = 0; j < i; j++) {
                if (wedges[i].fan == wedges[j].fan || !share_an_edge(&wedges[i], &wedges[j]))
                    continue;
                const uint32_t low = wedges[i].fan < wedges[j].fan ? wedges[i].fan : wedges[j].fan;
                wedges[i].fan = wedges[j].fan = low;
                changed = true;
            }
        }
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (wedges[i].here == wedges[j].here && wedges[i].fan != wedges[j].fan)
                return false;
    return true;
}

static void check_edges(const places *p, const grz_mesh_report *r)
{
    size_t count;
    wedge *wedges = list_wedges(p, &count);
    uint64_t boundary = 0, nonmanifold = 0;
    bool closed = true, oriented = true;
    for (size_t i = 0; i < count; i++) {
        unsigned along = 0, against = 0, earlier = 0;
        for (size_t j = 0; j < count; j++) {
            const bool same = wedges[j].here == wedges[i].here && wedges[j].after == wedges[i].after;
            const bool turned = wedges[j].here == wedges[i].after && wedges[j].after == wedges[i].here;
            along += same;
            against += turned;
            earlier += j < i && (same || turned);
        }
        if (earlier > 0)
            continue;
        boundary += along + against == 1;
        nonmanifold += along + against > 2;
        closed = closed && (along + against) % 2 == 0;
        oriented = oriented && (along + against != 2 || along == 1);
    }
    FUZZ_REQUIRE(boundary == r->boundary_edges && nonmanifold == r->nonmanifold_edges);
    FUZZ_REQUIRE(closed == r->closed && oriented == r->oriented);
    FUZZ_REQUIRE(r->manifold == (nonmanifold == 0 && one_fan_at_each_place(wedges, count)));
    free(wedges);
}

// The same positions, each as often: every corner of A has a partner in B that is not used yet.
static bool same_corners(const places *p, uint32_t face_a, uint32_t face_b, bool *taken)
{
    uint32_t count_a, count_b, found = 0;
    const uint32_t *a = grz_mesh_face_corners(p->mesh, face_a, &count_a),
                   *b = grz_mesh_face_corners(p->mesh, face_b, &count_b);
    if (count_a != count_b)
        return false;
    memset(taken, 0, count_b * sizeof *taken);
    for (uint32_t i = 0; i < count_a; i++) {
        uint32_t j = 0;
        while (j < count_b && (taken[j] || p->lowest[a[i]] != p->lowest[b[j]]))
            j++;
        if (j == count_b)
            return false;
        taken[j] = true;
        found++;
    }
    return found == count_b;
}

static bool in_line(const double *a, const double *b, const double *c)
{
    for (int i = 0; i < 3; i++) {
        const int u = (i + 1) % 3, v = (i + 2) % 3;
        const double a2[2] = {a[u], a[v]}, b2[2] = {b[u], b[v]}, c2[2] = {c[u], c[v]};
        if (oracle_orient2d(exact(), a2, b2, c2) != 0)
            return false;
    }
    return true;
}

static bool is_planar(const grz_mesh *mesh, uint32_t face)
{
    uint32_t count, second = 1, third;
    const uint32_t *corners = grz_mesh_face_corners(mesh, face, &count);
    const double *first = grz_mesh_position(mesh, corners[0]);
    while (second < count && same_place(first, grz_mesh_position(mesh, corners[second])))
        second++;
    for (third = second + 1; third < count; third++)
        if (!in_line(first, grz_mesh_position(mesh, corners[second]), grz_mesh_position(mesh, corners[third])))
            break;
    for (uint32_t i = 1; i < count && third < count; i++)
        if (oracle_orient3d(exact(), first, grz_mesh_position(mesh, corners[second]),
                            grz_mesh_position(mesh, corners[third]), grz_mesh_position(mesh, corners[i])) != 0)
            return false;
    return true;
}

static void check_faces(const places *p, const grz_mesh_report *r)
{
    const grz_mesh *mesh = p->mesh;
    tally duplicates = {0}, nonplanar = {0}, degenerate = {0};
    bool *taken = allocated((size_t)mesh->corner_total, sizeof *taken);
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        bool repeated = false;
        for (uint32_t earlier = 0; earlier < face && !repeated; earlier++)
            repeated = same_corners(p, earlier, face, taken);
        if (repeated)
            note(&duplicates, face);
        if (!is_planar(mesh, face))
            note(&nonplanar, face);
    }
    for (uint32_t i = 0, last = UINT32_MAX; i < mesh->triangle_count; i++) {
        const uint32_t *t = mesh->triangles + 3 * (size_t)i, face = grz_mesh_triangle_face(mesh, i);
        if (face == last ||
            !in_line(grz_mesh_position(mesh, t[0]), grz_mesh_position(mesh, t[1]), grz_mesh_position(mesh, t[2])))
            continue;
        note(&degenerate, face);
        last = face;
    }
    free(taken);
    require_tally(&duplicates, r->duplicate_faces, r->first_duplicate_face);
    require_tally(&nonplanar, r->nonplanar_faces, r->first_nonplanar_face);
    require_tally(&degenerate, r->degenerate_faces, r->first_degenerate_face);
}

void fuzz_check_report(const grz_mesh *mesh, const grz_mesh_report *report)
{
    places p = find_places(mesh);
    FUZZ_REQUIRE(report->vertices == mesh->vertex_count && report->faces == mesh->face_count &&
                 report->triangles == mesh->triangle_count);
    check_vertices(&p, report);
    check_components(&p, report);
    check_edges(&p, report);
    check_faces(&p, report);
    free(p.lowest);
    free(p.used);
}

// How often a ring of vertices, or triangles, runs from one vertex to another, less how often it runs back.
static int runs(const uint32_t *corners, uint32_t count, uint32_t ring, uint32_t from, uint32_t to)
{
    int total = 0;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t next = (k + 1) % ring == 0 ? k + 1 - ring : k + 1;
        total += (corners[k] == from && corners[next] == to) - (corners[k] == to && corners[next] == from);
    }
    return total;
}

// The triangles have the sides of the face, and diagonals, each run through both ways.
static void check_sides(const grz_mesh *mesh, uint32_t face, const uint32_t *triangles, uint32_t triangle_count)
{
    uint32_t count;
    const uint32_t *corners = grz_mesh_face_corners(mesh, face, &count);
    FUZZ_REQUIRE(triangle_count == count - 2);
    for (uint32_t k = 0; k < 3 * triangle_count; k++) {
        const uint32_t from = triangles[k], to = triangles[k % 3 == 2 ? k - 2 : k + 1];
        FUZZ_REQUIRE(runs(triangles, 3 * triangle_count, 3, from, to) == runs(corners, count, count, from, to));
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t from = corners[i], to = corners[(i + 1) % count];
        FUZZ_REQUIRE(runs(triangles, 3 * triangle_count, 3, from, to) == runs(corners, count, count, from, to));
    }
}

typedef int64_t place[2];

static int64_t turn(const int64_t *a, const int64_t *b, const int64_t *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static int sign(int64_t value)
{
    return (value > 0) - (value < 0);
}

// c, known to be in line with a and b, lies on the segment between them.
static bool between(const int64_t *a, const int64_t *b, const int64_t *c)
{
    for (int i = 0; i < 2; i++)
        if ((c[i] < a[i] && c[i] < b[i]) || (c[i] > a[i] && c[i] > b[i]))
            return false;
    return true;
}

static bool cross_properly(const int64_t *a, const int64_t *b, const int64_t *c, const int64_t *d)
{
    return sign(turn(a, b, c)) * sign(turn(a, b, d)) < 0 && sign(turn(c, d, a)) * sign(turn(c, d, b)) < 0;
}

static bool meet(const int64_t *a, const int64_t *b, const int64_t *c, const int64_t *d)
{
    return cross_properly(a, b, c, d) || (turn(a, b, c) == 0 && between(a, b, c)) ||
           (turn(a, b, d) == 0 && between(a, b, d)) || (turn(c, d, a) == 0 && between(c, d, a)) ||
           (turn(c, d, b) == 0 && between(c, d, b));
}

typedef enum outline {
    SIMPLE,   // edges meet their neighbours in one point each, and nothing else
    CROSSING, // two edges cross properly
    UNCLEAR   // no area along any axis, or it touches itself
} outline;

// The corners of a face on integers, projected along the largest component of the Newell normal. UNCLEAR also if they
// are not small integers.
static outline project(const grz_mesh *mesh, uint32_t face, place *points)
{
    uint32_t count;
    const uint32_t *corners = grz_mesh_face_corners(mesh, face, &count);
    int64_t normal[3] = {0, 0, 0};
    int axis = 0;
    for (uint32_t i = 0; i < 3 * count; i++) {
        const double x = grz_mesh_position(mesh, corners[i / 3])[i % 3];
        if (!(fabs(x) <= 32768.0) || x != rint(x))
            return UNCLEAR;
    }
    for (uint32_t i = 0; i < count; i++) {
        const double *p = grz_mesh_position(mesh, corners[i]), *q = grz_mesh_position(mesh, corners[(i + 1) % count]);
        for (int k = 0; k < 3; k++) {
            const int u = (k + 1) % 3, v = (k + 2) % 3;
            normal[k] += (int64_t)p[u] * (int64_t)q[v] - (int64_t)p[v] * (int64_t)q[u];
        }
    }
    for (int k = 1; k < 3; k++)
        if (llabs(normal[k]) > llabs(normal[axis]))
            axis = k;
    for (uint32_t i = 0; i < count; i++) {
        points[i][0] = (int64_t)grz_mesh_position(mesh, corners[i])[(axis + 1) % 3];
        points[i][1] = (int64_t)grz_mesh_position(mesh, corners[i])[(axis + 2) % 3];
    }
    outline shape = normal[axis] != 0 ? SIMPLE : UNCLEAR;
    for (uint32_t i = 0; i < count && normal[axis] != 0; i++) {
        const int64_t *a = points[i], *b = points[(i + 1) % count], *c = points[(i + 2) % count];
        if ((a[0] == b[0] && a[1] == b[1]) || (turn(a, b, c) == 0 && (between(a, b, c) || between(b, c, a))))
            shape = shape == CROSSING ? CROSSING : UNCLEAR;
        for (uint32_t j = i + 2; j < count; j++) {
            if (i == 0 && j == count - 1)
                continue;
            const int64_t *d = points[j], *e = points[(j + 1) % count];
            if (cross_properly(a, b, d, e))
                shape = CROSSING;
            else if (shape == SIMPLE && meet(a, b, d, e))
                shape = UNCLEAR;
        }
    }
    return shape;
}

static const int64_t *point_of(const uint32_t *corners, uint32_t count, place *points, uint32_t vertex)
{
    uint32_t i = 0;
    while (i < count && corners[i] != vertex)
        i++;
    FUZZ_REQUIRE(i < count);
    return points[i];
}

// Together the triangles have the polygon's area, which follows from their sides. If none is turned over, they cover it
// once.
static void check_cover(const grz_mesh *mesh, uint32_t face, const uint32_t *triangles, place *points)
{
    uint32_t count;
    const uint32_t *corners = grz_mesh_face_corners(mesh, face, &count);
    int64_t area = 0;
    bool convex = true;
    for (uint32_t i = 0; i < count; i++)
        area += turn(points[0], points[i], points[(i + 1) % count]);
    for (uint32_t i = 0; i < count; i++)
        convex = convex && sign(turn(points[i], points[(i + 1) % count], points[(i + 2) % count])) == sign(area);
    for (uint32_t i = 0; i + 2 < count; i++) {
        const uint32_t *t = triangles + 3 * (size_t)i;
        const int64_t own = turn(point_of(corners, count, points, t[0]), point_of(corners, count, points, t[1]),
                                 point_of(corners, count, points, t[2]));
        FUZZ_REQUIRE(sign(own) * sign(area) >= 0);
        FUZZ_REQUIRE(!convex || (t[0] == corners[0] && t[1] == corners[i + 1] && t[2] == corners[i + 2]));
    }
}

void fuzz_check_triangulation(const grz_mesh *mesh, const grz_mesh_report *report)
{
    place *points = allocated((size_t)mesh->corner_total, sizeof *points);
    uint64_t crossing = 0, not_simple = 0, first_crossing = GRZ_NO_ELEMENT;
    for (uint32_t face = 0, first = 0; face < mesh->face_count; face++) {
        uint32_t end = first, count;
        while (end < mesh->triangle_count && grz_mesh_triangle_face(mesh, end) == face)
            end++;
        (void)grz_mesh_face_corners(mesh, face, &count);
        check_sides(mesh, face, mesh->triangles + 3 * (size_t)first, end - first);
        const outline shape = count > 3 ? project(mesh, face, points) : SIMPLE;
        if (shape == SIMPLE && count > 3)
            check_cover(mesh, face, mesh->triangles + 3 * (size_t)first, points);
        first_crossing = shape == CROSSING && crossing == 0 ? face : first_crossing;
        crossing += shape == CROSSING;
        not_simple += shape != SIMPLE;
        first = end;
    }
    FUZZ_REQUIRE(crossing <= report->nonsimple_faces && report->nonsimple_faces <= not_simple);
    FUZZ_REQUIRE(report->first_nonsimple_face <= first_crossing || crossing == 0);
    FUZZ_REQUIRE((report->first_nonsimple_face == GRZ_NO_ELEMENT) == (report->nonsimple_faces == 0));
    free(points);
}

bool fuzz_same_report(const grz_mesh_report *x, const grz_mesh_report *y)
{
    // The three flags are followed by padding.
    const size_t flags = offsetof(grz_mesh_report, closed), rest = offsetof(grz_mesh_report, boundary_edges);
    return memcmp(x, y, flags) == 0 && x->closed == y->closed && x->manifold == y->manifold &&
           x->oriented == y->oriented && memcmp((const char *)x + rest, (const char *)y + rest, sizeof *x - rest) == 0;
}
