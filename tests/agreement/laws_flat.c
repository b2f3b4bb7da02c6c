// SPDX-License-Identifier: MIT
// Laws of the plane: points, boxes and segments between vertices of both bodies, seen along z. All searches answer
// alike, also after items have moved; and as the shapes of no thickness that lie in the plane z = 0 do in space.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"

#include <graze/flat.h>
#include <graze/shape.h>

enum {
    ITEMS = 12,
    SEARCHES = 4,
    MOST_PAIRS = ITEMS * ITEMS
};

typedef struct flat_case {
    grz_flat_item items[ITEMS];
    double corners[ITEMS][4][3]; // of boxes as shapes
    grz_flat *sets[SEARCHES];
} flat_case;

// A vertex, without its z; sometimes with a coordinate of another one, so that items touch.
static void draw_point(const agree_situation *s, agree_source *source, double *worlds[2], double out[2])
{
    for (int k = 0; k < 2; k++) {
        const int body = (int)agree_below(source, 2);
        const size_t v = agree_below(source, (uint32_t)s->bodies[body].mesh.vertex_count);
        if (k == 0 || agree_one_in(source, 3))
            for (int axis = k; axis < 2; axis++)
                out[axis] = worlds[body][3 * v + (size_t)axis];
    }
}

static grz_flat_item draw_item(const agree_situation *s, agree_source *source, double *worlds[2])
{
    double a[2], b[2];
    const grz_flat_kind kind = (grz_flat_kind)agree_below(source, 3);
    draw_point(s, source, worlds, a);
    draw_point(s, source, worlds, b);
    return kind == GRZ_FLAT_POINT ? grz_flat_point(a[0], a[1])
           : kind == GRZ_FLAT_BOX ? grz_flat_box(fmin(a[0], b[0]), fmin(a[1], b[1]), fmax(a[0], b[0]), fmax(a[1], b[1]))
                                  : grz_flat_segment(a[0], a[1], b[0], b[1]);
}

// The same in the plane z = 0 of space; the corners of boxes as they are, so that nothing is rounded.
static grz_shape shape_of(flat_case *c, int i)
{
    const grz_flat_item *item = &c->items[i];
    const double from[3] = {item->from[0], item->from[1], 0.0}, to[3] = {item->to[0], item->to[1], 0.0};
    if (item->kind == GRZ_FLAT_POINT)
        return grz_shape_point(from);
    if (item->kind == GRZ_FLAT_SEGMENT)
        return grz_shape_segment(from, to);
    for (int corner = 0; corner < 4; corner++) {
        c->corners[i][corner][0] = (corner & 1) != 0 ? to[0] : from[0];
        c->corners[i][corner][1] = (corner & 2) != 0 ? to[1] : from[1];
        c->corners[i][corner][2] = 0.0;
    }
    return grz_shape_hull(c->corners[i][0], 4);
}

static void compare_pairs(agree_run *run, flat_case *c, agree_law law, const char *when)
{
    grz_flat_pair pairs[SEARCHES][MOST_PAIRS];
    uint64_t found[SEARCHES] = {0};
    grz_error error = {.message = ""};
    for (int i = 0; i < SEARCHES; i++)
        agree_call(run, grz_flat_pairs(c->sets[i], NULL, pairs[i], MOST_PAIRS, &found[i], &error), &error,
                   "grz_flat_pairs");
    for (int i = 1; i < SEARCHES; i++)
        agree_law_holds(run, law,
                        found[i] == found[0] && memcmp(pairs[i], pairs[0], (size_t)found[0] * sizeof pairs[0][0]) == 0,
                        "%s: %llu pairs by search %d, %llu without a structure", when, (unsigned long long)found[i], i,
                        (unsigned long long)found[0]);
}

static void compare_points(agree_run *run, flat_case *c, agree_source *source, double *worlds[2], agree_law law,
                           const char *when)
{
    double points[2];
    grz_flat_near near[SEARCHES];
    grz_flat_hit hits[SEARCHES];
    grz_flat_ray ray = {.endless = agree_one_in(source, 2)};
    grz_error error = {.message = ""};
    draw_point(run->now, source, worlds, points);
    draw_point(run->now, source, worlds, ray.from);
    draw_point(run->now, source, worlds, ray.to);
    ray.endless = ray.endless && (ray.from[0] != ray.to[0] || ray.from[1] != ray.to[1]);
    for (int i = 0; i < SEARCHES; i++) {
        agree_call(run, grz_flat_nearest(c->sets[i], points, 1, NULL, &near[i], &error), &error, "grz_flat_nearest");
        agree_call(run, grz_flat_first_hits(c->sets[i], &ray, 1, NULL, &hits[i], &error), &error,
                   "grz_flat_first_hits");
        agree_law_holds(run, law,
                        near[i].number == near[0].number && near[i].distance == near[0].distance &&
                            hits[i].number == hits[0].number && hits[i].t == hits[0].t,
                        "%s: search %d: nearest %u at %a, first %u at %a; without a structure %u at %a, %u at %a", when,
                        i, near[i].number, near[i].distance, hits[i].number, hits[i].t, near[0].number,
                        near[0].distance, hits[0].number, hits[0].t);
    }
}

