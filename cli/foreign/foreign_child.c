// SPDX-License-Identifier: MIT
// Runs an importer that may crash, hang or eat memory in a child process, and takes the model from it over a pipe. The
// child is held by limits of its own (setrlimit), the parent by a clock; what comes over the pipe is checked as though
// an enemy had sent it, and memory is taken only for what has arrived. The child leaves by _exit and writes no file.
// Forks, so call it before starting threads.
#include "foreign/foreign.h"
#include "foreign/importers.h"

#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

// A sanitizer reserves terabytes of address space, which RLIMIT_AS would count.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define UNDER_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define UNDER_SANITIZER 1
#endif
#endif
#ifndef UNDER_SANITIZER
#define UNDER_SANITIZER 0
#endif

enum {
    LOOK_MS = 100,           // between two looks at the clock and at the flag that cancels
    PROBE_BYTES = 64 << 20,  // where there is no room for so much more, a crash is for want of memory
    EXIT_WITHOUT_MEMORY = 77 // the child's exit status then
};

typedef struct receiver {
    foreign_reader *r;
    const child_limits *limits;
    int pipe;
    double deadline;
    bool ended; // the pipe ended early: the child's end says why
} receiver;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool fail_late(receiver *c)
{
    return foreign_fail(c->r, "the importer took longer than %g s", c->limits->wall_seconds);
}

// Exactly this many bytes. On failure either `ended` is set or the message is.
static bool receive(receiver *c, void *to, size_t size)
{
    unsigned char *p = to;
    while (size > 0) {
        double left = c->deadline - now();
        if (left <= 0) {
            fail_late(c);
            return false;
        }
        if (c->r->cancel != NULL && *c->r->cancel != 0)
            return foreign_fail(c->r, "cancelled");
        struct pollfd wait = {.fd = c->pipe, .events = POLLIN};
        int ready = poll(&wait, 1, left > 1e-3 * LOOK_MS ? LOOK_MS : (int)(left * 1000) + 1);
        if (ready == 0 || (ready < 0 && errno == EINTR))
            continue;
        ssize_t got = ready < 0 ? -1 : read(c->pipe, p, size);
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (got < 0) {
            foreign_fail(c->r, "the importer cannot be heard: %s", strerror(errno));
            return false;
        }
        if (got == 0) {
            c->ended = true;
            return false;
        }
        p += got;
        size -= (size_t)got;
    }
    return true;
}

static bool fail_malformed(receiver *c)
{
    return foreign_fail(c->r, "the importer gave a model that makes no sense");
}

// A text of the child's, for a message or a note: one line, NUL-terminated.
static bool receive_text(receiver *c, uint64_t length, char text[CHILD_TEXT_LENGTH + 1])
{
    *text = '\0';
    if (length > CHILD_TEXT_LENGTH)
        return fail_malformed(c);
    if (!receive(c, text, (size_t)length))
        return false;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
            text[i] = ' ';
    while (length > 0 && text[length - 1] == ' ')
        length--;
    text[length] = '\0';
    return true;
}

static bool receive_positions(receiver *c, uint64_t count)
{
    double buffer[3 * 512] = {0};
    for (uint64_t done = 0; done < count;) {
        const size_t n = count - done < 512 ? (size_t)(count - done) : 512;
        if (!receive(c, buffer, n * 3 * sizeof(double)) || !foreign_add_vertices(c->r, buffer, n))
            return false;
        done += n;
    }
    return true;
}

static bool receive_indices(receiver *c, uint64_t count, uint64_t vertices)
{
    uint32_t buffer[2048] = {0};
    for (uint64_t done = 0; done < count;) {
        const size_t n = count - done < 2048 ? (size_t)(count - done) : 2048;
        if (!receive(c, buffer, n * sizeof(uint32_t)))
            return false;
        for (size_t i = 0; i < n; i++)
            if (buffer[i] >= vertices)
                return fail_malformed(c);
        if (!foreign_add_corners(c->r, buffer, n))
            return false;
        done += n;
    }
    return true;
}

// `corners`: how many the faces must have together.
static bool receive_faces(receiver *c, uint64_t count, uint64_t corners)
{
    uint32_t buffer[2048] = {0};
    for (uint64_t done = 0; done < count;) {
        const size_t n = count - done < 2048 ? (size_t)(count - done) : 2048;
        if (!receive(c, buffer, n * sizeof(uint32_t)))
            return false;
        for (size_t i = 0; i < n; i++) {
            if (buffer[i] < 3 || buffer[i] > corners)
                return fail_malformed(c);
            corners -= buffer[i];
        }
        if (!foreign_add_faces(c->r, buffer, n))
            return false;
        done += n;
    }
    return corners == 0 || fail_malformed(c);
}

