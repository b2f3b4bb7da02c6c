// SPDX-License-Identifier: MIT
// Runs every case of cases.c in every way of one library and prints the answers beside the right ones. Each case runs
// in its own process, so that a crash or a hang can be reported like an answer. The right pairs are Graze's exact list
// for the positions that the library got, rounded to float if it stores floats. answers_cgal confirms those lists with
// CGAL's exact numbers.
#include "cases.h"

#include <graze/graze.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    SECONDS_A_QUESTION = 20
};

// The answer for one order of the meshes. It goes through a pipe, so it has no pointers.
typedef struct verdict {
    peers_word touches;
    bool lists_pairs;
    uint32_t entries, pairs, missing, extra; // entries as the library gave them; pairs: different ones
    uint32_t true_pairs;
    peers_word truth;
    char remark[160];
} verdict;

typedef struct outcome {
    verdict straight, swapped;
    bool same_pairs; // the swapped order gave the same pairs
} outcome;

static const char *const words[] = {"no", "yes", "-"};

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "peers_answers: %s\n", what);
    exit(2);
}

void peers_add_pair(peers_answer *answer, uint32_t a, uint32_t b)
{
    if (answer->pair_count == PEERS_MAX_PAIRS)
        die("more pairs than there is room for");
    uint32_t *pair = answer->pairs[answer->pair_count++];
    pair[0] = a, pair[1] = b;
    answer->lists_pairs = true;
}

static int compare_pairs(const void *x, const void *y)
{
    const uint32_t *p = x, *q = y;
    if (p[0] != q[0])
        return p[0] < q[0] ? -1 : 1;
    return (p[1] > q[1]) - (p[1] < q[1]);
}

// Sort, and remove duplicates. @return how many are left
static uint32_t sort_pairs(uint32_t (*pairs)[2], uint32_t count)
{
    uint32_t kept = 0;
    if (count > 0)
        qsort(pairs, count, sizeof *pairs, compare_pairs);
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || compare_pairs(pairs[i], pairs[kept - 1]) != 0) {
            pairs[kept][0] = pairs[i][0];
            pairs[kept++][1] = pairs[i][1];
        }
    return kept;
}

// How many pairs of the first list are not in the second; both sorted.
static uint32_t not_in(uint32_t (*pairs)[2], uint32_t count, uint32_t (*others)[2], uint32_t other_count)
{
    uint32_t lacking = 0, j = 0;
    for (uint32_t i = 0; i < count; i++) {
        while (j < other_count && compare_pairs(others[j], pairs[i]) < 0)
            j++;
        lacking += j == other_count || compare_pairs(others[j], pairs[i]) != 0;
    }
    return lacking;
}

static grz_mesh *upload(grz_device *device, const peers_mesh *mesh)
{
    grz_mesh_description description = grz_default_mesh_description();
    grz_mesh *uploaded = NULL;
    grz_error error;
    description.positions = mesh->positions, description.position_type = GRZ_FLOAT64;
    description.vertex_count = mesh->vertex_count;
    description.indices = mesh->triangles[0], description.index_count = 3 * (uint64_t)mesh->triangle_count;
    description.face_count = mesh->triangle_count;
    if (grz_mesh_create(device, &description, &uploaded, &error) != GRZ_OK)
        die(error.message);
    return uploaded;
}

// Graze's answer; `b` NULL: self-collision. Compares with nothing.
static void ask_graze(const peers_mesh *a, const peers_mesh *b, peers_answer *answer)
{
    grz_device *device = NULL;
    grz_result *result = NULL;
    grz_error error;
    if (grz_device_open(NULL, &device, &error) != GRZ_OK || grz_result_create(device, &result, &error) != GRZ_OK)
        die(error.message);
    grz_mesh *mesh_a = upload(device, a), *mesh_b = b ? upload(device, b) : NULL;
    const grz_object object_a = grz_object_at_origin(mesh_a), object_b = grz_object_at_origin(mesh_b);
    const grz_status status = b ? grz_collide(device, &object_a, &object_b, NULL, result, &error)
                                : grz_collide_self(device, &object_a, NULL, result, &error);
    if (status != GRZ_OK)
        die(error.message);
    static const char *const relations[] = {"apart", "colliding", "overlapping", "a inside b", "b inside a"};
    const grz_summary *summary = grz_result_summary(result);
    uint64_t count;
    const grz_pair *pairs = grz_result_pairs(result, &count);
    answer->touches = summary->relation == GRZ_COLLIDING ? PEERS_YES : PEERS_NO;
    answer->lists_pairs = true;
    for (uint64_t i = 0; i < count; i++)
        peers_add_pair(answer, pairs[i].face_a, pairs[i].face_b);
    snprintf(answer->remark, sizeof answer->remark, "%s; crossing %llu, touching %llu, coplanar %llu",
             relations[summary->relation], (unsigned long long)summary->kinds[GRZ_CROSSING],
             (unsigned long long)summary->kinds[GRZ_TOUCHING], (unsigned long long)summary->kinds[GRZ_COPLANAR]);
    grz_result_destroy(result);
    grz_mesh_destroy(mesh_a);
    grz_mesh_destroy(mesh_b);
    grz_device_close(device);
}

