// SPDX-License-Identifier: MIT
// The time that the tool takes as a process: `graze --version`, and `graze check` of two tetrahedra. Every run is a
// new process, from posix_spawn() until it has ended; the commands take turns, and the first round is not counted.
// Beside them a process that does nothing: what the system itself takes. Also what makes a start slow: libraries,
// relocations (as glibc's loader counts them), page faults (docs/reference/performance.md).
// Usage: bench_process [--runs N] [--csv FILE] [TOOL]; two small files go to $TMPDIR or /tmp, and are removed.
#define _GNU_SOURCE // wait4
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum {
    MAX_ARGUMENTS = 8,
    MAX_RUNS = 100000,
    PATH_SIZE = 512
};

typedef struct command {
    const char *label;
    const char *arguments[MAX_ARGUMENTS];              // the program's path first; ends with NULL
    int status;                                        // the exit status that is right
    double *wall, *processor;                          // microseconds, one for each run
    long faults;                                       // page faults served without a disk, in the last run
    long libraries, relocations, relative_relocations; // -1: the loader does not tell
} command;

static _Noreturn void fail(const char *what, const char *why)
{
    fprintf(stderr, "bench_process: %s: %s\n", what, why);
    exit(2);
}

static double microseconds(struct timeval time)
{
    return 1e6 * (double)time.tv_sec + (double)time.tv_usec;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

// Run a command once; its output goes to `output`.
static void run(command *c, int output, char *const *environment, double *wall, double *processor)
{
    posix_spawn_file_actions_t actions;
    struct rusage usage;
    pid_t child;
    int status, code;
    if (posix_spawn_file_actions_init(&actions) != 0 || posix_spawn_file_actions_adddup2(&actions, output, 1) != 0 ||
        posix_spawn_file_actions_adddup2(&actions, output, 2) != 0)
        fail(c->label, "out of memory");
    const double start = now();
    code = posix_spawn(&child, c->arguments[0], &actions, NULL, (char *const *)c->arguments, environment);
    if (code != 0)
        fail(c->arguments[0], strerror(code));
    while (wait4(child, &status, 0, &usage) < 0)
        if (errno != EINTR)
            fail(c->label, strerror(errno));
    *wall = now() - start;
    *processor = microseconds(usage.ru_utime) + microseconds(usage.ru_stime);
    c->faults = usage.ru_minflt;
    posix_spawn_file_actions_destroy(&actions);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != c->status)
        fail(c->label, "ended with another status than it should have");
}

// Run a command with one more variable in its environment, and hand over what it prints. @return false if nothing
static bool run_with(command *c, const char *variable, char *text, size_t size)
{
    const char *environment[2] = {variable, NULL};
    double wall, processor;
    FILE *output = tmpfile();
    const int status = c->status;
    if (!output)
        fail("a temporary file", strerror(errno));
    c->status = strncmp(variable, "LD_TRACE", 8) == 0 ? 0 : status; // the loader ends in the program's place
    run(c, fileno(output), (char *const *)environment, &wall, &processor);
    c->status = status;
    rewind(output);
    const size_t length = fread(text, 1, size - 1, output);
    text[length] = '\0';
    fclose(output);
    return length > 0;
}

// The number behind the last `label` of a text, or -1.
static long last_number(const char *text, const char *label)
{
    long number = -1;
    for (const char *found = strstr(text, label); found; found = strstr(found + 1, label))
        number = strtol(found + strlen(label), NULL, 10);
    return number;
}

// Ask glibc's loader. Other loaders do not know these variables: then nothing is known.
static void ask_loader(command *c)
{
    static char text[1 << 16];
    c->libraries = c->relocations = c->relative_relocations = -1;
    if (run_with(c, "LD_DEBUG=statistics", text, sizeof text)) {
        c->relocations = last_number(text, "final number of relocations: ");
        c->relative_relocations = last_number(text, "number of relative relocations: ");
    }
    if (c->relocations >= 0 && run_with(c, "LD_TRACE_LOADED_OBJECTS=1", text, sizeof text)) {
        c->libraries = 0;
        for (const char *line = strstr(text, " => "); line; line = strstr(line + 1, " => "))
            c->libraries++;
    }
}

static int compare(const void *x, const void *y)
{
    const double *p = x, *q = y;
    return (*p > *q) - (*p < *q);
}

// A tetrahedron from the origin, moved along x.
static void write_tetrahedron(const char *path, double x)
{
    FILE *file = fopen(path, "w");
    if (!file)
        fail(path, strerror(errno));
    fprintf(file, "v %g 0 0\nv %g 0 0\nv %g 1 0\nv %g 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n", x, x + 1, x, x);
    if (fclose(file) != 0)
        fail(path, strerror(errno));
}

