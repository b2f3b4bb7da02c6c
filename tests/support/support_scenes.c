// SPDX-License-Identifier: MIT
// Divides a scene's answer into the parts of its pairs of objects. Indices in a part count from its beginning, as they
// do when the pair is queried alone. Then both must be the same, bit by bit.
#include "support_scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool wants_lists(uint32_t find)
{
    return (find & TEST_FIND_LISTS) != 0;
}

test_answer test_answer_reduced(const test_answer *all, uint32_t find)
{
    test_answer less = *all;
    grz_summary *s = &less.summary;
    if ((find & GRZ_FIND_CONTAINMENT) == 0 && s->relation != GRZ_COLLIDING) {
        s->relation = GRZ_APART;
        s->containment = GRZ_CONTAINMENT_NOT_ASKED;
        s->reason = NULL;
    }
    s->colliding = s->relation != GRZ_APART;
    s->pairs_complete = wants_lists(find) || s->relation != GRZ_COLLIDING;
    if (!wants_lists(find)) {
        s->pair_count = less.pair_count = 0;
        memset(s->kinds, 0, sizeof s->kinds);
    }
    if ((find & TEST_FIND_CONTACTS) == 0) {
        less.contact_count = less.point_count = 0;
        s->has_region = false;
        memset(s->region_min, 0, sizeof s->region_min);
        memset(s->region_max, 0, sizeof s->region_max);
    }
    if ((find & GRZ_FIND_CURVES) == 0)
        less.curve_count = less.curve_point_count = 0;
    return less;
}

bool test_answer_is_listed(const test_answer *reduced)
{
    return reduced->summary.relation != GRZ_APART || reduced->summary.containment == GRZ_CONTAINMENT_UNDECIDABLE;
}

// Widen the summary's region.
static void add_to_region(grz_summary *s, const double min[3], const double max[3])
{
    for (int k = 0; k < 3; k++) {
        s->region_min[k] = !s->has_region || min[k] < s->region_min[k] ? min[k] : s->region_min[k];
        s->region_max[k] = !s->has_region || max[k] > s->region_max[k] ? max[k] : s->region_max[k];
    }
    s->has_region = true;
}

test_scene_check test_scene_check_begin(const grz_result *result, uint32_t find)
{
    test_scene_check check = {.result = result, .find = find, .whole = test_answer_of(result)};
    const bool contained = (find & GRZ_FIND_CONTAINMENT) != 0;
    check.parts = grz_result_scene_pairs(result, &check.part_count);
    check.sum = (grz_summary){.relation = GRZ_APART,
                              .certainty = GRZ_EXACT,
                              .containment = contained ? GRZ_CONTAINMENT_DECIDED : GRZ_CONTAINMENT_NOT_ASKED};
    return check;
}

// True if the part's lists begin where those before end, and end within the scene's lists.
static bool follows(const test_scene_check *check, const grz_scene_pair *part)
{
    uint64_t pairs = 0, contacts = 0, curves = 0;
    for (uint64_t i = 0; i < check->next; i++) {
        pairs += check->parts[i].pair_count;
        contacts += check->parts[i].contact_count;
        curves += check->parts[i].curve_count;
    }
    return part->first_pair == (part->pair_count > 0 ? pairs : 0) &&
           pairs + part->pair_count <= check->whole.pair_count &&
           part->first_contact == (part->contact_count > 0 ? contacts : 0) &&
           contacts + part->contact_count <= check->whole.contact_count &&
           part->first_curve == (part->curve_count > 0 ? curves : 0) &&
           curves + part->curve_count <= check->whole.curve_count;
}

static void *room_for(uint64_t count, size_t size)
{
    void *items = malloc((size_t)count * size + 1);
    if (items == NULL)
        abort();
    return items;
}

// The part as a separate answer. Contacts and curves are copied to the given arrays; the rest is borrowed.
static test_answer cut(const test_scene_check *check, const grz_scene_pair *part, grz_contact *contacts,
                       grz_curve *curves)
{
    const test_answer *w = &check->whole;
    test_answer own = {
        .pair_count = part->pair_count, .contact_count = part->contact_count, .curve_count = part->curve_count};
    own.contacts = contacts;
    own.curves = curves;
    const uint64_t first_point = own.contact_count > 0 ? w->contacts[part->first_contact].first_point : 0;
    const uint64_t first_curve_point = own.curve_count > 0 ? w->curves[part->first_curve].first_point : 0;
    for (uint64_t i = 0; i < own.contact_count; i++) {
        own.contacts[i] = w->contacts[part->first_contact + i];
        own.contacts[i].pair -= part->first_pair;
        own.contacts[i].first_point -= first_point;
        own.point_count += own.contacts[i].point_count;
    }
    for (uint64_t i = 0; i < own.curve_count; i++) {
        own.curves[i] = w->curves[part->first_curve + i];
        own.curves[i].first_point -= first_curve_point;
        own.curve_point_count += own.curves[i].point_count;
    }
    own.pairs = w->pairs + (own.pair_count > 0 ? part->first_pair : 0);
    own.points = w->points + 3 * first_point;
    own.features = w->features + first_point;
    own.curve_points = w->curve_points + 3 * first_curve_point;
    return own;
}