void peers_ask_graze(const peers_mesh *a, const peers_mesh *b, peers_answer *answer)
{
    ask_graze(a, b, answer);
}

void peers_ask_graze_self(const peers_mesh *mesh, peers_answer *answer)
{
    ask_graze(mesh, NULL, answer);
}

static peers_answer empty_answer(void)
{
    peers_answer answer = {.touches = PEERS_CANNOT_SAY, .pairs = calloc(PEERS_MAX_PAIRS, sizeof *answer.pairs)};
    if (!answer.pairs)
        die("out of memory");
    return answer;
}

static void round_to_float(peers_mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        for (uint32_t j = 0; j < 3; j++)
            mesh->positions[i][j] = (double)(float)mesh->positions[i][j];
}

// Query in one order and judge the answer. The pairs stay in `answer`, sorted and without duplicates.
static verdict judge(const peers_way *way, const peers_mesh *a, const peers_mesh *b, peers_answer *answer)
{
    peers_answer truth = empty_answer();
    ask_graze(a, b, &truth);
    truth.pair_count = sort_pairs(truth.pairs, truth.pair_count);
    if (b)
        way->ask(a, b, answer);
    else
        way->ask_self(a, answer);
    verdict out = {.touches = answer->touches, .lists_pairs = answer->lists_pairs, .entries = answer->pair_count};
    for (uint32_t i = 0; !b && i < answer->pair_count; i++)
        if (answer->pairs[i][0] > answer->pairs[i][1]) {
            const uint32_t low = answer->pairs[i][1];
            answer->pairs[i][1] = answer->pairs[i][0];
            answer->pairs[i][0] = low;
        }
    answer->pair_count = sort_pairs(answer->pairs, answer->pair_count);
    out.pairs = answer->pair_count;
    out.true_pairs = truth.pair_count;
    out.truth = truth.touches;
    out.missing = not_in(truth.pairs, truth.pair_count, answer->pairs, answer->pair_count);
    out.extra = not_in(answer->pairs, answer->pair_count, truth.pairs, truth.pair_count);
    snprintf(out.remark, sizeof out.remark, "%s", answer->remark);
    free(truth.pairs);
    return out;
}

static outcome ask_both_orders(const peers_case *question, unsigned variant, const peers_way *way)
{
    static peers_mesh a, b;
    outcome out = {.same_pairs = true};
    peers_build(question, variant, &a, &b);
    if (way->single_precision) {
        round_to_float(&a);
        round_to_float(&b);
    }
    peers_answer straight = empty_answer();
    out.straight = judge(way, &a, question->self ? NULL : &b, &straight);
    out.swapped = out.straight;
    if (!question->self) {
        peers_answer swapped = empty_answer();
        out.swapped = judge(way, &b, &a, &swapped);
        for (uint32_t i = 0; i < swapped.pair_count; i++) {
            const uint32_t first = swapped.pairs[i][0];
            swapped.pairs[i][0] = swapped.pairs[i][1];
            swapped.pairs[i][1] = first;
        }
        sort_pairs(swapped.pairs, swapped.pair_count);
        out.same_pairs = straight.pair_count == swapped.pair_count &&
                         not_in(straight.pairs, straight.pair_count, swapped.pairs, swapped.pair_count) == 0;
        free(swapped.pairs);
    }
    free(straight.pairs);
    return out;
}

// Query in a child process, whose output is discarded. @return false if the child died; `how` says how
static bool ask_in_child(const peers_case *question, unsigned variant, const peers_way *way, outcome *out, char how[64])
{
    int ends[2];
    fflush(NULL);
    if (pipe(ends) != 0)
        die(strerror(errno));
    const pid_t child = fork();
    if (child < 0)
        die(strerror(errno));
    if (child == 0) {
        const int nowhere = open("/dev/null", O_WRONLY);
        if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0 ||
            (!getenv("PEERS_STDERR") && dup2(nowhere, STDERR_FILENO) < 0))
            _exit(2);
        alarm(SECONDS_A_QUESTION);
        const outcome answer = ask_both_orders(question, variant, way);
        _exit(write(ends[1], &answer, sizeof answer) == (ssize_t)sizeof answer ? 0 : 2);
    }
    close(ends[1]);
    const bool whole = read(ends[0], out, sizeof *out) == (ssize_t)sizeof *out;
    close(ends[0]);
    int status = 0;
    if (waitpid(child, &status, 0) != child)
        die(strerror(errno));
    if (whole)
        return true;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        snprintf(how, 64, "no answer in %d s", SECONDS_A_QUESTION);
    else if (WIFSIGNALED(status))
        snprintf(how, 64, "died of signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(how, 64, "ended with status %d", WEXITSTATUS(status));
    return false;
}

