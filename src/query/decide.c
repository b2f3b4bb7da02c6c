// SPDX-License-Identifier: MIT
// Deciding candidates. Each chunk is decided on the thread that brings it; what touches goes to the common list under a lock, once
// a chunk, and is sorted at the end, so the order of arrival leaves no trace.
#include "query/decide.h"

#include <string.h>

#include "base/clock.h"
#include "query/self_pair.h"
#include "space/triangles.h"

static bool decide_pair(const grz_job *job, const grz_candidate *candidate, grz_intersection *intersection)
{
    if (job->b == NULL)
        return grz_self_pair_collides(job->a->mesh, candidate->triangle_a, candidate->triangle_b, intersection);
    double a[3][3], b[3][3];
    grz_world_corners(job->a->mesh, &job->a->pose, candidate->triangle_a, a);
    grz_world_corners(job->b->mesh, &job->b->pose, candidate->triangle_b, b);
    grz_triangles_intersect((const double(*)[3])a, (const double(*)[3])b, intersection);
    return intersection->node_count > 0;
}

// How many distinct pairs of faces there are. Sorts the list on the way.
static bool count_face_pairs(grz_decider *decider, uint64_t *count)
{
    if (!grz_found_sort(grz_control_allocator(decider->sink.control), decider->found))
        return false;
    const grz_found *items = decider->found->items;
    *count = 0;
    for (size_t i = 0; i < decider->found->count; i++)
        *count += i == 0 || items[i].job != items[i - 1].job || items[i].face_a != items[i - 1].face_a ||
                  items[i].face_b != items[i - 1].face_b;
    return true;
}

// Append under the lock; past max_pairs the query ends.
static void append(grz_decider *decider, const grz_found *found, size_t count)
{
    grz_control *control = decider->sink.control;
    const uint64_t max_pairs = decider->max_pairs;
    pthread_mutex_lock(&decider->lock);
    grz_found_array *all = decider->found;
    if (!grz_array_reserve(grz_control_allocator(control), all, all->count + count)) {
        grz_control_fail(control, GRZ_ERROR_MEMORY);
    } else {
        for (size_t i = 0; i < count; i++)
            all->items[all->count++] = found[i];
        if (all->count >= decider->next_count_check) {
            uint64_t distinct = 0;
            if (!count_face_pairs(decider, &distinct))
                grz_control_fail(control, GRZ_ERROR_MEMORY);
            else if (distinct > max_pairs)
                grz_control_fail(control, GRZ_ERROR_LIMIT);
            // Not before the limit can be passed, nor so often that the sorting outgrows the search: assemble() has the last word.
            const uint64_t room = max_pairs - (distinct < max_pairs ? distinct : max_pairs) + 1, half = all->count / 2;
            decider->next_count_check = all->count + (room > half ? room : half);
        }
    }
    pthread_mutex_unlock(&decider->lock);
}

// A grz_found of a candidate that touches.
static grz_found found_of(const grz_job *job, const grz_candidate *candidate, uint32_t kind)
{
    return (grz_found){.job = candidate->job,
                       .face_a = grz_mesh_triangle_face(job->a->mesh, candidate->triangle_a),
                       .face_b = grz_mesh_triangle_face(job->b != NULL ? job->b->mesh : job->a->mesh, candidate->triangle_b),
                       .triangle_a = candidate->triangle_a,
                       .triangle_b = candidate->triangle_b,
                       .kind = kind};
}

static bool decider_stopped(grz_sink *sink, uint32_t job)
{
    const grz_decider *decider = (const grz_decider *)sink;
    return (!decider->list && grz_decider_touching(decider, job)) || grz_control_expired(sink->control);
}

_Static_assert((int)GRZ_CHUNK <= (int)GRZ_PACKET_MOST, "a chunk is judged at once");

// What the packets say about each candidate.
static void judge_chunk(const grz_decider *decider, const grz_job *job, const grz_candidate *candidates, size_t count,
                        unsigned char verdicts[GRZ_CHUNK])
{
    grz_packet_pair pairs[GRZ_CHUNK];
    const bool self = job->b == NULL;
    const grz_object *b = self ? job->a : job->b;
    const grz_packet_side side_a = {
        .positions = job->a->mesh->positions,
        .triangles = job->a->mesh->triangles,
        .pose = self ? NULL : &job->a->pose,
        .names = job->a->mesh->identity,
    };
    const grz_packet_side side_b = {.positions = b->mesh->positions, .triangles = b->mesh->triangles, .pose = &b->pose};
    if (decider->judge == NULL) {
        memset(verdicts, GRZ_PACKET_OPEN, count);
        return;
    }
    for (size_t i = 0; i < count; i++)
        pairs[i] = (grz_packet_pair){candidates[i].triangle_a, candidates[i].triangle_b};
    decider->judge(&side_a, self ? &side_a : &side_b, pairs, count, verdicts);
}

// A candidate that touches by what is known without the predicates. NULL: none.
static const grz_candidate *known_to_touch(const grz_candidate *candidates, const unsigned char *verdicts, size_t count)
{
    const unsigned char *crossing = memchr(verdicts, GRZ_PACKET_CROSSING, count);
    return crossing != NULL ? &candidates[crossing - verdicts] : NULL;
}

