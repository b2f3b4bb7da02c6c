// SPDX-License-Identifier: MIT
// All pairs of triangles that touch at that time are looked at (moment_contacts.h). A shell without a contact is wholly
// inside or wholly outside the other solid, so one of its points decides: at its rounded position, if it is farther
// from the other surface than the rounding error.
#include "ask/penetration/moment/moment_solids.h"

#include <string.h>

#include "ask/move/translation/visit.h"
#include "ask/penetration/moment/moment_contacts.h"
#include "base/call.h"
#include "mesh/triangles.h"

enum {
    BLOCK = 64,       // points that are measured at once
    OF_TRIANGLE = 4,  // points: corners and the middle
    MOST_POINTS = 256 // of one shell
};

typedef struct search {
    grz_move_call *call;
    const grz_path *path;
    const grz_posed_surface *surfaces;
    grz_moment moment;
    grz_moment_contacts contacts;
} search;

// ---- Contacts -----------------------------------------------------------------------------------------------------

static bool is_other_time(void *context, double enter, double leave)
{
    const search *s = context;
    return s->contacts.both || enter > s->moment.when.at.upper || leave < s->moment.when.at.lower;
}

static bool look_at_row(void *context, uint32_t triangle, const uint32_t *others, uint32_t count)
{
    search *s = context;
    for (uint32_t i = 0; i < count && !s->contacts.both; i++)
        grz_moment_contacts_look(&s->contacts, triangle, others[i]);
    return !s->contacts.no_memory;
}

// ---- Shells without a contact ---------------------------------------------------------------------------------------

// Points of a triangle, relative to the other object: A stays where the path begins, and B's points move back instead.
static void add_points(const search *s, int which, uint32_t triangle, double (*points)[3])
{
    const grz_object *object = s->surfaces[which].object;
    double c[3][3];
    grz_world_corners(object->mesh, &object->pose, triangle, c);
    for (int k = 0; k < 3; k++) {
        const double way = which == 0 ? s->moment.step[k] : -s->moment.step[k];
        for (int i = 0; i < 3; i++)
            points[i][k] = c[i][k] + way;
        points[3][k] = (c[0][k] / 3.0 + c[1][k] / 3.0 + c[2][k] / 3.0) + way;
    }
}

// What is known of a shell.
typedef struct shell_place {
    uint32_t tried; // points
    bool known;
} shell_place;

// Points of several shells, which wait to be measured.
typedef struct waiting {
    double points[BLOCK][3];
    uint32_t shell[BLOCK];
    size_t count;
} waiting;

static grz_status measure(const search *s, int other, waiting *w, shell_place *places, bool *inside)
{
    grz_point_distance answers[BLOCK];
    grz_distance_points_options options = grz_default_distance_points_options();
    options.inside_rule = s->call->options.inside_rule;
    options.limits = grz_control_limits_left(&s->call->frame.control);
    const grz_status status = grz_distance_points(s->call->frame.device, s->surfaces[other].object, w->points[0],
                                                  w->count, &options, answers, s->call->frame.error);
    for (size_t i = 0; i < w->count && status == GRZ_OK; i++) {
        const bool known = answers[i].lower > 4.0 * s->moment.error;
        places[w->shell[i]].known = places[w->shell[i]].known || known;
        *inside = *inside || (known && answers[i].location == GRZ_INSIDE);
    }
    w->count = 0;
    return status;
}

