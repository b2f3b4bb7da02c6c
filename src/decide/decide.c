// SPDX-License-Identifier: MIT
// Decides candidates. Each chunk is decided on the thread that brings it. The touching pairs of a chunk are appended to
// the common list under a lock. The list is sorted at the end, so the order of arrival does not matter.
#include "decide/decide.h"

#include <assert.h>
#include <string.h>

#include "decide/self_pair.h"
#include "mesh/triangles.h"

// The two objects of a chunk of candidates.
typedef struct grz_decided_pair {
    const grz_object *a, *b; // for a mesh with itself, both are the same object
    bool self;
} grz_decided_pair;

static grz_decided_pair pair_of(const grz_decider *decider, uint32_t number)
{
    assert(number < decider->set->job_count);
    const grz_job *job = &decider->set->jobs[number];
    return (grz_decided_pair){
        .a = grz_job_object_a(decider->set, job), .b = grz_job_object_b(decider->set, job), .self = job->b == GRZ_SELF};
}

static bool decide_candidate(const grz_decided_pair *pair, const grz_candidate *candidate,
                             grz_intersection *intersection)
{
    if (pair->self)
        return grz_self_pair_collides(pair->a->mesh, candidate->triangle_a, candidate->triangle_b, intersection);
    double a[3][3], b[3][3];
    assert(candidate->triangle_a < pair->a->mesh->triangle_count &&
           candidate->triangle_b < pair->b->mesh->triangle_count);
    grz_world_corners(pair->a->mesh, &pair->a->pose, candidate->triangle_a, a);
    grz_world_corners(pair->b->mesh, &pair->b->pose, candidate->triangle_b, b);
    grz_triangles_intersect((const double(*)[3])a, (const double(*)[3])b, intersection);
    return intersection->node_count > 0;
}

// Count the distinct face pairs. Sorts the list. False: memory is out.
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

// Append pairs to the list, under the lock. The query fails if there are more than max_pairs face pairs.
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
            // Count again only when the limit can have been exceeded, and not so often that sorting costs more than the
            // search. The final check is in assemble() (query/run.c).
            const uint64_t room = max_pairs - (distinct < max_pairs ? distinct : max_pairs) + 1, half = all->count / 2;
            decider->next_count_check = all->count + (room > half ? room : half);
        }
    }
    pthread_mutex_unlock(&decider->lock);
}

