// SPDX-License-Identifier: MIT
// Two triangles of clean surfaces in contact: docs/use/solids.md ("Clean surfaces in contact") has the proof, and
// inside/solids/contact_labels.c does the same for objects at rest. Here one question is left: is some point next to
// the contact inside both solids? If the triangles cross: always. If they lie on each other: if the same side of both
// is inside. If an edge lies on a face or on another edge: if a sector around the edge is inside both.
#include "ask/penetration/moment/moment_contacts.h"

#include <string.h>

#include "ask/penetration/moment/sectors.h"
#include "base/control.h"
#include "geometry/triangle/triangle.h"
#include "mesh/triangles.h"

enum {
    FEW_PAGES = 8 // so many fit on the stack
};

// One of the two triangles.
typedef struct side {
    const grz_posed_surface *surface;
    uint32_t triangle;
    bool moves;
    grz_moment_corner corner[3];
    int height[3];  // on which side of the other triangle's plane each corner is
    int axis, turn; // projected along this axis, the triangle has area and this orientation
} side;

static void set_side(side *s, const grz_moment_contacts *contacts, int which, uint32_t triangle)
{
    const grz_object *object = contacts->surface[which]->object;
    double corners[3][3];
    s->surface = contacts->surface[which];
    s->triangle = triangle;
    s->moves = which == 0;
    grz_world_corners(object->mesh, &object->pose, triangle, corners);
    s->axis = grz_projection_axis((const double(*)[3])corners, &s->turn);
    for (int i = 0; i < 3; i++)
        s->corner[i] = grz_moment_corner_of(contacts->moment, corners[i], s->moves);
}

static void set_heights(grz_moment *moment, side *s, const side *other)
{
    const grz_moment_corner *plane = other->corner;
    for (int i = 0; i < 3; i++)
        s->height[i] = grz_moment_orient3d(moment, &plane[0], &plane[1], &plane[2], &s->corner[i]);
}

static bool is_beside(const side *s)
{
    return s->height[0] != 0 && s->height[0] == s->height[1] && s->height[0] == s->height[2];
}

static bool is_in_plane(const side *s)
{
    return s->height[0] == 0 && s->height[1] == 0 && s->height[2] == 0;
}

// ---- Crossing -----------------------------------------------------------------------------------------------------

// A triangle that crosses the other's plane has one corner alone on its side of it, and at least one on the other side.
// That lone corner; -1: the triangle does not cross the plane.
static int lone_corner(const side *s)
{
    for (int i = 0; i < 3; i++) {
        const int own = s->height[i], next = s->height[(i + 1) % 3], last = s->height[(i + 2) % 3];
        if (own != 0 && next * own <= 0 && last * own <= 0 && (next != 0 || last != 0))
            return i;
    }
    return -1;
}

// Two planes meet in a line. The two edges from the lone corner of each triangle meet this line; between them is what
// the triangle has of the line. For an edge of A and one of B the sign of orient3d says which meets the line first. The
// triangles cross unless both edges of one come before, or at, both edges of the other.
static bool cross(grz_moment *moment, const side *a, const side *b)
{
    const int p = lone_corner(a), q = lone_corner(b);
    bool before = false, after = false;
    if (p < 0 || q < 0)
        return false;
    for (int i = 1; i <= 2; i++)
        for (int j = 1; j <= 2; j++) {
            const int order = grz_moment_orient3d(moment, &a->corner[p], &a->corner[(p + i) % 3], &b->corner[q],
                                                  &b->corner[(q + j) % 3]);
            before = before || order < 0;
            after = after || order > 0;
        }
    return before && after;
}

// ---- In one plane -------------------------------------------------------------------------------------------------

// True if corners are all on the outer side of an edge of a triangle in the same plane, or on its line.
static bool is_outside_of_edge(grz_moment *moment, const side *of, int edge, const grz_moment_corner *const points[],
                               int count)
{
    for (int i = 0; i < count; i++)
        if (grz_moment_orient_projected(moment, of->axis, &of->corner[edge], &of->corner[(edge + 1) % 3], points[i]) ==
            of->turn)
            return false;
    return true;
}

