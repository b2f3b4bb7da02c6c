// SPDX-License-Identifier: MIT
// The side: some are tried in small, and the one that shows the most of the contact is taken, rather face-on than
// edge-on; without contact, the one from which no body is hidden. The lens: the tightest view of all vertices
// (camera.c).
#include "picture/framing.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "geometry/functions/functions.h"
#include "geometry/pose.h"
#include "mesh/mesh.h"

enum {
    AROUND = 8,            // sides tried around the vertical
    FEWER_TRIALS = 100000, // triangles from which on only every second side is tried
    FEW_TRIALS = 1000000,  // and only every fourth
    SITE_POINTS = 256      // of a site's segments' ends, that are looked at in a trial
};

// Views from above, from higher above, from below: the tangent of the eye's height, and how much such a view is
// preferred.
static const double heights[] = {0.45, 1.0, -0.35}, preference[] = {1.0, 0.97, 0.88};
_Static_assert(AROUND * sizeof heights / sizeof *heights == GRZ_FRAMING_SIDES, "a height for each round of sides");

static const double trial_depth = 0.04;   // of half the picture's height: what is hidden by less counts as seen
static const double filled = 0.97;        // of the picture, from side to side, by the bodies
static const double moves_in = 3.0;       // radii of the contact that a picture shows that moves in
static const double moves_in_most = 0.15; // radius of the least that a picture shows, over that of everything
static const double near_plane = 0.05;    // of a region, over the eye's distance: what is nearer is not drawn
static const double full = 0.5,
                    empty =
                        0.7; // share of the picture that bodies need not cover more of; the preference of an empty one
static const double edge_on = 0.35; // how much the share seen of a flat contact counts where it is seen from its side

grz_surroundings grz_framing_surroundings(const grz_picture_contents *contents)
{
    grz_surroundings all = {.radius = 0.0};
    grz_box box = grz_box_empty();
    double half[3], most = 0.0, square = 0.0;
    for (size_t i = 0; i < contents->count; i++) {
        const grz_object *object = contents->shown[i].object;
        if (object == NULL)
            continue;
        const grz_box part = grz_world_box(&object->pose, &object->mesh->bounds);
        grz_box_add_box(&box, &part);
    }
    for (int j = 0; j < 3; j++) {
        all.middle[j] = 0.5 * box.min[j] + 0.5 * box.max[j];
        half[j] = box.max[j] - all.middle[j];
        most = fmax(most, half[j]);
    }
    for (int j = 0; j < 3; j++)
        square += most > 0.0 ? (half[j] / most) * (half[j] / most) : 0.0;
    all.radius = most > 0.0 ? most * sqrt(square) : 1.0;
    assert(all.radius > 0.0);
    return all;
}

static void add_world_point(grz_extent *extent, const grz_camera *camera, const double right[3], const double middle[3],
                            const double world[3])
{
    double at[3];
    for (int j = 0; j < 3; j++)
        at[j] = (world[j] - middle[j]) / camera->unit;
    grz_extent_add(extent, camera, right, at);
}

static void add_box_corners(grz_extent *extent, const grz_camera *camera, const double right[3], const double middle[3],
                            const grz_object *object)
{
    const grz_box *box = &object->mesh->bounds;
    for (int i = 0; i < 8; i++) {
        const double corner[3] = {(i & 1) != 0 ? box->max[0] : box->min[0], (i & 2) != 0 ? box->max[1] : box->min[1],
                                  (i & 4) != 0 ? box->max[2] : box->min[2]};
        double world[3];
        grz_world_position(&object->pose, corner, world);
        add_world_point(extent, camera, right, middle, world);
    }
}

static void add_vertices(grz_extent *extent, const grz_camera *camera, const double right[3], const double middle[3],
                         const grz_object *object)
{
    for (uint32_t v = 0; v < object->mesh->vertex_count; v++) {
        double world[3];
        if (!grz_mesh_uses(object->mesh, v))
            continue;
        grz_world_position(&object->pose, grz_mesh_position(object->mesh, v), world);
        add_world_point(extent, camera, right, middle, world);
    }
}

// The extent of all objects and segments, by vertices and ends or, cheaper, by the corners of the objects' boxes.
static grz_extent extent_of_all(const grz_picture_contents *contents, const grz_camera *camera, const double middle[3],
                                double aspect, bool by_vertices)
{
    grz_extent extent = grz_extent_empty(aspect, filled);
    double right[3];
    grz_camera_right(camera, right);
    for (size_t i = 0; i < contents->count; i++)
        if (contents->shown[i].object != NULL)
            (by_vertices ? add_vertices : add_box_corners)(&extent, camera, right, middle, contents->shown[i].object);
    for (size_t i = 0; by_vertices && i < contents->ends.count; i++) // collision volumes may be larger than the objects
        add_world_point(&extent, camera, right, middle, contents->ends.items[i].at);
    return extent;
}

