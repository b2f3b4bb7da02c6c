// SPDX-License-Identifier: MIT
// Builds a hierarchy from the top down: first over cells of triangles (bvh_cells.c), then over the triangles of each
// cell. The range of items with the largest box is cut in two at the cheapest place by the binned surface area
// heuristic, until the node has eight children. Where all centres coincide, or the tree grows too deep, ranges are
// halved by number.
// Sources: I. Wald, "On fast construction of SAH-based bounding volume hierarchies" (2007); I. Wald, C. Benthin, S.
// Boulos, "Getting rid of packets" (2008), for counting children in blocks of a node's width.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/control.h"
#include "space/bvh/bvh_parts.h"

enum {
    BINS = 16,
    MOST_ALONG_ONE_AXIS = 32, // so many items or fewer are cut along their longest axis only
    MOST_BUFFERED = 64,       // so many items or fewer are partitioned through a buffer
    // Deeper nodes are halved by number: at most 10 more levels of cells, and 10 of the triangles of one cell.
    HEURISTIC_DEPTH = 16,
    CHECK_INTERVAL = 1 << 15, // triangles between two checks of the control
};

// Where to cut a range: items whose bin along `axis` is less than `bin` go left.
typedef struct grz_cut {
    int axis; // -1: no cut
    int32_t bin;
    grz_f32x4 low, scale;
} grz_cut;

typedef struct grz_bin {
    grz_f32x4 min, max;
    uint32_t count;
} grz_bin;

// Count work, and from time to time report progress and check the control. True: the control says to end.
static bool must_end(grz_build *build, uint32_t count)
{
    build->work += count;
    if (build->work < build->look)
        return false;
    build->look = build->work + CHECK_INTERVAL;
    grz_control_report_progress(build->control, (double)build->placed / build->total);
    return grz_control_expired(build->control);
}

static grz_range empty_range(grz_item *items, bool of_cells)
{
    const grz_f32x4 least = grz_f32x4_splat(-HUGE_VALF), most = grz_f32x4_splat(HUGE_VALF);
    return (grz_range){
        .items = items, .of_cells = of_cells, .min = most, .max = least, .centre_min = most, .centre_max = least};
}

static void add_item(grz_range *range, const grz_item *item)
{
    const grz_f32x4 min = grz_f32x4_load(item->min), max = grz_f32x4_load(item->max), centre = grz_f32x4_add(min, max);
    range->min = grz_f32x4_min(range->min, min);
    range->max = grz_f32x4_max(range->max, max);
    range->centre_min = grz_f32x4_min(range->centre_min, centre);
    range->centre_max = grz_f32x4_max(range->centre_max, centre);
    range->item_count++;
    range->count += item->count;
}

// A range of `item_count` items.
static grz_range range_of(grz_item *items, bool of_cells, uint32_t item_count)
{
    grz_range range = empty_range(items, of_cells);
    grz_f32x4 low = range.min, high = range.max, centre_low = range.centre_min, centre_high = range.centre_max;
    uint32_t count = 0;
    for (uint32_t i = 0; i < item_count; i++) {
        const grz_f32x4 min = grz_f32x4_load(items[i].min), max = grz_f32x4_load(items[i].max),
                        centre = grz_f32x4_add(min, max);
        low = grz_f32x4_min(low, min);
        high = grz_f32x4_max(high, max);
        centre_low = grz_f32x4_min(centre_low, centre);
        centre_high = grz_f32x4_max(centre_high, centre);
        count += items[i].count;
    }
    range.min = low;
    range.max = high;
    range.centre_min = centre_low;
    range.centre_max = centre_high;
    range.item_count = item_count;
    range.count = count;
    return range;
}

// Add the first `count` items to a range, with checks of the control. False: the control says to end.
static bool add_items(grz_build *build, grz_range *range, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (i % CHECK_INTERVAL == CHECK_INTERVAL - 1 && must_end(build, CHECK_INTERVAL))
            return false;
        add_item(range, &range->items[i]);
    }
    return true;
}

// If a range is a single cell, replace the cell by its triangles.
static void enter_cell(grz_build *build, grz_range *range)
{
    if (!range->of_cells || range->item_count != 1)
        return;
    const uint32_t count = range->count;
    *range = empty_range(build->items + range->items->first, false);
    add_items(build, range, count);
}

static float half_area(grz_f32x4 min, grz_f32x4 max)
{
    float size[4];
    grz_f32x4_store(size, grz_f32x4_subtract(max, min));
    return size[0] * size[1] + size[1] * size[2] + size[2] * size[0];
}

