// SPDX-License-Identifier: MIT
// The closer view. Where no side shows the contact, the eye stands among the objects, and what lies before the contact
// is glass.
#include "picture/inset.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "mesh/mesh.h"

static const double small = 0.2;     // the contact's size in the first view, over the view's smaller side
static const double from_side = 0.4; // cosine of the angle between the view and the normal of a flat contact
static const double mostly = 0.35;   // share seen of a contact that is hidden for the most part
static const double well = 0.45; // how well a contact is to be seen (grz_framing_score()) that needs nothing made glass
static const double tilt = 0.3;  // how much of the first view's direction is in that of a face-on view
static const double filled[2] = {0.5, 0.85}; // of the closer view, by a contact that is small, and by one that is large
static const double large = 0.3;             // radius of a large contact, over that of everything
static const double least = 1e-4;    // radius of what is shown, over that of everything; floats have no digits for less
static const double in_front = 0.02; // of the contact, over its radius, where the glass ends
static const double near_plane = 0.05; // over the eye's distance

bool grz_inset_is_wanted(const grz_picture_contents *contents, const grz_contact_shape *shape,
                         const grz_first_view *first)
{
    double to_pixels[4][4], low[2], high[2];
    if (!shape->any)
        return false;
    grz_framing_to_pixels(first->camera, &first->rect, to_pixels);
    if (grz_framing_contact_box(contents, to_pixels, low, high) &&
        fmax(high[0] - low[0], high[1] - low[1]) < small * fmin(first->rect.width, first->rect.height))
        return true;
    if (contents->sites.count != 1)
        return false;
    if (grz_contact_is_flat(shape) && fabs(grz_dot(shape->axes[2], first->camera->direction)) < from_side)
        return true;
    return first->visible < mostly;
}

// Turn the camera: towards a flat contact's face, `opposite`: from the side that is farther from the first view's.
static void turn(const grz_contact_shape *shape, const grz_camera *first, bool opposite, grz_camera *camera)
{
    double direction[3];
    memcpy(direction, first->direction, sizeof direction);
    if (grz_contact_is_flat(shape)) {
        const double along = grz_dot(shape->axes[2], first->direction), side = (along < 0.0) != opposite ? -1.0 : 1.0;
        for (int j = 0; j < 3; j++)
            direction[j] = side * shape->axes[2][j] + tilt * first->direction[j];
    }
    grz_camera_turn(camera, direction, first->up);
}

// The depth of the contact's nearest point, beyond the camera's target.
static double nearest_depth(const grz_picture_contents *c, const grz_camera *camera)
{
    double nearest = HUGE_VAL;
    assert(c->ends.count + c->dots.count > 0);
    for (size_t i = 0; i < c->ends.count + c->dots.count; i++) {
        const double *p = i < c->ends.count ? c->ends.items[i].at : c->dots.items[i - c->ends.count].at;
        const double at[3] = {p[0] - camera->target[0], p[1] - camera->target[1], p[2] - camera->target[2]};
        nearest = fmin(nearest, grz_dot(at, camera->direction));
    }
    return nearest;
}

// Fit the camera to the contact. It stands in front of all objects, unless it may stand among them.
static void fit(const grz_picture_contents *c, const grz_contact_shape *shape, double aspect, bool among,
                grz_camera *camera)
{
    const grz_surroundings around = grz_framing_surroundings(c);
    grz_extent extent = grz_extent_empty(aspect, filled[shape->radius > large * around.radius]);
    double right[3];
    camera->unit = fmax(shape->radius, least * around.radius);
    grz_camera_right(camera, right);
    for (size_t i = 0; i < c->ends.count + c->dots.count; i++) {
        const double *p = i < c->ends.count ? c->ends.items[i].at : c->dots.items[i - c->ends.count].at;
        double at[3];
        for (int j = 0; j < 3; j++)
            at[j] = (p[j] - shape->middle[j]) / camera->unit;
        grz_extent_add(&extent, camera, right, at);
    }
    grz_camera_fit(camera, &extent, shape->middle);
    const grz_extent all = grz_framing_extent(c, camera, shape->middle, aspect);
    if (!among) {
        grz_camera_step_back(camera, &extent, &all, shape->middle);
        return;
    }
    camera->near = near_plane * camera->distance;
    camera->far = camera->distance + (all.high[2] - extent.low[2]) * camera->unit;
}

// The candidates for the closer view's side: two of a flat contact's face, the first view's, and those that it was
// chosen from.
static void turn_to_candidate(const grz_contact_shape *shape, const double up[3], const grz_camera *first,
                              int candidate, grz_camera *camera)
{
    if (candidate < 2)
        turn(shape, first, candidate == 1, camera);
    else if (candidate == 2)
        grz_camera_turn(camera, first->direction, first->up);
    else
        grz_framing_turn_to_side(camera, up, candidate - 3);
}

grz_status grz_inset_choose(grz_painter *painter, const grz_contact_shape *shape, const double up[3],
                            const grz_camera *first, double aspect, grz_painted_view *view)
{
    const int step = grz_framing_side_step(painter->contents);
    double most = 0.0, visible;
    int best = 0;
    assert(shape->any);
    grz_status status = GRZ_OK;
    for (int candidate = 0; candidate < 3 + GRZ_FRAMING_SIDES && status == GRZ_OK;
         candidate += candidate < 3 ? 1 : step) {
        turn_to_candidate(shape, up, first, candidate, &view->camera);
        fit(painter->contents, shape, aspect, false, &view->camera);
        status = grz_framing_visible(painter, &view->camera, &visible);
        const double score = grz_framing_score(painter->contents, shape, &view->camera, visible);
        if (score > most + 0.02) { // rather an earlier one
            most = score;
            best = candidate;
        }
    }
    turn_to_candidate(shape, up, first, most >= well ? best : 0, &view->camera);
    fit(painter->contents, shape, aspect, most < well, &view->camera);
    view->cut = -HUGE_VAL;
    if (most < well)
        view->cut = nearest_depth(painter->contents, &view->camera) - in_front * view->camera.unit;
    return status;
}
