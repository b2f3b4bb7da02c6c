// SPDX-License-Identifier: MIT
// How many candidates are needed to cover as much of a part as the chosen ones do. Probes that the same candidates
// cover are one class. Three lower bounds, each valid by itself:
// - candidates cover at most the sum of what each covers;
// - classes of which no two have a candidate in common need one candidate each, but for those that may stay uncovered;
// - a search of all sets of k candidates, largest first, which ends a branch if the sum is too small; it has a budget.
// A set that the search finds is as good as the chosen one and smaller, and replaces it.
#include "ask/projections/probe_cover.h"

#include <string.h>

#include "base/control.h"
#include "base/sort/sort.h"

enum {
    BUDGET = 1 << 24 // classes that the search of one part may look at
};

typedef struct mask {
    uint64_t words[GRZ_SIGHT_MASK_WORDS]; // a bit for each candidate
} mask;

typedef struct cover_class {
    mask candidates;
    uint64_t weight;
    uint32_t count; // candidates
} cover_class;

typedef struct candidate_weight {
    uint64_t weight;
    uint32_t candidate;
} candidate_weight;

typedef struct cover_search {
    GRZ_ARRAY(cover_class) classes;
    candidate_weight order[GRZ_MAX_CANDIDATES]; // what each covers, the most first
    uint32_t candidate_count;
    uint64_t goal;
    int64_t budget;
    uint32_t chosen[GRZ_SIGHT_MAX_CHOSEN]; // places in `order`
} cover_search;

static bool meet(const mask *a, const mask *b)
{
    for (int i = 0; i < GRZ_SIGHT_MASK_WORDS; i++)
        if ((a->words[i] & b->words[i]) != 0)
            return true;
    return false;
}

static bool is_subset(const mask *a, const mask *of)
{
    for (int i = 0; i < GRZ_SIGHT_MASK_WORDS; i++)
        if ((a->words[i] & ~of->words[i]) != 0)
            return false;
    return true;
}

static int compare_numbers(uint64_t x, uint64_t y)
{
    return (x > y) - (x < y);
}

static int compare_masks(const void *x, const void *y, void *context)
{
    const cover_class *a = x, *b = y;
    (void)context;
    for (int i = 0; i < GRZ_SIGHT_MASK_WORDS; i++)
        if (a->candidates.words[i] != b->candidates.words[i])
            return compare_numbers(a->candidates.words[i], b->candidates.words[i]);
    return 0;
}

// Few candidates first, then much weight.
static int compare_hardness(const void *x, const void *y, void *context)
{
    const cover_class *a = x, *b = y;
    if (a->count != b->count)
        return compare_numbers(a->count, b->count);
    return a->weight != b->weight ? compare_numbers(b->weight, a->weight) : compare_masks(x, y, context);
}

static int compare_weights(const void *x, const void *y, void *context)
{
    const candidate_weight *a = x, *b = y;
    (void)context;
    return a->weight != b->weight ? compare_numbers(b->weight, a->weight) : compare_numbers(a->candidate, b->candidate);
}

// The classes of a part, hardest first. Probes that no candidate covers have none.
static grz_status find_classes(const grz_sight_search *search, uint32_t part, cover_search *cover)
{
    const grz_allocator *allocator = grz_control_allocator(search->control);
    for (size_t i = 0; i < search->surface->cells.count; i++) {
        cover_class of = {.weight = search->surface->cells.items[i].weight};
        if (grz_sight_part(search, i) != part)
            continue;
        for (uint32_t c = 0; c < search->direction_count; c++)
            if (grz_sight_covers(search, c, i)) {
                of.candidates.words[c / 64] |= UINT64_C(1) << c % 64;
                of.count++;
            }
        if (of.count == 0)
            continue;
        if (!grz_array_add(allocator, &cover->classes))
            return GRZ_ERROR_MEMORY;
        cover->classes.items[cover->classes.count - 1] = of;
    }
    cover_class *items = cover->classes.items;
    size_t kept = 0;
    grz_status status = grz_sort(items, cover->classes.count, sizeof *items, compare_masks, NULL, search->control);
    for (size_t i = 0; i < cover->classes.count && status == GRZ_OK; i++) {
        if (kept > 0 && compare_masks(&items[kept - 1], &items[i], NULL) == 0)
            items[kept - 1].weight += items[i].weight;
        else
            items[kept++] = items[i];
    }
    if (status != GRZ_OK)
        return status;
    cover->classes.count = kept;
    return grz_sort(items, kept, sizeof *items, compare_hardness, NULL, search->control);
}