// The number of full nodes that `count` triangles fill, rounded up.
static float nodes_filled(uint32_t count)
{
    const uint32_t filled = (count + GRZ_BVH_WIDTH - 1) / GRZ_BVH_WIDTH;
    return (float)filled;
}

// The bin of an item's centre along each axis.
static void bins_of(const grz_cut *cut, const grz_item *item, int32_t bin[4])
{
    const grz_f32x4 centre = grz_f32x4_add(grz_f32x4_load(item->min), grz_f32x4_load(item->max));
    grz_f32x4_truncate(grz_f32x4_multiply(grz_f32x4_subtract(centre, cut->low), cut->scale), bin);
}

// The cheapest cut between the bins of one axis. Returns its cost, HUGE_VALF if no cut separates the items.
static float best_cut_of_bins(const grz_bin *bins, int32_t count, int32_t *best)
{
    float right_cost[BINS] = {0.0f}, best_cost = HUGE_VALF;
    grz_bin side = {.min = grz_f32x4_splat(HUGE_VALF), .max = grz_f32x4_splat(-HUGE_VALF)};
    for (int32_t i = count - 1; i > 0; i--) {
        side.min = grz_f32x4_min(side.min, bins[i].min);
        side.max = grz_f32x4_max(side.max, bins[i].max);
        side.count += bins[i].count;
        right_cost[i] = side.count > 0 ? half_area(side.min, side.max) * nodes_filled(side.count) : -1.0f;
    }
    side = (grz_bin){.min = grz_f32x4_splat(HUGE_VALF), .max = grz_f32x4_splat(-HUGE_VALF)};
    for (int32_t i = 1; i < count; i++) {
        side.min = grz_f32x4_min(side.min, bins[i - 1].min);
        side.max = grz_f32x4_max(side.max, bins[i - 1].max);
        side.count += bins[i - 1].count;
        if (side.count == 0 || right_cost[i] < 0.0f)
            continue;
        const float cost = half_area(side.min, side.max) * nodes_filled(side.count) + right_cost[i];
        if (cost < best_cost) {
            best_cost = cost;
            *best = i;
        }
    }
    return best_cost;
}

// The cheapest cut of a range, by the surface area heuristic. axis is -1 if no cut separates the items.
static grz_cut choose_cut(grz_build *build, const grz_range *range)
{
    const int32_t count = range->item_count >= 4 * BINS ? BINS : BINS / 2;
    grz_bin bins[3][BINS];
    grz_cut cut = {.axis = -1, .low = range->centre_min};
    float extent[4], scale[4] = {0.0f, 0.0f, 0.0f, 0.0f}, best_cost = HUGE_VALF;
    grz_f32x4_store(extent, grz_f32x4_subtract(range->centre_max, range->centre_min));
    for (int axis = 0; axis < 3; axis++) {
        // A little less than count / extent, so that no bin gets the number `count`.
        scale[axis] = extent[axis] > 0x1p-100f ? (float)count * (1.0f - 0x1p-20f) / extent[axis] : 0.0f;
    }
    cut.scale = grz_f32x4_load(scale);
    const grz_item *items = range->items;
    int first = 0, end = 3;
    if (range->item_count <= MOST_ALONG_ONE_AXIS) { // the longest axis only
        first = extent[1] > extent[0] ? 1 : 0;
        first = extent[2] > extent[first] ? 2 : first;
        end = first + 1;
    }
    for (int axis = first; axis < end; axis++)
        for (int i = 0; i < count; i++)
            bins[axis][i] = (grz_bin){.min = grz_f32x4_splat(HUGE_VALF), .max = grz_f32x4_splat(-HUGE_VALF)};
    for (uint32_t i = 0; i < range->item_count; i++) {
        int32_t at[4];
        if (i % CHECK_INTERVAL == CHECK_INTERVAL - 1 && must_end(build, CHECK_INTERVAL))
            return cut;
        const grz_f32x4 min = grz_f32x4_load(items[i].min), max = grz_f32x4_load(items[i].max);
        bins_of(&cut, &items[i], at);
        for (int axis = first; axis < end; axis++) {
            grz_bin *bin = &bins[axis][at[axis]];
            bin->min = grz_f32x4_min(bin->min, min);
            bin->max = grz_f32x4_max(bin->max, max);
            bin->count += items[i].count;
        }
    }
    for (int axis = first; axis < end; axis++) {
        int32_t bin = 0;
        const float cost = scale[axis] > 0.0f ? best_cut_of_bins(bins[axis], count, &bin) : HUGE_VALF;
        if (cost < best_cost) {
            best_cost = cost;
            cut.axis = axis;
            cut.bin = bin;
        }
    }
    return cut;
}