// Do the insides of two triangles in one plane meet?
static bool lie_on_each_other(grz_moment *moment, const side *a, const side *b)
{
    const side *const sides[2] = {a, b};
    for (int s = 0; s < 2; s++) {
        const side *other = sides[1 - s];
        const grz_moment_corner *const points[3] = {&other->corner[0], &other->corner[1], &other->corner[2]};
        for (int edge = 0; edge < 3; edge++)
            if (is_outside_of_edge(moment, sides[s], edge, points, 3))
                return false;
    }
    return true;
}

// Two triangles in one plane: is the same side of it inside both?
static bool have_same_inside(grz_moment *moment, const side *a, const side *b)
{
    const bool same =
        grz_moment_orient_projected(moment, a->axis, &b->corner[0], &b->corner[1], &b->corner[2]) == a->turn;
    for (int normal = 0; normal < 2; normal++)
        if (grz_side_is_inside(a->surface, a->triangle, normal == 1) &&
            grz_side_is_inside(b->surface, b->triangle, (normal == 1) == same))
            return true;
    return false;
}

// An edge in the plane of a triangle: does it run through the triangle's inside?
static bool runs_through(grz_moment *moment, const side *of_edge, int edge, const side *face)
{
    const grz_moment_corner *p = &of_edge->corner[edge], *q = &of_edge->corner[(edge + 1) % 3];
    const grz_moment_corner *const ends[2] = {p, q};
    bool left = false, right = false;
    for (int i = 0; i < 3; i++) {
        if (is_outside_of_edge(moment, face, i, ends, 2))
            return false;
        const int turn = grz_moment_orient_projected(moment, face->axis, p, q, &face->corner[i]);
        left = left || turn > 0;
        right = right || turn < 0;
    }
    return left && right;
}

// ---- Edges --------------------------------------------------------------------------------------------------------

static bool same_line(grz_moment *moment, const grz_moment_corner *p, const grz_moment_corner *q,
                      const grz_moment_corner *r)
{
    for (int axis = 0; axis < 3; axis++)
        if (grz_moment_orient_projected(moment, axis, p, q, r) != 0)
            return false;
    return true;
}

// Two edges: are they on one line, and do they have more than a point in common?
static bool overlap(grz_moment *moment, const side *a, int edge_a, const side *b, int edge_b)
{
    const grz_moment_corner *p = &a->corner[edge_a], *q = &a->corner[(edge_a + 1) % 3], *r = &b->corner[edge_b],
                            *s = &b->corner[(edge_b + 1) % 3];
    if (!same_line(moment, p, q, r) || !same_line(moment, p, q, s))
        return false;
    int k = 0; // a coordinate that changes along the line
    while (k < 2 && p->at[k] == q->at[k])
        k++;
    const bool turned_a = p->at[k] > q->at[k], turned_b = r->at[k] > s->at[k];
    return grz_moment_compare(moment, k, turned_a ? q : p, turned_b ? r : s) < 0 &&
           grz_moment_compare(moment, k, turned_b ? s : r, turned_a ? p : q) < 0;
}

// The line runs through the inside of a face, which continues on both sides of it: two pages.
static size_t add_face(grz_moment *moment, const grz_moment_corner *p, const grz_moment_corner *q, const side *face,
                       grz_sector_page *pages)
{
    size_t count = 0;
    for (int wanted = -1; wanted <= 1; wanted += 2)
        for (int i = 0; i < 3; i++)
            if (grz_moment_orient_projected(moment, face->axis, p, q, &face->corner[i]) == wanted) {
                const int turn = grz_sector_turn(moment, p, q, &face->corner[i], face->corner);
                pages[count++] = (grz_sector_page){
                    .at = face->corner[i],
                    .before = grz_side_is_inside(face->surface, face->triangle, turn < 0),
                    .behind = grz_side_is_inside(face->surface, face->triangle, turn > 0),
                    .mesh = face->moves ? 0 : 1,
                };
                break;
            }
    return count;
}

// The triangles on an edge of a side; *count receives how many.
static const uint64_t *group_of(const side *s, int edge, uint32_t *count)
{
    const uint32_t *vertex = s->surface->object->mesh->triangles + 3 * (size_t)s->triangle;
    return grz_surface_edge(s->surface->surface, vertex[edge], vertex[(edge + 1) % 3], count);
}

