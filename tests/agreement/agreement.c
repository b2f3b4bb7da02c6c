// SPDX-License-Identifier: MIT
// Runs of situations: which laws are asked, what is counted, and how a broken law is told.
#include "agreement.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "ask.h"

static const char *const law_texts[] = {
#define TEXT(name, text) text,
    AGREE_LAWS(TEXT)
#undef TEXT
};

static const char *const law_names[] = {
#define NAME(name, text) #name,
    AGREE_LAWS(NAME)
#undef NAME
};

enum {
    MOST_PRINTED = 3 // breaches of one law in situations of one kind
};

const char *agree_law_name(agree_law law)
{
    return law_names[law];
}

void agree_run_open(agree_run *run)
{
    memset(run, 0, sizeof *run);
    run->device = test_device_open(1);
    run->result = test_result_create(run->device);
}

void agree_run_close(agree_run *run)
{
    grz_result_destroy(run->result);
    grz_device_close(run->device);
}

// ---- Telling ------------------------------------------------------------------------------------------------------

// The body in the world, as a file that the tool reads: shortest numbers that read back to the same.
static void write_body(const agree_body *body, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        fprintf(stderr, "agreement: cannot write %s\n", path);
        return;
    }
    double *world = agree_world(body);
    for (uint64_t v = 0; v < body->mesh.vertex_count; v++)
        fprintf(file, "v %.17g %.17g %.17g\n", world[3 * v], world[3 * v + 1], world[3 * v + 2]);
    for (uint64_t face = 0, first = 0; face < body->mesh.face_count; first += body->mesh.corner_counts[face++]) {
        fprintf(file, "f");
        for (uint32_t i = 0; i < body->mesh.corner_counts[face]; i++)
            fprintf(file, " %" PRIu32, body->mesh.indices[first + i] + 1);
        fprintf(file, "\n");
    }
    free(world);
    fclose(file);
}

static void tell_situation(const agree_run *run)
{
    const agree_situation *s = run->now;
    const char *folder = getenv("GRZ_AGREEMENT_DUMP");
    if (run->of_bytes)
        fprintf(stderr, "  situation of these bytes");
    else
        fprintf(stderr, "  repeat with: build/tests/test_agreement 1 %" PRIu64, run->seed);
    fprintf(stderr, "  (kind \"%s\", unit 2^%d, d = %d,%d,%d)\n", agree_kind_name(s->kind), s->exponent, s->d[0],
            s->d[1], s->d[2]);
    if (folder == NULL)
        return;
    for (int i = 0; i < 2; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/agreement_%" PRIu64 "_%c.obj", folder, run->seed, "ab"[i]);
        write_body(&s->bodies[i], path);
        fprintf(stderr, "  %s\n", path);
    }
}

bool agree_law_holds(agree_run *run, agree_law law, bool holds, const char *format, ...)
{
    run->applied[law]++;
    if (holds)
        return true;
    run->broken[law]++;
    run->broke = true;
    uint8_t *printed = &run->printed[law][run->now->kind];
    if (*printed == MOST_PRINTED)
        return false;
    ++*printed;
    fprintf(stderr, "BROKEN %s (%s): ", law_names[law], law_texts[law]);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n");
    tell_situation(run);
    return false;
}

void agree_run_print(const agree_run *run)
{
    uint64_t all = 0;
    for (int i = 0; i < AGREE_KIND_COUNT; i++) {
        all += run->situations[i];
        printf("%s%s %" PRIu64, i > 0 ? ", " : "", agree_kind_name((agree_kind)i), run->situations[i]);
    }
    printf("\n%-79s %10s %8s\n", "law", "applied", "broken");
    for (int i = 0; i < AGREE_LAW_COUNT; i++)
        printf("%-20s %-58s %10" PRIu64 " %8" PRIu64 "\n", law_names[i], law_texts[i], run->applied[i], run->broken[i]);
    printf("%" PRIu64 " situations; %" PRIu64 " depths along a direction exact, %" PRIu64 " enclosed\n", all,
           run->exact_depths, run->wide_depths);
}

// ---- Running ------------------------------------------------------------------------------------------------------

typedef struct subject {
    void (*ask)(agree_run *run);
    uint32_t one_in;
} subject;

static const subject subjects[] = {
#define SUBJECT(name, n) {agree_laws_of_##name, n},
    AGREE_SUBJECTS(SUBJECT)
#undef SUBJECT
};

// Each subject chooses from numbers of its own, so that one does not depend on another. Of large meshes less is asked;
// where a fuzzer chooses them, nothing, because it would find the slowest.
static void ask_all(agree_run *run)
{
    const agree_situation *s = run->now;
    const uint32_t share = agree_is_large(s) ? 16 : 1;
    const bool all = !(run->of_bytes && agree_is_large(s));
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects && all; i++) {
        run->choices = agree_source_apart(s->source, (unsigned)i);
        const uint32_t one_in = share * subjects[i].one_in;
        if (one_in == 1 || agree_one_in(&run->choices, one_in))
            subjects[i].ask(run);
    }
}

static bool run_situation(agree_run *run, agree_kind kind, agree_source source)
{
    agree_situation s;
    agree_situation_make(&s, kind, source);
    run->now = &s;
    run->broke = false;
    run->situations[kind]++;
    for (int i = 0; i < 2; i++)
        run->objects[i] = grz_object_at(test_mesh_upload(run->device, &s.bodies[i].mesh), s.bodies[i].pose);
    ask_all(run);
    for (int i = 0; i < 2; i++)
        grz_mesh_destroy((grz_mesh *)run->objects[i].mesh);
    agree_situation_finish(&s);
    run->now = NULL;
    return !run->broke;
}

bool agree_run_seed(agree_run *run, uint64_t seed)
{
    run->seed = seed;
    run->of_bytes = false;
    return run_situation(run, (agree_kind)(seed % AGREE_KIND_COUNT), agree_source_of_seed(seed));
}

bool agree_run_bytes(agree_run *run, const uint8_t *data, size_t size)
{
    agree_source source = agree_source_of_bytes(data, size);
    run->of_bytes = true;
    const agree_kind kind = (agree_kind)agree_below(&source, AGREE_KIND_COUNT);
    return run_situation(run, kind, source);
}
