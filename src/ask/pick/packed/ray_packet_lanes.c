// SPDX-License-Identifier: MIT
// The walk of a packet. Rays lie side by side; each child's planes are the same for all of them. The child that the
// first of its rays enters first is looked at first.
#include <math.h>

#include "ask/pick/packed/ray_packet.h"
#include "base/lanes_bytes.h"

// ---- The map --------------------------------------------------------------------------------------------------------

enum {
    HALF = GRZ_PACKET_RAYS / 2 // rays at once
};

typedef grz_f64x4 number; // of each ray

static inline number plus(number a, number b)
{
    return grz_f64x4_add(a, b);
}

static inline number minus(number a, number b)
{
    return grz_f64x4_subtract(a, b);
}

static inline number times(number a, number b)
{
    return grz_f64x4_multiply(a, b);
}

static inline number splat(double x)
{
    return grz_f64x4_splat(x);
}

static inline number times_double(double factor, number x)
{
    return times(splat(factor), x);
}

// The coordinates of vectors along the axes of a frame.
static inline void turn(const grz_packed_frame *frame, const number v[3], number out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = times_double(frame->columns[0][i], v[0]);
        for (int k = 1; k < 3; k++)
            out[i] = plus(out[i], times_double(frame->columns[k][i], v[k]));
    }
}

static inline number largest_part(const number v[3])
{
    return grz_f64x4_max(grz_f64x4_max(grz_f64x4_abs(v[0]), grz_f64x4_abs(v[1])), grz_f64x4_abs(v[2]));
}

static inline number dot(const number a[3], const number b[3])
{
    return plus(plus(times(a[0], b[0]), times(a[1], b[1])), times(a[2], b[2]));
}

// Floats that are at most x.
static inline void store_down(float to[4], number x)
{
    const number less = plus(times_double(GRZ_RAY_TO_FLOAT, grz_f64x4_abs(x)), splat(GRZ_RAY_FLOAT_UNDERFLOW));
    grz_f32x4_store(to, grz_f64x4_to_f32x4(minus(x, less)));
}

// What axis i of the map is like. Returns the rays whose numbers stay in the range of floats.
static inline uint32_t set_axis(grz_packet *packet, const grz_packed_frame *frame, int i, uint32_t first, number at,
                                number way, number speed, number margin)
{
    const number zero = splat(0.0), least = times_double(GRZ_RAY_LEAST_SHARE, speed),
                 signed_least = grz_f64x4_if_greater(zero, way, minus(zero, least), least),
                 share = grz_f64x4_if_greater(least, grz_f64x4_abs(way), signed_least, way),
                 inverse = grz_f64x4_divide(speed, share), place = times(minus(splat(frame->shift[i]), at), inverse),
                 wide = times(plus(splat(frame->margin[i]), margin), grz_f64x4_abs(inverse)),
                 m = times_double(frame->factor[i], inverse),
                 sum = plus(plus(grz_f64x4_abs(place), wide), times_double(frame->reach, grz_f64x4_abs(m))),
                 slack = plus(wide, times_double(GRZ_RAY_FLOAT_ERROR, sum));
    grz_f32x4_store(packet->m[i] + first, grz_f64x4_to_f32x4(m));
    store_down(packet->enter[i] + first, minus(place, slack));
    store_down(packet->leave[i] + first, minus(minus(zero, place), slack));
    return grz_f64x4_greater(splat(GRZ_RAY_MOST_SUM), sum);
}

// The numbers of grz_ray_map_set() for four rays (docs/use/pick.md, "Boxes"). Returns those whose numbers stay in
// range.
static inline uint32_t set_maps(grz_packet *packet, const grz_packed_frame *frame, grz_packet_rays *rays,
                                uint32_t first)
{
    number offset[3], along[3], at[3], way[3], size = splat(frame->size);
    for (int k = 0; k < 3; k++) {
        const number origin = grz_f64x4_load(rays->origin[k] + first);
        offset[k] = times_double(frame->scale, minus(origin, splat(frame->middle[k])));
        along[k] = times_double(frame->scale, grz_f64x4_load(rays->direction[k] + first));
        size = plus(size, times_double(frame->scale, grz_f64x4_abs(origin)));
    }
    turn(frame, offset, at);
    turn(frame, along, way);
    const number speed = largest_part(way),
                 // The place of the line that is nearest to the frame's origin.
        start = grz_f64x4_divide(minus(splat(0.0), dot(at, way)), dot(way, way));
    uint32_t good = grz_f64x4_greater(speed, splat(GRZ_RAY_SLOWEST)) &
                    grz_f64x4_greater(splat(GRZ_RAY_LARGEST), speed) & grz_f64x4_greater(splat(GRZ_RAY_LARGEST), size);
    size = plus(size, times(times_double(4.0, grz_f64x4_abs(start)), speed));
    for (int i = 0; i < 3; i++)
        at[i] = plus(at[i], times(way[i], start));
    const number farthest = largest_part(at),
                 margin = plus(times_double(GRZ_RAY_DOUBLE_ERROR, size),
                               times_double(2.0 * GRZ_RAY_LEAST_SHARE + GRZ_RAY_DOUBLE_ERROR,
                                            plus(farthest, splat(GRZ_RAY_BOX_REACH))));
    good &= grz_f64x4_greater(splat(GRZ_RAY_FARTHEST), farthest);
    for (int i = 0; i < 3; i++)
        good &= set_axis(packet, frame, i, first, at[i], way[i], speed, margin);
    grz_f64x4_store(rays->start + first, start);
    grz_f64x4_store(rays->speed + first, speed);
    return good;
}

