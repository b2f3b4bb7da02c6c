// SPDX-License-Identifier: MIT
// Laws of what is inside what: solids, containment, points and rays.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"

#include <graze/pick.h>

enum {
    MOST_HITS = 256,
    MOST_POINTS = 12
};

static grz_solids swapped_solids(grz_solids solids)
{
    return solids == GRZ_SOLIDS_A_INSIDE_B   ? GRZ_SOLIDS_B_INSIDE_A
           : solids == GRZ_SOLIDS_B_INSIDE_A ? GRZ_SOLIDS_A_INSIDE_B
                                             : solids;
}

// ---- Solids -------------------------------------------------------------------------------------------------------

static void check_pieces(agree_run *run, grz_solids solids)
{
    const agree_situation *s = run->now;
    const agree_pieces *a = &s->bodies[0].pieces, *b = &s->bodies[1].pieces;
    if (!a->known || !b->known)
        return;
    const agree_touch touch = agree_pieces_touch(a, b, s->d, (agree_time){0, 1});
    const bool same = touch == AGREE_APART     ? solids == GRZ_SOLIDS_APART
                      : touch == AGREE_TOUCHES ? solids == GRZ_SOLIDS_TOUCHING
                                               : agree_insides_meet(solids);
    if (a->count > 0 && b->count > 0)
        agree_law_holds(run, AGREE_LAW_SOLIDS_TRUTH, same, "solids %d, pieces %d", (int)solids, (int)touch);
    if (!s->same_cells || touch != AGREE_OVERLAPS)
        return;
    const bool in_b = s->shared_volume == a->count * s->cell_volume,
               in_a = s->shared_volume == b->count * s->cell_volume;
    const grz_solids expected = in_a && in_b ? GRZ_SOLIDS_SAME
                                : in_b       ? GRZ_SOLIDS_A_INSIDE_B
                                : in_a       ? GRZ_SOLIDS_B_INSIDE_A
                                             : GRZ_SOLIDS_PENETRATING;
    agree_law_holds(run, AGREE_LAW_SOLIDS_HOLD, solids == expected, "solids %d, cells %d", (int)solids, (int)expected);
}

static void check_rules(agree_run *run, grz_solids solids)
{
    grz_collide_options options = grz_default_collide_options();
    grz_error error = {.message = ""};
    if (!run->now->bodies[0].wound || !run->now->bodies[1].wound)
        return;
    options.find = GRZ_FIND_SOLIDS;
    options.inside_rule = GRZ_NONZERO;
    agree_call(run, grz_collide(run->device, &run->objects[0], &run->objects[1], &options, run->result, &error), &error,
               "grz_collide");
    const grz_solids nonzero = grz_result_summary(run->result)->solids;
    agree_law_holds(run, AGREE_LAW_SOLIDS_RULES, nonzero == solids, "even-odd %d, nonzero %d", (int)solids,
                    (int)nonzero);
}

static grz_solids solids_by(agree_run *run, grz_inside_rule rule, int first)
{
    grz_collide_options options = grz_default_collide_options();
    grz_error error = {.message = ""};
    options.find = GRZ_FIND_SOLIDS;
    options.inside_rule = rule;
    agree_call(run,
               grz_collide(run->device, &run->objects[first], &run->objects[1 - first], &options, run->result, &error),
               &error, "grz_collide");
    return grz_result_summary(run->result)->solids;
}

// Of open meshes, too: GRZ_INSIDE_AUTO always stands for one of the rules.
static void check_auto(agree_run *run)
{
    grz_inside_rule rules[2];
    grz_error error = {.message = ""};
    for (int i = 0; i < 2; i++)
        agree_call(run, grz_mesh_inside_rule(run->objects[i].mesh, &rules[i], &error), &error, "grz_mesh_inside_rule");
    const grz_solids chosen = solids_by(run, GRZ_INSIDE_AUTO, 0), back = solids_by(run, GRZ_INSIDE_AUTO, 1);
    agree_law_holds(run, AGREE_LAW_SOLIDS_AUTO, back == swapped_solids(chosen), "auto %d, and swapped %d", (int)chosen,
                    (int)back);
    if (rules[0] != rules[1])
        return;
    const grz_solids named = solids_by(run, rules[0], 0);
    agree_law_holds(run, AGREE_LAW_SOLIDS_AUTO, chosen == named, "auto %d, by rule %d %d", (int)chosen, (int)rules[0],
                    (int)named);
}