// The part's summary as the pair alone would have it; its region is that of its points.
static grz_summary summary_of(const test_scene_check *check, const grz_scene_pair *part, const test_answer *own)
{
    grz_summary s = {.relation = part->relation,
                     .colliding = part->relation != GRZ_APART,
                     .certainty = GRZ_EXACT,
                     .containment = part->containment,
                     .reason = part->reason,
                     .pair_count = part->pair_count,
                     .pairs_complete = wants_lists(check->find) || part->relation != GRZ_COLLIDING};
    memcpy(s.kinds, part->kinds, sizeof s.kinds);
    for (uint64_t i = 0; i < own->point_count; i++)
        add_to_region(&s, own->points + 3 * i, own->points + 3 * i);
    return s;
}

static void add_to_sum(grz_summary *sum, const grz_summary *s)
{
    if (s->relation == GRZ_COLLIDING)
        sum->relation = GRZ_COLLIDING;
    else if (s->relation != GRZ_APART && sum->relation == GRZ_APART)
        sum->relation = GRZ_OVERLAPPING;
    if (s->containment == GRZ_CONTAINMENT_UNDECIDABLE)
        sum->containment = GRZ_CONTAINMENT_UNDECIDABLE;
    sum->pair_count += s->pair_count;
    for (int kind = 0; kind < GRZ_KIND_COUNT; kind++)
        sum->kinds[kind] += s->kinds[kind];
    if (s->has_region)
        add_to_region(sum, s->region_min, s->region_max);
}

bool test_scene_check_pair(test_scene_check *check, uint32_t a, uint32_t b, const test_answer *alone)
{
    const test_answer expected = test_answer_reduced(alone, check->find);
    const grz_scene_pair *part = check->next < check->part_count ? &check->parts[check->next] : NULL;
    char what[96];
    if (!test_answer_is_listed(&expected))
        return true; // an entry too many is found by the next pair, or at the end
    snprintf(what, sizeof what, "objects %u and %u, by the scene and alone", a, b);
    if (part == NULL || part->a != a || part->b != b) {
        fprintf(stderr, "%s: relation %d alone; the scene lists ", what, (int)expected.summary.relation);
        if (part == NULL)
            fprintf(stderr, "nothing more\n");
        else
            fprintf(stderr, "%u and %u next\n", part->a, part->b);
        return false;
    }
    if (!follows(check, part)) {
        fprintf(stderr, "%s: the lists do not follow one another\n", what);
        return false;
    }
    grz_contact *contacts = room_for(part->contact_count, sizeof *contacts);
    grz_curve *curves = room_for(part->curve_count, sizeof *curves);
    test_answer own = cut(check, part, contacts, curves);
    own.summary = summary_of(check, part, &own);
    const bool equal = test_answers_equal(what, &own, &expected);
    add_to_sum(&check->sum, &expected.summary);
    check->next++;
    free(contacts);
    free(curves);
    return equal;
}

static bool same_box(const grz_summary *x, const grz_summary *y)
{
    // Compared as numbers: a bound of 0 may have either sign.
    for (int k = 0; k < 3 && x->has_region; k++)
        if (x->region_min[k] != y->region_min[k] || x->region_max[k] != y->region_max[k])
            return false;
    return x->has_region == y->has_region;
}

bool test_scene_check_end(test_scene_check *check)
{
    const grz_summary *s = &check->whole.summary, *sum = &check->sum;
    uint64_t contacts = 0, curves = 0;
    bool good = check->next == check->part_count;
    if (!good)
        fprintf(stderr, "objects %u and %u are listed and should not be\n", check->parts[check->next].a,
                check->parts[check->next].b);
    for (uint64_t i = 0; i < check->part_count; i++) {
        contacts += check->parts[i].contact_count;
        curves += check->parts[i].curve_count;
    }
    if (good && (sum->pair_count != check->whole.pair_count || contacts != check->whole.contact_count ||
                 curves != check->whole.curve_count)) {
        fprintf(stderr, "the scene's lists hold more than its pairs of objects\n");
        good = false;
    }
    const bool complete = wants_lists(check->find) || sum->relation != GRZ_COLLIDING;
    if (good &&
        (s->relation != sum->relation || s->colliding != (sum->relation != GRZ_APART) || s->certainty != GRZ_EXACT ||
         s->containment != sum->containment || (s->reason != NULL) != (s->containment == GRZ_CONTAINMENT_UNDECIDABLE) ||
         s->pair_count != sum->pair_count || memcmp(s->kinds, sum->kinds, sizeof s->kinds) != 0 ||
         s->pairs_complete != complete || !same_box(s, sum))) {
        fprintf(stderr, "the scene's summary is not that of its pairs of objects: relation %d, of the pairs %d\n",
                (int)s->relation, (int)sum->relation);
        good = false;
    }
    test_answer_finish(&check->whole);
    return good;
}