// `left`: what the header announced and no mesh has taken yet.
static bool receive_mesh(receiver *c, child_header *left)
{
    child_mesh sizes = {0};
    if (!receive(c, &sizes, sizeof sizes))
        return false;
    if (!take_memory(&left->vertex_count, sizes.vertex_count, 1) ||
        !take_memory(&left->index_count, sizes.index_count, 1) || !take_memory(&left->face_count, sizes.face_count, 1))
        return fail_malformed(c);
    return receive_positions(c, sizes.vertex_count) && receive_indices(c, sizes.index_count, sizes.vertex_count) &&
           receive_faces(c, sizes.face_count, sizes.index_count) && foreign_end_mesh(c->r);
}

static bool receive_instance(receiver *c, child_header *left)
{
    child_instance shown = {0};
    char name[CHILD_TEXT_LENGTH + 1];
    if (!receive(c, &shown, sizeof shown))
        return false;
    if (shown.mesh >= c->r->mesh_count || !take_memory(&left->names_length, shown.name_length, 1))
        return fail_malformed(c);
    if (!receive_text(c, shown.name_length, name))
        return false;
    return foreign_add_instance(c->r, shown.mesh, (const double(*)[4])shown.matrix, name);
}

// Whether what is announced stays within the memory that the child itself was allowed.
static bool has_sane_size(const child_header *h, uint64_t memory)
{
    uint64_t left = memory;
    return take_memory(&left, h->vertex_count, 3 * sizeof(double)) &&
           take_memory(&left, h->index_count, sizeof(uint32_t)) &&
           take_memory(&left, h->face_count, sizeof(uint32_t)) &&
           take_memory(&left, h->mesh_count, sizeof(model_mesh)) &&
           take_memory(&left, h->instance_count, sizeof(model_instance) + 2 * sizeof(void *)) &&
           take_memory(&left, h->names_length, 3); // a byte that is no UTF-8 becomes three
}

// Whether the meshes are first shown in their order, as the importer sends them, and none is never shown.
static bool all_are_shown(const foreign_reader *m)
{
    uint64_t seen = 0;
    for (size_t i = 0; i < m->instance_count; i++) {
        if (m->instances[i].mesh > seen)
            return false;
        seen += m->instances[i].mesh == seen;
    }
    return seen == m->mesh_count;
}

static bool has_sane_unit(const child_header *h)
{
    return h->up_axis <= GRZ_IO_UP_X && h->unit_in_metres >= 0 && h->unit_in_metres <= DBL_MAX;
}

// What was left out, and who read it.
static bool note_all(foreign_reader *r, const child_header *h, const char *name)
{
    const importer *reader = importer_find(name);
    const char *note = reader != NULL ? reader->note : NULL;
    const bool counts = reader != NULL && reader->left_out != NULL;
    return foreign_note_count(r, h->points_skipped, "point element skipped", "point elements skipped") &&
           foreign_note_count(r, h->lines_skipped, "line element skipped", "line elements skipped") &&
           foreign_note_count(r, h->skins_ignored, "skin ignored: the mesh is as it was before its bones moved it",
                              "skins ignored: the meshes are as they were before their bones moved them") &&
           foreign_note_count(r, h->morphs_ignored, "mesh with morph targets: they are ignored",
                              "meshes with morph targets: they are ignored") &&
           foreign_note_count(r, h->animations_ignored, "animation ignored", "animations ignored") &&
           (!counts || foreign_note_count(r, h->left_out, reader->left_out, reader->many_left_out)) &&
           (note == NULL || foreign_note(r, "%s", note)) && foreign_note(r, "read by Assimp as float32 (%s)", name);
}

static bool receive_model(receiver *c, bool *unknown)
{
    foreign_reader *r = c->r;
    child_header h = {0};
    char text[CHILD_TEXT_LENGTH + 1];
    if (!receive(c, &h, sizeof h))
        return false;
    if (h.magic != CHILD_MAGIC || h.status > CHILD_UNKNOWN_EXTENSION || !has_sane_unit(&h))
        return fail_malformed(c);
    if (!receive_text(c, h.text_length, text))
        return false;
    *unknown = h.status == CHILD_UNKNOWN_EXTENSION;
    if (h.status != CHILD_OK)
        return foreign_fail(r, "%s", *text ? text : "the importer refused it and did not say why");
    if (!has_sane_size(&h, c->limits->memory))
        return foreign_fail(r, "the model is larger than the importer may make it (%llu MiB)",
                            (unsigned long long)(c->limits->memory >> 20));
    child_header left = h;
    for (uint64_t i = 0; i < h.mesh_count; i++)
        if (!receive_mesh(c, &left))
            return false;
    for (uint64_t i = 0; i < h.instance_count; i++)
        if (!receive_instance(c, &left))
            return false;
    if (!all_are_shown(r))
        return fail_malformed(c);
    if (left.vertex_count != 0 || left.index_count != 0 || left.face_count != 0 || left.names_length != 0)
        return fail_malformed(c);
    r->unit_in_metres = h.unit_in_metres;
    r->up_axis = (grz_io_up)h.up_axis;
    return note_all(r, &h, text);
}