static void print_verdict(const verdict *v, bool boxes_only)
{
    printf(" %-4s", v->touches == PEERS_CANNOT_SAY ? "-" : words[v->touches]);
    if (!v->lists_pairs)
        printf(" (no list of pairs)");
    else if (v->pairs == v->true_pairs && v->missing == 0)
        printf(" %u pairs, all", v->pairs);
    else
        printf(" %u pairs, missing %u, %s %u", v->pairs, v->missing, boxes_only ? "more than touch" : "invented",
               v->extra);
    if (v->entries > v->pairs)
        printf(" (in %u entries)", v->entries);
}

typedef struct tally {
    unsigned asked, right, said_no, said_yes, unanswered, lists, exact_lists, short_lists, swap_changed;
} tally;

static bool swap_changed(const outcome *out)
{
    return out->swapped.touches != out->straight.touches || (out->straight.lists_pairs && !out->same_pairs);
}

static void count(tally *sum, const outcome *out)
{
    const verdict *v = &out->straight;
    sum->asked++;
    if (v->touches == PEERS_CANNOT_SAY)
        sum->unanswered++;
    else if (v->touches == v->truth)
        sum->right++;
    else if (v->touches == PEERS_NO)
        sum->said_no++;
    else
        sum->said_yes++;
    sum->lists += v->lists_pairs;
    sum->exact_lists += v->lists_pairs && v->missing == 0 && v->extra == 0;
    sum->short_lists += v->lists_pairs && v->missing > 0;
    sum->swap_changed += swap_changed(out);
}

static void add(tally *sum, const tally *part)
{
    sum->asked += part->asked, sum->right += part->right, sum->said_no += part->said_no,
        sum->said_yes += part->said_yes;
    sum->unanswered += part->unanswered, sum->lists += part->lists, sum->exact_lists += part->exact_lists;
    sum->short_lists += part->short_lists, sum->swap_changed += part->swap_changed;
}

static void print_tally(const tally *sum)
{
    if (sum->unanswered < sum->asked)
        printf("right in %u of %u (wrong no %u, wrong yes %u, no answer %u)", sum->right, sum->asked, sum->said_no,
               sum->said_yes, sum->unanswered);
    else
        printf("no answer in %u of %u", sum->unanswered, sum->asked);
    if (sum->lists > 0)
        printf("; of %u lists of pairs %u right, %u lack some", sum->lists, sum->exact_lists, sum->short_lists);
    printf("; swapping changed %u\n", sum->swap_changed);
}

static tally ask_once(const peers_case *question, const peers_way *way)
{
    tally sum = {0};
    outcome out;
    char how[64];
    if (!ask_in_child(question, 0, way, &out, how)) {
        printf("truth %-3s:      %s\n", words[question->truth.touches], how);
        sum.asked = sum.unanswered = 1;
        return sum;
    }
    count(&sum, &out);
    printf("truth %-3s %3u%c:", words[out.straight.truth], out.straight.true_pairs,
           out.straight.truth == question->truth.touches ? ' ' : '*');
    print_verdict(&out.straight, way->boxes_only);
    if (swap_changed(&out)) {
        printf("; swapped:");
        print_verdict(&out.swapped, way->boxes_only);
    }
    printf("%s%s\n", out.straight.remark[0] ? "; " : "", out.straight.remark);
    return sum;
}

static tally ask_variants(const peers_case *question, const peers_way *way)
{
    tally sum = {0};
    for (unsigned variant = 0; variant < peers_variant_count(question); variant++) {
        outcome out;
        char how[64];
        if (ask_in_child(question, variant, way, &out, how))
            count(&sum, &out);
        else
            sum.asked++, sum.unanswered++;
    }
    printf("truth %-3s     : ", words[question->truth.touches]);
    print_tally(&sum);
    return sum;
}

static void ask_way(const peers_way *way)
{
    tally once = {0}, many = {0}, self = {0};
    printf("\n%s\n", way->name);
    for (size_t i = 0; i < peers_case_count; i++) {
        const peers_case *question = &peers_cases[i];
        const bool varied = peers_variant_count(question) > 1;
        if (question->self ? !way->ask_self : !way->ask)
            continue;
        printf("  %-20s ", question->name);
        const tally sum = varied ? ask_variants(question, way) : ask_once(question, way);
        add(question->self ? &self : varied ? &many : &once, &sum);
    }
    const tally *sums[] = {&once, &many, &self};
    static const char *const names[] = {"two meshes", "random", "one mesh"};
    for (int i = 0; i < 3; i++)
        if (sums[i]->asked > 0) {
            printf("  = %s: ", names[i]);
            print_tally(sums[i]);
        }
}

int peers_run(const char *library, const peers_way *ways, size_t way_count)
{
    printf("%s\n", library);
    printf("truth: do the surfaces touch, in how many pairs of triangles; * the answer for these positions rounded to "
           "float\n");
    for (size_t i = 0; i < way_count; i++)
        ask_way(&ways[i]);
    return 0;
}