grz_extent grz_framing_extent(const grz_picture_contents *contents, const grz_camera *camera, const double middle[3],
                              double aspect)
{
    return extent_of_all(contents, camera, middle, aspect, false);
}

// Fit the camera to the caller's region. Only the depths that are drawn depend on the objects.
static void fit_region(const grz_picture_contents *contents, double aspect, grz_camera *camera)
{
    const grz_box *region = &contents->region;
    grz_extent extent = grz_extent_empty(aspect, 1.0);
    double right[3], middle[3], half[3];
    grz_camera_right(camera, right);
    camera->unit = 0.0;
    for (int j = 0; j < 3; j++) {
        middle[j] = 0.5 * region->min[j] + 0.5 * region->max[j];
        half[j] = region->max[j] - middle[j];
        camera->unit = grz_hypotenuse(camera->unit, half[j]);
    }
    for (int i = 0; i < 8; i++) {
        double corner[3];
        for (int j = 0; j < 3; j++)
            corner[j] = (i >> j & 1) != 0 ? region->max[j] : region->min[j];
        add_world_point(&extent, camera, right, middle, corner);
    }
    grz_camera_fit(camera, &extent, middle);
    const grz_extent all = extent_of_all(contents, camera, middle, aspect, false);
    const double eye = 0.5 * (extent.low[2] + extent.high[2]) - camera->distance / camera->unit;
    const double nearest = fmin(all.low[2], extent.low[2]) - eye, farthest = fmax(all.high[2], extent.high[2]) - eye;
    camera->near = fmax(0.98 * nearest * camera->unit, near_plane * camera->distance);
    camera->far = 1.02 * farthest * camera->unit;
}

// The extent of a ball.
static grz_extent extent_of_ball(const grz_camera *camera, const double middle[3], const double centre[3],
                                 double radius, double aspect)
{
    grz_extent extent = grz_extent_empty(aspect, 1.0);
    double right[3];
    grz_camera_right(camera, right);
    const double *axes[3] = {right, camera->up, camera->direction};
    for (int i = 0; i < 6; i++) {
        double at[3];
        for (int j = 0; j < 3; j++)
            at[j] = centre[j] + (i % 2 == 0 ? radius : -radius) * axes[i / 2][j];
        add_world_point(&extent, camera, right, middle, at);
    }
    return extent;
}

static void fit(const grz_picture_contents *contents, const grz_contact_shape *shape, bool whole, double aspect,
                bool by_vertices, grz_camera *camera)
{
    if (!grz_box_is_empty(&contents->region)) {
        fit_region(contents, aspect, camera);
        return;
    }
    const grz_surroundings around = grz_framing_surroundings(contents);
    camera->unit = around.radius;
    const grz_extent all = extent_of_all(contents, camera, around.middle, aspect, by_vertices);
    assert(all.low[2] <= all.high[2]); // some object has a mesh
    const double radius = fmax(moves_in * shape->radius, moves_in_most * around.radius);
    if (whole || !shape->any || radius >= around.radius) {
        grz_camera_fit(camera, &all, around.middle);
        return;
    }
    const grz_extent part = extent_of_ball(camera, around.middle, shape->middle, radius, aspect);
    grz_camera_fit(camera, &part, around.middle);
    grz_camera_step_back(camera, &part, &all, around.middle);
}

void grz_framing_fit(const grz_picture_contents *contents, const grz_contact_shape *shape, bool whole, double aspect,
                     grz_camera *camera)
{
    fit(contents, shape, whole, aspect, true, camera);
}

void grz_framing_to_pixels(const grz_camera *camera, const grz_rect *rect, double to_pixels[4][4])
{
    double clip[4][4];
    grz_camera_matrix(camera, clip);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++)
            clip[i][3] -= clip[i][j] * camera->target[j];
    for (int j = 0; j < 4; j++) {
        to_pixels[0][j] = 0.5 * rect->width * (clip[3][j] + clip[0][j]) + rect->x * clip[3][j];
        to_pixels[1][j] = 0.5 * rect->height * (clip[3][j] - clip[1][j]) + rect->y * clip[3][j];
        to_pixels[2][j] = clip[2][j];
        to_pixels[3][j] = clip[3][j];
    }
}

bool grz_framing_project(const double to_pixels[4][4], const double point[3], double pixel[2])
{
    double h[4];
    for (int i = 0; i < 4; i++) {
        const double *row = to_pixels[i];
        h[i] = ((row[0] * point[0] + row[1] * point[1]) + row[2] * point[2]) + row[3];
    }
    pixel[0] = h[0] / h[3];
    pixel[1] = h[1] / h[3];
    return h[3] > 0.0;
}

