// SPDX-License-Identifier: MIT
// Makes slabs for nodes that are nearly flat: two planes across the mean normal of everything below the node, and a
// radius around that normal. A box along the tree's axes is thick if the surface lies at an angle to them; a slab stays
// thin. A leaf's slab is made from its triangles, another node's from the slabs of its children. Slabs are made once a
// tree has been walked enough to pay for them, and a refit releases them. docs/internals/bvh.md ("Slabs") derives the
// margins.
#include "space/bvh/slabs.h"

#include <assert.h>
#include <math.h>

#include "base/control.h"
#include "base/device.h"
#include "base/lanes.h"
#include "space/bvh/bvh_parts.h"

enum {
    BLOCK = 1 << 10,       // nodes of a task, and between two checks of the control
    OPENINGS_PER_NODE = 4, // slabs are made after so many openings of pairs for each node
    LANES = 4
};

// The largest `half` of a slab, as a part of its radius. A thicker slab separates hardly more than the box does. Found
// by experiment.
static const float FLAT = 0.25f;
static const float ROUNDING = 0x1p-20f;     // rounding of lengths, and of squares of lengths
static const double MARGIN = 0x1p-22;       // rounding of a centre to floats, relative to the largest tree coordinate
static const float LEAST_NORMAL = 0x1p-60f; // shortest sum of normals; the squares of shorter ones could underflow

// What lies below a node: triangles, and the slabs of children. Coordinates are tree coordinates relative to the middle
// of the node's box.
typedef struct grz_parts {
    float corners[3][3][GRZ_BVH_WIDTH]; // indexed by corner, axis, triangle; unused places hold degenerate triangles
    float areas[3][GRZ_BVH_WIDTH];      // normals: of a triangle, its length is twice the area; of a slab, its radius
                                        // squared
    const grz_bvh_slab *slabs[GRZ_BVH_WIDTH];
    int triangle_count, slab_count;
} grz_parts;

typedef struct grz_fitting {
    grz_bvh *bvh;
    const grz_mesh *mesh;
    grz_control *control;
    grz_bvh_slab *slabs;
    double origin[4]; // origin of the tree's coordinates, and 0
} grz_fitting;

static float dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static float larger(float a, float b)
{
    return a > b ? a : b;
}

static float smaller(float a, float b)
{
    return a < b ? a : b;
}

static float root(float square)
{
    return square > 0.0f ? sqrtf(square) : 0.0f;
}

static void add_triangle(const grz_fitting *fitting, uint32_t triangle, grz_f64x4 middle, grz_parts *parts)
{
    const grz_f64x4 origin = grz_f64x4_load(fitting->origin), scale = grz_f64x4_splat(fitting->bvh->scale);
    const uint32_t *vertex = fitting->mesh->triangles + (size_t)triangle * 3;
    assert(parts->triangle_count < GRZ_BVH_WIDTH && triangle < fitting->mesh->triangle_count);
    const int i = parts->triangle_count++;
    for (int corner = 0; corner < 3; corner++) {
        const double *position = grz_mesh_position(fitting->mesh, vertex[corner]);
        grz_f64x4 p = grz_f64x4_multiply(grz_f64x4_subtract(grz_f64x4_load(position), origin), scale);
        float coordinates[4];
        if (fitting->bvh->turned) {
            double turned[4];
            grz_bvh_turned_position(fitting->bvh, position, turned);
            p = grz_f64x4_load(turned);
        }
        grz_f32x4_store(coordinates, grz_f64x4_to_f32x4(grz_f64x4_subtract(p, middle)));
        for (int axis = 0; axis < 3; axis++)
            parts->corners[corner][axis][i] = coordinates[axis];
    }
}

// Compute the triangles' normals, four at a time.
static void find_areas(grz_parts *parts)
{
    for (int first = 0; first < GRZ_BVH_WIDTH; first += LANES) {
        grz_f32x4 u[3], v[3];
        for (int axis = 0; axis < 3; axis++) {
            const grz_f32x4 p = grz_f32x4_load(&parts->corners[0][axis][first]);
            u[axis] = grz_f32x4_subtract(grz_f32x4_load(&parts->corners[1][axis][first]), p);
            v[axis] = grz_f32x4_subtract(grz_f32x4_load(&parts->corners[2][axis][first]), p);
        }
        for (int axis = 0; axis < 3; axis++) {
            const int j = (axis + 1) % 3, k = (axis + 2) % 3;
            grz_f32x4_store(&parts->areas[axis][first],
                            grz_f32x4_subtract(grz_f32x4_multiply(u[j], v[k]), grz_f32x4_multiply(u[k], v[j])));
        }
    }
}

