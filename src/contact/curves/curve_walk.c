// SPDX-License-Identifier: MIT
// Makes curves from links. A curve runs from node to node and ends where the number of links is not two. The links that
// remain form closed curves; nodes without links are isolated points. Curves are turned and sorted by the places of
// their nodes (curve_write.c), so they do not depend on which mesh is called A or on the numbering of faces, even if
// several nodes have one place.
#include "base/control.h"
#include "base/sort/sort.h"
#include "contact/curves/curves.h"

enum {
    CHECK_BITS = 12 // the control is checked once in 2^12 short steps
};

// The links as a graph: for each node, its neighbours.
typedef struct grz_network {
    grz_joiner *joiner;
    size_t node_count;
    size_t *start; // node_count + 2 offsets into `ends`
    size_t *ends;  // the neighbours of each node, in ascending order; two entries for each link
    bool *used;    // for each entry of `ends`: the link was walked
    size_t end_room;
    GRZ_ARRAY(size_t) isolated; // isolated nodes: points
} grz_network;

static bool build_network(grz_network *network)
{
    const grz_joiner *joiner = network->joiner;
    const size_t count = joiner->links.count, nodes = network->node_count;
    network->end_room = 2 * count + 1;
    network->start = grz_allocate_zeroed(joiner->allocator, nodes + 2, sizeof *network->start);
    network->ends = grz_allocate(joiner->allocator, network->end_room, sizeof *network->ends);
    network->used = grz_allocate_zeroed(joiner->allocator, network->end_room, sizeof *network->used);
    if (network->start == NULL || network->ends == NULL || network->used == NULL)
        return false;
    size_t *next = network->start + 1; // next[i] advances to the start of node i + 1 as the ends of node i are filled
                                       // in
    const grz_link *links = joiner->links.items;
    for (size_t i = 0; i < count; i++) {
        if (grz_control_expired_at(joiner->control, i, CHECK_BITS))
            return false;
        next[links[i].low + 1]++;
        next[links[i].high + 1]++;
    }
    for (size_t i = 1; i <= nodes; i++)
        next[i] += next[i - 1];
    for (size_t i = 0; i < count; i++) { // links are sorted by `low`, so each `high` gets its lower neighbours in order
        if (grz_control_expired_at(joiner->control, i, CHECK_BITS))
            return false;
        network->ends[next[links[i].high]++] = links[i].low;
    }
    for (size_t i = 0; i < count; i++) {
        if (grz_control_expired_at(joiner->control, i, CHECK_BITS))
            return false;
        network->ends[next[links[i].low]++] = links[i].high;
    }
    return true;
}

static size_t degree(const grz_network *network, size_t node)
{
    assert(node < network->node_count);
    return network->start[node + 1] - network->start[node];
}

// Mark the other end of the link from `from` to `to` as walked, by binary search.
static void mark_other_end(grz_network *network, size_t from, size_t to)
{
    size_t low = network->start[to], high = network->start[to + 1];
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (network->ends[middle] <= from)
            low = middle;
        else
            high = middle;
    }
    assert(network->ends[low] == from);
    network->used[low] = true;
}

static bool append_node(grz_joiner *joiner, size_t node)
{
    if (!grz_array_add(joiner->allocator, &joiner->walked))
        return false;
    joiner->walked.items[joiner->walked.count - 1] = node;
    return true;
}

static bool add_run(grz_joiner *joiner, size_t start, bool closed)
{
    if (!grz_array_add(joiner->allocator, &joiner->runs))
        return false;
    joiner->runs.items[joiner->runs.count - 1] = (grz_run){start, joiner->walked.count - start, closed};
    return true;
}

// Follow links from `first`, along the link at `end`, until the curve ends or returns to `first`.
static bool walk_run(grz_network *network, size_t first, size_t end)
{
    grz_joiner *joiner = network->joiner;
    const size_t start = joiner->walked.count;
    size_t node = first;
    if (!append_node(joiner, first))
        return false;
    for (size_t step = 1;; step++) {
        const size_t next = network->ends[end];
        assert(!network->used[end]);
        network->used[end] = true;
        mark_other_end(network, node, next);
        if (!append_node(joiner, next) || grz_control_expired_at(joiner->control, step, CHECK_BITS))
            return false;
        if (next == first || degree(network, next) != 2)
            return add_run(joiner, start, next == first);
        const size_t base = network->start[next];
        end = network->ends[base] == node ? base + 1 : base;
        node = next;
    }
}

