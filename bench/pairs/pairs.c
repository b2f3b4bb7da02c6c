// SPDX-License-Identifier: MIT
// What broad phases cost: Graze's sweep and prune, tree and grid beside Bullet, FCL and Embree, where they are
// installed, on one core. Bodies that fly straight, that go to and fro, of which a hundredth moves, that jump anywhere
// in every frame, of sizes from 1 to 100, and in clusters. All answers are compared with each other, frame by frame.
// Only the update is measured: telling the broad phase which boxes changed, and having its pairs. Graze's are sorted.
// Prints a table, and writes it as CSV.
// Usage: bench_pairs [--quick] [--bodies N] [--scene NAME] [--peer WORD] [--patience SECONDS] [--csv FILE]
#include <malloc.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "peers.h"

enum {
    MOST_FRAMES = 64,
    WARM_UP = 10,       // frames before the clock starts
    PATIENCE = 8,       // seconds after which no more frames are asked of a peer, unless --patience says more
    QUICK_PATIENCE = 1, // the same with --quick,
    QUICK_MOST = 20000  // which leaves out peers for so few bodies
};

static const peer *const peers[] = {
    &peer_sweep,        &peer_tree,
    &peer_grid,         &peer_auto,
#ifdef WITH_BULLET
    &peer_bullet,       &peer_bullet_deferred,
    &peer_bullet_sweep,
#endif
#ifdef WITH_FCL
    &peer_fcl_tree,     &peer_fcl_anew,
    &peer_fcl_array,    &peer_fcl_sap,
#endif
#ifdef WITH_EMBREE
    &peer_embree,       &peer_embree_refit,
#endif
};

enum {
    PEERS = sizeof peers / sizeof peers[0] // NOLINT(bugprone-sizeof-expression)
};

typedef enum motion {
    FLY,
    FRO,
    FEW,
    JUMP,
    MIXED,
    CLUSTERED,
    MOTIONS
} motion;

static const char *const motion_names[MOTIONS] = {"fly", "fro", "few", "jump", "mixed", "clustered"};

typedef struct scene {
    motion motion;
    uint32_t count;
    uint64_t random;
    double across; // the bodies' space is a cube with this edge
    body_box *boxes;
    double (*steps)[3];
    uint32_t *moved;
    size_t moved_count;
} scene;

static void *allocate(size_t count, size_t size)
{
    void *block = calloc(count, size);
    if (block == NULL) {
        fprintf(stderr, "bench_pairs: out of memory\n");
        exit(1);
    }
    return block;
}

