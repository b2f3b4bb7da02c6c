// SPDX-License-Identifier: MIT
// The walk of a ray through a packed tree. The ray enters and leaves a slab at numbers that are linear in the byte of
// its plane, with factors that are the same for all eight children.
#include <math.h>

#include "ask/pick/packed/packed.h"
#include "base/lanes_bytes.h"

// ---- The map --------------------------------------------------------------------------------------------------------

static inline double sum_of(grz_f64x4 x)
{
    double lanes[4];
    grz_f64x4_store(lanes, x);
    return (lanes[0] + lanes[1]) + lanes[2];
}

static inline double largest_of(grz_f64x4 x)
{
    double lanes[4];
    grz_f64x4_store(lanes, grz_f64x4_abs(x));
    const double larger = lanes[0] > lanes[1] ? lanes[0] : lanes[1];
    return larger > lanes[2] ? larger : lanes[2];
}

static inline grz_f64x4 scaled(grz_f64x4 x, double factor)
{
    return grz_f64x4_multiply(x, grz_f64x4_splat(factor));
}

static inline grz_f64x4 along_axes(const grz_packed_frame *frame, const double v[3])
{
    grz_f64x4 sum = scaled(grz_f64x4_load(frame->columns[0]), v[0] * frame->scale);
    for (int k = 1; k < 3; k++)
        sum = grz_f64x4_add(sum, scaled(grz_f64x4_load(frame->columns[k]), v[k] * frame->scale));
    return sum;
}

// A float that is at most x.
static inline void store_down(float to[4], grz_f64x4 x)
{
    const grz_f64x4 less =
        grz_f64x4_add(scaled(grz_f64x4_abs(x), GRZ_RAY_TO_FLOAT), grz_f64x4_splat(GRZ_RAY_FLOAT_UNDERFLOW));
    grz_f32x4_store(to, grz_f64x4_to_f32x4(grz_f64x4_subtract(x, less)));
}

// The numbers of grz_ray_map_set(), all axes at once (docs/use/pick.md, "Boxes").
static bool set_map(grz_packed_walk *walk, grz_ray_map *map, const grz_packed_frame *frame, const grz_line *line)
{
    double offset[3], size = frame->size;
    for (int k = 0; k < 3; k++) {
        offset[k] = line->origin[k] - frame->middle[k];
        size += fabs(line->origin[k]) * frame->scale;
    }
    grz_f64x4 at = along_axes(frame, offset), way = along_axes(frame, line->direction);
    map->exponent = 0; // other directions go through the tree that is not packed
    map->speed = largest_of(way);
    if (!(map->speed > GRZ_RAY_SLOWEST && map->speed < GRZ_RAY_LARGEST && size < GRZ_RAY_LARGEST))
        return false;
    // The place of the line that is nearest to the frame's origin.
    map->start = -sum_of(grz_f64x4_multiply(at, way)) / sum_of(grz_f64x4_multiply(way, way));
    size += 4.0 * fabs(map->start) * map->speed;
    at = grz_f64x4_add(at, scaled(way, map->start));
    const double farthest = largest_of(at),
                 margin = GRZ_RAY_DOUBLE_ERROR * size +
                          (farthest + GRZ_RAY_BOX_REACH) * (2.0 * GRZ_RAY_LEAST_SHARE + GRZ_RAY_DOUBLE_ERROR);
    const grz_f64x4 zero = grz_f64x4_splat(0.0), least = grz_f64x4_splat(GRZ_RAY_LEAST_SHARE * map->speed),
                    signed_least = grz_f64x4_if_greater(zero, way, grz_f64x4_subtract(zero, least), least),
                    share = grz_f64x4_if_greater(least, grz_f64x4_abs(way), signed_least, way),
                    inverse = grz_f64x4_divide(grz_f64x4_splat(map->speed), share),
                    place = grz_f64x4_multiply(grz_f64x4_subtract(grz_f64x4_load(frame->shift), at), inverse),
                    wide = grz_f64x4_multiply(grz_f64x4_add(grz_f64x4_load(frame->margin), grz_f64x4_splat(margin)),
                                              grz_f64x4_abs(inverse)),
                    m = grz_f64x4_multiply(grz_f64x4_load(frame->factor), inverse),
                    sum = grz_f64x4_add(grz_f64x4_add(grz_f64x4_abs(place), wide),
                                        scaled(grz_f64x4_abs(m), frame->reach)),
                    slack = grz_f64x4_add(wide, scaled(sum, GRZ_RAY_FLOAT_ERROR));
    if (!(farthest < GRZ_RAY_FARTHEST && largest_of(sum) < GRZ_RAY_MOST_SUM))
        return false;
    grz_f32x4_store(walk->m, grz_f64x4_to_f32x4(m));
    store_down(walk->enter, grz_f64x4_subtract(place, slack));
    store_down(walk->leave, grz_f64x4_subtract(grz_f64x4_subtract(zero, place), slack));
    return true;
}