void grz_framing_columns(const grz_picture_contents *contents, const double to_pixels[4][4], double *low, double *high)
{
    for (size_t i = 0; i < contents->count; i++) {
        const grz_object *object = contents->shown[i].object;
        for (uint32_t v = 0; object != NULL && v < object->mesh->vertex_count; v++) {
            double world[3], pixel[2];
            if (!grz_mesh_uses(object->mesh, v))
                continue;
            grz_world_position(&object->pose, grz_mesh_position(object->mesh, v), world);
            if (!grz_framing_project(to_pixels, world, pixel))
                continue;
            *low = fmin(*low, pixel[0]);
            *high = fmax(*high, pixel[0]);
        }
    }
}

bool grz_framing_contact_box(const grz_picture_contents *contents, const double to_pixels[4][4], double low[2],
                             double high[2])
{
    const size_t count = contents->ends.count + contents->dots.count;
    low[0] = low[1] = HUGE_VAL;
    high[0] = high[1] = -HUGE_VAL;
    for (size_t i = 0; i < count; i++) {
        const double *at =
            i < contents->ends.count ? contents->ends.items[i].at : contents->dots.items[i - contents->ends.count].at;
        double pixel[2];
        if (!grz_framing_project(to_pixels, at, pixel))
            continue;
        for (int j = 0; j < 2; j++) {
            low[j] = fmin(low[j], pixel[j]);
            high[j] = fmax(high[j], pixel[j]);
        }
    }
    return low[0] <= high[0];
}

// Whether a point is seen in a trial.
static bool is_seen(const double clip[4][4], const grz_camera *camera, const float *depths, const double point[3])
{
    const double nearer = trial_depth * camera->slope[1] * camera->distance;
    double h[4];
    for (int row = 0; row < 4; row++) {
        h[row] = clip[row][3];
        for (int j = 0; j < 3; j++)
            h[row] += clip[row][j] * (point[j] - camera->target[j] - nearer * camera->direction[j]);
    }
    const double x = (h[0] / h[3] * 0.5 + 0.5) * GRZ_TRIAL_WIDTH, y = (h[1] / h[3] * 0.5 + 0.5) * GRZ_TRIAL_HEIGHT;
    return h[3] > 0.0 && x >= 0.0 && x < GRZ_TRIAL_WIDTH && y >= 0.0 && y < GRZ_TRIAL_HEIGHT &&
           h[2] / h[3] <= (double)depths[(size_t)y * GRZ_TRIAL_WIDTH + (size_t)x];
}

// The share of the contact that is seen in a trial. Each site counts the same.
static double share_seen(const grz_picture_contents *contents, const grz_camera *camera, const float *depths)
{
    double clip[4][4], sum = 0.0;
    size_t sites = 0;
    grz_camera_matrix(camera, clip);
    for (size_t i = 0; i < contents->sites.count; i++) {
        const grz_picture_site *site = &contents->sites.items[i];
        assert(site->first_end + site->end_count <= contents->ends.count);
        assert(site->first_dot + site->dot_count <= contents->dots.count);
        const size_t count = site->end_count + site->dot_count, step = count / SITE_POINTS + 1;
        size_t seen = 0, asked = 0;
        for (size_t k = 0; k < count; k += step, asked++) {
            const double *at = k < site->end_count ? contents->ends.items[site->first_end + k].at
                                                   : contents->dots.items[site->first_dot + k - site->end_count].at;
            seen += is_seen(clip, camera, depths, at);
        }
        sum += asked > 0 ? (double)seen / (double)asked : 0.0;
        sites += asked > 0;
    }
    return sites > 0 ? sum / (double)sites : 0.0;
}

// The share that is seen of the body that is hidden the most, by its vertices. Glass is looked through.
static double share_of_bodies(const grz_picture_contents *contents, const grz_camera *camera, const float *depths)
{
    double clip[4][4], least = 1.0;
    grz_camera_matrix(camera, clip);
    for (size_t i = 0; i < contents->count; i++) {
        const grz_object *object = contents->shown[i].object;
        const uint32_t step = object != NULL ? object->mesh->vertex_count / SITE_POINTS + 1 : 1;
        size_t seen = 0, asked = 0;
        for (uint32_t v = 0; object != NULL && !contents->shown[i].glass && v < object->mesh->vertex_count; v += step) {
            double world[3];
            if (!grz_mesh_uses(object->mesh, v))
                continue;
            grz_world_position(&object->pose, grz_mesh_position(object->mesh, v), world);
            seen += is_seen(clip, camera, depths, world);
            asked++;
        }
        if (asked > 0)
            least = fmin(least, (double)seen / (double)asked);
    }
    return least;
}

