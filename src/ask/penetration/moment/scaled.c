// SPDX-License-Identifier: MIT
// The solids keep their shape when all positions are multiplied by one number. So they are copied, multiplied by the
// denominator of the time and by a power of two, and classified as any two objects at rest.
#include "ask/penetration/moment/scaled.h"

#include <math.h>
#include <string.h>

#include "ask/penetration/moment/moment.h"
#include "ask/solids_overlap.h"
#include "base/call.h"
#include "geometry/pose.h"
#include "mesh/mesh.h"

enum {
    DIGITS = 53 // of a double
};

typedef struct scaling {
    const grz_moment *moment;
    int shift;          // that makes all coordinates integers
    grz_integer way[3]; // of A
    int down;           // the products are divided by 2^down
} scaling;

static int zeros_below(const grz_integer *x)
{
    int limb = 0;
    while (limb < x->count && x->limb[limb] == 0)
        limb++;
    return limb == x->count ? 0 : 32 * limb + __builtin_ctz(x->limb[limb]);
}

// True if x / 2^down is a double, and not so small that differences of such numbers may underflow.
static bool to_double(const grz_integer *x, int down, double *out)
{
    const int bits = grz_integer_bits(x), zeros = zeros_below(x);
    if (bits - zeros > DIGITS || (x->sign != 0 && zeros - down < -1000))
        return false;
    *out = 0.0;
    for (int i = x->count - 1; i >= 0; i--)
        *out += ldexp((double)x->limb[i], 32 * i - down);
    *out *= x->sign;
    return true;
}

// The positions of one object. False: one is no double.
static bool scale_positions(const scaling *s, const grz_object *object, bool moves, double *positions)
{
    const grz_mesh *mesh = object->mesh;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        double at[3];
        grz_world_position(&object->pose, grz_mesh_position(mesh, v), at);
        for (int k = 0; k < 3; k++) {
            grz_integer coordinate, product, moved;
            grz_integer_from_double(at[k], s->shift, &coordinate);
            grz_integer_multiply(&coordinate, &s->moment->denominator, &product);
            if (moves)
                grz_integer_add(&product, &s->way[k], 1, &moved);
            if (!to_double(moves ? &moved : &product, s->down, positions + 3 * (size_t)v + k))
                return false;
        }
    }
    return true;
}

// The least shift that makes all coordinates of an object integers.
static int shift_of(const grz_object *object, int shift)
{
    for (uint32_t v = 0; v < object->mesh->vertex_count; v++) {
        double at[3];
        grz_world_position(&object->pose, grz_mesh_position(object->mesh, v), at);
        const double *const point = at;
        const int own = grz_integer_common_shift(&point, 1, 3);
        shift = own > shift ? own : shift;
    }
    return shift;
}

// False: the numbers are too long.
static bool set_scaling(scaling *s, const grz_moment *moment)
{
    const grz_path *path = moment->path;
    const int least = path->motion.shift - moment->exponent;
    int exponent;
    s->moment = moment;
    s->shift = shift_of(path->b, shift_of(path->a, least));
    frexp(moment->most, &exponent);
    const int bits = exponent + s->shift + grz_integer_bits(&moment->denominator) + 2;
    if (bits > 32 * GRZ_MOMENT_LIMBS)
        return false;
    s->down = bits;
    for (int k = 0; k < 3; k++) {
        if (grz_integer_bits(&moment->way[k]) + s->shift - least > 32 * GRZ_MOMENT_LIMBS)
            return false;
        grz_integer_shift_left(&moment->way[k], s->shift - least, &s->way[k]);
    }
    return true;
}

// A mesh of an object's triangles. *mesh stays NULL if a position is no double.
static grz_status copy(grz_move_call *call, const scaling *s, const grz_object *object, bool moves, grz_mesh **mesh)
{
    const grz_allocator *allocator = grz_control_allocator(&call->frame.control);
    const grz_mesh *of = object->mesh;
    double *positions = grz_allocate(allocator, 3 * (size_t)of->vertex_count, sizeof *positions);
    if (positions == NULL)
        return grz_call_explain(&call->frame, GRZ_ERROR_MEMORY);
    grz_status status = GRZ_OK;
    if (scale_positions(s, object, moves, positions)) {
        grz_mesh_description description = grz_mesh_description_from_triangles(positions, GRZ_FLOAT64, of->vertex_count,
                                                                               of->triangles, of->triangle_count);
        description.limits = grz_control_limits_left(&call->frame.control);
        status = grz_mesh_create(call->frame.device, &description, mesh, call->frame.error);
    }
    grz_release(allocator, positions, 3 * (size_t)of->vertex_count, sizeof *positions);
    return status;
}

static grz_status classify(grz_move_call *call, const grz_mesh *a, const grz_mesh *b, grz_overlap *overlap)
{
    const grz_object at_a = grz_object_at_origin(a), at_b = grz_object_at_origin(b);
    grz_result *result = NULL;
    const grz_status status = grz_move_ask(call, &at_a, &at_b, GRZ_FIND_SOLIDS, &result);
    if (status == GRZ_OK) {
        const grz_solids solids = grz_result_summary(result)->solids;
        *overlap = solids == GRZ_SOLIDS_UNDECIDABLE ? GRZ_OVERLAP_UNKNOWN
                   : grz_solids_overlap(solids)     ? GRZ_OVERLAP_YES
                                                    : GRZ_OVERLAP_NO;
    }
    grz_result_destroy(result);
    return status;
}

grz_status grz_overlap_of_scaled(grz_move_call *call, const grz_path *path, const grz_instant *when,
                                 grz_overlap *overlap)
{
    grz_moment moment;
    scaling s;
    grz_mesh *a = NULL, *b = NULL;
    *overlap = GRZ_OVERLAP_UNKNOWN;
    grz_moment_set(&moment, path, when);
    if (!set_scaling(&s, &moment))
        return GRZ_OK;
    grz_status status = copy(call, &s, path->a, true, &a);
    if (status == GRZ_OK && a != NULL)
        status = copy(call, &s, path->b, false, &b);
    if (status == GRZ_OK && b != NULL)
        status = classify(call, a, b, overlap);
    grz_mesh_destroy(a);
    grz_mesh_destroy(b);
    return status;
}
