// SPDX-License-Identifier: MIT
// Deciding candidates. Each chunk is decided on the thread that brings it; what touches goes to the common list under a lock, once a
// chunk, and is sorted at the end, so the order of arrival leaves no trace.
#include "query/decide.h"

#include "base/clock.h"
#include "query/self_pair.h"
#include "space/triangles.h"

void grz_decider_fail(grz_decider *decider, grz_status status)
{
    int none = GRZ_OK;
    atomic_compare_exchange_strong(&decider->status, &none, (int)status);
    atomic_store(&decider->stop, true);
}

// The caller's flag, which another thread may be setting.
static bool is_raised(const volatile int *flag)
{
#if defined(__GNUC__)
    return flag != NULL && __atomic_load_n(flag, __ATOMIC_RELAXED) != 0;
#else
    return flag != NULL && *flag != 0;
#endif
}

bool grz_decider_expired(grz_decider *decider)
{
    if (is_raised(decider->options->cancel))
        grz_decider_fail(decider, GRZ_ERROR_CANCELLED);
    else if (decider->options->deadline > 0.0 && grz_clock_seconds() - decider->start > decider->options->deadline)
        grz_decider_fail(decider, GRZ_ERROR_DEADLINE);
    return atomic_load(&decider->stop);
}

static bool decide_pair(const grz_decider *decider, const grz_candidate *candidate, grz_intersection *intersection)
{
    if (decider->b == NULL)
        return grz_self_pair_collides(decider->a->mesh, candidate->triangle_a, candidate->triangle_b, intersection);
    double a[3][3], b[3][3];
    grz_world_corners(decider->a->mesh, &decider->a->pose, candidate->triangle_a, a);
    grz_world_corners(decider->b->mesh, &decider->b->pose, candidate->triangle_b, b);
    grz_triangles_intersect((const double(*)[3])a, (const double(*)[3])b, intersection);
    return intersection->node_count > 0;
}

// How many distinct pairs of faces there are. Sorts the list on the way.
static bool count_face_pairs(grz_decider *decider, uint64_t *count)
{
    if (!grz_found_sort(decider->allocator, decider->found))
        return false;
    const grz_found *items = decider->found->items;
    *count = 0;
    for (size_t i = 0; i < decider->found->count; i++)
        *count += i == 0 || items[i].face_a != items[i - 1].face_a || items[i].face_b != items[i - 1].face_b;
    return true;
}

// Append under the lock; past max_pairs the query ends.
static void append(grz_decider *decider, const grz_found *found, size_t count)
{
    const uint64_t max_pairs = decider->options->max_pairs;
    pthread_mutex_lock(&decider->lock);
    grz_found_array *all = decider->found;
    if (!grz_array_reserve(decider->allocator, all, all->count + count)) {
        grz_decider_fail(decider, GRZ_ERROR_MEMORY);
    } else {
        for (size_t i = 0; i < count; i++)
            all->items[all->count++] = found[i];
        if (all->count >= decider->next_count_check) {
            uint64_t distinct = 0;
            if (!count_face_pairs(decider, &distinct))
                grz_decider_fail(decider, GRZ_ERROR_MEMORY);
            else if (distinct > max_pairs)
                grz_decider_fail(decider, GRZ_ERROR_LIMIT);
            // Not before the limit can be passed, nor so often that the sorting outgrows the search: assemble() has the last word.
            const uint64_t room = max_pairs - (distinct < max_pairs ? distinct : max_pairs) + 1, half = all->count / 2;
            decider->next_count_check = all->count + (room > half ? room : half);
        }
    }
    pthread_mutex_unlock(&decider->lock);
}

static bool decider_push(grz_sink *sink, const grz_candidate *candidates, size_t count)
{
    grz_decider *decider = (grz_decider *)sink;
    grz_found found[GRZ_CHUNK];
    size_t found_count = 0;
    const double start = grz_clock_seconds();
    const grz_mesh *mesh_a = decider->a->mesh, *mesh_b = decider->b != NULL ? decider->b->mesh : mesh_a;
    bool touching = false;
    for (size_t i = 0; i < count; i++) {
        const grz_candidate *candidate = &candidates[i];
        grz_intersection intersection;
        if (!decider->list && candidate->proved) {
            touching = true;
            break;
        }
        if (!decide_pair(decider, candidate, &intersection))
            continue;
        touching = true;
        if (!decider->list)
            break;
        grz_found *entry = &found[found_count++];
        *entry = (grz_found){.face_a = grz_mesh_triangle_face(mesh_a, candidate->triangle_a),
                             .face_b = grz_mesh_triangle_face(mesh_b, candidate->triangle_b),
                             .triangle_a = candidate->triangle_a,
                             .triangle_b = candidate->triangle_b,
                             .kind = intersection.kind};
        if (found_count == GRZ_CHUNK) {
            append(decider, found, found_count);
            found_count = 0;
        }
    }
    if (found_count > 0)
        append(decider, found, found_count);
    if (touching) {
        atomic_store(&decider->touching, true);
        if (!decider->list)
            atomic_store(&decider->stop, true);
    }
    atomic_fetch_add_explicit(&decider->candidates, count, memory_order_relaxed);
    atomic_fetch_add_explicit(&decider->decide_ns, (unsigned long long)(1e9 * (grz_clock_seconds() - start)), memory_order_relaxed);
    return !grz_decider_expired(decider);
}

static bool decider_stopped(grz_sink *sink, uint32_t job)
{
    (void)job;
    return grz_decider_expired((grz_decider *)sink);
}

static void decider_progress(grz_sink *sink, double share)
{
    const grz_decider *decider = (const grz_decider *)sink;
    if (decider->options->progress != NULL && pthread_equal(pthread_self(), decider->caller))
        decider->options->progress(share, decider->options->progress_user);
}

void grz_decider_init(grz_decider *decider, const grz_allocator *allocator, const grz_object *a, const grz_object *b,
                      const grz_collide_options *options, double start, grz_found_array *found)
{
    *decider = (grz_decider){.sink = {.push = decider_push, .stopped = decider_stopped, .progress = decider_progress},
                             .allocator = allocator,
                             .a = a,
                             .b = b,
                             .options = options,
                             .list = (options->find & (GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CURVES)) != 0,
                             .start = start,
                             .caller = pthread_self(),
                             .found = found,
                             .next_count_check = options->max_pairs < UINT64_MAX ? options->max_pairs + 1 : UINT64_MAX};
    pthread_mutex_init(&decider->lock, NULL);
    atomic_init(&decider->stop, false);
    atomic_init(&decider->touching, false);
    atomic_init(&decider->status, GRZ_OK);
    atomic_init(&decider->candidates, 0);
    atomic_init(&decider->decide_ns, 0);
}

void grz_decider_finish(grz_decider *decider)
{
    pthread_mutex_destroy(&decider->lock);
}