// ---- Vertices -----------------------------------------------------------------------------------------------------

typedef struct places {
    size_t inside, outside, on_surface, unknown;
} places;

// Where the vertices of a body that faces use are in the other.
static places place_vertices(agree_run *run, int which)
{
    const agree_body *body = &run->now->bodies[which];
    const size_t count = body->mesh.vertex_count;
    double *world = agree_world(body);
    grz_location *where = calloc(count, sizeof *where);
    places found = {0};
    if (where == NULL)
        abort();
    agree_locate(run, &run->objects[1 - which], world, count, where);
    for (uint64_t i = 0; i < body->mesh.index_count; i++) {
        const grz_location at = where[body->mesh.indices[i]];
        found.inside += at == GRZ_INSIDE;
        found.outside += at == GRZ_OUTSIDE;
        found.on_surface += at == GRZ_ON_SURFACE;
        found.unknown += at == GRZ_LOCATION_UNKNOWN;
    }
    free(where);
    free(world);
    return found;
}

static void check_vertices(agree_run *run, const grz_summary *summary, int which)
{
    const agree_situation *s = run->now;
    const places found = place_vertices(run, which);
    const grz_relation inside = which == 0 ? GRZ_A_INSIDE_B : GRZ_B_INSIDE_A;
    if (summary->containment == GRZ_CONTAINMENT_DECIDED && s->bodies[1 - which].closed &&
        summary->relation != GRZ_OVERLAPPING) {
        const bool is_inside = summary->relation == inside;
        agree_law_holds(run, AGREE_LAW_INSIDE_VERTICES,
                        found.on_surface == 0 && (is_inside ? found.outside == 0 : found.inside == 0),
                        "relation %d, but of the corners of %c %zu are inside, %zu outside, %zu on the surface",
                        (int)summary->relation, "AB"[which], found.inside, found.outside, found.on_surface);
    }
    if (!agree_are_solids(summary->solids) || !s->bodies[which].bare)
        return;
    const grz_solids in_other = which == 0 ? GRZ_SOLIDS_A_INSIDE_B : GRZ_SOLIDS_B_INSIDE_A;
    const bool none_outside = summary->solids == in_other || summary->solids == GRZ_SOLIDS_SAME,
               none_inside = !agree_insides_meet(summary->solids) || summary->solids == GRZ_SOLIDS_SAME;
    if (s->bodies[1 - which].bare && (none_outside || none_inside))
        agree_law_holds(run, AGREE_LAW_SOLIDS_VERTICES,
                        (!none_outside || found.outside == 0) && (!none_inside || found.inside == 0),
                        "solids %d, but of the corners of %c %zu are inside and %zu outside", (int)summary->solids,
                        "AB"[which], found.inside, found.outside);
}

// ---- Points -------------------------------------------------------------------------------------------------------

// The middle of a piece, in the world. False if it is no double.
static bool middle_of(const agree_situation *s, const agree_piece *p, double middle[3])
{
    if (s->exponent < -1000)
        return false;
    for (int k = 0; k < 3; k++) {
        int64_t sum = 0;
        for (int i = 0; i < p->corner_count; i++)
            sum += p->corners[i][k];
        middle[k] = ldexp((double)sum / p->corner_count, s->exponent);
    }
    return true;
}

// Middles of pieces, and points anywhere in the box of the body.
static size_t draw_points(const agree_situation *s, agree_source *source, const agree_body *body,
                          double points[MOST_POINTS][3], size_t *middles)
{
    size_t count = 0;
    for (int n = 0; n < 3 && body->pieces.count > 0 && body->bare; n++)
        if (middle_of(s, &body->pieces.list[agree_below(source, (uint32_t)body->pieces.count)], points[count]))
            count++;
    *middles = count;
    double *world = agree_world(body);
    for (; count < MOST_POINTS && body->mesh.vertex_count > 0; count++) {
        const size_t v = agree_below(source, (uint32_t)body->mesh.vertex_count),
                     w = agree_below(source, (uint32_t)body->mesh.vertex_count);
        const double share = agree_between(source, -1, 5) / 4.0;
        for (int k = 0; k < 3; k++)
            points[count][k] = world[3 * v + (size_t)k] * (1.0 - share) + world[3 * w + (size_t)k] * share;
    }
    free(world);
    return count;
}

