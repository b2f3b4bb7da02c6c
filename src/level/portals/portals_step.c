// SPDX-License-Identifier: MIT
// grz_portals_step(): a mover's step among the walls and objects of its cells. The mover tells the box of all places
// that it has looked at. If that is not within the box that the cells were found for, the cells of the larger box are
// taken and the step is done again. docs/use/portals.md, "Movers", proves that the answer is that of the whole level;
// where the proof does not hold (a mover that starts inside a wall or is crushed, a skin that is thick for the margin),
// the whole level is taken.
#include <math.h>
#include <string.h>

#include "base/call.h"
#include "base/fail.h"
#include "level/mover/body/moved_shape.h"
#include "level/mover/mover_searched.h"
#include "level/portals/portal_cells.h"
#include "level/vector_check.h"

enum {
    TRIES = 4
};

static const double SKINS = 4.0; // that the margin must hold
static const uint32_t WALLS = 0; // what the caller calls them

typedef struct stepper {
    grz_portals_tracker *tracker;
    const grz_shape *shape;
    grz_moved_shape moved; // the same, read
    const double *position, *displacement;
    grz_mover_options options; // with the numbers of what was gathered
    grz_mover_floor floor;     // as the caller gave it
    bool any_moved;
} stepper;

static grz_status out_of_memory(grz_error *error)
{
    return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "portals: out of memory for a step");
}

// ---- Gathering ----------------------------------------------------------------------------------------------------

static bool add(stepper *s, const grz_object *object, const grz_pose *earlier, uint32_t name, const uint32_t *faces)
{
    grz_portals_tracker *t = s->tracker;
    const grz_allocator *allocator = t->level->allocator;
    const size_t at = t->objects.count;
    if (!grz_array_reserve(allocator, &t->earlier, at + 1) || !grz_array_reserve(allocator, &t->names, at + 1) ||
        !grz_array_reserve(allocator, &t->faces, at + 1) || !grz_array_add(allocator, &t->objects))
        return false;
    t->objects.items[at] = *object;
    t->earlier.items[at] = *earlier;
    t->names.items[at] = name;
    t->faces.items[at] = faces;
    return true;
}

static bool add_walls(stepper *s, const grz_part *walls)
{
    if (walls->mesh == NULL)
        return true;
    const grz_object object = grz_object_at_origin(walls->mesh);
    return add(s, &object, &object.pose, WALLS, walls->faces);
}

static bool add_content(stepper *s, uint32_t number)
{
    grz_portals_tracker *t = s->tracker;
    const grz_content *content = &t->level->contents.items[number];
    if (!content->used || t->taken.items[number] == t->gathering)
        return true;
    t->taken.items[number] = t->gathering;
    s->any_moved = s->any_moved || content->moved;
    return add(s, &content->object, content->moved ? &content->earlier : &content->object.pose, number + 1, NULL);
}

// Whether anything has moved changes how a step begins: if something has, the step must know.
static bool add_moved(stepper *s)
{
    const grz_portals *level = s->tracker->level;
    for (uint32_t i = 0; level->moved > 0 && !s->any_moved && i < level->contents.count; i++)
        if (level->contents.items[i].moved && !add_content(s, i))
            return false;
    return true;
}

// Call the floor by its number among what was gathered. It was gathered if the mover is near it.
static bool find_floor(stepper *s)
{
    const grz_portals_tracker *t = s->tracker;
    s->options.floor = s->floor;
    if (!s->options.walk || !s->floor.stands)
        return true;
    if (s->floor.object > 0 && !add_content(s, s->floor.object - 1))
        return false;
    for (uint32_t i = 0; i < t->objects.count; i++)
        if (t->names.items[i] == s->floor.object) {
            s->options.floor.object = i;
            return true;
        }
    s->options.floor.object = (uint32_t)t->objects.count; // walls, but none are near
    return add_walls(s, &t->level->walls);
}