// Next to a shell that lies inside the other solid are points inside both.
static grz_status place_shells(const search *s, int which, shell_place *places, grz_overlap *overlap)
{
    const grz_surface *surface = s->surfaces[which].surface;
    waiting w = {.count = 0};
    bool inside = false;
    grz_status status = GRZ_OK;
    for (uint32_t t = 0; t < surface->triangle_count && status == GRZ_OK && !inside; t++) {
        const uint32_t shell = surface->shell[t];
        if (shell == GRZ_NO_SHELL || places[shell].known || places[shell].tried >= MOST_POINTS)
            continue;
        add_points(s, which, t, w.points + w.count);
        for (int i = 0; i < OF_TRIANGLE; i++)
            w.shell[w.count++] = shell;
        places[shell].tried += OF_TRIANGLE;
        if (w.count == BLOCK)
            status = measure(s, 1 - which, &w, places, &inside);
    }
    if (w.count > 0 && status == GRZ_OK && !inside)
        status = measure(s, 1 - which, &w, places, &inside);
    for (uint32_t i = 0; i < surface->shell_count && *overlap == GRZ_OVERLAP_NO; i++)
        *overlap = places[i].known ? GRZ_OVERLAP_NO : GRZ_OVERLAP_UNKNOWN;
    if (inside)
        *overlap = GRZ_OVERLAP_YES;
    return status;
}

static grz_status place_all_shells(const search *s, grz_overlap *overlap)
{
    const grz_allocator *allocator = grz_control_allocator(&s->call->frame.control);
    grz_status status = GRZ_OK;
    for (int i = 0; i < 2 && status == GRZ_OK && *overlap != GRZ_OVERLAP_YES; i++) {
        const uint32_t count = s->surfaces[i].surface->shell_count;
        shell_place *places = grz_allocate_zeroed(allocator, (size_t)count + 1, sizeof *places);
        if (places == NULL)
            return grz_call_explain(&s->call->frame, GRZ_ERROR_MEMORY);
        for (uint32_t k = 0; k < count; k++)
            places[k].known = s->contacts.in_contact[i][k];
        status = place_shells(s, i, places, overlap);
        grz_release(allocator, places, (size_t)count + 1, sizeof *places);
    }
    return status;
}

// ---- All of it ------------------------------------------------------------------------------------------------------

static grz_status decide(search *s, grz_overlap *overlap)
{
    const grz_pair_visitor visitor = {.context = s, .skip = is_other_time, .compare = look_at_row};
    grz_status status = grz_visit_pairs(s->call, s->path, &visitor);
    if (status != GRZ_OK)
        return grz_call_explain(&s->call->frame, status);
    if (s->moment.too_long)
        return GRZ_OK;
    *overlap = s->contacts.both ? GRZ_OVERLAP_YES : GRZ_OVERLAP_NO;
    return place_all_shells(s, overlap);
}

grz_status grz_overlap_at_instant(grz_move_call *call, const grz_path *path, const grz_posed_surface surfaces[2],
                                  const grz_instant *when, grz_overlap *overlap)
{
    const grz_allocator *allocator = grz_control_allocator(&call->frame.control);
    search s = {.call = call, .path = path, .surfaces = surfaces};
    *overlap = GRZ_OVERLAP_UNKNOWN;
    if (surfaces[0].surface == NULL || surfaces[1].surface == NULL || surfaces[0].surface->unclean ||
        surfaces[1].surface->unclean)
        return GRZ_OK;
    const size_t room[2] = {(size_t)surfaces[0].surface->shell_count + 1, (size_t)surfaces[1].surface->shell_count + 1};
    grz_moment_set(&s.moment, path, when);
    s.contacts = (grz_moment_contacts){
        .moment = &s.moment, .surface = {&surfaces[0], &surfaces[1]}, .control = &call->frame.control};
    grz_status status = GRZ_OK;
    for (int i = 0; i < 2; i++) {
        s.contacts.in_contact[i] = grz_allocate_zeroed(allocator, room[i], sizeof(bool));
        if (s.contacts.in_contact[i] == NULL)
            status = grz_call_explain(&call->frame, GRZ_ERROR_MEMORY);
    }
    if (status == GRZ_OK)
        status = decide(&s, overlap);
    for (int i = 0; i < 2; i++)
        grz_release(allocator, s.contacts.in_contact[i], room[i], sizeof(bool));
    return status;
}