// The pages of the triangles on an edge, around a line that the edge is on.
static size_t add_group(const grz_moment_contacts *contacts, const grz_moment_corner *p, const grz_moment_corner *q,
                        const side *s, int edge, grz_sector_page *pages)
{
    uint32_t count;
    const uint64_t *group = group_of(s, edge, &count);
    const double *from = s->corner[edge].at, *to = s->corner[(edge + 1) % 3].at;
    for (uint32_t i = 0; i < count; i++) {
        side one;
        int free = 0;
        set_side(&one, contacts, s->moves ? 0 : 1, (uint32_t)group[i]);
        while (free < 2 && (grz_same_point(one.corner[free].at, from) || grz_same_point(one.corner[free].at, to)))
            free++;
        const int turn = grz_sector_turn(contacts->moment, p, q, &one.corner[free], one.corner);
        pages[i] = (grz_sector_page){
            .at = one.corner[free],
            .before = grz_side_is_inside(one.surface, one.triangle, turn < 0),
            .behind = grz_side_is_inside(one.surface, one.triangle, turn > 0),
            .mesh = one.moves ? 0 : 1,
        };
    }
    return count;
}

// Look at the sectors around edge `edge` of one triangle. It lies inside the other triangle's face (other_edge -1), or
// on the other's edge number `other_edge`.
static void look_around(grz_moment_contacts *contacts, const side *s, int edge, const side *other, int other_edge)
{
    const grz_allocator *allocator = grz_control_allocator(contacts->control);
    const grz_moment_corner *p = &s->corner[edge], *q = &s->corner[(edge + 1) % 3];
    uint32_t own = 0, others = 2;
    (void)group_of(s, edge, &own);
    if (other_edge >= 0)
        (void)group_of(other, other_edge, &others);
    const size_t room = (size_t)own + others;
    grz_sector_page few[FEW_PAGES], *pages = room <= FEW_PAGES ? few : grz_allocate(allocator, room, sizeof *pages);
    if (pages == NULL) {
        contacts->no_memory = true;
        return;
    }
    size_t count = add_group(contacts, p, q, s, edge, pages);
    count += other_edge < 0 ? add_face(contacts->moment, p, q, other, pages + count)
                            : add_group(contacts, p, q, other, other_edge, pages + count);
    contacts->both = contacts->both || grz_sectors_have_both(contacts->moment, p, q, pages, count);
    if (room > FEW_PAGES)
        grz_release(allocator, pages, room, sizeof *pages);
}

// ---- All of it ----------------------------------------------------------------------------------------------------

// Look at the edges of one triangle that lie in the other's plane. True if one has more than a point in common with the
// other triangle. with_edges: compare them with the other's edges, too.
static bool look_at_edges(grz_moment_contacts *contacts, const side *s, const side *other, bool with_edges)
{
    bool any = false;
    for (int edge = 0; edge < 3; edge++) {
        if (s->height[edge] != 0 || s->height[(edge + 1) % 3] != 0)
            continue;
        if (runs_through(contacts->moment, s, edge, other)) {
            look_around(contacts, s, edge, other, -1);
            any = true;
        }
        for (int i = 0; i < 3 && with_edges; i++)
            if (other->height[i] == 0 && other->height[(i + 1) % 3] == 0 &&
                overlap(contacts->moment, s, edge, other, i)) {
                look_around(contacts, s, edge, other, i);
                any = true;
            }
    }
    return any;
}

void grz_moment_contacts_look(grz_moment_contacts *contacts, uint32_t triangle_a, uint32_t triangle_b)
{
    const uint32_t shell_a = contacts->surface[0]->surface->shell[triangle_a],
                   shell_b = contacts->surface[1]->surface->shell[triangle_b];
    side a, b;
    if (shell_a == GRZ_NO_SHELL || shell_b == GRZ_NO_SHELL)
        return;
    set_side(&a, contacts, 0, triangle_a);
    set_side(&b, contacts, 1, triangle_b);
    set_heights(contacts->moment, &a, &b);
    if (is_beside(&a))
        return;
    set_heights(contacts->moment, &b, &a);
    if (is_beside(&b))
        return;
    bool any = false;
    if (is_in_plane(&a)) {
        any = lie_on_each_other(contacts->moment, &a, &b);
        contacts->both = contacts->both || (any && have_same_inside(contacts->moment, &a, &b));
    } else {
        any = cross(contacts->moment, &a, &b);
        contacts->both = contacts->both || any;
    }
    any = look_at_edges(contacts, &a, &b, true) || any;
    any = look_at_edges(contacts, &b, &a, false) || any;
    if (any)
        contacts->in_contact[0][shell_a] = contacts->in_contact[1][shell_b] = true;
}
