// SPDX-License-Identifier: MIT
// Decides candidates. Each chunk is decided on the thread that brings it. The touching pairs of a chunk are appended to
// the common list under a lock. The list is sorted at the end, so the order of arrival does not matter. With a margin,
// candidates that do not touch are compared with it, and those that are nearer go to a list of their own.
#include "decide/decide.h"

#include <assert.h>
#include <string.h>

#include "base/control.h"
#include "decide/self_pair.h"
#include "geometry/distance/nearer.h"
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

// Count the distinct face pairs. Sorts the list. False: there is no memory.
static bool count_face_pairs(grz_decider *decider, grz_found_array *found, uint64_t *count)
{
    if (!grz_found_sort(grz_control_allocator(decider->sink.control), found))
        return false;
    const grz_found *items = found->items;
    *count = 0;
    for (size_t i = 0; i < found->count; i++)
        *count += i == 0 || items[i].job != items[i - 1].job || items[i].face_a != items[i - 1].face_a ||
                  items[i].face_b != items[i - 1].face_b;
    return true;
}

// Append pairs to a list, under the lock. The query fails if there are more than `most` face pairs.
static void append(grz_decider *decider, grz_found_list *list, uint64_t most, const grz_found *found, size_t count)
{
    grz_control *control = decider->sink.control;
    grz_found_array *all = list->found;
    if (!grz_array_reserve(grz_control_allocator(control), all, all->count + count)) {
        grz_control_fail(control, GRZ_ERROR_MEMORY);
        return;
    }
    for (size_t i = 0; i < count; i++)
        all->items[all->count++] = found[i];
    if (all->count < list->next_count_check)
        return;
    uint64_t distinct = 0;
    if (!count_face_pairs(decider, all, &distinct))
        grz_control_fail(control, GRZ_ERROR_MEMORY);
    else if (distinct > most)
        grz_control_fail(control, GRZ_ERROR_LIMIT);
    // Count again only when the limit can have been exceeded, and not so often that sorting costs more than the search.
    // The final check is in assemble() (query/run.c).
    const uint64_t room = most - (distinct < most ? distinct : most) + 1, half = all->count / 2;
    list->next_count_check = all->count + (room > half ? room : half);
}

// The list entry for a candidate.
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
    return (!decider->list && grz_decider_known(decider, job) != 0) || grz_control_expired(sink->control);
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

// What was found in a chunk.
typedef struct chunk_found {
    size_t touching_count, near_count;
    grz_found touching[GRZ_CHUNK], near[GRZ_CHUNK];
} chunk_found;

// True if a candidate that does not touch is within the margin.
static bool is_near(const grz_decider *decider, const grz_decided_pair *pair, const grz_candidate *candidate)
{
    double a[3][3], b[3][3];
    if (!(decider->set->margin > 0.0))
        return false;
    assert(!pair->self);
    grz_world_corners(pair->a->mesh, &pair->a->pose, candidate->triangle_a, a);
    grz_world_corners(pair->b->mesh, &pair->b->pose, candidate->triangle_b, b);
    return grz_triangles_nearer((const double(*)[3])a, (const double(*)[3])b, decider->set->margin, decider->gap_of);
}

// Decide a chunk; if the first contact is enough, up to the first pair that touches or is near.
static void decide_chunk(const grz_decider *decider, const grz_candidate *candidates, size_t count, chunk_found *out)
{
    const grz_decided_pair pair = pair_of(decider, candidates[0].job);
    const grz_candidate *first = decider->list ? NULL : proved_to_touch(candidates, count);
    unsigned char verdicts[GRZ_CHUNK];
    out->touching_count = out->near_count = 0;
    if (candidates[0].as_it_is) {
        out->touching_count = take_chunk(&pair, candidates, decider->list ? count : 1, out->touching);
        return;
    }
    if (first == NULL) {
        judge_chunk(decider, &pair, candidates, count, verdicts);
        first = decider->list ? NULL : known_to_touch(candidates, verdicts, count);
    }
    if (first != NULL) {
        out->touching[out->touching_count++] = found_of(&pair, first, GRZ_CROSSING);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        grz_intersection intersection = {.kind = verdicts[i] == GRZ_PACKET_COPLANAR ? GRZ_COPLANAR : GRZ_CROSSING};
        const bool apart = verdicts[i] == GRZ_PACKET_APART ||
                           (verdicts[i] == GRZ_PACKET_OPEN && !decide_candidate(&pair, &candidates[i], &intersection));
        if (!apart)
            out->touching[out->touching_count++] = found_of(&pair, &candidates[i], intersection.kind);
        else if (is_near(decider, &pair, &candidates[i]))
            out->near[out->near_count++] = found_of(&pair, &candidates[i], GRZ_NEAR);
        else
            continue;
        if (!decider->list)
            return;
    }
}