static bool begin(grz_packed_walk *walk, grz_ray_map *map, const grz_packed_frame *frame, const grz_line *line,
                  double from, double to)
{
    if (!set_map(walk, map, frame, line))
        return false;
    grz_ray_map_set_ends(map, from, to);
    for (int k = 0; k < 3; k++) {
        const bool back = walk->m[k] < 0.0f;
        walk->near[k] = (uint8_t)((back ? 3 + k : k) * GRZ_BVH_WIDTH);
        walk->far[k] = (uint8_t)((back ? k : 3 + k) * GRZ_BVH_WIDTH);
    }
    walk->from = map->from;
    walk->limit = map->to;
    walk->depth = 1;
    walk->stack[0] = (grz_pick_waiting){.enter = map->from, .child = 0};
    for (int k = 0; k < 3; k++)
        walk->stack[0].origin[k] = walk->tree->origin[k];
    return true;
}

// ---- Nodes ----------------------------------------------------------------------------------------------------------

static inline grz_f32x8 times(float factor, const uint8_t *bytes)
{
    return grz_f32x8_multiply(grz_f32x8_splat(factor), grz_f32x8_of_bytes(bytes));
}

static inline void put(grz_pick_waiting *to, const grz_packed_node *node, uint32_t i, float enter,
                       const float origins[3][GRZ_BVH_WIDTH])
{
    to->enter = enter;
    to->child = i + (i < node->nodes ? node->first_node : node->first_child);
    for (int k = 0; k < 3; k++)
        to->origin[k] = origins[k][i];
}

// Put the children of a node that the ray may meet on the stack, the first on top.
static inline void open_node(grz_packed_walk *walk, const grz_packed_node *node, const float origin[3])
{
    grz_f32x8 enter = grz_f32x8_splat(walk->from), leave = grz_f32x8_splat(-walk->limit);
    float enters[GRZ_BVH_WIDTH], origins[3][GRZ_BVH_WIDTH];
    const uint8_t *planes = node->planes[0][0];
    for (int k = 0; k < 3; k++) {
        const float at = walk->m[k] * origin[k], step = grz_packed_step(node->exponents[k]), way = walk->m[k] * step;
        enter = grz_f32x8_max(enter,
                              grz_f32x8_add(times(way, planes + walk->near[k]), grz_f32x8_splat(at + walk->enter[k])));
        leave = grz_f32x8_max(
            leave, grz_f32x8_subtract(grz_f32x8_splat(walk->leave[k] - at), times(way, planes + walk->far[k])));
        grz_f32x8_store(origins[k], grz_f32x8_add(times(step, node->planes[0][k]), grz_f32x8_splat(origin[k])));
    }
    grz_f32x8_store(enters, enter);
    uint32_t left =
        node->used & grz_mask8_bits(grz_f32x8_less_equal(enter, grz_f32x8_subtract(grz_f32x8_splat(0.0f), leave)));
    grz_pick_waiting *stack = walk->stack + walk->depth;
    size_t count = 0;
    for (; left != 0; left &= left - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(left);
        size_t at = count++;
        for (; at > 0 && stack[at - 1].enter < enters[i]; at--)
            stack[at] = stack[at - 1];
        put(&stack[at], node, i, enters[i], (const float(*)[GRZ_BVH_WIDTH])origins);
    }
    walk->depth += count;
}

// Prefetch what waits on top of the stack. False: it is at hand.
static inline bool prefetch_top(const grz_packed_walk *walk)
{
    if (walk->depth == 0)
        return false;
    const uint32_t child = walk->stack[walk->depth - 1].child;
    const char *last, *place = grz_packed_place(walk->tree, child, &last);
    GRZ_PREFETCH(place);
    GRZ_PREFETCH(last);
    return grz_packed_is_far(walk->tree, child);
}

static uint32_t next(grz_packed_walk *walk)
{
    for (;;) {
        while (walk->depth > 0 && walk->stack[walk->depth - 1].enter > walk->limit)
            walk->depth--;
        if (walk->depth == 0)
            return GRZ_PACKED_DONE;
        const grz_pick_waiting *top = &walk->stack[--walk->depth];
        const uint32_t child = top->child;
        if (grz_bvh_is_triangle(child)) {
            prefetch_top(walk);
            return grz_bvh_triangle(child);
        }
        const float origin[3] = {top->origin[0], top->origin[1], top->origin[2]};
        open_node(walk, &walk->tree->nodes[child], origin);
        if (prefetch_top(walk))
            return GRZ_PACKED_LATER;
    }
}

const grz_packed_steps GRZ_OF_WIDTH(grz_packed_steps_of) = {begin, next};