static grz_status weigh_candidates(const grz_sight_search *search, cover_search *cover)
{
    cover->candidate_count = search->direction_count;
    for (uint32_t c = 0; c < search->direction_count; c++) {
        cover->order[c] = (candidate_weight){.candidate = c};
        for (size_t i = 0; i < cover->classes.count; i++)
            if ((cover->classes.items[i].candidates.words[c / 64] >> c % 64 & 1) != 0)
                cover->order[c].weight += cover->classes.items[i].weight;
    }
    return grz_sort(cover->order, search->direction_count, sizeof cover->order[0], compare_weights, NULL,
                    search->control);
}

static uint32_t bound_by_sums(const cover_search *cover)
{
    uint64_t sum = 0;
    uint32_t count = 0;
    while (count < cover->candidate_count && sum < cover->goal)
        sum += cover->order[count++].weight;
    return count;
}

// Classes without a common candidate. A set of candidates that meets none of a class covers no class within it either.
static uint32_t bound_by_independence(const cover_search *cover, uint64_t spare)
{
    uint64_t weights[GRZ_MAX_CANDIDATES];
    mask taken = {{0}};
    uint32_t count = 0;
    for (size_t i = 0; i < cover->classes.count; i++) {
        const mask *own = &cover->classes.items[i].candidates;
        if (meet(own, &taken))
            continue;
        uint64_t weight = 0;
        for (size_t k = 0; k < cover->classes.count; k++)
            if (is_subset(&cover->classes.items[k].candidates, own))
                weight += cover->classes.items[k].weight;
        for (int k = 0; k < GRZ_SIGHT_MASK_WORDS; k++)
            taken.words[k] |= own->words[k];
        uint32_t place = count++; // ascending
        for (; place > 0 && weights[place - 1] > weight; place--)
            weights[place] = weights[place - 1];
        weights[place] = weight;
    }
    uint32_t skipped = 0;
    for (uint64_t sum = 0; skipped < count && sum + weights[skipped] <= spare; skipped++)
        sum += weights[skipped];
    return count - skipped;
}

static uint64_t weight_of_set(cover_search *cover, const mask *set)
{
    uint64_t weight = 0;
    for (size_t i = 0; i < cover->classes.count; i++)
        if (meet(&cover->classes.items[i].candidates, set))
            weight += cover->classes.items[i].weight;
    cover->budget -= (int64_t)cover->classes.count;
    return weight;
}

// Look for `left` candidates from place `first` on that reach the goal together with a set. False: there are none, or
// the budget is used up.
static bool search_sets(cover_search *cover, uint32_t depth, uint32_t first, uint32_t left, const mask *set,
                        uint64_t weight)
{
    for (uint32_t place = first; place + left <= cover->candidate_count && cover->budget > 0; place++) {
        const uint32_t candidate = cover->order[place].candidate;
        uint64_t most = weight;
        for (uint32_t k = 0; k < left; k++)
            most += cover->order[place + k].weight;
        if (most < cover->goal)
            return false;
        mask with = *set;
        with.words[candidate / 64] |= UINT64_C(1) << candidate % 64;
        const uint64_t reached = weight_of_set(cover, &with);
        cover->chosen[depth] = place;
        if (left == 1 ? reached >= cover->goal : search_sets(cover, depth + 1, place + 1, left - 1, &with, reached))
            return true;
    }
    return false;
}

static void search_fewer(cover_search *cover, grz_sight_choice *choice)
{
    const mask none = {{0}};
    while (choice->fewest < choice->count && cover->budget > 0) {
        if (search_sets(cover, 0, 0, choice->fewest, &none, 0)) {
            mask set = none;
            choice->count = choice->fewest;
            for (uint32_t k = 0; k < choice->count; k++) {
                choice->chosen[k] = cover->order[cover->chosen[k]].candidate;
                set.words[choice->chosen[k] / 64] |= UINT64_C(1) << choice->chosen[k] % 64;
            }
            choice->covered = weight_of_set(cover, &set);
        } else if (cover->budget > 0) {
            choice->fewest++;
        }
    }
}

grz_status grz_sight_find_smallest_cover(const grz_sight_search *search, uint32_t part, grz_sight_choice *choice)
{
    cover_search cover = {.goal = choice->covered, .budget = BUDGET};
    grz_status status = find_classes(search, part, &cover);
    if (status == GRZ_OK)
        status = weigh_candidates(search, &cover);
    if (status == GRZ_OK) {
        const uint32_t sums = bound_by_sums(&cover);
        const uint32_t independent = bound_by_independence(&cover, choice->coverable - choice->covered);
        choice->fewest = sums > independent ? sums : independent;
        choice->fewest = choice->fewest > 1 ? choice->fewest : 1;
        search_fewer(&cover, choice);
    }
    grz_array_finish(grz_control_allocator(search->control), &cover.classes);
    return status;
}
