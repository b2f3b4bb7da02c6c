// SPDX-License-Identifier: MIT
// The triangles of an object, cut into parts by planes. Each part is closed by flat pieces in the cuts, its *caps*.
#ifndef GRZ_ASK_PROJECTIONS_MODEL_H
#define GRZ_ASK_PROJECTIONS_MODEL_H

#include "ask/projections/probed_surface.h"

#define GRZ_SIGHT_CAP UINT32_MAX // in place of a triangle of the mesh

// A vertex that a cut made: it divides the line between two earlier ones. So it follows them when the mesh deforms.
typedef struct grz_sight_vertex {
    uint32_t from, to;
    double share; // of the way
} grz_sight_vertex;

typedef struct grz_sight_triangle {
    uint32_t corners[3]; // vertices: of the mesh if below its vertex_count, else number - vertex_count of `vertices`
    uint32_t source;     // the triangle of the mesh that it is a piece of, or GRZ_SIGHT_CAP
    uint32_t part;
} grz_sight_triangle;

typedef struct grz_sight_model {
    const grz_mesh *mesh; // the first pose
    GRZ_ARRAY(grz_sight_vertex) vertices;
    GRZ_ARRAY(grz_sight_triangle) triangles;
    uint32_t part_count;
    size_t cell_count;
    uint32_t *cell_parts; // the part of each cell of the surface; of a cell that is cut, that of its middle
} grz_sight_model;

// One plane across an axis, in the frame, in the first pose.
typedef struct grz_sight_plane {
    int axis;
    double position;
} grz_sight_plane;

static inline size_t grz_sight_vertex_count(const grz_sight_model *model)
{
    return (size_t)model->mesh->vertex_count + model->vertices.count;
}

// The model of one part. Returns GRZ_OK or GRZ_ERROR_MEMORY; finish it in any case.
grz_status grz_sight_model_init(grz_sight_model *model, const grz_sight_surface *surface,
                                const grz_allocator *allocator);
void grz_sight_model_finish(grz_sight_model *model, const grz_allocator *allocator);

// Positions of all vertices at those of a mesh with the same faces; in the frame, or in mesh coordinates if it is NULL.
//
// positions  receives grz_sight_vertex_count() positions
void grz_sight_positions(const grz_sight_model *model, const grz_mesh *mesh, const grz_sight_frame *frame,
                         double (*positions)[3]);

// Copy a model with one of its parts cut in two; what lies beyond the plane becomes a new part, the last one.
//
// rule  says which pieces of the plane are inside of the object
// out   receives the copy; finish it in any case
// Returns GRZ_OK, GRZ_ERROR_MEMORY, or the control's status.
grz_status grz_sight_cut(const grz_sight_model *model, const grz_sight_surface *surface, uint32_t part,
                         grz_sight_plane plane, grz_inside_rule rule, grz_control *control, grz_sight_model *out);

#endif