// Collect what lies below a node. False if a child has no slab.
static bool collect(const grz_fitting *fitting, const grz_bvh_node *node, const double middle[4], grz_parts *parts)
{
    const grz_f64x4 from = grz_f64x4_load(middle);
    parts->triangle_count = parts->slab_count = 0;
    for (int i = 0; i < GRZ_BVH_WIDTH && node->child[i] != GRZ_BVH_NONE; i++) {
        if (grz_bvh_is_triangle(node->child[i]))
            add_triangle(fitting, grz_bvh_triangle(node->child[i]), from, parts);
        else if (fitting->slabs[node->child[i]].half < HUGE_VALF)
            parts->slabs[parts->slab_count++] = &fitting->slabs[node->child[i]];
        else
            return false;
    }
    for (int i = parts->triangle_count; i < GRZ_BVH_WIDTH; i++)
        for (int axis = 0; axis < 3; axis++) {
            const float at = i > 0 ? parts->corners[0][axis][i - 1] : 0.0f;
            parts->corners[0][axis][i] = parts->corners[1][axis][i] = parts->corners[2][axis][i] = at;
        }
    find_areas(parts);
    assert(parts->triangle_count + parts->slab_count <= GRZ_BVH_WIDTH);
    for (int i = 0; i < parts->slab_count; i++)
        for (int axis = 0; axis < 3; axis++)
            parts->areas[axis][parts->triangle_count + i] =
                parts->slabs[i]->normal[axis] * parts->slabs[i]->radius * parts->slabs[i]->radius;
    return true;
}

// The mean normal of the parts, of length 1. Each normal is turned to the side of the largest one, so the winding of
// faces does not matter. False if there is none.
static bool mean_normal(const grz_parts *parts, float normal[3])
{
    const float *x = parts->areas[0], *y = parts->areas[1], *z = parts->areas[2];
    float sum[3] = {0.0f, 0.0f, 0.0f}, square = 0.0f;
    int largest = 0;
    for (int i = 0; i < GRZ_BVH_WIDTH; i++) {
        const float own = x[i] * x[i] + y[i] * y[i] + z[i] * z[i];
        largest = own > square ? i : largest;
        square = larger(own, square);
    }
    for (int i = 0; i < GRZ_BVH_WIDTH; i++) {
        const float sign = x[i] * x[largest] + y[i] * y[largest] + z[i] * z[largest] < 0.0f ? -1.0f : 1.0f;
        sum[0] += sign * x[i];
        sum[1] += sign * y[i];
        sum[2] += sign * z[i];
    }
    const float length = sqrtf(dot(sum, sum));
    if (!(length > LEAST_NORMAL))
        return false;
    for (int axis = 0; axis < 3; axis++)
        normal[axis] = sum[axis] / length;
    return true;
}

// The extent of the parts: lowest and highest position along a normal, distance from the line through the middle along
// the normal, and distance from the middle.
typedef struct grz_extent {
    float low, high, across, distance;
} grz_extent;