static bool gather(stepper *s, bool whole_level)
{
    grz_portals_tracker *t = s->tracker;
    const grz_portals *level = t->level;
    t->objects.count = 0;
    s->any_moved = false;
    if (!grz_array_reserve(level->allocator, &t->taken, level->contents.count))
        return false;
    if (++t->gathering == 0 || t->taken.count < level->contents.count) {
        memset(t->taken.items, 0, t->taken.capacity * sizeof *t->taken.items);
        t->taken.count = level->contents.count;
        t->gathering = 1;
    }
    if (whole_level && !add_walls(s, &level->walls))
        return false;
    for (uint32_t i = 0; i < level->contents.count && whole_level; i++)
        if (!add_content(s, i))
            return false;
    for (uint32_t i = 0; i < t->count && !whole_level; i++) {
        const grz_cell *cell = &level->cells[t->cells[i]];
        if (!add_walls(s, &cell->walls))
            return false;
        for (size_t j = 0; j < cell->contents.count; j++)
            if (!add_content(s, cell->contents.items[j]))
                return false;
    }
    return find_floor(s) && add_moved(s);
}

// ---- Steps --------------------------------------------------------------------------------------------------------

static void rename_floor(const grz_portals_tracker *t, grz_mover_floor *floor)
{
    if (!floor->stands)
        return;
    const uint32_t *faces = t->faces.items[floor->object];
    floor->face = faces != NULL ? faces[floor->face] : floor->face;
    floor->object = t->names.items[floor->object];
}

// Give the caller's numbers instead of those of what was gathered.
static void rename_all(const grz_portals_tracker *t, grz_mover_answer *answer)
{
    rename_floor(t, &answer->floor);
    for (uint32_t i = 0; i < answer->contact_count && i < GRZ_MOVER_MAX_CONTACTS; i++) {
        grz_mover_contact *contact = &answer->contacts[i];
        const uint32_t *faces = t->faces.items[contact->object];
        contact->face = faces != NULL ? faces[contact->face] : contact->face;
        contact->object = t->names.items[contact->object];
    }
}

static grz_status step_among(stepper *s, bool whole_level, grz_mover_answer *answer, grz_box *searched,
                             grz_error *error)
{
    grz_portals_tracker *t = s->tracker;
    *searched = grz_box_empty();
    if (!gather(s, whole_level))
        return out_of_memory(error);
    s->options.earlier_poses = s->any_moved ? t->earlier.items : NULL;
    const grz_status status =
        grz_mover_step_searched(t->level->device, t->objects.items, (uint32_t)t->objects.count, s->shape, s->position,
                                s->displacement, &s->options, answer, searched, error);
    if (status == GRZ_OK)
        rename_all(t, answer);
    return status;
}

// True if the cells are enough for this shape: what it feels is within the margin of them. The cells are certain for
// the part of the shape that keeps the slack from walls; that part comes as near to each of its points as the slack
// times what the shape is longer than thick.
static bool is_fine(const stepper *s, double skin)
{
    const grz_portals *level = s->tracker->level;
    const double *half = s->moved.half;
    if (SKINS * skin > level->margin)
        return false;
    if (level->slack == 0.0 || s->moved.kind == GRZ_MOVED_ROUND)
        return level->slack == 0.0 || 2.0 * level->slack <= s->moved.radius;
    const double least = fmin(fmin(half[0], half[1]), half[2]), sum = half[0] + half[1] + half[2];
    return 2.0 * level->slack <= least && level->slack * (sum / least) <= 0.5 * level->margin;
}

static bool holds(const grz_box *outer, const grz_box *inner)
{
    return grz_box_contains(outer, inner->min) && grz_box_contains(outer, inner->max);
}