// In the plane two items have a point in common if and only if their shapes are not apart.
static void compare_shapes(agree_run *run, flat_case *c)
{
    grz_flat_pair pairs[MOST_PAIRS];
    uint64_t found = 0;
    grz_error error = {.message = ""};
    agree_call(run, grz_flat_pairs(c->sets[2], NULL, pairs, MOST_PAIRS, &found, &error), &error, "grz_flat_pairs");
    uint64_t at = 0;
    for (uint32_t a = 0; a < ITEMS; a++)
        for (uint32_t b = a + 1; b < ITEMS; b++) {
            const bool touch = at < found && pairs[at].a == a && pairs[at].b == b;
            const grz_shape x = shape_of(c, (int)a), y = shape_of(c, (int)b);
            grz_shape_answer answer;
            at += touch ? 1 : 0;
            if (grz_shapes_compare(run->device, &x, &y, NULL, &answer, NULL) != GRZ_OK ||
                answer.relation == GRZ_SHAPES_UNDECIDED)
                continue;
            agree_law_holds(run, AGREE_LAW_FLAT_SHAPES, touch == (answer.relation != GRZ_SHAPES_APART),
                            "items %u and %u: %s in the plane, relation %d of the shapes", a, b,
                            touch ? "touch" : "do not touch", (int)answer.relation);
        }
}

// And the nearest item's distance is that of its shape.
static void compare_distances(agree_run *run, flat_case *c, agree_source *source, double *worlds[2])
{
    double at[3] = {0.0, 0.0, 0.0};
    grz_flat_near near;
    grz_error error = {.message = ""};
    draw_point(run->now, source, worlds, at);
    agree_call(run, grz_flat_nearest(c->sets[1], at, 1, NULL, &near, &error), &error, "grz_flat_nearest");
    const grz_shape point = grz_shape_point(at);
    for (uint32_t i = 0; i < ITEMS; i++) {
        const grz_shape shape = shape_of(c, (int)i);
        grz_shape_answer answer;
        if (grz_shapes_compare(run->device, &point, &shape, NULL, &answer, NULL) != GRZ_OK ||
            answer.relation == GRZ_SHAPES_UNDECIDED)
            continue;
        // Both are rounded or enclosed: the nearest one is not farther than any other.
        agree_law_holds(run, AGREE_LAW_FLAT_DISTANCE,
                        near.distance <= answer.upper && (i != near.number || near.distance >= answer.lower),
                        "the nearest, %u, at %a; item %u between %a and %a", near.number, near.distance, i,
                        answer.lower, answer.upper);
    }
}

static bool make_sets(agree_run *run, flat_case *c)
{
    bool made = true;
    for (int i = 0; i < SEARCHES; i++) {
        grz_flat_options options = grz_default_flat_options();
        grz_error error = {.message = ""};
        options.search = (grz_flat_search)i;
        made = agree_call(run, grz_flat_create(run->device, c->items, ITEMS, &options, &c->sets[i], &error), &error,
                          "grz_flat_create") &&
               made;
    }
    return made;
}

// Some items are replaced, some taken out and put in again. Afterwards the sets are as if created again.
static void move_items(agree_run *run, flat_case *c, agree_source *source, double *worlds[2])
{
    uint32_t moved[3] = {0}, gone[2];
    grz_flat_item items[3];
    grz_error error = {.message = ""};
    const uint32_t first = agree_below(source, ITEMS - 5);
    for (uint32_t i = 0; i < 3; i++) {
        moved[i] = first + i;
        c->items[moved[i]] = items[i] = draw_item(run->now, source, worlds);
    }
    gone[0] = first + 3;
    gone[1] = first + 4;
    for (int i = 0; i < SEARCHES; i++) {
        agree_call(run, grz_flat_move(c->sets[i], moved, items, 3, NULL, &error), &error, "grz_flat_move");
        agree_call(run, grz_flat_remove(c->sets[i], gone, 2, NULL, &error), &error, "grz_flat_remove");
        agree_call(run, grz_flat_add(c->sets[i], &c->items[gone[0]], 2, NULL, NULL, &error), &error, "grz_flat_add");
    }
    grz_flat *const old = c->sets[0]; // set 0 is created again, the others have moved
    grz_flat_destroy(old);
    c->sets[0] = NULL;
    agree_call(run, grz_flat_create(run->device, c->items, ITEMS, NULL, &c->sets[0], &error), &error,
               "grz_flat_create");
}

void agree_laws_of_flat(agree_run *run)
{
    const agree_situation *s = run->now;
    agree_source source = run->choices;
    flat_case c = {.sets = {NULL}};
    double *worlds[2] = {agree_world(&s->bodies[0]), agree_world(&s->bodies[1])};
    for (int i = 0; i < ITEMS; i++)
        c.items[i] = draw_item(s, &source, worlds);
    if (make_sets(run, &c)) {
        compare_pairs(run, &c, AGREE_LAW_FLAT_SEARCHES, "made");
        compare_points(run, &c, &source, worlds, AGREE_LAW_FLAT_SEARCHES, "made");
        compare_shapes(run, &c);
        compare_distances(run, &c, &source, worlds);
        move_items(run, &c, &source, worlds);
        compare_pairs(run, &c, AGREE_LAW_FLAT_MOVED, "moved");
        compare_points(run, &c, &source, worlds, AGREE_LAW_FLAT_MOVED, "moved");
    }
    for (int i = 0; i < SEARCHES; i++)
        grz_flat_destroy(c.sets[i]);
    free(worlds[0]);
    free(worlds[1]);
}
