// SPDX-License-Identifier: MIT
// Pairs contact points of two frames, nearest first. Pairs have a total order, so the greedy choice has one outcome,
// and two contacts that are each other's best are always a pair of it. Such two are found by following a chain: from a
// contact to the best partner of it, and on to the best partner of that one, until the way leads back. After they are
// taken out, what is left of the chain is good: n contacts take n² steps and no memory for pairs. Source: F. Murtagh,
// "A survey of recent advances in hierarchical clustering algorithms" (1983), nearest-neighbour chains.
#include "ask/manifold/contact_match.h"

#include <math.h>

#include "geometry/vector.h"

static double square_between(const grz_known_contact *a, const grz_known_contact *b)
{
    const double d[3] = {a->at[0] - b->at[0], a->at[1] - b->at[1], a->at[2] - b->at[2]};
    return grz_dot(d, d);
}

static bool is_allowed(const grz_contact_matching *m, const grz_known_contact *a, const grz_known_contact *b,
                       double square)
{
    return m->any || (sqrt(square) <= m->most && grz_dot(a->normal, a->normal) > 0.0 &&
                      grz_dot(b->normal, b->normal) > 0.0 && grz_dot(a->normal, b->normal) >= m->cosine);
}

// True if a partner is better than the best so far. Where two are as near, a contact of now takes the lower id, and one
// of before that which comes first.
static bool is_better(const grz_contact_range *in, double square, uint32_t i, double best_square, uint32_t best,
                      bool by_id)
{
    if (best == GRZ_NO_CONTACT || square != best_square)
        return best == GRZ_NO_CONTACT || square < best_square;
    return by_id ? in->items[i].id < in->items[best].id : i < best;
}

static uint32_t best_partner(const grz_contact_matching *m, const grz_known_contact *of, const grz_contact_range *in,
                             uint32_t count, bool by_id)
{
    uint32_t best = GRZ_NO_CONTACT;
    double least = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at = in->left[i];
        const grz_known_contact *other = &in->items[at];
        if (other->other != GRZ_NO_CONTACT)
            continue;
        const double square = square_between(of, other);
        if (is_allowed(m, of, other, square) && is_better(in, square, at, least, best, by_id)) {
            best = at;
            least = square;
        }
    }
    return best;
}

static uint32_t list_left(grz_contact_range *range)
{
    uint32_t count = 0;
    for (uint32_t i = range->first; i < range->end; i++)
        if (range->items[i].other == GRZ_NO_CONTACT)
            range->left[count++] = i;
    return count;
}

grz_status grz_contacts_match(const grz_contact_matching *m, grz_contact_range *before, grz_contact_range *now)
{
    const uint32_t old_count = list_left(before), new_count = list_left(now);
    for (uint32_t i = 0; i < new_count && old_count > 0; i++) {
        uint32_t length = 0;
        if (now->items[now->left[i]].other == GRZ_NO_CONTACT)
            m->chain[length++] = now->left[i];
        for (uint32_t step = 0; length > 0; step++) { // even places: contacts of now; odd places: of before
            if (grz_control_expired_at(m->control, step, 6))
                return grz_control_status(m->control);
            const uint32_t top = m->chain[length - 1];
            const bool is_new = length % 2 == 1;
            const uint32_t best = is_new ? best_partner(m, &now->items[top], before, old_count, true)
                                         : best_partner(m, &before->items[top], now, new_count, false);
            if (best == GRZ_NO_CONTACT) {
                length--;
            } else if (length >= 2 && m->chain[length - 2] == best) {
                (is_new ? now : before)->items[top].other = best;
                (is_new ? before : now)->items[best].other = top;
                length -= 2;
            } else {
                m->chain[length++] = best;
            }
        }
    }
    return GRZ_OK;
}