static inline float least_of(const float x[GRZ_PACKET_RAYS])
{
    float lanes[4];
    grz_f32x4_store(lanes, grz_f32x4_min(grz_f32x4_load(x), grz_f32x4_load(x + HALF)));
    const float a = lanes[0] < lanes[1] ? lanes[0] : lanes[1], b = lanes[2] < lanes[3] ? lanes[2] : lanes[3];
    return a < b ? a : b;
}

static inline float largest_of(const float x[GRZ_PACKET_RAYS])
{
    float lanes[4];
    grz_f32x4_store(lanes, grz_f32x4_max(grz_f32x4_load(x), grz_f32x4_load(x + HALF)));
    const float a = lanes[0] > lanes[1] ? lanes[0] : lanes[1], b = lanes[2] > lanes[3] ? lanes[2] : lanes[3];
    return a > b ? a : b;
}

// The rays that go against axis k, and those of `good` that go as the first of them.
static inline uint32_t same_way(grz_packet *packet, int k, uint32_t good)
{
    uint32_t back = 0;
    for (uint32_t i = 0; i < GRZ_PACKET_RAYS; i++)
        back |= (uint32_t)(packet->m[k][i] < 0.0f) << i;
    packet->back[k] = (back >> __builtin_ctz(good) & 1) != 0;
    return good & (packet->back[k] ? back : ~back);
}

static uint32_t begin(grz_packet *packet, const grz_packed_tree *tree, const grz_packed_frame *frame,
                      grz_packet_rays *rays)
{
    packet->depth = 0;
    if (!frame->is_straight)
        return 0;
    uint32_t good = set_maps(packet, frame, rays, 0) | set_maps(packet, frame, rays, HALF) << HALF;
    for (int k = 0; k < 3 && good != 0; k++)
        good = same_way(packet, k, good);
    if (good == 0)
        return 0;
    const int first = __builtin_ctz(good);
    for (uint32_t i = 0; i < GRZ_PACKET_RAYS; i++) {
        packet->from[i] = packet->stack[0].enter[i] = HUGE_VALF; // rays that are not there
        packet->limit[i] = -HUGE_VALF;
        for (int k = 0; (good >> i & 1) == 0 && k < 3; k++) { // they shall not widen the bounds
            packet->m[k][i] = packet->m[k][first];
            packet->enter[k][i] = packet->enter[k][first];
            packet->leave[k][i] = packet->leave[k][first];
        }
    }
    for (int k = 0; k < 3; k++) {
        packet->least_m[k] = least_of(packet->m[k]);
        packet->most_m[k] = largest_of(packet->m[k]);
        packet->least_enter[k] = least_of(packet->enter[k]);
        packet->least_leave[k] = least_of(packet->leave[k]);
        packet->stack[0].origin[k] = tree->origin[k];
    }
    packet->tree = tree;
    packet->least_from = HUGE_VALF;
    packet->stack[0].child = packet->stack[0].rays = 0;
    packet->depth = 1;
    return good;
}

// ---- Nodes ----------------------------------------------------------------------------------------------------------

// The planes of a node's children, as floats.
typedef struct planes {
    float at[2][3][GRZ_BVH_WIDTH];
} planes;

static inline void unpack(const grz_packed_node *node, const float origin[3], planes *out)
{
    for (int k = 0; k < 3; k++) {
        const grz_f32x8 step = grz_f32x8_splat(grz_packed_step(node->exponents[k])), from = grz_f32x8_splat(origin[k]);
        for (int side = 0; side < 2; side++)
            grz_f32x8_store(out->at[side][k],
                            grz_f32x8_add(from, grz_f32x8_multiply(step, grz_f32x8_of_bytes(node->planes[side][k]))));
    }
}

// The larger of the two products in each lane.
static inline grz_f32x8 larger_product(float x, float y, grz_f32x8 with)
{
    return grz_f32x8_max(grz_f32x8_multiply(grz_f32x8_splat(x), with), grz_f32x8_multiply(grz_f32x8_splat(y), with));
}