void pair_list_add(pair_list *list, uint64_t pair)
{
    if (list->count == list->capacity) {
        list->capacity = 2 * list->capacity + 1024;
        list->items = realloc(list->items, list->capacity * sizeof *list->items);
        if (list->items == NULL) {
            fprintf(stderr, "bench_pairs: out of memory\n");
            exit(1);
        }
    }
    list->items[list->count++] = pair;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// From 0 to 1 (splitmix64).
static double next_random(scene *s)
{
    uint64_t z = s->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

// Coordinates are multiples of 2^-9, so that every library's floats hold them and halves of sizes.
static double on_grid(double x)
{
    return floor(x * 512.0 + 0.5) / 512.0;
}

static void place_body(scene *s, uint32_t id)
{
    double size = 1.0, centre[3];
    if (s->motion == MIXED) // few are large: the density of sizes falls with their fourth power
        size = fmin(pow(1.0 - next_random(s), -1.0 / 3.0), 100.0);
    if (s->motion == CLUSTERED) {
        // One of 64 clusters, in which bodies lie the denser the nearer they are to its middle.
        const uint64_t which = (uint64_t)(next_random(s) * 64.0);
        const double wide = 0.01 + 0.07 * next_random(s), r = 0.5 * s->across * wide * cbrt(next_random(s));
        double direction[3], length = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            direction[axis] = next_random(s) + next_random(s) + next_random(s) - 1.5;
            length += direction[axis] * direction[axis];
        }
        for (int axis = 0; axis < 3; axis++)
            centre[axis] = s->across * (double)(which >> 2 * axis & 3u) / 4.0 + r * direction[axis] / sqrt(length);
    } else {
        for (int axis = 0; axis < 3; axis++)
            centre[axis] = s->across * next_random(s);
    }
    for (int axis = 0; axis < 3; axis++) {
        const double edge = on_grid(size * (0.5 + next_random(s)) * 0.5) * 2.0;
        s->boxes[id].min[axis] = on_grid(centre[axis]);
        s->boxes[id].max[axis] = s->boxes[id].min[axis] + edge;
        s->steps[id][axis] = on_grid(0.1 * size * (next_random(s) - 0.5));
    }
}

static void open_scene(scene *s, motion how, uint32_t count)
{
    *s = (scene){.motion = how, .count = count, .random = 1};
    s->boxes = allocate(count, sizeof *s->boxes);
    s->steps = allocate(count, sizeof *s->steps);
    s->moved = allocate(count, sizeof *s->moved);
    // Between two and four pairs for each body.
    s->across = cbrt((double)count) * (how == MIXED ? 2.6 : how == CLUSTERED ? 3.6 : 1.1);
    for (uint32_t id = 0; id < count; id++)
        place_body(s, id);
}

static void close_scene(scene *s)
{
    free(s->boxes);
    free(s->steps);
    free(s->moved);
}

static void step_scene(scene *s)
{
    s->moved_count = 0;
    for (uint32_t id = 0; id < s->count; id++) {
        if (s->motion == FEW && next_random(s) >= 0.01)
            continue;
        s->moved[s->moved_count++] = id;
        if (s->motion == JUMP) {
            const body_box old = s->boxes[id];
            place_body(s, id); // its size stays
            for (int axis = 0; axis < 3; axis++)
                s->boxes[id].max[axis] = s->boxes[id].min[axis] + (old.max[axis] - old.min[axis]);
            continue;
        }
        for (int axis = 0; axis < 3; axis++) {
            double *step = &s->steps[id][axis];
            if (s->motion == FRO)
                *step = on_grid(0.1 * (next_random(s) - 0.5));
            if ((s->boxes[id].min[axis] < 0.0 && *step < 0.0) || (s->boxes[id].min[axis] > s->across && *step > 0.0))
                *step = -*step;
            s->boxes[id].min[axis] += *step;
            s->boxes[id].max[axis] += *step;
        }
    }
}

static int compare_pairs(const void *x, const void *y)
{
    const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

// A number for a list of pairs in any order: those whose boxes overlap, sorted.
static uint64_t digest(const body_box *boxes, pair_list *list, bool sorted)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        const body_box *a = &boxes[list->items[i] >> 32], *b = &boxes[list->items[i] & UINT32_MAX];
        if (sorted || ((a->min[0] <= b->max[0]) & (b->min[0] <= a->max[0]) & (a->min[1] <= b->max[1]) &
                       (b->min[1] <= a->max[1]) & (a->min[2] <= b->max[2]) & (b->min[2] <= a->max[2])))
            list->items[kept++] = list->items[i];
    }
    list->count = kept;
    if (!sorted)
        qsort(list->items, kept, sizeof *list->items, compare_pairs);
    uint64_t sum = kept;
    for (size_t i = 0; i < kept; i++)
        sum = (sum ^ list->items[i]) * UINT64_C(0x9e3779b97f4a7c15) + (sum >> 29);
    return sum;
}

// Digests of the first peer's answers.
typedef struct expectation {
    bool known;
    uint64_t digests[MOST_FRAMES];
    size_t counts[MOST_FRAMES]; // 0: not compared
    size_t pairs;
} expectation;

typedef struct figures {
    double mean, most, create; // milliseconds
    double bytes;              // a body
    int frames;                // measured
    long wrong;                // pairs too few (negative) or too many, in the first frame that differs
} figures;

static double heap(void)
{
    const struct mallinfo2 info = mallinfo2();
    return (double)info.uordblks + (double)info.hblkhd;
}