static bool is_isolated(const grz_network *network, size_t node)
{
    const grz_joiner *joiner = network->joiner;
    return node < joiner->node_count && degree(network, node) == 0 &&
           (joiner->flags[joiner->node_corner[node]] & (GRZ_NODE_TOUCHED | GRZ_NODE_COVERED)) == 0;
}

// Walk along all links: first curves that start and end where the number of links is not two, then closed curves.
// Isolated nodes are listed.
static bool walk_links(grz_network *network)
{
    grz_joiner *joiner = network->joiner;
    for (int closed = 0; closed < 2; closed++) {
        for (size_t node = 0; node < network->node_count; node++) {
            if (grz_control_expired_at(joiner->control, node, CHECK_BITS))
                return false;
            if ((degree(network, node) == 2) != (closed == 1))
                continue;
            for (size_t end = network->start[node]; end < network->start[node + 1]; end++)
                if (!network->used[end] && !walk_run(network, node, end))
                    return false;
            if (!is_isolated(network, node))
                continue;
            if (!grz_array_add(joiner->allocator, &network->isolated))
                return false;
            network->isolated.items[network->isolated.count - 1] = node;
        }
    }
    return true;
}

static int compare_isolated(const void *left, const void *right, void *context)
{
    const grz_joiner *joiner = context;
    return grz_curves_compare_places(&joiner->places[*(const size_t *)left], &joiner->places[*(const size_t *)right]);
}

// Add isolated points as curves of one node. Of several at one place only one is added, and none at a place on another
// curve.
static bool add_points(grz_network *network)
{
    grz_joiner *joiner = network->joiner;
    size_t *isolated = network->isolated.items, count = 0;
    if (network->isolated.count == 0)
        return true;
    if (grz_sort(isolated, network->isolated.count, sizeof *isolated, compare_isolated, joiner, joiner->control) !=
        GRZ_OK)
        return false;
    for (size_t i = 0; i < network->isolated.count; i++)
        if (count == 0 || compare_isolated(&isolated[count - 1], &isolated[i], joiner) != 0)
            isolated[count++] = isolated[i];
    bool *taken = grz_allocate_zeroed(joiner->allocator, network->isolated.count, sizeof *taken);
    bool done = taken != NULL;
    for (size_t i = 0; done && i < joiner->walked.count; i++) {
        size_t low = 0, high = count;
        while (high - low > 1) {
            const size_t middle = low + (high - low) / 2;
            if (compare_isolated(&isolated[middle], &joiner->walked.items[i], joiner) <= 0)
                low = middle;
            else
                high = middle;
        }
        taken[low] = taken[low] || compare_isolated(&isolated[low], &joiner->walked.items[i], joiner) == 0;
        done = !grz_control_expired_at(joiner->control, i, 8);
    }
    for (size_t i = 0; done && i < count; i++)
        if (!taken[i])
            done = append_node(joiner, isolated[i]) && add_run(joiner, joiner->walked.count - 1, false);
    grz_release(joiner->allocator, taken, network->isolated.count, sizeof *taken);
    return done;
}

bool grz_curves_walk(grz_joiner *joiner)
{
    grz_network network = {.joiner = joiner, .node_count = joiner->node_count + joiner->cut_node_count};
    const bool done = build_network(&network) && walk_links(&network) && add_points(&network);
    grz_release(joiner->allocator, network.start, network.node_count + 2, sizeof *network.start);
    grz_release(joiner->allocator, network.ends, network.end_room, sizeof *network.ends);
    grz_release(joiner->allocator, network.used, network.end_room, sizeof *network.used);
    grz_array_finish(joiner->allocator, &network.isolated);
    return done;
}