static grz_status step(stepper *s, grz_call *call, grz_mover_answer *answer, bool *whole_level)
{
    grz_error *error = call->error;
    const double skin = grz_mover_skin(&s->moved, &s->options);
    grz_box box = grz_mover_usual_box(&s->moved, s->position, s->displacement, &s->options), searched;
    grz_tracker_locate(s->tracker, s->position, &call->control);
    for (int i = 0; i < TRIES && is_fine(s, skin); i++) {
        grz_tracker_flood(s->tracker, &box);
        const grz_status status = step_among(s, false, answer, &searched, error);
        if (status != GRZ_OK)
            return status;
        if (answer->started_inside || answer->crushed_at < 1.0)
            break;
        if (holds(&box, &searched))
            return GRZ_OK;
        grz_box_add_box(&box, &searched);
        box = grz_box_grown(&box, skin);
    }
    *whole_level = true;
    const grz_status status = step_among(s, true, answer, &searched, error);
    grz_box_add_box(&box, &searched);
    grz_tracker_flood(s->tracker, &box);
    return status;
}

// What the caller must give and has not; NULL: nothing.
static const char *missing_of(const stepper *s, const grz_mover_answer *answer)
{
    return s->tracker == NULL        ? "tracker"
           : s->shape == NULL        ? "shape"
           : s->position == NULL     ? "position"
           : s->displacement == NULL ? "displacement"
           : answer == NULL          ? "answer"
                                     : NULL;
}

static grz_status check_and_step(stepper *s, grz_call *call, const grz_mover_options *given, grz_mover_answer *answer,
                                 bool *whole_level)
{
    grz_error *error = call->error;
    grz_status status = grz_mover_read_options(given, &s->options, error);
    if (status != GRZ_OK)
        return status;
    if (s->options.earlier_poses != NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "portals: options.earlier_poses is set; the level knows where its objects were");
    if (s->options.ground != NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "portals: options.ground is set; the level knows where its objects are");
    s->floor = s->options.floor;
    if (s->options.walk && s->floor.stands && s->floor.object > 0 &&
        (s->floor.object > s->tracker->level->contents.count ||
         !s->tracker->level->contents.items[s->floor.object - 1].used))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, s->floor.object,
                        "portals: options.floor.object is %u, but there is no object %u", s->floor.object,
                        s->floor.object - 1);
    status = grz_moved_shape_read(s->shape, &s->moved, error);
    if (status == GRZ_OK)
        status = grz_vector_check("portals", "position", s->position, error);
    if (status == GRZ_OK)
        status = grz_vector_check("portals", "displacement", s->displacement, error);
    if (status != GRZ_OK)
        return status;
    status = step(s, call, answer, whole_level);
    if (status != GRZ_OK)
        grz_tracker_undo(s->tracker);
    return status;
}

grz_status grz_portals_step(grz_portals_tracker *tracker, const grz_shape *shape, const double position[3],
                            const double displacement[3], const grz_mover_options *options, grz_mover_answer *answer,
                            grz_portals_place *place, grz_error *error)
{
    stepper s = {.tracker = tracker, .shape = shape, .position = position, .displacement = displacement};
    bool whole_level = false;
    grz_call call;
    if (answer != NULL) {
        *answer = (grz_mover_answer){.outcome = GRZ_MOVER_LIMIT, .crushed_at = 1.0};
        if (position != NULL)
            memcpy(answer->position, position, sizeof answer->position);
    }
    if (place != NULL)
        *place = (grz_portals_place){.cells = NULL};
    const char *missing = missing_of(&s, answer);
    if (missing != NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "portals: the %s is NULL", missing);
    // The options' limits are those of the mover's steps.
    grz_status status = grz_call_begin(&call, "portals", tracker->level->device, NULL, NULL, NULL, error);
    if (status == GRZ_OK)
        status = check_and_step(&s, &call, options, answer, &whole_level);
    if (place != NULL && status == GRZ_OK)
        *place =
            (grz_portals_place){tracker->cells, tracker->count, tracker->searched, tracker->teleported, whole_level};
    return grz_call_end(&call, status);
}