static figures measure(const peer *p, motion how, uint32_t count, int frames, int patience, expectation *expected)
{
    scene s;
    pair_list list = {0};
    figures f = {.mean = 0.0};
    double all = 0.0;
    bool last = false;
    open_scene(&s, how, count);
    const bool sorted = strncmp(p->name, "Graze", 5) == 0;
    const double before = heap();
    double start = seconds();
    void *state = p->create(s.boxes, count);
    f.create = 1e3 * (seconds() - start);
    for (int frame = 0; frame < frames && !last; frame++) {
        step_scene(&s);
        start = seconds();
        p->update(state, s.boxes, s.moved, s.moved_count);
        const double took = 1e3 * (seconds() - start);
        all += took;
        last = frame == frames - 1 || all > 1e3 * patience;
        if (last)
            f.bytes = (heap() - before) / count;
        if (frame >= WARM_UP || last) {
            f.mean += took;
            f.frames++;
            f.most = took > f.most ? took : f.most;
        }
        if (frame % 8 != 7 && !last && count > 20000) // sorting takes long
            continue;
        list.count = 0;
        p->list(state, &list);
        const uint64_t sum = digest(s.boxes, &list, sorted);
        if (!expected->known) {
            expected->digests[frame] = sum;
            expected->counts[frame] = expected->pairs = list.count;
        } else if (expected->counts[frame] != 0 && expected->digests[frame] != sum) {
            f.wrong = f.wrong != 0 ? f.wrong : (long)list.count - (long)expected->counts[frame];
            if (sorted || f.wrong == 0) {
                fprintf(stderr, "bench_pairs: %s, %s, %u bodies, frame %d: other pairs (%zu)\n", p->name,
                        motion_names[how], count, frame, list.count);
                exit(1);
            }
        }
    }
    f.mean /= f.frames;
    expected->known = true;
    p->destroy(state);
    close_scene(&s);
    free(list.items);
    malloc_trim(0);
    return f;
}

int main(int argc, char **argv)
{
    static const uint32_t all_counts[] = {10000, 100000, 1000000};
    bool quick = false;
    uint32_t only = 0;
    int patience = 0;
    const char *csv_name = NULL, *word = "", *scene_name = "";
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--quick") == 0)
            quick = true;
        else if (i + 1 < argc && strcmp(argv[i], "--bodies") == 0)
            only = (uint32_t)strtoul(argv[++i], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--scene") == 0)
            scene_name = argv[++i];
        else if (i + 1 < argc && strcmp(argv[i], "--peer") == 0)
            word = argv[++i];
        else if (i + 1 < argc && strcmp(argv[i], "--patience") == 0)
            patience = (int)strtol(argv[++i], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--csv") == 0)
            csv_name = argv[++i];
        else {
            fprintf(stderr, "usage: bench_pairs [--quick] [--bodies N] [--scene NAME] [--peer WORD] "
                            "[--patience SECONDS] [--csv FILE]\n");
            return 2;
        }
    FILE *csv = csv_name != NULL ? fopen(csv_name, "w") : NULL;
    if (csv_name != NULL && csv == NULL) {
        fprintf(stderr, "bench_pairs: cannot write %s\n", csv_name);
        return 2;
    }
    if (csv != NULL)
        fprintf(csv, "scene,bodies,pairs,peer,mean_ms,most_ms,create_ms,bytes_a_body,frames,wrong_pairs\n");
    for (int how = 0; how < MOTIONS; how++)
        for (size_t c = 0; c < (only > 0 ? 1 : quick ? 1 : 3); c++) {
            const uint32_t count = only > 0 ? only : all_counts[c];
            const int patient = patience > 0 ? patience : quick ? QUICK_PATIENCE : PATIENCE;
            const int frames = quick ? 16 : count > 200000 ? 29 : 50;
            expectation expected = {.known = false};
            if (*scene_name != '\0' && strcmp(scene_name, motion_names[how]) != 0)
                continue;
            for (size_t i = 0; i < PEERS; i++) {
                const peer *p = peers[i];
                if (count > p->most || (quick && p->most <= QUICK_MOST) || (how == JUMP && count > p->most_teleport) ||
                    strstr(p->name, word) == NULL)
                    continue;
                const bool first = !expected.known;
                const figures f = measure(p, (motion)how, count, frames, patient, &expected);
                if (first)
                    printf("%s, %u bodies, %zu pairs\n%-24s %10s %10s %10s %8s\n", motion_names[how], count,
                           expected.pairs, "", "mean ms", "most ms", "create ms", "B/body");
                printf("%-24s %10.3f %10.3f %10.2f %8.0f", p->name, f.mean, f.most, f.create, f.bytes);
                if (f.wrong != 0)
                    printf("  %ld pairs", f.wrong);
                printf("\n");
                fflush(stdout);
                if (csv != NULL)
                    fprintf(csv, "%s,%u,%zu,\"%s\",%.4f,%.4f,%.4f,%.0f,%d,%ld\n", motion_names[how], count,
                            expected.pairs, p->name, f.mean, f.most, f.create, f.bytes, f.frames, f.wrong);
            }
        }
    if (csv != NULL && fclose(csv) != 0) {
        fprintf(stderr, "bench_pairs: cannot write %s\n", csv_name);
        return 2;
    }
    return 0;
}
