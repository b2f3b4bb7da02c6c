// SPDX-License-Identifier: MIT
// The benchmark `peers`: the same queries to Graze and other libraries, in one run (docs/reference/performance.md).
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_QUERIES = 1 << 16,
    SECONDS_A_WAY = 300
};

static const char usage[] =
    "usage: peers [--quick] [--rows W1,W2,…] [--peers graze,fcl,…] [--csv FILE] [--plot FILE.png] "
    "[--mesh-large FILE] [--data FOLDER]\n"
    "  --quick         under a minute: fewer queries, smaller meshes in W2, pairs500k and build, growth to 64K\n"
    "  --rows          only these, listed below, or parts of them (\"W2 pairs\"); ends with what was wrong over them\n"
    "  --peers         only these\n"
    "  --csv           write all figures to a file\n"
    "  --plot          draw the ratios, by gnuplot where it is installed; needs --csv\n"
    "  --mesh-large    a file with the mesh for W2 and build, in place of generated ones\n"
    "  --data          where the sample meshes are; " PEERS_DATA " unless given\n";

#define PEER(name) peer_##name,
#define ABSENT(name)
static peer_list (*const adapters[])(void) = {
#include "peers_list.h"
};
#undef PEER
#undef ABSENT

// Libraries that were not found when this was built; NULL ends the list.
#define PEER(name)
#define ABSENT(name) #name,
static const char *const absent[] = {
#include "peers_list.h"
    NULL};
#undef PEER
#undef ABSENT

#define ROWS(name) rows_##name,
static row_list (*const row_groups[])(void) = {
#include "rows/row_list.h"
};
#undef ROWS

static void print_rows(FILE *out)
{
    const char *last = "";
    fprintf(out, "rows:");
    for (size_t i = 0; i < sizeof row_groups / sizeof *row_groups; i++) {
        const row_list list = row_groups[i]();
        for (size_t k = 0; k < list.count; last = list.items[k++].name)
            if (strcmp(list.items[k].name, last) != 0)
                fprintf(out, " %s", list.items[k].name);
    }
    fprintf(out, "\n");
}

static void print_usage(FILE *out)
{
    const char *last = "";
    fprintf(out, "%s", usage);
    print_rows(out);
    fprintf(out, "peers in this build:");
    for (size_t i = 0; i < sizeof adapters / sizeof *adapters; i++) {
        const peer_list list = adapters[i]();
        for (size_t k = 0; k < list.count; last = list.items[k++].library)
            if (strcmp(list.items[k].library, last) != 0)
                fprintf(out, " %s", list.items[k].library);
    }
    fprintf(out, "\n");
}

// Whether `name` is one of the words of a list with commas; everything is in no list.
static bool listed(const char *list, const char *name)
{
    const size_t length = strlen(name);
    if (!list)
        return true;
    for (const char *word = list; *word;) {
        const size_t end = strcspn(word, ",");
        if (end == length && strncmp(word, name, length) == 0)
            return true;
        word += end + (word[end] == ',');
    }
    return false;
}

// Print the libraries that were asked for and are not in this build, on one line that begins with `start`.
static void print_absent(const settings *set, const char *start)
{
    bool any = false;
    for (size_t i = 0; absent[i]; i++)
        if (listed(set->libraries, absent[i])) {
            printf("%s%s", any ? ", " : start, absent[i]);
            any = true;
        }
    if (any)
        printf("\n");
}

static _Noreturn void misuse(const char *what)
{
    fprintf(stderr, "peers: %s\n", what);
    print_usage(stderr);
    exit(2);
}

static bool is_word(const char *text, const char *word, size_t length)
{
    return strlen(text) == length && strncmp(text, word, length) == 0;
}

static bool is_row(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof row_groups / sizeof *row_groups; i++) {
        const row_list list = row_groups[i]();
        for (size_t k = 0; k < list.count; k++)
            if (is_word(list.items[k].name, name, length) || is_word(list.items[k].label, name, length))
                return true;
    }
    return false;
}

// Every word of --rows must be a row: a misspelt one would be left out without a word.
static void check_rows(const char *rows)
{
    for (const char *word = rows;; word++) {
        const size_t length = strcspn(word, ",");
        if (!is_row(word, length)) {
            fprintf(stderr, "peers: --rows: there is no row \"%.*s\"\n", (int)length, word);
            print_rows(stderr);
            exit(2);
        }
        word += length;
        if (*word == '\0')
            return;
    }
}