// Partition a few items without an unpredictable branch: each item is written to both sides, and only one side's
// counter advances.
static void partition_few(const grz_range *range, const grz_cut *cut, grz_range out[2])
{
    grz_item left[MOST_BUFFERED + 1], right[MOST_BUFFERED + 1];
    uint32_t left_count = 0, right_count = 0;
    assert(range->item_count <= MOST_BUFFERED);
    for (uint32_t i = 0; i < range->item_count; i++) {
        int32_t bin[4];
        bins_of(cut, &range->items[i], bin);
        const uint32_t is_left = bin[cut->axis] < cut->bin;
        left[left_count] = right[right_count] = range->items[i];
        left_count += is_left;
        right_count += 1 - is_left;
    }
    memcpy(range->items, left, left_count * sizeof *left);                 // cppcheck-suppress uninitvar ; filled
    memcpy(range->items + left_count, right, right_count * sizeof *right); // cppcheck-suppress uninitvar ; likewise
    out[0] = range_of(range->items, range->of_cells, left_count);
    out[1] = range_of(range->items + left_count, range->of_cells, right_count);
}

// Partition in place: the items left of the cut come first.
static void partition(grz_build *build, const grz_range *range, const grz_cut *cut, grz_range out[2])
{
    grz_item *left = range->items, *right = left + range->item_count;
    out[0] = empty_range(left, range->of_cells);
    out[1] = empty_range(right, range->of_cells);
    while (left < right) {
        int32_t bin[4];
        bins_of(cut, left, bin);
        if (bin[cut->axis] < cut->bin) {
            add_item(&out[0], left++);
        } else {
            const grz_item item = *left;
            *left = *--right;
            *right = item;
            add_item(&out[1], right);
        }
        if ((out[0].item_count + out[1].item_count) % CHECK_INTERVAL == CHECK_INTERVAL - 1 &&
            must_end(build, CHECK_INTERVAL))
            return;
    }
    out[1].items = range->items + out[0].item_count;
}

// Cut by number: the first `half` items go left.
static void cut_after(grz_build *build, const grz_range *range, uint32_t half, grz_range out[2])
{
    assert(0 < half && half < range->item_count);
    out[0] = empty_range(range->items, range->of_cells);
    out[1] = empty_range(range->items + half, range->of_cells);
    if (add_items(build, &out[0], half))
        add_items(build, &out[1], range->item_count - half);
}

// Cut a range in two.
static void split(grz_build *build, const grz_range *range, bool by_number, grz_range out[2])
{
    grz_cut cut = {.axis = -1};
    const bool by_curve = build->fast && !range->of_cells; // the triangles of a cell keep their order
    uint32_t half = range->item_count / 2;
    if (by_curve && !by_number) // a whole number of full nodes on the left
        half = (half + GRZ_BVH_WIDTH - 1) / GRZ_BVH_WIDTH * GRZ_BVH_WIDTH;
    else if (!by_number)
        cut = choose_cut(build, range);
    if (cut.axis < 0)
        cut_after(build, range, half, out);
    else if (range->item_count <= MOST_BUFFERED)
        partition_few(range, &cut, out);
    else
        partition(build, range, &cut, out);
    enter_cell(build, &out[0]);
    enter_cell(build, &out[1]);
}

// The range to cut next. Candidates are ranges that need a node of their own or hold several cells; of these, the one
// with the largest box (by number: with the most triangles). -1: none.
static int range_to_cut(const grz_range *ranges, int count, bool by_number)
{
    float largest = -1.0f;
    int chosen = -1;
    for (int i = 0; i < count; i++) {
        const float size = by_number ? (float)ranges[i].count : half_area(ranges[i].min, ranges[i].max);
        if ((ranges[i].count > GRZ_BVH_WIDTH || ranges[i].of_cells) && size > largest) {
            largest = size;
            chosen = i;
        }
    }
    return chosen;
}

// The shortest range whose triangles can become children themselves, beside the `count` children there are. -1: none.
static int range_to_dissolve(const grz_range *ranges, int count)
{
    int chosen = -1;
    for (int i = 0; i < count; i++)
        if (ranges[i].count > 1 && !ranges[i].of_cells && (int)ranges[i].count - 1 <= GRZ_BVH_WIDTH - count &&
            (chosen < 0 || ranges[i].count < ranges[chosen].count))
            chosen = i;
    return chosen;
}

