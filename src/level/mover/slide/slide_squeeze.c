// SPDX-License-Identifier: MIT
// The corner of a sharp body may be one within the skin only: beyond the end of one of the triangles it is free. Each
// contact is ignored once; all ways are swept and proved as others are.
#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "level/mover/slide/cone.h"
#include "level/mover/slide/slide_parts.h"

enum {
    SQUEEZES = 8,    // contacts that are tried to be ignored
    SQUEEZE_LEGS = 4 // straight moves of such a try
};

static const double SQUEEZED = 2.0; // skins along the displacement: a try that leads no further has failed

// Go along what the contacts but one leave of the displacement. `progress`: along the displacement.
static bool go_without(grz_slide *slide, const double displacement[3], const grz_past_contact *ignored, double rest,
                       double *progress)
{
    double start[3];
    memcpy(start, slide->position, sizeof start);
    for (int leg = 0; leg < SQUEEZE_LEGS; leg++) {
        double way[3], before[3], share;
        bool cut;
        slide->normals.count = slide->depths.count = 0;
        for (size_t i = 0; i < slide->touches.count; i++) {
            const grz_touch *touch = &slide->touches.all.items[i];
            if ((touch->triangle.object != ignored->object || touch->triangle.triangle != ignored->triangle) &&
                !grz_slide_add_normal(slide, touch->apart.normal, 0.0))
                return false;
        }
        if (grz_cone_project(slide->normals.items, slide->depths.count, displacement, way) == GRZ_CONE_CORNER)
            break;
        for (int k = 0; k < 3; k++)
            way[k] *= rest;
        memcpy(before, slide->position, sizeof before);
        if (!grz_slide_cast(slide, way, &share) || !grz_slide_prove(slide, before, &cut))
            return false;
        rest *= 1.0 - share;
        if (cut || share == 0.0 || rest == 0.0)
            break;
    }
    for (int k = 0; k < 3; k++)
        start[k] = slide->position[k] - start[k];
    *progress = grz_dot(start, displacement) / sqrt(grz_dot(displacement, displacement));
    return true;
}

bool grz_slide_squeeze(grz_slide *slide, const double displacement[3], double *left, bool *done)
{
    grz_past_contact ignored[SQUEEZES];
    double start[3], progress;
    size_t count = 0;
    const double length = sqrt(grz_dot(displacement, displacement)), least = SQUEEZED * slide->body.skin,
                 nearest = slide->touches.nearest;
    memcpy(start, slide->position, sizeof start);
    *done = false;
    if (slide->body.radius > 0.0 || slide->rule != NULL || !(*left * length > least))
        return true;
    for (; count < slide->touches.count && count < SQUEEZES; count++) {
        const grz_level_triangle *t = &slide->touches.all.items[count].triangle;
        ignored[count] = (grz_past_contact){.object = t->object, .triangle = t->triangle};
    }
    for (size_t i = 0; i < count; i++) {
        if (!go_without(slide, displacement, &ignored[i], *left, &progress))
            return false;
        // What has only gone deeper into the skin would be lifted back.
        if (progress > least && slide->touches.nearest >= nearest - 0.0625 * slide->body.skin) {
            *left -= progress / length; // at most
            *done = true;
            return true;
        }
        memcpy(slide->position, start, sizeof start);
        if (!grz_slide_look(slide))
            return false;
    }
    return true;
}
