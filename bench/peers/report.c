// SPDX-License-Identifier: MIT
// Table, CSV and plot.
#include "report.h"

#include "peers_build.h" // made by CMake: PEERS_COMMIT, PEERS_COMPILER, PEERS_FLAGS

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// The processor's name, without commas.
static const char *machine(void)
{
    static char name[128] = "unknown processor";
    char line[256];
    FILE *info = fopen("/proc/cpuinfo", "r");
    if (!info)
        return name;
    while (fgets(line, sizeof line, info)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon) {
            snprintf(name, sizeof name, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    fclose(info);
    for (char *c = name; *c; c++)
        *c = *c == ',' ? ' ' : *c;
    return name;
}

static const char *today(void)
{
    static char text[16];
    const time_t now = time(NULL);
    struct tm parts;
    if (!gmtime_r(&now, &parts) || strftime(text, sizeof text, "%Y-%m-%d", &parts) == 0)
        return "unknown";
    return text;
}

void report_heading(const settings *set)
{
    printf("peers: %s, %ld cores; %s; commit %s; %s%s\n", machine(), sysconf(_SC_NPROCESSORS_ONLN), PEERS_COMPILER,
           PEERS_COMMIT, today(),
           set->quick ? "; quick: fewer queries, smaller meshes in W2, pairs500k and build" : "");
    printf("adapters built with %s; each way pinned, in a process of its own; each query timed alone, median of %d "
           "passes, then the\n"
           "mean over the queries; first: the pass before them. Microseconds unless said; reading the clock adds %.3f "
           "to each.\n"
           "ratio: time over Graze's for the same queries. * no transforms: the moved mesh is put in before the clock "
           "starts.\n",
           PEERS_FLAGS, set->passes, measure_clock_cost());
}

void report_row(const row *r, const char *about)
{
    printf("\n%s: %s\n  (%s)\n", r->label, r->title, about);
    printf("  %-26s %11s %9s %9s %11s %7s %10s %7s %23s %9s %7s %7s%s%s\n", "", "mean", "hits", "free", "first",
           "ratio", "asked", "wrong", "pairs: missing/invented", "build ms", "ns/tri", "B/tri", r->part ? "  " : "",
           r->part ? r->part : "");
    fflush(stdout);
}

// A number to four digits or so, or a dash.
static const char *number(double x, char text[16])
{
    if (isnan(x))
        snprintf(text, 16, "-");
    else
        snprintf(text, 16, "%.*f", fabs(x) < 10 ? 3 : fabs(x) < 100 ? 2 : fabs(x) < 1000 ? 1 : 0, x);
    return text;
}

void report_figures(const row *r, const peer *p, const figures *f)
{
    char name[64], mean[16], hit[16], miss[16], first[16], ratio[16], build[16], each[16], bytes[16], part[16],
        asked[32], pairs[64] = "-";
    snprintf(name, sizeof name, "%s%s", p->name, p->flags & PEER_PLACED ? " *" : "");
    if (f->trouble[0]) {
        printf("  %-26s no answer: %s\n", name, f->trouble);
        fflush(stdout);
        return;
    }
    snprintf(asked, sizeof asked, "%u/%u", f->asked, f->total);
    if (f->lists)
        snprintf(pairs, sizeof pairs, "%llu: %llu/%llu", (unsigned long long)f->true_pairs,
                 (unsigned long long)f->missing, (unsigned long long)f->invented);
    printf("  %-26s %11s %9s %9s %11s %7s %10s %7u %23s %9s %7s %7s", name, number(f->mean, mean), number(f->hit, hit),
           number(f->clear, miss), number(f->first, first), number(f->ratio, ratio), asked, f->wrong_no + f->wrong_yes,
           pairs, number(f->build_ms, build), number(f->build_ns, each), number(f->bytes, bytes));
    if (r->part)
        printf("  %s", number(f->part, part));
    if (f->by_rounding > 0)
        printf("  (%llu of these as the positions rounded to float have it)", (unsigned long long)f->by_rounding);
    printf("\n");
    fflush(stdout);
}

void report_truth_heading(void)
{
    printf("\ntruth: wrong verdicts and pairs over all rows\n");
    printf("  %-26s %10s %10s %10s %12s %10s %10s %12s\n", "", "answers", "wrong no", "wrong yes", "true pairs",
           "missing", "invented", "by rounding");
}

void report_truth(const peer *p, const figures *f)
{
    printf("  %-26s %10u %10u %10u %12llu %10llu %10llu %12llu\n", p->name, f->asked, f->wrong_no, f->wrong_yes,
           (unsigned long long)f->true_pairs, (unsigned long long)f->missing, (unsigned long long)f->invented,
           (unsigned long long)f->by_rounding);
}

FILE *report_csv_open(const settings *set)
{
    if (!set->csv)
        return NULL;
    FILE *csv = fopen(set->csv, "w");
    if (!csv) {
        fprintf(stderr, "peers: %s: %s\n", set->csv, strerror(errno));
        exit(2);
    }
    fprintf(csv,
            "row,title,library,way,version,threads,transform_excluded,single_precision,mean_us,hit_us,free_us,"
            "first_us,part_us,"
            "ratio,asked,queries,hits,wrong_no,wrong_yes,true_pairs,missing,invented,by_rounding,build_ms,build_ns_"
            "per_triangle,bytes_per_triangle,trouble,"
            "machine,compiler,flags,commit,date,quick\n");
    return csv;
}

// A figure, or nothing where there is none.
static void field(FILE *csv, double x)
{
    if (isnan(x))
        fprintf(csv, ",");
    else
        fprintf(csv, ",%.6g", x);
}

void report_csv(FILE *csv, const settings *set, const row *r, const peer *p, const figures *f)
{
    if (!csv)
        return;
    const double times[] = {f->mean, f->hit, f->clear, f->first, f->part, f->ratio};
    fprintf(csv, "%s,\"%s\",%s,\"%s\",%s,%u,%d,%d", r->label, r->title, p->library, p->name, p->version, p->threads,
            (p->flags & PEER_PLACED) != 0, (p->flags & PEER_SINGLE) != 0);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        field(csv, f->trouble[0] ? (double)NAN : times[i]);
    fprintf(csv, ",%u,%u,%u,%u,%u,%llu,%llu,%llu,%llu", f->asked, f->total, f->hits, f->wrong_no, f->wrong_yes,
            (unsigned long long)f->true_pairs, (unsigned long long)f->missing, (unsigned long long)f->invented,
            (unsigned long long)f->by_rounding);
    field(csv, f->build_ms);
    field(csv, f->build_ns);
    field(csv, f->bytes);
    fprintf(csv, ",%s,%s,\"%s\",\"%s\",%s,%s,%d\n", f->trouble, machine(), PEERS_COMPILER, PEERS_FLAGS, PEERS_COMMIT,
            today(), set->quick);
    fflush(csv);
}

bool report_plot(const settings *set)
{
    int status = 0;
    char variables[8192];
    if (!set->plot)
        return true;
    snprintf(variables, sizeof variables, "csv='%s'; png='%s'", set->csv, set->plot);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        execlp("gnuplot", "gnuplot", "-e", variables, PEERS_SOURCE "/plot.gp", (char *)NULL);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        return false;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
        fprintf(stderr, "peers: gnuplot is not installed, so there is no plot\n");
        return true;
    }
    return status == 0;
}