// How much a side is preferred for how much of the picture the bodies cover.
static double fullness(const float *depths)
{
    const size_t count = (size_t)GRZ_TRIAL_WIDTH * GRZ_TRIAL_HEIGHT;
    size_t covered = 0;
    for (size_t i = 0; i < count; i++)
        covered += depths[i] < 1.0f;
    return empty + (1.0 - empty) * fmin((double)covered / (full * (double)count), 1.0);
}

void grz_framing_turn_to_side(grz_camera *camera, const double up[3], int side)
{
    assert(side >= 0 && side < GRZ_FRAMING_SIDES);
    const double turn = 6.283185307179586 * (0.1 + (double)(side % AROUND) / AROUND), height = heights[side / AROUND];
    const int most = fabs(up[0]) >= fabs(up[1]) && fabs(up[0]) >= fabs(up[2]) ? 0 : fabs(up[1]) >= fabs(up[2]) ? 1 : 2;
    const int first = (most + 1) % 3, second = (most + 2) % 3;
    double direction[3];
    direction[first] = -grz_cosine(turn);
    direction[second] = -grz_sine(turn);
    direction[most] = up[most] > 0.0 ? -height : height;
    grz_camera_turn(camera, direction, up);
}

int grz_framing_side_step(const grz_picture_contents *contents)
{
    uint64_t triangles = 0;
    for (size_t i = 0; i < contents->count; i++)
        if (contents->shown[i].object != NULL)
            triangles += contents->shown[i].object->mesh->triangle_count;
    return triangles >= FEW_TRIALS ? 4 : triangles >= FEWER_TRIALS ? 2 : 1;
}

double grz_framing_score(const grz_picture_contents *contents, const grz_contact_shape *shape, const grz_camera *camera,
                         double visible)
{
    const double *n = shape->axes[2], *d = camera->direction;
    assert(visible >= 0.0 && visible <= 1.0);
    if (contents->sites.count != 1 || !grz_contact_is_flat(shape))
        return visible;
    return visible * (edge_on + (1.0 - edge_on) * fabs((n[0] * d[0] + n[1] * d[1]) + n[2] * d[2]));
}

static grz_status try_sides(grz_painter *painter, const double up[3], const grz_contact_shape *shape, bool whole,
                            double aspect, float *depths, grz_camera *camera)
{
    const grz_picture_contents *contents = painter->contents;
    const int step = grz_framing_side_step(contents);
    grz_status status = GRZ_OK;
    double most = -1.0;
    int best = 0;
    for (int side = 0; side < GRZ_FRAMING_SIDES && status == GRZ_OK; side += step) {
        grz_framing_turn_to_side(camera, up, side);
        fit(contents, shape, whole, aspect, false, camera);
        status = grz_painter_depths(painter, camera, depths);
        if (status != GRZ_OK)
            break;
        const double seen = (shape->any ? share_seen : share_of_bodies)(contents, camera, depths);
        const double score =
            grz_framing_score(contents, shape, camera, seen) * preference[side / AROUND] * fullness(depths);
        if (score > most + 0.02) { // rather an earlier one
            most = score;
            best = side;
        }
    }
    grz_framing_turn_to_side(camera, up, best);
    return status;
}

static float *allocate_depths(const grz_painter *painter)
{
    return grz_allocate(painter->contents->allocator, (size_t)GRZ_TRIAL_WIDTH * GRZ_TRIAL_HEIGHT, sizeof(float));
}

static void release_depths(const grz_painter *painter, float *depths)
{
    grz_release(painter->contents->allocator, depths, (size_t)GRZ_TRIAL_WIDTH * GRZ_TRIAL_HEIGHT, sizeof *depths);
}

grz_status grz_framing_choose_side(grz_painter *painter, const grz_picture_options *options,
                                   const grz_contact_shape *shape, bool whole, double aspect, grz_camera *camera)
{
    if (options->has_direction) {
        grz_camera_turn(camera, options->direction, options->up);
        return GRZ_OK;
    }
    float *depths = allocate_depths(painter);
    if (depths == NULL)
        return grz_fail(painter->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "picture: out of memory");
    const grz_status status = try_sides(painter, options->up, shape, whole, aspect, depths, camera);
    release_depths(painter, depths);
    return status;
}

grz_status grz_framing_visible(grz_painter *painter, const grz_camera *camera, double *visible)
{
    *visible = 0.0;
    if (painter->contents->ends.count + painter->contents->dots.count == 0)
        return GRZ_OK;
    float *depths = allocate_depths(painter);
    if (depths == NULL)
        return grz_fail(painter->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "picture: out of memory");
    const grz_status status = grz_painter_depths(painter, camera, depths);
    if (status == GRZ_OK)
        *visible = share_seen(painter->contents, camera, depths);
    release_depths(painter, depths);
    return status;
}