// How many times a ray from a point meets the surface. False where it meets an edge, or runs along a face.
static bool count_hits(agree_run *run, int which, const double from[3], const double along[3], uint64_t *count)
{
    const grz_ray ray = grz_ray_along(from, along);
    grz_ray_hit hits[MOST_HITS];
    grz_error error = {.message = ""};
    agree_call(run,
               grz_pick_all(run->device, grz_targets_of_objects(&run->objects[which], 1), &ray, NULL, hits, MOST_HITS,
                            count, &error),
               &error, "grz_pick_all");
    if (*count > MOST_HITS)
        return false;
    for (uint64_t i = 0; i < *count; i++)
        if (hits[i].feature.vertex[0] != GRZ_NO_VERTEX || hits[i].side == GRZ_RAY_ALONG)
            return false;
    return true;
}

static void check_points(agree_run *run, agree_source *source, int which)
{
    const agree_situation *s = run->now;
    const agree_body *body = &s->bodies[which];
    double points[MOST_POINTS][3];
    grz_location where[MOST_POINTS];
    grz_point_distance distances[MOST_POINTS];
    grz_error error = {.message = ""};
    size_t middles;
    const size_t count = draw_points(s, source, body, points, &middles);
    agree_locate(run, &run->objects[which], points[0], count, where);
    agree_call(run, grz_distance_points(run->device, &run->objects[which], points[0], count, NULL, distances, &error),
               &error, "grz_distance_points");
    for (size_t i = 0; i < count; i++) {
        agree_law_holds(run, AGREE_LAW_INSIDE_DISTANCE, where[i] == distances[i].location,
                        "point %a,%a,%a of %c: %d, with its distance %d", points[i][0], points[i][1], points[i][2],
                        "AB"[which], (int)where[i], (int)distances[i].location);
        if (i < middles)
            agree_law_holds(run, AGREE_LAW_INSIDE_PIECES, where[i] == GRZ_INSIDE, "%a,%a,%a of %c: %d", points[i][0],
                            points[i][1], points[i][2], "AB"[which], (int)where[i]);
        const double along[3] = {1.0 + agree_signed(source), 0.3 + agree_signed(source), agree_signed(source)};
        uint64_t hits;
        if (!body->closed || (where[i] != GRZ_INSIDE && where[i] != GRZ_OUTSIDE) ||
            !count_hits(run, which, points[i], along, &hits))
            continue;
        agree_law_holds(run, AGREE_LAW_INSIDE_RAYS, (hits % 2 == 1) == (where[i] == GRZ_INSIDE),
                        "point %a,%a,%a of %c: location %d, but a ray along %a,%a,%a has %llu hits", points[i][0],
                        points[i][1], points[i][2], "AB"[which], (int)where[i], along[0], along[1], along[2],
                        (unsigned long long)hits);
    }
}

void agree_laws_of_inside(agree_run *run)
{
    const grz_object *a = &run->objects[0], *b = &run->objects[1];
    agree_source source = run->choices;
    const grz_summary summary = agree_collide(run, a, b, GRZ_FIND_CONTAINMENT | GRZ_FIND_SOLIDS);
    if (agree_are_solids(summary.solids)) {
        const grz_solids swapped = agree_collide(run, b, a, GRZ_FIND_SOLIDS).solids;
        agree_law_holds(run, AGREE_LAW_SOLIDS_SWAPPED, swapped == swapped_solids(summary.solids), "%d, and swapped %d",
                        (int)summary.solids, (int)swapped);
        check_pieces(run, summary.solids);
        check_rules(run, summary.solids);
    }
    check_auto(run);
    for (int i = 0; i < 2; i++)
        check_vertices(run, &summary, i);
    check_points(run, &source, (int)agree_below(&source, 2));
}