// Add what was found in a chunk to the lists. A pair of faces of which some triangles touch is not near, so there may
// be as many more near ones at first.
static void append_all(grz_decider *decider, const chunk_found *found)
{
    const uint64_t most = decider->max_pairs;
    pthread_mutex_lock(&decider->lock);
    if (found->touching_count > 0)
        append(decider, &decider->touching, most, found->touching, found->touching_count);
    if (found->near_count > 0 && decider->near.found != NULL) {
        const uint64_t touching = decider->touching.found->count;
        append(decider, &decider->near, most < UINT64_MAX - touching ? most + touching : UINT64_MAX, found->near,
               found->near_count);
    }
    pthread_mutex_unlock(&decider->lock);
}

// Note what was found of a job.
static void note(grz_decider *decider, uint32_t job, const chunk_found *found)
{
    const unsigned known =
        (found->touching_count > 0 ? GRZ_JOB_TOUCHES : 0u) | (found->near_count > 0 ? GRZ_JOB_NEAR : 0u);
    if (known != 0)
        atomic_fetch_or_explicit(&decider->known[job], (unsigned char)known, memory_order_relaxed);
    if (found->touching_count > 0) {
        const unsigned long long triangle_a = found->touching[0].triangle_a;
        atomic_store_explicit(&decider->witness, triangle_a << 32 | found->touching[0].triangle_b,
                              memory_order_relaxed);
        atomic_store_explicit(&decider->any_touching, true, memory_order_relaxed);
    }
}

static bool decider_push(grz_sink *sink, const grz_candidate *candidates, size_t count)
{
    grz_decider *decider = (grz_decider *)sink;
    chunk_found found;
    const double start = grz_control_seconds(sink->control);
    const uint32_t number = candidates[0].job;
    assert(0 < count && count <= GRZ_CHUNK && candidates[count - 1].job == number);
    decide_chunk(decider, candidates, count, &found);
    if (decider->list && found.touching_count + found.near_count > 0)
        append_all(decider, &found);
    note(decider, number, &found);
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

unsigned grz_decider_known(const grz_decider *decider, size_t job)
{
    return atomic_load_explicit(&decider->known[job], memory_order_relaxed);
}

bool grz_decider_touching(const grz_decider *decider, size_t job)
{
    return (grz_decider_known(decider, job) & GRZ_JOB_TOUCHES) != 0;
}

bool grz_decider_init(grz_decider *decider, grz_control *control, const grz_job_set *set, uint64_t max_pairs,
                      grz_packet_judge *judge, grz_triangle_gap_function *gap_of, grz_found_array *touching,
                      grz_found_array *near)
{
    const uint64_t first_check = max_pairs < UINT64_MAX ? max_pairs + 1 : UINT64_MAX;
    *decider = (grz_decider){.sink = {.push = decider_push, .stopped = decider_stopped, .control = control},
                             .set = set,
                             .max_pairs = max_pairs,
                             .list = (set->flags & GRZ_JOBS_FIRST_CONTACT) == 0,
                             .judge = judge,
                             .gap_of = gap_of,
                             .touching = {touching, first_check},
                             .near = {near, first_check}};
    atomic_init(&decider->single, 0);
    atomic_init(&decider->any_touching, false);
    atomic_init(&decider->witness, 0);
    atomic_init(&decider->candidates, 0);
    atomic_init(&decider->decide_ns, 0);
    pthread_mutex_init(&decider->lock, NULL);
    decider->known = &decider->single;
    if (set->job_count > 1) // zero bytes are the same as atomic_init(…, 0)
        decider->known = grz_allocate_zeroed(grz_control_allocator(control), set->job_count, sizeof *decider->known);
    return decider->known != NULL;
}

void grz_decider_finish(grz_decider *decider)
{
    if (decider->known != &decider->single)
        grz_release(grz_control_allocator(decider->sink.control), decider->known, decider->set->job_count,
                    sizeof *decider->known);
    pthread_mutex_destroy(&decider->lock);
}