// Bytes of address space that this process has: the child starts with them.
static uint64_t address_space(void)
{
    char line[128] = "0";
    FILE *f = fopen("/proc/self/statm", "re");
    if (f) {
        if (!fgets(line, sizeof line, f))
            *line = '\0';
        fclose(f);
    }
    return (uint64_t)strtoull(line, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

// `grace`: how far past the limit the kernel warns only. Past the processor time that is by SIGXCPU, which tells itself
// from a kill.
static void limit(int resource, uint64_t value, uint64_t grace)
{
    struct rlimit l;
    if (getrlimit(resource, &l) != 0)
        return;
    if (l.rlim_max == RLIM_INFINITY || value + grace < l.rlim_max)
        l.rlim_max = (rlim_t)(value + grace);
    l.rlim_cur = value < l.rlim_max ? (rlim_t)value : l.rlim_max;
    (void)setrlimit(resource, &l);
}

// A crash in the child. Importers do not expect to get no memory: say so where that is likely. mmap is a system call
// alone, which holds no lock.
static void tell_of_memory(int signal_number)
{
    // NOLINTNEXTLINE(bugprone-signal-handler,cert-sig30-c)
    if (mmap(NULL, PROBE_BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
        _exit(EXIT_WITHOUT_MEMORY);
    (void)signal(signal_number, SIG_DFL);
    (void)raise(signal_number);
}

// What the child does: never returns.
static void run_child(int pipe, const child_limits *limits, uint64_t memory, child_work *work, const void *context)
{
    (void)signal(SIGINT, SIG_DFL); // the parent's handler is not for the child
    limit(RLIMIT_CORE, 0, 0);
    limit(RLIMIT_FSIZE, 0, 0);
    limit(RLIMIT_CPU, limits->cpu_seconds, 1);
    if (!UNDER_SANITIZER) {
        limit(RLIMIT_AS, memory, 0);
        (void)signal(SIGABRT, tell_of_memory);
        (void)signal(SIGSEGV, tell_of_memory);
    }
#ifdef __linux__
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL); // no importer outlives the tool
#endif
    int kept = fcntl(pipe, F_DUPFD, 3); // above the three that are closed now
    int nothing = open("/dev/null", O_RDWR);
    for (int i = 0; i < 3 && nothing >= 0; i++)
        (void)dup2(nothing, i);
    if (kept < 0)
        _exit(1);
    if (pipe > 2)
        close(pipe);
    work(kept, context);
    _exit(0);
}

// Wait for the child's end, not past the deadline; then it is killed. Returns whether `status` is known.
static bool reap(pid_t child, double deadline, int *status)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    bool killed = false;
    for (;;) {
        pid_t gone = waitpid(child, status, killed ? 0 : WNOHANG);
        if (gone == child)
            return true;
        if (gone < 0 && errno != EINTR)
            return false;
        if (gone < 0)
            continue;
        if (now() >= deadline) {
            kill(child, SIGKILL);
            killed = true;
        } else {
            nanosleep(&pause, NULL);
        }
    }
}

// The pipe ended before the model did: say why.
static bool fail_ended(receiver *c, bool known, int status)
{
    if (known && WIFSIGNALED(status)) {
        if (WTERMSIG(status) == SIGXCPU)
            return foreign_fail(c->r, "the importer took longer than %u s of processor time", c->limits->cpu_seconds);
        if (WTERMSIG(status) == SIGKILL && now() >= c->deadline)
            return fail_late(c);
        return foreign_fail(c->r, "damaged, or more than Assimp can read: the importer crashed (signal %d)",
                            WTERMSIG(status));
    }
    if (known && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_WITHOUT_MEMORY)
        return foreign_fail(c->r, CHILD_MEMORY_TEXT, (unsigned long long)(c->limits->memory >> 20));
    if (known && WIFEXITED(status) && WEXITSTATUS(status) != 0)
        return foreign_fail(c->r, "the importer failed (exit status %d)", WEXITSTATUS(status));
    return foreign_fail(c->r, "the importer ended without an answer");
}

bool foreign_read_child(foreign_reader *r, const child_limits *limits, child_work *work, const void *context,
                        bool *unknown)
{
    int ends[2], status = 0;
    *unknown = false;
    if (pipe(ends) != 0)
        return foreign_fail(r, "no pipe for the importer: %s", strerror(errno));
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    uint64_t memory = address_space() + limits->memory;
    pid_t child = fork();
    if (child < 0) {
        close(ends[0]);
        close(ends[1]);
        return foreign_fail(r, "no process for the importer: %s", strerror(errno));
    }
    if (child == 0) {
        close(ends[0]);
        run_child(ends[1], limits, memory, work, context);
    }
    close(ends[1]);
    receiver c = {.r = r, .limits = limits, .pipe = ends[0], .deadline = now() + limits->wall_seconds};
    bool ok = receive_model(&c, unknown);
    close(ends[0]);
    // A child that has said all, or that is not believed, has no more to do.
    bool known = reap(child, c.ended ? c.deadline : 0, &status);
    return c.ended ? fail_ended(&c, known, status) : ok;
}
