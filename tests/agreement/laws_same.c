// SPDX-License-Identifier: MIT
// Changes that must not change an answer: another order of vertices and faces, finer faces, another unit, vertices
// moved before instead of by a pose, both objects moved alike. Each situation is asked about in one of these ways.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"

#include "support_fuzz_shapes.h"
#include "support_solids.h"

// The same situation, changed.
typedef struct twin {
    agree_law law;
    test_mesh meshes[2];
    grz_object objects[2];
    int scale; // all lengths times 2^scale
    bool same_faces;
} twin;

// What is compared.
typedef struct digest {
    grz_summary summary;
    grz_distance_answer distance;
    grz_overlap_volume_answer volume;
    grz_overlap_depth_answer depth;
    grz_penetration_answer along;
    grz_move_answer move;
    agree_intervals intervals;
    bool has_along, has_motion;
} digest;

static digest ask(agree_run *run, const grz_object objects[2], int scale, bool along)
{
    const agree_situation *s = run->now;
    const double d[3] = {s->d[0], s->d[1], s->d[2]};
    double to[3];
    digest out = {.has_along = along, .has_motion = s->whole};
    out.summary = agree_collide(run, &objects[0], &objects[1], GRZ_FIND_PAIRS | GRZ_FIND_CONTAINMENT | GRZ_FIND_SOLIDS);
    out.distance = agree_distance(run, &objects[0], &objects[1], NULL);
    out.volume = agree_volume(run, &objects[0], &objects[1], NULL);
    for (int k = 0; k < 3; k++)
        to[k] = objects[0].pose.m[k][3] + ldexp(5.0 * d[k], s->exponent + scale);
    if (out.has_motion) {
        out.move = agree_move(run, &objects[0], to, &objects[1], true, NULL);
        out.intervals = agree_intervals_of(run, &objects[0], to, &objects[1], NULL);
    }
    if (along)
        out.depth = agree_depth(run, &objects[0], &objects[1], false, 0.0);
    if (along)
        out.along = agree_along(run, &objects[0], &objects[1], d, NULL);
    return out;
}

static bool same_intervals(const agree_intervals *x, const agree_intervals *y)
{
    bool same = x->found == y->found;
    for (uint64_t i = 0; i < x->found && i < AGREE_MOST_INTERVALS && same; i++)
        same = x->list[i].enter_lower == y->list[i].enter_lower && x->list[i].leave_upper == y->list[i].leave_upper &&
               x->list[i].enter == y->list[i].enter && x->list[i].leave == y->list[i].leave;
    return same;
}

static void compare(agree_run *run, const digest *x, const digest *y, const twin *t)
{
    const bool pairs = !t->same_faces || x->summary.pair_count == y->summary.pair_count;
    agree_law_holds(run, t->law,
                    pairs && x->summary.relation == y->summary.relation && x->summary.solids == y->summary.solids,
                    "relation %d and %d, solids %d and %d, %llu and %llu pairs", (int)x->summary.relation,
                    (int)y->summary.relation, (int)x->summary.solids, (int)y->summary.solids,
                    (unsigned long long)x->summary.pair_count, (unsigned long long)y->summary.pair_count);
    agree_law_holds(run, t->law,
                    y->distance.lower == ldexp(x->distance.lower, t->scale) &&
                        y->distance.upper == ldexp(x->distance.upper, t->scale),
                    "distance %a and %a", x->distance.distance, y->distance.distance);
    if (t->scale == 0 || x->volume.upper == 0.0 || abs(3 * (run->now->exponent + t->scale)) < 900)
        agree_law_holds(run, t->law,
                        ldexp(x->volume.lower, 3 * t->scale) <= y->volume.upper &&
                            y->volume.lower <= ldexp(x->volume.upper, 3 * t->scale) &&
                            (x->volume.upper == 0.0) == (y->volume.upper == 0.0),
                        "volume [%a, %a] and [%a, %a]", x->volume.lower, x->volume.upper, y->volume.lower,
                        y->volume.upper);
    if (x->has_motion) {
        const bool ties = !t->same_faces || x->move.ties == y->move.ties;
        agree_law_holds(run, t->law,
                        ties && x->move.lower == y->move.lower && x->move.upper == y->move.upper &&
                            x->move.started_inside == y->move.started_inside,
                        "first contact %a and %a", x->move.first_contact, y->move.first_contact);
        agree_law_holds(run, t->law, same_intervals(&x->intervals, &y->intervals),
                        "%llu and %llu intervals, [%a, %a] and [%a, %a]", (unsigned long long)x->intervals.found,
                        (unsigned long long)y->intervals.found, x->intervals.list[0].enter, x->intervals.list[0].leave,
                        y->intervals.list[0].enter, y->intervals.list[0].leave);
    }
    if (x->has_along)
        agree_law_holds(run, t->law,
                        ldexp(x->depth.lower, t->scale) <= y->depth.upper &&
                            y->depth.lower <= ldexp(x->depth.upper, t->scale),
                        "depth of the overlap in [%.17g, %.17g] and [%.17g, %.17g]", x->depth.lower, x->depth.upper,
                        y->depth.lower, y->depth.upper);
    if (x->has_along)
        agree_law_holds(run, t->law,
                        agree_bounds_agree(ldexp(x->along.lower, t->scale), ldexp(x->along.upper, t->scale),
                                           y->along.lower, y->along.upper),
                        "depth in [%.17g, %.17g] and [%.17g, %.17g]", x->along.lower, x->along.upper, y->along.lower,
                        y->along.upper);
}