// Replace a range by its triangles, as ranges of their own. Returns the new number of ranges.
static int dissolve(grz_range *ranges, int count, int which)
{
    const grz_range range = ranges[which];
    assert(!range.of_cells && count + (int)range.item_count - 1 <= GRZ_BVH_WIDTH);
    for (uint32_t i = 0; i < range.item_count; i++) {
        grz_range *single = i == 0 ? &ranges[which] : &ranges[count++];
        *single = empty_range(range.items + i, false);
        add_item(single, range.items + i);
    }
    return count;
}

// Split a node's range into up to eight children. Returns their number; 0 if the control says to end.
static int split_into_children(grz_build *build, const grz_build_entry *entry, grz_range ranges[GRZ_BVH_WIDTH])
{
    const bool by_number = entry->depth >= HEURISTIC_DEPTH;
    assert(entry->depth <= GRZ_BVH_MAX_DEPTH);
    int count = 1, which;
    ranges[0] = entry->range;
    while (count < GRZ_BVH_WIDTH && (which = range_to_cut(ranges, count, by_number)) >= 0) {
        const grz_range range = ranges[which];
        grz_range halves[2];
        if (must_end(build, range.item_count % CHECK_INTERVAL))
            break;
        split(build, &range, by_number, halves);
        if (grz_control_status(build->control) != GRZ_OK) // the halves are incomplete
            return 0;
        ranges[which] = halves[0];
        ranges[count++] = halves[1];
    }
    while ((which = range_to_dissolve(ranges, count)) >= 0)
        count = dissolve(ranges, count, which);
    for (int i = 0, nodes = 0; i < count; i++) // nodes come before triangles
        if (ranges[i].count > 1) {
            const grz_range range = ranges[i];
            ranges[i] = ranges[nodes];
            ranges[nodes++] = range;
        }
    return count;
}

static void set_child(grz_bvh_node *node, int i, const grz_range *range)
{
    float min[4], max[4];
    grz_f32x4_store(min, range->min);
    grz_f32x4_store(max, range->max);
    for (int axis = 0; axis < 3; axis++) {
        node->bounds[0][axis][i] = min[axis];
        node->bounds[1][axis][i] = max[axis];
    }
}

grz_range grz_build_whole(grz_build *build)
{
    grz_range all = empty_range(build->cells, true);
    add_items(build, &all, build->cell_count);
    enter_cell(build, &all);
    return all;
}

bool grz_build_node(grz_build *build, const grz_build_entry *entry, grz_build_entry *stack, size_t *depth)
{
    grz_bvh *bvh = build->bvh;
    grz_range ranges[GRZ_BVH_WIDTH];
    const int count = split_into_children(build, entry, ranges);
    if (grz_control_status(build->control) != GRZ_OK ||
        !grz_bvh_reserve(bvh, build->allocator, bvh->node_count + GRZ_BVH_WIDTH))
        return false;
    assert(0 < count && count <= GRZ_BVH_WIDTH && entry->node < bvh->node_count);
    grz_bvh_node *node = &bvh->nodes[entry->node];
    const grz_range none = empty_range(NULL, false);
    for (int i = 0; i < GRZ_BVH_WIDTH; i++) {
        const grz_range *range = i < count ? &ranges[i] : &none;
        set_child(node, i, range);
        node->child[i] = GRZ_BVH_NONE;
        if (range->count == 1) {
            node->child[i] = GRZ_BVH_TRIANGLE | range->items->first;
            build->placed++;
        } else if (range->count > 1) {
            node->child[i] = bvh->node_count++;
            stack[(*depth)++] = (grz_build_entry){*range, node->child[i], entry->depth + 1};
        }
    }
    return true;
}

bool grz_build_below(grz_build *build, const grz_build_entry *root)
{
    grz_build_entry stack[GRZ_BVH_WIDTH * (GRZ_BVH_MAX_DEPTH + 1)];
    size_t depth = 1;
    stack[0] = *root;
    build->bvh->node_count = root->node + 1;
    while (depth > 0) {
        const grz_build_entry entry = stack[--depth];
        assert(depth + GRZ_BVH_WIDTH <= sizeof stack / sizeof *stack);
        if (!grz_build_node(build, &entry, stack, &depth))
            return false;
    }
    return true;
}
