// SPDX-License-Identifier: MIT
// The main of the benchmarks of methods of images (run.h).
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "peers_build.h"
#include "run.h"

static bool wanted(const run *r, const char *part)
{
    const size_t length = strlen(part);
    for (const char *at = r->parts; at != NULL && (at = strstr(at, part)) != NULL; at += length)
        if ((at == r->parts || at[-1] == ',') && (at[length] == ',' || at[length] == '\0'))
            return true;
    return r->parts == NULL;
}

static void parse(run *r, int argc, char **argv, const bench_part *parts, size_t part_count)
{
    for (int i = 1; i < argc; i++) {
        const char **value = strcmp(argv[i], "--parts") == 0  ? &r->parts
                             : strcmp(argv[i], "--csv") == 0  ? &r->csv_path
                             : strcmp(argv[i], "--plot") == 0 ? &r->plot_path
                                                              : NULL;
        if (strcmp(argv[i], "--quick") == 0) {
            r->quick = true;
        } else if (value == NULL || i + 1 == argc) {
            fprintf(stderr, "usage: %s [--quick] [--parts PART,...] [--csv FILE] [--plot FILE.png]\nparts:", r->method);
            for (size_t k = 0; k < part_count; k++)
                fprintf(stderr, " %s", parts[k].name);
            fprintf(stderr, "\n");
            exit(2);
        } else {
            *value = argv[++i];
        }
    }
}

static void plot(const run *r, const char *source)
{
    char variables[2048], script[2048];
    if (r->plot_path == NULL)
        return;
    snprintf(variables, sizeof variables, "csv='%s'; png='%s'; renderer='%s'", r->csv_path, r->plot_path,
             r->renderer.name);
    snprintf(script, sizeof script, "%s/plot.gp", source);
    const pid_t child = fork();
    if (child == 0) {
        execlp("gnuplot", "gnuplot", "-e", variables, script, (char *)NULL);
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0)
        fprintf(stderr, "%s: gnuplot failed or is not installed, so there is no plot\n", r->method);
}

int run_parts(run *r, int argc, char **argv, const bench_part *parts, size_t part_count, const char *columns,
              const char *source)
{
    grz_device_options options = grz_default_device_options();
    grz_error error;
    parse(r, argc, argv, parts, part_count);
    if (r->plot_path != NULL && r->csv_path == NULL)
        peer_die("--plot draws what --csv writes: give both");
    if (r->csv_path != NULL && (r->csv = fopen(r->csv_path, "w")) == NULL)
        peer_die("the CSV file cannot be written");
    measure_pin(1);
    options.kind = GRZ_DEVICE_GL;
    options.threads = 1;
    check(grz_device_open(&options, &r->device, &error), &error);
    check(grz_device_renderer(r->device, &r->renderer, &error), &error);
    if (!r->renderer.software)
        measure_by_wall();
    check(grz_result_create(r->device, &r->result, &error), &error);
    printf("%s: %s (%s), OpenGL %s; one core; %s; commit %s%s\n", r->method, r->renderer.name,
           r->renderer.software ? "software" : "hardware", r->renderer.version, PEERS_COMPILER, PEERS_COMMIT,
           r->quick ? "; quick: fewer rounds and sizes" : "");
    if (r->renderer.software)
        printf("not run on a GPU\n");
    if (r->csv != NULL)
        fprintf(r->csv, "%s\n", columns);
    for (size_t i = 0; i < part_count; i++)
        if (wanted(r, parts[i].name)) {
            parts[i].measure(r);
            fflush(stdout);
        }
    if (r->csv != NULL)
        fclose(r->csv);
    plot(r, source);
    grz_result_destroy(r->result);
    grz_device_close(r->device);
    return 0;
}