// The extent of the triangles' corners; if there are none, of the middle.
static grz_extent corner_extent(const grz_parts *parts, const float normal[3])
{
    const grz_f32x4 nx = grz_f32x4_splat(normal[0]), ny = grz_f32x4_splat(normal[1]), nz = grz_f32x4_splat(normal[2]);
    const grz_f32x4 wider = grz_f32x4_splat(1.0f + ROUNDING);
    grz_f32x4 low = grz_f32x4_splat(HUGE_VALF), high = grz_f32x4_splat(-HUGE_VALF), across = grz_f32x4_splat(0.0f),
              distance = across;
    float lows[LANES], highs[LANES], squares[LANES], distances[LANES];
    for (int first = 0; first < GRZ_BVH_WIDTH; first += LANES)
        for (int corner = 0; corner < 3; corner++) {
            const grz_f32x4 x = grz_f32x4_load(&parts->corners[corner][0][first]),
                            y = grz_f32x4_load(&parts->corners[corner][1][first]);
            const grz_f32x4 z = grz_f32x4_load(&parts->corners[corner][2][first]);
            const grz_f32x4 at = grz_f32x4_add(grz_f32x4_add(grz_f32x4_multiply(nx, x), grz_f32x4_multiply(ny, y)),
                                               grz_f32x4_multiply(nz, z));
            const grz_f32x4 square = grz_f32x4_add(grz_f32x4_add(grz_f32x4_multiply(x, x), grz_f32x4_multiply(y, y)),
                                                   grz_f32x4_multiply(z, z));
            low = grz_f32x4_min(low, at);
            high = grz_f32x4_max(high, at);
            across = grz_f32x4_max(across,
                                   grz_f32x4_subtract(grz_f32x4_multiply(wider, square), grz_f32x4_multiply(at, at)));
            distance = grz_f32x4_max(distance, square);
        }
    grz_f32x4_store(lows, low);
    grz_f32x4_store(highs, high);
    grz_f32x4_store(squares, across);
    grz_f32x4_store(distances, distance);
    for (int i = 1; i < LANES; i++) {
        lows[0] = smaller(lows[i], lows[0]);
        highs[0] = larger(highs[i], highs[0]);
        squares[0] = larger(squares[i], squares[0]);
        distances[0] = larger(distances[i], distances[0]);
    }
    return (grz_extent){lows[0], highs[0], root(squares[0]), root(distances[0])};
}

// Enlarge the extent by a child's slab.
static void add_slab_extent(const grz_bvh_slab *slab, const double middle[3], const float normal[3], grz_extent *extent)
{
    float centre[3];
    for (int axis = 0; axis < 3; axis++)
        centre[axis] = (float)((double)slab->centre[axis] - middle[axis]);
    const float at = dot(normal, centre), along = dot(normal, slab->normal), square = dot(centre, centre);
    const float askew = root(1.0f + ROUNDING - along * along),
                half_extent = slab->half * fabsf(along) + slab->radius * askew;
    extent->low = smaller(at - half_extent, extent->low);
    extent->high = larger(at + half_extent, extent->high);
    extent->across =
        larger(root((1.0f + ROUNDING) * square - at * at) + slab->radius + slab->half * askew, extent->across);
    extent->distance = larger(root(square), extent->distance);
}

// The middle of a node's box, and 0 in the fourth place.
static void middle_of(const grz_bvh_node *node, double middle[4])
{
    middle[3] = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        float low[LANES], high[LANES];
        grz_f32x4_store(
            low, grz_f32x4_min(grz_f32x4_load(node->bounds[0][axis]), grz_f32x4_load(node->bounds[0][axis] + LANES)));
        grz_f32x4_store(
            high, grz_f32x4_max(grz_f32x4_load(node->bounds[1][axis]), grz_f32x4_load(node->bounds[1][axis] + LANES)));
        const double least = (double)smaller(smaller(low[0], low[1]), smaller(low[2], low[3]));
        const double most = (double)larger(larger(high[0], high[1]), larger(high[2], high[3]));
        middle[axis] = 0.5 * least + 0.5 * most;
    }
}

// Make the slab of node n from what lies below it.
static void fit_slab(const grz_fitting *fitting, uint32_t n)
{
    const grz_bvh_node *node = &fitting->bvh->nodes[n];
    const float margin = (float)(MARGIN * fitting->bvh->max_abs);
    grz_bvh_slab *slab = &fitting->slabs[n];
    double middle[4], shift = 0.0;
    grz_parts parts;
    slab->half = HUGE_VALF;
    middle_of(node, middle);
    if (!collect(fitting, node, middle, &parts) || !mean_normal(&parts, slab->normal))
        return;
    grz_extent extent = corner_extent(&parts, slab->normal);
    for (int i = 0; i < parts.slab_count; i++)
        add_slab_extent(parts.slabs[i], middle, slab->normal, &extent);
    for (int axis = 0; axis < 3; axis++) {
        const double normal = (double)slab->normal[axis];
        slab->centre[axis] = (float)(middle[axis] + normal * (0.5 * (double)extent.low + 0.5 * (double)extent.high));
        shift += normal * ((double)slab->centre[axis] - middle[axis]);
    }
    const float up = extent.high - (float)shift, down = (float)shift - extent.low, half = up > down ? up : down;
    assert(!(extent.low > extent.high));
    const float more = ROUNDING * (extent.distance + extent.across) + margin;
    slab->radius = extent.across + more;
    if (half + more <= FLAT * slab->radius)
        slab->half = half + more;
}