static settings read_options(int count, char **arguments)
{
    settings set = {.data = PEERS_DATA};
    for (int i = 1; i < count; i++) {
        const struct {
            const char *name;
            const char **value;
        } options[] = {{"--rows", &set.rows}, {"--peers", &set.libraries},  {"--csv", &set.csv},
                       {"--plot", &set.plot}, {"--mesh-large", &set.large}, {"--data", &set.data}};
        size_t found = 0;
        while (found < sizeof options / sizeof *options && strcmp(arguments[i], options[found].name) != 0)
            found++;
        if (found < sizeof options / sizeof *options) {
            if (++i == count)
                misuse("an option lacks its value");
            *options[found].value = arguments[i];
        } else if (strcmp(arguments[i], "--quick") == 0) {
            set.quick = true;
        } else if (strcmp(arguments[i], "--help") == 0) {
            print_usage(stdout);
            exit(0);
        } else {
            misuse("an option that is not known");
        }
    }
    if (set.plot && !set.csv)
        misuse("--plot needs --csv");
    if (set.rows)
        check_rows(set.rows);
    set.passes = set.quick ? 2 : 5;
    set.budget = set.quick ? 0.1 : 6;
    return set;
}

typedef struct job {
    const row *row;
    row_work work;
} job;

static void run_job(void *context, figures *out)
{
    const job *j = context;
    const peer *p = j->work.peer;
    settings set = *j->work.set;
    row_work work = j->work;
    work.set = &set;
    if (p->flags & PEER_PLACED && !set.quick) // most of the time is not measured
        set.budget *= 4;
    measure_pin(p->threads);
    if (p->start)
        p->start(p->threads);
    j->row->measure(&work, out);
}

// All ways of the selected libraries, and the sums of their mistakes.
typedef struct contender {
    const peer *peer;
    figures sums;
} contender;

static contender contenders[64];
static size_t contender_count;

static void gather_contenders(const settings *set)
{
    for (size_t i = 0; i < sizeof adapters / sizeof *adapters; i++) {
        const peer_list list = adapters[i]();
        for (size_t k = 0; k < list.count; k++)
            if (listed(set->libraries, list.items[k].library) &&
                contender_count < sizeof contenders / sizeof *contenders)
                contenders[contender_count++].peer = &list.items[k];
    }
    if (contender_count == 0)
        peer_die("none of these libraries is in this build");
}

static void add_up(figures *sums, const figures *f)
{
    if (f->trouble[0])
        return;
    sums->asked += f->asked;
    sums->wrong_no += f->wrong_no;
    sums->wrong_yes += f->wrong_yes;
    sums->true_pairs += f->true_pairs;
    sums->missing += f->missing;
    sums->invented += f->invented;
    sums->by_rounding += f->by_rounding;
}

static void run_row(const settings *set, const row *r, FILE *csv)
{
    char about[256];
    job j = {.row = r, .work = {.set = set}};
    j.work.data = r->prepare(set, r->subject, about);
    if (!j.work.data) {
        printf("\n%s: left out by --quick\n", r->label);
        return;
    }
    if (r->queries(j.work.data) > MAX_QUERIES)
        peer_die("more queries than there is room for");
    j.work.reference = measure_share(MAX_QUERIES * sizeof *j.work.reference);
    report_row(r, about);
    for (size_t i = 0; i < contender_count; i++) {
        const peer *p = contenders[i].peer;
        if (!r->can(p))
            continue;
        figures *out = measure_share(sizeof *out);
        out->part = out->build_ns = (double)NAN;
        j.work.peer = p;
        j.work.is_reference = strcmp(p->name, "Graze") == 0;
        measure_in_child(run_job, &j, SECONDS_A_WAY, out);
        report_figures(r, p, out);
        report_csv(csv, set, r, p, out);
        add_up(&contenders[i].sums, out);
    }
    print_absent(set, "  not installed: ");
}

static void run_truth(const settings *set, FILE *csv)
{
    static const row truth = {.name = "truth", .label = "truth", .title = "over all rows"};
    report_truth_heading();
    for (size_t i = 0; i < contender_count; i++) {
        figures *f = &contenders[i].sums;
        f->mean = f->hit = f->clear = f->first = f->part = f->ratio = f->build_ms = f->build_ns = f->bytes =
            (double)NAN;
        if (f->asked == 0)
            continue;
        report_truth(contenders[i].peer, f);
        report_csv(csv, set, &truth, contenders[i].peer, f);
    }
}

int main(int count, char **arguments)
{
    const settings set = read_options(count, arguments);
    FILE *csv = report_csv_open(&set);
    gather_contenders(&set);
    report_heading(&set);
    for (size_t i = 0; i < sizeof row_groups / sizeof *row_groups; i++) {
        const row_list list = row_groups[i]();
        for (size_t k = 0; k < list.count; k++)
            if (listed(set.rows, list.items[k].name) || listed(set.rows, list.items[k].label))
                run_row(&set, &list.items[k], csv);
    }
    run_truth(&set, csv);
    if (csv && fclose(csv) != 0)
        peer_die("the CSV file could not be written");
    return report_plot(&set) ? 0 : 1;
}