static const grz_candidate *proved_to_touch(const grz_candidate *candidates, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (candidates[i].proved)
            return &candidates[i];
    return NULL;
}

// Decide a chunk and keep what touches in `found`. Returns how many do; to an eager caller one is as good as all.
static size_t decide_chunk(const grz_decider *decider, const grz_candidate *candidates, size_t count, grz_found found[GRZ_CHUNK])
{
    const grz_job *job = &decider->jobs[candidates[0].job];
    const grz_candidate *first = decider->list ? NULL : proved_to_touch(candidates, count);
    unsigned char verdicts[GRZ_CHUNK];
    size_t found_count = 0;
    if (first == NULL) {
        judge_chunk(decider, job, candidates, count, verdicts);
        first = decider->list ? NULL : known_to_touch(candidates, verdicts, count);
    }
    if (first != NULL) {
        found[0] = found_of(job, first, GRZ_CROSSING);
        return 1;
    }
    for (size_t i = 0; i < count; i++) {
        grz_intersection intersection = {.kind = GRZ_CROSSING};
        if (verdicts[i] == GRZ_PACKET_APART || (verdicts[i] == GRZ_PACKET_OPEN && !decide_pair(job, &candidates[i], &intersection)))
            continue;
        found[found_count++] = found_of(job, &candidates[i], intersection.kind);
        if (!decider->list)
            return 1;
    }
    return found_count;
}

static bool decider_push(grz_sink *sink, const grz_candidate *candidates, size_t count)
{
    grz_decider *decider = (grz_decider *)sink;
    grz_found found[GRZ_CHUNK];
    const double start = grz_clock_seconds();
    const uint32_t number = candidates[0].job;
    const size_t found_count = decide_chunk(decider, candidates, count, found);
    if (decider->list && found_count > 0)
        append(decider, found, found_count);
    if (found_count > 0) {
        const unsigned long long triangle_a = found[0].triangle_a;
        atomic_store_explicit(&decider->witness, triangle_a << 32 | found[0].triangle_b, memory_order_relaxed);
        atomic_store_explicit(&decider->touching[number], 1, memory_order_relaxed);
        atomic_store_explicit(&decider->any_touching, true, memory_order_relaxed);
    }
    atomic_fetch_add_explicit(&decider->candidates, count, memory_order_relaxed);
    atomic_fetch_add_explicit(&decider->decide_ns, (unsigned long long)(1e9 * (grz_clock_seconds() - start)), memory_order_relaxed);
    return !decider_stopped(sink, number);
}

bool grz_decider_try(grz_decider *decider, uint64_t triangle_a, uint64_t triangle_b)
{
    const grz_mesh *a = decider->jobs[0].a->mesh, *b = decider->jobs[0].b != NULL ? decider->jobs[0].b->mesh : NULL;
    if (triangle_a >= a->triangle_count || triangle_b >= (b != NULL ? b : a)->triangle_count)
        return false;
    const grz_candidate candidate = {.triangle_a = (uint32_t)triangle_a, .triangle_b = (uint32_t)triangle_b};
    if (b == NULL && (triangle_a >= triangle_b ||
                      grz_mesh_triangle_face(a, candidate.triangle_a) == grz_mesh_triangle_face(a, candidate.triangle_b)))
        return false;
    decider_push(&decider->sink, &candidate, 1);
    return grz_decider_touching(decider, 0);
}

bool grz_decider_touching(const grz_decider *decider, size_t job)
{
    return atomic_load_explicit(&decider->touching[job], memory_order_relaxed) != 0;
}

bool grz_decider_init(grz_decider *decider, grz_control *control, const grz_job *jobs, size_t job_count, bool list,
                      uint64_t max_pairs, grz_packet_judge *judge, grz_found_array *found)
{
    *decider = (grz_decider){.sink = {.push = decider_push, .stopped = decider_stopped, .eager = !list, .control = control},
                             .jobs = jobs,
                             .job_count = job_count,
                             .max_pairs = max_pairs,
                             .list = list,
                             .judge = judge,
                             .found = found,
                             .next_count_check = max_pairs < UINT64_MAX ? max_pairs + 1 : UINT64_MAX};
    atomic_init(&decider->single, 0);
    atomic_init(&decider->any_touching, false);
    atomic_init(&decider->witness, 0);
    atomic_init(&decider->candidates, 0);
    atomic_init(&decider->decide_ns, 0);
    pthread_mutex_init(&decider->lock, NULL);
    decider->touching = &decider->single;
    if (job_count > 1) // zero bytes are what atomic_init would leave
        decider->touching = grz_allocate_zeroed(grz_control_allocator(control), job_count, sizeof *decider->touching);
    return decider->touching != NULL;
}

void grz_decider_finish(grz_decider *decider)
{
    if (decider->touching != &decider->single)
        grz_release(grz_control_allocator(decider->sink.control), decider->touching, decider->job_count, sizeof *decider->touching);
    pthread_mutex_destroy(&decider->lock);
}