// The list entry for a candidate that touches.
static grz_found found_of(const grz_decided_pair *pair, const grz_candidate *candidate, uint32_t kind)
{
    return (grz_found){.job = candidate->job,
                       .face_a = grz_mesh_triangle_face(pair->a->mesh, candidate->triangle_a),
                       .face_b = grz_mesh_triangle_face(pair->b->mesh, candidate->triangle_b),
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

// Classify the candidates of a chunk by packets (geometry/triangle/packet.h).
static void judge_chunk(const grz_decider *decider, const grz_decided_pair *pair, const grz_candidate *candidates,
                        size_t count, unsigned char verdicts[GRZ_CHUNK])
{
    grz_packet_pair pairs[GRZ_CHUNK];
    const grz_mesh *mesh_a = pair->a->mesh, *mesh_b = pair->b->mesh;
    const grz_packet_side side_a = {
        .positions = mesh_a->positions,
        .triangles = mesh_a->triangles,
        .pose = pair->self ? NULL : &pair->a->pose,
        .identity = mesh_a->identity,
    };
    const grz_packet_side side_b = {
        .positions = mesh_b->positions, .triangles = mesh_b->triangles, .pose = &pair->b->pose};
    if (decider->judge == NULL) {
        memset(verdicts, GRZ_PACKET_OPEN, count);
        return;
    }
    for (size_t i = 0; i < count; i++)
        pairs[i] = (grz_packet_pair){candidates[i].triangle_a, candidates[i].triangle_b};
    decider->judge(&side_a, pair->self ? &side_a : &side_b, pairs, count, verdicts);
}

// A candidate that the packets proved to touch. NULL: none.
static const grz_candidate *known_to_touch(const grz_candidate *candidates, const unsigned char *verdicts, size_t count)
{
    const unsigned char *touching = memchr(verdicts, GRZ_PACKET_CROSSING, count);
    if (touching == NULL)
        touching = memchr(verdicts, GRZ_PACKET_COPLANAR, count);
    return touching != NULL ? &candidates[touching - verdicts] : NULL;
}

// A candidate that the filter proved to touch. NULL: none.
static const grz_candidate *proved_to_touch(const grz_candidate *candidates, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (candidates[i].proved)
            return &candidates[i];
    return NULL;
}

// List candidates of a discrete answer as they are.
static size_t take_chunk(const grz_decided_pair *pair, const grz_candidate *candidates, size_t count, grz_found *found)
{
    for (size_t i = 0; i < count; i++) {
        assert(candidates[i].as_it_is);
        found[i] = found_of(pair, &candidates[i], GRZ_TOUCHING);
    }
    return count;
}

// Decide a chunk and write the touching pairs to `found`. Returns their number; at most one if the first contact is
// enough.
static size_t decide_chunk(const grz_decider *decider, const grz_candidate *candidates, size_t count,
                           grz_found found[GRZ_CHUNK])
{
    const grz_decided_pair pair = pair_of(decider, candidates[0].job);
    const grz_candidate *first = decider->list ? NULL : proved_to_touch(candidates, count);
    unsigned char verdicts[GRZ_CHUNK];
    size_t found_count = 0;
    if (candidates[0].as_it_is)
        return take_chunk(&pair, candidates, decider->list ? count : 1, found);
    if (first == NULL) {
        judge_chunk(decider, &pair, candidates, count, verdicts);
        first = decider->list ? NULL : known_to_touch(candidates, verdicts, count);
    }
    if (first != NULL) {
        found[0] = found_of(&pair, first, GRZ_CROSSING);
        return 1;
    }
    for (size_t i = 0; i < count; i++) {
        grz_intersection intersection = {.kind = verdicts[i] == GRZ_PACKET_COPLANAR ? GRZ_COPLANAR : GRZ_CROSSING};
        if (verdicts[i] == GRZ_PACKET_APART ||
            (verdicts[i] == GRZ_PACKET_OPEN && !decide_candidate(&pair, &candidates[i], &intersection)))
            continue;
        found[found_count++] = found_of(&pair, &candidates[i], intersection.kind);
        if (!decider->list)
            return 1;
    }
    return found_count;
}

static bool decider_push(grz_sink *sink, const grz_candidate *candidates, size_t count)
{
    grz_decider *decider = (grz_decider *)sink;
    grz_found found[GRZ_CHUNK];
    const double start = grz_control_seconds(sink->control);
    const uint32_t number = candidates[0].job;
    assert(0 < count && count <= GRZ_CHUNK && candidates[count - 1].job == number);
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
    if (sink->control->times)
        atomic_fetch_add_explicit(&decider->decide_ns,
                                  (unsigned long long)(1e9 * (grz_control_seconds(sink->control) - start)),
                                  memory_order_relaxed);
    return !decider_stopped(sink, number);
}

bool grz_decider_try(grz_decider *decider, uint64_t triangle_a, uint64_t triangle_b)
{
    const grz_decided_pair pair = pair_of(decider, 0);
    assert(decider->set->job_count == 1);
    if (triangle_a >= pair.a->mesh->triangle_count || triangle_b >= pair.b->mesh->triangle_count)
        return false;
    const grz_candidate candidate = {.triangle_a = (uint32_t)triangle_a, .triangle_b = (uint32_t)triangle_b};
    if (pair.self && (triangle_a >= triangle_b || grz_mesh_triangle_face(pair.a->mesh, candidate.triangle_a) ==
                                                      grz_mesh_triangle_face(pair.a->mesh, candidate.triangle_b)))
        return false;
    decider_push(&decider->sink, &candidate, 1);
    return grz_decider_touching(decider, 0);
}

bool grz_decider_touching(const grz_decider *decider, size_t job)
{
    return atomic_load_explicit(&decider->touching[job], memory_order_relaxed) != 0;
}

bool grz_decider_init(grz_decider *decider, grz_control *control, const grz_job_set *set, uint64_t max_pairs,
                      grz_packet_judge *judge, grz_found_array *found)
{
    *decider = (grz_decider){.sink = {.push = decider_push, .stopped = decider_stopped, .control = control},
                             .set = set,
                             .max_pairs = max_pairs,
                             .list = (set->flags & GRZ_JOBS_FIRST_CONTACT) == 0,
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
    if (set->job_count > 1) // zero bytes are the same as atomic_init(…, 0)
        decider->touching =
            grz_allocate_zeroed(grz_control_allocator(control), set->job_count, sizeof *decider->touching);
    return decider->touching != NULL;
}

void grz_decider_finish(grz_decider *decider)
{
    if (decider->touching != &decider->single)
        grz_release(grz_control_allocator(decider->sink.control), decider->touching, decider->set->job_count,
                    sizeof *decider->touching);
    pthread_mutex_destroy(&decider->lock);
}