// ---- Changes ------------------------------------------------------------------------------------------------------

static bool shuffle(const agree_situation *s, agree_source *source, twin *t)
{
    random_stream random = {agree_below(source, 65536) + (uint64_t)s->kind};
    t->law = AGREE_LAW_SAME_SHUFFLED;
    for (int i = 0; i < 2; i++)
        test_mesh_shuffle(&t->meshes[i], &random, NULL);
    return true;
}

static bool subdivide(const agree_situation *s, agree_source *source, twin *t)
{
    const int which = (int)agree_below(source, 2);
    t->law = AGREE_LAW_SAME_SUBDIVIDED;
    t->same_faces = false;
    if (!s->whole || s->exponent < -1000 || s->bodies[which].mesh.face_count > 60)
        return false;
    test_mesh triangles = test_mesh_triangulated(&t->meshes[which]);
    test_mesh_finish(&t->meshes[which]);
    t->meshes[which] = test_mesh_subdivided(&triangles);
    test_mesh_finish(&triangles);
    return true;
}

static bool rescale(const agree_situation *s, agree_source *source, twin *t)
{
    static const int scales[] = {1, -1, 13, -37, 100};
    t->law = AGREE_LAW_SAME_SCALED;
    t->scale = scales[agree_below(source, sizeof scales / sizeof *scales)];
    if (s->exponent < -950 || s->exponent + t->scale > 260)
        return false;
    for (int i = 0; i < 2; i++) {
        for (uint64_t j = 0; j < 3 * t->meshes[i].vertex_count; j++)
            t->meshes[i].positions[j] = ldexp(t->meshes[i].positions[j], t->scale);
        for (int k = 0; k < 3; k++)
            t->objects[i].pose.m[k][3] = ldexp(t->objects[i].pose.m[k][3], t->scale);
    }
    return true;
}

static bool put_in_world(twin *t)
{
    t->law = AGREE_LAW_SAME_IN_WORLD;
    for (int i = 0; i < 2; i++) {
        test_mesh *mesh = &t->meshes[i];
        double *world = fuzz_world(mesh->positions, mesh->vertex_count, &t->objects[i].pose);
        free(mesh->positions);
        mesh->positions = world;
        t->objects[i].pose = grz_pose_identity();
    }
    return true;
}

static bool move_both(const agree_situation *s, agree_source *source, twin *t)
{
    t->law = AGREE_LAW_SAME_MOVED;
    if (!s->whole)
        return false;
    for (int k = 0; k < 3; k++) {
        const double by = ldexp(agree_between(source, -1000, 1000), s->exponent);
        for (int i = 0; i < 2; i++)
            t->objects[i].pose.m[k][3] += by;
    }
    return true;
}

static bool change(const agree_situation *s, agree_source *source, twin *t)
{
    switch (agree_below(source, 5)) {
    case 0:
        return shuffle(s, source, t);
    case 1:
        return subdivide(s, source, t);
    case 2:
        return rescale(s, source, t);
    case 3:
        return put_in_world(t);
    default:
        return move_both(s, source, t);
    }
}

void agree_laws_of_same(agree_run *run)
{
    const agree_situation *s = run->now;
    agree_source source = run->choices;
    twin t = {.same_faces = true};
    for (int i = 0; i < 2; i++) {
        t.meshes[i] = test_mesh_copy(&s->bodies[i].mesh);
        t.objects[i] = run->objects[i];
    }
    if (change(s, &source, &t)) {
        const bool along = s->bodies[0].closed && s->bodies[1].closed && agree_one_in(&source, 4);
        const digest plain = ask(run, run->objects, 0, along);
        for (int i = 0; i < 2; i++)
            t.objects[i].mesh = test_mesh_upload(run->device, &t.meshes[i]);
        const digest changed = ask(run, t.objects, t.scale, along);
        compare(run, &plain, &changed, &t);
        for (int i = 0; i < 2; i++)
            grz_mesh_destroy((grz_mesh *)t.objects[i].mesh);
    }
    for (int i = 0; i < 2; i++)
        test_mesh_finish(&t.meshes[i]);
}
