// SPDX-License-Identifier: MIT
// Measures method `slices`: its discrete answer against the figures of its paper (paper.c), its exact one against other libraries
// (exact.c); docs/slices.md has what came of it. Times are of one core; shaders and context start before any clock does. Meshes, poses
// and the other libraries are those of the benchmark `peers`.
// Usage: slices [--quick] [--parts PART,…] [--csv FILE] [--plot FILE.png]
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "peers_build.h"
#include "run.h"

static const struct {
    const char *name;
    void (*measure)(run *r);
} parts[] = {{"table1", table1}, {"figure4", figure4}, {"figure5", figure5}, {"deform", deform}, {"single", single},
             {"rates", rates},   {"outside", outside}, {"rebuild", rebuild}, {"batch", batch}};

static bool wanted(const run *r, const char *part)
{
    const size_t length = strlen(part);
    for (const char *at = r->parts; at != NULL && (at = strstr(at, part)) != NULL; at += length)
        if ((at == r->parts || at[-1] == ',') && (at[length] == ',' || at[length] == '\0'))
            return true;
    return r->parts == NULL;
}

static void parse(run *r, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char **value = strcmp(argv[i], "--parts") == 0  ? &r->parts
                             : strcmp(argv[i], "--csv") == 0  ? &r->csv_path
                             : strcmp(argv[i], "--plot") == 0 ? &r->plot_path
                                                              : NULL;
        if (strcmp(argv[i], "--quick") == 0) {
            r->quick = true;
        } else if (value == NULL || i + 1 == argc) {
            fprintf(stderr, "usage: slices [--quick] [--parts table1,figure4,figure5,deform,single,rates,outside,rebuild,batch]\n"
                            "              [--csv FILE] [--plot FILE.png]\n");
            exit(2);
        } else {
            *value = argv[++i];
        }
    }
}

static void plot(const run *r)
{
    char variables[2048];
    if (r->plot_path == NULL)
        return;
    snprintf(variables, sizeof variables, "csv='%s'; png='%s'; renderer='%s'", r->csv_path, r->plot_path, r->renderer.name);
    const pid_t child = fork();
    if (child == 0) {
        execlp("gnuplot", "gnuplot", "-e", variables, SLICES_SOURCE "/plot.gp", (char *)NULL);
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0)
        fprintf(stderr, "slices: gnuplot failed or is not installed, so there is no plot\n");
}

int main(int argc, char **argv)
{
    run r = {0};
    grz_device_options options = grz_default_device_options();
    grz_error error;
    parse(&r, argc, argv);
    if (r.plot_path != NULL && r.csv_path == NULL)
        peer_die("--plot draws what --csv writes: give both");
    if (r.csv_path != NULL && (r.csv = fopen(r.csv_path, "w")) == NULL)
        peer_die("the CSV file cannot be written");
    measure_pin(1);
    options.kind = GRZ_DEVICE_GL;
    options.threads = 1;
    check(grz_device_open(&options, &r.device, &error), &error);
    check(grz_device_renderer(r.device, &r.renderer, &error), &error);
    check(grz_result_create(r.device, &r.result, &error), &error);
    printf("slices: %s (%s), OpenGL %s; one core; %s; commit %s%s\n", r.renderer.name,
           r.renderer.software ? "software" : "hardware", r.renderer.version, PEERS_COMPILER, PEERS_COMMIT,
           r.quick ? "; quick: fewer placements, rounds and sizes" : "");
    if (r.renderer.software)
        printf("not run on a GPU\n");
    if (r.csv != NULL)
        fprintf(r.csv, "part,name,x,value,least,most,missed,invented,paper\n");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (wanted(&r, parts[i].name)) {
            parts[i].measure(&r);
            fflush(stdout);
        }
    if (r.csv != NULL)
        fclose(r.csv);
    plot(&r);
    grz_result_destroy(r.result);
    grz_device_close(r.device);
    return 0;
}