static uint32_t end_of(const grz_fitting *fitting, size_t block)
{
    const uint32_t first = (uint32_t)block * BLOCK, rest = fitting->bvh->node_count - first;
    return first + (rest < BLOCK ? rest : BLOCK);
}

static bool is_leaf(const grz_bvh_node *node)
{
    return grz_bvh_is_triangle(node->child[0]);
}

static void fit_leaves(size_t block, void *context)
{
    const grz_fitting *fitting = context;
    const uint32_t end = end_of(fitting, block);
    if (grz_control_expired(fitting->control))
        return;
    for (uint32_t n = (uint32_t)block * BLOCK; n < end; n++)
        if (is_leaf(&fitting->bvh->nodes[n]))
            fit_slab(fitting, n);
}

// Make all slabs: the leaves on the device's threads, then the other nodes on this thread, children first. False: the
// control says to end.
static bool fit_slabs(grz_fitting *fitting)
{
    const size_t blocks = (fitting->bvh->node_count - 1) / BLOCK + 1;
    grz_parallel(fitting->mesh->device, blocks, fit_leaves, fitting);
    for (size_t block = blocks; block-- > 0;) {
        if (grz_control_expired(fitting->control))
            return false;
        for (uint32_t n = end_of(fitting, block); n-- > (uint32_t)block * BLOCK;)
            if (!is_leaf(&fitting->bvh->nodes[n]))
                fit_slab(fitting, n);
    }
    return true;
}

const grz_bvh_slab *grz_bvh_slabs(const grz_bvh *shared, const grz_mesh *mesh, grz_control *control)
{
    // A slab is not part of a tree's value but something learnt about it, so a const tree may gain slabs. One thread
    // makes them; other threads go on without.
    grz_bvh *bvh = (grz_bvh *)shared;
    grz_bvh_slab *slabs = atomic_load_explicit(&bvh->slabs, memory_order_acquire);
    if (slabs != NULL ||
        atomic_load_explicit(&bvh->openings, memory_order_relaxed) / OPENINGS_PER_NODE < bvh->node_count ||
        atomic_exchange_explicit(&bvh->fitting, true, memory_order_acquire))
        return slabs;
    slabs = atomic_load_explicit(&bvh->slabs, memory_order_relaxed);
    if (slabs == NULL) {
        const grz_allocator *allocator = grz_control_allocator(control);
        grz_fitting fitting = {.bvh = bvh,
                               .mesh = mesh,
                               .control = control,
                               .origin = {bvh->origin[0], bvh->origin[1], bvh->origin[2], 0.0}};
        slabs = fitting.slabs = grz_allocate(allocator, bvh->node_count, sizeof *slabs);
        if (slabs != NULL && !fit_slabs(&fitting)) {
            grz_release(allocator, slabs, bvh->node_count, sizeof *slabs);
            slabs = NULL;
        }
        atomic_store_explicit(&bvh->slabs, slabs, memory_order_release);
        atomic_store_explicit(&bvh->openings, 0, memory_order_relaxed); // after a failure it is tried again, but not at
                                                                        // once
    }
    atomic_store_explicit(&bvh->fitting, false, memory_order_release);
    return slabs;
}

void grz_bvh_count_openings(const grz_bvh *bvh, uint64_t count)
{
    atomic_fetch_add_explicit(&((grz_bvh *)bvh)->openings, count, memory_order_relaxed);
}

void grz_bvh_forget_slabs(grz_bvh *bvh, const grz_allocator *allocator)
{
    grz_release(allocator, atomic_load_explicit(&bvh->slabs, memory_order_relaxed), bvh->node_count,
                sizeof(grz_bvh_slab));
    atomic_store_explicit(&bvh->slabs, NULL, memory_order_relaxed);
    atomic_store_explicit(&bvh->openings, 0, memory_order_relaxed);
}