// The children that any of the rays may meet. The bounds need no error of their own: a rounded product or sum does not
// shrink when one of its numbers grows, so that no child is left out that meet() would find.
static inline uint32_t meet_any(const grz_packet *packet, const grz_packed_node *node, const planes *p)
{
    grz_f32x8 enter = grz_f32x8_splat(packet->least_from), leave = grz_f32x8_splat(-largest_of(packet->limit));
    for (int k = 0; k < 3; k++) {
        const grz_f32x8 near = grz_f32x8_load(p->at[packet->back[k]][k]),
                        far = grz_f32x8_load(p->at[!packet->back[k]][k]),
                        before = larger_product(-packet->least_m[k], -packet->most_m[k], near),
                        after = larger_product(packet->least_m[k], packet->most_m[k], far);
        enter = grz_f32x8_max(enter, grz_f32x8_subtract(grz_f32x8_splat(packet->least_enter[k]), before));
        leave = grz_f32x8_max(leave, grz_f32x8_subtract(grz_f32x8_splat(packet->least_leave[k]), after));
    }
    return node->used & grz_mask8_bits(grz_f32x8_less_equal(enter, grz_f32x8_subtract(grz_f32x8_splat(0.0f), leave)));
}

// The rays that may meet a child, and where they enter its box.
static inline uint32_t meet(const grz_packet *packet, const planes *p, uint32_t i, float enters[GRZ_PACKET_RAYS])
{
    const grz_f32x8 zero = grz_f32x8_splat(0.0f);
    grz_f32x8 enter = grz_f32x8_load(packet->from), leave = grz_f32x8_subtract(zero, grz_f32x8_load(packet->limit));
    for (int k = 0; k < 3; k++) {
        const grz_f32x8 m = grz_f32x8_load(packet->m[k]),
                        near = grz_f32x8_multiply(m, grz_f32x8_splat(p->at[packet->back[k]][k][i])),
                        far = grz_f32x8_multiply(m, grz_f32x8_splat(p->at[!packet->back[k]][k][i]));
        enter = grz_f32x8_max(enter, grz_f32x8_add(near, grz_f32x8_load(packet->enter[k])));
        leave = grz_f32x8_max(leave, grz_f32x8_subtract(grz_f32x8_load(packet->leave[k]), far));
    }
    grz_f32x8_store(enters, enter);
    return grz_mask8_bits(grz_f32x8_less_equal(enter, grz_f32x8_subtract(zero, leave)));
}

static inline void open_node(grz_packet *packet, const grz_packed_node *node, const float origin[3], uint32_t active)
{
    float enters[GRZ_BVH_WIDTH][GRZ_PACKET_RAYS], key[GRZ_BVH_WIDTH];
    uint32_t rays[GRZ_BVH_WIDTH], order[GRZ_BVH_WIDTH], count = 0;
    planes p;
    unpack(node, origin, &p);
    for (uint32_t left = meet_any(packet, node, &p); left != 0; left &= left - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(left);
        rays[i] = meet(packet, &p, i, enters[i]) & active;
        if (rays[i] == 0)
            continue;
        key[i] = enters[i][__builtin_ctz(rays[i])];
        uint32_t at = count++;
        for (; at > 0 && key[order[at - 1]] < key[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t i = order[n];
        grz_packet_waiting *to = &packet->stack[packet->depth++];
        grz_f32x8_store(to->enter, grz_f32x8_load(enters[i]));
        to->child = i + (i < node->nodes ? node->first_node : node->first_child);
        to->rays = rays[i];
        const char *last, *place = grz_packed_place(packet->tree, to->child, &last);
        GRZ_PREFETCH(place);
        GRZ_PREFETCH(last);
        for (int k = 0; k < 3; k++)
            to->origin[k] = p.at[0][k][i];
    }
}

static bool next(grz_packet *packet, uint32_t *leaf, uint32_t *rays)
{
    while (packet->depth > 0) {
        const grz_packet_waiting *top = &packet->stack[--packet->depth];
        const uint32_t child = top->child,
                       active = top->rays & grz_mask8_bits(grz_f32x8_less_equal(grz_f32x8_load(top->enter),
                                                                                grz_f32x8_load(packet->limit)));
        if (active == 0)
            continue;
        if (grz_bvh_is_triangle(child)) {
            *leaf = grz_bvh_triangle(child);
            *rays = active;
            return true;
        }
        const float origin[3] = {top->origin[0], top->origin[1], top->origin[2]};
        open_node(packet, &packet->tree->nodes[child], origin, active);
    }
    return false;
}

const grz_packet_steps GRZ_OF_WIDTH(grz_packet_steps_of) = {begin, next};