static void print(FILE *csv, const command *c, int runs)
{
    qsort(c->wall, (size_t)runs, sizeof *c->wall, compare);
    qsort(c->processor, (size_t)runs, sizeof *c->processor, compare);
    const double middle = c->wall[runs / 2], least = c->wall[0], processor = c->processor[runs / 2];
    printf("%-24s %10.0f %8.0f %10.0f %8ld %10ld %12ld %9ld\n", c->label, middle, least, processor, c->faults,
           c->libraries, c->relocations, c->relative_relocations);
    if (csv)
        fprintf(csv, "%s,%.6g,%.6g,%.6g,%ld,%ld,%ld,%ld,%d\n", c->label, middle, least, processor, c->faults,
                c->libraries, c->relocations, c->relative_relocations, runs);
}

// Time all commands in turns, then ask the loader about them, and print.
static void measure(command *commands, size_t count, int runs, FILE *csv)
{
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere < 0)
        fail("/dev/null", strerror(errno));
    for (int i = -1; i < runs; i++)
        for (size_t k = 0; k < count; k++) {
            double wall, processor;
            run(&commands[k], nowhere, environ, &wall, &processor);
            if (i >= 0)
                commands[k].wall[i] = wall, commands[k].processor[i] = processor;
        }
    close(nowhere);
    printf("%d runs of each; microseconds; -1: not known\n%-24s %10s %8s %10s %8s %10s %12s %9s\n", runs, "", "median",
           "least", "processor", "faults", "libraries", "relocations", "relative");
    if (csv)
        fprintf(csv,
                "command,median_us,least_us,processor_us,faults,libraries,relocations,relative_relocations,runs\n");
    for (size_t k = 0; k < count; k++) {
        ask_loader(&commands[k]);
        print(csv, &commands[k], runs);
    }
}

typedef struct options {
    const char *tool, *csv;
    int runs;
} options;

static options read_options(int count, char **arguments)
{
    options set = {.tool = PROCESS_TOOL, .runs = 200};
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--nothing") == 0) // a start of this program as the one that does nothing
            exit(0);
        else if (strcmp(arguments[i], "--runs") == 0 && i + 1 < count)
            set.runs = atoi(arguments[++i]);
        else if (strcmp(arguments[i], "--csv") == 0 && i + 1 < count)
            set.csv = arguments[++i];
        else if (arguments[i][0] != '-')
            set.tool = arguments[i];
        else
            fail(arguments[i], "usage: bench_process [--runs N] [--csv FILE] [TOOL]");
    }
    if (set.runs < 1 || set.runs > MAX_RUNS)
        fail("--runs", "from 1 to 100000");
    return set;
}

static char file_a[PATH_SIZE], file_b[PATH_SIZE];

static void remove_files(void)
{
    remove(file_a);
    remove(file_b);
}

static void write_files(void)
{
    const char *folder = getenv("TMPDIR");
    snprintf(file_a, sizeof file_a, "%s/bench_process_a_%ld.obj", folder ? folder : "/tmp", (long)getpid());
    snprintf(file_b, sizeof file_b, "%s/bench_process_b_%ld.obj", folder ? folder : "/tmp", (long)getpid());
    if (atexit(remove_files) != 0)
        fail("atexit", "out of memory");
    write_tetrahedron(file_a, 0);
    write_tetrahedron(file_b, 3);
}

int main(int count, char **arguments)
{
    const options set = read_options(count, arguments);
    char here[PATH_SIZE];
    const ssize_t length = readlink("/proc/self/exe", here, sizeof here - 1);
    if (length < 0)
        fail("/proc/self/exe", strerror(errno));
    here[length] = '\0';
    command commands[] = {
        {.label = "nothing", .arguments = {here, "--nothing"}},
        {.label = "graze --version", .arguments = {set.tool, "--version"}},
        {.label = "graze check, touching", .arguments = {set.tool, "check", file_a, file_a}, .status = 1},
        {.label = "graze check, apart", .arguments = {set.tool, "check", file_a, file_b}},
    };
    const size_t commands_count = sizeof commands / sizeof *commands;
    double(*times)[2] = calloc(commands_count * (size_t)set.runs, sizeof *times);
    if (!times)
        fail("times", "out of memory");
    for (size_t k = 0; k < commands_count; k++) {
        commands[k].wall = &times[k * (size_t)set.runs][0];
        commands[k].processor = commands[k].wall + set.runs;
    }
    FILE *csv = set.csv ? fopen(set.csv, "w") : NULL;
    if (set.csv && !csv)
        fail(set.csv, strerror(errno));
    write_files();
    measure(commands, commands_count, set.runs, csv);
    free(times);
    if (csv && fclose(csv) != 0)
        fail(set.csv, strerror(errno));
    return 0;
}
