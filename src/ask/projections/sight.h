// SPDX-License-Identifier: MIT
// Lines of sight along one direction: what the height map of a part takes for solid on the line through a point, and
// where the object's next surfaces are.
#ifndef GRZ_ASK_PROJECTIONS_SIGHT_H
#define GRZ_ASK_PROJECTIONS_SIGHT_H

#include <graze/heightmap.h>

#include "ask/projections/model.h"

// One pose seen along a direction: its triangles, sorted into square bins across the direction.
typedef struct grz_sight_view {
    const grz_allocator *allocator;
    const grz_sight_triangle *triangles; // of the model
    double axes[3][3];                   // right, up, along
    size_t triangle_count;
    double (*corners)[3][3]; // triangle_count: corners along these axes
    double low[2], step[2];  // of the bins
    uint32_t side;           // bins along each axis
    uint32_t *starts;        // side² + 1: where a bin's list begins
    uint32_t *items;         // triangles, bin after bin
    size_t item_count;
} grz_sight_view;

// A line of sight through a point. Distances from the point, positive along the direction.
typedef struct grz_sight_line {
    double above, below; // the next surface of the object, caps apart: HUGE_VAL and -HUGE_VAL if there is none
    double top, bottom;  // of what the part's map takes for solid, caps included; -HUGE_VAL and HUGE_VAL if nothing
} grz_sight_line;

// The depths of a part along a direction, and the depth that counts as solid together with its surfaces: none, its
// middle or its rear.
typedef struct grz_sight_anchor {
    double low, high; // of the part's triangles
    bool has_depth;
    double depth;
} grz_sight_anchor;

// The model is borrowed for the life of the view. Returns GRZ_OK, GRZ_ERROR_MEMORY, or the control's status.
// Finish the view in any case.
grz_status grz_sight_view_init(grz_sight_view *view, const grz_sight_surface *surface, const grz_sight_model *model,
                               uint32_t pose, const double direction[3], grz_control *control);
void grz_sight_view_finish(grz_sight_view *view);

// The anchors of parts 0 to count - 1.
void grz_sight_anchors(const grz_sight_view *view, grz_projection projection, uint32_t count,
                       grz_sight_anchor *anchors);

grz_sight_line grz_sight_line_through(const grz_sight_view *view, const double point[3], uint32_t part,
                                      const grz_sight_anchor *anchor);

// How deep a map takes empty space for solid in front of a point at a surface: 0 if it does not, else the distance to
// the next surface, or to the end of what is solid. For a line in the plane of the surface, and for points without a
// surface (normal 0), it is the length of the gap.
double grz_sight_depth(const grz_sight_line *line, const double normal[3], const double along[3]);

// Whether, for each point of a triangle beside the surface, that depth is proved to be at most `tolerance`. Points
// whose areas are 0 together do not count.
bool grz_sight_proves(const grz_sight_view *view, double triangle[3][3], const double normal[3], uint32_t part,
                      const grz_sight_anchor *anchor, double tolerance);

#endif
